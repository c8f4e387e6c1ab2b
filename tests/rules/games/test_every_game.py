"""Claims about every game: its rooms, and its random matches in several settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

import rules.games
from rules.core import Game
from rules.games import find_game, game_ids
from rules.testing.playout import ladder, random_match

SETTINGS = [
    pytest.param(
        game, *setting, marks=() if number < 3 else pytest.mark.thorough, id=f"{game}-{number}"
    )
    for game in game_ids()
    for number, setting in enumerate(ladder(find_game(game), 10))
]
MOST_TO_TRY = 6000
"""Hands can do no more in any position."""


@pytest.mark.parametrize(("game_id", "players", "options"), SETTINGS)
@pytest.mark.parametrize("physical", [False, True], ids=["dealt", "real"])
def test_nothing_is_lost_and_a_stored_or_copied_position_goes_on_like_the_original(
    game_id: str, players: int, options: dict[str, str], physical: bool
) -> None:
    game = find_game(game_id)
    for match, moves, move in random_match(game, players, options, 3, physical=physical):
        state = match.state
        assert state.problems() == []
        if match.ply % 19:
            continue
        stored = json.dumps(state.to_json())
        again, copy = game.from_json(json.loads(stored)), state.clone()
        for other in (again, copy):
            assert json.dumps(other.to_json()) == stored
            assert sorted(other.legal_moves()) == sorted(moves)
            other.apply(move)
        assert again.to_json() == copy.to_json()
        assert json.dumps(state.to_json()) == stored


@pytest.mark.parametrize("game_id", [name for name in game_ids() if find_game(name).watched])
def test_hands_can_try_only_so_many_things(game_id: str) -> None:
    game = find_game(game_id)
    for match, _moves, _move in random_match(game, game.players[-1], {}, 2, physical=True):
        if match.ply % 11 == 0:
            tried = list(match.state.pseudo_moves())
            assert len(set(tried)) == len(tried) < MOST_TO_TRY


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
