"""Keep rendered sets: ``python -m benchmarks.path_traced.keep FROM TO SET …``.

Copies what has been rendered of each set, packed smaller, with a truth that names only that.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from vision.camera.sources import read_picture

QUALITY = 80


def keep(source: Path, target: Path, names: Sequence[str]) -> None:
    """Copy the sets ``names`` from the folder ``source`` into ``target``."""
    for name in names:
        folder = target / name
        folder.mkdir(parents=True, exist_ok=True)
        truth = json.loads((source / name / "truth.json").read_text(encoding="utf-8"))
        there = [p for p in truth["pictures"] if (source / name / p["picture"]).is_file()]
        for entry in there:
            image = read_picture(source / name / entry["picture"])
            path = str(folder / entry["picture"])
            cv2.imwrite(path, image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        text = json.dumps({**truth, "pictures": there}, separators=(",", ":"))
        (folder / "truth.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
