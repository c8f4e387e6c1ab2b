"""Finds places of a board that break what holds of all others.

A board is drawn by laws that nobody writes down: it looks the same when it is turned or mirrored,
colours take turns, numbers run along a way, names share letters by rows. Each law is guessed from
the places themselves; one that one or two places break, and all others keep, shows a slip there.
"""

from __future__ import annotations

import re
from cmath import rect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import hypot, pi

from rules.box import Box, Site, is_cell

MIRRORED = "mirrored"
TURNS = 12
"""Steps of a whole turn that are tried: the third and fourth parts of it among them."""
NEAR_MM = 2.0
"""Distance at which an image of a place is another place."""
FEWEST = 6
"""Fewest places of a board with laws."""
MOST_ODD = 2
"""Most places that break a law by a slip."""
SUPPORT, KEPT = 3, 2
"""Times that a consequence must be met to be usual, and for each time that it is not."""
LOOKS = ("colour", "kind", "takes", "room", "heap", "radius", "size", "drawn_radius")
_NAME = re.compile(r"(.*?)(\d+)")
_STEP = 5.0
"""Millimetres in which distances are compared."""


@dataclass(frozen=True, slots=True)
class Image:
    """A way in which a board lies on itself."""

    name: str
    to: dict[str, str]
    """By place: the one on which it lies; those are missing that lie on none."""


def images(sites: Sequence[Site], *, across_kinds: bool = False) -> Iterator[Image]:
    """All ways in which a board may lie on itself, turned or mirrored about the middle of its
    ``sites`` or its own; a place lies on one of its own kind."""
    at = {site.id: complex(*site.at) for site in sites}
    xs, ys = [one.real for one in at.values()], [one.imag for one in at.values()]
    between = complex(min(xs) + max(xs), min(ys) + max(ys)) / 2
    for middle, step, mirrored in product({between, 0j}, range(TURNS), (False, True)):
        if not step and not mirrored:
            continue
        degrees = f"turned by {360 * step // TURNS} degrees" if step else ""
        image = Image(" and ".join(filter(None, (MIRRORED if mirrored else "", degrees))), {})
        for site in sites:
            off = at[site.id] - middle
            off = (-off.conjugate() if mirrored else off) * rect(1, 2 * pi * step / TURNS)
            for other in sites:
                same = across_kinds or other.kind == site.kind
                if same and abs(at[other.id] - middle - off) < NEAR_MM:
                    image.to[site.id] = other.id
        yield image


def misdrawn(box: Box) -> Iterator[tuple[str, str]]:
    """Slips in the places of a box, and what to do."""
    sites = [s for s in box.sites.values() if s.printed and not is_cell(box, s.id)]
    if len(sites) < FEWEST:
        return
    turned = [one for one in images(sites, across_kinds=True) if 2 * len(one.to) > len(sites)]
    found: dict[str, tuple[tuple[str, ...], str]] = {}
    for what, law, relations in (*_laws(sites, turned), *_mirrored(box, sites, turned)):
        odd = _odd(relations)
        # What a turned board has where it has it itself is meant; on an axis all lies so.
        same = {one.name: {one.to.get(place) for place in odd} == {*odd} for one in turned}
        meant = any(has for name, has in same.items() if not name.startswith(MIRRORED))
        if odd and not meant and not (same and all(same.values())):
            found.setdefault(what, (odd, law))
    for what, (odd, law) in found.items():
        has = {name: f" ({getattr(box.sites[name], what)})" for name in odd if what in LOOKS}
        named = " and of ".join(f"{name}{has.get(name, '')}" for name in odd)
        yield (
            f"the {what} of {named} is otherwise than {law} lets expect",
            "If that is not meant, see whether two are exchanged, or one is written wrongly",
        )


# -- private ------------------------------------------------------------------------------

Relation = tuple[tuple[str, ...], object, object]
"""Places, what one of them is, and what follows from that by a law."""


def _laws(
    sites: Sequence[Site], turned: Sequence[Image]
) -> Iterator[tuple[str, str, list[Relation]]]:
    """Laws that may hold: a property, the reason to expect it, and places with both."""
    by_id = {site.id: site for site in sites}
    for look in LOOKS[2:]:
        yield look, "its kind", [((s.id,), s.kind, getattr(s, look)) for s in sites]
    maps = [(f"the board {one.name}", one.to) for one in turned if len(one.to) == len(sites)]
    maps += [(f"the place before it, {name},", to) for name, to in _steps(sites)]
    for (name, to), look in product(maps, LOOKS):
        yield look, name, [
            ((one, other), getattr(by_id[one], look), getattr(by_id[other], look))
            for one, other in to.items() if one != other
        ]  # fmt: skip
    for place, look in product((0, 1), ("colour", "takes")):
        yield look, f"the {('letter', 'number')[place]} in its name", [
            ((site.id,), split[place], getattr(site, look))
            for site in sites if (split := _split(site.id))
        ]  # fmt: skip
    yield "label", "its name", [((site.id,), site.kind, _label(site)) for site in sites]
    yield "position", "the distance from name to name", [*_named(by_id, hypot)]
    yield "position", "the way from name to name", [*_named(by_id, lambda x, y: (x, y))]
    for one in turned:
        lying: list[Relation] = [((site.id,), site.kind, site.id in one.to) for site in sites]
        yield "position", f"the board {one.name}", lying


def _mirrored(
    box: Box, sites: Sequence[Site], turned: Sequence[Image]
) -> Iterator[tuple[str, str, list[Relation]]]:
    """Laws of a symmetric board: a place has what the one has on which it lies, ways to others, and
    figures that several places have."""
    by_id = {site.id: site for site in sites}
    drawn: dict[tuple[str, str], set[str]] = {}
    for stroke in box.strokes:
        middle = sum(complex(*point) for point in stroke.points) / len(stroke.points)
        if stroke.kind in ("polygon", "circle"):
            at = (middle.real, middle.imag)
            here = {site.id for site in sites if site.holds(at)}
            drawn.setdefault((stroke.role, stroke.colour), set()).update(here)
    for one in turned:
        if len(one.to) < len(sites):
            continue
        pairs = [(here, there) for here, there in one.to.items() if here != there]
        yield "list of neighbours", f"the board {one.name}", [
            ((here, there), True,
             {one.to.get(n) for n in by_id[here].neighbours} == {*by_id[there].neighbours})
            for here, there in pairs
        ]  # fmt: skip
        for places in drawn.values():
            if len(places) >= SUPPORT + 1:
                yield "drawing", f"the board {one.name}", [
                    ((here, there), True, (here in places) == (there in places))
                    for here, there in pairs
                ]  # fmt: skip


def _odd(relations: Sequence[Relation]) -> tuple[str, ...]:
    """The one or two places without which a law holds everywhere; none if it does, or is none."""
    found: dict[object, Counter[object]] = {}
    for _, given, follows in relations:
        found.setdefault(given, Counter())[follows] += 1
    usual = {given: by.most_common(1)[0] for given, by in found.items()}
    broken, kept = list[tuple[str, ...]](), Counter[str]()
    for places, given, follows in relations:
        if usual[given][1] < SUPPORT:
            if len(found[given]) > 1:
                return ()
        elif follows == usual[given][0]:
            kept.update(places)
        else:
            broken.append(places)
    if not broken or len(relations) < (KEPT + 1) * len(broken):
        return ()
    odd = list[str]()
    while broken:
        by = Counter(place for places in broken for place in places if not kept[place])
        if not by or len(odd) == MOST_ODD:
            return ()
        odd.append(min(by, key=lambda place: (-by[place], place)))
        broken = [places for places in broken if odd[-1] not in places]
    return (*sorted(odd),)


def _steps(sites: Sequence[Site]) -> Iterator[tuple[str, dict[str, str]]]:
    """From place to place in one direction, for the directions that most places share."""
    ways: dict[tuple[int, int], dict[str, str]] = {}
    for one in sites:
        for other in sites:
            x, y = other.at[0] - one.at[0], other.at[1] - one.at[1]
            if one is not other and (x, y) > (0.0, 0.0):
                ways.setdefault((round(x / _STEP), round(y / _STEP)), {})[one.id] = other.id
    near = sorted(ways, key=lambda way: (hypot(*way), way))
    for way in [one for one in near if 2 * len(ways[one]) >= len(sites)][:4]:
        yield f"by {way[0] * _STEP:g} and {way[1] * _STEP:g} mm", ways[way]


def _named(
    sites: Mapping[str, Site], apart: Callable[[float, float], object]
) -> Iterator[Relation]:
    """Places with letters and numbers, and how far it is to the one with the next of either."""
    for name, site in sites.items():
        if not (split := _split(name)):
            continue
        letters, number = split
        then = {"number": f"{letters}{int(number) + 1}"}
        if letters:
            then["letter"] = f"{letters[:-1]}{chr(ord(letters[-1]) + 1)}{number}"
        for way, other in then.items():
            if other in sites:
                x, y = (sites[other].at[n] - site.at[n] for n in (0, 1))
                yield (name, other), (site.kind, way), apart(round(x / _STEP), round(y / _STEP))


def _split(name: str) -> tuple[str, str] | None:
    match = _NAME.fullmatch(name)
    return (match[1], match[2]) if match else None


def _label(site: Site) -> str:
    """The part of a place's name that is its label."""
    split = _split(site.id) or ("", "")
    known = {"": "nothing", site.id.lower(): "its name", split[1]: "its number"}
    return known.get(site.label.lower(), "other")
