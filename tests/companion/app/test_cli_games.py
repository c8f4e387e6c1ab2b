"""Commands about games: listed, checked, simulated, and moves judged."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.app.simulate import simulate
from rules.games import find_game, game_ids
from rules.match import Match
from tests.support.command import ROOT, Heelstone, outside
from tests.support.sweep import some

KNIZIA = "knizia_stonehenge"


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


@pytest.mark.parametrize("name", some(game_ids()))
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
