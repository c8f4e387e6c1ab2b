"""Numbered cards of a box, and which moves chosen ones mean. Free of Kivy and of any game.

Suits, columns and colours are found in the box alone. Several cards mean one move that names them
all, or one move after the other: see ``picking_of``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from companion.match.view import PlayView, TableState
from companion.presentation.boxes import box_of
from companion.presentation.touching import lying_sites, placeless, touched
from rules.box import PieceKind, load_box
from rules.core import Actor, Move, Objection


@dataclass(frozen=True, slots=True)
class Suit:
    """Numbered cards of one sort, such as those of the day."""

    cards: tuple[str, ...]
    """Names of the cards in moves, in the order of their numbers."""
    light: bool
    """True if these cards are lighter than others."""


@dataclass(frozen=True, slots=True)
class CardPlan:
    """Places of all cards of a box on the screen."""

    suits: tuple[Suit, ...]
    others: tuple[str, ...]
    """Cards without a number."""
    columns: int
    """Number of cards beside each other."""
    kinds: Mapping[str, PieceKind]
    """Kinds by the cards' names in moves."""
    paints: Mapping[str, PieceKind]
    """A piece of each colour."""

    def order(self, card: str) -> int:
        """Position of a card in the order of all."""
        return [*self.kinds].index(card)


@lru_cache(maxsize=8)
def card_plan(name: str) -> CardPlan | None:
    """The plan of the box with this name; None if its cards bear no numbers."""
    box = load_box(name)
    cards = {kind.id.rpartition(" ")[2]: kind for kind in box.kinds.values() if _is_face(kind)}
    numbered = {card: kind for card, kind in cards.items() if kind.mark.isdigit()}
    if not numbered:
        return None
    by_letters: dict[str, list[str]] = {}
    for card in sorted(numbered, key=lambda card: int(numbered[card].mark)):
        by_letters.setdefault(card.rstrip("0123456789"), []).append(card)
    lights = {
        letters: _mean(_light(cards[card]) for card in by_letters[letters])
        for letters in by_letters
    }
    suits = [
        Suit(tuple(by_letters[letters]), light >= _mean(lights.values()))
        for letters, light in lights.items()
    ]
    others = tuple(card for card in cards if card not in numbered)
    ordered = [card for suit in suits for card in suit.cards] + [*others]
    return CardPlan(
        suits=tuple(sorted(suits, key=lambda suit: not suit.light)),
        others=others,
        columns=_period([cards[card].signed for card in suits[0].cards]),
        kinds={card: cards[card] for card in ordered},
        paints={kind.owner: kind for kind in box.kinds.values() if kind.owner and kind not in
                cards.values()},
    )  # fmt: skip


def cards_of(move: Move, plan: CardPlan) -> tuple[str, ...]:
    """The cards that a move names, in its order."""
    return tuple(part for part in _parts(move) if part in plan.kinds)


def others_of(move: Move, plan: CardPlan) -> tuple[str, ...]:
    """All other parts that a move names, in its order."""
    return tuple(part for part in _parts(move) if part not in plan.kinds)


def _parts(move: Move) -> list[str]:
    return [p for arg in move.args for p in (arg.partition("=")[2] or arg).split(",")]


def _is_face(kind: PieceKind) -> bool:
    return kind.shape == "card" and bool(kind.mark) and kind.mark != "?"


def _light(kind: PieceKind) -> int:
    return sum(int(kind.colour[at : at + 2], 16) for at in (1, 3, 5))


def _mean(values: Iterable[float]) -> float:
    found = [*values]
    return sum(found) / len(found)


def _period(colours: Sequence[str]) -> int:
    """After how many cards the colours return."""
    for step in range(1, len(colours)):
        if all(a == b for a, b in zip(colours, colours[step:], strict=False)):
            return step
    return len(colours)


MOST_LISTED = 3
"""Maximum number of different cards in moves that are offered one by one, without a picker."""
MOST_HELD = 10
"""Maximum number of cards of a hand that are shown beside the board as they are; more stand in the
picker."""
MOST_KEYS = 6
"""Maximum number of moves without a place that have a key each; of more those of cards are chosen
in the picker."""
MOST_MEANINGS = 5
"""Maximum number of meanings to choose from; of more one part is asked after the other."""
_LONGEST, _MOST_TRIED = 40, 15

Entry = tuple[Move, ...]
"""Moves that one touch enters, one after the other."""


def card_moves(view: PlayView) -> tuple[Move, ...]:
    """The legal moves that are entered by choosing cards."""
    plan = card_plan(view.box)
    if plan is None or view.outcome is not None:
        return ()
    named = _named(view, plan)
    cards = {card for move in named for card in cards_of(move, plan)}
    together = any(len(cards_of(move, plan)) > 1 for move in named)
    many = len(placeless(view, box_of(view))) > MOST_KEYS
    least = 0 if view.secret else MOST_LISTED
    return tuple(named) if len(cards) > least or together or many else ()


def is_hand(view: PlayView) -> bool:
    """True if the cards to choose from are a hand that was dealt, and few enough to be shown as
    they are. With real cards it is in the players' hands, and what it may be is a long list."""
    plan = card_plan(view.box)
    if plan is None or not view.secret:
        return False
    cards = {card for move in card_moves(view) for card in cards_of(move, plan)}
    return 0 < len(cards) <= MOST_HELD


def _named(view: PlayView, plan: CardPlan) -> list[Move]:
    """The legal moves that name cards which do not lie openly on the table."""
    box = box_of(view)
    named = [move for move in view.legal if cards_of(move, plan)]
    open_verbs = {m.verb for m in named if not lying_sites(m, view, box)}
    # What lies openly on the table is touched there.
    named = [move for move in named if move.verb in open_verbs]
    if len({touched(move, view, box) for move in named}) > 1:
        named = [move for move in named if not touched(move, view, box)]
    return named


def placed_cards(view: PlayView, held: Collection[str]) -> tuple[Move, ...]:
    """The legal moves that spend one of the cards ``held`` and are told by touching places."""
    plan = card_plan(view.box)
    if plan is None or not view.secret:
        return ()
    box, chosen = box_of(view), {*card_moves(view)}
    found = (move for move in view.legal if move not in chosen and touched(move, view, box))
    return tuple(move for move in found if {*cards_of(move, plan)} & {*held})


def is_only_cards(view: PlayView) -> bool:
    """True if nothing but cards is asked for, of what chance or the table showed, and no camera
    looks for them: while it does the board and its questions stay in sight."""
    prompt = view.prompt
    if prompt is None or prompt.actor is Actor.PLAYER or not view.legal:
        return False
    if view.state is not TableState.BLIND:
        return False
    return len(card_moves(view)) == len(view.legal)


@dataclass(frozen=True)
class Picking:
    """Cards and other parts chosen so far of the moves of one view."""

    view: PlayView
    plan: CardPlan
    moves: tuple[Move, ...]
    chosen: tuple[str, ...] = ()
    """Cards, in the order of the touches."""
    parts: tuple[str, ...] = ()
    """Other parts that were chosen, such as a colour."""
    _seen: dict[Entry, tuple[Move, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Continuations of a chain, worked out once …"""
    _named: dict[Move, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    """… and the cards of each move."""

    # -- what the cards mean ----------------------------------------------------------------

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Possible meanings of the chosen cards now; empty without any."""
        if not self.chosen:
            return ()
        whole = [
            (move,)
            for move in self.moves
            if len(self.chosen) > 1 and sorted(self._names(move)) == sorted(self.chosen)
        ]
        found = (*whole, *self._chains(self.chosen))
        fitting = [entry for entry in found if self._fits(entry[-1])]
        besides = [others_of(entry[-1], self.plan) for entry in fitting]
        order = sorted(range(len(fitting)), key=lambda n: [*map(self._in_order, besides[n])])
        return tuple(fitting[number] for number in order)

    @cached_property
    def asked_parts(self) -> tuple[str, ...]:
        """Parts to choose besides, one at a time, because the cards alone may mean too much."""
        entries = self.entries
        if len(entries) <= MOST_MEANINGS or any(len(entry) > 1 for entry in entries):
            return ()
        found: dict[str, None] = {}
        for (move,) in entries:
            left = Counter(self.parts)
            for part in others_of(move, self.plan):
                if left[part]:
                    left[part] -= 1
                else:
                    found[part] = None
                    break
        return tuple(sorted(found, key=self._in_order))

    @cached_property
    def possible(self) -> frozenset[str]:
        """The cards that may be chosen next."""
        chosen = set(self.chosen)
        found = {card for m in self.moves if chosen.issubset(n := self._names(m)) for card in n}
        for chain in self._chains(self.chosen):
            found |= {card for move in self._next(chain) for card in self._names(move)}
        return frozenset(found - set(self.chosen))

    @property
    def one_by_one(self) -> bool:
        """True if never more than one card is chosen, so that a touch says everything."""
        if self.sets:
            return False
        if self.wanted:
            return self.wanted == 1
        return not any(self._next((move,)) for move in self.moves[:_MOST_TRIED])

    @property
    def wanted(self) -> int:
        """Number of cards that chance or the table showed and that are still to be entered; 0: as
        many as the player likes."""
        prompt = self.view.prompt
        if prompt is None or prompt.actor is Actor.PLAYER or not self.moves:
            return 0
        chain: Entry = (self.moves[0],)
        while len(chain) < _LONGEST and (after := self._next(chain)):
            chain = (*chain, after[0])
        return len(chain)

    @property
    def entered(self) -> int:
        """Number of cards of the same showing that are entered already."""
        if not self.wanted:
            return 0
        verb, whose = self.moves[0].verb, self.moves[0].args[:-1]
        number = 0
        for move in reversed(self.view.told):
            if (move.verb, move.args[:-1]) == (verb, whose):
                number += 1
            elif f"p{move.player}" not in whose:
                # Only what the owner of the cards is asked meanwhile may come between them.
                break
        return number

    # -- touching ---------------------------------------------------------------------------

    def touch(self, card: str) -> Picking:
        """The picking after ``card`` was touched: chosen, or left out again if it was chosen."""
        if card in self.chosen:
            left = tuple(one for one in self.chosen if one != card)
            kept = self._with(left)
            # What was chosen after it may have rested on it.
            return kept if not left or kept.entries else self._with(
                self.chosen[: self.chosen.index(card)]
            )  # fmt: skip
        return self._with((*self.chosen, card)) if card in self.possible else self

    def say(self, part: str) -> Picking:
        """The picking after ``part`` was said besides."""
        return replace(self, parts=(*self.parts, part))

    def lacks(self, move: Move) -> bool:
        """True if ``move`` has more other parts than were chosen."""
        return bool(Counter(others_of(move, self.plan)) - Counter(self.parts))

    def back(self) -> Picking:
        """One touch less."""
        if self.parts:
            return replace(self, parts=self.parts[:-1])
        return self._with(self.chosen[:-1])

    def why_not(self, card: str) -> Objection | None:
        """Objection to choosing ``card`` now, as far as the rules can say."""
        ahead = self.view.ahead
        if ahead is None or not self.moves:
            return None
        near = self._nearest(card)
        if near is None:
            return None
        chains = [] if self.sets else self._chains(self.chosen)
        chain = next(filter(self._next, chains), next(iter(chains), ()))
        cards = sorted((*self.chosen, card), key=self.plan.order) if self.sets else [card]
        (named,) = self._names(near)
        words = (",".join(cards) if word == named else word for word in near.text.split())
        return next(iter(ahead.refusal((*chain, Move.parse(" ".join(words)))) or ()), None)

    # -- private ----------------------------------------------------------------------------

    def _nearest(self, card: str) -> Move | None:
        """The most usual move with a card of the same sort, with one that is possible."""
        single = [move for move in self.moves if len(self._names(move)) == 1]
        numbered = card not in self.plan.others
        same = [m for m in single if (self._names(m)[0] not in self.plan.others) == numbered]
        verbs = Counter(move.verb for move in same or single)
        return next(
            (m for m in same or single if m.verb == max(verbs, key=verbs.__getitem__)), None
        )

    def _with(self, chosen: tuple[str, ...]) -> Picking:
        return replace(self, chosen=chosen, parts=())

    @property
    def sets(self) -> bool:
        """True if one move may name several cards."""
        return any(len(self._names(move)) > 1 for move in self.moves)

    def _names(self, move: Move) -> tuple[str, ...]:
        if move not in self._named:
            self._named[move] = cards_of(move, self.plan)
        return self._named[move]

    def _in_order(self, part: str) -> int:
        """Colours as they stand on the board."""
        colours = [*self.plan.paints]
        return colours.index(part) if part in colours else len(colours)

    def _fits(self, move: Move) -> bool:
        return not Counter(self.parts) - Counter(others_of(move, self.plan))

    def _chains(self, cards: Sequence[str]) -> list[Entry]:
        """Every way to play ``cards`` one after the other."""
        if not cards:
            return []
        (*before, last) = cards
        if not before:
            return [(move,) for move in self.moves if self._names(move) == (last,)]
        return [
            (*chain, move)
            for chain in self._chains(before)
            for move in self._next(chain)
            if self._names(move) == (last,)
        ]

    def _next(self, chain: Entry) -> tuple[Move, ...]:
        """Continuations of a chain: the same player names one more card for the same."""
        if chain not in self._seen:
            self._seen[chain] = self._look(chain)
        return self._seen[chain]

    def _look(self, chain: Entry) -> tuple[Move, ...]:
        ahead, last = self.view.ahead, chain[-1]
        if ahead is None:
            return ()
        who, besides = (last.actor, last.player), others_of(last, self.plan)
        return tuple(
            move
            for move in ahead.after(chain)
            if (move.actor, move.player) == who
            and len(self._names(move)) == 1
            and others_of(move, self.plan) == besides
        )


def picking_of(view: PlayView) -> Picking | None:
    """Choosing cards for ``view``; None if there is nothing to choose."""
    plan, moves = card_plan(view.box), card_moves(view)
    return Picking(view, plan, moves) if plan is not None and moves else None
