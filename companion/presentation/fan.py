"""A helping of cards below the camera, as a screen tells of it. Free of Kivy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.camera.fanned import Fanned, Phase
from companion.presentation.ledger import Pen, entry
from companion.presentation.words.translate import _
from rules.box import Box
from rules.core import Ledger, Move
from rules.games import find_game
from rules.telling import Teller

__all__ = ["Helping", "HelpingRow", "fan_text", "helping_of", "missed_text"]


@dataclass(frozen=True, slots=True)
class HelpingRow:
    """One kind of cards."""

    name: str
    number: int
    """0: none of them is in this helping, and their worth changes with it."""
    points: int
    """What this helping adds."""


@dataclass(frozen=True, slots=True)
class Helping:
    """What taking the helping would enter."""

    rows: tuple[HelpingRow, ...] = ()
    """What changes the points most comes first."""
    moves: tuple[Move, ...] = ()
    strange: int = 0
    """Number of cards that cannot be counted, such as those that lie face down."""

    @property
    def points(self) -> int:
        """What it adds in all."""
        return sum(row.points for row in self.rows)


def helping_of(
    cards: Mapping[str, int], game: str, ledger: Ledger, seat: int, legal: Collection[Move],
    teller: Teller,
) -> Helping:  # fmt: skip
    """What ``cards`` (kind of the box → number) are for the player on ``seat``, who counts."""
    kinds = {kind: entry(ledger, Pen.of(seat), kind) for kind in cards}
    counted = {kind: number for kind, number in cards.items() if kinds[kind] in legal}
    worth = find_game(game).worth
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
    """What people should do now, or what is waited for; ``name``: whose cards are counted."""
    match fanned.phase:
        case Phase.BLIND:
            return _("The camera shows no picture yet.")
        case Phase.MOVING:
            return _("Something is moving. Please wait a moment.")
        case Phase.REACHING:
            return _("Something reaches into the picture. Please take your hands away.")
        case Phase.CLEARING:
            return _("First take all these cards away, then fan the next ones.")
        case Phase.LOOKING:
            return _("Hold still, the cards are being read.")
    if not helping.moves:
        return _("{name}: fan your cards so that every sticker shows.").format(name=name)
    return _("Is that right? If other cards lie there, touch them in the picture.")


def missed_text(fanned: Fanned, helping: Helping, box: Box) -> str:
    """What lies there and does not count, though it might; empty if there is nothing."""
    if fanned.phase not in (Phase.LOOKING, Phase.READY):
        return ""
    if fanned.unread:
        return _("Cards that cannot be read: {number}. Lay their stickers free.").format(
            number=len(fanned.unread)
        )
    if helping.strange:
        backs = {kind.back for kind in box.kinds.values() if kind.back}
        down = sum(number for kind, number in fanned.helping.items() if kind in backs)
        if down == helping.strange:
            return _("Face down: {number}. Turn them over.").format(number=down)
        return _("More than there are in the box. Take some away.")
    return ""
