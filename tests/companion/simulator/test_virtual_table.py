"""Hands at the virtual table: what is put, taken, carried and laid out."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from companion.simulator import Hand, TableError, VirtualTable
from companion.simulator.table import _hides
from rules.box import Box, load_box
from rules.core import Item, Layout
from rules.reading.sighting import looks
from tests.support.sweep import some
from tests.support.virtual_box import mini_box, random_layout
from tests.support.virtual_truth import layout_seen


@pytest.fixture
def box() -> Box:
    return load_box("knizia_stonehenge")


@pytest.fixture
def table(box: Box) -> VirtualTable:
    return VirtualTable(box, seed=5)


def test_every_piece_of_the_box_waits_beside_the_board(table: VirtualTable) -> None:
    assert len(table.pieces) == 2 * (9 + 8)  # backs are no pieces of their own
    assert all(piece.stored and piece.site is None for piece in table.pieces)
    assert all(abs(piece.x_mm) > 210 + 15 for piece in table.pieces)
    assert len({piece.at for piece in table.pieces}) == len(table.pieces)
    black = [p for p in table.pieces if table.box.kinds[p.kind].owner == "black"]
    assert all(piece.x_mm < 0 for piece in black)


def test_a_put_piece_lies_within_three_millimetres_of_its_site(table: VirtualTable) -> None:
    for site in "ABCDEFGHI":
        piece = table.put("stone black back", site)
        assert math.dist(piece.at, table.box.sites[site].at) <= 3.0
        assert piece.site == site and not piece.face_up and piece.sticker == 19
    assert len({round(p.angle_deg) for p in table.pieces if p.site}) > 5


def test_without_jitter_a_piece_lies_exactly(table: VirtualTable) -> None:
    piece = table.put("megalith brown", "R2", jitter=False)
    assert (piece.at, piece.angle_deg) == ((120.0, -156.0), 0.0)


def test_a_taken_piece_goes_home_and_can_be_put_again(table: VirtualTable) -> None:
    home = next(p.at for p in table.pieces if p.kind == "stone black 4")
    table.put("stone black 4", "G")
    with pytest.raises(TableError, match="no 'stone black 4' is left"):
        table.put("stone black 4", "H")
    assert table.take("G").at == home
    assert table.put("stone black 4", "H").site == "H"
    with pytest.raises(TableError, match="nothing lies at G"):
        table.take("G")


def test_wrong_names_are_told_in_a_sentence(table: VirtualTable) -> None:
    with pytest.raises(TableError, match="no site 'Z9'"):
        table.put("stone black 4", "Z9")
    with pytest.raises(TableError, match="no pieces of kind 'horse'"):
        table.put("horse", "A")
    with pytest.raises(TableError, match="has no pose 'lying'; it has: none"):
        table.put("stone black 4", "A", pose="lying")
    with pytest.raises(TableError, match="'megalith black' has no back"):
        table.put("megalith black", "H1", face_up=False)
    with pytest.raises(TableError, match="pieces 0 to 33, not 99"):
        table.lift(99)
    assert all(piece.stored for piece in table.pieces)


@pytest.mark.parametrize("seed", some(range(25), 8))
def test_a_layout_is_shown_as_the_rules_want_it(box: Box, seed: int) -> None:
    table = VirtualTable(box, seed)
    for step in range(3):
        layout = random_layout(box, 100 * seed + step)
        table.set_layout(layout)
        assert layout_seen(table) == layout
        assert looks(layout_seen(table)) == looks(layout)
        lying = sum(piece.site is not None for piece in table.pieces)
        assert lying == sum(layout.values())
        assert len({(p.at, p.z) for p in table.pieces}) == len(table.pieces)
        assert len({p.sticker for p in table.pieces if p.face_up}) == sum(
            p.face_up for p in table.pieces
        )


def test_pieces_that_lie_right_are_not_touched(box: Box, table: VirtualTable) -> None:
    layout = random_layout(box, 3)
    table.set_layout(layout)
    before = {piece.id: piece for piece in table.pieces if piece.site}
    gone = next(iter(layout))
    table.set_layout(layout - Layout([gone]))
    changed = [p for p in before.values() if table.piece(p.id) != p]
    assert [piece.site for piece in changed] == [gone.site]


def test_a_layout_that_needs_too_many_pieces_changes_nothing(table: VirtualTable) -> None:
    table.put("stone black 6", "A")
    before = table.pieces
    with pytest.raises(TableError, match="no 'stone black 6' is left"):
        table.set_layout(Layout([Item("B", "stone black 6"), Item("C", "stone black 6")]))
    assert table.pieces == before
    with pytest.raises(TableError, match="no site"):
        table.set_layout(Layout([Item("nowhere", "stone black 6")]))
    assert table.pieces == before


def test_a_stone_can_be_named_after_it_was_laid_face_down(box: Box) -> None:
    # all nine lie face down; whichever of them shows a 6 later, the table can follow
    for seed in range(5):
        table = VirtualTable(box, seed)
        sites = "ABCDEFGHI"
        table.set_layout(Layout(Item(s, "stone black back", face="down") for s in sites[:8]))
        shown = Layout(Item(s, "stone black back", face="down") for s in sites[1:8])
        shown[Item("A", "stone black 6")] += 1
        table.set_layout(shown)
        assert layout_seen(table) == shown


def test_turning_over_keeps_the_place(table: VirtualTable) -> None:
    piece = table.put("stone brown 5", "K", face_up=False)
    assert piece.shows == "stone brown back"
    turned = table.turn_over(piece.id)
    assert (turned.shows, turned.at, turned.sticker) == ("stone brown 5", piece.at, 27)
    with pytest.raises(TableError, match="no back"):
        table.turn_over(table.put("megalith black", "H1").id)


def test_dragging_shows_a_hand_until_the_piece_lies(table: VirtualTable) -> None:
    start = next(p for p in table.pieces if p.kind == "stone brown 3")
    hands: list[Hand] = []
    places: list[tuple[float, float]] = []
    for state in table.drag(start.id, "M", steps=12):
        assert state is table and table.hand is not None
        hands.append(table.hand)
        places.append(table.piece(start.id).at)
    assert len(hands) == 12 and len(set(places)) > 6
    assert table.hand is None and table.carried is None
    assert table.piece(start.id).site == "M" and table.piece(start.id).z == 0.0
    assert math.dist(table.piece(start.id).at, table.box.sites["M"].at) <= 3.0
    # brown sits opposite: their arm comes from the far edge
    assert all(hand.from_deg > 0 for hand in hands)


def test_a_lifted_piece_follows_the_hand(table: VirtualTable) -> None:
    piece = table.put("stone black 2", "G")
    raised = table.lift(piece.id)
    assert raised.z > 20 and table.at("G") == () and layout_seen(table) == Layout()
    assert table.carry(15.0, 20.0).at == (15.0, 20.0)
    assert table.hand is not None and (table.hand.x_mm, table.hand.y_mm) == (15.0, 20.0)
    with pytest.raises(TableError, match="holds piece"):
        table.lift(0)
    dropped = table.drop(*table.box.sites["H"].at)
    assert (dropped.site, dropped.z) == ("H", 0.0) and table.hand is None
    with pytest.raises(TableError, match="holds no piece"):
        table.drop()


def test_a_piece_moved_off_the_board_is_unused_again(table: VirtualTable) -> None:
    piece = table.put("stone black 6", "G")
    assert table.move(piece.id, 40.0, 178.0).site is None  # on the board, beside every site
    assert layout_seen(table) == Layout()
    assert table.move(piece.id, -260.0, 10.0).stored
    assert table.put("stone black 6", "A").id == piece.id


def test_what_lies_below_cannot_be_moved(table: VirtualTable) -> None:
    low, high = table.put("stone black 1", "G"), table.put("stone brown 1", "G")
    assert high.z == 8.0 and [p.id for p in table.at("G")] == [low.id, high.id]
    assert table.above(low) == high and table.above(high) is None
    with pytest.raises(TableError, match="lies on piece"):
        table.move(low.id, 0.0, 0.0)
    with pytest.raises(TableError, match="lies on piece"):
        table.lift(low.id)


def test_bumps_add_up(table: VirtualTable) -> None:
    table.bump(3.0, -2.0, 1.0)
    table.bump(1.0, 1.0)
    assert table.nudge == (4.0, -1.0, 1.0)


def test_stacks_piles_and_poses_of_another_box() -> None:
    table = VirtualTable(mini_box(), seed=2)
    layout = Layout(
        [
            *(Item("P1", "disc red", level=level, seen=level == 3) for level in range(4)),
            Item("P2", "druid red", pose="lying"),
            Item("P3", "ball", pose="cw"),
            Item("P4", "disc red", seen=False),
            Item("P4", "druid blue", level=1, pose="standing"),
            *(Item("D", "card back", level=n, face="down", seen=n == 6) for n in range(7)),
            Item("E", "card moon"),
            Item("F", "bar"),
            Item("F", "bar"),
            Item("F", "arch"),
        ]
    )
    table.set_layout(layout)
    assert layout_seen(table) == layout
    assert [round(piece.z) for piece in table.at("P1")] == [0, 8, 16, 24]
    assert len({piece.at for piece in table.at("D")}) == 1  # a pile is squared up
    yard = [piece.at for piece in table.at("F")]
    assert min(math.dist(a, b) for a in yard for b in yard if a is not b) > 15
    # clockwise about the centre: at the right of the far half the ball heads right and near
    ball = table.at("P3")[0]
    ahead = ball.to_board(0.0, 1.0)
    assert ahead[0] > ball.x_mm and ahead[1] < ball.y_mm
    table.clear()
    assert layout_seen(table) == Layout() and all(piece.stored for piece in table.pieces)


def test_unseen_cards_of_one_level_lie_below_the_top_one() -> None:
    table = VirtualTable(mini_box())
    deck = Layout({Item("D", "card back", seen=False, face="down"): 8})
    deck[Item("D", "card sun", level=1)] = 1
    table.set_layout(deck)
    assert [p.shows for p in table.at("D")] == ["card back"] * 8 + ["card sun"]
    assert looks(layout_seen(table)) == looks(deck)


def test_bars_are_laid_where_no_trilithon_hides_their_stickers() -> None:
    box = load_box("stonehenge_anthology").for_game("rollende_steine")
    table = VirtualTable(box, seed=7)
    gates = Counter(Item(f"G{n}", "trilithon") for n in range(1, 6))
    bars = Counter({Item("board", f"bar {c}"): 5 for c in ("white", "blue", "green")})
    table.set_layout(gates + bars)
    lying = [piece for piece in table.pieces if piece.site is not None]
    assert len(lying) == 20
    for bar in (piece for piece in lying if piece.site == "board"):
        assert not _hides(box, bar, [piece for piece in lying if piece.id != bar.id])
