"""Every game passes the one suite, and the suite finds what it should."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest

from rules.core import Layout, Move, Objection, Options, Spread
from rules.games import find_game, game_ids
from rules.games.hoher_rat.game import HoherRat
from rules.games.knizia_stonehenge import GAME
from rules.games.knizia_stonehenge.state import KniziaState
from rules.testing.conformance import check_game, check_soundness
from rules.testing.playout import RUNGS, ladder
from rules.testing.side_by_side import check_beside, dealt_seats
from tests.endurance.mutations import GAMES, missed
from tests.support.faulty_games import FAULTS
from tests.support.faulty_hooks import replaced, right
from tests.support.sweep import some, widely


@pytest.mark.parametrize("game_id", some(game_ids(), 4))
def test_the_game_conforms(game_id: str) -> None:
    game = find_game(game_id)
    report = check_game(game, matches=1, thorough_every=60)
    assert report.problems == []


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", game_ids())
def test_the_game_conforms_in_every_setting_and_reaches_every_objection(game_id: str) -> None:
    assert check_game(find_game(game_id)).problems == []


@pytest.mark.parametrize("game_id", game_ids())
def test_a_referee_accepts_what_is_dealt_in_every_setting(game_id: str, thorough: bool) -> None:
    game = find_game(game_id)
    for seed, (players, options) in enumerate(ladder(game, RUNGS if thorough else 8)):
        assert check_soundness(game, players, options, seed) is None


@pytest.mark.parametrize("game_id", game_ids())
def test_the_ladder_tries_every_number_of_players_and_every_value(game_id: str) -> None:
    game, settings = find_game(game_id), ladder(find_game(game_id))
    assert settings[0] == (game.players[0], game.complete_options(game.players[0], {}))
    assert {players for players, _ in settings} == set(game.players)
    for name, values in game.options.items():
        assert {options[name] for _, options in settings} == set(values), name


@pytest.mark.parametrize("seed", some(range(40), 5))
def test_a_referee_accepts_every_real_match_of_hidden_stones(seed: int) -> None:
    game = find_game("knizia_stonehenge")
    options = {"hidden": "on", "hidden_early_claim": "on" if seed % 2 else "off", "hints": "off"}
    assert check_soundness(game, 2, options, seed) is None


class Generous(HoherRat):
    """Would deal for one of two partners, who draw from one pile."""

    def deals_for(self, players: int, options: Options, seats: Collection[int]) -> bool:
        return True


def test_a_seat_whose_partner_draws_real_cards_is_found() -> None:
    options = Generous().complete_options(4, {})
    assert dealt_seats(HoherRat(), 4, options) == [(0, 2), (1, 3)]
    problem = check_beside(Generous(), 4, options, 1, (1,))
    assert problem is not None and "dealer draw p3 ?" in problem
    assert check_beside(Generous(), 4, options, 1, (1, 3)) is None


def forgetful(state: KniziaState) -> list[Move]:
    """One legal move too few."""
    found = right(state).legal_moves()
    return found[1:] if len(found) > 1 else found


def leaky(state: KniziaState) -> Iterable[Move]:
    """Changes the position while looking at it."""
    state.hints = not state.hints
    return right(state).pseudo_moves()


def blurred(state: KniziaState) -> Layout:
    """Names a site the box does not have."""
    layout = right(state).layout()
    return Layout({item._replace(site="Z9"): n for item, n in layout.items()})


def strewn(_touch: Any, state: KniziaState) -> Spread | None:
    """Says that two kinds lie at one place."""
    move = state.legal_moves()[0]
    return Spread({"A": {"bar": move, "stone black 1": move}}, (frozenset({"A"}),))


def half_told(state: KniziaState, move: Move) -> list[Objection]:
    """One player is told why without what the sentence names."""
    found = right(state).violations(move)
    return [Objection(o.rule, o.code) for o in found] if move.player == 1 else found


@pytest.mark.parametrize(
    ("game", "finding"),
    [
        (
            replaced(GAME, legal_moves=forgetful),
            "not listed, but violations says: nothing against it",
        ),
        (replaced(GAME, pseudo_moves=leaky), "asking changed the state"),
        (replaced(GAME, spread=strewn), "2 kinds lie at 1 places"),
        (replaced(GAME, violations=half_told), "means nothing here"),
        (replaced(GAME, layout=blurred), "a site 'Z9' the box does not have"),
    ],
)
def test_the_suite_finds_what_is_wrong(game: Any, finding: str) -> None:
    report = check_game(game, matches=1)
    assert any(finding in problem for problem in report.problems)


HIDDEN = [pytest.param(GAMES[2], fault, marks=pytest.mark.thorough) for fault in FAULTS]


@pytest.mark.parametrize(("game", "fault"), widely(GAMES[:2], [*FAULTS], most=5) + HIDDEN)
def test_a_planted_fault_is_found(game: str, fault: str) -> None:
    assert not missed(fault, game)
