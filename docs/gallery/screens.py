"""Pictures of every screen for the documentation.

Some screens are written one by one, for a wide and for a tall panel; ``screens.jpg`` and
``screens-portrait.jpg`` show all of them in both languages. Equal programs give equal pictures.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.looking_back.library import Library
from companion.match.table import Table
from companion.match.table_view import previews_of
from companion.match.view import PlayMove, TableState, TableView
from companion.settings.manners import Manners
from companion.setup.shelf import Fronts
from companion.ui.offscreen import open_still_window, tick
from companion.ui.shell import OpenWays, ShelfWays, Ways
from docs.gallery.contact_sheet import Picture, contact_sheet, photographed
from docs.gallery.fanned_cards import fanned_cards
from docs.gallery.gallery_shelf import (
    GAME,
    NAMES,
    NOW_S,
    STARTED_S,
    GalleryPast,
    GalleryShelf,
    match_clock,
)  # fmt: skip
from docs.gallery.own_board import own_board_pictures
from docs.gallery.phones import phones_let_in, phones_screen
from docs.gallery.review import review_pictures
from docs.gallery.still_screen import still_screen
from docs.gallery.workshop import workshop_pictures
from rules.core import Move, ScoreLine
from rules.games import find_game, game_ids
from rules.reading.reading import Candidate, Fix
from rules.reading.sighting import Glimpse

LANDSCAPE, PORTRAIT = (800, 480), (720, 1280)
OPENING = (
    "p0 place 2 C", "p0 done", "p1 place 5 A", "p1 done", "p0 place 4 E", "p0 done",
    "p1 place 2 J", "p1 done", "p0 place 1 G", "p0 done", "p1 place 1 O", "p1 claim R5",
    "p1 done", "p0 place 3 Q", "p0 done", "p1 place 2 R", "p1 done",
)  # fmt: skip
BREACH = Move.parse("p0 claim H1")

IN_DOCS = (
    "play", "not-allowed", "take-back", "result", "shelf", "set-up", "set-out", "check", "ledger",
    "any-game",
    "final-count", "count-by-camera",
)  # fmt: skip
"""The screens that are written one by one."""


@dataclass(frozen=True, slots=True)
class _Shot:
    """A screen to be drawn: of a table, or the start screen."""

    name: str
    view: TableView | None = None
    score_lines: tuple[ScoreLine, ...] = ()
    history: tuple[tuple[int, ...], ...] = ()
    touch: Callable[[Any], None] = lambda screen: None
    """What is touched before the picture is taken."""


_SINGLE = {
    ending: {f"{name}{ending}.png": name for name in IN_DOCS} for ending in ("", "-portrait")
}
_SHEETS: dict[str, tuple[Callable[[tuple[int, int], str], list[Picture]], int]] = {
    "workshop.jpg": (workshop_pictures, 3),
    "workshop-portrait.jpg": (workshop_pictures, 6),
    "own-board.jpg": (own_board_pictures, 2),
    "looking-back.jpg": (review_pictures, 3),
    "looking-back-portrait.jpg": (review_pictures, 5),
}
"""What they show, and how many are side by side."""
SCREEN_PICTURES = (
    *_SINGLE[""], *_SINGLE["-portrait"], "screens.jpg", "screens-portrait.jpg", *_SHEETS
)  # fmt: skip


def screen_pictures(wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    """Single screens in English, and contact sheets, all of them in both languages; skips where
    nothing can be drawn."""
    with still_screen():
        yield from _pictures(wanted)


def _pictures(wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    for size, ending in ((LANDSCAPE, ""), (PORTRAIT, "-portrait")):
        sheet = f"screens{ending}.jpg"
        single = {file: name for file, name in _SINGLE[ending].items() if file in wanted}
        if not single and sheet not in wanted:
            continue
        drawn = _draw("en", size, () if sheet in wanted else single.values())
        for file, name in single.items():
            yield file, drawn[name]
        if sheet in wanted:
            both = [list(shown.values()) for shown in (_draw("de", size), drawn)]
            yield sheet, contact_sheet(both, across=10 if ending else 6)
    for file, (pictures, across) in _SHEETS.items():
        if file in wanted:
            size = PORTRAIT if "-portrait" in file else LANDSCAPE
            yield file, contact_sheet([pictures(size, "en")], across=across)


def _shots(names: tuple[str, ...] = ()) -> Iterator[_Shot]:
    with Journal(":memory:") as journal:
        table = _table(journal, GAME, 2, names=names[:2])
        for move in OPENING:
            table.match.push(move)
        yield from _one_table(table)
        hidden = _table(journal, GAME, 2, "hidden", {"hidden": "on"}, names[:2])
        hidden.match.deal()
        yield _Shot("hand-over", _view_of(hidden))
        yield _Shot("result", *_finished(_table(journal, GAME, 2, "2", names=names[:2])))
        for number, game in enumerate(game_ids()):
            if game != GAME:
                rules = find_game(game)
                seats = rules.players[-1] if names else None
                known = names[:seats] if names else ()
                played = _table(journal, game, seats, str(number + 3), names=known)
                yield _Shot(game, _under_way(played))
        yield from _entered(journal, names)
    yield _Shot("welcome")
    yield _Shot("shelf")
    yield _Shot("shelf-more", touch=lambda screen: screen.more())
    yield _Shot("resume")
    yield _Shot("give-up", touch=lambda screen: screen.ask(screen.unfinished[0]))
    yield _Shot("set-up")
    yield _Shot("name", touch=lambda screen: screen.touch_seat(1))
    yield _Shot("house-rules", touch=lambda screen: screen.show_page("rules"))
    yield _Shot("set-out")
    yield _Shot("check")
    for state in ("off", "watch", "seat", "ask", "here"):
        yield _Shot(f"phones-{state}")
    yield _Shot("records")
    yield _Shot("look-back", touch=lambda screen: screen.go_to(9))


def _entered(journal: Journal, names: tuple[str, ...]) -> Iterator[_Shot]:
    """A match of which only a ledger is kept, near its end; and one that is only counted."""
    seats, known = (4, names[:4]) if names else (2, ("Anna", "Ben"))
    begins = {"last_winners": f"p{seats - 1}", "kingdom": "size-distortion"}
    ledger = _table(journal, "dominion", seats, "ledger", {"record": "ledger", **begins}, known)
    count = _table(journal, "dominion", seats, "count", {"record": "count"}, known)
    left = ledger.match.state.piles["province"] - 2
    for move in (
        "p0 gain witch", "p0 gain feast", *["p0 gain province"] * (left // 2),
        *["p0 gain p1 province"] * (left - left // 2), *["p0 gain village"] * 10,
        "p0 trash estate", "p0 gain p1 duchy", *[f"p{seat} done" for seat in range(seats)],
        "p0 gain p1 curse", "p0 trash feast", "p0 gain laboratory",
    ):  # fmt: skip
        ledger.match.push(move)
    for move in (*["p0 count province"] * 4, *["p0 count estate"] * 3, "p0 count curse"):
        count.match.push(move)
    points = _table(journal, "any_game", seats, "any", {"rounds": "10"}, known)
    entered = (15, 19, 13, 12, 12, 20, 18, 9, 24, 31, 14, 6, 17, 22, 27, 21, 20, 11, 25, 13)
    for number, entry in enumerate(entered[: 5 * seats]):
        points.match.push(f"p{number % seats} score points {entry}")
    yield _Shot("any-game", _view_of(points), touch=_type_a_number)
    yield _Shot("ledger", replace(_view_of(ledger), turn=27))
    yield _Shot("final-count", _view_of(count))
    yield _Shot("count-by-camera", _view_of(count), touch=_count_by_camera)


def _type_a_number(screen: Any) -> None:
    for figure in "24":
        screen.desk.press(figure)


def _count_by_camera(screen: Any) -> None:
    screen.desk.open_fan()
    screen.desk.fan.look()


def _one_table(table: Table) -> Iterator[_Shot]:
    """The same table in all the states it can be in."""
    view = _view_of(table)
    yield _Shot("play", view)
    not_allowed = replace(
        view, state=TableState.ILLEGAL, refused=BREACH,
        objections=tuple(table.match.why_not(BREACH)),
        fixes=(Fix("H1", (Glimpse("megalith black"),), ()),),
    )  # fmt: skip
    yield _Shot("not-allowed", not_allowed)
    rule = not_allowed.objections[0].rule
    yield _Shot("rule", not_allowed, touch=lambda screen: screen.sheets.open_rule(rule))
    back = (Candidate((), 1),)
    yield _Shot("take-back", _asking(table, view, back))
    ways = tuple(Candidate((Move.parse(f"p0 place 3 {site}"),)) for site in "DH")
    yield _Shot("which-one", _asking(table, view, ways))
    stones = tuple(Candidate((Move.parse(f"p0 place {stone} D"),)) for stone in (3, 4, 5))
    yield _Shot("which-stone", _asking(table, view, stones))
    seen = replace(
        _asking(table, view, ways[:1]), state=TableState.PROPOSED, hold_s=0.8
    )  # fmt: skip
    yield _Shot("recognised", seen)
    wanted = (Fix("H3", (), (Glimpse("megalith black"),)),)
    yield _Shot("put-down", replace(view, state=TableState.PENDING, fixes=wanted))
    shifted = (
        Fix("C", (), (Glimpse("stone black 2"),)),
        Fix("D", (Glimpse("stone black 2"),), ()),
    )
    yield _Shot("differs", replace(view, state=TableState.DESYNC, fixes=shifted))
    missing = replace(view, state=TableState.BLIND, blind_reason="board_lost")
    yield _Shot("missing", missing, touch=lambda screen: screen.sheets.open_troubles())
    yield _Shot("menu", view, touch=lambda screen: screen.sheets.open_menu())


def _asking(table: Table, view: TableView, ways: tuple[Candidate, ...]) -> TableView:
    previews = previews_of(table.match, ways)
    return replace(view, state=TableState.AMBIGUOUS, candidates=ways, previews=previews)


def _table(
    journal: Journal, game: str, players: int | None, name: str = "1",
    options: Mapping[str, str] | None = None, names: tuple[str, ...] = (),
) -> Table:  # fmt: skip
    rules = find_game(game)
    seats = players or rules.players[min(1, len(rules.players) - 1)]
    header = Header(
        id=name, game=game, players=seats, options=rules.complete_options(seats, options or {}),
        physical=options is None, seed=name, names=names or ("",) * seats, enforcement="enforce",
        created_s=STARTED_S,
    )  # fmt: skip
    journal.create(header)
    return Table(journal, header, Manners())


def _view_of(table: Table) -> TableView:
    """A quiet table; the journal knows nothing of moves that were only pushed."""
    match, box = table.match, table.view()
    last = next((e.move for e in reversed(match.log)), None)
    return replace(
        box, state=TableState.SETTLED, blind_reason="", last=last,
        last_sites=tuple(a for a in last.args if a in _sites(box)) if last else (),
        turn=sum(e.move.verb == "done" for e in match.log) + 1,
    )  # fmt: skip


def _sites(view: TableView) -> set[str]:
    return {item.site for item in view.items}


def _under_way(table: Table) -> TableView:
    match, chance = table.match, random.Random(5)
    for _ in range(26):
        match.deal()
        if match.outcome is not None:
            break
        match.push(match.state.choose(match.legal_moves(), chance))
    match.deal()
    return _view_of(table)


def _finished(
    table: Table,
) -> tuple[TableView, tuple[ScoreLine, ...], tuple[tuple[int, ...], ...]]:
    match, chance = table.match, random.Random(4)
    while match.outcome is None:
        claims = [move for move in match.legal_moves() if move.verb == "claim"]
        match.push(chance.choice(claims or match.legal_moves()))
    return _view_of(table), table.score_lines, table.score_history


# -- drawing ------------------------------------------------------------------------------


def gallery_screens(
    lang: str, size: tuple[int, int], names: tuple[str, ...] = (), only: Collection[str] = ()
) -> Iterator[tuple[str, Any]]:
    """Name and widget of every screen, one after the other in the off-screen window.

    ``names``: of at least five players; then tables are full and points have three digits.
    ``only``: the screens of these names; empty: all.
    """
    window = open_still_window(size, lang)

    for shot in _shots(names):
        if only and shot.name not in only:
            continue
        screen = _screen(shot, size, names)
        window.add_widget(screen)
        if shot.view is not None:
            screen.show(_grown(shot.view) if names else shot.view, shot.score_lines, shot.history)
        tick()
        shot.touch(screen)
        tick()
        try:
            yield shot.name, screen
        finally:
            screen.leave()
            window.remove_widget(screen)


def _grown(view: TableView) -> TableView:
    """The same table late in the evening."""
    scores = tuple(100 + 7 * points for points in view.scores)
    return replace(view, scores=scores, turn=148, started_s=NOW_S - 3 * 3600)


def _draw(lang: str, size: tuple[int, int], only: Collection[str] = ()) -> dict[str, Picture]:
    screens = gallery_screens(lang, size, only=only)
    return {name: photographed(screen) for name, screen in screens}


def _screen(shot: _Shot, size: tuple[int, int], names: tuple[str, ...] = ()) -> Any:
    def nothing(*_: Any) -> None:
        pass

    if shot.view is not None:
        from companion.ui.screens.play.screen import PlayScreen

        ways = Ways(
            leave=nothing, again=nothing, language=nothing, theme=nothing, table_setup=nothing,
            workshop=nothing, page=nothing, review=nothing, export=nothing, moment=str,
            cards=fanned_cards, open_phones=nothing, phones=phones_let_in(),
            keep=lambda *_: Path(),
        )  # fmt: skip
        return PlayScreen(nothing, ways, now_s=lambda: NOW_S, size_hint=(None, None), size=size)
    from companion.ui.drawing.pictures import CoverPictures
    from companion.ui.screens.seats.screen import SeatsScreen
    from companion.ui.screens.setup_check import SetupCheckScreen
    from companion.ui.screens.start import StartScreen

    shell: Any = GalleryShelf(with_match=shot.name in ("resume", "give-up"), names=names or NAMES)
    if shot.name == "set-up":
        return SeatsScreen(
            shell, "opferroulette", nothing, nothing, size_hint=(None, None), size=size
        )
    if shot.name in ("name", "house-rules"):
        return SeatsScreen(
            shell, "dolmengoetter", nothing, nothing, size_hint=(None, None), size=size
        )
    if shot.name == "welcome":
        from companion.ui.screens.first_run import FirstRunScreen

        return FirstRunScreen(GAME, *[nothing] * 5, size_hint=(None, None), size=size)
    if shot.name in ("records", "look-back"):
        return _past_screen(shot.name, size, names or NAMES)
    if shot.name.startswith("phones-"):
        with Journal(":memory:") as journal:
            view = _table(journal, "dolmengoetter", 5, names=(names or NAMES)[:5]).view()
        return phones_screen(shot.name, view, size)
    if shot.name == "check":
        from companion.ui.screens.table_setup import TableSetupScreen

        return TableSetupScreen(shell, nothing, size_hint=(None, None), size=size)
    if shot.name == "set-out":
        with Journal(":memory:") as journal:
            view = _table(journal, "hoher_rat", 4, names=names[:4]).view()
        return SetupCheckScreen(shell, view, nothing, nothing, size_hint=(None, None), size=size)
    shelf_ways = ShelfWays(*(nothing for _way in fields(ShelfWays)))
    pictures = CoverPictures(Fronts())
    if shot.name in ("resume", "give-up"):
        from companion.ui.screens.open_matches import OpenMatchesScreen

        open_ways = OpenWays(nothing, nothing, nothing, nothing)
        return OpenMatchesScreen(
            shell, open_ways, pictures, now_s=lambda: NOW_S, size_hint=(None, None), size=size
        )
    return StartScreen(
        shell, shelf_ways, pictures, now_s=lambda: NOW_S, size_hint=(None, None), size=size
    )


def _past_screen(name: str, size: tuple[int, int], names: tuple[str, ...]) -> Any:
    """Records of two matches, or one of them looked back at."""

    def nothing(*_: Any) -> None:
        pass

    journal = Journal(":memory:", clock=match_clock())
    for number in (1, 2, 3):
        table = _table(journal, GAME, 2, str(number), names=names[:2])
        chance = random.Random(number)
        while table.match.outcome is None and table.match.ply < (999 if number < 3 else 20):
            legal = table.match.legal_moves()
            claims = [move for move in legal if move.verb == "claim"]
            table.handle(PlayMove(chance.choice(claims or legal)), 0.0)
    shell: Any = GalleryPast(Library(journal, Path("exports")))
    if name == "records":
        from companion.ui.screens.looking_back.records import RecordsScreen

        return RecordsScreen(shell, nothing, on_review=nothing, size_hint=(None, None), size=size)
    from companion.ui.screens.looking_back.review import ReviewScreen

    return ReviewScreen(
        shell, "1", nothing, on_play=nothing, on_export=nothing, size_hint=(None, None), size=size
    )
