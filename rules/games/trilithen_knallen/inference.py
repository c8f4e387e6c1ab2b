"""What may have led to what lies on the table: which moves a picture speaks for, and what may lie
where hands have not finished.

A turn leaves few traces: the trilithon stands elsewhere and the card that put it there lies on the
discard pile, until the next one covers it. Of the display a picture shows what still lies face up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import log

from rules.core import Board, Boards, Inference, Json, Lies, Move, Thought
from rules.games.trilithen_knallen.components import (
    COLOURS,
    DAY_CARD,
    DISCARDS,
    DISPLAY_CARD,
    FIRST_TRILITHON,
    HUES,
    NEXT,
    NOBODY,
    PILE,
    PREVIOUS,
    RING,
    SPOT,
    SPOTS,
    STEP,
    TRACK,
    TRACK_START,
    UNBOUND,
    front,
)
from rules.games.trilithen_knallen.moves import (
    DONE,
    FLIP,
    MEANING,
    PLACE,
    RAM,
    SHOW,
    START,
    SWAP,
    discard,
)
from rules.games.trilithen_knallen.placing import fitting_cards, may_be_stuck, places
from rules.games.trilithen_knallen.prompts import legal_moves, rides
from rules.games.trilithen_knallen.ramming import advance, announce, strike
from rules.games.trilithen_knallen.state import FREE, Phase, TrilithenState

Seen = Sequence[tuple[str, str]]
"""Kind and pose of everything that is seen at a site."""
Standing = Mapping[int, int]
"""Where trilithons stand, by colour."""
Shows = Callable[[TrilithenState, int, int, Standing, Counter[int]], bool]
"""True if a ram of a colour in a direction shows in where all stand, and in the colours of the
cards that lie face up."""

_PLACE, _RAM, _FLIP, _SHOW = Phase.PLACE, Phase.RAM, Phase.FLIP, Phase.SHOW
_SWAP, _PEEK, _START = Phase.SWAP, Phase.PEEK, Phase.START
_TURNING = (Phase.FLIP, Phase.SHOW, Phase.SWAP)
_TRILITHON = {f"trilithon {colour}": number for number, colour in enumerate(COLOURS)}
_DAY = {f"card {name}": card for name, card in DAY_CARD.items()}
_FACE = {f"card {name}": card for name, card in DISPLAY_CARD.items()}
MOST_ALIKE = 4
"""How many placements are followed that lead to the same end."""
SOURCES = 2
"""How many spots are followed from which an unknown trilithon card may have come."""
UNUSUAL = 2.0
"""Natural-log odds against what happens seldom."""
TWICE = UNUSUAL + log(15)
"""The same card of fifteen was turned up, unseen, before the one that is seen."""
FARTHEST = RING // 2
"""No ram reaches farther."""


# -- moves a picture speaks for --------------------------------------------------------------


class TrilithenInference(Inference[TrilithenState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def seconds(self, state: TrilithenState, move: Move) -> float:
        """Every card that is right is turned, looked at and turned back."""
        if move.verb == "ride":
            return 1.0 + 1.5 * int(move.args[0])
        return super().seconds(state, move)

    def may_lie(
        self, state: TrilithenState, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        found = {}
        for site in sites:
            kinds = [kind for kind, _ in board[site]]
            if _may_lie(state, site, kinds):
                found[site] = Lies.FOR_NOW
            elif _begins(state, site, kinds):
                found[site] = Lies.BEGUN
        return found

    def plausible(
        self, state: TrilithenState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """The ``moves`` that may have been made after ``since``, each with what speaks against
        it."""
        offered = set(moves)
        found = [move for move in _likely(state, board, offered) if move in offered]
        if state.phase is _SHOW and since:
            # Whoever turned a card up just now left it as it is seen; what was turned back is a
            # ride.
            seen = {card for _, card in _faces(board)}
            found = [move for move in found if MEANING[move.text][1] in seen]
        covered = state.phase is not Phase.BARS
        return [
            Thought(
                move, _rarity(state, move, since), _stands_for_many(state, move, board), covered
            )
            for move in found
        ]

    def fitting(
        self, state: TrilithenState, moves: Sequence[Move], boards: Boards
    ) -> Sequence[Move]:
        """The ``moves`` that the picture does not leave in doubt altogether: a card may be
        badly seen, but then nobody concludes that it was turned up."""
        return [
            move
            for move in moves
            if move.verb != "flip"
            or (not _in_doubt(move.args[0], boards) and _came_up(move, boards))
        ]

    def essence(self, state: TrilithenState) -> Json:
        """The part of a position that matters for going on.

        Not what the display hid, for nobody may rely on what was turned back (TK23), and not the
        cards that others have covered: a number on either pillar was as good.
        """
        display = [card if up else UNBOUND for card, up in zip(state.card, state.up, strict=True)]
        ram = (state.rammer, state.direction, state.right) if state.rammer != NOBODY else ()
        return (
            state.phase,
            state.turn,
            state.bars,
            state.place_of,
            state.points,
            state.lives,
            state.won,
            state.placed,
            ram,
            state.spot,
            display,
            state.deck.discards[-1:],
            len(state.deck.discards),
        )

    def told_later(self, states: Sequence[TrilithenState]) -> bool:
        """True if a ram is under way in some of ``states``, and over in others because of the last
        card: the next one that is turned up tells the direction, or the next trilithon."""
        under_way = [state for state in states if state.phase is _FLIP and any(state.up)]
        over = [state for state in states if state.phase is _PEEK or _just_ended(state)]
        return bool(under_way) and len(under_way) + len(over) == len(states)


def _likely(state: TrilithenState, board: Board, offered: Collection[Move]) -> Sequence[Move]:
    """The moves that may have led to ``board``, if they are among the legal ones, ``offered``."""
    phase = state.phase
    if phase is _PLACE:
        return _placings(state, board, offered)
    if phase is _RAM:
        return _rams(state, board)
    if phase is _FLIP:
        # Where somebody else's ram explains everything, what lies face up is no part of this one.
        rammed = _told_by_next_turn(state, board, _success_shows)
        return rammed or _flips(state, board) + _rides(state, board)
    if phase is _SHOW:
        return _shows(state, board)
    if phase is _SWAP:
        return _swaps(state, board)
    if phase is _PEEK:
        return [DONE[state.owner(state.target)]]
    if phase is _START:
        return _starts(state, board)
    return legal_moves(state)


def _rarity(state: TrilithenState, move: Move, since: Sequence[Move]) -> float:
    """Cards are seldom turned up and back without being seen, and turns seldom skipped."""
    verb = move.verb
    if verb == "flip":
        # A card that lies face up shows that it was turned up once, and no more than that.
        return TWICE if any(m.verb == "flip" and m.args == move.args for m in since) else 0.0
    unusual = verb in ("ride", "discard") or (verb == "done" and state.phase is _PLACE)
    return UNUSUAL if unusual else 0.0


def _stands_for_many(state: TrilithenState, move: Move, board: Board) -> bool:
    """True if a card that is turned back by now may have been another one, or a trilithon may have
    been placed elsewhere as well: the next player's card covers the number, and it rammed, or may
    have, somebody who has moved since."""
    if move.verb == "show" and state.phase is _SHOW:
        return MEANING[move.text][1] not in {card for _, card in _faces(board)}
    if move.verb != "place" or state.phase is not _PLACE:
        return False
    _, colour, card, place = MEANING[move.text]
    top, seen = _top(board), _standing(board)
    if top in (None, card, *state.deck.discards[-1:]):
        return False
    after = _placed(state, colour, place)
    rammed = [target for c, _, target, _ in after.reaches() if c == colour]
    # It may have come as far as it stands by a ram, too.
    touching = {state.ring[ahead] for ahead in _ahead(place)} - {FREE, colour}
    stands = seen.get(colour) == place
    both = touching if stands else {*rammed, *touching, *([colour] if rammed else [])}
    moved = any(seen.get(c) not in (None, after.place_of[c]) for c in both)
    return moved and _rams_told(state, colour, board, top) != 1


def _rams_told(state: TrilithenState, colour: int, board: Board, top: int | None) -> int:
    """The number of rams of ``colour`` that lead to where all are seen, but for whoever the card on
    ``top`` has placed since."""
    seen = _standing(board)
    rest = {c: place for c, place in seen.items() if c == colour or top not in _fields(place)}
    if colour not in rest or len(rest) == len(seen):
        return 0
    found = 0
    for start in {*_before_a_ram(state, board, colour, rest[colour])}:
        after = _placed(state, colour, start)
        rams = [way for c, way, _, _ in after.reaches() if c == colour]
        found += sum(_ram_leads_to(after, colour, way, rest) for way in rams)
    return found


def _placed(state: TrilithenState, colour: int, place: int) -> TrilithenState:
    """``state`` with a trilithon that has just been placed."""
    after = state.clone()
    after.place_of[colour] = place
    after.settle()
    after.placed += (colour,)
    return after


def _is_free(state: TrilithenState, place: int, colour: int) -> bool:
    return {state.ring[place], state.ring[NEXT[place]]} <= {FREE, colour}


def _fields(place: int) -> tuple[int, int]:
    return place, NEXT[place]


def _in_doubt(spot: str, boards: Boards) -> bool:
    kinds = {kind for look in boards.get(spot, ()) for kind, _ in look}
    return "card back" in kinds and len(boards[spot]) > 1


def _came_up(move: Move, boards: Boards) -> bool:
    """True if the card that a flip names is seen."""
    kinds = {kind for look in boards.get(move.args[0], ()) for kind, _ in look}
    return len(move.args) == 1 or f"card {move.args[1]}" in kinds


def _just_ended(state: TrilithenState) -> bool:
    return state.phase is _PLACE and not state.placed and bool(state.turned_back)


def _placings(state: TrilithenState, board: Board, offered: Collection[Move]) -> list[Move]:
    seat, top, seen = state.turn, _top(board), _standing(board)
    rows = PLACE[seat]
    tried: dict[Move, None] = {}
    if top is not None:
        by_top = [move for colour in state.placeable(seat) for move in rows[colour][top]]
        by_top = [move for move in by_top if move in offered]
    else:
        by_top = _shuffled_away(state)
    if by_top:
        whole_turn = [move for move in by_top if _turn_leads_to(state, move, seen)]
        if whole_turn:
            return whole_turn[:MOST_ALIKE]
        tried.update(dict.fromkeys(by_top))
    for colour in state.placeable(seat):
        place = seen.get(colour)
        if place is None:
            continue
        for start in (place, *_before_a_ram(state, board, colour, place)):
            # Either pillar may stand on the number of the card.
            either = rows[colour][start][0], rows[colour][NEXT[start]][1]
            fits = [move for move in either if move in offered]
            # Which of the two it was is seen as long as no other card covers it.
            tried.update(dict.fromkeys(fits if top in _fields(start) else fits[:1]))
    return list(tried) + _skips(state, board)


def _shuffled_away(state: TrilithenState) -> list[Move]:
    """TK16: any card, if those of this turn may have become the pile already."""
    drawn = state.full_hand() - state.deck.hand_size(state.turn) + 1
    return places(state) if state.deck.pile_size < drawn else []


def _skips(state: TrilithenState, board: Board) -> list[Move]:
    seat, top, seen = state.turn, _top(board), _standing(board)
    mine = state.placeable(seat)
    moved = any(state.place_of[c] >= 0 and seen.get(c) != state.place_of[c] for c in mine)
    if moved or not may_be_stuck(state):
        return []
    tried = [DONE[seat]]
    # A card that has put a trilithon down was not thrown away.
    if top is not None and not {top, PREVIOUS[top]} & set(seen.values()):
        tried.append(discard(seat, (top,)))
    if state.placed:
        tried += [RAM[seat][colour][way] for colour, way, _, _ in state.rams]
    return tried


def _standing(board: Board) -> dict[int, int]:
    """Where trilithons are seen on the track."""
    found = {}
    for place, site in enumerate(TRACK):
        for kind, _ in board.get(site, ()):
            if kind in _TRILITHON:
                found[_TRILITHON[kind]] = place
    return found


def _turn_leads_to(state: TrilithenState, move: Move, seen: Mapping[int, int]) -> bool:
    """True if all stand where they are ``seen`` when the turn has taken some course."""
    _, colour, _, place = MEANING[move.text]
    after = _placed(state, colour, place)
    if _agrees(after, seen):
        return True
    return any(_ram_leads_to(after, c, way, seen) for c, way, _, _ in after.reaches())


def _ram_leads_to(
    state: TrilithenState, colour: int, way: int, seen: Mapping[int, int]
) -> bool:  # fmt: skip
    after = state.clone()
    announce(after, colour, way)
    start, fields = after.place_of[colour], len(after.needed) - 1
    for steps in range(fields + 1):
        after.place_of[colour] = (start + STEP[way] * steps) % RING
        if _agrees(after, seen):
            return True
    after.place_of[colour] = start
    strike(after)
    return _agrees(after, seen)


def _agrees(state: TrilithenState, seen: Mapping[int, int]) -> bool:
    """True if nobody is seen where they do not stand."""
    return all(state.place_of[colour] == place for colour, place in seen.items())


def _before_a_ram(
    state: TrilithenState, board: Board, colour: int, place: int
) -> Iterable[int]:  # fmt: skip
    """Where it may have materialised, if it stands at ``place`` after ramming somebody who has
    slid away since."""
    for way, ahead in enumerate(_ahead(place)):
        target = state.ring[ahead]
        if target in (FREE, colour):
            continue
        for steps in _slides(board, target, state.place_of[target], way):
            start = (place - STEP[way] * steps) % RING
            if _is_free(state, start, colour):
                yield start


def _ahead(place: int) -> tuple[int, int]:
    """The fields that a trilithon touches, in the directions of a ram."""
    return NEXT[NEXT[place]], PREVIOUS[place]


def _slides(board: Board, target: int, stood: int, way: int) -> Iterable[int]:
    """How far a ram may have reached that pushed a trilithon away from where it stood."""
    seen = _standing(board)
    now = seen.get(target)
    if now is None:
        return range(1, FARTHEST)
    slid = (now - stood) * STEP[way] % RING
    # TK7: it may have been stopped by the next one.
    stopped = (now + 2 * STEP[way]) % RING in seen.values()
    return range(slid, FARTHEST if stopped else slid + 1) if 0 < slid < FARTHEST else ()


def _top(board: Board) -> int | None:
    """The day card that lies on the discard pile."""
    for kind, _ in board.get(DISCARDS, ()):
        return _DAY.get(kind)
    return None


def _flips(state: TrilithenState, board: Board) -> list[Move]:
    """Cards that lie face up, and where the trilithon cards among them may have come from."""
    if not _may_be_of_this_ram(state, board):
        return []
    row = FLIP[state.turn]
    right: dict[Move, None] = {}
    wrong: dict[Move, None] = {}
    for site, card in _faces(board):
        spot = SPOT[site]
        if spot >= len(state.up) or (state.up[spot] and state.card[spot] == card):
            continue
        fits = card % HUES == state.needed[state.right]
        # TK31: a trilithon card changed places, so it was turned up elsewhere.
        sources = [spot] if card < FIRST_TRILITHON else _sources(state, card, spot)
        for source in sources:
            if not state.up[source]:
                (right if fits else wrong)[row[source]] = None
    # Two of one colour may have been turned up in either order, and a wrong card comes last.
    return list(right)[:1] or list(wrong)


def _may_be_of_this_ram(state: TrilithenState, board: Board) -> bool:
    """True if the cards that lie face up may have been turned up in the ram that is under way.

    Once somebody has played another card this ram is over: by these cards, if they are not that
    player's.
    """
    if _top(board) in (None, *state.deck.discards[-1:]):
        return True
    faces = {SPOT[site]: card for site, card in _faces(board)}
    if any(card >= FIRST_TRILITHON for card in faces.values()):
        return True
    new = {spot: card for spot, card in faces.items() if not state.up[spot]}
    fresh = [card for spot, card in new.items() if spot not in state.turned_back]
    unread = sum(not board.get(site) for site in SPOTS[: len(state.up)])
    return _end_ram(state, list(new.values()), unread) or _end_ram(state, fresh, unread)


def _end_ram(state: TrilithenState, cards: Sequence[int], unread: int) -> bool:
    """True if ``cards`` and ``unread`` others are all that are needed next, or the first of them
    and a wrong one."""
    found, needed = Counter(card % HUES for card in cards), state.needed[state.right :]
    for right in range(len(needed) + 1):
        due = Counter(needed[:right])
        wrong, missing = (found - due).total(), (due - found).total()
        last = right < len(needed)
        if wrong <= last and missing + (last - wrong) <= unread:
            return True
    return False


def _sources(state: TrilithenState, card: int, spot: int) -> list[int]:
    if card in state.card:
        return [source for source in (state.card.index(card),) if not state.up[source]]
    down = [
        source
        for source, bound in enumerate(state.card)
        if bound == UNBOUND and not state.up[source] and source != spot
    ]
    return down[:SOURCES]


def _rides(state: TrilithenState, board: Board) -> list[Move]:
    """Rides after which the next turn explains all that is seen. Else as far as the rammer has
    come, not at all, or all the way: where it is seen somebody may have pushed it since."""
    found = rides(state)
    if not found:
        return []
    told = _told_by_next_turn(state, board, _beginning_shows)
    if told:
        return told
    way, start = STEP[state.direction], state.place_of[state.rammer]
    there = _standing(board).get(state.rammer)
    last = len(found) - 1
    come = [
        number for number in range(last) if (start + way * (state.right + number)) % RING == there
    ]
    return [found[number] for number in dict.fromkeys((*come, 0, last))]


def _told_by_next_turn(state: TrilithenState, board: Board, shows: Shows) -> list[Move]:
    """The rides with which the ram under way may have ended, its cards turned back, so that a ram
    in the next turn explains where all stand and what lies face up."""
    top, faces = _top(board), Counter(card % HUES for _, card in _faces(board))
    if top is None or top in state.deck.discards[-1:] or not faces:
        return []
    seen = _standing(board)
    return [
        move
        for number, move in enumerate(rides(state))
        if _turn_shows(_after_ram(state, number), top, seen, faces, shows)
    ]


def _after_ram(state: TrilithenState, further: int) -> TrilithenState:
    """The next player's turn, if so many ``further`` cards were right."""
    after = state.clone()
    if state.right + further == len(state.needed):
        strike(after)
    else:
        advance(after, state.right + further)
    if len(after.survivors()) > 1:
        after.turn = after.next_seat()
    after.placed = ()
    return after


def _turn_shows(
    state: TrilithenState, card: int, seen: Standing, faces: Counter[int], shows: Shows
) -> bool:
    """True if all stand as ``seen`` and the colours ``faces`` lie open after a turn in which
    ``card`` was played and somebody was rammed."""
    for colour in state.placeable(state.turn):
        for start in (card, PREVIOUS[card]):
            if {state.ring[start], state.ring[NEXT[start]]} <= {FREE, colour}:
                after = state.clone()
                after.place_of[colour] = start
                after.settle()
                after.placed = (colour,)
                if any(shows(after, c, way, seen, faces) for c, way, _, _ in after.reaches()):
                    return True
    return False


def _beginning_shows(
    state: TrilithenState, colour: int, way: int, seen: Standing, faces: Counter[int]
) -> bool:
    """True if the first cards of a ram lie face up, and nobody has moved yet."""
    if not _agrees(state, seen):
        return False
    after = state.clone()
    announce(after, colour, way)
    number = faces.total()
    return number < len(after.needed) and faces == Counter(after.needed[:number])


def _success_shows(
    state: TrilithenState, colour: int, way: int, seen: Standing, faces: Counter[int]
) -> bool:
    """True if all cards of a ram lie face up, and all stand where it has brought them."""
    after = state.clone()
    announce(after, colour, way)
    if faces.total() != len(after.needed) or faces != Counter(after.needed):
        return False
    strike(after)
    return _agrees(after, seen)


def _rams(state: TrilithenState, board: Board) -> list[Move]:
    seen = _standing(board)
    leading = [one for one in state.rams if _ram_leads_to(state, one[0], one[1], seen)]
    return [RAM[state.turn][colour][way] for colour, way, _, _ in leading or state.rams]


def _shows(state: TrilithenState, board: Board) -> list[Move]:
    spot = state.spot
    legal = legal_moves(state)
    seen = {card for site, card in _faces(board) if card >= FIRST_TRILITHON or SPOT[site] == spot}
    shown = [move for move in (SHOW[spot][card] for card in seen) if move in legal]
    return shown or legal


def _swaps(state: TrilithenState, board: Board) -> list[Move]:
    spot, row = state.spot, SWAP[state.turn][state.spot]
    card = state.card[spot]
    there = [SPOT[site] for site, seen in _faces(board) if seen == card and SPOT[site] != spot]
    return [row[other] for other in there] or legal_moves(state)


def _faces(board: Board) -> Iterable[tuple[str, int]]:
    """Display cards that lie face up."""
    for site in SPOTS:
        for kind, _ in board.get(site, ()):
            if kind in _FACE:
                yield site, _FACE[kind]


def _starts(state: TrilithenState, board: Board) -> list[Move]:
    """TK25: the lot is seen by who places first."""
    seen = _standing(board)
    return [
        START[seat]
        for seat in range(state.players)
        if not seen.keys().isdisjoint(state.waiting(seat))
    ]


# -- what may lie there for the moment -------------------------------------------------------

_PLACE_AT = {site: place for place, site in enumerate(TRACK)}


def _may_lie(state: TrilithenState, site: str, kinds: Sequence[str]) -> bool:
    """True if hands that have not finished may have left this."""
    if site.endswith("-area"):
        # Points, lives and hands, in whatever order people like.
        return True
    if site in SPOT:
        return _may_still_lie_up(state, SPOT[site], kinds)
    if site == PILE:
        # TK16: the discards are just being shuffled.
        return not kinds and not state.deck.discards
    if site == TRACK_START:
        return _may_wait(state, kinds)
    place = _PLACE_AT.get(site)
    return place is not None and (
        _may_not_have_moved(state, place, kinds) or _may_be_on_its_way(state, place, kinds)
    )


def _begins(state: TrilithenState, site: str, kinds: Sequence[str]) -> bool:
    """True if it may be a ``place`` half done: the trilithon in the hand, the card on the pile, or
    the card still in the hand."""
    if site == DISCARDS and _card_may_follow(state, kinds):
        return True
    if state.phase is _FLIP and state.physical:
        return not kinds and _PLACE_AT.get(site) in _moving(state)
    if state.phase is not _PLACE:
        return False
    if site == DISCARDS:
        return _card_may_be_played(state, kinds)
    place = _PLACE_AT.get(site)
    if kinds or place is None:
        return False
    standing = state.ring[place]
    return standing in state.placeable(state.turn) and state.place_of[standing] == place


def _moving(state: TrilithenState) -> set[int]:
    """5.9: places of trilithons that ride when cards were turned up and back, or are struck."""
    after = state.clone()
    strike(after)
    struck = {before for before, now in zip(state.place_of, after.place_of, strict=True)
              if before != now}  # fmt: skip
    return {state.place_of[state.rammer], state.place_of[state.target], *struck}


def _may_still_lie_up(state: TrilithenState, spot: int, kinds: Sequence[str]) -> bool:
    """The cards of a turn are turned back by and by."""
    card = _FACE.get(kinds[0]) if len(kinds) == 1 else None
    if card is None or spot not in state.turned_back or card != state.card[spot]:
        return False
    # One that fits a ram to come may well have been turned up anew.
    return all(
        state.bars[front(state.place_of[colour], way)] != card % HUES
        for colour, way, _, _ in state.rams
    )


def _card_may_follow(state: TrilithenState, kinds: Sequence[str]) -> bool:
    """A card that follows its trilithon; until then there lies the one before it, or none."""
    discards = state.deck.discards
    if not state.placed:
        return False
    before = discards[-2:-1]
    return [_DAY.get(kind) for kind in kinds] == before


def _card_may_be_played(state: TrilithenState, kinds: Sequence[str]) -> bool:
    card = _DAY.get(kinds[0]) if kinds else None
    if card is None or card in state.deck.discards:
        return False
    return state.deck.holds(state.turn, card) and card in fitting_cards(state)


def _may_wait(state: TrilithenState, kinds: Sequence[str]) -> bool:
    """Trilithons beside the track: those that wait, some of them in a hand, and lifted ones."""
    lifted = state.placeable(state.turn) if state.phase is _PLACE else []
    colours = [_TRILITHON.get(kind, NOBODY) for kind in kinds]
    return all(c in lifted or state.place_of[c] < 0 for c in colours if c != NOBODY)


def _may_be_on_its_way(state: TrilithenState, place: int, kinds: Sequence[str]) -> bool:
    """TK35: the rammer anywhere on its way while cards are turned."""
    if not state.right or state.rammer == NOBODY or state.phase not in _TURNING:
        return False
    gone = (place - state.place_of[state.rammer]) * STEP[state.direction] % RING
    if not kinds:
        return not gone
    return 0 < gone < len(state.needed) and [_TRILITHON.get(k) for k in kinds] == [state.rammer]


def _may_not_have_moved(state: TrilithenState, place: int, kinds: Sequence[str]) -> bool:
    """A trilithon that a ram has moved, and hands have not yet."""
    if not state.moved_from:
        return False
    if not kinds:
        standing = state.ring[place]
        return standing != FREE and state.moved_from[standing] != state.place_of[standing] == place
    colours = [_TRILITHON.get(kind, NOBODY) for kind in kinds]
    return len(colours) == 1 and colours[0] != NOBODY and state.moved_from[colours[0]] == place
