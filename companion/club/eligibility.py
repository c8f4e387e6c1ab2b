"""The matches that can be played at two tables, and a fingerprint of their rules.

Nothing hidden may be dealt: two decks of cards at two tables would not lie in the same order. That
is found out by letting the program deal such a match.
"""

from __future__ import annotations

import random
import sys
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable

from companion.settings.people import MatchSetup
from rules.core import Actor, GameError
from rules.games import find_game
from rules.match import Match

MOST_MOVES = 1_000
"""Maximum moves of a match until everything was dealt once."""
_SHARED = ("core", "hidden", "match.py", "box")
"""Parts of ``rules`` that every game is made of."""


def suits(plan: MatchSetup) -> bool:
    """True if a match can be played at two tables."""
    try:
        game = find_game(plan.game)
        options = game.complete_options(plan.players, plan.options)
        if plan.players < 2 or game.keeps_ledger(options):
            return False
        return not _deals_secrets(plan.game, plan.players, tuple(sorted(options.items())))
    except GameError:
        return False


def usual(game_id: str) -> MatchSetup:
    """The smallest match of a game for more than one, as it comes out of the box."""
    players = [number for number in find_game(game_id).players if number > 1]
    return MatchSetup(game_id, min(players, default=1))


@cache
def _deals_secrets(game_id: str, players: int, options: tuple[tuple[str, str], ...]) -> bool:
    """True if chance deals something that is not public."""
    match, chance = Match(game_id, players, dict(options), seed="dealt"), random.Random(0)
    while match.outcome is None and match.ply < MOST_MOVES:
        move = match.next_chance()
        if move is None:
            move = match.state.choose(match.legal_moves(), chance)
        if move.actor is Actor.DEALER and match.state.public(move, None) != move:
            return True
        match.push(move)
    return False


@cache
def rules_print(game_id: str) -> str:
    """The same at two tables if their rules of a game are; raises GameError if there is none."""
    game = find_game(game_id)
    found = blake2b(digest_size=12)
    module = sys.modules[type(game).__module__]
    rules = files("rules")
    parts = [rules / name for name in _SHARED]
    parts.append(files(module.__package__ or "rules") if _is_package(module.__package__) else
                 files("rules.games") / f"{module.__name__.rpartition('.')[2]}.py")  # fmt: skip
    parts.append(rules / "boxes" / f"{game.box}.toml")
    for part in parts:
        _add(found, part)
    found.update(game.board_text.encode())
    return found.hexdigest()


def _is_package(name: str | None) -> bool:
    """True if a game has a folder of its own."""
    return name not in (None, "rules.games")


def _add(found: blake2b, part: Traversable) -> None:
    if part.is_dir():
        for inner in sorted(part.iterdir(), key=lambda one: one.name):
            if inner.is_dir() or inner.name.endswith((".py", ".toml")):
                _add(found, inner)
    elif part.is_file():
        # Ends of lines are the system's own.
        found.update(part.name.encode() + b"\0" + part.read_bytes().replace(b"\r\n", b"\n"))
