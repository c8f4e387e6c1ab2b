"""2.2, 2.3 The position: what is on the ring, in front of the players and in the piles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from rules.core import Json, State, StateError
from rules.games.hoher_rat.components import (
    ARGUMENTS,
    CARD_NAME,
    CARD_NUMBER,
    COLOUR_NUMBER,
    COLOURS,
    DECK,
    EMPTY,
    FACTION_COLOURS,
    FACTIONS,
    FIELD_NAME,
    FIELD_NUMBER,
    FIELDS,
    FOLLOWERS,
    HAND,
    LAST,
    NEITHER,
    NEXT,
    NONE,
    PIECE_COLOUR,
    PIECE_FACTION,
    PIECE_NAME,
    PIECE_NUMBER,
    SEAT_COLOURS,
    SPOKESMAN,
    faction_of,
    own_colours,
)
from rules.hidden import HiddenError, Zones

LIMIT = 6
"""Arguments of a colour that one faction may own."""
BLOCK = 16
"""Pieces of a faction side by side that win."""


class Pending(NamedTuple):
    """A decision that interrupts a turn or precedes the first."""

    verb: str
    """``draw``, ``start``, ``return`` or ``lift``."""
    seat: int = NONE
    """Seat that draws, gives a card back or lifts a follower."""
    field: int = NONE
    """Field where the lifted follower goes."""
    source: int = NONE
    """FROM of the persuasion that has to be completed, if its follower must stay (HR14)."""


Front = tuple[int, int, int]
"""A place where the factions meet: 2 · FROM (+ 1 if TO follows), price, colour of FROM."""


class RatState(State):
    """Position of one match. Lists are indexed by field, colour, seat or faction."""

    __slots__ = (
        "acted", "arguments", "dealt", "empty", "followers", "fronts", "hands", "heap", "held",
        "lift_from", "pending", "physical", "piles", "played", "players", "pondered", "ring",
        "spokesmen", "turn", "unnamed", "vote", "winner", "zones",
    )  # fmt: skip
    unwritten: ClassVar = ("fronts",)

    def __init__(self, players: int, lift_from: bool, physical: bool) -> None:
        self.players, self.physical = players, physical
        """Physical: ring and pieces lie on a table, and the cards that are not dealt."""
        self.lift_from = lift_from
        """HR14: True if the follower that persuades may be the one that moves."""
        self.turn = NONE
        """Seat whose turn it is; NONE before the start player is drawn."""
        self.acted = False
        """True if the action of this turn has been taken."""
        self.unnamed: tuple[int, ...] = ()
        """Colours of the arguments from a discussion of this turn whose cards were not named."""
        self.vote = False
        self.winner = NONE
        """Faction with a block of 16."""
        self.ring = [EMPTY] * FIELDS
        self.empty = FIELDS
        """Fields without a piece."""
        self.followers = [0] * 5
        self.spokesmen = [0] * 5
        for colour in SEAT_COLOURS:
            self.followers[colour] = FOLLOWERS
            self.spokesmen[colour] = 1
        self.heap = [ARGUMENTS] * 5
        """Arguments in the supply."""
        self.arguments = [[0] * 5 for _ in range(players)]
        self.hands: list[tuple[int, ...]] = [()] * players
        """Sorted cards, of those whose cards are dealt."""
        self.piles: list[list[int]] = [[], []]
        self.played: list[list[int]] = [[], []]
        """Discarded face up."""
        self.pondered: list[list[int]] = [[], []]
        """HR27: discarded face down."""
        self.pending: list[Pending] = []
        """Decisions that must be made before the turn goes on, the next one last."""
        self.dealt = (not physical, not physical)
        """By faction: True if the program deals its cards; otherwise ``zones`` know of them what
        can be known."""
        self.zones = Zones()
        self.held: dict[int, list[tuple[frozenset[int], int]]] = {}
        """The hands according to ``zones``, until a card moves."""
        self.fronts: tuple[list[Front], list[Front]] | None = None
        """Persuasions by faction that the ring allows; None: the ring has changed."""
        self.lay_out_cards()

    def deal_faction(self, faction: int) -> None:
        """The program deals the cards of a faction, none of which are drawn yet."""
        self.dealt = (self.dealt[0] or faction == 0, self.dealt[1] or faction == 1)
        self.lay_out_cards()

    def lay_out_cards(self) -> None:
        """2.2: all cards are in the piles."""
        self.zones = Zones()
        self.held.clear()
        for faction, name in enumerate(FACTIONS):
            cards = range(faction * DECK, (faction + 1) * DECK)
            if self.dealt[faction]:
                self.piles[faction] = list(cards)
            else:
                self.zones.fill(f"pile {name}", [CARD_NAME[card] for card in cards])

    # -- reading the ring (2.3) -----------------------------------------------------------

    def group(self, field: int) -> int:
        """Size of the group on ``field``: neighbours of the same colour."""
        return self._run(field, PIECE_COLOUR)

    def block(self, field: int) -> int:
        """Size of the block on ``field``: neighbours of the same faction."""
        return self._run(field, PIECE_FACTION)

    def _run(self, field: int, sort: Sequence[int]) -> int:
        ring = self.ring
        if ring[field] == EMPTY:
            return 0
        own, size = sort[ring[field]], 1
        for step in (NEXT, LAST):
            at = step[field]
            while at != field and sort[ring[at]] == own:
                size += 1
                at = step[at]
            if at == field:
                return FIELDS
        return size

    def largest_block(self, faction: int) -> int:
        """The largest block of a faction, 0 if it has no piece on the ring."""
        return max(
            (self.block(f) for f in range(FIELDS) if PIECE_FACTION[self.ring[f]] == faction),
            default=0,
        )

    def fields_of_block(self, faction: int) -> list[int]:
        """The fields of a faction's largest block, one after the other."""
        own = [field for field in range(FIELDS) if PIECE_FACTION[self.ring[field]] == faction]
        first = max(own, key=self.block, default=NONE)
        if first == NONE:
            return []
        size = self.block(first)
        while size < FIELDS and PIECE_FACTION[self.ring[LAST[first]]] == faction:
            first = LAST[first]
        return [(first + n) % FIELDS for n in range(size)]

    def price(self, source: int, field: int) -> int:
        """2.4, 2.5: price of persuading the piece on ``field`` from ``source``."""
        group = self.group(field)
        # HR12: in the vote only the larger group helps, an equal one does not.
        if self.vote and self.group(source) > group:
            return 1
        return 3 if self.ring[field] >= SPOKESMAN else min(group, 3)

    # -- supplies -------------------------------------------------------------------------

    def own(self, seat: int) -> tuple[int, ...]:
        """The colours of a player."""
        return own_colours(seat, self.players)

    def owns(self, seat: int, piece: int) -> bool:
        """True if a piece has one of the player's colours."""
        return PIECE_COLOUR[piece] in own_colours(seat, self.players)

    def has_follower(self, seat: int) -> bool:
        """HR22: True if a follower of any own colour is left in supply."""
        own = own_colours(seat, self.players)
        return self.followers[own[0]] > 0 or self.followers[own[-1]] > 0

    def mask(self, seat: int, supply: Sequence[int]) -> int:
        """For which of the faction's colours ``supply`` holds something of the player's."""
        first, second = FACTION_COLOURS[seat & 1]
        if self.players == 2:
            return (supply[first] > 0) + 2 * (supply[second] > 0)
        return int(supply[first] > 0) if seat < 2 else 2 * (supply[second] > 0)

    def owned(self, faction: int, colour: int) -> int:
        """Arguments of a colour that a faction owns."""
        return sum(self.arguments[seat][colour] for seat in range(faction, self.players, 2))

    def room(self, faction: int) -> tuple[int, ...]:
        """HR6: numbers of arguments of each colour that may still be taken."""
        heap = self.heap
        if self.players == 2:
            mine = self.arguments[faction]
        else:
            pairs = zip(self.arguments[faction], self.arguments[faction + 2], strict=True)
            mine = [a + b for a, b in pairs]
        return tuple([max(0, min(heap[c], LIMIT - mine[c])) for c in range(5)])

    def has_room(self, faction: int, colour: int) -> bool:
        """HR6: True if an argument of a colour may still be taken."""
        return self.heap[colour] > 0 and self.owned(faction, colour) < LIMIT

    def take(self, seat: int, colour: int, number: int) -> None:
        """Arguments from the supply, as many as there is room for."""
        number = min(number, self.room(faction_of(seat))[colour])
        self.heap[colour] -= number
        self.arguments[seat][colour] += number

    def pay(self, seat: int, colour: int, number: int) -> None:
        """Arguments back to the supply."""
        number = min(number, self.arguments[seat][colour])
        self.arguments[seat][colour] -= number
        self.heap[colour] += number

    # -- pieces ---------------------------------------------------------------------------

    def put(self, field: int, piece: int) -> None:
        """A piece of the supply goes on a field; whatever was there goes home."""
        self.clear(field)
        supply, colour = self._supply(piece)
        if supply[colour]:
            supply[colour] -= 1
            self.ring[field] = piece
            self.empty -= 1

    def clear(self, field: int) -> None:
        """The piece on a field, if there is one, goes back to its owner."""
        piece = self.ring[field]
        if piece != EMPTY:
            supply, colour = self._supply(piece)
            supply[colour] += 1
            self.ring[field] = EMPTY
            self.empty += 1
        self.fronts = None

    def _supply(self, piece: int) -> tuple[list[int], int]:
        if piece >= SPOKESMAN:
            return self.spokesmen, piece - SPOKESMAN
        return self.followers, piece

    # -- cards ----------------------------------------------------------------------------

    def hand_size(self, seat: int) -> int:
        """Cards in a hand."""
        if self.dealt[seat & 1]:
            return len(self.hands[seat])
        return self.zones.size(f"hand p{seat}")

    def pile_size(self, faction: int) -> int:
        """Cards in a draw pile."""
        if self.dealt[faction]:
            return len(self.piles[faction])
        return self.zones.size(f"pile {FACTIONS[faction]}")

    def holdable(self, seat: int) -> tuple[int, ...]:
        """The cards a player may have in hand, as far as the table knows, sorted."""
        if self.dealt[seat & 1]:
            return self.hands[seat]
        return tuple(sorted(card for cards, _ in self._held(seat) for card in cards))

    def may_hold(self, seat: int, *cards: int) -> bool:
        """True if a player may have these cards in hand together, as far as the table knows."""
        if self.dealt[seat & 1]:
            return all(card in self.hands[seat] for card in cards)
        left = len(cards)
        for share, number in self._held(seat):
            here = sum([card in share for card in cards])
            if here > number:
                return False
            left -= here
        return not left

    def may_hold_any(self, seat: int) -> bool:
        """True if any cards of ``holdable`` may be in hand together."""
        return self.dealt[seat & 1] or len(self._held(seat)) == 1

    def _held(self, seat: int) -> list[tuple[frozenset[int], int]]:
        """Real cards: sets of cards, and how many of each a player has in hand."""
        if seat not in self.held:
            self.held[seat] = [
                (frozenset(CARD_NUMBER[name] for name in names), number)
                for names, number in self.zones.shares(f"hand p{seat}")
            ]
        return self.held[seat]

    def drawable(self, faction: int) -> list[int]:
        """Cards that may be drawn; HR21: an empty pile is made of all discards when needed."""
        return self.piles[faction] or self.played[faction] + self.pondered[faction]

    def draw(self, seat: int, card: int) -> None:
        """One card from the faction's pile into a hand."""
        faction = faction_of(seat)
        if not self.dealt[faction]:
            self.held.clear()
            name = FACTIONS[faction]
            pile = f"pile {name}"
            if not self.zones.size(pile):
                self.zones.shuffle([f"played {name}", f"pondered {name}"], pile)
            if self.zones.size(pile):
                self.zones.draw(pile, f"hand p{seat}", None)
            return
        if not self.piles[faction]:
            self.piles[faction] = self.played[faction] + self.pondered[faction]
            self.played[faction], self.pondered[faction] = [], []
        if card in self.piles[faction]:
            self.piles[faction].remove(card)
            self._hold(seat, card)

    def play(self, seat: int, card: int) -> None:
        """A card from the hand onto the discards, face up."""
        if not self.may_hold(seat, card):
            return
        if not self.dealt[seat & 1]:
            self.held.clear()
            played = f"played {FACTIONS[faction_of(seat)]}"
            self.zones.move(f"hand p{seat}", played, CARD_NAME[card])
            return
        self._let_go(seat, card)
        self.played[faction_of(seat)].append(card)

    def play_unseen(self, seat: int, number: int = 1) -> None:
        """Real cards that were not named, from the hand onto the discards."""
        if not self.dealt[seat & 1]:
            self.held.clear()
            faction = FACTIONS[faction_of(seat)]
            for _ in range(min(number, self.hand_size(seat))):
                self.zones.move(f"hand p{seat}", f"played {faction}", None)

    def may_name(self, seat: int, cards: Sequence[int]) -> bool:
        """True if these are cards that were played without being named."""
        if self.dealt[seat & 1]:
            return False
        trial = self.zones.clone()
        try:
            for card in cards:
                trial.reveal(f"played {FACTIONS[faction_of(seat)]}", CARD_NAME[card])
        except HiddenError:
            return False
        return True

    def name(self, seat: int, cards: Sequence[int], supposed: int) -> None:
        """Cards that were played without being named are these; as many were ``supposed``, or
        more, which lie on the pile still."""
        if self.may_name(seat, cards):
            self.held.clear()
            played, faction = f"played {FACTIONS[faction_of(seat)]}", FACTIONS[faction_of(seat)]
            for card in cards:
                self.zones.reveal(played, CARD_NAME[card])
            for _ in range(supposed - len(cards)):
                self.zones.move_unknown(played, f"pile {faction}")

    def ponder(self, seat: int) -> None:
        """HR27: the hand onto the discards, face down."""
        if not self.dealt[seat & 1]:
            self.held.clear()
            hand, pondered = f"hand p{seat}", f"pondered {FACTIONS[faction_of(seat)]}"
            for _ in range(self.zones.size(hand)):
                self.zones.move(hand, pondered, None)
            return
        self.pondered[faction_of(seat)] += self.hands[seat]
        self.hands[seat] = ()

    def deal_anew(self) -> None:
        """Nothing is known of the real cards any more."""
        dealt = self.piles[:]
        self.lay_out_cards()
        for faction in (0, 1):
            if self.dealt[faction]:
                self.piles[faction] = dealt[faction]
        for seat in range(self.players):
            if not self.dealt[seat & 1]:
                for _ in range(HAND):
                    self.zones.draw(f"pile {FACTIONS[faction_of(seat)]}", f"hand p{seat}", None)

    def give(self, giver: int, taker: int, card: int) -> None:
        """A card face down from hand to hand."""
        if not self.dealt[giver & 1]:
            self.held.clear()
            if self.zones.size(f"hand p{giver}"):
                self.zones.move(f"hand p{giver}", f"hand p{taker}", None)
        elif card in self.hands[giver]:
            self._let_go(giver, card)
            self._hold(taker, card)

    def _hold(self, seat: int, card: int) -> None:
        self.hands[seat] = tuple(sorted((*self.hands[seat], card)))

    def _let_go(self, seat: int, card: int) -> None:
        self.hands[seat] = tuple([held for held in self.hands[seat] if held != card])

    # -- copying and storing --------------------------------------------------------------

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.players, other.turn, other.acted = self.players, self.turn, self.acted
        other.lift_from = self.lift_from
        other.unnamed = self.unnamed
        other.vote, other.winner = self.vote, self.winner
        other.ring, other.empty = self.ring[:], self.empty
        other.followers, other.spokesmen = self.followers[:], self.spokesmen[:]
        other.heap = self.heap[:]
        other.arguments = [mine[:] for mine in self.arguments]
        other.hands = self.hands[:]
        other.piles = [self.piles[0][:], self.piles[1][:]]
        other.played = [self.played[0][:], self.played[1][:]]
        other.pondered = [self.pondered[0][:], self.pondered[1][:]]
        other.pending = self.pending[:]
        other.dealt, other.physical = self.dealt, self.physical
        other.zones = self.zones.clone() if self.physical else self.zones
        other.held, other.fronts = dict(self.held), self.fronts
        return other

    def to_json(self) -> Json:
        """The whole position; what is left in the supplies follows from it."""
        data: dict[str, Any] = {
            "options": {"lift_from": "on" if self.lift_from else "off"},
            "players": self.players,
            "physical": self.physical,
            "turn": None if self.turn == NONE else self.turn,
            "acted": self.acted,
            "vote": self.vote,
            "ring": {
                FIELD_NAME[f]: PIECE_NAME[piece]
                for f, piece in enumerate(self.ring)
                if piece != EMPTY
            },
            "arguments": [
                {COLOURS[c]: number for c, number in enumerate(mine) if number}
                for mine in self.arguments
            ],
            "pending": [_pending_words(pending) for pending in self.pending],
        }
        if self.unnamed:
            data["unnamed"] = [COLOURS[colour] for colour in self.unnamed]
        if self.physical and any(self.dealt):
            data["dealt"] = [n for n, dealt in zip(FACTIONS, self.dealt, strict=True) if dealt]
        if any(self.dealt):
            data["hands"] = [[CARD_NAME[card] for card in hand] for hand in self.hands]
            for key, piles in self.all_piles().items():
                data[key] = {
                    name: [CARD_NAME[card] for card in sorted(piles[faction])]
                    for faction, name in enumerate(FACTIONS)
                }
        if self.physical:
            data["zones"] = self.zones.to_json()
        return data

    def read(self, data: Json) -> None:
        self.turn = NONE if data["turn"] is None else int(data["turn"])
        self.acted, self.vote = bool(data["acted"]), bool(data["vote"])
        self.unnamed = tuple(COLOUR_NUMBER[name] for name in data.get("unnamed", ()))
        for name, piece in data["ring"].items():
            self.put(FIELD_NUMBER[name], PIECE_NUMBER[piece])
        for seat, mine in enumerate(data["arguments"]):
            for name, number in mine.items():
                self.heap[COLOUR_NUMBER[name]] -= int(number)
                self.arguments[seat][COLOUR_NUMBER[name]] = int(number)
        self.pending = [_pending_from(words, self.players) for words in data["pending"]]
        if self.physical:
            for name in data.get("dealt", ()):
                self.deal_faction(FACTIONS.index(name))
            self.zones = Zones.from_json(data["zones"])
        if any(self.dealt):
            self.hands = [_cards(hand) for hand in data["hands"]]
            for key, piles in self.all_piles().items():
                for faction, name in enumerate(FACTIONS):
                    piles[faction][:] = _cards(data[key][name])
        for faction in (0, 1):
            if self.largest_block(faction) >= BLOCK:
                self.winner = faction

    def problems(self) -> list[str]:
        if len(self.hands) != self.players:
            return ["some list is not as long as there are players"]
        found = []
        if self.turn not in range(NONE, self.players):
            found.append(f"it is the turn of nobody: {self.turn}")
        if self.turn == NONE and not self.pending:
            found.append("nobody is asked for anything")
        if any(number < 0 for mine in self.arguments for number in mine):
            found.append("somebody holds less than no arguments")
        for colour, name in enumerate(COLOURS):
            owned = sum(mine[colour] for mine in self.arguments)
            if self.heap[colour] < 0 or self.heap[colour] + owned != ARGUMENTS:
                found.append(f"the {name} arguments do not add up to {ARGUMENTS}")
            for faction in (0, 1):
                if self.owned(faction, colour) > LIMIT:
                    found.append(f"{FACTIONS[faction]} owns more than {LIMIT} {name} arguments")
        for colour in SEAT_COLOURS:
            standing = self.ring.count(colour)
            if self.followers[colour] < 0 or self.followers[colour] + standing != FOLLOWERS:
                found.append(f"the {COLOURS[colour]} followers do not add up to {FOLLOWERS}")
            if self.spokesmen[colour] + self.ring.count(colour + SPOKESMAN) != 1:
                found.append(f"there is not one {COLOURS[colour]} spokesman")
        if not self.empty and not self.vote:
            found.append("the ring is full and the vote has not begun")
        return found + self._card_problems()

    def _card_problems(self) -> list[str]:
        found = self.zones.invariants()
        cards = [CARD_NUMBER[name] for name in self.zones.count_all().elements()]
        if any(self.dealt):
            cards += [card for hand in self.hands for card in hand]
            for piles in self.all_piles().values():
                cards += piles[0] + piles[1]
            for seat, hand in enumerate(self.hands):
                if any(card // DECK != faction_of(seat) for card in hand):
                    found.append(f"p{seat} holds a card of the other faction")
        if sorted(cards) != list(range(2 * DECK)):
            found.append("the cards are not the 32 of each faction")
        for seat in range(self.players):
            if self.hand_size(seat) > HAND + 1:
                found.append(f"p{seat} holds {self.hand_size(seat)} cards")
        return found

    def all_piles(self) -> dict[str, list[list[int]]]:
        """The cards in no hand, by what they are and by faction."""
        return {"piles": self.piles, "played": self.played, "pondered": self.pondered}


def find_fronts(state: RatState) -> tuple[list[Front], list[Front]]:
    """2.4: every pair of neighbours of different factions, both ways, with its price."""
    ring = state.ring
    found: tuple[list[Front], list[Front]] = ([], [])
    before = ring[-1]
    for field, piece in enumerate(ring):
        a, b = PIECE_FACTION[before], PIECE_FACTION[piece]
        if a != b and a != NEITHER and b != NEITHER:
            last = LAST[field]
            found[a].append((2 * last + 1, state.price(last, field), last % 6))
            found[b].append((2 * field, state.price(field, last), field % 6))
        before = piece
    return found


def _cards(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted(CARD_NUMBER[name] for name in names))


def _pending_from(words: Sequence[Any], players: int) -> Pending:
    match words:
        case ["start"]:
            return Pending("start")
        case [("draw" | "return") as verb, seat]:
            return Pending(verb, range(players)[seat])
        case ["lift", seat, field, source]:
            from_field = NONE if source is None else FIELD_NUMBER[source]
            return Pending("lift", range(players)[seat], FIELD_NUMBER[field], from_field)
    raise StateError("unfit", key="pending", found=words)


def _pending_words(pending: Pending) -> list[str | int | None]:
    verb, seat, field, source = pending
    if verb == "start":
        return [verb]
    if verb == "lift":
        return [verb, seat, FIELD_NAME[field], None if source == NONE else FIELD_NAME[source]]
    return [verb, seat]
