"""Box files and one's own boards over them: read, and refused with file, key and reason."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from rules.box import BoxError, box_ids, load_box, parse_box
from rules.box.checks import reach_of, stickers_on
from rules.box.file import File
from rules.box.override import (
    BoxOverride,
    SitePlace,
    is_override,
    load_override,
    overridden,
    override_text,
    parse_override,
    similarity,
)
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
        ("room = 9", "room = 3\nheap = 2", 49, "at least as many as are seen side by side"),
        ("room = 9", "room = 9\nheap = 20", 48, "of stone black only 2 fit here side by side"),
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
         "expected one of disc, octagon, hexagon, box, pawn, bar, arch, card, die, found 'coin'"),
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


def test_a_corner_sticker_may_cover_places_if_the_file_says_so() -> None:
    below = FILE_TEXT.replace("at = [20, 0]", "at = [70, 60]").replace(
        "\nid = 1\n", "\nid = 1\ncovers = true\n"
    )
    box = parse_box(below, "b.toml")
    assert stickers_on(box.sites["B"], box) == [box.corners[1]]
    assert not stickers_on(box.sites["A"], box)


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


BOX = load_box("knizia_stonehenge")
SAME = BoxOverride(BOX.id, BOX.size)


@pytest.mark.parametrize("name", box_ids())
def test_every_box_survives_being_written_as_an_override_and_laid_over_itself(name: str) -> None:
    box = load_box(name)
    override = BoxOverride(
        box.id, box.size, {c.id: c.at for c in box.corners},
        {site.id: SitePlace.of(site) for site in box.sites.values()},
    )  # fmt: skip
    read = parse_override(override_text(override), "it")
    laid = overridden(box, read)
    for site in box.sites.values():
        assert math.dist(laid.sites[site.id].at, site.at) < 0.01
        assert laid.sites[site.id].neighbours == site.neighbours
    assert laid.corners == box.corners
    for old, new in zip(box.strokes, laid.strokes, strict=True):
        assert all(math.dist(a, b) < 0.02 for a, b in zip(old.points, new.points, strict=True))
    assert override_text(read) == override_text(override)


def test_what_is_not_named_stays_where_it_is_printed() -> None:
    laid = overridden(BOX, replace(SAME, sites={"C": SitePlace((5.0, 6.0), 9.0)}))
    assert laid.sites["C"].at == (5.0, 6.0) and laid.sites["C"].radius == 9.0
    assert laid.sites["D"] == BOX.sites["D"]
    assert laid.corners == BOX.corners
    assert next(s for s in laid.printed_sites if s.id == "C").at == (5.0, 6.0)


def test_the_lines_of_the_board_follow_its_fields() -> None:
    laid = overridden(BOX, replace(SAME, sites={"C": SitePlace((5.0, 6.0), 9.0)}))
    at = BOX.sites["C"].at
    touched = [
        n for n, s in enumerate(BOX.strokes) if any(math.dist(p, at) < 0.5 for p in s.points)
    ]
    assert touched
    for number in touched:
        assert (5.0, 6.0) in laid.strokes[number].points


def test_the_outline_is_kept_and_says_what_lies_beside_the_board() -> None:
    x, y = (side / 2 - 10 for side in BOX.size)
    corners = ((-x, y), (x, y - 5), (x, -y), (-x, -y))
    laid = overridden(BOX, parse_override(override_text(replace(SAME, outline=corners)), "it"))
    assert laid.rim == laid.outline == corners
    assert laid.is_on_board((x - 1, y - 7)) and not laid.is_on_board((x - 1, y - 2))
    assert BOX.outline == () and "outline" not in override_text(SAME)
    assert BOX.is_on_board((x + 9, y + 9)) and not BOX.is_on_board((x + 11, 0))


def test_a_box_limited_to_one_game_may_be_overridden_too() -> None:
    box = load_box("stonehenge_anthology")
    sites = {name: SitePlace.of(site) for name, site in box.sites.items()}
    override = BoxOverride(box.id, box.size, {}, sites)
    small = overridden(box.for_game("hoher_rat"), override)
    assert set(small.sites) == set(box.for_game("hoher_rat").sites)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[override", "not valid TOML"),
        ("[override]\nsize = [1, 1]", "override.box: is missing"),
        ('[override]\nbox = "x"\nsize = [0, 9]', "override.size: expected two lengths above 0"),
        ('[override]\nbox = "x"\nsize = [1, 2]\n[corner]', "corner: unknown key"),
        (
            '[override]\nbox = "x"\nsize = [1, 2]\n[corners]\na = [1, 2]',
            "corners.a: expected the n",
        ),
        ('[override]\nbox = "x"\nsize = [1, 2]\n[sites]\nA = [1, 2]', "sites.A: expected a table"),
        (
            '[override]\nbox = "x"\nsize = [1, 2]\n[sites]\nA = { at = [1, inf], radius = 3 }',
            "sites.A.at: expected a number up to",
        ),
        (
            '[override]\nbox = "x"\nsize = [1, 2]\n[sites]\nA = { at = [1, 2], radius = -3 }',
            "sites.A.radius: expected a length above 0",
        ),
        (
            '[override]\nbox = "x"\nsize = [1, 2]\n[sites]\nA = { at = [1, 2] }',
            "sites.A: needs either a radius, if",
        ),
        *(
            (f'[override]\nbox = "x"\nsize = [9, 9]\noutline = {outline}', f"outline: {said}")
            for outline, said in (
                ("7", "expected the four corners"),
                ("[[-4, 4], [4, 4], [4, -4]]", "expected the four corners"),
                ("[[-4, 4], [4, 4], [4, -4], [nan, 0]]", "expected a number up to"),
                ("[[-4, 4], [4, -4], [4, 4], [-4, -4]]", "no board has its corners there"),
                ("[[4, 4], [-4, 4], [-4, -4], [4, -4]]", "no board has its corners there"),
            )
        ),
    ],
)
def test_a_damaged_file_is_refused_with_file_key_and_reason(text: str, said: str) -> None:
    with pytest.raises(BoxError) as error:
        parse_override(text, "mine.toml")
    assert "mine.toml" in str(error.value) and said in str(error.value)


def test_a_complaint_about_an_override_names_its_line() -> None:
    text = override_text(SAME) + "A = { at = [1, 2], radius = 0 }\n"
    with pytest.raises(BoxError, match=r"mine.toml, line 10: sites\.A\.radius") as error:
        parse_override(text, "mine.toml")
    assert error.value.code == "wants_length_above"
    override = parse_override(override_text(SAME) + "Q9 = { at = [1, 2], radius = 3 }\n", "it")
    with pytest.raises(BoxError, match=r"it, line 10: sites\.Q9: the box"):
        overridden(BOX, override, "it")
    with pytest.raises(BoxError, match=r"^it, line 1: override\.box: is missing"):
        parse_override("[override]\nsize = [1, 1]", "it")


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (replace(SAME, box="dominion"), "belongs to the box 'dominion'"),
        (replace(SAME, sites={"Q9": SitePlace((0, 0), 1)}), "sites.Q9: the box"),
        (
            replace(SAME, sites={"C": SitePlace((0, 0), size=(2, 2))}),
            "sites.C: this site has a radi",
        ),
        (replace(SAME, corners={7: (0, 0)}), "corners.7: the box"),
        (
            replace(SAME, outline=((-9, 9), (9, 9), (9, -9), (-9, -9))),
            "lies outside the board's outline",
        ),
        (replace(SAME, corners={0: (-900, 0)}), "lies beyond override.size"),
        (replace(SAME, corners={0: (190, -190), 2: (-190, 190)}), "no board can have its stickers"),
    ],
)
def test_an_override_that_does_not_fit_its_box_is_refused(override: BoxOverride, said: str) -> None:
    with pytest.raises(BoxError, match="the override: ") as error:
        overridden(BOX, override)
    assert said in str(error.value)


def test_files_that_are_none_or_no_text_are_told_from_one_another(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="cannot read the board file"):
        load_override(tmp_path / "nowhere.toml")
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BoxError, match="is not a text file"):
        load_override(tmp_path / "b.toml")
    assert is_override(override_text(SAME))
    assert not is_override("[box]")
    assert not is_override("[[[")


def test_the_similarity_finds_turn_scale_and_shift_again() -> None:
    turn, shift = 2 * complex(math.cos(0.3), math.sin(0.3)), 5 - 7j
    old = [(0.0, 0.0), (10.0, 3.0), (-4.0, 8.0)]
    new = [((turn * complex(*p) + shift).real, (turn * complex(*p) + shift).imag) for p in old]
    found = similarity(old, new)
    assert abs(found[0] - turn) < 1e-9 and abs(found[1] - shift) < 1e-9
    assert similarity([(1.0, 1.0)], [(3.0, 4.0)]) == (1, 2 + 3j)
    assert similarity([], []) == (1, 0)
