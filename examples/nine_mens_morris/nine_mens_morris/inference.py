"""Moves that a camera's reading need not ask about."""

from __future__ import annotations

from nine_mens_morris.state import MorrisState
from rules.core import Inference, Json


class MorrisInference(Inference[MorrisState]):
    """Inference of a match from pictures of the table."""

    def essence(self, state: MorrisState) -> Json:
        """Position without how often it came about."""
        return [state.key(), state.hand, state.taking, state.over]
