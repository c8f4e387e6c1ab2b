"""The options that a number of players can choose, and their colours. Free of Kivy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.settings.people import MatchSetup
from rules.core import COLOURS
from rules.games import find_game


def colours_of(plan: MatchSetup) -> tuple[str, ...]:
    """The colour of each seat."""
    return find_game(plan.game).colours(plan.players, fitted(plan))


def fitted(plan: MatchSetup) -> dict[str, str]:
    """The options with as many colours as there are players.

    Seats that are new take their own colour or, if it is taken, one that is left.
    """
    game, options = find_game(plan.game), dict(plan.options)
    if COLOURS not in options:
        return options
    known = [c for c in dict.fromkeys(options[COLOURS].split(",")) if c in game.palette]
    chosen = known[: plan.players]
    for seat in range(len(chosen), plan.players):
        left = [colour for colour in game.palette if colour not in chosen]
        own = game.palette[seat]
        chosen.append(own if own in left else left[0])
    return game.with_colours(options, chosen)


def take_colour(plan: MatchSetup, seat: int, colour: str) -> MatchSetup:
    """``seat`` takes a colour; the seat that has it gets the one that is given up."""
    chosen = list(colours_of(plan))
    if colour in chosen:
        chosen[chosen.index(colour)] = chosen[seat]
    chosen[seat] = colour
    return replace(plan, options=find_game(plan.game).with_colours(plan.options, chosen))


def worn_by(before: MatchSetup, names: Sequence[str]) -> Mapping[str, str]:
    """The options of ``before`` for the same people on other seats: each keeps their colour."""
    if COLOURS not in before.options or sorted(before.seats) != sorted(names):
        return before.options
    theirs = dict(zip(before.seats, colours_of(before), strict=True))
    chosen = [theirs[name] for name in names]
    return find_game(before.game).with_colours(before.options, chosen)


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
