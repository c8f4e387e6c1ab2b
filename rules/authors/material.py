"""Whether the box is the material of this game: its board can be drawn and read, and all of it is
used."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from rules.authors.report import Report
from rules.box import Box
from rules.core import Game

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
    labels = Counter((site.kind, site.label) for site in box.sites.values() if site.printed)
    if alike := sorted(label for (_, label), number in labels.items() if label and number > 1):
        report.add(f"two places are labelled {alike}", "Give each printed place its own label")


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
