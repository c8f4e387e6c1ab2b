"""Commands report, settings-schema, completion: help for those who help, and for those who type."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.app.commands import OK, Commands, lang_of, print_json, settings_of, tell
from companion.settings.settings import settings_path, state_folder
from companion.words.wording import Wording

__all__ = ["add"]


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    report = commands.add("report", _report, "write a problem report, without names or addresses")
    report.add_argument("--out", metavar="FILE", default=None, help="the file to write")

    schema = commands.add(
        "settings-schema", _settings_schema, "write the schema of the settings file, for editors"
    )
    schema.add_argument("--out", metavar="FILE", default=None, help="the file to write")

    completion = commands.add(
        "completion", _completion, "print what a shell reads to complete these commands"
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")


def _report(given: argparse.Namespace) -> int:
    from companion.care.report import Report
    from companion.care.snapshots import Moments

    settings, state = settings_of(given), state_folder(given.data)
    lang = lang_of(given, settings)
    report = Report(
        state=state,
        settings_file=settings_path(given.settings),
        settings=settings,
        lang=lang,
        evidence=Moments(state / "reports" / "moments").all(),
    )
    path = report.write(None if given.out is None else Path(given.out))
    size = path.stat().st_size
    if given.json:
        print_json({"file": str(path), "bytes": size, "left_out": report.left_out})
    else:
        tell(Wording("report", lang)("written", path=path, size=f"{size // 1000 + 1} kB"))
    return OK


def _settings_schema(given: argparse.Namespace) -> int:
    from companion.settings.schema import settings_schema
    from companion.settings.writing import hand_out

    text = json.dumps(settings_schema(), indent=1) + "\n"
    if given.out is None:
        sys.stdout.write(text)
    else:
        hand_out(Path(given.out), text)
    return OK


def _completion(given: argparse.Namespace) -> int:
    from companion.app.completing import script

    sys.stdout.write(script(given.shell) + "\n")
    return OK
