"""The secrets of a screen that everybody sees: whether they are covered, and whose phone shows them
instead."""

from __future__ import annotations

from companion.match.view import TableView
from companion.presentation.phones import Phones
from companion.presentation.words.company import plays_alone

Mover = tuple[str, int]
"""Match and seat of the player to move."""


class Privacy:
    """Remembers what the player to move has said about who looks at the screen, until another is
    asked."""

    def __init__(self, phones: Phones | None, *, learns: bool = False) -> None:
        """``learns``: nobody else is there who must not look."""
        self._phones, self._learns = phones, learns
        self._view: TableView | None = None
        self._alone: Mover | None = None
        """The player who said that they are alone with their secrets."""
        self._here: Mover | None = None
        """The player who decides on this screen although they have a phone."""
        self._heard: frozenset[int] = frozenset()
        """The seats whose phones wait and were asked about."""

    def show(self, view: TableView) -> None:
        """This is the view on the screen."""
        self._view = view
        if self._mover != self._alone:
            self._alone = None
        if self._mover != self._here:
            self._here = None

    @property
    def _mover(self) -> Mover | None:
        prompt = None if self._view is None else self._view.prompt
        if self._view is None or prompt is None or prompt.player is None:
            return None
        return self._view.match_id, prompt.player

    @property
    def covered(self) -> bool:
        """True if the moves are one player's secret, and they have not said that they are there."""
        view = self._view
        if view is None or self._learns or plays_alone(view):
            return False
        return view.secret and self._alone is None

    @property
    def may_cover(self) -> bool:
        """True if secrets are in sight."""
        return self._view is not None and self._view.secret and self._alone is not None

    @property
    def on_phone(self) -> bool:
        """True if the player to move decides on their phone what only they may see."""
        mover = self._mover
        if self._phones is None or mover is None or mover == self._here or not self.covered:
            return False
        return self._phones.now.has_phone(mover[1])

    def uncover(self) -> None:
        """The player to move is alone with the screen."""
        self._alone = self._mover

    def cover(self) -> None:
        """The player to move is no longer alone."""
        self._alone = None

    def choose_here(self) -> None:
        """The player to move decides on this screen."""
        self._here = self._mover

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose phones wait for an answer."""
        return () if self._phones is None else self._phones.now.waiting

    def phones_changed(self) -> None:
        """A phone came, went, or asks; one that asks again is asked about again."""
        self._heard &= frozenset(self.waiting)

    def ask_about(self) -> int | None:
        """The next seat whose phone waits and was not asked about; it was from now on."""
        seat = next((seat for seat in self.waiting if seat not in self._heard), None)
        if seat is not None:
            self._heard |= {seat}
        return seat
