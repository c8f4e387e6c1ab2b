"""Choices for a match of a game, in words, for pages on which one is set up."""

from __future__ import annotations

from typing import Any, Final

from rules.core import Game
from rules.games import find_game
from rules.telling import Teller

_HIDDEN_OPTIONS: Final = frozenset({"last_winners", "record"})
"""Options about matches at a table: who won before, and who writes down."""
_HIDDEN_VALUES: Final = frozenset({("course", "own"), ("kingdom", "choose")})

Json = dict[str, Any]


def teller_for(game: Game[Any], lang: str) -> Teller:
    """Words of a game before anything is chosen."""
    count = game.players[0]
    return Teller(game, lang, game.colours(count, game.complete_options(count, {})))


def choices_of(game_id: str, lang: str) -> Json:
    """A game's name, numbers of players, and options."""
    game: Game[Any] = find_game(game_id)
    teller = teller_for(game, lang)
    return {
        "id": game.id, "name": teller.game_name, "players": list(game.players),
        "options": _options(game, teller),
    }  # fmt: skip


def _options(game: Game[Any], teller: Teller) -> list[Json]:
    found = []
    for name, values in game.options.items():
        if name in _HIDDEN_OPTIONS:
            continue
        title, help_ = teller.option(name)
        offered = [
            {"id": value, "name": teller.option_value(name, value)}
            for value in values
            if (name, value) not in _HIDDEN_VALUES
        ]
        found.append({"id": name, "title": title, "help": help_, "values": offered})
    return found
