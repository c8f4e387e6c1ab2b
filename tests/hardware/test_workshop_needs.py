"""Requests of a device test to the hardware: buttons lent, lamps dimmed, a voice tuned."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.buttons.buttons import Buttons
from hardware.displays.score import NoDisplay, RememberedDisplay
from hardware.lamps.lamps import Frame, Lamps, Light, NoLamps
from hardware.rig import Rig
from hardware.settings import MOCK_RIG
from hardware.sound.sound import Sound
from hardware.sound.voice import Voice
from hardware.status import Report


def wait(done: Callable[[], object], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


def test_a_borrowed_button_tells_the_borrower_and_does_nothing_else() -> None:
    acted: list[str] = []
    heard: list[tuple[str, bool]] = []
    buttons = Buttons(["undo"], hold_s=0.02)
    buttons.when_pressed("undo", lambda: acted.append("pressed"))
    buttons.when_held("undo", lambda: acted.append("held"))
    give_back = buttons.borrow(lambda name, pressed: heard.append((name, pressed)))
    buttons.change("undo", True)
    wait(lambda: heard == [("undo", True)])
    assert buttons.down == {"undo"}
    time.sleep(0.05)
    buttons.change("undo", False)
    wait(lambda: len(heard) == 2)
    assert acted == []
    assert buttons.down == frozenset()
    give_back()
    buttons.change("undo", True)
    wait(lambda: acted[:1] == ["pressed"])
    buttons.close()


def test_a_borrower_that_fails_does_not_end_the_buttons(failures: list[str]) -> None:
    heard: list[str] = []

    def fail(name: str, pressed: bool) -> None:
        heard.append(name)
        raise RuntimeError("a mistake of the borrower")

    buttons = Buttons(["undo"])
    buttons.borrow(fail)
    buttons.change("undo", True)
    buttons.change("undo", False)
    wait(lambda: len(heard) == 2)
    buttons.close()
    assert failures == ["a mistake of the borrower"]


def test_only_the_last_borrower_can_give_back() -> None:
    heard: list[str] = []
    buttons = Buttons(["undo"])
    first = buttons.borrow(lambda name, pressed: heard.append("first"))
    buttons.borrow(lambda name, pressed: heard.append("second"))
    first()
    buttons.change("undo", True)
    wait(lambda: heard == ["second"])
    buttons.close()


def test_brightness_counts_at_once() -> None:
    class Backend(NoLamps):
        count = 1
        frames: list[Frame] = []

        def show(self, frame: Frame) -> None:
            self.frames.append(frame)

    backend = Backend()
    lamps = Lamps(backend, brightness=1.0)
    lamps.show({0: Light((255, 255, 255))})
    wait(lambda: lamps.frame == ((255, 255, 255),))
    lamps.brightness = 0.2
    wait(lambda: lamps.frame == ((51, 51, 51),))
    assert lamps.brightness == 0.2
    with pytest.raises(ValueError, match="from 0 to 1"):
        lamps.brightness = 1.5
    lamps.close()


def test_a_voice_is_tuned_without_being_made_anew(tmp_path: Path) -> None:
    told: list[Report] = []
    spoken = tmp_path / "arguments"
    recorder = tmp_path / "recorder"
    recorder.write_text(f'#!/bin/sh\necho "$@" >> {spoken}\nwhile [ "$1" != -w ]; do shift; done\n'
                        'cat > "$2"\n')  # fmt: skip
    player = tmp_path / "player"
    player.write_text("#!/bin/sh\n")
    for program in (recorder, player):
        program.chmod(0o755)
    voice = Voice(told.append, folder=tmp_path / "kept", recorder=str(recorder),
                  player=str(player))  # fmt: skip
    sound = Sound(voice)
    assert sound.speaks
    assert not sound.buzzes
    sound.tune("en", 0.5)
    sound.say("hello")
    wait(lambda: spoken.exists() and "-v en-gb -a 100 " in spoken.read_text())
    sound.close()


def test_the_rig_remembers_what_its_display_shows() -> None:
    with Rig(MOCK_RIG) as rig:
        rig.score.show(["Anna\t12"])
        assert rig.score.lines == ("Anna\t12",)
        wait(lambda: rig.twins["score"].rows()[0].startswith("Anna"))
        rig.score.clear()
        assert not rig.score.lines
    display = RememberedDisplay(NoDisplay())
    assert (display.columns, display.rows) == (0, 0)
