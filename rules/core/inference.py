"""Questions of a reading: people play turns, not moves. Which steps leave no trace, what may lie
about meanwhile, and what is worth trying to explain a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Generic

from rules.core.matches import Json
from rules.core.moves import Move
from rules.core.state import S, State
from rules.core.tables import Belief, Board, Boards, Layout, Lies, Runs, Thought, lacking


class Inference(Generic[S]):
    """Answers to what a reading asks of a game besides its rules. Every default is right for a game
    whose every step is a move that can be seen."""

    @property
    def rolls(self) -> bool:
        """True if discs are rolled across the board, so that ``rolled`` has something to say."""
        return type(self).rolled is not Inference.rolled

    # -- what may lie there meanwhile -------------------------------------------------------

    def may_lie(
        self, state: S, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        """The ``sites`` where ``board`` may show what it shows although ``layout`` wants something
        else there, each with how long.

        Hands have an order of their own: coins lie on after the purchase, a card goes on a pile
        before the pile that it came from is put away, a piece is on its way from place to place.
        ``moves``: those that led to ``state`` and are only supposed, not in the record. By default
        whoever is asked may have lifted pieces of their own that hands may put elsewhere, and may
        have put some of them there already.
        """
        return lifted(state, sites, board, state.pseudo_moves)

    def unentered(self, state: S) -> Iterable[S]:
        """Positions that may have been reached since ``state`` by turns that left no trace and that
        nobody entered, each with all that such turns can bring.

        They are never taken for granted: whoever broke no rule in one of them is not accused.
        """
        return ()

    # -- what may have been played ----------------------------------------------------------

    def runs(self, state: S, seen: Mapping[str, Belief], *, at_once: bool) -> Runs:
        """The whole runs of legal moves that may have led from ``state`` to what is ``seen``, with
        those of which nothing shows; by default they are sought move by move.

        Override it where a picture tells of many moves at once, in an order that it does not show,
        and a game finds them faster than by playing them, or where it knows what may have been
        cleared away. Moves of ``found`` that are not legal are left out. ``at_once``: hands had no
        time for one player, and another after them.
        """
        return Runs()

    def fitting(self, state: S, moves: Sequence[Move], boards: Boards) -> Sequence[Move]:
        """Those of ``moves``, legal or not, that may have led to one of ``boards``, by themselves
        or with what follows; by default all.

        Each of them is tried out. A game with many moves, such as one per card that may be in a
        hand, leaves out those of which the picture shows that they did not happen, and those that
        no picture could tell from many others.
        """
        return moves

    def plausible(
        self, state: S, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """The ``moves`` that can have led to ``board``, each with what speaks against it, and
        whether it may have left no trace there.

        A turn that nobody closed is closed by the next player's move, and where only one thing can
        be done, that was done: so ``done`` and the only move may leave none by default. Where
        hundreds of moves would show alike, or what lies there rules most of them out, a game says
        so here: every move named is tried. It may name legal moves that ``moves`` does not offer,
        such as one that leaves open which card was played. ``since``: the moves thought of so far,
        from the record to ``state``.
        """
        alone = len(moves) == 1
        return (Thought(move, covered=alone or move.verb == "done") for move in moves)

    # -- what cannot be told apart ----------------------------------------------------------

    def essence(self, state: S) -> Json:
        """What of a position matters to those who play on: nobody is asked which of two positions
        was reached if these are equal."""
        return state.to_json()

    def rolled(self, state: S, crossed: bool, gates: Sequence[str]) -> tuple[Move, ...]:
        """The moves made by a disc that was seen rolling: ``crossed`` tells whether it got
        across the run-up zone, ``gates`` which it passed. Empty where nothing is rolled now."""
        return ()


def lifted(
    state: State, sites: Collection[str], board: Board, moves: Callable[[], Iterable[Move]]
) -> Mapping[str, Lies]:
    """The default answer of ``may_lie``: pieces that were lifted, or are on their way. ``moves``:
    at least those that hands can make with a piece of whoever is asked, from place to place."""
    layout = state.layout_at(sites)
    before = _seen(layout)
    gone = {site for site, look in before.items() if lacking(look, board[site])}
    put = {site for site in sites if lacking(board[site], before.get(site, ()))}
    # Where something else lies in its place nothing was lifted, and nobody need be asked.
    if gone <= put or (asked := state.prompt()) is None or asked.player is None:
        return {}
    # Moves are tried only where something of their own is gone: they are many.
    owned = {item.site for item in layout if item.owner == asked.player} & gone - put
    if not owned:
        return _taken_up(state, asked.player, board, sites, before)
    bare = {site for site in owned if not board[site]}
    found: dict[str, Lies] = {}
    # By far most of this is spent on moves that touch one place only.
    for move in moves() if put or bare else ():
        if move.player != asked.player or len(touched := state.touches(move)) < 2:
            continue
        if not (here := gone.intersection(touched)):
            continue
        found |= dict.fromkeys(here & bare, Lies.BEGUN)
        if put and len(touched) > 2 and put.issubset(touched):
            after = _seen(_layout_after(state, move, touched))
            taken = {site for site in here if lacking(before[site], after.get(site, ()))}
            lay = _seen(state.layout_at(touched))
            if taken & owned and _under_way(board, put, lay, after):
                return dict.fromkeys(put | taken, Lies.FOR_NOW) | {min(taken): Lies.BEGUN}
        if not put and len(found) == len(bare):
            break
    if gone - found.keys():
        found |= _taken_up(state, asked.player, board, sites, before)
    return found


# -- private ------------------------------------------------------------------------------


def _seen(layout: Layout) -> Board:
    """All that can be seen of ``layout``, without bare sites."""
    found: dict[str, list[tuple[str, str]]] = {}
    for item, number in layout.items():
        if item.seen:
            found.setdefault(item.site, []).extend([(item.kind, item.pose)] * number)
    return {site: tuple(sorted(things)) for site, things in found.items()}


def _taken_up(
    state: State, seat: int, board: Board, sites: Collection[str], before: Board
) -> dict[str, Lies]:
    """The ``sites`` if all that is gone there, whoever's it is, is taken up by a legal move of
    ``seat`` that is not over with it; ``before``: what should lie there."""
    for site in sites:
        should = before.get(site, ())
        if not lacking(should, board[site]) or lacking(board[site], should):
            return {}
    gone = {site: Counter(before[site]) - Counter(board[site]) for site in sites}
    for move in state.legal_moves():
        touched = state.touches(move)
        if move.player == seat and len(touched) > len(gone) and gone.keys() <= {*touched}:
            after = _seen(_layout_after(state, move, touched))
            if all(gone[s] <= Counter(before[s]) - Counter(after.get(s, ())) for s in sites):
                return dict.fromkeys(gone, Lies.BEGUN)
    return {}


def _layout_after(state: State, move: Move, sites: Collection[str]) -> Layout:
    """The layout at ``sites`` after ``move``."""
    after = state.clone()
    after.apply(move)
    return after.layout_at(sites)


def _under_way(board: Board, put: Collection[str], before: Board, after: Board) -> bool:
    """True if no more was ``put`` anywhere than a move puts there, and something is still to be
    put."""
    to_come = any(
        lacking(look, board[site] if site in put else before.get(site, ()))
        for site, look in after.items()
    )
    return to_come and not any(lacking(board[site], after.get(site, ())) for site in put)
