"""From touches to moves, without a screen."""

from __future__ import annotations

import random
from dataclasses import replace
from math import cos, hypot, sin, tau

import pytest

from companion.match.corrections.correction_path import arrows_of
from companion.match.layout_diff import sites_of
from companion.match.view import TableState, TableView
from companion.presentation.boxes import box_of, game_box
from companion.presentation.choosing import finishing, offer_of
from companion.presentation.plan import Plan, lights, room_between
from companion.presentation.scene import scene_of
from companion.presentation.theme.tokens import SIZES
from companion.presentation.touching import (
    Ask,
    Finger,
    Picked,
    Play,
    done_move,
    lying_sites,
    piece_of,
    placeless,
    targets,
    touched,
)
from companion.presentation.words.sentences import fix_lines, teller_of
from companion.presentation.words.translate import set_language
from rules.box import Site, box_ids, load_box
from rules.core import Move
from rules.games import find_game, game_ids
from rules.match import Match
from rules.reading.reading import Fix
from rules.reading.sighting import Glimpse
from tests.support.sweep import some
from tests.support.ui_harness import GAME, view_of

BOX = load_box(GAME)


def played(*moves: str, **options: str) -> Match:
    match = Match(GAME, 2, options)
    for move in moves:
        match.push(move)
    return match


def test_a_touched_field_asks_which_stone_and_a_picked_stone_answers_it() -> None:
    view, finger = view_of(played()), Finger()
    finger.learn(view)
    asked = finger.touch_site(view, BOX, "G")
    assert isinstance(asked, Ask)
    assert [move.text for move in asked.moves] == [f"p0 place {v} G" for v in range(1, 7)]
    finger.clear()
    assert finger.touch_kind(view, "stone black 4") == Picked(kind="stone black 4")
    assert finger.touch_site(view, BOX, "G") == Play(Move.parse("p0 place 4 G"))
    assert finger.picked == Picked()


@pytest.mark.parametrize("game_id", some(game_ids()))
def test_a_place_that_was_touched_is_pointed_at_no_more(game_id: str) -> None:
    game, random_ = find_game(game_id), random.Random(game_id)
    match = Match(game_id, game.players[0])
    match.deal()
    for _ in range(20):
        view, box = view_of(match), game_box(game_id)
        for move in view.legal[:12]:
            for site in sites_of(move, box)[:1]:
                assert site not in targets(view, box, Picked(sites=(site,)))
        if match.outcome is not None:
            break
        match.push(match.state.choose(match.legal_moves(), random_))
        match.deal()


def test_a_piece_touched_twice_is_put_back() -> None:
    view, finger = view_of(played()), Finger()
    finger.touch_kind(view, "stone black 4")
    assert finger.touch_kind(view, "stone black 4") == Picked()


def test_an_impossible_claim_is_said_all_the_same_so_that_the_referee_can_object() -> None:
    match = played("p0 place 3 L")
    view, finger = view_of(match), Finger()
    finger.learn(view)
    assert "p0 claim H4" not in [move.text for move in view.legal]
    assert finger.touch_site(view, BOX, "H4") == Play(Move.parse("p0 claim H4"))


def test_a_stone_on_a_taken_field_is_said_with_the_stone_in_the_hand() -> None:
    match = played("p0 place 3 L", "p0 done")
    view, finger = view_of(match), Finger()
    finger.learn(view)
    finger.touch_kind(view, "stone brown 5")
    assert finger.touch_site(view, BOX, "L") == Play(Move.parse("p1 place 5 L"))
    finger.clear()
    answer = finger.touch_site(view, BOX, "L")
    assert isinstance(answer, Play)
    assert answer.move.text.startswith("p1 place")


def test_rings_do_not_give_away_claims_while_hints_are_off() -> None:
    moves = ("p0 place 6 A", "p0 done", "p1 place 1 R", "p1 done", "p0 place 5 B")
    quiet, talking = view_of(played(*moves)), view_of(played(*moves, hints="on"))
    assert "p0 claim H1" in [move.text for move in quiet.legal]
    assert targets(quiet, BOX, Picked()) == frozenset()
    assert "H1" in targets(talking, BOX, Picked())


def test_done_is_the_legal_move_that_ends_the_turn() -> None:
    assert done_move(view_of(played())) is None
    assert done_move(view_of(played("p0 place 3 L"))) == Move.parse("p0 done")


@pytest.mark.parametrize(
    ("move", "kind"),
    [
        ("p0 place 3 A", "stone black 3"),
        ("p1 place 6 A", "stone brown 6"),
        ("p1 claim H1", "megalith brown"),
        ("p0 done", None),
    ],
)
def test_a_move_says_which_piece_it_puts_down(move: str, kind: str | None) -> None:
    found = piece_of(Move.parse(move), view_of(played()), BOX)
    assert (found.id if found else None) == kind


def test_a_whole_match_can_be_said_by_touches() -> None:
    match = Match(GAME, 2, seed=5)
    finger = Finger()
    while match.outcome is None:
        view = view_of(match)
        finger.learn(view)
        move = match.state.choose(match.legal_moves(), random.Random(1))
        if move.verb == "done":
            match.push(move)
            continue
        answer = finger.touch_site(view, BOX, move.args[-1])
        if isinstance(answer, Ask):
            assert move in answer.moves
            finger.clear()
        else:
            assert answer == Play(move)
        match.push(move)
    assert targets(view_of(match), BOX, Picked()) == frozenset()


FIXES = (
    Fix("C", (), (Glimpse("stone black 2"),)),
    Fix("D", (Glimpse("stone black 2"),), ()),
    Fix("K", (Glimpse("stone brown 2"),), ()),
)


def test_an_arrow_leads_a_shifted_piece_home_and_a_stray_one_is_crossed_out() -> None:
    view = view_of(played("p0 place 2 C"), TableState.DESYNC, fixes=FIXES)
    scene = scene_of(view, Picked())
    assert arrows_of(FIXES) == (("D", "C"),)
    assert scene.wrong == {"D"}, "one piece at a time"
    assert [(item.site, item.kind) for item in scene.ghosts] == [("C", "stone black 2")]
    assert {item.site for item in scene.items} == {"D", "K"}


def test_a_stray_piece_is_next_when_no_shifted_one_is_left() -> None:
    view = view_of(played("p0 place 2 C"), TableState.DESYNC, fixes=FIXES[2:])
    scene = scene_of(view, Picked())
    assert scene.wrong == {"K"}
    assert scene.arrows == ()


def test_the_way_back_is_told_in_both_languages() -> None:
    view = view_of(played("p0 place 2 C"), TableState.DESYNC, fixes=FIXES)
    set_language("de")
    german = fix_lines(view, BOX, teller_of(view, "de"))
    assert german == ("Schwarzer Stein 2: von D nach C", "K: wegnehmen")
    set_language("en")
    english = fix_lines(view, BOX, teller_of(view, "en"))
    assert english == ("Black stone 2: from D to C", "K: remove")


GAMES = [game for game in game_ids() if find_game(game).box in box_ids()]


@pytest.mark.parametrize("game", some(GAMES))
def test_every_legal_move_of_every_game_can_be_touched(game: str) -> None:
    """By sites one after the other, by a choice they lead to, or from the list of other moves."""
    chance = random.Random(3)
    match = Match(game, find_game(game).players[0], seed=3)
    box = load_box(match.game.box)
    for _ in range(40):
        match.deal()
        if match.outcome is not None:
            break
        view = view_of(match)
        listed = set(placeless(view, box)) | {done_move(view)}
        legal = list(view.legal)
        for move in chance.sample(legal, min(len(legal), 12)):
            assert move in listed or can_be_touched(view, move), f"{move} cannot be touched"
        match.push(match.state.choose(legal, chance))


def can_be_touched(view: TableView, move: Move) -> bool:
    box, finger = load_box(view.box), Finger()
    finger.learn(view)
    for site in touched(move, view, box):
        if site in finger.picked.sites:
            continue
        answer = finger.touch_site(view, box, site)
        if answer == Play(move) or (isinstance(answer, Ask) and move in answer.moves):
            return True
    return False


def test_an_open_card_is_named_by_touching_it() -> None:
    match = Match("dominion", 2, seed=1)
    view, box = view_of(match), game_box("dominion")
    lying = {item.site: item.kind for item in view.items if item.seen}
    buy = Move.parse(f"p0 buy {lying['k1']}")
    assert lying_sites(buy, view, box) == ("k1",)
    offered = replace(view, legal=(buy,))
    assert "k1" in targets(offered, box, Picked())
    assert Finger().touch_site(offered, box, "k1") == Play(buy)


def test_places_beside_the_board_are_no_part_of_the_picture_until_they_are_used() -> None:
    box = game_box("hoher_rat")
    board = Plan(box, 0, 0, 400, 400, 0)
    with_pile = Plan(box, 0, 0, 400, 400, 0, frozenset(["draw-pile"]))
    assert with_pile.px_per_mm < board.px_per_mm
    assert game_box("hoher_rat") is box, "drawings of the same box can be kept"


def test_of_places_within_each_other_the_smallest_is_touched() -> None:
    box = game_box("rollende_steine")
    plan = Plan(box, 0, 0, 400, 400, 0)
    assert plan.site_at(plan.px(box.sites["G3"].at), 48, 8) == "G3"


def test_what_glows_is_meant_by_every_touch_that_is_not_right_on_another_place() -> None:
    box = game_box("dolmengoetter")
    plan = Plan(box, 0, 0, 480, 480, 8)
    (x, y), other = plan.px(box.sites["V5"].at), plan.px(box.sites["V4"].at)
    between = (x + (other[0] - x) * 0.6, y + (other[1] - y) * 0.6)
    glowing = {"V5": (x, y)}
    assert plan.site_at(between, 48, 8) == "V4"
    assert plan.site_at(between, 48, 8, glowing) == "V5"
    assert plan.site_at(other, 48, 8, glowing) == "V4", "whoever means that hears why not"
    assert plan.site_at((x, y + 200), 48, 8, glowing) != "V5"


def test_a_finger_with_six_millimetres_of_scatter_hits_what_glows() -> None:
    """30 px at 800 × 480; the fields of the board are 33 px apart, their lights 50."""
    chance, hits, touches = random.Random(5), 0, 0
    match = Match("dolmengoetter", 3, seed=1)
    box = game_box("dolmengoetter")
    plan = Plan(box, 0, 0, 480, 480, 8)
    for _ in range(30):
        match.deal()
        glowing = targets(view_of(match), box, Picked())
        spots = lights(plan, glowing, (), 50)
        for site, (x, y) in spots.items() if len(glowing) < 20 else ():
            for _again in range(10):
                far, angle = 30 * chance.random() ** 0.5, chance.uniform(0, tau)
                at = (x + far * cos(angle), y + far * sin(angle))
                touches += 1
                hits += plan.site_at(at, 48, 8, spots) == site
        match.push(match.state.choose(match.legal_moves(), chance))
    assert touches > 400
    assert hits / touches > 0.94


@pytest.mark.parametrize(
    "game", ["trilithen_knallen", "hoher_rat", "opferroulette", "erbaut_stonehenge"]
)
def test_without_a_table_what_lies_beside_the_board_covers_nothing_on_it(game: str) -> None:
    box, table = box_of(view_of(Match(game, 4))), game_box(game)
    moved = [site for site in box.sites.values() if site.at != table.sites[site.id].at]
    left, bottom, right, top = Plan.in_mm(box).extent
    assert Plan.in_mm(box, frozenset(site.id for site in moved)).extent == (
        left, bottom, right, top,
    )  # fmt: skip
    assert {"draw-pile", "discard-pile"} <= {site.id for site in moved}
    for site in moved:
        for other in box.sites.values():
            if other == site or box.is_beside_board(other):
                continue
            apart = [abs(site.at[axis] - other.at[axis]) for axis in (0, 1)]
            reach = [_half(site)[axis] + _half(other)[axis] for axis in (0, 1)]
            if other.size is None:
                corner = hypot(*(max(apart[axis] - _half(site)[axis], 0) for axis in (0, 1)))
                assert corner >= other.radius - 0.1, (site.id, other.id)
            else:
                assert apart[0] >= reach[0] - 0.1 or apart[1] >= reach[1] - 0.1, (site.id, other.id)


def _half(site: Site) -> tuple[float, float]:
    return (site.radius, site.radius) if site.size is None else (site.size[0] / 2, site.size[1] / 2)


@pytest.mark.parametrize("game", ["trilithen_knallen", "hoher_rat"])
def test_without_a_table_piles_lie_in_the_corners_so_that_the_board_is_large(game: str) -> None:
    match = Match(game, 2)
    view = view_of(match)
    box, table = box_of(view), box_of(replace(view, physical=True))
    beside = {name for name, site in table.sites.items() if box.sites[name].at != site.at}
    assert "draw-pile" in beside
    sizes = [Plan(b, 0, 0, 480, 480, 8, frozenset(beside)).px_per_mm for b in (box, table)]
    assert sizes[0] > sizes[1] * 1.25
    for name in beside & {"draw-pile", "discard-pile"}:
        x, y = box.sites[name].at
        assert x * x + y * y > 290**2, "clear of the ring"
    assert len({box.sites[name].at for name in beside}) == len(beside)


def test_without_a_table_the_cards_of_a_display_lie_a_finger_apart() -> None:
    box = box_of(view_of(Match("trilithen_knallen", 3)))
    plan = Plan(box, 0, 0, 468, 480, 2)
    spots = [plan.px(site.at) for site in box.sites.values() if site.kind == "spot"]
    assert len(spots) == 15 and room_between(spots) >= SIZES.apart


def druids(*moves: str) -> TableView:
    """Dolmengoetter for two in the middle of a turn: p0 on U1 U3 U5, p1 on U2 U4 U6."""
    match = Match("dolmengoetter", 2)
    for move in ("dealer start p0", *(f"p{n % 2} druid U{n + 1}" for n in range(6)), *moves):
        match.push(move)
    return view_of(match)


def test_a_druid_that_is_picked_up_shows_where_it_may_go_and_offers_herbs() -> None:
    view, finger, box = druids(), Finger(), game_box("dolmengoetter")
    assert targets(view, box, Picked()) == {"U1", "U3", "U5"}, "first what, then where"
    asked = finger.touch_site(view, box, "U3")
    assert isinstance(asked, Ask)
    assert [move.text for move in asked.moves] == ["p0 herbs U3"]
    reached = {m.args[1] for m in view.legal if m.verb == "walk" and m.args[0] == "U3"}
    assert targets(view, box, finger.picked) == reached
    teller = teller_of(view, "en")
    offer = offer_of(asked.moves, "U3", view, teller)
    assert offer.keys == (("Gather herbs", "the druid lies down"),)
    assert finishing(offer, view, finger.picked) is None, "to lie down is not what was begun"


def test_a_field_that_is_taken_or_too_far_is_refused_for_what_it_is() -> None:
    view, finger, box = druids(), Finger(), game_box("dolmengoetter")
    match = Match("dolmengoetter", 2)
    for move in ("dealer start p0", *(f"p{n % 2} druid U{n + 1}" for n in range(6))):
        match.push(move)
    finger.learn(view)

    def refused(site: str) -> str:
        answer = finger.touch_site(view, box, site)
        assert isinstance(answer, Play)
        return match.why_not(answer.move)[0].code

    assert refused("U2") == "not_your_druid"
    assert refused("X7") == "no_druid_there"
    finger.touch_site(view, box, "U3")
    assert refused("X7") == "out_of_reach"


def test_gates_are_touched_one_after_the_other_and_put_back_by_another_touch() -> None:
    match = Match("rollende_steine", 2)
    match.push("p0 roll")
    view, finger, box = view_of(match), Finger(), game_box("rollende_steine")
    first, asked = (finger.touch_site(view, box, site) for site in ("G3", "G1"))
    assert isinstance(first, Ask)
    assert [move.args for move in first.moves] == [("G3",)]
    assert isinstance(asked, Ask)
    assert [move.args for move in asked.moves] == [("G1,G3",)]
    offer = offer_of(asked.moves, "G1", view, teller_of(view, "de"))
    done = finishing(offer, view, finger.picked)
    assert done is not None
    assert done.text == "table score G1,G3"
    finger.touch_site(view, box, "G3")
    assert finger.picked.sites == ("G1",)


def test_what_a_refusal_names_bears_its_name_on_the_board() -> None:
    """A line's name lies on a tag at its end; fields that it lists are ringed."""
    match = played("p0 place 3 L")
    claim = Move.parse("p0 claim H4")
    view = view_of(match, TableState.ILLEGAL, refused=claim, objections=tuple(match.why_not(claim)))
    scene = scene_of(view, Picked())
    assert scene.flags == {"H4": "H4"}
    assert scene.asked == {"J", "K", "M", "N"}
    assert scene.wrong == {"H4"}
