"""Erbaut Stonehenge as the tests lay it out: positions, projects and offers."""

from __future__ import annotations

from typing import Any

from rules.core import Options
from rules.games.erbaut_stonehenge import GAME
from rules.games.erbaut_stonehenge.state import ErbautState
from tests.support.rulings import play


def dealt(
    hands: list[str], display: str, start: int = 0, options: Options | None = None
) -> ErbautState:
    """A match with these hands and this display dealt."""
    players = len(hands)
    state = GAME.setup(players, GAME.complete_options(players, options or {}), False)
    rows = [hand.split() for hand in hands]
    moves = [f"dealer draw p{p} {rows[p][i]}" for i in range(3) for p in range(players)]
    moves += [f"dealer draw display {card}" for card in display.split()]
    return play(state, " · ".join([*moves, f"dealer start p{start}"]))


def position(**changes: Any) -> ErbautState:
    """A position of three players in p0's project phase, with everything named changed.

    Cards that are named nowhere lie in the pile.
    """
    state = GAME.setup(3, GAME.complete_options(3, changes.pop("options", {})), False)
    state.lay_trilithons_in()
    data = state.to_json()
    data.update(phase="project", first_round=0)
    gone: list[str] = changes.pop("pile_only", None) or []
    data.update(changes)
    placed = [card for hand in data["hands"] for card in hand]
    placed += [card for cards in data["influence"] for card in cards]
    placed += data["display"] + [card for card, _ in data["under"]]
    placed += [project["card"] for project in data["projects"] if project]
    rest = [card for card in data["pile"] if card not in placed]
    if gone:
        data["gone"] = [card for card in rest if card not in gone]
        rest = gone
    data["pile"] = rest
    return GAME.from_json(data)


def project(card: str, stage: str, stolen: bool = False, disc: bool = False) -> dict[str, Any]:
    return {"card": card, "stage": stage, "stolen": stolen, "disc": disc}
