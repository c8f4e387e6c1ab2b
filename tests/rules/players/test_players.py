"""Players are handed what their seat knows, answer legally, and never see more."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rules.core import Actor, Game, GameError, Move
from rules.games import find_game, game_ids
from rules.match import Match
from rules.players import Budget, SeatView, find_player, player_names
from rules.players.craft import craft_of
from rules.players.registry import _entries
from rules.telling import Teller
from rules.testing.playout import pick
from rules.texts import LANGUAGES
from tests.support.watched import WATCHED

GAMES = game_ids()


def played(game: Game[Any], moves: int, seed: int, players: int = 0) -> Match:
    """A match after so many decisions, or over."""
    number = players or max(2, min(game.players))
    match = Match(game, number, seed=seed)
    random = Random(seed)
    for _ in range(moves):
        match.deal()
        if match.outcome is not None:
            break
        match.push(pick(match.state, match.legal_moves(), random))
    match.deal()
    return match


def asked(match: Match) -> int | None:
    """The seat that decides now."""
    prompt = match.prompt
    return None if prompt is None or prompt.actor is not Actor.PLAYER else prompt.player


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_from_what_the_seat_knows(name: str) -> None:
    game, random = find_game(name), Random(4)
    for moves, playouts in ((0, 6), (25, 1), (60, 3), (90, 2)):
        match = played(game, moves, seed=moves)
        seat = asked(match)
        if seat is None:
            continue
        view = SeatView.from_json(SeatView.of(match, seat).to_json())
        legal = match.legal_moves()
        for player in player_names()[:3]:
            choice = find_player(player).choose(view, legal, Budget(playouts=playouts), random)
            assert choice.move in legal
            assert all(thought.move in legal for thought in choice.thoughts)
            assert all(0 <= thought.chance <= 1 for thought in choice.thoughts)
            for lang in LANGUAGES:
                teller = Teller(game, lang, match.colours)
                assert teller.text("reasons", choice.why.code, **choice.why.values)
            trial = match.clone()
            trial.push(choice.move)
            for move in choice.line:
                trial.push(move)


@pytest.mark.parametrize("name", GAMES)
def test_worlds_look_to_the_seat_like_the_real_one(name: str) -> None:
    """In every world that is dealt the seat sees the same, and may do the same."""
    game, random = find_game(name), Random(9)
    for seed in range(4):
        match = played(game, 15 + 20 * seed, seed)
        seat = asked(match)
        if seat is None:
            continue
        view = SeatView.of(match, seat)
        states = craft_of(game).states(view)
        for _ in range(3):
            state = states(random)
            assert not state.problems()
            assert state.view(seat) == view.state
            assert set(state.legal_moves()) == set(match.legal_moves())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_has_words(name: str, lang: str) -> None:
    game = find_game(name)
    teller = Teller(game, lang, game.colours(max(2, min(game.players)), _plain(game)))
    for code in craft_of(game).reasons:
        assert teller.has("reasons", code), code


def _plain(game: Game[Any]) -> dict[str, str]:
    return game.complete_options(max(2, min(game.players)), {})


def test_every_game_with_a_board_brings_a_craft() -> None:
    assert [name for name in WATCHED if not find_game(name).craft] == []


def test_a_name_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(GameError, match="archdruid"):
        find_player("wizard")


class _FirstMove:
    """A player from another package."""

    def choose(self, _view: SeatView, moves: list[Move], *_: object) -> Any:
        from rules.players import Choice, Reason

        return Choice(moves[0], Reason("only_move"))


def test_players_of_other_packages_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        def load(self) -> object:
            return _FirstMove

    _entries()
    monkeypatch.setattr("rules.players.registry._entries", lambda: {"first": Entry()})
    player = find_player("first")
    match = Match("knizia_stonehenge", 2)
    view = SeatView.of(match, 0)
    choice = player.choose(view, match.legal_moves(), Budget(playouts=1), Random(1))
    assert choice.move == match.legal_moves()[0]


def test_thinking_ends_when_nobody_waits_any_more() -> None:
    match = Match("knizia_stonehenge", 2)
    asked_for = iter([False] * 3 + [True] * 1000)
    budget = Budget(playouts=10_000, stop=lambda: next(asked_for))
    choice = find_player("archdruid").choose(
        SeatView.of(match, 0), match.legal_moves(), budget, Random(1)
    )
    assert choice.playouts < 10


@pytest.mark.parametrize(("seed", "playouts"), [(15, 4), (19, 3), (55, 5), (67, 4)])
def test_whoever_has_hardly_any_time_still_chooses(seed: int, playouts: int) -> None:
    """So little that not even the buy list that looks best has been tried."""
    match = played(find_game("dominion"), 30 + 2 * seed, seed, 2 + seed % 3)
    seat = asked(match)
    assert seat is not None
    legal, budget = match.legal_moves(), Budget(playouts=playouts)
    view = SeatView.of(match, seat)
    choice = find_player("archdruid").choose(view, legal, budget, Random(playouts))
    assert choice.move in legal
