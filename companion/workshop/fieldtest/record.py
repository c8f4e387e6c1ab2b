"""Record of the field test: findings on the disk after each check, and the file to hand out.

Both are JSON lines; see ``docs/hardware.md``. The file says which software and which kinds of
devices there are, and never a name, an address or the number of a single device.
"""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from companion.settings.writing import settle_folder, write_whole
from companion.support.finding import Finding
from companion.workshop.fieldtest import MARK
from rules.bounded import read_bytes

FORMAT = 1
"""Version of the file; grows if a field changes its meaning or goes."""
CODE_TEXT = "HEELSTONE-FIELDTEST"
CODE_BYTES = 600
"""Packed bytes in each code on the screen: any phone reads the code, held by hand."""


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """The check under way, for the next start if the program ends in the middle of it."""

    check: str = ""
    """Empty: none is under way."""
    boot: str = ""
    """Number of this start of the computer."""
    begun: int = 1
    """Number of times that it was begun without an end."""
    confirmed: int = 0
    """Entries of the trial journal that the disk has taken."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: kinds of devices and versions, nothing that only one table has."""

    heelstone_fieldtest: int = FORMAT
    day: str
    board: str
    """Model of the computer."""
    simulated: bool
    """True if devices were simulated."""
    versions: dict[str, str]
    devices: dict[str, str]
    """Kind of each part: camera, lamps, score, sound, buttons."""


class Photograph(msgspec.Struct, frozen=True):
    """A picture that people allowed."""

    picture: str
    jpeg: str
    """The file in base64."""


class Record:
    """``fieldtest.jsonl`` in the state folder, and the mark beside it."""

    def __init__(self, state: Path) -> None:
        self.path, self._mark = state / "fieldtest.jsonl", state / MARK
        self._photo = state / "fieldtest-photo.jpg"
        self._found = {finding.check: finding for finding in _findings(self.path)}

    @property
    def findings(self) -> Mapping[str, Finding]:
        """The newest finding of every check, by name."""
        return self._found

    def add(self, findings: Iterable[Finding]) -> None:
        """Keep findings so that a power cut does not take them. Raises OSError."""
        lines = b""
        for finding in findings:
            figures = tuple(
                msgspec.structs.replace(one, value=round(one.value, 4)) for one in finding.figures
            )
            bare = msgspec.structs.replace(finding, figures=figures, text="")
            self._found[finding.check] = bare
            lines += msgspec.json.encode(bare) + b"\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            # Ends a line that a power cut tore.
            file.write(b"\n" + lines)
            file.flush()
            os.fsync(file.fileno())
        settle_folder(self.path.parent)

    def mark(self) -> Mark:
        """The check under way; an empty one if there is none."""
        try:
            return msgspec.json.decode(read_bytes(self._mark), type=Mark)
        except (OSError, ValueError):
            return Mark()

    def keep_mark(self, mark: Mark) -> None:
        """Keep or, if it is empty, remove the mark. Raises OSError."""
        if mark.check:
            write_whole(self._mark, msgspec.json.encode(mark))
        else:
            self._mark.unlink(missing_ok=True)

    @property
    def photo(self) -> bytes:
        """The picture of the board that people allowed, as a JPEG file; empty if there is none."""
        return self._photo.read_bytes() if self._photo.exists() else b""

    def keep_photo(self, jpeg: bytes) -> None:
        """Keep or, if it is empty, remove the picture. Raises OSError."""
        if jpeg:
            write_whole(self._photo, jpeg, private=True)
        else:
            self._photo.unlink(missing_ok=True)

    def forget(self) -> None:
        """Begin anew, for another table or another day."""
        self.keep_mark(Mark())
        self.keep_photo(b"")
        self.path.unlink(missing_ok=True)
        self._found = {}


def written(
    about: About, findings: Iterable[Finding], pictures: Sequence[Photograph] = ()
) -> bytes:
    """The file."""
    lines = (msgspec.json.encode(part) for part in (about, *findings, *pictures))
    return b"".join(line + b"\n" for line in lines)


def photograph(name: str, jpeg: bytes) -> Photograph:
    """A picture as a line of the file."""
    return Photograph(name, base64.b64encode(jpeg).decode("ascii"))


def code_texts(file: bytes) -> tuple[str, ...]:
    """The file, packed, as texts of codes: ``HEELSTONE-FIELDTEST:1/3:…``, each with a part.

    Capitals and digits only, of which a code holds most.
    """
    packed = zlib.compress(file, 9)
    parts = [packed[n : n + CODE_BYTES] for n in range(0, len(packed), CODE_BYTES)]
    texts = (base64.b32encode(part).decode("ascii").rstrip("=") for part in parts)
    return tuple(f"{CODE_TEXT}:{n}/{len(parts)}:{text}" for n, text in enumerate(texts, 1))


def from_codes(text: str) -> bytes:
    """The file in scanned codes, in any order, among other words. Raises ValueError."""
    parts: dict[int, str] = {}
    count = 0
    for word in text.split():
        name, _, rest = word.partition(":")
        number, _, content = rest.partition(":")
        if name == CODE_TEXT:
            place, _, of = number.partition("/")
            parts[int(place)], count = content, int(of)
    if not count or sorted(parts) != list(range(1, count + 1)):
        raise ValueError(f"{len(parts)} of {count} codes")
    whole = b"".join(base64.b32decode(parts[n] + "=" * (-len(parts[n]) % 8)) for n in sorted(parts))
    return zlib.decompress(whole)


def read_file(data: bytes) -> tuple[About, list[Finding]]:
    """A file, or scanned codes, as data. Raises ValueError."""
    if data.startswith(CODE_TEXT.encode()):
        data = from_codes(data.decode("utf-8"))
    lines = data.splitlines()
    about = msgspec.json.decode(lines[0] if lines else b"", type=About)
    if about.heelstone_fieldtest != FORMAT:
        raise ValueError(f"format {about.heelstone_fieldtest}")
    return about, [
        msgspec.json.decode(line, type=Finding)
        for line in lines[1:]
        if not line.startswith(b'{"picture"')
    ]


def _findings(path: Path) -> Iterable[Finding]:
    try:
        lines = read_bytes(path).splitlines()
    except OSError:
        return
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=Finding)
        except ValueError:
            # An empty line, or one that the power cut off.
            continue
