"""How Home Assistant learns of a table: one device with an entity for everything worth a look.

One retained message describes all of it (device discovery, since Home Assistant 2024.11), so the
whole table can be taken out again with one empty message.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from companion.mqtt.public import EVENT_TYPES
from companion.mqtt.topics import Topics
from rules.texts import Texts

__all__ = ["MOST_SEATS", "discovery"]

MOST_SEATS: Final = 8
"""So many seats may have had a score before: those that no longer sit there are taken out."""
LONGEST_STATE: Final = 255
"""Home Assistant takes no longer state, in letters."""

Component = dict[str, Any]


def discovery(topics: Topics, seats: Sequence[str], lang: str, version: str) -> dict[str, Any]:
    """The message that describes the table ``topics`` belong to, with these players."""
    words = Texts("mqtt", lang)
    scores = {f"score_{n + 1}": _score(topics, n, seats, words) for n in range(MOST_SEATS)}
    return {
        "device": {
            "identifiers": [topics.device],
            "name": words("device", table=topics.table),
            "manufacturer": "Heelstone",
            "model": words("model"),
            "sw_version": version,
        },
        "origin": {"name": "heelstone", "sw_version": version},
        "availability": [{"topic": topics.availability}],
        "state_topic": topics.state,
        "qos": 1,
        "components": {**_always(topics, words), **scores},
    }


def _always(topics: Topics, words: Texts) -> dict[str, Component]:
    """What is there whoever plays."""

    def sensor(key: str, value: str, icon: str, **more: Any) -> Component:
        said = f"value_json.{value}"
        # An empty state would be left out and the old one stay; None becomes "unknown".
        template = f"{{{{ {said}[:{LONGEST_STATE}] if {said} else None }}}}"
        return {"platform": "sensor", "unique_id": f"{topics.device}_{key}", "name": words(key),
                "icon": f"mdi:{icon}", "value_template": template, **more}  # fmt: skip

    return {
        "turn_of": sensor("turn_of", "turn_of", "account-arrow-right"),
        "state": sensor("state", "state_text", "table-furniture"),
        "game": sensor("game", "game_name", "dice-multiple"),
        "winner": sensor("winner", "winner", "trophy"),
        "last": sensor("last", "last", "history"),
        "running": {
            "platform": "binary_sensor",
            "unique_id": f"{topics.device}_running",
            "name": words("running"),
            "icon": "mdi:play-circle",
            "device_class": "running",
            "value_template": "{{ 'ON' if value_json.running else 'OFF' }}",
        },
        "happened": {
            "platform": "event",
            "unique_id": f"{topics.device}_happened",
            "name": words("happened"),
            "icon": "mdi:bell",
            "state_topic": topics.event,
            "event_types": list(EVENT_TYPES),
        },
    }


def _score(topics: Topics, seat: int, seats: Sequence[str], words: Texts) -> Component:
    """The points of a seat; of a seat where nobody sits only the platform, which takes it out."""
    if seat >= len(seats):
        return {"platform": "sensor"}
    key = f"score_{seat + 1}"
    here = f"value_json.players | count > {seat}"
    return {
        "platform": "sensor",
        "unique_id": f"{topics.device}_{key}",
        "name": words("score", name=seats[seat]),
        "icon": "mdi:counter",
        "state_class": "measurement",
        "value_template": f"{{{{ value_json.players[{seat}].score if {here} else None }}}}",
    }
