"""A scene: what happens at a table, written down as JSON lines, for ``heelstone rehearse``.

Every line is one thing that happens: a look at the table, a touch, an answer, a pause. The first
may be a heading instead, which says what is played and what must come of it. ``read_scene`` reads a
file, ``Scene.fit`` compares it with the box it is played with; the format is in
``docs/rehearse.md``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn, TypeAlias, TypeVar

from companion.match.view import TableState
from companion.settings.enforcement import Enforcement
from companion.words.errors import HeelstoneError, notice
from rules.box import Box
from rules.core import GameError, Move
from rules.errors import Sentence, Where
from rules.near import hint
from rules.reading.sighting import Stray

LONGEST_S = 3600.0
"""Longest time that one line may last."""
MOST_PIECES = 200
"""Largest ``count`` of a piece."""


class SceneError(HeelstoneError):
    """A scene cannot be played; the sentence names file and line."""


@dataclass(frozen=True, slots=True)
class Line:
    """Where in a scene something is written."""

    file: Where
    number: int
    """Counted from 1."""

    def error(self, code: str, /, **params: object) -> SceneError:
        """What is wrong with this line."""
        reason = notice(code, **params)
        return SceneError("scene_line", file=self.file, line=self.number, reason=reason)

    def fail(self, code: str, /, **params: object) -> NoReturn:
        """Raise ``error``."""
        raise self.error(code, **params)


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that lies at a site."""

    kind: str
    pose: str | None = None
    """None: as pieces of this kind usually stand."""
    face_down: bool = False
    level: int | None = None
    """Place in a stack, 0 at the bottom; None: the scene does not say."""
    seen: bool = True
    """False: something lies on it."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Look:
    """The camera looks at the table for a while."""

    line: Line
    table: Mapping[str, tuple[Piece, ...]]
    """What lies at these sites from now on; all others are as they were."""
    for_s: float | None = None
    """Seconds; None: long enough for the table to conclude."""
    hand: bool = False
    """A hand is over the board meanwhile."""
    hidden: tuple[str, ...] = ()
    """Sites that something covers meanwhile."""
    strays: tuple[Stray, ...] = ()
    """Pieces that lie beside every site meanwhile."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Hands lay everything as the record says, and the camera looks for a while."""

    line: Line
    for_s: float | None = None


@dataclass(frozen=True, slots=True)
class Tap:
    """Somebody enters a move by touch."""

    line: Line
    move: Move


@dataclass(frozen=True, slots=True)
class Answer:
    """Somebody chooses one of the explanations that the table offers."""

    line: Line
    moves: tuple[Move, ...]
    """All of these are part of it; none of them: it only takes something back."""


class Pressed(StrEnum):
    """Something that can be pressed."""

    UNDO = "undo"
    REDO = "redo"
    AGREE = "agree"
    BOARD_IS_RIGHT = "board_is_right"
    CAMERA_IS_WRONG = "camera_is_wrong"
    ANYWAY = "anyway"


@dataclass(frozen=True, slots=True)
class Press:
    """Somebody presses a button, on the screen or beside it."""

    line: Line
    pressed: Pressed


@dataclass(frozen=True, slots=True)
class Wait:
    """Time passes; the camera sees the table as it lies."""

    line: Line
    for_s: float


Step: TypeAlias = Look | SetUp | Tap | Answer | Press | Wait
"""One line of a scene."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What must come of a scene; None where it does not matter."""

    moves: tuple[str, ...] | None = None
    """The record. If no move of dealer or table is among them, those do not matter."""
    asked: int | None = None
    accused: int | None = None
    objections: frozenset[str] | None = None
    """Codes that must be among the objections."""
    scores: tuple[int, ...] | None = None
    table: TableState | None = None
    """The table's state at the end."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a scene says about itself."""

    scene: str = ""
    """What people call it."""
    game: str = ""
    players: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    enforcement: Enforcement | None = None
    expect: Expected | None = None
    dealt: tuple[int, ...] = ()
    """Seats for which the program deals, though the table has real cards."""
    seed: str = ""
    """What decides what the program deals; empty: the same in every scene."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What happens at a table, line by line."""

    file: Where
    heading: Heading
    steps: tuple[Step, ...]

    def fit(self, box: Box) -> None:
        """Compare it with the box; raises SceneError where that has no such site or piece."""
        for step in self.steps:
            if isinstance(step, Look):
                for site, pieces in step.table.items():
                    _fit_site(box, step.line, site)
                    for piece in pieces:
                        _fit_piece(box, step.line, site, piece)
                for site in step.hidden:
                    _fit_site(box, step.line, site)
                for stray in step.strays:
                    _fit_kind(box, step.line, stray.kind)


def read_scene(text: str, file: Where) -> Scene:
    """Read the lines of ``file``; raises SceneError at the first that is wrong."""
    heading, steps = Heading(), list[Step]()
    nothing_yet = True
    for number, row in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not row.strip():
            continue
        line = Line(file, number)
        data = _json_object(line, row)
        if data.keys() & _HEADINGS and not data.keys() & _STEPS.keys():
            if not nothing_yet:
                line.fail("scene_heading_late")
            heading = _heading(_Fields(line, data, "scene"))
        else:
            steps.append(_step(line, data))
        nothing_yet = False
    return Scene(file, heading, tuple(steps))


# -- what a line says -----------------------------------------------------------------------


class _Fields:
    """The keys of one object of a scene. What is not asked for is unknown."""

    def __init__(self, line: Line, data: Mapping[str, Any], of: str) -> None:
        self.line = line
        self._data, self._of, self._known = data, of, ["note"]

    def take(self, key: str, read: Callable[[Line, str, Any], Any], usual: Any = None) -> Any:
        """The value of a key as ``read`` makes it of line, key and data; ``usual`` without one."""
        self._known.append(key)
        return read(self.line, key, self._data[key]) if key in self._data else usual

    def end(self) -> None:
        """Fail if there are other keys than those asked for; anything may have a ``note``."""
        for key in self._data:
            if key not in self._known:
                known = [name for name in self._known if name != self._of]
                self.line.fail("scene_key_unknown", key=key, of=self._of, hint=hint(key, known))


def _step(line: Line, data: Mapping[str, Any]) -> Step:
    found = [name for name in _STEPS if name in data]
    if len(found) != 1:
        line.fail("scene_step_unknown", known=[*_STEPS])
    fields = _Fields(line, data, found[0])
    step = _STEPS[found[0]](fields)
    fields.end()
    return step


def _look(fields: _Fields) -> Step:
    return Look(
        fields.line,
        fields.take("look", _table),
        fields.take("for", _seconds),
        fields.take("hand", _truth, False),
        fields.take("hidden", _texts, ()),
        fields.take("strays", _strays, ()),
    )


def _set_up(fields: _Fields) -> Step:
    if not fields.take("setup", _truth):
        _wrong(fields.line, "setup", notice("scene_true"), False)
    return SetUp(fields.line, fields.take("for", _seconds))


_STEPS: Mapping[str, Callable[[_Fields], Step]] = {
    "look": _look,
    "setup": _set_up,
    "tap": lambda fields: Tap(fields.line, fields.take("tap", _move)),
    "answer": lambda fields: Answer(fields.line, fields.take("answer", _answer)),
    "press": lambda fields: Press(fields.line, fields.take("press", _one_of(Pressed))),
    "wait": lambda fields: Wait(fields.line, fields.take("wait", _seconds)),
}


_HEADINGS = {"scene", "game", "players", "options", "enforcement", "expect", "dealt", "seed"}
"""Keys by which a heading is known."""


def _heading(fields: _Fields) -> Heading:
    heading = Heading(
        fields.take("scene", _text, ""),
        fields.take("game", _text, ""),
        fields.take("players", _whole),
        fields.take("options", _options, {}),
        fields.take("enforcement", _one_of(Enforcement)),
        fields.take("expect", _expected),
        fields.take("dealt", _integers, ()),
        fields.take("seed", _text, ""),
    )
    fields.end()
    return heading


def _expected(line: Line, key: str, value: Any) -> Expected:
    fields = _Fields(line, _object(line, key, value), key)
    expected = Expected(
        fields.take("moves", _move_texts),
        fields.take("asked", _whole),
        fields.take("accused", _whole),
        fields.take("objections", lambda *at: frozenset(_texts(*at))),
        fields.take("scores", _integers),
        fields.take("table", _one_of(TableState)),
    )
    fields.end()
    return expected


def _table(line: Line, key: str, value: Any) -> Mapping[str, tuple[Piece, ...]]:
    return {
        site: tuple(_piece(line, site, piece) for piece in _list(line, site, pieces))
        for site, pieces in _object(line, key, value).items()
    }


def _piece(line: Line, site: str, value: Any) -> Piece:
    if isinstance(value, str):
        return Piece(value)
    if not isinstance(value, dict):
        _wrong(line, site, notice("scene_a_piece"), value)
    fields = _Fields(line, value, "kind")
    kind = fields.take("kind", _text)
    if kind is None:
        line.fail("scene_kind_missing", site=site)
    piece = Piece(
        kind,
        fields.take("pose", _text),
        fields.take("face", _one_of(_Face)) is _Face.DOWN,
        fields.take("level", _whole),
        fields.take("seen", _truth, True),
        fields.take("count", _count, 1),
    )
    # Nobody sees from above whose a piece is; it is written where a layout is copied.
    fields.take("owner", _owner)
    fields.end()
    return piece


class _Face(StrEnum):
    UP = "up"
    DOWN = "down"


def _strays(line: Line, key: str, value: Any) -> tuple[Stray, ...]:
    return tuple(_stray(line, key, stray) for stray in _list(line, key, value))


def _stray(line: Line, key: str, value: Any) -> Stray:
    fields = _Fields(line, _object(line, key, value), "kind")
    kind, at = fields.take("kind", _text), fields.take("at", _point)
    fields.end()
    if kind is None or at is None:
        _wrong(line, key, notice("scene_a_stray"), value)
    return Stray(kind, at)


# -- what a value may be --------------------------------------------------------------------


def _json_object(line: Line, row: str) -> Mapping[str, Any]:
    def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(key for n, (key, _) in enumerate(pairs) if key in dict(pairs[:n]))
            line.fail("scene_key_twice", key=twice)
        return found

    try:
        data = json.loads(row, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        line.fail("scene_breaks", column=error.colno)
    except (ValueError, RecursionError) as error:
        line.fail("scene_not_json", reason=error)
    if not isinstance(data, dict):
        line.fail("scene_step_unknown", known=[*_STEPS])
    return data


def _wrong(line: Line, key: str, wanted: Sentence, found: Any) -> NoReturn:
    text = json.dumps(found, ensure_ascii=False)
    shown = text if len(text) <= 60 else f"{text[:59]}…"
    line.fail("scene_value", key=key, wanted=wanted, found=shown)


def _between(least: int, most: int) -> Sentence:
    return notice("numbers_between", least=least, most=most)


def _object(line: Line, key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        _wrong(line, key, notice("scene_an_object"), value)
    return value


def _list(line: Line, key: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list):
        _wrong(line, key, notice("a_list"), value)
    return value


def _text(line: Line, key: str, value: Any) -> str:
    if not isinstance(value, str):
        _wrong(line, key, notice("a_text"), value)
    return value


def _texts(line: Line, key: str, value: Any) -> tuple[str, ...]:
    return tuple(_text(line, key, text) for text in _list(line, key, value))


def _truth(line: Line, key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        _wrong(line, key, notice("yes_or_no"), value)
    return value


def _integer(line: Line, key: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        _wrong(line, key, notice("a_whole_number", range=notice("nothing")), value)
    return value


def _whole(line: Line, key: str, value: Any) -> int:
    if _integer(line, key, value) < 0:
        _wrong(line, key, notice("a_whole_number", range=notice("nothing")), value)
    return int(value)


def _integers(line: Line, key: str, value: Any) -> tuple[int, ...]:
    return tuple(_integer(line, key, number) for number in _list(line, key, value))


def _count(line: Line, key: str, value: Any) -> int:
    if not 1 <= _integer(line, key, value) <= MOST_PIECES:
        _wrong(line, key, notice("a_whole_number", range=_between(1, MOST_PIECES)), value)
    return int(value)


def _owner(line: Line, key: str, value: Any) -> int | None:
    return None if value is None else _whole(line, key, value)


def _seconds(line: Line, key: str, value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= LONGEST_S:
        _wrong(line, key, notice("a_number", range=_between(0, int(LONGEST_S))), value)
    return float(value)


def _point(line: Line, key: str, value: Any) -> tuple[float, float]:
    pair = _list(line, key, value)
    numbers = [n for n in pair if isinstance(n, int | float) and math.isfinite(n)]
    if len(pair) != 2 or len(numbers) != 2:
        _wrong(line, key, notice("scene_a_point"), value)
    return float(numbers[0]), float(numbers[1])


def _options(line: Line, key: str, value: Any) -> Mapping[str, str]:
    return {name: _text(line, name, chosen) for name, chosen in _object(line, key, value).items()}


def _move(line: Line, key: str, value: Any) -> Move:
    try:
        return Move.parse(_text(line, key, value))
    except GameError as error:
        line.fail("scene_move", reason=error)


def _move_texts(line: Line, key: str, value: Any) -> tuple[str, ...]:
    return tuple(_move(line, key, text).text for text in _list(line, key, value))


def _answer(line: Line, key: str, value: Any) -> tuple[Move, ...]:
    moves = value if isinstance(value, list) else [value]
    return tuple(_move(line, key, move) for move in moves)


E = TypeVar("E", bound=StrEnum)


def _one_of(words: type[E]) -> Callable[[Line, str, Any], E]:
    def read(line: Line, key: str, value: Any) -> E:
        if not isinstance(value, str) or value not in list(words):
            _wrong(line, key, notice("one_of", values=[word.value for word in words]), value)
        return words(value)

    return read


# -- what the box has -----------------------------------------------------------------------


def _fit_site(box: Box, line: Line, site: str) -> None:
    if site not in box.sites:
        line.fail("scene_site_unknown", site=site, hint=hint(site, box.sites))


def _fit_kind(box: Box, line: Line, kind: str) -> None:
    if kind not in box.kinds:
        line.fail("scene_kind_unknown", kind=kind, hint=hint(kind, box.kinds))


def _fit_piece(box: Box, line: Line, site: str, piece: Piece) -> None:
    _fit_kind(box, line, piece.kind)
    kind = box.kinds[piece.kind]
    if piece.face_down and kind.back:
        kind = box.kinds[kind.back]
    takes = box.sites[site].takes
    if kind.group not in takes:
        line.fail("scene_site_takes", site=site, kind=kind.id, takes=takes)
    if piece.pose and piece.pose not in kind.poses:
        poses = hint(piece.pose, kind.poses)
        line.fail("scene_pose_unknown", kind=kind.id, pose=piece.pose, hint=poses)
