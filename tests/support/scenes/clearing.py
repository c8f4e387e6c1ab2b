"""Layouts while a turn is being cleared away: hands do not do everything at once."""

from __future__ import annotations

from collections import Counter

from rules.core import Item, Layout, Move
from rules.hidden import UNSEEN
from rules.match import Match
from rules.reading.sighting import looks


def as_seen(match: Match, move: Move) -> Move:
    """``move`` as a table can know it: it cannot be seen whether a card is discarded on one that
    looks the same, or another below that."""
    if not _discards(move):
        return move
    after = match.clone()
    after.push(move)
    same = looks(after.layout) == looks(match.layout)
    return _unseen(match, move) if same else move


def lay_in_a_packet(match: Match, move: Move) -> None:
    """Lays the card discarded last unseen below the one that ``move`` discards; a table sees one
    card of a packet."""
    last = match.log[-1].move
    if _discards(last) and _discards(move) and last.player == move.player:
        match.pop()
        match.push(_unseen(match, last))


def _discards(move: Move) -> bool:
    return move.verb == "discard" and len(move.args) == 1 and move.player is not None


def _unseen(match: Match, move: Move) -> Move:
    """``move`` without saying which card it was, if the rules know that."""
    unseen = Move.of(move.player or 0, move.verb, UNSEEN)
    return move if match.why_not(unseen) else unseen


def not_cleared_away(match: Match, move: Move) -> Layout | None:
    """Layout when ``move`` has been made and nothing was cleared away yet; None where that is no
    more than what the rules want.

    A card that was bought goes on the discard pile at once, says the rulebook of Dominion, and the
    coins are swept up afterwards.
    """
    if match.game.id != "dominion" or move.player is None:
        return None
    asked = match.prompt
    if move.verb == "done" and asked is not None and asked.code in ("action", "buy"):
        # A turn in which something was played can be seen before it is cleared away.
        played = any(item.site == f"play-p{move.player}" for item in match.layout)
        return match.layout if played else None
    if move.verb != "buy":
        return None
    after = match.clone()
    after.push(move)
    own = {f"{area}-p{move.player}" for area in ("hand", "draw", "discard", "play")}
    lying: Layout = Counter({i: n for i, n in after.layout.items() if i.site not in own})
    for item, number in match.layout.items():
        if item.site in own:
            covered = item.site == f"discard-p{move.player}"
            lying[item._replace(seen=item.seen and not covered)] += number
    lying[Item(f"discard-p{move.player}", move.args[0], move.player, level=1)] = 1
    return lying
