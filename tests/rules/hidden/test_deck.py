"""One deck of cards in a match: what it knows, digital and on a real table."""

import pytest

from rules.core import StateError
from rules.hidden import Deck

SUITS = {"ace": 0, "king": 1, "queen": 2, "jack": 3}
ACE, KING, QUEEN, JACK = range(4)


def _deck(physical: bool) -> Deck:
    deck = Deck(SUITS, 2)
    deck.shuffle(physical)
    return deck


def _read(deck: Deck) -> Deck:
    again = Deck(SUITS, 2)
    again.read(deck.to_json())
    return again


@pytest.mark.parametrize("physical", [False, True])
def test_a_played_card_has_left_the_hand_and_lies_open(physical: bool) -> None:
    deck = _deck(physical)
    deck.draw(0, None if physical else KING)
    deck.draw(1, None if physical else ACE)
    assert deck.holds(0, KING) and (deck.hand_size(0), deck.pile_size) == (1, 2)
    deck.lay_open(0, KING)
    assert deck.discards == [KING] and deck.hand_size(0) == 0
    assert not deck.holds(0, KING) and not deck.holds(1, KING)
    assert deck.problems("the cards") == []


@pytest.mark.parametrize("physical", [False, True])
def test_the_discards_become_the_pile_only_when_a_card_is_needed(physical: bool) -> None:
    deck = _deck(physical)
    for card in (ACE, KING, QUEEN, JACK):
        deck.turn_up(card)
    assert (deck.pile_size, deck.discards) == (0, [ACE, KING, QUEEN, JACK])
    assert sorted(deck.drawable()) == [ACE, KING, QUEEN, JACK]
    deck.draw(1, None if physical else QUEEN)
    assert (deck.pile_size, deck.discards, deck.hand_size(1)) == (3, [], 1)
    assert deck.problems("the cards") == []


def test_a_hand_that_nobody_sees_may_hold_each_card_but_not_more_than_there_are() -> None:
    deck = _deck(physical=True)
    deck.draw(0, None)
    deck.draw(0, None)
    assert sorted(deck.playable(0)) == [ACE, KING, QUEEN, JACK]
    assert deck.holds_all(0, (ACE, JACK))
    assert not deck.holds_all(0, (ACE, KING, JACK))
    deck.turn_up(QUEEN)
    assert sorted(deck.playable_besides(0, ACE)) == [KING, JACK]
    assert deck.playable_besides(0, QUEEN) == []


@pytest.mark.parametrize("physical", [False, True])
def test_a_card_that_cannot_come_is_taken_from_where_it_lies(physical: bool) -> None:
    deck = _deck(physical)
    deck.turn_up(ACE)
    deck.lay_open(0, ACE)
    assert deck.discards == [ACE] and deck.pile_size == 3
    assert deck.problems("the cards") == []


@pytest.mark.parametrize("physical", [False, True])
def test_a_hand_put_away_is_in_nobodys_hand_and_not_in_the_pile(physical: bool) -> None:
    deck = _deck(physical)
    deck.draw(0, None if physical else KING)
    deck.put_away(0)
    assert (deck.hand_size(0), deck.pile_size) == (0, 3)
    assert deck.to_json()["gone"] == (1 if physical else ["king"])
    assert deck.problems("the cards") == []


@pytest.mark.parametrize("physical", [False, True])
def test_a_deck_is_read_back_as_it_was_stored_and_copies_are_independent(physical: bool) -> None:
    deck = _deck(physical)
    deck.draw(0, None if physical else KING)
    deck.turn_up(ACE)
    copy = deck.clone()
    stored = deck.to_json()
    assert _read(deck).to_json() == stored
    copy.turn_up(JACK)
    copy.put_away(0)
    assert deck.to_json() == stored != copy.to_json()


def test_seats_see_their_own_hand_and_of_the_others_the_number() -> None:
    deck = _deck(physical=False)
    for seat, card in ((0, KING), (1, ACE), (1, JACK)):
        deck.draw(seat, card)
    seen = deck.to_json()
    deck.conceal(seen, 1)
    assert (seen["hands"], seen["pile"]) == ([1, ["ace", "jack"]], 1)
    watched = deck.to_json()
    deck.conceal(watched, None)
    assert watched["hands"] == [1, 2]


def test_a_card_that_is_missing_or_twice_is_told() -> None:
    deck = _deck(physical=False)
    deck.pile.remove(ACE)
    assert deck.problems("the day cards") == ["the day cards are not complete"]
    deck.discards = [KING, ACE]
    assert deck.problems("the day cards") == ["the day cards are not complete"]
    broken = _deck(physical=True).to_json()
    broken["zones"]["pools"] = [{"ace": 1}]
    with pytest.raises(StateError):
        Deck(SUITS, 2).read(broken)
