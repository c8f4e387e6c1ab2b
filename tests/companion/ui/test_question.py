"""A question about what was played: few answers, told and shown by what tells them apart."""

from __future__ import annotations

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match import table_view
from companion.match.layout_diff import changes_of
from companion.match.record import MatchRecord
from companion.match.table_view import previews_of
from companion.match.view import TableState
from companion.presentation.boxes import box_of
from companion.presentation.question import Question, question_of
from companion.presentation.words.sentences import teller_of
from rules.core import Move
from rules.match import Match
from rules.reading.reading import Candidate
from tests.support.ui_harness import view_of


def asked(match: Match, *ways: str, lang: str = "de") -> Question:
    """The question between these moves, several of one answer joined by a slash."""
    candidates = tuple(
        Candidate(tuple(Move.parse(text) for text in way.split(" / "))) for way in ways
    )
    view = view_of(match, TableState.AMBIGUOUS, candidates=candidates)
    return question_of(view, teller_of(view, lang))


def knizia() -> Match:
    match = Match("knizia_stonehenge", 2, physical=True)
    for move in ("p0 place 2 C", "p0 done", "p1 place 5 A", "p1 done"):
        match.push(move)
    return match


def test_answers_in_different_places_show_their_part_of_the_board() -> None:
    question = asked(knizia(), "p0 place 3 D", "p0 place 3 R")
    assert question.title == "Schwarz legt die 3 auf …"
    assert [answer.words for answer in question.answers] == ["D", "R"]
    assert [answer.flag for answer in question.answers] == ["D", "R"]
    one, other = question.answers
    assert one.scene is not None and one.scene.asked == {"D"}
    assert {item.kind for item in one.scene.items if item.site == "D"} == {"stone black 3"}
    assert one.part is not None and one.part != other.part


def test_answers_that_differ_in_a_piece_only_show_it_large() -> None:
    question = asked(knizia(), "p0 place 3 D", "p0 place 4 D", "p0 place 5 D", lang="en")
    assert question.title == "Black puts … on D"
    assert [kind.id for answer in question.answers for kind in answer.pieces] == [
        "stone black 3", "stone black 4", "stone black 5",
    ]  # fmt: skip


def test_a_card_that_nobody_saw_is_shown_by_its_name() -> None:
    match = Match("opferroulette", 3, physical=True)
    match.deal()
    rolls = [m.text for m in match.legal_moves() if m.verb == "roll"][:2]
    while not rolls:
        match.push(match.legal_moves()[0])
        match.deal()
        rolls = [m.text for m in match.legal_moves() if m.verb == "roll"][:2]
    question = asked(match, *rolls)
    assert [[kind.id for kind in answer.pieces] for answer in question.answers] == [
        [f"card {text.split()[-1]}"] for text in rolls
    ]


def test_a_roll_that_leaves_no_trace_has_a_sign() -> None:
    match = Match("rollende_steine", 2, physical=True)
    question = asked(
        match, "p0 roll / table miss", "p0 roll / table score G1", "p0 roll / table short"
    )
    miss, gate, short = question.answers
    assert (miss.sign, short.sign) == ("✕", "↩")
    assert gate.scene is not None and gate.scene.asked == {"G1"}


def test_a_move_taken_back_is_previewed_too() -> None:
    match = knizia()
    before = tuple(sorted(match.layout.elements()))
    ways = (Candidate((), 2), Candidate((Move.parse("p0 place 3 D"),)))
    (back, _placed) = previews_of(match, ways)
    assert not any(item.site == "A" for item in back)
    assert tuple(sorted(match.layout.elements())) == before
    view = view_of(match, TableState.AMBIGUOUS, candidates=ways)
    assert [change.sites for change in changes_of(view, box_of(view))] == [("A",), ("D",)]


def test_no_more_than_four_answers_are_offered() -> None:
    ways = tuple(Candidate((Move.parse(f"p0 place 3 {site}"),)) for site in "BDFGHI")
    with Journal(":memory:") as journal:
        header = Header(
            id="1", game="knizia_stonehenge", players=2, physical=True, names=("", ""),
            options=Match("knizia_stonehenge", 2).options, seed="1", enforcement="enforce",
            created_s=0.0,
        )  # fmt: skip
        journal.create(header)
        record = MatchRecord(journal, header)
        shown = table_view.view_of(
            record, TableState.AMBIGUOUS, table_view.Question(candidates=ways),
            blind="", hold_s=0.0, notes=(), devices={},
        )  # fmt: skip
    assert shown.candidates == ways[:4] and len(shown.previews) == 4
