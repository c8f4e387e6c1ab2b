"""The desk of a ledger: what its touches enter, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.match.view import TableState, TableView, TapMove, Undo
from companion.ui.model.ledger import TRASH_PILE
from rules.match import Match
from tests.support.sweep import widely
from tests.support.ui_harness import (
    LANGS,
    SIZES,
    FakeTable,
    badly_set,
    key,
    need_screen,
    tap,
    tap_on,
    texts,
    tick,
    too_small,
    view_of,
    walk,
)

NAMES = ("Anna", "Ben", "Christina-Mari", "Dora")


class Desk:
    """A play screen on which a ledger is kept, in the window, at a fake table."""

    def __init__(
        self, size: tuple[int, int], lang: str, players: int, kingdom: str, *moves: str
    ) -> None:
        from companion.ui.offscreen import open_window
        from companion.ui.screens.play.screen import PlayScreen
        from companion.ui.theme.style import style

        self.window = open_window(size)
        style.use_size(*size)
        style.motion = False
        style.use_theme("night")
        style.use_language(lang)
        winner = f"p{players - 1}"
        record = "count" if kingdom == "" else "ledger"
        options = {"record": record, "kingdom": kingdom or "first-game", "last_winners": winner}
        match = Match("dominion", players, options)
        for move in moves:
            match.push(move)
        self.table = FakeTable(match)
        self.screen: Any = PlayScreen(self.table.post, size_hint=(None, None), size=size)
        self.window.add_widget(self.screen)
        self.table.subscribe(self._show)
        self.show()

    def _show(self, view: TableView) -> None:
        self.screen.show(view, self.table.score_lines, self.table.score_history)

    def show(self, state: TableState = TableState.SETTLED, **changes: Any) -> None:
        names = NAMES[: self.table.match.players]
        self.table.send(view_of(self.table.match, state, **{"names": names, **changes}))
        tick(4)

    def touch(self, kind: str) -> None:
        """Touch a pile, or the trash."""
        grid = self.screen.desk.grid
        number = [tile.kind for tile in grid.tiles].index(kind)
        x, y, width, height = grid.cell(number)
        tap(x + width / 2, y + height / 2)
        tick(2)

    def press(self, text: str) -> None:
        """Touch the key with these words."""
        tap_on(key(self.screen, text))
        tick(2)

    def pick(self, seat: int) -> None:
        """Touch a player's card."""
        from companion.ui.screens.play.ledger_desk import PointsCard

        cards = [widget for widget in walk(self.screen) if isinstance(widget, PointsCard)]
        tap_on(sorted(cards, key=lambda card: card.x)[seat])
        tick(2)

    @property
    def entered(self) -> list[str]:
        """The moves that were asked for."""
        return [ask.move.text for ask in self.table.intents if isinstance(ask, TapMove)]

    def close(self) -> None:
        self.screen.leave()
        self.window.remove_widget(self.screen)


@pytest.fixture
def desk() -> Iterator[Callable[..., Desk]]:
    """Open a desk; everything is closed afterwards."""
    need_screen()
    opened: list[Desk] = []

    def start(
        *moves: str,
        players: int = 2,
        kingdom: str = "first-game",
        size: tuple[int, int] = (800, 480),
        lang: str = "en",
    ) -> Desk:
        opened.append(Desk(size, lang, players, kingdom, *moves))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def test_a_turn_takes_two_touches_a_pile_and_the_end(desk: Callable[..., Desk]) -> None:
    shown = desk()
    shown.touch("silver")
    shown.press("End turn")
    assert shown.entered == ["p0 gain silver", "p0 done"]
    assert shown.screen.desk.pen.mover == 1


def test_trashing_and_another_player_take_one_touch_more_and_count_once(
    desk: Callable[..., Desk],
) -> None:
    shown = desk()
    shown.press("− Trashed")
    shown.touch("estate")
    shown.touch("silver")
    shown.pick(1)
    shown.touch("curse")
    shown.touch("gold")
    assert shown.entered == [
        "p0 trash estate", "p0 gain silver", "p0 gain p1 curse", "p0 gain gold",
    ]  # fmt: skip


def test_what_is_likely_has_a_key_and_what_a_thief_trashed_is_taken_from_the_trash(
    desk: Callable[..., Desk],
) -> None:
    witch = desk("p0 gain witch", kingdom="size-distortion")
    witch.press("Ben + Curse")
    assert witch.entered == ["p0 gain p1 curse"]
    thief = desk("p0 gain thief", kingdom="interaction")
    thief.pick(1)
    thief.touch("copper")
    thief.touch(TRASH_PILE)
    assert thief.entered == ["p0 trash p1 copper", "p0 take copper"]


def test_several_cards_in_the_trash_are_asked_about(desk: Callable[..., Desk]) -> None:
    moves = ("p0 gain p1 silver", "p0 trash p1 silver", "p0 trash p1 copper")
    shown = desk("p0 gain thief", *moves, kingdom="interaction")
    shown.touch(TRASH_PILE)
    assert shown.entered == []
    shown.press("+ Silver")
    assert shown.entered == ["p0 take silver"]


def test_a_final_count_is_a_touch_for_every_card_that_scores(desk: Callable[..., Desk]) -> None:
    shown = desk(kingdom="")
    for kind in ("province", "province", "curse"):
        shown.touch(kind)
    shown.press("− One fewer")
    shown.touch("province")
    shown.touch("duchy")
    assert shown.table.match.scores == (8, 0)
    shown.press("That’s all")
    assert shown.screen.desk.pen.mover == 1


def test_an_empty_pile_and_a_card_nobody_owns_cannot_be_touched(
    desk: Callable[..., Desk],
) -> None:
    shown = desk(*["p0 gain province"] * 8)
    shown.touch("province")
    shown.press("− Trashed")
    shown.touch("gold")
    assert shown.entered == []


def test_undo_takes_the_last_entry_back(desk: Callable[..., Desk]) -> None:
    shown = desk("p0 gain silver")
    shown.press("Undo")
    assert isinstance(shown.table.intents[-1], Undo)
    assert shown.table.match.ply == 0


def test_the_end_that_is_near_and_a_refusal_are_told_at_the_top(
    desk: Callable[..., Desk],
) -> None:
    shown = desk(*["p0 gain province"] * 6)
    assert "Provinces left: 2 · 0 of 3 piles empty" in texts(shown.screen)
    objections = shown.table.match.why_not("p1 gain silver")
    shown.show(TableState.ILLEGAL, objections=tuple(objections))
    assert shown.screen.desk is not None and "⚠" in texts(shown.screen)
    assert "Ben" in texts(shown.screen.desk.children[0].children[-1])


def test_the_result_shows_the_points_and_the_piles_as_they_were_left(
    desk: Callable[..., Desk],
) -> None:
    shown = desk(*["p0 gain province"] * 8, "p0 done")
    assert shown.screen.desk is None
    assert "The last Province has been taken." in texts(shown.screen)
    tap_on(key(shown.screen, "Undo"))
    tick(4)
    assert shown.screen.desk is not None


def test_ten_kingdom_cards_are_chosen_by_touching_them(desk: Callable[..., Desk]) -> None:
    from companion.ui.widgets.pile_grid import PileGrid

    shown = desk(kingdom="choose")
    (grid,) = (widget for widget in walk(shown.screen) if isinstance(widget, PileGrid))
    number = [tile.kind for tile in grid.tiles].index("witch")
    x, y, width, height = grid.cell(number)
    tap(x + width / 2, y + height / 2)
    assert shown.entered == ["p0 kingdom witch"]


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS))
def test_everything_can_be_read_and_touched_with_four_players(
    desk: Callable[..., Desk], size: tuple[int, int], lang: str
) -> None:
    moves = ("p0 gain witch", "p0 gain p1 curse", "p0 done", "p1 gain chapel")
    shown = desk(*moves, players=4, kingdom="size-distortion", size=size, lang=lang)
    assert badly_set(shown.screen) == []
    assert too_small(shown.screen) == []
