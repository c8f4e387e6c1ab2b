"""What a seat cannot know never changes what a computer plays there; 1,000 positions of each game
are tried by ``python -m tests.endurance.cheating``."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from rules.core import Move
from rules.games import find_game
from rules.match import Match
from rules.players import Budget, Choice, Reason, SeatView
from tests.endurance import cheating

GAMES = cheating.hidden_games()


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game.id for game, _ in GAMES])
def test_the_choice_is_the_same_whatever_is_hidden(game: object, options: dict[str, str]) -> None:
    assert list(cheating.compared(game, options, 6, seed=3)) == []  # type: ignore[arg-type]


class Peeper:
    """A player that chooses by what others hold."""

    truth: Match

    def choose(
        self, _view: SeatView, moves: Sequence[Move], _budget: Budget, _random: Random
    ) -> Choice:
        held = hash(str(self.truth.state.to_json()))
        return Choice(moves[held % len(moves)], Reason("only_move"))


def test_a_player_that_looks_into_others_cards_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    peeper = Peeper()
    seen = SeatView.of

    def spied(match: Match, seat: int) -> SeatView:
        peeper.truth = match
        return seen(match, seat)

    monkeypatch.setattr(SeatView, "of", spied)
    monkeypatch.setattr(cheating, "find_player", lambda _name: peeper)
    game = find_game("opferroulette")
    assert list(cheating.compared(game, {}, 6, seed=1))
