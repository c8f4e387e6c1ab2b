"""Rubbish at every door: ``python -m tests.endurance.fuzz [--seconds N] [TARGET…]``.

With ``--guided`` and the package atheris the bytes are guided by coverage; without it they are
valid examples with random damage, which is also what the test run uses. The doors are in
``tests.endurance.doors``.
"""

from __future__ import annotations

import argparse
import gc
import logging
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FunctionType

from tests.endurance.doors import TARGETS

GUIDING = {"companion", "hardware", "json", "rules", "tomllib", "vision"}
"""Packages whose branches guide the fuzzing."""


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
    folder = Path(tempfile.mkdtemp())
    corpus = Path(tempfile.mkdtemp())
    for number, example in enumerate(target.examples()):
        (corpus / str(number)).write_bytes(example)
        # What is only loaded on the way is to be guided by, too.
        target.take(example, folder)
    for function in [one for one in gc.get_objects() if isinstance(one, FunctionType)]:
        # The rest of Python is not what is looked for, and takes half a minute.
        if str(function.__module__).partition(".")[0] in GUIDING:
            atheris.instrument_func(function)
    options = [f"-max_total_time={seconds}", "-rss_limit_mb=2048", "-max_len=65536"]
    options += ["-print_final_stats=1", f"-artifact_prefix={corpus}/"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], lambda data: target.take(data, folder))
    atheris.Fuzz()


def _guide(name: str, seconds: int) -> int | None:
    """Fuzz one target in a program of its own; gives how many inputs were tried, None if one of
    them brought something else out."""
    command = [sys.executable, "-m", "tests.endurance.fuzz", name, "--alone"]
    done = subprocess.run(
        [*command, "--seconds", str(seconds)], capture_output=True, check=False
    )  # fmt: skip
    said = done.stderr.decode(errors="replace")
    tried = re.search(r"number_of_executed_units: (\d+)", said)
    if done.returncode or tried is None:
        print(said[-6000:], file=sys.stderr)
        return None
    return int(tried[1])


def main() -> int:
    """Fuzz the targets named, or all; 1 if one of them let something else out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS])
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--guided", action="store_true", help="by coverage, with atheris")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    names, bad = given.targets or list(TARGETS), 0
    if given.alone:
        _guided(names[0], given.seconds)
    for name in names:
        if given.guided:
            tried, how = _guide(name, given.seconds), "guided by coverage"
        else:
            tried, how = _damage_for(name, given.seconds, given.seed), "damaged at random"
        bad += tried is None
        told = "SOMETHING ELSE CAME OUT" if tried is None else "only errors of our own"
        print(f"{name}: {tried} inputs {how}, {told}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
