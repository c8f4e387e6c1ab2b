"""Stacks of a layout, and how much of one is already there."""

from __future__ import annotations

from collections.abc import Sequence

from companion.simulator.objects import Piece
from rules.core import Item, Layout

__all__ = ["alike", "wanted_stacks"]


def alike(column: Sequence[Piece], stack: Sequence[Item]) -> int:
    """How many pieces of a column are what is wanted, from the bottom up."""
    same = 0
    for piece, item in zip(column, stack, strict=False):
        if piece.shows != item.kind or (item.pose and piece.pose != item.pose):
            break
        same += 1
    return same


def wanted_stacks(layout: Layout) -> dict[str, list[list[Item]]]:
    """The stacks of a layout side by side at every site, each the lowest item first."""
    sites: dict[str, list[Item]] = {}
    for item, count in layout.items():
        sites.setdefault(item.site, []).extend([item] * count)
    columns: dict[str, list[list[Item]]] = {}
    for site, items in sites.items():
        stacks: list[list[Item]] = [[]]
        # what nobody sees lies below what everybody sees
        items.sort(key=lambda item: (item.level, item.seen, item.kind, item.pose))
        for item in items:
            if not item.seen:
                stacks[0].append(item)
                continue
            fitting = (
                stack
                for stack in stacks
                if not stack or stack[-1].level < item.level or not stack[-1].seen
            )
            stack = next(fitting, None)
            if stack is None:
                stacks.append([item])
            else:
                stack.append(item)
        columns[site] = [stack for stack in stacks if stack]
    return columns
