"""The virtual table: pieces that lie on a drawn board, and the camera that looks at them.

It is a newcomer's first minute, the demo, and the developers' end-to-end test: the frames of
``Camera.render`` go through the same vision as those of a real camera. It does not prove that
vision works; photographs do.

>>> from companion.simulator import Camera, VirtualTable
>>> from rules.box import load_box
>>> table = VirtualTable(load_box("knizia_stonehenge"))
>>> table.put("stone black 3", "G").site
'G'
>>> Camera().render(table).shape
(1200, 1600, 3)
"""

from companion.simulator.camera import Camera
from companion.simulator.laying import Drag, PutBack, Step, Turn, next_step
from companion.simulator.objects import (
    Glare,
    Hand,
    Light,
    Nudge,
    Piece,
    Shade,
    TableError,
    Tremble,
)
from companion.simulator.table import VirtualTable

__all__ = [
    "Camera", "Drag", "Glare", "Hand", "Light", "Nudge", "Piece", "PutBack", "Shade", "Step",
    "TableError", "Tremble", "Turn", "VirtualTable", "next_step",
]  # fmt: skip
