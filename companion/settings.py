"""Settings: typed, in one TOML file, every key with a default.

A file with a wrong type or a misspelt key is refused with a sentence that names both; it is never
overwritten. Later versions migrate by ``version``.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import Literal

import msgspec
from platformdirs import user_config_path, user_state_path

from hardware.rig import RigSettings

__all__ = [
    "CameraSettings",
    "Manners",
    "ScreenSettings",
    "Settings",
    "SettingsError",
    "load_settings",
    "settings_path",
    "state_folder",
]

VERSION = 1


class SettingsError(Exception):
    """The settings file is wrong; the message names file, key and reason."""


class Manners(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How quick Heelstone is to speak and to conclude. All times in seconds."""

    commit_s: float = 0.8
    """A recognised move must hold still this long before it is agreed."""
    quiet_s: float = 1.0
    """Silence after a hand has left."""
    reason_s: float = 3.0
    """After this long a refusal is explained in words."""
    desync_s: float = 6.0
    """After this long without an explanation the board is guided back."""
    commit: Literal["stillness", "button"] = "stillness"
    """Agree to a move by stillness, or only by a player's button."""


class CameraSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where pictures come from."""

    source: str = ""
    """Device path, number, video file or folder; empty: no camera."""
    width: int = 1920
    height: int = 1080


class ScreenSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the touchscreen looks."""

    theme: Literal["night", "limestone"] = "night"
    animations: bool = True


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    version: int = VERSION
    lang: Literal["de", "en"] = "de"
    enforcement: Literal["off", "advise", "enforce", "penalise"] = "enforce"
    manners: Manners = Manners()
    camera: CameraSettings = CameraSettings()
    screen: ScreenSettings = ScreenSettings()
    rig: RigSettings = RigSettings()
    lamp_sites: dict[str, dict[str, int]] = {}
    """Per box: which lamp stands at which site; empty: in the order of the box file."""


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
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from error
    try:
        settings = msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{path}: {_in_words(str(error))}") from error
    if settings.version > VERSION:
        raise SettingsError(
            f"{path} was written by a newer Heelstone (version {settings.version}); please update"
        )
    return settings


def _in_words(message: str) -> str:
    """msgspec's message, with the nearest known key where one was misspelt."""
    if "unknown field" not in message:
        return message.replace("`$.", "`")
    wrong = message.split("`")[1]
    known = [name for struct in _structs() for name in struct.__struct_fields__]
    near = difflib.get_close_matches(wrong, known, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    place = message.rsplit("`$.", 1)
    where = f" in [{place[1].rstrip('`')}]" if len(place) == 2 else ""
    return f"unknown key '{wrong}'{where}{hint}"


def _structs() -> list[type[msgspec.Struct]]:
    found: list[type[msgspec.Struct]] = []
    todo: list[type[msgspec.Struct]] = [Settings]
    while todo:
        struct = todo.pop()
        found.append(struct)
        for field in msgspec.structs.fields(struct):
            if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
                todo.append(field.type)
    return found
