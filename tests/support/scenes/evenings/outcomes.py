"""Outcomes of situations and offences at places of random matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.journal.entries import Header
from companion.match.events import BoardOutOfSync, Refused, TableEvent
from companion.match.view import TableState
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Commit
from rules.games import find_game
from rules.reading.explaining import Explanations
from rules.reading.reading import Status
from rules.reading.since import Since
from rules.reading.timing import in_time
from rules.testing.pictures import Noise
from tests.support.scenes.evenings.evening import (
    CALM_S,
    STEP_S,
    Evening,
    Turns,
    turns_of_a_match,
)
from tests.support.scenes.evenings.judge import Verdict, judge
from tests.support.scenes.evenings.situations import LEGAL
from tests.support.scenes.evenings.truth import after_answer
from tests.support.scenes.offences.forbidden import Offence
from tests.support.scenes.offences.legal import may_lie
from tests.support.scenes.offences.making import KINDS, offences

AGAINST_THE_RULES = "against_the_rules"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One situation and what came of it."""

    game: str
    players: int
    seed: int
    ply: int
    situation: str
    verdict: Verdict
    truth: tuple[str, ...]
    """Moves that were really played."""
    record: tuple[str, ...]
    """Moves that are recorded of them."""
    said: tuple[str, ...]
    """Refusals, questions and reports."""
    kind: str = ""
    """Of an offence: the relaxed condition and its verb."""


def places_of(
    game_id: str,
    players: int,
    seed: int,
    *,
    enforcement: Enforcement = Enforcement.ENFORCE,
    options: Mapping[str, str] | None = None,
    commit: Commit = Commit.STILLNESS,
) -> list[Turns]:
    """The places of one random match."""
    complete = find_game(game_id).complete_options(players, options or {})
    header = Header(
        id="evening", game=game_id, players=players, options=complete, physical=True,
        seed=str(seed), names=(), enforcement=enforcement.value, commit=commit.value, created_s=0.0,
    )  # fmt: skip
    return list(turns_of_a_match(game_id, players, seed, complete, header))


def outcomes_of(
    game_id: str,
    players: int,
    seed: int,
    only: Sequence[str] = (),
    *,
    enforcement: Enforcement = Enforcement.ENFORCE,
    noise: Noise | None = None,
    options: Mapping[str, str] | None = None,
    each: int = 3,
    commit: Commit = Commit.STILLNESS,
) -> Iterator[Outcome]:
    """Outcomes of every situation at ``each`` places of one random match."""
    places = places_of(
        game_id, players, seed, enforcement=enforcement, options=options, commit=commit
    )
    chance = Random(f"{game_id}/{players}/{seed}")
    if not only or AGAINST_THE_RULES in only:
        yield from _against(game_id, players, seed, places, each, enforcement, noise)
    for name in [name for name in LEGAL if not only or name in only]:
        order = places.copy()
        chance.shuffle(order)
        done = 0
        for place in order[: each * 4]:
            if done == each:
                break
            outcome = outcome_at(place, name, seed, enforcement, noise)
            if outcome is not None:
                done += 1
                yield outcome


def outcome_at(
    at: Turns,
    name: str,
    seed: int,
    enforcement: Enforcement = Enforcement.ENFORCE,
    noise: Noise | None = None,
) -> Outcome | None:
    """The outcome of one situation; None if it does not fit here."""
    at = Turns(at.before, at.turns, at.header, Random(f"{seed}/{at.before.ply}/{name}"))
    evening = Evening(at.before, at.header, enforcement, noise, at.chance)
    try:
        if not evening.begun_right:
            return None
        evening.look(2.0)
        if evening.table.state is not TableState.SETTLED:
            return None
        truth = LEGAL[name](evening, at)
        if truth is None:
            return None
        evening.look(CALM_S)
        verdict = judge(evening, at, truth)
        table = evening.table
        return Outcome(
            at.header.game, at.header.players, seed, at.before.ply, name, verdict,
            tuple(e.move.text for e in truth.log[at.before.ply :]),
            tuple(e.move.text for e in table.match.log[at.before.ply :]),
            (
                *(_told(s, e) for s, e in evening.said if _matters(e)),
                f"{table.state.value} {table.reading.doubt if table.reading else ''}",
            ),
        )  # fmt: skip
    finally:
        evening.close()


def _against(
    game_id: str, players: int, seed: int, places: Sequence[Turns], each: int,
    enforcement: Enforcement, noise: Noise | None,
) -> Iterator[Outcome]:  # fmt: skip
    """Outcomes of offences of every kind, ``each`` at most, at the ``places`` of one match."""
    for kind in KINDS:
        chance = Random(f"{game_id}/{players}/{seed}/{kind}")
        order = list(places)
        chance.shuffle(order)
        done: Counter[str] = Counter()
        for at in order[: each * 8]:
            if done.total() >= each:
                break
            for offence in offences(at.before, at.turns, kind, chance):
                # Every verb has its turn.
                if done[offence.kind] > done.total() / 2:
                    continue
                outcome = _one_offence(at, offence, enforcement, noise, seed)
                if outcome is not None:
                    done[offence.kind] += 1
                    yield outcome
                    break


def _one_offence(
    at: Turns, offence: Offence, enforcement: Enforcement, noise: Noise | None, seed: int
) -> Outcome | None:
    before = offence.before
    evening = Evening(before, at.header, enforcement, noise, at.chance)
    try:
        if not evening.begun_right:
            return None
        evening.look(2.0)
        if evening.table.state not in (TableState.SETTLED, TableState.PENDING):
            return None
        verdict = against_the_rules(evening, offence)
        if verdict is None:
            return None
        table = evening.table
        whose = table.reading.refused if table.reading is not None else None
        return Outcome(
            at.header.game, at.header.players, seed, before.ply, AGAINST_THE_RULES, verdict,
            (offence.move.text, *sorted(offence.codes or offence.sites)),
            tuple(e.move.text for e in table.match.log[before.ply :]),
            (
                *(_told(s, e) for s, e in evening.said if _matters(e)),
                f"{table.state.value} {table.reading.doubt if table.reading else ''}",
                f"refused {whose}",
            ),
            offence.kind,
        )  # fmt: skip
    finally:
        evening.close()


def against_the_rules(evening: Evening, offence: Offence) -> Verdict | None:
    """An illegal move is made, and lies there for four seconds; None if legal moves that
    the table finds explain it, or it may lie so for the moment."""
    evening.look(STEP_S, hand=True)
    evening.lay(offence.lying)
    evening.look(4.0)
    table = evening.table
    refusals = [event for _, event in evening.said if isinstance(event, Refused)]
    if not refusals:
        if table.state is TableState.AMBIGUOUS:
            reached = [
                after_answer(table.match, c.takeback, c.moves) for c in table.view().candidates
            ]
            legal = any(may_lie(match, offence.lying) for match in reached)
            return None if legal else Verdict.ASKED
        if table.reading is not None and table.reading.status is Status.SETTLED:
            return None  # It may lie so for the moment.
        if table.state is TableState.PENDING and _explained(evening):
            return None  # It waits for people to say which of several it was.
        return Verdict.RECORDED if table.match.ply > offence.before.ply else Verdict.DIFFERS
    said = refusals[0].objections
    if offence.codes:
        right = said[0].code in offence.codes  # the first is the one that is told
    else:
        words = {str(value) for objection in said for value in objection.values.values()}
        right = not offence.sites.isdisjoint(words)
    if not right:
        return Verdict.OTHER_REASON
    reading = table.reading
    if reading is None or reading.refused is None or reading.refused.player != offence.player:
        return Verdict.OTHER_PERSON
    return Verdict.RIGHT


def _explained(evening: Evening) -> bool:
    """True if legal moves for which hands had the time explain what lies there."""
    since = Since(hands_s=STEP_S, elapsed_s=STEP_S + 2.0)
    known = Explanations(evening.table.match, evening.sighting(), {}, since)
    found = known.search(known.start)
    return any(n.moves and n.complete and not n.changed and in_time(known, n) for n in found)


def _matters(event: TableEvent) -> bool:
    return not type(event).__name__.startswith("StateEntered")


def _told(at: float, event: TableEvent) -> str:
    if isinstance(event, Refused):
        return f"{at:.1f} refused {[o.code for o in event.objections]}"
    if isinstance(event, BoardOutOfSync):
        return f"{at:.1f} differs {event.sites}"
    moves: Any = getattr(event, "moves", None)
    if moves is not None:
        return f"{at:.1f} {type(event).__name__} {[str(m) for m in moves]}"
    candidates: Any = getattr(event, "candidates", None)
    if candidates is not None:
        return f"{at:.1f} asked {[(c.takeback, [m.text for m in c.moves]) for c in candidates]}"
    return f"{at:.1f} {type(event).__name__}"
