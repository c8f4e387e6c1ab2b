"""The settings page: one row per declared preference. Every choice applies at once and is saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.widget import Widget

from companion.presentation.boxes import game_box
from companion.presentation.words.sentences import figure, percent
from companion.presentation.words.translate import _, language
from companion.settings.preferences import Choosable, PreferencesFile, choosable
from companion.ui.drawing.pieces import draw_piece
from companion.ui.theme.style import style
from companion.ui.widgets.choice import Choice
from companion.ui.widgets.page import PageScreen
from companion.ui.workshop.page import BenchPage, Frame
from companion.workshop.devices import DeviceBench
from rules.box import PieceKind
from rules.texts import Texts

GLOW_S = 2.5
"""Seconds for which lamps show their new brightness."""


class SettingsPage(BenchPage):
    """All that ``companion.settings.preferences`` declares, and a sample of it."""

    def __init__(
        self, host: PageScreen, preferences: PreferencesFile, devices: DeviceBench, game: str
    ) -> None:
        """``game``: whose pieces are shown as samples."""
        super().__init__(host)
        self._preferences, self.bench, self._game = preferences, devices, game
        self._glows_until_s = 0.0
        self._samples: dict[str, Callable[[], object]] = {
            "volume": self._speak, "brightness": self._glow
        }  # fmt: skip

    @property
    def title(self) -> str:
        return _("workshop.settings")

    def leave(self) -> None:
        self._end_glow()

    def tick(self) -> None:
        if time.monotonic() > self._glows_until_s:
            self._end_glow()

    def _end_glow(self) -> None:
        if self._glows_until_s:
            self._glows_until_s = 0.0
            self.bench.give_back()

    def fill(self, frame: Frame, width: float) -> None:
        lacking = {
            name
            for name, there in (
                ("volume", self.bench.rig.sound.speaks), ("brightness", self.bench.rig.lamps.count)
            )
            if not there
        }  # fmt: skip
        rows: list[Any] = []
        for row in choosable():
            if row.name not in lacking:
                value = getattr(self._preferences.now, row.name)
                choose = partial(self.choose, row.name)
                rows.append(preference_row(row, value, choose, width - style.gap))
            if row.name == "piece_colours":
                rows.append(Sample(self._game, size_hint_y=None, height=style.target))
        frame.add_widget(self.host.listing(rows, style.gap_s))

    def choose(self, name: str, value: Any) -> None:
        """Choose a value as a tap on it does."""
        style.use(self._preferences.choose(**{name: value}))
        self._samples.get(name, bool)()
        self.host.renew()

    def _speak(self) -> None:
        self.bench.rig.sound.say(_("screens.it_is_your_turn"))

    def _glow(self) -> None:
        """Lights all lamps for a moment: the brightness of a dark lamp cannot be judged."""
        self.bench.borrow()
        self.bench.light(range(self.bench.rig.lamps.count), "dawn")
        self._glows_until_s = time.monotonic() + GLOW_S


def preference_row(row: Choosable, value: Any, choose: Callable[[Any], None], width: float) -> Any:
    """One preference with its explanation and the values to choose from, ``width`` px wide.

    A value that is not offered, because the settings file holds it, is shown as the nearest share,
    or else among the others.
    """
    words, values = Texts("preferences", language()), list(row.values)
    if row.unit == "%":
        value = min(values, key=lambda part: abs(part - value))
    elif value not in values:
        values = sorted([*values, value])
    hints = (f"{row.name}_{value}_hint", f"{row.name}_hint")
    hint = next((words(key) for key in hints if words.knows(key)), "")
    answers = [(_answer(row, words, one), one) for one in values]
    return Choice(words(row.name), hint, answers, value, choose, width)


def _answer(row: Choosable, words: Texts, value: Any) -> str:
    if row.unit == "%":
        return percent(value)
    if row.unit == "s":
        return f"{figure(value, 0 if float(value).is_integer() else 1)} s"
    if row.unit == "language":
        return Texts("language", value)("name")
    if isinstance(value, bool):
        return words("yes" if value else "no")
    return words(f"{row.name}_{value}")


class Sample(Widget):  # type: ignore[misc]
    """Some pieces in the colours that were chosen."""

    def __init__(self, game: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._kinds = _samples(game)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        size = self.height * 0.82
        for number, kind in enumerate(self._kinds):
            at = (self.x + style.gap_l + (number + 0.5) * size * 1.25, self.y + self.height / 2)
            if at[0] + size > self.x + self.width:
                break
            draw_piece(self._drawing, kind, at, size / max(kind.size))


def _samples(game: str) -> list[PieceKind]:
    """One piece of every colour in the box."""
    found: dict[tuple[str, str | None], PieceKind] = {}
    for kind in game_box(game).kinds.values():
        if kind.shape != "card":
            found.setdefault((kind.colour, kind.owner), kind)
    return list(found.values())[:10]
