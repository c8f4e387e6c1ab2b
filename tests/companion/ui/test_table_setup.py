"""The table setup: camera figures, lamps that glow, words that are read, numbers that are heard."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.presentation.words.translate import set_language
from companion.setup.table_check import STEPS, Bench, CameraLook, LampTrial, Trial
from companion.support.finding import Finding, Verdict
from hardware.rhythm import Rhythm
from hardware.settings import LampSettings, RigSettings, ScoreSettings, SoundSettings
from tests.companion.ui.conftest import Opened
from tests.support.app_window import faults
from tests.support.fake_shell import FakeShell
from tests.support.sweep import widely
from tests.support.table_check import GOOD, Seen
from tests.support.ui_harness import LANGS, SIZES, OnScreen, key, tap_on, texts, tick
from tests.support.waiting import until

EVERYWHERE = widely(SIZES, LANGS, most=2)
MOCK = RigSettings(
    lamps=LampSettings(kind="mock", count=24),
    score=ScoreSettings(kind="mock"),
    sound=SoundSettings(kind="mock"),
)
Setup = Callable[..., Any]


class Looking:
    """A bench whose camera sees what it is told to."""

    def __init__(self, bench: Bench, look: CameraLook) -> None:
        self._bench: Any = bench
        self.look = look

    def camera(self) -> CameraLook:
        return self.look

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bench, name)


@pytest.fixture
def shell(tmp_path: Path) -> FakeShell:
    return FakeShell(tmp_path, rig=MOCK)


@pytest.fixture
def setup(shell: FakeShell, opened: Opened[OnScreen]) -> Iterator[Setup]:
    """Opens the table setup with a camera that sees what is asked for."""

    def start(
        size: tuple[int, int] = (800, 480),
        lang: str = "de",
        look: CameraLook = GOOD,
        on_leave: Callable[[], None] = lambda: None,
    ) -> Any:
        window = opened(OnScreen(size, lang))
        from companion.ui.screens.table_setup import TableSetupScreen

        screen = TableSetupScreen(
            shell, on_leave, chance=random.Random(3), now_s=lambda: 5.0, **window.room
        )
        looking: Any = Looking(screen.bench, look)
        screen.bench = looking
        window.put(screen, 0)
        if shell.rig_settings is MOCK:
            assert until(lambda: all(screen.bench.device(step) is None for step in STEPS[5:]))
        screen.renew()
        tick(3)
        return screen

    yield start
    set_language("de")


def pass_all(screen: Any) -> None:
    """Answer every trial rightly, by touch."""
    while "→" in texts(screen) and not screen.ready:
        screen.go_on()
        tick(2)
        while isinstance(screen.trial, LampTrial) and screen.trial.glowing is not None:
            tap_on(key(screen, str(screen.trial.glowing + 1)))
        if isinstance(screen.trial, Trial):
            tap_on(key(screen, screen.trial.right))


@pytest.mark.parametrize(("size", "lang"), EVERYWHERE)
def test_every_page_fits_the_screen(setup: Setup, size: tuple[int, int], lang: str) -> None:
    screen = setup(size, lang)
    assert faults(screen) == []
    for step in STEPS[5:]:
        screen.open_trial(step)
        tick(3)
        assert faults(screen) == [], step
        screen.skip()
        tick(3)
    assert faults(screen) == []
    assert screen.ready, "what was skipped holds nobody up"


@pytest.mark.parametrize("lang", LANGS)
def test_everything_right_ends_with_ready_by_sign_and_word(setup: Setup, lang: str) -> None:
    screen = setup(lang=lang)
    assert not screen.ready
    pass_all(screen)
    assert screen.ready
    told = texts(screen)
    assert {"de": "Bereit", "en": "Ready"}[lang] in told
    assert told.count("✓") >= len(STEPS)
    assert {"de": "9,5 Bilder/s", "en": "9.5 pictures/s"}[lang] in told
    assert {"de": "5 von 5 richtig", "en": "5 of 5 correct"}[lang] in told


def test_the_lamp_that_is_asked_for_glows_and_no_other(setup: Setup) -> None:
    screen = setup()
    screen.open_trial("lamps")
    lamps = screen.bench.rig.lamps
    wanted = screen.trial.glowing
    assert until(lambda: [n for n, rgb in enumerate(lamps.frame) if any(rgb)] == [wanted])
    screen.touch_lamp(wanted)
    following = screen.trial.glowing
    assert until(lambda: [n for n, rgb in enumerate(lamps.frame) if any(rgb)] == [following])
    screen.skip()
    assert until(lambda: not any(any(rgb) for rgb in lamps.frame))


def test_a_wrong_lamp_fails_and_says_what_to_do(setup: Setup) -> None:
    screen = setup()
    screen.open_trial("lamps")
    tick(2)
    tap_on(key(screen, "9"))
    assert "Eine andere Lampe leuchtete" in texts(screen)
    assert not screen.ready
    screen.open_trial("lamps")
    tick(2)
    tap_on(key(screen, "Keine leuchtet"))
    assert "Stecker und Strom" in texts(screen)


def test_the_display_shows_the_word_and_the_voice_says_the_number(setup: Setup) -> None:
    screen = setup()
    screen.open_trial("display")
    display = screen.bench.rig.twins["score"]
    assert until(lambda: display.rows()[0].startswith(screen.trial.right))
    tick(2)
    tap_on(key(screen, "Nichts Lesbares"))
    screen.open_trial("sound")
    said = screen.bench.rig.twins["sound"].said
    assert said[-1] == screen.trial.right
    screen.sound_again()
    assert len(said) == 2
    tick(2)
    tap_on(key(screen, screen.trial.right))
    found = {finding.check: finding for finding in screen.findings}
    assert found["display"] == Finding("display", Verdict.BAD, code="display_dark")
    assert found["sound"].verdict is Verdict.GOOD


def test_a_buzzer_is_told_by_its_rhythm(setup: Setup, shell: FakeShell) -> None:
    screen = setup()
    sound = SoundSettings(kind="buzzer")
    screen.bench.rig.settings = RigSettings(sound=sound)
    screen.open_trial("sound")
    buzzed = screen.bench.rig.twins["sound"].buzzed
    assert buzzed == [Rhythm(screen.trial.right)]
    tick(2)
    assert "ein langer Ton" in texts(screen)
    assert "zwei kurze Töne" in texts(screen)


def test_the_first_fault_is_named_with_what_to_do_next(setup: Setup) -> None:
    screen = setup(look=replace(GOOD, figures=replace(Seen(), light=0.05, sharpness=0.05)))
    told = texts(screen)
    assert "Macht mehr Licht" in told
    assert "Wischt die Linse" not in told, "one thing after the other"
    assert "5 % hell" in told


def test_figures_are_followed_while_hands_turn_the_lens(setup: Setup) -> None:
    looks = [replace(GOOD, figures=replace(Seen(), sharpness=0.05))]
    screen = setup(look=looks[0])
    row = screen._rows["sharpness"]
    assert row.state_shown == "bad"
    screen.bench.look = GOOD
    screen._look()
    assert screen._rows["sharpness"] is row, "a touch on it must not be lost"
    assert row.state_shown == "good"
    assert "0,30, mindestens 0,15" in texts(screen)


def test_a_table_without_anything_is_ready_at_once(setup: Setup, shell: FakeShell) -> None:
    shell.rig_settings = RigSettings()
    screen = setup(look=CameraLook(configured=False))
    assert screen.ready
    assert "nicht eingerichtet" in texts(screen)
    assert "!" not in texts(screen)


def test_leaving_keeps_the_result_and_gives_the_devices_back(
    setup: Setup, shell: FakeShell
) -> None:
    left: list[bool] = []
    screen = setup(on_leave=lambda: left.append(True))
    screen.open_trial("lamps")
    screen.touch_lamp(7)
    tick(2)
    tap_on(key(screen, "Dabei belassen"))
    assert left == [True]
    screen.leave()
    screen.parent.remove_widget(screen)
    assert shell.benches_closed == 1
    kept = shell.checked()
    assert kept is not None
    when, findings = kept
    assert when == 5.0
    assert [finding.check for finding in findings] == list(STEPS)
    again = setup()
    assert "Letztes Mal stimmte etwas nicht: Lampen" in texts(again)


def test_which_board_lies_there_is_chosen_where_no_match_says_it(
    setup: Setup, shell: FakeShell
) -> None:
    shell.camera.is_set_up = True
    screen = setup()
    first = screen.box
    tap_on(key(screen, "Die Dolmengötter"))
    assert screen.box != first
    assert shell.benches_closed == 1, "the camera is looked through by one at a time"
