"""Courses that a turn can take, worked out on the ring alone, and those that lead to where all are
seen to stand.

A turn is a placement, the ram that is due if somebody is in reach, and how far that came. Where
hands have played two turns since the last look, the first one leaves no trace of its own: the card
of the next player covers its card, and whoever was rammed has moved again. So its courses are those
after which the next player's card explains the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rules.games.trilithen_knallen.components import NEXT, NOBODY, PREVIOUS, RING, STEP
from rules.games.trilithen_knallen.placing import playable
from rules.games.trilithen_knallen.ramming import announce, strike
from rules.games.trilithen_knallen.state import FREE, GONE, Phase, TrilithenState

Seen = tuple[tuple[int, int], ...]
"""Colours of trilithons, and the fields of the track on which they are seen."""
Places = tuple[int, ...]
"""Fields of all trilithons, by colour."""


@dataclass(frozen=True, eq=False)
class Course:
    """A course of the rest of a turn."""

    colour: int
    start: int
    """The trilithon placed, and where; NOBODY if it was placed before."""
    way: int
    right: int
    """The direction of its ram and the number of cards that were right; NOBODY without one."""
    places: Places
    """Fields of all trilithons behind it."""
    state: TrilithenState
    """The position that holds what was paid, and the ram."""

    @property
    def paid(self) -> object:
        """Key that tells it from another one that ends with all at the same places."""
        points, lives = self.state.points, self.state.lives
        return tuple(map(tuple, points)), tuple(lives)


@dataclass(frozen=True)
class Ring:
    """A position, the same as others for whoever only looks at the ring."""

    key: tuple[object, ...]
    state: TrilithenState = field(compare=False)

    @staticmethod
    def of(state: TrilithenState) -> Ring:
        """``state``, which is not changed any more."""
        return Ring(
            (
                state.phase, state.turn, state.own, state.simple, tuple(state.bars),
                tuple(state.place_of), tuple(map(tuple, state.points)), tuple(state.lives),
                state.placed, state.rammer, state.direction, state.needed, state.right,
                _within_reach(state),
            ),
            state,
        )  # fmt: skip


def placed(state: TrilithenState, colour: int, place: int) -> TrilithenState:
    """``state`` with a trilithon that has just been placed."""
    after = state.clone()
    after.place_of[colour] = place
    after.settle()
    after.placed += (colour,)
    return after


def this_turn(ring: Ring, seen: Mapping[int, int], top: int | None) -> list[Course]:
    """Courses of the turn that lead to where all are ``seen``; ``top``: the card that has put the
    trilithon there, None if any may have: then one with the fewest cards stands for others."""
    return _this_turn(ring, tuple(seen.items()), top)


def next_turn(ring: Ring, seen: Mapping[int, int], top: int, hues: Sequence[int]) -> list[Course]:
    """Courses of the turn after which the next player comes to what is ``seen`` with ``top``: of
    those that differ in nothing that was paid the one with the fewest cards. ``hues``: colours of
    the cards that lie face up; if the next player's ram shows in these it is that."""
    found = _next_turn(ring, tuple(seen.items()), top)
    colours = Counter(hues)
    shown = [pair for pair in found if hues and _has_turned(pair[1], colours)]
    # A ram that has come to its end explains more than one whose trilithon goes along.
    ended = [(one, last) for one, last in shown if last.right == len(last.state.needed)]
    return [*dict.fromkeys(one for one, _ in ended or shown or found)]


def next_shows(ring: Ring, seen: Mapping[int, int], top: int, hues: Sequence[int]) -> bool:
    """True if the next player's ram shows in what is ``seen`` and in the colours ``hues`` of the
    cards that lie face up."""
    colours = Counter(hues)
    found = _next_turn(ring, tuple(seen.items()), top)
    return any(_has_turned(last, colours) for _, last in found)


def skip_leads(state: TrilithenState, seen: Mapping[int, int], top: int) -> bool:
    """True if nobody has moved, or the next player after a turn that was skipped."""
    places = tuple(state.place_of)
    skipped = Course(NOBODY, NOBODY, NOBODY, NOBODY, places, state)
    stays = _agrees(places, tuple(seen.items()))
    return stays or any(_leads_on(skipped, seen, top))


def _has_turned(last: Course, hues: Counter[int]) -> bool:
    """True if the cards ``hues`` lie open in the ram ``last``, the last of them perhaps wrong."""
    needed = last.state.needed
    if last.way == NOBODY:
        return False
    if last.right == len(needed):
        return hues == Counter(needed)
    right = (hues & Counter(needed[: hues.total()])).total()
    return hues == Counter(needed[: hues.total()]) or right == hues.total() - 1 == last.right


def _within_reach(state: TrilithenState) -> frozenset[int]:
    """The fields where a card that the player may hold puts a trilithon."""
    cards = playable(state, state.turn)
    return frozenset(place for card in cards for place in (card, PREVIOUS[card]))


@lru_cache(maxsize=64)
def _this_turn(ring: Ring, seen: Seen, top: int | None) -> list[Course]:
    state, standing = ring.state, dict(seen)
    if state.phase is not Phase.PLACE:
        return _told_apart((one for one in _all_courses(ring) if _agrees(one.places, seen)), seen)
    if top is not None:
        return _told_apart(_courses(state, (PREVIOUS[top], top), seen), seen)
    own = state.placeable(state.turn)
    moved = [c for c in own if standing.get(c) not in (None, state.place_of[c])]
    found = [*_courses(state, tuple(standing[colour] for colour in moved), seen)]
    if not found and moved:
        every = _all_courses(ring)
        found = [one for one in every if one.colour in moved and _agrees(one.places, seen)]
    return _by_payment(found)


def _told_apart(courses: Iterable[Course], seen: Seen) -> list[Course]:
    """The ``courses``; of those in which what was placed, or the rammer, is not ``seen`` one for
    each payment and direction."""
    shows: list[Course] = []
    lost: list[Course] = []
    for one in courses:
        (shows if {_rammer(one), one.colour} <= {*dict(seen), NOBODY} else lost).append(one)
    return shows + _by_payment(lost)


def _rammer(course: Course) -> int:
    return course.colour if course.way == NOBODY else course.state.rammer


def _by_payment(courses: Iterable[Course]) -> list[Course]:
    found: dict[object, Course] = {}
    for one in courses:
        found.setdefault((one.paid, one.way), one)
    return [*found.values()]


@lru_cache(maxsize=64)
def _next_turn(ring: Ring, seen: Seen, top: int) -> list[tuple[Course, Course]]:
    ends: dict[object, Course] = {}
    standing = dict(seen)
    for one in _all_courses(ring):
        if _rammer(one) in standing:
            ends.setdefault((one.places, one.paid), one)
    found: dict[object, tuple[Course, Course]] = {}
    for one in ends.values():
        for last in _leads_on(one, standing, top):
            found.setdefault((one.paid, last.paid, last.state.needed), (one, last))
    return [*found.values()]


@lru_cache(maxsize=8)
def _all_courses(ring: Ring) -> list[Course]:
    return sorted(_courses(ring.state, range(RING), ()), key=lambda course: course.right)


def _agrees(places: Sequence[int], seen: Seen) -> bool:
    return all(places[colour] == place for colour, place in seen)


def _courses(state: TrilithenState, starts: Sequence[int], seen: Seen) -> Iterator[Course]:
    """The courses of the rest of a turn that come to what is ``seen``."""
    if state.phase is Phase.FLIP:
        yield from _ram(state, NOBODY, NOBODY, seen)
        return
    if state.phase is Phase.RAM:
        for colour, way, _, _ in state.reaches():
            after = state.clone()
            announce(after, colour, way)
            yield from _ram(after, NOBODY, NOBODY, seen)
        return
    seat, cards = state.turn, _within_reach(state)
    two = len(state.waiting(seat)) > 1
    for colour in state.placeable(seat):
        for start in range(RING) if two else starts:
            if start not in cards or start == state.place_of[colour]:
                continue
            if not _is_free(state, start, colour):
                continue
            after = placed(state, colour, start)
            if two:
                yield from _two(after, colour, start, starts, seen)
            if not two or start in starts:
                yield from _placed(after, colour, start, seen)


def _two(
    state: TrilithenState, colour: int, start: int, starts: Sequence[int], seen: Seen
) -> Iterator[Course]:
    """TK26: the second one that waits follows. One of both at least stays where it was placed, and
    is ``seen`` there if it is seen at all."""
    (second,) = state.waiting(state.turn)
    standing = dict(seen)
    there = standing.get(second)
    cards = _within_reach(state)
    for place in (start for start in starts if start in cards):
        if (place == there or standing.get(colour) == start) and _is_free(state, place, second):
            yield from _placed(placed(state, second, place), colour, start, seen)


def _placed(state: TrilithenState, colour: int, start: int, seen: Seen) -> Iterator[Course]:
    """The ram that is due, if there is any."""
    reaches = state.reaches()
    if not reaches and _agrees(state.place_of, seen):
        yield Course(colour, start, NOBODY, NOBODY, tuple(state.place_of), state)
    for rammer, way, _, _ in reaches:
        after = state.clone()
        announce(after, rammer, way)
        yield from _ram(after, colour, start, seen)


def _ram(state: TrilithenState, colour: int, start: int, seen: Seen) -> Iterator[Course]:
    """Courses of a ram that was announced, by how far it comes."""
    way, places = state.direction, state.place_of[:]
    stood, last = places[state.rammer], len(state.needed)
    there = [place for rammer, place in seen if rammer == state.rammer]
    for right in range(state.right, last):
        places[state.rammer] = (stood + STEP[way] * right) % RING
        if _agrees(places, seen):
            yield Course(colour, start, way, right, tuple(places), state)
    # Who rams comes to stand beside where the other one stood.
    if there in ([], [(stood + STEP[way] * (last - 1)) % RING]):
        after = state.clone()
        strike(after)
        if _agrees(after.place_of, seen):
            yield Course(colour, start, way, last, tuple(after.place_of), after)


def _leads_on(course: Course, seen: Mapping[int, int], top: int) -> Iterator[Course]:
    """The next player's courses to what is ``seen`` with the card ``top``."""
    before, places = course.state, course.places
    others = {c for c, place in seen.items() if places[c] != place}
    seats = [(before.turn + step) % before.players for step in range(1, before.players + 1)]
    left = [seat for seat in seats if any(places[c] != GONE for c in before.own[seat])]
    if len(left) < 2:
        return
    colours = [
        colour
        for colour in before.own[left[0]]
        if colour in seen and _may_have_rammed(places, colour, others - {colour}, seen)
    ]
    if not colours:
        return
    state = before.clone()
    state.turn, state.placed, state.place_of = left[0], (), [*places]
    state.settle()
    for colour in set(colours).intersection(state.placeable(state.turn)):
        for start in (PREVIOUS[top], top):
            if start != places[colour] and _is_free(state, start, colour):
                yield from _placed(placed(state, colour, start), colour, start, (*seen.items(),))


def _may_have_rammed(places: Places, colour: int, moved: set[int], seen: Mapping[int, int]) -> bool:
    """True if nobody else has ``moved``, or ``colour`` may have rammed one of them: it stands
    beside where that one stood."""
    beside = {(seen[colour] + 2) % RING, (seen[colour] - 2) % RING}
    return not moved or any(places[one] in beside for one in moved)


def _is_free(state: TrilithenState, place: int, colour: int) -> bool:
    return {state.ring[place], state.ring[NEXT[place]]} <= {FREE, colour}
