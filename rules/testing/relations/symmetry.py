"""A board that looks the same when it is turned or mirrored is mostly played the same.

Random matches are played again with every place turned or mirrored. If nearly all is as before and
a little is not, a line, a neighbour or a place is written wrongly. Rules that know right from left
or give places values of their own are no match for their image at all, and nothing is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import process_time
from typing import Any

from rules.box import Box, is_cell
from rules.core import Game, Layout, Move
from rules.testing.playout import random_match
from rules.testing.relations.drawing import images
from rules.testing.report import Report

IMAGES = 3
"""Ways in which a board is laid on itself; further ones are mostly made of these."""
MATCHES, PATIENCE_S = 24, 1.0
"""Most matches that are played in their images, and their processor time."""
FEWEST, SELDOM = 16, 0.3
"""Least matches, and the greatest share of them that go otherwise where no rule wants it."""
FEW, OFTEN = 4, 4
"""Most moves that are otherwise where a line is written wrongly, and least matches."""


@dataclass
class _Image:
    """A way in which the board is laid on itself."""

    name: str
    to: Mapping[str, str]
    matches: int = 0
    broken: int = 0
    """Matches that went otherwise."""
    otherwise: Counter[str] = field(default_factory=Counter)
    """Moves that were legal on one side only, without who makes them."""
    first: str = ""
    state: Any = None
    """The position of the match that is played; None once it went otherwise."""

    def of(self, move: Move) -> Move:
        """The same move on the image."""
        who, verb, *args = move.text.split(" ")
        return Move.parse(" ".join((who, verb, *(self.to.get(arg, arg) for arg in args))))

    def layout(self, layout: Layout) -> Layout:
        """The layout of the image."""
        return Layout({
            item._replace(site=self.to.get(item.site, item.site)): number
            for item, number in layout.items()
        })  # fmt: skip

    def breaks(self, told: str) -> None:
        """The match goes otherwise from here on."""
        self.first = self.first or told
        self.broken, self.state = self.broken + 1, None

    @property
    def is_odd(self) -> bool:
        """True if a little of it is otherwise, which is no rule then."""
        if 0 < len(self.otherwise) <= FEW and self.broken >= OFTEN:
            return True
        return self.matches >= FEWEST and 0 < self.broken <= SELDOM * self.matches

    @property
    def is_none(self) -> bool:
        """True if the game is another on the image."""
        return len(self.otherwise) > FEW and self.broken > 2


def check_symmetry(
    game: Game[Any], box: Box, settings: Sequence[tuple[int, dict[str, str]]], report: Report
) -> None:
    """Play matches on the images of a board that is symmetric, side by side."""
    begun, images = process_time(), list[_Image]()
    for number in range(MATCHES):
        players, options = settings[number % len(settings)]
        for match, moves, move in random_match(game, players, options, f"image {number}"):
            if process_time() - begun > PATIENCE_S:
                break
            if not number and not match.ply:
                named = _named(game, players, options, box)
                images = [*islice(_images(box, named), IMAGES)]
            if not match.ply:
                start = match.state.layout()
                images = [one for one in images if one.layout(start) == start and not one.is_none]
                for image in images:
                    image.matches, image.state = image.matches + 1, match.beginning()
            for image in images:
                _follow(image, moves, move, f"after {match.ply} moves")
            if not any(image.state is not None for image in images):
                break
        else:
            for image in images:
                if image.state is not None and image.state.outcome() != match.outcome:
                    image.breaks("the match ends otherwise")
        if not images or process_time() - begun > PATIENCE_S:
            break
    if odd := next((image for image in images if image.is_odd), None):
        report.hint(
            f"on the board {odd.name} the same match is another: {odd.first}",
            "If the board is as symmetric as it looks, compare how places, lines and neighbours "
            "are written",
        )


# -- private ------------------------------------------------------------------------------


def _follow(image: _Image, moves: Sequence[Move], move: Move, where: str) -> None:
    """Play one move in the image, and compare what is legal before it."""
    if image.state is None:
        return
    if image.state.outcome() is not None:
        image.breaks(f"{where} it is over there")
        return
    wanted = {image.of(one).text for one in moves}
    legal = {one.text for one in image.state.legal_moves()}
    if wanted != legal:
        strange = sorted(wanted ^ legal)
        image.otherwise.update(one.partition(" ")[2] for one in strange)
        there = "not legal, and its image is" if strange[0] in wanted else "legal, its image not"
        image.breaks(f"{where} '{strange[0]}' is {there}")
        return
    image.state.apply(image.of(move))


def _named(game: Game[Any], players: int, options: Mapping[str, str], box: Box) -> set[str]:
    """The printed places that moves of a match name."""
    found: set[str] = set()
    for _, moves, _ in random_match(game, players, options, "places"):
        found.update(arg for move in moves for arg in move.args)
    sites = box.for_game(game.id).sites
    return {name for name in found if name in sites and sites[name].printed}


def _images(box: Box, named: set[str]) -> Iterator[_Image]:
    """The ways in which the named places lie on each other, each on one of its kind."""
    sites = [box.sites[name] for name in sorted(named)]
    if len(sites) < 4 or any(is_cell(box, name) for name in named):
        return
    for image in images(sites):
        if len({*image.to.values()}) == len(sites):
            yield _Image(image.name, image.to)
