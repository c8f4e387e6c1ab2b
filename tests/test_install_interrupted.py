"""The installer is ended at the worst moment, and kept off what the table's own user put there.

``python -m tests.endurance.interruptions`` does the first of both at every command.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.endurance.interruptions import CALLS, WATCHED, Room, wrong_after

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Room]:
    """Rooms as they were made, by what was done in them; copying one is quicker."""

    class Made(dict[str, Room]):
        def __missing__(self, call: str) -> Room:
            self[call] = Room(tmp_path_factory.mktemp("room") / "first", call)
            return self[call]

    return Made()


def ended_before(room: Room, command: str, signal: str) -> subprocess.CompletedProcess[str]:
    """Run the installer until it is about to do what matches ``command``."""
    hook = room.folder / "cut.bash"
    here = f"case $BASH_COMMAND in {command}) cut_now=$CUT_AT ;; *) cut_now=0 ;; esac"
    hook.write_text(hook.read_text().replace("cut_now=$((cut_now + 1))", here))
    done = room.install(*CALLS[room.call], cut_at=1, with_signal=signal)
    assert (room.box / "cut").exists(), "it never came to that"
    return done


@pytest.mark.parametrize(
    ("call", "command", "signal"),
    [
        ("upgrade", "'copy=$(copy_journal'*", "INT"),
        # Whoever is ended there once told nobody.
        ("upgrade", """'[ -n "$able" ]'""", "INT"),
        ("upgrade", "'install_root_units '*", "KILL"),
        ("to a screen", "'start_units'", "INT"),
        ("back", "'point_to \"$back\"'", "TERM"),
    ],
)
def test_a_table_runs_as_before_whatever_ends_the_installer(
    call: str, command: str, signal: str, made: dict[str, Room], tmp_path: Path
) -> None:
    room = Room(tmp_path / "room", call, made["back" if call == "back" else "upgrade"])
    done = ended_before(room, command, signal)
    assert done.returncode != 0
    assert wrong_after(room, done, signal, again=False) == ""


@pytest.mark.parametrize("call", ["a version that dies", "a screen that fails"])
def test_what_fails_brings_back_version_units_journal_and_the_desktops_choice(
    call: str, made: dict[str, Room], tmp_path: Path
) -> None:
    """The new version has written the journal anew by then, which the old one cannot read."""
    room = Room(tmp_path / "room", call, made["upgrade"])
    done = room.install(*CALLS[call])
    assert (done.returncode, "is in use again" in done.stderr) == (1, True)
    assert wrong_after(room, done, "a failure", again=False) == ""
    if call == "a version that dies":
        kept = {path.read_text() for path in room.state.glob("journal-before-*.db")}
        assert kept == {"1\na match\n", "2\na match\n"}


def test_root_follows_no_link_that_the_tables_own_user_laid(
    made: dict[str, Room], tmp_path: Path
) -> None:
    room = Room(tmp_path / "room", "upgrade", made["upgrade"])
    told = room.box / "by-root"
    programs = room.folder / "programs"
    (programs / "kept").mkdir()
    for name in WATCHED:
        really = Path("/usr/bin") / name
        if (programs / name).is_symlink():
            really = programs / "kept" / name
            really.symlink_to("../stand-in")
            (programs / name).unlink()
        (programs / name).write_text(
            f'#!/bin/sh\nif [ -z "$TABLES_OWN" ]; then echo {name} "$@" >>{told}; fi\n'
            f'exec {really} "$@"\n'
        )
        (programs / name).chmod(0o755)
    secret = tmp_path / "secret"
    secret.write_text("1\nroot's\n")
    (room.state / "trial").symlink_to(tmp_path)
    (room.state / "before-upgrade").rename(tmp_path / "before")
    (room.state / "before-upgrade").symlink_to(tmp_path)
    assert room.install().returncode == 0
    own = re.compile(rf"{re.escape(str(room.state))}(/| |$)")
    touched = [line for line in told.read_text().splitlines() if own.search(line)]
    # The folder itself is made, and what root left in it given back.
    assert len(touched) == 2
    assert touched[0].startswith("install -d -m 700")
    assert touched[1].startswith(f"find -P {room.state} -xdev") and "-execdir" in touched[1]
    assert secret.read_text() == "1\nroot's\n"


def test_what_root_left_is_given_back_and_what_is_a_link_is_not(tmp_path: Path) -> None:
    state, outside = tmp_path / "state", tmp_path / "outside"
    (state / "folder").mkdir(parents=True)
    outside.mkdir()
    for place in (state / "folder/left", outside / "secret"):
        place.touch()
    (state / "linked").symlink_to(outside)
    (state / "second name").hardlink_to(outside / "secret")
    chown = tmp_path / "chown"
    chown.write_text(f'#!/bin/sh\nshift 2\nfor f; do realpath "$f" >>{tmp_path}/given; done\n')
    chown.chmod(0o755)
    function = re.search(r"^give_back\(\) \{.*?^\}", (ROOT / "install.sh").read_text(), re.M | re.S)
    assert function is not None
    script = (
        function[0]
        .replace("-user heelstone", "-user 12345")
        .replace("-group heelstone", "-group 1")
    )
    path = f"{tmp_path}:/usr/bin:/bin"
    subprocess.run(
        ["bash", "-c", f"LOG=/dev/null STATE={state}\n{script}\ngive_back"],
        env={"PATH": path}, check=True, timeout=240,
    )  # fmt: skip
    given = (tmp_path / "given").read_text().splitlines()
    assert sorted(given) == [str(state), str(state / "folder"), str(state / "folder/left")]


def test_the_version_in_use_and_the_way_back_are_kept_and_no_third_one(tmp_path: Path) -> None:
    room = Room(tmp_path / "room")

    def installed(version: str, commit: str) -> list[str]:
        room.offer(version)
        (room.box / "commit").write_text(f"{commit}\n")
        done = room.install()
        assert done.returncode == 0, done.stderr
        names = [path.name for path in (room.root / "opt/heelstone/releases").iterdir()]
        return sorted(name.rpartition("-")[2] for name in names)

    assert installed("2.0", "b") == ["1.0", "2.0"]
    assert installed("3.0", "c") == ["2.0", "3.0"]
    # It is repaired: the way back does not lead to what was broken.
    assert installed("3.0", "c") == ["2.0", "3.0"]
    assert room.install("--rollback").returncode == 0
    assert room.standing().version == "2.0"
    # The one that somebody went back from goes, and not the one that was in use.
    assert installed("4.0", "d") == ["2.0", "4.0"]
    # Nobody knows whether a changed folder is the same.
    assert installed("5.0", "e-dirty") == ["4.0", "5.0"]
    assert installed("5.0", "e-dirty") == ["5.0", "5.0"]
