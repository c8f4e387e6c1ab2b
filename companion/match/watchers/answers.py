"""The call to those whose answers to one question to all are awaited."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile

from rules.core import Call
from rules.match import Match

AWAITED = "awaited"


def awaited(match: Match, computers: Collection[int]) -> tuple[tuple[int, Call], ...]:
    """The call to the people who are to answer still, if several are asked at once; with the number
    of moves before they were. ``computers``: seats that nobody waits for."""
    prompt = match.prompt
    if prompt is None or len(people := set(prompt.together).difference(computers)) < 2:
        return ()
    seats = tuple(seat for seat in prompt.together if seat in people and prompt.awaits(seat))
    # Whoever thinks again is not called out anew.
    answers = takewhile(lambda one: one.move.player in prompt.together, reversed(match.log))
    since = match.ply - sum(1 for _ in answers)
    return ((since, Call(AWAITED, seats, hands=False, sign="◷")),) if seats else ()
