"""5.2 … 5.6 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from rules.core import Choice, Game, Json, Move, Options, Outcome, ScoreLine
from rules.games.trilithen_knallen.components import (
    COLOURS,
    FIRST_TRILITHON,
    HUES,
    NOBODY,
    UNBOUND,
    trilithons_of,
)
from rules.games.trilithen_knallen.inference import TrilithenInference
from rules.games.trilithen_knallen.layout import layout, supply, touches
from rules.games.trilithen_knallen.legality import CODES, violations
from rules.games.trilithen_knallen.moves import (
    DONE,
    DRAW_UNSEEN,
    FLIP,
    MEANING,
    SHOW_UNSEEN,
    discarded,
)
from rules.games.trilithen_knallen.placing import mistaken, places
from rules.games.trilithen_knallen.prompts import legal_moves, prompt, pseudo_moves
from rules.games.trilithen_knallen.ramming import advance, announce, strike
from rules.games.trilithen_knallen.state import NO_SPOT, Phase, TrilithenState
from rules.games.trilithen_knallen.touch import TrilithenTouch

_PLACE, _RAM, _FLIP, _SHOW = Phase.PLACE, Phase.RAM, Phase.FLIP, Phase.SHOW
_SWAP, _PEEK, _LOOK, _DRAW = Phase.SWAP, Phase.PEEK, Phase.LOOK, Phase.DRAW
_REMEMBERS = 0.9


class TrilithenPosition(TrilithenState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    pseudo_moves = pseudo_moves
    violations = violations
    layout = layout
    supply = supply
    touches = touches

    # -- asking ---------------------------------------------------------------------------

    def turn_of(self) -> int | None:
        return self.turn

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """TK36: a fitting card that has been face up before, else one never seen, 9 in 10."""
        phase = self.phase
        if phase is _FLIP and random.random() < _REMEMBERS:
            needed = self.needed[self.right]
            card, up, public = self.card, self.up, self.seen_by_all
            spots = [
                spot
                for spot, known in enumerate(public)
                if known and not up[spot] and card[spot] % HUES == needed
            ] or [spot for spot, known in enumerate(public) if not known]
            if spots:
                return FLIP[self.turn][spots[int(random.random() * len(spots))]]
        elif phase is _PLACE and self.physical and random.random() < _REMEMBERS:
            # A table that cannot see the hand lists skipping beside every card it may hold.
            moves = [move for move in moves if move.verb == "place"] or moves
        return moves[int(random.random() * len(moves))]

    # -- carrying out ---------------------------------------------------------------------

    def apply(self, move: Move) -> None:
        verb = move.verb
        if verb == "discard":
            self._apply_discard(move)
            return
        meaning = MEANING[move.text]
        if verb == "flip" and len(meaning) > 2:
            self.bind(meaning[1], meaning[2])
            self.up[meaning[1]] = self.seen_by_all[meaning[1]] = True
        elif verb == "flip":
            spot = meaning[1]
            if self.phase is _FLIP and not self.up[spot]:
                self.spot, self.phase = spot, _SHOW
        elif verb == "show":
            self._apply_show(meaning[0], meaning[1])
        elif verb == "draw":
            self._apply_draw(meaning[0], meaning[1])
        elif verb == "place":
            _, colour, card, place = meaning
            self._apply_place(meaning[0], colour, card, place)
        elif verb == "ram":
            self._apply_ram(*meaning)
        elif verb == "ride":
            self._apply_ride(meaning[0], meaning[1])
        elif verb == "bar":
            field, colour = meaning
            self.bars[field] = colour
            if self.phase is Phase.BARS and NOBODY not in self.bars:
                self.phase = Phase.DEAL
        elif verb == "done":
            self._apply_done(meaning[0])
        elif verb == "peek":
            if self.phase is _PEEK:
                self.spot, self.phase = meaning[1], _LOOK
        elif verb == "swap":
            self._apply_swap(meaning[1], meaning[2])
        else:
            self.turn, self.phase = meaning[0], _PLACE

    # -- 5.3 Turn: placing ----------------------------------------------------------------

    def _apply_place(self, seat: int, colour: int, card: int, place: int) -> None:
        # The card lies open till the end of the turn; the discard pile is as good a place as any,
        # for nothing is drawn before (TK16).
        _lay_open(self, seat, card)
        self.place_of[colour] = place
        self.settle()
        if seat == self.turn and self.phase in (_PLACE, _RAM):
            self.moved_from = ()
            self.placed += (colour,)
            self._after_placing(seat)

    def _after_placing(self, seat: int) -> None:
        self.rams = self.reaches()
        if self.waiting(seat) and (self.physical or places(self)):
            # TK26: both that wait, in either order. The cards of an unseen hand are not known: the
            # owner says it when nothing fits.
            self.phase = _PLACE
        elif self.rams:
            self.phase = _RAM
        else:
            # TK5, 5.3: no target within reach.
            self._end_turn()

    def _apply_discard(self, move: Move) -> None:
        seat = move.player
        cards = discarded(move)
        assert seat is not None and cards is not None
        for card in cards:
            self.deck.lay_open(seat, card)
        if seat == self.turn and self.phase is _PLACE:
            self._end_turn()

    def _apply_done(self, seat: int) -> None:
        phase = self.phase
        if phase is _PEEK and seat == self.owner(self.target):
            self._end_turn()
        elif seat == self.turn and phase is _PLACE and self.placed and self.rams:
            self.phase = _RAM
        elif seat == self.turn and phase in (_PLACE, _RAM):
            self._end_turn()

    # -- 5.3, 5.4 Turn: ramming -----------------------------------------------------------

    def _apply_ram(self, seat: int, colour: int, direction: int) -> None:
        if seat == self.turn and self.place_of[colour] >= 0 and self.phase in (_PLACE, _RAM):
            announce(self, colour, direction)
            self.turned_back = ()
            self.phase = _FLIP

    def _apply_ride(self, seat: int, number: int) -> None:
        if seat != self.turn or self.phase is not _FLIP:
            return
        if self.changing:
            # TK31: a trilithon card among them changed places with any other.
            self.forget_display()
        self.right = min(self.right + number, len(self.needed))
        if self.right == len(self.needed):
            self._ram_succeeds()
        else:
            self._stop()
        # A player who has turned the cards back has moved everything, too.
        self.moved_from = ()

    def _apply_show(self, spot: int, card: int) -> None:
        if self.phase is _LOOK:
            # 5.4: the compensation is secret; TK15: then the turn is over.
            self.peeked[spot] |= 1 << self.owner(self.target)
            if card != UNBOUND:
                self.bind(spot, card)
            self._end_turn()
        elif self.phase is _SHOW and card != UNBOUND:
            self.bind(spot, card)
            self.up[spot] = self.seen_by_all[spot] = True
            if card >= FIRST_TRILITHON:
                # TK31: right or wrong, it swaps before anything else happens.
                self.spot, self.phase = spot, _SWAP
            else:
                self._judge(card)

    def _apply_swap(self, one: int, other: int) -> None:
        if self.phase is _SWAP:
            card = self.card[self.spot]
            self.swap(one, other)
            if self.physical:
                # A camera saw where the trilithon card went, and hardly where it came from.
                self.forget(one)
            self._judge(card)

    def _judge(self, card: int) -> None:
        """A display card of the colour needed is right; TK35: nothing moves before the last."""
        self.spot = NO_SPOT
        if card % HUES != self.needed[self.right]:
            self._stop()
            return
        self.right += 1
        if self.right < len(self.needed):
            self.phase = _FLIP
        else:
            self._ram_succeeds()

    def _stop(self) -> None:
        """TK2: as many fields as cards were right, and no ramming."""
        self.moved_from = tuple(self.place_of)
        advance(self, self.right)
        self._end_turn()

    def _ram_succeeds(self) -> None:
        self.moved_from = tuple(self.place_of)
        strike(self)
        if len(self.survivors()) == 1:
            # TK28: at once; no compensation, no drawing.
            self._turn_back()
            self.phase = Phase.OVER
        elif self.is_out(self.owner(self.target)) or all(self.up):
            # TK34: a player who is out gets nothing; TK15: left out if all cards are face up.
            self._end_turn()
        else:
            self.phase = _PEEK

    # -- 5.3 item 4: end of turn ----------------------------------------------------------

    def _turn_back(self) -> None:
        up = tuple(spot for spot, up in enumerate(self.up) if up)
        # A player who only places may do so while the cards of the turn before still lie face up.
        self.turned_back = up or self.turned_back
        self.up = [False] * len(self.up)
        self.placed, self.rams, self.needed, self.right = (), (), (), 0
        self.rammer = self.target = NOBODY
        self.spot = NO_SPOT

    def _end_turn(self) -> None:
        self._turn_back()
        if self.deck.hand_size(self.turn) < self.full_hand():
            self.phase = _DRAW
        else:
            self._next_player()

    def _next_player(self) -> None:
        self.turn, self.phase = self.next_seat(), _PLACE

    def _apply_draw(self, seat: int, card: int) -> None:
        if card == UNBOUND and not self.physical:
            return
        # TK16: if the pile is empty the deck is renewed, now that a card is needed. Which cards
        # were among the discards is not certain: others may have covered them unseen.
        renewed = not self.deck.pile_size
        self.deck.draw(seat, None if card == UNBOUND else card)
        if renewed:
            self.deck.forget()
        if self.phase is Phase.DEAL:
            # 5.2: one card each round the table.
            self.turn = (self.turn + 1) % self.players
            if self.deck.hand_size(self.turn) >= self.full_hand():
                self.turn, self.phase = 0, Phase.START
        elif self.phase is _DRAW and self.deck.hand_size(self.turn) >= self.full_hand():
            self._next_player()

    # -- 5.6 End --------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        if self.phase is not Phase.OVER:
            return None
        winner = self.survivors()[0]
        others = tuple(seat for seat in range(self.players) if seat != winner)
        great = self.players > 2 and self.winners_of_hearts() == (winner,)
        # TK32: hearts and great victory are titles beside the ranking.
        reason = "great_victory" if great else "simple_victory"
        return Outcome(reason, ((winner,), others), self.scores())

    def scores(self) -> tuple[int, ...]:
        return tuple(
            sum(row) - sum(row[colour] for colour in self.own[seat])
            for seat, row in enumerate(self.points)
        )

    def explain_scores(self) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "captured", number, (("colour", COLOURS[colour]),))
            for seat, row in enumerate(self.points)
            for colour, number in enumerate(row)
            if number and self.owner(colour) != seat
        ]

    # -- what may be known ----------------------------------------------------------------

    def public(self, move: Move, seat: int | None) -> Move:
        if move.verb == "draw":
            who = MEANING[move.text][0]
            return move if who == seat else DRAW_UNSEEN[who]
        if move.verb == "show" and self.phase is _LOOK and self.owner(self.target) != seat:
            return SHOW_UNSEEN[MEANING[move.text][0]]
        return move

    def shown(self, move: Move) -> tuple[Move, ...]:
        shown = self.public(move, None)
        if move.verb == "place" and not self.physical and len(self.waiting(self.turn)) > 1:
            after = self.clone()
            after.apply(move)
            if after.phase is _DRAW and after.waiting(self.turn):
                # TK26: no card fits the second one, and there is no target to ram.
                return (shown, DONE[self.turn])
        return (shown,)

    def remembered(self, told: Sequence[Move]) -> Sequence[Move]:
        """TK23: which cards were seen is forgotten at the end of the turn."""
        turn_began = len(told)
        if self.phase in (_FLIP, _SHOW, _SWAP, _PEEK, _LOOK):
            # A ram follows a card played, so a card was drawn at the end of the turn before.
            turn_began = max((ply for ply, move in enumerate(told) if move.verb == "draw"))
        return [
            SHOW_UNSEEN[MEANING[move.text][0]]
            if move.verb == "show" and ply < turn_began and move.text in MEANING
            else move
            for ply, move in enumerate(told)
        ]

    def view(self, seat: int | None) -> Json:
        """TK23: a memory game, so of the display only what lies face up is shown."""
        data = self.to_json()
        data["display"] = {
            name: {"card": entry["card"] if entry["up"] else None, "up": entry["up"]}
            for name, entry in data["display"].items()
        }
        self.deck.conceal(data, seat)
        return data


class TrilithenKnallen(Game[TrilithenState]):
    """Name, players, options and set-up."""

    id = "trilithen_knallen"
    box = "stonehenge_anthology"
    bgg_id = 20436
    craft = "rules.players.crafts.trilithen_knallen:Demolition"
    players = (2, 3, 4, 5)
    options: ClassVar = {
        "lives": ("0", "1", "2", "3", "4"),
        "changing": ("0", "1", "2", "3", "4", "5"),
        "simple": ("off", "on"),
    }
    choices: ClassVar = {"simple": Choice(), "changing": Choice(), "lives": Choice()}
    palette = COLOURS
    outcomes = ("great_victory", "simple_victory")
    most_points_win = False
    codes = CODES
    handling_rule = "5.3"
    scoring_rule = "5.4"
    inference = TrilithenInference()
    touch = TrilithenTouch()

    # -- 5.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> TrilithenState:
        return TrilithenPosition(
            players,
            lives=int(options["lives"]),
            changing=int(options["changing"]),
            simple=options["simple"] == "on",
            physical=physical,
            own=trilithons_of(self.colours(players, options)),
        )


def _lay_open(state: TrilithenState, seat: int, card: int) -> None:
    discards = state.deck.discards
    mistake = mistaken(state, seat, card)
    if mistake is None:
        state.deck.lay_open(seat, card)
        return
    place, other = mistake
    state.deck.lay_open(seat, other)
    discards[place], discards[-1] = other, card
