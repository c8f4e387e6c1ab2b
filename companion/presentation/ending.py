"""The end of a match in words and figures: who has won, the points row by row, and what decided it.

Free of Kivy. Nothing is in it but the outcome, and the lines that explain its points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.match.view import MatchView
from companion.presentation.boxes import box_of
from rules.box import Box, PieceKind, Stroke
from rules.core import Outcome, ScoreLine
from rules.games import find_game
from rules.telling import Teller

Sign = PieceKind | Stroke
"""A piece, or the outline of a place on the board."""


@dataclass(frozen=True, slots=True)
class Row:
    """Points of one origin."""

    code: str
    """Code of its lines."""
    label: str
    points: tuple[int, ...]
    """Points by seat."""
    sign: Sign | None
    best: int
    """Points of the line that brought the most."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A finished match, as it is celebrated and told."""

    title: str
    winners: tuple[int, ...]
    """Seats that are honoured; none if all have lost together."""
    order: tuple[int, ...]
    """All seats, the best first."""
    rows: tuple[Row, ...]
    scores: tuple[int, ...]
    """Points by seat; empty in a game that counts none."""
    reason: str
    """The end of the match in a sentence."""
    ahead: str
    """The lead of the winner; empty if there is none that points say."""
    decided: str
    """The reason of the victory, as a sentence."""
    row: int | None
    """Number of the row that decided it; None: no row did."""
    sign: Sign | None
    """The piece or place that decided it."""
    origin: str = ""
    """The only source of points, in place of its row, which would repeat the sum; else empty."""

    def counted(self, rows: int) -> tuple[int, ...]:
        """Points by seat after the first ``rows`` rows; without any, all."""
        if not self.rows:
            return self.scores
        return tuple(
            sum(r.points[seat] for r in self.rows[:rows]) for seat, _ in enumerate(self.scores)
        )


def ending_of(view: MatchView, lines: Sequence[ScoreLine], teller: Teller) -> Ending:
    """The end of the match of ``view``, which is over; ``lines`` explain its points."""
    outcome = view.outcome
    assert outcome is not None
    game, told = find_game(view.game), teller.outcome(outcome)
    first = outcome.ranking[0]
    rows = _rows(view, lines, teller) if view.counts_points else ()
    alike = len(first) == view.players
    decided, row = told.text, None
    counts = view.counts_points and game.most_points_win
    ahead = "" if alike or not counts else _ahead(outcome, teller)
    if counts and not game.goal and view.players > 1:
        decided, row = _decided(outcome, rows, teller)
    single = len(rows) == 1 and rows[0].points == outcome.scores and rows[0].sign is None
    return Ending(
        title=told.title,
        winners=() if outcome.reason in game.lost_together else first,
        order=tuple(seat for group in outcome.ranking for seat in group),
        rows=() if single else rows,
        # A table of noughts says nothing.
        scores=outcome.scores if view.counts_points and any((*rows, *outcome.scores)) else (),
        reason="" if decided == told.text else told.text,
        ahead=ahead,
        decided=decided,
        row=None if single else row,
        sign=_last_set(view) if row is None else rows[row].sign,
        origin=rows[0].label if single else "",
    )


def _last_set(view: MatchView) -> Sign | None:
    """The piece that a winner set with the last move."""
    assert view.outcome is not None
    first = view.outcome.ranking[0]
    found = [item for item in view.items if item.site in view.last_sites and item.owner in first]
    return box_of(view).kinds[found[-1].kind] if found else None


# -- rows -------------------------------------------------------------------------------------


def _rows(view: MatchView, lines: Sequence[ScoreLine], teller: Teller) -> tuple[Row, ...]:
    """Lines that are told alike, as one row; in the order of the game's texts."""
    box, codes = box_of(view), teller.keys_of("score")
    alike: dict[tuple[int, str], list[ScoreLine]] = {}
    for line in lines:
        place = codes.index(line.code) if line.code in codes else len(codes)
        alike.setdefault((place, teller.score_line(line)), []).append(line)
    assert view.outcome is not None
    colour = view.colours[view.outcome.ranking[0][0]]
    return tuple(
        Row(
            found[0].code,
            label[:1].upper() + label[1:],
            tuple(
                sum(one.points for one in found if one.player == seat)
                for seat in range(view.players)
            ),
            sign_of(found[0], box, colour),
            max(one.points for one in found),
        )
        for (_place, label), found in sorted(alike.items(), key=lambda item: item[0][0])
    )


def sign_of(line: ScoreLine, box: Box, colour: str) -> Sign | None:
    """The piece or place that the first telling parameter of a line names: a kind, a group, of
    which the one of ``colour`` is taken, an owner's colour, or a place that is drawn."""
    for name in (value for _key, value in line.params if isinstance(value, str)):
        if name in box.kinds:
            return box.kinds[name]
        grouped = [kind for kind in box.kinds.values() if kind.group == name]
        if grouped:
            return next((kind for kind in grouped if kind.owner == colour), grouped[0])
        owned = [kind for kind in box.kinds.values() if kind.owner == name]
        if owned:
            return next((kind for kind in owned if kind.shape in ("disc", "octagon")), owned[0])
        for stroke in box.strokes:
            if name in stroke.sites and stroke.kind in ("line", "polygon"):
                return stroke
    return None


# -- what decided it --------------------------------------------------------------------------


def _ahead(outcome: Outcome, teller: Teller) -> str:
    """The lead of the first over the next, if points say it."""
    first, second = outcome.ranking[:2]
    more = outcome.scores[first[0]] - max(outcome.scores[seat] for seat in second)
    if more <= 0:
        return ""
    if len(second) > 1:
        return teller.text("decided", "lead", points=more)
    return teller.text("decided", "ahead", points=more, second=teller.seat(second[0]))


def _decided(outcome: Outcome, rows: Sequence[Row], teller: Teller) -> tuple[str, int | None]:
    """The row by which the first is furthest ahead of the next, as a sentence, and its number;
    between equal points the rule for them."""
    first, others = outcome.ranking[0], outcome.ranking[1:]
    winners = _names(first, teller)
    if len(first) > 1:
        return teller.text("decided", "shared", winners=winners), None
    winner, second = first[0], max(others[0], key=lambda seat: outcome.scores[seat])
    lead = [row.points[winner] - row.points[second] for row in rows]
    if outcome.scores[winner] <= outcome.scores[second] or max(lead, default=0) <= 0:
        return teller.text("decided", "tie", winners=winners), None
    number = max(range(len(rows)), key=lead.__getitem__)
    row = rows[number]
    key = row.code if teller.has("decided", row.code) else "most"
    told = teller.text(
        "decided", key, row=row.label, points=row.points[winner], more=lead[number], best=row.best,
        second=teller.seat(second),
    )  # fmt: skip
    return told, number


def _names(seats: Sequence[int], teller: Teller) -> str:
    return teller.list([*map(teller.seat, seats)])
