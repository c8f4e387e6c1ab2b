"""Games and players of other authors, in installed packages and in folders of sources.

A package names what it brings in its ``pyproject.toml``, in the groups of entry points
``heelstone.games`` and ``heelstone.players``. While it is being written it need not be installed:
the environment variable ``HEELSTONE_GAMES`` names folders of such packages, as ``PYTHONPATH`` does,
and every program that is started from there knows their games as well.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import extract_tb
from typing import Any

from rules.bounded import read_text
from rules.core import GameError
from rules.toml_lines import not_toml, parsed

GAMES, PLAYERS = "heelstone.games", "heelstone.players"
FOLDERS = "HEELSTONE_GAMES"
"""The environment variable."""
MOST_BYTES = 1 << 20
INSIDE = 2
"""Number of folders above modules in which their ``pyproject.toml`` may lie: there may be a ``src``
between."""

log = logging.getLogger(__name__)


@cache
def entries(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of packages, by name; one in a folder goes before an installed one."""
    found = {entry.name: entry for entry in entry_points(group=group)}
    for folder in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        try:
            brought = _named(Path(folder), group)
        except GameError as error:
            # One folder that is broken must not keep all other games off the shelf.
            log.warning("%s", error)
            continue
        _let_import(Path(folder))
        found |= {name: EntryPoint(name, value, group) for name, value in brought.items()}
    return found


def add_folder(folder: str | Path) -> tuple[str, ...]:
    """Make the games in ``folder`` known, here and in every program started from here.

    Returns their names. Raises GameError if nothing there names a game.
    """
    if not isinstance(folder, str | Path):
        raise GameError("wants_folder", found=type(folder).__name__)
    folder = package_at(Path(folder))
    games = _named(folder, GAMES)
    if not games:
        raise GameError("pyproject_no_game", file=folder / "pyproject.toml")
    known = list(filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)))
    others = [other for other in known if Path(other) != folder]
    os.environ[FOLDERS] = os.pathsep.join([*others, str(folder)])
    entries.cache_clear()
    return tuple(sorted(games))


def package_at(folder: Path) -> Path:
    """The package of a game in which ``folder`` lies, such as the one with its modules; ``folder``
    itself if there is none."""
    folder = folder.resolve()
    return next(filter(names_games, (folder, *folder.parents[:INSIDE])), folder)


def names_games(folder: Path) -> bool:
    """True if ``folder`` seems to be the package of a game; cheap, for every start."""
    try:
        return GAMES in read_text(folder / "pyproject.toml", MOST_BYTES)
    except (OSError, UnicodeDecodeError):
        return False


def load(entry: EntryPoint) -> Any:
    """The object of an entry point. Raises GameError that names the place where it fails."""
    try:
        return entry.load()
    except GameError:
        raise
    except Exception as error:  # whatever its author wrote; nothing of it may end the program
        if _leads_nowhere(entry, error):
            raise GameError("entry_no_module", game=entry.name, value=entry.value) from error
        fault = f"{type(error).__name__}: {error}"
        raise GameError("entry_fails", game=entry.name, fault=fault, place=_place(error)) from error


def _leads_nowhere(entry: EntryPoint, error: Exception) -> bool:
    """True if there is no such module, or nothing of that name in it."""
    if isinstance(error, ModuleNotFoundError):
        return error.name is not None and f"{entry.module}.".startswith(f"{error.name}.")
    within = extract_tb(error.__traceback__)[-1].filename
    return isinstance(error, AttributeError) and within == metadata.__file__


def _named(folder: Path, group: str) -> Mapping[str, str]:
    """The entry points that a package's ``pyproject.toml`` names."""
    file = folder / "pyproject.toml"
    try:
        text = read_text(file, MOST_BYTES)
    except FileNotFoundError as error:
        raise GameError("no_pyproject", folder=folder) from error
    except (OSError, UnicodeDecodeError) as error:
        raise GameError("within", file=file, reason=error) from error
    try:
        data = parsed(text)
    except (ValueError, RecursionError) as error:
        raise GameError("bad_toml", **not_toml(file, text, error)) from error
    found = data
    for key in ("project", "entry-points", group):
        found = found.get(key, {})
        if not isinstance(found, dict):
            raise GameError("pyproject_no_game", file=file)
    if not all(isinstance(value, str) for value in found.values()):
        raise GameError("pyproject_no_game", file=file)
    return found


def _let_import(folder: Path) -> None:
    """Modules lie in the folder itself, or in ``src``."""
    source = str(folder / "src" if (folder / "src").is_dir() else folder)
    if source not in sys.path:
        sys.path.insert(0, source)


def _place(error: Exception) -> str:
    """File and line where an error is to be mended."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}"
    places = extract_tb(error.__traceback__)
    return f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else "?"
