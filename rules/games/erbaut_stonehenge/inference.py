"""3.12 What a picture of the table tells of the moves, and what may lie where for a moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from rules.core import Board, Boards, Inference, Item, Lies, Move, Thought
from rules.core.inference import lifted
from rules.games.erbaut_stonehenge.components import (
    CARD,
    CARD_NAMES,
    COLOURS,
    EMPTY,
    FACE_DOWN,
    FIRST_D,
    FIRST_T,
    HIDDEN,
    NONE,
    NUMBER_CARDS,
    PROJECT,
    REFILL,
    SITE,
    SITE_NAMES,
    SUPPLY,
    YARDS,
    is_trilithon,
)
from rules.games.erbaut_stonehenge.layout import items_in_yard, items_on
from rules.games.erbaut_stonehenge.legality import violations
from rules.games.erbaut_stonehenge.moves import (
    OP_BLOCKED,
    OP_BUILD,
    OP_DEAL,
    OP_DISCARD,
    OP_DISPLAY,
    OP_DONE,
    OP_DRAW,
    OP_OCCUPY,
    OP_PLAY,
    OP_SABOTAGE,
    OP_SHOW,
    OP_STEAL,
    OP_TAKE,
    STEAL_UNSEEN,
    Step,
    step_of,
)
from rules.games.erbaut_stonehenge.prompts import pays, shown_attempts
from rules.games.erbaut_stonehenge.state import ErbautState

Look = Sequence[tuple[str, str]]
Test = Callable[[ErbautState, Step, Boards], bool]

MOST_ALIKE = 4
"""So many steps are followed up whose trace is gone again, as many as a question has answers."""
_CARDS = {f"card {name}": card for name, card in CARD.items()}
_BACK = "card back"
_BARE_CAPSTONE = ("trilithon", "")
_SILENT = (OP_DONE, OP_DRAW, OP_BUILD)
_PROJECT_STEPS = (OP_PLAY, OP_SHOW, OP_OCCUPY)


class ErbautInference(Inference[ErbautState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def may_lie(
        self, state: ErbautState, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        right = (site for site in sites if _may_lie(state, site, board[site]))
        unjudged = sites if _turned_unseen(state, board) else ()
        return {
            **dict.fromkeys(unjudged, Lies.UNJUDGED),
            **lifted(state, sites, board, partial(shown_attempts, state)),
            **dict.fromkeys(right, Lies.FOR_NOW),
        }

    def fitting(self, state: ErbautState, moves: Sequence[Move], boards: Boards) -> list[Move]:
        """Legal ``moves`` that one of ``boards`` speaks for, or at least not
        against."""
        steps = [(move, step_of(move)) for move in moves]
        found = [move for move, step in steps if _speaks_for(state, step, boards)]
        found += _covered(state, steps, found, boards)
        return _few_alike(state, found, boards)

    def plausible(
        self, state: ErbautState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """3.12: without a trace the only thing that could be done; ``done``, a ``draw``, which is
        compulsory, that it produced a number card; that somebody is blocked whose hand is likely to
        fit nowhere; and what was sabotaged at once.

        ES35: a theft whose price was not seen leaves open which cards they were.
        """
        alone = len(moves) == 1 == len(state.legal_moves())
        sabotaged = _own(state, "figure", state.turn) in dict(board.get("altar", ()))
        found = [
            Thought(move, covered=alone or _leaves_no_trace(state, step_of(move), sabotaged))
            for move in moves
        ]
        if (
            state.phase != PROJECT
            or state.cards.zones is None
            or state.cards.hand_size[state.turn] < 2
        ):
            return found
        priced = {step_of(move).a for move in moves if move.verb == "steal"}
        boards = {site: [look] for site, look in board.items()}
        for other in range(state.players):
            move = STEAL_UNSEEN[state.turn][other]
            if (
                other not in priced
                and _changes_hands(state, step_of(move), boards)
                and not violations(state, move)
            ):
                found.append(Thought(move))
        return found


# -- which moves the picture leaves open -----------------------------------------------------


def _speaks_for(state: ErbautState, step: Step, boards: Boards) -> bool:
    test = _TESTS.get(step.op)
    return test is None or test(state, step, boards)


def _shows(boards: Boards, site: str, kind: str) -> bool:
    found = boards.get(site)
    return found is None or any(kind == seen for look in found for seen, _ in look)


def _lacks(boards: Boards, site: str, kind: str) -> bool:
    found = boards.get(site)
    return found is None or any(all(kind != seen for seen, _ in look) for look in found)


def _own(state: ErbautState, shape: str, seat: int) -> str:
    return state.paint.kind(f"{shape} {COLOURS[seat]}")


def _kind(card: int) -> str:
    return _BACK if card == HIDDEN else f"card {CARD_NAMES[card]}"


def _comes_into_yard(_state: ErbautState, step: Step, boards: Boards) -> bool:
    return _shows(boards, YARDS[step.seat], _kind(step.a))


def _dealt(state: ErbautState, step: Step, boards: Boards) -> bool:
    return not is_trilithon(step.a) or _comes_into_yard(state, step, boards)


def _comes_into_display(_state: ErbautState, step: Step, boards: Boards) -> bool:
    return _shows(boards, "display", _kind(step.a))


def _leaves_display(_state: ErbautState, step: Step, boards: Boards) -> bool:
    return _lacks(boards, "display", _kind(step.a))


def _given_up(state: ErbautState, step: Step, boards: Boards) -> bool:
    if state.yard[step.seat] != step.a:
        return True
    return _lacks(boards, YARDS[step.seat], _kind(step.a))


def _druid_stands(state: ErbautState, step: Step, boards: Boards) -> bool:
    """… or something was built there meanwhile, if a whole round was played."""
    built = "bar" if step.a < FIRST_D else "disc" if step.a < FIRST_T else "trilithon"
    return any(
        _shows(boards, SITE_NAMES[step.a], _own(state, shape, step.seat))
        for shape in ("figure", built)
    )


def _changes_hands(state: ErbautState, step: Step, boards: Boards) -> bool:
    trilithon = _kind(state.yard[step.a])
    return _shows(boards, YARDS[step.seat], trilithon) and _lacks(boards, YARDS[step.a], trilithon)


def _lies_at_altar(state: ErbautState, step: Step, boards: Boards) -> bool:
    return _shows(boards, "altar", _own(state, "figure", step.a))


_TESTS: dict[int, Test] = {
    OP_SHOW: _comes_into_yard,
    OP_PLAY: _comes_into_yard,
    OP_DEAL: _dealt,
    OP_DISPLAY: _comes_into_display,
    OP_TAKE: _leaves_display,
    OP_OCCUPY: _druid_stands,
    OP_DISCARD: _given_up,
    OP_STEAL: _changes_hands,
    OP_SABOTAGE: _lies_at_altar,
}
"""What a step leaves behind, if nothing covers it."""


def _covered(
    state: ErbautState,
    steps: Sequence[tuple[Move, Step]],
    found: Sequence[Move],
    boards: Boards,
) -> list[Move]:
    """Steps whose trace is gone again: a card given up at once, a project that was sabotaged."""
    if any(step_of(move).op in (OP_SHOW, OP_OCCUPY, OP_PLAY, OP_STEAL) for move in found):
        return []
    sent_away = _shows(boards, "altar", _own(state, "figure", state.turn))
    unseen_first = sorted(steps, key=lambda pair: pair[1].a != HIDDEN)
    return [
        move
        for move, step in unseen_first
        # ES9: what fits nowhere is turned up and given up in one go.
        if (step.op == OP_SHOW and not state.fits(step.seat, step.a))
        or (step.op in _PROJECT_STEPS and sent_away)
    ][:MOST_ALIKE]


def _few_alike(state: ErbautState, moves: Sequence[Move], boards: Boards) -> list[Move]:
    """``moves`` without the thefts of which nobody can tell what they cost; see ``plausible``."""
    plain: list[Move] = []
    thefts: dict[int, list[tuple[int, Move]]] = {}
    for move in moves:
        step = step_of(move)
        if step.op == OP_STEAL:
            paid = _paid_cards(state, step, boards)
            thefts.setdefault(step.a, []).append((paid, move))
        else:
            plain.append(move)
    for priced in thefts.values():
        # ES35: two cards that lie there to be seen are the price.
        shown = [move for paid, move in priced if paid == 2]
        told = shown or [move for _, move in priced]
        if len(told) == 1:
            plain += told
    return plain


def _paid_cards(state: ErbautState, step: Step, boards: Boards) -> int:
    """How many of the two cards of a theft lie in the yard of the player who is paid."""
    if YARDS[step.a] not in boards:
        return 0
    return sum(_shows(boards, YARDS[step.a], _kind(card)) for card in (step.b, step.c))


# -- which moves leave no trace --------------------------------------------------------------


def _leaves_no_trace(state: ErbautState, step: Step, sabotaged: bool) -> bool:
    if step.op == OP_DEAL:
        return step.a == HIDDEN
    if step.op == OP_BLOCKED:
        return _may_be_stuck(state)
    return step.op in _SILENT or (sabotaged and step.op in _PROJECT_STEPS)


def _may_be_stuck(state: ErbautState) -> bool:
    """True if most of the cards that a player may have fit nowhere."""
    hand = state.cards.hand(state.turn)
    return sum(state.fits(state.turn, card) for card in hand) * 3 <= len(hand)


# -- what may lie where for a moment ---------------------------------------------------------


def _look(state: ErbautState, items: Iterable[Item]) -> Counter[tuple[str, str]]:
    return Counter((state.paint.kind(item.kind), item.pose) for item in items)


def _turned_unseen(state: ErbautState, board: Board) -> bool:
    """True if a card lies open where one lay face down. Nobody saw which that was: it may be this
    one, or it was given up, and this one was drawn and laid there (3.3)."""
    return any(
        kind in _CARDS
        for seat, stage in enumerate(state.stage)
        if stage == FACE_DOWN and state.yard[seat] == HIDDEN
        for kind, _ in board.get(YARDS[seat], ())
    )


def _may_lie(state: ErbautState, site: str, seen: Look) -> bool:
    if site == "display":
        return False
    if state.phase == REFILL:
        # ES33: hands fill the display up later, and nothing else can be said before they do.
        return True
    if site == "draw-pile":
        # What goes under the pile is put there when there is time for it.
        return all(kind == _BACK for kind, _ in seen)
    if site in YARDS:
        seat = YARDS.index(site)
        return seat < state.players and _may_lie_in_yard(state, seat, Counter(seen))
    if site not in SITE:
        return False
    wanted = _look(state, items_on(state, SITE[site]))
    more = Counter(seen) - wanted
    return not wanted - Counter(seen) and all(_may_wait(state, kind) for kind, _ in more)


def _may_wait(state: ErbautState, kind: str) -> bool:
    """A druid goes out before the card is laid, or comes back later than it is counted back."""
    figures = [_own(state, "figure", seat) for seat in range(state.players)]
    if kind not in figures:
        return False
    seat = figures.index(kind)
    if state.druid[seat] != SUPPLY:
        return False
    return state.stage[seat] == EMPTY or seat != state.turn


def _may_lie_in_yard(state: ErbautState, seat: int, seen: Counter[tuple[str, str]]) -> bool:
    """Beside the project: cards that are out of play, and a price that is shown to all (ES35)."""
    wanted = _look(state, items_in_yard(state, seat))
    capstone = (_own(state, "trilithon", seat), "")
    if seen[_BARE_CAPSTONE] and wanted[capstone] and not seen[capstone]:
        # The capstone is taken first and marked then.
        seen = seen + Counter([capstone]) - Counter([_BARE_CAPSTONE])
    more = list((seen - wanted).elements())
    if wanted - seen:
        return False
    shown = [kind for kind, _ in more if _is_price(state, seat, kind)]
    return len(shown) in (0, 2) and all(
        kind in shown or _is_over(state, seat, kind) for kind, _ in more
    )


def _is_price(state: ErbautState, seat: int, kind: str) -> bool:
    card = _CARDS.get(kind, NUMBER_CARDS)
    if card >= NUMBER_CARDS or state.cards.zones is None:
        return False
    if state.cards.surely_holds(seat, card):
        return True
    # It is laid down for all to see after the project was taken.
    thief = state.turn
    stolen = seat != thief and state.stolen[thief]
    paid = stolen and pays(state.hue[seat], state.yard[thief], card)
    return paid and state.cards.holds(seat, card)


def _is_over(state: ErbautState, seat: int, kind: str) -> bool:
    """True if a card in a yard is no project any more: spent, kept for its influence, given up."""
    if kind == _BACK:
        return state.stage[seat] == EMPTY and state.at_altar(seat)
    card = _CARDS.get(kind, NONE)
    return card != NONE and (
        card in state.influence[seat] or card in state.gone or (card, NONE) in state.cards.below
    )
