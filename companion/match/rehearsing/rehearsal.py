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
from companion.journal.store import Journal
from companion.match.events import Asked, Refused, TableEvent
from companion.match.messages import Message, Seen, Tick
from companion.match.rehearsing.scene import (
    Answer,
    Look,
    Piece,
    Press,
    Pressed,
    Scene,
    SetUp,
    Step,
    Tap,
    Wait,
)
from companion.match.table import Table
from companion.match.view import (
    BoardIsRight,
    CameraIsWrong,
    ChooseCandidate,
    Intent,
    PlayAnyway,
    PlayMove,
    Redo,
    Undo,
)
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Manners
from rules.box import Box, load_box
from rules.core import Game, Move
from rules.match import Match
from rules.reading.sighting import EMPTY, Glimpse, SiteBelief, Stray, looks
from rules.reading.sighting import Look as Seeable
from rules.testing.pictures import DrawnSighting, clear

LOOK_S = 5.0
"""Seconds that a look lasts if the scene does not say: the table has agreed, asked or said why."""
FRAME_S = 1.0
"""How often a table that does not change is seen again. Deadlines are met in between."""
AFTERWARDS_S = 10.0
"""Seconds that are left to the table at the end to conclude whatever there is to conclude."""
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
class Told:
    """Something that happened at the table."""

    at_s: float
    """Seconds since the scene began."""
    event: TableEvent


@dataclass(frozen=True, slots=True)
class _Lain:
    """What lies at a site, as a camera sees it."""

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
    """What decides what the program deals."""

    def __post_init__(self) -> None:
        self.box: Box = load_box(self.game.box).for_game(self.game.id)
        """What the pieces of the scene belong to."""
        self.now_s = 0.0
        """Seconds since the scene began."""
        self.told: list[Told] = []
        """Everything that happened so far."""
        journal, header = Journal(":memory:"), self._header()
        journal.create(header)
        self.table = Table(journal, header, self.manners)
        self._lying = _as_recorded(self.table.match)

    @property
    def match(self) -> Match:
        """The match as agreed."""
        return self.table.match

    @property
    def asked(self) -> int:
        """How many questions there were."""
        return sum(isinstance(told.event, Asked) for told in self.told)

    @property
    def refusals(self) -> list[Refused]:
        """Everything that was objected to."""
        return [told.event for told in self.told if isinstance(told.event, Refused)]

    def play(self, scene: Scene) -> None:
        """Play the scene to its end; raises SceneError where it cannot go on."""
        scene.fit(self.box)
        try:
            self._see()
            for step in scene.steps:
                self._take(step)
            self._come_to_rest()
        finally:
            self.table.record.journal.close()

    # -- the lines of a scene -------------------------------------------------------------

    def _take(self, step: Step) -> None:
        match step:
            case Look():
                self._lay(step)
                covered = frozenset(step.hidden)
                self._look_on(_lasts(step.for_s), step.hand, covered, step.strays)
            case SetUp():
                self._lying = _as_recorded(self.match)
                self._look_on(_lasts(step.for_s))
            case Wait():
                self._look_on(step.for_s)
            case Tap():
                self._tap(step)
            case Answer():
                self._send(ChooseCandidate(self._offered(step)))
            case Press():
                self._send(PRESSED[step.pressed])

    def _lay(self, look: Look) -> None:
        for site, pieces in look.table.items():
            seen = sorted(self._glimpse(piece) for piece in self._seen(site, pieces))
            unposed = sorted(Glimpse(glimpse.kind) for glimpse in seen)
            self._lying[site] = _Lain(tuple(seen), tuple(unposed))

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
        if piece.face_down and kind.back:
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

    def _offered(self, answer: Answer) -> int:
        """Which of the explanations that are offered holds the answer."""
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
        """When time alone may change something; None if only people can."""
        deadline = self.table.next_deadline()
        # One that has passed has had its tick.
        if deadline is None or deadline + LATE_S <= self.now_s:
            return None
        return deadline + LATE_S

    # -- the table ------------------------------------------------------------------------

    def _see(self, sighting: DrawnSighting | None = None) -> None:
        self._send(Seen(sighting or self._sighting()), Source.CAMERA)

    def _send(self, message: Message, src: Source = Source.TOUCH) -> None:
        events = self.table.handle(message, self.now_s, src)
        self.told += [Told(self.now_s, event) for event in events]

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
            else self._lying.get(site, nothing).belief
            for site in self.box.sites
        }
        return DrawnSighting(sites, hand, strays)

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


def _as_recorded(match: Match) -> dict[str, _Lain]:
    """Everything where the record wants it."""
    return {site: _Lain(look, look) for site, look in looks(match.layout).items()}


def _lasts(for_s: float | None) -> float:
    return LOOK_S if for_s is None else for_s


def _joined(moves: Sequence[Move]) -> str:
    return ", ".join(move.text for move in moves) or "[]"
