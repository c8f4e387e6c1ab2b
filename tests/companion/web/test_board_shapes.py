"""A board for pages is the board of the screen: the same places, pieces and colours."""

from __future__ import annotations

import json

import pytest

from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.plan import Plan
from companion.presentation.views import public_view
from companion.web.board_shapes import board_of
from companion.web.public_page import LyingBoard, public_page
from rules.games import game_ids
from tests.support.match_views import EVERY_MATCH, views


def board_on(view: TableView) -> LyingBoard:
    return public_page(public_view(view, "m"), "en").board


@pytest.mark.parametrize(("game", "players"), EVERY_MATCH)
def test_every_piece_lies_where_the_screen_draws_it(game: str, players: int) -> None:
    for view in views(game, players)[::8]:
        box, lying = box_of(view), board_on(view)
        left, top, width, height = lying.frame
        used = {item.site for item in view.items} | {*view.last_sites}
        shown = [item for item in view.items if item.kind in box.kinds and item.site in box.sites]
        beside = frozenset(s for s in used if s in box.sites and not box.sites[s].printed)
        drawn = Plan.in_mm(box, beside).slots(shown)
        assert [(piece["site"], piece["kind"]) for piece in lying.pieces] == [
            (item.site, item.kind) for item, _at in drawn
        ]
        for piece, (_item, (x, y)) in zip(lying.pieces, drawn, strict=True):
            assert piece["at"] == pytest.approx([x, -y], abs=0.01)
            assert left <= piece["at"][0] <= left + width
            assert top <= piece["at"][1] <= top + height
        assert {piece["kind"] for piece in lying.pieces} <= set(
            board_of(game, view.physical, "en")["kinds"]
        )


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("physical", [False, True])
def test_a_board_is_plain_data_in_both_languages(game: str, physical: bool) -> None:
    german, english = (board_of(game, physical, lang) for lang in ("de", "en"))
    assert json.loads(json.dumps(german)) == german
    assert german["sites"] == english["sites"] and german["shapes"] == english["shapes"]
    assert len(json.dumps(german)) < 120_000
    for kind in english["kinds"].values():
        assert kind["fill"].startswith("#") and set(kind["rim"]) == {"night", "limestone"}


def test_a_held_line_is_named_with_its_holder() -> None:
    held = [board_on(view).held for view in views("knizia_stonehenge", 2)]
    lines = [owner for now in held for owner in now.values()]
    assert lines and all(kind.startswith("megalith ") for kind in lines)


def test_pieces_can_have_colours_for_every_eye() -> None:
    printed, patterns = (board_of("dolmengoetter", True, "en", c) for c in ("printed", "patterns"))
    assert printed["kinds"]["stone red"]["fill"] != patterns["kinds"]["stone red"]["fill"]
    assert "hatch" not in printed["kinds"]["stone red"] and patterns["kinds"]["stone red"]["hatch"]
