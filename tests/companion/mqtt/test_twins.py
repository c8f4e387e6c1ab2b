"""A real broker, and all it hears and keeps of tables with hidden information."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from companion.match.public_log import PublicIds
from companion.mqtt.line import BrokerLink
from companion.settings.services import MqttSettings
from rules.games import find_game
from rules.match import Match
from rules.testing.playout import random_match
from tests.support.broker import Broker, Ear, broker
from tests.support.leaks import HIDDEN, NAMES, Recorded, header_of, recorded
from tests.support.waiting import until
from tests.support.worlds import worlds

KNOWN = "homeassistant/device/heelstone_table/config"
STATE, EVENT, THERE = (f"heelstone/table/{name}" for name in ("state", "event", "availability"))
ALIASES = PublicIds(b"the same")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with broker(tmp_path_factory.mktemp("broker")) as found:
        yield found


@pytest.fixture(scope="module")
def ear(server: Broker) -> Iterator[Ear]:
    """Hears from the beginning, so nothing comes that was kept."""
    with server.ear() as found:
        yield found


def twins_of(game: str) -> tuple[Recorded, Recorded]:
    """The same moment in two worlds that the public cannot tell apart."""
    rules = find_game(game)
    for seed in range(9):
        options = rules.complete_options(rules.players[0], dict(HIDDEN[game]))
        *_, (whole, _moves, _move) = random_match(rules, rules.players[0], options, seed)
        match = whole.begun()
        match.replay(whole.log[: 2 * whole.ply // 3])
        for other in worlds(match, None, 2, Random(seed)):
            return told(match), told(other)
    raise AssertionError("no other world was found")


def told(match: Match) -> Recorded:
    return recorded(header_of(match), match, undone=1)


def told_live(server: Broker, ear: Ear, match: Recorded) -> dict[str, list[bytes]]:
    """Everything the broker was told while a table showed this match and left it, by topic."""
    begin, states = len(ear.heard), len(ear.all(STATE))
    settings = MqttSettings(host="127.0.0.1", port=server.port)
    link = BrokerLink(settings, "en", aliases=ALIASES).start()
    try:
        assert until(lambda: len(ear.all(STATE)) > states), "nobody plays yet"
        for step, events in match.steps:
            link(step.view, events)
            assert until(partial(_told_of, ear, step.view.ply))
        link.rest()
        assert until(lambda: not ear.last(STATE)["running"])
    finally:
        link.close()
    assert until(lambda: ear.last(THERE) == "offline")
    heard = ear.heard[begin:]
    return {name: [said for topic, said, _kept in heard if topic == name] for name, *_ in heard}


def _told_of(ear: Ear, ply: int) -> bool:
    return bool(ear.last(STATE).get("moves") == ply)


@pytest.mark.parametrize("game", HIDDEN)
def test_twin_matches_are_the_same_bytes_and_nothing_of_them_is_kept(
    game: str, server: Broker, ear: Ear
) -> None:
    one, other = twins_of(game)
    heard = told_live(server, ear, one)
    assert heard == told_live(server, ear, other)
    assert heard.keys() == {KNOWN, STATE, EVENT, THERE}
    assert any(name.encode() in part for part in heard[KNOWN] for name in NAMES), "it was known"
    with server.ear() as late:
        assert until(lambda: len(late.heard) == 3)
        kept = b"\n".join(said for _topic, said, _kept in late.heard)
        assert late.last(THERE) == "offline"
        assert late.last(STATE)["match"] is None
    for past in (*NAMES, ALIASES.of(one.view.match_id)):
        assert past.encode() not in kept
