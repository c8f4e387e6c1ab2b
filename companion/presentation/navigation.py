"""Destinations of the touches of a play screen, named by the builder of the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.camera.counting import CardWatch
    from companion.match.private_view import Hand
    from companion.match.view import Intent
    from companion.presentation.choosing import Tile
    from companion.presentation.phones import Phones

__all__ = ["DeskWays", "Touches", "Ways"]


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
    export: Callable[[str], None] | None = None
    """Take the match with this id along."""
    moment: Callable[[], str] | None = None
    """Saves what is seen and believed now and returns what went wrong, or nothing."""
    cards: Callable[[str], CardWatch] | None = None
    """Counts cards of this box below the camera; None without one."""
    hand: Callable[[int], Hand] | None = None
    """What only the player on a seat may see."""
    phones: Phones | None = None
    """The players' phones."""
    open_phones: Callable[[], None] | None = None
    """The page with their codes."""


@dataclass(frozen=True, slots=True)
class DeskWays:
    """What touches of a desk do: a surface that takes the place of board and words.

    What is None is not offered.
    """

    post: Callable[[Intent], None]
    open_menu: Callable[[], None]
    open_troubles: Callable[[], None]
    cards: Callable[[str], CardWatch] | None = None
    """Counts the cards of a box below the camera; None without one."""
    hand: Callable[[int], Hand] | None = None
    """What only the player on a seat may see."""
    cover: Callable[[], None] | None = None
    """Hides what is one player's secret until they say again that they are alone."""
    covered: Callable[[], bool] = lambda: False
    """Whether it is hidden now."""
    uncover: Callable[[], None] | None = None
    """The player asked says that they are alone."""
    on_phone: Callable[[], bool] = lambda: False
    """Whether the player asked decides on a phone."""
    choose_here: Callable[[], None] | None = None
    """They decide on this screen instead."""
    phone_asks: Callable[[], Callable[[], None] | None] = lambda: None
    """What opens the question about a phone that waits for a seat; None if none does."""


@dataclass(frozen=True, slots=True)
class Touches:
    """What touches on the words beside the board do; what is None is not offered."""

    post: Callable[[Intent], None]
    pick_kind: Callable[[str], None]
    """A piece in front of a player was touched: its kind."""
    touch_tile: Callable[[Tile], None]
    uncover: Callable[[], None]
    """The player is alone with the secret moves."""
    choose_here: Callable[[], None]
    """The player decides on this screen, although they have a phone."""
    again: Callable[[], None] | None
    """A new match is wanted; None: nobody plays one here."""
    open_rule: Callable[[str], None]
    open_moves: Callable[[], None]
    open_picker: Callable[[], None]
    """Cards are to be chosen."""
    touch_card: Callable[[str], None]
    """A card of the hand beside the board was touched."""
    choose_kind: Callable[[str], None]
    """The places of this kind are touched next."""
    say_part: Callable[[str], None]
    """What was said besides the cards that were chosen there."""
    open_chart: Callable[[], None]
    review: Callable[[], None] | None
    export: Callable[[], None] | None
