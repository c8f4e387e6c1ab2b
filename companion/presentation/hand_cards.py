"""Hands beside the board: dealt ones are touched, real ones are counted by the camera."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from companion.camera.fanned import Fanned, Phase
from companion.match.view import TableView
from companion.presentation.cards import (
    Entry,
    Picking,
    card_plan,
    cards_of,
    is_hand,
    picking_of,
    placed_cards,
)
from companion.presentation.market import LedgerPen, entry
from companion.presentation.words.translate import _
from rules.box import Box
from rules.core import Ledger, Move, Objection
from rules.games import find_game
from rules.telling import Teller


@dataclass(frozen=True)
class HandCards:
    """The cards of the player to move, and those that were chosen."""

    picking: Picking
    cards: tuple[str, ...]
    """All of the hand, in the order of the board."""
    placed: tuple[Move, ...] = ()
    """Moves that spend a card at a place of the board."""
    lifted: str = ""
    """The card whose places glow now."""
    begun: bool = False
    """True if a card was touched."""
    refused: str = ""
    """The card that was touched last and cannot be chosen …"""
    objection: Objection | None = None
    """… and why, as far as the rules can say."""

    @cached_property
    def able(self) -> frozenset[str]:
        """Cards that a touch may choose now."""
        more = self.picking.possible if self.picking.sets else frozenset()
        return self._anew.possible | more | {card for card in self.cards if self.leads(card)}

    def leads(self, card: str) -> tuple[Move, ...]:
        """The moves that spend ``card`` at a place."""
        return tuple(self._led.get(card, ()))

    @cached_property
    def _led(self) -> Mapping[str, list[Move]]:
        found: dict[str, list[Move]] = {}
        for move in self.placed:
            for card in dict.fromkeys(cards_of(move, self.picking.plan)):
                found.setdefault(card, []).append(move)
        return found

    def alone(self, card: str) -> tuple[Move, ...]:
        """The moves that spend ``card``, and no other with it, at no place."""
        return tuple(self._by_cards.get((card,), ()))

    @cached_property
    def _by_cards(self) -> Mapping[tuple[str, ...], list[Move]]:
        found: dict[tuple[str, ...], list[Move]] = {}
        for move in self.picking.moves:
            found.setdefault(cards_of(move, self.picking.plan), []).append(move)
        return found

    def spent(self, move: Move) -> str:
        """The card that a move spends at a place; empty if it spends none."""
        found = cards_of(move, self.picking.plan) if move in self.placed else ()
        return next((card for card in found if card in self.cards), "")

    def why_idle(self, card: str) -> Objection | None:
        """The reason why ``card`` can go to no place now, as far as the rules can say."""
        return None if card in self.able else self.why_unplaced(card)

    def why_unplaced(self, card: str) -> Objection | None:
        """The same of a card that may be good for something else."""
        ahead, verbs = self.picking.view.ahead, {move.verb for move in self.placed}
        return None if ahead is None or self.leads(card) else ahead.why_idle(card, verbs)

    @property
    def moves(self) -> tuple[Move, ...]:
        """Possible meanings of the chosen cards that need no more parts."""
        return tuple(move for (move,) in self._entries if not self._unsaid(move))

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts to choose besides, one at a time."""
        return self.picking.asked_parts

    @property
    def meant(self) -> Move | None:
        """The move, if the touches so far can mean only this one."""
        if not self.begun or self.lifted or self.refused or len(self._entries) != 1:
            return None
        more = self.picking.sets and self.picking.possible
        return None if more else self._entries[0][0]

    def touch(self, card: str) -> HandCards:
        """The hand after ``card`` was touched."""
        picking, anew = self.picking, HandCards(self._anew, self.cards, self.placed)
        if card == self.lifted:
            return anew
        if self.begun and card in picking.chosen:
            left = picking.touch(card)
            return replace(anew, picking=left, begun=bool(left.chosen))
        if card not in self.able:
            why = self.why_idle(card) if self.placed else self._anew.why_not(card)
            return replace(anew, refused=card, objection=why)
        adds = picking.sets and self.begun and card in picking.possible
        base = picking if adds else self._anew
        lifted = card if self.leads(card) else ""
        return replace(anew, picking=base.touch(card), begun=True, lifted=lifted)

    def say(self, part: str) -> HandCards:
        """The hand after ``part`` was said besides."""
        return replace(self, picking=self.picking.say(part), begun=True)

    @cached_property
    def _anew(self) -> Picking:
        """A picking with nothing chosen yet."""
        return replace(self.picking, chosen=(), parts=())

    @cached_property
    def _entries(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.picking.entries if len(entry) == 1)

    def _unsaid(self, move: Move) -> bool:
        """True if one of the parts that are asked would still have to be chosen for it."""
        return bool(self.parts) and self.picking.lacks(move)


def hand_cards(view: TableView, held: Sequence[str]) -> HandCards | None:
    """The hand of the player to move; ``held``: all that is in it, as far as it is known.

    None if nothing of a hand is asked for, or too much to be shown beside the board.
    """
    plan, placed = card_plan(view.box), placed_cards(view, held)
    if plan is None or not (placed or is_hand(view)):
        return None
    picking = picking_of(view) or Picking(view, plan, ())
    cards = {card for card in held if card in plan.kinds} | picking.possible
    return HandCards(picking, tuple(sorted(cards, key=plan.order)), placed)


@dataclass(frozen=True, slots=True)
class HelpingRow:
    """One kind of cards."""

    name: str
    number: int
    """0: none of them is in this helping, and their worth changes with it."""
    points: int
    """Points that this helping adds."""


@dataclass(frozen=True, slots=True)
class Helping:
    """Moves that taking the helping enters."""

    rows: tuple[HelpingRow, ...] = ()
    """The largest change of points comes first."""
    moves: tuple[Move, ...] = ()
    strange: int = 0
    """Number of cards that cannot be counted, such as those that lie face down."""

    @property
    def points(self) -> int:
        """The points it adds in all."""
        return sum(row.points for row in self.rows)


def helping_of(
    cards: Mapping[str, int], game: str, ledger: Ledger, seat: int, legal: Collection[Move],
    teller: Teller,
) -> Helping:  # fmt: skip
    """The helping that ``cards`` (kind of the box → number) are for the counting ``seat``."""
    kinds = {kind: entry(ledger, LedgerPen.of(seat), kind) for kind in cards}
    counted = {kind: number for kind, number in cards.items() if kinds[kind] in legal}
    worth = find_game(game).touch.worth
    before = worth(ledger.owned[seat])
    after = worth(Counter(ledger.owned[seat]) + Counter(counted))
    rows = [
        HelpingRow(teller.kind(kind), counted.get(kind, 0), added)
        for kind in dict.fromkeys([*counted, *after])
        for added in [after.get(kind, 0) - before.get(kind, 0)]
        if added or kind in counted
    ]
    rows.sort(key=lambda row: (-abs(row.points), -row.number, row.name))
    moves = [kinds[kind] for kind in sorted(counted) for _number in range(counted[kind])]
    return Helping(tuple(rows), tuple(moves), sum(cards.values()) - len(moves))


def fan_text(fanned: Fanned, helping: Helping, name: str) -> str:
    """The next thing to do or to wait for; ``name``: the owner of the counted cards."""
    match fanned.phase:
        case Phase.BLIND:
            return _("play.the_camera_shows_no_picture_yet")
        case Phase.MOVING:
            return _("play.something_is_moving")
        case Phase.REACHING:
            return _("play.something_reaches_into_the_picture")
        case Phase.CLEARING:
            return _("play.first_take_all_these_cards_away")
        case Phase.LOOKING:
            return _("play.hold_still")
    if not helping.moves:
        return _("play.name_fan_your_cards").format(name=name)
    return _("play.is_that_right")


def missed_text(fanned: Fanned, helping: Helping, box: Box) -> str:
    """Cards there that do not count, though they might; empty if there are none."""
    if fanned.phase not in (Phase.LOOKING, Phase.READY):
        return ""
    if fanned.unread:
        return _("play.cards_that_cannot_be_read").format(number=len(fanned.unread))
    if helping.strange:
        backs = {kind.back for kind in box.kinds.values() if kind.back}
        down = sum(number for kind, number in fanned.helping.items() if kind in backs)
        if down == helping.strange:
            return _("play.face_down").format(number=down)
        return _("play.more_than_there")
    return ""
