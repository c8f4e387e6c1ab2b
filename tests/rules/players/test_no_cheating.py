"""Things that a seat cannot know never change what a computer plays there; 1,000 positions of each
game are tried by ``python -m tests.endurance.cheating``."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from rules.core import Move
from rules.games import find_game
from rules.match import Match
from rules.players import Budget, Choice, Reason, SeatView, find_player
from rules.players.craft import craft_of
from tests.endurance import cheating
from tests.support.beside import beside
from tests.support.worlds import worlds

GAMES = cheating.hidden_games()


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game.id for game, _ in GAMES])
def test_the_choice_is_the_same_whatever_is_hidden(game: object, options: dict[str, str]) -> None:
    assert list(cheating.compared(game, options, 6, seed=3)) == []  # type: ignore[arg-type]


BESIDE = [("dominion", 3, (0, 2)), ("hoher_rat", 2, (0, 1))]
"""Games at a table with real cards, and the seats for which the program deals."""


@pytest.mark.parametrize(("game", "players", "dealt"), BESIDE)
def test_nor_does_it_what_the_program_deals_to_others_among_real_cards(
    game: str, players: int, dealt: tuple[int, ...]
) -> None:
    random, tried, druid = Random(4), 0, find_player("druid")
    for _, match in beside(game, players, dealt, seed=6):
        legal = match.legal_moves() if match.ply % 3 == 0 and match.ply > 40 else []
        if len(legal) < 2 or (seat := legal[0].player) not in dealt:
            continue
        for other in worlds(match, seat, 1, random):
            assert other.legal_moves() == legal
            choices = [
                druid.choose(SeatView.of(one, seat), legal, Budget(playouts=4), Random(tried))
                for one in (match, other)
            ]
            assert choices[0] == choices[1]
            tried += 1
        if tried == 4:
            break
    assert tried == 4


@pytest.mark.parametrize("game", ["dominion", "hoher_rat"])
def test_among_real_cards_a_seat_knows_its_own_and_no_more_than_the_table(game: str) -> None:
    """Every world that it thinks of holds its own cards; theirs only have to be as many."""
    for whole, match in beside(game, 2, (1,), seed=2):
        prompt = match.prompt
        if match.ply < 60 or prompt is None or prompt.player != 1 or len(match.legal_moves()) < 3:
            continue
        view = SeatView.from_json(SeatView.of(match, 1).to_json())
        craft = craft_of(match.game)
        assert craft.sees(view) and not craft.sees(SeatView.of(match, 0))
        deal, hands = craft.states(view), set()
        for number in range(6):
            state = deal(Random(number))
            assert state.problems() == []
            assert state.view(1) == whole.state.view(1)
            hands.add(str(state.view(0)))
        assert len(hands) > 1
        break


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
