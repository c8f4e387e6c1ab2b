"""Hands' trial of a game: its moves are laid as people lay them, and the table must come to them.

Random matches are played through a real table, as scenes (``companion.match.rehearsing.scene``).
Each move that shows is laid in one look or in several, in every natural order of its steps, and
what it takes up is also held for a while, or put back first. The table may ask; it may not object,
record something else, offer no answer that is true, or make nothing of the move at all.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from time import process_time
from typing import Any, NamedTuple

from companion.match.events import BoardOutOfSync, Refused
from companion.match.rehearsing.recall import as_pieces
from companion.match.rehearsing.rehearsal import Rehearsal
from companion.match.rehearsing.scene import read_scene
from companion.match.rehearsing.values import SceneError
from companion.match.view import TableState
from rules.box import TRAY, Box
from rules.core import Actor, Game, Json, Move
from rules.match import Match
from rules.reading.reading import MISSING, Status
from rules.reading.sighting import EMPTY, Look, looks
from rules.testing.playout import ladder, random_match
from rules.testing.report import fault

ENOUGH = 4
"""Moves of a verb that are laid in each manner, in different positions."""
MOST_MATCHES = 12
PATIENCE_S = 15.0
"""Processor time after which what was tried is enough."""
LATEST = 150
"""Moves of a match after which the next one begins."""
MOST_FOUND = 6
"""Stumbles after which their author has enough to do."""
ANSWERS = 4
"""Truthful answers after which a table that still asks does not understand."""
HAND_S, STEP_S, HELD_S = 1.0, 1.5, 6.0
"""Seconds of a hand before a step, of a look after one, and of a look at what was lifted."""

_Lying = dict[str, Look]
_Line = dict[str, Json]


class Manner(StrEnum):
    """A way in which hands lay a move."""

    WHOLE = "in one look"
    STEPS = "step by step"
    HELD = "with a piece held for a while"
    BACK = "after a piece was lifted and put back"


class Came(StrEnum):
    """Results that a table may not come to."""

    ACCUSED = "is objected to"
    OTHER = "is recorded as something else"
    DIFFERS = "makes the table say that the board differs"
    UNTRUE = "is asked about, and no answer is true"
    BLIND = "is not seen at all"
    FAILED = "makes the reading fail"


@dataclass(frozen=True, slots=True)
class Stumble:
    """A move that was laid, and what the table made of it."""

    came: Came
    move: Move
    manner: Manner
    told: str
    """The objections, the record, or the error."""
    scene: tuple[_Line, ...]
    """The lines of a scene that shows it."""

    @property
    def text(self) -> str:
        """The scene as a file."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.scene)


@dataclass
class Tried:
    """The moves that were laid, by verb."""

    enough: int = ENOUGH
    laid: Counter[tuple[str, Manner]] = field(default_factory=Counter)
    read: set[str] = field(default_factory=set)
    """Verbs of which one was understood."""
    waits: dict[str, Stumble] = field(default_factory=dict)
    """By verb the first that the game's ``may_lie`` tolerates where it lies, and nothing more."""

    def due(self, verb: str, manners: Sequence[Manner]) -> Manner | None:
        """The manner that was tried least; None if all were often enough."""
        least = min(manners, key=lambda manner: self.laid[verb, manner])
        return least if self.laid[verb, least] < self.enough else None


def stumbles(
    game: Game[Any], tried: Tried, played: Callable[[int, int], object] = lambda done, of: None
) -> Iterator[Stumble]:
    """All stumbles of a table of this game; ``tried`` counts what was laid.

    ``played`` is told how many of how many matches are played, in the end that all are.
    """
    settings, begun, found = ladder(game, MOST_MATCHES), process_time(), 0
    for number in range(MOST_MATCHES):
        players, options = settings[number % len(settings)]
        before = tried.laid.total()
        for stumble in _Sitting(game, players, options, number, tried).stumbles():
            yield stumble
            found += 1
            if found >= MOST_FOUND:
                return
        played(number + 1, MOST_MATCHES)
        enough = number + 1 >= len(settings) and tried.laid.total() == before
        if enough or process_time() - begun > PATIENCE_S:
            break
    yield from (one for verb, one in tried.waits.items() if verb not in tried.read)
    played(1, 1)


class _Sitting:
    """One match, laid by hands."""

    def __init__(
        self, game: Game[Any], players: int, options: Mapping[str, str], seed: int, tried: Tried
    ) -> None:
        self._game, self._players, self._options = game, players, options
        self._seed, self._tried = seed, tried
        self._lines: list[_Line] = []
        """All events at this table."""
        self._open: list[Move] = []
        """The end of a turn that nobody has said yet."""
        self._laid_last: Move | None = None
        self._table = self._sit_down()

    def stumbles(self) -> Iterator[Stumble]:
        """All stumbles of the table."""
        try:
            for move in self._moves():
                truth = self._table.truth.match
                if truth.ply >= LATEST or truth.outcome is not None:
                    return
                if (stumble := self._follow(move)) is not None:
                    yield stumble
                if not _has(self._table):
                    self._sit_down_again()
        finally:
            self._table.end()

    def _moves(self) -> Iterator[Move]:
        """All that a table with real pieces shows of a match that is dealt."""
        for match, _, move in random_match(self._game, self._players, self._options, self._seed):
            yield from match.state.shown(move)

    # -- the table ------------------------------------------------------------------------

    def _sit_down(self) -> Rehearsal:
        table = Rehearsal(self._game, self._players, self._options)
        table.begin()
        self._lines = []
        return table

    def _sit_down_again(self) -> None:
        """At a new table, with all that was really played in the record."""
        self._table.end()
        entered = _entered(self._table.truth.match)
        self._table = self._sit_down()
        self._lay(entered)

    def _lay(self, line: _Line) -> None:
        self._lines.append(line)
        _play(self._table, line)

    def _heading(self, move: Move, manner: Manner) -> _Line:
        return {
            "scene": f"{move}, laid {manner}",
            "game": self._game.id,
            "players": self._players,
            "options": dict(self._options),
            "expect": {"accused": 0, "truth": True},
        }

    # -- one move -------------------------------------------------------------------------

    def _follow(self, move: Move) -> Stumble | None:
        """Play the next move of the match."""
        table = self._table
        truth = table.truth.match.clone()
        if not self._open and move in table.truth.followed:
            return None
        for one in self._open:
            truth.push(one)
        before, after = looks(truth.layout), truth.clone()
        throw = truth.state.throw() if truth.throws_lie_here else None
        thrown = throw is not None and move in throw
        if move in after.follow() or after.why_not(move):
            return None
        after.push(move)
        after.follow()
        steps = natural_steps(before, looks(after.layout), table.box)
        if not steps and move.verb == "done" and self._may_stay_open(move):
            self._open.append(move)
            return None
        lies = steps or thrown
        manner = self._tried.due(move.verb, _manners(move, steps)) if lies else None
        moves, self._open, self._laid_last = [*self._open, move], [], move if steps else None
        if manner is None:
            self._lay({**_laid(moves), "touched": True, "step_s": 0, "for": 1})
            return None
        return self._try(moves, manner, steps)

    def _may_stay_open(self, move: Move) -> bool:
        """True if nobody says the end of this turn: in every second match, and where something of
        it was seen last."""
        return bool(self._seed % 2 and self._laid_last is not None
                    and self._laid_last.player == move.player)  # fmt: skip

    def _try(self, moves: list[Move], manner: Manner, steps: Sequence[Step]) -> Stumble | None:
        """Lay a move in a manner; what the table stumbles at, if it does."""
        tried, move, table = self._tried, moves[-1], self._table
        number = tried.laid[move.verb, manner]
        tried.laid[move.verb, manner] += 1
        start, played = len(self._lines), table.truth.match.clone()
        found = self._came(moves, manner, steps, number)
        if found is None:
            tried.read.add(move.verb)
            return None
        heading = self._heading(move, manner)
        laid = [line for line in self._lines[start:] if "look" in line or "moves" in line]
        scene = self._shows([heading, _entered(played), *laid], moves) or [heading, *self._lines]
        if found[0] is Came.DIFFERS:
            scene.append(_QUIET)
        stumble = Stumble(found[0], move, manner, found[1], tuple(scene))
        if found[0] in (Came.BLIND, Came.OTHER) and _tolerates(table):
            tried.waits.setdefault(move.verb, stumble)
            return None
        return stumble

    def _came(
        self, moves: list[Move], manner: Manner, steps: Sequence[Step], number: int
    ) -> tuple[Came, str] | None:
        said = len(self._table.told)
        try:
            for line in _lines_of(
                looks(self._table.truth.match.layout), moves, manner, steps, number
            ):
                self._lay(line)
            self._lines += _answered(self._table, moves)
        except SceneError as error:
            self._lines.append(_ANSWER)
            return Came.UNTRUE, str(error)
        except Exception as error:  # whatever it is, it is the finding
            return Came.FAILED, fault(error)
        return _verdict(self._table, said)

    def _shows(self, scene: Sequence[_Line], moves: Sequence[Move]) -> list[_Line] | None:
        """A scene that stumbles by itself with all answers that are given in it; None if it does
        not."""
        table = Rehearsal(self._game, self._players, self._options)
        table.begin()
        try:
            for line in scene[1:]:
                _play(table, line)
            answers = _answered(table, moves)
            return None if _verdict(table, 0) is None else [*scene, *answers]
        except SceneError:
            return [*scene, _ANSWER]
        except Exception:  # that is what the scene is to show
            return [*scene]
        finally:
            table.end()


_ANSWER: _Line = {"answer": "truthfully"}
_QUIET: _Line = {"expect": ["agreed", "asked", "waits", "nothing"]}
_WAIT: _Line = {"wait": HELD_S}


def _play(table: Rehearsal, line: _Line) -> None:
    (step,) = read_scene(json.dumps(line), "scene").steps
    table.take(step)


def _answered(table: Rehearsal, moves: Sequence[Move]) -> list[_Line]:
    """Answer truthfully what is asked, and enter of ``moves`` what a camera cannot see; the lines
    for it. Raises SceneError if no answer is true."""
    lines: list[_Line] = []
    for _ in range(ANSWERS):
        before = table.match.log
        if _has(table):
            break
        if _asks(table):
            _play(table, _ANSWER)
            lines.append(_ANSWER)
        if table.match.log == before and _misses(table):
            recorded = {entry.move for entry in before[-len(moves) :]}
            for tap in [{"tap": move.text} for move in moves if move not in recorded]:
                _play(table, tap)
                lines.append(tap)
        if table.match.log == before:
            break
        _play(table, _WAIT)
        lines.append(_WAIT)
    return lines


def _misses(table: Rehearsal) -> bool:
    """True if the table waits for something that leaves no trace."""
    return table.table.reading is not None and table.table.reading.doubt == MISSING


def _entered(match: Match) -> _Line:
    """A whole match entered by touch, and laid."""
    return {**_laid([e.move for e in match.log]), "touched": True, "step_s": 0, "for": 1}


def _laid(moves: Sequence[Move]) -> _Line:
    return {"moves": [move.text for move in moves]}


def _has(table: Rehearsal) -> bool:
    """True if the table has come to what was played."""
    record, truth = table.match, table.truth.match
    lies = looks(record.layout) == looks(truth.layout)
    # What chance brought may be missing: then it is still due there.
    due = [None if one is None else one.actor for one in (record.prompt, truth.prompt)]
    return lies and due[0] is due[1] and table.truth.is_record(record)


def _tolerates(table: Rehearsal) -> bool:
    """True if all that is not as the record wants it may lie there."""
    reading = table.table.reading
    if reading is None or reading.fixes:
        return False
    return reading.status in (Status.SETTLED, Status.PENDING)


def _asks(table: Rehearsal) -> bool:
    asking = TableState.AMBIGUOUS, TableState.DESYNC, TableState.PENDING
    return table.table.state in asking and bool(table.table.view().candidates)


def _verdict(table: Rehearsal, said: int) -> tuple[Came, str] | None:
    events = [one.event for one in table.told[said:]]
    objections = [o for event in events if isinstance(event, Refused) for o in event.objections]
    if objections:
        return Came.ACCUSED, ", ".join(dict.fromkeys(o.code for o in objections))
    if any(isinstance(event, BoardOutOfSync) for event in events):
        return Came.DIFFERS, f"the table is {table.table.state} in the end"
    if _has(table):
        return None
    record, truth = table.match, table.truth.match
    if record.ply == truth.ply and looks(record.layout) == looks(truth.layout):
        return None  # What comes next tells the one from the other.
    if table.truth.begins_with(table.match, ()):
        return Came.BLIND, f"the table is {table.table.state}"
    last = [entry.move.text for entry in table.match.log[-3:]]
    return Came.OTHER, f"the record ends with {', '.join(last)}"


# -- the steps of a move ----------------------------------------------------------------------


class Step(NamedTuple):
    """Something that a hand does at once at one place."""

    site: str
    gone: tuple[Any, ...]
    come: tuple[Any, ...]


def natural_steps(before: Mapping[str, Look], after: Mapping[str, Look], box: Box) -> list[Step]:
    """The steps by which one layout becomes another, those first that take something up. Dice lie
    as they like."""
    takes, puts = list[Step](), list[Step]()
    for site in sorted({**before, **after}):
        if site in box.sites and box.sites[site].kind == TRAY:
            continue
        was, now = before.get(site, EMPTY), after.get(site, EMPTY)
        gone = tuple(sorted((Counter(was) - Counter(now)).elements()))
        come = tuple(sorted((Counter(now) - Counter(was)).elements()))
        if gone and come and (len(was) == len(now) == 1 or _kinds(gone) == _kinds(come)):
            # Turned over, covered, or the uppermost of a stack.
            puts.append(Step(site, gone, come))
            continue
        takes += [Step(site, gone, ())] if gone else []
        puts += [Step(site, (), come)] if come else []
    return [*takes, *puts]


def _kinds(look: Look) -> Counter[str]:
    return Counter(glimpse.kind for glimpse in look)


def _moved(steps: Sequence[Step]) -> list[Step]:
    """The steps that take up what comes to lie elsewhere."""
    come = {glimpse.kind for step in steps if not step.gone for glimpse in step.come}
    return [s for s in steps if not s.come and any(g.kind in come for g in s.gone)]


def natural_order(steps: Sequence[Step], number: int) -> list[Step]:
    """An order in which hands may do them: nothing is put down before it was taken up. Order 0 is
    the one of ``steps``."""
    chance, left, order = Random(number), list(steps), list[Step]()
    moving = Counter[str]()
    """Pieces in the hand, of kinds that are taken up somewhere."""
    taken = {glimpse.kind for step in steps if not step.come for glimpse in step.gone}
    while left:
        able = [
            step for step in left
            if step.gone
            or all(moving[k] >= n for k, n in _kinds(step.come).items() if k in taken)
        ] or left  # fmt: skip
        step = able[0] if number == 0 else chance.choice(able)
        left.remove(step)
        order.append(step)
        if not (step.gone and step.come):
            moving.update(_kinds(step.gone))
            moving.subtract(_kinds(step.come))
    return order


def _manners(move: Move, steps: Sequence[Step]) -> list[Manner]:
    moved = _moved(steps) if move.actor is Actor.PLAYER else []
    return [
        Manner.WHOLE,
        *([Manner.STEPS] if len(steps) > 1 else []),
        *([Manner.HELD, Manner.BACK] if moved and len(moved) < len(steps) else []),
    ]


def _lines_of(
    lying: _Lying, moves: Sequence[Move], manner: Manner, steps: Sequence[Step], number: int
) -> Iterator[_Line]:
    """The lines of a scene by which a move is laid."""
    hand: _Line = {"look": {}, "hand": True, "for": HAND_S}
    if manner is Manner.WHOLE:
        yield _laid(moves)
        return
    held = natural_order(steps, number)[:-1] if manner is Manner.STEPS else _moved(steps)
    before, now = dict(lying), dict(lying)
    for step in held:
        now[step.site] = _after(now.get(step.site, EMPTY), step)
        if manner is Manner.STEPS:
            yield hand
            yield {"look": {step.site: as_pieces(now[step.site])}, "for": STEP_S}
    if manner is not Manner.STEPS:
        sites = [step.site for step in held]
        yield hand
        yield {"look": {site: as_pieces(now[site]) for site in sites}, "for": HELD_S}
        if manner is Manner.BACK:
            yield hand
            yield {"look": {s: as_pieces(before.get(s, EMPTY)) for s in sites}, "for": HELD_S}
    yield {**_laid(moves), "step_s": HAND_S}


def _after(look: Look, step: Step) -> Look:
    return tuple(sorted((Counter(look) - Counter(step.gone) + Counter(step.come)).elements()))
