"""Matches for phones: random ones at a table without a camera, and what is sent of them.

    python -m tests.support.phone_pictures dominion --players 3 --moves 80 --seat 1

prints the picture of a seat, or without ``--seat`` the public one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import PlayMove
from companion.presentation.views import Snapshot, snapshot_of
from companion.settings.manners import Manners
from companion.web.public_page import public_page
from companion.web.seat_page import seat_page
from rules.games import find_game
from rules.testing.playout import pick

NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eva")


def table_of(
    game: str, players: int | None = None, *, seed: int | str = 1, physical: bool = False,
    journal: Journal | None = None, match_id: str = "m1", options: Mapping[str, str] | None = None,
    computers: tuple[str, ...] = (),
) -> Table:  # fmt: skip
    """A new match at a table without a camera."""
    rules = find_game(game)
    players = rules.players[0] if players is None else players
    header = Header(
        id=match_id, game=game, players=players,
        options=rules.complete_options(players, options or {}), physical=physical, seed=str(seed),
        names=NAMES[:players], enforcement="enforce", created_s=1_700_000_000.0,
        computers=computers,
    )  # fmt: skip
    journal = Journal(":memory:") if journal is None else journal
    journal.create(header)
    return Table(journal, journal.header(match_id), Manners())


def play_on(table: Table, moves: int, random: Random) -> None:
    """Plays up to ``moves`` more random moves."""
    for _number in range(moves):
        match = table.match
        if match.outcome is not None:
            return
        move = pick(match.state, match.state.legal_moves(), random)
        table.handle(PlayMove(move), 0.0)


def taken(table: Table) -> Snapshot:
    """The match as it is now."""
    return snapshot_of("m", table.record, table.view(), table.hands)


def public_json(snapshot: Snapshot, lang: str) -> dict[str, Any]:
    """The public page as it is sent."""
    found: dict[str, Any] = msgspec.to_builtins(public_page(snapshot.public, lang))
    return found


def seat_json(snapshot: Snapshot, seat: int, lang: str) -> dict[str, Any]:
    """The page of a seat as it is sent."""
    page = seat_page(snapshot.seat(seat), lang, public_page(snapshot.public, lang))
    found: dict[str, Any] = msgspec.to_builtins(page)
    return found


def session_of(table: Table) -> Session:
    """The table with a thread of its own, which is running."""
    return Session(table).start()


def _main() -> int:
    parser = argparse.ArgumentParser(description="What is sent of a random match.")
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seat", type=int)
    parser.add_argument("--physical", action="store_true")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--out")
    args = parser.parse_args()
    options = dict(option.split("=", 1) for option in args.option)
    table = table_of(
        args.game, args.players, seed=args.seed, physical=args.physical, options=options
    )
    play_on(table, args.moves, Random(args.seed))
    snapshot = taken(table)
    if args.seat is None:
        picture = public_json(snapshot, args.lang)
    else:
        picture = seat_json(snapshot, args.seat, args.lang)
    text = json.dumps(picture, ensure_ascii=False, indent=1)
    if args.out:
        Path(args.out).write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
