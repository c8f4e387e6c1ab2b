"""What one seat may see of a match: the public picture, the own hand, and what may be played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.journal.events import Source
from companion.match.state import TableState
from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.table_words import PLAYING
from companion.presentation.touching import touched
from companion.presentation.words.company import tip_words
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import speaking
from companion.web.public_picture import VERSION, public_picture
from companion.web.seat_moves import seat_moves
from companion.web.snapshot import Snapshot, open_to_all
from rules.core import Move, State
from rules.telling import Teller

__all__ = ["may_play", "may_tip", "seat_picture", "seen_from", "taken_back"]

Json = dict[str, Any]


def may_play(snapshot: Snapshot, seat: int) -> bool:
    """Whether moves from this seat's phone count now: it is asked, the program deals, and the
    table waits for nothing else."""
    view = snapshot.view
    return snapshot.asked(seat) and _is_open(view)


def taken_back(snapshot: Snapshot, seat: int) -> tuple[Move, ...]:
    """The moves that go if this seat takes its last touch back from its phone. None if somebody
    else has acted since, or anything was dealt or turned up: then the table's screen decides."""
    log, back = snapshot.match.log, snapshot.back
    moves = tuple(entry.move for entry in log[len(log) - back :]) if back else ()
    own = tuple(move for move in moves if move.player == seat)
    others = {move.player for move in moves} - {seat}
    # Computer players mind nothing that is taken back.
    kept = any(player is None or not snapshot.header.computer(player) for player in others)
    return own if not kept and _is_open(snapshot.view) else ()


def may_tip(snapshot: Snapshot, seat: int) -> bool:
    """Whether this seat's phone may ask for a tip now."""
    view = snapshot.view
    return view.may_tip and snapshot.asked(seat) and view.outcome is None


def _tip(snapshot: Snapshot, seat: int, teller: Teller) -> Json | None:
    """The tip that this seat's phone asked for: for no other eyes."""
    tip = snapshot.view.tip
    if tip is None or tip.seat != seat or tip.src is not Source.PHONE:
        return None
    told, box = tip_words(tip, teller), box_of(snapshot.view)
    choice = tip.choice
    sites = () if choice is None else touched(choice.move, snapshot.view, box)
    return {"title": told.title, "lines": list(told.lines), "sites": list(sites)}


def _hides(snapshot: Snapshot) -> bool:
    """Whether somebody has anything that only they may see, or may have it in a real hand."""
    hides = type(snapshot.match.state).view is not State.view
    return any(snapshot.hands) or (snapshot.view.physical and hides)


def _is_open(view: TableView) -> bool:
    """Whether the program deals, and the table waits for nothing else."""
    calm = view.state in PLAYING or view.state is TableState.ILLEGAL
    return not view.physical and view.outcome is None and calm


def seen_from(snapshot: Snapshot, seat: int) -> TableView:
    """The table's view as ``seat`` may see it: with what is legal only if it may play."""
    if not may_play(snapshot, seat):
        return open_to_all(snapshot)
    # At a physical table what a camera asks is for the people there.
    return replace(snapshot.view, match_id="", state=TableState.SETTLED)


def seat_picture(
    snapshot: Snapshot, seat: int, lang: str, name: str, public: Json | None = None
) -> Json:
    """The match as ``seat`` may see it; ``name``: what it is called outside of its table.
    ``public``: the public picture of the same moment in the same language, if it was made."""
    public = public_picture(snapshot, lang, name) if public is None else public
    plays = may_play(snapshot, seat)
    with speaking(lang):
        view = seen_from(snapshot, seat)
        own = seat_moves(view, snapshot.hands[seat], seat, lang, plays)
        back = taken_back(snapshot, seat)
        teller = teller_of(snapshot.view, lang)
    return {
        "v": VERSION,
        "state": "open",
        "match": name,
        "seat": seat,
        "name": teller.seat(seat),
        "lang": lang,
        "asked": snapshot.asked(seat),
        "may_play": plays,
        "prompt": public["prompt"],
        "physical": snapshot.view.physical,
        "secret": _hides(snapshot),
        "take_back": teller.move(back[-1]) if back else "",
        "may_tip": may_tip(snapshot, seat),
        "tip": _tip(snapshot, seat, teller),
        **own,
        "public": public,
    }
