"""Rollende Steine: name, players, options and set-up."""

from __future__ import annotations

from typing import ClassVar

from rules.colours import paint_of
from rules.core import Choice, Game, Options
from rules.games.rollende_steine.components import COLOURS, COURSES
from rules.games.rollende_steine.inference import RollendeSteineInference
from rules.games.rollende_steine.state import RollendeSteineState
from rules.games.rollende_steine.touch import RollendeSteineTouch


class RollendeSteine(Game[RollendeSteineState]):
    """Name, players, options and set-up."""

    id = "rollende_steine"
    box = "stonehenge_anthology"
    bgg_id = 20436
    players = (1, 2, 3, 4, 5)
    options: ClassVar = {"course": COURSES}
    choices: ClassVar = {"course": Choice()}
    outcomes = ("all_gates_scored", "out_of_discs")
    codes = (
        "match_over", "wrong_player", "unknown_move", "result_first", "roll_first",
        "no_cushion", "nothing_to_relocate", "already_scored",
    )  # fmt: skip
    handling_rule = "RS5"
    scoring_rule = "4.5"
    inference = RollendeSteineInference()
    touch = RollendeSteineTouch()
    craft = "rules.players.crafts.rollende_steine:RollendeSteineCraft"
    lost_together = ("out_of_discs",)
    most_points_win = False
    palette = COLOURS

    # -- 4.2, 4.3 Set-up ------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> RollendeSteineState:
        paint = paint_of(COLOURS, self.colours(players, options))
        return RollendeSteineState(players, options["course"], physical, paint)

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        return True
