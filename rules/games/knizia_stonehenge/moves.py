"""Every move of Knizia's Stonehenge (1.4, 1.7), built once."""

from __future__ import annotations

from rules.core import Actor, Move
from rules.games.knizia_stonehenge.components import FIELDS, LINE_IDS, VALUES
from rules.hidden import UNSEEN

PLACE = tuple(
    tuple(tuple(Move.of(p, "place", v, f) for f in FIELDS) for v in range(7)) for p in (0, 1)
)
"""By seat, value (0 is never used) and field."""
PLACE_UNSEEN = tuple(tuple(Move.of(p, "place", UNSEEN, f) for f in FIELDS) for p in (0, 1))
CLAIM = tuple(tuple(Move.of(p, "claim", line) for line in LINE_IDS) for p in (0, 1))
DONE = tuple(Move.of(p, "done") for p in (0, 1))
SHOW = tuple({v: Move.of(Actor.TABLE, "show", f, v) for v in VALUES} for f in FIELDS)
"""By field and value."""
