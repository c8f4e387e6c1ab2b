"""``python -m benchmarks.opponents.ceiling GAME``: the share of matches that can be won at all
against others who play at random.

In Trilithen Knallen a lucky ram ends a match soon, whatever it hits; in Opferroulette the ball
falls by chance. So players are measured that know more than any player at a table: both know that
the others play at random, and how, and look for the best answer to just that. ``rivals`` knows
nothing else besides what its seat has seen; ``everything`` knows all hands and, in Trilithen
Knallen, all cards of the display from the beginning. What even they do not win is no matter of
skill.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Hashable, Iterator, Sequence
from random import Random

from benchmarks.opponents.contest import Played, Standing, by_chance
from rules.core import Actor, Move
from rules.games import find_game
from rules.games.trilithen_knallen.state import Phase, TrilithenState
from rules.match import Match
from rules.players import Budget, SeatView
from rules.players.craft import craft_of
from rules.players.crafts.open_loop import OpenLoop
from rules.players.position import CHANCE, OVER, Key, Worlds
from rules.players.search import search

KNOWS = ("rivals", "everything")
FAR = {"trilithen_knallen": 100_000, "opferroulette": 60}
"""Most moves that are thought ahead, before the craft's estimate counts."""


class AgainstChance(OpenLoop):
    """A position in which the others move as the random player does."""

    __slots__ = ()

    def clone(self) -> AgainstChance:
        return AgainstChance(self._craft, self._state.clone(), self._seat)

    def actor(self) -> int:
        actor = super().actor()
        return CHANCE if actor >= 0 and actor != self._seat else actor

    def draw(self, random: Random) -> Key:
        moves = self._legal()
        if moves[0].actor is Actor.PLAYER:
            return self._state.choose(moves, random)
        return super().draw(random)

    def seen(self, key: Key) -> Hashable:
        # One branch for all that the others may do, as for what the dealer may deal.
        other = key.actor is Actor.PLAYER and key.player != self._seat
        return "other" if other else super().seen(key)

    def play(self, key: Key) -> None:
        super().play(key)
        while self.actor() == self._seat and len(keys := self.keys()) == 1:
            super().play(keys[0])

    def playout(self, random: Random) -> Sequence[float]:
        craft, state, left = self._craft, self._state, FAR[self._craft.game.id]
        while left and (actor := self.actor()) != OVER:
            left -= 1
            if actor == CHANCE:
                self.play(self.draw(random))
            else:
                self.play(craft.carry_on(state, self._legal(), random))
        outcome = state.outcome()
        return craft.estimate(state) if outcome is None else craft.payoff(state, outcome)


class Answering:
    """A contestant that looks for the best answer to random play."""

    def __init__(self, game: str, knows: str, seconds: float) -> None:
        self._craft = craft_of(find_game(game))
        self._knows, self._seconds = knows, seconds
        self.choices = self.playouts = 0

    def __call__(self, match: Match, seat: int, random: Random) -> Move:
        """The move that the seat plays now."""
        worlds = self._worlds(match, seat)
        first = worlds(random)
        keys = first.keys()
        if len(keys) == 1:
            return first.move(keys[0])
        found = search(worlds, Budget(self._seconds, clock=time.thread_time), random)
        self.choices += 1
        self.playouts += found.playouts
        return first.move(found.ranked[0].key)

    def _worlds(self, match: Match, seat: int) -> Worlds:
        if self._knows == "everything":
            state = match.state
            return lambda _random: AgainstChance(self._craft, state.clone(), seat)
        states = self._craft.states(SeatView.of(match, seat))
        return lambda random: AgainstChance(self._craft, states(random), seat)


def played(
    player: Answering, game: str, players: int, matches: int, seed: int, shown: bool
) -> Iterator[Played]:
    """Matches against random players, each deal from every seat. ``shown``: the seat has looked at
    the whole display before the first turn."""
    for number in range(matches):
        deal, seat = seed + number // players, number % players
        match = Match(game, players, seed=deal)
        random = Random(f"{deal}/{seat}")
        dealt = False
        while (outcome := match.outcome) is None:
            prompt, state = match.prompt, match.state
            assert prompt is not None
            if shown and not dealt and isinstance(state, TrilithenState):
                dealt = state.phase is Phase.PLACE
                if dealt:
                    # Otherwise what lies where is decided only when a card is turned up.
                    random.shuffle(state.loose)
                    state.card, state.loose = state.loose, []
                    state.peeked = [1 << seat] * len(state.card)
            if prompt.actor is Actor.PLAYER:
                assert prompt.player is not None
                chooses = player if prompt.player == seat else by_chance
                match.push(chooses(match, prompt.player, random))
            elif not match.deal():
                raise ValueError(f"nothing to deal: {match.legal_moves()}")
        yield Played(deal, seat, outcome, match.ply)


def main() -> int:
    """Play the matches that the arguments name."""
    parser = argparse.ArgumentParser(prog="benchmarks.opponents.ceiling", description=__doc__)
    parser.add_argument("game", choices=[*FAR])
    parser.add_argument("--knows", choices=KNOWS, default=KNOWS[0])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time a move")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    player, standing = Answering(given.game, given.knows, given.seconds), Standing()
    everything = given.knows == "everything"
    for one in played(player, given.game, given.players, given.matches, given.seed, everything):
        standing.played.append(one)
        print(f"\r{standing.line()}", end="", flush=True)
    print(f"\n{player.playouts / max(1, player.choices):.0f} playouts a choice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
