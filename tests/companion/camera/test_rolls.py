"""A disc that was seen rolling is asked about at the table, and never taken in by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera.observer import sight_notes
from companion.camera.rolls import RollWatch, enough_of, rolls_are_watched
from companion.journal.entries import Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import Asked, MovesCommitted
from companion.match.messages import ProposedRoll, RolledDisc, Tick
from companion.match.table import Table
from companion.match.view import CameraIsWrong, ChooseCandidate, PlayMove, TableState, Undo
from companion.settings.manners import Manners
from rules.box import load_box
from tests.support.command import Heelstone
from tests.support.scenes.rolls import Alley, Truth, rolling_box
from tests.support.table_setup import header, tap_move
from vision.arrays import Picture
from vision.camera.sources import Frame
from vision.tracker import Tracker


def table() -> Table:
    """A new match of Rollende Steine for two."""
    plain = header()
    head = Header(
        id="m1", game="rollende_steine", players=2, options={"course": "marked"}, physical=True,
        seed="1", names=("", ""), enforcement="enforce", created_s=plain.created_s,
    )  # fmt: skip
    journal = Journal(":memory:")
    journal.create(head)
    return Table(journal, head, Manners())


def roll(*results: tuple[bool, tuple[str, ...], float]) -> ProposedRoll:
    """A proposal."""
    return ProposedRoll(tuple(RolledDisc(*one) for one in results))


def offered(at: Table) -> list[list[str]]:
    """The moves of each candidate."""
    return [[move.text for move in c.moves] for c in at.view().candidates]


def test_a_roll_is_asked_about_with_the_likeliest_first() -> None:
    at = table()
    at.handle(tap_move("p0 cushion"), 0.0)
    events = at.handle(roll((True, ("G2",), 0.3), (True, (), 0.6)), 1.0, Source.CAMERA)
    assert at.state is TableState.AMBIGUOUS
    assert offered(at) == [["table miss"], ["table score G2"]]
    assert any(isinstance(event, Asked) for event in events)
    at.handle(ChooseCandidate(1), 2.0)
    assert [entry.move.text for entry in at.match.log] == ["p0 cushion", "table score G2"]
    assert at.state is not TableState.AMBIGUOUS and offered(at) == []


def test_a_roll_is_never_agreed_by_itself() -> None:
    at = table()
    at.handle(roll((True, ("G1",), 0.999)), 0.0, Source.CAMERA)
    for second in range(1, 100):
        events = at.handle(Tick(), float(second))
        assert not any(isinstance(event, MovesCommitted) for event in events)
    assert at.match.ply == 0
    assert at.state is TableState.AMBIGUOUS


def test_a_roll_without_a_cushion_step_implies_it() -> None:
    at = table()
    at.handle(roll((False, (), 0.9)), 0.0, Source.CAMERA)
    assert offered(at) == [["p0 roll", "table short"]]
    at.handle(ChooseCandidate(), 1.0)
    assert [entry.move.text for entry in at.match.log] == ["p0 roll", "table short"]


def test_gates_that_are_scored_already_do_not_count() -> None:
    at = table()
    for move in ("p0 roll", "table score G2", "p1 roll"):
        at.handle(tap_move(move), 0.0)
    at.handle(roll((True, ("G2",), 0.7), (True, (), 0.2), (True, ("G2", "G4"), 0.1)), 1.0)
    assert offered(at) == [["table miss"], ["table score G4"]]


@pytest.mark.parametrize("answer", [CameraIsWrong(), tap_move("table miss"), Undo()])
def test_whoever_answers_otherwise_is_not_asked_again(
    answer: CameraIsWrong | PlayMove | Undo,
) -> None:
    at = table()
    at.handle(tap_move("p0 cushion"), 0.0)
    at.handle(roll((True, ("G1",), 0.9)), 1.0, Source.CAMERA)
    at.handle(answer, 2.0)
    assert offered(at) == []
    at.handle(ChooseCandidate(), 3.0)
    assert all("G1" not in entry.move.text for entry in at.match.log)


def test_a_roll_means_nothing_where_nothing_is_rolled() -> None:
    journal = Journal(":memory:")
    journal.create(header())
    at = Table(journal, journal.header("m1"), Manners())
    at.handle(roll((True, ("G1",), 0.9)), 0.0, Source.CAMERA)
    assert offered(at) == [] and at.match.ply == 0


def test_the_eyes_watch_rolls_where_the_board_has_a_run_up_zone() -> None:
    assert rolls_are_watched(rolling_box(), "rollende_steine")
    assert not rolls_are_watched(rolling_box(), "opferroulette")
    assert not rolls_are_watched(load_box("knizia_stonehenge"), "rollende_steine")


def test_frames_become_a_question() -> None:
    made = Alley(5002)
    seed = next(s for s in range(61_000, 61_100) if made.roll(s)[0].what == "straight")
    truth, frames = made.roll(seed)
    tracker, watch = Tracker(rolling_box()), RollWatch(rolling_box())
    sighting = tracker.look(Frame(made.picture(), 0, "bare", 0.0), settled=True)
    at = table()
    for number in range(10):
        watch.look(Frame(made.picture(), number, "", (number - 10) / truth.fps), sighting)
    assert len(watch.gates) == 5
    moving = replace(sighting, hand=True, still=False)
    for number, image in enumerate(frames):
        proposal = watch.look(Frame(image, number, "", number / truth.fps), moving)
        if proposal is not None:
            at.handle(proposal, 1.0, Source.CAMERA)
    assert offered(at)[0] == ["p0 roll", f"table score {','.join(sorted(truth.gates))}"]


def test_a_slow_camera_proposes_nothing() -> None:
    made = Alley(5002)
    watch = RollWatch(rolling_box())
    sighting = Tracker(rolling_box()).look(Frame(made.picture(), 0, "bare", 0.0), settled=True)
    _, frames = made.roll(61_003)
    seen = [watch.look(Frame(f, n, "", n / 10), sighting) for n, f in enumerate(frames)]
    assert not any(seen)


def film(path: Path, alley: Alley, seed: int) -> Truth:
    """A film of a roll, with a while before it in which nothing moves."""
    truth, frames = alley.roll(seed)
    still = alley.picture()
    height, width = still.shape[:2]
    code = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(path), code, float(truth.fps), (width, height))
    for image in [still] * 14 + [*frames]:
        writer.write(image)
    writer.release()
    return truth


def test_watching_a_film_reports_rolls_as_questions(heelstone: Heelstone, tmp_path: Path) -> None:
    path = tmp_path / "roll.avi"
    truth = film(path, Alley(12), 3)
    result = heelstone(
        "watch", path, "--game", "rollende_steine", "--option", "course=marked", "--json"
    )
    assert (result.code, result.err) == (0, "")
    (asked,) = [record for record in result.records if "roll" in record]
    best = asked["roll"][0]
    assert (best["crossed"], tuple(best["gates"])) == (truth.crossed, truth.gates)
    assert asked["moves"] == [] and result.records[-1]["moves"] == []
    assert asked["candidates"][0]["moves"][-1].startswith("table ")
    assert asked["candidates"][0]["text"]


def test_a_large_picture_is_made_smaller_for_following_a_roll() -> None:
    large = np.zeros((2160, 3840, 3), dtype=np.uint8)
    shrunk = enough_of(Frame(large, 0, "", 0.0), 3840 * 2160)
    assert shrunk is not None and shrunk.shape[0] * shrunk.shape[1] < 2_700_000
    assert shrunk.shape[1] / shrunk.shape[0] == pytest.approx(16 / 9, abs=0.01)
    plain = np.zeros((1080, 1920, 3), dtype=np.uint8)
    assert enough_of(Frame(plain, 0, "", 0.0), 1920 * 1080) is plain


def test_of_a_camera_that_gives_large_pictures_on_demand_the_small_ones_are_used() -> None:
    def never() -> Picture:
        raise AssertionError("the large picture was fetched")

    small = np.full((240, 320), 77, dtype=np.uint8)
    seen = enough_of(Frame(never, 0, "", 0.0, small=small), 12_000_000)
    assert seen is not None and seen.shape == (240, 320, 3) and int(seen[0, 0, 1]) == 77
    assert enough_of(Frame(never, 0, "", 0.0), 12_000_000) is None


@pytest.mark.thorough
def test_a_roll_is_told_from_pictures_of_twice_the_size() -> None:
    alley = Alley(12)
    tracker = Tracker(rolling_box())
    still = cv2.resize(alley.picture(), None, fx=2.0, fy=2.0, interpolation=cv2.INTER_LINEAR)
    sighting = tracker.look(Frame(np.asarray(still, np.uint8), 0, "", 0.0), settled=True)
    watch = RollWatch(rolling_box())
    truth, frames = alley.roll(3)
    told = []
    for number, image in enumerate([alley.picture()] * 10 + list(frames)):
        large = np.asarray(
            cv2.resize(image, None, fx=2.0, fy=2.0, interpolation=cv2.INTER_NEAREST), np.uint8
        )
        told.append(watch.look(Frame(large, number, "", number / truth.fps), sighting))
    told.append(watch.finish())
    (one,) = [roll for roll in told if roll is not None]
    assert (one.results[0].crossed, one.results[0].gates) == (truth.crossed, truth.gates)


def test_a_camera_that_is_too_slow_is_told_of() -> None:
    alley = Alley(12)
    sighting = Tracker(rolling_box()).look(Frame(alley.picture(), 0, "", 0.0), settled=True)
    for pace, slow in ((10.0, True), (30.0, False)):
        watch = RollWatch(rolling_box())
        for number in range(10):
            watch.look(Frame(alley.picture(), number, "", number / pace), sighting)
        assert watch.too_slow is slow
        notes = sight_notes(sighting, (), watch.too_slow)
        assert ("rolls_slow" in [note.code for note in notes]) is slow
