"""Words about phones at the table. Free of Kivy."""

from __future__ import annotations

from companion.presentation.phones import Phones, PhonesNow, SeatState
from companion.presentation.words.translate import _, language
from companion.words.errors import notice


def meaning() -> tuple[str, ...]:
    """Consequences of turning phones on, each in a sentence or two."""
    return (
        _("phones.every_player_scans_a_code"),
        _("phones.anybody_may_watch_on_a_phone"),
        _("phones.it_stays_in_this_network"),
    )  # fmt: skip


def trouble_text(code: str) -> str:
    """Sentence on a trouble, with what to do."""
    return notice(code).told(language())


def seat_line(now: PhonesNow, seat: int) -> str:
    """State of a seat, in a word or three."""
    one = now.seats[seat]
    if one.state is SeatState.WAITING:
        return _("screens.a_phone_asks")
    if one.renewed:
        return _("phones.changing_phones")
    return _("phones.phone_is_here") if one.state is SeatState.OPEN else _("phones.no_phone_yet")


def seat_text(now: PhonesNow, seat: int, name: str) -> str:
    """Instruction for a seat."""
    one = now.seats[seat]
    if one.state is SeatState.WAITING:
        return _("screens.a_phone_has_scanned_the_code").format(name=name)
    if one.renewed:
        return _("phones.for_the_other_phone")
    if one.state is SeatState.OPEN:
        return _("phones.what_only_name_may_see").format(name=name)
    return _("phones.only_name_scans_this_code").format(name=name)


def asks_title(name: str) -> str:
    """The question when a phone wants a seat."""
    return _("phones.is_this_the_phone_of_name").format(name=name)


def why_here(name: str) -> tuple[str, str]:
    """Title and text while a player decides on their phone."""
    return (
        _("phones.name_chooses_on_the_phone").format(name=name),
        _("phones.the_screen_stays_where_it_is").format(name=name),
    )


def page_for_phones(phones: Phones) -> tuple[str, str]:
    """Address of the page that every phone may open; if it is empty, the reason in two words."""
    now = phones.now
    if now.ready and now.address:
        return now.address, ""
    return "", _("ending.no_network") if now.on else _("ending.phones_are_off")
