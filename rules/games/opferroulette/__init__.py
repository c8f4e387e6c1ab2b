"""Opferroulette (Sacrifice Roulette) by Jason Bulmahn, for two to five players.

The players are gods. A stone ball rolls round the ring of thirty fields and falls into pits,
where it crushes the offerings: save your own, crush those of the others. Section and ruling ids
(6.1 … 6.4, OR1 … OR22) are those of the rule pages in ``rules/text/opferroulette.*.toml``.

``board`` holds the tables, ``position`` the state, ``refusals`` what is not allowed and why; here
are the rules, section by section. In a
physical match hands and pile are unknown: a card is bound when it is played or turned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import ClassVar

from rules.core import (
    Actor,
    Game,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    ScoreLine,
    StateError,
)
from rules.games.opferroulette.board import (
    BALL,
    CARD,
    CARDS,
    COLOUR,
    COLOURS,
    DAY,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    FACINGS,
    FALL,
    FIELD_COLOURS,
    FIELDS,
    HAND,
    NEUTRAL_COLOUR,
    NEXT,
    NUMBER,
    NUMBER_CARDS,
    OFFER,
    OFFER_NEUTRAL,
    OFFERINGS,
    PIT,
    PIT_OF_CARD,
    PITS,
    PUT,
    REVERSE,
    ROLL,
    ROLL_FALL,
    START,
    TURN,
)
from rules.games.opferroulette.position import (
    NO_COLOUR,
    NOBODY,
    OpferrouletteState,
    Phase,
)
from rules.games.opferroulette.refusals import objections
from rules.hidden import UNSEEN, Zones

_TURN, _FALL, _REFILL, _OVER = Phase.TURN, Phase.FALL, Phase.REFILL, Phase.OVER
_SEAT = {f"p{seat}": seat for seat in range(len(COLOURS))}
_FALLS = frozenset({"fall", "roll-fall"})


class Opferroulette(Game[OpferrouletteState]):
    """The rules, section by section."""

    id = "opferroulette"
    box = "stonehenge_anthology"
    players = (2, 3, 4, 5)
    options: ClassVar = {"shared_pits": ("on", "off"), "trilithon_alone": ("off", "on")}
    codes = (
        "match_over", "wrong_player", "unknown_move", "deal_first", "turn_first",
        "offering_first", "set_up_over", "players_turn", "other_deal", "wrong_hand",
        "already_drawn", "not_in_pile", "stays_hidden", "pit_taken", "on_discards",
        "not_in_hand", "number_needed", "trilithon_needed", "other_colour", "other_number",
        "roll_first", "number_card_too",
    )  # fmt: skip
    handling_rule = "6.3"

    # -- 6.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> OpferrouletteState:
        return OpferrouletteState(
            players,
            shared=options["shared_pits"] == "on",
            alone=options["trilithon_alone"] == "on",
            physical=physical,
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS[:players]

    def from_json(self, data: Json) -> OpferrouletteState:
        try:
            players = int(data["players"])
            options = self.complete_options(players, data["options"])
            state = self.setup(players, options, bool(data["physical"]))
            state.phase, state.turn = Phase(data["phase"]), int(data["turn"])
            state.undrawn = _cards(data["undrawn"])
            for name, seat in data["trilithon_offerings"].items():
                state.holders[CARD[name] - NUMBER_CARDS] = int(seat)
            for name, owners in data["pits"].items():
                for owner in owners:
                    if owner not in range(players + 1):
                        raise ValueError(f"pit {name} holds an offering of nobody: {owner!r}")
                    state.put_offering(owner, PIT[name])
            state.crushed = [[int(number) for number in row] for row in data["crushed"]]
            if data["ball"] is not None:
                field, facing = data["ball"]
                state.ball, state.facing = range(FIELDS + 1)[int(field)], FACINGS.index(facing)
            state.discards = _cards(data["discards"])
            if "zones" in data:
                state.zones = Zones.from_json(data["zones"])
            else:
                state.hands = [_cards(hand) for hand in data["hands"]]
                state.pile = _cards(data["pile"])
            state.drawn, state.through = int(data["drawn"]), int(data["through"])
            state.passes, state.played = int(data["passes"]), bool(data["played"])
            colour = data["colour"]
            state.colour = NO_COLOUR if colour is None else FIELD_COLOURS.index(colour)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            if isinstance(error, StateError):
                raise
            raise StateError(f"this is no position of {self.id}: {error!r}") from error
        if problems := self.invariants(state):
            raise StateError(f"this is no position of {self.id}: {'; '.join(problems)}")
        return state

    # -- asking ---------------------------------------------------------------------------

    def prompt(self, state: OpferrouletteState) -> Prompt | None:
        phase, seat = state.phase, state.turn
        if phase is _OVER:
            return None
        if phase is _TURN:
            return self._prompt_turn(state)
        if phase is _FALL:
            return Prompt(Actor.DEALER, seat, "turn", "6.3", (("field", state.ball),))
        if phase is _REFILL or phase is Phase.DEAL:
            missing = state.hand_limit(seat) - state.hand_size(seat)
            code = "refill" if phase is _REFILL else "deal"
            rule = "6.3" if phase is _REFILL else "6.2"
            return Prompt(Actor.DEALER, seat, code, rule, (("missing", missing),))
        if phase is Phase.TRILITHON:
            card = CARDS[NUMBER_CARDS + state.holders.index(seat)]
            return Prompt(Actor.PLAYER, seat, "offering", "OR18", (("card", card),))
        who = seat if phase is Phase.OFFER else None
        rule = {Phase.NEUTRAL: "OR19", Phase.BALL: "OR11", Phase.START: "OR22"}.get(phase, "6.2")
        return Prompt(Actor.DEALER, who, phase.value, rule)

    @staticmethod
    def _prompt_turn(state: OpferrouletteState) -> Prompt:
        seat = state.turn
        if state.colour != NO_COLOUR:
            colour = (("colour", FIELD_COLOURS[state.colour]),)
            return Prompt(Actor.PLAYER, seat, "go_on", "6.3", colour)
        if state.played:
            code = "reversed_alone" if state.alone else "reversed"
            return Prompt(Actor.PLAYER, seat, code, "OR5")
        if state.passes == state.players - 1:
            # OR5: said before the last of these passes.
            return Prompt(Actor.PLAYER, seat, "last_pass", "OR5")
        return Prompt(Actor.PLAYER, seat, "play", "6.3")

    def moves(self, state: OpferrouletteState) -> list[Move]:
        phase, seat = state.phase, state.turn
        if phase is _TURN:
            return self._turn_moves(state)
        if phase is _REFILL or phase is Phase.DEAL:
            if state.zones is not None:
                return [DRAW_UNSEEN[seat]]
            row = DRAW[seat]
            return [row[card] for card in state.pile or state.discards]
        if phase is _FALL:
            return [TURN[card] for card in state.drawable()]
        if phase is Phase.OFFER:
            row = OFFER[seat]
            return [row[card] for card in state.undrawn]
        if phase is Phase.NEUTRAL:
            return [OFFER_NEUTRAL[card] for card in state.undrawn]
        if phase is Phase.TRILITHON:
            row = PUT[seat]
            if state.shared:
                return list(row)
            return [row[pit] for pit, owners in enumerate(state.pits) if not owners]
        if phase is Phase.BALL:
            return [BALL[card] for card in state.undrawn]
        if phase is Phase.START:
            return list(START[: state.players])
        return []

    def pseudo_moves(self, state: OpferrouletteState) -> Iterable[Move]:
        """Whatever anybody could play, deal or place now, and a button pressed too early."""
        phase, seat, seats = state.phase, state.turn, range(state.players)
        if phase is _OVER:
            return
        yield from (DONE[s] for s in seats)
        if phase is _TURN:
            for s in seats:
                for table in (ROLL, ROLL_FALL, FALL, REVERSE):
                    yield from table[s]
        elif phase is _REFILL or phase is Phase.DEAL:
            for s in seats:
                yield DRAW_UNSEEN[s]
                yield from DRAW[s]
        elif phase is _FALL:
            yield from TURN
        elif phase is Phase.OFFER:
            yield from OFFER[seat]
        elif phase is Phase.NEUTRAL:
            yield from OFFER_NEUTRAL
        elif phase is Phase.TRILITHON:
            for s in seats:
                yield from PUT[s]
        elif phase is Phase.BALL:
            yield from BALL
        else:
            yield from START[: state.players]

    def choose(
        self, state: OpferrouletteState, moves: Sequence[Move], random: Random
    ) -> Move:  # fmt: skip
        """A fall four times of five where there is one; else hardly ever the end of the turn."""
        if state.phase is _TURN:
            if random.random() < 0.8:
                falls = [move for move in moves if move.verb in _FALLS]
                if falls:
                    return falls[int(random.random() * len(falls))]
            if random.random() < 0.95:
                others = [move for move in moves if move.verb != "done"]
                if others:
                    return others[int(random.random() * len(others))]
        return moves[int(random.random() * len(moves))]

    # -- 6.3 Turn -------------------------------------------------------------------------

    @staticmethod
    def _turn_moves(state: OpferrouletteState) -> list[Move]:
        seat, colour = state.turn, state.colour
        reach = NEXT[state.facing][state.ball]
        roll, roll_fall = ROLL[seat], ROLL_FALL[seat]
        found: list[Move] = []
        trilithons: list[int] = []
        for card in state.playable(seat):
            if card >= NUMBER_CARDS:
                trilithons.append(card)
                continue
            own = COLOUR[card]
            if colour == NO_COLOUR or own == colour:
                found.append(roll[card])
                if reach[own] == NUMBER[card]:
                    found.append(roll_fall[card])
                if colour != NO_COLOUR:
                    found.append(FALL[seat][card])
        rolled = colour != NO_COLOUR
        if trilithons:
            reverse = REVERSE[seat]
            if rolled or state.alone or (found and state.zones is None):
                found += [reverse[card] for card in trilithons]
            elif found:
                found += [
                    reverse[card] for card in trilithons if state.holds_number_card(seat, card)
                ]
        if rolled or state.alone or not state.played:
            found.append(DONE[seat])
        return found

    def check(self, state: OpferrouletteState, move: Move) -> list[Objection]:
        return objections(state, move)

    # -- carrying out ---------------------------------------------------------------------

    def apply(self, state: OpferrouletteState, move: Move) -> None:
        verb, seat = move.verb, move.player
        if seat is None:
            self._apply_dealer(state, verb, move.args)
        elif verb == "done":
            if seat == state.turn and state.phase is _TURN:
                self._end_turn(state)
        elif verb == "offer":
            state.put_offering(seat, PIT[move.args[0]])
            place = state.holders.index(seat) if seat in state.holders else NOBODY
            if place != NOBODY:
                state.holders[place] = NOBODY
            self._next_offering(state)
        else:
            self._apply_card(state, seat, verb, CARD[move.args[0]])

    @staticmethod
    def _apply_card(state: OpferrouletteState, seat: int, verb: str, card: int) -> None:
        # OR20: a played card lies on the discard pile at once.
        state.lay_open(seat, card)
        if seat == state.turn:
            state.played = True
            state.passes = 0
        if verb == "reverse":
            state.facing = 1 - state.facing
            return
        if card < NUMBER_CARDS:
            if seat == state.turn:
                state.colour = COLOUR[card]
            if verb != "fall":
                state.ball = NEXT[state.facing][state.ball][COLOUR[card]]
        if verb != "roll":
            state.phase = _FALL

    def _apply_dealer(self, state: OpferrouletteState, verb: str, args: tuple[str, ...]) -> None:
        if verb == "turn":
            self._fall(state, CARD[args[0]])
        elif verb == "draw":
            name = args[1]
            self._draw(state, _SEAT[args[0]], None if name == UNSEEN else CARD[name])
        elif verb == "offer":
            self._offer(state, args[0], CARD[args[1]])
        elif verb == "ball":
            self._place_ball(state, CARD[args[0]])
        else:
            state.phase, state.turn = _TURN, _SEAT[args[0]]

    @staticmethod
    def _remove_undrawn(state: OpferrouletteState, card: int) -> None:
        if card in state.undrawn:
            state.undrawn.remove(card)

    def _offer(self, state: OpferrouletteState, target: str, card: int) -> None:
        """6.2 items 1 and 2: a card brings an offering into its pit."""
        self._remove_undrawn(state, card)
        neutral = target == "neutral"
        owner = state.players if neutral else _SEAT[target]
        if card < NUMBER_CARDS:
            state.put_offering(owner, PIT_OF_CARD[card])
        elif not neutral:
            state.holders[card - NUMBER_CARDS] = owner
        dealt = len(CARDS) - len(state.undrawn)
        if not neutral:
            if dealt < OFFERINGS * state.players:
                state.turn = dealt // OFFERINGS
                return
            state.turn = 0
            if state.players == 2:
                state.phase = Phase.NEUTRAL
                return
        elif state.own_left[owner] < OFFERINGS:
            return
        self._next_offering(state)

    @staticmethod
    def _next_offering(state: OpferrouletteState) -> None:
        """OR18: by the colours of the trilithon cards, whoever holds them; then the ball."""
        for seat in state.holders:
            if seat != NOBODY:
                state.phase, state.turn = Phase.TRILITHON, seat
                return
        state.phase, state.turn = Phase.BALL, 0

    def _place_ball(self, state: OpferrouletteState, card: int) -> None:
        self._remove_undrawn(state, card)
        # OR11: a trilithon card is put aside, another one is drawn.
        if card < NUMBER_CARDS:
            state.ball = NUMBER[card]
            state.shuffle_all()
            state.phase = Phase.DEAL

    def _draw(self, state: OpferrouletteState, seat: int, card: int | None) -> None:
        state.renew_pile()
        state.draw(seat, card)
        if state.phase is Phase.DEAL:
            # 6.2 item 5: one card each round the table, until all have five.
            state.drawn += 1
            state.turn = state.drawn % state.players
            if state.drawn == HAND * state.players:
                state.phase, state.turn = Phase.START, 0
        elif not self._played_through(state):
            self._refill(state)

    def _fall(self, state: OpferrouletteState, card: int) -> None:
        """6.3 Fall: night pit, day pit, or with a trilithon card both pits of the field."""
        state.renew_pile()
        state.turn_up(card)
        for pit in _pits_hit(state.ball, card):
            if state.pits[pit]:
                state.crush(state.turn, pit)
        # OR9: the fall first, then the refill to a limit that may have risen.
        if not self._played_through(state):
            self._refill(state)

    @staticmethod
    def _played_through(state: OpferrouletteState) -> bool:
        """OR13: the moment the pile's last card is drawn; the 2nd (3rd) time is the end."""
        if state.pile_size:
            return False
        state.through += 1
        if state.through < (3 if state.players == 5 else 2):
            return False
        state.phase = _OVER
        return True

    def _end_turn(self, state: OpferrouletteState) -> None:
        if state.played:
            self._refill(state)
            return
        # OR5: a turn without any card is a pass; passes all round end the match.
        state.passes += 1
        if state.passes == state.players:
            state.phase = _OVER
        else:
            self._next_player(state)

    def _refill(self, state: OpferrouletteState) -> None:
        """OR17: up to the hand limit of this moment. OR21: short if no card is left anywhere."""
        seat = state.turn
        if state.hand_size(seat) < state.hand_limit(seat) and (state.pile_size or state.discards):
            state.phase = _REFILL
        else:
            self._next_player(state)

    @staticmethod
    def _next_player(state: OpferrouletteState) -> None:
        state.phase = _TURN
        state.turn = (state.turn + 1) % state.players
        state.played = False
        state.colour = NO_COLOUR

    # -- 6.4 End and scoring --------------------------------------------------------------

    def outcome(self, state: OpferrouletteState) -> Outcome | None:
        if state.phase is not _OVER:
            return None
        scores = self.scores(state)
        # OR14: equal scores share the place.
        ranking = tuple(
            tuple(seat for seat, points in enumerate(scores) if points == place)
            for place in sorted(set(scores), reverse=True)
        )
        reason = "all_passed" if state.passes == state.players else "played_through"
        return Outcome(reason, ranking, scores)

    def scores(self, state: OpferrouletteState) -> tuple[int, ...]:
        return tuple(2 * state.own_left[s] + sum(row) for s, row in enumerate(state.crushed))

    def explain_scores(self, state: OpferrouletteState) -> list[ScoreLine]:
        lines = []
        for seat, row in enumerate(state.crushed):
            if kept := state.own_left[seat]:
                lines.append(ScoreLine(seat, "kept", 2 * kept, (("number", kept),)))
            for owner, number in enumerate(row):
                if number:
                    colour = NEUTRAL_COLOUR if owner == state.players else COLOURS[owner]
                    params = (("number", number), ("colour", colour))
                    lines.append(ScoreLine(seat, "crushed", number, params))
        return lines

    # -- the table ------------------------------------------------------------------------

    def layout(self, state: OpferrouletteState) -> Layout:
        return Counter(dict(state.items()))

    def supply(self, state: OpferrouletteState, seat: int) -> Counter[str]:
        """The favourite, offerings not yet placed, those crushed, and the hand face down."""
        placed = state.own_left[seat] + sum(row[seat] for row in state.crushed)
        left = Counter({f"figure {COLOURS[seat]}": 1, f"disc {COLOURS[seat]}": OFFERINGS - placed})
        for owner, number in enumerate(state.crushed[seat]):
            colour = NEUTRAL_COLOUR if owner == state.players else COLOURS[owner]
            left[f"disc {colour}"] += number
        left["card back"] = state.hand_size(seat)
        return +left

    def touches(self, state: OpferrouletteState, move: Move) -> Collection[str]:
        verb, args = move.verb, move.args
        if move.player is not None:
            if verb == "offer":
                return args
            if verb == "done":
                return ()
            if verb == "fall":
                return ("discard-pile",)
            if verb == "reverse":
                return (str(state.ball), "discard-pile")
            card = CARD[args[0]]
            if card >= NUMBER_CARDS:
                return ("discard-pile",)
            reached = NEXT[state.facing][state.ball][COLOUR[card]]
            return (str(state.ball), str(reached), "discard-pile")
        if verb == "turn":
            hit = [PITS[pit] for pit in _pits_hit(state.ball, CARD[args[0]]) if state.pits[pit]]
            return (*hit, "draw-pile", "discard-pile")
        if verb == "draw":
            return ("draw-pile",) if state.pile_size else ("draw-pile", "discard-pile")
        if verb == "start" or CARD[args[-1]] >= NUMBER_CARDS:
            return ()
        if verb == "ball":
            return (str(NUMBER[CARD[args[0]]]), "draw-pile")
        return (PITS[PIT_OF_CARD[CARD[args[1]]]],)

    # -- what may be known ----------------------------------------------------------------

    def public(self, state: OpferrouletteState, move: Move, seat: int | None) -> Move:
        if move.verb == "draw" and move.args[0] != f"p{seat}":
            return DRAW_UNSEEN[_SEAT[move.args[0]]]
        return move

    def view(self, state: OpferrouletteState, seat: int | None) -> Json:
        data = state.to_json()
        if state.zones is None:
            data["pile"] = len(state.pile)
            data["hands"] = [
                hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
            ]
        return data

    # -- safety ---------------------------------------------------------------------------

    def invariants(self, state: OpferrouletteState) -> list[str]:
        return state.problems()


def _pits_hit(field: int, card: int) -> tuple[int, ...]:
    day, night = 2 * (field - 1), 2 * field - 1
    if card >= NUMBER_CARDS:
        return (day, night)
    return (day,) if card < len(DAY) else (night,)


def _cards(names: Iterable[str]) -> list[int]:
    return [CARD[name] for name in names]


GAME = Opferroulette()
