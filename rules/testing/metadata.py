"""Checks that a game's facts about itself fit its box."""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise, product
from math import hypot
from pathlib import Path
from typing import Any

from rules.box import PLAYER_COLOURS, TRAY, Box, BoxError, PieceKind, Point, Site, box_ids, load_box
from rules.core import Game, GameError, Inference, Touch
from rules.plugins import names_games
from rules.testing.relations.drawing import misdrawn
from rules.testing.report import Report

# The package: its ``pyproject.toml`` must name the game and bring every file along. A folder that
# plays here may lack its texts on the machine of others.

_MADE = (".py", ".pyc", ".pyo")
"""Endings of files that come along as modules, or are made from them."""
_BESIDE = (".", "__pycache__")
"""Prefixes of files and folders that are no part of a package."""
FORMERLY = {
    **dict.fromkeys(
        ("also_right", "awaits", "halfway", "stays", "tolerated", "tolerates", "unfinished"),
        "may_lie",
    ),
    **dict.fromkeys(("guessed", "likely"), "plausible"),
}
"""What answers a question that was asked once."""
CLEARLY = 2.0
"""Times that its own colour must be farther than another one for a body to be taken for that."""
MOST = 4
"""Most files that are named."""


def check_package(game: Game[Any], report: Report) -> None:
    """Check the package of a game, unless it came with Heelstone or is installed already."""
    top = type(game).__module__.partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None)
    if top == "rules" or file is None:
        return
    package = Path(file).parent
    folder = package.parent.parent if package.parent.name == "src" else package.parent
    if not names_games(folder):
        return
    data = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    for told, remedy in (*_project(data), *_files(data, folder, package)):
        report.add(f"pyproject.toml {told}", remedy)


def _project(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    project = data.get("project", {})
    for key in ("name", "version"):
        if not project.get(key) and key not in project.get("dynamic", ()):
            yield f"gives the project no {key}", f"Write '{key} = …' below [project]"
    needs = project.get("dependencies", ())
    if "dependencies" not in project.get("dynamic", ()) and not any(
        str(one).lower().startswith("heelstone") for one in needs
    ):
        yield (
            "does not name Heelstone as a dependency",
            'Write dependencies = ["heelstone"] below [project]',
        )


def _files(data: Mapping[str, Any], folder: Path, package: Path) -> Iterator[tuple[str, str]]:
    """Setuptools takes what it is told to; other builders, and lists of files, have ways of their
    own."""
    backend = str(data.get("build-system", {}).get("build-backend", "setuptools"))
    if not backend.startswith("setuptools") or (folder / "MANIFEST.in").exists():
        return
    told = data.get("tool", {}).get("setuptools", {})
    listed = told.get("packages")
    if not isinstance(listed, list):
        listed = None
    parts = {package.name: package}
    for found in package.rglob("__init__.py"):
        name = ".".join(found.parent.relative_to(package.parent).parts)
        parts[name] = found.parent
    if listed is not None and (missing := sorted(set(parts) - set(listed))):
        yield (
            f"leaves the package {', '.join(missing)} behind",
            f"Name {missing[0]} in packages below [tool.setuptools]",
        )
    patterns = told.get("package-data", {})
    brought: set[Path] = set()
    for name, place in parts.items():
        for pattern in (*patterns.get(name, ()), *patterns.get("*", ())):
            brought.update(place.glob(pattern))
    behind = sorted(
        file.relative_to(package).as_posix()
        for file in package.rglob("*")
        if file.is_file() and file not in brought and file.suffix not in _MADE
        and not any(one.startswith(_BESIDE) for one in file.relative_to(package).parts)
    )  # fmt: skip
    if behind:
        named = ", ".join(behind[:MOST]) + (" …" if len(behind) > MOST else "")
        yield (
            f"leaves {named} behind when the game is installed",
            "Name patterns for them below [tool.setuptools.package-data]",
        )


# The material: the board of the box can be drawn and read, and all of it is used.

ALIKE = ("group", "shape", "size", "height", "sticker_mm", "count", "mark", "poses", "cells")
"""Properties that pieces of one name share, whoever owns them."""
FOOT = 0.1
"""Part of a piece's foot: no hand puts it down so near the middle of a place."""
BEYOND_MM = 0.5


def check_material(game: Game[Any], box: Box, report: Report) -> None:
    """Check the box file alone."""
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
    for told, remedy in (*_unlike(box), *misdrawn(box)):
        report.hint(told, remedy)
    for told, remedy in (
        *_narrow(box),
        *_alike(box),
        *_astray(box),
        *_miscoloured(box),
        *_in_trays(box),
    ):
        report.add(told, remedy)
    if Path(game.box).is_absolute() and box.id in box_ids():
        report.add(
            f"the box calls itself '{box.id}', as another one does",
            "Give it an id of its own, for what is learnt about a board is kept by it",
        )
    printed: dict[str, Counter[str]] = {}
    for site in box.sites.values():
        if site.printed and site.label:
            printed.setdefault(site.kind, Counter())[site.label] += 1
    for labels in printed.values():
        # Boards have a, b, c, d once for each player; a slip is alike where others are not.
        alike = sorted(label for label, number in labels.items() if number > 1)
        if alike and len(set(labels.values())) > 1:
            report.add(
                f"several places are labelled {alike}, and others are not",
                "Give each printed place its own label, or all of them the same number of times",
            )


def _miscoloured(box: Box) -> Iterator[tuple[str, str]]:
    """Bodies of a player's pieces that look far more like the colour of another one."""
    tones = {
        kind.owner: tone
        for kind in box.kinds.values()
        if (tone := box.colours.get(kind.owner) or PLAYER_COLOURS.get(kind.owner))
    }
    for kind in box.kinds.values():
        if kind.owner not in tones:
            continue
        far = {owner: _difference(kind.colour, tone) for owner, tone in tones.items()}
        nearest = min(far, key=far.__getitem__)
        if far[kind.owner] > CLEARLY * far[nearest]:
            yield (
                f"the body of '{kind.id}' is {kind.colour}, which looks {nearest}, and belongs to "
                f"{kind.owner}",
                "Write the colour of its body, or of its owner",
            )


def _difference(one: str, other: str) -> float:
    """Distance of two colours ``#rrggbb``, in grey levels of red, green and blue."""
    return hypot(*(a - b for a, b in zip(*map(_levels, (one, other)), strict=True)))


def _levels(tone: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(tone[1:]))


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


def _in_trays(box: Box) -> Iterator[tuple[str, str]]:
    """A place that lies where dice are thrown."""
    for tray in (site for site in box.sites.values() if site.kind == TRAY):
        wide, high = tray.size or (2 * tray.radius, 2 * tray.radius)
        for site in box.sites.values():
            across, up = site.at[0] - tray.at[0], site.at[1] - tray.at[1]
            if site.kind != TRAY and site.printed and abs(across) < wide / 2 and abs(up) < high / 2:
                yield (
                    f"{site.id} lies in {tray.id}, where dice would fall on its pieces",
                    "Put the tray where nothing else is",
                )
                break


def _unlike(box: Box) -> Iterator[tuple[str, str]]:
    """Pieces of two players that are not alike, although their names are."""
    owned: dict[str, list[PieceKind]] = {}
    for piece in box.kinds.values():
        if piece.owner:
            owned.setdefault(re.sub(rf"\b{piece.owner}\b", "", piece.id), []).append(piece)
            others = {kind.owner for kind in box.kinds.values()} - {piece.owner, ""}
            if wrong := others.intersection(piece.id.split()):
                yield (
                    f"'{piece.id}' belongs to {piece.owner}, and is called {min(wrong)}",
                    "Write the owner's colour in its name, or the right owner",
                )
    for first, *rest in owned.values():
        for other, what in product(rest, ALIKE):
            if getattr(first, what) != getattr(other, what):
                yield (
                    f"the {what} of '{first.id}' is {getattr(first, what)}, and of '{other.id}' "
                    f"{getattr(other, what)}",
                    "Give the players the same, if the rules do",
                )


def _astray(box: Box) -> Iterator[tuple[str, str]]:
    """A place that a line of the drawing names, and does not reach."""
    for stroke in box.strokes:
        if stroke.kind != "line":
            continue
        for name in stroke.sites:
            site = box.sites.get(name)
            if site is None or not site.printed:
                continue
            ends = pairwise(stroke.points)
            apart = min((_distance(site.at, *pair) for pair in ends), default=0.0)
            reach = max(site.radius, *(site.size or (0.0,)))
            if apart > reach:
                yield (
                    f"{name} is {apart:.0f} mm from the line that names it",
                    "Mend 'at' of the place, or the line's points and sites",
                )


def _distance(at: Point, start: Point, end: Point) -> float:
    """Distance of a point from a line between two others."""
    along = end[0] - start[0], end[1] - start[1]
    length = along[0] ** 2 + along[1] ** 2
    from_start = at[0] - start[0], at[1] - start[1]
    part = (from_start[0] * along[0] + from_start[1] * along[1]) / length if length else 0.0
    part = min(max(part, 0.0), 1.0)
    return hypot(from_start[0] - part * along[0], from_start[1] - part * along[1])


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
        look = kind.group, kind.shape, kind.size, kind.cells, kind.colour.lower(), kind.mark
        first = seen.setdefault(look, kind)
        if first.owner != kind.owner:
            yield (
                f"{first.id} and {kind.id} have the same shape and colour in the box",
                "Give the pieces of each player a colour of their own",
            )


def check_used(game: Game[Any], box: Box, report: Report) -> None:
    """Check what turned up in the matches of all settings."""
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


def check_questions(game: Game[Any], report: Report) -> None:
    """Check that all that a game answers a reading or a screen is asked."""
    for one, kind in ((game.inference, Inference), (game.touch, Touch)):
        for name in sorted(set(dir(one)) - set(dir(kind))):
            if not name.startswith("_"):
                now = FORMERLY.get(name)
                report.add(
                    f"{type(one).__name__} answers {name}, which nobody asks",
                    f"Let {now} answer it" if now else "Begin its name with an underscore",
                )


def check_facts(game: Game[Any], report: Report) -> None:
    """Box, players, colours, options and codes."""
    check_questions(game, report)
    try:
        box = load_box(game.box)
    except BoxError as error:
        report.add(str(error).rstrip("."), "Mend the box file, or name another")
        return
    if not game.players or min(game.players, default=0) < 1:
        report.add(f"the game is for {game.players} players", "Say for how many it is")
        return
    check_material(game, box.for_game(game.id), report)
    owners = {kind.owner for kind in box.kinds.values() if kind.owner}
    sites = box.for_game(game.id).sites
    for players in game.players:
        options = game.complete_options(players, {})
        colours = game.colours(players, options)
        if len(colours) != players:
            report.add(f"{players} players have {len(colours)} colours", "Each seat has one colour")
        if len(set(colours)) != len(colours):
            report.add(f"two of {players} players have the same colour", "Each seat has one colour")
        if owners and (strange := sorted(set(colours) - owners)):
            report.add(
                f"nothing in the box belongs to {', '.join(strange)}",
                "Use the colours that the box gives as owners of its kinds",
            )
        for seat in range(players):
            if not (at := game.sits_at(seat, players, options)):
                continue
            if at not in sites:
                report.add(
                    f"seat {seat} is at '{at}', which the box does not have",
                    "Name a site of the box, or none",
                )
            elif len(colours) == players and sites[at].colour in owners - {colours[seat]}:
                report.add(
                    f"with {players} players {colours[seat]} sits at '{at}', which is "
                    f"{sites[at].colour}",
                    "Let sits_at name the seat's own side",
                )
    for name, values in game.options.items():
        if not values or len(set(values)) != len(values):
            report.add(f"option '{name}' has the values {values}", "Name each value once")
        for value in values:
            if strange := sorted(set(game.touch.stands_for(name, value)) - set(box.kinds)):
                report.add(f"option {name}={value} stands for {strange}", "Name kinds of the box")
    for name, choice in game.choices.items():
        if name not in game.options:
            report.add(f"choices names '{name}', which is no option", "Name an option")
        stock = {pile.kind for pile in game.touch.stock(choice.kinds, game.players[0])}
        if not stock == set(choice.kinds) <= set(box.kinds):
            report.add(
                f"of choice '{name}' the box and 'stock' do not know the same kinds",
                "Name kinds of the box, and return a pile for each from 'stock'",
            )
    for name, value in game.formerly.items():
        if value not in game.options.get(name, ()):
            report.add(
                f"formerly names {name}={value}, which is no value of an option",
                "Name an option and one of its values",
            )
    for what, codes in (("objection", game.codes), ("outcome", game.outcomes)):
        if len(set(codes)) != len(codes):
            report.add(f"an {what} code is listed twice", "List it once")
    if not game.outcomes:
        report.add("no outcome is declared", "List every reason of an Outcome in 'outcomes'")
    try:
        game.complete_options(game.players[0], {"no_such_option": "x"})
    except GameError:
        return
    report.add(
        "an option that does not exist is accepted", "Let complete_options raise OptionError"
    )
