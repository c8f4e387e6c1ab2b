"""A problem report: one file from which others can understand what went wrong at a table.

It holds pictures, beliefs, the log, settings, the match and what the doctor says, and nothing
private: see ``Redactor``. It is written to the disk and sent nowhere.
"""

from __future__ import annotations

import getpass
import io
import json
import logging
import platform
import re
import socket
import sys
import time
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from companion.journal.reading import reading
from companion.journal.store import Journal
from companion.settings.people import People
from companion.settings.settings import Settings
from companion.settings.writing import hand_out, write_whole
from companion.support.captures import Evidence
from companion.support.doctor import examine
from companion.support.log import run_before, runtime_folder
from companion.support.version import heelstone_version
from companion.words.errors import HeelstoneError, notice
from rules.bounded import read_bytes
from rules.near import hint
from rules.printable import json_line
from rules.texts import Texts

# -- redaction --------------------------------------------------------------------------------

# A pattern begins where a run of its letters does, and never in the middle: a log may hold what
# strangers wrote, and the square of its length is without an end.
_URL = re.compile(r"(?<![a-zA-Z0-9+.-])([a-zA-Z0-9+.-]++)://[^\s\"'`,)]+")
_IPV4 = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b(?::\d+)?")
_IPV6 = re.compile(r"(?<![\w:])(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{1,4}(?![\w:])")
_MAC = re.compile(r"\b[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1){4}[0-9a-fA-F]{2}\b")
_LABELLED = re.compile(
    r"(\b(?:e?ssid|psk|passphrase|password|serial(?: ?number)?)\b[\"']?\s*[:=]\s*)"
    r"(?:\"[^\"\n]*\"|'[^'\n]*'|\S+)",
    re.IGNORECASE,
)
"""Pattern of names and keys of wireless networks and numbers of computers, where they are labelled
as such."""
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+\.[\w.-]+\b")
_PATH = re.compile(r"(?<![\w.~…>/])/(?!dev/|sys/|proc/)(?:[^\s/\"'`:,;()]+/)+([^\s/\"'`:,;()]+)")
_SERIAL = re.compile(r"(/dev/\w+/by-(?:id|path|uuid|label|partuuid|partlabel)/)[^\s\"'`,;()]+")
"""Pattern of lasting names of devices; most end with the number of that very device."""

SHORT_NAME = 3
"""Length up to which names are veiled only where they stand alone, letters, or too much would
go."""


class Redactor:
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


log = logging.getLogger(__name__)

MOST_BYTES = 12 << 20
"""Maximum size of a report; it must fit into a mail."""
MOST_LOG_BYTES = 1 << 20
MOST_MATCH_BYTES = 4 << 20

PACKAGES = ("kivy", "numpy", "opencv-python", "gpiozero", "pyserial", "msgspec", "platformdirs")
LAST_RUN = "last-run.log"
HERE = "localhost"
SCENES = "scenes/"
NOW = "now"
"""Name of the evidence taken when the report was written."""
MOST_SCENE_BYTES = 4 << 20


class NotAReportError(HeelstoneError):
    """A file is no problem report, or one without what is asked of it."""


def versions() -> dict[str, str]:
    """Heelstone, Python, the system and what else matters."""
    found = {"heelstone": str(heelstone_version()), "python": sys.version.split()[0]}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "missing"
    found["system"] = f"{platform.system()} {platform.release()} {platform.machine()}"
    return found


def report_path(state: Path, now_s: float) -> Path:
    """Path of a report written now."""
    date = time.strftime("%Y%m%d-%H%M%S", time.localtime(now_s))
    return state / "reports" / f"heelstone-{date}.zip"


def last_run_log(state: Path) -> Path:
    """Path of the log of the app's last run, for reports written without it."""
    return state / "reports" / LAST_RUN


def scene_in(path: Path, moment: str = "") -> str:
    """Sightings and touches before a report was written, for ``heelstone rehearse``.

    ``moment``: of those that were saved; else the present, or the newest of them. Raises
    NotAReportError, OSError.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path))) as archive:
            entries = {
                info.filename.removeprefix(SCENES).removesuffix(".jsonl"): info
                for info in archive.infolist()
                if info.filename.startswith(SCENES) and info.file_size <= MOST_SCENE_BYTES
            }
            if not entries:
                raise NotAReportError("report_without_scene", file=path)
            name = moment or (NOW if NOW in entries else next(iter(entries)))
            if name not in entries:
                raise NotAReportError(
                    "report_moment", file=path, moment=name, hint=hint(name, entries)
                )
            return archive.read(entries[name]).decode("utf-8")
    except (zipfile.BadZipFile, UnicodeDecodeError, RuntimeError, zlib.error) as error:
        # RuntimeError: somebody gave it a password.
        raise NotAReportError("not_a_report", file=path) from error


@dataclass
class Report:
    """The contents of a report; ``write`` puts them into one file."""

    state: Path
    settings_file: Path
    settings: Settings
    lang: str
    match_id: str = ""
    """The match it is about; empty: the one played last."""
    log_lines: Sequence[str] | None = None
    """The log of this program; None: of the table's last runs."""
    evidence: Sequence[Evidence] = field(default_factory=tuple)
    """The present first, then moments, the newest first."""
    devices: Sequence[str] = field(default_factory=tuple)
    now_s: float = field(default_factory=time.time)
    left_out: int = field(default=0, init=False)
    """Pictures that did not fit."""

    def write(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> Path:
        """Write the report, whole or not at all; returns its path. Raises OSError, JournalError."""
        target = path or report_path(self.state, self.now_s)
        say = Texts("commands.report", self.lang)
        with reading(self.state / "journal.db") as journal:
            match_id = self.match_id or _last_match(journal)
            veil = self._veil(journal, match_id, say)
            match = "".join(f"{line}\n" for line in self._match(journal, match_id, say))
        texts = self._texts(veil, say)
        texts["match.jsonl"] = _newest(veil(match), MOST_MATCH_BYTES) or say("no_match") + "\n"
        # Ours has a name of ours; what stands where somebody asked for it is theirs.
        write = write_whole if path is None else hand_out
        write(target, self._packed(texts, say, most_bytes))
        log.info("a problem report was written: %s", target.name)
        return target

    # -- private --------------------------------------------------------------------------

    def _texts(self, veil: Redactor, say: Texts) -> dict[str, str]:
        lines = self._log()
        findings = examine(self.state, self.settings_file, self.lang)
        doctor = "".join(f"{f.level:<8} {f.check:<14} {f.text}\n" for f in findings)
        devices = "".join(f"{told}\n" for told in self.devices)
        # Scenes hold nothing but sites, pieces and moves; a veil might tear those apart.
        scenes = {
            f"{SCENES}{evidence.name}.jsonl": "".join(_line(step) for step in evidence.scene)
            for evidence in self.evidence
            if evidence.scene
        }
        facts = {evidence.name: veil.data(evidence.facts) for evidence in self.evidence}
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.now_s))
        return {
            "README.txt": say("readme", version=heelstone_version(), when=when).lstrip(),
            "versions.json": _json(versions()),
            "settings.json": _json(veil.data(_settings(self.settings))),
            "doctor.txt": veil(doctor + devices),
            "log.txt": _newest(veil("".join(f"{line}\n" for line in lines)), MOST_LOG_BYTES)
            or say("no_log") + "\n",
            "beliefs.json": _json(facts),
            **scenes,
        }

    def _log(self) -> Sequence[str]:
        folder = runtime_folder()
        if self.log_lines is not None:
            return [*run_before(folder, running=True), *self.log_lines]
        if kept := run_before(folder, running=False):
            return kept
        try:
            return last_run_log(self.state).read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            return (str(notice("log_unreadable", reason=error)),)

    def _veil(self, journal: Journal, match_id: str, say: Texts) -> Redactor:
        names = dict.fromkeys(self._all_names(journal), say("a_player"))
        if match_id:
            for seat, name in enumerate(journal.header(match_id).names, 1):
                if name:
                    names[name] = say("seat", number=seat)
        folders = {
            self.settings_file.absolute(): f"…/{self.settings_file.name}",
            self.state.absolute(): "<state>",
            self.state: "<state>",
        }
        return Redactor(names, folders, versions().values())

    def _all_names(self, journal: Journal) -> Iterable[str]:
        for summary in journal.matches():
            yield from (name for name in summary.header.names if name)
        yield from People(self.state).everybody

    def _match(self, journal: Journal, match_id: str, say: Texts) -> Iterable[str]:
        """The exported match with seats for names; empty if there is none."""
        if not match_id:
            return
        lines = iter(journal.export(match_id))
        head = json.loads(next(lines))
        match = head["match"]
        seats = range(1, int(match["players"]) + 1)
        match["names"] = [say("seat", number=seat) for seat in seats]
        for key in ("course", "series"):
            if match.get(key):
                match[key] = key
        yield json_line(head)
        yield from lines

    def _packed(self, texts: Mapping[str, str], say: Texts, most_bytes: int) -> bytes:
        """The zip file; pictures are left out, oldest first, until it is small enough."""
        pictures = [
            (f"{_folder(number)}/{evidence.name}-{what}.jpg", data)
            for number, evidence in enumerate(self.evidence)
            for what, data in evidence.pictures.items()
        ]
        while True:
            left_out = self.left_out
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, text in texts.items():
                    if name == "README.txt" and left_out:
                        text += "\n" + say("left_out", count=left_out) + "\n"
                    archive.writestr(self._entry(name), text.encode("utf-8"))
                for name, data in pictures:
                    # JPEG is packed already.
                    archive.writestr(self._entry(name), data, zipfile.ZIP_STORED)
            if packed.tell() <= most_bytes or not pictures:
                return packed.getvalue()
            pictures.pop()
            self.left_out += 1

    def _entry(self, name: str) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(name, time.localtime(self.now_s)[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        return entry


def _settings(settings: Settings) -> Any:
    """The settings as plain data, without the name of another computer."""
    data = msgspec.to_builtins(settings)
    options = data["rig"]["score"]["options"]
    if options.get("host", HERE) != HERE:
        options["host"] = "…"
    return data


def _folder(number: int) -> str:
    return "moments" if number else "pictures"


def _last_match(journal: Journal) -> str:
    matches = journal.matches()
    return matches[0].header.id if matches else ""


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _line(data: Any) -> str:
    return json_line(data) + "\n"


def _newest(text: str, most_bytes: int) -> str:
    """The end of a text, whole lines only."""
    data = text.encode("utf-8")
    if len(data) <= most_bytes:
        return text
    return data[-most_bytes:].split(b"\n", 1)[-1].decode("utf-8", "replace")
