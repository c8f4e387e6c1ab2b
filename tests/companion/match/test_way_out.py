"""Nothing is stuck: whatever lies on the table, one touch ends a disagreement for good."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from companion.journal.entries import Header
from companion.match.events import Refused
from companion.match.view import BoardIsRight, TableState
from rules.games import find_game
from rules.reading.sighting import EMPTY, Glimpse
from rules.testing.pictures import Noise
from tests.support.scenes.evenings.evening import Evening, turns_of_a_match
from tests.support.scenes.offences.legal import Lying
from tests.support.sweep import some
from tests.support.watched import WATCHED

CALM_S = 8.0
ASKED = (TableState.DESYNC, TableState.ILLEGAL, TableState.AMBIGUOUS)


def in_disorder(evening: Evening, chance: Random, number: int) -> Lying:
    """A layout with so many things taken away or put anywhere; 0: nothing as it was."""
    lying, sites = dict(evening.lying), list(evening.box.sites)
    things = [(site, thing) for site in sorted(lying) for thing in lying[site]]
    if not number:
        return {s: EMPTY if lying.get(s) else (chance.choice(things)[1],) for s in sites}
    for site, thing in chance.sample(things, min(number, len(things))):
        rest = list(lying[site])
        rest.remove(thing)
        lying[site] = tuple(rest)
        to = chance.choice([*sites, ""])
        lying |= {to: tuple(sorted((*lying.get(to, EMPTY), thing)))} if to else {}
    return lying


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.thorough), 2, 6])
@pytest.mark.parametrize("game_id", some(WATCHED))
def test_after_calm_seconds_one_touch_ends_whatever_the_table_does_not_understand(
    game_id: str, number: int
) -> None:
    chance, game = Random(f"{game_id}/{number}"), find_game(game_id)
    players = game.players[-1]
    header = Header(
        id="way-out", game=game_id, players=players, options=game.complete_options(players, {}),
        physical=True, seed="1", names=(), enforcement="enforce", created_s=0.0,
    )  # fmt: skip
    places = list(turns_of_a_match(game_id, players, 1, header.options, header))
    evening = Evening(chance.choice(places).before, header)
    try:
        evening.look(2.0)
        evening.look(1.5, hand=True)
        evening.lay(in_disorder(evening, chance, number))
        evening.look(CALM_S)
        before, legal = evening.table.state, evening.table.match.legal_moves()
        evening.press(BoardIsRight())
        evening.look(CALM_S)
        assert evening.table.state not in ASKED, (before, evening.table.reading)
        assert legal == [] or evening.table.match.legal_moves() != []
    finally:
        evening.close()


def begun() -> Evening:
    """A table of Stonehenge in the middle of a match, looked at."""
    game = find_game("knizia_stonehenge")
    header = Header(
        id="way-out", game=game.id, players=2, options=game.complete_options(2, {}),
        physical=True, seed="1", names=(), enforcement="enforce", created_s=0.0,
    )  # fmt: skip
    place = next(islice(turns_of_a_match(game.id, 2, 1, header.options, header), 6, None))
    evening = Evening(place.before, header)
    evening.look(2.0)
    return evening


def put(evening: Evening, number: int) -> None:
    """Hands put so many black stones on free places."""
    evening.look(1.5, hand=True)
    free = [site for site in "ABCDEFGHIJKLMNOPQR" if not evening.lying.get(site)][:number]
    evening.lay(evening.lying | {site: (Glimpse("stone black 1"),) for site in free})


def test_what_was_badly_seen_at_first_is_refused_once_it_is_seen_well() -> None:
    evening = begun()
    try:
        put(evening, 2)
        evening.noise = Noise(misread=0.0, missing=1.0)
        evening.look(1.0)
        assert not any(isinstance(event, Refused) for _, event in evening.said)
        evening.noise = None
        evening.look(3.0)
        assert any(isinstance(event, Refused) for _, event in evening.said), evening.table.reading
    finally:
        evening.close()


def test_an_unread_piece_is_asked_about_until_people_say_that_it_is_none() -> None:
    evening = begun()
    try:
        put(evening, 1)
        evening.noise = Noise(misread=0.0, missing=1.0)
        evening.look(CALM_S)
        likeliest, *_ = evening.table.view().candidates
        assert [move.args[0] for move in likeliest.moves] == ["1"]
        evening.something_else()
        evening.look(CALM_S)
        assert evening.table.view().candidates == ()
        # What people know of and the record lacks may have made it legal.
        evening.noise = None
        put(evening, 2)
        evening.look(4.0)
        assert not any(isinstance(event, Refused) for _, event in evening.said)
    finally:
        evening.close()
