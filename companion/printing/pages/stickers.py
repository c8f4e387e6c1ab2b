"""Sheets of stickers for those who have the original material."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from companion.printing.colours import ASH, INK, Rgb
from companion.printing.marker import draw_sticker, rim_of
from companion.printing.names import kind_names
from companion.printing.sheet import Document, Frame
from rules.box import Box, Corner
from rules.texts import Texts

SLACK = 0.4
"""Width of the rim beyond one module, mm: for cuts that are not quite straight."""
GAP = 2.0
"""Distance between stickers, mm."""
LETTERS = 1.9
LINE = 2.35
CUT: Rgb = (150, 150, 146)


@dataclass(frozen=True, slots=True)
class Label:
    """One sticker to be cut out."""

    section: str
    """``corner``, ``lying``, or the group of the piece."""
    id: int
    side: float
    """Side of the black square, mm."""
    name: str
    number: int
    """Number among the kind's stickers, from 1."""
    count: int


def labels_of(box: Box, lang: str) -> Iterator[Label]:
    """Every sticker that the box needs, one for each piece, in the order of the sheets."""
    names = kind_names(box, lang)
    for corner in box.corners:
        yield Label("corner", corner.id, corner.size, _corner_name(corner, lang), 1, 1)
    kinds = sorted(box.kinds.values(), key=lambda kind: list(box.kinds_of_group).index(kind.group))
    for kind in kinds:
        for number in range(kind.count if kind.stickers else 0):
            sticker = kind.stickers[number % len(kind.stickers)]
            yield Label(kind.group, sticker, kind.sticker_mm, names[kind.id], number + 1,
                        kind.count)  # fmt: skip
    for kind in kinds:
        for number in range(kind.count if kind.lying_stickers else 0):
            sticker = kind.lying_stickers[number % len(kind.lying_stickers)]
            yield Label("lying", sticker, kind.sticker_mm, names[kind.id], number + 1, kind.count)


def _corner_name(corner: Corner, lang: str) -> str:
    far, right = corner.at[1] > 0, corner.at[0] > 0
    place = ("far" if far else "near") + ("_right" if right else "_left")
    return Texts("print", lang)(f"corner_{place}")


def sticker_pages(document: Document, box: Box) -> None:
    """Add the sheets of stickers."""
    writer = _Writer(document, box)
    labels = list(labels_of(box, document.lang))
    for section, group in groupby(labels, key=lambda label: (label.section, label.side)):
        writer.section(section[0], list(group))


class _Writer:
    """Sets stickers in rows, page after page."""

    def __init__(self, document: Document, box: Box) -> None:
        self.document = document
        self.box = box
        self.frame = Frame(0, 0, 0, 0)
        self.y = 0.0

    def section(self, name: str, labels: list[Label]) -> None:
        """A heading and its stickers."""
        side = labels[0].side
        outer = side + 2 * (rim_of(self.box.dictionary, side) + SLACK)
        texts = [self._text(label, outer) for label in labels]
        high = outer + 0.9 + LINE * max(len(text) for text in texts) + 1.6
        if self.y + 7.5 + high > self.frame.bottom:
            self._page()
        self._heading(name, side, len(labels))
        columns = int((self.frame.width + GAP) // (outer + GAP))
        for first in range(0, len(labels), columns):
            if self.y + high > self.frame.bottom + 0.01:
                self._page()
                self._heading(name, side, len(labels), again=True)
            row = zip(labels[first : first + columns], texts[first : first + columns], strict=True)
            for column, (label, text) in enumerate(row):
                self._sticker(label, text, self.frame.left + column * (outer + GAP), outer)
            self.y += high
        self.y += 2.0

    def _page(self) -> None:
        self.frame = self.document.page("stickers", self.document.say("stickers"))
        self.y = self.frame.top

    def _heading(self, name: str, side: float, count: int, again: bool = False) -> None:
        say = self.document.say
        title = say(f"section_{name}") if say.knows(f"section_{name}") else name
        where = say(f"where_{name}") if say.knows(f"where_{name}") else say("where_piece")
        text = say("again") if again else say("needed", count=count, side=f"{side:g}", where=where)
        x = self.frame.left
        self.document.write(title, (x, self.y + 4.2), 4.2, INK, bold=True)
        x += self.document.width_of(title, 4.2, True) + 3
        self.document.write(text, (x, self.y + 4.2), 2.7, ASH, room=self.frame.right - x)
        self.y += 7.0

    def _text(self, label: Label, outer: float) -> list[str]:
        number = f"{label.id}" if label.count == 1 else f"{label.id} · {label.number}/{label.count}"
        return [number, *self.document.lines(label.name, LETTERS, outer)]

    def _sticker(self, label: Label, text: list[str], left: float, outer: float) -> None:
        document = self.document
        document.pdf.set_draw_color(*CUT)
        document.pdf.set_line_width(0.12)
        document.pdf.rect(left, self.y, outer, outer, style="D")
        middle = left + outer / 2
        draw_sticker(
            document, self.box.dictionary, label.id, (middle, self.y + outer / 2), label.side
        )
        for number, line in enumerate(text):
            y = self.y + outer + 0.9 + LINE * number + LETTERS * 0.8
            document.write(line, (middle, y), LETTERS, ASH if number else INK, bold=not number,
                           align="middle", room=outer + 0.6)  # fmt: skip
