"""The field test on the screen: gone through by touch, and every page of it looked at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.app.application import Application
from companion.export.sticks import Stick, StickDesk
from companion.presentation.words.checks import answer_words
from companion.support.finding import Figure, Finding, Verdict
from companion.workshop.fieldtest import computer, glass
from companion.workshop.fieldtest.record import read_file
from companion.workshop.fieldtest.sequence import CHECKS
from companion.workshop.fieldtest.steps import Kit, Step, Steps, Touch
from tests.companion.ui.conftest import Opened
from tests.support.app_window import faults
from tests.support.field_test import People, PiRoot, field_test, table
from tests.support.sweep import widely
from tests.support.ui_harness import LANGS, SIZES, OnScreen, key, tap, tap_on, texts, tick

STEPS = (
    Step("colours", {}, ("all_there", "edge_lacks", "hues_wrong"), "colours"),
    Step("touch", {"number": 3, "count": 7}, ("not_felt",), "target", (0.06, 0.9)),
    Step("fingers", {}, ("one_only",), "fingers"),
    Step("before_settling", {}, ("ready",)),
    Step("photo", {}, ("yes", "no")),
    Step("lamps", {"number": 2, "count": 5}, ("none_lit",), "lamps", lamps=60),
    Step("display", {}, ("Avebury", "Marlborough", "Durrington", "unreadable")),
    Step("sound", {}, ("steady", "double_blink", "silence", "again")),
    Step("buttons", {"done": 1, "count": 4}, ("not_all",)),
    Step("heat", {"degrees": 71, "left": 123}, ("enough",)),
    Step("power_cut", {"entries": 412}, ("cannot",)),
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Application]:
    found = table(tmp_path / "state")
    yield found
    found.close()


def standing(step: Step, _kit: Kit) -> Steps:
    """A check that stays at one step."""
    while True:
        yield step


class Running(OnScreen):
    """The page of the field test in the window."""

    def __init__(self, house: Application, size: tuple[int, int] = SIZES[0], lang: str = "de"):
        super().__init__(size, lang)
        from companion.ui.screens.workshop import WorkshopScreen

        self.put(WorkshopScreen(house, lambda: None, **self.room), 0)
        self.screen.open("fieldtest")
        tick(3)
        self.page = self.screen.shown

    def look(self) -> None:
        """A moment passes."""
        self.page.tick()
        tick(2)


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS, most=2))
def test_every_page_fits_the_screen(
    house: Application, tmp_path: Path, opened: Opened[OnScreen], size: tuple[int, int], lang: str
) -> None:
    test = field_test(house, PiRoot(tmp_path / "root").root)
    running: Any = opened(Running(house, size, lang))
    page, wrong = running.page, {}

    def look(name: str) -> None:
        tick(3)
        wrong[name] = faults(running.screen)

    look("overview")
    for step in STEPS:
        name = {"colours": "screen", "before_settling": "settling"}.get(step.code, step.code)
        test.checks = {**CHECKS, name: partial(standing, step)}
        page.begin(name)
        look(step.code)
    test.checks = CHECKS
    test.leave()
    touch = Finding("touch", Verdict.BAD, (Figure("off", 61.4, "px", most=24.0),), "touch_off")
    test.kit.record.add([touch, Finding("lamps", Verdict.ABSENT)])
    test.name, test.last = "touch", (touch,)
    for view in ("outcome", "overview", "anew", "away", "codes"):
        page.show(view)
        look(view)
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_whole_test_is_gone_through_by_touch_and_its_file_lies_on_the_stick(
    house: Application, tmp_path: Path, opened: Opened[OnScreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer, "HEAT_S", 2.0)
    monkeypatch.setattr(glass, "COUNTED_S", 4.0)
    test = field_test(house, PiRoot(tmp_path / "root").root)
    running: Any = opened(Running(house))
    page, people = running.page, People(house, power_cut="cannot")
    stick = tmp_path / "stick"
    stick.mkdir()
    touched = 0
    tap_on(key(running.screen, "Weiter: Computer"))
    while test.following or test.step is not None:
        step = test.step
        if step is None:
            running.look()
            tap_on(next(k for k in keys_of(running.screen) if k.symbol == "→"))
            touched += 1
            continue
        answer = people(step)
        if isinstance(answer, Touch) and step.panel == "target":
            x, y = (share * px for share, px in zip(step.at, running.size, strict=True))
            tap(x + answer.off_px[0], y + answer.off_px[1])
        elif isinstance(answer, Touch):
            tap_on(key(running.screen, "Nur einer wird bemerkt"))
        elif answer is not None and step.lamps:
            tap_on(key(running.screen, str(int(answer) + 1)))
        elif answer is not None:
            tap_on(key(running.screen, answer_words(answer)))
        touched += answer is not None
        running.look()
    assert touched < 60
    found = test.findings
    assert {found[name].verdict for name in ("touch", "lamps", "display", "sound", "buttons")} == {
        Verdict.GOOD
    }
    off = {one.name: one.value for one in found["touch"].figures}
    assert (round(off["mean_right"]), round(off["mean_up"])) == (3, -2)
    page._desk = StickDesk(lambda: "")
    page.show("away")
    page._desk.keep(Stick("Stick", stick, 1 << 30, True), ("field.jsonl", page._file))
    page._desk.look()
    _about, lines = read_file((stick / "field.jsonl").read_bytes())
    assert {line.check for line in lines} >= set(CHECKS)
    assert "kann abgezogen werden" in texts(running.screen) or page._desk.news.kept


def test_a_test_that_a_power_cut_has_interrupted_is_there_at_the_next_start(
    house: Application, tmp_path: Path, opened: Opened[OnScreen]
) -> None:
    test = field_test(house, PiRoot(tmp_path / "root").root)
    test.begin("heat")
    running: Any = opened(Running(house))
    assert test.name == "heat" and test.step is not None
    assert "°C" in texts(running.screen)
    running.screen.home()
    assert not test.interrupted, "the way back to the overview ends it in order"


def keys_of(screen: Any) -> list[Any]:
    """All keys on the screen."""
    from companion.ui.widgets.base import Key

    return [widget for widget in screen.walk() if isinstance(widget, Key)]
