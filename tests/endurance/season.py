"""A season of a club, driven through its pages and its tables' wire:
``python -m tests.endurance.season``.

The organiser does over HTTP what the pages do; broker, database, writer and pages are the club's
own programs. Each table is a real member: it is told which games wait for it, begins them as its
screen would, and its journal is sent as always. A player goes, two have one name, some results are
typed, some are wrong and put right rounds later. In the end tables and ratings are compared with
``season_reckoned``, which knows only who was where.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from companion.app.match_setup import header_of
from companion.club.membership import Membership
from companion.club.two_tables import ClubTables
from companion.club.upload import Uploader
from companion.journal.entries import FINISHED
from companion.journal.events import MatchEnded, MovePlayed, Source
from companion.journal.store import Journal
from companion.presentation.remote_table import Pairing
from companion.settings.people import MatchSetup
from rules.match import Match
from rules.testing.playout import pick
from tests.endurance.season_reckoned import ratings, table
from tests.support.club import Servers, listens, pages_process, servers, writer_process
from tests.support.hall_browser import Browser
from tests.support.waiting import until

DUEL, THREE = "knizia_stonehenge", "dolmengoetter"
PAUSE_S = 0.03
"""Seconds between two requests: who asks more often than anybody needs to is refused."""
FIRST = ("Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gerd", "Hanna", "Ivo", "Jana", "Karl", "Lea")
LAST = ("Schneider-Baumgartner", "Schneider-Baumann", "Weiß", "O’Neill", "Müller")


@dataclass(frozen=True)
class Plan:
    """How large a season is."""

    people: int = 40
    evenings: int = 12
    duels: int = 7
    """Rounds of the tournament of two; those of three fill the last evenings."""
    threes: int = 6
    matches: int = 300
    wrong: int = 20
    tables: int = 8
    typed: float = 0.15
    """Share of the games of tournaments that are played without a table."""
    seed: int = 1


@dataclass
class Game:
    """A game of a tournament, or a match between friends, with its true result."""

    names: tuple[str, ...]
    result: dict[str, int]
    ended_s: float
    typed: bool = False
    wrong: bool = False


@dataclass
class Tournament:
    """A tournament as the driver knows it."""

    id: int
    name: str
    seats: int
    scale: tuple[int, ...]
    names: list[str]
    rounds: list[dict[int, Game]] = field(default_factory=list)
    byes: list[list[str]] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=dict)


class Table:
    """A table of the club: a journal, and what a real one has to do with its club."""

    def __init__(self, member: Membership, state: Path, chance: random.Random) -> None:
        state.mkdir(parents=True)
        self.name, self._chance = member.table, chance
        self.journal = Journal(state / "journal.db")
        self.uploader = Uploader(member, state).start()
        self.club = ClubTables(member, state).start()

    @property
    def waiting(self) -> Sequence[Pairing]:
        """The games of tournaments that its shelf shows."""
        return self.club.now.pairings

    def play(self, setup: MatchSetup) -> list[int]:
        """Plays a match at random; gives the place of each seat."""
        header = header_of(setup, "en", course="", together=None)
        self.journal.create(header)
        match = Match(header.game, header.players, header.options, seed=header.seed)
        moves = []
        while match.outcome is None:
            move = pick(match.state, match.legal_moves(), self._chance)
            match.push(move)
            moves.append(MovePlayed(move))
        self.journal.append(header.id, *moves, src=Source.TOUCH)
        self.journal.append(
            header.id, MatchEnded(match.outcome), src=Source.DEALER, status=FINISHED
        )
        self.uploader(cast(Any, None), ())
        places, before = [0] * header.players, 0
        for group in match.outcome.ranking:
            for seat in group:
                places[seat] = before + 1
            before += len(group)
        return places

    def close(self) -> None:
        """Ends it."""
        self.club.close()
        self.uploader.close()
        self.journal.close()


class Season:
    """The driver: the organiser at the pages, and people at the tables."""

    def __init__(self, browser: Browser, tables: Sequence[Table], plan: Plan) -> None:
        self.browser, self.tables, self.plan = browser, tables, plan
        self.chance = random.Random(plan.seed)
        self.games: list[Game] = []
        """All matches, in the order in which they ended."""
        self.corrected: list[tuple[Tournament, int, int]] = []
        self.requests = 0

    # -- what a browser asks for -----------------------------------------------------------

    def ask(self, **asked: Any) -> Any:
        """Something of the organiser; it must be possible."""
        status, told = self.refused(**asked)
        assert status == 200, (asked, told)
        return told

    def refused(self, **asked: Any) -> tuple[int, Any]:
        """The same, whatever is answered."""
        time.sleep(PAUSE_S)
        self.requests += 1
        return self.browser.organise(**asked)

    def page(self, tournament: Tournament) -> Any:
        """A tournament's page."""
        time.sleep(PAUSE_S)
        self.requests += 1
        return self.browser.get(f"/api/tournaments/{tournament.id}")

    # -- the evenings ----------------------------------------------------------------------

    def run(self) -> tuple[Tournament, Tournament]:
        """The whole season; gives both tournaments."""
        plan, names = self.plan, people(self.plan.people)
        two = self._begin("Autumn cup", DUEL, 2, plan.duels, names)
        three = self._begin("Circle of druids", THREE, 3, plan.threes, sorted(names))
        tournament_games = plan.duels * (plan.people // 2) + plan.threes * (plan.people // 3)
        friendly = max(plan.matches - tournament_games, 0)
        for evening in range(1, plan.evenings + 1):
            if evening <= plan.duels:
                self._round(two)
            if evening > plan.evenings - plan.threes:
                self._round(three)
            until_now = friendly * evening // plan.evenings
            for _ in range(friendly * (evening - 1) // plan.evenings, until_now):
                self._between_friends(names)
            if evening == plan.evenings - 1:
                # Somebody has to move away.
                self._leave(three, three.names[-1])
            if evening == plan.duels:
                self._take_back(two)
            self._correct(two, three, evening)
        return two, three

    def _begin(self, name: str, game: str, seats: int, rounds: int, names: list[str]) -> Tournament:
        asked = {"name": name, "game": game, "kind": "swiss", "rounds": rounds, "seats": seats}
        id = self.ask(do="begin", **asked)["id"]
        # From a file, as people write it: numbers, and one who has another's name.
        listed = [one.removesuffix(" 2") for one in names]
        text = "\n".join(f"{number}. {one}" for number, one in enumerate(listed, 1))
        twice = self.ask(do="enter", tournament=id, name=text)["twice"]
        for one in twice:
            self.ask(do="enter", tournament=id, name=f"{one} 2")
        order = list(dict.fromkeys(listed)) + [f"{one} 2" for one in twice]
        entered = [one["name"] for one in self.browser.get(f"/api/tournaments/{id}")["players"]]
        assert entered == order and sorted(order) == sorted(names), entered
        return Tournament(id, name, seats, {2: (1, 0), 3: (3, 1, 0)}[seats], order)

    def _round(self, of: Tournament) -> None:
        self.ask(do="pair", tournament=of.id)
        number = len(of.rounds) + 1
        paired = [one for one in self.page(of)["games"] if one["round"] == number]
        of.rounds.append({})
        of.byes.append([one["seats"][0]["name"] for one in paired if len(one["seats"]) == 1])
        games = [one for one in paired if len(one["seats"]) > 1]
        by_hand = {one["board"] for one in games if self.chance.random() < self.plan.typed}
        for one in games:
            if one["board"] in by_hand:
                self._type(of, number, one)
        left = {one["board"] for one in games} - by_hand
        ours = {one.name for one in self.tables}
        for one in games:
            # A table that was there this afternoon is switched off.
            if one["board"] in left and one["where"] and one["where"] not in ours:
                self.ask(do="move", tournament=of.id, round=number, board=one["board"], table="")
        assert until(lambda: self._play_waiting(of, number, left)), f"boards {left} wait for ever"
        assert until(lambda: self._all_settled(of, number)), "a recorded match is no result"

    def _type(self, of: Tournament, number: int, game: Any) -> None:
        names = tuple(seat["name"] for seat in game["seats"])
        places = self._at_random(len(names))
        self.ask(do="result", tournament=of.id, round=number, board=game["board"], places=places)
        played = Game(names, dict(zip(names, places, strict=True)), time.time(), typed=True)
        of.rounds[number - 1][game["board"]] = played
        self.games.append(played)

    def _at_random(self, count: int) -> list[int]:
        """Places as people type them; now and then two are equal."""
        places = self.chance.sample(range(1, count + 1), count)
        return [1] * count if self.chance.random() < 0.1 else places

    def _play_waiting(self, of: Tournament, number: int, left: set[int]) -> bool:
        """Every table plays what its shelf shows first; True if nothing is left."""
        for table_ in self.tables:
            shown = [one for one in table_.waiting if one.tournament == of.name
                     and one.round == number and one.board in left]  # fmt: skip
            if shown:
                one = shown[0]
                game = next(g for g in self.page(of)["games"]
                            if (g["round"], g["board"]) == (number, one.board))  # fmt: skip
                names = tuple(seat["name"] for seat in game["seats"])
                places = table_.play(one.setup(MatchSetup(one.plan.game, 2, physical=False)))
                played = Game(names, dict(zip(names, places, strict=True)), time.time())
                of.rounds[number - 1][one.board] = played
                self.games.append(played)
                left.discard(one.board)
        return not left

    def _all_settled(self, of: Tournament, number: int) -> bool:
        games = [one for one in self.page(of)["games"] if one["round"] == number]
        return all(seat["place"] for one in games for seat in one["seats"])

    def _between_friends(self, names: Sequence[str]) -> None:
        """A match that belongs to no tournament."""
        game, seats = self.chance.choice([(DUEL, 2), (THREE, 3)])
        here = tuple(self.chance.sample([name for name in names if len(name) <= 14], seats))
        places = self.chance.choice(self.tables).play(
            MatchSetup(game, seats, names=here, physical=False)
        )
        self.games.append(Game(here, dict(zip(here, places, strict=True)), time.time()))

    def _take_back(self, of: Tournament) -> None:
        """The last round is taken back, and that is taken back; then it is paired once more."""
        before = self.page(of)
        for again in ("restore", "pair"):
            self.ask(do="unpair", tournament=of.id)
            assert self.page(of)["round"] == len(of.rounds) - 1
            self.ask(do=again, tournament=of.id)
            after = self.page(of)
            assert (after["games"], after["table"]) == (before["games"], before["table"]), again

    def _leave(self, of: Tournament, name: str) -> None:
        player = next(one["id"] for one in self.page(of)["players"] if one["name"] == name)
        self.ask(do="leave", tournament=of.id, player=player)
        of.left[name] = len(of.rounds)

    def _correct(self, two: Tournament, three: Tournament, evening: int) -> None:
        """Results of earlier rounds that turn out to be wrong; what was paired since stays."""
        due = self.plan.wrong * evening // self.plan.evenings - len(self.corrected)
        old = [
            (of, number, board)
            for of in (two, three)
            for number, games in enumerate(of.rounds[:-1], 1)
            for board, game in games.items()
            if not game.wrong
        ]
        for of, number, board in self.chance.sample(old, min(due, len(old))):
            game = of.rounds[number - 1][board]
            before = [one for one in self.page(of)["games"] if one["round"] > number]
            places = [game.result[name] for name in game.names]
            while [game.result[name] for name in game.names] == places:
                places = self._at_random(len(game.names))
            told = self.ask(do="result", tournament=of.id, round=number, board=board, places=places)
            assert told["paired"] == len(of.rounds)
            after = [one for one in self.page(of)["games"] if one["round"] > number]
            assert after == before, "what was paired and played stays"
            game.result, game.wrong = dict(zip(game.names, places, strict=True)), True
            self.corrected.append((of, number, board))

    # -- what must be equal ----------------------------------------------------------------

    def differences(self, of: Tournament) -> list[str]:
        """Differences between a tournament's page and the truth."""
        rounds = [
            [*(game.result for game in games.values()), *({name: 1} for name in byes)]
            for games, byes in zip(of.rounds, of.byes, strict=True)
        ]
        wanted = {row.name: row for row in table(of.names, rounds, of.scale, of.left)}
        found = []
        for line in self.page(of)["table"]:
            row = wanted[line["name"]]
            for key in ("points", "direct", "buchholz_cut_1", "buchholz", "sonneborn_berger",
                        "wins", "place"):  # fmt: skip
                told, must = line[key], getattr(row, key)
                same = told is must if must is None else abs(told - float(must)) < 1e-6
                if not same:
                    found.append(f"{line['name']}: {key} {told}, not {must}")
        return found

    def rating_differences(self) -> list[str]:
        """Differences between the season's page and the truth."""
        wanted = ratings(one.result for one in sorted(self.games, key=lambda one: one.ended_s))
        time.sleep(PAUSE_S)
        page = self.browser.get("/api/season")
        told = {one["name"]: one for one in page["players"]}
        found = [f"{len(self.games)} matches, not {page['matches']}"] * (
            page["matches"] != len(self.games)
        )
        for name in sorted(wanted.keys() | told.keys()):
            if name not in told or name not in wanted:
                found.append(f"{name} is there and not there")
                continue
            one, must = told[name], wanted[name]
            wished = (round(must.mean), round(must.deviation), must.matches, must.wins)
            shown = (one["rating"], one["doubt"], one["matches"], one["wins"])
            if wished != shown:
                found.append(f"{name}: {shown}, not {wished}")
        return found


def people(count: int) -> list[str]:
    """Names of people, some too long for a table's screen; the last one has another's name."""
    found = [f"{first} {last}".strip() for last in ("", *LAST) for first in FIRST][: count - 1]
    return [*found, f"{found[0]} 2"]


@contextmanager
def club(plan: Plan) -> Iterator[tuple[Servers, str]]:
    """A club with its programs; gives its servers and the address of its pages."""
    with servers() as found:
        found.make([f"table-{number}" for number in range(1, plan.tables + 1)])
        running = [writer_process(found), pages_process(found)]
        try:
            assert until(lambda: listens(found.pages_port))
            yield found, f"http://127.0.0.1:{found.pages_port}/"
        finally:
            for one in running:
                one.terminate()
                one.wait()


def played(plan: Plan, servers_: Servers, address: str, folder: Path) -> dict[str, Any]:
    """Plays a season; gives its figures."""
    browser, began_s = Browser(address), time.monotonic()
    assert browser.sign_in() == 200
    with ExitStack() as stack:
        chance, tables = random.Random(plan.seed), []
        for number in range(1, plan.tables + 1):
            name = f"table-{number}"
            tables.append(Table(servers_.table(name), folder / name, chance))
            stack.callback(tables[-1].close)
        assert until(lambda: all(one.club.now.connected for one in tables))
        season = Season(browser, tables, plan)
        two, three = season.run()
        # A season is looked at every few seconds.
        until(lambda: not season.rating_differences())
        return {
            "matches": len(season.games),
            "from_tables": sum(not one.typed for one in season.games),
            "typed": sum(one.typed for one in season.games),
            "corrected": len(season.corrected),
            "rounds": [len(two.rounds), len(three.rounds)],
            "requests": season.requests,
            "differences": {
                "table of two": season.differences(two),
                "table of three": season.differences(three),
                "ratings": season.rating_differences(),
            },
            "seconds": round(time.monotonic() - began_s, 1),
        }


def main() -> int:
    """Plays a season and prints its figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.season")
    for name, kind in (("people", int), ("matches", int), ("tables", int), ("seed", int)):
        parser.add_argument(f"--{name}", type=kind, default=getattr(Plan, name))
    plan = Plan(**vars(parser.parse_args()))
    with tempfile.TemporaryDirectory() as folder, club(plan) as (found, address):
        figures = played(plan, found, address, Path(folder))
    print(json.dumps(figures, indent=2, ensure_ascii=False))
    return int(any(figures["differences"].values()))


if __name__ == "__main__":
    sys.exit(main())
