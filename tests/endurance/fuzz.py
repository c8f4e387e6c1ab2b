"""Rubbish at every door: ``python -m tests.endurance.fuzz [--seconds N] [TARGET…]``.

Each target hands bytes to one part that reads what Heelstone did not write: settings, boxes,
journals, imports, positions, moves, pictures, kept files. Only Heelstone's own errors may come
out. With the package atheris the bytes are guided by coverage; without it they are valid examples
with random damage, which is also what the test run uses.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from companion.journal import Header, Journal, JournalError
from companion.settings import SettingsError, load_settings
from rules.box import parse_box
from rules.core import GameError, Move
from rules.games import find_game, game_ids

__all__ = ["TARGETS", "Target", "damaged", "main"]


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
    for old in folder.iterdir():
        old.unlink()
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
                game.check(_setup(game), move)


def _position(data: bytes, folder: Path) -> None:
    """Positions are only taken from files by a command; it is the door."""
    from companion.cli import main as heelstone

    path = folder / "position.json"
    path.write_bytes(data)
    for game in game_ids():
        code = _quietly(heelstone, ["why", game, "--state", str(path), "p0 done"])
        if code not in (0, 2):
            raise AssertionError(f"'why {game}' ended with {code}")


def _picture(data: bytes, folder: Path) -> None:
    from vision.sources import FolderSource, SourceError

    for ending in (".png", ".jpg"):
        (folder / f"picture{ending}").write_bytes(data)
    with suppress(SourceError):
        source = FolderSource(folder)
        for _ in range(3):
            with suppress(SourceError):
                source.read(timeout=0.1)
        source.close()


def _people(data: bytes, folder: Path) -> None:
    from companion.people import People

    (folder / "people.json").write_bytes(data)
    people = People(folder)
    people.last(game_ids()[0], ())


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


def damaged(example: bytes, chance: random.Random) -> bytes:
    """The example with a few random changes."""
    data = bytearray(example)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        place = chance.randrange(len(data) + 1)
        length = min(chance.choice((1, 2, 8, 64)), len(data) - place)
        match chance.randrange(6):
            case 0:
                del data[place : place + length]
            case 1:
                data[place:place] = chance.randbytes(chance.choice((1, 4, 40)))
            case 2:
                data[place : place + length] = chance.randbytes(length)
            case 3:
                data[place:place] = data[place : place + length]
            case 4:
                data[place:place] = chance.choice(_NASTY)
            case 5:
                # Another number where one stood.
                digits = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
                if digits:
                    data[chance.choice(digits)] = chance.randrange(48, 58)
    return bytes(data)


_NASTY = (
    b"\x00", b"\xff\xfe", b"-1", b"1e999", b"nan", b"99999999999999999999", b"null", b"[]", b"{}",
    b'""', b"true", b"[" * 500, b"\xc3\x28", "ß¼☃".encode(), b"../../x", b"\r\n", b"%s{0}",
)  # fmt: skip


@cache
def _games() -> tuple[Any, ...]:
    return tuple(find_game(name) for name in game_ids())


def _options(game: Any) -> Any:
    return game.complete_options(game.players[0], {})


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
        journal.append("f1", "move", {"move": move}, "touch")
    journal.append("f1", "takeback", {"count": 1}, "touch")


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
    "people": Target(_people, lambda: [b'{"version": 1, "names": ["Ada"], "setups": []}']),
}
"""Every door by name."""


def _quietly(command: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """Run a command and forget what it says."""
    import io
    from contextlib import redirect_stderr, redirect_stdout

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return command(arguments)


def _damage_for(name: str, seconds: float, seed: int) -> int:
    """Random damage for so long; gives how many inputs were tried."""
    target, chance, tried = TARGETS[name], random.Random(seed), 0
    examples = target.examples()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            data = damaged(chance.choice(examples), chance)
            try:
                target.take(data, Path(folder))
            except BaseException:
                print(f"{name}: {data!r}", file=sys.stderr)
                raise
            tried += 1
    return tried


def _guided(name: str, seconds: int) -> None:
    """Fuzz one target with atheris; does not return."""
    import atheris

    target = TARGETS[name]
    atheris.instrument_all()
    folder = Path(tempfile.mkdtemp())
    corpus = Path(tempfile.mkdtemp())
    for number, example in enumerate(target.examples()):
        (corpus / str(number)).write_bytes(example)
    options = [f"-max_total_time={seconds}", "-rss_limit_mb=2048", "-verbosity=0", "-max_len=65536"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], lambda data: target.take(data, folder))
    atheris.Fuzz()


def main() -> int:
    """Fuzz the targets named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS])
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--guided", action="store_true", help="one target, by coverage")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    names = given.targets or list(TARGETS)
    if given.guided:
        _guided(names[0], given.seconds)
    for name in names:
        tried = _damage_for(name, given.seconds, given.seed)
        print(f"{name}: {tried} inputs, only errors of our own")
    return 0


if __name__ == "__main__":
    sys.exit(main())
