"""Recent players with their faces, and the last setup of every group.

Saved in ``people.json`` in the state folder, written in one piece. A damaged file is set aside and
reported, never overwritten, and play goes on without it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from companion.settings.enforcement import Enforcement
from companion.settings.writing import set_aside, write_whole
from companion.words.errors import HeelstoneError, notice
from rules.bounded import read_bytes
from rules.errors import Sentence, because
from rules.printable import only_letters

log = logging.getLogger(__name__)

VERSION = 1
MOST_NAMES = 24
MOST_SETUPS = 60
LONGEST_NAME = 14
"""Maximum length of a name, letters: a score display of 20 columns shows a name and its points."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """A new match as it was set up."""

    game: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    enforcement: Enforcement = Enforcement.ENFORCE
    names: tuple[str, ...] = ()
    """Names by seat; an empty one means: called by their colour. Missing ones are empty."""
    physical: bool = True
    """True for a match with real pieces; otherwise everything happens on the screen."""
    commit: str = ""
    """``stillness`` or ``button``; empty: as in the settings."""
    clock: str = ""
    """The clock it is played with, see ``companion.settings.clocks``; empty: none."""
    series: str = ""
    """The series it continues; empty: it begins one, if its game counts series."""
    computers: tuple[str, ...] = ()
    """By seat: the computer player that sits there (``rules.players.find_player``), empty texts for
    people. Missing ones are people."""
    tips: bool = True
    """True if players may ask for a tip."""
    pairing: str = ""
    """The game of a club's tournament that it is; else empty."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Exactly one name per seat."""
        return (*self.names, *("",) * self.players)[: self.players]

    @property
    def sitting(self) -> tuple[str, ...]:
        """Exactly one computer player or empty text per seat."""
        return (*self.computers, *("",) * self.players)[: self.players]

    @property
    def computer_seats(self) -> tuple[int, ...]:
        """Seats of computer players."""
        return tuple(seat for seat, player in enumerate(self.sitting) if player)

    @property
    def people(self) -> int:
        """Number of people who play."""
        return self.sitting.count("")


class _Setup(msgspec.Struct, frozen=True):
    game: str
    players: int
    names: tuple[str, ...]
    options: dict[str, str]
    enforcement: Enforcement
    physical: bool
    commit: str
    clock: str = ""
    computers: tuple[str, ...] = ()
    tips: bool = True


class _File(msgspec.Struct):
    version: int = VERSION
    names: list[str] = []
    setups: list[_Setup] = []
    faces: dict[str, str] = {}
    """By name; those that nobody names any more go with the next match."""


class People:
    """The recent players and setups of one Heelstone."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "people.json"
        self.salvage: Sentence | None = None
        """Report on a damaged file; None if all was well."""
        self._kept = self._read()

    @property
    def recent(self) -> tuple[str, ...]:
        """Names of players, most recent first."""
        return tuple(self._kept.names)

    @property
    def everybody(self) -> frozenset[str]:
        """Every name that is saved here, for code that must leave names out."""
        return self._named.union(self._kept.faces)

    @property
    def _named(self) -> frozenset[str]:
        in_setups = {name for setup in self._kept.setups for name in setup.names if name}
        return frozenset(in_setups.union(self._kept.names))

    @property
    def faces(self) -> Mapping[str, str]:
        """The face of each person, by name; it follows what is kept."""
        return self._kept.faces

    def keep_faces(self, faces: Mapping[str, str]) -> None:
        """These people have these faces from now on."""
        if faces.items() <= self._kept.faces.items():
            return
        self._kept.faces.update(faces)
        self._write()

    def last(self, game: str, names: Iterable[str] = ()) -> MatchSetup | None:
        """Last setup chosen for ``game``: by exactly these people, else by any."""
        group = _group(names)
        found = [setup for setup in self._kept.setups if setup.game == game]
        same = [setup for setup in found if group and _group(setup.names) == group]
        for setup in (*same, *found):
            return MatchSetup(
                setup.game, setup.players, dict(setup.options), setup.enforcement,
                setup.names, setup.physical, setup.commit, setup.clock,
                computers=setup.computers, tips=setup.tips,
            )  # fmt: skip
        return None

    def remember(self, plan: MatchSetup) -> None:
        """Save a setup that is being played; its people become the most recent."""
        names = [name for name in plan.seats if name]
        others = [name for name in self._kept.names if name not in names]
        self._kept.names = [*names, *others][:MOST_NAMES]
        setup = _Setup(
            plan.game, plan.players, plan.seats, dict(plan.options), plan.enforcement,
            plan.physical, plan.commit, plan.clock, plan.computers, plan.tips,
        )  # fmt: skip
        key = (plan.game, _group(plan.names))
        kept = [old for old in self._kept.setups if (old.game, _group(old.names)) != key]
        self._kept.setups = [setup, *kept][:MOST_SETUPS]
        for gone in [name for name in self._kept.faces if name not in self._named]:
            del self._kept.faces[gone]
        self._write()

    def forget(self, name: str) -> None:
        """Offer this name no more, and forget whose face it was."""
        self._kept.names = [other for other in self._kept.names if other != name]
        self._kept.faces.pop(name, None)
        self._write()

    # -- private --------------------------------------------------------------------------

    def _read(self) -> _File:
        try:
            text = read_bytes(self.path)
        except FileNotFoundError:
            return _File()
        except OSError as error:
            self.salvage = notice("names_unreadable", file=self.path, reason=error)
            return _File()
        try:
            kept = msgspec.json.decode(text, type=_File)
            if kept.version > VERSION:
                raise HeelstoneError("from_newer", version=kept.version)
            return _cleaned(kept)
        except (HeelstoneError, ValueError, RecursionError) as error:
            return self._set_aside(error)

    def _set_aside(self, damage: Exception) -> _File:
        told = because(damage)
        try:
            aside = set_aside(self.path).name
            file = self.path.name
            self.salvage = notice("file_damaged_aside", file=file, because=told, aside=aside)
        except OSError as error:
            self.salvage = notice("file_damaged", file=self.path, because=told, reason=error)
        return _File()

    def _write(self) -> None:
        try:
            write_whole(self.path, msgspec.json.encode(self._kept))
        except OSError as error:
            log.warning("names and setups cannot be kept in %s: %s", self.path, error)


def clean_name(text: str) -> str:
    """A name as it is saved: no control characters, no outer or double blanks, not too long."""
    shown = "".join(letter if only_letters(letter) else " " for letter in text)
    return " ".join(shown.split())[:LONGEST_NAME].rstrip()


def _cleaned(kept: _File) -> _File:
    """Contents of a file, with names as they are when they are entered here."""
    kept.names = [clean for name in kept.names if (clean := clean_name(name))]
    kept.faces = {clean: face for name, face in kept.faces.items() if (clean := clean_name(name))}
    kept.setups = [
        msgspec.structs.replace(setup, names=tuple(map(clean_name, setup.names)))
        for setup in kept.setups
    ]
    return kept


def _group(names: Iterable[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in names if name))
