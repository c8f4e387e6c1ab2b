"""``heelstone watch``: what pictures show becomes moves, refusals or doubt, and nothing else."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.camera.lenses import Lenses
from rules.box import load_box
from rules.games import find_game
from tests.support.command import PHOTOS, Heelstone
from tests.support.scenery import Board, album, no_board, picture
from tests.support.sweep import widely
from tests.support.watched import WATCHED
from vision.camera.calibration import Calibrated
from vision.camera.lens import Lens

KNIZIA = "knizia_stonehenge"
PICTURES = Path(__file__).parents[2] / "support" / "scenes" / "pictures"

ONE: Board = {"G": "stone black 1"}
TWO: Board = {**ONE, "A": "stone brown 5"}
BREACH: Board = {**TWO, "H1": "megalith brown"}
THREE: Board = {**TWO, "E": "stone black 4"}


def watch(heelstone: Heelstone, folder: Path, *more: str) -> tuple[list[dict[str, Any]], Any]:
    """The records of the pictures, and the last record."""
    result = heelstone("watch", folder, "--game", KNIZIA, "--json", *more)
    assert (result.code, result.err) == (0, ""), result.err
    *records, end = result.records
    for record in records:
        assert {"frame", "status", "moves", "objections", "table", "advice", "ms"} <= set(record)
    return records, end


# -- the photographed match ---------------------------------------------------------------


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="needs photographs beside the checkout")
def test_the_photographed_match_is_refereed_as_its_truth_says(heelstone: Heelstone) -> None:
    truth = json.loads((PHOTOS / "match.json").read_text(encoding="utf-8"))
    records, end = watch(heelstone, PHOTOS)
    assert [r["frame"] for r in records] == [f["frame"] for f in truth["frames"]]
    played: list[str] = []
    for record, frame in zip(records, truth["frames"], strict=True):
        where = (frame["frame"], record)
        kind = frame["kind"]
        if kind == "hand":
            assert (record["status"], record["moves"]) == ("unclear", []), where
            # What the hand covers may be missing, but nothing may be seen that is not there.
            assert record["table"].items() <= frame["table"].items(), where
            continue
        assert record["table"] == frame["table"], where
        if kind in ("setup", "end"):
            assert (record["status"], record["moves"], record["objections"]) == (
                "settled", [], [],
            ), where  # fmt: skip
        elif kind == "illegal":
            assert (record["status"], record["moves"]) == ("illegal", []), where
            rule = "1.4" if "moved" in frame["note"] else "1.5"
            assert {o["rule"] for o in record["objections"]} == {rule}, where
            assert all(o["code"] and o["text"] for o in record["objections"]), where
        else:
            seat = truth["players"].index(frame["player"])
            place = frame["place"]
            wanted = [f"p{seat} place {place['value']} {place['site']}"]
            wanted += [f"p{seat} claim {line}" for line in frame["claims"]]
            moves = [move for move in record["moves"] if not move.endswith(" done")]
            assert record["status"] == "move", where
            assert moves[0] == wanted[0], where
            assert sorted(moves) == sorted(wanted), where
            played += record["moves"]
    assert end["moves"] == played
    winner = truth["result"]["winner"]
    assert end["outcome"]["winners"] == [winner]
    assert end["outcome"]["ranking"][0] == [truth["players"].index(winner)]
    assert end["outcome"]["scores"] == [truth["result"]["megaliths"][p] for p in truth["players"]]


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="needs photographs beside the checkout")
def test_a_photograph_without_the_board_in_the_middle_changes_nothing_else(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    names = ("000", "001", "002", "004")
    for number, name in enumerate(names):
        target = tmp_path / f"{number}{'b' if number > 1 else ''}.jpg"
        target.write_bytes((PHOTOS / f"{name}.jpg").read_bytes())
    album(tmp_path / "grey", [no_board()])
    (tmp_path / "grey" / "00.jpg").rename(tmp_path / "2a.jpg")
    records, end = watch(heelstone, tmp_path)
    assert [r["status"] for r in records] == ["settled", "move", "unclear", "move", "move"]
    assert end["moves"][-1] == "p0 place 4 E"


def test_photographs_of_one_match_in_the_wrong_order_are_never_taken_for_moves(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    for number, name in enumerate(("empty", "late", "empty", "middle", "hand", "empty")):
        (tmp_path / f"{number}.jpg").write_bytes((PICTURES / f"{name}.jpg").read_bytes())
    records, end = watch(heelstone, tmp_path)
    truth = json.loads((PICTURES / "truth.json").read_text(encoding="utf-8"))["pictures"]
    tables = {entry["picture"]: entry["table"] for entry in truth}
    assert records[0]["status"] == records[2]["status"] == records[5]["status"] == "settled"
    assert records[1]["table"] == tables["late.jpg"]
    assert records[3]["table"] == tables["middle.jpg"]
    assert records[4]["status"] == "unclear"
    assert all(records[n]["status"] in ("illegal", "unclear", "ambiguous") for n in (1, 3))
    assert end == {"outcome": None, "moves": []}


# -- drawn boards -------------------------------------------------------------------------


def test_turns_a_breach_and_its_correction(heelstone: Heelstone, tmp_path: Path) -> None:
    records, end = watch(heelstone, album(tmp_path, [{}, ONE, TWO, BREACH, TWO, THREE]))
    assert [r["status"] for r in records] == [
        "settled", "move", "move", "illegal", "settled", "move",
    ]  # fmt: skip
    assert [r["moves"] for r in records] == [
        [], ["p0 place 1 G"], ["p0 done", "p1 place 5 A"], [], [], ["p1 done", "p0 place 4 E"],
    ]  # fmt: skip
    assert [r["table"] for r in records] == [{}, ONE, TWO, BREACH, TWO, THREE]
    (objection,) = records[3]["objections"]
    assert (objection["rule"], objection["code"]) == ("1.5", "still_open")
    assert end["outcome"] is None
    assert end["moves"] == [move for r in records for move in r["moves"]]


def test_the_reason_is_told_in_the_chosen_language(heelstone: Heelstone, tmp_path: Path) -> None:
    folder = album(tmp_path, [{}, ONE, TWO, BREACH])
    texts = {
        lang: watch(heelstone, folder, "--lang", lang)[0][3]["objections"][0]["text"]
        for lang in ("de", "en")
    }
    assert "noch offen" in texts["de"]
    assert texts["en"] != texts["de"] and "H1" in texts["en"]


def test_a_piece_that_slid_cites_the_rule_for_handling_pieces(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    slid = {"A": TWO["A"], "H": ONE["G"]}
    records, _ = watch(heelstone, album(tmp_path, [{}, ONE, TWO, slid, TWO]))
    assert [r["status"] for r in records[3:]] == ["illegal", "settled"]
    assert records[3]["moves"] == []
    assert [o["rule"] for o in records[3]["objections"]] == ["1.4"]


def test_without_the_corner_stickers_it_says_why_and_the_match_goes_on(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    records, end = watch(heelstone, album(tmp_path, [{}, ONE, no_board(), TWO, THREE]))
    assert [r["status"] for r in records] == ["settled", "move", "unclear", "move", "move"]
    lost = records[2]
    assert (lost["moves"], lost["objections"], lost["table"]) == ([], [], {})
    assert "sticker" in lost["doubt"]
    assert end["moves"][-1] == "p0 place 4 E"


def test_a_stone_taken_up_again_is_a_question_and_no_move(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    records, end = watch(heelstone, album(tmp_path, [{}, ONE, {}, ONE]))
    assert records[2]["status"] == "ambiguous"
    assert records[2]["moves"] == []
    assert any(candidate["takeback"] == 1 for candidate in records[2]["candidates"])
    assert records[3]["status"] == "settled"
    assert end["moves"] == ["p0 place 1 G"]


def test_one_picture_is_a_source_too(heelstone: Heelstone, tmp_path: Path) -> None:
    folder = album(tmp_path, [ONE])
    records, end = watch(heelstone, folder / "00.jpg")
    assert [r["status"] for r in records] == ["move"]
    assert end["moves"] == ["p0 place 1 G"]


def test_what_is_no_picture_by_its_name_is_passed_over(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    album(tmp_path, [{}, ONE])
    (tmp_path / "notes.txt").write_text("not a picture")
    (tmp_path / ".hidden.jpg").write_text("not a picture")
    records, _ = watch(heelstone, tmp_path)
    assert [r["frame"] for r in records] == ["00.jpg", "01.jpg"]


def test_a_text_file_named_jpg_is_refused_before_the_match_begins(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    album(tmp_path, [{}, ONE])
    (tmp_path / "99.jpg").write_text("I only look like a picture.")
    for source in (tmp_path, tmp_path / "99.jpg"):
        complaint = heelstone("watch", source, "--game", KNIZIA, "--json").complaint()
        assert "99.jpg" in complaint and "not a picture" in complaint


def test_a_folder_without_pictures_is_refused(heelstone: Heelstone, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    complaint = heelstone("watch", tmp_path, "--game", KNIZIA).complaint()
    assert "no pictures" in complaint and str(tmp_path) in complaint


def test_a_file_that_is_neither_picture_nor_video_is_refused(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    for name, data in (("match.json", b"{}"), ("film.mp4", b"this is no film" * 99)):
        file = tmp_path / name
        file.write_bytes(data)
        assert name in heelstone("watch", file, "--game", KNIZIA).complaint()


def test_a_picture_that_is_torn_off_ends_it_with_one_line(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    album(tmp_path, [{}, ONE])
    torn = tmp_path / "01.jpg"
    torn.write_bytes(torn.read_bytes()[:150])
    result = heelstone("watch", tmp_path, "--game", KNIZIA, "--json")
    assert result.code == 2
    assert [r["frame"] for r in result.records] == ["00.jpg"]
    assert result.err.count("\n") == 1 and "01.jpg" in result.err


def test_people_read_one_line_per_picture(heelstone: Heelstone, tmp_path: Path) -> None:
    folder = album(tmp_path, [{}, ONE, TWO, BREACH, no_board()])
    out = heelstone("watch", folder, "--game", KNIZIA, "--lang", "en").out.splitlines()
    assert len(out) == 6
    assert "p0 place 1 G" in out[1]
    assert "not allowed" in out[3] and "H1" in out[3]
    assert "unclear" in out[4] and "corner stickers 0, 1, 2, 3 are not visible" in out[4]
    out = heelstone("--lang", "de", "watch", folder, "--game", KNIZIA).out.splitlines()
    assert [line.split()[1] for line in out[:5]] == ["stimmt", "Zug", "Zug", "nicht", "unklar"]
    assert "Linie H1 ist noch offen" in out[3]
    assert "die Eckaufkleber 0, 1, 2, 3 sind nicht zu sehen" in out[4]


def test_debug_keeps_what_was_seen(heelstone: Heelstone, tmp_path: Path) -> None:
    folder, kept = album(tmp_path / "in", [{}, ONE, no_board()]), tmp_path / "seen"
    watch(heelstone, folder, "--debug", str(kept))
    assert sorted(p.name for p in kept.iterdir()) == ["00.jpg", "01.jpg", "02.jpg"]
    assert all(cv2.imread(str(p)) is not None for p in kept.iterdir())


def test_advice_stands_in_every_record_in_the_language_that_was_asked_for(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    dark = (0.25 * picture({})).astype(np.uint8)
    folder = album(tmp_path, [{}, dark])
    (good, bad), _ = watch(heelstone, folder, "--lang", "de")
    assert good["advice"] == []
    (advice,) = bad["advice"]
    assert advice["code"] == "too_dark" and advice["params"]["white"] < 85
    assert advice["text"] == "Es ist zu dunkel. Bitte mehr Licht machen."
    (_, bad), _ = watch(heelstone, folder, "--lang", "en")
    assert bad["advice"][0]["text"].startswith("It is too dark")


def test_the_lens_of_the_camera_that_took_the_pictures_is_used(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    folder, state = album(tmp_path / "in", [{}, ONE]), tmp_path / "data"
    calibrated = Lens((1600, 1200), 1450.0, -0.05)
    path = Lenses(state).keep("pi-0", Calibrated(calibrated, 0.3, 0.5, 0.001, 12, 0))
    records, _ = watch(heelstone, folder, "--camera", "pi", "--data", str(state))
    assert [r["status"] for r in records] == ["settled", "move"]
    path.write_text("damaged")
    records, _ = watch(heelstone, folder, "--camera", "pi", "--data", str(state))
    assert [r["status"] for r in records] == ["settled", "move"]


def test_a_box_file_of_another_board_is_used(heelstone: Heelstone, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    own = (files("rules") / "boxes" / f"{KNIZIA}.toml").read_text(encoding="utf-8")
    file.write_text(own, encoding="utf-8")
    folder = album(tmp_path / "in", [{}, ONE])
    records, _ = watch(heelstone, folder, "--box", str(file))
    assert [r["status"] for r in records] == ["settled", "move"]
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[box]\nid = 3", encoding="utf-8")
    said = heelstone("watch", folder, "--game", KNIZIA, "--box", wrong).complaint()
    assert "wrong.toml" in said


def test_a_video_goes_by_its_own_clock(heelstone: Heelstone, tmp_path: Path) -> None:
    file = tmp_path / "match.avi"
    film = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (1600, 1200))
    if not film.isOpened():
        pytest.skip("this OpenCV writes no videos")
    for board, seconds in (({}, 2), (ONE, 4), (TWO, 4)):
        shown = picture(board)
        for _ in range(seconds * 5):
            film.write(shown)
    film.release()
    records, end = watch(heelstone, file)
    assert end["moves"] == ["p0 place 1 G", "p0 done", "p1 place 5 A"]
    # Of a film only changes are told.
    assert len(records) < 30
    assert [r["moves"] for r in records if r["moves"]] == [
        ["p0 place 1 G"], ["p0 done", "p1 place 5 A"],
    ]  # fmt: skip


@pytest.mark.parametrize("name", widely(WATCHED, most=1))
def test_every_game_can_be_watched(heelstone: Heelstone, tmp_path: Path, name: str) -> None:
    box = load_box(find_game(name).box)
    pictures = [no_board()]
    if box.id != "dominion":  # Its many cards take seconds to draw.
        pictures.append(picture({}, box))
    result = heelstone("watch", album(tmp_path, pictures), "--game", name, "--json")
    assert (result.code, result.err) == (0, "")
    *records, end = result.records
    assert len(records) == len(pictures)
    assert records[0]["status"] == "unclear" and records[0]["doubt"]
    assert set(end) == {"outcome", "moves"}


@pytest.mark.parametrize(
    "asked",
    [
        ("watch", "0", "--game", "any_game"), ("demo", "any_game"), ("box", "show", "any_game"),
        ("print", "any_game", "--out", "out.pdf"),
    ],
)  # fmt: skip
def test_what_needs_a_board_says_that_a_game_has_none(
    heelstone: Heelstone, asked: tuple[str, ...]
) -> None:
    result = heelstone(*asked)
    assert result.code and "any_game is played without a board" in result.err
