"""Matches of Dominion played by the program and entered at a table that only keeps a ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.table import Table
from companion.match.view import PlayMove
from companion.presentation.market import LedgerPen, entry, keys_of, taken
from companion.settings.manners import Manners
from rules.core import Ledger, Move, Outcome
from rules.games import find_game
from rules.match import Match
from rules.testing.playout import random_match

KINGDOMS = (
    "first-game", "big-money", "interaction", "size-distortion", "village-square", "random",
)  # fmt: skip


@dataclass
class Kept:
    """Result of a match in the ledger."""

    touches: int = 0
    turns: int = 0
    entries: int = 0
    right: bool = False
    """True if outcome, and every player's points and cards after every turn, are the match's
    own."""


def keep(number: int) -> Kept:
    """Play the match ``number`` and enter it at a table."""
    players, kingdom = 2 + number % 3, KINGDOMS[number // 3 % len(KINGDOMS)]
    game = find_game("dominion")
    played = random_match(
        game, players, game.complete_options(players, {"kingdom": kingdom}), number
    )
    desk = _Desk(players, kingdom, number)
    before: _Hands | None = None
    match: Match | None = None
    for match, _moves, move in played:
        before = desk.follow(before, match)
        if move.verb in ("kingdom", "start"):
            desk.table.handle(PlayMove(move), 0.0)
    assert match is not None
    desk.follow(before, match)
    return desk.close(match.outcome)


@dataclass(frozen=True)
class _Hands:
    """The visible part of a position: the owners of cards, and how many turns are over."""

    supply: dict[str, int]
    owned: tuple[dict[str, int], ...]
    turns: int
    seat: int

    @staticmethod
    def of(match: Match) -> _Hands:
        state = match.state
        owned = tuple(dict(cards.owned) for cards in state.seats)
        return _Hands(dict(state.piles), owned, sum(state.turns), state.seat)


@dataclass
class _Desk:
    """A table at which a ledger is kept, and who touches its screen."""

    players: int
    kingdom: str
    number: int
    kept: Kept = field(default_factory=Kept)

    def __post_init__(self) -> None:
        header = Header(
            id=f"ledger-{self.number}", game="dominion", players=self.players,
            options={"kingdom": self.kingdom, "record": "ledger"}, physical=True,
            seed="", names=("",) * self.players, enforcement="enforce", created_s=0.0,
        )  # fmt: skip
        journal = Journal(":memory:")
        journal.create(header)
        self.table = Table(journal, header, Manners())
        self.same = True

    def follow(self, before: _Hands | None, match: Match) -> _Hands:
        """Enter what changed hands since ``before``; returns how things are now."""
        now = _Hands.of(match)
        if before is None or not before.supply:
            return now
        self._enter(before.seat, _changes(before, now))
        if now.turns != before.turns:
            self._touch(Move.of(before.seat, "done"))
            self.kept.turns += 1
            state = self.table.match.state
            self.same &= self.table.match.scores == match.scores
            self.same &= now.owned == tuple(dict(cards.owned) for cards in state.seats)
        return now

    def close(self, outcome: Outcome | None) -> Kept:
        """The match is over."""
        self.kept.right = self.same and outcome is not None
        self.kept.right &= self.table.match.outcome == outcome
        return self.kept

    def _enter(self, mover: int, changes: Sequence[tuple[str, int, str]]) -> None:
        for verb, seat, card in changes:
            own = seat == mover
            move = Move.of(mover, verb, card) if own else Move.of(mover, verb, f"p{seat}", card)
            ledger = self._ledger()
            self.kept.touches += _touches_before(ledger, move, self.table)
            self._touch(move)
            self.kept.entries += 1

    def _touch(self, move: Move) -> None:
        """The touch that plays ``move``."""
        self.table.handle(PlayMove(move), 0.0)
        if self.table.match.log[-1].move != move:
            raise ValueError(f"{move} was not entered in match {self.number}")
        self.kept.touches += 1

    def _ledger(self) -> Ledger:
        found: Ledger | None = self.table.match.state.ledger()
        assert found is not None
        return found


def _touches_before(ledger: Ledger, move: Move, table: Table) -> int:
    """Touches that must come before the one that plays ``move``."""
    if move in keys_of(ledger):
        return 0
    if move.verb == "take":
        # The trash is touched; with different cards in it, a card has to be chosen.
        return int(len(taken(table.record.legal)) > 1)
    assert move.player is not None
    pen, count = LedgerPen.of(move.player), 0
    if len(move.args) > 1:
        pen, count = pen.touch_seat(int(move.args[0][1:]), ledger), 1
    if entry(ledger, pen, move.args[-1]) != move:
        pen, count = pen.touch_switch(not pen.fewer), count + 1
    assert entry(ledger, pen, move.args[-1]) == move
    return count


def _changes(before: _Hands, now: _Hands) -> list[tuple[str, int, str]]:
    """Cards that changed hands: verb, seat, card; trashed ones come first."""
    lost: list[tuple[str, int, str]] = []
    won: list[tuple[str, int, str]] = []
    left = Counter(before.supply) - Counter(now.supply)
    for seat, (had, has) in enumerate(zip(before.owned, now.owned, strict=True)):
        lost += [("trash", seat, card) for card in (_more(had, has)).elements()]
        for card in _more(has, had).elements():
            won.append(("gain" if left[card] else "take", seat, card))
            left[card] -= 1
    return lost + won


def _more(one: dict[str, int], other: dict[str, int]) -> Counter[str]:
    return Counter(one) - Counter(other)
