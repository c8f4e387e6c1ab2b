"""Trying the devices out: every lamp, every button, the display, voice and buzzer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.words.translate import _
from companion.presentation.words.workshop import button_name, device_sentence
from companion.settings.preferences import PreferencesFile, choosable
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.choice import mark_chosen
from companion.ui.widgets.keyboard import Keyboard, typed
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.workshop.page import BenchPage, Frame, tabs, told
from companion.ui.workshop.settings import preference_row
from companion.ui.workshop.twins import DisplayPanel, display_height
from companion.workshop.devices import DeviceBench, DisplayFace

LAMPS_A_PAGE = 48
LONGEST_LINE = 40


class DevicesPage(BenchPage):
    """One tab per device. Nothing that happens here reaches a match."""

    def __init__(
        self, host: PageScreen, devices: DeviceBench, preferences: PreferencesFile
    ) -> None:
        super().__init__(host)
        self.bench, self._preferences = devices, preferences
        self._tab = "lamps"
        self._cue = "ok"
        self._lit: frozenset[int] = frozenset()
        self._from = 0
        self._line = ""
        self._typing = False
        self._display: Any = None
        self._dots: dict[str, Any] = {}
        self._marks: tuple[Any, ...] = ()

    @property
    def title(self) -> str:
        return _("screens.try_the_devices")

    def enter(self) -> None:
        self.bench.borrow()

    def leave(self) -> None:
        self.bench.give_back()

    def fill(self, frame: Frame, width: float) -> None:
        self._display, self._dots = None, {}
        names = (
            ("lamps", _("screens.lamps")),
            ("buttons", _("devices.buttons")),
            ("score", _("screens.display")),
            ("sound", _("screens.sound")),
        )
        if not self._typing:
            frame.add_widget(tabs(names, self._tab, self._pick))
        trouble = self._trouble(width)
        if trouble is not None and not self._typing:
            frame.add_widget(trouble)
        fill = {
            "lamps": self._fill_lamps, "buttons": self._fill_buttons,
            "score": self._fill_display, "sound": self._fill_sound,
        }  # fmt: skip
        fill[self._tab](frame, width)
        self._marks = self._state()

    def tick(self) -> None:
        if self._display is not None:
            self._display.show(self.bench.display())
        state = self._state()
        if state != self._marks:
            self._marks = state
            self.host.renew()

    def _state(self) -> tuple[Any, ...]:
        """State of the devices that the page shows; when it changes the page is rebuilt."""
        lines = tuple((d.name, d.ok, d.code) for d in self.bench.rig.status())
        buttons = (
            (self.bench.pressed(), self.bench.rig.buttons.down) if self._tab == "buttons" else ()
        )
        return (lines, buttons)

    def _pick(self, tab: str) -> None:
        self._tab = tab
        if tab != "lamps":
            self._light(frozenset())
        self.host.renew()

    def _trouble(self, width: float) -> Any:
        for device in self.bench.rig.status():
            if device.name == self._tab and not device.ok:
                sentence = device_sentence(device.code, device.params)
                return told(sentence, "", width, "!", "dawn")
        return None

    # -- lamps ------------------------------------------------------------------------------

    def _fill_lamps(self, frame: Frame, width: float) -> None:
        count = self.bench.rig.lamps.count
        if not count:
            text = _("devices.lamps_are_set_up")
            _nothing(frame, _("devices.this_table_has_no_lamps"), text, width)
            return
        cues = (
            ("ok", _("devices.steady")),
            ("ask", _("devices.slow_pulse")),
            ("stop", _("devices.double_blink")),
            ("dawn", _("devices.bright")),
        )
        frame.add_widget(Words(_("devices.touch_a_number_to_light"), color=style.ash, width=width))
        each = 4 if self.host.landscape else 2
        for start in range(0, len(cues), each):
            frame.add_widget(_signs(cues[start : start + each], self._cue, self._choose_cue))
        shown = range(self._from, min(self._from + LAMPS_A_PAGE, count))
        across = max(int((width - style.gap + style.gap_s) / (style.target + style.gap_s)), 1)
        rows = []
        for start in range(shown.start, shown.stop, across):
            row = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=style.target)
            for lamp in range(start, start + across):
                row.add_widget(self._lamp_key(lamp) if lamp < shown.stop else Widget())
            rows.append(row)
        frame.add_widget(self.host.listing(rows, style.gap_s))
        keys = [
            Key(_("devices.all"), self._all, height=style.target),
            Key(_("screens.none"), partial(self._light, frozenset()), height=style.target),
        ]
        if count > LAMPS_A_PAGE:
            keys.append(Key(_("screens.more"), self._more, symbol="›", height=style.target))
        frame.add_widget(beside(*keys))

    def _lamp_key(self, lamp: int) -> Any:
        key = Key(str(lamp + 1), partial(self._toggle, lamp), height=style.target)
        mark_chosen(key, lamp in self._lit)
        return key

    def _choose_cue(self, cue: str) -> None:
        self._cue = cue
        self._light(self._lit)

    def _toggle(self, lamp: int) -> None:
        self._light(self._lit ^ {lamp})

    def _all(self) -> None:
        self._light(frozenset(range(self.bench.rig.lamps.count)))

    def _more(self) -> None:
        after = self._from + LAMPS_A_PAGE
        self._from = after if after < self.bench.rig.lamps.count else 0
        self.host.renew()

    def _light(self, lamps: frozenset[int]) -> None:
        self._lit = lamps
        self.bench.light(sorted(lamps), self._cue)
        if self._tab == "lamps":
            self.host.renew()

    # -- buttons ----------------------------------------------------------------------------

    def _fill_buttons(self, frame: Frame, width: float) -> None:
        names = self.bench.rig.buttons.names
        if not names:
            text = _("devices.buttons_are_set_up")
            _nothing(frame, _("devices.this_table_has_no_buttons"), text, width)
            return
        text = _("devices.press_every_button_once")
        frame.add_widget(Words(text, color=style.ash, width=width))
        pressed, down = self.bench.pressed(), self.bench.rig.buttons.down
        rows = []
        for name in names:
            if name in down:
                rows.append(told(button_name(name), _("devices.is_pressed"), width, "●", "dawn"))
            elif name in pressed:
                rows.append(told(button_name(name), _("screens.works"), width, "✓", "ok"))
            else:
                rows.append(told(button_name(name), _("devices.not_pressed_yet"), width, "○"))
        frame.add_widget(self.host.listing(rows, style.gap_s))

    # -- display ----------------------------------------------------------------------------

    def _fill_display(self, frame: Frame, width: float) -> None:
        face = self.bench.display()
        if not face.columns:
            text = _("devices.a_display_is_set_up")
            _nothing(frame, _("devices.this_table_has_no_score_display"), text, width)
            return
        tall = self.host.height * (0.2 if self._typing else 0.34)
        high = min(display_height(face, width), tall)
        self._display = DisplayPanel(face, size_hint_y=None, height=high)
        frame.add_widget(self._display)
        if self._typing:
            frame.add_widget(Keyboard(self._key, self._line, width))
            frame.add_widget(Widget())
            frame.add_widget(
                Key(_("screens.done"), partial(self._type, False), symbol="✓", height=style.target)
            )
            return
        note = _("devices.the_display_should_look_like")
        if face.real:
            note = _("devices.this_is_what_was_sent")
        if all(device.ok for device in self.bench.rig.status() if device.name == "score"):
            frame.add_widget(Words(note, color=style.ash, width=width))
        presets = self._letter_presets() if face.digits is None else self._digit_presets(face)
        keys = [
            Key(word, press, symbol=symbol, height=style.target) for word, symbol, press in presets
        ]
        each = 3 if self.host.landscape else 2
        rows = [beside(*keys[start : start + each]) for start in range(0, len(keys), each)]
        frame.add_widget(self.host.listing(rows, style.gap_s))

    def _letter_presets(self) -> Sequence[Preset]:
        return (
            (_("devices.umlauts"), "", partial(self._write, UMLAUTS)),
            (_("screens.figures"), "", partial(self._write, FIGURES)),
            (_("devices.every_row"), "", self._rows),
            (
                _("devices.long_words"),
                "",
                partial(self._write, (_("devices.waiting_for_the_players"),)),
            ),
            (_("devices.own_text"), "✎", partial(self._type, True)),
            (_("devices.empty"), "", partial(self._write, ())),
        )

    def _digit_presets(self, face: DisplayFace) -> Sequence[Preset]:
        """Texts for digits: they have no shape for most letters."""
        every = ("8.8.:8.8." if face.columns == 4 else "8." * face.columns,)
        figures = "01234567"[: face.columns]
        return (
            (_("devices.every_segment"), "", partial(self._write, every)),
            (_("screens.figures"), "", partial(self._write, (figures,))),
            (_("devices.two_scores"), "", partial(self._write, ("07.:05",))),
            (
                _("devices.one_score"),
                "",
                partial(self._write, ("C" + "112".rjust(face.columns - 1),)),
            ),
            (_("devices.empty"), "", partial(self._write, ())),
        )

    def _write(self, lines: tuple[str, ...]) -> None:
        self.bench.rig.score.show(lines)

    def _rows(self) -> None:
        face = self.bench.display()
        count = max(len(face.rows), 1)
        self._write(tuple(_("devices.row_number").format(number=n + 1) for n in range(count)))

    def _type(self, typing: bool) -> None:
        self._typing = typing
        self.host.renew()

    def _key(self, key: str) -> None:
        self._line = typed(self._line, key)[:LONGEST_LINE]
        self.bench.rig.score.show((self._line,))
        self.host.renew()

    # -- sound ------------------------------------------------------------------------------

    def _fill_sound(self, frame: Frame, width: float) -> None:
        if not (self.bench.rig.sound.speaks or self.bench.rig.sound.buzzes):
            text = _("devices.a_voice_is_set_up")
            _nothing(frame, _("devices.this_table_has_no_sound"), text, width)
            return
        rows: list[Any] = []
        if self.bench.rig.sound.speaks:
            sentences = (
                _("screens.it_is_your_turn"), _("devices.that_is_not_allowed_yet"),
            )  # fmt: skip
            for sentence in sentences:
                say = partial(self.bench.rig.sound.say, sentence)
                rows.append(Key(sentence, say, symbol="♪", height=style.target))
            (volume,) = (row for row in choosable() if row.name == "volume")
            value = self._preferences.now.volume
            rows.append(preference_row(volume, value, self._volume, width))
        if self.bench.rig.sound.buzzes:
            rows.append(Words(_("devices.the_buzzer"), bold=True, width=width))
            signs = (
                ("ok", _("devices.steady")),
                ("ask", _("devices.slow_pulse")),
                ("stop", _("devices.double_blink")),
            )
            rows.append(_signs(signs, "", self.bench.buzz))
        frame.add_widget(self.host.listing(rows, style.gap_s))

    def _volume(self, volume: float) -> None:
        self._preferences.choose(volume=volume)
        self.bench.rig.sound.say(_("screens.it_is_your_turn"))
        self.host.renew()


Preset = tuple[str, str, Callable[[], None]]
"""A key's name, its sign, and its action."""
UMLAUTS = ("Äpfel Öl Übung ß", "äöü é à ñ § % & ?")
FIGURES = ("Anna\t127", "Jörg\t-5", "0123456789\t+12")


def _signs(signs: Any, chosen: str, pick: Any) -> Any:
    """Keys whose word begins with a sign."""
    keys = []
    for name, text in signs:
        symbol, _blank, word = text.partition(" ")
        key = Key(word, partial(pick, name), symbol=symbol, height=style.target)
        mark_chosen(key, name == chosen)
        keys.append(key)
    return beside(*keys)


def _nothing(frame: Frame, title: str, text: str, width: float) -> None:
    frame.add_widget(told(title, text, width))
    frame.add_widget(Widget())
