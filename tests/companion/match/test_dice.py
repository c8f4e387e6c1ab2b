"""Dice at a table: thrown by hand, told by touch or phone, thrown by Heelstone; a power cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal.entries import Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.hands import hands_of
from companion.match.messages import ComputerPlays, Message, Seen
from companion.match.table import Table
from companion.match.view import AutoDeal, PlayMove, Redo, Undo
from companion.presentation.views import snapshot_of
from companion.settings.manners import Manners
from companion.web.move_requests import Asked, judge
from companion.web.public_page import public_page
from companion.web.seat_page import seat_page
from rules.box import load_box
from rules.core import Item, Layout, Move
from rules.games import add_games, find_game
from rules.players import Reason
from rules.testing.pictures import draw
from tests.support.elsewhere import elsewhere

RACE = Path(__file__).parents[2] / "support" / "race"
FACES = {"": (), "35": ((0.0, 60.0), (30.0, 70.0)), "moved": ((-40.0, 50.0), (-60.0, 75.0))}


@pytest.fixture(scope="module", autouse=True)
def race() -> Iterator[None]:
    with elsewhere():
        add_games(RACE)
        yield


class Hands:
    """Hands that throw, move and tap at a table whose journal is a file."""

    def __init__(
        self, journal: Journal, dice: str = "table", computers: tuple[str, ...] = ()
    ) -> None:
        self.journal, self.now = journal, 100.0
        self.header = Header(
            "m1", "dice_race", 2, {"dice": dice}, True, "seed", ("Anna", "Ben"), "enforce", 1.0,
            computers=computers,
        )  # fmt: skip
        journal.create(self.header)
        self.open()

    def open(self) -> None:
        """Open the match, as after a power cut."""
        self.table = Table(self.journal, self.header, Manners())

    def do(self, message: Message, src: Source = Source.TOUCH) -> None:
        self.now += 1.0
        self.table.handle(message, self.now, src)

    def tap(self, move: str) -> None:
        self.do(PlayMove(Move.parse(move)))

    def look(
        self, faces: str, layout: Layout | None = None, spots: tuple[tuple[float, float], ...] = ()
    ) -> None:
        """Three seconds of dice in the tray, and the pawns as recorded or as they are."""
        box = load_box(self.table.match.game.box)
        lying = {i: n for i, n in (layout or self.table.match.layout).items() if i.site != "tray"}
        dice = Counter(Item("tray", "die", pose=face) for face in faces)
        sighting = draw(box, Counter(lying) + dice)
        tray = replace(sighting.sites["tray"], at=spots)
        seen = Seen(replace(sighting, sites={**sighting.sites, "tray": tray}))
        for _ in range(3):
            self.do(seen, Source.CAMERA)

    def moved(self, move: str) -> Layout:
        """The table after a move, dice apart."""
        after = self.table.match.clone()
        after.push(move)
        return after.layout

    @property
    def moves(self) -> list[str]:
        return [entry.move.text for entry in self.table.match.log]


def test_a_throw_is_told_without_a_camera_and_put_right_with_two_touches() -> None:
    hands = Hands(Journal(":memory:"))
    view = hands.table.view()
    assert len(view.legal) == 21 and view.throw is not None and view.may_deal
    hands.tap("dealer roll 3 6")
    hands.do(Undo())
    hands.tap("dealer roll 3 5")
    assert hands.moves == ["dealer roll 3 5"]
    hands.do(Undo())
    hands.do(Redo())
    hands.tap("p0 move f9")
    assert hands.moves == ["dealer roll 3 5", "p0 move f9"]


def test_heelstone_may_throw_once_for_people_whose_dice_lie_as_they_like_then() -> None:
    hands = Hands(Journal(":memory:"))
    hands.look("66")
    hands.do(AutoDeal())
    (thrown,) = hands.moves
    for faces in ("66", "6", ""):
        hands.look(faces)
    assert hands.moves == [thrown] and hands.table.state.value == "settled"


def test_heelstone_throws_every_time_where_people_chose_that() -> None:
    hands = Hands(Journal(":memory:"), dice="program")
    (first,) = hands.moves
    move = next(m.text for m in hands.table.match.legal_moves() if m.verb == "move")
    hands.look("", hands.moved(move))
    assert hands.moves[:2] == [first, move] and hands.moves[2].startswith("dealer roll")
    before = hands.moves
    hands.do(Undo())
    assert hands.moves == [first]
    hands.do(Redo())
    assert hands.moves == before


def test_a_match_goes_on_after_a_power_cut_and_reads_no_throw_twice(tmp_path: Path) -> None:
    hands = Hands(Journal(tmp_path / "journal.db"))
    hands.look("")
    hands.look("35", spots=FACES["35"])
    hands.look("35", hands.moved("p0 move f9"), FACES["35"])
    hands.journal.close()
    hands.journal = Journal(tmp_path / "journal.db")
    hands.open()
    hands.look("35", spots=FACES["35"])
    assert hands.moves == ["dealer roll 3 5", "p0 move f9"]
    hands.look("35", spots=FACES["moved"])
    assert hands.moves == ["dealer roll 3 5", "p0 move f9", "dealer roll 3 5"]
    hands.journal.close()


def test_people_throw_for_a_computer_player_that_moves_by_it() -> None:
    hands = Hands(Journal(":memory:"), computers=("", "random"))
    for message in ("dealer roll 1 2", "p0 move f4"):
        hands.tap(message)
    hands.look("", hands.table.match.layout)
    assert hands.table.company.thinks is None
    hands.look("46")
    assert hands.moves[-1] == "dealer roll 4 6" and hands.table.company.thinks == 1
    chosen = ComputerPlays(
        (Move.parse("p1 move f11"),), Reason("only_move"), len(hands.table.record.told)
    )
    hands.do(chosen, Source.COMPUTER)
    hands.look("46")
    hands.look("", hands.table.match.layout)
    assert hands.moves[-1] == "p1 move f11"
    hands.look("11")
    assert hands.moves[-1] == "dealer roll 1 1"


def test_at_a_table_without_a_screen_any_phone_tells_the_throw() -> None:
    table = Hands(Journal(":memory:")).table
    snapshot = snapshot_of("m", table.record, table.view(), hands_of(table.match, ()), shared=True)
    for seat in (0, 1):
        view = snapshot.seat(seat)
        page = seat_page(view, "en", public_page(view.public, "en"))
        assert page.throw is not None and page.may_play and not (page.choices or page.moves)
        assert page.throw.stem == "dealer roll"
        assert [[face for face, _word in die.faces] for die in page.throw.dice] == [[*"123456"]] * 2
        asked = Asked(match="m", since=page.changes, moves=["dealer roll 3 5"])
        assert judge(asked, seat, snapshot, "en").status == 202
    assert find_game("dice_race").options["dice"] == ("table", "program")


@pytest.mark.parametrize("first", ["dice", "pawn", "both"])
def test_dice_laid_after_their_throw_was_told_are_that_throw(first: str) -> None:
    hands = Hands(Journal(":memory:"))
    hands.look("")
    hands.tap("dealer roll 3 5")
    if first == "dice":
        hands.look("35", spots=FACES["35"])
    if first == "pawn":
        hands.look("", hands.moved("p0 move f9"))
    else:
        hands.look("35", hands.moved("p0 move f9"), FACES["35"])
    hands.look("35", spots=FACES["35"])
    assert hands.moves == ["dealer roll 3 5", "p0 move f9"]
    assert hands.table.state.value == "settled", "only a throw is due"
    hands.look("35", spots=FACES["moved"])
    assert hands.moves[2:] == ["dealer roll 3 5"]


def test_a_throw_that_is_told_while_its_dice_lie_there_is_one_throw() -> None:
    hands = Hands(Journal(":memory:"))
    hands.look("")
    hands.look("66", spots=FACES["35"])
    hands.tap("p0 move f13")
    hands.tap("dealer roll 3 5")
    for faces, pawns in (("35", None), ("35", "p1 move f9")):
        hands.look(faces, hands.moved(pawns) if pawns else None, FACES["35"])
    hands.look("12", spots=FACES["moved"])
    thrown = ["dealer roll 6 6", "p0 move f13", "dealer roll 3 5", "p1 move f9", "dealer roll 1 2"]
    assert hands.moves == thrown
