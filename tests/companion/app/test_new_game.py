"""A game of one's own: begun, played at once, checked, and checked again while it is written."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.authoring.check_again import news
from companion.app.authoring.game_screens import _shots
from companion.app.authoring.new_game import new_game
from companion.journal.store import Journal
from companion.setup.shelf import Fronts
from rules.games import add_games, find_game, own_ids
from rules.telling import load_text
from rules.testing.conformance import check_game
from rules.testing.golden import differences
from tests.support.command import ROOT, Heelstone, heed_ctrl_c
from tests.support.elsewhere import elsewhere
from tests.support.sweep import some

TEMPLATE = ROOT / "companion" / "app" / "template"


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Every test begins without games from elsewhere, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    with elsewhere():
        yield


# -- begun ----------------------------------------------------------------------------------------


def test_it_is_written_under_its_name_and_no_other(tmp_path: Path) -> None:
    files = new_game("moon_rings", tmp_path / "games" / "moon", "Mondringe")
    names = {str(file.relative_to(tmp_path / "games" / "moon")) for file in files}
    assert {"moon_rings/game.py", "moon_rings/text/moon_rings.de.toml", "README.md"} <= names
    assert {"tests/golden/moon_rings_2p.txt", "tests/golden/perft.json"} <= names
    told = "".join(name + (tmp_path / "games" / "moon" / name).read_text() for name in names)
    for old in ("little_henge", "little-henge", "LittleHenge", "Little Henge", "Kleines Henge"):
        assert old not in told
    assert "class MoonRings(Game[MoonRingsState])" in told
    assert 'name = "Mondringe"' in told


def test_its_own_tests_pass_and_the_suite_finds_nothing(tmp_path: Path) -> None:
    new_game("moon_rings", tmp_path / "moon")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=tmp_path / "moon", env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_within_its_folder_every_command_knows_it(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert heelstone("new-game", "moon_rings", "--folder", "moon", "--lang", "en").code == 0
    with elsewhere():
        assert heelstone("simulate", "moon_rings", "--lang", "en").code == 2
        monkeypatch.chdir(tmp_path / "moon")
        assert heelstone("simulate", "moon_rings", "--lang", "en").code == 0
        assert heelstone("check", "--matches", 1).out.endswith("ok\n")
        assert heelstone("check", "moon_rings", "--matches", 1).out.endswith("ok\n")
        assert heelstone("print", "moon_rings", "--out", "board.pdf", "--what", "board").code == 0
        assert heelstone("print", ".", "--out", "board.pdf", "--what", "board").code == 0
        assert "moon_rings" in heelstone("print", "no_box", "--out", "x.pdf").complaint()
    for folder, named in (("", "moon"), ("moon", "."), ("moon/moon_rings", ".")):
        with elsewhere():
            monkeypatch.chdir(tmp_path / folder)
            assert heelstone("simulate", named, "--lang", "en").code == 0
            assert heelstone("demo", named, "--bare", "no_kind").complaint()


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Hex 5x5", "hex_5x5"), ("5x5", "x5"), ("", "my_game"), ("a__b", "a_b"),
        ("knizia_stonehenge", "knizia_stonehenge"), ("class", "class_game"),
        ("json", "json_game"), ("rules", "rules_game"), ("x" * 41, "x" * 40),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_one_is_refused_with_a_better_one(
    heelstone: Heelstone, tmp_path: Path, name: str, code: str, lang: str
) -> None:
    told = heelstone("new-game", name, "--lang", lang).complaint()
    assert code in told
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("lang", ["de", "en"])
def test_what_is_there_already_is_left_alone(
    heelstone: Heelstone, tmp_path: Path, lang: str
) -> None:
    (tmp_path / "moon_rings").mkdir()
    (tmp_path / "moon_rings" / "mine.txt").write_text("mine")
    assert "--folder" in heelstone("new-game", "moon_rings", "--lang", lang).complaint()
    assert [path.name for path in tmp_path.rglob("*")] == ["moon_rings", "mine.txt"]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_where_nothing_can_be_written_it_says_so_and_leaves_nothing(
    heelstone: Heelstone, tmp_path: Path, lang: str
) -> None:
    (tmp_path / "file").write_text("mine")
    told = heelstone("new-game", "moon_rings", "--folder", "file/moon", "--lang", lang).complaint()
    assert "file" in told
    assert heelstone("new-game", "moon_rings", "--folder", "/proc/moon").code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_title_that_would_break_the_files_is_refused(heelstone: Heelstone) -> None:
    assert "{0}" in heelstone("new-game", "moon", "--title", "{0}").complaint()
    assert heelstone("new-game", "moon", "--title", 'a"b').code == 2


# -- checked --------------------------------------------------------------------------------------


def moon(tmp_path: Path) -> Path:
    """The package of a game."""
    new_game("moon_rings", tmp_path / "moon")
    return tmp_path / "moon"


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text that is there."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    some(
        [
            ("text/moon_rings.en.toml", "[moves]\nset", "[moves]\nput", "moves.set"),
            ("text/moon_rings.de.toml", "{0:site}", "{0:platz}", "platz"),
            ("text/moon_rings.de.toml", 'set = "', 'set = ["', "line 15 is not valid TOML"),
            ("box.toml", 'takes = ["stone"]', 'takes = ["rock"]', "rock"),
            (
                "game.py",
                'codes = ("match_over"',
                'codes = ("over", "match_over"',
                "objections.over",
            ),
            ("game.py", "1.3", "9.9", "9.9"),
            ("game.py", "self.owner[move.args[0]] = move.player", "pass", "changes nothing"),
            (
                "covers/moon_rings.toml",
                "minutes = 5",
                "minutes = soon",
                "covers/moon_rings.toml, line 2",
            ),
            (
                "covers/moon_rings.toml",
                'fill = "#',
                'fill = "x',
                "expected a colour such as '#8a6546'",
            ),
            ("covers/moon_rings.toml", "minutes", "minuts", "covers/moon_rings.toml, line 2: "),
            (
                "lessons/moon_rings.toml",
                "players",
                "plyers",
                "line 2: plyers: unknown key; did you mean 'players'?",
            ),
            ("lessons/moon_rings.toml", "[win]", "[win", "lessons/moon_rings.toml, line"),
            ("text/moon_rings.en.toml", "[prompts.set]", "[prompt.set]", "Did you mean [prompts]"),
            ("text/moon_rings.en.toml", 'do = "', 'doo = "', "nobody reads 'doo'"),
        ],
        5,
    ),
)
def test_what_is_broken_is_named(
    tmp_path: Path, heelstone: Heelstone, file: str, old: str, new: str, told: str
) -> None:
    folder = moon(tmp_path)
    edit(folder / "moon_rings" / file, old, new)
    with elsewhere():
        result = heelstone("check", folder, "--matches", 2, "--lang", "en")
    assert result.code == 1
    assert told in result.out


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ({"moves": ["p0 set a1", "p1 set a1"]}, "its move 2 is not possible there"),
        ({"players": 5}, "cannot be set up"),
    ],
)
def test_a_position_that_cannot_be_counted_is_named_with_a_way_out(
    tmp_path: Path, heelstone: Heelstone, new: dict[str, object], told: str
) -> None:
    folder = moon(tmp_path)
    position = {"name": "odd", "players": 2, "moves": []} | new
    (folder / "tests" / "golden" / "perft.json").write_text(json.dumps([position]))
    with elsewhere():
        complaint = heelstone("golden", folder, "--lang", "en").complaint()
    assert "'odd'" in complaint and told in complaint
    assert "heelstone golden moon_rings" in complaint


def test_a_place_where_nothing_ever_lies_is_hinted_at(tmp_path: Path, heelstone: Heelstone) -> None:
    folder = moon(tmp_path)
    with (folder / "moon_rings" / "box.toml").open("a", encoding="utf-8") as box:
        box.write(
            '\n[[site]]\nid = "d9"\nkind = "place"\nat = [0, 85]\nradius = 5\n'
            'takes = ["stone"]\nprinted = true\n'
        )
    with elsewhere():
        result = heelstone("check", folder, "--lang", "en")
    assert result.code == 0
    assert "hint: nothing ever lay at d9. " in result.out


def test_a_missing_file_is_named_with_its_place(tmp_path: Path, heelstone: Heelstone) -> None:
    folder = moon(tmp_path)
    (folder / "moon_rings" / "text" / "moon_rings.de.toml").unlink()
    (folder / "moon_rings" / "box.toml").rename(folder / "box.toml")
    with elsewhere():
        result = heelstone("check", folder, "--matches", 2, "--lang", "en")
    assert result.code == 1
    assert f"{folder}/moon_rings/text/moon_rings.de.toml" in result.out
    assert f"{folder}/moon_rings/box.toml" in result.out


@pytest.mark.parametrize("lang", ["de", "en"])
def test_a_folder_without_a_game_is_refused(
    tmp_path: Path, heelstone: Heelstone, lang: str
) -> None:
    assert "new-game" in heelstone("check", tmp_path, "--lang", lang).complaint()
    assert "new-game" in heelstone("check", "--watch", "--lang", lang).complaint()


def test_while_it_is_written_each_save_tells_what_is_new_and_what_is_mended(tmp_path: Path) -> None:
    folder = moon(tmp_path)
    rules = folder / "moon_rings" / "game.py"
    watching = subprocess.Popen(
        [sys.executable, "-m", "companion.app.entry", "check", str(folder), "--watch",
         "--matches", "1", "--lang", "en"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=heed_ctrl_c,
    )  # fmt: skip
    assert watching.stdout is not None

    def until(word: str) -> str:
        said = ""
        while word not in said:
            line = watching.stdout.readline()  # type: ignore[union-attr]
            assert line, said
            said += line
        return said

    try:
        until("nothing found")
        edit(rules, "class MoonRings(", "class MoonRings((")
        assert re.search(r"\+ new: .*game\.py:\d+", until("to be mended"))
        edit(rules, "class MoonRings((", "class MoonRings(")
        assert "- mended: " in until("nothing found")
        watching.send_signal(signal.SIGINT)
        assert "no longer watching" in until("no longer watching")
        assert watching.wait() == 0
    finally:
        watching.kill()
        watching.wait()
        watching.stdout.close()


def test_what_a_worse_fault_hides_is_not_called_mended() -> None:
    new, mended, known = news((), ["seed 3, move 4: A"], played=True)
    assert (new, mended) == (["seed 3, move 4: A"], [])
    new, mended, known = news(known, ["seed 8, move 1: A"], played=True)
    assert (new, mended) == ([], [])
    new, mended, known = news(known, ["cannot be loaded"], played=False)
    assert (new, mended) == (["cannot be loaded"], [])
    new, mended, known = news(known, ["seed 8, move 1: A"], played=True)
    assert (new, mended) == ([], ["cannot be loaded"])
    assert news(known, [], played=True) == ([], ["seed 8, move 1: A"], ())


# -- golden files and screens ---------------------------------------------------------------------


def test_golden_files_are_written_compared_and_written_anew(
    tmp_path: Path, heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = moon(tmp_path)
    monkeypatch.chdir(folder)
    perft = folder / "tests" / "golden" / "perft.json"
    assert heelstone("golden", "--compare").code == 0
    mine = {"name": "mine", "players": 2, "moves": ["p0 set b2", "p1 set a1"]}
    perft.write_text(json.dumps([mine]), encoding="utf-8")
    assert heelstone("golden", "--compare").code == 1
    (told,) = differences(find_game("moon_rings"), perft.parent)
    assert "perft.json" in told and "heelstone golden" in told
    statuses = [record["status"] for record in heelstone("golden", ".", "--json").records]
    assert statuses == ["same", "changed"]
    first, *others = json.loads(perft.read_text())
    assert first == {**mine, "counts": [7, 42, 210]}
    assert not any(one["confirmed"] for one in others), "all that it does not show is proposed"
    assert heelstone("golden", "--confirm", "2,3-4").code == 0
    confirmed = [one.get("confirmed", True) for one in json.loads(perft.read_text())]
    assert confirmed == [number < 4 for number in range(len(confirmed))]
    assert heelstone("golden", "--confirm", "two").code == 2
    assert heelstone("golden", "--compare").code == 0
    mine |= {"scores": [0, 0], "refused": {"p0 set b2": "occupied", "p0 set c3": ""}}
    declared = {**mine, "outcome": "row", "counts": [7, 42, 210]}
    perft.write_text(json.dumps([declared]), encoding="utf-8")
    written = heelstone("golden")
    assert written.code == 1 and "declares outcome row of 'mine'" in written.out
    assert json.loads(perft.read_text())[0] == declared, "what was reckoned by hand stays"
    (told,) = differences(find_game("moon_rings"), perft.parent)
    assert "declares outcome row of 'mine'" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "perft.json"), ('[{"name": "x"}]', "players"),
     ('[{"name": "x", "players": 9, "moves": []}]', "'x'"),
     ('[{"name": "x", "players": 2, "moves": ["p1 set a1"]}]', "wrong_player")],
)  # fmt: skip
def test_a_position_that_cannot_be_counted_is_named(
    tmp_path: Path, heelstone: Heelstone, text: str, told: str
) -> None:
    folder = moon(tmp_path)
    (folder / "tests" / "golden" / "perft.json").write_text(text, encoding="utf-8")
    assert told in heelstone("golden", folder, "--lang", "en").complaint()


def test_a_golden_file_that_does_not_fit_hides_no_other_finding(
    tmp_path: Path, heelstone: Heelstone
) -> None:
    folder = moon(tmp_path)
    position = {"name": "odd", "players": 2, "moves": ["p1 set a1"]}
    (folder / "tests" / "golden" / "perft.json").write_text(json.dumps([position]))
    with elsewhere():
        result = heelstone("check", folder, "--lang", "en")
    assert result.code == 1 and "the position 'odd' cannot be reached" in result.out
    assert "0 moves laid" not in result.out


@pytest.mark.thorough
def test_its_screens_are_drawn_wide_and_upright(tmp_path: Path, heelstone: Heelstone) -> None:
    folder = moon(tmp_path)
    done = heelstone("screens", folder, "--out", tmp_path / "pictures", "--lang", "en")
    assert done.code == 0
    # No finger and no hand can make a move that the game does not know.
    assert "not drawn, for no match came to it: not-allowed-unknown_move." in done.out
    names = {path.name for path in (tmp_path / "pictures").iterdir()}
    for screen in (
        "shelf", "set-up", "play-set", "not-allowed-occupied", "not-allowed-match_over", "result",
    ):  # fmt: skip
        assert {f"{screen}.png", f"{screen}-portrait.png"} <= names


def test_every_question_is_drawn_also_of_settings_that_nobody_wanted() -> None:
    game = find_game("knizia_stonehenge")

    def drawn(**wanted: str) -> set[str]:
        with Journal(":memory:") as journal:
            return {shot.name for shot in _shots(journal, game, None, wanted)}

    open_only, names = drawn(hidden="off"), drawn()
    assert "play-place" in open_only and "play-show" not in open_only
    assert names >= {f"play-{code}" for code in load_text(game.id, "en", game.package)["prompts"]}


def test_a_game_that_fails_is_left_off_the_shelf_and_no_other_is(tmp_path: Path) -> None:
    folder = moon(tmp_path)
    assert "moon_rings" in Fronts(tmp_path / "shelf").games()
    edit(folder / "moon_rings" / "game.py", "GAME = MoonRings()", "GAME = MoonRings(1)")
    with elsewhere():
        add_games(folder)
        fronts = Fronts(tmp_path / "shelf")
        fronts.check()
        assert {*fronts.games()} == own_ids()


# -- the template itself --------------------------------------------------------------------------


def test_the_template_is_a_game_that_can_be_read_in_one_go() -> None:
    add_games(TEMPLATE)
    assert check_game(find_game("little_henge"), matches=2).problems == []
    lines = (TEMPLATE / "little_henge" / "game.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 180
