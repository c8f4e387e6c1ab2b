"""``python -m benchmarks [GROUP …] [--json]``."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain

from benchmarks import (
    bare_auto,
    bare_pieces,
    beliefs,
    displays,
    dominion,
    fingers,
    lamps,
    ledger,
    lens,
    look,
    matches,
    phones,
    photographs,
    play,
    playouts,
    rolls,
    seeing,
    thinking,
    touches,
    turns,
    ui,
    warm_start,
)

GROUPS = {
    "play": play.results,
    "dominion": dominion.results,
    "ledger": ledger.results,
    "vision": seeing.results,
    "matches": matches.results,
    "turns": turns.results,
    "ui": ui.results,
}
LONG = {
    "whole-matches": matches.whole,
    "beliefs": beliefs.results,
    "look": look.results,
    "photographs": photographs.results,
    "bare-pieces": lambda: chain(bare_pieces.results(), bare_auto.results()),
    "playouts": playouts.results,
    "rolls": rolls.results,
    "thinking": thinking.results,
    "touches": touches.results,
    "fingers": fingers.results,
    "lamps": lamps.results,
    "lens": lens.results,
    "phones": phones.results,
    "ui-moves": ui.every_game,
    "displays": displays.results,
    "warm-start": warm_start.results,
}
"""Groups that take long; they run only when they are named."""


def main() -> int:
    """Run the groups named, or all but the long ones."""
    groups = GROUPS | LONG
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("group", nargs="*", help=f"any of: {', '.join(GROUPS | LONG)}")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    given = parser.parse_args()
    if unknown := [group for group in given.group if group not in groups]:
        parser.error(f"there is no group '{unknown[0]}'; there are: {', '.join(groups)}")
    for group in given.group or GROUPS:
        for result in groups[group]():
            print(json.dumps(result.to_json()) if given.json else result.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
