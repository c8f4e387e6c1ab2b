"""Pictures of a game's screens for its author: ``heelstone screens GAME``.

The shelf, the set-up, what must lie where, every question in the game's texts (and what appears
when a place is touched), moves that are not allowed, and the result; for a wide and for a tall
panel. Equal games give equal pictures.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from companion.app.application import Application
from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.hands import hand_of
from companion.match.table import Table
from companion.match.view import PlayMove, TableState, TableView
from companion.settings.manners import Manners
from companion.settings.settings import Settings
from companion.ui.offscreen import open_still_window, tick
from companion.ui.shell import ShelfWays, Ways
from rules.box import load_box
from rules.core import DICE, Game, Move, ScoreLine
from rules.games import find_game
from rules.match import Match
from rules.reading.reading import Status, read
from rules.telling import load_text
from rules.testing.pictures import draw
from rules.testing.playout import ladder, pick

SIZES = {"": (800, 480), "-portrait": (720, 1280)}
"""Screens: ends of the files' names, and sizes, px."""
STARTED_S = 1_700_000_000.0
NOW_S = STARTED_S + 12 * 60
_ASKED, _REFUSED = "play-", "not-allowed-"
"""Beginnings of the files' names."""
MOST_MOVES = 4_000
MOST_SETTINGS = 24
"""Settings in which the questions are sought that the wanted one does not ask, twice over."""
MOST_IN_VAIN = 16
"""Settings, one after the other, that ask nothing new, after which no more are tried."""
MOST_REFUSED = 3
"""Settings in which refusals are sought: each position is asked for many moves."""
MOST_EARLIER = 8
"""Moves of earlier positions, one of each verb and number of places by turns, that are tried."""


@dataclass(frozen=True, slots=True)
class _Shot:
    """A play screen to be drawn."""

    name: str
    view: TableView
    match: Match
    lines: tuple[ScoreLine, ...] = ()
    history: tuple[tuple[int, ...], ...] = ()
    touched: bool = False
    """True after the first place that glows was touched."""


class _Shelf(Application):
    """A Heelstone in which one game stands in front."""

    shown = ""

    def games(self) -> Sequence[str]:
        return [self.shown, *(game for game in super().games() if game != self.shown)]


def write_screens(
    game: str,
    folder: Path,
    lang: str,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    missing: set[str] | None = None,
) -> Iterator[Path]:
    """Write all pictures of a game into ``folder``; yields the path of each once it is there.
    ``missing`` takes the names of those for which no match had an occasion.

    Raises GameError, NoScreenError, OSError.
    """
    rules = find_game(game)
    with tempfile.TemporaryDirectory() as scratch, Journal(":memory:") as journal:
        shots = list(_shots(journal, rules, players, options or {}))
        if missing is not None:
            missing |= _wanted(rules) - {shot.name for shot in shots}
        house = _Shelf(Settings(), Path(scratch), lang)
        house.shown = game
        try:
            for ending, size in SIZES.items():
                for name, widget in _screens(house, shots, lang, size):
                    # Only now: the window must be set up before anything else of Kivy is imported.
                    from companion.ui.picture import snapshot

                    yield snapshot(widget, folder / f"{name}{ending}.png")
        finally:
            house.close()


# -- moments of a match -------------------------------------------------------------------


def _wanted(rules: Game[Any]) -> set[str]:
    """Names of the pictures of every question and every refusal."""
    told = load_text(rules.id.partition("@")[0], "en", rules.package).get("prompts", {})
    asked = {*told, *({"throw"} if DICE.keys() & rules.options.keys() else ())}
    return {_ASKED + code for code in asked} | {_REFUSED + code for code in rules.codes}


def _shots(
    journal: Journal, rules: Game[Any], players: int | None, options: Mapping[str, str]
) -> Iterator[_Shot]:
    """Each question when it is asked first, each refusal when it is possible first, the end.

    What the wanted match does not ask or refuse is sought in matches of the game's other settings.
    """
    left = _wanted(rules)
    in_vain = 0
    for number, setting in enumerate(_settings(rules, players, options), 1):
        before = len(left)
        yield from _moments(_table(journal, rules, setting, number), number, left)
        in_vain = in_vain + 1 if len(left) == before else 0
        asked = any(name.startswith(_ASKED) for name in left)
        if in_vain == MOST_IN_VAIN or not (asked or (left and number < MOST_REFUSED)):
            break


@dataclass(frozen=True, slots=True)
class _Setting:
    players: int
    options: dict[str, str]
    physical: bool


def _settings(
    rules: Game[Any], players: int | None, options: Mapping[str, str]
) -> Iterator[_Setting]:
    """The wanted setting, then others that differ in what was not wanted."""
    seats = rules.players[0] if players is None else players
    yield _Setting(seats, rules.complete_options(seats, options), physical=False)
    for physical in (True, False):
        for number, values in ladder(rules, MOST_SETTINGS):
            if players in (None, number) and values.items() >= options.items():
                yield _Setting(number, values, physical)


def _moments(table: Table, number: int, left: set[str]) -> Iterator[_Shot]:
    """The questions and refusals of one match that are among those ``left``, and are taken from
    there; of the first match the result too."""
    match, chance = table.match, random.Random(number)
    first, played = number == 1, -1
    earlier: dict[tuple[str, int, int], Move] = {}
    while (prompt := match.prompt) is not None and (left or first):
        if match.ply in (played, MOST_MOVES):
            break
        played = match.ply
        # What goes without saying is asked at no screen.
        if _ASKED + prompt.code in left and match.by_itself(ends_turns=True) is None:
            left.remove(_ASKED + prompt.code)
            yield _Shot(_ASKED + prompt.code, _quiet(table), match.clone())
            yield _Shot(f"play-{prompt.code}-touched", _quiet(table), match.clone(), touched=True)
        if number <= MOST_REFUSED:
            yield from _refusals(table, left, earlier)
        table.handle(PlayMove(pick(match.state, match.legal_moves(), chance)), 0.0)
        match = table.match
    if number <= MOST_REFUSED:
        yield from _refusals(table, left, earlier)
    if first and match.outcome is not None:
        lines, history = table.score_lines, table.score_history
        yield _Shot("result", _quiet(table), match.clone(), lines, history)


def _refusals(
    table: Table, left: set[str], earlier: dict[tuple[str, int, int], Move]
) -> Iterator[_Shot]:
    """The screen at moves that are not allowed, once for each objection: made by hands, or touched
    if nothing of the move lies on the table. Hands try ``earlier`` moves again, too, in which the
    moves of this position are kept."""
    if not any(name.startswith(_REFUSED) for name in left):
        return
    match, box = table.match, load_box(table.match.game.box)
    possible = list(match.state.pseudo_moves())
    for move in (*possible, *earlier.values()):
        objections = tuple(match.why_not(move))
        if not objections or _REFUSED + objections[0].code not in left:
            continue
        view = replace(_quiet(table), state=TableState.ILLEGAL, refused=move, objections=objections)
        if move in possible:
            after = match.state.clone()
            after.apply(move)
            reading = read(match, draw(box, after.layout()))
            if reading.status is Status.ILLEGAL and reading.objections[:1] == objections[:1]:
                view = replace(view, refused=reading.refused, fixes=reading.fixes)
        left.remove(_REFUSED + objections[0].code)
        yield _Shot(_REFUSED + objections[0].code, view, match.clone())
    for move in possible:
        earlier[move.verb, len(move.args), (match.ply + len(earlier)) % MOST_EARLIER] = move


def _table(journal: Journal, rules: Game[Any], setting: _Setting, number: int) -> Table:
    header = Header(
        id=str(number), game=rules.id, players=setting.players, options=setting.options,
        physical=setting.physical, seed=str(number), names=("",) * setting.players,
        enforcement="enforce", created_s=STARTED_S,
    )  # fmt: skip
    journal.create(header)
    return Table(journal, header, Manners())


def _quiet(table: Table) -> TableView:
    """A table that is well, without a camera."""
    return replace(table.view(), state=TableState.SETTLED, blind_reason="")


# -- screens ------------------------------------------------------------------------------


def _screens(
    house: _Shelf, shots: list[_Shot], lang: str, size: tuple[int, int]
) -> Iterator[tuple[str, Any]]:
    """Name and widget of every screen, one after the other in the off-screen window."""
    window = open_still_window(size, lang)

    for name, make in _before_play(house, shots, size):
        screen = make()
        window.add_widget(screen)
        tick()
        try:
            yield name, screen
        finally:
            screen.leave()
            window.remove_widget(screen)
    for shot in shots:
        screen = _play_screen(shot, size)
        window.add_widget(screen)
        screen.show(shot.view, shot.lines, shot.history)
        tick()
        if screen.covered:
            screen.uncover()
            tick()
        before = screen.board.scene
        if glowing := sorted(before.targets) if shot.touched else []:
            screen.fingers.touch_site(glowing[len(glowing) // 2])
            tick()
        try:
            # Where a touch is a whole move it shows nothing more.
            if not shot.touched or screen.board.scene != before:
                yield shot.name, screen.room or screen
        finally:
            screen.leave()
            window.remove_widget(screen)


def _before_play(
    house: _Shelf, shots: list[_Shot], size: tuple[int, int]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    from companion.ui.drawing.pictures import CoverPictures
    from companion.ui.screens.seats.screen import SeatsScreen
    from companion.ui.screens.setup_check import SetupCheckScreen
    from companion.ui.screens.start import StartScreen

    ways = ShelfWays(*(_nothing for _way in fields(ShelfWays)))
    fixed: dict[str, Any] = {"size_hint": (None, None), "size": size}
    covers = CoverPictures(house.fronts)
    yield "shelf", lambda: StartScreen(house, ways, covers, now_s=lambda: NOW_S, **fixed)
    yield "set-up", lambda: SeatsScreen(house, house.shown, _nothing, _nothing, **fixed)
    if shots and shots[0].view.items:
        first = shots[0].view
        yield "set-out", lambda: SetupCheckScreen(house, first, _nothing, _nothing, **fixed)


def _play_screen(shot: _Shot, size: tuple[int, int]) -> Any:
    from companion.ui.screens.play.screen import PlayScreen

    ways = Ways(leave=_nothing, again=_nothing, hand=lambda seat: hand_of(shot.match, seat))
    return PlayScreen(_nothing, ways, now_s=lambda: NOW_S, size_hint=(None, None), size=size)


def _nothing(*_: Any) -> None:
    pass
