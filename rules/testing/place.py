"""A position that the conformance suite looks at, with everything a check needs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from rules.box import Box, Site
from rules.core import Game, Move, Prompt
from rules.match import Match
from rules.telling import Teller
from rules.testing.report import Report


@dataclass(frozen=True)
class Place:
    """One position of one match, and what is played in it."""

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
