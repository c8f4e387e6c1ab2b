"""The hall's pages: all tables of a club, a season, tournaments, and each table as spectators see
it. The same guard stands before them as before a table's own pages."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import psycopg
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.club.naming import ClubError
from companion.club.overview import MOST, SHOWS, Show, Tables, Window
from companion.club.repository import Database
from companion.club.seasons.kept_up import Seasons, game_names
from companion.club.seasons.season import year_of
from companion.club.settings import Club
from companion.club.tournament.organiser import Organiser
from companion.club.watching import Watched
from companion.decoding import Name, Unfit, decoded
from companion.web.connections import Limits, Lines, lines_of
from companion.web.guard import Guard, Rates, caller_of
from companion.web.network import Names
from companion.web.page_words import page_words
from companion.web.routes import Endpoint, site
from companion.web.stream import Packed, Reader, event, listen_to
from rules.games import find_game, game_ids
from rules.telling import Teller
from rules.texts import LANGUAGES, Texts

log = logging.getLogger(__name__)

COOKIE: Final = "heelstone_organiser"
SIGNED_IN_S: Final = 12 * 3600.0
DRAWN_S: Final = 0.6
"""Minimum time between two pictures for one visitor, seconds: with hundreds of tables something
happens all the time."""
LIMITS: Final = Limits(lines=1_000, lines_each=60, requests_s=40.0, burst=240)
_MOST_TRYING: Final = 8
"""Maximum number of passwords that wait to be looked at."""
_STATUS: Final = {
    "wrong_password": 403, "not_organiser": 403, "too_many_tries": 429, "no_tournament": 404,
}  # fmt: skip
SHARED: Final = "-"
"""Name in the addresses of files shared with tables' pages; no table is called so."""
_PAGES: Final = Path(__file__).parent / "pages"
_FOR_SPECTATORS: Final = ("/", "/overlay", "/static/", "/api/table", "/api/plies/", "/api/board",
                          "/api/picture", "/api/words", "/api/stream")  # fmt: skip


_Number = Annotated[int, msgspec.Meta(ge=0, lt=10**9)]
_Points = Annotated[float, msgspec.Meta(ge=0, le=1000)]


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    """A request that only the organiser may make."""

    do: str
    tournament: _Number = 0
    name: str = ""
    game: str = ""
    kind: str = "swiss"
    rounds: _Number = 5
    seats: _Number = 2
    scale: Annotated[tuple[_Points, ...], msgspec.Meta(max_length=8)] = ()
    by_rating: bool = False
    options: Annotated[dict[Name, Name], msgspec.Meta(max_length=40)] = {}
    again: bool = False
    player: _Number = 0
    round: _Number = 0
    board: _Number = 0
    places: Annotated[tuple[_Number, ...], msgspec.Meta(max_length=8)] = ()
    table: Name = ""
    over: bool = True


class _Password(msgspec.Struct, forbid_unknown_fields=True):
    password: str


class HallNames(Names):
    """Host names under which browsers may reach the hall, with those of the settings."""

    def __init__(self, port: int, more: tuple[str, ...], origin: str = "") -> None:
        super().__init__(port)
        self._origin = origin
        public = [origin.partition("://")[2].partition(":")[0]] if origin else []
        self._more = {name.lower() for name in (*more, *public)}

    def knows(self, host: str, here: str) -> bool:
        """True for the names of a table's pages, and for those of the settings with any port."""
        return super().knows(host, here) or host.rpartition(":")[0].lower() in self._more or (
            host.lower() in self._more
        )  # fmt: skip

    def is_page(self, origin: str | None, host: str) -> bool:
        """True for an origin that a table's pages accept, or the one that a proxy shows."""
        return super().is_page(origin, host) or (bool(self._origin) and origin == self._origin)


class Hall:
    """All pages, and what keeps them up."""

    def __init__(self, club: Club, dsn: str) -> None:
        self._club, self._lang = club, club.settings.pages.lang
        self.database = Database(dsn)
        self.tables = Tables(club.name, self.database, self._lang)
        self._seasons = Seasons(dsn)
        self._organiser = Organiser(self.database, self._seasons)
        self._signed_in: dict[str, float] = {}
        self._tries = Rates(0.2, 10)
        self._trying, self._waiting = asyncio.Lock(), 0
        self._sites: dict[str, ASGIApp] = {}

    async def close(self) -> None:
        """Hang up."""
        self._seasons.close()
        await self.database.close()

    def app(self) -> Starlette:
        """The web application with all its routes."""
        get, post = ["GET"], ["POST"]
        return Starlette(
            middleware=[Middleware(GZipMiddleware, minimum_size=1_000, compresslevel=6)],
            routes=[
                Route("/", self._page, methods=get),
                Route("/static/{name}", self._static, methods=get),
                Route("/api/words", self._words, methods=get),
                Route("/api/hall", self._hall, methods=get),
                Route("/api/hall/stream", Endpoint(self._stream), methods=get),
                Route("/api/season", self._told(self._season), methods=get),
                Route("/api/tournaments", self._told(self._tournaments), methods=get),
                Route("/api/tournaments/{id}", self._told(self._tournament), methods=get),
                Route("/api/organiser", self._told(self._sign_in), methods=post),
                Route("/api/organise", self._told(self._organise), methods=post),
                Route("/table/{name}", self._to_table, methods=get),
                Mount("/table/{name}", app=Endpoint(self._table)),
            ],
        )

    # -- pages --------------------------------------------------------------------------------

    async def _page(self, request: Request) -> Response:
        return _file(_PAGES / "hall.html")

    async def _static(self, request: Request) -> Response:
        own = {path.name: path for path in _PAGES.iterdir() if path.suffix != ".html"}
        name = request.path_params["name"]
        return _file(own[name]) if name in own else Response(status_code=404)

    async def _words(self, request: Request) -> Response:
        lang = self._lang_of(request)
        own = Texts("hall", lang)
        return _json({**page_words(lang), **own.all(), "lang": lang})

    async def _to_table(self, request: Request) -> Response:
        return RedirectResponse(f"{request.path_params['name']}/", 307)

    async def _table(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path_params"]["name"]
        path = scope["path"][len(scope.get("root_path", "")) :]
        if not any(path == one or (one.endswith("/") and one != "/" and path.startswith(one))
                   for one in _FOR_SPECTATORS):  # fmt: skip
            await Response(status_code=404)(scope, receive, send)
            return
        # Fonts, colours and parts that the hall's own page shares with those of tables.
        shared = name == SHARED and path.startswith("/static/")
        table = Watched(name, self._lang) if shared else await self.tables.table(name)
        if table is None:
            await Response(status_code=404)(scope, receive, send)
            return
        if name not in self._sites:
            self._sites[name] = site(table, LIMITS)
        await self._sites[name](scope, receive, send)

    # -- what the pages show --------------------------------------------------------------------

    async def _hall(self, request: Request) -> Response:
        picture = await self.tables.look(self._window(request))
        return Response(picture, media_type="application/json")

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        window = self._window(request)
        await self.tables.look(window)
        newest = partial(lambda: event("hall", self.tables.picture(window)))
        reader = Reader(window.lang, newest, happenings=False, rest_s=DRAWN_S)
        sent = Packed(send) if "gzip" in request.headers.get("accept-encoding", "") else send
        with self.tables.watched(window):
            await listen_to(reader, self.tables.readers, scope, receive, sent)

    def _window(self, request: Request) -> Window:
        """The view that a request asks for."""
        asked = request.query_params
        show: Show = next((one for one in SHOWS if one == asked.get("show")), "all")
        return Window(
            self._lang_of(request), asked.get("find", "").strip()[:80].casefold(), show,
            _number(asked.get("start"), 0, 10**6), _number(asked.get("count"), 24, MOST),
        )  # fmt: skip

    async def _season(self, request: Request) -> Response:
        asked = request.query_params.get("year", "")
        year = int(asked) if asked.isdecimal() and len(asked) == 4 else year_of(time.time())
        game = request.query_params.get("game", "")
        game = game if game in game_ids() else ""
        page = await self._seasons.page(year, game, self._lang_of(request))
        return Response(page, media_type="application/json")

    async def _tournaments(self, request: Request) -> dict[str, Any]:
        lang, organiser = self._lang_of(request), self._is_organiser(request)
        return {
            "v": 1, "tournaments": await self._organiser.tournaments(),
            "game_names": game_names(lang), "organiser": organiser,
            "options": _options(lang) if organiser else {},
            "aside": await self.database.set_aside() if organiser else [],
        }  # fmt: skip

    async def _tournament(self, request: Request) -> dict[str, Any]:
        id = str(request.path_params["id"])
        number = int(id) if id.isascii() and id.isdigit() and len(id) < 10 else 0
        told = await self._organiser.tournament(number)
        told["faces"] = await self._seasons.faces(player["name"] for player in told["players"])
        return {**told, "organiser": self._is_organiser(request)}

    # -- the organiser --------------------------------------------------------------------------

    async def _sign_in(self, request: Request) -> Response | dict[str, Any]:
        asked = decoded(await request.body(), _Password)
        caller = caller_of(request.scope, _proxy(self._club))
        if self._waiting >= _MOST_TRYING or not self._tries.allow(caller):
            raise ClubError("too_many_tries")
        self._waiting += 1
        try:
            # It takes a moment on purpose, one after the other, and no page has to wait for it.
            async with self._trying:
                right = await asyncio.to_thread(self._club.is_organiser, asked.password[:200])
        finally:
            self._waiting -= 1
        if not right:
            raise ClubError("wrong_password")
        now_s, cookie = time.monotonic(), secrets.token_urlsafe(16)
        kept = {name: until for name, until in self._signed_in.items() if until > now_s}
        self._signed_in = {**kept, cookie: now_s + SIGNED_IN_S}
        response = _json({})
        response.set_cookie(
            COOKIE, cookie, max_age=int(SIGNED_IN_S), path="/api", httponly=True, samesite="strict",
            secure=request.headers.get("origin", "").startswith("https:"),
        )  # fmt: skip
        return response

    def _is_organiser(self, request: Request) -> bool:
        given = request.cookies.get(COOKIE, "")[:60]
        return any(
            secrets.compare_digest(given, known) and until > time.monotonic()
            for known, until in self._signed_in.items()
        )

    async def _organise(self, request: Request) -> dict[str, Any]:
        if not self._is_organiser(request):
            raise ClubError("not_organiser")
        asked = decoded(await request.body(), _Asked)
        organiser, id = self._organiser, asked.tournament
        match asked.do:
            case "begin":
                game = asked.game if asked.game in game_ids() else ""
                begun = await organiser.begin(
                    asked.name, game, asked.kind, asked.rounds, seats=asked.seats,
                    scale=asked.scale, by_rating=asked.by_rating, options=asked.options,
                )  # fmt: skip
                return {"id": begun}
            case "enter":
                return {"twice": await organiser.enter(id, asked.name)}
            case "leave":
                await organiser.leave(id, asked.player)
            case "pair":
                await organiser.pair(id, again=asked.again)
            case "more_rounds":
                await organiser.more_rounds(id)
            case "move":
                await organiser.move(id, asked.round, asked.board, asked.table)
            case "unpair":
                await organiser.unpair(id)
            case "restore":
                await organiser.restore(id)
            case "result":
                return await organiser.result(id, asked.round, asked.board, asked.places)
            case "end":
                await organiser.end(id, asked.over)
            case _:
                raise Unfit(asked.do)
        return {}

    # -- private --------------------------------------------------------------------------------

    def _told(
        self, answer: Callable[[Request], Awaitable[Response | dict[str, Any]]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """``answer`` as JSON; what is wrong is said in words."""

        async def told(request: Request) -> Response:
            lang = self._lang_of(request)
            try:
                found = await answer(request)
                return found if isinstance(found, Response) else _json(found)
            except ClubError as error:
                status = _STATUS.get(error.code, 409)
                return _json({"text": error.sentence.told(lang), "code": error.code}, status)
            except Unfit:
                return _json({}, 422)
            except psycopg.Error as error:
                log.warning("the database is away: %s", error)
                return _json({"text": Texts("hall", lang)("database_away")}, 503)

        return told

    def _lang_of(self, request: Request) -> str:
        asked = request.query_params.get("lang", "")
        return asked if asked in LANGUAGES else self._lang


def run_hall(club: Club, dsn: str) -> None:
    """Serves the pages until SIGTERM or SIGINT. Raises OSError if it may not listen there."""
    settings = club.settings.pages
    listening = socket.create_server((settings.listen, settings.port), backlog=128)
    names = HallNames(settings.port, settings.names, settings.origin)
    try:
        asyncio.run(_serve(Hall(club, dsn), names, _proxy(club), listening))
    finally:
        listening.close()


async def _serve(hall: Hall, names: Names, proxy: str, listening: socket.socket) -> None:
    lines = Lines(LIMITS, proxy)
    config = uvicorn.Config(
        Guard(hall.app(), names, lines, LIMITS, proxy),
        http=lines_of(lines), ws="none", lifespan="off",
        log_config=None, log_level="error", access_log=False,
        server_header=False, proxy_headers=False,
        timeout_keep_alive=10, timeout_graceful_shutdown=1, h11_max_incomplete_event_size=16_384,
    )  # fmt: skip
    beside = [
        asyncio.create_task(work)
        for work in (
            lines.watch(),
            hall.tables.follow(),
            hall.tables.follow_tournaments(),
            hall.tables.keep_up(),
        )
    ]
    serving = asyncio.create_task(uvicorn.Server(config).serve(sockets=[listening]))
    try:
        await asyncio.wait([serving, *beside], return_when=asyncio.FIRST_COMPLETED)
        for task in [serving, *beside]:
            if task.done():
                # Only serving ends by itself; whatever else did has failed, and all begin anew.
                task.result()
    finally:
        lines.cut_all()
        for task in [serving, *beside]:
            task.cancel()
        await hall.close()


def _proxy(club: Club) -> str:
    """The address of the club's own proxy; empty if it has none."""
    pages = club.settings.pages
    return pages.proxy if pages.origin else ""


def _options(lang: str) -> dict[str, list[dict[str, Any]]]:
    """The options of all games, each with its values and what they are called."""
    found = {}
    for id in game_ids():
        game = find_game(id)
        teller = Teller(game, lang, ())
        found[id] = [
            {
                "id": option, "name": teller.option(option)[0],
                "values": [[value, teller.option_value(option, value)] for value in values],
            }
            for option, values in game.options.items()
        ]  # fmt: skip
    return found


def _number(text: str | None, usual: int, most: int) -> int:
    """A number that was asked for."""
    return (
        min(int(text), most)
        if text and text.isascii() and text.isdigit() and len(text) < 8
        else usual
    )


def _file(path: Path) -> Response:
    kinds = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
    headers = {"cache-control": "no-cache"}
    return Response(path.read_bytes(), media_type=kinds[path.suffix], headers=headers)


def _json(content: dict[str, Any], status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")
