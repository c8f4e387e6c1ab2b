"""``heelstone print``: what it writes, what it says, and what it refuses."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from companion.printing.dominion_subset import for_kingdom, kingdom_cards
from companion.printing.pages.cards import cards_of
from companion.printing.pages.stickers import labels_of
from rules.box import load_box
from rules.games.dominion.components import BASIC, KINGDOM, KINGDOMS
from tests.support.command import Heelstone


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
