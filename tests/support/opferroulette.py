"""Matches of Opferroulette that tests of the table share."""

from __future__ import annotations

from rules.box import load_box
from rules.match import Match

OFFERED = [
    *(f"offer p0 d{n}" for n in range(1, 11)),
    *(f"offer p1 n{n}" for n in range(1, 11)),
    *(f"offer neutral d{n}" for n in range(20, 30)),
]
BOX = load_box("stonehenge_anthology").for_game("opferroulette")


def played(*moves: str) -> Match:
    """Opferroulette with two players and own cards; the ball begins on 30."""
    match = Match("opferroulette", 2, physical=True)
    for text in (*(f"dealer {offer}" for offer in OFFERED), "dealer ball d30"):
        match.push(text)
    match.follow()
    for text in ("dealer start p0", *moves):
        match.push(text)
        match.follow()
    return match
