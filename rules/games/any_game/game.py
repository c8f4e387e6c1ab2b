"""1.1 … 1.4 The course of a match, and the game with a sheet of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import ClassVar

from rules.core import Choice, Game, Move, Options
from rules.errors import Where
from rules.games.any_game import counting
from rules.games.any_game.components import AS_ON_SHEET, COLOURS, ROUNDS, TARGETS, TEAMS, WINS
from rules.games.any_game.layout import layout, supply, touches
from rules.games.any_game.legality import CODES, violations
from rules.games.any_game.moves import entry_of
from rules.games.any_game.prompts import legal_moves, prompt, pseudo_moves
from rules.games.any_game.sheet import Sheet, in_lang, read_sheet, sheets
from rules.games.any_game.state import Entry, ScoreState
from rules.games.any_game.touch import SheetTouch

CLOSE_AFTER = 3
"""Random players end no match before that round …"""
CLOSES = 0.2
"""… and then with this likelihood when a round begins."""


class ScorePosition(ScoreState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    pseudo_moves = pseudo_moves
    violations = violations
    layout = layout
    supply = supply
    touches = touches
    scores = counting.scores
    explain_scores = counting.explain_scores
    reached = counting.reached
    outcome = counting.outcome

    # -- 1.1 Entering ---------------------------------------------------------------------

    def apply(self, move: Move) -> None:
        due = self.due
        assert due is not None and move.player is not None
        if move.verb == "winner":
            self.won = int(move.args[0][1:]), move.args[1]
            self.phase, self.slot = "over", 0
            return
        if move.verb == "close":
            self.end_rounds()
            return
        if move.verb == "score":
            entry = entry_of(move, self.sheet.row[move.args[0]])
            assert entry is not None
            new = Entry(move.player, self.part, move.args[0], *entry)
            if move.player in self.answered:
                # Whoever has entered theirs may do so anew until the last number is in.
                self.entries = [one for one in self.entries if one[:3] != new[:3]]
            self.entries.append(new)
        if self.sheet.sheet.at_once and self.phase == "round" and self.reached():
            self.end_rounds()
        elif move.verb == "done" or not (due.many or (len(due.seats) > 1 and self.awaited)):
            self.slot += 1
            self.settle()

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """Any number, and several now and then; a match without an end is ended some time."""
        begins = self.slot == 0 and self.round > CLOSE_AFTER and not self.answered
        if self.may_close and begins and random.random() < CLOSES:
            return next(move for move in moves if move.verb == "close")
        if self.due is not None and self.due.many and random.random() < 0.5:
            return next(move for move in moves if move.verb == "done")
        if self.answered:
            # Numbers that are entered anew are rare.
            awaited = self.awaited
            moves = [move for move in moves if move.player in awaited]
        return moves[int(random.random() * len(moves))]


class AnyGame(Game[ScorePosition]):
    """Name, players, options and set-up."""

    id = "any_game"
    box = "no_board"
    watched = False
    board_table = "sheet"
    players = (1, 2, 3, 4, 5, 6, 7, 8)
    palette = COLOURS
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "sheet": tuple(sheets()),
        "rounds": ROUNDS,
        "target": TARGETS,
        "wins": WINS,
        "teams": tuple(TEAMS),
    }
    choices: ClassVar[Mapping[str, Choice]] = {
        "sheet": Choice(),
        "rounds": Choice(),
        "target": Choice(),
    }
    codes = CODES
    outcomes = ("most", "fewest", "level", "victory", "reached", "not_reached")
    lost_together = ("not_reached",)
    most_points_win = False
    handling_rule = "1.1"
    scoring_rule = "1.2"
    touch = SheetTouch()

    def sheet(self, options: Options) -> Sheet:
        """The sheet of a match, with what its options change."""
        return _changed(sheets()[options["sheet"]], options)

    def sides(self, players: int, options: Options) -> tuple[tuple[int, ...], ...]:
        """1.4: partners do not sit side by side."""
        number = min(TEAMS[options["teams"]] or players, players)
        return tuple(tuple(range(side, players, number)) for side in range(number))

    def setup(self, players: int, options: Options, physical: bool) -> ScorePosition:
        sides = self.sides(players, options)
        return ScorePosition(self.sheet(options), players, options, physical, sides)

    def named(self, word: str, lang: str) -> str:
        return _names(lang).get(word, "")


_KNOWN: dict[str, AnyGame] = {}
"""Games with a sheet of somebody's own, by id."""


def on_board(text: str, where: Where) -> AnyGame:
    """The game with the sheet of ``text``; ``where`` names it in messages. Raises SheetError."""
    name = f"any_game@{hashlib.sha256(text.encode('utf-8')).hexdigest()[:12]}"
    if name in _KNOWN:
        return _KNOWN[name]
    own = read_sheet(text, where)

    class OwnSheetGame(AnyGame):
        """The same game with one sheet."""

        id = name
        options: ClassVar = {key: value for key, value in AnyGame.options.items() if key != "sheet"}
        choices: ClassVar = {"rounds": Choice(), "target": Choice()}
        board_text = text
        board_name = in_lang(own.sheet.name, "en")

        def sheet(self, options: Options) -> Sheet:
            return _changed(own, options)

        def named(self, word: str, lang: str) -> str:
            words = {self.board_name: own.sheet.name, **own.words}
            return in_lang(words[word], lang) if word in words else ""

    return _KNOWN.setdefault(name, OwnSheetGame())


# -- private ------------------------------------------------------------------------------


def _changed(sheet: Sheet, options: Options) -> Sheet:
    """A sheet with what the options of a match change."""
    new = {
        name: options[name] if name == "wins" else int(options[name])
        for name in ("rounds", "target", "wins") if options[name] != AS_ON_SHEET
    }  # fmt: skip
    if sheet.sheet.order == "any":
        # There are as many rounds as rows.
        new.pop("rounds", None)
    return replace(sheet, sheet=replace(sheet.sheet, **new))  # type: ignore[arg-type]


@cache
def _names(lang: str) -> Mapping[str, str]:
    """Names of the sheets that come with Heelstone, and of all on them."""
    found = {name: in_lang(sheet.sheet.name, lang) for name, sheet in sheets().items()}
    for sheet in sheets().values():
        found |= {word: in_lang(name, lang) for word, name in sheet.words.items()}
    return found
