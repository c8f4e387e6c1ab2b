"""The host's phone, at a table without a screen: it sets matches up, begins and ends them, shows
the codes of the seats, and lets phones in.

``heelstone phones code`` shows the code of the table. As with seats, a token of 128 random bits is
exchanged once for a cookie, of which only a hash is kept; unlike those of seats it is good for all
matches, until another phone becomes the host.
"""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from companion.decoding import Name, Players, Seat, Unfit, decoded
from companion.export.qr import code_of
from companion.match.view import TableView
from companion.presentation.remote_table import Pairing
from companion.presentation.words.pairings import pairing_text, pairing_title
from companion.presentation.words.sentences import teller_of
from companion.settings.people import MatchSetup
from companion.settings.writing import write_whole
from companion.web.game_choices import choices_of
from companion.web.page_words import page_words
from companion.web.seats import Seats
from rules.core import GameError, OptionError
from rules.games import find_game
from rules.texts import LANGUAGES, Texts

log = logging.getLogger(__name__)

COOKIE: Final = "heelstone_host"
_KEPT_S: Final = 30_000_000
"""Seconds after which a phone forgets by itself that it is the host: about a year."""


class House(Protocol):
    """The table, as far as its host decides about it."""

    @property
    def games(self) -> Sequence[str]:
        """Ids of the games on the shelf."""

    @property
    def pairings(self) -> Sequence[Pairing]:
        """The games of a club's tournaments that wait for this table."""

    @property
    def trouble(self) -> str:
        """Reason why the last match could not be begun, in words; empty: it was."""

    def plan_for(self, game: str) -> MatchSetup:
        """The setup of a game that was chosen last."""

    def begin(self, plan: MatchSetup) -> None:
        """Begin a match in place of the one on the table; returns at once."""

    def again(self) -> None:
        """Begin the match that is over once more; returns at once."""

    def end(self) -> None:
        """Give up the match on the table; returns at once."""


class _Plan(msgspec.Struct, forbid_unknown_fields=True):
    """A match that is to be begun."""

    game: Name
    players: Players
    names: tuple[Name, ...] = ()
    computers: tuple[Name, ...] = ()
    options: dict[Name, Name] = {}


class _Order(msgspec.Struct, forbid_unknown_fields=True):
    """Request of the host's phone."""

    do: Literal["begin", "pairing", "again", "end", "yes", "no", "new"]
    seat: Seat = 0
    plan: _Plan | None = None
    pairing: Name = ""


class _Claim(msgspec.Struct, forbid_unknown_fields=True):
    token: Name


class _Kept(msgspec.Struct):
    v: int = 1
    token: str = ""
    holder: str = ""
    """Hash of the host's cookie."""


class Host:
    """The host's phone of a table. ``kept``: the file that outlives a restart."""

    def __init__(self, house: House, kept: Path) -> None:
        self.house, self._file = house, kept
        try:
            self._kept = msgspec.json.decode(kept.read_bytes(), type=_Kept)
        except FileNotFoundError:
            self._kept = _Kept()
        except (OSError, msgspec.MsgspecError) as error:
            log.warning("the host must be let in anew, what was kept is unreadable: %s", error)
            self._kept = _Kept()

    def token(self) -> str:
        """A new token; those before are worth nothing, a host that is there stays until then."""
        self._keep(_Kept(token=secrets.token_urlsafe(16), holder=self._kept.holder))
        return self._kept.token

    def claim(self, token: str) -> str:
        """Exchange the token for the value of a cookie; empty: it is good for nothing."""
        known = self._kept.token or secrets.token_urlsafe(16)
        if not hmac.compare_digest(_hash(known), _hash(token)):
            return ""
        cookie = secrets.token_urlsafe(16)
        self._keep(_Kept(holder=_hash(cookie)))
        return cookie

    def knows(self, cookie: str) -> bool:
        """True if this is the host's cookie."""
        holder = self._kept.holder or _hash(secrets.token_urlsafe(16))
        return hmac.compare_digest(holder, _hash(cookie))

    def _keep(self, kept: _Kept) -> None:
        self._kept = kept
        try:
            write_whole(self._file, msgspec.json.encode(kept), private=True)
        except OSError as error:
            log.warning("the host will not be known after a restart: %s", error)


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


class Desk(Protocol):
    """The table from which the pages are made."""

    seats: Seats
    lang: str

    @property
    def view(self) -> TableView | None:
        """The match on the table; None without one."""

    def link(self, seat: int) -> str:
        """Address in the code of a seat; empty while it may not be claimed."""


class HostPages:
    """Answers to what the host's phone asks."""

    def __init__(self, host: Host, desk: Desk, allow: Callable[[str], bool]) -> None:
        """``allow``: called with an address, True if one more code may be tried from there."""
        self._host, self._desk, self._allow = host, desk, allow

    def knows(self, request: Request) -> bool:
        """True if the host's phone asks."""
        return self._host.knows(request.cookies.get(COOKIE, "")[:60])

    async def words(self, request: Request) -> Response:
        """The fixed words of the page."""
        lang = self._lang(request)
        return _answer(200, {**page_words(lang), **Texts("host", lang).all()})

    async def claim(self, request: Request) -> Response:
        """Exchange the token of the table's code for a cookie."""
        assert request.client is not None
        if not self._allow(request.client.host):
            return _answer(429, {})
        try:
            cookie = self._host.claim(decoded(await request.body(), _Claim).token)
        except Unfit:
            return _answer(422, {})
        if not cookie:
            return _answer(403, {})
        response = _answer(200, {})
        response.set_cookie(
            COOKIE, cookie, max_age=_KEPT_S, path="/api", httponly=True, samesite="strict"
        )
        return response

    async def games(self, request: Request) -> Response:
        """Games that can be set up, with the last setup of each game."""
        if not self.knows(request):
            return _answer(401, {})
        lang = self._lang(request)
        return _answer(200, [
            {**choices_of(game, lang), "last": _told(self._host.house.plan_for(game))}
            for game in self._host.house.games
        ])  # fmt: skip

    async def table(self, request: Request) -> Response:
        """The table as its host sees it."""
        if not self.knows(request):
            return _answer(401, {})
        return Response(self.picture(self._lang(request)), media_type="application/json")

    async def order(self, request: Request) -> Response:
        """Do what the host wants."""
        if not self.knows(request):
            return _answer(401, {})
        try:
            order = decoded(await request.body(), _Order)
            done = self._do(order)
        except Unfit:
            return _answer(422, {})
        except (OptionError, GameError) as error:
            return _answer(409, {"text": error.sentence.told(self._lang(request))})
        return _answer(200 if done else 409, {})

    def picture(self, lang: str) -> bytes:
        """The table as its host sees it, as UTF-8 JSON."""
        view: TableView | None = self._desk.view
        told: dict[str, Any] = {
            "v": 1, "lang": lang, "trouble": self._host.house.trouble,
            "pairings": [
                {"id": one.plan.pairing, "title": pairing_title(one),
                 "text": pairing_text(one, lang)}
                for one in self._host.house.pairings
            ],
        }  # fmt: skip
        if view is not None:
            teller, seats = teller_of(view, lang), self._desk.seats
            over = view.outcome
            told["match"] = {
                "game": view.game, "game_name": teller.game_name,
                "over": None if over is None else teller.outcome(over).title,
                "seats": [
                    {
                        "name": teller.seat(seat), "computer": any(view.computers[seat : seat + 1]),
                        "state": str(seats.state(seat)), "renewed": seats.renewed(seat),
                        **_code(self._desk.link(seat)),
                    }
                    for seat in range(seats.count if seats.is_open else 0)
                ],
            }  # fmt: skip
        return msgspec.json.encode(told)

    # -- private ----------------------------------------------------------------------------

    def _do(self, order: _Order) -> bool:
        house, seats = self._host.house, self._desk.seats
        match order.do:
            case "begin":
                if order.plan is None:
                    return False
                house.begin(_setup(order.plan, house.plan_for(find_game(order.plan.game).id)))
            case "pairing":
                found = [one for one in house.pairings if one.plan.pairing == order.pairing]
                for one in found[:1]:
                    house.begin(one.setup(house.plan_for(one.plan.game)))
                return bool(found)
            case "again":
                house.again()
            case "end":
                house.end()
            case "yes":
                return seats.confirm(order.seat)
            case "no":
                return seats.refuse(order.seat)
            case "new":
                return seats.renew(order.seat)
        return True

    def _lang(self, request: Request) -> str:
        asked = request.query_params.get("lang", "")
        return asked if asked in LANGUAGES else self._desk.lang


def _setup(plan: _Plan, last: MatchSetup) -> MatchSetup:
    """The plan of the page, on top of what was chosen the last time. Raises OptionError."""
    options = find_game(plan.game).complete_options(plan.players, plan.options)
    return replace(
        last, players=plan.players, options=options, names=plan.names[: plan.players],
        computers=plan.computers[: plan.players], clock="", series="", pairing="",
    )  # fmt: skip


def _told(plan: MatchSetup) -> dict[str, Any]:
    return {
        "players": plan.players, "options": dict(plan.options), "names": list(plan.seats),
        "computers": list(plan.sitting),
    }  # fmt: skip


def _code(link: str) -> dict[str, str | int]:
    """A seat's code as the path of a drawing, a unit per module; nothing while there is none."""
    if not link:
        return {"link": ""}
    rows = code_of(link)
    dark = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, on in enumerate(row) if on)
    return {"link": link, "code": "".join(dark), "side": len(rows)}


def _answer(status: int, content: object) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")
