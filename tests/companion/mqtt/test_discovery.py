"""What Home Assistant is told, held against what it documents for devices and entities."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from companion.mqtt.messages import MOST_SEATS, Outbox, discovery
from companion.mqtt.public import EVENT_TYPES, public_table
from companion.mqtt.topics import Topics
from companion.presentation.views import public_view
from rules.games import find_game, game_ids
from rules.texts import LANGUAGES
from tests.support.match_views import views

TOPICS = Topics("table")
ROOT = {"device", "origin", "components", "availability", "state_topic", "qos"}
"""Of the options at the root that Home Assistant knows, those that are used."""
ENTITY = {"platform", "unique_id", "name", "icon", "value_template"}
MORE = {
    "sensor": {"state_class"},
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


def test_players_who_left_take_their_points_along() -> None:
    outbox = Outbox(TOPICS, "0")
    (four, *_), (two, *_) = views("dominion", 4), views("dominion", 2)

    def scores() -> list[str]:
        (told,) = [m.payload for m in outbox.kept("en") if m.topic == TOPICS.discovery]
        components: dict[str, Any] = json.loads(told)["components"]
        return [k for k, c in components.items() if k.startswith("score") and "name" in c]

    outbox.take(four, (), "en")
    assert len(scores()) == 4
    outbox.take(two, (), "en")
    assert len(scores()) == 2


def test_all_types_of_events_are_announced() -> None:
    told = discovery(TOPICS, (), "en", "0")["components"]["happened"]
    assert told["event_types"] == list(EVENT_TYPES)
