"""Erbaut Stonehenge! by Dustin D. Trammell, for three or four players.

Druids build the monument of thirty blocks, nineteen dolerites and five trilithons, card by card;
they steal trilithon projects from each other and send each other to the altar stone. Section and
ruling ids (3.1 … 3.11, ES1 … ES35) are those of the rule pages in
``rules/languages/*/erbaut_stonehenge.toml``.

``building`` is what every move does, ``turn`` how a turn goes on, ``cards`` who may hold what, and
``glory`` the points.
"""

from rules.games.erbaut_stonehenge.game import ErbautStonehenge

__all__ = ["GAME"]

GAME = ErbautStonehenge()
