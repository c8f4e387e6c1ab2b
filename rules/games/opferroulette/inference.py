"""What the table tells of a turn: which cards can have been played, and what may lie there now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import inf

from rules.core import Belief, Board, Boards, Inference, Json, Lies, Move, Run, Runs, Thought
from rules.games.opferroulette.components import (
    CARD,
    CARDS,
    COLOUR,
    FACINGS,
    FIELDS,
    HAND,
    NEXT,
    NUMBER,
    NUMBER_CARDS,
    PIT,
    PIT_OF_CARD,
    PITS,
    SEAT,
    pits_hit,
)
from rules.games.opferroulette.layout import DISCARDS, OPEN, disc_of
from rules.games.opferroulette.moves import (
    BALL,
    DONE,
    FALL,
    PUT,
    REVERSE,
    ROLL,
    ROLL_FALL,
    START,
    TURN,
)
from rules.games.opferroulette.runs import (
    POSSIBLE,
    STEP,
    UNSEEN,
    Picture,
    Rules,
    Spot,
    Step,
    Way,
    Ways,
    may_be,
)
from rules.games.opferroulette.state import NOBODY, OpferrouletteState, Phase

RENEWED = 12
"""A pile as small as this may have been used up and made anew since the last look."""
MOST_UNSEEN = 2
"""So many cards may lie below those that are seen."""
MOST_SHUFFLED = 5
"""So many cards may have been shuffled into a new pile before anybody looked."""
MOST_ALIKE = 4
"""More answers than these are never asked for, so no more are worked out."""
IN_DOUBT = 6.0
"""Ways that cost this much more than the cheapest are no rivals, whatever the picture says."""
JUDGED = 4
"""Nobody is judged by more new cards at once than these."""
CLEARLY = 2.5
"""The picture must speak for an offering by this much (natural log)."""
COVERED = 2.5
"""Cards that lay side by side are seldom pushed together."""
LATELY = 3
"""A pile that was pushed together may show any of the last so many cards; of so many that came at
once nobody knows the order, and so which of them are out of sight first."""

Moves = tuple[Move, ...]
Starts = list[tuple[Spot, Step | None]]
_CARD_MOVES = {"roll": ROLL, "roll-fall": ROLL_FALL, "fall": FALL, "reverse": REVERSE}


# -- what may have been done ------------------------------------------------------------------


class OpferrouletteInference(Inference[OpferrouletteState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def runs(self, state: OpferrouletteState, seen: Mapping[str, Belief], *, at_once: bool) -> Runs:
        """The runs of moves that may have led to a picture, unless cards bring the offerings."""
        if state.phase in (Phase.OFFER, Phase.NEUTRAL):
            return Runs()
        if state.phase in (Phase.TURN, Phase.FALL):
            return _in_match(state, Picture(state, seen), at_once=at_once)
        return _set_up(state, seen)

    def fitting(
        self, state: OpferrouletteState, moves: Sequence[Move], boards: Boards
    ) -> Sequence[Move]:
        """Moves, allowed or not, whose cards may lie there; none if too many do to judge any."""
        looks = boards.get(DISCARDS, ())
        laid = {CARDS[card] for card in state.deck.discards}
        new = {kind.removeprefix("card ") for look in looks for kind, _ in look} - laid
        if len(new) > JUDGED:
            return []
        return [
            move
            for move in moves
            if not (move.verb in _CARD_MOVES or move.verb == "turn") or move.args[0] in new
        ]

    def plausible(
        self,
        state: OpferrouletteState,
        moves: Sequence[Move],
        board: Board,
        since: Sequence[Move],
    ) -> Iterable[Thought]:
        """The offerings that cards may have brought: after the last one of a player those that the
        next one laid before are explained. After that, whole runs are looked at."""
        alone = len(moves) == 1
        if state.phase in (Phase.OFFER, Phase.NEUTRAL):
            covered = alone or state.phase is Phase.OFFER
            yield from (Thought(move, covered=covered) for move in _offered(state, moves, board))
        elif state.phase in (Phase.TRILITHON, Phase.BALL):
            yield from (Thought(move, covered=alone) for move in moves)

    def may_lie(
        self,
        state: OpferrouletteState,
        sites: Collection[str],
        board: Board,
        moves: Sequence[Move],
    ) -> Mapping[str, Lies]:
        """Cards were pushed together, others went on before it was their turn, or what the last
        fall hit lies still."""
        played = [move for move in moves if move.verb in _CARD_MOVES or move.verb == "turn"]
        hit: list[str] = []
        if played and played[-1].verb == "turn":
            hit = [PITS[pit] for pit in pits_hit(state.ball, CARD[played[-1].args[0]])]
        open_end = not moves and _halfway(state, board)
        found = dict.fromkeys(sites, Lies.UNJUDGED) if open_end else {}
        # The ball is on its way with the card that rolls it.
        found.update(super().may_lie(state, sites, board, moves))
        # An offering on one of the same colour must be told, since it is not to be seen.
        how = Lies.UNTOLD if state.phase is Phase.TRILITHON else Lies.FOR_NOW
        right = (s for s in sites if s in hit or _may_lie(state, s, board))
        return {**found, **dict.fromkeys(right, how)}

    def essence(self, state: OpferrouletteState) -> Json:
        """The position without the order of the open cards, which nobody needs."""
        data = state.to_json()
        data["discards"] = sorted(data["discards"])
        return data


def _in_match(state: OpferrouletteState, picture: Picture, *, at_once: bool) -> Runs:
    """The runs from a turn of the match."""
    seat, deck = state.turn, state.deck
    spot = Spot(
        state.ball, state.facing, falling=state.phase is Phase.FALL,
        played=state.hand_limit(seat) - deck.hand_size(seat), begun=state.played,
        colour=state.colour, pile=deck.pile_size, laid=len(deck.discards),
        through=state.last_through - state.through,
    )  # fmt: skip
    in_hand = [frozenset(deck.playable(seat)) for seat in range(state.players)]
    rules = Rules(
        state.players, seat, state.alone, state.pits, in_hand, frozenset(deck.drawable()),
        frozenset(deck.discards), at_once,
    )  # fmt: skip
    near, complete = _near(
        (ways, [(spot._replace(left=ways.all_cards), None)], against, pushed)
        for ways, against, pushed in _searches(state, picture, rules)
    )
    told = [run for way in near for run in _spelled(state, rules, way)]
    if state.phase is Phase.TURN and state.played:
        # A turn that was not closed yet explains nothing by itself, but what is forbidden next may.
        told.append(Run((DONE[seat],), STEP, complete=False))
    return Runs(told, complete)


def _near(searches: Iterable[tuple[Ways, Starts, float, float]]) -> tuple[list[Way], bool]:
    """The ways that are worth comparing, and whether all were looked at.

    Each search begins somewhere, with what speaks against it, and how much of that the picture does
    not say.
    """
    found: list[tuple[float, Way]] = []
    complete, best = True, inf
    for ways, starts, against, unsaid in searches:
        for way in ways.found(starts, best + IN_DOUBT - against):
            best = min(best, way.total + against)
            found.append((way.total + against, way._replace(cost=way.cost + unsaid)))
        complete = complete and not ways.cut_short
    return [way for total, way in found if total <= best + IN_DOUBT], complete


def _searches(
    state: OpferrouletteState, picture: Picture, rules: Rules
) -> Iterator[tuple[Ways, float, float]]:
    """For everything that may lie open: how the cards that are new there can have been played;
    what speaks against it, and how much of that the picture does not say."""
    old = state.deck.discards
    tried: set[frozenset[int]] = set()
    for against, cards in picture.cards:
        supposed = UNSEEN * picture.supposed(cards)
        new = cards.difference(old)
        covered = bool(old) and len(cards) < OPEN and cards.isdisjoint(old[-OPEN:])
        if new not in tried and len(new) <= OPEN:
            tried.add(new)
            most = MOST_UNSEEN if covered else 0
            before = old[max(0, len(old) + len(new) - OPEN) :]
            all_show = len(cards) == OPEN or cards.issuperset(before)
            pushed = supposed + (0.0 if all_show else COVERED)
            yield Ways(rules, picture, sorted(new), most_unseen=most), against + pushed, pushed
        if old and old[-1] not in cards and state.deck.pile_size <= RENEWED:
            yield (
                Ways(rules, picture, sorted(cards), most_unseen=MOST_SHUFFLED, renewed=True),
                against + supposed,
                supposed,
            )


def _set_up(state: OpferrouletteState, seen: Mapping[str, Belief]) -> Runs:
    """The runs from the end of the set-up: the last offerings, the ball, and the first turns."""
    found: list[Run] = []
    complete = True
    offered, whole = _offered_at_last(state, Picture(state, seen))
    for moves in offered:
        cost = STEP * len(moves)
        if whole:
            laid = state.clone()
            for move in moves:
                laid.put_offering(move.player or 0, PIT[move.args[0]])
            begun, tried = _begun(laid, Picture(laid, seen))
            sure = len(moves) if len(offered) == 1 else 0
            found += [Run((*moves, *rest), cost + further, sure) for rest, further in begun]
            complete = complete and tried
        if moves:
            found.append(Run(moves, cost))
    return Runs(found, complete)


def _begun(state: OpferrouletteState, picture: Picture) -> tuple[list[tuple[Moves, float]], bool]:
    """The ways from the last offering into the first turns, with their costs; whether all were
    looked at."""
    everything = range(len(CARDS))
    in_hand = [everything] * state.players
    rules = Rules(state.players, 0, state.alone, state.pits, in_hand, everything)
    start = Spot(
        state.ball, state.facing, pile=len(CARDS) - HAND * state.players,
        through=state.last_through,
    )  # fmt: skip

    def searches() -> Iterator[tuple[Ways, Starts, float, float]]:
        for against, cards in picture.cards or [(0.0, frozenset[int]())]:
            if len(cards) <= OPEN:
                ways = Ways(rules, picture, sorted(cards))
                spot = start._replace(left=ways.all_cards)
                starts: Starts = [(spot, None)]
                if not state.ball:
                    balls = _balls(state, picture, cards).items()
                    starts = [(spot._replace(ball=b), ("ball", card)) for b, card in balls]
                yield ways, starts, against, 0.0

    near, complete = _near(searches())
    return [(moves, way.cost) for way in near for moves in _started(state, way)], complete


def _balls(state: OpferrouletteState, picture: Picture, cards: Collection[int]) -> dict[int, int]:
    """Where the ball may first have been laid, each with a card that says so.

    Day or night card: all are shuffled again, so one of them will do.
    """
    if not picture.balls:
        return {}
    fields = [field for field, _ in picture.balls] if not cards else range(1, FIELDS + 1)
    free = [card for card in state.undrawn if card < NUMBER_CARDS]
    return {
        field: card
        for field in fields
        for card in islice((card for card in free if NUMBER[card] == field), 1)
    }


def _started(state: OpferrouletteState, way: Way) -> Iterator[Moves]:
    """A way from where the ball was laid, with everybody who may have begun."""
    laid = tuple(BALL[card] for verb, card in way.steps if verb == "ball")
    steps = [step for step in way.steps if step[0] != "ball"]
    if not steps:
        yield laid
        return
    for seat in range(state.players):
        yield (*laid, START[seat], *_played(state.players, seat, steps))


def _offered_at_last(state: OpferrouletteState, picture: Picture) -> tuple[list[Moves], bool]:
    """The offerings for trilithon cards, as far as they are to be seen, in the order of their
    cards (OR18); the likeliest first. And whether all of them are to be seen."""
    due = [seat for seat in state.holders if seat != NOBODY]
    pits = {seat: _pits_of(state, picture, seat, due.count(seat)) for seat in sorted(set(due))}
    found: list[Moves] = [()]
    for number, seat in enumerate(due):
        place = due[:number].count(seat)
        further = [
            (*moves, PUT[seat][chosen[place]])
            for moves in found
            for chosen in pits[seat]
            if place < len(chosen) and _goes_on(moves, seat, chosen[:place])
        ]
        if not further:
            return found, False
        found = further[: MOST_ALIKE + 1]
    return found, True


def _pits_of(
    state: OpferrouletteState, picture: Picture, seat: int, number: int
) -> list[tuple[int, ...]]:
    """The pits into which somebody may have put offerings; several choices, likeliest first."""
    gains = {
        pit: picture.gain(pit, seat)
        for pit, owners in enumerate(state.pits)
        if (not owners or (state.shared and owners[-1] != seat)) and picture.may_lie(pit, seat)
    }
    # What was there before and is badly seen is not taken for an offering.
    new = [pit for pit, gain in gains.items() if gain >= CLEARLY]
    if len(new) <= number:
        return [tuple(new)]
    likely = sorted(new, key=lambda pit: -gains[pit])[: number + 2]
    choices = sorted(combinations(likely, number), key=lambda c: -sum(gains[pit] for pit in c))
    best = sum(gains[pit] for pit in choices[0])
    return [c for c in choices if best - sum(gains[pit] for pit in c) < POSSIBLE]


def _goes_on(moves: Moves, seat: int, pits: Sequence[int]) -> bool:
    """True if a seat's offerings so far are these."""
    return [move for move in moves if move.player == seat] == [PUT[seat][pit] for pit in pits]


# -- steps as moves ---------------------------------------------------------------------------


def _played(players: int, seat: int, steps: Sequence[Step]) -> Moves:
    """Steps as moves, from the turn of ``seat`` on."""
    moves: list[Move] = []
    for verb, card in steps:
        if verb == "turn":
            moves.append(TURN[card])
        elif verb == "done":
            moves.append(DONE[seat])
        else:
            moves.append(_CARD_MOVES[verb][seat][card])
        if verb in ("turn", "done"):
            seat = (seat + 1) % players
    return tuple(moves)


def _spelled(state: OpferrouletteState, rules: Rules, way: Way) -> Iterator[Run]:
    """A way as runs of moves, with every choice of the cards that nobody sees."""
    choices: list[tuple[Step, ...]] = [()]
    ball, facing, turns = state.ball, state.facing, 0
    taken = {card for _, card in way.steps if card >= 0}.union(state.deck.discards)
    guessed = False
    for verb, card in way.steps:
        if card >= 0:
            choices = [(*steps, (verb, card)) for steps in choices]
        else:
            where = rules.in_pile if verb == "turn" else rules.in_hand[rules.seat(turns)]
            reached = NEXT[facing][ball][-1 - card] if verb == "roll-fall" else 0
            fit = [c for c in may_be(card, verb, reached) if c in where and c not in taken]
            choices = [
                (*steps, (verb, c)) for steps in choices for c in fit if c not in _cards_of(steps)
            ]
            guessed = guessed or len(choices) > MOST_ALIKE
            choices = choices[:MOST_ALIKE]
        if verb == "reverse":
            facing = 1 - facing
        elif verb in ("roll", "roll-fall"):
            ball = NEXT[facing][ball][COLOUR[card] if card >= 0 else -1 - card]
        turns += verb in ("turn", "done")
    unseen = sum(card < 0 for _, card in way.steps)
    for steps in choices:
        moves = _played(state.players, state.turn, steps)
        yield Run(moves, way.cost, guessed=guessed, unseen=unseen)


def _cards_of(steps: Sequence[Step]) -> set[int]:
    return {card for verb, card in steps if verb != "done"}


# -- single moves -----------------------------------------------------------------------------


def _offered(state: OpferrouletteState, moves: Sequence[Move], board: Board) -> list[Move]:
    """The first offering on the board that the record lacks: their order tells nothing."""
    for move in moves:
        card = CARD[move.args[1]]
        if card >= NUMBER_CARDS:
            continue
        pit = PIT_OF_CARD[card]
        owner = state.players if move.args[0] == "neutral" else SEAT[move.args[0]]
        disc = state.paint.kind(disc_of(owner, state.players))
        if not state.pits[pit] and (disc, "") in board.get(PITS[pit], ()):
            return [move]
    return []


# -- what may lie there -----------------------------------------------------------------------


def _halfway(state: OpferrouletteState, board: Board) -> bool:
    """True if a card lies there and its ball has still to roll, or the pile is made anew."""
    if state.phase in (Phase.BALL, Phase.DEAL, Phase.START):
        return True
    if not state.ball and _ball(board)[0]:
        return True  # Where it was first laid is not known, so no roll of it can be judged.
    if state.phase not in (Phase.TURN, Phase.FALL):
        return False
    seen, discards = _seen(board), state.deck.discards
    new = seen.difference(discards)
    if len(new) < 2:
        field, pose = _ball(board)
        still = field == state.ball and pose in ("", FACINGS[state.facing])
        emptied = any(owners and not board.get(PITS[pit]) for pit, owners in enumerate(state.pits))
        return not new or (still and not emptied)
    return state.deck.pile_size <= RENEWED and not (discards and discards[-1] in seen)


def _may_lie(state: OpferrouletteState, site: str, board: Board) -> bool:
    seen = board.get(site, ())
    if site not in PIT:
        # An offering on another of the same colour is not seen; play goes on before it is told.
        if state.phase is Phase.TRILITHON:
            return bool(seen)
        return site == DISCARDS and _pushed_together(state, _seen(board))
    if len(seen) != 1:
        return False
    others: Collection[int] = ()
    if state.phase is Phase.OFFER:
        others = [*range(state.turn + 1, state.players), state.players]
    elif state.phase is Phase.TRILITHON and (state.shared or not state.pits[PIT[site]]):
        others = {*state.holders} - {NOBODY, state.turn}
    return seen[0][0] in [state.paint.kind(disc_of(o, state.players)) for o in others]


def _pushed_together(state: OpferrouletteState, seen: set[int]) -> bool:
    """True if ``seen`` may be all that shows of the discard pile."""
    discards = state.deck.discards
    if not discards or not seen:
        return False
    if len(seen) == 1:
        return not seen.isdisjoint(discards[-LATELY:])
    # A card does not vanish while older ones still show.
    doubt = LATELY if len(seen) == OPEN else 0
    return {*discards[doubt - len(seen) :]} <= seen <= {*discards[-doubt - len(seen) :]}


def _ball(board: Board) -> tuple[int, str]:
    """Field and pose of the ball; 0 if it lies on none."""
    for field in range(1, FIELDS + 1):
        for kind, pose in board.get(str(field), ()):
            if kind == "figure grey":
                return field, pose
    return 0, ""


def _seen(board: Board) -> set[int]:
    """The cards that lie openly."""
    names = (kind.removeprefix("card ") for kind, _ in board.get(DISCARDS, ()))
    return {CARD[name] for name in names if name in CARD}
