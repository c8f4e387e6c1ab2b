"""Looks at fanned cards become a count: three alike, one helping after the other."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.camera.card_counter import CardWatch, SteadyCount
from companion.camera.fanned import Phase
from rules.match import Match
from tests.support.fans import BOX, FanTable
from vision.arrays import Picture
from vision.camera.sources import Frame, MemorySource
from vision.stickers.reader import SeenSticker
from vision.stickers.strewn import Strewn

SQUARE = np.array([[-20.0, -20.0], [20.0, -20.0], [20.0, 20.0], [-20.0, 20.0]])


def look(*cards: tuple[str, float]) -> Strewn:
    """Cards in a row, by their kinds and where they lie, px."""
    read = (
        SeenSticker(BOX.kinds[kind].stickers[0], SQUARE + np.array([x, 100.0])) for kind, x in cards
    )
    return Strewn(tuple(read), ())


def seen(count: SteadyCount, *looks: Strewn) -> SteadyCount:
    for one in looks:
        count.look(one)
    return count


ESTATE, GOLD = ("estate", 100.0), ("gold", 300.0)
BOTH = look(ESTATE, GOLD)


def test_a_card_counts_after_three_looks_that_agree() -> None:
    count, phases = SteadyCount(BOX), []
    for _look in range(3):
        phases.append(seen(count, BOTH).fanned.phase)
    assert phases == [Phase.LOOKING, Phase.LOOKING, Phase.READY]
    assert count.fanned.helping == {"estate": 1, "gold": 1}
    count.stir()
    assert count.fanned.phase is Phase.MOVING


def test_what_is_read_differently_from_look_to_look_is_reported_and_never_counts() -> None:
    other = look(ESTATE, ("silver", 300.0))
    count = seen(SteadyCount(BOX), BOTH, other, BOTH, other)
    assert count.fanned.helping == {"estate": 1}
    assert len(count.fanned.unread) == 1
    assert not count.done


def test_a_helping_that_was_taken_must_go_away_before_the_next_one_counts() -> None:
    count = seen(SteadyCount(BOX), BOTH, BOTH, BOTH)
    count.take()
    moved = look(("gold", 120.0), ("estate", 500.0), ("duchy", 700.0))
    seen(count, moved, moved, moved)
    assert (count.fanned.phase, count.fanned.helping) == (Phase.CLEARING, {})
    seen(count, *[look()] * 3, *[BOTH] * 3)
    assert count.fanned.helping == {"estate": 1, "gold": 1}
    count.take()
    count.begin()
    assert seen(count, *[BOTH] * 3).fanned.phase is Phase.READY


def test_cards_that_were_touched_count_for_nobody_and_may_stay() -> None:
    count = seen(SteadyCount(BOX), BOTH, BOTH, BOTH)
    count.touch(305.0, 95.0)
    assert count.fanned.helping == {"estate": 1}
    count.take()
    seen(count, *[look(GOLD)] * 3)
    assert seen(count, *[look(("duchy", 100.0), GOLD)] * 3).fanned.helping == {"duchy": 1}
    count.touch(305.0, 95.0)
    assert count.fanned.helping == {"duchy": 1, "gold": 1}


# -- at the virtual table -------------------------------------------------------------------


class Looking:
    """A camera above fanned cards, frame by frame."""

    def __init__(self) -> None:
        self.table, self.watch = FanTable(2), CardWatch(MemorySource, BOX)
        self._frames = 0

    def frame(self, picture: Picture | None = None) -> Phase:
        """The next frame, of the table as it is now."""
        image = self.table.picture() if picture is None else picture
        self.watch.see(Frame(image, self._frames, "", self._frames / 10))
        self._frames += 1
        return self.watch.look().phase

    def rest(self) -> Counter[str]:
        """Nothing moves for a while; returns what counts then."""
        picture = self.table.picture()
        for _ in range(5):
            self.frame(picture)
        return self.watch.look().helping


def test_a_hand_is_waited_for_whether_it_moves_or_rests() -> None:
    sight = Looking()
    sight.table.fan(["estate", "gold"])
    assert sight.rest() == {"estate": 1, "gold": 1}
    table = sight.table.table
    table.hand = table.reaching(40.0, -60.0)
    picture = sight.table.picture()
    phases = [sight.frame(picture) for _frame in range(4)]
    assert (phases[0], phases[-1]) == (Phase.MOVING, Phase.REACHING)


@pytest.mark.thorough
def test_a_card_that_was_taken_out_and_put_in_again_counts_once() -> None:
    sight = Looking()
    _estate, gold = sight.table.fan(["estate", "gold"])
    sight.rest()
    sight.table.clear([gold])
    assert sight.rest() == {"estate": 1}
    sight.table.lay("gold", 90.0, 60.0, 30.0)
    assert sight.rest() == {"estate": 1, "gold": 1}


@pytest.mark.thorough
def test_a_deck_of_forty_cards_in_five_helpings_scores_as_in_the_engine() -> None:
    sight, deck = Looking(), list[str]()
    for number in range(5):
        first = ["gardens", "copper", "estate", "village"]
        second = ["province", "silver", "curse", "copper"] if number % 2 else ["smithy"] * 2
        second = [*second, *["gold", "duchy"][: 4 - len(second)]]
        sight.table.fan(first, (0.0, 100.0), 10.0 * number)
        sight.table.fan(second, (0.0, -110.0), 180.0 - 7.0 * number)
        helping = sight.rest()
        assert helping == Counter(first + second)
        deck += helping.elements()
        sight.watch.take()
        sight.table.clear()
        assert sight.rest() == {}
    assert len(deck) == 40
    match = Match("dominion", 2, {"record": "count"})
    for card in deck:
        match.push(f"p0 count {card}")
    own = Counter(deck)
    expected = own["estate"] + 3 * own["duchy"] + 6 * own["province"] - own["curse"]
    assert match.scores[0] == expected + own["gardens"] * 4
