"""Results of a match at the virtual table, in numbers and in lines for people."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Results of a match."""

    visible: int = 0
    """Moves that change what can be seen, and that only one legal explanation fits."""
    read: int = 0
    """… of these: in the record without a question."""
    late: int = 0
    """… of these: only when the eye found out that what it saw was no hand."""
    asked: int = 0
    """… people were asked, or had to tap because nothing was understood."""
    wrong: int = 0
    """Moves in the record that had not been made, whether visible ones or not."""
    otherwise: int = 0
    """Times that the record said something else of a turn than had happened, which left the same
    on the table: people put it right."""
    accused: int = 0
    """Moves taken for breaches of the rules."""
    alike: int = 0
    """Visible moves that look like other legal ones even in a perfect picture."""
    alike_asked: int = 0
    """… of these: the table offered the right one among others."""
    tapped: int = 0
    """Moves that leave no trace and were entered by touch."""
    dealt: int = 0
    """Moves of chance that went into the record by themselves."""
    lost: int = 0
    """Still frames in which the board was not found."""
    pushes: int = 0
    lamps: int = 0
    finished: bool = False
    frames: int = 0
    ms: list[float] = field(default_factory=list)
    """Milliseconds of the looks that were more than a glance at the gate."""
    troubles: list[str] = field(default_factory=list)
    """Failures, as lines for people."""

    def __iadd__(self, other: Tally) -> Tally:
        for name in (
            "visible", "read", "late", "asked", "wrong", "otherwise", "accused", "alike",
            "alike_asked", "tapped", "dealt", "lost", "pushes", "lamps", "frames",
        ):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.ms += other.ms
        self.troubles += other.troubles
        self.finished = other.finished
        return self

    @property
    def share(self) -> float:
        """Share of the visible moves that were read without asking."""
        return self.read / self.visible if self.visible else math.nan
