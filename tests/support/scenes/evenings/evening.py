"""One table in the hands of people, and places of a match at which hands begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from companion.journal.entries import Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import TableEvent
from companion.match.messages import Message, Seen, Tick
from companion.match.table import Table
from companion.match.view import CameraIsWrong, ChooseCandidate, PlayMove, PlayMoves
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Manners
from rules.box import Box, load_box
from rules.core import Actor, Item, Layout, Move
from rules.games import find_game
from rules.match import Match
from rules.reading.sighting import EMPTY, Glimpse, Look, SiteBelief, looks
from rules.testing.pictures import DrawnSighting, Noise, clear, draw
from tests.support.scenes.evenings.truth import decided
from tests.support.scenes.offences.legal import Lying
from tests.support.scenes.turns import shown_moves

FRAME_S = 0.5
"""Seconds between two sightings of a table that does not change."""
CALM_S = 6.0
"""Seconds for which a table must lie still before it should have concluded everything."""
LATE_S = 1e-6
STEP_S = 1.5
"""Hands' time for one visible step …"""
SILENT_S = 2.0
"""… and for one that leaves no trace, such as a card that is turned and turned back."""


@dataclass
class Evening:
    """One table in the hands of people; ``lying`` is what lies on it."""

    match: Match
    header: Header
    enforcement: Enforcement = Enforcement.ENFORCE
    noise: Noise | None = None
    chance: Random = field(default_factory=Random)

    def __post_init__(self) -> None:
        self.box: Box = load_box(self.match.game.box).for_game(self.match.game.id)
        journal = Journal(":memory:")
        journal.create(self.header)
        self.table = Table(journal, self.header, Manners())
        # What lies in the record already is settled: people agreed to it.
        for entry in self.match.log:
            if self.table.match.ply < self.match.ply:
                wanted = self.match.log[self.table.match.ply].move
                self.table.handle(PlayMove(wanted), 0.0, Source.TOUCH)
            del entry
        self.now = 10.0
        self.said: list[tuple[float, TableEvent]] = []
        self.lying: dict[str, Look] = dict(looks(self.match.layout))
        self._touched: list[Move] = []
        self.begun = decided(self.match)
        """The decisions in the record when hands began."""

    @property
    def begun_right(self) -> bool:
        """True if the table's record is the match it was to begin with."""
        return bool(self.table.match.state.to_json() == self.match.state.to_json())

    @property
    def before_touches(self) -> Match:
        """The record without the touches it ends with, and what followed from them."""
        match = self.table.match.clone()
        while match.ply and (
            match.log[-1].move in self._touched or match.log[-1].move.player is None
        ):
            match.pop()
        return match

    def close(self) -> None:
        """Leave the table."""
        self.table.record.journal.close()

    def lay(self, layout: Layout | Mapping[str, Look]) -> None:
        """Lays everything like this from now on."""
        self.lying = dict(looks(layout)) if isinstance(layout, Counter) else dict(layout)

    def look(self, seconds: float, *, hand: bool = False, hidden: Sequence[str] = ()) -> None:
        """The camera sees the table for ``seconds``."""
        sighting = self.sighting(hand, frozenset(hidden))
        end = self.now + seconds
        self._send(Seen(sighting), Source.CAMERA)
        while self.now < end:
            frame = min(self.now + FRAME_S, end)
            while (due := self._due()) is not None and due <= frame:
                self.now = due
                self._send(Tick(), Source.CAMERA)
            self.now = frame
            self._send(Seen(sighting), Source.CAMERA)

    def touch(self, *moves: Move) -> None:
        """Enters moves by touch."""
        self._touched += moves
        self._send(PlayMove(moves[0]) if len(moves) == 1 else PlayMoves(moves))

    def press(self, message: Message) -> None:
        """Presses a key of the screen."""
        self._send(message)

    def answer(self, index: int) -> None:
        """Chooses an explanation."""
        self.press(ChooseCandidate(index))

    def something_else(self) -> None:
        """None of the answers is the truth."""
        self._send(CameraIsWrong())

    def _due(self) -> float | None:
        deadline = self.table.next_deadline()
        if deadline is None or deadline + LATE_S <= self.now:
            return None
        return deadline + LATE_S

    def _send(self, message: Message, src: Source = Source.TOUCH) -> None:
        self.said += [(self.now, event) for event in self.table.handle(message, self.now, src)]

    def sighting(
        self, hand: bool = False, hidden: frozenset[str] = frozenset()
    ) -> DrawnSighting:  # fmt: skip
        """The look of the table now."""
        sites = {
            site: SiteBelief({}, occluded=True)
            if site in hidden
            else clear(self.lying.get(site, EMPTY))
            for site in self.box.sites
        }
        if self.noise is not None:
            layout = _items(self.lying)
            drawn = draw(self.box, layout, self.noise, self.chance).sites
            sites = {s: b if s in hidden else drawn[s] for s, b in sites.items()}
        return DrawnSighting(sites, hand)


def _items(lying: Mapping[str, Look]) -> Layout:

    return Counter(
        Item(site, g.kind, None, 0, g.pose) for site, look in lying.items() for g in look
    )


@dataclass(frozen=True, slots=True)
class Turns:
    """A place in a random match: what was agreed, and what hands do next."""

    before: Match
    turns: tuple[tuple[Match, ...], ...]
    """For each of the next turns the match after each of its moves."""
    header: Header
    chance: Random

    @property
    def first(self) -> Match:
        """The match after the first turn."""
        return self.turns[0][-1]

    def hands_s(self, turn: int) -> float:
        """Seconds that hands take for a turn."""
        return sum(self._seconds(turn))

    def _seconds(self, turn: int) -> list[float]:
        """Seconds that hands take for each move of a turn."""
        last = self._before(turn)
        found: list[float] = []
        for match in self.turns[turn]:
            move = match.log[-1].move
            silent = looks(match.layout) == looks(last.layout)
            seconds = (0.5 if move.verb == "done" else SILENT_S) if silent else STEP_S
            found.append(seconds if move.actor is Actor.PLAYER else 0.0)
            last = match
        return found

    def _before(self, turn: int) -> Match:
        return self.before if turn == 0 else self.turns[turn - 1][-1]

    def shows(self, turn: int) -> list[tuple[float, Lying]]:
        """The layouts that hands leave within a turn, one after another, each with the seconds that
        hands take until then, also for steps before it that leave no trace."""
        last, hands_s = looks(self._before(turn).layout), 0.0
        found: list[tuple[float, Lying]] = []
        for match, seconds in zip(self.turns[turn], self._seconds(turn), strict=True):
            now, lies, hands_s = looks(match.layout), _bought(match), hands_s + seconds
            if now != last:
                found += [(hands_s, {**last, **lies})] if lies else []
                found.append((STEP_S if lies else max(hands_s, STEP_S), now))
                hands_s = 0.0
            last = now
        return found


def _bought(match: Match) -> Lying:
    """A card that was just bought in Dominion, and lies there before all is cleared away."""
    move = match.log[-1].move
    if match.game.id != "dominion" or move.verb != "buy":
        return {}
    return {f"discard-p{move.player}": (Glimpse(move.args[0]),)}


def turns_of_a_match(
    game_id: str, players: int, seed: int, options: Mapping[str, str], header: Header
) -> Iterator[Turns]:
    """Places of one match at which a turn begins and two whole turns follow."""
    game = find_game(game_id)
    truth = Match(game, players, options, physical=True, seed=seed)
    begun: list[Match] = []
    turns: list[list[Match]] = []
    asked: int | None = None
    for move in shown_moves(game_id, players, seed, options):
        if truth.ply > 160:
            break
        now = truth.prompt
        if now is not None and now.actor is Actor.PLAYER and now.player != asked:
            asked = now.player
            begun.append(truth.clone())
            turns.append([])
        truth.push(move)
        if turns:
            turns[-1].append(truth.clone())
    for number in range(len(turns) - 2):
        yield Turns(
            begun[number],
            tuple(tuple(each) for each in turns[number : number + 2]),
            header,
            Random(0),
        )
