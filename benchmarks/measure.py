"""The common part of all benchmarks: timing and the shape of a result."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Result:
    """One figure beside its peer."""

    name: str
    value: float
    unit: str
    peer: str
    """Name of the measure for comparison; empty for a plain figure with a bound."""
    peer_value: float | None
    ratio: float | None
    """Factor of improvement on the peer; above 1 is better than it."""
    aim: str

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        return asdict(self)

    def line(self) -> str:
        """For people."""
        text = f"{self.name:<44} {self.value:>12,.2f} {self.unit}"
        if self.ratio is not None:
            text += f"   {self.ratio:6.2f} × {self.peer} ({self.peer_value:,.2f})"
        return f"{text}   aim {self.aim}"


def rate(step: Callable[[], int], seconds: float = 1.0, rounds: int = 3) -> float:
    """Steps per second, the best of some rounds; ``step`` says how many steps it made."""
    best = 0.0
    for _ in range(rounds):
        done, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            done += step()
        best = max(best, done / (time.perf_counter() - start))
    return best


def median_ms(call: Callable[[], object], times: int) -> float:
    """Median milliseconds of a call."""
    spans = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        spans.append((time.perf_counter() - start) * 1e3)
    return statistics.median(spans)
