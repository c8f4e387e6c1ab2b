"""The field test at simulated devices: from beginning to end, with faults, and interrupted."""

from __future__ import annotations

import math
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from companion.presentation.words.checks import figure_rows
from companion.presentation.words.translate import set_language
from companion.settings.settings import CameraSettings
from companion.setup.table_check import CameraLook
from companion.support.finding import Figure, Finding, Verdict
from companion.workshop.fieldtest import camera, computer, devices
from companion.workshop.fieldtest.record import (
    About,
    Mark,
    Record,
    code_texts,
    from_codes,
    photograph,
    read_file,
    written,
)
from companion.workshop.fieldtest.sequence import CHECKS, FieldTest
from companion.workshop.fieldtest.steps import Answer, Step, Touch
from docs.gallery import hardware
from hardware.settings import LampSettings, RigSettings
from tests.support.fake_picamera2 import Bench as PiBench
from tests.support.fake_picamera2 import Nature
from tests.support.field_test import MODEL, SERIAL, People, PiRoot, field_test, plug_in, run, table
from tests.support.table_check import GOOD, Seen
from tests.support.workshop_application import RIG
from vision.camera.flicker import banding, row_light
from vision.camera.frames import ADJUSTED, Condition, Frame

PI = CameraSettings(source="pi", width=320, height=240)


@pytest.fixture
def pi(tmp_path: Path) -> PiRoot:
    return PiRoot(tmp_path / "root")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in (
        (computer, "HEAT_S", 1.0), (camera, "COUNTED_S", 0.3), (camera, "SIZES", ((640, 480),)),
        (camera, "RUNS", 2), (camera, "FLICKER_S", 2.0), (camera, "LOOKED_S", 0.5),
        (camera, "PATIENCE_S", 3.0), (devices, "CONNECTING_S", 2000.0), (computer, "PAUSE_S", 0.0),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)


class Looks:
    """A bench whose camera sees what it is told to, at a clock that goes on when it is read."""

    def __init__(self, inner: Any, **changes: Any) -> None:
        """``changes``: ``found_s`` (time until a quantity is found; None: never), ``swing`` of the
        light, ``glaring`` sites, ``look`` (figures)."""
        self._inner, self._ticks, self.changes = inner, count(), changes
        self._asked_s = -math.inf
        self.now_s = 0.0

    def clock(self) -> float:
        self.now_s = next(self._ticks) * 0.02
        return self.now_s

    adjusts = True

    def adjust(self) -> None:
        self._asked_s = self.now_s

    @property
    def condition(self) -> Condition:
        found_s: dict[Any, float | None] = {"exposure": 0.6, "white_balance": 2.0, "focus": 1.2}
        found_s |= self.changes.get("found_s", {})
        since_s = self.now_s - self._asked_s
        left = tuple(n for n, s in found_s.items() if since_s < (math.inf if s is None else s))
        if left and since_s < 8.0:
            return Condition(ready=False, searching=left)
        return Condition(ready=True, missing=left) if since_s < math.inf else ADJUSTED

    def camera(self) -> CameraLook:
        look: CameraLook = self.changes.get("look", GOOD)
        return replace(look, condition=self.condition)

    def snapshot(self) -> Any:
        number = int(self.now_s * 12)
        rows = np.arange(120)[:, None, None] * 0.35 + number * 1.9
        light = 120 * (1 + self.changes.get("swing", 0.0) * np.sin(rows))
        noise = np.random.default_rng(number).normal(0, 3, (120, 64, 3))
        image = np.clip(light + noise, 0, 255).astype(np.uint8)
        frame = Frame(image, number, str(number), self.now_s, condition=self.condition)
        glaring = frozenset(self.changes.get("glaring", ()))
        sighting = SimpleNamespace(hand=False, glaring=glaring, ms={"total": 41.0})
        return SimpleNamespace(frame=frame, sighting=sighting)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def looked_through(test: FieldTest, **changes: Any) -> Looks:
    """The test looks through a camera that is told what to see."""
    inner = test.kit.bench
    looks = Looks(None, **changes)

    def bench() -> Any:
        looks._inner = inner()
        return looks

    test.kit.bench, test.kit.clock = bench, looks.clock
    return looks


def seeing(**changes: Any) -> CameraLook:
    """A look with other figures than good ones."""
    return replace(GOOD, figures=replace(Seen(), **changes))


def only(test: FieldTest, name: str, people: Callable[[Step], Answer | None]) -> Any:
    """The finding of one check."""
    test.checks = {name: CHECKS[name]}
    run(test, people)
    return test.findings[name]


def figures(finding: Any) -> dict[str, float]:
    return {one.name: one.value for one in finding.figures}


# -- from beginning to end ----------------------------------------------------------------------


def test_everything_is_tried_and_one_file_holds_it_without_a_name(
    tmp_path: Path, pi: PiRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(PiBench(), monkeypatch)
    monkeypatch.setattr(socket, "gethostname", lambda: "annas-table")
    pi.write("sys/class/net/wlan0/address", "dc:a6:32:01:02:03\n")
    pi.write("etc/machine-id", "0123456789abcdef0123456789abcdef\n")
    pi.write("etc/NetworkManager/system-connections/Annas Netz.nmconnection", "")
    pi.write("etc/os-release", 'PRETTY_NAME="Debian of annas-table"\n')
    house = table(tmp_path / "state", camera=PI)
    house.people.remember(house.plan_for("dominion", ("Annabell", "Jörg")))
    test = field_test(house, pi.root)
    looked_through(test)
    people = People(house, power_cut="cannot", photo="no")
    run(test, people)
    assert [one.check for one in test.last] == ["power_cut"], "nothing of the check before it"
    verdicts = {name: test.findings[name].verdict.value for name in CHECKS}
    left_out = {"start": "absent", "photo": "skipped", "power_cut": "skipped"}
    assert verdicts == dict.fromkeys(CHECKS, "good") | left_out
    file = test.file()
    about, found = read_file(file)
    assert (about.board, about.simulated, about.devices["camera"]) == (MODEL, True, "imx708")
    assert {one.check for one in found} >= {*CHECKS, "modes_640x480", "light", "doctor_memory"}
    for one in found:
        assert all(isinstance(figure.value, int | float) for figure in one.figures)
        assert one.text == "", "sentences name folders and users"
    for lang, memory in (("de", "Arbeitsspeicher: Frei"), ("en", "memory: Free")):
        set_language(lang)
        names = [name for name, _figure in figure_rows(found)]
        assert memory in names and not [n for n in names if n.startswith(":") or "_" in n]
    told = file.decode().casefold()
    private = (
        "annas", "netz", "annabell", "jörg", SERIAL, "dc:a6", "0123456789abcdef",
        str(tmp_path), Path.home().name if len(Path.home().name) > 3 else "annas",
    )  # fmt: skip
    assert [word for word in private if word.casefold() in told] == []
    assert b"jpeg" not in file, "nobody allowed a picture"
    assert from_codes("\n".join(reversed(code_texts(file)))) == file
    house.close()


def test_a_picture_is_in_the_file_only_if_it_was_allowed_and_seen(
    tmp_path: Path, pi: PiRoot
) -> None:
    house = table(tmp_path / "state", camera=PI)
    test = field_test(house, pi.root)
    looked_through(test)
    assert only(test, "photo", People(house)).verdict is Verdict.GOOD
    assert test.file().count(b'"picture":"board"') == 1
    assert b"jpeg" not in test.file(photo=False)
    test.begin("photo")
    run(test, People(house, photo_seen="remove"))
    assert b"jpeg" not in test.file()
    assert not list((tmp_path / "state").glob("*.jpg"))
    house.close()


def test_a_table_with_nothing_has_no_failure(tmp_path: Path, pi: PiRoot) -> None:
    house = table(tmp_path / "state", RigSettings())
    test = field_test(house, tmp_path / "nothing")
    test.kit.glass = None
    run(test, People(house, power_cut="cannot"))
    others = {name: found for name, found in test.findings.items() if name in CHECKS}
    others.pop("computer")
    assert {found.verdict for found in others.values()} == {Verdict.ABSENT, Verdict.SKIPPED}
    house.close()


# -- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "changes", "verdict", "code"),
    [
        ("settling", {"found_s": {"exposure": None}}, "bad", "no_exposure"),
        ("settling", {"found_s": {"focus": None}}, "bad", "no_focus"),
        ("flicker", {"swing": 0.1}, "doubtful", "bands"),
        ("picture", {"look": seeing(sharpness=0.05)}, "bad", "blurred"),
        ("picture", {"look": seeing(board="lost")}, "bad", "board_lost"),
        ("picture", {"glaring": ("A", "B")}, "doubtful", "glare"),
    ],
)  # fmt: skip
def test_a_camera_that_sees_badly_is_told_from_one_that_sees_well(
    tmp_path: Path, pi: PiRoot, name: str, changes: dict[str, Any], verdict: str, code: str
) -> None:
    house = table(tmp_path / "state", camera=PI)
    good, bad = field_test(house, pi.root), field_test(house, pi.root)
    looked_through(good)
    assert only(good, name, People(house)).verdict is Verdict.GOOD
    looked_through(bad, **changes)
    bad.begin(name)
    run(bad, People(house))
    assert (bad.findings[name].verdict, bad.findings[name].code) == (verdict, code)
    house.close()


def test_a_camera_that_never_converges_is_found_out_through_the_driver(
    tmp_path: Path, pi: PiRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera, "RUNS", 1)
    swinging = PiBench(nature=Nature(exposure_s=math.inf))
    plug_in(swinging, monkeypatch)
    house = table(tmp_path / "state", camera=PI)
    found = only(field_test(house, pi.root, swinging), "settling", People(house))
    assert (found.verdict, found.code) == (Verdict.BAD, "no_exposure")
    assert "exposure" not in figures(found) and figures(found)["all"] > 7
    assert swinging.open == [], "the camera is free again"
    house.close()


def test_the_swing_of_the_light_is_measured_whatever_is_on_the_table() -> None:
    drawing = np.random.default_rng(1).integers(60, 200, (240, 320)).astype(float)

    def seen(swing: float, number: int) -> Any:
        bands = 1 + swing * np.sin(np.arange(240)[:, None] * 0.2 + number * 1.3)
        noise = np.random.default_rng(number).normal(0, 4, drawing.shape)
        grey = np.clip(drawing * bands + noise, 0, 255).astype(np.uint8)
        return row_light(Frame(np.zeros((1, 1, 3), np.uint8), number, "", 0.0, small=grey))

    for swing in (0.0, 0.05, 0.2):
        measured = banding([seen(swing, number) for number in range(40)])
        assert measured == pytest.approx(swing, abs=0.006), swing


def test_a_touch_panel_that_is_off_is_told_with_its_direction(tmp_path: Path, pi: PiRoot) -> None:
    house = table(tmp_path / "state", RigSettings())
    test = field_test(house, pi.root)
    found = only(test, "touch", People(house, touch=Touch((60.0, -4.0), 130.0)))
    assert (found.verdict, found.code) == (Verdict.BAD, "touch_off")
    assert (figures(found)["mean_right"], figures(found)["mean_up"]) == (60, -4)
    assert test.findings["latency"].verdict is Verdict.DOUBTFUL
    test.begin("touch")
    run(test, People(house, touch="not_felt"))
    assert test.findings["touch"].code == "not_felt"
    assert only(test, "fingers", People(house, fingers="one_only")).code == "one_finger"
    house.close()


def test_lamps_that_are_not_there_or_dark_and_buttons_that_do_nothing(
    tmp_path: Path, pi: PiRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = table(tmp_path / "state")
    test = field_test(house, pi.root)
    dark = only(test, "lamps", People(house, lamps="none_lit"))
    assert (dark.verdict, dark.code) == (Verdict.BAD, "lamps_dark")
    assert only(test, "display", People(house, display="unreadable")).code == "display_dark"
    silent = only(test, "buttons", People(house, buttons="not_all"))
    assert (silent.verdict, silent.code) == (Verdict.BAD, "buttons_silent")
    assert house.rig.buttons.names, "they are given back"
    house.close()
    gone = msgspec.structs.replace(
        RIG, lamps=LampSettings(kind="adalight", port="/dev/ttyX9", count=9)
    )
    unplugged = table(tmp_path / "other", gone)
    found = only(field_test(unplugged, pi.root), "lamps", People(unplugged))
    assert (found.verdict, found.code) == (Verdict.BAD, "missing")
    unplugged.close()


def test_a_hot_board_and_a_weak_supply_are_noticed_under_load(tmp_path: Path, pi: PiRoot) -> None:
    house = table(tmp_path / "state", RigSettings())
    test = field_test(house, pi.root)
    looks = Looks(None)
    test.kit.clock = looks.clock
    pi.tell(temp=86_000, bits="4")
    hot = only(test, "heat", People(house))
    assert (hot.verdict, hot.code, figures(hot)["slowed"]) == (Verdict.BAD, "hot", 1)
    pi.tell(bits="1")
    test.begin("heat")
    run(test, People(house))
    assert test.findings["heat"].code == "power_low"
    house.close()


def test_start_up_is_told_by_systemd(
    tmp_path: Path, pi: PiRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {
        "systemd-analyze": "Startup finished in 3.217s (kernel) + 1min 2.5s (userspace) = 65s\n",
        "systemctl": "ActiveEnterTimestampMonotonic=24300000\n\nActiveEnterTimestampMonotonic=0\n",
    }
    monkeypatch.setattr(computer, "asked_systemd", lambda name, *_: said[name])
    house = table(tmp_path / "state", RigSettings())
    found = only(field_test(house, pi.root), "start", People(house))
    assert figures(found) == {"shelf": 24.3, "kernel": 3.22, "userspace": 62.5}
    assert found.verdict is Verdict.DOUBTFUL, "the shelf should be there after 20 s"
    house.close()


def test_a_mistake_in_a_check_is_its_finding_and_ends_nothing_else(
    tmp_path: Path, pi: PiRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _args: None)
    monkeypatch.setattr(computer, "memory_mb", lambda *_: 1 / 0)
    house = table(tmp_path / "state", RigSettings())
    found = only(field_test(house, pi.root), "memory", People(house))
    assert (found.verdict, found.code) == (Verdict.BAD, "mistake")
    house.close()


# -- interruptions ------------------------------------------------------------------------------


def killed_at(name: str, state: Path, root: Path, by: signal.Signals = signal.SIGKILL) -> str:
    """Go on with the test in another process that is killed in the middle of a check; the check
    that it went on with."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            house = table(state)
            test, people = field_test(house, root), People(house)
            test.go_on()
            os.write(writing, test.name.encode())
            while True:
                entries = int(str(test.step.values.get("entries", 9))) if test.step else 0
                if test.step is not None and test.name == name and entries > 4:
                    os.kill(os.getpid(), by)
                if test.step is None:
                    test.go_on()
                else:
                    test.tick(people(test.step))
                time.sleep(0.005)
        finally:
            os._exit(1)
    os.close(writing)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended == (-by if by is signal.SIGKILL else 1)
    with os.fdopen(reading) as told:
        return told.read()


def test_a_test_that_is_killed_goes_on_with_the_check_it_was_at(tmp_path: Path, pi: PiRoot) -> None:
    state = tmp_path / "state"
    order = [
        "computer",
        "screen",
        "touch",
        "fingers",
        "lamps",
        "display",
        "sound",
        "heat",
        "power_cut",
    ]
    before = "computer"
    for name in order:
        assert killed_at(name, state, pi.root) == before
        before = name
    house = table(state)
    test = field_test(house, pi.root)
    assert test.interrupted
    done = [name for name in CHECKS if name in test.findings]
    assert done == [name for name in CHECKS if name != "power_cut"], "nothing was done in vain"
    test.go_on()
    assert test.name == "power_cut" and test.step is not None, "a kill is no power cut"
    test.leave()
    house.close()


def test_a_power_cut_is_noticed_and_nothing_that_was_confirmed_is_lost(
    tmp_path: Path, pi: PiRoot
) -> None:
    state = tmp_path / "state"
    Record(state).add([Finding(name, Verdict.SKIPPED) for name in CHECKS if name != "power_cut"])
    killed_at("power_cut", state, pi.root)
    pi.boot()
    house = table(state)
    test = field_test(house, pi.root)
    run(test, People(house))
    found = test.findings["power_cut"]
    assert (found.verdict, figures(found)["lost"]) == (Verdict.GOOD, 0)
    assert figures(found)["kept"] >= figures(found)["confirmed"] > 4
    assert not (state / "fieldtest-trial").exists() and not test.interrupted
    house.close()


def test_a_journal_that_lost_moves_in_the_cut_is_told(tmp_path: Path, pi: PiRoot) -> None:
    state = tmp_path / "state"
    Record(state).add([Finding(name, Verdict.SKIPPED) for name in CHECKS if name != "power_cut"])
    killed_at("power_cut", state, pi.root)
    pi.boot()
    record = Record(state)
    record.keep_mark(msgspec.structs.replace(record.mark(), confirmed=10_000))
    house = table(state)
    test = field_test(house, pi.root)
    run(test, People(house))
    assert test.findings["power_cut"].code == "journal_damaged"
    house.close()


def test_whoever_leaves_in_order_is_not_asked_to_go_on(tmp_path: Path, pi: PiRoot) -> None:
    house = table(tmp_path / "state", RigSettings())
    test = field_test(house, pi.root)
    test.begin("power_cut")
    assert test.interrupted
    test.leave()
    pi.boot()
    assert not test.interrupted and test.following == "computer"
    house.close()


def test_a_computer_that_is_shut_down_in_order_had_no_power_cut(tmp_path: Path, pi: PiRoot) -> None:
    state = tmp_path / "state"
    Record(state).add([Finding(name, Verdict.SKIPPED) for name in CHECKS if name != "power_cut"])
    killed_at("power_cut", state, pi.root, by=signal.SIGTERM)
    assert Record(state).mark() == Mark()


def test_the_page_of_boards_is_filled_by_files_and_by_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware, "FOLDER", tmp_path / "kept")
    about = About(
        day="2026-12-01", board=MODEL, simulated=False, versions={"os": "Debian 13"},
        devices={"camera": "imx708"},
    )  # fmt: skip
    bands = Finding("flicker", Verdict.DOUBTFUL, (Figure("banding", 0.04, most=0.02),), "bands")
    rate = Finding("modes", Verdict.GOOD, (Figure("rate", 9.5, "1/s"),))
    file = written(about, [rate, bands], [photograph("board", b"jpeg")])
    (tmp_path / "stick.jsonl").write_bytes(file)
    (tmp_path / "codes.txt").write_text("\n\n".join(code_texts(file)))
    hardware.keep(tmp_path / "stick.jsonl")
    kept = hardware.keep(tmp_path / "codes.txt")
    assert kept.name == "raspberry-pi-4-model-b-rev-1-4-2026-12-01-2.jsonl"
    assert b"jpeg" not in kept.read_bytes()
    _head, _line, first, second = hardware.hardware()
    assert first == second and first.startswith(f"| {MODEL}, Debian 13 | imx708 |")
    assert "| 9.5/s |" in first and "| 0.04 |" in first and first.endswith("| – | flicker |")
    larger = written(about, [], [photograph("board", os.urandom(900))])
    (tmp_path / "part.txt").write_text(code_texts(larger)[0])
    with pytest.raises(ValueError, match="1 of"):
        hardware.keep(tmp_path / "part.txt")


def test_a_check_that_ends_the_program_twice_is_left_out(tmp_path: Path, pi: PiRoot) -> None:
    state = tmp_path / "state"
    assert killed_at("screen", state, pi.root) == "computer"
    assert killed_at("screen", state, pi.root) == "screen"
    house = table(state, RigSettings())
    test = field_test(house, pi.root)
    test.go_on()
    assert (test.findings["screen"].code, test.following) == ("ends_program", "touch")
    house.close()


def test_a_torn_line_of_the_record_costs_that_check_and_no_other(tmp_path: Path) -> None:
    record = Record(tmp_path)
    record.add([Finding("computer", Verdict.GOOD), Finding("start", Verdict.ABSENT)])
    whole = record.path.read_bytes()
    record.path.write_bytes(whole[:-9])
    torn = Record(tmp_path)
    assert list(torn.findings) == ["computer"]
    torn.add([Finding("start", Verdict.GOOD)])
    assert Record(tmp_path).findings["start"].verdict is Verdict.GOOD
