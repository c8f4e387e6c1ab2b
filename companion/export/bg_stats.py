"""A finished match as a play for the app BG Stats: a link that the app opens and reads.

The link is the app's own interface for other programs, ``createPlay.html`` with the play as JSON
in ``data`` (https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/).
Its Android version fails where a yes-or-no value is missing, so all of them are always given, and
``bggId`` must be a number.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from companion.match.looking_back.history import Recording
from rules.games import find_game
from rules.printable import harmless
from rules.telling import Teller

LONGEST_LINK = 8000
"""Maximum length of a link that BG Stats takes, letters."""
ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Heelstone"
UNSET_S = 1_577_836_800.0
"""The year 2020: a clock that says less was never set."""
SHORT_NAMES = (12, 6)
"""Maximum lengths of names where whole names would make the link too long, letters."""


@dataclass(frozen=True, slots=True)
class Player:
    """Result of one player."""

    name: str
    score: int
    rank: int
    """Counted from 1; equal players share the better place."""
    winner: bool
    began: bool


def play_link(
    recording: Recording, lang: str, longest: int = LONGEST_LINK, number: int = 0
) -> str | None:
    """The link of a finished match, at most ``longest`` letters; None while it is not finished.

    Names are shortened if it is too long. ``number``: the game's at BoardGameGeek, if people
    entered it; 0: the one that the game knows, if any.
    """
    if recording.outcome is None:
        return None
    links = _links(recording, lang, number)
    return next((link for link in links if len(link) <= longest), None)


def _links(recording: Recording, lang: str, number: int) -> Iterator[str]:
    """The same play, told ever more briefly."""
    teller = _teller(recording, lang)
    players = _players(recording, teller)
    yield _link(_play(recording, teller, number, [_entry(player) for player in players]))
    for most in SHORT_NAMES:
        short = [replace(player, name=player.name[:most].strip()) for player in players]
        told = [_entry(player) for player in short]
        yield _link(_play(recording, teller, number, told))
    # Seven or more: BG Stats asks who they are, if it does not know their names.
    for one in told:
        del one["sourcePlayerId"]
    yield _link(_play(recording, teller, number, told))


def _teller(recording: Recording, lang: str) -> Teller:
    game, given = find_game(recording.header.game), recording.header.names
    by_colour = Teller(game, lang, recording.colours)
    names = [
        harmless(given[seat]) if seat < len(given) and given[seat] else name
        for seat, name in enumerate(by_colour.colours)
    ]
    return Teller(game, lang, recording.colours, names)


def _link(play: dict[str, Any]) -> str:
    text = json.dumps(play, ensure_ascii=False, separators=(",", ":"))
    return ADDRESS + quote(text, safe=":,")


def _play(
    recording: Recording, teller: Teller, number: int, players: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    header = recording.header
    game = find_game(header.game)
    known = number or game.bgg_id
    bgg = {"bggId": known} if known else {}
    minutes = {"durationMin": round(recording.played_s / 60)} if recording.played_s >= 30 else {}
    ended_s = recording.ended_s if recording.ended_s > UNSET_S else time.time()
    return {
        "sourceName": SOURCE,
        "sourcePlayId": header.id,
        "playDate": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(ended_s)),
        **minutes,
        "game": {
            "name": teller.game_name,
            "sourceGameId": header.game,
            **bgg,
            "highestWins": _highest_wins(recording),
            "noPoints": not game.counts_points,
        },
        "players": list(players),
    }


def _highest_wins(recording: Recording) -> bool:
    """False if whoever won has fewer points than somebody else, as where the fewest win."""
    outcome = recording.outcome
    assert outcome is not None
    return outcome.scores[outcome.ranking[0][0]] >= max(outcome.scores)


def _entry(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "sourcePlayerId": _id_of(player.name),
        "startPlayer": player.began,
        "winner": player.winner,
        "score": player.score,
        "rank": player.rank,
    }


def _id_of(name: str) -> str:
    """The same for a person in every match, so that BG Stats asks only once who it is."""
    return f"{zlib.crc32(name.casefold().encode()):08x}"


def _players(recording: Recording, teller: Teller) -> list[Player]:
    outcome = recording.outcome
    assert outcome is not None
    lost = outcome.reason in find_game(recording.header.game).lost_together
    first = next((e.move.player for e in recording.entries if e.move.player is not None), None)
    found: dict[int, Player] = {}
    rank = 1
    for group in outcome.ranking:
        for seat in group:
            found[seat] = Player(
                teller.seat(seat), outcome.scores[seat],
                rank, rank == 1 and not lost, seat == first,
            )  # fmt: skip
        rank += len(group)
    return [found[seat] for seat in sorted(found)]
