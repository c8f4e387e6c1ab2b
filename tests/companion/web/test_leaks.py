"""No byte tells a secret: it is the same in every world that its reader cannot tell apart.

The long form over 1,000 matches is ``python -m tests.endurance.leaks``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.presentation.snapshot import Snapshot
from companion.presentation.views import PrivateView, PublicView, public_view
from rules.games import find_game
from tests.support.leaks import (
    HIDDEN,
    Found,
    Sent,
    look_for_leaks,
    sent_by_phones,
    sent_to_the_club,
    sent_to_the_house,
    views_of,
)

MOST_MATCHES = 4
WAYS: dict[str, Sent] = {"phones": sent_by_phones, "club": sent_to_the_club, "views": views_of}


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


_seat = Snapshot.seat


def _counts_moves(patch: pytest.MonkeyPatch) -> None:
    """How many moves somebody has says what they hold."""

    def leaky(self: Snapshot) -> PublicView:
        return replace(public_view(self.view, self.public_id), turn=len(self.view.legal))

    patch.setattr(Snapshot, "public", property(leaky))


def _tells_all_moves(patch: pytest.MonkeyPatch) -> None:
    """The record as it is, not as everybody may know it."""

    def leaky(self: Snapshot) -> PublicView:
        return replace(
            public_view(self.view, self.public_id),
            told=tuple(entry.move for entry in self.match.log),
        )

    patch.setattr(Snapshot, "public", property(leaky))


def _lets_everybody_play(patch: pytest.MonkeyPatch) -> None:
    """Every phone is sent what whoever is asked may do."""

    def leaky(self: Snapshot, seat: int) -> PrivateView:
        view = self.view
        return replace(
            _seat(self, seat), may_play=True, legal=view.legal, places=view.places,
            usual=view.usual, ahead=view.ahead,
        )  # fmt: skip

    patch.setattr(Snapshot, "seat", leaky)


def _mixes_hands_up(patch: pytest.MonkeyPatch) -> None:
    """A phone is sent the hand of the next seat."""

    def leaky(self: Snapshot, seat: int) -> PrivateView:
        return replace(_seat(self, seat), hand=self.hands[(seat + 1) % len(self.hands)])

    patch.setattr(Snapshot, "seat", leaky)


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
