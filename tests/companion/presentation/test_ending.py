"""The end of a match: who is honoured, the rows of points, and what decided it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.presentation.boxes import game_box
from companion.presentation.ending import Ending, ending_of
from companion.presentation.words.sentences import teller_of
from rules.box import PieceKind, Stroke
from rules.core import Outcome, ScoreLine
from rules.games import find_game, game_ids
from rules.match import Match
from rules.testing.playout import random_match
from tests.support.ui_harness import view_of

NAMES = ("Anna", "Ben", "Clara", "David", "Emma")


def ended(
    game: str, reason: str, ranking: Sequence[Sequence[int]], scores: Sequence[int],
    *lines: ScoreLine, lang: str = "en",
) -> Ending:  # fmt: skip
    """The end of a match that went so."""
    outcome = Outcome(reason, tuple(map(tuple, ranking)), tuple(scores))
    players = max(len(scores), min(find_game(game).players))
    outcome = replace(outcome, scores=(*scores, *(0,) * (players - len(scores))))
    view = view_of(Match(find_game(game), players), outcome=outcome)
    view = replace(view, names=NAMES[:players])
    return ending_of(view, lines, teller_of(view, lang))


def circle(seat: int, points: int, shape: str, name: str = "K21") -> ScoreLine:
    return ScoreLine(seat, "circle", points, (("shape", shape), ("circle", name)))


DOLMENS = (
    ScoreLine(0, "start", 4), ScoreLine(1, "start", 4),
    circle(0, 15, "square", "K27"), circle(1, 20, "square", "K27"),
    circle(0, 20, "octagon"), circle(0, 10, "octagon", "K22"), circle(1, 8, "octagon"),
    ScoreLine(1, "refused", -3),
)  # fmt: skip


def test_lines_told_alike_are_one_row_and_rows_add_up_to_the_points() -> None:
    ending = ended("dolmengoetter", "last_stone", [[0], [1]], [49, 29], *DOLMENS)
    assert [(row.label, row.points) for row in ending.rows] == [
        ("Start", (4, 4)), ("Squares", (15, 20)), ("Octagons", (30, 8)), ("Empty places", (0, -3)),
    ]  # fmt: skip
    assert ending.counted(len(ending.rows)) == ending.scores == (49, 29)
    assert [ending.counted(n) for n in range(3)] == [(0, 0), (4, 4), (19, 24)]


def test_the_row_with_the_greatest_lead_over_the_next_decided_it() -> None:
    ending = ended("dolmengoetter", "last_stone", [[0], [1]], [49, 29], *DOLMENS)
    assert ending.row == 2
    assert ending.decided == "Octagons: 30 points, 22 more than Ben; one alone brought 20."
    assert isinstance(ending.sign, Stroke) and ending.sign.role == "octagon"
    assert (ending.winners, ending.ahead) == ((0,), "20 points ahead of Ben")
    assert ending.reason == "The last stone has been placed."


TOGETHER = ("all_gates_scored", "out_of_discs")


@pytest.mark.parametrize(
    ("game", "reason", "ranking", "scores", "decided", "ahead"),
    [
        # Whoever reaches the goal has won by that, whatever rows say.
        ("knizia_stonehenge", "eighth_megalith", [[1], [0]], [7, 8],
         "The eighth megalith stands.", "1 point ahead of Anna"),
        ("hoher_rat", "block", [[1, 3], [0, 2]], [2, 18, 2, 18],
         "Sixteen side by side: the council has decided.", "16 points ahead"),
        # The last one in the race wins, with however few points.
        ("trilithen_knallen", "simple_victory", [[1], [0, 2]], [9, 4, 2],
         "Nobody else is left in the race.", ""),
        # Between equal points the game's own rule decides, or nothing.
        ("dominion", "provinces", [[1], [0]], [12, 12],
         "Equal points: fewer turns decide for Ben.", ""),
        ("dominion", "provinces", [[0, 1], [2]], [9, 9, 5],
         "Equal points: Anna and Ben share the victory.", "4 points ahead of Clara"),
        ("dominion", "provinces", [[0, 1]], [9, 9],
         "Equal points: Anna and Ben share the victory.", ""),
        ("rollende_steine", "all_gates_scored", [[0, 1]], [3, 2],
         "All five gates have been passed.", ""),
        ("rollende_steine", "all_gates_scored", [[0]], [5],
         "All five gates have been passed.", ""),
    ],
)  # fmt: skip
def test_what_decided_it_where_no_row_did(
    game: str, reason: str, ranking: list[list[int]], scores: list[int], decided: str, ahead: str
) -> None:
    ending = ended(game, reason, ranking, scores)
    assert (ending.decided, ending.row, ending.ahead) == (decided, None, ahead)
    assert ending.winners == tuple(ranking[0])


def test_nobody_is_honoured_for_a_match_that_all_have_lost() -> None:
    ending = ended("rollende_steine", "out_of_discs", [[0, 1, 2]], [1, 0, 1])
    assert (ending.winners, ending.order) == ((), (0, 1, 2))
    assert ending.title == "Lost together"


@pytest.mark.parametrize(
    ("game", "line", "kind"),
    [
        ("dominion", ScoreLine(0, "cards", 6, (("number", 1), ("card", "province"))), "province"),
        ("opferroulette", ScoreLine(0, "crushed", 1, (("number", 1), ("colour", "green"))),
         "disc green"),
        ("opferroulette", ScoreLine(0, "kept", 4, (("piece", "disc"), ("number", 2))),
         "disc white"),
        ("erbaut_stonehenge", ScoreLine(0, "block", 4, (("piece", "bar"), ("count", 4))),
         "bar white"),
    ],
)  # fmt: skip
def test_a_row_has_the_piece_that_it_is_about(game: str, line: ScoreLine, kind: str) -> None:
    reason = find_game(game).outcomes[0]
    ending = ended(game, reason, [[0], [1]], [line.points, 0], line)
    (row,) = ending.rows
    assert isinstance(row.sign, PieceKind) and row.sign.id == kind


QUICK = ("dolmengoetter", "knizia_stonehenge", "rollende_steine")


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=() if game in QUICK else pytest.mark.thorough)
        for game in sorted(game_ids())
    ],
)
def test_no_row_is_called_by_a_code_that_is_printed_nowhere(game: str) -> None:
    found = find_game(game)
    match = [*random_match(found, found.players[0], {}, 3)][-1][0]
    assert match.outcome is not None
    for lang in ("de", "en"):
        ending = ending_of(
            view_of(match), match.state.explain_scores(), teller_of(view_of(match), lang)
        )
        assert ending.counted(len(ending.rows)) == match.scores
        codes = set(game_box(game).sites) - {str(number) for number in range(100)}
        told = [*(row.label for row in ending.rows), ending.decided]
        assert not codes & {word.strip(".,:") for words in told for word in words.split()}
