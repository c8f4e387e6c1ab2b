"""A drawing of what simulated devices show in the middle of a match.

Each device is driven by its real driver, over a pty, with the lines that a match gives it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from companion.app.application import Application
from companion.match.view import TableView
from companion.outputs.cues import CueDirector
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.displays.cfa635.simulated import Cfa631Twin, Cfa635Twin
from hardware.displays.matrix_orbital.simulated import MatrixOrbitalTwin
from hardware.displays.pico.simulated import PicoTwin
from hardware.displays.serial7segment.simulated import Serial7SegmentTwin
from hardware.lamps.lamps import Light
from hardware.rig import Rig
from hardware.settings import LampSettings, RigSettings, ScoreSettings
from hardware.simulated.picture import Letter, Patch, Picture

DEVICE_PICTURES = ("devices.svg",)

GAP_MM, LABEL_MM = 5.0, 5.0
PAPER, INK = "#f8f6f0", "#3a3d42"
PATIENCE_S = 10.0
LIGHTS = {0: Light((0, 158, 115)), 1: Light((86, 180, 233)), 2: Light((213, 94, 0))}


@dataclass(frozen=True)
class Shown:
    """One device of the picture: what is written over it, its twin, and how it is set up."""

    label: str
    twin: Callable[[], Any]
    score: dict[str, Any]
    lamps: int = 0


ROWS: tuple[tuple[Shown, ...], ...] = (
    (
        Shown("Crystalfontz CFA635, its LEDs as lamps", Cfa635Twin, {"kind": "cfa635"}, 4),
        Shown("CFA631", Cfa631Twin, {"kind": "cfa635", "rows": 2}),
    ),
    (
        Shown(
            "Adafruit backpack, 16 × 2",
            lambda: MatrixOrbitalTwin(16, 2, adafruit=True),
            {
                "kind": "matrix_orbital",
                "columns": 16,
                "rows": 2,
                "options": {"color": [0, 120, 60]},
            },
        ),
        Shown(
            "Matrix Orbital, 24 × 2",
            lambda: MatrixOrbitalTwin(24, 2),
            {"kind": "matrix_orbital", "columns": 24, "rows": 2},
        ),
    ),
    (
        Shown("SparkFun Serial7Segment", Serial7SegmentTwin, {"kind": "serial7segment"}),
        Shown(
            "Pico with MAX7219",
            lambda: PicoTwin("max7219"),
            {"kind": "pico", "options": {"display": "max7219"}},
        ),
    ),
    (
        Shown(
            "Pico with 16 × 2 letters and a strip",
            PicoTwin,
            {"kind": "pico", "columns": 16, "rows": 2},
            16,
        ),
    ),
)


def device_pictures(_wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """The drawing, as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        view = _view(Path(folder))
    placed = [[(each.label, _picture(each, view)) for each in row] for row in ROWS]
    yield DEVICE_PICTURES[0], _svg(placed)


def _view(folder: Path) -> TableView:
    """A match of two, somewhere in the middle."""
    house = Application(Settings(), folder, "en")
    try:
        plan = MatchSetup("knizia_stonehenge", 2, {}, names=("Anna", "Jörg"), physical=False)
        view: TableView = house.start(plan).view
    finally:
        house.close()
    return replace(view, scores=(12, 7), turn=14)


def _picture(shown: Shown, view: TableView) -> Picture:
    with ExitStack() as stack:
        twin = stack.enter_context(shown.twin())
        score = ScoreSettings(port=twin.url, **shown.score)
        lamps = LampSettings(kind="display" if shown.lamps else "none", count=shown.lamps)
        rig = stack.enter_context(Rig(RigSettings(score=score, lamps=lamps)))
        CueDirector(rig, "en")(view, ())
        rig.lamps.show(LIGHTS if shown.lamps else {})
        until = time.monotonic() + PATIENCE_S
        while not _settled(twin, bool(shown.lamps)):
            if time.monotonic() > until:
                raise TimeoutError(f"The simulated {shown.label} shows nothing.")
            time.sleep(0.05)
        picture: Picture = twin.picture
        return picture


def _settled(twin: Any, lamps: bool) -> bool:
    lit = not lamps or sum(any(pixel) for pixel in twin.pixels) >= len(LIGHTS)
    return "12" in "".join(twin.rows()) and lit


def _svg(placed: Sequence[Sequence[tuple[str, Picture]]]) -> str:
    parts: list[str] = []
    widest, y = 0.0, GAP_MM
    for row in placed:
        x = GAP_MM
        for label, picture in row:
            parts.append(_text(INK, x, y + 3.2, 3.4, label, "start", "sans-serif"))
            parts += _shapes(picture, x, y + LABEL_MM)
            x += picture.width_mm + GAP_MM
        widest = max(widest, x)
        y += max(picture.height_mm for _, picture in row) + LABEL_MM + GAP_MM
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{4 * widest:g}" height="{4 * y:g}" '
            f'viewBox="0 0 {widest:g} {y:g}">',
            "<title>Simulated devices</title>",
            f"<desc>{escape('; '.join(label for row in placed for label, _ in row))}</desc>",
            f'<polygon fill="{PAPER}" points="0,0 {widest:g},0 {widest:g},{y:g} 0,{y:g}"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _shapes(picture: Picture, left: float, top: float) -> Iterator[str]:
    for shape in picture.shapes:
        fill = "#{:02x}{:02x}{:02x}".format(*shape.color)
        if isinstance(shape, Patch):
            points = " ".join(f"{left + x:.2f},{top + y:.2f}" for x, y in shape.points)
            yield f'<polygon fill="{fill}" points="{points}"/>'
        else:
            yield _letter(fill, shape, left, top)


def _letter(fill: str, shape: Letter, left: float, top: float) -> str:
    x, y = shape.centre
    high = shape.height_mm
    return _text(fill, left + x, top + y + 0.36 * high, high, shape.text, "middle", "monospace")


def _text(fill: str, x: float, y: float, size: float, text: str, anchor: str, font: str) -> str:
    return (
        f'<text fill="{fill}" x="{x:.2f}" y="{y:.2f}" font-size="{size:g}" font-family="{font}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )
