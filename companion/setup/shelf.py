"""The fronts of the games' boxes: names, players and covers, saved on the disk.

To say a game's name in two languages its rules and texts must be loaded, and to draw a cover takes
longer than to read it. So the shelf is saved from one start to the next. What is saved is valid as
long as the program's files and the installed packages are the same; ``check`` works it out again
once there is time.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import threading
import zlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import msgspec

from companion.settings.writing import write_whole
from companion.setup.covers import Cover, cover_of
from hardware.supervised_thread import SupervisedThread
from rules.core import GameError
from rules.games import find_game, own_ids, shelf_order
from rules.plugins import FOLDERS
from rules.telling import Teller
from rules.texts import LANGUAGES

log = logging.getLogger(__name__)

ENDING = ".rgba.z"
MOST_PICTURES = 64
"""Maximum number of pictures, more than a few screen sizes need; older ones are deleted."""


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """The front of a box."""

    titles: dict[str, str]
    """The game's name by language."""
    players: tuple[int, ...]
    """Possible numbers of players."""
    cover: Cover
    lesson: bool
    """True if the game brings its first steps."""


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    stamp: str
    fronts: dict[str, Front]
    """Fronts by game, in the order of the shelf."""


class Fronts:
    """The fronts of all games, read from ``folder`` as far as they are valid; None: save
    nothing."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._writing = threading.Lock()
        self._stamp = _stamp() if folder is not None else ""
        kept = self._read()
        self._whole = kept is not None
        self._fronts = {} if kept is None else dict(kept.fronts)

    def games(self) -> tuple[str, ...]:
        """Ids of all games except those on boards of the players' own."""
        known = self._fronts if self._whole else shelf_order()
        return tuple(game for game in known if "@" not in game and self._usable(game))

    def of(self, game: str) -> Front:
        """The front of a game; raises GameError if there is no such game."""
        if game not in self._fronts:
            self._fronts[game] = front_of(game)
        return self._fronts[game]

    def check(self) -> bool:
        """Work out all fronts again and save them; returns whether different ones were shown so
        far.

        Takes a while; from any thread.
        """
        fronts = {game: front_of(game) for game in shelf_order() if self._usable(game)}
        shown = {game: front for game, front in self._fronts.items() if "@" not in game}
        others = self._whole and (shown != fronts or tuple(shown) != tuple(fronts))
        if others or not self._whole:
            self._keep(fronts)
        own = {game: front for game, front in self._fronts.items() if "@" in game}
        self._fronts = {**fronts, **own}
        return others

    def _usable(self, game: str) -> bool:
        """True if there is a front; a game from elsewhere that fails is left out, and no other."""
        if game in own_ids():
            return True
        try:
            self.of(game)
        except GameError as error:
            log.warning("%s", error)
            return False
        return True

    # -- pictures ---------------------------------------------------------------------------

    def picture(self, game: str, look: str, size: tuple[int, int]) -> bytes | None:
        """The saved picture of a game: red, green, blue and alpha of width × height px, from below.

        ``look``: everything else that the picture depends on, as a part of a file's name.
        """
        path = self._path(game, look)
        try:
            pixels = None if path is None else zlib.decompress(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, zlib.error) as error:
            log.info("a picture of %s is drawn anew: %s", game, error)
            return None
        return pixels if pixels is not None and len(pixels) == 4 * size[0] * size[1] else None

    def keep_picture(self, game: str, look: str, pixels: bytes) -> None:
        """Save a picture, in its own time; a disk that refuses costs nothing but time."""
        path = self._path(game, look)
        if path is not None:
            SupervisedThread("shelf", lambda: self._write(path, pixels), once=True).start()

    # -- private ----------------------------------------------------------------------------

    def _path(self, game: str, look: str) -> Path | None:
        # What is drawn on a board of the players' own may change under the same name.
        if self._folder is None or not self._whole or "@" in game:
            return None
        return self._folder / f"{game}-{look}{ENDING}"

    def _write(self, path: Path, pixels: bytes) -> None:
        try:
            with self._writing:
                write_whole(path, zlib.compress(pixels, 6))
                old = sorted(path.parent.glob(f"*{ENDING}"), key=lambda p: p.stat().st_mtime)
                for one in old[:-MOST_PICTURES]:
                    one.unlink(missing_ok=True)
        except OSError as error:
            log.info("the picture %s is not kept: %s", path.name, error)

    def _read(self) -> _Kept | None:
        if self._folder is None:
            return None
        try:
            kept = msgspec.json.decode((self._folder / "shelf.json").read_bytes(), type=_Kept)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            log.info("the shelf is reckoned anew: %s", error)
            return None
        return kept if kept.stamp == self._stamp else None

    def _keep(self, fronts: dict[str, Front]) -> None:
        if self._folder is None:
            return
        try:
            for old in self._folder.glob(f"*{ENDING}"):
                old.unlink(missing_ok=True)
            kept = _Kept(stamp=self._stamp, fronts=fronts)
            write_whole(self._folder / "shelf.json", msgspec.json.encode(kept))
        except OSError as error:
            log.info("the shelf is not kept: %s", error)
            return
        self._whole = True


def front_of(game: str) -> Front:
    """The front of a game, from its rules and texts. Raises GameError."""
    from rules.lesson import has_lesson

    rules = find_game(game)
    players = rules.players[0]
    colours = rules.colours(players, rules.complete_options(players, {}))
    titles = {lang: Teller(rules, lang, colours).game_name for lang in LANGUAGES}
    cover = cover_of(game, rules.package, titles["en"])
    return Front(titles=titles, players=tuple(rules.players), cover=cover, lesson=has_lesson(game))


def _stamp() -> str:
    """Changes when the program or a package is installed, upgraded or removed."""
    told = [f"{sys.version_info} {LANGUAGES}"]
    for package in ("rules", "companion"):
        told += _sources(str(files(package)))
    for folder in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        told += [folder, *(_sources(folder) if Path(folder).is_dir() else ())]
    for path in sys.path:
        try:
            with os.scandir(path or ".") as found:
                names = [entry.name for entry in found]
        except OSError:
            continue
        told += sorted(n for n in names if n.endswith((".dist-info", ".egg-info")))
    return hashlib.sha1("\n".join(told).encode(), usedforsecurity=False).hexdigest()


def _sources(folder: str) -> Iterator[str]:
    """Name, time and size of all code and data below a folder, as quickly as can be."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith((".py", ".toml")):
            about = entry.stat()
            yield f"{entry.name} {about.st_mtime_ns} {about.st_size}"
        elif not entry.name.startswith(("_", ".")) and entry.is_dir():
            yield from _sources(entry.path)
