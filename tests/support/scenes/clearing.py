"""What lies on a table while a turn is being cleared away: hands do not do everything at once."""

from __future__ import annotations

from collections import Counter

from rules.core import Item, Layout, Move
from rules.match import Match

__all__ = ["not_cleared_away"]


def not_cleared_away(match: Match, move: Move) -> Layout | None:
    """What lies there when ``move`` has been made and nothing was cleared away yet; None where that
    is no more than what the rules want.

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
