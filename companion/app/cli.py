"""The command ``heelstone``.

Exit code 0 on success, 2 on bad usage or bad input with one clear line on stderr. With ``--json``
every command prints machine-readable JSON lines. The commands themselves are in
``companion/app/commands``.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO, cast

from companion.app.commands import (
    BAD_USE,
    FAILED,
    OK,
    Commands,
    Parser,
    UsageError,
    add_version,
    complain,
    complaints_in,
    print_json,
    settings_of,
    shared_options,
    tell,
)
from companion.journal.entries import JournalError
from companion.journal.schema import in_words
from companion.settings.language import find_language
from companion.settings.settings import settings_path, state_folder
from companion.settings.validating import faults
from companion.settings.writing import WriteError
from companion.support.version import heelstone_version
from companion.words.errors import HeelstoneError, notice, of_file
from rules.core import GameError
from rules.errors import Complaint, Sentence
from rules.printable import harmless
from rules.texts import Texts

# -- the standard streams ---------------------------------------------------------------------
#
# Everything written to stdout and stderr passes here: output of commands, errors, help, warnings of
# Python and the log lines of services. Control characters are escaped; records of JSON are escaped
# before (``rules.printable``), so that they stay valid.
#
# A shell may close any of the three streams, and a full disk may lie behind them. A failed write to
# stdout is a ``StreamError`` of the command, now or when it ends; one to stderr is lost.


class StreamError(HeelstoneError):
    """A command's output could not be written to its stream."""


class Door:
    """A text stream through which nothing goes that a terminal would obey."""

    def __init__(self, stream: TextIO, *, needed: bool) -> None:
        """``needed``: who called waits for what is written here."""
        self._stream, self._needed = stream, needed

    def write(self, text: str) -> int:
        """Pass a text on, with marks for what would do more than appear. Raises StreamError if it
        is needed, BrokenPipeError if the pipe is closed."""
        # How far something has come is written again and again on the same line.
        again = "\r" if text.startswith("\r") else ""
        with self._told():
            self._stream.write(again + harmless(text.removeprefix("\r")))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Pass several texts on; raises as ``write``."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flushes the stream; raises as ``write``."""
        with self._told():
            self._stream.flush()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._wall_up()
            if not self._needed:
                return
            if isinstance(error, BrokenPipeError):
                raise
            raise StreamError("output_unwritable", reason=error) from error

    def _wall_up(self) -> None:
        """Discards what is still buffered, or Python would fail once more at its end."""
        # What stands in for a stream in tests has no number.
        with suppress(OSError, ValueError):
            number = self._stream.fileno()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def at_the_door() -> Iterator[None]:
    """Stdout and stderr pass the door meanwhile."""
    _open_closed()
    before = sys.stdout, sys.stderr
    sys.stdout = cast(TextIO, Door(before[0], needed=True))
    sys.stderr = cast(TextIO, Door(before[1], needed=False))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _open_closed() -> None:
    """A closed stream is there and fails when it is used.

    Its number would go to the next file that is opened, such as the journal, and be written to.
    """
    # The wrong way round, so that the system refuses what is read or written.
    ways = {"stdin": os.O_WRONLY, "stdout": os.O_RDONLY, "stderr": os.O_WRONLY}
    for number, (name, way) in enumerate(ways.items()):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, way)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


SUBJECTS = (
    "table",
    "camera",
    "board",
    "boxes",
    "games",
    "authors",
    "printing",
    "records",
    "service",
    "settings",
    "club",
    "phones",
    "support",
)
"""Modules of commands, in the order of the help text; loaded if there is a command at all."""

ASKED = "_ARGCOMPLETE"
"""Variable by which a shell asks how the line may go on; see ``companion.app.completing``."""

log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    with at_the_door():
        _prepare()
        lang = find_language(sys.argv[1:] if arguments is None else arguments)
        with complaints_in(lang):
            return _run(arguments, lang)


def _run(arguments: Sequence[str] | None, lang: str) -> int:
    told: Sentence | None = None
    try:
        told = _meet_games_here()
        if ASKED in os.environ:
            from companion.app.completing import complete

            complete(_parser(lang))
        try:
            given = _without_command(arguments, lang) or _parser(lang).parse_args(arguments)
            command: Callable[[argparse.Namespace], int] = given.command
            command = _version if given.version else command
            return command(given)
        finally:
            # Here it can still be told if that fails.
            sys.stdout.flush()
    except Complaint as error:
        return BAD_USE if error.sentence == told else complain(error.sentence)
    except BrokenPipeError:
        # The reader has seen enough.
        return OK
    except KeyboardInterrupt:
        return 130
    except WriteError as error:
        return complain(error.sentence)
    except OSError as error:
        return complain(of_file(error))
    except sqlite3.Error as error:
        return complain(JournalError("journal_unreadable", reason=in_words(error)).sentence)
    except ModuleNotFoundError:
        raise  # Where the command begins it is known which package that is.
    except Exception as error:
        if os.environ.get("HEELSTONE_TRACEBACK"):
            # Here and not by Python in the end: what it quotes passes the door as well.
            traceback.print_exc()
            return FAILED
        log.debug("a command failed", exc_info=True)
        complain(notice("mistake", error=repr(error)))
        return FAILED


def _meet_games_here() -> Sentence | None:
    """Within the folder of a game's package that game is there, installed or not; what was told
    if it is not."""
    from rules.games import add_games
    from rules.plugins import names_games, package_at

    try:
        if names_games(here := package_at(Path())):
            add_games(here)
    except GameError as error:
        complain(error.sentence)
        return error.sentence
    return None


def _prepare() -> None:
    """Keep stdout machine-readable and stderr free of what libraries say."""
    # Read by OpenCV when it is imported; its warnings would appear beside our one clear line.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # A stream that stands in for stdout in tests has letters and no encoding.
    if hasattr(sys.stdout, "reconfigure"):
        # JSON lines and exports are UTF-8 whatever the locale; a terminal keeps its own encoding.
        terminal = sys.stdout.isatty()
        sys.stdout.reconfigure(encoding=None if terminal else "utf-8", errors="replace")


@cache
def _parser(lang: str) -> Parser:
    parser = Parser(prog="heelstone", parents=[shared_options(None, lang)], lang=lang)
    parser.description = Texts("help", lang)("heelstone")
    parser.set_defaults(command=_app, lang=lang)
    add_version(parser)
    commands = Commands(parser)
    for subject in SUBJECTS:
        import_module(f"companion.app.commands.{subject}").add(commands)
    return parser


def _without_command(arguments: Sequence[str] | None, lang: str) -> argparse.Namespace | None:
    """Arguments if only the screens are asked for, which need not wait for all commands; None if
    the whole parser is needed."""
    parser = Parser(
        prog="heelstone", parents=[shared_options(None, None)], add_help=False, lang=None
    )
    parser.set_defaults(command=_app, lang=lang)
    add_version(parser)
    try:
        given, more = parser.parse_known_args(arguments)
    except UsageError:
        # The whole parser says what is wrong, and which command it is about.
        return None
    return None if more else given


def _version(given: argparse.Namespace) -> int:
    version = heelstone_version()
    if given.json:
        print_json({"version": version.number, "commit": version.commit or None})
    else:
        tell(f"Heelstone {version}")
    return OK


def _app(given: argparse.Namespace) -> int:
    settings, state, lang = settings_of(given), state_folder(given.data), given.lang
    for fault in faults(settings, settings_path(given.settings)):
        complain(fault)
    # Nothing that is loaded before the first frame is garbage; after that ``run_app`` turns
    # collection on again.
    gc.disable()
    try:
        from companion.app.kiosk import run_app

        return run_app(settings, state, lang, settings_path(given.settings))
    finally:
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())
