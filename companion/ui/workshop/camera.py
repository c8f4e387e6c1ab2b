"""The camera's view: its picture with everything that was read, figures, and advice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.words.sentences import figure, percent
from companion.presentation.words.translate import _
from companion.presentation.words.workshop import game_name
from companion.ui.drawing.camera_view import CameraView
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import PageScreen
from companion.ui.widgets.sheet import Column
from companion.ui.workshop.page import BenchPage, Frame, figure_row, told

if TYPE_CHECKING:
    from companion.workshop.camera import CameraBench, CameraLook
    from companion.workshop.report import ReportBench


class CameraPage(BenchPage):
    """Live, about five times a second."""

    def __init__(
        self, host: PageScreen, camera: CameraBench, report: ReportBench, games: Sequence[str]
    ) -> None:
        """``games``: whose boards can be looked for, the likeliest first."""
        super().__init__(host)
        self._camera, self._report, self._games = camera, report, games
        self._note = ""

    @property
    def title(self) -> str:
        return _("screens.what_the_camera_sees")

    def enter(self) -> None:
        self._camera.watch(self._games[0])

    def leave(self) -> None:
        self._camera.unwatch()

    def fill(self, frame: Frame, width: float) -> None:
        look = self._camera.look()
        if not look.source:
            self._picture: Any = None
            frame.add_widget(_no_camera(width))
            frame.add_widget(Widget())
            return
        area, column, room = self.split(frame, width)
        self._room, self._column = room, column
        self._picture = CameraView(lambda _gesture: None, pos_hint={"x": 0, "y": 0})
        area.add_widget(self._picture)
        self._shown = -1
        self._said: tuple[Any, ...] = ()
        self.tick()

    def tick(self) -> None:
        if self._picture is None:
            return
        look = self._camera.look()
        if look.picture is not None and look.number != self._shown:
            self._shown = look.number
            self._picture.show(look.picture)
        said = (
            look.advice, look.beliefs, _figures(look), look.lens, look.board, look.game, self._note,
            look.adjusts, look.adjusting,
        )  # fmt: skip
        if said != self._said:
            self._said = said
            self._write(look)

    def _write(self, look: CameraLook) -> None:
        room, small = self._room - style.gap, style.type_xs
        rows: list[Any] = []
        if look.board == "none":
            waiting = _("workshop.the_camera_has_not_sent")
            text = _("workshop.heelstone_looks_for_it_every_few")
            rows.append(told(waiting.format(camera=look.source), text, room, "…"))
        if look.adjusting:
            rows.append(told(_("workshop.the_camera_is_adjusting"), "", room, "…"))
        advice = () if look.adjusting else look.advice
        for sentence in advice:
            rows.append(told(sentence, "", room, "!", "dawn"))
        if look.board == "found" and not advice and not look.adjusting:
            rows.append(told(_("workshop.the_camera_sees_the_board_well"), "", room, "✓", "ok"))
        if look.board == "found":
            rows += [figure_row(name, value, room) for name, value in _figures(look)]
            if look.lens:
                rows.append(Words(look.lens, font_size=small, color=style.ash, width=room))
        for site, what in look.beliefs:
            text = f"{site}: {what}"
            rows.append(Words(text, font_size=small, color=style.ash, width=room))
        keys = [
            Key(
                _("screens.board_game").format(game=game_name(look.game, style.lang)),
                self._next_game,
                height=style.target,
            ),
            Key(
                self._note or _("workshop.remember_this_moment"),
                self._remember,
                symbol="◉",
                height=style.target,
            ),
        ]
        if look.adjusts:
            label = _("screens.adjust_the_camera")
            keys.insert(0, Key(label, self._camera.adjust, symbol="↻", height=style.target))
        box = BoxLayout(orientation="vertical", spacing=style.gap_s, pos_hint={"x": 0, "y": 0})
        box.add_widget(Column(rows, style.gap_s, listing=True))
        for key in keys:
            box.add_widget(key)
        self._column.clear_widgets()
        self._column.add_widget(box)

    def _next_game(self) -> None:
        games = sorted(self._games)
        self._camera.watch(games[(games.index(self._camera.game) + 1) % len(games)])
        self.tick()

    def _remember(self) -> None:
        trouble = self._report.remember_moment()
        self._note = trouble or _("screens.it_is_remembered")
        self.tick()


def _no_camera(width: float) -> Any:
    text = _("workshop.every_match_can_be_played")
    return told(_("workshop.no_camera_is_set_up"), text, width)


def _figures(look: CameraLook) -> tuple[tuple[str, str], ...]:
    return (
        (_("screens.light"), percent(look.light)),
        (_("screens.sharpness"), figure(look.sharpness, 2)),
        (
            _("screens.stickers"),
            _("workshop.px_per_square").format(px=figure(look.px_per_module, 1)),
        ),
        (_("screens.corners"), _("workshop.off_by_px").format(px=figure(look.error_px, 1))),
        (_("workshop.reading"), f"{look.ms:.0f} ms"),
    )
