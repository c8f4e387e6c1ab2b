"""Parts of the page on which a seat gets its name: the field, company, colours, known names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.presentation.boxes import game_box
from companion.presentation.faces import faces_of
from companion.presentation.words.translate import _
from companion.ui.drawing.faces import Face
from companion.ui.screens.seats.table import ColourKey, Swatch
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Words, fit_one_line
from companion.ui.widgets.choice import mark_chosen, stacked
from companion.ui.widgets.sideways import Sideways, peeking
from companion.words.player_names import player_name
from rules.games import find_game
from rules.telling import Teller

_WIDE = 2.4
"""Width of a key in targets, where not all have room beside each other."""
_PEEK = 0.5


def company_keys(
    players: Sequence[str], sitting: str, pick: Callable[[str], None], width: float
) -> Any:
    """A row of keys; ``sitting``: who sits there now, empty for a person."""
    answers = [(_("seats.person"), ""), *((player_name(one, style.lang), one) for one in players)]
    count, gap = len(answers), style.gap_s
    each = (width - gap * (count - 1)) / count
    if each < style.target * 1.9:
        each = peeking(width, style.target * _WIDE, count, gap, style.target * _PEEK)
    keys = []
    for words, player in answers:
        key = Key(words, partial(pick, player), height=style.target, size_hint_x=None, width=each)
        mark_chosen(key, player == sitting)
        keys.append(key)
    return Sideways(keys, gap, width, style.target)


def colour_keys(
    game: str, taken: Sequence[str], teller: Teller, seat: int, take: Callable[[str], None],
    width: float, *, landscape: bool,
) -> list[ColourKey]:  # fmt: skip
    """The colours of the box, each with the mark of the seat that has it; ``taken``: by seat."""
    palette, box, keys = find_game(game).palette, game_box(game), []
    wide = (width + style.gap_s) / max(len(palette), 1) - style.gap_s
    room = min(wide, style.target * 1.25) if landscape else wide
    for colour in palette:
        owner = taken.index(colour) if colour in taken else None
        word = teller.word(colour)
        swatch = Swatch(box, colour, word, style.target * 0.46)
        keys.append(ColourKey(swatch, word, partial(take, colour), room, chosen=owner == seat))
    return keys


def recent_names(
    known: Sequence[str], faces: Mapping[str, str], pick: Callable[[str], None], width: float,
    lines: int,
) -> Any:  # fmt: skip
    """The players of earlier matches in as many lines; ``faces``: of those who sit at the table,
    who come last."""
    rows: list[Any] = []
    left = 0.0
    for name in sorted(known, key=lambda name: name in faces):
        face = Face(faces.get(name) or faces_of((name,))[0], style.type_l)
        key = Key(name, partial(pick, name), sign=face, height=style.target, size_hint_x=None)
        key.width = line_width(name, style.type_s) + face.width + style.gap_l * 2
        if left + key.width > width or not rows:
            rows.append(BoxLayout(spacing=style.gap_s, size_hint_y=None, height=style.target))
            left = 0.0
        rows[-1].add_widget(key)
        left += key.width + style.gap_s
    return stacked(rows[:lines], style.gap_s)


class NameField(Card):
    """The typed text, with a caret; the question while there is none."""

    def __init__(self, question: str) -> None:
        super().__init__(fill="slate", line="dawn", size_hint_y=None, height=style.target)
        self._question = question
        self._words: Any = None
        self.text = ""
        self.bind(pos=self._place, size=self._place)

    def show(self, text: str) -> None:
        """Show what was typed so far."""
        self.text = text
        self._place()

    def _place(self, *_: Any) -> None:
        self.clear_widgets()
        room = max(self.width - 2 * style.gap_l, 1)
        shown = f"{self.text}|" if self.text else self._question
        size = fit_one_line(shown, (style.type_m, style.type_s, style.type_xs), room)
        ink = style.bone if self.text else style.ash
        words = Words(shown, bold=True, font_size=size, color=ink, width=room, line_height=1.0)
        words.pos = (self.x + style.gap_l, self.y + self.height / 2 - words.height / 2)
        self.add_widget(words)
