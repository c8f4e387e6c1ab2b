"""Scene files of whole tables: ``python -m benchmarks.path_traced.scenes OUT [SET …]``.

Writes one folder per set: ``NNN.scene.json`` for ``render``, the prints, and ``truth.json`` for the
benchmark ``photographs``. Everything is drawn by lot from the set's seed.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from benchmarks.path_traced.optics import View
from benchmarks.path_traced.prints import board_print, card_print, on_wood, table_print, worn
from rules.box import Box, PieceKind, Point, load_box
from tests.support.scenes.go_board import go_board

LARGE, SMALL = (1152, 864), (1024, 768)
SAMPLES = 2
FOCAL = 0.85
"""Usual, per width of the picture: 61° across."""
MARGIN = 0.965
"""The whole board takes at most this share of the picture."""
WHITE = (1.0, 1.0, 1.0)
SKINS = ("#c58c6c", "#e0b090", "#8a5a40", "#5e3c2a")
Thing = dict[str, Any]


# -- light ------------------------------------------------------------------------------------


def soft() -> dict[str, Any]:
    """A bright room with a large lamp."""
    return _light(0.55, WHITE, [((-500, 500, 1500), (900, 900), 22, (1, 0.96, 0.9))])


def hard(at: Sequence[float] = (880, 260, 640)) -> dict[str, Any]:
    """A dark room, one small lamp low at the side: near-black shadows."""
    return _light(0.035, (1, 0.85, 0.7), [(at, (45, 45), 16, (1, 0.8, 0.55))])


def window(side: float = 1.0) -> dict[str, Any]:
    """A window far behind the table, mirrored in whatever is smooth."""
    lamps = [((side * 500, 1900, 1500), (900, 1300), 260, (0.85, 0.93, 1))]
    return _light(0.3, (0.95, 0.97, 1), lamps)


def coloured() -> dict[str, Any]:
    """A red lamp on the one side, a blue one on the other."""
    lamps = [((-900, 100, 800), (200, 200), 26, (1, 0.25, 0.12)),
             ((800, 500, 900), (250, 250), 26, (0.2, 0.35, 1))]  # fmt: skip
    return _light(0.12, WHITE, lamps)


def _light(
    strength: float, colour: Sequence[float], lamps: Iterable[tuple[Any, Any, float, Any]]
) -> dict[str, Any]:
    return {
        "room": {"strength": strength, "colour": list(colour)},
        "lamps": [
            {"at_mm": list(at), "size_mm": list(size), "watts": watts, "colour": list(tint)}
            for at, size, watts, tint in lamps
        ],
    }


# -- a table ----------------------------------------------------------------------------------


@dataclass
class Table:
    """A table that is being played at, and its camera."""

    name: str
    seed: int
    box: Box
    light: Callable[[], dict[str, Any]] = soft
    tilt_deg: float = 14.0
    """Tilt of the camera from straight above; 90 would be level with the board."""
    azimuth_deg: float = -90.0
    radial: tuple[float, float] = (0.0, 0.0)
    size: tuple[int, int] = LARGE
    """Width and height of the pictures in px."""
    look: str = "oak"
    thick_mm: float = 2.0
    stickers_z: float = 0.0
    """Height of the corner stickers above the board."""
    coat: float = 0.0
    """Varnish on the board, 0 to 1."""
    bare: tuple[str, ...] = ()
    game: str = ""
    noise: float = 3.0
    blur: float = 0.65
    jpeg: int = 85
    exposure: float = 1.0
    own_board: bool = False
    """If set, the first picture shows the bare board, for its owner to map."""
    tell_lens: bool = False
    painted: Callable[[Box, int], Any] = board_print
    pieces: list[dict[str, Any]] = field(default_factory=list)
    table: dict[str, str] = field(default_factory=dict)
    loose: list[tuple[str, float, float]] = field(default_factory=list)
    stones: dict[tuple[int, int], str] = field(default_factory=dict)
    """Kinds by column and row of a go board."""

    @property
    def focal(self) -> float:
        """Focal length in px."""
        return FOCAL * self.size[0]

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.scenes: list[dict[str, Any]] = []
        self.entries: list[dict[str, Any]] = []
        self.used: dict[str, int] = {}

    # -- laying -------------------------------------------------------------------------------

    def put(self, site: str, kind_id: str, pose: str = "", spread: float = 1.5) -> None:
        """Lay a piece at a site, about in its middle."""
        kind = self.box.kinds[kind_id]
        x, y = self.box.sites[site].at
        at = (x + self.random.gauss(0, spread), y + self.random.gauss(0, spread))
        self.pieces.append({**self._piece(kind, at), "site": site})
        text = f"{kind_id} {pose}" if pose else kind_id
        self.table[site] = f"{self.table[site]} + {text}" if site in self.table else text
        self.used[kind_id] = self.used.get(kind_id, 0) + 1

    def put_loose(self, kind_id: str, at: Point) -> None:
        """Lay a piece beside every site."""
        self.pieces.append(self._piece(self.box.kinds[kind_id], at))
        self.loose.append((kind_id, round(at[0], 2), round(at[1], 2)))
        self.used[kind_id] = self.used.get(kind_id, 0) + 1

    def left(self, kind: PieceKind) -> bool:
        """True if the box holds another of a kind."""
        return self.used.get(kind.id, 0) < kind.count

    def _piece(self, kind: PieceKind, at: Point) -> dict[str, Any]:
        made: dict[str, Any] = {
            "shape": "go" if self.box.id == "go_board" else kind.shape,
            "size_mm": list(kind.size), "height_mm": max(kind.height, 0.4), "colour": kind.colour,
            "at_mm": [round(v, 2) for v in at], "turn_deg": round(self.random.uniform(0, 360), 1),
            "rough": self.random.uniform(0.3, 0.5),
        }  # fmt: skip
        if self.box.id == "go_board":
            grown = self.random.uniform(0.97, 1.02)
            made.update(size_mm=[kind.size[0] * grown] * 2, rough=0.28, coat=0.35)
        elif not {kind.id, kind.group, "*"} & set(self.bare) and kind.stickers:
            ident = kind.stickers[self.used.get(kind.id, 0) % len(kind.stickers)]
            made["sticker"] = {"id": ident, "dictionary": self.box.dictionary,
                               "side_mm": kind.sticker_mm, "coat": 0.25}  # fmt: skip
        return made

    def fill(self, count: int, groups: Sequence[str] = (), leaning: float = 0.0) -> None:
        """Lay ``count`` more pieces at free places, drawn by lot."""
        free = [
            site for site in self.box.sites.values()
            if site.room == 1 and site.id not in self.table and not self.box.is_beside_board(site)
        ]  # fmt: skip
        self.random.shuffle(free)
        for site in free:
            kinds = [k for k in self.box.kinds_at(site.id)
                     if self.left(k) and (not groups or k.group in groups)]  # fmt: skip
            if not kinds or count == 0:
                continue
            group = self.random.choice(sorted({k.group for k in kinds}))
            kind = self.random.choice([k for k in kinds if k.group == group])
            self.put(site.id, kind.id, kind.poses[0] if kind.poses else "")
            if self.random.random() < leaning:
                lean = [round(self.random.uniform(4, 10), 1), round(self.random.uniform(0, 360))]
                self.pieces[-1].update(lean_deg=lean, z_mm=round(1.2 + lean[0] * 0.1, 2))
            count -= 1

    # -- taking pictures ----------------------------------------------------------------------

    def shoot(
        self, things: Sequence[Thing] = (), hand: bool = False, thing: str = "",
        light: Callable[[], dict[str, Any]] | None = None, beside: bool = False,
    ) -> None:  # fmt: skip
        """One picture of the table as it is. ``beside``: the things lie beside the board only."""
        chance = Random(self.seed * 1000 + len(self.scenes))
        lit = (light or self.light)()
        for lamp in lit["lamps"]:
            lamp["watts"] *= chance.uniform(0.93, 1.07)
        view = self._view(chance)
        number = len(self.scenes)
        under = [[*p["at_mm"], max(p["size_mm"]) / 2, p["height_mm"]] for p in self.pieces]
        self.scenes.append({
            "seed": self.seed * 1000 + number, "samples": SAMPLES, **lit,
            "camera": {
                "size": list(self.size), "focal_px": self.focal, "eye_mm": list(view.eye),
                "target_mm": list(view.target), "radial": list(self.radial),
                "roll_deg": [view.roll_deg], "white_bgr": [1.0, 1.0, 1.0],
                "exposure": self.exposure * chance.uniform(0.95, 1.05), "blur_px": self.blur,
                "noise": self.noise, "jpeg": self.jpeg, "sharpen": 0.4,
            },
            "table": {"texture": "table.png", "z_mm": -self.thick_mm,
                      "rough": 0.35 if self.look in ("white", "slate") else 0.6,
                      "coat": 0.3 if self.look in ("walnut", "white") else 0.0},
            "board": {"size_mm": self._board_size(), "texture": "board.png",
                      "coat": self.coat, "rough": 0.45},
            "stickers": [
                {"id": c.id, "dictionary": self.box.dictionary, "side_mm": c.size,
                 "at_mm": [*c.at, self.stickers_z + 0.25], "coat": 0.15,
                 "turn_deg": round(Random(self.seed * 77 + c.id).gauss(0, 0.7), 2)}
                for c in self.box.corners
            ],
            "pieces": [dict(piece) for piece in self.pieces],
            "things": [{**t, "under": under} if t["what"] == "cloth" else dict(t) for t in things],
            "sites": {
                s.id: [*s.at, s.radius or min(s.size or (8, 8)) / 2]
                for s in self.box.sites.values()
                if not self.box.is_beside_board(s) and (s.room == 1 or s.id in self.table)
            },
        })  # fmt: skip
        self.entries.append({
            "picture": f"{number:03d}.jpg", "hand": hand,
            "thing": "" if beside else thing,
            "table": dict(self.table), "loose": [list(one) for one in self.loose],
        })  # fmt: skip

    def _board_size(self) -> list[float]:
        if self.box.id != "go_board":
            return list(self.box.size)
        # The stickers lie beside the wood.
        plain = go_board()
        xs = [site.at[0] for site in plain.sites.values()]
        ys = [site.at[1] for site in plain.sites.values()]
        return [2 * (max(xs) + 11.0), 2 * (max(ys) + 10.0)]

    def _view(self, chance: Random) -> View:
        """The same camera each time, but for a breath of air."""
        tilt, turn = math.radians(self.tilt_deg), math.radians(self.azimuth_deg)
        steady = Random(self.seed)
        target = (steady.uniform(-12, 12), steady.uniform(-12, 12), 0.0)
        roll = steady.uniform(-3, 3)
        way = np.array([math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn),
                        math.cos(tilt)])  # fmt: skip
        wide, deep = (side / 2 for side in self.box.size)
        rim = np.array([(x, y, 0.0) for x in (-wide, wide) for y in (-deep, deep)])
        near, far = 250.0, 2500.0
        for _ in range(40):
            away = (near + far) / 2
            view = self._at(target, way * away, roll)
            ratio = np.abs((view.project(rim) - view.middle) / view.middle).max()
            near, far = (away, far) if ratio > MARGIN else (near, away)
        breath = np.array([chance.gauss(0, 0.15) for _ in range(3)])
        return self._at(target, way * far + breath, roll)

    def _at(self, target: tuple[float, float, float], way: Any, roll: float) -> View:
        x, y, z = (round(float(v), 3) for v in np.array(target) + way)
        return View((x, y, z), target, self.size, self.focal, self.radial, roll)

    def write(self, out: Path) -> None:
        """The set's folder."""
        folder = out / self.name
        folder.mkdir(parents=True, exist_ok=True)
        printed = self.painted(self._cropped(), self.seed)
        cv2.imwrite(str(folder / "board.png"), printed)
        cv2.imwrite(str(folder / "table.png"), table_print(self.look, self.seed))
        for scene in self.scenes:
            for thing in scene["things"]:
                if "texture" in thing:
                    cv2.imwrite(str(folder / thing["texture"]), card_print(thing["seed"]))
        for number, scene in enumerate(self.scenes):
            text = json.dumps(scene)
            (folder / f"{number:03d}.scene.json").write_text(text + "\n", encoding="utf-8")
        truth: dict[str, Any] = {"box": self.box.id, "game": self.game, "bare": list(self.bare)}
        if self.own_board:
            truth["own_board"] = "000.jpg"
        if self.tell_lens:
            truth["lens"] = {"size": self.size, "focal_px": self.focal, "radial": self.radial}
        truth["pictures"] = self.entries
        (folder / "truth.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")

    def _cropped(self) -> Box:
        """The box as large as what is printed."""
        if self.box.id != "go_board":
            return self.box
        wide, deep = self._board_size()
        return replace(self.box, size=(wide, deep))


# -- what lies over a board -------------------------------------------------------------------


def hand(
    at: Point, turn: float = 0.0, pose: str = "pinch", z: float = 14.0, sleeve: str = "#2f4a6b",
    skin: int = 0, seed: int = 1,
) -> Thing:  # fmt: skip
    """A hand whose fingertip is at ``at``; it comes from −y, turned by ``turn`` degrees."""
    return {"what": "hand", "at_mm": [*at, z], "turn_deg": turn, "pose": pose, "sleeve": sleeve,
            "skin": SKINS[skin], "seed": seed, "rise": 0.15}  # fmt: skip


def _thing(what: str, at: Point, turn: float = 0.0, z: float = 0.2, **more: Any) -> Thing:
    return {"what": what, "at_mm": [*at, z], "turn_deg": turn, **more}


def cards(at: Point, count: int, seed: int) -> list[Thing]:
    """Cards of another game, strewn."""
    chance = Random(seed)
    return [
        _thing("card", (at[0] + 66 * n + chance.uniform(-8, 8), at[1] + chance.uniform(-14, 14)),
               chance.uniform(-20, 20), -1.6 + 0.6 * n, seed=seed + n,
               texture=f"card{seed + n}.png")
        for n in range(count)
    ]  # fmt: skip


# -- the sets ---------------------------------------------------------------------------------


def _stones(table: Table, count: int) -> None:
    """Groups of stones as they grow on a go board: mostly beside others."""
    columns = sorted({round(s.at[0], 2) for s in table.box.sites.values()})
    rows = sorted({round(s.at[1], 2) for s in table.box.sites.values()})
    by_at = {(round(s.at[0], 2), round(s.at[1], 2)): s.id for s in table.box.sites.values()}
    taken = table.stones
    while count:
        spot = (table.random.randrange(19), table.random.randrange(19))
        around = [
            taken[(spot[0] + dx, spot[1] + dy)]
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if (spot[0] + dx, spot[1] + dy) in taken
        ]
        if spot in taken or (not around and table.random.random() > 0.12):
            continue
        colour = table.random.choice(around) if around and table.random.random() < 0.7 else (
            table.random.choice(("stone black", "stone white")))  # fmt: skip
        taken[spot] = colour
        table.put(by_at[columns[spot[0]], rows[spot[1]]], colour, spread=1.1)
        count -= 1
    _apart(table)


def _apart(table: Table) -> None:
    """Push stones that would lie in one another apart until they touch."""
    at = np.array([piece["at_mm"] for piece in table.pieces])
    size = np.array([piece["size_mm"][0] for piece in table.pieces])
    for _ in range(30):
        off = at[:, None] - at[None]
        away = np.linalg.norm(off, axis=2) + np.eye(len(at)) * 1e3
        lack = np.maximum((size[:, None] + size[None]) / 2 - away, 0)
        at = at + (off / away[..., None] * (lack / 2)[..., None]).sum(axis=1) * 0.6
    for piece, (x, y) in zip(table.pieces, at, strict=True):
        piece["at_mm"] = [round(float(x), 2), round(float(y), 2)]


def _go(name: str, seed: int, **more: Any) -> Table:
    shifted = {
        c.id: (
            c.at[0] + Random(seed + c.id).uniform(-5, 5),
            c.at[1] + Random(seed - c.id).uniform(-5, 5),
        )
        for c in go_board().corners
    }
    return Table(name, seed, go_board(shifted), bare=("stone",), painted=_wooden, thick_mm=12.0,
                 own_board=True, **more)  # fmt: skip


def _wooden(box: Box, seed: int) -> Any:
    return on_wood(box, seed, "#cf9f58", "#33281c")


def go_touching() -> Table:
    """A crowded board, white light; stickers on blocks as high as the board."""
    table = _go("go_touching", 11, tilt_deg=12, coat=0.25, look="linen")
    table.shoot()
    for count in (45, 50, 60, 55, 40):
        _stones(table, count)
        table.shoot()
    return table


def go_lamps() -> Table:
    """The same under coloured lamps, a hard one, and a window from elsewhere than at first."""
    table = _go("go_lamps", 12, size=SMALL, tilt_deg=24, coat=0.4, look="walnut", stickers_z=-4.0,
                radial=(-0.08, 0.0))  # fmt: skip
    table.shoot()
    _stones(table, 90)
    for light in (hard, coloured, window):
        table.shoot(light=light)
    _stones(table, 70)
    table.shoot(light=hard)
    table.shoot([hand((40, -60), 20, sleeve="#7a2f2f", z=12)], hand=True)
    return table


def dolmen_hard() -> Table:
    """One hard lamp, a steep view, a barrel lens that was never calibrated."""
    table = Table("dolmen_hard", 21, load_box("dolmengoetter"), light=hard, tilt_deg=27,
                  azimuth_deg=-84, radial=(-0.11, 0.02), look="walnut", noise=5.0,
                  tell_lens=True)  # fmt: skip
    table.shoot()
    for count in (8, 12, 14):
        table.fill(count)
        table.shoot()
    table.shoot([hand((30, 10), -12, "point", z=30, sleeve="#22262b", skin=1)], hand=True)
    table.fill(16)
    table.shoot()
    return table


def over_board() -> Table:
    """All sorts of things over a board."""
    table = Table("over_board", 31, load_box("knizia_stonehenge"), size=SMALL, tilt_deg=16,
                  radial=(-0.05, 0.0), look="oak")  # fmt: skip
    table.shoot()
    table.fill(14)
    table.shoot()
    table.shoot([hand((10, 40), 15, "pinch")], hand=True)
    table.shoot([hand((-196, -40), -72, "flat", sleeve="#8a8f94", skin=2)], hand=True)
    table.shoot([hand((60, 54), 8, "point", z=11, sleeve="", skin=1)], hand=True)
    table.shoot([_thing("cup", (-128, 98), 40, colour="#e9e4da")], thing="cup")
    table.shoot([_thing("cloth", (120, -70), 20, size_mm=[150, 120], colour="#9aa6b4")],
                thing="cloth")  # fmt: skip
    table.shoot([_thing("sleeve", (110, -120), 28, colour="#5d6b3c", seed=4)], thing="sleeve")
    table.shoot([_thing("cat", (-120, -60), -38, part="tail", colour="#8d6a48")], thing="cat")
    table.shoot([_thing("cat", (90, -110), 12, part="paw", colour="#3c3a3a")], thing="cat")
    table.shoot([_thing("phone", (150, 60), 14)], thing="phone")
    table.shoot(cards((-300, -40), 1, 5) + cards((250, 30), 1, 8), thing="cards", beside=True)
    return table


def roulette() -> Table:
    """Opferroulette: many discs close together, a strong barrel lens, hard light."""
    box = load_box("stonehenge_anthology").for_game("opferroulette")
    table = Table("roulette_hard", 41, box, light=lambda: hard((-760, 420, 600)), tilt_deg=20,
                  radial=(-0.2, 0.05), look="slate", noise=4.0, game="opferroulette",
                  tell_lens=True)  # fmt: skip
    table.shoot()
    for count in (10, 14, 12):
        table.fill(count, ("disc",))
        table.shoot()
    table.shoot([hand((-60, -120), 30, "pinch", sleeve="#b9a88a")], hand=True)
    table.shoot(light=coloured)
    return table


def rolling_bare() -> Table:
    """Rollende Steine: bare bars and discs anywhere, trilithons in the gates."""
    box = load_box("stonehenge_anthology").for_game("rollende_steine")
    table = Table("rolling_bare", 51, box, tilt_deg=10, look="white", bare=("disc", "bar"),
                  game="rollende_steine", radial=(0.05, 0.0))  # fmt: skip
    for gate in ("G1", "G2", "G3", "G4", "G5"):
        table.put(gate, "trilithon")
        x, y = box.sites[gate].at
        table.pieces[-1]["turn_deg"] = round(math.degrees(math.atan2(y, x)) + 90, 1)
    table.shoot()
    taken = [box.sites[f"G{n}"].at for n in range(1, 6)]
    kinds = [k for k in box.kinds.values() if k.group in ("disc", "bar")]
    for light in (soft, soft, hard, window):
        for _ in range(5):
            at = (0.0, 0.0)
            while any(math.dist(at, other) < 62 for other in [*taken, (0.0, 0.0)]):
                at = (table.random.uniform(-200, 200), table.random.uniform(-190, 200))
            taken.append(at)
            table.put_loose(table.random.choice(kinds).id, at)
        table.shoot(light=light)
    return table


def dolmen_leaning() -> Table:
    """A calibrated pincushion lens, leaning pieces, a glossy board, the lamp in it."""
    table = Table("dolmen_leaning", 22, load_box("dolmengoetter"), tilt_deg=8, radial=(0.06, 0.0),
                  look="checked", coat=0.5, tell_lens=True)  # fmt: skip
    table.shoot()
    table.fill(18, leaning=0.5)
    table.shoot()
    table.fill(16, leaning=0.5)
    table.shoot()
    table.shoot(light=window)
    table.shoot([hand((-90, 60), -30, "pinch", z=24, sleeve="#d8d4c8", skin=3)], hand=True)
    return table


def knizia_worn() -> Table:
    """A worn, stained print; the lamp goes, a window comes, hard light from the other side."""

    def old(box: Box, seed: int) -> Any:
        return worn(board_print(box, seed), seed)

    table = Table("knizia_worn", 61, load_box("knizia_stonehenge"), size=SMALL, tilt_deg=22,
                  azimuth_deg=-97, radial=(-0.14, 0.03), look="carpet", coat=0.35, painted=old,
                  noise=5.0, tell_lens=True)  # fmt: skip
    table.shoot()
    table.fill(8)
    for light in (soft, window, hard):
        table.shoot(light=light)
    table.fill(9)
    table.shoot(light=hard)
    table.shoot([hand((70, -20), 62, "pinch", sleeve="#1d1d22", skin=2)], hand=True, light=hard)
    table.fill(6, leaning=0.4)
    table.shoot(light=coloured)
    table.shoot([_thing("cup", (-150, -150), 10, colour="#3a5f8a"), *cards((230, -100), 2, 12)],
                thing="cup", light=hard)  # fmt: skip
    return table


def knizia_wood() -> Table:
    """Lines and fields painted on wood, mapped as one's own board; stones and megaliths bare."""
    table = Table("knizia_wood", 62, load_box("knizia_stonehenge"), size=SMALL, tilt_deg=18,
                  look="linen", radial=(-0.05, 0.0), coat=0.3, painted=on_wood,
                  bare=("stone", "megalith"), own_board=True, light=soft, thick_mm=8.0)  # fmt: skip
    table.shoot()
    table.fill(8)
    table.shoot()
    table.shoot(light=hard)
    table.fill(10)
    table.shoot()
    table.shoot([hand((-20, 60), -18, "pinch", sleeve="", skin=1)], hand=True)
    table.shoot([_thing("cat", (150, 20), 60, part="tail", colour="#c9b08c")], thing="cat")
    return table


def knizia_flat() -> Table:
    """A camera low at the side: far fields are small, megaliths hide what is behind them."""
    table = Table("knizia_flat", 63, load_box("knizia_stonehenge"), size=SMALL, tilt_deg=46,
                  azimuth_deg=-70, radial=(-0.08, 0.0), look="white",
                  light=lambda: hard((-500, 700, 900)), noise=4.0)  # fmt: skip
    table.shoot()
    for count in (9, 9):
        table.fill(count)
        table.shoot()
    table.shoot([hand((150, 0), 75, "flat", sleeve="#6d3f5b")], hand=True)
    table.shoot([*cards((-280, 60), 1, 30), _thing("phone", (300, -40), 60, -1.9)],
                thing="phone", beside=True)  # fmt: skip
    return table


SETS: Mapping[str, Callable[[], Table]] = {
    "go_touching": go_touching, "dolmen_hard": dolmen_hard, "over_board": over_board,
    "go_lamps": go_lamps, "knizia_worn": knizia_worn, "roulette_hard": roulette,
    "knizia_wood": knizia_wood, "rolling_bare": rolling_bare, "dolmen_leaning": dolmen_leaning,
    "knizia_flat": knizia_flat,
}  # fmt: skip
"""In the order in which they are rendered."""


def write(out: Path, names: Sequence[str] = ()) -> None:
    """Write the sets named, else all. Raises KeyError for an unknown one."""
    for name in names or SETS:
        SETS[name]().write(out)


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2:])
