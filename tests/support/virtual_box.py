"""A small made-up box with everything a box can hold, for the tests of the virtual table."""

import random

from rules.box import Box, parse_box
from rules.core import Item, Layout

_SITES = {
    "P1": 'kind = "pit"\nat = [-120, 80]\nradius = 22\ntakes = ["disc", "druid"]',
    "P2": 'kind = "pit"\nat = [-40, 80]\nradius = 22\ntakes = ["disc", "druid"]',
    "P3": 'kind = "pit"\nat = [40, 80]\nradius = 22\ntakes = ["disc", "druid", "ball"]',
    "P4": 'kind = "pit"\nat = [120, 80]\nradius = 22\ntakes = ["disc", "druid", "ball"]',
    "D": 'kind = "pile"\nat = [-130, -60]\nsize = [70, 100]\ntakes = ["card", "card back"]',
    "E": 'kind = "pile"\nat = [-50, -60]\nsize = [70, 100]\ntakes = ["card", "card back"]',
    "F": 'kind = "yard"\nat = [100, -60]\nsize = [150, 90]\ntakes = ["bar", "arch"]\nroom = 4',
}

_KINDS = {
    "disc red": ("disc", "red", [10], 16, 8, "octagon", [32, 32], "#a8322a", 9, ""),
    "druid red": (
        "druid", "red", [11], 12, 34, "pawn", [24, 24], "#b8402e", 3,
        'poses = ["standing", "lying"]',
    ),
    "druid blue": (
        "druid", "blue", [12], 12, 34, "pawn", [24, 24], "#2f5a9a", 3,
        'poses = ["standing", "lying"]',
    ),
    "card sun": (
        "card", "", [20], 18, 0.3, "card", [56, 87], "#e8dcb8", 6,
        'mark = "Sun"\nback = "card back"',
    ),
    "card moon": (
        "card", "", [21], 18, 0.3, "card", [56, 87], "#cfd6e0", 6,
        'mark = "Moon"\nback = "card back"',
    ),
    "card back": ("card back", "", [22], 18, 0.3, "card", [56, 87], "#3c5a48", 12, ""),
    "bar": ("bar", "", [30], 10, 9, "bar", [60, 14], "#8d8d88", 3, ""),
    "arch": ("arch", "blue", [31], 10, 40, "arch", [60, 16], "#9a9a94", 3, ""),
    "ball": ("ball", "", [32], 12, 14, "disc", [26, 26], "#d0b040", 1, 'poses = ["cw", "ccw"]'),
}  # fmt: skip

_HEAD = """
[box]
id = "mini"
names = { de = "Klein", en = "Mini" }
size = [440, 320]
dictionary = "DICT_4X4_100"
colours = { board = "#c9b48a", table = "#4c3a30", pit = "#5b4a3c", pile = "#a08a60" }

[[stroke]]
kind = "text"
role = "title"
points = [[0, 130]]
colour = "#5b3a1c"
width = 10
text = "Drüidenkreis"

[[stroke]]
kind = "polygon"
role = "frame"
points = [[-150, 110], [150, 110], [150, 50], [-150, 50]]
colour = "#8a6a3c"
width = 2

[[stroke]]
kind = "circle"
role = "sun"
points = [[0, 0]]
colour = "#d8c080"
width = 9
"""


def mini_box() -> Box:
    """The box."""
    parts = [_HEAD]
    for number, (x, y) in enumerate([(-200, 140), (200, 140), (200, -140), (-200, -140)]):
        parts.append(f"[[corner]]\nid = {number}\nat = [{x}, {y}]\nsize = 24")
    parts.extend(f'[[site]]\nid = "{name}"\n{rest}' for name, rest in _SITES.items())
    for name, row in _KINDS.items():
        group, owner, stickers, side, height, shape, size, colour, count, more = row
        parts.append(
            f'[kinds."{name}"]\ngroup = "{group}"\nowner = "{owner}"\nstickers = {stickers}\n'
            f'sticker_mm = {side}\nheight = {height}\nshape = "{shape}"\nsize = {size}\n'
            f'colour = "{colour}"\ncount = {count}\n{more}'
        )
    return parse_box("\n".join(parts), "mini.toml")


def random_layout(box: Box, seed: int) -> Layout:
    """Stones, some of them face down, and megaliths at random sites."""
    rng = random.Random(seed)
    layout = Layout()
    stones = [
        kind for kind in box.kinds.values() if kind.group == "stone" for _ in range(kind.count)
    ]
    rng.shuffle(stones)
    fields = [site.id for site in box.sites.values() if site.kind == "field"]
    for site, kind in zip(rng.sample(fields, rng.randrange(19)), stones, strict=False):
        hidden = rng.random() < 0.3
        shown = kind.back if hidden else kind.id
        layout[Item(site, shown, face="down" if hidden else "up")] += 1
    ends = [site.id for site in box.sites.values() if site.kind == "line end"]
    for site in rng.sample(ends, rng.randrange(12)):
        layout[Item(site, rng.choice(["megalith black", "megalith brown"]))] += 1
    return layout
