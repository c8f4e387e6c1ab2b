"""The commands of ``heelstone``, one module per subject; here is what they share.

A module has a function ``add(commands)`` that declares its commands with ``commands.add`` and the
functions that run them. Heavy imports belong in those functions, so that every command starts
quickly.
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.journal.reading import reading
from companion.journal.store import Journal
from companion.settings.settings import Settings, load_settings, settings_path, state_folder
from companion.words.errors import HeelstoneError
from companion.words.progress import Progress, clear, progress
from rules.bounded import read_bytes
from rules.core import Game, GameError
from rules.errors import Sentence
from rules.games import add_games, find_game, game_ids, game_on_board, own_ids
from rules.near import hint
from rules.printable import harmless, json_line
from rules.texts import LANGUAGES, Texts, read_texts

if TYPE_CHECKING:
    from rules.box import Box

__all__ = [
    "BAD_USE",
    "FAILED",
    "OK",
    "Commands",
    "Parser",
    "UsageError",
    "add_game",
    "add_setting",
    "add_version",
    "box_of",
    "complain",
    "complaints_in",
    "game_named",
    "game_of",
    "games_named",
    "journal_of",
    "lang_of",
    "options_of",
    "players_of",
    "print_json",
    "progress_of",
    "reading_of",
    "seats_named",
    "settings_of",
    "shared_options",
    "shown",
    "tell",
    "text_of",
    "watched",
]

OK, FAILED, BAD_USE = 0, 1, 2


class UsageError(HeelstoneError):
    """The command was called in a way that cannot work; the sentence says what to change."""


class Parser(argparse.ArgumentParser):
    """argparse that finds its help by itself, in the language of the call, with one-line errors;
    options are written out, so that new ones break no script."""

    def __init__(self, *args: Any, lang: str | None, **values: Any) -> None:
        """``lang``: the language of the help texts; None: help is not going to be asked for."""
        self.lang = lang
        super().__init__(*args, **{"allow_abbrev": False} | values)

    def add_argument(self, *names: Any, **values: Any) -> argparse.Action:
        """Adds an argument; its help is the text of ``simulate --player``, else of ``--player``
        anywhere."""
        action = super().add_argument(*names, **values)
        action.takes = action.metavar or action.dest  # type: ignore[attr-defined]
        if self.lang is None:
            return action
        say, command = Texts("help", self.lang), self.prog.removeprefix("heelstone").strip()
        name = action.option_strings[-1] if action.option_strings else action.dest
        action.help = say(own if say.knows(own := f"{command} {name}") else name)
        if isinstance(action.metavar, str):
            action.metavar = _placeholder(action.metavar, say)
        return action

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Arguments that may be missing are also found behind an option.

        argparse takes them for missing as soon as it has read those that stand before the option.
        """
        given, more = super().parse_known_args(args, namespace)
        for action in self._get_positional_actions():
            lacks = action.nargs == "?" and getattr(given, action.dest) == action.default
            if lacks and more and not more[0].startswith("-"):
                setattr(given, action.dest, more.pop(0))
        return given, more

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses all arguments. Raises UsageError if some are not understood."""
        given, more = self.parse_known_args(args, namespace)
        self.refuse(more)
        return given

    def refuse(self, more: Sequence[str]) -> None:
        """Say what is wrong with words that are left over, if there are any. Raises UsageError."""
        for word in more:
            option = word.partition("=")[0]
            if not option.startswith("-"):
                raise UsageError("word_too_many", command=self.prog, found=word)
            if option not in self._option_string_actions:
                options = [one for one in self._option_string_actions if one.startswith("--")]
                raise UsageError(
                    "option_unknown", command=self.prog, option=option, hint=hint(option, options)
                )

    def error(self, message: str) -> Any:
        raise UsageError("see_help", message=message, command=self.prog)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        meant = hint(value, action.choices)
        if isinstance(action, argparse._SubParsersAction):
            raise UsageError("command_unknown", command=self.prog, found=value, hint=meant)
        argument = "/".join(action.option_strings) or action.metavar or action.dest
        raise UsageError("argument_value", argument=argument, found=value, hint=meant)


class CommandParser(Parser):
    """The parser of a command, which leaves nothing over for others to complain of."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses as ``Parser`` does; an unknown option is reported before missing arguments."""
        if self._subparsers is None:
            words = [*args, "--"]
            self.refuse([word for word in words[: words.index("--")] if word.startswith("--")])
        given, more = super().parse_known_args(args, namespace)
        self.refuse(more)
        return given, more


class Commands:
    """Registry in which modules declare their commands."""

    def __init__(self, parser: Parser) -> None:
        assert parser.lang is not None, "a list of commands is help"
        self._lang, self._say = parser.lang, Texts("help", parser.lang)
        self._commands = parser.add_subparsers(
            metavar=_placeholder("COMMAND", self._say), parser_class=CommandParser
        )
        self._of = parser.prog.removeprefix("heelstone").strip()
        # Without suppressed defaults an option given before the command would be forgotten.
        self._shared: list[Any] = [shared_options(argparse.SUPPRESS, self._lang)]

    def add(self, name: str, command: Callable[[argparse.Namespace], int]) -> CommandParser:
        """A new command that takes the shared options; ``command`` returns its exit code."""
        text = self._say(f"{self._of} {name}".strip())
        sub = self._commands.add_parser(
            name, help=text, description=text, parents=self._shared, lang=self._lang
        )
        sub.set_defaults(command=command)
        return sub

    def group(self, name: str) -> Commands:
        """A new command that does nothing but have commands of its own."""

        def which(_given: argparse.Namespace) -> int:
            known = list(group._commands.choices)
            raise UsageError("which_command", command=f"heelstone {name}", known=known)

        group = Commands(self.add(name, which))
        return group


def _placeholder(text: str, say: Texts) -> str:
    """Translates the placeholder of a value, such as ``GAME|FOLDER``."""
    return re.sub("[A-Z]+", lambda word: say(word[0]) if say.knows(word[0]) else word[0], text)


def shared_options(default: Any, lang: str | None) -> Parser:
    """The options that every command takes."""
    shared = Parser(prog="heelstone", add_help=False, argument_default=default, lang=lang)
    shared.add_argument("--lang", choices=LANGUAGES)
    shared.add_argument("--json", action="store_true", default=default or False)
    shared.add_argument("--data", metavar="DIR")
    shared.add_argument("--settings", metavar="FILE")
    return shared


def add_version(parser: Parser) -> None:
    """The option that asks which Heelstone this is, and nothing else."""
    parser.add_argument("--version", action="store_true")


def add_game(parser: Parser, *, required: bool = True) -> None:
    """The arguments of commands that play a game from its start."""
    parser.add_argument("game", metavar="GAME", nargs=None if required else "?", default="")
    add_setting(parser)
    parser.add_argument("--board", metavar="FILE", default="")


def add_setting(parser: Parser) -> None:
    """Adds ``--players`` and the options of a game."""
    parser.add_argument("--players", metavar="N", type=int, default=None)
    parser.add_argument("--option", action="append", default=[], metavar="K=V")


def games_named(named: str) -> tuple[list[Game[Any]], Path | None]:
    """The games that are meant, by an id or the folder of a package that need not be installed; and
    that folder. Raises GameError."""
    path = Path(named)
    # The folder of a package has a folder of the game's name in it.
    if os.sep in named or (named and path.is_dir() and named not in game_ids()):
        return [find_game(game) for game in add_games(path)], path
    return [find_game(named)], None


def game_named(named: str) -> Game[Any]:
    """The game that is meant, or the first of those in a folder. Raises GameError."""
    return games_named(named)[0][0]


def game_of(given: argparse.Namespace) -> Game[Any]:
    """The game as it was named, on the board that was given. Raises GameError, UsageError."""
    game = game_named(given.game)
    return game_on_board(game.id, text_of(Path(given.board)), given.board) if given.board else game


def watched(game: Game[Any]) -> Game[Any]:
    """``game``, if there is a board to be seen; else raises GameError."""
    if not game.watched:
        raise GameError("no_board", game=game.id)
    return game


def box_of(named: str) -> tuple[Box, str]:
    """The box that is called by its id or file, by a game that is played with it, or by the folder
    of that game's package; and the game, if one was named. Raises GameError."""
    from rules.box import BoxError, box_ids, load_box

    if named.endswith(".toml") or named in box_ids():
        return load_box(named), ""
    if named in game_ids():
        return load_box(watched(find_game(named)).box), named
    if Path(named).is_dir():
        game = game_named(named)
        return load_box(game.box), game.id
    brought = [game for game in game_ids() if game not in own_ids()]
    raise BoxError("no_box", box=named, hint=hint(named, [*box_ids(), *brought], own_ids()))


MOST_BYTES = 16 << 20
"""Largest file that is read, bytes; Heelstone never wrote a larger one."""


def text_of(path: Path) -> str:
    """Text of a file from elsewhere; ``-`` is stdin.

    Raises UsageError if it is too large or not text, or if nothing can come in.
    """
    if str(path) == "-":
        try:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        except OSError as error:
            raise UsageError("input_unreadable", reason=error) from error
    else:
        try:
            data = read_bytes(path, MOST_BYTES)
        except OSError as error:
            if error.errno != errno.EFBIG:
                raise
            raise UsageError("file_too_large", file=path, limit=MOST_BYTES >> 20) from error
    if len(data) > MOST_BYTES:
        raise UsageError("file_too_large", file=path, limit=MOST_BYTES >> 20)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError("file_not_text", file=path, reason=error) from error


def settings_of(given: argparse.Namespace) -> Settings:
    """The settings for this call. Raises SettingsError."""
    return load_settings(settings_path(given.settings), required=given.settings is not None)


def lang_of(given: argparse.Namespace) -> str:
    """The language of this call. Raises SettingsError: they may have to name it."""
    settings_of(given)
    return str(given.lang)


def journal_of(given: argparse.Namespace) -> Journal:
    """The journal; what had to be salvaged is reported. Raises JournalError."""
    journal = Journal(state_folder(given.data) / "journal.db")
    if journal.salvage:
        complain(journal.salvage)
    return journal


@contextmanager
def reading_of(given: argparse.Namespace) -> Iterator[Journal]:
    """The journal for a command that changes nothing, even where nothing may be written."""
    with reading(state_folder(given.data) / "journal.db") as journal:
        if journal.salvage:
            complain(journal.salvage)
        yield journal


def players_of(given: argparse.Namespace, game: Game[Any]) -> int:
    """Number of players: as given, else the fewest the game allows."""
    return int(given.players) if given.players is not None else min(game.players)


def seats_named(players: int) -> list[str]:
    """Names of the seats for people, who count from 1. In files, in JSON and in the texts of moves
    a seat's number is its index here, from 0."""
    return [str(index + 1) for index in range(players)]


def options_of(given: argparse.Namespace) -> dict[str, str]:
    """The game's options as given with ``--option``. Raises UsageError."""
    options = {}
    for pair in given.option:
        name, sign, value = pair.partition("=")
        if not sign:
            raise UsageError("option_pair", text=pair)
        options[name] = value
    return options


def print_json(record: Any) -> None:
    """One JSON line on stdout."""
    clear()
    print(json_line(record), flush=True)


_complaints = {"lang": "en"}


@contextmanager
def complaints_in(lang: str) -> Iterator[None]:
    """Errors are shown in this language meanwhile, argparse's too."""
    before, usual = _complaints["lang"], vars(argparse)["_"]
    _complaints["lang"] = lang
    # The function that argparse takes its sentences from.
    vars(argparse)["_"] = lambda text: read_texts("argparse", lang).get(text, text)
    try:
        yield
    finally:
        # The next call in this process looks for its own language.
        _complaints["lang"], vars(argparse)["_"] = before, usual


def complain(what: Sentence) -> int:
    """One line on stderr; returns the exit code for bad usage."""
    clear()
    print("heelstone: " + shown(what.told(_complaints["lang"])), file=sys.stderr)
    return BAD_USE


def progress_of(given: argparse.Namespace) -> AbstractContextManager[Progress]:
    """Tells how far this call has come; with ``--json`` only on a terminal."""
    return progress(given.lang, quiet=given.json)


def tell(text: object) -> None:
    """One line on stdout for people; what would begin another, or be obeyed, is marked."""
    clear()
    print(harmless(str(text).replace("\n", " ").replace("\r", " ")))


def shown(text: str) -> str:
    """A text as one line; what would move a terminal's cursor or colour it is marked."""
    return harmless(" ".join(text.split()))
