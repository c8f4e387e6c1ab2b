"""Commands cameras and calibrate: which cameras there are, and what their lenses are like."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.commands import (
    FAILED,
    OK,
    Commands,
    UsageError,
    lang_of,
    print_json,
    progress_of,
    settings_of,
    tell,
)
from companion.settings.settings import state_folder
from rules.texts import Texts

if TYPE_CHECKING:
    from vision.camera.calibration import Calibrated, Calibration
    from vision.camera.frames import Frame, FrameSource

PAUSE_S = 0.4
"""Seconds between the examined pictures of a film: a sheet moves slowly."""


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    commands.add("cameras", _cameras)
    calibrate = commands.add("calibrate", _calibrate)
    calibrate.add_argument("source", metavar="SOURCE", nargs="?", default="")
    calibrate.add_argument("--camera", metavar="CAMERA", default="")
    calibrate.add_argument("--sheet", metavar="FILE", default="")


def _cameras(given: argparse.Namespace) -> int:
    from vision.camera.sources import list_cameras

    found = list_cameras()
    for camera in found:
        if given.json:
            print_json({"source": camera.source, "title": camera.title})
        else:
            tell(f"{camera.source}  {camera.title}")
    if not found and not given.json:
        tell(Texts("camera.calibration", lang_of(given))("no_cameras"))
    return OK


def _calibrate(given: argparse.Namespace) -> int:
    say = Texts("camera.calibration", lang_of(given))
    if not (given.source or given.sheet):
        raise UsageError("source_or_sheet")
    if given.sheet:
        _write_sheet(Path(given.sheet), given, say)
    return _measure(given, say) if given.source else OK


def _write_sheet(path: Path, given: argparse.Namespace, say: Texts) -> None:
    from companion.settings.writing import hand_out
    from vision.camera.calibration import sheet_png

    if path.suffix.lower() != ".png":
        raise UsageError("sheet_png", file=path)
    hand_out(path, sheet_png())
    if given.json:
        print_json({"sheet": str(path)})
    else:
        tell(say("sheet", path=path))


def _measure(given: argparse.Namespace, say: Texts) -> int:
    from companion.camera.lenses import Lenses
    from vision.camera.calibration import Calibration
    from vision.camera.sources import open_source

    settings = settings_of(given)
    camera = _camera_of(given, settings.camera.source)
    source = open_source(given.source, settings.camera.form(settings.memory))
    calibration = Calibration()
    try:
        # Ctrl-C is how people say that they have shown enough.
        with contextlib.suppress(KeyboardInterrupt):
            _collect(source, calibration, given, say)
    finally:
        source.close()
    with progress_of(given) as stage:
        stage("calibrate")
        result = calibration.solve()
    path = Lenses(state_folder(given.data)).keep(camera, result) if result.passed else None
    _tell(result, camera, path, given, say)
    return OK if result.passed else FAILED


def _collect(
    source: FrameSource, calibration: Calibration, given: argparse.Namespace, say: Texts
) -> None:
    """Show the source's pictures to the calibration; a camera's until there is enough."""
    from vision.camera.sources import camera_name

    live = bool(camera_name(given.source))
    wanted = ""
    for frame in _apart(source):
        hint = calibration.add(frame.image)
        verdict, want = say(hint.verdict, views=hint.views), say(f"want_{hint.want}")
        if given.json:
            print_json({
                "frame": frame.name, "verdict": hint.verdict, "want": hint.want,
                "views": hint.views, "share": round(hint.share, 3), "text": verdict,
            })  # fmt: skip
        elif hint.verdict == "taken" or not live or verdict + want != wanted:
            share = f"{round(100 * hint.share):3} %"
            tell(f"{share}  {verdict} {want}" if live else f"{frame.name:<16} {share}  {verdict}")
        wanted = verdict + want
        if live and not hint.want:
            return


def _apart(source: FrameSource) -> Iterator[Frame]:
    """All pictures of a folder; of a film or camera one every ``PAUSE_S``."""
    last: float | None = None
    for frame in source:
        if not frame.condition.ready:
            continue
        if source.settled or last is None or frame.time_s - last >= PAUSE_S:
            last = frame.time_s
            yield frame


def _tell(
    result: Calibrated, camera: str, path: Path | None, given: argparse.Namespace, say: Texts
) -> None:
    error, limit = round(result.error_px, 3), round(result.limit_px, 2)
    if path is not None:
        focal = round(result.lens.focal, 1)
        text = say(
            "passed", error=error, limit=limit, views=result.views, focal=focal, path=path
        )  # fmt: skip
    elif result.error_px > result.limit_px:
        text = say("failed", error=error, limit=limit)
    else:
        text = say("failed_doubt", doubt=round(100 * result.focal_doubt, 1))
    if not given.json:
        tell(text)
        return
    record: dict[str, Any] = {
        "camera": camera, "size": list(result.lens.size), "passed": result.passed,
        "error_px": error, "limit_px": limit, "worst_px": round(result.worst_px, 3),
        "views": result.views, "left_out": result.left_out,
        "focal_px": round(result.lens.focal, 2), "focal_doubt": round(result.focal_doubt, 5),
        "radial": [round(k, 5) for k in (result.lens.radial, *result.lens.higher)],
        "offset_px": [round(v, 2) for v in result.lens.offset],
        "file": None if path is None else str(path), "text": text,
    }  # fmt: skip
    print_json(record)


def _camera_of(given: argparse.Namespace, usual: str) -> str:
    """The name of the camera that took the pictures. Raises UsageError."""
    from vision.camera.sources import camera_name

    for text in (given.camera, given.source, usual):
        if text and (name := camera_name(text)):
            return name
    if given.camera:
        raise UsageError("camera_name", text=given.camera)
    raise UsageError("camera_missing")
