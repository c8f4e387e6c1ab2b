"""The private view of one seat: its hand, hidden stones, values of dolmens, and its answers.

Nothing here knows a game. What a seat may see beyond the public is the difference between the two
views that a game offers (``State.view``), found value by value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rules.box import load_box
from rules.core import Actor, Json, Move
from rules.match import Match, answers_in_secret


@dataclass(frozen=True, slots=True)
class Hand:
    """The private view of one seat: what it may see and others may not."""

    seat: int
    things: tuple[tuple[str, int], ...] = ()
    """Cards or pieces in the hand, as the rules call them, and how many of each; sorted."""
    lying: tuple[tuple[str, str], ...] = ()
    """Site and thing for what lies face down on the board."""

    def __bool__(self) -> bool:
        return bool(self.things or self.lying)


def hand_of(match: Match, seat: int) -> Hand:
    """The part of ``match`` that ``seat`` may see and the public may not."""
    own = match.state.view(seat)
    public = match.state.view(None)
    sites = load_box(match.game.box).for_game(match.game.id).sites
    things: Counter[str] = Counter()
    lying: list[tuple[str, str]] = []
    for path, value in _differences(own, public, ()):
        site = next((key for key in reversed(path) if key in sites), None)
        found = _counted(value)
        if site is None:
            things.update(found)
        else:
            lying += [(site, thing) for thing in found.elements()]
    return Hand(seat, tuple(sorted(things.items(), key=_countable)), tuple(sorted(lying)))


def hands_of(match: Match, unseen: Collection[int]) -> tuple[Hand, ...]:
    """The hands of all seats, without those of the seats that are to stay ``unseen``."""
    seats = range(match.players)
    return tuple(Hand(seat) if seat in unseen else hand_of(match, seat) for seat in seats)


def keeps_secrets(match: Match) -> bool:
    """True if the moves of the player to move reveal what only they may know.

    Only where the program deals, and only where the game says that the answer comes from there
    (``Touch.private``). Real cards are secrets in the hands, and any card that was not seen yet may
    be played.
    """
    prompt = match.prompt
    if prompt is None or prompt.actor is not Actor.PLAYER or prompt.player is None:
        return False
    if match.physical and prompt.player not in match.dealt and not prompt.together:
        return False
    return answers_in_secret(match.game, match.state)


def _differences(
    own: Json, public: Json, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Differences of the two views: the path to each, and the value that the seat sees."""
    if own == public:
        return
    if isinstance(own, dict) and isinstance(public, dict):
        for key, value in own.items():
            if key not in public:
                # Bookkeeping that is left out for others is not a thing to look at.
                continue
            yield from _differences(value, public[key], (*path, str(key)))
    elif isinstance(own, list) and isinstance(public, list) and len(own) == len(public):
        for number, value in enumerate(own):
            yield from _differences(value, public[number], (*path, f"#{number}"))
    else:
        yield path, own


def _counted(value: Any) -> Counter[str]:
    if isinstance(value, dict):
        return Counter({str(kind): int(number) for kind, number in value.items() if number})
    if isinstance(value, list):
        return Counter(str(thing) for thing in value)
    return Counter([str(value)]) if value not in (None, "") else Counter()


def _countable(entry: tuple[str, int]) -> tuple[str, int]:
    letters = entry[0].rstrip("0123456789")
    digits = entry[0][len(letters) :]
    return letters, int(digits) if digits else -1


def answers_of(legal: Sequence[Move], match: Match, seat: int | None = None) -> tuple[Move, ...]:
    """The ``legal`` moves that ``seat`` may see, by default the one that is asked: of a
    question to several at once only its own answers."""
    prompt = match.prompt
    if prompt is None or not prompt.together:
        return tuple(legal)
    seat = prompt.player if seat is None else seat
    return tuple(move for move in legal if move.player == seat)


def places_of(match: Match, legal: Sequence[Move]) -> dict[Move, tuple[str, ...]]:
    """The sites that say those of ``legal`` that do not name them."""
    found = ((move, match.game.touch.places(match.state, move)) for move in legal)
    return {move: places for move, places in found if places}
