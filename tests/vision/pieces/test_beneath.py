"""Pieces over others' stickers: what lay below may lie there still, and no player is accused."""

from __future__ import annotations

import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import Box, load_box
from rules.core import Layout, Move
from rules.reading.reading import Status, read
from rules.reading.sighting import EMPTY, Glimpse, Look
from tests.support.dominion_table import Table, begun
from vision.camera.sources import Frame
from vision.pieces.sighting import BENEATH, Sighting
from vision.tracker import Tracker

AREA = "play-p0"


@pytest.fixture(scope="module")
def camera() -> Camera:
    return Camera.over(load_box("dominion"), seed=3)


class Scene:
    """A mat with cards on it, and an eye that looks at it from time to time."""

    def __init__(self, camera: Camera, box: Box | None = None) -> None:
        box = box or load_box("dominion")
        self.camera, self.tracker = camera, Tracker(box)
        self.table = VirtualTable(box, seed=2)
        self.number = 0

    def look(self) -> Sighting:
        self.number += 1
        frame = Frame(self.camera.render(self.table), self.number, "", float(self.number))
        return self.tracker.look(frame, settled=True)

    def lay(self, kind: str, site: str, x: float, y: float) -> int:
        """A card with its middle at a point of the board, in mm."""
        piece = self.table.put(kind, site, jitter=False)
        return self.table.move(piece.id, x, y).id


def cards(*kinds: str) -> Look:
    return tuple(sorted(Glimpse(kind) for kind in kinds))


def test_a_card_whose_sticker_another_covers_may_lie_there_still(camera: Camera) -> None:
    scene = Scene(camera)
    scene.lay("village", AREA, -60, -205)
    scene.lay("smithy", AREA, 60, -205)
    scene.look()
    scene.lay("copper", AREA, -52, -200)
    seen = scene.look().sites[AREA]
    assert seen.best == cards("smithy", "copper")
    assert seen.score(cards("village", "smithy", "copper")) == BENEATH
    # The smithy lies open; if it were there it would not have been overlooked.
    assert seen.score(cards("village", "copper")) < -5
    for _ in range(4):
        seen = scene.look().sites[AREA]
    assert seen.score(cards("village", "smithy", "copper")) == BENEATH


def test_what_the_record_no_longer_has_there_was_taken_away(camera: Camera) -> None:
    scene = Scene(camera)
    village = scene.lay("village", AREA, -60, -205)
    scene.tracker.expect({AREA: ["village"]})
    scene.look()
    scene.table.put_back(village)
    scene.lay("copper", AREA, -60, -205)
    # The copper cannot be seen on it until the record says where it went.
    assert scene.look().sites[AREA].score(cards("village", "copper")) == BENEATH
    scene.tracker.expect({AREA: ["copper"], "trash": ["village"]})
    assert scene.look().sites[AREA].score(cards("village", "copper")) < -5


def test_what_lay_below_is_forgotten_when_the_place_is_bare(camera: Camera) -> None:
    scene = Scene(camera)
    village = scene.lay("village", AREA, -60, -205)
    scene.look()
    copper = scene.lay("copper", AREA, -60, -205)
    assert scene.look().sites[AREA].score(cards("village", "copper")) == BENEATH
    scene.table.put_back(copper)
    scene.table.put_back(village)
    scene.look()
    scene.lay("silver", AREA, -60, -205)
    seen = scene.look().sites[AREA]
    assert seen.best == cards("silver")
    assert seen.score(cards("village", "silver")) < -5


def test_a_card_that_comes_to_light_again_is_one_card(camera: Camera) -> None:
    scene = Scene(camera)
    scene.lay("village", AREA, -60, -205)
    scene.look()
    copper = scene.lay("copper", AREA, -60, -205)
    scene.look()
    scene.table.put_back(copper)
    seen = scene.look().sites[AREA]
    assert seen.best == cards("village")
    assert seen.score(cards("village", "village")) < -5


def test_a_card_taken_away_while_another_is_laid_elsewhere_is_gone(camera: Camera) -> None:
    scene = Scene(camera)
    village = scene.lay("village", AREA, -60, -205)
    scene.look()
    scene.table.put_back(village)
    scene.lay("copper", AREA, 60, -205)
    seen = scene.look().sites[AREA]
    assert seen.best == cards("copper")
    assert seen.score(cards("village", "copper")) < -5


def test_on_a_pile_the_uppermost_card_is_all_that_is_asked_for(camera: Camera) -> None:
    scene = Scene(camera)
    scene.table.put("estate", "discard-p0", jitter=False)
    scene.look()
    scene.table.put("copper", "discard-p0", jitter=False)
    seen = scene.look().sites["discard-p0"]
    assert seen.best == cards("copper")
    assert seen.score(cards("copper", "estate")) < -5


def test_a_card_played_onto_another_is_that_move_and_no_breach(camera: Camera) -> None:
    scene = Scene(camera)
    match = begun(Table("village copper copper / estate×5", "copper×5"))
    match.push(Move.parse("p0 play village"))
    match.deal()
    wanted = Layout(match.state.layout())
    scene.table.set_layout(wanted)
    assert read(match, scene.look()).status is Status.SETTLED
    (village,) = scene.table.at(AREA)
    copper = scene.table.put("copper", AREA, jitter=False)
    scene.table.move(copper.id, *village.at)
    reading = read(match, scene.look())
    assert (reading.status, [m.text for m in reading.moves]) == (Status.MOVE, ["p0 play copper"])
    match.push(reading.moves[0])
    assert read(match, scene.look()).status is Status.SETTLED
    assert scene.look().sites[AREA].best != EMPTY


def test_pillars_that_a_capstone_is_laid_on_may_stand_there_still() -> None:
    box = load_box("stonehenge_anthology").for_game("erbaut_stonehenge")
    scene = Scene(Camera.over(box, seed=3), box)
    pillars = [scene.table.put("pillar", "C1", jitter=False) for _ in range(2)]
    assert scene.look().sites["C1"].best == cards("pillar", "pillar")
    capstone = scene.table.put("trilithon green", "C1", jitter=False)
    between = sum(pillar.at[0] for pillar in pillars) / 2
    scene.table.move(capstone.id, between, pillars[0].at[1])
    seen = scene.look().sites["C1"]
    assert seen.best == cards("trilithon green")
    assert seen.score(cards("pillar", "pillar", "trilithon green")) == BENEATH
    scene.table.move(capstone.id, between, pillars[0].at[1] - 40)
    assert scene.look().sites["C1"].best == cards("pillar", "pillar", "trilithon green")
