"""The hall's pages, served by the real program from a real database."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from companion.club.hall import HallNames
from companion.club.naming import ClubError
from companion.club.repository import Played
from companion.club.season import season_of
from companion.club.settings import Club as ClubOfFile
from companion.club.upload import Uploader
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from tests.support.club import PASSWORD, Servers, Writing, pages, play
from tests.support.waiting import PATIENCE_S, until


class Browser:
    """Asks the hall as a browser would."""

    def __init__(self, address: str) -> None:
        self.host = urlsplit(address).netloc
        self.cookie = ""

    def ask(
        self, path: str, asked: Any = None, **headers: str
    ) -> tuple[int, Any, dict[str, str]]:  # fmt: skip
        """Status, what was answered (JSON as data), headers."""
        line = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        sent = {"Host": self.host, "Cookie": self.cookie}
        body = None
        if asked is not None:
            body = json.dumps(asked)
            sent |= {"X-Heelstone": "1", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        wanted = {name: value for name, value in sent.items() if value}
        try:
            line.request("GET" if body is None else "POST", path, body, wanted)
            answer = line.getresponse()
            data = answer.read()
        finally:
            line.close()
        found = {name.lower(): value for name, value in answer.getheaders()}
        if "set-cookie" in found:
            self.cookie = found["set-cookie"].partition(";")[0]
        is_json = found.get("content-type", "").startswith("application/json")
        return answer.status, json.loads(data) if is_json else data, found

    def get(self, path: str) -> Any:
        status, told, _ = self.ask(path)
        assert status == 200, told
        return told

    def organise(self, **asked: Any) -> tuple[int, Any]:
        return self.ask("/api/organise", asked)[:2]

    def sign_in(self, password: str = PASSWORD) -> int:
        return self.ask("/api/organiser", {"password": password})[0]


@pytest.fixture(scope="module")
def hall(club: Servers) -> Iterator[str]:
    with pages(club) as address:
        yield address


@pytest.fixture
def browser(hall: str) -> Browser:
    return Browser(hall)


@contextmanager
def table(club: Servers, name: str, state: Path) -> Iterator[Journal]:
    (member,) = club.make([name])
    with Journal(state / "journal.db") as journal, Writing(club):
        uploader = Uploader(member, state).start()
        try:
            yield journal
        finally:
            uploader.close()


def line_of(browser: Browser, name: str) -> dict[str, Any]:
    # Whoever asks more often than anybody needs to is refused.
    time.sleep(0.05)
    found = [one for one in browser.get("/api/hall?lang=en")["tables"] if one["name"] == name]
    return found[0] if found else {}


def test_the_hall_shows_what_is_played_and_each_table_as_its_spectators_see_it(
    club: Servers, browser: Browser, tmp_path: Path
) -> None:
    with table(club, "shown", tmp_path) as journal:
        match_id = play(journal, "knizia_stonehenge", 4, most=9, corrections=False)
        journal.set_status(match_id, "open")
        assert until(lambda: line_of(browser, "shown").get("ply") == 9)
        line = line_of(browser, "shown")
        assert [player["name"] for player in line["players"]] == ["Ada", "Ben"]
        assert (line["game"], line["status"]) == ("knizia_stonehenge", "open")
        picture = browser.get("/table/shown/api/table?lang=de")
        assert picture["ply"] == 9
        assert picture["match"] == line["match"] != match_id
        assert browser.get("/table/shown/api/plies/3")["ply"] == 3
        assert browser.get(f"/table/shown/api/board?match={line['match']}")
        assert b"spectator.js" in browser.get("/table/shown/")
        # It goes on by itself.
        move = journal.load(match_id).legal_moves()[0]
        journal.append(match_id, MovePlayed(move), src=Source.TOUCH)
        assert until(lambda: line_of(browser, "shown").get("ply") == 10)


def test_the_stream_of_the_hall_tells_of_every_change(
    club: Servers, browser: Browser, tmp_path: Path
) -> None:
    host, _, port = browser.host.partition(":")
    with table(club, "streamed", tmp_path) as journal:
        play(journal, "dolmengoetter", 4, most=5)
        with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as line:
            line.sendall(f"GET /api/hall/stream HTTP/1.1\r\nHost: {browser.host}\r\n\r\n".encode())
            heard, ends_s = b"", time.monotonic() + PATIENCE_S
            while b"dolmengoetter" not in heard and time.monotonic() < ends_s:
                heard += line.recv(65536)
    assert b"event: hall" in heard
    assert b"dolmengoetter" in heard


def test_from_the_hall_nobody_sits_down_at_a_table(
    club: Servers, browser: Browser, tmp_path: Path
) -> None:
    with table(club, "afar", tmp_path) as journal:
        play(journal, "dominion", 1, most=5)
        assert until(lambda: bool(line_of(browser, "afar").get("match")))
    for path in ("hand", "api/hand", "api/hand/stream"):
        assert browser.ask(f"/table/afar/{path}")[0] == 404
    for path in ("api/claim", "api/moves"):
        assert browser.ask(f"/table/afar/{path}", {"token": "x"})[0] == 404
    assert browser.ask("/table/nowhere/api/table")[0] == 404
    assert browser.ask("/table/%2e%2e/api/table")[0] == 404
    assert browser.ask("/static/..%2fhall.html")[0] == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"X_Heelstone": ""}, 403),
        ({"Content_Type": "text/plain"}, 415),
    ],
)
def test_what_comes_from_elsewhere_is_refused(
    browser: Browser, headers: dict[str, str], status: int
) -> None:
    assert browser.ask("/api/organiser", {"password": PASSWORD}, **headers)[0] == status
    assert browser.cookie == ""


def test_only_the_organiser_changes_anything(hall: str) -> None:
    visitor = Browser(hall)
    status, told = visitor.organise(do="begin", name="Mine")
    assert status == 403
    assert "organiser" in told["text"]
    assert visitor.sign_in("guess") == 403
    visitor.cookie = "heelstone_organiser=guessed"
    assert visitor.organise(do="begin", name="Mine")[0] == 403
    assert visitor.get("/api/tournaments")["organiser"] is False


def test_a_tournament_from_its_first_player_to_its_table(hall: str) -> None:
    organiser = Browser(hall)
    assert organiser.sign_in() == 200
    status, told = organiser.organise(do="begin", name="Summer", kind="swiss", rounds=3)
    assert status == 200
    id = told["id"]
    for name in ("Ada", "Ben", "Cleo", "Dan", "ada"):
        assert organiser.organise(do="enter", tournament=id, name=name) == (200, {})
    assert organiser.organise(do="enter", tournament=id, name=" \t ")[0] == 409
    assert organiser.organise(do="pair", tournament=id) == (200, {})
    status, told = organiser.organise(do="pair", tournament=id)
    assert status == 409
    assert "round 1" in told["text"]
    for board in (1, 2):
        asked = {"tournament": id, "round": 1, "board": board}
        assert organiser.organise(do="result", points=1.0, **asked)[0] == 200
    assert organiser.organise(do="result", tournament=id, round=1, board=7, points=1)[0] == 409
    assert organiser.organise(do="result", tournament=id, round=1, board=1, points=3)[0] == 409
    assert organiser.organise(do="pair", tournament=id)[0] == 200
    seen = Browser(hall).get(f"/api/tournaments/{id}")
    assert [game["round"] for game in seen["games"]] == [1, 1, 2, 2]
    assert [line["points"] for line in seen["table"]] == [1, 1, 0, 0]
    assert {player["name"] for player in seen["players"]} == {"Ada", "Ben", "Cleo", "Dan"}
    winners = {line["name"] for line in seen["table"][:2]}
    top = next(game for game in seen["games"] if (game["round"], game["board"]) == (2, 1))
    assert {top["first_name"], top["second_name"]} == winners
    # Round 2 is taken back, somebody leaves, and the round is made anew with a bye.
    assert organiser.organise(do="unpair", tournament=id)[0] == 200
    leaving = seen["players"][0]["id"]
    assert organiser.organise(do="leave", tournament=id, player=leaving)[0] == 200
    assert organiser.organise(do="pair", tournament=id)[0] == 200
    games = organiser.get(f"/api/tournaments/{id}")["games"]
    assert [game["second"] is None for game in games if game["round"] == 2] == [False, True]
    assert organiser.organise(do="end", tournament=id, over=True)[0] == 200
    assert organiser.organise(do="enter", tournament=id, name="Late")[0] == 409


def test_a_round_robin_ends_when_everybody_has_met(hall: str) -> None:
    organiser = Browser(hall)
    organiser.sign_in()
    id = organiser.organise(do="begin", name="All", kind="round_robin")[1]["id"]
    for name in ("Ada", "Ben", "Cleo"):
        organiser.organise(do="enter", tournament=id, name=name)
    for number in (1, 2, 3):
        assert organiser.organise(do="pair", tournament=id)[0] == 200
        for game in organiser.get(f"/api/tournaments/{id}")["games"]:
            if game["round"] == number and game["second"] is not None:
                asked = {"tournament": id, "round": number, "board": game["board"]}
                assert organiser.organise(do="result", points=0.5, **asked)[0] == 200
    assert organiser.organise(do="enter", tournament=id, name="Dan")[0] == 409
    assert organiser.organise(do="pair", tournament=id)[0] == 409
    assert [line["points"] for line in organiser.get(f"/api/tournaments/{id}")["table"]] == [2] * 3


def test_a_season_lists_ratings_wins_and_the_best_win(
    club: Servers, browser: Browser, tmp_path: Path
) -> None:
    with table(club, "season", tmp_path) as journal:
        play(journal, "knizia_stonehenge", 3, corrections=False)
        assert until(lambda: line_of(browser, "season").get("status") == "finished")

    def season() -> dict[str, Any]:
        time.sleep(0.05)
        found: dict[str, Any] = browser.get("/api/season")
        return found

    # It is worked out anew every few seconds.
    assert until(lambda: "knizia_stonehenge" in [one["game"] for one in season()["records"]])
    assert {"Ada", "Ben"} <= {player["name"] for player in season()["players"]}


def test_the_hall_answers_to_its_own_names_only() -> None:
    names = HallNames(8090, ("hall.example.org",))
    own = ("192.168.1.10:8090", "hall.example.org:8090", "HALL.example.org", "localhost:8090")
    assert all(names.knows(host, "192.168.1.10") for host in own)
    foreign = ("example.org:8090", "hall.example.org.evil.example", "192.168.1.10:80", "")
    assert not any(names.knows(host, "192.168.1.10") for host in foreign)


PUBLIC = "https://hall.example.org"


@pytest.fixture(scope="module")
def shown_abroad(club: Servers) -> Iterator[Browser]:
    """The hall behind a proxy of this computer that speaks TLS."""
    with pages(club, origin=PUBLIC) as address:
        yield Browser(address)


def test_a_proxy_that_speaks_tls_may_pass_on_its_own_page_only(shown_abroad: Browser) -> None:
    through = {"Host": "hall.example.org", "X_Forwarded_For": "198.51.100.7"}

    def sign_in(origin: str, **more: str) -> tuple[int, dict[str, str]]:
        asked = {"password": PASSWORD}
        status, _, told = shown_abroad.ask(
            "/api/organiser", asked, Origin=origin, **through, **more
        )
        return status, told

    status, told = sign_in(PUBLIC)
    assert status == 200
    # It would be sent over plain HTTP, too.
    assert "secure" in told["set-cookie"].lower()
    for origin in ("https://evil.example", "https://hall.example.org:444", "null",
                   "https://hall.example.org.evil.example"):  # fmt: skip
        assert sign_in(origin)[0] == 403
    # And without the proxy it is found as before.
    at_home = f"http://{shown_abroad.host}"
    status, _, told = shown_abroad.ask("/api/organiser", {"password": PASSWORD}, Origin=at_home)
    assert status == 200 and "secure" not in told["set-cookie"].lower()


def signs_in(hall: Browser, visitor: str, password: str = PASSWORD) -> int:
    told = {"Host": "hall.example.org", "Origin": PUBLIC, "X_Forwarded_For": visitor}
    # As another browser: its cookie is nobody else's.
    return Browser(f"http://{hall.host}").ask("/api/organiser", {"password": password}, **told)[0]


def test_behind_a_proxy_everybody_is_counted_for_themselves(shown_abroad: Browser) -> None:
    guesses = [signs_in(shown_abroad, "198.51.100.20", "x") for _ in range(14)]
    assert guesses[:10] == [403] * 10 and 429 in guesses
    # Whoever guesses has to wait, also with the right one; and may not name somebody else.
    assert signs_in(shown_abroad, "198.51.100.20") == 429
    assert signs_in(shown_abroad, "192.0.2.1, 198.51.100.20") == 429
    assert signs_in(shown_abroad, "198.51.100.21") == 200


def test_whoever_guesses_passwords_from_many_addresses_keeps_nobody_waiting(
    shown_abroad: Browser,
) -> None:
    # All addresses of one network are one guesser's.
    mine = [signs_in(shown_abroad, f"2001:db8:0:9::{number:x}", "x") for number in range(1, 16)]
    assert mine.count(403) <= 12 and 429 in mine
    tried, over = list[int](), threading.Event()

    def guess(number: int) -> None:
        for turn in count():
            if over.is_set():
                break
            visitor = f"2001:db8:{number}:{turn % 5000}::1"
            tried.append(signs_in(shown_abroad, visitor, f"guess {turn}"))

    crowd = [threading.Thread(target=guess, args=(number,)) for number in range(12)]
    for one in crowd:
        one.start()
    assert until(lambda: len(tried) > 40)
    began_s, told = time.monotonic(), {"Host": "hall.example.org", "X_Forwarded_For": "192.0.2.9"}
    assert shown_abroad.ask("/api/season", **told)[0] == 200
    page_s = time.monotonic() - began_s
    assert until(lambda: signs_in(shown_abroad, "2001:db8:ffff::1") == 200), "who tries again"
    over.set()
    for one in crowd:
        one.join(PATIENCE_S)
    assert page_s < PATIENCE_S / 4
    assert set(tried) == {403, 429}, "most are not even looked at"


def test_an_address_with_a_path_is_no_origin(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    for wrong in ("https://hall.example.org/", "hall.example.org", "https://HALL.example.org"):
        file.write_text(f'club = "circle"\n[pages]\norigin = "{wrong}"\n')
        with pytest.raises(ClubError) as told:
            ClubOfFile(file)
        assert "https://hall.example.org" in told.value.sentence.told("en")


def match(ranking: list[list[int]], scores: list[int], ended_s: float, *names: str) -> Played:
    groups = tuple(tuple(group) for group in ranking)
    return Played("north", "m", "knizia_stonehenge", names, groups, tuple(scores), ended_s)


def test_a_season_counts_its_own_year_and_ratings_go_on() -> None:
    before_s, here_s = 1_735_000_000.0, 1_767_300_000.0
    played = [
        match([[0], [1]], [5, 3], before_s, "Ada", "Ben"),
        match([[1], [0]], [2, 9], here_s, "Ada", "Ben"),
        match([[0, 1]], [4, 4], here_s, "Ada", "Cleo"),
        match([[0], [1]], [4, 1], here_s, "Ada", ""),
    ]
    season = season_of(played, 2026)
    assert season["years"] == [2026, 2024]
    assert season["matches"] == 3
    players = {one["name"]: one for one in season["players"]}
    assert (players["Ada"]["matches"], players["Ada"]["wins"]) == (2, 0)
    assert (players["Ben"]["matches"], players["Ben"]["wins"]) == (1, 1)
    assert [r["points"] for r in season["records"]] == [9]
    assert season_of(played, 2024)["players"][0]["name"] == "Ada"


def test_where_the_fewest_points_win_the_record_is_the_fewest() -> None:
    played = [
        match([[0], [1]], [points, 30], 1_767_300_000.0, "Ada", "Ben") for points in (9, 7, 8)
    ]
    assert [r["points"] for r in season_of(played, 2026)["records"]] == [7]
