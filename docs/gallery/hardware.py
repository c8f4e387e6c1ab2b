"""The table of boards that were tried, in ``docs/hardware.md``.

``python -m docs.gallery.hardware FILES`` keeps files of field tests, or texts of their codes, in
``docs/hardware``, and writes the table anew.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.support.finding import Figure, Finding, Verdict
from companion.workshop.fieldtest.record import About, from_codes, read_file

FOLDER = Path(__file__).parents[1] / "hardware"
COLUMNS: Mapping[str, tuple[str, str]] = {
    "shelf": ("start", "shelf"), "size": ("modes", "width"), "pictures": ("modes", "rate"),
    "adjusts": ("settling", "all"), "reads": ("picture", "reading"),
    "bands": ("flicker", "banding"), "touch": ("latency", "to_frame"), "memory": ("memory", "peak"),
    "heat": ("heat", "highest"), "moves lost": ("power_cut", "lost"),
}  # fmt: skip
"""Heading to the check and the figure below it."""


def hardware() -> Iterator[str]:
    """A line for every file that is kept."""
    heads = ("board", "camera", *COLUMNS, "bad", "doubtful")
    yield from (f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}")
    for path in sorted(FOLDER.glob("*.jsonl")):
        about, found = read_file(path.read_bytes())
        yield f"| {' | '.join(_cells(about, {one.check: one for one in found}))} |"


def _cells(about: About, found: Mapping[str, Finding]) -> Iterator[str]:
    yield f"{about.board}, {about.versions['os']}{' (simulated devices)' * about.simulated}"
    yield about.devices["camera"]
    for check, name in COLUMNS.values():
        figures = found[check].figures if check in found else ()
        yield next((_told(one) for one in figures if one.name == name), "–")
    for verdict in (Verdict.BAD, Verdict.DOUBTFUL):
        named = [one.check for one in found.values() if one.verdict is verdict]
        yield ", ".join(name for name in named if not name.startswith("doctor_")) or "–"


def _told(figure: Figure) -> str:
    return f"{figure.value:g} {figure.unit}".strip().replace(" 1/s", "/s")


def keep(path: Path) -> Path:
    """Check a file and keep it under a name of its board and day. Raises ValueError, OSError."""
    data = path.read_bytes()
    about, _found = read_file(data)
    if not data.startswith(b"{"):
        data = from_codes(data.decode("utf-8"))
    board = re.sub(r"\W+", "-", about.board.casefold()).strip("-")
    FOLDER.mkdir(exist_ok=True)
    number = 1
    while (place := FOLDER / f"{board}-{about.day}-{number}.jsonl").exists():
        number += 1
    # Pictures are for whoever looks into one table.
    lines = [line for line in data.splitlines(True) if not line.startswith(b'{"picture"')]
    place.write_bytes(b"".join(lines))
    return place


if __name__ == "__main__":
    from docs.gallery.tables import rewrite

    for file in sys.argv[1:]:
        print(keep(Path(file)))
    rewrite()
