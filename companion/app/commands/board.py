"""Command board: say where the fields of your own board lie, without a touchscreen."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.commands import (
    FAILED,
    OK,
    Commands,
    UsageError,
    complain,
    lang_of,
    print_json,
    tell,
)
from companion.settings.settings import state_folder
from rules.near import hint
from rules.texts import Texts

if TYPE_CHECKING:
    from companion.boards.mapping import Mapping
    from companion.boards.picture import BoardPicture

FARTHEST_MM = 5000
FIND, NONE = "find", "none"
"""Values of ``--outline`` other than corners."""


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    board = commands.add("board", _board)
    board.add_argument("box", metavar="BOX")
    board.add_argument("--picture", metavar="FILE", default="")
    board.add_argument("--camera", metavar="CAMERA", default="")
    board.add_argument("--across", metavar="MM", type=float, default=0.0)
    board.add_argument("--game", metavar="GAME", default="")
    board.add_argument("--move", metavar="X,Y", default="")
    board.add_argument("--rotate", metavar="DEG", type=float, default=0.0)
    board.add_argument("--scale", metavar="F", type=float, default=1.0)
    board.add_argument("--site", metavar="ID=X,Y", action="append", default=[])
    board.add_argument("--outline", metavar="CORNERS", default="")
    board.add_argument("--save", action="store_true", default=False)
    board.add_argument("--remove", action="store_true", default=False)
    board.add_argument("--out", metavar="PNG", default="")


def _board(given: argparse.Namespace) -> int:
    from companion.boards.mapping import Mapping
    from companion.boards.store import OwnBoards
    from rules.box import load_box
    from rules.games import find_game

    say = Texts("board", lang_of(given))
    own = OwnBoards(state_folder(given.data))
    for trouble in own.troubles:
        complain(trouble)
    box = load_box(given.box)
    if given.remove:
        removed = own.forget(box.id)
        _tell(given, {"box": box.id, "removed": removed}, say("removed" if removed else "printed"))
        return OK
    if given.game and find_game(given.game).box != box.id:
        raise UsageError("not_on_box", game=given.game, box=box.id)
    if given.out and not given.picture:
        raise UsageError("out_without_picture")
    mapping = Mapping(box, own.box(box.id), given.game)
    picture = _picture(given, mapping, own.has(box.id)) if given.picture else None
    _change(given, mapping)
    unsure = _outline(given, mapping, picture)
    faults = mapping.faults()
    if picture is not None and given.out:
        import cv2

        from companion.boards.picture import draw_layout
        from companion.settings.writing import hand_out

        if not given.out.lower().endswith(".png"):
            raise UsageError("board_png", file=given.out)
        _done, coded = cv2.imencode(".png", draw_layout(picture, mapping))
        hand_out(Path(given.out), coded.tobytes())
    path = None
    blocked = any(fault.blocks for fault in faults)
    if given.save and not blocked:
        portrait = b"" if picture is None else picture.portrait()
        path = own.keep(mapping.override, portrait)
    degrees, scale = mapping.turn_and_scale
    record = {
        "box": box.id,
        "across": round(mapping.across_mm, 1),
        "rotate": round(degrees, 2),
        "scale": round(scale, 4),
        "outline": [list(at) for at in mapping.outline] or None,
        "unsure": list(unsure),
        "faults": [
            {"code": f.code, "sites": list(f.sites), "text": say(f.code, sites=", ".join(f.sites))}
            for f in faults
        ],
        "saved": None if path is None else str(path),
    }
    lines = [say("layout", across=f"{mapping.across_mm:.1f}", degrees=f"{degrees:.1f}",
                 scale=f"{scale:.3f}")]  # fmt: skip
    lines += _told_outline(say, mapping, unsure)
    lines += [say(f.code, sites=", ".join(f.sites)) for f in faults]
    if path is not None:
        lines.append(say("saved", path=path))
    elif given.save:
        lines.append(say("blocked"))
    _tell(given, record, "\n".join(lines))
    return FAILED if given.save and path is None else OK


def _picture(given: argparse.Namespace, mapping: Mapping, mapped: bool) -> BoardPicture:
    """The flattened picture; a first mapping takes the places of the stickers from it."""
    from companion.boards.picture import board_picture, read_picture
    from companion.camera.lenses import Lenses

    image = read_picture(Path(given.picture))
    lens_of = Lenses(state_folder(given.data)).of(given.camera) if given.camera else None
    lens = None if lens_of is None else lens_of.best((image.shape[1], image.shape[0]))
    measure = not mapped or given.across > 0
    box = mapping.laid if mapped else mapping.box
    picture = board_picture(image, box, lens, across_mm=given.across, measure=measure)
    if measure:
        mapping.use_corners(picture.board)
    return picture


def _change(given: argparse.Namespace, mapping: Mapping) -> None:
    if given.scale <= 0:
        raise UsageError("scale_above", found=given.scale)
    if given.across and not given.picture:
        if given.across < 20:
            raise UsageError("across_millimetres", found=given.across)
        mapping.scale_corners(given.across)
    move = _point(given.move, "--move") if given.move else (0.0, 0.0)
    mapping.transform(move, given.rotate, given.scale)
    for one in given.site:
        site, sign, at = one.partition("=")
        if not sign:
            raise UsageError("site_pair", text=one)
        if site not in mapping.places:
            raise UsageError("box_lacks_field", box=mapping.box.id, site=site,
                             hint=hint(site, mapping.places))  # fmt: skip
        mapping.move_site(site, _point(at, "--site"))


def _outline(
    given: argparse.Namespace, mapping: Mapping, picture: BoardPicture | None
) -> tuple[str, ...]:
    """Set the outline as it was asked for; returns the sides of which none is sure."""
    from companion.boards.picture import found_edge
    from rules.box.override import runs_clockwise

    if given.outline == FIND:
        if picture is None:
            raise UsageError("find_without_picture")
        edge = found_edge(picture.picture, mapping)
        mapping.set_outline(edge.corners)
        return edge.unsure
    if given.outline == NONE:
        mapping.set_outline(())
    elif given.outline:
        corners = [_point(part, "--outline") for part in given.outline.split()]
        if len(corners) != 4 or not runs_clockwise(corners):
            raise UsageError("four_corners", text=given.outline)
        mapping.set_outline(corners)
    return ()


def _told_outline(say: Texts, mapping: Mapping, unsure: tuple[str, ...]) -> list[str]:
    if not mapping.outline:
        return [say("no_outline")]
    corners = "  ".join(f"{x:.1f},{y:.1f}" for x, y in mapping.outline)
    sides = ", ".join(say(f"side_{side}") for side in unsure)
    return [say("outline", corners=corners), *([say("unsure", sides=sides)] if unsure else [])]


def _point(text: str, option: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError("two_numbers", option=option, text=text) from None
    if not (abs(x) < FARTHEST_MM and abs(y) < FARTHEST_MM):
        raise UsageError("beyond_table", option=option, text=text)
    return (x, y)


def _tell(given: argparse.Namespace, record: dict[str, object], text: str) -> None:
    if given.json:
        print_json(record)
    else:
        for line in text.split("\n"):
            tell(line)
