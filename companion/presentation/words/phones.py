"""What screens say about phones at the table. Free of Kivy."""

from __future__ import annotations

from companion.presentation.phones import PhonesNow, SeatState
from companion.presentation.words.translate import _, language
from companion.words.errors import notice

__all__ = ["asks_title", "meaning", "seat_line", "seat_text", "trouble_text", "why_here"]


def meaning() -> tuple[str, ...]:
    """What it means to turn phones on, each in a sentence or two."""
    return (
        _("Every player scans a code at their seat. Then their cards are on their own phone, for "
          "their eyes only, and the screen is no longer handed round."),
        _("Anybody may watch on a phone: the board, the points, and every move in words."),
        _("It stays in this network; nothing goes to the internet. But whoever listens in on this "
          "Wi-Fi can read along. Turn it on in a network you trust."),
    )  # fmt: skip


def trouble_text(code: str) -> str:
    """What is wrong, and what to do."""
    return notice(code).told(language())


def seat_line(now: PhonesNow, seat: int) -> str:
    """How a seat stands, in a word or three."""
    one = now.seats[seat]
    if one.state is SeatState.WAITING:
        return _("A phone asks")
    if one.renewed:
        return _("Changing phones")
    return _("Phone is here") if one.state is SeatState.OPEN else _("No phone yet")


def seat_text(now: PhonesNow, seat: int, name: str) -> str:
    """What to do at a seat."""
    one = now.seats[seat]
    if one.state is SeatState.WAITING:
        return _("A phone has scanned the code. Let it in only if {name} holds it.").format(
            name=name
        )
    if one.renewed:
        return _("For the other phone. The one that is here stays until then.")
    if one.state is SeatState.OPEN:
        return _("What only {name} may see is on this phone now.").format(name=name)
    return _("Only {name} scans this code.").format(name=name)


def asks_title(name: str) -> str:
    """The question when a phone wants a seat."""
    return _("Is this the phone of {name}?").format(name=name)


def why_here(name: str) -> tuple[str, str]:
    """Title and text while somebody decides on their phone."""
    return (
        _("{name} chooses on the phone").format(name=name),
        _("The screen stays where it is. It goes on as soon as {name} has chosen.").format(
            name=name
        ),
    )
