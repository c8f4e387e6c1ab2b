"""Announcements and the words of devices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import MovesCommitted, Refused, Trouble
from companion.match.table import Table
from companion.match.view import PlayMove, TableState, TableView, Undo, WentWrong
from companion.mqtt.public import happened as published
from companion.outputs.display_lines import display_lines
from companion.presentation.announcement import (
    EVERYWHERE,
    FIELDS,
    ROWS,
    Cue,
    Urgency,
    What,
    at_head,
    first,
    happened,
    phone_asks,
    refusal,
    standing,
)
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
from rules.texts import LANGUAGES, Texts
from tests.support.table_setup import Hands, header, tap_move

STONE = "stone black 1"


@pytest.fixture
def hands() -> Hands:
    """A table where a stone of Black was just laid on G."""
    hands = Hands()
    hands.look()
    hands.lay("G", STONE)
    return hands


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
@pytest.mark.parametrize(("code", "what"), [("time_up", What.TIME_UP), ("shuffle", What.CALLED)])
def test_the_tables_own_calls_are_told_at_every_exit(code: str, what: What, lang: str) -> None:
    before, call = dominion(physical=False).view(), Call(code, (1,))
    view = replace(before, due=(call,))
    teller, one = teller_of(view, lang), at_head(view)
    assert one is not None and one.what is what and one.seats == (1,)
    assert one.places == {EVERYWHERE: one.row.cue} and one.indicator.symbol == one.row.sign
    heard = first(happened(before, view, [call]), what)
    assert heard is not None and heard.rhythm is one.row.cue.rhythm
    assert heard.places is None, "its lamps shine no longer than it applies"
    assert one.at_head(teller) == teller.call(call).do
    assert display_lines(view, teller, 20, 4) != display_lines(before, teller, 20, 4)
    public = public_view(view, "m")
    page = public_page(public, lang)
    assert page.result is not None and page.result.title == one.told(teller).title
    assert what.encode() in Happenings().heard(public, [call])[0].told[lang]
    events = published(public_view(before, "m"), public, [call], lang)
    assert [told["event_type"] for told in events] == [what]


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
    assert due.at_head(teller_of(view, "de")) == "Mischen"
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
