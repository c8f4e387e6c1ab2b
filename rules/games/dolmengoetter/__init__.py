"""Die Dolmengötter by Thomas Odenhoven (eggertspiele 2005), for two to five players.

Druids wander over a mosaic of stone circles and leave stones behind; a new majority or a tie in
a circle gives the right to put a dolmen there, and a full circle scores its pile from the top
down. Section and ruling ids (7.1 … 7.8, DG1 … DG25) are those of the rule pages in
``rules/languages/*/dolmengoetter.toml``.

``board`` reads the stone circles and runes from a TOML file, ``own_board`` makes a game of a
board of your own, and ``rights`` says who may place a dolmen.
"""

from rules.games.dolmengoetter.board import load_board
from rules.games.dolmengoetter.game import DolmenGame
from rules.games.dolmengoetter.own_board import on_board

__all__ = ["GAME", "on_board"]

GAME = DolmenGame(load_board("R28"))
