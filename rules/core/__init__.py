"""What every game is made of: moves, prompts, layouts, outcomes, and the game itself."""

from rules.core.game import Game
from rules.core.market import Market, Place, SupplyPile
from rules.core.matches import (
    COLOURS,
    Achievement,
    Block,
    Build,
    Json,
    Options,
    Outcome,
    Prompt,
    ScoreLine,
    Series,
    ranked,
)
from rules.core.moves import (
    Actor,
    GameError,
    IllegalMove,
    Move,
    MoveSyntaxError,
    Objection,
    OptionError,
    Param,
    StateError,
)
from rules.core.natural import NaturalTurns
from rules.core.pictures import Picture, Shape, read_pictures
from rules.core.state import S, State
from rules.core.tables import Belief, Board, Boards, Item, Layout, Ledger, Pile, Run, Runs
from rules.core.touch import PlayedByTouch, Result, Spread

__all__ = [
    "COLOURS",
    "Achievement",
    "Actor",
    "Belief",
    "Block",
    "Board",
    "Boards",
    "Build",
    "Game",
    "GameError",
    "IllegalMove",
    "Item",
    "Json",
    "Layout",
    "Ledger",
    "Market",
    "Move",
    "MoveSyntaxError",
    "NaturalTurns",
    "Objection",
    "OptionError",
    "Options",
    "Outcome",
    "Param",
    "Picture",
    "Pile",
    "Place",
    "PlayedByTouch",
    "Prompt",
    "Result",
    "Run",
    "Runs",
    "S",
    "ScoreLine",
    "Series",
    "Shape",
    "Spread",
    "State",
    "StateError",
    "SupplyPile",
    "ranked",
    "read_pictures",
]
