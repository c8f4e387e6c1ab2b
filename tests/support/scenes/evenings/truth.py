"""Comparison of a record with the truth: all that was really played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from rules.core import Actor, GameError, IllegalMove, Move
from rules.match import Match
from rules.reading.sighting import looks
from tests.support.scenes.offences.legal import Lying, may_lie
from tests.support.scenes.turns import is_truth

MOST_OTHERS = 1500
"""Positions that are looked at for another play that would look like what was played."""


# -- moves and matches ------------------------------------------------------------------------


def decided(match: Match) -> Counter[Move]:
    """The players' decisions."""
    return Counter(e.move for e in match.log if e.move.actor is Actor.PLAYER)


def _verbs(match: Match) -> Counter[tuple[int | None, str]]:
    """The players' decisions, without what they name."""
    decided = (e.move for e in match.log if e.move.actor is Actor.PLAYER)
    return Counter((move.player, move.verb) for move in decided)


def ended(match: Match, move: Move) -> Match:
    """``match`` after ``move`` and what follows by itself."""
    after = match.clone()
    after.push(move)
    after.deal()
    return after


def after_answer(record: Match, takeback: int, moves: Sequence[Move]) -> Match:
    """``record`` after an answer that takes moves back and plays others. Raises IllegalMove."""
    after = record.clone()
    for _ in range(takeback):
        after.pop()
    for move in moves:
        after.push(move)
    return after


def _common(one: Match, other: Match) -> int:
    """The number of moves that both begin with."""
    equal = (a.move == b.move for a, b in zip(one.log, other.log, strict=False))
    return sum(takewhile(bool, equal))


def _ends(match: Match) -> set[str]:
    found, here = set(), match.clone()
    for step in range(2):
        if step:
            here.follow()
        found.add(json.dumps(match.game.inference.essence(here.state), sort_keys=True, default=str))
    return found


# -- the same, or a part of it ----------------------------------------------------------------


def same(record: Match, truth: Match) -> bool:
    """True if they are the same for all who play on, with what follows from either by itself."""
    return not _ends(record).isdisjoint(_ends(truth))


def says_the_same(record: Match, truth: Match) -> bool:
    """True if nothing is recorded otherwise, but for cards that nobody saw."""
    if _verbs(record) != _verbs(truth) or not part_of(record, truth):
        return False
    return looks(record.layout) == looks(truth.layout)


def says_what_shows(record: Match, truth: Match) -> bool:
    """True if all that shows of the truth is recorded, and nothing else that shows."""
    if looks(record.layout) != looks(truth.layout):
        return False
    return _shown_moves(record, truth) == _shown_moves(truth, record)


def _shown_moves(match: Match, other: Match) -> Counter[Move]:
    """The players' moves that leave a trace, since ``match`` and ``other`` part."""
    common, trial, found = _common(match, other), match.clone(), Counter[Move]()
    while trial.ply > common:
        move = trial.pop()
        if move.actor is Actor.PLAYER and trial.state.touches(move):
            found[move] += 1
    return found


def part_of(record: Match, truth: Match) -> bool:
    """True if what is recorded is the truth or its beginning, or says less of it, with what follows
    by itself."""
    followed = truth.clone()
    more = followed.follow()
    return _part_of(record, truth) or (bool(more) and _part_of(record, followed))


def _part_of(record: Match, truth: Match) -> bool:
    common, base = _common(record, truth), truth.clone()
    while base.ply > common:
        base.pop()
    moves = tuple(entry.move for entry in record.log[common:])
    if not moves:
        return True
    try:
        if is_truth(base, truth, 0, moves):
            return True
    except GameError:
        return False
    earlier = truth.clone()
    while earlier.ply > common:
        if same(record, earlier):
            return True  # Another way to the same has led there.
        earlier.pop()
    return False


def known_until(record: Match, truth: Match, begun: int) -> int:
    """The number of moves of the truth after which all is for the players as the record has it;
    ``begun`` if there is no such place since then."""
    earlier = truth.clone()
    while earlier.ply > begun and not same(record, earlier):
        earlier.pop()
    return earlier.ply


def begins(record: Match, truth: Match) -> bool:
    """True if the truth begins with all that is recorded."""
    return _common(record, truth) == record.ply < truth.ply


# -- what an answer leads to ------------------------------------------------------------------


def leads_to(record: Match, truth: Match, takeback: int, moves: Sequence[Move]) -> bool:
    """True if an answer leads to the truth, or to a part of it."""
    after = record.clone()
    for _ in range(takeback):
        after.pop()
    for move in moves:
        if after.why_not(move):
            return False
        after.push(move)
    return same(after, truth) or part_of(after, truth)


def is_so_far(record: Match, truth: Match, takeback: int, moves: Sequence[Move]) -> bool:
    """True if the truth came by what ``moves`` lead to."""
    common, earlier = _common(record, truth), truth.clone()
    try:
        after = after_answer(record, takeback, moves)
    except IllegalMove:
        return False
    while earlier.ply > common:
        if same(after, earlier) or says_the_same(after, earlier):
            return True
        earlier.pop()
    return False


# -- another play that looks the same ---------------------------------------------------------


def might_go_on(record: Match, truth: Match) -> bool:
    """True if play that went on from ``record`` by one or two steps would look like the truth."""
    ends, lying = _ends(truth), looks(truth.layout)
    here = [record]
    for _ in range(2):
        here = [
            ended(match, move) for match in here[:MOST_OTHERS] for move in match.legal_moves()
            if move.actor is Actor.PLAYER
        ]  # fmt: skip
        if any(may_lie(m, lying) and _ends(m).isdisjoint(ends) for m in here[:MOST_OTHERS]):
            return True
    return False


def might_be_another(record: Match, truth: Match) -> bool:
    """True if the truth might be another for those who play on, and look the same: with one or two
    of its steps since ``record`` left out, or others in their place, or with something else that
    chance turned up."""
    common, base = _common(record, truth), truth.clone()
    since = [entry.move for entry in truth.log[common:]]
    while base.ply > common:
        base.pop()
    ends, lying = _ends(truth), looks(truth.layout)
    return any(_led_astray(base, since, most, ends, lying) for most in (1, 2))


def _led_astray(
    base: Match, since: Sequence[Move], most: int, ends: set[str], lying: Lying
) -> bool:  # fmt: skip
    """True if with ``most`` other steps than ``since`` it comes to another end that looks the same;
    the last steps are changed first."""
    stack: list[tuple[Match, int, int, bool]] = [(base, 0, 0, False)]
    tried = 0
    while stack and tried < MOST_OTHERS:
        here, number, others, by_chance = stack.pop()
        tried += 1
        if number == len(since):
            differs = by_chance or (others and _ends(here).isdisjoint(ends))
            if differs and may_lie(here, lying):
                return True
            continue
        move, asked = since[number], here.prompt
        own = move.actor is Actor.PLAYER
        if asked is None or (asked.actor is not move.actor and not own):
            stack.append((here, number + 1, others, by_chance))  # It was dealt already.
            continue
        if others < most and asked.actor is move.actor:
            legal = [m for m in here.legal_moves() if m.player == move.player and m != move]
            ways = [here.clone()] if own else []
            ways += [ended(here, other) for other in legal]
            stack += [(way, number + 1, others + 1, by_chance or not own) for way in ways]
        if not here.why_not(move):
            stack.append((ended(here, move), number + 1, others, by_chance))
    return False
