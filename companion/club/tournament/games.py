"""Games of a tournament, and the points that their places are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Scale = tuple[float, ...]
"""Points of the first place, the second …; places beyond its end are worth nothing."""

DUEL: Scale = (1.0, 0.0)
"""Points of two players; half a point each for a draw."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a round."""

    round: int
    board: int
    players: tuple[int, ...]
    """In the order of their seats; the first begins. A single player has a bye."""
    places: tuple[int, ...] = ()
    """The place of each of them, from 1; players who tie share one. Empty: not played yet."""

    @property
    def is_bye(self) -> bool:
        """True if a player rests."""
        return len(self.players) == 1

    def points(self, scale: Scale) -> tuple[Fraction, ...]:
        """The points of each player; those who share a place share its points and the next ones'.
        Thirds of points are exact, so that equal sums are equal."""
        found = []
        for place in self.places:
            shared = self.places.count(place)
            worth = [scale[at] for at in range(place - 1, place - 1 + shared) if at < len(scale)]
            found.append(Fraction(sum(worth)) / shared)
        return tuple(found)


def bye(round: int, board: int, player: int) -> Game:
    """A game won without an opponent."""
    return Game(round, board, (player,), (1,))


def places_of(order: Sequence[int]) -> tuple[int, ...]:
    """Places counted as in sports: two who share the first place are followed by the third."""
    return tuple(1 + sum(other < mine for other in order) for mine in order)


@dataclass
class History:
    """A player's games so far, as far as the next pairing depends on them."""

    id: int
    rank: int = 0
    """Index among all players, by points; players of equal points by strength."""
    score: int = 0
    """Points in halves of a win."""
    met: Counter[int] = field(default_factory=Counter)
    byes: int = 0
    seats: list[int] = field(default_factory=list)
    """Seat in every game, from 0."""

    @property
    def begun(self) -> list[bool]:
        """For every game so far: whether the player began."""
        return [seat == 0 for seat in self.seats]

    @property
    def balance(self) -> int:
        """Games begun minus games not begun."""
        return sum(1 if began else -1 for began in self.begun)

    @property
    def must(self) -> bool | None:
        """True if the player must begin, False if not; None if both is possible."""
        if abs(self.balance) > 1:
            return self.balance < 0
        begun = self.begun
        if len(begun) > 1 and begun[-1] == begun[-2]:
            return not begun[-1]
        return None

    @property
    def wish(self) -> bool | None:
        """The fair choice of whether the player begins; None if either is."""
        begun = self.begun
        if self.must is not None or not begun:
            return self.must
        return self.balance < 0 if self.balance else not begun[-1]


def histories(players: Sequence[int], games: Sequence[Game], scale: Scale) -> list[History]:
    """All players with their history, by points; those of equal points as in ``players``."""
    found = {id: History(id) for id in players}
    worth = dict.fromkeys(players, Fraction())
    for game in sorted(games, key=lambda one: one.round):
        points = game.points(scale) or (Fraction(),) * len(game.players)
        for seat, id in enumerate(game.players):
            if (player := found.get(id)) is None:
                continue
            worth[id] += points[seat]
            if game.is_bye:
                player.byes += 1
            else:
                player.met.update(other for other in game.players if other != id)
                player.seats.append(seat)
    for id, player in found.items():
        player.score = round(2 * worth[id] / Fraction(scale[0] or 1.0))
    ranked = sorted(found.values(), key=lambda player: -worth[player.id])
    for rank, player in enumerate(ranked):
        player.rank = rank
    return ranked
