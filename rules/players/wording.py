"""What is said about a match that was looked back at."""

from __future__ import annotations

from rules.players.judgement import TurningPoint
from rules.players.player import Reason
from rules.telling import Teller

__all__ = ["percent", "told_reason", "what_turned", "why_it_turned"]


def told_reason(reason: Reason, teller: Teller) -> str:
    """A reason as words that follow a move and a dash."""
    return teller.text("reasons", reason.code, **reason.values)


def what_turned(point: TurningPoint, teller: Teller) -> str:
    """Which move it was."""
    return teller.text("judged", "turned", ply=point.ply, move=teller.move(point.played))


def why_it_turned(point: TurningPoint, teller: Teller) -> str:
    """What would have been better, or what made the move so good, in two sentences."""
    why, chance, less = told_reason(point.why, teller), percent(point.chance), point.other_chance
    if point.gain >= 0:
        return teller.text("judged", "strong", why=why, chance=chance, less=percent(less))
    move = teller.move(point.other)
    return teller.text("judged", "better", move=move, why=why, best=percent(less), chance=chance)


def percent(chance: float) -> str:
    """A chance as people write it; what may still happen is neither impossible nor certain."""
    whole = round(100 * chance)
    if 0 < chance < 1:
        whole = min(max(whole, 1), 99)
    return f"{whole}\u00a0%"
