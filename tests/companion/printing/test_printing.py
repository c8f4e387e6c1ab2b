"""Printed boards, cards and stickers, and the seams between sheets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pypdfium2
import pytest

from companion.printing.art import designs
from companion.printing.art.board import BoardArt
from companion.printing.art.knizia import KniziaArt
from companion.printing.booklet import parts_of, printed
from companion.printing.colours import MARKS
from companion.printing.names import kind_names
from companion.printing.pages.cards import cards_of
from companion.printing.pages.stickers import labels_of
from companion.printing.plan import BLEED, FLAP, Obstacle, cuts, plan_tiles, room
from companion.printing.sheet import PAPERS, Document, PrintError
from docs.gallery.print_proof import Finding, assembled, check_page, pages_at
from rules.box import Box, Site, Stroke, box_ids, load_box, parse_box
from rules.games import find_game
from tests.support.box_file import FILE_TEXT
from tests.support.sweep import widely
from tests.support.virtual_box import mini_box
from vision.board.appearance import BoardAppearance
from vision.board.foreign import foreign
from vision.board.masks import Masks
from vision.board.occlusion import Shown, find_blobs

BOXES = box_ids()
QUICK_DPI = 300


@cache
def drawn(box: str, paper: str = "a4", part: str = "board", lang: str = "de") -> Document:
    return printed(load_box(box), lang, paper, [part])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("printed")


def saved(folder: Path, document: Document, name: str) -> Path:
    path = folder / f"{name}.pdf"
    if not path.exists():
        document.save(path)
    return path


def read_back(path: Path, document: Document, box: Box, dpi: int, pages: list[int]) -> Finding:
    found = Finding()
    for number, picture in zip(pages, pages_at(path, dpi, pages), strict=True):
        found.add(check_page(picture, dpi, document.pages[number - 1], box))
    return found


def assert_exact(found: Finding) -> None:
    assert found.missing == []
    assert found.stickers > 0
    assert max(map(abs, found.edge_errors)) < 0.1


# -- stickers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", widely(BOXES, most=1))
def test_stickers_are_read_back_in_their_true_size(box: str, folder: Path) -> None:
    document = drawn(box, part="stickers")
    path = saved(folder, document, f"{box}-stickers")
    pages = sorted({1, len(document.pages)})
    assert_exact(read_back(path, document, load_box(box), QUICK_DPI, pages))


def test_stickers_are_read_back_at_600_dpi(folder: Path) -> None:
    document = drawn("dolmengoetter", part="stickers")
    path = saved(folder, document, "dolmengoetter-stickers")
    found = read_back(path, document, load_box("dolmengoetter"), 600, [2])
    assert_exact(found)
    assert max(map(abs, found.edge_errors)) < 0.05


@pytest.mark.parametrize("name", BOXES)
def test_there_is_a_sticker_for_every_piece_and_card(name: str) -> None:
    box = load_box(name)
    wanted: Counter[int] = Counter(corner.id for corner in box.corners)
    for kind in box.kinds.values():
        for ids in (kind.stickers, kind.lying_stickers):
            if ids:
                # identical pieces share their ids evenly
                wanted.update(ids[n % len(ids)] for n in range(kind.count))
    printed_ids = Counter(s for p in drawn(name, part="stickers").pages for s in p.stickers)
    assert printed_ids == wanted
    assert set(wanted) == {c.id for c in box.corners} | set(box.kind_of_sticker)


@pytest.mark.parametrize(("lang", "name"), widely(["de", "en"], BOXES))
def test_every_sticker_has_a_name_people_understand(name: str, lang: str) -> None:
    box = load_box(name)
    for label in labels_of(box, lang):
        assert label.name
        assert label.name not in box.kinds or lang == "en"


# -- boards --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "name"), widely(sorted(PAPERS), BOXES))
def test_tiles_cover_the_board_once_and_fit_on_their_sheets(name: str, paper: str) -> None:
    box = load_box(name)
    plan = plan_tiles(box, paper)
    area = sum((t.right - t.left) * (t.top - t.bottom) for t in plan.tiles)
    assert area == pytest.approx(box.size[0] * box.size[1])
    wide, high = room(paper, plan.across)
    for tile in plan.tiles:
        right, below = (FLAP if f else BLEED for f in (tile.flap_right, tile.flap_below))
        assert tile.right - tile.left + BLEED + right <= wide + 1e-6
        assert tile.top - tile.bottom + BLEED + below <= high + 1e-6


@pytest.mark.parametrize(
    ("name", "paper", "sheets"),
    [("dominion", "a3", 6), ("dominion", "a4", 15), ("knizia_stonehenge", "a3", 4),
     ("stonehenge_anthology", "a4", 6)],
)  # fmt: skip
def test_the_paper_lies_the_way_that_needs_fewer_sheets(name: str, paper: str, sheets: int) -> None:
    assert len(plan_tiles(load_box(name), paper).tiles) == sheets


@pytest.mark.parametrize(("name", "paper"), widely(BOXES, sorted(PAPERS), most=2))
def test_corner_stickers_lie_where_the_box_says_when_the_tiles_are_together(
    name: str, paper: str, folder: Path
) -> None:
    box, document = load_box(name), drawn(name, paper)
    path = saved(folder, document, f"{name}-{paper}-board")
    pages = [page.page for page in document.pages if page.stickers]
    found = read_back(path, document, box, QUICK_DPI, pages)
    assert_exact(found)
    assert sorted(s for page in document.pages for s in page.stickers) == [
        corner.id for corner in box.corners
    ]
    assert max(found.place_errors) < 0.1


PX_PER_MM = {"dominion": 3.0}
"""Of the board put together; the largest one is looked at more coarsely."""
USUAL_PX_PER_MM = 6.0


def _px(name: str) -> float:
    return PX_PER_MM.get(name, USUAL_PX_PER_MM)


@cache
def _glued(name: str) -> Any:
    """The board put together from its A4 sheets, in grey, and where a board point is on it."""
    with TemporaryDirectory() as folder:
        document = drawn(name)
        path = Path(folder) / "board.pdf"
        document.save(path)
        return assembled(document, path, load_box(name), _px(name)).mean(axis=2)


def _across_the_rim(name: str, site: Site, outside: float) -> list[float]:
    """Grey of a site's four edges, ``outside`` mm beyond each: right, left, upper, lower."""
    grey, (wide, high) = _glued(name), load_box(name).size
    w, h = site.size or (0.0, 0.0)
    along = np.linspace(-0.4, 0.4, 60)
    right, above = w / 2 + outside, h / 2 + outside
    edges: list[list[tuple[float, float]]] = [
        [(right, t * h) for t in along], [(-right, t * h) for t in along],
        [(t * w, above) for t in along], [(t * w, -above) for t in along],
    ]  # fmt: skip
    return [
        float(np.median([
            grey[
                round((high / 2 - site.at[1] - dy) * _px(name) - 0.5),
                round((site.at[0] + dx + wide / 2) * _px(name) - 0.5),
            ]
            for dx, dy in edge
        ]))
        for edge in edges
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name", widely(["stonehenge_anthology", "dolmengoetter", "knizia_stonehenge"], most=1)
)
def test_round_sites_are_drawn_in_their_places(name: str) -> None:
    """Every printed site is outlined: its rim is darker than what lies on both sides of it."""
    box, grey = load_box(name), _glued(name)
    checked = 0
    for site in box.printed_sites:
        if site.size is not None:
            continue
        checked += 1

        def ring(radius: float, site: Site = site) -> float:
            turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
            x, y = site.at[0] + radius * np.cos(turns), site.at[1] + radius * np.sin(turns)
            rows = np.round((box.size[1] / 2 - y) * _px(name) - 0.5).astype(int)
            columns = np.round((x + box.size[0] / 2) * _px(name) - 0.5).astype(int)
            return float(np.median(grey[rows, columns]))

        # by half a millimetre further in the rim is over
        assert ring(site.radius - 0.25) < ring(site.radius - 1.0) - 8, site.id
    assert checked == len([s for s in box.printed_sites if s.size is None]) > 0


def test_square_sites_are_drawn_in_their_places() -> None:
    """The anthology's altar and yards: a dark line lies on each of the four edges."""
    name = "stonehenge_anthology"
    square = [s for s in load_box(name).printed_sites if s.size is not None]
    assert {site.kind for site in square} == {"altar", "yard"}
    for site in square:
        inside, on, beyond = (_across_the_rim(name, site, d) for d in (-1.5, 0.0, 1.5))
        for sides in zip(inside, on, beyond, strict=True):
            assert sides[1] < min(sides[0], sides[2]) - 40, site.id


@pytest.mark.thorough
def test_piles_of_cards_are_drawn_in_their_places() -> None:
    """Dominion: every place for cards has a lighter ground that ends all around at one distance."""
    name = "dominion"
    box = load_box(name)
    half = (box.size[0] / 2, box.size[1] / 2)
    places = [
        site for site in box.sites.values()
        if site.size is not None
        and all(abs(site.at[k]) + site.size[k] / 2 < half[k] - 3 for k in (0, 1))
    ]  # fmt: skip
    assert len(places) >= 18 + 4 * 4
    steps = [n / _px(name) for n in range(-4, 8)]
    for site in places:
        profiles = np.array([_across_the_rim(name, site, d) for d in steps])
        ends = [steps[int(np.argmin(np.diff(profiles[:, side])))] for side in range(4)]
        assert all(profiles[0, side] > profiles[-1, side] for side in range(4)), site.id
        assert max(ends) - min(ends) < 0.7, (site.id, ends)
        assert min(ends) >= 0 and max(ends) <= 2.0, (site.id, ends)


@pytest.mark.parametrize(
    ("name", "game"),
    [("dolmengoetter", "dolmengoetter"), ("stonehenge_anthology", "erbaut_stonehenge"),
     pytest.param("dominion", "dominion", marks=pytest.mark.thorough),
     pytest.param("knizia_stonehenge", "knizia_stonehenge", marks=pytest.mark.thorough)],
)  # fmt: skip
def test_the_camera_takes_no_ornament_for_a_thing_on_the_board(
    name: str, game: str, folder: Path
) -> None:
    import cv2

    box, document = load_box(name), drawn(name)
    board = assembled(document, saved(folder, document, f"{name}-a4-board"), box, 2.0)
    appearance = BoardAppearance(box.for_game(game))
    small = cv2.resize(board, appearance.size, interpolation=cv2.INTER_AREA)
    flat = ((small / 255.0) ** 2.2).astype(np.float32).transpose(2, 0, 1)
    masks = Masks(box.for_game(game), appearance.size)
    hidden = masks.hidden([])
    difference = appearance.compare(flat, hidden)
    alien = foreign(difference) & (hidden == 0)
    assert find_blobs(Shown(difference, alien, hidden), masks) == []
    assert alien.mean() < 0.02


def test_neighbours_in_the_ring_differ_without_their_colours() -> None:
    ring = [site for site in load_box("stonehenge_anthology").sites.values()
            if site.kind == "ring field"]  # fmt: skip
    patterns = {site.colour: MARKS[site.colour] for site in ring}
    assert len(set(patterns.values())) == len(patterns)


def test_a_box_of_ones_own_is_drawn_from_its_file(tmp_path: Path) -> None:
    box = mini_box()
    document = printed(box, "en", "a3")
    path = tmp_path / "mini.pdf"
    document.save(path)
    pages = [page.page for page in document.pages if page.what in ("board", "stickers")]
    found = read_back(path, document, box, 150, pages)
    assert found.missing == []
    assert len(found.place_errors) == 4


# -- cards and pieces ------------------------------------------------------------------------------


@pytest.mark.parametrize("box", widely(["stonehenge_anthology", "dominion"], most=1))
def test_cards_and_their_backs_are_read_back(box: str, folder: Path) -> None:
    document = drawn(box, part="cards")
    path = saved(folder, document, f"{box}-de-cards")
    assert_exact(read_back(path, document, load_box(box), QUICK_DPI, [1, 2]))


@pytest.mark.parametrize("name", widely(["stonehenge_anthology", "dominion"], most=1))
def test_every_card_is_there_with_a_back_of_its_own(name: str) -> None:
    box = load_box(name)
    ids = Counter(s for page in drawn(name, part="cards").pages for s in page.stickers)
    backs = {kind.back for kind in box.kinds.values()} - {""}
    for kind in box.kinds.values():
        if kind.shape == "card":
            assert ids[kind.stickers[0]] == kind.count, kind.id
    assert len(cards_of(box)) == sum(box.kinds[back].count for back in backs)


@pytest.mark.parametrize("lang", widely(["de", "en"], most=1))
def test_a_dominion_card_says_name_cost_and_text(lang: str, folder: Path) -> None:
    box = load_box("dominion")
    # Of every kind one card; that all of them are there is a claim of its own.
    kinds = {name: replace(kind, count=1) for name, kind in box.kinds.items()}
    document = printed(replace(box, kinds=kinds), lang, "a4", ["cards"])
    path = saved(folder, document, f"dominion-{lang}-one-of-each")
    pdf = pypdfium2.PdfDocument(str(path))
    words = {
        "de": ("Bürokrat", "Holzfäller", "Aktion · Angriff", "Lege beliebig viele Handkarten ab"),
        "en": ("Bureaucrat", "Woodcutter", "Action · Attack", "any number of"),
    }
    missing = set(words[lang])
    for page in pdf:
        text = " ".join(page.get_textpage().get_text_range().split())
        missing = {word for word in missing if word not in text}
        if not missing:
            break
    assert not missing


@pytest.mark.parametrize(
    "box", widely([b for b in BOXES if "pieces" in parts_of(load_box(b))], most=1)
)
def test_pieces_are_read_back(box: str, folder: Path) -> None:
    document = drawn(box, part="pieces")
    path = saved(folder, document, f"{box}-pieces")
    assert_exact(read_back(path, document, load_box(box), QUICK_DPI, [1]))


# -- every page ------------------------------------------------------------------------------------


def test_every_page_has_a_ruler_of_100_mm_and_prints_unscaled(folder: Path) -> None:
    document = printed(load_box("knizia_stonehenge"), "en")
    path = saved(folder, document, "knizia")
    assert b"/PrintScaling /None" in path.read_bytes()
    dpi = 200
    for page, picture in zip(document.pages, pages_at(path, dpi), strict=True):
        high = picture.shape[0] * 25.4 / dpi
        strip = picture[int((high - 10.4) * dpi / 25.4) : int((high - 9.6) * dpi / 25.4), :]
        dark = np.flatnonzero(strip.min(axis=0)[: int(115 * dpi / 25.4)] < 128)
        assert (dark[-1] - dark[0] + 1) * 25.4 / dpi == pytest.approx(100, abs=0.4), page.page


def test_nothing_but_white_lies_where_printers_cannot_print(folder: Path) -> None:
    document = printed(load_box("stonehenge_anthology"), "de", "a4", ["board", "cards"])
    path = saved(folder, document, "margins")
    for page, picture in zip(document.pages, pages_at(path, 72), strict=True):
        rim = np.ones(picture.shape, dtype=bool)
        rim[9:-9, 9:-9] = False
        assert picture[rim].min() > 250, page.page


def test_what_a_box_does_not_have_is_left_out_unless_it_is_all() -> None:
    box = load_box("knizia_stonehenge")
    assert {p.what for p in printed(box, "de", "a3", ["cards", "board"]).pages} == {"board"}
    with pytest.raises(PrintError, match="has no cards; it has: board, stickers, pieces"):
        printed(box, "de", "a4", ["cards"])
    with pytest.raises(PrintError, match="no part 'dice'"):
        printed(box, "de", "a4", ["dice"])


def _grid(pitch: float, count: int) -> Box:
    """A board of ``count`` × ``count`` fields."""
    box = parse_box(FILE_TEXT, "b.toml")
    site = box.sites["B"]
    half = (count - 1) / 2
    sites = {
        f"{x}{y}": replace(site, id=f"{x}{y}", at=((x - half) * pitch, (y - half) * pitch))
        for x in range(count)
        for y in range(count)
    }
    side = pitch * count + 80
    corners = tuple(
        replace(
            corner, at=(corner.at[0] / 80 * (side / 2 - 20), corner.at[1] / 80 * (side / 2 - 20))
        )
        for corner in box.corners
    )
    return replace(box, size=(side, side), sites=sites, corners=corners, strokes=())


@pytest.mark.parametrize("count", [5, 6, 7, 8])
@pytest.mark.parametrize("paper", ["a4", "a3"])
def test_no_seam_runs_through_a_row_of_fields_where_there_is_room_between(
    count: int, paper: str
) -> None:
    box = _grid(50, count)
    plan = plan_tiles(box, paper)
    assert len(plan.tiles) > 1
    for tile in plan.tiles:
        for site in box.sites.values():
            for cut, at in ((tile.right, site.at[0]), (tile.bottom, site.at[1])):
                assert abs(cut - at) >= site.radius


def test_the_cheapest_cut_that_leaves_every_part_on_its_sheet_is_taken() -> None:
    assert cuts(300, 190, 10, []) == [0, 145, 300]
    assert cuts(180, 190, 10, []) == [0, 180]
    assert cuts(300, 190, 10, [Obstacle(100, 160, 1)])[1] == pytest.approx(160, abs=1)
    assert cuts(369, 190, 10, [Obstacle(0, 369, 5)]) == [0, pytest.approx(179.5, abs=1), 369]


def test_a_seam_does_not_run_along_a_line() -> None:
    box = replace(_grid(50, 6), sites={})
    cut = plan_tiles(box, "a3").tiles[0].right
    side = box.size[0] / 2
    line = Stroke("line", "path", ((cut, -side), (cut, side)), "#000000", 2.0, "", ())
    assert abs(plan_tiles(replace(box, strokes=(line,)), "a3").tiles[0].right - cut) > 2


def test_a_package_outside_draws_the_board_of_its_box(monkeypatch: pytest.MonkeyPatch) -> None:
    art = EntryPoint("theirs", "companion.printing.art.knizia:KniziaArt", "heelstone.board_art")
    none = EntryPoint("wrong", "companion.printing.art.knizia:math", "heelstone.board_art")
    monkeypatch.setattr(designs, "entries", lambda _group: {"theirs": art, "wrong": none})
    assert designs.design_of("theirs").board is KniziaArt
    assert designs.design_of("nobodys").board is BoardArt
    with pytest.raises(PrintError, match="is not a BoardArt but math"):
        designs.design_of("wrong")


def test_pieces_are_called_what_a_game_from_outside_calls_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = find_game("knizia_stonehenge")
    box = replace(load_box(game.box), id="theirs")

    class Theirs(type(game)):  # type: ignore[misc]
        """Knizia's game in a box with a path, as packages outside have them."""

        box = "/somewhere/theirs.toml"

    wanted = kind_names(load_box(game.box), "de")["megalith black"]
    monkeypatch.setattr("companion.printing.names.game_ids", lambda: ["knizia_stonehenge"])
    monkeypatch.setattr("companion.printing.names.find_game", lambda _name: Theirs())
    monkeypatch.setattr("companion.printing.names.load_box", lambda _path: box)
    assert kind_names(box, "de")["megalith black"] == wanted != "megalith black"
