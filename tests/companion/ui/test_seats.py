"""Seats and their players, by touch alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.presentation.faces import CHOICE, STONE, faces_of
from companion.presentation.setting_up.company import Playing
from companion.presentation.setting_up.options import option_values, worn_by
from companion.settings.enforcement import Enforcement
from companion.settings.people import LONGEST_NAME, MatchSetup
from rules.games import find_game, game_ids
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running, faults
from tests.support.fake_shell import FakeShell
from tests.support.sweep import widely
from tests.support.ui_harness import (
    GAME,
    LANGS,
    SIZES,
    key,
    tap_on,
    texts,
    tick,
    walk,
)

DONE = {"de": "Fertig", "en": "Done"}
START = {"de": "Losspielen", "en": "Start playing"}
LONG = ("Maximiliane", "Wilhelmine-Ann", "Ümit", "Bo", "Konstantin-Jan")


@pytest.fixture
def shell(tmp_path: Path) -> FakeShell:
    return FakeShell(tmp_path, games=game_ids())


@pytest.fixture
def seats(shell: FakeShell, opened: Opened[Running]) -> Callable[..., Running]:
    """Opens the seats of a game."""

    def start(game: str = GAME, size: tuple[int, int] = (800, 480), lang: str = "de") -> Running:
        return opened(Running(size, lang, shell, begin=lambda app: app.seats(game)))

    return start


def chairs(running: Running) -> list[Any]:
    """The seats, in the order of play."""
    from companion.ui.screens.seats.table import SeatKey, SeatTable

    (table,) = (w for w in walk(running.root) if isinstance(w, SeatTable))
    assert all(isinstance(seat, SeatKey) for seat in table._seats)
    return list(table._seats)


def swatch(running: Running, colour: str) -> Any:
    """The key of a colour on the page of a seat."""
    from companion.ui.screens.seats.table import ColourKey

    (found,) = (w for w in walk(running.screen) if isinstance(w, ColourKey) and w.text == colour)
    return found


def write(running: Running, name: str) -> None:
    """Touch the letters of a name."""
    for letter in name:
        tap_on(key(running.screen, letter if letter != " " else "␣"))


@pytest.mark.parametrize(
    ("game", "size", "lang"),
    widely(["dolmengoetter"], SIZES, LANGS, most=1)
    + [(game, SIZES[n % 2], "de") for n, game in enumerate(("dominion", "rollende_steine"))],
)
def test_seats_and_rules_fit_the_screen_for_every_game(
    seats: Callable[..., Running], shell: FakeShell, game: str, size: tuple[int, int], lang: str
) -> None:
    most = find_game(game).players[-1]
    shell.people.remember(MatchSetup(game, most, names=LONG))
    running = seats(game, size, lang)
    assert len(chairs(running)) == most
    assert faults(running.screen) == []
    tap_on(key(running.root, "§"))
    assert faults(running.screen) == []


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=1))
def test_a_name_is_written_on_the_screen_with_umlauts(
    seats: Callable[..., Running], shell: FakeShell, size: tuple[int, int], lang: str
) -> None:
    running = seats(GAME, size, lang)
    tap_on(chairs(running)[1])
    assert faults(running.screen) == []
    write(running, "Jörg")
    assert faults(running.screen) == []
    tap_on(key(running.root, DONE[lang]))
    assert chairs(running)[1].text == "Jörg"
    tap_on(key(running.root, START[lang]))
    assert shell.started[-1].names == ("", "Jörg")


def test_the_keyboard_deletes_shifts_and_has_accents(seats: Callable[..., Running]) -> None:
    running = seats()
    tap_on(chairs(running)[0])
    write(running, "Anx")
    tap_on(key(running.screen, "⌫"))
    tap_on(key(running.screen, "⇧"))
    write(running, "N A")
    assert running.screen._draft == "AnN A", "words begin with capitals by themselves"
    tap_on(key(running.screen, "123 é"))
    write(running, "é")
    assert running.screen._draft.endswith("é")


def test_a_name_longer_than_a_display_can_show_is_not_typed(
    seats: Callable[..., Running],
) -> None:
    running = seats()
    running.screen.touch_seat(0)
    for letter in "A" * (LONGEST_NAME + 3):
        running.screen._type(letter)
    assert len(running.screen._draft) == LONGEST_NAME


def test_recent_players_sit_down_with_one_touch_and_nobody_sits_twice(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    shell.people.remember(MatchSetup("dominion", 3, names=("Anna", "Bo", "Cem")))
    running = seats()
    tap_on(chairs(running)[0])
    tap_on(key(running.root, "Cem"))
    tap_on(chairs(running)[1])
    tap_on(key(running.root, "Anna"))
    assert running.screen.plan.seats == ("Cem", "Anna")
    tap_on(chairs(running)[1])
    tap_on(key(running.root, "Cem"))
    assert running.screen.plan.seats == ("Anna", "Cem"), "they change places"


def test_a_name_is_forgotten_when_somebody_asks_for_it(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    shell.people.remember(MatchSetup(GAME, 2, names=("Anna", "Bo")))
    running = seats()
    tap_on(chairs(running)[0])
    assert faults(running.screen) == []
    tap_on(key(running.root, "Namen vergessen"))
    assert shell.people.recent == ("Bo",)
    assert running.screen.plan.seats == ("", "Bo")


def faces_offered(running: Running) -> dict[str, Any]:
    """The keys of faces, by the faces."""
    from companion.ui.screens.seats.faces import FaceKey

    return {w.text: w for w in walk(running.screen) if isinstance(w, FaceKey)}


@pytest.mark.parametrize("size", SIZES)
def test_a_face_is_chosen_once_and_kept_with_the_name(
    seats: Callable[..., Running], shell: FakeShell, size: tuple[int, int]
) -> None:
    shell.people.remember(MatchSetup(GAME, 2, names=("Anna", "Wilhelmine-Ann")))
    running = seats(size=size)
    tap_on(chairs(running)[0])
    (own,) = faces_offered(running).values()
    tap_on(own)
    offered = faces_offered(running)
    assert set(offered) == {*CHOICE}
    assert [face for face, one in offered.items() if one.chosen] == [own.text]
    assert "Wilhelmine-Ann" in texts(running.screen), "whose face another one is"
    assert faults(running.screen) == []
    other = next(face for face in CHOICE if face != own.text)
    tap_on(offered[other])
    tap_on(key(running.screen, DONE["de"]))
    assert shell.people.faces == {"Anna": other}
    assert faces_of(("Anna",)) == (other,)


def test_whoever_begins_a_match_keeps_the_face_that_was_shown(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    shell.people.remember(MatchSetup(GAME, 2, names=("Anna", "Bo")))
    running = seats()
    tap_on(key(running.screen, START["de"]))
    assert set(shell.people.faces) == {"Anna", "Bo"}
    assert len({*shell.people.faces.values()}) == 2


def test_a_computer_player_has_its_own_face(seats: Callable[..., Running]) -> None:
    running = seats()
    running.screen.touch_seat(1)
    running.screen.seat_company("druid")
    running.screen.touch_seat(1)
    tick(3)
    (shown,) = faces_offered(running).values()
    assert shown.text == STONE and shown.disabled


def test_two_change_places_by_touching_both_seats(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    shell.people.remember(MatchSetup("opferroulette", 3, names=("Anna", "Bo", "Cem")))
    running = seats("opferroulette")
    tap_on(chairs(running)[0])
    tap_on(key(running.root, "⇄"))
    assert "mit dem getauscht wird" in texts(running.root)
    tap_on(chairs(running)[2])
    assert running.screen.plan.seats == ("Cem", "Bo", "Anna")


def test_a_colour_is_taken_by_touch_and_whoever_had_it_gets_the_other(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    shell.people.remember(MatchSetup("erbaut_stonehenge", 3, names=("Anna", "Bo", "Cem")))
    running = seats("erbaut_stonehenge")
    tap_on(chairs(running)[0])
    assert faults(running.screen) == []
    tap_on(swatch(running, "Rot"))
    tap_on(swatch(running, "Blau"))
    tap_on(key(running.root, DONE["de"]))
    assert running.screen._teller().colours == ("Blau", "Rot", "Grün")
    tap_on(key(running.root, "4"))
    assert running.screen._teller().colours == ("Blau", "Rot", "Grün", "Gelb")
    tap_on(key(running.root, "3"))
    tap_on(key(running.root, START["de"]))
    assert shell.started[-1].options["colours"] == "blue,red,green"


def test_the_same_people_on_other_seats_keep_their_colours() -> None:
    before = MatchSetup(
        "erbaut_stonehenge", 3, {"colours": "red,blue,green"}, names=("Anna", "Bo", "Cem")
    )
    options = worn_by(before, ("Cem", "Anna", "Bo"))
    assert options == {"colours": "green,red,blue"}


def test_players_options_referee_and_manners_are_chosen_by_touch(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    running = seats("dolmengoetter", (720, 1280), "en")
    tap_on(key(running.root, "4"))
    assert len(chairs(running)) == 4
    tap_on(key(running.root, "Rules and referee"))
    from companion.ui.widgets.choice import AnswerRow

    rows = {w.text: w for w in walk(running.screen) if isinstance(w, AnswerRow)}
    tap_on(rows["penalise"])
    rows = {w.text: w for w in walk(running.screen) if isinstance(w, AnswerRow)}
    assert rows["penalise"].chosen
    tap_on(rows["By a button"])
    running.screen.change(options={**running.screen.plan.options, "start_score": "5"})
    tap_on(key(running.root, "Done"))
    tap_on(key(running.root, "Start playing"))
    plan = shell.started[-1]
    assert (plan.game, plan.players, plan.commit) == ("dolmengoetter", 4, "button")
    assert plan.enforcement is Enforcement.PENALISE
    assert plan.options["start_score"] == "5"


def test_a_long_list_of_values_is_stepped_through(seats: Callable[..., Running]) -> None:
    from companion.ui.widgets.choice import Choice

    running = seats("dolmengoetter", lang="en")
    running.screen.show_page("rules")
    tick(3)

    def choice() -> Any:
        return next(
            w for w in walk(running.screen) if isinstance(w, Choice) and "Stones per" in texts(w)
        )

    key(choice(), "›").dispatch("on_release")
    values = find_game("dolmengoetter").options["stones"]
    assert running.screen.plan.options["stones"] == values[1]
    key(choice(), "‹").dispatch("on_release")
    assert running.screen.plan.options["stones"] == values[0]


def test_values_that_name_absent_players_are_not_offered(seats: Callable[..., Running]) -> None:
    running = seats("dominion")
    screen = running.screen
    assert "p1" in option_values(screen.plan)["last_winners"]
    assert "p2" not in option_values(screen.plan)["last_winners"]
    screen.change(players=3)
    screen.change(options={**screen.plan.options, "last_winners": "p2"})
    screen.change(players=2)
    assert "last_winners" not in screen.plan.options


def test_on_the_screen_only_starts_at_once(seats: Callable[..., Running], shell: FakeShell) -> None:
    running = seats()
    tap_on(key(running.root, "Nur Bildschirm"))
    tap_on(key(running.root, "Losspielen"))
    assert not shell.started[-1].physical
    assert "Schwarz ist am Zug" in texts(running.root)
    assert "Spiel aufbauen" not in texts(running.root)


def test_with_real_pieces_they_are_set_up_first(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    running = seats()
    tap_on(key(running.root, "Losspielen"))
    assert "Spiel aufbauen" in texts(running.root)
    assert shell.begun == 0
    tap_on(key(running.root, "Losspielen"))
    assert shell.begun == 1
    assert "Schwarz ist am Zug" in texts(running.root)


def test_going_back_from_the_setup_leaves_no_match_behind(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    running = seats()
    tap_on(key(running.root, "Losspielen"))
    tap_on(key(running.root, "←"))
    assert shell.abandoned == ["test"]
    assert len(chairs(running)) == 2


def test_the_same_people_find_their_rules_again(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    own = MatchSetup(GAME, 2, {"hidden": "on"}, Enforcement.ADVISE, ("Anna", "Bo"), commit="button")
    shell.people.remember(own)
    shell.people.remember(MatchSetup(GAME, 2, names=("Cem", "Dana")))
    running = seats()
    assert running.screen.plan.options == {}
    for seat, name in ((0, "Bo"), (1, "Anna")):
        tap_on(chairs(running)[seat])
        tap_on(key(running.root, name))
    plan = running.screen.plan
    assert (plan.options, plan.enforcement, plan.commit) == (
        {"hidden": "on"}, Enforcement.ADVISE, "button",
    )  # fmt: skip
    assert plan.names == ("Bo", "Anna")


def test_rules_chosen_by_hand_are_not_replaced_by_earlier_ones(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    shell.people.remember(MatchSetup(GAME, 2, {"hidden": "on"}, names=("Anna", "Bo")))
    shell.people.remember(MatchSetup(GAME, 2, names=("Cem", "Dana")))
    running = seats()
    running.screen.change(enforcement=Enforcement.OFF)
    for seat, name in ((0, "Anna"), (1, "Bo")):
        running.screen.touch_seat(seat)
        running.screen.name_seat(name)
    assert running.screen.plan.enforcement is Enforcement.OFF
    assert running.screen.plan.options == {}


def test_dominion_is_played_in_three_ways_and_each_is_said_in_a_sentence(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    running = seats("dominion", lang="en")
    ways = {"Camera": "Cards with stickers", "Touch": "No cards", "Ledger": "Any cards"}
    for way, sentence in ways.items():
        tap_on(key(running.screen, way))
        assert sentence in texts(running.screen)
    plan = running.screen.plan
    assert (plan.options["record"], plan.physical) == ("ledger", False)
    tap_on(key(running.screen, "Rules and referee"))
    assert "What is entered?" not in texts(running.screen)
    tap_on(key(running.screen, "Done"))
    tap_on(key(running.screen, "Camera"))
    plan = running.screen.plan
    assert (plan.options.get("record", "turns"), plan.physical) == ("turns", True)


def test_a_name_that_was_typed_survives_a_change_of_places(seats: Callable[..., Running]) -> None:
    running = seats()
    tap_on(chairs(running)[0])
    write(running, "Bo")
    tap_on(key(running.root, "⇄"))
    tap_on(chairs(running)[1])
    assert [chair.text for chair in chairs(running)] == ["Schwarz", "Bo"]


def test_seats_are_where_the_mat_has_them(seats: Callable[..., Running]) -> None:
    running = seats("dominion")
    near, left = chairs(running)
    table = near.parent
    assert abs(near.center_x - table.center_x) < 2 and near.y < table.center_y - near.height
    assert abs(left.center_y - table.center_y) < 2 and left.right < table.center_x
    running.screen._play_so(Playing.LEDGER)
    tick(3)
    near, far = chairs(running)
    assert abs(far.center_x - near.center_x) < 2, "cards of a ledger lie anywhere"


COMPUTERS = {"de": ("Lehrling", "Druide", "Großdruide"), "en": ("Apprentice", "Druid", "Archdruid")}
PERSON = {"de": "Mensch", "en": "Person"}


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=1))
def test_a_computer_player_sits_down_with_two_touches_and_gets_up_again(
    seats: Callable[..., Running], shell: FakeShell, size: tuple[int, int], lang: str
) -> None:
    shell.people.remember(MatchSetup("dolmengoetter", 3, names=LONG[:3]))
    running = seats("dolmengoetter", size, lang)
    tap_on(chairs(running)[1])
    assert faults(running.screen) == []
    tap_on(key(running.root, COMPUTERS[lang][2]))
    assert faults(running.screen) == []
    assert chairs(running)[1].text == COMPUTERS[lang][2]
    tap_on(chairs(running)[2])
    tap_on(key(running.root, COMPUTERS[lang][2]))
    assert chairs(running)[2].text == f"{COMPUTERS[lang][2]} 2"
    # Touched again and left as it is, it stays.
    tap_on(chairs(running)[1])
    tap_on(key(running.root, DONE[lang]))
    assert chairs(running)[1].text == COMPUTERS[lang][2]
    tap_on(chairs(running)[2])
    tap_on(key(running.root, PERSON[lang]))
    write(running, "Bo")
    tap_on(key(running.root, DONE[lang]))
    tap_on(key(running.root, START[lang]))
    plan = shell.started[-1]
    assert plan.computers == ("", "archdruid", "")
    assert plan.names == (LONG[0], "", "Bo")
    assert plan.physical


def test_where_nobody_may_see_its_cards_the_match_is_played_on_the_screen_and_it_says_why(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    shell.people.remember(MatchSetup(GAME, 2, options={"hidden": "on"}, names=("Anna", "Bo")))
    running = seats(GAME)
    tap_on(chairs(running)[1])
    tap_on(key(running.root, "Druide"))
    assert "niemand darf sie sehen" in texts(running.screen)
    tap_on(key(running.root, "Echte Figuren"))
    assert "niemand darf sie sehen" in texts(running.screen)
    tap_on(key(running.root, START["de"]))
    assert not shell.started[-1].physical


def test_a_game_that_computer_players_do_not_know_offers_none(
    seats: Callable[..., Running], shell: FakeShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(find_game("dominion")), "craft", "")
    running = seats("dominion")
    tap_on(chairs(running)[1])
    assert "Druide" not in texts(running.screen)


def test_tips_can_be_turned_off_for_a_match(
    seats: Callable[..., Running], shell: FakeShell
) -> None:
    running = seats(GAME)
    tap_on(key(running.root, "§"))
    running.screen.change(tips=False)
    tap_on(key(running.root, DONE["de"]))
    tick()
    tap_on(key(running.root, START["de"]))
    assert not shell.started[-1].tips
