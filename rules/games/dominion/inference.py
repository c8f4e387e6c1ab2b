"""Inference from a look at the table: the turn it tells, what it leaves open, and what may differ
from the record for a while (8.7).

What nobody could see is never made up here: the record waits where it is, until the rest is seen or
touched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rules.core import Belief, Board, Boards, Inference, Json, Lies, Move, Runs, Thought
from rules.games.dominion.explained import explaining, guesses
from rules.games.dominion.layout import areas, dealt_beside, heap_site
from rules.games.dominion.lying import halfway, how_long, may_be_heap, tolerated_cards
from rules.games.dominion.moves import shape
from rules.games.dominion.state import NOBODY, DominionState
from rules.games.dominion.table import Table, watched
from rules.games.dominion.unseen import turns_unseen

_SEEN = frozenset({"play", "buy", "gain", "draw"})
"""Kinds of moves that are never supplied unseen, but for a treasure gained into the hand."""


class DominionInference(Inference[DominionState]):
    """The inference from a picture of the table to a match, and unfinished work of hands."""

    def essence(self, state: DominionState) -> Json:
        """The part of a position that matters for going on: neither in which order a turn was
        played, nor which card of a packet lies on top."""
        data = dict(state.to_json())
        data["trash"] = sorted(data["trash"])
        if state.physical and not state.keeps_ledger:
            data["seats"] = [
                {**cards, "face": "", "play": sorted(cards["play"])} for cards in data["seats"]
            ]
        return data

    def fitting(
        self, state: DominionState, moves: Sequence[Move], boards: Boards
    ) -> Sequence[Move]:
        asked = state.stack[-1] if state.stack else ("",)
        if asked[0] == "gain":
            # Where a card is gained, that on the discard pile was, rightly or not.
            return [m for m in moves if m.verb not in ("buy", "discard") or m.player != asked[1]]
        if state.stack:
            return moves
        # Where nothing is asked, a card on the discard pile was bought, rightly or not.
        return [move for move in moves if move.verb not in ("gain", "discard")]

    def plausible(
        self, state: DominionState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[Thought]:
        """8.7: nothing need show of a Moat shown or not, Library's keep, Cellar's done; of a card
        discarded or trashed below another one, or on one that looks the same; and of what goes to a
        hand or face down on a pile."""
        table = Table(state, board)
        asking = state.stack[-1][0] if state.stack else ""
        for move in explaining(state, moves, board):
            silent = asking != "bureaucrat" and shape(move) not in _SEEN
            covered = silent or asking == "gain-treasure"
            # Who has nothing to answer with says so.
            seconds = 0.0 if move.verb == "none" else None
            yield Thought(move, 0.0, guesses(table, move), covered, seconds)

    def runs(self, state: DominionState, seen: Mapping[str, Belief], *, at_once: bool) -> Runs:
        return Runs(unseen=turns_unseen(state, seen))

    def may_lie(
        self, state: DominionState, sites: Collection[str], board: Board, moves: Sequence[Move]
    ) -> Mapping[str, Lies]:
        if not watched(state) or state.seat == NOBODY:
            return {}
        heaps = {heap_site(seat) for seat in dealt_beside(state)}
        table = Table(state, board, moves)
        right = {site for site in heaps.intersection(sites) if may_be_heap(table, site)}
        if cards := [site for site in sites if site not in heaps]:
            right.update(tolerated_cards(table, cards, moves))
        open_end = not moves and len(right) < len(sites) and halfway(table)
        found = dict.fromkeys(sites, Lies.UNJUDGED) if open_end else {}
        asked = state.prompt()
        own = areas(asked.player) if asked is not None and asked.player is not None else []
        lifted = [s for s in own if s in sites and s not in right and not board[s]]
        found.update(super().may_lie(state, lifted, board, moves))
        return {**found, **{site: how_long(table, site) for site in right}}
