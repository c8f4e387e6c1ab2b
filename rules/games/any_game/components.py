"""Colours of players, and the values of options that change a sheet."""

from __future__ import annotations

from typing import Final

COLOURS: Final = ("red", "blue", "green", "yellow", "white", "black", "brown", "grey")
"""1.1: colours by seat."""
AS_ON_SHEET: Final = "sheet"
"""The value of an option that leaves the sheet as it is."""
ROUNDS: Final = (AS_ON_SHEET, "3", "5", "9", "10", "20")
TARGETS: Final = (AS_ON_SHEET, "50", "100", "200", "500", "1000")
WINS: Final = (AS_ON_SHEET, "most", "fewest")
TEAMS: Final = {"off": 0, "two": 2, "three": 3}
"""1.4: number of teams by value."""
