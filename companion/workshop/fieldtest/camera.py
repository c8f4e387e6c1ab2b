"""Checks of the camera: picture sizes, adjusting itself, the picture, flickering lamps."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial

from companion.settings.memory import memory_mb
from companion.setup.table_check import Bench, CameraLook, camera_findings
from companion.support.finding import Figure, Finding, Verdict, measured
from companion.workshop.fieldtest.steps import (
    Answer,
    Check,
    Kit,
    Step,
    Steps,
    absent,
    apart,
    ask,
    highest,
    pause,
    wait_for,
)
from companion.workshop.report import jpeg
from hardware.supervised_thread import SupervisedThread, tell_failure
from rules.errors import sentence_of
from vision.advice import UNADJUSTED
from vision.camera.adjusting import LIMIT_S
from vision.camera.flicker import banding, row_light
from vision.camera.frames import Condition, FrameSource, Quantity, SourceError
from vision.camera.sources import camera_name
from vision.pieces.sighting import Sighting
from vision.tracker import AUDIT_S

SIZES = ((1280, 720), (1920, 1080), (2304, 1296), (4608, 2592))
"""Picture sizes that are tried besides that of the settings, px."""
BYTES_A_PIXEL = 18
"""Memory that a camera's pictures take while they are looked at: six copies in three colours."""
FIRST_S, COUNTED_S, CLOSING_S = 10.0, 4.0, 3.0
RUNS = 3
"""Times that the camera adjusts itself anew."""
NOT_BEGUN = "not_begun"
"""Code of a search that never began, most often because of a hand over the board."""
PATIENCE_S = 30.0
LOOKED_S = 2.5 * AUDIT_S
"""A still board is read as a whole at least twice meanwhile."""
FLICKER_S, LEAST_PICTURES = 12.0, 10
MOST_BANDING = 0.02
"""Swing of a row's light from which bands may be read as something that moves."""
MOST_READING_MS = 250.0


def modes(kit: Kit) -> Steps:
    """Each picture size: is it delivered, how soon, and how often?"""
    sizes: list[tuple[int, int] | None] = [None]
    if camera_name(kit.camera.settings.source) and kit.camera.eyes is None:
        sizes += SIZES
    found = []
    for number, size in enumerate(sizes):
        step = Step("modes", {"number": number + 1, "count": len(sizes)})
        name = "modes" if size is None else f"modes_{size[0]}x{size[1]}"
        free_mb = memory_mb(kit.root)
        if size and free_mb is not None and size[0] * size[1] * BYTES_A_PIXEL >> 20 > free_mb:
            found.append(Finding(name, Verdict.SKIPPED, code="little_memory"))
            continue
        opened = kit.camera.lend_pictures(lambda: None, kit.box, size)
        one = yield from apart(step, partial(_tried, name, size, opened, kit.clock))
        found.append(one or Finding(name, Verdict.BAD, code="mistake"))
    return found


def _tried(
    name: str,
    size: tuple[int, int] | None,
    opened: Callable[[], FrameSource],
    clock: Callable[[], float],
    thread: SupervisedThread,
) -> Finding:
    begun_s, wrong = clock(), Verdict.BAD if size is None else Verdict.DOUBTFUL
    try:
        source = opened()
    except SourceError as error:
        return Finding(name, wrong, code=sentence_of(error).code)
    try:
        shapes: list[tuple[int, ...]] = []
        first_s, end_s = 0.0, begun_s + FIRST_S
        while clock() < end_s and not thread.closing and not source.ended:
            frame = source.read(timeout=0.5)
            if frame is None:
                continue
            if not shapes:
                first_s, end_s = clock(), clock() + COUNTED_S
            shapes.append(frame.image.shape[:2])
        if not shapes:
            return Finding(name, wrong, code="no_pictures")
        height, width = shapes[-1]
        figures = (
            Figure("rate", round((len(shapes) - 1) / max(clock() - first_s, 0.1), 1), "1/s"),
            Figure("first_picture", round(first_s - begun_s, 2), "s"),
            Figure("width", width, "px"),
            Figure("height", height, "px"),
        )
        if size not in (None, (width, height)):
            return Finding(name, Verdict.DOUBTFUL, figures, "other_size")
        return Finding(name, Verdict.GOOD, figures)
    except SourceError as error:
        return Finding(name, wrong, code=sentence_of(error).code)
    finally:
        try:
            source.close()
        except Exception as error:
            # A camera that has gone may refuse that; the next one is opened all the same.
            tell_failure(error)


def _looking(check: Callable[[Kit, Bench], Steps]) -> Check:
    """A check that looks through the camera as long as it goes on."""

    def looked(kit: Kit) -> Steps:
        with closing(kit.bench()) as bench:
            return (yield from check(kit, bench))

    return looked


@_looking
def settling(kit: Kit, bench: Bench) -> Steps:
    """The camera adjusts itself anew, several times."""
    step = Step("settling", {"number": 1, "count": RUNS})
    if not (yield from _has_picture(bench, step, kit)):
        return [Finding("settling", Verdict.BAD, code="no_pictures")]
    if not bench.adjusts:
        return absent("settling", "no_adjusting")
    yield from ask(Step("before_settling", {}, ("ready",)))
    slowest: dict[str, float] = {}
    missing: tuple[str, ...] = ()
    for number in range(RUNS):
        bench.adjust()
        step = Step("settling", {"number": number + 1, "count": RUNS})
        lacking = yield from _settled(bench, step, kit, slowest)
        missing = lacking or missing
    figures = [
        Figure(name, round(slowest[name], 1), "s", most=LIMIT_S if name == "all" else None)
        for name in sorted(slowest)
    ]
    if missing:
        verdict = Verdict.DOUBTFUL if missing[0] == NOT_BEGUN else Verdict.BAD
        return [Finding("settling", verdict, tuple(figures), missing[0])]
    return [measured("settling", *figures, code="slow", beyond=Verdict.DOUBTFUL)]


def _settled(
    bench: Bench, step: Step, kit: Kit, slowest: dict[str, float]
) -> Generator[Step, Answer | None, tuple[str, ...]]:
    """Follows one search until pictures count again, and notes what takes longest; the codes of
    what was not found."""
    since_s, waits = kit.clock(), True
    begun = yield from wait_for(
        step, lambda: not _condition_of(bench.camera()).ready, 3.0, kit.clock
    )
    if not begun:
        return (NOT_BEGUN,)
    searching: set[Quantity] = set()
    while waits and kit.clock() - since_s < LIMIT_S + CLOSING_S:
        now = _condition_of(bench.camera())
        for name in (*(searching - {*now.searching}), *(("all",) if now.ready else ())):
            slowest[name] = max(slowest.get(name, 0.0), kit.clock() - since_s)
        searching, waits = {*now.searching}, not now.ready
        yield step
    end = _condition_of(bench.camera())
    # What was given up has no time of its own.
    for name in end.missing:
        slowest.pop(name, None)
    return tuple(UNADJUSTED[name] for name in (*end.missing, *end.searching))


@_looking
def picture(kit: Kit, bench: Bench) -> Steps:
    """View of the board: light, sharpness, stickers, corners, reflections, time."""
    yield from ask(Step("before_picture", {}, ("ready",)))

    def sees() -> bool:
        look = bench.camera()
        condition = look.condition
        found = look.figures is not None and look.figures.board == "found"
        return found and (condition is None or condition.ready)

    if not (yield from wait_for(Step("picture"), sees, PATIENCE_S, kit.clock)):
        code = "board_lost" if bench.camera().frames else "no_pictures"
        return [Finding("picture", Verdict.BAD, code=code)]
    sightings: list[Sighting] = []
    end = kit.clock() + LOOKED_S
    while kit.clock() < end:
        snapshot = bench.snapshot()
        bench.camera()
        if snapshot is not None and snapshot.sighting not in sightings[-1:]:
            sightings.append(snapshot.sighting)
        yield Step("picture")
    parts = [f for f in camera_findings(bench.camera()) if f.verdict is not Verdict.WAITING]
    return [_whole(parts, sightings), *parts]


def _whole(parts: Sequence[Finding], sightings: Sequence[Sighting]) -> Finding:
    reading = [one.ms["total"] for one in sightings if "read" in one.ms]
    figures = (
        Figure("glaring", max((len(one.glaring) for one in sightings), default=0), most=0),
        *([highest("reading", reading, "ms", MOST_READING_MS)] if reading else []),
    )
    wrong = next((part for part in parts if part.verdict is Verdict.BAD), None)
    if wrong is not None:
        return Finding("picture", Verdict.BAD, figures, wrong.code)
    code = "slow" if figures[0].fits else "glare"
    return measured("picture", *figures, code=code, beyond=Verdict.DOUBTFUL)


@_looking
def flicker(kit: Kit, bench: Bench) -> Steps:
    """Bands of flickering lamps."""
    yield from ask(Step("before_flicker", {}, ("ready",)))
    ready = yield from wait_for(
        Step("flicker"), lambda: _condition_of(bench.camera()).ready, PATIENCE_S, kit.clock
    )
    if not ready:
        return [Finding("flicker", Verdict.BAD, code="no_pictures")]
    rows, last, end = [], -1, kit.clock() + FLICKER_S
    while kit.clock() < end:
        snapshot = bench.snapshot()
        if snapshot is not None and snapshot.frame.index != last:
            last = snapshot.frame.index
            if snapshot.frame.condition.ready and not snapshot.sighting.hand:
                rows.append(row_light(snapshot.frame))
        yield Step("flicker")
    if len(rows) < LEAST_PICTURES:
        return [Finding("flicker", Verdict.DOUBTFUL, (Figure("pictures", len(rows)),), "moved")]
    swing = Figure("banding", round(banding(rows), 4), most=MOST_BANDING)
    count = Figure("pictures", len(rows))
    return [measured("flicker", swing, count, code="bands", beyond=Verdict.DOUBTFUL)]


@_looking
def photo(kit: Kit, bench: Bench) -> Steps:
    """A picture of the board, if people allow it and, having seen it, still do."""
    if (yield from ask(Step("photo", {}, ("yes", "no")))) == "yes":
        step = Step("photo_taken")
        yield from wait_for(step, lambda: bench.snapshot() is not None, PATIENCE_S, kit.clock)
        if (snapshot := bench.snapshot()) is None:
            return [Finding("photo", Verdict.BAD, code="no_pictures")]
        kit.record.keep_photo(taken := jpeg(snapshot.frame.image))
        if (yield from ask(Step("photo_seen", {}, ("keep", "remove"), "photo"))) == "keep":
            return [Finding("photo", Verdict.GOOD, (Figure("size", len(taken) // 1000, "kB"),))]
    kit.record.keep_photo(b"")
    return [Finding("photo", Verdict.SKIPPED, code="refused")]


def _has_picture(bench: Bench, step: Step, kit: Kit) -> Generator[Step, Answer | None, bool]:
    found = yield from wait_for(step, lambda: bench.camera().frames > 0, PATIENCE_S, kit.clock)
    yield from pause(step, 0.3, kit.clock)
    return found


def _condition_of(look: CameraLook) -> Condition:
    return look.condition or Condition(ready=False)
