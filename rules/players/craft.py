"""A player's craft beyond the rules: what may be hidden where, what looks promising, how people go
on, and how to say why.

A game names its craft as ``Game.craft``; without one it is played with the rules alone, which is
sound as long as nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from rules.core import Actor, Game, Move, S, State
from rules.core.matches import Outcome
from rules.players.player import Budget, Reason
from rules.players.position import CHANCE, OVER, Key, Worlds
from rules.players.search import Found, search
from rules.players.view import SeatView

if TYPE_CHECKING:
    from rules.players.tasks import Task


class Craft(Generic[S]):
    """The craft of one game. Everything has a default that needs the rules only."""

    horizon: ClassVar[int] = 400
    """Number of decisions after which a playout ends with an ``estimate``."""
    reasons: ClassVar[tuple[str, ...]] = ()
    """Every code that ``reason`` can give, besides those in the common text file."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game

    # -- what is hidden -------------------------------------------------------------------

    def hides(self, view: SeatView) -> bool:
        """True if anything is hidden from the seat, so that ``states`` differ."""
        return type(self).states is not Craft.states

    def states(self, view: SeatView) -> Callable[[Random], S]:
        """Positions that fit everything ``view`` knows, with all that is hidden dealt at random.

        By default the position of the view, which is whole where nothing is hidden.
        """
        state = self.game.from_json(view.state)
        return lambda _random: state.clone()

    def worlds(self, view: SeatView) -> Worlds:
        """The same as positions to search in."""
        states, whole = self.states(view), not self.hides(view)
        return lambda random: RulesPosition(self, states(random), view.seat, open=whole)

    def sees(self, view: SeatView) -> bool:
        """True if the seat's own holdings are in the view: at a real table they may never have been
        shown, and then the match cannot be played on from there."""
        return True

    def forgetful(self, view: SeatView, memory: float, random: Random) -> SeatView:
        """The view of a player who remembers only the part ``memory``, 0 … 1, of what was shown and
        lies hidden again; for games of memory."""
        return view

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: S, moves: Sequence[Move]) -> Sequence[Move]:
        """The legal ``moves`` that are worth a look; at least one."""
        return moves

    def obvious(self, state: S, moves: Sequence[Move]) -> Move | None:
        """Of several legal ``moves`` the one that needs no thought; None: it must be thought about.
        It must be the same whatever is hidden."""
        return None

    def priors(self, state: S, moves: Sequence[Move]) -> Sequence[float]:
        """Weights of ``moves`` by how promising they look at first sight; of any size."""
        return (1.0,) * len(moves)

    def carry_on(self, state: S, moves: Sequence[Move], random: Random) -> Move:
        """The move of a player with a little experience, in a playout."""
        return state.choose(moves, random)

    def estimate(self, state: S) -> Sequence[float]:
        """The chance of each seat in a match that is not over, 0 … 1."""
        return from_scores(state.scores())

    def payoff(self, state: S, outcome: Outcome) -> Sequence[float]:
        """The worth of the end of a match to each seat, 0 … 1."""
        return hopes(outcome)

    def sequel(self, state: S, move: Move) -> Sequence[Move]:
        """Moves that the same seat makes after ``move`` as a matter of course, up to the end of its
        turn; empty: those that the search found."""
        return ()

    # -- how it is played -----------------------------------------------------------------

    def as_known_by(self, level: str) -> Craft[S]:
        """The craft as far as players of this level know it; where strength lies less in looking
        ahead than in experience."""
        return self

    def look_ahead(
        self, worlds: Worlds, budget: Budget, random: Random, only: Collection[Key],
        depth: int | None,
    ) -> Found:  # fmt: skip
        """The search for the best of the moves ``only``; for games with a search of their own."""
        return search(worlds, budget, random, only=only, depth=depth)

    def solved(self, state: S) -> Mapping[Move, float] | None:
        """The worth of each legal move to its player, 0 … 1, if nobody errs; None unless nothing is
        hidden and every way on can be followed to its end in a few seconds."""
        return None

    def tasks(self) -> Sequence[type[Task[S]]]:
        """Tasks for puzzles of one turn, see ``rules.players.tasks``."""
        return ()

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: S, move: Move) -> Reason | None:
        """The reason why ``move`` is good, in the game's own words, from what ``view`` knows alone;
        None if there is nothing to say about it but the chances. ``state`` is one that fits the
        view: what is hidden in it must not be told."""
        return None


class RulesPosition:
    """A position played by the rules themselves."""

    __slots__ = ("_craft", "_moves", "_seat", "_state", "open")

    def __init__(self, craft: Craft[Any], state: Any, seat: int, *, open: bool = False) -> None:
        self._craft, self._state, self._seat = craft, state, seat
        self.open = open
        self._moves: list[Move] | None = None

    def clone(self) -> RulesPosition:
        return RulesPosition(self._craft, self._state.clone(), self._seat, open=self.open)

    def _legal(self) -> list[Move]:
        if self._moves is None:
            self._moves = self._state.legal_moves()
        return self._moves

    def actor(self) -> int:
        moves = self._legal()
        if not moves:
            return OVER
        player = moves[0].player
        return CHANCE if player is None or moves[0].actor is not Actor.PLAYER else player

    def keys(self) -> Sequence[Key]:
        return self._craft.candidates(self._state, self._legal())

    def priors(self, keys: Sequence[Key]) -> Sequence[float]:
        weights = self._craft.priors(self._state, keys)
        total = sum(weights) or 1.0
        return [weight / total for weight in weights]

    def draw(self, random: Random) -> Key:
        return _drawn(self._state, self._legal(), random)

    def seen(self, key: Key) -> Hashable:
        # One's own moves are known; so are most others, but the game must be asked.
        own = key.player == self._seat
        told: Move = key if own else self._state.public(key, self._seat)
        return told

    def play(self, key: Key) -> None:
        self._state.apply(key)
        self._moves = None

    def playout(self, random: Random) -> Sequence[float]:
        craft, state = self._craft, self._state
        moves = self._legal()
        for _ in range(craft.horizon):
            if not moves:
                break
            if len(moves) == 1:
                move = moves[0]
            elif moves[0].actor is Actor.PLAYER:
                move = craft.carry_on(state, moves, random)
            else:
                move = _drawn(state, moves, random)
            state.apply(move)
            moves = state.legal_moves()
        outcome = state.outcome()
        return craft.estimate(state) if outcome is None else craft.payoff(state, outcome)

    def move(self, key: Key) -> Move:
        assert isinstance(key, Move)
        return key


def _drawn(state: State, moves: Sequence[Move], random: Random) -> Move:
    if len(moves) == 1:
        return moves[0]
    return random.choices(moves, weights=state.weights(moves))[0]


def hopes(outcome: Outcome) -> tuple[float, ...]:
    """A victory is 1, all other places are 0; players who share the first place share the victory.

    A clear victory counts a little more than a close one, so that sure winners do not dawdle, and
    sure losers do not give up.
    """
    first = outcome.ranking[0]
    seats = range(len(outcome.scores))
    won = [1 / len(first) if seat in first else 0.0 for seat in seats]
    return tuple(
        0.95 * win + 0.05 * margin
        for win, margin in zip(won, from_scores(outcome.scores), strict=True)
    )


def from_scores(scores: Sequence[int]) -> tuple[float, ...]:
    """The standing of each seat by its points alone, 0 … 1."""
    if len(scores) == 1:
        return (0.5,)
    best = sorted(scores)[-2:]
    spread = max(4.0, sum(abs(score) for score in scores) / len(scores))
    found = []
    for score in scores:
        rival = best[0] if score == best[1] else best[1]
        lead = (score - rival) / spread
        found.append(0.5 + 0.5 * lead / (1 + abs(lead)))
    return tuple(found)


def craft_of(game: Game[Any]) -> Craft[Any]:
    """The craft of a game, the plain one if it names none."""
    if not game.craft:
        return Craft(game)
    module, _, name = game.craft.partition(":")
    made: type[Craft[Any]] = getattr(import_module(module), name)
    return made(game)
