"""Reasons for moves in the games of the anthology can be told, and give away nothing hidden."""

from __future__ import annotations

from random import Random

import pytest

from rules.core import Actor
from rules.match import Match
from rules.players import SeatView
from rules.players.analysis_result import told_reason
from rules.players.craft import craft_of
from rules.telling import Teller
from rules.testing.playout import pick

GAMES = {"erbaut_stonehenge": 3, "opferroulette": 3, "rollende_steine": 2}


@pytest.mark.parametrize("game", GAMES)
def test_reasons_are_told_and_are_the_same_whatever_is_hidden(game: str) -> None:
    new = Match(game, GAMES[game])
    tellers = [Teller(new.game, lang, new.colours) for lang in ("de", "en")]
    random, codes = Random(game), set()
    for seed in range(3):
        match = Match(game, GAMES[game], seed=seed)
        craft = craft_of(match.game)
        for number in range(10_000):
            prompt = match.prompt
            if prompt is None:
                break
            if match.deal():
                continue
            moves = match.legal_moves()
            if prompt.actor is Actor.PLAYER and number % 3 == 0 and prompt.player is not None:
                view = SeatView.of(match, prompt.player)
                deal = craft.states(view)
                first, second = deal(random), deal(random)
                for move in random.sample(moves, min(4, len(moves))):
                    why = craft.reason(view, first, move)
                    assert why == craft.reason(view, second, move), move
                    if why is not None:
                        codes.add(why.code)
                        for teller in tellers:
                            assert "{" not in told_reason(why, teller)
            match.push(pick(match.state, moves, random))
    assert codes <= set(craft_of(match.game).reasons)
    assert len(codes) >= 6, sorted(codes)
