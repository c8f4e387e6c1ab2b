"""An observation of the table, compared with the record: a belief, never an agreement."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from companion.match.corrections.forced_entry import ForcedEntries
from companion.match.corrections.open_record import OpenRecord
from companion.match.messages import NO_CAMERA, RolledDisc, Seen
from companion.match.view import SightNote
from companion.settings.manners import Commit, Manners
from rules.core import Move
from rules.match import Match
from rules.reading.belief import Belief
from rules.reading.dice import TrayMemory, Trays
from rules.reading.heaps import HeapMemory
from rules.reading.reading import MISSING, Candidate, Fix, Reading, Status, read
from rules.reading.sighting import EMPTY, Left, Look, Sighting, SiteBelief, Stray, looks
from rules.reading.since import Since
from rules.reading.ways_out import ways_out
from rules.reading.weighing import in_doubt

_DECIDED = (Status.MOVE, Status.AMBIGUOUS, Status.ILLEGAL)
ELSEWHERE = "elsewhere"
"""Doubt of a reading of what hands do at a table that is not asked."""
_SHOWN = (Status.MOVE, Status.AMBIGUOUS, Status.PENDING)
ONE_HAND_S = 1.0
"""Shortest time of hands in which one player and another after them have played."""
TURN_S = 10.0
"""Hardly a turn takes less time, even if nothing of it shows."""
UNSEEN_S = 2.5
"""After so long between two looks, hands may have done anything."""
MOST_ROLLS = 3
"""Explanations of a roll that are offered at most."""


@dataclass(frozen=True, slots=True)
class _Masked:
    """A sighting with what is out of sight in heaps, but without trays, and without sites the
    players said the camera is wrong about."""

    sites: Mapping[str, SiteBelief]
    hand: bool
    strays: Sequence[Stray]


@dataclass(frozen=True, slots=True)
class _Offer:
    """Readings from which people may choose while the table waits for them."""

    match: Match
    lay: Mapping[str, Look]
    """Looks of places that lay otherwise than recorded then."""
    waited: Reading
    """The reading that waited …"""
    answer: Reading
    """… and the one in its place; the same again if there was nothing to offer."""


class Observation:
    """The last look at one table; it holds what hands are still to do and what is not believed."""

    def __init__(self) -> None:
        self.seen: Seen | None = None
        """The last look; None without a camera."""
        self.reading: Reading | None = None
        """The meaning of that look for the match; None while nothing can be read."""
        self.since = 0.0
        """Since when (monotonic seconds) it has meant that."""
        self.blind = NO_CAMERA
        """Why the board is not seen, as a code; valid while nothing can be read."""
        self._awaiting: set[str] = set()
        """Sites where the record is ahead of the hands."""
        self._overlaid: set[str] = set()
        """Sites of these that lay otherwise than recorded already when the record was changed:
        perhaps hands were ahead, and what was entered lies below that."""
        self._before: dict[str, Look] = {}
        """The look of a site when hands were last to do something there."""
        self._ignored: dict[str, Look] = {}
        self._offer: _Offer | None = None
        """Readings offered because the table waited in vain."""
        self._read: tuple[Sighting, Match, set[str], dict[str, Look], Mapping[str, int]] | None = (
            None
        )
        """The sources of the reading."""
        self._left: Left = {}
        self._record: Match | None = None
        """The record that the last look was compared with …"""
        self._changed_s = self._calm_s = 0.0
        """… when it last changed, and the last moment (monotonic seconds) of agreement with it."""
        self._behind = False
        """True if hands went on, or people went on to enter it, although what was done is not in
        the record yet."""
        self._not_understood: Mapping[str, SiteBelief] = {}
        """The last look if it was not understood; empty otherwise."""
        self._belief = Belief()
        self._looked_s = self._agreed_s = self._lies_s = 0.0
        """When the last look was, and the last that agreed with the record; and since when no hand
        has changed what lies there."""
        self._lay: set[tuple[str, Look]] = set()
        """Things that lay still since, where the record has something else."""
        self.long_calm = False
        """True if the table was once calm for so long that everybody may have had a turn that left
        no trace and was not entered; until a round has been entered by touch."""
        self._entered = 0
        """Entries by touch since then."""
        self._just_entered = self._lay_when_entered = False
        """True if something was entered since the last look was read; and if the reading began with
        the first look after an entry, and so is about what lay there already."""
        self._dice, self._heaps = TrayMemory(), HeapMemory()
        self.trays = Trays()
        """Contents of trays in the last look without a hand."""
        self.dismissed: set[SightNote] = set()
        """Notes that people dismissed."""

    @property
    def clear(self) -> bool:
        """True if the board is in sight."""
        return self.seen is not None and not self.seen.blind

    @property
    def hand(self) -> bool:
        """True if a hand is over the board."""
        return self.clear and self.reading is not None and self.reading.doubt == "hand"

    @property
    def hidden(self) -> list[str]:
        """Sites that are covered in the last look."""
        if self.seen is None:
            return []
        return [site for site, b in self.seen.sighting.sites.items() if b.occluded]

    def notes(self, answered: frozenset[str]) -> tuple[SightNote, ...]:
        """Further notes of the camera that wait for an answer; none while it does not see the
        board. ``answered``: groups of pieces whose stickers people were asked about."""
        notes = self.seen.notes if self.seen is not None and self.clear else ()
        return tuple(
            note for note in notes
            if note not in self.dismissed
            and not (note.code == "bare" and answered.issuperset(note.groups))
        )  # fmt: skip

    def take(self, seen: Seen) -> None:
        """Take in a look; ``read`` says what it means."""
        self.seen = seen
        if seen.blind:
            self.blind, self.reading = seen.blind, None

    def lose(self, reason: str) -> None:
        """The camera is gone."""
        self.seen = self.reading = None
        self.blind = reason

    def age(self, now: float) -> float:
        """Seconds that the reading has lasted; infinite if nothing needs to hold still."""
        settled = self.seen is not None and self.seen.settled
        return float("inf") if settled else now - self.since

    def deadline(self, manners: Manners, *, told: bool) -> float | None:
        """Time (monotonic seconds) at which the reading alone may come to mean something else.

        ``told``: it was said already why something is refused.
        """
        if self.reading is None or self.seen is None or self.seen.settled:
            return None
        match self.reading.status:
            case Status.MOVE if manners.commit is Commit.STILLNESS:
                return self.since + self.wait_to_record(manners)
            case Status.AMBIGUOUS:
                return self.since + wait_to_ask(self.reading, manners)
            case Status.ILLEGAL if not told:
                return self.since + wait_to_tell(self.reading, manners)
            case Status.UNCLEAR if self.reading.doubt not in ("hand", "match_over"):
                return self.since + manners.desync_s
            case Status.PENDING if self._may_offer:
                return self.since + manners.reason_s
        return None

    def read(
        self,
        match: Match,
        now: float,
        open_record: OpenRecord,
        *,
        led: Callable[[Reading], bool] = lambda _reading: False,
    ) -> bool:
        """Compare the last look with the record as it is now; whether it means something new.

        ``open_record``: what of the record may be told anew. ``led``: whether nothing of what
        hands did may mean a move, so that the board is only led to the record.
        """
        assert self.seen is not None
        if not self.seen.sighting.hand:
            whole, alone = self.seen.sighting, self.seen.settled
            self.trays = self._dice.see(match, whole, alone=alone)
        self._keep_heaps(match)
        sighting = self._masked(self.seen.sighting)
        self._keep_time(match, now)
        self._keep_looks(match, now)
        if self._is_read(match):
            return False
        if not sighting.hand:
            wanted = looks(match.layout)
            self._awaiting = {
                site
                for site in self._awaiting
                if site in sighting.sites
                and self._may_be_ahead(site, sighting.sites[site], wanted.get(site, EMPTY))
            }
        if not sighting.hand:
            open_record.hand_left(now)
            self._behind = self._behind or _lies_otherwise(self._not_understood, sighting.sites)
        reading = self._reading(match, sighting, open_record)
        if reading.status in _DECIDED and led(reading):
            fixes = _fixes(sighting, looks(match.layout))
            reading = Reading(Status.UNCLEAR, doubt=ELSEWHERE, fixes=fixes)
        if reading.status is Status.SETTLED:
            self._dice.agree(match, self.trays)
            self._heaps.agree(self.seen.sighting.sites, looks(match.layout))
            self._left = reading.left
            if not self._awaiting:
                open_record.agrees(self.hidden)
        reading = self._as_offered(reading, sighting, match)
        new = self.reading is None or _key(reading) != _key(self.reading)
        if new:
            self.since, self._lay_when_entered = now, self._just_entered
        self._just_entered = False
        if reading.status is Status.SETTLED:
            wanted = looks(match.layout)
            lacks = any(look != wanted.get(site, EMPTY) for site, look in self._ignored.items())
            self._behind = self._behind and lacks
            self._lay.clear()
        elif reading.status in _SHOWN:
            self._lay |= _lies(sighting, looks(match.layout), self._awaiting)
        if not sighting.hand:
            understood = reading.doubt not in (MISSING, "unexplained")
            self._not_understood = {} if understood else sighting.sites
        self.reading = reading
        self._read = (
            self.seen.sighting, match, set(self._awaiting), dict(self._ignored),
            self.trays.stirred,
        )  # fmt: skip
        return new

    def _keep_heaps(self, match: Match) -> None:
        """If what was read has just been recorded, all of it lay there."""
        if self._read is None or self.reading is None or self.reading.status is not Status.MOVE:
            return
        sighting, before, *_ = self._read
        if match is not before and (number := len(self.reading.moves)) <= match.ply - before.ply:
            self._heaps.agree(sighting.sites, looks(match.after(before.ply + number).layout))

    # -- what no picture tells --------------------------------------------------------------

    @property
    def _may_offer(self) -> bool:
        """True if the table waits for what people may know, and nothing was offered yet."""
        reading = self.reading
        waits = reading is not None and reading.doubt == MISSING
        return waits and (self._offer is None or reading is not self._offer.answer)

    @property
    def offers(self) -> bool:
        """True if the candidates of the reading are offered to people, who may know more."""
        return self._offer is not None and self.reading is self._offer.answer

    def waits_in_vain(self, age: float, manners: Manners) -> bool:
        """True if something is to be offered, after waiting for ``age`` seconds."""
        return self._may_offer and age >= manners.reason_s

    def offer(self, match: Match, ways: Reading | None) -> None:
        """Offer ``ways`` while all lies as it does; None: there is nothing to offer."""
        if self.seen is not None and self.reading is not None:
            lay = _otherwise(self._masked(self.seen.sighting), match)
            waited, self.reading = self.reading, ways or self.reading
            self._offer = _Offer(match, lay, waited, self.reading)

    def ways_out(
        self, match: Match, open_record: OpenRecord, touched: Move | None = None
    ) -> Reading | None:
        """The likeliest readings of what the record lacks; ``touched``: a move that all of them
        hold."""
        lacks = self._ignored or (self.reading is not None and self.reading.doubt == MISSING)
        if self.seen is None or not lacks:
            return None
        sighting, since = self._masked(self.seen.sighting), self._since(open_record, match)
        return ways_out(match, sighting, self._awaiting, self._left, since, touched=touched)

    def _as_offered(self, reading: Reading, sighting: Sighting, match: Match) -> Reading:
        """The same with what was offered, while all lies as it did then."""
        offer = self._offer
        if offer is None or reading.doubt == "hand":
            return reading
        same = offer.match is match and _key(reading) == _key(offer.waited)
        if not same or _otherwise(sighting, match) != offer.lay:
            self._offer = None
            return reading
        return offer.answer

    def wait_to_record(self, manners: Manners) -> float:
        """Seconds that a move waits. Whoever enters what the camera did not see may not be through
        yet."""
        return manners.reason_s if self._lay_when_entered else manners.commit_s

    def _may_be_ahead(self, site: str, belief: SiteBelief, wanted: Look) -> bool:
        """True if hands may still have to put ``wanted`` there: it is covered, or what lay there
        before is as likely as that."""
        if belief.occluded or _differs(belief, wanted):
            return True
        before = self._before.get(site, wanted)
        return before != wanted and belief.score(before) >= belief.score(wanted)

    def shown_before(self, match: Match, touched: Move) -> tuple[Move, ...]:
        """Moves that hands made before ``touched`` was entered, if the table shows them and the
        record lacks them; empty otherwise, and if it remains open which they were.

        Only for steps without a trace: whoever touches one means what lies there by then.
        """
        reading = self.reading
        if reading is None or not self.clear or reading.status not in _SHOWN or self.offers:
            return ()
        if self._read is None or self._read[1] is not match:
            return ()
        ways = [c.moves for c in reading.candidates if not c.takeback]
        if reading.status is Status.MOVE:
            ways = [reading.moves]
        fit: list[tuple[Move, ...]] = []
        for moves in (_before(way, touched) for way in ways):
            end = _then(match, moves, touched)
            if end is not None and all(moves != other for other in fit):
                fit.append(moves)
        return fit[0] if len(fit) == 1 else ()

    def _keep_time(self, match: Match, now: float) -> None:
        """Note how long the table has looked as the record has it."""
        if match is not self._record:
            self._changed_s = self._calm_s = now
        elif self.reading is not None and self.reading.status is Status.SETTLED:
            self._calm_s = now
        # What the camera recorded since says nothing of turns that it could not see, and whoever
        # begins to enter them has not entered all.
        if self._calm_s - self._changed_s >= TURN_S * match.players:
            self.long_calm, self._entered = True, 0
        elif self._entered >= match.players:
            self.long_calm = False

    def _keep_looks(self, match: Match, now: float) -> None:
        """Note how long it took until what lies there had come about."""
        before, waited = self.reading, now - self._looked_s
        if match is not self._record:
            self._record, self._agreed_s, self._lies_s = match, now, now
            self._lay.clear()
        elif before is not None and before.status is Status.SETTLED:
            self._agreed_s = self._looked_s
        moved = before is None or before.status in (Status.SETTLED, Status.PENDING)
        if moved or self.hand or waited >= UNSEEN_S:
            self._lies_s = now
        self._looked_s = now

    def _reading(self, match: Match, sighting: Sighting, open_record: OpenRecord) -> Reading:
        """The meaning of a look; moves that explain what lies on top of what was entered win."""
        if self._ignored and not sighting.sites:
            return Reading(Status.SETTLED)  # Of all that is seen people said that it lies right.
        since = self._since(open_record, match)
        self._overlaid &= self._awaiting
        newer = self._overlaid.union(self._put_since(match, sighting))
        if newer:
            others = self._awaiting - newer
            ahead = read(match, sighting, others, self._left, since)
            if ahead.status in (Status.MOVE, Status.AMBIGUOUS):
                return ahead
        return self._belief.read(match, sighting, self._awaiting, self._left, since)

    def _since(self, open_record: OpenRecord, match: Match) -> Since:
        """Time and hands between the last agreed move and this look."""
        return Since(
            hands_s=self._lies_s - self._agreed_s,
            elapsed_s=self._lies_s - self._changed_s,
            at_once=self._lies_s - self._agreed_s < ONE_HAND_S,
            long_calm=self.long_calm,
            behind=self._behind,
            hidden=open_record.hidden,
            lay=frozenset(self._lay),
            trays=self.trays,
            openings=open_record.openings(match),
        )

    def _put_since(self, match: Match, sighting: Sighting) -> set[str]:
        """Sites where hands have put something that neither lay there before nor follows from what
        was entered."""
        wanted, found = looks(match.layout), set[str]()
        for site in self._awaiting & set(self._before) & set(sighting.sites):
            belief = sighting.sites[site]
            known = {*self._before[site], *wanted.get(site, EMPTY)}
            if not belief.occluded and not known.issuperset(belief.best):
                found.add(site)
        return found

    def _is_read(self, match: Match) -> bool:
        """True if the same look was compared with this record already: a still table is looked at
        ten times a second, and a board in disorder is read slowly."""
        if self._read is None or self.seen is None or self.reading is None:
            return False
        sighting, before, awaiting, ignored, stirred = self._read
        same = before is match and awaiting == self._awaiting and ignored == self._ignored
        same = same and stirred == self.trays.stirred
        return same and _alike(sighting, self.seen.sighting)

    def await_hands(self, sites: Iterable[str], *, elsewhere: bool = False) -> None:
        """The record was changed without hands: they have yet to do it at these places.

        ``elsewhere``: nobody at this table made that change. Where no camera looks, people usually
        have done what they enter; not so then.
        """
        self._entered += not elsewhere
        self._just_entered = self._just_entered or not elsewhere
        self._behind = self._behind or bool(self._not_understood)
        self._not_understood = {}
        if self.seen is not None or elsewhere:
            self.also_await(sites)

    def also_await(self, sites: Iterable[str]) -> None:
        """Wait for hands at more sites: a step that follows by itself, such as a draw from a new
        pile, is still to be done."""
        new = set(sites) - self._awaiting - self.trays.beliefs.keys()
        self._awaiting |= new
        if self._read is not None and self.seen is not None:
            before, seen = looks(self._read[1].layout), self.seen.sighting.sites
            self._before |= {site: before.get(site, EMPTY) for site in new}
            ahead = {s for s in new if s in seen and _differs(seen[s], before.get(s, EMPTY))}
            # What the record has otherwise and lies there for good says nothing of hands.
            self._overlaid |= ahead.difference(self._left)

    def leave(self, sites: Collection[str]) -> None:
        """Conclude nothing from these sites until the camera sees something new there."""
        if self.seen is not None:
            beliefs = self.seen.sighting.sites
            self._ignored |= {site: beliefs[site].best for site in sites if site in beliefs}

    def better(self, match: Match, unjudged: ForcedEntries) -> Candidate | None:
        """A better explanation of the last look than what was taken in against the rules."""
        if self.seen is None or self.reading is None:
            return None
        return unjudged.better(
            match, self.reading, self.since, self._masked(self.seen.sighting), self._awaiting
        )

    def disbelieve(self, match: Match) -> None:
        """Disbelieve whatever differs from the record or is badly seen, until the camera sees
        something new."""
        if (told := self.reading) is not None:
            # Of what was asked or waited for it was something else.
            asked = told.status is Status.AMBIGUOUS or told.doubt == MISSING
            self._behind = self._behind or asked
        self._offer = self._read = None
        self._belief.forget()
        if self.seen is None:
            return
        wanted = looks(match.layout)
        for site, belief in self.seen.sighting.sites.items():
            if belief.occluded:
                continue
            if _differs(belief, wanted.get(site, EMPTY)) or in_doubt(belief):
                self._ignored[site] = belief.best

    def _masked(self, sighting: Sighting) -> Sighting:
        if sighting.hand:
            return sighting
        # The players' word holds until the camera sees something new at that place.
        self._ignored = {
            site: look
            for site, look in self._ignored.items()
            if site in sighting.sites and sighting.sites[site].best == look
        }
        but = self._ignored.keys() | self.trays.beliefs.keys()
        sites = self._heaps.completed(sighting.sites)
        if not but and sites is sighting.sites:
            return sighting
        sites = {site: belief for site, belief in sites.items() if site not in but}
        return _Masked(sites, sighting.hand, sighting.strays)


def wait_to_ask(reading: Reading, manners: Manners) -> float:
    """Seconds that a question waits. A piece lifted from its place may be put back as well."""
    lifted = any(candidate.takeback for candidate in reading.candidates)
    return manners.reason_s if lifted else manners.quiet_s


def wait_to_tell(reading: Reading, manners: Manners) -> float:
    """Seconds that a refusal waits. What hands still owe may come late."""
    return manners.reason_s + (manners.quiet_s if reading.owed else 0.0)


def roll_candidates(match: Match, discs: Sequence[RolledDisc]) -> tuple[Candidate, ...]:
    """The legal moves that a rolling disc may have been, likeliest first; nothing changes."""
    ways: dict[tuple[Move, ...], float] = {}
    for disc in discs:
        moves = match.game.inference.rolled(match.state, disc.crossed, disc.gates)
        if moves and _playable(match, moves):
            ways[moves] = ways.get(moves, 0.0) + disc.likely
    ranked = sorted(ways.items(), key=lambda way: -way[1])[:MOST_ROLLS]
    # As for other candidates: relative to the best.
    return tuple(
        Candidate(moves, score=log(max(likely, 1e-6) / max(ranked[0][1], 1e-6)))
        for moves, likely in ranked
    )


def _fixes(sighting: Sighting, wanted: Mapping[str, Look]) -> tuple[Fix, ...]:
    """The way from what lies there to what should."""
    return tuple(
        Fix(site, belief.best, wanted.get(site, EMPTY))
        for site, belief in sighting.sites.items()
        if _differs(belief, wanted.get(site, EMPTY))
    )


def _otherwise(sighting: Sighting, match: Match) -> dict[str, Look]:
    """All that lies otherwise than the record has it."""
    wanted = looks(match.layout)
    beliefs = sighting.sites.items()
    return {site: b.best for site, b in beliefs if b.best != wanted.get(site, EMPTY)}


def _lies(
    sighting: Sighting, wanted: Mapping[str, Look], awaiting: Collection[str]
) -> set[tuple[str, Look]]:
    """All that clearly lies there and that the record has otherwise."""
    return {
        (site, best)
        for site, belief in sighting.sites.items()
        if (best := belief.best) and best != wanted.get(site, EMPTY) and site not in awaiting
        if {best, EMPTY}.issuperset(belief.plausible)
    }


def _playable(match: Match, moves: Sequence[Move]) -> bool:
    trial = match.clone()
    for move in moves:
        if trial.why_not(move):
            return False
        trial.push(move)
    return True


def _differs(belief: SiteBelief, wanted: Look) -> bool:
    """True if something else is likelier; to rules that name no pose, any pose is as likely."""
    return belief.score(wanted) < belief.score(belief.best)


def _lies_otherwise(before: Mapping[str, SiteBelief], now: Mapping[str, SiteBelief]) -> bool:
    """True if hands have changed something, which is not only seen better or worse."""
    seen = [(old, now[site]) for site, old in before.items() if site in now]
    clear = [(old, new) for old, new in seen if not (old.occluded or new.occluded)]
    return any({*old.plausible}.isdisjoint(new.plausible) for old, new in clear)


def _alike(one: Sighting, other: Sighting) -> bool:
    if one is other:
        return True
    alike = one.hand == other.hand and list(one.strays) == list(other.strays)
    return alike and one.sites == other.sites


def _before(way: tuple[Move, ...], touched: Move) -> tuple[Move, ...]:
    """The part of ``way`` before ``touched``."""
    return way[: way.index(touched)] if touched in way else way


def _then(match: Match, moves: Sequence[Move], touched: Move) -> Match | None:
    """The match after ``moves`` and ``touched``; None if that is not allowed, or leaves a trace."""
    trial = match.clone()
    for move in moves:
        trial.push(move)
    trial.deal()
    if trial.why_not(touched) or trial.state.touches(touched):
        return None
    trial.push(touched)
    return trial


def _key(reading: Reading) -> tuple[object, ...]:
    return (
        reading.status,
        reading.moves,
        reading.refused,
        reading.doubt,
        tuple((fix.site, fix.seen) for fix in reading.fixes),
        tuple((c.moves, c.takeback) for c in reading.candidates),
    )
