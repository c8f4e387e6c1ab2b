"""The position of one match of Trilithen Knallen: ring, structure points, cards, display."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Self

from rules.core import COLOURS as COLOURS_OPTION
from rules.core import Json, State
from rules.games.trilithen_knallen.components import (
    COLOURS,
    DAY_CARD,
    DIRECTIONS,
    DISPLAY,
    DISPLAY_CARD,
    HAND,
    HUES,
    NEXT,
    NOBODY,
    POINTS,
    RING,
    SPOTS,
    STEP,
    UNBOUND,
    display_of,
    front,
)
from rules.hidden import Deck

WAITING = -1
"""Place of a trilithon that waits beside the track."""
GONE = -2
"""Place of a trilithon that was destroyed, or has no player."""
FREE = -1
NO_SPOT = -1


class Phase(StrEnum):
    """The next decision."""

    BARS = "bars"
    DEAL = "deal"
    START = "start"
    PLACE = "place"
    RAM = "ram"
    FLIP = "flip"
    SHOW = "show"
    SWAP = "swap"
    PEEK = "peek"
    LOOK = "look"
    """The secret look of the rammed player."""
    DRAW = "draw"
    OVER = "over"


Reach = tuple[int, int, int, int]
"""A legal ram: colour, direction, colour of the target, free fields between."""


class TrilithenState(State):
    """Position of one match; lists are indexed by seat, colour, field or spot."""

    __slots__ = (
        "bars", "card", "changing", "deck", "direction", "life_bars", "lives", "loose",
        "moved_from", "needed", "own", "owners", "peeked", "phase", "physical", "place_of",
        "placed", "players", "points", "rammer", "rams", "right", "ring", "seen_by_all", "simple",
        "spot", "target", "turn", "turned_back", "up", "won",
    )  # fmt: skip
    unwritten: ClassVar = ("moved_from", "rams")

    def __init__(
        self,
        players: int,
        lives: int,
        changing: int,
        simple: bool,
        physical: bool,
        own: tuple[tuple[int, ...], ...],
    ) -> None:
        self.players, self.life_bars, self.changing = players, lives, changing
        self.simple, self.physical = simple, physical
        self.own = own
        """Colours of the trilithons of each seat; the first is the seat's."""
        self.owners = tuple(
            next((seat for seat, colours in enumerate(own) if colour in colours), NOBODY)
            for colour in range(HUES)
        )
        """Seat that owns each colour."""
        self.phase = Phase.BARS
        self.turn = 0
        """Seat whose turn it is, or the one the dealer serves in the set-up."""
        self.bars = [NOBODY] * RING
        """Colour of the bar below each number."""
        self.place_of = [WAITING if owner != NOBODY else GONE for owner in self.owners]
        """Place of each trilithon."""
        self.ring = [FREE] * RING
        """Colour of the trilithon that stands on each field."""
        self.points = [
            [POINTS if colour in colours else 0 for colour in range(HUES)] for colours in own
        ]
        """Structure points, by holder and colour; what is missing from ten is lost (TK9)."""
        self.lives = [lives] * players
        self.won = [[0] * players for _ in range(players)]
        """Bars won, by holder and the player who lost the life."""
        self.deck = Deck(DAY_CARD, players)
        """The day cards. Those laid in this turn are among the discards; the hands of players who
        are out are gone (TK27)."""
        self.deck.shuffle(physical)
        self.loose = display_of(simple, changing)
        """Display cards that are not bound to a spot."""
        spots = len(self.loose)
        self.card = [UNBOUND] * spots
        self.up = [False] * spots
        self.seen_by_all = [False] * spots
        """By spot: True if its card has been face up for all (TK36)."""
        self.peeked = [0] * spots
        """Bits of the seats that have looked at the card secretly."""
        self.turned_back: tuple[int, ...] = ()
        """Spots that were face up when the last turn ended; hands may still be turning them."""
        self.moved_from: tuple[int, ...] = ()
        """Place of each trilithon before the ram of the last turn moved any: hands may still be
        moving them. It is about the table and no part of the position that is stored."""
        self.placed: tuple[int, ...] = ()
        """Trilithons placed in this turn."""
        self.rams: tuple[Reach, ...] = ()
        """Rams that are legal with the trilithons placed in this turn."""
        self.rammer = self.target = NOBODY
        self.direction = 0
        self.needed: tuple[int, ...] = ()
        """Colours to be turned up in the announced ram, one for each field."""
        self.right = 0
        """Number of right cards that have been turned up in this ram."""
        self.spot = NO_SPOT
        """The spot whose card is being turned up, swapped or looked at."""

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.players, other.life_bars, other.changing = self.players, self.life_bars, self.changing
        other.simple, other.physical = self.simple, self.physical
        other.own, other.owners = self.own, self.owners
        other.phase, other.turn = self.phase, self.turn
        other.bars, other.place_of, other.ring = self.bars[:], self.place_of[:], self.ring[:]
        other.points = [row[:] for row in self.points]
        other.lives, other.won = self.lives[:], [row[:] for row in self.won]
        other.deck = self.deck.clone()
        other.loose, other.card, other.up = self.loose[:], self.card[:], self.up[:]
        other.seen_by_all, other.peeked = self.seen_by_all[:], self.peeked[:]
        other.turned_back, other.moved_from = self.turned_back, self.moved_from
        other.placed, other.rams = self.placed, self.rams
        other.rammer, other.target, other.direction = self.rammer, self.target, self.direction
        other.needed, other.right, other.spot = self.needed, self.right, self.spot
        return other

    def to_json(self) -> Json:
        """The whole position. Cards without order are sorted, discards lie lowest first."""
        cards = self.deck.to_json()
        data = {
            "players": self.players,
            "options": {
                "lives": str(self.life_bars),
                "changing": str(self.changing),
                "simple": "on" if self.simple else "off",
                **self._colours_option(),
            },
            "physical": self.physical,
            "phase": self.phase.value,
            "turn": self.turn,
            "bars": {
                str(field + 1): COLOURS[colour]
                for field, colour in enumerate(self.bars)
                if colour != NOBODY
            },
            "trilithons": {
                COLOURS[colour]: _place_name(self.place_of[colour]) for colour in self.in_play
            },
            "points": [
                {COLOURS[colour]: number for colour, number in enumerate(row) if number}
                for row in self.points
            ],
            "lives": self.lives[:],
            "won_bars": [row[:] for row in self.won],
            "hands": cards["hands"],
            "pile": cards["pile"],
            "gone": cards["gone"],
            "discards": cards["discards"],
            "display": {
                SPOTS[spot]: {
                    "card": None if card == UNBOUND else DISPLAY[card],
                    "up": self.up[spot],
                    "public": self.seen_by_all[spot],
                    "peeked": [s for s in range(self.players) if self.peeked[spot] >> s & 1],
                }
                for spot, card in enumerate(self.card)
            },
            "turned_back": [SPOTS[spot] for spot in self.turned_back],
            "placed": [COLOURS[colour] for colour in self.placed],
            "ram": None,
            "spot": None if self.spot == NO_SPOT else SPOTS[self.spot],
        }
        if self.rammer != NOBODY:
            data["ram"] = {
                "rammer": COLOURS[self.rammer],
                "direction": DIRECTIONS[self.direction],
                "target": COLOURS[self.target],
                "needed": [COLOURS[colour] for colour in self.needed],
                "right": self.right,
            }
        if "zones" in cards:
            data["zones"] = cards["zones"]
        return data

    def _colours_option(self) -> dict[str, str]:
        by_seat = [colours[0] for colours in self.own]
        chosen = ",".join(COLOURS[colour] for colour in by_seat)
        return {} if by_seat == list(range(self.players)) else {COLOURS_OPTION: chosen}

    def read(self, data: Json) -> None:
        self.phase, self.turn = Phase(data["phase"]), int(data["turn"])
        for field, name in data["bars"].items():
            self.bars[range(RING)[int(field) - 1]] = COLOURS.index(name)
        for colour in self.in_play:
            self.place_of[colour] = _place(data["trilithons"][COLOURS[colour]])
        self.settle()
        self.points = [[held.get(name, 0) for name in COLOURS] for held in data["points"]]
        self.won = [[int(number) for number in row] for row in data["won_bars"]]
        self.lives = [int(number) for number in data["lives"]]
        self.deck.read(data)
        for name, entry in data["display"].items():
            spot = SPOTS.index(name)
            if entry["card"] is not None:
                self.card[spot] = DISPLAY_CARD[entry["card"]]
            self.up[spot], self.seen_by_all[spot] = bool(entry["up"]), bool(entry["public"])
            self.peeked[spot] = sum(1 << seat for seat in entry["peeked"])
        self.loose = [card for card in self.loose if card not in self.card]
        self.turned_back = tuple(SPOTS.index(name) for name in data["turned_back"])
        self.placed = tuple(COLOURS.index(name) for name in data["placed"])
        if (ram := data["ram"]) is not None:
            self.rammer, self.target = COLOURS.index(ram["rammer"]), COLOURS.index(ram["target"])
            self.direction = DIRECTIONS.index(ram["direction"])
            self.needed = tuple(COLOURS.index(name) for name in ram["needed"])
            self.right = int(ram["right"])
        if data["spot"] is not None:
            self.spot = SPOTS.index(data["spot"])
        if self.phase in (Phase.PLACE, Phase.RAM):
            self.rams = self.reaches()

    def problems(self) -> list[str]:
        lengths = {len(self.points), len(self.lives), len(self.won), *map(len, self.won)}
        if lengths != {self.players}:
            return ["some list is not as long as there are players"]
        found = self.deck.problems("the day cards")
        if any(self.deck.hand_size(seat) > self.full_hand() for seat in range(self.players)):
            found.append("somebody holds too many cards")
        bound = [card for card in self.card if card != UNBOUND]
        if sorted(bound + self.loose) != sorted(display_of(self.simple, self.changing)):
            found.append("the cards of the display are not complete")
        if any(self.card[spot] == UNBOUND for spot, up in enumerate(self.up) if up):
            found.append("a card lies face up and nobody knows it")
        for start in range(0, RING, HUES):
            laid = [colour for colour in self.bars[start : start + HUES] if colour != NOBODY]
            if len(set(laid)) != len(laid):
                found.append(f"a colour lies twice below the numbers from {start + 1} on")
        for colour, owner in enumerate(self.owners):
            held = sum(row[colour] for row in self.points)
            # TK9: only with two players can points be lost.
            lost = owner != NOBODY and self.players > 2 and held != POINTS
            if held > (POINTS if owner != NOBODY else 0) or lost:
                found.append(f"there are {held} points of {COLOURS[colour]}")
        standing = [place for place in self.place_of if place >= 0]
        fields = {field for place in standing for field in (place, NEXT[place])}
        if len(fields) != 2 * len(standing):
            found.append("two trilithons stand on one field")
        if any(number < 0 for row in self.points for number in row):
            found.append("somebody holds less than no points")
        bars = sum(self.lives) + sum(map(sum, self.won))
        if min(self.lives) < 0 or bars > self.life_bars * self.players:
            found.append("there are more bars for lives than the match began with")
        if self.turn not in range(self.players):
            found.append(f"it is the turn of nobody: {self.turn}")
        if self.phase is Phase.FLIP and self.right not in range(len(self.needed)):
            found.append(f"{self.right} cards of {len(self.needed)} are right")
        if (self.phase is Phase.OVER) != (len(self.survivors()) < 2):
            found.append("the match is over exactly when one player only is not out")
        return found

    # -- trilithons -----------------------------------------------------------------------

    @property
    def in_play(self) -> tuple[int, ...]:
        """The colours that have a player."""
        return tuple(c for c, owner in enumerate(self.owners) if owner != NOBODY)

    def owner(self, colour: int) -> int:
        """The owner of a trilithon."""
        return self.owners[colour]

    def waiting(self, seat: int) -> list[int]:
        """The player's trilithons beside the track."""
        own = self.own[seat]
        return [colour for colour in own if self.place_of[colour] == WAITING]

    def placeable(self, seat: int) -> list[int]:
        """TK26: waiting trilithons go first; else any of the player's on the track."""
        own = self.own[seat]
        waiting = [colour for colour in own if self.place_of[colour] == WAITING]
        return waiting or [colour for colour in own if self.place_of[colour] >= 0]

    def is_out(self, seat: int) -> bool:
        """5.4: True if a player has no trilithon left, on the track or waiting."""
        return all(self.place_of[colour] == GONE for colour in self.own[seat])

    def next_seat(self) -> int:
        """The seat that follows: clockwise the next one that is not out."""
        seats = ((self.turn + step) % self.players for step in range(1, self.players + 1))
        return next(seat for seat in seats if not self.is_out(seat))

    def winners_of_hearts(self) -> tuple[int, ...]:
        """Won bars first, then foreign points; TK14: players who are out count, ties share."""
        scores = self.scores()
        hearts = [(sum(self.won[seat]), scores[seat]) for seat in range(self.players)]
        return tuple(seat for seat, heart in enumerate(hearts) if heart == max(hearts))

    def survivors(self) -> list[int]:
        """Seats that are not out."""
        return [seat for seat in range(self.players) if not self.is_out(seat)]

    def settle(self) -> None:
        """Let ``ring`` follow ``place_of``."""
        ring = [FREE] * RING
        for colour, place in enumerate(self.place_of):
            if place >= 0:
                ring[place] = ring[NEXT[place]] = colour
        self.ring = ring

    # -- ramming --------------------------------------------------------------------------

    @property
    def range_limit(self) -> int:
        """5.3, TK29: fields of one colour that a movement may cross."""
        return 2 if self.simple else 3

    def reaches(self) -> tuple[Reach, ...]:
        """Every legal ram with the trilithons placed in this turn."""
        found = (self._reach(colour, way) for colour in self.placed for way in (0, 1))
        return tuple(one for one in found if one is not None)

    def _reach(self, colour: int, direction: int) -> Reach | None:
        """The ram of ``colour`` in a direction if it is legal (5.5)."""
        limit = self.range_limit
        seen = [0] * HUES
        bars, ring, step = self.bars, self.ring, STEP[direction]
        field = front(self.place_of[colour], direction)
        distance = 0
        while True:
            hue = bars[field]
            seen[hue] += 1
            if seen[hue] > limit:
                return None
            target = ring[field]
            if target != FREE:
                break
            field = (field + step) % RING
            distance += 1
        owners = self.owners
        # TK18: the next one must be another player's; at least one free field lies between.
        if not distance or owners[target] == owners[colour]:
            return None
        return colour, direction, target, distance

    # -- hands and display ----------------------------------------------------------------

    def full_hand(self) -> int:
        """5.2: four cards, two players six."""
        return HAND[self.players]

    # -- display --------------------------------------------------------------------------

    def bind(self, spot: int, card: int) -> None:
        """It is ``card`` that lies at ``spot``."""
        if self.card[spot] == card:
            return
        # The first two happen only when cards were shifted at the table (TK23).
        if card in self.card:
            self.card[self.card.index(card)] = UNBOUND
            self.loose.append(card)
        if self.card[spot] != UNBOUND:
            self.loose.append(self.card[spot])
        if card in self.loose:
            self.loose.remove(card)
        self.card[spot] = card

    def forget_display(self) -> None:
        """Cards lying face down may have changed places unseen."""
        for spot in range(len(self.card)):
            self.forget(spot)

    def forget(self, spot: int) -> None:
        """The card at ``spot``, if it lies face down, may be another one by now."""
        card = self.card[spot]
        if card != UNBOUND and not self.up[spot]:
            self.loose.append(card)
            self.card[spot], self.seen_by_all[spot] = UNBOUND, False

    def swap(self, one: int, other: int) -> None:
        """TK21: two cards change places and each keeps its face."""
        columns: tuple[list[Any], ...] = (self.card, self.up, self.seen_by_all, self.peeked)
        for column in columns:
            column[one], column[other] = column[other], column[one]


def _place(name: int | str) -> int:
    if name == "waiting":
        return WAITING
    return GONE if name == "destroyed" else range(RING)[int(name) - 1]


def _place_name(place: int) -> int | str:
    if place >= 0:
        return place + 1
    return "waiting" if place == WAITING else "destroyed"
