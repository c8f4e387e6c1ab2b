"""Whether a position can be copied, stored, read back and taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from rules.authors.place import Place, canonical
from rules.authors.report import fault
from rules.core import GameError

__all__ = ["check_copies", "check_spoilt"]

_WHOLE = "Let to_json write every field, and restored read each of them"
_ALONE = "Let apply depend on the state and the move alone"
_CHECKED = "Let restored or invariants object to what cannot be, with a StateError"
SPOILT: tuple[Any, ...] = -1, 99, "nonsense", None
"""What stands in damaged files in place of what was written."""


def check_copies(place: Place, before: str) -> None:
    """``before``: the position's JSON."""
    game, state, move = place.game, place.state, place.move
    copy = state.clone()
    written = copy.to_json()
    if canonical(written) != before:
        place.wrong("the clone differs", "Let clone copy every field")
    game.apply(copy, move)
    if canonical(state.to_json()) != before:
        place.wrong(
            f"{move} on a clone changed the original",
            "Let clone copy lists and dictionaries too, not only name them",
        )
        return
    if place.deeply and canonical(written) != before:
        place.wrong(
            f"{move} changed what to_json had handed out",
            "Let to_json copy lists and dictionaries, for screens and journals keep them",
        )
    after = canonical(copy.to_json())
    data = json.loads(before)
    try:
        again = game.from_json(data)
    except GameError as error:
        place.wrong(f"JSON cannot be read back: {error}".rstrip("."), _WHOLE)
        return
    if canonical(again.to_json()) != before:
        place.wrong("JSON does not come back the same", _WHOLE)
    if sorted(m.text for m in game.moves(again)) != sorted(m.text for m in place.moves):
        place.wrong(
            "legal moves differ after JSON", "Write everything that moves depend on in to_json"
        )
    if game.layout(again) != game.layout(state):
        place.wrong(
            "the layout differs after JSON", "Write everything that lies on the table in to_json"
        )
    if game.prompt(again) != place.prompt:
        place.wrong(
            "the prompt differs after JSON", "Write everything that prompts depend on in to_json"
        )
    kept = data.get("options")
    if kept is not None and kept != dict(place.match.options):
        place.wrong(
            f"to_json has the options {kept}, the match {dict(place.match.options)}",
            "Keep the options in the state, and write all of them in to_json",
        )
    game.apply(again, move)
    if canonical(again.to_json()) != after:
        place.wrong(f"{move} after JSON leads elsewhere", _ALONE)
    if place.deeply and canonical(data) != before:
        place.wrong(
            f"{move} changed the data that the position was read from",
            "Let restored copy lists and dictionaries of the data",
        )
    other = place.match.clone()
    other.push(move)
    other.pop()
    if canonical(other.state.to_json()) != before:
        place.wrong(
            f"taking {move} back does not restore the position",
            "Let clone copy everything that apply changes",
        )
    other.redo()
    if canonical(other.state.to_json()) != after:
        place.wrong(f"playing {move} again leads elsewhere", _ALONE)


def check_spoilt(place: Place, before: str) -> None:
    """A damaged position is refused, or one can go on with what was read of it."""
    game, chance = place.game, Random(place.match.ply)
    paths = list(_paths(json.loads(before)))
    for path in chance.sample(paths, min(2, len(paths))):
        value = chance.choice(SPOILT)
        data = json.loads(before)
        held = data
        for step in path[:-1]:
            held = held[step]
        held[path[-1]] = value
        where = ".".join(map(str, path))
        try:
            state = game.from_json(data)
        except GameError:
            continue
        except Exception as error:  # whatever it is, it is the finding
            place.wrong(f"{where}={value!r} in JSON fails: {fault(error)}", _CHECKED)
            continue
        try:
            if game.prompt(state) is not None:
                game.moves(state)
            kinds = {item.kind for item in game.layout(state)} - set(place.box.kinds)
            sites = {item.site for item in game.layout(state)} - set(place.box.sites)
        except Exception as error:  # whatever it is, it is the finding
            place.wrong(
                f"{where}={value!r} in JSON is read, and then the game fails: {fault(error)}",
                _CHECKED,
            )
            continue
        if strange := sorted(kinds | sites):
            place.wrong(
                f"{where}={value!r} in JSON is read, and the layout has {strange[:3]}", _CHECKED
            )


def _paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every single value, but for the options."""
    if isinstance(data, dict):
        for key in data:
            if path or key != "options":
                yield from _paths(data[key], (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _paths(value, (*path, number))
    else:
        yield path
