"""Moments to remember and the problem report, with what the camera sees and believes now."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.camera.owner import TableCamera
from companion.match.rehearsing.recall import Step
from companion.match.view import TableView
from companion.settings.preferences import PreferencesFile
from companion.settings.settings import Settings, settings_path
from companion.support.captures import Evidence, Moments, beliefs_of, stamp, table_of
from companion.support.log import RecentLog
from companion.support.report import NOW, Report
from companion.words.errors import of_file
from companion.workshop.camera import CameraBench
from hardware.rig import Rig
from vision.camera.frames import SourceError
from vision.overlay import annotate

log = logging.getLogger(__name__)

PATIENCE_S = 3.0
"""Maximum wait for the first picture of a camera that was opened for a report, seconds."""
WIDEST_PX = 1600
"""Maximum width of a report's pictures."""


@dataclass(kw_only=True)
class ReportBench:
    """Writes down what others need to understand this table."""

    state: Path
    settings: Settings
    settings_file: Path | None
    preferences: PreferencesFile
    recent_log: RecentLog
    rig: Rig
    table_camera: TableCamera
    camera: CameraBench
    played: Callable[[], TableView | None]
    scene: Callable[[str], Sequence[Step]]

    def __post_init__(self) -> None:
        self._moments = Moments(self.state / "reports" / "moments")

    def remember_moment(self) -> str:
        """Save what is seen and believed now for a report; returns what went wrong, or nothing."""
        try:
            self._moments.keep(self._evidence())
        except OSError as error:
            log.warning("a moment could not be kept: %s", error)
            return of_file(error, self._moments.folder).told(self.preferences.now.lang)
        return ""

    def moments(self) -> Sequence[str]:
        """Names of the saved moments, the newest first."""
        return list(reversed(self._moments.names()))

    def write(self) -> Path:
        """Write the problem report. Raises OSError, JournalError. Takes a second or two."""
        self._await_picture()
        view = self.played()
        report = Report(
            state=self.state,
            settings_file=self.settings_file or settings_path(),
            settings=self.settings,
            lang=self.preferences.now.lang,
            match_id="" if view is None else view.match_id,
            log_lines=self.recent_log.lines(),
            evidence=(self._evidence(NOW), *self._moments.all()),
            devices=[f"{s.name}: {s.message}" for s in self.rig.status()],
            now_s=time.time(),
        )
        return report.write()

    def _await_picture(self) -> None:
        """Eyes that have just been opened need a moment."""
        end = time.monotonic() + PATIENCE_S
        while self.table_camera.snapshot() is None and time.monotonic() < end:
            if not self.table_camera.looks:
                return
            time.sleep(0.05)

    def _evidence(self, name: str = "") -> Evidence:
        """Sightings and record of this moment, with pictures."""
        snapshot, now_s, pictures = self.table_camera.snapshot(), time.time(), {}
        if snapshot is not None:
            box = self.camera.box(self.camera.game)
            pictures["frame"] = jpeg(snapshot.frame.image)
            pictures["seen"] = jpeg(annotate(snapshot.frame, snapshot.sighting, box))
        name = name or stamp(now_s)
        facts = {
            "when_s": round(now_s, 1),
            "table": table_of(self.played()),
            "camera": beliefs_of(None if snapshot is None else snapshot.sighting),
        }
        return Evidence(name, facts, pictures, tuple(self.scene(name)))


def jpeg(image: cv2.typing.MatLike) -> bytes:
    """A picture as a JPEG file, made small enough for a report."""
    height, width = image.shape[:2]
    if width > WIDEST_PX:
        size = (WIDEST_PX, round(height * WIDEST_PX / width))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    done, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 82])
    # OpenCV encodes any 8-bit picture; what is not one must not become an empty file.
    if not done:
        raise SourceError("jpeg_unwritten")
    return coded.tobytes()
