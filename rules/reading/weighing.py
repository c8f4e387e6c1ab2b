"""Weighing: what the picture says to a position, and the positions on the way to explanations.

A position is worked out once for a look, however many ways of explaining it pass: what should lie
there differs from the one before only where the move touches something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, islice
from math import inf
from typing import Any, NamedTuple

from rules.core import Actor, Board, Lies, Move
from rules.core.tables import lacking
from rules.match import Match
from rules.reading.dice import Thrown
from rules.reading.sighting import EMPTY, Left, Look, Sighting, SiteBelief, looks, within
from rules.reading.since import LONG_AGO, Opening, Since

# Costs are natural-log odds against the ordinary, see ``explaining``.
TOLERATED = 0.2
"""Something lies where it may lie just now, but where it is not going to stay."""
UNFINISHED = 6.0
"""A move was begun and is not finished."""
COVERED = 2.0
"""A piece that was put down lies below the beginning of another move already."""

SHOWN_S, SILENT_S = 0.5, 1.0
"""Least time of hands for a step that shows, and for one without a trace."""
UNTOLD_THROW = 6.0
"""Dice lie there afresh, and no throw is told."""
UNHEEDED = 3.0
"""Something lay where an explanation never puts it."""
CHANGED = 1.5
"""A site counts as changed if the picture speaks against the record by more than this."""
MARGIN = 2.5
"""The best explanation must lead by this much."""
WORTH_SHOWING = 4.0
"""Least likelihood, beside the best, of an answer that is shown besides others."""
MAX_OTHER_BOARDS = 4
"""Number of doubtful sites for which the moves that fit are worked out anew."""
MAX_TAKEBACK = 12
"""Most moves that are taken back, draws included."""


class Position:
    """A position of the match on the way to an explanation, worked out once for a look.

    It knows none before it, so that all are forgotten at once when the look has been read.
    """

    __slots__ = (
        "_after", "_legal", "_seconds", "_touches", "dealt", "differs", "looks", "open", "state",
        "weights",
    )  # fmt: skip

    def __init__(self, state: Any, before: Position | None = None, but: Iterable[str] = ()) -> None:
        """``before``: a position that it differs from only at the sites ``but``."""
        self.state = state
        self.looks: Mapping[str, Look] = before.looks if before else {}
        """The look that the rules want at each site, and …"""
        self.differs: Mapping[str, float] = before.differs if before else {}
        """… where the picture speaks against that, and by how much (natural log), but for …"""
        self.open: Collection[str] | None = None
        """… sites that were not compared yet; None: all of them."""
        if before is not None and before.open is not None:
            self.open = {*before.open, *but}
        self.weights: dict[int, Weight] = {}
        """Its agreement with the picture, by the number of moves that are supposed before it."""
        self.dealt: dict[int, Move | None] = {}
        """The draw that follows by itself, if one does, by the number of moves in the record."""
        self._after: dict[Move, Position] = {}
        self._legal: list[Move] | None = None
        self._touches: dict[Move, Collection[str]] = {}
        self._seconds: dict[Move, float] = {}

    @property
    def legal(self) -> list[Move]:
        """Every legal move."""
        if self._legal is None:
            self._legal = self.state.legal_moves()
        return self._legal

    def touches(self, move: Move) -> Collection[str]:
        """Sites that ``move`` may change."""
        touched = self._touches.get(move)
        if touched is None:
            touched = self._touches[move] = self.state.touches(move)
        return touched

    def seconds(self, move: Move) -> float:
        """The least time that hands need for ``move``."""
        found = self._seconds.get(move)
        if found is None:
            shows = SHOWN_S if self.touches(move) else SILENT_S
            found = self._seconds[move] = 0.0 if move.verb == "done" else shows
        return found

    def takes(self, move: Move, seconds: float) -> None:
        """The game says how long ``move`` takes at least."""
        self._seconds[move] = seconds

    def after(self, move: Move) -> Position:
        """The position that ``move`` leads to."""
        after = self._after.get(move)
        if after is None:
            state = self.state.clone()
            state.apply(move)
            after = self._after[move] = Position(state, self, self.touches(move))
        return after

    def leads_to(self, move: Move, after: Position) -> None:
        """It is known already where ``move`` leads."""
        self._after[move] = after


class Weight(NamedTuple):
    """Agreement of a position behind some moves with the picture, as a ``Node`` has it."""

    wanted: dict[str, Look]
    losses: dict[str, float]
    left: Left
    lies: Mapping[str, Lies]
    changed: list[str]
    begun: tuple[str, ...]
    likely: float
    """Log likelihood of the picture, but for an untold throw."""
    tolerated: int
    covered: int
    things: int
    apart: int
    against: float
    untold: bool


@dataclass(slots=True)
class Node:
    """A position some explanation leads to."""

    at: Position
    moves: tuple[Move, ...]
    wanted: dict[str, Look]
    """The layout that the rules want."""
    losses: dict[str, float]
    """Sites that the picture speaks against, and by how much (natural log)."""
    score: float = 0.0
    """Log posterior: what the picture says, less what the steps cost."""
    tolerated: int = 0
    """Number of sites that hold what may lie there for the moment only."""
    begun: tuple[str, ...] = ()
    """Sites that show the beginning of a move that is not finished."""
    covered: int = 0
    """Number of them that hide something that its own moves put there."""
    untold: bool = False
    """True if dice lie there afresh and its moves lack the throw."""
    takeback: int = 0
    cost: float = 0.0
    """Cost of its steps so far, whatever the picture says."""
    detours: int = 0
    astray: bool = False
    """True if nothing of what lies there speaks for one of its steps."""
    unseen: int = 0
    """Number of its moves that left no trace by which they were told: only the game says that
    they may have been made."""
    implied: int = 0
    again: int = 0
    """Number of its moves that only put something on another thing that looks the same."""
    things: int = 0
    """Number of things that lie on the table and should not, or lack where they should lie."""
    apart: int = 0
    """The same, with what may lie differently for the moment."""
    against: float = 0.0
    """Log odds (natural) of the picture against it, with what may lie differently."""
    guessed: bool = False
    """True if one of its moves only stands for many that may have happened as well."""
    before_guess: tuple[Move, ...] = ()
    """Its moves before the first such one."""
    alike: tuple[tuple[object, int], ...] = ()
    """Looks and costs of the positions on the way to it, each with the number of moves that lead
    to the one before."""
    one_of_many: int | None = None
    """The number of its moves after which others that look alike were not followed any further;
    None if all of them were."""
    complete: bool = True
    """False while the last step must still be followed by one that shows."""
    left: Left = field(default_factory=dict)
    """Looks of sites that lie otherwise than wanted, and may for now …"""
    lies: Mapping[str, Lies] = field(default_factory=dict)
    """… and for how long, as far as the game says so."""
    changed: list[str] = field(default_factory=list)
    """Sites that the picture clearly speaks against."""
    sure: tuple[Move, ...] = ()
    """The first of its moves that show by themselves, whatever followed them."""
    opening: Opening | None = None
    """The point from which the record is told anew; None if it goes on from its end."""
    hidden: bool = False
    """True if one of its moves left its trace where something hides it."""
    silent_turns: int = 0
    """Number of its turns, after the first, of which nothing shows."""
    seconds: float = 0.0
    """The least time that hands need for its moves, one after another."""
    given_away: bool = False
    """True if somebody's whole turn in it is nothing but passed."""
    hurried: bool = False
    """True if turns of which nothing shows would have followed each other in a hurry."""

    @property
    def state(self) -> Any:
        """The state of the match there."""
        return self.at.state


class Weighing:
    """One sighting, and what it says to the positions of a match."""

    def __init__(
        self, match: Match, sighting: Sighting, left: Left, since: Since = LONG_AGO
    ) -> None:
        self.match, self.game, self.since = match, match.game, since
        self.sighting, self.left = sighting, left
        self.dice = Thrown(match, sighting, since.trays)
        """Contents of trays."""
        beliefs = _that_count(sighting.sites, match).items()
        self.beliefs = {site: b for site, b in beliefs if site not in self.dice.sites}
        """Beliefs about the sites that count."""
        self.best = {site: belief.best for site, belief in self.beliefs.items()}
        self._seen = {*self.best.items()}
        self.open_looks = {s: b.plausible for s, b in self.beliefs.items() if not b.occluded}
        """Looks that the picture leaves open, by site."""
        self.doubtful = frozenset(s for s, b in self.beliefs.items() if in_doubt(b))
        """Sites that may as well look differently: their stickers are badly seen."""
        self.certain = frozenset(s for s, b in self.beliefs.items() if _is_certain(b)) - left.keys()
        """Sites where nothing else than what is seen can lie as well."""
        self.hidden = frozenset(s for s, b in self.beliefs.items() if b.occluded)
        """Sites that something hides."""
        self._order = {site: number for number, site in enumerate(self.beliefs)}
        self._begin()
        self.boards = [self.best, *self._other_boards()]
        """Positions that may lie on the table, the likeliest first."""

    def ignore(self, sites: Collection[str]) -> None:
        """Nothing is concluded from these sites."""
        self.beliefs = {s: b for s, b in self.beliefs.items() if s not in sites}
        self._begin()

    def _begin(self) -> None:
        self.top = sum(b.score(self.best[site]) for site, b in self.beliefs.items())
        """Log likelihood of the sighting's own best looks."""
        self._record = [Position(self.match.state)]
        self._otherwise: dict[int, frozenset[str]] = {}
        self.usual = self.compared(self._record[0]).looks
        """The look that the record wants at each site."""
        self.start = self.weighed(Node(self._record[0], (), {}, {}))
        """Nothing has happened."""

    @cached_property
    def unread(self) -> frozenset[str]:
        """Sites that lie as recorded, or as they may, unless something else lies there, or more,
        whose sticker cannot be read."""
        wanted, best = self.start.wanted, self.best
        return frozenset(
            site
            for site in self.doubtful
            if best[site] == wanted.get(site, EMPTY)
            if any(not within(look, best[site]) for look in _as_likely(self.beliefs[site]))
        )

    def passed(self, node: Node) -> set[tuple[str, Look]]:
        """All that lay anywhere on the way to ``node``, and lies there now."""
        at = self.before(node.takeback)
        found = {*self.compared(at).looks.items()}
        waiting: list[Position] = []
        for move in node.moves:
            if move.actor is not Actor.DEALER:
                # What hands have yet to do at its end nobody can have seen.
                found.update(item for each in waiting for item in self.compared(each).looks.items())
                waiting.clear()
            at = at.after(move)
            waiting.append(at)
        found.update(item for item in self.compared(at).looks.items() if item in self._seen)
        return found

    def unheeded(self, node: Node) -> float:
        """Cost of ``node`` because something never lay where it was seen."""
        lay = self.since.lay
        return UNHEEDED if lay and not lay <= self.passed(node) else 0.0

    def instead(self, state: Any) -> Node:
        """``state`` in place of the record's."""
        return self.weighed(Node(Position(state), (), {}, {}))

    def before(self, number: int) -> Position:
        """The position before the last ``number`` moves of the record."""
        if number >= len(self._record):
            self._remember(max(number, MAX_TAKEBACK))
        return self._record[number]

    def turns(self, moves: Iterable[Move], number: int) -> int:
        """Number of turns that ``moves`` make from before the last ``number`` moves of the record;
        answers in somebody else's turn are no turns of their own."""
        at, players = self.before(number), list[int]()
        for move in moves:
            if move.player is not None and not at.state.is_answer(move):
                players.append(move.player)
            at = at.after(move)
        return sum(1 for _ in groupby(players))

    def turns_back(self, number: int) -> int:
        """Number of turns that the last ``number`` moves of the record make."""
        entries = self.match.log[self.match.ply - number :]
        return self.turns((entry.move for entry in entries), number)

    def _remember(self, number: int) -> None:
        """Work out ``number`` positions of the record, if it has as many."""
        ply = self.match.ply
        first, last = max(0, ply - number), ply - len(self._record) + 1
        found: list[tuple[Position, Move]] = []
        state = self.match.after(first).state
        for entry in self.match.log[first:last]:
            found.append((Position(state), entry.move))
            state = state.clone()
            state.apply(entry.move)
        for position, move in reversed(found):
            position.leads_to(move, self._record[-1])
            self._record.append(position)

    def compared(self, at: Position) -> Position:
        """``at``, compared with the picture."""
        if at.open is None:
            at.looks, at.differs = looks(at.state.layout()), {}
            at.differs = self._differs(self.beliefs, at.looks)
        elif at.open:
            here = looks(at.state.layout_at(at.open))
            at.looks = {s: look for s, look in at.looks.items() if s not in at.open} | here
            differs = {site: loss for site, loss in at.differs.items() if site not in at.open}
            if new := self._differs(at.open, here):
                differs |= new
                differs = {s: differs[s] for s in sorted(differs, key=self._order.__getitem__)}
            at.differs = differs
        at.open = ()
        return at

    def otherwise(self, number: int) -> frozenset[str]:
        """Sites that look otherwise than before the last ``number`` moves of the record."""
        found = self._otherwise.get(number)
        if found is None:
            wanted = self.compared(self.before(number)).looks
            unlike = (s for s, look in self.best.items() if look != wanted.get(s, EMPTY))
            found = self._otherwise[number] = frozenset(unlike)
        return found

    def unlike(self, at: Position) -> list[str]:
        """Sites where the picture clearly speaks against what ``at`` wants, and did not before."""
        differs, wanted = self.compared(at).differs.items(), at.looks
        return [
            site
            for site, loss in differs
            if loss > CHANGED and self.left.get(site) != (self.best[site], wanted.get(site, EMPTY))
        ]

    def _differs(self, sites: Iterable[str], wanted: Mapping[str, Look]) -> dict[str, float]:
        """Sites where the picture speaks against ``wanted``, and by how much."""
        found: dict[str, float] = {}
        for site in sites:
            if (belief := self.beliefs.get(site)) is None:
                continue
            want, seen = wanted.get(site, EMPTY), self.best[site]
            if want != seen and (loss := belief.score(seen) - belief.score(want)) > 0.0:
                found[site] = loss
        return found

    def weighed(self, node: Node) -> Node:
        """``node`` with what its state wants to lie where, and what the picture says to that."""
        # Searches come by the same position, and behind as many moves by the same ones.
        weight = node.at.weights.get(len(node.moves))
        if weight is None:
            weight = node.at.weights[len(node.moves)] = self._weight(node)
        node.wanted, node.losses, node.left, node.lies = weight[:4]
        node.changed, node.begun, likely, node.tolerated, node.covered = weight[4:9]
        node.things, node.apart, node.against, node.untold = weight[9:]
        node.score = likely - node.cost - UNTOLD_THROW * node.untold
        return node

    def _weight(self, node: Node) -> Weight:
        at = self.compared(node.at)
        wanted, best, beliefs = dict(at.looks), self.best, self.beliefs
        losses: dict[str, float] = {}
        kept: dict[str, tuple[Look, Look]] = {}
        things = apart = 0
        begun: list[str] = []
        against = 0.0
        for site, loss in at.differs.items():
            want, seen = wanted.get(site, EMPTY), best[site]
            if self.left.get(site) == (seen, want):
                wanted[site] = seen
                kept[site] = (seen, want)
                continue
            against += loss
            apart += things_apart(want, seen) if loss > CHANGED else 0
            losses[site] = loss
        lies = self._may_lie(node, losses, wanted) if losses else {}
        right = [site for site, how in lies.items() if how.right]
        # What is badly seen lies as it should, for all anybody knows.
        tolerated = sum(losses[site] > CHANGED for site in right)
        for site in right:
            kept[site] = (best[site], wanted.get(site, EMPTY))
            wanted[site] = best[site]
            del losses[site]
        doubt, clear = 0.0, {s for s, loss in losses.items() if loss > CHANGED}
        for site in [s for s in losses if beliefs[s].unread or (s in clear and s in self.doubtful)]:
            instead = self._may_lie_as(node, site)
            if instead is not None:
                other, lies[site] = instead
                kept[site] = (best[site], wanted.get(site, EMPTY))
                wanted[site] = other
                doubt += beliefs[site].score(best[site]) - beliefs[site].score(other)
                tolerated += 1
                del losses[site]
        covered, unfinished = 0, 0.0
        for site, loss in list(losses.items()):
            if loss <= CHANGED:
                continue
            things += things_apart(wanted.get(site, EMPTY), best[site])
            if lies.get(site) is Lies.BEGUN:
                unfinished += min(UNFINISHED, loss)
                usual = self.usual.get(site, EMPTY)
                covered += bool(node.moves) and wanted.get(site, EMPTY) not in (usual, EMPTY)
                wanted[site] = best[site]
                begun.append(site)
                del losses[site]
        halfway = TOLERATED * tolerated + unfinished + COVERED * covered + doubt
        changed = [site for site, loss in losses.items() if loss > CHANGED]
        if all(self.may_hide(site, wanted) for site in changed):
            changed = []
        back = node.takeback and not node.moves
        # What was thrown since is not taken back with the moves before it.
        waits = self.dice.waits
        untold = waits(node.state, node.moves) or bool(
            back and (waits(self.match.state, ()) or self.dice.differ(self.match.state, node.state))
        )
        likely = self.top - sum(losses.values()) - halfway
        return Weight(
            wanted, losses, kept, lies, changed, tuple(begun), likely, tolerated, covered,
            things + untold, apart + untold, against, untold,
        )  # fmt: skip

    def may_hide(self, site: str, wanted: Mapping[str, Look]) -> bool:
        """True if a heap has all that is ``wanted`` there, as far as it shows: what is not seen may
        lie below the rest, unless anything else is as likely."""
        belief, heap = self.beliefs[site], self.beliefs[site].heap
        against = heap.against(self.best[site], wanted.get(site, EMPTY)) if heap else inf
        return against < -belief.floor

    def _may_lie(
        self, node: Node, losses: dict[str, float], wanted: dict[str, Look]
    ) -> dict[str, Lies]:
        """Sites of ``losses`` where what lies there may lie for the moment."""
        ask = self.game.inference.may_lie
        found = dict(ask(node.state, losses, self.best, node.moves))
        clear = [site for site, loss in losses.items() if loss > CHANGED]
        right = sum(how.right for how in found.values())
        if right == len(losses) or len(clear) in (0, len(losses)):
            return found
        # What is badly seen may lie as it should, and says nothing against the rest.
        as_wanted = {site: wanted.get(site, EMPTY) for site in losses if site not in clear}
        again = ask(node.state, clear, {**self.best, **as_wanted}, node.moves)
        return found | {site: how for site, how in again.items() if how.right}

    def _may_lie_as(self, node: Node, site: str) -> tuple[Look, Lies] | None:
        """A look that may lie there for the moment, if what is badly seen is that."""
        belief, seen = self.beliefs[site], self.best[site]
        for look, score in belief.looks.items():
            if look == seen or belief.score(seen) - score >= MARGIN:
                continue
            board = {**self.best, site: look}
            how = self.game.inference.may_lie(node.state, {site}, board, node.moves).get(site)
            if how is not None and how.right:
                return look, how
        return None

    def _other_boards(self) -> Iterator[Board]:
        """Boards on which badly seen pieces are those of the record, and others on which one of the
        other doubtful sites does not look as it seems."""
        usual = {site: self.usual[site] for site in self.doubtful if site in self.usual}
        kept = {site: look for site, look in usual.items() if look in self.beliefs[site].looks}
        board = {**self.best, **kept}
        if board != self.best:
            yield board
        doubtful = (s for s in sorted(self.doubtful) if board[s] == self.best[s])
        for site in islice(doubtful, MAX_OTHER_BOARDS):
            belief = self.beliefs[site]
            seen = self.best[site]
            others = [look for look in belief.looks if not _same_things(look, seen)]
            most = max(belief.looks[look] for look in others)
            likeliest = [look for look in others if belief.looks[look] == most]
            for look in likeliest if belief.unread else likeliest[:1]:
                yield {**board, site: look}


def _that_count(sites: Mapping[str, SiteBelief], match: Match) -> Mapping[str, SiteBelief]:
    """The camera's beliefs without its doubt whether what lies at a pile or before a player
    is a supply: where the record has something, what lies there is part of the match."""
    told = {}
    layout = match.layout
    shown = {item.site for item in layout if item.seen}
    unseen = {(item.site, item.kind) for item in layout if not item.seen}
    for site in {item.site for item in layout}.intersection(sites):
        belief = sites[site]
        best = belief.best
        if best and belief.score(best) - belief.score(EMPTY) < MARGIN:
            things = {look: score for look, score in belief.looks.items() if look}
            if site not in shown and all((site, glimpse.kind) in unseen for glimpse in best):
                things = {EMPTY: 0.0}  # A pile whose looks the rules want to know nothing of.
            told[site] = replace(belief, looks=things)
    return {**sites, **told} if told else sites


def in_doubt(belief: SiteBelief) -> bool:
    """True if other things are about as likely to lie here as those of the best look. More or fewer
    of a heap are no other things."""
    if belief.occluded or len(belief.looks) < 2:
        return False
    best = belief.best
    return any(
        not _same_things(best, look)
        and not (belief.heap and best and look and (within(look, best) or within(best, look)))
        for look in _as_likely(belief)
    )


def _as_likely(belief: SiteBelief) -> Iterator[Look]:
    """Looks that are about as likely as the best one, with that."""
    most = belief.score(belief.best)
    return (look for look, score in belief.looks.items() if most - score < MARGIN)


def _is_certain(belief: SiteBelief) -> bool:
    """True if the picture speaks clearly against everything but the best look."""
    if belief.occluded or belief.unread or belief.heap:
        return False
    best = belief.best
    others = (score for look, score in belief.looks.items() if look != best)
    return belief.score(best) - max(others, default=belief.floor) > CHANGED


def _same_things(one: Look, other: Look) -> bool:
    """True if two looks differ at most in that one of them does not say how a thing stands."""
    return len(one) == len(other) and all(
        a.kind == b.kind and (a.pose == b.pose or not a.pose or not b.pose)
        for a, b in zip(one, other, strict=True)
    )


def things_apart(one: Look, other: Look) -> int:
    """Number of things that would have to be put down or taken away to make one look the other."""
    return lacking(one, other) + lacking(other, one)
