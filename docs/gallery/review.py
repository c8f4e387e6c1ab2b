"""Pictures of looking back for the documentation: result, review, corrections, records, hands."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.export.sticks import StickDesk
from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.looking_back.library import Library, correction
from companion.match.table import Table
from companion.match.view import PlayMove
from companion.settings.manners import Manners
from companion.ui.offscreen import open_still_window, tick
from companion.ui.shell import Ways
from docs.gallery.contact_sheet import Picture, photographed
from docs.gallery.gallery_shelf import STARTED_S, match_clock
from rules.core import Actor
from rules.games import find_game

GAME = "knizia_stonehenge"


@dataclass(frozen=True, slots=True)
class _House:
    """Program of the screens that look back."""

    library: Library


def review_pictures(size: tuple[int, int], lang: str) -> list[Picture]:
    """Result, score, review, what if, correction, taking along, matches, people and a hand."""
    return [photographed(screen) for _name, screen in review_screens(size, lang)]


def review_screens(
    size: tuple[int, int], lang: str, names: tuple[str, ...] = ("Anna", "Bo", "Mia")
) -> Iterator[tuple[str, Any]]:
    """Name and widget of every screen of looking back, one after the other in the window."""
    window = open_still_window(size, lang)

    with Journal(":memory:", clock=match_clock()) as journal:
        for number, (screen, ready) in enumerate(_screens(journal, size, names)):
            window.add_widget(screen)
            ready()
            tick()
            try:
                yield f"look-back-{number}", screen
            finally:
                screen.leave()
                window.remove_widget(screen)


Posed = tuple[Any, Callable[[], None]]
"""A screen, and what is done before its picture is taken."""


def _screens(journal: Journal, size: tuple[int, int], names: tuple[str, ...]) -> Iterator[Posed]:
    from companion.ui.screens.looking_back.records import RecordsScreen

    place: dict[str, Any] = {"size_hint": (None, None), "size": size}
    anna, bo, mia, *_more = names
    over = _played(journal, "1", GAME, (anna, bo))
    _played(journal, "2", "rollende_steine", (mia, anna))
    _played(journal, "3", GAME, (bo, anna))
    house: Any = _House(Library(journal, Path("exports")))
    yield _at_table(over, place), tick
    result = _at_table(over, place)
    yield result, _then(lambda: result.sheets.open_chart())
    yield from _reviews(house, place)
    yield _taken_along(house, place), tick
    code = _taken_along(house, place)
    yield code, code.show_code
    yield RecordsScreen(house, _nothing, on_review=_nothing, **place), tick
    people = RecordsScreen(house, _nothing, on_review=_nothing, **place)
    yield people, lambda: people.choose("people")
    secret = _played(journal, "4", "dominion", (anna, bo), most=24, physical=False)
    yield _at_table(secret, place, hand=lambda seat: secret.hands[seat]), tick
    held = _at_table(secret, place, hand=lambda seat: secret.hands[seat])
    yield held, _then(lambda: held.sheets.open_hands())


def _taken_along(house: Any, place: dict[str, Any]) -> Any:
    """The page of a match that is taken along; no stick is plugged in."""
    from companion.ui.screens.export_page import ExportScreen

    return ExportScreen(house.library, "1", _nothing, sticks=StickDesk(lambda: ""), **place)


def _reviews(house: Any, place: dict[str, Any]) -> Iterator[Posed]:
    """A match looked back at: a move, something else tried, and a move put right."""
    from companion.ui.screens.looking_back.review import ReviewScreen

    review, trying, wrong = (
        ReviewScreen(house, "1", _nothing, on_play=_nothing, on_export=_nothing, **place)
        for _screen in range(3)
    )

    def try_it() -> None:
        trying.go_to(12)
        trying.what_if()

    def put_right() -> None:
        recording = wrong.recording
        assert recording is not None
        ply = next(p.number for p in recording.plies[6:] if p.move.verb == "place")
        wrong.go_to(ply)
        wrong.correct()
        wrong._ask(correction(recording, ply, recording.choices(ply)[0]))

    yield review, lambda: review.go_to(23)
    yield trying, _then(try_it)
    yield wrong, _then(put_right)


def _at_table(match: Table, place: dict[str, Any], **more: Any) -> Any:
    """The play screen of a match."""
    from companion.ui.screens.play.screen import PlayScreen

    ways = Ways(leave=_nothing, review=_nothing, export=_nothing, **more)
    screen = PlayScreen(_nothing, ways, now_s=lambda: STARTED_S + 1500, **place)
    screen.show(match.view(), match.score_lines, match.score_history)
    return screen


def _then(do: Callable[[], None]) -> Callable[[], None]:
    """``do``, once the screen has its size."""

    def wait_and_do() -> None:
        tick()
        do()

    return wait_and_do


def _nothing(*_: Any) -> None:
    pass


def _played(
    journal: Journal,
    match_id: str,
    game: str,
    names: tuple[str, ...],
    *,
    most: int = 999,
    physical: bool = True,
) -> Table:
    """A match played at random, the same every time."""
    rules, chance = find_game(game), random.Random(int(match_id))
    seats = len(names)
    header = Header(
        id=match_id, game=game, players=seats, options=rules.complete_options(seats, {}),
        physical=physical, seed=match_id, names=names, enforcement="enforce",
        created_s=STARTED_S,
    )  # fmt: skip
    journal.create(header)
    table = Table(journal, header, Manners())
    # After every change the match is another object.
    while (match := table.match).outcome is None and match.ply < most:
        prompt, legal = match.prompt, match.legal_moves()
        assert prompt is not None
        claims = [move for move in legal if move.verb == "claim"]
        if claims:
            move = chance.choice(claims)
        elif prompt.actor is Actor.PLAYER:
            move = match.state.choose(legal, chance)
        else:
            move = chance.choices(legal, weights=match.state.weights(legal))[0]
        table.handle(PlayMove(move), 0.0)
    return table
