"""Situations: what hands do between two looks at a table, all of it within the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from rules.core import Actor, Move
from rules.match import Match
from rules.reading.sighting import EMPTY, Look, looks
from tests.support.scenes.evenings.evening import STEP_S, Evening, Turns
from tests.support.scenes.evenings.truth import ended

Situation = Callable[[Evening, Turns], Match | None]
"""Lets hands play it; returns what was really played, None if it does not fit here."""


def turn(evening: Evening, at: Turns) -> Match | None:
    """One turn, seen when the hand has left."""
    evening.look(2.0 + at.hands_s(0), hand=True)
    evening.lay(at.first.layout)
    return at.first


def step_by_step(evening: Evening, at: Turns) -> Match | None:
    """Each step is seen for two seconds."""
    for seconds, lying in at.shows(0):
        evening.look(seconds, hand=True)
        evening.lay(lying)
        evening.look(2.0)
    return at.first


def fast_hands(evening: Evening, at: Turns) -> Match | None:
    """Each step is seen for a second only."""
    for seconds, lying in at.shows(0):
        evening.look(seconds - 1.0, hand=True)
        evening.lay(lying)
        evening.look(1.0)
    return at.first


def two_turns(evening: Evening, at: Turns) -> Match | None:
    """Two turns before the hand leaves."""
    evening.look(3.0 + at.hands_s(0) + at.hands_s(1), hand=True)
    evening.lay(at.turns[1][-1].layout)
    return at.turns[1][-1]


def turn_by_turn(evening: Evening, at: Turns) -> Match | None:
    """Two turns, each seen for three seconds."""
    for number in (0, 1):
        evening.look(1.0 + at.hands_s(number), hand=True)
        evening.lay(at.turns[number][-1].layout)
        evening.look(3.0)
    return at.turns[1][-1]


def place_by_place(evening: Evening, at: Turns) -> Match | None:
    """A slow hand: place after place changes, in any order, and each is seen for half a second."""
    for seconds, wanted in at.shows(0):
        evening.look(seconds - 1.0, hand=True)
        lay = evening.lying
        sites = [s for s in {**wanted, **lay} if wanted.get(s, EMPTY) != lay.get(s, EMPTY)]
        at.chance.shuffle(sites)
        for site in sorted(sites, key=lambda s: _site_rank(wanted, s)):
            evening.lay({**evening.lying, site: wanted.get(site, EMPTY)})
            evening.look(0.5)
    return at.first


def _site_rank(wanted: Mapping[str, Look], site: str) -> int:
    """Order of a site: things are taken up before they are put down."""
    return 1 if wanted.get(site) else 0


def mind_changed(seconds: float) -> Situation:
    """A step is seen for ``seconds``, then another one takes its place; if that might as well have
    followed it, play goes on."""

    def play(evening: Evening, at: Turns) -> Match | None:
        found = _alternatives(at)
        if found is None:
            return None
        one, other = found
        evening.look(STEP_S, hand=True)
        evening.lay(one.layout)
        evening.look(seconds)
        evening.look(STEP_S, hand=True)
        evening.lay(other.layout)
        if not _may_follow(one, other):
            return other
        evening.look(seconds)
        further = _further(other, at.chance)
        if further is None:
            return None
        evening.look(STEP_S, hand=True)
        evening.lay(further.layout)
        return further

    play.__name__ = f"mind_changed_after_{seconds:g}_s"
    return play


def there_and_back(evening: Evening, at: Turns) -> Match | None:
    """A step is seen for two seconds, taken back, and made again."""
    found = _alternatives(at)
    if found is None:
        return None
    one, _ = found
    for layout in (one.layout, at.before.layout, one.layout):
        evening.look(STEP_S, hand=True)
        evening.lay(layout)
        evening.look(2.0)
    return one


def taken_back(evening: Evening, at: Turns) -> Match | None:
    """A step is seen for two seconds and taken back."""
    found = _alternatives(at)
    if found is None:
        return None
    evening.look(STEP_S, hand=True)
    evening.lay(found[0].layout)
    evening.look(2.0)
    evening.look(STEP_S, hand=True)
    evening.lay(at.before.layout)
    return at.before


def sleeve(evening: Evening, at: Turns) -> Match | None:
    """Sites that the first turn changed lie below a sleeve until the second one was made."""
    covered = _changed(at.before, at.first)
    if covered & _changed(at.first, at.turns[1][-1]) or not covered:
        return None
    evening.look(at.hands_s(0), hand=True)
    evening.lay(at.first.layout)
    evening.look(2.0, hidden=sorted(covered))
    evening.look(at.hands_s(1), hand=True)
    evening.lay(at.turns[1][-1].layout)
    evening.look(5.0, hidden=sorted(covered))
    return at.turns[1][-1]


def late(evening: Evening, at: Turns) -> Match | None:
    """The last place of a turn changes two seconds later, and the next turn follows at once."""
    wanted = looks(at.first.layout)
    sites = sorted(_changed(at.before, at.first))
    if not sites:
        return None
    last = at.chance.choice(sites)
    if evening.lying.get(last) and len(sites) > 1:
        # What is put down, rather than what is taken up, comes late.
        last = next((s for s in sites if wanted.get(s)), last)
    evening.look(at.hands_s(0), hand=True)
    evening.lay({**wanted, last: evening.lying.get(last, EMPTY)})
    evening.look(2.0)
    evening.lay(wanted)
    evening.look(1.0)
    evening.look(at.hands_s(1), hand=True)
    evening.lay(at.turns[1][-1].layout)
    return at.turns[1][-1]


def lifted(evening: Evening, at: Turns) -> Match | None:
    """A piece is lifted for three seconds, looked at, and put back."""
    places = sorted(site for site, look in evening.lying.items() if look)
    if not places:
        return None
    site = at.chance.choice(places)
    lying = dict(evening.lying)
    evening.look(1.0, hand=True)
    evening.lay({**lying, site: lying[site][1:]})
    evening.look(3.0)
    evening.lay(lying)
    return at.before


def held(evening: Evening, at: Turns) -> Match | None:
    """A turn is played, and beside it a piece is held in a hand for three seconds and put back."""
    lying, now = looks(at.first.layout), _changed(at.before, at.first)
    places = sorted(site for site, look in lying.items() if look and site not in now)
    if not places:
        return None
    site = at.chance.choice(places)
    evening.look(1.0 + at.hands_s(0), hand=True)
    evening.lay({**lying, site: lying[site][1:]})
    evening.look(3.0)
    evening.lay(lying)
    return at.first


def done_below_a_hand(evening: Evening, at: Turns) -> Match | None:
    """The end of a turn is touched while the hand still plays its last step."""
    if not at.shows(0):
        return None
    played = [at.before, *at.turns[0]]
    number = max(n for n, m in enumerate(at.turns[0]) if m.log[-1].move.actor is Actor.PLAYER)
    last, begun = at.turns[0][number].log[-1].move, played[0]
    if played[number].state.touches(last):
        # Only what follows it closes the turn; until then it is open.
        begun, last = played[number], Move.parse(f"p{last.player} done")
        if begun.why_not(last) or looks(ended(begun, last).layout) == looks(at.first.layout):
            return None
    evening.look(at.hands_s(0), hand=True)
    if begun is not at.before:
        evening.lay(begun.layout)
        evening.look(2.0)
        evening.look(STEP_S, hand=True)
    if not evening.table.match.why_not(last):
        evening.touch(last)
    evening.look(1.0, hand=True)
    evening.lay(at.first.layout)
    return at.first


LEGAL: Mapping[str, Situation] = {
    each.__name__: each
    for each in (
        turn, step_by_step, fast_hands, two_turns, turn_by_turn, place_by_place,
        mind_changed(1.0), mind_changed(5.0), mind_changed(20.0), there_and_back, taken_back,
        sleeve, late, lifted, held, done_below_a_hand,
    )
}  # fmt: skip


def _alternatives(at: Turns) -> tuple[Match, Match] | None:
    """Two visible steps that the same player may take next, either of which hands can undo."""
    asked = at.before.prompt
    if asked is None or asked.actor is not Actor.PLAYER:
        return None
    lying = looks(at.before.layout)
    found: list[Match] = []
    moves = at.before.legal_moves()
    at.chance.shuffle(moves)
    for move in moves[:40]:
        after = at.before.clone()
        after.push(move)
        now = after.prompt
        chance = now is not None and now.actor is not Actor.PLAYER
        if chance or looks(after.layout) == lying:
            continue
        if all(looks(after.layout) != looks(other.layout) for other in found):
            found.append(after)
        if len(found) == 2:
            return found[0], found[1]
    return None


def _may_follow(one: Match, other: Match) -> bool:
    """True if the last move of ``other`` may follow ``one`` and look the same."""
    move = other.log[-1].move
    if one.why_not(move):
        return False
    after = one.clone()
    after.push(move)
    return looks(after.layout) == looks(other.layout)


def _further(match: Match, chance: Random) -> Match | None:
    """``match`` after a visible step more of the same player; None if there is none."""
    moves = [m for m in match.legal_moves() if m.player == match.log[-1].move.player]
    chance.shuffle(moves)
    for move in moves:
        after = match.clone()
        after.push(move)
        if looks(after.layout) != looks(match.layout):
            return after
    return None


def _changed(one: Match, other: Match) -> set[str]:
    """Sites that look different."""
    a, b = looks(one.layout), looks(other.layout)
    return {site for site in {**a, **b} if a.get(site) != b.get(site)}
