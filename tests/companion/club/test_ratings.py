"""Seasons: ratings, records and portraits, worked out match by match."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.club.repository import Played
from companion.club.seasons import season
from companion.club.seasons.portraits import unseated
from companion.club.seasons.season import Line, page_of, season_of
from companion.presentation.faces import CHOICE


def match(ranking: list[list[int]], scores: list[int], ended_s: float, *names: str) -> Played:
    groups = tuple(tuple(group) for group in ranking)
    return Played("north", "m", "knizia_stonehenge", names, groups, tuple(scores), ended_s)


def test_a_season_counts_its_own_year_and_ratings_go_on() -> None:
    before_s, here_s = 1_735_000_000.0, 1_767_300_000.0
    played = [
        match([[0], [1]], [5, 3], before_s, "Ada", "Ben"),
        match([[1], [0]], [2, 9], here_s, "Ada", "Ben"),
        match([[0, 1]], [4, 4], here_s, "Ada", "Cleo"),
        match([[0], [1]], [4, 1], here_s, "Ada", ""),
    ]
    season = season_of(played, 2026)
    assert season["years"] == [2026, 2024]
    assert season["matches"] == 3
    players = {one["name"]: one for one in season["players"]}
    assert (players["Ada"]["matches"], players["Ada"]["wins"]) == (2, 0)
    assert (players["Ben"]["matches"], players["Ben"]["wins"]) == (1, 1)
    assert [r["points"] for r in season["records"]] == [9]
    assert season_of(played, 2024)["players"][0]["name"] == "Ada"


def test_people_have_the_face_and_colour_of_their_last_match_and_without_one_only_a_face() -> None:
    first = match([[0], [1]], [5, 3], 1.0, "Ada", "Ben")
    last = replace(
        match([[0], [1]], [5, 3], 2.0, "Cleo", "Ada"), faces=("bob", "curls"),
        colours=("black", "brown"),
    )  # fmt: skip
    line = Line()
    line.follow([first, last])
    ada = line.at(1970).faces["Ada"]
    assert (ada["face"], ada["colour"]) == ("curls", "brown")
    assert ada["rgb"].startswith("#")
    dora = unseated("Dora")
    assert dora["face"] in CHOICE and not dora["colour"]


def test_a_season_that_goes_on_is_the_one_worked_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season, "STEP", 7)
    chance, line, played = random.Random(5), Line(), list[Played]()
    for _ in range(60):
        years_s = 1_735_000_000.0 + chance.random() * 5e7
        people = chance.sample(["Ada", "Ben", "Cleo", "Dan", ""], 2)
        one = match([[0], [1]], [chance.randrange(9), 3], years_s, *people)
        one = replace(one, game=chance.choice(["knizia_stonehenge", "hex"]))
        late = chance.random() < 0.3
        place = len(played) if not late else chance.randrange(len(played) + 1)
        played = [*played[:place], one, *played[place + (chance.random() < 0.2) :]]
        played.sort(key=lambda one: one.ended_s)
        line.follow(played, "hex")
        for year in (2025, 2026):
            assert page_of(line, year, "hex") == season_of(played, year, "hex")


def test_where_the_fewest_points_win_the_record_is_the_fewest() -> None:
    played = [
        match([[0], [1]], [points, 30], 1_767_300_000.0, "Ada", "Ben") for points in (9, 7, 8)
    ]
    assert [r["points"] for r in season_of(played, 2026)["records"]] == [7]
