"""Every game: position and move → layout → sighting → the move, a question, or doubt.

Never a wrong ``move``; and seldom doubt where the picture is clear.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from rules.box import load_box
from rules.core import COLOURS
from rules.games import find_game, game_ids
from rules.match import Match
from rules.reading.reading import Status, read
from rules.reading.sighting import EMPTY, SiteBelief, looks
from rules.testing.pictures import Noise, draw
from rules.testing.playout import random_match
from tests.support.positions import READINGS, referee_positions

FEW = 20
"""Read in the quick run."""


@pytest.mark.parametrize("noise", [None, Noise()], ids=["clear", "noisy"])
@pytest.mark.parametrize("game_id", game_ids())
def test_a_move_is_read_or_asked_about_and_never_taken_for_another(
    game_id: str, noise: Noise | None, thorough: bool
) -> None:
    box = load_box(find_game(game_id).box).for_game(game_id)
    random = Random(game_id)
    positions = [p for seed in (1, 2) for p in referee_positions(game_id, seed)]
    seen: Counter[str] = Counter()
    readings = min(READINGS if thorough else FEW, len(positions))
    for match, played in random.sample(positions, readings):
        after = match.clone()
        after.push(played)
        while (dealt := after.next_chance()) is not None:
            after.push(dealt)
        reading = read(match, draw(box, after.layout, noise, random))
        seen[reading.status.value] += 1
        if reading.status is Status.MOVE:
            trial = match.clone()
            for move in reading.moves:
                trial.push(move)
            assert looks(trial.layout) == looks(after.layout), (played, reading.moves)
        if reading.status is Status.SETTLED:
            assert looks(match.layout) == looks(after.layout) or noise is not None
        assert reading.status is not Status.ILLEGAL, (played, reading)
    assert sum(seen.values()) == readings


@pytest.mark.parametrize("game_id", [g for g in game_ids() if find_game(g).palette])
def test_moves_are_read_in_whatever_colours_the_players_chose(game_id: str) -> None:
    game = find_game(game_id)
    box = load_box(game.box).for_game(game_id)
    players = game.players[1 % len(game.players)]
    chosen = {COLOURS: ",".join(game.palette[::-1][:players])}
    random, statuses = Random(game_id), Counter[Status]()
    positions = referee_positions(game_id, 1, chosen)
    for match, played in random.sample(positions, min(FEW, len(positions))):
        assert match.colours == game.palette[::-1][:players]
        after = match.clone()
        after.push(played)
        reading = read(match, draw(box, after.layout, None, random))
        statuses[reading.status] += 1
        if reading.status is Status.MOVE:
            trial = match.clone()
            for move in reading.moves:
                trial.push(move)
            assert looks(trial.layout) == looks(after.layout), (played, reading.moves)
        assert reading.status is not Status.ILLEGAL, (played, reading)
    assert statuses[Status.MOVE] or statuses[Status.AMBIGUOUS]


def test_a_draw_pile_that_may_be_spare_cards_is_no_sign_of_a_draw() -> None:
    """Its last card is drawn by a move that leaves no other trace; the camera sees it lie there,
    but does not know whether what lies beside a board belongs to the match."""
    game, seed, ply = find_game("erbaut_stonehenge"), 1, 351
    players = game.players[seed]
    options = game.complete_options(players, {})
    referee = Match(game, players, options, physical=True, seed=seed)
    moves = (
        shown
        for match, _, move in random_match(game, players, options, seed)
        for shown in match.state.shown(move)
    )
    while referee.ply < ply:
        referee.push(next(moves))
    build = next(moves)
    after = referee.clone()
    after.push(build)
    seen = draw(load_box(game.box).for_game(game.id), after.layout)
    pile = seen.sites["draw-pile"]
    spare = SiteBelief({**pile.looks, EMPTY: -0.3})
    reading = read(referee, replace(seen, sites={**seen.sites, "draw-pile": spare}))
    assert reading.status is Status.MOVE
    assert [move.text for move in reading.moves] == [build.text] == ["p3 build"]
