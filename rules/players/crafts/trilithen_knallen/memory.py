"""What somebody remembers of the display of Trilithen Knallen, and how people forget.

TK23: the view of a position names no card that lies face down again. Whoever looked on knows more:
what was shown, what they looked at themselves, and which cards changed places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from rules.core import Move
from rules.games.trilithen_knallen.components import DISPLAY, DISPLAY_CARD, SPOT, UNBOUND
from rules.games.trilithen_knallen.moves import MEANING, SHOW_UNSEEN
from rules.players.view import SeatView

__all__ = ["Memory", "forgetful"]


@dataclass(slots=True)
class _Spot:
    card: int = UNBOUND
    """What is known to lie here."""
    public: bool = False
    """Whether everybody saw it."""
    peeked: int = 0
    """Bits of the seats that looked at it secretly."""
    told: int = -1
    """Number of the move that showed it."""


class Memory:
    """The display as one seat remembers it."""

    def __init__(self, view: SeatView) -> None:
        display = view.state["display"]
        self.spots = [_Spot() for _ in display]
        looker = None
        for ply, move in enumerate(view.moves):
            verb, meaning = move.verb, MEANING.get(move.text, ())
            if verb == "flip":
                looker = None
            elif verb == "peek":
                looker = meaning[0]
            elif verb == "show":
                self._show(meaning[0], meaning[1], looker, ply)
            elif verb == "swap":
                one, other = meaning[1:]
                spots = self.spots
                spots[one], spots[other] = spots[other], spots[one]
            elif verb == "ride" and view.options.get("changing", "0") != "0":
                # TK31: among the cards that nobody saw one may have changed places with any.
                self.spots = [_Spot() for _ in display]
        for name, entry in display.items():
            if entry["up"]:
                self._show(SPOT[name], DISPLAY_CARD[entry["card"]], None, len(view.moves))

    def _show(self, spot: int, card: int, looker: int | None, ply: int) -> None:
        here = self.spots[spot]
        if looker is not None:
            here.peeked |= 1 << looker
        if card == UNBOUND:
            return
        for other in self.spots:
            if other.card == card and other is not here:
                # TK23: cards were moved; nobody knows what lies there now.
                other.card, other.public, other.peeked = UNBOUND, False, 0
        if here.card not in (card, UNBOUND):
            here.public, here.peeked = False, 0
        here.card, here.told = card, ply
        if looker is None:
            here.public = True
        else:
            here.peeked |= 1 << looker


def forgetful(view: SeatView, memory: float) -> SeatView:
    """``view`` as known by somebody who remembers the part ``memory`` of the cards that were shown
    and lie face down again, the older the likelier not."""
    if memory >= 1:
        return view
    up = {entry["card"] for entry in view.state["display"].values() if entry["up"]}
    known = [one for one in Memory(view).spots if one.card != UNBOUND]
    known = [one for one in known if DISPLAY[one.card] not in up]
    known.sort(key=lambda one: one.told)
    forgotten = set()
    for age, one in enumerate(known, 1):
        # The mean over all ages is the part that is remembered. What is forgotten stays forgotten:
        # the same card shown at the same time meets the same chance until it is shown again.
        chance = Random(f"{view.seat} {one.told} {view.moves[one.told].text}").random()
        if memory <= 0 or chance >= (age / len(known)) ** ((1 - memory) / memory):
            forgotten.add(one.card)
    return replace(view, moves=tuple(_without(view.moves, forgotten)))


def _without(moves: Sequence[Move], forgotten: set[int]) -> Iterable[Move]:
    for move in moves:
        if move.verb == "show" and MEANING[move.text][1] in forgotten:
            yield SHOW_UNSEEN[MEANING[move.text][0]]
        else:
            yield move
