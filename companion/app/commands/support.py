"""Commands report, fieldtest and completion: help with trouble, devices and typing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.app.commands import (
    OK,
    Commands,
    UsageError,
    print_json,
    progress_of,
    settings_of,
    tell,
)
from companion.settings.settings import settings_path, state_folder
from rules.texts import Texts


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    report = commands.add("report", _report)
    report.add_argument("--out", metavar="FILE", default=None)

    field = commands.add("fieldtest", _fieldtest)
    field.add_argument("--console", action="store_true", default=False)
    field.add_argument("--out", metavar="FILE", default=None)

    completion = commands.add("completion", _completion)
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))


def _report(given: argparse.Namespace) -> int:
    from companion.support.captures import Moments
    from companion.support.report import Report

    settings, state = settings_of(given), state_folder(given.data)
    lang = given.lang
    report = Report(
        state=state,
        settings_file=settings_path(given.settings),
        settings=settings,
        lang=lang,
        evidence=Moments(state / "reports" / "moments").all(),
    )
    with progress_of(given) as stage:
        stage("report")
        path = report.write(None if given.out is None else Path(given.out))
    size = path.stat().st_size
    if given.json:
        print_json({"file": str(path), "bytes": size, "left_out": report.left_out})
    else:
        tell(Texts("commands.report", lang)("written", path=path, size=f"{size // 1000 + 1} kB"))
    return OK


def _fieldtest(given: argparse.Namespace) -> int:
    settings, state, file = (
        settings_of(given),
        state_folder(given.data),
        settings_path(given.settings),
    )
    if given.console:
        from companion.app.fieldtest import run_console

        out = None if given.out is None else Path(given.out)
        run_console(settings, state, given.lang, file, out, json=given.json)
        return OK
    if given.out is not None:
        raise UsageError("out_of_console")
    from companion.app.kiosk import run_app

    return run_app(settings, state, given.lang, file, page="fieldtest")


def _completion(given: argparse.Namespace) -> int:
    from companion.app.completing import script

    sys.stdout.write(script(given.shell) + "\n")
    return OK
