"""What a table told is enough to see the match as everybody at the table sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.club.public_events import PublicForm, match_key, public_header
from companion.club.watching import Spectated
from companion.journal.events import MovePlayed, Source, TipGiven
from companion.journal.fold import replay
from companion.journal.store import Journal
from rules.core import Move
from tests.support.beside import beside
from tests.support.club import GAMES, play
from tests.support.leaks import events_of, everything_sent, header_of

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
