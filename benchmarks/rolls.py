"""Rolling discs: how often the verdict on a drawn roll is right, on alleys not used for tuning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchmarks.measure import Result
from tests.support.scenes.rolls import Alley, Truth, rolling_box
from vision.camera.sources import Frame
from vision.rolls.following import RollTracker
from vision.rolls.path import Roll, gates_of
from vision.tracker import Tracker

ALLEYS = range(11, 15)
ROLLS = range(60)


def results(alleys: Iterable[int] = ALLEYS, rolls: Iterable[int] = ROLLS) -> Iterator[Result]:
    """The share of rolls whose likeliest verdict names what really happened."""
    seeds = tuple(rolls)
    right = tried = 0
    for number in alleys:
        alley = Alley(number)
        tracker = Tracker(rolling_box())
        sighting = tracker.look(Frame(alley.picture(), 0, "alley", 0.0), settled=True)
        assert tracker.pose is not None
        gates = gates_of(rolling_box(), sighting.pieces)
        for seed in seeds:
            truth, frames = alley.roll(seed)
            watcher = RollTracker(rolling_box(), tracker.pose, gates)
            told = [
                roll
                for index, image in enumerate(frames)
                if (roll := watcher.look(Frame(image, index, "roll", index / truth.fps)))
            ]
            told += [roll for roll in (watcher.finish(),) if roll is not None]
            tried += 1
            right += _is_right(told, truth)
    yield Result(
        "rolls whose verdict is right",
        100 * right / tried,
        f"% of {tried}",
        "",
        None,
        None,
        ">= 95",
    )


def _is_right(told: list[Roll], truth: Truth) -> bool:
    if len(told) != 1:
        return False
    likeliest = told[0].verdicts[0]
    return (likeliest.crossed, set(likeliest.gates)) == (truth.crossed, set(truth.gates))
