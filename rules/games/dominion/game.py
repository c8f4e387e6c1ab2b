"""8.1 … 8.3 The course of play: set-up, turn, end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from random import Random
from typing import ClassVar

from rules.core import (
    Actor,
    Game,
    Json,
    Move,
    OptionError,
    Options,
    Outcome,
    ScoreLine,
    Series,
    ranked,
)
from rules.games.dominion import ledger
from rules.games.dominion.card_questions import put_back
from rules.games.dominion.components import (
    ACTIONS,
    COINS,
    COLOURS,
    COST,
    DEAREST,
    KINGDOM_CHOICE,
    KINGDOMS,
    kingdom_of,
    points_of,
)
from rules.games.dominion.effects import QUESTIONS, end_turn, play_action, settle
from rules.games.dominion.inference import DominionInference
from rules.games.dominion.layout import areas, dealt_beside, layout, supply, touches
from rules.games.dominion.legality import CODES, violations
from rules.games.dominion.moves import CARD_MOVES, DONE, DRAW_UNSEEN, NONE, SEAT_NAMES, shape
from rules.games.dominion.prompts import legal_moves, prompt, pseudo_moves
from rules.games.dominion.state import NOBODY, QUIET_ROUNDS, DominionState, seats_of
from rules.games.dominion.touch import DominionTouch

# 8.2 The turn: cards that its player plays and buys, and unasked moves of hands.


def play(state: DominionState, seat: int, card: str) -> None:
    """A card of the hand is played."""
    cards = state.seats[seat]
    if not cards.take(card):
        return
    cards.play.append(card)
    coins = COINS.get(card)
    if coins is not None:
        state.coins += coins
        state.buying = True  # DO12
    elif card in ACTIONS:
        state.actions = max(0, state.actions - 1)
        play_action(state, seat, card)


def buy(state: DominionState, seat: int, card: str) -> None:
    """A card of the supply is bought; the last buy ends the turn."""
    if not state.gain(seat, card):
        return
    state.coins = max(0, state.coins - COST[card])
    state.buys -= 1
    state.buying = state.bought = True
    if state.buys <= 0:
        end_turn(state)


def done_by_hand(state: DominionState, move: Move) -> None:
    """An unasked move of hands: cards move, nothing follows from it."""
    kind, args = shape(move), move.args
    if move.actor is Actor.DEALER:
        if kind in ("draw", "reveal"):
            pile = state.seats[int(args[0][1:])]
            if pile.ready():
                (pile.draw if kind == "draw" else pile.reveal)(args[1])
        return
    assert move.player is not None
    cards = state.seats[move.player]
    if kind in ("buy", "gain"):
        state.gain(move.player, args[0])
    elif kind == "discard deck":
        cards.turn_over()
    elif kind.endswith("owner"):
        put_back(state, move)
    elif kind in CARD_MOVES and cards.take(args[0]):
        card = args[0]
        if kind == "play":
            cards.play.append(card)
        elif kind == "trash":
            state.put_in_trash(move.player, card)
        elif kind == "discard":
            cards.to_discard(card)
        elif kind == "topdeck":
            cards.to_top(card)
        else:
            cards.aside.append(card)


_WINNERS = tuple(",".join(seats) for n in range(1, 5) for seats in combinations(SEAT_NAMES, n))


def _asks(state: DominionState, card: str) -> bool:
    return bool(state.stack) and state.stack[-1][0] == card


class DominionSeries:
    """Several matches: points add up; DO16: the left neighbour of a single winner begins."""

    lower_wins = False
    decides: tuple[str, ...] = ("last_winners",)

    def points(self, outcome: Outcome) -> tuple[int, ...]:
        """Points of the match, by seat."""
        return outcome.scores

    def next_first(self, outcome: Outcome) -> int | None:
        """DO16; with several winners the lot decides."""
        winners = outcome.ranking[0]
        return (winners[0] + 1) % len(outcome.scores) if len(winners) == 1 else None

    def next_options(self, outcome: Outcome) -> Options:
        """DO16: the next match begins by this result, whatever the last one began by."""
        return {"last_winners": ",".join(SEAT_NAMES[seat] for seat in sorted(outcome.ranking[0]))}


class DominionPosition(DominionState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    violations = violations
    layout = layout
    supply = supply
    ledger = ledger.ledger_of

    # -- 8.2 Turn and moves ---------------------------------------------------------------

    def turn_of(self) -> int | None:
        return self.seat if self.seat != NOBODY else None

    def weights(self, moves: Sequence[Move]) -> Sequence[int]:
        if self.stack:
            frame = self.stack[-1]
            if frame[0] in ("draw", "look", "reveal"):
                draws = self.seats[frame[1]].draws()
                return [draws.get(move.args[1], 1) for move in moves]
        return [1] * len(moves)

    def choose(self, moves: Sequence[Move], random: Random) -> Move:
        """Nineteen times in twenty an action, else a treasure, else one of the dearest cards."""
        if self.keeps_ledger and not self.stack:
            return ledger.choose(self, moves, random)
        if self.stack or random.random() < 0.05:
            return moves[int(random.random() * len(moves))]
        actions: list[Move] = []
        treasures: list[Move] = []
        for move in moves:
            if move.verb == "play":
                (treasures if move.args[0] in COINS else actions).append(move)
        found = actions or treasures
        if not found:
            coins = self.coins
            found = self.market.dearest[self.seat][coins if coins < DEAREST else DEAREST]
        return found[int(random.random() * len(found))] if found else DONE[self.seat]

    def pseudo_moves(self) -> Iterable[Move]:
        """All that hands could do with any card of this match, no matter who is asked."""
        legal = dict.fromkeys(legal_moves(self))
        yield from legal
        yield from (move for move in pseudo_moves(self) if move not in legal)

    def apply(self, move: Move) -> None:
        stack = self.stack
        if stack:
            frame = stack[-1]
            if move.verb == "draw" and frame[0] == "draw" and frame[1] == int(move.args[0][1]):
                # By far the commonest move; the same as Draw.answer.
                cards = self.seats[frame[1]]
                if cards.draw(move.args[1]):
                    if frame[2] > 1:
                        stack[-1] = ("draw", frame[1], frame[2] - 1)
                    else:
                        stack.pop()
            else:
                question = QUESTIONS[frame[0]]
                if question.hears(frame, move):
                    question.answer(self, frame, move)
                else:
                    done_by_hand(self, move)
            settle(self)
        elif self.keeps_ledger:
            ledger.enter(self, move)
        elif move.player == self.seat and move.verb in _TURN_VERBS:
            if move.verb == "done":
                end_turn(self)
            elif move.verb == "buy":
                buy(self, self.seat, move.args[0])
            else:
                play(self, self.seat, move.args[0])
            if stack:
                settle(self)
        else:
            done_by_hand(self, move)

    # -- 8.3 End --------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        scores = self.scores()
        # 8.3, DO7, DO28: points, then fewer completed turns, then shared.
        results = [(points, -turns) for points, turns in zip(scores, self.turns, strict=True)]
        return Outcome(self.over, ranked(results), scores)

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(points_of(cards.owned).values()) for cards in self.seats)

    def explain_scores(self) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "cards", points, (("number", cards.owned[card]), ("card", card)))
            for seat, cards in enumerate(self.seats)
            for card, points in sorted(points_of(cards.owned).items())
        ]

    # -- the table ------------------------------------------------------------------------

    def touches(self, move: Move) -> Collection[str]:
        found = touches(self, move)
        if found is not None:
            return found
        tried = set(super().touches(move))
        if tried and move.player is not None and move.player not in dealt_beside(self):
            tried.update(areas(move.player, "draw", "discard"))
        return tried

    def obliged(self) -> Move | None:
        """DO18: a player who is known to have no Moat is not asked for one."""
        if not self.stack:
            return None
        frame = self.stack[-1]
        return QUESTIONS[frame[0]].only(self, frame)

    # -- DO17 What may be known -----------------------------------------------------------

    def public(self, move: Move, seat: int | None) -> Move:
        if move.actor is Actor.DEALER and move.verb == "draw":
            owner = int(move.args[0][1:])
            if owner != seat and not self.seats[owner].top():
                return DRAW_UNSEEN[owner]
        return move

    def shown(self, move: Move) -> tuple[Move, ...]:
        """DO27: at a table a hand without victory cards is shown to the players, not entered."""
        if move.verb == "show" and move.player is not None and _asks(self, "bureaucrat"):
            return (NONE[move.player],)
        return super().shown(move)

    def view(self, seat: int | None) -> Json:
        data = self.to_json()
        if self.keeps_ledger:
            return data  # nothing of it is hidden
        for owner, cards in enumerate(data["seats"]):
            if not self.seats[owner].dealt:
                continue  # that holds no more than the table has seen
            cards["draw"] = sum(cards["draw"].values())
            cards["discard"] = sum(cards["discard"].values())
            if owner != seat:
                cards["hand"] = sum(cards["hand"].values())
                cards["drawn"] = "?" if cards["drawn"] else ""
        return data


class Dominion(Game[DominionState]):
    """Name, players, options and set-up."""

    id = "dominion"
    box = "dominion"
    craft = "rules.players.crafts.dominion:DominionCraft"
    players = (2, 3, 4)
    options: ClassVar = {
        "kingdom": (*KINGDOMS, "random", "choose"),
        "last_winners": ("none", *_WINNERS),
        "treasures_first": ("off", "on"),
        "quiet_rounds": (str(QUIET_ROUNDS), "off"),
        "record": ("turns", "ledger", "count"),
    }
    choices: ClassVar = {"kingdom": KINGDOM_CHOICE}
    outcomes = ("counted", "provinces", "piles", "quiet")
    codes = CODES
    series: ClassVar[Series | None] = DominionSeries()
    handling_rule = "8.2"
    scoring_rule = "8.3"
    inference = DominionInference()
    touch = DominionTouch()
    bgg_id = 36218
    ledger_option = ("record", ("ledger", "count"))

    # -- 8.1 Set-up -----------------------------------------------------------------------

    def complete_options(self, players: int, options: Options) -> dict[str, str]:
        complete = super().complete_options(players, options)
        if [seat for seat in seats_of(complete["last_winners"]) if seat >= players]:
            winners = complete["last_winners"]
            raise OptionError("winners_many", winners=winners, players=players)
        return complete

    def setup(self, players: int, options: Options, physical: bool) -> DominionState:
        state = DominionPosition(players, options, physical)
        if state.counting:
            state.begin_count()
            return state
        kingdom = options["kingdom"]
        if cards := kingdom_of(kingdom):
            state.kingdom = list(cards)
            state.do(("lay-out", 0), ("deal", 0))
        else:
            naming = "kingdom-lot" if kingdom == "random" else "kingdom-choice"
            state.do((naming, 0), ("lay-out", 0), ("deal", 0))
        settle(state)
        return state

    def deals_for(self, players: int, options: Options, seats: Collection[int]) -> bool:
        # All players have a deck of their own.
        return not self.keeps_ledger(options)

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS[:players]

    def sits_at(self, seat: int, players: int, options: Options) -> str:
        # Cards of a ledger lie anywhere.
        return "" if self.keeps_ledger(options) else f"play-p{seat}"


_TURN_VERBS = frozenset({"play", "buy", "done"})
