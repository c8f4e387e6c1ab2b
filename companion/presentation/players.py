"""The players as their cards show them: name, points, and what still lies in front of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.match.view import MatchView
from companion.presentation.boxes import box_of
from companion.presentation.faces import NOBODY, seated
from companion.presentation.theme.piece_colours import fill_of, named_colour
from companion.presentation.theme.tokens import NO_COLOUR, Rgba, rgba
from rules.box import Box, PieceKind
from rules.telling import Teller
from rules.texts import minus


@dataclass(frozen=True, slots=True)
class Supply:
    """The pieces in front of a player, as they are drawn."""

    tokens: tuple[tuple[PieceKind, int], ...] = ()
    """Pieces with something printed on them, and how many."""
    counters: tuple[tuple[PieceKind, int, int], ...] = ()
    """Plain pieces: how many are left, of how many."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player of a match."""

    seat: int
    name: str
    score: str
    """Their points; empty in a game that counts none."""
    token: PieceKind | None
    """The piece that stands for their colour; None if none of the box is theirs."""
    supply: Supply = Supply()
    colour: str = ""
    """Their colour, as the box calls it."""
    goal: int = 0
    """Points with which a match is won at once; 0: there is no such number."""
    face: str = NOBODY
    """Their drawn face, see ``companion.presentation.faces``."""

    @property
    def way(self) -> float:
        """Their points as a share of the ``goal``."""
        return min(int(self.score) / self.goal, 1.0)

    @property
    def look(self) -> tuple[object, ...]:
        """All of it, pieces by their ids: equal means that it looks the same."""
        tokens = tuple((kind.id, count) for kind, count in self.supply.tokens)
        counters = tuple((kind.id, rest, total) for kind, rest, total in self.supply.counters)
        token = "" if self.token is None else self.token.id
        return (self.seat, self.name, self.score, self.face, token, tokens, counters)

    def tone(self, choice: str) -> Rgba:
        """The colour they are known by, for a choice of colours of pieces."""
        return tone_of_seat(self.token, self.colour, choice)


def token_of(box: Box, colour: str) -> PieceKind | None:
    """The piece that stands for a colour; None if the box has none of it."""
    own = [kind for kind in box.kinds.values() if kind.owner == colour]
    return next((k for k in own if k.shape in ("disc", "pawn", "octagon")), next(iter(own), None))


def tone_of_seat(token: PieceKind | None, colour: str, choice: str) -> Rgba:
    """The colour of their pieces; without any the one that they are called by."""
    if token is not None:
        return fill_of(token, choice)
    return rgba(named_colour(colour, choice) or NO_COLOUR)


def player_of(view: MatchView, teller: Teller, seat: int, *, supply: bool = True) -> Player:
    """The player on a seat; ``supply``: with what lies before them."""
    box, colour = box_of(view), view.colours[seat]
    lying = Counter(item.kind for item in view.items if item.owner == seat)
    # Where nobody has anything left to put down, a row of noughts says nothing.
    some = supply and any(count for left in view.supplies for count in left.values())
    left = _supply(box, colour, view.supplies[seat], lying) if some else Supply()
    score = minus(view.scores[seat]) if view.counts_points else ""
    goal = teller.game.goal if view.counts_points else 0
    token = token_of(box, colour)
    return Player(seat, teller.seat(seat), score, token, left, colour, goal, seated(view)[seat])


def _supply(box: Box, colour: str, left: Mapping[str, int], lying: Mapping[str, int]) -> Supply:
    """Sort a player's supply by groups of the box.

    ``left``: pieces in front of the player; ``lying``: their pieces on the table. Groups of which
    they have neither are not part of the game being played.
    """
    tokens: list[tuple[PieceKind, int]] = []
    counters: list[tuple[PieceKind, int, int]] = []
    for kinds in box.kinds_of_group.values():
        own = [kind for kind in kinds if kind.id in left or kind.id in lying]
        if any(kind.mark for kind in own):
            tokens += [(kind, left[kind.id]) for kind in own if left.get(kind.id)]
        elif own:
            counters += _counted(own, colour, left, lying)
    return Supply(tuple(tokens), tuple(counters))


def _counted(
    own: Sequence[PieceKind], colour: str, left: Mapping[str, int], lying: Mapping[str, int]
) -> list[tuple[PieceKind, int, int]]:
    """Plain pieces of a group that are left, colour by colour if there are several."""
    colours = dict.fromkeys(kind.owner for kind in own if left.get(kind.id))
    parts = [[kind for kind in own if kind.owner == one] for one in colours]
    counted = []
    for part in parts if len(parts) > 1 else [own]:
        rest = sum(left.get(kind.id, 0) for kind in part)
        placed = sum(lying.get(kind.id, 0) for kind in part if kind.owner in (colour, ""))
        total = min(rest + placed, max(sum(kind.count for kind in part), rest))
        # The first one stands for all: one of the player's own colour, if there is one.
        shown = next((kind for kind in part if kind.owner == colour), part[0])
        counted.append((shown, rest, total))
    return counted
