"""Path tracing of scene files: ``python -m benchmarks.path_traced.render FOLDER …``.

Runs in an environment of its own, with Blender's ``bpy`` (``docs/testing.md``). Beside every
``NNN.scene.json`` that has no picture yet it writes ``NNN.jpg``, and adds to the folder's
``truth.json`` where the fields appear and which of them something hides. One unit is a millimetre.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENCV_IO_ENABLE_OPENEXR", "1")

import bpy
import cv2
import numpy as np
import numpy.typing as npt
from mathutils import Matrix, Vector

from benchmarks.path_traced.optics import View

Scene = dict[str, Any]
Floats = npt.NDArray[np.float64]
WATT = 1e6
"""Lamps are given in watts for metres."""
OVER, PIECE = "over", "piece"
"""Marks of objects: what lies over the board, and pieces."""
STICKER_PX = 16
PROBES = ((0.0, 0.0), (0.6, 0.0), (-0.6, 0.0), (0.0, 0.6), (0.0, -0.6))
"""Points of a field that are tested for being in sight, in shares of its radius."""
MOST_HIDDEN = 0.25
"""A field of which pieces hide more is hidden; of what lies over the board a single spot hides it.
"""


# -- stuff ------------------------------------------------------------------------------------


def _linear(colour: str) -> tuple[float, float, float, float]:
    """``#rrggbb`` as light."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return (r, g, b, 1.0)


def _stuff(
    colour: str = "#808080", image: Path | None = None, rough: float = 0.55, coat: float = 0.0,
    sharp: bool = False, tile: float = 0.0, mottled: float = 0.0, bump: float = 0.0,
) -> Any:  # fmt: skip
    """A material: of one colour or a picture; ``coat`` is varnish, ``mottled`` unevenness."""
    made = bpy.data.materials.new("stuff")
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    bsdf = nodes["Principled BSDF"]
    bsdf.inputs["Roughness"].default_value = rough
    bsdf.inputs["Coat Weight"].default_value = coat
    bsdf.inputs["Coat Roughness"].default_value = 0.12
    if image is not None:
        texture = nodes.new("ShaderNodeTexImage")
        texture.image = bpy.data.images.load(str(image))
        texture.interpolation = "Closest" if sharp else "Linear"
        if tile:
            place = nodes.new("ShaderNodeTexCoord")
            scale = nodes.new("ShaderNodeMapping")
            scale.inputs["Scale"].default_value = (tile, tile, tile)
            links.new(place.outputs["UV"], scale.inputs["Vector"])
            links.new(scale.outputs["Vector"], texture.inputs["Vector"])
        links.new(texture.outputs["Color"], bsdf.inputs["Base Color"])
    else:
        bsdf.inputs["Base Color"].default_value = _linear(colour)
    if mottled and image is None:
        noise, ramp = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeMix")
        noise.inputs["Scale"].default_value = mottled
        noise.inputs["Detail"].default_value = 6
        ramp.data_type = "RGBA"
        base = _linear(colour)
        ramp.inputs[6].default_value = (*(0.45 * v for v in base[:3]), 1.0)
        ramp.inputs[7].default_value = (*(min(1.3 * v, 1.0) for v in base[:3]), 1.0)
        where = nodes.new("ShaderNodeTexCoord")
        links.new(where.outputs["Object"], noise.inputs["Vector"])
        links.new(noise.outputs["Fac"], ramp.inputs[0])
        links.new(ramp.outputs[2], bsdf.inputs["Base Color"])
    if bump:
        noise, raised = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeBump")
        noise.inputs["Scale"].default_value = bump
        raised.inputs["Distance"].default_value = 0.6
        raised.inputs["Strength"].default_value = 0.5
        where = nodes.new("ShaderNodeTexCoord")
        links.new(where.outputs["Object"], noise.inputs["Vector"])
        links.new(noise.outputs["Fac"], raised.inputs["Height"])
        links.new(raised.outputs["Normal"], bsdf.inputs["Normal"])
    return made


def _glow(colour: str, strength: float) -> Any:
    made = bpy.data.materials.new("glow")
    made.use_nodes = True
    bsdf = made.node_tree.nodes["Principled BSDF"]
    bsdf.inputs["Emission Color"].default_value = _linear(colour)
    bsdf.inputs["Emission Strength"].default_value = strength
    return made


# -- shapes -----------------------------------------------------------------------------------


def _mesh(
    vertices: Iterable[Sequence[float]], faces: Iterable[Sequence[int]], stuff: Any,
    smooth: bool = False, uv: Sequence[Sequence[float]] = (),
) -> Any:  # fmt: skip
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata([tuple(map(float, v)) for v in vertices], [], [tuple(f) for f in faces])
    if len(uv):
        layer = mesh.uv_layers.new()
        for loop in mesh.loops:
            layer.data[loop.index].uv = uv[loop.vertex_index]
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.update()
    made = bpy.data.objects.new("object", mesh)
    made.data.materials.append(stuff)
    bpy.context.collection.objects.link(made)
    return made


def _sheet(wide: float, deep: float, stuff: Any) -> Any:
    """A flat rectangle with its picture upright."""
    w, d = wide / 2, deep / 2
    corners = [(-w, -d, 0), (w, -d, 0), (w, d, 0), (-w, d, 0)]
    return _mesh(corners, [(0, 1, 2, 3)], stuff, uv=[(0, 0), (1, 0), (1, 1), (0, 1)])


def _block(wide: float, deep: float, high: float, stuff: Any, bevel: float = 0.6) -> Any:
    """A box that stands on z = 0."""
    w, d = wide / 2, deep / 2
    lower = [(-w, -d, 0), (w, -d, 0), (w, d, 0), (-w, d, 0)]
    upper = [(x, y, high) for x, y, _ in lower]
    sides = [(i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4) for i in range(4)]
    made = _mesh([*lower, *upper], [(3, 2, 1, 0), (4, 5, 6, 7), *sides], stuff)
    if bevel and min(wide, deep, high) > 2.5 * bevel:
        _modified(made, "BEVEL", width=bevel, segments=2)
    return made


def _turned(profile: Sequence[tuple[float, float]], stuff: Any, sides: int = 48) -> Any:
    """A turned body: radius and height along its profile, from below to above."""
    angle = np.linspace(0, 2 * math.pi, sides, endpoint=False) + math.pi / sides
    ring = [(math.cos(a), math.sin(a)) for a in angle]
    vertices = [(r * c, r * s, z) for r, z in profile for c, s in ring]
    faces = [
        (k * sides + i, k * sides + (i + 1) % sides, (k + 1) * sides + (i + 1) % sides,
         (k + 1) * sides + i)
        for k in range(len(profile) - 1) for i in range(sides)
    ]  # fmt: skip
    last = (len(profile) - 1) * sides
    caps = [tuple(range(sides - 1, -1, -1)), tuple(range(last, last + sides))]
    made = _mesh(vertices, [*faces, *caps], stuff, smooth=sides > 12)
    if sides > 12:
        _modified(made, "EDGE_SPLIT", split_angle=math.radians(40))
    return made


def _grown(balls: Sequence[tuple[Floats, float]], voxel: float, stuff: Any) -> Any:
    """One skin around balls (middle and radius), as hands and cats have."""
    vertices: list[tuple[float, ...]] = []
    faces: list[tuple[int, ...]] = []
    rows, columns = 8, 14
    for middle, radius in balls:
        first = len(vertices)
        for i in range(rows + 1):
            tilt = math.pi * min(max(i / rows, 0.02), 0.98)
            for k in range(columns):
                turn = 2 * math.pi * k / columns
                out = (math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn),
                       math.cos(tilt))  # fmt: skip
                vertices.append(tuple(middle + radius * np.array(out)))
        for i in range(rows):
            for k in range(columns):
                a, b = first + i * columns + k, first + i * columns + (k + 1) % columns
                faces.append((a, a + columns, b + columns, b))
        faces.append(tuple(first + k for k in range(columns)))
        faces.append(tuple(first + rows * columns + k for k in reversed(range(columns))))
    made = _mesh(vertices, faces, stuff, smooth=True)
    _modified(made, "REMESH", mode="VOXEL", voxel_size=voxel, use_smooth_shade=True)
    _modified(made, "SMOOTH", factor=0.6, iterations=5)
    return made


def _modified(made: Any, kind: str, **values: Any) -> None:
    modifier = made.modifiers.new(kind.lower(), kind)
    for name, value in values.items():
        setattr(modifier, name, value)


def _chain(
    points: Sequence[Sequence[float] | Floats], radii: Sequence[float]
) -> list[tuple[Floats, float]]:
    """Balls along a line that becomes thicker or thinner."""
    spots = np.array(points, dtype=np.float64)
    balls = []
    for a, b, ra, rb in zip(spots[:-1], spots[1:], radii[:-1], radii[1:], strict=True):
        steps = max(2, round(float(np.linalg.norm(b - a)) / (0.45 * min(ra, rb))))
        for t in np.linspace(0, 1, steps, endpoint=False):
            balls.append((a + t * (b - a), ra + t * (rb - ra)))
    return [*balls, (spots[-1], radii[-1])]


def _placed(
    made: Any, at: Sequence[float], turn: float = 0.0, lean: Sequence[float] = (0.0, 0.0)
) -> Any:
    """Put an object down; ``lean``: by how many degrees, and in which direction it tips."""
    tip = Matrix.Rotation(math.radians(lean[0]), 4, Vector((
        -math.sin(math.radians(lean[1])), math.cos(math.radians(lean[1])), 0)))  # fmt: skip
    made.matrix_world = (
        Matrix.Translation(Vector(at)) @ tip @ Matrix.Rotation(math.radians(turn), 4, "Z")
    )
    return made


# -- pieces and stickers ----------------------------------------------------------------------


def _piece(piece: Scene, stickers: Callable[[str, int], Path]) -> list[Any]:
    wide, deep = piece["size_mm"]
    high, shape = piece["height_mm"], piece["shape"]
    stuff = _stuff(
        piece["colour"], rough=piece.get("rough", 0.45), coat=piece.get("coat", 0.0),
        mottled=piece.get("mottled", 0.0),
    )  # fmt: skip
    r, bevel = wide / 2, min(0.9, high / 3)
    if shape == "go":
        angles = np.linspace(-math.pi / 2, math.pi / 2, 15)
        profile = [
            (max(r * math.cos(a) ** 0.75, 0.05), high / 2 * (1 + math.sin(a))) for a in angles
        ]
        made = [_turned(profile, stuff, 40)]
    elif shape in ("disc", "octagon"):
        profile = [(r - bevel, 0), (r, bevel), (r, high - bevel), (r - bevel, high)]
        made = [_turned(profile, stuff, 48 if shape == "disc" else 8)]
    elif shape == "pawn":
        top = max(0.36 * wide, piece.get("sticker", {}).get("side_mm", 0) * 0.72)
        profile = [(r, 0), (r, 2.5), (0.55 * r, 0.35 * high), (0.5 * r, 0.6 * high),
                   (top, high - 3), (top, high - 0.5), (top - 0.5, high)]  # fmt: skip
        made = [_turned(profile, stuff)]
    elif shape == "arch":
        leg = 0.28 * wide
        made = [_block(leg, deep, high * 0.68, stuff), _block(leg, deep, high * 0.68, stuff),
                _block(wide, deep, high * 0.32, stuff)]  # fmt: skip
        for part, x, z in zip(made, (-(wide - leg) / 2, (wide - leg) / 2, 0.0),
                              (0.0, 0.0, high * 0.68), strict=True):  # fmt: skip
            part.data.transform(Matrix.Translation((x, 0, z)))
    elif shape == "card":
        made = [_block(wide, deep, high, stuff, bevel=0.0)]
    else:
        made = [_block(wide, deep, high, stuff)]
    if "sticker" in piece:
        given = piece["sticker"]
        flat = _sticker(given, stickers, given.get("coat", 0.0))
        flat.data.transform(Matrix.Translation((*given.get("off_mm", (0, 0)), high + 0.12)))
        made.append(flat)
    x, y = piece["at_mm"]
    for part in made:
        _placed(part, (x, y, piece.get("z_mm", 0.05)), piece["turn_deg"],
                piece.get("lean_deg", (0.0, 0.0)))  # fmt: skip
        part[PIECE] = piece.get("site", "")
    return made


def _sticker(given: Scene, stickers: Callable[[str, int], Path], coat: float) -> Any:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, given["dictionary"]))
    modules = book.markerSize + 2
    side = given["side_mm"] * (modules + 2) / modules
    image = stickers(given["dictionary"], given["id"])
    return _sheet(side, side, _stuff(image=image, rough=0.5, coat=coat, sharp=True))


def _sticker_files(folder: Path) -> Callable[[str, int], Path]:
    def file(dictionary: str, ident: int) -> Path:
        path = folder / f"{dictionary}_{ident}.png"
        if not path.exists():
            book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
            side = (book.markerSize + 2) * STICKER_PX
            drawn = cv2.aruco.generateImageMarker(book, ident, side)
            rimmed = cv2.copyMakeBorder(
                np.where(drawn > 0, 233, 26).astype(np.uint8), *(STICKER_PX,) * 4,
                cv2.BORDER_CONSTANT, value=(233,),
            )  # fmt: skip
            cv2.imwrite(str(path), rimmed)
        return path

    return file


# -- things over the board --------------------------------------------------------------------


def _hand(thing: Scene) -> list[Any]:
    """A right hand that reaches towards +y; the tip of its middle finger (``flat``) or index finger
    is at the origin. ``pose``: ``flat``, ``pinch`` or ``point``."""
    pose = thing["pose"]
    curls = {"flat": (8, 6, 8, 12), "pinch": (38, 52, 60, 66), "point": (6, 80, 84, 86)}[pose]
    thumb_in = {"flat": 0.1, "pinch": 0.75, "point": 0.6}[pose]
    balls = _chain([(-30, -62, 17), (-28, -8, 20), (-9, 2, 22), (10, 0, 21), (27, -8, 18),
                    (28, -62, 16), (0, -78, 15), (-22, -50, 16), (20, -45, 16), (0, -35, 19)],
                   [15, 12, 12, 12, 11, 15, 17, 15, 15, 15])  # fmt: skip
    palm = [(x, y) for x in (-20, -7, 7, 20) for y in (-66, -54, -42, -30, -18, -8)]
    balls += [(np.array([x, y, 17.0]), 15.0) for x, y in palm]
    tip = None
    for finger, (x, y, length, curl) in enumerate(
        zip((-28, -9, 10, 27), (-6, 2, 0, -8), (74, 82, 76, 60), curls, strict=True)
    ):
        at, down = np.array([x, y, 19.0]), math.radians(4)
        spots, side = [at], math.radians((finger - 1.5) * -5)
        for part in (0.46, 0.31, 0.23):
            step = np.array([-math.sin(side) * math.cos(down), math.cos(side) * math.cos(down),
                             -math.sin(down)])  # fmt: skip
            at = at + part * length * step
            spots.append(at)
            down += math.radians(curl)
        balls += _chain(spots, [9.5, 8.6, 8.0, 6.8])
        if finger == (1 if pose == "flat" else 0):
            tip = at
    base, reach = np.array([-34.0, -48.0, 14.0]), np.array([-62.0, -8.0, 8.0])
    inner = np.array([-24.0, 44.0, -4.0])
    reach = reach + thumb_in * (inner - reach) * np.array([0.75, 0.55, 0.6])
    middle = (base + reach) / 2 + np.array([-12.0, 0.0, 3.0])
    balls += _chain([base, middle, reach], [14, 11, 8])
    rise = thing.get("rise", 0.12)
    arm = [(0, -70, 16), (0, -130, 20 + 60 * rise), (0, -420, 30 + 380 * rise)]
    balls += _chain(arm, [24, 27, 40])
    assert tip is not None
    tilt = Matrix.Rotation(math.radians(thing.get("tilt_deg", 0.0)), 4, "X")
    shift = Matrix.Translation(-Vector(tip.tolist()))
    skin = _stuff(thing.get("skin", "#c58c6c"), rough=0.5, mottled=0.012, bump=0.35)
    made = [_grown(balls, 2.2, skin)]
    if thing.get("sleeve"):
        sleeve = [(0, -128, 24 + 60 * rise), (0, -180, 26 + 120 * rise),
                  (0, -430, 32 + 390 * rise)]  # fmt: skip
        made.append(_cloth_tube(sleeve, [38, 44, 58], thing["sleeve"], thing.get("seed", 1)))
    for part in made:
        part.data.transform(tilt @ shift)
    return made


def _cloth_tube(
    spots: Sequence[Sequence[float]], radii: Sequence[float], colour: str, seed: int
) -> Any:
    """A sleeve, with folds."""
    stuff = _stuff(colour, rough=0.95, mottled=0.05, bump=0.8)
    made = _grown(_chain(spots, radii), 4.0, stuff)
    folds = bpy.data.textures.new("folds", "CLOUDS")
    folds.noise_scale = 26 + seed % 7
    _modified(made, "DISPLACE", texture=folds, strength=13.0, mid_level=0.5)
    _modified(made, "SMOOTH", factor=0.5, iterations=3)
    return made


def _sleeve(thing: Scene) -> list[Any]:
    """An arm in a sleeve that lies across the board's rim; its end is at the origin."""
    spots = [(0, 0, 40), (0, -120, 48), (0, -460, 90)]
    return [_cloth_tube(spots, [36, 44, 60], thing["colour"], thing.get("seed", 1))]


def _cup(thing: Scene) -> list[Any]:
    stuff = _stuff(thing["colour"], rough=0.2, coat=0.6)
    wall = [(28, 0), (36, 4), (40, 20), (41, 84), (40, 86), (38, 84), (37, 22), (30, 9), (0.5, 8)]
    drink = [(0.5, 68), (38.2, 68), (38.2, 69), (0.5, 69)]
    handle = _grown(_chain([(40, 0, 70), (60, 0, 66), (66, 0, 46), (58, 0, 28), (40, 0, 22)],
                           [5.5, 5.5, 5.5, 5.5, 5.5]), 1.6, stuff)  # fmt: skip
    return [_turned(wall, stuff), _turned(drink, _stuff("#2a160b", rough=0.05)), handle]


def _cloth(thing: Scene) -> list[Any]:
    """A cloth thrown over the board, thick enough to lie over flat pieces."""
    wide, deep = thing["size_mm"]
    rng = np.random.default_rng(thing.get("seed", 1))
    n = 70
    u, v = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    folds = np.zeros_like(u)
    for _ in range(7):
        a, b, c = (*rng.normal(0, 4, 2), rng.uniform(0, 6))
        folds += rng.uniform(0.4, 1.6) * np.sin(a * u + b * v + c)
    edge = np.clip(1.6 * (1 - np.maximum(np.abs(u), np.abs(v)) ** 6), 0, 1)
    z = 1.5 + edge * (11 + np.abs(folds) * 2.0)
    bent = 1 + 0.05 * np.sin(5 * u + 1) * v
    x, y = u * wide / 2 * bent, v * deep / 2 + 6 * np.sin(3 * u)
    turn = math.radians(thing["turn_deg"])
    ax = thing["at_mm"][0] + x * math.cos(turn) - y * math.sin(turn)
    ay = thing["at_mm"][1] + x * math.sin(turn) + y * math.cos(turn)
    for px, py, reach, high in thing["under"]:
        away = np.maximum(np.hypot(ax - px, ay - py) - reach - 4.0, 0.0)
        z = np.maximum(z, (high + 4.0) * np.exp(-((away / 22.0) ** 2)))
    vertices = np.stack([x, y, z], axis=2).reshape(-1, 3)
    faces = [(i * n + k, i * n + k + 1, (i + 1) * n + k + 1, (i + 1) * n + k)
             for i in range(n - 1) for k in range(n - 1)]  # fmt: skip
    stuff = _stuff(thing["colour"], rough=0.95, mottled=0.02, bump=0.9)
    made = _mesh(vertices.tolist(), faces, stuff, smooth=True)
    _modified(made, "SOLIDIFY", thickness=1.2)
    return [made]


def _cat(thing: Scene) -> list[Any]:
    """A cat's tail or paw, its tip at the origin, the cat beyond the rim towards −y."""
    fur = _stuff(thing["colour"], rough=0.9, mottled=0.03, bump=1.2)
    if thing["part"] == "paw":
        spots = [(0, 0, 13), (0, -26, 16), (4, -110, 36), (18, -300, 110)]
        return [_grown(_chain(spots, [13, 15, 19, 38]), 2.6, fur)]
    spots = [(0, 0, 14), (24, -44, 13), (22, -110, 14), (-14, -190, 18), (-6, -300, 40)]
    body = [(-6, -300, 60), (40, -420, 80), (120, -560, 90)]
    return [_grown([*_chain(spots, [9, 12, 13, 14, 17]), *_chain(body, [40, 85, 95])], 3.2, fur)]


def _phone(thing: Scene) -> list[Any]:
    body = _block(73, 152, 8.5, _stuff("#101114", rough=0.15, coat=1.0), bevel=3.0)
    screen = _sheet(67, 144, _glow("#34506e", thing.get("glow", 0.0)) if thing.get("glow")
                    else _stuff("#050506", rough=0.05, coat=1.0))  # fmt: skip
    screen.data.transform(Matrix.Translation((0, 0, 8.6)))
    return [body, screen]


def _card(thing: Scene, folder: Path) -> list[Any]:
    body = _block(59, 92, 0.5, _stuff("#e8e4da", rough=0.4), bevel=0.0)
    face = _sheet(59, 92, _stuff(image=folder / thing["texture"], rough=0.3, coat=0.4))
    face.data.transform(Matrix.Translation((0, 0, 0.55)))
    return [body, face]


THINGS: dict[str, Callable[[Scene], list[Any]]] = {
    "hand": _hand, "sleeve": _sleeve, "cup": _cup, "cloth": _cloth, "cat": _cat, "phone": _phone,
}  # fmt: skip


# -- a scene ----------------------------------------------------------------------------------


def _build(scene: Scene, folder: Path, work: Path) -> None:
    stickers = _sticker_files(work)
    table = scene["table"]
    ground = _stuff(image=folder / table["texture"], rough=table.get("rough", 0.6), tile=3.0,
                    coat=table.get("coat", 0.0))  # fmt: skip
    _placed(_sheet(4800, 4800, ground), (0, 0, table["z_mm"]))
    board = scene["board"]
    wide, deep = board["size_mm"]
    thick = -table["z_mm"]
    if thick > 0.3:
        rim = _stuff(board.get("rim", "#8a7350"), rough=0.6)
        _placed(_block(wide - 0.2, deep - 0.2, thick - 0.05, rim, bevel=0.0), (0, 0, table["z_mm"]))
    top = _stuff(image=folder / board["texture"], rough=board.get("rough", 0.5),
                 coat=board.get("coat", 0.0))  # fmt: skip
    _placed(_sheet(wide, deep, top), (0, 0, 0))
    for given in scene["stickers"]:
        _placed(_sticker(given, stickers, given.get("coat", 0.0)), given["at_mm"],
                given.get("turn_deg", 0.0))  # fmt: skip
    for piece in scene["pieces"]:
        _piece(piece, stickers)
    for thing in scene["things"]:
        parts = _card(thing, folder) if thing["what"] == "card" else THINGS[thing["what"]](thing)
        for part in parts:
            _placed(part, thing["at_mm"], thing.get("turn_deg", 0.0))
            part[OVER] = thing["what"]
    for lamp in scene["lamps"]:
        _lamp(lamp)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    node = world.node_tree.nodes["Background"]
    node.inputs[0].default_value = (*scene["room"]["colour"], 1.0)
    node.inputs[1].default_value = scene["room"]["strength"]


def _lamp(lamp: Scene) -> None:
    light = bpy.data.lights.new("lamp", "AREA")
    light.energy = lamp["watts"] * WATT
    light.color = lamp["colour"]
    light.shape = "RECTANGLE"
    light.size, light.size_y = lamp["size_mm"]
    made = bpy.data.objects.new("lamp", light)
    made.location = lamp["at_mm"]
    towards = Vector(lamp.get("towards_mm", (0, 0, 0))) - Vector(lamp["at_mm"])
    made.rotation_euler = towards.to_track_quat("-Z", "Y").to_euler()
    bpy.context.collection.objects.link(made)


def _camera(view: View, render_px: tuple[int, int]) -> Any:
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit = "HORIZONTAL"
    camera.angle = 2 * math.atan(render_px[0] / 2 / view.focal)
    camera.clip_start, camera.clip_end = 10.0, 20000.0
    made = bpy.data.objects.new("camera", camera)
    right, down, forward = view.axes
    made.matrix_world = Matrix(
        [[*(float(v) for v in (right[i], -down[i], -forward[i], view.eye[i]))] for i in range(3)]
        + [[0.0, 0.0, 0.0, 1.0]]
    )
    bpy.context.collection.objects.link(made)
    return made


def _hidden(scene: Scene, view: View) -> list[str]:
    """Fields that something hides from the camera, or that it does not show."""
    graph = bpy.context.evaluated_depsgraph_get()
    eye = Vector(view.eye)
    pieces = {piece.get("site"): piece for piece in scene["pieces"]}
    found = []
    for site, (x, y, radius) in scene["sites"].items():
        piece = pieces.get(site)
        (px, py), z = (piece["at_mm"], piece["height_mm"]) if piece else ((x, y), 0.0)
        reach = min(piece["size_mm"]) / 2 if piece else radius
        blocked = over = 0
        for dx, dy in PROBES:
            spot = (px + dx * reach, py + dy * reach, z + 0.3)
            pixel = view.project(np.array([spot]))[0]
            inside = all(0 <= v < side for v, side in zip(pixel, view.size, strict=True))
            away = Vector(spot) - eye
            hit, where, _, _, thing, _ = bpy.context.scene.ray_cast(
                graph, eye, away.normalized(), distance=away.length - 1.0
            )
            over += not inside or bool(hit and OVER in thing)
            own = hit and PIECE in thing and thing[PIECE] == site
            blocked += bool(hit) and not own and (Vector(spot) - where).length > 2.5
        if over or blocked > MOST_HIDDEN * len(PROBES):
            found.append(site)
    return found


def _traced(scene: Scene, view: View, work: Path) -> npt.NDArray[np.float32]:
    """The picture as light, height × width × 3."""
    width, height = view.size
    rim = np.array([[0, 0], [width - 1, 0], [0, height - 1], [width / 2, 0], [0, height / 2]])
    rays = view.straight((rim - view.middle) / view.focal)
    over = max(1.0, float(np.abs(rays * view.focal / view.middle).max()) + 0.004)
    size = (round(width * over / 2) * 2, round(height * over / 2) * 2)
    bpy.context.scene.camera = _camera(view, size)
    settings = bpy.context.scene
    settings.render.engine = "CYCLES"
    settings.cycles.device = "CPU"
    settings.cycles.samples = scene["samples"]
    settings.cycles.use_adaptive_sampling = False
    settings.cycles.use_denoising = True
    settings.cycles.denoising_quality = "FAST"
    settings.cycles.denoising_prefilter = "NONE"
    settings.cycles.max_bounces = 2
    settings.cycles.caustics_reflective = settings.cycles.caustics_refractive = False
    settings.render.threads_mode = "FIXED"
    settings.render.threads = 2
    settings.render.resolution_x, settings.render.resolution_y = size
    settings.render.image_settings.file_format = "OPEN_EXR"
    settings.render.filepath = str(work / "traced.exr")
    bpy.ops.render.render(write_still=True)
    light = cv2.imread(str(work / "traced.exr"), cv2.IMREAD_UNCHANGED)
    assert light is not None
    u, v = np.meshgrid(np.arange(width), np.arange(height))
    bent = (np.stack([u, v], axis=2) - view.middle) / view.focal
    at = view.straight(bent) * view.focal + (np.array(size) - 1) / 2
    return np.asarray(
        cv2.remap(
            light[..., :3].astype(np.float32),
            np.ascontiguousarray(at[..., 0], np.float32),
            np.ascontiguousarray(at[..., 1], np.float32),
            cv2.INTER_CUBIC,
        )
    )


def _developed(light: npt.NDArray[np.float32], scene: Scene) -> npt.NDArray[np.uint8]:
    """The picture by a small camera: exposure, white balance, blur, noise, sharpening."""
    camera = scene["camera"]
    rng = np.random.default_rng(scene["seed"])
    light = np.maximum(light, 0) * np.array(camera["white_bgr"], np.float32)
    grey = light.mean(axis=2)
    light = light * (camera["exposure"] * 0.19 / max(float(np.median(grey)), 1e-6))
    rows, columns = grey.shape
    y, x = np.mgrid[0:rows, 0:columns]
    away = ((x / columns - 0.5) ** 2 + (y / rows - 0.5) ** 2)[..., None]
    light = light * (1 - camera.get("vignette", 0.3) * away).astype(np.float32)
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), camera["blur_px"]), np.float32)
    tone = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4)
                    - 0.055)  # fmt: skip
    # A soft shoulder, as every camera has one.
    tone = np.where(tone > 0.8, 0.8 + 0.2 * np.tanh((tone - 0.8) / 0.2), tone)
    grain = rng.normal(0, camera["noise"], (rows, columns, 3))
    grain = cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.6 * (0.6 + 0.6 * tone)
    image = np.asarray(tone * 255 + grain, np.float32)
    if camera.get("sharpen"):
        image += camera["sharpen"] * (image - cv2.GaussianBlur(image, (0, 0), 1.4))
    return np.clip(image, 0, 255).astype(np.uint8)


def render(path: Path) -> None:
    """Make the picture of a scene file, and complete the truth beside it."""
    scene: Scene = json.loads(path.read_text(encoding="utf-8"))
    name = path.name.removesuffix(".scene.json")
    view = View.of(scene["camera"], scene["camera"]["size"], scene["camera"]["focal_px"])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _build(scene, path.parent, work)
        bpy.context.view_layer.update()
        hidden = _hidden(scene, view)
        image = _developed(_traced(scene, view, work), scene)
    names = list(scene["sites"])
    px = view.project(np.array([(*scene["sites"][n][:2], 0.0) for n in names]))
    truth_file = path.parent / "truth.json"
    truth = json.loads(truth_file.read_text(encoding="utf-8"))
    for entry in truth["pictures"]:
        if entry["picture"] == f"{name}.jpg":
            entry["covered"] = hidden
            entry["sites_px"] = {
                n: [round(float(u), 2), round(float(v), 2)]
                for n, (u, v) in zip(names, px, strict=True)
            }
    quality = [cv2.IMWRITE_JPEG_QUALITY, scene["camera"]["jpeg"]]
    cv2.imwrite(str(path.parent / f"{name}.jpg"), image, quality)
    truth_file.write_text(json.dumps(truth) + "\n", encoding="utf-8")


def main(folders: Sequence[str]) -> int:
    """Render whatever the folders still lack."""
    for folder in folders:
        for path in sorted(Path(folder).glob("*.scene.json")):
            if not path.with_name(path.name.replace(".scene.json", ".jpg")).exists():
                render(path)
                print(path, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
