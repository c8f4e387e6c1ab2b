"""``heelstone check --watch``: the conformance suite, again whenever a file of the game is saved.

Each run is a program of its own, so that it sees what was saved and nothing older. What a save
broke or mended is told at once; a save during a run begins it anew.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.app.commands import OK, print_json, progress_of, shown, tell
from rules.core import GameError
from rules.games import game_ids
from rules.near import hint
from rules.plugins import GAMES, entries, names_games, package_at
from rules.texts import Texts

LOOK_S = 0.3
"""Seconds between looks at the files."""
ENDINGS = (".py", ".toml", ".json")

_MOMENT = re.compile(r"(?<=seed )\d+|(?<=move )\d+|(?<=line )\d+|(?<=\.py:)\d+")

_Files = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Found:
    """Result of one run."""

    problems: tuple[str, ...]
    matches: int = 0
    positions: int = 0


def check_again(given: argparse.Namespace, lang: str) -> int:
    """Check, and again after each change, until Ctrl-C; then all is well whatever was found.

    Raises GameError if there is no such game.
    """
    folder, say = _folder_of(given.game), Texts("commands.authors", lang)
    if not given.json:
        tell(say("watching", folder=folder))
    known: tuple[str, ...] = ()
    files: _Files = {}
    try:
        while True:
            files = _changed(folder, files)
            found = _run(given, lang, folder, files)
            if found is not None:
                new, mended, known = news(known, found.problems, played=found.matches > 0)
                _tell(found, new, mended, say, as_json=given.json)
    except KeyboardInterrupt:
        if not given.json:
            print()
            tell(say("watched"))
        return OK


def news(
    known: Sequence[str], found: Sequence[str], *, played: bool
) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Splits problems into new ones, mended ones, and all known now.

    Where nothing could be ``played``, what was known before may still be there.
    """
    old = {_gist(problem): problem for problem in known}
    now = {_gist(problem): problem for problem in found}
    new = [problem for gist, problem in now.items() if gist not in old]
    if not played:
        return new, [], tuple({**old, **now}.values())
    mended = [problem for gist, problem in old.items() if gist not in now]
    return new, mended, tuple(now.values())


def _folder_of(named: str) -> Path:
    """Folder with the files of a game. Raises GameError."""
    path = Path(named)
    if named == "." or os.sep in named or (path.is_dir() and named not in game_ids()):
        if not names_games(folder := package_at(path)):
            raise GameError("no_pyproject", folder=folder)
        return folder
    if named not in game_ids():
        raise GameError("no_game", game=named, hint=hint(named, game_ids()))
    module = entries(GAMES)[named].module if named in entries(GAMES) else "rules"
    spec = importlib.util.find_spec(module.partition(".")[0])
    if spec is None or spec.origin is None:
        raise GameError("entry_no_module", game=named, value=module)
    place = Path(spec.origin).parent
    # Beside the package lies what names it, and its tests.
    return place.parent if names_games(place.parent) else place


def _changed(folder: Path, before: _Files) -> _Files:
    """The files, as soon as they are not as ``before``."""
    while (now := _files(folder)) == before:
        time.sleep(LOOK_S)
    return now


def _files(folder: Path) -> _Files:
    found: _Files = {}
    for path in _walk(folder):
        try:
            status = path.stat()
        except OSError:
            continue  # a draft that an editor has put away again
        found[str(path)] = (status.st_mtime_ns, status.st_size)
    return found


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name[0] not in "._"]
        for name in names:
            if name.endswith(ENDINGS) and name[0] != ".":
                yield Path(parent) / name


def _run(given: argparse.Namespace, lang: str, folder: Path, files: _Files) -> _Found | None:
    """One run; None if a file was saved meanwhile."""
    command = [sys.executable, "-m", "companion.app.entry", "check", given.game, "--json"]
    command += ["--lang", lang]
    if given.matches is not None:
        command += ["--matches", str(given.matches)]
    # What Python keeps of a module is told from a newer one by the second only.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    # In a session of its own, so that Ctrl-C ends the watching and not the run with a traceback.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        start_new_session=True, env=environment,
    ) as run:  # fmt: skip
        try:
            with progress_of(given) as stage:
                checking = stage("check_again", game=folder.name)
                while True:
                    try:
                        out, err = run.communicate(timeout=LOOK_S)
                        break
                    except subprocess.TimeoutExpired:
                        checking(0, 0)
                        if _files(folder) != files:
                            return None
        finally:
            if run.poll() is None:
                run.kill()
    return _found_in(out, err)


def _found_in(out: str, err: str) -> _Found:
    records = [json.loads(line) for line in out.splitlines()]
    problems = [str(problem) for record in records for problem in record["problems"]]
    problems += [shown(line.removeprefix("heelstone: ")) for line in err.splitlines()]
    return _Found(
        tuple(dict.fromkeys(problems)),
        sum(record["matches"] for record in records),
        sum(record["positions"] for record in records),
    )


def _tell(
    found: _Found, new: Sequence[str], mended: Sequence[str], say: Texts, *, as_json: bool
) -> None:
    """Prints the new problems, the mended ones, and how many are left."""
    problems = len({_gist(problem) for problem in found.problems})
    old = problems - len(new)
    if as_json:
        record = {"ok": not problems, "new": new, "mended": mended, "left": old}
        print_json({**record, "matches": found.matches, "positions": found.positions})
        return
    when = time.strftime("%H:%M:%S")
    for problem in mended:
        tell(say("mended", problem=problem))
    for problem in new:
        tell(say("new", problem=problem))
    if not problems:
        tell(say("sound", time=when, matches=found.matches, positions=found.positions))
    else:
        tell(say("left", time=when, problems=problems, old=old))


def _gist(problem: str) -> str:
    """A finding without its moment: it is the same one a move later, or a line further down."""
    return _MOMENT.sub("", problem)
