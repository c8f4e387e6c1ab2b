"""The story of the demo: a match with a breach put right, a move taken back, and an end."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from companion.app.demo.stage import Stage, StageError
from companion.match.events import MovesCommitted, MovesUndone, TableEvent
from companion.match.view import TableState, TableView
from rules.core import Move
from rules.games.knizia_stonehenge.components import COLOURS, LINES
from rules.match import Match

GAME = "knizia_stonehenge"

Picture = Callable[[str, TableView], None]
"""Keeps a picture of the screen under a name."""


@dataclass
class Story:
    """Plays both players by dragging pieces, and compares what came of it with what was meant."""

    stage: Stage
    picture: Picture
    random: Random
    wrong: int = 0
    """Moves that were agreed but not meant."""
    played: int = 0
    commit_s: list[float] = field(default_factory=list)
    """Seconds from the hand's leaving to the agreed move."""
    notes: list[str] = field(default_factory=list)
    after_move: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self.stage.session.listen(self._hear)

    def first_part(self) -> None:
        """Plays until the power is cut."""
        stage = self.stage
        stage.hold("the empty board is recognised", lambda v: v.state is TableState.SETTLED)
        self._moment("1-start")
        for _ in range(4):
            self._turn()
        self._moment("2-under-way")
        self._breach()
        self._takeback()
        while True:
            self._turn()

    def second_part(self) -> None:
        """From the resumed record to the end."""
        stage = self.stage
        stage.hold(
            "the board is recognised again",
            lambda v: v.state in (TableState.SETTLED, TableState.PROPOSED),
        )
        stage.hold("the board agrees with the record", lambda v: v.state is TableState.SETTLED)
        self._moment("6-resumed")
        while stage.view.outcome is None:
            self._turn()
        stage.hold("the end is recognised", lambda v: v.state is TableState.SETTLED)
        self._moment("7-result")

    # -- scenes ---------------------------------------------------------------------------

    def _turn(self) -> None:
        """One player's turn: a stone if they have one, then every line they control."""
        view = self.stage.view
        match = self._match()
        seat = self._next_seat(match)
        if match.state.placed:
            match.push(f"p{match.state.turn} done")
        places = [m for m in match.legal_moves() if m.verb == "place"]
        if places:
            self._play(match, self._good_stone(match, places))
        while self.stage.view.outcome is None:
            claims = [m for m in match.legal_moves() if m.verb == "claim"]
            if not claims:
                break
            self._play(match, claims[0])
        if view.ply == self.stage.view.ply:
            raise StageError(f"p{seat} could do nothing in their turn")

    def _good_stone(self, match: Match, places: list[Move]) -> Move:
        """The stone that lets its owner claim most, so that the match does not drag on."""
        self.random.shuffle(places)

        def gain(move: Move) -> int:
            ahead = match.clone()
            ahead.push(move)
            return sum(m.verb == "claim" for m in ahead.legal_moves())

        return max(places, key=gain)

    def _play(self, match: Match, move: Move) -> None:
        """Drag the piece of ``move`` to its place and wait until the record has it."""
        stage, before = self.stage, self.stage.view.ply
        assert move.player is not None
        colour = COLOURS[move.player]
        if move.verb == "place":
            kind, site = f"stone {colour} {move.args[0]}", move.args[1]
        else:
            kind, site = f"megalith {colour}", move.args[0]
        stage.drag(stage.piece_in_store(kind), site)
        match.push(move)
        self.commit_s.append(stage.hold(f"'{move}' is agreed", lambda v: v.ply > before))
        self.played += 1
        self.after_move()
        agreed = self._match()
        if [e.move for e in agreed.log] != [e.move for e in match.log]:
            self.wrong += 1
            raise StageError(f"'{move}' was meant, the record says '{agreed.log[-1].move}'")

    def _breach(self) -> None:
        """A megalith is put on a line without a majority yet; the reason is given; it goes back."""
        stage = self.stage
        match = self._match()
        if match.state.placed:
            match.push(f"p{match.state.turn} done")
        seat = match.state.turn
        line = next(
            line
            for line in LINES
            if any(o.code == "still_open" for o in match.why_not(f"p{seat} claim {line}"))
        )
        piece = stage.piece_in_store(f"megalith {COLOURS[seat]}")
        home = stage.virtual.piece(piece).at
        ply = stage.view.ply

        def seen(number: int) -> None:
            if number == 4:
                stage.photograph("3-hand")

        stage.drag(piece, line, seen)
        stage.hold(
            "the breach is refused with its reason",
            lambda v: v.state is TableState.ILLEGAL and bool(v.objections),
        )
        self._moment("3-not-allowed")
        objection = stage.view.objections[0]
        self.notes.append(f"refused: {objection.rule} {objection.code}")
        stage.drag(piece, home)
        stage.hold("the board is put right", lambda v: v.state is TableState.SETTLED)
        if stage.view.ply != ply:
            raise StageError("a refused move was taken into the record")
        self._moment("4-put-right")

    def _takeback(self) -> None:
        """The last stone goes back to its owner; the question is answered with yes."""
        stage = self.stage
        ply = stage.view.ply
        match = self._match()
        last = match.log[-1].move
        while last.verb != "place":
            self._turn()
            match = self._match()
            last = match.log[-1].move
            ply = stage.view.ply
        (piece,) = stage.virtual.at(last.args[1])
        edge = stage.box.size[0] / 2 + 30
        stage.drag(piece.id, (edge if last.player else -edge, 0.0))
        stage.hold(
            "the takeback is proposed",
            lambda v: v.state is TableState.AMBIGUOUS and bool(v.candidates),
        )
        self._moment("5-take-back")
        stage.choose(0)
        stage.hold("the move is taken back", lambda v: v.ply < ply)
        self.notes.append(f"taken back: {last}")
        stage.hold("the board agrees", lambda v: v.state is TableState.SETTLED)

    # -- private --------------------------------------------------------------------------

    def _hear(self, view: TableView, events: Sequence[TableEvent]) -> None:
        """Write down what listeners were told, to compare it with the journal after the kill."""
        for event in events:
            if isinstance(event, MovesCommitted | MovesUndone):
                kind = "move" if isinstance(event, MovesCommitted) else "takeback"
                line = {"type": kind, "moves": [m.text for m in event.moves], "ply": view.ply}
                with (self.stage.out / "heard.jsonl").open("a", encoding="utf-8") as heard:
                    heard.write(json.dumps(line) + "\n")
                    heard.flush()
                    os.fsync(heard.fileno())

    def _match(self) -> Match:
        return self.stage.journal_match()

    @staticmethod
    def _next_seat(match: Match) -> int:
        return 1 - int(match.state.turn) if match.state.placed else int(match.state.turn)

    def _moment(self, name: str) -> None:
        """Keep the screen and the camera's picture."""
        # The screen is a listener like any other; it must have heard of what is to be drawn.
        self.stage.session.settle()
        time.sleep(0.05)
        self.picture(name, self.stage.view)
        self.stage.photograph(name)
