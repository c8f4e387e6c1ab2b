"""Tracks moves recorded from the camera although illegal, so that they are not counted twice.

Where only the score is kept, whatever lies on the table counts, allowed or not. But the same
thing must not count again: not because it still lies there, and not because it is called by its
right name later. So what lay there when the record last changed is no news, and what was taken
in against the rules gives way to a legal move that says the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.match.messages import Seen
from rules.core import Actor, Move
from rules.match import Match
from rules.reading.reading import Candidate, Reading, Status, read
from rules.reading.sighting import Look, Sighting

LATE = 24
"""How many moves later something that was seen may be entered by touch as well."""


class ForcedEntries:
    """The last thing that one table took in against the rules, and what lay there then."""

    def __init__(self) -> None:
        self._lay: dict[str, Look] = {}
        """The look when the record last changed, by site."""
        self._since: int | None = None
        """Length of the record before something against the rules was taken in; None if nothing
        was, or if play went on since."""
        self._until = 0
        """Length of the record after it, with all that followed by itself."""
        self._seen: tuple[Move, ...] = ()
        """Moves seen and taken in, as far back as somebody may enter it late."""
        self._tried = -1.0
        """Since when the reading has lasted for which something better was looked for."""

    def agreed(self, since: int, match: Match, seen: Seen | None, *, by_camera: bool) -> None:
        """The record grew from ``since`` moves to ``match``; ``seen``: the last look."""
        if seen is not None:
            self._lay = {site: belief.best for site, belief in seen.sighting.sites.items()}
        new = match.log[since:]
        if by_camera:
            self._seen = (*self._seen, *(entry.move for entry in new))[-LATE:]
        unjudged = by_camera and any(entry.forced for entry in new)
        self._since, self._until = (since, match.ply) if unjudged else (None, 0)
        self._tried = -1.0

    def no_news(self, reading: Reading, seen: Seen) -> set[str]:
        """Sites that differ from the record, but lie as they did when it last changed."""
        sites = seen.sighting.sites
        return {
            fix.site
            for fix in reading.fixes
            if fix.site in sites and self._lay.get(fix.site, ()) == sites[fix.site].best
        }

    def told_late(self, match: Match, move: Move) -> bool:
        """True if ``move`` enters what was seen and taken in already."""
        if move not in self._seen or not match.why_not(move):
            return False
        asked = match.prompt.player if match.prompt is not None else None
        for entry in reversed(match.log):
            if entry.move == move:
                return True
            if entry.move.player not in (None, move.player) and asked == move.player:
                # A new turn, in which the same may be done again.
                return False
        return False

    def same_by(self, match: Match, moves: Sequence[Move]) -> int:
        """Number of moves to take back because ``moves`` say the same legally."""
        earlier = self._earlier(match)
        if earlier is None or not self._says_all(match, moves):
            return 0
        for move in moves:
            if earlier.why_not(move):
                return 0
            earlier.push(move)
            earlier.deal()
        return self._number(match)

    def better(
        self,
        match: Match,
        reading: Reading,
        since: float,
        sighting: Sighting,
        awaiting: Collection[str],
    ) -> Candidate | None:
        """Legal moves that explain what lies there now, in place of what was taken in. It is looked
        for once while the reading lasts, which it has done ``since`` then."""
        earlier = self._earlier(match)
        if earlier is None or since == self._tried:
            return None
        self._tried = since
        legal = read(earlier, sighting, awaiting)
        more = reading.moves or reading.anyway
        longest = _decided(self._taken(match)) + _decided(more) if more else len(legal.moves)
        if (
            legal.status is Status.MOVE
            and _decided(legal.moves) <= longest
            and self._says_all(match, legal.moves)
        ):
            return Candidate(legal.moves, self._number(match))
        return None

    # -- private --------------------------------------------------------------------------

    def _number(self, match: Match) -> int:
        """Number of moves taken in, with all that followed by itself; 0 if play went on."""
        if self._since is None or match.ply != self._until:
            return 0
        return self._until - self._since

    def _taken(self, match: Match) -> list[Move]:
        return [entry.move for entry in match.log[match.ply - self._number(match) :]]

    def _earlier(self, match: Match) -> Match | None:
        """The match before that; None if there is nothing to replace."""
        number = self._number(match)
        if not number:
            return None
        earlier = match.clone()
        for _ in range(number):
            earlier.pop()
        return earlier

    def _says_all(self, match: Match, moves: Sequence[Move]) -> bool:
        """True if ``moves`` name everybody and everything that was taken in against the rules."""
        named = {(move.player, move.args) for move in moves}
        forced = [entry.move for entry in match.log[self._since :] if entry.forced]
        return all((move.player, move.args) in named for move in forced)


def _decided(moves: Sequence[Move]) -> int:
    """Number of the moves that were decided on by a player."""
    return sum(move.actor is not Actor.DEALER for move in moves)
