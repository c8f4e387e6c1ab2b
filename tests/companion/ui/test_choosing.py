"""Choosing by touch: tiles, and questions about a place."""

from __future__ import annotations

import random
from itertools import product
from typing import cast

import pytest

from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match import table_view
from companion.match.hands import answers_of
from companion.match.layout_diff import changes_of
from companion.match.record import MatchRecord
from companion.match.table_view import previews_of
from companion.match.view import TableState, TableView
from companion.presentation.boxes import box_of, game_box
from companion.presentation.choosing import Tile, needs_steps, sections
from companion.presentation.question import Question, question_of
from companion.presentation.touching import (
    Ask,
    Finger,
    Play,
    done_move,
    lying_sites,
    placeless,
    touched,
)
from companion.presentation.words.sentences import teller_of
from rules.box import Box
from rules.core import Actor, Move, State
from rules.games import find_game, game_ids
from rules.match import Match
from rules.reading.reading import Candidate
from tests.support.sweep import some
from tests.support.ui_harness import view_of


def tiles_of(moves: tuple[Move, ...], view: TableView, chosen: tuple[str, ...] = ()) -> list[Tile]:
    return [t for s in sections(moves, teller_of(view, "de"), chosen) for t in s.tiles]


@pytest.mark.parametrize(
    ("lang", "first"), [("de", ["Abenteurer", "Bibliothek", "Burggraben", "Bürokrat"]),
                        ("en", ["Adventurer", "Bureaucrat", "Cellar", "Chancellor"])],
)  # fmt: skip
def test_names_without_numbers_are_in_the_order_of_the_language(
    lang: str, first: list[str]
) -> None:
    match = Match("dominion", 2, {"kingdom": "choose"}, physical=False)
    view = view_of(match)
    # A name of two words stands among the others.
    (section,) = sections(view.legal, teller_of(view, lang))
    assert [tile.text for tile in section.tiles][:4] == first
    assert len(section.tiles) == len(view.legal)


def tiles_to(move: Move, moves: tuple[Move, ...], view: TableView) -> int:
    """Tiles to be touched until ``move`` is played; the test fails if none lead there."""
    chosen: tuple[str, ...] = ()
    for count in range(1, 8):
        tiles = [tile for tile in tiles_of(moves, view, chosen) if move in tile.moves]
        assert tiles, f"no tile leads on to {move} after {chosen}"
        tile = next((tile for tile in tiles if tile.move == move), tiles[0])
        if tile.move == move:
            return count
        chosen = tile.chosen
    raise AssertionError(f"{move} takes for ever")


def touches_for(move: Move, view: TableView, box: Box) -> int:
    """The fewest touches of the play screen that play a legal move."""
    if move == done_move(view):
        return 1
    found = [9]
    named = dict.fromkeys([*touched(move, view, box), *lying_sites(move, view, box)])
    for first in named:
        for second in (None, *named):
            found.append(_by_sites(move, view, box, [first] if second is None else [first, second]))
    found.append(_by_sites(move, view, box, list(named)))
    more = placeless(view, box)
    if move in more:
        on_board = any(touched(other, view, box) for other in view.legal)
        opened = 1 if on_board and not needs_steps(more) else 0
        found.append(opened + tiles_to(move, more, view))
    return min(found)


def _by_sites(move: Move, view: TableView, box: Box, touched: list[str]) -> int:
    finger = Finger()
    for count, site in enumerate(touched, 1):
        answer = finger.touch_site(view, box, site)
        if isinstance(answer, Play):
            return count if answer.move == move else 9
        if isinstance(answer, Ask) and move in answer.moves:
            return count + 1
    return 9


@pytest.mark.parametrize(("game", "physical"), some([*product(game_ids(), [False, True])], 4))
def test_everything_a_camera_cannot_see_takes_two_touches(game: str, physical: bool) -> None:
    """Combined cards that no list can hold take one touch each, and one that says: that is all."""
    rules, box = find_game(game), game_box(game)
    for seed, seats in ((1, rules.players[0]), (2, rules.players[-1])):
        chance = random.Random(seed)
        match = Match(game, seats, seed=seed, physical=physical)
        for _ in range(30):
            match.deal()
            if match.outcome is not None:
                break
            legal, view = match.legal_moves(), view_of(match)
            own = answers_of(legal, match)
            for move in chance.sample(own, min(4, len(own))):
                most = 2
                if needs_steps(placeless(view, box)) and "," in move.text:
                    most = 1 + sum(arg.count(",") + 1 for arg in move.args)
                elif len(touched(move, view, box)) > 1:
                    # Every place is touched, and once more if others could follow.
                    most = 1 + len(touched(move, view, box))
                touches = touches_for(move, view, box)
                assert touches <= most, f"{move}: {touches} touches of {len(legal)} moves"
            match.push(_next(match, legal, chance))


def _next(match: Match, legal: list[Move], chance: random.Random) -> Move:
    prompt, state = match.prompt, cast(State, match.state)
    assert prompt is not None
    if prompt.actor is Actor.PLAYER:
        return state.choose(legal, chance)
    return chance.choices(legal, weights=state.weights(legal))[0]


def test_moves_that_read_alike_stand_below_one_sentence_with_gaps() -> None:
    match = Match("opferroulette", 2, physical=True)
    view = view_of(match)
    moves = tuple(Move.parse(f"p0 {verb} {card}") for verb in ("roll", "roll-fall")
                  for card in ("d2", "d10", "n3"))  # fmt: skip
    teller = teller_of(view, "de")
    found = {s.title: [tile.text for tile in s.tiles] for s in sections(moves, teller)}
    assert found == {
        "Weiß rollt die Kugel mit …": ["Tag 2", "Tag 10", "Nacht 3"],
        "Weiß rollt die Kugel mit …, und sie fällt": ["Tag 2", "Tag 10", "Nacht 3"],
    }


def test_a_number_keeps_the_word_before_it() -> None:
    view = view_of(Match("trilithen_knallen", 2))
    moves = tuple(Move.parse(f"p0 place white d{a} {b}") for a, b in ((4, 5), (4, 3), (20, 19)))
    (section,) = sections(moves, teller_of(view, "de"))
    assert [tile.text for tile in section.tiles] == [
        "Tag 4 · Feld 3", "Tag 4 · Feld 5", "Tag 20 · Feld 19",
    ]  # fmt: skip


def test_a_tile_plays_exactly_its_move_and_every_move_has_one() -> None:
    view = view_of(Match("dominion", 3))
    moves = tuple(Move.parse(f"p0 buy {card}") for card in ("cellar", "market", "moat"))
    tiles = tiles_of(moves, view)
    assert {tile.move for tile in tiles} == set(moves)
    assert len({tile.text for tile in tiles}) == len(moves)


def test_combinations_too_many_for_a_list_are_chosen_card_by_card() -> None:
    view = view_of(Match("hoher_rat", 4, physical=True))
    pairs = [f"d{a},d{b}" for a in range(1, 15) for b in range(a + 1, 16)]
    moves = tuple(Move.parse(f"p0 discuss {cards}") for cards in [*pairs, "d1,d2,d3"])
    assert needs_steps(moves)
    first = next(tile for tile in tiles_of(moves, view) if tile.text == "Tag 1")
    assert first.move is None
    second = next(t for t in tiles_of(moves, view, first.chosen) if t.text == "Tag 2")
    assert second.move is None, "a third card may follow"
    then = tiles_of(moves, view, second.chosen)
    assert [tile.move for tile in then] == [
        Move.parse("p0 discuss d1,d2"), Move.parse("p0 discuss d1,d2,d3"),
    ]  # fmt: skip
    alone = next(t for t in tiles_of(moves, view, first.chosen) if t.text == "Tag 9")
    assert alone.move == Move.parse("p0 discuss d1,d9")


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
