"""A game to begin with: ``heelstone new-game NAME`` writes a package outside Heelstone.

It is the game in ``template``, which is played, checked and tested as it stands, with another name.
Nothing is written half: the package appears in its folder when all of it is there.
"""

from __future__ import annotations

import keyword
import re
import shutil
import sys
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from companion.settings.writing import whole_folder, writing
from companion.words.errors import HeelstoneError
from rules.games import add_games, find_game, game_ids
from rules.testing.golden import golden_files

LONGEST = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_ID, _TITLES = "little_henge", ("Little Henge", "Kleines Henge")
"""Id and titles of the template's game."""
_TEXT = (".py", ".toml", ".md")
_IGNORED = "__pycache__/\n*.egg-info/\n/screens/\n/out/\n"
"""Text of ``.gitignore``: files that tools leave in the folder."""


class NewGameError(HeelstoneError):
    """A game cannot be begun so; the sentence says what to change."""


def new_game(name: str, folder: Path, title: str = "") -> list[Path]:
    """Write a package with a small game called ``name`` into ``folder``, which must be new or
    empty; returns its files. ``title``: what players call it; by default it follows from the name.

    Raises NewGameError, WriteError.
    """
    name, title = proper_name(name), proper_title(title or name.replace("_", " ").title())
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NewGameError("new_game_exists", folder=folder)
    with whole_folder(folder) as draft, as_file(files("companion.app") / "template") as template:
        _copy(template, draft, name, title)
        (draft / ".gitignore").write_text(_IGNORED, encoding="utf-8")
    folder = folder.resolve()
    try:
        with writing(folder):
            _write_golden(name, folder)
    except OSError:
        shutil.rmtree(folder)
        raise
    return sorted(path for path in folder.rglob("*") if path.is_file())


def proper_name(name: str) -> str:
    """``name`` if a game and a package of Python can be called so. Raises NewGameError."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        parts = re.findall(r"[a-z0-9]+", name.lower())
        better = "_".join(parts).lstrip("0123456789_")[:LONGEST].rstrip("_")
        raise NewGameError("new_game_name", name=name, better=better or "my_game")
    if name in game_ids():
        raise NewGameError("new_game_known", name=name)
    if keyword.iskeyword(name) or keyword.issoftkeyword(name) or _is_module(name):
        raise NewGameError("new_game_module", name=name, better=f"{name}_game")
    return name


def proper_title(title: str) -> str:
    """``title`` if it can stand in the files. Raises NewGameError."""
    if not title.isprintable() or '"' in title or "\\" in title or "{" in title or len(title) > 60:
        raise NewGameError("new_game_title", title=title)
    return title


def _is_module(name: str) -> bool:
    """True if Python already has a module of that name, which the package would hide."""
    try:
        return name == "tests" or find_spec(name) is not None
    except (ImportError, ValueError):
        return True


def _copy(template: Path, draft: Path, name: str, title: str) -> None:
    """Every file of the template, renamed outside and inside."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    for file in sorted(template.rglob("*")):
        if not file.is_file() or file.suffix not in _TEXT:
            continue
        text = file.read_text(encoding="utf-8")
        for old in _TITLES:
            text = text.replace(old, title)
        text = text.replace(_ID, name).replace(_ID.replace("_", "-"), name.replace("_", "-"))
        text = text.replace(_TITLES[0].replace(" ", ""), camel)
        target = draft / Path(str(file.relative_to(template)).replace(_ID, name))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _write_golden(name: str, folder: Path) -> None:
    """Its golden files: chance follows the name, so they cannot be copied."""
    golden = folder / "tests" / "golden"
    golden.mkdir()
    add_games(folder)
    usual, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        game = find_game(name)
    finally:
        sys.dont_write_bytecode = usual
    for file, text in golden_files(game, golden).items():
        (golden / file).write_text(text, encoding="utf-8")
