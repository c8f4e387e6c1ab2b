"""Settings: typed, in one TOML file, every key with a default.

A file with a wrong type or a misspelt key is refused with a sentence that names both; only
``companion.settings.changing`` ever writes it. Later versions migrate by ``version``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from platformdirs import user_config_path, user_documents_path, user_state_path

from companion.settings.checking import SettingsError, fault
from companion.settings.enforcement import Enforcement
from companion.settings.mains import mains_hz
from companion.settings.manners import Manners
from companion.settings.memory import Share, offered_mb, share_of
from companion.settings.preferences import Language, ScreenSettings
from companion.settings.services import MqttSettings, PlayersSettings, WebSettings
from hardware.settings import DISPLAYS, RigSettings, ScoreSettings, options_type
from rules.bounded import read_text
from rules.printable import unprintable_key
from rules.toml_lines import parsed

if TYPE_CHECKING:
    from vision.camera.form import Form

__all__ = [
    "CameraSettings",
    "Settings",
    "SettingsError",
    "checked",
    "exports_folder",
    "load_settings",
    "read_toml",
    "settings_path",
    "state_folder",
]

VERSION = 1
T = TypeVar("T", bound=msgspec.Struct)

LampNumber = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Pixels = Annotated[int, msgspec.Meta(ge=160, le=10_000)]
Megabytes = Annotated[int, msgspec.Meta(ge=256, le=1_000_000)]


class CameraSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Source and form of the pictures."""

    source: str = ""
    """``pi``, device path, number, video file or folder; ``virtual``: the virtual table; empty: no
    camera."""
    width: Pixels | None = None
    height: Pixels | None = None
    """Desired size of the pictures in px; without both: 1920 × 1080 for a USB camera, for a Pi
    camera as much as the memory allows."""
    lock: bool = True
    """Lock exposure, white balance and focus once they were found."""
    mains_hz: Literal[50, 60] | None = None
    """Frequency of the mains, with which lamps flicker; None: that of this computer's country."""
    bare: Literal["auto"] | tuple[str, ...] = "auto"
    """Kinds or groups of pieces without stickers, recognised by their colour; ``*``: all. ``auto``:
    find out which, here or in the list."""

    @property
    def is_virtual(self) -> bool:
        """True if the pictures are those of the virtual table."""
        return self.source == "virtual"

    @property
    def size(self) -> tuple[int, int] | None:
        """Desired width and height in px; None if none is set."""
        return None if self.width is None or self.height is None else (self.width, self.height)

    @property
    def flicker_hz(self) -> int:
        """``mains_hz``, or that of the country."""
        return self.mains_hz or mains_hz()

    def form(self, share: Share) -> Form:
        """The pictures that are wanted; ``share``: of the memory."""
        # The shelf appears without vision.
        from vision.camera.form import Form

        return Form(self.size, self.lock, self.flicker_hz, share.most_px, share.buffers)

    @property
    def bare_names(self) -> tuple[str, ...]:
        """``bare`` as a list."""
        return (self.bare,) if isinstance(self.bare, str) else self.bare


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings."""

    version: int = VERSION
    lang: Language | None = None
    """The language of everything that is said; None: the computer's own, see ``find_language``."""
    enforcement: Enforcement = Enforcement.ENFORCE
    manners: Manners = Manners()
    camera: CameraSettings = CameraSettings()
    screen: ScreenSettings = ScreenSettings()
    rig: RigSettings = RigSettings()
    web: WebSettings = WebSettings()
    players: PlayersSettings = PlayersSettings()
    mqtt: MqttSettings = MqttSettings()
    memory_mb: Megabytes | None = None
    """Memory that may be taken, MB, as if this were such a board; None: what the system offers."""
    lamp_sites: dict[str, dict[str, LampNumber | list[LampNumber]]] = {}
    """Per box: which lamp, or lamps, stand at which site; empty: in the order of the box file."""

    @property
    def memory(self) -> Share:
        """The use that is made of the computer's memory."""
        return share_of(self.memory_mb or offered_mb())


def state_folder(override: str | None = None) -> Path:
    """Folder of the journal: ``--data``, the service's StateDirectory, or the user's own."""
    if override:
        return Path(override)
    service = os.environ.get("STATE_DIRECTORY")
    return Path(service) if service else user_state_path("heelstone")


def exports_folder(state: Path) -> Path:
    """Folder for the files of matches: for a user's own journal one that they find."""
    if state == user_state_path("heelstone"):
        return user_documents_path() / "Heelstone"
    return state / "exports"


def settings_path(override: str | None = None) -> Path:
    """Path of the settings: ``--settings``, ConfigurationDirectory, or the user's folder."""
    if override:
        return Path(override)
    service = os.environ.get("CONFIGURATION_DIRECTORY")
    folder = Path(service) if service else user_config_path("heelstone")
    return folder / "settings.toml"


def load_settings(path: Path, *, required: bool = False) -> Settings:
    """Read the settings; the defaults if there is no file. Raises SettingsError."""
    return checked(path, read_toml(path, required=required))


def read_toml(path: Path, *, required: bool = False) -> dict[str, Any]:
    """The settings file as it is; nothing if there is none. Raises SettingsError."""
    try:
        return parsed(read_text(path))
    except FileNotFoundError:
        if required:
            raise SettingsError("no_settings", file=path) from None
        return {}
    except OSError as error:
        raise SettingsError("settings_unreadable", file=path, reason=error) from error
    except UnicodeDecodeError as error:
        raise SettingsError("settings_not_text", file=path, reason=error) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError("settings_not_toml", file=path, reason=error) from error


def checked(path: Path, data: dict[str, Any]) -> Settings:
    """The settings in what a file at ``path`` contains. Raises SettingsError."""
    if key := unprintable_key(data):
        raise SettingsError("setting_unprintable", file=path, key=key)
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        # Checked first: a newer file may well contain keys that are not known here yet.
        raise SettingsError("settings_newer", file=path, version=version)
    settings = _converted(path, _with_display_options(data), Settings)
    score = settings.rig.score
    if score.kind in DISPLAYS:
        _converted(path, score.options, options_type(score.kind), "rig.score.options")
    return settings


def _with_display_options(data: dict[str, Any]) -> dict[str, Any]:
    """``data`` with what belongs to one kind of score display among its options.

    In older files these keys lie beside the kind, and those of other kinds mean nothing there.
    """
    rig = data.get("rig")
    score = rig.get("score") if isinstance(rig, dict) else None
    if not (isinstance(rig, dict) and isinstance(score, dict)):
        return data
    common = {field.name for field in msgspec.structs.fields(ScoreSettings)}
    if score.keys() <= common:
        return data
    own = {
        kind: {field.name for field in msgspec.structs.fields(options_type(kind))}
        for kind in DISPLAYS
    }
    older = set().union(*own.values()) - common
    options = score.get("options", {})
    named = own.get(str(score.get("kind")), set())
    if isinstance(options, dict):
        options = {key: score[key] for key in score if key in named & older} | options
    kept = {key: value for key, value in score.items() if key not in older}
    return data | {"rig": rig | {"score": kept | {"options": options}}}


def _converted(path: Path, data: dict[str, Any], kind: type[T], section: str = "") -> T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise fault(path, data, kind, section) from error
