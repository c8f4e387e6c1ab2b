"""Scenes rehearsed, and recalled from a journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.journal.events import Source
from companion.match import events
from companion.match.messages import Message, Seen
from companion.match.rehearsing.expected import Expect
from companion.match.rehearsing.expecting import unmet
from companion.match.rehearsing.recall import Recall
from companion.match.rehearsing.rehearsal import Rehearsal, Told
from companion.match.rehearsing.scene import read_scene
from companion.match.rehearsing.truth import Truth
from companion.match.rehearsing.values import SceneError
from companion.match.table import Table
from companion.match.view import ChooseCandidate, PlayAnyway, PlayMove, TableState, Undo
from companion.settings.enforcement import Enforcement
from rules.core import Move
from rules.games import find_game
from rules.match import Match
from rules.reading.reading import Candidate, Status
from rules.reading.sighting import Glimpse
from tests.support.rehearsing import SCENES, rehearsed, scene_of
from tests.support.table_setup import Hands

BLACK_1 = {"moves": ["p0 place 1 G"]}


def played(*lines: Mapping[str, Any], game: str = "knizia_stonehenge") -> Rehearsal:
    """A scene of these lines, played to its end."""
    return rehearsed(read_scene("\n".join(map(json.dumps, lines)), Path("x")), game)


def missed(*lines: Mapping[str, Any], game: str = "knizia_stonehenge") -> list[int | None]:
    """The lines whose expectations were not met."""
    return [one.line for one in unmet(None, played(*lines, game=game))]


class Watched(Rehearsal):
    """A rehearsal that writes down what its camera sees."""

    seen: list[tuple[float, Seen]]

    def _send(self, message: Message, *src: Any) -> None:
        self.seen = getattr(self, "seen", [])
        if isinstance(message, Seen):
            self.seen.append((self.now_s, message))
        super()._send(message, *src)


def watched(*lines: Mapping[str, Any], game: str = "knizia_stonehenge") -> Watched:
    """The same, watched."""
    rehearsal = Watched(find_game(game), 2, {})
    rehearsal.play(read_scene("\n".join(map(json.dumps, lines)), Path("x")))
    return rehearsal


def hands(rehearsal: Watched) -> float:
    """Seconds in which a hand was seen."""
    times = [at_s for at_s, seen in rehearsal.seen if seen.sighting.hand]
    return max(times) - min(times) if times else 0.0


def test_each_step_takes_a_hand_two_seconds_and_done_none() -> None:
    moves = ["p0 place 1 G", "p0 done", "p1 place 5 A", "p1 done"]
    assert hands(watched({"moves": moves})) == 4.0
    assert hands(watched({"moves": moves, "step_s": 0.5})) == 1.0
    assert hands(watched({"moves": moves, "step_s": 0})) == 0.0
    each = watched({"moves": moves, "look": "each", "for": 3})
    shown = [at_s for at_s, seen in each.seen if not seen.sighting.hand]
    assert 2.0 in shown and 7.0 in shown and not any(5.0 < at_s < 7.0 for at_s in shown)
    assert [e.move.text for e in each.match.log] == moves[:3]


def test_moves_without_a_trace_take_time_too() -> None:
    assert hands(watched({"moves": []})) == 0.0
    back = watched({"look": {"G": ["stone black 1"]}}, {"moves": []})
    assert hands(back) == 2.0  # something is put right
    silent = watched({"moves": ["dealer start p0"]}, game="hoher_rat")
    assert hands(silent) > 0.0


def test_late_and_hidden_sites() -> None:
    both = {"moves": ["p0 place 1 G", "p0 done", "p1 place 5 A"], "late": ["A"], "hidden": ["G"]}
    rehearsal = watched(both, {"moves": []})
    sights = [seen.sighting.sites for _, seen in rehearsal.seen if not seen.sighting.hand]
    first, last = sights[1], sights[-1]
    assert first["G"].occluded and first["A"].best == ()
    assert last["G"].best and last["A"].best == (Glimpse("stone brown 5"),)


def test_touched_moves_are_in_the_record_before_they_lie_there() -> None:
    rehearsal = played({**BLACK_1, "touched": True})
    entered = [told.event for told in rehearsal.told]
    states = [event.state for event in entered if isinstance(event, events.StateEntered)]
    assert TableState.PENDING in states and rehearsal.table.state is TableState.SETTLED
    assert TableState.PROPOSED not in states


def test_the_truth_stays_before_what_is_forbidden() -> None:
    rehearsal = played({"moves": ["p0 place 1 G", "p0 place 2 H"], "forbidden": True})
    assert [e.move.text for e in rehearsal.truth.match.log] == ["p0 place 1 G"]
    two = {"moves": ["p0 place 2 H"], "forbidden": True}
    again = played(BLACK_1, two, {"expect": "refused", "who": 0}, {"moves": []})
    assert unmet(None, again) == [] and [e.move.text for e in again.match.log] == BLACK_1["moves"]


def test_what_follows_by_itself_may_be_named() -> None:
    named = ["dealer start p0", "p0 druid U3"]
    twice = played({"moves": named, "touched": True}, {"moves": []}, game="dolmengoetter")
    assert [e.move.text for e in twice.truth.match.log] == named


class Asked(Rehearsal):
    """A rehearsal at a table that asks this, whatever it sees."""

    def __init__(self, *answers: str | tuple[int, str]) -> None:
        super().__init__(find_game("knizia_stonehenge"), 2, {})
        texts = [(0, each) if isinstance(each, str) else each for each in answers]
        self.offers = [
            Candidate(tuple(map(Move.parse, filter(None, text.split("; ")))), back)
            for back, text in texts
        ]
        self.chosen: list[int] = []
        view = SimpleNamespace(state=TableState.AMBIGUOUS, candidates=self.offers, refused=None)
        self.table.view = lambda *_: view  # type: ignore[method-assign, assignment]

    def _send(self, message: Message, *src: Any) -> None:
        if isinstance(message, ChooseCandidate):
            self.chosen.append(message.index)
        else:
            super()._send(message, *src)

    def answered(self, *truth: str, seen: Mapping[str, Any] | None = None) -> list[int]:
        """The answers chosen, if ``truth`` was played after something ``seen`` at once."""
        moves = {"moves": truth, "for": 0, "step_s": 0}
        lines = [*([seen] if seen else []), moves, {"answer": "truthfully"}]
        self.play(read_scene("\n".join(map(json.dumps, lines)), Path("x")))
        return self.chosen


def test_an_answer_by_truth_chooses_what_was_played() -> None:
    one, other = "p0 place 1 G", "p0 place 1 K"
    assert Asked(one, other).answered(one) == [0]
    assert Asked(one, other).answered(other) == [1]
    assert Asked("p0 place 2 B", other).answered(other, "p0 done", "p1 place 5 A") == [1]
    # The one that says more of it is better, and nothing that was not played.
    more = f"{other}; p0 done; p1 place 5 A"
    assert Asked(other, more).answered(other, "p0 done", "p1 place 5 A") == [1]
    assert Asked(more, other).answered(other) == [1]


def test_what_nobody_saw_is_left_open() -> None:
    begun = ["dealer start p0", *["p0 play copper"] * 4, "p0 buy militia"]
    turns = [*["p1 play copper"] * 3, "p1 buy silver", *["p0 play copper"] * 3, "p0 buy village"]
    last = [*["p1 play copper"] * 4, "p1 buy workshop", "p0 play militia"]
    truth = Truth(Match("dominion", 2, physical=True))
    record = Match("dominion", 2, physical=True)
    for move in [*begun, *turns, *last]:
        for match in (truth.match, record):
            match.push(move)
            match.follow()
    truth.match.push("p1 discard estate")
    assert not truth.is_record(record)
    assert truth.leads(record, 0, [Move.parse("p1 discard silver")]) is None
    unseen = truth.leads(record, 0, [Move.parse("p1 discard ?")])
    assert unseen is not None and unseen.all
    truth.match.push("p1 discard copper")
    some = truth.leads(record, 0, [Move.parse("p1 discard ?")])
    assert some is not None and not some.all
    record.push("p1 discard copper")
    record.push("p1 discard ?")
    assert truth.is_record(record)


def test_an_answer_by_truth_takes_back_what_was_not_played() -> None:
    seen = {"look": {"G": ["stone black 1"]}}
    assert Asked((1, ""), (0, "p0 done; p1 place 5 A")).answered(seen=seen) == [0]
    assert Asked((0, "p0 done; p1 place 5 A"), (1, "p0 place 1 K")).answered(
        "p0 place 1 K", seen=seen
    ) == [1]


def test_an_answer_by_truth_that_nobody_offers_is_an_error() -> None:
    with pytest.raises(SceneError) as raised:
        Asked("p0 place 1 G", (0, "p0 place 2 B; p0 done")).answered("p0 place 2 C")
    assert str(raised.value) == (
        "x, line 2: no answer leads to what was played, 'p0 place 2 C'; offered are: "
        "'p0 place 1 G', 'p0 place 2 B, p0 done'"
    )


def test_an_answer_by_truth_presses_nothing_if_nothing_is_asked() -> None:
    assert [e.move.text for e in played({"answer": "truthfully"}, BLACK_1).match.log]


def test_a_card_lies_open_on_a_pile_that_takes_only_backs() -> None:
    rehearsal = watched(
        {"look": {"draw-p0": [{"kind": "gold", "face": "up"}]}}, {"moves": []}, game="dominion"
    )
    open_, put_back = (
        next(seen.sighting for at_s, seen in rehearsal.seen if at_s >= s) for s in (3, 8)
    )
    (stray,) = open_.strays
    assert stray.kind == "gold" and stray.at_mm == rehearsal.box.sites["draw-p0"].at
    assert open_.sites["draw-p0"].best == () and not put_back.strays
    assert put_back.sites["draw-p0"].best


def test_what_lines_expect() -> None:
    lifted = {"look": {"G": []}, "for": 0.5}
    assert missed({"expect": "nothing"}, BLACK_1, {"expect": "agreed"}, {"expect": "nothing"}) == []
    assert missed({"expect": "agreed"}, BLACK_1, {"expect": "nothing"}) == [1, 3]
    wrong = {"expect": "agreed", "moves": ["p0 place 2 G"]}
    assert missed(BLACK_1, wrong, {"expect": "agreed"}) == [2, 3]
    assert missed(BLACK_1, {"expect": "agreed"}, lifted, {"expect": "waits"}) == []
    assert missed(BLACK_1, {"expect": "waits"}, lifted, {"expect": "nothing"}) == [2]
    assert missed(BLACK_1, {"expect": ["waits", {"expect": "agreed", **BLACK_1}]}) == []


def test_what_is_still_asked_counts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rehearsal = Rehearsal(find_game("knizia_stonehenge"), 2, {})
    asked = {"expect": "asked", "moves": ["p0 place 1 K"]}
    lines = [{"expect": "nothing"}, asked, asked, {"expect": "asked", "moves": ["p0 place 1 G"]}]
    scene = read_scene("\n".join(map(json.dumps, lines)), Path("x"))
    told = events.Asked((Candidate((Move.parse("p0 place 1 K"),)),))
    check, steps = rehearsal._check, [step for step in scene.steps if isinstance(step, Expect)]
    check(steps[0])
    rehearsal.told.append(Told(1.0, told))
    monkeypatch.setattr(Table, "state", TableState.AMBIGUOUS)
    for step in steps[1:]:
        check(step)
    assert [one.line for one in unmet(None, rehearsal)] == [4]


def test_who_is_told_and_why() -> None:
    two = {"moves": ["p0 place 2 H"], "forbidden": True}
    right = {"expect": "refused", "who": 0, "rule": "already_placed"}
    assert missed(BLACK_1, two, right, {"expect": "refused", "rule": "1.4"}) == []
    assert missed(BLACK_1, two, {**right, "who": 1}) == [3]
    assert missed(BLACK_1, two, {**right, "rule": "occupied"}) == [3]
    # It shows that something is not allowed, and has not said why.
    early = {**two, "for": 2}
    assert missed(BLACK_1, {"expect": "agreed"}, early, {"expect": "nothing"}, right) == [4, 5]


def test_a_board_in_disorder_differs() -> None:
    disorder = {"look": {site: ["stone brown 1"] for site in "GHI"}, "for": 8}
    rehearsal = played(disorder, {"expect": "differs"}, {"wait": 1}, {"expect": "differs"})
    assert unmet(None, rehearsal) == []
    assert rehearsal.table.reading is not None
    assert rehearsal.table.reading.status is not Status.SETTLED


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
