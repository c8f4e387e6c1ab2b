"""The picture of two tables that play one match: an invitation on the screen of one table, and a
move of the other that is to be set."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import cv2
import numpy as np

from companion.journal.entries import Header, Together
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.messages import RemoteSync, Seen
from companion.match.state import Heard
from companion.match.table import Table
from companion.match.view import PlayMove
from companion.presentation.remote_table import Invitation, TogetherNow
from companion.settings.manners import Manners
from companion.settings.people import MatchSetup
from companion.ui.offscreen import open_still_window, tick
from docs.gallery.contact_sheet import Picture, photographed
from docs.gallery.still_screen import still_screen
from rules.box import load_box
from rules.core import Move
from rules.testing.pictures import draw

TWO_TABLES_PICTURE = ("two-tables.png",)

SIZE = (1280, 800)
NAMES = ("Anna", "Jörg")
MOVES = ("p0 place 3 G", "p1 place 5 H", "p0 place 4 M")


class _Shown:
    """Tables that stay as they are."""

    def __init__(self, now: TogetherNow) -> None:
        self.own_name, self.now = "north", now

    def __getattr__(self, _name: str) -> object:
        return lambda *_: True


def _table(here: int) -> Table:
    journal = Journal(":memory:")
    header = Header(
        id=f"{here}", game="knizia_stonehenge", players=2, options={}, physical=True, seed="",
        names=NAMES, enforcement="enforce", created_s=0.0,
        together=Together("0" * 24, "south", (here,), hosting=not here),
    )  # fmt: skip
    journal.create(header)
    return Table(journal, header, Manners())


def _to_set() -> Table:
    """A table whose board still lacks the last move of the other."""
    here, there = _table(1), _table(0)
    box = load_box("knizia_stonehenge").for_game("knizia_stonehenge")
    lies = here.match.layout
    for number, text in enumerate(MOVES):
        mover, other = (there, here) if number % 2 == 0 else (here, there)
        lies = here.match.layout
        mover.handle(PlayMove(Move.parse(text)), number)
        since = len(other.record.told)
        told = RemoteSync(since, tuple(mover.record.told[since:]))
        other.handle(Seen(draw(box, other.match.layout), settled=True), number, Source.CAMERA)
        other.handle(told, number, Source.ELSEWHERE)
    here.handle(Seen(draw(box, lies), settled=True), len(MOVES), Source.CAMERA)
    return here


def two_tables_picture(_wanted: Collection[str]) -> Iterator[tuple[str, Picture]]:
    """Both screens side by side; skips where nothing can be drawn."""
    with still_screen():
        yield TWO_TABLES_PICTURE[0], _picture()


def _picture() -> Picture:
    window = open_still_window(SIZE, "en")
    # Only now: the window must be set up before anything else of Kivy is imported.
    from companion.ui.screens.play.screen import PlayScreen
    from companion.ui.screens.together import InvitationScreen

    plan = MatchSetup("knizia_stonehenge", 2, names=NAMES)
    invited = _Shown(TogetherNow(True, received=Invitation("0" * 24, "south", plan, (1,))))
    play = PlayScreen(lambda _intent: None, now_s=lambda: 720.0, size_hint=(None, None), size=SIZE)
    view = _to_set().view()
    assert view.other is not None and view.fixes
    play.show(replace(view, other=replace(view.other, heard=Heard.THERE)))
    invitation = InvitationScreen(
        invited,  # type: ignore[arg-type]
        lambda: None, lambda: None, size_hint=(None, None), size=SIZE,
    )  # fmt: skip
    pictures = []
    for screen in (invitation, play):
        window.add_widget(screen)
        tick()
        pictures.append(photographed(screen))
        window.remove_widget(screen)
    gap = np.full((SIZE[1], 24, 3), 255, np.uint8)
    both = np.hstack([pictures[0], gap, pictures[1]])
    small = cv2.resize(both, None, fx=0.46, fy=0.46, interpolation=cv2.INTER_AREA)
    return small.astype(np.uint8)
