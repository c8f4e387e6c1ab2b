"""``heelstone board``: mapping without a touchscreen; ``--board``: other editions."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import pytest

from companion.boards.draft import BoardDraft
from tests.support.command import Heelstone, Pytest, inside
from tests.support.own_board import (
    CORNERS,
    GAME,
    OUTLINE,
    between_stickers,
    photograph,
    seen_from_above,
)


@pytest.fixture
def heelstone(capfd: Pytest, tmp_path: Path) -> Heelstone:
    """The command with a state folder of its own."""
    run = inside(capfd)
    return lambda *given: run(*given, "--data", tmp_path / "state", "--lang", "en")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), photograph())
    return path


def test_a_board_is_looked_at_moved_saved_used_and_removed(
    heelstone: Heelstone, picture: Path, tmp_path: Path
) -> None:
    look = tmp_path / "look.png"
    done = heelstone("board", GAME, "--picture", picture, "--out", look)
    assert done.code == 0 and "Corner stickers 44" in done.out
    drawn = cv2.imread(str(look))
    assert drawn is not None and max(drawn.shape) == 1100
    assert not (tmp_path / "state" / "boxes").exists(), "nothing counts before --save"
    saved = heelstone("board", GAME, "--picture", picture, "--move", "3,-4", "--rotate", 2,
                      "--scale", 0.9, "--site", "A=-20,110.5", "--save", "--json")  # fmt: skip
    assert saved.code == 0, saved
    record = saved.records[0]
    assert record["saved"].endswith(f"{GAME}.toml") and record["faults"] == []
    assert '"A" = { at = [-20.00, 110.50]' in Path(record["saved"]).read_text()
    (portrait,) = (tmp_path / "state" / "boxes").glob(f"{GAME}-*.jpg")
    assert portrait.stat().st_size > 10_000
    again = heelstone("board", GAME, "--json").records[0]
    assert again["rotate"] == record["rotate"] and again["scale"] == record["scale"]
    gone = heelstone("board", GAME, "--remove")
    assert "The printed board is in use again." in gone.out
    assert "no board of your own" in heelstone("board", GAME, "--remove").out
    assert list((tmp_path / "state" / "boxes").iterdir()) == []


def test_a_measured_distance_sets_the_size(heelstone: Heelstone, picture: Path) -> None:
    done = heelstone("board", GAME, "--picture", picture, "--across", 437, "--json")
    assert done.records[0]["across"] == 437.0


def test_the_outline_is_found_given_kept_and_forgotten(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    picture = tmp_path / "between.png"
    cv2.imwrite(str(picture), seen_from_above(between_stickers()))
    plain = heelstone("board", GAME, "--picture", picture)
    assert "Everything between the stickers counts as board" in plain.out
    done = heelstone("board", GAME, "--picture", picture, "--outline", "find", "--scale", 0.88,
                     "--move", "12,-7", "--rotate", 4, "--save", "--json")  # fmt: skip
    record = done.records[0]
    assert record["unsure"] == [] and record["saved"], record
    middle = [sum(at[axis] for at in CORNERS.values()) / 4 for axis in (0, 1)]
    for found, true in zip(record["outline"], OUTLINE, strict=True):
        # One picture gives the size of a board to 1 or 2 per cent.
        assert math.dist(found, (true[0] - middle[0], true[1] - middle[1])) < 6
    assert "outline = [[" in Path(record["saved"]).read_text()
    kept = heelstone("board", GAME, "--json").records[0]["outline"]
    assert [tuple(at) for at in kept] == [pytest.approx(at) for at in record["outline"]]
    given = heelstone("board", GAME, "--outline", "-150,150 150,150 150,-150 -150,-150", "--save")
    assert given.code == 1 and "Beside the board: " in given.out
    assert "-150.0,150.0  150.0,150.0" in given.out
    assert heelstone("board", GAME, "--json").records[0]["outline"] == kept, "nothing is lost"
    assert heelstone("board", GAME, "--outline", "none", "--save").code == 0
    assert heelstone("board", GAME, "--json").records[0]["outline"] is None


def test_what_cannot_be_is_said_and_not_saved(heelstone: Heelstone, tmp_path: Path) -> None:
    done = heelstone("board", GAME, "--site", "A=0,0", "--site", "B=0,0", "--save", "--json")
    assert done.code == 1
    record = done.records[0]
    assert record["saved"] is None
    assert {"A", "B"} <= {site for fault in record["faults"] for site in fault["sites"]}
    assert not (tmp_path / "state" / "boxes").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["nowhere"], "there is no box 'nowhere'"),
        ([GAME, "--move", "3"], "--move takes two numbers X,Y in mm"),
        ([GAME, "--move", "3,nan"], "is beyond any table"),
        ([GAME, "--scale", "0"], "--scale takes a factor above 0"),
        ([GAME, "--site", "A"], "--site takes ID=X,Y"),
        ([GAME, "--site", "Q9=1,2"], "has no field 'Q9'"),
        ([GAME, "--outline", "find"], "--outline find looks at a picture"),
        ([GAME, "--outline", "1,2 3,4"], "--outline takes find, none, or four corners"),
        ([GAME, "--outline", "0,0 9,0 9,9 0,9"], "clockwise from the upper left"),
        ([GAME, "--outline", "0,0 9,0 9,9 0"], "--outline takes two numbers"),
        ([GAME, "--out", "x.png"], "name it with --picture"),
        ([GAME, "--game", "dominion"], "dominion is not played on the box"),
        ([GAME, "--picture", "nowhere.jpg"], "nowhere.jpg"),
    ],
)
def test_bad_use_is_one_clear_line(heelstone: Heelstone, given: list[str], said: str) -> None:
    assert said in heelstone("board", *given).complaint()


def test_a_picture_without_the_stickers_says_which_are_missing(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    cv2.imwrite(str(tmp_path / "half.png"), photograph()[:500])
    said = heelstone("board", GAME, "--picture", tmp_path / "half.png").complaint()
    assert "corner stickers 2, 3 are not visible" in said


def test_a_random_match_is_played_on_a_board_of_another_edition(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    draft = BoardDraft.of_game("dolmengoetter")
    draft.name = "Attic find"
    path = tmp_path / "attic.toml"
    path.write_text(draft.text(), encoding="utf-8")
    done = heelstone("simulate", "dolmengoetter", "--board", path, "--json")
    assert done.code == 0
    assert done.records[0]["game"].startswith("dolmengoetter@")
    assert done.records[0]["state"]["board"] == "Attic find"
    assert "outcome" in done.records[-1]
    path.write_text(path.read_text().replace('"U1", ', "", 1))
    assert "attic.toml" in heelstone("simulate", "dolmengoetter", "--board", path).complaint()
    told = heelstone("simulate", "hoher_rat", "--board", path).complaint()
    assert "hoher_rat is played only on its own board" in told
