"""Checks of the computer: what the doctor says, how it starts, heat, memory, a power cut."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from companion.journal.entries import Header, JournalError
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from companion.settings.memory import memory_mb, offered_mb, share_of, still_needed_mb
from companion.support.doctor import examine
from companion.support.doctor.finding import Place
from companion.support.doctor.storage import disk_and_journal
from companion.support.doctor.system import UNITS, asked_systemd
from companion.support.finding import Figure, Finding, Verdict, measured
from companion.support.machine import (
    HOT_C,
    LOW_NOW,
    SLOWED_NOW,
    degrees,
    power_bits,
)
from companion.workshop.fieldtest.record import Mark
from companion.workshop.fieldtest.steps import Kit, Step, Steps, absent, apart
from hardware.supervised_thread import SupervisedThread
from rules.games import find_game
from rules.testing.playout import random_match

MOST_START_S = 20.0
"""Seconds from power to the shelf."""
HEAT_S = 180.0
"""Seconds under full load: a bare Raspberry Pi 4 is hot after two minutes."""
NICENESS = 10
"""Of the load, so that the screen still answers."""
TRIAL = Path("fieldtest-trial", "journal.db")
PAUSE_S = 0.05
"""Seconds between two entries of the trial journal."""


def computer(kit: Kit) -> Steps:
    """Everything that the doctor looks at."""

    def examined(_thread: SupervisedThread) -> list[Finding]:
        return list(examine(kit.state, kit.settings_file, "en", root=kit.root))

    found = (yield from apart(Step("computer"), examined)) or []
    counts = {level: sum(one.level == level for one in found) for level in ("trouble", "hint")}
    figures = (Figure("troubles", counts["trouble"], most=0), Figure("hints", counts["hint"]))
    parts = [
        Finding("doctor_" + re.sub(r"\W+", "_", one.check), one.verdict, one.figures, one.code)
        for one in found
        if one.figures or one.verdict is not Verdict.GOOD
    ]
    return [measured("computer", *figures, code="see_doctor", beyond=Verdict.DOUBTFUL), *parts]


def start(kit: Kit) -> Steps:
    """Seconds that the computer took to start, and to show the table."""

    def asked(_thread: SupervisedThread) -> tuple[str, str]:
        shown = asked_systemd("systemctl", "show", *UNITS, "-p", "ActiveEnterTimestampMonotonic")
        return asked_systemd("systemd-analyze"), shown

    analyzed, units = (yield from apart(Step("start"), asked)) or ("", "")
    figures = [
        Figure(name, _seconds(time), "s")
        for time, name in re.findall(r"((?:[\d.]+(?:min|ms|s) ?)+)\((\w+)\)", analyzed)
    ]
    if times := re.findall(r"=([1-9]\d*)$", units, re.MULTILINE):
        shelf_s = min(map(int, times)) / 1e6
        figures.insert(0, Figure("shelf", round(shelf_s, 1), "s", most=MOST_START_S))
    if not figures:
        return absent("start")
    return [measured("start", *figures, code="slow", beyond=Verdict.DOUBTFUL)]


def heat(kit: Kit) -> Steps:
    """Temperature and clock under full load."""
    first, bits = degrees(kit.root), power_bits(kit.root)
    if first is None and bits is None:
        return absent("heat")
    seen, low = [first or 0], 0
    over = threading.Event()
    threads = [
        SupervisedThread("load", partial(_load, over), once=True)
        for _core in range(os.cpu_count() or 1)
    ]
    try:
        for thread in threads:
            thread.start()
        end, answer = kit.clock() + HEAT_S, None
        while (left_s := end - kit.clock()) > 0 and answer is None:
            seen.append(degrees(kit.root) or 0)
            low |= power_bits(kit.root) or 0
            values = {"degrees": seen[-1], "left": round(left_s)}
            answer = yield Step("heat", values, ("enough",))
    finally:
        over.set()
        for thread in threads:
            thread.close(2)
    figures = (
        Figure("highest", max(seen), "°C", most=HOT_C - 1),
        Figure("before", seen[0], "°C"),
        Figure("slowed", int(bool(low & SLOWED_NOW)), most=0),
        Figure("power_low", int(bool(low & LOW_NOW)), most=0),
        Figure("loaded", round(HEAT_S - max(left_s, 0)), "s"),
    )
    code = "power_low" if low & LOW_NOW else "hot"
    return [measured("heat", *figures, code=code)]


def _load(over: threading.Event) -> None:
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    while not over.is_set():
        # One of the few things that Python computes on all cores at once.
        hashlib.pbkdf2_hmac("sha256", b"heelstone", b"load", 50_000)


def memory(kit: Kit) -> Steps:
    """Memory of the computer, what is free, and the most that this program has taken."""
    total, free = memory_mb(kit.root, "MemTotal"), memory_mb(kit.root)
    if total is None or free is None:
        return absent("memory")
    yield Step("memory")
    needed = still_needed_mb(share_of(offered_mb(kit.root)), root=kit.root)
    figures = [Figure("free", free, "MB", least=needed), Figure("total", total, "MB")]
    if peak := re.search(r"VmHWM:\s*(\d+)", kit.read("proc/self/status")):
        figures.append(Figure("peak", int(peak[1]) >> 10, "MB"))
    return [measured("memory", *figures, code="memory_low")]


def power_cut(kit: Kit) -> Steps:
    """A trial journal is written until the plug is pulled; the next start counts what is left."""
    mark, boot = kit.record.mark(), kit.read("proc/sys/kernel/random/boot_id")
    if mark.confirmed and mark.boot != boot:
        found = yield from apart(Step("after_cut"), lambda _thread: _survived(kit, mark.confirmed))
        return [found or Finding("power_cut", Verdict.BAD, code="mistake")]
    shutil.rmtree((kit.state / TRIAL).parent, ignore_errors=True)
    kit.record.keep_mark(msgspec.structs.replace(mark, boot=boot, confirmed=0))
    writing = SupervisedThread("trial journal", lambda: _write(kit, writing), once=True)
    writing.start()
    _notice_stop(kit, writing)
    try:
        while writing.is_alive():
            values = {"entries": kit.record.mark().confirmed}
            if (yield Step("power_cut", values, ("cannot",))) is not None:
                return [Finding("power_cut", Verdict.SKIPPED)]
        return [Finding("power_cut", Verdict.BAD, code="not_written")]
    finally:
        # Whoever leaves in order pulls no plug.
        writing.close(10)
        shutil.rmtree((kit.state / TRIAL).parent, ignore_errors=True)


def _notice_stop(kit: Kit, writing: SupervisedThread) -> None:
    """Have a stop in order take the mark away: it would look like a power cut."""

    def stop(*_: object) -> None:
        # First the thread: it would keep the mark again.
        writing.close(10)
        kit.record.keep_mark(Mark())
        sys.exit(128 + signal.SIGTERM)

    if threading.current_thread() is threading.main_thread():
        # Stays: that of SDL, which was there before, cannot be put back.
        signal.signal(signal.SIGTERM, stop)


def _write(kit: Kit, thread: SupervisedThread) -> None:
    """Play random moves into the trial journal, and mark each one that the disk has taken."""
    game, count, number = find_game(kit.game), 0, 0
    players = game.players[0]
    with Journal(kit.state / TRIAL) as journal:
        while not thread.closing:
            number += 1
            header = Header(
                id=f"trial-{number}", game=game.id, players=players,
                options=game.complete_options(players, {}), physical=False, seed=str(number),
                names=("",) * players, enforcement="enforce", created_s=0.0,
            )  # fmt: skip
            journal.create(header)
            for _prompt, _legal, move in random_match(game, players, header.options, number):
                journal.append(header.id, MovePlayed(move), src=Source.TOUCH)
                count += 1
                kit.record.keep_mark(msgspec.structs.replace(kit.record.mark(), confirmed=count))
                if thread.rest(PAUSE_S):
                    return


def _survived(kit: Kit, confirmed: int) -> Finding:
    """Count the moves that are left in the trial journal, and look for damage there and in the
    table's own."""
    kept = 0
    try:
        with Journal(kit.state / TRIAL) as journal:
            damaged = journal.salvage is not None
            for summary in journal.matches():
                events = journal.events(summary.header.id)
                kept += sum(isinstance(event.what, MovePlayed) for event in events)
    except JournalError:
        damaged = True
    shutil.rmtree((kit.state / TRIAL).parent, ignore_errors=True)
    own = disk_and_journal(Place("en", kit.root), kit.state)
    damaged = damaged or any(f.check == "journal" and f.verdict is Verdict.BAD for f in own)
    figures = (
        Figure("lost", max(confirmed - kept, 0), most=0),
        Figure("confirmed", confirmed),
        Figure("kept", kept),
        Figure("damaged", int(damaged), most=0),
    )
    return measured("power_cut", *figures, code="journal_damaged")


def _seconds(told: str) -> float:
    """``1min 12.3s`` in seconds."""
    units = {"min": 60.0, "s": 1.0, "ms": 0.001}
    parts: Sequence[tuple[str, str]] = re.findall(r"([\d.]+)(min|ms|s)", told)
    return round(sum(float(number) * units[unit] for number, unit in parts), 2)
