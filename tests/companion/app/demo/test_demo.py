"""The demo: a whole match through everything a real table uses, with a kill in the middle."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import cv2
import pytest

from companion.app.demo import run
from companion.app.demo.run import PICTURES
from companion.app.demo.window import CLOSED
from companion.journal.entries import FINISHED
from companion.journal.events import TakenBack
from companion.journal.store import Journal
from tests.support.command import Heelstone, Result, outside
from tests.support.journals import filled


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """Result of one demo, and its folder."""
    home = tmp_path_factory.mktemp("demo")
    out = home / "out"
    result = outside(home)("demo", "--headless", "--out", out, "--lang", "en")
    log = out / "log.txt"
    if result.code and log.exists() and "NoScreenError" in log.read_text():
        pytest.skip("no software rendering on this computer")
    assert result.code == 0, result.err + log.read_text()
    return result, out


def report(out: Path) -> dict[str, Any]:
    """The demo's figures."""
    figures: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return figures


def test_no_move_is_wrong_and_none_is_lost_by_the_kill(played: tuple[Result, Path]) -> None:
    result, out = played
    figures = report(out)
    assert figures["wrong_moves"] == 0
    assert figures["lost_moves"] == 0
    assert figures["killed_with_heard_moves"] > 0
    assert figures["journal_moves_after_kill"] >= figures["killed_with_heard_moves"]
    assert figures["moves"] > 15 and figures["frames"] > 100
    # On a slow machine each of both is told again, with the seconds that it has taken.
    parts = [line.partition("the power cut")[0] for line in result.err.splitlines()]
    assert [part.split()[-1] for part in dict.fromkeys(parts)] == ["until", "after"]
    assert str(out / "report.md") in result.out


def test_a_demo_waits_for_another_one_in_the_same_folder_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages: list[str] = []
    both = threading.Barrier(2)

    class Stages:
        def __call__(self, name: str, **_: object) -> Callable[[int, int], None]:
            stages.append(name)
            return lambda _done, _of: None

    def played_at_once(*_: object) -> str:
        """Ends well only for a demo that is alone."""
        with pytest.raises(threading.BrokenBarrierError):
            both.wait(0.5)
        both.reset()
        return "played"

    monkeypatch.setattr(run, "_perform", played_at_once)

    def demo() -> str | None:
        return run.run_demo(tmp_path / "out", "en", headless=True, stage=cast(Any, Stages()))

    with ThreadPoolExecutor(2) as pool:
        assert [told.result() for told in [pool.submit(demo), pool.submit(demo)]] == ["played"] * 2
    assert stages == ["demo_waits"]


def test_somebody_wins_with_the_eighth_megalith(played: tuple[Result, Path]) -> None:
    _, out = played
    outcome = report(out)["outcome"]
    assert outcome["reason"] == "eighth_megalith"
    (winner,) = outcome["ranking"][0]
    assert outcome["scores"][winner] == 8


def test_the_journal_tells_the_same_match(played: tuple[Result, Path]) -> None:
    _, out = played
    with Journal(out / "journal.db") as journal:
        assert journal.salvage is None
        (summary,) = journal.matches()
        assert summary.status == FINISHED
        match = journal.load(summary.header.id)
        events = journal.events(summary.header.id)
    assert match.outcome is not None
    assert match.outcome.to_json() == report(out)["outcome"]
    assert sum(isinstance(event.what, TakenBack) for event in events) == 1
    assert not any(entry.forced for entry in match.log)


def test_one_breach_is_refused_and_one_move_is_taken_back(played: tuple[Result, Path]) -> None:
    _, out = played
    notes = [
        note
        for part in ("first", "second")
        for note in json.loads((out / f"{part}.json").read_text())["notes"]
    ]
    refused = [note for note in notes if note.startswith("refused: ")]
    assert len(refused) == 1
    assert refused[0].startswith("refused: 1.5 ")
    assert sum(note.startswith("taken back: ") for note in notes) == 1


def test_every_moment_has_a_picture_of_the_screen_and_one_of_the_camera(
    played: tuple[Result, Path],
) -> None:
    _, out = played
    page = (out / "report.md").read_text(encoding="utf-8")
    for name in PICTURES:
        screen = cv2.imread(str(out / f"{name}.png"))
        assert screen is not None and screen.shape == (480, 800, 3), name
        assert screen.std() > 5, f"{name} shows nothing"
        assert cv2.imread(str(out / f"{name}-camera.jpg")) is not None, name
        assert f"]({name}.png)" in page


def test_the_devices_show_the_end(played: tuple[Result, Path]) -> None:
    _, out = played
    second = json.loads((out / "second.json").read_text())
    assert len(second["display"]) == 4
    assert "8" in second["display"][1].split()
    assert second["lamps"] and second["lamps"][0]


def test_its_programs_complain_of_nothing(played: tuple[Result, Path]) -> None:
    _, out = played
    log = (out / "log.txt").read_text()
    assert "Warning" not in log and "Traceback" not in log and "Error" not in log


# -- where it must not run ----------------------------------------------------------------


def test_a_folder_that_is_in_use_is_refused_and_left_alone(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "to-grandma.txt").write_text("Dear Grandma")
    said = heelstone("demo", "--headless", "--out", letters).complaint()
    assert str(letters) in said and "in use" in said
    assert (letters / "to-grandma.txt").read_text() == "Dear Grandma"


def test_a_folder_with_somebodys_journal_is_never_emptied(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    state = tmp_path / "mine"
    filled(state / "journal.db", 5).close()
    heelstone("demo", "--headless", "--out", state).complaint()
    with Journal(state / "journal.db") as journal:
        assert journal.load("m1").ply == 5


def test_a_file_in_the_place_of_the_folder_is_refused(heelstone: Heelstone, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    assert str(tmp_path / "out") in heelstone("demo", "--out", tmp_path / "out").complaint()


def test_a_window_that_is_closed_early_is_no_failure(
    heelstone: Heelstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_parts: object, name: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", f"raise SystemExit({CLOSED})"])

    monkeypatch.setattr(run._Parts, "start", start)
    result = heelstone("demo", "--out", tmp_path / "out")
    assert (result.code, result.out, result.err) == (0, "", "")


@pytest.mark.parametrize("part", ["first", "second"])
def test_a_demo_that_does_not_go_as_it_should_is_one_line(
    heelstone: Heelstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def start(_parts: object, name: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])

    monkeypatch.setattr(run._Parts, "start", start)
    if part == "second":
        monkeypatch.setattr(run, "_kill_in_the_middle", lambda first, out, step: None)
        monkeypatch.setattr(run, "_journal_after_kill", lambda out: {"heard": 1, "moves": 1})
    out = tmp_path / "out"
    result = heelstone("demo", "--headless", "--out", out)
    assert (result.code, result.out) == (1, "")
    assert result.err.count("\n") == 1
    assert str(out / "log.txt") in result.err
    # The next one may use the folder again.
    assert heelstone("demo", "--headless", "--out", out).code == 1
