"""Every door through which something comes in that Heelstone did not write itself.

A target hands bytes to one part: settings, boxes, boards, journals, imports, positions, moves,
pictures, kept files, what devices, computer players and other tables send, and what comes with
games. Only Heelstone's own errors may come out.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from companion.club.eligibility import suits
from companion.club.public_events import Answer as ClubAnswer
from companion.club.public_events import Asks, ToldBegun, ToldEvent, ToldStands
from companion.club.watching import Spectated
from companion.club.wire import Invites, Tells, heard, told_in
from companion.decoding import Unfit, decoded
from companion.journal.entries import Header, JournalError, Together
from companion.journal.events import Source, TakenBack
from companion.journal.fold import Fold
from companion.journal.mark import JournalMark
from companion.journal.store import Journal
from companion.match.remote_match import Misfit, follow
from companion.settings.settings import Settings, SettingsError, load_settings
from companion.setup.covers import Cover, CoverError
from rules import lesson, puzzle
from rules.box import load_box, parse_box
from rules.box.override import BoxOverride, override_text
from rules.core import GameError, Move
from rules.declared import read, toml
from rules.games import find_game, game_ids
from rules.lesson import Lesson, LessonError
from rules.players.engine_protocol import Answer
from rules.puzzle import Puzzle, PuzzleError
from tests.endurance.wires import PAUSE, WIRES, converse, firmware
from tests.support.hostile_letters import HEADER, begun, body, event
from tests.support.table_setup import played


@dataclass(frozen=True)
class Target:
    """A door, and what may come through it."""

    take: Callable[[bytes, Path], None]
    """Gets the bytes and a scratch folder; raises only what is a defect."""
    examples: Callable[[], Sequence[bytes]]
    """Good ones, to begin from."""


def _settings(data: bytes, folder: Path) -> None:
    path = folder / "settings.toml"
    path.write_bytes(data)
    with suppress(SettingsError):
        load_settings(path)


def _box(data: bytes, folder: Path) -> None:
    with suppress(GameError):
        parse_box(data.decode("utf-8", "replace"), "fuzz.toml")


def _import(data: bytes, folder: Path) -> None:
    with Journal(":memory:") as journal, suppress(JournalError, UnicodeError):
        # The command refuses what is no UTF-8 before it gets here.
        journal.import_match(data.decode("utf-8"), "fuzz")


def _journal(data: bytes, folder: Path) -> None:
    _clear(folder)
    path = folder / "journal.db"
    path.write_bytes(data)
    with suppress(JournalError), Journal(path) as journal:
        for summary in journal.matches():
            with suppress(JournalError):
                journal.load(summary.header.id)


def _move(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    with suppress(GameError):
        move = Move.parse(text)
        for game in _games():
            with suppress(GameError):
                _setup(game).violations(move)


def _position(data: bytes, folder: Path) -> None:
    """Positions are only taken from files by a command; it is the door."""
    from companion.app.cli import main as heelstone

    path = folder / "position.json"
    path.write_bytes(data)
    for game in game_ids():
        code = _quietly(heelstone, ["why", game, "--state", str(path), "p0 done"])
        if code not in (0, 2):
            raise AssertionError(f"'why {game}' ended with {code}")


def _picture(data: bytes, folder: Path) -> None:
    from vision.camera.sources import FolderSource, SourceError

    for ending in (".png", ".jpg"):
        (folder / f"picture{ending}").write_bytes(data)
    with suppress(SourceError):
        source = FolderSource(folder)
        for _ in range(3):
            with suppress(SourceError):
                source.read(timeout=0.1)
        source.close()


def _kept(name: str, read: Callable[[Path], object]) -> Callable[[bytes, Path], None]:
    """A file of the state folder; whatever is in it, play goes on, and the file is not lost."""

    def take(data: bytes, folder: Path) -> None:
        _clear(folder)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        read(folder)

    return take


def _clear(folder: Path) -> None:
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()


def _people(folder: Path) -> None:
    from companion.settings.people import People

    people = People(folder)
    people.last(game_ids()[0], ())
    _ = people.recent, people.everybody


def _preferences(folder: Path) -> None:
    from companion.settings.preferences import PreferencesFile

    PreferencesFile(folder, Settings(), "de")


def _checked(folder: Path) -> None:
    from companion.setup.table_check import CheckFile

    CheckFile(folder)()


def _lens(folder: Path) -> None:
    from companion.camera.lenses import Lenses

    Lenses(folder).load("c", (1920, 1080))


def _lamps(folder: Path) -> None:
    from companion.outputs.lamp_sites import LampSites

    dict(LampSites(folder / "lamps", {}))


def _courses(folder: Path) -> None:
    from companion.match.looking_back.standings import CourseError, Courses

    with suppress(CourseError):
        Courses(folder).current()


def _shelf(folder: Path) -> None:
    from companion.setup.shelf import Fronts

    Fronts(folder).games()


def _mark(folder: Path) -> None:
    JournalMark(folder / "journal.db").read()
    with suppress(JournalError), Journal(folder / "journal.db") as journal:
        journal.matches()


def _moments(folder: Path) -> None:
    from companion.support.captures import Moments

    Moments(folder).all()


def _own_boards(folder: Path) -> None:
    from companion.boards.store import OwnBoards

    own = OwnBoards(folder)
    for game in own.games():
        game_setup = find_game(game)
        game_setup.setup(game_setup.players[0], _options(game_setup), True)
    own.box("knizia_stonehenge")


def _backup(folder: Path) -> None:
    from companion.journal.backup import restore

    with suppress(JournalError):
        restore(folder / "copy.db", folder / "journal.db")


def _board_picture(data: bytes, folder: Path) -> None:
    from companion.boards.picture import BoardPictureError, read_picture

    (folder / "board.jpg").write_bytes(data)
    with suppress(BoardPictureError):
        read_picture(folder / "board.jpg")


def _bare_names(data: bytes, folder: Path) -> None:
    from companion.words.bare_names import unknown_names

    named = data.decode("utf-8", "replace").split(",")
    unknown_names(named, folder / "settings.toml")


def _complaint(data: bytes, folder: Path) -> None:
    """Whatever an error says, it is one line of letters that a terminal only shows."""
    from companion.app.commands import shown
    from companion.words.errors import notice

    wrong = notice("option_pair", text=data.decode("utf-8", "replace"))
    told = shown(wrong.told("de"))
    if not told.isprintable():
        raise AssertionError(f"a terminal would obey {told!r}")


def _wire(name: str) -> Callable[[bytes, Path], None]:
    return lambda data, folder: converse(name, data)


def _club_letter(data: bytes, folder: Path) -> None:
    """The traffic between a table, its club and the hall."""
    for kind in (ToldStands, Asks, ClubAnswer):
        with suppress(Unfit):
            decoded(data, kind)
    seen = Spectated("m1", HEADER)
    with suppress(Unfit, JournalError, GameError):
        seen = Spectated("m1", msgspec.to_builtins(decoded(data, ToldBegun).header))
    with suppress(Unfit, JournalError, GameError):
        event = decoded(data, ToldEvent)
        seen.take(event.seq, event.type, event.body)
    with suppress(JournalError, GameError):
        seen.snapshot()


_ENDS = [
    body("end", reason="points", ranking=[[0], [1]], scores=[3, 2]), body("takeback", count=1),
    body("clock", left=[60_000, 59_000], turn=1), b'{"v": 1, "status": "finished"}',
    b'{"v": 1, "number": 1, "matches": ["0123456789abcdef01234567"]}',
    b'{"v": 1, "number": 1, "stored": {"0123456789abcdef01234567": [1, "open"]}}',
]  # fmt: skip
_SETTINGS = b"""lang = "de"
[manners]
commit_s = 0.8
commit = "button"
[camera]
source = "/dev/video0"
width = 1920
[rig.lamps]
kind = "adalight"
port = "/dev/ttyUSB0"
count = 24
[rig.buttons]
commit = 17
undo = "exit"
[lamp_sites.knizia_stonehenge]
A = 0
"""


@cache
def _games() -> tuple[Any, ...]:
    return tuple(find_game(name) for name in game_ids())


def _options(game: Any) -> Any:
    return game.complete_options(game.players[0], {})


def _lesson(data: bytes, folder: Path) -> None:
    with suppress(GameError), toml(data.decode("utf-8", "replace"), "x.toml", LessonError) as found:
        lesson.begin(read(Lesson, found, game="knizia_stonehenge"))


def _puzzle(data: bytes, folder: Path) -> None:
    with suppress(GameError), toml(data.decode("utf-8", "replace"), "x.toml", PuzzleError) as found:
        puzzle.begin(read(Puzzle, found, game="knizia_stonehenge", number=1))


def _cover(data: bytes, folder: Path) -> None:
    with suppress(CoverError), toml(data.decode("utf-8", "replace"), "x.toml", CoverError) as found:
        read(Cover, found)


def _answer(data: bytes, folder: Path) -> None:
    with suppress(GameError, Unfit):
        Answer.from_json(decoded(data, dict[str, Any]))


def _phone(data: bytes, folder: Path) -> None:
    """Answers to every request of a phone, in each language."""
    from companion.web.move_requests import Asked, judge

    with suppress(Unfit):
        asked = decoded(data, Asked)
        for lang in ("de", "en"):
            status = judge(asked, 0, _dealt(), lang).status
            if status not in (202, 409, 422):
                raise AssertionError(f"a phone is answered {status}")


@cache
def _dealt() -> Any:
    """A match whose stones the program hides."""
    from tests.support.phone_pictures import table_of, taken

    return taken(table_of("knizia_stonehenge", options={"hidden": "on"}))


def _other_table(data: bytes, folder: Path) -> None:
    said = heard(data)
    if isinstance(said, Invites) and said.sound:
        with suppress(GameError):
            suits(said.plan)
    if isinstance(said, Tells) and (told := told_in(said)) is not None:
        here = Together("ab" * 12, "south", (0,), hosting=True)
        with suppress(Misfit):
            follow(Fold(replace(_header(), physical=True, together=here)), told, (0,), granted=0)


def _setup(game: Any) -> Any:
    return game.setup(game.players[0], _options(game), True)


def _box_file(name: str) -> bytes:
    return (files("rules") / "boxes" / f"{name}.toml").read_bytes()


def _header(match_id: str = "f1") -> Header:
    game = find_game("knizia_stonehenge")
    return Header(
        id=match_id, game=game.id, players=2, options=game.complete_options(2, {}),
        physical=False, seed="1", names=("", ""), enforcement="enforce", created_s=0.0,
    )  # fmt: skip


def _fill(journal: Journal) -> None:
    journal.create(_header())
    for move in ("p0 place 2 C", "p0 done", "p1 place 5 A", "p1 done"):
        journal.append("f1", played(move), src=Source.TOUCH)
    journal.append("f1", TakenBack(1), src=Source.TOUCH)


@cache
def _of_the_game(folder: str) -> bytes:
    return (files("rules") / folder / "knizia_stonehenge.toml").read_bytes()


@cache
def _override() -> bytes:
    box = load_box("knizia_stonehenge")
    corners = {corner.id: corner.at for corner in box.corners}
    return override_text(BoxOverride(box.id, box.size, corners)).encode()


def _dolmen_board() -> bytes:
    return (files("rules.games.dolmengoetter") / "r28.toml").read_bytes()


@cache
def _export() -> bytes:
    with Journal(":memory:") as journal:
        _fill(journal)
        return "\n".join(journal.export("f1")).encode()


@cache
def _database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        with Journal(path) as journal:
            _fill(journal)
        return path.read_bytes()


@cache
def _state(name: str) -> bytes:
    game = find_game(name)
    return json.dumps(_setup(game).to_json()).encode()


@cache
def _png() -> bytes:
    return _picture_file(".png")


@cache
def _jpeg() -> bytes:
    return _picture_file(".jpg")


def _picture_file(ending: str) -> bytes:
    import cv2
    import numpy as np

    shades = np.arange(48 * 64 * 3, dtype=np.uint32).reshape(48, 64, 3) % 251
    _, coded = cv2.imencode(ending, shades.astype(np.uint8))
    return coded.tobytes()


TARGETS: dict[str, Target] = {
    "settings": Target(_settings, lambda: [_SETTINGS]),
    "box": Target(_box, lambda: [_box_file("knizia_stonehenge"), _box_file("dolmengoetter")]),
    "import": Target(_import, lambda: [_export()]),
    "journal": Target(_journal, lambda: [_database()]),
    "move": Target(_move, lambda: [b"p0 place 2 C", b"p1 done", b"d deal 3", b"t fall A B 2"]),
    "position": Target(_position, lambda: [_state(name) for name in game_ids()]),
    "picture": Target(_picture, lambda: [_png(), _jpeg()]),
    "board picture": Target(_board_picture, lambda: [_png(), _jpeg()]),
    "bare names": Target(_bare_names, lambda: [b"stone,megalith", b"*,auto"]),
    "complaint": Target(
        _complaint, lambda: [b"x, line 3: expected a JSON object", b"a: b: there is no game 'c'"]
    ),
    "people": Target(
        _kept("people.json", _people), lambda: [b'{"version": 1, "names": ["Ada"], "setups": []}']
    ),
    "preferences": Target(
        _kept("preferences.json", _preferences),
        lambda: [b'{"lang": "en", "theme": "night", "volume": 0.5, "speech": "full"}'],
    ),
    "table check": Target(
        _kept("table_check.json", _checked),
        lambda: [b'{"when_s": 1.5, "findings": [{"step": "camera", "verdict": "good"}]}'],
    ),
    "lens": Target(
        _kept("lens/c.json", _lens),
        lambda: [
            b'{"version": 1, "camera": "c", "lenses": [{"size": [1920, 1080], "focal": 1500.0, '
            b'"radial": 0.1, "offset": [0.0, 1.0], "higher": [0.0, 0.0], "error_px": 0.3, '
            b'"views": 12}]}'
        ],
    ),
    "lamp sites": Target(
        _kept("lamps/knizia_stonehenge.json", _lamps),
        lambda: [b'{"box": "knizia_stonehenge", "lamps": {"A": 0, "B": [1, 2]}}'],
    ),
    "courses": Target(
        _kept("courses.json", _courses), lambda: [b'[{"name": "a", "notes": "", "picture": ""}]']
    ),
    "shelf": Target(_kept("shelf.json", _shelf), lambda: [b'{"stamp": "x", "fronts": {}}']),
    "mark": Target(_kept("journal.mark", _mark), lambda: [b"m1 12".ljust(63) + b"\n"]),
    "moments": Target(
        _kept("20261121-060000.json", _moments), lambda: [b'{"number": 3, "state": "illegal"}']
    ),
    "own box": Target(_kept("boxes/knizia_stonehenge.toml", _own_boards), lambda: [_override()]),
    "own board": Target(_kept("boards/mine.toml", _own_boards), lambda: [_dolmen_board()]),
    "copy": Target(_kept("copy.db", _backup), lambda: [_database()]),
    **{
        name: Target(_wire(name), lambda good=good: list(good))  # type: ignore[misc]
        for name, (_, _, good) in WIRES.items()
    },
    "lesson": Target(_lesson, lambda: [_of_the_game("lessons")]),
    "puzzle": Target(_puzzle, lambda: [_of_the_game("puzzles").split(b"[[puzzles]]")[1]]),
    "cover": Target(_cover, lambda: [_of_the_game("covers")]),
    "computer player": Target(
        _answer,
        lambda: [
            b'{"id": "7", "error": "x"}',
            b'{"id": "7", "move": "p0 place 2 C", "why": {"code": "only_move", "params": {"n": 1}},'
            b' "chance": 0.5, "second": null, "line": ["p0 done"], "playouts": 9,'
            b' "thoughts": [["p0 place 2 C", 0.5, 3]]}',
        ],
    ),
    "phone": Target(
        _phone,
        lambda: [
            b'{"match":"m","since":0,"moves":["p0 place 3 L","p0 claim H4","p0 done"]}',
            b'{"match":"m","since":0,"moves":[],"take_back":true,"tip":false}',
        ],
    ),
    "other table": Target(
        _other_table,
        lambda: [
            b'{"what":"tells","match":"abababababababababababab","wish":0,"told":[["move",'
            b'{"move":"p1 place 2 C","forced":true}],["takeback",{"count":1}],'
            b'["amended",{"ply":1,"moves":1}]]}',
            b'{"what":"invites","match":"abababababababababababab","game":"knizia_stonehenge",'
            b'"players":2,"options":{},"names":["A"],"enforcement":"off","seats":[1],"rules":"x"}',
            b'{"what":"here","busy":true}',
        ],
    ),
    "club letter": Target(_club_letter, lambda: [begun(), event(), *_ENDS]),
    "firmware": Target(
        lambda data, folder: firmware(data),
        lambda: [b"$01,V*2B4A\n" + PAUSE + b"$02,S,lcd,16,2,8,500*0000\n", b"$03,T,0,4142*1234\n"],
    ),
}
"""Every door by name."""


def _quietly(command: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """Run a command and forget what it says."""
    import io
    from contextlib import redirect_stderr, redirect_stdout

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return command(arguments)
