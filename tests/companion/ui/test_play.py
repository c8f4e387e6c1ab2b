"""The play screen, drawn off-screen and touched."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import companion.ui
from companion.match.view import (
    BoardIsRight,
    CameraIsWrong,
    ChooseCandidate,
    MachineNote,
    PlayAnyway,
    Redo,
    TableState,
    TableView,
    Undo,
    WentWrong,
)
from companion.ui.shell import Ways
from companion.words.errors import notice
from rules.box import load_box
from rules.core import Move
from rules.match import Match
from rules.reading.reading import Candidate, Fix
from rules.reading.sighting import Glimpse
from tests.companion.ui.conftest import Opened
from tests.support.at_the_screen import as_people_see
from tests.support.sweep import widely
from tests.support.table_setup import tap_move
from tests.support.ui_harness import (
    GAME,
    LANGS,
    PLACES,
    SIZES,
    FakeTable,
    OnScreen,
    badly_set,
    finish,
    key,
    labels,
    need_screen,
    tap,
    tap_on,
    texts,
    tick,
    too_small,
    touch_place,
    view_of,
    walk,
)

OPENING = (
    "p0 place 2 C", "p0 done", "p1 place 5 A", "p1 done", "p0 place 4 E", "p0 done",
    "p1 place 2 J", "p1 done", "p0 place 1 G", "p0 done", "p1 place 1 O", "p1 claim R5",
    "p1 done", "p0 place 3 Q", "p0 done", "p1 place 2 R", "p1 done",
)  # fmt: skip


def opened(moves: tuple[str, ...] = OPENING) -> Match:
    match = Match(GAME, 2)
    for move in moves:
        match.push(move)
    return match


class Shown(OnScreen):
    """A play screen in the window, at a fake table."""

    def __init__(self, size: tuple[int, int], lang: str, match: Match | None = None) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.play.screen import PlayScreen

        self.left = 0
        self.table = FakeTable(match or opened())
        ways = Ways(leave=self._leave, again=self._leave, language=lambda: None, theme=lambda: None)
        self.put(PlayScreen(self.table.post, ways, now_s=lambda: 720.0, **self.room), 0)
        self.table.subscribe(self._show)
        self.show()

    def _leave(self) -> None:
        self.left += 1

    def _show(self, view: TableView) -> None:
        self.screen.show(view, self.table.score_lines, self.table.score_history)

    @property
    def asked(self) -> Any:
        """The last intent."""
        return self.table.intents[-1]

    def show(self, state: TableState = TableState.SETTLED, **changes: Any) -> None:
        self.table.send(view_of(self.table.match, state, **changes))
        tick(4)

    def tap_site(self, site: str) -> None:
        touch_place(self.screen.board, site)


@pytest.fixture(params=PLACES)
def shown(request: pytest.FixtureRequest, opened: Opened[Shown]) -> Shown:
    return opened(Shown(*request.param))


@pytest.fixture
def small(opened: Opened[Shown]) -> Shown:
    return opened(Shown((800, 480), "de"))


ILLEGAL = {
    "refused": Move.parse("p0 claim H1"),
    "fixes": (Fix("H1", (Glimpse("megalith black"),), ()),),
}
CHOICES = (
    Candidate((Move.parse("p0 place 3 D"),)),
    Candidate((Move.parse("p0 place 3 H"),)),
    Candidate((Move.parse("p0 place 5 D"), Move.parse("p0 done"))),
)
MACHINE = (
    "storage_low",
    "storage_reserve",
    "storage_full",
    "storage_read_only",
    "power_low",
    "heat_high",
    "mistake",
)
SHIFTED = (
    Fix("C", (), (Glimpse("stone black 2"),)),
    Fix("D", (Glimpse("stone black 2"),), ()),
    Fix("K", (Glimpse("stone brown 2"),), ()),
)


def test_nothing_is_clipped_or_overlaps_in_any_state(shown: Shown) -> None:
    objections = tuple(shown.table.match.why_not("p0 claim H1"))
    finished = finish(Match(GAME, 2))
    states: list[tuple[TableState, dict[str, Any]]] = [
        (TableState.SETTLED, {}),
        (TableState.SETTLED, {"can_redo": True, "names": ("Anna-Katharina", "Bartholomäus")}),
        (TableState.HAND, {}),
        (TableState.BLIND, {"blind_reason": "no_camera"}),
        (TableState.BLIND, {"blind_reason": "board_lost"}),
        (TableState.SETTLED, {"devices": {"score": "unplugged"}}),
        (TableState.SETTLED, {"devices": {"score": "unplugged", "lamps": "missing"}}),
        *((TableState.SETTLED, {"machine": (MachineNote(code),)}) for code in MACHINE),
        (TableState.ILLEGAL, {"wrong": WentWrong(notice("database_held")), **ILLEGAL}),
        (TableState.SETTLED, {"wrong": WentWrong()}),
        (TableState.ILLEGAL, {"objections": objections, **ILLEGAL}),
        (TableState.ILLEGAL, {"objections": objections, "refused": ILLEGAL["refused"]}),
        (TableState.AMBIGUOUS, {"candidates": CHOICES}),
        (TableState.AMBIGUOUS, {"candidates": (Candidate((), 1),)}),
        (TableState.PROPOSED, {"candidates": CHOICES[2:]}),
        (TableState.PENDING, {"fixes": (Fix("H3", (), (Glimpse("megalith black"),)),)}),
        (TableState.DESYNC, {"fixes": SHIFTED}),
    ]
    for state, changes in states:
        shown.show(state, **changes)
        assert badly_set(shown.screen) == [], state
        assert too_small(shown.screen) == [], state
        # What went wrong lies on a sheet above.
        shown.screen.sheets.close()
    shown.table.match = finished
    shown.show()
    assert badly_set(shown.screen) == []


def test_every_objection_fits(shown: Shown) -> None:
    """The longest reasons too: every refusal of a match's positions, in words."""
    seen: set[str] = set()
    match = Match(GAME, 2, seed=2)
    chance = random.Random(7)
    while match.outcome is None and match.ply < 60:
        for move in match.state.pseudo_moves():
            for objection in match.why_not(move)[:1]:
                if objection.code not in seen:
                    seen.add(objection.code)
                    view = view_of(match, TableState.ILLEGAL, objections=(objection,), refused=move)
                    shown.screen.show(view)
                    tick(3)
                    assert badly_set(shown.screen) == [], objection
        match.push(match.state.choose(match.legal_moves(), chance))
    assert {"still_open", "stone_first", "wrong_player"} <= seen


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=1))
def test_a_whole_match_is_played_by_taps(
    size: tuple[int, int], lang: str, opened: Opened[Shown]
) -> None:
    need_screen()
    from companion.ui.widgets.supply_row import SupplyRow

    shown = opened(Shown(size, lang, Match(GAME, 2)))
    chance = random.Random(4)
    match = shown.table.match
    by_piece = False
    while match.outcome is None:
        legal = match.legal_moves()
        claims = [m for m in legal if m.verb == "claim"]
        move = chance.choice(claims or legal)
        before = match.ply
        if move.verb == "done":
            tap_on(key(shown.screen, "✓"))
        elif move.verb == "claim":
            shown.tap_site(move.args[0])
        else:
            by_piece = not by_piece
            colour = match.colours[move.player or 0]
            kind = f"stone {colour} {move.args[0]}"
            if by_piece:
                (row,) = [w for w in walk(shown.screen) if isinstance(w, SupplyRow)]
                x, y, w, h = dict(row.cells)[kind]
                tap(*row.to_window(x + w / 2, y + h / 2))
                shown.tap_site(move.args[1])
            else:
                shown.tap_site(move.args[1])
                if match.ply == before:
                    tick(2)
                    tap_on(next(w for w in walk(shown.screen) if getattr(w, "move", 0) == move))
        assert match.ply == before + 1, f"{move} did not arrive"
        assert match.log[-1].move == move
    tick(3)
    winner = shown.screen.view.outcome.ranking[0][0]
    assert match.scores[winner] == 8
    tap_on(key(shown.screen, "Revanche" if lang == "de" else "Rematch"))
    assert shown.left == 1


def test_a_refusal_says_what_why_and_what_to_do_and_offers_ways_out(small: Shown) -> None:
    objections = tuple(small.table.match.why_not("p0 claim H1"))
    small.show(TableState.ILLEGAL, objections=objections, **ILLEGAL)
    said = texts(small.screen)
    assert "Linie H1 ist noch offen" in said
    assert "Nimm den Megalithen zurück." in said
    assert small.screen.board.scene.wrong == {"H1"}
    tap_on(key(small.screen, "§"))
    assert "Wem gehört eine Linie?" in texts(small.screen)
    assert small.screen.sheet.x >= small.screen.words_area.x, "the sheet must not hide the board"
    tap_on(key(small.screen, "←"))
    tap_on(key(small.screen, "Trotzdem"))
    assert small.asked == PlayAnyway()
    small.show(TableState.ILLEGAL, objections=objections, **ILLEGAL)
    tap_on(key(small.screen, "Kamera irrt"))
    assert small.asked == CameraIsWrong()


def test_the_largest_words_leave_the_rule_of_a_refusal_in_sight(small: Shown) -> None:
    from companion.ui.theme.style import style

    style.change(text="largest")
    objections = tuple(small.table.match.why_not("p0 claim H1"))
    small.show(TableState.ILLEGAL, objections=objections, **ILLEGAL)
    rule, anyway = (key(small.screen, word) for word in ("Regel 1.5 ansehen", "Trotzdem"))
    low, beside = (way.to_window(*way.pos)[1] for way in (rule, anyway))
    assert low == beside or low >= beside + anyway.height
    assert not small.faults()


def test_a_tapped_claim_too_early_is_answered_in_words(small: Shown) -> None:
    small.tap_site("H1")
    assert small.table.intents == [tap_move("p0 claim H1")]
    assert "ist noch offen" in texts(small.screen)
    small.tap_site("D")
    assert small.screen.fingers.offer is not None, "a refused tap blocks nothing"


def test_candidates_are_chosen_by_card(small: Shown) -> None:
    from companion.ui.screens.play.answers import AnswerCard

    small.show(TableState.AMBIGUOUS, candidates=CHOICES)
    cards = [w for w in walk(small.screen) if isinstance(w, AnswerCard)]
    assert sorted(card.text for card in cards)[0] == "Schwarz legt die 3 auf D"
    tap_on(next(card for card in cards if "auf H" in card.text))
    assert small.asked == ChooseCandidate(1)
    small.show(TableState.AMBIGUOUS, candidates=CHOICES)
    tap_on(key(small.screen, "Etwas anderes: antippen"))
    assert small.asked == CameraIsWrong()


def test_a_proposal_is_accepted_and_a_takeback_asked_about(small: Shown) -> None:
    small.show(TableState.PROPOSED, candidates=CHOICES[:1])
    tap_on(key(small.screen, "Stimmt"))
    assert small.asked == ChooseCandidate(0)
    small.show(TableState.AMBIGUOUS, candidates=(Candidate((), 1),))
    assert "Zug zurücknehmen?" in texts(small.screen)
    tap_on(key(small.screen, "Ja, zurück"))
    assert small.asked == ChooseCandidate(0)


def test_without_a_camera_the_screen_asks_for_taps(small: Shown) -> None:
    small.show(TableState.BLIND, blind_reason="no_camera", physical=True)
    assert "Ohne Kamera – bitte tippen" in texts(small.screen)
    assert "Kamera irrt sich?" not in texts(small.screen)


def test_a_missing_device_is_a_note_that_says_more_when_touched(small: Shown) -> None:
    small.show(devices={"score": "unplugged"})
    told = "Ohne Anzeige – die Partie geht weiter"
    assert told in texts(small.screen)
    tap_on(note_of(small, told))
    said = texts(small.screen.sheet)
    assert "Das Gerät wurde ausgesteckt." in said
    assert "Die Partie geht weiter" in said
    tap_on(key(small.screen, "←"))
    ply = small.table.match.ply
    small.tap_site("D")
    tick(2)
    tap_on(next(w for w in walk(small.screen) if hasattr(w, "kind")))
    assert small.table.match.ply == ply + 1, "a missing device blocks nothing"


def test_a_board_out_of_view_is_told_with_what_to_do(small: Shown) -> None:
    small.show(TableState.BLIND, blind_reason="board_lost", physical=True)
    assert "Brett nicht im Bild" in texts(small.screen)
    tap_on(note_of(small, "Brett nicht im Bild – bitte tippen"))
    assert "Aufkleber in den vier Ecken" in texts(small.screen.sheet)


def note_of(shown: Shown, text: str) -> Any:
    from companion.ui.widgets.base import Note

    return next(w for w in walk(shown.screen) if isinstance(w, Note) and w.text == text)


def test_hints_have_a_mark_of_their_own(small: Shown) -> None:
    small.show(hints=(Move.parse("p0 claim L3"),))
    scene = small.screen.board.scene
    assert scene.hints == {"L3"}
    assert "L3" not in scene.targets | scene.last


def test_the_progress_lasts_as_long_as_the_table_waits(small: Shown) -> None:
    from companion.ui.widgets.chip import Progress

    small.show(TableState.PROPOSED, candidates=CHOICES[:1], hold_s=0.8)
    bars = [w for w in walk(small.screen) if isinstance(w, Progress)]
    assert [bar.seconds for bar in bars] == [0.8]
    small.show(TableState.PROPOSED, candidates=CHOICES[:1], hold_s=0.0)
    assert not [w for w in walk(small.screen) if isinstance(w, Progress)]
    assert "sobald ihr zustimmt" in texts(small.screen)


def test_a_table_that_differs_is_guided_back(small: Shown) -> None:
    small.show(TableState.DESYNC, fixes=SHIFTED)
    assert "Schwarzer Stein 2: von D nach C" in texts(small.screen)
    assert "Das endet, sobald alles richtig liegt" in texts(small.screen)
    tap_on(key(small.screen, "Brett stimmt"))
    assert small.asked == BoardIsRight()


def test_what_is_waited_for_ends_by_one_touch_too(shown: Shown) -> None:
    shown.show(TableState.PENDING, fixes=SHIFTED[:1])
    tap_on(key(shown.screen, "◎"))
    assert shown.asked == CameraIsWrong()


def test_undo_takes_one_tap_and_redo_appears_beside_it(small: Shown) -> None:
    ply = small.table.match.ply
    tap_on(key(small.screen, "↺"))
    assert small.table.match.ply == ply - 1
    assert small.asked == Undo()
    tap_on(key(small.screen, "↻"))
    assert small.table.match.ply == ply
    assert small.asked == Redo()


def test_every_correction_is_two_taps_away_from_a_refusal(small: Shown) -> None:
    objections = tuple(small.table.match.why_not("p0 claim H1"))
    small.show(TableState.ILLEGAL, objections=objections, **ILLEGAL)
    tap_on(key(small.screen, "☰"))
    tap_on(key(small.screen.sheet, "↺"))
    assert small.asked == Undo()
    assert small.screen.sheet is None


STATES: dict[str, tuple[TableState, dict[str, Any]]] = {
    "settled": (TableState.SETTLED, {}),
    "pending": (TableState.PENDING, {"fixes": SHIFTED[:1]}),
    "proposed": (TableState.PROPOSED, {"candidates": CHOICES[:1]}),
    "ambiguous": (TableState.AMBIGUOUS, {"candidates": CHOICES}),
    "takeback": (TableState.AMBIGUOUS, {"candidates": (Candidate((), 1),)}),
    "desync": (TableState.DESYNC, {"fixes": SHIFTED}),
}
CORRECTIONS = {
    "undo": (Undo(), "↺"),
    "redo": (Redo(), "↻"),
    "camera": (CameraIsWrong(), "◎"),
    "board": (BoardIsRight(), "✓"),
}


@pytest.mark.parametrize(("state", "correction"), widely(list(STATES), list(CORRECTIONS)))
def test_every_correction_takes_two_touches_in_every_state(
    small: Shown, state: str, correction: str
) -> None:
    intent, symbol = CORRECTIONS[correction]
    shown, changes = STATES[state]
    small.table.match.pop()
    small.show(shown, can_redo=True, **changes)
    words = {"camera": "Kamera irrt", "board": "Brett stimmt", "undo": "↺", "redo": "↻"}
    touches = 0
    while not small.table.intents and touches < 2:
        sheet = small.screen.sheet
        where = sheet if sheet is not None else small.screen
        touches += 1
        try:
            tap_on(key(where, words[correction]))
        except AssertionError:
            tap_on(key(small.screen, "☰"))
            tick(2)
    assert small.table.intents == [intent], f"{symbol} after {touches} touches"


def test_choosing_and_playing_anyway_take_one_touch(small: Shown) -> None:
    objections = tuple(small.table.match.why_not("p0 claim H1"))
    small.show(TableState.ILLEGAL, objections=objections, **ILLEGAL)
    tap_on(key(small.screen, "Trotzdem"))
    assert small.table.intents == [PlayAnyway()]


def test_a_board_in_disorder_is_put_right_piece_by_piece(small: Shown) -> None:
    small.show(TableState.DESYNC, fixes=SHIFTED)
    assert "Danach noch 1." in texts(small.screen)
    assert small.screen.board.scene.arrows == (("D", "C"),)
    small.show(TableState.DESYNC, fixes=SHIFTED[2:])
    assert "Danach" not in texts(small.screen)
    assert small.screen.board.scene.wrong == {"K"}


def test_whose_turn_it_is_can_be_read_across_the_table(shown: Shown) -> None:
    """At 1.5 m a letter needs about 4 mm of height: 24 px on the 7-inch panel (0.19 mm/px)."""
    from companion.ui.theme.style import style

    said = ("Schwarz ist am Zug", "It is Black's turn")
    title = next(w for w in labels(shown.screen) if w.text in said)
    words = [w for w in labels(shown.screen) if not w.text.isdigit()]
    largest = max(w.font_size for w in words)
    assert title.font_size == largest, "no words on the screen are larger than who is to move"
    assert title.font_size >= 24 * style.factor


def test_the_result_shows_the_score_over_time(shown: Shown) -> None:
    from companion.ui.drawing.chart import Chart

    shown.table.match = finish(Match(GAME, 2))
    shown.show()
    shown.screen.come_to_table()
    tick(4)
    charts = [w for w in walk(shown.screen) if isinstance(w, Chart)]
    if not charts:
        tap_on(key(shown.screen, "Verlauf" if "Verlauf" in texts(shown.screen) else "Score"))
        tick(3)
        charts = [w for w in walk(shown.screen) if isinstance(w, Chart)]
    (chart,) = charts
    assert chart.history[-1] == shown.table.match.scores
    drawn = [player.token for player in chart.players]
    assert [kind and kind.owner for kind in drawn] == list(shown.table.match.colours)
    if shown.screen.sheet is None:
        assert badly_set(shown.screen) == []


def test_a_new_record_and_who_begins_next_are_told(shown: Shown) -> None:
    shown.table.match = finish(Match(GAME, 2))
    shown.show(new_record=True)
    assert badly_set(shown.screen) == []
    assert "★" in texts(shown.screen)


def test_the_lines_of_a_chart_differ_without_colour() -> None:
    need_screen()
    from companion.ui.drawing.chart import dashes_of, steps_of

    assert steps_of([0, 0, 1, 1, 3]) == [(0, 0), (2, 0), (2, 1), (4, 1), (4, 3)]
    pieces = dashes_of([(0, 0), (10, 0), (10, 10)], 6, 2)
    assert pieces == [[(0, 0), (6, 0)], [(8, 0), (10, 0), (10, 4)], [(10, 6), (10, 10)]]


def test_the_language_changes_without_a_restart(small: Shown) -> None:
    from companion.ui.theme.style import style

    assert "Schwarz ist am Zug" in texts(small.screen)
    style.use_language("en")
    tick(3)
    said = texts(small.screen)
    assert "It is Black's turn" in said
    assert "Ready" in said
    assert "Zurück" not in said


def test_the_result_tells_who_won_and_where_the_points_come_from(small: Shown) -> None:
    small.table.match = finish(Match(GAME, 2))
    small.show()
    said = texts(small.screen)
    assert "ist Meister" in said
    assert "Linien quer" in said
    tap_on(key(small.screen, "Tisch"))
    tick(4)
    tap_on(key(small.screen, "↺"))
    assert small.asked == Undo()


def test_a_line_takes_its_owners_colour_only_by_the_place_at_its_end() -> None:
    need_screen()
    from companion.presentation.plan import owner_of

    box = load_box(GAME)
    items = {item.site: item for item in opened().layout.elements()}
    owners = {s.sites[-1]: owner_of(s, box, items) for s in box.strokes if s.kind == "line"}
    assert owners.pop("R5") == items["R5"]
    assert set(owners.values()) == {None}


def test_pictures_are_opaque_and_of_the_size_asked_for(shown: Shown, tmp_path: Path) -> None:
    import cv2

    from companion.ui.picture import snapshot

    path = snapshot(shown.screen, tmp_path / "play.png")
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    assert picture.shape[1::-1] == tuple(shown.screen.size)
    if picture.shape[2] == 4:
        assert int(picture[:, :, 3].min()) == 255
    colours = picture[::16, ::16].reshape(-1, picture.shape[2])
    assert len({tuple(int(c) for c in pixel) for pixel in colours}) > 40


def test_names_and_facts_are_shown_as_they_are_written_wherever_markup_is_on(shown: Shown) -> None:
    from companion.ui.screens.play.result_panel import _figure
    from companion.ui.widgets.rows import built

    evil = ("[b]x[/b]", "&bl;[color=f00]")
    shown.show(TableState.SETTLED, names=evil)
    drawn = [as_people_see(label) for label in labels(shown.screen)]
    assert all(any(name in text for text in drawn) for name in evil)
    for name in evil:
        assert as_people_see(built(_figure(name, name, 400, 1.0))) == f"{name} {name}"
    # Markup is the exception, and whoever turns it on lets foreign text through one door only.
    marked = {
        path.name: path.read_text(encoding="utf-8")
        for path in Path(companion.ui.__path__[0]).rglob("*.py")
        if "markup=True" in path.read_text(encoding="utf-8")
    }
    assert sorted(marked) == ["result_panel.py"]
    assert all("as_is(" in text for text in marked.values())


def test_a_touch_of_the_board_closes_the_menu_and_plays_nothing(small: Shown) -> None:
    before = small.table.match.ply
    small.screen.sheets.open_menu()
    tick(2)
    board = small.screen.board
    tap(board.center_x, board.center_y)
    assert small.screen.sheet is None
    assert small.table.match.ply == before and not small.screen.fingers.holding


def test_the_menu_has_one_size_of_words_and_the_way_out_in_sight(shown: Shown) -> None:
    from companion.ui.widgets.base import Key
    from companion.ui.widgets.sheet import Column

    shown.screen.sheets.open_menu()
    tick(2)
    sheet = shown.screen.sheet
    (column,) = (w for w in walk(sheet) if isinstance(w, Column))
    keys = [w for w in walk(column) if isinstance(w, Key)]
    assert len(keys) > 4
    assert len({key._word.font_size for key in keys}) == 1
    (out,) = (w for w in walk(sheet) if isinstance(w, Key) and w.symbol == "⌂")
    assert out not in keys and out.y >= sheet.y and out.top <= sheet.top
