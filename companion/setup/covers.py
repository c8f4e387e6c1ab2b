"""The front of a game's box as data: a picture made of shapes, the playing time, the age.

``covers/<game>.toml`` in the package of the game. One without gets a plain cover in its own colour,
so nothing needs to know which games there are. Free of Kivy.
"""

from __future__ import annotations

import colorsys
import logging
import re
import tomllib
import zlib
from collections.abc import Sequence
from importlib.resources import files

import msgspec

from rules.core import GameError
from rules.errors import Sentence
from rules.toml_lines import at_line, lines_of, nearest_line, not_toml

__all__ = ["HEIGHT", "WIDTH", "Cover", "CoverError", "Shape", "cover_of", "read_cover"]

log = logging.getLogger(__name__)

WIDTH, HEIGHT = 240.0, 150.0
"""The canvas of every cover, origin at the lower left; what is drawn beyond it is cut off, and the
rim may be, too."""


_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_UNKNOWN = re.compile(r"unknown field `(\w+)`")
"""How msgspec says where something is, and what."""


class CoverError(GameError):
    """A file of a cover that holds none."""


class Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One shape; exactly one of the kinds is given."""

    fill: str = "#000000"
    fills: tuple[str, ...] = ()
    """Colours in turn, for ``wheel`` and ``discs``."""
    width: float = 1.0
    """Of a ``line``."""
    at: tuple[float, float] = (0.0, 0.0)
    size: float = 20.0
    """Where the middle of a ``text`` is, and how high its letters are."""
    polygon: tuple[float, ...] = ()
    """x, y of its corners in turn; it may bend inwards."""
    line: tuple[float, ...] = ()
    """x, y of its points in turn; round ends."""
    circle: tuple[float, float, float] | None = None
    """x, y, radius."""
    rect: tuple[float, float, float, float, float] | None = None
    """x, y, width, height, radius of its corners."""
    wheel: tuple[float, float, float, float, int] | None = None
    """x, y, outer and inner radius, number of fields."""
    discs: tuple[float, float, float, int, float] | None = None
    """x, y and radius of the circle that they lie on, their number and radius."""
    text: str = ""

    def __post_init__(self) -> None:
        _want_colours((self.fill, *self.fills))


class Cover(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is on the front besides the name and the number of players."""

    sky: tuple[str, str]
    """Colour at the top and at the bottom."""
    shapes: tuple[Shape, ...]
    """Drawn one after the other."""
    minutes: int = 0
    """How long a match takes, roughly; 0: nobody knows."""
    age: int = 0
    """From which age on; 0: nobody knows."""

    def __post_init__(self) -> None:
        _want_colours(self.sky)


def _want_colours(found: Sequence[str]) -> None:
    for colour in found:
        if not _COLOUR.fullmatch(colour):
            raise ValueError(f"Expected a colour such as #d8b988, got {colour!r}")


def cover_of(game: str, package: str, name: str) -> Cover:
    """The cover of ``game`` from its ``package``; a plain one with the first letters of ``name`` if
    there is none, or none that can be read."""
    kind = game.partition("@")[0]
    try:
        return read_cover(kind, package)
    except FileNotFoundError:
        return _plain(kind, name)
    except (OSError, ValueError) as error:
        log.warning("covers/%s.toml: %s", kind, error)
        return _plain(kind, name)


def read_cover(game: str, package: str) -> Cover:
    """The cover in the file of ``game``. Raises FileNotFoundError if there is none, OSError or
    UnicodeDecodeError if it cannot be read, CoverError if it is none."""
    name = f"covers/{game}.toml"
    text = (files(package) / name).read_text(encoding="utf-8")
    try:
        return msgspec.convert(tomllib.loads(text), Cover)
    except tomllib.TOMLDecodeError as error:
        raise CoverError("bad_toml", **not_toml(name, text, error)) from error
    except msgspec.ValidationError as error:
        told, _, path = str(error).partition(" - at ")
        place: list[str | int] = [int(n) if n else key for key, n in _STEP.findall(path)]
        place += _UNKNOWN.findall(told)
        line = at_line(name, nearest_line(lines_of(text), tuple(place)))
        reason = Sentence("as_told", {"detail": told})
        raise CoverError("within", file=line, reason=reason) from error


def _plain(game: str, name: str) -> Cover:
    """Three standing stones below the first letters, in a colour that follows from the id."""
    hue = zlib.crc32(game.encode()) % 360 / 360
    letters = "".join(word[0] for word in name.split() if word[0].isalnum())[:2].upper()
    stones = [(24.0, 46.0), (96.0, 40.0), (168.0, 50.0)]
    shapes = [Shape(rect=(x, -8.0, 48.0, top, 10.0), fill=_shade(hue, 0.16)) for x, top in stones]
    shapes.append(Shape(text=letters, at=(120.0, 92.0), size=64.0, fill="#fff6df"))
    return Cover(sky=(_shade(hue, 0.24), _shade(hue, 0.46)), shapes=tuple(shapes))


def _shade(hue: float, light: float) -> str:
    parts = colorsys.hls_to_rgb(hue, light, 0.45)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)
