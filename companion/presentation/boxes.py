"""The box of a game as its screens show it: only the sites that the game uses. Free of Kivy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from companion.match.view import MatchView
from rules.box import Box, Point, Site, load_box
from rules.games import find_game

_MOST = 66.0
"""Maximum width of what fits into a corner of a board, mm …"""
_TALLEST = 200.0
"""… if it is no higher than this; pieces lie in its middle."""


@lru_cache(maxsize=32)
def game_box(game: str) -> Box:
    """The box of a game; the same object every time, so that drawings of it can be kept."""
    return load_box(find_game(game).box).for_game(game)


def box_of(view: MatchView) -> Box:
    """The box a match is played with."""
    return game_box(view.game) if view.physical else screen_box(view.game)


@lru_cache(maxsize=32)
def screen_box(game: str) -> Box:
    """The box of a game where nothing lies on a table: piles beside the board are in the empty
    corners around a ring, so that the board is as large as the screen allows."""
    box = game_box(game)
    beside = [site for site in box.sites.values() if _is_pile(box, site)]
    corners = _free_corners(box, [s for s in box.sites.values() if not box.is_beside_board(s)])
    if not beside or len(beside) > len(corners):
        return box
    sites = dict(box.sites)
    for site in beside:
        # The nearest corner: a pile on the right stays on the right.
        corner = min(corners, key=lambda at: (at[0] - site.at[0]) ** 2 + (at[1] - site.at[1]) ** 2)
        corners.remove(corner)
        width, height = site.size or (0.0, 0.0)
        sites[site.id] = replace(site, at=corner, size=(width, min(height, _MOST)))
    return replace(box, sites=sites)


def _is_pile(box: Box, site: Site) -> bool:
    """True if it is a small place beside the board; those in front of players are large."""
    if not box.is_beside_board(site) or site.size is None:
        return False
    return site.size[0] <= _MOST and site.size[1] <= _TALLEST


def _free_corners(box: Box, sites: Iterable[Site]) -> list[Point]:
    """Middles of the corners of the board in which nothing is, mm."""
    x, y = box.size[0] / 2 - _MOST / 2, box.size[1] / 2 - _MOST / 2
    middles = [(x, y), (-x, y), (x, -y), (-x, -y)]
    taken = list(sites)
    return [at for at in middles if not any(_meets(site, at) for site in taken)]


def _meets(site: Site, at: Point) -> bool:
    """True if a site is near a corner's middle."""
    half = (site.radius, site.radius) if site.size is None else (site.size[0] / 2, site.size[1] / 2)
    reach = _MOST / 2
    return all(abs(site.at[axis] - at[axis]) < half[axis] + reach for axis in (0, 1))
