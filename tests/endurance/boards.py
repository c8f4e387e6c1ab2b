"""A match on every size of board: ``python -m tests.endurance.boards``.

The program itself, with its window, a Pi camera and a computer player, plays below a limit that the
kernel keeps (``tests.support.memory_group``): what it takes beyond is the end of it. The table and
the hands, and the pictures of both, are in this process and outside of the limit. Counted is what
could not be given back: pictures, the camera's buffers, words, screens, the players' process. The
stand-in's buffers are the program's here; on a Pi they are the kernel's, and come from the same
memory.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.core import Layout
from rules.games import find_game
from tests.support.memory_group import MemoryGroup, memory_group

LIMITS_MB = {512: 400, 1024: 800, 2048: 1600, 4096: 3200}
"""Memory that each board leaves to the program."""
MODULE_3 = (4608, 2592)
"""Sensor of the stand-in, px."""
DRAWN = (1536, 864)
"""Pictures of the virtual table are drawn so large, and enlarged, px."""
SAMPLE_S = 0.02
HAND_S = 0.5
PATIENCE_S = 900.0


@dataclass
class Played:
    """The figures of a match."""

    limit_mb: int
    told: dict[str, Any]
    """By the program: moves, frames, pictures; empty if it was ended."""
    peak_mb: float
    killed: int
    log: str


class World:
    """A table with hands; its newest picture is in a file that the program maps."""

    def __init__(self, game: str, file: Path) -> None:
        self.table = VirtualTable(load_box(find_game(game).box).for_game(game), seed=3)
        self.camera = Camera.over(self.table.box, *DRAWN, seed=3)
        self._file = file
        self._picture: Any = None

    def serve(self, line: Connection) -> None:
        """Do what comes until the line ends: a size begins the pictures, a layout is laid."""
        try:
            while True:
                said = line.recv()
                if isinstance(said, tuple) and said and isinstance(said[0], int):
                    self._file.write_bytes(b"")
                    shape = (said[1], said[0], 3)
                    self._picture = np.memmap(self._file, np.uint8, "w+", shape=shape)
                    self._show()
                else:
                    self._lay(said)
                line.send(True)
        except EOFError:
            return

    def _lay(self, layout: Layout) -> None:
        self.table.hand = self.table.reaching(0.0, 0.0)
        self._show()
        time.sleep(HAND_S)
        hand = self.table.hand
        self.table.set_layout(layout)
        self.table.hand = hand
        self._show()
        time.sleep(HAND_S)
        self.table.hand = None
        self._show()

    def _show(self) -> None:
        height, width = self._picture.shape[:2]
        cv2.resize(self.camera.render(self.table), (width, height), self._picture)


def play(
    limit_mb: int, moves: int, game: str = "knizia_stonehenge", core: bool = False,
    settings: str = "", seconds: float = 1.5,
) -> Played:  # fmt: skip
    """A match below a limit; ``core``: on one core. Raises OSError where no limit can be set."""
    with tempfile.TemporaryDirectory() as scratch, memory_group(limit_mb) as group:
        file, log = Path(scratch) / "picture", Path(scratch) / "log.txt"
        ours, theirs = Pipe()
        command = [
            sys.executable, "-m", "tests.support.board_player", scratch, str(theirs.fileno()),
            game, str(moves), str(seconds), settings,
        ]  # fmt: skip

        def begin() -> None:
            group.enter()
            if core:
                os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

        with log.open("wb") as words:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=words, preexec_fn=begin,
                pass_fds=[theirs.fileno()],
            )  # fmt: skip
        theirs.close()
        threading.Thread(target=World(game, file).serve, args=(ours,), daemon=True).start()
        peak = _watched(process, group)
        assert process.stdout is not None
        told = process.stdout.read().decode()
        process.stdout.close()
        figures = json.loads(told.splitlines()[-1]) if process.returncode == 0 else {}
        return Played(limit_mb, figures, peak / 2**20, group.killed(), log.read_text()[-2000:])


def _watched(process: subprocess.Popen[bytes], group: MemoryGroup) -> int:
    """The most that the group held until the process ended, bytes."""
    peak, end_s = 0, time.monotonic() + PATIENCE_S
    while process.poll() is None:
        peak = max(peak, group.held())
        if time.monotonic() > end_s:
            process.kill()
        time.sleep(SAMPLE_S)
    return peak


def main(arguments: Sequence[str] | None = None) -> int:
    """Play on every board, and print the figures; 1 if a program was ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", type=int, choices=LIMITS_MB, action="append", help="MB; all")
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--game", default="knizia_stonehenge")
    parser.add_argument("--core", action="store_true", help="on one core")
    parser.add_argument("--settings", default="", help="more lines of settings.toml")
    parser.add_argument("--seconds", type=float, default=1.5, help="of the computer's thoughts")
    given = parser.parse_args(arguments)
    ended = 0
    for board in given.board or LIMITS_MB:
        played = play(
            LIMITS_MB[board], given.moves, given.game, given.core, given.settings, given.seconds
        )
        ended += not played.told
        print(board, json.dumps(played.told), f"peak {played.peak_mb:.0f} of", end=" ")
        print(f"{played.limit_mb} MB, killed {played.killed}", flush=True)
        if not played.told:
            print(played.log)
    return min(ended, 1)


if __name__ == "__main__":
    sys.exit(main())
