"""5.2 … 5.6 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import ClassVar

from rules.core import (
    Board,
    Boards,
    Game,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    Result,
    ScoreLine,
    Spread,
)
from rules.games.trilithen_knallen.components import (
    COLOURS,
    FIRST_TRILITHON,
    HUES,
    NOBODY,
    UNBOUND,
    trilithons_of,
)
from rules.games.trilithen_knallen.guessing import (
    essence,
    fitting,
    inferred,
    likely,
    told_later,
    tolerates,
    unfinished,
    weighed,
)
from rules.games.trilithen_knallen.layout import also_right, layout, supply, touches
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
from rules.games.trilithen_knallen.touch import places_of, result, spread

_PLACE, _RAM, _FLIP, _SHOW = Phase.PLACE, Phase.RAM, Phase.FLIP, Phase.SHOW
_SWAP, _PEEK, _LOOK, _DRAW = Phase.SWAP, Phase.PEEK, Phase.LOOK, Phase.DRAW
_REMEMBERS = 0.9


class TrilithenKnallen(Game[TrilithenState]):
    """The rules, section by section."""

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
    palette = COLOURS
    outcomes = ("great_victory", "simple_victory")
    codes = CODES
    beside = frozenset({"draw-pile", "discard-pile"})
    private = frozenset({"peek", "place", "place_second", "place_waiting", "skip", "swap"})
    handling_rule = "5.3"

    # -- 5.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> TrilithenState:
        return TrilithenState(
            players,
            lives=int(options["lives"]),
            changing=int(options["changing"]),
            simple=options["simple"] == "on",
            physical=physical,
            own=trilithons_of(self.chosen_colours(players, options)),
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        """TK24: the colour of each seat's (first) trilithon."""
        return self.chosen_colours(players, options)

    # -- asking ---------------------------------------------------------------------------

    def prompt(self, state: TrilithenState) -> Prompt | None:
        return prompt(state)

    def turn_of(self, state: TrilithenState) -> int | None:
        return state.turn

    def moves(self, state: TrilithenState) -> list[Move]:
        return legal_moves(state)

    def pseudo_moves(self, state: TrilithenState) -> Iterable[Move]:
        return pseudo_moves(state)

    def check(self, state: TrilithenState, move: Move) -> list[Objection]:
        return violations(state, move)

    def choose(self, state: TrilithenState, moves: Sequence[Move], random: Random) -> Move:
        """TK36: a fitting card that has been face up before, else one never seen, 9 in 10."""
        phase = state.phase
        if phase is _FLIP and random.random() < _REMEMBERS:
            needed = state.needed[state.right]
            card, up, public = state.card, state.up, state.public
            spots = [
                spot
                for spot, known in enumerate(public)
                if known and not up[spot] and card[spot] % HUES == needed
            ] or [spot for spot, known in enumerate(public) if not known]
            if spots:
                return FLIP[state.turn][spots[int(random.random() * len(spots))]]
        elif phase is _PLACE and state.physical and random.random() < _REMEMBERS:
            # A table that cannot see the hand lists skipping beside every card it may hold.
            moves = [move for move in moves if move.verb == "place"] or moves
        return moves[int(random.random() * len(moves))]

    # -- carrying out ---------------------------------------------------------------------

    def apply(self, state: TrilithenState, move: Move) -> None:
        verb = move.verb
        if verb == "discard":
            self._apply_discard(state, move)
            return
        meaning = MEANING[move.text]
        if verb == "flip":
            spot = meaning[1]
            if state.phase is _FLIP and not state.up[spot]:
                state.spot, state.phase = spot, _SHOW
        elif verb == "show":
            self._apply_show(state, meaning[0], meaning[1])
        elif verb == "draw":
            self._apply_draw(state, meaning[0], meaning[1])
        elif verb == "place":
            _, colour, card, place = meaning
            self._apply_place(state, meaning[0], colour, card, place)
        elif verb == "ram":
            self._apply_ram(state, *meaning)
        elif verb == "ride":
            self._apply_ride(state, meaning[0], meaning[1])
        elif verb == "bar":
            field, colour = meaning
            state.bars[field] = colour
            if state.phase is Phase.BARS and NOBODY not in state.bars:
                state.phase = Phase.DEAL
        elif verb == "done":
            self._apply_done(state, meaning[0])
        elif verb == "peek":
            if state.phase is _PEEK:
                state.spot, state.phase = meaning[1], _LOOK
        elif verb == "swap":
            self._apply_swap(state, meaning[1], meaning[2])
        else:
            state.turn, state.phase = meaning[0], _PLACE

    # -- 5.3 Turn: placing ----------------------------------------------------------------

    def _apply_place(
        self, state: TrilithenState, seat: int, colour: int, card: int, place: int
    ) -> None:
        # The card lies open till the end of the turn; the discard pile is as good a place as any,
        # for nothing is drawn before (TK16).
        _lay_open(state, seat, card)
        state.place_of[colour] = place
        state.settle()
        if seat == state.turn and state.phase in (_PLACE, _RAM):
            state.moved_from = ()
            state.placed += (colour,)
            self._after_placing(state, seat)

    def _after_placing(self, state: TrilithenState, seat: int) -> None:
        state.rams = state.reaches()
        if state.waiting(seat) and (state.physical or places(state)):
            # TK26: both that wait, in whatever order they like. What a hand that nobody sees holds
            # is not known: the owner says it when nothing fits.
            state.phase = _PLACE
        elif state.rams:
            state.phase = _RAM
        else:
            # TK5, 5.3: no target within reach.
            self._end_turn(state)

    def _apply_discard(self, state: TrilithenState, move: Move) -> None:
        seat = move.player
        cards = discarded(move)
        assert seat is not None and cards is not None
        for card in cards:
            state.deck.lay_open(seat, card)
        if seat == state.turn and state.phase is _PLACE:
            self._end_turn(state)

    def _apply_done(self, state: TrilithenState, seat: int) -> None:
        phase = state.phase
        if phase is _PEEK and seat == state.owner(state.target):
            self._end_turn(state)
        elif seat == state.turn and phase is _PLACE and state.placed and state.rams:
            state.phase = _RAM
        elif seat == state.turn and phase in (_PLACE, _RAM):
            self._end_turn(state)

    # -- 5.3, 5.4 Turn: ramming -----------------------------------------------------------

    @staticmethod
    def _apply_ram(state: TrilithenState, seat: int, colour: int, direction: int) -> None:
        if seat == state.turn and state.place_of[colour] >= 0 and state.phase in (_PLACE, _RAM):
            announce(state, colour, direction)
            state.turned_back = ()
            state.phase = _FLIP

    def _apply_ride(self, state: TrilithenState, seat: int, number: int) -> None:
        if seat != state.turn or state.phase is not _FLIP:
            return
        if state.changing:
            # TK31: a trilithon card among them changed places with any other.
            state.forget_display()
        state.right = min(state.right + number, len(state.needed))
        if state.right == len(state.needed):
            self._ram_succeeds(state)
        else:
            self._stop(state)
        # Who has turned the cards back has moved everything, too.
        state.moved_from = ()

    def _apply_show(self, state: TrilithenState, spot: int, card: int) -> None:
        if state.phase is _LOOK:
            # 5.4: the compensation is secret; TK15: then the turn is over.
            state.peeked[spot] |= 1 << state.owner(state.target)
            if card != UNBOUND:
                state.bind(spot, card)
            self._end_turn(state)
        elif state.phase is _SHOW and card != UNBOUND:
            state.bind(spot, card)
            state.up[spot] = state.public[spot] = True
            if card >= FIRST_TRILITHON:
                # TK31: right or wrong, it swaps before anything else happens.
                state.spot, state.phase = spot, _SWAP
            else:
                self._judge(state, card)

    def _apply_swap(self, state: TrilithenState, one: int, other: int) -> None:
        if state.phase is _SWAP:
            card = state.card[state.spot]
            state.swap(one, other)
            self._judge(state, card)

    def _judge(self, state: TrilithenState, card: int) -> None:
        """A display card of the colour needed is right; TK35: nobody moves before the last."""
        state.spot = NO_SPOT
        if card % HUES != state.needed[state.right]:
            self._stop(state)
            return
        state.right += 1
        if state.right < len(state.needed):
            state.phase = _FLIP
        else:
            self._ram_succeeds(state)

    def _stop(self, state: TrilithenState) -> None:
        """TK2: as many fields as cards were right, and no ramming."""
        state.moved_from = tuple(state.place_of)
        advance(state, state.right)
        self._end_turn(state)

    def _ram_succeeds(self, state: TrilithenState) -> None:
        state.moved_from = tuple(state.place_of)
        strike(state)
        if len(state.survivors()) == 1:
            # TK28: at once; no compensation, no drawing.
            self._turn_back(state)
            state.phase = Phase.OVER
        elif state.is_out(state.owner(state.target)) or all(state.up):
            # TK34: a player who is out gets nothing; TK15: left out if all cards are face up.
            self._end_turn(state)
        else:
            state.phase = _PEEK

    # -- 5.3 item 4: end of turn ----------------------------------------------------------

    @staticmethod
    def _turn_back(state: TrilithenState) -> None:
        up = tuple(spot for spot, up in enumerate(state.up) if up)
        # Whoever only places may do so while the cards of the turn before still lie face up.
        state.turned_back = up or state.turned_back
        state.up = [False] * len(state.up)
        state.placed, state.rams, state.needed, state.right = (), (), (), 0
        state.rammer = state.target = NOBODY
        state.spot = NO_SPOT

    def _end_turn(self, state: TrilithenState) -> None:
        self._turn_back(state)
        if state.deck.hand_size(state.turn) < state.full_hand():
            state.phase = _DRAW
        else:
            self._next_player(state)

    @staticmethod
    def _next_player(state: TrilithenState) -> None:
        state.turn, state.phase = state.next_seat(), _PLACE

    def _apply_draw(self, state: TrilithenState, seat: int, card: int) -> None:
        if card == UNBOUND and not state.physical:
            return
        # TK16: if the pile is empty the deck is renewed, now that a card is needed. Which cards
        # were among the discards nobody knows for certain: others may have covered them unseen.
        renewed = not state.deck.pile_size
        state.deck.draw(seat, None if card == UNBOUND else card)
        if renewed:
            state.deck.forget()
        if state.phase is Phase.DEAL:
            # 5.2: one card each round the table.
            state.turn = (state.turn + 1) % state.players
            if state.deck.hand_size(state.turn) >= state.full_hand():
                state.turn, state.phase = 0, Phase.START
        elif state.phase is _DRAW and state.deck.hand_size(state.turn) >= state.full_hand():
            self._next_player(state)

    # -- 5.6 End --------------------------------------------------------------------------

    def outcome(self, state: TrilithenState) -> Outcome | None:
        if state.phase is not Phase.OVER:
            return None
        winner = state.survivors()[0]
        others = tuple(seat for seat in range(state.players) if seat != winner)
        great = state.players > 2 and self.winners_of_hearts(state) == (winner,)
        # TK32: hearts and great victory are titles beside the ranking.
        reason = "great_victory" if great else "simple_victory"
        return Outcome(reason, ((winner,), others), self.scores(state))

    def winners_of_hearts(self, state: TrilithenState) -> tuple[int, ...]:
        """Won bars first, then foreign points; TK14: players who are out count, ties share."""
        scores = self.scores(state)
        hearts = [(sum(state.won[seat]), scores[seat]) for seat in range(state.players)]
        return tuple(seat for seat, heart in enumerate(hearts) if heart == max(hearts))

    def scores(self, state: TrilithenState) -> tuple[int, ...]:
        return tuple(
            sum(row) - sum(row[colour] for colour in state.own[seat])
            for seat, row in enumerate(state.points)
        )

    def explain_scores(self, state: TrilithenState) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "captured", number, (("colour", COLOURS[colour]),))
            for seat, row in enumerate(state.points)
            for colour, number in enumerate(row)
            if number and state.owner(colour) != seat
        ]

    # -- the table ------------------------------------------------------------------------

    def layout(self, state: TrilithenState) -> Layout:
        return layout(state)

    def also_right(self, state: TrilithenState) -> list[Layout]:
        return also_right(state)

    def supply(self, state: TrilithenState, seat: int) -> Counter[str]:
        return supply(state, seat)

    def touches(self, state: TrilithenState, move: Move) -> Collection[str]:
        return touches(self, state, move)

    def tolerates(self, state: TrilithenState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        return tolerates(state, site, seen)

    def unfinished(self, state: TrilithenState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        return unfinished(state, site, seen)

    def likely(self, state: TrilithenState, board: Board) -> Sequence[Move]:
        return likely(state, board)

    def plausible(
        self, state: TrilithenState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[tuple[Move, float]]:
        return weighed(state, moves, board, since)

    def implied(self, state: TrilithenState, moves: Sequence[Move], board: Board) -> list[Move]:
        return inferred(state, moves)

    def fitting(
        self, state: TrilithenState, moves: Sequence[Move], boards: Boards
    ) -> Sequence[Move]:
        return fitting(moves, boards)

    def essence(self, state: TrilithenState) -> Json:
        return essence(state)

    def told_later(self, states: Sequence[TrilithenState]) -> bool:
        return told_later(states)

    # -- at a screen ----------------------------------------------------------------------

    def may_deal(self, state: TrilithenState) -> bool:
        """5.2: the bars on the ring are open, and who begins is drawn by lot."""
        return state.phase in (Phase.BARS, Phase.START)

    def spread(self, state: TrilithenState) -> Spread | None:
        return spread(state)

    def result(self, before: TrilithenState, move: Move, after: TrilithenState) -> Result | None:
        return result(before, move, after)

    def places(self, state: TrilithenState, move: Move) -> tuple[str, ...]:
        return places_of(state, move)

    # -- what may be known ----------------------------------------------------------------

    def public(self, state: TrilithenState, move: Move, seat: int | None) -> Move:
        if move.verb == "draw":
            who = MEANING[move.text][0]
            return move if who == seat else DRAW_UNSEEN[who]
        if move.verb == "show" and state.phase is _LOOK and state.owner(state.target) != seat:
            return SHOW_UNSEEN[MEANING[move.text][0]]
        return move

    def shown(self, state: TrilithenState, move: Move) -> tuple[Move, ...]:
        shown = self.public(state, move, None)
        if move.verb == "place" and not state.physical and len(state.waiting(state.turn)) > 1:
            after = state.clone()
            self.apply(after, move)
            if after.phase is _DRAW and after.waiting(state.turn):
                # TK26: no card fits the second one, and there is nobody to ram.
                return (shown, DONE[state.turn])
        return (shown,)

    def remembered(self, state: TrilithenState, told: Sequence[Move]) -> Sequence[Move]:
        """TK23: which cards were seen is forgotten at the end of the turn."""
        turn_began = len(told)
        if state.phase in (_FLIP, _SHOW, _SWAP, _PEEK, _LOOK):
            # A ram follows a card played, so somebody drew one at the end of the turn before.
            turn_began = max((ply for ply, move in enumerate(told) if move.verb == "draw"))
        return [
            SHOW_UNSEEN[MEANING[move.text][0]]
            if move.verb == "show" and ply < turn_began and move.text in MEANING
            else move
            for ply, move in enumerate(told)
        ]

    def view(self, state: TrilithenState, seat: int | None) -> Json:
        """TK23: a memory game, so of the display only what lies face up is shown."""
        data = state.to_json()
        data["display"] = {
            name: {"card": entry["card"] if entry["up"] else None, "up": entry["up"]}
            for name, entry in data["display"].items()
        }
        state.deck.conceal(data, seat)
        return data


def _lay_open(state: TrilithenState, seat: int, card: int) -> None:
    discards = state.deck.discards
    mistake = mistaken(state, seat, card)
    if mistake is None:
        state.deck.lay_open(seat, card)
        return
    place, other = mistake
    state.deck.lay_open(seat, other)
    discards[place], discards[-1] = other, card
