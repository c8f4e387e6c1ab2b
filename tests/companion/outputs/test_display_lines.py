"""The lines of score displays of every size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from companion.match.view import ClockView, TableView
from companion.outputs.cues import CueDirector
from companion.outputs.display_lines import TURN_MARK, display_lines
from companion.settings.clocks import ClockKind, ClockPlan, clock_figures
from hardware.displays.lettering import ASCII_ROM, UNKNOWN, fit
from hardware.displays.score import ScoreDisplay
from hardware.displays.segments import SEATS, Digits, digit_text
from hardware.pins import factory
from rules.core import Call
from rules.match import Match
from rules.telling import Teller, load_text
from rules.texts import LANGUAGES
from tests.hardware.conftest import Heard
from tests.support.devices import Case
from tests.support.match_views import EVERY_MATCH, teller_of, views
from tests.support.plugged_in import SCORE_DISPLAYS
from tests.support.rig import rig_of
from tests.support.sweep import some, widely

FOUR = Digits(4, colon=True)
LETTERS = [(8, 2), (16, 1), (16, 2), (16, 4), (20, 2), (20, 4), (24, 2), (40, 2), (40, 4)]
NAMES = ("Maximiliane", "Bo", "Friederike Charlotte", "Ülkü", "Jean-Baptiste", "Ed", "Ida", "Uwe")


def _display(case: Case) -> ScoreDisplay:
    display: ScoreDisplay = case.driver("wire", Heard())
    display.close()
    return display


DISPLAYS = {
    name: _display(case)
    for device in SCORE_DISPLAYS.values()
    for name, case in device.models.items()
}
DIGITS = {name: made.digits for name, made in DISPLAYS.items() if made.digits is not None}
ROMS = [*{id(rom): rom for rom in (ASCII_ROM, *(made.rom for made in DISPLAYS.values()))}.values()]


@pytest.mark.parametrize(("game", "players"), some(EVERY_MATCH, 11))
def test_no_line_is_longer_than_the_display_and_nothing_has_to_be_shortened(
    game: str, players: int, thorough: bool
) -> None:
    for lang in LANGUAGES:
        for view in views(game, players)[:: 3 if thorough else 11]:
            for columns, rows in LETTERS:
                lines = display_lines(view, teller_of(view, lang), columns, rows)
                assert 1 <= len(lines) <= rows
                for rom in ROMS:
                    for line, row in zip(lines, fit(lines, columns, rows, rom), strict=False):
                        # Shortened words end in "." or ">", so the words must be the same.
                        assert row.split() == rom.spell(line.replace("\t", " ")).split(), (
                            line,
                            row,
                        )


@pytest.mark.parametrize(("game", "players"), some(EVERY_MATCH, 11))
def test_all_points_are_there_and_names_are_whole_or_all_of_them_initials(
    game: str, players: int
) -> None:
    view = views(game, players)[-1]
    for names in (("",) * players, NAMES[:players]):
        for points in (view.scores, (112, 98, 7, 45, -3, 8, 21, 60)[:players], (0,) * players):
            shown = replace(view, names=names, scores=points, outcome=None, objections=())
            for lang in LANGUAGES:
                teller = teller_of(shown, lang)
                for columns, rows in LETTERS:
                    if columns * rows < 8 * players:
                        continue
                    text = "\n".join(display_lines(shown, teller, columns, rows))
                    numbers = re.findall(r"(?<![\w-])-?\d+", text)
                    for number in points:
                        assert str(number) in numbers, (columns, rows, text)
                    full = [teller.seat(seat) for seat in range(players)]
                    with_points = [
                        f"{name} {number}" in text
                        for name, number in zip(full, points, strict=True)
                    ]
                    # Two in a row, below whose turn it is.
                    pair = 2 * max(len(f"{n} {p}") for n, p in zip(full, points, strict=True)) + 1
                    few = pair <= columns and players <= 2 * (rows - 1)
                    roomy = (columns, rows) in ((20, 4), (40, 4)) and (few or players < rows)
                    if roomy and names == ("",) * players:
                        spread = text.replace("\t", " ")
                        assert all(
                            f"{name} {number}" in spread
                            for name, number in zip(full, points, strict=True)
                        ), text
                    assert (
                        players == 1
                        or all(with_points)
                        or not any(
                            flag and len(name) > 3
                            for flag, name in zip(with_points, full, strict=True)
                        )
                    ), text


@pytest.mark.parametrize(("game", "players"), some(EVERY_MATCH, 11))
def test_whose_turn_it_is_stands_on_every_display(game: str, players: int) -> None:
    for view in views(game, players)[::5]:
        if view.prompt is None or view.prompt.player is None:
            continue
        for lang in LANGUAGES:
            teller = teller_of(view, lang)
            name = teller.seat(view.prompt.player)
            for columns, rows in ((16, 1), (16, 2), (20, 2), (20, 4)):
                text = " ".join(display_lines(view, teller, columns, rows))
                short = any(f">{name[:letters]}" in text for letters in range(1, 4))
                points = f">{view.scores[view.prompt.player]}" in text
                headline = teller.prompt(view.prompt).title
                assert name in text or short or points or headline in text, (columns, rows, text)


def two_players() -> TableView:
    return views("knizia_stonehenge", 2)[0]


def five_players() -> TableView:
    view = views("dolmengoetter", 5)[-1]
    assert view.prompt is not None
    return replace(view, scores=(12, 7, 112, 0, 3))


@pytest.mark.parametrize(
    ("points", "asked", "shown"),
    [((7, 5), 0, "07.:05"), ((7, 5), 1, "07:05."), ((0, 99), 0, "00.:99"), ((112, 5), 0, "A112")],
)
def test_four_digits_show_both_scores_and_mark_whose_turn_it_is(
    points: tuple[int, int], asked: int, shown: str
) -> None:
    view = two_players()
    assert view.prompt is not None
    view = replace(view, scores=points, prompt=replace(view.prompt, player=asked))
    (line,) = display_lines(view, teller_of(view, "de"), 4, 1, FOUR)
    assert str(digit_text(line, 4)) == shown


def test_four_digits_show_the_seat_that_is_asked_and_its_score() -> None:
    view = five_players()
    assert view.prompt is not None
    texts = []
    for seat in range(5):
        seen = replace(view, prompt=replace(view.prompt, player=seat))
        (line,) = display_lines(seen, teller_of(seen, "en"), 4, 1, FOUR)
        texts.append(str(digit_text(line, 4)))
    assert texts == ["A 12", "b  7", "C112", "d  0", "E  3"]


@pytest.mark.parametrize(("game", "players"), some(EVERY_MATCH, 11))
def test_every_view_of_every_game_can_be_said_with_four_digits(game: str, players: int) -> None:
    for view in views(game, players):
        (line,) = display_lines(view, teller_of(view, "de"), 4, 1, FOUR)
        # What is too long for four digits, such as -1204, is not shown in part.
        if max(len(str(points)) for points in view.scores) <= 4:
            assert "-" not in digit_text(line, 4).letters.replace("-", "", line.count("-"))


def test_a_refusal_is_said_on_every_display_and_with_two_rows_the_points_stay() -> None:
    match = Match("knizia_stonehenge", players=2)
    match.push("p0 place 3 L")
    (objection,) = match.why_not("p0 claim H4")
    view = replace(two_players(), scores=(12, 7), objections=(objection,))
    for lang in LANGUAGES:
        teller = teller_of(view, lang)
        refused = [
            teller.objection(objection).title,
            "Nicht erlaubt",
            "Not allowed",
            "Halt",
            "Wait",
        ]
        for columns, rows in LETTERS:
            text = " ".join(display_lines(view, teller, columns, rows))
            assert any(said in text for said in refused), (columns, rows, text)
            assert rows == 1 or ("12" in text and "7" in text)
        assert display_lines(view, teller, 4, 1, FOUR)[0].startswith("12")


# -- the whole way to a device ------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        pytest.param(kind, case, id=name)
        for kind, device in SCORE_DISPLAYS.items()
        for name, case in device.models.items()
        if case.reads
    ],
)
def test_a_person_reads_score_and_turn_on_the_device(
    kind: str, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = replace(two_players(), scores=(12, 7))
    with case.twin() as twin:
        if not case.at_port:
            monkeypatch.setattr(factory, "open_factory", lambda _kind: twin.factory)
        port = twin.url if case.at_port else ""
        score = {"kind": kind, "port": port, **case.score}
        with rig_of({"score": score, "pin_factory": "mock"}) as rig:
            CueDirector(rig, "en")(view, ())
            assert twin.wait_for(lambda: tuple(twin.rows()) == case.reads), twin.rows()
        assert twin.errors == []


def test_with_a_clock_the_time_of_whoever_is_asked_has_a_row_or_the_end_of_one() -> None:
    view = replace(views("knizia_stonehenge", 2)[9], names=("Anna", "Bo"))
    assert view.prompt is not None
    for asked, left in ((1, "9:41"), (0, "10:00")):
        clock = ClockView(ClockPlan(ClockKind.PLAYER, 600), (600, 582), 0, asked, asked == 1, False)
        timed, name = replace(view, clock=clock), ("Anna", "Bo")[asked]
        for columns, rows in ((16, 2), (20, 4)):
            lines = display_lines(timed, teller_of(timed, "en"), columns, rows, now=1.5)
            assert f"{name}\t{left}" in lines
        assert display_lines(timed, teller_of(timed, "en"), 4, 1, FOUR, now=1.5) == ["01:00."]
    assert clock_figures(0.2) == "0:01"


def test_four_digits_count_the_last_minute_down() -> None:
    clock = ClockView(ClockPlan(ClockKind.TURN, 60), (60, 60), 100, 1, True, False)
    view = replace(views("knizia_stonehenge", 2)[12], clock=clock)
    assert display_lines(view, teller_of(view, "en"), 4, 1, FOUR, now=101.0) == ["00:59"]
    calls = ((12, Call("time_up", (1,), hands=False)),)
    view = replace(view, clock=replace(clock, left_s=(60, 0)), calls=calls)
    assert display_lines(view, teller_of(view, "en"), 4, 1, FOUR, now=101.0) == ["00:00"]


SIZES = [(8, 1), (16, 1), (8, 2), (16, 2), (16, 4), (20, 2), (20, 4), (24, 2), (40, 2), (40, 4)]
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
    """The name of the player on displays that lack most letters of the world."""
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


def called(game: str) -> Iterator[str]:
    """Codes of all calls of a game, and of those that all games share."""
    for name in (game, "common"):
        yield from load_text(name, "en").get("calls", {})


@pytest.mark.parametrize(("game", "players"), some(EVERY_MATCH, 11))
def test_there_is_room_for_every_call_on_every_display(
    game: str, players: int, thorough: bool
) -> None:
    views = [view for view, _teller in swept(game, players, "long") if view.outcome is None]
    for view, code, lang in product(views[:: 7 if thorough else 31], called(game), LANGUAGES):
        call = Call(code, (players - 1,))
        view = replace(view, calls=((view.ply, call),))
        teller = teller_of(view, lang)
        told = teller.call(call)
        words = told.title, told.do, teller.call_in_short(call)
        for columns, rows in SIZES:
            lines = display_lines(view, teller, columns, rows)
            assert any(said in " ".join(lines) for said in words), (code, columns, rows, lines)
        for seats in ((players - 1,), tuple(range(players))):
            view = replace(view, calls=((view.ply, replace(call, seats=seats)),))
            (line,) = display_lines(view, teller, 4, 1, FOUR)
            letters = "".join(SEATS[seat] for seat in seats)
            wanted = letters if len(seats) <= 4 else ""
            assert digit_text(line, 4).letters == wanted.ljust(4, "-")


@pytest.mark.parametrize("kind", DIGITS)
@pytest.mark.parametrize(("game", "players"), some(EVERY_MATCH, 11))
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


@pytest.mark.parametrize(("game", "players"), some(EVERY_MATCH, 11))
def test_there_are_points_for_every_player(game: str, players: int) -> None:
    assert all(len(view.scores) == players for view in views(game, players))
