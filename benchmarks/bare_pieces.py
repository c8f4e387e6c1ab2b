"""Pieces without stickers on rendered tables: ``python -m benchmarks.bare_pieces``.

Each table is looked at empty first, as when a match begins, then full. A site is *right* if the
look that truly lies there is among the likeliest and all of those are of its colour and group,
*undecided* if it counts as hidden or something else is nearly as likely, else *wrong*. Values on
equal stones cannot be told by colour and do not count. Limits were chosen with the seeds 1 to 33
and 907; these are others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from benchmarks.measure import Result
from tests.support.scenes.bare_pieces import LIGHTS, Table, judged, laid

SEEDS = (41, 42, 43)


def rows(seeds: Iterable[int] = SEEDS) -> Iterable[tuple[str, str, Counter[tuple[str, str]], int]]:
    """Table, light, counts, and pictures in which a hand was seen though there was none."""
    for table in Table:
        scenes = [laid(table, seed) for seed in seeds]
        for name, light in LIGHTS.items():
            total: Counter[tuple[str, str]] = Counter()
            hands = 0
            for scene in scenes:
                sighting = scene.look(light)
                hands += sighting.hand
                total += judged(scene, sighting)
            yield table.value, name, total, hands


def results() -> Iterable[Result]:
    """Pieces without stickers: the share read right, and how many were taken for others."""
    pieces: Counter[str] = Counter()
    for _, _, found, _ in rows():
        for (what, how), count in found.items():
            if what == "piece":
                pieces[how] += count
    total = max(sum(pieces.values()), 1)
    yield Result(
        "pieces without stickers read right", 100 * pieces["right"] / total, f"% of {total}",
        "", None, None, "most, the rest asked",
    )  # fmt: skip
    yield Result("… taken for another", float(pieces["wrong"]), "", "", None, None, "few")


def main() -> None:
    """Print the table of docs/bare-pieces.md."""
    print("| table | light | pieces right | undecided | wrong | empty right | undecided | wrong "
          "| false hands |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for table, light, found, hands in rows():
        cells = [
            str(found[what, how])
            for what in ("piece", "empty") for how in ("right", "undecided", "wrong")
        ]  # fmt: skip
        print(f"| {table} | {light} | {' | '.join(cells)} | {hands} |", flush=True)


if __name__ == "__main__":
    main()
