"""Deeds of Heelstone that write to the disk, to be cut short at any change.

A deed gets a folder and a way to promise: what it promised must be there after any cut. ``prepare``
says what lay there before; that is promised too.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from companion.boards.draft import BoardDraft
from companion.boards.mapping import Mapping
from companion.boards.store import OwnBoards
from companion.camera.lenses import Lenses
from companion.export.sticks import Stick, keep_on
from companion.journal.backup import back_up, restore
from companion.journal.entries import FINISHED, Header, JournalError
from companion.journal.events import ClockStood, Source, StickersSaid, to_row
from companion.journal.schema import UPGRADABLE
from companion.journal.store import Journal
from companion.match.events import TableEvent
from companion.match.looking_back.library import Library
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import PlayMove, Redo, TableView, Undo
from companion.outputs.lamp_sites import LampSites
from companion.settings.manners import Manners
from companion.settings.people import MatchSetup, People
from companion.settings.preferences import PreferencesFile
from companion.settings.settings import Settings
from rules.box import load_box
from rules.core import Move
from rules.games import find_game
from rules.match import Entry, Match
from rules.testing.playout import random_match
from tests.support.journals import made_older
from tests.support.table_setup import played, tap_move
from vision.board.fitting import LensBelief
from vision.board.lens_learning import LearntLens
from vision.camera.calibration import Calibrated
from vision.camera.lens import Lens

KNIZIA = "knizia_stonehenge"
SPOILT = "changed by nobody"


@dataclass(frozen=True)
class Promise:
    """The first ``events`` events of a match are these, for ever."""

    match: str
    events: int
    digest: str

    @classmethod
    def of(cls, journal: Journal, match_id: str) -> Promise:
        """The journal's events of a match now."""
        told = _told(journal, match_id)
        return cls(match_id, len(told), _digest(told))

    def text(self) -> str:
        """One line."""
        return json.dumps([self.match, self.events, self.digest])

    @classmethod
    def read(cls, line: str) -> Promise:
        """``text`` read back."""
        return cls(*json.loads(line))


Promised = Callable[[Promise], object]


@dataclass(frozen=True)
class Deed:
    """Something that may be cut short."""

    prepare: Callable[[Path], Sequence[Promise]]
    """Makes what lies in the folder before, and promises it."""
    do: Callable[[Path, Promised], None]
    wrong: Callable[[Path], str] = lambda folder: ""
    """What else must never be found afterwards, as a sentence; empty if all is well."""
    either: bool = False
    """What was promised before may have been replaced; ``wrong`` says what must hold."""


def broken(folder: Path, deed: Deed, promises: Sequence[Promise]) -> str:
    """The broken promises after a cut, as a sentence; empty if all were kept."""
    try:
        with Journal(_journal(folder)) as journal:
            for promise in () if deed.either else promises:
                told = _told(journal, promise.match)[: promise.events]
                if _digest(told) != promise.digest:
                    return f"{promise.events} events of {promise.match} are now {len(told)} others"
            for summary in journal.matches():
                journal.load(summary.header.id)
    except JournalError as error:
        return f"refused: {error}"
    return deed.wrong(folder)


def _told(journal: Journal, match_id: str) -> list[str]:
    rows = [(e.src, *to_row(e.what)) for e in journal.events(match_id)]
    return [f"{type} {src} {json.dumps(body)}" for src, type, body in rows]


def _digest(told: Sequence[str]) -> str:
    return sha1("\n".join(told).encode()).hexdigest()


def _journal(folder: Path) -> Path:
    return folder / "state" / "journal.db"


def _header(match_id: str) -> Header:
    game = find_game(KNIZIA)
    return Header(
        id=match_id, game=KNIZIA, players=2, options=game.complete_options(2, {}),
        physical=False, seed="7", names=("Ada", "Ben"), enforcement="enforce", created_s=0.0,
    )  # fmt: skip


def _moves(number: int | None = None) -> list[str]:
    """The first moves of a match; without a number all of them but what follows by itself."""
    game = Match(KNIZIA, 2).game
    options = dict(_header("m").options)
    return [move.text for _, _, move in random_match(game, 2, options, 5)][:number]


def _filled(path: Path, match_id: str = "m1", moves: int | None = 12) -> list[Promise]:
    with Journal(path) as journal:
        journal.create(_header(match_id))
        for text in _moves(moves):
            journal.append(match_id, played(text), src=Source.TOUCH)
        return [Promise.of(journal, match_id)]


# -- the deeds ----------------------------------------------------------------------------------


def _nothing(folder: Path) -> list[Promise]:
    return []


def _one_match(folder: Path) -> list[Promise]:
    return _filled(_journal(folder))


def _first_start(folder: Path, promised: Promised) -> None:
    with Journal(_journal(folder)) as journal:
        journal.create(_header("m1"))
        for text in _moves(3):
            journal.append("m1", played(text), src=Source.TOUCH)
            promised(Promise.of(journal, "m1"))


def _play(folder: Path, promised: Promised) -> None:
    """Through the session, as at a table: what a listener hears is promised."""
    with Journal(_journal(folder)) as journal, Journal(_journal(folder), beside=True) as other:
        table = Table(journal, journal.header("m1"), Manners())

        def hear(view: TableView, events: Sequence[TableEvent]) -> None:
            # Another connection reads what is in the record; the match alone proves nothing.
            entries = [entry.move.text for entry in table.match.log]
            kept = [entry.move.text for entry in other.load("m1").log]
            if entries == kept:
                promised(Promise.of(other, "m1"))
            else:
                promised(Promise("m1", len(entries), "a listener heard what nobody wrote down"))

        session = Session(table).start()
        session.listen(hear)
        for intent in (PlayMove(session.view.legal[0]), Undo(2), Redo(), Undo(1)):
            session.post(intent)
            session.settle()
        session.post(PlayMove(session.view.legal[-1]))
        session.settle()
        session.close()


def _import(folder: Path, promised: Promised) -> None:
    with Journal(":memory:") as scratch, Journal(_journal(folder)) as journal:
        scratch.create(_header("m2"))
        for text in _moves(20):
            scratch.append("m2", played(text), src=Source.TOUCH)
        journal.import_match("\n".join(scratch.export("m2")), "here")
        promised(Promise.of(journal, "m2"))


def _half_imported(folder: Path) -> str:
    with Journal(_journal(folder)) as journal:
        for summary in journal.matches():
            if summary.header.id == "m2" and summary.events != 20:
                return f"a match is there with {summary.events} of 20 events"
    return ""


def _backup(folder: Path, promised: Promised) -> None:
    path = _journal(folder)
    for _ in range(3):
        back_up(path, path.parent / "backups", keep=2)
    with Journal(path) as journal:
        promised(Promise.of(journal, "m1"))


def _with_backup(folder: Path) -> list[Promise]:
    promises = _one_match(folder)
    back_up(_journal(folder), folder / "state" / "backups", keep=2)
    return promises


def _torn_copy(folder: Path) -> str:
    copies = sorted((folder / "state" / "backups").glob("journal-*.db"))
    for copy in copies:
        with Journal(copy) as journal:
            if journal.salvage or journal.matches()[0].events != 12:
                return f"{copy.name} is no whole copy"
    return "" if copies else "there is no copy any more"


def _damaged(folder: Path) -> list[Promise]:
    """One letter is another: everything before it can be saved."""
    path = _journal(folder)
    _filled(path)
    with Journal(":memory:") as scratch:
        scratch.create(_header("m1"))
        for text in _moves(11):
            scratch.append("m1", played(text), src=Source.TOUCH)
        promise = Promise.of(scratch, "m1")
    # Behind Heelstone's back, in a way SQLite itself finds nothing wrong with.
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update events set src = ? where seq = 12", (SPOILT,))
    return [promise]


def _of_the_version_before(folder: Path) -> list[Promise]:
    promises = _one_match(folder)
    made_older(_journal(folder))
    return promises


def _older_gone(folder: Path) -> str:
    """As long as nothing was upgraded the old file is the journal, and then it stays beside it."""
    older = 0
    for path in (folder / "state").glob("*.db"):
        with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
            older += db.execute("pragma user_version").fetchone() == (UPGRADABLE,)
    return "" if older == 1 else f"the old file is there {older} times"


def _open(folder: Path, promised: Promised) -> None:
    with Journal(_journal(folder)) as journal:
        promised(Promise.of(journal, "m1"))


def _original_gone(folder: Path) -> str:
    """The damaged file itself is kept for those who know more."""
    files = (folder / "state").glob("*.db")
    kept = [path for path in files if SPOILT.encode() in path.read_bytes()]
    return "" if len(kept) == 1 else f"the damaged file is there {len(kept)} times"


def _another_copy(folder: Path) -> list[Promise]:
    _filled(folder / "copy.db", "m2", 8)
    return _one_match(folder)


def _restore(folder: Path, promised: Promised) -> None:
    restore(folder / "copy.db", _journal(folder))


def _neither(folder: Path) -> str:
    with Journal(_journal(folder)) as journal:
        found = {summary.header.id: summary.events for summary in journal.matches()}
    if found == {"m1": 12}:
        return ""
    if found != {"m2": 8}:
        return f"there is neither the old journal nor the new one, but {found}"
    asides = list((folder / "state").glob("journal-before-restore-*.db"))
    for aside in asides:
        shutil.copy(aside, folder / "aside.db")
        with Journal(folder / "aside.db") as journal:
            if [summary.events for summary in journal.matches()] == [12]:
                return ""
    return f"the old journal was not set aside: {asides}"


def _amend(folder: Path, promised: Promised) -> None:
    with Journal(_journal(folder)) as journal:
        library = Library(journal, folder / "exports")
        recording = library.recording("m1")
        ply = _last_choice(journal.load("m1"))
        other = recording.choices(ply)[0]
        library.amend("m1", ply, [Entry(Move.parse(other.text))])
        promised(Promise.of(journal, "m1"))


def _last_choice(match: Match) -> int:
    """The last of the moves, from 1, instead of which another was possible."""
    trial = match.clone()
    for ply in range(match.ply, 0, -1):
        trial.pop()
        if len(trial.legal_moves()) > 1:
            return ply
    raise AssertionError("there was never a choice")


def _half_amended(folder: Path) -> str:
    with Journal(_journal(folder)) as journal:
        match = journal.load("m1")
        with Journal(":memory:") as scratch:
            scratch.create(_header("m1"))
            for text in _moves(12):
                scratch.append("m1", played(text), src=Source.TOUCH)
            before = scratch.load("m1")
    wanted = before.ply if match.log == before.log else _last_choice(before)
    return "" if match.ply == wanted else f"{match.ply} moves are left, not {wanted}"


def _nearly_over(folder: Path) -> list[Promise]:
    path = _journal(folder)
    _filled(path, moves=None)
    with Journal(path) as journal:
        match = journal.load("m1")
        assert match.outcome is not None
        moves = [entry.move.text for entry in match.log]
    path.unlink()
    path.with_suffix(".mark").unlink()
    return _filled(path, moves=len(moves) - 1)


def _last_move(folder: Path, promised: Promised) -> None:
    with Journal(_journal(folder)) as journal:
        table = Table(journal, journal.header("m1"), Manners())
        table.handle(tap_move(_moves()[-1]), 0.0)
        promised(Promise.of(journal, "m1"))


def _never_closed(folder: Path) -> str:
    """A match that is over is found finished, as far as its last move was kept."""
    with Journal(_journal(folder)) as journal:
        table = Table(journal, journal.header("m1"), Manners())
        over = table.match.outcome is not None
        status = journal.status("m1")
    return "" if (status == FINISHED) == over else f"over: {over}, but {status}"


def _clock(folder: Path, promised: Promised) -> None:
    with Journal(_journal(folder)) as journal:
        for what in (ClockStood((60_000, 59_000), 1), StickersSaid(("stones",), have=True)):
            journal.append("m1", what, src=Source.TOUCH)
            promised(Promise.of(journal, "m1"))


# -- what is chosen, measured and drawn: small files, each the old one or the new one -------------

SIZE = (1280, 720)
DRAWN_ON = "dolmengoetter"


def _chosen(folder: Path) -> list[Promise]:
    _choose(folder, 0.25, "Ada", 1)
    return _one_match(folder)


def _choose(folder: Path, brightness: float, name: str, lamp: int) -> None:
    state = folder / "state"
    PreferencesFile(state, Settings(), "de").choose(brightness=brightness)
    People(state).remember(MatchSetup(KNIZIA, 2, names=(name, "Ben")))
    box = load_box("knizia_stonehenge")
    LampSites(state / "lamps", {}).keep(box, {next(iter(box.sites)): (lamp,)})


def _half_chosen(folder: Path) -> str:
    state = folder / "state"
    chosen, people = PreferencesFile(state, Settings(), "de"), People(state)
    lamps = LampSites(state / "lamps", {})
    found = (chosen.now.brightness, people.recent, [*lamps["knizia_stonehenge"].values()])
    before, after = (0.25, ("Ada", "Ben"), [(1,)]), (0.5, ("Cleo", "Ben", "Ada"), [(2,)])
    whole = all(one in (old, new) for one, old, new in zip(found, before, after, strict=True))
    return "" if whole and not (chosen.trouble or people.salvage or lamps.troubles) else f"{found}"


def _calibrated(folder: Path) -> list[Promise]:
    _calibrate(folder, 0.25)
    return _one_match(folder)


def _calibrate(folder: Path, error_px: float) -> None:
    lenses = Lenses(folder / "state")
    lens = Lens.guess(*SIZE)
    lenses.keep("pi-0", Calibrated(lens, error_px, error_px, 0.001, 12, 0))
    lenses.keep_learnt("pi-0", LearntLens(LensBelief.kinds(SIZE)[0][0], 37, error_px))


def _lens_gone(folder: Path) -> str:
    lenses = Lenses(folder / "state")
    learnt = lenses.learnt("pi-0", SIZE)
    if lenses.load("pi-0", SIZE) is None or learnt is None:
        return "a lens is gone"
    return "" if learnt.error_mm in (0.25, 0.5) else f"learnt is {learnt}"


def _board_drawn(folder: Path) -> list[Promise]:
    _draw(folder, 3)
    return _one_match(folder)


def _draw(folder: Path, moved_mm: int) -> None:
    draft = BoardDraft.of_game(DRAWN_ON)
    draft.name = "Attic find"
    x, y = draft.places["U8"]
    draft.move("U8", (x + moved_mm, y))
    own = OwnBoards(folder / "state")
    seen = f"seen with {moved_mm}".encode()
    own.keep_board(DRAWN_ON, draft.text(), seen)
    mapping = Mapping(load_box(KNIZIA))
    mapping.transform((moved_mm, 0), 0, 1)
    own.keep(mapping.override, seen)


def _board_torn(folder: Path) -> str:
    own = OwnBoards(folder / "state")
    if own.troubles or len(own.games()) != 1:
        return f"{len(own.games())} boards, {own.troubles}"
    # Places and picture are of the same drawing: what was seen is what was drawn on.
    plain = load_box(KNIZIA).sites
    site, drawn = next(iter(plain)), own.box(own.games()[0])
    printed = {"U8": BoardDraft.of_game(DRAWN_ON).places["U8"][0], site: plain[site].at[0]}
    for moved, place in ((drawn, "U8"), (own.box(KNIZIA), site)):
        told = Path(moved.portrait).read_bytes() if moved.portrait else b""
        by_mm = round(moved.sites[place].at[0] - printed[place])
        if told != f"seen with {by_mm}".encode():
            return f"{by_mm} mm, but {told!r}"
    return ""


def _stick(folder: Path) -> list[Promise]:
    (folder / "stick").mkdir()
    (folder / "stick/match.jsonl").write_bytes(b"old " * 300)
    return _one_match(folder)


def _onto_stick(folder: Path, promised: Promised) -> None:
    stick = Stick("STICK", folder / "stick", 1 << 30, writable=True)
    keep_on(stick, "match.jsonl", b"new " * 300)


def _half_on_stick(folder: Path) -> str:
    found = (folder / "stick/match.jsonl").read_bytes()
    return "" if found in (b"old " * 300, b"new " * 300) else f"{found[:40]!r}"


DEEDS: dict[str, Deed] = {
    "first start": Deed(_nothing, _first_start),
    "play": Deed(_one_match, _play),
    "last move": Deed(_nearly_over, _last_move, _never_closed),
    "correction": Deed(_one_match, _amend, _half_amended),
    "import": Deed(_one_match, _import, _half_imported),
    "backup": Deed(_with_backup, _backup, _torn_copy),
    "restore": Deed(_another_copy, _restore, _neither, either=True),
    "upgrade": Deed(_of_the_version_before, _open, _older_gone),
    "rescue": Deed(_damaged, _open, _original_gone),
    "clock": Deed(_one_match, _clock),
    "choices": Deed(_chosen, lambda folder, _: _choose(folder, 0.5, "Cleo", 2), _half_chosen),
    "lens": Deed(_calibrated, lambda folder, _: _calibrate(folder, 0.5), _lens_gone),
    "own board": Deed(_board_drawn, lambda folder, _: _draw(folder, 5), _board_torn),
    "stick": Deed(_stick, _onto_stick, _half_on_stick),
}
"""Everything that writes, by name."""
