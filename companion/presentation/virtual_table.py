"""A virtual table in a window: what is seen of it, and what fingers ask of it.

Places in the camera's picture are shares of it, 0 to 1, from the left and the top.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rules.box import PieceKind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from companion.match.session import Session


@dataclass(frozen=True, slots=True)
class Lift:
    """A finger came down at this place of the picture."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Carry:
    """The finger moved to this place."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Drop:
    """The finger left the picture from this place."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Take:
    """A finger takes a piece from the supply and comes to this place with it."""

    kind: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PutAway:
    """The finger brought the piece to the supply."""

    tapped: bool = False
    """True if it never left the supply: the piece is to be turned there."""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """A new match is wanted."""


@dataclass(frozen=True, slots=True)
class LayOut:
    """All pieces are to be laid as the record says."""


Gesture = Lift | Carry | Drop | Take | PutAway
Asked = Gesture | LayOut | PlayAgain


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp that shines beside a site."""

    x: float
    y: float
    """Middle of the site."""
    radius: float
    """Radius of the ring of light, as a share of the picture's width."""
    colour: tuple[float, float, float, float]
    """The light itself: red, green, blue and strength, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Stock:
    """Pieces of one kind that wait beside the board."""

    kind: PieceKind
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """The table and its devices at one moment."""

    number: int
    """Number of the camera's picture, counted from 0; -1 before the first."""
    picture: npt.NDArray[np.uint8] | None
    """Height × width × 3, BGR; None before the first."""
    stock: tuple[Stock, ...]
    """Pieces out of the camera's sight, those that can be played now first."""
    turns: bool
    """True if a tap changes any piece."""
    display: tuple[str, ...]
    """Rows of the score display."""
    lamps: tuple[Lamp, ...]


@dataclass(frozen=True, slots=True)
class TableSide:
    """The way from the window to the owner of the table. No call waits for anything."""

    start: Callable[[], None]
    """Called once, when the window is up."""
    glimpse: Callable[[], Glimpse]
    ask: Callable[[Asked], None]
    speak: Callable[[str], None]
    """The devices speak this language from now on."""
    show_faces: Callable[[bool], None]
    """Shows people the pieces' own faces, or their stickers."""
    close: Callable[[], None]
    """Called when the window is closed."""


class TableWindow(Protocol):
    """The window of a table; its owner calls these from another thread, but ``watch`` and the
    others only through ``soon``."""

    def soon(self, do: Callable[[], None], /) -> None:
        """Do something in the window's thread; returns at once."""

    def watch(self, session: Session, /) -> None:
        """Show this session's table from now on."""

    def hand_over(self) -> None:
        """People may drag pieces now."""

    def stop(self) -> None:
        """The table is gone."""
