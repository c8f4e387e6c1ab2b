"""Words for games of a tournament that wait for a table."""

from __future__ import annotations

from companion.presentation.remote_table import Pairing
from rules.games import find_game
from rules.telling import Teller
from rules.texts import Texts


def pairing_title(pairing: Pairing) -> str:
    """Names of the players of a tournament game."""
    return " – ".join(pairing.plan.names)


def pairing_text(pairing: Pairing, lang: str) -> str:
    """Which game of which tournament it is."""
    game = Teller(find_game(pairing.plan.game), lang, ()).game_name
    numbers = {"round": pairing.round, "board": pairing.board}
    told = Texts("together", lang)("round_and_board", **numbers)
    return f"{told} · {game} · {pairing.tournament}"
