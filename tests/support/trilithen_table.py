"""Trilithen Knallen as the tests lay it out: a position, and moves made on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rules.games.trilithen_knallen import GAME
from rules.games.trilithen_knallen.state import TrilithenState
from tests.support.rulings import play

COLOURS = ("white", "blue", "green", "yellow", "red")
Places = Mapping[str, int | str]
P: Places = {"white": 20, "blue": 6, "green": 25}
"""Trilithons of position P by their lower field: white 20–21, blue 6–7, green 25–26."""
NEEDED = ("n9", "n4", "n5", "n13")
SPOTS_OF_Q = ("A7", "A2", "A11", "A1")


def position(
    trilithons: Places = P,
    *,
    players: int = 3,
    hand: Sequence[int] = (1, 6, 20, 30),
    hand_of: int = 0,
    points: Sequence[Mapping[str, int]] | None = None,
    physical: bool = False,
    **options: str,
) -> TrilithenState:
    """Bars white, blue, green, yellow, red round and round; no display card is bound."""
    start = GAME.setup(players, GAME.complete_options(players, options), False).to_json()
    start["bars"] = {str(n): COLOURS[(n - 1) % 5] for n in range(1, 31)}
    start["trilithons"] = dict(trilithons)
    rest = [n for n in range(30, 0, -1) if n not in hand]
    size = 6 if players == 2 else 4
    hands = []
    for seat in range(players):
        cards = list(hand) if seat == hand_of else [rest.pop() for _ in range(size)]
        hands.append([f"d{n}" for n in sorted(cards)])
    start["hands"], start["pile"] = hands, [f"d{n}" for n in sorted(rest)]
    start["phase"], start["turn"] = "place", hand_of
    if points is not None:
        start["points"] = [{name: n for name, n in held.items() if n} for held in points]
    if physical:
        start["physical"] = True
        start["hands"], start["pile"], start["gone"] = [size] * players, 30 - size * players, 0
        unseen = {f"d{n}": 1 for n in range(1, 31)}
        zones = {f"p{seat}": {"unknown": {"0": size}} for seat in range(players)}
        zones["pile"] = {"unknown": {"0": 30 - size * players}}
        start["zones"] = {"zones": zones, "pools": [unseen]}
    return GAME.from_json(json.loads(json.dumps(start)))


def turn_up(
    state: TrilithenState, cards: Sequence[str], spots: Sequence[str], seat: int = 0
) -> TrilithenState:
    for spot, card in zip(spots, cards, strict=False):
        play(state, f"p{seat} flip {spot}", f"dealer show {spot} {card}")
    return state


def sequence_q(state: TrilithenState, cards: Sequence[str] = NEEDED) -> TrilithenState:
    """p0 places white on 1–2, rams clockwise and turns up green, yellow, red, white."""
    play(state, "p0 place white d1 2", "p0 ram white cw")
    return turn_up(state, cards, SPOTS_OF_Q)


def places(state: TrilithenState) -> dict[str, Any]:
    return dict(state.to_json()["trilithons"])


def held(state: TrilithenState, seat: int) -> dict[str, int]:
    return dict(state.to_json()["points"][seat])


def prompt_of(state: TrilithenState) -> tuple[str, int | None, str]:
    prompt = state.prompt()
    assert prompt is not None
    return prompt.actor.value, prompt.player, prompt.code


TWO: Places = {"white": 20, "green": 10, "blue": 6, "yellow": 25}


def lives_of(state: TrilithenState) -> tuple[list[int], list[list[int]]]:
    data = state.to_json()
    return data["lives"], data["won_bars"]
