"""Every game that is a package has the same rooms, and each room holds what its name says."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

import rules.games
from rules.core import Game

PACKAGES = sorted(module.name for module in iter_modules(rules.games.__path__) if module.ispkg)
ROOMS: Mapping[str, tuple[str, ...]] = {
    "game": (),
    "components": ("COLOURS",),
    "moves": (),
    "state": (),
    "prompts": ("prompt", "legal_moves", "pseudo_moves"),
    "legality": ("CODES", "violations"),
    "layout": ("layout", "supply", "touches"),
}
"""Rooms, and what every game has in them; the list in ``docs/add-a-game.md`` says more."""


def room(game: str, name: str) -> ModuleType:
    return import_module(f"rules.games.{game}.{name}")


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("game", PACKAGES)
def test_every_game_has_every_room_and_in_it_what_belongs_there(game: str, name: str) -> None:
    missing = [wanted for wanted in ROOMS[name] if not hasattr(room(game, name), wanted)]
    assert not missing
    assert room(game, name).__doc__


@pytest.mark.parametrize("game", PACKAGES)
def test_the_class_of_a_game_and_its_position_sit_in_their_rooms(game: str) -> None:
    package = import_module(f"rules.games.{game}")
    assert isinstance(package.GAME, Game)
    assert type(package.GAME).__module__ == f"rules.games.{game}.game"
    options = package.GAME.complete_options(package.GAME.players[0], {})
    state = package.GAME.setup(package.GAME.players[0], options, physical=False)
    position, fields = type(state), type(state).__base__
    assert position.__module__ == f"rules.games.{game}.game"
    assert fields is not None and fields.__module__ == f"rules.games.{game}.state"


@pytest.mark.parametrize("game", PACKAGES)
def test_the_face_of_a_game_only_hands_names_on(game: str) -> None:
    package = import_module(f"rules.games.{game}")
    assert set(package.__all__) <= {"GAME", "on_board"}
    assert f"rules/languages/*/{game}.toml" in (package.__doc__ or "")
