"""The start screen: what was left unfinished, or a shelf of games."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, InstructionGroup, SmoothRoundedRectangle
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.ui.drawing.board import Board
from companion.ui.drawing.front_pictures import FrontPictures
from companion.ui.model.boxes import game_box
from companion.ui.model.scene import bare_scene
from companion.ui.model.ways import ShelfWays
from companion.ui.screens.box_front import BoxFront
from companion.ui.shell import Shell, UnfinishedMatch
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Words
from companion.ui.widgets.page import PageScreen, beside, head
from companion.ui.words.sentences import player_names
from companion.ui.words.translate import _
from rules.games import find_game
from rules.telling import Teller, load_text

__all__ = ["StartScreen"]

MOST_PLAYERS_NAMED = 4


class StartScreen(PageScreen):
    """What is on the shelf of ``shell``; ``pictures`` are those on the boxes. Notices whose texts
    were ``read`` are not shown again, unless nothing can be saved.
    """

    def __init__(
        self,
        shell: Shell,
        ways: ShelfWays,
        pictures: FrontPictures,
        *,
        read: Collection[str] = (),
        now_s: Callable[[], float] = time.time,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.shell, self.unfinished = shell, tuple(shell.unfinished())
        self._ways, self._pictures, self._read, self._now_s = ways, pictures, read, now_s
        self._shelf = not self.unfinished

    # -- what touches do ------------------------------------------------------------------

    def new_match(self) -> None:
        """Leave the unfinished match aside and show the shelf."""
        self._shelf = True
        self.renew()

    # -- building -------------------------------------------------------------------------

    def build(self, frame: Any, width: float) -> None:
        if self._shelf:
            self._build_shelf(frame, width)
        else:
            self._build_resume(frame, width, self.unfinished[0])

    def _head(self, title: str, text: str, width: float) -> Any:
        language = Key(
            _("Switch language"), self._ways.language, size_hint=(None, None), height=style.target
        )
        theme = Key("", self._ways.theme, symbol="◐", size_hint=(None, None), height=style.target)
        language.width, theme.width = style.target * 2.1, style.target
        return head(title, text, width, (language, theme))

    def _tell(self, frame: Any) -> None:
        """One line about what players should know; a touch shows all of it."""
        if not (self.shell.machine_notes() or self.shell.notices()):
            return
        # Mostly all is well, and the shelf appears sooner without these words.
        from companion.ui.words.troubles import notices_of

        news = [t for t in notices_of(self.shell) if t.stops or t.text not in self._read]
        if news:
            line = Key(news[0].title, self._ways.notices, symbol="!", height=style.target)
            line.tint("dawn", "dawn", 0.13)
            frame.add_widget(line)

    def _build_resume(self, frame: Any, width: float, match: UnfinishedMatch) -> None:
        frame.add_widget(self._head(_("Go on playing?"), _("A match is not finished yet."), width))
        self._tell(frame)
        teller = _teller(match.game)
        names = player_names(match.game, style.lang, match.colours, match.names)
        pairs = zip(names, match.scores, strict=True)
        result = " · ".join(f"{name} {score}" for name, score in pairs)
        minutes = max(int((self._now_s() - match.saved_s) // 60), 0)
        saved = _("Turn {turn}, saved {ago}").format(turn=match.turn, ago=_ago(minutes))
        frame.add_widget(_MatchCard(match.game, teller.game_name, f"{result}\n{saved}", width))
        frame.add_widget(Widget())
        frame.add_widget(
            beside(
                Key(_("New match"), self.new_match),
                Key(_("Look back"), partial(self._ways.review, match.match_id)),
                Key(
                    _("Go on"), partial(self._ways.resume, match.match_id), symbol="→", primary=True
                ),
            )
        )

    def _build_shelf(self, frame: Any, width: float) -> None:
        frame.add_widget(self._head(_("What would you like to play?"), self._who(), width))
        self._tell(frame)
        games = self.shell.games()
        columns = min(4 if self.landscape else 2, max(len(games), 1))
        lines = -(-len(games) // columns)
        taken = sum(w.height + frame.spacing for w in frame.children)
        taken += style.target + frame.spacing
        room = frame.height - taken - lines * _PLANK * style.factor
        each = (width - (columns - 1) * style.gap) / columns
        least = 112 * style.factor
        height = max((room - (lines - 1) * style.gap_s) / lines, least)
        height = min(height, each * 1.1)
        shelves = []
        for start in range(0, len(games), columns):
            boxes: list[Widget] = []
            for game in games[start : start + columns]:
                front, press = self._pictures.fronts.of(game), partial(self._ways.choose, game)
                title, count = front.titles[style.lang], _players(front.players)
                size = (each, height)
                boxes.append(BoxFront(game, title, count, press, size, self._pictures))
            boxes += [Widget() for _n in range(columns - len(boxes))]
            shelves.append(_Shelf(boxes, height))
        frame.add_widget(self.listing(shelves, style.gap_s, bar=False))
        frame.add_widget(beside(*self._foot()))

    def _foot(self) -> list[Any]:
        foot = [
            Key(_("Records"), self._ways.records, height=style.target),
            Key(_("Workshop"), self._ways.workshop, height=style.target),
        ]
        if self.unfinished:
            back = partial(self._ways.resume, self.unfinished[0].match_id)
            label = _("Continue the last match")
            foot.append(Key(label, back, symbol="→", height=style.target, size_hint_x=1.6))
        return foot

    def _who(self) -> str:
        recent = list(self.shell.people.recent)[:MOST_PLAYERS_NAMED]
        if not recent:
            return _("Choose a game.")
        return _("Played here recently: {names}").format(names=_listed(recent))


_PLANK = 7.0
"""Thickness of a shelf, px at a short side of 480."""


class _Shelf(BoxLayout):  # type: ignore[misc]
    """Boxes side by side on a board."""

    def __init__(self, boxes: list[Widget], height: float) -> None:
        plank = _PLANK * style.factor
        super().__init__(
            spacing=style.gap, size_hint_y=None, height=height + plank, padding=(0, 0, 0, plank)
        )
        self._drawing = InstructionGroup()
        self.canvas.before.add(self._drawing)
        for box in boxes:
            self.add_widget(box)
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_: Any) -> None:
        plank = _PLANK * style.factor
        self._drawing.clear()
        self._drawing.add(Color(*style.tone("edge")))
        self._drawing.add(
            SmoothRoundedRectangle(pos=self.pos, size=(self.width, plank), radius=[plank / 2] * 4)
        )


class _MatchCard(Card):
    """A match: its board as a small picture, its game and how it stands."""

    def __init__(self, game: str, title: str, text: str, width: float) -> None:
        super().__init__(fill="stone", line="dawn", size_hint_y=None)
        side = 108 * style.factor
        self._picture = Board(size_hint=(None, None), size=(side * 1.12, side))
        self._picture.show(bare_scene(game_box(game)))
        room = width - self._picture.width - style.gap * 3
        self._words = [Words(title, bold=True, font_size=style.type_m, width=room)]
        self._words.append(Words(text, color=style.ash, width=room))
        inner = sum(words.height for words in self._words)
        self.height = max(side, inner) + 2 * style.gap
        for widget in (self._picture, *self._words):
            self.add_widget(widget)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        middle = self.y + self.height / 2
        self._picture.pos = (self.x + style.gap, middle - self._picture.height / 2)
        left = self.x + 2 * style.gap + self._picture.width
        top = middle + sum(words.height for words in self._words) / 2
        for words in self._words:
            top -= words.height
            words.pos = (left, top)


def _listed(names: Sequence[str]) -> str:
    """``a, b and c`` in the language; no game must be loaded for it."""
    if len(names) < 2:
        return "".join(names)
    joining = load_text("common", style.lang)["words"]["and"]
    return f"{', '.join(names[:-1])} {joining} {names[-1]}"


def _teller(game: str) -> Teller:
    rules = find_game(game)
    players = rules.players[0]
    colours = rules.colours(players, rules.complete_options(players, {}))
    return Teller(rules, style.lang, colours)


def _players(counts: tuple[int, ...]) -> str:
    if len(counts) == 1:
        return str(counts[0])
    if counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}–{counts[-1]}"
    return " / ".join(map(str, counts))


def _ago(minutes: int) -> str:
    if minutes < 2:
        return _("just now")
    if minutes < 60:
        return _("{count} minutes ago").format(count=minutes)
    if minutes < 48 * 60:
        return _("{count} hours ago").format(count=minutes // 60)
    return _("{count} days ago").format(count=minutes // (24 * 60))
