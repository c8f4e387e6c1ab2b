"""Swiss rounds of two beside ``py4swiss``, an implementation of the Dutch system of chess (FIDE
Handbook C.04.3).

Each pairs the same tournaments by itself, from the first round to the last: 10 to 40 players, 4 to
7 rounds; the same two people play as well in the same round whoever pairs them. Counted over all
rounds: repeated opponents, second byes, the mean difference of points of those who meet, players
who began three times in a row or were second three times, and how uneven beginning is at the end.

``python -m benchmarks.pairings [--tournaments N] [--seed N]``
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from time import process_time

from companion.club.naming import ClubError
from companion.club.tournament.games import DUEL, Game, bye, places_of
from companion.club.tournament.pairing import swiss_round

Pair = Callable[[Sequence[int], Sequence[Game], int], list[Game] | None]


@dataclass(slots=True)
class Tally:
    """Figures of all rounds of one implementation."""

    rounds: int = 0
    none: int = 0
    """Tournaments that ended early: no round was found."""
    games: int = 0
    repeats: int = 0
    byes: int = 0
    """Second byes."""
    thrice: int = 0
    """Players who began, or were second, three times in a row."""
    by_two: int = 0
    """Players who in the end have begun two times more or fewer than not."""
    by_more: int = 0
    """Three times or more."""
    apart: float = 0.0
    """Differences of points of those who met."""
    took_s: float = 0.0

    def line(self) -> str:
        """For people."""
        return (
            f"{self.rounds} rounds, {self.none} not found, {self.games} games: met again "
            f"{self.repeats}, second byes {self.byes}, three times in a row {self.thrice}, began "
            f"unevenly by two {self.by_two}, by more {self.by_more}, points apart "
            f"{self.apart / max(self.games, 1):.4f}; {1000 * self.took_s / self.rounds:.1f} ms a "
            "round"
        )


def ours(players: Sequence[int], games: Sequence[Game], number: int) -> list[Game] | None:
    """Heelstone's round."""
    try:
        return swiss_round(players, games, number)
    except ClubError:
        return None


def dutch(players: Sequence[int], games: Sequence[Game], number: int) -> list[Game] | None:
    """The same round by ``py4swiss``; None if there is none."""
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection

    sections = {
        id: PlayerSection(code=PlayerCode.PLAYER, starting_number=id, rank=id, points_times_ten=0)
        for id in players
    }
    for game in sorted(games, key=lambda one: one.round):
        points = list(map(float, game.points(DUEL)))
        for seat, id in enumerate(game.players):
            told = ResultToken({1.0: "1", 0.5: "=", 0.0: "0"}[points[seat]])
            result = RoundResult(
                id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.PAIRING_ALLOCATED_BYE
            )
            if not game.is_bye:
                result = RoundResult(
                    id=game.players[1 - seat], color=ColorToken("wb"[seat]), result=told
                )
            sections[id].results.append(result)
            sections[id].points_times_ten += round(10 * points[seat])
    record = ParsedTrf(
        player_sections=list(sections.values()), x_section=XSection(number_of_rounds=number + 1)
    )
    record.validate_contents()
    try:
        paired = DutchEngine.generate_pairings(record)
    except PairingError:
        return None
    return [
        Game(number, board, (one.white, one.black)) if one.black else bye(number, board, one.white)
        for board, one in enumerate(paired, 1)
    ]


def tournament(pair: Pair, players: int, rounds: int, seed: str, tally: Tally) -> None:
    """One tournament from its first round to its last."""
    ids, games = list(range(1, players + 1)), list[Game]()
    for number in range(1, rounds + 1):
        began = process_time()
        found = pair(ids, games, number)
        tally.took_s += process_time() - began
        if found is None:
            tally.none += 1
            break
        assert sorted(id for game in found for id in game.players) == ids
        tally.rounds += 1
        _count(ids, games, found, tally)
        games += [_played(game, seed) for game in found]
    for id in ids:
        begun = [g.players[0] == id for g in games if id in g.players and not g.is_bye]
        uneven = abs(2 * sum(begun) - len(begun))
        tally.by_two += uneven == 2
        tally.by_more += uneven > 2
        tally.thrice += any(a == b == c for (a, b), (_, c) in pairwise(pairwise(begun)))


def _count(ids: Sequence[int], games: Sequence[Game], found: Sequence[Game], tally: Tally) -> None:
    scores = dict.fromkeys(ids, 0.0)
    for game in games:
        for id, points in zip(game.players, game.points(DUEL), strict=True):
            scores[id] += points
    before = {frozenset(game.players) for game in games}
    for game in found:
        if game.is_bye:
            tally.byes += frozenset(game.players) in before
            continue
        tally.games += 1
        tally.repeats += frozenset(game.players) in before
        tally.apart += abs(scores[game.players[0]] - scores[game.players[1]])


def _played(game: Game, seed: str) -> Game:
    """The result of two people of whom the lower number is stronger."""
    if game.is_bye:
        return game
    low, high = sorted(game.players)
    ahead = Random(f"{seed} {game.round} {low} {high}").gauss(high - low, 8)
    places = {low: 2 - (ahead > -2), high: 2 - (ahead < 2)}
    order = places_of([places[id] for id in game.players])
    return Game(game.round, game.board, game.players, order)


def _main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = Random(given.seed)
    plans = []
    for number in range(given.tournaments):
        players = chance.randint(10, 40)
        rounds = min(chance.randint(4, 7), players // 2)
        plans.append((players, rounds, f"{given.seed}/{number}"))
    for name, pair in (("heelstone", ours), ("py4swiss", dutch)):
        tally = Tally()
        for players, rounds, seed in plans:
            tournament(pair, players, rounds, seed, tally)
        print(f"{name}: {tally.line()}", flush=True)


if __name__ == "__main__":
    _main()
