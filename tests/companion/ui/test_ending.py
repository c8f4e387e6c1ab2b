"""The end of a match on the screen: counted up, kept, and what leads on from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.journal.entries import JournalError
from companion.match.view import TableView
from companion.presentation.phones import PhonesNow
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.phones import FakePhones
from tests.support.ui_harness import (
    GAME,
    FakeTable,
    OnScreen,
    finish,
    key,
    labels,
    need_screen,
    tap_on,
    texts,
    tick,
    view_of,
    walk,
)


class Ended(OnScreen):
    """A match that was just played to its end, at a fake table."""

    def __init__(self, size: tuple[int, int], lang: str, *, moves: bool = False) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.play.screen import PlayScreen
        from companion.ui.shell import Ways
        from companion.ui.theme.style import style

        style.change(animations=moves)
        self.went: list[str] = []
        self.pictures: list[bytes] = []
        self.full = False
        self.phones: Any = FakePhones(on=False)
        ways = Ways(
            leave=self._to("shelf"), again=self._to("again"), keep=self._keep, phones=self.phones,
            open_phones=self._to("phones"), review=self._to("review"), export=self._to("export"),
        )  # fmt: skip
        self.table = FakeTable(finish(Match(GAME, 2)))
        self.put(PlayScreen(self.table.post, ways, now_s=lambda: 720.0, **self.room), 0)
        self.show(view_of(self.table.match))

    def show(self, view: TableView) -> None:
        self.screen.show(view, self.table.score_lines, self.table.score_history)
        tick(2)

    def _to(self, place: str) -> Any:
        return lambda *_: self.went.append(place)

    def _keep(self, match_id: str, picture: bytes) -> Path:
        path = Path("/exports") / f"{match_id}.png"
        if self.full:
            raise JournalError("export_unwritten", file=path, reason="no space left")
        self.pictures.append(picture)
        return path

    @property
    def ending(self) -> Any:
        return self.screen.ending

    def figures(self) -> list[str]:
        """All figures that can be seen."""
        found = [w for w in labels(self.screen) if w.text.lstrip("−").isdigit() and w.opacity]
        return [w.text for w in found]


@pytest.fixture
def counting(opened: Opened[Ended]) -> Ended:
    need_screen()
    return opened(Ended((800, 480), "en", moves=True))


@pytest.fixture
def ended(opened: Opened[Ended]) -> Ended:
    need_screen()
    return opened(Ended((800, 480), "en"))


def test_points_are_counted_up_row_by_row(counting: Ended) -> None:
    ending = counting.ending
    assert ending.counting and len(counting.figures()) < 8
    while not ending.counted:
        tick()
    seen = [len(counting.figures())]
    for row in (1, 2):
        ending.counted = row - 0.01
        while ending.counted < row:
            tick()
        seen.append(len(counting.figures()))
    assert seen == [4, 6, 8]
    while ending.counting:
        tick()
    assert set(counting.figures()) >= {str(points) for points in counting.table.match.scores}


def test_a_touch_ends_the_count_and_means_what_it_touches(counting: Ended) -> None:
    assert counting.ending.counting
    tap_on(key(counting.screen, "Rematch"))
    assert counting.went == ["again"]
    assert not counting.ending.counting
    assert len(counting.figures()) == 8


def test_a_newer_view_neither_ends_the_count_nor_begins_it_again(counting: Ended) -> None:
    ending = counting.ending
    counting.show(view_of(counting.table.match))
    assert counting.ending is ending and ending.counting
    counted = ending.counted
    # What looks different goes on where the count was.
    counting.show(view_of(counting.table.match, new_record=True))
    assert counting.ending is not ending and counting.ending.counting
    assert counting.ending.counted >= counted
    counting.ending.finish()
    counting.show(view_of(counting.table.match))
    assert not counting.ending.counting


def test_without_motion_all_points_stand_there_at_once(ended: Ended) -> None:
    assert not ended.ending.counting
    assert len(ended.figures()) == 8


def test_the_picture_that_is_kept_has_board_faces_names_and_points(ended: Ended) -> None:
    tap_on(key(ended.screen, "Keep picture"))
    tick(2)
    assert "“test.png” in the folder /exports." in texts(ended.screen)
    (picture,) = ended.pictures
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    high, wide = image.shape[:2]
    assert wide > 1000 and high > wide
    # A dark board on light paper, and something written below it.
    assert image[wide // 2, wide // 8 : -wide // 8].mean() < 120 < image[:20].mean()
    assert image[wide + 40 :, 60:-60].min() < 80
    # Faces are the only colours at the left of the names.
    faces = image[-250:-60, 64:130].astype(int)
    assert (faces.max(axis=2) - faces.min(axis=2)).max() > 100
    tap_on(key(ended.screen, "Take along"))
    assert ended.went == ["export"]


def test_a_picture_that_cannot_be_written_is_said_not_to_be_kept(ended: Ended) -> None:
    ended.full = True
    tap_on(key(ended.screen, "Keep picture"))
    assert "One moment" in texts(ended.screen)
    tick(2)
    said = texts(ended.screen)
    assert "The picture was not kept" in said and "no space left" in said
    assert key(ended.screen, "Keep picture"), "it may be tried again"


def test_the_key_to_a_phone_says_why_it_is_dim_and_leads_to_where_phones_are_let_in(
    ended: Ended,
) -> None:
    dim = key(ended.screen, "On a phone")
    assert dim.opacity < 1 and "Phones off" in texts(dim)
    tap_on(dim)
    assert ended.went == ["phones"]


def test_a_code_leads_a_phone_to_the_match(ended: Ended) -> None:
    from companion.ui.drawing.code import CodePicture

    ended.phones.now = PhonesNow(on=True, ready=True, address="http://192.168.1.5:8750/")
    ended.screen.phones_changed()
    tick(2)
    tap_on(key(ended.screen, "On a phone"))
    tick(2)
    assert [w for w in walk(ended.screen) if isinstance(w, CodePicture)]
    assert "192.168.1.5:8750" in texts(ended.screen)
    assert ended.phones.asked == ["lend True"], "the picture to keep is there, too"
    tap_on(key(ended.screen, "Go back"))
    tick(2)
    assert not [w for w in walk(ended.screen) if isinstance(w, CodePicture)]
    assert "What decided it" in texts(ended.screen)


@pytest.mark.parametrize(
    ("word", "place"), [("Rematch", "again"), ("Review", "review"), ("To the shelf", "shelf")]
)
def test_keys_lead_on(ended: Ended, word: str, place: str) -> None:
    tap_on(key(ended.screen, word))
    assert ended.went == [place]


def test_one_key_is_yellow_and_the_print_leads_to_the_board_and_back(ended: Ended) -> None:
    from companion.ui.widgets.base import Key

    keys = [w for w in walk(ended.screen) if isinstance(w, Key)]
    assert [k.text for k in keys if k.primary] == ["Rematch"] and len(keys) == 5
    assert ended.screen.board.parent is None
    tap_on(key(ended.screen, "Table"))
    tick(4)
    assert ended.ending is None and ended.screen.board.parent is not None
    assert key(ended.screen, "↺") and key(ended.screen, "☰")
    tap_on(key(ended.screen, "Ending"))
    tick(4)
    assert ended.ending is not None and not ended.ending.counting
