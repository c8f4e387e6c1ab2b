"""Short versions of what `make soak` and `make fuzz` do at length."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.endurance.boards import LIMITS_MB, play
from tests.endurance.cuts import run_shimmed
from tests.endurance.deeds import DEEDS
from tests.endurance.doors import TARGETS
from tests.endurance.fuzz import damaged
from tests.endurance.mutations import ROOT, strangers_faults
from tests.endurance.planted import stale
from tests.endurance.power import kill_often, tear_often
from tests.endurance.soak import soak
from tests.support.memory_group import limits_possible
from tests.support.needed import needs

TRIES = {"position": 6, "journal": 25, "picture": 25}
"""The slow doors; the others take 120. The quick run tries a quarter."""


def test_killed_at_any_moment_nothing_that_was_heard_is_lost_and_damage_is_never_believed(
    tmp_path: Path, thorough: bool
) -> None:
    often, places = (5, 60) if thorough else (2, 30)
    kills = kill_often(often, tmp_path)
    assert (kills.kills, kills.lost, kills.salvages) == (often, [], [])
    assert kills.heard > (20 if thorough else 5)
    tears = tear_often(places, tmp_path)
    assert tears.places == places
    assert tears.refused == []
    assert tears.invented == []
    assert tears.lost_without_a_word == []
    assert tears.outcomes["set aside"] > places / 6


@pytest.mark.thorough
@pytest.mark.parametrize("board", [512, 1024, 2048, 4096])
@pytest.mark.skipif(not limits_possible(), reason="no limit of memory can be set here")
def test_a_match_with_camera_and_computer_stays_below_what_a_board_has(board: int) -> None:
    moves = 8
    played = play(LIMITS_MB[board], moves, core=board == 512)
    assert played.told and not played.killed, played.log
    assert played.told["ply"] >= moves and played.told["entered"] == 0
    assert played.told["picture"] == ("2304 × 1296" if board == 512 else "4608 × 2592")
    # The rest is for libraries, which are read again and again where there is no room for them.
    assert played.peak_mb < LIMITS_MB[board] * 0.75


needs_compiler = needs("cc")


@needs_compiler
def test_cut_short_at_any_change_every_deed_keeps_its_promises(thorough: bool) -> None:
    """Journal, copies, clock, choices, lenses, boards, sticks: see ``DEEDS``."""
    done = run_shimmed(["--every", "13" if thorough else "83"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" 0 promises broken") == len(DEEDS)


@needs_compiler
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("mistake", "deed", "every"), [("no sync", "first start", "8"), ("told first", "play", "6")]
)
def test_a_mistake_in_the_order_of_things_is_found_out(mistake: str, deed: str, every: str) -> None:
    """A test of the test: not waiting for the disk, and telling before it was asked."""
    done = run_shimmed(["--plant", mistake, "--every", every, deed])
    assert done.returncode == 1
    assert "promises broken" in done.stdout and " 0 promises broken" not in done.stdout


@pytest.mark.thorough
def test_playing_on_with_every_output_leaves_no_thread_and_no_file_behind(tmp_path: Path) -> None:
    found = soak(60, 90, tmp_path, samples=3, longest=45)
    assert found.matches >= 2
    assert found.wrong == []
    assert max(found.threads) <= found.threads[0] + 2
    assert max(found.files) <= found.files[0] + 2
    assert max(found.waiting) < 20


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.filterwarnings("ignore")
def test_rubbish_brings_out_only_errors_of_our_own(
    name: str, tmp_path: Path, thorough: bool
) -> None:
    target, chance = TARGETS[name], random.Random(name)
    tries = TRIES.get(name, 120)
    for number in range(tries if thorough else tries // 4):
        folder = tmp_path / str(number)
        folder.mkdir()
        target.take(damaged(chance.choice(target.examples()), chance), folder)


@pytest.mark.parametrize("name", TARGETS)
def test_nesting_without_end_is_an_error_of_our_own_too(name: str, tmp_path: Path) -> None:
    for number, deep in enumerate((b"[", b'{"a":', b"a = [", b'{"version": 1, "x": [')):
        folder = tmp_path / str(number)
        folder.mkdir()
        last = deep[-1:] if deep.endswith(b"[") else deep
        TARGETS[name].take(deep + last * 60_000, folder)


@pytest.mark.parametrize("name", TARGETS)
def test_the_examples_themselves_are_good(name: str, tmp_path: Path) -> None:
    """A door that refuses even what is right would be tested for nothing."""
    for example in TARGETS[name].examples():
        TARGETS[name].take(example, tmp_path)


def test_every_mistake_of_the_mutation_tests_can_still_be_planted() -> None:
    assert list(stale()) == []
    # Nor is any of the faults that strangers make out of date.
    for fault in strangers_faults():
        text = (ROOT / fault["file"]).read_text(encoding="utf-8")
        assert all(text.count(fault[key]) == 1 for key in ("old", "also_old") if key in fault)
