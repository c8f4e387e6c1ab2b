"""Is "99 %" right 99 times in 100? Beliefs about sites compared with the truth, on hard pictures.

Positions of random matches under small cameras: dim lamps, glare, shade, blur, noise, scraps that
cover parts of stickers. Every board site that the tracker does not call hidden gives one sample:
the probability of its likeliest look, and whether that was right. Constants of
``vision.pieces.sighting`` were chosen on the seeds of ``TUNING``; the table uses those of
``TEST``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import cv2
import numpy as np

from benchmarks.measure import Result
from companion.simulator import Camera, Glare, Light, Shade, VirtualTable
from rules.box import load_box
from rules.core import Layout
from rules.games import find_game
from rules.match import Match
from rules.reading.sighting import EMPTY, SiteBelief, looks
from rules.testing.playout import random_match
from vision.arrays import Picture
from vision.camera.sources import Frame
from vision.tracker import Tracker

TUNING = range(200, 247)
TEST = range(500, 531)
GAMES = ("knizia_stonehenge", "dolmengoetter", "opferroulette", "erbaut_stonehenge")
BINS = (0.0, 0.9, 0.97, 0.99, 0.998, 1.0)
"""Bounds of the table's rows."""
LOOKS = 3
"""Pictures of one table in one light; pieces come and go between them."""


@dataclass(frozen=True)
class Sample:
    """One belief about one site."""

    sure: float
    """Probability of the likeliest look."""
    right: bool
    about: str
    """``piece`` if something was believed there, else ``bare``."""
    where: str
    strange: float
    """Unlikeness of the site to the bare board; NaN where that cannot be determined."""
    px_per_module: float


def probability(belief: SiteBelief) -> float:
    """Of the likeliest look, against all the others that are listed and one that is not."""
    best = belief.best
    top = belief.looks[best]
    kinds = {tuple(glimpse.kind for glimpse in look): s for look, s in belief.looks.items()}
    same = tuple(glimpse.kind for glimpse in best)
    rest = sum(math.exp(score - top) for kind, score in kinds.items() if kind != same)
    return 1 / (1 + rest + math.exp(belief.floor - top))


def samples(seeds: Iterable[int]) -> Iterator[Sample]:
    """Beliefs about tables in hard light; one table for each seed."""
    for seed in seeds:
        game_id = GAMES[seed % len(GAMES)]
        random = Random(f"beliefs/{seed}")
        box = load_box(find_game(game_id).box).for_game(game_id)
        table = VirtualTable(box, seed)
        width = random.choice((800, 960, 1152, 1440))
        camera = Camera.over(box, width, width * 3 // 4, seed)
        camera.blur, camera.noise = random.uniform(0.5, 1.2), random.uniform(1.5, 7)
        table.light = _light(random, box.size)
        tracker = Tracker(box)
        for number, layout in enumerate(_layouts(game_id, seed, random)):
            table.set_layout(layout)
            image = camera.render(table)
            _scraps(image, random, camera, box.size)
            seen = tracker.look(Frame(image, number, str(number), float(number)), True)
            if seen.hand or seen.board == "lost":
                continue
            wanted = looks(layout)
            for site, belief in seen.sites.items():
                if belief.occluded or box.is_beside_board(box.sites[site]):
                    continue
                told = [glimpse.kind for glimpse in belief.best]
                true = [glimpse.kind for glimpse in wanted.get(site, EMPTY)]
                strange = seen.strange.get(site, math.nan)
                yield Sample(
                    probability(belief), told == true, "piece" if told else "bare",
                    f"{seed}/{number} {site}: {told} for {true}", strange, seen.px_per_module,
                )  # fmt: skip


def reliability(found: Iterable[Sample]) -> list[tuple[float, float, int, float, float]]:
    """Rows: from, to, samples, mean probability, share that was right."""
    every = list(found)
    rows = []
    for low, high in pairwise(BINS):
        inside = [s for s in every if low < s.sure <= high]
        if inside:
            sure = sum(s.sure for s in inside) / len(inside)
            right = sum(s.right for s in inside) / len(inside)
            rows.append((low, high, len(inside), sure, right))
    return rows


def results() -> Iterator[Result]:
    """One row for each stretch of probability."""
    for low, high, count, sure, right in reliability(samples(TEST)):
        yield Result(
            f"beliefs of {low:.1%} to {high:.1%}, right ({count})", 100 * right, "%",
            "what they say", 100 * sure, right / sure, "1 or more",
        )  # fmt: skip


def _layouts(game_id: str, seed: int, random: Random) -> list[Layout]:
    """Some positions of one match, in their order."""
    game = find_game(game_id)
    players = game.players[-1]
    options = game.complete_options(players, {})
    truth = Match(game, players, options, physical=True, seed=seed)
    every: list[Layout] = []
    for match, _, move in random_match(game, players, options, seed):
        for shown in match.state.shown(move):
            truth.push(shown)
        every.append(truth.layout)
        if len(every) > 120:
            break
    start = random.randrange(len(every) // 4, len(every) - 4 * LOOKS)
    return every[start : start + 4 * LOOKS : 4]


def _light(random: Random, size: tuple[float, float]) -> Light:
    def place() -> tuple[float, float]:
        return random.uniform(-0.4, 0.4) * size[0], random.uniform(-0.4, 0.4) * size[1]

    glare = shade = None
    if random.random() < 0.5:
        glare = Glare(*place(), random.uniform(30, 70), random.uniform(0.2, 0.7))
    if random.random() < 0.5:
        shade = Shade(*place(), random.uniform(60, 160), random.uniform(0.3, 0.6))
    return Light(
        brightness=random.uniform(0.35, 1.1), kelvin=random.uniform(2800, 7000),
        gradient=(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)),
        from_deg=random.uniform(-180, 180), height_deg=random.uniform(35, 75),
        glare=glare, shade=shade,
    )  # fmt: skip


def _scraps(image: Picture, random: Random, camera: Camera, size: tuple[float, float]) -> None:
    """Crumbs, leaves and bits of paper over parts of stickers."""
    for _ in range(random.randrange(4)):
        x, y = random.uniform(-0.4, 0.4) * size[0], random.uniform(-0.4, 0.4) * size[1]
        reach = random.uniform(2, 9)
        corners = [
            camera.board_to_px(x + reach * math.cos(t), y + reach * math.sin(t), 10.0)
            for t in sorted(random.uniform(0, 2 * math.pi) for _ in range(5))
        ]
        colour = tuple(random.randrange(20, 230) for _ in range(3))
        cv2.fillPoly(image, [np.round(np.array(corners)).astype(np.int32)], colour, cv2.LINE_AA)
