"""Quality of Dominion's buy lists: ``python -m benchmarks.opponents.dominion_lists``.

Every list plays, with exchanged seats, against plain money with one Smithy at the fast table that
playouts use. What is found is what ``lists.toml`` calls a list's rating.
"""

from __future__ import annotations

import argparse
from random import Random

from benchmarks.opponents.contest import wilson
from rules.games.dominion import GAME
from rules.games.dominion.components import CARDS, KINGDOM
from rules.games.dominion.game import DominionPosition
from rules.games.dominion.state import DominionState
from rules.players.crafts.dominion.lists import BuyList, lists_for
from rules.players.crafts.dominion.table import Table
from rules.players.crafts.dominion.turns import play_out

REFERENCE = "money smithy"
SMITHY_MONEY = BuyList(
    REFERENCE,
    ["province+gold:1", "duchy@4", "estate@2", "smithy:1", "gold", "duchy@6", "silver"],
)


def rating(buys: BuyList, matches: int, random: Random) -> float:
    """Part of the matches that ``buys`` wins against plain money with one Smithy."""
    kingdom = {CARDS[card] for card in buys.needs} | {"smithy"}
    others = [card for card in KINGDOM if card not in kingdom and card != "moat"]
    kingdom.update(others[: 10 - len(kingdom)])
    start = _laid_out(sorted(kingdom))
    won = 0.0
    for number in range(matches):
        seat = number % 2
        plans = [buys if one == seat else SMITHY_MONEY for one in range(2)]
        table = Table.of(start, plans, random)
        for cards in table.seats:
            cards.draw(5, random)
        won += play_out(table)[seat]
    return won / matches


def _laid_out(kingdom: list[str]) -> DominionState:
    """A position with all ten cards of each player as a draw pile, nothing drawn yet."""
    state = DominionPosition(2, GAME.complete_options(2, {}), False)
    state.kingdom = kingdom
    state.lay_out_supply()
    state.seat, state.actions, state.buys = 0, 1, 1
    return state


def main() -> None:
    """Print every list with the rating found and the one that is written down."""
    parser = argparse.ArgumentParser(prog="benchmarks.opponents.dominion_lists")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for buys in lists_for(KINGDOM):
        found = rating(buys, given.matches, Random(given.seed))
        low, high = wilson(found * given.matches, given.matches)
        print(f"{found:.3f} ({low:.3f} to {high:.3f}) is written {buys.rating:.3f}: {buys.name}")


if __name__ == "__main__":
    main()
