"""Commands serve, backup, restore: a table that runs by itself, and copies of its journal."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from companion.app.commands import (
    OK,
    Commands,
    UsageError,
    journal_of,
    lang_of,
    options_of,
    players_of,
    print_json,
    settings_of,
    tell,
)
from companion.journal.backup import back_up, restore
from companion.settings.settings import settings_path, state_folder
from rules.games import find_game

__all__ = ["add"]


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    serve = commands.add("serve", _serve, "referee a table that has no touchscreen")
    serve.add_argument("--game", metavar="GAME", default=None,
                       help="the game to begin if no match of it is under way")  # fmt: skip
    serve.add_argument("--players", type=int, default=None, help="number of players")
    serve.add_argument("--option", action="append", default=[], metavar="K=V",
                       help="an option of the game, as often as needed")  # fmt: skip

    serve.add_argument("--with", dest="table", metavar="TABLE", default=None,
                       help="play it with this table of the club; without a game: wait until that "
                            "table invites this one")  # fmt: skip
    serve.add_argument("--here", metavar="SEATS", default="1",
                       help="with another table: the seats at this one, such as 1,3")  # fmt: skip

    backup = commands.add("backup", _backup, "copy the journal")
    backup.add_argument("--out", metavar="DIR", default=None, help="folder of the copies")
    backup.add_argument("--keep", type=int, default=14, help="how many copies stay there")

    back = commands.add("restore", _restore, "put a copy of the journal in its place")
    back.add_argument("file", metavar="FILE")


def _serve(given: argparse.Namespace) -> int:
    from companion.app.service import serve
    from companion.settings.people import Plan

    # Nobody watches this program; what it has to say goes to the system log.
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    settings = settings_of(given)
    plan = None
    if given.game is not None:
        game = find_game(given.game)
        players = players_of(given, game)
        options = game.complete_options(players, options_of(given))
        plan = Plan(
            game=game.id,
            players=players,
            options=dict(options),
            enforcement=settings.enforcement,
        )
    elif given.option or given.players is not None:
        raise UsageError("without_game")
    here = () if given.table is None or plan is None else _seats(given.here, plan.players)
    state, lang = state_folder(given.data), lang_of(given, settings)
    file = settings_path(given.settings)
    return serve(settings, state, lang, plan, given.table or "", here, file)


def _seats(text: str, players: int) -> tuple[int, ...]:
    """Seats as people count them, some of a match's; raises UsageError."""
    known = [str(seat + 1) for seat in range(players)]
    found = sorted({known.index(one) for one in text.split(",") if one in known})
    if not found or len(found) == players or any(one not in known for one in text.split(",")):
        raise UsageError("some_seats", option="--here", known=known, found=text[:40])
    return tuple(found)


def _backup(given: argparse.Namespace) -> int:
    if given.keep < 1:
        raise UsageError("at_least_one", option="--keep", found=given.keep)
    state = state_folder(given.data)
    folder = Path(given.out) if given.out else state / "backups"
    path = back_up(state / "journal.db", folder, given.keep)
    if given.json:
        print_json({"copy": str(path)})
    else:
        tell(path)
    return OK


def _restore(given: argparse.Namespace) -> int:
    journal = state_folder(given.data) / "journal.db"
    aside = restore(Path(given.file), journal)
    with journal_of(given) as opened:
        matches = opened.matches()
        # It is better to learn now than in the next match that a copy cannot be played on.
        for summary in opened.unfinished():
            opened.load(summary.header.id)
    if given.json:
        print_json({"matches": len(matches), "aside": None if aside is None else str(aside)})
    else:
        tell(f"{len(matches)} matches" + ("" if aside is None else f"; the old one is {aside}"))
    return OK
