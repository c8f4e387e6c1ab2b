"""Swiss rounds of two beside ``swissdutch``, an implementation of the Dutch system of chess.

Both pair each round of the same tournaments from the same history, which goes on with one or the
other's pairing by chance. Counted over the rounds that both found: repeated opponents and second
byes, players who have then begun two times more or fewer than not, and the mean difference of
points of those who meet; and rounds that only one of them found. ``swissdutch`` searches for very
long at times, and is ended after ``PATIENCE_S``.

``python -m benchmarks.pairings [--tournaments N] [--seed N]``
"""

from __future__ import annotations

import argparse
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from companion.club.naming import ClubError
from companion.club.tournament.games import DUEL, Game, bye, places_of
from companion.club.tournament.pairing import swiss_round

PATIENCE_S = 2


@dataclass(slots=True)
class Tally:
    """Figures of all rounds of one implementation."""

    rounds: int = 0
    """Rounds that it found at all."""
    games: int = 0
    repeats: int = 0
    uneven: int = 0
    """Players who have begun two times more or fewer than not; an odd number of games leaves
    one."""
    very_uneven: int = 0
    """Three times or more."""
    difference: float = 0.0

    def line(self) -> str:
        """For people."""
        return (
            f"{self.rounds} rounds found; of those of both {self.games} games, {self.repeats} "
            f"repeated, began unevenly {self.uneven} by two, {self.very_uneven} by more, points "
            f"apart {self.difference / max(self.games, 1):.4f}"
        )


def ours(players: Sequence[int], games: Sequence[Game], number: int) -> list[Game] | None:
    """Heelstone's round."""
    try:
        return swiss_round(players, games, number)
    except ClubError:
        return None


def dutch(players: Sequence[int], games: Sequence[Game], number: int) -> list[Game] | None:
    """The same round by ``swissdutch``; None if it finds none."""
    from swissdutch.constants import Colour, FloatStatus
    from swissdutch.dutch import DutchPairingEngine
    from swissdutch.player import Player

    def _float(down: bool, up: bool) -> int:
        return int(FloatStatus.down if down else FloatStatus.up if up else FloatStatus.none)

    scores = dict.fromkeys(players, 0.0)
    seen: dict[int, list[tuple[int, int, int]]] = {id: [] for id in players}
    for game in sorted(games, key=lambda one: one.round):
        if game.is_bye:
            (id,) = game.players
            seen[id].append((0, Colour.none, FloatStatus.down))
        else:
            first, second = game.players
            higher = scores[first] > scores[second], scores[second] > scores[first]
            seen[first].append((second, Colour.white, _float(*higher)))
            seen[second].append((first, Colour.black, _float(*higher[::-1])))
        for id, points in zip(game.players, game.points(DUEL), strict=True):
            scores[id] += points
    if number == 1:
        field = [Player(str(id), 3000 - id) for id in players]
    else:
        field = [
            Player(
                str(id), 3000 - id, pairing_no=id, score=scores[id],
                float_status=seen[id][-1][2],
                opponents=tuple(other for other, _, _ in seen[id]),
                colour_hist=tuple(colour for _, colour, _ in seen[id]),
            )
            for id in players
        ]  # fmt: skip
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(PATIENCE_S)
    try:
        paired = DutchPairingEngine().pair_round(number, field)
    except (TimeoutError, LookupError, ValueError, TypeError, AttributeError):
        return None
    finally:
        signal.alarm(0)
    found = list[Game]()
    for board, one in enumerate(paired, 1):
        id, other = int(one.name), one.opponents[-1]
        if other == 0:
            found.append(bye(number, board, id))
        elif one.colour_hist[-1] == Colour.white:
            found.append(Game(number, board, (id, other)))
    return found


def _give_up(*_: object) -> None:
    raise TimeoutError


def tournament(players: int, rounds: int, chance: Random, tallies: dict[str, Tally]) -> None:
    """One tournament from its first round to its last."""
    ids, games = list(range(1, players + 1)), list[Game]()
    for number in range(1, rounds + 1):
        found = {"heelstone": ours(ids, games, number), "swissdutch": dutch(ids, games, number)}
        whole = {name: paired for name, paired in found.items() if paired and _whole(paired, ids)}
        for name in whole:
            tallies[name].rounds += 1
        if len(whole) == len(found):
            for name, paired in whole.items():
                _count(ids, games, paired, tallies[name])
        if not whole:
            break
        games += [_played(game, chance) for game in whole[chance.choice(sorted(whole))]]


def _whole(paired: Sequence[Game], ids: Sequence[int]) -> bool:
    return sorted(id for game in paired for id in game.players) == ids


def _count(ids: Sequence[int], games: Sequence[Game], paired: Sequence[Game], tally: Tally) -> None:
    scores = dict.fromkeys(ids, 0.0)
    for game in games:
        for id, points in zip(game.players, game.points(DUEL), strict=True):
            scores[id] += points
    before = {frozenset(game.players) for game in games}
    after = [*games, *paired]
    for game in paired:
        tally.repeats += frozenset(game.players) in before
        if not game.is_bye:
            tally.games += 1
            tally.difference += abs(scores[game.players[0]] - scores[game.players[1]])
    for id in ids:
        seats = [g.players.index(id) for g in after if id in g.players and not g.is_bye]
        uneven = abs(seats.count(0) - seats.count(1))
        tally.uneven += uneven == 2
        tally.very_uneven += uneven > 2


def _played(game: Game, chance: Random) -> Game:
    """The result of two people of whom the lower number is stronger."""
    if game.is_bye:
        return game
    strong = chance.gauss(game.players[1] - game.players[0], 8)
    order = [0, 0] if abs(strong) < 2 else [0, 1] if strong > 0 else [1, 0]
    return Game(game.round, game.board, game.players, places_of(order))


def _main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance, tallies = Random(given.seed), {"heelstone": Tally(), "swissdutch": Tally()}
    for _ in range(given.tournaments):
        players = chance.randint(10, 40)
        tournament(players, min(chance.randint(4, 7), players // 2), chance, tallies)
    for name, tally in tallies.items():
        print(f"{name}: {tally.line()}")


if __name__ == "__main__":
    _main()
