"""``heelstone doctor``: what could keep a table from working, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.settings.settings import Settings, SettingsError, load_settings
from companion.settings.validating import faults
from companion.support.doctor.devices import camera, pins, ports, voice
from companion.support.doctor.finding import Place
from companion.support.doctor.software import fonts, heelstone, packages, python
from companion.support.doctor.storage import disk_and_journal
from companion.support.doctor.system import clock, groups, heat, installed, memory, power, running
from companion.support.finding import Finding, Verdict
from companion.support.screen import find_screen
from companion.words.errors import notice
from rules.bounded import is_there

__all__ = ["Finding", "examine"]


def examine(
    state: Path,
    settings_file: Path,
    lang: str,
    *,
    required: bool = False,
    root: Path = Path("/"),
) -> Iterator[Finding]:
    """Run every check. The state folder is created; a damaged journal is set aside, which is
    reported.

    ``required``: the settings file was named by hand, so it must be there. ``root``: where
    ``/proc``, ``/sys`` and ``/dev`` are.
    """
    place = Place(lang, root)
    settings = Settings()
    try:
        settings = load_settings(settings_file, required=required)
        wrong = faults(settings, settings_file)
        for fault in wrong:
            yield place.told_of("settings", Verdict.BAD, fault)
        if not wrong:
            key = "settings_ok" if is_there(settings_file) else "settings_none"
            yield place.ok("settings", key, path=settings_file)
    except SettingsError as error:
        reason = place.told(error.sentence).rstrip("?.")
        yield place.trouble("settings", "settings_bad", reason=reason)
    yield from heelstone()
    yield from python(place)
    yield from packages(place)
    yield from disk_and_journal(place, state)
    yield from camera(place, settings)
    yield from ports(place, settings)
    yield from groups(place)
    yield from voice(place, settings)
    yield from pins(place, settings)
    yield _screen(place)
    yield from fonts(place)
    yield from running(place)
    yield from installed(place, state)
    yield from clock(place, state)
    yield from memory(place, settings)
    yield from heat(place)
    yield from power(place)


def _screen(place: Place) -> Finding:
    found = find_screen(place.root)
    if found.trouble is None:
        return place.ok("screen", found.code, driver=found.driver)
    # A table may do without a screen, but not with one that is named and dead.
    verdict = Verdict.DOUBTFUL if found.trouble.code == "screen_none" else Verdict.BAD
    return place.told_of("screen", verdict, notice("needs_screen", reason=found.trouble))
