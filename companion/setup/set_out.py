"""The pieces to put down before a match begins, and how much of them the camera already sees.

Made from the layout of the position, so it is right for every game. Free of Kivy and of cameras.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.match.view import TableView
from rules.box import TRAY, Box
from rules.reading.sighting import EMPTY, Look, SiteBelief, looks
from rules.telling import Teller

ALIKE = 0.7
"""Log likelihood by which another look may be better without the wanted one counting as missing."""
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Task:
    """Equal things that must be put down: at equal places on the table, or in front of a player."""

    kinds: Mapping[str, int]
    """Kind of the box to how many at each place."""
    sites: tuple[str, ...] = ()
    """Empty for what lies in front of a player, where no camera looks."""
    look: Look = EMPTY
    """Look that the camera must see at each of the sites."""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Part of a task that is seen."""

    missing: tuple[str, ...]
    of: int

    @property
    def done(self) -> bool:
        """True if everything lies there."""
        return not self.missing


def tasks(view: TableView, box: Box) -> tuple[Task, ...]:
    """All to be put down for the position of ``view``: the table first, then the seats."""
    lying: dict[str, dict[str, int]] = {}
    for item in view.items:
        if item.site in box.sites and item.kind in box.kinds:
            kinds = lying.setdefault(item.site, {})
            kinds[item.kind] = kinds.get(item.kind, 0) + 1
    seen = _looks(view, box)
    groups: dict[tuple[Look, tuple[tuple[str, int], ...]], list[str]] = {}
    order = {site: number for number, site in enumerate(box.sites)}
    for site in sorted(seen, key=order.__getitem__):
        key = (seen[site], tuple(sorted(lying[site].items())))
        groups.setdefault(key, []).append(site)
    found = [Task(dict(kinds), tuple(sites), look) for (look, kinds), sites in groups.items()]
    for seat, supply in enumerate(view.supplies):
        kinds_of = {kind: count for kind, count in supply.items() if count and kind in box.kinds}
        if kinds_of:
            found.append(Task(kinds_of, seat=seat))
    return tuple(found)


def progress(task: Task, sites: Mapping[str, SiteBelief]) -> Progress:
    """Part of ``task`` that lies there; what lies in front of players is never seen."""
    missing = tuple(site for site in task.sites if not _lies(sites.get(site), task.look))
    return Progress(missing, len(task.sites))


def unwanted(view: TableView, box: Box, sites: Mapping[str, SiteBelief]) -> tuple[str, ...]:
    """Printed places of the board where something lies though nothing should."""
    seen = _looks(view, box)
    return tuple(
        name
        for name, site in box.sites.items()
        if site.printed
        and site.kind != TRAY
        and name not in seen
        and name in sites
        and not sites[name].occluded
        and sites[name].best != EMPTY
    )


def task_text(task: Task, teller: Teller) -> tuple[str, str]:
    """Pieces and places, as two short texts; no place for what lies in front of a player."""
    many = len(task.sites) or 1
    whole = [teller.counted(kind, count * many) for kind, count in task.kinds.items()]
    return teller.list(whole), places(task.sites, teller)


def places(sites: Sequence[str], teller: Teller) -> str:
    """Names of sites; if there are many, only the first and the last."""
    names = [*dict.fromkeys(map(teller.site, sites))]
    if len(names) > MOST_NAMED:
        return f"{names[0]} … {names[-1]}"
    text = teller.list(names)
    return text[:1].upper() + text[1:]


def _looks(view: TableView, box: Box) -> dict[str, Look]:
    found = looks(Counter(view.items))
    # Dice are thrown, not set out.
    return {s: look for s, look in found.items() if s in box.sites and box.sites[s].kind != TRAY}


def _lies(belief: SiteBelief | None, look: Look) -> bool:
    if belief is None or belief.occluded:
        return False
    return belief.score(look) >= belief.score(belief.best) - ALIKE
