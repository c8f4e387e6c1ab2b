"""Boards of the players' own in the state folder.

``boxes/<box>.toml`` says where the fields of a box really lie. ``boards/<name>.toml`` are boards of
other editions: fields and rules' circles of their own, see ``rules.games``. The picture of a board
lies beside its file, under a new name for every drawing: the power may go between the two.
"""

from __future__ import annotations

import logging
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.settings.writing import put_aside, settle_folder, write_whole
from companion.words.errors import notice
from rules.bounded import is_folder, read_text
from rules.box import MOST_BYTES, Box, BoxError, load_box
from rules.box.override import (
    BoxOverride,
    is_override,
    load_override,
    overridden,
    override_text,
    parse_override,
)
from rules.core import Game, GameError
from rules.errors import Sentence, because
from rules.games import find_game, game_ids, game_on_board, plays_on_boards

if TYPE_CHECKING:
    from vision.pieces.sighting import Sighting

log = logging.getLogger(__name__)


class OwnBoards:
    """The boards that lie on this table instead of the printed ones."""

    def __init__(self, state: Path) -> None:
        self.folder = state / "boxes"
        self.troubles: list[Sentence] = []
        """Faults of files, as sentences."""
        self._boxes: dict[str, Box] = {}
        paths = sorted(self.folder.glob("*.toml")) if is_folder(self.folder) else []
        for path in paths:
            if "-damaged-" not in path.name:
                self._load(path)
        self.boards = state / "boards"
        self._games: dict[str, str] = {}
        self._looks: dict[str, Path] = {}
        """Picture of each board, by the name of the board's file."""
        paths = sorted(self.boards.glob("*.toml")) if is_folder(self.boards) else []
        for path in paths:
            if "-damaged-" not in path.name:
                self._load_board(path)

    def has(self, box: str) -> bool:
        """True if a board of the players' own is used for a box."""
        return box in self._boxes

    def box(self, box: str) -> Box:
        """The box as it lies on this table. Raises BoxError if there is no such box."""
        if box in self._boxes:
            return self._boxes[box]
        printed = load_box(box)
        stem = next((stem for stem, game in self._games.items() if game == box), "")
        if stem and self._looks[stem].is_file():
            printed = self._boxes[box] = replace(printed, portrait=str(self._looks[stem]))
        return printed

    def keep(self, override: BoxOverride, portrait: bytes = b"") -> Path:
        """Use a board from now on; returns its file. Raises BoxError, OSError.

        ``portrait``: the bare board from above as a JPEG file; without it the look that was saved
        last is still used.
        """
        before = self._look(override.box)
        look = (
            self.folder / f"{override.box}-{zlib.crc32(portrait):08x}.jpg" if portrait else before
        )
        override = replace(override, portrait=look.name if look else "")
        # What is written must be read again, to the last figure.
        path, text = self._path(override.box), override_text(override)
        override = parse_override(text, path.name)
        board = overridden(load_box(override.box), override, path.name, self.folder)
        if portrait and look:
            write_whole(look, portrait)
            settle_folder(self.folder)
        write_whole(path, text)
        self._boxes[override.box] = board
        if before and before != look:
            settle_folder(self.folder)
            before.unlink(missing_ok=True)
        return path

    def forget(self, box: str) -> bool:
        """Uses the printed board again; True if there was another. Raises OSError."""
        look = self._look(box)
        self._path(box).unlink(missing_ok=True)
        if look:
            look.unlink(missing_ok=True)
        return self._boxes.pop(box, None) is not None

    def games(self) -> list[str]:
        """Ids of the games on boards of other editions that are saved here."""
        return list(self._games.values())

    def keep_board(self, game: str, text: str, portrait: bytes = b"") -> str:
        """Save a board that ``game`` is to be played on; returns the id of the game on it.

        ``portrait``: the bare board from above as a JPEG file, if it was drawn on a picture.
        A board of the same name is replaced; matches that were played on it keep a copy of it.
        Raises GameError if it is not a board, OSError.
        """
        on_board = game_on_board(game, text, notice("the_board"))
        stem = _stem(on_board.board_name)
        before, look = self._looks.get(stem), self._look_of(stem, text)
        if portrait:
            write_whole(look, portrait)
            settle_folder(self.boards)
        write_whole(self.boards / f"{stem}.toml", text)
        self._games[stem], self._looks[stem] = on_board.id, look
        settle_folder(self.boards)
        if before and before != look:
            before.unlink(missing_ok=True)
        if not portrait:
            look.unlink(missing_ok=True)
        self._boxes.pop(on_board.box, None)
        return on_board.id

    def forget_board(self, game_id: str) -> None:
        """Delete a board. Raises OSError."""
        for stem in [stem for stem, kept in self._games.items() if kept == game_id]:
            for path in (self.boards / f"{stem}.toml", self._looks[stem]):
                path.unlink(missing_ok=True)
            del self._games[stem], self._looks[stem]
            self._boxes.pop(game_id, None)

    def _load_board(self, path: Path) -> None:
        try:
            text = read_text(path)
            self._games[path.stem] = _on_its_board(text, path.name).id
            look = self._look_of(path.stem, text)
            # As it was called before every drawing had one of its own.
            older = path.with_suffix(".jpg")
            self._looks[path.stem] = older if older.is_file() and not look.is_file() else look
        except (OSError, UnicodeDecodeError, GameError) as error:
            self._say("own_game_damaged", path, error)

    def _look_of(self, stem: str, text: str) -> Path:
        """Path of a drawn board's picture, given the text of the board's file."""
        return self.boards / f"{stem}-{zlib.crc32(text.encode()):08x}.jpg"

    def _look(self, box: str) -> Path | None:
        """The picture that the file of a box names, if it is there."""
        portrait = self._boxes[box].portrait if box in self._boxes else ""
        look = Path(portrait)
        return look if portrait and look.parent == self.folder and look.is_file() else None

    def _path(self, box: str) -> Path:
        return self.folder / f"{box}.toml"

    def _load(self, path: Path) -> None:
        try:
            override = load_override(path)
            if override.box != path.stem:
                raise BoxError("of_other_box", file=path, box=override.box, wanted=path.stem)
            box = load_box(override.box)
            self._boxes[override.box] = overridden(box, override, path, self.folder)
        except BoxError as error:
            self._say("own_board_damaged", path, error)

    def _say(self, code: str, path: Path, error: Exception) -> None:
        told = notice(code, because=because(error), outcome=put_aside(path))
        self.troubles.append(told)
        log.warning("%s", told)


def _on_its_board(text: str, where: str) -> Game[Any]:
    """The game on a board, by the tables of its file. Raises GameError."""
    games = {find_game(game).board_table: game for game in filter(plays_on_boards, game_ids())}
    tables = re.findall(r"(?m)^\[([a-z_]+)", text)
    known = [games[table] for table in tables if table in games]
    game = [*known, *games.values()][0]
    return game_on_board(game, text, where)


def _stem(name: str) -> str:
    """A file name for what people call a board."""
    words = re.sub(r"[^\w]+", "-", name.casefold()).strip("-")
    return words[:40] or "board"


def load_any_box(name: str, usual: str) -> Box:
    """A box from a file that holds a whole box, or an override of the box ``usual``.

    Raises BoxError.
    """
    path = Path(name)
    if name.endswith(".toml") and path.is_file() and path.stat().st_size <= MOST_BYTES:
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError):
            text = ""
        if is_override(text):
            return overridden(load_box(usual), load_override(path), name, path.parent)
    return load_box(name)


def without_supplies(sighting: Sighting, box: Box) -> Sighting:
    """Ignores what lies beside a board smaller than the printed one.

    The rules know only the printed board, and would take a supply within its outline for a piece
    that belongs nowhere.
    """
    printed = load_box(box.id).size
    if not box.outline and box.size[0] >= printed[0] and box.size[1] >= printed[1]:
        return sighting
    on_board = tuple(s for s in sighting.strays if box.is_on_board(s.at_mm))
    return replace(sighting, strays=on_board) if on_board != sighting.strays else sighting
