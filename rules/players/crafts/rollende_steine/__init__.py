"""The craft of Rollende Steine: which shot is likely to pass which gates, and where a cushion
helps it."""

from rules.players.crafts.rollende_steine.craft import RollendeSteineCraft

__all__ = ["RollendeSteineCraft"]
