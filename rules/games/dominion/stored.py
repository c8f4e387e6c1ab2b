"""Reading a stored position of Dominion back: what may lie on its stack."""

from __future__ import annotations

from rules.core import StateError
from rules.games.dominion.cards import CARDS, TREASURES
from rules.games.dominion.effects import FRAME_PARTS
from rules.games.dominion.state import DominionState, Frame


def check_frame(state: DominionState, frame: Frame) -> None:
    """Raises StateError if a frame on the stack is none of ours."""
    parts = FRAME_PARTS.get(frame[0])
    if parts is None or len(parts) != len(frame) - 1:
        raise StateError("unfit", key="stack", found=frame)
    seats = range(state.players)
    for kind, part in zip(parts, frame[1:], strict=True):
        match kind:
            case "s":
                fits = isinstance(part, int) and part in seats
            case "n":
                fits = isinstance(part, int) and part >= 0
            case "c":
                fits = part in CARDS
            case "C":
                fits = isinstance(part, tuple) and all(card in TREASURES for card in part)
            case _:
                fits = isinstance(part, tuple) and all(seat in seats for seat in part)
        if not fits:
            raise StateError("unfit", key=f"stack.{frame[0]}", found=part)
