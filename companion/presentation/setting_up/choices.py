"""The choices that decide what is played, before a match: values, and kinds that players name.
Free of Kivy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.presentation.market import CardTile
from companion.presentation.setting_up.company import Playing, playing_of
from companion.presentation.setting_up.options import option_values
from companion.presentation.words.translate import _
from companion.settings.people import MatchSetup
from rules.core import Build, Choice
from rules.games import find_game
from rules.telling import Teller


def choices_of(plan: MatchSetup) -> tuple[str, ...]:
    """The options of a plan that decide what is played."""
    return () if playing_of(plan) is Playing.COUNT else tuple(find_game(plan.game).choices)


def house_rules_of(plan: MatchSetup) -> dict[str, tuple[str, ...]]:
    """All other options with their values, but the one with which the way of playing is chosen."""
    game = find_game(plan.game)
    way = "" if game.ledger_option is None else game.ledger_option[0]
    known = option_values(plan).items()
    return {name: values for name, values in known if name not in game.choices and name != way}


def value_of(plan: MatchSetup, option: str) -> str:
    """The value that a plan says, or else the game."""
    return plan.options.get(option, find_game(plan.game).options[option][0])


def values_of(plan: MatchSetup, option: str) -> tuple[str, ...]:
    """Values to choose from as they are: not the one that leaves to chance what a screen can
    draw."""
    by_lot = find_game(plan.game).choices[option].by_lot
    return tuple(value for value in option_values(plan)[option] if value != by_lot)


def value_told(plan: MatchSetup, option: str, teller: Teller) -> str:
    """The value of a plan, as a name of few words."""
    value = value_of(plan, option)
    if find_game(plan.game).choices[option].named(value):
        return _("seats.your_own")
    return teller.option_value(option, value).partition(" – ")[0]


def choices_line(plan: MatchSetup, teller: Teller) -> str:
    """The choices of a plan in one line; empty if there is nothing to choose."""
    told = (f"{teller.option(o)[0]}: {value_told(plan, o, teller)}" for o in choices_of(plan))
    return " · ".join(told)


def build_of(plan: MatchSetup, option: str, value: str) -> Build | None:
    """The drawing of what is built with this value; None if nothing is."""
    game = find_game(plan.game)
    options = game.complete_options(plan.players, {**plan.options, option: value})
    return game.touch.build(options)


def kinds_of(game: str, option: str, value: str) -> tuple[str, ...]:
    """The kinds of the box that a value stands for."""
    return tuple(find_game(game).touch.stands_for(option, value))


@dataclass(frozen=True, slots=True)
class Naming:
    """Kinds that players name as the value of an option."""

    game: str
    option: str
    players: int
    chosen: tuple[str, ...] = ()

    @property
    def choice(self) -> Choice:
        """The choice that is made by naming things."""
        return find_game(self.game).choices[self.option]

    def touch(self, kind: str) -> Naming:
        """``kind`` is named, or left out again."""
        others = tuple(one for one in self.chosen if one != kind)
        return replace(self, chosen=others if kind in self.chosen else (*others, kind))

    def draw(self, lot: Random, played: Iterable[Sequence[str]] = ()) -> Naming:
        """Kinds drawn by lot, of those first that were ``played`` never or longest ago (the newest
        match first)."""
        ages: dict[str, int] = {}
        for age, kinds in enumerate(played):
            for kind in kinds:
                ages.setdefault(kind, age)
        order = lot.sample(self.choice.kinds, len(self.choice.kinds))
        order.sort(key=lambda kind: -ages.get(kind, len(self.choice.kinds) ** 2))
        return replace(self, chosen=tuple(order[: self.choice.number]))

    @property
    def value(self) -> str:
        """The value of the option, by its name where it has one; empty if too many or too few are
        named."""
        game, chosen = find_game(self.game), frozenset(self.chosen)
        if len(chosen) != self.choice.number:
            return ""
        for value in game.options[self.option]:
            if chosen == frozenset(kinds_of(self.game, self.option, value)):
                return value
        return ",".join(kind for kind in self.choice.kinds if kind in chosen)

    def tiles(self, teller: Teller) -> list[CardTile]:
        """All kinds as cards for sale; those that are named are lit."""
        stock = find_game(self.game).touch.stock(self.choice.kinds, self.players)
        return [
            CardTile.of(pile, pile.full, teller, chosen=pile.kind in self.chosen) for pile in stock
        ]
