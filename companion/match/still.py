"""A public, read-only snapshot of a match."""

from __future__ import annotations

from typing import Protocol

from companion.match.private_view import keeps_secrets
from companion.match.state import TableState
from companion.match.view import TableView
from companion.settings.enforcement import Enforcement
from rules.core import Move
from rules.match import Match

__all__ = ["Begun", "still_view"]


class Begun(Protocol):
    """What a view tells of how a match was begun; at a table a journal's ``Header``."""

    @property
    def id(self) -> str:
        """Of the match."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the players, by seat."""

    @property
    def enforcement(self) -> str:
        """How strictly the rules are applied."""

    @property
    def created_s(self) -> float:
        """When, in seconds since the epoch."""

    @property
    def computers(self) -> tuple[str, ...]:
        """By seat: the computer player there."""

    @property
    def tips(self) -> bool:
        """Whether players may ask for a tip."""


def still_view(
    header: Begun, match: Match, turn: int, last: Move | None, last_sites: tuple[str, ...] = ()
) -> TableView:
    """A match as everybody may see it, with nothing to do."""
    game = match.game
    return TableView(
        match_id=header.id,
        game=game.id,
        box=game.box,
        players=match.players,
        options=dict(match.options),
        physical=match.physical,
        names=header.names,
        colours=match.colours,
        state=TableState.SETTLED,
        blind_reason="",
        prompt=match.prompt,
        scores=match.scores,
        counts_points=game.counts_points,
        supplies=tuple(dict(match.state.supply(seat)) for seat in range(match.players)),
        items=tuple(sorted(match.layout.elements())),
        ledger=match.state.ledger(),
        market=game.market(match.state),
        legal=(),
        hints=(),
        usual=None,
        last=last,
        last_sites=last_sites,
        ply=match.ply,
        turn=turn,
        started_s=header.created_s,
        can_undo=False,
        can_redo=False,
        enforcement=Enforcement(header.enforcement),
        outcome=match.outcome,
        secret=keeps_secrets(match),
        computers=header.computers,
        dealt=match.dealt,
        tips=header.tips,
    )
