"""Computer players at a table, and tips: who is asked, what was played last, what was said.

They are asked elsewhere (``companion.players``); what they choose comes in as a message, like
everything else, and counts only for the position it was chosen in.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.journal.events import Source, TipGiven
from companion.match.messages import ComputerPlays
from companion.match.record import MatchRecord
from companion.match.remote_match import Seats
from companion.match.view import PlayedByComputer, TipView
from rules.core import Actor, Move
from rules.players.player import Choice


class ComputerSeats:
    """The computer players of one match, and the tip that was asked for last."""

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        seats = range(record.header.players)
        self.seats = frozenset(seat for seat in seats if record.header.computer(seat))
        """Seats of computer players."""
        self.helpless: frozenset[int] = frozenset()
        """Computer players' seats that could not choose; people play for them."""
        self._played: tuple[int, PlayedByComputer] | None = None
        self._tip: tuple[int, TipView] | None = None

    @property
    def deciding(self) -> frozenset[int]:
        """The seats that decide for themselves."""
        return self.seats - self.helpless

    @property
    def thinks(self) -> int | None:
        """The seat whose computer player is asked; None if people are."""
        if self.record.match.outcome is not None:
            return None
        return Seats((), self.deciding).computer(self.record.match)

    @property
    def computed(self) -> PlayedByComputer | None:
        """Last move of a computer player, if there was no other decision since."""
        if self._played is None or self._played[0] > self.record.match.ply:
            return None
        ply, said = self._played
        # What closes its turn is its own as well.
        later = self.record.played[ply:]
        return said if all(one.by_itself or one.asked == said.seat for one in later) else None

    # -- computer players -----------------------------------------------------------------

    def fails(self, seat: int) -> None:
        """A player could not choose."""
        self.helpless |= {seat} & self.seats

    def recovers(self) -> None:
        """Lets computer players that could not choose be asked again the next time."""
        self.helpless = frozenset()

    def has_played(self, chosen: ComputerPlays, public: Sequence[Move], seat: int) -> None:
        """Notes that the chosen moves are in the record now."""
        said = PlayedByComputer(seat, tuple(public), chosen.why)
        self._played = self.record.match.ply, said

    # -- tips -----------------------------------------------------------------------------

    @property
    def may_tip(self) -> bool:
        """True if the player to move may ask for a tip: not where they hold real cards, which the
        program has not seen, nor where the match is only entered."""
        match = self.record.match
        if match.game.keeps_ledger(match.options):
            return False
        if match.physical and not match.game.open_to_computers(match.options):
            return False
        return self.record.header.tips and self._asked is not None and self.thinks is None

    @property
    def tip(self) -> TipView | None:
        """The tip that was asked for, while the record is as it was then."""
        if self._tip is None or self._tip[0] != len(self.record.told):
            return None
        return self._tip[1]

    def ask_tip(self, seat: int | None, src: Source) -> None:
        """Asks for a tip, or dismisses it."""
        asked, before = self._asked, self.tip
        if asked is None or not self.may_tip or seat not in (None, asked):
            return
        if before is not None and before.src is src:
            self._tip = None
        else:
            self._tip = self._here(TipView(asked, src))

    def give_tip(self, choice: Choice | None) -> None:
        """Here it is, if there is one; the journal keeps it."""
        tip = self.tip
        if tip is None or tip.choice is not None:
            return
        self._tip = self._here(TipView(tip.seat, tip.src, choice, failed=choice is None))
        if choice is not None:
            second = None if choice.second is None else choice.second.move
            self.record.note_tip(TipGiven(tip.seat, choice.move, choice.why.code, second))

    # -- private --------------------------------------------------------------------------

    @property
    def _asked(self) -> int | None:
        prompt = self.record.match.prompt
        return prompt.player if prompt is not None and prompt.actor is Actor.PLAYER else None

    def _here(self, tip: TipView) -> tuple[int, TipView]:
        return len(self.record.told), tip
