"""Boards of the players' own on the touchscreen: pictures in, mapped or drawn boards out."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.boards.draft import BoardDraft
from companion.boards.mapping import Fault, Mapping
from companion.boards.picture import BoardPictureError, board_picture, found_edge, read_picture
from companion.boards.store import OwnBoards
from companion.camera.owner import TableCamera
from companion.settings.preferences import PreferencesFile
from companion.words.errors import of_file
from rules.bounded import is_folder
from rules.box import Box, load_box
from rules.core import GameError
from rules.games import find_game, plays_on_boards
from rules.texts import Texts
from vision.arrays import Picture
from vision.board.board_edge import board_edge
from vision.camera.lens import Lens

log = logging.getLogger(__name__)

ENDINGS = (".jpg", ".jpeg", ".png")
MOST_NAMED = 6
"""Maximum number of fields named in a sentence."""


@dataclass(frozen=True, slots=True)
class BoardLook:
    """A board seen from straight above."""

    picture: Picture | None
    """Height × width × 3, blue-green-red; None if there is none."""
    board: Box | None
    """The box with its corner stickers as they lie there."""
    trouble: str = ""
    """Reason why there is no picture and what to do, as a sentence."""
    portrait: bytes = b""
    """The picture as a JPEG file."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Work that was left without saving it."""

    game: str
    look: BoardLook
    work: Mapping | BoardDraft


class BoardBench:
    """Mapping boards and drawing those of other editions."""

    def __init__(
        self,
        own: OwnBoards,
        folder: Path,
        camera: TableCamera,
        preferences: PreferencesFile,
    ) -> None:
        """``folder``: where pictures of boards wait."""
        self._own, self._folder = own, folder
        self._camera, self._preferences = camera, preferences
        self.aside: Aside | None = None
        """The mapping or draft that was left last, to be continued; None if there is none."""

    def lay_aside(self, game: str, look: BoardLook, work: Mapping | BoardDraft) -> None:
        """Keep unsaved work until it is continued, or the next is laid aside."""
        self.aside = Aside(game, look, work)

    def mapped(self, game: str) -> bool:
        """True if a board of the players' own is used for the game's box."""
        return self._own.has(find_game(game).box)

    def mapping(self, game: str) -> Mapping:
        """The fields of the game where they lie, to be changed."""
        box = find_game(game).box
        return Mapping(load_box(box), self._own.box(box), game)

    def files(self) -> Sequence[str]:
        """Names of the pictures that wait in the folder, the newest first."""
        if not is_folder(self._folder):
            return []
        found = [p for p in self._folder.iterdir() if p.suffix.lower() in ENDINGS]
        return [p.name for p in sorted(found, key=lambda p: p.stat().st_mtime, reverse=True)]

    def look(self, game: str, file: str = "") -> BoardLook:
        """The board from above: as the camera sees it now, or in a file."""
        try:
            if file:
                image, lens_of = read_picture(self._folder / file), None
            else:
                snapshot, lens_of = self._camera.snapshot(), self._camera.lens_of()
                if snapshot is None:
                    return BoardLook(None, None, self._say("no_picture"))
                image = snapshot.frame.image
            size = (image.shape[1], image.shape[0])
            lens = None if lens_of is None else lens_of.best(size)
            return self._flat(image, find_game(game).box, lens)
        except BoardPictureError as error:
            log.info("no board to map: %s", error)
            return BoardLook(None, None, self._say("no_stickers"))
        except OSError as error:
            return BoardLook(None, None, of_file(error, file).told(self._preferences.now.lang))

    def _flat(self, image: Picture, name: str, lens: Lens | None) -> BoardLook:
        if self._own.has(name):
            try:
                seen = board_picture(image, self._own.box(name), lens, measure=False)
                return BoardLook(seen.picture, seen.board, "", seen.portrait())
            except BoardPictureError:
                # The stickers have been put elsewhere since.
                pass
        seen = board_picture(image, load_box(name), lens)
        return BoardLook(seen.picture, seen.board, "", seen.portrait())

    def find_outline(self, mapping: Mapping, look: BoardLook) -> Sequence[str]:
        """Lay the outline where the picture shows the board's edge; returns the names of the sides
        where none can be seen and it is only guessed (``vision.board.board_edge.SIDES``)."""
        assert look.picture is not None
        edge = found_edge(look.picture, mapping)
        mapping.set_outline(edge.corners)
        return edge.unsure

    def find_outline_drawn(self, draft: BoardDraft, look: BoardLook) -> Sequence[str]:
        """The same of a board that is drawn, wherever its places are."""
        assert look.picture is not None
        bare = replace(draft.board, outline=(), sites={}, printed_sites=())
        edge = board_edge(look.picture, bare)
        draft.set_outline(edge.corners)
        return edge.unsure

    def keep(self, mapping: Mapping, look: BoardLook) -> str:
        """Use the board from now on, with the look it has there.

        Returns what went wrong, as a sentence, or nothing.
        """
        try:
            self._own.keep(mapping.override, look.portrait)
        except (GameError, OSError) as error:
            log.warning("the board is not kept: %s", error)
            return self._refusal(error)
        mapping.saved()
        return ""

    def forget(self, game: str) -> str:
        """Use the printed board again; returns what went wrong, or nothing."""
        try:
            self._own.forget(find_game(game).box)
        except OSError as error:
            return self._refusal(error)
        return ""

    def can_draw(self, game: str) -> bool:
        """True if the game has boards of other editions, with circles of their own."""
        return plays_on_boards(game) and find_game(game).watched

    def draft(self, game: str, board: Box | None, *, empty: bool) -> BoardDraft:
        """A board to be drawn, from nothing or from the game's board."""
        box = find_game(game).box
        if empty:
            return BoardDraft(board or self._own.box(box))
        return BoardDraft.of_game(game, board)

    def drawn(self) -> Sequence[str]:
        """Ids of the games on boards that were drawn."""
        return self._own.games()

    def board_name(self, draft: BoardDraft) -> str:
        """Default name of a drawn board."""
        if draft.name:
            return draft.name
        names = {find_game(game).board_name for game in self._own.games()}
        number, word = 1, self._say("our_board")
        while f"{word} {number}" in names:
            number += 1
        return f"{word} {number}"

    def keep_drawn(self, draft: BoardDraft, look: BoardLook) -> str:
        """Put a drawn board on the shelf; returns what went wrong, or nothing."""
        draft.name = self.board_name(draft)
        try:
            self._own.keep_board(draft.game, draft.text(), look.portrait)
        except (GameError, OSError) as error:
            log.warning("the drawn board is not kept: %s", error)
            return self._refusal(error)
        return ""

    def forget_drawn(self, game: str) -> str:
        """Take it from the shelf; matches that were played on it keep theirs."""
        try:
            self._own.forget_board(game)
        except OSError as error:
            return self._refusal(error)
        return ""

    def sentence(self, fault: Fault) -> str:
        """Sentence on a fault, and what to do."""
        sites = [*fault.sites[:MOST_NAMED], *("…" for _ in fault.sites[MOST_NAMED:][:1])]
        reason = "" if fault.reason is None else fault.reason.told(self._preferences.now.lang)
        count = str(len(fault.sites))
        return self._say(fault.code, sites=", ".join(sites), count=count, reason=reason)

    def _refusal(self, error: Exception) -> str:
        return of_file(error).told(self._preferences.now.lang)

    def _say(self, key: str, **values: str) -> str:
        return Texts("board", self._preferences.now.lang)(key, **values)
