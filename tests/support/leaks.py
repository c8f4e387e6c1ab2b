"""Looks for secrets in what is sent: every byte must be the same in all worlds that its reader
cannot tell apart."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any, cast

import msgspec

from companion.club.public_events import PublicForm
from companion.journal.entries import Header
from companion.journal.events import Event, MovePlayed, Source, TakenBack
from companion.journal.store import Journal
from companion.match.events import MatchOver, Refused, TableEvent
from companion.match.hands import Hand, hand_of
from companion.match.public_log import PublicIds
from companion.match.record import MatchRecord
from companion.match.state import TableState
from companion.match.table_view import Question, view_of
from companion.match.view import TableView
from companion.mqtt.messages import MOST_EVENTS, Outbox
from companion.mqtt.topics import Topics
from companion.presentation.views import NoLookingBack, Snapshot, snapshot_of
from companion.web.event_stream import Happenings
from companion.web.public_page import public_page
from rules.core import Actor, Game, Move
from rules.games import find_game
from rules.match import Match, only_answer
from rules.players import SeatView
from rules.testing.playout import random_match
from rules.texts import LANGUAGES
from tests.support.attackers import answers
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

Sent = Callable[["Recorded", int | None], bytes]
"""Every byte that goes to a seat (None: to the public) about a match as it is now, a line for each
answer."""

NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eva")
_BEGAN_S = 1_700_000_000.0
_MOST_TRIED = 12
"""Number of moves that are not allowed and are tried."""
_STEPS = 5
"""Number of last changes that listeners have heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded(Snapshot):
    """A match at its table, and how it came there."""

    events: tuple[Event, ...]
    """The journal."""
    record: MatchRecord
    """The table's own."""
    steps: tuple[tuple[Snapshot, tuple[TableEvent, ...]], ...]
    """The last changes, one after another."""


@dataclass
class Found:
    """Numbers of comparisons, and the places where bytes differed."""

    matches: int = 0
    answers: int = 0
    """Number of answers, pictures and messages that were compared."""
    worlds: dict[str, int] = field(default_factory=dict)
    """Number of other worlds, by game."""
    other_hands: dict[str, int] = field(default_factory=dict)
    """Number of those in which another player holds something else now, by game."""
    leaks: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Count another search too."""
        self.matches += other.matches
        self.answers += other.answers
        self.leaks += other.leaks
        for mine, theirs in (
            (self.worlds, other.worlds), (self.other_hands, other.other_hands),
        ):  # fmt: skip
            for game, count in theirs.items():
                mine[game] = mine.get(game, 0) + count


def look_for_leaks(
    game: str, players: int, seed: int, sent: Sent, *,
    positions: int = 3, others: int = 2, options: Mapping[str, str] | None = None,
    seats: int = 1, dealt: Sequence[int] = (), turns: bool = True, later: bool = False,
) -> Found:  # fmt: skip
    """Play a match that the program deals (of real cards it knows only what the table has seen), or
    in which it deals for the seats ``dealt`` among real cards; at some positions compare what is
    sent in other worlds: to the public, and to a number of ``seats``.

    ``turns``: also after moves were taken back, and with computer players at other seats;
    ``later``: to whoever has forgotten what the game forgets.
    """
    found, random = Found(matches=1), Random(f"{game}/{seed}")
    rules = find_game(game)
    chosen = rules.complete_options(players, {**HIDDEN.get(game, {}), **(options or {})})
    whole = _whole_match(rules, players, chosen, seed, dealt)
    for ply in sorted(random.sample(range(1, whole.ply + 1), min(positions, whole.ply))):
        match = whole.begun()
        match.replay(whole.log[:ply])
        for seat in (None, *_drawn(match, seats, random)):
            mine: bytes | None = None
            header, undone = header_of(whole), 0
            if turns and not dealt and not later:
                undone = random.choice((0, 0, 1, 2, 3))
                header = _with_computers(header, seat, random)
            for other in _all_worlds(match, seat, others, random, later=later):
                found.worlds[game] = found.worlds.get(game, 0) + 1
                if _hands(match, seat) != _hands(other, seat):
                    found.other_hands[game] = found.other_hands.get(game, 0) + 1
                if mine is None:
                    mine = sent(recorded(header, match, undone=undone, resumed=later), seat)
                cards = replace(header, seed=f"{header.seed}/other")
                theirs = sent(recorded(cards, other, undone=undone, resumed=later), seat)
                found.answers += mine.count(b"\n") + 1
                if mine != theirs:
                    who = "everybody" if seat is None else f"p{seat}"
                    found.leaks.append(
                        f"{game}, {players} players, seed {seed}, {dict(chosen)}, move {ply}, to "
                        f"{who}: {_difference(mine, theirs)}"
                    )
                    break
    return found


def _drawn(match: Match, seats: int, random: Random) -> list[int]:
    """Seats drawn by lot; whoever is asked now learns most by asking back, and is mostly first."""
    drawn = random.sample(range(match.players), match.players)
    asked = None if match.prompt is None else match.prompt.player
    if asked is not None and random.random() < 0.7:
        drawn.sort(key=lambda seat: seat != asked)
    return drawn[:seats]


def _all_worlds(
    match: Match, seat: int | None, others: int, random: Random, *, later: bool
) -> Iterator[Match]:
    """Other worlds; of a game without secrets the same one, dealt by another seed."""
    if match.game.id in HIDDEN:
        yield from worlds(match, seat, others, random, later=later)
    else:
        yield match.clone()


def _with_computers(header: Header, seat: int | None, random: Random) -> Header:
    """At every second table computer players sit at some of the other seats."""
    sits = random.random() < 0.5
    computers = tuple(
        "normal" if sits and number != seat and random.random() < 0.7 else ""
        for number in range(header.players)
    )
    return replace(header, computers=computers) if any(computers) else header


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


def recorded(header: Header, match: Match, *, undone: int = 0, resumed: bool = False) -> Recorded:
    """A match as its table has it, resumed a few changes ago, or, ``resumed``, again just now;
    ``undone``: number of its last moves that were taken back."""
    events = events_of(match)
    if 0 < undone <= match.ply:
        events.append(Event(len(events) + 1, TakenBack(undone), Source.TOUCH, _BEGAN_S))
    first = max(0, len(events) - _STEPS)
    record = MatchRecord(cast(Journal, _Nowhere(events[:first])), header)
    steps = tuple(_steps(record, events[first:]))
    if resumed:
        record = MatchRecord(cast(Journal, _Nowhere(events)), header)
    last = _taken(record) if resumed else steps[-1][0]
    shared = {one.name: getattr(last, one.name) for one in fields(Snapshot)}
    return Recorded(**shared, events=tuple(events), record=record, steps=steps)


def _steps(
    record: MatchRecord, events: Sequence[Event]
) -> Iterator[tuple[Snapshot, tuple[TableEvent, ...]]]:
    yield _taken(record), ()
    for event in events:
        told: list[TableEvent] = []
        if isinstance(event.what, MovePlayed):
            told.append(record.commit([event.what.move], event.src, force=event.what.forced))
        elif isinstance(event.what, TakenBack):
            told.append(record.take_back(event.what.count, event.src))
        if record.match.outcome is not None:
            told.append(MatchOver(record.match.outcome))
        yield _taken(record), tuple(told)


def _taken(record: MatchRecord, refused: Move | None = None) -> Snapshot:
    match = record.match
    objections = tuple(match.why_not(refused)) if refused is not None else ()
    view = view_of(
        record, TableState.ILLEGAL if objections else TableState.BLIND,
        Question(objections, refused if objections else None),
        blind="no_camera", hold_s=0.0, notes=(), devices={},
    )  # fmt: skip
    hands = tuple(
        Hand(seat) if record.header.computer(seat) else hand_of(match, seat)
        for seat in range(match.players)
    )
    return snapshot_of("m", record, view, hands)


def events_of(match: Match) -> list[Event]:
    """Events in the journal of a match without corrections."""
    events = []
    state = match.beginning()
    for number, entry in enumerate(match.log, 1):
        # What follows by itself is nobody's: so it stands in the journal.
        only = only_answer(match.game, state, physical=match.physical)
        dealt = entry.move.actor is Actor.DEALER or only == entry.move
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

    def append(self, _match_id: str, *_what: object, **_how: object) -> None:
        return


# -- what goes to the house and to the club ------------------------------------------------------


def published(views: Sequence[tuple[TableView, Sequence[TableEvent]]], lang: str = "en") -> bytes:
    """Every byte that a broker would get of a table that shows these views, one after another."""
    outbox, sent = Outbox(Topics("table"), "0", aliases=PublicIds(b"the same")), []
    for view, events in views:
        outbox.take(view, events, lang)
        sent += [*outbox.kept(lang), *outbox.events(MOST_EVENTS)]
    return b"\n".join(message.topic.encode() + b" " + message.payload for message in sent)


def sent_to_the_house(snapshot: Recorded, _seat: int | None) -> bytes:
    """Every byte that a broker gets: state, discovery and events after the last move, and while a
    move is refused."""
    heard = [(step.view, events) for step, events in snapshot.steps]
    sent = [published(heard[-2:], lang) for lang in LANGUAGES[1:]]
    sent.append(published(heard, LANGUAGES[0]))
    prompt = snapshot.match.prompt
    if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
        chance, calm = Random(snapshot.match.ply), published([(snapshot.view, ())])
        for move, refusing in _refusing(snapshot, thinkable(snapshot, prompt.player, chance)[:4]):
            tried = refusing.view
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


def sent_to_the_club(snapshot: Recorded, _seat: int | None) -> bytes:
    """Every byte that a club gets, with which its hall and its database are made."""
    return everything_sent(snapshot.header, snapshot.events, "open")


# -- the views that all of it is made of ---------------------------------------------------------


def views_of(snapshot: Recorded, seat: int | None) -> bytes:
    """Every field of the public view and of the seat's own, shown or not; and all from which a tip
    for it is made."""
    views = [snapshot.public, *([] if seat is None else [snapshot.seat(seat)])]
    told = [
        f"{field.name}={getattr(view, field.name)!r}".encode()
        for view in views
        for field in fields(view)
        if field.repr
    ]
    if seat is not None:
        told += [
            _json(SeatView.of(snapshot.match, seat, remembers=remembers).to_json())
            for remembers in (True, False)
        ]
    return b"\n".join(told)


# -- what is logged -------------------------------------------------------------------------------


def logged(sent: Sent) -> Sent:
    """With every line that goes to the log meanwhile."""

    def both(snapshot: Recorded, seat: int | None) -> bytes:
        lines: list[str] = []
        ear = logging.Handler()
        ear.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
        root, level = logging.getLogger(), logging.getLogger().level
        root.addHandler(ear)
        root.setLevel(logging.DEBUG)
        try:
            told = sent(snapshot, seat)
        finally:
            root.setLevel(level)
            root.removeHandler(ear)
        return told + b"\n" + "\n".join(lines).encode()

    return both


# -- what goes to phones ------------------------------------------------------------------------


def sent_by_phones(snapshot: Recorded, seat: int | None) -> bytes:
    """Every picture, happening and refusal of the table's own server."""
    return b"\n".join(_all_for_phones(snapshot, seat))


def _all_for_phones(snapshot: Recorded, seat: int | None) -> Iterator[bytes]:
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
    if seat is not None:
        yield from answers(snapshot, seat, thinkable(snapshot, seat, chance, 60), LANGUAGES)
    yield from _pushed(snapshot, seat)
    yield from _happenings(snapshot)
    yield from _while_refused(snapshot, seat, chance)


def thinkable(snapshot: Snapshot, seat: int, chance: Random, most: int = _MOST_TRIED) -> list[Move]:
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
    own = chance.sample(shapes, min(most, len(shapes)))
    return [Move.of(seat, *shape) for shape in own]


def _pushed(snapshot: Recorded, seat: int | None) -> Iterator[bytes]:
    """The pictures that came by the line after the last changes: the same one comes once."""
    before = b""
    for step, _events in snapshot.steps[:-1]:
        now = _pictures(step, seat)
        if now != before:
            yield now
        before = now


def _happenings(snapshot: Recorded) -> Iterator[bytes]:
    """The stream of those who listened to the last changes, and of those who come back now."""
    told = Happenings()
    (first, _events), *later = snapshot.steps
    heard = told.opened(first.public)
    for step, events in later:
        heard += told.heard(step.public, events)
    for one in (*heard, *told.since(heard[0].id), *told.left()):
        yield from one.told.values()


def sent_later(snapshot: Recorded, seat: int | None) -> bytes:
    """Every byte for whoever comes now: pictures, what the stream has kept, what the broker keeps,
    and answers to a phone."""
    told = Happenings()
    (first, _events), *later = snapshot.steps
    (begun,) = told.opened(first.public)
    for step, events in later:
        told.heard(step.public, events)
    sent = [text for one in told.since(begun.id) for text in one.told.values()]
    sent += [published([(snapshot.view, ())], lang) for lang in LANGUAGES]
    sent.append(_pictures(snapshot, seat))
    if seat is not None:
        chance = Random(snapshot.match.ply)
        sent += answers(snapshot, seat, thinkable(snapshot, seat, chance, 60), LANGUAGES[:1])
    return b"\n".join(sent)


@logged
def sent_anywhere(snapshot: Recorded, seat: int | None) -> bytes:
    """Every byte that leaves the table."""
    ways = (views_of, sent_by_phones, sent_to_the_house, sent_to_the_club)
    return b"\n".join(way(snapshot, seat) for way in ways)


def _refusing(snapshot: Recorded, moves: Sequence[Move]) -> Iterator[tuple[Move, Snapshot]]:
    """The same table while each of ``moves`` is refused."""
    for move in moves:
        yield move, _taken(snapshot.record, move)


def _while_refused(snapshot: Recorded, seat: int | None, chance: Random) -> Iterator[bytes]:
    """Data sent to others while a move is refused at the table."""
    prompt = snapshot.match.prompt
    if prompt is None or prompt.actor is not Actor.PLAYER or prompt.player in (None, seat):
        return
    calm = _pictures(snapshot, seat)
    for move, tried in _refusing(snapshot, thinkable(snapshot, prompt.player, chance)[:3]):
        told = _pictures(tried, seat)
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
