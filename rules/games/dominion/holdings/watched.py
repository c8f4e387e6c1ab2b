"""One player's real cards: what the table has seen, and how many lie where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rules.core import Json, StateError
from rules.games.dominion.components import CARDS
from rules.games.dominion.holdings.holdings import Holdings
from rules.hidden import UNSEEN, Certainty, Zones

HANDS_LISTED = 1000
"""Maximum number of possible hands listed where a whole hidden hand must be shown (DO27)."""

_KNOWN = frozenset(CARDS)


class WatchedCards(Holdings):
    """Cards that only their owner sees, in the zones where they may be."""

    __slots__ = ("zones",)

    dealt = False

    def __init__(self) -> None:
        super().__init__()
        self.zones = Zones()
        """``hand``, ``draw`` and ``discard`` pile, and ``drawn``, the card looked at."""

    def begin_with(self, cards: Mapping[str, int]) -> None:
        super().begin_with(cards)
        self.zones.fill("draw", cards)

    def hand_size(self) -> int:
        return self.zones.size("hand") + self.zones.size("drawn")

    def draw_size(self) -> int:
        return self.zones.size("draw")

    def discard_size(self) -> int:
        return self.zones.size("discard")

    def ready(self) -> bool:
        if self.zones.size("draw"):
            return True
        if not self.zones.size("discard"):
            return False
        self.zones.shuffle(["discard"], "draw")
        self.shuffled, self.face = self.face, ""
        return True

    def top(self) -> str:
        return self.zones.top("draw") or ""

    def draws(self) -> Mapping[str, int]:
        return self.zones.draws("draw")

    def _lift(self, card: str, target: str) -> bool:
        zones = self.zones
        top = zones.top("draw")
        if not zones.size("draw") or (top is not None and card != top):
            return False
        if card == UNSEEN:
            zones.draw("draw", target, None)
            return True
        if zones.certainty("draw", card) is Certainty.IMPOSSIBLE:
            return False
        zones.draw("draw", target, card)
        return True

    def draw(self, card: str) -> bool:
        return self._lift(card, "hand")

    def look(self, card: str) -> bool:
        return self._lift(card, "drawn")

    def reveal(self, card: str) -> bool:
        if card == UNSEEN or not self._lift(card, "aside"):
            return False
        # Open cards are kept in lists; only hidden ones need a zone.
        self.zones.discard("aside", card)
        self.aside.append(card)
        return True

    def turn_over(self) -> None:
        known_top = self.zones.top("draw") if self.zones.size("draw") == 1 else None
        while self.zones.size("draw"):
            self.zones.draw("draw", "discard", None)
        self.face = known_top or ""

    def kinds(self) -> Collection[str]:
        return self.zones.playable("hand")

    def may_hold(self, card: str) -> bool:
        return self.zones.certainty("hand", card) is not Certainty.IMPOSSIBLE

    def surely_holds(self, cards: Collection[str]) -> bool:
        zones = self.zones
        if any(zones.certainty("hand", card) is Certainty.SURE for card in cards):
            return True
        # More unknown cards than there are others: one of these must be among them.
        others = sum(n for card, n in zones.unseen("hand").items() if card not in cards)
        return zones.unknown("hand") > others

    def take(self, card: str) -> bool:
        if not self.may_hold(card):
            return False
        self.zones.discard("hand", card)
        return True

    def discard_unseen(self) -> bool:
        if not self.zones.size("hand"):
            return False
        self.zones.move("hand", "discard", None)
        return True

    def show(self, card: str) -> None:
        if self.may_hold(card) and not self.zones.known("hand")[card]:
            self.zones.reveal("hand", card)

    def may_be_hand(self, cards: list[str]) -> bool:
        return self._bound(cards) is not None

    def show_hand(self, cards: list[str]) -> None:
        bound = self._bound(cards)
        if bound is not None:
            self.zones = bound

    def _bound(self, cards: list[str]) -> Zones | None:
        """The zones if exactly these are the hand; None if that cannot be."""
        known = self.zones.known("hand")
        counts = Counter(cards)
        if len(cards) != self.zones.size("hand") or known - counts:
            return None
        zones = self.zones.clone()
        for card in (counts - known).elements():
            if zones.unseen("hand")[card] < 1:
                return None
            zones.reveal("hand", card)
        return zones

    def hands_without(self, cards: Collection[str]) -> list[list[str]]:
        known = self.zones.known("hand")
        if any(card in cards for card in known):
            return []
        pool = {c: n for c, n in self.zones.unseen("hand").items() if c not in cards and n > 0}
        found: list[list[str]] = []
        for rest in _choices(sorted(pool.items()), self.zones.unknown("hand")):
            hand = [*known.elements(), *rest]
            if self.may_be_hand(hand):
                found.append(hand)
                if len(found) == HANDS_LISTED:
                    break
        return found

    def looked_at(self) -> Collection[str]:
        return self.zones.playable("drawn")

    def keep(self) -> None:
        if self.zones.size("drawn"):
            known = next(iter(self.zones.known("drawn")), None)
            self.zones.move("drawn", "hand", known)

    def set_aside(self, card: str) -> bool:
        if self.zones.certainty("drawn", card) is Certainty.IMPOSSIBLE:
            return False
        self.zones.discard("drawn", card)
        self.aside.append(card)
        return True

    def to_hand(self, card: str) -> None:
        self.zones.put("hand", [card])

    def to_top(self, card: str) -> None:
        self.zones.put("aside", [card])
        self.zones.place_on_top("aside", "draw", card)

    def to_discard(self, card: str) -> None:
        self.zones.put("discard", [card])
        self.shuffled, self.face = "", card

    def clean_up(self) -> None:
        zones = self.zones
        self.shuffled = ""
        if zones.size("hand"):
            self.face = ""
            for card in list(zones.known("hand").elements()):
                zones.move("hand", "discard", card)
            for _ in range(zones.unknown("hand")):
                zones.move("hand", "discard", None)
        for pile in (self.aside, self.play):
            if pile:
                zones.put("discard", pile)
                self.face = pile[-1]
                pile.clear()

    def whereabouts(self, card: str) -> list[str]:
        places = ["play"] if card in self.play else []
        for zone in ("draw", "discard"):
            if self.zones.certainty(zone, card) is not Certainty.IMPOSSIBLE:
                places.append(zone)
        return places

    def everything(self) -> Counter[str]:
        found = self.zones.count_all()
        found.update(self.play)
        found.update(self.aside)
        return +found

    def problems(self) -> list[str]:
        return self.zones.invariants()

    def clone(self) -> WatchedCards:
        other = WatchedCards.__new__(WatchedCards)
        self._clone_open(other)
        other.zones = self.zones.clone()
        return other

    def to_json(self) -> dict[str, Any]:
        return {"zones": self.zones.to_json(), **self._open_json()}

    @classmethod
    def from_json(cls, data: Json) -> WatchedCards:
        """Read ``to_json()`` back; raises StateError, KeyError or TypeError."""
        new = cls()
        new._read_open(data)
        new.zones = Zones.from_json(data["zones"])
        new.owned = dict(new.everything())
        if unknown := set(new.owned) - _KNOWN:
            raise StateError("unfit", key="card", found=min(unknown))
        return new


def _choices(pool: list[tuple[str, int]], number: int) -> Iterator[list[str]]:
    """Every choice of ``number`` cards from a pool of kinds and their counts."""
    if number == 0:
        yield []
        return
    if not pool:
        return
    (card, most), rest = pool[0], pool[1:]
    for taken in range(min(most, number), -1, -1):
        for more in _choices(rest, number - taken):
            yield [card] * taken + more
