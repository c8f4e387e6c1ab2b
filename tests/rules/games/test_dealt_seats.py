"""At a table with real cards the program deals for some: Dominion, Der Hohe Rat."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from rules.core import Item, Move, OptionError
from rules.games.dominion import GAME as DOMINION
from rules.games.dominion.state import DominionState
from rules.games.hoher_rat import GAME as HOHER_RAT
from rules.games.hoher_rat.components import CARD_NAME
from rules.match import Match
from tests.support.beside import beside
from tests.support.dominion_table import Table

MATCHES = [
    ("dominion", 2, (1,), 1), ("dominion", 3, (0, 2), 2), ("dominion", 4, (0, 1, 3), 3),
    ("hoher_rat", 2, (0,), 4), ("hoher_rat", 4, (1, 3), 5), ("hoher_rat", 2, (0, 1), 6),
]  # fmt: skip
"""Game, players, seats that are dealt to, seed."""
KINGDOM = [
    "bureaucrat", "cellar", "chapel", "feast", "gardens", "market", "mine", "smithy", "thief",
    "village",
]  # fmt: skip


def options_of(game: str) -> dict[str, str]:
    return {"kingdom": "random"} if game == "dominion" else {}


@pytest.mark.parametrize(("game", "players", "dealt", "seed"), MATCHES)
def test_it_ends_like_the_match_in_which_the_program_deals_everything(
    game: str, players: int, dealt: tuple[int, ...], seed: int
) -> None:
    for whole, mixed in beside(game, players, dealt, seed, options_of(game)):
        assert mixed.outcome == whole.outcome
        if mixed.ply % 40 == 0 or mixed.outcome is not None:
            # Every card is somewhere, and the position is stored as it is.
            assert mixed.state.problems() == []
            stored = mixed.state.to_json()
            again = mixed.game.from_json(json.loads(json.dumps(stored)))
            assert again.to_json() == stored
    assert Match.load(json.loads(json.dumps(mixed.dump()))).state.to_json() == mixed.state.to_json()


@pytest.mark.parametrize(("game", "players", "dealt", "seed"), MATCHES)
def test_what_the_program_draws_for_somebody_nobody_else_is_told(
    game: str, players: int, dealt: tuple[int, ...], seed: int
) -> None:
    for _, mixed in beside(game, players, dealt, seed, options_of(game)):
        if mixed.ply == 100:
            break
    state, drawn = mixed.beginning(), 0
    for entry in mixed.log:
        if entry.move.verb == "draw":
            owner = int(entry.move.args[0][1:])
            for seat in (None, *range(players)):
                told = state.public(entry.move, seat)
                named = owner in dealt and seat == owner
                assert (told.args[1] != "?") == named
                drawn += named
        state.apply(entry.move)
    assert drawn > 3
    for seat in (None, *range(players)):
        told = mixed.state.view(seat)
        for owner in dealt:
            hand = told["hands"][owner] if game == "hoher_rat" else told["seats"][owner]["hand"]
            assert isinstance(hand, int) == (seat != owner)
        if game == "dominion":
            others = [told["seats"][owner] for owner in dealt]
            assert all(isinstance(cards["draw"], int) for cards in others)


@pytest.mark.parametrize("game", ["dominion", "hoher_rat"])
def test_what_is_taken_back_is_drawn_again(game: str) -> None:
    match = Match(game, 2, physical=True, seed=7, dealt=(1,))
    if game == "dominion":
        match.push("dealer start p0")
    drawn = match.deal()
    assert {move.args[1] for move in drawn if move.args[0] == "p0"} == {"?"}
    assert "?" not in {move.args[1] for move in drawn if move.args[0] == "p1"}
    for _ in drawn:
        match.pop()
    assert match.deal() == drawn


def test_only_for_seats_that_draw_from_piles_of_their_own() -> None:
    for game, players, dealt in (
        ("hoher_rat", 4, (1,)), ("hoher_rat", 4, (0, 1, 2)), ("dominion", 2, (2,)),
        ("erbaut_stonehenge", 3, (1,)), ("trilithen_knallen", 3, (0,)),
    ):  # fmt: skip
        with pytest.raises(OptionError):
            Match(game, players, physical=True, dealt=dealt)
    with pytest.raises(OptionError):
        Match("dominion", 2, {"record": "ledger"}, physical=True, dealt=(1,))
    with pytest.raises(OptionError):
        Match("dominion", 2, dealt=(1,))


# -- Der Hohe Rat ---------------------------------------------------------------------------


def test_only_the_cards_of_the_other_faction_are_left_open() -> None:
    match = Match(HOHER_RAT, 2, physical=True, seed=7, dealt=(1,))
    match.deal()
    match.push("dealer start p1")
    held = match.state.hands[1]
    seats = [m for m in match.legal_moves() if m.verb == "seat" and len(m.args) == 3]
    assert {move.args[0] for move in seats} <= {CARD_NAME[card] for card in held}
    match.push(seats[0])
    (drawn,) = match.deal()
    assert drawn.args[0] == "p1" and drawn.args[1] != "?"
    match.push("p1 done")
    # Of the 32 cards of the people's faction each may be in hand, and is told when it is laid.
    assert len({m.args[0] for m in match.legal_moves() if m.verb == "seat"}) > 20


# -- Dominion: the heap ---------------------------------------------------------------------


def heap(state: DominionState, seat: int) -> Counter[str]:
    """The cards before a seat."""
    lies: Counter[str] = Counter()
    for item, number in state.layout().items():
        if item.site.endswith(f"-p{seat}"):
            assert item.site == f"discard-p{seat}"
            lies[str(item.kind)] += number
    return lies


def test_all_that_is_dealt_to_somebody_lies_on_one_heap() -> None:
    for _, mixed in beside("dominion", 2, (1,), 8, {"kingdom": "size-distortion"}):
        if mixed.ply % 20 == 0 and mixed.state.piles:
            assert heap(mixed.state, 1) == Counter(mixed.state.seats[1].owned)
            assert mixed.state.supply(1) == Counter()


def test_what_is_bought_comes_to_lie_on_the_heap() -> None:
    match = Match(DOMINION, 2, physical=True, seed=3, dealt=(1,))
    match.push("dealer start p1")
    match.deal()
    coin = Move.parse("p1 play copper")
    while coin in match.legal_moves():
        # Coins that are in the program only lie nowhere.
        assert match.state.touches(coin) == set()
        match.push(coin)
    bought = Move.parse("p1 buy cellar")
    assert set(match.state.touches(bought)) == {"k1", "discard-p1"}
    match.push(bought)
    assert Item("discard-p1", "cellar", 1) in match.layout


def test_what_is_stolen_leaves_the_heap_for_the_trash() -> None:
    table = Table(
        "thief / copper×5", "copper×5 / silver gold estate",
        kingdom=KINGDOM,
    ).play("p0 play thief", "dealer reveal p1 silver", "dealer reveal p1 gold")  # fmt: skip
    beside = table.beside[1]
    steal = Move.parse("p0 trash p1 gold")
    # Both revealed cards are shown by the screen; on the table they lie in the heap.
    touched = set(beside.touches(steal))
    assert touched >= {"discard-p1", "trash"} and "aside-p1" not in touched
    beside.apply(steal)
    assert heap(beside, 1)["gold"] == 0
    assert "trash" in {item.site for item in beside.layout()}


def test_nothing_is_asked_for_that_only_the_program_could_see() -> None:
    """DO27: a dealt hand without victory cards is shown by the program; a real one to people."""
    table = Table("bureaucrat / copper×5", "copper×3 / copper", kingdom=KINGDOM)
    table.play("p0 play bureaucrat")
    asked = {str(move) for move in table.beside[1].legal_moves()}
    assert asked == {"p1 show copper,copper,copper"}
    assert "p1 none" in {str(move) for move in table.beside[0].legal_moves()}
