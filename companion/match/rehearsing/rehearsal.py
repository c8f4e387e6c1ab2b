"""A rehearsal: a written scene, played through a real table with a clock of its own.

Stickers are read perfectly and nothing is kept, but everything else is as ever: what is seen holds
still for as long as the scene says, touches come in between, and the table agrees, asks and
objects when its manners let it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.journal.entries import Header
from companion.journal.events import Source
from companion.journal.fold import begin
from companion.journal.store import Journal
from companion.match.events import Asked, BoardOutOfSync, Refused, TableEvent
from companion.match.messages import Message, Seen, Tick
from companion.match.rehearsing.expected import Expect
from companion.match.rehearsing.scene import (
    Answer,
    Face,
    Look,
    Looks,
    Moves,
    Piece,
    Press,
    Pressed,
    Scene,
    SetUp,
    Step,
    Tap,
    Wait,
)
from companion.match.rehearsing.truth import Leads, Truth, at_the_end
from companion.match.rehearsing.values import Line
from companion.match.table import Table
from companion.match.view import (
    BoardIsRight,
    CameraIsWrong,
    ChooseCandidate,
    Intent,
    PlayAnyway,
    PlayMove,
    Redo,
    TableState,
    Undo,
)
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Manners
from companion.words.errors import notice
from rules.box import Box, load_box
from rules.core import Call, Game, Layout, Move
from rules.errors import Sentence
from rules.match import Match
from rules.reading.reading import Candidate, Status
from rules.reading.sighting import EMPTY, Glimpse, SiteBelief, Stray, looks
from rules.reading.sighting import Look as Seeable
from rules.testing.pictures import DrawnSighting, clear

LOOK_S = 5.0
"""Seconds that a look lasts if the scene does not say: the table has agreed, asked or said why."""
EACH_S = 2.0
"""The same for a look after every step."""
LEAST_S = 1.0
"""Hands need at least this long to change what lies there."""
FRAME_S = 1.0
"""How often a table that does not change is seen again. Deadlines are met in between."""
AFTERWARDS_S = 10.0
"""Seconds that are left to the table at the end to conclude whatever there is to conclude."""
UNREAD = -3.2
"""Log likelihood of anything that may lie where something lies that the site does not take."""
LATE_S = 1e-6
"""By how much the clock wakes up after a deadline: a sum of seconds is never exact."""

PRESSED: Mapping[Pressed, Intent] = {
    Pressed.UNDO: Undo(),
    Pressed.REDO: Redo(),
    Pressed.AGREE: ChooseCandidate(),
    Pressed.BOARD_IS_RIGHT: BoardIsRight(),
    Pressed.CAMERA_IS_WRONG: CameraIsWrong(),
    Pressed.ANYWAY: PlayAnyway(),
}


@dataclass(frozen=True, slots=True)
class Warned:
    """Something about a scene that its author should know."""

    line: Line
    what: Sentence


@dataclass(frozen=True, slots=True)
class Told:
    """Something that happened at the table."""

    at_s: float
    """Seconds since the scene began."""
    event: TableEvent | Call | Warned
    who: int | None = None
    """Of what was refused: the seat that did it, if one did."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Events since the last expectation when this one was reached."""

    expect: Expect
    told: tuple[Told, ...]
    """What happened since then; first what was asked or objected to before and still is."""
    before: tuple[Move, ...]
    """The record at the last expectation."""
    after: tuple[Move, ...]
    state: TableState
    settled: bool
    """The table lies as the record wants it."""


@dataclass(frozen=True, slots=True)
class _Lain:
    """The things at a site, as a camera sees them."""

    look: Seeable
    unposed: Seeable
    """The same, for rules that do not mind how pieces stand."""

    @property
    def belief(self) -> SiteBelief:
        """As a camera that sees it clearly."""
        return clear(self.look, self.unposed)


@dataclass
class Rehearsal:
    """One match at one table, for one scene. Raises GameError if the match cannot be played."""

    game: Game[Any]
    players: int
    options: Mapping[str, str]
    enforcement: Enforcement = Enforcement.ENFORCE
    manners: Manners = field(default_factory=Manners)
    dealt: Collection[int] = ()
    """Seats for which the program deals, though the table has real cards."""
    seed: str = ""
    """Seed of what the program deals."""

    def __post_init__(self) -> None:
        self.box: Box = load_box(self.game.box).for_game(self.game.id)
        """The box of the scene's pieces."""
        self.now_s = 0.0
        """Seconds since the scene began."""
        self.told: list[Told] = []
        """Everything that happened so far."""
        self.checked: list[Checked] = []
        """Results of the expectations on the way."""
        journal, header = Journal(":memory:"), self._header()
        journal.create(header)
        self.table = Table(journal, header, self.manners)
        self.truth = Truth(begin(header))
        """The match that hands play in lines of moves."""
        self._lying = _as_wanted(self.table.match.layout)
        self._strays: dict[str, Stray] = {}
        """Cards that lie open where only a back may lie, by site."""
        self._shown = dict(self._lying)
        """What lay there when the camera last saw it without a hand …"""
        self._shown_s = -LEAST_S
        """… and since when it has seen it so; a hand starts that anew."""
        self._checked: tuple[int, tuple[Move, ...]] = (0, ())
        """How much had been told, and what was recorded, at the last expectation."""

    @property
    def match(self) -> Match:
        """The match as agreed."""
        return self.table.match

    @property
    def asked(self) -> int:
        """Number of questions."""
        return sum(isinstance(told.event, Asked) for told in self.told)

    @property
    def refusals(self) -> list[Refused]:
        """Everything that was objected to."""
        return [told.event for told in self.told if isinstance(told.event, Refused)]

    def play(self, scene: Scene) -> None:
        """Play the scene to its end; raises SceneError where it cannot go on."""
        scene.fit(self.box)
        try:
            self.begin()
            for step in scene.steps:
                self.take(step)
            self._come_to_rest()
        finally:
            self.end()

    def begin(self) -> None:
        """Let the camera see the table for the first time."""
        self._see()

    def end(self) -> None:
        """Leave the table."""
        self.table.record.journal.close()

    # -- the lines of a scene -------------------------------------------------------------

    def take(self, step: Step) -> None:
        """Play one line; raises SceneError where it cannot be played."""
        match step:
            case Look():
                self._lay(step)
                self._show(step.line, step.hand)
                covered = frozenset(step.hidden)
                self._look_on(_or(step.for_s, LOOK_S), step.hand, covered, step.strays)
            case Moves():
                self._move(step)
            case SetUp():
                self._lay_out(self.match.layout)
                self._show(step.line)
                self._look_on(_or(step.for_s, LOOK_S))
            case Wait():
                self._look_on(step.for_s)
            case Tap():
                self._tap(step)
            case Answer():
                chosen = self._offered(step) if step.moves is not None else self._true(step)
                if chosen is not None:
                    self._send(ChooseCandidate(chosen))
            case Press():
                self._send(PRESSED[step.pressed])
            case Expect():
                self._check(step)

    def _move(self, step: Moves) -> None:
        laid = self.truth.play(step)
        for move in step.moves if step.touched else ():
            if not self.table.record.made_by_itself(move):
                self._send(PlayMove(move))
        if step.look is Looks.END:
            laid = at_the_end(laid)
        hidden, lasts = frozenset(step.hidden), LOOK_S if step.look is Looks.END else EACH_S
        for one in laid:
            before = dict(self._lying)
            self._lay_out(one.layout, step.late)
            after, self._lying = self._lying, before
            steps = max(one.steps, before != after)
            if steps and step.step_s:
                self._show(step.line, hand=True)
                self._look_on(steps * step.step_s, True, hidden)
            self._lying = after
            self._show(step.line, step.hand)
            self._look_on(_or(step.for_s, lasts), step.hand, hidden)

    def _lay(self, look: Look) -> None:
        for site, pieces in look.table.items():
            seen = self._seen(site, pieces)
            self._strays.pop(site, None)
            if any(not self._taken(site, piece) for piece in seen):
                self._strays[site] = Stray(seen[-1].kind, self.box.sites[site].at)
                self._lying[site] = _Lain(EMPTY, EMPTY)
                continue
            glimpses = sorted(map(self._glimpse, seen))
            unposed = sorted(Glimpse(glimpse.kind) for glimpse in glimpses)
            self._lying[site] = _Lain(tuple(glimpses), tuple(unposed))

    def _lay_out(self, layout: Layout, late: Collection[str] = ()) -> None:
        """Everything where ``layout`` wants it, but for places where hands come later."""
        wanted, before = _as_wanted(layout), self._lying
        kept = {site: before[site] for site in late if site in before}
        self._lying = {s: lain for s, lain in wanted.items() if s not in late} | kept
        self._strays = {site: stray for site, stray in self._strays.items() if site in late}

    def _taken(self, site: str, piece: Piece) -> bool:
        """True if the site takes a piece the way it lies there."""
        kind = self.box.kinds[piece.kind]
        return piece.face is not Face.UP or kind.group in self.box.sites[site].takes

    def _show(self, line: Line, hand: bool = False) -> None:
        """The camera is about to see what lies there, for ``line``."""
        if hand:
            self._shown_s = -LEAST_S
            return
        if self._lying == self._shown:
            return
        if self.now_s - self._shown_s < LEAST_S:
            self.told.append(Told(self.now_s, Warned(line, notice("scene_no_time"))))
        self._shown, self._shown_s = dict(self._lying), self.now_s

    def _check(self, step: Expect) -> None:
        """Keep what has come of the lines since the last expectation."""
        since, before = self._checked
        told, still = self.told[since:], self._still()
        if still is not None and not any(isinstance(one.event, still) for one in told):
            told = [*[o for o in self.told[:since] if isinstance(o.event, still)][-1:], *told]
        reading, after = self.table.reading, tuple(entry.move for entry in self.match.log)
        settled = reading is not None and reading.status is Status.SETTLED
        self.checked.append(Checked(step, tuple(told), before, after, self.table.state, settled))
        self._checked = (len(self.told), after)

    def _still(self) -> type[Asked | Refused | BoardOutOfSync] | None:
        """The events that still apply at the table."""
        match self.table.state:
            case TableState.AMBIGUOUS:
                return Asked
            case TableState.ILLEGAL:
                return Refused
            case TableState.DESYNC:
                return BoardOutOfSync
        return None

    def _seen(self, site: str, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """The pieces at a site, one by one, that are seen from above."""
        seen = [piece for piece in pieces if piece.seen for _ in range(piece.count)]
        top = max((piece.level for piece in seen if piece.level is not None), default=None)
        if top is not None:
            seen = [piece for piece in seen if (piece.level or 0) == top]
        # Where there is room for one, the others lie below the last.
        return seen if self.box.sites[site].room > 1 else seen[-1:]

    def _glimpse(self, piece: Piece) -> Glimpse:
        kind = self.box.kinds[piece.kind]
        if piece.face is Face.DOWN and kind.back:
            kind = self.box.kinds[kind.back]
        if piece.pose is not None or not kind.poses:
            return Glimpse(kind.id, piece.pose or "")
        # As the record has them, where it has them all in one pose; else as they usually are.
        recorded = {item.pose for item in self.match.layout if item.kind == kind.id}
        return Glimpse(kind.id, recorded.pop() if len(recorded) == 1 else kind.poses[0])

    def _tap(self, step: Tap) -> None:
        refused = {objection.code for objection in self.match.why_not(step.move)}
        if "unknown_move" in refused:
            step.line.fail("scene_move_unknown", game=self.game.id, move=step.move.text)
        self._send(PlayMove(step.move))

    def _true(self, answer: Answer) -> int | None:
        """The place of the explanation that leads to the truth; None if nothing is asked."""
        view, best = self.table.view(), (Leads(all=False, moves=-1), 0)
        offers = (TableState.DESYNC, TableState.PENDING)
        if view.state not in (TableState.AMBIGUOUS, *offers):
            return None
        for index, offered in enumerate(view.candidates):
            leads = self.truth.leads(self.match, offered.takeback, offered.moves)
            whole = leads is not None and leads.all
            if view.state is TableState.PENDING and not (whole or self._so_far(offered)):
                continue  # Of a turn of which nothing shows, a part is not the truth.
            best = max(best, (leads or best[0], -index))
        if best[0].moves >= 0:
            return -best[1]
        if view.state in offers:
            return None
        known = [f"'{_joined(offered.moves)}'" for offered in view.candidates]
        truth = _joined(self.truth.since(self.match))
        raise answer.line.error("scene_not_true", moves=truth, offered=known)

    def _so_far(self, offered: Candidate) -> bool:
        return not offered.takeback and self.truth.begins_with(self.match, offered.moves)

    def _offered(self, answer: Answer) -> int:
        """The place of the explanation that holds the answer."""
        assert answer.moves is not None
        view, wanted = self.table.view(), set(answer.moves)
        for index, offered in enumerate(view.candidates):
            # An answer without moves is one that takes something back and nothing else.
            if wanted <= set(offered.moves) and bool(wanted) == bool(offered.moves):
                return index
        moves = _joined(answer.moves)
        if not view.candidates:
            answer.line.fail("scene_nothing_asked", moves=moves, state=view.state.value)
        known = [f"'{_joined(offered.moves)}'" for offered in view.candidates]
        raise answer.line.error("scene_not_offered", moves=moves, offered=known)

    # -- time -----------------------------------------------------------------------------

    def _look_on(
        self,
        for_s: float,
        hand: bool = False,
        hidden: frozenset[str] = frozenset(),
        strays: tuple[Stray, ...] = (),
    ) -> None:
        """Let the camera see the table as it lies now, until ``for_s`` seconds have passed."""
        end_s = self.now_s + for_s
        sighting = self._sighting(hand, hidden, strays)
        self._see(sighting)
        while self.now_s < end_s:
            frame_s = min(self.now_s + FRAME_S, end_s)
            self._tick_until(frame_s)
            self.now_s = max(self.now_s, frame_s)
            self._see(sighting)

    def _come_to_rest(self) -> None:
        """Let the table conclude what the end of the scene has begun."""
        self._see()
        self._tick_until(self.now_s + AFTERWARDS_S)

    def _tick_until(self, end_s: float) -> None:
        while (due_s := self._due_s()) is not None and due_s <= end_s + 2 * LATE_S:
            self.now_s = due_s
            self._send(Tick(), Source.CAMERA)

    def _due_s(self) -> float | None:
        """Time at which time alone may change something; None if only people can."""
        deadline = self.table.next_deadline()
        # One that has passed has had its tick.
        if deadline is None or deadline + LATE_S <= self.now_s:
            return None
        return deadline + LATE_S

    # -- the table ------------------------------------------------------------------------

    def _see(self, sighting: DrawnSighting | None = None) -> None:
        self._send(Seen(sighting or self._sighting()), Source.CAMERA)

    def _send(self, message: Message, src: Source = Source.TOUCH) -> None:
        known = self.table.calls
        for event in self.table.handle(message, self.now_s, src):
            refused = self.table.view().refused if isinstance(event, Refused) else None
            who = None if refused is None else refused.player
            if refused is not None and who is None:
                # What a disc does is done by the player who rolls it.
                who = self.table.match.state.turn_of()
            self.told.append(Told(self.now_s, event, who))
        called = (call for call in self.table.calls if call not in known)
        self.told += [Told(self.now_s, call) for _ply, call in called]

    def _sighting(
        self,
        hand: bool = False,
        hidden: frozenset[str] = frozenset(),
        strays: tuple[Stray, ...] = (),
    ) -> DrawnSighting:
        nothing = _Lain(EMPTY, EMPTY)
        sites = {
            site: SiteBelief({}, occluded=True)
            if site in hidden
            else SiteBelief({EMPTY: 0.0}, UNREAD)
            if site in self._strays
            else self._lying.get(site, nothing).belief
            for site in self.box.sites
        }
        return DrawnSighting(sites, hand, (*strays, *self._strays.values()))

    def _header(self) -> Header:
        return Header(
            id="rehearsal",
            game=self.game.id,
            players=self.players,
            options=self.game.complete_options(self.players, self.options),
            physical=True,
            seed=self.seed or "rehearsal",
            names=(),
            enforcement=self.enforcement.value,
            created_s=0.0,
            board=self.game.board_text,
            dealt=tuple(sorted(set(self.dealt))),
        )


def _as_wanted(layout: Layout) -> dict[str, _Lain]:
    """Everything where a layout wants it."""
    return {site: _Lain(look, look) for site, look in looks(layout).items()}


def _or(for_s: float | None, usual_s: float) -> float:
    return usual_s if for_s is None else for_s


def _joined(moves: Sequence[Move]) -> str:
    return ", ".join(move.text for move in moves) or "[]"
