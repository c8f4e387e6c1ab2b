"""One match at two tables: each decides for its own seats, and both records become the same.

The network between them may lose, repeat and reorder everything; programs may end at any moment.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.journal.entries import Header, JournalError, Together, new_match_id
from companion.journal.events import EntryAmended, MovePlayed, Source, TakenBack, Told
from companion.journal.store import Journal
from companion.match.events import MovesCommitted, MovesUndone, TableEvent, Trouble
from companion.match.looking_back.library import Library
from companion.match.messages import RemoteSync, RemoteUndo
from companion.match.remote_match import Misfit, answer_to, decided_by
from companion.match.table import Table
from companion.match.view import Amend, AutoDeal, PlayAnyway, PlayMove, PlayMoves, Redo, Undo
from companion.settings.manners import Manners
from rules.core import Move
from rules.games import find_game
from rules.match import Entry
from rules.testing.playout import pick

GAMES = ("knizia_stonehenge", "dolmengoetter", "rollende_steine")
SHARED = "0123456789abcdef01234567"


@dataclass
class Side:
    """One of the two tables; its journal outlives its program."""

    path: Path | str
    header: Header
    table: Table = field(init=False)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.journal = Journal(self.path)
        self.journal.create(self.header)
        self._open()

    def _open(self) -> None:
        self.table = Table(self.journal, self.header, Manners())

    def kill(self) -> None:
        """The program ends and begins again; only the journal is left."""
        self._open()

    @property
    def told(self) -> list[Told]:
        return list(self.table.record.told)

    def do(self, *what: object, src: Source = Source.TOUCH) -> list[TableEvent]:
        """Tell the table things; gives what came of them."""
        found: list[TableEvent] = []
        for one in what:
            self.now += 1.0
            found += self.table.handle(one, self.now, src)  # type: ignore[arg-type]
        return found

    def says(self) -> tuple[list[Told], int]:
        """The message to the other table now."""
        return self.told, self.table.rights.wish

    def hears(self, said: tuple[list[Told], int]) -> list[TableEvent]:
        intent = answer_to(self.told, *said)
        return [] if intent is None else self.do(intent, src=Source.ELSEWHERE)


def two(game: str = "knizia_stonehenge", seats: Sequence[int] = (0,), seed: int = 1,
        enforcement: str = "enforce", players: int = 2) -> tuple[Side, Side]:  # fmt: skip
    """Two tables of one match; ``seats``: those at the first."""
    rules = find_game(game)
    there = tuple(seat for seat in range(players) if seat not in seats)

    def header(here: tuple[int, ...], table: str, *, hosting: bool) -> Header:
        return Header(
            id=new_match_id(), game=game, players=players,
            options=rules.complete_options(players, {}), physical=True, seed=f"{seed}{table}",
            names=("",) * players, enforcement=enforcement, created_s=1.0,
            together=Together(SHARED, table, here, hosting),
        )  # fmt: skip

    return (
        Side(":memory:", header(tuple(seats), "south", hosting=True)),
        Side(":memory:", header(there, "north", hosting=False)),
    )


def exchange(one: Side, other: Side) -> None:
    """Both hear each other until there is nothing new."""
    for _ in range(6):
        other.hears(one.says())
        one.hears(other.says())


def legal(side: Side) -> list[Move]:
    return list(side.table.view().legal)


def test_a_move_of_one_table_becomes_one_of_the_other() -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    events = other.hears(one.says())
    assert [e.src for e in events if isinstance(e, MovesCommitted)] == [Source.ELSEWHERE]
    assert other.table.match.log == one.table.match.log
    assert other.table.view().prompt == one.table.view().prompt
    stored = list(other.journal.events(other.header.id))
    assert {event.src for event in stored} == {Source.ELSEWHERE}


def test_a_turn_ends_by_itself_where_the_next_one_begins_on_another_board() -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    assert decided_by(one.table.match) == 1
    assert one.table.view().legal == ()
    view = one.table.view()
    assert view.other is not None and view.other.asked and view.other.name == "south"
    assert not other.table.view().can_undo


def test_what_the_other_table_decides_is_refused_with_a_sentence() -> None:
    one, other = two()
    events = other.do(PlayMove(Move.parse("p0 place 3 A")))
    assert [e.what.code for e in events if isinstance(e, Trouble) and e.what] == [
        "decided_elsewhere"
    ]
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    other.hears(one.says())
    events = other.do(Undo())
    assert [e.what.code for e in events if isinstance(e, Trouble) and e.what] == [
        "taken_back_elsewhere"
    ]
    joined = PlayMoves((Move.parse("p1 place 3 B"), Move.parse("p1 done"),
                       Move.parse("p0 place 1 C")))  # fmt: skip
    assert any(isinstance(e, Trouble) for e in other.do(joined))
    assert other.table.match.ply == one.table.match.ply


def test_a_move_is_taken_back_once_the_other_table_lets_it_go() -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    exchange(one, other)
    one.do(Undo())
    assert one.table.match.ply == other.table.match.ply == 2, "the other table is asked first"
    view = one.table.view()
    assert view.other is not None and view.other.wished and not view.can_undo
    events = other.hears(one.says())
    assert any(isinstance(e, MovesUndone) for e in events)
    one.hears(other.says())
    assert one.table.match.ply == other.table.match.ply == 0
    assert one.told == other.told
    one.do(Redo())
    exchange(one, other)
    assert other.table.match.ply == one.table.match.ply == 2


def test_what_was_answered_meanwhile_counts() -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    exchange(one, other)
    one.do(Undo())
    wished = one.says()
    other.do(PlayMove(Move.parse("p1 place 3 B")))
    other.hears(wished)
    exchange(one, other)
    assert one.told == other.told
    assert [entry.move.text for entry in one.table.match.log[::2]] == [
        "p0 place 3 A", "p1 place 3 B",
    ]  # fmt: skip
    view = one.table.view()
    assert view.other is not None and not view.other.wished


def test_a_wish_is_fulfilled_even_if_whoever_wished_was_restarted() -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    exchange(one, other)
    one.do(Undo())
    other.hears(one.says())
    one.kill()
    one.hears(other.says())
    assert one.told == other.told and one.table.match.ply == 0


def test_a_table_that_was_restarted_lets_go_of_nothing_it_did_not_wish_to() -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    exchange(one, other)
    before = one.told
    one.kill()
    one.do(RemoteSync(len(before), (TakenBack(2),)), src=Source.ELSEWHERE)
    assert one.told == before and one.table.rights.misfit
    # Two are wished, and one is let go: that is not what was asked for.
    one.do(Undo())
    one.kill()
    one.do(RemoteSync(len(before), (TakenBack(1),)), src=Source.ELSEWHERE)
    assert one.told == before and one.table.rights.wish == 2


def test_a_match_that_is_over_is_over_at_both_and_its_end_can_be_taken_back() -> None:
    one, other = two(seed=4)
    chance = random.Random(4)
    play_on(one, other, chance)
    for side in (one, other):
        assert side.table.match.outcome is not None
        assert side.journal.status(side.header.id) == "finished"
    assert one.told == other.told
    last = one if one.table.seats.own_last(one.table.record.played, 2) else other
    last.do(Undo())
    exchange(one, other)
    assert one.table.match.outcome is None and other.table.match.outcome is None
    assert {side.journal.status(side.header.id) for side in (one, other)} == {"open"}
    play_on(one, other, chance)
    assert one.table.match.outcome == other.table.match.outcome is not None


FORBIDDEN = {
    "claimed before a stone lies there": "p0 claim R5",
    "a turn ended without a stone": "p0 done",
}
"""What hands at the first table can do, and the rules forbid."""


def ready_to_break(enforcement: str) -> tuple[Side, Side]:
    one, other = two(enforcement=enforcement)
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    exchange(one, other)
    other.do(PlayMove(Move.parse("p1 place 3 C")))
    exchange(one, other)
    return one, other


def codes(events: Sequence[TableEvent]) -> list[str]:
    return [e.what.code for e in events if isinstance(e, Trouble) and e.what]


@pytest.mark.parametrize("enforcement", ["off", "advise", "enforce", "penalise"])
@pytest.mark.parametrize("text", FORBIDDEN.values(), ids=FORBIDDEN)
def test_what_comes_from_elsewhere_is_judged_by_what_both_agreed_on(
    enforcement: str, text: str
) -> None:
    one, other = ready_to_break(enforcement)
    assert one.table.match.why_not(text)
    before, forced = other.told, MovePlayed(Move.parse(text), forced=True)
    events = other.do(RemoteSync(len(before), (forced,)), src=Source.ELSEWHERE)
    if enforcement in ("off", "advise"):
        assert codes(events) == (["forced_there"] if enforcement == "advise" else [])
        assert other.told == [*before, forced]
        return
    assert codes(events) == ["forced_elsewhere"] and other.table.rights.misfit
    assert other.told == before
    # Nor does it come in as a correction, nor as one that is taken back in the same breath.
    for told in ((EntryAmended(4, 1), forced), (forced, TakenBack(1))):
        other.do(RemoteSync(len(before), told), src=Source.ELSEWHERE)
        assert other.told == before
    # What the rules allow goes on to count.
    one.do(PlayMove(legal(one)[0]))
    exchange(one, other)
    assert one.told == other.told != before and not other.table.rights.misfit


@pytest.mark.parametrize("enforcement", ["off", "advise", "enforce", "penalise"])
@pytest.mark.parametrize("text", FORBIDDEN.values(), ids=FORBIDDEN)
def test_one_table_cannot_do_anyway_what_both_agreed_not_to_do(enforcement: str, text: str) -> None:
    one, other = ready_to_break(enforcement)
    before = one.told
    events = one.do(PlayMove(Move.parse(text)), PlayAnyway())
    if enforcement in ("off", "advise"):
        assert len(one.told) > len(before)
    else:
        assert codes(events) == ["forced_here"] and one.told == before
        one.do(Amend(one.table.match.ply + 1, (Move.parse(text),), len(one.table.record.told)))
        assert one.told == before
    exchange(one, other)
    assert one.told == other.told and not other.table.rights.misfit


def test_amending_what_the_other_table_decided_is_refused() -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    exchange(one, other)
    move = Move.parse("p0 place 1 A")
    for side in (one, other):
        events = side.do(Amend(1, (move,), len(side.table.record.told)))
        assert [e.what.code for e in events if isinstance(e, Trouble) and e.what] == [
            "taken_back_elsewhere"
        ]
    assert one.told == other.told


NONSENSE: list[tuple[Told, ...]] = [
    (TakenBack(1),), (TakenBack(7),), (EntryAmended(9, 1),), (EntryAmended(0, 0),),
    (MovePlayed(Move.parse("p0 place 9 Q")),),
    (MovePlayed(Move.parse("p0 place 3 B")),),
    (MovePlayed(Move.parse("p1 place 3 C")),),
    (MovePlayed(Move.parse("p0 claim R5")),),
    (MovePlayed(Move.parse("p0 place 1 C")), MovePlayed(Move.parse("p0 done")), TakenBack(3)),
    (MovePlayed(Move.parse("dealer start p0")),),
]  # fmt: skip


@pytest.mark.parametrize("told", [*NONSENSE, (MovePlayed(Move.parse("p0 place 1 C")),)])
def test_what_the_other_table_may_not_decide_changes_nothing(told: tuple[Told, ...]) -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    exchange(one, other)
    other.do(PlayMove(Move.parse("p1 place 3 B")))
    exchange(one, other)
    # The first table is asked, so the other one has nothing to decide; and of what the first may
    # decide not everything is possible.
    for side in (one, other) if told in NONSENSE else (one,):
        before, rows = side.told, list(side.journal.events(side.header.id))
        events = side.do(RemoteSync(len(before), told), src=Source.ELSEWHERE)
        codes = [e.what.code for e in events if isinstance(e, Trouble) and e.what]
        assert codes == ["misfit_elsewhere"] and side.table.rights.misfit
        assert side.told == before
        assert list(side.journal.events(side.header.id)) == rows


def test_a_table_never_lets_go_of_its_own_moves_unasked() -> None:
    one, other = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    exchange(one, other)
    other.do(PlayMove(Move.parse("p1 place 3 B")))
    exchange(one, other)
    one.do(PlayMove(Move.parse("p0 place 3 C")))
    before = one.told
    one.do(RemoteSync(len(before), (TakenBack(2),)), src=Source.ELSEWHERE)
    assert one.told == before and one.table.rights.misfit
    # Nor does it take back its own because the other asks for more than is the other's.
    exchange(one, other)
    before = other.told
    other.do(RemoteUndo(len(before), 4), src=Source.ELSEWHERE)
    assert other.told == before


def test_records_that_contradict_each_other_are_noticed() -> None:
    mine: list[Told] = [MovePlayed(Move.parse("p0 place 3 A"))]
    theirs: list[Told] = [MovePlayed(Move.parse("p0 place 3 B"))]
    with pytest.raises(Misfit):
        answer_to(mine, theirs, 0)


def test_a_header_names_the_other_table_and_nonsense_is_refused() -> None:
    one, _ = two()
    assert Header.from_json(one.header.to_json()) == one.header
    for here in ([], [0, 1], [5], ["x"]):
        data = one.header.to_json()
        data["together"]["here"] = here
        with pytest.raises(JournalError):
            Header.from_json(data)


def play_on(one: Side, other: Side, chance: random.Random, most: int = 2_000) -> None:
    """Both play at random to the end."""
    for _ in range(most):
        if one.table.match.outcome is not None:
            break
        for side in (one, other):
            if moves := legal(side):
                side.do(PlayMove(pick(side.table.match.state, moves, chance)))
        exchange(one, other)
    exchange(one, other)


def own(told: Sequence[Told], side: Side) -> list[tuple[int, Move]]:
    """The moves of players at this table that count, with their places in the record."""
    moves: list[Move] = []
    for what in told:
        if isinstance(what, MovePlayed):
            moves.append(what.move)
        elif isinstance(what, TakenBack):
            del moves[-what.count :]
    seats = side.table.seats.here
    return [(n, move) for n, move in enumerate(moves) if move.player in seats]


DEEDS = ("play", "play", "play", "play", "say", "say", "say", "hear", "hear", "lose", "again",
         "undo", "redo", "kill", "stray")  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 10**9), st.integers(20, 120))
def test_records_become_equal_whatever_the_network_does(game: str, seed: int, deeds: int) -> None:
    chance = random.Random(seed)
    rules = find_game(game)
    players = chance.choice([n for n in rules.players if 2 <= n <= 4])
    seats = tuple(sorted(chance.sample(range(players), chance.randrange(1, players))))
    enforcement = chance.choice(["enforce", "advise", "off"])
    pair = two(game, seats, seed, enforcement, players)
    wires: tuple[list[tuple[list[Told], int]], ...] = ([], [])
    for _ in range(deeds):
        at = chance.randrange(2)
        side, wire = pair[at], wires[1 - at]
        before, wishes = side.told, side.table.rights.wish > 0
        match deed := chance.choice(DEEDS):
            case "play":
                if moves := legal(side):
                    match = side.table.match
                    side.do(PlayMove(pick(match.state, moves, chance)))
                elif side.table.view().may_deal:
                    side.do(AutoDeal())
            case "stray":
                # Somebody touches what hands could do, allowed or not, asked or not.
                match = side.table.match
                some = list(match.state.pseudo_moves())
                if some:
                    move = chance.choice(sorted(some, key=lambda one: one.text))
                    side.do(PlayMove(move), *([PlayAnyway()] if chance.random() < 0.5 else []))
            case "say":
                wires[at].append(side.says())
            case "hear" if wire:
                # Reordered; and what was heard may come again.
                said = wire[chance.randrange(len(wire))]
                side.hears(said)
                if chance.random() < 0.5:
                    wire.remove(said)
            case "lose":
                wire.clear()
            case "undo":
                side.do(Undo(chance.choice((1, 1, 2))))
            case "redo":
                side.do(Redo())
            case "kill":
                side.kill()
        assert side.told[: len(before)] == before, "a record is only added to"
        shorter, longer = sorted((pair[0].told, pair[1].told), key=len)
        assert longer[: len(shorter)] == shorter, "one record is the beginning of the other"
        assert not side.table.rights.misfit
        # What was decided here is gone only if people here took it back, or wished that.
        lost = [move for move in own(before, side) if move not in own(side.told, side)]
        assert not lost or wishes or deed in ("undo", "stray")
    exchange(*pair)
    one, other = pair
    assert one.told == other.told
    assert one.table.match.log == other.table.match.log
    assert one.table.match.state.to_json() == other.table.match.state.to_json()
    for side in pair:
        replayed = Table(side.journal, side.header, Manners())
        assert replayed.record.told == side.told
    taken = sum(what.count for what in one.told if isinstance(what, TakenBack))
    played = sum(isinstance(what, MovePlayed) for what in one.told)
    assert one.table.match.ply == played - taken


def test_looking_back_puts_nothing_right_that_the_other_table_would_not_hear_of(
    tmp_path: Path,
) -> None:
    one, _ = two()
    one.do(PlayMove(Move.parse("p0 place 3 A")))
    with pytest.raises(JournalError) as told:
        Library(one.journal, tmp_path).amend(one.header.id, 1, [Entry(Move.parse("p0 place 1 A"))])
    assert told.value.sentence.code == "amended_together"
