"""Fingers on the camera's picture, and the lamps that shine in it."""

from __future__ import annotations

import contextlib
from typing import Any, assert_never

from companion.app.demo.stage import Stage
from companion.presentation.touching import piece_of
from companion.presentation.virtual_table import (
    Carry,
    Drop,
    Gesture,
    Lamp,
    Lift,
    PutAway,
    Stock,
    Take,
)
from companion.simulator import TableError
from rules.box import PieceKind

__all__ = ["Fingers", "LampLight"]

_REACH_MM = 260.0
"""How far a hand reaches beyond the board's edge."""

_TAP = 0.012
"""A finger that moves less than this share of the picture turns a piece instead of moving it."""


class Fingers:
    """One finger at a time; belongs to the thread that owns the stage."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._grip = (0.0, 0.0)
        """From the finger to the middle of the piece it holds, mm."""
        self._from: tuple[float, float, float, float] | None = None
        """Where the finger took the piece it holds: shares of the picture, and board mm."""

    def do(self, gesture: Gesture) -> None:
        """Move what the finger holds."""
        with self.stage.simulator.changed:
            self._do(gesture)

    def _do(self, gesture: Gesture) -> None:
        match gesture:
            case Lift(x, y):
                self._lift(x, y)
            case Carry(x, y):
                if self.stage.virtual.carried is not None:
                    self.stage.virtual.carry(*self._goal(x, y))
            case Drop(x, y):
                self._drop(x, y)
            case Take(kind, x, y):
                self._take(kind, x, y)
            case PutAway(tapped):
                self._put_away(tapped=tapped)
            case _:
                assert_never(gesture)

    @property
    def turns(self) -> bool:
        """Whether a tap does something to any piece."""
        return any(kind.poses or kind.back for kind in self._kinds())

    def stock(self) -> tuple[Stock, ...]:
        """What waits beside the board where the camera does not look, playable pieces first."""
        stage, view = self.stage, self.stage.view
        counts: dict[str, int] = {}
        for piece in stage.virtual.pieces:
            if piece.stored and not stage.in_sight(piece):
                counts[piece.shows] = counts.get(piece.shows, 0) + 1
        wanted = {k.id for m in view.legal if (k := piece_of(m, view, stage.box)) is not None}
        kinds = sorted(self._kinds(), key=lambda kind: kind.id not in wanted)
        return tuple(Stock(kind, counts[kind.id]) for kind in kinds if kind.id in counts)

    def _kinds(self) -> list[PieceKind]:
        """The kinds this game can put anywhere."""
        box, view = self.stage.box, self.stage.view
        # In some games everybody plays with every colour.
        lying = {box.kinds[item.kind].owner for item in view.items if item.kind in box.kinds}
        colours = {"", *view.colours, *lying}
        groups = {group for site in box.sites.values() for group in site.takes}
        own = [k for k in box.kinds.values() if k.owner in colours]
        backs = {k.back for k in own if k.group in groups}
        return [k for k in own if k.group in groups or k.id in backs]

    def _lift(self, x: float, y: float) -> None:
        virtual, camera = self.stage.virtual, self.stage.camera
        piece = camera.pick(virtual, x * camera.width, y * camera.height)
        if piece is None or virtual.carried is not None:
            return
        finger = self._under(x, y)
        self._grip = (piece.x_mm - finger[0], piece.y_mm - finger[1])
        self._from = (x, y, piece.x_mm, piece.y_mm)
        # A piece with something on it stays where it is; the finger then drags nothing.
        with contextlib.suppress(TableError):
            virtual.lift(piece.id)

    def _take(self, kind: str, x: float, y: float) -> None:
        """A piece from the supply comes into the picture."""
        virtual = self.stage.virtual
        stored = [p for p in virtual.pieces if p.stored and p.shows == kind]
        if stored and virtual.carried is None:
            self._grip, self._from = (0.0, 0.0), None
            # The top one; its home may hold a pile.
            virtual.lift(max(stored, key=lambda p: p.z).id)
            virtual.carry(*self._goal(x, y))

    def _put_away(self, *, tapped: bool) -> None:
        virtual, held = self.stage.virtual, self.stage.virtual.carried
        if held is None:
            return
        face_up = virtual.piece(held).face_up
        virtual.put_back(held)
        if tapped and face_up:
            # It waits for the next finger with its other side up.
            with contextlib.suppress(TableError):
                virtual.turn(held)

    def _drop(self, x: float, y: float) -> None:
        virtual, held = self.stage.virtual, self.stage.virtual.carried
        if held is None:
            return
        start = self._from
        if start is None or max(abs(x - start[0]), abs(y - start[1])) > _TAP:
            virtual.drop(*self._goal(x, y))
            return
        virtual.drop(*start[2:])
        # Most pieces look the same from every side.
        with contextlib.suppress(TableError):
            virtual.turn(held)

    def _goal(self, x: float, y: float) -> tuple[float, float]:
        """Where the held piece should go, mm."""
        finger = self._under(x, y)
        half = [side / 2 + _REACH_MM for side in self.stage.box.size]
        wanted = (finger[0] + self._grip[0], finger[1] + self._grip[1])
        across, up = (min(max(w, -h), h) for w, h in zip(wanted, half, strict=True))
        return (across, up)

    def _under(self, x: float, y: float) -> tuple[float, float]:
        """Board mm below a place of the picture."""
        camera, nudge = self.stage.camera, self.stage.virtual.nudge
        return camera.px_to_board(x * camera.width, y * camera.height, 0.0, nudge)


class LampLight:
    """Where each lamp is, and how it shines now."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._places = _places(stage)

    def shining(self) -> tuple[Lamp, ...]:
        """The lamps that are on."""
        twin: Any = self._stage.house.rig.twins["lamps"]
        return tuple(
            Lamp(*self._places[index], _light(pixel))
            for index, pixel in enumerate(twin.pixels)
            if index in self._places and any(pixel)
        )


def _places(stage: Stage) -> dict[int, tuple[float, float, float]]:
    """Where each lamp's site lies in the camera's picture, and how large it is: shares of it."""
    camera, places = stage.camera, {}
    for site, lamps in stage.house.director.lamp_of(stage.box.id).items():
        if site not in stage.box.sites:
            # Another game of the same box uses it.
            continue
        x, y = stage.box.sites[site].at
        reach = stage.box.sites[site].radius or max(stage.box.sites[site].size or (0.0, 0.0)) / 2
        u, v = camera.board_to_px(x, y)
        rim, _v = camera.board_to_px(x + reach * 1.15, y)
        for lamp in lamps:
            places[lamp] = (u / camera.width, v / camera.height, (rim - u) / camera.width)
    return places


def _light(pixel: tuple[int, int, int]) -> tuple[float, float, float, float]:
    """A lamp as people see it: what is sent to it is bent to the eye and dimmed for the dark."""
    most = max(pixel)
    red, green, blue = ((part / most) ** (1 / 2.4) for part in pixel)
    return (red, green, blue, min((most / 255 / 0.4) ** (1 / 2.4), 1.0))
