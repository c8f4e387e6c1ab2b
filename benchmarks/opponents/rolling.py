"""``python -m benchmarks.opponents.rolling --first archdruid --second random --matches 200``: the
value of good advice about shots in Rollende Steine.

Its players win or lose together and cannot beat each other. Two groups play the same match instead:
the gates are equally hard to meet for both, drawn for every match from the accuracy model
(``rules.players.crafts.rollende_steine``), and the group that does better counts: a win before a
defeat, then more gates, then fewer discs; if both did the same, the match does not count. No real
disc is rolled here: the figures say how much better a group chooses its shots *if discs roll as
the model says*, not how well people roll. The random group takes a step and one of the five gates
at random, and rolls at it from where it is met best.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from random import Random

from benchmarks.opponents.contest import wilson
from rules.core import Actor, Move
from rules.games.rollende_steine.components import GATES
from rules.games.rollende_steine.game import RollendeSteine
from rules.match import Match
from rules.players import Budget, SeatView, find_player
from rules.players.craft import craft_of
from rules.players.crafts.rollende_steine.accuracy import Shot, gates_of, shots_at
from rules.players.crafts.rollende_steine.craft import RollendeSteineCraft
from rules.players.crafts.rollende_steine.position import SHORT_ROLL, result
from rules.players.crafts.rollende_steine.reckoning import Reckoning, Skill

RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a group."""

    gates: int
    used: int

    @property
    def rank(self) -> tuple[int, int]:
        """Rank of the result, more being better; a win is all five gates."""
        return self.gates, -self.used


class Group:
    """Players who follow one adviser."""

    def __init__(self, name: str, seconds: float) -> None:
        self.name, self.seconds = name, seconds
        self.choices, self.playouts, self.spent_s = 0, 0, 0.0

    def step(self, match: Match, seat: int, random: Random) -> tuple[Move, Shot]:
        """The move of a seat, and the shot that follows it."""
        game, moves = match.game, match.legal_moves()
        assert isinstance(game, RollendeSteine)
        if self.name == RANDOM:
            course = match.options["course"]
            shots = shots_at(gates_of(course, game.touch.build(match.options)))
            return random.choice(moves), random.choice(shots)[0]
        view, began = SeatView.of(match, seat), time.thread_time()
        budget = Budget(self.seconds, clock=time.thread_time)
        choice = find_player(self.name).choose(view, moves, budget, random)
        self.choices += 1
        self.playouts += choice.playouts
        self.spent_s += time.thread_time() - began
        craft = craft_of(game).as_known_by(self.name)
        assert isinstance(craft, RollendeSteineCraft)
        return choice.move, craft.shot(view, choice.move.verb)


def played(group: Group, players: int, course: str, seed: int) -> Done:
    """One match of a group; ``seed`` says how hard the gates are and how the luck runs."""
    match = Match("rollende_steine", players, {"course": course}, seed=seed)
    luck, whim = Random(f"luck/{seed}"), Random(f"{group.name}/{seed}")
    game = match.game
    assert isinstance(game, RollendeSteine)
    real = Reckoning(shots_at(gates_of(course, game.touch.build(match.options))), Skill())
    form = [luck.betavariate(*real.beta(gate)) / real.model(gate) for gate in range(len(GATES))]
    short = luck.betavariate(1.1, 8.9)
    shot: Shot | None = None
    while match.outcome is None:
        prompt, left = match.prompt, match.state.left
        assert prompt is not None and prompt.player is not None
        if prompt.actor is Actor.PLAYER:
            move, shot = group.step(match, prompt.player, whim)
            real.lay(move.verb, shot.aim, left)
            match.push(move)
            continue
        assert shot is not None
        did = result(shot, left, real.beside[shot.aim], form[shot.aim], short, luck)
        names = ",".join(gate for number, gate in enumerate(GATES) if did > 0 and did >> number & 1)
        match.push(
            "table short" if did == SHORT_ROLL else f"table score {names}" if did else "table miss"
        )
    return Done(sum(match.scores), match.state.used)


def main() -> int:
    """Play the matches that the arguments name."""
    parser = argparse.ArgumentParser(prog="benchmarks.opponents.rolling", description=__doc__)
    parser.add_argument("--first", default="archdruid", help="a player, or 'random'")
    parser.add_argument("--second", default=RANDOM)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--course", default="marked")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time a move")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    first, second = (Group(name, given.seconds) for name in (given.first, given.second))
    better, alike, all_done = 0, 0, [[0, 0], [0, 0]]
    for seed in range(given.seed, given.seed + given.matches):
        done = [played(group, given.players, given.course, seed) for group in (first, second)]
        better += done[0].rank > done[1].rank
        alike += done[0].rank == done[1].rank
        for sums, one in zip(all_done, done, strict=True):
            sums[0] += one.gates
            sums[1] += one.used
    counted = given.matches - alike
    low, high = wilson(better, counted)
    print(
        f"rollende_steine {given.course} {given.players}p {given.first} : {given.second}, "
        f"{given.seconds:g} s a move\nbetter in {better} of {counted} = "
        f"{better / max(1, counted):.1%} ({low:.1%} to {high:.1%}), {alike} alike"
    )
    for group, (gates, used) in zip((first, second), all_done, strict=True):
        text = f"{group.name}: {gates / given.matches:.2f} gates, {used / given.matches:.1f} discs"
        if group.choices:
            text += (
                f"; {group.playouts / group.choices:.0f} playouts a choice, "
                f"{group.playouts / max(group.spent_s, 1e-9):.0f} a second"
            )
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
