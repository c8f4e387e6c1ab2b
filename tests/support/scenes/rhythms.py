"""One match seen in several rhythms: once a turn, after each step, or twice a second."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from companion.journal.entries import Header
from companion.match.events import Refused
from rules.core import Actor, Move
from rules.games import find_game
from rules.match import Match
from tests.support.scenes.evenings.evening import CALM_S, Evening, Turns, turns_of_a_match
from tests.support.scenes.evenings.judge import Verdict, judge
from tests.support.scenes.evenings.situations import place_by_place, step_by_step, turn
from tests.support.scenes.evenings.truth import decided, same, says_the_same


class Rhythm(StrEnum):
    """Frequency of the camera's looks at a match."""

    TURN = "once a turn"
    STEP = "after each step"
    OFTEN = "every half second"


@dataclass(slots=True)
class Kept:
    """A match that was seen in one rhythm."""

    turns: int = 0
    differences: list[str] = field(default_factory=list)
    """Turns after which the record was not what was played."""
    accused: int = 0
    asked: int = 0
    entered: int = 0
    """Moves without a trace that people had to enter."""


def kept_record(game_id: str, players: int, seed: int, rhythm: Rhythm, *, limit: int = 120) -> Kept:
    """The record of a random match that the camera sees in one rhythm.

    Questions are answered truthfully, and what nobody can see is entered by touch once the turn is
    over. After a difference, or cards that nobody saw, the record begins anew with the truth.
    """
    game = find_game(game_id)
    options = game.complete_options(players, {})
    header = Header(
        id="rhythm", game=game_id, players=players, options=options, physical=True,
        seed=str(seed), names=(), enforcement="enforce", created_s=0.0,
    )  # fmt: skip
    kept = Kept()
    evening: Evening | None = None
    try:
        for at in turns_of_a_match(game_id, players, seed, options, header):
            if at.before.ply > limit:
                break
            if evening is None:
                evening = Evening(at.before, header)
                if not evening.begun_right:
                    evening.close()
                    evening = None
                    continue
                evening.look(2.0)
            kept.turns += 1
            said, begun = len(evening.said), decided(evening.table.match)
            evening.begun = begun
            _hands(evening, at, rhythm)
            evening.look(CALM_S)
            kept.asked += judge(evening, at, at.first) in (Verdict.TOLD, Verdict.ASKED)
            kept.accused += any(isinstance(e, Refused) for _, e in evening.said[said:])
            kept.entered += _enter_the_rest(evening, at, begun)
            del evening.said[:]
            as_played = _as_played(evening.table.match, at.first)
            if not as_played:
                kept.differences.append(f"ply {at.before.ply}")
            if not (as_played and same(evening.table.match, at.first)):
                # Cards that nobody saw are no difference, and none is built upon them.
                evening.close()
                evening = None
    finally:
        if evening is not None:
            evening.close()
    return kept


def _hands(evening: Evening, at: Turns, rhythm: Rhythm) -> None:
    match rhythm:
        case Rhythm.TURN:
            turn(evening, at)
        case Rhythm.STEP:
            step_by_step(evening, at)
        case Rhythm.OFTEN:
            at = Turns(at.before, at.turns, at.header, Random(at.before.ply))
            place_by_place(evening, at)


def _as_played(record: Match, truth: Match) -> bool:
    """True if a record is the same for all who play on, whatever the order and whatever card in it
    nobody saw."""
    if same(record, truth):
        return True
    followed = truth.clone()
    followed.follow()  # What follows by itself may be in the record already.
    return any(says_the_same(record, match) for match in (truth, followed))


def _enter_the_rest(evening: Evening, at: Turns, begun: Counter[Move]) -> int:
    """Enter what is missing of the first turn and leaves no trace; returns the number of moves.

    ``begun``: the decisions that the record held when the turn began.
    """
    truth, entered = at.first, 0
    for move in _missing(evening.table.match, at, begun):
        match, decided = evening.table.match, move.actor is Actor.PLAYER
        if match.why_not(move) or (decided and _as_played(match, truth)):
            continue
        entered += decided
        evening.touch(move)
    if entered:
        evening.look(CALM_S)
    return entered


def _missing(record: Match, at: Turns, begun: Counter[Move]) -> list[Move]:
    """The decisions of the turn that ``record`` lacks, and what chance brought in it.

    Of the turns before it nothing is missing: what the record has otherwise there is as good.
    """
    turn = at.first.log[at.before.ply :]
    lacks = Counter(e.move for e in turn if e.move.actor is Actor.PLAYER)
    lacks -= decided(record) - begun
    found: list[Move] = []
    for entry in reversed(turn):
        move = entry.move
        if lacks[move] > 0 or move.actor is not Actor.PLAYER:
            found.insert(0, move)
            lacks[move] -= 1
    return found
