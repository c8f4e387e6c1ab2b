"""Whether the box is the material of this game: its board can be drawn and read, and all of it is
used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import hypot
from pathlib import Path
from typing import Any

from rules.box import Box, PieceKind, Site, box_ids
from rules.core import Game
from rules.testing.report import Report

__all__ = ["check_material", "check_used"]

FOOT = 0.1
"""Part of a piece's foot: no hand puts it down so near the middle of a place."""
BEYOND_MM = 0.5


def check_material(game: Game[Any], box: Box, report: Report) -> None:
    """What can be seen in the box file alone."""
    across, up = box.size[0] / 2 + BEYOND_MM, box.size[1] / 2 + BEYOND_MM
    for stroke in box.strokes:
        for x, y in stroke.points:
            if abs(x) > across or abs(y) > up:
                report.add(
                    f"a {stroke.kind} of role '{stroke.role}' reaches [{x:g}, {y:g}], beyond the "
                    f"board of {box.size[0]:g} × {box.size[1]:g} mm",
                    "Mend its points in the box file",
                )
    for site in box.sites.values():
        feet = [min(kind.size) for kind in box.kinds_at(site.id)]
        if site.size is None and feet and site.radius < FOOT * min(feet):
            report.add(
                f"{site.id} has a radius of {site.radius:g} mm, and its pieces are "
                f"{min(feet):g} mm wide",
                "Give it a radius of about half a piece: so near the middle of a foot must be",
            )
    for told, remedy in (*_narrow(box), *_alike(box)):
        report.add(told, remedy)
    if Path(game.box).is_absolute() and box.id in box_ids():
        report.add(
            f"the box calls itself '{box.id}', as another one does",
            "Give it an id of its own, for what is learnt about a board is kept by it",
        )
    labels = Counter((site.kind, site.label) for site in box.sites.values() if site.printed)
    if alike := sorted(label for (_, label), number in labels.items() if label and number > 1):
        report.add(f"two places are labelled {alike}", "Give each printed place its own label")


def _narrow(box: Box) -> Iterator[tuple[str, str]]:
    """Two places on the board so near each other that their pieces do not fit side by side."""
    printed = [site for site in box.sites.values() if site.printed and site.size is None]
    for one, other in combinations(printed, 2):
        apart = hypot(one.at[0] - other.at[0], one.at[1] - other.at[1])
        feet = [_foot(box, site) for site in (one, other)]
        if min(feet) and apart + BEYOND_MM < sum(feet) / 2:
            yield (
                f"{one.id} and {other.id} are {apart:g} mm apart, and their pieces are "
                f"{max(feet):g} mm wide",
                "Make the pieces smaller, or put the places farther apart",
            )
            return


def _foot(box: Box, site: Site) -> float:
    """The smallest piece that may lie there; cards are laid as there is room."""
    feet = [min(kind.size) for kind in box.kinds_at(site.id) if kind.shape != "card"]
    return min(feet, default=0.0)


def _alike(box: Box) -> Iterator[tuple[str, str]]:
    """Pieces of two players that only a sticker tells apart."""
    seen: dict[tuple[object, ...], PieceKind] = {}
    for kind in box.kinds.values():
        if not kind.owner or kind.shape == "card":
            continue
        look = kind.group, kind.shape, kind.size, kind.colour.lower(), kind.mark
        first = seen.setdefault(look, kind)
        if first.owner != kind.owner:
            yield (
                f"{first.id} and {kind.id} have the same shape and colour in the box",
                "Give the pieces of each player a colour of their own",
            )


def check_used(game: Game[Any], box: Box, report: Report) -> None:
    """What turned up in the matches of all settings."""
    if not Path(game.box).is_absolute():
        return  # other games may use what this one leaves in the box, and in other colours
    colours = set(game.palette)
    for players in game.players:
        colours |= set(game.colours(players, game.complete_options(players, {})))
    for kind in sorted(report.kinds):
        owner = box.kinds[kind].owner if kind in box.kinds else ""
        if owner and owner not in colours:
            report.add(
                f"{kind} belongs to {owner} in the box, and no seat has that colour",
                "Give the kind the colour of a seat as its owner, or none",
            )
    if unused := sorted(set(box.kinds) - set(report.kinds)):
        report.hint(
            f"{', '.join(unused[:5])} never came up",
            "Let layout or supply name every kind of the box, or take it out of the box",
        )
