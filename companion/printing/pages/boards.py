"""Pages of a board: how it is put together, then its tiles in true size."""

from __future__ import annotations

from companion.printing.art.board import BoardArt
from companion.printing.art.designs import design_of
from companion.printing.canvas import Surface
from companion.printing.colours import ASH, INK, PAPER, Rgb
from companion.printing.plan import BLEED, FLAP, Tile, TilePlan, plan_tiles
from companion.printing.sheet import Document, Frame
from rules.box import Box, box_points

GLUE: Rgb = (196, 196, 190)
MARK: Rgb = (40, 40, 40)


def board_pages(document: Document, box: Box) -> TilePlan:
    """Add the pages of the board; returns its tiles."""
    art = design_of(box.id).board(box, document.lang)
    plan = plan_tiles(box, document.paper)
    _overview(document, box, art, plan)
    for tile in plan.tiles:
        _tile_page(document, art, plan, tile)
    return plan


def _overview(document: Document, box: Box, art: BoardArt, plan: TilePlan) -> None:
    say = document.say
    frame = document.page("board", say("assembly"))
    y = frame.top + 12
    document.write(say("assembly"), (frame.left + 8, y), 8.0, INK, bold=True)
    document.write(
        say("board_size", title=document.title, width=f"{box.size[0]:g}",
            height=f"{box.size[1]:g}", sheets=len(plan.tiles)),
        (frame.left + 8, y + 7), 4.0, ASH, room=frame.width - 16,
    )  # fmt: skip
    room_high = frame.height * 0.62
    scale = min((frame.width - 16) / box.size[0], room_high / box.size[1])
    high = box.size[1] * scale
    centre = (frame.left + frame.width / 2, y + 15 + high / 2)
    half = (box.size[0] / 2, box.size[1] / 2)
    surface = Surface(document, centre, scale, (-half[0], -half[1], half[0], half[1]))
    wide = box.size[0] * scale
    with document.clipped(Frame(centre[0] - wide / 2, centre[1] - high / 2, wide, high)):
        art.draw(surface)
    surface.line(box_points((0, 0), box.size), MARK, 0.3 / scale, closed=True)
    for tile in plan.tiles:
        corners = [
            (tile.left, tile.top), (tile.right, tile.top),
            (tile.right, tile.bottom), (tile.left, tile.bottom),
        ]  # fmt: skip
        surface.line(corners, PAPER, 0.9 / scale, closed=True)
        surface.line(corners, MARK, 0.35 / scale, closed=True, dash=(2.0, 1.2))
        middle = ((tile.left + tile.right) / 2, (tile.bottom + tile.top) / 2)
        surface.disc(middle, 6.0 / scale, PAPER, MARK, 0.35 / scale)
        surface.text(tile.name, middle, 4.2 / scale)
    y = centre[1] + high / 2 + 11
    steps = ("step_scale", "step_cut", "step_glue", "step_rows", "step_rim", "step_mount")
    width = (frame.width - 24) / 2
    columns = [frame.left + 8, frame.left + 16 + width]
    size = 3.4
    for number, key in enumerate(steps):
        column = number // 3
        if number % 3 == 0:
            line = y
        x = columns[column]
        document.disc((x + 2.6, line - 1.2), 2.6, INK)
        document.write(str(number + 1), (x + 2.6, line + 0.1), 3.4, PAPER, bold=True,
                       align="middle")  # fmt: skip
        line = document.paragraph(say(key), (x + 7.5, line), width - 9, size) + 2.2


def _tile_page(document: Document, art: BoardArt, plan: TilePlan, tile: Tile) -> None:
    frame = document.page(
        "board", document.say("tile", name=tile.name, rows=plan.rows, columns=plan.columns),
        across=plan.across,
    )  # fmt: skip
    right = FLAP if tile.flap_right else BLEED
    below = FLAP if tile.flap_below else BLEED
    wide = BLEED + tile.right - tile.left + right
    high = BLEED + tile.top - tile.bottom + below
    left = frame.left + (frame.width - wide) / 2 + BLEED
    top = frame.top + (frame.height - high) / 2 + BLEED
    own = Frame(left, top, tile.right - tile.left, tile.top - tile.bottom)
    centre = (left - tile.left, top + tile.top)
    page = document.pages[-1]
    page.centre = centre
    page.own = (tile.left, tile.bottom, tile.right, tile.top)
    shown = (tile.left - BLEED, tile.bottom - BLEED, tile.right + BLEED, tile.top + BLEED)
    surface = Surface(document, centre, 1.0, shown, page.own)
    with document.clipped(
        Frame(own.left - BLEED, own.top - BLEED, own.width + 2 * BLEED, own.height + 2 * BLEED)
    ):
        art.draw(surface)
    _flaps(document, plan, tile, own)
    _cut_marks(document, tile, own)


def _flaps(document: Document, plan: TilePlan, tile: Tile, own: Frame) -> None:
    names = {(t.row, t.column): t.name for t in plan.tiles}
    page = Surface(document, (0.0, 0.0))
    if tile.flap_right:
        strip = Frame(own.right + BLEED, own.top, FLAP - BLEED, own.height)
        _glue(page, strip)
        text = document.say("glue", name=names[tile.row, tile.column + 1])
        middle = (strip.left + strip.width / 2, -(own.top + own.height / 2))
        _label(page, text, middle, 90.0)
        for part in (0.12, 0.88):
            _pointer(page, (own.right, -(own.top + own.height * part)), (1.0, 0.0))
    if tile.flap_below:
        strip = Frame(own.left, own.bottom + BLEED, own.width, FLAP - BLEED)
        _glue(page, strip)
        text = document.say("glue", name=names[tile.row + 1, tile.column])
        _label(page, text, (own.left + own.width / 2, -(strip.top + strip.height / 2)), 0.0)
        for part in (0.12, 0.88):
            _pointer(page, (own.left + own.width * part, -own.bottom), (0.0, -1.0))


def _glue(page: Surface, strip: Frame) -> None:
    middle = (strip.left + strip.width / 2, -(strip.top + strip.height / 2))
    points = box_points(middle, (strip.width, strip.height))
    page.fill(points, PAPER)
    page.hatch(points, 60.0, 2.4, GLUE, 0.2)
    page.line(points, GLUE, 0.2, closed=True)


def _label(page: Surface, text: str, at: tuple[float, float], turn: float) -> None:
    wide = page.document.width_of(text, 3.0, True) + 4
    size = (5.0, wide) if turn else (wide, 5.0)
    page.fill(box_points(at, size), PAPER)
    page.text(text, at, 2.2, ASH, turn=turn)


def _pointer(page: Surface, tip: tuple[float, float], way: tuple[float, float]) -> None:
    """A triangle on the flap whose tip marks the seam."""
    side = (-way[1], way[0])
    base = (tip[0] + way[0] * 2.6, tip[1] + way[1] * 2.6)
    page.fill(
        [tip, (base[0] + side[0] * 1.2, base[1] + side[1] * 1.2),
         (base[0] - side[0] * 1.2, base[1] - side[1] * 1.2)], MARK,
    )  # fmt: skip


def _cut_marks(document: Document, tile: Tile, own: Frame) -> None:
    """Marks at the ends of every edge that is cut; they are outside it and fall away."""
    page = Surface(document, (0.0, 0.0))
    cut_right, cut_below = not tile.flap_right, not tile.flap_below
    right = own.right + (0.0 if cut_right else FLAP)
    bottom = own.bottom + (0.0 if cut_below else FLAP)
    corners = (
        (own.left, own.top, -1, -1, True, True),
        (right, own.top, 1, -1, cut_right, True),
        (own.left, bottom, -1, 1, True, cut_below),
        (right, bottom, 1, 1, cut_right, cut_below),
    )
    for x, y, sx, sy, upright, level in corners:
        middle = (x + sx * BLEED / 2, -(y + sy * BLEED / 2))
        page.fill(box_points(middle, (BLEED, BLEED)), PAPER)
        if upright:
            page.line([(x, -y - sy * 0.4), (x, -(y + sy * (BLEED + 1.5)))], MARK, 0.18)
        if level:
            page.line([(x + sx * 0.4, -y), (x + sx * (BLEED + 1.5), -y)], MARK, 0.18)
    edges = [
        ((own.left - BLEED / 2, -(own.top + own.height / 2)), 90.0),
        ((own.left + own.width / 2, -(own.top - BLEED / 2)), 0.0),
    ]
    if cut_right:
        edges.append(((own.right + BLEED / 2, -(own.top + own.height / 2)), 90.0))
    if cut_below:
        edges.append(((own.left + own.width / 2, -(own.bottom + BLEED / 2)), 0.0))
    text = document.say("cut")
    wide = document.width_of(text, 2.2, True) + 3
    for at, turn in edges:
        page.fill(box_points(at, (2.5, wide) if turn else (wide, 2.5)), PAPER)
        page.text(text, at, 1.6, ASH, turn=turn)
