"""Finds faults of settings that can be read: they name what does not exist, or cannot work.

The start of a table and the check of one say the same: both ask here. Whether a device is plugged
in is no question of settings; that the devices say themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.settings.settings import CameraSettings, Settings
from companion.words.bare_names import unknown_names
from companion.words.errors import notice
from hardware.contradictions import contradictions, lamp_count
from rules.box import BoxError, box_ids, load_box
from rules.errors import Sentence
from rules.near import hint

# -- players' buttons -------------------------------------------------------------------------

BUTTONS = ("commit", "undo", "redo", "again", "clock")
"""Actions of buttons by name; what follows a ``_`` tells several alike apart."""


def button_action(name: str) -> str:
    """Action of a button of this name; empty if the name means nothing."""
    does = name.partition("_")[0]
    return does if does in BUTTONS else ""


def faults(settings: Settings, file: Path) -> list[Sentence]:
    """Faults of the settings of ``file``, each with what to do."""
    found = [*_of_rig(settings), *_of_buttons(settings), *_of_lamps(settings)]
    if settings.mqtt.ca_file and not settings.mqtt.tls:
        found.append(notice("ca_without_tls"))
    return [
        *camera_faults(settings.camera, file),
        *(notice("of_file", file=file, reason=fault) for fault in found),
    ]


def camera_faults(camera: CameraSettings, file: Path) -> list[Sentence]:
    """The same of the camera alone."""
    found = [] if (unknown := unknown_names(camera.bare_names, file)) is None else [unknown]
    if (camera.width is None) != (camera.height is None):
        found.append(notice("of_file", file=file, reason=notice("half_a_size")))
    return found


_RIG = {
    "no_port": "rig_no_port",
    "same_port": "rig_same_port",
    "no_such_lamp": "rig_no_such_lamp",
    "no_pins": "rig_no_pins",
    "pin_twice": "rig_pin_twice",
    "no_display_keys": "rig_no_display_keys",
    "no_display_lamps": "rig_no_display_lamps",
    "too_many_lamps": "rig_too_many_lamps",
}
"""Codes that devices report, to codes of sentences that name the keys of the settings."""


def _of_rig(settings: Settings) -> Iterator[Sentence]:
    for part, report in contradictions(settings.rig):
        yield notice(_RIG[report.code], **{"part": part, **report.params})


def _of_buttons(settings: Settings) -> Iterator[Sentence]:
    for name in settings.rig.buttons:
        if not button_action(name):
            yield notice("button_unknown", button=name, hint=hint(name, BUTTONS))


def _of_lamps(settings: Settings) -> Iterator[Sentence]:
    """Fields that are misspelt would stay dark for ever."""
    count = lamp_count(settings.rig)
    for box, written in settings.lamp_sites.items():
        try:
            sites = load_box(box).sites if box in box_ids() else None
        except BoxError:
            # A broken box from elsewhere is reported where its games are.
            continue
        if sites is None:
            yield notice("lamp_box_unknown", box=box, hint=hint(box, box_ids()))
            continue
        for site, lamps in written.items():
            if site not in sites:
                yield notice("lamp_site_unknown", site=site, box=box, hint=hint(site, sites))
            for lamp in lamps if isinstance(lamps, list) else [lamps]:
                if count is not None and lamp >= count:
                    yield notice("lamp_beyond", site=site, box=box, lamp=lamp, last=count - 1)
