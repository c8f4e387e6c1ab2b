"""Finds puzzles: ``python -m rules.players.puzzles GAME --seed 1 > puzzles/GAME.toml``.

Matches are played as by people with a little experience. Where one turn seems clearly better than
all others, that is proved (``rules.players.puzzles``); what most people would play instead gets its
answer. With ``--task`` only turns are looked for that bring more of one thing than any other
(``rules.players.turn_puzzles``). Of what was found those are kept that differ most, the easier ones
first.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from rules.core import Actor, Game, Move
from rules.games import find_game
from rules.match import Match
from rules.players.craft import Craft, craft_of
from rules.players.player import Budget, Reason
from rules.players.registry import find_player
from rules.players.turn_puzzles import found_in_turns
from rules.players.view import SeatView
from rules.players.weighing import Scales, Weight, doubt_between
from rules.puzzle import EXACT, SEARCHED, ProofKind, Puzzle, Reply, Turn, written
from rules.telling import Teller
from rules.testing.playout import pick

# A position is a puzzle if one turn is clearly better than all others.
#
# Where a craft can solve a position (``Craft.solved``), it is solved. Elsewhere moves are weighed
# one by one, and those drop out that are certainly worse by ``GAP`` (successive elimination: E.
# Even-Dar, S. Mannor, Y. Mansour, *Action Elimination and Stopping Conditions*, JMLR 7, 2006);
# the others are looked at twice as closely, until those left are as good as each other.

GAP = 0.15
"""Least distance of all other moves from the best."""
EVEN = 0.04
"""Moves are as good as each other if their chances differ by no more, after the closest look."""
FIRST, MOST = 32, 4096
"""Playouts for each move: in the first round, and in the last."""
AGAIN, BEST_AGAIN = 256, 4
"""Playouts for each of the others at the end, and number of them that are looked at as closely as
the right ones."""
MOST_RIGHT = 3
"""Most right moves; with more it is no puzzle."""
MOST_TURNS = 12


@dataclass(frozen=True, slots=True)
class Proof:
    """The right moves of a decision."""

    right: tuple[Move, ...]
    """The best one first."""
    chance: float
    """Their worth, 0 … 1."""
    rest: float
    """The same of the best of all others."""
    kind: ProofKind
    chances: dict[Move, float]
    """Of every move that was weighed."""


def seen_by(match: Match, seat: int, craft: Craft[Any]) -> SeatView:
    """The view of a player who meets the position as a puzzle: what their seat can see, and nothing
    of what was shown earlier and lies hidden again."""
    return craft.forgetful(SeatView.of(match, seat), 0.0, Random(0))


def proved(
    match: Match,
    craft: Craft[Any],
    random: Random,
    *,
    most: int = MOST,
    gap: float = GAP,
) -> Proof | None:
    """The proof that few of the legal moves of ``match`` are right; None if that is not so.

    ``most``: playouts for each move in the last round; ``gap``: least distance of the others.
    """
    legal = match.legal_moves()
    seat = legal[0].player
    assert seat is not None
    view = seen_by(match, seat, craft)
    solved = craft.solved(match.state) if not craft.hides(view) else None
    if solved is not None:
        return _from_chances(solved, solved, EXACT, len(legal), gap)
    scales = Scales(craft, view, random)
    if len(scales.keys) < 2:
        return None
    left, known = _weighed(scales, random, most, gap)
    right = {one.move: one.chance for one in left}
    proof = _from_chances(right, known, SEARCHED, len(legal), gap)
    if proof is None:
        return None
    # Moves that dropped out early were not looked at deeply: they may only have seemed bad.
    rest = _looked_at_again(scales, random, most, [m for m in known if m not in proof.right])
    return _from_chances(right, known | rest, SEARCHED, len(legal), gap)


def clear_turns(
    match: Match,
    craft: Craft[Any],
    random: Random,
    first: Proof,
    *,
    most: int = MOST,
    gap: float = GAP,
) -> list[Turn]:
    """The turns that begin with a right move of ``first``, as far as their moves are clear too."""

    seat = first.right[0].player or 0

    def on(trial: Match, line: list[Move], marked: set[int]) -> Iterator[Turn]:
        """Every clear way on after ``line``; ``trial`` is after it."""
        for move in settle(trial, craft, seat):
            marked = marked | {len(line)}
            line = [*line, move]
        goes_on = trial.outcome is None and trial.next_chance() is None
        legal = trial.legal_moves() if goes_on else []
        proof = None
        if legal and legal[0].player == seat:
            proof = proved(trial, craft, random, most=most, gap=gap)
        if proof is None:
            yield Turn(tuple(line), frozenset(marked))
            return
        for move in proof.right:
            after = trial.clone()
            after.push(move)
            yield from on(after, [*line, move], marked)

    turns: list[Turn] = []
    for move in first.right:
        trial = match.clone()
        trial.push(move)
        turns += on(trial, [move], set())
        if len(turns) > MOST_TURNS:
            return []
    return turns


def settle(match: Match, craft: Craft[Any], seat: int) -> list[Move]:
    """Play what goes without saying for ``seat`` now, and nothing of chance; returns that."""
    played: list[Move] = []
    while match.outcome is None and match.next_chance() is None:
        legal = match.legal_moves()
        if not legal or legal[0].player != seat:
            break
        move = legal[0] if len(legal) == 1 else craft.obvious(match.state, legal)
        if move is None:
            break
        match.push(move)
        played.append(move)
    return played


# -- private ----------------------------------------------------------------------------------


def _weighed(
    scales: Scales, random: Random, most: int, gap: float
) -> tuple[list[Weight], dict[Move, float]]:
    """The moves that are not certainly worse, and the chances of all."""
    left: Sequence[Move] = list(scales.keys)
    known: dict[Move, float] = {}
    playouts = FIRST
    while True:
        weights = [scales.weigh(move, Budget(playouts=playouts), random) for move in left]
        weights.sort(key=lambda one: one.chance, reverse=True)
        known |= {one.move: one.chance for one in weights}
        best = weights[0]
        weights = [one for one in weights if not _worse(one, best, gap)]
        even = all(best.chance - one.chance <= _even(gap) for one in weights)
        if playouts >= most or (len(weights) == 1 and playouts >= most // 8):
            return weights, known
        if playouts >= most // 4 and (even or len(weights) > 2 * MOST_RIGHT):
            return weights, known
        left = [one.move for one in weights]
        if len(left) == 1:
            # It alone is left: only how good it is remains to be known.
            playouts = max(playouts, most // 16)
        playouts *= 2


def _looked_at_again(
    scales: Scales, random: Random, most: int, moves: Sequence[Move]
) -> dict[Move, float]:
    """The worth of ``moves`` at a closer look, and of the best of them at the closest."""
    found: dict[Move, float] = {}
    for playouts, count in ((AGAIN, len(moves)), (most, BEST_AGAIN)):
        ranked = sorted(moves, key=lambda move: (-found.get(move, 0.0), move.text))[:count]
        for move in ranked:
            weight = scales.weigh(move, Budget(playouts=playouts), random)
            found[move] = max(found.get(move, 0.0), weight.chance)
    return found


def _worse(one: Weight, best: Weight, gap: float) -> bool:
    worse = best.chance - one.chance
    return worse >= gap and worse - doubt_between(one, best) > _even(gap)


def _even(gap: float) -> float:
    return min(EVEN, gap / 3)


def _from_chances(
    left: Mapping[Move, float], known: Mapping[Move, float], kind: ProofKind, legal: int, gap: float
) -> Proof | None:
    ranked = sorted(left, key=lambda move: (-left[move], move.text))
    best = left[ranked[0]]
    right = tuple(move for move in ranked if best - left[move] <= _even(gap))
    rest = max((chance for move, chance in known.items() if move not in right), default=None)
    if rest is None or best - rest < gap or not len(right) <= min(MOST_RIGHT, legal // 2):
        return None
    return Proof(right, best, rest, kind, dict(known))


WANTED = 5
LOOKED_AT = 12
"""Most positions of each match."""
FIRST_LOOK, SECOND_LOOK = 120, 60
"""Playouts that say whether a position may be a puzzle: for all moves, and for each likely one."""
FEWEST_MOVES = 4
"""Of fewer legal moves one is soon guessed."""
TEMPTING = 12
"""Number of wrong moves that get their answer."""
ANSWERING = 200
"""Playouts for an answer."""
TRIES = 6
"""Times that an apprentice tries to solve it; the easier, the earlier it comes."""
HOPEFUL = 0.5
"""Least chance of the solver after it."""
ALIKE = 2
"""Most puzzles with the same reason, and most simple ones."""
SIMPLE = 0.9
"""Share of apprentices' tries above which a puzzle is simple."""
GUESSED = 0.1
"""Chance to solve a task of one turn by lot above which it is simple."""
ALIKE_TASKS = 2
"""Most puzzles with the same task, if several are looked for."""
LONGEST = 400
_SIMPLE = "simple"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The demands on a puzzle."""

    most: int = MOST
    """Playouts for each move, at the closest look."""
    gap: float = GAP
    """Least distance of all other moves."""
    exact: bool = False
    """If set, only puzzles that can be solved exactly."""
    fewest: int = FEWEST_MOVES
    """Legal moves."""


def found(
    game: Game[Any], players: int, options: Mapping[str, str], seed: str, wanted: Wanted
) -> Iterator[tuple[Puzzle, float] | None]:
    """Matches one after the other, without end: a puzzle of each and how likely an apprentice
    solves it; None for those without."""
    craft, number = craft_of(game), 0
    while True:
        number += 1
        random = Random(f"{seed}/{number}")
        for match in _positions(game, players, options, f"{seed}/{number}", craft, random, wanted):
            puzzle = _puzzle(match, craft, random, wanted)
            if puzzle is not None:
                yield puzzle, _easy(match, craft, puzzle, random)
                break
        else:
            yield None


def main() -> int:
    """Find puzzles and print their file."""
    parser = argparse.ArgumentParser(prog="rules.players.puzzles", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--players", type=int, default=0)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--wanted", type=int, default=WANTED)
    parser.add_argument("--seconds", type=float, default=600.0, help="processor time at most")
    parser.add_argument("--gap", type=float, default=GAP, help="how much worse the others are")
    parser.add_argument("--skip", action="append", default=[], metavar="CODE",
                        help="a reason that explains too little")  # fmt: skip
    parser.add_argument("--fewest", type=int, default=FEWEST_MOVES, help="legal moves")
    parser.add_argument("--exact", action="store_true", help="only what can be solved")
    parser.add_argument("--task", action="append", default=[], metavar="NAME",
                        help="a task of one turn")  # fmt: skip
    parser.add_argument("--longest", type=int, default=LONGEST,
                        help="moves before a task of one turn")  # fmt: skip
    parser.add_argument("--easiest", type=float, default=1.0,
                        help="leave out what is solved by chance more often")  # fmt: skip
    parser.add_argument("--playouts", type=int, default=MOST, help="for each move at the end")
    given = parser.parse_args()
    game = find_game(given.game)
    players = given.players or max(2, min(game.players))
    options = game.complete_options(
        players, dict(option.split("=", 1) for option in given.option)
    )  # fmt: skip
    kept: list[tuple[float, Puzzle]] = []
    spare: list[tuple[float, Puzzle]] = []
    alike: Counter[str] = Counter()
    wanted = Wanted(given.playouts, given.gap, given.exact, given.fewest)
    if given.task:
        matches = found_in_turns(game, players, options, given.seed, given.task, given.longest)
        simple_from = GUESSED
    else:
        matches, simple_from = found(game, players, options, given.seed, wanted), SIMPLE
    for one in matches:
        if one is not None and one[0].why[0] not in given.skip and one[1] <= given.easiest:
            puzzle, easy = one
            code, simple = puzzle.why[0], easy > simple_from
            print(
                f"{time.thread_time():.0f} s: {puzzle.task} {code} {len(puzzle.moves)} moves,"
                f" {puzzle.worth:.2f} : {puzzle.rest:.2f}, easy {easy:.2f}",
                file=sys.stderr,
            )
            again = given.task[1:] and alike[puzzle.task] >= ALIKE_TASKS
            if alike[code] < ALIKE and not again and not (simple and alike[_SIMPLE] >= ALIKE):
                alike.update({code, puzzle.task, *([_SIMPLE] if simple else [])})
                kept.append((easy, puzzle))
            else:
                spare.append((easy, puzzle))
        if len(kept) >= given.wanted:
            break
        if time.thread_time() > given.seconds:
            # Rather alike than none.
            kept += sorted(spare, key=lambda one: one[0])[: given.wanted - len(kept)]
            break
    kept.sort(key=lambda one: -one[0])
    sys.stdout.write(written([puzzle for _, puzzle in kept], " ".join(sys.argv[1:])))
    return 0 if len(kept) >= given.wanted else 1


# -- private ----------------------------------------------------------------------------------


def _positions(
    game: Game[Any],
    players: int,
    options: Mapping[str, str],
    seed: str,
    craft: Craft[Any],
    random: Random,
    wanted: Wanted,
) -> Iterator[Match]:
    """Positions of a match in which few moves seem much better than the rest."""
    match = Match(game, players, options, seed=seed)
    choices: list[int] = []
    while match.outcome is None:
        move = match.by_itself(ends_turns=True)
        if move is None:
            legal = match.legal_moves()
            if legal[0].actor is not Actor.PLAYER:
                move = pick(match.state, legal, random)
            elif len(legal) == 1:
                move = legal[0]
            else:
                obvious = craft.obvious(match.state, legal)
                if obvious is None and len(legal) >= wanted.fewest:
                    choices.append(match.ply)
                move = obvious or craft.carry_on(match.state, legal, random)
        match.push(move)
    # Early in a match nothing is decided by one move.
    late = choices[len(choices) // 4 :]
    for ply in random.sample(late, min(len(late), LOOKED_AT)):
        position = Match(game, players, options, seed=seed)
        position.replay(match.log[:ply])
        seat = position.legal_moves()[0].player
        assert seat is not None
        if _promising(craft, seen_by(position, seat, craft), random, wanted):
            yield position


def _promising(craft: Craft[Any], view: SeatView, random: Random, wanted: Wanted) -> bool:
    """True if a glance says that few moves are much better than the next one."""
    scales = Scales(craft, view, random)
    ranked = scales.look_ahead(Budget(playouts=FIRST_LOOK), random).ranked
    if len(ranked) < wanted.fewest or ranked[0].mean < HOPEFUL - GAP:
        return False
    moves = {key: move for move, key in scales.keys.items()}
    likely = [moves[node.key] for node in ranked if node.key in moves][: MOST_RIGHT + 2]
    glances = (scales.weigh(move, Budget(playouts=SECOND_LOOK), random) for move in likely)
    chances = sorted((one.chance for one in glances), reverse=True)
    most = min(MOST_RIGHT, len(ranked) // 2)
    return chances[0] >= HOPEFUL and chances[0] - chances[most] >= wanted.gap


def _puzzle(match: Match, craft: Craft[Any], random: Random, wanted: Wanted) -> Puzzle | None:
    if wanted.exact and craft.solved(match.state) is None:
        return None
    proof = proved(match, craft, random, most=wanted.most, gap=wanted.gap)
    if proof is None or proof.chance < HOPEFUL:
        return None
    turns = clear_turns(match, craft, random, proof, most=wanted.most, gap=wanted.gap)
    if not turns:
        return None
    seat = turns[0].moves[0].player
    assert seat is not None
    view = seen_by(match, seat, craft)
    why = craft.reason(view, craft.states(view)(random), turns[0].moves[0])
    why = why or Reason("winning" if proof.chance >= 0.8 else "best_chances")
    return Puzzle(
        game=match.game.id, number=0, players=match.players, options=dict(match.options),
        seed=str(match.seed), moves=tuple(entry.move for entry in match.log), seat=seat,
        task=_task(match, turns[0].moves, why.code), turns=tuple(turns),
        why=(why.code, why.params), proof=proof.kind, worth=proof.chance, rest=proof.rest,
        replies=dict(_replies(match, craft, proof, random)),
    )  # fmt: skip


def _task(match: Match, turn: tuple[Move, ...], reason: str) -> str:
    trial = match.clone()
    for move in turn:
        trial.push(move)
    if trial.outcome is not None and turn[0].player in trial.outcome.ranking[0]:
        return "win"
    teller = Teller(match.game, "en", match.colours)
    return reason if teller.has("puzzles", reason) else "best"


def _replies(
    match: Match, craft: Craft[Any], proof: Proof, random: Random
) -> Iterator[tuple[Move, Reply]]:
    """Consequences of the wrong moves that look best at first sight, or were nearly right."""
    seat = proof.right[0].player
    assert seat is not None
    wrong = sorted(
        (move for move in proof.chances if move not in proof.right),
        key=lambda move: (-proof.chances[move], move.text),
    )  # fmt: skip
    legal = match.legal_moves()
    priors = dict(zip(legal, craft.priors(match.state, legal), strict=True))
    tempting = sorted(wrong, key=lambda move: (-priors.get(move, 0), move.text))
    for move in sorted({*wrong[: TEMPTING // 2], *tempting[: TEMPTING // 2]}, key=str):
        trial = match.clone()
        trial.push(move)
        moves = settle(trial, craft, seat)
        yield move, Reply(moves=(*moves, *_answer(trial, craft, random)), worth=proof.chances[move])


def _answer(match: Match, craft: Craft[Any], random: Random) -> list[Move]:
    """The next move of another player, by what they know; none if it is not their decision."""
    if match.outcome is not None or match.next_chance() is not None:
        return []
    legal = match.legal_moves()
    seat = legal[0].player
    if legal[0].actor is not Actor.PLAYER or seat is None:
        return []
    solved = None if craft.hides(SeatView.of(match, seat)) else craft.solved(match.state)
    if solved is not None:
        move = max(sorted(solved, key=str), key=lambda one: solved[one])
    else:
        view, budget = SeatView.of(match, seat), Budget(playouts=ANSWERING)
        move = find_player("archdruid").choose(view, legal, budget, random).move
    match.push(move)
    return [move, *settle(match, craft, seat)]


def _easy(match: Match, craft: Craft[Any], puzzle: Puzzle, random: Random) -> float:
    """The share of tries in which an apprentice finds the first move."""
    right = {turn.moves[0] for turn in puzzle.turns}
    view, legal, apprentice = (
        seen_by(match, puzzle.seat, craft), match.legal_moves(), find_player("apprentice"),
    )  # fmt: skip
    chosen = [
        apprentice.choose(view, legal, Budget(playouts=120), random).move for _ in range(TRIES)
    ]
    return sum(move in right for move in chosen) / TRIES


if __name__ == "__main__":
    sys.exit(main())
