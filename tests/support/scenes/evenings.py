"""Evenings at a table: what hands do between two looks, and what the whole table makes of it.

A digital dealer plays a random match; some turns of it are played by hands as people play them:
step by step, two turns at once, with a changed mind, with a sleeve over what was put down, late, or
against the rules. Each situation begins with a record that is right, runs through a real ``Table``
with a clock of its own, and ends when the table has come to rest; then it is judged by what is
recorded, asked and refused. Nothing is written by hand, so every seed gives new situations.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from random import Random
from typing import Any

from companion.journal.entries import Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import BoardOutOfSync, Refused, TableEvent
from companion.match.messages import Message, Seen, Tick
from companion.match.table import Table
from companion.match.view import CameraIsWrong, ChooseCandidate, PlayMove, PlayMoves, TableState
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Commit, Manners
from rules.box import Box, load_box
from rules.core import Actor, GameError, IllegalMove, Item, Layout, Move
from rules.games import find_game
from rules.match import Match
from rules.reading.explaining import Explanations
from rules.reading.reading import MISSING, Status
from rules.reading.sighting import EMPTY, Glimpse, Look, SiteBelief, looks
from rules.reading.since import Since
from rules.reading.timing import in_time
from rules.testing.pictures import DrawnSighting, Noise, clear, draw
from tests.support.scenes.offences import KINDS, Lying, Offence, may_lie, offences
from tests.support.scenes.turns import is_truth, shown_moves

FRAME_S = 0.5
"""Seconds between two sightings of a table that does not change."""
CALM_S = 6.0
"""Seconds for which a table must lie still before it should have concluded everything."""
LATE_S = 1e-6
STEP_S = 1.5
"""Hands' time for one visible step …"""
SILENT_S = 2.0
"""… and for one that leaves no trace, such as a card that is turned and turned back."""
TOUCH_S = 1.5
"""Seconds from touch to touch of whoever enters something."""
AGAINST_THE_RULES = "against_the_rules"
MOST_OTHERS = 1500
"""Positions that are looked at for another play that would look like what was played."""
ANSWERS = 24
"""Number of answers and touches, all truthful, before a situation counts as stuck."""


class Verdict(StrEnum):
    """Result of one situation."""

    RIGHT = "right"
    TOLD = "told"
    """People were asked what only they can know, since another play would look the same, or said it
    by touch; then the truth was recorded."""
    ASKED = "asked"
    """They were asked although only the truth looks like this."""
    OPEN = "open"
    """It waits for what only people can know, and nothing on the screen lets them say it."""
    WAITS = "waits"
    """It waits although only the truth looks like this."""
    STUCK = "stuck"
    WRONG = "wrong"
    ACCUSED = "accused"
    # Offences only.
    OTHER_REASON = "other reason"
    OTHER_PERSON = "other person"
    DIFFERS = "differs"
    RECORDED = "recorded"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One situation and what came of it."""

    game: str
    players: int
    seed: int
    ply: int
    situation: str
    verdict: Verdict
    truth: tuple[str, ...]
    """Moves that were really played."""
    record: tuple[str, ...]
    """Moves that are recorded of them."""
    said: tuple[str, ...]
    """Refusals, questions and reports."""
    kind: str = ""
    """Of an offence: the relaxed condition and its verb."""


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


# -- situations -----------------------------------------------------------------------------


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
        before = self.before if turn == 0 else self.turns[turn - 1][-1]
        total, last = 0.0, before
        for match in self.turns[turn]:
            move = match.log[-1].move
            if move.actor is Actor.PLAYER:
                silent = looks(match.layout) == looks(last.layout)
                total += (0.5 if move.verb == "done" else SILENT_S) if silent else STEP_S
            last = match
        return total

    def shows(self, turn: int) -> list[Lying]:
        """The layouts that hands leave within a turn, one after another."""
        last = looks((self.before if turn == 0 else self.turns[turn - 1][-1]).layout)
        found: list[Lying] = []
        for match in self.turns[turn]:
            now, lies = looks(match.layout), _bought(match)
            if now != last:
                found += [{**last, **lies}] if lies else []
                found.append(now)
            last = now
        return found


def _bought(match: Match) -> Lying:
    """A card that was just bought in Dominion, and lies there before all is cleared away."""
    move = match.log[-1].move
    if match.game.id != "dominion" or move.verb != "buy":
        return {}
    return {f"discard-p{move.player}": (Glimpse(move.args[0]),)}


Situation = Callable[[Evening, Turns], Match | None]
"""Lets hands play it; returns what was really played, None if it does not fit here."""


def turn(evening: Evening, at: Turns) -> Match | None:
    """One turn, seen when the hand has left."""
    evening.look(2.0 + at.hands_s(0), hand=True)
    evening.lay(at.first.layout)
    return at.first


def step_by_step(evening: Evening, at: Turns) -> Match | None:
    """Each step is seen for two seconds."""
    each_s = at.hands_s(0) / max(len(at.shows(0)), 1)
    for lying in at.shows(0):
        evening.look(each_s, hand=True)
        evening.lay(lying)
        evening.look(2.0)
    return at.first


def fast_hands(evening: Evening, at: Turns) -> Match | None:
    """Each step is seen for a second only."""
    each_s = at.hands_s(0) / max(len(at.shows(0)), 1)
    for lying in at.shows(0):
        evening.look(each_s - 1.0, hand=True)
        evening.lay(lying)
        evening.look(1.0)
    return at.first


def two_turns(evening: Evening, at: Turns) -> Match | None:
    """Two turns before the hand leaves."""
    evening.look(3.0 + at.hands_s(0) + at.hands_s(1), hand=True)
    evening.lay(at.turns[1][-1].layout)
    return at.turns[1][-1]


def turn_by_turn(evening: Evening, at: Turns) -> Match | None:
    """Two turns, each seen for three seconds."""
    for number in (0, 1):
        evening.look(1.0 + at.hands_s(number), hand=True)
        evening.lay(at.turns[number][-1].layout)
        evening.look(3.0)
    return at.turns[1][-1]


def place_by_place(evening: Evening, at: Turns) -> Match | None:
    """A slow hand: place after place changes, in any order, and each is seen for half a second."""
    each_s = at.hands_s(0) / max(len(at.shows(0)), 1)
    for wanted in at.shows(0):
        evening.look(each_s - 1.0, hand=True)
        sites = [s for s in {**wanted, **evening.lying} if wanted.get(s) != evening.lying.get(s)]
        at.chance.shuffle(sites)
        for site in sorted(sites, key=lambda s: site_rank(wanted, s)):
            evening.lay({**evening.lying, site: wanted.get(site, EMPTY)})
            evening.look(0.5)
    return at.first


def site_rank(wanted: Mapping[str, Look], site: str) -> int:
    """Order of a site: things are taken up before they are put down."""
    return 1 if wanted.get(site) else 0


def mind_changed(seconds: float) -> Situation:
    """A step is seen for ``seconds``, then another one takes its place; if that might as well have
    followed it, play goes on."""

    def play(evening: Evening, at: Turns) -> Match | None:
        found = alternatives(at)
        if found is None:
            return None
        one, other = found
        evening.look(STEP_S, hand=True)
        evening.lay(one.layout)
        evening.look(seconds)
        evening.look(STEP_S, hand=True)
        evening.lay(other.layout)
        if not _may_follow(one, other):
            return other
        evening.look(seconds)
        further = _further(other, at.chance)
        if further is None:
            return None
        evening.look(STEP_S, hand=True)
        evening.lay(further.layout)
        return further

    play.__name__ = f"mind_changed_after_{seconds:g}_s"
    return play


def there_and_back(evening: Evening, at: Turns) -> Match | None:
    """A step is seen for two seconds, taken back, and made again."""
    found = alternatives(at)
    if found is None:
        return None
    one, _ = found
    for layout in (one.layout, at.before.layout, one.layout):
        evening.look(STEP_S, hand=True)
        evening.lay(layout)
        evening.look(2.0)
    return one


def taken_back(evening: Evening, at: Turns) -> Match | None:
    """A step is seen for two seconds and taken back."""
    found = alternatives(at)
    if found is None:
        return None
    evening.look(STEP_S, hand=True)
    evening.lay(found[0].layout)
    evening.look(2.0)
    evening.look(STEP_S, hand=True)
    evening.lay(at.before.layout)
    return at.before


def sleeve(evening: Evening, at: Turns) -> Match | None:
    """Sites that the first turn changed lie below a sleeve until the second one was made."""
    covered = changed(at.before, at.first)
    if covered & changed(at.first, at.turns[1][-1]) or not covered:
        return None
    evening.look(at.hands_s(0), hand=True)
    evening.lay(at.first.layout)
    evening.look(2.0, hidden=sorted(covered))
    evening.look(at.hands_s(1), hand=True)
    evening.lay(at.turns[1][-1].layout)
    evening.look(5.0, hidden=sorted(covered))
    return at.turns[1][-1]


def late(evening: Evening, at: Turns) -> Match | None:
    """The last place of a turn changes two seconds later, and the next turn follows at once."""
    wanted = looks(at.first.layout)
    sites = sorted(changed(at.before, at.first))
    if not sites:
        return None
    last = at.chance.choice(sites)
    if evening.lying.get(last) and len(sites) > 1:
        # What is put down, rather than what is taken up, comes late.
        last = next((s for s in sites if wanted.get(s)), last)
    evening.look(at.hands_s(0), hand=True)
    evening.lay({**wanted, last: evening.lying.get(last, EMPTY)})
    evening.look(2.0)
    evening.lay(wanted)
    evening.look(1.0)
    evening.look(at.hands_s(1), hand=True)
    evening.lay(at.turns[1][-1].layout)
    return at.turns[1][-1]


def lifted(evening: Evening, at: Turns) -> Match | None:
    """A piece is lifted for three seconds, looked at, and put back."""
    places = sorted(site for site, look in evening.lying.items() if look)
    if not places:
        return None
    site = at.chance.choice(places)
    lying = dict(evening.lying)
    evening.look(1.0, hand=True)
    evening.lay({**lying, site: lying[site][1:]})
    evening.look(3.0)
    evening.lay(lying)
    return at.before


def done_below_a_hand(evening: Evening, at: Turns) -> Match | None:
    """The end of a turn is touched while the hand still plays its last step."""
    if not at.shows(0):
        return None
    played = [at.before, *at.turns[0]]
    number = max(n for n, m in enumerate(at.turns[0]) if m.log[-1].move.actor is Actor.PLAYER)
    last, begun = at.turns[0][number].log[-1].move, played[0]
    if played[number].state.touches(last):
        # Only what follows it closes the turn; until then it is open.
        begun, last = played[number], Move.parse(f"p{last.player} done")
        if begun.why_not(last) or looks(_ended(begun, last).layout) == looks(at.first.layout):
            return None
    evening.look(at.hands_s(0), hand=True)
    if begun is not at.before:
        evening.lay(begun.layout)
        evening.look(2.0)
        evening.look(STEP_S, hand=True)
    if not evening.table.match.why_not(last):
        evening.touch(last)
    evening.look(1.0, hand=True)
    evening.lay(at.first.layout)
    return at.first


def _ended(match: Match, move: Move) -> Match:
    """``match`` after ``move`` and what follows by itself."""
    after = match.clone()
    after.push(move)
    after.deal()
    return after


LEGAL: Mapping[str, Situation] = {
    each.__name__: each
    for each in (
        turn, step_by_step, fast_hands, two_turns, turn_by_turn, place_by_place,
        mind_changed(1.0), mind_changed(5.0), mind_changed(20.0), there_and_back, taken_back,
        sleeve, late, lifted, done_below_a_hand,
    )
}  # fmt: skip


def alternatives(at: Turns) -> tuple[Match, Match] | None:
    """Two visible steps that the same player may take next, either of which hands can undo."""
    asked = at.before.prompt
    if asked is None or asked.actor is not Actor.PLAYER:
        return None
    lying = looks(at.before.layout)
    found: list[Match] = []
    moves = at.before.legal_moves()
    at.chance.shuffle(moves)
    for move in moves[:40]:
        after = at.before.clone()
        after.push(move)
        now = after.prompt
        chance = now is not None and now.actor is not Actor.PLAYER
        if chance or looks(after.layout) == lying:
            continue
        if all(looks(after.layout) != looks(other.layout) for other in found):
            found.append(after)
        if len(found) == 2:
            return found[0], found[1]
    return None


def _may_follow(one: Match, other: Match) -> bool:
    """True if the last move of ``other`` may follow ``one`` and look the same."""
    move = other.log[-1].move
    if one.why_not(move):
        return False
    after = one.clone()
    after.push(move)
    return looks(after.layout) == looks(other.layout)


def _further(match: Match, chance: Random) -> Match | None:
    """``match`` after a visible step more of the same player; None if there is none."""
    moves = [m for m in match.legal_moves() if m.player == match.log[-1].move.player]
    chance.shuffle(moves)
    for move in moves:
        after = match.clone()
        after.push(move)
        if looks(after.layout) != looks(match.layout):
            return after
    return None


def changed(one: Match, other: Match) -> set[str]:
    """Sites that look different."""
    a, b = looks(one.layout), looks(other.layout)
    return {site for site in {**a, **b} if a.get(site) != b.get(site)}


# -- offences -------------------------------------------------------------------------------


def against_the_rules(evening: Evening, offence: Offence) -> Verdict | None:
    """An illegal move is made, and lies there for four seconds; None if legal moves that
    the table finds explain it, or it may lie so for the moment."""
    evening.look(STEP_S, hand=True)
    evening.lay(offence.lying)
    evening.look(4.0)
    table = evening.table
    refusals = [event for _, event in evening.said if isinstance(event, Refused)]
    if not refusals:
        if table.state is TableState.AMBIGUOUS:
            reached = [_after(table.match, c.takeback, c.moves) for c in table.view().candidates]
            legal = any(may_lie(match, offence.lying) for match in reached)
            return None if legal else Verdict.ASKED
        if table.reading is not None and table.reading.status is Status.SETTLED:
            return None  # It may lie so for the moment.
        if table.state is TableState.PENDING and _explained(evening):
            return None  # It waits for people to say which of several it was.
        return Verdict.RECORDED if table.match.ply > offence.before.ply else Verdict.DIFFERS
    said = refusals[0].objections
    if offence.codes:
        right = said[0].code in offence.codes  # the first is the one that is told
    else:
        words = {str(value) for objection in said for value in objection.values.values()}
        right = not offence.sites.isdisjoint(words)
    if not right:
        return Verdict.OTHER_REASON
    reading = table.reading
    if reading is None or reading.refused is None or reading.refused.player != offence.player:
        return Verdict.OTHER_PERSON
    return Verdict.RIGHT


def _explained(evening: Evening) -> bool:
    """True if legal moves for which hands had the time explain what lies there."""
    since = Since(hands_s=STEP_S, elapsed_s=STEP_S + 2.0)
    known = Explanations(evening.table.match, evening.sighting(), {}, since)
    found = known.search(known.start)
    return any(n.moves and n.complete and not n.changed and in_time(known, n) for n in found)


def _after(record: Match, takeback: int, moves: Sequence[Move]) -> Match:
    after = record.clone()
    for _ in range(takeback):
        after.pop()
    for move in moves:
        after.push(move)
    return after


def offences_of(
    game_id: str, players: int, seed: int, places: Sequence[Turns], each: int,
    enforcement: Enforcement, noise: Noise | None,
) -> Iterator[Outcome]:  # fmt: skip
    """Offences of every kind, ``each`` at most, at the ``places`` of one match."""
    for kind in KINDS:
        chance = Random(f"{game_id}/{players}/{seed}/{kind}")
        order = list(places)
        chance.shuffle(order)
        done: Counter[str] = Counter()
        for at in order[: each * 8]:
            if done.total() >= each:
                break
            for offence in offences(at.before, at.turns, kind, chance):
                # Every verb has its turn.
                if done[offence.kind] > done.total() / 2:
                    continue
                outcome = _one_offence(at, offence, enforcement, noise, seed)
                if outcome is not None:
                    done[offence.kind] += 1
                    yield outcome
                    break


def _one_offence(
    at: Turns, offence: Offence, enforcement: Enforcement, noise: Noise | None, seed: int
) -> Outcome | None:
    before = offence.before
    evening = Evening(before, at.header, enforcement, noise, at.chance)
    try:
        if not evening.begun_right:
            return None
        evening.look(2.0)
        if evening.table.state not in (TableState.SETTLED, TableState.PENDING):
            return None
        verdict = against_the_rules(evening, offence)
        if verdict is None:
            return None
        table = evening.table
        whose = table.reading.refused if table.reading is not None else None
        return Outcome(
            at.header.game, at.header.players, seed, before.ply, AGAINST_THE_RULES, verdict,
            (offence.move.text, *sorted(offence.codes or offence.sites)),
            tuple(e.move.text for e in table.match.log[before.ply :]),
            (
                *(_told(s, e) for s, e in evening.said if _matters(e)),
                f"{table.state.value} {table.reading.doubt if table.reading else ''}",
                f"refused {whose}",
            ),
            offence.kind,
        )  # fmt: skip
    finally:
        evening.close()


# -- judging --------------------------------------------------------------------------------


def judge(evening: Evening, at: Turns, truth: Match) -> Verdict:
    """Result of the table, once it has come to rest and was answered truthfully."""
    verdict: Verdict | None = None
    touched: set[tuple[int, Move]] = set()
    for _ in range(ANSWERS):
        if any(isinstance(event, Refused) for _, event in evening.said):
            return Verdict.ACCUSED
        record, state = evening.table.match, evening.table.state
        if state is TableState.PROPOSED or evening.table.view().candidates:
            if state is not TableState.PROPOSED and verdict is None:
                # What was lifted may be put back, or be taken back.
                lifted = all(c.takeback and not c.moves for c in evening.table.view().candidates)
                unseen = lifted or _might_be_another(record, truth) or _might_go_on(record, truth)
                verdict = Verdict.TOLD if unseen else Verdict.ASKED
            failed = _answered(evening, truth)
            if failed is Verdict.WRONG and verdict is not None:
                evening.something_else()  # Whoever has begun to say it does not let it pass.
            elif failed is not None:
                return failed
        else:
            found = _at_rest(evening, truth)
            # Who has begun to say it goes on until all is said.
            says = found is Verdict.OPEN or (found is Verdict.STUCK and verdict is not None)
            if not says or not _said(evening, truth, at.before.ply, touched):
                return verdict if found is Verdict.RIGHT and verdict is not None else found
            verdict = verdict or Verdict.TOLD
            continue
        evening.look(CALM_S)
    return Verdict.STUCK


def _answered(evening: Evening, truth: Match) -> Verdict | None:
    """Answers a question truthfully; the verdict if that is not possible."""
    table, record = evening.table, evening.table.match
    happened = {entry.move for entry in truth.log}
    answers = list(enumerate(table.view().candidates))
    if _begins(record, truth):
        # What happened is not taken back.
        answers = [answer for answer in answers if answer[1].moves or not answer[1].takeback]
    # What chance brought is the truth, too.
    answers.sort(key=lambda answer: not happened.issuperset(answer[1].moves))
    leading = [(n, c) for n, c in answers if _leads_to(record, truth, c.takeback, c.moves)]
    whole = (n for n, c in leading if same(_after(record, c.takeback, c.moves), truth))
    index = next(whole, leading[0][0] if leading else None)
    may_lack = table.reading is not None and table.reading.doubt == MISSING
    if may_lack:
        # Of a turn of which nothing shows, a part is not the truth.
        index = next(
            (n for n, c in answers if _is_so_far(record, truth, c.takeback, c.moves)), None
        )
    if index is not None:
        evening.answer(index)
    elif may_lack or len(answers) < len(table.view().candidates):
        evening.something_else()
    else:
        return Verdict.WRONG if table.state is TableState.PROPOSED else Verdict.STUCK
    return None


def _begins(record: Match, truth: Match) -> bool:
    """True if the truth begins with all that is recorded."""
    return _common(record, truth) == record.ply < truth.ply


def _is_so_far(record: Match, truth: Match, takeback: int, moves: Sequence[Move]) -> bool:
    """True if the truth came by what ``moves`` lead to."""
    common, earlier = _common(record, truth), truth.clone()
    try:
        after = _after(record, takeback, moves)
    except IllegalMove:
        return False
    while earlier.ply > common:
        if same(after, earlier) or says_the_same(after, earlier):
            return True
        earlier.pop()
    return False


def says_the_same(record: Match, truth: Match) -> bool:
    """True if nothing is recorded otherwise, but for cards that nobody saw."""
    if verbs(record) != verbs(truth) or not part_of(record, truth):
        return False
    return looks(record.layout) == looks(truth.layout)


def decided(match: Match) -> Counter[Move]:
    """The players' decisions."""
    return Counter(e.move for e in match.log if e.move.actor is Actor.PLAYER)


def verbs(match: Match) -> Counter[tuple[int | None, str]]:
    """The players' decisions, without what they name."""
    decided = (e.move for e in match.log if e.move.actor is Actor.PLAYER)
    return Counter((move.player, move.verb) for move in decided)


def _said(evening: Evening, truth: Match, begun: int, touched: set[tuple[int, Move]]) -> bool:
    """Enters by touch what the record lacks of the next turn: what ended it, or else its next step;
    whether the table takes that. ``begun``: the number of moves of the truth before; ``touched``:
    all that was entered so far."""
    record = evening.table.match
    said = decided(record) - evening.begun
    said += Counter(e.move for e in record.log[begun:] if e.move.actor is Actor.TABLE)
    lacks: list[Move] = []
    for move in (entry.move for entry in truth.log[begun:]):
        if said[move] > 0:
            said[move] -= 1  # in another order
        elif move.actor is not Actor.DEALER:
            lacks.append(move)
    turn = [*takewhile(lambda move: move.player in (None, lacks[0].player), lacks)]
    for move in (*turn[-1:], *turn[:1]):
        if (record.ply, move) in touched or (move != turn[0] and not record.why_not(move)):
            continue  # Legal already, it would leave out what came before it.
        touched.add((record.ply, move))
        evening.touch(move)
        evening.look(TOUCH_S)
        taken = evening.table.match.ply != record.ply
        if taken or evening.table.view().candidates:
            return True
        evening.said = [(at, event) for at, event in evening.said if not isinstance(event, Refused)]
    return False


def _at_rest(evening: Evening, truth: Match) -> Verdict:
    """Result of a table that asks nothing."""
    table = evening.table
    if same(table.match, truth):
        return Verdict.RIGHT
    if table.state in (TableState.SETTLED, TableState.PENDING) and part_of(table.match, truth):
        shows = looks(table.match.layout) == looks(truth.layout)
        if table.state is TableState.SETTLED and shows:
            # What is left of the turn leaves no trace; what comes next tells it.
            return Verdict.RIGHT
        waits = table.state is TableState.PENDING or may_lie(table.match, looks(truth.layout))
        return _waits(table.match, truth) if waits else Verdict.STUCK
    if table.state is TableState.SETTLED and _says_what_shows(table.match, truth):
        return _waits(table.match, truth)
    if table.state is TableState.PENDING and part_of(evening.before_touches, truth):
        return _waits(evening.before_touches, truth)  # What was touched too early is known.
    if not part_of(table.match, truth):
        return Verdict.WRONG
    return Verdict.STUCK


def _waits(record: Match, truth: Match) -> Verdict:
    return Verdict.OPEN if _might_be_another(record, truth) else Verdict.WAITS


def _might_go_on(record: Match, truth: Match) -> bool:
    """True if play that went on from ``record`` by one or two steps would look like the truth."""
    ends, lying = _ends(truth), looks(truth.layout)
    here = [record]
    for _ in range(2):
        here = [
            _ended(match, move) for match in here[:MOST_OTHERS] for move in match.legal_moves()
            if move.actor is Actor.PLAYER
        ]  # fmt: skip
        if any(may_lie(m, lying) and _ends(m).isdisjoint(ends) for m in here[:MOST_OTHERS]):
            return True
    return False


def _might_be_another(record: Match, truth: Match) -> bool:
    """True if the truth might be another for those who play on, and look the same: with one or two
    of its steps since ``record`` left out, or others in their place, or with something else that
    chance turned up."""
    common, base = _common(record, truth), truth.clone()
    since = [entry.move for entry in truth.log[common:]]
    while base.ply > common:
        base.pop()
    ends, lying = _ends(truth), looks(truth.layout)
    return any(_led_astray(base, since, most, ends, lying) for most in (1, 2))


def _led_astray(
    base: Match, since: Sequence[Move], most: int, ends: set[str], lying: Lying
) -> bool:  # fmt: skip
    """True if with ``most`` other steps than ``since`` it comes to another end that looks the same;
    the last steps are changed first."""
    stack: list[tuple[Match, int, int, bool]] = [(base, 0, 0, False)]
    tried = 0
    while stack and tried < MOST_OTHERS:
        here, number, others, by_chance = stack.pop()
        tried += 1
        if number == len(since):
            differs = by_chance or (others and _ends(here).isdisjoint(ends))
            if differs and may_lie(here, lying):
                return True
            continue
        move, asked = since[number], here.prompt
        own = move.actor is Actor.PLAYER
        if asked is None or (asked.actor is not move.actor and not own):
            stack.append((here, number + 1, others, by_chance))  # It was dealt already.
            continue
        if others < most and asked.actor is move.actor:
            legal = [m for m in here.legal_moves() if m.player == move.player and m != move]
            ways = [here.clone()] if own else []
            ways += [_ended(here, other) for other in legal]
            stack += [(way, number + 1, others + 1, by_chance or not own) for way in ways]
        if not here.why_not(move):
            stack.append((_ended(here, move), number + 1, others, by_chance))
    return False


def _leads_to(record: Match, truth: Match, takeback: int, moves: Sequence[Move]) -> bool:
    after = record.clone()
    for _ in range(takeback):
        after.pop()
    for move in moves:
        if after.why_not(move):
            return False
        after.push(move)
    return same(after, truth) or part_of(after, truth)


def same(record: Match, truth: Match) -> bool:
    """True if they are the same for all who play on, with what follows from either by itself."""
    return not _ends(record).isdisjoint(_ends(truth))


def _ends(match: Match) -> set[str]:
    found, here = set(), match.clone()
    for step in range(2):
        if step:
            here.follow()
        found.add(json.dumps(match.game.inference.essence(here.state), sort_keys=True, default=str))
    return found


def _says_what_shows(record: Match, truth: Match) -> bool:
    """True if all that shows of the truth is recorded, and nothing else that shows."""
    if looks(record.layout) != looks(truth.layout):
        return False
    return _shown_moves(record, truth) == _shown_moves(truth, record)


def _shown_moves(match: Match, other: Match) -> Counter[Move]:
    """The players' moves that leave a trace, since ``match`` and ``other`` part."""
    common, trial, found = _common(match, other), match.clone(), Counter[Move]()
    while trial.ply > common:
        move = trial.pop()
        if move.actor is Actor.PLAYER and trial.state.touches(move):
            found[move] += 1
    return found


def _common(one: Match, other: Match) -> int:
    """The number of moves that both begin with."""
    equal = (a.move == b.move for a, b in zip(one.log, other.log, strict=False))
    return sum(takewhile(bool, equal))


def part_of(record: Match, truth: Match) -> bool:
    """True if what is recorded is the truth or its beginning, or says less of it."""
    common, base = _common(record, truth), truth.clone()
    while base.ply > common:
        base.pop()
    moves = tuple(entry.move for entry in record.log[common:])
    if not moves:
        return True
    try:
        if is_truth(base, truth, 0, moves):
            return True
    except GameError:
        return False
    earlier = truth.clone()
    while earlier.ply > common:
        if same(record, earlier):
            return True  # Another way to the same has led there.
        earlier.pop()
    return False


def situations(
    game_id: str,
    players: int,
    seed: int,
    only: Sequence[str] = (),
    *,
    enforcement: Enforcement = Enforcement.ENFORCE,
    noise: Noise | None = None,
    options: Mapping[str, str] | None = None,
    each: int = 3,
    commit: Commit = Commit.STILLNESS,
) -> Iterator[Outcome]:
    """Every situation at ``each`` places of one random match."""
    game = find_game(game_id)
    complete = game.complete_options(players, options or {})
    header = Header(
        id="evening", game=game_id, players=players, options=complete, physical=True,
        seed=str(seed), names=(), enforcement=enforcement.value, commit=commit.value, created_s=0.0,
    )  # fmt: skip
    places = list(turns_of_a_match(game_id, players, seed, complete, header))
    chance = Random(f"{game_id}/{players}/{seed}")
    if not only or AGAINST_THE_RULES in only:
        yield from offences_of(game_id, players, seed, places, each, enforcement, noise)
    for name in [name for name in LEGAL if not only or name in only]:
        order = places.copy()
        chance.shuffle(order)
        done = 0
        for place in order[: each * 4]:
            if done == each:
                break
            outcome = _one(place, name, enforcement, noise, seed)
            if outcome is not None:
                done += 1
                yield outcome


def _one(
    at: Turns, name: str, enforcement: Enforcement, noise: Noise | None, seed: int
) -> Outcome | None:
    at = Turns(at.before, at.turns, at.header, Random(f"{seed}/{at.before.ply}/{name}"))
    evening = Evening(at.before, at.header, enforcement, noise, at.chance)
    try:
        if not evening.begun_right:
            return None
        evening.look(2.0)
        if evening.table.state is not TableState.SETTLED:
            return None
        truth = LEGAL[name](evening, at)
        if truth is None:
            return None
        evening.look(CALM_S)
        verdict = judge(evening, at, truth)
        table = evening.table
        return Outcome(
            at.header.game, at.header.players, seed, at.before.ply, name, verdict,
            tuple(e.move.text for e in truth.log[at.before.ply :]),
            tuple(e.move.text for e in table.match.log[at.before.ply :]),
            (
                *(_told(s, e) for s, e in evening.said if _matters(e)),
                f"{table.state.value} {table.reading.doubt if table.reading else ''}",
            ),
        )  # fmt: skip
    finally:
        evening.close()


def _matters(event: TableEvent) -> bool:
    return not type(event).__name__.startswith("StateEntered")


def _told(at: float, event: TableEvent) -> str:
    if isinstance(event, Refused):
        return f"{at:.1f} refused {[o.code for o in event.objections]}"
    if isinstance(event, BoardOutOfSync):
        return f"{at:.1f} differs {event.sites}"
    moves: Any = getattr(event, "moves", None)
    if moves is not None:
        return f"{at:.1f} {type(event).__name__} {[str(m) for m in moves]}"
    candidates: Any = getattr(event, "candidates", None)
    if candidates is not None:
        return f"{at:.1f} asked {[(c.takeback, [m.text for m in c.moves]) for c in candidates]}"
    return f"{at:.1f} {type(event).__name__}"


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
