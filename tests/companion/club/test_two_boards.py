"""Two boards with cameras play one match over a real broker: what one table does is set at the
other, and its camera says that it lies there. Whole matches: ``tests/endurance/two_tables.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.journal.events import Source
from tests.support.club import Servers
from tests.support.two_boards import BoardThere, TwoBoards


@pytest.mark.parametrize(("game", "players", "most"), [
    ("knizia_stonehenge", 2, 2),
    pytest.param("dolmengoetter", 3, 9, marks=pytest.mark.thorough),
])  # fmt: skip
def test_what_is_set_at_one_board_is_set_at_the_other_and_seen_there(
    club: Servers, tmp_path: Path, game: str, players: int, most: int
) -> None:
    first, second = club.make(["first", "second"])
    here = tuple(range(0, players, 2))
    there = tuple(range(1, players, 2))
    one = BoardThere(game, tmp_path / "first", first, "second", here, players)
    other = BoardThere(game, tmp_path / "second", second, "first", there, players)
    try:
        match = TwoBoards(one, other, seed=3)
        match.play(most)
        assert match.set_by_hand >= most // 2
        for board in (one, other):
            played = board.journal_match()
            assert [e.move for e in played.log] == [e.move for e in match.sides[0].truth.log]
            sources = {event.src for event in board.house.journal.events(board.view.match_id)}
            assert Source.CAMERA in sources and Source.ELSEWHERE in sources
            assert match.sides[0].tally.wrong == match.sides[1].tally.wrong == 0
    finally:
        one.close()
        other.close()
