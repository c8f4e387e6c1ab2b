"""Paper, pages and what is on every page: the ruler and the line that names it.

Page millimetres: origin at the upper left corner, x to the right, y down. fpdf2 is imported when a
document is begun, since it takes half a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from functools import cache
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from companion.printing.colours import ASH, INK, Rgb
from companion.settings.writing import hand_out
from companion.words.errors import HeelstoneError
from rules.near import hint
from rules.texts import Texts

if TYPE_CHECKING:
    from fpdf import FPDF
    from fpdf.drawing_primitives import DeviceCMYK, DeviceGray, DeviceRGB

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
"""Sizes of upright papers: width and height in mm."""
MARGIN = 5.0
"""Width that home printers leave white, mm."""
FOOTER = 11.0
"""Height of the strip with ruler and name, mm above the lower margin."""
RULER = 100.0
CAPITAL = 0.727
"""Height of a capital letter per size of the letters."""
POINT = 25.4 / 72


class PrintError(HeelstoneError):
    """A set cannot be printed; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle on a page, mm."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


@dataclass(slots=True)
class PrintedPage:
    """Contents of a page."""

    page: int
    what: str
    """``board``, ``stickers``, ``cards`` or ``pieces``."""
    paper: str
    title: str
    centre: tuple[float, float] | None = None
    """Place of the board's centre relative to this page, mm; None if it is not part of a board."""
    own: tuple[float, float, float, float] | None = None
    """The part of the board that is seen here when all is glued: left, bottom, right, top, mm."""
    stickers: list[int] = field(default_factory=list)
    """Ids of the whole stickers on the page, once for each time one is there."""
    sticker_mm: list[float] = field(default_factory=list)
    """Side of the black square of each of them."""


class Document:
    """A PDF that is being drawn."""

    def __init__(self, paper: str, lang: str, title: str) -> None:
        """Raises PrintError if there is no such paper or fpdf2 is not installed."""
        if find_spec("fpdf") is None:
            raise PrintError("fpdf_missing")
        from fpdf import FPDF, ViewerPreferences
        from fpdf.enums import RenderStyle

        self.lang, self.title = lang, title
        self.take(paper)
        self.say = Texts("print", lang)
        self.pages: list[PrintedPage] = []
        self.pdf: FPDF = FPDF(unit="mm", format=PAPERS[self.paper])
        self._drawn, self._filled = RenderStyle.D, RenderStyle.F
        self._both = RenderStyle.DF
        self._widths: dict[tuple[str, float, bool], float] = {}
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.viewer_preferences = ViewerPreferences(print_scaling="None")
        self.pdf.set_title(f"Heelstone: {title}")
        self.pdf.set_creator("Heelstone")
        self.pdf.set_lang(lang)
        for style, name in (("", "Regular"), ("B", "SemiBold")):
            font = files("companion") / "presentation" / "fonts" / f"HeelstoneSans-{name}.otf"
            with as_file(font) as path:
                self.pdf.add_font("heelstone", style, path)

    def take(self, paper: str) -> None:
        """Use this paper for the next pages. Raises PrintError if there is no such paper."""
        if paper not in PAPERS:
            raise PrintError("no_paper", paper=paper, hint=hint(paper, PAPERS))
        self.paper = paper

    def page(self, what: str, title: str, *, across: bool = False) -> Frame:
        """Begin a page; returns the room above its footer. ``across``: landscape."""
        orientation = "landscape" if across else "portrait"
        self.pdf.add_page(orientation, format=PAPERS[self.paper])
        self.pages.append(PrintedPage(len(self.pages) + 1, what, self.paper, title))
        frame = self.room(across)
        self._footer(frame, title)
        return frame

    def room(self, across: bool = False) -> Frame:
        """Frame of a page above its footer."""
        width, height = PAPERS[self.paper][::-1] if across else PAPERS[self.paper]
        return Frame(MARGIN, MARGIN, width - 2 * MARGIN, height - 2 * MARGIN - FOOTER)

    def save(self, path: Path) -> None:
        """Write the file. Raises OSError, HandedError."""
        hand_out(path, bytes(self.pdf.output()), make_folder=False)

    def note(self, sticker: int, side: float) -> None:
        """Remember that a whole sticker is on this page."""
        self.pages[-1].stickers.append(sticker)
        self.pages[-1].sticker_mm.append(side)

    @contextmanager
    def clipped(self, frame: Frame) -> Iterator[None]:
        """Clips all that is drawn meanwhile to ``frame``."""
        # Leaving a clip restores the previous colours; only a context of its own knows that.
        with self.pdf.local_context(), self.pdf.rect_clip(*astuple(frame)):
            yield

    # -- drawing ------------------------------------------------------------------------------

    def fill(self, points: Sequence[tuple[float, float]], colour: Rgb) -> None:
        """A filled polygon."""
        self.pdf.set_fill_color(_ink(colour))
        self.pdf.polygon(points, style=self._filled)

    def stroke(
        self,
        points: Sequence[tuple[float, float]],
        colour: Rgb,
        width: float,
        *,
        closed: bool = False,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """A line through ``points``, ``width`` mm wide."""
        self.pdf.set_draw_color(_ink(colour))
        self.pdf.set_line_width(width)
        if dash:
            self.pdf.set_dash_pattern(*dash)
        if closed:
            self.pdf.polygon(points, style=self._drawn)
        elif len(points) == 2:
            self.pdf.line(*points[0], *points[1])
        else:
            self.pdf.polyline(points, style=self._drawn)
        if dash:
            self.pdf.set_dash_pattern()

    def disc(
        self,
        at: tuple[float, float],
        radius: float,
        fill: Rgb | None = None,
        line: Rgb | None = None,
        width: float = 0.3,
    ) -> None:
        """A circle, filled or drawn or both."""
        style = self._drawn if fill is None else self._filled if line is None else self._both
        if fill is not None:
            self.pdf.set_fill_color(_ink(fill))
        if line is not None:
            self.pdf.set_draw_color(_ink(line))
            self.pdf.set_line_width(width)
        self.pdf.circle(at[0], at[1], radius, style=style)

    def width_of(self, text: str, size: float, bold: bool = False) -> float:
        """Width in mm of ``text`` in letters of ``size`` mm."""
        known = self._widths.get((text, size, bold))
        if known is None:
            self._letters(size, bold)
            known = float(self.pdf.get_string_width(text))
            self._widths[text, size, bold] = known
        return known

    def _letters(self, size: float, bold: bool) -> None:
        self.pdf.set_font("heelstone", "B" if bold else "", size / POINT)

    def write(
        self,
        text: str,
        at: tuple[float, float],
        size: float,
        colour: Rgb = INK,
        *,
        bold: bool = False,
        align: Literal["left", "middle", "right"] = "left",
        room: float | None = None,
        turn: float = 0.0,
    ) -> None:
        """One line of text; ``at`` is on its base line, ``size`` in mm.

        ``room``: letters shrink until the text is no wider. ``turn``: degrees, counter-clockwise
        about ``at``.
        """
        wide = self.width_of(text, size, bold)
        if room is not None and wide > room:
            size, wide = size * room / wide, room
        self._letters(size, bold)
        left = at[0] - {"left": 0.0, "middle": wide / 2, "right": wide}[align]
        self.pdf.set_text_color(_ink(colour))
        if turn:
            with self.pdf.rotation(turn, at[0], at[1]):
                self.pdf.text(left, at[1], text)
        else:
            self.pdf.text(left, at[1], text)

    def lines(self, text: str, size: float, room: float, bold: bool = False) -> list[str]:
        """``text`` broken into lines no wider than ``room`` mm; a longer word stands alone."""
        broken: list[str] = []
        for word in text.split():
            longer = f"{broken[-1]} {word}" if broken else word
            if broken and self.width_of(longer, size, bold) <= room:
                broken[-1] = longer
            else:
                broken.append(word)
        return broken

    def paragraph(
        self, text: str, at: tuple[float, float], room: float, size: float, colour: Rgb = INK
    ) -> float:
        """Text broken into lines; returns the y of the base line that would come next."""
        y = at[1]
        for line in self.lines(text, size, room):
            self.write(line, (at[0], y), size, colour)
            y += size * 1.4
        return y

    # -- what every page has --------------------------------------------------------------------

    def _footer(self, frame: Frame, title: str) -> None:
        y = frame.bottom + 6.0
        left = frame.left + 1.0
        self.stroke([(left, y), (left + RULER, y)], INK, 0.2)
        for mm in range(int(RULER) + 1):
            tall = 3.2 if mm % 50 == 0 else 2.2 if mm % 10 == 0 else 1.4 if mm % 5 == 0 else 0.8
            self.stroke([(left + mm, y), (left + mm, y - tall)], INK, 0.12)
        # on a narrow page the ruler leaves less than half of the line
        self.write(self.say("ruler"), (left, y + 3.4), 2.5, ASH, room=RULER)
        room = frame.right - left - RULER - 8
        right = frame.right - 1.0
        self.write(self.title, (right, y - 0.2), 3.0, INK, bold=True, align="right", room=room)
        number = self.say("page", number=len(self.pages))
        text = f"{title} · {self.paper.upper()} · {number}"
        self.write(text, (right, y + 3.4), 2.5, ASH, align="right", room=room)


@cache
def _ink(colour: Rgb) -> DeviceCMYK | DeviceGray | DeviceRGB:
    """A colour as fpdf2 keeps it, which it would otherwise work out for every stroke."""
    from fpdf.drawing_primitives import convert_to_device_color

    return convert_to_device_color(*colour)
