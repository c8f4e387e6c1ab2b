"""The last event of each match that the club has acknowledged, in one small file.

Losing it costs nothing but sending everything again; the club knows what it has already.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from companion.settings.writing import put_aside, write_whole
from rules.bounded import read_bytes
from rules.errors import Sentence

__all__ = ["FILE", "Acknowledged", "Known"]

FILE = "club-sent.json"
SAVE_S = 10.0
"""Not more often: a memory card wears out, and what is sent twice counts once."""


class Known(msgspec.Struct):
    """What the club has of one match."""

    edition: int = 1
    sent: int = -1
    """Events that the broker took; -1: not even the match itself."""
    link: int = 0
    """The journal's hash of the last of them."""
    status: str = ""
    """What it was told last of how the match stands, …"""
    stood: int = 0
    """… and how often it was told so."""
    again: int = 0
    """How often it had to be sent again because the database lacked something."""
    stored: int = -1
    """Events that the club's database confirmed."""


@dataclass
class Acknowledged:
    """The file; ``matches`` by their ids in the journal."""

    path: Path
    matches: dict[str, Known] = field(default_factory=dict, init=False)
    salvage: Sentence | None = field(default=None, init=False)
    """What became of a damaged file."""

    def __post_init__(self) -> None:
        self._saved_s, self._kept = time.monotonic(), b""
        try:
            self._kept = read_bytes(self.path)
        except FileNotFoundError:
            return
        try:
            self.matches = msgspec.json.decode(self._kept, type=dict[str, Known])
        except msgspec.DecodeError:
            self.salvage = put_aside(self.path)

    def of(self, match_id: str) -> Known:
        """What is known of a match; from now on it is in the file."""
        return self.matches.setdefault(match_id, Known())

    def save(self, *, now: bool = False) -> None:
        """Write the file if something changed and the last time is long ago. Raises OSError."""
        if not now and time.monotonic() - self._saved_s < SAVE_S:
            return
        data: bytes = msgspec.json.encode(self.matches)
        self._saved_s = time.monotonic()
        if data != self._kept:
            write_whole(self.path, data)
            self._kept = data
