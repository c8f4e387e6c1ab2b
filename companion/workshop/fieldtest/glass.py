"""Checks of the screen and its touch panel."""

from __future__ import annotations

from companion.support.finding import Figure, Finding, Verdict, measured
from companion.workshop.fieldtest.steps import (
    Kit,
    Step,
    Steps,
    Touch,
    absent,
    ask,
    highest,
    pause,
)

COUNTED_S = 4.0
LEAST_FRAMES = 20.0
"""Frames a second below which what is dragged no longer follows the finger."""
MOST_TO_FRAME_MS = 100.0
PLACES = (
    (0.06, 0.1),
    (0.94, 0.1),
    (0.5, 0.5),
    (0.06, 0.9),
    (0.94, 0.9),
    (0.25, 0.35),
    (0.75, 0.65),
)
"""Places that are touched, as shares of width and height: the corners, the middle, and between."""


def screen(kit: Kit) -> Steps:
    """Frames a second; people see all edges and colours."""
    if kit.glass is None:
        return absent("screen")
    before, since_s = kit.glass.frames, kit.clock()
    yield from pause(Step("frames"), COUNTED_S, kit.clock)
    rate = (kit.glass.frames - before) / max(kit.clock() - since_s, 0.1)
    figures = (
        Figure("frames", round(rate, 1), "1/s", least=LEAST_FRAMES),
        *(Figure(n, px, "px") for n, px in zip(("width", "height"), kit.glass.size, strict=True)),
    )
    answer = yield from ask(
        Step("colours", {}, ("all_there", "edge_lacks", "hues_wrong"), "colours")
    )
    if answer != "all_there":
        return [Finding("screen", Verdict.BAD, figures, str(answer))]
    return [measured("screen", *figures, code="frames_few", beyond=Verdict.DOUBTFUL)]


def touch(kit: Kit) -> Steps:
    """Targets all over the screen are touched."""
    if kit.glass is None:
        return absent("touch")
    felt: list[Touch] = []
    for number, place in enumerate(PLACES, 1):
        values = {"number": number, "count": len(PLACES)}
        answer = yield from ask(Step("touch", values, ("not_felt",), "target", place))
        if not isinstance(answer, Touch):
            return [Finding("touch", Verdict.BAD, (Figure("felt", len(felt)),), "not_felt")]
        felt.append(answer)
    off = [(x * x + y * y) ** 0.5 for x, y in (one.off_px for one in felt)]
    across, up = (sum(one.off_px[axis] for one in felt) / len(felt) for axis in (0, 1))
    figures = (
        Figure("off", round(max(off), 1), "px", most=round(kit.glass.reach_px, 1)),
        Figure("mean_right", round(across, 1), "px"),
        Figure("mean_up", round(up, 1), "px"),
    )
    found = measured("touch", *figures, code="touch_off")
    latency = highest("to_frame", [one.to_frame_ms for one in felt], "ms", MOST_TO_FRAME_MS)
    return [found, measured("latency", latency, code="slow", beyond=Verdict.DOUBTFUL)]


def fingers(kit: Kit) -> Steps:
    """Two fingers at once."""
    if kit.glass is None:
        return absent("fingers")
    while True:
        answer = yield from ask(Step("fingers", {}, ("one_only",), "fingers"))
        if not isinstance(answer, Touch):
            one = (Figure("fingers", 1, least=2),)
            return [Finding("fingers", Verdict.DOUBTFUL, one, "one_finger")]
        if answer.fingers > 1:
            return [Finding("fingers", Verdict.GOOD, (Figure("fingers", answer.fingers, least=2),))]
