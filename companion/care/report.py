"""A problem report: one file that lets somebody elsewhere understand what went wrong at a table.

It holds pictures, beliefs, the log, settings, the match and what the doctor says, and nothing
private: see ``companion.care.redaction``. It is written to the disk and sent nowhere.
"""

from __future__ import annotations

import io
import json
import logging
import platform
import sys
import time
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from companion.care.captures import Evidence
from companion.care.doctor import examine
from companion.care.log import run_before, runtime_folder
from companion.care.redaction import Veil
from companion.care.version import heelstone_version
from companion.journal.reading import reading
from companion.journal.store import Journal
from companion.settings.people import People
from companion.settings.settings import Settings
from companion.settings.writing import hand_out, write_whole
from companion.words.errors import HeelstoneError, notice
from rules.bounded import read_bytes
from rules.near import hint
from rules.printable import json_line
from rules.texts import Texts

__all__ = [
    "MOST_BYTES",
    "NOW",
    "NotAReportError",
    "Report",
    "last_run_log",
    "report_path",
    "scene_in",
    "versions",
]

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
"""What the evidence is called that was taken when the report was written."""
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
    """Where a report written now belongs."""
    date = time.strftime("%Y%m%d-%H%M%S", time.localtime(now_s))
    return state / "reports" / f"heelstone-{date}.zip"


def last_run_log(state: Path) -> Path:
    """Where the log of the app's last run is saved, for reports written without it."""
    return state / "reports" / LAST_RUN


def scene_in(path: Path, moment: str = "") -> str:
    """What was seen and touched before a report was written, for ``heelstone rehearse``.

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
    """Everything that goes into a report; ``write`` puts it into one file."""

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

    def _texts(self, veil: Veil, say: Texts) -> dict[str, str]:
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

    def _veil(self, journal: Journal, match_id: str, say: Texts) -> Veil:
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
        return Veil(names, folders, versions().values())

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
    score = data["rig"]["score"]
    if score.get("host", HERE) != HERE:
        score["host"] = "…"
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
