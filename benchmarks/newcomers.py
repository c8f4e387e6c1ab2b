"""Whole matches by a finger that knows nothing but the screen.

The whole app off-screen. The finger has not read the rules and does not see the program's moves: it
touches what is lit (places that glow, cards, tiles, keys that answer), rarely something that is
not, and learns from what the screen shows next. It remembers as people do: cards that lay face up
for all, and what was touched in vain. A match is played to its end, however badly.

Counted: touches per turn; touches of unlit things, and how many of them the screen answered with no
word; touches of lit things after which the screen was as before; questions with one answer; prompts
that ask for a choice from what is not shown; and on the first ``LOOKS`` screens of every kind
places too small or too close for a finger, lights that do not stand out, and colours that only hue
tells apart. A decision that takes more than ``PATIENCE`` touches is stuck: someone would fetch the
rulebook.

``python -m benchmarks.newcomers [GAME ...] [--seed N] [--size 800x480] [--lang de]``
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from rules.core import Actor
from rules.games import find_game
from tests.support.watched import WATCHED

PATIENCE = 40
"""Touches after which a decision is given up."""
STRAY = 0.03
"""Share of touches that go to something that is not lit."""
LOOKS = 2
"""Screens of each kind that are looked at closely."""
REMEMBERS = 0.9
"""Share of choices in which a card that was seen is remembered."""
IN_VAIN = 0.1
"""How much less pulls what was touched in vain."""
MOST_TURNS = 1500
_LOOKING = ("screens.undo", "play.tip", "play.hide")
_RULES = "?"
"""Keys that take back, look or leave; beside a board they have a place of their own."""
SIZES = ((800, 480), (720, 1280))
LANGS = ("de", "en")


@dataclass(frozen=True, slots=True)
class Lit:
    """Something on the screen that invites a touch."""

    name: str
    at: tuple[float, float]
    """Its middle, px of the window."""
    pull: float
    """Weight with which the eye chooses it."""
    touch: Callable[[], None]
    site: str = ""
    """The place of the board that it is."""


@dataclass(slots=True)
class Memory:
    """The finger's memory of what the screen has shown and said."""

    cards: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Card and its colour, by the place where it lay face up for all."""
    vain: set[str] = field(default_factory=set)
    """Places that were touched in vain since something was played last."""

    def look(self, player: Any) -> None:
        """See which cards lie face up; a card seen there is no longer where it was."""
        scene = player.screen.board.scene
        if scene is None or (player.view.secret and not player.screen.covered):
            return
        for item in scene.items:
            kind = scene.box.kinds[item.kind]
            if kind.shape == "card" and kind.signed:
                self.cards = {s: card for s, card in self.cards.items() if card[0] != kind.id}
                self.cards[item.site] = (kind.id, kind.signed)

    def pull(self, one: Lit, asked: str) -> float:
        """How much something invites, if a card of the colour ``asked`` is wanted."""
        colour = self.cards.get(one.site, ("", ""))[1]
        if one.name in self.vain:
            return one.pull * IN_VAIN
        return one.pull if colour in ("", asked) or not asked else 0.0


@dataclass(slots=True)
class Tally:
    """The experience of a finger in one match."""

    turns: int = 0
    decisions: int = 0
    touches: int = 0
    strays: int = 0
    """Touches of something that is not lit …"""
    silent: Counter[str] = field(default_factory=Counter)
    """… after which the screen said nothing, by what was touched."""
    idle: Counter[str] = field(default_factory=Counter)
    """Touches of lit things that changed nothing on the screen."""
    single: Counter[str] = field(default_factory=Counter)
    """Questions with one open answer, by prompt."""
    unseen: Counter[str] = field(default_factory=Counter)
    """Prompts whose choice is not on the screen."""
    stuck: list[str] = field(default_factory=list)
    looked_at: Counter[str] = field(default_factory=Counter)
    """Screens that were looked at closely, by what they ask or tell …"""
    cramped: Counter[str] = field(default_factory=Counter)
    """… and on them places too small or too close for a finger,"""
    faint: Counter[str] = field(default_factory=Counter)
    """lights that do not stand out,"""
    hue: Counter[str] = field(default_factory=Counter)
    """and colours that only their hue tells apart."""
    over: bool = False

    def line(self) -> str:
        """For people."""
        told = f"{self.turns} turns, {self.touches / max(self.turns, 1):.1f} touches a turn, "
        told += f"{self.strays} strays ({sum(self.silent.values())} silent), "
        told += f"{sum(self.idle.values())} idle, {sum(self.single.values())} with one answer, "
        told += f"{sum(self.unseen.values())} unseen, {len(self.stuck)} stuck; on "
        told += f"{sum(self.looked_at.values())} screens {sum(self.cramped.values())} cramped, "
        told += f"{sum(self.faint.values())} faint, {sum(self.hue.values())} by hue"
        return told if self.over else f"{told}, NOT ENDED"

    def details(self) -> Iterator[str]:
        """The faults of the match, most often first."""
        for title in ("silent", "idle", "single", "unseen", "cramped", "faint", "hue"):
            for name, count in getattr(self, title).most_common(6):
                yield f"{title}: {count} × {name}"
        yield from (f"stuck: {told}" for told in self.stuck[:6])


def played(game: str, players: int, size: tuple[int, int], lang: str, seed: str) -> Tally:
    """One match from the shelf to its result."""
    # Only now: Kivy wants its window first.
    from tests.support.at_the_screen import Player

    tally, memory, random = Tally(), Memory(), Random(f"{game}/{seed}")
    with tempfile.TemporaryDirectory() as folder:
        player = Player(Path(folder), size, lang)
        try:
            player.set_up(game, players, physical=False)
            first = player.touches
            while not player.over and player.view.turn < MOST_TURNS and len(tally.stuck) < 3:
                _decide(player, tally, memory, random)
            tally.over = bool(player.over)
            tally.turns, tally.touches = player.view.turn, player.touches - first
        finally:
            player.close()
    return tally


def _decide(player: Any, tally: Tally, memory: Memory, random: Random) -> None:
    """Touches until something is played."""
    from tests.support.ui_harness import texts

    view = player.view
    ply, began = view.ply, player.touches
    asked = not player.screen.covered and player.screen.result is None
    if asked:
        tally.decisions += 1
        _judge(player, tally)
    memory.vain.clear()
    while not player.over and player.view.ply == ply:
        memory.look(player)
        _look_closely(player, tally)
        if player.touches - began > PATIENCE:
            told = " | ".join(texts(player.screen).split("\n")[:8])
            tally.stuck.append(f"{_code(player)}: {told}")
            _wish(player, random)
            return
        if random.random() < STRAY:
            _stray(player, tally, memory, random)
            continue
        offered = list(lit(player))
        if not offered:
            tally.stuck.append(f"nothing is lit: {texts(player.screen)[:120]}")
            _wish(player, random)
            return
        chosen = _chosen(player, memory, offered, random)
        before = shown(player)
        chosen.touch()
        player.settle()
        if shown(player) == before:
            tally.idle[f"{_code(player)}: {chosen.name}"] += 1
        if shown(player) == before or player.view.refused is not None:
            memory.vain.add(chosen.name)


def _chosen(player: Any, memory: Memory, offered: list[Lit], random: Random) -> Lit:
    """The next thing to touch: of cards that are looked for one that was seen, or else one that
    never was."""
    asked = _asked_colour(player) if random.random() < REMEMBERS else ""
    known = [one for one in offered if asked and memory.cards.get(one.site, ("", ""))[1] == asked]
    pulls = [memory.pull(one, asked) for one in (known or offered)]
    return random.choices(known or offered, pulls if any(pulls) else None)[0]


def _asked_colour(player: Any) -> str:
    """The colour that the words beside the board ask for last; empty if they name none."""
    from companion.presentation.words.sentences import teller_of
    from tests.support.ui_harness import labels

    teller, found = teller_of(player.view, player.lang), ""
    scene = player.screen.board.scene
    if scene is None:
        return ""
    colours = {kind.signed for kind in scene.box.kinds.values() if kind.shape == "card"} - {""}
    told = sorted(labels(player.screen.body), key=lambda label: -label.to_window(*label.center)[1])
    for words in (label.text for label in told):
        found = next((c for c in sorted(colours) if teller.word(c) in words), found)
        if found and player.screen.result is None:
            # The title asks; what is told below it is over.
            break
    return found


def _code(player: Any) -> str:
    """The line that is told or asked, for the list of faults."""
    if player.screen.result is not None:
        return str(player.screen.result.code)
    return "" if player.view.prompt is None else str(player.view.prompt.code)


def _look_closely(player: Any, tally: Tally) -> None:
    """Look whether eye and finger tell apart what is on the screen."""
    from companion.ui.theme.style import style
    from tests.support.told_apart import by_hue_alone, cramped, faint

    screen, scene = player.screen, player.screen.board.scene
    code = f"{_code(player)}{' held' * screen.fingers.holding}{' covered' * screen.covered}"
    if screen.board.moving or tally.looked_at[code] >= LOOKS:
        return
    tally.looked_at[code] += 1
    kinds = {} if scene is None else {item.kind: scene.box.kinds[item.kind] for item in scene.items}
    hues = by_hue_alone(kinds.values(), style.chosen.piece_colours)
    found = (cramped(screen), faint(screen), hues)
    for count, told in zip((tally.cramped, tally.faint, tally.hue), found, strict=True):
        count.update(f"{code}: {fault}" for fault in told)


def _wish(player: Any, random: Random) -> None:
    """Someone who knows the game helps out."""
    while player.screen.sheet is not None or player.screen.fingers.holding:
        player.screen.sheets.close()
        player.screen.fingers.let_go()
        player.screen.build()
    # What was built has its places in the next frame.
    player.settle()
    player.play(random)


def _judge(player: Any, tally: Tally) -> None:
    from tests.support.in_sight import out_of_sight

    view, match = player.view, player.session.table.match
    prompt = view.prompt
    if prompt is None or prompt.actor is not Actor.PLAYER:
        return
    if len(view.legal) == 1 and not view.secret:
        tally.single[prompt.code] += 1
    if view.options.get("hints") == "off":
        # Finding a move is the game there.
        return
    for told in out_of_sight(player.screen, match)[:1]:
        tally.unseen[f"{prompt.code}: {told}"] += 1


def lit(player: Any) -> Iterator[Lit]:
    """Everything on the screen that invites a touch."""
    screen = player.screen
    if screen.sheet is None:
        yield from _cards(player)
        yield from _supply(player)
        if screen.desk is None and screen.picker is None:
            yield from _places(player)
    yield from _tiles(player)
    yield from _keys(player)


def _places(player: Any) -> Iterator[Lit]:
    board = player.screen.board
    for site in sorted(board.scene.targets | board.scene.hints):
        at = board.centre_of(site)
        if not board.collide_point(*at):
            # A part of the board is shown enlarged, and this place is outside.
            continue
        yield Lit(f"place {site}", at, 3.0, partial(player.touch_at, *at), site)


def _cards(player: Any) -> Iterator[Lit]:
    from tests.support.market import lit as lit_cards
    from tests.support.market import market_desk
    from tests.support.picking import card_desk, card_row

    screen = player.screen
    desk, row, picker = market_desk(screen), card_row(screen), card_desk(screen)
    if desk is not None:
        for tile, at in lit_cards(desk):
            yield Lit(f"card {tile.kind}", at, 3.0, partial(player.touch_at, *at))
    if picker is not None:
        for card in sorted(picker.picking.possible):
            x, y, width, height = picker.grid.cell(card)
            at = picker.grid.to_window(x + width / 2, y + height / 2)
            yield Lit(f"card {card}", at, 3.0, partial(player.touch_at, *at))
    elif row is not None:
        for card in sorted(row.hand.able):
            x, y, width, height = row.cells[card]
            at = row.to_window(x + width / 2, y + height / 2)
            yield Lit(f"card {card}", at, 3.0, partial(player.touch_at, *at))


def _tiles(player: Any) -> Iterator[Lit]:
    from companion.ui.widgets.tiles import TileGrid
    from tests.support.ui_harness import walk

    for grid in walk(player.screen.sheet or player.screen):
        if isinstance(grid, TileGrid):
            for number, tile in enumerate(grid.tiles):

                def touch(grid: Any = grid, number: int = number) -> None:
                    def middle() -> tuple[float, float]:
                        x, y, width, height = grid.cell(number)
                        return (x + width / 2, y + height / 2)

                    player.bring(grid, middle)
                    player.touch_at(*grid.to_window(*middle()))

                yield Lit(f"tile {tile.text}", (0.0, 0.0), 2.0, touch)


def _keys(player: Any) -> Iterator[Lit]:
    """Keys that answer the question; not those for looking, taking back or leaving."""
    from kivy.uix.behaviors import ButtonBehavior

    from companion.ui.widgets.base import Link, Note
    from companion.ui.widgets.player_card import PointsCard
    from companion.ui.widgets.score_strip import ScoreCell
    from tests.support.ui_harness import walk

    screen = player.screen
    top = screen.sheet or screen.picker or screen
    beside = () if top is not screen else (screen.bottom, screen.head)
    aside = {id(key) for area in beside for key in walk(area)}
    points = {id(key) for key in walk(screen.points)}
    looking = {_RULES, *(player.word(word) for word in _LOOKING)}
    for key in walk(top):
        if not isinstance(key, ButtonBehavior):
            continue
        if isinstance(key, Link | Note | PointsCard | ScoreCell):
            continue
        # What is dim says why; the finger leaves it.
        if key.disabled or id(key) in points or key.opacity < 0.9:
            continue
        if getattr(key, "text", "-") in {"", *looking} and not getattr(key, "primary", False):
            continue
        primary = getattr(key, "primary", False)
        if primary or id(key) not in aside:
            name = getattr(key, "text", "") or getattr(key, "symbol", "") or type(key).__name__
            yield Lit(
                f"key {name}", key.center, 3.0 if primary else 1.0,
                partial(player.touch, key),
            )  # fmt: skip


def _supply(player: Any) -> Iterator[Lit]:
    """Pieces in front of the player that can be picked up."""
    from companion.ui.widgets.supply_row import SupplyRow
    from tests.support.ui_harness import walk

    for row in walk(player.screen):
        if isinstance(row, SupplyRow):
            for kind, (x, y, width, height) in row.cells:
                at = row.to_window(x + width / 2, y + height / 2)
                yield Lit(f"piece {kind}", at, 1.0, partial(player.touch_at, *at))


def _stray(player: Any, tally: Tally, memory: Memory, random: Random) -> None:
    """A touch of a place or a card that is not lit: a word says why nothing happens."""
    from tests.support.market import market_desk
    from tests.support.picking import card_row
    from tests.support.ui_harness import texts

    screen = player.screen
    if screen.covered or screen.result is not None or screen.sheet is not None:
        return
    unlit: list[tuple[str, tuple[float, float]]] = []
    desk, row, board = market_desk(screen), card_row(screen), screen.board
    if desk is not None:
        for area in (desk.wares, desk.hand):
            if area.parent is not None:
                for tile, (x, y, width, height) in zip(area.tiles, area.cells, strict=True):
                    if not tile.moves:
                        at = area.to_window(x + width / 2, y + height / 2)
                        unlit.append((f"card {tile.kind}", at))
    elif screen.desk is None and screen.picker is None:
        open_ones = board.scene.targets | board.scene.hints | board.scene.picked
        unlit += [
            (f"place {site.id}", at)
            for site in board.plan.box.sites.values()
            if site.id not in open_ones and board.collide_point(*(at := board.centre_of(site.id)))
        ]
        if row is not None:
            for card, (x, y, width, height) in row.cells.items():
                if card not in row.hand.able:
                    unlit.append((f"card {card}", row.to_window(x + width / 2, y + height / 2)))
    unlit = [one for one in unlit if one[0] not in memory.vain]
    if not unlit:
        return
    name, at = random.choice(unlit)
    memory.vain.add(name)
    before = shown(player)
    tally.strays += 1
    player.touch_at(*at)
    # The mark of a touch that did nothing is seen for a moment only.
    marked = screen.slips.seen
    player.settle()
    if shown(player) == before and not marked:
        stands = next(iter(texts(screen.body).split(" | ")), "")
        tally.silent[f"{_code(player)}: {name}, where '{stands}' stands"] += 1


def shown(player: Any) -> tuple[object, ...]:
    """All that can be seen: words, marks, cards, what is in the hand and what lies over it."""
    from tests.support.picking import card_desk, card_row
    from tests.support.ui_harness import texts

    screen = player.screen
    picker, row = card_desk(screen), card_row(screen)
    return (
        player.view.ply, texts(screen), screen.board.scene, screen.board.enlarged, screen.sheet,
        screen.picker, screen.fingers.picked,
        None if picker is None else picker.picking, None if row is None else row.hand,
    )  # fmt: skip


def main() -> None:
    """One line for each match, and what went wrong in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--size", choices=[f"{w}x{h}" for w, h in SIZES])
    parser.add_argument("--lang", choices=LANGS)
    parser.add_argument("--players", type=int)
    given = parser.parse_args()
    for game in given.games or WATCHED:
        counts = find_game(game).players
        for size in SIZES:
            if given.size and given.size != f"{size[0]}x{size[1]}":
                continue
            for lang in (given.lang,) if given.lang else LANGS:
                seats = given.players or counts[min(1, len(counts) - 1)]
                tally = played(game, seats, size, lang, given.seed)
                shape = f"{size[0]}×{size[1]}"
                print(f"{game}, {seats} players, {shape}, {lang}: {tally.line()}", flush=True)
                for told in tally.details():
                    print(f"    {told}", flush=True)


if __name__ == "__main__":
    main()
