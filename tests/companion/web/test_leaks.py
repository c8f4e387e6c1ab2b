"""No byte tells a secret: it is the same in every world that its reader cannot tell apart.

The long form over 1,000 matches is ``python -m tests.endurance.leaks``.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import companion.web.picture as picture
import companion.web.public_picture as pictures
import companion.web.seat_picture as seats
from companion.web.seat_moves import seat_moves
from companion.web.snapshot import Snapshot, open_to_all
from rules.games import find_game
from tests.support.leaks import (
    HIDDEN,
    Found,
    Sent,
    look_for_leaks,
    sent_by_phones,
    sent_to_the_club,
    sent_to_the_house,
)

MOST_MATCHES = 4
WAYS: dict[str, Sent] = {"phones": sent_by_phones, "club": sent_to_the_club}


def searched(game: str, sent: Sent, *, matches: int, positions: int) -> Found:
    """What so many matches show, or more if other worlds are rare in a game."""
    found, players = Found(), find_game(game).players
    for seed in range(max(matches, MOST_MATCHES)):
        if seed >= matches and found.other_hands.get(game, 0):
            break
        number = players[(seed + 1) % len(players)]
        found.add(look_for_leaks(game, number, seed, sent, positions=positions, others=1))
    return found


@pytest.mark.parametrize("game", HIDDEN)
@pytest.mark.parametrize("way", WAYS)
def test_nothing_that_is_sent_tells_a_secret(game: str, way: str, thorough: bool) -> None:
    found = searched(game, WAYS[way], matches=12 if thorough else 1, positions=3)
    assert found.leaks == []
    assert found.other_hands.get(game, 0) > 0, "no other world was found: nothing was tried"


@pytest.mark.parametrize(
    "game", [pytest.param("dominion", marks=pytest.mark.thorough), "hoher_rat"]
)
def test_nobody_at_a_table_with_real_cards_learns_what_the_program_deals(game: str) -> None:
    found = Found()
    for seed, way in enumerate((*WAYS.values(), sent_to_the_house)):
        found.add(look_for_leaks(game, 2, seed, way, positions=2, others=1, dealt=(1,)))
    assert found.leaks == []
    assert found.other_hands.get(game, 0) > 0, "no other world was found: nothing was tried"


# -- a test of the test -----------------------------------------------------------------------


def _counts_moves(patch: pytest.MonkeyPatch) -> None:
    """How many moves somebody has says what they hold."""
    real = picture.picture_of

    def told(view: object, *rest: object) -> dict[str, object]:
        return real(view, *rest) | {"moves_left": _Latest.legal}  # type: ignore[arg-type]

    def noting(snapshot: Snapshot) -> object:
        _Latest.legal = len(snapshot.view.legal)
        return open_to_all(snapshot)

    patch.setattr(pictures, "picture_of", told)
    patch.setattr(pictures, "open_to_all", noting)


class _Latest:
    legal = 0


def _tells_all_moves(patch: pytest.MonkeyPatch) -> None:
    """The record as it is, not as everybody may know it."""
    real = picture._moves

    def told(_moves: object, teller: object) -> object:
        return real(_Snapped.moves, teller)  # type: ignore[arg-type]

    def noting(snapshot: Snapshot) -> object:
        _Snapped.moves = [entry.move for entry in snapshot.match.log]
        return open_to_all(snapshot)

    patch.setattr(picture, "_moves", told)
    patch.setattr(pictures, "open_to_all", noting)


class _Snapped:
    moves: object = ()


def _lets_everybody_play(patch: pytest.MonkeyPatch) -> None:
    """Every phone is sent what whoever is asked may do."""
    patch.setattr(seats, "may_play", lambda _snapshot, _seat: True)


def _mixes_hands_up(patch: pytest.MonkeyPatch) -> None:
    """A phone is sent the hand of the next seat."""
    real = seat_moves

    def told(view: object, hand: object, seat: int, *rest: object) -> object:
        return real(view, _Held.hands[(seat + 1) % len(_Held.hands)], seat, *rest)  # type: ignore[arg-type]

    def noting(snapshot: Snapshot, seat: int) -> object:
        _Held.hands = snapshot.hands
        return seen(snapshot, seat)

    seen = seats.seen_from
    patch.setattr(seats, "seat_moves", told)
    patch.setattr(seats, "seen_from", noting)


class _Held:
    hands: tuple[object, ...] = ()


@pytest.mark.parametrize(
    "plant", [_counts_moves, _tells_all_moves, _lets_everybody_play, _mixes_hands_up]
)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    found = searched("opferroulette", sent_by_phones, matches=3, positions=4)
    assert found.leaks, "the search would not have found this"


def test_a_single_bit_in_what_goes_to_the_house_is_found() -> None:
    def sent(snapshot: Snapshot, seat: int | None) -> bytes:
        number = sum(len(thing) for thing, _count in snapshot.hands[0].things)
        return sent_to_the_house(snapshot, seat) + bytes([number % 2])

    assert searched("opferroulette", sent, matches=4, positions=4).leaks
