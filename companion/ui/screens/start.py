"""The start screen: a shelf of games."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.presentation.remote_table import Pairing
from companion.presentation.setting_up.on_the_shelf import Only, facts, offered, only_words, shown
from companion.presentation.words.pairings import pairing_text, pairing_title
from companion.presentation.words.translate import _, other_language
from companion.ui import frame_queue
from companion.ui.drawing.ink import Round
from companion.ui.drawing.pictures import CoverPictures
from companion.ui.shell import ShelfWays, Shell
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Symbol, Words, fit_one_line, fits
from companion.ui.widgets.choice import SignRow, mark_chosen
from companion.ui.widgets.page import PageScreen, beside, head
from companion.ui.widgets.sheet import Column
from companion.ui.widgets.sideways import Sideways, peeking
from rules.texts import Texts, after

# -- fronts of boxes --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoxWords:
    """Words on a box."""

    title: str
    facts: tuple[str, ...]
    """Lines below the title."""


class BoxFront(ButtonBehavior, Card):  # type: ignore[misc]
    """A box to be taken from the shelf. ``learn``: what its lesson does; None: it has none.

    ``at_once``: the cover stands in the first frame; otherwise it may come a little later.
    """

    def __init__(
        self,
        game: str,
        words: BoxWords,
        press: Callable[[], None],
        size: tuple[float, float],
        pictures: CoverPictures,
        sizes: tuple[float, float],
        *,
        learn: Callable[[], None] | None = None,
        at_once: bool = True,
    ) -> None:
        """``sizes``: see ``lettering``."""
        super().__init__(fill="slate", line="edge", size_hint=(None, None), size=size)
        self.game, self.text = game, words.title
        self._pictures, self._asked, self._at_once = pictures, False, at_once
        self._drawing = InstructionGroup()
        self.canvas.before.add(self._drawing)
        self._lines = _lines(words, size[0] - 2 * style.gap, sizes)
        self.words_height = sum(line.height for line in self._lines)
        """Room that is kept for the words, px."""
        self.learn: Any = None
        """The key of its lesson, if it has one."""
        for line in self._lines:
            self.add_widget(line)
        if learn is not None:
            self.learn = Key(
                _("shelf.learn_in_60_seconds"), learn, height=style.target, size_hint=(None, None),
                width=size[0] - 2 * style.gap_s,
            )  # fmt: skip
            self.add_widget(self.learn)
        self._box: tuple[int, int, int, int] = (0, 0, 1, 1)
        """Place of the picture: x, y, width and height in whole px, so that it stays sharp."""
        self._texture: Any = None
        # Once per frame: a layout moves it four times.
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later, state=self._later)
        self.bind(on_release=lambda *_: press())
        self._later()

    @property
    def pictured(self) -> bool:
        """True if its picture is shown."""
        return self._texture is not None

    def _place(self, *_: Any) -> None:
        at = self.y + style.gap_s
        if self.learn is not None:
            self.learn.pos = (self.x + style.gap_s, at)
            at += self.learn.height + style.gap_s
        spare = self.words_height - sum(line.height for line in self._lines)
        floor, at = at, at + spare / 2
        for line in reversed(self._lines):
            line.pos = (self.x + style.gap, at)
            at += line.height
        at = floor + self.words_height
        low, top = round(at + style.gap_s), round(self.y + self.height)
        left, right = round(self.x), round(self.x + self.width)
        self._box = (left, low, max(right - left, 1), max(top - low, 1))
        self._draw()

    def _draw(self) -> None:
        x, y, width, height = self._box
        group, radius = self._drawing, self.rounding
        if self._at_once and self.get_root_window() is not None:
            self._texture = self._pictures.of(
                self.game, (width, height), round(radius), below=False
            )
        elif self._texture is None and not self._asked:
            self._asked = True
            frame_queue.soon(self._fetch)
        group.clear()
        if self._texture is not None:
            group.add(Color())
            group.add(Rectangle(texture=self._texture, pos=(x, y), size=(width, height)))
        if self.state == "down":
            group.add(Color(*style.tone("dawn", 0.25)))
            group.add(Round(self.pos, self.size, radius))

    def _fetch(self) -> None:
        self._asked, self._at_once = False, True
        if self.get_root_window() is not None:
            self._place()


def lettering(boxes: Sequence[BoxWords], width: float) -> tuple[float, float]:
    """One size of type (px) for all titles, and one for all facts, on boxes ``width`` px wide.

    A title that is too long for one line even in the smallest size takes two.
    """
    room, small = width - 2 * style.gap, style.type_s
    titles = (style.type_m, style.body, small)
    short = [box.title for box in boxes if fits(box.title, small, room)]
    told = (small, style.type_xs)
    return (
        min((fit_one_line(title, titles, room) for title in short), default=small),
        min((fit_one_line(f, told, room) for box in boxes for f in box.facts), default=small),
    )


def level(boxes: Sequence[BoxFront]) -> None:
    """The covers of ``boxes`` end at the same height."""
    highest = max((box.words_height for box in boxes), default=0.0)
    for box in boxes:
        box.words_height = highest


def _lines(words: BoxWords, width: float, sizes: tuple[float, float]) -> list[Any]:
    """Title and facts; a title of two lines is smaller."""
    size = fit_one_line(words.title, (sizes[0], style.type_s), width)
    lines = [Words(words.title, bold=True, font_size=size, width=width, line_height=1.05)]
    for number, fact in enumerate(words.facts):
        ink = style.ash if number else style.bone
        lines.append(Words(fact, font_size=sizes[1], color=ink, width=width, line_height=1.1))
    return lines


BOX_WIDTH, BOX_HEIGHT, PEEK = 238.0, 286.0, 26.0
"""A box, and how much of the next one is in sight; px at a short side of 480."""


@dataclass(slots=True)
class ShelfPlace:
    """Part of the shelf that is in sight, for the way back to it."""

    only: Only = Only.ALL
    part: float = 0.0
    """Scroll position, 0 to 1."""


class StartScreen(PageScreen):
    """The shelf of ``shell``; ``pictures`` are those on the boxes. Notices whose texts were
    ``read`` are not shown again, unless nothing can be saved. ``place`` is kept up to date."""

    def __init__(
        self,
        shell: Shell,
        ways: ShelfWays,
        pictures: CoverPictures,
        *,
        read: Collection[str] = (),
        place: ShelfPlace | None = None,
        now_s: Callable[[], float] = time.time,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.shell, self._ways, self._pictures = shell, ways, pictures
        self._read, self._now_s = read, now_s
        self.unfinished = tuple(shell.unfinished())
        self._played = shell.last_played()
        self.place = place or ShelfPlace()
        self._row: Sideways | Column | None = None
        self._pairings = self._waiting()
        self.more_shown = False
        """True if the page behind *More* is shown instead of the shelf."""

    # -- what touches do ------------------------------------------------------------------

    def show_only(self, only: Only) -> None:
        """Show these games."""
        self.place.only, self.place.part = only, 0.0
        self._row, self._lists = None, []
        self.renew()

    def heed(self) -> None:
        """Other games of tournaments may wait for this table than before."""
        if self._pairings != (waiting := self._waiting()):
            self._pairings = waiting
            self._note_place()
            self.renew()

    def leave(self) -> None:
        """The screen is no longer shown."""
        self._note_place()
        super().leave()

    def more(self) -> None:
        """Show what is not about playing."""
        self._note_place()
        self.more_shown = True
        self.renew()

    def back(self) -> None:
        """Back from there to the shelf."""
        self.more_shown = False
        self.renew()

    # -- building -------------------------------------------------------------------------

    def build(self, frame: Any, width: float) -> None:
        if self.more_shown:
            self._build_more(frame, width)
        else:
            self._build_shelf(frame, width)

    def _build_shelf(self, frame: Any, width: float) -> None:
        fronts = {game: self._pictures.fronts.of(game) for game in self.shell.games()}
        choices = offered(fronts, self._played)
        keys = [self._choice(only, len(fronts)) for only in choices]
        title = _("shelf.what_shall_we_play")
        if self.landscape:
            frame.add_widget(head(title, "", width, keys))
        else:
            frame.add_widget(head(title, "", width))
            if keys:
                frame.add_widget(beside(*keys))
        tell_news(frame, self.shell, self._ways.notices, self._read)
        foot = self._foot(width)
        below = sum(line.height + frame.spacing for line in foot)
        room = frame.height - below - sum(w.height + frame.spacing for w in frame.children)
        games = shown(fronts, self._played, self.place.only)
        if self.landscape:
            self._row = self._across(games, width, room)
        else:
            self._row = self._below_each_other(games, width, room)
        frame.add_widget(self._row)
        if self.place.part:
            Clock.schedule_once(self._scroll_back)
        for line in foot:
            frame.add_widget(line)

    def _note_place(self) -> None:
        scroll = None if self._row is None else self._row.scroll
        if scroll is not None:
            self.place.part = scroll.scroll_x if self.landscape else 1 - scroll.scroll_y
        self._row = None

    def _scroll_back(self, *_: Any) -> None:
        scroll = None if self._row is None else self._row.scroll
        if scroll is not None and self.landscape:
            scroll.scroll_x = self.place.part
        elif scroll is not None:
            scroll.scroll_y = 1 - self.place.part

    def _choice(self, only: Only, count: int) -> Any:
        key = Key(only_words(only, count), partial(self.show_only, only), height=style.target)
        if self.landscape:
            key.size_hint_x, key.width = None, _wide(key)
        mark_chosen(key, only is self.place.only)
        return key

    def _across(self, games: tuple[str, ...], width: float, room: float) -> Any:
        """The boxes side by side, up to the edge of the screen."""
        gap, reach = style.gap, width + style.margin
        each = peeking(
            reach, BOX_WIDTH * style.factor, len(games), gap, PEEK * style.factor
        )  # fmt: skip
        seen = int(reach // (each + gap)) + 1
        boxes = self._fronts(games, (each, room), seen)
        level(boxes)
        return Sideways(boxes, gap, reach, room)

    def _below_each_other(self, games: tuple[str, ...], width: float, room: float) -> Any:
        """Two boxes in a row; rows are scrolled."""
        gap = style.gap
        # The bar of the list is beside the boxes.
        wide, rows = (width - gap - style.gap) / 2, -(-len(games) // 2)
        high = peeking(room, BOX_HEIGHT * style.factor, rows, gap, PEEK * 1.6 * style.factor)
        seen = 2 * (int(room // (high + gap)) + 1)
        boxes, lines = self._fronts(games, (wide, high), seen), []
        for start in range(0, len(games), 2):
            pair = boxes[start : start + 2]
            level(pair)
            lines.append(beside(*pair, *(Widget() for _n in range(2 - len(pair))), gap=gap))
        return self.listing(lines, gap)

    @property
    def _returned(self) -> bool:
        """True if any box may be in sight; all covers have been drawn by then."""
        return self.place.part > 0

    def _fronts(self, games: Sequence[str], size: tuple[float, float], seen: int) -> list[BoxFront]:
        """The boxes; the first ``seen`` are in sight at once."""
        words = [self._words(game) for game in games]
        sizes, boxes = lettering(words, size[0]), []
        for number, (game, told) in enumerate(zip(games, words, strict=True)):
            learn = self._ways.lessons if self._pictures.fronts.of(game).lesson else None
            box = BoxFront(
                game, told, partial(self._ways.choose, game), size, self._pictures, sizes,
                learn=None if learn is None else partial(learn, game),
                at_once=self._returned or number < seen,
            )  # fmt: skip
            boxes.append(box)
        return boxes

    def _words(self, game: str) -> BoxWords:
        front = self._pictures.fronts.of(game)
        told = facts(front, self._played.get(game), self._now_s())
        return BoxWords(front.titles[style.lang], told)

    def _waiting(self) -> tuple[Pairing, ...]:
        together = self.shell.together
        return () if together is None else together.now.pairings

    def _tournament(self, width: float) -> list[Any]:
        """A line that begins the game of a tournament that waits for this table, if one does; or
        leads to all."""
        if not self._pairings or self._ways.tournament is None:
            return []
        own = [one for one in self._pairings if one.here]
        if len(own) == 1:
            title, text = pairing_title(own[0]), pairing_text(own[0], style.lang)
        else:
            title = self._pairings[0].tournament
            text = _("together.games_wait").format(count=len(self._pairings))
        return [beside(_Tile(title, text, "→", "dawn", self._ways.tournament, width))]

    def _foot(self, width: float) -> list[Any]:
        """The rest of the page: tiles first; upright they have a line of their own."""
        tiles, first = [], self._tournament(width)
        if self.unfinished:
            text = _("shelf.one_match_is_open")
            if len(self.unfinished) > 1:
                text = _("shelf.count_matches_are_open").format(count=len(self.unfinished))
            tiles.append((_("shelf.go_on_playing"), text, "▶", "dawn", self._ways.open_matches))
        if self._ways.virtual is not None:
            text = _("shelf.without_a_board_and_a_camera")
            tiles.append((_("screens.virtual_table"), text, "▣", "ask", self._ways.virtual))
        keys = [
            Key(_("screens.history"), self._ways.records, height=_FOOT * style.factor),
            Key(_("screens.more"), self.more, symbol="☰", height=_FOOT * style.factor),
        ]
        if not self.landscape:
            each = (width - style.gap_s) / 2 if len(tiles) > 1 else width
            line = [_Tile(*tile, each) for tile in tiles]
            return [*first, *([beside(*line)] if tiles else []), beside(*keys)]
        small = 132 * style.factor
        each = (width - 2 * (small + style.gap_s)) / max(len(tiles), 1) - style.gap_s
        if tiles:
            for key in keys:
                key.size_hint_x, key.width = None, small
        return [*first, beside(*[_Tile(*tile, each) for tile in tiles], *keys)]

    # -- what is not about playing --------------------------------------------------------

    def _build_more(self, frame: Any, width: float) -> None:
        back = Key(_("screens.back_to_the_shelf"), self.back, symbol="←")
        frame.add_widget(head(_("screens.more"), "", width))
        everything_in, other = Texts("shelf.everything_in", style.lang), after(style.lang)
        everything = everything_in[other] if everything_in.knows(other) else ""
        rows = [
            (_("screens.workshop"), _("shelf.camera_lamps_boards_settings"), "⚙",
             self._ways.workshop),
            (other_language(), everything, "Aa",
             self._ways.language),
            (_("shelf.light_or_dark"), _("shelf.for_daylight"), "◐", self._ways.theme),
        ]  # fmt: skip
        inner = width - style.gap
        tiles = [
            _Tile(title, text, sign, "edge", press, inner) for title, text, sign, press in rows
        ]
        frame.add_widget(self.listing(tiles, style.gap_s))
        frame.add_widget(back)


def tell_news(
    frame: Any, shell: Shell, on_notices: Callable[[], None], read: Collection[str]
) -> None:
    """One line about what players should know, if it was not read yet; a touch shows all of it."""
    machine, notices = shell.machine_notes(), shell.notices()
    if not (machine or notices):
        return
    # Mostly all is well, and the shelf appears sooner without these words.
    from companion.presentation.words.troubles import notices_of

    news = [t for t in notices_of(machine, notices) if t.stops or t.text not in read]
    if news:
        line = Key(news[0].title, on_notices, symbol="!", height=style.target)
        line.tint("dawn", "dawn", 0.13)
        frame.add_widget(line)


_FOOT = 60.0
"""Height of what is below the shelf, px at a short side of 480."""


class _Tile(SignRow):
    """A way to somewhere: a sign, a name, and a few words about it."""

    def __init__(
        self,
        title: str,
        text: str,
        sign: str,
        tone: str,
        press: Callable[[], None],
        width: float,
    ) -> None:
        ink = style.tone("bone" if tone == "edge" else tone)
        symbol = Symbol(text=sign, color=ink, font_size=style.type_m, size_hint=(None, None))
        symbol.size = symbol.extent
        room, sizes = width - symbol.width - 3 * style.gap, (style.type_s, style.type_xs)
        words = [
            Words(title, bold=True, width=room, line_height=1.0,
                  font_size=fit_one_line(title, sizes, room)),
            Words(text, color=style.ash, width=room, line_height=1.0,
                  font_size=fit_one_line(text, sizes, room)),
        ]  # fmt: skip
        super().__init__(title, symbol, words, press, fill="stone", line=tone)
        self.symbol, self.height = sign, _FOOT * style.factor


def _wide(key: Any) -> float:
    """Width that a key needs for its word, px."""
    return line_width(key.text, style.type_s) + 2 * float(style.gap_l)
