"""Lay pieces on the virtual table, render what a camera would see, and let vision read it.

Give a file name, such as picture.jpg, to keep the last picture.
"""

import sys

import cv2

from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.match import Match
from rules.reading.reading import read
from vision.camera.sources import Frame
from vision.tracker import Tracker

box = load_box("knizia_stonehenge")
table, camera, tracker = VirtualTable(box), Camera.over(box), Tracker(box)
match = Match("knizia_stonehenge", players=2, physical=True)

for number, (kind, site) in enumerate(
    [("stone black 3", "L"), ("stone brown 1", "B"), ("stone black 6", "A")]
):
    table.put(kind, site)
    picture = camera.render(table)
    sighting = tracker.look(Frame(picture, number, str(number), float(number)), settled=True)
    reading = read(match, sighting)
    print(f"picture {number}: {reading.status}", *map(str, reading.moves), sep="  ")
    for move in reading.moves:
        match.push(move)

print("seen:", sighting.table)
if len(sys.argv) > 1:
    cv2.imwrite(sys.argv[1], picture)
