"""The start screen: go on with the last match, or choose a game from the shelf and set it up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.resources import files
from typing import Any

from kivy.lang import Builder
from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.ui.boxes import game_box
from companion.ui.scene import bare_scene
from companion.ui.shell import MatchSummary
from companion.ui.style import style
from companion.ui.widgets.base import Card, Key, Words, fit_one_line
from companion.ui.widgets.board import Board
from companion.ui.widgets.sheet import Column
from companion.ui.wording import player_names
from companion.ui.words import _
from companion.view import Enforcement
from rules.games import find_game
from rules.telling import Teller

__all__ = ["Plan", "StartScreen"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A new match as it was set up on the screen."""

    game: str
    players: int
    options: dict[str, str] = field(default_factory=dict)
    enforcement: Enforcement = Enforcement.ENFORCE


class StartScreen(FloatLayout):  # type: ignore[misc]
    """``on_start`` gets the plan of a new match, ``on_resume`` the id of an old one."""

    page = ObjectProperty()

    def __init__(
        self,
        games: Sequence[str],
        unfinished: Sequence[MatchSummary],
        on_start: Callable[[Plan], None],
        on_resume: Callable[[str], None],
        on_language: Callable[[], None],
        on_theme: Callable[[], None],
        *,
        now_s: Callable[[], float] = time.time,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._trigger_layout()
        self.games, self.unfinished = tuple(games), tuple(unfinished)
        self._on_start, self._on_resume, self._now_s = on_start, on_resume, now_s
        self._on_language, self._on_theme = on_language, on_theme
        self.plan: Plan | None = None
        """What is being set up; None while the shelf is shown."""
        self._new = not self.unfinished
        self.page.bind(size=self._resized)
        style.bind(lang=self._build, name=self._build)

    # -- what touches do ------------------------------------------------------------------

    def choose(self, game: str) -> None:
        """Set up a new match of ``game``."""
        self.plan = Plan(game, find_game(game).players[0])
        self._build()

    def change(self, **changes: Any) -> None:
        """Change the plan."""
        assert self.plan is not None
        self.plan = replace(self.plan, **changes)
        self._build()

    def back(self) -> None:
        """From the plan to the shelf."""
        self.plan = None
        self._build()

    def new_match(self) -> None:
        """Leave the unfinished match aside and show the shelf."""
        self._new = True
        self._build()

    def leave(self) -> None:
        """The screen is not shown any more."""
        style.unbind(lang=self._build, name=self._build)

    # -- building -------------------------------------------------------------------------

    def _resized(self, *_: Any) -> None:
        style.use_size(self.width, self.height)
        self._build()

    def _build(self, *_args: Any) -> None:
        self.page.clear_widgets()
        width = self.width - 2 * style.margin
        if width < style.target:
            return
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap_l, size_hint=(None, None),
            size=(width, self.height - 2 * style.gap_l),
            pos=(self.x + style.margin, self.y + style.gap_l),
        )  # fmt: skip
        self.page.add_widget(frame)
        if self.plan is not None:
            self._build_plan(frame, width, self.plan)
        elif not self._new:
            self._build_resume(frame, width, self.unfinished[0])
        else:
            self._build_shelf(frame, width)

    def _head(self, title: str, text: str, width: float) -> Any:
        switches = [
            Key(
                _("Switch language"), self._on_language, size_hint=(None, None), height=style.target
            ),
            Key("", self._on_theme, symbol="◐", size_hint=(None, None), height=style.target),
        ]
        switches[0].width, switches[1].width = style.target * 2.1, style.target
        room = width - sum(key.width for key in switches) - 3 * style.gap_s
        words = [Words(title, bold=True, font_size=style.type_l, line_height=1.0, width=room)]
        words.append(Words(text, color=style.ash, width=room))
        column = BoxLayout(orientation="vertical", spacing=style.grid)
        for line in words:
            column.add_widget(line)
        height = max(sum(line.height for line in words) + style.grid, style.target)
        head = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=height)
        head.add_widget(column)
        for key in switches:
            key.pos_hint = {"top": 1}
            head.add_widget(key)
        return head

    def _build_resume(self, frame: Any, width: float, match: MatchSummary) -> None:
        frame.add_widget(self._head(_("Go on playing?"), _("A match is not finished yet."), width))
        teller = _teller(match.game)
        names = player_names(match.game, style.lang, match.colours, match.names)
        pairs = zip(names, match.scores, strict=True)
        result = " · ".join(f"{name} {score}" for name, score in pairs)
        minutes = max(int((self._now_s() - match.saved_s) // 60), 0)
        saved = _("Turn {turn}, saved {ago}").format(turn=match.turn, ago=_ago(minutes))
        card = ShelfCard(match.game, teller.game_name, f"{result}\n{saved}", None, width)
        card.tint("stone", "dawn")
        frame.add_widget(card)
        frame.add_widget(Widget())
        new = Key(_("New match"), self.new_match)
        go_on = partial(self._on_resume, match.match_id)
        frame.add_widget(_line(new, Key(_("Go on"), go_on, symbol="→", primary=True)))

    def _build_shelf(self, frame: Any, width: float) -> None:
        frame.add_widget(self._head(_("What do you play?"), _("Choose a game."), width))
        columns = 2 if self.width > self.height and len(self.games) > 1 else 1
        each = (width - (columns - 1) * style.gap) / columns
        cards = []
        for game in self.games:
            teller = _teller(game)
            press = partial(self.choose, game)
            cards.append(ShelfCard(game, teller.game_name, teller.tagline, press, each))
        rows = [
            _line(*cards[n : n + columns], gap=style.gap) for n in range(0, len(cards), columns)
        ]
        for row in rows:
            for card in row.children:
                card.height = row.height
            if len(row.children) < columns:
                row.add_widget(Widget())
        frame.add_widget(Column(rows, style.gap))
        if self.unfinished:
            back = partial(self._on_resume, self.unfinished[0].match_id)
            frame.add_widget(Key(_("Go on with the last match"), back, symbol="→"))

    def _build_plan(self, frame: Any, width: float, plan: Plan) -> None:
        game, teller = find_game(plan.game), _teller(plan.game)
        frame.add_widget(self._head(teller.game_name, teller.tagline, width))
        rows: list[Widget] = []
        if len(game.players) > 1:
            pick = partial(_later, self.change, "players")
            choices = [(str(n), n) for n in game.players]
            rows.append(Choice(_("Players"), "", choices, plan.players, pick, width))
        for name, values in game.options.items():
            title, text = teller.option(name)
            chosen = plan.options.get(name, values[0])
            words = [(teller.option_value(name, value), value) for value in values]
            rows.append(Choice(title, text, words, chosen, partial(self._option, name), width))
        modes = [(_mode(mode), mode) for mode in Enforcement]
        pick = partial(_later, self.change, "enforcement")
        text = _("What happens when a rule is broken.")
        rows.append(Choice(_("Referee"), text, modes, plan.enforcement, pick, width))
        frame.add_widget(Column(rows, style.gap))
        start = partial(self._on_start, plan)
        frame.add_widget(
            _line(
                Key(_("Back to the shelf"), self.back, symbol="←"),
                Key(_("Start playing"), start, primary=True),
            )
        )

    def _option(self, name: str, value: str) -> None:
        assert self.plan is not None
        self.change(options={**self.plan.options, name: value})


class ShelfCard(ButtonBehavior, Card):  # type: ignore[misc]
    """A game: its board as a small picture, its name and one line about it."""

    def __init__(
        self,
        game: str,
        title: str,
        text: str,
        press: Callable[[], None] | None,
        width: float,
    ) -> None:
        super().__init__(fill="slate", line="edge", size_hint_y=None)
        self.game = game
        side = 92 * style.factor
        self._picture = Board(size_hint=(None, None), size=(side * 1.12, side))
        self._picture.show(bare_scene(game_box(game)))
        room = width - self._picture.width - style.gap * 3
        sizes = (style.type_m, style.type_m * 0.88, style.type_s * 1.12)
        size = fit_one_line(title, sizes, room)
        title_words = Words(title, bold=True, font_size=size, width=room)
        text_words = Words(text, color=style.ash, font_size=style.type_xs * 1.08, width=room)
        self._words = BoxLayout(
            orientation="vertical", spacing=style.grid, size_hint=(None, None),
            size=(room, title_words.height + text_words.height + style.grid),
        )  # fmt: skip
        self._words.add_widget(title_words)
        self._words.add_widget(text_words)
        self.height = max(side, self._words.height) + 2 * style.gap
        self.add_widget(self._picture)
        self.add_widget(self._words)
        self.bind(pos=self._place, size=self._place)
        if press is not None:
            self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        middle = self.y + self.height / 2
        self._picture.pos = (self.x + style.gap, middle - self._picture.height / 2)
        left = self.x + 2 * style.gap + self._picture.width
        self._words.pos = (left, middle - self._words.height / 2)


class Choice(Card):
    """A question with a few answers side by side, or below each other where they are long."""

    def __init__(
        self,
        title: str,
        text: str,
        answers: Sequence[tuple[str, Any]],
        chosen: Any,
        pick: Callable[[Any], None],
        width: float,
    ) -> None:
        super().__init__(fill="slate", line="edge", size_hint_y=None)
        inner = width - 2 * style.gap_l
        beside = width > 620 * style.factor and sum(len(label) for label, _v in answers) < 24
        keys_width = inner * 0.42 if beside else inner
        room = inner - keys_width - style.gap_l if beside else inner
        words = [Words(title, bold=True, width=room)]
        if text:
            words.append(Words(text, color=style.ash, font_size=style.type_xs, width=room))
        words_height = sum(line.height for line in words)
        column = BoxLayout(
            orientation="vertical", size_hint=(None, None), size=(room, words_height)
        )
        for line in words:
            column.add_widget(line)
        each = 2 if len(answers) > 3 and max(len(label) for label, _v in answers) > 6 else 6
        keys = BoxLayout(orientation="vertical", spacing=style.gap_s, size_hint=(None, None))
        for start in range(0, len(answers), each):
            row = []
            for label, value in answers[start : start + each]:
                key = Key(label, partial(pick, value), height=style.target)
                if value == chosen:
                    key.fill, key.line = style.tone("dawn", 0.16), style.tone("dawn")
                else:
                    key.fill, key.line = style.tone("night", 0.0), style.tone("edge")
                row.append(key)
            keys.add_widget(_line(*row))
        lines = len(keys.children)
        keys.size = (keys_width, lines * style.target + (lines - 1) * style.gap_s)
        self._column, self._keys, self._beside = column, keys, beside
        inner_height = max(words_height, keys.height)
        if not beside:
            inner_height = words_height + style.gap_s + keys.height
        self.height = inner_height + 2 * style.gap
        self.add_widget(column)
        self.add_widget(keys)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        left = self.x + style.gap_l
        if self._beside:
            middle = self.y + self.height / 2
            self._column.pos = (left, middle - self._column.height / 2)
            right = self.x + self.width - style.gap_l
            self._keys.pos = (right - self._keys.width, middle - self._keys.height / 2)
            return
        top = self.y + self.height - style.gap
        self._column.pos = (left, top - self._column.height)
        self._keys.pos = (left, self.y + style.gap)


def _line(*widgets: Any, gap: float | None = None) -> Any:
    spacing = style.gap_s if gap is None else gap
    height = max(widget.height for widget in widgets)
    line = BoxLayout(spacing=spacing, size_hint_y=None, height=height)
    for widget in widgets:
        line.add_widget(widget)
    return line


def _later(change: Callable[..., None], name: str, value: Any) -> None:
    change(**{name: value})


def _teller(game: str) -> Teller:
    rules = find_game(game)
    players = rules.players[0]
    colours = rules.colours(players, rules.complete_options(players, {}))
    return Teller(rules, style.lang, colours)


def _ago(minutes: int) -> str:
    if minutes < 2:
        return _("just now")
    if minutes < 60:
        return _("{count} minutes ago").format(count=minutes)
    if minutes < 48 * 60:
        return _("{count} hours ago").format(count=minutes // 60)
    return _("{count} days ago").format(count=minutes // (24 * 60))


def _mode(mode: Enforcement) -> str:
    return {
        Enforcement.OFF: _("only score"),
        Enforcement.ADVISE: _("advise"),
        Enforcement.ENFORCE: _("apply rules"),
        Enforcement.PENALISE: _("penalise"),
    }[mode]


Builder.load_file(str(files("companion.ui.screens") / "start.kv"))
