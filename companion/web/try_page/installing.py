"""Makes the page installable and usable without a network: manifest, icons, and the list of files
that its service worker keeps.

Sources: https://www.w3.org/TR/appmanifest/, https://www.w3.org/TR/service-workers/.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.texts import Texts

MANIFEST: Final = "heelstone.webmanifest"
WORKER: Final = "kept.js"
"""The service worker; a line with the files and their fingerprint is put before it."""
ICON: Final = "heelstone.svg"
SIZES_PX: Final = (180, 512)
"""Sides of the icons: an iPhone's home screen, and an installed page."""
_NIGHT: Final = "#10151b"


def write_manifest(folder: Path) -> None:
    """Write the manifest and its icons."""
    icons = [{"src": ICON, "sizes": "any", "type": "image/svg+xml"}]
    for side in SIZES_PX:
        name = f"heelstone-{side}.png"
        (folder / name).write_bytes(_icon(folder / ICON, side))
        icons.append({"src": name, "sizes": f"{side}x{side}", "type": "image/png"})
    words = Texts("try", "en")
    manifest = {
        "name": "Heelstone", "short_name": "Heelstone", "description": words("try_title"),
        "id": "./", "start_url": "./", "display": "standalone", "theme_color": _NIGHT,
        "background_color": _NIGHT, "icons": icons,
    }  # fmt: skip
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def list_files(folder: Path) -> None:
    """Tell the service worker of a page that is complete what to keep, and under which name: the
    fingerprint of all contents."""
    worker = folder / WORKER
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file != worker)
    names = [file.relative_to(folder).as_posix() for file in files]
    mark = hashlib.sha256(worker.read_bytes())
    for name, file in zip(names, files, strict=True):
        mark.update(name.encode() + hashlib.sha256(file.read_bytes()).digest())
    kept = ["./", *(name for name in names if name not in ("index.html", "OFL.txt"))]
    told = f"const MARK = {json.dumps(mark.hexdigest()[:16])};\nconst FILES = {json.dumps(kept)};\n"
    worker.write_text(told + worker.read_text(encoding="utf-8"), encoding="utf-8")


# -- the icon ----------------------------------------------------------------------------------

_FINE: Final = 8
"""The icon is drawn so many times larger, and made smaller, which rounds its edges."""
_SIDE: Final = 32
"""Side of its drawing."""


def _icon(drawing: Path, side: int) -> bytes:
    """The drawing as PNG, ``side`` px wide, its ground to the rim: systems cut icons to their own
    shape. It holds circles and paths of level and upright lines."""
    scale = side * _FINE / _SIDE
    image = np.zeros((side * _FINE, side * _FINE, 3), np.uint8)
    for part in ElementTree.parse(drawing).getroot():
        kind, fill = part.tag.rpartition("}")[2], _bgr(part.attrib["fill"])
        if kind == "rect":
            image[:] = fill
        elif kind == "circle":
            x, y, radius = (round(scale * float(part.attrib[name])) for name in ("cx", "cy", "r"))
            cv2.circle(image, (x, y), radius, fill, cv2.FILLED)
        else:
            outlines = [
                np.rint(scale * one).astype(np.int32) for one in _outlines(part.attrib["d"])
            ]
            cv2.fillPoly(image, outlines, fill)
    small = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".png", small)[1])


def _outlines(path: str) -> list[NDArray[np.float64]]:
    found: list[list[tuple[float, float]]] = []
    for order, words in re.findall(r"([MhHvV])([-\d. ]+)", path):
        numbers = [float(word) for word in words.split()]
        if order == "M":
            found.append([(numbers[0], numbers[1])])
            continue
        x, y = found[-1][-1]
        along = numbers[0] - (0 if order.islower() else (x if order == "H" else y))
        found[-1].append((x + along, y) if order in "hH" else (x, y + along))
    return [np.array(one) for one in found]


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return blue, green, red
