"""Opferroulette as the tests lay it out: a position, and moves made on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.games.opferroulette import GAME
from rules.games.opferroulette.components import CARDS, DAY, NIGHT, PITS
from rules.games.opferroulette.state import OpferrouletteState

RED_HAND = "d5 d11 n29 n2 t-white"


def position(
    players: int = 3,
    hand: str = RED_HAND,
    ball: tuple[int, str] = (12, "cw"),
    *,
    pits: Mapping[str, Sequence[int]] | None = None,
    pile: str | None = None,
    through: int = 0,
    **options: str,
) -> OpferrouletteState:
    """Position in which p0 is to move with ``hand``; the others hold five cards each of the rest.

    Offerings lie singly, on none of the fields 17, 23 and 29 but for those named in ``pits``.
    """
    asked = hand.split() + (pile or "").split()
    free = [card for card in CARDS if card not in asked]
    spare = [card for card in (*NIGHT[9:28], *DAY[18:28]) if card in free]
    hands = [hand.split(), *(spare[5 * n : 5 * n + 5] for n in range(players - 1))]
    free = [card for card in free if not any(card in held for held in hands)]
    lying = {pit: list(owners) for pit, owners in (pits or {}).items()}
    owners = range(players + (players == 2))
    rest = [
        owner
        for owner in owners
        for _ in range(10 - sum(named.count(owner) for named in lying.values()))
    ]
    places = [p for p in PITS if p.split("-")[0] not in ("17", "23", "29")]
    lying.update({pit: [owner] for pit, owner in zip(places, rest, strict=False)})
    data = GAME.setup(players, GAME.complete_options(players, options), False).to_json()
    data |= {
        "phase": "turn",
        "undrawn": [],
        "pits": lying,
        "ball": list(ball),
        "hands": hands,
        "pile": free if pile is None else pile.split(),
        "discards": [] if pile is None else free,
        "drawn": 5 * players,
        "through": through,
    }
    return GAME.from_json(data)
