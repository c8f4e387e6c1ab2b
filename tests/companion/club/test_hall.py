"""The hall's pages, served by the real program from a real database."""

from __future__ import annotations

import socket
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.club.hall import HallNames
from companion.club.naming import ClubError
from companion.club.settings import Club as ClubOfFile
from companion.club.upload import Uploader
from companion.journal.events import MatchEnded, MovePlayed, Source, TakenBack
from companion.journal.store import Journal
from tests.support.browser import chromium, visits
from tests.support.club import PASSWORD, Servers, Writing, pages, play
from tests.support.hall_browser import Browser
from tests.support.waiting import PATIENCE_S, until


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
    told = browser.get(f"/api/hall?lang=en&find={name}")
    found = [one for one in told["tables"] if one["name"] == name]
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
            asked = f"GET /api/hall/stream?find=streamed HTTP/1.1\r\nHost: {browser.host}\r\n"
            line.sendall(f"{asked}Accept-Encoding: gzip\r\n\r\n".encode())
            heard, ends_s = b"", time.monotonic() + PATIENCE_S
            while b"dolmengoetter" not in _unpacked(heard) and time.monotonic() < ends_s:
                heard += line.recv(65536)
        heard = _unpacked(heard)
    assert b"event: hall" in heard
    assert b"dolmengoetter" in heard


def _unpacked(heard: bytes) -> bytes:
    """The body of an answer in chunks, in gzip's format, as far as it was heard."""
    _, _, body = heard.partition(b"\r\n\r\n")
    packed = b""
    while b"\r\n" in body:
        size, _, body = body.partition(b"\r\n")
        packed, body = packed + body[: int(size, 16)], body[int(size, 16) + 2 :]
    return zlib.decompressobj(31).decompress(packed)


def test_a_visitor_gets_the_tables_in_view_and_only_these_are_replayed(
    club: Servers, browser: Browser, tmp_path: Path
) -> None:
    names = [f"row-{number}" for number in range(1, 12)]
    club.make(names)
    with ExitStack() as ending:
        ending.enter_context(Writing(club))
        for number, name in enumerate(names):
            (folder := tmp_path / name).mkdir()
            journal = ending.enter_context(Journal(folder / "journal.db"))
            id = play(journal, "dolmengoetter", number, most=4, names=("Ada", f"Ben {number}"))
            journal.set_status(id, "open" if number < 9 else "abandoned")
            uploader = Uploader(club.tables[name], folder).start()
            ending.callback(uploader.close)
        view = "/api/hall?lang=en&find=row-&count=3&start=8&show="
        assert until(lambda: browser.get(view + "all")["counts"]["all"] == 11)
        assert until(lambda: browser.get(view + "all")["counts"]["over"] == 2)
        shown = browser.get(view + "all")
        assert [one["name"] for one in shown["tables"]] == ["row-9", "row-10", "row-11"]
        # Found by a name; a table that is not looked at has no line yet.
        assert until(lambda: bool(browser.get("/api/hall?find=BEN%203")["tables"][0]["match"]))
        assert browser.get(view + "playing")["counts"]["playing"] == 9
        unseen = browser.get("/api/hall?find=row-1&count=1")["tables"][0]
        assert unseen == {**unseen, "name": "row-1", "match": None, "wait": True}


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


@pytest.fixture
def organiser(hall: str) -> Browser:
    signed_in = Browser(hall)
    assert signed_in.sign_in() == 200
    return signed_in


def begun(organiser: Browser, names: str, **asked: Any) -> int:
    """A tournament with its players; gives its number."""
    status, told = organiser.organise(do="begin", **asked)
    assert status == 200, told
    id = int(told["id"])
    assert organiser.organise(do="enter", tournament=id, name=names) == (200, {"twice": []})
    return id


def games_of(organiser: Browser, id: int, number: int) -> list[tuple[int, list[str]]]:
    """Board and names of the games of a round."""
    return [
        (game["board"], [seat["name"] for seat in game["seats"]])
        for game in organiser.get(f"/api/tournaments/{id}")["games"] if game["round"] == number
    ]  # fmt: skip


def win(organiser: Browser, id: int, number: int) -> None:
    """Everybody who begins wins, in a round."""
    for board, names in games_of(organiser, id, number):
        if len(names) > 1:
            places = list(range(1, len(names) + 1))
            asked = {"tournament": id, "round": number, "board": board, "places": places}
            assert organiser.organise(do="result", **asked)[0] == 200


def test_a_tournament_from_its_first_player_to_its_table(organiser: Browser) -> None:
    id = begun(organiser, "Ada\nBen\nCleo\nDan", name="Summer", kind="swiss", rounds=3)
    assert organiser.organise(do="enter", tournament=id, name=" \t ")[0] == 409
    assert organiser.organise(do="pair", tournament=id) == (200, {})
    status, told = organiser.organise(do="pair", tournament=id)
    assert status == 409
    assert "round 1" in told["text"]
    win(organiser, id, 1)
    for board, places in ((7, [1, 2]), (1, [3, 1]), (1, [1]), (1, [1, 2, 3])):
        asked = {"tournament": id, "round": 1, "board": board, "places": places}
        assert organiser.organise(do="result", **asked)[0] == 409
    assert organiser.organise(do="pair", tournament=id)[0] == 200
    seen = organiser.get(f"/api/tournaments/{id}")
    assert [game["round"] for game in seen["games"]] == [1, 1, 2, 2]
    assert [line["points"] for line in seen["table"]] == [1, 1, 0, 0]
    assert {player["name"] for player in seen["players"]} == {"Ada", "Ben", "Cleo", "Dan"}
    winners = {line["name"] for line in seen["table"][:2]}
    assert set(games_of(organiser, id, 2)[0][1]) == winners
    # Round 2 is taken back, a player leaves, and the round is made anew with a bye.
    assert organiser.organise(do="unpair", tournament=id)[0] == 200
    leaving = seen["players"][0]["id"]
    assert organiser.organise(do="leave", tournament=id, player=leaving)[0] == 200
    assert organiser.organise(do="pair", tournament=id)[0] == 200
    assert [len(names) for _, names in games_of(organiser, id, 2)] == [2, 1]
    assert organiser.organise(do="end", tournament=id, over=True)[0] == 200
    assert organiser.organise(do="enter", tournament=id, name="Late")[0] == 409


def test_forty_names_are_entered_at_once_in_their_order_and_namesakes_are_told_apart(
    organiser: Browser,
) -> None:
    names = [f"Player {number}" for number in range(1, 41)]
    id = begun(organiser, "\n".join(names), name="Large", kind="swiss")
    told = organiser.organise(do="enter", tournament=id, name="player 3\nZoe\nZoe")
    assert told == (200, {"twice": ["player 3", "Zoe"]})
    entered = [one["name"] for one in organiser.get(f"/api/tournaments/{id}")["players"]]
    assert entered == [*names, "Zoe"]
    # As it was entered, so strong they are: the first meets the one in the middle.
    assert organiser.organise(do="leave", tournament=id, player=_id(organiser, id, "Zoe"))[0] == 200
    assert organiser.organise(do="pair", tournament=id)[0] == 200
    assert set(games_of(organiser, id, 1)[0][1]) == {"Player 1", "Player 21"}


def _id(organiser: Browser, id: int, name: str) -> int:
    players = organiser.get(f"/api/tournaments/{id}")["players"]
    return next(int(one["id"]) for one in players if one["name"] == name)


def test_a_wrong_result_is_corrected_in_place_and_what_changes_is_told(organiser: Browser) -> None:
    id = begun(organiser, "Ada\nBen\nCleo\nDan", name="Corrected", kind="swiss", rounds=3)
    for number in (1, 2):
        organiser.organise(do="pair", tournament=id)
        win(organiser, id, number)
    organiser.organise(do="pair", tournament=id)
    third = games_of(organiser, id, 3)
    board, (first, second) = games_of(organiser, id, 1)[0]
    asked = {"tournament": id, "round": 1, "board": board, "places": [2, 1]}
    status, told = organiser.organise(do="result", **asked)
    assert status == 200
    assert told["paired"] == 3
    assert {one["name"] for one in told["moved"]} >= {first, second}
    assert games_of(organiser, id, 3) == third, "what was paired stays"
    table = {one["name"]: one for one in organiser.get(f"/api/tournaments/{id}")["table"]}
    moved = {one["name"]: one["to"] for one in told["moved"]}
    assert all(table[name]["place"] == place for name, place in moved.items())


def test_a_round_that_was_taken_back_comes_again_with_its_results(organiser: Browser) -> None:
    id = begun(organiser, "Ada\nBen\nCleo\nDan", name="Back", kind="swiss", rounds=3)
    organiser.organise(do="pair", tournament=id)
    win(organiser, id, 1)
    before = organiser.get(f"/api/tournaments/{id}")
    assert organiser.organise(do="unpair", tournament=id)[0] == 200
    gone = organiser.get(f"/api/tournaments/{id}")
    assert (gone["games"], gone["restorable"]) == ([], 1)
    assert organiser.organise(do="restore", tournament=id)[0] == 200
    assert organiser.get(f"/api/tournaments/{id}")["games"] == before["games"]
    assert organiser.organise(do="restore", tournament=id)[0] == 409
    # Paired anew with one player more, and then the old round is preferred after all.
    organiser.organise(do="unpair", tournament=id)
    organiser.organise(do="enter", tournament=id, name="Emil\nFrieda")
    organiser.organise(do="pair", tournament=id)
    assert len(games_of(organiser, id, 1)) == 3
    assert organiser.organise(do="restore", tournament=id)[0] == 200
    assert organiser.get(f"/api/tournaments/{id}")["games"] == before["games"]


def test_a_refusal_names_its_own_cause(organiser: Browser) -> None:
    id = int(organiser.organise(do="begin", name="Causes", kind="swiss", rounds=2)[1]["id"])

    def refused(**asked: Any) -> str:
        status, told = organiser.organise(tournament=id, **asked)
        assert status == 409
        return str(told["code"])

    assert refused(do="pair") == "too_few_players"
    organiser.organise(do="enter", tournament=id, name="Ada, Ben")
    organiser.organise(do="pair", tournament=id)
    assert refused(do="pair") == "results_missing"
    win(organiser, id, 1)
    assert refused(do="pair") == "round_meets_again"
    assert organiser.organise(do="pair", tournament=id, again=True)[0] == 200
    win(organiser, id, 2)
    assert refused(do="pair") == "all_rounds_played"
    assert organiser.organise(do="more_rounds", tournament=id)[0] == 200
    assert refused(do="pair") == "round_meets_again"
    assert organiser.organise(do="begin", name="X", kind="round_robin", seats=3)[0] == 409
    asked = {"do": "begin", "name": "X", "kind": "swiss"}
    status, told = organiser.organise(**asked, game="knizia_stonehenge", seats=4)
    assert (status, told["code"]) == (409, "not_so_many_players")
    assert organiser.organise(**asked, seats=3, scale=[1, 2, 3])[1]["code"] == "bad_scale"


def test_a_tournament_of_larger_tables_gives_points_by_place(organiser: Browser) -> None:
    names = "\n".join(f"P{number}" for number in range(1, 8))
    id = begun(
        organiser, names, name="Gods", game="dolmengoetter", kind="swiss", rounds=2, seats=4,
        scale=[4, 2, 1, 0],
    )  # fmt: skip
    organiser.organise(do="pair", tournament=id)
    assert [len(names) for _, names in games_of(organiser, id, 1)] == [4, 3]
    win(organiser, id, 1)
    board, names_ = games_of(organiser, id, 1)[0]
    asked = {"tournament": id, "round": 1, "board": board, "places": [1, 1, 3, 4]}
    assert organiser.organise(do="result", **asked)[0] == 200
    table = {one["name"]: one["points"] for one in organiser.get(f"/api/tournaments/{id}")["table"]}
    assert [table[name] for name in names_] == [3, 3, 1, 0]


def test_a_match_that_a_table_recorded_is_the_result(
    club: Servers, organiser: Browser, tmp_path: Path
) -> None:
    id = begun(organiser, "Ada\nBen", name="Recorded", game="knizia_stonehenge", kind="swiss")
    with table(club, "recorded", tmp_path) as journal:
        # Played before they were paired: another match.
        play(journal, "knizia_stonehenge", 5, corrections=False)
        assert until(lambda: line_of(organiser, "recorded").get("status") == "finished")
        organiser.organise(do="pair", tournament=id)

        def seats() -> dict[str, Any]:
            time.sleep(0.05)
            (game,) = organiser.get(f"/api/tournaments/{id}")["games"]
            return {"table": game["table"], **{s["name"]: s["place"] for s in game["seats"]}}

        assert seats() == {"table": "", "Ada": None, "Ben": None}
        match_id = play(journal, "knizia_stonehenge", 6, corrections=False)
        outcome = journal.load(match_id).outcome
        assert outcome is not None
        assert until(lambda: seats()["table"] == "recorded")
        winner = ("Ada", "Ben")[outcome.ranking[0][0]]
        assert seats()[winner] == 1
        # The last move is taken back at the table, and made once more.
        last = journal.load(match_id).log[-1].move
        journal.append(match_id, TakenBack(1), src=Source.TOUCH, status="open")
        assert until(lambda: seats() == {"table": "", "Ada": None, "Ben": None})
        journal.append(match_id, MovePlayed(last), src=Source.TOUCH)
        journal.append(match_id, MatchEnded(outcome), src=Source.DEALER, status="finished")
        assert until(lambda: seats()[winner] == 1)
        # The organiser knows better.
        asked = {"tournament": id, "round": 1, "board": 1, "places": [1, 1]}
        assert organiser.organise(do="result", **asked)[0] == 200
        assert seats() == {"table": "", "Ada": 1, "Ben": 1}


def test_a_round_robin_ends_when_everybody_has_met(organiser: Browser) -> None:
    id = begun(organiser, "Ada\nBen\nCleo", name="All", kind="round_robin")
    for number in (1, 2, 3):
        assert organiser.organise(do="pair", tournament=id)[0] == 200
        for board, names in games_of(organiser, id, number):
            if len(names) == 2:
                asked = {"tournament": id, "round": number, "board": board, "places": [1, 1]}
                assert organiser.organise(do="result", **asked)[0] == 200
    assert organiser.organise(do="enter", tournament=id, name="Dan")[0] == 409
    assert organiser.organise(do="pair", tournament=id)[1]["code"] == "all_rounds_played"
    assert [line["points"] for line in organiser.get(f"/api/tournaments/{id}")["table"]] == [2] * 3


def test_a_season_lists_ratings_wins_and_the_best_win(
    club: Servers, browser: Browser, tmp_path: Path
) -> None:
    with table(club, "season", tmp_path) as journal:
        # Names of its own: all tests share the club, and a face is the last one shown.
        play(journal, "knizia_stonehenge", 3, corrections=False, names=("Edith", "Finn"))
        assert until(lambda: line_of(browser, "season").get("status") == "finished")

    def season() -> dict[str, Any]:
        time.sleep(0.05)
        found: dict[str, Any] = browser.get("/api/season")
        return found

    # It is worked out anew every few seconds.
    assert until(lambda: "Edith" in [player["name"] for player in season()["players"]])
    assert "knizia_stonehenge" in [one["game"] for one in season()["records"]]
    seen = {player["name"]: player for player in season()["players"]}
    assert seen["Edith"]["face"] != seen["Finn"]["face"], "as their table showed them"
    assert {seen[name]["colour"] for name in ("Edith", "Finn")} == {"black", "brown"}
    assert all(seen[name]["rgb"].startswith("#") for name in ("Edith", "Finn"))


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


# -- in a real browser: last, because Playwright's event loop then stays in this thread ------------


@pytest.fixture(scope="module")
def drawing() -> Iterator[Any]:
    with chromium() as found:
        yield found


def test_a_players_phone_says_where_they_play_as_soon_as_a_round_is_paired(
    organiser: Browser, hall: str, drawing: Any
) -> None:
    id = begun(organiser, "Ada\nBen\nCleo", name="Where", kind="round_robin")
    with visits(drawing) as seen:
        phone = seen.go(f"{hall}#tournaments/{id}")
        phone.wait_for_selector("text=Players (3)")
        organiser.organise(do="pair", tournament=id)
        phone.select_option("[data-key=me]", "Cleo")
        phone.wait_for_selector("[role=status] >> text=Ben (begins) – Cleo")
        seen.look_over(phone)
        win(organiser, id, 1)
        organiser.organise(do="pair", tournament=id)
        phone.wait_for_selector("[role=status] >> text=bye")
        assert not seen.complaints


def test_the_halls_pages_are_for_everybody(hall: str, drawing: Any) -> None:
    with visits(drawing) as seen:
        at = seen.go(f"{hall}#tournaments", lang="de", light=True)
        at.fill("input[type=password]", PASSWORD)
        at.keyboard.press("Enter")
        at.wait_for_selector("form select")
        seen.look_over(at)
        for room in ("tables", "season"):
            at.click(f"[data-key={room}]")
            at.wait_for_selector(f"[data-key={room}][aria-current=page]")
            seen.look_over(at)
        low = at.evaluate(
            "[...document.querySelectorAll('a, button, input, select')]"
            ".filter(one => one.offsetParent && one.getBoundingClientRect().height < 44)"
            ".map(one => one.outerHTML)"
        )
        assert not low
