"""Whether what a game says about itself fits its box."""

from __future__ import annotations

from typing import Any

from rules.box import BoxError, load_box
from rules.core import Game, GameError
from rules.testing.material import check_material
from rules.testing.report import Report

__all__ = ["check_facts"]


def check_facts(game: Game[Any], report: Report) -> None:
    """Box, players, colours, options and codes."""
    try:
        box = load_box(game.box)
    except BoxError as error:
        report.add(str(error).rstrip("."), "Mend the box file, or name another")
        return
    if not game.players or min(game.players, default=0) < 1:
        report.add(f"the game is for {game.players} players", "Say for how many it is")
        return
    check_material(game, box.for_game(game.id), report)
    owners = {kind.owner for kind in box.kinds.values() if kind.owner}
    sites = box.for_game(game.id).sites
    for players in game.players:
        options = game.complete_options(players, {})
        colours = game.colours(players, options)
        if len(colours) != players:
            report.add(f"{players} players have {len(colours)} colours", "Each seat has one colour")
        if len(set(colours)) != len(colours):
            report.add(f"two of {players} players have the same colour", "Each seat has one colour")
        if owners and (strange := sorted(set(colours) - owners)):
            report.add(
                f"nothing in the box belongs to {', '.join(strange)}",
                "Use the colours that the box gives as owners of its kinds",
            )
        for seat in range(players):
            if (site := game.sits_at(seat, options)) and site not in sites:
                report.add(
                    f"seat {seat} is at '{site}', which the box does not have",
                    "Name a site of the box, or none",
                )
    for name, values in game.options.items():
        if not values or len(set(values)) != len(values):
            report.add(f"option '{name}' has the values {values}", "Name each value once")
        for value in values:
            if strange := sorted(set(game.touch.stands_for(name, value)) - set(box.kinds)):
                report.add(f"option {name}={value} stands for {strange}", "Name kinds of the box")
    for name, value in game.formerly.items():
        if value not in game.options.get(name, ()):
            report.add(
                f"formerly names {name}={value}, which is no value of an option",
                "Name an option and one of its values",
            )
    for what, codes in (("objection", game.codes), ("outcome", game.outcomes)):
        if len(set(codes)) != len(codes):
            report.add(f"an {what} code is listed twice", "List it once")
    if not game.outcomes:
        report.add("no outcome is declared", "List every reason of an Outcome in 'outcomes'")
    try:
        game.complete_options(game.players[0], {"no_such_option": "x"})
    except GameError:
        return
    report.add(
        "an option that does not exist is accepted", "Let complete_options raise OptionError"
    )
