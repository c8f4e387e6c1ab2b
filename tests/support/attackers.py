"""Requests of a phone that wants to know more: several moves at once, odd ones, out of turn, again.

They are made of what its seat may know, so they are the same in all worlds that it cannot tell
apart; and so must be the answers, and the work that they take.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec

from companion.decoding import Unfit, decoded
from companion.presentation.views import Snapshot
from companion.web.move_requests import Asked, Verdict, judge
from rules.core import Move
from rules.match import reveals

_MOST_BATCHES = 6
_MOST_BEHIND = 16
_MOST_ALONE = 8
_ODD = (
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"match":"m","since":1e999,"moves":[]}',
    b'{"match":"m","since":0}', b'{"match":"m","since":0,"moves":[[]]}',
    b'{"match":"m","since":-1,"moves":["p0 done"],"take_back":true,"tip":true}',
)  # fmt: skip


def answers(
    snapshot: Snapshot, seat: int, thinkable: Sequence[Move], langs: Sequence[str]
) -> Iterator[bytes]:
    """Every answer to a phone of ``seat`` and what it posts for it, in one language after the
    other, and the work that it takes."""
    chance = Random(f"{snapshot.match.ply}/{seat}")
    for number, body in enumerate(_bodies(snapshot, seat, thinkable, chance)):
        ask = partial(_answered, body, seat, snapshot, langs[number % len(langs)])
        # What is worked out once was worked out before it is counted.
        told = ask()
        yield b"%s %s, %d calls" % (body, told, _work(ask))


def _bodies(
    snapshot: Snapshot, seat: int, thinkable: Sequence[Move], chance: Random
) -> Iterator[bytes]:
    since, legal = len(snapshot.told), [*snapshot.seat(seat).legal]
    yield from _ODD
    for take_back, tip in ((True, False), (False, True), (True, True)):
        yield _body(since, (), take_back=take_back, tip=tip)
    for move in _some(thinkable, _MOST_ALONE, chance):
        yield _body(since, (move,))
    pool = [*_some(legal, 4, chance), *_some(thinkable, 8, chance)]
    # What follows is asked for without being made; most of all behind what turns something up.
    match = snapshot.match
    turn_up = [move for move in legal if reveals(match.state, move, match.players)]
    for first in _some(turn_up, 3, chance):
        for then in _some([*legal, *thinkable], _MOST_BEHIND, chance):
            yield _body(since, (first, then))
    for first in _some(legal, _MOST_BATCHES, chance):
        for then in _some(pool, 2, chance):
            yield _body(since, (first, then))
        yield _body(since, (first, *_some(pool, 3, chance)))
    if pool:
        one = chance.choice(pool)
        yield _body(since, (one,) * 3)
        yield _body(since, _some(pool, 4, chance))
        yield _body(since, (one, Move.of((seat + 1) % snapshot.match.players, "done")))
        # As if the answer to an earlier one had been lost.
        for earlier in (since - 1, since - 2, 0, since + 1):
            yield _body(earlier, (one,))


def _some(moves: Sequence[Move], most: int, chance: Random) -> list[Move]:
    return chance.sample([*moves], min(most, len(moves)))


def _body(
    since: int, moves: Sequence[Move], *, take_back: bool = False, tip: bool = False
) -> bytes:
    texts = [move.text for move in moves]
    return msgspec.json.encode(Asked("m", since, texts, take_back, tip))


def _answered(body: bytes, seat: int, snapshot: Snapshot, lang: str) -> bytes:
    try:
        verdict: Verdict = judge(decoded(body, Asked), seat, snapshot, lang)
    except Unfit:
        return b"422"
    told: Any = msgspec.to_builtins(verdict.body)
    return f"{verdict.status} {told} {verdict.post!r}".encode()


def _work(do: Callable[[], object]) -> int:
    """Number of functions that are called for it: what it takes on any machine."""
    count = 0

    def called(_frame: object, _event: str, _arg: object) -> None:
        nonlocal count
        count += 1

    before = sys.gettrace()
    gc.disable()
    sys.settrace(called)
    try:
        do()
    finally:
        sys.settrace(before)
        gc.enable()
    return count
