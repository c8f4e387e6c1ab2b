"""Pieces on a table: as the rules want them, and as a camera believes them to lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from rules.core.moves import Move


class Item(NamedTuple):
    """A piece or card at a site, as the rules want it to lie."""

    site: str
    kind: str
    """A kind of the box: what the camera can tell apart. Face down: what the back shows."""
    owner: int | None = None
    level: int = 0
    """Place in a stack, 0 at the bottom."""
    pose: str = ""
    """``standing``/``lying``, ``cw``/``ccw`` …, empty where the box knows one pose only."""
    face: str = "up"
    seen: bool = True
    """False for what a camera above cannot see: lower stack members, deck contents."""


Layout = Counter[Item]
"""The pieces that must lie at each site, according to the rules."""


Board = Mapping[str, tuple[tuple[str, str], ...]]
"""The pieces that a camera believes in: per site the kind and pose of all it sees, sorted."""


Boards = Mapping[str, Collection[tuple[tuple[str, str], ...]]]
"""A ``Board`` with all that the picture leaves open per site; without the sites of which it says
nothing."""


@lru_cache(maxsize=1 << 14)
def lacking(part: tuple[tuple[str, str], ...], whole: tuple[tuple[str, str], ...]) -> int:
    """Number of things of ``part`` that ``whole`` lacks; ``Board`` has such looks of a site."""
    return (Counter(part) - Counter(whole)).total()


class Lies(Enum):
    """Time for which a thing may lie otherwise than the rules want it."""

    FOR_NOW = "for now"
    """Hands put it right, or move it on."""
    FOR_GOOD = "for good"
    """Until something else is due there, such as the card on top of a packet."""
    UNTOLD = "untold"
    """Until people say or show what it comes from."""
    BEGUN = "begun"
    """It begins a move, such as a piece lifted: the rest is waited for, unless moves explain it."""
    UNJUDGED = "unjudged"
    """It is not right, but nobody is accused: hands may have something legal still to end."""

    @property
    def right(self) -> bool:
        """True if nothing is wanted of anybody because of it alone."""
        return self not in (Lies.BEGUN, Lies.UNJUDGED)


class Belief(Protocol):
    """A camera's doubt about one site."""

    @property
    def looks(self) -> Mapping[Any, float]:
        """Natural-log likelihood per look (kind and pose of everything there, sorted); only the
        plausible looks are listed."""

    @property
    def best(self) -> Any:
        """The likeliest look."""

    def score(self, look: Any) -> float:
        """Natural-log likelihood of the picture if ``look`` lay there."""


class Thought(NamedTuple):
    """A move that may have been made."""

    move: Move
    against: float = 0.0
    """Odds against it besides the picture (natural logarithm)."""
    guessed: bool = False
    """True if it is only one of more that may have happened than a question can hold, and the
    picture does not tell which, such as a purchase that lies below other cards. What follows can
    be understood with it, but it is never asked about nor taken for granted: people say it."""
    covered: bool = False
    """True if it may be inferred from what follows: it leaves no trace, or later steps of the same
    turn may cover it. Each of these is followed up."""
    seconds: float | None = None
    """The least time that hands need for it; None: half a second if it shows, a whole one without a
    trace, since a card that is turned and turned back takes longer than a piece put down, and none
    for ``done``."""


class Run(NamedTuple):
    """One run of moves that may have led to what lies on the table."""

    moves: tuple[Move, ...]
    """Its moves, without the draws that follow automatically."""
    cost: float
    """Cost of its steps (natural-log odds against the ordinary), whatever the picture says."""
    sure: int = 0
    """Number of its first moves that show by themselves, whatever followed them."""
    complete: bool = True
    """False if it explains nothing unless something follows."""
    guessed: bool = False
    """True if cards in it stand for more others than people can be asked about."""
    unseen: int = 0
    """Number of its cards that nobody saw."""


class Runs(NamedTuple):
    """All that a game can think of to explain a picture."""

    found: Sequence[Run] | None = None
    """Runs with different results, the likeliest for each; None if runs that show are to be sought
    move by move."""
    all_tried: bool = True
    """False if there was more to try than time for it."""
    unseen: Iterable[Run] = ()
    """Runs of which nothing shows there, such as a turn that was cleared away, the likeliest first.
    They are never recorded unasked: where the table waits for people, the first of them are offered
    as answers."""


class Pile(NamedTuple):
    """A pile of equal cards from which players gain."""

    kind: str
    left: int
    group: str
    """``treasure``, ``victory``, ``curse``, ``attack``, ``reaction``, ``action``: how it looks."""
    scarce: bool
    """True if it runs out soon, and the match ends with it."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries of players where nothing is watched and the program is not played on.

    Entries are the legal moves ``gain KIND`` and ``trash KIND`` for the player to move, with the
    seat before the kind (``gain p1 curse``) for another player; ``take KIND`` is out of the trash.
    """

    piles: tuple[Pile, ...]
    """The piles as they are to be shown, row by row."""
    owned: tuple[Mapping[str, int], ...]
    """By seat: the number of cards of each kind."""
    trash: int
    """Number of cards in the trash."""
    entered: tuple[Move, ...]
    """Moves entered in this turn."""
    likely: tuple[Move, ...]
    """Likely entries of this turn beside gains, by what its player owns; the likeliest first."""
    verbs: tuple[str, str]
    """Verbs of the entries of one card more, and of one fewer: ``gain`` and ``trash``; ``count``
    and ``uncount`` where only the cards owned at the end are counted."""
    others: str
    """The first or the second of ``verbs``: what is more likely for other players in this turn;
    empty: nothing can be entered for them."""
