"""Phones as the page on the screen shows them, without a server."""

from __future__ import annotations

from companion.match.view import TableView
from companion.presentation.phones import PhonesNow, SeatPhone, SeatState
from tests.support.phones import FakePhones

ADDRESS = "http://192.168.178.45:8750/"


def phones_screen(name: str, view: TableView, size: tuple[int, int]) -> object:
    """The page in the state that ``name`` stands for, with the match of ``view`` on the table."""
    from companion.ui.screens.phones_page import PhonesScreen

    states = (SeatState.OPEN, SeatState.WAITING, SeatState.FREE, SeatState.FREE, SeatState.FREE)
    seats = tuple(
        SeatPhone(state, link=f"{ADDRESS}hand#{seat}cKz9mTtv6Q3fXw0R8bNyg")
        if state is SeatState.FREE
        else SeatPhone(state)
        for seat, state in enumerate(states[: view.players])
    )
    on = PhonesNow(on=True, ready=True, address=ADDRESS, seats=seats, streams=2)
    chosen = {"phones-seat": 2, "phones-ask": 1, "phones-here": 0}.get(name)
    phones = FakePhones(on=False)
    phones.now = PhonesNow() if name == "phones-off" else on
    screen = PhonesScreen(phones, lambda: view, _leave, size_hint=(None, None), size=size)
    screen.choose(chosen)
    return screen


def _leave() -> None:
    """Nothing is behind the page."""


def phones_let_in() -> FakePhones:
    """Phones in the table's network may open its page."""
    phones = FakePhones(on=True)
    phones.now = PhonesNow(on=True, ready=True, address=ADDRESS)
    return phones
