"""Something else is plugged in where a display should be: it is said, as far as it can be known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardware.simulated.pty import PtyTwin
from tests.support.plugged_in import AT_PORTS, SCORE_DISPLAYS
from tests.support.rig import rig_of
from tests.support.waiting import until


class Modem(PtyTwin):
    """Repeats what it is told, and calls it an error."""

    def boot(self) -> None:
        pass

    def take(self, data: bytes) -> None:
        self.send(data + b"\r\nERROR\r\n")


class Prompt(Modem):
    """A Pico without our firmware: MicroPython repeats what it is told."""

    def take(self, data: bytes) -> None:
        self.send(data)


class Navigator(Modem):
    """Talks all the time."""

    tick_s = 0.01

    def take(self, data: bytes) -> None:
        pass

    def tick(self) -> None:
        self.send(b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n")


THERE: dict[str, Callable[[], Any]] = {
    **{
        kind: case.twin
        for kind, device in SCORE_DISPLAYS.items()
        for case in [*device.models.values()][:1]
        if case.at_port
    },
    "wled": AT_PORTS["wled"].twin,
    "adalight": AT_PORTS["adalight"].twin,
    "modem": Modem,
    "prompt": Prompt,
    "navigator": Navigator,
}
SILENT = [kind for kind, device in SCORE_DISPLAYS.items() if device.noise]
"""Kinds of displays that never answer."""


@pytest.mark.parametrize("there", THERE)
@pytest.mark.parametrize("kind", ["cfa635", "pico"])
def test_a_display_that_answers_is_not_taken_for_another(
    kind: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind != there:
        monkeypatch.setattr("hardware.displays.pico.REPLY_WAIT_S", 0.1)
        monkeypatch.setattr("hardware.displays.cfa635.REPLY_WAIT_S", 0.1)
    with (
        THERE[there]() as twin,
        rig_of({"score": {"kind": kind, "port": twin.url, "rows": 4, "columns": 20}}) as rig,
    ):
        rig.score.show(["Anna\t12"])

        def code() -> str:
            return next(status.code for status in rig.status() if status.name == "score")

        wanted = "connected" if kind == there else "no_answer"
        if kind == "pico" and there in ("modem", "prompt"):
            wanted = "no_firmware"
        assert until(lambda: code() == wanted), code()


@pytest.mark.parametrize("there", ["modem", "prompt", "navigator"])
@pytest.mark.parametrize("kind", SILENT)
def test_a_display_that_never_answers_is_told_from_a_thing_that_talks(
    kind: str, there: str
) -> None:
    with THERE[there]() as twin, rig_of({"score": {"kind": kind, "port": twin.url}}) as rig:
        points = iter(range(10_000))

        def said() -> str:
            rig.score.show([f"Anna\t{next(points)}"])
            return next(status.code for status in rig.status() if status.name == "score")

        assert until(lambda: said() == "talks_back")


@pytest.mark.parametrize("kind", SILENT)
def test_noise_of_the_plug_and_keys_at_the_display_are_not_talk(kind: str) -> None:
    with THERE[kind]() as twin, rig_of({"score": {"kind": kind, "port": twin.url}}) as rig:
        rig.score.show(["12"])
        assert twin.wait_for(lambda: "12" in twin.rows()[0])
        twin.send(SCORE_DISPLAYS[kind].noise)
        for points in range(20, 40):
            rig.score.show([str(points)])
            assert twin.wait_for(lambda n=points: str(n) in twin.rows()[0])
        codes = {status.name: status.code for status in rig.status()}
        assert codes["score"] == "connected"
