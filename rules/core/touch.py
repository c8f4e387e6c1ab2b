"""Questions of a screen: the usual next move, news that all must see first, things that are built
before a match, and cards for sale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic

from rules.core.market import Market, SupplyPile
from rules.core.matches import Build, Options
from rules.core.moves import Move, Param
from rules.core.pad import Pad
from rules.core.pictures import Picture
from rules.core.state import S


@dataclass(frozen=True, slots=True)
class Result:
    """News from a move, to be seen by everybody before the next decision.

    The sentences are in the section ``results`` of the game's texts: title, text, and in ``do`` the
    word on the key that puts it away.
    """

    code: str
    """Key of the sentences."""
    good: bool = True
    """True if it is what the player hoped for."""
    kind: str = ""
    """The card or piece to be drawn large, a kind of the box; empty: nothing is."""
    site: str = ""
    """Site where it lies, to be marked on the board; empty: none."""
    params: tuple[tuple[str, Param], ...] = ()
    facts: tuple[tuple[str, Param], ...] = ()
    """Figures and names worth a look of their own, in the order of importance, at most two: key of
    a label in the section ``facts`` of the texts, and the value."""
    goes_on: bool = False
    """True if the same player goes on at once, so touching what comes next puts it away too."""
    note: str = ""
    """A word of the game that stands on the drawing too, such as the colour of a card."""
    beside: tuple[tuple[str, str], ...] = ()
    """Other things that lie open with it: sites and kinds."""


@dataclass(frozen=True, slots=True)
class Call:
    """Something that every output tells while it applies, such as that a pile is to be shuffled.

    Its words are in the section ``calls`` of the texts, by its code: ``title``, ``do`` in two
    words, and ``short`` where ``do`` is too long for the narrowest display.
    """

    code: str
    """Key of the words."""
    seats: tuple[int, ...]
    """Seats that are called, in the texts ``{players}``."""
    sites: tuple[str, ...] = ()
    """Sites that it is about; without any it is about the whole board."""
    hands: bool = True
    """True if hands must do something now; False: it is only to be known, and told calmly."""
    sign: str = "↻"
    """Its sign at the head of a screen, one of those that have an icon."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Pieces that people have laid openly, in any order, and now enter on a screen: a kind is
    chosen, then the places where it lies are touched.

    The words are in the section ``spread`` of the game's texts, by the code of the prompt.
    """

    moves: Mapping[str, Mapping[str, Move]]
    """By site, in the order in which the record takes them, and by kind of the box: the move that
    says that it lies there."""
    sets: tuple[frozenset[str], ...]
    """Each site is in one set, and in a set every kind that may lie there lies once."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Consequence of a move, told before it is made: a sentence of the section ``outlooks``."""

    code: str
    params: tuple[tuple[str, Param], ...] = ()


class Touch(Generic[S]):
    """Answers to what a screen asks of a game besides its rules. Every default is right for a game
    whose moves can all be told by touching places."""

    private: ClassVar[frozenset[str] | None] = None
    """Codes of the prompts whose answers come from what only the player asked may know, such as a
    hand: no other player may look at the screen then. None: every prompt of a seat that knows more
    than the public."""

    beside: ClassVar[frozenset[str]] = frozenset()
    """Places beside the board, such as piles of cards, on which something will lie sooner or later:
    a screen leaves room for them from the start, so that the board never moves."""

    signs: ClassVar[Mapping[str, str]] = {"done": "✓"}
    """A sign by verb, for moves after which nothing on the table looks different."""

    def build(self, options: Options) -> Build | None:
        """A drawing of what is built before the match, by its options; None: see the layout."""
        return None

    def stands_for(self, option: str, value: str) -> Sequence[str]:
        """Kinds of the box that a value of an option puts on the table, such as the cards of a set;
        empty: it is about something else."""
        return ()

    def stock(self, kinds: Sequence[str], players: int) -> Sequence[SupplyPile]:
        """The cards ``kinds`` as they are for sale before the match, where an option of the game
        may name some of them (``Choice``), in the order in which they are shown."""
        return ()

    def usual(self, state: S, moves: Sequence[Move]) -> Move | None:
        """The move of a player among the legal ``moves`` that most people make now, if its key is
        to be the yellow one; None if there is no such.

        Never one that costs something or leaves something undone, such as ending a turn before it
        has begun. By default the only move there is.
        """
        return moves[0] if len(moves) == 1 and moves[0].player is not None else None

    def may_deal(self, state: S) -> bool:
        """True if the program may draw what is to be drawn now, also with real pieces: everybody
        may see it, and nothing hidden lies otherwise than if people had drawn it themselves. By
        default it may throw dice."""
        return state.throw() is not None

    def spread(self, state: S) -> Spread | None:
        """The pieces laid openly that are to be entered, if that is asked now."""
        return None

    def result(self, before: S, move: Move, after: S) -> Result | None:
        """The news from ``move``, if everybody must see it before play goes on."""
        return None

    def calls(self, before: S, move: Move, after: S) -> Sequence[Call]:
        """Things that hands must do because of ``move``, told until the next decision."""
        return ()

    def market(self, state: S) -> Market | None:
        """Cards for sale, in games that are about buying them; public knowledge only."""
        return None

    def pad(self, state: S) -> Pad | None:
        """The sheet on which numbers are entered, in games that are about keeping score; public
        knowledge only."""
        return None

    def worth(self, owned: Mapping[str, int]) -> Mapping[str, int]:
        """Points for each kind of cards, if these are all that a player owns (kind → number); what
        scores nothing is left out. For games that are counted at the end, see
        ``Game.ledger_option``."""
        return {}

    def pictures(self) -> Mapping[str, Picture]:
        """Little pictures of cards, by kind; empty if there are none."""
        return {}

    def outlook(self, state: S, move: Move) -> Outlook | None:
        """Consequence of a legal ``move``, as far as its player knows it; None: its own words tell
        enough."""
        return None

    def places(self, state: S, move: Move) -> tuple[str, ...]:
        """Sites that are touched, one after the other, to say a legal ``move`` that does not name
        them itself: what is taken up, where it goes. Empty: its own words tell, or nothing does."""
        return ()

    def standing(self, state: S, seat: int) -> tuple[str, ...]:
        """Sites side by side, in their order, whose pieces are the points of a player's side now;
        empty: points are made otherwise."""
        return ()

    def way(self, state: S, move: Move) -> tuple[str, ...]:
        """Sites that one piece passes by ``move``, from its own to where it ends; empty if none of
        the board moves, or it is no news."""
        return ()
