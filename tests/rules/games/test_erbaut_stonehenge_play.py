"""Erbaut Stonehenge!: the real table, random matches, and what a camera makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from rules.box import load_box
from rules.core import Move, Options
from rules.games.erbaut_stonehenge import GAME
from rules.games.erbaut_stonehenge.components import COLOURS
from rules.games.erbaut_stonehenge.moves import STEPS, steal_move
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.hidden import UNSEEN
from rules.match import Match
from rules.reading.reading import Reading, Status, read
from rules.reading.sighting import Glimpse, Look, looks
from rules.testing.pictures import DrawnSighting, clear, draw
from rules.testing.playout import random_match
from tests.support.erbaut_table import dealt, position, project
from tests.support.rulings import codes, legal, play

HERE = Path(__file__).parent
SETTINGS: list[tuple[int, dict[str, str]]] = [
    (3, {}),
    (4, {"trilith_ring": "on"}),
    (3, {"soft_block": "on", "steal_back": "off"}),
    (4, {"soft_block": "on"}),
]


# -- 3.11 the physical form -----------------------------------------------------------------


def table(players: int = 3, display: str = "n25 n26 n27", start: int = 0) -> ErbautState:
    """A physical match with hands nobody knows."""
    state = GAME.setup(players, GAME.complete_options(players, {}), True)
    moves = [f"dealer draw p{p} ?" for _ in range(3) for p in range(players)]
    moves += [f"dealer draw display {card}" for card in display.split()]
    return play(state, " · ".join([*moves, f"dealer start p{start}"]))


def test_nobody_types_in_a_hand() -> None:
    state = GAME.setup(3, GAME.complete_options(3, {}), True)
    assert legal(state) == ["dealer draw p0 ?"]
    assert codes(state, "dealer draw p0 n3") == ["stays_hidden"]


def test_a_played_night_card_must_be_one_that_can_be_in_the_hand() -> None:
    state = table()
    assert codes(state, "p0 play n3") == []
    assert codes(state, "p0 play n25") == ["lies_elsewhere"]
    play(state, "p0 play n3 · p0 occupy 3")
    assert codes(state, "p1 play n3") == ["lies_elsewhere"]


def test_a_day_card_is_bound_when_it_is_turned_up() -> None:
    state = table()
    assert codes(state, "p0 play d4") == ["face_down"]
    play(state, "p0 play ? · p1 play n9 · p1 occupy 9 · p2 play n4 · p2 occupy 4 · p0 build")
    assert codes(state, "p0 occupy 10") == ["show_first"]
    assert codes(state, "table show C1 n9") == ["cannot_be"]
    assert codes(state, "table show C2 d10") == ["nothing_to_show"]
    play(state, "table show C1 d10 · p0 occupy 10")
    assert state.to_json()["projects"][0]["card"] == "d10"


def test_a_night_card_laid_face_down_is_given_up_when_it_shows() -> None:
    state = table()
    play(state, "p0 play ? · p1 play n9 · p1 occupy 9 · p2 play n4 · p2 occupy 4 · p0 build")
    play(state, "table show C1 n12 [p0 discard n12]")
    assert codes(state, "p0 occupy 12") == ["night_card"]
    assert codes(state, "p0 build") == ["give_up_first"]
    play(state, "p0 discard n12")
    assert state.to_json()["under"] == [["n12", None]]


def test_cards_taken_openly_are_known_to_lie_in_the_hand() -> None:
    state = table()
    play(state, "p0 play n3 · p0 occupy 3 · p1 play n9 · p1 occupy 9 · p2 play n4 · p2 occupy 4")
    play(state, "p0 build · p0 take n25 · dealer draw display n5")
    assert codes(state, "p0 blocked") == ["can_play"]
    play(state, "p0 play ? · p1 build · p1 take n26 · dealer draw display n6")
    # A day card went down, so the night card taken before is still in the hand.
    (objection,) = state.violations(Move.parse("p1 play n25"))
    assert objection.values["place"] == "in_hand_0"


def test_the_players_word_counts_where_nobody_knows_his_hand() -> None:
    state = table()
    assert codes(state, "p0 blocked") == []


def test_the_price_of_a_theft_is_shown_and_known_afterwards() -> None:
    state = table(display="n25 n26 t-red")
    play(state, "p0 play n4 · p0 occupy 4 · p1 play n10 · p1 occupy 10 · p2 play n14")
    play(state, "p2 occupy 14 · p0 build · p0 take t-red · dealer draw display n1 · p0 occupy T3")
    play(state, "p1 build · p1 draw · dealer draw p1 ? · p1 steal p0 n11,n17 · p1 occupy T3")
    assert legal(state) == ["p0 discard ?"]
    assert codes(state, "p0 discard n2") == ["stays_hidden"]
    known = state.to_json()["zones"]["zones"]["p0"]["known"]
    assert known == {"n11": 1, "n17": 1}


def test_a_hidden_card_below_the_pile_comes_up_hidden() -> None:
    state = table(display="n25 n26 t-red")
    play(state, "p0 play n4 · p0 occupy 4 · p1 play n10 · p1 occupy 10 · p2 play n14")
    play(state, "p2 occupy 14 · p0 build · p0 take t-red · dealer draw display n1 · p0 occupy T3")
    play(state, "p1 build · p1 draw · dealer draw p1 ? · p1 steal p0 n11,n17 · p1 occupy T3")
    play(state, "p0 discard ?")
    assert state.to_json()["under"] == [["?", 0]]
    assert "n2" in {move.args[1] for move in displayed(state)}


def displayed(state: ErbautState) -> list[Move]:
    play(state, "p2 build · p2 take n25")
    return state.legal_moves()


def test_what_is_dealt_and_played_unseen_stays_unseen_for_the_others() -> None:
    match = Match(GAME, 3, seed=4)
    match.deal()
    first = match.log[0].move
    assert GAME.setup(3, match.options, False).public(first, 1).text == "dealer draw p0 ?"
    assert GAME.setup(3, match.options, False).public(first, 0) == first
    view = match.state.view(1)
    assert view["hands"][0] == 3
    assert len(view["hands"][1]) == 3
    assert view["pile"] == 53


def test_a_face_down_project_is_told_to_its_owner_only() -> None:
    state = dealt(["d3 n4 n5", "n9 d9 n10", "n13 n14 n15"], "n25 n26 n27")
    move = Move.parse("p0 play d3")
    assert state.public(move, 1).text == "p0 play ?"
    assert state.public(move, 0) == move
    play(state, "p0 play d3 · p1 play n9 · p1 occupy 9 · p2 play n13 · p2 occupy 13")
    assert state.view(2)["projects"][0]["card"] == "?"
    shown = state.shown(Move.parse("p0 build"))
    assert [m.text for m in shown] == ["p0 build", "table show C1 d3"]


# -- 3.11 the layout ------------------------------------------------------------------------


def test_a_running_trilithon_lies_in_its_yard_part_by_part() -> None:
    def yard(stage: str, disc: bool = False) -> Counter[str]:
        state = position(
            phase="build",
            hands=[["n20"], ["n8", "n9", "n10"], ["n11", "n12", "n13"]],
            projects=[project("t-red", stage, disc=disc), None, None],
            druids=["T1", "supply", "supply"],
            discs=[10 - disc, 10, 10],
        )
        found: Counter[str] = Counter()
        for item, number in state.layout().items():
            if item.site == "C1":
                found[item.kind] += number
        return found

    card = Counter({"card t-red": 1})
    assert yard("pillars-0") == card
    assert yard("pillars-1") == card + Counter({"pillar": 1})
    assert yard("pillars-2") == card + Counter({"pillar": 2})
    assert yard("marked", disc=True) == card + Counter({"pillar": 2, "trilithon white": 1})


def test_a_face_down_card_shows_its_back_and_the_pile_one_card() -> None:
    state = play(dealt(["d3 n4 n5", "n9 d9 n10", "n13 n14 n15"], "n25 n26 n27"), "p0 play d3")
    items = {(item.site, item.kind, item.face) for item in state.layout()}
    assert items == {
        ("C1", "card back", "down"),
        ("draw-pile", "card back", "down"),
        *(("display", f"card n{n}", "up") for n in (25, 26, 27)),
    }


def test_the_supply_holds_what_is_not_built_yet() -> None:
    state = play(dealt(["n3 n4 n5", "n9 d9 n10", "n13 n14 n15"], "n25 n26 n27"), "p0 play n3")
    full = Counter({"bar white": 9, "disc white": 10, "figure white": 1, "card back": 2})
    assert state.supply(0) == full
    play(state, "p0 occupy 3")
    assert state.supply(0) == full - Counter(["figure white"])


def test_a_draw_leaves_no_trace_and_may_be_inferred() -> None:
    state = table()
    play(state, "p0 play n3 · p0 occupy 3 · p1 play n9 · p1 occupy 9 · p2 play n4 · p2 occupy 4")
    play(state, "p0 build")
    assert _covered(state) == ["p0 draw"]
    assert state.touches(Move.parse("p0 draw")) == ()
    play(state, "p0 draw")
    assert _covered(state) == ["dealer draw p0 ?"]


def _covered(state: ErbautState) -> list[str]:
    """The moves that may be inferred."""
    named = GAME.inference.plausible(state, state.legal_moves(), {}, ())
    return [one.move.text for one in named if one.covered]


# -- random matches -------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "options"), SETTINGS)
def test_random_matches_end_and_lose_no_piece_and_no_card(players: int, options: Options) -> None:
    lengths = []
    for seed in range(6):
        match = None
        for current, _, _ in random_match(GAME, players, options, seed):
            match = current
            if match.ply % 5 == 0:
                assert match.state.problems() == []
        assert match is not None
        assert match.outcome is not None
        lengths.append(match.ply)
    assert 250 < min(lengths) <= max(lengths) < 600


@pytest.mark.parametrize("physical", [False, True])
def test_who_is_asked_next_is_the_same_for_the_dealer_and_the_referee(physical: bool) -> None:
    referee = Match(GAME, 3, physical=True)
    for match, _, move in random_match(GAME, 3, {}, 11):
        assert match.prompt is not None
        assert referee.prompt is not None
        assert (match.prompt.actor, match.prompt.player, match.prompt.code) == (
            referee.prompt.actor,
            referee.prompt.player,
            referee.prompt.code,
        )
        for shown in match.state.shown(move):
            referee.push(shown)


def test_the_match_goes_on_whatever_hands_do_against_the_rules() -> None:
    for seed in range(4):
        random = Random(seed)
        physical = seed % 2 == 1
        state = GAME.setup(3 + seed // 2, GAME.complete_options(3 + seed // 2, {}), physical)
        for _ in range(3000):
            if state.outcome() is not None:
                break
            moves = state.legal_moves()
            assert moves
            if random.random() < 0.15:
                moves = list(state.pseudo_moves())
            state.apply(state.choose(moves, random))
            assert state.prompt() is not None or state.outcome() is not None
            assert state.problems() == []
        assert state.outcome() is not None


@pytest.mark.parametrize("physical", [False, True])
def test_of_all_move_texts_exactly_the_offered_ones_meet_no_objection(physical: bool) -> None:
    texts = [Move.parse(text) for text in STEPS]
    random = Random(1)
    for match, moves, _ in random_match(GAME, 3, {}, 8, physical=physical):
        if match.ply % 29:
            continue
        pairs = [sorted(random.sample(range(60), 2)) for _ in range(40)]
        thefts = [steal_move(p, m, *pair) for p in range(3) for m in range(3) for pair in pairs]
        legal = set(moves)
        # A theft without its price is never chosen, but where one is possible it can be recorded.
        possible = [move for move in moves if move.verb == "steal"] if physical else []
        legal |= {Move.of(m.player or 0, "steal", m.args[0], UNSEEN) for m in possible}
        for move in texts + thefts:
            assert (not match.state.violations(move)) == (move in legal), move


def test_chance_prefers_a_card_the_more_of_its_sort_are_in_the_pile() -> None:
    state = GAME.setup(3, GAME.complete_options(3, {}), True)
    play(state, " · ".join(f"dealer draw p{p} ?" for _ in range(3) for p in range(3)))
    moves = state.legal_moves()
    weight = dict(zip((m.args[1] for m in moves), state.weights(moves), strict=True))
    # 51 of 60 unseen numbers and 5 trilithons lie there: a number comes 51 / 56 of the time.
    share = sum(w for card, w in weight.items() if card[0] != "t") / sum(weight.values())
    assert share == pytest.approx(51 / 56)


BOX = load_box(GAME.box).for_game(GAME.id)
PLAYED = (
    "dealer start p0", "p0 play n3", "p0 occupy 3", "p1 play ?", "p2 play n14", "p2 occupy 14",
)  # fmt: skip
TRILITHON = (
    "p0 build", "p0 take t-red", "dealer draw display n1", "p0 occupy T1", "p1 build",
    "table show C2 d9", "p1 occupy 9", "p2 build", "p2 draw", "dealer draw p2 ?", "p2 play n15",
    "p2 occupy 15", "p0 build",
)  # fmt: skip


def _match(*moves: str, display: str = "n25 n26 n27") -> Match:
    match = Match(GAME, 3, physical=True)
    match.deal()
    for card in display.split():
        match.push(f"dealer draw display {card}")
    for move in (*PLAYED, *moves):
        match.push(move)
        match.deal()
    return match


def _after(match: Match, *moves: str) -> Match:
    ahead = match.clone()
    for move in moves:
        ahead.push(move)
        ahead.deal()
    return ahead


def _kinds(*kinds: str) -> Look:
    return tuple(sorted(Glimpse(k, "standing" if "figure" in k else "") for k in kinds))


def _seen(match: Match, changed: Mapping[str, Look], ahead: Match | None = None) -> Reading:
    sites = dict(draw(BOX, (ahead or match).layout).sites)
    sites |= {site: clear(look) for site, look in changed.items()}
    return read(match, DrawnSighting(sites))


def _read(match: Match, ahead: Match) -> list[str]:
    reading = _seen(match, {}, ahead)
    assert reading.status is Status.MOVE
    return [move.text for move in reading.moves if move.player is not None]


def test_what_really_happened_is_never_left_out() -> None:
    for seed in range(3):
        real = Match(GAME, 3, physical=True)
        for match, _, move in random_match(GAME, 3, GAME.complete_options(3, {}), seed):
            for shown in match.state.shown(move):
                before = real.clone()
                real.push(shown)
                seen = looks(real.layout)
                boards = {site: [seen.get(site, ())] for site in BOX.sites}
                found = GAME.inference.fitting(before.state, before.legal_moves(), boards)
                assert shown in found or shown.verb == "steal"


def test_nobody_is_accused_of_a_card_that_was_turned_up_before_anybody_could_see_it() -> None:
    """3.3: a bluff is given up, and another card is drawn and laid, all before the hand leaves."""
    match = _match("p0 build", "p0 draw", "dealer draw p0 ?", "p0 play n4", "p0 occupy 4")
    ahead = _after(
        match, "p1 build", "table show C2 n12", "p1 discard n12", "p1 draw", "dealer draw p1 ?",
        "p1 play n23", "p1 occupy 23",
    )  # fmt: skip
    early = _seen(match, {}, ahead)
    assert (early.status, early.refused) == (Status.PENDING, None)
    # If somebody saw it turned up, it is known what may be done with it.
    shown = _after(match, "p1 build", "table show C2 n12")
    reading = _seen(shown, {"12": _kinds(f"figure {COLOURS[1]}")})
    assert reading.status is Status.ILLEGAL
    assert [objection.code for objection in reading.objections] == ["night_card"]


def test_a_reveal_leaves_one_card_of_all_that_may_lie_there() -> None:
    match = _match("p0 build", "p0 draw", "dealer draw p0 ?", "p0 play n4", "p0 occupy 4")
    ahead = _after(match, "p1 build", "table show C2 d9", "p1 occupy 9")
    assert _read(match, ahead) == ["p1 build", "p1 occupy 9"]


def test_the_display_may_be_filled_up_last() -> None:
    match = _match()
    taken = _after(match, "p0 build", "p0 take n25")
    early = {"C1": _kinds("card n25"), "25": _kinds("figure white")}
    reading = _seen(match, early, taken)
    assert [move.text for move in reading.moves] == ["p0 build", "p0 take n25"]
    assert _seen(taken, early).status is Status.PENDING
    ahead = _after(taken, "dealer draw display n1", "p0 play n25", "p0 occupy 25")
    assert _read(taken, ahead) == ["p0 play n25", "p0 occupy 25"]


def test_a_druid_may_go_out_first_and_a_used_card_may_lie_on() -> None:
    match = _match("p0 build", "p0 draw", "dealer draw p0 ?")
    assert _seen(match, {"4": _kinds("figure white")}).status is Status.SETTLED
    assert _seen(match, {"3": _kinds("bar white", "figure white")}).status is Status.SETTLED
    assert _seen(match, {"C1": _kinds("card n3")}).status is Status.SETTLED
    assert _seen(match, {"C1": _kinds("card n4")}).status is Status.MOVE
    assert _seen(match, {"3": _kinds("figure white")}).status is not Status.SETTLED


def test_a_theft_names_its_price_if_that_lies_open_and_else_leaves_it_open() -> None:
    match = _match(*TRILITHON, display="n26 n27 t-red")
    ahead = _after(
        match, "p1 build", "p1 draw", "dealer draw p1 ?", "p1 steal p0 n11,n17", "p1 occupy T3"
    )
    priced = _seen(match, {"C1": _kinds("card n11", "card n17")}, ahead)
    assert [move.text for move in priced.moves][-2:] == ["p1 steal p0 n11,n17", "p1 occupy T3"]
    unpriced = _seen(match, {}, ahead)
    assert [move.text for move in unpriced.moves][-2:] == ["p1 steal p0 ?", "p1 occupy T3"]
    match = _after(match, *[move.text for move in unpriced.moves])
    # It may be shown afterwards; other cards are still to be taken away.
    assert _seen(match, {"C1": _kinds("card n11", "card n17")}).status is Status.SETTLED
    assert _seen(match, {"C1": _kinds("card n8", "card n10")}).status is not Status.SETTLED


def test_a_price_that_nobody_saw_must_have_been_possible() -> None:
    steps = ("p1 build", "p1 draw", "dealer draw p1 ?")
    match = _match(*TRILITHON, *steps, display="n26 n27 t-red")
    assert match.why_not("p1 steal p2 ?")[0].code == "no_trilithon"
    assert not match.why_not("p1 steal p0 ?")
    match.push("p1 steal p0 ?")
    sizes = match.state.cards.hand_size
    assert (sizes[0], sizes[1]) == (4, 1)
    # Players who may have given them away, and those who may have got them, may play them.
    assert match.state.cards.holds(0, 10) and match.state.cards.holds(1, 10)
    assert match.state.problems() == []
    assert GAME.read_unchecked(match.state.to_json()).to_json() == match.state.to_json()
    dealt = Match(GAME, 3, seed=1)
    assert dealt.why_not("p1 steal p0 ?")[0].code == "unknown_move"


def test_in_chosen_colours_the_druids_are_told_apart_too() -> None:
    match = Match(GAME, 3, {"colours": "red,white,blue"}, physical=True)
    match.deal()
    for card in ("n25", "n26", "n27"):
        match.push(f"dealer draw display {card}")
    match.push("dealer start p0")
    assert _read(match, _after(match, "p0 play n3", "p0 occupy 9")) == ["p0 play n3", "p0 occupy 9"]
