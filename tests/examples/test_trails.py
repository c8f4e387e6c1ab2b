"""Trails, a game whose table grows, in a package of its own."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.box import around, load_box
from rules.core import Game
from rules.match import Match
from rules.testing.conformance import check_game
from rules.testing.playout import random_match


def test_it_conforms(trails: Game[Any]) -> None:
    assert check_game(trails, matches=2).problems == []


def test_a_trail_is_followed_from_tile_to_tile_of_one_colour(trails: Game[Any]) -> None:
    match = Match(trails, 2, {})
    for text in (
        "p0 lay 0:0 0", "p1 lay 1:0 3", "p0 lay -1:0 0", "p1 lay 2:0 3", "p0 lay -1:1 4",
        "p1 lay -2:0 0",
    ):  # fmt: skip
        match.push(text)
    # Three white ones; black's third points at a white one and begins anew.
    assert match.scores == (3, 2)


def test_an_arrow_that_points_at_nothing_and_a_tile_apart_are_refused(trails: Game[Any]) -> None:
    match = Match(trails, 2, {})
    match.push("p0 lay 0:0 0")
    told = {
        text: [objection.code for objection in match.why_not(text)]
        for text in ("p1 lay 1:0 0", "p1 lay 2:0 3", "p1 lay 0:0 3", "p0 lay 1:0 3", "p1 lay 1:0 3")
    }
    assert list(told.values()) == [
        ["points_nowhere"],
        ["apart"],
        ["occupied"],
        ["wrong_player"],
        [],
    ]


def test_all_places_that_a_match_can_reach_are_in_the_box(trails: Game[Any]) -> None:
    sites = load_box(trails.box).sites
    for seed in range(3):
        for _match, moves, _move in random_match(trails, 2, {}, seed):
            assert {move.args[0] for move in moves} <= sites.keys()
    # A line is the longest that twenty tiles can be.
    match, site, random = Match(trails, 2, {}), "0:0", Random(1)
    match.push("p0 lay 0:0 0")
    while match.outcome is None:
        site = around(site)[random.choice((0, 0, 1))]
        match.push(next(m for m in match.legal_moves() if m.args[0] == site))
        assert site in sites
