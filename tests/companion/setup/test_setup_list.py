"""The list of things to lay out before a match, for every game."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.match.view import TableView
from companion.presentation.boxes import game_box
from companion.setup.set_out import progress, task_text, tasks, unwanted
from rules.games import find_game, game_ids
from rules.match import Match
from rules.reading.sighting import EMPTY, Glimpse, Look, SiteBelief, looks
from rules.telling import Teller
from tests.support.sweep import some
from tests.support.ui_harness import LANGS, view_of

ALL = [(game, count) for game in game_ids() for count in find_game(game).players]


def start_of(game: str, players: int) -> tuple[Match, TableView]:
    match = Match(game, players, {}, physical=True)
    return match, view_of(match)


def seen_as(wanted: Mapping[str, Look], game: str) -> dict[str, SiteBelief]:
    """A camera's belief about a table on which exactly ``wanted`` lies."""
    return {site: SiteBelief({wanted.get(site, EMPTY): 0.0}) for site in game_box(game).sites}


@pytest.mark.parametrize(("game", "players"), some(ALL, 11))
def test_everything_visible_is_asked_for_once_and_nothing_else(game: str, players: int) -> None:
    match, view = start_of(game, players)
    found = tasks(view, game_box(game))
    sites = [site for task in found for site in task.sites]
    assert sorted(sites) == sorted(looks(match.layout))
    lying = sum(sum(task.kinds.values()) * len(task.sites) for task in found if task.seat is None)
    visible = {item.site for item in match.layout if item.seen}
    assert lying == sum(n for item, n in match.layout.items() if item.site in visible)
    before = {task.seat: task.kinds for task in found if task.seat is not None}
    for seat in range(players):
        own = {k: n for k, n in match.state.supply(seat).items() if n}
        assert before.get(seat, {}) == own


@pytest.mark.parametrize(("game", "players"), some(ALL, 11))
def test_a_table_set_right_ticks_everything_off_and_a_bare_one_nothing(
    game: str, players: int
) -> None:
    match, view = start_of(game, players)
    box, wanted = game_box(game), looks(match.layout)
    right, bare = seen_as(wanted, game), seen_as({}, game)
    for task in tasks(view, box):
        if task.seat is None:
            assert progress(task, right).done
            assert progress(task, bare).missing == task.sites
    assert unwanted(view, box, right) == ()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", some(game_ids()))
def test_every_task_has_words(game: str, lang: str) -> None:
    match, view = start_of(game, find_game(game).players[-1])
    teller = Teller(match.game, lang, match.colours)
    for task in tasks(view, game_box(game)):
        what, where = task_text(task, teller)
        assert any(letter.isdigit() for letter in what)
        assert bool(where) == (task.seat is None)


@pytest.mark.parametrize(
    ("game", "lang", "kind", "count", "told"),
    [
        ("hoher_rat", "de", "bar white", 10, "10 weiße Argumente"),
        ("hoher_rat", "en", "bar white", 10, "10 white arguments"),
        ("hoher_rat", "de", "figure red", 1, "1 roter Wortführer"),
        ("trilithen_knallen", "de", "trilithon red", 1, "1 Trilith Rot"),
        ("dominion", "en", "copper", 7, "7 × Copper"),
    ],
)
def test_several_things_are_told_in_the_plural(
    game: str, lang: str, kind: str, count: int, told: str
) -> None:
    rules = find_game(game)
    players = rules.players[0]
    teller = Teller(rules, lang, rules.colours(players, rules.complete_options(players, {})))
    assert teller.counted(kind, count).replace("\u00a0", " ") == told


@pytest.mark.parametrize("game", some(game_ids()))
def test_every_thing_that_is_set_out_in_numbers_has_a_plural(game: str) -> None:
    rules = find_game(game)
    for players in rules.players:
        match, view = start_of(game, players)
        for task in tasks(view, game_box(game)):
            for kind, count in task.kinds.items():
                card = game_box(game).kinds[kind].shape == "card"
                if count * (len(task.sites) or 1) > 1 and not card:
                    for lang in LANGS:
                        told = Teller(match.game, lang, match.colours).counted(kind, 2)
                        assert "×" not in told, f"{game}: {kind} has no plural ({lang})"


def test_equal_things_at_equal_places_are_one_task_that_fills_up() -> None:
    match, view = start_of("rollende_steine", 3)
    box, wanted = game_box("rollende_steine"), looks(match.layout)
    (gates,) = (task for task in tasks(view, box) if task.seat is None)
    assert len(gates.sites) == 5
    three = {site: wanted[site] for site in gates.sites[:3]}
    partly = progress(gates, seen_as(three, "rollende_steine"))
    assert partly.missing == gates.sites[3:]
    assert partly.of == 5
    assert not partly.done


def test_a_wrong_piece_does_not_count_and_a_hidden_place_is_not_believed() -> None:
    match, view = start_of("rollende_steine", 3)
    box = game_box("rollende_steine")
    (gates,) = (task for task in tasks(view, box) if task.seat is None)
    sites = seen_as(looks(match.layout), "rollende_steine")
    sites[gates.sites[0]] = SiteBelief({(Glimpse("disc white"),): 0.0})
    sites[gates.sites[1]] = SiteBelief({EMPTY: 0.0}, occluded=True)
    assert progress(gates, sites).missing == gates.sites[:2]


def test_what_lies_where_nothing_should_is_named() -> None:
    _match, view = start_of("knizia_stonehenge", 2)
    box = game_box("knizia_stonehenge")
    sites = seen_as({"C": (Glimpse("stone black 2"),)}, "knizia_stonehenge")
    assert unwanted(view, box, sites) == ("C",)


def test_every_named_course_has_a_drawing_of_its_own() -> None:
    game = find_game("rollende_steine")
    builds = {
        course: game.touch.build(game.complete_options(2, {"course": course}))
        for course in game.options["course"]
    }
    # The marked fields are on the board, and players draw their own courses themselves.
    assert {course for course, build in builds.items() if build is None} == {"marked", "own"}
    drawn = [build.blocks for build in builds.values() if build is not None]
    assert len(set(drawn)) == 8
    for blocks in drawn:
        assert sum(block.kind == "trilithon" for block in blocks) == 5
        # Nothing stands in the place of something else.
        assert len({(block.across, block.up) for block in blocks}) == 5
