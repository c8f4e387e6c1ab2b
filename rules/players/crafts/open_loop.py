"""Positions of games in which chance has many faces: one branch for all that it may bring.

With one branch for each card that may be drawn a tree never gets past the next draw. An open-loop
tree holds what is decided and forgets what was drawn in between; every way down it is drawn anew,
and the mean over it is what a decision is worth (D. Perez, J. Dieskau, M. Hünermund, S. Mostaghim,
S. Lucas, *Open Loop Search for General Video Game Playing*, GECCO 2015).
"""

from __future__ import annotations

from collections.abc import Hashable

from rules.core import Actor
from rules.players.craft import RulesPosition
from rules.players.position import Key


class OpenLoop(RulesPosition):
    """A position played by the rules, in which all that chance may do next is one branch."""

    __slots__ = ()

    def clone(self) -> OpenLoop:
        return OpenLoop(self._craft, self._state.clone(), self._seat, open=self.open)

    def seen(self, key: Key) -> Hashable:
        if key.actor is not Actor.PLAYER:
            return str(key.verb)
        return super().seen(key)
