"""Checks of lamps, display, sound and buttons: something is shown, and people tell what it was."""

from __future__ import annotations

from collections.abc import Generator

from companion.setup.table_check import Bench, LampTrial, Trial
from companion.support.finding import Figure, Finding, Verdict, measured
from companion.workshop.fieldtest.steps import Answer, Check, Kit, Step, Steps, absent, ask

CONNECTING_S = 15.0
"""Seconds that a device may take until it answers."""


def trial_of(name: str) -> Check:
    """The check of ``lamps``, ``display`` or ``sound``."""

    def check(kit: Kit) -> Steps:
        bench = kit.bench()
        try:
            found = yield from _by_itself(bench, name, kit)
            if found is None:
                found = yield from _told(bench, bench.trial(name, kit.chance))
            return [found]
        finally:
            bench.show(None)
            bench.close()

    return check


def buttons(kit: Kit) -> Steps:
    """Every button is pressed once."""
    kit.devices.borrow()
    try:
        names = kit.devices.rig.buttons.names
        if not names:
            return absent("buttons")
        answer: Answer | None = None
        while answer is None and len(kit.devices.pressed()) < len(names):
            done = len(kit.devices.pressed())
            answer = yield Step("buttons", {"done": done, "count": len(names)}, ("not_all",))
        pressed = Figure("pressed", len(kit.devices.pressed()), least=len(names))
        return [measured("buttons", pressed, code="buttons_silent")]
    finally:
        kit.devices.give_back()


def _by_itself(bench: Bench, name: str, kit: Kit) -> Generator[Step, Answer | None, Finding | None]:
    """The finding of a device that cannot be tried; None if it can."""
    end = kit.clock() + CONNECTING_S
    while (found := bench.device(name)) is not None and found.verdict is Verdict.WAITING:
        if kit.clock() > end:
            return Finding(name, Verdict.BAD, code="missing")
        yield Step("connecting")
    return found


def _told(bench: Bench, trial: LampTrial | Trial) -> Generator[Step, Answer | None, Finding]:
    bench.show(trial)
    if isinstance(trial, LampTrial):
        while trial.glowing is not None:
            values = {"number": trial.order.index(trial.glowing) + 1, "count": len(trial.order)}
            answer = yield from ask(
                Step("lamps", values, ("none_lit",), "lamps", lamps=trial.count)
            )
            told = str(answer)
            trial.answer(int(told) if told.isdigit() else None)
            bench.show(trial)
        found = trial.finding
        assert found is not None
        return found
    others = ("unreadable",) if trial.step == "display" else ("silence", "again")
    step = Step(trial.step, {}, (*trial.choices, *others))
    while (answer := (yield from ask(step))) == "again":
        bench.show(trial)
    return trial.finding(None if answer == others[0] else str(answer))
