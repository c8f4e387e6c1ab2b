"""Sets of pictures with truth: folders that the benchmark ``photographs`` goes over.

A folder is read by what lies in it:

- ``truth.json`` with a table: this benchmark's own format (``docs/testing.md``), which the rendered
  scenes and the photographs of the tests have.
- ``match.json``: a whole match, photographed, or as the program that laid it out names its pieces.
- ``truth.json`` with a list: go boards with the corners of their lines and rows of stones. Where
  the fields of such a board lie, its owner shows with the tool for an own board.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.path_traced.optics import View
from companion.boards.mapping import Mapping as BoardMapping
from companion.boards.picture import BoardPictureError, board_picture, found_edge
from rules.box import Box, Point, load_box
from tests.support.scenes.go_board import (
    GO,
    LINES,
    Lattice,
    go_board,
    rows_to_table,
    site_id,
    wood,
)
from vision.arrays import Points, floats
from vision.board.flat_board import corner_stickers
from vision.board.pose import BoardFinder
from vision.camera.lens import Lens
from vision.camera.sources import SourceError, read_picture

GO_SERIES = ("few_stones_overhead.jpeg", "few_stones_glare.jpg", "stones_overhead.jpg")
"""Of the photographed go boards only these have their loose stickers in the same places."""
DIAGONAL = {"d1": "R5", "d2": "R4", "d3": "R3", "d4": "R2", "d5": "R1"}
"""Lines whose ends the program that lays out matches numbers the other way round."""


@dataclass(frozen=True, slots=True)
class Loose:
    """A piece beside every site."""

    kind: str
    at_mm: Point


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture and what it shows."""

    path: Path
    hand: bool
    """True if a hand is over the board."""
    thing: str = ""
    """Another thing over the board; it may be taken for a hand or not."""
    table: Mapping[str, str] = field(default_factory=dict)
    """Pieces by site, as ``rules.reading.sighting.look_text`` says it."""
    loose: tuple[Loose, ...] = ()
    covered: frozenset[str] = frozenset()
    """Sites that the hand or the thing hides: nothing has to be known of them."""
    sites_px: Mapping[str, Point] = field(default_factory=dict)
    """Places of the middles of fields in the picture, px."""


@dataclass(frozen=True, slots=True)
class PictureSet:
    """Pictures of one table."""

    name: str
    box: Box
    bare: tuple[str, ...]
    """Groups of pieces without stickers, as a user would name them in the settings."""
    shots: tuple[Shot, ...]
    lens: Lens | None = None
    """The camera's true lens, if it is known."""
    own_board: str = ""
    """Picture of the bare board that its owner maps; empty where the board is the printed one."""
    missing: int = 0
    """Pictures that the truth names and the folder lacks."""


@dataclass(frozen=True, slots=True)
class Run:
    """Pictures that one tracker after another looks at."""

    name: str
    parts: tuple[tuple[Box, tuple[Shot, ...]], ...]
    """Every part with the box that its board is, seen by a tracker that is new to it."""
    lens: Lens | None = None
    unmapped: tuple[Shot, ...] = ()
    """Pictures from which the board's owner could not have mapped it."""


def picture_set(folder: Path) -> PictureSet:
    """The set in ``folder``. Raises SourceError, BoxError, OSError, ValueError, KeyError."""
    match, truth = folder / "match.json", folder / "truth.json"
    if match.is_file():
        return _match(folder, json.loads(match.read_text(encoding="utf-8")))
    if truth.is_file():
        data = json.loads(truth.read_text(encoding="utf-8"))
        return _go_photographs(folder, data) if isinstance(data, list) else _own(folder, data)
    raise SourceError(f"there is no match.json or truth.json in '{folder}'")


def runs(pictures: PictureSet, workplace: Path) -> list[Run]:
    """In which orders a set is looked at. ``workplace``: an empty folder for board pictures.

    In the order given, as a table is watched; each picture alone, as when a match is resumed in
    front of a full table; and in order with a calibrated lens, where the lens is known.
    """
    if pictures.box.id == "go_board" and not pictures.own_board:
        return _go_runs(pictures)
    box, known = pictures.box, pictures.box
    if pictures.own_board:
        shot = next(s for s in pictures.shots if s.path.name == pictures.own_board)
        known = mapped(pictures.box, shot)
        box = _with_portrait(known, shot, workplace)
    found = [
        Run("in order", ((box, pictures.shots),)),
        Run("each alone", tuple((known, (shot,)) for shot in pictures.shots)),
    ]
    if pictures.lens is not None:
        found.append(Run("in order, calibrated", ((box, pictures.shots),), pictures.lens))
    return found


def mapped(box: Box, shot: Shot, lattice: Lattice = GO) -> Box:
    """``box`` as its owner maps it from a picture: stickers as they are measured in it, every
    field dragged to where the picture shows it, and the outline as it is proposed then, or dragged
    to where the wood ends if a side of it is only guessed or it leaves fields outside. Raises
    BoardPictureError."""
    seen = board_picture(read_picture(shot.path), box)
    mapping = BoardMapping(box)
    mapping.use_corners(seen.board)
    for site, at in _on_board(seen.board, shot).items():
        mapping.move_site(site, at)
    edge = found_edge(seen.picture, mapping)
    places = {site: place.at for site, place in mapping.places.items()}
    mapping.set_outline(edge.corners)
    if edge.unsure or not all(mapping.laid.is_on_board(at) for at in places.values()):
        mapping.set_outline(wood(places, lattice))
    return mapping.laid


def _with_portrait(board: Box, shot: Shot, workplace: Path) -> Box:
    """The mapped board with the look that saving it keeps."""
    path = workplace / "portrait.jpg"
    path.write_bytes(board_picture(read_picture(shot.path), board, measure=False).portrait())
    return replace(board, portrait=str(path))


def _on_board(board: Box, shot: Shot) -> dict[str, Point]:
    """Fields of a picture in mm on a board whose stickers were measured in it."""
    image = read_picture(shot.path)
    seen = corner_stickers(image, board)
    pose = BoardFinder(board).find(seen, (image.shape[1], image.shape[0]))
    mm = pose.on_board(np.array(list(shot.sites_px.values()), dtype=np.float64))
    return {
        site: (round(float(x), 2), round(float(y), 2))
        for site, (x, y) in zip(shot.sites_px, mm, strict=True)
    }


# -- the formats ------------------------------------------------------------------------------


def _own(folder: Path, data: dict[str, Any]) -> PictureSet:
    """``truth.json`` with a table."""
    name = data.get("box", "knizia_stonehenge")
    box = go_board(_corners(data)) if name == "go_board" else load_box(name)
    if game := data.get("game", ""):
        box = box.for_game(game)
    shots = tuple(_shot(folder, entry) for entry in data["pictures"])
    return _present(
        PictureSet(
            folder.name, box, tuple(data.get("bare", ())), shots, _lens(data.get("lens")),
            data.get("own_board", ""),
        )
    )  # fmt: skip


def _corners(data: dict[str, Any]) -> dict[int, Point]:
    return {int(i): (float(x), float(y)) for i, (x, y) in data.get("corners_mm", {}).items()}


def _lens(data: dict[str, Any] | None) -> Lens | None:
    if data is None:
        return None
    (width, height), (k1, k2) = data["size"], data["radial"]
    return Lens((width, height), data["focal_px"], k1, higher=(k2, 0.0))


def _shot(folder: Path, entry: dict[str, Any]) -> Shot:
    return Shot(
        folder / entry["picture"],
        entry["hand"],
        entry.get("thing", ""),
        entry["table"],
        tuple(Loose(kind, (x, y)) for kind, x, y in entry.get("loose", ())),
        frozenset(entry.get("covered", ())),
        {site: (x, y) for site, (x, y) in entry.get("sites_px", {}).items()},
    )


def _match(folder: Path, data: dict[str, Any]) -> PictureSet:
    """``match.json``: published with the names of the box, or as the layout program has them."""
    box = load_box("knizia_stonehenge")
    shots = tuple(
        Shot(
            folder / f["frame"], f["kind"] == "hand", table=_named(f["table"]),
            sites_px=_traced_sites(box, (folder / f["frame"]).with_suffix(".scene.json")),
        )
        for f in data["frames"]
    )  # fmt: skip
    return _present(PictureSet(folder.name, box, (), shots))


def _traced_sites(box: Box, path: Path) -> dict[str, Point]:
    """Places of fields according to the scene file beside a picture, if there is one."""
    if not path.is_file():
        return {}
    camera = json.loads(path.read_text(encoding="utf-8"))["camera"]
    tilt, turn = (math.radians(camera[key]) for key in ("tilt_deg", "azimuth_deg"))
    away, (width, height) = camera["distance_mm"], camera["resolution"]
    view = View(
        (away * math.sin(tilt) * math.cos(turn), away * math.sin(tilt) * math.sin(turn),
         away * math.cos(tilt)),
        (0.0, 0.0, 0.0), (width, height), width / 2 / math.tan(math.radians(camera["fov_deg"]) / 2),
        (camera.get("k1", 0.0), 0.0),
    )  # fmt: skip
    px = view.project(np.array([(*site.at, 0.0) for site in box.sites.values()]))
    return {site: (float(x), float(y)) for site, (x, y) in zip(box.sites, px, strict=True)}


def _named(table: Mapping[str, str]) -> dict[str, str]:
    """Kinds by site; the layout program says which piece lies at which end of a line instead."""
    if not any(piece.count("-") == 2 for piece in table):
        return dict(table)
    return {_site_named(site): _kind_named(piece) for piece, site in table.items()}


def _site_named(site: str) -> str:
    if not site.startswith("end-"):
        return site
    line = site.removeprefix("end-")
    return DIAGONAL.get(line) or {"h": "H", "u": "L"}[line[0]] + line[1:]


def _kind_named(piece: str) -> str:
    first, second, _number = piece.split("-")
    return f"megalith {second}" if first == "mega" else f"stone {first} {second}"


def _go_photographs(folder: Path, data: list[dict[str, Any]]) -> PictureSet:
    shots = tuple(
        Shot(
            folder / entry["file"], False, table=rows_to_table(entry["rows"]),
            sites_px=_go_sites(entry["grid_corners_px"]),
        )
        for entry in data
    )  # fmt: skip
    return _present(PictureSet(folder.name, go_board(), ("stone",), shots))


def _go_sites(corners: Mapping[str, list[float]]) -> dict[str, Point]:
    """Pixels of all crossings, from those of the four outer ones: straight lines stay straight."""
    last = LINES - 1
    seen = [corners[k] for k in ("top_left", "top_right", "bottom_right", "bottom_left")]
    grid = floats([(0, 0), (last, 0), (last, last), (0, last)])
    plane = cv2.getPerspectiveTransform(grid, floats(seen))
    at = [(column, row) for row in range(LINES) for column in range(LINES)]
    px: Points = np.asarray(cv2.perspectiveTransform(floats([at]), plane), dtype=np.float64)[0]
    return {site_id(*spot): (float(x), float(y)) for spot, (x, y) in zip(at, px, strict=True)}


def _go_runs(pictures: PictureSet) -> list[Run]:
    """Loose stickers lie elsewhere in almost every photograph, so each is mapped anew; the three
    where they stay are also looked at in turn, on the board mapped from the first of them."""
    alone: list[tuple[Box, tuple[Shot, ...]]] = []
    unmapped: list[Shot] = []
    for shot in pictures.shots:
        try:
            alone.append((mapped(pictures.box, shot), (shot,)))
        except BoardPictureError:
            unmapped.append(shot)
    found = [Run("each alone", tuple(alone), unmapped=tuple(unmapped))]
    series = {s.path.name: s for s in pictures.shots if s.path.name in GO_SERIES}
    if len(series) == len(GO_SERIES):
        shots = tuple(series[name] for name in GO_SERIES)
        found.append(Run("in order", ((mapped(pictures.box, shots[0]), shots),)))
    return found


def _present(pictures: PictureSet) -> PictureSet:
    """The set without pictures that are not there, as while others are being rendered."""
    there = tuple(shot for shot in pictures.shots if shot.path.is_file())
    if not there:
        raise SourceError(f"none of the pictures that the truth names is in '{pictures.name}'")
    return replace(pictures, shots=there, missing=len(pictures.shots) - len(there))
