"""Where a play screen leads. Free of Kivy: whoever builds the screen names its ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.match.hands import Hand

__all__ = ["Ways"]


@dataclass(frozen=True, slots=True)
class Ways:
    """Where a play screen leads; what is None is not offered."""

    leave: Callable[[], None] | None = None
    """Back to the shelf."""
    again: Callable[[], None] | None = None
    """A new match of the same game."""
    language: Callable[[], None] | None = None
    theme: Callable[[], None] | None = None
    """Both switch it everywhere."""
    table_setup: Callable[[], None] | None = None
    workshop: Callable[[], None] | None = None
    page: Callable[[str], None] | None = None
    """Opens this page of the workshop."""
    review: Callable[[str], None] | None = None
    """Look back at the match with this id."""
    export: Callable[[str], Path] | None = None
    """Writes a match and gives the file. Raises JournalError."""
    moment: Callable[[], str] | None = None
    """Keeps what is seen and believed now and gives what went wrong, or nothing."""
    hand: Callable[[int], Hand] | None = None
    """What only the player on a seat may see."""
