"""Checks that a game declares only what exists: prompts, sites, options, colours, reasons."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from rules.box import Box
from rules.core import COLOURS, Game, Outcome
from rules.players.craft import Craft
from rules.telling import load_text
from rules.testing.report import Report, fault


def check_declared(game: Game[Any], box: Box, report: Report) -> None:
    """Check all that stands in the class itself."""
    texts = load_text(game.id.partition("@")[0], "en", game.package)
    known: list[tuple[str, Iterable[str], Any, str]] = [
        ("beside", game.touch.beside, box.sites, "sites of the box"),
        ("private", game.touch.private or (), texts.get("prompts", {}), "codes of prompts"),
        ("lost_together", game.lost_together, game.outcomes, "reasons listed in outcomes"),
        ("pictures", game.touch.pictures(), box.kinds, "kinds of the box"),
    ]
    if game.palette:
        owners = {kind.owner for kind in box.kinds.values()}
        if game.watched:
            known.append(("palette", game.palette, owners, "owners of kinds in the box"))
        if len(game.palette) < max(game.players):
            told = f"palette has {len(game.palette)} colours for {max(game.players)} players"
            report.add(told, "Give it a colour for each seat")
    if game.ledger_option is not None:
        option, values = game.ledger_option
        known.append(("ledger_option", [option], game.options, "options"))
        known.append(
            ("ledger_option", values, game.options.get(option, ()), "values of its option")
        )
    if game.series is not None:
        known.append(("series.decides", game.series.decides, game.options, "options"))
    if game.watched != box.is_board:
        told = f"watched is {game.watched}, and the box has {len(box.corners)} corner stickers"
        report.add(told, "Let a game without a board say watched = False, and no other")
    for name, named, there, what in known:
        _only(report, name, named, there, what)
    if game.craft:
        _check_craft(game, report)


def _only(report: Report, name: str, named: Iterable[str], there: Any, what: str) -> None:
    if strange := sorted(set(named) - set(there)):
        report.add(f"{name} names {strange}", f"Name {what} in {name}, or nothing")


def _check_craft(game: Game[Any], report: Report) -> None:
    module, _, name = game.craft.partition(":")
    remedy = "Name a class derived from rules.players.craft.Craft as module:class, or no craft"
    try:
        found = getattr(import_module(module), name)
    except Exception as error:  # whatever it is, it is the finding
        report.add(f"the craft {game.craft} cannot be loaded: {fault(error)}", remedy)
        return
    if not (isinstance(found, type) and issubclass(found, Craft)):
        report.add(f"{game.craft} is no craft", remedy)


def check_setting(
    game: Game[Any], players: int, options: dict[str, str], box: Box, report: Report
) -> None:
    """Check the game's answers about one setting, before anything is played."""
    game.open_to_computers(options)
    build = game.touch.build(options)
    if build is not None:
        _only(report, "build", {block.kind for block in build.blocks}, box.kinds,
              "kinds of the box")  # fmt: skip


def check_series(game: Game[Any], outcome: Outcome, where: str, report: Report) -> None:
    """Check the points and the first player of the next match, by the game's series."""
    series, players = game.series, len(outcome.scores)
    if series is None:
        return
    points, first = series.points(outcome), series.next_first(outcome)
    if len(points) != players:
        told = f"the series has {len(points)} points for {players} players"
        report.add(f"{where}: {told}", "Let points have one number for each seat")
    elif len(outcome.ranking) > 1:
        best, last = points[outcome.ranking[0][0]], points[outcome.ranking[-1][0]]
        report.habits.series += best != last
        report.habits.series_right += best != last and (best < last) == series.lower_wins
    if first is not None and first not in range(players):
        told = f"seat {first} is to begin the next match"
        report.add(f"{where}: {told}", "Let next_first name a seat, or None")
    options = series.next_options(outcome)
    if strange := sorted(set(options) - set(series.decides)):
        told = f"the next match has {strange}"
        report.add(f"{where}: {told}", "Name in decides the options that a result decides")
    elif COLOURS not in options:
        game.complete_options(players, options)
