"""The matches that are still open: each can be taken up again, looked at, or given up."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.presentation.words.sentences import player_names
from companion.presentation.words.translate import _
from companion.ui.drawing.pictures import CoverPictures
from companion.ui.shell import OpenWays, Shell, UnfinishedMatch
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Words, fit_one_line
from companion.ui.widgets.page import PageScreen, beside, head


class OpenMatchesScreen(PageScreen):
    """The open matches of ``shell``, the one played last first."""

    def __init__(
        self,
        shell: Shell,
        ways: OpenWays,
        pictures: CoverPictures,
        *,
        tell: Callable[[Any], None] = lambda _frame: None,
        now_s: Callable[[], float] = time.time,
        **kwargs: Any,
    ) -> None:
        """``tell`` adds what players should know first to a frame."""
        super().__init__(**kwargs)
        self.shell, self._ways, self._pictures = shell, ways, pictures
        self._tell, self._now_s = tell, now_s
        self.unfinished = tuple(shell.unfinished())
        self.giving_up: UnfinishedMatch | None = None
        """The match that is to be given up, if that is confirmed."""

    # -- what touches do ------------------------------------------------------------------

    def ask(self, match: UnfinishedMatch) -> None:
        """Give this match up?"""
        self.giving_up = match
        self.renew()

    def keep(self) -> None:
        """Keeps the match open."""
        self.giving_up = None
        self.renew()

    def give_up(self) -> None:
        """Gives the match up."""
        assert self.giving_up is not None
        self._ways.give_up(self.giving_up.match_id)
        self.giving_up, self.unfinished = None, tuple(self.shell.unfinished())
        if self.unfinished:
            self.renew()
        else:
            self._ways.shelf()

    # -- building -------------------------------------------------------------------------

    def build(self, frame: Any, width: float) -> None:
        if self.giving_up is not None:
            self._build_question(frame, width, self.giving_up)
            return
        told = _("shelf.a_match_is_not_finished_yet")
        if len(self.unfinished) > 1:
            told = _("shelf.several_matches_are_not_finished_yet")
        frame.add_widget(head(_("shelf.go_on_playing_question"), told, width))
        self._tell(frame)
        rows = [
            self._row(match, width - style.gap, newest=number == 0)
            for number, match in enumerate(self.unfinished)
        ]
        frame.add_widget(self.listing(rows, style.gap_s))
        keys = [Key(_("screens.new_match"), self._ways.shelf)]
        if self.unfinished:
            newest = partial(self._ways.resume, self.unfinished[0].match_id)
            keys.append(Key(_("shelf.go_on"), newest, symbol="→", primary=True))
        frame.add_widget(beside(*keys))

    def _row(self, match: UnfinishedMatch, width: float, *, newest: bool) -> Any:
        keys = [
            Key(
                _("screens.review"), partial(self._ways.review, match.match_id), height=style.target
            ),
            Key(_("shelf.give_up"), partial(self.ask, match), symbol="✕", height=style.target),
        ]
        resume = partial(self._ways.resume, match.match_id)
        picture = self._pictures.of(match.game, _picture_size(), round(style.radius * 0.6))
        words = (self._title(match), _standing(match), self._saved(match))
        return _MatchCard(words, picture, resume, keys, width, newest=newest, wide=self.landscape)

    def _build_question(self, frame: Any, width: float, match: UnfinishedMatch) -> None:
        frame.add_widget(head(_("shelf.give_this_match_up"), "", width))
        frame.add_widget(Widget())
        told = f"{self._title(match)}: {_standing(match)}"
        after = _("shelf.it_cannot_be_played_on_then")
        frame.add_widget(Words(told, bold=True, font_size=style.type_m, width=width))
        frame.add_widget(Words(after, color=style.ash, width=width))
        frame.add_widget(Widget())
        keep = Key(_("shelf.keep_the_match"), self.keep, primary=True)
        frame.add_widget(beside(keep, Key(_("shelf.give_up"), self.give_up, symbol="✕")))

    def _title(self, match: UnfinishedMatch) -> str:
        return self._pictures.fronts.of(match.game).titles[style.lang]

    def _saved(self, match: UnfinishedMatch) -> str:
        if match.saved_s <= 0:
            # The clock was wrong then.
            return _("screens.turn").format(turn=match.turn)
        minutes = max(int((self._now_s() - match.saved_s) // 60), 0)
        return _("shelf.turn").format(turn=match.turn, ago=_ago(minutes))


_PICTURE = (142.0, 88.0)
"""Size of a picture at a short side of 480, px."""


def _picture_size() -> tuple[int, int]:
    return (round(_PICTURE[0] * style.factor), round(_PICTURE[1] * style.factor))


class _MatchCard(ButtonBehavior, Card):  # type: ignore[misc]
    """A match to go on with: its game, how it stands, and what else can be done with it."""

    def __init__(
        self,
        words: tuple[str, str, str],
        picture: Any,
        press: Callable[[], None],
        keys: list[Any],
        width: float,
        *,
        newest: bool,
        wide: bool,
    ) -> None:
        """``words``: the game, the players, the time; ``wide``: the keys are beside the words."""
        super().__init__(fill="stone", line="dawn" if newest else "edge", size_hint_y=None)
        self.text, self._picture, self._size = words[0], picture, _picture_size()
        key_width = 124 * style.factor if wide else (width - 2 * style.gap - style.gap_s) / 2
        for key in keys:
            key.size_hint, key.width = (None, None), key_width
        self._keys, self._wide = keys, wide
        room = width - self._size[0] - 3 * style.gap - (key_width + style.gap if wide else 0)
        title_px = fit_one_line(words[0], (style.type_m, style.type_s), room)
        self._words = [Words(words[0], bold=True, font_size=title_px, width=room, line_height=1.0)]
        self._words.append(Words(words[1], width=room))
        self._words.append(Words(words[2], color=style.ash, font_size=style.type_xs, width=room))
        inner = max(self._size[1], sum(line.height for line in self._words))
        beside_px = sum(key.height for key in keys) + style.gap_s
        self.height = (
            max(inner, beside_px) + 1.4 * style.gap
            if wide
            else inner + style.target + 2.4 * style.gap
        )
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        for widget in (*self._words, *keys):
            self.add_widget(widget)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        below = 0.0 if self._wide else style.target + style.gap
        middle = self.y + below + (self.height - below) / 2
        corner = (round(self.x + style.gap), round(middle - self._size[1] / 2))
        self._drawing.clear()
        self._drawing.add(Color())
        self._drawing.add(Rectangle(texture=self._picture, pos=corner, size=self._size))
        left = corner[0] + self._size[0] + style.gap
        top = middle + sum(line.height for line in self._words) / 2
        for line in self._words:
            top -= line.height
            line.pos = (left, top)
        self._place_keys(middle)

    def _place_keys(self, middle: float) -> None:
        high = sum(key.height for key in self._keys) + style.gap_s
        right, top = self.x + self.width - style.gap, middle + high / 2
        for number, key in enumerate(self._keys):
            if self._wide:
                top -= key.height
                key.pos = (right - key.width, top)
                top -= style.gap_s
            else:
                at = self.x + style.gap + number * (key.width + style.gap_s)
                key.pos = (at, self.y + style.gap)


def _standing(match: UnfinishedMatch) -> str:
    names = player_names(match.game, style.lang, match.colours, match.names)
    if not match.scores:
        return " · ".join(names)
    pairs = zip(names, match.scores, strict=True)
    return " · ".join(f"{name}\u00a0{score}" for name, score in pairs)


def _ago(minutes: int) -> str:
    if minutes < 2:
        return _("shelf.just_now")
    if minutes < 60:
        return _("shelf.count_minutes_ago").format(count=minutes)
    if minutes < 48 * 60:
        return _("shelf.count_hours_ago").format(count=minutes // 60)
    return _("shelf.count_days_ago").format(count=minutes // (24 * 60))
