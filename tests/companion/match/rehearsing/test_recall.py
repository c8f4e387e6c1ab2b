"""What a table was last told becomes a scene that comes to the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal.events import Source
from companion.match.messages import Message
from companion.match.rehearsing.recall import Recall
from companion.match.rehearsing.rehearsal import Rehearsal
from companion.match.rehearsing.scene import read_scene
from companion.match.table import Table
from companion.match.view import PlayAnyway, PlayMove, Undo
from companion.settings.enforcement import Enforcement
from rules.core import Move
from rules.games import find_game
from rules.match import Match
from tests.support.rehearsing import SCENES, rehearsed, scene_of
from tests.support.table_setup import Hands


class Overheard(Rehearsal):
    """A rehearsal that somebody listens to."""

    recall: Recall | None = None

    def _send(self, message: Message, src: Source = Source.TOUCH) -> None:
        self.recall = self.recall or Recall(self.table)
        self.recall.hear(message, self.table, self.now_s)
        super()._send(message, src)


@pytest.mark.parametrize("name", [
    "knizia_stonehenge/offence_a_line_nobody_controls",
    "knizia_stonehenge/a_touch_comes_before_the_piece",
    "dolmengoetter/a_druid_lies_down_and_the_next_player_walks",
])  # fmt: skip
def test_what_was_told_comes_to_the_same_when_it_is_told_again(name: str) -> None:
    path = SCENES / f"{name}.jsonl"
    game = find_game(path.parent.name)
    first = Overheard(game, 2, {}, Enforcement.ENFORCE)
    first.play(scene_of(path))
    assert first.recall is not None
    lines = [json.dumps(step) for step in first.recall.scene("again", first.now_s)]
    again = rehearsed(read_scene("\n".join(lines), "again"), game.id)
    assert [entry.move for entry in again.match.log] == [e.move for e in first.match.log]
    assert [r.objections for r in again.refusals] == [r.objections for r in first.refusals]
    assert (again.asked, again.table.state) == (first.asked, first.table.state)


def test_a_scene_begins_with_the_match_so_far_even_with_what_was_against_the_rules() -> None:
    hands = Hands()
    for message in (PlayMove(Move.parse("p0 place 1 G")), PlayMove(Move.parse("p0 place 2 H")),
                    PlayAnyway()):  # fmt: skip
        hands.send(message)
    recall = Recall(Table(hands.journal, hands.journal.header("m1"), hands.manners))
    recall.hear(Undo(2), hands.table, 5.0)
    heading, *steps = recall.scene("a moment", 6.0)
    assert (heading["game"], heading["scene"]) == ("knizia_stonehenge", "a moment")
    assert steps == [
        {"tap": "p0 place 1 G"},
        {"tap": "p0 place 2 H"},
        {"press": "anyway"},
        {"setup": True, "for": 1},
        {"press": "undo"},
        {"press": "undo"},
        {"look": {}, "for": 1.0},
    ]
    text = "\n".join(map(json.dumps, (heading, *steps)))
    assert rehearsed(read_scene(text, Path("x")), "knizia_stonehenge").match.ply == 0


def test_what_the_program_dealt_to_a_seat_is_dealt_again() -> None:
    game, options = find_game("dominion"), {"kingdom": "first-game", "last_winners": "p0"}
    heading = {"scene": "beside the druid", "dealt": [1], "seed": "any", "options": options}
    told = Match(game, 2, options, physical=True, seed="any", dealt=(1,))
    told.follow()
    moves = [move.text for move in told.legal_moves() if move.player == 1 and "?" not in move.text]
    text = "\n".join(map(json.dumps, (heading, {"tap": moves[0]}, {"wait": 2})))
    scene = read_scene(text, Path("x"))
    first = Overheard(game, 2, options, dealt=scene.heading.dealt, seed=scene.heading.seed)
    first.play(scene)
    assert first.recall is not None
    again = [*map(json.dumps, first.recall.scene("again", first.now_s))]
    assert rehearsed(read_scene("\n".join(again), Path("y")), game.id).match.log == first.match.log
    assert moves[0] in [entry.move.text for entry in first.match.log]
    other = read_scene(text.replace('"any"', '"other"'), Path("z"))
    dealt = rehearsed(read_scene("\n".join(again[:1]), Path("y")), game.id).match.state.to_json()
    assert rehearsed(replace(other, steps=()), game.id).match.state.to_json() != dealt
