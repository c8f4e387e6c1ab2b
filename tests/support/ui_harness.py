"""A table without a session, fingers, and an eye for clipped words: what the screen tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from companion.journal.fold import Played
from companion.match.hands import Hand, answers_of, hand_of, keeps_secrets, places_of
from companion.match.lookahead import MoveLookahead
from companion.match.looking_back.history import score_history
from companion.match.public_log import last_turn_of
from companion.match.table_view import previews_of
from companion.match.view import Intent, PlayMove, PlayMoves, Redo, TableState, TableView, Undo
from companion.settings.enforcement import Enforcement
from companion.settings.preferences import Preferences
from rules.box import load_box
from rules.core import Actor, ScoreLine
from rules.match import Match
from tests.support.sweep import widely
from tests.support.waiting import PATIENCE_S, until

SIZES = ((800, 480), (720, 1280))
LANGS = ("de", "en")


def places(shapes: Sequence[tuple[int, int]] = SIZES) -> list[Any]:
    """Sizes and languages, for fixtures."""
    return [
        pytest.param(found.values, marks=found.marks, id=f"{found.values[1]}-{found.values[0][0]}")
        for found in widely(shapes, LANGS, most=1)
    ]


PLACES = places()
GAME = "knizia_stonehenge"


def need_screen() -> None:
    """Skip the test if nothing can be drawn on this machine; from here on nothing is drawn.

    Software takes most of its time for drawing. Layouts, textures and touches are as ever; what is
    to be seen is written by ``snapshot``, or drawn for a while with ``drawn``.
    """
    from companion.support.screen import NoScreenError
    from companion.ui.offscreen import open_window

    try:
        window = open_window(SIZES[0])
    except (NoScreenError, ImportError, SystemExit) as error:
        pytest.skip(f"no GL surface can be opened here: {error}")
    _draw_nothing(window)


def _draw_nothing(window: Any) -> None:
    window.unbind(on_draw=_swallow, on_flip=_swallow)
    window.bind(on_draw=_swallow, on_flip=_swallow)


def _swallow(*_: Any) -> bool:
    return True


class OnScreen:
    """A screen alone in the window, of one size and in one language; nothing moves by itself."""

    def __init__(
        self, size: tuple[int, int] = SIZES[0], lang: str = "de", *, text: str = "normal",
        theme: str = "night",
    ) -> None:  # fmt: skip
        need_screen()
        from companion.ui.offscreen import open_still_window
        from companion.ui.theme.style import style

        # The style is one for the whole process, and other tests leave it at their own size.
        self.window: Any = open_still_window(size, lang, text=text)
        style.use_theme(theme)
        self.size, self.lang = size, lang
        self.screen: Any = None

    @property
    def room(self) -> dict[str, Any]:
        """The size as a screen takes it when it is made."""
        return {"size_hint": (None, None), "size": self.size}

    def put(self, screen: Any, frames: int = 4) -> Any:
        """Show a screen in place of the one before; returns it."""
        self._leave_screen()
        self.screen = screen
        self.window.add_widget(screen)
        tick(frames)
        return screen

    def press(self, text: str) -> None:
        """Touch the key with this word or sign."""
        tap_on(key(self.screen, text))
        tick(2)

    @property
    def texts(self) -> str:
        """All words on the screen."""
        return texts(self.screen)

    def faults(self) -> list[str]:
        """Faults of setting, and keys that are too small."""
        tick(3)
        return badly_set(self.screen) + too_small(self.screen)

    def close(self) -> None:
        """Leave the screen, if there is one."""
        from companion.ui.theme.style import style

        self._leave_screen()
        style.use(still(style.lang))

    def _leave_screen(self) -> None:
        if self.screen is not None:
            self.screen.leave()
            self.window.remove_widget(self.screen)
            self.screen = None


def still(lang: str) -> Preferences:
    """Screens in ``lang`` on which nothing moves by itself."""
    return msgspec.convert({"lang": lang, "animations": False}, Preferences)


def tick(frames: int = 3) -> None:
    """Runs frames."""
    from companion.ui.offscreen import tick as pass_frames

    pass_frames(frames)


def pass_seconds(seconds: float) -> None:
    """Lets so much time pass at once for all that is scheduled between frames.

    Their clock stays ahead afterwards: whatever waits for it would stand still if it went back.
    """
    from kivy.clock import Clock

    own = _own_time()
    _SKIPPED.append(seconds)
    ahead = sum(_SKIPPED)
    Clock.time = lambda: own() + ahead
    tick(2)


_SKIPPED: list[float] = []


@cache
def _own_time() -> Callable[[], float]:
    from kivy.clock import Clock

    own: Callable[[], float] = Clock.time
    return own


def frames_until(done: Callable[[], bool], what: str) -> None:
    """Lets frames pass until something holds; the test fails if it never does."""

    def seen() -> bool:
        tick(1)
        return done()

    assert done() or until(seen), f"not within {PATIENCE_S:.0f} s: {what}"


@contextmanager
def drawn() -> Iterator[None]:
    """The window is drawn meanwhile, as on a table."""
    from kivy.core.window import Window

    Window.unbind(on_draw=_swallow, on_flip=_swallow)
    Window.canvas.ask_update()
    try:
        tick(1)
        yield
    finally:
        _draw_nothing(Window)


def view_of(match: Match, state: TableState = TableState.SETTLED, **changes: Any) -> TableView:
    """View that a session would show of ``match``."""
    box = load_box(match.game.box)
    last = match.log[-1].move if match.log else None
    values: dict[str, Any] = {
        "match_id": "test",
        "game": match.game.id,
        "box": match.game.box,
        "players": match.players,
        "options": match.options,
        "physical": match.physical,
        "names": ("",) * match.players,
        "colours": match.colours,
        "state": state,
        "blind_reason": "",
        "prompt": match.prompt,
        "scores": match.scores,
        "counts_points": match.game.counts_points,
        "supplies": tuple(match.state.supply(s) for s in range(match.players)),
        "items": tuple(match.layout.elements()),
        "ledger": match.state.ledger(),
        "market": match.game.touch.market(match.state),
        "pad": match.game.touch.pad(match.state),
        "throw": match.state.throw(),
        "legal": answers_of(match.legal_moves(), match),
        "hints": (),
        "usual": match.game.touch.usual(match.state, match.legal_moves()),
        "may_deal": match.physical and match.game.touch.may_deal(match.state),
        "spread": match.game.touch.spread(match.state),
        "ahead": MoveLookahead(match.clone()),
        "places": places_of(match, match.legal_moves()),
        "standings": tuple(
            match.game.touch.standing(match.state, seat) for seat in range(match.players)
        ),
        "told": tuple(entry.move for entry in match.log),
        "last": last,
        "last_sites": tuple(a for a in last.args if a in box.sites) if last else (),
        "last_turn": last_turn_of(match, _played(match), [entry.move for entry in match.log]),
        "ply": match.ply,
        "turn": match.ply // 2 + 1,
        "started_s": 0.0,
        "can_undo": match.ply > 0,
        "can_redo": bool(match.undone),
        "enforcement": Enforcement.ENFORCE,
        "outcome": match.outcome,
        "secret": keeps_secrets(match),
    }
    if "candidates" in changes:
        changes.setdefault("previews", previews_of(match, changes["candidates"]))
    return TableView(**(values | changes))


def _played(match: Match) -> list[Played]:
    """The moves as a journal would know them."""
    walk, played = match.beginning(), []
    for entry in match.log:
        prompt = walk.prompt()
        asked = None if prompt is None or prompt.actor is not Actor.PLAYER else prompt.player
        turn = None if asked is None else walk.turn_of()
        chance = asked is None
        played.append(Played(entry, entry.move, (), asked, chance, (), reveals=False, turn=turn))
        walk.apply(entry.move)
    return played


class FakeTable:
    """A ``TablePort`` that plays every intent at once."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.intents: list[Intent] = []
        self.view: TableView | None = view_of(match)
        self._listeners: list[Callable[[TableView], None]] = []

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        return tuple(self.match.state.explain_scores())

    @property
    def score_history(self) -> tuple[tuple[int, ...], ...]:
        return score_history(self.match)

    def hand(self, seat: int) -> Hand:
        return hand_of(self.match, seat)

    def post(self, intent: Intent) -> None:
        self.intents.append(intent)
        changes: dict[str, Any] = {}
        state = TableState.SETTLED
        match intent:
            case PlayMove(move):
                objections = self.match.why_not(move)
                if objections:
                    state = TableState.ILLEGAL if self.match.physical else TableState.SETTLED
                    changes = {"objections": tuple(objections), "refused": move}
                else:
                    self.match.push(move)
            case PlayMoves(moves):
                for move in moves:
                    self.match.push(move)
            case Undo(count):
                for _again in range(count):
                    self.match.pop()
            case Redo():
                self.match.redo()
        self.send(view_of(self.match, state, **changes))

    def send(self, view: TableView) -> None:
        self.view = view
        for listener in self._listeners:
            listener(view)

    def settle(self, timeout_s: float) -> bool:
        return True

    def subscribe(self, callback: Callable[[TableView], None]) -> Callable[[], None]:
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback)


def tap(x: float, y: float) -> None:
    """One finger, down and up at (x, y) px of the window."""
    from kivy.tests.common import UnitTestTouch

    touch = UnitTestTouch(x, y)
    touch.touch_down()
    tick(1)
    touch.touch_up()
    tick(2)


def touch_place(board: Any, site: str, touch: Callable[[float, float], object] = tap) -> None:
    """Touch a place of the board as a finger does: where places are close to each other the first
    touch enlarges what lies around it, and a touch of nothing shows all again."""
    if board.enlarged and not board.plan.shows(board.scene.box.sites[site]):
        touch(*board.to_window(*_bare(board)))
    enlarged = board.enlarged
    touch(*board.to_window(*board.centre_of(site)))
    if board.enlarged and not enlarged:
        touch(*board.to_window(*board.centre_of(site)))


def _bare(board: Any) -> tuple[float, float]:
    """A point of the board where nothing is, as far as a finger is concerned."""
    from companion.ui.theme.style import style

    steps = [(number + 0.5) / 24 for number in range(24)]
    spots = [(board.x + a * board.width, board.y + b * board.height) for a in steps for b in steps]
    return next(
        at for at in spots
        if board.plan.site_at(at, style.target, style.gap_s, board.lights) is None
    )  # fmt: skip


def tap_on(widget: Any) -> None:
    """Touch the middle of a widget, scrolled to if it is in a list; the test fails if it is out of
    sight all the same."""
    from kivy.uix.scrollview import ScrollView

    for frame in list(_above(widget)):
        if isinstance(frame, ScrollView) and not _within(widget, frame):
            frame.scroll_to(widget, animate=False)
            tick(2)
    x, y = widget.to_window(*widget.center)
    width, height = widget.get_root_window().size
    cut = [f for f in _above(widget) if isinstance(f, ScrollView) and not _within(widget, f)]
    if cut or not (0 <= x <= width and 0 <= y <= height):
        raise AssertionError(f"'{getattr(widget, 'text', widget)}' is out of sight")
    tap(x, y)


def _above(widget: Any) -> Iterator[Any]:
    """The widgets in which a widget is, from the inside."""
    above = widget.parent
    while above is not None and above.parent is not above:
        yield above
        above = above.parent


def _within(widget: Any, frame: Any) -> bool:
    """True if the middle of a widget lies within a frame that may cut it off."""
    x, y = widget.to_window(*widget.center)
    left, low = frame.to_window(*frame.pos)
    return bool(left <= x <= left + frame.width and low <= y <= low + frame.height)


def walk(widget: Any) -> Iterator[Any]:
    """A widget and everything below it."""
    yield widget
    for child in widget.children:
        yield from walk(child)


def labels(widget: Any) -> list[Any]:
    """Every label with words below ``widget``."""
    from companion.ui.widgets.base import Letters

    return [w for w in walk(widget) if isinstance(w, Letters) and w.text]


def texts(widget: Any) -> str:
    """All words below ``widget``, for asking whether something is said."""
    return " | ".join(label.text for label in labels(widget))


def key(widget: Any, text: str) -> Any:
    """The button with this word or sign; the test fails if there is none."""
    from companion.ui.widgets.base import Key, Link

    for found in walk(widget):
        if isinstance(found, Key | Link) and text in (found.text, getattr(found, "symbol", "")):
            return found
    raise AssertionError(f"there is no button '{text}' among: {texts(widget)}")


_LEAST_NARROWED = 0.85


def badly_set(screen: Any) -> list[str]:
    """Words that are clipped, outside the screen or printed over each other."""
    from companion.ui.widgets.sheet import Column

    problems: list[str] = []
    boxes: list[tuple[bool, str, float, float, float, float]] = []
    sheet = getattr(screen, "sheet", None)
    above = set() if sheet is None else {id(part) for part in walk(sheet)}
    for label in labels(screen):
        if _scrolled_away(label) or _below_a_sheet(label, screen):
            continue
        width, height = label.extent
        narrowed = getattr(label, "narrowed", 1.0)
        width *= narrowed
        x, y = label.to_window(label.center_x - width / 2, label.center_y - height / 2)
        words = label.text[:40]
        if narrowed < _LEAST_NARROWED:
            problems.append(f"'{words}' is drawn narrow")
        if width > label.width + 1.5 or height > label.height + 1.5:
            problems.append(f"'{words}' needs {width}×{height}, has {label.size}")
        if x < -1 or y < -1 or x + width > screen.width + 1 or y + height > screen.height + 1:
            problems.append(f"'{words}' leaves the screen at {x:.0f}, {y:.0f}")
        boxes.append((id(label) in above, words, x, y, x + width, y + height))
    for number, (layer, one, l1, b1, r1, t1) in enumerate(boxes):
        for other_layer, other, l2, b2, r2, t2 in boxes[number + 1 :]:
            if other_layer is not layer:
                # A sheet covers what is below it.
                continue
            # Line boxes carry air above and below the letters, so a little may be shared.
            if min(r1, r2) - max(l1, l2) > 2 and min(t1, t2) - max(b1, b2) > 4:
                problems.append(f"'{one}' and '{other}' overlap")
    for column in (w for w in walk(screen) if isinstance(w, Column)):
        if column.inner.height > column.height + 1 and not column.listing:
            problems.append(f"words need {column.inner.height:.0f} px, have {column.height:.0f}")
    return problems


def _below_a_sheet(label: Any, screen: Any) -> bool:
    """True if a sheet lies over a label."""
    sheet = getattr(screen, "sheet", None)
    if sheet is None or any(w is label for w in walk(sheet)):
        return False
    x, y = label.to_window(*label.center)
    left, low = sheet.to_window(*sheet.pos)
    return bool(left <= x <= left + sheet.width and low <= y <= low + sheet.height)


def _scrolled_away(label: Any) -> bool:
    """True if a label of a list that scrolls is not in view now, or only in part."""
    from companion.ui.widgets.sheet import Column
    from companion.ui.widgets.sideways import Sideways

    above = label.parent
    while above is not None and above.parent is not above:
        if isinstance(above, Column) and above.listing and above.scroll is not None:
            _x, low = label.to_window(label.x, label.y)
            _x, floor = above.to_window(above.x, above.y)
            return bool(low < floor or low + label.height > floor + above.height)
        if isinstance(above, Sideways) and above.scroll is not None:
            left, _y = label.to_window(label.x, label.y)
            edge, _y = above.to_window(above.x, above.y)
            return bool(left < edge or left + label.width > edge + above.width)
        above = above.parent
    return False


def too_small(screen: Any) -> list[str]:
    """Buttons below the smallest size a finger can hit."""
    from companion.ui.theme.style import style
    from companion.ui.widgets.base import Key, Link

    return [
        f"'{w.text}' is {w.width:.0f}×{w.height:.0f}"
        for w in walk(screen)
        if isinstance(w, Key | Link) and min(w.size) < style.target - 0.5
    ]


def finish(match: Match) -> Match:
    """Plays a match of Stonehenge to its end, the same every time."""
    chance = Random(4)
    while match.outcome is None:
        claims = [m for m in match.legal_moves() if m.verb == "claim"]
        match.push(chance.choice(claims or match.legal_moves()))
    return match
