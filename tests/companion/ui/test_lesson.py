"""The first steps of a game, touched through by somebody who also touches something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.match.view import PlayMove
from companion.presentation.touching import touched
from rules.games import game_ids
from tests.companion.ui.conftest import Opened
from tests.support.sweep import widely
from tests.support.ui_harness import GAME, PLACES, badly_set, need_screen, texts, tick

need_screen()

from companion.presentation.boxes import game_box  # noqa: E402
from companion.ui.screens.lesson import LessonScreen  # noqa: E402
from companion.ui.screens.seats.screen import SeatsScreen  # noqa: E402
from companion.ui.screens.start import BoxFront  # noqa: E402
from companion.ui.theme.style import style  # noqa: E402
from tests.support.at_the_screen import Player  # noqa: E402
from tests.support.guided import Guided  # noqa: E402
from tests.support.ui_harness import walk  # noqa: E402

MOST_TOUCHES = 8


class Pupil(Guided):
    """A finger on the table of a lesson."""

    def take_step(self) -> None:
        """Touch what the step means."""
        step = self.guide.steps.step
        self.touch_move(next(move for move in step.touch if move in self.view.legal))


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def pupil(request: pytest.FixtureRequest, place: Any, opened: Opened[Pupil]) -> Pupil:
    return opened(Pupil(LessonScreen, getattr(request, "param", GAME), *place))


def test_only_what_is_meant_glows_and_a_touch_elsewhere_says_so(pupil: Pupil) -> None:
    lesson, box = pupil.guide, game_box(GAME)
    assert pupil.screen.board.scene.targets == {"A"}
    pupil.touch_at(*pupil.screen.board.centre_of("R"))
    pupil.wait(lambda: lesson.astray, "it is said that this was not meant")
    assert pupil.word("lessons.not_there") in texts(lesson)
    assert lesson.steps.view.ply == pupil.view.ply == 4
    while (step := lesson.steps.step) is not None:
        meant = {site for move in step.touch for site in touched(move, pupil.view, box)}
        assert pupil.screen.board.scene.targets <= meant
        assert step.say[pupil.lang] in texts(lesson)
        pupil.take_step()
        assert not lesson.astray
    pupil.key_of_strip("lessons.next")
    tick(2)
    assert all(sentence in texts(lesson) for sentence in lesson.steps.lesson.win[pupil.lang])
    pupil.key_of_strip("lessons.play_now")
    assert pupil.left == ["play"]


@pytest.mark.parametrize("pupil", widely(game_ids(), most=2), indirect=True)
def test_every_lesson_is_touched_through_in_a_few_touches(pupil: Pupil) -> None:
    lesson = pupil.guide
    while True:
        assert pupil.faults() == []
        if lesson.steps.step is None:
            break
        if pupil.screen.result is not None and not pupil.screen.result.goes_on:
            pupil.put_away()
        else:
            pupil.take_step()
    assert 3 <= pupil.touches <= MOST_TOUCHES
    lesson.skip()
    assert pupil.faults() == []


@pytest.mark.parametrize("pupil", ["erbaut_stonehenge", "knizia_stonehenge"], indirect=True)
def test_a_lesson_has_room_for_the_largest_words(pupil: Pupil) -> None:
    """The games with most to say beside the board."""
    lesson = pupil.guide
    style.change(text="largest")
    while (step := lesson.steps.step) is not None:
        tick(3)
        assert badly_set(lesson) == []
        lesson.steps.post(PlayMove(step.touch[0]))


def test_from_the_cover_to_the_seats_without_a_trace(
    tmp_path: Path, opened: Opened[Player]
) -> None:
    player = opened(Player(tmp_path, (800, 480), "de"))
    player.press(player.word("screens.to_the_shelf"))
    front = next(w for w in walk(player.screen) if isinstance(w, BoxFront))
    player.touch(front.learn)
    player.wait(lambda: isinstance(player.screen, LessonScreen), "the lesson is shown")
    player.press(player.word("screens.skip"))
    player.press(player.word("lessons.play_now"))
    assert isinstance(player.screen, SeatsScreen)
    assert player.house.journal.matches() == []
