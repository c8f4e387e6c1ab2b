"""Boards of other editions: drawn, judged, put on the shelf, played on and kept in the journal."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from random import Random

import pytest

from companion.app.application import Application
from companion.boards.draft import BoardDraft
from companion.boards.store import OwnBoards
from companion.journal.entries import Header, JournalError
from companion.journal.fold import begin
from companion.match.session import Session
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.core import GameError
from rules.games import find_game, game_on_board
from rules.match import Match
from rules.telling import Teller
from rules.testing.playout import random_match
from tests.support.command import outside
from tests.support.waiting import until
from vision.camera.frames import Frame
from vision.tracker import Tracker

GAME = "dolmengoetter"
R28 = find_game(GAME).board  # type: ignore[attr-defined]


def drawn(name: str = "Attic find") -> BoardDraft:
    """The printed circles with one place pulled aside."""
    draft = BoardDraft.of_game(GAME)
    draft.name = name
    x, y = draft.places["U8"]
    draft.move("U8", (x + 3, y + 5))
    return draft


def test_the_real_width_of_a_drawn_board_is_in_its_file() -> None:
    draft = drawn("Broad one")
    draft.scale_corners(draft.across_mm * 1.25)
    game = game_on_board(GAME, draft.text(), "the drawing")
    box = load_box(game.box)
    printed = load_box(find_game(GAME).box)
    assert box.size == pytest.approx([1.25 * mm for mm in printed.size], abs=0.02)
    assert box.corners[1].at == pytest.approx([1.25 * mm for mm in printed.corners[1].at], abs=0.02)
    assert box.sites["V4"].at == pytest.approx(
        [1.25 * mm for mm in printed.sites["V4"].at], abs=0.02
    )


def test_the_circles_of_the_printed_board_are_found_from_its_lines() -> None:
    draft = BoardDraft.of_game(GAME)
    assert {frozenset(c) for c in draft.circles()} == {frozenset(c) for c in R28.circles.values()}
    assert set(draft.rim()) == R28.rim
    assert draft.faults() == []


def test_suggested_runes_are_those_of_the_printed_board() -> None:
    draft = BoardDraft.of_game(GAME)
    before = set(draft.runes)
    for rune in tuple(draft.runes):
        if len(rune) == 2:
            draft.pair(*rune)
    assert [fault.code for fault in draft.faults()] == ["no_rune"]
    draft.suggest_runes()
    assert set(draft.runes) == before
    assert draft.faults() == []


def test_a_board_is_drawn_from_nothing_by_touches() -> None:
    draft = BoardDraft(load_box(GAME))
    assert draft.faults()[0].code == "no_places"
    grid = {}
    for row in range(5):
        for column in range(6):
            grid[row, column] = draft.add((column * 45.0 - 110, 90 - row * 45.0))
    assert draft.faults()[0].code == "loose"
    for (row, column), place in grid.items():
        for beside in ((row, column + 1), (row + 1, column)):
            if beside in grid:
                draft.join(place, grid[beside])
    assert len(draft.circles()) == 20
    assert [fault.code for fault in draft.faults()] == ["no_rune"]
    draft.suggest_runes()
    fault = draft.faults()
    # Four squares meet at an inner place of a grid; the rules know three circles at most.
    assert [f.code for f in fault] == ["no_board"] and "at most three" in str(fault[0].reason)
    draft.undo()
    assert draft.runes == ()


def test_a_missing_line_makes_a_circle_too_large_and_names_its_places() -> None:
    draft = BoardDraft.of_game(GAME)
    draft.join("V4", "V5")
    fault = draft.faults()[0]
    assert fault.code == "circle_size" and {"V4", "V5"} <= set(fault.sites)
    draft.undo()
    assert draft.faults() == []


def test_removing_a_place_takes_its_lines_and_rune_along() -> None:
    draft = BoardDraft.of_game(GAME)
    draft.remove("U2")
    assert "U2" not in draft.places
    assert not any("U2" in line for line in draft.lines)
    assert not any("U2" in rune for rune in draft.runes)
    assert draft.faults()


def test_a_dragged_place_is_one_step() -> None:
    draft = BoardDraft.of_game(GAME)
    at = draft.places["U8"]
    draft.grip()
    for step in range(5):
        draft.move("U8", (at[0], at[1] + step))
    draft.release()
    draft.undo()
    assert draft.places["U8"] == at and not draft.can_undo


def test_a_drawn_board_is_game_and_box_of_its_own() -> None:
    game = game_on_board(GAME, drawn().text(), "it")
    assert game is find_game(game.id) and game.id.startswith("dolmengoetter@")
    box = load_box(game.box)
    assert box.sites["U8"].at == pytest.approx((3, 149))
    assert box.sites["U8"].neighbours == ("U7", "U9", "V6") or set(box.sites["U8"].neighbours) == {
        "U7",
        "U9",
        "V6",
    }
    assert len([s for s in box.strokes if s.role == "rune"]) == 38
    for lang in ("de", "en"):
        teller = Teller(game, lang, game.colours(2, {}))
        assert teller.game_name.endswith(": Attic find")
    assert find_game(GAME).board.name == "R28"  # type: ignore[attr-defined]


def test_random_matches_are_played_to_their_end_on_a_drawn_board() -> None:
    game = game_on_board(GAME, drawn().text(), "it")
    for seed in range(3):
        played = [move for _match, _moves, move in random_match(game, 2, {}, seed)]
        assert len(played) > 20


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("[places]\n", '[places]\n"Q" = [1, 2]\n'), "places.Q: no circle has this place"),
        (('"U1" = [-186.00, 97.00]', '"U1" = [-186.00]'), "places.U1: expected a point [x, y]"),
        (('"U1" = [-186.00, 97.00]\n', ""), "places.U1: is missing"),
        (('"U1" = [-186.00, 97.00]', '"U1" = [-164.00, 128.00]'), "lie on each other"),
        (("0 = [-200.00, 180.00]", "0 = [-900, 180]"), "lies beyond"),
        (("size = [440.00, 400.00]", "size = 3"), "board.size: expected"),
    ],
)
def test_wrong_millimetres_are_said_with_their_key(change: tuple[str, str], said: str) -> None:
    text = drawn().text()
    assert change[0] in text
    with pytest.raises(GameError) as error:
        game_on_board(GAME, text.replace(*change), "mine.toml")
    assert "mine.toml" in str(error.value) and said in str(error.value)


def test_a_board_without_millimetres_can_be_played_too() -> None:
    text = drawn("Wheel").text().split("[places]")[0]
    game = game_on_board(GAME, text, "it")
    assert len({site.at for site in load_box(game.box).sites.values()}) > 90
    assert Match(game, 2, {}).prompt is not None


def test_the_shelf_keeps_drawn_boards_over_a_restart(tmp_path: Path) -> None:
    own = OwnBoards(tmp_path)
    name = own.keep_board(GAME, drawn().text())
    assert OwnBoards(tmp_path).games() == [name]
    changed = drawn()
    changed.move("U8", (0.0, 150.0))
    other = own.keep_board(GAME, changed.text())
    assert own.games() == [other] and other != name, "a changed board is another board"
    own.forget_board(other)
    assert OwnBoards(tmp_path).games() == []


def test_a_board_drawn_on_a_picture_keeps_its_look_for_the_camera(tmp_path: Path) -> None:
    own = OwnBoards(tmp_path)
    name = own.keep_board(GAME, drawn().text(), b"picture")
    (look,) = (tmp_path / "boards").glob("attic-find-*.jpg")
    assert own.box(name).portrait == str(look) == OwnBoards(tmp_path).box(name).portrait
    assert load_box(name).portrait == ""
    own.keep_board(GAME, drawn().text())
    assert own.box(name).portrait == "" and not look.exists()


def test_the_camera_reads_a_drawn_board(tmp_path: Path) -> None:
    box = load_box(game_on_board(GAME, drawn().text(), "it").box)
    table = VirtualTable(box, seed=2)
    lying = {"U8": "druid red", "V4": "stone blue", "K05": "dolmen red back"}
    for site, kind in lying.items():
        table.put(kind, site)
    frame = Frame(Camera.over(box, seed=2).render(table), 0, "x", 0.0)
    sighting = Tracker(box).look(frame, True)
    assert {s: b.best[0].kind for s, b in sighting.sites.items() if b.best} == lying
    assert not sighting.hand


def test_a_damaged_drawn_board_is_said_and_set_aside(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "attic.toml").write_text("[board]\nname = 'x'\n")
    own = OwnBoards(tmp_path)
    assert own.games() == []
    assert "set aside" in str(own.troubles[0]) and "circles" in str(own.troubles[0])


def test_a_match_on_a_drawn_board_goes_through_house_journal_and_export(tmp_path: Path) -> None:
    house = Application(Settings(), tmp_path / "one", "en")
    name = house.own_boards.keep_board(GAME, drawn().text())
    assert house.games()[-1] == name
    session = house.start(
        MatchSetup(name, 2, {"stones": "8"}, names=("Anna", "Bo"), physical=False)
    )
    random = Random(4)
    while session.view.outcome is None and session.view.ply < 12:
        ply = session.view.ply
        session.post(PlayMove(random.choice(session.view.legal)))
        assert until(partial(_moved, session, ply))
    items, ply, match_id = session.view.items, session.view.ply, session.view.match_id
    lines = [line.rstrip("\n") for line in house.journal.export(match_id)]
    # The board is changed and forgotten; the match keeps its own.
    house.own_boards.forget_board(name)
    house.close()
    again = Application(Settings(), tmp_path / "one", "en")
    assert name not in again.games()
    view = again.resume(match_id).view
    assert view is not None and view.items == items and view.ply == ply
    assert view.game == name and view.box == name
    again.close()
    # A program that never saw the board takes the match in and gives it out again.
    (tmp_path / "match.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    heelstone = outside(tmp_path / "other")
    assert heelstone("import", tmp_path / "match.jsonl").code == 0
    given = heelstone("export", match_id)
    assert given.code == 0 and given.out.splitlines() == lines


def _moved(session: Session, ply: int) -> bool:
    return session.view.ply > ply


def test_a_header_whose_board_is_not_the_one_it_names_is_refused() -> None:
    game = game_on_board(GAME, drawn().text(), "it")
    header = Header("m", game.id, 2, {}, False, "s", ("", ""), "off", 1.0, board=game.board_text)
    assert Header.from_json(header.to_json()) == header
    wrong = {**header.to_json(), "board": drawn("Another").text()}
    with pytest.raises(JournalError, match="is not the one the match was played on"):
        begin(Header.from_json(wrong))
    with pytest.raises(JournalError, match="is not valid TOML"):
        begin(Header.from_json({**header.to_json(), "board": "[[["}))


def test_reading_a_header_makes_no_board_known_and_opening_its_match_does() -> None:
    text = drawn("Never seen before").text()
    key = hashlib.sha256(text.encode()).hexdigest()[:12]
    header = Header("m", f"{GAME}@{key}", 2, {}, False, "s", ("", ""), "off", 1.0, board=text)
    again = Header.from_json(header.to_json())
    with pytest.raises(GameError, match="give its file with --board"):
        find_game(header.game)
    assert begin(again).game is find_game(header.game)


def test_without_its_board_a_game_says_how_to_give_it() -> None:
    with pytest.raises(GameError, match="give its file with --board"):
        find_game("dolmengoetter@000000000000")
