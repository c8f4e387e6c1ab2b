"""3.2 … 3.8 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import ClassVar

from rules.colours import paint_of
from rules.core import Game, Json, Layout, Move, Options, Outcome, ScoreLine, ranked
from rules.games.erbaut_stonehenge.building import ACTS
from rules.games.erbaut_stonehenge.components import (
    DEALT,
    FACE_DOWN,
    LAY_OUT,
    NONE,
    OVER,
    PALETTE,
    REFILL,
    YARDS,
    is_day,
    is_trilithon,
)
from rules.games.erbaut_stonehenge.glory import glory, lines
from rules.games.erbaut_stonehenge.inference import ErbautInference
from rules.games.erbaut_stonehenge.layout import layout, supply, touches
from rules.games.erbaut_stonehenge.legality import CODES, violations
from rules.games.erbaut_stonehenge.moves import (
    DEAL_UNSEEN,
    DISCARD_UNSEEN,
    OP_BLOCKED,
    OP_DEAL,
    OP_DISCARD,
    OP_PLAY,
    OP_STEAL,
    PLAY_UNSEEN,
    SHOW_MOVE,
    STEPS,
    step_of,
)
from rules.games.erbaut_stonehenge.prompts import legal_moves, prompt, pseudo_moves
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.games.erbaut_stonehenge.touch import ErbautTouch
from rules.hidden import UNSEEN


class ErbautPosition(ErbautState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    pseudo_moves = pseudo_moves
    violations = violations
    touches = touches

    # -- 3.3 The turn ---------------------------------------------------------------------

    def turn_of(self) -> int | None:
        return self.turn

    def apply(self, move: Move) -> None:
        step = STEPS.get(move.text) or step_of(move)
        ACTS[step[0]](self, step)

    def weights(self, moves: Sequence[Move]) -> Sequence[int]:
        if self.cards.zones is None or self.phase not in (DEALT, LAY_OUT, REFILL):
            return [1] * len(moves)
        return self.cards.chance([step_of(move).a for move in moves])

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """Uniform; but where the hands are unseen, blocked only if nothing is left but stealing:
        two who steal from each other would never end it."""
        if self.cards.zones is not None and len(moves) > 1:
            able = [move for move in moves if step_of(move).op != OP_BLOCKED]
            if any(step_of(move).op != OP_STEAL for move in able):
                moves = able
        return moves[int(random.random() * len(moves))]

    # -- 3.8 End and scoring --------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        if self.phase != OVER:
            return None
        scores = self.scores()
        return Outcome(self.reason, ranked(scores), scores)

    def scores(self) -> tuple[int, ...]:
        return tuple(glory(self, seat) for seat in range(self.players))

    def explain_scores(self) -> list[ScoreLine]:
        return [line for seat in range(self.players) for line in lines(self, seat)]

    # -- 3.11 Physical form: the table ----------------------------------------------------

    def layout(self) -> Layout:
        return self.paint.layout(layout(self))

    def supply(self, seat: int) -> Counter[str]:
        return self.paint.kinds(supply(self, seat))

    # -- what may be known ----------------------------------------------------------------

    def public(self, move: Move, seat: int | None) -> Move:
        step = step_of(move)
        if self.cards.zones is not None or step.seat in (NONE, seat):
            return move
        if step.op == OP_DEAL and not is_trilithon(step.a):
            return DEAL_UNSEEN[step.seat]
        if step.op == OP_PLAY and is_day(step.a):
            return PLAY_UNSEEN[step.seat]
        if step.op == OP_DISCARD and self.yard[step.seat] != step.a:
            return DISCARD_UNSEEN[step.seat]
        return move

    def shown(self, move: Move) -> tuple[Move, ...]:
        seat = self.turn
        told = (self.public(move, None),)
        if move.verb != "build" or self.stage[seat] != FACE_DOWN or self.cards.zones is not None:
            return told
        return (*told, SHOW_MOVE[seat][self.yard[seat]])

    def view(self, seat: int | None) -> Json:
        data = self.to_json()
        if self.cards.zones is not None:
            return data
        data["hands"] = [
            hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
        ]
        data["pile"] = len(data["pile"])
        for owner, project in enumerate(data["projects"]):
            if self.stage[owner] == FACE_DOWN and owner != seat:
                project["card"] = UNSEEN
        for card in data["under"]:
            if card[1] not in (None, seat):
                card[0] = UNSEEN
        return data


class ErbautStonehenge(Game[ErbautState]):
    """Name, players, options and set-up."""

    id = "erbaut_stonehenge"
    box = "stonehenge_anthology"
    bgg_id = 20436
    players = (3, 4)
    options: ClassVar = {
        "soft_block": ("off", "on"),
        "trilith_ring": ("off", "on"),
        "steal_back": ("on", "off"),
    }
    palette = PALETTE
    formerly: ClassVar = {"steal_back": "off"}
    outcomes = ("monument_complete", "all_blocked")
    codes = CODES
    handling_rule = "3.11"
    scoring_rule = "3.8"
    inference = ErbautInference()
    touch = ErbautTouch()
    craft = "rules.players.crafts.erbaut_stonehenge:ErbautCraft"

    # -- 3.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> ErbautState:
        return ErbautPosition(
            players,
            soft=options["soft_block"] == "on",
            trilith_ring=options["trilith_ring"] == "on",
            steal_back=options["steal_back"] == "on",
            physical=physical,
            paint=paint_of(PALETTE, self.colours(players, options)),
        )

    def sits_at(self, seat: int, players: int, options: Options) -> str:
        return YARDS[seat]
