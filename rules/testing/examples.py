"""Worked examples of a game: what it does in one position of each kind, for its author to compare
with the rulebook.

No program finds a rule that is wrong throughout; whoever has the rulebook at hand does, if it is
shown what the game makes of it. So random matches of every setting are searched for the earliest
position of every kind: each set-up, each objection with a move of the same sort that is allowed,
each sort of turn with what it changes, scores and leads to, each end, and what another value of an
option changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, cycle, islice
from math import dist
from random import Random
from typing import Any

from rules.box import TRAY, Box, is_cell, load_box
from rules.core import DICE, Game, GameError, Item, Layout, Move, Options
from rules.match import Entry, Match
from rules.telling import Teller
from rules.testing.playout import ladder, random_match

SEED = 1
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
AMOUNTS = 3
"""Numbers of points that one sort of turn may bring with an example for each."""
LATELY = 2
"""Moves that are told before an example."""
PLACES = 16
"""Most occupied places that are told; of more, those nearest to where something happens."""
UNKNOWN = "p0 dance"
"""A move that no game knows."""
OUTSIDE = frozenset({"", "match_over", "unknown_move"})
"""Codes that say nothing of the rules."""

_AMOUNT = re.compile(r" [+-]\d+")

Facts = dict[str, Any]


@dataclass
class Position:
    """A position whose moves are counted, with what is declared of it."""

    name: str
    players: int
    moves: list[str] = field(default_factory=list)
    options: Mapping[str, str] = field(default_factory=dict)
    declared: Mapping[str, Any] = field(default_factory=dict)
    """What must be so, by the names of ``facts``; besides ``refused``, the code by move, empty for
    what is allowed, and ``after``, facts by move."""
    confirmed: bool = True
    """False while it is only what the game itself says."""
    counted: bool = True

    @property
    def shows(self) -> set[str]:
        """The kinds of examples that it is one of."""
        return set(self.name.split("; "))


def facts(match: Match) -> Facts:
    """Everything that may be declared of a position."""
    prompt, outcome, series = match.prompt, match.outcome, match.game.series
    found: Facts = {
        "asked": f"{_seat(prompt.player)} {prompt.code}" if prompt else "",
        "table": [*_listed(match.layout, "")],
        "supply": [dict(sorted((+one).items())) for one in _supplies(match)],
        "scores": list(match.scores),
        "outcome": outcome.reason if outcome else "",
        "ranking": [[*group] for group in outcome.ranking] if outcome else [],
        "lines": [
            f"{_seat(line.player)} {line.code} {line.points}" for line in _lines(match)
        ],
    }  # fmt: skip
    if outcome is not None and series is not None:
        found["series"] = [*series.points(outcome)]
        found["next_first"] = series.next_first(outcome)
    return found


def found_at(match: Match, position: Position) -> Facts:
    """What is so now of all that is declared of a position."""
    known, found = facts(match), Facts()
    for key, declared in position.declared.items():
        if key == "refused":
            codes = {move: [one.code for one in match.why_not(move)] for move in declared}
            # One objection among others is enough.
            found[key] = {
                move: code if code in codes[move] else next(iter(codes[move]), "")
                for move, code in declared.items()
            }
        elif key == "after":
            found[key] = {move: _effect(match, move, then) for move, then in declared.items()}
        else:
            found[key] = known.get(key)
    return found


def examples(game: Game[Any], known: Iterable[Position] = ()) -> list[Position]:
    """The earliest position of every kind that random matches show and none of ``known`` does."""
    met = set[str]().union(*(one.shows for one in known))
    search = _Search(game, load_box(game.box).for_game(game.id))
    settings = [one for one in ladder(game) if not _by_program(game, one[1])]
    for number in range(MOST):
        enough = number >= FEWEST and not (search.unmet_codes or search.unmet_ends)
        if enough or search.moves > MOVES:
            break
        search.play(*settings[number % len(settings)], number)
    for name, values in game.options.items():
        for value in values[1:] if name not in DICE else ():
            search.compare(settings, name, value)
    return search.chosen(met)


def told(game: Game[Any], match: Match, position: Position) -> tuple[str, str]:
    """An example in plain words, and what lies on the table; ``match``: at its position."""
    return _Words(game, match, position).whole()


# -- private ------------------------------------------------------------------------------


def _by_program(game: Game[Any], options: Options) -> bool:
    """True if dice are thrown otherwise than usual, which changes no rule."""
    return any(options[name] != game.options[name][0] for name in DICE if name in options)


def _seat(seat: int | None) -> str:
    return "dealer" if seat is None else f"p{seat}"


def _supplies(match: Match) -> list[Counter[str]]:
    return [match.state.supply(seat) for seat in range(match.players)]


def _lines(match: Match) -> Sequence[Any]:
    return match.state.explain_scores() if match.game.counts_points else ()


def _listed(layout: Layout, sign: str) -> Iterator[str]:
    """A layout as words: how many of a kind lie where, and how."""
    lying = Counter[tuple[str, str, str]]()
    for item, number in layout.items():
        whose = "" if item.owner is None else _seat(item.owner)
        how = " ".join(filter(None, (item.pose, whose, "" if item.face == "up" else item.face)))
        lying[item.site, item.kind, how] += number
    for (site, kind, how), number in sorted(lying.items()):
        yield f"{site}: {sign}{number} {kind}" + (f" ({how})" if how else "")


def _effect(match: Match, move: str, wanted: Sequence[str]) -> Facts:
    """What comes of a move, as far as it is ``wanted``."""
    before, after = _Before(Position("", match.players), match, Move.parse(move)), match.clone()
    try:
        after.push(move)
    except GameError:
        return {"refused": next((one.code for one in match.why_not(move)), "")}
    return before.led(after, wanted)["after"][move]


def _lead_apart(match: Match, other: Match, move: Move) -> bool:
    """True if something else is asked after a move, or other points are counted."""
    states = [one.state.clone() for one in (match, other)]
    for state in states:
        state.apply(move)
    told = [(state.prompt(), state.scores()) for state in states]
    return told[0] != told[1]


class _Before:
    """A position before a move, as far as effects are told from it."""

    def __init__(self, here: Position, match: Match, move: Move) -> None:
        self.here, self.move = here, move
        self.layout, self.scores, self._supplies = match.layout, match.scores, _supplies(match)

    def led(self, after: Match, wanted: Sequence[str]) -> dict[str, dict[str, Facts]]:
        """What came of the move, as it is declared."""
        known = facts(after)
        gone, come = self.layout - after.layout, after.layout - self.layout
        known["table"] = [*_listed(gone, "-"), *_listed(come, "+")]
        known["supply"] = [
            {kind: change for kind in sorted({*was, *now}) if (change := now[kind] - was[kind])}
            for was, now in zip(self._supplies, _supplies(after), strict=True)
        ]
        return {"after": {self.move.text: {key: known.get(key) for key in wanted}}}


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
        before: _Before | None = None
        over: Match | None = None
        for match, legal, move in random_match(self.game, players, options, seed):
            over, here = match, Position("", players, made[:], shown)
            if before is not None:
                mover = self.follow(before, match, mover)
            else:
                self.begin(match, here)
            if len(made) > LONG or self.moves > MOVES:
                return
            if self.sweeps < SWEEPS or (self.sweeps < MORE and self.unmet_codes):
                self.sweeps += 1
                self.refuse(match, here, legal)
            before = _Before(here, match, move)
            self.moves += 1
            made.append(move.text)
        if over is not None and before is not None:
            self.follow(before, over, mover)

    def begin(self, match: Match, here: Position) -> None:
        """A set-up: what lies where, and who begins."""
        wanted = ("asked", "table", "supply", "scores")
        declared = {key: facts(match)[key] for key in wanted}
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

    def follow(self, before: _Before, after: Match, mover: int | None) -> int | None:
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
        lines = sorted({f"points {line.code}" for line in _lines(after) if line.points})
        shows = [f"end {outcome.reason}, {how}", *lines]
        self.keep((*shows,), before.here, lambda: before.led(after, wanted))
        return seat

    def compare(self, settings: Sequence[Any], name: str, value: str) -> None:
        """Find the first difference that another value of an option makes."""
        usual, left = self.game.options[name][0], COMPARED
        for number, (players, options) in enumerate(islice(cycle(settings), MOST)):
            try:
                mine, others = (
                    self.game.complete_options(players, {**options, name: one})
                    for one in (value, usual)
                )
            except GameError:
                continue
            left -= self._differ((f"option {name}={value}",), players, mine, others, number)
            if left < 0:
                return

    def _differ(
        self, shows: tuple[str], players: int, mine: Options, others: Options, seed: int
    ) -> int:
        """Look for a difference; returns the number of moves that were made, or very many."""
        other = Match(self.game, players, others, seed=seed)
        shown = {n: v for n, v in mine.items() if v != self.game.options[n][0]}
        made: list[str] = []
        before: _Before | None = None
        over: Match | None = None
        wanted = ("asked", "table", "supply", "scores")
        chance = Random(seed)

        def differs(match: Match) -> bool:
            same = all(
                getattr(match, what) == getattr(other, what)
                for what in ("prompt", "scores", "layout", "outcome")
            ) and _supplies(match) == _supplies(other)
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
                if _lead_apart(match, other, one):
                    led = _effect(match, one.text, wanted)
                    self.keep(shows, here, partial(dict, after={one.text: led}))
                    return MOVES
            before = _Before(here, match, move)
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


class _Words:
    """An example in English."""

    def __init__(self, game: Game[Any], match: Match, position: Position) -> None:
        self.game, self.match, self.position = game, match, position
        self.box = load_box(game.box).for_game(game.id)
        self.teller = Teller(game, "en", match.colours)

    def whole(self) -> tuple[str, str]:
        """What happens, and what lies there."""
        at = set[str]()
        for text in chain(*(self.position.declared.get(key, ()) for key in ("refused", "after"))):
            at |= self._sites(text) if text != UNKNOWN else set()
        said = self.said()
        if (usual := self._usual()) is not None and usual.said() != said:
            said = f"{said}. Without that option: {usual.said()}"
        return f"{self._where()}: {said}", self._lying(at)

    def said(self) -> str:
        """What happens."""
        match, position, parts = self.match, self.position, list[str]()
        for text, code in position.declared.get("refused", {}).items():
            if text != UNKNOWN:
                parts.append(self._judged(text, code))
        for text in position.declared.get("after", {}):
            parts.append(self._followed(text))
        if "asked" in position.declared:
            parts += [self._asked(match), *self._owned(match)]
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
        for seat, (was, now) in enumerate(zip(_supplies(before), _supplies(after), strict=True)):
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
            lines = [f"{seat(one.player)} {one.points} for '{why(one)}'" for one in _lines(match)]
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
        for seat, own in enumerate(_supplies(match)):
            if told := [self._counted(kind, number) for kind, number in sorted((+own).items())]:
                yield f"{self.teller.seat(seat)} has {', '.join(told)}"

    def _counted(self, kind: str, number: int) -> str:
        return self.teller.counted(kind, number)

    def _ways(self, before: Match, after: Match) -> Iterator[tuple[str, str]]:
        """What of each kind goes where."""
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
