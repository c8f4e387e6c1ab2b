"""Finding out unaided which pieces carry no stickers: part of ``benchmarks bare-pieces``.

The record knows a few pieces, as after the first taps, and the table shows those; then the table
is full. Counted as in ``bare_pieces``. In addition, tables *with* stickers are shown in pictures
so poor that many stickers cannot be read: nothing may be taken for bare there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from benchmarks.bare_pieces import SEEDS
from benchmarks.measure import Result
from companion.simulator import Camera, Light
from companion.simulator.objects import Glare
from tests.support.scenes.bare_pieces import GROUPS, LIGHTS, SIZE, Scene, Table, laid, played
from vision.camera.sources import Frame
from vision.pieces.bare import AUTO
from vision.tracker import Tracker

POOR = {
    "sharp": (0.55, 1.6),
    "soft": (1.3, 1.6),
    "blurred": (2.2, 1.6),
    "out of focus": (3.5, 1.6),
    "noisy": (0.55, 14.0),
}
"""Blur in px and noise of the pictures."""
SIZES = (SIZE, (1024, 768))
SHINE = {
    "day": Light(),
    "dim": Light(brightness=0.45),
    "glare": Light(glare=Glare(0.0, 0.0, 150.0, 0.7)),
}
CALLED = {"bare": (), "stones bare": ("megalith", "druid", "bar")}
"""Groups that keep their stickers."""


def rows(
    seeds: Iterable[int] = SEEDS,
) -> Iterable[tuple[str, str, str, Counter[tuple[str, str]], Counter[str], int]]:
    """Table, what is bare, light, counts, how often each group was found, and false hands."""
    for table in (Table.KNIZIA, Table.DOLMEN):
        for called, keep in CALLED.items():
            scenes = [(seed, laid(table, seed, stickers_on=keep)) for seed in seeds]
            for name, light in LIGHTS.items():
                total: Counter[tuple[str, str]] = Counter()
                groups: Counter[str] = Counter()
                hands = 0
                for seed, scene in scenes:
                    found, _ = played(scene, light, seed)
                    total += found.counts
                    groups += Counter(found.groups)
                    hands += found.hand
                yield table.value, called, name, total, groups, hands


def false_alarms(seeds: Iterable[int] = SEEDS) -> Iterable[tuple[str, str, int, int, int]]:
    """Table, what is poor, pictures, pieces that were not read, and groups taken for bare."""
    for table in (Table.KNIZIA, Table.DOLMEN):
        for poor, (blur, noise) in POOR.items():
            pictures = unread = wrong = 0
            for seed in seeds:
                scene = laid(table, seed, stickers_on=GROUPS[table])
                for size in SIZES:
                    camera = replace(
                        Camera.over(scene.box, *size, seed=seed), blur=blur, noise=noise
                    )
                    for light in SHINE.values():
                        pictures += 1
                        more, taken = _alarms(scene, camera, light)
                        unread, wrong = unread + more, wrong + taken
            yield table.value, poor, pictures, unread, wrong


def _alarms(scene: Scene, camera: Camera, light: Light) -> tuple[int, int]:
    tracker = Tracker(scene.box, bare=(AUTO,))
    scene.empty.light = scene.table.light = light
    tracker.look(Frame(camera.render(scene.empty), 0, "", 0.0), settled=True)
    tracker.expect({site: (kind,) for site, (kind, _) in scene.truth.items()})
    for number in (1, 2, 3):
        sighting = tracker.look(Frame(camera.render(scene.table), number, "", number), True)
    read = {piece.site for piece in sighting.pieces}
    return len(scene.truth.keys() - read), len(sighting.bare_found)


def results() -> Iterable[Result]:
    """Unnamed pieces without stickers: read right, taken for others, and false alarms."""
    pieces: Counter[str] = Counter()
    for _, _, _, found, _, _ in rows():
        for (what, how), count in found.items():
            if what == "piece":
                pieces[how] += count
    total = max(sum(pieces.values()), 1)
    yield Result(
        "bare pieces that were found out, read right", 100 * pieces["right"] / total,
        f"% of {total}", "", None, None, "most, the rest asked",
    )  # fmt: skip
    yield Result("… taken for another", float(pieces["wrong"]), "", "", None, None, "none")
    alarms = [(pictures, wrong) for _, _, pictures, _, wrong in false_alarms()]
    yield Result(
        "poor pictures of stickers taken for bare pieces", float(sum(w for _, w in alarms)),
        f"of {sum(p for p, _ in alarms)}", "", None, None, "none",
    )  # fmt: skip


def main() -> None:
    """Print the tables of docs/bare-pieces.md."""
    print("| table | bare | light | found (of 3 each) | pieces right | undecided | wrong "
          "| empty wrong | false hands |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for table, called, light, counts, groups, hands in rows():
        told = ", ".join(f"{g} {n}" for g, n in sorted(groups.items())) or "–"
        cells = [str(counts["piece", how]) for how in ("right", "undecided", "wrong")]
        print(f"| {table} | {called} | {light} | {told} | {' | '.join(cells)} "
              f"| {counts['empty', 'wrong']} | {hands} |", flush=True)  # fmt: skip
    print("\n| table with stickers | picture | pictures | stickers not read | taken for bare |")
    print("|---|---|---|---|---|")
    for row in false_alarms():
        print(f"| {' | '.join(str(cell) for cell in row)} |", flush=True)


if __name__ == "__main__":
    main()
