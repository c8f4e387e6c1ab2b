"""The board of Die Dolmengötter: R28, boards of one's own, and the box it is printed from."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from itertools import pairwise
from math import dist
from pathlib import Path
from random import Random

import pytest

from rules.box import load_box
from rules.core import OptionError
from rules.games.dolmengoetter import GAME
from rules.games.dolmengoetter.board import BoardError, load_board, parse_board
from rules.games.dolmengoetter.game import DolmenGame
from rules.match import Match

R28 = load_board("R28")
TEXT = (files("rules.games.dolmengoetter") / "r28.toml").read_text(encoding="utf-8")
BOX = load_box("dolmengoetter")


def test_r28_has_the_published_numbers_of_circles_places_and_sides() -> None:
    assert len(R28.places) == 74 and len(R28.sides) == 101 and len(R28.circles) == 28
    assert Counter(R28.size) == {4: 10, 6: 10, 8: 8}
    degree = Counter(p for side in R28.sides for p in side)
    assert Counter(degree.values()) == {3: 54, 2: 20}
    assert Counter(map(len, R28.circles_of)) == {3: 36, 2: 18, 1: 20}
    alone = [circles[0] for circles in R28.circles_of if len(circles) == 1]
    assert all(R28.size[circle] > 4 for circle in alone)


def test_dg11_exactly_the_rim_places_of_r28_carry_runes() -> None:
    carrying = [p for places in R28.runes.values() for p in places]
    assert len(carrying) == 38 and set(carrying) == R28.rim
    assert R28.runes["F"] == ("U1", "U15", "Z1", "Z15")


def test_corner_places_are_linked_each_with_each() -> None:
    corners = {R28.place[p] for p in R28.runes["F"]}
    for place in corners:
        assert corners - {place} <= set(R28.links[place])


def test_links_go_both_ways() -> None:
    for place, linked in enumerate(R28.links):
        assert all(place in R28.links[other] for other in linked)


# -- boards of one's own ----------------------------------------------------------------------


def _broken(before: str, after: str, reason: str) -> None:
    assert before in TEXT
    with pytest.raises(BoardError, match=reason):
        parse_board(TEXT.replace(before, after), "ours.toml")


def test_a_board_of_our_own_is_read_from_a_file_and_played_on(tmp_path: Path) -> None:
    # R28 with its places called otherwise is as good a board as R28.
    path = tmp_path / "ours.toml"
    path.write_text(TEXT.replace('"U', '"North').replace("R28", "ours"), encoding="utf-8")
    game = DolmenGame(load_board(str(path)))
    match = Match(game, 3, seed=5)
    random = Random(5)
    while match.outcome is None:
        match.push(match.state.choose(match.legal_moves(), random))
    assert match.state.to_json()["board"] == "ours"
    assert game.from_json(match.state.to_json()).to_json() == match.state.to_json()


def test_a_smaller_board_refuses_more_players_than_it_has_places_for() -> None:
    kept = {name: list(places) for name, places in R28.circles.items() if name <= "K17"}
    game = DolmenGame(parse_board(_toml(kept), "half.toml"))
    assert game.board.most_stones(2) == 21
    Match(game, 2)
    with pytest.raises(OptionError, match="board half has 48; it is too small"):
        Match(game, 5)


def _toml(circles: dict[str, list[str]]) -> str:
    """A board of these circles; its rim places get runes in pairs, four of them rune F."""
    sides: Counter[frozenset[str]] = Counter()
    for places in circles.values():
        sides.update(frozenset(pair) for pair in pairwise((*places, places[0])))
    rim = sorted({p for side, number in sides.items() if number == 1 for p in side})
    runes = {"F": rim[:4]} | {f"r{n}": rim[n : n + 2] for n in range(4, len(rim), 2)}
    lines = ['[board]\nname = "half"\n[circles]']
    lines += [f"{name} = {places}" for name, places in circles.items()]
    lines += ["[runes]"] + [f"{name} = {places}" for name, places in runes.items()]
    return "\n".join(lines).replace("'", '"')


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('K02 = ["U3", "U4", "V4", "V3"]', 'K02 = ["U3", "U4", "V4"]', "K02 has 3 places"),
        ('K02 = ["U3",', 'K02 = ["U4",', "K02 names the place U4 twice"),
        ('K02 = ["U3",', 'K02 = ["K3",', "circle K02: 'K3' is not a place id"),
        ('K02 = ["U3",', 'K02 = ["U 3",', "circle K02: 'U 3' is not a place id"),
        ("K02 = ", "C02 = ", "circle 'C02': the id of a circle is one word beginning with K"),
        ('"U4", "V4", "V3"]', '"V4", "U4", "V3"]', "circle K02 shares V4, V3 with circle K08"),
        (
            'K13 = ["W3", "W4"',
            'K13 = ["W3", "W5"',
            "circle K08: K08, K09, K13, K14 all name the place W5; at most three",
        ),
        ('K22 = ["X10", "X11"', 'K22 = ["X10", "U1"', "circle K01 shares U1 with circle K22"),
        ('A = ["U2", "Z2"]', 'A = ["U2"]', "rune A is on U2; a rune is on two different places"),
        ('A = ["U2", "Z2"]', 'A = ["U2", "V5"]', "place V5 is inside, .*K03, K08 and K09"),
        ('A = ["U2", "Z2"]', 'A = ["U2", "Z3"]', "Z3 of circle K23 and K24 carries two runes"),
        ('A = ["U2", "Z2"]', 'A = ["U2", "Q2"]', "rune A: no circle has a place Q2"),
        ('A = ["U2", "Z2"]', "", "the place U2 of circle K01 is at the rim and carries no rune"),
        ('F = ["U1", "U15", "Z1", "Z15"]', 'F = ["U1", "U15"]', "four corner places; found: none"),
        ('name = "R28"', "", "board.name: is missing"),
        ('A = ["U2", "Z2"]', 'A = "U2"', "runes.A: expected a list of texts"),
        ("[runes]", "[letters]", "letters: unknown key"),
        ("[board]", "[board", "ours.toml, line 7 is not valid TOML"),
    ],
)
def test_a_broken_board_is_refused_with_the_circle_and_the_reason(
    before: str, after: str, reason: str
) -> None:
    _broken(before, after, reason)


def test_circles_that_do_not_hang_together_are_refused() -> None:
    far = 'K29 = ["a", "b", "c", "d"]\n[runes]\nS = ["a", "b"]\nT = ["c", "d"]'
    _broken("[runes]", far, "circle K29 is not connected to circle K01")


def test_a_board_too_small_for_any_match_is_refused() -> None:
    few = {name: list(R28.circles[name]) for name in ("K01", "K02", "K03")}
    with pytest.raises(BoardError, match="K01 to K03 have 14 places together"):
        parse_board(_toml(few), "few.toml")


def test_circles_that_share_two_sides_with_each_other_are_refused() -> None:
    circles = {
        "K1": ["A1", "A2", "A3", "A4"],
        "K2": ["A2", "A3", "A4", "B1"],
    }
    with pytest.raises(BoardError, match="circle K1 shares A2, A3, A4 with circle K2"):
        parse_board(_toml(circles), "two.toml")


def test_a_missing_board_file_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match=r"cannot read the board file .*nowhere\.toml"):
        load_board(str(tmp_path / "nowhere.toml"))


# -- the box ----------------------------------------------------------------------------------


def test_the_box_has_a_site_for_every_place_and_every_circle_of_r28() -> None:
    assert set(BOX.sites) == {*R28.places, *R28.circle_ids}
    for place in R28.places:
        joined = {p for side in R28.sides if place in side for p in side} - {place}
        assert set(BOX.sites[place].neighbours) == joined
    polygons = {s.sites[0]: s.sites[1:] for s in BOX.strokes if s.role == "side"}
    assert polygons == R28.circles


def test_pieces_on_all_sites_never_overlap() -> None:
    places = [BOX.sites[p].at for p in R28.places]
    for number, at in enumerate(places):
        assert all(dist(at, other) >= 34.4 for other in places[:number])
        assert all(dist(at, BOX.sites[c].at) > 25.4 for c in R28.circle_ids)


def test_opposite_runes_mirror_each_other() -> None:
    for rune, (first, second, *_) in R28.runes.items():
        a, b = BOX.sites[first].at, BOX.sites[second].at
        assert (a[0], -a[1]) == b or (-a[0], a[1]) == b, rune


def test_every_rim_place_has_its_rune_beside_it() -> None:
    drawn = {s.sites[0]: s for s in BOX.strokes if s.role == "rune"}
    assert set(drawn) == R28.rim
    for rune, places in R28.runes.items():
        for place in places:
            assert drawn[place].text == rune
            assert 13 < dist(drawn[place].points[0], BOX.sites[place].at) < 18


def test_the_box_holds_enough_for_every_option() -> None:
    assert [corner.id for corner in BOX.corners] == [0, 1, 2, 3]
    assert all(sticker < 100 for sticker in BOX.kind_of_sticker)
    for colour in GAME.colours(5, GAME.complete_options(5, {})):
        assert BOX.kinds[f"stone {colour}"].count == 16
        assert BOX.kinds[f"druid {colour}"].poses == ("standing", "lying")
        for values in GAME.options["values"]:
            for value, number in enumerate(values.split("-"), 1):
                kind = BOX.kinds[f"dolmen {colour} {value}"]
                assert kind.count >= int(number) and kind.back == f"dolmen {colour} back"
