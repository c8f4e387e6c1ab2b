"""Whatever a call says, it says in one language: that of help, of complaints, of its answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rules.games import game_ids
from tests.support.command import ROOT, Heelstone, outside

SAID = {
    ("matches",): ("Noch keine Partien", "No matches yet"),
    ("records",): ("Noch keine Partie ist zu Ende", "No finished matches yet"),
    ("courses",): ("Noch keine eigenen Strecken", "No courses of your own yet"),
    ("export", "7"): ("‚7‘", "'7'"),
    ("dance",): ("gibt es nicht", "there is no command"),
    ("games", "--settings", "nowhere.toml"): ("Es gibt keine Einstellungsdatei", "no settings"),
}


def chosen(home: Path) -> dict[str, str]:
    folder = home / "state" / "heelstone"
    folder.mkdir(parents=True)
    (folder / "preferences.json").write_text(json.dumps({"lang": "de"}))
    return {"LC_ALL": "en_US.UTF-8"}


def set_up(home: Path) -> dict[str, str]:
    folder = home / "config" / "heelstone"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text('lang = "de"\n')
    return {"LC_ALL": "en_US.UTF-8"}


def of_the_computer(_home: Path) -> dict[str, str]:
    return {"LC_ALL": "", "LANG": "de_DE.UTF-8"}


def nothing(_home: Path) -> dict[str, str]:
    return {"LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize("source", [chosen, of_the_computer, nothing])
def test_complaint_and_answer_follow_the_same_source(
    source: Callable[[Path], dict[str, str]], tmp_path: Path, heelstone: Heelstone,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for name, value in source(tmp_path).items():
        monkeypatch.setenv(name, value)
    for arguments, (german, english) in SAID.items():
        result = heelstone(*arguments)
        said = result.out + result.err
        assert (english if source is nothing else german) in said, (arguments, said)


def test_the_settings_count_unless_something_else_was_chosen(tmp_path: Path) -> None:
    call = outside(tmp_path, **set_up(tmp_path))
    assert "Noch keine Partien" in call("matches").out
    assert "usage" not in call("matches", "--help").out
    assert "No matches yet" in call("matches", "--lang", "en").out


def test_a_missing_package_is_named_in_the_language_that_was_chosen(tmp_path: Path) -> None:
    variables = chosen(tmp_path)
    program = (
        "import sys; sys.modules['cv2'] = None; sys.argv = ['heelstone', 'watch', '.', '--game', "
        "'dominion']; from companion.app.entry import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, env={**variables, "XDG_STATE_HOME": str(tmp_path / "state"), "PATH": ""},
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "Das Paket opencv-python fehlt" in done.stderr


def test_one_call_leaves_the_next_its_own_language(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert "No matches yet" in heelstone("matches", "--lang", "en").out
    assert "Noch keine Partien" in heelstone("matches").out


def test_lists_without_an_entry_say_so_but_not_to_programs(heelstone: Heelstone) -> None:
    for name in ("matches", "records", "courses"):
        told = heelstone(name)
        assert (told.code, told.out.count("\n"), told.err) == (0, 1, ""), told
        assert heelstone(name, "--json").out == ""
    assert game_ids()[0] in heelstone("records", "--game", game_ids()[0]).out


def test_a_check_is_summed_up_in_the_language_of_the_call(heelstone: Heelstone) -> None:
    german = heelstone("check", "knizia_stonehenge", "--matches", "2", "--lang", "de").out
    assert "2 Partien" in german and german.endswith("in Ordnung\n")
    english = heelstone("check", "knizia_stonehenge", "--matches", "2", "--lang", "en").out
    assert "2 matches" in english and english.endswith("ok\n")


def test_the_demo_prints_its_figures_for_programs(
    heelstone: Heelstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(out: Path, *_: object, **__: object) -> str:
        out.mkdir()
        (out / "report.json").write_text('{"moves": 3}')
        return "3 moves"

    monkeypatch.setattr("companion.app.demo.run_demo", played)
    for name, more, told in (("a", ("--json",), '{"moves": 3}\n'), ("b", (), "3 moves\n")):
        result = heelstone("demo", "--headless", "--out", tmp_path / name, *more)
        assert (result.code, result.out.replace('":3', '": 3')) == (0, told)


def test_the_doctor_names_what_it_looks_at(heelstone: Heelstone, tmp_path: Path) -> None:
    def names(lang: str) -> list[str]:
        told = heelstone("doctor", "--lang", lang, "--data", tmp_path).out.splitlines()[:-1]
        return [line[2:18].strip() for line in told]

    german, english = names("de"), names("en")
    assert german[0] == "Einstellungen" and english[0] == "settings"
    # Packages and programs are called the same everywhere, as are a club's and a table's.
    same = {one for one, other in zip(german, english, strict=True) if one == other}
    assert all(name[0].islower() for name in same), same
    assert len(german) - len(same) > 10
