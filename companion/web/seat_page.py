"""The view of one seat in words and figures: the data of its phone.

A move is said in one of four ways, and phone and screen agree which: by a card or a piece of the
hand (``things``), by places on the board (``sites``), by a pile or an open card (``wares``,
``open``), or by a key. What is lit, what is dimmed and why comes from the models of the screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NotRequired, TypedDict

from companion.match.view import PlayView, TipView
from companion.presentation.boxes import box_of
from companion.presentation.cards import CardPlan, Picking, card_plan, cards_of, picking_of
from companion.presentation.choosing import MOST_FLAT, sections
from companion.presentation.market import Answer, CardTile, Pen, Stall, stall_of
from companion.presentation.pad import fields_of, question_of, range_told
from companion.presentation.touching import lying_sites, piece_of, touched
from companion.presentation.views import PrivateView
from companion.presentation.words.company import tip_words
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _, speaking
from companion.web.public_page import VERSION, PublicPage, Said, SupplyCard, said, supply_card
from rules.box import Box, PieceKind
from rules.core import Move, Pad
from rules.telling import Teller

MOST_ANSWERS: Final = 3
"""Maximum number of moves that have a key each, whatever they name."""
MOST_KEYS: Final = 4
"""Maximum number of moves that name nothing to be touched and have a key each; more of them are a
list."""
PILES: Final = {"draw pile": "draw", "discard pile": "discard"}
"""Kinds of places with piles of a player's own."""
_SUN, _MOON = "sun", "moon"


# -- the format -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A thing of one's own that lies face down."""

    site: str
    at: str
    name: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A pile, or an open card, and what its touch does."""

    kind: str
    name: str
    count: int
    able: bool
    why_not: str
    moves: Sequence[str]
    do: str


@dataclass(frozen=True, slots=True)
class HandCard(SupplyCard):
    """A card of the hand that was once for sale."""

    id: str
    able: bool
    why_not: str
    moves: Sequence[str]
    do: str


class Held(TypedDict):
    """A card or a piece of the hand; numbered cards have a colour and a suit."""

    id: str
    name: str
    kind: str | None
    count: int
    able: bool
    why_not: str
    moves: Sequence[str]
    colour: NotRequired[str]
    colour_sign: NotRequired[str]
    suit: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Key:
    """A key under the thumb."""

    title: str
    text: str
    yellow: bool
    moves: Sequence[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A move, and everything that is touched to say it."""

    move: str
    title: str
    text: str
    said: str
    things: Sequence[str]
    sites: Sequence[str]
    yellow: bool


@dataclass(frozen=True, slots=True)
class PadField:
    """A field for a number; a move is the ``stem``, the number and, if it counts several times,
    ``by=`` and the factor."""

    row: str
    name: str
    stem: str
    range: str
    least: int
    most: int
    step: int
    factors: Sequence[int]


@dataclass(frozen=True, slots=True)
class DieField:
    """A die and its faces, each with the word for it."""

    kind: str
    name: str
    faces: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ThrowField:
    """Dice that are told face by face; a move is the ``stem`` and a face for each die, those of
    equal dice side by side in the order of the faces."""

    title: str
    stem: str
    dice: Sequence[DieField]


@dataclass(frozen=True, slots=True)
class ListedMove:
    """A move in a list."""

    text: str
    move: str


@dataclass(frozen=True, slots=True)
class Choices:
    """Moves that read alike."""

    title: str
    tiles: Sequence[ListedMove]


@dataclass(frozen=True, slots=True)
class OwnPile:
    """Number of cards in a pile of one's own."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class TipPage:
    """The tip that was asked for."""

    title: str
    lines: Sequence[str]
    sites: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPage:
    """A match as one seat may see it."""

    v: int = VERSION
    state: str = "open"
    match: str
    changes: int
    """Number of changes to the record; what a phone asks counts only while it is the same."""
    seat: int
    name: str
    lang: str
    asked: bool
    may_play: bool
    question: str
    """Stays the same while others answer the same question."""
    prompt: Said | None
    physical: bool
    secret: bool
    take_back: str
    may_tip: bool
    tip: TipPage | None
    ask: str = ""
    figures: Sequence[tuple[str, str, str]] = ()
    """Words, figure, and key of each."""
    hand: Sequence[HandCard | Held]
    wares: Sequence[Tile] = ()
    open: Sequence[Tile] = ()
    keys: Sequence[Key]
    choices: Sequence[Choices] = ()
    moves: Sequence[Entry] = ()
    pad: Sequence[PadField] = ()
    throw: ThrowField | None = None
    piles: Sequence[OwnPile] = ()
    lying: Sequence[FaceDown]
    public: PublicPage


# -- made from a view -------------------------------------------------------------------------


def seat_page(
    view: PrivateView, lang: str, public: PublicPage, *, all_piles: bool = False
) -> SeatPage:
    """The page in a language; ``public``: the public page of the same moment. ``all_piles``: with
    those from which nothing can be taken now, and why."""
    with speaking(lang):
        teller, box = teller_of(view, lang), box_of(view)
        if view.market is not None and view.prompt is not None:
            own = _at_market(view, teller, all_piles=all_piles)
        elif view.pad is not None:
            own = _at_sheet(view, view.pad, teller)
        else:
            own = _at_board(view, teller, box)
        return SeatPage(
            match=view.public.public_id,
            changes=view.changes,
            seat=view.seat,
            name=teller.seat(view.seat),
            lang=lang,
            asked=view.prompt is not None and view.prompt.awaits(view.seat),
            may_play=view.may_play,
            question=" ".join(map(str, question_of(view, view.seat))),
            prompt=None if view.prompt is None else said(teller.prompt(view.prompt)),
            physical=view.physical,
            secret=view.hides,
            take_back=teller.move(view.back[-1]) if view.back else "",
            may_tip=view.may_tip,
            tip=None if view.tip is None else _tip(view.tip, view, box, teller),
            throw=_throw(view, teller),
            lying=[
                FaceDown(site, teller.site(site), _name(thing, _kind_of(thing, box, view), teller))
                for site, thing in view.hand.lying
            ],
            public=public,
            **own,
        )


# -- cards for sale ---------------------------------------------------------------------------


def _at_market(view: PrivateView, teller: Teller, *, all_piles: bool) -> dict[str, Any]:
    stall, own = stall_of(view, view.hand, Pen.PLAY, teller), bool(view.legal)
    assert view.market is not None
    by_kind = {ware.kind: ware for ware in view.market.wares}
    return {
        "ask": _ask(view, stall, teller) if own else "",
        "figures": _figures(view, stall) if own else [],
        "hand": [
            _hand_card(tile, supply_card(by_kind[tile.kind], view, teller), teller, own=own)
            for tile in stall.hand
        ],
        "wares": [
            _tile(tile, teller, own=own) for tile in stall.wares
            if (tile.kind and all_piles) or (own and tile.moves)
        ],
        "open": [_tile(tile, teller, own=own) for tile in stall.open],
        "keys": [_answer(answer) for answer in stall.answers] if own else [],
        "piles": _piles(view),
    }  # fmt: skip


def _ask(view: PrivateView, stall: Stall, teller: Teller) -> str:
    """The instruction, without the figures, which stand beside it."""
    prompt = view.prompt
    if stall.ask or prompt is None or not teller.has("asks", prompt.code):
        return stall.ask
    return teller.text("asks", prompt.code)


def _figures(view: PrivateView, stall: Stall) -> list[tuple[str, str, str]]:
    keys = () if view.market is None else tuple(key for key, _number in view.market.figures)
    return [(word, figure, key) for (figure, word), key in zip(stall.figures, keys, strict=True)]


def _tile(tile: CardTile, teller: Teller, *, own: bool) -> Tile:
    does = own and tile.moves
    return Tile(
        tile.kind, tile.name, tile.count, own and bool(tile.moves), tile.why if own else "",
        [move.text for move in tile.moves] if own else [],
        teller.text("market", tile.moves[0].verb, cost=tile.cost) if does else "",
    )  # fmt: skip


def _hand_card(tile: CardTile, card: SupplyCard, teller: Teller, *, own: bool) -> HandCard:
    how = _tile(tile, teller, own=own)
    return HandCard(
        card.kind, card.name, card.lines, card.group, card.label, card.types, card.sign, card.cost,
        how.count, card.text, card.kind, how.able, how.why_not, how.moves, how.do,
    )  # fmt: skip


def _answer(answer: Answer) -> Key:
    return Key(answer.text, answer.note, answer.primary, [move.text for move in answer.moves])


def _piles(view: PrivateView) -> list[OwnPile]:
    sites = {
        site.kind: site.id
        for site in box_of(view).sites.values()
        if site.kind in PILES and site.id.endswith(f"-p{view.seat}")
    }
    lying = Counter(item.site for item in view.items)
    return [OwnPile(PILES[kind], lying[sites[kind]]) for kind in PILES if kind in sites]


# -- a score sheet ----------------------------------------------------------------------------


def _at_sheet(view: PrivateView, pad: Pad, teller: Teller) -> dict[str, Any]:
    """Fields for numbers; whatever else may be done has a key."""
    own = fields_of(view, view.seat)
    typed = {field.verb for field in pad.fields}
    keyed = [move for move in view.legal if move.verb not in typed]
    fields = [
        PadField(
            field.row, teller.word(field.row), f"p{field.seat} {field.verb} {field.row}",
            range_told(field), field.numbers[0], field.numbers[-1], field.numbers.step,
            field.factors,
        )
        for field in own
    ]  # fmt: skip
    return {
        "hand": [], "keys": [_key(move, view, teller, ()) for move in _in_order(keyed, view)],
        "choices": [], "pad": fields,
    }  # fmt: skip


# -- dice -------------------------------------------------------------------------------------


def _throw(view: PrivateView, teller: Teller) -> ThrowField | None:
    """The dice to be told, if they are: throws are too many for a list."""
    throw = view.throw
    if throw is None or not view.legal:
        return None
    several = len({*throw.dice}) > 1
    dice = [
        DieField(
            kind, teller.kind(kind) if several else "",
            [(face, teller.word(face)) for face in throw.faces[kind]],
        )
        for kind in throw.dice
    ]  # fmt: skip
    return ThrowField(_("play.dice_show"), throw.moves[0].text.rsplit(" ", len(dice))[0], dice)


# -- board and cards --------------------------------------------------------------------------


def _at_board(view: PrivateView, teller: Teller, box: Box) -> dict[str, Any]:
    throw, hand = view.throw, view.hand
    legal = [move for move in view.legal if throw is None or move not in throw]
    plan = card_plan(view.box)
    picking = picking_of(view) if legal else None
    kinds = {thing: _kind_of(thing, box, view) for thing, _count in hand.things}
    things = {move: _things(move, view, box, kinds, picking) for move in legal}
    sites = {move: _sites(move, view, box, things[move]) for move in legal}
    bare = [move for move in legal if not things[move] and not sites[move]]
    if len(legal) <= MOST_ANSWERS and not any(things.values()):
        # A question with two or three answers: each has a key, wherever it may be touched too.
        keyed = list(legal)
    elif len(bare) <= MOST_KEYS:
        keyed = bare
    else:
        keyed = [move for move in bare if set(move.args) <= {"?"}]
    by_touch = [move for move in legal if not things[move] and move not in keyed]
    return {
        "hand": [
            _held(thing, count, kinds[thing], teller, picking, things.values(), plan)
            for thing, count in hand.things
        ],
        "keys": [_key(move, view, teller, sites[move]) for move in _in_order(keyed, view)],
        "choices": _choices(by_touch, teller),
        "moves": [_entry(move, view, teller, things[move], sites[move]) for move in legal],
    }  # fmt: skip


def _entry(
    move: Move, view: PlayView, teller: Teller, things: Sequence[str], sites: Sequence[str]
) -> Entry:
    text, note = teller.key(move, view.prompt)
    return Entry(move.text, text, note, teller.move(move), things, sites, move == view.usual)


def _things(
    move: Move, view: PlayView, box: Box, kinds: Mapping[str, PieceKind | None],
    picking: Picking | None,
) -> tuple[str, ...]:  # fmt: skip
    """The cards and pieces of the hand that a move uses."""
    if picking is not None and move in picking.moves:
        named = [card for card in cards_of(move, picking.plan) if card in kinds]
        if named:
            return tuple(named)
    # A card may be named together with the place where it is played.
    plan = card_plan(view.box)
    if plan is not None:
        return tuple(card for card in cards_of(move, plan) if card in kinds)
    if not touched(move, view, box):
        return ()
    piece = piece_of(move, view, box)
    if piece is None:
        return ()
    # Only what is put down comes from the hand: a claim names a place, not a stone.
    named_kinds = [thing for thing, kind in kinds.items() if kind is not None and kind is piece]
    says = {part for arg in move.args for part in (arg.partition("=")[2] or arg).split(",")}
    return tuple(thing for thing in named_kinds if thing in says or piece.mark in says)


def _sites(move: Move, view: PlayView, box: Box, things: Sequence[str]) -> tuple[str, ...]:
    found = touched(move, view, box)
    if found or things:
        return found
    # A card that lies openly is touched where it lies.
    return lying_sites(move, view, box)[:1]


def _held(
    thing: str, count: int, kind: PieceKind | None, teller: Teller, picking: Picking | None,
    uses: Iterable[Sequence[str]], plan: CardPlan | None,
) -> Held:  # fmt: skip
    able = any(thing in things for things in uses)
    why = ""
    if picking is not None and not able and thing in picking.plan.kinds:
        objection = picking.why_not(thing)
        if objection is not None:
            told = teller.objection(objection)
            why = f"{told.title} – {told.text}"
    found = Held(
        id=thing, name=_name(thing, kind, teller), kind=None if kind is None else kind.id,
        count=count, able=able, why_not=why, moves=[],
    )  # fmt: skip
    if plan is not None and thing in plan.kinds:
        found["colour"], found["suit"] = _paint(thing, plan), _suit(thing, plan)
        found["colour_sign"] = plan.kinds[thing].signed
    return found


def _paint(card: str, plan: CardPlan) -> str:
    """The colour of the card's place on the board."""
    piece = plan.paints.get(plan.kinds[card].signed)
    return piece.colour if piece is not None else ""


def _suit(card: str, plan: CardPlan) -> str:
    for suit in plan.suits:
        if card in suit.cards:
            return _SUN if suit.light else _MOON
    return ""


def _key(move: Move, view: PlayView, teller: Teller, sites: Sequence[str]) -> Key:
    text, note = teller.key(move, view.prompt)
    if sites and not any(teller.site(site) in f"{text} {note}" for site in sites):
        # Beside a board a key need not name the place; here it stands alone.
        text = teller.move(move)
    return Key(text, note, move == view.usual, [move.text])


def _choices(moves: Sequence[Move], teller: Teller) -> list[Choices]:
    """Every other move as a list: for fingers on a small board, and for those who do not see it."""
    return [
        Choices(
            section.title, [ListedMove(tile.text, tile.moves[0].text) for tile in section.tiles]
        )
        # So few at once never need steps.
        for start in range(0, len(moves), MOST_FLAT)
        for section in sections(tuple(moves[start : start + MOST_FLAT]), teller)
    ]


def _in_order(moves: Sequence[Move], view: PlayView) -> list[Move]:
    """The usual move first, the end of the turn last."""
    return sorted(moves, key=lambda move: (move != view.usual, move.verb == "done", move.text))


def _tip(tip: TipView, view: PlayView, box: Box, teller: Teller) -> TipPage:
    told = tip_words(tip, teller)
    sites = () if tip.choice is None else touched(tip.choice.move, view, box)
    return TipPage(told.title, told.lines, sites)


# -- what things are called -------------------------------------------------------------------


def _kind_of(thing: str, box: Box, view: PrivateView) -> PieceKind | None:
    """The kind of a thing in a hand: a card, a piece, or what is printed on an own one."""
    if thing in box.kinds:
        return box.kinds[thing]
    plan = card_plan(box.id)
    if plan is not None and thing in plan.kinds:
        return plan.kinds[thing]
    colour = view.colours[view.seat]
    own = [kind for kind in box.kinds.values() if kind.owner == colour and kind.mark == thing]
    return own[0] if len(own) == 1 else None


def _name(thing: str, kind: PieceKind | None, teller: Teller) -> str:
    return teller.kind(thing if kind is None or kind.shape == "card" else kind.id)
