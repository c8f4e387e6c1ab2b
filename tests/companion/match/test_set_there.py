"""Moves of one table are set at the other under its camera: no question, no accusation."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from companion.journal.entries import Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import Asked, MovesCommitted, TableEvent
from companion.match.messages import CameraGone, Seen, Tick
from companion.match.remote_match import answer_to
from companion.match.table import Table
from companion.match.view import PlayMove, TableState, Undo
from companion.settings.manners import Manners
from rules.box import load_box
from rules.core import Layout, Move
from rules.reading.sighting import SiteBelief, looks
from rules.testing.pictures import DrawnSighting, draw
from rules.testing.playout import pick
from tests.support.two_boards import header_there

LIES = (TableState.SETTLED, TableState.PENDING)


@dataclass
class Watched:
    """A table under a camera that sees everything perfectly."""

    header: Header
    now: float = 0.0

    def __post_init__(self) -> None:
        journal = Journal(":memory:")
        journal.create(self.header)
        self.table = Table(journal, self.header, Manners())
        game = self.table.match.game
        self.box = load_box(game.box).for_game(game.id)

    def do(self, what: object, src: Source = Source.TOUCH) -> list[TableEvent]:
        self.now += 1.0
        return self.table.handle(what, self.now, src)  # type: ignore[arg-type]

    def sees(self, layout: Layout, *covered: str) -> list[TableEvent]:
        """The camera looks at this for a good while."""
        drawn = draw(self.box, layout)
        sites = dict(drawn.sites)
        for site in covered:
            sites[site] = replace(sites[site], occluded=True)
        found = self.do(Seen(_drawn(sites)), Source.CAMERA)
        for _ in range(6):
            found += self.do(Tick(), Source.CAMERA)
        return found

    def hears(self, other: Watched) -> list[TableEvent]:
        intent = answer_to(self.table.record.told, other.table.record.told, other.table.rights.wish)
        return [] if intent is None else self.do(intent, Source.ELSEWHERE)


def _drawn(sites: dict[str, SiteBelief]) -> DrawnSighting:
    return DrawnSighting(sites)


def both(game: str, players: int = 2) -> tuple[Watched, Watched]:
    here, there = tuple(range(0, players, 2)), tuple(range(1, players, 2))
    one = Watched(header_there(game, players, here, "there", hosting=True))
    other = Watched(header_there(game, players, there, "here", hosting=False))
    for side in (one, other):
        side.sees(side.table.match.layout)
        assert side.table.state in LIES
    return one, other


@pytest.mark.parametrize(
    ("game", "players"), [("knizia_stonehenge", 2), ("dolmengoetter", 3), ("rollende_steine", 2)]
)
def test_a_board_is_led_to_what_was_done_at_the_other(game: str, players: int) -> None:
    one, other = both(game, players)
    chance, set_here = random.Random(5), 0
    for _ in range(60):
        mover, follower = (one, other) if one.table.view().legal else (other, one)
        match = mover.table.match
        if match.outcome is not None:
            break
        move = pick(match.state, list(mover.table.view().legal), chance)
        before = follower.table.match.layout
        mover.do(PlayMove(move))
        mover.sees(mover.table.match.layout)
        follower.hears(mover)
        after = follower.table.match.layout
        events = follower.sees(before)
        if looks(before) != looks(after):
            assert follower.table.state is TableState.PENDING, move
            assert follower.table.view().fixes, move
            set_here += 1
        events += follower.sees(after)
        assert follower.table.state in LIES, move
        assert follower.table.record.told == mover.table.record.told, "the camera added nothing"
        assert not any(isinstance(e, MovesCommitted) and e.src is Source.CAMERA for e in events)
    assert set_here > 5


def test_hands_at_the_wrong_table_change_nothing_and_are_led_back() -> None:
    one, other = both("knizia_stonehenge")
    empty = one.table.match.layout
    trial = one.table.match.clone()
    trial.push("p0 place 3 A")
    # The people of the second seat set a stone of the first, whose table is asked.
    other.sees(trial.layout)
    assert other.table.match.ply == 0
    assert other.table.state is TableState.DESYNC
    assert {fix.site for fix in other.table.view().fixes} == {"A"}
    other.sees(empty)
    assert other.table.state in LIES


def test_a_stone_taken_away_after_the_other_table_was_asked_is_no_taking_back() -> None:
    one, other = both("knizia_stonehenge")
    empty = one.table.match.layout
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    one.sees(one.table.match.layout)
    other.hears(one)
    one.sees(empty)
    assert one.table.match.ply == 2 and one.table.state is TableState.DESYNC
    # By touch it is wished; then both boards are led back.
    one.do(Undo())
    other.sees(other.table.match.layout)
    other.hears(one)
    one.hears(other)
    assert one.table.match.ply == other.table.match.ply == 0
    one.sees(empty)
    assert one.table.state in LIES
    assert other.table.state is TableState.PENDING
    other.sees(empty)
    assert other.table.state in LIES


def test_a_place_that_was_covered_when_the_move_came_is_still_to_be_set() -> None:
    one, other = both("dolmengoetter", 3)
    for side in (one, other):
        side.hears(one)
    one.do(PlayMove(Move.parse("dealer start p0")))
    one.do(PlayMove(Move.parse("p0 druid U1")))
    empty = other.table.match.layout
    other.sees(empty, "U1")
    other.hears(one)
    assert other.table.match.ply == 2
    other.sees(empty, "U1")
    other.sees(empty)
    assert other.table.state is TableState.PENDING, "nobody is asked whether it was taken back"
    other.sees(other.table.match.layout)
    assert other.table.state in LIES


def test_as_long_as_the_camera_cannot_tell_what_was_done_it_is_to_be_set() -> None:
    one, other = both("dolmengoetter", 3)
    for move in (
        "dealer start p0", "p0 druid U1", "p1 druid U3", "p2 druid U5", "p0 druid V1",
        "p1 druid V3", "p2 druid V5", "p0 druid W1", "p1 druid W3", "p2 druid W5",
    ):  # fmt: skip
        for side in (one, other):
            side.do(PlayMove(Move.parse(move)))
        one.hears(other)
        other.hears(one)
        for side in (one, other):
            side.sees(side.table.match.layout)
    standing = other.table.match.layout
    one.do(PlayMove(Move.parse("p0 herbs U1")))
    lying = one.table.match.layout
    # For a moment the druid may as well lie as stand.
    clear, fallen = (dict(draw(other.box, layout).sites)["U1"] for layout in (standing, lying))
    alike = SiteBelief({clear.best: -1.0, fallen.best: -1.0})
    sites = {**draw(other.box, standing).sites, "U1": alike}
    other.do(Seen(_drawn(sites)), Source.CAMERA)
    other.hears(one)
    assert other.table.match.log[-1].move == Move.parse("p0 herbs U1")
    other.sees(standing)
    assert other.table.state is TableState.PENDING
    other.sees(lying)
    assert other.table.state in LIES and not other.table.view().fixes


@pytest.mark.parametrize("restarted", [True, False])
def test_what_came_while_nobody_looked_is_still_to_be_set(restarted: bool) -> None:
    one, other = both("knizia_stonehenge")
    empty = other.table.match.layout
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    if restarted:
        other.hears(one)
        other.sees(empty)
        other.table = Table(other.table.record.journal, other.header, Manners())
    else:
        other.do(CameraGone())
        other.hears(one)
    events = other.sees(empty)
    assert other.table.state is TableState.PENDING
    assert [fix.site for fix in other.table.view().fixes] == ["A"]
    assert not any(isinstance(event, Asked) for event in events)
    other.sees(other.table.match.layout)
    assert other.table.state in LIES and not other.table.view().fixes
