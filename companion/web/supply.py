"""Cards for sale, or the piles of a ledger, as everybody may see them: data for pages."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.match.view import TableView
from companion.presentation.market import PileTile, pile_tiles
from companion.presentation.words.sentences import rule_page, teller_of
from rules.core import Market, SupplyPile
from rules.telling import Teller

__all__ = ["ware_tile", "wares_of"]

Json = dict[str, Any]


def wares_of(view: TableView, lang: str) -> Json | None:
    """What is for sale, what was played in this turn and what is in the trash; None for a game
    without piles of cards. Nothing in here depends on what may be played."""
    teller = teller_of(view, lang)
    if view.market is not None:
        return _market(view, view.market, teller)
    if view.ledger is not None:
        tiles = pile_tiles(view.ledger, None, (), teller)
        return {"wares": [_pile(tile) for tile in tiles], "ledger": True}
    return None


def ware_tile(ware: SupplyPile, view: TableView, teller: Teller) -> Json:
    """What is printed on a card for sale, and how many are left."""
    page = rule_page(teller, ware.rule, view.options)
    return {
        "kind": ware.kind,
        "name": teller.kind(ware.kind),
        "lines": list(teller.broken(ware.kind)),
        "group": ware.group,
        "label": teller.text("types", ware.types[0]),
        "types": " · ".join(teller.text("types", one) for one in ware.types),
        "sign": ware.sign,
        "cost": ware.cost,
        "count": ware.left,
        "text": "" if page is None else page.text,
    }


def _market(view: TableView, market: Market, teller: Teller) -> Json:
    return {
        "wares": [ware_tile(ware, view, teller) for ware in market.wares],
        "ledger": False,
        "naming": market.naming,
        "turn": market.turn,
        "figures": [[_label(key, number, teller), number] for key, number in market.figures],
        "trash": _counted(market.trash, teller),
        "played": _counted(market.played, teller),
        "open": [
            {"seat": seat, "kind": kind, "name": teller.kind(kind)} for seat, kind in market.open
        ],
    }


def _counted(kinds: tuple[str, ...], teller: Teller) -> list[Json]:
    return [
        {"kind": kind, "name": teller.kind(kind), "count": count}
        for kind, count in Counter(kinds).items()
    ]


def _label(key: str, number: int, teller: Teller) -> str:
    one, _bar, many = teller.text("figures", key).partition("|")
    return one if number == 1 else many


def _pile(tile: PileTile) -> Json:
    return {
        "kind": tile.kind, "lines": list(tile.lines), "name": _joined(tile.lines),
        "group": tile.group, "figure": tile.figure, "badge": tile.badge, "scarce": tile.scarce,
    }  # fmt: skip


def _joined(lines: tuple[str, ...]) -> str:
    first, *more = lines
    if not more:
        return first
    return first[:-1] + more[0] if first.endswith("-") else f"{first} {more[0]}"
