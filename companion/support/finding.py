"""The finding of a check: shared by the doctor, the check of the table and the field test."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Verdict(StrEnum):
    """Result of a check."""

    GOOD = "good"
    DOUBTFUL = "doubtful"
    """It works; something about it is odd, or something optional is missing."""
    BAD = "bad"
    WAITING = "waiting"
    """No result yet."""
    ABSENT = "absent"
    """Not set up or not there, which is not a failure."""
    SKIPPED = "skipped"


LEVELS = {Verdict.DOUBTFUL: "hint", Verdict.BAD: "trouble"}
"""The doctor's words for verdicts; all others are ``ok``."""


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One measured number."""

    name: str
    value: float
    unit: str = ""
    """Empty for a count or a share of one."""
    least: float | None = None
    most: float | None = None
    """Limits between which it is good."""

    @property
    def fits(self) -> bool:
        """True if it is within its limits."""
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one check."""

    check: str
    verdict: Verdict
    figures: tuple[Figure, ...] = ()
    """Numbers that were measured, the most telling first."""
    code: str = ""
    """Code of the fault, or of the doctor's sentence; empty if there is nothing to say."""
    text: str = ""
    """The doctor's sentence; others are put together from the code where they are shown."""

    @property
    def level(self) -> str:
        """``ok``, ``hint`` (something optional is missing) or ``trouble``."""
        return LEVELS.get(self.verdict, "ok")

    @property
    def figure(self) -> Figure | None:
        """The most telling number; None if nothing was measured."""
        return next(iter(self.figures), None)


def measured(
    check: str, *figures: Figure, code: str = "", beyond: Verdict = Verdict.BAD
) -> Finding:
    """A finding that is good while every figure fits; else ``beyond``, with ``code``."""
    if all(figure.fits for figure in figures):
        return Finding(check, Verdict.GOOD, figures)
    return Finding(check, beyond, figures, code)
