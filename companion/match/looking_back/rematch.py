"""The next match after one that is over: the same again, and who begins it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.match.view import TableView
from companion.settings.manners import Commit
from companion.settings.people import MatchSetup
from rules.core import Actor
from rules.games import find_game
from rules.match import Match


def next_first(view: TableView) -> int | None:
    """The seat that begins the next match by the rules of the series; None if no rule says so."""
    series = find_game(view.game).series
    if series is None or view.outcome is None:
        return None
    return series.next_first(view.outcome)


def rematch_of(view: TableView) -> MatchSetup:
    """The same match again.

    If the first seat always begins, players change seats, with their colours, so that the right one
    sits there; if the table says who begins, they stay.
    """
    names, options, computers = view.names, dict(view.options), view.computers
    game = find_game(view.game)
    if game.series is not None and view.outcome is not None:
        options.update(game.series.next_options(view.outcome))
    first = next_first(view)
    if first and _first_seat_begins(view):
        # Whoever begins comes to the first seat; everybody keeps their pieces.
        names, colours = _from(names, first), _from(view.colours, first)
        computers = _from(computers, first)
        if game.palette:
            options = game.with_colours(options, colours)
    return MatchSetup(
        game=view.game,
        players=view.players,
        options=options,
        enforcement=view.enforcement,
        # Computer players are called what they are called wherever they sit.
        names=tuple(
            "" if seat < len(computers) and computers[seat] else name
            for seat, name in enumerate(names)
        ),
        physical=view.physical,
        commit=Commit.STILLNESS if view.hold_s else Commit.BUTTON,
        clock="" if view.clock is None else str(view.clock.plan),
        series=view.series,
        computers=tuple(computers),
        tips=view.tips,
    )


def _from(seats: Sequence[str], first: int) -> tuple[str, ...]:
    return (*seats[first:], *seats[:first])


def _first_seat_begins(view: TableView) -> bool:
    prompt = Match(view.game, view.players, view.options, physical=view.physical).prompt
    return prompt is not None and prompt.actor is Actor.PLAYER and prompt.player == 0
