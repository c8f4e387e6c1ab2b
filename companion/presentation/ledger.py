"""What touches of a ledger enter, and what its tiles say. Free of Kivy.

A touch of a pile means: the player to move gained this. A pen taken up before says something else,
for the next touch only: it was trashed, or it concerns another player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from companion.presentation.words.translate import _
from rules.core import Ledger, Move
from rules.telling import Teller, alphabetical

__all__ = [
    "GAIN",
    "MOST_KEYS",
    "TRASH",
    "TRASH_PILE",
    "Pen",
    "PileTile",
    "choice_tiles",
    "counts_only",
    "entered_text",
    "entry",
    "keys_of",
    "pen_text",
    "pile_tiles",
    "short_text",
    "taken",
]

GAIN, TRASH = "gain", "trash"
MOST_KEYS = 3
"""Maximum number of keys for likely entries."""
TRASH_PILE = ""
"""The kind of the tile that is no pile."""
_MOST_TOLD = 4
_LONG_NAME = 8
_SIGNS = {GAIN: "+", TRASH: "−", "take": "+"}


@dataclass(frozen=True, slots=True)
class Pen:
    """What the next touch of a pile means."""

    mover: int
    seat: int
    """Whom it concerns."""
    fewer: bool = False
    """One card fewer, not one more: the second of the ledger's verbs."""

    @staticmethod
    def of(mover: int) -> Pen:
        """What a touch means while nothing else was said."""
        return Pen(mover, mover)

    @property
    def elsewhere(self) -> bool:
        """It concerns another player."""
        return self.seat != self.mover

    def touch_switch(self, fewer: bool) -> Pen:
        """The switch was set to one card ``fewer``, or to one more."""
        return replace(self, fewer=fewer)

    def touch_seat(self, seat: int, ledger: Ledger) -> Pen:
        """A player was touched; a second time: the player to move again."""
        if not ledger.others or seat in (self.seat, self.mover):
            return Pen.of(self.mover)
        return Pen(self.mover, seat, ledger.others == ledger.verbs[1])


def entry(ledger: Ledger, pen: Pen, kind: str) -> Move:
    """The move that a touch of the pile ``kind`` makes."""
    whose = (f"p{pen.seat}",) if pen.elsewhere else ()
    return Move.of(pen.mover, ledger.verbs[pen.fewer], *whose, kind)


def counts_only(ledger: Ledger) -> bool:
    """Whether nothing changes hands, and cards are only counted."""
    return GAIN not in ledger.verbs


def keys_of(ledger: Ledger) -> tuple[Move, ...]:
    """Entries that have keys of their own."""
    return ledger.likely[:MOST_KEYS]


def taken(legal: Sequence[Move]) -> tuple[Move, ...]:
    """What may be taken out of the trash now."""
    return tuple(move for move in legal if move.verb == "take")


# -- words ------------------------------------------------------------------------------------


def short_text(move: Move, teller: Teller) -> str:
    """An entry in as few words as possible, such as „− Kupfer“ or „Ben + Fluch“."""
    told = f"{_SIGNS[move.verb]} {teller.kind(move.args[-1])}"
    if len(move.args) < 2:
        return told
    name = teller.seat(int(move.args[0][1:]))
    return f"{name if len(name) <= _LONG_NAME else name[: _LONG_NAME - 1] + '.'} {told}"


def entered_text(ledger: Ledger, teller: Teller) -> str:
    """What was entered in this turn; of many entries the last ones."""
    told = [short_text(move, teller) for move in ledger.entered[-_MOST_TOLD:]]
    if len(ledger.entered) > _MOST_TOLD:
        told.insert(0, "…")
    return ", ".join(told)


def pen_text(pen: Pen, teller: Teller) -> str:
    """What the next touch says, if it is not what it mostly says."""
    if pen == Pen.of(pen.mover):
        return ""
    told = _("What {name} trashed:") if pen.fewer else _("What {name} gained:")
    return told.format(name=teller.seat(pen.seat))


# -- tiles ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PileTile:
    """A pile, or the trash, as it is shown."""

    kind: str
    """``TRASH_PILE``: the trash."""
    lines: tuple[str, ...]
    """Its name, in one or two lines."""
    figure: str
    """How many there are."""
    group: str
    able: bool
    """A touch enters something."""
    scarce: bool
    badge: str
    """What this turn did to it: ``+1``."""


def pile_tiles(
    ledger: Ledger, pen: Pen | None, legal: Collection[Move], teller: Teller
) -> tuple[PileTile, ...]:
    """The piles, and the trash if there is one, for what ``pen`` would enter.

    Without a pen they are only looked at.
    """
    changed = _changes(ledger)
    tiles = []
    for pile in ledger.piles:
        owned = pen is not None and pen.fewer and not counts_only(ledger)
        count = ledger.owned[pen.seat].get(pile.kind, 0) if owned and pen else pile.left
        # An empty pile is told in a word; that somebody owns none of a card is a plain figure.
        gone = not count and not owned and not counts_only(ledger)
        able = pen is None or entry(ledger, pen, pile.kind) in legal
        tiles.append(
            PileTile(
                pile.kind, teller.broken(pile.kind), _("empty") if gone else str(count),
                pile.group, able, pile.scarce, changed.get(pile.kind, ""),
            )
        )  # fmt: skip
    if counts_only(ledger):
        return tuple(tiles)
    able = pen is not None and bool(taken(tuple(legal)))
    badge = changed.get(TRASH_PILE, "")
    tiles.append(
        PileTile(TRASH_PILE, (_("Trash"),), str(ledger.trash), "trash", able, False, badge)
    )
    return tuple(tiles)


def choice_tiles(legal: Sequence[Move], teller: Teller) -> dict[Move, PileTile]:
    """Moves that name one card each, before there are piles: one tile per move."""
    return {
        move: PileTile(
            move.args[0], teller.broken(move.args[0]), "", "action", able=True, scarce=False,
            badge="",
        )
        for move in sorted(legal, key=lambda move: alphabetical(teller.kind(move.args[-1])))
        if len(move.args) == 1
    }  # fmt: skip


def _changes(ledger: Ledger) -> dict[str, str]:
    """What this turn did to each pile and to the trash, as a badge."""
    gained, trash = Counter[str](), 0
    for move in ledger.entered:
        if move.verb == GAIN:
            gained[move.args[-1]] += 1
        trash += (move.verb == TRASH) - (move.verb == "take")
    badges = {kind: f"+{count}" for kind, count in gained.items()}
    if trash:
        badges[TRASH_PILE] = f"{trash:+d}".replace("-", "−")
    return badges
