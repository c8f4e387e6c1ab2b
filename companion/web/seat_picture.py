"""What one seat may see of a match: the public picture, the own hand, and what may be played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.match.state import TableState
from companion.match.view import TableView
from companion.ui.model.table_words import PLAYING
from companion.ui.words.sentences import teller_of
from companion.ui.words.translate import speaking
from companion.web.public_picture import VERSION, public_picture
from companion.web.seat_moves import seat_moves
from companion.web.snapshot import Snapshot, open_to_all

__all__ = ["may_play", "seat_picture", "seen_from"]

Json = dict[str, Any]


def may_play(snapshot: Snapshot, seat: int) -> bool:
    """Whether moves from this seat's phone count now: it is asked, the program deals, and the
    table waits for nothing else."""
    view = snapshot.view
    calm = view.state in PLAYING or view.state is TableState.ILLEGAL
    return snapshot.asked(seat) and not view.physical and view.outcome is None and calm


def seen_from(snapshot: Snapshot, seat: int) -> TableView:
    """The table's view as ``seat`` may see it: with what is legal only if it may play."""
    if not may_play(snapshot, seat):
        return open_to_all(snapshot)
    # At a physical table what a camera asks is for the people there.
    return replace(snapshot.view, match_id="", state=TableState.SETTLED)


def seat_picture(snapshot: Snapshot, seat: int, lang: str, name: str) -> Json:
    """The match as ``seat`` may see it; ``name``: what it is called outside of its table."""
    public = public_picture(snapshot, lang, name)
    plays = may_play(snapshot, seat)
    with speaking(lang):
        view = seen_from(snapshot, seat)
        own = seat_moves(view, snapshot.hands[seat], seat, lang, plays)
    return {
        "v": VERSION,
        "state": "open",
        "match": name,
        "seat": seat,
        "name": teller_of(snapshot.view, lang).seat(seat),
        "lang": lang,
        "asked": snapshot.asked(seat),
        "may_play": plays,
        "prompt": public["prompt"],
        **own,
        "public": public,
    }
