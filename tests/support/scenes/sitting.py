"""A whole match at the virtual table: hands that move pieces, an eye above, a referee's record.

A digital dealer plays a random match; what a physical table would show of it is the truth. Hands
lay it out before the camera, move by move, careless as hands are: pieces lie askew and get knocked,
the table is pushed, a lamp is switched, a person's shade falls on the board. An observer (the
product's, or one with the plain detector it is compared with) sees the frames, and a real
``companion.match.table.Table`` keeps the record by itself, asking where it must.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np

from companion.camera.observer import Observed, Observer
from companion.journal.entries import Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.messages import Tick
from companion.match.table import Table
from companion.match.view import Amend, ChooseCandidate, PlayMove, TableState, Undo
from companion.settings.manners import Manners
from companion.settings.settings import CameraSettings
from companion.simulator import Camera, Light, Shade, Tremble, VirtualTable
from rules.box import Box, load_box
from rules.core import Actor, Layout, Move, Prompt
from rules.games import find_game
from rules.match import Match
from rules.reading.reading import Status, read
from rules.reading.sighting import Left, Look, SiteBelief, looks
from rules.reading.since import Since
from rules.testing.pictures import DrawnSighting, draw
from rules.testing.playout import random_match
from tests.support.scenes.clearing import as_seen, lay_in_a_packet, not_cleared_away
from tests.support.scenes.judging import MOST_BACK, as_good, texts
from tests.support.scenes.tally import Tally
from vision.arrays import Picture
from vision.camera.sources import Frame
from vision.pieces.sighting import Sighting
from vision.pipeline.results import RESTING_S

FRAME_S = 0.125
"""Time between two frames of the simulated camera."""
PATIENCE_S = 5.0
"""Seconds that the table may take to take a move in before people help it."""
MANNERS = Manners(commit_s=0.5, quiet_s=0.6, reason_s=1.5, desync_s=3.0)
"""Shorter waits than at a real table: fewer frames to draw, the same decisions."""
NOISE, SHIVER_PX = 2.5, 0.15
"""Noise that a cheap camera adds to every pixel (of 255), and its trembling on its arm."""
KNOCK_MM = 2.5
PUSHES = 17
"""Number of visible moves between two pushes of the table, the third being the first."""
LAMPS = 13
SILENT_TURN_S = 25.0
"""Seconds of a turn of which nothing shows: cards are laid down and drawn."""
THINK_S = 6.0
"""Seconds that a player thinks before the turn begins."""
TELL_EVERY = 10
"""Number of moves that change something between two reports of how far the match has got."""


def tracker(box: Box, game: str) -> Observer:
    """The product's own eye, as it comes."""
    return Observer(box, game, bare=CameraSettings().bare_names)


class Sitting:
    """One match of one game before one eye."""

    def __init__(
        self,
        game_id: str,
        seed: int,
        eye: Callable[[Box, str], Observer] = tracker,
        width: int = 1600,
        players: int | None = None,
        keep: Path | None = None,
        tell: Callable[[str], None] = lambda line: None,
        *,
        whole_turns: bool = False,
        tremble: Tremble | None = None,
        pushes: int = PUSHES,
    ) -> None:
        """``width``: of the camera's 4:3 picture, px. ``keep``: a folder for the pictures of
        moves that were not read. ``tell``: hears of every trouble at once, and now and then how
        far the match has got. ``whole_turns``: the hands do all of a turn before they leave; what
        is counted then is turns. ``tremble``: of the camera. ``pushes``: visible moves between two
        pushes of the table."""
        self.game = find_game(game_id)
        self.seed, self.keep, self._tell = seed, keep, tell
        self.whole_turns = whole_turns
        self._pushes = pushes
        counts = self.game.players
        self.players = counts[seed % len(counts)] if players is None else players
        self.options = self.game.complete_options(self.players, {})
        self.box = load_box(self.game.box).for_game(game_id)
        self.truth = Match(game_id, self.players, self.options, physical=True, seed=seed)
        self.random = Random(f"hands/{game_id}/{seed}")
        self.virtual = VirtualTable(self.box, seed=seed)
        self.camera = Camera.over(self.box, width, width * 3 // 4, seed=seed)
        self.camera.noise, self.camera.shiver = NOISE, SHIVER_PX
        self.camera.tremble = tremble
        self.virtual.light = self._lamp()
        self.eye = eye(self.box, game_id)
        header = Header(
            id=f"{game_id}-{seed}", game=game_id, players=self.players, options=self.options,
            physical=True, seed=str(seed), names=(), enforcement="enforce", created_s=0.0,
        )  # fmt: skip
        journal = Journal(":memory:")
        journal.create(header)
        self.table = Table(journal, header, MANNERS)
        self.tally = Tally()
        self.now = 0.0
        self._lying: Layout | None = None
        """Layout that hands leave on the table for a look before they clear it away."""
        self._otherwise: tuple[int, int, Left] | None = None
        """A record that says something else than the truth, as found last: a still table is
        compared with every frame."""
        self._unsaid: list[Move] = []
        self._unsaid_to = 0
        """Number of moves when the last of them was made."""
        self._dealt: list[Move] = [e.move for e in self.truth.log]
        self._happened: list[Move] = []
        """The match as it was really played; ``truth`` tells it in the words of the record where
        that makes no difference."""
        self._sighting: Sighting | None = None
        self._image: Picture | None = None

    def play(self, limit: int | None = None, start: int = 0) -> Tally:
        """Plays the match to its end, or to a number of visible moves.

        ``start``: the moves before this ply are entered by touch before the first look.
        """
        tally = self.tally
        self._deal()
        moves = self._moves()
        while self.truth.ply < start and (move := next(moves, None)) is not None:
            self._push(move)
        self._say()
        self.virtual.set_layout(self.truth.layout)
        self._hold(self._at_rest)
        for move in moves:
            before = looks(self.truth.layout)
            move = self._played(move, moves)
            after = looks(self.truth.layout)
            if before == after and self._lying is None:
                self._unseen(move)
            else:
                self._between(tally.visible + tally.alike)
                self._seen(move, before, after)
                self._progress()
            if limit is not None and tally.visible + tally.alike >= limit:
                break
        else:
            tally.finished = True
            self._say()
        self.table.record.journal.close()
        return tally

    def _played(self, move: Move, moves: Iterator[Move]) -> Move:
        """Makes the moves of the hands before they leave, beginning with ``move``; returns the last
        of them."""
        whose, since = self.truth.prompt, self.truth.ply
        move = as_seen(self.truth, move) if self.whole_turns else move
        self._lying = not_cleared_away(self.truth, move) if self.whole_turns else None
        self._push(move)
        while self.whole_turns and self._goes_on(whose):
            move = next(moves)
            if self.truth.ply > since:
                lay_in_a_packet(self.truth, move)
            move = as_seen(self.truth, move)
            self._lying = not_cleared_away(self.truth, move)
            self._push(move)
        return move

    def _push(self, move: Move) -> None:
        """``move`` happens, and what follows from it by itself."""
        if self.truth.why_not(move):
            self._contradicted(move)
        self.truth.push(move)
        self._deal()
        self._happened.append(move)

    def _contradicted(self, move: Move) -> None:
        """A difference in the record did matter: it rules out what is played."""
        self.tally.wrong += 1
        self._trouble(f"the record rules out {move}")
        while self.truth.ply:
            self.truth.pop()
        self.truth.follow()
        for happened in self._happened:
            if self.truth.log[-1:] and self.truth.log[-1].move == happened:
                continue  # It followed by itself.
            self.truth.push(happened)
            self.truth.follow()
        while texts(self.table.match) != texts(self.truth)[: self.table.match.ply]:
            self.table.handle(Undo(1), self.now)
        self._say()

    def _goes_on(self, whose: Prompt | None) -> bool:
        """True if the turn in which ``whose`` was asked is not over."""
        asked = self.truth.prompt
        if asked is None or whose is None:
            return False
        if asked.actor is not Actor.PLAYER:
            return True
        if all(entry.move.actor is Actor.DEALER for entry in self.truth.log):
            return False  # What cards have brought lies there before anybody chooses.
        # Who plays alone takes the hands away before each step.
        return asked.player == whose.player and self.players > 1

    def _progress(self) -> None:
        tally = self.tally
        if (tally.visible + tally.alike) % TELL_EVERY == 0:
            self._tell(
                f"{self.game.id}/{self.seed} ply {self.truth.ply}: {tally.read} of "
                f"{tally.visible} read, {tally.asked} asked, {tally.wrong} wrong, "
                f"{tally.accused} accused, {tally.frames} frames"
            )

    # -- truth ------------------------------------------------------------------------------

    def _moves(self) -> Iterator[Move]:
        for match, _, move in random_match(self.game, self.players, self.options, self.seed):
            for shown in match.state.shown(move):
                if self._dealt:
                    dealt = self._dealt.pop(0)
                    assert dealt == shown, f"the table deals {dealt}, the dealer {shown}"
                else:
                    yield shown

    def _deal(self) -> None:
        """Plays chance that needs no people, as the table does."""
        dealt = self.truth.follow()
        self._dealt += dealt
        self.tally.dealt += len(dealt)

    @property
    def _agrees(self) -> bool:
        if texts(self.table.match) == texts(self.truth):
            return True
        # Nobody can see in which order a turn was played, nor that it was closed.
        return self.whole_turns and self._put_in_order() and self._all_told(self.table.match)

    def _all_told(self, record: Match) -> bool:
        """True if nothing that is missing in ``record`` ever left a trace."""
        said = as_good(record, self.truth, self._left)
        if said is None:
            return False
        wanted = looks(said.layout)
        while said.ply > record.ply:
            said.pop()
            if looks(said.layout) != wanted:
                return False
        return True

    # -- moves ------------------------------------------------------------------------------

    def _unseen(self, move: Move) -> None:
        self._unsaid.append(move)
        self._unsaid_to = self.truth.ply
        if self.whole_turns:
            self.now += SILENT_TURN_S
            self._frame()
        if self.truth.outcome is not None:
            self._say()

    def _say(self) -> None:
        """Tap what is not in the record yet."""
        if not self._in_order:
            self._put_right()
        truth = texts(self.truth)
        while (known := self.table.match.ply) < self.truth.ply:
            self.table.handle(PlayMove(Move.parse(truth[known])), self.now)
            if self.table.match.ply == known:
                raise AssertionError(f"{truth[known]} was refused: {self.table.view().objections}")
        self._unsaid.clear()

    @property
    def _left(self) -> Left:
        """Looks that differ from the record, and stay."""
        reading = self.table.reading
        return {} if reading is None else reading.left

    def _put_in_order(self) -> bool:
        """Makes the truth follow the record as far as the order could not be seen; True if it
        can."""
        record, left = self.table.match, self._left
        if self._otherwise != (id(record), self.truth.ply, left):
            said = as_good(record, self.truth, left)
            if said is not None:
                self.truth = said
                return True
            self._otherwise = id(record), self.truth.ply, left
        return False

    @property
    def _in_order(self) -> bool:
        """True if everything in the record has happened."""
        if self.whole_turns and self._put_in_order():
            return True
        record = texts(self.table.match)
        return record == texts(self.truth)[: len(record)]

    def _put_right(self) -> None:
        """People take back what is in the record and has not happened."""
        record = self.table.match
        if self._lay_so(looks(record.layout)) or self._laid_out(record):
            self.tally.otherwise += 1
        else:
            self.tally.wrong += 1
        self._trouble(f"in the record, and not so: {texts(record)[-4:]}")
        while not self._in_order:
            known = self.table.match.ply
            self.table.handle(Undo(1), self.now)
            if self.table.match.ply == known:
                # Nobody decided it, so nobody takes it back: it is corrected.
                moves = tuple(entry.move for entry in self.truth.log)
                self.table.handle(Amend(1, moves, len(self.table.record.told)), self.now)

    def _lay_so(self, seen: dict[str, Look]) -> bool:
        """True if the table has looked like this in the last turns."""
        trial = self.truth.clone()
        for _ in range(min(trial.ply, MOST_BACK)):
            if looks(trial.layout) == seen:
                return True
            trial.pop()
        return False

    def _laid_out(self, record: Match) -> bool:
        """True if ``record`` has only a set-up so far, and all of it lies there: by which cards it
        came makes no difference."""
        by_chance = all(entry.move.actor is Actor.DEALER for entry in record.log)
        return by_chance and not record.layout - self.truth.layout

    def _seen(self, move: Move, before: dict[str, Look], after: dict[str, Look]) -> None:
        tally = self.tally
        perfect = self._perfect()
        if perfect != "right" and self._unsaid:
            self._tap_unsaid()
            perfect = self._perfect()
        while perfect == "no" and self.whole_turns and self._tap_next():
            perfect = self._perfect()
        changed = [s for s in self.box.sites if before.get(s) != after.get(s)]
        if perfect == "no":
            # No picture could tell it, so people say what they do.
            tally.tapped += 1
            self._say()
            self._hands(changed)
            self._clear_away(changed)
            self._hold(self._at_rest)
            return
        if perfect == "right":
            tally.visible += 1
        else:
            tally.alike += 1
        if self.whole_turns:
            self._frame()
            self.now += THINK_S
            self._frame()
        self._hands(changed)
        accused = tally.accused
        self._hold(self._concluded)
        if not self._concluded() and self._sighting is not None and self._sighting.hand:
            # No hand is there. The eye finds that out by itself, and people wait for it.
            self._hold(self._concluded, RESTING_S)
            tally.late += self._agrees
        if self._agrees:
            self._unsaid.clear()
            tally.read += perfect == "right"
        else:
            self._mend(move, perfect)
        self._clear_away(changed)
        self._hold(self._at_rest, 2.0)
        if tally.accused > accused:
            self._trouble(f"accused at {move}")

    def _tap_next(self) -> bool:
        """Taps the next step of the turn if it leaves no trace; True if it did not."""
        match, truth = self.table.match, texts(self.truth)
        move = Move.parse(truth[match.ply]) if match.ply < len(truth) else None
        if move is None or match.state.touches(move):
            return False
        self.table.handle(PlayMove(move), self.now)
        self.tally.tapped += 1
        return self.table.match is not match

    def _tap_unsaid(self) -> None:
        record, truth = self.table.match.ply, texts(self.truth)
        # What the last look did not show goes before them.
        for text in truth[record : self._unsaid_to]:
            self.table.handle(PlayMove(Move.parse(text)), self.now)
            self.tally.tapped += 1
        self._unsaid.clear()

    def _perfect(self) -> str:
        """Reading of a perfect picture of the table: ``right``, ``alike`` or ``no``."""
        drawn = draw(self.box, self._laid)
        unseen = dict.fromkeys(self._out_of_picture(), SiteBelief({}, occluded=True))
        picture = replace(drawn, sites={**drawn.sites, **unseen})
        if self.whole_turns:
            return self._perfect_turn(picture)
        reading = read(self.table.match, picture)
        if reading.status is Status.MOVE:
            return "right" if self._leads(self.table.match, reading.moves) else "no"
        if reading.status is Status.AMBIGUOUS:
            fits = any(
                not c.takeback and self._leads(self.table.match, c.moves)
                for c in reading.candidates
            )
            return "alike" if fits else "no"
        return "no"

    def _perfect_turn(self, picture: DrawnSighting) -> str:
        """The same for a turn, of which a look may tell the beginning first.

        A wrong reading of a perfect picture, and an accusation, are no excuse: ``right`` is what
        they ought to have been.
        """
        trial = self.table.match.clone()
        calm = self.table.sight.long_calm
        while (
            reading := read(trial, picture, since=Since(at_once=False, long_calm=calm))
        ).status is Status.MOVE:
            calm = False
            if not self._leads(trial, reading.moves):
                for move in reading.moves:
                    trial.push(move)
                trial.follow()
                # What leaves the same on the table may have happened just as well.
                same = looks(trial.layout) == looks(self.truth.layout)
                return "no" if same or self._laid_out(trial) else "right"
            for move in reading.moves:
                trial.push(move)
            trial.follow()
        if reading.status is Status.AMBIGUOUS:
            fits = any(not c.takeback and self._leads(trial, c.moves) for c in reading.candidates)
            return "alike" if fits else "no"
        all_told = reading.status in (Status.SETTLED, Status.PENDING) and self._all_told(trial)
        return "right" if all_told or reading.status is Status.ILLEGAL else "no"

    def _out_of_picture(self) -> list[str]:
        """Sites that reach out of the camera's picture."""
        camera, names, rims = self.camera, [], []
        for site in self.box.sites.values():
            (x, y), (w, h) = site.at, site.size or (2 * site.radius, 2 * site.radius)
            rims += [(x + sx * w / 2, y + sy * h / 2, 0.0) for sx in (-1, 1) for sy in (-1, 1)]
            names.append(site.id)
        px = camera.project(np.array(rims), self.virtual.nudge).reshape(-1, 4, 2)
        size = np.array([camera.width, camera.height])
        outside = np.any((px < 0) | (px >= size), axis=(1, 2)).tolist()
        return [name for name, out in zip(names, outside, strict=True) if out]

    def _leads(self, match: Match, moves: tuple[Move, ...]) -> bool:
        trial = match.clone()
        for move in moves:
            trial.push(move)
        trial.follow()
        if self.whole_turns:
            return as_good(trial, self.truth, self._left) is not None
        return texts(trial) == texts(self.truth)

    @property
    def _laid(self) -> Layout:
        """Layout that hands lay on the table."""
        return self.truth.layout if self._lying is None else self._lying

    def _clear_away(self, changed: list[str]) -> None:
        """Sweeps up what lay there for a look."""
        if self._lying is not None:
            self._lying = None
            self._hold(self._at_rest, 1.0)
            self._hands(changed)

    def _concluded(self) -> bool:
        return self._agrees or self.table.state in (TableState.AMBIGUOUS, TableState.DESYNC)

    def _at_rest(self) -> bool:
        """True if board and record agree; a pile may still have to be drawn from."""
        reading = self.table.reading
        waits = reading is not None and reading.status is Status.PENDING and not reading.fixes
        return waits or self.table.state is TableState.SETTLED

    def _mend(self, move: Move, perfect: str) -> None:
        """People answer the question, or help."""
        tally, table = self.tally, self.table
        if table.state is TableState.AMBIGUOUS and table.reading is not None:
            asked = [[m.text for m in c.moves] for c in table.reading.candidates]
            for number, candidate in enumerate(table.reading.candidates):
                if not candidate.takeback and self._leads(table.match, candidate.moves):
                    table.handle(ChooseCandidate(number), self.now)
                    self._unsaid.clear()
                    if perfect == "alike":
                        tally.alike_asked += 1
                    else:
                        tally.asked += 1
                        self._trouble(f"asked at {move}: {asked}")
                    return
        if not self._in_order:
            self._put_right()
        else:
            if perfect == "right":
                tally.asked += 1
            self._trouble(f"not understood at {move}")
        self._say()

    def _trouble(self, what: str) -> None:
        seen = self._sighting
        state = self.table.state.value
        reading = self.table.reading
        line = f"{self.game.id}/{self.seed} ply {self.truth.ply}: {what} ({state})"
        if reading is not None:
            line += f" {reading.status.value} {reading.doubt} {[str(m) for m in reading.moves]}"
        if seen is not None:
            wanted = looks(self.truth.layout)
            odd = {
                s: (("hidden" if b.occluded else ""), b.best, wanted.get(s, ()))
                for s, b in seen.sites.items()
                if b.occluded or b.score(wanted.get(s, ())) < -1
            }
            line += f" hand={seen.hand} board={seen.board} {seen.reason} odd={odd}"
            line += (
                f" strays={[(x.kind, tuple(round(v) for v in x.at_mm)) for x in seen.strays][:6]}"
            )
        self.tally.troubles.append(line)
        self._tell(line)
        if self.keep is not None and self._image is not None:
            self.keep.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(
                str(self.keep / f"{self.game.id}-{self.seed}-{self.truth.ply}.png"), self._image
            )

    # -- hands, lamps, pushes ---------------------------------------------------------------

    def _between(self, number: int) -> None:
        """Disturbs the table between two moves."""
        if self.virtual.make_room():
            self.tally.pushes += 1
            self._rest(5)
        if number % self._pushes == min(2, self._pushes - 1):
            self.tally.pushes += 1
            self.virtual.bump(
                self.random.uniform(-7, 7), self.random.uniform(-7, 7), self.random.uniform(-1, 1)
            )
            self._rest(5)
        if number % LAMPS == 4:
            self.tally.lamps += 1
            self.virtual.light = self._lamp()
            self._rest(5)

    def _rest(self, frames: int) -> None:
        """Leaves the table alone; nothing may go into the record."""
        ply = self.table.match.ply
        for _ in range(frames):
            self._frame()
        if self.table.match.ply != ply and not self._agrees and not self._in_order:
            self.tally.wrong += 1
            self._trouble("wrong after a push or a lamp")
            while not self._in_order:
                self.table.handle(Undo(1), self.now)

    def _lamp(self) -> Light:
        pick = self.random
        shade = None
        if pick.random() < 0.5:
            wide, high = self.box.size
            shade = Shade(
                pick.uniform(-0.5, 0.5) * wide, pick.uniform(-0.5, 0.5) * high,
                pick.uniform(70, 180), pick.uniform(0.2, 0.45),
            )  # fmt: skip
        return Light(
            brightness=pick.uniform(0.62, 1.08),
            kelvin=pick.uniform(3000, 6800),
            gradient=(pick.uniform(-0.2, 0.2), pick.uniform(-0.2, 0.2)),
            from_deg=pick.uniform(-180, 180),
            height_deg=pick.uniform(45, 75),
            shade=shade,
        )

    def _hands(self, changed: list[str]) -> None:
        """A hand comes, the table changes below it, and the hand goes."""
        virtual = self.virtual
        width, height = self.box.size
        places = [self.box.sites[s].at for s in changed[:2]]
        places = [
            (max(-width * 0.55, min(width * 0.55, x)), max(-height * 0.5, min(height * 0.5, y)))
            for x, y in places
        ] or [(0.0, 0.0)]
        owner = self.random.choice(sorted({k.owner for k in self.box.kinds.values()}))
        first, last = places[0], places[-1]
        self._reach(first, owner, 0.5)
        self._reach(first, owner, 0.0)
        virtual.set_layout(self._laid)
        if self.random.random() < 0.35:
            self._knock(last)
        self._reach(last, owner, 0.0)
        self._reach(last, owner, 0.45)
        virtual.hand = None

    def _reach(self, at: tuple[float, float], owner: str, away: float) -> None:
        """A frame with a hand whose finger tips are ``away`` board heights short of ``at``."""
        hand = self.virtual.reaching(*at, owner=owner)
        turn, far = math.radians(hand.from_deg), away * self.box.size[1]
        self.virtual.hand = replace(
            hand, x_mm=hand.x_mm + far * math.cos(turn), y_mm=hand.y_mm + far * math.sin(turn)
        )
        self._frame()

    def _knock(self, near: tuple[float, float]) -> None:
        """A sleeve brushes against some piece near by."""
        lying = [
            p
            for p in self.virtual.pieces
            if p.site is not None and math.dist(p.at, near) < 120 and p.z == 0
        ]
        if not lying:
            return
        piece = self.random.choice(lying)
        turn, far = self.random.uniform(0, 2 * math.pi), self.random.uniform(0.5, KNOCK_MM)
        dx, dy, twist = far * math.cos(turn), far * math.sin(turn), self.random.uniform(-8, 8)
        site = self.box.sites[piece.site or ""]
        # A match has hundreds of moves; what is about to leave its field is put right by somebody.
        if site.holds((piece.x_mm + dx, piece.y_mm + dy)):
            self.virtual.knock(piece.id, dx, dy, twist)

    # -- frames -----------------------------------------------------------------------------

    def _hold(self, done: Callable[[], bool], patience: float = PATIENCE_S) -> None:
        """Still frames until ``done``."""
        end = self.now + patience
        while self.now < end:
            self._frame()
            if done():
                return

    def _frame(self) -> None:
        self.now += FRAME_S
        tally, table = self.tally, self.table
        tally.frames += 1
        observed = self._look()
        sighting = self._sighting = observed.sighting
        if set(sighting.ms) != {"gate", "total"}:
            tally.ms.append(sighting.ms["total"])
        tally.lost += sighting.board == "lost" and self.virtual.hand is None
        state = table.state
        if observed.seen is not None:
            table.handle(observed.seen, self.now, Source.CAMERA)
        table.handle(Tick(), self.now)
        if table.state is TableState.ILLEGAL and state is not TableState.ILLEGAL:
            tally.accused += 1

    def _look(self) -> Observed:
        """Observation of the table now."""
        image = self._image = self.camera.render(self.virtual)
        self.eye.expect(self.table.match.layout.elements())
        number = self.tally.frames
        return self.eye.look(Frame(image, number, str(number), self.now))
