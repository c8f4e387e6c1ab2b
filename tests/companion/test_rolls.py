"""A disc that was seen rolling is asked about at the table, and never taken in by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.events import Agreed, Asked
from companion.journal import Header, Journal
from companion.rolls import RollWatch, rolls_are_watched
from companion.settings import Manners
from companion.table import ProposedRoll, RolledDisc, Table, Tick
from companion.view import CameraIsWrong, Choose, TableState, TapMove, Undo
from rules.box import load_box
from tests.companion.table_setup import header
from tests.vision.rolls import Alley, rolling_box
from vision.sources import Frame
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
    at.handle(TapMove("p0 cushion"), 0.0)
    events = at.handle(roll((True, ("G2",), 0.3), (True, (), 0.6)), 1.0, "camera")
    assert at.state is TableState.AMBIGUOUS
    assert offered(at) == [["table miss"], ["table score G2"]]
    assert any(isinstance(event, Asked) for event in events)
    at.handle(Choose(1), 2.0)
    assert [entry.move.text for entry in at.match.log] == ["p0 cushion", "table score G2"]
    assert at.state is not TableState.AMBIGUOUS and offered(at) == []


def test_a_roll_is_never_agreed_by_itself() -> None:
    at = table()
    at.handle(roll((True, ("G1",), 0.999)), 0.0, "camera")
    for second in range(1, 100):
        events = at.handle(Tick(), float(second))
        assert not any(isinstance(event, Agreed) for event in events)
    assert at.match.ply == 0
    assert at.state is TableState.AMBIGUOUS


def test_a_roll_without_a_cushion_step_implies_it() -> None:
    at = table()
    at.handle(roll((False, (), 0.9)), 0.0, "camera")
    assert offered(at) == [["p0 roll", "table short"]]
    at.handle(Choose(), 1.0)
    assert [entry.move.text for entry in at.match.log] == ["p0 roll", "table short"]


def test_gates_that_are_scored_already_do_not_count() -> None:
    at = table()
    for move in ("p0 roll", "table score G2", "p1 roll"):
        at.handle(TapMove(move), 0.0)
    at.handle(roll((True, ("G2",), 0.7), (True, (), 0.2), (True, ("G2", "G4"), 0.1)), 1.0)
    assert offered(at) == [["table miss"], ["table score G4"]]


@pytest.mark.parametrize("answer", [CameraIsWrong(), TapMove("table miss"), Undo()])
def test_whoever_answers_otherwise_is_not_asked_again(
    answer: CameraIsWrong | TapMove | Undo,
) -> None:
    at = table()
    at.handle(TapMove("p0 cushion"), 0.0)
    at.handle(roll((True, ("G1",), 0.9)), 1.0, "camera")
    at.handle(answer, 2.0)
    assert offered(at) == []
    at.handle(Choose(), 3.0)
    assert all("G1" not in entry.move.text for entry in at.match.log)


def test_a_roll_means_nothing_where_nothing_is_rolled() -> None:
    journal = Journal(":memory:")
    journal.create(header())
    at = Table(journal, journal.header("m1"), Manners())
    at.handle(roll((True, ("G1",), 0.9)), 0.0, "camera")
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
            at.handle(proposal, 1.0, "camera")
    assert offered(at)[0] == ["p0 roll", f"table score {','.join(sorted(truth.gates))}"]


def test_a_slow_camera_proposes_nothing() -> None:
    made = Alley(5002)
    watch = RollWatch(rolling_box())
    sighting = Tracker(rolling_box()).look(Frame(made.picture(), 0, "bare", 0.0), settled=True)
    _, frames = made.roll(61_003)
    seen = [watch.look(Frame(f, n, "", n / 10), sighting) for n, f in enumerate(frames)]
    assert not any(seen)
