"""Touches of the running screen per turn, game by game.

The whole app off-screen at 800 × 480 px, with journal and session, and a finger that touches only
what is offered: keys, cards, places that glow. It plays what a random player wishes. Everything
counts: handing the screen over, putting a result away, opening the picker, confirming. What is
entered before the first player decides something, with real pieces and no camera, is the set-up
and counts by itself; what the program can draw for people it draws.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.measure import Result
from rules.core import Actor
from rules.games import find_game, game_ids

DECISIONS = 60
"""Decisions up to which a match is followed."""
SIZE = (800, 480)


@dataclass(frozen=True, slots=True)
class Count:
    """The touches of a finger in one match."""

    set_up: int
    """Touches before the first decision of a player."""
    touches: int
    """Touches after that …"""
    turns: int
    """… in this many turns."""

    @property
    def per_turn(self) -> float:
        """Touches in one turn."""
        return self.touches / max(self.turns, 1)


def counted(game: str, players: int, *, physical: bool, decisions: int = DECISIONS) -> Count:
    """Play the beginning of a match. Raises AssertionError if something cannot be touched."""
    # Only now: Kivy wants its window first.
    from tests.support.at_the_screen import Player

    with tempfile.TemporaryDirectory() as folder:
        player = Player(Path(folder), SIZE, "de")
        try:
            player.set_up(game, players, physical=physical)
            start, begun, first = player.touches, None, player.view.turn
            random = Random(f"{game}/fingers")
            for _ in range(decisions):
                if player.over:
                    break
                prompt = player.view.prompt
                if begun is None and prompt is not None and prompt.actor is Actor.PLAYER:
                    begun, first = player.touches, player.view.turn
                player.play(random)
            begun = player.touches if begun is None else begun
            return Count(begun - start, player.touches - begun, player.view.turn - first)
        finally:
            player.close()


def results() -> Iterator[Result]:
    """One line per game and way of playing."""
    for game in game_ids():
        players = find_game(game).players[min(1, len(find_game(game).players) - 1)]
        for physical, told in ((False, "the program deals"), (True, "real pieces, no camera")):
            count = counted(game, players, physical=physical)
            name = f"{game}, {players} players, {told} (set-up {count.set_up})"
            yield Result(name, count.per_turn, "touches a turn", "", None, None, "fewer")
