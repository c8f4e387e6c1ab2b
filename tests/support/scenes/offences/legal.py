"""The search for legal moves that explain what lies on a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any

from rules.core import Move
from rules.match import Match
from rules.reading.sighting import EMPTY, Look, looks

MOST_LEGAL = 300
"""Positions that are looked at for a legal explanation."""
LONGEST_LEGAL = 5
"""Moves of a legal explanation that is looked for."""

Lying = Mapping[str, Look]


def may_lie(match: Match, lying: Lying) -> bool:
    """True if all may lie so in ``match``."""
    return not _left(match, match.state, (), lying, differing(looks(match.layout), lying))


def _left(
    match: Match, state: Any, moves: Sequence[Move], lying: Lying, changed: set[str]
) -> set[str]:
    """The ``changed`` sites that look otherwise than they may, by the game's own word,
    behind ``moves``."""
    if changed:
        lies = match.game.inference.may_lie(state, changed, Board(lying), moves)
        changed -= {site for site, how in lies.items() if how.right}
    return changed


class Board(dict[str, Look]):
    """The pieces at each site; nothing lies at all others."""

    def __missing__(self, site: str) -> Look:
        return EMPTY


class _Position:
    """A position behind ``match``: what is worked out for one picture serves the next."""

    def __init__(self, match: Match, state: Any, ply: int) -> None:
        self.match, self.state, self.ply = match, state, ply
        self.lying = looks(state.layout())
        self._after: dict[Move, _Position] = {}

    @cached_property
    def moves(self) -> list[tuple[Move, frozenset[str]]]:
        """The legal moves and the sites that each of them touches."""
        return [(m, frozenset(self.state.touches(m))) for m in self.state.legal_moves()]

    @cached_property
    def key(self) -> str:
        """Equal for equal positions."""
        return str(self.state.to_json())

    def after(self, move: Move) -> _Position:
        """The position after ``move`` and what follows from it by itself."""
        found = self._after.get(move)
        if found is None:
            state = self.state.clone()
            state.apply(move)
            while (dealt := self.match.chance.answer(state, self.ply + 1)) is not None:
                state.apply(dealt)
            found = self._after[move] = _Position(self.match, state, self.ply + 1)
        return found


@lru_cache(maxsize=8)
def _position(match: Match) -> _Position:
    return _Position(match, match.state.clone(), match.ply)


def explained(match: Match, lying: Lying) -> bool:
    """True if legal moves lead there, or beyond it on the same way; each touches a site that
    differs, or none."""
    root = _position(match)
    new = {site: lying.get(site, EMPTY) for site in differing(lying, root.lying)}
    frontier: list[tuple[int, _Position, tuple[Move, ...]]] = [(len(new), root, ())]
    looked_at = 0
    seen: set[str] = set()
    for depth in range(LONGEST_LEGAL):
        reached: list[tuple[int, _Position, tuple[Move, ...]]] = []
        for before, here, moves in frontier:
            changed = differing(here.lying, lying)
            for move, touched in here.moves:
                if touched and changed.isdisjoint(touched):
                    continue
                looked_at += 1
                if looked_at > MOST_LEGAL:
                    return False
                after = here.after(move)
                if all(after.lying.get(site, EMPTY) == look for site, look in new.items()):
                    return True
                odd = differing(after.lying, lying)
                left = len(_left(match, after.state, (*moves, move), lying, odd))
                if not left:
                    return True
                if left <= before + (depth == 0) and after.key not in seen:
                    seen.add(after.key)
                    reached.append((left, after, (*moves, move)))
        reached.sort(key=itemgetter(0))
        frontier = reached[:40]
    return False


def told_anew(match: Match, lying: Lying) -> bool:
    """True if other legal moves in the last turn, or at its end, seen late, explain it: nobody can
    be told off."""
    return any(explained(before, lying) for before in _earlier(match))


@lru_cache(maxsize=16)
def _earlier(match: Match) -> tuple[Match, ...]:
    """The match before the end of the last turn, and before all of it."""
    before, found = match.clone(), list[Match]()
    last: int | None = None
    ends = 0
    while before.ply and (last is None or before.log[-1].move.player in (last, None)):
        undone = before.pop()
        last = undone.player if last is None else last
        ends += undone.player is not None
        if ends == 1 and undone.player is not None:
            found.append(before.clone())
    return (*found, before) if ends > 1 else tuple(found)


def differing(one: Lying, other: Lying) -> set[str]:
    """Sites that look different."""
    unlike = {site for site, _ in one.items() ^ other.items()}
    return {site for site in unlike if one.get(site, EMPTY) != other.get(site, EMPTY)}
