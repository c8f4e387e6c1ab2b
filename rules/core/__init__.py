"""The parts of every game: moves, prompts, layouts, outcomes, and the game itself."""

from rules.core.game import Game
from rules.core.inference import Inference
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
from rules.core.pictures import Picture, Shape, read_pictures
from rules.core.state import S, State
from rules.core.tables import Belief, Board, Boards, Item, Layout, Ledger, Lies, Pile, Run, Runs
from rules.core.touch import Call, Outlook, Result, Spread, Touch

__all__ = [
    "COLOURS",
    "Achievement",
    "Actor",
    "Belief",
    "Block",
    "Board",
    "Boards",
    "Build",
    "Call",
    "Game",
    "GameError",
    "IllegalMove",
    "Inference",
    "Item",
    "Json",
    "Layout",
    "Ledger",
    "Lies",
    "Market",
    "Move",
    "MoveSyntaxError",
    "Objection",
    "OptionError",
    "Options",
    "Outcome",
    "Outlook",
    "Param",
    "Picture",
    "Pile",
    "Place",
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
    "Touch",
    "ranked",
    "read_pictures",
]
