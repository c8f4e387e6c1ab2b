"""Die Dolmengötter by Thomas Odenhoven (eggertspiele 2005), for two to five players.

Druids wander over a mosaic of stone circles and leave stones behind; a new majority or a tie in
a circle gives the right to put a dolmen there, and a full circle scores its pile from the top
down. Section and ruling ids (7.1 … 7.8, DG1 … DG25) are those of the rule pages in
``rules/text/dolmengoetter.*.toml``.

``board`` reads the stone circles and runes from a TOML file, ``tables`` builds the moves on it,
``state`` holds a position, ``rights`` says who may put a dolmen, ``game`` is the course of play,
``hands`` lists what people could try and ``refusals`` says why it is not allowed.
"""

from rules.games.dolmengoetter.board import BoardError, DolmenBoard, load_board, parse_board
from rules.games.dolmengoetter.game import DolmenGame
from rules.games.dolmengoetter.own import on_board
from rules.games.dolmengoetter.state import DolmenState

__all__ = [
    "GAME",
    "BoardError",
    "DolmenBoard",
    "DolmenGame",
    "DolmenState",
    "load_board",
    "on_board",
    "parse_board",
]

GAME = DolmenGame(load_board("R28"))
