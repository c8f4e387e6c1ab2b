"""The checks of a table, without a screen."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from companion.setup.table_check import (
    CAMERA_STEPS,
    PATIENCE_S,
    WORDS,
    Bench,
    CameraLook,
    CheckFile,
    LampTrial,
    Trial,
    camera_findings,
    device_finding,
)
from companion.support.finding import Figure, Finding, Verdict
from hardware.rig import Rig
from hardware.settings import RigSettings, ScoreSettings, SoundSettings
from tests.support.table_check import GOOD, Seen
from tests.support.waiting import until


def verdicts(look: CameraLook) -> dict[str, tuple[Verdict, str]]:
    """Verdict and code by step."""
    return {finding.check: (finding.verdict, finding.code) for finding in camera_findings(look)}


def test_a_good_picture_passes_every_step_with_its_number() -> None:
    found = camera_findings(GOOD)
    assert [finding.check for finding in found] == list(CAMERA_STEPS)
    assert {finding.verdict for finding in found} == {Verdict.GOOD}
    assert [finding.figures[0].value for finding in found] == [9.5, 0.5, 0.3, 3.5, 0.4]


@pytest.mark.parametrize(
    ("change", "step", "code"),
    [
        ({"light": 0.05}, "light", "too_dark"),
        ({"light": 0.99}, "light", "too_bright"),
        ({"sharpness": 0.1}, "sharpness", "blurred"),
        ({"px_per_module": 1.4}, "stickers", "too_small"),
        ({"pose_error_px": 4.0}, "corners", "crooked"),
    ],
)
def test_each_figure_fails_alone(change: dict[str, Any], step: str, code: str) -> None:
    found = verdicts(replace(GOOD, figures=replace(Seen(), **change)))
    assert found.pop(step) == (Verdict.BAD, code)
    assert {verdict for verdict, _code in found.values()} == {Verdict.GOOD}


def test_a_camera_that_is_not_set_up_is_no_failure() -> None:
    assert set(verdicts(CameraLook(configured=False)).values()) == {(Verdict.ABSENT, "")}


def test_a_silent_camera_gets_some_time_before_it_has_failed() -> None:
    silent = CameraLook(configured=True, waited_s=1.0)
    assert verdicts(silent)["camera"] == (Verdict.WAITING, "")
    late = verdicts(replace(silent, waited_s=PATIENCE_S))
    assert late["camera"] == (Verdict.BAD, "no_pictures")
    assert late["light"] == (Verdict.WAITING, "")


def test_a_board_out_of_view_is_the_corners_matter_and_the_rest_waits() -> None:
    found = verdicts(replace(GOOD, figures=replace(Seen(), board="lost")))
    assert found["camera"][0] is Verdict.GOOD
    assert found["corners"] == (Verdict.BAD, "board_lost")
    assert found["light"] == found["stickers"] == (Verdict.WAITING, "")


# -- trials -----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 24, 300])
def test_both_ends_of_the_strip_are_tried_and_all_right_passes(count: int) -> None:
    trial = LampTrial(count, random.Random(1))
    assert trial.order[0] == 0
    assert trial.order[-1] == count - 1
    assert len(trial.order) == min(count, 5)
    while trial.glowing is not None:
        assert trial.finding is None
        trial.answer(trial.glowing)
    done = len(trial.order)
    assert trial.finding == Finding("lamps", Verdict.GOOD, (Figure("right", done, least=done),))


@pytest.mark.parametrize(("answer", "code"), [(7, "lamps_order"), (None, "lamps_dark")])
def test_a_wrong_lamp_or_none_ends_the_trial_with_what_to_do(answer: int | None, code: str) -> None:
    trial = LampTrial(24, random.Random(1))
    trial.answer(0)
    trial.answer(answer)
    assert trial.glowing is None
    assert trial.finding == Finding("lamps", Verdict.BAD, (Figure("right", 1, least=5),), code)
    trial.answer(23)
    assert trial.finding.verdict is Verdict.BAD, "an ended trial hears nothing more"


@pytest.mark.parametrize(
    ("step", "dark", "wrong"),
    [("display", "display_dark", "display_wrong"), ("sound", "silent", "misheard")],
)
def test_the_right_word_passes_and_anything_else_says_why_not(
    step: str, dark: str, wrong: str
) -> None:
    trial = Trial.among(step, WORDS, random.Random(2))
    assert len(set(trial.choices)) == 3
    assert trial.right in trial.choices
    other = next(word for word in trial.choices if word != trial.right)
    assert trial.finding(trial.right).verdict is Verdict.GOOD
    assert trial.finding(other) == Finding(step, Verdict.BAD, code=wrong)
    assert trial.finding(None) == Finding(step, Verdict.BAD, code=dark)


def test_trials_differ_from_time_to_time_so_that_nobody_passes_by_heart() -> None:
    rights = {Trial.among("display", WORDS, random.Random(seed)).right for seed in range(30)}
    assert len(rights) > 2


# -- devices ----------------------------------------------------------------------------------


def test_what_is_not_set_up_is_no_failure_and_trouble_is_said_before_any_trial() -> None:
    assert device_finding("lamps", "none", True, "off") == Finding("lamps", Verdict.ABSENT)
    assert device_finding("sound", "silent", True, "off") == Finding("sound", Verdict.ABSENT)
    busy = device_finding("display", "cfa635", False, "busy")
    assert busy == Finding("display", Verdict.BAD, code="busy")
    assert device_finding("display", "cfa635", False, "connecting") == Finding(
        "display", Verdict.WAITING
    )
    assert device_finding("display", "cfa635", True, "connected") is None


def test_the_bench_shows_the_word_on_the_display_and_says_the_number() -> None:
    settings = RigSettings(score=ScoreSettings(kind="mock"), sound=SoundSettings(kind="mock"))
    closed: list[bool] = []
    with Rig(settings) as rig:
        bench = Bench(rig, None, lambda: closed.append(True))
        assert bench.device("lamps") == Finding("lamps", Verdict.ABSENT)
        assert until(lambda: bench.device("display") is None)
        assert bench.device("sound") is None
        bench.write("Avebury")
        bench.say("7")
        assert until(lambda: rig.twins["score"].rows()[0].startswith("Avebury"))
        assert until(lambda: any("7" in row for row in rig.twins["sound"].rows()))
        bench.close()
    assert closed == [True]


def test_pictures_per_second_are_counted() -> None:
    @dataclass
    class CameraThread:
        frames: int = 5
        last: Seen | None = None
        adjusts: bool = False

        def adjust(self) -> None:
            """It cannot."""

        def snapshot(self) -> None:
            """There is none."""

    now = [100.0]
    eyes = CameraThread()
    with Rig(RigSettings()) as rig:
        bench = Bench(rig, eyes, lambda: None, clock=lambda: now[0])
        eyes.frames, eyes.last, now[0] = 25, Seen(), 102.0
        look = bench.camera()
    assert (look.per_s, look.waited_s, look.figures) == (10.0, 2.0, Seen())


# -- what is kept -----------------------------------------------------------------------------


def test_the_result_is_kept(tmp_path: Path) -> None:
    file = CheckFile(tmp_path)
    assert file() is None
    lamps = Finding("lamps", Verdict.BAD, (Figure("right", 2, least=5),), "lamps_order")
    found = [lamps, Finding("sound", Verdict.GOOD)]
    file.keep(found, 1_700_000_000.0)
    assert CheckFile(tmp_path)() == (1_700_000_000.0, tuple(found))
    older = (
        b'{"when_s": 1.0, "findings": [{"step": "lamps", "verdict": "bad", "value": 2, "of": 5}]}'
    )
    file.path.write_bytes(older)
    assert CheckFile(tmp_path)() == (1.0, (Finding("lamps", Verdict.BAD),))


@pytest.mark.parametrize("rubbish", [b"", b"\xff", b'{"when_s": "x"}'])
def test_a_damaged_result_is_said_and_set_aside(tmp_path: Path, rubbish: bytes) -> None:
    file = CheckFile(tmp_path)
    file.path.write_bytes(rubbish)
    assert file() is None
    assert "table_check.json" in str(file.salvage)
    assert len(list(tmp_path.glob("table_check-damaged-*"))) == 1
