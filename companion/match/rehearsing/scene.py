"""A scene: what happens at a table, written down as JSON lines, for ``heelstone rehearse``.

Every line is one thing that happens: moves that hands make, a look at the table, a touch, an
answer, a pause, or what must have come of it. The first may be a heading instead, which says what
is played and what must come of all. ``read_scene`` reads a file, ``Scene.fit`` compares it with the
box it is played with; the format is in ``docs/rehearse.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from companion.match.rehearsing import expected, values
from companion.match.rehearsing.expected import Expect, Expected
from companion.match.rehearsing.values import Fields, Line
from companion.settings.enforcement import Enforcement
from companion.words.errors import notice
from rules.box import Box
from rules.core import Move
from rules.errors import Where
from rules.near import hint
from rules.reading.sighting import Stray

STEP_S = 2.0
"""Seconds of hand that a step takes if the scene does not say."""
TRUTHFULLY = "truthfully"
"""The answer that is true, whatever is offered."""


class Face(StrEnum):
    """The side of a piece that is seen."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that lies at a site."""

    kind: str
    pose: str | None = None
    """None: as pieces of this kind usually stand."""
    face: Face | None = None
    """None: up, and the site must have room for its sort like that."""
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


class Looks(StrEnum):
    """Frequency of the camera's looks while hands make moves."""

    END = "end"
    EACH = "each"
    """After every step that can be seen."""


@dataclass(frozen=True, slots=True)
class Moves:
    """Hands make moves; then the table looks as the rules want it."""

    line: Line
    moves: tuple[Move, ...]
    look: Looks = Looks.END
    for_s: float | None = None
    """Seconds of each look; None: long enough."""
    step_s: float = STEP_S
    """Seconds that a hand is over the board for each step; 0: no hand is seen."""
    hand: bool = False
    """The hand stays during the looks as well."""
    hidden: tuple[str, ...] = ()
    """Sites that something covers during the looks."""
    late: tuple[str, ...] = ()
    """Sites where everything stays as it was: hands have not come there yet."""
    touched: bool = False
    """The moves are also entered by touch, before hands lay them."""
    forbidden: bool = False
    """One of them is against the rules; from there on the scene's match does not follow."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Hands lay everything as the record says, and the camera looks for a while."""

    line: Line
    for_s: float | None = None


@dataclass(frozen=True, slots=True)
class Tap:
    """A move entered by touch."""

    line: Line
    move: Move


@dataclass(frozen=True, slots=True)
class Answer:
    """The choice of one of the explanations that the table offers."""

    line: Line
    moves: tuple[Move, ...] | None
    """All of these are part of it; none of them: it only takes something back. None: it leads to
    what the scene's ``moves`` played, if anything is asked at all."""


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
    """A press of a button, on the screen or beside it."""

    line: Line
    pressed: Pressed


@dataclass(frozen=True, slots=True)
class Wait:
    """Time passes; the camera sees the table as it lies."""

    line: Line
    for_s: float


Step: TypeAlias = Look | Moves | SetUp | Tap | Answer | Press | Wait | Expect
"""One line of a scene."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a scene: its setting and its expectations."""

    scene: str = ""
    """Its name."""
    game: str = ""
    players: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    enforcement: Enforcement | None = None
    expect: Expected | None = None
    dealt: tuple[int, ...] = ()
    """Seats for which the program deals, though the table has real cards."""
    seed: str = ""
    """Seed of what the program deals; empty: the same in every scene."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene at a table, line by line."""

    file: Where
    heading: Heading
    steps: tuple[Step, ...]

    @property
    def expects(self) -> bool:
        """True if it says what must come of it."""
        return self.heading.expect is not None or any(isinstance(s, Expect) for s in self.steps)

    def fit(self, box: Box) -> None:
        """Compare it with the box; raises SceneError where that has no such site or piece."""
        for step in self.steps:
            match step:
                case Look(line, table, hidden=hidden, strays=strays):
                    for site, pieces in table.items():
                        _fit_site(box, line, site)
                        for piece in pieces:
                            _fit_piece(box, line, site, piece)
                    for site in hidden:
                        _fit_site(box, line, site)
                    for stray in strays:
                        _fit_kind(box, line, stray.kind)
                case Moves(line, hidden=hidden, late=late):
                    for site in (*hidden, *late):
                        _fit_site(box, line, site)


def read_scene(text: str, file: Where) -> Scene:
    """Read the lines of ``file``; raises SceneError at the first that is wrong."""
    heading, steps = Heading(), list[Step]()
    nothing_yet = True
    for number, row in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not row.strip():
            continue
        line = Line(file, number)
        data = values.of_row(line, row, [*_STEPS])
        if data.keys() & _HEADINGS and not _steps_in(data):
            if not nothing_yet:
                line.fail("scene_heading_late")
            heading = _heading(Fields(line, data, "scene"))
        else:
            steps.append(_step(line, data))
        nothing_yet = False
    return Scene(file, heading, tuple(steps))


# -- what a line says -----------------------------------------------------------------------


def _steps_in(data: Mapping[str, Any]) -> list[str]:
    """The keys of ``data`` that say what kind of line it is; there should be one."""
    found = [name for name in _STEPS if name in data]
    if isinstance(data.get("expect"), dict):
        # Of the whole scene: it belongs to the heading.
        found.remove("expect")
    return next(([name] for name in _WITH_OTHERS if name in found), found)


def _step(line: Line, data: Mapping[str, Any]) -> Step:
    found = _steps_in(data)
    if len(found) != 1:
        line.fail("scene_step_unknown", known=[*_STEPS])
    fields = Fields(line, data, found[0])
    step = _STEPS[found[0]](fields)
    fields.end()
    return step


def _look(fields: Fields) -> Step:
    return Look(
        fields.line,
        fields.take("look", _table),
        fields.take("for", values.seconds),
        fields.take("hand", values.yes_or_no, False),
        fields.take("hidden", values.texts, ()),
        fields.take("strays", _strays, ()),
    )


def _moves(fields: Fields) -> Step:
    return Moves(
        fields.line,
        fields.take("moves", values.moves),
        fields.take("look", values.one_of(Looks), Looks.END),
        fields.take("for", values.seconds),
        fields.take("step_s", values.seconds, STEP_S),
        fields.take("hand", values.yes_or_no, False),
        fields.take("hidden", values.texts, ()),
        fields.take("late", values.texts, ()),
        fields.take("touched", values.yes_or_no, False),
        fields.take("forbidden", values.yes_or_no, False),
    )


def _set_up(fields: Fields) -> Step:
    fields.take("setup", values.yes)
    return SetUp(fields.line, fields.take("for", values.seconds))


_STEPS: Mapping[str, Callable[[Fields], Step]] = {
    "moves": _moves,
    "look": _look,
    "setup": _set_up,
    "tap": lambda fields: Tap(fields.line, fields.take("tap", values.move)),
    "answer": lambda fields: Answer(fields.line, fields.take("answer", _answer)),
    "press": lambda fields: Press(fields.line, fields.take("press", values.one_of(Pressed))),
    "wait": lambda fields: Wait(fields.line, fields.take("wait", values.seconds)),
    "expect": expected.of_line,
}
_WITH_OTHERS = ("expect", "moves")
"""Beside these, keys that otherwise are lines of their own say more."""
_HEADINGS = {"scene", "game", "players", "options", "enforcement", "expect", "dealt", "seed"}
"""Keys by which a heading is known."""


def _heading(fields: Fields) -> Heading:
    heading = Heading(
        fields.take("scene", values.text, ""),
        fields.take("game", values.text, ""),
        fields.take("players", values.whole),
        fields.take("options", values.options, {}),
        fields.take("enforcement", values.one_of(Enforcement)),
        fields.take("expect", expected.of_heading),
        fields.take("dealt", values.integers, ()),
        fields.take("seed", values.text, ""),
    )
    fields.end()
    return heading


def _table(line: Line, key: str, value: Any) -> Mapping[str, tuple[Piece, ...]]:
    return {
        site: tuple(_piece(line, site, piece) for piece in values.items(line, site, pieces))
        for site, pieces in values.mapping(line, key, value).items()
    }


def _piece(line: Line, site: str, value: Any) -> Piece:
    if isinstance(value, str):
        return Piece(value)
    if not isinstance(value, dict):
        line.wrong(site, notice("scene_a_piece"), value)
    fields = Fields(line, value, "kind")
    kind = fields.take("kind", values.text)
    if kind is None:
        line.fail("scene_kind_missing", site=site)
    piece = Piece(
        kind,
        fields.take("pose", values.text),
        fields.take("face", values.one_of(Face)),
        fields.take("level", values.whole),
        fields.take("seen", values.yes_or_no, True),
        fields.take("count", values.count, 1),
    )
    # Nobody sees from above whose a piece is; it is written where a layout is copied.
    fields.take("owner", values.whole_or_none)
    fields.end()
    return piece


def _strays(line: Line, key: str, value: Any) -> tuple[Stray, ...]:
    return tuple(_stray(line, key, stray) for stray in values.items(line, key, value))


def _stray(line: Line, key: str, value: Any) -> Stray:
    fields = Fields(line, values.mapping(line, key, value), "kind")
    kind, at = fields.take("kind", values.text), fields.take("at", values.point)
    fields.end()
    if kind is None or at is None:
        line.wrong(key, notice("scene_a_stray"), value)
    return Stray(kind, at)


def _answer(line: Line, key: str, value: Any) -> tuple[Move, ...] | None:
    if value == TRUTHFULLY:
        return None
    return values.moves(line, key, value if isinstance(value, list) else [value])


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
    takes = box.sites[site].takes
    back = box.kinds[kind.back] if kind.back else None
    if piece.face is Face.DOWN and back is not None:
        kind = back
    opened = piece.face is Face.UP and back is not None and back.group in takes
    if kind.group not in takes and not opened:
        line.fail("scene_site_takes", site=site, kind=kind.id, takes=takes)
    if piece.pose and piece.pose not in kind.poses:
        poses = hint(piece.pose, kind.poses)
        line.fail("scene_pose_unknown", kind=kind.id, pose=piece.pose, hint=poses)
