"""The pictures of README and docs show what is there today: each is made by one command, drawn
again here, and compared by eyes that allow for other drawing libraries and for nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.presentation.theme import tokens
from docs.gallery.album import (
    COMMAND,
    DRAWN_BY_HAND,
    FOLDER,
    PAINTERS,
    Drawn,
    NotDrawn,
    Painter,
    differ,
    draw,
    write,
)
from docs.gallery.contact_sheet import as_file, read

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
MADE = {name for painter in PAINTERS for name in painter.names}

QUICK = (
    "play.png", "not-allowed.png", "take-back-portrait.png", "result.png", "shelf.png",
    "set-up.png", "set-out.png", "check.png", "ledger.png", "final-count-portrait.png",
    "two-tables.png", "table.jpg",
)  # fmt: skip
"""Screens of every kind, the README's among them, at a tenth of the time for all."""


def _shown() -> dict[str, list[str]]:
    """The pages on which each picture is."""
    shown: dict[str, list[str]] = {}
    for page in PAGES:
        for name in re.findall(r"\((?:docs/)?pictures/([^)]+)\)", page.read_text("utf-8")):
            shown.setdefault(name, []).append(str(page.relative_to(ROOT)))
    return shown


def _old(wanted: tuple[str, ...]) -> list[str]:
    """A remark on pictures that are out of date."""
    told = []
    for drawn in draw(wanted):
        if isinstance(drawn, NotDrawn):
            pytest.skip(drawn.reason)
        difference = differ((FOLDER / drawn.name).read_bytes(), drawn)
        if difference:
            pages = " and ".join(sorted(set(_shown()[drawn.name])))
            told.append(
                f"{pages}: pictures/{drawn.name} shows yesterday's screen ({difference}). "
                f"Draw it anew: {COMMAND}"
            )
    return told


def test_every_picture_is_made_by_the_command_and_shown_on_a_page() -> None:
    there = {path.name for path in FOLDER.iterdir()}
    assert there == MADE | {*DRAWN_BY_HAND}
    assert there == set(_shown())


def test_no_page_shows_yesterdays_screen() -> None:
    assert _old(QUICK) == []


@pytest.mark.thorough
@pytest.mark.parametrize("painter", PAINTERS, ids=lambda painter: painter.names[0])
def test_no_page_shows_an_old_picture(painter: Painter) -> None:
    assert _old(painter.names) == []


# -- the eye ---------------------------------------------------------------------------------------


def _one(name: str) -> Drawn:
    (drawn,) = draw([name])
    if isinstance(drawn, NotDrawn):
        pytest.skip(drawn.reason)
    return drawn


def _another_letter(change: pytest.MonkeyPatch) -> None:
    change.setattr("docs.gallery.screens.NAMES", ("Anna", "Ba", "Käthe", "Luis"))


def _another_colour(change: pytest.MonkeyPatch) -> None:
    change.setitem(tokens.PALETTES, "night", replace(tokens.NIGHT, stone="#33404C"))


def _another_place(change: pytest.MonkeyPatch) -> None:
    change.setattr(tokens, "SIZES", replace(tokens.SIZES, gap=tokens.SIZES.gap + 2))


@pytest.fixture(scope="module")
def set_up() -> Drawn:
    """A screen as it is."""
    return _one("set-up.png")


@pytest.mark.parametrize("change", [_another_letter, _another_colour, _another_place])
def test_a_change_on_the_screen_makes_its_picture_old(
    change: Callable[[pytest.MonkeyPatch], None], set_up: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(monkeypatch)
    assert differ(set_up.file, _one(set_up.name))


def test_what_only_drawing_libraries_do_makes_no_picture_old(set_up: Drawn) -> None:
    """Tones rounded the other way, and edges a little softer."""
    picture = read(set_up.file)
    tones = np.random.default_rng(1).integers(-1, 2, picture.shape)
    softer = cv2.GaussianBlur(picture, (0, 0), 0.2) + tones
    coded = cv2.imencode(".png", np.clip(softer, 0, 255).astype(np.uint8))[1].tobytes()
    assert coded != set_up.file
    assert differ(coded, set_up) == ""


def test_only_what_is_old_is_written(tmp_path: Path) -> None:
    name = "table.jpg"
    assert list(write(tmp_path, [name])) == [f"{tmp_path / name}: new"]
    first = (tmp_path / name).read_bytes()
    # Another file that shows the same.
    nearly = first + b"\0"
    (tmp_path / name).write_bytes(nearly)
    assert list(write(tmp_path, [name])) == [f"{tmp_path / name}: as before"]
    assert (tmp_path / name).read_bytes() == nearly
    (tmp_path / name).write_bytes(as_file(cv2.flip(read(first), 1).astype(np.uint8), ".jpg"))
    assert list(write(tmp_path, [name])) == [f"{tmp_path / name}: drawn anew"]
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.thorough
def test_pictures_are_the_same_wherever_and_whenever_they_are_drawn(tmp_path: Path) -> None:
    names = ("shelf.png", "looking-back.jpg", "own-board.jpg", "workshop.jpg", "check.png")
    for number, zone in enumerate(("Asia/Tokyo", "America/Lima")):
        folder = tmp_path / zone.partition("/")[2]
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-m", "docs.gallery", "--out", str(folder), *names],
            check=True, cwd=tmp_path, stdout=subprocess.DEVNULL,
            env={
                **os.environ, "PYTHONPATH": str(ROOT), "TZ": zone, "HOME": str(folder),
                "PYTHONHASHSEED": str(number), "LANG": ("de_DE.UTF-8", "C")[number],
            },
        )  # fmt: skip
    one, other = tmp_path / "Tokyo", tmp_path / "Lima"
    assert [n for n in names if (one / n).read_bytes() != (other / n).read_bytes()] == []
