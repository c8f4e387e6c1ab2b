"""The position of one match of Erbaut Stonehenge!: what is built, and what lies in the yards."""

from __future__ import annotations

from bisect import insort
from typing import Any

from rules.colours import Paint
from rules.core import Json
from rules.games.erbaut_stonehenge.cards import HiddenCards
from rules.games.erbaut_stonehenge.components import (
    BARS,
    CARD_COLOUR,
    CARD_NAMES,
    COLOURS,
    DEAL,
    DISCS,
    DRUID_AT,
    EMPTY,
    FIRST_D,
    FIRST_T,
    LAY_OUT,
    NEUTRAL_BARS,
    NONE,
    NUMBER_CARDS,
    OPEN,
    PHASE_NAMES,
    PILLARS_0,
    PILLARS_2,
    SITE_NAMES,
    SITES,
    STAGE_NAMES,
    SUPPLY,
    TRILITHONS,
    card_name,
)


class ErbautState:
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
        """Whether a trilithon came in this draw phase."""
        self.sabotaged = False
        """ES17: whether this turn's influence card is spent."""
        self.giver = NONE
        """Who was compensated for a theft and discards before the turn goes on (ES29)."""
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
        """Whether one of the player's discs lies on the capstone of the marked project."""
        self.cards = HiddenCards(players, physical)
        """Hands and pile."""
        self.influence: list[list[int]] = [[] for _ in range(players)]
        self.display: list[int] = []
        self.gone: list[int] = []
        """Cards that have left the game."""
        self.blocked = [False] * players

    def clone(self) -> ErbautState:
        other = ErbautState.__new__(ErbautState)
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
        """Everything. ``under`` is ``[card, seat that knows it]`` from the top down."""
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
        """Whether nothing stands on a site and no druid either."""
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
        """Whether a player's druid does penance (3.7)."""
        return self.druid[seat] < SUPPLY

    def has_bar(self, seat: int) -> bool:
        """ES13: whether a player could build a block."""
        return self.bars[seat] > 0 or self.neutral > 0

    def fits(self, seat: int, card: int) -> bool:
        """3.4: whether a number card could occupy a site if it lay open now."""
        if self.ring_free[CARD_COLOUR[card]] and self.has_bar(seat):
            return True
        # ES7: the dolerite needs a block on the card's own number.
        return bool(self.built[card >> 1] != NONE and self.discs[seat] and self.dolerite_free)

    def influences(self, seat: int, card: int) -> bool:
        """3.3: whether a block built with a card gives its player influence."""
        # ES11, ES12: the colour of the field decides; nobody plays black.
        return CARD_COLOUR[card] == self.hue[seat]

    def lay_trilithons_in(self) -> None:
        """3.2: only after the hands are dealt do the trilithon cards join the pile."""
        self.cards.pile += range(NUMBER_CARDS, NUMBER_CARDS + TRILITHONS)
        self.phase = LAY_OUT


def is_target(state: ErbautState, seat: int) -> bool:
    """ES18: whether a player has a project and a druid that is not at the altar."""
    return state.stage[seat] != EMPTY and state.druid[seat] >= SUPPLY


def is_loot(state: ErbautState, seat: int) -> bool:
    """3.6, ES28: whether a player has a trilithon project that may be stolen."""
    unmarked = PILLARS_0 <= state.stage[seat] <= PILLARS_2
    return unmarked and (state.steal_back or not state.stolen[seat])


def cannot_build(state: ErbautState, seat: int) -> bool:
    """ES30: whether an open number card cannot become what its druid waits for."""
    if state.stage[seat] != OPEN:
        return False
    if state.druid[seat] < FIRST_D:
        return not state.has_bar(seat)
    return not state.discs[seat]
