"""Set-ups with real pieces and without a camera: few touches, and each of them can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.presentation.boxes import box_of
from companion.presentation.touching import touched
from rules.core import Move
from rules.games.trilithen_knallen.components import COLOURS
from rules.match import Match
from tests.support.at_the_screen import Player
from tests.support.laying import choose_kind, lay
from tests.support.picking import card_desk, enter_cards
from tests.support.ui_harness import LANGS, SIZES, need_screen, touch_place

MOST_OF_A_MINUTE = 60
"""Touches; a second each."""


@pytest.fixture
def at_table(tmp_path: Path) -> Iterator[Callable[[str, int, int], Player]]:
    """A player who has begun a match with real pieces: game, players, number of the case."""
    need_screen()
    here: list[Player] = []

    def begin(game: str, players: int, case: int) -> Player:
        here.append(Player(tmp_path, SIZES[case % 2], LANGS[case % 2]))
        here[0].set_up(game, players, physical=True)
        here[0].touches = 0
        return here[0]

    yield begin
    for player in here:
        player.close()


@pytest.mark.thorough
@pytest.mark.parametrize("case", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_five_set_up_opferroulette_as_heelstone_deals(
    at_table: Callable[[str, int, int], Player], case: int
) -> None:
    player = at_table("opferroulette", 5, case)
    _deal(player)
    assert player.screen.result is not None and player.screen.result.code == "laid_out"
    _put_away(player)
    chosen = 0
    while _code(player) == "offering":
        chosen += 1
        move = player.view.legal[0]
        pit = touched(move, player.view, box_of(player.view))[0]
        touch_place(player.screen.board, pit, player.touch_at)
        player.settle()
    if _code(player) == "ball":
        _deal(player)
        _put_away(player)
    # Drawn and put down, twice; a pit of one's choice among all the sixty is looked at closely.
    assert _code(player) == "play" and player.touches <= 4 + 2 * chosen
    _undo_all(player, 1 + 5 + 1)


@pytest.mark.thorough
def test_five_enter_the_cards_of_opferroulette_hand_by_hand(
    at_table: Callable[[str, int, int], Player],
) -> None:
    player = at_table("opferroulette", 5, 0)
    numbers = [move.text.split()[-1] for move in player.view.legal if "t-" not in move.text]
    Random(5).shuffle(numbers)
    for seat in range(5):
        hand = [Move.parse(f"dealer offer p{seat} {numbers.pop()}") for _ in range(10)]
        _enter(player, hand)
    _enter(player, [Move.parse(f"dealer ball {numbers.pop()}")])
    _put_away(player)
    assert _code(player) == "start"
    _deal(player)
    assert _code(player) == "play" and player.touches <= MOST_OF_A_MINUTE
    _undo_all(player, 7)


@pytest.mark.parametrize(
    ("players", "case"), [(3, 1), pytest.param(4, 0, marks=pytest.mark.thorough)]
)
def test_erbaut_stonehenge_takes_three_cards_and_a_lot(
    at_table: Callable[[str, int, int], Player], players: int, case: int
) -> None:
    player = at_table("erbaut_stonehenge", players, case)
    display = [Move.parse(f"dealer draw display {card}") for card in ("n4", "d17", "t-red")]
    _enter(player, display)
    _deal(player)
    assert _code(player) == "project" and player.touches <= 5
    _undo_all(player, 2)


@pytest.mark.parametrize(
    ("players", "case"), [(2, 1), pytest.param(4, 0, marks=pytest.mark.thorough)]
)
def test_the_council_sits_down_with_one_touch(
    at_table: Callable[[str, int, int], Player], players: int, case: int
) -> None:
    player = at_table("hoher_rat", players, case)
    _deal(player)
    assert _code(player) == "turn" and player.touches == 1
    _undo_all(player, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("case", [0, 1])
def test_the_bars_of_trilithen_are_told_colour_by_colour(
    at_table: Callable[[str, int, int], Player], case: int
) -> None:
    player = at_table("trilithen_knallen", 3, case)
    touch, said = player._touch_and_see, Random(case)
    wanted = {
        f"bar-{five * 5 + number}": f"bar {colour}"
        for five in range(6)
        for number, colour in enumerate(said.sample(COLOURS, 5), 1)
    }
    lay(player.screen, wanted, touch)
    # The next colour picks itself, the fifth lies by itself, and what was begun close by goes on
    # there, five by five.
    assert player.touches == 24 + 1
    # One lies elsewhere: the two change places. That is taken back, and every touch could be.
    one, other = (f"bar-{number}" for number in (7, 9))
    choose_kind(player.screen, wanted[one], touch)
    touch_place(player.screen.board, other, touch)
    lying = player.screen.fingers.laying.lying
    assert (lying[one], lying[other]) == (wanted[other], wanted[one])
    player.press("↺")
    assert player.screen.fingers.laying.lying == wanted and _match(player).ply == 0
    _put_away(player, told=True)
    log = [entry.move for entry in _match(player).log[:30]]
    assert log == [Move.parse(f"dealer bar {n} {wanted[f'bar-{n}'][4:]}") for n in range(1, 31)]
    assert not player.screen.board.scene.close, "from the first move on the board stays"
    # Taken back, it is as it was: also the last touches.
    while _match(player).ply > 0:
        player.press("↺")
    assert player.screen.fingers.laying.lying == wanted
    player.press("↺")
    assert len(player.screen.fingers.laying.lying) < 30


def test_a_laid_bar_is_taken_up_and_a_touch_of_its_number_means_it(
    at_table: Callable[[str, int, int], Player],
) -> None:
    player = at_table("trilithen_knallen", 2, 0)
    touch, board = player._touch_and_see, player.screen.board
    for text, at in board.scene.signs[:3:2]:
        player.screen.fingers.choose_kind("bar white")
        touch(*board.plan.px(at))
        if player.screen.fingers.laying.lying.get(f"bar-{text}") is None:
            assert board.enlarged
            touch(*board.plan.px(at))
        assert player.screen.fingers.laying.lying[f"bar-{text}"] == "bar white"
    assert [*player.screen.fingers.laying.lying] == ["bar-3"], "white lies once below 1 to 5"
    player.screen.fingers.choose_kind("bar white")
    touch_place(board, "bar-3", touch)
    assert player.screen.fingers.laying.lying == {}
    _deal(player)
    assert board.scene.close and len(board.scene.signs) == 30, "what is put down can be read"
    _put_away(player)
    assert not board.scene.close
    _undo_all(player, 1)


def _code(player: Player) -> str:
    prompt = player.view.prompt
    assert prompt is not None
    return prompt.code


def _deal(player: Player) -> None:
    player.press(player.word("play.let_heelstone_draw"))


def _enter(player: Player, moves: list[Move]) -> None:
    ply = player.view.ply

    def touch(x: float, y: float) -> None:
        player.touch_at(x, y)
        player.settle()

    assert enter_cards(player.screen, moves, touch, lambda: player.view.ply > ply)
    assert [entry.move for entry in _match(player).log[ply:][: len(moves)]] == moves


def _put_away(player: Player, *, told: bool = False) -> None:
    """Read what came to light, if something is shown; ``told``: or say that it is told."""
    if told or player.screen.result is not None:
        player.press(next(key.text for key in player.buttons() if key.primary))


def _undo_all(player: Player, most: int) -> None:
    """Every entry goes back, one touch each, to the first."""
    steps = 0
    while player.view.can_undo:
        assert card_desk(player.screen) is not None or player.screen.board is not None
        player.press("↺")
        steps += 1
    assert _match(player).ply == _dealt(player) and 0 < steps <= most


def _dealt(player: Player) -> int:
    """Moves that the program makes before anybody has touched anything."""
    return sum("?" in entry.move.args for entry in _match(player).log)


def _match(player: Player) -> Match:
    assert player.session is not None
    return player.session.table.match
