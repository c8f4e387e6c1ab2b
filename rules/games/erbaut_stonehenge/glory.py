"""3.8 Points of glory (Ruhmpunkte)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core import ScoreLine
from rules.games.erbaut_stonehenge.components import FIELDS, FIRST_D, FIRST_T
from rules.games.erbaut_stonehenge.state import ErbautState

BLOCK, DOLERITE, TRILITHON, TRILITHON_PAIR = 1, 2, 8, 5
PAIR = 1
RUN = 5
PIECES = {"block": "bar", "dolerite": "disc", "trilithon": "trilithon"}
"""Groups of pieces of the box that points are made with."""
BLOCK_RUN, DOLERITE_RUN = 4, 3
"""Length from which a run of blocks or dolerites brings five more points."""


def runs(own: Sequence[bool], ring: bool) -> list[int]:
    """Lengths of the maximal runs of a player's sites; in a ring the last is next to the first."""
    if ring and all(own):
        return [len(own)]
    found, length = [], 0
    for here in own:
        if here:
            length += 1
        elif length:
            found.append(length)
            length = 0
    if length:
        # ES23: 30 is next to 1.
        if ring and own[0] and found:
            found[0] += length
        else:
            found.append(length)
    return found


def lines(state: ErbautState, seat: int) -> list[ScoreLine]:
    """The origins of a player's points; only those that bring any."""
    # 3.5: the owner of the neutral blocks counts them as their own.
    owners = {seat, state.players} if state.neutral_owner == seat else {seat}
    own = [owner in owners for owner in state.built]
    ring, chain, arches = own[:FIELDS], own[FIRST_D:FIRST_T], own[FIRST_T:]
    blocks, dolerites = runs(ring, ring=True), runs(chain, ring=False)
    trilithons = runs(arches, ring=state.trilith_ring)
    counts = (
        ("block", sum(blocks), BLOCK),
        ("block_pair", pairs(blocks, FIELDS), PAIR),
        ("block_run", sum(run >= BLOCK_RUN for run in blocks), RUN),
        ("dolerite", sum(dolerites), DOLERITE),
        ("dolerite_pair", pairs(dolerites), PAIR),
        ("dolerite_run", sum(run >= DOLERITE_RUN for run in dolerites), RUN),
        ("trilithon", sum(trilithons), TRILITHON),
        (
            "trilithon_pair",
            pairs(trilithons, len(arches) if state.trilith_ring else 0),
            TRILITHON_PAIR,
        ),
    )
    return [
        ScoreLine(
            seat, code, count * each, (("piece", PIECES[code.partition("_")[0]]), ("count", count))
        )
        for code, count, each in counts
        if count
    ]


def pairs(lengths: Sequence[int], circle: int = 0) -> int:
    """Adjacent pairs in runs of these lengths; a run that fills the circle closes it."""
    return sum(run if run == circle else run - 1 for run in lengths)


def glory(state: ErbautState, seat: int) -> int:
    """Points of a player."""
    return sum(line.points for line in lines(state, seat))
