"""What is chosen on the screen. Every choice applies at once and is saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.widget import Widget

from companion.presentation.boxes import game_box
from companion.presentation.words.numbers import figure, percent
from companion.presentation.words.translate import _
from companion.settings.preferences import PreferencesFile
from companion.ui.drawing.pieces import draw_piece
from companion.ui.theme.style import style
from companion.ui.widgets.choice import Choice
from companion.ui.widgets.page import PageScreen
from companion.ui.workshop.devices import volume_choice
from companion.ui.workshop.page import BenchPage, Frame
from companion.workshop.devices import DeviceBench
from rules.box import PieceKind

__all__ = ["SettingsPage"]

GLOW_S = 2.5
"""How long lamps show their new brightness."""
THINKING_TIMES_S = 0.5, 1.5, 3.0, 6.0, 15.0


class SettingsPage(BenchPage):
    """Language, colours, motion, voice, lamps and computer players."""

    def __init__(
        self,
        host: PageScreen,
        preferences: PreferencesFile,
        devices: DeviceBench,
        game: str,
        on_language: Callable[[], None],
        on_theme: Callable[[], None],
    ) -> None:
        """``game``: whose pieces are shown as samples. ``on_language``, ``on_theme``: switch them
        everywhere."""
        super().__init__(host)
        self._preferences, self.bench, self._game = preferences, devices, game
        self._on_language, self._on_theme = on_language, on_theme
        self._glows_until_s = 0.0

    @property
    def title(self) -> str:
        return _("Settings")

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
        chosen, inner = self._preferences.now, width - style.gap
        languages = [("Deutsch", "de"), ("English", "en")]
        themes = [(_("Night"), "night"), (_("Limestone"), "limestone")]
        colours = [
            (_("As printed"), "printed"), (_("Distinct"), "safe"), (_("Hatched"), "patterns"),
        ]  # fmt: skip
        levels = [(_("Quiet"), "quiet"), (_("Short"), "short"), (_("Full"), "full")]
        texts = [(_("Normal"), "normal"), (_("Large"), "large"), (_("Largest"), "largest")]
        motions = [(_("On"), True), (_("Off"), False)]
        rows: list[Any] = [
            Choice(_("Language"), "", languages, style.lang, self._language, inner),
            Choice(_("Theme"), _("Night for a dim room, Limestone for daylight."), themes,
                   style.name, self._theme, inner),
            Choice(_("Text size"), _("The words beside the board while you play."), texts,
                   style.text, self._text, inner),
            Choice(_("Colours of the pieces"),
                   _("Distinct colours suit every kind of colour vision; hatching works without "
                     "colour."), colours, style.piece_colours, self._colours, inner),
            Sample(self._game, size_hint_y=None, height=style.target),
            Choice(_("Motion"), _("Whether pieces glide and symbols pulse."), motions, style.motion,
                   self._motion, inner),
            Choice(_("Voice"), _spoken(chosen.speech), levels, chosen.speech,
                   partial(self._choose, "speech"), inner),
        ]  # fmt: skip
        if self.bench.rig.sound.speaks:
            rows.append(volume_choice(chosen.volume, self._volume, inner))
        if self.bench.rig.lamps.count:
            steps = [(percent(part), part) for part in (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)]
            nearest = min(
                (part for _text, part in steps), key=lambda part: abs(part - chosen.brightness)
            )
            rows.append(
                Choice(_("Brightness of the lamps"), _("Bright lamps can dazzle the camera."),
                       steps, nearest, self._brightness, inner)
            )  # fmt: skip
        rows.append(
            Choice(_("Computer players think"),
                   _("The longest they take over a decision; weaker ones need less."),
                   _thinking_times(chosen.think_s), chosen.think_s,
                   partial(self._choose, "think_s"), inner)
        )  # fmt: skip
        frame.add_widget(self.host.listing(rows, style.gap_s))

    def _choose(self, name: str, value: Any) -> None:
        self._preferences.choose(**{name: value})
        self.host.renew()

    def _volume(self, volume: float) -> None:
        self._choose("volume", volume)
        self.bench.rig.sound.say(_("It is your turn."))

    def _brightness(self, part: float) -> None:
        """All lamps glow for a moment, since nobody can judge a light that is off."""
        self._choose("brightness", part)
        self.bench.borrow()
        self.bench.light(range(self.bench.rig.lamps.count), "dawn")
        self._glows_until_s = time.monotonic() + GLOW_S

    def _language(self, lang: str) -> None:
        if lang != style.lang:
            self._on_language()

    def _theme(self, theme: str) -> None:
        if theme != style.name:
            self._on_theme()

    def _text(self, text: str) -> None:
        style.use_text(text)
        self._choose("text", text)

    def _colours(self, choice: str) -> None:
        style.piece_colours = choice
        self._choose("piece_colours", choice)

    def _motion(self, motion: bool) -> None:
        style.motion = motion
        self._choose("animations", motion)


def _spoken(level: str) -> str:
    """What a level of the voice means."""
    return {
        "quiet": _("Says only what must be put right."),
        "short": _("Says whose turn it is, what must be put right, and the result."),
        "full": _("Also says every move, and why something is not allowed."),
    }[level]


def _thinking_times(chosen: float) -> list[tuple[str, float]]:
    """What can be chosen, and what the settings file may say besides."""
    return [
        (f"{figure(seconds, 0 if seconds.is_integer() else 1)} s", seconds)
        for seconds in sorted({*THINKING_TIMES_S, chosen})
    ]


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
