"""The contents of a box: the board, every site on it, the pieces, and the drawing of the board.

Millimetres are board coordinates: origin at the board's centre, x to the right, y away from the
reader (up), z above the board.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Final

from rules.box.lattice import Lattice, cell_of
from rules.core import GameError
from rules.declared import NAME, Between, Fits, Kind

LONGEST_MM: Final = 10_000
"""No table is larger."""
MOST: Final = 10_000
"""No box holds more of anything."""
SHAPES: Final = ("disc", "octagon", "hexagon", "box", "pawn", "bar", "arch", "card", "die")
"""Shapes of pieces that screen, printer and camera know."""
STROKES: Final = ("line", "polygon", "circle", "text")
"""Kinds of strokes."""
SURFACES: Final = ("wood", "stone", "felt", "hollow")
"""Surfaces of boards and places on the screen; a ``hollow`` is dark and holds a piece."""
WEIGHTS: Final = ("strong", "faint")
"""Weights of strokes on the screen."""
POSES: Final = ("standing", "lying", "cw", "ccw")
"""Poses that the camera can tell apart."""
DIE: Final = "die"
"""The shape of dice."""
FACES: Final = ("1", "2", "3", "4", "5", "6")
"""Faces of a die with pips."""
TRAY: Final = "tray"
"""The kind of sites in which thrown dice lie as they like. What lies there says something only
while a throw is due."""
PLAYER_COLOURS: Final = {
    "white": "#ECE7D8",
    "blue": "#2D69C0",
    "green": "#419E45",
    "yellow": "#E9C03B",
    "red": "#CE3A27",
    "black": "#0D0C0B",
    "brown": "#AB6033",
    "grey": "#8E979E",
}
"""Colours that print has a pattern for, as people see them before their eyes when they hear the
names; a site may have one without the box naming its tone."""

# Limits on the values of a file.
Number = Annotated[
    float, Kind("kind_length"),
    Fits("wants_length", lambda n: -LONGEST_MM <= n <= LONGEST_MM, most=LONGEST_MM),
]  # fmt: skip
"""Millimetres that fit on a table; not infinity either."""
Length = Annotated[Number, Fits("wants_length_above", lambda n: n > 0)]
Extent = Annotated[Number, Fits("wants_length_from", lambda n: n >= 0)]
Point = Annotated[tuple[Number, Number], Kind("kind_point")]
CellOf = Annotated[tuple[int, int], Kind("kind_cell")]
Size = Annotated[
    tuple[Number, Number], Kind("kind_size"), Fits("wants_lengths", lambda s: min(s) > 0)
]
Count = Annotated[int, Between(0, MOST)]
NumberOf = Annotated[int, Between(1, MOST)]
Colour = Annotated[
    str, Kind("kind_colour"), Fits("wants_colour", re.compile("#[0-9a-fA-F]{6}").fullmatch)
]
Word = Annotated[str, Kind("kind_word"), Fits("wants_word", re.compile(r"\S+").fullmatch)]
"""It stands in the texts of moves."""
Shape = Annotated[str, Fits("wants_among", SHAPES.__contains__, known=SHAPES)]
Pose = Annotated[str, Fits("wants_among", POSES.__contains__, known=POSES)]
StrokeKind = Annotated[str, Fits("wants_among", STROKES.__contains__, known=STROKES)]
Surface = Annotated[str, Fits("wants_among", SURFACES.__contains__, known=SURFACES)]
Weight = Annotated[str, Fits("wants_among", WEIGHTS.__contains__, known=WEIGHTS)]

SUPPLY_KINDS = ("pile", "player area", "hand", "captured")
"""Kinds of sites where, beside the board, spare pieces and cards may wait, and pieces that were
taken."""


class BoxError(GameError):
    """A box file is wrong; the message names file, key and reason."""


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner sticker on the board, flat and upright."""

    id: Count
    at: Point
    """Centre in mm."""
    size: Length
    """Side of the black square in mm."""
    covers: bool = False
    """True if it lies on a board that was printed without it: it may cover places, of which then
    nothing is known, and reach beyond the edge."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place where something can lie."""

    id: str
    kind: str
    """The games' word for it: ``field``, ``line end``, ``pit``, ``pile`` …"""
    at: Point
    """Centre in mm."""
    radius: float
    """Pieces whose foot lies within this many mm of ``at`` belong to the site (circles)."""
    size: Point | None
    """Width and height in mm of a rectangular site; None for a round one."""
    takes: tuple[str, ...]
    """Groups of pieces that can lie here."""
    room: int
    """Number of pieces that can be seen here side by side."""
    label: str
    colour: str
    """A colour name of the box (field colours …) or empty."""
    neighbours: tuple[str, ...]
    games: tuple[str, ...] = ()
    """Ids of the games that use the site; empty if every game of the box does."""
    drawn_radius: float | None = None
    """Radius in mm with which a round site is drawn, if that is not ``radius``; 0: not at all."""
    one_way: tuple[str, ...] = ()
    """Neighbours from which no way leads back."""
    printed: bool = True
    """True if the board shows it; places beside the board or of one game only are not drawn."""
    otherwise: tuple[tuple[str, Site], ...] = ()
    """Games in which the site lies elsewhere or has other room, each with how it is there."""
    heap: int = 0
    """Most pieces of a heap: they lie within the site as they like, beside and on each other, so
    that of those beyond ``room`` none need be seen. 0: it is no heap."""

    @property
    def drawn(self) -> float:
        """Radius in mm with which a round site is drawn; pieces belong to it within ``radius``."""
        return self.radius if self.drawn_radius is None else self.drawn_radius

    @property
    def shows(self) -> bool:
        """True if it is drawn as a place of its own, and not by strokes alone."""
        return self.drawn_radius != 0

    @property
    def reach(self) -> Point:
        """Half its width and half its height, mm."""
        return (self.radius, self.radius) if self.size is None else (
            self.size[0] / 2, self.size[1] / 2
        )  # fmt: skip

    def holds(self, at: Point, slack: float = 0.0) -> bool:
        """True if a foot at ``at`` (mm) belongs to the site; ``slack`` mm are added all round."""
        dx, dy = at[0] - self.at[0], at[1] - self.at[1]
        if self.size is None:
            return dx * dx + dy * dy <= (self.radius + slack) ** 2
        return abs(dx) <= self.size[0] / 2 + slack and abs(dy) <= self.size[1] / 2 + slack


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceKind:
    """Pieces that the camera cannot and need not tell apart."""

    id: Annotated[str, NAME]
    group: str
    """Group of the piece: ``stone``, ``megalith``, ``disc``, ``card`` …; sites take groups."""
    owner: str = ""
    """Colour of the player it belongs to, or empty."""
    sign: str = ""
    """Name of the colour whose sign it bears, if that is not its owner's."""
    stickers: tuple[Count, ...] = ()
    """Sticker ids; several identical pieces may carry the same id."""
    sticker_mm: Length = 0.0
    """Side of the sticker's black square."""
    height: Extent = 0.0
    """Height of the sticker above the board in mm."""
    shape: Shape
    """One of ``SHAPES``."""
    size: Size
    """Footprint in mm (diameter twice for a disc)."""
    colour: Colour
    """Body colour, ``#rrggbb``."""
    mark: str = ""
    """Print on it for people: a value, a letter; may be empty."""
    poses: tuple[Pose, ...] = ()
    count: Count
    """Number of them in the box."""
    back: str = ""
    """Kind that is seen when the piece lies face down; empty if it never does."""
    lying_stickers: tuple[Count, ...] = ()
    """Sticker ids on the side facing up while the piece is lying; empty if it has none there."""
    turns: bool = False
    """True if the rules tell its turn on a lattice: its poses are ``0``, ``1`` …, and it bears an
    arrow that points to the right in the first."""
    cells: tuple[CellOf, ...] = ()
    """Cells of a lattice that it covers, column and row from that of its sticker, if they are more
    than one: ``size`` is that of a cell, and its poses are turns (``rules.box.spread``)."""
    faces: tuple[str, ...] = ()
    """Faces of a die, which are its poses; its stickers, if it has any, are on them in this order.
    """
    pips: Colour = ""
    """Colour of a die's pips or letters, ``#rrggbb``."""

    @property
    def tells_turn(self) -> bool:
        """True if its poses are its turns on a lattice."""
        return bool(self.poses) and (self.turns or bool(self.cells))

    @property
    def is_die(self) -> bool:
        """True if it is a die, which shows one of its faces."""
        return self.shape == DIE

    def face_of(self, sticker: int) -> str:
        """The face that carries a sticker of a die."""
        return self.faces[self.stickers.index(sticker)]

    @property
    def signed(self) -> str:
        """Name of the colour whose sign it bears; may be empty."""
        return self.sign or self.owner


@dataclass(frozen=True, slots=True)
class Stroke:
    """One element of the board's drawing, below the sites."""

    kind: StrokeKind
    """``line``, ``polygon``, ``circle`` or ``text``."""
    role: str
    """Its role, such as ``ley line``: a name for the artist of a printed board of this box."""
    points: tuple[Point, ...]
    """Corners in mm; circle and text: the centre."""
    colour: Colour
    """Colour in print and before the camera, ``#rrggbb``."""
    width: Extent = 0.0
    """Line width, circle radius or letter height in mm; 0 fills a polygon."""
    text: str = ""
    sites: tuple[str, ...] = ()
    """The sites it belongs to, e.g. all fields of a ley line and its end."""
    weight: Weight = "strong"
    """Weight on the screen, whose ground is not the board's: ``strong``, as wide as it is and as
    clear in both themes, for lines that are the board; ``faint`` for what adorns it. Print and
    camera have it in ``colour`` and full width either way."""


@dataclass(frozen=True, eq=False)
class Box:
    """The physical material of one or several games; equal to itself only, so that what was made
    for one can be kept."""

    id: str
    names: Mapping[str, str]
    """Title by language."""
    size: Point
    """Board width and height in mm."""
    dictionary: str
    """Name of the sticker dictionary, as OpenCV calls it."""
    colours: Mapping[str, str]
    """``board``, ``table`` and per site kind: colours in print and before the camera."""
    corners: tuple[Corner, ...]
    sites: Mapping[str, Site]
    kinds: Mapping[str, PieceKind]
    strokes: tuple[Stroke, ...]
    site_order: tuple[str, ...] = field(default=())
    printed_sites: tuple[Site, ...] = field(default=())
    """Every site that the board shows, whether the game on it uses that site or not."""
    surfaces: Mapping[str, str] = field(default_factory=dict)
    """``board``, kinds of sites and roles of strokes: their surfaces on the screen."""
    portrait: str = ""
    """Path of a picture of the bare board from above, corner to corner, where the board is not the
    one that is drawn here; else empty."""
    outline: tuple[Point, ...] = ()
    """The four corners of the board, mm, clockwise from the upper left, where its corner stickers
    lie beside it: what is beyond is table. Empty: all of ``size`` is board."""

    lattice: Lattice | None = None
    """The cells among its sites that need not lie anywhere yet; see ``rules.box.windows``."""

    @property
    def is_board(self) -> bool:
        """True if there is a board at all; games that are only entered need none."""
        return bool(self.corners)

    @cached_property
    def rim(self) -> tuple[Point, ...]:
        """The corners of what is board, mm, clockwise from the upper left; convex."""
        x, y = self.size[0] / 2, self.size[1] / 2
        return self.outline or ((-x, y), (x, y), (x, -y), (-x, -y))

    def is_on_board(self, at: Point) -> bool:
        """True if a point (mm) lies on the board and not beside it."""
        return all(
            (b[0] - a[0]) * (at[1] - a[1]) <= (b[1] - a[1]) * (at[0] - a[0])
            for a, b in zip(self.rim, (*self.rim[1:], self.rim[0]), strict=True)
        )

    @cached_property
    def kind_of_sticker(self) -> Mapping[int, PieceKind]:
        """The piece kind that carries each sticker id."""
        return {
            sticker: kind
            for kind in self.kinds.values()
            for sticker in (*kind.stickers, *kind.lying_stickers)
        }

    @cached_property
    def kinds_of_group(self) -> Mapping[str, tuple[PieceKind, ...]]:
        """Piece kinds by group."""
        groups: dict[str, list[PieceKind]] = {}
        for kind in self.kinds.values():
            groups.setdefault(kind.group, []).append(kind)
        return {group: tuple(kinds) for group, kinds in groups.items()}

    def for_game(self, game: str) -> Box:
        """The box with only those sites that a game uses, so that no two of them overlap, and as
        that game uses them; the same one whenever it is asked for."""
        if game not in self._for_games:
            sites = {
                name: dict(site.otherwise).get(game, site)
                for name, site in self.sites.items()
                if not site.games or game in site.games
            }
            self._for_games[game] = self if sites == self.sites else replace(self, sites=sites)
        return self._for_games[game]

    def without_stickers(self, names: Collection[str]) -> Box:
        """The box with pieces as they come from a shop: those of the kinds and groups ``names``
        carry no stickers; ``*`` is all of them."""

        def bare(kind: PieceKind) -> bool:
            return not {"*", kind.id, kind.group}.isdisjoint(names)

        kinds = {
            name: replace(kind, stickers=(), lying_stickers=()) if bare(kind) else kind
            for name, kind in self.kinds.items()
        }
        return self if kinds == self.kinds else replace(self, kinds=kinds)

    @cached_property
    def _for_games(self) -> dict[str, Box]:
        """Results of ``for_game``: eyes, screens and drawings keep much for each box."""
        return {}

    def colour_of(self, site: Site) -> str:
        """The colour ``#rrggbb`` in which a printed site is filled; empty if the box has none."""
        if site.colour.startswith("#"):
            return site.colour
        own = self.colours.get(site.colour) or PLAYER_COLOURS.get(site.colour)
        return own or self.colours.get(site.kind, "")

    def kinds_at(self, site: str) -> tuple[PieceKind, ...]:
        """Piece kinds that can lie at ``site``."""
        return tuple(
            kind for group in self.sites[site].takes for kind in self.kinds_of_group.get(group, ())
        )

    def is_beside_board(self, site: Site) -> bool:
        """True if a site is beside the board, where supplies lie about too."""
        return not site.printed and not self.is_on_board(site.at)

    def keeps_supplies(self, site: Site) -> bool:
        """True if spare pieces and cards may wait at a site; few games say which."""
        return site.kind in SUPPLY_KINDS and self.is_beside_board(site)

    @cached_property
    def must_be_seen(self) -> tuple[Site, ...]:
        """The places where something is laid that is no supply. The cells of a lattice lie on the
        board, wherever they are counted."""
        return tuple(
            site
            for site in self.sites.values()
            if site.takes
            and not self.keeps_supplies(site)
            and (self.lattice is None or cell_of(site.id) is None)
        )

    @cached_property
    def in_view(self) -> tuple[Point, Point]:
        """The lower left and the upper right of what a camera must see, mm: the board, and the
        places beside it that ``must_be_seen``."""
        half = (self.size[0] / 2, self.size[1] / 2)
        low, high = [-half[0], -half[1]], list(half)
        for site in self.must_be_seen:
            for axis, far in enumerate(site.reach):
                low[axis] = min(low[axis], site.at[axis] - far)
                high[axis] = max(high[axis], site.at[axis] + far)
        return (low[0], low[1]), (high[0], high[1])

    def site_at(self, at: Point, group: str | None = None, slack: float = 0.0) -> Site | None:
        """The site a foot at ``at`` (mm) belongs to, the nearest of several, or None."""
        found = [
            site
            for site in self.sites.values()
            if (group is None or group in site.takes) and site.holds(at, slack)
        ]
        return min(
            found,
            key=lambda s: (s.at[0] - at[0]) ** 2 + (s.at[1] - at[1]) ** 2,
            default=None,
        )
