"""Matches of any game that were played to their end, as recordings."""

from __future__ import annotations

from random import Random

from companion.journal.entries import Header
from companion.journal.events import Event, MovePlayed, Source
from companion.match.looking_back.history import Recording
from rules.match import Match

BEGAN_S = 1_790_000_000.0
LONGEST = (
    "Bartholomäus-Ø",
    "Maximiliane 中村",
    "Kunigunde-Luise",
    "Ödön von Horváth",
    "Wilhelmine 😀",
)


def recording(game: str, players: int, names: tuple[str, ...] = (), seed: int = 1) -> Recording:
    """A match that was played to its end, a move each 10 s and an hour's break in the middle."""
    match, random = Match(game, players, seed="s"), Random(seed)
    match.deal()
    while match.outcome is None:
        match.push(match.state.choose(match.legal_moves(), random))
        match.deal()
    header = Header("a1b2c3", game, players, match.options, False, "s", names, "enforce", BEGAN_S)
    half = len(match.log) // 2
    events = [
        Event(n, MovePlayed(e.move, e.forced), Source.TOUCH, BEGAN_S + 10 * n + 7200 * (n > half))
        for n, e in enumerate(match.log, 1)
    ]
    return Recording(header, events)
