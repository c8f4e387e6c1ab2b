"""Checks that a match that is over is over, and that its record leads there again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, pairwise, product
from typing import Any

from rules.core import Game, Move, Outcome
from rules.match import Entry, Match
from rules.testing.declarations import check_series
from rules.testing.report import Report, canonical, fault
from rules.testing.texts import Proofreader

BACK = 40
"""Number of moves that are taken back from the end."""


def check_end(
    game: Game[Any], match: Match, tellers: Sequence[Proofreader], where: str, report: Report
) -> None:
    """Ranking, scores, words, and that nothing goes on."""
    outcome, state = match.outcome, match.state
    assert outcome is not None
    report.outcomes[outcome.reason] += 1
    report.sites |= {item.site for item in state.layout()}
    if sorted(seat for group in outcome.ranking for seat in group) != list(range(match.players)):
        report.add(
            f"{where}: the ranking {outcome.ranking} does not name every seat once",
            "Put each seat into one group of the ranking",
        )
    if outcome.scores != tuple(state.scores()):
        report.add(
            f"{where}: the outcome's scores are {outcome.scores}, not {state.scores()}",
            "Take the scores of an outcome from scores",
        )
    won = outcome.ranking[0]
    if game.counts_points and len(outcome.ranking) > 1:
        most, least = (
            max((outcome.scores[seat] for seat in group), default=0)
            for group in (outcome.ranking[0], outcome.ranking[-1])
        )
        report.habits.ranked += most != least
        report.habits.ranked_up += most > least
    count_result(game, outcome, report)
    if problem := _misranked(game, outcome):
        report.add(
            f"{where}: {problem}",
            "Rank by the points, as ranked does, or set most_points_win = False",
        )
    told = [points not in (0, int(seat in won)) for seat, points in enumerate(outcome.scores)]
    report.pointed |= any(told)
    if state.prompt() is not None or state.legal_moves():
        report.add(
            f"{where}: the match is over, but somebody is asked",
            "Let prompt return None, and moves nothing, once there is an outcome",
        )
    for problem in state.problems():
        report.add(f"{where}, at the end: {problem}", "Mend apply, or the invariant")
    check_series(game, outcome, where, report)
    _check_asking(game, state, where, report)
    for teller in tellers:
        if len(outcome.ranking) > 1 and outcome.reason not in game.lost_together:
            said = teller.written("outcomes", outcome.reason)
            if "{winner" not in said:
                report.hint(
                    f"{teller.lang}: outcomes.{outcome.reason} does not say who has won",
                    "Say {winner} or {winners}, or let all be equal in the ranking",
                )
    if len(outcome.ranking[0]) > 1:
        for teller in tellers:
            if "{winner}" in teller.written("outcomes", outcome.reason):
                one = f"{teller.lang}: outcomes.{outcome.reason} names one winner of several"
                report.add(f"{where}: {one}", "Say {winners}, or name nobody")
    count_rank(match, where, report)
    last = match.log[-1].move
    objections = state.violations(last)
    if not objections:
        report.add(
            f"{where}: after the end '{last}' is not objected to",
            "Let violations object to every move once there is an outcome",
        )
    for objection in objections[:1]:
        report.objections[objection.code] += 1
        report.cited.add(objection.rule)
        for teller in tellers:
            report.tell(where, partial(teller.objection, objection))
    for teller in tellers:
        report.tell(where, partial(teller.outcome, outcome))


def _misranked(game: Game[Any], outcome: Outcome) -> str:
    """The fault of a ranking by points; empty if it has none."""
    if not (game.counts_points and game.most_points_win):
        return ""
    if outcome.reason in game.lost_together:
        return ""
    by_group = [[outcome.scores[seat] for seat in group] for group in outcome.ranking]
    fine = all(min(better) >= max(worse) for better, worse in pairwise(by_group))
    return "" if fine else f"the ranking {outcome.ranking} is not that of {outcome.scores}"


def count_result(game: Game[Any], outcome: Outcome, report: Report) -> None:
    """Count who wins, who has points, and who is ahead of whom with as many."""
    habits, groups = report.habits, outcome.ranking
    for seat in chain.from_iterable(groups if len(groups) > 1 else ()):
        habits.hoped[seat] += 1 / len(groups)
        habits.won[seat] += seat in groups[0]
    if not game.counts_points:
        return
    for seat, points in enumerate(outcome.scores if any(outcome.scores) else ()):
        habits.scored[seat] += 1
        habits.nought[seat] += not points
    for better, worse in combinations(outcome.ranking, 2):
        for one, other in product(better, worse):
            if outcome.scores[one] == outcome.scores[other]:
                report.habits.ties[one < other] += 1


def _check_asking(game: Game[Any], state: Any, where: str, report: Report) -> None:
    """Screens ask on when a match is over."""
    hooks: Mapping[str, Callable[[], object]] = {
        "hinted_moves": state.hinted_moves,
        "obliged": state.obliged,
        "turn_of": state.turn_of,
        "market": partial(game.touch.market, state),
    }
    for name, hook in hooks.items():
        try:
            hook()
        except Exception as error:  # whatever it is, it is the finding
            told = f"{name} fails when the match is over: {fault(error)}"
            report.add(f"{where}: {told}", "Let it answer for every position")


def count_rank(match: Match, where: str, report: Report) -> None:
    """Note the rank of a match that is over: best lists sort by it."""
    achievement = match.state.achievement()
    if achievement is None or match.outcome is None:
        return
    if not achievement.rank or not all(isinstance(figure, int) for figure in achievement.rank):
        told = f"the achievement has the rank {achievement.rank}"
        report.add(f"{where}: {told}", "Give it whole numbers, the smaller the better")
        return
    ranks = report.habits.ranks.setdefault(achievement.list, {})
    ranks.setdefault(match.outcome.reason in match.game.lost_together, []).append(achievement.rank)


def check_log(game: Game[Any], match: Match, where: str, report: Report) -> None:
    """The record replays, the end is reached again from before, and a set-up is like the other."""
    final = canonical(match.state.to_json())
    stored = json.loads(json.dumps(match.dump()))
    again = match.begun()
    start = canonical(again.state.to_json())
    again.replay([Entry(Move.parse(text)) for text in stored["moves"]])
    if canonical(again.state.to_json()) != final:
        report.add(
            f"{where}: the log does not replay to the same position",
            "Let apply depend on the state and the move alone, and keep nothing in the game",
        )
    half = match.begun()
    half.replay([Entry(Move.parse(text)) for text in stored["moves"][: len(stored["moves"]) // 2]])
    position = game.from_json(json.loads(canonical(half.state.to_json())))
    for text in stored["moves"][len(stored["moves"]) // 2 :]:
        position.apply(Move.parse(text))
    if position.outcome() != match.outcome:
        report.add(
            f"{where}: stored half-way and read back, the match ends otherwise",
            "Let to_json write every field, and read take over each of them",
        )
    undone = match.clone()
    steps = min(len(undone.log), BACK)
    for _ in range(steps):
        undone.pop()
    for _ in range(steps):
        undone.redo()
    if canonical(undone.state.to_json()) != final:
        report.add(
            f"{where}: undo and redo do not come back to the end",
            "Let clone copy everything that apply changes",
        )
    fresh = match.beginning()
    if canonical(fresh.to_json()) != start:
        report.add(
            f"{where}: two set-ups differ", "Let setup make a new state each time, without chance"
        )
