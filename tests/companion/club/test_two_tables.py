"""Two tables of a club find each other and play one match, over a real broker."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.club import two_tables
from companion.club.connection import connect
from companion.club.inviting import Inviting
from companion.club.naming import together_subject
from companion.club.wire import Declines, Invites, Said, Tells, heard, said_by
from companion.journal.events import Source
from companion.match.state import Heard
from companion.match.view import PlayAnyway, PlayMove, TableState, Undo
from companion.presentation.remote_table import Invitation, TableThere
from companion.settings.people import MatchSetup
from rules.core import Move
from tests.support.club import CLUB, Servers
from tests.support.two_tables import Place, agree, answer, place, played
from tests.support.waiting import until

PLAN = MatchSetup("knizia_stonehenge", 2, names=("Anna", "Jörg"))


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeats at once what is otherwise repeated every few seconds."""
    monkeypatch.setattr("companion.club.two_tables.HEART_S", 0.1)


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Misses a silent table soon."""
    monkeypatch.setattr("companion.club.two_tables.SILENT_S", 1.0)
    monkeypatch.setattr("companion.club.inviting.SILENT_S", 1.0)


@pytest.fixture
def both(club: Servers, tmp_path: Path) -> Iterator[tuple[Place, Place]]:
    north, south = club.make(["north", "south"])
    with place(north, tmp_path / "north") as one, place(south, tmp_path / "south") as other:
        assert until(lambda: one.line.up and other.line.up)
        yield one, other


def heard_at(one: Place) -> Heard | None:
    return None if one.view.other is None else one.view.other.heard


def test_a_table_invites_another_and_both_play_one_match(both: tuple[Place, Place]) -> None:
    north, south = both
    agree(north, south, PLAN)
    assert south.view.names == north.view.names == ("Anna", "Jörg")
    assert until(lambda: heard_at(north) is heard_at(south) is Heard.THERE)
    assert north.journal.header(north.match_id).together is not None
    north.tap("p0 place 3 A")
    assert until(lambda: south.view.ply == 2)
    assert south.view.other is not None and not south.view.other.asked
    south.tap("p1 place 3 B")
    assert until(lambda: played(north, south) and north.view.ply == 4)
    sources = {event.src for event in south.journal.events(south.match_id)}
    assert Source.ELSEWHERE in sources


def test_people_may_say_no(both: tuple[Place, Place]) -> None:
    north, south = both
    north.tables.invite("south", PLAN, (0,))
    assert until(lambda: south.tables.now.received is not None)
    received = south.tables.now.received
    assert received is not None and received.table == "north" and received.here == (1,)
    south.tables.refuse()
    assert until(lambda: answer(north) == "no")
    assert south.tables.now.received is None and south.tables.agreed() is None


def test_an_invitation_that_is_withdrawn_or_heard_no_more_disappears(
    both: tuple[Place, Place], silent: None
) -> None:
    north, south = both
    north.tables.invite("south", PLAN, (0,))
    assert until(lambda: south.tables.now.received is not None)
    north.tables.withdraw()
    assert until(lambda: south.tables.now.received is None)
    north.tables.invite("south", PLAN, (0,))
    assert until(lambda: south.tables.now.received is not None)
    north.away()
    assert until(lambda: south.tables.now.received is None)


def test_who_invites_a_table_that_is_gone_is_told_so(
    both: tuple[Place, Place], silent: None
) -> None:
    north, south = both
    north.tables.look(True)
    assert until(lambda: bool(north.tables.now.tables))
    south.away()
    north.tables.invite("south", PLAN, (0,))
    assert until(lambda: answer(north) == "gone")
    assert north.tables.now.tables == ()


def test_a_table_that_plays_keeps_its_match(
    both: tuple[Place, Place], club: Servers, tmp_path: Path
) -> None:
    north, south = both
    agree(north, south, PLAN)
    with place(club.table("east"), tmp_path / "east") as east:
        east.tables.look(True)
        there = [TableThere("north", True), TableThere("south", True)]
        assert until(lambda: [one for one in east.tables.now.tables if one in there] == there)
        east.tables.invite("south", PLAN, (1,))
        assert until(lambda: answer(east) == "busy")
    assert south.tables.now.received is None and south.view.ply == 0


def test_games_with_hidden_cards_and_other_rules_are_refused(
    both: tuple[Place, Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    north, _south = both
    suited = {
        game: north.tables.suits(MatchSetup(game, players))
        for game, players in (
            ("knizia_stonehenge", 2), ("dolmengoetter", 3), ("rollende_steine", 2),
            ("dominion", 2), ("hoher_rat", 2), ("opferroulette", 2), ("erbaut_stonehenge", 3),
            ("trilithen_knallen", 2),
        )
    }  # fmt: skip
    assert [game for game, good in suited.items() if good] == [
        "knizia_stonehenge", "dolmengoetter", "rollende_steine",
    ]  # fmt: skip
    assert not north.tables.suits(MatchSetup("no_such_game", 2))
    assert until(lambda: [game for game in suited if north.tables.knows(game)] == [
        "knizia_stonehenge", "dolmengoetter", "rollende_steine",
    ])  # fmt: skip
    # The other table looks itself: this one may have been made by somebody else.
    north.tables.invite("south", MatchSetup("dominion", 2), (0,))
    assert until(lambda: answer(north) == "rules")
    prints = iter(["theirs", "mine"] * 50)
    monkeypatch.setattr("companion.club.inviting.rules_print", lambda _game: next(prints))
    north.tables.invite("south", PLAN, (0,))
    assert until(lambda: answer(north) == "rules")


def test_a_table_cut_off_plays_on_as_far_as_it_is_asked_and_catches_up(
    both: tuple[Place, Place], silent: None
) -> None:
    north, south = both
    agree(north, south, PLAN)
    north.tap("p0 place 3 A")
    assert until(lambda: played(north, south) and south.view.ply == 2)
    south.away()
    assert until(lambda: heard_at(north) is Heard.NOT)
    south.tap("p1 place 3 B")
    assert south.view.ply == 4 and south.view.legal == ()
    south.back()
    assert until(lambda: played(north, south) and heard_at(north) is Heard.THERE)
    north.tap("p0 place 3 C")
    assert until(lambda: played(north, south) and south.view.ply >= 5)


@pytest.mark.parametrize("at", [0, 1])
def test_a_table_killed_at_any_moment_goes_on_from_its_journal(
    both: tuple[Place, Place], at: int
) -> None:
    north, south = both
    agree(north, south, PLAN)
    north.tap("p0 place 3 A")
    killed = both[at]
    killed.kill()
    other = both[1 - at]
    if other.view.legal:
        other.tap("p1 place 3 B" if at == 0 else "p0 done")
    killed.resume()
    assert until(lambda: played(north, south))
    assert north.view.ply >= 2


def test_taking_back_asks_the_other_table(both: tuple[Place, Place]) -> None:
    north, south = both
    agree(north, south, PLAN)
    north.tap("p0 place 3 A")
    assert until(lambda: played(north, south) and south.view.ply == 2)
    assert north.session is not None
    assert north.view.can_undo and not south.view.can_undo
    north.session.post(Undo())
    assert until(lambda: played(north, south) and north.view.ply == 0)
    kinds = [event.src for event in south.journal.events(south.match_id)]
    assert kinds[-1] is Source.ELSEWHERE


def test_a_match_put_away_or_given_up_is_told_to_the_other_table(
    both: tuple[Place, Place],
) -> None:
    north, south = both
    agree(north, south, PLAN)
    north.tap("p0 place 3 A")
    assert until(lambda: played(north, south))
    together = south.journal.header(south.match_id).together
    assert together is not None
    south.rest()
    assert until(lambda: heard_at(north) is Heard.RESTS)
    south.open(south.journal.header(south.match_id))
    assert until(lambda: heard_at(north) is Heard.THERE)
    south.rest()
    south.journal.set_status(south.match_id, "abandoned")
    south.tables.given_up(together)
    assert until(lambda: heard_at(north) is Heard.GONE)
    # Also whoever was not there then comes to know.
    north.kill()
    north.resume()
    assert until(lambda: heard_at(north) is Heard.GONE)


def test_two_that_invite_each_other_at_once_need_one_invitation_only(
    both: tuple[Place, Place],
) -> None:
    north, south = both
    north.tables.invite("south", PLAN, (0,))
    south.tables.invite("north", PLAN, (0,))
    assert until(lambda: south.tables.now.received is not None and south.tables.now.sent is None)
    assert north.tables.now.received is None
    south.begin()
    assert until(lambda: answer(north) == "yes")


def test_an_invitation_to_a_table_that_has_just_sent_one_gives_way_to_it() -> None:
    posted: dict[str, list[Said]] = {"north": [], "south": []}
    north, south = (
        Inviting(own, lambda to, said: posted[to].append(said)) for own in ("north", "south")
    )
    north.invite(Invitation("a" * 24, "south", PLAN, (0,)))
    (invites,) = posted["south"]
    assert isinstance(invites, Invites)
    south.invited("north", invites, busy=False)
    south.invite(Invitation("b" * 24, "north", PLAN, (0,)))
    invites = posted["north"].pop()
    assert isinstance(invites, Invites)
    north.invited("south", invites, busy=False)
    declines = posted["south"].pop()
    assert isinstance(declines, Declines) and declines.why == "busy"
    south.answered("north", declines.match, declines.why)
    assert south.sent is None
    assert south.received is not None and south.received.match == "a" * 24


RUBBISH = [
    b"", b"{", b"[]", b"null", b'{"what":"tells"}', b"\xff" * 50, b"[" * 100_000,
    b'{"what":"tells","match":"' + b"ab" * 12 + b'","told":[["move",{}]]}',
    b'{"what":"tells","match":"' + b"ab" * 12 + b'","told":[["move",{"move":"p0 place 3 A"}]]}',
    b'{"what":"tells","match":"' + b"ab" * 12 + b'","told":[["takeback",{"count":-4}]],"wish":9}',
    b'{"what":"tells","match":"' + b"ab" * 12 + b'","told":[["opened",{"number":1}]]}',
    b'{"what":"invites","match":"x"}', b'{"what":"who","v":2}', b'{"what":"here","busy":3}',
    b'{"what":"gone","match":"../../etc"}', b'{"what":"tells","told":' + b"9" * 600_000 + b"}",
]  # fmt: skip


def test_rubbish_from_another_table_changes_nothing(both: tuple[Place, Place]) -> None:
    north, south = both
    agree(north, south, PLAN)
    together = north.journal.header(north.match_id).together
    assert together is not None
    north.tap("p0 place 3 A")
    assert until(lambda: played(north, south))
    rows = list(north.journal.events(north.match_id))
    # From now on nobody else speaks in its name; what is still on its way may arrive later.
    south.kill()

    def rubbish_is_a_misfit() -> bool:
        for rubbish in RUBBISH:
            data = rubbish.replace(b"ab" * 12, together.match.encode())
            north.tables._hears(f"club.{CLUB}.table.south.together.to.north", data)
        return until(lambda: heard_at(north) is Heard.MISFIT, seconds=1.0)

    # What is well formed and contradicts the record is told to people, and changes nothing either.
    assert until(rubbish_is_a_misfit)
    assert north.session is not None and north.session.settle()
    assert list(north.journal.events(north.match_id)) == rows
    assert north.view.state is TableState.BLIND
    north.tables._hears("no subject of ours", b"{}")
    assert said_by("club.x.table.NO!.together.who") == said_by("club.x.table") == ""


def test_an_illegal_move_of_the_other_table_is_a_clear_sentence(both: tuple[Place, Place]) -> None:
    north, south = both
    agree(north, south, PLAN)
    together = south.journal.header(south.match_id).together
    assert together is not None
    north.away()
    told = Tells(match=together.match, told=(("move", {"move": "p0 place 7 Q"}),))
    south.tables._take("north", told)
    assert until(lambda: south.view.wrong is not None)
    assert south.view.wrong is not None and south.view.wrong.what is not None
    assert south.view.wrong.what.code == "misfit_elsewhere"
    assert south.view.ply == 0

    def told_again_is_a_misfit() -> bool:
        south.tables._take("north", told)
        return heard_at(south) is Heard.MISFIT

    assert until(told_again_is_a_misfit)


def test_both_tables_are_told_that_a_move_against_the_rules_does_not_count(
    both: tuple[Place, Place],
) -> None:
    north, south = both
    agree(north, south, PLAN)
    north.tap("p0 place 3 A")
    assert until(lambda: played(north, south) and south.view.ply == 2)
    south.tap("p1 place 3 B")
    assert until(lambda: played(north, south) and north.view.ply == 4)
    # A program that lets its people win before a stone lies there.
    claim = Move.parse("p0 claim R5")
    with patch("companion.match.permissions.may_force", lambda _header: True):
        assert north.session is not None
        north.session.post(PlayMove(claim))
        north.session.post(PlayAnyway())
        assert north.session.settle()
    assert north.view.ply == 5
    assert until(lambda: south.view.wrong is not None)
    assert south.view.wrong is not None and south.view.wrong.what is not None
    assert south.view.wrong.what.code == "forced_elsewhere"
    assert until(lambda: heard_at(north) is Heard.MISFIT)
    assert south.view.ply == 4


def test_a_table_speaks_under_its_own_name_and_hears_only_what_is_meant_for_it(
    club: Servers,
) -> None:
    north, south, east = club.make(["north", "south", "east"])

    async def tried() -> list[str]:
        got: list[str] = []
        listening, false = await connect(south), await connect(east)

        async def hears(message: object) -> None:
            got.append(getattr(message, "subject", ""))

        await listening.subscribe(together_subject(CLUB, "*", "south"), cb=hears)
        # Neither what others say to each other, nor in the name of another.
        await false.subscribe(together_subject(CLUB, "*", "south"), cb=hears)
        await listening.flush()
        for _ in range(600):
            # A message may be lost, which is why tables say everything again.
            await false.publish(together_subject(CLUB, "north", "south"), b"false")
            await false.publish(together_subject(CLUB, "east", "south"), b"true")
            await false.flush()
            await asyncio.sleep(0.1)
            if got:
                break
        await listening.close()
        await false.close()
        return got

    assert north.table == "north"
    assert set(asyncio.run(tried())) == {together_subject(CLUB, "east", "south")}


def test_a_message_is_bounded() -> None:
    assert heard(b'{"what":"who"}') is not None
    assert heard(b'{"what":"who"}' + b" " * 600_000) is None


@pytest.mark.parametrize(
    "name", [b"A", b"\xc2", b"\xed\xa0\x80", b"\\ud800", b"\\u001b[2J", b"\\u202e"]
)
def test_a_name_from_another_table_is_text_that_can_be_shown(name: bytes) -> None:
    invitation = (
        b'{"what":"invites","match":"' + b"ab" * 12 + b'","game":"knizia_stonehenge","players":2,'
        b'"options":{},"names":["' + name + b'"],"enforcement":"enforce","seats":[1],"rules":""}'
    )
    assert (heard(invitation) is not None) == (name == b"A")


def test_a_table_that_never_stops_talking_is_heard_now_and_then(
    both: tuple[Place, Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    north, _ = both
    monkeypatch.setattr(two_tables, "HEART_S", 3_600.0)
    read = Counter[bytes]()
    monkeypatch.setattr(two_tables, "heard", lambda data: read.update([data]))
    for _ in range(1_000):
        north.tables._hears(f"club.{CLUB}.table.chatty.together.who", b"chatty")
    north.tables._hears(f"club.{CLUB}.table.south.together.who", b"calm")
    assert (read[b"chatty"], read[b"calm"]) == (two_tables.MOST_EACH, 1)
