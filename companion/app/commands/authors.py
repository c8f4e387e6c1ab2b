"""Commands new-game, check, golden, screens: for those who write a game."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.commands import (
    FAILED,
    OK,
    Commands,
    Parser,
    UsageError,
    add_setting,
    games_named,
    lang_of,
    options_of,
    print_json,
    progress_of,
    tell,
)
from rules.core import Game
from rules.texts import Texts

if TYPE_CHECKING:
    from rules.testing.report import Report

MOST_NUMBERS = 10_000
"""Highest number of an example."""


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    new = commands.add("new-game", _new_game)
    new.add_argument("name", metavar="NAME")
    new.add_argument("--folder", metavar="DIR", default="")
    new.add_argument("--title", metavar="TEXT", default="")

    check = commands.add("check", _check)
    _add_game(check)
    check.add_argument("--matches", metavar="N", type=int)
    check.add_argument("--scenes", metavar="DIR", default="")
    check.add_argument("--watch", action="store_true")

    golden = commands.add("golden", _golden)
    _add_game(golden)
    golden.add_argument("--out", metavar="DIR", default="")
    golden.add_argument("--compare", action="store_true")
    golden.add_argument("--confirm", metavar="N,N-N|all", default="")

    screens = commands.add("screens", _screens)
    _add_game(screens)
    add_setting(screens)
    screens.add_argument("--out", metavar="DIR", default="screens")


def _add_game(parser: Parser) -> None:
    parser.add_argument("game", metavar="GAME|FOLDER", nargs="?", default=".")


def _new_game(given: argparse.Namespace) -> int:
    from companion.app.authoring.new_game import new_game, proper_name

    name = proper_name(given.name)
    folder = Path(given.folder or name)
    with progress_of(given) as stage:
        stage("new_game", game=name)
        written = new_game(name, folder, given.title)
    if given.json:
        print_json({"game": name, "folder": str(folder), "files": [str(file) for file in written]})
        return OK
    say = Texts("commands.authors", lang_of(given))
    tell(say("begun", game=name, folder=folder, count=len(written)))
    for step in ("enter", "play", "check", "read"):
        tell("  " + say(f"next_{step}", game=name, folder=folder))
    return OK


def _check(given: argparse.Namespace) -> int:
    if given.matches is not None and given.matches < 1:
        raise UsageError("at_least_one", option="--matches", found=given.matches)
    if given.watch:
        from companion.app.authoring.check_again import check_again

        return check_again(given, lang_of(given))
    from companion.app.authoring.hands_check import check_hands
    from rules.testing.conformance import check_game
    from rules.testing.determinism import check_elsewhere
    from rules.testing.golden import absent, check_golden, unconfirmed
    from rules.testing.report import Report

    games, home = games_named(given.game)
    scenes = Path(given.scenes) if given.scenes else (home or Path()) / "scenes"
    failed, say = False, Texts("commands.authors", lang_of(given))
    for game in games:
        # What needs no match is told before one is played.
        early = Report(game.id)
        _check_cover(game, early)
        if given.matches is None:
            for told in absent(game):
                early.add(*told.split(". ", 1))
        if not given.json:
            _tell_all(early.problems)
        with progress_of(given) as stage:
            report = check_game(game, matches=given.matches, played=stage("check", game=game.id))
            stage("check_end", game=game.id)
            if given.matches is None and report.ok:
                check_elsewhere(game, report)
            laid = 0
            if given.matches is None and report.ok:
                if game.watched:
                    laid = check_hands(game, report, scenes, stage("check_hands", game=game.id))
                # Last: while rules are written, these files are old more often than not.
                check_golden(game, report)
            examples = unconfirmed(game) if given.matches is None and report.ok else []
        later = [told for told in report.problems if told not in early.problems]
        report.problems[:] = [*early.problems, *later]
        failed |= not report.ok
        if given.json:
            print_json(
                {
                    "game": report.game,
                    "ok": report.ok,
                    "matches": report.matches,
                    "positions": report.positions,
                    "laid": laid,
                    "objections": dict(sorted(report.objections.items())),
                    "problems": report.problems,
                    "hints": report.hints,
                    "unconfirmed": examples,
                }
            )
            continue
        tell(say("checked", game=report.game, matches=report.matches, positions=report.positions,
                 objections=len(report.objections), laid=laid))  # fmt: skip
        _tell_all(later)
        for hint in report.hints:
            tell("  " + say("hint", hint=hint))
        if examples:
            tell(say("unconfirmed", count=len(examples)))
        for example in examples:
            tell(f"    {example}")
        found = len(report.problems)
        tell(
            say("ok")
            if report.ok
            else say("one_problem" if found == 1 else "problems", count=found)
        )
    return FAILED if failed else OK


def _tell_all(problems: Iterable[str]) -> None:
    for problem in problems:
        tell(f"  {problem}")


def _check_cover(game: Game[Any], report: Report) -> None:
    """The front of its box, which the rules know nothing of; a game may do without."""
    from companion.setup.covers import CoverError, read_cover

    try:
        read_cover(game.id, game.package)
    except (FileNotFoundError, ModuleNotFoundError):
        return
    except (CoverError, OSError, UnicodeDecodeError) as error:
        told = str(error) if isinstance(error, CoverError) else f"covers/{game.id}.toml: {error}"
        remedy = "Mend the file, or delete it: then the box gets a plain front"
        report.add(told.rstrip("."), remedy)


def _golden(given: argparse.Namespace) -> int:
    from companion.settings.writing import hand_out
    from rules.testing.golden import PERFT, contradictions, golden_files

    games, home = games_named(given.game)
    folder = Path(given.out) if given.out else (home or Path()) / "tests" / "golden"
    say = Texts("commands.authors", lang_of(given))
    differs = contradicts = False
    confirmed = _numbers(given.confirm)
    for game in games:
        with progress_of(given) as stage:
            stage("golden", game=game.id)
            files = golden_files(game, folder, confirmed)
            wrong = list(contradictions(game, folder))
        for name, text in files.items():
            file = folder / name
            old = file.read_text(encoding="utf-8", errors="replace") if file.exists() else None
            status = "new" if old is None else "same" if old == text else "changed"
            differs |= status != "same"
            if not given.compare and status != "same":
                hand_out(file, text)
            if given.json:
                print_json({"game": game.id, "file": str(file), "status": status})
            else:
                tell(say(f"golden_{status}", file=file))
        contradicts |= bool(wrong)
        for told in wrong:
            if given.json:
                file = folder / PERFT
                print_json({"game": game.id, "file": str(file), "status": "wrong", "told": told})
            else:
                tell(told)
    return FAILED if contradicts or (given.compare and differs) else OK


def _numbers(given: str) -> Collection[int]:
    """Numbers such as ``1,3-5``, or all."""
    if given == "all":
        return range(1, MOST_NUMBERS + 1)
    found = set[int]()
    for part in filter(None, given.replace(" ", "").split(",")):
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()):
            raise UsageError("no_numbers", option="--confirm", found=given)
        found.update(range(int(first), min(int(last or first), MOST_NUMBERS) + 1))
    return found


def _screens(given: argparse.Namespace) -> int:
    from companion.app.authoring.game_screens import write_screens

    games, _ = games_named(given.game)
    lang = lang_of(given)
    with progress_of(given) as stage:
        for game in games:
            drawing = stage("screens", game=game.id)
            folder, options, missing = Path(given.out), options_of(given), set[str]()
            for path in write_screens(game.id, folder, lang, given.players, options, missing):
                if given.json:
                    print_json({"game": game.id, "file": str(path)})
                else:
                    tell(path)
                drawing(0, 0)
            if given.json:
                print_json({"game": game.id, "missing": sorted(missing)})
            elif missing:
                tell(Texts("commands.authors", lang)("not_drawn", names=", ".join(sorted(missing))))
    return OK
