"""A Dominion table for tests: any position, moves as texts, referees that watch along."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Self

from rules.core import Actor, Move, Objection, Options
from rules.games.dominion import GAME
from rules.games.dominion.components import CARDS, KINGDOMS, START_DECK, layout_order, pile_sizes
from rules.games.dominion.effects import begin_turn
from rules.games.dominion.game import Dominion
from rules.games.dominion.holdings import DealtCards, WatchedCards
from rules.games.dominion.state import DominionState
from rules.match import Match


def cards_of(text: str) -> list[str]:
    """``copper×3 estate`` as a list of cards."""
    found: list[str] = []
    for word in text.split():
        card, _, number = word.partition("×")
        found += [card] * int(number or 1)
    return found


class Table:
    """A digital match in a given position, and physical ones that see its public log: one of real
    cards only, and for every seat one in which the program deals to that seat.

    ``seats`` are texts ``hand / draw pile / discard pile``; p0 is about to begin their turn. Cards
    without an owner that no pile holds lie in the trash. Every move is made by both; a refusal by
    the referee of what really happened fails the test.
    """

    def __init__(
        self,
        *seats: str,
        kingdom: str | list[str] = "first-game",
        piles: Mapping[str, int] | None = None,
        **options: str,
    ) -> None:
        self.piles = dict(piles or {})
        named = kingdom if isinstance(kingdom, str) else "choose"
        self.kingdom = list(KINGDOMS[kingdom]) if isinstance(kingdom, str) else list(kingdom)
        self.options = GAME.complete_options(len(seats), {"kingdom": named, **options})
        self.state = self._position(seats, physical=False)
        self.referee = self._position(seats, physical=True)
        self.beside = [
            self._position(seats, physical=True, dealt=(seat,)) for seat in range(len(seats))
        ]
        """Positions by the seat that is dealt to."""
        for position in (self.state, self.referee, *self.beside):
            assert position.problems() == []

    def _position(
        self, seats: tuple[str, ...], *, physical: bool, dealt: tuple[int, ...] = ()
    ) -> DominionState:
        state = GAME.setup(len(seats), self.options, physical)
        state.deal_for(dealt)
        state.stack.clear()
        state.kingdom = layout_order(self.kingdom)
        box = Counter(pile_sizes(len(seats), state.kingdom))
        state.piles = dict(box)
        for card, number in START_DECK.items():
            box[card] += number * len(seats)
        for text, holdings in zip(seats, state.seats, strict=True):
            hand, draw, discard = (cards_of(part) for part in (*text.split("/"), "", "")[:3])
            holdings.owned = dict(Counter(hand + draw + discard))
            box -= Counter(holdings.owned)
            if isinstance(holdings, DealtCards):
                holdings.hand, holdings.deck = dict(Counter(hand)), dict(Counter(draw))
                holdings.discards = dict(Counter(discard))
            else:
                assert isinstance(holdings, WatchedCards)
                holdings.zones = type(holdings.zones)()
                holdings.zones.fill("draw", hand + draw)
                for _ in hand:
                    holdings.zones.draw("draw", "hand", None)
                holdings.zones.put("discard", discard)
            holdings.face = discard[-1] if discard else ""
        for card in state.piles:
            state.piles[card] = self.piles.get(card, min(state.piles[card], box[card]))
            assert 0 <= state.piles[card] <= box[card], f"there are not so many {card}"
            state.trash += [card] * (box[card] - state.piles[card])
        assert set(box) <= set(CARDS)
        state.sort_market()
        begin_turn(state, 0)
        return state

    @property
    def legal(self) -> list[str]:
        """The complete list of legal moves, sorted."""
        return sorted(move.text for move in self.state.legal_moves())

    def legal_moves(self) -> list[Move]:
        """All legal moves."""
        return self.state.legal_moves()

    def violations(self, move: Move) -> list[Objection]:
        """Objections to a move."""
        return self.state.violations(move)

    @property
    def weights(self) -> dict[str, int]:
        """Likelihood of each dealer move."""
        moves = sorted(self.state.legal_moves())
        return {m.text: w for m, w in zip(moves, self.state.weights(moves), strict=True)}

    def play(self, *texts: str) -> Self:
        """Make moves; ``text ×3`` repeats one. Each must be legal, for the referee too."""
        for text in texts:
            words, _, number = text.partition(" ×")
            for _ in range(int(number or 1)):
                self._push(Move.parse(words))
                self._is_the_same_beside()
        return self

    def _push(self, move: Move) -> None:
        assert move.text in self.legal, f"{move} is not among {self.legal}"
        assert self.state.violations(move) == []
        whose = move.player if move.player is not None else int(move.args[0][1:])
        for seat, position in enumerate((*self.beside, self.referee)):
            for shown in (move,) if seat == whose else self.state.shown(move):
                assert position.violations(shown) == [], f"the referee refuses {shown}"
                assert shown in position.legal_moves()
                position.apply(shown)
        self.state.apply(move)
        asked = self.state.prompt()
        for position in (self.state, self.referee, *self.beside):
            assert position.problems() == []
            assert position.prompt() == asked, "the referee asks somebody or something else"

    def _is_the_same_beside(self) -> None:
        """Asserts that a seat that is dealt to has the same cards, and the same choice, among
        people with real ones."""
        asked = self.state.prompt()
        for seat, position in enumerate(self.beside):
            cards, same = position.seats[seat], self.cards(seat)
            assert isinstance(cards, DealtCards)
            assert (cards.hand, cards.deck, cards.discards) == (same.hand, same.deck, same.discards)
            assert [one.owned for one in position.seats] == [s.owned for s in self.state.seats]
            if asked is not None and asked.player == seat and asked.actor is not Actor.TABLE:
                assert sorted(move.text for move in position.legal_moves()) == self.legal

    def deal(self, *cards: str) -> Self:
        """The dealer draws these for the player who is due."""
        for card in cards:
            prompt = self.state.prompt()
            assert prompt is not None
            self.play(f"dealer draw p{prompt.player} {card}")
        return self

    def refused(self, text: str) -> list[str]:
        """The objection codes to a move."""
        return [objection.code for objection in self.state.violations(Move.parse(text))]

    def cards(self, seat: int) -> DealtCards:
        """A player's cards."""
        holdings = self.state.seats[seat]
        assert isinstance(holdings, DealtCards)
        return holdings

    def hand(self, seat: int) -> str:
        """A hand as words in alphabetical order."""
        return " ".join(sorted(Counter(self.cards(seat).hand).elements()))

    def discards(self, seat: int) -> str:
        """A discard pile as words in alphabetical order."""
        return " ".join(sorted(Counter(self.cards(seat).discards).elements()))

    def trashed(self, since: Counter[str]) -> Counter[str]:
        """Cards that have come to the trash."""
        return Counter(self.state.trash) - since

    @property
    def counters(self) -> tuple[int, int, int]:
        """Actions, buys, coins."""
        return self.state.actions, self.state.buys, self.state.coins


class LaidOut(Dominion):
    """Dominion whose matches begin in a position."""

    def __init__(self, position: DominionState) -> None:
        self.__dict__.update(vars(GAME))
        self.position = position

    def setup(self, players: int, options: Options, physical: bool) -> DominionState:
        """A copy of the position."""
        return self.position.clone()


def begun(table: Table, *, physical: bool = True) -> Match:
    """A match that has got so far, at a real table or a digital one."""
    position = table.referee if physical else table.state
    options = table.options
    return Match(LaidOut(position), position.players, options, seed=4, physical=physical)
