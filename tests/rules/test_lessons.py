"""Lessons: what an author must hear of, before a child does."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import lesson as lessons
from rules.games import game_ids
from rules.lesson import LessonError, has_lesson, lesson_of
from rules.testing.lesson import lesson_problems

STEP = 'touch = ["p0 place 6 A"]\n[steps.say]\nde = "Da."\nen = "There."\n'
WIN = '[win]\nde = ["a", "b", "c"]\nen = ["a", "b", "c"]\n'


@pytest.mark.parametrize("game", game_ids())
def test_every_game_has_a_lesson_and_every_way_through_it_holds(game: str) -> None:
    assert has_lesson(game)
    assert lesson_problems(game) == []


@pytest.mark.parametrize(
    "text, problem",
    [
        ("players = 2\n[[steps]]\n" + STEP + WIN, "has 1 steps"),
        ("players = 2\n[[steps]]\n" + STEP.replace("6 A", "9 A") + WIN, "nothing of it is legal"),
        ("players = 2\n[[steps]]\n" + STEP.replace('en = "There."\n', "") + WIN, "languages"),
        ("players = 2\nsteep = 1\n[[steps]]\n" + STEP + WIN, "steep"),
        ("players = 2\n[[steps]]\n" + STEP + WIN.replace(', "c"', ""), "3 sentences"),
    ],
)
def test_what_does_not_fit_a_lesson_is_said(
    text: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lesson.toml"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(lessons, "_file_of", lambda _game: file)
    lesson_of.cache_clear()
    try:
        assert any(problem in told for told in lesson_problems("knizia_stonehenge"))
    finally:
        lesson_of.cache_clear()


def test_a_game_without_a_file_has_no_lesson() -> None:
    assert not has_lesson("knizia_stonehenge@own")
    with pytest.raises(LessonError):
        lesson_of.__wrapped__("nonsense")
