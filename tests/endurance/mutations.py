"""Does ``heelstone check`` find what is wrong with a game?

``python -m tests.endurance.mutations``: faults that authors make are planted into three sound
games, one at a time; each must be found, in a sentence that names it and says what to do. With
``--strangers`` those of ``strangers.toml`` are, in a copy of the tree, and looked for by the
commands that an author has: ``check``, with what hands lay, and ``golden --compare``.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from rules.games import find_game
from rules.testing.conformance import check_game
from tests.support.faulty_games import FAULTS, planted

ROOT = Path(__file__).parents[2]
GAMES = "knizia_stonehenge", "rollende_steine", "opferroulette"
"""One that is open, one of dexterity, one with hidden cards."""
WHOLE = {"an_objection_is_declared_that_never_comes"}
"""What only shows when every setting was tried."""
MATCHES = 4


def missed(fault: str, game_id: str) -> str | None:
    """Why a planted fault was not found in this game; empty: it was; None: it has no such part."""
    with planted(fault, find_game(game_id)) as game:
        if game is None:
            return None
        report = check_game(game, matches=None if fault in WHOLE else MATCHES)
    wanted = FAULTS[fault][1]
    if any(re.search(wanted, problem) for problem in report.problems):
        return ""
    return f"found instead: {report.problems[:2]}" if report.problems else "nothing was found"


def strangers_faults() -> list[dict[str, str]]:
    """All of ``strangers.toml``."""
    text = Path(__file__).with_name("strangers.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["fault"])


def found_by_commands(fault: Mapping[str, str], home: Path) -> str:
    """The command that finds a fault planted in a copy of the tree; empty if none does."""
    file = home / fault["file"]
    sound = file.read_text(encoding="utf-8")
    golden = home / "golden" / fault["game"]
    _command(home, "golden", fault["game"], "--out", str(golden))
    faulty = sound.replace(fault["old"], fault["new"])
    if "also_old" in fault:
        faulty = faulty.replace(fault["also_old"], fault["also_new"])
    file.write_text(faulty, encoding="utf-8")
    try:
        told = _command(home, "check", fault["game"])
        if told.returncode or "hint: " in told.stdout:
            return "check: " + " ".join(told.stdout.split())[:160]
        compared = _command(home, "golden", fault["game"], "--out", str(golden), "--compare")
        return "golden --compare" if compared.returncode else ""
    finally:
        file.write_text(sound, encoding="utf-8")


def _command(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    games = os.pathsep.join(str(folder) for folder in (home / "examples").iterdir())
    command = [sys.executable, "-m", "companion.app.entry", *words, "--lang", "en"]
    return subprocess.run(
        command, cwd=home, check=False,
        env={**os.environ, "PYTHONPATH": str(home), "HEELSTONE_GAMES": games},
        capture_output=True, text=True,
    )  # fmt: skip


def strangers(named: str) -> int:
    """Plant the faults of strangers whose name has ``named`` in it; 1 if any was missed."""
    faults = [fault for fault in strangers_faults() if named in fault["name"]]
    found = 0
    with tempfile.TemporaryDirectory(prefix="heelstone-strangers-") as folder:
        for part in ("rules", "companion", "vision", "hardware", "examples"):
            shutil.copytree(ROOT / part, Path(folder) / part)
        for fault in faults:
            by = found_by_commands(fault, Path(folder))
            found += bool(by)
            print(f"{fault['name']}: {by or 'MISSED'}", flush=True)
    print(f"{found} of {len(faults)} found")
    return int(found < len(faults))


def main(arguments: Sequence[str]) -> int:
    """Plant everything everywhere; 1 if more than one in twenty was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--faults", nargs="+", default=[*FAULTS])
    parser.add_argument("--strangers", nargs="?", const="", metavar="NAME")
    given = parser.parse_args(arguments)
    if given.strangers is not None:
        return strangers(given.strangers)
    found = tried = 0
    for game_id in given.games:
        for fault in given.faults:
            told = missed(fault, game_id)
            if told is None:
                continue
            tried, found = tried + 1, found + (told == "")
            if told:
                print(f"{game_id}: {fault}: {told}", flush=True)
    print(f"{found} of {tried} planted faults found ({len(given.faults)} kinds)")
    return int(found < 0.95 * tried)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
