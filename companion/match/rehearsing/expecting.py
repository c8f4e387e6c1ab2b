"""What came of a scene, beside what its heading expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.match.rehearsing.rehearsal import Rehearsal
from companion.match.rehearsing.scene import Expected
from rules.core import Actor, Json
from rules.match import Match


class Unmet(NamedTuple):
    """Something that came out differently."""

    key: str
    """The key of ``expect``."""
    expected: Json
    found: Json


def unmet(expected: Expected, rehearsal: Rehearsal) -> list[Unmet]:
    """What came out differently in a scene that was played to its end."""
    codes = {o.code for refused in rehearsal.refusals for o in refused.objections}
    pairs: list[tuple[str, Json, Json]] = [
        ("moves", _listed(expected.moves), _moves(rehearsal.match, expected.moves or ())),
        ("asked", expected.asked, rehearsal.asked),
        ("accused", expected.accused, len(rehearsal.refusals)),
        (
            "objections",
            _listed(None if expected.objections is None else sorted(expected.objections)),
            sorted(codes & (expected.objections or frozenset())),
        ),
        ("scores", _listed(expected.scores), list(rehearsal.match.scores)),
        ("table", expected.table and expected.table.value, rehearsal.table.state.value),
    ]
    return [Unmet(*pair) for pair in pairs if pair[1] not in (None, pair[2])]


def _listed(values: Sequence[Json] | None) -> Json:
    return None if values is None else list(values)


def _moves(match: Match, expected: Sequence[str]) -> Json:
    """The record; without what dealer and table did, if the scene does not say anything of it."""
    played = [entry.move for entry in match.log]
    if not any(text.startswith((Actor.DEALER, Actor.TABLE)) for text in expected):
        played = [move for move in played if move.actor is Actor.PLAYER]
    return [move.text for move in played]
