"""The field test in a terminal, for tables without a screen."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from pathlib import Path

from companion.app.application import Application
from companion.app.commands import print_json, tell
from companion.presentation.words.checks import answer_words, check_name, figure_rows, outcome
from companion.presentation.words.translate import set_language
from companion.settings.settings import Settings, exports_folder
from companion.settings.writing import hand_out
from companion.workshop.fieldtest.sequence import FieldTest, file_name, today
from companion.workshop.fieldtest.steps import Step
from rules.texts import Texts

LOOK_S = 0.2
SKIP = "s"
SIGNS = {"good": "✓", "bad": "!", "doubtful": "?", "absent": "–", "skipped": "→"}


def run_console(
    settings: Settings, state: Path, lang: str, file: Path, out: Path | None, *, json: bool
) -> None:
    """Go through all open checks, and write the file. Raises WriteError, HandedError."""
    set_language(lang)
    # What stops the computer in order must not look like a power cut.
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    house = Application(settings, state, lang, file)
    test = house.workshop.field_test
    try:
        _Terminal(test, lang).run()
        target = out or exports_folder(state) / file_name(today())
        hand_out(target, test.file())
        if json:
            print_json({"file": str(target)})
        else:
            tell(Texts("fieldtest", lang)("written", path=target))
    finally:
        test.leave()
        house.close()
        signal.signal(signal.SIGTERM, before)


class _Terminal:
    """Asks on stderr, so that stdout stays for programs."""

    def __init__(self, test: FieldTest, lang: str) -> None:
        self._test, self._say = test, Texts("fieldtest", lang)
        self._steps = Texts("fieldtest.steps", lang)
        self._told: tuple[object, ...] = ()
        self._typed = b""

    def run(self) -> None:
        """Every open check, the interrupted one first."""
        test = self._test
        _write(self._say("console_intro"))
        while test.following or test.interrupted:
            test.go_on()
            _write(f"\n{check_name(test.name)}")
            while test.step is not None:
                self._look(test.step)
            found = test.findings[test.name]
            _write(f"  {SIGNS[found.verdict.value]} {outcome(found)}")
            for name, value in figure_rows(test.last):
                _write(f"    {name}: {value}")

    def _look(self, step: Step) -> None:
        words = self._steps(step.code, **step.values)
        if step.lamps:
            words += "\n  " + self._say("console_lamps")
        elif step.choices:
            named = (f"{n} {answer_words(choice)}" for n, choice in enumerate(step.choices, 1))
            words += "\n  " + "   ".join(named)
        # What only counts up or down is not told again and again.
        mark = (self._test.name, step.code, step.values.get("number"), step.values.get("done"))
        if mark != self._told:
            self._told = mark
            _write(f"  {words}")
        if not step.choices:
            time.sleep(LOOK_S)
            self._test.tick()
            return
        line = self._line()
        if line == SKIP:
            self._test.skip()
        else:
            self._test.tick(_meant(step, line))

    def _line(self) -> str:
        """The next line that was typed; empty if there is none yet, SKIP when there is no more."""
        if b"\n" not in self._typed and select.select([0], [], [], LOOK_S)[0]:
            data = os.read(0, 4096)
            if not data:
                return SKIP
            self._typed += data
        line, newline, rest = self._typed.partition(b"\n")
        if newline:
            self._typed = rest
        return line.decode("utf-8", "replace").strip().lower() if newline else ""


def _meant(step: Step, line: str) -> str | None:
    """The answer in a typed number; None if there is none."""
    number = int(line) if line.isdecimal() else -1
    if step.lamps:
        # Lamps are counted from 1; 0 is none of them.
        return step.choices[0] if number == 0 else str(number - 1) if number > 0 else None
    return step.choices[number - 1] if 0 < number <= len(step.choices) else None


def _write(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
