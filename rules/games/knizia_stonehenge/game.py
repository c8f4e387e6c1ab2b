"""1.3 … 1.7 The course of play: set-up, turn, end, hidden stones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from rules.colours import paint_of
from rules.core import Choice, Game, Json, Move, Options, Outcome, ScoreLine, Series, Touch
from rules.games.knizia_stonehenge.components import (
    COLOURS,
    FIELD,
    FIELDS,
    FIELDS_OF,
    LINE,
    LINE_IDS,
    MEGALITHS,
    UNKNOWN,
    WAYS,
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


class KniziaPosition(KniziaState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    pseudo_moves = pseudo_moves
    violations = violations
    layout = layout
    supply = supply

    def hinted_moves(self) -> list[Move]:
        """KN2: lines the player may claim now, if the option ``hints`` is on."""
        if not self.hints or self.pending or self.winner is not None:
            return []
        return claims(self, self.turn)

    # -- 1.4 Turn -------------------------------------------------------------------------

    def apply(self, move: Move) -> None:
        verb = move.verb
        seat = move.player
        if verb == "place":
            assert seat is not None
            self._place(seat, move.args[0], FIELD[move.args[1]])
        elif verb == "claim":
            assert seat is not None
            self._claim(seat, LINE[move.args[0]])
        elif verb == "done":
            assert seat is not None
            self.turn = 1 - seat
            self.placed = False
        else:
            self._show(FIELD[move.args[0]], int(move.args[1]))

    def _place(self, seat: int, value: str, field: int) -> None:
        if self.zones is not None:
            self.zones.move(f"p{seat}", FIELDS[field], None)
            self.lay(seat, UNKNOWN, field)
        else:
            self.lay(seat, int(value), field)
        if seat == self.turn:
            self.placed = True
        if self.hidden:
            for f in self.newly_shown(field):
                if self.zones is None:
                    self.faceup[f] = True
                else:
                    self.pending.append(f)

    def _claim(self, seat: int, line: int) -> None:
        if self.hidden and self.free[line]:
            # KN7: an early claim is proved by turning up the claimant's stones on the line.
            own = self.face_down_on(line, seat)
            if self.zones is None:
                for f in own:
                    self.faceup[f] = True
            elif own:
                self.pending = own
                self.pending_claim = line
        self.put_megalith(seat, line)

    # -- 1.6 End --------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        winner = self.winner
        if winner is None or self.pending:
            return None
        return Outcome("eighth_megalith", ((winner,), (1 - winner,)), self.scores())

    def scores(self) -> tuple[int, ...]:
        return (self.megaliths[0], self.megaliths[1])

    def explain_scores(self) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "line", 1, (("way", WAYS[LINE_IDS[line][0]]), ("line", LINE_IDS[line])))
            for line, seat in enumerate(self.claimed)
            if seat != NOBODY
        ]

    # -- 1.7 Variant: hidden stones -------------------------------------------------------

    def _show(self, field: int, value: int) -> None:
        assert self.zones is not None
        if str(value) in self.zones.unseen(FIELDS[field]):
            self.zones.reveal(FIELDS[field], str(value))
        self.turn_up(field, value)
        self.pending.remove(field)
        if not self.pending:
            self.pending_claim = NOBODY

    def public(self, move: Move, seat: int | None) -> Move:
        if self.hidden and move.verb == "place" and move.player != seat:
            assert move.player is not None
            return PLACE_UNSEEN[move.player][FIELD[move.args[1]]]
        return move

    def shown(self, move: Move) -> tuple[Move, ...]:
        after = self.clone()
        after.apply(move)
        # The placed stone itself was not on its field before, so it is asked for separately.
        turned = [f for f in range(len(FIELDS)) if after.faceup[f] and not self.faceup[f]]
        if not self.hidden or self.physical or not turned:
            return (self.public(move, None),)
        if move.verb == "place":
            field = FIELD[move.args[1]]
            down = self.clone()
            assert move.player is not None
            down.lay(move.player, int(move.args[0]), field)
            turned = down.newly_shown(field)
        else:
            turned = [f for f in FIELDS_OF[LINE[move.args[0]]] if f in turned]
        shows = (SHOW[f][after.value[f]] for f in turned)
        return (self.public(move, None), *shows)

    def view(self, seat: int | None) -> Json:
        data = self.to_json()
        if not self.hidden:
            return data
        for field, entry in data["fields"].items():
            if not self.faceup[FIELD[field]] and entry[0] != seat:
                entry[1] = UNKNOWN
        if self.zones is None:
            data["hands"] = [
                hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
            ]
        return data

    def touches(self, move: Move) -> Collection[str]:
        return super().touches(move) if self.hidden else touches(move)


class KniziaTouch(Touch[KniziaState]):
    """The game at a screen: touches and pictures."""

    def usual(self, state: KniziaState, moves: Sequence[Move]) -> Move | None:
        """To be done, unless the hints point out a line that would be left lying. Without hints
        finding it is part of the game, and this must not give it away."""
        done = next((move for move in moves if move.verb == "done"), None)
        return None if state.hints and len(moves) > 1 else done


class KniziaStonehenge(Game[KniziaState]):
    """Name, players, options and set-up."""

    id = "knizia_stonehenge"
    box = "knizia_stonehenge"
    bgg_id = 183
    players = (2,)
    options: ClassVar = {
        "hidden": ("off", "on"),
        "hidden_early_claim": ("on", "off"),
        "hints": ("off", "on"),
    }
    choices: ClassVar = {"hidden": Choice()}
    palette = COLOURS
    outcomes = ("eighth_megalith",)
    codes = CODES
    series: ClassVar[Series | None] = KniziaSeries()
    handling_rule = "1.4"
    scoring_rule = "1.5"
    goal = MEGALITHS
    touch = KniziaTouch()
    craft = "rules.players.crafts.knizia_stonehenge:KniziaCraft"

    # -- 1.3 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> KniziaState:
        return KniziaPosition(
            hidden=options["hidden"] == "on",
            early=options["hidden_early_claim"] == "on",
            hints=options["hints"] == "on",
            physical=physical,
            paint=paint_of(COLOURS, self.colours(players, options)),
        )

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        return options["hidden"] == "off"
