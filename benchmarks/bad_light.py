"""A photographed match in bad light: ``python -m benchmarks.bad_light FOLDER``.

Every picture of the match is spoilt by a lamp's mirror image, sun through a blind, a flickering
lamp … at three strengths, and refereed as ``heelstone watch`` does; questions are answered with the
truth where it is among the answers. Per picture: *right* if the record then holds what was played,
*late* if a later picture put it there, *asked* if the truth was offered, *wrong* if it holds
something else, *illegal* if an honest turn was refused, else *undecided*: nothing was concluded.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.app.watch import Watch
from companion.camera.observer import Observer
from companion.journal.events import Source
from companion.match.view import ChooseCandidate
from rules.box import load_box
from rules.games import find_game
from rules.reading.reading import Status
from vision.arrays import Floats, Picture, Points, floats
from vision.board.flat_board import corner_stickers
from vision.board.pose import BoardFinder
from vision.camera.sources import Frame, read_picture

GAME = "knizia_stonehenge"
STRENGTHS = (1, 2, 3)
HOWS = ("right", "late", "asked", "undecided", "wrong", "illegal")
GAMMA = 2.2
WAVES = 512
"""Millimetres after which a mask drawn at random comes again."""


@dataclass(frozen=True, slots=True)
class View:
    """A picture to be spoilt, in linear light, and where things are in it."""

    light: Floats
    x: Floats
    y: Floats
    """Places of its pixels, mm on the board."""
    pieces: tuple[tuple[float, float], ...]
    """Where pieces lie, mm; the newest last."""
    number: int
    """Of the picture in the match, or of the frame."""
    chance: np.random.Generator
    fixed: np.random.Generator
    """The same for all pictures of a match."""


def _glow(view: View, at: tuple[float, float], size: tuple[float, float], turn: float) -> Floats:
    """1 in the middle of an oval (half axes in mm) and 0 beyond, with a rim as soft as a lamp's."""
    dx, dy = view.x - at[0], view.y - at[1]
    along, across = np.cos(turn) * dx + np.sin(turn) * dy, np.cos(turn) * dy - np.sin(turn) * dx
    away = np.hypot(along / size[0], across / size[1])
    return floats(np.clip((1.15 - away) / 0.3, 0, 1))


def mirror(view: View, strength: int) -> Floats:
    """A lamp's mirror image on one sticker, another in each picture."""
    at = view.pieces[view.chance.integers(len(view.pieces))] if view.pieces else (0.0, 0.0)
    return _lamp_at(view, at, strength, view.chance)


def lamp(view: View, strength: int) -> Floats:
    """A lamp's mirror image that stays on one field."""
    at = [(0.0, 0.0), (-30.0, 52.0), (60.0, -52.0)][view.fixed.integers(3)]
    return _lamp_at(view, at, strength, view.fixed)


def _lamp_at(
    view: View, at: tuple[float, float], strength: int, chance: np.random.Generator
) -> Floats:
    dx, dy = chance.normal(0, 2.5, 2)
    size = (5.0, 8.0, 12.0)[strength - 1]
    glow = _glow(view, (at[0] + dx, at[1] + dy), (size, 0.8 * size), chance.uniform(0, 3))
    return floats(view.light + 2.0 * glow[..., None])


def stripes(view: View, strength: int) -> Floats:
    """Sun through a blind; it moves on a little from picture to picture."""
    turn, period = view.fixed.uniform(0, 3), view.fixed.uniform(18, 32)
    along = np.cos(turn) * view.x + np.sin(turn) * view.y + 1.7 * view.number
    sun = np.clip(4 * np.sin(2 * np.pi * along / period) + 0.5, 0, 1)[..., None]
    return floats(view.light * (1 + (0.8, 1.8, 3.5)[strength - 1] * sun))


def shutter(view: View, strength: int) -> Floats:
    """A flickering lamp and a rolling shutter: dark bands, elsewhere in each picture."""
    rows = np.arange(len(view.light)) / len(view.light)
    wave = np.sin(2 * np.pi * ((2.6, 3.4, 4.3)[strength - 1] * rows + view.chance.uniform()))
    depth = (0.45, 0.75, 0.93)[strength - 1]
    gain = 1 - depth * np.clip(0.5 + 0.9 * wave, 0, 1) ** 1.5
    tint = np.array([1.0, 0.93, 0.85]) ** (1 - gain[:, None])
    return floats(view.light * (gain[:, None] * tint)[:, None, :])


def window(view: View, strength: int) -> Floats:
    """A window with its cross, mirrored in a glossy board."""
    x, y = view.x - view.fixed.uniform(-60, 60), view.y - view.fixed.uniform(-40, 40)
    x, y = x + 0.25 * y, y - 0.1 * x
    pane = np.clip((70 - np.abs(x)) / 5, 0, 1) * np.clip((50 - np.abs(y)) / 5, 0, 1)
    bars = np.clip((np.minimum(np.abs(x), np.abs(y)) - 3) / 3, 0, 1)
    veil = (0.12, 0.3, 0.65)[strength - 1] * (pane * bars)[..., None] * np.array([1.0, 0.96, 0.9])
    return floats(view.light + veil)


def head(view: View, strength: int) -> Floats:
    """The hard shadow of somebody who leans over the table, elsewhere in each picture."""
    at, wide = view.chance.uniform(-90, 90, 2), view.chance.uniform(50, 80)
    dark = _glow(view, (at[0], at[1]), (wide, 1.5 * wide), view.chance.uniform(0, 3))
    return floats(view.light * (1 - (0.45, 0.7, 0.88)[strength - 1] * dark[..., None]))


def leaves(view: View, strength: int) -> Floats:
    """Sun through leaves: patches of light of all sizes."""
    few = floats(view.chance.normal(0, 1, (18, 18)))
    noise = floats(cv2.resize(few, None, fx=32, fy=32, interpolation=cv2.INTER_CUBIC))
    u, v = floats((view.x + 288) % 575), floats((view.y + 288) % 575)
    sun = np.clip(3 * floats(cv2.remap(noise, u, v, cv2.INTER_LINEAR)) - 0.5, 0, 1)
    return floats(view.light * (1 + (0.8, 1.8, 3.5)[strength - 1] * sun[..., None]))


def tube(view: View, strength: int) -> Floats:
    """The mirror image of a tube lamp: a long white streak that wanders with the camera."""
    at = (view.fixed.uniform(-60, 60) + 4 * view.number % 50, view.fixed.uniform(-60, 60))
    glow = _glow(view, at, (110.0, (3.0, 6.0, 10.0)[strength - 1]), view.fixed.uniform(0, 3))
    return floats(view.light + 1.5 * glow[..., None])


def candle(view: View, strength: int) -> Floats:
    """A candle on the table in a dim room: it flickers, and something throws a hard shadow."""
    at = view.fixed.uniform(-1, 1, 2)
    at = 190 * at / np.hypot(*at) + view.chance.normal(0, 4, 2)
    dx, dy = view.x - at[0], view.y - at[1]
    near = 1 / (1 + (np.hypot(dx, dy) / 150) ** 2) * view.chance.uniform(0.7, 1.3)
    beside = np.arctan2(dx * at[1] - dy * at[0], -(dx * at[0] + dy * at[1]))
    wide, towards = 0.12, view.chance.uniform(-0.5, 0.5)
    shadow = np.clip((wide - np.abs(beside - towards)) / 0.01, 0, 1)
    warm = np.array([0.35, 0.7, 1.2]) * (1.0, 2.0, 3.5)[strength - 1]
    room = (0.8, 0.5, 0.25)[strength - 1]
    return floats(view.light * (room + (near * (1 - shadow))[..., None] * warm))


def water(view: View, strength: int) -> Floats:
    """Sun through a glass of water: bright curves that tremble, within its round shade."""
    x, y = view.x - view.fixed.uniform(-60, 60), view.y - view.fixed.uniform(-60, 60)
    bent = 6 * np.sin(x / 11 + view.chance.uniform(0, 1)) + 5 * np.sin(y / 9 + 0.3 * view.number)
    away = np.hypot(x, y) + bent
    curves = np.clip(np.cos(away / 5) * 4 - 2.8, 0, 1)
    within = np.clip((75 - np.hypot(x, y)) / 4, 0, 1)
    gain = 1 + within * ((1.0, 2.0, 4.0)[strength - 1] * curves - (0.1, 0.25, 0.4)[strength - 1])
    return floats(view.light * gain[..., None])


def lace(view: View, strength: int) -> Floats:
    """Sun through a lace curtain: a fine net with flowers, which sways."""
    sway = view.chance.normal(0, 3, 2)
    x, y = view.x + sway[0], view.y + sway[1] + 4 * np.sin(view.x / 70 + view.number)
    net = np.clip(2 * (np.cos(2 * np.pi * x / 9) + np.cos(2 * np.pi * y / 9)) + 1.5, 0, 1)
    flower = np.hypot((x + 35) % 70 - 35, (y + 35) % 70 - 35)
    petals = np.clip((14 + 5 * np.cos(5 * np.arctan2(y, x)) - flower) / 2, 0, 1)
    sun = net * (1 - petals)
    return floats(view.light * (1 + (0.8, 1.8, 3.5)[strength - 1] * sun[..., None]))


def fairy(view: View, strength: int) -> Floats:
    """A string of coloured lights, mirrored in a glossy board."""
    light, turn = view.light, view.fixed.uniform(0, 3)
    colours = np.array([[0.1, 0.1, 1.0], [0.1, 0.8, 0.2], [1.0, 0.3, 0.1], [0.1, 0.7, 1.0]])
    for n in range(-5, 6):
        along, across = 24.0 * n + view.fixed.normal(0, 4), 18 * np.sin(n) + 0.7 * view.number
        at = (np.cos(turn) * along - np.sin(turn) * across,
              np.sin(turn) * along + np.cos(turn) * across)  # fmt: skip
        size = (2.5, 4.0, 6.0)[strength - 1]
        away = np.hypot(view.x - at[0], view.y - at[1]) / size
        glow = 1.5 * np.clip((1.2 - away) / 0.4, 0, 1) + 0.25 * np.exp(-away / 2)
        light = light + glow[..., None] * colours[n % 4]
    return floats(light)


def _leaf_shade(view: View, shift: float) -> Floats:
    """1 in the shade of a plant's leaves, 0 in the light."""
    shade, turns = np.zeros_like(view.x), view.fixed.uniform(0, 3, 12)
    places = view.fixed.uniform(-150, 150, (12, 2)) + view.chance.normal(0, 3, 2) + [shift, 0]
    for (x, y), turn in zip(places, turns, strict=True):
        dx, dy = view.x - x, view.y - y
        along, across = np.cos(turn) * dx + np.sin(turn) * dy, np.cos(turn) * dy - np.sin(turn) * dx
        away = np.hypot(along / 25, across / 12)
        shade = np.maximum(shade, np.clip((1.17 - away) / 0.33, 0, 1))
    return floats(shade)


def foliage(view: View, strength: int) -> Floats:
    """A warm lamp and a cool one, each behind the leaves of a plant: coloured half-shades."""
    room, lamp_ = (0.35, 0.2, 0.08)[strength - 1], (0.4, 0.6, 0.8)[strength - 1]
    warm, cool = np.array([0.45, 0.8, 1.15]), np.array([1.15, 1.0, 0.7])
    light = room + lamp_ * (1 - _leaf_shade(view, 0))[..., None] * warm
    return floats(view.light * (light + lamp_ * (1 - _leaf_shade(view, 35))[..., None] * cool))


def wicker(view: View, strength: int) -> Floats:
    """A lamp in a swinging shade of wicker: rods and rings, dark on light."""
    turn, sway = view.fixed.uniform(0, 6.3), view.chance.normal(0, 3, 2)
    dx, dy = view.x - 150 * np.cos(turn) + sway[0], view.y - 150 * np.sin(turn) + sway[1]
    away = np.hypot(dx, dy)
    rods = np.abs(np.sin(24 * np.arctan2(dy, dx))) * away / 24 - 2.5
    rings = np.abs((away + 6.5) % 13 - 6.5) - 1.5
    open_ = np.clip(np.minimum(rods, rings), 0, 1)[..., None]
    base, gain = (0.6, 0.4, 0.25)[strength - 1], (0.6, 1.2, 2.4)[strength - 1]
    return floats(view.light * (base + gain * open_ * np.array([0.75, 0.92, 1.1])))


def prism(view: View, strength: int) -> Floats:
    """Six rainbows of a cut glass, which wander."""
    sun = np.ones((*view.x.shape, 3), np.float32)
    for _ in range(6):
        at, turn = view.fixed.uniform(-110, 110, 2), view.fixed.uniform(0, 3)
        dx, dy = view.x - at[0] - 2 * view.number, view.y - at[1]
        along, across = np.cos(turn) * dx + np.sin(turn) * dy, np.cos(turn) * dy - np.sin(turn) * dx
        within = np.clip((33 - np.abs(along)) / 3, 0, 1) * np.clip((9 - np.abs(across)) / 3, 0, 1)
        hue = across[..., None] / 6 - np.array([-1.0, 0.0, 1.0])
        spectrum = np.clip(1 - np.abs(hue), 0, 1)
        spectrum /= np.maximum(spectrum.sum(axis=-1, keepdims=True), 0.2)
        sun = sun + (1.0, 2.5, 5.0)[strength - 1] * within[..., None] * spectrum
    return floats(view.light * sun)


def stained(view: View, strength: int) -> Floats:
    """Sun through a window of coloured panes in lead, which moves on."""
    panes = view.fixed.uniform(-180, 180, (40, 2))
    colours = np.exp(view.fixed.normal(0, 0.5, (40, 3)))
    colours = floats(colours / colours.max(axis=1, keepdims=True))
    x, y = view.x - 2 * view.number, view.y
    nearest, next_, pane = np.full_like(x, 1e9), np.full_like(x, 1e9), np.zeros(x.shape, np.intp)
    for number, (across, down) in enumerate(panes):
        away = floats(np.hypot(x - across, y - down))
        next_ = np.minimum(next_, np.maximum(away, nearest))
        pane[away < nearest] = number
        nearest = np.minimum(nearest, away)
    open_ = np.clip((next_ - nearest - 4) / 3 + 0.5, 0, 1)[..., None]
    room, sun = (0.7, 0.45, 0.25)[strength - 1], (0.6, 1.2, 2.2)[strength - 1]
    return floats(view.light * (room + sun * open_ * colours[pane]))


def screen(view: View, strength: int) -> Floats:
    """The screen of a phone that is held over the board, mirrored in it, with lines of text."""
    at, turn = view.chance.uniform(-100, 100, 2), view.chance.uniform(0, 3)
    dx, dy = view.x - at[0], view.y - at[1]
    along, across = np.cos(turn) * dx + np.sin(turn) * dy, np.cos(turn) * dy - np.sin(turn) * dx
    within = np.minimum(32.5 - np.abs(along), 17.5 - np.abs(across))
    words = view.chance.uniform(size=(64, 64)) < 0.5
    row, column = np.floor(along / 5).astype(int) % 64, np.floor(across / 6).astype(int) % 64
    dark = words[row, column] & (along % 5 < 2.5)
    shine = (0.15, 0.35, 0.8)[strength - 1] * np.clip(within / 2, 0, 1) * ~dark
    return floats(view.light + shine[..., None] * np.array([1.1, 1.0, 0.9]))


def _random_mask(view: View, sizes: tuple[float, float] = (8, 120)) -> Floats:
    """A mask from 0 to 1 of random shapes: specks, patches, stripes, nets, of one size or of many
    (``sizes``: least and most, mm), sharp or soft, in some places or all over, that stay, sway or
    change from picture to picture."""
    fixed = view.fixed
    size = np.exp(fixed.uniform(*np.log(sizes)))
    long, mixed = np.exp(fixed.uniform(0, np.log(8))) ** fixed.integers(2), fixed.uniform(0.05, 1)
    turn, share, soft = fixed.uniform(0, np.pi), fixed.uniform(0.03, 0.8), fixed.uniform(0.5, 6)
    kind, sway = fixed.integers(2**31), fixed.choice([0.0, 1.0, 4.0])
    chance = view.chance if fixed.uniform() < 0.25 else np.random.default_rng(kind)
    # Waves of about one length, in all directions or drawn out along one: their sum has shapes.
    down, right = np.meshgrid(np.fft.fftfreq(WAVES), np.fft.rfftfreq(WAVES), indexing="ij")
    along, across = (
        np.cos(turn) * right + np.sin(turn) * down,
        np.cos(turn) * down - np.sin(turn) * right,
    )
    often = np.maximum(np.hypot(along * long, across), 1e-6)
    power = np.exp(-((np.log(often * size) / mixed) ** 2) / 2) / often
    noise = np.fft.rfft2(chance.normal(size=(WAVES, WAVES)).astype(np.float32))
    field = floats(np.fft.irfft2(noise * power))
    level = np.quantile(field[::3, ::3], 1 - share)
    steep = float(
        np.sqrt(np.square(np.diff(field, axis=0)).mean() + np.square(np.diff(field)).mean())
    )
    u, v = (floats(each + view.chance.normal(0, sway) + WAVES / 2) for each in (view.x, view.y))
    wide = cv2.remap(field, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    mask = floats(np.clip((wide - level) / (soft * steep) + 0.5, 0, 1))
    return mask if fixed.uniform() < 0.5 else floats(mask * _random_mask(view, (90, 300)))


def random(view: View, strength: int) -> Floats:
    """Light drawn at random: one to three masks of any shape, colour, sharpness and depth that
    let through, or take away, light, and sometimes one that is mirrored; another for each seed."""
    fixed, sun = view.fixed, np.ones((*view.x.shape, 3), np.float32)
    depth = (2.0, 3.5, 6.0)[strength - 1]
    for _ in range(fixed.integers(1, 4)):
        tint = np.exp(fixed.normal(0, fixed.choice([0.0, 0.1, 0.4]), 3))
        gain = np.exp(fixed.uniform(0.4, 1) * np.log(depth))
        mask = _random_mask(view)[..., None]
        if fixed.uniform() < 0.5:
            sun *= 1 + (gain - 1) * mask * tint
        else:
            sun *= 1 - (1 - 1 / gain) * mask * np.minimum(tint, 1)
    light = floats(view.light * sun)
    if fixed.uniform() < 0.3:
        shine = (0.1, 0.3, 0.8)[strength - 1] * np.exp(fixed.normal(0, 0.3, 3))
        light = floats(light + _random_mask(view)[..., None] * shine)
    # Most cameras take less of too much light.
    most = float(np.quantile(light[::9, ::9], fixed.uniform(0.9, 1)))
    return floats(light / max(most, 0.9) * 0.9)


_EVERY = (
    mirror, lamp, stripes, shutter, window, head, leaves, tube, candle, water, lace, fairy,
    foliage, wicker, prism, stained, screen, random,
)  # fmt: skip
FAULTS: dict[str, Callable[[View, int], Floats]] = {one.__name__: one for one in _EVERY}


class Match:
    """A photographed match that is spoilt and refereed."""

    def __init__(self, folder: Path, width: int) -> None:
        data = json.loads((folder / "match.json").read_text(encoding="utf-8"))
        self.frames: list[dict[str, Any]] = data["frames"]
        self.players: list[str] = data["players"]
        self.box = load_box(GAME)
        self._pictures: list[Picture] = []
        self._maps: list[tuple[Floats, Floats]] = []
        for frame in self.frames:
            image = read_picture(folder / frame["frame"])
            if image.shape[1] > width:
                scale = width / image.shape[1]
                image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale,
                                              interpolation=cv2.INTER_AREA), np.uint8)  # fmt: skip
            self._pictures.append(image)
            self._maps.append(_millimetres(self.box, image))

    def spoilt(self, number: int, fault: str, strength: int, seed: int) -> Picture:
        """A picture in bad light, as a camera with eight bits sees it."""
        image, (x, y) = self._pictures[number], self._maps[number]
        at = self.box.sites
        pieces = tuple(at[site].at for site in self.frames[number]["table"])
        kind = zlib.crc32(fault.encode()) % 1000
        chance = np.random.default_rng((seed, kind, strength, number))
        fixed = np.random.default_rng((seed, kind, strength))
        light = floats((floats(image) / 255) ** GAMMA)
        spoilt = FAULTS[fault](View(light, x, y, pieces, number, chance, fixed), strength)
        seen = 255 * np.clip(spoilt, 0, 1) ** (1 / GAMMA) + chance.normal(0, 1, image.shape)
        return np.asarray(np.clip(np.rint(seen), 0, 255), dtype=np.uint8)


def _millimetres(box: Any, image: Picture) -> tuple[Floats, Floats]:
    size = (image.shape[1], image.shape[0])
    pose = BoardFinder(box).find(corner_stickers(image, box), size)
    columns, rows = np.meshgrid(np.linspace(0, size[0] - 1, 60), np.linspace(0, size[1] - 1, 45))
    mm: Points = pose.on_board(np.column_stack([columns.ravel(), rows.ravel()]))
    few = floats(mm.reshape(45, 60, 2))
    wide = np.asarray(cv2.resize(few, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    return floats(wide[..., 0]), floats(wide[..., 1])


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one match in bad light."""

    hows: Counter[str]
    false_hands: int
    missed_hands: int
    told_wrong: int
    """Sites told otherwise than they are, in all pictures."""
    faults: tuple[str, ...]


def referee(match: Match, fault: str, strength: int, seed: int) -> Run:
    """Show a match with one fault to a table."""
    table = Watch("", find_game(GAME), 2, {}, "en")._table()
    observer = Observer(match.box, GAME)
    hows: Counter[str] = Counter()
    truth: Counter[str] = Counter()
    false = missed = wrong = late = 0
    told = []
    for number, frame in enumerate(match.frames):
        image = match.spoilt(number, fault, strength, seed)
        observer.expect(table.match.layout.elements())
        observed = observer.look(Frame(image, number, "", 30.0 * number), True)
        hand, seen = frame["kind"] == "hand", observed.sighting
        false += seen.hand and not hand
        missed += hand and not seen.hand
        astray = (
            {
                site: seen.table.get(site, "")
                for site, belief in seen.sites.items()
                if not belief.occluded and seen.table.get(site, "") != frame["table"].get(site, "")
            }
            if not seen.hand
            else {}
        )
        wrong += len(astray)
        truth.update(_played(match, frame))
        if observed.seen is not None:
            table.handle(observed.seen, 30.0 * number, Source.CAMERA)
        reading = table.reading
        status = None if reading is None else reading.status
        asked = False
        if reading is not None and status is Status.AMBIGUOUS:
            for index, candidate in enumerate(reading.candidates):
                trial = table.match.clone()
                for _ in range(candidate.takeback):
                    trial.pop()
                if _texts([e.move for e in trial.log] + [*candidate.moves]) == truth:
                    table.handle(ChooseCandidate(index), 30.0 * number)
                    asked = True
                    break
        record = _texts([entry.move for entry in table.match.log])
        breach = frame["kind"] == "illegal"
        # What was done besides against the rules is the honest turn of the next picture.
        ahead = Counter(_played(match, match.frames[number + 1])) if breach else Counter()
        refused = status is Status.ILLEGAL or (reading is not None and reading.doubt == "differs")
        how = "undecided"
        if record - truth - ahead:
            how = "wrong"
        elif refused and not breach:
            how = "illegal"
        elif asked:
            how = "asked"
        elif record == truth and (refused or not breach) and (seen.hand or not hand):
            how = "right"
        if how == "right" or (how == "asked" and late):
            hows["late"] += late
            hows["undecided"] -= late
            late = 0
        late += how == "undecided" and not hand and not breach
        hows[how] += 1
        if how != "right" or astray or seen.hand != hand:
            dark = ",".join(s for s, b in seen.sites.items() if b.occluded)
            told.append(
                f"{fault} {strength} {frame['frame']}: {how}, {reading and reading.doubt}, "
                f"hand {seen.hand}, wrong {astray}, hidden {dark}"
            )
    return Run(hows, false, missed, wrong, tuple(told))


def _texts(moves: list[Any]) -> Counter[str]:
    return Counter(move.text for move in moves if move.player is not None and move.verb != "done")


def _played(match: Match, frame: dict[str, Any]) -> Iterator[str]:
    if frame["kind"] != "turn":
        return
    seat = match.players.index(frame["player"])
    yield f"p{seat} place {frame['place']['value']} {frame['place']['site']}"
    yield from (f"p{seat} claim {line}" for line in frame["claims"])


def main() -> int:
    """Print a table: rows are faults at their strengths."""
    parser = argparse.ArgumentParser(prog="benchmarks.bad_light")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fault", nargs="*", choices=list(FAULTS), default=list(FAULTS))
    parser.add_argument("--width", type=int, default=1440, help="px of the pictures")
    parser.add_argument("--strength", type=int, nargs="*", choices=STRENGTHS, default=STRENGTHS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="tell what became of each picture")
    parser.add_argument("--keep", type=Path, help="folder for some of the spoilt pictures")
    given = parser.parse_args()
    match = Match(given.folder, given.width)
    print("| fault | strength | right / late / asked / undecided / wrong / illegal "
          "| hands false / missed | pieces told wrong |\n|---|---|---|---|---|")  # fmt: skip
    for fault in given.fault:
        for strength in given.strength:
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                picture = match.spoilt(12, fault, strength, given.seed)
                cv2.imwrite(str(given.keep / f"{fault}{strength}.png"), picture)
                continue
            run = referee(match, fault, strength, given.seed)
            counts = " / ".join(str(run.hows[how]) for how in HOWS)
            print(f"| {fault} | {strength} | {counts} | {run.false_hands} / {run.missed_hands} "
                  f"| {run.told_wrong} |", flush=True)  # fmt: skip
            if given.each:
                print("\n".join(run.faults), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
