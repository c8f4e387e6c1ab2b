"""Looks at a table where people play turns: what a run of moves leaves there, and its reading.

A digital dealer plays a random match; what a physical table would show of it is the truth. The
referee looks once in every turn, or after one to four steps, with stickers that are read perfectly
or as badly as ``Noise`` says, and each look is judged by what it makes of everything since the last
one. Then the record is told the truth, so that every look is judged by itself.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from rules.box import load_box
from rules.core import Actor, Move
from rules.games import find_game
from rules.games.hoher_rat.moves import ANOTHER, UNNAMED
from rules.hidden import UNSEEN
from rules.match import Match
from rules.reading.reading import Reading, Status, read
from rules.reading.sighting import looks
from rules.testing.pictures import DrawnSighting, Noise, draw
from rules.testing.playout import random_match

MOST_STEPS = 4
UNSAID = {UNSEEN, ANOTHER}
"""Stand-ins for cards that were not seen."""
PEER_NODES = 500
"""Number of positions that the plain search may look at: as many as ours."""


class Pace(StrEnum):
    """Rhythm of the referee's looks."""

    TURN = "once a turn"
    STEPS = "after 1 to 4 steps"


class Verdict(StrEnum):
    """Result of a look at what had happened."""

    READ = "read"
    SETTLED = "settled"
    ASKED = "asked"
    ASKED_AMISS = "asked without the truth"
    UNCLEAR = "unclear"
    ACCUSED = "accused"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Judged:
    """One look and what came of it."""

    verdict: Verdict
    exact: bool
    """True for READ if the record is the truth in everything, also in what cannot be seen."""
    ms: float
    """Processor time of the reading."""
    played: tuple[Move, ...]
    reading: Reading


Reader = Callable[[Match, DrawnSighting], Reading]


def looks_at_turns(
    game_id: str,
    players: int,
    seed: int,
    pace: Pace,
    noise: Noise | None = None,
    *,
    reader: Reader = read,
    limit: int = 300,
) -> Iterator[Judged]:
    """Looks at the beginning of one random match, ``limit`` moves long at most."""
    game = find_game(game_id)
    options = game.complete_options(players, {})
    box = load_box(game.box).for_game(game_id)
    truth = Match(game, players, options, physical=True, seed=seed)
    chance = Random(f"{game_id}/{players}/{seed}/{pace}")
    record: Match | None = None
    todo: int | None = None
    for move in shown_moves(game_id, players, seed, options):
        if truth.ply >= limit:
            return
        if record is None and move.actor is Actor.PLAYER:
            record, todo = truth.clone(), chance.randint(1, MOST_STEPS)
        truth.push(move)
        if record is None or todo is None:
            continue
        todo -= move.actor is Actor.PLAYER
        if not _hand_leaves(record, truth, pace, todo):
            continue
        sighting = draw(box, truth.layout, noise, chance)
        start = time.process_time()
        reading = reader(record, sighting)
        ms = (time.process_time() - start) * 1e3
        played = tuple(entry.move for entry in truth.log[record.ply :])
        verdict, exact = _judge(record, truth, reading)
        yield Judged(verdict, exact, ms, played, reading)
        record = None


def shown_moves(
    game_id: str, players: int, seed: int, options: Mapping[str, str]
) -> Iterator[Move]:
    """The moves that a physical table would log of a random match."""
    game = find_game(game_id)
    for match, _, move in random_match(game, players, options, seed):
        yield from match.state.shown(move)


def _hand_leaves(record: Match, truth: Match, pace: Pace, todo: int) -> bool:
    asked, now = record.prompt, truth.prompt
    if now is None:
        return True
    if now.actor is not Actor.PLAYER:
        return False
    if pace is Pace.STEPS:
        return todo <= 0
    return asked is None or now.player != asked.player


def _judge(record: Match, truth: Match, reading: Reading) -> tuple[Verdict, bool]:
    wanted = looks(truth.layout)
    match reading.status:
        case Status.MOVE:
            after = record.clone()
            for move in reading.moves:
                after.push(move)
            # A part of what happened is no mistake: the rest is waited for.
            exact = after.state.to_json() == truth.state.to_json()
            right = looks(after.layout) == wanted or is_truth(record, truth, 0, reading.moves)
            return (Verdict.READ if right else Verdict.WRONG), exact
        case Status.SETTLED | Status.PENDING:
            return Verdict.SETTLED, looks(record.layout) == wanted
        case Status.AMBIGUOUS:
            among = any(is_truth(record, truth, c.takeback, c.moves) for c in reading.candidates)
            return (Verdict.ASKED if among else Verdict.ASKED_AMISS), among
        case Status.ILLEGAL:
            return Verdict.ACCUSED, False
    return Verdict.UNCLEAR, False


def is_truth(record: Match, truth: Match, takeback: int, moves: tuple[Move, ...]) -> bool:
    """True if ``moves`` are what was played since ``record``, or a part of it."""
    if takeback:
        return False
    after = record.clone()
    for move in moves:
        after.push(move)
    own, said = _since(record, truth), _own(moves)
    # A part of what happened is no mistake; nor need it be said which card nobody saw.
    if said and (not said - own):
        return True
    if _says_less(said - own, own - said) and looks(after.layout) == looks(truth.layout):
        return True
    if _essence(after) in _told(record, truth):
        return True
    more = own - said
    left = [entry.move for entry in truth.log[record.ply :] if entry.move in more]
    return _comes_to(after, truth, left)


def _says_less(said: Counter[Move], own: Counter[Move]) -> bool:
    """True if all of ``said`` are moves of ``own`` that leave open which card it was."""
    left = list(own.elements())
    for move in said.elements():
        same = next((other for other in left if _leaves_open(move, other)), None)
        if same is None:
            return False
        left.remove(same)
    return True


def _leaves_open(move: Move, other: Move) -> bool:
    """True if ``move`` is ``other`` but for a card that was not seen."""
    if (move.player, move.verb) != (other.player, other.verb):
        return False
    if UNNAMED in move.args:
        return True  # What such cards brought lies on the table.
    if len(move.args) != len(other.args):
        return False
    return all(a == b or a in UNSAID for a, b in zip(move.args, other.args, strict=True))


def _comes_to(after: Match, truth: Match, left: Iterable[Move]) -> bool:
    """True if ``after`` is the truth as soon as the moves ``left`` are said as well."""
    for move in left:
        if not after.why_not(move):
            after.push(move)
            after.follow()
    return bool(_essence(after) == _essence(truth))


def _essence(match: Match) -> object:
    """All that matters to those who play on, as the author of the game tells it."""
    told = match.game.inference
    return getattr(told, "author", told).essence(match.state)


def _told(record: Match, truth: Match) -> list[object]:
    """Essence of the positions that looked like the one that is seen, the last ones of all."""
    wanted, back = looks(truth.layout), truth.clone()
    found = []
    while back.ply > record.ply and looks(back.layout) == wanted:
        found.append(_essence(back))
        back.pop()
    return found


def _own(moves: Iterable[Move]) -> Counter[Move]:
    """Moves that players made."""
    return Counter(move for move in moves if move.actor is Actor.PLAYER)


def _since(record: Match, truth: Match) -> Counter[Move]:
    return _own(entry.move for entry in truth.log[record.ply :])


def breadth_first(match: Match, sighting: DrawnSighting) -> Reading:
    """The peer: the shortest run of legal moves to the layout that is seen, by plain search."""
    wanted = {site: belief.best for site, belief in sighting.sites.items() if belief.best}
    if looks(match.layout) == wanted:
        return Reading(Status.SETTLED)
    frontier, looked_at = deque([match.clone()]), 0
    while frontier and looked_at < PEER_NODES:
        here = frontier.popleft()
        for move in here.legal_moves():
            after = here.clone()
            after.push(move)
            looked_at += 1
            if looks(after.layout) == wanted:
                return Reading(Status.MOVE, moves=tuple(e.move for e in after.log[match.ply :]))
            frontier.append(after)
    return Reading(Status.UNCLEAR, doubt="unexplained")
