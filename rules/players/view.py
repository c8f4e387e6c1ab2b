"""One seat's knowledge of a match: the position and the moves, without what is hidden from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.core import Game, Json, Move, StateError
from rules.declared import plain, read_as
from rules.games import find_game, game_on_board
from rules.match import Match


@dataclass(frozen=True, slots=True)
class SeatView:
    """All that a player is handed; plain data, so that it can be sent to another process."""

    game: str
    players: int
    options: Mapping[str, str]
    physical: bool
    seat: int
    state: Json
    """The position as ``State.view`` tells this seat."""
    moves: tuple[Move, ...]
    """All moves that were played, as ``State.public`` tells this seat."""
    board: str = ""
    """On a board of the players' own: its file."""
    dealt: tuple[int, ...] = ()
    """Seats for which the program deals at a table with real pieces (``Match.dealt``)."""

    @classmethod
    def of(cls, match: Match, seat: int, *, remembers: bool = True) -> SeatView:
        """The view of ``match`` from ``seat``.

        ``remembers``: with every move that it saw, as with a perfect memory; otherwise only what
        the list of moves may still show (``State.remembered``).
        """
        state = match.beginning()
        moves = []
        for entry in match.log:
            moves.append(state.public(entry.move, seat))
            state.apply(entry.move)
        told = moves if remembers else match.state.remembered(moves)
        return cls.told(match, seat, match.state, told)

    @classmethod
    def told(cls, match: Match, seat: int, state: Any, moves: Sequence[Move]) -> SeatView:
        """The view from ``seat`` in the position ``state`` of ``match``, told ``moves`` so far."""
        game = match.game
        return cls(
            game.id, match.players, dict(match.options), match.physical, seat,
            state.view(seat), tuple(moves), game.board_text, match.dealt,
        )  # fmt: skip

    @property
    def cards_seen(self) -> bool:
        """True if the program deals this seat's cards, so that it has seen every one of them."""
        return not self.physical or self.seat in self.dealt

    @property
    def rules(self) -> Game[Any]:
        """The game that is played; raises GameError if it, or its board, is not known here."""
        if self.board:
            return game_on_board(self.game.partition("@")[0], self.board, self.game)
        return find_game(self.game)

    def to_json(self) -> Json:
        """The view as plain JSON data."""
        return plain(self)

    @classmethod
    def from_json(cls, data: Json) -> SeatView:
        """Read ``to_json()`` back; raises StateError."""
        return read_as(cls, data, "view", StateError)
