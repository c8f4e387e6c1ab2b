"""Command club: a club of many tables, its programs and its members."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import logging
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from companion.app.commands import (
    OK,
    Commands,
    Parser,
    UsageError,
    lang_of,
    print_json,
    tell,
    text_of,
)
from companion.settings.settings import state_folder
from rules.texts import Texts

CLUB = "club.toml"
"""Default file of the club's settings."""
TABLE = ("nats", "nkeys")
"""Packages a table needs: the extra ``club``."""
SERVER = (*TABLE, "psycopg", "starlette", "uvicorn", "openskill", "networkx")
"""Packages the club's computer needs: the extra ``club-server``."""
_SHORTEST_PASSWORD = 10


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    deeds = commands.group("club")

    found = deeds.add("found", _checked(_found, SERVER))
    found.add_argument("name", metavar="NAME")
    found.add_argument("--address", default="127.0.0.1", metavar="HOST")
    _with_club(found)

    table = deeds.add("new-table", _checked(_new_table, SERVER))
    table.add_argument("name", metavar="NAME")
    table.add_argument("--out", default=None, metavar="FILE")
    _with_club(table)

    for name, deed in (("serve", _serve), ("writer", _writer), ("pages", _pages)):
        program = deeds.add(name, _checked(deed, SERVER))
        program.add_argument("club", metavar="FILE", nargs="?", default=CLUB)

    _with_club(deeds.add("password", _checked(_password, SERVER)))

    deeds.add("join", _checked(_join, TABLE)).add_argument("file", metavar="FILE")
    deeds.add("leave", _leave)


def _with_club(parser: Parser) -> None:
    parser.add_argument("--club", default=CLUB, metavar="FILE")


def _checked(
    deed: Callable[[argparse.Namespace], int], needed: tuple[str, ...]
) -> Callable[[argparse.Namespace], int]:
    """``deed``, once everything is there that its extra brings."""

    def checked(given: argparse.Namespace) -> int:
        if missing := [name for name in needed if find_spec(name) is None]:
            extra = "club" if needed is TABLE else "club-server"
            raise UsageError("club_missing", missing=missing, extra=extra)
        return deed(given)

    return checked


def _words(given: argparse.Namespace) -> Texts:
    return Texts("commands.club", lang_of(given))


def _found(given: argparse.Namespace) -> int:
    from companion.club.settings import found_club

    file = Path(given.club)
    password = found_club(file, given.name, given.address)
    if given.json:
        print_json({"club": given.name, "settings": str(file), "password": password})
    else:
        words = _words(given)
        tell(words("founded", club=given.name, file=file))
        tell(words("password", password=password))
        tell(words("then_serve", file=file))
    return OK


def _new_table(given: argparse.Namespace) -> int:
    from companion.club.settings import Club
    from companion.settings.writing import hand_out

    name = given.name
    club = Club(Path(given.club))
    member = club.new_table(name)
    out = Path(given.out or f"{name}.table.toml").absolute()
    hand_out(out, member.toml(), mode=0o600)
    if given.json:
        print_json({"table": name, "key": club.tables[name], "file": str(out)})
    else:
        words = _words(given)
        tell(words("new_table", table=name, file=out))
        tell(words("then_join", file=out.name))
    return OK


def _join(given: argparse.Namespace) -> int:
    from companion.club.membership import join

    # Root passes on a file that the table's own user may not read.
    text = text_of(Path("-")) if given.file == "-" else None
    member = join(Path(given.file), state_folder(given.data), text)
    if given.json:
        print_json({"club": member.club, "table": member.table})
    else:
        tell(_words(given)("joined", club=member.club, table=member.table))
    return OK


def _leave(given: argparse.Namespace) -> int:
    from companion.club.membership import leave

    was = leave(state_folder(given.data))
    if given.json:
        print_json({"left": was})
    else:
        tell(_words(given)("left" if was else "no_club"))
    return OK


def _serve(given: argparse.Namespace) -> int:
    from companion.club.serving import serve_club
    from companion.club.settings import Club

    _log()
    words = _words(given)

    def ready(club: Club) -> None:
        where = f"http://{club.settings.broker.address}:{club.settings.pages.port}/"
        if given.json:
            print_json({"club": club.name, "pages": where, "broker": club.server})
        else:
            tell(words("serving", club=club.name, pages=where, broker=club.server))
            sys.stdout.flush()

    serve_club(Path(given.club), ready)
    return OK


def _writer(given: argparse.Namespace) -> int:
    from companion.club.programs import write

    _log()
    asyncio.run(write(Path(given.club)))
    return OK


def _pages(given: argparse.Namespace) -> int:
    from companion.club.programs import show_pages

    _log()
    show_pages(Path(given.club))
    return OK


def _password(given: argparse.Namespace) -> int:
    from companion.club.naming import ClubError
    from companion.club.settings import Club, scrambled

    Club(Path(given.club))
    words = _words(given)
    if sys.stdin.isatty():
        password = getpass.getpass(words("ask_password") + " ")
    else:
        password = text_of(Path("-")).partition("\n")[0]
    if len(password) < _SHORTEST_PASSWORD:
        raise ClubError("short_password", least=_SHORTEST_PASSWORD)
    tell(words("put_password", line=f'password = "{scrambled(password)}"', file=given.club))
    return OK


def _log() -> None:
    level = os.environ.get("HEELSTONE_LOG", "INFO")
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
