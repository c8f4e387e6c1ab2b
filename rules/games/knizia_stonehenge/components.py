"""1.1, 1.2 Board and pieces of Knizia's Stonehenge as tables; fields and lines are numbers too."""

from __future__ import annotations

# 1.2 Board: 18 fields, 15 lines of two to five fields, each field on three lines.
FIELDS = "ABCDEFGHIJKLMNOPQR"
LINES: dict[str, str] = {
    "H1": "AB", "H2": "CDE", "H3": "FGHI", "H4": "JKLMN", "H5": "OPQR",
    "L1": "ACFJ", "L2": "BDGKO", "L3": "EHLP", "L4": "IMQ", "L5": "NR",
    "R1": "BEIN", "R2": "ADHMR", "R3": "CGLQ", "R4": "FKP", "R5": "JO",
}  # fmt: skip
LINE_IDS = tuple(LINES)
WAYS = {"H": "across", "L": "rising", "R": "falling"}
"""The way that lines run, by the first letter of their names."""

# 1.1 Components, per player.
STONES = (1, 1, 2, 2, 3, 3, 4, 5, 6)
MEGALITHS = 8
COLOURS = ("black", "brown")

VALUES = (1, 2, 3, 4, 5, 6)
UNKNOWN = 0
"""Value of a face-down stone that a physical table has not shown yet."""

FIELD = {name: index for index, name in enumerate(FIELDS)}
LINE = {name: index for index, name in enumerate(LINE_IDS)}
FIELDS_OF = tuple(tuple(FIELD[f] for f in LINES[line]) for line in LINE_IDS)
"""The fields of each line, in its order."""
LINES_OF = tuple(
    tuple(line for line, fields in enumerate(FIELDS_OF) if field in fields)
    for field in range(len(FIELDS))
)
"""The three lines of each field, in the order H, L, R."""
