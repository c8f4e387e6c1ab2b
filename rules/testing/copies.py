"""Checks that a position can be copied, stored, read back and taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from rules.core import GameError, Inference, State
from rules.testing.report import Place, canonical, fault

_WHOLE = "Let to_json write every field, and read take over each of them"
_ALONE = "Let apply depend on the state and the move alone"
_CHECKED = "Let read or problems object to what cannot be, with a StateError"
FINE = 6
"""Places of a position that are damaged so that it is hard to see."""
LONG = 8
"""Letters of a text that is no single word, but a board."""
SPOILT: tuple[Any, ...] = -1, 99, "nonsense", None
"""Values that damaged files have in place of what was written."""


def check_copies(place: Place, before: str) -> None:
    """``before``: the position's JSON."""
    game, state, move = place.game, place.state, place.move
    copy = state.clone()
    written = copy.to_json()
    if canonical(written) != before:
        place.wrong("the clone differs", "Let clone copy every field")
    if place.deeply and (key := _odd_key(written)) is not None:
        place.wrong(
            f"to_json has the key {key!r}, which is a word once it is stored",
            "Make the keys of dictionaries words in to_json",
        )
    shown, fields = (_shown(state), _plain_fields(state)) if place.deeply else (None, {})
    copy.apply(move)
    changed = [name for name, value in fields.items() if repr(getattr(state, name)) != value]
    if changed or canonical(state.to_json()) != before or (shown and _shown(state) != shown):
        what = f"'{changed[0]}' of the original" if changed else "the original"
        place.wrong(
            f"{move} on a clone changed {what}",
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
    if sorted(m.text for m in again.legal_moves()) != sorted(m.text for m in place.moves):
        place.wrong(
            "legal moves differ after JSON", "Write everything that moves depend on in to_json"
        )
    if again.layout() != state.layout():
        place.wrong(
            "the layout differs after JSON", "Write everything that lies on the table in to_json"
        )
    if again.prompt() != place.prompt:
        place.wrong(
            "the prompt differs after JSON", "Write everything that prompts depend on in to_json"
        )
    _compare_fields(place, again)
    kept = data.get("options")
    if kept is not None and kept != dict(place.match.options):
        place.wrong(
            f"to_json has the options {kept}, the match {dict(place.match.options)}",
            "Keep the options in the state, and write all of them in to_json",
        )
    again.apply(move)
    if canonical(again.to_json()) != after:
        place.wrong(f"{move} after JSON leads elsewhere", _ALONE)
    if place.deeply and canonical(data) != before:
        place.wrong(
            f"{move} changed the data that the position was read from",
            "Let read copy lists and dictionaries of the data",
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


def _odd_key(data: Any) -> Any:
    """A key of a dictionary that does not come back from JSON as it was."""
    if isinstance(data, dict):
        for key, value in data.items():
            if not isinstance(key, str):
                return key
            if (odd := _odd_key(value)) is not None:
                return odd
    elif isinstance(data, list | tuple):
        for value in data:
            if (odd := _odd_key(value)) is not None:
                return odd
    return None


def _compare_fields(place: Place, again: Any) -> None:
    """Note fields that JSON lost. A name that begins with an underscore is kept for speed only;
    ``unwritten`` names what else a state leaves out of its JSON, such as traces of a turn that only
    the eye asks for."""
    state = place.state
    for name in _fields(state):
        one, other = getattr(state, name, None), getattr(again, name, None)
        if one != other and _is_plain(one) and _is_plain(other):
            before, after = place.report.habits.lost.setdefault(name, (set(), set()))
            before.add(repr(one))
            after.add(repr(other))


def _fields(state: Any) -> list[str]:
    """The names of what a state holds, but for what is kept for speed."""
    unwritten = getattr(type(state), "unwritten", ())
    slots = (getattr(cls, "__slots__", ()) for cls in type(state).__mro__)
    every = (*getattr(state, "__dict__", ()), *chain.from_iterable(slots))
    return [name for name in every if name[0] != "_" and name not in unwritten]


def _plain_fields(state: Any) -> dict[str, str]:
    held = ((name, getattr(state, name, None)) for name in _fields(state))
    return {name: repr(value) for name, value in held if _is_plain(value)}


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_plain(one) for one in value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return all(_is_plain(one) for one in value)
    return value is None or isinstance(value, str | int | float | bytes | bytearray)


def check_spoilt(place: Place, before: str) -> None:
    """A damaged position is refused, or one can go on with what was read of it."""
    game, chance = place.game, Random(place.match.ply)
    # A position that says little cannot be damaged in many ways.
    finely = place.report.deserves_more(f"damage {len(before).bit_length()}")
    for data, where in _spoilt(before, chance, finely=finely):
        try:
            state = game.from_json(data)
        except GameError:
            if where.endswith("left out"):
                place.report.habits.answered("problems allow", False)
            continue
        except Exception as error:  # whatever it is, it is the finding
            place.wrong(f"{where} in JSON fails: {fault(error)}", _CHECKED)
            continue
        if where.endswith("left out"):
            place.report.habits.answered("problems allow", True)
        elif where[-2:] in ("=0", "=1", "nd"):
            _compare_essence(place, state, where)
        try:
            if state.prompt() is not None:
                state.legal_moves()
            kinds = {item.kind for item in state.layout()} - set(place.box.kinds)
            sites = {item.site for item in state.layout()} - set(place.box.sites)
        except Exception as error:  # whatever it is, it is the finding
            place.wrong(
                f"{where} in JSON is read, and then the game fails: {fault(error)}",
                _CHECKED,
            )
            continue
        if strange := sorted(kinds | sites):
            place.wrong(f"{where} in JSON is read, and the layout has {strange[:3]}", _CHECKED)


def _spoilt(before: str, chance: Random, *, finely: bool) -> Iterator[tuple[Any, str]]:
    """Positions that are damaged at one place, and what is wrong there."""
    paths = list(_paths(json.loads(before)))
    for path in chance.sample(paths, min(2, len(paths))):
        value = chance.choice(SPOILT)
        data = json.loads(before)
        _holder(data, path)[path[-1]] = value
        yield data, f"{'.'.join(map(str, path))}={value!r}"
    for path in chance.sample(paths, min(FINE if finely else 0, len(paths))):
        data = json.loads(before)
        held, last = _holder(data, path), path[-1]
        where, value = ".".join(map(str, path)), held[last]
        if isinstance(value, bool):
            held[last] = not value
            yield data, f"{where} the other way round"
        elif isinstance(value, str) and len(value) > LONG:
            held[last] = value[:-1]
            yield data, f"{where} cut short"
        elif value in (0, 1):
            held[last] = 1 - value
            yield data, f"{where}={1 - value}"
        if len(path) > 1:
            data = json.loads(before)
            held = _holder(data, path)
            del held[last]
            yield data, f"{where} left out"
            if isinstance(held, dict):
                data = json.loads(before)
                held = _holder(data, path)
                held["nowhere"] = held.pop(last)
                yield data, f"{where} as 'nowhere'"


def _holder(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path[:-1]:
        data = data[step]
    return data


def _compare_essence(place: Place, other: Any, where: str) -> None:
    """Check a damaged position that is still sound: if essence is the same, the same is asked and
    lies there."""
    game, state = place.game, place.state
    essence = game.inference.essence
    own = type(game.inference).essence is not Inference.essence
    if not own or essence(other) != essence(state):
        return
    if other.prompt() != place.prompt or other.layout() != state.layout():
        place.wrong(
            f"with {where} in JSON essence is the same, but something else is asked or lies there",
            "Leave out of essence only what does not matter to those who play on",
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


def _shown(state: State) -> tuple[object, ...]:
    """The part of a position that need not be in its JSON."""
    return tuple(state.scores()), state.layout(), state.prompt()
