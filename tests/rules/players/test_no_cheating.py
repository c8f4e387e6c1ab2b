"""Computer players think about worlds that they cannot tell apart, and know nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import Any

import pytest

from rules.core import Actor, Move
from rules.games import find_game
from rules.match import Match
from rules.players import Budget, Choice, Reason, SeatView, find_player
from rules.players.craft import craft_of
from rules.players.crafts.erbaut_stonehenge.hidden import openly_held
from rules.players.crafts.opferroulette.hidden import unseen_by
from rules.testing.playout import pick
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


OF_CARDS = ("erbaut_stonehenge", "opferroulette")
PLAYERS = {"erbaut_stonehenge": (3, 4), "opferroulette": (2, 3, 5)}


def _decisions(
    game: str, players: int, seed: int, *, every: int = 7, physical: bool = False
) -> Iterator[Match]:
    """A random match at some of its players' decisions; ``physical``: as a table logs it."""
    dealt, table = Match(game, players, seed=seed), Match(game, players, physical=True)
    random = Random(seed)
    for number in range(10_000):
        prompt = dealt.prompt
        if prompt is None:
            return
        if prompt.actor is Actor.PLAYER and number % every == 0:
            yield table if physical else dealt
        moves = dealt.legal_moves()
        move = pick(dealt.state, moves, random)
        if prompt.actor is Actor.DEALER:
            answer = dealt.next_chance()
            assert answer is not None
            move = answer
        for shown in dealt.state.shown(move):
            table.push(shown)
        dealt.push(move)


@pytest.mark.parametrize("game", OF_CARDS)
def test_every_world_of_a_digital_match_is_sound_and_looks_the_same_to_the_seat(game: str) -> None:
    random = Random(game)
    for players in PLAYERS[game]:
        for match in _decisions(game, players, seed=players):
            for seat in range(players):
                view = SeatView.of(match, seat)
                deal = craft_of(match.game).states(view)
                for _ in range(2):
                    world = deal(random)
                    assert world.problems() == []
                    assert world.view(seat) == view.state


@pytest.mark.parametrize("game", OF_CARDS)
def test_every_world_of_a_real_table_names_every_card_once_where_it_may_lie(game: str) -> None:
    random = Random(game)
    for match in _decisions(game, 3, seed=5, every=11, physical=True):
        view = SeatView.of(match, 1)
        world = craft_of(match.game).states(view)(random)
        assert world.problems() == []
        for seat in range(3):
            mine = _cards(world).hands[seat]
            playable = _playable(match.state, seat)
            assert set(mine) <= set(playable)
            assert len(mine) == _hand_size(match.state, seat)


@pytest.mark.parametrize("game", OF_CARDS)
def test_nobody_can_choose_at_a_real_table_whose_hand_nobody_has_shown(game: str) -> None:
    match = next(islice(_decisions(game, 3, seed=1, every=2, physical=True), 9, None))
    seat = match.prompt.player if match.prompt is not None else None
    assert seat is not None
    assert not craft_of(match.game).sees(SeatView.of(match, seat))
    assert craft_of(match.game).sees(SeatView.of(Match(game, 3), 0))


def test_what_really_lies_where_is_one_of_the_worlds_of_opferroulette() -> None:
    """As many cards of each heap as are said to lie in a hand really do."""
    renewed = 0
    for players in (2, 3):
        for match in _decisions("opferroulette", players, seed=4, every=5):
            deck = match.state.deck
            if not match.state.ball:
                continue
            unseen = unseen_by(SeatView.of(match, 0))
            renewed += len(unseen.heaps) > 1
            for heap in unseen.heaps:
                for place, count in heap.places:
                    lies = deck.pile if place == "pile" else deck.hands[int(place[1:])]
                    assert len(set(lies) & set(heap.cards)) == count
    assert renewed > 5, "the pile was renewed, and what was in it is told from what was not"


def test_a_card_taken_openly_in_erbaut_is_known_until_it_may_have_been_laid_down() -> None:
    known = 0
    for match in _decisions("erbaut_stonehenge", 3, seed=2, every=5):
        cards, state = match.state.cards, match.state
        for seat, held in openly_held(SeatView.of(match, 0)).items():
            below = {card for card, by in cards.below if by == seat}
            seen = {*state.gone, *state.display, *chain(*state.influence), *state.yard}
            seen |= {card for card, by in cards.below if by == -1} | set(cards.hands[0])
            known += len(held - seen)
            assert held - seen <= set(cards.hands[seat]) | below
    assert known > 20


def _cards(state: Any) -> Any:
    return state.deck if hasattr(state, "deck") else state.cards


def _playable(state: Any, seat: int) -> Any:
    return state.deck.playable(seat) if hasattr(state, "deck") else state.cards.hand(seat)


def _hand_size(state: Any, seat: int) -> int:
    cards = _cards(state)
    return int(cards.hand_size(seat) if hasattr(state, "deck") else cards.hand_size[seat])


def test_at_a_real_table_of_erbaut_a_day_card_is_played_unseen() -> None:
    """A seat that took all cards openly can be played for; the answers are those of the table."""
    asked = unseen = 0
    player, random = find_player("archdruid"), Random(8)
    for seed in range(2):
        for match in _decisions("erbaut_stonehenge", 3, seed=seed, every=1, physical=True):
            moves, prompt = match.legal_moves(), match.prompt
            if len(moves) < 2 or prompt is None or prompt.player is None:
                continue
            view = SeatView.of(match, prompt.player)
            if craft_of(match.game).sees(view):
                choice = player.choose(view, moves, Budget(playouts=4), random)
                assert choice.move in moves
                asked += 1
                unseen += any("?" in thought.move.args for thought in choice.thoughts)
    assert asked > 5
    assert unseen
