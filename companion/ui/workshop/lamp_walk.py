"""The search for each lamp's field: a lamp glows, and its field is touched on the drawn board.

Every step is saved at once: lamps that are unplugged, a finger that goes elsewhere, or a power cut
in the middle lose nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.outputs.lamp_sites import LampWalk
from companion.presentation.boxes import game_box
from companion.presentation.scene import bare_scene
from companion.presentation.words.translate import _
from companion.presentation.words.workshop import device_sentence, game_name, site_name
from companion.ui.drawing.board import Board
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import PageScreen, beside
from companion.ui.workshop.page import BenchPage, Frame, told
from companion.workshop.devices import DeviceBench
from companion.workshop.lamps import LampBench

TREMBLE_S = 0.4
"""Seconds within which a second touch of the same field was a trembling finger, and meant one
lamp."""


class LampWalkPage(BenchPage):
    """First which board, then lamp by lamp, then whether it is right."""

    def __init__(
        self, host: PageScreen, lamps: LampBench, devices: DeviceBench, games: Sequence[str]
    ) -> None:
        """``games``: whose boards there are, the likeliest first."""
        super().__init__(host)
        self.bench, self._devices, self._games = lamps, devices, games
        self._game = games[0]
        self._walk: LampWalk | None = None
        self._note = ""
        self._refused = ""
        self._dark = ""
        self._touch: tuple[str, float] = ("", 0.0)
        self._asked = ""
        self._board: Any = None

    @property
    def title(self) -> str:
        return _("devices.which_lamp_is_where")

    def enter(self) -> None:
        self._walk, self._note, self._refused, self._asked = None, "", "", ""
        self._dark = self._out()

    def leave(self) -> None:
        self._stop()

    def tick(self) -> None:
        dark = self._out()
        if dark != self._dark:
            self._dark = dark
            if self._walk is not None:
                # What is lit then is what is asked about, whatever came in between.
                self._step()
            else:
                self.host.renew()

    def fill(self, frame: Frame, width: float) -> None:
        if not self._devices.rig.lamps.count:
            text = _("devices.lamps_are_set_up")
            frame.add_widget(told(_("devices.this_table_has_no_lamps"), text, width))
            frame.add_widget(Widget())
            return
        area, column, room = self.split(frame, width, 0.55)
        self._board = Board(self._touched, pos_hint={"x": 0, "y": 0})
        area.add_widget(self._board)
        self._show_board()
        box = BoxLayout(orientation="vertical", spacing=style.gap_s, pos_hint={"x": 0, "y": 0})
        for row in self._rows(room):
            box.add_widget(row)
        column.add_widget(box)

    def _rows(self, room: float) -> list[Any]:
        walk = self._walk
        if walk is None:
            return self._start_rows(room)
        rows: list[Any] = []
        if self._refused:
            rows.append(told(_("devices.it_could_not_be_saved"), self._refused, room, "!", "dawn"))
        elif self._dark:
            text = _("devices.what_you_have_shown_so_far")
            rows.append(
                told(_("devices.the_lamps_are_off"), device_sentence(self._dark), room, "!", "dawn")
            )
            rows.append(Words(text, color=style.ash, width=room))
        elif walk.lamp is not None:
            title = _("devices.lamp_number_of_count_is_lit").format(
                number=walk.lamp + 1, count=walk.count
            )
            rows.append(Words(title, bold=True, font_size=style.type_m, width=room))
            rows.append(
                Words(_("devices.touch_its_field_on_the_board"), color=style.ash, width=room)
            )
        else:
            rows.append(
                Words(
                    _("devices.all_lamps_have_been_found"),
                    bold=True,
                    font_size=style.type_m,
                    width=room,
                )
            )
            text = _("devices.count_fields_have_a_lamp").format(count=len(walk.places))
            rows.append(Words(text, color=style.ash, width=room))
        if walk.steps:
            last = walk.steps[-1]
            number = len(walk.steps)
            said = _("devices.lamp_number").format(number=number)
            if last is not None:
                site = site_name(self._game, last, style.lang)
                said = _("devices.lamp_number_site").format(number=number, site=site)
            rows.append(Words(said, font_size=style.type_xs, color=style.ash, width=room))
        rows.append(Widget())
        back = Key(_("screens.undo"), self._undo, symbol="↺", height=style.target)
        back.disabled = not walk.steps or bool(self._dark)
        skip = Key(_("devices.no_field"), self._skip, height=style.target)
        skip.disabled = walk.lamp is None or bool(self._dark)
        rows.append(beside(back, skip))
        keep = Key(_("devices.keep_it"), self._keep, symbol="✓", primary=walk.lamp is None,
                   height=style.target)  # fmt: skip
        keep.disabled = not walk.places
        rows.append(beside(Key(_("screens.stop"), self._give_up, height=style.target), keep))
        return rows

    def _start_rows(self, room: float) -> list[Any]:
        rows: list[Any] = []
        if self._dark:
            sentence = device_sentence(self._dark)
            rows.append(told(_("devices.the_lamps_are_off"), sentence, room, "!", "dawn"))
        elif self._note:
            rows.append(told(self._note, "", room, "✓", "ok"))
        found, broken_off = self.bench.found(self._game), self._broken_off()
        text = _("devices.the_lamps_follow_the_order")
        if broken_off:
            text = _("devices.you_stopped_after_lamp_number").format(
                number=len(broken_off), count=self._devices.rig.lamps.count
            )
        elif found:
            text = _("devices.you_have_shown_where_the_lamps")
        rows.append(Words(text, color=style.ash, width=room))
        if not self._dark:
            rows.append(Words(self._told_of_field(), font_size=style.type_xs, color=style.ash,
                              width=room))  # fmt: skip
        rows.append(Widget())
        name = game_name(self._game, style.lang)
        rows.append(Key(_("screens.board_game").format(game=name), self._next_game,
                        height=style.target))  # fmt: skip
        if found:
            rows.append(Key(_("devices.forget_it"), self._forget, symbol="↺", height=style.target))
        begin = Key(_("devices.begin_with_lamp_1"), self._begin, primary=not broken_off,
                    height=style.target)  # fmt: skip
        begin.disabled = bool(self._dark)
        rows.append(begin)
        if broken_off:
            word = _("devices.continue_with_lamp_number").format(number=len(broken_off) + 1)
            if len(broken_off) == self._devices.rig.lamps.count:
                word = _("devices.all_lamps_have_been_found")
            go_on = Key(word, self._go_on, primary=True, height=style.target)
            go_on.disabled = bool(self._dark)
            rows.append(go_on)
        return rows

    def _told_of_field(self) -> str:
        """Sentence on the lamps at the field that was touched."""
        if not self._asked:
            return _("devices.touch_a_field_to_light")
        site = site_name(self._game, self._asked, style.lang)
        lamps = self.bench.places(self._game).get(self._asked, ())
        if not lamps:
            return _("devices.site_no_lamp").format(site=site)
        numbers = ", ".join(str(lamp + 1) for lamp in lamps)
        return _("devices.site_lamp_numbers").format(site=site, numbers=numbers)

    # -- what touches do --------------------------------------------------------------------

    def _begin(self) -> None:
        self._walk, self._note, self._asked = LampWalk(self._devices.rig.lamps.count), "", ""
        self._devices.borrow()
        self._step()

    def _go_on(self) -> None:
        """Continues an unfinished walk."""
        self._walk = LampWalk(self._devices.rig.lamps.count, self._broken_off())
        self._note = self._asked = ""
        self._devices.borrow()
        self._step()

    def _broken_off(self) -> list[str | None]:
        return self.bench.walk(self._game)

    def _out(self) -> str:
        """Code of the device that keeps the lamps dark; empty if they glow."""
        for device in self._devices.rig.status():
            if device.name == "lamps" and not device.ok and device.code != "no_such_lamp":
                return device.code
        return ""

    def _step(self) -> None:
        """Light the lamp that is asked about."""
        assert self._walk is not None
        self._refused = ""
        lamp = self._walk.lamp
        self._devices.light([] if lamp is None else [lamp], "dawn")
        self.host.renew()

    def _touched(self, site: str) -> None:
        now = Clock.get_boottime()
        before, at = self._touch
        self._touch = (site, now)
        if self._walk is None:
            self._ask(site)
            return
        if self._walk.lamp is None or self._dark:
            return
        if site == before and now - at < TREMBLE_S:
            return
        self._walk.stands_at(site)
        self._stepped()

    def _ask(self, site: str) -> None:
        """Lights the lamps of a field, to see whether they are the right ones."""
        self._asked, self._note = site, ""
        self._devices.borrow()
        self._devices.light(self.bench.places(self._game).get(site, ()), "dawn")
        self.host.renew()

    def _skip(self) -> None:
        if self._walk is not None:
            self._walk.skip()
            self._stepped()

    def _undo(self) -> None:
        if self._walk is not None:
            self._walk.undo()
            self._stepped()

    def _stepped(self) -> None:
        """Saves the steps before the next lamp is asked about."""
        assert self._walk is not None
        trouble = self.bench.keep_walk(self._game, self._walk.steps)
        self._step()
        if trouble:
            self._refused = trouble
            self.host.renew()

    def _keep(self) -> None:
        if self._walk is None:
            return
        walk = self._walk
        # Once all were asked about, nothing else matters: there may be fewer lamps than before.
        asked = None if walk.lamp is None else len(walk.steps)
        trouble = self.bench.keep(self._game, walk.places, asked)
        if trouble:
            self._refused = trouble
        else:
            # Lamps that have not been asked about yet may be shown another time.
            self.bench.keep_walk(self._game, () if walk.lamp is None else walk.steps)
            self._note = _("devices.it_is_saved")
            self._stop()
        self.host.renew()

    def _give_up(self) -> None:
        self._stop()
        self.host.renew()

    def _stop(self) -> None:
        self._walk, self._asked = None, ""
        self._devices.give_back()

    def _forget(self) -> None:
        self.bench.forget(self._game)
        self.bench.keep_walk(self._game, ())
        self._note = ""
        self._stop()
        self.host.renew()

    def _next_game(self) -> None:
        games = sorted(self._games)
        self._game = games[(games.index(self._game) + 1) % len(games)]
        self._note = ""
        self._stop()
        self.host.renew()

    def _show_board(self) -> None:
        scene = bare_scene(game_box(self._game))
        if self._asked in scene.box.sites:
            scene = replace(scene, picked=frozenset([self._asked]))
        if self._walk is not None:
            places = list(self._walk.places)
            last = self._walk.steps[-1] if self._walk.steps else None
            scene = replace(
                scene, last=frozenset(places), picked=frozenset([last] if last else []),
                targets=frozenset(s for s in scene.box.sites if scene.box.sites[s].printed
                                  and s not in places),
            )  # fmt: skip
        self._board.show(scene)
