"""Offences of every kind, made from places of random matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from random import Random

from rules.core import Move
from rules.match import Match
from rules.reading.sighting import EMPTY, looks
from tests.support.scenes.offences.forbidden import (
    Offence,
    box_of,
    carried_out,
    feasible,
    forbidden,
    hands_may,
    lies_there,
)
from tests.support.scenes.offences.legal import differing, explained, told_anew

MOST_TRIED = 25
"""Steps that are tried at one place for an offence of one kind."""


def offences(
    before: Match, turns: Sequence[Sequence[Match]], kind: str, chance: Random
) -> Iterator[Offence]:
    """Offences of one kind around a place where ``turns`` follow; ``turns``: the match after each
    of their moves."""
    moments = [before, *(match for match in turns[0] if hands_may(match))]
    chance.shuffle(moments)
    for moment in moments:
        yield from _MAKERS[kind](moment, before, turns, chance)


def _another_word(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """One word of a legal move is another one."""
    legal = moment.legal_moves()
    words = _words(moment, legal)
    slots = sorted({(move.verb, place) for move in legal for place in range(len(move.args))})
    chance.shuffle(slots)
    for verb, place in slots:
        tried = set()
        same = [move for move in legal if move.verb == verb and len(move.args) > place]
        for _ in range(MOST_TRIED):
            move = chance.choice(same)
            word = chance.choice(words[verb, place])
            args = (*move.args[:place], word, *move.args[place + 1 :])
            other = Move.parse(" ".join((move.text.split()[0], verb, *args)))
            if other in tried:
                continue
            tried.add(other)
            found = forbidden(moment, other, f"{verb}: another word {place + 1}", chance)
            if found is not None:
                yield found
                break


def _another_verb(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """Another verb with the same words, or with a part of them."""
    moves = moment.legal_moves()
    tried = list(moment.state.clone().pseudo_moves())
    chance.shuffle(moves)
    for move in moves[:MOST_TRIED]:
        others = [
            other
            for other in tried
            if other.verb != move.verb
            and other.player == move.player
            and {*other.args} & {*move.args}
        ]
        if others:
            other = chance.choice(others)
            found = forbidden(moment, other, f"{other.verb}: another verb", chance)
            if found is not None:
                yield found
                return


def _out_of_turn(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """The next player's first step that shows, made now."""
    last = turns[0][-1]
    for match in turns[1]:
        move = match.log[-1].move
        if move.player is not None and looks(match.layout) != looks(last.layout):
            found = forbidden(moment, move, f"{move.verb}: out of turn", chance)
            if found is not None:
                yield found
            return
        last = match


def _another_player(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """A player makes a step that is for another to make."""
    moves = [move for move in moment.legal_moves() if move.player is not None]
    chance.shuffle(moves)
    for move in moves[:MOST_TRIED]:
        seat = chance.choice([s for s in range(moment.players) if s != move.player] or [0])
        other = Move.parse(" ".join((f"p{seat}", move.verb, *move.args)))
        found = forbidden(moment, other, f"{move.verb}: another player", chance)
        if found is not None:
            yield found
            return


def _once_more(
    moment: Match,
    before: Match,
    turns: Sequence[Sequence[Match]],
    chance: Random,
    *,
    at_once: bool = False,
) -> Iterator[Offence]:
    """A step that was possible at the beginning of the turn, behind one or all of its steps."""
    if moment.ply == before.ply:
        return
    moves = before.legal_moves()
    chance.shuffle(moves)
    since = [match for match in turns[0] if match.ply <= moment.ply]
    shown = [match for match in since if looks(match.layout) != looks(before.layout)]
    for move in moves[:MOST_TRIED]:
        found = forbidden(moment, move, f"{move.verb}: once more", chance, at_once=at_once)
        if found is not None:
            # Whether the turn has been closed meanwhile is no matter of hands.
            codes = {objection.code for match in shown for objection in match.why_not(move)}
            yield replace(found, codes=found.codes | codes)
            return


def _once_more_at_once(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """The same in one look."""
    if looks(moment.layout) == looks(before.layout):
        return
    shown = looks(moment.layout)
    done = differing(shown, looks(before.layout))
    for found in _once_more(moment, before, turns, chance, at_once=True):
        # What covers the steps before it, or was cleared away, cannot be told.
        covers = any(
            Counter(shown.get(site, EMPTY)) - Counter(found.lying.get(site, EMPTY))
            for site in found.sites & done
        ) or any(_hides(match, moment) for match in turns[0] if match.ply < moment.ply)
        if not covers and not explained(before, found.lying):
            codes = found.codes | _the_other_way_round(before, moment, found.move)
            kind = f"{found.move.verb}: once more at once"
            yield replace(found, kind=kind, before=before, codes=codes)


def _behind(moment: Match, legal: Move, move: Move) -> set[str]:
    """Reasons against ``move`` behind a ``legal`` one of the same player."""
    if legal.player != move.player or moment.why_not(legal):
        return set()
    after = moment.clone()
    after.push(legal)
    after.deal()
    return {objection.code for objection in after.why_not(move)}


def _hides(match: Match, later: Match) -> bool:
    """True if something lies openly after ``match`` that neither lies there ``later`` nor did
    before."""
    before = match.clone()
    before.pop()
    old, new, then = looks(before.layout), looks(match.layout), looks(later.layout)
    return any(
        Counter(look) - Counter(old.get(site, EMPTY)) - Counter(then.get(site, EMPTY))
        for site, look in new.items()
    )


def _the_other_way_round(before: Match, moment: Match, move: Move) -> set[str]:
    """Reasons against the first step if ``move`` came before it: one look does not tell the
    order."""
    first = before.clone()
    if first.why_not(move):
        return set()
    first.push(move)
    first.deal()
    steps = [e.move for e in moment.log[before.ply :] if e.move.player == move.player]
    return {objection.code for step in steps[:1] for objection in first.why_not(step)}


def _elsewhere(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """The effect of a step takes place elsewhere."""
    after = _one_step(moment, turns)
    if after is None:
        return
    move = after.log[moment.ply].move
    old, new = dict(looks(moment.layout)), dict(looks(after.layout))
    box = box_of(moment)
    named = {arg for entry in after.log[moment.ply :] for arg in entry.move.args}
    sites = [s for s in {**old, **new} if old.get(s) != new.get(s) and s not in named]
    chance.shuffle(sites)
    for site in sorted(sites):
        others = [
            other
            for other, place in box.sites.items()
            if place.takes == box.sites[site].takes
            and not {"card", "card back"} & {*place.takes}
            and old.get(other, EMPTY) == new.get(other, EMPTY)
            and bool(old.get(other)) == bool(old.get(site)) != bool(new.get(site))
            and other not in named
        ]
        if not others:
            continue
        other = chance.choice(others)
        lying = {**new, site: old.get(site, EMPTY), other: new.get(site, EMPTY)}
        lying = {s: look for s, look in lying.items() if look}
        if lying in (old, new) or explained(moment, lying) or not feasible(moment, lying):
            continue
        assert move.player is not None
        yield Offence(
            f"{move.verb}: elsewhere", moment, lying, move.player, move, frozenset(),
            frozenset((site, other)),
        )  # fmt: skip
        return


def _twice(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """An illegal step done twice, such as two pieces in place of none."""
    for found in chain(
        _another_player(moment, before, turns, chance), _once_more(moment, before, turns, chance)
    ):
        once = carried_out(moment, found.move, Random(0))
        if once is not None and lies_there(once, found.move):
            continue  # One card is not played twice.
        twice = None if once is None else carried_out(once, found.move, Random(0))
        if twice is None or looks(twice.layout) in (found.lying, looks(moment.layout)):
            continue
        lying = looks(twice.layout)
        if not feasible(moment, lying) or explained(moment, lying) or told_anew(moment, lying):
            continue
        sites = frozenset(differing(lying, looks(moment.layout)))
        yield replace(found, kind=f"{found.move.verb}: twice", lying=lying, sites=sites)
        return


def _gone_on(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """An illegal step and a legal one behind it in one look."""
    for found in chain(
        _another_word(moment, before, turns, chance), _once_more(moment, before, turns, chance)
    ):
        after = carried_out(moment, found.move, Random(0))
        if after is None:
            continue
        moves = after.legal_moves()
        chance.shuffle(moves)
        for move in moves[:10]:
            further = after.clone()
            if further.why_not(move):
                continue
            further.push(move)
            further.deal()
            lying = looks(further.layout)
            touched = differing(lying, found.lying)
            if not touched or touched & found.sites or explained(moment, lying):
                continue
            if told_anew(moment, lying):
                continue
            # One look does not tell which came first.
            codes = found.codes | (_behind(moment, move, found.move) if found.codes else set())
            yield Offence(
                f"{found.move.verb}: gone on", moment, lying, found.player, found.move,
                frozenset(codes), found.sites,
            )  # fmt: skip
            return


_MAKERS = {
    "another word": _another_word,
    "another verb": _another_verb,
    "out of turn": _out_of_turn,
    "another player": _another_player,
    "once more": _once_more,
    "once more at once": _once_more_at_once,
    "elsewhere": _elsewhere,
    "twice": _twice,
    "gone on": _gone_on,
}
KINDS = tuple(_MAKERS)


def _one_step(moment: Match, turns: Sequence[Sequence[Match]]) -> Match | None:
    """The match after the next step that shows and all that chance adds to it."""
    shown: Match | None = None
    for match in turns[0]:
        if match.ply <= moment.ply:
            continue
        if shown is not None and match.log[-1].move.player is not None:
            return shown
        if shown is not None or looks(match.layout) != looks(moment.layout):
            shown = match
        if shown is None and match.log[-1].move.player is not None and match.ply > moment.ply + 1:
            return None
    return shown


def _words(match: Match, legal: Sequence[Move]) -> Mapping[tuple[str, int], list[str]]:
    """By verb and place, the words that legal and possible moves have there."""
    found: dict[tuple[str, int], set[str]] = {}
    trial = match.clone()
    for move in (*legal, *trial.state.pseudo_moves()):
        for place, word in enumerate(move.args):
            found.setdefault((move.verb, place), set()).add(word)
    return {key: sorted(words) for key, words in found.items()}
