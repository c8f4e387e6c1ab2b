"""Dice that cannot be told: too few in the tray, one on its edge, or one turned since the throw.

Nobody has done anything wrong: it is said calmly, what belongs in the tray, and goes away by
itself.
"""

from __future__ import annotations

from companion.match.watchers.watcher import Happened
from companion.settings.manners import Manners
from rules.core import Actor, Call, Throw
from rules.match import Match
from rules.reading.dice import Trays, throws_in

MISSING, ASKEW, TOO_MANY, TURNED = "dice_missing", "dice_askew", "dice_too_many", "dice_turned"


class DiceWatcher:
    """Looks at what lies in trays for as long as a match is open."""

    def __init__(self, manners: Manners) -> None:
        self._manners = manners
        self._code, self._since_s = "", 0.0
        self._lay_right: Match | None = None
        """The match whose last throw lay there as it was told."""
        self._call: tuple[int, Call] | None = None

    @property
    def calls(self) -> tuple[tuple[int, Call], ...]:
        """The word about the dice, if there is one."""
        return () if self._call is None else (self._call,)

    def deadline(self) -> float | None:
        """Time at which it is said."""
        if not self._code or self._call is not None:
            return None
        return self._since_s + self._manners.reason_s

    def heed(self, happened: Happened) -> None:
        """Say what is the matter once it has lasted."""
        match, trays = happened.match, happened.trays
        code = _matter(match, trays) if happened.clear else ""
        right = _lies_right(match, trays) if happened.clear and not code else None
        if right:
            self._lay_right = match
        elif right is False and self._lay_right is match:
            code = TURNED
        if code != self._code:
            self._code, self._since_s, self._call = code, happened.now, None
        due = bool(code) and happened.now >= self._since_s + self._manners.reason_s
        if due and self._call is None:
            prompt = match.prompt
            seat = None if prompt is None else prompt.player
            seats = tuple(range(match.players)) if seat is None else (seat,)
            call = Call(code, seats, tuple(trays.beliefs), hands=code != TURNED, sign="⚂")
            self._call = match.ply, call


def _matter(match: Match, trays: Trays) -> str:
    """The code of the call for dice that cannot be told yet; empty: none."""
    if not match.throws_lie_here or not trays.beliefs:
        return ""
    throw: Throw | None = match.state.throw()
    if throw is None:
        return ""
    belief = trays.beliefs.get(throw.site)
    if belief is None or not trays.stirred.get(throw.site):
        return ""
    if belief.unread:
        return ASKEW
    number, dice = len(belief.best), len(throw.dice)
    if number < dice:
        return MISSING
    return TOO_MANY if number > dice + throw.kept.total() else ""


def _lies_right(match: Match, trays: Trays) -> bool | None:
    """True if the tray shows the throw that has just been told, False if the same dice show another
    one; None if they do not all lie there."""
    last = match.log[-1].move if match.log and trays.beliefs else None
    if last is None or last.actor is not Actor.DEALER:
        return None
    throw: Throw | None = match.after(match.ply - 1).state.throw()
    if throw is None or last not in throw or throw.site not in trays.beliefs:
        return None
    shown = [*throws_in(throw, trays.beliefs[throw.site].best)]
    return last in shown if shown else None
