"""Any game: score sheets for games whose rules nobody has told Heelstone.

Players, turns and a sheet that is data: rounds, rows, races, teams, all against the game. A move is
an entry, so everything that knows moves works here too. Section ids (1.1 …) are those of the pages
in ``rules/languages/*/any_game.toml``.

``sheet`` reads the sheets, and ``counting`` adds up what was entered.
"""

from rules.games.any_game.game import AnyGame, on_board

__all__ = ["GAME", "on_board"]

GAME = AnyGame()
