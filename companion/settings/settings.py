"""Settings: typed, in one TOML file, every key with a default.

A file with a wrong type or a misspelt key is refused with a sentence that names both; it is never
overwritten. Later versions migrate by ``version``.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from platformdirs import user_config_path, user_state_path

from companion.settings.manners import Enforcement, Manners
from hardware.settings import RigSettings

__all__ = [
    "CameraSettings",
    "ScreenSettings",
    "Settings",
    "SettingsError",
    "load_settings",
    "settings_path",
    "state_folder",
]

VERSION = 1

LampNumber = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Pixels = Annotated[int, msgspec.Meta(ge=160, le=10_000)]


class SettingsError(Exception):
    """The settings file is wrong; the message names file, key and reason."""


class CameraSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where pictures come from."""

    source: str = ""
    """``pi``, device path, number, video file or folder; empty: no camera."""
    width: Pixels | None = None
    height: Pixels | None = None
    """Wished size of the pictures in px; without both: 1920 × 1080 of a USB camera, all that a Pi
    camera has."""
    lock: bool = True
    """Lock exposure, white balance and focus once they have settled."""
    bare: Literal["auto"] | tuple[str, ...] = "auto"
    """Kinds or groups of pieces without stickers, told by their colour; ``*``: all. ``auto``:
    those that are found out, here or in the list."""

    @property
    def size(self) -> tuple[int, int] | None:
        """Wished width and height in px; None if nothing is wished."""
        return None if self.width is None or self.height is None else (self.width, self.height)

    @property
    def bare_names(self) -> tuple[str, ...]:
        """``bare`` as a list."""
        return (self.bare,) if isinstance(self.bare, str) else self.bare


class ScreenSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the touchscreen looks."""

    theme: Literal["night", "limestone"] = "night"
    animations: bool = True


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    version: int = VERSION
    lang: Literal["de", "en"] = "de"
    enforcement: Enforcement = Enforcement.ENFORCE
    manners: Manners = Manners()
    camera: CameraSettings = CameraSettings()
    screen: ScreenSettings = ScreenSettings()
    rig: RigSettings = RigSettings()
    lamp_sites: dict[str, dict[str, LampNumber | list[LampNumber]]] = {}
    """Per box: which lamp, or lamps, stand at which site; empty: in the order of the box file."""


def state_folder(override: str | None = None) -> Path:
    """Where the journal lies: ``--data``, the service's StateDirectory, or the user's own."""
    if override:
        return Path(override)
    service = os.environ.get("STATE_DIRECTORY")
    return Path(service) if service else user_state_path("heelstone")


def settings_path(override: str | None = None) -> Path:
    """Where the settings lie: ``--settings``, ConfigurationDirectory, or the user's folder."""
    if override:
        return Path(override)
    service = os.environ.get("CONFIGURATION_DIRECTORY")
    folder = Path(service) if service else user_config_path("heelstone")
    return folder / "settings.toml"


def load_settings(path: Path, *, required: bool = False) -> Settings:
    """Read the settings; the defaults if there is no file. Raises SettingsError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if required:
            raise SettingsError(f"there is no settings file {path}") from None
        return Settings()
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not a text file in UTF-8: {error.reason}") from error
    except (ValueError, RecursionError) as error:
        # Besides its own error tomllib lets those of too long numbers and too deep lists through.
        raise SettingsError(f"{path} is not valid TOML: {error}") from error
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        # Looked at first: a newer file may well hold keys that are not known here yet.
        raise SettingsError(
            f"{path} was written by a newer Heelstone (version {version}); please update"
        )
    try:
        return msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{path}: {_in_words(str(error))}") from error


def _in_words(message: str) -> str:
    """msgspec's message, with the nearest known key where one was misspelt."""
    if "unknown field" not in message:
        return message.replace("`$.", "`")
    # The key stands between quotes, its place behind it; a key may itself hold quotes.
    rest = message.partition("`")[2]
    wrong, at, place = rest.rpartition(" - at `$.")
    wrong, place = (wrong, place) if at else (rest, "")
    wrong, place = wrong.removesuffix("`"), place.removesuffix("`")
    where = f" in [{place}]" if place else ""
    sections = dict(_sections(Settings, ""))
    homes = [section for section, keys in sections.items() if wrong in keys]
    near = difflib.get_close_matches(wrong, sections.get(place, ()), n=1)
    near += difflib.get_close_matches(wrong, [k for keys in sections.values() for k in keys], n=1)
    if homes:
        hint = f"; it belongs in [{homes[0]}]" if homes[0] else "; it belongs above all sections"
    else:
        hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"unknown key '{wrong}'{where}{hint}"


def _sections(struct: Any, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every section of the file with its keys, from the top."""
    yield name, struct.__struct_fields__
    for field in msgspec.structs.fields(struct):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from _sections(field.type, f"{name}.{field.name}".lstrip("."))
