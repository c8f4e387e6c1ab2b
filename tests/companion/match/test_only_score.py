"""Only score: whatever is played counts, allowed or not, and nothing counts twice."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.match.corrections.forced_entry import ForcedEntries
from companion.match.events import Refused
from companion.match.messages import Seen
from companion.match.rehearsing.rehearsal import Rehearsal
from companion.match.view import ChooseCandidate, PlayMove
from companion.settings.enforcement import Enforcement
from rules.box import load_box
from rules.core import Actor, Item, Layout, Move
from rules.games import find_game
from rules.match import Entry, Match
from rules.reading.reading import Fix, Reading, Status
from rules.reading.sighting import EMPTY, looks
from rules.testing.pictures import draw

BASIC = ("copper", "silver", "gold", "estate", "duchy", "province", "curse")
LOOK_S = 5
"""Seconds that the hands leave the board between two things that they do."""


class Evening:
    """People who care little for rules; ``truth`` is what they really did."""

    def __init__(self, game_id: str, seed: int) -> None:
        self.random = Random(seed)
        game = find_game(game_id)
        self.truth = Match(game, min(game.players), physical=True)
        self.truth.deal()
        self.rehearsal = Rehearsal(game, self.truth.players, {}, Enforcement.OFF)
        self.table, self.now, self.helped = self.rehearsal.table, 0.0, 0
        self.shown = [looks(self.truth.layout)]
        self.look()

    def play(self, moves: int, forbidden: float) -> None:
        """Do ``moves`` things; this share of them is against the rules."""
        for _ in range(moves):
            if self.truth.outcome is not None:
                return
            self.do(self.choose(forbidden))
            assert self.differing() == [], [entry.move for entry in self.truth.log]

    def choose(self, forbidden: float) -> Move:
        """The next move: one that is allowed, or another that shows."""
        truth = self.truth
        prompt = truth.prompt
        if prompt is not None and prompt.actor is Actor.PLAYER and self.random.random() < forbidden:
            wrong: list[Move] = [m for m in truth.state.pseudo_moves()
                     if m.actor is Actor.PLAYER and truth.why_not(m)]  # fmt: skip
            self.random.shuffle(wrong)
            for move in wrong:
                # A look of the board from before would say that moves were taken back.
                if looks(after(truth, move).layout) not in self.shown:
                    return move
        chosen: Move = truth.state.choose(truth.legal_moves(), self.random)
        return chosen

    def do(self, move: Move) -> None:
        """Do it at the table, and help where the table needs help."""
        shows = looks(after(self.truth, move).layout) != looks(self.truth.layout)
        self.truth = after(self.truth, move)
        self.shown.append(looks(self.truth.layout))
        if shows:
            self.look()
        if not shows or self.differing():
            self.helped += shows
            self.tell(move)
            self.look()

    def tell(self, move: Move) -> None:
        """Answer the question, or touch what was done: it left no trace, or was not read."""
        for index, candidate in enumerate(self.table.view().candidates):
            if move in candidate.moves:
                self.table.handle(ChooseCandidate(index), self.now)
                return
        self.table.handle(PlayMove(move), self.now)

    def look(self) -> None:
        """The camera looks for a while; nobody is ever blamed."""
        sighting = draw(self.rehearsal.box, self.truth.layout)
        for _ in range(LOOK_S):
            self.now += 1.0
            events = self.table.handle(Seen(sighting), self.now)
            assert not any(isinstance(event, Refused) for event in events)

    def differing(self) -> list[str]:
        """Sites where the record does not want what lies there."""
        lies, wanted = looks(self.truth.layout), looks(self.table.match.layout)
        return [s for s in self.rehearsal.box.sites if lies.get(s, EMPTY) != wanted.get(s, EMPTY)]


def after(match: Match, move: Move) -> Match:
    """The match after something that may be against the rules."""
    trial = match.clone()
    trial.force(move)
    trial.deal()
    return trial


@pytest.mark.parametrize("seed", range(3))
def test_the_score_of_knizias_match_is_the_number_of_megaliths_that_lie_there(seed: int) -> None:
    evening = Evening("knizia_stonehenge", seed)
    evening.play(80, forbidden=0.4)
    lying = Counter(item.kind for item in evening.truth.layout)
    scores = (lying["megalith black"], lying["megalith brown"])
    assert evening.table.match.scores == scores == evening.truth.scores
    assert any(entry.forced for entry in evening.table.match.log)


@pytest.mark.parametrize("game_id", ["erbaut_stonehenge", "rollende_steine"])
def test_whatever_is_played_the_record_is_what_lies_there(game_id: str) -> None:
    evening = Evening(game_id, 1)
    evening.play(24, forbidden=0.3)
    assert evening.helped <= 3


class Spendthrifts:
    """Two people at Dominion who buy what they like, whether they can pay for it or not."""

    def __init__(self, seed: int) -> None:
        self.random, game = Random(seed), find_game("dominion")
        self.hands = Match(game, 2, seed=seed)
        """What they really hold and do."""
        self.shown = Match(game, 2, physical=True)
        """The same, as a table shows it."""
        self.rehearsal = Rehearsal(game, 2, {}, Enforcement.OFF)
        self.table, self.now, self.done = self.rehearsal.table, 0.0, list[Move]()
        self.deal()
        self.table.handle(PlayMove(self.shown.log[0].move), self.now)

    def turn(self) -> None:
        """All coins, then a card while they still lie, then the sweep: three looks."""
        seat = self.hands.prompt.player if self.hands.prompt else None
        assert seat is not None
        while plays := [move for move in self.hands.legal_moves() if move.verb == "play"]:
            self.make(plays[0])
        self.look(self.shown.layout, self.done)
        buy = Move.of(seat, "buy", self.random.choice(BASIC))
        discards = f"discard-p{seat}"
        lying = Counter({i: n for i, n in self.shown.layout.items() if i.site != discards})
        lying[Item(discards, buy.args[0], seat)] = 1
        self.look(lying, [*self.done, buy])
        self.make(buy)
        self.look(self.shown.layout, self.done)

    def make(self, move: Move) -> None:
        """Makes a move, allowed or not."""
        self.pass_on(move)
        self.done.append(move)
        self.deal()

    def deal(self) -> None:
        """Makes the moves that follow by themselves."""
        while (move := self.hands.next_chance()) is not None:
            self.pass_on(move)

    def pass_on(self, move: Move) -> None:
        """A move, and what a table shows of it. What is drawn there is drawn by itself."""
        for told in self.hands.state.shown(move):
            if told.verb != "draw":
                self.shown.force(told)
        self.shown.deal()
        self.hands.play(Entry(move, forced=bool(self.hands.why_not(move))))

    def look(self, layout: Layout, done: list[Move]) -> None:
        """The camera looks; people enter what it has not understood of what was ``done``."""
        self.see(layout)
        missing = Counter(done)
        missing.subtract(e.move for e in self.table.match.log if e.move.actor is Actor.PLAYER)
        late = [move for move in dict.fromkeys(done) for _ in range(missing[move])]
        for move in late:
            self.table.handle(PlayMove(move), self.now)
        if late:
            self.see(layout)

    def see(self, layout: Layout) -> None:
        """Looks at the table; no player is ever blamed."""
        sighting = draw(self.rehearsal.box, layout)
        for _ in range(LOOK_S):
            self.now += 1.0
            events = self.table.handle(Seen(sighting), self.now)
            assert not any(isinstance(event, Refused) for event in events)


@pytest.mark.parametrize("seed", range(4))
def test_no_card_of_dominion_counts_twice_and_none_is_lost(seed: int) -> None:
    table = Spendthrifts(seed)
    for _ in range(10):
        table.turn()
        assert table.table.match.scores == table.hands.scores
    assert any(entry.forced for entry in table.table.match.log)


def test_what_was_taken_in_too_early_gives_way_to_the_legal_moves_that_say_the_same() -> None:
    match = Match("dominion", 2, physical=True)
    for text in ("dealer start p0", "p0 play copper"):
        match.push(text)
        match.deal()
    since, unjudged = match.ply, ForcedEntries()
    match.force("p0 buy estate")
    match.deal()
    unjudged.agreed(since, match, None, by_camera=True)
    coin, estate, moat = map(Move.parse, ("p0 play copper", "p0 buy estate", "p0 buy moat"))
    assert unjudged.same_by(match, [coin, estate]) == match.ply - since
    assert unjudged.same_by(match, [coin, moat]) == 0
    assert unjudged.same_by(match, [estate]) == 0


def test_what_lies_as_it_lay_when_the_record_changed_is_no_news() -> None:
    match = Match("knizia_stonehenge", 2, physical=True)
    match.push("p0 place 1 G")
    box, unjudged = load_box("knizia_stonehenge"), ForcedEntries()
    lay = Seen(draw(box, Counter([Item("G", "stone black 1"), Item("H1", "megalith black")])))
    unjudged.agreed(0, match, lay, by_camera=True)
    fixes = (Fix("H1", lay.sighting.sites["H1"].best, EMPTY), Fix("A", EMPTY, EMPTY))
    reading = Reading(Status.ILLEGAL, fixes=fixes)
    assert unjudged.no_news(reading, lay) == {"H1", "A"}
    moved = Seen(draw(box, Counter([Item("G", "stone black 1"), Item("A", "stone black 2")])))
    assert unjudged.no_news(reading, moved) == set()
