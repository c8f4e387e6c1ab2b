"""The options that a number of players can choose."""

from __future__ import annotations

from companion.presentation.setting_up.seat_colours import fitted
from companion.settings.people import MatchSetup
from rules.core import COLOURS
from rules.games import find_game

MOST_SEATS = 9


def known_options(plan: MatchSetup) -> dict[str, str]:
    """The options chosen, without values that name players who do not play."""
    values, choices = option_values(plan), find_game(plan.game).choices
    return {
        name: value
        for name, value in fitted(plan).items()
        if name == COLOURS
        or value in values.get(name, ())
        or (name in choices and choices[name].named(value))
    }


def option_values(plan: MatchSetup) -> dict[str, tuple[str, ...]]:
    """Values of each option that name only players who play."""
    game, absent = find_game(plan.game), range(plan.players, MOST_SEATS)
    return {
        name: tuple(v for v in values if not any(f"p{seat}" in v.split(",") for seat in absent))
        for name, values in game.options.items()
    }
