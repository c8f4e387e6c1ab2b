"""The score display, swept: every game, number of players, language and size, names of all the
world, and points that nobody has reached yet. What must hold always, not what one of them shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.match.view import TableView
from companion.outputs.display_lines import TURN_MARK, display_lines
from hardware.displays.lettering import (
    ASCII_ROM,
    CFA635_ROM,
    HD44780_A00_ROM,
    LATIN1_ROM,
    UNKNOWN,
    fit,
)
from hardware.displays.segments import SEATS, Digits, digit_text
from rules.telling import Teller
from rules.texts import LANGUAGES
from tests.hardware.conftest import Heard
from tests.support.devices import Case
from tests.support.match_views import EVERY_MATCH, teller_of, views
from tests.support.plugged_in import SCORE_DISPLAYS
from tests.support.sweep import widely

SIZES = [(8, 1), (16, 1), (8, 2), (16, 2), (16, 4), (20, 2), (20, 4), (24, 2), (40, 2), (40, 4)]
ROMS = (ASCII_ROM, CFA635_ROM, HD44780_A00_ROM, LATIN1_ROM)
EVERY_NAME = {
    "colours": ("",) * 5,
    "long": ("Maximiliane-Friederike", "Bo", "Friederike Charlotte", "Ülkü", "Jean-Baptiste"),
    "ß": ("Weiß-Größenmaßstab", "Straßer", "Ößßß", "ẞ", "ß"),
    "Cyrillic": ("Иван", "Мария", "Олександр Іванович", "Ђорђе", "Юлия"),
    "emoji": ("😀", "👩‍🚀", "🐻 Bär", "Anna\t7 🎲", "❤️"),
    "right to left": ("دانيال", "שלמה", "فاطمة", "רחל", "Ali علي"),
    "rare letters": ("Łukasz", "Đorđe", "Œuvre", "Þór", "Nguyễn Thị Ánh"),
}
POINTS = ((9999, 9998, 1234, 4321, 7777), (-99, -1, -12, -7, -5), (112, 98, 7, 45, -3))
NUMBER = re.compile(r"(?<![\w-])-?\d+(?!\w)")


def situations(game: str, players: int) -> list[TableView]:
    """One view for each kind of question that a match asks, and its end."""
    kinds: dict[tuple[str, bool], TableView] = {}
    for view in views(game, players):
        kinds.setdefault((view.prompt.code if view.prompt else "", view.outcome is None), view)
    return list(kinds.values())


def swept(game: str, players: int, names: str) -> Iterator[tuple[TableView, Teller]]:
    for view in situations(game, players):
        for points in (view.scores, *POINTS):
            seen = replace(
                view, names=EVERY_NAME[names][:players], scores=points[: len(view.scores)]
            )
            for lang in LANGUAGES:
                yield seen, teller_of(seen, lang)


def asked(view: TableView) -> int | None:
    ended = view.outcome is not None or view.prompt is None
    return None if ended or view.prompt is None else view.prompt.player


def shown_name(teller: Teller, seat: int) -> str:
    """What the player is called on displays that lack most letters of the world."""
    name = " ".join(teller.names[seat].split())
    return teller.colours[seat] if UNKNOWN in ASCII_ROM.spell(name) else name


@pytest.mark.parametrize(("match", "names"), widely(EVERY_MATCH, list(EVERY_NAME)))
def test_on_every_size_nothing_is_cut_and_numbers_are_whole_and_somebody_is_asked(
    match: tuple[str, int], names: str
) -> None:
    game, players = match
    for view, teller in swept(game, players, names):
        for columns, rows in SIZES:
            lines = display_lines(view, teller, columns, rows)
            text = "\n".join(lines)
            where = (view.game, teller.lang, columns, rows, lines)
            assert 1 <= len(lines) <= rows, where

            for rom in ROMS:
                fitted = fit(lines, columns, rows, rom)
                for line, row in zip(lines, fitted, strict=False):
                    assert row.split() == rom.spell(line.replace("\t", " ")).split(), where
                assert "".join(fitted).count(UNKNOWN) == text.count(UNKNOWN), where

            numbers = NUMBER.findall(re.sub(f"(^|\\s){TURN_MARK}", " ", text))
            wanted = [str(points) for points in view.scores]
            if rows > 1 and columns >= 16:
                assert all(number in numbers for number in wanted), where
            assert any(number in numbers or number in text for number in wanted), where

            seat = asked(view)
            if seat is not None:
                name = shown_name(teller, seat)
                marked = re.search(f"{TURN_MARK} ?(\\S+)", text)
                assert (
                    name in " ".join(lines)
                    or name.split()[0] in text
                    or (marked and name.startswith(marked[1]))
                    or (marked and marked[1] in (SEATS[seat], wanted[seat]))
                ), where


def _digits(case: Case) -> Digits | None:
    display = case.driver("wire", Heard())
    display.close()
    return display.digits  # type: ignore[no-any-return]


DIGITS = {
    name: digits
    for device in SCORE_DISPLAYS.values()
    for name, case in device.models.items()
    if (digits := _digits(case)) is not None
}


@pytest.mark.parametrize("kind", DIGITS)
@pytest.mark.parametrize(("game", "players"), EVERY_MATCH)
def test_digits_show_whole_numbers_and_whose_they_are(game: str, players: int, kind: str) -> None:
    digits = DIGITS[kind]
    for view, teller in swept(game, players, "colours"):
        (line,) = display_lines(view, teller, digits.places, 1, digits)
        shown = digit_text(line, digits.places, colon=digits.colon)
        letters, seat = shown.letters, asked(view)
        where = (view.game, view.scores, line, str(shown))
        numbers = [int(number) for number in re.findall(r"-?\d+", letters)]
        if ":" in line:
            middle = len(letters) // 2
            assert [int(letters[:middle]), int(letters[middle:])] == list(view.scores), where
            sides = {int(place >= middle) for place in shown.dots}
            assert sides == (set() if seat is None else {seat}), where
        elif players == 1:
            assert numbers == [view.scores[0]], where
        else:
            (number,) = numbers
            first = letters.strip()[0]
            assert number in view.scores, where
            if first in SEATS:
                assert view.scores[SEATS.index(first)] == number, where
            else:
                assert len(str(number)) >= digits.places, where
            if seat is not None:
                assert number == view.scores[seat], where


@pytest.mark.parametrize(("game", "players"), EVERY_MATCH)
def test_there_are_points_for_every_player(game: str, players: int) -> None:
    assert all(len(view.scores) == players for view in views(game, players))
