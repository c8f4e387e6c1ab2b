"""Computer players and tips on the play screen."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.journal.entries import FINISHED
from companion.journal.events import MovePlayed, Source
from companion.match.view import (
    SET_FOR_COMPUTER,
    AskTip,
    ConfirmPlaced,
    Intent,
    PlayedByComputer,
    TableState,
    TableView,
    TipView,
)
from companion.presentation.scene import scene_of
from companion.presentation.touching import Picked
from companion.settings.people import MatchSetup
from companion.settings.services import PlayersSettings
from companion.settings.settings import Settings
from rules.core import Move, Result
from rules.match import Match
from rules.players import Choice, Reason, Thought
from rules.reading.reading import Fix
from rules.reading.sighting import Glimpse
from tests.companion.ui.conftest import Opened
from tests.support.at_the_screen import Player
from tests.support.ui_harness import (
    GAME,
    PLACES,
    SIZES,
    OnScreen,
    key,
    need_screen,
    tap_on,
    tick,
    view_of,
)

TIP = {"de": "Tipp", "en": "Tip"}
STANDS = {"de": "Steht so", "en": "It stands so"}
THINKS = {"de": "Druide überlegt", "en": "Druide is thinking"}
DRUID: dict[str, Any] = {"names": ("Anna", "Druide"), "computers": ("", "druid"), "match_id": "m1"}


class Shown(OnScreen):
    """A play screen in the window; what it asks for is kept."""

    def __init__(self, size: tuple[int, int], lang: str) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.play.screen import PlayScreen

        self.intents: list[Intent] = []
        self.put(PlayScreen(self.intents.append, **self.room), 0)

    def show(self, view: TableView) -> str:
        """Show a view; everything that is written then."""
        self.screen.show(view)
        tick(1)
        assert self.faults() == []
        return self.texts


@pytest.fixture(params=PLACES)
def shown(request: pytest.FixtureRequest, opened: Opened[Shown]) -> Shown:
    return opened(Shown(*request.param))


def _match(*moves: str) -> Match:
    match = Match(GAME, 2)
    for move in moves:
        match.push(move)
    return match


def _choice(match: Match) -> Choice:
    best, second = match.legal_moves()[3], match.legal_moves()[40]
    return Choice(best, Reason("winning"), (Thought(best, 0.9, 50), Thought(second, 0.6, 20)))


def test_it_says_who_thinks_and_offers_nothing_to_touch(shown: Shown) -> None:
    match = _match("p0 place 3 L", "p0 done")
    told = shown.show(view_of(match, **DRUID, thinks=1, legal=(), usual=None))
    assert THINKS[shown.lang] in told
    assert TIP[shown.lang] not in told.split(" | ")


def test_hands_are_told_what_to_set_and_may_say_that_it_stands(shown: Shown) -> None:
    match = _match("p0 place 3 L", "p0 done", "p1 place 2 K", "p1 done")
    played = PlayedByComputer(1, (Move.parse("p1 place 2 K"),), Reason("best_chances"))
    fixes = (Fix("K", (), (Glimpse("stone brown 2"),)),)
    told = shown.show(
        view_of(match, TableState.PENDING, **DRUID, computed=played, fixes=fixes, physical=True)
    )
    assert "Druide" in told and "K" in told
    tap_on(key(shown.screen, STANDS[shown.lang]))
    assert shown.intents == [ConfirmPlaced()]


def test_without_a_camera_one_touch_says_that_it_stands(shown: Shown) -> None:
    match = _match("p0 place 3 L", "p0 done", "p1 place 2 K", "p1 done")
    played = PlayedByComputer(1, (Move.parse("p1 place 2 K"),), Reason("best_chances"))
    result = Result(SET_FOR_COMPUTER)
    told = shown.show(
        view_of(
            match, TableState.BLIND, **DRUID, computed=played, physical=True, result=result,
            result_ply=match.ply,
        )
    )  # fmt: skip
    assert "2" in told and "K" in told
    tap_on(key(shown.screen, STANDS[shown.lang]))
    assert shown.intents == [ConfirmPlaced()]


def test_a_tip_comes_over_the_words_glows_on_the_board_and_goes_with_the_move(
    shown: Shown,
) -> None:
    match = _match()
    plain = view_of(match, **DRUID, may_tip=True)
    shown.show(plain)
    tap_on(key(shown.screen, TIP[shown.lang]))
    assert shown.intents == [AskTip()]
    shown.show(view_of(match, **DRUID, may_tip=True, tip=TipView(0, Source.TOUCH)))
    choice = _choice(match)
    here = view_of(match, **DRUID, may_tip=True, tip=TipView(0, Source.TOUCH, choice))
    told = shown.show(here)
    assert {"de": "Sieg", "en": "Victory"}[shown.lang] in told
    assert {"de": "Zweitbester", "en": "Second best"}[shown.lang] in told
    site = choice.move.args[-1]
    assert scene_of(here, Picked()).hints == {site}
    assert not scene_of(plain, Picked()).hints
    match.push(choice.move)
    assert {"de": "Zweitbester", "en": "Second best"}[shown.lang] not in shown.show(
        view_of(match, **DRUID, may_tip=True)
    )


def test_a_tip_that_a_phone_asked_for_is_not_on_the_screen(shown: Shown) -> None:
    match = _match()
    shown.show(view_of(match, **DRUID, may_tip=True))
    tip = TipView(0, Source.PHONE, _choice(match))
    view = view_of(match, **DRUID, may_tip=True, tip=tip)
    assert {"de": "Sieg", "en": "Victory"}[shown.lang] not in shown.show(view)
    assert not scene_of(view, Picked()).hints


def test_secrets_are_covered_for_tips_too_but_not_from_computer_players(shown: Shown) -> None:
    match = _match()
    people: dict[str, Any] = {**DRUID, "computers": ("", ""), "secret": True, "may_tip": True}
    tip = TipView(0, Source.TOUCH, _choice(match))
    shown.show(view_of(match, **people))
    told = shown.show(view_of(match, **people, tip=tip))
    assert {"de": "Sieg", "en": "Victory"}[shown.lang] not in told
    assert TIP[shown.lang] not in told.split(" | ")
    alone = shown.show(view_of(match, **DRUID, secret=True, may_tip=True))
    assert TIP[shown.lang] in alone.split(" | ")


def test_a_player_that_cannot_think_is_told_and_can_be_played_for(shown: Shown) -> None:
    match = _match("p0 place 3 L", "p0 done")
    told = shown.show(view_of(match, **DRUID, helpless=frozenset({1})))
    assert {"de": "bitte zieht für ihn", "en": "please play for it"}[shown.lang] in told


QUICK = Settings(players=PlayersSettings(seconds=0.05, pause_s=0.0))
GAMES = [
    ("knizia_stonehenge", False), ("knizia_stonehenge", True), ("opferroulette", False),
    ("hoher_rat", True), ("dominion", True),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "physical"), GAMES)
def test_a_match_against_a_computer_player_is_played_by_touch_alone(
    game: str, physical: bool, tmp_path: Path
) -> None:
    need_screen()
    random, player = Random(1), Player(tmp_path, SIZES[0], "de", QUICK)
    player.house.people.remember(
        MatchSetup(game, 2, names=("Anna",), computers=("", "apprentice"), physical=physical)
    )
    try:
        player.set_up(game, 2, physical=physical)
        assert player.view.names == ("Anna", "Lehrling")
        while not player.over:
            if player.view.thinks is not None and player.screen.result is None:
                player.wait(
                    lambda: player.view.thinks is None or player.over or bool(player.view.result),
                    "it has chosen",
                )  # fmt: skip
                player.settle()
            elif player.screen.result is not None:
                player.put_away()
                player.settle()
            elif player.view.legal:
                player.play(random)
            else:
                player.settle()
        match_id = player.view.match_id
        assert player.house.journal.status(match_id) == FINISHED
        played = [event for event in player.house.journal.events(match_id)
                  if isinstance(event.what, MovePlayed)]  # fmt: skip
        assert {Source.TOUCH, Source.COMPUTER} <= {event.src for event in played}
    finally:
        player.close()
