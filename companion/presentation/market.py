"""Cards for sale, and piles of a ledger: what each touch means, why something is dimmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple, Self

from companion.match.hands import Hand
from companion.match.view import MatchView, PlayView, TableState, TableView, waits_to_be_set
from companion.presentation.words.translate import _
from rules.core import Actor, Ledger, Market, Move, Objection, Options, Place, SupplyPile
from rules.telling import Teller, alphabetical
from rules.texts import minus

_GROUPS = ("action", "attack", "reaction", "treasure", "victory", "curse")
"""Order of the cards of a hand, whatever may be done with them."""
_HARMLESS = ("none", "keep")
"""Answers that leave everything as it is."""
_TAKEN = ("buy", "gain")
TRASH = ""
"""The kind of the tile that is no pile."""
_LOST = "board_lost"
"""Reason of a camera that does not see the board only for the moment."""


class Pen(StrEnum):
    """Meaning of a touch of a pile where no hand is known: it was played, or bought."""

    PLAY = "play"
    BUY = "buy"


@dataclass(frozen=True, slots=True)
class CardTile:
    """A card, or equal ones on top of each other, as they can be touched."""

    kind: str
    name: str
    lines: tuple[str, ...]
    """Its name in one or two lines."""
    group: str
    label: str
    """Sort of card, in one word."""
    sign: str
    """A figure to be drawn large; empty if it has none."""
    cost: int
    count: int
    """Number of cards."""
    moves: tuple[Move, ...] = ()
    """Moves that a touch plays; empty: the card is dimmed."""
    why: str = ""
    """Reason why it is dimmed."""
    gained: int = 0
    """Number of cards taken from the pile in this turn, or come to the hand just now."""
    asks: bool = False
    """True if a touch is to be asked about: it would do harm. Such a card is half lit."""
    chosen: bool = False
    """True if it was named for the match that is being set up."""

    @property
    def lit(self) -> bool:
        """True if a touch plays something, or it was named."""
        return self.chosen or bool(self.moves)

    @property
    def look(self) -> tuple[object, ...]:
        """Everything about it that is drawn: cards of one look need no new drawing."""
        return (
            self.kind, self.name, self.lines, self.group, self.label, self.sign, self.cost,
            self.count, self.lit, self.gained, self.asks,
        )  # fmt: skip

    @classmethod
    def of(cls, pile: SupplyPile, count: int, teller: Teller, **more: Any) -> Self:
        """``count`` cards like those of ``pile``, and ``more`` of the fields."""
        return cls(
            pile.kind, teller.kind(pile.kind), teller.broken(pile.kind), pile.group,
            teller.text("types", pile.types[0]), pile.sign, pile.cost, count, **more,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """A key: words, what comes of it in one line, and what it plays."""

    text: str
    note: str
    moves: tuple[Move, ...]
    primary: bool


@dataclass(frozen=True, slots=True)
class Stall:
    """A market as it is shown."""

    name: str
    """Name of the player who is asked."""
    role: str
    """Their role: to move, or only asked."""
    figures: tuple[tuple[str, str], ...]
    """Figure and label."""
    wares: tuple[CardTile, ...]
    hand: tuple[CardTile, ...]
    open: tuple[CardTile, ...]
    """Cards that lie face up for a decision."""
    ask: str
    """The question, in one sentence; empty in a turn."""
    played: tuple[tuple[str, int], ...]
    """Cards played in this turn: kinds and how many."""
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class CardPage:
    """A card by itself, to be read."""

    kind: str
    title: str
    group: str
    sign: str
    types: str
    text: str
    cost: int
    left: int
    full: int
    purse: int | None
    """Money to pay with; None before the first turn."""
    do: str
    """The word on the key that plays ``moves``; empty if there is nothing to do with it."""
    moves: tuple[Move, ...]


def sells_cards(view: TableView) -> bool:
    """True if this match is played on a screen that shows cards for sale.

    Where a camera watches real cards its words about the table are needed more.
    """
    if view.market is None or view.outcome is not None or view.prompt is None:
        return False
    if waits_to_be_set(view):
        return False  # the board shows what is to be taken from where
    blind = view.state is TableState.BLIND and view.blind_reason != _LOST
    return not view.physical or blind


def needs_pen(view: MatchView) -> bool:
    """True if the meaning of a touch of a pile must be chosen."""
    market = view.market
    return view.real_cards and view.thinks is None and market is not None and _in_turn(market)


def stall_of(
    view: PlayView,
    hand: Hand | None,
    pen: Pen,
    teller: Teller,
    gained: Mapping[str, int] | None = None,
    fresh: Mapping[str, int] | None = None,
) -> Stall:
    """The market of ``view`` as it is shown.

    ``hand``: the cards of the player who is asked; None if they may not be shown, or are real ones.
    ``gained``: numbers of cards taken by pile, and ``fresh``: those that came to the hand, to be
    marked.
    """
    market, prompt = view.market, view.prompt
    assert market is not None and prompt is not None
    covered = view.secret and hand is None
    legal = () if covered else view.legal
    tiles = _Tiles(market, teller, _by_card(legal, market), lit=not covered)
    order = list(market.wares)
    if market.naming:
        order.sort(key=lambda ware: alphabetical(teller.kind(ware.kind)))
    to_hand = view.real_cards and (pen is Pen.PLAY or not _in_turn(market))
    gained = gained or {}
    asked = prompt.player if prompt.actor is Actor.PLAYER else None
    return Stall(
        name=teller.seat(asked) if asked is not None else teller.prompt(prompt).title,
        role=_role(asked, market),
        figures=tuple(_figure(key, number, teller) for key, number in market.figures),
        wares=(
            *(tiles.ware(ware, to_hand=to_hand, gained=gained.get(ware.kind, 0)) for ware in order),
            *([] if market.naming else [_trash_tile(market, teller)]),
        ),
        hand=() if hand is None else tuple(tiles.hand(hand, fresh or {})),
        open=tuple(tiles.open()),
        ask=_ask(view, teller),
        played=tuple(Counter(market.played).items()),
        answers=() if covered else tuple(_answers(view, market, hand, legal, teller)),
    )


def card_page(
    ware: SupplyPile, tile: CardTile, teller: Teller, options: Options, purse: int | None = None
) -> CardPage:
    """The page of a card; ``tile`` is where it was held, ``purse`` the money to pay with."""
    move = tile.moves[0] if tile.moves else None
    return CardPage(
        kind=ware.kind, title=tile.name, group=ware.group, sign=ware.sign,
        types=_types(ware, teller), text=teller.rule(ware.rule, options).text,
        cost=ware.cost, left=ware.left, full=ware.full,
        purse=purse,
        do=teller.text("market", move.verb, cost=ware.cost) if move is not None else "",
        moves=tile.moves,
    )  # fmt: skip


def gained_since(before: Market | None, now: Market | None) -> Counter[str]:
    """Numbers of cards taken from piles between two looks; negative: they were put back."""
    if before is None or now is None or before.naming or now.naming:
        return Counter()
    left = {ware.kind: ware.left for ware in before.wares}
    changes = {ware.kind: left.get(ware.kind, ware.left) - ware.left for ware in now.wares}
    return Counter({kind: number for kind, number in changes.items() if number})


# -- what touches mean ------------------------------------------------------------------------

_AtCard = Mapping[tuple[Place, str], tuple[Move, ...]]


def _in_turn(market: Market) -> bool:
    """True if there is no question: cards may be played and taken."""
    return {Place.HAND, Place.WARES} <= set(market.places.values())


def _by_card(legal: Iterable[Move], market: Market) -> _AtCard:
    """Moves by the card whose touch plays them. A card of which several could be meant has none."""
    found: dict[tuple[Place, str], list[Move]] = {}
    known = {ware.kind for ware in market.wares}
    for move in legal:
        place = market.places.get(move.verb)
        if place is not None and move.args and move.args[-1] in known:
            found.setdefault((place, move.args[-1]), []).append(move)
    return {at: tuple(moves) for at, moves in found.items() if len(moves) == 1}


@dataclass(frozen=True, slots=True)
class _Tiles:
    """Makes tiles of one market."""

    market: Market
    teller: Teller
    at: _AtCard
    lit: bool
    """True if anything may be touched."""

    def ware(self, ware: SupplyPile, *, to_hand: bool, gained: int) -> CardTile:
        """A pile; ``to_hand``: a touch says what was done with such a card of a hand."""
        moves, objection = self.at.get((Place.WARES, ware.kind), ()), ware.refused
        if to_hand:
            moves = self.at.get((Place.HAND, ware.kind), moves)
            objection = ware.idle
        tile = self._tile(ware, ware.left, moves, objection, gained)
        own = any(move.verb in _TAKEN for move in moves)
        return replace(tile, asks=ware.harms and own)

    def hand(self, hand: Hand, fresh: Mapping[str, int]) -> Iterable[CardTile]:
        """The cards of a hand, equal ones together, in an order that does not depend on what may
        be done."""
        wares = {ware.kind: ware for ware in self.market.wares}
        held = [(wares[kind], count) for kind, count in hand.things if kind in wares]
        held.sort(key=lambda one: (_GROUPS.index(one[0].group), -one[0].cost, one[0].kind))
        for ware, count in held:
            moves = self.at.get((Place.HAND, ware.kind), ())
            yield self._tile(ware, count, moves, ware.idle, fresh.get(ware.kind, 0))

    def open(self) -> Iterable[CardTile]:
        """Cards that lie face up."""
        for kind, count in Counter(kind for _seat, kind in self.market.open).items():
            ware = self.market.ware(kind)
            if ware is not None:
                yield self._tile(ware, count, self.at.get((Place.OPEN, kind), ()), None)

    def _tile(
        self,
        ware: SupplyPile,
        count: int,
        moves: tuple[Move, ...],
        objection: Objection | None,
        gained: int = 0,
    ) -> CardTile:
        teller, why = self.teller, ""
        if not moves and objection is not None and self.lit:
            told = teller.objection(objection)
            why = f"{told.title} – {told.text}"
        return CardTile.of(ware, count, teller, moves=moves, why=why, gained=gained)


def _answers(
    view: PlayView, market: Market, hand: Hand | None, legal: Sequence[Move], teller: Teller
) -> Iterable[Answer]:
    """Keys: everything that no touch of a card says, what people mostly do first."""
    touched = {move for moves in _by_card(legal, market).values() for move in moves}
    at_once = _all_at_once(market, hand, legal)
    if at_once:
        yield _at_once_key(market, at_once, legal, teller)
    # What most people answer, of several, has a key even if a card says it too.
    often = view.usual if len(legal) > 1 and not at_once else None
    keys = [move for move in legal if move not in touched or move == often]
    keys.sort(key=lambda move: (move != view.usual, move.verb not in _HARMLESS, move.text))
    for move in keys:
        text, note = teller.key(move, view.prompt)
        yield Answer(text, note, (move,), primary=move == view.usual and not at_once)


def _all_at_once(market: Market, hand: Hand | None, legal: Sequence[Move]) -> tuple[Move, ...]:
    """All cards of the hand that are mostly played together, one after the other."""
    if hand is None:
        return ()
    worth = market.brings
    named = {m.args[0]: m for m in legal if market.places.get(m.verb) is Place.HAND and m.args}
    held = [(kind, count) for kind, count in hand.things if kind in worth and kind in named]
    held.sort(key=lambda one: (-worth[one[0]], one[0]))
    return tuple(named[kind] for kind, count in held for _number in range(count))


def _at_once_key(
    market: Market, moves: tuple[Move, ...], legal: Sequence[Move], teller: Teller
) -> Answer:
    more = sum(market.brings[move.args[0]] for move in moves)
    # Whoever may still play something else would lose that.
    others = any(
        market.places.get(move.verb) is Place.HAND and move.args[0] not in market.brings
        for move in legal
        if move.args
    )
    note = teller.text("market", "late" if others else "brings", coins=more,
                       total=market.purse + more)  # fmt: skip
    return Answer(teller.text("market", "all"), note, moves, primary=not others)


# -- words ------------------------------------------------------------------------------------


def _role(asked: int | None, market: Market) -> str:
    if asked is None:
        return ""
    if market.naming or asked == market.turn:
        return _("play.to_move")
    return _("play.is_asked")


def _ask(view: MatchView, teller: Teller) -> str:
    prompt, market = view.prompt, view.market
    assert prompt is not None and market is not None
    if _in_turn(market):
        return ""
    if teller.has("asks", prompt.code):
        values = dict(prompt.values)
        if prompt.player is not None:
            values.setdefault("player", prompt.player)
        return teller.text("asks", prompt.code, **values)
    return teller.prompt(prompt).text


def _figure(key: str, number: int, teller: Teller) -> tuple[str, str]:
    one, _bar, many = teller.text("figures", key).partition("|")
    return str(number), one if number == 1 else many


def _trash_tile(market: Market, teller: Teller) -> CardTile:
    """Its touch only tells what is in there."""
    counts = Counter(market.trash).items()
    told = [teller.kind(k) if n == 1 else f"{n}\u00a0×\u00a0{teller.kind(k)}" for k, n in counts]
    why = _("play.in_the_trash").format(cards=teller.list(told))
    name = _("play.trash")
    return CardTile(
        TRASH, name, (name,), "trash", "", "", 0, len(market.trash),
        why=why if told else _("play.the_trash_is_empty"),
    )  # fmt: skip


def _types(ware: SupplyPile, teller: Teller) -> str:
    return " · ".join(teller.text("types", one) for one in ware.types)


GAIN, TRASH = "gain", "trash"
MOST_KEYS = 3
"""Maximum number of keys for likely entries."""
TRASH_PILE = ""
"""The kind of the tile that is no pile."""
_MOST_TOLD = 4
_LONG_NAME = 8
_SIGNS = {GAIN: "+", TRASH: "−", "take": "+"}


@dataclass(frozen=True, slots=True)
class LedgerPen:
    """The meaning of the next touch of a pile."""

    mover: int
    seat: int
    """Seat that it concerns."""
    fewer: bool = False
    """True for one card fewer, not one more: the second of the ledger's verbs."""

    @staticmethod
    def of(mover: int) -> LedgerPen:
        """The meaning of a touch while nothing else was said."""
        return LedgerPen(mover, mover)

    @property
    def elsewhere(self) -> bool:
        """True if it concerns another player."""
        return self.seat != self.mover

    def touch_switch(self, fewer: bool) -> LedgerPen:
        """The switch was set to one card ``fewer``, or to one more."""
        return replace(self, fewer=fewer)

    def touch_seat(self, seat: int, ledger: Ledger) -> LedgerPen:
        """A player was touched; a second time: the player to move again."""
        if not ledger.others or seat in (self.seat, self.mover):
            return LedgerPen.of(self.mover)
        return LedgerPen(self.mover, seat, ledger.others == ledger.verbs[1])


def entry(ledger: Ledger, pen: LedgerPen, kind: str) -> Move:
    """The move that a touch of the pile ``kind`` makes."""
    whose = (f"p{pen.seat}",) if pen.elsewhere else ()
    return Move.of(pen.mover, ledger.verbs[pen.fewer], *whose, kind)


def counts_only(ledger: Ledger) -> bool:
    """True if nothing changes hands, and cards are only counted."""
    return GAIN not in ledger.verbs


def keys_of(ledger: Ledger) -> tuple[Move, ...]:
    """Entries that have keys of their own."""
    return ledger.likely[:MOST_KEYS]


def taken(legal: Sequence[Move]) -> tuple[Move, ...]:
    """Moves that take a card out of the trash now."""
    return tuple(move for move in legal if move.verb == "take")


# -- words ------------------------------------------------------------------------------------


def short_text(move: Move, teller: Teller) -> str:
    """An entry in as few words as possible, such as „− Kupfer“ or „Ben + Fluch“."""
    told = f"{_SIGNS[move.verb]} {teller.kind(move.args[-1])}"
    if len(move.args) < 2:
        return told
    name = teller.seat(int(move.args[0][1:]))
    return f"{name if len(name) <= _LONG_NAME else name[: _LONG_NAME - 1] + '.'} {told}"


def entered_text(ledger: Ledger, teller: Teller) -> str:
    """The entries of this turn; of many the last ones."""
    told = [short_text(move, teller) for move in ledger.entered[-_MOST_TOLD:]]
    if len(ledger.entered) > _MOST_TOLD:
        told.insert(0, "…")
    return ", ".join(told)


def pen_text(pen: LedgerPen, teller: Teller) -> str:
    """The meaning of the next touch, if it is an unusual one."""
    if pen == LedgerPen.of(pen.mover):
        return ""
    told = _("play.what_name_trashed") if pen.fewer else _("play.what_name_gained")
    return told.format(name=teller.seat(pen.seat))


# -- tiles ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PileTile:
    """A pile, or the trash, as it is shown."""

    kind: str
    """``TRASH_PILE``: the trash."""
    lines: tuple[str, ...]
    """Its name, in one or two lines."""
    figure: str
    """Number of cards."""
    group: str
    able: bool
    """True if a touch enters something."""
    scarce: bool
    badge: str
    """Its change in this turn: ``+1``."""


def pile_tiles(
    ledger: Ledger, pen: LedgerPen | None, legal: Collection[Move], teller: Teller
) -> tuple[PileTile, ...]:
    """The piles, and the trash if there is one, for what ``pen`` would enter.

    Without a pen they are only looked at.
    """
    changed = _changes(ledger)
    tiles = []
    for pile in ledger.piles:
        owned = pen is not None and pen.fewer and not counts_only(ledger)
        count = ledger.owned[pen.seat].get(pile.kind, 0) if owned and pen else pile.left
        # An empty pile is told in a word; that somebody owns none of a card is a plain figure.
        gone = not count and not owned and not counts_only(ledger)
        able = pen is None or entry(ledger, pen, pile.kind) in legal
        tiles.append(
            PileTile(
                pile.kind, teller.broken(pile.kind), _("play.empty") if gone else str(count),
                pile.group, able, pile.scarce, changed.get(pile.kind, ""),
            )
        )  # fmt: skip
    if counts_only(ledger):
        return tuple(tiles)
    able = pen is not None and bool(taken(tuple(legal)))
    badge = changed.get(TRASH_PILE, "")
    tiles.append(
        PileTile(TRASH_PILE, (_("play.trash"),), str(ledger.trash), "trash", able, False, badge)
    )
    return tuple(tiles)


def choice_tiles(legal: Sequence[Move], teller: Teller) -> dict[Move, PileTile]:
    """Moves that name one card each, before there are piles: one tile per move."""
    return {
        move: PileTile(
            move.args[0], teller.broken(move.args[0]), "", "action", able=True, scarce=False,
            badge="",
        )
        for move in sorted(legal, key=lambda move: alphabetical(teller.kind(move.args[-1])))
        if len(move.args) == 1
    }  # fmt: skip


class LedgerWay(NamedTuple):
    """A card that came to a player, or ``back``."""

    seat: int
    kind: str
    tile: str
    """Kind of the tile on the other end: its pile, or the trash."""
    back: bool


def ledger_ways(before: Ledger | None, now: Ledger | None) -> list[LedgerWay]:
    """Ways of cards between two looks at a ledger, each kind once for a player."""
    if before is None or now is None or before.verbs != now.verbs:
        return []
    ways, thrown = [], now.trash - before.trash
    for seat, (had, has) in enumerate(zip(before.owned, now.owned, strict=True)):
        for kind in {**had, **has}:
            more = has.get(kind, 0) - had.get(kind, 0)
            if more:
                tile = TRASH_PILE if more * thrown < 0 else kind
                ways.append(LedgerWay(seat, kind, tile, more < 0))
    return ways


def _changes(ledger: Ledger) -> dict[str, str]:
    """The change of each pile and of the trash in this turn, as a badge."""
    gained, trash = Counter[str](), 0
    for move in ledger.entered:
        if move.verb == GAIN:
            gained[move.args[-1]] += 1
        trash += (move.verb == TRASH) - (move.verb == "take")
    badges = {kind: f"+{count}" for kind, count in gained.items()}
    if trash:
        badges[TRASH_PILE] = minus(f"{trash:+d}")
    return badges
