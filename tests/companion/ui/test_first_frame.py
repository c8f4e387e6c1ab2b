"""The first frame: what it does without, what comes after it, what is kept for the next start."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.preload import Warming
from companion.match.view import PlayMove
from companion.presentation.theme.tokens import LIMESTONE, NIGHT
from companion.setup import shelf as fronts_module
from companion.setup.covers import cover_of, read_cover
from companion.setup.shelf import Fronts, front_of
from companion.setup.table_check import CheckFile
from companion.support.memory import search_at_rest, tidy
from rules.games import game_ids, shelf_order
from tests.companion.ui.conftest import Opened
from tests.support.app_window import Running
from tests.support.fake_shell import FakeShell
from tests.support.ui_harness import GAME, need_screen, tap, tick, view_of, walk

STARTED = """
import json, sys
from pathlib import Path
from companion.ui import kivy_env
kivy_env.prepare(Path(sys.argv[1]), (800, 480), offscreen=True)
from companion.app.cli import main
from companion.ui.app import HeelstoneApp

HEAVY = (
    "cv2", "numpy", "vision", "serial", "gpiozero", "companion.presentation.virtual_table",
    "companion.match.view", "companion.match.events",
    "companion.outputs.cues", "companion.outputs.player_buttons", "companion.workshop.workshop",
    "companion.app.commands.table", "companion.app.commands.games",
)
GAMES = ("rules.games.", "rules.reading", "rules.lesson")
told = {}

def drawn(*_):
    from kivy.core.window import Window
    told["heavy"] = sorted(n for n in HEAVY if n in sys.modules)
    told["games"] = sorted(n for n in sys.modules if n.startswith(GAMES))
    from tests.support.ui_harness import texts
    Window.unbind(on_flip=drawn)
    app = HeelstoneApp.get_running_app()
    told["words"] = texts(app.root)
    app.stop()

started = HeelstoneApp.on_start
def on_start(app):
    from kivy.core.window import Window
    started(app)
    # Kivy asks the last listener first: before the app begins to load the rest.
    Window.bind(on_flip=drawn)
HeelstoneApp.on_start = on_start
code = main(["--data", sys.argv[1], "--settings", sys.argv[2], "--lang", "en"])
print(json.dumps(told | {"code": code}))
"""


def start(folder: Path, settings: str, program: str = STARTED) -> dict[str, Any]:
    """Start ``heelstone`` in a program of its own until its first frame stands."""
    file = folder / "settings.toml"
    file.write_text(settings, encoding="utf-8")
    env = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "LIBGL_ALWAYS_SOFTWARE": "1"}
    command = [sys.executable, "-c", program, str(folder), str(file)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=240, check=True)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert told["code"] == 0
    return told


FIRST = """
import json, sys
from pathlib import Path
from companion.ui import kivy_env
kivy_env.prepare(Path(sys.argv[1]), (800, 480), offscreen=True)
window = kivy_env.window()
from companion.app.cli import main
told = {}

def drawn(*_):
    from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels
    window.unbind(on_flip=drawn)
    told["loaded"] = "companion.ui.app" in sys.modules
    seen = glReadPixels(0, 0, 800, 480, GL_RGB, GL_UNSIGNED_BYTE)
    told["colours"] = sorted({seen[n:n + 3].hex() for n in range(0, len(seen), 3)})
    window.bind(on_flip=later)

def later(*_):
    from kivy.app import App
    told["words"] = len(App.get_running_app().root.children)
    App.get_running_app().stop()

window.bind(on_flip=drawn)
code = main(["--data", sys.argv[1], "--settings", sys.argv[2], "--lang", "en"])
print(json.dumps(told | {"code": code}))
"""


@pytest.mark.parametrize("theme", [pytest.param("night", marks=pytest.mark.thorough), "limestone"])
def test_the_window_shows_a_ring_of_stones_before_the_screens_are_loaded(
    theme: str, tmp_path: Path
) -> None:
    need_screen()
    (tmp_path / "preferences.json").write_text(json.dumps({"theme": theme}))
    palette = {"night": NIGHT, "limestone": LIMESTONE}[theme]
    told = start(tmp_path, "", FIRST)
    assert told["loaded"] is False and told["words"] > 0
    assert told["colours"] == sorted(c.lower().lstrip("#") for c in (palette.night, palette.edge))


def test_the_shelf_stands_before_vision_is_loaded(tmp_path: Path) -> None:
    need_screen()
    CheckFile(tmp_path).keep((), time.time())
    told = start(tmp_path, '[camera]\nsource = "0"\n')
    assert told["heavy"] == []
    for game in game_ids():
        assert front_of(game).titles["en"] in told["words"]


def test_a_kept_shelf_needs_no_game(tmp_path: Path) -> None:
    need_screen()
    CheckFile(tmp_path).keep((), time.time())
    # What is kept counts only for a program that finds the same packages as the one that kept it.
    keeps = "import sys; from pathlib import Path; from companion.setup.shelf import Fronts; "
    keeps += "Fronts(Path(sys.argv[1])).check()"
    subprocess.run([sys.executable, "-c", keeps, str(tmp_path / "shelf")], timeout=240, check=True)
    keeper = Fronts()
    told = start(tmp_path, "")
    assert told["games"] == told["heavy"] == []
    assert keeper.of("dominion").titles["en"] in told["words"]


# -- the fronts of the boxes ------------------------------------------------------------------


def test_fronts_say_names_and_players() -> None:
    front = Fronts().of(GAME)
    assert front.players == (2,)
    assert set(front.titles) == {"de", "en"}
    assert Fronts().games() == shelf_order()


def test_fronts_are_kept_for_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not Fronts(tmp_path).check(), "nothing was shown that is wrong now"

    def never(game: str) -> Any:
        raise AssertionError(f"{game} was worked out again")

    monkeypatch.setattr(fronts_module, "front_of", never)
    kept = Fronts(tmp_path)
    assert kept.games() == shelf_order()
    assert kept.of("hoher_rat").players == front_of("hoher_rat").players


def test_another_program_does_not_believe_the_kept_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Fronts(tmp_path)
    before.check()
    before.keep_picture(GAME, "look", bytes(16))
    wait_for_keeper()
    assert Fronts(tmp_path).picture(GAME, "look", (2, 2)) == bytes(16)
    monkeypatch.setattr(fronts_module, "_stamp", lambda: "an upgrade")
    after = Fronts(tmp_path)
    assert after.picture(GAME, "look", (2, 2)) is None
    after.check()
    assert Fronts(tmp_path).picture(GAME, "look", (2, 2)) is None, "it shows the old board"


def test_a_shelf_that_shows_something_wrong_is_put_right(tmp_path: Path) -> None:
    Fronts(tmp_path).check()
    file = tmp_path / "shelf.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("Dominion", "Dominoes"), encoding="utf-8")
    shown = Fronts(tmp_path)
    assert shown.of("dominion").titles["en"] == "Dominoes"
    assert shown.check()
    assert shown.of("dominion").titles["en"] == "Dominion"
    assert not Fronts(tmp_path).check()


@pytest.mark.parametrize("text", ["", "[]", '{"stamp": 3}'])
def test_a_damaged_shelf_is_worked_out_again(tmp_path: Path, text: str) -> None:
    (tmp_path / "shelf.json").write_text(text, encoding="utf-8")
    damaged = Fronts(tmp_path)
    assert damaged.games() == shelf_order()
    damaged.check()
    assert Fronts(tmp_path).picture(GAME, "look", (1, 1)) is None


def test_a_damaged_picture_is_drawn_anew(tmp_path: Path) -> None:
    kept = Fronts(tmp_path)
    kept.check()
    kept.keep_picture(GAME, "look", bytes(16))
    wait_for_keeper()
    assert kept.picture(GAME, "look", (3, 3)) is None, "of another size"
    (file,) = tmp_path.glob("*.z")
    file.write_bytes(b"torn")
    assert kept.picture(GAME, "look", (2, 2)) is None


def test_a_full_disk_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "shelf").write_text("in the way", encoding="utf-8")
    fronts = Fronts(tmp_path / "shelf")
    assert not fronts.check()
    fronts.keep_picture(GAME, "look", bytes(16))
    assert fronts.picture(GAME, "look", (2, 2)) is None
    assert fronts.games() == shelf_order()


def wait_for_keeper() -> None:
    """Pictures are written in a thread."""
    for thread in threading.enumerate():
        if thread.name == "shelf":
            thread.join()


# -- what comes after the first frame ---------------------------------------------------------


def test_steps_are_taken_in_order_and_one_that_fails_stops_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    taken: list[str] = []

    def fail() -> None:
        raise RuntimeError("a wheel is missing")

    warming = Warming([lambda: taken.append("one"), fail, lambda: taken.append("two")]).start()
    warming._thread.join()
    assert taken == ["one", "two"]
    assert warming.done
    assert "loaded ahead" in caplog.text


def test_no_step_is_taken_after_the_end() -> None:
    under_way, go_on, taken = threading.Event(), threading.Event(), []

    def slow() -> None:
        under_way.set()
        go_on.wait()

    warming = Warming([slow, lambda: taken.append("late")]).start()
    under_way.wait()
    warming._thread.end()
    go_on.set()
    warming.close()
    assert taken == [] and not warming.done


def test_one_task_is_done_a_frame_and_all_of_them_when_a_picture_is_taken(
    tmp_path: Path, opened: Opened[Running]
) -> None:
    need_screen()
    from companion.ui import frame_queue
    from companion.ui.picture import snapshot

    running = opened(Running((800, 480), "en", FakeShell(tmp_path)))
    frame_queue.finish()
    done: list[int] = []
    for number in range(4):
        frame_queue.soon(lambda number=number: done.append(number))  # type: ignore[misc]
    tick(1)
    first = list(done)
    tick(1)
    assert first == [0] and done == [0, 1]
    snapshot(running.root, tmp_path / "all.png")
    assert done == [0, 1, 2, 3] and not frame_queue.waiting()


def test_covers_in_sight_stand_at_once_and_the_others_a_little_later(
    tmp_path: Path, opened: Opened[Running]
) -> None:
    need_screen()
    from companion.ui import frame_queue
    from companion.ui.screens.start import BoxFront

    frame_queue.finish()
    fronts = Fronts(tmp_path / "shelf")
    fronts.check()
    running = opened(Running((800, 480), "en", FakeShell(tmp_path, games=game_ids()), fronts))
    boxes = sorted(
        (w for w in walk(running.root) if isinstance(w, BoxFront)), key=lambda w: float(w.x)
    )
    assert len(boxes) == len(game_ids())
    assert all(box.pictured for box in boxes[:4])
    frame_queue.finish()
    tick(2)
    assert all(box.pictured for box in boxes)
    assert not frame_queue.waiting()


def test_covers_are_not_drawn_a_second_time_and_none_is_like_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_screen()
    from companion.ui.drawing.pictures import CoverPictures

    fronts = Fronts(tmp_path)
    fronts.check()
    pictures = CoverPictures(fronts)
    drawn = {game: pictures.of(game, (80, 60), 6).pixels for game in game_ids()}
    assert len(set(drawn.values())) == len(game_ids())
    assert all(len(set(pixels)) > 16 for pixels in drawn.values()), "and they show something"
    wait_for_keeper()
    monkeypatch.setattr(CoverPictures, "_drawn", lambda *_: pytest.fail("drawn again"))
    again = CoverPictures(Fronts(tmp_path))
    assert again.of(GAME, (80, 60), 6).pixels == drawn[GAME]


def test_a_game_without_a_cover_gets_a_plain_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for game in game_ids():
        cover = cover_of(game, "rules", game)
        assert cover == read_cover(game, "rules"), f"{game} has a cover of its own"
    plain = cover_of("ninth_game", "rules", "Ninth Game")
    assert plain.shapes[-1].text == "NG" and not caplog.text
    (tmp_path / "covers").mkdir()
    (tmp_path / "covers" / "torn.toml").write_text("sky = 3", encoding="utf-8")
    monkeypatch.setattr("companion.setup.covers.files", lambda _package: tmp_path)
    assert cover_of("torn", "rules", "Torn").shapes
    assert "torn.toml" in caplog.text


# -- frames while playing ---------------------------------------------------------------------


def test_garbage_is_looked_for_while_nobody_touches_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Opened[Running]
) -> None:
    need_screen()
    now, searched = [0.0], []
    monkeypatch.setattr("companion.ui.app.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("companion.ui.app.tidy", lambda: searched.append(now[0]))
    running = opened(Running((800, 480), "en", FakeShell(tmp_path)))
    for later in range(1, 60):
        now[0] = float(later)
        tap(1, 1)
        running.app._tidy()
    assert searched == []
    now[0] += 5
    running.app._tidy()
    assert searched == [now[0]]


def test_a_full_search_for_garbage_comes_only_if_much_was_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, searched = [0], list[int]()
    monkeypatch.setattr(gc, "collect", lambda: searched.append(made[0]))
    monkeypatch.setattr(gc, "get_count", lambda: (100, 3, made[0]))
    tidy()
    made[0] = 1
    tidy()
    assert searched == [1]


def test_full_searches_of_themselves_are_seldom_in_the_middle_of_a_frame() -> None:
    before = gc.get_threshold()
    try:
        gc.set_threshold(700, 10, 10)
        search_at_rest()
        assert gc.get_threshold()[:2] == (700, 10) and gc.get_threshold()[2] > 20
    finally:
        gc.set_threshold(*before)


def test_only_the_newest_of_several_views_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Opened[Running]
) -> None:
    need_screen()
    from companion.ui.screens.play.screen import PlayScreen

    shell = FakeShell(tmp_path)
    running = opened(Running((800, 480), "en", shell))
    running.app.play(shell.table)
    tick(3)
    shown: list[int] = []
    show = PlayScreen.show

    def counted(screen: Any, view: Any, *more: Any) -> None:
        shown.append(view.ply)
        show(screen, view, *more)

    monkeypatch.setattr(PlayScreen, "show", counted)
    for _ in range(3):
        shell.table.post(PlayMove(shell.table.match.legal_moves()[0]))
    tick(2)
    assert shown == [3]
    assert running.screen.view is shell.table.view


def test_what_a_touch_brings_is_shown_in_the_next_frame_though_another_thread_plays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Opened[Running]
) -> None:
    need_screen()
    shell = FakeShell(tmp_path)
    played, post = threading.Event(), shell.table.post

    def play(intent: Any) -> None:
        post(intent)
        played.set()

    def later(intent: Any) -> None:
        threading.Timer(0.01, play, (intent,)).start()

    running = opened(Running((800, 480), "en", shell))
    running.app.play(shell.table)
    tick(3)
    monkeypatch.setattr(shell.table, "post", later)
    monkeypatch.setattr(shell.table, "settle", played.wait)
    monkeypatch.setattr("companion.ui.app._ANSWER_S", 20.0)
    running.screen.post(PlayMove(shell.table.match.legal_moves()[0]))
    tick(1)
    assert (running.screen.view.ply, running.screen.view) == (1, shell.table.view)


def test_what_a_driver_meets_ahead_is_gone_from_the_window_in_the_next_frame() -> None:
    need_screen()
    from companion.ui.offscreen import open_window

    window = open_window((800, 480))
    from companion.ui.drawing.ink import SORTS, meet

    before = len(window.canvas.children)
    for sort in SORTS:
        meet(sort)
    assert len(window.canvas.children) > before
    tick(1)
    assert len(window.canvas.children) == before


def test_a_board_drawn_once_looks_as_one_drawn_in_every_frame(tmp_path: Path) -> None:
    need_screen()
    cv2 = pytest.importorskip("cv2")
    from kivy.core.window import Window
    from kivy.uix.floatlayout import FloatLayout

    from companion.presentation.scene import scene_of
    from companion.ui.background import Ground
    from companion.ui.drawing.board import Board
    from companion.ui.picture import snapshot
    from companion.ui.theme.style import style

    shell = FakeShell(tmp_path)
    for _ in range(6):
        shell.table.post(PlayMove(shell.table.match.legal_moves()[0]))
    view = shell.table.view
    assert view is not None
    motion = style.chosen.animations
    style.change(animations=False)
    pictures = []
    for once in (False, True):
        root, ground = FloatLayout(size=(640, 400)), Ground(size=(640, 400))
        root.add_widget(ground)
        board = Board(
            ground=ground if once else None, size_hint=(None, None), size=(411, 333), pos=(33, 21)
        )
        root.add_widget(board)
        Window.add_widget(root)
        tick(2)
        from companion.presentation.touching import Picked

        board.show(scene_of(view, Picked()))
        tick(2)
        path = snapshot(root, tmp_path / f"{once}.png")
        pictures.append(cv2.imread(str(path)).astype(int))
        Window.remove_widget(root)
    style.change(animations=motion)
    assert abs(pictures[0] - pictures[1]).max() <= 2
    assert pictures[0].std() > 5, "and there is something to be seen"


def test_rows_that_show_the_same_share_a_widget_and_what_is_not_shown_is_gone() -> None:
    need_screen()
    from companion.ui.widgets.rows import (
        BuiltRows,
        Press,
        below_each_other,
        key_row,
        side_by_side,
        words_row,
    )

    def rows(told: str) -> tuple[Any, Any, Any]:
        key = key_row("play", Press(print, ("played",)))
        words = words_row(told, 90.0)
        assert words.height > words_row("a", 90.0).height, "it is known to take several lines"
        return side_by_side([key, key]), words.as_high(200.0), below_each_other([words, words], 4.0)

    one_by_one = BuiltRows()

    def taken(told: str) -> list[Any]:
        one_by_one.begin()
        widgets = [one_by_one.of(row) for row in rows(told)]
        one_by_one.end()
        return widgets

    line, words, block = taken("a sentence that needs two lines")
    assert line.children[0] is not line.children[1], "one widget cannot stand in two places"
    assert words.height == 200.0
    assert [line, words, block] == taken("a sentence that needs two lines")
    assert block.height == sum(row.height for row in block.children) + 4
    others = taken("another sentence that needs three lines or more")
    assert others[0] is line and others[1] is not words and others[2] is not block
    assert taken("a sentence that needs two lines")[1] is not words, "what was not needed is gone"


def test_equal_words_share_a_texture_and_only_the_last_few_are_kept() -> None:
    need_screen()
    from companion.ui.theme.lettering import Setting

    first = Setting("the same words", 20.0)
    texture = first.texture
    assert Setting("the same words", 20.0).texture is texture
    assert tuple(texture.size) == first.extent, "what is measured is what is drawn"
    for number in range(400):
        Setting(f"other words {number}", 20.0).texture  # noqa: B018
    assert first.texture is not texture


def test_cards_of_players_stay_while_a_panel_is_tried_more_densely(
    tmp_path: Path, opened: Opened[Running]
) -> None:
    need_screen()
    from companion.ui.widgets.score_strip import ScoreCell

    shell = FakeShell(tmp_path)
    running = opened(Running((800, 480), "en", shell))
    running.app.play(shell.table)
    tick(3)

    def cards() -> list[Any]:
        return [w for w in walk(running.screen) if isinstance(w, ScoreCell)]

    before = cards()
    shell.table.send(view_of(shell.table.match))
    tick(3)
    assert len(before) == 2
    assert {id(card) for card in cards()} == {id(card) for card in before}
    shell.table.post(PlayMove(shell.table.match.legal_moves()[0]))
    tick(3)
    assert {id(card) for card in cards()} != {id(card) for card in before}, "it is another's turn"
