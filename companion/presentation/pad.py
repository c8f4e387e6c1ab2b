"""Numbers that are typed, and the sheet on which they stand, in words. Free of Kivy and of any
game: it knows only the fields that a ``Pad`` offers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

from companion.match.view import MatchView, PlayView, TableView
from companion.presentation.words.translate import _
from rules.core import Field, Move
from rules.telling import Teller
from rules.texts import minus

MOST_KEYS: Final = 12
"""Maximum number of numbers that have a key each; more are typed, figure by figure."""
MOST_FIGURES: Final = 6
BACK: Final = "⌫"
SIGN: Final = "±"
TIMES: Final = "×"
"""Keys besides the figures: the last one is wrong; below nought; the next factor."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Keys typed for one field so far."""

    row: str = ""
    """The row that was chosen; empty: the only one, or none yet."""
    seat: int | None = None
    """The seat whose number it is; None: the one that the screen asks."""
    figures: str = ""
    minus: bool = False
    factor: int = 1

    @property
    def number(self) -> int | None:
        """The number; None while there is no figure."""
        if not self.figures:
            return None
        return -int(self.figures) if self.minus else int(self.figures)

    @property
    def told(self) -> str:
        """The typed number, as it is shown."""
        by = f" {TIMES} {self.factor}" if self.factor != 1 and self.figures else ""
        return f"{'−' if self.minus else ''}{self.figures}{by}"

    def press(self, key: str, field: Field) -> Typed:
        """After another key."""
        if key == BACK:
            return replace(self, figures=self.figures[:-1], minus=self.minus and bool(self.figures))
        if key == SIGN:
            return replace(self, minus=not self.minus)
        if key == TIMES:
            factors = (1, *field.factors)
            after = factors.index(self.factor) + 1
            return replace(self, factor=factors[after % len(factors)])
        figures = f"{self.figures}{key}".lstrip("0") or "0"
        return self if len(figures) > MOST_FIGURES else replace(self, figures=figures)

    def take(self, number: int) -> Typed:
        """With a number that has a key of its own."""
        return replace(self, figures=str(abs(number)), minus=number < 0)


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A line of the sheet as it is read."""

    label: str
    cells: tuple[str, ...]
    """By seat; empty: nothing yet."""
    due: bool
    """True if this round, or this turn, is about it."""
    typed: str | None
    """Keys that were typed here; None while nothing is."""


def has_pad(view: MatchView) -> bool:
    """True if a match is about numbers that are entered."""
    return view.pad is not None and view.outcome is None and view.prompt is not None


def asks(view: PlayView) -> tuple[int, ...]:
    """The seats that are asked for a number here and now; several enter theirs in any order."""
    away = isinstance(view, TableView) and view.other is not None
    fields = view.pad.fields if view.pad is not None and view.legal else ()
    seats = dict.fromkeys(field.seat for field in fields)
    return tuple(seat for seat in seats if seat == view.asked or not away)


def question_of(view: PlayView, seat: int | None) -> tuple[Any, ...]:
    """A key of what ``seat`` is asked: it stays the same while others answer the same question."""
    prompt = view.prompt
    others = set() if prompt is None else set(prompt.together) - {seat}
    later = takewhile(lambda move: move.player in others, reversed(view.told))
    params = () if prompt is None else (prompt.code, *prompt.params)
    return (view.ply - sum(1 for _ in later), *params)


def fields_of(view: PlayView, seat: int | None = None) -> tuple[Field, ...]:
    """The fields into which ``seat``, or the one that is asked, may enter something here."""
    seat = view.asked if seat is None else seat
    fields = view.pad.fields if view.pad is not None and view.legal else ()
    return tuple(field for field in fields if field.seat == seat)


def others_of(view: PlayView) -> tuple[Move, ...]:
    """The moves that are no entries, but for the end of the turn."""
    verbs = {field.verb for field in fields_of(view)}
    return tuple(move for move in view.legal if move.verb not in verbs and move.verb != "done")


def field_of(view: PlayView, typed: Typed) -> Field | None:
    """The field that is typed into; None while one of several must be chosen."""
    fields = fields_of(view, typed.seat)
    chosen = [field for field in fields if field.row == typed.row or len(fields) == 1]
    return chosen[0] if chosen else None


def entry_of(view: PlayView, typed: Typed) -> Move | None:
    """The move that was typed; None if it is none that is allowed."""
    field, number = field_of(view, typed), typed.number
    if field is None or number is None or number not in field.numbers:
        return None
    return field.move(number, typed.factor)


def keys_of(field: Field) -> tuple[int, ...]:
    """The numbers that have a key each; none if they are typed."""
    return tuple(field.numbers) if len(field.numbers) <= MOST_KEYS else ()


def range_told(field: Field) -> str:
    """The numbers that are allowed, in words."""
    least, most = field.numbers[0], field.numbers[-1]
    if field.numbers.step > 1:
        told = _("play.numbers_in_steps")
        return told.format(least=minus(least), most=minus(most), step=field.numbers.step)
    return _("play.numbers_from_to").format(least=minus(least), most=minus(most))


def then_told(view: PlayView, move: Move) -> str:
    """The points after an entry: “then 112”; empty in games without."""
    points = view.ahead.points(move) if view.ahead is not None and view.counts_points else None
    return "" if points is None else _("play.then_points").format(points=minus(points))


def enter_told(view: PlayView, move: Move, words: str, teller: Teller) -> str:
    """Words on the key that enters a move, with who comes next if that is somebody else."""
    seat = None if view.ahead is None else view.ahead.next_asked(move)
    if seat is None or seat == move.player:
        return words
    return _("play.do_then_name").format(do=words, name=teller.seat(seat))


def paper_lines(
    view: MatchView, teller: Teller, into: Field | None = None, typed: Typed | None = None
) -> tuple[PaperLine, ...]:
    """The sheet, line by line, with what is ``typed`` ``into`` a field just now."""
    lines = () if view.pad is None else view.pad.lines
    several = len({line.row for line in lines if line.due}) > 1
    found = []
    for line in lines:
        label = [f"{line.round}."] if line.round else []
        label += [teller.word(line.row)] if line.row else []
        here = line.due and into is not None and (line.row == into.row or not several)
        cells = tuple("" if cell is None else minus(cell) for cell in line.cells)
        said = typed.told if here and typed is not None else None
        found.append(PaperLine(" ".join(label), cells, line.due, said))
    return tuple(found)


def sheet_name(view: MatchView, teller: Teller) -> str:
    """The sheet that is played on: the first choice of the game, unless it is one of the players'
    own."""
    chosen = next(iter(teller.game.choices), "")
    own = teller.game.board_name or not chosen
    return teller.game_name if own else teller.option_value(chosen, view.options[chosen])


def round_told(view: MatchView) -> str:
    """The round, of how many; empty where there are none."""
    pad = view.pad
    if pad is None or not pad.round:
        return ""
    words = "play.round_of" if pad.rounds else "play.round"
    return _(words).format(round=pad.round, rounds=pad.rounds)
