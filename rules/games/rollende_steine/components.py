"""4.1 to 4.3: discs, cushions and gates, and the courses they stand in."""

from __future__ import annotations

# 4.1 Components; RS13: colours by seat, clockwise.
COLOURS = ("white", "blue", "green", "yellow", "red")

DISCS = 10

CUSHIONS = 10

MOST_RELOCATED = 2

GATES = ("G1", "G2", "G3", "G4", "G5")

# 4.2 Neutral discs each player gets, by number of players; what is left over stays in the box.
NEUTRAL_SHARE = {1: 40, 2: 15, 3: 6, 4: 2, 5: 0}

# 4.3 Courses. The default stands on the marked fields; ``podest`` and ``mauer`` are for beginners.
COURSES = (
    "marked", "podest", "pyramide", "mauer", "dach", "keil", "treppe", "mann", "wasserlaeufer",
    "own",
)  # fmt: skip

ALL_GATES = (1 << len(GATES)) - 1

NOBODY = -1

# A match asks for a step (cushion, relocate, roll), then for the result of the disc.
STEP, ROLL = "step", "roll"

MARKED_KINDS = tuple(f"trilithon {colour}" for colour in COLOURS)
