"""Every byte that a broker gets is the same in all worlds that the people at the table cannot tell
apart."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.house.messages import published
from companion.journal.events import Source
from companion.match.events import Agreed, Over, Refused
from companion.web.snapshot import Snapshot
from rules.core import Actor
from rules.games import find_game
from rules.telling import LANGUAGES
from tests.support.leaks import HIDDEN, look_for_leaks, recorded, thinkable


def sent_to_brokers(snapshot: Snapshot, seat: int | None) -> bytes:
    """State, discovery and events after the last move, and while a move is refused."""
    events: list[Any] = [Agreed(snapshot.told[-1:], Source.TOUCH, ())] if snapshot.told else []
    if snapshot.match.outcome is not None:
        events.append(Over(snapshot.match.outcome))
    sent = [published([(snapshot.view, events)], lang) for lang in LANGUAGES]
    prompt = snapshot.match.prompt
    if prompt is not None and prompt.actor is Actor.PLAYER and prompt.player is not None:
        chance = Random(snapshot.match.ply)
        calm = published([(snapshot.view, ())])
        for move in thinkable(snapshot, prompt.player, chance)[:4]:
            tried = recorded(snapshot.header, snapshot.match, move).view
            told = published([(tried, [Refused(tried.objections, ())] if tried.objections else [])])
            if told != calm:
                # Where it is allowed it is played, and then everybody sees it.
                sent.append(move.text.encode() + told)
    return b"\n".join(sent)


@pytest.mark.parametrize("physical", [False, True], ids=["dealt", "with-pieces"])
@pytest.mark.parametrize("game", HIDDEN)
def test_no_broker_learns_what_only_one_player_may_know(
    game: str, physical: bool, thorough: bool
) -> None:
    players = find_game(game).players
    for seed in range(20 if thorough else 2):
        found = look_for_leaks(
            game, players[seed % len(players)], seed, sent_to_brokers, physical=physical
        )
        assert found.leaks == []
