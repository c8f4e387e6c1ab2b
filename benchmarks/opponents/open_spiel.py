"""OpenSpiel's MCTS at our table: a game of ours wrapped for it, at equal wall time.

``python -m benchmarks.opponents.open_spiel --matches 40 --seconds 1``. The peer is its ``MCTSBot``
with random playouts and its solver turned on (M. Lanctot et al., *OpenSpiel: A Framework for
Reinforcement Learning in Games*, arXiv 1908.09453), in Python, since the C++ one of 2.0 crashes
with games in Python, its own among them. It plays by our rules through OpenSpiel's interface;
``--turns`` gives it the same fast position in which our own player searches, so that only the two
searches differ. It counts simulations and not seconds, so before each thought its speed is
measured; what that costs is not taken from its time.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random
from typing import Any

import pyspiel
from open_spiel.python.algorithms import mcts

from benchmarks.opponents.contest import Contestant, Standing, Thinking, contest
from rules.core import Game, Move
from rules.games import find_game
from rules.match import Match
from rules.players.crafts.knizia_stonehenge.position import Stones
from rules.players.position import OVER

GAME = "knizia_stonehenge"
FIELDS = 18
UCT_C = 2.0
PROBED = 30
"""Simulations by which its speed is measured."""

MOVES = [
    *(f"place {value} {field}" for value in range(1, 7) for field in "ABCDEFGHIJKLMNOPQR"),
    *(f"claim {way}{number}" for way in "HLR" for number in range(1, 6)),
    "done",
]
"""OpenSpiel's actions 0, 1, 2 …"""
NUMBER = {text: number for number, text in enumerate(MOVES)}

_TYPE = pyspiel.GameType(
    short_name="heelstone", long_name="Heelstone",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2, min_num_players=2, provides_information_state_string=False,
    provides_information_state_tensor=False, provides_observation_string=False,
    provides_observation_tensor=False,
)  # fmt: skip


class _ByRules:
    """A position played by the rules, move by move."""

    def __init__(self, rules: Game[Any], state: Any) -> None:
        self.rules, self.state = rules, state
        self._moves: list[Move] | None = None

    def __deepcopy__(self, _memo: object) -> _ByRules:
        # OpenSpiel copies positions in this way.
        return _ByRules(self.rules, self.state.clone())

    def _legal(self) -> list[Move]:
        if self._moves is None:
            self._moves = self.state.legal_moves()
        return self._moves

    def player(self) -> int:
        moves = self._legal()
        return OVER if not moves or moves[0].player is None else moves[0].player

    def actions(self) -> list[int]:
        return sorted(NUMBER[move.text.partition(" ")[2]] for move in self._legal())

    def play(self, action: int) -> None:
        self.state.apply(Move.parse(f"p{self.player()} {MOVES[action]}"))
        self._moves = None

    def winner(self) -> int:
        outcome = self.state.outcome()
        return OVER if outcome is None else outcome.ranking[0][0]


class _ByTurns:
    """A position played in numbers, turn by turn: the one in which our own player searches."""

    def __init__(self, position: Stones) -> None:
        self.position = position

    def __deepcopy__(self, _memo: object) -> _ByTurns:
        return _ByTurns(self.position.clone())

    def player(self) -> int:
        return self.position.actor()

    def actions(self) -> list[int]:
        return sorted(int(key) - FIELDS for key in self.position.keys())  # noqa: SIM118

    def play(self, action: int) -> None:
        self.position.play(action + FIELDS)

    def winner(self) -> int:
        return self.position.winner


class _Wrapped(pyspiel.Game):  # type: ignore[misc]
    """The game as OpenSpiel knows it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=len(MOVES), max_chance_outcomes=0, num_players=2,
            min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=200,
        )  # fmt: skip
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> _State:
        return _State(self)


class _State(pyspiel.State):  # type: ignore[misc]
    """Answers to OpenSpiel; all come from ``at``, which is set before it asks."""

    at: _ByRules | _ByTurns

    def current_player(self) -> int:
        player = self.at.player()
        return int(pyspiel.PlayerId.TERMINAL) if player == OVER else player

    def _legal_actions(self, _player: int) -> list[int]:
        return self.at.actions()

    def _apply_action(self, action: int) -> None:
        self.at.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"p{player} {MOVES[action]}"

    def is_terminal(self) -> bool:
        return self.at.player() == OVER

    def returns(self) -> list[float]:
        winner = self.at.winner()
        return [0.0, 0.0] if winner == OVER else [1.0 if s == winner else -1.0 for s in (0, 1)]

    def __str__(self) -> str:
        return str(self.at.actions())


pyspiel.register_game(_TYPE, _Wrapped)


class OpenSpielMcts:
    """Their player, with ``seconds`` of wall time a move."""

    def __init__(self, seconds: float, *, turns: bool) -> None:
        self.turns = turns
        self.choices, self.spent_s = 0, 0.0
        self._game = pyspiel.load_game("heelstone")
        self._bot = mcts.MCTSBot(self._game, UCT_C, PROBED, mcts.RandomRolloutEvaluator())
        self._seconds = seconds

    def __call__(self, match: Match, seat: int, random: Random) -> Move:
        moves = match.legal_moves()
        if len(moves) == 1:
            return moves[0]
        wrapped = self._game.new_initial_state()
        if self.turns:
            at_once = [move for move in moves if move.verb != "place"]
            if at_once:
                # Our own player does not think about claims either.
                claims = [move for move in at_once if move.verb == "claim"]
                return (claims or at_once)[0]
            wrapped.at = _ByTurns(Stones.of(match.state))
        else:
            wrapped.at = _ByRules(match.game, match.state.clone())
        self._bot.max_simulations = PROBED
        began = time.perf_counter()
        self._bot.step(wrapped)
        rate = PROBED / (time.perf_counter() - began)
        self._bot.max_simulations = max(PROBED, round(self._seconds * rate))
        began = time.perf_counter()
        action = self._bot.step(wrapped)
        self.spent_s += time.perf_counter() - began
        self.choices += 1
        return Move.parse(f"p{seat} {MOVES[action]}")


def main() -> int:
    """Play Stonehenge against OpenSpiel's MCTS."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1.0, help="wall time a move")
    parser.add_argument("--player", default="archdruid")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", action="store_true", help="they search our fast position")
    given = parser.parse_args()
    ours = Thinking(given.player, given.seconds, time.perf_counter)
    theirs = OpenSpielMcts(given.seconds, turns=given.turns)
    rival: Contestant = theirs
    standing = Standing()
    for played in contest(find_game(GAME), 2, ours, rival, given.matches, seed=given.seed):
        standing.played.append(played)
    print(
        f"{GAME}: {given.player} against OpenSpiel's MCTS, {given.seconds:g} s of wall time a move"
    )
    print(standing.line())
    print(f"ours {ours.spent_s / max(1, ours.choices):.2f} s a choice, claims among them; "
          f"theirs {theirs.spent_s / max(1, theirs.choices):.2f} s a thought")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
