"""Two whole Heelstones in one club, one of them at its screen: everything is touched there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.application import Application
from companion.club.membership import FILE, Membership, write_secret
from companion.journal.entries import ABANDONED, OPEN
from companion.journal.events import Source
from companion.match.state import Heard
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.settings import MOCK_RIG
from rules.core import Move
from tests.support.app_window import Running
from tests.support.club import Servers
from tests.support.ui_harness import key, need_screen, tap_on, texts, tick
from tests.support.waiting import until

PLAN = MatchSetup("knizia_stonehenge", 2, names=("Anna", "Jörg"), clock="10+5")


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    need_screen()
    monkeypatch.setattr("companion.club.two_tables.HEART_S", 0.1)


def house_of(member: Membership, folder: Path) -> Application:
    """A whole Heelstone of a club."""
    folder.mkdir(exist_ok=True)
    write_secret(folder / FILE, member.toml())
    made = Application(Settings(rig=MOCK_RIG), folder, "en")
    made.checked.keep((), 1.0)
    assert made.neighbours.join_tables() is not None
    return made


class Both:
    """A table at its screen, and another one whose people are far away."""

    def __init__(self, club: Servers, folder: Path) -> None:
        self._folder = folder
        self.members = club.make(["near", "far"])
        self.near = house_of(self.members[0], folder / "near")
        self.far = house_of(self.members[1], folder / "far")
        shell: Any = self.near
        self.running = Running((1280, 800), "en", shell)

    @property
    def screen(self) -> Any:
        return self.running.screen

    def sees(self, done: Callable[[], bool] | str) -> bool:
        """Wait for something on the screen."""

        def look() -> bool:
            tick(1)
            return done in texts(self.running.root) if isinstance(done, str) else done()

        return until(look)

    def touch(self, text: str) -> None:
        assert self.sees(text), texts(self.running.root)
        tap_on(key(self.running.root, text))
        tick(2)

    def tap_far(self, *moves: str) -> None:
        assert self.far.session is not None
        for move in moves:
            self.far.session.post(PlayMove(Move.parse(move)))
        assert self.far.session.settle()

    def tap_near(self, *moves: str) -> None:
        for move in moves:
            self.screen.post(PlayMove(Move.parse(move)))
        assert self.near.session is not None and self.near.session.settle()
        tick(2)

    def restart_far(self) -> None:
        """Its program ends and begins again, and takes the match up."""
        self.far.close()
        self.far = house_of(self.members[1], self._folder / "far")
        self.far.resume(self.far.unfinished()[0].match_id)

    def close(self) -> None:
        self.running.close()
        self.near.close()
        self.far.close()


@pytest.fixture
def both(club: Servers, tmp_path: Path) -> Iterator[Both]:
    made = Both(club, tmp_path)
    yield made
    made.close()


def test_an_invitation_is_accepted_by_touch_and_played_to_and_fro(both: Both) -> None:
    near, far = both.near, both.far
    assert far.together is not None
    assert both.sees("What shall we play?")
    assert until(lambda: far.together is not None and far.together.now.connected)
    far.together.invite("near", PLAN, (0,))
    assert both.sees("Table far invites you")
    both.touch("Yes, we play")
    assert near.session is not None
    header = near.session.table.record.header
    assert header.physical and header.clock == "" and header.together is not None
    assert header.together.here == (1,) and not header.together.hosting
    assert until(lambda: far.together is not None and far.together.agreed() is not None)
    far.begin_together()
    both.touch("Start anyway" if "Start anyway" in texts(both.screen) else "Start playing")
    assert both.sees("They play at table far")

    both.tap_far("p0 place 3 A")
    assert both.sees("Please set it too"), "no camera looks, so people say when it stands there"
    assert "3" in texts(both.screen)
    both.touch("It stands so")
    both.tap_near("p1 place 3 B")
    assert until(lambda: far.session is not None and far.session.view.ply == 4)

    # Taken back from here: the other table lets it go by itself.
    assert both.sees("They play at table far")
    both.touch("Undo")
    assert both.sees(lambda: near.session is not None and near.session.view.ply == 2)
    assert far.session is not None and until(lambda: far.session.view.ply == 2)  # type: ignore[union-attr]

    # A restart there; then they leave for good, and it is said here.
    both.tap_near("p1 place 2 B")
    both.restart_far()
    assert until(lambda: both.far.session is not None and both.far.session.view.ply == 4)
    both.tap_far("p0 place 1 C")
    assert both.sees(lambda: near.session is not None and near.session.view.ply >= 5)
    match_id = both.far.session.view.match_id if both.far.session is not None else ""
    both.far.abandon(match_id)
    assert both.far.journal.status(match_id) == ABANDONED
    assert both.sees(lambda: _heard(near) is Heard.GONE)
    assert near.journal.status(header.id) == OPEN, "the record here stays"
    assert Source.ELSEWHERE in {event.src for event in near.journal.events(header.id)}


def test_another_table_is_invited_by_touch_and_says_no_then_yes(both: Both) -> None:
    near, far = both.near, both.far
    assert until(lambda: near.together is not None and near.together.knows(PLAN.game))
    both.running.app.seats(PLAN.game)
    tick(3)
    both.touch("With another table")
    assert both.sees("Table far")
    both.screen.choose("far")
    tick(2)
    both.touch("Invite table far")
    assert far.together is not None
    assert until(lambda: far.together.now.received is not None)  # type: ignore[union-attr]
    far.together.refuse()
    assert both.sees("they do not want to play now")
    both.touch("Choose again")
    assert both.sees("Table far")
    both.screen.choose("far")
    tick(2)
    both.touch("Invite table far")
    assert until(lambda: far.together.now.received is not None)  # type: ignore[union-attr]
    far.begin_together()
    assert both.sees(lambda: near.session is not None)
    assert near.session is not None and near.session.table.record.header.together is not None
    assert near.session.table.record.header.together.hosting
    # Whoever leaves before anything was played does not play.
    both.running.app.shelf()
    assert until(lambda: _heard(far) is Heard.GONE)


def _heard(house: Application) -> Heard | None:
    other = None if house.session is None else house.session.view.other
    return None if other is None else other.heard
