"""Rollende Steine (Rolling Rocks) by Tyler Tinsley, for one to five players together.

Discs are rolled as stone wheels through five trilithon gates; all win together when every gate
has been passed, and lose together when the discs run out first. Section and ruling ids (4.1 … 4.6,
RS1 … RS18) are those of the rule pages in ``rules/languages/*/rollende_steine.toml``.

What a disc did is a ``table`` move: people enter it. A camera that followed the disc may propose
one (``rolled``), and people confirm it.
"""

from rules.games.rollende_steine.game import RollendeSteine

__all__ = ["GAME"]

GAME = RollendeSteine()
