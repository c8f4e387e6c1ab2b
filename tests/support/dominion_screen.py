"""Dominion on the play screen in any position, and a finger that touches only what is lit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.match.view import Intent, TableState
from companion.presentation.market import CardTile
from rules.core import Move
from rules.match import Match
from tests.support.dominion_table import Table, begun
from tests.support.market import lit, market_desk
from tests.support.ui_harness import FakeTable, OnScreen, tap, tap_on, texts, tick, view_of, walk

NAMES = ("Anna", "Ben", "Cleo", "Dora")


def match_of(*seats: str, physical: bool = False, **options: Any) -> Match:
    """A match in the position that ``Table`` would have."""
    return begun(Table(*seats, **options), physical=physical)


class DominionScreen(OnScreen):
    """A play screen on which every intent is carried out at once; ``touches`` are counted."""

    def __init__(self, match: Match, size: tuple[int, int] = (800, 480), lang: str = "de") -> None:
        super().__init__(size, lang)
        from companion.ui.screens.play.screen import PlayScreen
        from companion.ui.shell import Ways

        self.match, self.touches = match, 0
        self.table = FakeTable(match)
        self.put(PlayScreen(self._post, Ways(hand=self.table.hand), **self.room), 0)
        self.show()

    def _post(self, intent: Intent) -> None:
        self.table.post(intent)
        self.show()

    def show(self) -> None:
        """Show the match as it is, after what chance does."""
        self.match.deal()
        state = TableState.BLIND if self.match.physical else TableState.SETTLED
        names = NAMES[: self.match.players]
        self.screen.show(view_of(self.match, state, blind_reason="no_camera", names=names))
        tick(2)

    # -- looking --------------------------------------------------------------------------

    @property
    def desk(self) -> Any:
        found = market_desk(self.screen)
        assert found is not None, f"there is no desk: {self.words}"
        return found

    @property
    def words(self) -> str:
        """All words that can be read beside the cards."""
        return texts(self.screen)

    @property
    def lit(self) -> set[str]:
        """Kinds of the cards that can be touched, of the supply and the hand."""
        return {tile.kind for tile, _at in lit(self.desk)}

    @property
    def hand(self) -> dict[str, int]:
        """Visible cards of the hand."""
        field = self.desk.hand
        return {t.kind: t.count for t in field.tiles} if field.parent is not None else {}

    # -- touching -------------------------------------------------------------------------

    def touch(self, kind: str, *, of_hand: bool = False) -> None:
        """Touch a card of the supply, or of the hand."""
        self._tap(*self._middle(kind, of_hand=of_hand))

    def rest_on(self, kind: str, *, of_hand: bool = False) -> None:
        """Rests a finger on a card until it is shown large."""
        field = self.desk.hand if of_hand else self.desk.wares
        tile: CardTile = field.tile_of(kind)[0]
        field._hold(tile)
        tick(2)

    def press(self, words: str) -> None:
        """Touch the key with these words or this sign."""
        from companion.ui.widgets.base import Key

        keys = [w for w in walk(self.screen) if isinstance(w, Key) and not w.disabled]
        found = next((key for key in keys if words in (key.text, key.symbol)), None)
        assert found is not None, f"there is no key '{words}': {[key.text for key in keys]}"
        self.touches += 1
        tap_on(found)

    def yellow(self) -> list[str]:
        """The words of every key that stands out."""
        from companion.ui.widgets.base import Key

        return [w.text for w in walk(self.screen) if isinstance(w, Key) and w.primary]

    def _middle(self, kind: str, *, of_hand: bool) -> tuple[float, float]:
        field = self.desk.hand if of_hand else self.desk.wares
        assert field.parent is not None, "nothing of that is shown"
        x, y, width, height = field.tile_of(kind)[1]
        at: tuple[float, float] = field.to_window(x + width / 2, y + height / 2)
        return at

    def _tap(self, x: float, y: float) -> None:
        self.touches += 1
        tap(x, y)


@contextmanager
def dominion(*seats: str, moves: tuple[str, ...] = (), **options: Any) -> Iterator[DominionScreen]:
    """A screen in a position, after ``moves``, for the player to move."""
    match = match_of(*seats, **options)
    for move in moves:
        match.deal()
        match.push(Move.parse(move))
    screen = DominionScreen(match)
    try:
        yield screen
    finally:
        screen.close()
