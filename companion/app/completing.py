"""Shell completion: commands, options, and the values an option may have.

The shell asks the program itself, by argcomplete, so that games and boxes of packages, the options
of the game in this very line, and the matches in the journal are there too. What an argument is
called in the help says what it may be.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from argcomplete import autocomplete
from argcomplete.completers import BaseCompleter, DirectoriesCompleter, FilesCompleter
from argcomplete.shell_integration import shellcode

from companion.app.commands import seats_named
from companion.journal.reading import reading
from companion.settings.settings import state_folder
from rules.box import box_ids
from rules.core import COLOURS, Game
from rules.errors import Complaint
from rules.games import find_game, game_ids
from rules.players.registry import player_names


def script(shell: str) -> str:
    """Completion script for "bash", "zsh" or "fish"."""
    return str(shellcode(["heelstone"], use_defaults=False, shell=shell))


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell and end the program."""
    for each in _parsers(parser):
        for action in each._actions:
            if action.choices is None:
                offer = _OFFERS.get(str(getattr(action, "takes", ""))) or _OFFERS.get(action.dest)
                action.completer = offer or _nothing  # type: ignore[attr-defined]
    autocomplete(parser, always_complete_options=False)


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _parsers(command)


Offer = Callable[..., Iterable[str]] | BaseCompleter


def _nothing(**_: Any) -> Iterable[str]:
    return ()


def _game(**_: Any) -> Iterable[str]:
    return game_ids()


def _game_or_folder(**asked: Any) -> Iterable[str]:
    return [*game_ids(), *DirectoriesCompleter()(**asked)]


def _box(**_: Any) -> Iterable[str]:
    return [*box_ids(), *game_ids()]


def _box_or_file(**asked: Any) -> Iterable[str]:
    return [*box_ids(), *game_ids(), *FilesCompleter((".toml",))(**asked)]


def _played() -> Iterator[Game[Any]]:
    """The games that are named in the line. It cannot be parsed yet, for its end is missing."""
    for word in os.environ.get("COMP_LINE", "").split():
        if word in game_ids():
            try:
                yield find_game(word)
            except (Complaint, ImportError):
                # The command itself says what is wrong with it.
                continue


def _option(**_: Any) -> Iterable[str]:
    for game in _played():
        yield from (f"{key}={one}" for key, values in game.options.items() for one in values)
        if game.palette:
            yield f"{COLOURS}={','.join(game.palette[: game.players[-1]])}"


def _players(**_: Any) -> Iterable[str]:
    return [str(number) for game in _played() for number in game.players]


def _seat_player(**_: Any) -> Iterable[str]:
    seats = [seat for game in _played() for seat in seats_named(max(game.players))]
    return [f"{seat}={name}" for seat in seats for name in player_names()]


def _match(parsed_args: argparse.Namespace, **_: Any) -> Iterable[str]:
    journal = state_folder(getattr(parsed_args, "data", None)) / "journal.db"
    if not journal.exists():
        return ()
    with reading(journal) as opened:
        return [summary.header.id for summary in opened.matches()]


_OFFERS: dict[str, Offer] = {
    "GAME": _game,
    "GAME|FOLDER": _game_or_folder,
    "BOX": _box,
    "FILE|ID|GAME|FOLDER": _box_or_file,
    "K=V": _option,
    "SEAT=NAME": _seat_player,
    "players": _players,
    "ID": _match,
    "FILE": FilesCompleter(),
    "PNG": FilesCompleter((".png",)),
    "SCENE": FilesCompleter(),
    "SOURCE": FilesCompleter(),
    "DIR": DirectoriesCompleter(),
}
