"""The program around the screens: when the camera counts, and what is remembered."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.journal.events import Source
from companion.match.view import ChooseCandidate, TableState
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Manners
from companion.settings.people import MatchSetup
from companion.settings.settings import CameraSettings, Settings
from companion.setup.table_check import camera_findings
from companion.support.finding import Verdict
from hardware.settings import LampSettings, RigSettings, ScoreSettings
from tests.support.library import finished
from tests.support.scenery import Board, picture
from tests.support.table_setup import tap_move
from tests.support.waiting import PATIENCE_S, until
from vision.camera.sources import MemorySource

GAME = "knizia_stonehenge"
PLAN = MatchSetup(GAME, 2, names=("Anna", "Jörg"))
QUICK = Manners(commit_s=0.05, quiet_s=0.05, reason_s=0.1, desync_s=0.2)
RIG = RigSettings(lamps=LampSettings(kind="mock", count=40), score=ScoreSettings(kind="mock"))
ONE: Board = {"G": "stone black 1"}


class Filmed:
    """A house whose camera films what it is shown."""

    def __init__(self, house: Application, source: list[MemorySource]) -> None:
        self.house, self._source = house, source

    def show(self, board: Board, done: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
        """Film a board until something holds; whether it came to hold."""
        image, end = picture(board), time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                return False
            self._source[-1].push(image)
            time.sleep(0.02)
        return True

    def show_for_a_while(self, board: Board) -> None:
        """Film a board until the eyes have read it a few times."""
        eyes = self.house.eyes
        assert eyes is not None
        seen = eyes.frames + 6
        assert self.show(board, lambda: eyes.frames >= seen)


@pytest.fixture
def filmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Filmed]:
    """A house with a camera and a simulated rig."""
    sources: list[MemorySource] = []

    def opened(*_: object) -> MemorySource:
        sources.append(MemorySource())
        return sources[-1]

    monkeypatch.setattr("companion.camera.owner.open_source", opened)
    settings = Settings(camera=CameraSettings(source="0"), manners=QUICK, rig=RIG)
    house = Application(settings, tmp_path, "de")
    yield Filmed(house, sources)
    house.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Application]:
    """A house without camera and devices."""
    built = Application(Settings(manners=QUICK, enforcement=Enforcement.ADVISE), tmp_path, "de")
    yield built
    built.close()


def test_looking_back_waits_while_somebody_plays(house: Application) -> None:
    library = house.library
    over = finished(house.journal).match
    house.start(replace(PLAN, physical=False))
    library.judging.begin("m1", over)
    assert library.judging.of("m1", over).waits
    house.pause()
    assert not library.judging.of("m1", over).waits
    library.judging.stop("m1")


def test_while_pieces_are_put_down_the_camera_makes_no_moves(filmed: Filmed) -> None:
    house = filmed.house
    session = house.start(PLAN)
    assert until(lambda: house.eyes is not None)
    filmed.show_for_a_while(ONE)
    assert session.settle()
    assert session.view.ply == 0
    assert session.view.state is TableState.BLIND
    seen = house.camera.sees()
    assert seen is not None and seen.table.keys() == {"G"}
    filmed.show_for_a_while({})
    house.begin()
    assert filmed.show({}, lambda: session.view.state is TableState.SETTLED)
    assert filmed.show(ONE, lambda: session.view.ply == 1)


def test_while_the_table_is_checked_a_match_holds_still_and_then_goes_on(filmed: Filmed) -> None:
    house = filmed.house
    session = house.start(PLAN)
    house.begin()
    assert filmed.show({}, lambda: session.view.state is TableState.SETTLED)
    bench = house.bench("dominion")
    eyes = house.eyes
    filmed.show_for_a_while(ONE)
    assert session.settle()
    assert session.view.ply == 0
    assert house.eyes is eyes, "the camera is not opened twice"
    findings = {f.check: f for f in camera_findings(bench.camera())}
    assert findings["corners"].verdict is Verdict.GOOD
    bench.close()
    assert filmed.show(ONE, lambda: session.view.ply == 1)


def test_a_check_between_matches_opens_the_camera_and_lets_go_of_it(filmed: Filmed) -> None:
    bench = filmed.house.bench(GAME)
    assert until(lambda: bool(filmed._source))
    assert filmed.show(ONE, lambda: bench.camera().figures is not None)
    assert camera_findings(bench.camera())[0].verdict is Verdict.GOOD
    bench.close()
    assert filmed.house.eyes is None


def test_lamps_point_at_what_is_missing_and_forget_it_when_the_match_begins(
    filmed: Filmed,
) -> None:
    house = filmed.house
    house.start(PLAN)
    lamps = house.director.lamp_of(GAME)
    house.point_at(["C", "D"])
    wanted = sorted(lamp for site in "CD" for lamp in lamps[site])
    frame = house.rig.lamps
    assert until(lambda: [n for n, rgb in enumerate(frame.frame) if any(rgb)] == wanted)
    house.begin()
    assert until(lambda: not any(any(rgb) for rgb in frame.frame))


def test_a_match_on_the_screen_only_leaves_the_camera_alone(filmed: Filmed) -> None:
    session = filmed.house.start(MatchSetup(GAME, 2, physical=False))
    assert filmed.house.eyes is None
    session.post(tap_move("p0 place 1 G"))
    assert session.settle()
    assert session.view.ply == 2


def test_by_a_button_means_that_stillness_agrees_to_nothing(filmed: Filmed) -> None:
    house = filmed.house
    session = house.start(MatchSetup(GAME, 2, commit="button"))
    house.begin()
    assert session.view.hold_s == 0
    assert filmed.show({}, lambda: session.view.state is TableState.SETTLED)
    assert filmed.show(ONE, lambda: session.view.state is TableState.PROPOSED)
    filmed.show_for_a_while(ONE)
    assert session.view.ply == 0
    session.post(ChooseCandidate(0), Source.BUTTON)
    assert until(lambda: session.view.ply == 1)


# -- without a camera -------------------------------------------------------------------------


def test_names_and_manners_reach_the_header_and_survive_an_export(house: Application) -> None:
    session = house.start(MatchSetup(GAME, 2, {"hidden": "on"}, names=("Anna",), commit="button"))
    header = house.journal.header(session.view.match_id)
    assert header.names == ("Anna", "")
    assert (header.commit, header.options["hidden"]) == ("button", "on")
    text = "\n".join(house.journal.export(header.id)).replace(header.id, "0" * 12)
    copy = house.journal.import_match(text, "copy").header.id
    assert house.journal.header(copy).commit == "button"
    assert "Anna" in house.director.lines(session.view)[0]


def test_settings_decide_until_somebody_has_chosen(house: Application) -> None:
    plan = house.plan_for(GAME)
    assert (plan.enforcement, plan.commit, plan.players) == (Enforcement.ADVISE, "stillness", 2)
    assert not plan.physical, "without a camera everything would have to be entered besides"
    chosen = MatchSetup(GAME, 2, enforcement=Enforcement.OFF, names=("Anna", "Bo"), commit="button")
    house.start(chosen)
    assert house.plan_for(GAME) == chosen
    assert list(house.people.recent) == ["Anna", "Bo"]
    house.people.forget("Bo")
    assert list(house.people.recent) == ["Anna"]


def test_a_setup_the_game_no_longer_knows_is_not_offered(house: Application) -> None:
    house.people.remember(MatchSetup(GAME, 2, {"gone": "on"}))
    assert house.plan_for(GAME).options == {}


def test_an_abandoned_match_never_comes_back_by_itself(house: Application) -> None:
    session = house.start(PLAN)
    match_id = session.view.match_id
    house.abandon(match_id)
    assert house.unfinished() == []
    assert house.session is None
    assert house.journal.status(match_id) == "abandoned"


def test_a_paused_match_is_unfinished_and_goes_on(house: Application) -> None:
    session = house.start(PLAN)
    session.post(tap_move("p0 place 1 G"))
    assert session.settle()
    house.pause()
    assert house.session is None
    (summary,) = house.unfinished()
    assert str(house.resume(summary.match_id).view.last) == "p0 place 1 G"


def test_several_matches_stay_open_and_after_a_kill_the_one_taken_up_last_comes_first(
    house: Application, tmp_path: Path
) -> None:
    first, second = (_opened_and_played(house, plan) for plan in (PLAN, PLAN))
    assert [m.match_id for m in house.unfinished()] == [second, first]
    house.resume(first)
    killed = shutil.copytree(house.state, tmp_path / "killed")
    after = Application(Settings(), killed, "de")
    assert [m.match_id for m in after.unfinished()] == [first, second]
    assert [m.scores for m in after.unfinished()] == [(0, 0), (0, 0)]
    after.abandon(second)
    assert [m.match_id for m in after.unfinished()] == [first]
    after.close()


def _opened_and_played(house: Application, plan: MatchSetup) -> str:
    session = house.start(plan)
    session.post(tap_move("p0 place 1 G"))
    assert session.settle()
    return session.view.match_id


def test_what_was_only_set_out_leaves_no_trace(house: Application, tmp_path: Path) -> None:
    house.start(replace(PLAN, game="opferroulette", players=3, physical=False))
    house.pause()
    assert house.unfinished() == [] and house.library.matches() == []
    house.start(PLAN)
    # The power goes while the pieces are put down: they lie there still.
    after = Application(Settings(), shutil.copytree(house.state, tmp_path / "killed"), "de")
    assert len(after.unfinished()) == 1 and after.library.matches() == []
    played = _opened_and_played(after, PLAN)
    assert [m.match_id for m in after.unfinished()] == [played]
    assert [m.header.id for m in after.library.matches()] == [played]
    after.close()


def test_it_is_new_only_before_the_first_match_and_the_first_check(tmp_path: Path) -> None:
    house = Application(Settings(), tmp_path, "de")
    assert house.is_new
    house.checked.keep((), 1.0)
    assert not house.is_new
    house.close()
    other = Application(Settings(), tmp_path / "other", "de")
    other.start(PLAN)
    assert not other.is_new
    other.close()


def test_damaged_files_are_said(tmp_path: Path) -> None:
    (tmp_path / "people.json").write_bytes(b"{{{")
    house = Application(Settings(), tmp_path, "de")
    (said,) = house.notices()
    assert "people.json war beschädigt" in said.told("de")
    house.close()


def test_who_is_told_the_id_of_a_match_cannot_deal_its_cards_again(house: Application) -> None:
    match_id = house.start(MatchSetup("dominion", 2, physical=False)).view.match_id
    seed = house.journal.header(match_id).seed
    assert match_id not in seed
    assert len(seed) == 32  # 128 bits: as many seeds as nobody can try
