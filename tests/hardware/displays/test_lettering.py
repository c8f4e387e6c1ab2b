"""Letters and digits as displays show them."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.displays.cfa635 import ROM as CFA635_ROM
from hardware.displays.lettering import ASCII_ROM, HD44780_A00_ROM, CharacterRom, fit
from hardware.displays.segments import SEATS, SHAPES, DigitText, digit_text

ROMS = [CFA635_ROM, HD44780_A00_ROM, ASCII_ROM]


def one(line: str, columns: int, rom: CharacterRom = ASCII_ROM) -> str:
    return fit([line], columns, 1, rom)[0]


def test_a_tab_sends_the_score_to_the_right_end() -> None:
    assert one("Anna\t12", 12) == "Anna      12"


def test_a_long_name_gives_way_to_the_score() -> None:
    assert one("Bartholomaeus\t127", 10) == "Barth. 127"


def test_long_words_are_shortened_before_short_ones() -> None:
    assert one("White druid to H3", 16) == "Whi. druid to H3"
    assert one("Megalith on H3", 12) == "Megal. on H3"


def test_words_that_had_to_be_left_out_leave_a_mark() -> None:
    assert one("12 34 56 78", 8) == "12 34 > "


def test_a_number_too_wide_for_the_display_is_not_shown_as_another_number() -> None:
    assert one("1234567", 4) == "####"


def test_more_lines_than_rows_are_not_dropped_silently() -> None:
    assert fit(["one", "two", "three"], 8, 2, ASCII_ROM) == ("one     ", "two   ..")


def test_missing_lines_are_blank() -> None:
    assert fit(["x"], 4, 2, ASCII_ROM) == ("x   ", "    ")


def test_umlauts_of_the_cfa635_are_the_bytes_of_its_data_sheet() -> None:
    assert CFA635_ROM.encode("ÄÖÜäöüß") == bytes((0x5B, 0x5C, 0x5E, 0x7B, 0x7C, 0x7E, 0xBE))
    assert CFA635_ROM.encode("@$[]_") == bytes((0xA0, 0xA2, 0xFA, 0xFC, 0xC4))


def test_umlauts_of_the_hd44780_are_the_bytes_of_its_data_sheet() -> None:
    assert HD44780_A00_ROM.encode("äöüß°") == bytes((0xE1, 0xEF, 0xF5, 0xE2, 0xDF))
    assert HD44780_A00_ROM.encode("Ä") == b"\xe1"


def test_a_display_without_umlauts_spells_them_out() -> None:
    assert ASCII_ROM.spell("Größe: Übermut") == "Groesse: Uebermut"
    assert one("Jürgen\t7", 10) == "Juergen  7"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Łukasz", "Lukasz"), ("Đorđe", "Dorde"), ("Þór", "Thor"), ("Œuvre", "Oeuvre"),
        ("Иван", "Ivan"), ("Юлия", "Yuliya"), ("Щедрик", "Shchedrik"), ("Ольга", "Olga"),
        ("Ђорђе", "Djordje"), ("Ξένια", "Xenia"), ("Nguyễn", "Nguyen"), ("Oʻzbek", "O'zbek"),
    ],
)  # fmt: skip
def test_a_name_stays_a_name(name: str, shown: str) -> None:
    assert ASCII_ROM.spell(name) == shown
    assert ASCII_ROM.spell(unicodedata.normalize("NFD", name)) == shown


def test_what_has_no_letter_and_no_sound_is_told_as_such_and_joiners_are_nothing() -> None:
    assert ASCII_ROM.spell("😀") == "?"
    assert ASCII_ROM.spell("A\u200dB\u200f") == "AB"


@pytest.mark.parametrize("rom", ROMS)
def test_other_letters_become_the_nearest_one(rom: CharacterRom) -> None:
    assert rom.spell("„Ça“ – ½") in ('"Ça" -  1/2', '"Ca" -  1/2')
    assert rom.spell("漢") == "?"
    assert rom.spell("12²") == "12?"
    assert rom.spell("a\u0308\nb") in ("a b", "ä b")


@pytest.mark.parametrize("rom", ROMS)
@given(text=st.text(max_size=60))
def test_any_text_can_be_shown_and_commands_never_hide_in_it(rom: CharacterRom, text: str) -> None:
    data = rom.encode(text)
    assert all(byte >= 0x20 for byte in data)
    if rom is not CFA635_ROM:  # 0xFE begins a command of Matrix Orbital displays
        assert 0xFE not in data


words = st.text(alphabet="abcdefgXYZäß.:", min_size=1, max_size=12)
numbers = st.integers(0, 10**7).map(str)
lines = st.lists(words | numbers | st.just("\t"), max_size=8).map(" ".join)


@given(line=lines, columns=st.integers(1, 24))
def test_every_number_shown_is_a_number_that_was_given(line: str, columns: int) -> None:
    shown = one(line, columns)
    assert len(shown) == columns
    assert set(re.findall(r"\d+", shown)) <= set(re.findall(r"\d+", line))


@given(
    given=st.lists(st.text(max_size=50), max_size=7),
    columns=st.integers(1, 40),
    rows=st.integers(1, 4),
)
def test_what_is_fitted_always_fills_the_display_exactly(
    given: list[str], columns: int, rows: int
) -> None:
    for rom in ROMS:
        fitted = fit(given, columns, rows, rom)
        assert [len(rom.encode(line)) for line in fitted] == [columns] * rows


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
