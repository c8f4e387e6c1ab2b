"""Names of the files of a match: from its game, day and players, for any disk."""

from __future__ import annotations

import json
import re
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path

LONGEST_STEM = 120
"""Maximum length of a name without its ending, bytes; FAT takes 255 letters, ext4 255 bytes."""
LONGEST_NAME = 24
"""Maximum length of a player's name in the name of a file, letters."""
ENDING, PICTURE = ".jsonl", ".png"
MAX_HEAD_BYTES = 1 << 20

_REFUSED = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')
"""Characters that FAT, exFAT and NTFS refuse in names."""


def match_file_name(game: str, created_s: float, names: Sequence[str], ending: str = ENDING) -> str:
    """``Dominion 2026-11-22 19.30 Anna, Ben.jsonl``; ``created_s`` in seconds since 1970.

    ``game`` as people call it. Nothing in it is refused by FAT, exFAT or NTFS, leads to another
    folder or hides the file.
    """
    when = time.strftime("%Y-%m-%d %H.%M", time.localtime(created_s))
    people = ", ".join(filter(None, (_plain(name)[:LONGEST_NAME].strip() for name in names)))
    stem = " ".join(filter(None, (_plain(game) or "Heelstone", when, people)))
    stem = stem.encode()[:LONGEST_STEM].decode(errors="ignore")
    # A name that ends with a point or a space cannot be opened on Windows.
    return stem.rstrip(" .,") + ending


def free_place(path: Path, content: bytes) -> Path:
    """``path``, or with a number if another match of that name is there already.

    The first line of a file says which match it is, so a match replaces its own older file; a
    picture replaces only its equal.
    """
    head, _end, _rest = content.partition(b"\n")
    place, number = path, 2
    while (first := _first_line(place)) and not _is_same_match(first, head):
        if place.read_bytes() == content:
            break
        place, number = path.with_name(f"{path.stem} ({number}){path.suffix}"), number + 1
    return place


def _first_line(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.readline(MAX_HEAD_BYTES).rstrip(b"\n")
    except OSError:
        return b""


def _is_same_match(one: bytes, other: bytes) -> bool:
    try:
        return bool(json.loads(one)["match"]["id"] == json.loads(other)["match"]["id"])
    except (ValueError, KeyError, TypeError):
        return False


def _plain(words: str) -> str:
    """Words without what disks refuse; composed letters, for FAT compares letter by letter."""
    composed = unicodedata.normalize("NFC", words)
    seen = "".join(letter for letter in composed if letter.isprintable())
    return " ".join(_REFUSED.sub(" ", seen).split()).strip(" .~")
