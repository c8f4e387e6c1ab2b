"""Fingers on a pad of numbers, on the screen and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.match.view import PlayView
from companion.presentation.pad import BACK, SIGN, TIMES, fields_of, keys_of
from rules.core import Field, Move
from rules.texts import minus
from tests.support.ui_harness import key, tick, walk


def typed_on_phone(picture: Mapping[str, Any]) -> set[str]:
    """Every move that the pad of a phone can say."""
    found = set()
    for field in picture["pad"]:
        for number in range(field["least"], field["most"] + 1, field["step"]):
            found.add(f"{field['stem']} {number}")
            found |= {f"{field['stem']} {number} by={factor}" for factor in field["factors"]}
    return found


def typed_on_screen(view: PlayView) -> Iterator[Move]:
    """Every move that the pad of the screen can say."""
    for field in fields_of(view):
        for number in field.numbers:
            yield from (field.move(number, factor) for factor in (1, *field.factors))


def strokes(view: PlayView, move: Move) -> list[str] | None:
    """The keys that say a move, by what is on them, in order; None if it is no entry. The row to be
    chosen comes first as its id, and the yellow key is left to the caller."""
    fields = fields_of(view)
    field = next((one for one in fields if move.args[:1] == (one.row,)), None)
    if field is None or move.verb != field.verb:
        return None
    number = int(move.args[1])
    row = [field.row] if len(fields) > 1 else []
    if keys_of(field):
        return row if len(field.numbers) == 1 else [*row, minus(number)]
    sign = [SIGN] if number < 0 else []
    return [*row, *str(abs(number)), *sign, *_factor(field, move)]


def type_number(screen: Any, move: Move, tap: Callable[[float, float], None]) -> bool:
    """Type the number of ``move`` on the desk and enter it; False if it is none."""
    said = strokes(screen.view, move)
    if said is None:
        return False
    from companion.presentation.words.sentences import teller_of
    from companion.ui.theme.style import style

    word = teller_of(screen.view, style.lang).word
    signs = {SIGN: "+ / −", BACK: BACK}
    ply = screen.view.ply
    if move.player is not None and move.player != screen.view.asked:
        turn_to(screen, move.player, tap)
    for stroke in said:
        if stroke == TIMES:
            found = next(w for w in walk(screen) if getattr(w, "text", "").startswith(f"{TIMES} "))
        else:
            found = key(
                screen, signs.get(stroke) or (word(stroke) if stroke in move.args[:1] else stroke)
            )
        tap(*found.to_window(*found.center))
        tick(2)
    if screen.view.ply == ply:
        found = next(w for w in walk(screen) if getattr(w, "move", None) == move)
        tap(*found.to_window(*found.center))
        tick(2)
    return True


def turn_to(screen: Any, seat: int, tap: Callable[[float, float], None]) -> None:
    """Touch the column of ``seat``, whose number is typed next."""
    paper = screen.desk.paper
    left, width = paper._column(seat)
    tap(*paper.to_window(paper.x + left + width / 2, paper.y + paper.height / 3))
    tick(2)


def _factor(field: Field, move: Move) -> list[str]:
    factors = (1, *field.factors)
    by = int(move.args[2].partition("=")[2]) if len(move.args) > 2 else 1
    return [TIMES] * factors.index(by)
