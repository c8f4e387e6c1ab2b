"""Which lamp stands where: a lamp glows, and its field is touched on the drawn board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.lamp_sites import LampWalk
from companion.ui.boxes import game_box
from companion.ui.scene import bare_scene
from companion.ui.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.board import Board
from companion.ui.widgets.page import beside
from companion.ui.words import _
from companion.ui.workshop.page import BenchPage, Frame, told
from companion.ui.workshop.words import game_name, site_name

__all__ = ["LampWalkPage"]


class LampWalkPage(BenchPage):
    """First which board, then lamp by lamp, then whether it is right."""

    def __init__(self, host: Any) -> None:
        super().__init__(host)
        self._game = ""
        self._walk: LampWalk | None = None
        self._note = ""
        self._board: Any = None

    @property
    def title(self) -> str:
        return _("Which lamp stands where")

    def enter(self) -> None:
        self._game = self._game or self.bench.games()[0]
        self._walk, self._note = None, ""

    def leave(self) -> None:
        self._stop()

    def fill(self, frame: Frame, width: float) -> None:
        if not self.bench.lamp_count:
            text = _("Lamps are set up in the settings file, in the section [rig.lamps].")
            frame.add_widget(told(_("This table has no lamps."), text, width))
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
        if walk.lamp is not None:
            title = _("Lamp {number} of {count} glows.").format(
                number=walk.lamp + 1, count=walk.count
            )
            rows.append(Words(title, bold=True, font_size=style.type_m, width=room))
            rows.append(Words(_("Touch its field on the board."), color=style.ash, width=room))
        else:
            rows.append(Words(_("All lamps are found."), bold=True, font_size=style.type_m,
                              width=room))  # fmt: skip
            text = _("{count} fields have a lamp.").format(count=len(walk.places))
            rows.append(Words(text, color=style.ash, width=room))
        if walk.steps:
            last = walk.steps[-1]
            number = len(walk.steps)
            said = _("Lamp {number}: at no field").format(number=number)
            if last is not None:
                site = site_name(self._game, last, style.lang)
                said = _("Lamp {number}: {site}").format(number=number, site=site)
            rows.append(Words(said, font_size=style.type_xs, color=style.ash, width=room))
        rows.append(Widget())
        back = Key(_("One back"), self._undo, symbol="↺", height=style.target)
        back.disabled = not walk.steps
        skip = Key(_("No field"), self._skip, height=style.target)
        skip.disabled = walk.lamp is None
        rows.append(beside(back, skip))
        keep = Key(_("Keep it so"), self._keep, symbol="✓", primary=walk.lamp is None,
                   height=style.target)  # fmt: skip
        keep.disabled = not walk.places
        rows.append(beside(Key(_("Stop"), self._give_up, height=style.target), keep))
        return rows

    def _start_rows(self, room: float) -> list[Any]:
        rows: list[Any] = []
        if self._note:
            rows.append(told(self._note, "", room, "✓", "ok"))
        found = self.bench.places_found(self._game)
        text = _("The lamps stand in the order of the box. If yours stand otherwise, show it here.")
        if found:
            text = _("You have shown where the lamps stand.")
        rows.append(Words(text, color=style.ash, width=room))
        rows.append(Widget())
        name = game_name(self._game, style.lang)
        rows.append(Key(_("Board: {game}").format(game=name), self._next_game,
                        height=style.target))  # fmt: skip
        if found:
            rows.append(Key(_("Forget it"), self._forget, symbol="↺", height=style.target))
        rows.append(Key(_("Begin with lamp 1"), self._begin, primary=True, height=style.target))
        return rows

    # -- what touches do --------------------------------------------------------------------

    def _begin(self) -> None:
        self._walk, self._note = LampWalk(self.bench.lamp_count), ""
        self.bench.borrow()
        self._step()

    def _step(self) -> None:
        """Light the lamp that is asked about."""
        assert self._walk is not None
        lamp = self._walk.lamp
        self.bench.light([] if lamp is None else [lamp], "dawn")
        self.host.renew()

    def _touched(self, site: str) -> None:
        if self._walk is not None and self._walk.lamp is not None:
            self._walk.stands_at(site)
            self._step()

    def _skip(self) -> None:
        if self._walk is not None:
            self._walk.skip()
            self._step()

    def _undo(self) -> None:
        if self._walk is not None:
            self._walk.undo()
            self._step()

    def _keep(self) -> None:
        if self._walk is None:
            return
        trouble = self.bench.keep_lamp_places(self._game, self._walk.places)
        self._note = trouble or _("It is kept.")
        self._stop()
        self.host.renew()

    def _give_up(self) -> None:
        self._stop()
        self.host.renew()

    def _stop(self) -> None:
        if self._walk is not None:
            self._walk = None
            self.bench.give_back()

    def _forget(self) -> None:
        self.bench.forget_lamp_places(self._game)
        self._note = ""
        self.host.renew()

    def _next_game(self) -> None:
        games = sorted(self.bench.games())
        self._game = games[(games.index(self._game) + 1) % len(games)]
        self._note = ""
        self.host.renew()

    def _show_board(self) -> None:
        scene = bare_scene(game_box(self._game))
        if self._walk is not None:
            places = list(self._walk.places)
            last = self._walk.steps[-1] if self._walk.steps else None
            scene = replace(
                scene, last=frozenset(places), picked=frozenset([last] if last else []),
                targets=frozenset(s for s in scene.box.sites if scene.box.sites[s].printed
                                  and s not in places),
            )  # fmt: skip
        self._board.show(scene)
