"""Nine Men's Morris as Heelstone's games are: name, players, options, set-up."""

from __future__ import annotations

from importlib.resources import files
from typing import ClassVar

from nine_mens_morris.inference import MorrisInference
from nine_mens_morris.state import COLOURS, OUTCOMES, MorrisState
from rules.core import Game, Options


class NineMensMorris(Game[MorrisState]):
    """Nine Men's Morris. Everything about a match is in its ``MorrisState``."""

    id = "nine_mens_morris"
    package = "nine_mens_morris"
    box = str(files("nine_mens_morris") / "box.toml")
    bgg_id = 3886
    players = (2,)
    options: ClassVar = {
        "flying": ("on", "off"),
        "two_mills": ("one", "two"),
        "repetition": ("on", "off"),
    }
    codes = (
        "match_over", "wrong_player", "unknown_move", "take_first", "no_mill", "nothing_to_take",
        "in_mill", "occupied", "all_placed", "still_placing", "not_yours", "not_next",
    )  # fmt: skip
    outcomes = OUTCOMES
    handling_rule = "1.4"
    inference = MorrisInference()
    craft = "nine_mens_morris.craft:MorrisCraft"

    # -- 1.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> MorrisState:
        return MorrisState(
            flying=options["flying"] == "on",
            takes=1 + (options["two_mills"] == "two"),
            repetition=options["repetition"] == "on",
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        return True
