"""Dice in trays: which throw lies there, and whether it was thrown since the one before.

Dice lie as they like, and say something only while a throw is due. Then those count that have been
moved or turned since nothing was due: what lies as before was not thrown, and a throw that was told
before its dice lay there is the one that is laid next. Afterwards they may be taken up, turned and
put aside; that is no move and nobody's fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import hypot, inf
from typing import Any

from rules.box import TRAY, load_box
from rules.core import Move, Throw
from rules.match import Match
from rules.reading.sighting import EMPTY, Glimpse, Look, Sighting, SiteBelief, looks

MOVED_MM = 8.0
"""A die that lies farther from where it lay has been moved."""

EACH_DIE = 0.3
"""Of throws that come to the same, one of fewer dice is likelier (natural-log odds for each)."""


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice in one tray."""

    look: Look = ()
    at: tuple[tuple[float, float], ...] = ()
    """Place of each, mm; empty if that is not known."""

    @classmethod
    def of(cls, belief: SiteBelief) -> Dice:
        """The likeliest ones."""
        return cls(belief.best, belief.at)

    def still(self, before: Dice) -> Dice:
        """The dice of ``before`` that lie here as they did."""
        left = [*self._each()]
        found = []
        for die in before._each():
            here = next((one for one in left if _alike(one, die)), None)
            if here is not None:
                left.remove(here)
                found.append(die)
        return Dice(tuple(die for die, _ in found), tuple(at for _, at in found if at is not None))

    def _each(self) -> Iterator[tuple[Glimpse, tuple[float, float] | None]]:
        known = len(self.at) == len(self.look)
        return zip(self.look, self.at if known else (None,) * len(self.look), strict=True)


def _alike(
    one: tuple[Glimpse, tuple[float, float] | None],
    other: tuple[Glimpse, tuple[float, float] | None],
) -> bool:
    if one[0] != other[0] or one[1] is None or other[1] is None:
        return one[0] == other[0]
    return hypot(one[1][0] - other[1][0], one[1][1] - other[1][1]) <= MOVED_MM


@dataclass(frozen=True)
class Trays:
    """Contents of trays in a look, and those when no throw was due."""

    beliefs: Mapping[str, SiteBelief] = field(default_factory=dict)
    before: Mapping[str, Dice] = field(default_factory=dict)
    """Of trays that are missing nothing is known: what lies there counts as thrown."""

    def shown(self, throw: Throw) -> Mapping[Move, float]:
        """Throws that lie in their tray afresh, and the picture's log odds against each."""
        belief = self.beliefs.get(throw.site)
        if belief is None or belief.occluded or belief.unread or not self.moved(throw):
            return {}
        found: dict[Move, float] = {}
        for look in belief.plausible:
            against = belief.score(belief.best) - belief.score(look) + EACH_DIE * len(throw.dice)
            for move in throws_in(throw, look):
                found[move] = min(found.get(move, inf), against)
        return found

    def moved(self, throw: Throw) -> bool:
        """True if as many dice have been moved or turned as are thrown."""
        now = Dice.of(self.beliefs.get(throw.site, SiteBelief({})))
        before = self.before.get(throw.site)
        if before is None:
            return True
        moved = len(now.look) - len(now.still(before).look)
        return moved >= (len(throw.dice) if now.at else 1)

    @property
    def stirred(self) -> Mapping[str, int]:
        """The number of dice by tray that lie otherwise than before."""
        found = {}
        for site, belief in self.beliefs.items():
            now = Dice.of(belief)
            found[site] = len(now.look) - len(now.still(self.before.get(site, Dice())).look)
        return {site: number for site, number in found.items() if number}


@dataclass(frozen=True, slots=True)
class _Told:
    """A throw in the record."""

    ply: int
    throw: Throw
    move: Move

    def stands(self, match: Match) -> bool:
        """True if ``match`` still has it."""
        return match.ply > self.ply and match.log[self.ply].move == self.move


class TrayMemory:
    """A memory of trays, from look to look."""

    def __init__(self) -> None:
        self._before: dict[str, Dice] = {}
        self._match: Match | None = None
        self._looks: dict[tuple[Look, ...], Trays] = {}
        """All that lay there since the record changed."""
        self._told: _Told | None = None
        """The last throw of the record, while it has not been seen to lie there."""

    def see(self, match: Match, sighting: Sighting, *, alone: bool) -> Trays:
        """Contents of trays in a look without a hand. ``alone``: it counts as settled by itself."""
        sites = tray_sites(match)
        beliefs = {s: b for s, b in sighting.sites.items() if s in sites and not b.occluded}
        trays, told = Trays(beliefs, dict(self._before)), self._thrown(match)
        self._looks[tuple(belief.best for belief in beliefs.values())] = trays
        known = told is not None
        if told is not None:
            lay = any(told.move in look.shown(told.throw) for look in self._looks.values())
            self._told = None if lay else told
        elif self._told is not None and not self._told.stands(match):
            self._told = None
        elif self._told is not None and (shown := trays.shown(self._told.throw)):
            known, self._told = self._told.move in shown, None
        for site, belief in beliefs.items():
            now = Dice.of(belief)
            before = self._before.get(site)
            if (before is None and not alone) or known:
                self._before[site] = now
            elif before is not None and len(now.look) < len(before.look):
                self._before[site] = now.still(before)  # Dice were taken up.
        if match is not self._match:
            self._match, self._looks = match, {}
        return Trays(beliefs, dict(self._before))

    def _thrown(self, match: Match) -> _Told | None:
        """The last throw that the record has got since the last look."""
        last, found = self._match, None
        if last is None or last is match or match.ply <= last.ply:
            return None
        state = last.state.clone()
        for ply, entry in enumerate(match.log[last.ply :], last.ply):
            if (throw := state.throw()) is not None and entry.move in throw:
                found = _Told(ply, throw, entry.move)
            state.apply(entry.move)
        return found

    def agree(self, match: Match, trays: Trays) -> None:
        """The table lies as the record has it: unless a throw is due, nothing there is one."""
        if match.state.throw() is None:
            self._before |= {site: Dice.of(belief) for site, belief in trays.beliefs.items()}


def throws_in(throw: Throw, look: Look) -> Iterator[Move]:
    """Throws of which ``look`` shows all dice, with any of those that were kept."""
    seen = Counter((glimpse.kind, glimpse.pose) for glimpse in look)
    number = len(look) - len(throw.dice)
    if number < 0:
        return
    for kept in {*combinations(sorted(throw.kept.elements()), number)}:
        if not Counter(kept) - seen and (move := throw.showing(seen - Counter(kept))) is not None:
            yield move


def tray_sites(match: Match) -> frozenset[str]:
    """The trays of a match."""
    box = load_box(match.game.box)
    return frozenset(site.id for site in box.sites.values() if site.kind == TRAY)


class Thrown:
    """Throws that a look shows in the positions of a match."""

    def __init__(self, match: Match, sighting: Sighting, trays: Trays | None) -> None:
        """``trays``: as they were seen; None: as in ``sighting``, with nothing before it."""
        self.sites = tray_sites(match)
        if trays is None:
            trays = Trays({s: b for s, b in sighting.sites.items() if s in self.sites})
        self._trays, self._throws = trays, bool(trays.stirred) and match.throws_lie_here
        self._told: set[Move] = set()

    def shown(self, state: Any, moves: Sequence[Move]) -> Mapping[Move, float]:
        """The throws that may follow ``moves``, which led to ``state``, with the odds against each:
        only the last throw lies in the tray."""
        throw = state.throw() if self._throws else None
        if throw is None or not self._told.isdisjoint(moves):
            return {}
        found = self._trays.shown(throw)
        self._told.update(found)
        return found

    def throws(self, state: Any, move: Move) -> bool:
        """True if ``move`` is a throw by hands that is due in ``state``."""
        throw = state.throw() if self._throws else None
        return throw is not None and move in throw

    def begun_by(self, state: Any, moves: Sequence[Move]) -> Iterator[Move]:
        """Legal moves that leave no trace but that a throw follows, such as that some dice are to
        be thrown again."""
        if not self._throws or state.throw() is not None or not self._told.isdisjoint(moves):
            return
        for move in state.legal_moves():
            if self.sites.issuperset(state.touches(move)):
                after = state.clone()
                after.apply(move)
                if self.shown(after, moves):
                    yield move

    def touched(
        self, state: Any, moves: Sequence[Move], sites: Mapping[Move, Collection[str]]
    ) -> dict[Move, Collection[str]]:
        """The ``sites`` where moves show: a throw in its tray, and nothing else there."""
        thrown = self.shown(state, moves)
        return {
            move: self.sites if move in thrown else self.sites.union(touched) - self.sites
            for move, touched in sites.items()
        }

    def differ(self, *states: Any) -> bool:
        """True if dice that were moved or turned lie in a tray as in none of ``states``."""
        if not self._throws:
            return False
        lying = [looks(state.layout_at(self.sites)) for state in states]
        return any(
            all(Counter(belief.best) - Counter(each.get(site, EMPTY)) for each in lying)
            for site, belief in self._trays.beliefs.items()
        )

    def waits(self, state: Any, moves: Sequence[Move]) -> bool:
        """True if a throw lies there that ``moves``, which led to ``state``, lack."""
        return bool(self.shown(state, moves)) or any(True for _ in self.begun_by(state, moves))
