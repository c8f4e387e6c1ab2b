"""The last turn in one line: what was played, and what for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest

from companion.journal.fold import Fold
from companion.match.public_log import last_turn, turn_of
from companion.match.view import LastTurn, TableView, still_view
from companion.presentation.words.sentences import turn_lines
from rules.box import load_box
from rules.core import Move
from rules.games import find_game, game_ids
from rules.telling import Teller
from rules.texts import LANGUAGES
from tests.support.sweep import some
from tests.support.table_setup import header

NAMES = ("Anna", "Ben", "Clara")


def fold_of(
    game: str, players: int, options: Mapping[str, str] | None = None, *, physical: bool = False
) -> Fold:
    """A match that nothing was played of yet."""
    chosen = find_game(game).complete_options(players, options or {})
    about = replace(
        header("m1"), game=game, players=players, options=chosen, physical=physical,
        names=NAMES[:players],
    )  # fmt: skip
    return Fold(about)


def teller_of(fold: Fold, lang: str) -> Teller:
    return Teller(fold.match.game, lang, fold.match.colours, NAMES[: fold.match.players])


def seen(fold: Fold) -> TableView:
    return still_view(fold.header, fold.match, turn_of(fold), None, last_turn=last_turn(fold))


def line(fold: Fold, lang: str = "en") -> str:
    return next(iter(turn_lines(seen(fold), teller_of(fold, lang))), "")


def entered(moves: Sequence[str]) -> Fold:
    """A ledger of Dominion with these moves."""
    fold = fold_of("dominion", 2, {"record": "ledger", "last_winners": "p1"})
    for move in moves:
        fold.play(Move.parse(move))
    return fold


def played_at_random(game: str, *, physical: bool, plies: int, seed: int) -> Iterator[Fold]:
    """A match with random moves, after each of them."""
    players = next(n for n in (3, 2) if n in find_game(game).players)
    fold, lot = fold_of(game, players, physical=physical), Random(seed)
    match = fold.match
    while match.outcome is None and match.ply < plies:
        move = None if physical else match.next_chance()
        fold.play(move or match.state.choose(match.legal_moves(), lot))
        yield fold


def test_a_turn_of_dominion_says_what_was_played_and_what_for() -> None:
    turn = LastTurn(
        0,
        tuple(
            Move.parse(f"p0 {move}") for move in ("play smithy", *["play silver"] * 3, "buy gold")
        ),
        over=True,
    )
    fold = fold_of("dominion", 2)
    view = replace(seen(fold), last_turn=turn)
    said = {lang: turn_lines(view, teller_of(fold, lang))[0] for lang in LANGUAGES}
    assert said["en"] == "Anna: Smithy, 3\u00a0Silver → Gold"
    assert said["de"] == "Anna: Schmiede, 3\u00a0Silber → Gold"


def test_a_turn_that_bought_nothing_says_so() -> None:
    assert line(entered(["p0 done"])) == "Anna: nothing"
    assert line(entered(["p0 gain silver", "p0 done", "p1 done"])) == "Ben: nothing"


def test_a_turn_is_told_until_the_next_player_has_acted() -> None:
    fold = entered(["p0 gain silver", "p0 done"])
    assert line(fold) == "Anna: Silver"
    fold.play(Move.parse("p1 gain copper"))
    assert line(fold) == "Ben: Copper"


def test_somebody_elses_card_is_told_with_their_name() -> None:
    assert line(entered(["p0 gain market", "p0 gain p1 curse"])) == "Anna: Market, Ben: Curse"


def test_alone_every_decision_is_a_turn_and_its_result_belongs_to_it() -> None:
    fold = fold_of("rollende_steine", 1, physical=True)
    for move in ("p0 roll", "table miss"):
        fold.play(Move.parse(move))
    assert line(fold) == "Anna: rolls → missed"
    for move in ("p0 cushion", "table score G1"):
        fold.play(Move.parse(move))
    assert line(fold) == "Anna: cushion → through gate 1"


def test_equal_beginnings_are_said_once() -> None:
    fold = fold_of("knizia_stonehenge", 2)
    moves = tuple(Move.parse(f"p0 {move}") for move in ("place 3 G", "claim H5", "claim R2"))
    view = replace(seen(fold), last_turn=LastTurn(0, moves, over=True))
    assert turn_lines(view, teller_of(fold, "en"))[0] == "Anna: 3 on G → line H5, R2"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", some(game_ids()))
def test_every_turn_of_every_game_is_told_and_short_enough_in_the_end(game: str, lang: str) -> None:
    told: set[str] = set()
    for physical in (False, True):
        for fold in played_at_random(game, physical=physical, plies=120, seed=2):
            turn = last_turn(fold)
            if turn is None:
                continue
            lines = turn_lines(seen(fold), teller_of(fold, lang))
            assert lines and lines[0].startswith(tuple(NAMES)), turn
            assert len(lines[-1]) <= 46, lines
            told.update(lines)
    assert len(told) > 10


@pytest.mark.parametrize("game", ["dolmengoetter", "trilithen_knallen"])
def test_no_turn_names_a_place_that_has_no_printed_name(game: str) -> None:
    sites = {site.id for site in load_box(find_game(game).box).for_game(game).sites.values()}
    unnamed = {s for s in sites if re.fullmatch("[A-Z][0-9]+", s) and not s.startswith("K")}
    for fold in played_at_random(game, physical=False, plies=120, seed=1):
        if last_turn(fold) is not None:
            assert not unnamed & set(re.findall(r"\w+", line(fold)))


def test_a_game_without_words_for_turns_tells_its_last_move() -> None:
    fold = fold_of("knizia_stonehenge", 2)
    moves = (Move.parse("p0 place 3 G"), Move.parse("p0 done"))
    view = replace(seen(fold), last_turn=LastTurn(0, moves, over=True))
    teller = teller_of(fold, "en")
    teller._own = {key: part for key, part in teller._own.items() if key != "turn"}
    assert turn_lines(view, teller) == ("Anna puts the 3 on G",)
