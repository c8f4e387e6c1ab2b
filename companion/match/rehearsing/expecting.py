"""Comparison of a scene's result with the expectations of its heading and its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.match.events import Asked, BoardOutOfSync, Refused
from companion.match.rehearsing.expected import Came, Expected, Outcome
from companion.match.rehearsing.rehearsal import Checked, Rehearsal, Told
from companion.match.view import TableState
from rules.core import Actor, Json, Move


class Unmet(NamedTuple):
    """Something that came out differently."""

    key: str
    """The key of ``expect``; ``expect`` itself in a line of its own."""
    expected: Json
    found: Json
    line: int | None = None
    """The line that expects it; None: the heading."""


def unmet(expected: Expected | None, rehearsal: Rehearsal) -> list[Unmet]:
    """The differences in a scene that was played to its end: of what its heading
    ``expected``, and of what its lines did."""
    ways = (_on_the_way(checked) for checked in rehearsal.checked)
    found = [one for one in ways if one is not None]
    return [*found, *(() if expected is None else _at_the_end(expected, rehearsal))]


def _at_the_end(expected: Expected, rehearsal: Rehearsal) -> Iterator[Unmet]:
    codes = {o.code for refused in rehearsal.refusals for o in refused.objections}
    match, truth = rehearsal.match, rehearsal.truth
    counts = ("asked", expected.asked, rehearsal.asked), (
        "accused", expected.accused, len(rehearsal.refusals),
    )  # fmt: skip
    log = [entry.move for entry in match.log]
    pairs: list[tuple[str, Json, Json]] = [
        ("moves", _listed(expected.moves), _moves(log, expected.moves or ())),
        *((key, count.data, n) for key, count, n in counts if count and not count.holds(n)),
        (
            "objections",
            _listed(None if expected.objections is None else sorted(expected.objections)),
            sorted(codes & (expected.objections or frozenset())),
        ),
        ("scores", _listed(expected.scores), list(match.scores)),
        ("table", expected.table and expected.table.value, rehearsal.table.state.value),
    ]
    yield from (Unmet(*pair) for pair in pairs if pair[1] not in (None, pair[2]))
    if expected.truth and not truth.is_record(match):
        played = [entry.move for entry in truth.match.log]
        yield Unmet("truth", _undealt(played), _undealt(log))


def _on_the_way(checked: Checked) -> Unmet | None:
    """The expectation of a line that was not met; None if it was."""
    gained = checked.after[_common(checked) :]
    came = set(_came(checked))
    changed = checked.after != checked.before
    either = checked.expect.either
    if any(_fits(one, came, gained, checked, changed=changed) for one in either):
        return None
    expected = [str(outcome) for outcome in either]
    found = [*_described(checked, came, gained), checked.state.value]
    return Unmet("expect", expected, found, checked.expect.line.number)


def _came(checked: Checked) -> Iterator[Came]:
    """Everything the table said, or still says."""
    for told in checked.told:
        match told.event:
            case Asked():
                yield Came.ASKED
            case Refused():
                yield Came.REFUSED
            case BoardOutOfSync():
                yield Came.DIFFERS
    if checked.state is TableState.ILLEGAL:
        # It shows that something is not allowed, and is about to say why.
        yield Came.REFUSED


def _fits(
    outcome: Outcome,
    came: set[Came],
    gained: Sequence[Move],
    checked: Checked,
    *,
    changed: bool,
) -> bool:
    """True if that is what came of the lines: nothing else may have been said meanwhile."""
    if outcome.came is Came.NOTHING:
        return not came and not changed
    if outcome.came in (Came.AGREED, Came.WAITS):
        if came or not (changed if outcome.came is Came.AGREED else not checked.settled):
            return False
        return outcome.moves is None or _moves(gained, outcome.moves) == list(outcome.moves)
    if came != {outcome.came}:
        return False
    if outcome.came is Came.ASKED and outcome.moves is not None:
        wanted = set(outcome.moves)
        return any(wanted <= {move.text for move in moves} for moves in _offered(checked))
    refused = [one for one in checked.told if isinstance(one.event, Refused)]
    told = bool(refused) or outcome.came is not Came.REFUSED
    return told and all(_told_to(one, outcome) for one in refused)


def _told_to(told: Told, outcome: Outcome) -> bool:
    """True if an objection goes to the right person for the right reason."""
    assert isinstance(told.event, Refused)
    reasons = {reason for o in told.event.objections for reason in (o.rule, o.code)}
    right = outcome.rule is None or outcome.rule in reasons
    return right and outcome.who in (None, told.who)


def _described(checked: Checked, came: set[Came], gained: Sequence[Move]) -> Iterator[str]:
    """The result of the lines, as a scene would expect it."""
    for told in checked.told:
        if isinstance(told.event, Refused):
            for o in told.event.objections:
                yield str(Outcome(Came.REFUSED, told.who, f"{o.rule} {o.code}"))
    if Came.ASKED in came:
        for moves in _offered(checked):
            yield str(Outcome(Came.ASKED, moves=tuple(move.text for move in moves)))
    if Came.DIFFERS in came:
        yield Came.DIFFERS
    if gained:
        yield str(Outcome(Came.AGREED, moves=tuple(_moves(gained))))
    elif checked.after != checked.before:
        yield "taken_back"


def _offered(checked: Checked) -> list[tuple[Move, ...]]:
    """The answers that were offered."""
    asked = [told.event for told in checked.told if isinstance(told.event, Asked)]
    return [candidate.moves for event in asked for candidate in event.candidates]


def _common(checked: Checked) -> int:
    pairs = enumerate(zip(checked.before, checked.after, strict=False))
    shorter = min(len(checked.before), len(checked.after))
    return next((n for n, (a, b) in pairs if a != b), shorter)


def _listed(values: Sequence[Json] | None) -> Json:
    return None if values is None else list(values)


def _undealt(played: Sequence[Move]) -> list[str]:
    """Moves as texts, without what the dealer did."""
    return [move.text for move in played if move.actor is not Actor.DEALER]


def _moves(played: Sequence[Move], expected: Sequence[str] = ()) -> list[str]:
    """Moves as texts; without what dealer and table did, if the scene says nothing of that."""
    if not any(text.startswith((Actor.DEALER, Actor.TABLE)) for text in expected):
        played = [move for move in played if move.actor is Actor.PLAYER]
    return [move.text for move in played]
