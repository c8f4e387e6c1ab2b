"""The front of a game's box as data: a picture made of shapes, the playing time, the age.

``covers/<game>.toml`` in the package of the game. One without gets a plain cover in its own colour,
so nothing needs to know which games there are. Free of Kivy.
"""

from __future__ import annotations

import colorsys
import logging
import zlib
from dataclasses import dataclass
from importlib.resources import files

from rules.box.box import Colour
from rules.core import GameError
from rules.declared import read, toml

log = logging.getLogger(__name__)

WIDTH, HEIGHT = 240.0, 150.0
"""The canvas of every cover, origin at the lower left; what is drawn beyond it is cut off, and the
rim may be, too."""


class CoverError(GameError):
    """A file of a cover that holds none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One shape; exactly one of the kinds is given."""

    fill: Colour = "#000000"
    fills: tuple[Colour, ...] = ()
    """Colours in turn, for ``wheel`` and ``discs``."""
    width: float = 1.0
    """Width of a ``line``."""
    at: tuple[float, float] = (0.0, 0.0)
    size: float = 20.0
    """Height of a ``text``'s letters; ``at`` is its middle."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """The front of a box besides the name and the number of players."""

    sky: tuple[Colour, Colour]
    """Colour at the top and at the bottom."""
    shapes: tuple[Shape, ...]
    """Drawn one after the other."""
    minutes: int = 0
    """Length of a match, roughly, minutes; 0: unknown."""
    age: int = 0
    """Age of the youngest players; 0: unknown."""


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
    with toml(text, name, CoverError) as data:
        return read(Cover, data)


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
