"""Announcements and the words of devices."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import MovesCommitted, Refused, Trouble
from companion.match.table import Table
from companion.match.view import PlayMove, TableState, TableView, Undo, WentWrong
from companion.mqtt.public import happened as published
from companion.presentation.announcement import (
    EVERYWHERE,
    FIELDS,
    ROWS,
    Cue,
    Share,
    Urgency,
    What,
    at_head,
    first,
    happened,
    phone_asks,
    refusal,
    standing,
)
from companion.presentation.table_words import instruction, table_words
from companion.presentation.views import public_view
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import language, set_language
from companion.presentation.words.troubles import what_to_do
from companion.settings.manners import Manners
from companion.web.event_stream import Happenings
from companion.web.public_page import public_page
from hardware.status import GOOD_CODES, TEXTS
from rules.core import Call, Move, Objection
from rules.games import find_game
from rules.reading.reading import Fix
from rules.reading.sighting import Glimpse
from rules.telling import load_text
from rules.texts import LANGUAGES, Texts
from tests.support.match_views import EVERY_MATCH, views
from tests.support.table_setup import Hands, header, tap_move

STONE = "stone black 1"


@pytest.fixture
def hands() -> Hands:
    """A table where a stone of Black was just laid on G."""
    hands = Hands()
    hands.look()
    hands.lay("G", STONE)
    return hands


def every_call() -> list[tuple[str, str]]:
    """A game and a code, for all calls of games and those that all games share."""
    games = [game for game, players in EVERY_MATCH if players == 2]
    own = [(game, code) for game in games for code in load_text(game, "en").get("calls", {})]
    return own + [(games[0], code) for code in load_text("common", "en")["calls"]]


def refused(view: TableView) -> TableView:
    why = Objection("K7", "occupied", (("site", "G"),))
    fixes = (Fix("G", (Glimpse(STONE),), ()), Fix("H", (), (Glimpse(STONE),)))
    return replace(view, state=TableState.ILLEGAL, objections=(why, why), fixes=fixes)


def test_why_something_is_refused_comes_before_whose_turn_it_is(hands: Hands) -> None:
    view = refused(hands.table.view())
    kinds = [one.what for one in standing(view)]
    assert kinds == [What.REFUSED, What.TURN]
    why = refusal(view)
    assert why is not None and why.subject == view.objections[0]
    assert why.urgency is Urgency.WARNING
    assert why.places == {"G": Cue.FORBIDDEN, "H": Cue.ASKING}


def test_lamps_warn_before_anybody_says_why(hands: Hands) -> None:
    view = replace(refused(hands.table.view()), objections=())
    one = next(standing(view))
    assert one.what is What.WRONG and one.urgency is Urgency.SHOWN and one.places


def test_whoever_has_moved_is_not_called_again(hands: Hands) -> None:
    view = hands.table.view()
    before = replace(view, prompt=None)
    assert view.prompt is not None and view.prompt.player is not None
    own = MovesCommitted((Move.parse(f"p{view.prompt.player} place 1 G"),), Source.TOUCH, ("G",))
    for events, again in (([], False), ([own], True)):
        turn = first(happened(before, view, events), What.TURN)
        assert turn is not None and turn.again is again


def test_the_same_trouble_and_the_same_reason_are_known_the_second_time(hands: Hands) -> None:
    view = hands.table.view()
    failed, wrong = replace(view, wrong=WentWrong()), refused(view)
    for before, now, event in (
        (view, failed, Trouble()), (view, wrong, Refused(wrong.objections, ())),
    ):  # fmt: skip
        assert not happened(before, now, [event])[0].again
        assert happened(now, now, [event])[0].again


def test_everybody_hears_nothing_of_what_is_nobodys_business(hands: Hands) -> None:
    view = replace(refused(hands.table.view()), secret=True)
    public = public_view(view, "m")
    made = happened(None, public, [Refused(view.objections, ())])
    assert first(made, What.REFUSED) is None and refusal(public) is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_has_no_subject_has_words_of_its_own(hands: Hands, lang: str) -> None:
    view = hands.table.view()
    teller = teller_of(view, lang)
    troubled = happened(None, view, [Trouble()])
    for one in (*troubled[:1], phone_asks(1, by_button=True)):
        assert one.told(teller).title
    assert phone_asks(1, by_button=True).told(teller).do
    assert not phone_asks(1, by_button=False).told(teller).do


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_row_names_fields_and_texts_that_there_are(lang: str) -> None:
    words = Texts("announcements", lang)
    for what, row in ROWS.items():
        named = f"{row.stream or ''} {row.broker or ''}".split()
        assert {name.rpartition("=")[2] for name in named} <= set(FIELDS), what
        assert all(map(words.knows, filter(None, row.display))), what


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("hands", [False, True])
@pytest.mark.parametrize(("game", "code"), every_call())
def test_a_call_is_told_at_every_exit(game: str, code: str, hands: bool, lang: str) -> None:
    before, call = views(game, 2)[0], Call(code, (1,), hands=hands)
    view = replace(before, calls=((before.ply, call),))
    teller, cue = teller_of(view, lang), Cue.ASKING if hands else Cue.HINT
    title, one = teller.call(call).title, first(standing(view), What.CALLED)
    assert one is not None and one.seats == (1,) and one.places == {EVERYWHERE: cue}
    assert one.share is (Share.ALL if hands else Share.ABOVE)
    heard = first(happened(before, view, ()), What.CALLED)
    assert heard is not None and heard.rhythm is cue.rhythm
    assert heard.places is None, "its lamps shine no longer than it applies"
    assert at_head(view) == call and instruction(table_words(view, lang)) == title
    public = public_view(view, "m")
    page = public_page(public, lang)
    assert page.result is not None and page.result.title == title
    stream = Happenings()
    stream.opened(public_view(before, "m"))
    for told in (
        json.loads(stream.heard(public, ())[0].told[lang]),
        *published(public_view(before, "m"), public, (), lang),
    ):
        assert (told["code"], [*told["seats"]], told["text"]) == (code, [1], title)


def test_of_an_end_everybody_hears_who_has_won_and_nothing_glows(hands: Hands) -> None:
    table = hands.table
    before, events = table.view(), []
    while table.match.outcome is None:
        before, events = table.view(), table.handle(PlayMove(table.view().legal[-1]), hands.now)
    made = happened(before, table.view(), events)
    won, ended = first(made, What.WON), first(made, What.ENDED)
    assert won is not None and ended is not None
    assert won.seats == table.match.outcome.ranking[0] and ended.places == {}
    assert next(standing(table.view())).what is What.ENDED


# -- calls of a game -----------------------------------------------------------------------------


def dominion(*, physical: bool) -> Table:
    """A table where p0 has ended a second turn without playing anything."""
    options = find_game("dominion").complete_options(2, {"kingdom": "first-game"})
    there = replace(
        header("d1"), game="dominion", options=options, physical=physical, names=("Anna", "Ben")
    )
    journal = Journal(":memory:")
    journal.create(there)
    table = Table(journal, there, Manners())
    for text in (*["dealer start p0"] * physical, "p0 done", "p1 done", "p0 done"):
        assert not table.view().calls
        table.handle(tap_move(text), 1.0)
    return table


def test_hands_are_called_to_shuffle_until_the_next_decision() -> None:
    table = dominion(physical=True)
    view = table.view()
    one = first(happened(None, view, ()), What.CALLED)
    assert one is not None and (one.seats, one.rhythm) == ((0,), Cue.ASKING.rhythm)
    assert first(happened(view, view, ()), What.CALLED) is None
    assert [each.what for each in happened(None, view, ())][-2:] == [What.TURN, What.CALLED]
    due = next(standing(view))
    assert due.places == {"discard-p0": Cue.ASKING, "draw-p0": Cue.ASKING}
    assert "shuffle" in due.told(teller_of(view, "en")).title
    assert at_head(view) == due.subject
    page = public_page(public_view(view, "m"), "en")
    assert page.result is not None and "shuffle" in page.result.title
    table.handle(tap_move("p1 done"), 2.0)
    assert [one.seats for one in standing(table.view()) if one.what is What.CALLED] == [(1,)]
    table.handle(Undo(), 3.0)
    assert not table.view().calls


def test_nobody_is_called_to_shuffle_what_the_program_deals() -> None:
    assert not dominion(physical=False).view().calls


TROUBLES = sorted(set(TEXTS) - GOOD_CODES - {"connecting"})


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("code", TROUBLES)
def test_every_trouble_of_a_device_has_words_of_its_own(code: str, lang: str) -> None:
    before = language()
    set_language(lang)
    try:
        words = what_to_do(code)
        assert words != what_to_do("no such code"), code
        assert words.endswith(".") and "{" not in words
    finally:
        set_language(before)
