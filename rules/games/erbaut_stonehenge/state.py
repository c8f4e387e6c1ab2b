"""The position of one match of Erbaut Stonehenge!: what is built, and what lies in the yards."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from typing import Any, Self

from rules.colours import Paint
from rules.core import Json, State
from rules.games.erbaut_stonehenge.cards import HiddenCards
from rules.games.erbaut_stonehenge.components import (
    BARS,
    BUILD,
    CARD,
    CARD_COLOUR,
    CARD_NAMES,
    CARDS,
    COLOURS,
    DEAL,
    DEALT,
    DISCS,
    DRAW,
    DRUID_AT,
    EMPTY,
    FACE_DOWN,
    FIELDS,
    FIRST_D,
    FIRST_T,
    HIDDEN,
    LAY_OUT,
    MARKED,
    NEUTRAL_BARS,
    NONE,
    NUMBER_CARDS,
    OCCUPY,
    OPEN,
    OVER,
    PHASE_NAMES,
    PILLARS_0,
    PILLARS_2,
    PROJECT,
    RETURN,
    REVEALED,
    SHOW,
    SITE,
    SITE_NAMES,
    SITES,
    STAGE_NAMES,
    SUPPLY,
    TRILITHONS,
    card_name,
    is_day,
    is_trilithon,
)
from rules.hidden import UNSEEN, Zones

_DRUID = {name: at for at, name in DRUID_AT.items()}


class ErbautState(State):
    """Position of one match. Lists are indexed by seat or site."""

    __slots__ = (
        "bars", "blocked", "built", "came", "cards", "discs", "display", "dolerite_free", "druid",
        "due", "first_round", "giver", "gone", "hue", "influence", "marked_trilithons", "neutral",
        "neutral_owner", "paint", "phase", "players", "reason", "ring_free", "sabotaged", "soft",
        "stage", "steal_back", "stolen", "to_build", "trilith_ring", "trilithon_free", "turn",
        "unmarked", "yard",
    )  # fmt: skip

    def __init__(
        self,
        players: int,
        soft: bool,
        trilith_ring: bool,
        steal_back: bool,
        physical: bool,
        paint: Paint,
    ) -> None:
        self.players, self.soft, self.trilith_ring = players, soft, trilith_ring
        self.steal_back, self.paint = steal_back, paint
        self.hue = tuple(COLOURS.index(colour) for colour in paint.colours[:players])
        """Colour of each seat."""
        self.phase = DEAL
        self.turn = 0
        self.first_round = players
        """Turns of the first round still to come."""
        self.due = 0
        """Cards missing to 3 in this draw phase."""
        self.came = False
        """True if a trilithon came in this draw phase."""
        self.sabotaged = False
        """ES17: True if this turn's influence card is spent."""
        self.giver = NONE
        """Seat that was compensated for a theft and discards before the turn goes on (ES29)."""
        self.reason = ""
        self.built = [NONE] * len(SITES)
        """Owner of what is built; ``players`` stands for the neutral blocks."""
        self.unmarked: list[int] = []
        """Erected trilithons without a disc (ES14)."""
        self.to_build = len(SITES)
        self.druid = [SUPPLY] * players
        self.ring_free = [31] * 6
        """Free ring fields by colour, one bit each. ES8: a druid makes a field not free."""
        self.trilithon_free = 31
        self.dolerite_free = list(range(FIRST_D, FIRST_T))
        self.bars = [BARS[players]] * players
        self.discs = [DISCS] * players
        self.neutral = NEUTRAL_BARS
        self.neutral_owner = NONE
        self.yard = [NONE] * players
        """Project card; HIDDEN while it lies face down on a real table."""
        self.stage = [EMPTY] * players
        self.stolen = [False] * players
        """ES28: stolen and not built on since."""
        self.marked_trilithons = [False] * players
        """By seat: True if one of its discs lies on the capstone of the marked project."""
        self.cards = HiddenCards(players, physical)
        """Hands and pile."""
        self.influence: list[list[int]] = [[] for _ in range(players)]
        self.display: list[int] = []
        self.gone: list[int] = []
        """Cards that have left the game."""
        self.blocked = [False] * players

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.players, other.soft, other.trilith_ring = self.players, self.soft, self.trilith_ring
        other.steal_back, other.paint, other.hue = self.steal_back, self.paint, self.hue
        other.phase, other.turn, other.first_round = self.phase, self.turn, self.first_round
        other.due, other.came, other.sabotaged = self.due, self.came, self.sabotaged
        other.giver, other.reason = self.giver, self.reason
        other.built, other.unmarked = self.built[:], self.unmarked[:]
        other.to_build, other.druid = self.to_build, self.druid[:]
        other.ring_free, other.trilithon_free = self.ring_free[:], self.trilithon_free
        other.dolerite_free = self.dolerite_free[:]
        other.bars, other.discs = self.bars[:], self.discs[:]
        other.neutral, other.neutral_owner = self.neutral, self.neutral_owner
        other.yard, other.stage, other.stolen = self.yard[:], self.stage[:], self.stolen[:]
        other.marked_trilithons = self.marked_trilithons[:]
        other.cards = self.cards.clone()
        other.influence = [cards[:] for cards in self.influence]
        other.display, other.gone = self.display[:], self.gone[:]
        other.blocked = self.blocked[:]
        return other

    def to_json(self) -> Json:
        """The whole position. ``under`` is ``[card, seat that knows it]`` from the top down."""
        data: dict[str, Any] = {
            "players": self.players,
            "options": {
                "soft_block": "on" if self.soft else "off",
                "trilith_ring": "on" if self.trilith_ring else "off",
                "steal_back": "on" if self.steal_back else "off",
                **self.paint.option(self.players),
            },
            "physical": self.cards.zones is not None,
            "phase": PHASE_NAMES[self.phase],
            "turn": self.turn,
            "first_round": self.first_round,
            "due": self.due,
            "trilithon_came": self.came,
            "sabotaged": self.sabotaged,
            "giver": None if self.giver == NONE else self.giver,
            "reason": self.reason,
            "built": {SITE_NAMES[s]: seat for s, seat in enumerate(self.built) if seat != NONE},
            "unmarked": [SITE_NAMES[site] for site in self.unmarked],
            "druids": [DRUID_AT.get(at) or SITE_NAMES[at] for at in self.druid],
            "bars": self.bars[:],
            "discs": self.discs[:],
            "neutral": self.neutral,
            "neutral_owner": None if self.neutral_owner == NONE else self.neutral_owner,
            "projects": [self._project_json(seat) for seat in range(self.players)],
            "hands": [[CARD_NAMES[card] for card in hand] for hand in self.cards.hands],
            "influence": [[CARD_NAMES[card] for card in cards] for cards in self.influence],
            "display": [CARD_NAMES[card] for card in self.display],
            "pile": [CARD_NAMES[card] for card in self.cards.pile],
            "under": [
                [card_name(card), None if by == NONE else by] for card, by in self.cards.below
            ],
            "gone": [CARD_NAMES[card] for card in self.gone],
            "blocked": self.blocked[:],
        }
        if self.cards.zones is not None:
            data["hands"] = self.cards.hand_size[:]
            data["under_first"] = self.cards.below_first
            data["zones"] = self.cards.zones.to_json()
        return data

    def _project_json(self, seat: int) -> Json:
        if not self.stage[seat]:
            return None
        return {
            "card": card_name(self.yard[seat]),
            "stage": STAGE_NAMES[self.stage[seat]],
            "stolen": self.stolen[seat],
            "disc": self.marked_trilithons[seat],
        }

    def read(self, data: Json) -> None:
        self.phase = PHASE_NAMES.index(data["phase"])
        self.turn, self.first_round = int(data["turn"]), int(data["first_round"])
        self.due, self.came = int(data["due"]), bool(data["trilithon_came"])
        self.sabotaged, self.reason = bool(data["sabotaged"]), str(data["reason"])
        self.giver = NONE if data["giver"] is None else int(data["giver"])
        for name, owner in data["built"].items():
            self.built[SITE[name]] = int(owner)
            self.reserve(SITE[name])
        self.to_build = self.built.count(NONE)
        self.unmarked = [SITE[name] for name in data["unmarked"]]
        for seat, name in enumerate(data["druids"]):
            self.send(seat, _DRUID[name] if name in _DRUID else SITE[name])
        self.bars, self.discs = [int(n) for n in data["bars"]], [int(n) for n in data["discs"]]
        self.neutral = int(data["neutral"])
        owner = data["neutral_owner"]
        self.neutral_owner = NONE if owner is None else int(owner)
        for seat, project in enumerate(data["projects"]):
            if project is not None:
                self.yard[seat] = _card(project["card"])
                self.stage[seat] = STAGE_NAMES.index(project["stage"])
                self.stolen[seat] = bool(project["stolen"])
                self.marked_trilithons[seat] = bool(project["disc"])
        self.influence = [sorted(CARD[name] for name in cards) for cards in data["influence"]]
        self.display = sorted(CARD[name] for name in data["display"])
        self.cards.pile = sorted(CARD[name] for name in data["pile"])
        self.cards.below = [
            (_card(name), NONE if by is None else int(by)) for name, by in data["under"]
        ]
        self.gone = [CARD[name] for name in data["gone"]]
        self.blocked = [bool(flag) for flag in data["blocked"]]
        if self.cards.zones is None:
            self.cards.hands = [sorted(CARD[name] for name in hand) for hand in data["hands"]]
            self.cards.hand_size = [len(hand) for hand in self.cards.hands]
        else:
            self.cards.hand_size = [int(size) for size in data["hands"]]
            self.cards.below_first = int(data["under_first"])
            self.cards.zones = Zones.from_json(data["zones"])

    def problems(self) -> list[str]:
        players = self.players
        per_seat = (
            self.druid, self.bars, self.discs, self.yard, self.stage, self.influence,
            self.blocked, self.cards.hand_size, self.cards.hands,
        )  # fmt: skip
        if any(len(values) != players for values in per_seat):
            return ["some list is not as long as there are players"]
        if self.turn not in range(players) or self.giver not in range(NONE, players):
            return [f"somebody asked has no seat: {self.turn}, {self.giver}"]
        return [*self._piece_problems(), *self._card_problems(), *self._phase_problems()]

    def _phase_problems(self) -> list[str]:
        """Faults of the phase: reasons why the decision that is due cannot be due."""
        phase, stage = self.phase, self.stage[self.turn]
        penance = self.at_altar(self.turn)
        wanted = {
            BUILD: penance or stage != EMPTY,
            SHOW: stage == FACE_DOWN and self.cards.zones is not None,
            REVEALED: stage == OPEN,
            OCCUPY: stage >= OPEN and not penance,
            DRAW: self.due > 0,
            DEALT: self.due > 0,
            PROJECT: stage == EMPTY and not penance,
            RETURN: self.giver != NONE and self.cards.hand_size[self.giver] > 0,
            OVER: bool(self.reason),
        }
        if not wanted.get(phase, True):
            return [f"p{self.turn} cannot be asked '{PHASE_NAMES[phase]}' here"]
        return []

    def _piece_problems(self) -> list[str]:
        found = []
        players = self.players
        blocks = Counter(self.built[:FIELDS])
        if blocks[players] + self.neutral != NEUTRAL_BARS or self.neutral < 0:
            found.append(f"the neutral bars are not {NEUTRAL_BARS}")
        if (self.neutral_owner == NONE) != (self.neutral == NEUTRAL_BARS):
            found.append("the neutral bars are touched if and only if somebody owns them")
        dolerites = Counter(self.built[FIRST_D:FIRST_T])
        for seat in range(players):
            if self.bars[seat] < 0 or self.bars[seat] + blocks[seat] != BARS[players]:
                found.append(f"the bars of p{seat} are not {BARS[players]}")
            marks = sum(
                owner == seat and site not in self.unmarked
                for site, owner in enumerate(self.built[FIRST_T:], FIRST_T)
            )
            discs = self.discs[seat] + dolerites[seat] + marks + self.marked_trilithons[seat]
            if self.discs[seat] < 0 or discs != DISCS:
                found.append(f"the discs of p{seat} are not {DISCS}")
            if (self.stage[seat] == EMPTY) != (self.yard[seat] == NONE):
                found.append(f"the yard of p{seat} holds {self.yard[seat]} at {self.stage[seat]}")
            if (self.stage[seat] >= PILLARS_0) != (self.yard[seat] >= NUMBER_CARDS):
                found.append(f"the project of p{seat} is at a stage its card does not have")
            if self.marked_trilithons[seat] and self.stage[seat] != MARKED:
                found.append(f"p{seat} has marked something else than a capstone")
        if players in dolerites or players in self.built[FIRST_T:]:
            found.append("only blocks can be neutral")
        return found

    def _card_problems(self) -> list[str]:
        found = []
        counts = Counter([*self.cards.pile, *self.display, *self.gone])
        for cards in self.influence:
            counts.update(cards)
        counts.update(card for card in self.yard if card != NONE)
        counts.update(card for card, _ in self.cards.below)
        hidden_below = sum(card == HIDDEN for card, _ in self.cards.below)
        hidden_yards = sum(card == HIDDEN for card in self.yard)
        if self.cards.zones is None:
            for hand in self.cards.hands:
                counts.update(hand)
            if self.cards.hand_size != [len(hand) for hand in self.cards.hands]:
                found.append("hand sizes are wrong")
        else:
            del counts[HIDDEN]
            in_zones = self.cards.zones.count_all()
            counts.update({CARD[name]: number for name, number in in_zones.items()})
            sizes = [self.cards.zones.size(f"p{seat}") for seat in range(self.players)]
            if self.cards.hand_size != sizes:
                found.append("hand sizes are wrong")
            held = (
                sum(self.cards.hand_size)
                + self.cards.shuffled_numbers()
                + hidden_below
                + hidden_yards
            )
            if held != sum(in_zones.values()):
                found.append("hidden cards lie where no place is")
            found += self.cards.zones.invariants()
        for card in CARDS:
            wanted = 0 if is_trilithon(card) and self.phase == DEAL else 1
            if counts[card] != wanted:
                found.append(f"{CARD_NAMES[card]} exists {counts[card]} times")
        for seat, card in enumerate(self.yard):
            if self.stage[seat] == FACE_DOWN and card != HIDDEN and not is_day(card):
                found.append(f"p{seat} has laid a night card face down")
        return found

    # -- the board ------------------------------------------------------------------------

    def reserve(self, site: int) -> None:
        """A site is no longer free."""
        if site < FIRST_D:
            self.ring_free[site % 6] &= ~(1 << site // 6)
        elif site >= FIRST_T:
            self.trilithon_free &= ~(1 << site - FIRST_T)
        elif site in self.dolerite_free:
            self.dolerite_free.remove(site)

    def release(self, site: int) -> None:
        """A druid has left a site; it is free again if nothing stands there."""
        if self.built[site] != NONE or site in self.druid:
            return
        if site < FIRST_D:
            self.ring_free[site % 6] |= 1 << site // 6
        elif site >= FIRST_T:
            self.trilithon_free |= 1 << site - FIRST_T
        elif site not in self.dolerite_free:
            insort(self.dolerite_free, site)

    def free(self, site: int) -> bool:
        """True if nothing stands on a site and no druid either."""
        return self.built[site] == NONE and site not in self.druid

    def send(self, seat: int, where: int) -> None:
        """A druid goes to a site, the altar or the supply."""
        before = self.druid[seat]
        self.druid[seat] = where
        if before >= 0:
            self.release(before)
        if where >= 0:
            self.reserve(where)

    def at_altar(self, seat: int) -> bool:
        """True if a player's druid does penance (3.7)."""
        return self.druid[seat] < SUPPLY

    def has_bar(self, seat: int) -> bool:
        """ES13: True if a player could build a block."""
        return self.bars[seat] > 0 or self.neutral > 0

    def fits(self, seat: int, card: int) -> bool:
        """3.4: True if a number card could occupy a site if it lay open now."""
        if self.ring_free[CARD_COLOUR[card]] and self.has_bar(seat):
            return True
        # ES7: the dolerite needs a block on the card's own number.
        return bool(self.built[card >> 1] != NONE and self.discs[seat] and self.dolerite_free)

    def influences(self, seat: int, card: int) -> bool:
        """3.3: True if a block built with a card gives its player influence."""
        # ES11, ES12: the colour of the field decides; black has no player.
        return CARD_COLOUR[card] == self.hue[seat]

    def lay_trilithons_in(self) -> None:
        """3.2: only after the hands are dealt do the trilithon cards join the pile."""
        self.cards.pile += range(NUMBER_CARDS, NUMBER_CARDS + TRILITHONS)
        self.phase = LAY_OUT


def is_target(state: ErbautState, seat: int) -> bool:
    """ES18: True if a player has a project and a druid that is not at the altar."""
    return state.stage[seat] != EMPTY and state.druid[seat] >= SUPPLY


def is_loot(state: ErbautState, seat: int) -> bool:
    """3.6, ES28: True if a player has a trilithon project that may be stolen."""
    unmarked = PILLARS_0 <= state.stage[seat] <= PILLARS_2
    return unmarked and (state.steal_back or not state.stolen[seat])


def cannot_build(state: ErbautState, seat: int) -> bool:
    """ES30: True if an open number card cannot become what its druid waits for."""
    if state.stage[seat] != OPEN:
        return False
    if state.druid[seat] < FIRST_D:
        return not state.has_bar(seat)
    return not state.discs[seat]


def _card(name: str) -> int:
    return HIDDEN if name == UNSEEN else CARD[name]
