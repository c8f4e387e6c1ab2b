"""The desk of a ledger: what its touches enter, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from typing import Any

import numpy as np
import pytest

from companion.camera.fanned import Fanned, FannedCard, Phase
from companion.match.view import PlayMove, TableState, TableView, Undo
from companion.presentation.market import TRASH_PILE
from companion.ui.shell import Ways
from rules.core import Move
from rules.games.dominion.components import KINGDOMS
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.sweep import widely
from tests.support.ui_harness import (
    LANGS,
    SIZES,
    FakeTable,
    OnScreen,
    badly_set,
    key,
    tap,
    tap_on,
    texts,
    tick,
    too_small,
    view_of,
    walk,
)

NAMES = ("Anna", "Ben", "Christina-Mari", "Dora")


class Desk(OnScreen):
    """A play screen on which a ledger is kept, in the window, at a fake table."""

    def __init__(
        self, size: tuple[int, int], lang: str, players: int, kingdom: str, *moves: str
    ) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.play.screen import PlayScreen

        winner = f"p{players - 1}"
        record = "count" if kingdom == "" else "ledger"
        options = {"record": record, "kingdom": kingdom or "first-game", "last_winners": winner}
        match = Match("dominion", players, options)
        for move in moves:
            match.push(move)
        self.table = FakeTable(match)
        self.put(PlayScreen(self.table.post, **self.room), 0)
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

    def pick(self, seat: int) -> None:
        """Touch a player's card."""
        from companion.ui.widgets.player_card import PointsCard

        cards = [widget for widget in walk(self.screen) if isinstance(widget, PointsCard)]
        tap_on(sorted(cards, key=lambda card: card.x)[seat])
        tick(2)

    def let_count(self, watch: Any) -> None:
        """There is a camera, and this is what it sees of fanned cards."""
        self.screen.ways = Ways(cards=lambda _box: watch)
        self.screen.remove_widget(self.screen.desk)
        self.screen.desk = None
        self.show()

    def glance(self) -> None:
        """The screen shows what the camera sees now."""
        self.screen.desk.fan.look()
        tick(2)

    @property
    def entered(self) -> list[str]:
        """The moves that were asked for."""
        return [ask.move.text for ask in self.table.intents if isinstance(ask, PlayMove)]


@pytest.fixture
def desk(opened: Opened[Desk]) -> Callable[..., Desk]:
    """Opens a desk."""

    def start(
        *moves: str,
        players: int = 2,
        kingdom: str = "first-game",
        size: tuple[int, int] = (800, 480),
        lang: str = "en",
    ) -> Desk:
        return opened(Desk(size, lang, players, kingdom, *moves))

    return start


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


def test_an_entered_card_flies_to_its_player_and_a_trashed_one_to_the_trash(
    desk: Callable[..., Desk],
) -> None:
    from companion.ui.theme.style import style

    shown = desk()
    style.change(animations=True)
    tick(2)
    flights, cells = shown.screen.desk._flights, dict(shown.screen.desk.grid.cells)

    def flown(move: str) -> tuple[Any, Any]:
        """Both ends of the way of the card that a move enters."""
        seats = [card.center for card in shown.screen.desk._seats.values()]
        shown.table.post(PlayMove(Move.parse(move)))
        (flight,) = flights.ways
        ends = []
        for part in (0.0, 1.0):
            flight.go(part)
            near = {name: (x + w / 2, y + h / 2) for name, (x, y, w, h) in cells.items()}
            near |= {f"p{seat}": at for seat, at in enumerate(seats)}
            ends.append(min(near, key=lambda name: dist(near[name], flight.at)))
        tick(2)
        return ends[0], ends[1]

    assert flown("p0 gain silver") == ("silver", "p0")
    assert flown("p0 gain p1 curse") == ("curse", "p1")
    assert flown("p0 trash estate") == ("p0", TRASH_PILE)
    shown.table.post(Undo())
    (flight,) = flights.ways
    flight.go(1.0)
    assert flight.at == pytest.approx(tuple(shown.screen.desk._seats[0].center), abs=60)
    while flights.moving:
        tick(1)
    assert flights._clock.is_triggered == 0, "no clock runs while nothing moves"


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


class Watch:
    """A camera above fanned cards that sees what a test says."""

    def __init__(self) -> None:
        self.phase, self.cards, self.hidden = Phase.READY, tuple[FannedCard, ...](), 0
        self.told: list[str] = []

    def fan(self, *kinds: str) -> None:
        self.phase, square = Phase.READY, np.zeros((4, 2))
        self.cards = tuple(FannedCard(kind, square) for kind in kinds)

    def look(self) -> Fanned:
        return Fanned(self.phase, self.cards, (np.zeros((4, 2)),) * self.hidden)

    def take(self) -> None:
        self.phase, self.cards = Phase.CLEARING, ()

    def touch(self, x: float, y: float) -> None:
        self.told.append(f"{x:.0f} {y:.0f}")

    def begin(self) -> None:
        self.told.append("begin")

    def close(self) -> None:
        self.told.append("close")


FAN = "Fan them below the camera"


def test_cards_below_the_camera_are_accepted_and_taken_back_as_one_helping(
    desk: Callable[..., Desk],
) -> None:
    shown, watch = desk(kingdom=""), Watch()
    assert FAN not in texts(shown.screen)
    shown.let_count(watch)
    shown.press(FAN)
    watch.fan("province", "gardens", *["copper"] * 9, "card back")
    watch.hidden = 2
    shown.glance()
    told = texts(shown.screen)
    assert "1 × Province" in told and "Points: +7" in told
    assert "Cards that cannot be read: 2." in told
    watch.hidden = 0
    shown.glance()
    assert "Face down: 1." in texts(shown.screen)
    shown.press("Add these: 11")
    assert shown.table.match.scores == (7, 0) and watch.phase is Phase.CLEARING
    shown.glance()
    assert "First take all these cards away" in texts(shown.screen)
    shown.press("Undo")
    assert shown.table.match.ply == 0 and watch.told == ["begin"]


def test_what_lies_there_when_the_next_player_counts_must_go_away_first(
    desk: Callable[..., Desk],
) -> None:
    shown, watch = desk(kingdom=""), Watch()
    shown.let_count(watch)
    shown.press(FAN)
    watch.fan("estate")
    shown.glance()
    shown.press("That’s all")
    assert watch.phase is Phase.CLEARING
    shown.glance()
    shown.press("Back to touching")
    assert watch.told == ["close"] and FAN in texts(shown.screen)


@pytest.mark.parametrize(("size", "lang"), widely(SIZES, LANGS))
def test_many_kinds_below_the_camera_can_be_read(
    desk: Callable[..., Desk], size: tuple[int, int], lang: str
) -> None:
    shown, watch = desk(kingdom="", players=4, size=size, lang=lang), Watch()
    shown.let_count(watch)
    shown.screen.desk.open_fan()
    watch.fan("province", "duchy", "curse", *KINGDOMS["interaction"], "gold", "card back")
    watch.hidden = 3
    shown.glance()
    assert badly_set(shown.screen) == []
    assert too_small(shown.screen) == []


def test_an_empty_pile_and_a_card_nobody_owns_say_why_and_enter_nothing(
    desk: Callable[..., Desk],
) -> None:
    shown = desk(*["p0 gain province"] * 8)
    ply = shown.table.match.ply
    shown.touch("province")
    assert "The pile is empty: Province" in texts(shown.screen)
    shown.press("− Trashed")
    shown.touch("gold")
    assert "no such card: Gold" in texts(shown.screen)
    assert shown.table.match.ply == ply
    shown.touch("")
    assert "The trash is empty." in texts(shown.screen)


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
    tap_on(key(shown.screen, "Table"))
    tick(4)
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
