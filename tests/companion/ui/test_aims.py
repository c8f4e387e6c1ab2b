"""The aim of a game, the way there, and what cannot be done now, on the play screen."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.match.view import PlayMove
from companion.presentation.table_words import instruction, table_words
from companion.ui.shell import Ways
from rules.match import Match
from rules.telling import Teller
from rules.testing.playout import pick
from tests.companion.ui.conftest import Opened
from tests.support.ui_harness import FakeTable, OnScreen, key, tap_on, texts, tick, view_of, walk


class Shown(OnScreen):
    """A play screen on which everything is open to whoever looks."""

    def __init__(self, match: Match, size: tuple[int, int] = (800, 480)) -> None:
        super().__init__(size, "en")
        from companion.ui.screens.play.screen import PlayScreen

        self.table = FakeTable(match)
        self.posted: list[Any] = []
        ways = Ways(hand=self.table.hand)
        self.put(PlayScreen(self.posted.append, ways, now_s=lambda: 60.0, **self.room), 0)
        assert self.table.view is not None
        self.screen.show(self.table.view)
        tick(2)
        self.screen.uncover()
        tick(2)


def council(players: int, plies: int) -> Match:
    match, chance = Match("hoher_rat", players, seed=3), random.Random(3)
    match.deal()
    while match.ply < plies or match.prompt is None or match.prompt.code != "turn":
        match.push(pick(match.state, match.legal_moves(), chance))
        match.deal()
    return match


def test_one_touch_leads_to_the_aim_and_to_how_points_are_made(opened: Opened[Shown]) -> None:
    shown = opened(Shown(Match("erbaut_stonehenge", 3, seed=1)))
    tap_on(key(shown.screen, "?"))
    tick(2)
    said = texts(shown.screen)
    assert "Build side by side: the most points of glory win." in said
    assert "Dolerite 2" in said


def test_partners_share_a_cell_with_their_way_to_the_end(opened: Opened[Shown]) -> None:
    from companion.ui.widgets.score_strip import ScoreCell

    shown = opened(Shown(council(4, 150)))
    cells = [widget for widget in walk(shown.screen) if isinstance(widget, ScoreCell)]
    cells.sort(key=lambda cell: float(cell.x))
    assert [[player.seat for player in cell.side] for cell in cells] == [[0, 2], [1, 3]]
    assert all(cell.player.way == int(cell.player.score) / 16 for cell in cells)


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_what_cannot_be_done_now_is_dim_and_a_touch_tells_why(
    opened: Opened[Shown], size: tuple[int, int]
) -> None:
    shown = opened(Shown(council(4, 150), size))
    dim = key(shown.screen, "Persuade")
    assert dim.opacity < 1
    tap_on(dim)
    (asked,) = shown.posted
    assert isinstance(asked, PlayMove) and asked.move.verb == "persuade"
    assert shown.table.match.why_not(asked.move)


def test_the_middle_of_a_ring_tells_the_aim_and_arcs_how_far_each_side_is(
    opened: Opened[Shown],
) -> None:
    shown = opened(Shown(council(4, 150)))
    scene, view = shown.screen.board.scene, shown.table.view
    assert view is not None and scene.middle.aim.startswith("Field = seat in the council")
    left, low, right, top = scene.middle.part
    for site in scene.box.sites.values():
        (x, y), reach = site.at, site.radius
        assert not (left < x < right and low < y < top), site.id
        assert abs(x) > right + reach or not low - reach < y < top + reach, site.id
    assert [(len(arc.sites), arc.told) for arc in scene.arcs] == [
        (view.scores[seat], str(view.scores[seat])) for seat in (0, 1) if view.scores[seat]
    ]
    assert [arc.active for arc in scene.arcs].count(True) <= 1


def test_no_player_of_a_line_has_larger_figures_or_a_larger_name(opened: Opened[Shown]) -> None:
    from companion.ui.widgets.score_strip import ScoreCell

    match = Match("erbaut_stonehenge", 4, seed=1)
    match.deal()
    shown = opened(Shown(match))
    assert shown.table.view is not None
    view = replace(shown.table.view, scores=(7, 117, 0, 3), names=("Bo", "Konstantin", "Al", "Di"))
    shown.screen.show(view)
    tick(2)
    cells = [widget for widget in walk(shown.screen) if isinstance(widget, ScoreCell)]
    assert len({cell.score.font_size for cell in cells}) == 1
    assert len({cell.name.font_size for cell in cells}) == 1


@pytest.mark.parametrize(
    ("game", "code", "told"),
    [("dolmengoetter", "stone", "?"), ("trilithen_knallen", "flip", ". Turn up such a card")],
)
def test_across_the_room_an_instruction_says_what_it_is_about(
    game: str, code: str, told: str
) -> None:
    match, chance = Match(game, 3, seed=3), random.Random(3)
    match.deal()
    while match.prompt is None or match.prompt.code != code:
        match.push(pick(match.state, match.legal_moves(), chance))
        match.deal()
    said, title = (
        instruction(table_words(view_of(match), "en")),
        Teller(match.game, "en", match.colours).prompt(match.prompt).title,
    )
    assert said.startswith(title) and said.endswith(told)
