"""A box of Dominion with the cards of one kingdom only: no others need be cut out."""

from __future__ import annotations

from dataclasses import replace

from companion.printing.sheet import PrintError
from rules.box import Box
from rules.games.dominion.components import KINGDOM, KINGDOMS, NAMES
from rules.near import hint


def kingdom_cards(text: str) -> tuple[str, ...]:
    """Ids of the cards that ``text`` names, each once: kingdom cards in either language, and fixed
    kingdoms, separated by commas. Raises PrintError with the nearest name.
    """
    called: dict[str, tuple[str, ...]] = {_plain(card): (card,) for card in KINGDOM}
    called |= {_plain(name): (card,) for card in KINGDOM for name in NAMES[card].values()}
    called |= {_plain(kingdom): cards for kingdom, cards in KINGDOMS.items()}
    cards: dict[str, None] = {}
    for name in text.split(","):
        if not _plain(name):
            continue
        known = called.get(_plain(name))
        if known is None:
            meant = hint(_plain(name), KINGDOMS, called)
            raise PrintError("no_kingdom", name=name.strip(), hint=meant)
        cards.update(dict.fromkeys(known))
    if not cards:
        raise PrintError("kingdom_empty", known=[*KINGDOMS])
    return tuple(cards)


def for_kingdom(box: Box, text: str) -> Box:
    """The box with only the kingdom cards named, and a back for every card that is left.

    Raises PrintError if the box holds none, or not these.
    """
    if not any(card in box.kinds for card in KINGDOM):
        raise PrintError("kingdom_of_other", box=box.id)
    wanted = kingdom_cards(text)
    lacking = [card for card in wanted if card not in box.kinds]
    if lacking:
        raise PrintError("kingdom_not_there", box=box.id, cards=lacking)
    kinds = {n: k for n, k in box.kinds.items() if n not in KINGDOM or n in wanted}
    for back in {kind.back for kind in kinds.values() if kind.back}:
        fronts = sum(kind.count for kind in kinds.values() if kind.back == back)
        kinds[back] = replace(kinds[back], count=fronts)
    return replace(box, kinds=kinds)


def _plain(name: str) -> str:
    return "-".join(name.strip().casefold().replace("_", " ").replace("-", " ").split())
