"""The steps by which hands make the table show a layout: one drag or one turn at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.simulator.objects import Piece, TableError, alike, wanted_stacks
from companion.simulator.table import VirtualTable
from rules.box import Point
from rules.core import Item, Layout


@dataclass(frozen=True, slots=True)
class Drag:
    """Carry a piece to a place on the board."""

    piece: int
    to: Point
    """mm."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """Carry a piece to its home beside the board."""

    piece: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Tap a piece: its next pose, or its other face."""

    piece: int


Step = Drag | PutBack | Turn


@dataclass(frozen=True, slots=True)
class _Need:
    """An item that is not on the table yet, and what it is to lie on."""

    site: str
    item: Item
    below: Piece | None


def next_step(table: VirtualTable, wanted: Layout) -> Step | None:
    """The next step of a hand; None if the table shows the layout already.

    A misplaced piece that is wanted elsewhere is carried there; others come from beside the board.
    Raises TableError if the box does not hold what is wanted.
    """
    stacks = wanted_stacks(wanted)
    surplus: list[Piece] = []
    needs: list[_Need] = []
    for site in table.box.sites:
        lying = table.stacks(site)
        open_stacks: list[tuple[list[Item], Piece | None]] = []
        for stack in stacks.get(site, []):
            best = max(lying, key=lambda column: alike(column, stack), default=[])
            same = alike(best, stack)
            if same:
                lying.remove(best)
                surplus += reversed(best[same:])
                if len(best) > same and len(stack) > same:
                    turned = _turned(table, best, same, stack[same])
                    if turned is not None:
                        return turned
            elif lying and len(stack) == 1 and len(lying[0]) == 1:
                turned = _turned(table, lying[0], 0, stack[0])
                if turned is not None:
                    return turned
            if len(stack) > same:
                open_stacks.append((stack[same:], best[same - 1] if same else None))
        surplus += [piece for column in lying for piece in reversed(column)]
        # What is misplaced has to make room first.
        if not any(piece.site == site for piece in surplus):
            needs += [_Need(site, stack[0], below) for stack, below in open_stacks]
    strays = [p for p in table.pieces if p.site is None and not p.stored and p.id != table.carried]
    step = next(_supplied(table, needs, surplus + strays), None)
    if step is not None:
        return step
    for piece in (*surplus, *strays):
        if table.above(piece) is None:
            return PutBack(piece.id)
    if needs:
        raise TableError(f"there is no '{needs[0].item.kind}' left for {needs[0].site}")
    return None


def _turned(table: VirtualTable, column: list[Piece], at: int, item: Item) -> Turn | None:
    """The tap that makes the topmost piece of a column what is wanted, if one can."""
    piece = column[at]
    if len(column) != at + 1:
        return None
    if piece.shows == item.kind and item.pose and piece.pose != item.pose:
        return Turn(piece.id)
    if piece.face_up or not _becomes(table, piece, item.kind):
        return None
    return Turn(piece.id)


def _becomes(table: VirtualTable, piece: Piece, kind: str) -> bool:
    """True if a piece whose front is unknown can turn out to be this kind; then it is."""
    if table.box.kinds[piece.kind].back != table.box.kinds[kind].back:
        return False
    try:
        table.name(piece.id, kind)
    except TableError:
        return False
    return True


def _supplied(table: VirtualTable, needs: list[_Need], loose: list[Piece]) -> Iterator[Step]:
    """Steps that bring what is needed: first from what is misplaced, then from beside the board."""
    stored = [p for p in table.pieces if p.stored and p.id != table.carried]
    for pieces in (loose, sorted(stored, key=lambda p: -p.z)):
        for need in needs:
            # What already shows it goes first: naming a card changes another one's place.
            for piece in sorted(pieces, key=lambda p: p.shows != need.item.kind):
                step = _brought(table, need, piece) if table.above(piece) is None else None
                if step is not None:
                    yield step


def _brought(table: VirtualTable, need: _Need, piece: Piece) -> Step | None:
    """Step by which this piece becomes what is needed; None if it never does."""
    item, kinds = need.item, table.box.kinds
    if piece.shows != item.kind:
        back = kinds[piece.kind].back
        if not back:
            return None
        if item.kind == back and piece.face_up:
            return Turn(piece.id)
        # Cards in somebody's hand lie beside the board here; nobody knows which they are.
        unknown = piece.stored or not piece.face_up
        if not unknown or not _becomes(table, piece, item.kind):
            return None
    if kinds[piece.kind].tells_turn:
        # Hands turn it on its way.
        table.turn_in_hand(piece.id, item.pose)
    to = need.below.at if need.below is not None else table.free_place(need.site, piece.id)
    return Drag(piece.id, to)
