"""Trilithen Knallen at a table and a screen: pictures, turned cards, and places that say a move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from rules.box import load_box
from rules.core import Layout, Move, Result
from rules.games.trilithen_knallen import GAME
from rules.games.trilithen_knallen.components import SPOTS
from rules.games.trilithen_knallen.layout import BACK_ITEM, FACE_ITEM
from rules.games.trilithen_knallen.state import Phase, TrilithenState
from rules.match import Match
from rules.reading.reading import Reading, Status, read
from rules.reading.sighting import EMPTY, Look, SiteBelief, Stray, looks
from rules.reading.since import Opening, Since
from rules.telling import Teller
from rules.testing.pictures import draw
from tests.support.rulings import legal, play
from tests.support.scenes.turns import Pace, Verdict, looks_at_turns
from tests.support.trilithen_table import NEEDED, SPOTS_OF_Q, TWO, position

BOX = load_box(GAME.box).for_game(GAME.id)


class Picture:
    """A good picture of a layout."""

    hand = False
    strays: Sequence[Stray] = ()

    def __init__(self, layout: Layout) -> None:
        wanted: Mapping[str, Look] = looks(layout)
        self.sites = {
            site: SiteBelief(
                {wanted.get(site, EMPTY): -0.01} | ({EMPTY: -9.0} if site in wanted else {})
            )
            for site in BOX.sites
            if not site.endswith("area")
        }


def _match(*moves: str) -> Match:
    match = Match(GAME, 3, physical=True)
    colours = ("white", "blue", "green", "yellow", "red")
    for field in range(30):
        match.push(f"dealer bar {field + 1} {colours[field % 5]}")
    match.deal()
    for move in ("dealer start p0", *moves):
        match.push(move)
        match.deal()
    return match


def _seen(match: Match, layout: Layout) -> Reading:
    return read(match, Picture(layout))


def _after(match: Match, *moves: str) -> Match:
    ahead = match.clone()
    for move in moves:
        ahead.push(move)
    return ahead


def _still_up(match: Match) -> Layout:
    """The layout with the cards of the turn that has just ended face up."""
    state = match.state
    face = {SPOTS[spot]: FACE_ITEM[spot][state.card[spot]] for spot in state.turned_back}
    return Counter(face.get(item.site, item) for item in match.layout)


def _texts(moves: Sequence[Move]) -> list[str]:
    return [move.text for move in moves if move.verb != "draw"]


RAMMING = ("p0 place white d1 2", "p1 place blue d6 7", "p1 ram blue ccw")


def test_thirty_bars_are_read_from_one_picture() -> None:
    reading = _seen(Match(GAME, 3, physical=True), _match().layout)
    assert reading.status is Status.MOVE
    assert [move.verb for move in reading.moves[:30]] == ["bar"] * 30


def test_the_card_on_the_discard_pile_tells_which_pillar_it_placed() -> None:
    match = _match()
    for move in ("p0 place white d1 2", "p0 place white d2 1"):
        assert _texts(_seen(match, _after(match, move).layout).moves) == [move]


def test_a_card_turned_up_is_read_without_a_tap() -> None:
    match = _match(*RAMMING)
    moves = ["p1 flip A7", "dealer show A7 n1"]
    assert _texts(_seen(match, _after(match, "p1 flip A7", "dealer show A7 n5").layout).moves) == [
        "p1 flip A7", "dealer show A7 n5",
    ]  # fmt: skip
    wrong = _after(match, *moves)
    still_up = _still_up(wrong)
    assert _texts(_seen(match, still_up).moves) == moves


def test_a_card_known_before_is_read_when_it_is_turned_up_again() -> None:
    match = _match(*RAMMING, "p1 flip A7", "dealer show A7 n1")
    for move in ("p2 place green d10 11", "p2 ram green ccw"):
        match.push(move)
    ahead = _after(match, "p2 flip A7", "dealer show A7 n1")
    still_up = _still_up(ahead)
    assert _texts(_seen(match, still_up).moves) == ["p2 flip A7", "dealer show A7 n1"]


def test_after_a_turn_cards_may_lie_face_up_or_be_turned_back() -> None:
    match = _match(*RAMMING, "p1 flip A7", "dealer show A7 n1")
    still_up = _still_up(match)
    for layout in (still_up, match.layout):
        assert _seen(match, layout).status is Status.SETTLED


def test_the_rammer_on_its_way_disturbs_nobody() -> None:
    match = _match(*RAMMING, "p1 flip A7", "dealer show A7 n5")
    (rammer,) = [item for item in match.layout if item.kind == "trilithon blue"]
    for steps in (1, 2, 3):
        on_its_way = rammer._replace(site=f"track-{int(rammer.site[6:]) - steps}")
        layout = match.layout - Counter([rammer]) + Counter([on_its_way])
        assert _seen(match, layout).status is Status.SETTLED


def test_cards_turned_back_before_the_rammer_moves_end_the_ram_and_take_nothing_back() -> None:
    match = _match(*RAMMING, "p1 flip A7", "dealer show A7 n5", "p1 flip A2", "dealer show A2 n4")
    openings = tuple(Opening(number, 1.5, concluded=True) for number in (2, 4))
    since = Since(hands_s=1.0, elapsed_s=6.0, openings=openings)
    lying = Counter(item for item in match.layout if item.kind != "trilithon blue")
    for name in ("A7", "A2"):
        spot = SPOTS.index(name)
        lying = (
            lying - Counter([FACE_ITEM[spot][match.state.card[spot]]]) + Counter([BACK_ITEM[spot]])
        )
        reading = read(match, Picture(lying), since=since)
        assert (reading.status, reading.moves) == (Status.PENDING, ())
    ended = _after(match, "p1 ride 0").layout
    assert _texts(read(match, Picture(ended), since=since).moves) == ["p1 ride 0"]


def test_what_lies_at_a_pile_that_the_record_has_is_no_supply() -> None:
    match = _match(*RAMMING)
    turn = ["p1 flip A7", "dealer show A7 n5", "p1 flip A2", "dealer show A2 n4"]
    seen = draw(BOX, _after(match, *turn).layout)
    assert EMPTY in seen.sites["discard-pile"].plausible, "the eye knows no record"
    assert _texts(read(match, seen).moves) == turn
    # No offence is told while a sticker is in doubt.
    out_of_turn = _match(RAMMING[0])
    out_of_turn.state.apply(Move.parse("p2 place green d10 11"))
    told = read(_match(RAMMING[0]), draw(BOX, out_of_turn.state.layout()))
    assert told.status is Status.ILLEGAL


def test_what_cards_of_later_turns_have_covered_is_not_made_up() -> None:
    # White is placed, and placed again two turns later: where it stood meanwhile nobody can tell.
    looks_at = looks_at_turns(GAME.id, 2, 3, Pace.STEPS)
    judged = [judged for judged, _ in zip(looks_at, range(3), strict=False)]
    assert [move.text for move in judged[1].played if move.verb == "place"][::3] == [
        "p0 place white d21 22", "p0 place white d6 7",
    ]  # fmt: skip
    assert (judged[1].reading.status, judged[1].reading.moves) == (Status.PENDING, ())


def test_nobody_is_asked_for_a_direction_that_the_next_card_tells() -> None:
    match = _match("p0 place white d1 2", "p1 place blue d15 16")
    right = _after(match, "p1 ram blue cw", "p1 flip A7", "dealer show A7 n2")
    assert _seen(match, right.layout).status is Status.PENDING
    right.push("p1 flip A3")
    right.push("dealer show A3 n3")
    assert _texts(_seen(match, right.layout).moves)[0] == "p1 ram blue cw"


def test_which_cards_were_turned_back_is_nobodys_question() -> None:
    match = _match(*RAMMING)
    one, other = (
        _after(match, "p1 flip A7", f"dealer show A7 {card}", "dealer draw p1 ?").state
        for card in ("n1", "n2")
    )
    assert GAME.inference.essence(one) != GAME.inference.essence(match.state)
    for state in (one, other):
        state.apply(Move.parse("p2 place green d20 21"))
    assert GAME.inference.essence(one) == GAME.inference.essence(other)


def test_two_who_played_on_since_do_not_hide_how_far_a_rammer_came() -> None:
    match = _match(*RAMMING, "p1 flip A7", "dealer show A7 n5")
    ahead = match.clone()
    since = ["p2 place green d7 6", "p0 place white d8 9"]
    for move in ("p1 flip A2", "dealer show A2 n4", "p1 flip A1", "dealer show A1 n10", *since):
        ahead.push(move)
        ahead.deal()
    assert _texts(_seen(match, ahead.layout).moves) == ["p1 ride 1", *since]


def test_with_two_players_a_trilithon_that_stood_elsewhere_meanwhile_accuses_nobody() -> None:
    judged = islice(looks_at_turns(GAME.id, 2, 8821, Pace.STEPS), 15)
    assert Verdict.ACCUSED not in {look.verdict for look in judged}


def test_who_only_pushed_somebody_on_is_not_said_to_have_ridden_before() -> None:
    # Blue waits for its ram; its first card is wrong and turned back before anybody looks.
    match = _match("p0 place white d14 15", "p1 place blue d17 18")
    wrong = _after(match, "p1 ram blue ccw", "p1 flip A3", "dealer show A3 n10", "dealer draw p1 ?")
    turn = ["p2 place green d20 21", "p2 ram green ccw", "p2 flip A1", "dealer show A1 n4"]
    ahead = _after(wrong, *turn, "p2 flip A2", "dealer show A2 n3")
    reading = read(match, draw(BOX, ahead.layout))
    assert [move.text for move in reading.moves if move.verb == "ride"] == ["p1 ride 0"]


def test_hands_that_had_the_time_may_have_come_there_by_a_ram() -> None:
    match = _match("p0 place white d1 2")
    placed = Picture(_after(match, "p1 place blue d6 5").layout)
    soon = read(match, placed, since=Since(hands_s=1.5, elapsed_s=3.0))
    assert _texts(soon.moves) == ["p1 place blue d6 5"]
    later = read(match, placed, since=Since(hands_s=8.0, elapsed_s=9.0))
    assert later.status is Status.AMBIGUOUS
    assert [_texts(each.moves) for each in later.candidates] == [
        ["p1 place blue d6 5"], ["p1 place blue d6 7", "p1 ram blue ccw", "p1 ride 1"],
    ]  # fmt: skip


def test_a_card_that_lay_there_meanwhile_was_played() -> None:
    match = _match("p0 place white d1 2")
    first = _after(match, "p1 place blue d6 5")
    over = _after(first, "p1 ram blue ccw", "p1 ride 0")
    over.deal()
    picture = Picture(_after(over, "p2 place green d20 21").layout)
    for card in ("d5 6", "d6 5"):
        shown = looks(_after(match, f"p1 place blue {card}").layout)
        lay = frozenset({("discard-pile", shown["discard-pile"])})
        reading = read(match, picture, since=Since(hands_s=4.5, elapsed_s=9.0, lay=lay))
        begun = {_texts(each.moves)[0] for each in reading.candidates}
        assert begun == {f"p1 place blue {card}"}


def test_after_a_new_pile_any_card_may_be_in_any_hand() -> None:
    match = _match("p0 place white d1 2")
    while match.state.deck.pile_size:
        match.state.deck.draw(1, None)
    assert not match.state.deck.holds(1, 0)
    match.state.phase = Phase.DRAW
    match.push("dealer draw p1 ?")
    # It is unknown if it was d1 that was covered and shuffled.
    assert all(match.state.deck.holds(seat, 0) for seat in range(3))


RAM = ("p0 place white d1 2", "p0 ram white cw")
GERMAN = Teller(GAME, "de", ("white", "blue", "green"), ("Anna", "Bo", "Cy"))


def turned(state: TrilithenState, spot: str, card: str) -> Result:
    play(state, f"p0 flip {spot}")
    return resulting(state, f"dealer show {spot} {card}")


def resulting(state: TrilithenState, text: str) -> Result:
    before = state.clone()
    play(state, text)
    result = GAME.touch.result(before, Move.parse(text), state)
    assert result is not None
    return result


def test_a_right_card_says_what_is_looked_for_next_and_the_same_player_goes_on() -> None:
    state = play(position(), *RAM)
    result = turned(state, "A7", "n9")
    assert (result.good, result.goes_on) == (True, True)
    assert (result.kind, result.site, result.note) == ("card n9", "A7", "green")
    assert GERMAN.facts(result) == (("Gesucht", "Grün"), ("Richtig", "1 von 4"))
    assert GERMAN.result(result).text == "Anna sucht weiter: Gelb."


def test_a_wrong_card_says_how_far_the_trilithon_rides_and_who_is_next() -> None:
    """Worked example 3: three right, then n2 instead of white; white goes to 4 and 5."""
    state = play(position(), *RAM)
    for spot, card in zip(SPOTS_OF_Q[:3], NEEDED, strict=False):
        turned(state, spot, card)
    result = turned(state, "A1", "n2")
    assert not result.good
    assert GERMAN.result(result).title == "Falsch: Nacht 2"
    assert GERMAN.result(result).text == "Weiß fährt 3 Felder. Dann ist Bo am Zug."
    assert GERMAN.facts(result)[1] == ("Richtig", "3 von 4")
    assert set(result.beside) == {("A2", "card n4"), ("A7", "card n9"), ("A11", "card n5")}


def test_the_last_right_card_says_who_was_rammed_and_what_it_brought() -> None:
    state = play(position(), *RAM)
    results = [turned(state, spot, card) for spot, card in zip(SPOTS_OF_Q, NEEDED, strict=True)]
    assert [result.code for result in results] == ["right", "right", "right", "rammed"]
    assert GERMAN.result(results[-1]).text == "Weiß rammt Blau: 3 Punkte für Anna."


def test_a_trilithon_card_is_judged_where_it_lies_after_it_has_changed_places() -> None:
    state = play(position(changing="3"), *RAM)
    swap = turned(state, "A1", "t-green")
    assert (swap.code, swap.goes_on) == ("swap", True)
    judged = resulting(state, "p0 swap A1 A9")
    assert (judged.code, judged.kind, judged.site) == ("right", "card t-green", "A9")


def test_a_secret_look_is_nobody_elses_result() -> None:
    state = play(position(), *RAM)
    for spot, card in zip(SPOTS_OF_Q, NEEDED, strict=True):
        turned(state, spot, card)
    play(state, "p1 peek A3")
    before, show = state.clone(), Move.parse("dealer show A3 n2")
    play(state, show.text)
    assert GAME.touch.result(before, show, state) is None


def places_of(state: TrilithenState) -> dict[str, tuple[str, ...]]:
    return {text: GAME.touch.places(state, Move.parse(text)) for text in legal(state)}


def test_the_only_trilithon_is_set_down_and_sent_off_with_one_touch() -> None:
    """Position P: white stands alone, so only where it goes needs to be said."""
    state = position()
    assert places_of(state)["p0 place white d1 2"] == ("track-1",)
    assert places_of(state)["p0 place white d1 30"] == ("track-30",)
    play(state, "p0 place white d1 2")
    assert places_of(state) == {
        "p0 ram white ccw": ("track-25",), "p0 ram white cw": ("track-6",),
    }  # fmt: skip


def test_with_the_same_trilithon_at_both_sides_the_side_is_touched() -> None:
    """TK22: white on 1 and 2, blue opposite; nobody else is left."""
    state = position({"white": 20, "blue": 16, "green": "destroyed"})
    play(state, "p0 place white d1 2")
    assert places_of(state) == {
        "p0 ram white ccw": ("track-29",), "p0 ram white cw": ("track-3",),
    }  # fmt: skip


def test_of_two_trilithons_one_is_taken_up_first() -> None:
    state = position(TWO, players=2, hand=(1, 6, 20, 30, 11, 12))
    moves = places_of(state)
    assert {sites[0] for sites in moves.values()} == {"track-20", "track-10"}
