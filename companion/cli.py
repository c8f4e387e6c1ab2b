"""The command ``heelstone``.

Exit code 0 on success, 2 on bad use or bad input with one clear line on stderr. With ``--json``
every command prints machine-readable JSON lines.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.journal import Journal, JournalError, replay
from companion.records import CourseError, Courses, in_words, report, results
from companion.settings import (
    Settings,
    SettingsError,
    load_settings,
    settings_path,
    state_folder,
)
from companion.wording import Wording
from rules.core import Game, GameError, Move, Outcome, StateError
from rules.games import find_game, game_ids
from rules.telling import LANGUAGES, Teller

__all__ = ["main"]

OK, FAILED, BAD_USE = 0, 1, 2

log = logging.getLogger(__name__)


class UsageError(Exception):
    """The command was called in a way that cannot work; the message says what to change."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit code."""
    _prepare()
    try:
        given = _parser().parse_args(arguments)
        command: Callable[[argparse.Namespace], int] = given.command
        return command(given)
    except (UsageError, GameError, SettingsError, JournalError, CourseError) as error:
        return _complain(str(error))
    except BrokenPipeError:
        # The reader has seen enough; closing stdout here keeps Python from complaining again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _complain(f"{name}{error.strerror or error}")
    except sqlite3.Error as error:
        return _complain(f"the journal cannot be read: {error}")
    except Exception as error:
        if os.environ.get("HEELSTONE_TRACEBACK"):
            raise
        log.debug("a command failed", exc_info=True)
        _complain(
            f"a mistake in Heelstone: {error!r}; with HEELSTONE_TRACEBACK=1 it says where, which "
            "helps those who mend it"
        )
        return FAILED


def _prepare() -> None:
    """Keep stdout machine-readable and stderr free of what libraries say."""
    # Read by OpenCV when it is imported; its warnings would stand beside our one clear line.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # JSON lines and exports are UTF-8 whatever the locale; a terminal keeps its own encoding.
        terminal = sys.stdout.isatty()
        sys.stdout.reconfigure(encoding=None if terminal else "utf-8", errors="replace")


def _complain(message: str) -> int:
    """One line on stderr; gives the exit code of bad use."""
    print("heelstone: " + " ".join(message.split()), file=sys.stderr)
    return BAD_USE


class _Parser(argparse.ArgumentParser):
    """argparse with one-line errors; options are written out, so that new ones break no script."""

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False} | values)

    def error(self, message: str) -> Any:
        raise UsageError(f"{message}; see '{self.prog} --help'")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="heelstone",
        description="The referee at your game table. Without a command the touchscreen app starts.",
        parents=[_shared(None)],
    )
    parser.set_defaults(command=_app)
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser)

    def add(
        name: str, command: Callable[[argparse.Namespace], int], text: str
    ) -> argparse.ArgumentParser:
        # Without suppressed defaults an option given before the command would be forgotten.
        parents = [_shared(argparse.SUPPRESS)]
        sub = commands.add_parser(name, help=text, description=text, parents=parents)
        sub.set_defaults(command=command)
        return sub

    demo = add("demo", _demo, "play a short match on the virtual table")
    demo.add_argument("--headless", action="store_true", default=False, help="without a window")
    demo.add_argument("--out", metavar="DIR", default="", help="folder for pictures and report")

    add("games", _games, "list the games")

    simulate = add("simulate", _simulate, "play a random match")
    _add_game(simulate)
    simulate.add_argument("--seed", type=int, default=0, help="number that decides all chance")

    check = add("check", _check, "run the conformance suite of a game")
    check.add_argument("game", metavar="GAME")
    check.add_argument("--matches", type=int, default=24, help="random matches to play")

    why = add("why", _why, "say whether a move is legal, and if not, why")
    why.add_argument("game", metavar="GAME")
    why.add_argument("--state", dest="position", metavar="FILE", required=True,
                     help="JSON file with a position")  # fmt: skip
    why.add_argument("move", metavar="MOVE", nargs="+", help="text of the move")

    watch = add("watch", _watch, "referee what a camera, a video or a folder of pictures shows")
    watch.add_argument("source", metavar="SOURCE")
    watch.add_argument("--game", required=True, metavar="GAME")
    watch.add_argument("--players", type=int, default=None)
    watch.add_argument("--option", action="append", default=[], metavar="K=V")
    watch.add_argument("--box", metavar="FILE", default=None, help="box file of another board")
    watch.add_argument("--debug", metavar="DIR", default=None,
                       help="keep pictures with everything drawn in that was seen")  # fmt: skip

    add("doctor", _doctor, "find troubles and say what to do")
    add("matches", _matches, "list the matches in the journal")
    export = add("export", _export, "print a match as JSON lines")
    export.add_argument("id", metavar="ID")
    export.add_argument("--out", metavar="FILE", default=None)
    courses = add("courses", _courses, "list, add or choose own courses of Rollende Steine")
    courses.add_argument("--keep", metavar="NAME", default=None,
                         help="add or choose the course of this name")  # fmt: skip
    courses.add_argument("--notes", metavar="TEXT", default="", help="where the gates stand")
    courses.add_argument("--picture", metavar="FILE", default=None, help="a JPEG or PNG picture")
    records = add("records", _records, "best lists, players and series")
    records.add_argument("--game", metavar="GAME", default=None, help="of one game only")
    importer = add("import", _import, "take a match into the journal")
    importer.add_argument("file", metavar="FILE")
    return parser


def _shared(default: Any) -> _Parser:
    """The options that every command takes."""
    shared = _Parser(add_help=False, argument_default=default)
    shared.add_argument("--lang", choices=LANGUAGES, help="language of all texts")
    shared.add_argument("--json", action="store_true", default=default or False,
                        help="print JSON lines")  # fmt: skip
    shared.add_argument("--data", metavar="DIR", help="folder of the journal")
    shared.add_argument("--settings", metavar="FILE", help="settings file")
    return shared


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--players", type=int, default=None, help="number of players")
    parser.add_argument("--option", action="append", default=[], metavar="K=V",
                        help="an option of the game, as often as needed")  # fmt: skip


# -- commands -------------------------------------------------------------------------------


def _app(given: argparse.Namespace) -> int:
    from companion.doctor import find_screen

    settings, state = _settings(given), state_folder(given.data)
    lang = _lang(given, settings)
    # SDL itself would end the program with a message of its own.
    if find_screen() == "screen_none" and "SDL_VIDEODRIVER" not in os.environ:
        raise UsageError(Wording("doctor", lang)("screen_none"))
    from companion.shell import run_app

    return run_app(settings, state, lang)


def _demo(given: argparse.Namespace) -> int:
    from companion.demo import run_demo

    out = Path(given.out or "out/demo")
    return run_demo(out, _lang(given, _settings(given)), headless=given.headless)


def _games(given: argparse.Namespace) -> int:
    lang = _lang(given, _settings(given))
    for name in game_ids():
        try:
            game = find_game(name)
            teller = Teller(game, lang, ())
        except (GameError, ImportError) as error:
            # A game of others that is broken must not keep ours from the shelf.
            _complain(f"the game '{name}' cannot be used: {error}")
            continue
        if given.json:
            _print(
                {
                    "id": game.id,
                    "name": teller.game_name,
                    "box": game.box,
                    "players": list(game.players),
                    "options": {key: list(values) for key, values in game.options.items()},
                }
            )
            continue
        players = ", ".join(map(str, game.players))
        print(f"{game.id:<20} {teller.game_name} ({players})")
        print(f"{'':<20} {teller.tagline}")
        for key, values in game.options.items():
            print(f"{'':<22}--option {key}={'|'.join(values)}  {teller.option(key)[0]}")
    return OK


def _simulate(given: argparse.Namespace) -> int:
    from companion.simulate import simulate

    game = find_game(given.game)
    players = _players(given, game)
    options = game.complete_options(players, _options(given))
    records = simulate(game, players, options, given.seed)
    if given.json:
        for record in records:
            _print(record)
        return OK
    teller = Teller(game, _lang(given, _settings(given)), game.colours(players, options))
    for record in records:
        if "move" in record:
            print(f"{record['move']:<28} {teller.move(Move.parse(record['move']))}")
        elif "outcome" in record:
            outcome = record["outcome"]
            ranking = tuple(tuple(group) for group in outcome["ranking"])
            told = teller.outcome(Outcome(outcome["reason"], ranking, tuple(outcome["scores"])))
            print(f"{told} ({', '.join(map(str, outcome['scores']))})")
    return OK


def _check(given: argparse.Namespace) -> int:
    from rules.conformance import check_game

    if given.matches < 1:
        raise UsageError(f"--matches must be at least 1, not {given.matches}")
    report = check_game(find_game(given.game), matches=given.matches)
    if given.json:
        _print(
            {
                "game": report.game,
                "ok": report.ok,
                "matches": report.matches,
                "positions": report.positions,
                "objections": dict(sorted(report.objections.items())),
                "problems": report.problems,
            }
        )
    else:
        print(f"{report.game}: {report.matches} matches, {report.positions} positions, "
              f"{len(report.objections)} kinds of objections")  # fmt: skip
        for problem in report.problems:
            print(f"  {problem}")
        print("ok" if report.ok else f"{len(report.problems)} problems")
    return OK if report.ok else FAILED


def _why(given: argparse.Namespace) -> int:
    game = find_game(given.game)
    path = Path(given.position)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StateError(f"{path} is not JSON: {error}") from error
    if isinstance(data, dict) and isinstance(data.get("state"), dict):
        data = data["state"]
    move = Move.parse(" ".join(given.move))
    try:
        state = game.from_json(data)
        players = len(game.scores(state))
        colours = game.colours(players, game.complete_options(players, {}))
        objections = game.check(state, move)
    except GameError:
        raise
    except Exception as error:
        # A position put together by hand can contradict itself in ways a game does not expect.
        raise StateError(f"{path} holds no position of {game.id}: {error!r}") from error
    teller = Teller(game, _lang(given, _settings(given)), colours)
    if given.json:
        _print(
            {
                "move": move.text,
                "legal": not objections,
                "objections": [
                    {"rule": o.rule, "code": o.code, "text": str(teller.objection(o))}
                    for o in objections
                ],
            }
        )
    elif not objections:
        print("legal")
    for objection in () if given.json else objections:
        print(f"{objection.rule} {objection.code}: {teller.objection(objection)}")
    return OK


def _watch(given: argparse.Namespace) -> int:
    from companion.watch import Watch

    game = find_game(given.game)
    if not given.source:
        raise UsageError("SOURCE is empty; name a folder of pictures, a video file or a camera")
    watch = Watch(
        source=given.source,
        game=game,
        players=_players(given, game),
        options=_options(given),
        lang=_lang(given, _settings(given)),
        box_file=given.box,
        debug=None if given.debug is None else Path(given.debug),
    )
    for record in watch.records():
        if given.json:
            _print(record)
        elif "frame" in record:
            why = "; ".join(o["text"] for o in record["objections"]) or record.get("doubt", "")
            print(f"{record['frame']:<12} {record['status']:<10} "
                  f"{', '.join(record['moves'])}{why}")  # fmt: skip
        else:
            outcome = record["outcome"]
            print("–" if outcome is None else outcome["text"])
    return OK


def _doctor(given: argparse.Namespace) -> int:
    from companion.doctor import examine

    path = settings_path(given.settings)
    try:
        settings = load_settings(path)
    except SettingsError:
        # A broken settings file is one of the findings, not a reason to stop.
        settings = Settings()
    lang = _lang(given, settings)
    troubles = 0
    required = given.settings is not None
    for finding in examine(state_folder(given.data), path, lang, required=required):
        troubles += finding.level == "trouble"
        if given.json:
            _print({"check": finding.check, "level": finding.level, "text": finding.text})
        else:
            sign = {"ok": "✓", "hint": "·", "trouble": "!"}[finding.level]
            print(f"{sign} {finding.check:<14} {finding.text}")
    say = Wording("doctor", lang)
    if not given.json:
        print(say("summary_trouble", count=troubles) if troubles else say("summary_ok"))
    return OK


def _matches(given: argparse.Namespace) -> int:
    with _journal(given) as journal:
        for summary in journal.matches():
            header = summary.header
            if given.json:
                _print({**header.to_json(), "status": summary.status, "events": summary.events})
            else:
                names = ", ".join(name for name in header.names if name)
                print(f"{header.id}  {header.game:<20} {summary.status:<10} "
                      f"{summary.events:>5}  {names}")  # fmt: skip
    return OK


def _export(given: argparse.Namespace) -> int:
    with _journal(given) as journal:
        lines = list(journal.export(given.id))
    text = "\n".join(lines) + "\n"
    if given.out is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        Path(given.out).write_text(text, encoding="utf-8")
    return OK


def _import(given: argparse.Namespace) -> int:
    path = Path(given.file)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise JournalError(f"{path} is not a text file in UTF-8: {error.reason}") from error
    with _journal(given) as journal:
        try:
            match_id = journal.import_match(text, str(path))
        except JournalError as error:
            where = "" if str(path) in str(error) else f"{path}: "
            raise JournalError(f"{where}{error}") from error
        except (OverflowError, UnicodeError) as error:
            raise JournalError(f"{path} holds what cannot be kept: {error}") from error
        match = replay(journal.header(match_id), journal.events(match_id))
        if given.json:
            _print({"id": match_id, "moves": match.ply, "over": match.outcome is not None})
        else:
            print(match_id)
    return OK


def _courses(given: argparse.Namespace) -> int:
    courses = Courses(state_folder(given.data) / "courses")
    if given.keep is not None:
        picture = None if given.picture is None else Path(given.picture)
        courses.keep(given.keep, given.notes, picture)
    elif given.notes or given.picture:
        raise UsageError("--notes and --picture need the name of a course: --keep NAME")
    current = courses.current()
    for course in courses.all():
        used = course.name == current
        if given.json:
            _print({"name": course.name, "notes": course.notes, "picture": course.picture,
                    "used": used})  # fmt: skip
        else:
            print(f"{'→' if used else ' '} {course.name}  {course.notes}")
    return OK


def _records(given: argparse.Namespace) -> int:
    with _journal(given) as journal:
        found = results(journal, given.game)
    lang = _lang(given, _settings(given))
    for record in report(found):
        if given.json:
            _print(record)
        else:
            print(in_words(record, lang))
    return OK


# -- what commands share ----------------------------------------------------------------------


def _settings(given: argparse.Namespace) -> Settings:
    return load_settings(settings_path(given.settings), required=given.settings is not None)


def _lang(given: argparse.Namespace, settings: Settings) -> str:
    return str(given.lang or settings.lang)


def _journal(given: argparse.Namespace) -> Journal:
    journal = Journal(state_folder(given.data) / "journal.db")
    if journal.salvage:
        _complain(journal.salvage)
    return journal


def _players(given: argparse.Namespace, game: Game[Any]) -> int:
    return int(given.players) if given.players is not None else min(game.players)


def _options(given: argparse.Namespace) -> dict[str, str]:
    options = {}
    for pair in given.option:
        name, sign, value = pair.partition("=")
        if not sign:
            raise UsageError(f"--option takes name=value, not '{pair}'")
        options[name] = value
    return options


def _print(record: Any) -> None:
    print(json.dumps(record, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    sys.exit(main())
