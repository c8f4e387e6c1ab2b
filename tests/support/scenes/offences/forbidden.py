"""Steps against the rules that hands can carry out, and the reasons that forbid them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from rules.box import Box, load_box
from rules.core import Actor, GameError, Lies, Move
from rules.match import Entry, Match
from rules.reading.sighting import EMPTY, looks
from tests.support.scenes.offences.legal import (
    Board,
    Lying,
    differing,
    explained,
    may_lie,
    told_anew,
)


@dataclass(frozen=True, slots=True)
class Offence:
    """An illegal step, done by hands."""

    kind: str
    """The relaxed condition and its verb."""
    before: Match
    """The agreed record."""
    lying: Lying
    """The table after it."""
    player: int | None
    """None if nobody did it, such as a disc that rolled."""
    move: Move
    codes: frozenset[str]
    """Right reasons; if there are none, the reason that is told must name one of ``sites``."""
    sites: frozenset[str]
    """Sites that look wrong."""


def forbidden(
    moment: Match, move: Move, kind: str, chance: Random, *, at_once: bool = False
) -> Offence | None:
    """``move`` as an offence; None if it is none, or does not show, or hands cannot do it."""
    why = moment.why_not(move)
    if move.actor is Actor.DEALER or not why or any(o.code in _NO_STEP for o in why):
        return None
    if all(other.verb != move.verb for other in moment.state.pseudo_moves()):
        return None  # Before the cards are dealt none can be played.
    after = carried_out(moment, move, chance)
    if after is None:
        return None
    lying = looks(after.layout)
    if lying == looks(moment.layout):
        return None
    if not feasible(moment, lying) or _fallen(moment, lying) or _lifted(moment, lying):
        return None
    if lies_there(moment, move) and lies_there(after, move) == lies_there(moment, move):
        return None  # A card that lies there openly is not played once more.
    changed = differing(looks(moment.layout), lying)
    lies = moment.game.inference.may_lie(moment.state, changed, Board(lying), ())
    if Lies.UNJUDGED in lies.values():
        return None  # Hands may still end something legal.
    codes = _as_simple(moment, after, move, len(why), at_once=at_once)
    if codes is None or may_lie(moment, lying) or explained(moment, lying):
        return None
    if told_anew(moment, lying):
        return None
    sites = frozenset(differing(lying, looks(moment.layout)))
    return Offence(kind, moment, lying, move.player, move, codes, sites)


_NO_STEP = ("unknown_move", "malformed", "match_over", "on_discards")
"""It is no move, or the card that it names lies openly elsewhere."""


_NOT_CARRIED_OUT = (GameError, LookupError, ValueError, TypeError, AssertionError)
"""Raised where hands cannot do what a step names."""


def hands_may(match: Match) -> bool:
    """True if hands may act now: nothing is drawn or shown first. What a rolling disc does is up to
    hands."""
    prompt = match.prompt
    if prompt is None:
        return False
    rolls = prompt.actor is Actor.TABLE and match.game.inference.rolls
    return prompt.actor is Actor.PLAYER or rolls


def carried_out(match: Match, move: Move, chance: Random) -> Match | None:
    """The match after ``move`` and what chance adds to it; None if it cannot be carried out."""
    after = match.clone()
    try:
        after.play(Entry(move, forced=True))
        while after.prompt is not None and not hands_may(after):
            if not after.deal():
                after.push(chance.choice(after.legal_moves()))
        if after.state.problems():
            return None
        looks(after.layout)
    except _NOT_CARRIED_OUT:
        return None
    return after


def _as_simple(
    match: Match, done: Match, move: Move, most: int, *, at_once: bool
) -> frozenset[str] | None:
    """Every right reason: those against steps of the same player that leave the same picture. None
    if the picture points to another player: with their own pieces the player who is asked and the
    one who moved last, at once behind that move the other way round; then anybody else, and at last
    the player who is asked with another's piece."""
    asked = match.prompt.player if match.prompt is not None else None
    last = next((e.move.player for e in reversed(match.log) if e.move.player is not None), None)
    whose = asked if move.player is None else move.player
    players = dict.fromkeys((last, asked) if at_once else (asked, last))
    lent: set[str] = set()
    for player in (*players, *(seat for seat in range(match.players) if seat not in players)):
        own: set[str] = set()
        for owned, codes in _alike(match, done, move, most, player, asked):
            if owned and player != whose:
                return None
            if owned:
                own.update(codes)
            elif player == asked:
                lent.update(codes)
        if own:
            return frozenset(own)
    return frozenset(lent) if lent and asked == whose else None


def _alike(
    match: Match, done: Match, move: Move, most: int, player: int | None, asked: int | None
) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """For every step of ``player`` with at most ``most`` reasons against it, by itself or behind
    the end of a turn, that looks like ``done``: whether only pieces of their own are put down, and
    the reasons."""
    lying, chance_added = looks(done.layout), [e.move for e in done.log[match.ply + 1 :]]
    places = (done.after(number).state for number in range(match.ply + 1, done.ply))
    by_chance = {s for at, move in zip(places, chance_added, strict=True) for s in at.touches(move)}
    by_hand = match.clone()
    by_hand.play(Entry(move, forced=True))
    changed = differing(looks(by_hand.layout), looks(match.layout))
    for base in (match, *_closed(match)):
        for other in dict.fromkeys((move, *_named(base))):
            whose = asked if other.player is None else other.player
            if whose != player or not changed <= _touched(base, other):
                continue
            why = _why_not(base, other)
            if not 0 < len(why) <= most or any(code in _NO_STEP for code in why):
                continue
            after, lies = _done(base, other)
            if after is not None and lies != lying:
                chance = _left_to_chance(after) | by_chance
                alike = differing(lies, lying) <= chance
                after = _dealt_alike(after, chance_added, lying) if alike else None
            if after is not None:
                owners = {item.owner for item in after.layout - base.layout} - {None}
                yield not owners or player in owners, why


@lru_cache(maxsize=4096)
def _done(match: Match, move: Move) -> tuple[Match | None, Lying]:
    """``match`` after a step and what follows from it by itself, and how it lies; None if it cannot
    be carried out."""
    after = match.clone()
    try:
        after.play(Entry(move, forced=True))
        after.deal()
        return after, looks(after.layout)
    except _NOT_CARRIED_OUT:
        return None, {}


@lru_cache(maxsize=8192)
def _why_not(match: Match, move: Move) -> tuple[str, ...]:
    return tuple(objection.code for objection in match.why_not(move))


@lru_cache(maxsize=16)
def _named(match: Match) -> tuple[Move, ...]:
    """Steps of players that may be named, right or wrong."""
    moves = match.state.clone().pseudo_moves()
    return tuple(move for move in moves if move.actor is not Actor.DEALER)


@lru_cache(maxsize=8192)
def _touched(match: Match, move: Move) -> frozenset[str]:
    return frozenset(match.state.touches(move))


@lru_cache(maxsize=4096)
def _left_to_chance(match: Match) -> frozenset[str]:
    """Sites that chance may change now."""
    if match.prompt is None or match.prompt.actor is not Actor.DEALER:
        return frozenset()
    return frozenset().union(*(match.state.touches(move) for move in match.state.legal_moves()))


def _dealt_alike(match: Match, dealt: Sequence[Move], lying: Lying) -> Match | None:
    """``match`` after what chance added elsewhere, or else would have to turn up, if it looks like
    ``lying`` then."""
    after = match.clone()
    try:
        for move in dealt:
            if not after.why_not(move):
                after.push(move)
        after = _dealt_so(after, lying)
        return after if looks(after.layout) == lying else None
    except _NOT_CARRIED_OUT:
        return None


def _dealt_so(match: Match, lying: Lying) -> Match:
    """``match`` after the card that chance would have to turn up for it to look so, if there is
    one."""
    if match.prompt is None or match.prompt.actor is not Actor.DEALER:
        return match
    turned_up = set(_things(lying) - _things(looks(match.layout)))
    cards = {kind for kind in box_of(match).kinds if kind.startswith("card ")}
    for move in match.legal_moves():
        if not cards.intersection(f"card {arg}" for arg in move.args) <= turned_up:
            continue  # What is turned up shows.
        after = match.clone()
        after.push(move)
        after.deal()
        if looks(after.layout) == lying:
            return after
    return match


@lru_cache(maxsize=16)
def _closed(match: Match) -> tuple[Match, ...]:
    """``match`` with its turn closed, if nothing shows that it was."""
    ends = (move for move in match.legal_moves() if move.verb == "done")
    ended = (_done(match, move) for move in ends)
    return tuple(
        after for after, lying in ended if after is not None and lying == looks(match.layout)
    )


def _lifted(match: Match, lying: Lying) -> bool:
    """True if nothing shows but that one thing lacks, which a hand may hold and put back."""
    old, new = _things(looks(match.layout)), _things(lying)
    return not new - old and (old - new).total() == 1


def lies_there(match: Match, move: Move) -> set[str]:
    """Sites where a card that ``move`` names lies openly."""
    cards = {f"card {arg}" for arg in move.args}
    return {s for s, look in looks(match.layout).items() if any(g.kind in cards for g in look)}


def _fallen(match: Match, lying: Lying) -> bool:
    """True if only poses differ: a piece that fell over is no offence."""
    before = looks(match.layout)
    return all(
        sorted(g.kind for g in lying.get(site, EMPTY))
        == sorted(g.kind for g in before.get(site, EMPTY))
        for site in differing(lying, before)
    )


def feasible(match: Match, lying: Lying) -> bool:
    """True if the things that lie there were within reach."""
    old, new = _things(looks(match.layout)), _things(lying)
    at_hand: Counter[str] = Counter()
    for seat in range(match.players):
        at_hand += match.state.supply(seat)
    for item, number in match.layout.items():
        at_hand[item.kind] += 0 if item.seen else number
    box = box_of(match)
    for kind, number in (new - old).items():
        if kind.startswith("card"):
            if new[kind] > max(1, len(box.kinds[kind].stickers)) and match.game.id != "dominion":
                return False
        elif at_hand[kind] < number:
            return False
    return True


def _things(lying: Lying) -> Counter[str]:
    """The look there; a trilithon with a disc in its hollow counts as the disc."""
    kinds = (glimpse.kind for look in lying.values() for glimpse in look)
    return Counter(kind.replace("trilithon ", "disc ") for kind in kinds)


def box_of(match: Match) -> Box:
    return load_box(match.game.box).for_game(match.game.id)
