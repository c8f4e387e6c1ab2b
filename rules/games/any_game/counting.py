"""1.2 Points: what entries are worth, and the places that follow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rules.core import Outcome, ScoreLine, ranked
from rules.games.any_game.state import Entry, ScoreState

MOST_LINES = 12
"""Rounds that are told one by one; of more only the sum is."""


def points(state: ScoreState, entry: Entry) -> int:
    """The points of an entry, by its row and by what was bid before."""
    row, bid = state.sheet.row[entry.row], None
    if row.bid:
        said = [
            one.number for one in state.entries
            if (one.seat, one.round, one.row) == (entry.seat, entry.round, row.bid)
        ]  # fmt: skip
        bid = said[-1] if said else 0
    return row.points(entry.number, entry.factor, bid)


def own_lines(state: ScoreState, seat: int) -> list[ScoreLine]:
    """The sources of one player's points: by round if only one row has any, else by row."""
    by_row: dict[str, int] = defaultdict(int)
    by_round: dict[int, int] = defaultdict(int)
    scoring = [row for row in state.sheet.rows("round") if row.scores]
    in_rounds = len(scoring) == 1 and 1 < state.round <= MOST_LINES
    for entry in state.entries:
        if entry.seat == seat:
            by_row[entry.row] += (worth := points(state, entry))
            by_round[entry.round] += worth
    for bonus in state.sheet.bonus.values():
        if sum(by_row[row] for row in bonus.rows) >= bonus.sum:
            by_row[bonus.id] = bonus.points
    told = []
    if in_rounds:
        by_row.pop(scoring[0].id, None)
        by_round.pop(0, None)
        told = [ScoreLine(seat, "round", worth, (("round", n),)) for n, worth in by_round.items()]
    told += [ScoreLine(seat, "row", worth, (("row", row),)) for row, worth in by_row.items()]
    return [line for line in told if line.points]


def own_points(state: ScoreState, seat: int) -> int:
    """The points that one player made."""
    return sum(line.points for line in own_lines(state, seat))


def scores(state: ScoreState) -> tuple[int, ...]:
    own = [own_points(state, seat) for seat in range(state.players)]
    return _by_seat(state, [sum(own[seat] for seat in side) for side in state.sides])


def explain_scores(state: ScoreState) -> list[ScoreLine]:
    told = []
    for side in state.sides:
        for seat in side:
            told += own_lines(state, seat)
            told += [
                ScoreLine(seat, "partner", worth, (("other", other),))
                for other in side if other != seat and (worth := own_points(state, other))
            ]  # fmt: skip
    return told


def reached(state: ScoreState) -> bool:
    head, totals = state.sheet.sheet, scores(state)
    if head.wins == "together":
        totals = (sum(own_points(state, seat) for seat in range(state.players)),)
    return bool(head.target) and max(totals) >= head.target


def outcome(state: ScoreState) -> Outcome | None:
    if state.phase != "over":
        return None
    head, found, everybody = state.sheet.sheet, scores(state), (tuple(range(state.players)),)
    if state.won is not None:
        side = next(side for side in state.sides if state.won[0] in side)
        winners = [seat in side for seat in range(state.players)]
        return Outcome("victory", ranked(winners), found)
    if head.wins == "together":
        return Outcome("reached" if reached(state) else "not_reached", everybody, found)
    ranking = places(state)
    level = ranking == everybody and len(state.sides) > 1
    return Outcome("level" if level else head.wins, ranking, found)


def places(state: ScoreState) -> tuple[tuple[int, ...], ...]:
    """Groups of seats by their points so far, best first; the tie row breaks ties."""
    head, found = state.sheet.sheet, scores(state)
    sign = -1 if head.wins == "fewest" else 1
    ties = _by_seat(state, [
        sum(one.number for one in state.entries if one.row == head.tie and one.seat in side)
        for side in state.sides
    ])  # fmt: skip
    return ranked([(sign * worth, tie) for worth, tie in zip(found, ties, strict=True)])


def _by_seat(state: ScoreState, by_side: Sequence[int]) -> tuple[int, ...]:
    """The same number for all of a side."""
    found = {seat: n for side, n in zip(state.sides, by_side, strict=True) for seat in side}
    return tuple(found[seat] for seat in range(state.players))
