"""Commands serve, backup, restore: a table that runs by itself, and copies of its journal."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from companion.app.commands import (
    OK,
    Commands,
    UsageError,
    add_setting,
    game_named,
    journal_of,
    options_of,
    players_of,
    print_json,
    seats_named,
    settings_of,
    tell,
)
from companion.journal.backup import back_up, restore
from companion.settings.settings import settings_path, state_folder
from rules.texts import Texts


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    serve = commands.add("serve", _serve)
    serve.add_argument("--game", metavar="GAME", default=None)
    add_setting(serve)
    serve.add_argument("--with", dest="table", metavar="TABLE", default=None)
    serve.add_argument("--here", metavar="SEATS", default="1")

    backup = commands.add("backup", _backup)
    backup.add_argument("--out", metavar="DIR", default=None)
    backup.add_argument("--keep", metavar="N", type=int, default=14)

    back = commands.add("restore", _restore)
    back.add_argument("file", metavar="FILE")


def _serve(given: argparse.Namespace) -> int:
    from companion.app.service import serve
    from companion.settings.people import MatchSetup

    # Nobody watches this program; what it has to say goes to the system log.
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    settings = settings_of(given)
    plan = None
    if given.game is not None:
        game = game_named(given.game)
        players = players_of(given, game)
        options = game.complete_options(players, options_of(given))
        plan = MatchSetup(
            game=game.id,
            players=players,
            options=dict(options),
            enforcement=settings.enforcement,
        )
    elif given.option or given.players is not None:
        raise UsageError("without_game")
    here = () if given.table is None or plan is None else _seats(given.here, plan.players)
    state, lang, file = state_folder(given.data), given.lang, settings_path(given.settings)
    return serve(settings, state, lang, plan, given.table or "", here, file)


def _seats(text: str, players: int) -> tuple[int, ...]:
    """Seats as people count them, some of a match's; raises UsageError."""
    known = seats_named(players)
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
        key = "restored" if aside is None else "restored_aside"
        tell(Texts("commands.records", given.lang)(key, count=len(matches), aside=aside))
    return OK
