"""Moments of play: the screens that a family touches most, one after the other, game by game.

For the contact sheets of ``docs/first-evening.md``, and for the tests that look whether every word
has its room. Each moment is the first of a random match in which a certain question is asked, or
something of a kind came to light; equal programs find equal moments.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.journal.entries import Header
from companion.journal.events import MovePlayed, Source
from companion.journal.fold import begin
from companion.journal.store import Journal
from companion.match.hands import hand_of
from companion.match.table import Table
from companion.match.view import TableState, TableView
from companion.settings.manners import Manners
from companion.ui.offscreen import open_still_window, tick
from companion.ui.shell import Ways
from docs.gallery.contact_sheet import Picture, contact_sheet, photographed
from docs.gallery.gallery_shelf import NOW_S, STARTED_S
from docs.gallery.phones import phones_let_in
from docs.gallery.still_screen import still_screen
from rules.core import Result
from rules.games import find_game
from rules.match import Match
from rules.testing.playout import pick

NAMES = ("Anna", "Ben", "Clara", "David", "Emma")
LONG_NAMES = (
    "Maximiliane-Charlotte", "Konstantin der Große", "Friedrich-Wilhelm III.",
    "Großmutter Wilhelmine", "Bartholomäus v. Xanten",
)  # fmt: skip
ENDED = "ended"
_MOST_MOVES = 2500
_SEEDS = 8

Touch = Callable[[Any], None]


def _nothing(*_: Any) -> None:
    pass


def _kept(_match_id: str, _picture: bytes) -> Path:
    return Path("/home/anna/Documents/Heelstone/Dolmen Gods 2026-11-22 19.30 Anna, Ben.png")


@dataclass(frozen=True, slots=True)
class Moment:
    """One screen to be looked at."""

    name: str
    game: str
    players: int
    code: str
    """Code of the prompt; of a result if ``brought``; ``ENDED``: the end of the match."""
    brought: bool = False
    """It is about what came to light, not about what is asked."""
    after: int = 0
    """So many moves are played at least."""
    physical: bool = False
    """With real pieces, and without a camera."""
    options: dict[str, str] = field(default_factory=dict)
    touch: Touch = _nothing
    """What is touched before the picture is taken."""


def _first_glow(screen: Any) -> None:
    glowing = sorted(screen.board.scene.targets)
    if glowing:
        screen.fingers.touch_site(glowing[len(glowing) // 2])


def _from_afar(screen: Any) -> None:
    screen.step_back()


MOMENTS: tuple[Moment, ...] = (
    Moment("stonehenge-place", "knizia_stonehenge", 2, "place", after=12),
    Moment("stonehenge-which", "knizia_stonehenge", 2, "place", after=12, touch=_first_glow),
    Moment("stonehenge-claim", "knizia_stonehenge", 2, "claim_or_done", after=16),
    Moment("stonehenge-room", "knizia_stonehenge", 2, "place", after=12, touch=_from_afar),
    Moment("dolmen-druid", "dolmengoetter", 5, "druid", after=8),
    Moment("dolmen-action", "dolmengoetter", 5, "action", after=24),
    Moment("dolmen-picked", "dolmengoetter", 5, "action", after=24, touch=_first_glow),
    Moment("dolmen-stone", "dolmengoetter", 5, "stone"),
    Moment("dolmen-value", "dolmengoetter", 3, "dolmen_top"),
    Moment("dolmen-room", "dolmengoetter", 5, "action", after=24, touch=_from_afar),
    Moment("roulette-set-up", "opferroulette", 5, "offer", physical=True),
    Moment("roulette-play", "opferroulette", 5, "play"),
    Moment("roulette-go-on", "opferroulette", 5, "go_on"),
    Moment("roulette-crushed", "opferroulette", 5, "crushed", brought=True),
    Moment("trilithen-place", "trilithen_knallen", 5, "place"),
    Moment("trilithen-flip", "trilithen_knallen", 5, "flip"),
    Moment("trilithen-wrong", "trilithen_knallen", 5, "wrong", brought=True),
    Moment("trilithen-right", "trilithen_knallen", 5, "right", brought=True),
    Moment("trilithen-ram", "trilithen_knallen", 5, "ram"),
    Moment("trilithen-set-up", "trilithen_knallen", 5, "bar", physical=True),
    Moment("rolling-step", "rollende_steine", 5, "step"),
    Moment("rolling-result", "rollende_steine", 5, "result"),
    Moment("rolling-gates", "rollende_steine", 5, "result", touch=_first_glow),
    Moment("rolling-through", "rollende_steine", 5, "through", brought=True),
    Moment("build-project", "erbaut_stonehenge", 4, "project"),
    Moment("build-draw", "erbaut_stonehenge", 4, "draw"),
    Moment("build-occupy", "erbaut_stonehenge", 4, "occupy"),
    Moment("build-revealed", "erbaut_stonehenge", 4, "revealed", brought=True),
    Moment("build-set-up", "erbaut_stonehenge", 4, "display", physical=True),
    Moment("council-turn", "hoher_rat", 2, "turn", after=12),
    Moment("council-turn-4", "hoher_rat", 4, "turn", after=12),
    Moment("council-persuade", "hoher_rat", 2, "persuade_or_done", after=12),
    Moment("dominion-action", "dominion", 2, "action", after=60),
    Moment("dominion-buy", "dominion", 4, "buy", after=40),
    Moment("dominion-militia", "dominion", 2, "militia"),
    Moment("dominion-cellar", "dominion", 3, "cellar"),
    Moment("dominion-gain", "dominion", 3, "gain"),
    Moment("stonehenge-end", "knizia_stonehenge", 2, ENDED),
    Moment("dolmen-end", "dolmengoetter", 5, ENDED),
    Moment("roulette-end", "opferroulette", 5, ENDED),
    Moment("trilithen-end", "trilithen_knallen", 5, ENDED),
    Moment("rolling-end", "rollende_steine", 5, ENDED),
    Moment("build-end", "erbaut_stonehenge", 4, ENDED),
    Moment("council-end", "hoher_rat", 4, ENDED),
    Moment("dominion-end", "dominion", 4, ENDED),
)


def _found(moment: Moment, names: tuple[str, ...]) -> tuple[Table, TableView]:
    """The first such position of a few random matches."""
    for seed in range(_SEEDS):
        found = _in_match(moment, names, seed)
        if found is not None:
            return found
    raise LookupError(f"{moment.name}: nobody is ever asked '{moment.code}'")


def _in_match(moment: Moment, names: tuple[str, ...], seed: int) -> tuple[Table, TableView] | None:
    rules, journal = find_game(moment.game), Journal(":memory:")
    options = rules.complete_options(moment.players, moment.options)
    header = Header(
        id=f"{moment.name}-{seed}", game=moment.game, players=moment.players, options=options,
        physical=moment.physical, seed=str(seed), names=names[: moment.players],
        enforcement="enforce", created_s=STARTED_S,
    )  # fmt: skip
    journal.create(header)
    match, chance = begin(header), random.Random(seed)

    def table() -> Table:
        told = [MovePlayed(entry.move) for entry in match.log]
        journal.append(header.id, *told, src=Source.TOUCH)
        return Table(journal, header, Manners())

    while match.ply < _MOST_MOVES and match.outcome is None:
        move, prompt = match.by_itself(ends_turns=True), match.prompt
        asked = prompt is not None and prompt.code == moment.code
        asked = asked and (move is None or moment.physical)
        if asked and not moment.brought and match.ply >= moment.after:
            return _seen(table())
        before = match.state.clone()
        move = move or pick(match.state, match.legal_moves(), chance)
        match.push(move)
        result = match.game.touch.result(before, move, match.state)
        if moment.brought and result is not None and result.code == moment.code:
            match.deal()
            return _seen(table(), result)
    return _seen(table()) if moment.code == ENDED and match.outcome is not None else None


def _seen(table: Table, result: Result | None = None) -> tuple[Table, TableView]:
    match, view = table.match, table.view()
    state = TableState.BLIND if match.physical else TableState.SETTLED
    blind = "no_camera" if match.physical else ""
    return table, replace(
        view, state=state, blind_reason=blind, result=result, result_ply=match.ply,
        usual=match.game.touch.usual(match.state, match.legal_moves()),
    )  # fmt: skip


def moment_screens(
    lang: str, size: tuple[int, int], *, names: tuple[str, ...] = NAMES, text: str = "normal",
    moments: Sequence[Moment] = MOMENTS,
) -> Iterator[tuple[str, Any]]:  # fmt: skip
    """Name and play screen of every moment, one after the other in the off-screen window."""
    window = open_still_window(size, lang, text=text)
    from companion.ui.screens.play.screen import PlayScreen
    from companion.ui.theme.style import style

    for moment in moments:
        table, view = _found(moment, names)
        ways = Ways(
            leave=_nothing, again=_nothing, hand=_hand_at(table.match), review=_nothing,
            export=_nothing, keep=_kept, phones=phones_let_in(),
        )  # fmt: skip
        screen = PlayScreen(_nothing, ways, now_s=lambda: NOW_S, size_hint=(None, None), size=size)
        window.add_widget(screen)
        screen.show(view, table.score_lines, table.score_history)
        tick()
        if screen.covered and not moment.brought:
            screen.uncover()
        tick()
        moment.touch(screen)
        tick()
        try:
            yield moment.name, screen.room or screen
        finally:
            screen.leave()
            window.remove_widget(screen)
            table.record.journal.close()
    style.change(text="normal")


def _hand_at(match: Match) -> Callable[[int], Any]:
    return lambda seat: hand_of(match, seat)


EVENING: dict[str, tuple[str, ...]] = {
    "knizia_stonehenge": ("stonehenge-place", "stonehenge-which", "stonehenge-claim"),
    "dolmengoetter": ("dolmen-druid", "dolmen-picked", "dolmen-stone"),
    "opferroulette": ("roulette-set-up", "roulette-play", "roulette-crushed"),
    "trilithen_knallen": ("trilithen-place", "trilithen-flip", "trilithen-wrong"),
    "rollende_steine": ("rolling-step", "rolling-result", "rolling-through"),
    "erbaut_stonehenge": ("build-project", "build-occupy", "build-revealed"),
    "hoher_rat": ("council-turn", "council-persuade", "council-turn-4"),
    "dominion": ("dominion-action", "dominion-militia", "dominion-buy"),
}
"""The moments that ``docs/first-evening.md`` shows of each game."""


_STRIPS = {f"evening-{game.replace('_', '-')}.jpg": names for game, names in EVENING.items()}
MOMENT_PICTURES = ("playing.jpg", "playing-portrait.jpg", *_STRIPS)


def moment_pictures(wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    """Contact sheets of both shapes with both languages, and a strip of moments per game; skips
    where nothing can be drawn."""
    with still_screen():
        yield from _pictures(wanted)


def _pictures(wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    every = {moment.name for moment in MOMENTS}
    for size, ending, across in (((800, 480), "", 6), ((720, 1280), "-portrait", 10)):
        sheet = f"playing{ending}.jpg"
        strips = {} if ending else {n: _STRIPS[n] for n in _STRIPS if n in wanted}
        shown = every if sheet in wanted else {name for strip in strips.values() for name in strip}
        drawn = _drawn("en", size, shown)
        for name, strip in strips.items():
            yield name, contact_sheet([[drawn[moment] for moment in strip]], wide=1640, across=3)
        if sheet in wanted:
            both = [list(d.values()) for d in (_drawn("de", size, every), drawn)]
            yield sheet, contact_sheet(both, wide=1160, across=across)


def _drawn(lang: str, size: tuple[int, int], shown: Collection[str]) -> dict[str, Picture]:
    moments = [moment for moment in MOMENTS if moment.name in shown]
    screens = moment_screens(lang, size, moments=moments)
    return {name: photographed(screen) for name, screen in screens}
