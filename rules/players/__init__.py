"""Computer players, which choose moves from what their seat knows, and from nothing else.

``player`` says what a player is, ``view`` what it is handed, ``search`` how Heelstone's own
players look ahead, ``craft`` what they know of a game, ``levels`` how strong they are. Nothing in
here needs more than the rules, so that it can be used without a table:

>>> from random import Random
>>> from rules.match import Match
>>> from rules.players import Budget, SeatView, find_player
>>> match = Match("knizia_stonehenge", players=2)
>>> druid, view = find_player("druid"), SeatView.of(match, 0)
>>> match.push(druid.choose(view, match.legal_moves(), Budget(playouts=20), Random(1)).move)
"""

from rules.players.player import Budget, Choice, Player, Reason, Thought
from rules.players.registry import find_player, player_names
from rules.players.view import SeatView

__all__ = [
    "Budget",
    "Choice",
    "Player",
    "Reason",
    "SeatView",
    "Thought",
    "find_player",
    "player_names",
]
