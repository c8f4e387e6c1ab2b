"""1.3 … 1.7 The course of play: set-up, turn, end, hidden stones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import ClassVar

from rules.colours import paint_of
from rules.core import (
    Game,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    ScoreLine,
    Series,
)
from rules.games.knizia_stonehenge.components import (
    COLOURS,
    FIELD,
    FIELDS,
    FIELDS_OF,
    LINE,
    LINE_IDS,
    MEGALITHS,
    UNKNOWN,
)
from rules.games.knizia_stonehenge.control import claims
from rules.games.knizia_stonehenge.layout import layout, supply, touches
from rules.games.knizia_stonehenge.legality import CODES, violations
from rules.games.knizia_stonehenge.moves import PLACE_UNSEEN, SHOW
from rules.games.knizia_stonehenge.prompts import legal_moves, prompt, pseudo_moves
from rules.games.knizia_stonehenge.state import NOBODY, KniziaState


class KniziaSeries:
    """1.6 Match: the loser notes their remaining megaliths; the lower total wins."""

    lower_wins = True
    decides: tuple[str, ...] = ()

    def points(self, outcome: Outcome) -> tuple[int, ...]:
        """Megaliths left over, by seat; the winner has none left."""
        return tuple(MEGALITHS - score for score in outcome.scores)

    def next_first(self, outcome: Outcome) -> int | None:
        """KN9: the loser of the previous game begins."""
        return outcome.ranking[1][0]

    def next_options(self, outcome: Outcome) -> Options:
        """KN9: the first seat begins, so the players change seats; no option is needed."""
        return {}


class KniziaStonehenge(Game[KniziaState]):
    """The rules, section by section."""

    id = "knizia_stonehenge"
    box = "knizia_stonehenge"
    bgg_id = 183
    players = (2,)
    options: ClassVar = {
        "hidden": ("off", "on"),
        "hidden_early_claim": ("on", "off"),
        "hints": ("off", "on"),
    }
    palette = COLOURS
    outcomes = ("eighth_megalith",)
    codes = CODES
    series: ClassVar[Series | None] = KniziaSeries()
    handling_rule = "1.4"
    craft = "rules.players.crafts.knizia_stonehenge:KniziaCraft"

    # -- 1.3 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> KniziaState:
        return KniziaState(
            hidden=options["hidden"] == "on",
            early=options["hidden_early_claim"] == "on",
            hints=options["hints"] == "on",
            physical=physical,
            paint=paint_of(COLOURS, self.chosen_colours(players, options)),
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return self.chosen_colours(players, options)

    # -- asking ---------------------------------------------------------------------------

    def prompt(self, state: KniziaState) -> Prompt | None:
        return prompt(state)

    def moves(self, state: KniziaState) -> list[Move]:
        return legal_moves(state)

    def pseudo_moves(self, state: KniziaState) -> Iterable[Move]:
        return pseudo_moves(state)

    def check(self, state: KniziaState, move: Move) -> list[Objection]:
        return violations(state, move)

    def choose(self, state: KniziaState, moves: Sequence[Move], random: Random) -> Move:
        return moves[int(random.random() * len(moves))]

    def usual(self, state: KniziaState, moves: Sequence[Move]) -> Move | None:
        """To be done, unless the hints point out a line that would be left lying. Without hints
        finding it is part of the game, and this must not give it away."""
        done = next((move for move in moves if move.verb == "done"), None)
        return None if state.hints and len(moves) > 1 else done

    def hints(self, state: KniziaState) -> list[Move]:
        """KN2: lines the player may claim now, if the option ``hints`` is on."""
        if not state.hints or state.pending or state.winner is not None:
            return []
        return claims(state, state.turn)

    # -- 1.4 Turn -------------------------------------------------------------------------

    def apply(self, state: KniziaState, move: Move) -> None:
        verb = move.verb
        seat = move.player
        if verb == "place":
            assert seat is not None
            self._place(state, seat, move.args[0], FIELD[move.args[1]])
        elif verb == "claim":
            assert seat is not None
            self._claim(state, seat, LINE[move.args[0]])
        elif verb == "done":
            assert seat is not None
            state.turn = 1 - seat
            state.placed = False
        else:
            self._show(state, FIELD[move.args[0]], int(move.args[1]))

    @staticmethod
    def _place(state: KniziaState, seat: int, value: str, field: int) -> None:
        if state.zones is not None:
            state.zones.move(f"p{seat}", FIELDS[field], None)
            state.lay(seat, UNKNOWN, field)
        else:
            state.lay(seat, int(value), field)
        if seat == state.turn:
            state.placed = True
        if state.hidden:
            for f in state.newly_shown(field):
                if state.zones is None:
                    state.faceup[f] = True
                else:
                    state.pending.append(f)

    @staticmethod
    def _claim(state: KniziaState, seat: int, line: int) -> None:
        if state.hidden and state.free[line]:
            # KN7: an early claim is proved by turning up the claimant's stones on the line.
            own = state.face_down_on(line, seat)
            if state.zones is None:
                for f in own:
                    state.faceup[f] = True
            elif own:
                state.pending = own
                state.pending_claim = line
        state.put_megalith(seat, line)

    # -- 1.6 End --------------------------------------------------------------------------

    def outcome(self, state: KniziaState) -> Outcome | None:
        winner = state.winner
        if winner is None or state.pending:
            return None
        return Outcome("eighth_megalith", ((winner,), (1 - winner,)), self.scores(state))

    def scores(self, state: KniziaState) -> tuple[int, ...]:
        return (state.megaliths[0], state.megaliths[1])

    def explain_scores(self, state: KniziaState) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "line", 1, (("line", LINE_IDS[line]),))
            for line, seat in enumerate(state.claimed)
            if seat != NOBODY
        ]

    # -- 1.7 Variant: hidden stones -------------------------------------------------------

    @staticmethod
    def _show(state: KniziaState, field: int, value: int) -> None:
        assert state.zones is not None
        if str(value) in state.zones.unseen(FIELDS[field]):
            state.zones.reveal(FIELDS[field], str(value))
        state.turn_up(field, value)
        state.pending.remove(field)
        if not state.pending:
            state.pending_claim = NOBODY

    def public(self, state: KniziaState, move: Move, seat: int | None) -> Move:
        if state.hidden and move.verb == "place" and move.player != seat:
            assert move.player is not None
            return PLACE_UNSEEN[move.player][FIELD[move.args[1]]]
        return move

    def shown(self, state: KniziaState, move: Move) -> tuple[Move, ...]:
        after = state.clone()
        self.apply(after, move)
        # The placed stone itself was not on its field before, so it is asked for separately.
        turned = [f for f in range(len(FIELDS)) if after.faceup[f] and not state.faceup[f]]
        if not state.hidden or state.physical or not turned:
            return (self.public(state, move, None),)
        if move.verb == "place":
            field = FIELD[move.args[1]]
            down = state.clone()
            assert move.player is not None
            down.lay(move.player, int(move.args[0]), field)
            turned = down.newly_shown(field)
        else:
            turned = [f for f in FIELDS_OF[LINE[move.args[0]]] if f in turned]
        shows = (SHOW[f][after.value[f]] for f in turned)
        return (self.public(state, move, None), *shows)

    def view(self, state: KniziaState, seat: int | None) -> Json:
        data = state.to_json()
        if not state.hidden:
            return data
        for field, entry in data["fields"].items():
            if not state.faceup[FIELD[field]] and entry[0] != seat:
                entry[1] = UNKNOWN
        if state.zones is None:
            data["hands"] = [
                hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
            ]
        return data

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        return options["hidden"] == "off"

    def layout(self, state: KniziaState) -> Layout:
        return layout(state)

    def supply(self, state: KniziaState, seat: int) -> Counter[str]:
        return supply(state, seat)

    def touches(self, state: KniziaState, move: Move) -> Collection[str]:
        return super().touches(state, move) if state.hidden else touches(move)
