"""What the page for boards of one's own needs; ``companion.workshop.board_desk`` implements it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from companion.boards.draft import BoardDraft
    from companion.boards.mapping import Fault, Mapping
    from rules.box import Box

__all__ = ["Aside", "BoardDesk", "BoardLook"]


@dataclass(frozen=True, slots=True)
class BoardLook:
    """A board seen from straight above."""

    picture: npt.NDArray[np.uint8] | None
    """Height × width × 3, blue-green-red; None if there is none."""
    board: Box | None
    """The box with its corner stickers as they lie there."""
    trouble: str = ""
    """Why there is no picture and what to do, as a sentence."""
    portrait: bytes = b""
    """The picture as a JPEG file."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Work that was left without saving it."""

    game: str
    look: BoardLook
    work: Mapping | BoardDraft


class BoardDesk(Protocol):
    """Mapping boards and drawing those of other editions."""

    aside: Aside | None
    """What was left last, to be taken up again; None if there is nothing."""

    def mapped(self, game: str) -> bool:
        """Whether a board of one's own is used for the game's box."""

    def mapping(self, game: str) -> Mapping:
        """Where the fields of the game lie, to be changed."""

    def files(self) -> Sequence[str]:
        """Names of the pictures that wait in the folder for them."""

    def look(self, game: str, file: str = "") -> BoardLook:
        """The board from above: as the camera sees it now, or in a file."""

    def keep(self, mapping: Mapping, look: BoardLook) -> str:
        """Use the board from now on, with the look it has there.

        Gives what went wrong, as a sentence, or nothing.
        """

    def forget(self, game: str) -> str:
        """Use the printed board again; gives what went wrong, or nothing."""

    def can_draw(self, game: str) -> bool:
        """Whether the game has boards of other editions, with circles of their own."""

    def draft(self, game: str, board: Box | None, *, empty: bool) -> BoardDraft:
        """A board to be drawn, from nothing or from the game's board."""

    def drawn(self) -> Sequence[str]:
        """Ids of the games on boards that were drawn."""

    def board_name(self, draft: BoardDraft) -> str:
        """What a drawn board is called if nobody says otherwise."""

    def keep_drawn(self, draft: BoardDraft, look: BoardLook) -> str:
        """Put a drawn board on the shelf; gives what went wrong, or nothing."""

    def forget_drawn(self, game: str) -> str:
        """Take it from the shelf; matches that were played on it keep theirs."""

    def sentence(self, fault: Fault) -> str:
        """What is wrong and what to do."""
