"""Box files: every complaint names file, line and key, and says what to do."""

from __future__ import annotations

import re

import pytest

from rules.box import BoxError, box_ids, load_box, parse_box
from rules.box.checks import reach_of
from rules.box.file import File
from tests.support.box_file import FILE_TEXT, TABLES, required


def test_a_box_file_reads() -> None:
    box = parse_box(FILE_TEXT, "b.toml")
    assert box.site_at((-23, 3)) is box.sites["A"]
    assert (box.sites["A"].radius, box.sites["A"].drawn) == (18, 6)
    assert box.sites["B"].drawn == 18
    assert box.kind_of_sticker[9].id == "stone black"
    assert box.strokes[0].weight == "strong"
    assert box.for_game("trac").sites["bag"].at == (0, 150)
    assert box.keeps_supplies(box.sites["bag"])


@pytest.mark.parametrize(
    ("old", "new", "line", "complaint"),
    [
        ("radius = 18\ndrawn", "radius = 'x'\ndrawn", 29, "site A.radius: expected a number of mm"),
        ("drawn_radius = 6", "radiuss = 6", 30, "A.radiuss: unknown key; did you mean 'radius'?"),
        ("drawn_radius = 6", "drawn_radius = 19", 30, "not larger than radius"),
        ("radius = 18\ncol", "col", 34, "site B: needs either a radius, if"),
        ("at = [20, 0]", "at = [20]", 37, "site B.at: expected a point [x, y] in mm, found [20]"),
        ("at = [20, 0]", "at = [20, nan]", 37, "site B.at: expected a number up to"),
        ("at = [20, 0]", "at = [15, 0]", 38, "site B.radius: B reaches 1.0 mm into A"),
        ("at = [20, 0]", "at = [90, 0]", 37, "printed = false if it is a place beside"),
        ("at = [20, 0]", "at = [70, 60]", 37, "would hide corner sticker 1; move one"),
        ('id = "B"', 'id = "A"', 35, "there is a site 'A' already"),
        ('id = "B"', 'id = "B B"', 35, "expected one word"),
        ('takes = ["stone"]\nneighbours = ["B"]', 'takes = ["disc"]\nneighbours = ["B"]', 31,
         "site A.takes: no piece is of group 'disc'; there are: stone"),
        ('neighbours = ["A"]', "neighbours = []", 32, "but B does not name A; add it there, or"),
        ('neighbours = ["A"]', 'neighbours = ["A", "C"]', 41, "there is no site 'C'"),
        ('neighbours = ["A"]', 'neighbours = ["A"]\none_way = ["A"]', 42, "remove 'A' here"),
        ('colour = "pale"', 'colour = "pail"', 39, "did you mean 'pale'?"),
        ('pale = "#e0e0d0"', 'pale = "white"', 6, "box.colours.pale: expected a colour such as"),
        ("room = 9", "room = 0", 48, "expected a whole number from 1 to"),
        ("printed = false", "printed = 0", 50, "expected true or false, found 0"),
        ("size = [60, 40]", "sise = [60, 40]", 52, "site bag.otherwise.trac.sise: unknown key"),
        ("size = [200, 200]", "size = [200]", 4, "box.size: expected two lengths above 0"),
        ('de = "Brett", ', "", 3, "box.names: the name for the language 'de' is missing"),
        ("DICT_4X4_50", "DICT_4X4", 5, "OpenCV has no sticker dictionary 'DICT_4X4'"),
        ("at = [80, 80]", "at = [90, 80]", 14, "a sticker 32 mm wide with its rim does not fit"),
        ("at = [80, 80]", "at = [-70, -80]", 8, "must go around the board clockwise"),
        ("id = 1\n", "id = 0\n", 13, "another corner has sticker 0 already"),
        ("id = 1\n", "", 12, "corner[1].id: is missing"),
        ("stickers = [9]", "stickers = [8, 2]", 56, "2 is already on a corner"),
        ("stickers = [9]", "stickers = [50]", 56, "DICT_4X4_50 has the stickers 0 to 49"),
        ("stickers = [9]", "stickers = [true]", 56, "expected a whole number, found True"),
        ("sticker_mm = 16\n", "", 54, "pieces with stickers need their size"),
        ("sticker_mm = 16", "sticker_mm = 2", 57, "at least 2.8 mm are needed"),
        ("sticker_mm = 16", "sticker_mm = 24", 57, "do not fit on a piece 30.0 mm wide; 22.5 mm"),
        ('shape = "disc"\nsize = [30, 30]\ncolour = "#2', 'shape = "coin"\ncolour = "#2', 58,
         "expected one of disc, octagon, box, pawn, bar, arch, card, found 'coin'"),
        ('back = "stone back"', 'back = "stone b"', 62, "there is no kind 'stone b'"),
        ('colour = "#d0d0c0"', 'colour = "#d0d0c"', 68, 'kinds."stone back".colour: expected'),
        ("[[stroke]]", '[kinds.twin]\ngroup = "stone"\nshape = "disc"\nsize = [30, 30]\n'
         'colour = "#D0D0C0"\ncount = 1\n[[stroke]]', 75, "cannot tell this from stone back"),
        ("[[stroke]]", '[kinds.bar]\ngroup = "bar"\nshape = "bar"\nsize = [30, 9]\n'
         'colour = "#D0D0C0"\ncount = 1\n[[stroke]]', 72, "add it to 'takes' of the sites"),
        ('kind = "line"', 'kind = "lines"', 72, "expected one of line, polygon, circle, text"),
        (",\n          [20, 0]]", "]", 74, "stroke[0].points: a line needs two points or more"),
        ('"line"', '"polygon"', 74, "a polygon needs three points or more"),
        ('"line"', '"circle"', 74, "has one point, its middle"),
        ("[20, 0]]", "[20, 0, 0]]", 75, "expected a point [x, y] in mm"),
        ("[20, 0]]", "[-80, 83]]", 74, "mm into the white rim of corner sticker 0"),
        ("width = 2\n", "", 71, "stroke[0].width: a line needs a width above 0 mm"),
        ("width = 2\n", "width = -2\n", 77, "expected a length of 0 or more"),
        ("width = 2\n", 'width = 2\nweight = "thick"\n', 78, "expected one of strong, faint"),
        ('sites = ["A", "B"]', 'sites = ["A",\n"X"]', 79, "there is no site 'X'"),
        ('role = "path"', 'role = "pa\\u202eth"', 73, "stroke.role: contains letters that cannot"),
        ("[box]", "[bocks]", 1, "bocks: unknown key; there are: box,"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_file_line_and_key(
    old: str, new: str, line: int, complaint: str
) -> None:
    assert FILE_TEXT.count(old) >= 1
    with pytest.raises(BoxError) as refused:
        parse_box(FILE_TEXT.replace(old, new, 1), "b.toml")
    assert str(refused.value).startswith(f"b.toml, line {line}: ")
    assert complaint in str(refused.value)
    said = refused.value.sentence.told("de")
    assert said.startswith(f"b.toml, Zeile {line}: ") and "{" not in said


def test_what_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BoxError, match=r"b\.toml, line 3 is not valid TOML: ") as refused:
        parse_box('[box]\nid = "b"\nnames = x', "b.toml")
    assert refused.value.code == "bad_toml"


def test_every_key_that_must_be_there_is_missed() -> None:
    """And no other: whatever has a default may be left out, as far as sense allows."""
    blocks = re.split(r"(?m)^(?=\[)", FILE_TEXT)
    for number, block in enumerate(blocks):
        table = re.match(r"\[+([a-z]+)", block)
        keys = required(TABLES[table[1]]) if table else ()
        for key in re.findall(r"(?m)^([a-z_]+) = ", block):
            if key not in keys:
                continue
            without = re.sub(rf"(?m)^{key} = [^\n]*(\n +[^\n]*)*\n", "", block)
            with pytest.raises(BoxError, match=f"{key}: is missing") as refused:
                parse_box("".join([*blocks[:number], without, *blocks[number + 1 :]]), "b.toml")
            start = "".join(blocks[:number]).count("\n") + 1
            assert f"line {start}:" in str(refused.value)
    with pytest.raises(BoxError, match="corner: is missing"):
        parse_box("".join(b for b in blocks if not b.startswith("[[corner")), "b.toml")
    assert required(File) == ["box", "corner"]


def test_a_way_without_return_may_be_meant() -> None:
    text = FILE_TEXT.replace('neighbours = ["B"]', 'neighbours = ["B"]\none_way = ["B"]')
    box = parse_box(text.replace('neighbours = ["A"]', "neighbours = []"), "b.toml")
    assert box.sites["A"].neighbours == ("B",) and not box.sites["B"].neighbours


def test_sites_that_take_other_pieces_or_belong_to_other_games_may_overlap() -> None:
    closer = FILE_TEXT.replace("at = [20, 0]", "at = [10, 0]")
    alone = closer.replace('id = "B"', 'id = "B"\ngames = ["tric"]')
    assert parse_box(alone.replace('id = "A"', 'id = "A"\ngames = ["trac"]'), "b.toml")
    with pytest.raises(BoxError, match="B reaches 6"):
        parse_box(alone, "b.toml")


def test_boxes_that_come_with_heelstone_know_where_pieces_belong() -> None:
    for name in box_ids():
        for site in load_box(name).sites.values():
            assert min(reach_of(site)) > 0


@pytest.mark.parametrize(
    ("stroke", "by"),
    [
        ('kind = "circle"\npoints = [[0, 0]]\nwidth = 93', 2.5),
        ('kind = "circle"\npoints = [[0, 0]]\nwidth = 90', None),
        ('kind = "circle"\npoints = [[0, 0]]\nwidth = 140', None),
        ('kind = "polygon"\npoints = [[-66, 90], [-66, -90], [62, -90], [62, 90]]\nwidth = 0', 2.0),
        (
            'kind = "polygon"\npoints = [[-99, 99], [99, 99], [99, -99], [-99, -99]]\nwidth = 0',
            None,
        ),
        ('kind = "line"\npoints = [[-60, 64], [-60, -64]]\nwidth = 2', None),
        ('kind = "line"\npoints = [[0, 160], [-160, 0]]\nwidth = 2', 17.0),
        ('kind = "text"\ntext = "HENGE"\npoints = [[-52, 80]]\nwidth = 8', None),
        ('kind = "text"\ntext = "STONEHENGE"\npoints = [[-52, 80]]\nwidth = 8', 12.0),
    ],
)
def test_what_is_drawn_keeps_out_of_the_rims_of_the_corners(stroke: str, by: float | None) -> None:
    text = f'{FILE_TEXT}\n[[stroke]]\nrole = "art"\ncolour = "#303030"\n{stroke}\n'
    if by is None:
        assert len(parse_box(text, "b.toml").strokes) == 2
        return
    with pytest.raises(BoxError, match=rf"line \d+: stroke\[1\].points: .*{by} mm into") as refused:
        parse_box(text, "b.toml")
    assert refused.value.params["half"] == "16"
