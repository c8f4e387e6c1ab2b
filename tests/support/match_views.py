"""Views of every moment of a match, for what shows them in lines."""

from __future__ import annotations

import random
from functools import cache

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.table import Table
from companion.match.view import PlayMove, TableView
from companion.settings.manners import Manners
from rules.games import find_game, game_ids
from rules.telling import Teller

EVERY_MATCH = [
    (game, players) for game in game_ids() for players in sorted(find_game(game).players)
]


@cache
def views(game: str, players: int) -> tuple[TableView, ...]:
    """Views of a match with random taps, with its end if it comes soon."""
    options = find_game(game).complete_options(players, {})
    start = Header("m", game, players, options, False, "1", ("",) * players, "enforce", 0.0)
    chance = random.Random(players)
    seen = []
    with Journal(":memory:") as journal:
        journal.create(start)
        table = Table(journal, start, Manners())
        for _ in range(40):
            view = table.view()
            seen.append(view)
            if view.outcome is not None or not view.legal:
                break
            table.handle(PlayMove(chance.choice(view.legal)), 0.0)
    return tuple(seen)


def teller_of(view: TableView, lang: str) -> Teller:
    plain = Teller(find_game(view.game), lang, view.colours)
    names = [name or plain.colours[seat] for seat, name in enumerate(view.names)]
    return Teller(find_game(view.game), lang, view.colours, names)
