"""A game: its name, box, players and options, and the position that a match begins with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Generic

from rules.core.inference import Inference
from rules.core.matches import COLOURS, Choice, Json, Options, Series
from rules.core.moves import OptionError, StateError
from rules.core.state import S
from rules.core.touch import Touch
from rules.near import hint

_UNREADABLE = (
    KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip
"""Errors from reading a position whose data do not have the expected shape."""


class Game(ABC, Generic[S]):
    """Rules played with a box. Everything about a match is in its position, a ``State``."""

    id: ClassVar[str]
    box: ClassVar[str]
    players: ClassVar[tuple[int, ...]]
    options: ClassVar[Mapping[str, tuple[str, ...]]]
    """Allowed values per option, the default first."""
    choices: ClassVar[Mapping[str, Choice]] = {}
    """The options that decide what is played; all others are house rules."""
    palette: ClassVar[tuple[str, ...]] = ()
    """The colours of the box of which each player takes one, in the order of the seats that take
    none; empty where the rules say who has which. The choice is the option ``COLOURS``, which is
    not listed in ``options`` and is absent where the seats have theirs: ``red,white,blue``."""
    formerly: ClassVar[Mapping[str, str]] = {}
    """Values by which matches were played before an option existed, where not its default."""
    codes: ClassVar[tuple[str, ...]]
    """Every objection code the game can raise; the conformance suite reaches each."""
    outcomes: ClassVar[tuple[str, ...]] = ()
    """Every reason an ``Outcome`` of the game can have; the conformance suite wants words for
    each, however seldom a match ends so."""
    counts_points: ClassVar[bool] = True
    """True if the game knows points. If it is only won, lost or drawn, ``scores`` is nought for
    everybody, the ranking of an ``Outcome`` says all, and nothing shows figures."""
    goal: ClassVar[int] = 0
    """Points with which a match is won at once; 0 if there is no such number."""
    most_points_win: ClassVar[bool] = True
    """True if whoever has most points wins; else the reason of an ``Outcome`` says who has won."""
    inference: ClassVar[Inference[Any]] = Inference()
    """Answers to what a reading of the table asks."""
    touch: ClassVar[Touch[Any]] = Touch()
    """Answers to what a screen asks."""
    series: ClassVar[Series | None] = None
    package: ClassVar[str] = "rules"
    """Package of ``text/<id>.<lang>.toml``; games from elsewhere name their own."""
    handling_rule: ClassVar[str]
    """Rule id to cite when pieces were shifted in a way no move explains."""
    scoring_rule: ClassVar[str] = ""
    """Rule that says how points are made or the match is won, shown first among the rules; empty:
    none is."""
    watched: ClassVar[bool] = True
    """False for a game without a board: nothing of any match is watched, everything is entered."""
    ledger_option: ClassVar[tuple[str, tuple[str, ...]] | None] = None
    """Option, and those of the values ``ledger`` and ``count`` it has, with which something is
    only entered (``ledger``); None if there is no such."""
    bgg_id: ClassVar[int] = 0
    """Number of the game at BoardGameGeek, by which other programs know it; 0 if it is not known
    for certain."""
    craft: ClassVar[str] = ""
    """Knowledge of computer players beyond the rules, as ``module:class``, see
    ``rules.players.craft``; empty: they play by the rules alone."""
    lost_together: ClassVar[tuple[str, ...]] = ()
    """Reasons of outcomes that all players lost, although they share the first place."""
    board_table: ClassVar[str] = ""
    """The first table of files of boards, in a game that is played on boards of the players' own:
    it tells them from those of other games."""
    board_text: ClassVar[str] = ""
    """On a board of the players' own: its file, for journals. See ``rules.games.game_on_board``."""
    board_name: ClassVar[str] = ""
    """Name of the board, on one of the players' own."""

    def sides(self, players: int, options: Options) -> tuple[tuple[int, ...], ...]:
        """The seats by those who win together; all alone by default."""
        return tuple((seat,) for seat in range(players))

    def named(self, word: str, lang: str) -> str:
        """A word that stands in the game's own data and not in its texts, such as a row of a score
        sheet; empty: there is no such."""
        return ""

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
                known = [*self.options, *([COLOURS] if self.palette else [])]
                raise OptionError("no_option", game=self.id, option=name, hint=hint(name, known))
            named = name in self.choices and self.choices[name].named(value)
            if value not in self.options[name] and not named:
                meant = hint(value, self.options[name])
                raise OptionError("option_value", option=name, found=value, hint=meant)
        complete = {name: options.get(name, values[0]) for name, values in self.options.items()}
        if not self.palette:
            return complete
        return self.with_colours(complete, self.colours(players, options))

    def with_colours(self, options: Options, chosen: Sequence[str]) -> dict[str, str]:
        """``options`` with these colours by seat; they are left out where they are the seats'."""
        others = {name: value for name, value in options.items() if name != COLOURS}
        if tuple(chosen) == self.palette[: len(chosen)]:
            return others
        return {**others, COLOURS: ",".join(chosen)}

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        """The colour of each seat, as the box and the text files call it: by default those of the
        ``palette`` that the players chose. Raises OptionError on a choice that is none."""
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
            state = self.read_unchecked(data)
            problems, written = state.problems(), state.to_json()
            # Options that did not exist yet when it was stored are written too.
            said = {key: data[key] for key in written} | {"options": written["options"]}
            misread = _first_difference(said, written)
        except _UNREADABLE as error:
            if isinstance(error, StateError):
                raise
            raise StateError("no_position", game=self.id, reason=error) from error
        if problems:
            raise StateError("position_unsound", game=self.id, detail="; ".join(problems))
        if misread is not None:
            raise StateError("unfit", key=misread[0].lstrip("."), found=misread[1])
        return state

    def read_unchecked(self, data: Json) -> S:
        """The position in ``data``, sound or not; raises whatever reading wrong data raises."""
        players = int(data.get("players", self.players[0]))
        options = self.complete_options(players, self.as_played(data["options"]))
        state = self.setup(players, options, bool(data.get("physical", False)))
        state.read(data)
        return state

    def sits_at(self, seat: int, players: int, options: Options) -> str:
        """A site of the box right before ``seat``, where the box says who sits where; empty where
        players sit as they like."""
        return ""

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        """True if a computer player can sit at a table with real pieces: what it must know lies
        open there, and what is its own need not be known to it before it is turned up.

        Not where its hand comes from a deck that others draw from too: its cards could not be
        looked at for it without being known.
        """
        return False

    def deals_for(self, players: int, options: Options, seats: Collection[int]) -> bool:
        """True if the program can deal for these ``seats`` while all others have real cards: only
        where what they draw comes from piles that no other seat draws from."""
        return False

    def keeps_ledger(self, options: Options) -> bool:
        """True if a match with these options is only entered; nothing of it is watched."""
        if self.ledger_option is None:
            return not self.watched
        name, values = self.ledger_option
        return options.get(name) in values


# -- private ------------------------------------------------------------------------------


def _first_difference(data: Json, written: Json, path: str = "") -> tuple[str, Json] | None:
    """The first place where data say something else than what was read of them: its path, and what
    they say there."""
    if isinstance(written, dict) and isinstance(data, dict) and data.keys() == written.keys():
        pairs = [(key, data[key], written[key]) for key in written]
    elif isinstance(written, list) and isinstance(data, list | tuple) and len(data) == len(written):
        # Data without an order are written sorted.
        if sorted(map(repr, data)) == sorted(map(repr, written)):
            return None
        pairs = [(number, data[number], written[number]) for number in range(len(written))]
    else:
        # True is not 1, and 1.0 is not either.
        return None if repr(data) == repr(written) else (path, data)
    found = (_first_difference(one, other, f"{path}.{key}") for key, one, other in pairs)
    return next(filter(None, found), None)
