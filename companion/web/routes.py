"""Routes of a table's pages: pages, pictures, streams, claims and moves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import msgspec
from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

import companion.presentation
from companion.decoding import Name, Seat, Unfit, decoded
from companion.match.view import TableView
from companion.presentation.views import NoLookingBack
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _, speaking
from companion.web.board_shapes import board_of
from companion.web.connections import Limits, Lines
from companion.web.event_stream import Happenings
from companion.web.guard import Rates
from companion.web.hosting import Host, HostPages
from companion.web.made_scripts import MADE_SCRIPTS
from companion.web.move_requests import Asked, Verdict, judge
from companion.web.page_words import page_words
from companion.web.public_page import Said
from companion.web.seats import Seats, Standing
from companion.web.stream import Reader, Readers, event, listen_to
from companion.web.view_cache import Feed
from rules.texts import LANGUAGES

COOKIE: Final = "heelstone_hand"
_COOKIE_S: Final = 172_800
"""Seconds after which a phone forgets its cookie by itself."""
_MOST_GOING_BACK: Final = 32
"""Maximum number of pages of earlier moves that are waited for."""
_LONGEST_WINDOW: Final = 20
"""Longest name of a part of a board, letters."""
_PAGES: Final = Path(__file__).parent / "pages"
_FONTS: Final = Path(companion.presentation.__file__).parent / "fonts"
_KINDS: Final = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
    ".otf": "font/otf", ".ttf": "font/ttf", ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip


class _Count(Convertor[int]):
    """A number in an address, of a length that is worth being read."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("count", _Count())


class Desk(Protocol):
    """The table from which pages are made."""

    feed: Feed
    keepsake: bytes
    seats: Seats
    readers: Readers
    hands: Readers
    happenings: Happenings
    lang: str
    host: Host | None
    """The phone that looks after the table; None at one with a screen."""

    @property
    def address(self) -> str:
        """Address for other machines, by number; empty without a network."""

    @property
    def phone_lines(self) -> Lines | None:
        """The connections of phones; None where none is let in."""

    @property
    def view(self) -> TableView | None:
        """The match on the table, before its first picture is made; None without one."""

    def play(self, verdict: Verdict) -> None:
        """Posts a move to the session."""

    def link(self, seat: int) -> str:
        """Address in the code of a seat; empty while it may not be claimed."""


class _Order(msgspec.Struct, forbid_unknown_fields=True):
    """Request of the command ``heelstone phones``."""

    key: Name
    do: Literal["look", "confirm", "refuse", "take_back", "renew", "host"] = "look"
    seat: Seat = 0


class _Token(msgspec.Struct, forbid_unknown_fields=True):
    token: Name
    key: Name = ""


def site(desk: Desk, limits: Limits) -> Starlette:
    """All pages of a table."""
    pages = _Pages(desk, limits)
    get, post = ["GET"], ["POST"]
    hosting = list[Route]()
    if desk.host is not None:
        host = HostPages(desk.host, desk, pages.allows)
        hosting = [
            Route("/host", _page("host.html"), methods=get),
            Route("/api/host/words", host.words, methods=get),
            Route("/api/host/games", host.games, methods=get),
            Route("/api/host", host.table, methods=get),
            Route("/api/host/claim", host.claim, methods=post),
            Route("/api/host", host.order, methods=post),
            Route("/api/host/stream", Endpoint(pages.host_stream(host)), methods=get),
        ]
    return Starlette(
        routes=[
            *hosting,
            Route("/", _page("spectator.html"), methods=get),
            Route("/overlay", _page("overlay.html"), methods=get),
            Route("/hand", _page("hand.html"), methods=get),
            Route("/static/{name}", _static, methods=get),
            Route("/api/table", pages.table, methods=get),
            Route("/api/plies/{ply:count}", pages.plies, methods=get),
            Route("/api/board", pages.board, methods=get),
            Route("/api/words", pages.words, methods=get),
            Route("/api/picture", pages.picture, methods=get),
            Route("/api/stream", Endpoint(pages.stream), methods=get),
            Route("/api/seats", pages.seats, methods=post),
            Route("/api/claim", pages.claim, methods=post),
            Route("/api/hand", pages.hand, methods=get),
            Route("/api/hand/stream", Endpoint(pages.hand_stream), methods=get),
            Route("/api/moves", pages.moves, methods=post),
        ]
    )


class _Pages:
    """Answers to what is asked below ``/api``."""

    def __init__(self, desk: Desk, limits: Limits) -> None:
        self._desk = desk
        self._claims = Rates(limits.claims_s, limits.claims)
        self._orders = Rates(2.0, 20)
        self._back = Rates(8.0, 24)
        self._one_back, self._going_back = asyncio.Lock(), 0

    # -- for everybody ----------------------------------------------------------------------

    async def table(self, request: Request) -> Response:
        """The public picture."""
        return _json(self._desk.feed.public(self._lang(request)))

    async def plies(self, request: Request) -> Response:
        """The public picture after some moves."""
        lang, feed = self._lang(request), self._desk.feed
        assert request.client is not None
        if not self._back.allow(request.client.host) or self._going_back >= _MOST_GOING_BACK:
            return Response(status_code=429, headers={"retry-after": "1"})
        self._going_back += 1
        try:
            async with self._one_back:
                began = time.monotonic()
                page = feed.after(request.path_params["ply"], lang)
                # Whoever wants the newest picture waits for one of these at most.
                await asyncio.sleep(time.monotonic() - began)
            return _json(page)
        except NoLookingBack as error:
            with speaking(lang):
                if error.memory:
                    told = Said(
                        _("phones.remembering_is_part_of_this_game"),
                        _("phones.you_can_look_back_as_soon"), "",
                    )  # fmt: skip
                else:
                    told = Said(
                        _("phones.there_is_no_such_move"), "", _("phones.go_to_the_newest_one")
                    )
            return _answer(409 if error.memory else 404, told)
        finally:
            self._going_back -= 1

    async def board(self, request: Request) -> Response:
        """The shapes of the board; the same as long as the match goes on."""
        feed = self._desk.feed
        if feed.snapshot is None or request.query_params.get("match") != feed.name:
            return _answer(404, {})
        view = feed.snapshot.view
        part = request.query_params.get("window", "")[:_LONGEST_WINDOW]
        try:
            shapes = board_of(view.game, view.physical, self._lang(request), part=part)
        except ValueError:
            return _answer(404, {})
        return _json(msgspec.json.encode(shapes), {"cache-control": "private, max-age=86400"})

    async def words(self, request: Request) -> Response:
        """The fixed words of the pages."""
        words = page_words(self._lang(request))
        return _tagged(request, msgspec.json.encode(words), "application/json")

    async def picture(self, _request: Request) -> Response:
        """The picture of a match that is over, if somebody at the table shows it to phones."""
        kept = self._desk.keepsake
        return Response(kept, 200 if kept else 204, media_type="image/png")

    async def stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Public pictures and happenings, as they come."""
        desk, request = self._desk, Request(scope)
        lang = self._lang(request)
        reader = Reader(lang, lambda: event("table", desk.feed.public(lang)), happenings=True)
        for one in desk.happenings.since(request.headers.get("last-event-id", "")[:60]):
            reader.tell(one)
        await listen_to(reader, desk.readers, scope, receive, send)

    # -- for one seat -----------------------------------------------------------------------

    async def claim(self, request: Request) -> Response:
        """Exchange the token of a seat's code for a cookie."""
        lang, standing = self._lang(request), self._standing(request)
        assert request.client is not None
        if not self._claims.allow(request.client.host):
            with speaking(lang):
                told = Said(_("phones.too_many_codes_were_tried"), "", _("phones.wait_a_minute"))
            return _answer(429, told)
        try:
            asked = decoded(await request.body(), _Token)
        except Unfit:
            return _answer(422, {})
        if standing.confirmed:
            return _answer(409, self._has_one(standing, lang))
        cookie = request.cookies.get(COOKIE, "")[:60]
        found = self._desk.seats.claim(asked.token, asked.key, cookie)
        if found is None:
            with speaking(lang):
                told = Said(
                    _("phones.this_code_is_no_longer_good"), "",
                    _("phones.have_a_new_one_shown"),
                )  # fmt: skip
            return _answer(403, told)
        seat, cookie = found
        response = _answer(200, self._waiting("waiting", seat, lang))
        response.set_cookie(
            COOKIE, cookie, max_age=_COOKIE_S, path="/api", httponly=True, samesite="strict"
        )
        return response

    async def hand(self, request: Request) -> Response:
        """Page of a seat."""
        lang, standing = self._lang(request), self._standing(request)
        if standing.seat is None:
            return _answer(401, {"reason": str(standing.gone)})
        return _json(self._picture(standing, lang)[1])

    async def hand_stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Page of a seat, as it changes."""
        request = Request(scope)
        lang = self._lang(request)
        standing = self._standing(request)
        if standing.seat is None:
            await _answer(401, {"reason": str(standing.gone)})(scope, receive, send)
            return

        def newest() -> bytes:
            now = self._standing(request)
            if now.seat is None:
                reader.end()
                return event("gone", msgspec.json.encode({"reason": str(now.gone)}))
            return event(*self._picture(now, lang))

        reader = Reader(lang, newest, happenings=False)
        await listen_to(reader, self._desk.hands, scope, receive, send)

    async def moves(self, request: Request) -> Response:
        """Make moves for a seat."""
        desk, lang, standing = self._desk, self._lang(request), self._standing(request)
        if standing.seat is None or not standing.confirmed:
            return _answer(401, {"reason": str(standing.gone)})
        try:
            asked = decoded(await request.body(), Asked)
        except Unfit:
            return _answer(422, {})
        snapshot = desk.feed.snapshot if desk.seats.is_open else None
        verdict = judge(asked, standing.seat, snapshot, lang)
        desk.play(verdict)
        return _answer(verdict.status, verdict.body or {})

    # -- for the host -----------------------------------------------------------------------

    def allows(self, address: str) -> bool:
        """True if one more code may be tried from an address."""
        return self._claims.allow(address)

    def host_stream(self, host: HostPages) -> Callable[[Scope, Receive, Send], Any]:
        """The table as its host sees it, as it changes."""

        async def stream(scope: Scope, receive: Receive, send: Send) -> None:
            request = Request(scope)
            if not host.knows(request):
                await _answer(401, {})(scope, receive, send)
                return
            lang = self._lang(request)
            reader = Reader(lang, lambda: event("host", host.picture(lang)), happenings=False)
            await listen_to(reader, self._desk.hands, scope, receive, send)

        return stream

    # -- for the table's own user -----------------------------------------------------------

    async def seats(self, request: Request) -> Response:
        """All seats with their codes, after doing what was asked for with one of them. Only on
        this machine, and only for programs that can read what is kept of the phones."""
        assert request.client is not None
        if not request.client.host.startswith("127.") or not self._orders.allow("here"):
            return Response(status_code=404)
        try:
            order = decoded(await request.body(), _Order)
        except Unfit:
            return _answer(422, {})
        desk, lang = self._desk, self._lang(request)
        if not desk.seats.is_owner(order.key):
            return Response(status_code=404)
        if order.do == "host":
            token, address = "" if desk.host is None else desk.host.token(), desk.address
            link = f"{address}host#{token}" if token and address else ""
            return _answer(200, {"done": desk.host is not None, "seats": [], "link": link})
        if not desk.seats.is_open:
            # Seats of a match that waits are kept, but nobody sits at them.
            return _answer(200, {"done": False, "seats": []})
        done = order.do == "look" or bool(getattr(desk.seats, order.do)(order.seat))
        seats = [
            {
                "seat": seat, "name": self._name(seat, lang), "state": str(desk.seats.state(seat)),
                "renewed": desk.seats.renewed(seat), "link": desk.link(seat),
            }
            for seat in range(desk.seats.count)
        ]  # fmt: skip
        return _answer(200, {"done": done, "seats": seats})

    # -- private ----------------------------------------------------------------------------

    def _has_one(self, standing: Standing, lang: str) -> Said:
        """Refusal for a phone that has a seat already: that seat would be left without a phone."""
        assert standing.seat is not None
        name = self._name(standing.seat, lang)
        with speaking(lang):
            return Said(
                _("phones.this_phone_is_name_s_already").format(name=name), "",
                _("phones.sign_name_out_at_the_table").format(name=name),
            )  # fmt: skip

    def _standing(self, request: Request) -> Standing:
        found = self._desk.seats.standing(request.cookies.get(COOKIE, "")[:60])
        lines = self._desk.phone_lines
        if found.seat is not None and found.confirmed and lines is not None:
            lines.keep(request.scope["client"], found.seat)
        return found

    def _picture(self, standing: Standing, lang: str) -> tuple[str, bytes]:
        """The event and the data for a phone that is let in or waits."""
        seat, desk = standing.seat, self._desk
        assert seat is not None
        if not desk.seats.is_open:
            return "waiting", msgspec.json.encode(self._waiting("closed", seat, lang))
        # Seats open a moment before the first picture of the match is made.
        if not standing.confirmed or desk.feed.snapshot is None:
            return "waiting", msgspec.json.encode(self._waiting("waiting", seat, lang))
        return "hand", desk.feed.seat(seat, lang)

    def _waiting(self, state: str, seat: int, lang: str) -> dict[str, Any]:
        name = self._name(seat, lang)
        return {
            "v": 1, "state": state, "seat": seat, "name": name, "lang": lang,
            "hosted": self._desk.host is not None,
        }  # fmt: skip

    def _name(self, seat: int, lang: str) -> str:
        view = self._desk.view
        return "" if view is None else teller_of(view, lang).seat(seat)

    def _lang(self, request: Request) -> str:
        asked = request.query_params.get("lang", "")
        return asked if asked in LANGUAGES else self._desk.lang


class Endpoint:
    """An ASGI application as an endpoint; a function would be taken for one that returns its
    answer."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Any]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


def _page(name: str) -> Callable[[Request], Any]:
    async def page(request: Request) -> Response:
        return _file(request, _PAGES / name)

    return page


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name in MADE_SCRIPTS:
        return _tagged(request, MADE_SCRIPTS[name](), _KINDS[".js"])
    folder = _FONTS if name.endswith(".otf") else _PAGES
    known = {path.name: path for path in folder.iterdir() if path.suffix in _KINDS}
    if name not in known or name.endswith(".html"):
        return Response(status_code=404)
    return _file(request, known[name])


def _file(request: Request, path: Path) -> Response:
    return _tagged(request, path.read_bytes(), _KINDS[path.suffix])


def _tagged(request: Request, body: bytes, kind: str) -> Response:
    """A response that a browser may keep, and asks about each time: a table is updated."""
    tag = f'"{blake2b(body, digest_size=8).hexdigest()}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=kind, headers=headers)


def _json(body: bytes, headers: dict[str, str] | None = None) -> Response:
    return Response(body, media_type="application/json", headers=headers)


def _answer(status: int, content: object) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")
