"""Cues: what lamps, score display and voice do, per state of the table, in both languages."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.events import Asked, MatchOver, TableEvent, Trouble
from companion.match.messages import CameraGone, Seen, Tick
from companion.match.table import Table
from companion.match.view import ChooseCandidate, PlayMove, TableState, TableView, WentWrong
from companion.match.watchers.clock import TELL_S
from companion.outputs.cues import ASK, DAWN, OK, SPEECH, STOP, CueDirector, Speech
from companion.presentation.announcement import Urgency
from companion.settings.manners import Manners
from companion.settings.preferences import Spoken
from companion.words.errors import notice
from hardware.displays.cfa635 import ROM as CFA635_ROM
from hardware.displays.cfa635.simulated import Cfa635Twin
from hardware.displays.lettering import ASCII_ROM, fit
from hardware.lamps.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig
from hardware.settings import MOCK_RIG
from rules.box import load_box
from rules.games import find_game, game_ids
from rules.reading.reading import Fix
from rules.reading.sighting import Glimpse
from rules.telling import Teller
from rules.texts import LANGUAGES
from tests.support.sweep import some
from tests.support.table_setup import BOX, Hands, Look, header, tap_move
from tests.support.waiting import PATIENCE_S, until

BLACK_1, BROWN_5, BLACK_4 = "stone black 1", "stone brown 5", "stone black 4"
AGREED = Light(OK, Rhythm.STEADY)
ASKED = Light(ASK, Rhythm.SLOW_PULSE)
FORBIDDEN = Light(STOP, Rhythm.DOUBLE_BLINK)
HINT = Light(DAWN, Rhythm.SLOW_PULSE)


@dataclass
class Recorder:
    """A rig that remembers what it was told last; stands for lamps, score and sound at once."""

    columns: int = 20
    rows: int = 4
    digits: None = None
    count: int = 99
    lights: Mapping[int, Light] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    buzzed: list[Rhythm] = field(default_factory=list)

    def show(self, what: Mapping[int, Light] | Sequence[str]) -> None:
        if isinstance(what, Mapping):
            self.lights = what
        else:
            self.shown = list(what)

    def say(self, text: str) -> None:
        self.said.append(text)

    def buzz(self, rhythm: Rhythm) -> None:
        self.buzzed.append(rhythm)

    @property
    def lamps(self) -> Recorder:
        return self

    @property
    def score(self) -> Recorder:
        return self

    @property
    def sound(self) -> Recorder:
        return self


class Desk:
    """Hands at a table, and a director that hears of everything they do."""

    def __init__(
        self, lang: str = "en", enforcement: str = "enforce", clock: str = "",
        speech: Speech = SPEECH["short"],
    ) -> None:  # fmt: skip
        self.rig = Recorder()
        self.hands = Hands(enforcement, clock=clock)
        self.director = CueDirector(cast("Rig", self.rig), lang, speech=speech)
        self._send = self.hands.send
        self.hands.send = self.send  # type: ignore[method-assign]
        self.hands.look()

    def send(self, message: object, after_s: float = 0.0) -> list[TableEvent]:
        events = self._send(message, after_s)  # type: ignore[arg-type]
        self.director(self.view, events)
        return events

    @property
    def view(self) -> TableView:
        return self.hands.table.view()

    @property
    def lit(self) -> dict[str, Light]:
        """The lamps that glow, by site."""
        return {BOX.site_order[number]: light for number, light in self.rig.lights.items()}

    @property
    def text(self) -> list[str]:
        """The rows of the display."""
        return [row.rstrip() for row in fit(self.rig.shown, 20, 4, CFA635_ROM)]


# -- phones -------------------------------------------------------------------------------


def test_a_phone_that_asks_is_said_and_every_lamp_calls_for_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.outputs.cues.CALL_S", PATIENCE_S)
    desk = Desk()
    desk.hands.lay("G", BLACK_1)
    desk.rig.said.clear()
    desk.director.phone_asks(1)
    assert desk.rig.said == ["A phone asks for the seat of Brown"]
    assert desk.lit["G"] == AGREED, "what lies there is still told"
    assert set(desk.lit) == set(BOX.site_order) and len(set(desk.lit.values())) == 2
    monkeypatch.setattr("companion.outputs.cues.CALL_S", 0.0)
    desk.director.phone_asks(0)
    assert until(lambda: desk.lit == {"G": AGREED})
    desk.director.phone_asks(7)
    assert len(desk.rig.said) == 2, "there is no such seat"


# -- lamps --------------------------------------------------------------------------------


def test_an_agreed_move_glows_steadily_where_it_was_made() -> None:
    desk = Desk()
    assert desk.lit == {}
    desk.hands.lay("G", BLACK_1)
    assert desk.lit == {"G": AGREED}
    desk.hands.lay("A", BROWN_5)
    assert desk.lit == {"A": AGREED}


def test_the_glow_goes_out_when_a_hand_comes() -> None:
    desk = Desk()
    desk.hands.lay("G", BLACK_1)
    desk.hands.look(0.1, hand=True)
    assert desk.lit == {}


def test_what_is_not_allowed_blinks_twice_and_only_there() -> None:
    desk = Desk()
    desk.hands.lay("G", BLACK_1)
    desk.hands.lay("A", BROWN_5)
    desk.hands.lay("H1", "megalith brown", 5)
    assert desk.view.state is TableState.ILLEGAL
    assert desk.lit == {"H1": FORBIDDEN}
    assert desk.rig.buzzed == [Rhythm.DOUBLE_BLINK]
    desk.hands.take("H1")
    assert FORBIDDEN not in desk.lit.values()


def test_a_board_in_disorder_is_put_right_one_piece_after_the_other() -> None:
    desk = Desk()
    disorder = (
        Fix("C", (Glimpse("stone brown 2"),), ()),
        Fix("G", (), (Glimpse("stone black 1"),)),
        Fix("H", (Glimpse("stone black 1"),), ()),
    )
    desk.director(replace(desk.view, state=TableState.DESYNC, fixes=disorder), ())
    assert desk.lit == {"H": ASKED, "G": ASKED}
    desk.director(replace(desk.view, state=TableState.DESYNC, fixes=disorder[:1]), ())
    assert desk.lit == {"C": ASKED}


def test_a_refused_tap_blinks_where_it_was_meant() -> None:
    desk = Desk()
    desk.send(tap_move("p0 claim H1"))
    assert desk.view.state is TableState.ILLEGAL
    assert desk.lit == {"H1": FORBIDDEN}


def test_what_hands_must_still_lay_pulses_slowly() -> None:
    desk = Desk()
    desk.send(tap_move("p0 place 1 G"))
    desk.hands.hold_still(1)
    assert desk.view.state is TableState.PENDING
    assert desk.lit == {"G": ASKED}
    desk.hands.lay("G", BLACK_1)
    assert ASKED not in desk.lit.values()


def test_a_question_pulses_where_it_is_about() -> None:
    desk = Desk()
    desk.hands.lay("G", BLACK_1)
    desk.hands.take("G")
    desk.hands.hold_still(3)
    assert desk.view.state is TableState.AMBIGUOUS
    assert desk.lit == {"G": ASKED}
    desk.send(ChooseCandidate(0))
    assert desk.view.ply == 0
    assert desk.lit == {"G": ASKED}


def test_hints_glow_like_dawn_if_the_option_is_on() -> None:
    for chosen, wanted in (("on", {"R5": HINT}), ("off", {})):
        journal = Journal(":memory:")
        journal.create(header(hints=chosen))
        table = Table(journal, journal.header("m1"), Manners())
        rig = Recorder()
        director = CueDirector(cast("Rig", rig), "en")
        for move in ("p0 place 1 G", "p0 done", "p1 place 2 J", "p1 done", "p0 place 4 E",
                     "p0 done", "p1 place 1 O"):  # fmt: skip
            events = table.handle(tap_move(move), 0.0)
            director(table.view(), events)
        board = {"G": BLACK_1, "J": "stone brown 2", "E": BLACK_4, "O": "stone brown 1"}
        events = table.handle(Seen(Look(board)), 0.0)
        director(table.view(), events)
        assert table.state is TableState.SETTLED
        lit = {BOX.site_order[n]: light for n, light in rig.lights.items()}
        assert {site: light for site, light in lit.items() if light != AGREED} == wanted
        journal.close()


def test_lamps_stand_where_the_settings_say() -> None:
    desk = Desk()
    mine = CueDirector(
        cast("Rig", desk.rig), "en", lamp_sites={"knizia_stonehenge": {"G": (40, 41), "A": (2,)}}
    )
    desk.send(CameraGone())
    events = desk.send(tap_move("p0 place 1 G"))
    mine(desk.view, events)
    assert desk.rig.lights == {40: AGREED, 41: AGREED}, "a field may have two lamps"


def test_a_lamp_between_two_fields_shows_what_must_be_put_right() -> None:
    desk = Desk()
    for shared in ({"H": (3,), "G": (3,)}, {"G": (3,), "H": (3,)}):
        mine = CueDirector(cast("Rig", desk.rig), "en", lamp_sites={"knizia_stonehenge": shared})
        view = replace(
            desk.view,
            state=TableState.ILLEGAL,
            fixes=(Fix("H", (Glimpse(BLACK_1),), ()), Fix("G", (), (Glimpse(BLACK_1),))),
        )
        mine(view, ())
        assert desk.rig.lights == {3: FORBIDDEN}


def test_another_match_begins_in_the_dark() -> None:
    desk = Desk()
    desk.hands.lay("G", BLACK_1)
    desk.director(replace(desk.view, match_id="m2"), ())
    assert desk.lit == {}


def test_every_game_has_lamps_for_its_sites() -> None:
    director = CueDirector(cast("Rig", Recorder()), "en")
    for name in game_ids():
        box = load_box(find_game(name).box)
        lamps = director.lamp_of(box.id)
        assert set(lamps) == set(box.site_order)
        assert sorted(lamps.values()) == [(number,) for number in range(len(lamps))]


# -- display ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "rows"),
    [
        ("de", ["Schwarz ist am Zug", "Schwarz 0    Braun 0", "Ohne Kamera        1", ""]),
        ("en", ["Black to move", "Black 0      Brown 0", "No camera          1", ""]),
    ],
)
def test_the_display_shows_who_moves_the_points_and_the_state(lang: str, rows: list[str]) -> None:
    desk = Desk(lang)
    desk.send(CameraGone())
    words = Teller(find_game("knizia_stonehenge"), lang, ("black", "brown"))
    state = fit([f"{words.text('state', 'blind')}\t1"], 20, 1, CFA635_ROM)[0]
    assert desk.text[1] == rows[1]
    assert desk.text[2] == state
    prompt = desk.view.prompt
    assert prompt is not None
    assert desk.text[0] == words.prompt(prompt).title


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_display_shows_the_last_move_and_then_why_one_is_refused(lang: str) -> None:
    desk = Desk(lang)
    words = Teller(find_game("knizia_stonehenge"), lang, ("black", "brown"))
    desk.hands.lay("G", BLACK_1)
    assert desk.view.last is not None
    assert " ".join(desk.rig.shown[2:]).startswith(words.move(desk.view.last))
    desk.hands.lay("A", BROWN_5)
    desk.hands.lay("H1", "megalith brown", 5)
    told = words.objection(desk.view.objections[0])
    said = " ".join(desk.rig.shown)
    assert said.startswith(told.title)
    assert told.do in said or len(told.title) > 20  # two rows for what, none left for what to do
    assert "H1" in desk.text[0]
    desk.hands.take("H1")
    assert told.title not in " ".join(desk.rig.shown)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_display_ends_with_the_winner(lang: str) -> None:
    desk = Desk(lang)
    while desk.view.outcome is None:
        desk.send(PlayMove(desk.view.legal[-1]))
    words = Teller(find_game("knizia_stonehenge"), lang, ("black", "brown"))
    assert desk.rig.shown[0] == words.outcome(desk.view.outcome).title
    assert any(isinstance(event, MatchOver) for event in desk.hands.events)


def test_names_take_the_place_of_colours() -> None:
    desk = Desk()
    desk.director(replace(desk.view, names=("Anna", "")), ())
    assert desk.text[1].split() == ["Anna", "0", "Brown", "0"]


def test_the_language_can_change_in_the_middle() -> None:
    desk = Desk("de")
    german = desk.rig.shown
    desk.director.lang = "en"
    desk.director(desk.view, ())
    assert desk.rig.shown != german


SIZES = [(16, 1), (16, 2), (20, 2), (20, 4), (40, 4)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("players", some([2, 3, 4, 5], 2))
def test_no_number_is_ever_cut_and_no_points_are_lost(
    lang: str, columns: int, rows: int, players: int
) -> None:
    view = five_players(players)
    rig = Recorder(columns, rows)
    director = CueDirector(cast("Rig", rig), lang)
    long_names = ("Maximiliane", "Bo", "Friederike Charlotte", "Ülkü", "Jean-Baptiste")
    for names in (("",) * players, long_names[:players]):
        for points in ((0, 7, 12, 45, 98), (112, 98, 107, 45, 60), (-3, 0, 1, 2, 33)):
            director(replace(view, names=names, scores=points[:players]), ())
            for rom in (CFA635_ROM, ASCII_ROM):
                read = "\n".join(fit(rig.shown, columns, rows, rom))
                numbers = re.findall(r"-?\d+", read)
                for number in points[:players]:
                    if rom is CFA635_ROM:
                        assert str(number) in numbers, (rig.shown, read)
                wanted = re.findall(r"-?\d+", "\n".join(rig.shown))
                assert set(numbers) <= set(wanted), read


def five_players(players: int) -> TableView:
    """A view of a match for up to five."""
    options = find_game("dolmengoetter").complete_options(players, {})
    start = Header(
        "m5", "dolmengoetter", players, options, True, "1", ("",) * players, "enforce", 0.0
    )
    with Journal(":memory:") as journal:
        journal.create(start)
        return Table(journal, start, Manners()).view()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", some(game_ids()))
def test_every_game_has_words_for_the_display(name: str, lang: str) -> None:
    game = find_game(name)
    players = max(game.players)
    options = game.complete_options(players, {})
    start = Header("m", name, players, options, False, "1", ("",) * players, "enforce", 0.0)
    rig = Recorder()
    director = CueDirector(cast("Rig", rig), lang, speech=SPEECH["full"])
    with Journal(":memory:") as journal:
        journal.create(start)
        table = Table(journal, start, Manners())
        for _ in range(40):
            events = table.handle(PlayMove(table.view().legal[0]), 0.0)
            director(table.view(), events)
            assert rig.shown and all(isinstance(line, str) for line in rig.shown)
            if table.match.outcome is not None:
                break


# -- voice --------------------------------------------------------------------------------


def test_the_first_player_is_called_once() -> None:
    desk = Desk()
    desk.director(desk.view, ())
    desk.hands.hold_still(2)
    assert len(desk.rig.said) == 1
    assert "Black" in desk.rig.said[0]


def test_only_a_change_of_turn_is_spoken_and_not_to_who_has_moved_already() -> None:
    desk = Desk()
    desk.rig.said.clear()
    desk.hands.lay("G", BLACK_1)
    desk.hands.lay("A", BROWN_5)
    assert desk.rig.said == []
    desk.send(tap_move("p1 done"))
    assert len(desk.rig.said) == 1
    assert "Black" in desk.rig.said[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_is_spoken_once_with_what_to_do(lang: str) -> None:
    desk = Desk(lang)
    desk.hands.lay("G", BLACK_1)
    desk.hands.lay("A", BROWN_5)
    desk.rig.said.clear()
    desk.hands.lay("H1", "megalith brown", 20)
    words = Teller(find_game("knizia_stonehenge"), lang, ("black", "brown"))
    told = words.objection(desk.view.objections[0])
    assert len(desk.rig.said) == 1
    assert told.title.rstrip(".") in desk.rig.said[0]
    assert told.do.rstrip(".") in desk.rig.said[0]


def test_a_penalty_does_not_say_the_same_twice() -> None:
    desk = Desk(enforcement="penalise")
    desk.hands.lay("G", BLACK_1)
    desk.hands.lay("A", BROWN_5)
    desk.rig.said.clear()
    desk.hands.lay("H1", "megalith brown", 5)
    (said,) = desk.rig.said
    sentences = said.split(". ")
    assert len(sentences) == len(set(sentences))


def test_moves_are_spoken_where_that_is_wanted() -> None:
    desk = Desk(speech=SPEECH["full"])
    desk.rig.said.clear()
    desk.hands.lay("G", BLACK_1)
    assert len(desk.rig.said) == 1
    assert "G" in desk.rig.said[0]


def test_a_quiet_voice_says_nothing_while_all_is_well() -> None:
    desk = Desk(speech=SPEECH["quiet"])
    while desk.view.outcome is None:
        desk.send(PlayMove(desk.view.legal[-1]))
    assert desk.rig.said == []


def test_a_trouble_that_lasts_is_spoken_once() -> None:
    desk = Desk()
    desk.rig.said.clear()
    full = notice("disk_full")
    for _ in range(5):
        desk.director(replace(desk.view, wrong=WentWrong(full)), [Trouble(full)])
    assert desk.rig.said == ["no space is left on the disk"]


@pytest.mark.parametrize(
    ("lang", "kept", "said"),
    [
        ("en", True, "Something went wrong. What was agreed is safe"),
        ("de", True, "Da ging etwas schief. Was vereinbart ist, ist sicher"),
        ("en", False, "the journal journal.db cannot be written: no space is left on the disk; no"),
        ("de", False, "Das Protokoll journal.db lässt sich nicht schreiben: kein Platz mehr frei;"),
    ],
)
def test_a_trouble_is_spoken_in_the_voices_language(lang: str, kept: bool, said: str) -> None:
    file = Path("/var/lib/heelstone/journal.db")
    unwritten = notice("journal_unwritable", file=file, reason=notice("disk_full"))
    desk = Desk(lang)
    desk.rig.said.clear()
    desk.director(desk.view, [Trouble(None if kept else unwritten)])
    assert desk.rig.said[0].startswith(said)


def test_a_question_is_heard_in_the_rhythm_of_its_lamps() -> None:
    desk = Desk()
    desk.director(replace(desk.view, state=TableState.AMBIGUOUS), [Asked(())])
    assert desk.rig.buzzed == [Rhythm.SLOW_PULSE]
    desk.hands.lay("G", BLACK_1)
    assert desk.rig.buzzed == [Rhythm.SLOW_PULSE], "what is well is not heard"


def test_when_a_match_ends_its_lamps_go_dark() -> None:
    desk = Desk()
    desk.send(CameraGone())
    desk.send(tap_move("p0 claim H1"))
    while desk.view.outcome is None:
        desk.send(PlayMove(desk.view.legal[-1]))
    assert desk.lit == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_counts_now_is_said_again_by_a_quiet_voice_too(lang: str) -> None:
    desk = Desk(lang, speech=SPEECH["quiet"])
    words = Teller(find_game("knizia_stonehenge"), lang, ("black", "brown"))
    desk.director.say_again()
    assert desk.view.prompt is not None
    assert desk.rig.said[-1].startswith(words.prompt(desk.view.prompt).title.rstrip("."))
    desk.hands.lay("G", BLACK_1)
    desk.hands.lay("A", BROWN_5)
    desk.hands.lay("H1", "megalith brown", 5)
    desk.director.say_again()
    told = words.objection(desk.view.objections[0])
    assert told.text.rstrip(".") in desk.rig.said[-1]
    assert told.do.rstrip(".") in desk.rig.said[-1]
    assert len(desk.rig.said) == 3, "the refusal itself is never kept quiet"


# -- the whole way to a device ------------------------------------------------------------


def test_a_person_reads_it_on_the_device() -> None:
    with Rig(MOCK_RIG) as rig:
        director = CueDirector(rig, "de")
        desk = Desk("de")
        director(desk.view, ())
        twin = rig.twins["score"]
        wanted = fit(director.lines(desk.view), 20, 4, CFA635_ROM)
        assert isinstance(twin, Cfa635Twin)
        assert twin.wait_for(lambda: tuple(twin.rows()) == wanted)
        assert wanted[0].startswith("Schwarz ist am Zug")


def test_the_levels_of_the_voice_say_more_and_more() -> None:
    quiet, short, full = (SPEECH[level] for level in ("quiet", "short", "full"))
    assert quiet.least > short.least > full.least > Urgency.SHOWN
    assert full.reasons and not short.reasons


# -- the players' clock -------------------------------------------------------------------


@pytest.mark.parametrize("spoken", SPEECH)
def test_time_up_is_told_by_every_lamp_the_display_the_voice_and_the_buzzer(
    spoken: Spoken,
) -> None:
    desk = Desk(clock="turn 60", speech=SPEECH[spoken])
    desk.hands.lay("G", BLACK_1)
    desk.send(Tick(), 60)
    assert set(desk.lit.values()) == {HINT}
    assert set(desk.lit) == set(BOX.site_order)
    assert desk.rig.buzzed == [Rhythm.SLOW_PULSE]
    assert desk.rig.said[-1] == "Brown: time is up"
    desk.director.say_again()
    assert desk.rig.said[-2:] == ["Brown: time is up"] * 2
    assert desk.text[:2] == ["Brown: time is up", f"Brown{'0:00':>15}"]
    desk.rig.count = 5
    desk.director.show_again()
    assert set(desk.lit) <= {*BOX.site_order[:5], "G"}, "no lamp is asked for that there is not"
    desk.send(Tick(), TELL_S)
    assert desk.lit == {"G": AGREED}
    assert desk.rig.buzzed == [Rhythm.SLOW_PULSE]


def test_the_display_shows_seconds_only_while_something_is_played() -> None:
    desk = Desk(clock="turn 60")
    now = time.monotonic()
    desk.hands.now = now
    desk.hands.lay("G", BLACK_1)
    desk.rig.shown = []
    ends = time.monotonic() + PATIENCE_S
    while not desk.rig.shown and time.monotonic() < ends:
        time.sleep(0.01)
    assert any(line.startswith("Brown\t") for line in desk.rig.shown)
    desk.director.rest()
    time.sleep(0.05)
    desk.rig.shown = []
    time.sleep(1.2)
    assert desk.rig.shown == []
    desk.director.close()


@pytest.mark.parametrize(("lang", "said"), [("de", "Bitte setzen"), ("en", "Please set it")])
def test_a_computer_players_move_is_said_and_lit_until_hands_have_set_it(
    lang: str, said: str
) -> None:
    from dataclasses import replace as changed

    from companion.match.messages import ComputerPlays
    from rules.core import Move
    from rules.players import Reason

    journal, recorder = Journal(":memory:"), Recorder()
    there = changed(header(), id="m9", physical=True, computers=("", "druid"))
    journal.create(there)
    table = Table(journal, there, Manners())
    director = CueDirector(cast(Rig, recorder), lang)
    director(table.view(), ())
    table.handle(PlayMove(Move.parse("p0 place 3 L")), 1.0)
    since = len(table.record.told)
    chosen = ComputerPlays((Move.parse("p1 place 2 K"),), Reason("best_chances"), since)
    events = table.handle(chosen, 2.0)
    director(table.view(), events)
    assert recorder.said and said in recorder.said[-1] and "2" in recorder.said[-1]
    (lamp,) = director.lamp_of(BOX.id)["K"]
    assert recorder.lights[lamp] == ASKED
