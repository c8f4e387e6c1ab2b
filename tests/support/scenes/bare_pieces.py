"""Tables full of pieces without stickers, at random, with the truth about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from companion.simulator import Camera, Light, TableError, VirtualTable
from rules.box import Box, load_box
from rules.reading.sighting import EMPTY, SiteBelief
from vision.arrays import Picture
from vision.camera.sources import Frame
from vision.pieces.bare import AUTO
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

LIGHTS = {
    "day": Light(),
    "warm": Light(kelvin=2900),
    "cold": Light(kelvin=8000),
    "dim": Light(brightness=0.55),
    "dim and warm": Light(brightness=0.6, kelvin=2700),
    "from the side": Light(gradient=(-0.2, 0.15), from_deg=30, height_deg=45),
}
SIZE = (1600, 1200)
NEARLY = 2.5


class Table(StrEnum):
    """Contents of the table."""

    KNIZIA = "knizia_stonehenge"
    DOLMEN = "dolmengoetter"
    ROLLING = "stonehenge_anthology"


GROUPS = {
    Table.KNIZIA: ("stone", "megalith"),
    Table.DOLMEN: ("stone", "druid"),
    Table.ROLLING: ("disc", "bar"),
}


@dataclass(eq=False)
class Scene:
    """A table full of pieces, and the truth about it."""

    box: Box
    """The box as the tracker knows it: with stickers."""
    table: VirtualTable
    groups: tuple[str, ...]
    truth: dict[str, tuple[str, str]]
    """Kind and pose by site."""
    camera: Camera
    empty: VirtualTable
    loose: list[tuple[str, tuple[float, float]]] = field(default_factory=list)
    """Kinds and places (mm) of what lies beside every site with room for one."""

    def picture(self, light: Light) -> Picture:
        """Picture of the camera."""
        self.table.light = light
        return self.camera.render(self.table)

    def look(self, light: Light) -> Sighting:
        """Sighting of a tracker that saw the empty board first."""
        tracker = Tracker(self.box, bare=self.groups)
        self.empty.light = light
        tracker.look(Frame(self.camera.render(self.empty), 0, "", 0.0), settled=True)
        return tracker.look(Frame(self.picture(light), 1, "", 1.0), settled=True)


def laid(which: Table, seed: int, stickers_on: Collection[str] = ()) -> Scene:
    """A random table; pieces of the groups ``stickers_on`` keep their stickers."""
    random = Random(seed)
    whole = load_box(which.value)
    box = whole.for_game("rollende_steine") if which is Table.ROLLING else whole
    groups = tuple(g for g in GROUPS[which] if g not in stickers_on)
    shop = box.without_stickers(groups)
    table, empty = VirtualTable(shop, seed=seed), VirtualTable(shop, seed=seed)
    scene = Scene(box, table, groups, {}, Camera.over(shop, *SIZE, seed=seed), empty)
    if which is Table.ROLLING:
        for each in (table, empty):
            for gate in ("G1", "G2", "G3", "G4", "G5"):
                each.put("trilithon", gate)
        _scatter(scene, random)
        return scene
    for site in box.sites.values():
        kinds = [
            k for k in box.kinds.values() if k.group in GROUPS[which] and k.group in site.takes
        ]
        if not kinds or random.random() > 0.5:
            continue
        group = random.choice(sorted({k.group for k in kinds}))
        kind = random.choice([k for k in kinds if k.group == group])
        pose = random.choice(kind.poses) if kind.poses else ""
        try:
            table.put(kind.id, site.id, pose=pose)
        except TableError:
            # The box holds no more of them.
            continue
        scene.truth[site.id] = (kind.id, pose)
    return scene


def _scatter(scene: Scene, random: Random) -> None:
    """Bars and discs anywhere on the board, none near another or a gate."""
    taken = [scene.box.sites[f"G{n}"].at for n in range(1, 6)]
    loose = [p for p in scene.table.pieces if scene.box.kinds[p.kind].group in ("disc", "bar")]
    for piece in random.sample(loose, 14):
        while True:
            at = (random.uniform(-200, 200), random.uniform(-190, 200))
            if all((at[0] - x) ** 2 + (at[1] - y) ** 2 > 62**2 for x, y in taken):
                break
        scene.table.move(piece.id, *at)
        taken.append(at)
        scene.loose.append((piece.kind, at))


def judged(scene: Scene, sighting: Sighting) -> Counter[tuple[str, str]]:
    """Numbers of pieces and empty sites that were told right, left undecided, and told wrong."""
    found: Counter[tuple[str, str]] = Counter()
    for site, belief in sighting.sites.items():
        if scene.box.sites[site].room > 1 or (site.startswith("G") and scene.loose):
            continue
        if scene.box.sites[site].room == 1:
            found[_verdict(scene, scene.truth.get(site), belief)] += 1
    for kind, at in scene.loose:
        near = [
            p for p in sighting.bare
            if (p.at_mm[0] - at[0]) ** 2 + (p.at_mm[1] - at[1]) ** 2 < 12**2
        ]  # fmt: skip
        right = "undecided" if not near else "right" if near[0].kind == kind else "wrong"
        found["piece", right] += 1
    return found


def _verdict(scene: Scene, truth: tuple[str, str] | None, belief: SiteBelief) -> tuple[str, str]:
    what = "empty" if truth is None else "piece"
    if belief.occluded:
        return what, "undecided"
    best = belief.looks[belief.best]
    near = [look for look, score in belief.looks.items() if score > best - NEARLY]
    if truth is None:
        return what, "right" if near == [EMPTY] else "wrong" if belief.best else "undecided"
    kinds = [scene.box.kinds[look[0].kind] if look else None for look in near]
    classes = {(k.owner, k.group) if k is not None else None for k in kinds}
    true = scene.box.kinds[truth[0]]
    poses = {look[0].pose for look in near if look} - {""}
    if classes == {(true.owner, true.group)}:
        if not truth[1] or poses == {truth[1]}:
            return what, "right"
        return what, "undecided" if truth[1] in poses else "wrong"
    return what, "undecided" if (true.owner, true.group) in classes else "wrong"


KNOWN = 3
"""Pieces of every group that the record knows first."""


@dataclass(frozen=True, slots=True)
class Found:
    """Result of one table."""

    groups: frozenset[str]
    """Groups that were found to carry no stickers after the first pieces."""
    counts: Counter[tuple[str, str]]
    hand: bool


def first_pieces(scene: Scene, seed: int) -> dict[str, str]:
    """Site and kind of some pieces of every group, as the record knows them."""
    sites = list(scene.truth)
    Random(seed).shuffle(sites)
    known: dict[str, str] = {}
    met: Counter[str] = Counter()
    for site in sites:
        kind = scene.box.kinds[scene.truth[site][0]]
        if met[kind.group] < KNOWN:
            met[kind.group] += 1
            known[site] = kind.id
    return known


def played(scene: Scene, light: Light, seed: int) -> tuple[Found, Sighting]:
    """A tracker that is told nothing but what the record says, on the table of ``scene``."""
    tracker = Tracker(scene.box, bare=(AUTO,))
    scene.empty.light = light
    tracker.look(Frame(scene.camera.render(scene.empty), 0, "", 0.0), settled=True)
    known = first_pieces(scene, seed)
    few = _with(scene, known)
    few.light = light
    tracker.expect({site: (kind,) for site, kind in known.items()})
    tracker.look(Frame(scene.camera.render(few), 1, "", 1.0), settled=True)
    groups = tracker.look(Frame(scene.camera.render(few), 2, "", 2.0), settled=True).bare_found
    sighting = tracker.look(Frame(scene.picture(light), 3, "", 3.0), settled=True)
    return Found(groups, judged(scene, sighting), sighting.hand), sighting


def _with(scene: Scene, known: Mapping[str, str]) -> VirtualTable:
    table = VirtualTable(scene.table.box, seed=1)
    for site, kind in known.items():
        table.put(kind, site, pose=scene.truth[site][1])
    return table
