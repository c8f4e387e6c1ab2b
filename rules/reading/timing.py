"""Hands need time: what the clock cannot hold is no explanation.

Only what shows proves that hands had the time for it. A step whose trace is gone again, and a
turn of which nothing shows, need time of their own: that of the hands since the table last lay as
recorded, and for what people only say, that since the last entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from rules.core import Actor
from rules.match import Match
from rules.reading.explaining import Explanations
from rules.reading.weighing import Node

HURRY = 1.5
"""… and each second that hands did not have for what they are said to have done …"""
MOST_HURRY_S = 1.0
"""… of which this many are possible at most."""
SILENT_TURN = 2.0
"""Cost of a whole turn of somebody else that left no trace."""
TURN_S = 3.0
"""Least time of such a turn."""
GONE_S = 2 * TURN_S - MOST_HURRY_S
"""Least time of hands for a piece that went there and, in a further turn of its player, back."""
CHANGED_S = 0.5
"""Least time of hands for each thing that was put down or taken up; a piece that moved was both."""
UNSEEN_S = 1.0
"""… if nobody saw those hands."""


@dataclass(slots=True)
class _Turn:
    """Moves in a row by one player."""

    player: int | None
    seconds: float = 0.0
    """Least time of its steps."""
    shows: bool = False
    """True if something of it can be seen."""
    to_and_fro: bool = False
    """True if it put down something that is gone again."""
    answers: bool = True
    """True if all of it belongs to the turn of somebody else."""


def in_time(known: Explanations, node: Node) -> bool:
    """True if hands had the time for its moves; what they lack of it counts against it."""
    hands_s, turns_s, node.silent_turns = _least_s(known, node)
    # What has changed took its time, whether or not anybody saw the hands.
    hands_seen = known.since.hands_s >= CHANGED_S
    each_s = CHANGED_S if hands_seen else UNSEEN_S
    had_s = max(known.since.hands_s, each_s * known.start.apart)
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
    differ = known.otherwise(node.takeback) | known.unread
    hands_s: defaultdict[int | None, float] = defaultdict(float)
    turns_s, silent, node.given_away = 0.0, 0, False
    turns = _turns_of(known, node, differ)
    for number, turn in enumerate(turns):
        # Whoever is in turn has had the time before; a word ends nothing but a turn.
        if number == 0 or turn.shows or turn.answers:
            hands_s[turn.player] += turn.seconds
        elif turn.seconds or number < len(turns) - 1:
            if turn.to_and_fro:
                hands_s[turn.player] += max(turn.seconds, TURN_S)
            turns_s += max(turn.seconds, TURN_S)
            silent += 1
            node.given_away = node.given_away or not turn.seconds
    node.seconds = sum(turn.seconds for turn in turns)
    unseen = any(turn.seconds and not turn.shows for turn in turns[:-1])
    node.hurried = unseen and known.since.elapsed_s < TURN_S * len(turns)
    node.given_away = node.given_away or (node.hurried and silent > 0)
    # That others lie right if somebody passed shows nothing of a pass.
    quiet = [not (turn.shows or turn.seconds) for turn in turns]
    if any(quiet[:1]):
        begun = turns[0].player == _begun_by(known.match, node.takeback)
        node.given_away = node.given_away or all(quiet) or not begun
    if known.hidden and not node.hidden:
        node.hidden = _may_have_hidden(known, node)
    return max(hands_s.values(), default=0.0), turns_s, silent


def _may_have_hidden(known: Explanations, node: Node) -> bool:
    """True if a player who is said to have passed may have done something below what hides it."""
    at = known.before(node.takeback)
    begun = _begun_by(known.match, node.takeback)
    for move in node.moves:
        if move.actor is Actor.PLAYER:
            passed = move.verb == "done" and move.player != begun
            if passed and any(not known.hidden.isdisjoint(at.touches(m)) for m in at.legal):
                return True
            begun = None if move.verb == "done" else move.player
        at = at.after(move)
    return False


def _begun_by(match: Match, takeback: int) -> int | None:
    """The player who has done something in the turn with which the record ends."""
    moves = [entry.move for entry in match.log[: match.ply - takeback]]
    last = next((move for move in reversed(moves) if move.actor is Actor.PLAYER), None)
    return None if last is None or last.verb == "done" else last.player


def _turns_of(known: Explanations, node: Node, differ: AbstractSet[str]) -> list[_Turn]:
    """The moves of ``node`` by who made them; ``differ``: sites that have changed, or where
    something unread lies."""
    at = known.before(node.takeback)
    found: list[_Turn] = []
    for move in node.moves:
        thrown = known.dice.throws(at.state, move)
        if thrown or move.actor is not Actor.DEALER:
            # What a disc does belongs to the turn in which it was rolled, and so do dice.
            player = move.player if move.actor is Actor.PLAYER else at.state.turn_of()
            if thrown and (asked := at.state.prompt()) is not None:
                player = asked.player
            if not found or found[-1].player != player:
                found.append(_Turn(player))
            turn = found[-1]
            touched = at.touches(move)
            shows = thrown or not differ.isdisjoint(touched)
            turn.shows = turn.shows or shows
            if not thrown:
                turn.to_and_fro = turn.to_and_fro or bool(touched)
                turn.answers = turn.answers and (move.player is None or at.state.is_answer(move))
                turn.seconds += at.seconds(move)
        at = at.after(move)
    return found
