"""From a sticker to its piece: what is no sticker of the box belongs to nothing."""

from __future__ import annotations

import numpy as np

from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from vision.arrays import points
from vision.board.masks import Masks
from vision.camera.sources import Frame
from vision.pieces.reader import PieceReader
from vision.stickers.reader import SeenSticker, StickerReader
from vision.tracker import Tracker


def test_a_part_of_a_sticker_that_reads_like_another_one_is_no_card() -> None:
    # Half of a Mine's sticker reads like an Adventurer's, bit by bit.
    box = load_box("dominion")
    table, tracker = VirtualTable(box, seed=1), Tracker(box)
    table.put("mine", "discard-p1", jitter=False)
    image = Camera.over(box, seed=1).render(table)
    (mine,) = tracker.look(Frame(image, 0, "", 0.0), settled=True).pieces
    pose = tracker.pose
    assert pose is not None and mine.kind == "mine"
    reader = StickerReader(box)
    grid = (round(box.size[0] / 2), round(box.size[1] / 2))
    standing = PieceReader(box, reader, Masks(box, grid)).standing
    one, two, three, four = mine.corners_px
    share = 0.58  # larger than a half, and so as large as a sticker may look
    half = points(np.array([one, one + share * (two - one), four + share * (three - four), four]))
    adventurer = box.kinds["adventurer"].stickers[0]
    assert standing.place(pose, [SeenSticker(adventurer, half)]) == []
    (whole,) = standing.place(pose, [SeenSticker(adventurer, mine.corners_px)])
    assert whole.site == "discard-p1"
