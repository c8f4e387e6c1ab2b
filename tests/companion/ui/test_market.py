"""Cards for sale on the screen: what a touch does, what is lit, what is said, what stays hidden."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.match.hands import Hand
from companion.match.view import PlayMove, PlayMoves, TableState, Undo
from companion.presentation.market import CardTile, Pen, sells_cards, stall_of
from companion.presentation.words.sentences import teller_of
from rules.core import Place
from rules.games import find_game
from rules.games.dominion.components import CARDS
from rules.match import Match
from rules.telling import Teller
from tests.companion.ui.conftest import Opened
from tests.support.dominion_screen import DominionScreen, dominion, match_of
from tests.support.market import touch_market
from tests.support.sweep import widely
from tests.support.ui_harness import (
    LANGS,
    SIZES,
    badly_set,
    key,
    need_screen,
    tap,
    tick,
    too_small,
    view_of,
)

ANNA = "copper×4 estate / copper×3 estate×2 /"
BEN = "copper×5 / copper×2 estate×3 /"


@pytest.fixture(autouse=True)
def _screen() -> None:
    need_screen()


# -- the worked example -----------------------------------------------------------------------


def test_four_coppers_and_a_purchase_are_three_touches_with_the_handover() -> None:
    with dominion(ANNA, BEN) as screen:
        screen.press("◉")
        assert screen.yellow() == ["Alle Geldkarten spielen"]
        assert "+4 Geld, dann 4" in screen.words
        screen.press("Alle Geldkarten spielen")
        screen.touch("smithy")
        assert screen.touches == 3
        assert [str(entry.move) for entry in screen.match.log[:5]] == [
            *["p0 play copper"] * 4, "p0 buy smithy",
        ]  # fmt: skip
        assert screen.screen.covered
        assert "Anna: 4\u00a0Kupfer → Schmiede" in screen.words
        assert screen.desk.wares.tile_of("smithy")[0].gained == 1


def test_a_purchase_is_taken_back_beside_what_says_it() -> None:
    with dominion(ANNA, BEN) as screen:
        screen.press("◉")
        screen.press("Alle Geldkarten spielen")
        screen.touch("smithy")
        assert screen.screen.covered
        screen.press("↺")
        assert screen.table.intents[-1] == Undo()


# -- lit and dimmed ---------------------------------------------------------------------------


def test_what_can_be_paid_for_is_lit_and_the_rest_says_why_not() -> None:
    with dominion(ANNA, BEN, moves=("p0 play copper",) * 3) as screen:
        screen.press("◉")
        assert {"silver", "village", "cellar"} <= screen.lit
        assert not {"smithy", "gold", "province"} & screen.lit
        before = screen.match.ply
        screen.touch("smithy")
        assert screen.match.ply == before and screen.table.intents == []
        assert "Kostet 4, übrig ist noch Geld für 3." in screen.words
        screen.touch("estate", of_hand=True)
        assert "Punkte und Flüche zählen erst am Ende." in screen.words


def test_the_keys_of_the_desk_are_on_the_side_of_the_hand_that_touches() -> None:
    from companion.ui.theme.style import style

    with dominion(ANNA, BEN) as screen:
        screen.press("◉")
        end = key(screen.screen, "Zug beenden")
        assert end.x > screen.desk.hand.right
        style.change(hand="left")
        screen.show()
        end, undo, menu = (key(screen.screen, text) for text in ("Zug beenden", "↺", "☰"))
        assert end.right < screen.desk.hand.x
        assert max(end.center_x, undo.center_x, menu.center_x) < screen.desk.center_x


def test_ending_the_turn_is_yellow_only_when_nothing_is_left_to_want() -> None:
    with dominion("market copper / copper×9 /", BEN) as screen:
        screen.press("◉")
        assert screen.yellow() == []
        assert "+1 Geld, Aktionen vorbei" in screen.words
    with dominion("estate×3 curse / copper×9 /", BEN) as screen:
        screen.press("◉")
        assert screen.yellow() == ["Zug beenden"]


def test_reading_a_card_changes_nothing_and_offers_to_buy_it() -> None:
    with dominion(ANNA, BEN, moves=("p0 play copper",) * 2) as screen:
        screen.press("◉")
        screen.rest_on("moat")
        assert "Dieser Angriff trifft dich nicht." in screen.words
        screen.press("Schließen")
        assert screen.table.intents == []
        screen.rest_on("moat")
        screen.press("Kaufen für 2")
        assert str(screen.match.log[2].move) == "p0 buy moat"


def test_a_dear_card_can_be_read_but_not_bought() -> None:
    with dominion(ANNA, BEN) as screen:
        screen.press("◉")
        screen.rest_on("province")
        assert screen.yellow() == []


# -- secrets ----------------------------------------------------------------------------------


def test_a_covered_hand_is_nowhere_on_the_screen() -> None:
    with dominion("village copper×2 / copper×7 /", BEN) as screen:
        assert screen.screen.covered and screen.hand == {} and screen.lit == set()
        screen.press("◉")
        assert screen.hand == {"village": 1, "copper": 2}
        screen.press("◌")
        assert screen.hand == {} and screen.lit == set()


def test_what_everybody_may_know_of_the_market_names_no_hand() -> None:
    """Two positions that differ only in hands look the same."""
    one = match_of("village smithy / copper×3 /", BEN)
    other = match_of("copper×2 / copper village smithy /", BEN)
    assert one.game.touch.market(one.state) == other.game.touch.market(other.state)


# -- what cards ask ---------------------------------------------------------------------------

BIG: dict[str, Any] = {"kingdom": "big-money"}
WILD: dict[str, Any] = {"kingdom": "interaction"}
THIEVES: dict[str, Any] = {"kingdom": "size-distortion"}
SQUARE: dict[str, Any] = {"kingdom": "village-square"}
ASKED: dict[str, tuple[tuple[str, ...], dict[str, Any], tuple[str, ...], str, set[str]]] = {
    # seats, kingdom, moves, words, lit
    "moat": (("militia / copper×9 /", "moat copper / copper×9 /"), {}, ("p0 play militia",),
             "Burggraben zeigen", {"moat"}),
    "militia": (("militia / copper×9 /", "gold silver copper estate / copper×9 /"), {},
                ("p0 play militia", "p1 none"), "bis du nur noch drei hast",
                {"gold", "silver", "copper", "estate"}),
    "cellar": (("cellar estate copper / copper×9 /", BEN), {}, ("p0 play cellar",),
               "Für jede Karte ziehst du eine neue", {"estate", "copper"}),
    "chapel": (("chapel estate copper / copper×9 /", BEN), BIG, ("p0 play chapel",),
               "Entsorge bis zu vier", {"estate", "copper"}),
    "remodel": (("remodel estate gold / copper×9 /", BEN), {},
                ("p0 play remodel", "p0 trash estate"), "die höchstens 4 kostet",
                {"smithy", "militia", "silver"}),
    "mine": (("mine copper estate / copper×9 /", BEN), {}, ("p0 play mine",),
             "Entsorge eine Geldkarte", {"copper"}),
    "feast": (("feast / copper×9 /", BEN), THIEVES, ("p0 play feast",),
              "die höchstens 5 kostet", {"duchy", "witch", "laboratory"}),
    "thief": (("thief / copper×9 /", "copper / silver gold /"), THIEVES, ("p0 play thief",),
              "Welche aufgedeckte Geldkarte von Ben", {"silver", "gold"}),
    "loot": (("thief / copper×9 /", "copper / silver gold /"), THIEVES,
             ("p0 play thief", "p0 trash p1 gold"), "nimmst du?", {"gold"}),
    "spy": (("spy / copper×9 /", BEN), WILD, ("p0 play spy", "p1 none"),
            "Anna hat aufgedeckt: Kupfer", set()),
    "throne": (("throne-room market estate / copper×9 /", BEN), SQUARE,
               ("p0 play throne-room",), "zweimal wirken", {"market"}),
    "bureaucrat": (("bureaucrat / copper×9 /", "estate copper / copper×9 /"), BIG,
                   ("p0 play bureaucrat",), "Lege eine Punktekarte", {"estate"}),
    "chancellor": (("chancellor / copper×9 /", BEN), BIG, ("p0 play chancellor",),
                   "ganzen Nachziehstapel ablegen?", set()),
    "library": (("library copper×3 / militia×5 /", BEN), WILD, ("p0 play library",),
                "Zur Seite legen", set()),
}  # fmt: skip


@pytest.mark.parametrize("asked", widely(list(ASKED), most=3))
def test_what_a_card_asks_is_answered_on_the_hand_and_the_supply(asked: str) -> None:
    seats, options, moves, words, lit = ASKED[asked]
    with dominion(*seats, moves=moves, **options) as screen:
        if screen.screen.covered:
            screen.press("◉")
        assert words in screen.words
        shown = {kind for kind in screen.lit if kind in lit} if asked in ("feast", "remodel") else (
            screen.lit
        )  # fmt: skip
        assert shown == lit
        for move in screen.match.legal_moves():
            ply = screen.match.ply
            assert touch_market(screen.screen, move, screen._tap)
            assert screen.match.log[ply].move == move
            screen.match.pop()
            while screen.match.ply > ply:
                screen.match.pop()
            screen.show()
            if screen.screen.covered:
                screen.press("◉")


def test_answers_are_keys_and_what_leaves_things_as_they_are_comes_first() -> None:
    match = match_of("chancellor / copper×9 /", BEN, kingdom="big-money")
    match.push("p0 play chancellor")
    view = view_of(match)
    stall = stall_of(view, Hand(0), Pen.PLAY, teller_of(view, "en"))
    assert [answer.text for answer in stall.answers] == ["Leave it", "Discard it"]
    match = match_of("spy / copper×9 /", BEN, kingdom="interaction")
    match.push("p0 play spy")
    match.deal()
    match.push("p1 none")
    match.deal()
    view = view_of(match)
    stall = stall_of(view, Hand(0), Pen.PLAY, teller_of(view, "en"))
    assert [answer.text for answer in stall.answers] == ["Put it back", "Discard it"]


# -- places -----------------------------------------------------------------------------------


def test_the_supply_keeps_its_places_for_a_whole_match() -> None:
    match, chance = Match("dominion", 2, seed=5), Random(5)
    orders = set()
    while match.outcome is None and match.ply < 900:
        match.deal()
        if match.outcome is None:
            market = match.game.touch.market(match.state)
            assert market is not None
            orders.add(tuple(ware.kind for ware in market.wares))
            match.push(match.state.choose(match.legal_moves(), chance))
    assert len(orders) == 1


@pytest.mark.parametrize(("size", "text"), widely(SIZES, ["normal", "largest"]))
def test_a_hand_of_twelve_kinds_fits_and_no_word_is_clipped(
    size: tuple[int, int], text: str
) -> None:
    from companion.ui.theme.style import style

    hand = "market smithy village moat militia remodel mine workshop copper×4 silver gold estate"
    screen = DominionScreen(match_of(f"{hand} / copper×5 /", BEN), size)
    try:
        style.change(text=text)
        tick(2)
        assert badly_set(screen.screen) + too_small(screen.screen) == []
        screen.press("◉")
        assert len(screen.hand) == 12 and screen.hand["copper"] == 4
        assert badly_set(screen.screen) + too_small(screen.screen) == []
        for field in (screen.desk.wares, screen.desk.hand):
            x, y = field.pos
            for left, low, width, height in field.cells:
                assert x - 1 <= left and left + width <= x + field.width + 1
                assert y - 1 <= low and low + height <= y + field.height + 1
                assert min(width, height) >= 44 * style.factor
    finally:
        style.change(text="normal")
        screen.close()


# -- choosing the kingdom, and real cards --------------------------------------------------------


def test_the_kingdom_is_chosen_in_public(opened: Opened[DominionScreen]) -> None:
    screen = opened(DominionScreen(Match("dominion", 3, {"kingdom": "choose"}, seed=2)))
    assert not screen.screen.covered
    assert len(screen.lit) == 25
    screen.touch("witch")
    screen.touch("witch")
    assert "Schon dabei: Hexe" in screen.words
    assert [str(entry.move) for entry in screen.match.log] == ["p0 kingdom witch"]


def test_with_real_cards_it_is_said_whether_one_was_played_or_bought() -> None:
    with dominion(ANNA, BEN, physical=True) as screen:
        screen.touch("copper")
        screen.touch("copper")
        screen.press("Gekauft")
        screen.touch("cellar")
        intents = [i.move for i in screen.table.intents if isinstance(i, PlayMove)]
        assert [str(move) for move in intents] == [
            "p0 play copper", "p0 play copper", "p0 buy cellar",
        ]  # fmt: skip


def test_where_a_camera_watches_real_cards_the_board_and_its_guidance_are_shown() -> None:
    match = match_of(ANNA, BEN, physical=True)
    watched = (TableState.SETTLED, TableState.PENDING, TableState.DESYNC, TableState.ILLEGAL)
    assert not any(sells_cards(view_of(match, state)) for state in watched)
    assert sells_cards(view_of(match, TableState.BLIND, blind_reason="no_camera"))
    assert not sells_cards(view_of(match, TableState.BLIND, blind_reason="board_lost"))
    dealt = match_of(ANNA, BEN)
    assert all(sells_cards(view_of(dealt, state)) for state in TableState)


def test_all_treasures_are_one_entry() -> None:
    with dominion("gold silver copper×2 / copper×6 /", BEN) as screen:
        screen.press("◉")
        screen.press("Alle Geldkarten spielen")
        (intent,) = screen.table.intents
        assert isinstance(intent, PlayMoves)
        assert [move.args[0] for move in intent.moves] == ["gold", "silver", "copper", "copper"]


# -- whole matches ------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "kingdom"),
    widely([2, 3, 4], ["interaction", "size-distortion", "village-square"]),
)
def test_a_whole_match_takes_touches_of_what_is_lit(
    players: int, kingdom: str, opened: Opened[DominionScreen]
) -> None:
    match, chance = Match("dominion", players, {"kingdom": kingdom}, seed=players), Random(players)
    screen = opened(DominionScreen(match))
    while match.outcome is None and match.ply < 1200:
        if screen.screen.covered:
            screen.press("◉")
        move = match.state.choose(match.legal_moves(), chance)
        ply = match.ply
        assert touch_market(screen.screen, move, screen._tap)
        assert match.log[ply].move == move
    assert match.outcome is not None


# -- data ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_card_has_a_picture_and_a_text_of_its_own(lang: str) -> None:
    game = find_game("dominion")
    teller = Teller(game, lang, game.colours(2, {}))
    pictures = game.touch.pictures()
    assert game.touch.pictures() is pictures, "every card of a screen asks: a file is read once"
    assert set(pictures) == set(CARDS)
    assert len({tuple(picture) for picture in pictures.values()}) == len(CARDS)
    texts = {teller.rule(f"8.4-{card}").text for card in CARDS}
    assert len(texts) == len(CARDS)


def test_places_of_a_market_are_those_of_its_moves() -> None:
    match = match_of(ANNA, BEN)
    market = match.game.touch.market(match.state)
    assert market is not None
    assert market.places == {"play": Place.HAND, "buy": Place.WARES}


@pytest.mark.parametrize("lang", LANGS)
def test_names_on_cards_grow_with_the_text_where_they_have_room(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kivy.graphics import InstructionGroup

    from companion.ui.drawing import cards
    from companion.ui.drawing.cards import SMALLEST, extent
    from companion.ui.theme.style import style

    written: dict[str, tuple[float, float]] = {}

    def note(_group: object, text: str, px: float, _at: object, room: float, *_: object,
             **__: object) -> None:  # fmt: skip
        written[text] = (px, room)

    monkeypatch.setattr(cards, "write", note)
    teller = Teller(find_game("dominion"), lang, ("",))
    sizes: dict[str, dict[str, float]] = {}
    style.use_size(800, 480)
    try:
        for text in ("normal", "large", "largest"):
            style.change(text=text)
            for card in CARDS:
                tile = CardTile(
                    card, teller.kind(card), teller.broken(card), "action", "", "", 4, 10
                )
                written.clear()
                cards.draw_ware(InstructionGroup(), "dominion", tile, (0.0, 0.0, 123.0, 69.0))
                names = [part for part in (tile.name, *tile.lines) if part in written]
                for part in dict.fromkeys(names):
                    px, room = written[part]
                    assert extent(part, px * SMALLEST) <= room * 1.06, f"{part} is narrowed"
                sizes.setdefault(card, {})[text] = written[names[0]][0]
    finally:
        style.change(text="normal")
    assert all(s["normal"] <= s["large"] <= s["largest"] for s in sizes.values())
    assert sum(s["largest"] > s["normal"] * 1.2 for s in sizes.values()) >= len(sizes) / 3


def test_only_cards_that_look_different_are_drawn_again() -> None:
    from companion.ui.widgets.card_field import CardField

    drawn: list[str] = []
    with dominion(ANNA, BEN) as screen:
        screen.press("◉")
        wares, cells = screen.desk.wares.tiles, screen.desk.wares.cells
    field = CardField(lambda _group, _game, tile, _cell: drawn.append(tile.kind), print, print)
    field.show("dominion", wares, cells)
    assert drawn == [tile.kind for tile in wares]
    drawn.clear()
    fewer = replace(wares[0], count=wares[0].count - 1)
    why = [replace(tile, why="It is too dear now.") for tile in wares[1:]]
    field.show("dominion", (fewer, *why), cells)
    assert drawn == [wares[0].kind]


def test_a_curse_is_half_lit_and_asks_once_before_it_is_bought() -> None:
    with dominion(ANNA, BEN) as screen:
        screen.press("◉")
        tile, _at = screen.desk.wares.tile_of("curse")
        assert tile.asks and tile.lit
        screen.touch("curse")
        assert "p0 buy curse" not in [str(entry.move) for entry in screen.match.log]
        assert "Fluch kostet Punkte" in screen.words
        screen.touch("curse")
        assert "p0 buy curse" in [str(entry.move) for entry in screen.match.log]


def test_a_touch_beside_its_keys_puts_a_card_that_was_read_away() -> None:
    with dominion(ANNA, BEN) as screen:
        screen.press("◉")
        screen.rest_on("smithy")
        assert screen.desk.reader is not None
        tap(screen.screen.width * 0.2, screen.screen.height * 0.5)
        assert screen.desk.reader is None
        assert not [entry for entry in screen.match.log if entry.move.verb == "buy"]
