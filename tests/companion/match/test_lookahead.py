"""Questions of a screen about moves that were not made."""

from __future__ import annotations

import pytest

from companion.match.lookahead import MoveLookahead
from rules.match import Match


def test_what_is_asked_again_each_time_a_screen_is_built_is_found_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match("hoher_rat", 2, seed=1)
    match.deal()
    ahead, tried = MoveLookahead(match), 0
    pseudo_moves = type(match.state).pseudo_moves

    def counting(state: object) -> object:
        nonlocal tried
        tried += 1
        return pseudo_moves(state)

    monkeypatch.setattr(type(match.state), "pseudo_moves", counting)
    found = {ahead.nearest("persuade") for _ in range(5)}
    assert len(found) == 1 and tried == 1
    assert ahead.nearest("seat") != ahead.nearest("persuade")
