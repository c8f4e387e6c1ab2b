"""What every game is made of: moves, objections, prompts, layouts, outcomes.

A game is stateless code. A match (``rules.match``) owns the one state and everything that
leaves the rules is frozen, so that screens, journals and other threads may keep it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from rules.errors import Complaint

__all__ = [
    "COLOURS",
    "Achievement",
    "Actor",
    "Belief",
    "Block",
    "Board",
    "Boards",
    "Build",
    "Game",
    "GameError",
    "IllegalMove",
    "Item",
    "Layout",
    "Ledger",
    "Move",
    "MoveSyntaxError",
    "Objection",
    "OptionError",
    "Options",
    "Outcome",
    "Pile",
    "Prompt",
    "Run",
    "Runs",
    "ScoreLine",
    "Series",
    "State",
    "StateError",
    "ranked",
]

Json = Any
"""What ``json.loads`` returns."""

Options = Mapping[str, str]
"""Chosen value per option name."""

Param = str | int
"""A parameter of an objection or prompt; ``rules.telling`` turns it into words by its name."""


class GameError(Complaint, ValueError):
    """Something about a game was wrong; every error of the rules is one of these."""


class MoveSyntaxError(GameError):
    """A text is not a move."""


class OptionError(GameError):
    """A number of players or an option does not exist for this game."""


class StateError(GameError):
    """A stored state cannot be read."""


class IllegalMove(GameError):
    """A move is not allowed; ``objections`` say why."""

    def __init__(self, move: Move, objections: Sequence[Objection]) -> None:
        self.move = move
        self.objections = tuple(objections)
        reasons = [f"{o.rule} {o.code}" for o in self.objections]
        super().__init__("not_allowed", move=move.text, reasons=reasons)


class Actor(StrEnum):
    """Who causes a move."""

    PLAYER = "player"
    DEALER = "dealer"
    """Anything drawn, shuffled or rolled by chance."""
    TABLE = "table"
    """Results of dexterity, and hidden things that become visible."""


_UNREADABLE = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError)
"""What reading a position raises when the data do not have the expected shape."""
_MOVE = re.compile(r"(p[0-9]|dealer|table) ([a-z]+(?:-[a-z]+)*)((?: [^\s]+)*)")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """One atomic decision. Its text is the file format of journals and exports.

    Moves compare by their text, whoever built them. Games build theirs once and hand the same
    objects out again, because building one per legal move costs more than everything else.
    """

    text: str
    actor: Actor
    player: int | None
    """Seat of the acting player, None for dealer and table."""
    verb: str
    args: tuple[str, ...]

    @staticmethod
    def of(actor: int | Actor, verb: str, *args: str | int) -> Move:
        """Build a move; ``actor`` is a seat or DEALER or TABLE."""
        who = f"p{actor}" if isinstance(actor, int) else actor.value
        return Move.parse(" ".join((who, verb, *map(str, args))))

    @staticmethod
    def parse(text: str) -> Move:
        """Read a move text; raises MoveSyntaxError if it is not one."""
        return _parse(text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Move) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __lt__(self, other: Move) -> bool:
        return self.text < other.text

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self


@lru_cache(maxsize=1 << 16)
def _parse(text: str) -> Move:
    match = _MOVE.fullmatch(text)
    if match is None:
        raise MoveSyntaxError("not_a_move", text=text[:80])
    who, verb, rest = match.groups()
    args = tuple(rest.split(" ")[1:]) if rest else ()
    if who[0] == "p":
        return Move(text, Actor.PLAYER, int(who[1:]), verb, args)
    return Move(text, Actor(who), None, verb, args)


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a move is not allowed: rule id and code, never prose."""

    rule: str
    """Rule id of the game's rules, such as ``1.5`` or ``KN3``; its page explains more."""
    code: str
    """Key of the sentence in the game's text file."""
    params: tuple[tuple[str, Param], ...] = ()

    @staticmethod
    def of(rule: str, code: str, **params: Param) -> Objection:
        """Build an objection with named parameters."""
        return Objection(rule, code, tuple(params.items()))

    @property
    def values(self) -> dict[str, Param]:
        """The parameters by name."""
        return dict(self.params)


@dataclass(frozen=True, slots=True)
class Prompt:
    """Who must do what now."""

    actor: Actor
    player: int | None
    """Seat asked; for DEALER and TABLE the seat affected, or None."""
    code: str
    """Key of the sentence in the game's text file."""
    rule: str
    params: tuple[tuple[str, Param], ...] = ()

    @property
    def values(self) -> dict[str, Param]:
        """The parameters by name."""
        return dict(self.params)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    reason: str
    """Key of the sentence in the game's text file."""
    ranking: tuple[tuple[int, ...], ...]
    """Groups of seats, best first; seats of one group share a place."""
    scores: tuple[int, ...]
    """Points by seat."""

    def to_json(self) -> Json:
        """The form used by logs and exports."""
        return {
            "reason": self.reason,
            "ranking": [list(group) for group in self.ranking],
            "scores": list(self.scores),
        }


def ranked(results: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Seats by their results, the best, which is the greatest, first; equal ones share a place."""
    return tuple(
        tuple(seat for seat, result in enumerate(results) if result == best)
        for best in sorted(set(results), reverse=True)
    )


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """How some of a player's points came about."""

    player: int
    code: str
    points: int
    params: tuple[tuple[str, Param], ...] = ()


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
"""What must lie where, according to the rules."""

Board = Mapping[str, tuple[tuple[str, str], ...]]
"""What a camera believes to lie there: per site the kind and pose of everything it sees, sorted."""

Boards = Mapping[str, Collection[tuple[tuple[str, str], ...]]]
"""As ``Board``, with everything that the picture leaves open per site; without the sites of which
it says nothing."""


class Belief(Protocol):
    """A camera's doubt about one site."""

    @property
    def looks(self) -> Mapping[Any, float]:
        """Natural-log likelihood per look (kind and pose of everything there, sorted); only the
        plausible looks are listed."""

    def score(self, look: Any) -> float:
        """Natural-log likelihood of the picture if ``look`` lay there."""


class Run(NamedTuple):
    """One run of moves that may have led to what lies on the table."""

    moves: tuple[Move, ...]
    """Without the draws that follow automatically."""
    cost: float
    """What its steps cost (natural-log odds against the ordinary), whatever the picture says."""
    sure: int = 0
    """So many of the first moves show by themselves, whatever followed them."""
    complete: bool = True
    """False if it explains nothing unless something follows."""
    guessed: bool = False
    """Whether cards in it stand for more others than anybody can be asked about."""


class Runs(NamedTuple):
    """All that a game can think of to explain a picture."""

    found: Sequence[Run]
    """Those that come to something else; the likeliest for each."""
    all_tried: bool
    """False if there was more to try than time for it."""


class Pile(NamedTuple):
    """A pile of equal cards from which players gain."""

    kind: str
    left: int
    group: str
    """``treasure``, ``victory``, ``curse``, ``attack``, ``reaction``, ``action``: how it looks."""
    scarce: bool
    """It runs out soon, and the match ends with it."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What players enter where nothing is watched and the program is not played on.

    Entries are the legal moves ``gain KIND`` and ``trash KIND`` for the player to move, with the
    seat before the kind (``gain p1 curse``) for anybody else; ``take KIND`` is out of the trash.
    """

    piles: tuple[Pile, ...]
    """As they are to be shown, row by row."""
    owned: tuple[Mapping[str, int], ...]
    """By seat: how many cards of which kind."""
    trash: int
    """Number of cards in the trash."""
    entered: tuple[Move, ...]
    """What was entered in this turn."""
    likely: tuple[Move, ...]
    """What this turn is likely to bring beside gains, by what its player owns; the likeliest
    first."""
    verbs: tuple[str, str]
    """What entries of one card more, and of one fewer, are called: ``gain`` and ``trash``;
    ``count`` and ``uncount`` where only the cards owned at the end are counted."""
    others: str
    """The first or the second of ``verbs``: what is more likely for other players in this turn;
    empty: nothing can be entered for them."""


class Block(NamedTuple):
    """A piece of something that is built before a match, where it is drawn."""

    kind: str
    """A kind of the box."""
    across: float
    """How far right of the middle, in widths of the piece."""
    up: float
    """From the front: how many pieces are below it; from above: how far back, in widths."""
    turn: float = 0.0
    """Degrees, anticlockwise."""


@dataclass(frozen=True, slots=True)
class Build:
    """How something is built before a match, as a drawing."""

    seen: str
    """``front`` or ``top``; also the key of its caption in the section ``builds`` of the texts."""
    blocks: tuple[Block, ...]


class State(Protocol):
    """Position of one match; mutable inside, owned by one ``Match``."""

    def clone(self) -> Self:
        """An independent copy."""

    def to_json(self) -> Json:
        """Everything, as plain JSON data."""


S = TypeVar("S", bound=State)


@dataclass(frozen=True, slots=True)
class Achievement:
    """What a finished match is remembered for in a best list."""

    list: str
    """Which best list; matches are compared only within one."""
    rank: tuple[int, ...]
    """Smaller is better, compared from the left."""
    values: tuple[tuple[str, Param], ...]
    """What the list shows, by name."""


COLOURS = "colours"
"""The option with the colour of each seat, in a game with a ``palette``."""


class Series(Protocol):
    """How several matches of one game are counted together."""

    lower_wins: bool
    decides: tuple[str, ...]
    """Options that the result of the last match decides; nobody's house rules."""

    def points(self, outcome: Outcome) -> tuple[int, ...]:
        """Points of one match for the series, by seat."""

    def next_first(self, outcome: Outcome) -> int | None:
        """Seat that begins the next match, None if the players agree on it."""

    def next_options(self, outcome: Outcome) -> Options:
        """The options named in ``decides``, for a match that follows one with this result."""


class Game(ABC, Generic[S]):
    """Rules played with a box. Stateless: everything about a match is in the state."""

    id: ClassVar[str]
    box: ClassVar[str]
    players: ClassVar[tuple[int, ...]]
    options: ClassVar[Mapping[str, tuple[str, ...]]]
    """Allowed values per option, the default first."""
    palette: ClassVar[tuple[str, ...]] = ()
    """The colours of the box of which each player takes one, in the order of the seats that take
    none; empty where the rules say who has which. The choice is the option ``COLOURS``, which is
    not listed in ``options`` and is absent where the seats have theirs: ``red,white,blue``."""
    formerly: ClassVar[Mapping[str, str]] = {}
    """How every match was played before an option existed, where that is not its default."""
    codes: ClassVar[tuple[str, ...]]
    """Every objection code the game can raise; the conformance suite reaches each."""
    series: ClassVar[Series | None] = None
    package: ClassVar[str] = "rules"
    """Where ``text/<id>.<lang>.toml`` lies; games from elsewhere name their own package."""
    handling_rule: ClassVar[str]
    """Rule id to cite when pieces were shifted in a way no move explains."""
    rolls: ClassVar[bool] = False
    """Whether discs are rolled across the board, so that ``rolled`` has something to say."""
    ledger_option: ClassVar[tuple[str, tuple[str, ...]] | None] = None
    """Option, and those of the values ``ledger`` and ``count`` it has, with which something is
    only entered (``ledger``); None if there is no such."""
    signs: ClassVar[Mapping[str, str]] = {"done": "✓"}
    """A sign by verb, for moves after which nothing on the table looks different."""
    board_text: ClassVar[str] = ""
    """On a board of the players' own: its file, for journals. See ``rules.games.game_on_board``."""
    board_name: ClassVar[str] = ""
    """On a board of the players' own: what they call it."""

    # -- set-up ---------------------------------------------------------------------------

    @abstractmethod
    def setup(self, players: int, options: Options, physical: bool) -> S:
        """The position before the first decision.

        ``physical``: hidden things are on the table and unknown until shown; otherwise every
        chance outcome is dealt by the program. ``options`` is complete (``complete_options``).
        """

    def complete_options(self, players: int, options: Options) -> dict[str, str]:
        """``options`` with the defaults filled in; raises OptionError on anything unknown."""
        if players not in self.players:
            raise OptionError("players", game=self.id, allowed=self.players, players=players)
        for name, value in options.items():
            if name == COLOURS and self.palette:
                continue
            if name not in self.options:
                raise OptionError("no_option", game=self.id, option=name, known=[*self.options])
            if value not in self.options[name]:
                allowed = self.options[name]
                raise OptionError("option_value", option=name, allowed=allowed, found=value)
        complete = {name: options.get(name, values[0]) for name, values in self.options.items()}
        return self.with_colours(complete, self.chosen_colours(players, options))

    def with_colours(self, options: Options, chosen: Sequence[str]) -> dict[str, str]:
        """``options`` with these colours by seat; they are left out where they are the seats'."""
        others = {name: value for name, value in options.items() if name != COLOURS}
        if tuple(chosen) == self.palette[: len(chosen)]:
            return others
        return {**others, COLOURS: ",".join(chosen)}

    def chosen_colours(self, players: int, options: Options) -> tuple[str, ...]:
        """The colours of the ``palette`` by seat; raises OptionError on a choice that is none."""
        if COLOURS not in options:
            return self.palette[:players]
        chosen = tuple(options[COLOURS].split(","))
        if not len(chosen) == players == len(set(chosen) & set(self.palette)):
            raise OptionError(
                "colours_unfit", option=COLOURS, players=players, allowed=self.palette,
                found=options[COLOURS],
            )  # fmt: skip
        return chosen

    def as_played(self, options: Options) -> dict[str, str]:
        """``options`` of a stored match, with those that did not exist yet as it was played."""
        return {**self.formerly, **options}

    def from_json(self, data: Json) -> S:
        """Read ``state.to_json()`` back; raises StateError on anything else."""
        try:
            state = self.restored({**data, "options": self.as_played(data["options"])})
        except _UNREADABLE as error:
            if isinstance(error, StateError):
                raise
            raise StateError("no_position", game=self.id, reason=error) from error
        if problems := self.invariants(state):
            raise StateError("position_unsound", game=self.id, detail="; ".join(problems))
        return state

    @abstractmethod
    def restored(self, data: Json) -> S:
        """The position in ``data``, which may be wrong: ``from_json`` deals with what that raises.

        Raises StateError with a better reason, or whatever reading wrong data happens to raise.
        """

    def build(self, options: Options) -> Build | None:
        """How what is built before the match looks, with these options; None: see the layout."""
        return None

    @abstractmethod
    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        """The colour of each seat, as the box and the text files call it."""

    # -- play -----------------------------------------------------------------------------

    @abstractmethod
    def prompt(self, state: S) -> Prompt | None:
        """Who must do what now; None when the match is over."""

    @abstractmethod
    def pseudo_moves(self, state: S) -> Iterable[Move]:
        """Everything hands could try now, allowed or not; holds every legal move."""

    @abstractmethod
    def check(self, state: S, move: Move) -> list[Objection]:
        """Why ``move`` is not allowed now; empty means legal.

        Answers for any move at all, even one that is not a pseudo-move (code ``unknown_move``).
        """

    @abstractmethod
    def apply(self, state: S, move: Move) -> None:
        """Carry out a pseudo-move. Total on pseudo-moves: it never checks."""

    def moves(self, state: S) -> list[Move]:
        """Every legal move, in any order; empty when the match is over."""
        return [move for move in self.pseudo_moves(state) if not self.check(state, move)]

    def weights(self, state: S, moves: Sequence[Move]) -> Sequence[int]:
        """How likely each of ``moves`` is at a DEALER or TABLE decision."""
        return [1] * len(moves)

    def choose(self, state: S, moves: Sequence[Move], random: Random) -> Move:
        """A random player's choice, as the game's rule file asks for it."""
        return moves[int(random.random() * len(moves))]

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the match ended, None while it goes on."""

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """Points by seat at this moment."""

    def explain_scores(self, state: S) -> list[ScoreLine]:
        """Where the points of ``scores`` come from; sums to it."""
        return [ScoreLine(seat, "score", points) for seat, points in enumerate(self.scores(state))]

    def achievement(self, state: S) -> Achievement | None:
        """What the finished match is remembered for; None where a game keeps no best list."""
        return None

    def hints(self, state: S) -> list[Move]:
        """Moves worth pointing out, where the game has an option for it."""
        return []

    # -- the table ------------------------------------------------------------------------

    @abstractmethod
    def layout(self, state: S) -> Layout:
        """What must lie where."""

    def also_right(self, state: S) -> Collection[Layout]:
        """Other layouts that are equally right just now, such as a piece still on its way."""
        return ()

    def tolerates(self, state: S, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        """Whether ``seen`` (kind and pose of each thing, sorted) may lie at ``site`` just now,
        although ``layout`` wants something else there.

        Hands have an order of their own: coins lie on after the purchase, a card goes on a pile
        before the pile that it came from is put away. What belongs to no move goes here; what
        concerns several sites at once goes to ``also_right``.
        """
        return False

    def tolerated(
        self, state: S, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Collection[str]:
        """Those of ``sites`` where ``board`` may show what it shows, see ``tolerates``.

        For games where that depends on several sites at once, or on whether the steps that led to
        ``state`` are in the record or only supposed: ``moves`` are those that are supposed.
        """
        return [site for site in sites if self.tolerates(state, site, board[site])]

    def stays(self, state: S, site: str) -> bool:
        """Whether what is tolerated at ``site`` remains there until something else is to lie there.

        For example the card on top of a pile that went down in one packet.
        """
        return False

    def awaits(self, state: S, site: str) -> bool:
        """Whether people must still say or show something as long as ``site`` is tolerated."""
        return False

    def turns(self, moves: Sequence[Move]) -> int:
        """How many turns ``moves`` make; answers to somebody else's step are no turns of their own.

        Any player's move counts by default.
        """
        return sum(1 for _ in groupby(m.player for m in moves if m.player is not None))

    def supply(self, state: S, seat: int) -> Counter[str]:
        """Pieces still in front of ``seat``, by kind of the box; what everybody may know."""
        return Counter()

    def keeps_ledger(self, options: Options) -> bool:
        """Whether a match with these options is only entered; nothing of it is watched."""
        if self.ledger_option is None:
            return False
        name, values = self.ledger_option
        return options.get(name) in values

    def ledger(self, state: S) -> Ledger | None:
        """What was entered so far, if people play with their own cards and only enter what changes
        hands; then nothing lies anywhere (``layout``). None in any other match."""
        return None

    def worth(self, owned: Mapping[str, int]) -> Mapping[str, int]:
        """Points for each kind of cards, if these are all that a player owns (kind → number); what
        scores nothing is left out. For games that are counted at the end, see ``ledger_option``."""
        return {}

    def touches(self, state: S, move: Move) -> Collection[str]:
        """Sites whose layout ``move`` may change: at least those, better no others.

        The default compares layouts; override it where reading must be fast.
        """
        after = state.clone()
        self.apply(after, move)
        before, then = self.layout(state), self.layout(after)
        return {item.site for item in (before - then) + (then - before)}

    def unfinished(self, state: S, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        """Whether ``seen`` at ``site`` may be the beginning of a move that is not finished: a
        piece lifted, a card laid whose piece follows.

        It is waited for, unless moves explain the picture without it.
        """
        return False

    def runs(self, state: S, seen: Mapping[str, Belief]) -> Runs | None:
        """The whole runs of legal moves that may have led from ``state`` to what is ``seen``; None
        if they are to be sought move by move, as by default.

        Override it where a picture tells of many moves at once, in an order that it does not show,
        and a game finds them faster than by playing them. Moves of ``found`` that are not legal
        are left out.
        """
        return None

    def likely(self, state: S, board: Board) -> Sequence[Move]:
        """The legal moves that may have led to what lies on ``board``: all of them, by default.

        Override it where there are many and ``board`` speaks for a few only, which it does
        cheaply: a search looks at nothing else.
        """
        return self.moves(state)

    def implied(self, state: S, moves: Sequence[Move], board: Board) -> list[Move]:
        """Those of the legal ``moves`` that may be inferred from what follows, if ``board`` lies
        on the table: they leave no trace, or later steps of the same turn cover it.

        A turn that nobody closed is closed by the next player's move, and where only one thing
        can be done, that was done; so these by default. A game with steps that are covered, or
        with many that leave no trace, names those that fit ``board``, and no others: each of them
        is followed up.
        """
        if len(moves) == 1:
            return list(moves)
        return [move for move in moves if move.verb == "done"]

    def obliged(self, state: S) -> Move | None:
        """The only legal answer to a player's question, if everybody at the table knows that it is
        the only one and hands do nothing for it: such a question need not be put at all.

        None where people decide, and wherever the answer follows from what only one player knows.
        """
        return None

    def plausible(
        self, state: S, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[tuple[Move, float]]:
        """Those of the legal ``moves`` that can have led to ``board``, each with what speaks
        against it besides the picture (natural-log odds; 0 for most).

        Where hundreds of moves would show alike, or what lies there rules most of them out, a game
        says so here: every move named is tried. It may name legal moves that ``moves`` does not
        offer, such as one that leaves open which card was played. ``since``: the moves thought of
        so far, from the record to ``state``.
        """
        return ((move, 0.0) for move in moves)

    def unentered(self, state: S) -> Iterable[S]:
        """Positions that may have been reached since ``state`` by turns that left no trace and that
        nobody entered, each with all that such turns can bring.

        They are never taken for granted: whoever broke no rule in one of them is not accused.
        """
        return ()

    def guessed(self, state: S, move: Move, board: Board) -> bool:
        """Whether ``move`` is only one of more that may have happened than a question can hold, and
        ``board`` does not tell which, such as a purchase that lies below other cards.

        What follows can be understood with it, but nobody is asked about it, and it is never taken
        for granted: people say it.
        """
        return False

    def halfway(self, state: S, board: Board) -> bool:
        """Whether ``board`` may be the beginning of something legal that hands have still to end,
        such as a card laid down whose piece has not moved yet. Nobody is accused of that."""
        return False

    def essence(self, state: S) -> Json:
        """What of a position matters to those who play on: nobody is asked which of two positions
        was reached if these are equal."""
        return state.to_json()

    def told_later(self, states: Sequence[S]) -> bool:
        """Whether what hands do next tells which of ``states`` was reached: then nobody is asked
        now, and within one turn what all explanations begin with goes into the record."""
        return False

    def twin(self, state: S, move: Move) -> Move | None:
        """The legal move that leaves the same on the table as ``move`` in ``state`` and is told
        from it only by what comes next, such as a fall from a roll; None if there is none."""
        return None

    def fitting(self, state: S, moves: Sequence[Move], boards: Boards) -> Sequence[Move]:
        """Those of ``moves``, legal or not, that may have led to one of ``boards``, by themselves
        or with what follows; by default all.

        Each of them is tried out. A game with many moves, such as one per card that may be in a
        hand, leaves out those of which the picture shows that they did not happen, and those that
        no picture could tell from many others.
        """
        return moves

    def rolled(self, state: S, crossed: bool, gates: Sequence[str]) -> tuple[Move, ...]:
        """The moves made by a disc that was seen rolling: ``crossed`` tells whether it got
        across the run-up zone, ``gates`` which it passed. Empty where nothing is rolled now."""
        return ()

    # -- what may be known ----------------------------------------------------------------

    def public(self, state: S, move: Move, seat: int | None) -> Move:
        """``move`` as ``seat`` may know it (None: as everybody may), made in ``state``."""
        return move

    def remembered(self, state: S, told: Sequence[Move]) -> Sequence[Move]:
        """The moves ``told`` so far, as a list of moves may still show them in ``state``."""
        return told

    def shown(self, state: S, move: Move) -> tuple[Move, ...]:
        """The moves a physical table logs for ``move`` of a digital match in ``state``.

        Usually ``public(state, move, None)`` alone; followed by ``table show …`` moves where a
        digital move turns something up at once.
        """
        return (self.public(state, move, None),)

    def view(self, state: S, seat: int | None) -> Json:
        """The state as ``seat`` may see it (None: as everybody may)."""
        return state.to_json()

    # -- safety ---------------------------------------------------------------------------

    @abstractmethod
    def invariants(self, state: S) -> list[str]:
        """What a state must never have wrong with it, as sentences; empty if it is sound."""
