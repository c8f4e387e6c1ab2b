"""Computer players in the program and on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.journal.entries import Header
from companion.journal.events import TipGiven
from companion.journal.store import Journal
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.services import PlayersSettings
from companion.settings.settings import Settings
from tests.support.command import Heelstone
from tests.support.waiting import until

GAME = "knizia_stonehenge"
QUICK = Settings(players=PlayersSettings(seconds=0.05, pause_s=0.0))
PLAN = MatchSetup(GAME, 2, names=("Anna",), physical=False, computers=("", "apprentice"))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Application]:
    house = Application(QUICK, tmp_path, "de")
    yield house
    house.close()


def test_a_computer_player_has_a_name_answers_and_is_no_person(house: Application) -> None:
    session = house.start(PLAN)
    assert session.view.names == ("Anna", "Lehrling")
    assert session.view.computers == ("", "apprentice")
    assert house.people.recent == ("Anna",)
    before = house.people.last(GAME, ("Anna",))
    assert before is not None and before.computers == ("", "apprentice") and before.people == 1
    session.post(PlayMove(session.view.legal[0]))
    assert until(lambda: session.view.ply >= 3 and session.view.thinks is None)
    match_id = session.view.match_id
    house.pause()
    assert [one.match_id for one in house.unfinished()] == [match_id]
    # Taken up again while it is asked, it thinks again.
    again = house.resume(match_id)
    again.post(PlayMove(next(m for m in again.view.legal if m.verb in ("place", "done"))))
    assert until(lambda: again.view.ply >= 5 and again.view.thinks is None)


def test_a_match_at_two_tables_has_no_computer_players(house: Application) -> None:
    plan = MatchSetup(GAME, 2, computers=("", "druid"))
    assert plan.sitting == ("", "druid")
    header = house.start(plan).table.record.header
    assert header.computers == ("", "druid") and header.together is None


def test_simulate_lets_computer_players_sit_down(heelstone: Heelstone) -> None:
    call = ("simulate", GAME, "--player", "1=druid", "--seconds", 0.01, "--json")
    result = heelstone(*call)
    assert (result.code, result.err) == (0, "")
    assert result.records[-1]["outcome"]["scores"]
    for wrong in ("3=druid", "0=druid", "druid", "1=merlin", "=druid", "x=druid"):
        result = heelstone("simulate", GAME, "--player", wrong)
        assert result.code == 2 and result.err.count("\n") == 1, wrong
    assert heelstone("simulate", GAME, "--player", "0=druid", "--seconds", 0).code == 2


def _kept(folder: Path, **changes: object) -> str:
    known: dict[str, object] = {
        "id": "abc123", "game": GAME, "players": 2, "physical": False, "seed": "s",
        "options": {"hidden": "off", "hints": "off", "hidden_early_claim": "on"},
        "names": ("Anna", "Bo"), "enforcement": "enforce", "created_s": 1.0,
    }  # fmt: skip
    with Journal(folder / "journal.db") as journal:
        journal.create(Header(**{**known, **changes}))  # type: ignore[arg-type]
    return "abc"


def test_a_tip_in_a_terminal_is_in_the_record(heelstone: Heelstone, tmp_path: Path) -> None:
    name = _kept(tmp_path)
    result = heelstone("--data", tmp_path, "tip", name, "--seconds", 0.05, "--lang", "en")
    assert (result.code, result.err) == (0, "")
    assert "Anna puts" in result.out and "Second best" in result.out
    result = heelstone("--data", tmp_path, "tip", name, "--seconds", 0.05, "--json")
    (record,) = result.records
    assert record["player"] == 0 and record["move"].startswith("p0 place")
    with Journal(tmp_path / "journal.db") as journal:
        tips = [e.what for e in journal.events("abc123") if isinstance(e.what, TipGiven)]
    assert [tip.player for tip in tips] == [0, 0]
    assert tips[1].move.text == record["move"]


@pytest.mark.parametrize(
    "changes", [{"tips": False}, {"computers": ("druid", "")}], ids=["turned off", "nobody asked"]
)
def test_where_no_tip_may_be_given_it_says_so(
    heelstone: Heelstone, tmp_path: Path, changes: dict[str, object]
) -> None:
    name = _kept(tmp_path, **changes)
    result = heelstone("--data", tmp_path, "tip", name, "--seconds", 0.05)
    assert result.code == 2 and result.err.count("\n") == 1


def test_a_player_of_a_package_sits_down_by_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from companion.presentation.setting_up.company import offered
    from companion.words.player_names import named
    from rules.players import registry

    class Entry:
        name = "merlin"

    monkeypatch.setattr(registry, "_entries", lambda: {"merlin": Entry()})
    assert offered(MatchSetup(GAME, 2)) == ("apprentice", "druid", "archdruid", "merlin")
    assert named(("Anna", "", ""), ("", "merlin", "merlin"), "de") == ("Anna", "merlin", "merlin 2")
