"""Preferences: what people chose on the screen, saved in the state folder.

The settings file belongs to the person who set the table up and is never written to; what was
chosen on the screen is in ``preferences.json`` and overrides it. A damaged file is set aside,
reported, and rewritten.

One field is one choice. Fields with a ``setting`` have a row of their own on the settings page, in
this order, and a key in the settings file that holds until something is chosen, mostly in its
section ``[screen]``; the words are in ``rules/languages/<lang>/preferences.toml``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_type_hints

import msgspec

from companion.settings.services import ThinkingTime
from companion.settings.writing import set_aside, write_whole
from companion.signals import Signal
from companion.words.errors import HeelstoneError, notice
from rules.bounded import read_text
from rules.errors import Sentence, because
from rules.texts import LANGUAGES

log = logging.getLogger(__name__)

if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]
Part = Annotated[float, msgspec.Meta(ge=0, le=1)]
GameId = Annotated[str, msgspec.Meta(pattern=r"^[\w@.-]{1,80}\Z")]
BggNumbers = Annotated[dict[GameId, "BggNumber"], msgspec.Meta(max_length=200)]
BggNumber = Annotated[int, msgspec.Meta(ge=1, le=9_999_999)]
Spoken = Literal["quiet", "short", "full"]


class Choosable(NamedTuple):
    """A row of the settings page."""

    name: str
    """Name of the field."""
    values: tuple[Any, ...]
    """The values that are offered; the field may hold others."""
    unit: str
    """``s`` (seconds), ``%`` (a share of one), ``language``, or empty: values have own words."""
    key: str
    """Key of the settings file."""


def setting(*offered: float, unit: str = "", key: str = "") -> msgspec.Meta:
    """Offers a field on the settings page: all its values, or those ``offered``.

    ``key`` is its key in the settings file, if that is not in ``[screen]``.
    """
    return msgspec.Meta(extra={"offered": offered, "unit": unit, "key": key})


def elsewhere(key: str) -> msgspec.Meta:
    """A field that another page offers; ``key`` is its key in the settings file."""
    return msgspec.Meta(extra={"key": key})


class Preferences(msgspec.Struct, frozen=True, kw_only=True):
    """All that is chosen on the screen."""

    lang: Annotated[Language, setting(unit="language", key="lang")] = "de"
    theme: Annotated[Literal["night", "limestone"], setting()] = "night"
    text: Annotated[Literal["normal", "large", "largest"], setting()] = "normal"
    """Size of the words that are read while a match is played."""
    turn: Annotated[Literal[0, 90, 180, 270], setting()] = 0
    """How far the screen is turned to the left, degrees: as it hangs on the wall or stands."""
    hand: Annotated[Literal["right", "left"], setting()] = "right"
    """The hand that touches: on a wide screen the keys are beside the board on its side."""
    piece_colours: Annotated[Literal["printed", "safe"], setting()] = "printed"
    """``safe``: colours that every kind of colour vision tells apart."""
    animations: Annotated[bool, setting()] = True
    """True if pieces move and signals pulse."""
    speech: Annotated[Spoken, setting()] = "short"
    """``quiet``: only what cannot wait; ``short``: turns and results too; ``full``: every
    move, and the reasons."""
    volume: Annotated[Part, setting(0.2, 0.4, 0.6, 0.8, 1, unit="%", key="rig.sound.volume")] = 0.8
    brightness: Annotated[
        Part, setting(0.1, 0.2, 0.4, 0.6, 0.8, 1, unit="%", key="rig.lamps.brightness")
    ] = 0.4
    """The most light a lamp may emit."""
    think_s: Annotated[
        ThinkingTime, setting(0.5, 1.5, 3.0, 6.0, 15.0, unit="s", key="players.seconds")
    ] = 1.5
    """Maximum time for a computer player's decision, seconds."""
    phones: Annotated[bool, elsewhere("web.enabled")] = False
    """True if phones are let in: own cards, and spectators."""
    bgg: BggNumbers = {}
    """Numbers at BoardGameGeek by game, as people entered them."""


@cache
def _declared() -> dict[str, tuple[Any, dict[str, Any]]]:
    """The type of each declared field, and what was said of it."""
    hints = get_type_hints(Preferences, include_extras=True)
    return {
        name: (get_args(hint)[0], {**meta.extra, "key": meta.extra["key"] or f"screen.{name}"})
        for name, hint in hints.items()
        for meta in getattr(hint, "__metadata__", ())
        if meta.extra is not None
    }


def choosable() -> list[Choosable]:
    """The rows of the settings page."""
    return [
        Choosable(
            name, told["offered"] or ((True, False) if kind is bool else get_args(kind)),
            told["unit"], told["key"],
        )
        for name, (kind, told) in _declared().items()
        if "offered" in told
    ]  # fmt: skip


def _screen_settings() -> type[msgspec.Struct]:
    fields = {field.name: field for field in msgspec.structs.fields(Preferences)}
    own = [name for name, (_type, told) in _declared().items() if told["key"] == f"screen.{name}"]
    return msgspec.defstruct(
        "ScreenSettings", [(name, fields[name].type, fields[name].default) for name in own],
        frozen=True, kw_only=True, forbid_unknown_fields=True,
        namespace={"__doc__": "Choices of the settings page, until others are made there."},
    )  # fmt: skip


if TYPE_CHECKING:
    ScreenSettings = msgspec.Struct
else:
    # So that a choice is declared in one place only.
    ScreenSettings = _screen_settings()


class PreferencesFile:
    """``preferences.json`` of a state folder."""

    def __init__(self, state: Path, settings: msgspec.Struct, lang: str) -> None:
        """Read what was chosen before; ``settings`` fill in what never was.

        ``lang`` is the language in which the program was started, see ``find_language``: it knows
        what was chosen, and counts until another is.
        """
        self.path = state / "preferences.json"
        self.trouble: Sentence | None = None
        """Fault of the file; None if all was well."""
        usual = {
            name: attrgetter(told["key"])(settings) for name, (_type, told) in _declared().items()
        }
        self._chosen = self._read()
        self.now = msgspec.convert({**usual, **self._chosen, "lang": lang}, Preferences)
        self._chosen_anew = Signal[[Preferences]]()

    def follow(self, follower: Callable[[Preferences], object]) -> None:
        """Call ``follower`` with what is chosen: now, and after every change."""
        self._chosen_anew.add(follower)
        follower(self.now)

    def choose(self, **changes: Any) -> Preferences:
        """Change some preferences and save them. Raises msgspec.ValidationError for a wrong value.

        If the disk refuses, they apply until the program ends, and ``trouble`` says so.
        """
        self.now = msgspec.convert({**msgspec.structs.asdict(self.now), **changes}, Preferences)
        # Only what was chosen is saved, so that the settings still decide the rest.
        chosen = self._chosen = {**self._chosen, **changes}
        try:
            write_whole(self.path, json.dumps(chosen, indent=1) + "\n")
            self.trouble = None
        except OSError as error:
            self.trouble = notice("file_unwritable", file=self.path, reason=error)
            log.warning("%s", self.trouble)
        self._chosen_anew(self.now)
        return self.now

    def _read(self) -> dict[str, Any]:
        """Choices in the file; none if there is no file."""
        try:
            data = json.loads(read_text(self.path))
        except FileNotFoundError:
            return {}
        except OSError as error:
            self.trouble = notice("file_unreadable", file=self.path, reason=error)
            log.warning("%s", self.trouble)
            return {}
        except (ValueError, RecursionError) as error:
            return self._set_aside(error)
        try:
            if not isinstance(data, dict):
                raise HeelstoneError("holds_no_choices")
            known = {key: data[key] for key in Preferences.__struct_fields__ if key in data}
            msgspec.convert(known, Preferences)
        except (HeelstoneError, ValueError) as error:
            return self._set_aside(error)
        return known

    def _set_aside(self, damage: Exception) -> dict[str, Any]:
        told = because(damage)
        try:
            aside = set_aside(self.path).name
            file = self.path.name
            self.trouble = notice("choices_damaged_aside", file=file, because=told, aside=aside)
        except OSError as error:
            self.trouble = notice("file_damaged", file=self.path, because=told, reason=error)
        log.warning("%s", self.trouble)
        return {}
