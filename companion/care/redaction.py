"""Redacts names of people, folders and networks from logs and reports."""

from __future__ import annotations

import getpass
import re
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["Veil"]

_URL = re.compile(r"\b([a-zA-Z][a-zA-Z0-9+.-]*)://[^\s\"'`,)]+")
_IPV4 = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b(?::\d+)?")
_IPV6 = re.compile(r"(?<![\w:])(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{1,4}(?![\w:])")
_MAC = re.compile(r"\b[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1){4}[0-9a-fA-F]{2}\b")
_LABELLED = re.compile(
    r"(\b(?:e?ssid|psk|passphrase|password|serial(?: ?number)?)\b[\"']?\s*[:=]\s*)"
    r"(?:\"[^\"\n]*\"|'[^'\n]*'|\S+)",
    re.IGNORECASE,
)
"""Names and keys of wireless networks and numbers of computers, where they are labelled as such."""
_MAIL = re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b")
_PATH = re.compile(r"(?<![\w.~…>/])/(?!dev/|sys/|proc/)(?:[^\s/\"'`:,;()]+/)+([^\s/\"'`:,;()]+)")
_SERIAL = re.compile(r"(/dev/\w+/by-(?:id|path|uuid|label|partuuid|partlabel)/)[^\s\"'`,;()]+")
"""Lasting names of devices; most end with the number of that very device."""

SHORT_NAME = 3
"""Names of up to this many letters are veiled only where they stand alone, or too much would go."""


class Veil:
    """Takes private things out of texts.

    ``names``: a player's name to what stands for it. ``folders``: folders to what stands for them.
    ``kept``: numbers that look like a network address and are not, such as versions.
    ``root``: where the system says what this computer and its networks are called.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        folders: Mapping[Path, str],
        kept: Iterable[str] = (),
        root: Path = Path("/"),
    ) -> None:
        self._kept = frozenset(kept)
        names = {name.strip(): told for name, told in names.items() if name.strip()}
        swaps: list[tuple[re.Pattern[str], str]] = []
        # The longest first, or "Anna" would tear "Anna Lena" in two.
        for name in sorted(names, key=len, reverse=True):
            swaps += [(pattern, names[name]) for pattern in _spellings(name)]
        self._names = swaps
        found = {str(folder): told for folder, told in folders.items() if len(str(folder)) > 1}
        home = str(Path.home())
        if len(home) > 1:
            found.setdefault(home, "~")
        self._folders = sorted(found.items(), key=lambda entry: len(entry[0]), reverse=True)
        self._own = [
            re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
            for word in {_user(), socket.gethostname(), *_numbers(root), *_networks(root)}
            if len(word) > SHORT_NAME and word not in ("root", "localhost", "heelstone")
        ]

    def __call__(self, text: str) -> str:
        """The text without what is private."""
        for folder, told in self._folders:
            text = text.replace(folder, told)
        text = _URL.sub(r"\1://…", text)
        for pattern in (_MAIL, _MAC, _IPV6):
            text = pattern.sub("…", text)
        text = _IPV4.sub(lambda found: found[0] if found[0] in self._kept else "…", text)
        text = _SERIAL.sub(r"\1…", text)
        text = _LABELLED.sub(r"\1…", text)
        text = _PATH.sub(r"…/\1", text)
        # A player may be called as the computer's user is; which seat it was is worth knowing.
        for pattern, told in self._names:
            text = pattern.sub(told, text)
        for word in self._own:
            text = word.sub("…", text)
        return text

    def data(self, value: Any) -> Any:
        """Plain JSON data without what is private, keys and values."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            return {self(str(key)): self.data(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(inner) for inner in value]
        return value


def _spellings(name: str) -> list[re.Pattern[str]]:
    """A name as people write it, and as Python and JSON do in their messages."""
    forms = {name, name.encode("unicode_escape").decode("ascii"), ascii(name)[1:-1]}
    forms |= {name.replace(" ", mark) for mark in "-_"} if " " in name else set()
    patterns = []
    for form in sorted(forms, key=len, reverse=True):
        core = re.escape(form)
        if len(name) <= SHORT_NAME:
            core = rf"(?<!\w){core}(?!\w)"
        patterns.append(re.compile(core, re.IGNORECASE))
    return patterns


def _numbers(root: Path) -> Iterable[str]:
    """Numbers that only this computer has: its serial number, its id, its network cards'."""
    places = ["proc/device-tree/serial-number", "etc/machine-id"]
    cards = sorted(f"sys/class/net/{path.name}/address" for path in _inside(root, "sys/class/net"))
    for place in (*places, *cards):
        with suppress(OSError, UnicodeDecodeError):
            number = (root / place).read_text(encoding="ascii").strip("\0 \n")
            yield from {number, number.replace(":", "")} - {"", "0" * 12, "00:00:00:00:00:00"}


def _networks(root: Path) -> Iterable[str]:
    """Names of the wireless networks that this computer knows, as far as this user may see them."""
    for folder in ("etc", "run"):
        for path in _inside(root, f"{folder}/NetworkManager/system-connections"):
            if path.suffix == ".nmconnection":
                yield path.stem


def _inside(root: Path, folder: str) -> list[Path]:
    try:
        return list((root / folder).iterdir())
    except OSError:
        # Not there, or not for this user's eyes.
        return []


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # A service may run under a number without a name.
        return ""
