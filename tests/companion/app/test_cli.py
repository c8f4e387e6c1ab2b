"""The command line: a contract with exit codes, one clear line for trouble, and JSON lines."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.app.simulate import simulate
from companion.journal.events import Source
from companion.journal.fold import replay
from companion.journal.store import Journal
from rules.games import find_game, game_ids
from rules.match import Match
from tests.support.command import ROOT, Heelstone, outside
from tests.support.journals import filled
from tests.support.library import finished
from tests.support.table_setup import header, played

KNIZIA = "knizia_stonehenge"


# -- bad use ------------------------------------------------------------------------------


BAD_USE: list[tuple[str, str]] = [
    ("frobnicate", "no command 'heelstone frobnicate'; there are: demo, "),
    ("gmaes", "did you mean 'games'?"),
    ("club fuond", "no command 'heelstone club fuond'; did you mean 'found'?"),
    ("games --sead 3", "heelstone games has no option --sead"),
    ("watch --gmae dominion .", "did you mean '--game'?"),
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
    ("simulate ../../etc/passwd", "there is no game"),
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


def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "companion.app.cli", "simulate", KNIZIA, "--json"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(240) == 0
    process.stderr.close()


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


# -- games, check -------------------------------------------------------------------------


def test_every_game_is_listed_with_its_box_its_players_and_its_options(
    heelstone: Heelstone,
) -> None:
    result = heelstone("games", "--json", "--lang", "en")
    assert (result.code, result.err) == (0, "")
    listed = {record["id"]: record for record in result.records}
    assert tuple(listed) == game_ids()
    for name, record in listed.items():
        game = find_game(name)
        assert record["box"] == game.box
        assert record["players"] == list(game.players)
        assert record["options"] == {key: list(values) for key, values in game.options.items()}
        assert record["name"]


def test_people_read_the_games_with_their_options(heelstone: Heelstone) -> None:
    for lang in ("de", "en"):
        out = heelstone("games", "--lang", lang).out
        for name in game_ids():
            assert name in out
            for option, values in find_game(name).options.items():
                assert f"--option {option}={'|'.join(values)}" in out


def test_a_broken_game_of_others_does_not_hide_ours(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.commands.games.game_ids", lambda: ("aardvark", KNIZIA))
    result = heelstone("games", "--json")
    assert [record["id"] for record in result.records] == [KNIZIA]
    assert result.code == 0
    assert result.err.count("\n") == 1 and "aardvark" in result.err


def test_check_reports_the_conformance_of_a_game(heelstone: Heelstone) -> None:
    result = heelstone("check", KNIZIA, "--matches", 1, "--json")
    (record,) = result.records
    assert result.code == 0
    assert record["game"] == KNIZIA
    assert record["ok"] is True
    assert record["problems"] == []
    assert record["positions"] > 0
    assert heelstone("check", KNIZIA, "--matches", 1).out.endswith("ok\n")


# -- simulate -----------------------------------------------------------------------------


def check_log(records: list[dict[str, Any]], every: int = 1) -> None:
    """A log has the promised shape and replays move by move with equal lists and states.

    What is legal is worked out anew before each ``every``-th move.
    """
    first, *decisions, last = records
    assert set(first) == {"game", "players", "seed", "options", "state"}
    match = Match(first["game"], first["players"], first["options"], seed=first["seed"])
    assert first["options"] == match.options
    assert first["state"] == plain(match.state.to_json())
    for record in decisions:
        assert set(record) == {"actor", "player", "moves", "move", "state"}
        prompt = match.prompt
        assert prompt is not None
        assert (record["actor"], record["player"]) == (prompt.actor.value, prompt.player)
        if match.ply % every == 0:
            legal = {
                move.text for move in match.state.pseudo_moves() if not match.state.violations(move)
            }
            assert record["moves"] == sorted(legal)
            assert record["moves"] == [move.text for move in match.legal_moves()]
            assert record["move"] in legal
        match.push(record["move"])
        if match.ply % every == 0:
            assert record["state"] == plain(match.state.to_json())
    assert set(last) == {"outcome", "state"}
    assert match.outcome is not None
    assert last["outcome"] == match.outcome.to_json()
    assert set(last["outcome"]) == {"reason", "ranking", "scores"}
    assert sorted(seat for group in last["outcome"]["ranking"] for seat in group) == list(
        range(first["players"])
    )
    assert last["state"] == plain(match.state.to_json())
    assert match.prompt is None
    assert match.legal_moves() == []


def plain(state: object) -> Any:
    """A state as it comes out of a file."""
    return json.loads(json.dumps(state))


# Every combination of its options has a match in the quick run, and five in the thorough one.
@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=pytest.mark.thorough if n >= 8 else ()) for n in range(40)]
)
def test_a_simulated_match_of_knizia_replays_with_equal_moves_and_states(seed: int) -> None:
    game = find_game(KNIZIA)
    houses = [*product(("off", "on"), repeat=3)]
    values = houses[seed % len(houses)]
    options = dict(zip(("hidden", "hidden_early_claim", "hints"), values, strict=True))
    records = [plain(record) for record in simulate(game, 2, options, seed)]
    assert records[0]["options"] == options
    check_log(records)


@pytest.mark.parametrize("name", game_ids())
def test_every_game_simulates_and_its_log_replays(
    heelstone: Heelstone, name: str, thorough: bool
) -> None:
    players = (max if thorough else min)(find_game(name).players)
    result = heelstone("simulate", name, "--players", players, "--seed", 5, "--json")
    assert (result.code, result.err) == (0, "")
    records = result.records
    assert (records[0]["game"], records[0]["players"], records[0]["seed"]) == (name, players, 5)
    check_log(records, every=1 if thorough else 9)


def test_one_seed_gives_one_match_and_another_seed_another(heelstone: Heelstone) -> None:
    one = heelstone("simulate", KNIZIA, "--seed", 7, "--json").out
    assert heelstone("simulate", KNIZIA, "--seed", 7, "--json").out == one
    assert heelstone("simulate", KNIZIA, "--seed", 8, "--json").out != one


@pytest.mark.parametrize("seed", ["-3", "0", "123456789012345678901234567890"])
def test_any_whole_number_is_a_seed(heelstone: Heelstone, seed: str) -> None:
    result = heelstone("simulate", KNIZIA, "--seed", seed, "--json")
    assert (result.code, result.err) == (0, "")
    assert result.records[0]["seed"] == int(seed)
    check_log(result.records)


def test_options_reach_the_match(heelstone: Heelstone) -> None:
    chosen = ["--option", "hidden=on", "--option", "hints=on"]
    records = heelstone("simulate", KNIZIA, *chosen, "--json").records
    assert records[0]["options"] == {"hidden": "on", "hidden_early_claim": "on", "hints": "on"}


def test_a_simulation_for_people_tells_every_move_and_the_end(heelstone: Heelstone) -> None:
    records = heelstone("simulate", KNIZIA, "--json").records
    lines = heelstone("simulate", KNIZIA, "--lang", "en").out.splitlines()
    assert len(lines) == len(records) - 1
    for line, record in zip(lines, records[1:], strict=False):
        if "move" in record:
            assert line.startswith(record["move"])
    assert "eighth megalith" in lines[-1]


def test_json_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    # Such a Python does not find itself in a folder with an umlaut in its name.
    utf8 = "0" if str(ROOT).isascii() else "1"
    ascii_only = outside(tmp_path, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8=utf8)
    names = [record["name"] for record in ascii_only("games", "--json", "--lang", "de").records]
    assert any(not name.isascii() for name in names)


# -- why ----------------------------------------------------------------------------------


@pytest.fixture
def position(heelstone: Heelstone, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A position of a simulated match as a file, and the record of the decision after it."""
    records = heelstone("simulate", KNIZIA, "--seed", 3, "--json").records
    path = tmp_path / "state.json"
    path.write_text(json.dumps(records[10]["state"]), encoding="utf-8")
    return path, records[11]


def test_why_calls_every_legal_move_legal(
    heelstone: Heelstone, position: tuple[Path, dict[str, Any]]
) -> None:
    path, record = position
    for move in record["moves"]:
        result = heelstone("why", KNIZIA, "--state", path, move, "--json")
        assert result.code == 0
        assert result.records == [{"move": move, "legal": True, "objections": []}]
    assert heelstone("why", KNIZIA, "--state", path, record["moves"][0]).out == "legal\n"


def test_why_says_by_rule_and_in_words_what_is_not_allowed(
    heelstone: Heelstone, position: tuple[Path, dict[str, Any]]
) -> None:
    path, record = position
    move = next(f"p{p} claim H4" for p in (0, 1) if p != record["player"])
    told = {}
    for lang in ("de", "en"):
        (said,) = heelstone("why", KNIZIA, "--state", path, move, "--json", "--lang", lang).records
        assert said["legal"] is False
        told[lang] = said["objections"]
    assert [(o["rule"], o["code"]) for o in told["de"]] == [
        (o["rule"], o["code"]) for o in told["en"]
    ]
    assert told["de"] and all(o["rule"] and o["text"] for o in told["de"])
    assert told["de"][0]["text"] != told["en"][0]["text"]
    first = told["en"][0]
    out = heelstone("why", KNIZIA, "--state", path, *move.split(), "--lang", "en").out
    assert out.startswith(f"{first['rule']} {first['code']}: {first['text']}\n")


def test_why_takes_a_record_of_simulate_as_it_is(
    heelstone: Heelstone, position: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    path, record = position
    whole = tmp_path / "record.json"
    whole.write_text(json.dumps({"actor": "player", "state": json.loads(path.read_text())}))
    assert heelstone("why", KNIZIA, "--state", whole, record["move"]).out == "legal\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is not JSON"),
        (b'{"a":', "is not JSON"),
        (b"\xff\xfe\x00", "is not a text file in UTF-8"),
        (b"9" * 5000, "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "not a position of knizia_stonehenge"),
        (b"null", "not a position of knizia_stonehenge"),
        (b'{"state": {}}', "not a position of knizia_stonehenge"),
        (b'"knizia"', "not a position of knizia_stonehenge"),
    ],
    ids=["empty", "torn", "binary", "long", "deep", "list", "null", "hollow", "text"],
)
def test_a_file_that_holds_no_position_is_refused(
    heelstone: Heelstone, tmp_path: Path, data: bytes, said: str
) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(data)
    assert said in heelstone("why", KNIZIA, "--state", path, "p0 done").complaint()


def test_a_file_that_is_far_too_large_is_not_read(heelstone: Heelstone, tmp_path: Path) -> None:
    path = tmp_path / "endless.jsonl"
    with path.open("wb") as file:
        file.truncate(8 << 30)
    assert "larger than 16 MiB" in heelstone("import", path).complaint()
    box = tmp_path / "endless.toml"
    path.rename(box)
    told = heelstone("watch", tmp_path, "--game", KNIZIA, "--box", box).complaint()
    assert "larger than any box file" in told


@pytest.mark.parametrize("other", [name for name in game_ids() if name != KNIZIA])
def test_a_position_of_another_game_is_refused(
    heelstone: Heelstone, position: tuple[Path, dict[str, Any]], other: str
) -> None:
    path, _ = position
    heelstone("why", other, "--state", path, "p0 done").complaint()


def test_a_position_with_any_part_spoilt_is_judged_or_refused_in_words(
    heelstone: Heelstone, position: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    path, record = position
    state = json.loads(path.read_text())
    spoilt = tmp_path / "spoilt.json"
    others: list[Any] = [None, -1, 10**40, "x", [], {}, [[]], True]
    for key, wrong in product(state, others):
        spoilt.write_text(json.dumps(state | {key: wrong}))
        result = heelstone("why", KNIZIA, "--state", spoilt, record["move"])
        if result.code:
            result.complaint()


@pytest.mark.parametrize("move", ["", "p0", "p0  done", "p0 done;", "done", "p99 done", "P0 done"])
def test_a_text_that_is_no_move_is_refused(
    heelstone: Heelstone, position: tuple[Path, dict[str, Any]], move: str
) -> None:
    path, _ = position
    assert "is not a move" in heelstone("why", KNIZIA, "--state", path, move).complaint()


# -- matches, export, import --------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A state folder with a journal of one match, ``m1``."""
    folder = tmp_path / "data"
    filled(folder / "journal.db", 12).close()
    return folder


def test_an_empty_journal_lists_nothing(heelstone: Heelstone, tmp_path: Path) -> None:
    result = heelstone("matches", "--data", tmp_path / "new", "--json")
    assert (result.code, result.out, result.err) == (0, "", "")


def test_matches_lists_what_the_journal_holds(heelstone: Heelstone, data: Path) -> None:
    (record,) = heelstone("matches", "--data", data, "--json").records
    assert (record["id"], record["game"], record["status"]) == ("m1", KNIZIA, "open")
    assert record["events"] == 12
    assert heelstone("--data", data, "matches").out.startswith("m1  knizia_stonehenge")


def test_an_exported_match_comes_back_in_another_journal(
    heelstone: Heelstone, data: Path, tmp_path: Path
) -> None:
    exported = heelstone("export", "m1", "--data", data)
    assert exported.code == 0
    assert exported.records[0]["match"]["id"] == "m1"
    assert [record["seq"] for record in exported.records[1:]] == list(range(1, 13))
    file = tmp_path / "match.jsonl"
    assert heelstone("export", "m", "--data", data, "--out", file).out == ""
    assert file.read_text(encoding="utf-8") == exported.out
    taken = heelstone("import", file, "--data", tmp_path / "other", "--json")
    assert taken.records == [{"id": "m1", "moves": 12, "over": False}]
    assert heelstone("export", "m1", "--data", tmp_path / "other").out == exported.out
    again = heelstone("import", file, "--data", tmp_path / "other")
    assert "already in the journal" in again.complaint()


def test_a_finished_match_is_looked_back_at_once(heelstone: Heelstone, tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        finished(journal)
    arguments = ("review", "m1", "--data", tmp_path)
    (told,) = heelstone(*arguments, "--seconds", 1, "--json").records
    assert told["id"] == "m1" and told["moments"][-1]["chances"] == [0, 1]
    again = heelstone(*arguments, "--lang", "de").out.splitlines()
    assert len(again) == max(len(told["turning_points"]), 1)
    points = zip(again, told["turning_points"], strict=False)
    assert all(line.startswith(f"Zug {point['ply']}: ") for line, point in points)
    assert heelstone(*arguments, "--json").records == [told], "it is known from then on"


def test_a_match_that_goes_on_is_not_looked_back_at(heelstone: Heelstone, data: Path) -> None:
    assert "once it is over" in heelstone("review", "m1", "--data", data).complaint()
    assert "at least 1" in heelstone("review", "m1", "--data", data, "--seconds", 0).complaint()


def test_a_beginning_that_fits_two_matches_is_refused(heelstone: Heelstone, data: Path) -> None:
    with Journal(data / "journal.db") as journal:
        journal.create(header("m2"))
    assert "2 matches with the id 'm'" in heelstone("export", "m", "--data", data).complaint()
    assert heelstone("export", "m2", "--data", data).code == 0


Spoil = Callable[[str], str]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda t: "", "is empty"),
        (lambda t: t[: len(t) // 2], "is not JSON"),
        (lambda t: t.replace("p0 place", "p0 shove", 1), "event 1 does not fit"),
        (lambda t: t.replace('"seq": 3', '"seq": 4'), "line 4"),
        (lambda t: t.split("\n", 1)[1], "not a match exported by Heelstone"),
        (lambda t: t.replace(KNIZIA, "chess"), "there is no game 'chess'"),
        (lambda t: t.replace('"players": 2', '"players": 9'), "is for 2 players"),
        (lambda t: t.replace('"players": 2', '"players": "many"'), "not a header"),
        (lambda t: t.replace('"players": 2', '"players": 1e999'), "not a header"),
        (lambda t: t.replace('"src": "touch"', '"src": "\\ud800"', 1), "not JSON"),
    ],
    ids=[
        "empty",
        "torn",
        "no move",
        "gap",
        "headless",
        "game",
        "players",
        "type",
        "infinite",
        "half a letter",
    ],
)
def test_a_damaged_export_is_refused_and_nothing_is_taken_in(
    heelstone: Heelstone, data: Path, tmp_path: Path, spoil: Spoil, said: str
) -> None:
    file, other = tmp_path / "match.jsonl", tmp_path / "other"
    file.write_text(spoil(heelstone("export", "m1", "--data", data).out), encoding="utf-8")
    complaint = heelstone("import", file, "--data", other).complaint()
    assert said in complaint and str(file) in complaint
    assert heelstone("matches", "--data", other, "--json").out == ""


def test_a_file_that_is_no_text_is_not_imported(heelstone: Heelstone, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_bytes(b"\xff\xfe\x00\x01")
    assert "not a text file in UTF-8" in heelstone("import", file).complaint()
    assert str(tmp_path) in heelstone("import", tmp_path).complaint()


def test_a_torn_journal_is_set_aside_what_is_readable_is_saved_and_the_program_goes_on(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    with filled(folder / "journal.db", 40) as journal:
        for number in range(2, 60):
            journal.create(header(f"m{number}"))
            for move in ("p0 place 1 G", "p0 done"):
                journal.append(f"m{number}", played(move), src=Source.TOUCH)
        moves = [entry.move.text for entry in replay(header(), journal.events("m1")).match.log]
    file = folder / "journal.db"
    torn = file.read_bytes()[:-3000]
    file.write_bytes(torn)
    first = heelstone("matches", "--data", folder, "--json")
    assert first.code == 0
    assert first.err.count("\n") == 1
    assert "was damaged" in first.err and "set aside" in first.err
    (kept,) = folder.glob("journal-damaged-*.db")
    assert kept.read_bytes() == torn
    second = heelstone("matches", "--data", folder, "--json")
    assert (second.code, second.err, second.out) == (0, "", first.out)
    assert len(second.records) > 30
    for record in second.records:
        saved = heelstone("export", record["id"], "--data", folder).records[1:]
        told = [event["body"]["move"] for event in saved]
        wanted = moves if record["id"] == "m1" else ["p0 place 1 G", "p0 done"]
        assert told == wanted[: len(told)]


def test_a_journal_that_sqlite_cannot_read_is_one_line(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(Journal, "matches", broken)
    assert "disk I/O error" in heelstone("matches").complaint()


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
