"""Searches random matches for the earliest position of every kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, cycle, islice
from random import Random
from time import process_time
from typing import Any

from rules.box import TRAY, Box, load_box
from rules.core import DICE, Game, GameError, Item, Move, Options
from rules.match import Match
from rules.testing.examples.position import (
    UNKNOWN,
    Before,
    Position,
    effect_of,
    facts,
    lead_apart,
    score_lines,
    supplies,
)
from rules.testing.playout import ladder, random_match

FEWEST, MOST = 12, 200
"""Matches from which examples come; more than the fewest only if something was never met."""
LONG, MOVES = 1_000, 30_000
"""Most moves of such a match, and of all together."""
SWEEPS, MORE, AGAIN = 200, 1_000, 60
"""Positions of all matches of which everything forbidden is tried, or if some objection was never
met, and moves that are tried there because they were possible once."""
COMPARED, BESIDE = 6_000, 3
"""Most moves of all matches in which a difference is sought that an option makes, and moves that
are tried beside each of them."""
PATIENCE_S, APART_S = 15.0, 3.0
"""Processor time of a search, which only slow games use up, and of that for one value."""
AMOUNTS = 3
"""Numbers of points that one sort of turn may bring with an example for each."""
OUTSIDE = frozenset({"", "match_over", "unknown_move"})
"""Codes that say nothing of the rules."""

_AMOUNT = re.compile(r" [+-]\d+")


def examples(game: Game[Any], known: Iterable[Position] = ()) -> list[Position]:
    """The earliest position of every kind that random matches show and none of ``known`` does."""
    met = set[str]().union(*(one.shows for one in known))
    search = _Search(game, load_box(game.box).for_game(game.id))
    settings = [one for one in ladder(game) if not _by_program(game, one[1])]
    for number in range(MOST):
        enough = number >= FEWEST and not (search.unmet_codes or search.unmet_ends)
        if enough or search.is_over:
            break
        search.play(*settings[number % len(settings)], number)
    for name, values in game.options.items():
        for value in values[1:] if name not in DICE else ():
            search.compare(settings, name, value)
    return search.chosen(met)


# -- private ------------------------------------------------------------------------------


def _by_program(game: Game[Any], options: Options) -> bool:
    """True if dice are thrown otherwise than usual, which changes no rule."""
    return any(options[name] != game.options[name][0] for name in DICE if name in options)


@dataclass
class _Search:
    """Positions of all kinds, the best of each so far."""

    game: Game[Any]
    box: Box
    best: dict[tuple[str, ...], tuple[tuple[int, ...], Position]] = field(default_factory=dict)
    """By all that it shows: how little an example says, and the example."""
    tried: dict[str, None] = field(default_factory=dict)
    """Moves that were possible once."""
    ends: set[str] = field(default_factory=set)
    """Reasons of outcomes that were met."""
    sweeps: int = 0
    moves: int = 0
    begun: float = field(default_factory=process_time)

    @property
    def is_over(self) -> bool:
        """True if it has taken long enough."""
        return self.moves > MOVES or process_time() - self.begun > PATIENCE_S

    @property
    def unmet_codes(self) -> bool:
        """True if some objection was never met."""
        wanted = {*self.game.codes} - OUTSIDE
        return any((f"objection {code}",) not in self.best for code in wanted)

    @property
    def unmet_ends(self) -> bool:
        """True if a match never ended in some way."""
        return not {*self.game.outcomes} <= self.ends

    def play(self, players: int, options: Mapping[str, str], seed: int) -> None:
        """Look at all positions of a match."""
        shown = {n: v for n, v in options.items() if v != self.game.options[n][0]}
        made: list[str] = []
        mover: int | None = None
        before: Before | None = None
        over: Match | None = None
        for match, legal, move in random_match(self.game, players, options, seed):
            over, here = match, Position("", players, made[:], shown)
            if before is not None:
                mover = self.follow(before, match, mover)
            else:
                self.begin(match, here)
            if len(made) > LONG or self.is_over:
                return
            if self.sweeps < SWEEPS or (self.sweeps < MORE and self.unmet_codes):
                self.sweeps += 1
                self.refuse(match, here, legal)
            before = Before(here, match, move)
            self.moves += 1
            made.append(move.text)
        if over is not None and before is not None:
            self.follow(before, over, mover)

    def begin(self, match: Match, here: Position) -> None:
        """A set-up: what lies where, and who begins."""
        wanted = ("asked", "table", "supply", "scores", "seats")
        declared = {key: fact for key, fact in facts(match).items() if key in wanted}
        declared["refused"] = {UNKNOWN: "unknown_move"}
        self.keep((f"set-up of {here.players}",), here, lambda: declared)

    def refuse(self, match: Match, here: Position, legal: Sequence[Move]) -> None:
        """Objections to what is forbidden, each beside a move of the same sort that is allowed."""
        every = {move.text: None for move in match.state.pseudo_moves()}
        verbs = {text.split(" ")[1] for text in every}
        old = [text for text in self.tried if text not in every]
        some = [*every, *sorted(old, key=lambda text: text.split(" ")[1] in verbs)[:AGAIN]]
        allowed = {move.text for move in legal}
        for text in some:
            if text in allowed:
                continue
            move = Move.parse(text)
            codes = [one.code for one in match.why_not(text)]
            alike = [one for one in legal if one.verb == move.verb]
            beside = (alike or legal)[0].text
            asked = match.prompt is not None and match.prompt.asks(move.player)
            for code in codes:
                if code not in OUTSIDE:
                    declared = {"refused": {text: code, beside: ""}}
                    worse = len(codes) - 1, int(not asked), int(not alike)
                    self.keep((f"objection {code}",), here, partial(dict, declared), worse)
        self.tried |= every

    def follow(self, before: Before, after: Match, mover: int | None) -> int | None:
        """A move that was made, and all that came of it; returns the player who moved last."""
        move, asked, outcome = before.move, after.prompt, after.outcome
        seat = mover if move.player is None else move.player

        def whose(other: int | None) -> str:
            return "nobody" if other is None else "own" if other == seat else "other"

        moved = {
            f"{whose(self._owner(after, item))} {self.box.kinds[item.kind].group}"
            for item in chain(before.layout - after.layout, after.layout - before.layout)
            if item.kind in self.box.kinds and self.box.sites[item.site].kind != TRAY
        }
        gains = sorted(
            f"points {whose(other)} {now - was:+}"
            for other, (was, now) in enumerate(zip(before.scores, after.scores, strict=True))
            if was != now
        )
        wanted = ["asked", "table", "supply", "scores"]
        if outcome is None:
            then = f"{whose(asked.player)} {asked.code}" if asked else ""
            shows = [", ".join(filter(None, (f"move {move.verb}", *sorted(moved), then)))]
            shows += [f"move {move.verb}, {gain}" for gain in gains]
            self.keep((*shows,), before.here, lambda: before.led(after, wanted))
            return seat
        self.ends.add(outcome.reason)
        wanted += ["outcome", "ranking", "lines"]
        wanted += ["series", "next_first"] if self.game.series is not None else []
        best, points = outcome.ranking[0], outcome.scores
        how = "drawn" if len(outcome.ranking) == 1 else f"won by {whose(best[0])}"
        if len(outcome.ranking) > 1 and points[best[0]] < max(points, default=0):
            how += " with less"
        lines = sorted({f"points {line.code}" for line in score_lines(after) if line.points})
        shows = [f"end {outcome.reason}, {how}", *lines]
        self.keep((*shows,), before.here, lambda: before.led(after, wanted))
        return seat

    def compare(self, settings: Sequence[Any], name: str, value: str) -> None:
        """Find the first difference that another value of an option makes."""
        usual, left, until = self.game.options[name][0], COMPARED, process_time() + APART_S
        for number, (players, options) in enumerate(islice(cycle(settings), MOST)):
            try:
                mine, others = (
                    self.game.complete_options(players, {**options, name: one})
                    for one in (value, usual)
                )
            except GameError:
                continue
            left -= self._differ((f"option {name}={value}",), players, mine, others, number)
            if left < 0 or process_time() > until:
                return

    def _differ(
        self, shows: tuple[str], players: int, mine: Options, others: Options, seed: int
    ) -> int:
        """Look for a difference; returns the number of moves that were made, or very many."""
        other = Match(self.game, players, others, seed=seed)
        shown = {n: v for n, v in mine.items() if v != self.game.options[n][0]}
        made: list[str] = []
        before: Before | None = None
        over: Match | None = None
        wanted = ("asked", "table", "supply", "scores")
        chance = Random(seed)

        def differs(match: Match) -> bool:
            same = all(
                getattr(match, what) == getattr(other, what)
                for what in ("prompt", "scores", "layout", "outcome")
            ) and supplies(match) == supplies(other)
            if not same and before is not None:
                ends = ("outcome", "ranking", "lines") if match.outcome or other.outcome else ()
                led = before.led(match, (*wanted, *ends))
                self.keep(shows, before.here, partial(dict, led))
            elif not same:
                known = facts(match)
                self.keep(shows, here, lambda: {key: known[key] for key in wanted})
            return not same

        for match, legal, move in random_match(self.game, players, mine, seed):
            over, here = match, Position("", players, made[:], shown)
            if differs(match):
                return MOVES
            odd = {one.text for one in legal} ^ {one.text for one in other.legal_moves()}
            if odd:
                code = next((one.code for one in match.why_not(min(odd))), "")
                self.keep(shows, here, partial(dict, refused={min(odd): code}))
                return MOVES
            if len(made) > LONG:
                return len(made)
            for one in chance.sample(legal, min(BESIDE, len(legal))):
                if lead_apart(match, other, one):
                    led = effect_of(match, one.text, wanted)
                    self.keep(shows, here, partial(dict, after={one.text: led}))
                    return MOVES
            before = Before(here, match, move)
            other.push(move)
            made.append(move.text)
        return MOVES if over is not None and differs(over) else len(made)

    def keep(
        self,
        shows: tuple[str, ...],
        here: Position,
        declared: Callable[[], Mapping[str, Any]],
        worse: tuple[int, ...] = (0, 0, 0),
    ) -> None:
        """Note an example, if it is the best of its sort: the plainest, of these the earliest."""
        rank = (*worse, len(here.options), len(here.moves))
        if shows not in self.best or rank < self.best[shows][0]:
            held = declared()
            self.best[shows] = (
                rank,
                replace(here, declared=held, confirmed=False, counted="asked" in held),
            )

    def chosen(self, met: set[str]) -> list[Position]:
        """Examples that together show everything that was not ``met``, and of one amount of points
        after the other the least and the most."""
        amounts: dict[str, set[str]] = {}
        for kind in met.union(*self.best):
            amounts.setdefault(_AMOUNT.sub("", kind), set()).add(kind)
        wanted = set[str]()
        for alike in amounts.values():
            by_size = sorted(alike, key=lambda kind: (len(kind), kind))
            wanted |= alike if len(alike) <= AMOUNTS else {by_size[0], by_size[-1]}
        wanted -= met
        found = list[Position]()
        while wanted:
            most = {shows: len(wanted.intersection(shows)) for shows in self.best}
            best = min(self.best, key=lambda shows: (-most[shows], self.best[shows][0], shows))
            new = [kind for kind in best if kind in wanted]
            found.append(replace(self.best[best][1], name="; ".join(new)))
            wanted.difference_update(best)
        order = ("set-up", "option", "move", "objection", "end", "points")
        return sorted(found, key=lambda one: (order.index(one.name.split(" ")[0]), one.name))

    def _owner(self, match: Match, item: Item) -> int | None:
        if item.owner is not None:
            return item.owner
        owner = self.box.kinds[item.kind].owner
        return match.colours.index(owner) if owner in match.colours else None
