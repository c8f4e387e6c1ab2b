"""The command line: a contract with exit codes, one clear line for trouble, and JSON lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Heelstone, outside

KNIZIA = "knizia_stonehenge"


# -- bad use ------------------------------------------------------------------------------


BAD_USE: list[tuple[str, str]] = [
    ("frobnicate", "no command 'heelstone frobnicate'; there are: demo, "),
    ("gmaes", "did you mean 'games'?"),
    ("club fuond", "no command 'heelstone club fuond'; did you mean 'found'?"),
    ("games --sead 3", "heelstone games has no option --sead"),
    ("watch --gmae dominion .", "did you mean '--game'?"),
    ("fieldtest --out x", "--out needs --console"),
    ("games all", "does not know what to do with 'all'"),
    ("simulate stonehenge", "did you mean 'erbaut_stonehenge' or 'knizia_stonehenge'?"),
    (f"simulate {KNIZIA} --player 0=druid", "a seat from 1 to 2"),
    (f"simulate {KNIZIA} --player 3=druid", "a seat from 1 to 2"),
    (f"simulate {KNIZIA} --player 1=druide", "did you mean 'druid'?"),
    (f"simulate {KNIZIA} --option hiden=on", "no option 'hiden'; did you mean 'hidden'?"),
    ("records --game domnion", "did you mean 'dominion'?"),
    ("--lang fr games", "'fr'"),
    ("games --lang", "--lang"),
    ("games --bogus", "--bogus"),
    ("simulate", "GAME"),
    ("simulate chess", "there is no game 'chess'"),
    ("simulate ../../etc/passwd", "there is no pyproject.toml in"),
    (f"simulate {KNIZIA} --bogus", "--bogus"),
    (f"simulate {KNIZIA} --player 2", "--player"),
    (f"simulate {KNIZIA} more", "more"),
    (f"simulate {KNIZIA} --players 3", "is for 2 players, not 3"),
    (f"simulate {KNIZIA} --players -1", "is for 2 players, not -1"),
    (f"simulate {KNIZIA} --players two", "'two'"),
    (f"simulate {KNIZIA} --seed one", "'one'"),
    (f"simulate {KNIZIA} --seed 1.5", "'1.5'"),
    (f"simulate {KNIZIA} --option hidden", "name=value"),
    (
        f"simulate {KNIZIA} --option hidden=maybe",
        "option hidden cannot be 'maybe'; there are: off, on",
    ),
    (f"simulate {KNIZIA} --option secret=on", "no option 'secret'"),
    (f"simulate {KNIZIA} --option", "--option"),
    ("check chess", "there is no game 'chess'"),
    (f"check {KNIZIA} --matches 0", "at least 1"),
    (f"check {KNIZIA} --matches -3", "at least 1"),
    (f"why {KNIZIA} p0", "--state"),
    (f"why {KNIZIA} --state missing.json", "MOVE"),
    (f"why {KNIZIA} --state missing.json p0 done", "missing.json"),
    ("why chess --state missing.json p0 done", "there is no game 'chess'"),
    ("watch", "SOURCE"),
    ("watch photos", "--game"),
    ("watch photos --game chess", "there is no game 'chess'"),
    (f"watch missing --game {KNIZIA}", "there is no 'missing'"),
    (f"watch missing.jpg --game {KNIZIA}", "there is no 'missing.jpg'"),
    (f"watch . --game {KNIZIA} --players 7", "is for 2 players, not 7"),
    (f"watch . --game {KNIZIA} --option hidden=7", "cannot be '7'"),
    (f"watch . --game {KNIZIA} --box missing", "there is no box 'missing'"),
    (f"watch . --game {KNIZIA} --box missing.toml", "missing.toml"),
    (f"watch . --game {KNIZIA} --box dominion", "does not fit knizia_stonehenge"),
    ("export", "ID"),
    ("export nothing", "no match with the id 'nothing'"),
    ("import", "FILE"),
    ("import missing.jsonl", "missing.jsonl"),
    ("games --settings missing.toml", "missing.toml"),
    ("matches --data /dev/null", "--data"),
]


@pytest.mark.parametrize(("line", "said"), BAD_USE, ids=[line for line, _ in BAD_USE])
def test_bad_use_is_refused_with_one_line_that_names_what_is_wrong(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in heelstone(*line.split()).complaint()


def test_empty_arguments_are_refused_too(heelstone: Heelstone) -> None:
    assert "there is no game ''" in heelstone("simulate", "").complaint()
    assert "SOURCE is empty" in heelstone("watch", "", "--game", KNIZIA).complaint()
    assert "no match with the id ''" in heelstone("export", "").complaint()


def test_a_shell_sees_exit_code_2_one_line_and_no_traceback(program: Heelstone) -> None:
    assert "there is no game 'chess'" in program("simulate", "chess").complaint()
    assert "has no option --bogus" in program("games", "--bogus").complaint()


@pytest.mark.parametrize("camera", ["77", pytest.param("/dev/video77", marks=pytest.mark.thorough)])
def test_a_camera_that_is_not_there_is_one_line_without_what_opencv_says(
    program: Heelstone, camera: str
) -> None:
    assert "cannot open the camera" in program("watch", camera, "--game", KNIZIA).complaint()


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "No screen was found"),
        ({"DISPLAY": ":77"}, "DISPLAY=:77 names does not answer"),
        ({"WAYLAND_DISPLAY": "nowhere"}, "WAYLAND_DISPLAY=nowhere names does not answer"),
        # SDL has a window of its own that nobody sees, and would show that one for ever.
        ({"DISPLAY": ":77", "SDL_VIDEODRIVER": "x11"}, "DISPLAY=:77 names does not answer"),
    ],
)
def test_without_a_screen_that_answers_the_app_says_so_at_once(
    tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    if not variables and any(Path("/dev/dri").glob("card*")):
        pytest.skip("this computer has a screen")
    none = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": ""}
    complaint = outside(tmp_path, **none | variables)("--lang", "en").complaint()
    assert said in complaint
    assert "--headless" in complaint


def test_a_demo_for_which_no_screen_answers_is_played_without_a_window(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[bool] = []

    def run_demo(*_: object, headless: bool, **__: object) -> int:
        asked.append(headless)
        return 0

    monkeypatch.setattr("companion.app.demo.run_demo", run_demo)
    monkeypatch.setenv("DISPLAY", ":77")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    told = heelstone("demo", "--out", tmp_path / "out", "--lang", "en")
    assert (told.code, told.err.count("\n")) == (0, 1)
    assert "DISPLAY=:77" in told.err and "without a window" in told.err
    assert heelstone("demo", "--headless", "--out", tmp_path / "out").err == ""
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    assert heelstone("demo", "--out", tmp_path / "out").err == ""
    assert asked == [True, True, False]


def test_help_is_no_failure(program: Heelstone) -> None:
    for arguments in (["--help"], ["simulate", "--help"]):
        result = program(*arguments)
        assert (result.code, result.err) == (0, "")
        assert result.out.startswith("usage: heelstone")


def test_a_mistake_in_the_program_is_one_line_too(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("companion.app.commands.find_game", broken)
    result = heelstone("simulate", KNIZIA)
    assert (result.code, result.out) == (1, "")
    assert result.err.count("\n") == 1
    assert "ZeroDivisionError" in result.err and "HEELSTONE_TRACEBACK" in result.err


# -- languages ----------------------------------------------------------------------------


def test_the_language_may_stand_before_and_after_the_command(heelstone: Heelstone) -> None:
    german = heelstone("--lang", "de", "simulate", KNIZIA)
    english = heelstone("--lang", "en", "simulate", KNIZIA)
    assert "Schwarz" in german.out and "Black" in english.out
    assert heelstone("simulate", KNIZIA, "--lang", "de").out == german.out
    assert heelstone("simulate", "--lang", "en", KNIZIA).out == english.out
    # What stands behind the command is nearer and wins.
    assert heelstone("--lang", "de", "simulate", KNIZIA, "--lang", "en").out == english.out


def test_the_language_of_the_settings_holds_where_none_is_given(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('lang = "en"')
    assert "Black" in heelstone("simulate", KNIZIA, "--settings", file).out
    assert "Schwarz" in heelstone("--lang", "de", "simulate", KNIZIA, "--settings", file).out


# -- settings -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lang = 7", "lang"),
        ("[manners]\ncommit_s = 'soon'", "manners.commit_s"),
        ("[manners]\ncomit_s = 1.0", "did you mean 'commit_s'"),
        ("[manners", "not valid TOML"),
        ("version = 99", "newer Heelstone"),
    ],
)
def test_a_wrong_settings_file_is_refused_by_every_command_that_reads_it(
    heelstone: Heelstone, tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    for command in (["games"], ["simulate", KNIZIA]):
        complaint = heelstone("--settings", file, *command).complaint()
        assert said in complaint and str(file) in complaint
    assert file.read_text() == text
