"""Worked examples in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import dist
from typing import Any

from rules.box import is_cell, load_box
from rules.core import Game, GameError, Item, Layout, Move
from rules.match import Entry, Match
from rules.telling import Teller
from rules.testing.examples.position import (
    SEED,
    UNKNOWN,
    Position,
    score_lines,
    seats_told,
    supplies,
)

LATELY = 2
"""Moves that are told before an example."""
PLACES = 16
"""Most occupied places that are told; of more, those nearest to where something happens."""


def told(game: Game[Any], match: Match, position: Position) -> tuple[str, str]:
    """An example in plain words, and what lies on the table; ``match``: at its position."""
    return _Words(game, match, position).whole()


# -- private ------------------------------------------------------------------------------


class _Words:
    """An example in English."""

    def __init__(self, game: Game[Any], match: Match, position: Position) -> None:
        self.game, self.match, self.position = game, match, position
        self.box = load_box(game.box).for_game(game.id)
        self.teller = Teller(game, "en", match.colours)

    def whole(self) -> tuple[str, str]:
        """The event, and the layout beside it."""
        at = set[str]()
        for text in chain(*(self.position.declared.get(key, ()) for key in ("refused", "after"))):
            at |= self._sites(text) if text != UNKNOWN else set()
        said = self.said()
        if (usual := self._usual()) is not None and usual.said() != said:
            said = f"{said}. Without that option: {usual.said()}"
        return f"{self._where()}: {said}", self._lying(at)

    def said(self) -> str:
        """The event in words."""
        match, position, parts = self.match, self.position, list[str]()
        for text, code in position.declared.get("refused", {}).items():
            if text != UNKNOWN:
                parts.append(self._judged(text, code))
        for text in position.declared.get("after", {}):
            parts.append(self._followed(text))
        if "asked" in position.declared:
            parts += [self._asked(match), *self._owned(match)]
        if "seats" in position.declared:
            sits = enumerate(map(self.teller.site, seats_told(match)))
            parts.append(", ".join(f"{self.teller.seat(seat)} sits at {at}" for seat, at in sits))
        if "scores" in position.declared and any(match.scores):
            parts.append(self._points(match))
        if match.outcome is not None:
            parts.append(self._ended(match))
        return ". ".join(filter(None, parts))

    def _usual(self) -> _Words | None:
        """The same with the usual value of the option of which this is an example, if that can
        be."""
        options = dict(self.position.options)
        for kind in self.position.shows:
            sort, _, rest = kind.partition(" ")
            if sort == "option":
                options.pop(rest.partition("=")[0], None)
        if options == self.position.options:
            return None
        try:
            match = Match(self.game, self.position.players, options, seed=SEED)
            match.replay([Entry(Move.parse(text)) for text in self.position.moves])
        except GameError:
            return None
        return _Words(self.game, match, self.position)

    def _where(self) -> str:
        position, teller = self.position, self.teller
        words = [
            f"{teller.option(name)[0]}: {teller.option_value(name, value)}"
            if teller.has("options", name) else f"{name}={value}"
            for name, value in position.options.items()
        ]  # fmt: skip
        if len(self.game.players) > 1:
            words.append(f"{position.players} players")
        last = [teller.move(entry.move) for entry in self.match.log[-LATELY:]]
        moves = "after the first move" if self.match.ply == 1 else f"after {self.match.ply} moves"
        words.append(moves if last else "at the beginning")
        return ", ".join(words) + (f" ({', '.join(last)})" if last else "")

    def _judged(self, text: str, code: str) -> str:
        told = self._move(text)
        objections = self.match.why_not(text)
        if not objections or not code:
            return f"{told} is allowed"
        said = self.teller.objection(
            next((one for one in objections if one.code == code), objections[0])
        )
        return f"{told} is forbidden: {said.title} – {said.text} [{said.rule}]"

    def _move(self, text: str) -> str:
        """A move in words; places that have no names are told as in records."""
        move = Move.parse(text)
        floats = any(is_cell(self.box, arg) for arg in move.args)
        return f"'{self.teller.move(move)}'" + (f" ({text})" if floats else "")

    def _followed(self, text: str) -> str:
        before, after = self.match, self.match.clone()
        try:
            after.push(text)
        except GameError:
            return self._judged(text, "?")
        parts = [self._move(text)]
        parts += [f"{kind} {way}" for kind, way in self._ways(before, after)]
        for seat, (was, now) in enumerate(zip(supplies(before), supplies(after), strict=True)):
            parts += [
                f"{self.teller.seat(seat)} has {self._counted(kind, now[kind])} left, before "
                f"{was[kind]}"
                for kind in sorted({*was, *now}) if was[kind] != now[kind]
            ]  # fmt: skip
        if self.game.counts_points and before.scores != after.scores:
            parts.append(f"{self._points(after)}, before {self._figures(before)}")
        elif self.game.counts_points:
            parts.append("no points")
        parts.append(self._ended(after) if after.outcome else f"then: {self._asked(after)}")
        return "; ".join(parts)

    def _asked(self, match: Match) -> str:
        prompt = match.prompt
        if prompt is None:
            return ""
        title = self.teller.prompt(prompt).title
        seat = None if prompt.player is None else self.teller.seat(prompt.player)
        return title if seat is None or seat in title else f"{seat}: {title}"

    def _ended(self, match: Match) -> str:
        outcome = match.outcome
        assert outcome is not None
        said = self.teller.outcome(outcome)
        parts = [f"the match is over: {said.title} – {said.text}".rstrip(". ")]
        ranks = [self.teller.list([*map(self.teller.seat, group)]) for group in outcome.ranking]
        parts.append(f"first to last: {', '.join(ranks)}")
        if self.game.counts_points:
            seat, why = self.teller.seat, self.teller.score_line
            lines = [
                f"{seat(one.player)} {one.points} for '{why(one)}'" for one in score_lines(match)
            ]
            parts.append(f"{self._points(match)} ({', '.join(lines)})")
        if (series := self.game.series) is not None:
            parts.append(f"for several matches {self._each(series.points(outcome))}")
            if (first := series.next_first(outcome)) is not None:
                parts.append(f"{self.teller.seat(first)} begins the next")
        return "; ".join(parts)

    def _points(self, match: Match) -> str:
        return f"points {self._each(match.scores)}"

    def _each(self, points: Sequence[int]) -> str:
        return ", ".join(f"{self.teller.seat(seat)} {one}" for seat, one in enumerate(points))

    def _figures(self, match: Match) -> str:
        return " : ".join(map(str, match.scores))

    def _owned(self, match: Match) -> Iterator[str]:
        for seat, own in enumerate(supplies(match)):
            if told := [self._counted(kind, number) for kind, number in sorted((+own).items())]:
                yield f"{self.teller.seat(seat)} has {', '.join(told)}"

    def _counted(self, kind: str, number: int) -> str:
        return self.teller.counted(kind, number)

    def _ways(self, before: Match, after: Match) -> Iterator[tuple[str, str]]:
        """The ways of the pieces, by kind."""
        gone, come = before.layout - after.layout, after.layout - before.layout
        names = {self._name(item): None for item in chain(gone, come)}
        for name in names:
            left, there = (self._places(name, layout) for layout in (gone, come))
            if left and there:
                yield name, f"from {', '.join(left)} to {', '.join(there)}"
            else:
                word = "comes to" if there else "goes from"
                yield name, f"{word} {', '.join(there or left)}"

    def _places(self, name: str, layout: Layout) -> list[str]:
        found = Counter[str]()
        for item, number in layout.items():
            if self._name(item) == name:
                how = f" ({item.pose})" if item.pose else ""
                floats = is_cell(self.box, item.site)
                found[(item.site if floats else self.teller.site(item.site)) + how] += number
        told = [site + (f" ×{number}" if number > 1 else "") for site, number in found.items()]
        return told if len(told) <= PLACES else [*told[:PLACES], "…"]

    def _name(self, item: Item) -> str:
        kind = self.box.kinds.get(item.kind)
        whose = "" if item.owner is None or (kind and kind.owner) else self.teller.seat(item.owner)
        return self.teller.kind(item.kind) + (f" of {whose}" if whose else "")

    def _sites(self, text: str) -> set[str]:
        move = Move.parse(text)
        named = {*move.args, *self.game.touch.places(self.match.state, move)}
        return named & self.box.sites.keys()

    def _lying(self, near: set[str]) -> str:
        """The table, or what of it lies nearest to some places."""
        layout = self.match.layout
        sites = {item.site for item in layout}
        ends = [self.box.sites[name].at for name in near]
        kept = sorted(
            sites,
            key=lambda site: min((dist(self.box.sites[site].at, end) for end in ends), default=0.0),
        )[:PLACES]
        shown = Layout({item: n for item, n in layout.items() if item.site in kept})
        names = {self._name(item): None for item in shown}
        told = [f"{name} at {', '.join(self._places(name, shown))}" for name in names]
        more = " …" if len(sites) > PLACES else ""
        return ("; ".join(told) or "nothing") + more
