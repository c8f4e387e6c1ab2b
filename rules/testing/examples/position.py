"""A position of a match with what is declared of it, and what is so there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.core import GameError, Layout, Move, ScoreLine
from rules.match import Match

SEED = 1
UNKNOWN = "p0 dance"
"""A move that no game knows."""

Facts = dict[str, Any]


@dataclass
class Position:
    """A position whose moves are counted, with what is declared of it."""

    name: str
    players: int
    moves: list[str] = field(default_factory=list)
    options: Mapping[str, str] = field(default_factory=dict)
    declared: Mapping[str, Any] = field(default_factory=dict)
    """Facts that must hold, by the names of ``facts``; besides ``refused``, the code by move, empty
    for what is allowed, and ``after``, facts by move."""
    confirmed: bool = True
    """False while it is only what the game itself says."""
    counted: bool = True

    @property
    def shows(self) -> set[str]:
        """The kinds of examples that it is one of."""
        return set(self.name.split("; "))


def facts(match: Match) -> Facts:
    """All facts that may be declared of a position."""
    prompt, outcome, series = match.prompt, match.outcome, match.game.series
    found: Facts = {
        "asked": f"{seat_word(prompt.player)} {prompt.code}" if prompt else "",
        "table": [*listed(match.layout, "")],
        "supply": [dict(sorted((+one).items())) for one in supplies(match)],
        "scores": list(match.scores),
        "outcome": outcome.reason if outcome else "",
        "ranking": [[*group] for group in outcome.ranking] if outcome else [],
        "lines": [
            f"{seat_word(line.player)} {line.code} {line.points}" for line in score_lines(match)
        ],
    }  # fmt: skip
    if seats := seats_told(match):
        found["seats"] = [*seats]
    if outcome is not None and series is not None:
        found["series"] = [*series.points(outcome)]
        found["next_first"] = series.next_first(outcome)
    return found


def seats_told(match: Match) -> tuple[str, ...]:
    """By seat: the site before it; nothing where players sit as they like."""
    game, players = match.game, match.players
    sites = tuple(game.sits_at(seat, players, match.options) for seat in range(players))
    return sites if all(sites) else ()


def found_at(match: Match, position: Position) -> Facts:
    """The facts as they are now, of those that are declared of a position."""
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
            found[key] = {move: effect_of(match, move, then) for move, then in declared.items()}
        else:
            found[key] = known.get(key)
    return found


def seat_word(seat: int | None) -> str:
    """A seat as in the text of a move."""
    return "dealer" if seat is None else f"p{seat}"


def supplies(match: Match) -> list[Counter[str]]:
    """Pieces before each player, by kind."""
    return [match.state.supply(seat) for seat in range(match.players)]


def score_lines(match: Match) -> Sequence[ScoreLine]:
    """Sources of the points; none in a game that counts none."""
    found: Sequence[ScoreLine] = match.state.explain_scores() if match.game.counts_points else ()
    return found


def listed(layout: Layout, sign: str) -> Iterator[str]:
    """A layout as words: how many of a kind lie where, and how."""
    lying = Counter[tuple[str, str, str]]()
    for item, number in layout.items():
        whose = "" if item.owner is None else seat_word(item.owner)
        how = " ".join(filter(None, (item.pose, whose, "" if item.face == "up" else item.face)))
        lying[item.site, item.kind, how] += number
    for (site, kind, how), number in sorted(lying.items()):
        yield f"{site}: {sign}{number} {kind}" + (f" ({how})" if how else "")


def effect_of(match: Match, move: str, wanted: Sequence[str]) -> Facts:
    """The effect of a move, as far as it is ``wanted``."""
    before, after = Before(Position("", match.players), match, Move.parse(move)), match.clone()
    try:
        after.push(move)
    except GameError:
        return {"refused": next((one.code for one in match.why_not(move)), "")}
    return before.led(after, wanted)["after"][move]


def lead_apart(match: Match, other: Match, move: Move) -> bool:
    """True if something else is asked after a move, or other points are counted."""
    states = [one.state.clone() for one in (match, other)]
    for state in states:
        state.apply(move)
    told = [(state.prompt(), state.scores()) for state in states]
    return told[0] != told[1]


class Before:
    """A position before a move, as far as effects are told from it."""

    def __init__(self, here: Position, match: Match, move: Move) -> None:
        self.here, self.move = here, move
        self.layout, self.scores, self._supplies = match.layout, match.scores, supplies(match)

    def led(self, after: Match, wanted: Sequence[str]) -> dict[str, dict[str, Facts]]:
        """The effect of the move, as it is declared."""
        known = facts(after)
        gone, come = self.layout - after.layout, after.layout - self.layout
        known["table"] = [*listed(gone, "-"), *listed(come, "+")]
        known["supply"] = [
            {kind: change for kind in sorted({*was, *now}) if (change := now[kind] - was[kind])}
            for was, now in zip(self._supplies, supplies(after), strict=True)
        ]
        return {"after": {self.move.text: {key: known.get(key) for key in wanted}}}
