"""Dominion by Donald X. Vaccarino (Hans im Glück 2008), base game, first edition, 2–4 players.

Buy cards, shuffle them into your own deck, turn them into Provinces. Section and ruling ids
(8.1 … 8.6, DO1 … DO30) are those of the rule pages in ``rules/text/dominion.*.toml``; ``8.4-witch``
is the page of a card.

``cards.toml`` holds the cards as data, ``effects`` what each does. ``questions`` is what a question
is; ``dealing`` and ``asked_by_cards`` are those of chance and of the cards, ``turn`` is the turn
itself, ``attempts`` what hands could try. ``holdings`` are a player's cards, ``dealt`` by the
program or ``watched`` at a table; ``state`` puts these together, and ``table`` says what must lie
on the mat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import ClassVar

from rules.core import (
    Actor,
    Game,
    Json,
    Layout,
    Move,
    Objection,
    OptionError,
    Options,
    Outcome,
    Prompt,
    ScoreLine,
    Series,
    StateError,
)
from rules.games.dominion import table
from rules.games.dominion.attempts import attempts, done_by_hand
from rules.games.dominion.cards import COINS, COST, DEAREST, KINGDOMS, points_of
from rules.games.dominion.dealt import DealtCards
from rules.games.dominion.effects import QUESTIONS, end_turn, settle
from rules.games.dominion.moves import DONE, DRAW_UNSEEN, PLAY_ANY, PLAY_TREASURE, shape
from rules.games.dominion.state import NOBODY, QUIET_ROUNDS, DominionState, Frame, seats_of
from rules.games.dominion.stored import check_frame
from rules.games.dominion.turn import buy, play, refuse_turn, turn_prompt

COLOURS = ("blue", "red", "green", "yellow")
"""Colours of the seats on the table mat, clockwise."""

_SEAT_NAMES = tuple(f"p{seat}" for seat in range(4))
_WINNERS = tuple(",".join(seats) for n in range(1, 5) for seats in combinations(_SEAT_NAMES, n))


class DominionSeries:
    """Several matches: points add up; DO16: the left neighbour of a single winner begins."""

    lower_wins = False

    def points(self, outcome: Outcome) -> tuple[int, ...]:
        """Points of the match, by seat."""
        return outcome.scores

    def next_first(self, outcome: Outcome) -> int | None:
        """DO16; with several winners the lot decides."""
        winners = outcome.ranking[0]
        return (winners[0] + 1) % len(outcome.scores) if len(winners) == 1 else None


class Dominion(Game[DominionState]):
    """The rules, section by section."""

    id = "dominion"
    box = "dominion"
    players = (2, 3, 4)
    options: ClassVar = {
        "kingdom": (*KINGDOMS, "random", "choose"),
        "last_winners": ("none", *_WINNERS),
        "treasures_first": ("off", "on"),
        "quiet_rounds": (str(QUIET_ROUNDS), "off"),
    }
    codes = (
        "match_over", "unknown_move", "wrong_player", "not_in_game", "kingdom_first",
        "not_kingdom_card", "already_named", "start_first", "not_a_candidate", "draw_first",
        "reveal_first", "other_pile", "top_known", "not_in_pile", "stays_hidden", "no_card_due",
        "answer_first", "nothing_asks", "not_owned", "not_in_hand", "no_actions",
        "action_phase_over", "treasure_after_buy", "not_playable", "too_dear", "pile_empty",
        "cost_too_high", "not_a_treasure", "not_an_action", "not_a_victory_card", "only_copper",
        "not_optional", "must_choose", "must_topdeck", "wrong_hand", "only_moat", "not_drawn",
        "not_revealed", "not_trashed_now",
    )  # fmt: skip
    series: ClassVar[Series | None] = DominionSeries()
    handling_rule = "8.2"

    # -- 8.1 Set-up -----------------------------------------------------------------------

    def complete_options(self, players: int, options: Options) -> dict[str, str]:
        complete = super().complete_options(players, options)
        if [seat for seat in seats_of(complete["last_winners"]) if seat >= players]:
            winners = complete["last_winners"]
            raise OptionError("winners_many", winners=winners, players=players)
        return complete

    def setup(self, players: int, options: Options, physical: bool) -> DominionState:
        state = self._empty(players, options, physical)
        kingdom = options["kingdom"]
        if kingdom in KINGDOMS:
            state.kingdom = list(KINGDOMS[kingdom])
            state.do(("lay-out", 0), ("deal", 0))
        else:
            naming = "kingdom-lot" if kingdom == "random" else "kingdom-choice"
            state.do((naming, 0), ("lay-out", 0), ("deal", 0))
        settle(state)
        return state

    @staticmethod
    def _empty(players: int, options: Options, physical: bool) -> DominionState:
        return DominionState(
            players,
            options["kingdom"],
            options["last_winners"],
            options["treasures_first"] == "on",
            options["quiet_rounds"] != "off",
            physical,
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS[:players]

    def restored(self, data: Json) -> DominionState:
        players = int(data["players"])
        options = self.complete_options(players, data["options"])
        if not isinstance(data["physical"], bool):
            raise StateError("unfit", key="physical", found=data["physical"])
        state = self._empty(players, options, data["physical"])
        state.read(data)
        for frame in state.stack:
            check_frame(state, frame)
        return state

    # -- 8.2 Turn and moves ---------------------------------------------------------------

    def prompt(self, state: DominionState) -> Prompt | None:
        if state.over:
            return None
        if state.stack:
            frame = state.stack[-1]
            if frame[0] == "draw":
                return _draw_prompt(frame[1], frame[2])
            return QUESTIONS[frame[0]].prompt(state, frame)
        return turn_prompt(
            state.seat, state.buying or not state.actions, state.actions, state.buys, state.coins
        )

    def moves(self, state: DominionState) -> list[Move]:
        if state.over:
            return []
        if state.stack:
            frame = state.stack[-1]
            return QUESTIONS[frame[0]].moves(state, frame)
        seat = state.seat
        row = PLAY_TREASURE[seat] if state.buying or not state.actions else PLAY_ANY[seat]
        if state.bought and state.treasures_first:
            found = []
        else:
            found = [row[card] for card in state.seats[seat].kinds() if card in row]
        coins = state.coins
        found += state.market.buys[seat][coins if coins < DEAREST else DEAREST]
        found.append(DONE[seat])
        return found

    def weights(self, state: DominionState, moves: Sequence[Move]) -> Sequence[int]:
        if state.stack:
            frame = state.stack[-1]
            if frame[0] in ("draw", "look", "reveal"):
                draws = state.seats[frame[1]].draws()
                return [draws.get(move.args[1], 1) for move in moves]
        return [1] * len(moves)

    def choose(self, state: DominionState, moves: Sequence[Move], random: Random) -> Move:
        """Nineteen times of twenty an action, else a treasure, else one of the dearest cards."""
        if state.stack or random.random() < 0.05:
            return moves[int(random.random() * len(moves))]
        actions: list[Move] = []
        treasures: list[Move] = []
        for move in moves:
            if move.verb == "play":
                (treasures if move.args[0] in COINS else actions).append(move)
        found = actions or treasures
        if not found:
            coins = state.coins
            found = state.market.dearest[state.seat][coins if coins < DEAREST else DEAREST]
        return found[int(random.random() * len(found))] if found else DONE[state.seat]

    def pseudo_moves(self, state: DominionState) -> Iterable[Move]:
        """Whatever hands could do with any card of this match, whoever is asked."""
        if state.over:
            return
        legal = dict.fromkeys(self.moves(state))
        yield from legal
        prompt = self.prompt(state)
        assert prompt is not None
        for move in attempts(state, prompt):
            if move not in legal:
                yield move

    def check(self, state: DominionState, move: Move) -> list[Objection]:
        if state.over:
            return [Objection.of("8.3", "match_over")]
        kind = shape(move)
        if not kind or (move.player or 0) >= state.players:
            return [Objection.of("8.6", "unknown_move", move=move.text)]
        for arg in move.args:
            if arg in _SEAT_NAMES and int(arg[1:]) >= state.players:
                return [Objection.of("8.6", "unknown_move", move=move.text)]
            if arg in COST and state.supply and arg not in state.supply:
                return [Objection.of("8.1", "not_in_game", card=arg)]
        if move.text in _UNSEEN_TEXTS and not state.physical:
            return [Objection.of("8.6", "unknown_move", move=move.text)]
        if state.stack:
            return self._check_answer(state, state.stack[-1], move)
        if move.player is None:
            return [Objection.of("8.2", "no_card_due")]
        if move.player != state.seat:
            return [Objection.of("8.2", "wrong_player", player=state.seat, other=move.player)]
        if kind not in ("play", "buy", "done"):
            return [Objection.of("8.2", "nothing_asks", player=state.seat)]
        return refuse_turn(state, move)

    @staticmethod
    def _check_answer(state: DominionState, frame: Frame, move: Move) -> list[Objection]:
        question = QUESTIONS[frame[0]]
        if question.hears(frame, move):
            return question.refuse(state, frame, move)
        if question.actor is Actor.PLAYER:
            if move.player is None:
                return [Objection.of("8.2", "no_card_due")]
            if move.player != frame[1]:
                # 8.2 would not explain it: who answers a card need not be the one whose turn it is.
                rule = question.first(frame).rule
                return [Objection.of(rule, "wrong_player", player=frame[1], other=move.player)]
        return [question.first(frame)]

    def apply(self, state: DominionState, move: Move) -> None:
        stack = state.stack
        if stack:
            frame = stack[-1]
            if move.verb == "draw" and frame[0] == "draw" and frame[1] == int(move.args[0][1]):
                # By far the commonest move; the same as Draw.answer.
                cards = state.seats[frame[1]]
                if cards.draw(move.args[1]):
                    if frame[2] > 1:
                        stack[-1] = ("draw", frame[1], frame[2] - 1)
                    else:
                        stack.pop()
            else:
                question = QUESTIONS[frame[0]]
                if question.hears(frame, move):
                    question.answer(state, frame, move)
                else:
                    done_by_hand(state, move)
            settle(state)
        elif move.player == state.seat and move.verb in _TURN_VERBS:
            if move.verb == "done":
                end_turn(state)
            elif move.verb == "buy":
                buy(state, state.seat, move.args[0])
            else:
                play(state, state.seat, move.args[0])
            if stack:
                settle(state)
        else:
            done_by_hand(state, move)

    def deal(self, state: DominionState, random: Random) -> None:
        """Answer everything the dealer is asked now, at random and without making moves.

        For simulations that need no log: the same chances as playing the moves one by one.
        """
        while state.stack:
            frame = state.stack[-1]
            cards = state.seats[frame[1]]
            if frame[0] == "draw" and isinstance(cards, DealtCards) and not cards.known_top:
                left = frame[2]
                while left and cards.deck:
                    card = _drawn_from(cards.deck, random)
                    cards.draw(card)
                    left -= 1
                state.stack[-1] = ("draw", frame[1], left)
                settle(state)
            elif QUESTIONS[frame[0]].actor is Actor.DEALER:
                moves = self.moves(state)
                self.apply(state, random.choices(moves, self.weights(state, moves))[0])
            else:
                return

    # -- 8.3 End --------------------------------------------------------------------------

    def outcome(self, state: DominionState) -> Outcome | None:
        if not state.over:
            return None
        scores = self.scores(state)
        # 8.3, DO7, DO28: points, then fewer completed turns, then shared.
        places: dict[tuple[int, int], list[int]] = {}
        for seat, points in enumerate(scores):
            places.setdefault((-points, state.turns[seat]), []).append(seat)
        ranking = tuple(tuple(places[place]) for place in sorted(places))
        return Outcome(state.over, ranking, scores)

    def scores(self, state: DominionState) -> tuple[int, ...]:
        return tuple(sum(points_of(cards.owned).values()) for cards in state.seats)

    def explain_scores(self, state: DominionState) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "cards", points, (("number", cards.owned[card]), ("card", card)))
            for seat, cards in enumerate(state.seats)
            for card, points in sorted(points_of(cards.owned).items())
        ]

    # -- the table ------------------------------------------------------------------------

    def layout(self, state: DominionState) -> Layout:
        return table.layout(state)

    def supply(self, state: DominionState, seat: int) -> Counter[str]:
        return +Counter({table.BACK: state.seats[seat].hand_size()})

    def touches(self, state: DominionState, move: Move) -> Collection[str]:
        found = table.touches(state, move)
        if found is not None:
            return found
        tried = set(super().touches(state, move))
        if tried and move.player is not None:
            tried.update(table.areas(move.player, "draw", "discard"))
        return tried

    def implied(self, state: DominionState, moves: Sequence[Move]) -> list[Move]:
        """8.7: answers without a motion, such as no Moat, Library's keep, Cellar's done."""
        return [move for move in moves if move.verb in _WITHOUT_MOTION and not move.args]

    # -- DO17 What may be known -----------------------------------------------------------

    def public(self, state: DominionState, move: Move, seat: int | None) -> Move:
        if move.actor is Actor.DEALER and move.verb == "draw":
            owner = int(move.args[0][1:])
            if owner != seat and not state.seats[owner].top():
                return DRAW_UNSEEN[owner]
        return move

    def view(self, state: DominionState, seat: int | None) -> Json:
        data = state.to_json()
        if state.physical:
            return data  # a physical match holds no more than the table has seen
        for owner, cards in enumerate(data["seats"]):
            cards["draw"] = sum(cards["draw"].values())
            cards["discard"] = sum(cards["discard"].values())
            if owner != seat:
                cards["hand"] = sum(cards["hand"].values())
                cards["drawn"] = "?" if cards["drawn"] else ""
        return data

    # -- safety ---------------------------------------------------------------------------

    def invariants(self, state: DominionState) -> list[str]:
        problems = state.problems()
        if state.supply and not state.over and not state.stack and state.seat == NOBODY:
            problems.append("it is nobody's turn")
        if state.over and state.stack:
            problems.append("the match is over, but something is to happen")
        if state.stack and state.stack[-1][0] not in QUESTIONS:
            problems.append(f"nobody is asked about {state.stack[-1]}")
        return problems


_WITHOUT_MOTION = frozenset({"done", "none", "keep"})
_TURN_VERBS = frozenset({"play", "buy", "done"})
_UNSEEN_TEXTS = frozenset(move.text for move in DRAW_UNSEEN)


def _drawn_from(deck: dict[str, int], random: Random) -> str:
    """A card of the pile, each equally likely."""
    at = int(random.random() * sum(deck.values()))
    for card, number in deck.items():
        at -= number
        if at < 0:
            return card
    raise AssertionError("an empty pile has been drawn from")


@lru_cache(maxsize=1024)
def _draw_prompt(seat: int, number: int) -> Prompt:
    return Prompt(Actor.DEALER, seat, "draw", "DO20", (("number", number),))


GAME = Dominion()
