"""Seven-segment text: nothing on it can be taken for something else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.displays.segments import SEATS, SHAPES, DigitText, digit_text


def said(line: str, places: int = 4, colon: bool = True) -> str:
    return str(digit_text(line, places, colon=colon))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("07:05", "07:05"),
        ("7:5", " 7: 5"),
        ("-3:12", "-3:12"),
        ("07.:05", "07.:05"),
        ("07:05.", "07:05."),
        ("12", "  12"),
        ("-12", " -12"),
        ("Anna\t12", "  12"),
        ("A 12", "A 12"),
        ("b-12", "b-12"),
        ("C112", "C112"),
        ("Laut", "LAut"),
        ("öde", "odE "),
        ("", "    "),
    ],
)
def test_what_fits_is_shown(line: str, shown: str) -> None:
    assert said(line) == shown


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("112:98", "a side of three digits"),
        ("12345", "five digits"),
        ("Anna 7\tBert 5", "a name with letters that have no shape"),
        ("S 12", "S would be read as 5"),
        ("7:5:3", "two colons"),
        ("12²", "a power"),
    ],
)
def test_a_number_that_cannot_be_shown_whole_is_dashes(line: str, why: str) -> None:
    assert said(line) == "----", why


@pytest.mark.parametrize("line", ["SOS", "Zug", "Stonehenge", "Wer beginnt?"])
def test_a_word_that_cannot_be_shown_whole_is_nothing(line: str) -> None:
    assert said(line) == "    "


def test_no_letter_looks_like_a_digit_or_another_letter() -> None:
    assert len(set(SHAPES.values())) == len(SHAPES)
    assert all(letter in SHAPES for letter in SEATS)


def test_without_a_colon_two_scores_go_to_the_ends() -> None:
    assert said("07:05", 8, colon=False) == "07    05"
    assert said("107.:5", 8, colon=False) == "107.    5"
    assert said("1234:5", 8, colon=False) == "--------"


@given(
    line=st.text(alphabet="0123456789-:. \tAbSZx", max_size=9) | st.text(max_size=12),
    places=st.sampled_from([4, 6, 8]),
)
def test_every_number_on_digits_is_one_that_was_given(line: str, places: int) -> None:
    shown = digit_text(line, places, colon=places == 4)
    assert isinstance(shown, DigitText)
    assert len(shown.segments) == places
    given_numbers = re.findall(r"[0-9]+", line)
    for number in re.findall(r"[0-9]+", re.sub(r"[.]", "", shown.letters)):
        joined = "".join(given_numbers)
        assert number in given_numbers or (number in joined and (":" in line or "." in line))


@given(left=st.integers(-9, 99), right=st.integers(-9, 99), turn=st.sampled_from(["", "l", "r"]))
def test_any_two_scores_of_two_places_can_be_read_back(left: int, right: int, turn: str) -> None:
    dots = ("." if turn == "l" else "", "." if turn == "r" else "")
    shown = said(f"{left}{dots[0]}:{right}{dots[1]}")
    a, b = shown.split(":")
    assert (int(a.strip(".")), int(b.strip("."))) == (left, right)
    assert (a.endswith("."), b.endswith(".")) == (turn == "l", turn == "r")
