"""Where touches of the shelf and of the list of open matches lead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["OpenWays", "ShelfWays"]


@dataclass(frozen=True, slots=True)
class ShelfWays:
    """Where the shelf leads."""

    choose: Callable[[str], None]
    """A game was taken from the shelf."""
    open_matches: Callable[[], None]
    """The matches that can be taken up again."""
    records: Callable[[], None]
    workshop: Callable[[], None]
    notices: Callable[[], None]
    """What players should know before they play on."""
    language: Callable[[], None]
    theme: Callable[[], None]
    """Both switch it everywhere."""
    lessons: Callable[[str], None] | None = None
    """The first steps of a game; None: there are none."""
    virtual: Callable[[], None] | None = None
    """The virtual table; None: it is not offered."""


@dataclass(frozen=True, slots=True)
class OpenWays:
    """Where the list of open matches leads; each but ``shelf`` gets the id of a match."""

    resume: Callable[[str], None]
    review: Callable[[str], None]
    give_up: Callable[[str], None]
    shelf: Callable[[], None]
    """A new match is wanted, or nothing is open any more."""
