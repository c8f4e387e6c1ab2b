"""Looks for secrets in what is sent: every byte must be the same in all worlds that its reader
cannot tell apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any, cast

import msgspec

from companion.club.public_events import PublicForm
from companion.journal.entries import Header
from companion.journal.events import Event, MovePlayed, Source
from companion.journal.store import Journal
from companion.match.events import MatchOver, MovesCommitted, Refused, TableEvent
from companion.match.hands import Hand, hand_of
from companion.match.public_log import PublicIds
from companion.match.record import MatchRecord
from companion.match.state import TableState
from companion.match.table_view import Question, view_of
from companion.match.view import TableView
from companion.mqtt.messages import MOST_EVENTS, Outbox
from companion.mqtt.topics import Topics
from companion.presentation.snapshot import Snapshot, snapshot_of
from companion.presentation.views import NoLookingBack
from companion.web.event_stream import Happenings
from companion.web.move_requests import Asked, judge
from companion.web.public_page import public_page
from rules.core import Actor, Game, Move
from rules.games import find_game
from rules.match import Match
from rules.testing.playout import random_match
from rules.texts import LANGUAGES
from tests.support.beside import beside
from tests.support.phone_pictures import public_json, seat_json
from tests.support.worlds import worlds

HIDDEN: Mapping[str, Mapping[str, str]] = {
    "dominion": {},
    "knizia_stonehenge": {"hidden": "on"},
    "dolmengoetter": {},
    "hoher_rat": {},
    "erbaut_stonehenge": {},
    "trilithen_knallen": {},
    "opferroulette": {},
}
"""The games with secrets, with the options that make them."""

Sent = Callable[[Snapshot, int | None], bytes]
"""Every byte that goes to a seat (None: to the public) about a match as it is now."""

NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eva")
_BEGAN_S = 1_700_000_000.0
_MOST_TRIED = 12
"""Number of moves that are not allowed and are tried."""


@dataclass
class Found:
    """Numbers of comparisons, and the places where bytes differed."""

    matches: int = 0
    worlds: dict[str, int] = field(default_factory=dict)
    """Number of other worlds, by game."""
    other_hands: dict[str, int] = field(default_factory=dict)
    """Number of those in which another player holds something else now, by game."""
    leaks: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Count another search too."""
        self.matches += other.matches
        self.leaks += other.leaks
        for mine, theirs in (
            (self.worlds, other.worlds), (self.other_hands, other.other_hands),
        ):  # fmt: skip
            for game, count in theirs.items():
                mine[game] = mine.get(game, 0) + count


def look_for_leaks(
    game: str, players: int, seed: int, sent: Sent, *,
    positions: int = 3, others: int = 2, options: Mapping[str, str] | None = None,
    seats: int = 1, dealt: Sequence[int] = (),
) -> Found:  # fmt: skip
    """Play a match that the program deals (of real cards it knows only what the table has seen), or
    in which it deals for the seats ``dealt`` among real cards; at some positions compare what is
    sent in other worlds: to the public, and to a number of ``seats``, drawn by lot each time."""
    found, random = Found(matches=1), Random(f"{game}/{seed}")
    rules = find_game(game)
    chosen = rules.complete_options(players, {**HIDDEN.get(game, {}), **(options or {})})
    whole = _whole_match(rules, players, chosen, seed, dealt)
    header = header_of(whole)
    for ply in sorted(random.sample(range(1, whole.ply + 1), min(positions, whole.ply))):
        match = whole.begun()
        match.replay(whole.log[:ply])
        for seat in (None, *random.sample(range(players), min(seats, players))):
            mine: bytes | None = None
            for other in worlds(match, seat, others, random):
                found.worlds[game] = found.worlds.get(game, 0) + 1
                if _hands(match, seat) != _hands(other, seat):
                    found.other_hands[game] = found.other_hands.get(game, 0) + 1
                mine = sent(recorded(header, match), seat) if mine is None else mine
                theirs = sent(recorded(header, other), seat)
                if mine != theirs:
                    who = "everybody" if seat is None else f"p{seat}"
                    found.leaks.append(
                        f"{game}, {players} players, seed {seed}, {dict(chosen)}, move {ply}, to "
                        f"{who}: {_difference(mine, theirs)}"
                    )
                    break
    return found


def _whole_match(
    rules: Game[Any], players: int, options: Mapping[str, str], seed: int, dealt: Sequence[int]
) -> Match:
    whole: Match | None = None
    if dealt:
        for _dealt, match in beside(rules.id, players, dealt, seed, options):
            whole = match
    else:
        for match, _moves, _move in random_match(rules, players, options, seed):
            whole = match
    assert whole is not None
    return whole


def _hands(match: Match, seat: int | None) -> list[Hand]:
    """Hands of the others."""
    return [hand_of(match, other) for other in range(match.players) if other != seat]


def header_of(match: Match) -> Header:
    """Header of the match in a journal."""
    return Header(
        id="m1", game=match.game.id, players=match.players, options=match.options,
        physical=match.physical, seed=str(match.seed), names=NAMES[: match.players],
        enforcement="enforce", created_s=_BEGAN_S, dealt=match.dealt,
    )  # fmt: skip


def recorded(header: Header, match: Match, refused: Move | None = None) -> Snapshot:
    """A match as its table has it; ``refused``: a move that was just tried in vain."""
    events = events_of(match)
    record = MatchRecord(cast(Journal, _Nowhere(events)), header)
    objections = tuple(match.why_not(refused)) if refused is not None else ()
    state = TableState.ILLEGAL if objections else TableState.BLIND
    view = view_of(
        record, state, Question(objections, refused if objections else None),
        blind="no_camera", hold_s=0.0, notes=(), devices={},
    )  # fmt: skip
    hands = tuple(hand_of(match, seat) for seat in range(match.players))
    return snapshot_of("m", record, view, hands)


def events_of(match: Match) -> list[Event]:
    """Events in the journal of a match without corrections."""
    events = []
    state = match.beginning()
    for number, entry in enumerate(match.log, 1):
        # What follows by itself is nobody's: so it stands in the journal.
        dealt = entry.move.actor is Actor.DEALER or state.obliged() == entry.move
        src = Source.DEALER if dealt else Source.TOUCH
        events.append(Event(number, MovePlayed(entry.move, entry.forced), src, _BEGAN_S))
        state.apply(entry.move)
    return events


class _Nowhere:
    """A journal that was never written."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    def events(self, _match_id: str) -> Sequence[Event]:
        return self._events


# -- what goes to the house and to the club ------------------------------------------------------


def published(views: Sequence[tuple[TableView, Sequence[TableEvent]]], lang: str = "en") -> bytes:
    """Every byte that a broker would get of a table that shows these views, one after another."""
    outbox, sent = Outbox(Topics("table"), "0", aliases=PublicIds(b"the same")), []
    for view, events in views:
        outbox.take(view, events, lang)
        sent += [*outbox.kept(lang), *outbox.events(MOST_EVENTS)]
    return b"\n".join(message.topic.encode() + b" " + message.payload for message in sent)


def sent_to_the_house(snapshot: Snapshot, _seat: int | None) -> bytes:
    """Every byte that a broker gets: state, discovery and events after the last move, and while a
    move is refused."""
    events = last_events(snapshot) if snapshot.view.told else []
    sent = [published([(snapshot.view, events)], lang) for lang in LANGUAGES]
    prompt = snapshot.match.prompt
    if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
        chance, calm = Random(snapshot.match.ply), published([(snapshot.view, ())])
        for move in thinkable(snapshot, prompt.player, chance)[:4]:
            tried = recorded(snapshot.header, snapshot.match, move).view
            told = published([(tried, [Refused(tried.objections, ())] if tried.objections else [])])
            if told != calm:
                # Where it is allowed it is played, and then everybody sees it.
                sent.append(move.text.encode() + told)
    return b"\n".join(sent)


def everything_sent(header: Header, events: Sequence[Event], status: str) -> bytes:
    """Every byte that the club gets of a match, in order."""
    form = PublicForm(header, b"any table", "club", "table")
    sent = [form.begun(), *(form.take(event) for event in events), form.stands(status, 1)]
    return b"\n".join(
        part for one in sent for part in (one.subject.encode(), one.id.encode(), one.body)
    )


def sent_to_the_club(snapshot: Snapshot, _seat: int | None) -> bytes:
    """Every byte that a club gets."""
    return everything_sent(snapshot.header, events_of(snapshot.match), "open")


# -- the views that all of it is made of ---------------------------------------------------------


def views_of(snapshot: Snapshot, seat: int | None) -> bytes:
    """Every field of the public view and of the seat's own, shown or not."""
    views = [snapshot.public, *([] if seat is None else [snapshot.seat(seat)])]
    return b"\n".join(
        f"{field.name}={getattr(view, field.name)!r}".encode()
        for view in views
        for field in fields(view)
        if field.repr
    )


# -- what goes to phones ------------------------------------------------------------------------


def sent_by_phones(snapshot: Snapshot, seat: int | None) -> bytes:
    """Every picture, happening and refusal of the table's own server."""
    return b"\n".join(_all_for_phones(snapshot, seat))


def _all_for_phones(snapshot: Snapshot, seat: int | None) -> Iterator[bytes]:
    match, chance = snapshot.match, Random(snapshot.match.ply)
    for lang in LANGUAGES:
        yield _json(public_json(snapshot, lang))
        for ply in chance.sample(range(match.ply + 1), min(2, match.ply + 1)):
            try:
                yield _json(msgspec.to_builtins(public_page(snapshot.after(ply), lang)))
            except NoLookingBack as error:
                yield repr(error).encode()
        if seat is not None:
            yield _json(seat_json(snapshot, seat, lang))
            yield from _refusals(snapshot, seat, lang, chance)
    yield from _happenings(snapshot)
    yield from _while_refused(snapshot, seat, chance)


def _refusals(snapshot: Snapshot, seat: int, lang: str, chance: Random) -> Iterator[bytes]:
    """Answers to moves of the seat, allowed or not; a set that the seat could think of."""
    for move in thinkable(snapshot, seat, chance):
        verdict = judge(Asked("m", snapshot.match.ply, [move.text]), seat, snapshot, lang)
        body = msgspec.to_builtins(verdict.body)
        yield _json({"move": move.text, "status": verdict.status, "body": body})


def thinkable(snapshot: Snapshot, seat: int, chance: Random) -> list[Move]:
    """Moves of the seat that are made of anything that any move of such a game names."""
    match = snapshot.match
    seen = set[tuple[str, ...]]()
    start = match.beginning()
    for move in start.pseudo_moves():
        seen.add((move.verb, *move.args))
    for told in snapshot.view.told:
        if told.player is not None:
            seen.add((told.verb, *told.args))
    shapes = sorted(seen)
    own = chance.sample(shapes, min(_MOST_TRIED, len(shapes)))
    return [Move.of(seat, *shape) for shape in own]


def _happenings(snapshot: Snapshot) -> Iterator[bytes]:
    """Events that report the last move."""
    if not snapshot.view.told:
        return
    told = Happenings()
    told.opened(snapshot.public)
    for one in told.heard(snapshot.public, last_events(snapshot)):
        yield from one.told.values()


def last_events(snapshot: Snapshot) -> list[TableEvent]:
    """Events of the table after the last move."""
    match = snapshot.match
    events: list[TableEvent] = [
        MovesCommitted(snapshot.view.told[-1:], events_of(match)[-1].src, ())
    ]
    if match.outcome is not None:
        events.append(MatchOver(match.outcome))
    return events


def _while_refused(snapshot: Snapshot, seat: int | None, chance: Random) -> Iterator[bytes]:
    """Data sent to others while a move is refused at the table."""
    prompt, match = snapshot.match.prompt, snapshot.match
    if prompt is None or prompt.actor is not Actor.PLAYER or prompt.player in (None, seat):
        return
    calm = _pictures(snapshot, seat)
    for move in thinkable(snapshot, prompt.player, chance)[:3]:
        told = _pictures(recorded(snapshot.header, match, move), seat)
        # Where it is allowed it is played, and then everybody sees it.
        if told != calm:
            yield move.text.encode() + told


def _pictures(snapshot: Snapshot, seat: int | None) -> bytes:
    told = _json(public_json(snapshot, "en"))
    return told if seat is None else told + _json(seat_json(snapshot, seat, "en"))


def _json(data: Any) -> bytes:
    return json.dumps(data, sort_keys=True, ensure_ascii=False).encode()


def _difference(one: bytes, other: bytes) -> str:
    """The first place where two differ, with a little of what is around it."""
    for number, (left, right) in enumerate(zip(one.split(b"\n"), other.split(b"\n"), strict=False)):
        if left != right:
            at = next(
                (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b),
                min(len(left), len(right)),
            )
            begin = max(0, at - 120)
            return f"part {number}: {left[begin : at + 60]!r} / {right[begin : at + 60]!r}"
    return f"{len(one)} / {len(other)} bytes"
