"""Hands need time: what the clock cannot hold is no explanation.

Only what shows proves that hands had the time for it. A step whose trace is gone again, and a
turn of which nothing shows, need time of their own: that of the hands since the table last lay as
recorded, and for what people only say, that since the last entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from rules.core import Actor, Move
from rules.match import Match
from rules.reading.explaining import Explanations, Node
from rules.reading.sighting import EMPTY, looks

HURRY = 1.5
"""… and each second that hands did not have for what they are said to have done …"""
MOST_HURRY_S = 1.0
"""… of which this many are possible at most."""
SILENT_TURN = 2.0
"""Somebody else's whole turn left no trace."""
TURN_S = 3.0
"""Least time of such a turn."""
CHANGED_S = 1.0
"""Time that hands had at least for each thing that was put down or taken up."""


@dataclass(slots=True)
class _Turn:
    """Moves in a row by one player."""

    player: int | None
    moves: list[Move] = field(default_factory=list)
    seconds: float = 0.0
    """Least time of its steps."""
    shows: bool = False
    """True if something of it can be seen."""


def in_time(known: Explanations, node: Node) -> bool:
    """True if hands had the time for its moves; what they lack of it counts against it."""
    hands_s, turns_s, node.silent_turns = _least_s(known, node)
    # What has changed took its time, whether or not anybody saw the hands.
    had_s = max(known.since.hands_s, CHANGED_S * known.start.apart)
    missing = max(hands_s - had_s, 0.0) + max(turns_s - known.since.elapsed_s, 0.0)
    if missing > MOST_HURRY_S:
        return False
    cost = HURRY * missing + SILENT_TURN * node.silent_turns
    node.cost += cost
    node.score -= cost
    return True


def _least_s(known: Explanations, node: Node) -> tuple[float, float, int]:
    """The least time in seconds that the busiest hands need for the steps of ``node``, and
    that others need for turns of which nothing shows, be it to pass; the number of these."""
    wanted = looks(_root_state(known.match, node).layout())
    differ = {s for s, look in known.best.items() if look != wanted.get(s, EMPTY)}
    hands_s: defaultdict[int | None, float] = defaultdict(float)
    turns_s, silent, node.given_away = 0.0, 0, False
    turns = _turns_of(known, node, differ)
    for number, turn in enumerate(turns):
        # Whoever is in turn has had the time before; a word ends nothing but a turn.
        if number == 0 or turn.shows or not known.game.inference.turns(turn.moves):
            hands_s[turn.player] += turn.seconds
        elif turn.seconds or number < len(turns) - 1:
            turns_s += max(turn.seconds, TURN_S)
            silent += 1
            node.given_away = node.given_away or not turn.seconds
    return max(hands_s.values(), default=0.0), turns_s, silent


def _turns_of(known: Explanations, node: Node, differ: Collection[str]) -> list[_Turn]:
    """The moves of ``node`` by who made them; ``differ``: sites that have changed."""
    state = _root_state(known.match, node).clone()
    found: list[_Turn] = []
    for move in node.moves:
        if move.actor is Actor.PLAYER:
            if not found or found[-1].player != move.player:
                found.append(_Turn(move.player))
            turn = found[-1]
            shows = not set(differ).isdisjoint(state.touches(move))
            turn.moves.append(move)
            turn.shows = turn.shows or shows
            turn.seconds += known.game.inference.seconds(state, move)
        state.apply(move)
    return found


def _root_state(match: Match, node: Node) -> Any:
    trial = match
    if node.takeback:
        trial = trial.clone()
        for _ in range(node.takeback):
            trial.pop()
    return trial.state
