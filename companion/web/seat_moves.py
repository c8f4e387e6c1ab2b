"""What one seat holds and what it may do, as data for its phone.

A move is said in one of four ways, and phone and screen agree which: by a card or a piece of the
hand (``things``), by places on the board (``sites``), by a pile or an open card (``ware``,
``open``), or by a key. What is lit, what is dimmed and why comes from the models of the screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from companion.match.private_view import Hand
from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.cards import Picking, card_plan, cards_of, picking_of
from companion.presentation.choosing import MOST_FLAT, sections
from companion.presentation.market import Answer, CardTile, Pen, Stall, stall_of
from companion.presentation.touching import lying_sites, piece_of, touched
from companion.presentation.words.sentences import teller_of
from companion.web.supply import ware_tile
from rules.box import Box, PieceKind
from rules.core import Move
from rules.telling import Teller

__all__ = ["seat_moves"]

MOST_ANSWERS: Final = 3
"""So few moves have a key each, whatever they name."""
MOST_KEYS: Final = 4
"""So many moves that name nothing to be touched have a key each; more of them are a list."""
PILES: Final = {"draw pile": "draw", "discard pile": "discard"}
"""Kinds of places with piles of a player's own."""
_SUN, _MOON = "sun", "moon"

Json = dict[str, Any]


def seat_moves(
    view: TableView, hand: Hand, seat: int, lang: str, may_play: bool, *, all_piles: bool = False
) -> Json:
    """Everything of a seat's picture that its cards and moves decide.

    ``view``: as this seat may see it; its ``legal`` counts only if ``may_play``. ``all_piles``:
    with those from which nothing can be taken now, and why.
    """
    teller, box = teller_of(view, lang), box_of(view)
    legal = view.legal if may_play else ()
    lying = [
        {"site": site, "at": teller.site(site), "name": _thing_name(thing, teller, box, view, seat)}
        for site, thing in hand.lying
    ]
    if view.market is not None and view.prompt is not None:
        stall = stall_of(view, hand, Pen.PLAY, teller)
        return _at_market(view, stall, hand, teller, legal, all_piles) | {"lying": lying}
    return _at_board(view, hand, seat, teller, box, legal) | {"lying": lying}


# -- cards for sale ---------------------------------------------------------------------------


def _at_market(
    view: TableView, stall: Stall, hand: Hand, teller: Teller, legal: Sequence[Move],
    all_piles: bool,
) -> Json:  # fmt: skip
    own = bool(legal)
    market = view.market
    assert market is not None
    by_kind = {ware.kind: ware for ware in market.wares}
    held = [
        {
            **ware_tile(by_kind[tile.kind], view, teller),
            **_tile(tile, teller, own=own),
            "id": tile.kind,
        }
        for tile in stall.hand
    ]
    piles = [
        _tile(tile, teller, own=own)
        for tile in stall.wares
        if (tile.kind and all_piles) or (own and tile.moves)
    ]
    return {
        "ask": _ask(view, stall, teller) if own else "",
        "figures": _figures(view, stall) if own else [],
        "hand": held,
        "wares": piles,
        "open": [_tile(tile, teller, own=own) for tile in stall.open],
        "keys": [_answer(answer) for answer in stall.answers] if own else [],
        "choices": [],
        "moves": [],
        "piles": _piles(view, hand.seat),
    }


def _ask(view: TableView, stall: Stall, teller: Teller) -> str:
    """What to do, without the figures, which stand beside it."""
    prompt = view.prompt
    if stall.ask or prompt is None or not teller.has("asks", prompt.code):
        return stall.ask
    return teller.text("asks", prompt.code)


def _figures(view: TableView, stall: Stall) -> list[list[str]]:
    """Words, figure, and key of each."""
    keys = () if view.market is None else tuple(key for key, _number in view.market.figures)
    return [[word, figure, key] for (figure, word), key in zip(stall.figures, keys, strict=True)]


def _tile(tile: CardTile, teller: Teller, *, own: bool) -> Json:
    does = own and tile.moves
    return {
        "kind": tile.kind, "name": tile.name, "count": tile.count,
        "able": own and bool(tile.moves), "why_not": tile.why if own else "",
        "moves": [move.text for move in tile.moves] if own else [],
        "do": teller.text("market", tile.moves[0].verb, cost=tile.cost) if does else "",
    }  # fmt: skip


def _answer(answer: Answer) -> Json:
    return {
        "title": answer.text, "text": answer.note, "yellow": answer.primary,
        "moves": [move.text for move in answer.moves],
    }  # fmt: skip


def _piles(view: TableView, seat: int) -> list[Json]:
    """How many cards lie in the own draw pile and discard pile."""
    sites = {
        site.kind: site.id
        for site in box_of(view).sites.values()
        if site.kind in PILES and site.id.endswith(f"-p{seat}")
    }
    lying = Counter(item.site for item in view.items)
    return [{"kind": PILES[kind], "count": lying[sites[kind]]} for kind in PILES if kind in sites]


# -- board and cards --------------------------------------------------------------------------


def _at_board(
    view: TableView, hand: Hand, seat: int, teller: Teller, box: Box, legal: Sequence[Move]
) -> Json:
    plan = card_plan(view.box)
    picking = picking_of(view) if legal else None
    held = {thing for thing, _count in hand.things}
    kinds = {thing: _kind_of(thing, box, view, seat) for thing in held}
    things = {move: _things(move, view, box, kinds, picking) for move in legal}
    sites = {move: _sites(move, view, box, things[move]) for move in legal}
    entries = [_entry(move, view, teller, things[move], sites[move]) for move in legal]
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
        "ask": "",
        "figures": [],
        "hand": [
            _held(thing, count, kinds[thing], view, teller, picking, things.values(), plan)
            for thing, count in hand.things
        ],
        "wares": [],
        "open": [],
        "keys": [_key(move, view, teller, sites[move]) for move in _in_order(keyed, view)],
        "choices": _choices(by_touch, teller),
        "moves": entries,
        "piles": [],
    }  # fmt: skip


def _entry(
    move: Move, view: TableView, teller: Teller, things: Sequence[str], sites: Sequence[str]
) -> Json:
    text, note = teller.key(move, view.prompt)
    return {
        "move": move.text, "title": text, "text": note, "said": teller.move(move),
        "things": list(things), "sites": list(sites), "yellow": move == view.usual,
    }  # fmt: skip


def _things(
    move: Move, view: TableView, box: Box, kinds: dict[str, PieceKind | None],
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


def _sites(move: Move, view: TableView, box: Box, things: Sequence[str]) -> tuple[str, ...]:
    found = touched(move, view, box)
    if found or things:
        return found
    # A card that lies openly is touched where it lies.
    return lying_sites(move, view, box)[:1]


def _held(
    thing: str, count: int, kind: PieceKind | None, view: TableView, teller: Teller,
    picking: Picking | None, uses: Iterable[Sequence[str]], plan: Any,
) -> Json:  # fmt: skip
    able = any(thing in things for things in uses)
    why = ""
    if picking is not None and not able and thing in picking.plan.kinds:
        objection = picking.why_not(thing)
        if objection is not None:
            told = teller.objection(objection)
            why = f"{told.title} – {told.text}"
    found: Json = {
        "id": thing, "name": _name(thing, kind, teller), "kind": None if kind is None else kind.id,
        "count": count, "able": able, "why_not": why, "moves": [],
    }  # fmt: skip
    if plan is not None and thing in plan.kinds:
        found |= {"colour": _paint(thing, plan), "suit": _suit(thing, plan)}
    return found


def _paint(card: str, plan: Any) -> str:
    """The colour of the card's place on the board."""
    colour = plan.colours.get(card, "")
    piece = plan.paints.get(colour)
    return str(piece.colour) if piece is not None else ""


def _suit(card: str, plan: Any) -> str:
    for suit in plan.suits:
        if card in suit.cards:
            return _SUN if suit.light else _MOON
    return ""


def _key(move: Move, view: TableView, teller: Teller, sites: Sequence[str]) -> Json:
    text, note = teller.key(move, view.prompt)
    if sites and not any(teller.site(site) in f"{text} {note}" for site in sites):
        # Beside a board a key need not name the place; here it stands alone.
        text = teller.move(move)
    return {"title": text, "text": note, "yellow": move == view.usual, "moves": [move.text]}


def _choices(moves: Sequence[Move], teller: Teller) -> list[Json]:
    """Every other move as a list: for fingers on a small board, and for those who do not see it."""
    if not moves:
        return []
    found = []
    for start in range(0, len(moves), MOST_FLAT):
        # So few at once never need steps.
        for section in sections(tuple(moves[start : start + MOST_FLAT]), teller):
            tiles = [{"text": tile.text, "move": tile.moves[0].text} for tile in section.tiles]
            found.append({"title": section.title, "tiles": tiles})
    return found


def _in_order(moves: Sequence[Move], view: TableView) -> list[Move]:
    """What people mostly do first, what ends the turn last."""
    return sorted(moves, key=lambda move: (move != view.usual, move.verb == "done", move.text))


# -- what things are called -------------------------------------------------------------------


def _kind_of(thing: str, box: Box, view: TableView, seat: int) -> PieceKind | None:
    """The kind of a thing in a hand: a card, a piece, or what is printed on an own one."""
    if thing in box.kinds:
        return box.kinds[thing]
    plan = card_plan(box.id)
    if plan is not None and thing in plan.kinds:
        return plan.kinds[thing]
    colour = view.colours[seat]
    own = [kind for kind in box.kinds.values() if kind.owner == colour and kind.mark == thing]
    return own[0] if len(own) == 1 else None


def _name(thing: str, kind: PieceKind | None, teller: Teller) -> str:
    return teller.kind(thing if kind is None or kind.shape == "card" else kind.id)


def _thing_name(thing: str, teller: Teller, box: Box, view: TableView, seat: int) -> str:
    return _name(thing, _kind_of(thing, box, view, seat), teller)
