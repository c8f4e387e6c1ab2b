"""The command line: help, completion, streams, and nothing a terminal would obey."""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.cli import _parser, at_the_door
from companion.app.commands import Parser
from companion.journal.entries import FINISHED
from companion.journal.store import Journal
from companion.match.looking_back.standings import Courses
from companion.settings.people import People
from companion.support.log import RecentLog
from rules.box import box_ids
from rules.games import game_ids, game_on_board
from rules.games.dolmengoetter.board import BoardError, load_board
from rules.printable import harmless, json_line, only_letters
from rules.texts import LANGUAGES, Texts
from tests.support.command import ROOT, Heelstone, heed_ctrl_c
from tests.support.journals import filled
from tests.support.sweep import some, widely
from tests.support.table_setup import header


def texts(lang: str) -> dict[str, str]:
    """The texts of help in a language; in capitals: what stands for a value."""
    return Texts("help", lang).all()


def helped(parser: Parser) -> Iterator[tuple[str, str]]:
    """Every command, option and value with its help, as people would type them."""
    yield parser.prog, parser.description or ""
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            name = action.option_strings[-1] if action.option_strings else action.dest
            yield f"{parser.prog} {name}", action.help or ""
            continue
        assert [choice.dest for choice in action._choices_actions] == list(action.choices)
        for choice in action._choices_actions:
            yield f"{parser.prog} {choice.dest} in the list", choice.help or ""
        for sub in action.choices.values():
            yield from helped(sub)


def test_every_command_and_option_has_its_help_in_both_languages() -> None:
    german, english = (dict(helped(_parser(lang))) for lang in ("de", "en"))
    assert german.keys() == english.keys() and len(german) > 250
    assert [name for name in german if not german[name] or german[name] == english[name]] == []


def test_no_help_is_kept_for_what_is_gone() -> None:
    shown = {text for lang in LANGUAGES for _, text in helped(_parser(lang))}
    for lang in LANGUAGES:
        kept = {name: text for name, text in texts(lang).items() if not name.isupper()}
        assert [name for name, text in kept.items() if text not in shown] == []
        assert kept.keys() == {name for name in texts("en") if not name.isupper()}


def test_every_placeholder_that_is_translated_is_shown() -> None:
    words = {name: text for name, text in texts("de").items() if name.isupper()}
    parsers: list[Parser] = [_parser("de")]
    usages = ""
    for parser in parsers:
        usages += parser.format_usage()
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
    assert [name for name, text in words.items() if text not in usages] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--lang", "de", "check", "--help"),
        pytest.param(("check", "--lang", "de", "--help"), marks=pytest.mark.thorough),
        ("check", "--help", "--lang=de"),
    ],
)
def test_the_language_may_be_named_before_and_after_the_command(
    program: Heelstone, arguments: tuple[str, ...]
) -> None:
    told = program(*arguments)
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("Aufruf: heelstone check [-h]")
    assert "Optionen:" in told.out and "[SPIEL|ORDNER]" in told.out
    assert "prüft, ob ein Spiel alles erfüllt" in told.out
    assert "usage" not in told.out and "options" not in told.out


ASKED = """
import json, os, sys
from companion.app import cli, entry
for number, asking in enumerate(json.load(sys.stdin)):
    if not os.fork():
        os.environ.update(asking)
        sys.exit(entry.main())
    assert os.wait()[1] == 0, number
"""
"""A program that is started once for several lines."""


def offered(tmp_path: Path, *lines: str) -> list[list[str]]:
    """The words that the program offers a shell for the end of each line."""
    answers = [tmp_path / f"answer-{number}" for number in range(len(lines))]
    asking = [
        {
            "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_SHELL": "bash",
            "_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "COMP_LINE": line,
            "COMP_POINT": str(len(line)), "XDG_STATE_HOME": str(tmp_path),
        }
        for answer, line in zip(answers, lines, strict=True)
    ]  # fmt: skip
    subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=ROOT, input=json.dumps(asking), text=True, check=True, timeout=240,
    )  # fmt: skip
    return [[word.strip() for word in answer.read_text().splitlines()] for answer in answers]


def test_commands_options_games_and_boxes_are_offered(tmp_path: Path) -> None:
    commands, options, games, boxes, parts = offered(
        tmp_path, "heelstone ", "heelstone simulate dominion --sec", "heelstone simulate ",
        "heelstone print ", "heelstone club n",
    )  # fmt: skip
    assert {"games", "simulate", "phones"} <= set(commands)
    assert (options, games) == (["--seconds"], [*game_ids()])
    assert set(box_ids()) <= set(boxes)
    assert parts == ["new-table"]


def test_the_options_and_seats_of_the_game_in_the_line_are_offered(tmp_path: Path) -> None:
    line = "heelstone simulate knizia_stonehenge"
    values, counts, players = offered(
        tmp_path, f"{line} --option hidden=", f"{line} --players ", f"{line} --player "
    )
    assert values == ["hidden=off", "hidden=on"]
    assert counts == ["2"]
    assert "2=druid" in players


def test_the_matches_of_the_journal_are_offered_and_none_is_begun_for_it(tmp_path: Path) -> None:
    filled(tmp_path / "journal.db").close()
    asked = (f"--data {tmp_path / 'new'} export ", f"export --data {tmp_path} ")
    assert offered(tmp_path, *(f"heelstone {line}" for line in asked)) == [[], ["m1"]]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_understands_what_it_reads(heelstone: Heelstone, shell: str) -> None:
    script = heelstone("completion", shell).out
    assert "heelstone" in script
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


EVIL = "\x1b[2Ja\x9b31m\u202eb\u2028c\rd\0\U000e0001\ud800"
OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
PLAIN = "Ötzi’s „Stein“ – 10\u00a0mm \U0001f468\u200d\U0001f469 नमस्ते\t"


def test_json_stays_the_same_json_and_readable() -> None:
    record = {"name": EVIL + PLAIN}
    assert json.loads(json_line(record)) == record
    assert not OBEYED.search(json_line(record))
    assert json_line({"name": PLAIN}) == json.dumps({"name": PLAIN}, ensure_ascii=False)
    assert harmless(PLAIN) == PLAIN


@pytest.mark.parametrize("way", [(), ("--json",)])
def test_no_command_shows_a_terminal_what_it_would_obey(
    heelstone: Heelstone, tmp_path: Path, way: tuple[str, ...]
) -> None:
    # As a journal from elsewhere may hold it: halves of letters are no UTF-8, and never in a file.
    evil = EVIL[:-1]
    filled(tmp_path / "journal.db").close()
    with Journal(tmp_path / "journal.db") as journal:
        journal.create(replace(header(), id="m2", names=(evil, "b\nc"), course=evil))
        journal.set_status("m2", FINISHED)
    heelstone("courses", "--keep", f"Garten {evil}", "--notes", evil, "--data", tmp_path)
    for line in ("matches", "export m2", "records", "courses", "doctor", f"export {evil}"):
        told = heelstone(*line.split(" ", 1), *way, "--data", tmp_path)
        assert not OBEYED.search(told.out + told.err), line
        if line == "export m2":
            assert told.records[0]["match"]["course"] == evil
        if line == "matches":
            assert told.out.count("\n") == 2


def test_log_lines_pass_the_door_and_are_kept_without(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("companion.test")
    with at_the_door():
        handler = logging.StreamHandler()
        logging.getLogger().addHandler(handler)
        recent = RecentLog().start()
        # Half a letter would break the wire on which test workers report their log.
        log.warning("the device says %s", EVIL.replace("\ud800", ""))
        recent.stop()
        logging.getLogger().removeHandler(handler)
        sys.stdout.writelines([EVIL])
    said = capsys.readouterr()
    assert "the device says" in said.err
    assert not OBEYED.search(said.err + said.out + "".join(recent.lines()))


def test_settings_and_boards_that_cannot_be_shown_are_refused(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    path = tmp_path / "odd.toml"
    path.write_text('[rig.score]\nport = "/dev/\\u001b[2J"\n')
    assert "`rig.score.port`" in heelstone("games", "--settings", path).complaint()
    path.write_text('[board]\nname = "a\\u202eb"\n')
    with pytest.raises(BoardError, match=r"board\.name.*cannot be shown"):
        load_board(str(path))
    with pytest.raises(BoardError, match="cannot be shown"):
        game_on_board("dolmengoetter", path.read_text(), "odd")


def test_kept_names_and_courses_are_cleaned_as_they_are_read(tmp_path: Path) -> None:
    (tmp_path / "people.json").write_text(json.dumps({"names": ["\x1b[2JUlla", "\u202e"]}))
    assert People(tmp_path).recent == ("[2JUlla",)
    Courses(tmp_path).keep("Hof\x1b\n", "am\u202e Tor")
    kept = [{"name": "a\x9b", "notes": "\x1b", "picture": ""}]
    assert [(c.name, c.notes) for c in Courses(tmp_path).all()] == [("Hof", "am Tor")]
    (tmp_path / "courses.json").write_text(json.dumps(kept))
    assert all(only_letters(c.name + c.notes) for c in Courses(tmp_path).all())


def test_a_traceback_that_was_asked_for_passes_the_door_too(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError(EVIL[:-1])

    monkeypatch.setattr("companion.app.commands.find_game", broken)
    monkeypatch.setenv("HEELSTONE_TRACEBACK", "1")
    told = heelstone("simulate", "knizia_stonehenge")
    assert told.code == 1 and "Traceback" in told.err and "ZeroDivisionError" in told.err
    assert not OBEYED.search(told.err)


BROKEN = [(">&-", "it is closed"), (">/dev/full", "No space left on device")]
SPEAKING = ["games", "--help", "simulate --help", "--version", "matches --help"]


def in_a_shell(tmp_path: Path, command: str, ending: str) -> subprocess.CompletedProcess[str]:
    """The command as somebody types it into bash, with what follows it in the line."""
    program = shlex.join([sys.executable, "-m", "companion.app.entry"])
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {program} {command} {ending}"],
        cwd=ROOT, env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip


@pytest.mark.parametrize(("broken", "command"), widely(BROKEN, SPEAKING, most=2))
def test_what_cannot_be_written_is_told_in_one_line(
    tmp_path: Path, broken: tuple[str, str], command: str
) -> None:
    ending, why = broken
    done = in_a_shell(tmp_path, command, ending)
    told = f"heelstone: what this command says cannot be written: {why}\n"
    assert (done.returncode, done.stderr) == (2, told)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("games", marks=pytest.mark.thorough),
        "simulate knizia_stonehenge --json",
        pytest.param("--help", marks=pytest.mark.thorough),
    ],
)
def test_a_reader_that_has_seen_enough_is_no_mistake(tmp_path: Path, command: str) -> None:
    done = in_a_shell(tmp_path, command, "| head -n 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("ending", some(["2>&-", "2>/dev/full", ">&- 2>&-", "<&- >&- 2>&-"], 2))
def test_without_stderr_the_exit_code_still_says_it(tmp_path: Path, ending: str) -> None:
    done = in_a_shell(tmp_path, "simulate chess", ending)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.parametrize("command", ["club join -", "why dominion --state - 'p0 done'"])
def test_closed_stdin_is_told_in_one_line(tmp_path: Path, command: str) -> None:
    done = in_a_shell(tmp_path, command, "<&-")
    told = "heelstone: nothing can be read from the standard input: it is closed\n"
    assert (done.returncode, done.stderr) == (2, told)


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """Printing leaves nothing in the journal."""
    done = in_a_shell(tmp_path, f"backup --data {tmp_path}", "<&- >&- 2>&-")
    assert done.returncode == 2
    assert all(b"heelstone:" not in path.read_bytes() for path in tmp_path.rglob("*.db*"))


def test_ctrl_c_ends_a_command_without_a_word(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion.app.entry", "simulate", "dominion", "--json",
         "--player", "1=archdruid", "--seconds", "2"],
        cwd=ROOT, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed_ctrl_c,
    ) as program:  # fmt: skip
        assert program.stdout is not None and program.stderr is not None
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        assert (program.wait(60), program.stderr.read()) == (130, b"")


@pytest.mark.parametrize(
    ("module", "arguments", "told"),
    [
        ("msgspec", ["doctor"], "The package msgspec is missing"),
        ("platformdirs", ["games", "--lang", "de"], "Das Paket platformdirs fehlt"),
        ("cv2", ["watch", ".", "--game", "dominion", "--lang=de"], "Das Paket opencv-python fehlt"),
    ],
)
def test_a_missing_package_is_one_line(module: str, arguments: list[str], told: str) -> None:
    program = (
        f"import sys; sys.modules[{module!r}] = None; sys.argv = ['heelstone', *{arguments}]; "
        "from companion.app.entry import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, env={**os.environ, "LC_ALL": "C.UTF-8"}, capture_output=True, text=True,
        timeout=240,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and done.stderr.count("\n") == 1


def test_with_all_packages_the_command_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion.app.entry", "games"],
        cwd=ROOT, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) >= 8
