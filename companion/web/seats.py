"""Phones and their seats: codes, claims, and the table's yes.

A seat's code holds a token of 128 random bits. It is good for one claim; the phone gets a cookie of
128 other bits for it and waits until it is confirmed at the table. Both are worth nothing in
another match. What is kept over a restart is in one file that only this user may read; of a cookie
it holds a hash.
"""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.presentation.phones import SeatState
from companion.settings.writing import write_whole

log = logging.getLogger(__name__)

_BYTES: Final = 16
"""Length of a token: 128 bits."""
_MOST_GONE: Final = 200
"""Number of phones that were shut out and are told why."""


class Gone(StrEnum):
    """Reason why a phone is no longer let in."""

    NONE = "none"
    """It was never let in."""
    TAKEN_BACK = "taken_back"
    GIVEN_AWAY = "given_away"
    MATCH_OVER = "match_over"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Standing:
    """Rights of a phone with some cookie."""

    seat: int | None = None
    """None: nothing, because of ``gone``."""
    confirmed: bool = False
    gone: Gone = Gone.NONE


@dataclass(slots=True)
class _Seat:
    token: str = ""
    """Token for a claim; empty while the seat may not be claimed."""
    holder: str = ""
    """Hash of the cookie of the phone that was confirmed."""
    claimant: str = ""
    """Hash of the cookie of the phone that waits."""


class Seats:
    """The phones of the match on the table. Every method may be called from any thread.

    ``kept``: the file that outlives a restart; None: nothing does. ``changed``: called after every
    change, in the thread that made it.
    """

    def __init__(self, kept: Path | None, changed: Callable[[], None]) -> None:
        self._kept, self._changed = kept, changed
        self._lock = threading.RLock()
        self._match = ""
        self._open = False
        self._seats: list[_Seat] = []
        self._gone: dict[str, Gone] = {}
        self._key = _secret()
        self._answered: dict[str, tuple[str, str]] = {}
        """Key and cookie of the newest claim, by its token; hashes all."""

    # -- the match ------------------------------------------------------------------------

    def begin(self, match_id: str, players: int) -> None:
        """This match is on the table. Phones of the same match come back; those of any other never
        do."""
        with self._lock:
            if not self._match:
                self.take_up()
            if (self._match, len(self._seats)) != (match_id, players):
                self._end()
                self._match = match_id
                self._seats = [_Seat(_secret()) for _seat in range(players)]
            self._open = True
            self._keep()
        self._changed()

    def take_up(self) -> None:
        """Know from now on whom the kept file knows: programs of this user, and phones, which wait
        for their match. Nobody loses a seat because the table is not there yet."""
        if self._kept is None:
            return
        with self._lock:
            try:
                kept = msgspec.json.decode(self._kept.read_bytes(), type=_Kept)
            except FileNotFoundError:
                self._keep()
                return
            except (OSError, msgspec.MsgspecError) as error:
                # It is written anew with the next match.
                log.warning("phones must be let in anew, what was kept is unreadable: %s", error)
                return
            self._key = kept.key or self._key
            self._match, self._seats, self._gone = kept.match, kept.seats, dict(kept.gone)

    def leave(self, *, over: bool) -> None:
        """Notes that no match is on the table; ``over``: this one is not taken up again."""
        with self._lock:
            self._open = False
            if over:
                self._end()
                self._match, self._seats = "", []
                self._keep()
        self._changed()

    @property
    def count(self) -> int:
        """Number of seats; none before the first match."""
        return len(self._seats)

    @property
    def is_open(self) -> bool:
        """True if a match is on the table."""
        return self._open

    def is_owner(self, key: str) -> bool:
        """True if this is the key of the kept file, which only this user can read."""
        return hmac.compare_digest(_hash(self._key), _hash(key))

    # -- at the table ---------------------------------------------------------------------

    def token(self, seat: int) -> str:
        """Token in the seat's code; empty while it may not be claimed."""
        with self._lock:
            return self._seats[seat].token if self._is(seat) else ""

    def state(self, seat: int) -> SeatState:
        """State of a seat."""
        with self._lock:
            if not self._is(seat):
                return SeatState.FREE
            one = self._seats[seat]
            if one.claimant:
                return SeatState.WAITING
            return SeatState.OPEN if one.holder else SeatState.FREE

    def renewed(self, seat: int) -> bool:
        """True if a phone is there and another one may take its place."""
        with self._lock:
            return self._is(seat) and bool(self._seats[seat].holder and self._seats[seat].token)

    def waiting(self) -> tuple[int, ...]:
        """The seats whose phones wait for the table's yes."""
        with self._lock:
            return tuple(n for n, seat in enumerate(self._seats) if seat.claimant)

    def confirm(self, seat: int) -> bool:
        """Lets the waiting phone in; the one before it is shut out. False: none waits."""
        with self._lock:
            if not self._is(seat) or not self._seats[seat].claimant:
                return False
            one = self._seats[seat]
            self._shut_out(one.holder, Gone.GIVEN_AWAY)
            one.holder, one.claimant, one.token = one.claimant, "", ""
            self._keep()
        self._changed()
        return True

    def refuse(self, seat: int) -> bool:
        """Turn the phone away that waits; the seat gets a new code. False: none waits."""
        with self._lock:
            if not self._is(seat) or not self._seats[seat].claimant:
                return False
            one = self._seats[seat]
            self._shut_out(one.claimant, Gone.REFUSED)
            one.claimant, one.token = "", _secret()
            self._keep()
        self._changed()
        return True

    def take_back(self, seat: int) -> bool:
        """Shut out whatever phone is there or waits; the seat gets a new code. False: no such
        seat."""
        with self._lock:
            if not self._is(seat):
                return False
            one = self._seats[seat]
            for phone in (one.holder, one.claimant):
                self._shut_out(phone, Gone.TAKEN_BACK)
            self._seats[seat] = _Seat(_secret())
            self._keep()
        self._changed()
        return True

    def renew(self, seat: int) -> bool:
        """Show a new code for another phone. The one that is there stays until the other one is
        confirmed. False: no such seat."""
        with self._lock:
            if not self._is(seat):
                return False
            self._shut_out(self._seats[seat].claimant, Gone.REFUSED)
            self._seats[seat].claimant = ""
            self._seats[seat].token = _secret()
            self._keep()
        self._changed()
        return True

    # -- phones ---------------------------------------------------------------------------

    def claim(self, token: str, key: str = "", before: str = "") -> tuple[int, str] | None:
        """Exchange a token for a cookie: the seat and the cookie's value; None: it is good for
        nothing. A token is good once.

        ``key``: a phone that sends the same one again with the same token did not get the answer,
        and is given another cookie. ``before``: the cookie that this phone has already; it waits
        for one seat only, whichever was claimed last.
        """
        with self._lock:
            if not self._open:
                return None
            asked, found = _hash(token), None
            # Every seat is compared, whatever is found: the time taken tells nothing.
            for number, one in enumerate(self._seats):
                same = hmac.compare_digest(_hash(one.token or _secret()), asked)
                found = number if same else found
            cookie = _secret()
            if found is None:
                found = self._answered_again(asked, key, _hash(cookie))
                return None if found is None else (found, cookie)
            self._withdraw(_hash(before))
            one = self._seats[found]
            one.claimant, one.token = _hash(cookie), ""
            if key:
                self._answered = {asked: (_hash(key), one.claimant)}
            self._keep()
        self._changed()
        return found, cookie

    def standing(self, cookie: str) -> Standing:
        """Rights of the phone with this cookie."""
        if not cookie:
            return Standing()
        asked, found = _hash(cookie), Standing()
        with self._lock:
            for number, one in enumerate(self._seats):
                for phone, confirmed in ((one.claimant, False), (one.holder, True)):
                    if hmac.compare_digest(phone or _hash(_secret()), asked):
                        found = Standing(number, confirmed)
            if found.seat is None:
                found = Standing(gone=self._gone.get(asked, Gone.NONE))
        return found

    # -- private --------------------------------------------------------------------------

    def _answered_again(self, token: str, key: str, cookie: str) -> int | None:
        """The seat that was claimed with this token and this key, which has a new cookie now. All
        are hashes but the key."""
        known, claimed = self._answered.get(token, ("", ""))
        if not key or not hmac.compare_digest(known, _hash(key)):
            return None
        for number, one in enumerate(self._seats):
            if claimed in (one.claimant, one.holder):
                one.claimant = cookie if one.claimant == claimed else one.claimant
                one.holder = cookie if one.holder == claimed else one.holder
                self._answered = {token: (known, cookie)}
                self._keep()
                return number
        return None

    def _withdraw(self, phone: str) -> None:
        """Withdraws the claim of a waiting phone that claims another seat."""
        for one in self._seats:
            if one.claimant == phone:
                one.claimant, one.token = "", _secret()

    def _is(self, seat: int) -> bool:
        return 0 <= seat < len(self._seats)

    def _end(self) -> None:
        """Every token and cookie dies."""
        for one in self._seats:
            for phone in (one.holder, one.claimant):
                self._shut_out(phone, Gone.MATCH_OVER)
        self._seats, self._answered = [], {}

    def _shut_out(self, phone: str, why: Gone) -> None:
        if phone:
            self._gone[phone] = why
            while len(self._gone) > _MOST_GONE:
                del self._gone[next(iter(self._gone))]

    def _keep(self) -> None:
        if self._kept is None:
            return
        kept = _Kept(1, self._match, self._seats, self._gone, self._key)
        try:
            write_whole(self._kept, msgspec.json.encode(kept), private=True)
        except OSError as error:
            log.warning("phones will not come back by themselves after a restart: %s", error)


class _Kept(msgspec.Struct):
    v: int
    match: str
    seats: list[_Seat]
    gone: dict[str, Gone]
    key: str = ""


def key_in(kept: Path) -> str:
    """Key by which a program of the same user is known to the owner of this file; empty if there is
    no file.

    Raises OSError, msgspec.MsgspecError.
    """
    try:
        return msgspec.json.decode(kept.read_bytes(), type=_Kept).key
    except FileNotFoundError:
        return ""


def _secret() -> str:
    return secrets.token_urlsafe(_BYTES)


def _hash(secret: Any) -> str:
    return sha256(str(secret).encode("utf-8", "replace")).hexdigest()
