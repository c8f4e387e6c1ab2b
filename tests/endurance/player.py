"""A program that plays for ever and says what it heard: ``python -m tests.endurance.player DIR``.

After every change it prints the match and a fingerprint of its moves, as a listener of the session
hears of it. Whoever reads that may kill it at any moment: what was printed must be in the journal.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from hashlib import sha1
from pathlib import Path

from companion.journal.entries import Header, new_match_id
from companion.journal.store import Journal
from companion.match.events import TableEvent
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import PlayMove, TableView, Undo
from companion.settings.manners import Manners
from rules.games import find_game, game_ids
from rules.match import Match


def fingerprint(match: Match) -> str:
    """Differs for any two different records."""
    return sha1("|".join(entry.move.text for entry in match.log).encode()).hexdigest()


def main(folder: Path, seed: int) -> None:
    """Play match after match until killed."""
    chance = random.Random(seed)
    journal = Journal(folder / "journal.db")
    if journal.salvage:
        print(f"salvage {journal.salvage}", flush=True)
    while True:
        unfinished = journal.unfinished()
        if unfinished:
            header = unfinished[0].header
        else:
            header = _new(chance)
            journal.create(header)
        _play(journal, header, chance)


def _new(chance: random.Random) -> Header:
    game = find_game(chance.choice(game_ids()))
    players = chance.choice(game.players)
    return Header(
        id=new_match_id(), game=game.id, players=players,
        options=game.complete_options(players, {}), physical=False, seed=str(chance.random()),
        names=("",) * players, enforcement="enforce", created_s=0.0,
    )  # fmt: skip


def _play(journal: Journal, header: Header, chance: random.Random) -> None:
    table = Table(journal, header, Manners())

    def hear(view: TableView, events: Sequence[TableEvent]) -> None:
        print(f"heard {header.id} {fingerprint(table.match)}", flush=True)

    session = Session(table).start()
    session.listen(hear)
    while table.match.outcome is None:
        if chance.random() < 0.05 and table.match.ply > 3:
            session.post(Undo(chance.randint(1, 3)))
        else:
            legal = session.view.legal
            move = table.match.state.choose(list(legal), chance)
            session.post(PlayMove(move))
        session.settle()
    session.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
