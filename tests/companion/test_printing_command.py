"""``heelstone print``: what it writes, what it says, and what it refuses."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from tests.companion.command import Heelstone


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
