"""The referee at tables where people do all sorts of things, in all eight games.

``python -m benchmarks.evenings [GAME …] [--matches N] [--each N] [--seed S] [--situation NAME …]
[--failures N] [--noise] [--enforcement …] [--commit …] [--options]`` prints a table: per game and
situation how many ended right, were told by people what only they can know, were asked what the
picture decides, wait for what nothing on the screen lets people say (open) or for what a picture
could tell (waits), are stuck, wrong or accused a player; offences are judged by reason, person and
moment. See ``tests.support.scenes.evenings``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable

from companion.settings.enforcement import Enforcement
from companion.settings.manners import Commit
from rules.games import find_game
from rules.testing.pictures import Noise
from rules.testing.playout import ladder
from tests.support.scenes.evenings.judge import Verdict
from tests.support.scenes.evenings.outcomes import AGAINST_THE_RULES, Outcome, outcomes_of
from tests.support.scenes.evenings.situations import LEGAL
from tests.support.scenes.rhythms import Rhythm, kept_record
from tests.support.watched import WATCHED


def main() -> int:
    """The table, and what went wrong."""
    parser = argparse.ArgumentParser(prog="benchmarks.evenings", description=main.__doc__)
    parser.add_argument("game", nargs="*", help=f"any of: {', '.join(WATCHED)}")
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--each", type=int, default=3, help="places in each match")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--situation", action="append", default=[])
    parser.add_argument("--failures", type=int, default=0, help="print so many per row")
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--enforcement", default="enforce")
    parser.add_argument("--commit", default="stillness", help="stillness or button")
    parser.add_argument("--options", action="store_true", help="each match with house rules")
    parser.add_argument("--rhythms", action="store_true", help="whole matches in three rhythms")
    given = parser.parse_args()
    if given.rhythms:
        return _rhythms(given.game or WATCHED, given.matches, given.seed)
    total: Counter[tuple[bool, Verdict]] = Counter()
    print("| game | situation | " + " | ".join(v.value for v in Verdict) + " |")
    print("|---|---|" + "---|" * len(Verdict))
    for game_id in given.game or WATCHED:
        counts, rungs = find_game(game_id).players, ladder(find_game(game_id))
        found: dict[str, list[Outcome]] = {}
        for number in range(given.matches):
            seed = given.seed + number
            players, options = counts[seed % len(counts)], dict[str, str]()
            if given.options:
                players, options = rungs[seed % len(rungs)]
            for outcome in outcomes_of(
                game_id, players, seed, given.situation, each=given.each, options=options,
                enforcement=Enforcement(given.enforcement), noise=Noise() if given.noise else None,
                commit=Commit(given.commit),
            ):  # fmt: skip
                found.setdefault(outcome.situation, []).append(outcome)
        for name in (*LEGAL, AGAINST_THE_RULES):
            outcomes = found.get(name, [])
            tally = Counter(each.verdict for each in outcomes)
            for verdict, count in tally.items():
                total[name == AGAINST_THE_RULES, verdict] += count
            for kind in sorted({each.kind for each in outcomes if each.kind}):
                of_kind = Counter(each.verdict for each in outcomes if each.kind == kind)
                print(_row(game_id, f"… {kind}", of_kind), flush=True)
            if outcomes:
                print(_row(game_id, name, tally), flush=True)
            good = (Verdict.RIGHT, Verdict.TOLD, Verdict.ASKED, Verdict.OPEN, Verdict.WAITS)
            bad = [each for each in outcomes if each.verdict not in good]
            for each in bad[: given.failures]:
                print(_failure(each), file=sys.stderr, flush=True)
    for offences in (False, True):
        counted = {v.value: total[offences, v] for v in Verdict if total[offences, v]}
        print("offences:" if offences else "legal:", counted)
    return 0


def _row(game_id: str, name: str, tally: Counter[Verdict]) -> str:
    row = " | ".join(str(tally[verdict] or "") for verdict in Verdict)
    return f"| {game_id} | {name} | {row} |"


def _rhythms(games: Iterable[str], matches: int, seed: int) -> int:
    """Whole matches seen once a turn, after each step and every half second."""
    print("| game | rhythm | turns | differences | accused | asked | entered |")
    print("|---|---|---|---|---|---|---|")
    for game_id in games:
        counts = find_game(game_id).players
        for rhythm in Rhythm:
            kept = [
                kept_record(game_id, counts[number % len(counts)], number, rhythm)
                for number in range(seed, seed + matches)
            ]
            row = (
                sum(k.turns for k in kept), sum(len(k.differences) for k in kept),
                sum(k.accused for k in kept), sum(k.asked for k in kept),
                sum(k.entered for k in kept),
            )  # fmt: skip
            print(f"| {game_id} | {rhythm} | {' | '.join(map(str, row))} |", flush=True)
            for number, one in enumerate(kept, seed):
                if one.differences:
                    print(f"  seed {number}: {one.differences}", file=sys.stderr)
    return 0


def _failure(each: Outcome) -> str:
    said = "\n      ".join(each.said)
    return (
        f"  {each.verdict}: {each.game} {each.players} players, seed {each.seed}, ply {each.ply}, "
        f"{each.kind or each.situation}\n    truth  {list(each.truth)}\n"
        f"    record {list(each.record)}\n      {said}"
    )


if __name__ == "__main__":
    sys.exit(main())
