"""Hints for a camera about stones that go to and fro."""

from __future__ import annotations

from collections.abc import Sequence

from nine_mens_morris.state import MorrisState
from rules.core import Inference, Json, Move

TO_AND_FRO = 7.0
"""Evidence against several turns taken back while stones are moved (natural-log odds)."""


class MorrisInference(Inference[MorrisState]):
    """Inference of a match from pictures of the table."""

    def taken_back(self, state: MorrisState, moves: Sequence[Move]) -> float:
        """1.3: once all are placed, stones go to and fro, and the other's move stands."""
        own_only = len({move.player for move in moves}) == 1
        return super().taken_back(state, moves) if own_only or any(state.hand) else TO_AND_FRO

    def essence(self, state: MorrisState) -> Json:
        """Position without how often it came about."""
        return [state.key(), state.hand, state.taking, state.over]
