"""Die Dolmengötter played at random, and what players may not learn from a refusal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from rules.core import Actor
from rules.games.dolmengoetter import GAME
from rules.games.dolmengoetter.components import LEVELS
from rules.games.dolmengoetter.state import DRUID, DolmenState, majority
from rules.match import Match
from tests.support.rulings import reasons

HERE = Path(__file__).parent
FACTORS_HEIGHT = {4: 2, 6: 4, 8: 6}


def _always(state: DolmenState) -> None:
    """Check the invariants of every match."""
    board = state.board
    assert not state.problems()
    assert min(state.points) >= 1, "DG16"
    for circle, pile in enumerate(state.piles):
        assert len(pile) <= FACTORS_HEIGHT[board.size[circle]], "DG4"
        counts = [0] * state.players
        for place in board.places_of[circle]:
            if 0 < state.occ[place] < DRUID:
                counts[state.occ[place] - 1] += 1
        assert counts == state.count[circle]
        assert majority(counts) == state.maj[circle]
    if state.stones_left:
        assert any(state.free), "DG10"


@pytest.mark.parametrize("players", GAME.players)
def test_random_matches_conserve_everything_and_end(players: int) -> None:
    random = Random(players)
    lengths = []
    for number in range(12):
        options = {"tie_min": "21"[number % 2], "bonus_on_fill": ("off", "on")[number // 2 % 2]}
        state = GAME.setup(players, GAME.complete_options(players, options), False)
        steps = 0
        while moves := state.legal_moves():
            state.apply(state.choose(moves, random))
            steps += 1
            _always(state)
        assert state.outcome() is not None
        lengths.append(steps)
    expected = {2: 90, 3: 165, 4: 218, 5: 220}[players]
    assert 0.75 * expected < sum(lengths) / len(lengths) < 1.25 * expected


def test_with_few_dolmens_matches_also_end_by_the_last_dolmen() -> None:
    random = Random(1)
    reasons: Counter[str] = Counter()
    for _ in range(30):
        options = GAME.complete_options(3, {"dolmens": "8"})
        state = GAME.setup(3, options, False)
        while moves := state.legal_moves():
            state.apply(random.choice(moves))
        outcome = state.outcome()
        assert outcome is not None
        reasons[outcome.reason] += 1
    assert set(reasons) == {"last_stone", "last_dolmen"}


def test_a_physical_match_may_mix_typed_and_unseen_values() -> None:
    random = Random(3)
    dealt = Match(GAME, 3, seed=3)
    referee = Match(GAME, 3, physical=True)
    while dealt.outcome is None:
        move = dealt.state.choose(dealt.legal_moves(), random)
        before = dealt.state.clone()
        dealt.push(move)
        typed = move.verb == "dolmen" and random.random() < 0.5
        shows = [m for m in before.shown(move) if m.actor is Actor.TABLE]
        referee.push(move if typed else before.public(move, None))
        for show in shows:
            if referee.prompt is not None and referee.prompt.actor is Actor.TABLE:
                circle, level, _ = referee.state.next_hidden()
                name = GAME.board.circle_ids[circle]
                if show.args[:2] == (name, str(level + 1)):
                    referee.push(show)
        assert referee.scores == dealt.scores
    assert referee.outcome == dealt.outcome


def test_whatever_hands_do_can_be_played_on() -> None:
    """Enforcement off: illegal moves are tried out and the match goes on with sane counts."""
    random = Random(4)
    for players in GAME.players:
        state = GAME.setup(players, GAME.complete_options(players, {}), False)
        for _ in range(150):
            pseudo = list(state.pseudo_moves())
            if not pseudo:
                break
            state.apply(random.choice(pseudo))
            assert not state.problems()
            assert GAME.from_json(state.to_json()).to_json() == state.to_json()


# -- against the letter of the rules -----------------------------------------------------------


def _maj(stones: Mapping[int, int], circle: int) -> int | None:
    """7.6, Maj, word by word; ``stones``: colour by place."""
    here = [stones[p] for p in GAME.board.places_of[circle] if p in stones]
    numbers = Counter(here).most_common()
    if len(here) < 3 or len(numbers) < 2 or numbers[0][1] == numbers[1][1]:
        return None
    return numbers[0][0]


def _rights_by_the_book(state: DolmenState, seat: int, place: int) -> set[tuple[int, int, str]]:
    """Circle, owner and kind of every right a stone opens, from the sentences of 7.6."""
    before = {p: o - 1 for p, o in enumerate(state.occ) if 0 < o < DRUID}
    after = before | {place: seat}
    rights = set()
    for circle, places in enumerate(GAME.board.places_of):
        if place not in places:
            continue
        here = Counter(after[p] for p in places if p in after)
        old, new = _maj(before, circle), _maj(after, circle)
        right = None
        if new is not None and new != old:
            right = (circle, new, "top")
        elif (
            new is None
            and here.total() >= 3
            and len(here) >= 2
            and here[seat] == max(here.values())
            and here[seat] >= state.tie_min
        ):
            right = (circle, seat, "under")
        elif state.bonus and here.total() == len(places) and new not in (None, seat):
            assert new is not None
            right = (circle, new, "top")
        if right is not None and state.dolmens[right[1]]:
            rights.add(right)
    return rights


def _simple_paths(state: DolmenState, start: int, path: tuple[int, ...] = ()) -> set[int]:
    """The ends of paths over druids (DG8), walked one by one."""
    found: set[int] = set()
    for place in GAME.board.links[start]:
        if state.free[place]:
            found.add(place)
        elif state.occ[place] >= DRUID and place not in (*path, start):
            found |= _simple_paths(state, place, (*path, start))
    return found


@pytest.mark.parametrize("players", GAME.players)
def test_rights_and_reach_are_those_of_the_letter(players: int) -> None:
    random = Random(70 + players)
    stones = 0
    for number in range(8):
        options = {"tie_min": "21"[number % 2], "bonus_on_fill": ("off", "on")[number // 2 % 2]}
        state = GAME.setup(players, GAME.complete_options(players, options), False)
        while moves := state.legal_moves():
            walks: dict[int, set[int]] = {}
            for move in moves:
                if move.verb == "walk":
                    start, to = (GAME.board.place[site] for site in move.args)
                    walks.setdefault(start, set()).add(to)
            for start, reached in walks.items():
                assert reached == _simple_paths(state, start) - {start}
            move = state.choose(moves, random)
            if move.verb == "stone":
                assert move.player is not None
                place = GAME.board.place[move.args[0]]
                expected = _rights_by_the_book(state, move.player, place)
                state.apply(move)
                opened = {(c, owner, LEVELS[level]) for _, c, owner, level in state.rights}
                assert opened == expected
                stones += 1
            else:
                state.apply(move)
    assert stones > 50


HEXAGON = (
    "dealer start p0", "p0 druid W1", "p1 druid X1", "p0 druid W2",
    "p1 druid X2", "p0 druid X3", "p1 druid W3",
    "p0 walk W1 V1", "p0 stone W1", "p1 walk X1 Y1", "p1 stone X1",
    "p0 walk W2 V2", "p0 stone W2",
)  # fmt: skip
"""p0 has the right to put a dolmen on top in K12."""


def _match(*moves: str) -> Match:
    match = Match(GAME, 2)
    for move in HEXAGON + moves:
        match.push(move)
    return match


@pytest.mark.parametrize("secret", [1, 4])
@pytest.mark.parametrize("asked", [1, 4])
def test_dg21_a_refused_dolmen_does_not_tell_which_one_was_built(secret: int, asked: int) -> None:
    match = _match(f"p0 dolmen K12 top {secret}")
    assert reasons(match, f"p0 dolmen K12 top {asked}") == [("7.6", "right_used")]
    assert reasons(match, f"p0 dolmen K01 top {asked}") == [("7.6", "no_new_stone")]


def test_with_a_right_a_value_that_is_all_built_is_refused() -> None:
    match = _match("p0 dolmen K12 top 4", "p1 walk X2 Y2", "p1 stone X2", "p1 keep K12")
    match.push("p0 walk X3 X4")
    match.push("p0 stone X3")
    assert reasons(match, "p0 dolmen K12 top 4") == [("7.1", "no_such_value")]
    assert reasons(match, "p0 dolmen K12 under 3") == [("7.6", "only_top")]


def test_without_any_dolmen_the_empty_supply_is_the_reason() -> None:
    match = _match()
    match.state.values[1] = [0] * 5
    match.state.dolmens[1] = 0
    assert reasons(match, "p1 dolmen K12 top 1") == [("7.1", "no_such_value")]
