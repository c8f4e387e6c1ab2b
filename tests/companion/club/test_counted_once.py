"""Results of a club: counted once, replayed, and paired anew."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest

from companion.club.public_events import PublicForm, match_key, public_header
from companion.club.seasons.kept_up import Seasons
from companion.club.seasons.season import rate
from companion.club.upload import Uploader
from companion.club.watching import Spectated
from companion.journal.entries import FINISHED, Header
from companion.journal.events import MatchEnded, MovePlayed, Source, TipGiven
from companion.journal.fold import replay
from companion.journal.store import Journal
from companion.presentation.faces import faces_of, wear
from companion.web.public_page import public_page
from rules.core import Move
from rules.match import Match
from rules.testing.playout import pick
from tests.support.beside import beside
from tests.support.club import GAMES, Servers, Writing, equal_at, play
from tests.support.leaks import events_of, everything_sent, header_of
from tests.support.two_boards import header_there
from tests.support.waiting import until


def finished(journal: Journal, header: Header) -> None:
    """Write a whole match down; the same at both tables."""
    journal.create(header)
    match, chance = (
        Match(header.game, header.players, header.options, physical=True),
        random.Random(2),
    )
    moves = []
    while match.outcome is None:
        move = pick(match.state, match.legal_moves(), chance)
        match.push(move)
        moves.append(MovePlayed(move))
    journal.append(header.id, *moves, src=Source.TOUCH)
    journal.append(header.id, MatchEnded(match.outcome), src=Source.DEALER, status=FINISHED)


def test_of_two_tables_the_one_that_invited_counts(club: Servers, tmp_path: Path) -> None:
    hosts, guests = club.make(["hosts", "guests"])
    with Writing(club):
        for member, other, seat in ((guests, "hosts", 1), (hosts, "guests", 0)):
            folder = tmp_path / member.table
            folder.mkdir()
            header = header_there("knizia_stonehenge", 2, (seat,), other, hosting=not seat)
            with Journal(folder / "journal.db") as journal:
                finished(journal, replace(header, names=("Ada", "Ben")))
                uploader = Uploader(member, folder).start()
                assert until(lambda j=journal, m=member: equal_at(club, j, m))  # type: ignore[misc]
                uploader.close()

    tables = [one.table for one in asyncio.run(Seasons(club.database.dsn).played())]
    assert tables.count("hosts") == 1 and "guests" not in tables


KEY = b"a table's own key"


SECRETS = [("knizia_stonehenge", {"hidden": "on"}), *((game, {}) for game in GAMES)]


@pytest.mark.parametrize("physical", [False, True])
@pytest.mark.parametrize(("game", "options"), SECRETS)
def test_the_club_sees_what_lies_on_the_table(
    game: str, options: dict[str, str], physical: bool, tmp_path: Path
) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        match_id = play(journal, game, 5, most=150, options=options, physical=physical)
        header, events = journal.header(match_id), journal.events(match_id)
    form = PublicForm(header, KEY, "circle", "north")
    seen = Spectated("m1", public_header(header, KEY))
    fold = replay(header, [])
    for event in events:
        told = form.event(event)
        form.take(event)
        seen.take(told["seq"], told["type"], told["body"])
        fold.take(event.what)
        assert seen.match.layout == fold.match.layout
        assert seen.match.scores == fold.match.scores
    assert seen.match.outcome == fold.match.outcome
    assert seen.match.prompt == fold.match.prompt


@pytest.mark.parametrize("game", ["dominion", "hoher_rat"])
def test_the_club_follows_a_match_in_which_the_program_deals_for_some(game: str) -> None:
    for _, match in beside(game, 2, (1,), seed=2):
        if match.ply == 300:
            break
    header = header_of(match)
    form = PublicForm(header, KEY, "circle", "north")
    seen = Spectated("m1", public_header(header, KEY))
    for event in events_of(match):
        told = form.event(event)
        form.take(event)
        seen.take(told["seq"], told["type"], told["body"])
    assert (seen.match.scores, seen.match.prompt) == (match.scores, match.prompt)
    assert "dealt" not in public_header(header, KEY)


def test_the_club_sees_the_faces_that_the_table_shows() -> None:
    header = Header(
        id="m", game="dolmengoetter", players=3, options={}, physical=True, seed="s",
        names=("Ada", "Ben", ""), enforcement="enforce", created_s=0.0, computers=("", "", "druid"),
    )  # fmt: skip
    wear({"Ada": "curls"})
    told, worn = public_header(header, KEY), faces_of(header.names, header.computers)
    wear({})
    assert worn[0] == "curls" and worn != faces_of(header.names, header.computers)
    seen = Spectated("m1", told).snapshot().public
    assert tuple(card.face for card in public_page(seen, "de").players) == worn


def test_neither_seed_nor_id_nor_hidden_cards_leave_the_table(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        match_id = play(journal, "dominion", 11, most=80)
        header, events = journal.header(match_id), journal.events(match_id)
    sent = everything_sent(header, events, "open")
    assert match_id.encode() not in sent
    assert b"seed" not in sent
    assert b"dealer draw p0 ?" in sent
    moves = [event.what.move.text for event in events if isinstance(event.what, MovePlayed)]
    hidden = [text for text in moves if text.startswith("dealer draw p1")]
    assert hidden and not [text for text in hidden if text.encode() in sent]


def test_the_name_of_a_match_needs_the_tables_key() -> None:
    assert match_key("3f9c0a51d2e7", KEY) != match_key("3f9c0a51d2e7", b"another")
    assert match_key("3f9c0a51d2e7", KEY) != match_key("3f9c0a51d2e7", KEY, 2)


def test_what_a_tip_advised_never_leaves_the_table(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        match_id = play(journal, "dominion", 11, most=40)
        tip = TipGiven(0, Move.parse("p0 buy province"), "best_chances", Move.parse("p0 buy gold"))
        journal.append(match_id, tip, src=Source.COMPUTER)
        header, events = journal.header(match_id), journal.events(match_id)
    sent = everything_sent(header, events, "open")
    assert b'"tip"' in sent
    for secret in (b"province", b"p0 buy gold", b"best_chances"):
        assert secret not in sent.split(b'"tip"', 1)[1]
    form = PublicForm(header, KEY, "circle", "north")
    seen = Spectated("m1", public_header(header, KEY))
    for event in events:
        told = form.event(event)
        form.take(event)
        seen.take(told["seq"], told["type"], told["body"])
    assert seen.match.layout == replay(header, events).match.layout


def test_who_wins_rises_and_who_is_surely_stronger_rises_less() -> None:
    after_one = rate([[["Ada"], ["Ben"]]])
    assert after_one["Ada"].value > 1500 > after_one["Ben"].value
    assert after_one["Ada"].doubt < 300
    expected = rate([[["Ada"], ["Ben"]]] * 20)
    again = rate([[["Ada"], ["Ben"]]] * 21)
    surprise = rate([[["Ada"], ["Ben"]]] * 20 + [[["Ben"], ["Ada"]]])
    rise = again["Ada"].value - expected["Ada"].value
    assert 0 < rise < expected["Ada"].value - surprise["Ada"].value


def test_matches_of_several_are_rated_by_place_and_shared_places_are_equal() -> None:
    rated = rate([[["Ada"], ["Ben", "Cleo"], ["Dan"]]])
    assert rated["Ada"].value > rated["Ben"].value > rated["Dan"].value
    assert rated["Ben"].value == pytest.approx(rated["Cleo"].value)


def test_a_match_alone_or_against_oneself_rates_nobody() -> None:
    assert rate([[["Ada"]], [["Ada"], ["Ada"]], []]) == {}
