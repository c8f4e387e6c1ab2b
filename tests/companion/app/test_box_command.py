"""``heelstone box show``: the board of a box file as screen, printer and camera have it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.app.authoring.box_looks import BoxLook, games_of, position_of
from rules.box import load_box, parse_box
from tests.support.box_file import FILE_TEXT
from tests.support.command import Heelstone, Pytest, inside, outside
from tests.support.ui_harness import need_screen


@pytest.fixture
def heelstone(capfd: Pytest, tmp_path: Path) -> Heelstone:
    """The command with a state folder of its own."""
    run = inside(capfd)
    return lambda *given: run(*given, "--data", tmp_path / "state", "--lang", "en")


def test_a_box_file_from_elsewhere_is_drawn_three_times(tmp_path: Path) -> None:
    need_screen()
    # In a process of its own, since it changes the window and the theme that other tests share.
    heelstone = outside(tmp_path)
    file = tmp_path / "mine.toml"
    file.write_text(FILE_TEXT, encoding="utf-8")
    done = heelstone("box", "show", file, "--out", tmp_path, "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["box"] == "b" and told["sites"] == 3 and told["games"] == []
    pictures = {name: cv2.imread(path) for name, path in told["files"].items()}
    assert set(pictures) == {"screen", "print", "camera", "overview"}
    assert all(picture is not None and picture.std() > 10 for picture in pictures.values())
    night, limestone = np.hsplit(np.asarray(pictures["screen"]), 2)
    assert night.mean() < 60 < 180 < limestone.mean()


def test_what_is_wrong_with_a_file_is_told_with_its_line(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(FILE_TEXT.replace("radius = 18", "radius = -1"), encoding="utf-8")
    done = heelstone("box", "show", file, "--out", tmp_path)
    assert done.code == 2 and not list(tmp_path.glob("*.png"))
    assert "mine.toml, line 29: site A.radius: expected a length above 0" in done.err


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (("dominion", "--game", "hoher_rat"), "hoher_rat is not played on the box dominion"),
        (("stonehenge_anthology", "--position", 3), "say with --game whose position to show"),
        (("knizia_stonehenge", "--position", -1), "0 or more, not -1"),
        (("knizia_stonehenge", "--position", 9999), "over before 9999 moves"),
        (("chess",), "there is no box 'chess'"),
    ],
)
def test_what_cannot_be_shown_is_told(
    heelstone: Heelstone, given: tuple[object, ...], complaint: str
) -> None:
    done = heelstone("box", "show", *given)
    assert done.code == 2 and complaint in done.err


def test_the_games_of_a_box_are_found_and_their_positions_stay_the_same() -> None:
    box = load_box("knizia_stonehenge")
    assert games_of(box) == ["knizia_stonehenge"]
    assert games_of(parse_box(FILE_TEXT, "b.toml")) == [], "nobody plays with it"
    layout, colours = position_of("knizia_stonehenge", 9)
    assert position_of("knizia_stonehenge", 9)[0] == layout and len(colours) == 2
    bare = BoxLook(box, "knizia_stonehenge").camera()
    assert np.abs(bare.astype(int) - BoxLook(box, "", layout).camera()).max() > 60
