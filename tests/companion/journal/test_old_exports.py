"""Exports that an earlier Heelstone wrote replay to the state recorded then, and stay as they are.

Each holds takebacks and what players said of stickers, most of them penalties, moves against the
rules and amended entries; ``own_board`` is played on a board of one's own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import Header
from companion.journal.exports import read_export
from companion.journal.fold import begin, replay
from companion.journal.store import Journal
from companion.match.record import MatchRecord
from rules.games import find_game, game_ids

FOLDER = Path(__file__).with_name("exports")
STATES: dict[str, Any] = json.loads((FOLDER / "states.json").read_text(encoding="utf-8"))


def test_there_is_one_of_every_game() -> None:
    assert set(STATES) == {*game_ids(), "own_board"}
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(STATES)


@pytest.mark.parametrize("name", STATES)
def test_an_old_export_replays_to_the_state_it_had(name: str) -> None:
    path = FOLDER / f"{name}.jsonl"
    header, _, events = read_export(path.read_text(encoding="utf-8"), path.name)
    fold, wanted = replay(header, events), STATES[name]
    outcome, game = fold.match.outcome, fold.match.game
    if "options" in wanted["state"]:
        # An option that did not exist yet stands at what everybody played then.
        asked = game.as_played(header.options)
        wanted["state"]["options"] = game.complete_options(header.players, asked)
    assert json.loads(json.dumps(fold.match.state.to_json())) == wanted["state"]
    assert list(fold.match.scores) == wanted["scores"]
    assert (None if outcome is None else outcome.to_json()) == wanted["outcome"]
    assert (fold.taken_back, fold.amended) == (wanted["taken_back"], wanted["amended"])


@pytest.mark.parametrize("name", STATES)
def test_an_old_export_is_taken_in_and_given_out_again_byte_for_byte(name: str) -> None:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    with Journal(":memory:") as journal:
        match_id = journal.import_match(text, name).header.id
        assert "".join(f"{line}\n" for line in journal.export(match_id)) == text
        record = MatchRecord(journal, journal.header(match_id))
        assert sorted(record.stickered) == STATES[name]["stickered"]
        assert [move.text for move in record.public_log] == STATES[name]["public"]


def test_a_match_from_before_an_option_goes_on_as_it_was_played() -> None:
    """Opferroulette ended when everybody had passed; stolen projects stayed with the thief."""
    for game_id in game_ids():
        game = find_game(game_id)
        known = {name: values[0] for name, values in game.options.items()}
        before = {name: value for name, value in known.items() if name not in game.formerly}
        players = game.players[-1]
        header = Header("m", game_id, players, before, False, "1", ("",) * players, "off", 0.0)
        match = begin(header)
        assert {name: match.options[name] for name in game.formerly} == game.formerly
        assert game.from_json(match.state.to_json() | {"options": before}).to_json() == (
            match.state.to_json()
        )
    assert find_game("opferroulette").formerly and find_game("erbaut_stonehenge").formerly
