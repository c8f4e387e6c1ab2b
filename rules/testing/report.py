"""Counts and findings of the conformance suite, as sentences that say what to do, and the positions
that it looks at."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from traceback import extract_tb
from typing import Any

from rules.box import Box, Site
from rules.core import Game, GameError, Move, Prompt
from rules.match import Match
from rules.telling import Teller
from rules.testing.relations.figures import WAYS, Figures, counts_at
from rules.testing.relations.seats import Seats
from rules.testing.relations.ways import Ways
from rules.testing.statistics import Habits

MOST = 60
MOST_ALIKE = 2
"""Most findings with the same remedy; more of them say nothing new."""


class Misnamed(Exception):
    """A text names something as what it is not; ``remedy`` says what to do."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.remedy = remedy


FIRST, LATER = 3, 20
"""Positions with one question that are looked at in every way; after that, one in how many."""


@dataclass
class Report:
    """The counts and findings of the suite."""

    game: str
    matches: int = 0
    positions: int = 0
    objections: Counter[str] = field(default_factory=Counter)
    """Positions in which each objection code was reached."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Matches that ended so."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Kinds that lay on the table or before a player, with the most that a player had."""
    sites: set[str] = field(default_factory=set)
    """Sites where something lay."""
    read: set[str] = field(default_factory=set)
    """Keys of texts that were told."""
    cited: set[str] = field(default_factory=set)
    """Rules and rulings that prompts and objections named."""
    habits: Habits = field(default_factory=Habits)
    seats: Seats = field(default_factory=Seats)
    figures: Figures = field(default_factory=Figures)
    ways: Ways = field(default_factory=Ways)
    pointed: bool = False
    """True if a match ended with other points than one for the winner."""
    problems: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    """Findings that may be meant, and mostly are not."""
    closely: Counter[str] = field(default_factory=Counter)
    """Positions by question that were looked at closely."""
    told: set[tuple[str, ...]] = field(default_factory=set)
    """Codes of objections, each with the names of its parameters, whose sentences were read."""
    _looked: Counter[str] = field(default_factory=Counter)
    _remedies: Counter[str] = field(default_factory=Counter)

    @property
    def ok(self) -> bool:
        """True if nothing was found."""
        return not self.problems

    def deserves_more(self, question: str) -> bool:
        """True if a position with this question is to be looked at in every way there is: the first
        few, and now and then a later one, for that takes its time."""
        self._looked[question] += 1
        return self._looked[question] <= FIRST or self._looked[question] % LATER == 0

    def add(self, problem: str, remedy: str) -> None:
        """Note what is wrong, and what to do about it: each only once, and not endlessly many."""
        told = f"{problem}. {remedy}"
        if told in self.problems or len(self.problems) >= MOST:
            return
        self._remedies[remedy] += 1
        if self._remedies[remedy] <= MOST_ALIKE:
            self.problems.append(told)

    def hint(self, odd: str, remedy: str) -> None:
        """Note what is odd, and what to do about it if it is not meant."""
        if (told := f"{odd}. {remedy}") not in self.hints:
            self.hints.append(told)

    def tell(self, here: str, telling: Callable[[], Any]) -> None:
        """Note it if something cannot be put into words."""
        try:
            telling()
        except Misnamed as error:
            self.add(f"{here}: {error}", error.remedy)
        except GameError as error:
            self.add(f"{here}: {error}".rstrip("."), "Write it in both files of texts")
        except Exception as error:  # whatever it is, it is the finding
            self.add(
                f"{here}: cannot be put into words: {fault(error)}",
                "See that the texts name only what the move, prompt or score line holds",
            )


@dataclass(frozen=True)
class Place:
    """One position of one match, with everything a check needs."""

    game: Game[Any]
    box: Box
    match: Match
    prompt: Prompt
    moves: list[Move]
    """The legal ones."""
    move: Move
    """The one that is played."""
    tellers: Sequence[Teller]
    here: str
    report: Report
    deeply: bool = False
    """True to look in every way there is."""

    @cached_property
    def legal(self) -> frozenset[str]:
        """The texts of the legal moves."""
        return frozenset(move.text for move in self.moves)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Counts at the table from the seat that is asked."""
        seat = self.prompt.player
        if seat is None:
            return {}
        return counts_at(self.state, seat, self.match.players) | {WAYS: len(self.moves)}

    @cached_property
    def answers(self) -> frozenset[str]:
        """Words of legal moves, and the sites by which they are touched."""
        places = self.game.touch.places
        return frozenset(
            word for move in self.moves for word in (*move.args, *places(self.state, move))
        )

    @cached_property
    def occupied(self) -> frozenset[str]:
        """The sites where something lies."""
        return frozenset(item.site for item in self.state.layout())

    @cached_property
    def owners(self) -> Mapping[str, set[int]]:
        """Seats whose pieces lie there, by site."""
        found: dict[str, set[int]] = {}
        for item in self.state.layout():
            if item.owner is not None:
                found.setdefault(item.site, set()).add(item.owner)
        return found

    @property
    def sites(self) -> Mapping[str, Site]:
        """The sites of the box that the game uses."""
        return self.box.for_game(self.game.id).sites

    @property
    def colours(self) -> tuple[str, ...]:
        """The colour of each seat."""
        return self.game.colours(self.match.players, self.match.options)

    @property
    def state(self) -> Any:
        """The position itself; checks leave it as it is."""
        return self.match.state

    def wrong(self, problem: str, remedy: str) -> None:
        """Note a problem of this position."""
        self.report.add(f"{self.here}: {problem}", remedy)

    def tell(self, telling: Callable[[Teller], Any]) -> None:
        """See that something can be put into words, in both languages."""
        for teller in self.tellers:
            self.report.tell(f"{self.here}, {teller.lang}", partial(telling, teller))


def canonical(data: Any) -> str:
    """A position's JSON, to be compared."""
    return json.dumps(data, sort_keys=True)


def fault(error: Exception) -> str:
    """An exception and where it was raised, for the author of the code."""
    places = extract_tb(error.__traceback__)
    where = f" ({places[-1].filename.rpartition('/')[2]}:{places[-1].lineno})" if places else ""
    return f"{error!r}{where}"
