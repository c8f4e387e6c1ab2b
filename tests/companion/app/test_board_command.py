"""The commands about boxes and boards: drawn, printed and given an outline."""

from __future__ import annotations

import importlib.util
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.app.authoring.box_looks import BoxLook, games_of, position_of
from companion.boards.draft import BoardDraft
from companion.printing.dominion_subset import for_kingdom, kingdom_cards
from companion.printing.pages.cards import cards_of
from companion.printing.pages.stickers import labels_of
from rules.box import load_box, parse_box
from rules.games.dominion.components import BASIC, KINGDOM, KINGDOMS
from tests.support.box_file import FILE_TEXT
from tests.support.command import Heelstone, Pytest, inside, outside
from tests.support.own_board import (
    CORNERS,
    GAME,
    OUTLINE,
    between_stickers,
    photograph,
    seen_from_above,
)
from tests.support.ui_harness import need_screen


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


def test_it_writes_a_pdf_and_says_what_is_on_its_pages(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    out = tmp_path / "set.pdf"
    result = heelstone("print", "knizia_stonehenge", "--out", out, "--lang", "en")
    assert result.code == 0
    assert "Board (A4): pages 1 to 7" in result.out
    assert str(out) in result.out
    assert len(pypdfium2.PdfDocument(str(out))) == 13


def test_json_tells_of_every_page(heelstone: Heelstone, tmp_path: Path) -> None:
    out = tmp_path / "set.pdf"
    result = heelstone(
        "print", "knizia_stonehenge", "--what", "board,stickers", "--paper", "a3", "--out", out,
        "--json",
    )  # fmt: skip
    records = result.records
    assert [record["page"] for record in records] == list(range(1, len(records) + 1))
    assert all(set(record) == {"page", "what", "paper", "stickers"} for record in records)
    assert {record["what"] for record in records} == {"board", "stickers"}
    assert {record["paper"] for record in records} == {"a3"}
    on_board = [s for record in records if record["what"] == "board" for s in record["stickers"]]
    assert sorted(on_board) == [0, 1, 2, 3]
    page = pypdfium2.PdfDocument(str(out))[1]
    assert sorted(side / 72 * 25.4 for side in page.get_size()) == pytest.approx(
        [297, 420], abs=0.1
    )


def test_both_papers_go_into_one_file(heelstone: Heelstone, tmp_path: Path) -> None:
    out = tmp_path / "set.pdf"
    result = heelstone(
        "print", "knizia_stonehenge", "--what", "board", "--paper", "a4,a3", "--out", out, "--json"
    )
    papers = [record["paper"] for record in result.records]
    assert papers == ["a4"] * 7 + ["a3"] * 5
    longest = [max(page.get_size()) / 72 * 25.4 for page in pypdfium2.PdfDocument(str(out))]
    assert longest == pytest.approx([297] * 7 + [420] * 5, abs=0.1)


def test_an_unknown_paper_is_answered_with_the_known_ones(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    complaint = heelstone(
        "print", "dominion", "--paper", "letter", "--out", tmp_path / "x.pdf"
    ).complaint()
    assert "'letter'; there are: a4, a3" in complaint


def test_an_older_file_is_replaced(heelstone: Heelstone, tmp_path: Path) -> None:
    out = tmp_path / "set.pdf"
    out.write_text("old")
    assert heelstone("print", "knizia_stonehenge", "--what", "stickers", "--out", out).code == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_without_a_file_it_asks_for_one(heelstone: Heelstone) -> None:
    assert "--out" in heelstone("print", "dominion").complaint()


def test_an_unknown_box_is_answered_with_the_known_ones(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    complaint = heelstone("print", "chess", "--out", tmp_path / "x.pdf").complaint()
    assert "chess" in complaint
    assert "knizia_stonehenge, stonehenge_anthology" in complaint


def test_an_unknown_part_is_answered_with_the_known_ones(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    complaint = heelstone(
        "print", "dominion", "--what", "board,dice", "--out", tmp_path / "x.pdf"
    ).complaint()
    assert "'dice'; there are: board, stickers, cards, pieces" in complaint


def test_a_folder_that_is_not_there_is_named(heelstone: Heelstone, tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "x.pdf"
    result = heelstone("print", "knizia_stonehenge", "--what", "stickers", "--out", out)
    assert "nowhere" in result.complaint()


def test_without_fpdf2_it_says_what_to_install(
    heelstone: Heelstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec

    def without_fpdf(name: str, *rest: Any) -> Any:
        return None if name == "fpdf" else found(name, *rest)

    monkeypatch.setattr("companion.printing.sheet.find_spec", without_fpdf)
    complaint = heelstone("print", "dominion", "--out", tmp_path / "x.pdf").complaint()
    assert "pip install 'heelstone[print]'" in complaint


# -- one kingdom of Dominion -----------------------------------------------------------------------


def test_only_the_cards_of_a_kingdom_are_printed_with_a_back_each() -> None:
    box = for_kingdom(load_box("dominion"), "first-game")
    fronts = Counter(kind.id for kind in cards_of(box))
    assert set(fronts) == {*BASIC, *KINGDOMS["first-game"]}
    assert box.kinds["card back"].count == sum(fronts.values())
    labels = Counter(label.name for label in labels_of(box, "en"))
    assert labels["Moat"] == 10 and "Witch" not in labels


def test_cards_are_named_in_either_language_and_mixed_with_kingdoms() -> None:
    assert kingdom_cards("Dorf, Throne Room,burggraben") == ("village", "throne-room", "moat")
    assert kingdom_cards("witch,big money") == ("witch", *KINGDOMS["big-money"])


def test_a_kingdom_makes_the_set_smaller(heelstone: Heelstone, tmp_path: Path) -> None:
    pages = []
    for more in ((), ("--kingdom", "village,Burggraben")):
        result = heelstone(
            "print", "dominion", "--what", "stickers", "--out", tmp_path / "x.pdf", "--json", *more
        )
        assert result.code == 0
        pages.append([record["stickers"] for record in result.records])
    whole, part = ({s for page in each for s in page} for each in pages)
    box = load_box("dominion")
    assert whole - part == {
        box.kinds[c].stickers[0] for c in KINGDOM if c not in ("village", "moat")
    }
    assert len(pages[1]) < len(pages[0])


def test_a_misspelt_card_is_answered_with_the_nearest(heelstone: Heelstone, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "x.pdf")
    said = heelstone("print", "dominion", "--kingdom", "vilage", *out).complaint()
    assert "'vilage'" in said and "'village'" in said
    said = heelstone("print", "knizia_stonehenge", "--kingdom", "village", *out).complaint()
    assert "only dominion has" in said
