"""The view of a table for screens and other listeners, and the intents they may send.

Views are frozen, and split by reader: a ``MatchView`` is for everybody, a ``PlayView`` for whoever
is asked, and a ``TableView`` for the table's own screen and devices; the session sends a new one
whenever something changed. An *intent* is what a tap, a key or a button asks for; the session
decides what becomes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from companion.match.hands import keeps_secrets
from companion.match.lookahead import MoveLookahead
from companion.match.state import Heard, LastTurn, MachineNote, TableState
from companion.settings.clocks import ClockPlan
from companion.settings.enforcement import Enforcement
from rules.core import (
    Actor,
    Call,
    Item,
    Ledger,
    Market,
    Move,
    Objection,
    Options,
    Outcome,
    Pad,
    Prompt,
    Result,
    Spread,
    State,
    Throw,
)
from rules.errors import Sentence

if TYPE_CHECKING:
    # Screens and listeners are loaded without what reads a table.
    from companion.journal.entries import Header
    from companion.journal.events import Source
    from rules.match import Match
    from rules.players.player import Choice, Reason
    from rules.reading.reading import Candidate, Fix

__all__ = [
    "AWAITED",
    "LAID_OUT",
    "SET_ELSEWHERE",
    "SET_FOR_COMPUTER",
    "TO_BE_SET",
    "AboutStickers",
    "Amend",
    "AskTip",
    "AutoDeal",
    "Begun",
    "BoardIsRight",
    "CameraIsWrong",
    "ChooseCandidate",
    "ClockView",
    "ConfirmPlaced",
    "DismissNote",
    "Intent",
    "LastTurn",
    "MachineNote",
    "MatchView",
    "OtherTable",
    "PlayAnyway",
    "PlayMove",
    "PlayMoves",
    "PlayView",
    "PlayedByComputer",
    "Redo",
    "SetClockRunning",
    "SetForeground",
    "SightNote",
    "TableState",
    "TableView",
    "TipView",
    "Undo",
    "WentWrong",
    "still_view",
    "waits_to_be_set",
]


AWAITED: Final = "awaited"
"""Code of the call to players who are to answer still."""
LAID_OUT: Final = "laid_out"
"""Code of the result that asks people to put down what the program drew."""
SET_ELSEWHERE: Final = "set_elsewhere"
"""Code of the one that asks people to set what was set at the other table."""
SET_FOR_COMPUTER: Final = "set_for_computer"
"""Code of the one that asks people to carry out a computer player's move with real pieces."""
TO_BE_SET: Final = (LAID_OUT, SET_ELSEWHERE, SET_FOR_COMPUTER)


@dataclass(frozen=True, slots=True)
class SightNote:
    """A note for players about how the camera sees, while it does see the board."""

    code: str
    """``bare``: pieces were found to carry no stickers; ``stickers_small``: they are too small to
    be read; ``bare_unknown``: the settings name pieces without stickers that no box has;
    ``rolls_slow``: the camera is too slow to follow discs that roll; ``hidden``: a good part of
    the board is seen no more, though no hand is over it; ``unadjusted``: the camera could not
    find its exposure, white balance or focus, which ``groups`` names; ``glare``: a lamp is
    mirrored there; ``unshown``: something hides a part of a board of the players' own that was
    never seen free; ``at_edge``: what lies on a lattice reaches the table's
    edge; ``between``: a piece lies between two of its cells; ``trembles``: the camera shakes too
    much to be followed."""
    groups: tuple[str, ...] = ()
    """Groups of pieces or sites that it is about, names that are not pieces, or what is unadjusted.
    """


@dataclass(frozen=True, slots=True)
class WentWrong:
    """The last request was not carried out; nothing agreed before is lost."""

    what: Sentence | None = None
    """Why it was not written down; None: a mistake in the program."""


@dataclass(frozen=True, slots=True)
class OtherTable:
    """The other table where the same match is played."""

    name: str
    here: frozenset[int]
    """The seats at this table; all others are there."""
    asked: bool
    """What comes next is decided there."""
    wished: bool = False
    """It was asked to let moves of this table be taken back, and has not answered yet."""
    heard: Heard = Heard.NOT
    """True if it is there."""


@dataclass(frozen=True, slots=True)
class ClockView:
    """The players' clock. It stays the same while the clock runs: ``left_at`` tells the time."""

    plan: ClockPlan
    left_s: tuple[float, ...]
    """By seat: what was left of everybody's time at ``since_s``."""
    since_s: float
    """A moment in monotonic seconds."""
    asked: int | None
    """Whose clock it is now, even while it stands; None if nobody or everybody is asked."""
    running: bool
    """True if that clock runs."""
    waits: bool
    """It stands until somebody touches it, or makes the next move."""

    def left_at(self, seat: int, now: float) -> float:
        """Seconds that ``seat`` has left at ``now`` (monotonic seconds), never below 0."""
        spent = now - self.since_s if self.running and seat == self.asked else 0.0
        return max(self.left_s[seat] - max(spent, 0.0), 0.0)


@dataclass(frozen=True, slots=True)
class PlayedByComputer:
    """The last decision of a computer player, while no other has followed."""

    seat: int
    moves: tuple[Move, ...]
    """As everybody may know them."""
    why: Reason
    """Why the first of them is good; what is hidden is never told in it."""


@dataclass(frozen=True, slots=True)
class TipView:
    """A tip that somebody asked for. It goes with the next move, or when it is asked for again."""

    seat: int
    src: Source
    """Where it was asked for."""
    choice: Choice | None = None
    """The tip; None while it is being thought about."""
    failed: bool = False
    """Nothing came of it."""

    @property
    def on_phone(self) -> bool:
        """It was asked for on a phone, and is for that phone alone."""
        return self.src == "phone"


class Begun(NamedTuple):
    """Beginning of a match that no journal knows; at a table a ``Header`` says the same."""

    names: tuple[str, ...]
    computers: tuple[str, ...]
    """By seat: the computer player there."""
    created_s: float
    """Seconds since the epoch."""
    id: str
    enforcement: str = "enforce"
    tips: bool = False
    """True if players may ask for tips."""
    faces: tuple[str, ...] = ()
    """By seat: the players' faces; empty: those that people have chosen here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """A match as everybody may see it."""

    game: str
    box: str
    players: int
    options: Options
    physical: bool
    names: tuple[str, ...]
    """Players' names by seat; empty texts mean: call them by their colour."""
    colours: tuple[str, ...]
    """Colour per seat, as the text files call it."""
    faces: tuple[str, ...] = ()
    """The players' faces by seat, if another table told them; empty: as people chose them here."""
    computers: tuple[str, ...] = ()
    """By seat: the computer player that sits there, empty texts for people; empty if only people
    play."""
    dealt: tuple[int, ...] = ()
    """With real pieces: the seats for which the program deals all the same."""
    deals_hidden: bool = False
    """True if the program deals what not everybody may see: then a refusal tells what somebody does
    not have."""
    enforcement: Enforcement
    tips: bool = True
    """True if players may ask for tips in this match."""
    started_s: float
    """When the match began, seconds since the epoch."""
    prompt: Prompt | None
    scores: tuple[int, ...]
    counts_points: bool = True
    """True if ``scores`` are worth showing; in a game without points all are nought."""
    supplies: tuple[Mapping[str, int], ...]
    """Pieces in front of each player, by kind of the box."""
    items: tuple[Item, ...]
    """The agreed layout: what must lie where."""
    ledger: Ledger | None
    """What was entered, if only a ledger is kept; then nothing lies anywhere."""
    market: Market | None
    """Cards for sale, in games that are about buying them."""
    pad: Pad | None = None
    """The sheet on which numbers are entered, in games that are about keeping score."""
    throw: Throw | None = field(default=None, compare=False)
    """The dice that are to be thrown now."""
    told: tuple[Move, ...] = ()
    """The moves as everybody may still know them."""
    last: Move | None
    """The last of them that is worth a word."""
    last_sites: tuple[str, ...]
    """The sites the last agreed turn touched."""
    last_way: tuple[str, ...] = ()
    """The sites that a piece passed in it, from its own to where it ended."""
    standings: tuple[tuple[str, ...], ...] = ()
    """By seat: the sites side by side whose pieces are the points of its side now, see
    ``Touch.standing``."""
    last_turn: LastTurn | None = None
    """The turn in which somebody decided something last."""
    ply: int
    turn: int
    """Number of the current turn, counted from 1."""
    result: Result | None = None
    """What the last decision brought to light, which everybody should see before the next one …"""
    result_ply: int = 0
    """… and how many moves there were then."""
    calls: tuple[tuple[int, Call], ...] = ()
    """The calls that apply now, each with the number of moves when it came."""
    outcome: Outcome | None = None
    new_record: bool = False
    """The match is over and better than all before it in its best list."""
    clock: ClockView | None = None
    """The players' clock; None if they play without one."""
    thinks: int | None = None
    """The seat whose computer player is thinking; None if none is."""

    @classmethod
    def of(
        cls, begun: Begun | Header, match: Match, turn: int, last: Move | None,
        last_sites: tuple[str, ...] = (), **more: Any,
    ) -> Self:  # fmt: skip
        """A match as it stands, and ``more`` of the fields."""
        game = match.game
        return cls(
            game=game.id,
            box=game.box,
            players=match.players,
            options=dict(match.options),
            physical=match.physical,
            names=begun.names,
            colours=match.colours,
            faces=begun.faces,
            computers=begun.computers,
            dealt=match.dealt,
            deals_hidden=not (match.physical and not match.dealt)
            and type(match.state).public is not State.public,
            enforcement=Enforcement(begun.enforcement),
            tips=begun.tips,
            started_s=begun.created_s,
            prompt=match.prompt,
            scores=match.scores,
            counts_points=game.counts_points,
            supplies=tuple(dict(match.state.supply(n)) for n in range(match.players)),
            items=tuple(sorted(match.layout.elements())),
            ledger=match.state.ledger(),
            market=game.touch.market(match.state),
            pad=game.touch.pad(match.state),
            throw=match.state.throw(),
            standings=tuple(game.touch.standing(match.state, n) for n in range(match.players)),
            last=last,
            last_sites=last_sites,
            ply=match.ply,
            turn=turn,
            outcome=match.outcome,
            **more,
        )

    @property
    def asked(self) -> int | None:
        """The seat that has to decide something."""
        prompt = self.prompt
        return None if prompt is None or prompt.actor is not Actor.PLAYER else prompt.player

    @property
    def real_cards(self) -> bool:
        """True if the player who is asked has real cards, which no other has seen."""
        asked = None if self.prompt is None else self.prompt.player
        return self.physical and asked not in self.dealt


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView(MatchView):
    """A match with what may be played now, for the eyes of whoever is asked."""

    changes: int = 0
    """Number of changes to the record: moves, also those taken back since, takebacks, corrections.
    It never comes again, and a restart keeps it."""
    state: TableState = TableState.SETTLED
    legal: tuple[Move, ...] = ()
    """Moves that may be tapped now, sorted, as the player to move may see them."""
    hints: tuple[Move, ...] = ()
    usual: Move | None = None
    """The usual one of ``legal``; its key is the one that stands out."""
    places: Mapping[Move, tuple[str, ...]] = field(default_factory=dict)
    """Legal moves that do not name the sites that are touched to say them, and these sites."""
    ahead: MoveLookahead | None = field(default=None, compare=False, repr=False)
    """Legal moves after some of ``legal``; None where nothing is entered."""
    secret: bool = False
    """``legal`` reveals what only the player to move may know: nobody else may look at it."""
    tip: TipView | None = None
    """The tip that was asked for; what it says may be for its seat's eyes only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView(PlayView):
    """Everything that the table's own screen and devices need."""

    match_id: str
    """In the journal; a secret, see ``companion.match.public_log``."""
    series: str = ""
    """The series this match belongs to, empty if its game counts none."""
    spread: Spread | None = None
    """Pieces that people laid openly and may tell in any order, if that is asked."""
    may_deal: bool = False
    """True if the program may draw what people have to draw now (``AutoDeal``)."""
    may_tip: bool = False
    """True if whoever is asked may ask for a tip."""
    can_undo: bool = False
    can_redo: bool = False
    objections: tuple[Objection, ...] = ()
    refused: Move | None = None
    """The move that the objections are about, if one explains what was seen or tapped."""
    open_objections: tuple[Objection, ...] = ()
    """The objections that everybody may know."""
    fixes: tuple[Fix, ...] = ()
    """Per site: what lies there and what should."""
    candidates: tuple[Candidate, ...] = ()
    """PROPOSED: the one move; AMBIGUOUS: the explanations to choose from, likeliest first,
    at most four."""
    previews: tuple[tuple[Item, ...], ...] = ()
    """What would lie on the table after each of ``candidates``, in their order."""
    hold_s: float = 0.0
    """Seconds a proposed move must hold still until it is agreed; 0 if only a button agrees."""
    blind_reason: str = ""
    """Why the camera sees no board: a code for ``state`` BLIND, else empty."""
    notes: tuple[SightNote, ...] = ()
    """What the camera has to say that nobody has answered yet."""
    stickered: frozenset[str] = frozenset()
    """Groups of pieces that players said carry stickers."""
    devices: Mapping[str, str] = field(default_factory=dict)
    """Device name to trouble code, for devices that are missing now; empty if all is well."""
    machine: tuple[MachineNote, ...] = ()
    """What is wrong with the computer and nobody has taken note of yet."""
    wrong: WentWrong | None = None
    """Why what was last asked for does not count; gone as soon as something counts again."""
    other: OtherTable | None = None
    """The other table where the same match is played; None: it is played here only."""
    helpless: frozenset[int] = frozenset()
    """Seats whose computer player cannot choose: people play for it meanwhile."""
    computed: PlayedByComputer | None = None
    """What a computer player has just played."""

    @property
    def refuses_openly(self) -> bool:
        """True if the public may know the move tried in vain; it may tell what a player holds."""
        return bool(self.open_objections) and not self.secret


def still_view(
    begun: Begun | Header, match: Match, turn: int, last: Move | None,
    last_sites: tuple[str, ...] = (), **more: Any,
) -> TableView:  # fmt: skip
    """A table with nothing to do, and ``more`` of the fields."""
    more = {"secret": keeps_secrets(match), **more}
    return TableView.of(begun, match, turn, last, last_sites, match_id=begun.id, **more)


def waits_to_be_set(view: TableView) -> bool:
    """True if a computer player's move is to be set on the board before play goes on."""
    if view.result is not None and view.result.code == SET_FOR_COMPUTER:
        return True
    return view.state is TableState.PENDING and view.computed is not None


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play this move (entered by touch or by a player's button)."""

    move: Move


@dataclass(frozen=True, slots=True)
class PlayMoves:
    """Play all of these moves, or, if one of them is not allowed, none."""

    moves: tuple[Move, ...]
    since: int | None = None
    """``changes`` of the view when this was decided; if there are more by now, nothing happens.
    None: it does not matter."""


@dataclass(frozen=True, slots=True)
class AutoDeal:
    """Draw what is to be drawn now in the place of people with real pieces, who put it down."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last moves back."""

    count: int = 1
    since: int | None = None
    """As in ``PlayMoves``."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Play the move taken back last again."""


@dataclass(frozen=True, slots=True)
class ChooseCandidate:
    """Accept the candidate with this index (PROPOSED: 0)."""

    index: int = 0


@dataclass(frozen=True, slots=True)
class PlayAnyway:
    """Accept what was refused, against the rules; it is recorded as such."""


@dataclass(frozen=True, slots=True)
class CameraIsWrong:
    """The record is right; ignore what the camera reports until the board changes again."""


@dataclass(frozen=True, slots=True)
class BoardIsRight:
    """The board is right: take the likeliest explanation of it into the record."""


@dataclass(frozen=True, slots=True)
class AboutStickers:
    """Answer that pieces were found to carry no stickers; it is saved with the match."""

    groups: tuple[str, ...]
    have: bool
    """They do carry some; else the finding is right."""


@dataclass(frozen=True, slots=True)
class DismissNote:
    """A note was read; it is not shown again while this table is open."""

    note: SightNote | MachineNote


@dataclass(frozen=True, slots=True)
class Amend:
    """Replace the record from move ``ply`` (from 1) on: a wrong entry is put right."""

    ply: int
    moves: tuple[Move, ...]
    """All moves from there on; the record marks those that are against the rules."""
    since: int
    """As in ``PlayMoves``."""


@dataclass(frozen=True, slots=True)
class SetClockRunning:
    """Let the clock go on, or stand until somebody touches it or makes the next move."""

    on: bool


@dataclass(frozen=True, slots=True)
class ConfirmPlaced:
    """A computer player's move lies on the table now; no camera has to confirm it."""


@dataclass(frozen=True, slots=True)
class AskTip:
    """The player who is asked wants a tip; if there is one already, it goes away."""

    seat: int | None = None
    """On a phone: its seat, which must be the one that is asked."""


@dataclass(frozen=True, slots=True)
class SetForeground:
    """The match is on the screen, or no longer: no clock runs then, nor while a result is looked at
    without which play cannot go on."""

    here: bool


Intent = (
    AboutStickers
    | Amend
    | AskTip
    | SetForeground
    | SetClockRunning
    | ConfirmPlaced
    | DismissNote
    | PlayMove
    | PlayMoves
    | Undo
    | Redo
    | ChooseCandidate
    | AutoDeal
    | PlayAnyway
    | CameraIsWrong
    | BoardIsRight
)
