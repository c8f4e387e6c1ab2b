"""Messages to a broker: in whole matches, to Home Assistant, and without a secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from jinja2.sandbox import SandboxedEnvironment

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.events import MatchOver, TableEvent
from companion.match.table import Table
from companion.match.view import PlayMove, TableView
from companion.mqtt.messages import EVENT_LIVES_S, MOST_EVENTS, MOST_SEATS, Outbox, discovery
from companion.mqtt.public import EVENT_TYPES, NobodyPlays, happened, public_table
from companion.mqtt.topics import Topics
from companion.presentation.views import public_view
from companion.presentation.words.sentences import teller_of
from companion.settings.manners import Manners
from rules.games import find_game, game_ids
from rules.testing.playout import pick
from rules.texts import LANGUAGES
from tests.support.leaks import published
from tests.support.match_views import views
from tests.support.phone_pictures import table_of
from tests.support.sweep import some

Step = tuple[TableView, list[TableEvent]]


def played(game: str, players: int, seed: int = 1, most: int = 3000) -> Iterator[Step]:
    """A whole digital match at a table, view by view."""
    rules = find_game(game)
    options = rules.complete_options(players, {})
    names = ("Anna", "Jörg", "", "Eva", "Ben")[:players]
    header = Header(
        id="its-id", game=game, players=players, options=options, physical=False,
        seed=f"a secret {seed}", names=names, enforcement="enforce", created_s=1.0,
    )  # fmt: skip
    journal = Journal(":memory:")
    journal.create(header)
    table, random = Table(journal, header, Manners()), Random(seed)
    yield table.view(), []
    for moment in range(most):
        if table.match.outcome is not None:
            break
        move = table.match.state.choose(table.view().legal, random)
        events = table.handle(PlayMove(move), float(moment))
        yield table.view(), events
    journal.close()


@pytest.mark.parametrize("game", some(game_ids()))
def test_a_whole_match_is_told_from_its_start_to_its_winner(game: str) -> None:
    steps = [
        (public_view(view, "m"), events)
        for view, events in played(game, find_game(game).players[0])
    ]
    told = happened(None, *steps[0], "en")
    for (before, _), (view, events) in pairwise(steps):
        told += happened(before, view, events, "en")
    kinds = [event["event_type"] for event in told]
    assert kinds[0] == "match.started"
    assert kinds.count("match.ended") == 1
    lost_together = told[-1].get("reason") in find_game(game).lost_together
    assert kinds.count("match.won") == (0 if lost_together else 1)
    assert set(kinds) <= set(EVENT_TYPES)
    state = public_table(steps[-1][0], "en")
    assert not state.running and state.outcome is not None
    assert list(state.outcome.scores) == [player.score for player in state.players]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", some(game_ids()))
def test_every_state_is_plain_data_with_words(game: str, lang: str) -> None:
    for view in views(game, find_game(game).players[-1]):
        told = public_table(public_view(view, "m"), lang)
        assert json.loads(msgspec.json.encode(told)).keys() == {one.name for one in fields(told)}
        assert told.game_name and told.state_text
        assert len(told.players) == view.players


def test_the_seed_of_a_match_its_id_and_the_hands_are_never_told() -> None:
    sent = published(list(played("dominion", 2)))
    assert b"a secret" not in sent and b"its-id" not in sent
    assert b"legal" not in sent and b"hand" not in sent.split(b"homeassistant")[0]


def test_who_nobody_named_is_called_by_their_colour() -> None:
    (view, *_) = views("knizia_stonehenge", 2)
    names = [player.name for player in public_table(public_view(view, "m"), "de").players]
    assert all(names)


def test_events_that_nobody_fetched_in_time_are_left_out_and_the_numbers_show_it() -> None:
    now = [0.0]
    outbox = Outbox(Topics("table"), "0", clock=lambda: now[0])
    steps = list(played("knizia_stonehenge", 2))
    outbox.take(*steps[0], "en")
    now[0] = EVENT_LIVES_S + 1
    outbox.take(*steps[1], "en")
    numbers = [json.loads(message.payload)["n"] for message in outbox.events(MOST_EVENTS)]
    assert numbers and numbers[0] > 1


def test_what_the_broker_lost_is_told_again_in_order() -> None:
    outbox = Outbox(Topics("table"), "0")
    for step in list(played("knizia_stonehenge", 2))[:6]:
        outbox.take(*step, "en")
    first = outbox.events(3)
    outbox.put_back([*first, *outbox.kept("en")])
    again = [json.loads(message.payload)["n"] for message in outbox.events(MOST_EVENTS)]
    assert again == list(range(1, len(again) + 1))


def test_as_many_events_wait_as_somebody_may_want_and_no_more() -> None:
    outbox = Outbox(Topics("table"), "0")
    (view, _), *_ = played("knizia_stonehenge", 2)
    over: Any = next(
        e for _, es in played("knizia_stonehenge", 2) for e in es if type(e) is MatchOver
    )
    for _ in range(MOST_EVENTS):
        outbox.take(view, [over], "en")
    assert len(outbox.events(10 * MOST_EVENTS)) == MOST_EVENTS


TOPICS = Topics("table")
ROOT = {"device", "origin", "components", "availability", "state_topic"}
"""Of the options at the root that Home Assistant knows, those that are used."""
# Keys by platform, from https://www.home-assistant.io/integrations/{sensor,binary_sensor,event}.mqtt,
# and those that a device hands on to its components (SHARED_OPTIONS of components/mqtt/schemas.py,
# Home Assistant 2025.1): availability and state_topic are, quality of service is not.
ENTITY = {"platform", "unique_id", "name", "icon", "value_template", "qos"}
MORE = {
    "sensor": {"state_class", "availability", "availability_mode"},
    "binary_sensor": {"device_class"},
    "event": {"state_topic", "event_types"},
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("names", [(), ("Anna",), ("Anna", "Jörg", "", "🦉", "Eva")])
def test_everything_is_as_home_assistant_documents_it(lang: str, names: tuple[str, ...]) -> None:
    told = json.loads(msgspec.json.encode(discovery(TOPICS, names, lang, "0.1.0")))
    assert told.keys() == ROOT
    assert told["device"]["identifiers"] and told["origin"]["name"]
    assert told["availability"] == [{"topic": TOPICS.availability}]
    ids = []
    for key, component in told["components"].items():
        assert re.fullmatch(r"[a-zA-Z0-9_-]+", key)
        if component.keys() == {"platform"}:
            continue  # which takes it out again
        assert component.keys() <= ENTITY | MORE[component["platform"]]
        assert component["name"] and component["icon"].startswith("mdi:")
        assert component["qos"] == 1
        ids.append(component["unique_id"])
    assert len(ids) == len(set(ids)) == 7 + len(names)


def test_the_topic_is_one_that_home_assistant_looks_at() -> None:
    assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", TOPICS.discovery)


def test_there_are_points_for_everybody_who_may_sit_at_a_table() -> None:
    assert max(max(find_game(game).players) for game in game_ids()) <= MOST_SEATS


def test_every_value_that_is_read_is_there() -> None:
    (view, *_) = views("knizia_stonehenge", 2)
    table = public_table(public_view(view, "m"), "de")
    names = [player.name for player in table.players]
    for component in discovery(TOPICS, names, "de", "0")["components"].values():
        for key in re.findall(r"value_json\.(\w+)", component.get("value_template", "")):
            assert hasattr(table, key)


def test_points_stay_with_their_seat_and_are_unavailable_while_nobody_sits_there() -> None:
    outbox = Outbox(TOPICS, "0", seats_used=3)
    (four, *_), (two, *_) = views("dominion", 4), views("dominion", 2)

    def scores() -> dict[str, str]:
        told = [m.payload for m in outbox.kept("en") if m.topic == TOPICS.discovery]
        components: dict[str, Any] = json.loads(told[-1])["components"] if told else {}
        return {
            k: c["name"] for k, c in components.items() if k.startswith("score") and "name" in c
        }

    def there(view: TableView | None, seat: int) -> bool:
        shown = (
            NobodyPlays(lang="en") if view is None else public_table(public_view(view, "m"), "en")
        )
        state = json.loads(msgspec.json.encode(shown))
        component = discovery(TOPICS, ("",) * 4, "en", "0")["components"][f"score_{seat + 1}"]
        at_broker, seated = component["availability"]
        assert at_broker == {"topic": TOPICS.availability} and seated["topic"] == TOPICS.state
        assert component["availability_mode"] == "all"
        template = SandboxedEnvironment().from_string(seated["value_template"])
        return template.render(value_json=state) == "online"

    assert list(scores().values()) == [f"Points, seat {n}" for n in (1, 2, 3)]
    outbox.take(four, (), "en")
    at_four = scores()
    assert len(at_four) == 4 and not any("seat" in name for name in at_four.values())
    outbox.take(two, (), "en")
    after = scores()
    assert list(after) == list(at_four) and after["score_4"] == "Points, seat 4"
    outbox.take(None, (), "en")
    assert list(scores().values()) == [f"Points, seat {n}" for n in (1, 2, 3, 4)]
    assert [there(two, seat) for seat in range(4)] == [True, True, False, False]
    assert not there(None, 0)


def test_all_types_of_events_are_announced() -> None:
    told = discovery(TOPICS, (), "en", "0")["components"]["happened"]
    assert told["event_types"] == list(EVENT_TYPES)


def test_what_waits_for_a_broker_is_told_as_it_is_public_by_then() -> None:
    table, outbox, random = table_of("trilithen_knallen", 2), Outbox(TOPICS, "0"), Random(2)
    forgotten, waited = 0, 0
    outbox.take(table.view(), (), "en")
    for _number in range(140):
        before = table.view().told
        move = pick(table.match.state, table.match.state.legal_moves(), random)
        events = table.handle(PlayMove(move), 0.0)
        outbox.take(table.view(), events, "en")
        view = table.view()
        outbox.take(view, (), "en")
        forgotten += view.told[: len(before)] != before
        # Some were on their way when the broker went.
        outbox.put_back(outbox.events(2))
        waiting = outbox.events(MOST_EVENTS)
        teller = teller_of(view, "en")
        public = {teller.move(one) for one in view.told}
        told = [json.loads(message.payload) for message in waiting]
        agreed = {one["text"] for one in told if one["event_type"] == "move.agreed"}
        assert agreed <= public
        waited += len(agreed)
        outbox.put_back(waiting)
    assert forgotten and waited
