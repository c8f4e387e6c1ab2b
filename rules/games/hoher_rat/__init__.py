"""Der Hohe Rat (The High Council) by Volker Hesselmann, one of the five games of the anthology.

Two factions, Pro (white and yellow) and Contra (blue and red), seat their followers on the
council circle of 30 fields and persuade those of the other side; the first block of sixteen wins.
Two players, or four in pairs. Section and ruling ids (2.1 … 2.9, HR1 … HR28) are those of the rule
pages in ``rules/languages/*/hoher_rat.toml``.
"""

from rules.games.hoher_rat.game import HoherRat

__all__ = ["GAME"]

GAME = HoherRat()
