"""The play screen: the board and one column of words.

``show`` takes a ``TableView``; what is on the screen follows from it and from what the finger
has picked up. Everything a touch asks for leaves as an intent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.complaints import in_language
from companion.hands import Hand
from companion.journal import JournalError
from companion.ui.boxes import box_of
from companion.ui.choosing import Tile, sections
from companion.ui.scene import scene_of
from companion.ui.screens.hands import hold_cards
from companion.ui.screens.panels import Scribe, listed, panel_of
from companion.ui.style import style
from companion.ui.touching import Ask, Finger, Picked, Play, placeless, sites_of
from companion.ui.troubles import chip_text, note, troubles
from companion.ui.widgets.base import Key, Link, Note, Words
from companion.ui.widgets.board import Board
from companion.ui.widgets.chart import Chart
from companion.ui.widgets.chip import Chip
from companion.ui.widgets.chooser import Chooser
from companion.ui.widgets.kept import KeptWidgets
from companion.ui.widgets.sheet import Column, Sheet
from companion.ui.widgets.tiles import tile_rows
from companion.ui.wording import card_names, clock_text, rule_page, teller_of
from companion.ui.words import _
from companion.view import (
    BoardIsRight,
    CameraIsWrong,
    Enforcement,
    Intent,
    Redo,
    TableState,
    TableView,
    TapMove,
    Undo,
)
from rules.core import Move, ScoreLine

__all__ = ["PlayScreen"]

_CLOCK_S = 20.0
_LEAST_LISTED = 3.3
"""Of a long list of tiles so many rows must be in sight before players' cards get smaller."""


class PlayScreen(FloatLayout):  # type: ignore[misc]
    """Shows one match; ``on_intent`` hears what is asked for.

    ``on_leave``: back to the shelf. ``on_again``: a new match of the same game. ``on_language``
    and ``on_theme`` switch them everywhere; ``on_table_setup``, ``on_workshop`` and ``on_review``
    (with the match's id) open other screens. ``on_export`` writes a match and gives the file.
    ``on_moment`` keeps what is seen and believed now and gives what went wrong, or nothing.
    ``hand``: what only the player on a seat may see. ``embedded``: it is a part of another screen,
    which sets the style's size. What is not given is not offered.
    """

    words_height = NumericProperty(0)
    ground = ObjectProperty()
    frame = ObjectProperty()
    board_area = ObjectProperty()
    words_area = ObjectProperty()
    head = ObjectProperty()
    body = ObjectProperty()
    actions = ObjectProperty()
    foot = ObjectProperty()

    def __init__(
        self,
        on_intent: Callable[[Intent], None],
        *,
        on_leave: Callable[[], None] | None = None,
        on_again: Callable[[], None] | None = None,
        on_language: Callable[[], None] | None = None,
        on_theme: Callable[[], None] | None = None,
        on_table_setup: Callable[[], None] | None = None,
        on_workshop: Callable[[], None] | None = None,
        on_review: Callable[[str], None] | None = None,
        on_moment: Callable[[], str] | None = None,
        on_export: Callable[[str], Path] | None = None,
        hand: Callable[[int], Hand] | None = None,
        embedded: bool = False,
        now_s: Callable[[], float] = time.time,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._on_intent, self._on_leave, self._on_again = on_intent, on_leave, on_again
        self._on_language, self._on_theme, self._now_s = on_language, on_theme, now_s
        self._on_table_setup, self._on_workshop = on_table_setup, on_workshop
        self._on_review, self._on_export, self._hand = on_review, on_export, hand
        self._on_moment = on_moment
        self._embedded = embedded
        # A size given at once would otherwise never be handed on to the children.
        self._trigger_layout()
        self.view: TableView | None = None
        self.finger = Finger()
        self._chosen: tuple[str, ...] = ()
        self._alone: tuple[str, int] | None = None
        """Match and seat of the player who said that he is alone with his secrets."""
        self.chooser: Chooser | None = None
        self.sheet: Sheet | None = None
        self._sheet_maker: Callable[[], Sheet] | None = None
        self._score_lines: tuple[ScoreLine, ...] = ()
        self._history: tuple[tuple[int, ...], ...] = ()
        self._exported = ""
        self._kept, self._foot_kept = KeptWidgets(), KeptWidgets()
        self.board = Board(self._site_touched, ground=self.ground, pos_hint={"x": 0, "y": 0})
        self.board_area.add_widget(self.board)
        self._chip = Chip()
        self._clock_label = Label(halign="right", valign="middle")
        self._clock_label.bind(size=self._clock_label.setter("text_size"))
        self.bind(size=self._resized)
        style.bind(lang=self._again_later, name=self._again_later)
        self._tick = Clock.schedule_interval(self._show_clock, _CLOCK_S)
        self._rebuild = Clock.create_trigger(self._build, -1)

    # -- showing --------------------------------------------------------------------------

    def show(
        self,
        view: TableView,
        score_lines: tuple[ScoreLine, ...] = (),
        history: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        """Show ``view``; at the end of a match ``score_lines`` explain its points, and
        ``history`` is how they went: by seat, before the first move and after each."""
        before, self.view, self._score_lines = self.view, view, score_lines
        self._history = history
        self.finger.learn(view)
        if before is None or before.ply != view.ply or before.match_id != view.match_id:
            self._let_go()
            if self.sheet is not None:
                self.close_sheet()
        if not view.secret or _mover(view) != self._alone:
            self._alone = None
        if before is None or before.state is not view.state:
            self.close_chooser()
        self._build()

    def _resized(self, *_: Any) -> None:
        if not self._embedded:
            style.use_size(self.width, self.height)
        self._rebuild()

    def _again_later(self, *_: Any) -> None:
        self._rebuild()

    def _build(self, *_: Any) -> None:
        view = self.view
        if view is None or self.width < style.target:
            return
        landscape = self.width > self.height
        part = 0.57 if view.outcome is None else 0.7
        self.words_height = self.height if landscape else round(self.height * part)
        width = (style.column + 2 * style.margin if landscape else self.width) - 2 * style.margin
        self._build_head(view)
        self._build_foot(view, width)
        tiles: list[Widget] = []
        if not self.covered:
            teller = teller_of(view, style.lang)
            room = width - style.gap
            tiles = listed(view, box_of(view), teller, self._chosen, room, self._tile_touched)
        for density in range(7):
            self._kept.begin()
            panel = panel_of(self._scribe(view, width, density, tiles))
            spacing = style.gap_s if density else style.gap
            rows = [*panel.rows, *panel.listing[:1]]
            wanted = sum(row.height for row in panel.rows) + spacing * (len(rows) - 1)
            tiled = sum(row.height + style.gap_s for row in panel.listing) - style.gap_s
            lines = len(panel.actions)
            keys = lines * style.button + max(lines - 1, 0) * style.gap_s
            fixed = style.gap_l * 3 + style.gap + keys + style.target
            room = self.words_height - fixed - style.gap_s - wanted
            if room >= (min(tiled, style.target * _LEAST_LISTED) if panel.listing else 0):
                break
        if panel.listing:
            height = max(min(tiled, room), style.target)
            column = Column(panel.listing, style.gap_s, listing=True, height=height)
            column.size_hint_y = None
            panel.rows.insert(panel.listed_after, column)
        self.body.clear_widgets()
        self.body.add_widget(Column(panel.rows, spacing, pos_hint={"x": 0, "y": 0}))
        self.actions.clear_widgets()
        for keys_row in panel.actions:
            line = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=style.button)
            for key in keys_row:
                line.add_widget(key)
            self.actions.add_widget(line)
        self._kept.end()
        self._show_scene()
        if self._sheet_maker is not None:
            self._open_sheet(self._sheet_maker)

    def _scribe(self, view: TableView, width: float, density: int, tiles: list[Widget]) -> Scribe:
        return Scribe(
            view=view, box=box_of(view), teller=teller_of(view, style.lang), width=width,
            density=density, picked=self.finger.picked, score_lines=self._score_lines,
            post=self._post, pick_kind=self._kind_touched, open_rule=self.open_rule,
            open_moves=self.open_moves, again=self._again, tiles=tiles,
            covered=self.covered, uncover=self._uncover, history=self._history,
            review=self._review if self._on_review is not None else None,
            export=self._export if self._on_export is not None else None,
            exported=self._exported, open_chart=self.open_chart, kept=self._kept,
        )  # fmt: skip

    def _show_scene(self) -> None:
        if self.view is not None:
            # Where the next piece may go would tell what is in the hand.
            view = replace(self.view, legal=(), hints=()) if self.covered else self.view
            scene = scene_of(view, self.finger.picked)
            self.board.show(replace(scene, names=card_names(self.view, style.lang)))

    def _build_head(self, view: TableView) -> None:
        self.head.clear_widgets()
        told = chip_text(view, teller_of(view, style.lang).text("state", view.state.value))
        if view.outcome is not None:
            told = _("Match over")
        state = view.state if view.outcome is None else TableState.SETTLED
        self._chip.show(state, told)
        self._clock_label.font_size = style.type_xs
        self._clock_label.color = style.ash
        self.head.add_widget(self._chip)
        self.head.add_widget(self._clock_label)
        self._show_clock()

    def _show_clock(self, *_: Any) -> None:
        if self.view is not None:
            self._clock_label.text = clock_text(self.view, self._now_s())

    def _build_foot(self, view: TableView, width: float) -> None:
        self.foot.clear_widgets()
        self._foot_kept.begin()
        menu = self._link(_("Menu"), self.open_menu, "☰", {"x": 0, "y": 0})
        self.foot.add_widget(menu)
        missing = note(view) if view.outcome is None else ""
        if missing and view.state is not TableState.ILLEGAL:
            room = width - menu.width - style.gap_l
            remark = Note(missing, self.open_troubles, room, pos_hint={"right": 1, "y": 0})
            self.foot.add_widget(remark)
        elif view.state is TableState.ILLEGAL:
            text = _("Mode: {mode}").format(mode=_mode(view.enforcement))
            mode = Words(text, font_size=style.type_xs, color=style.ash, halign="right")
            mode.size_hint_x = 0.72
            mode.pos_hint = {"right": 1, "center_y": 0.5}
            self.foot.add_widget(mode)
        elif self._alone is not None:
            right = {"right": 1, "y": 0}
            self.foot.add_widget(self._link(_("Hide"), self._cover, "◌", right))
        elif view.physical and not self._embedded and view.outcome is None and view.state not in (
            TableState.AMBIGUOUS, TableState.DESYNC, TableState.PROPOSED,
        ):  # fmt: skip
            wrong, right = partial(self._post, CameraIsWrong()), {"right": 1, "y": 0}
            self.foot.add_widget(self._link(_("Camera wrong?"), wrong, "", right))
        self._foot_kept.end()

    def _link(
        self, text: str, press: Callable[[], None], symbol: str, place: Mapping[str, float]
    ) -> Any:
        def make() -> Any:
            to_right = "right" in place
            return Link(text, press, symbol=symbol, to_right=to_right, pos_hint=dict(place))

        return self._foot_kept.give(text, make)

    # -- touching -------------------------------------------------------------------------

    def _post(self, intent: Intent) -> None:
        self._let_go()
        self.close_sheet()
        self._on_intent(intent)

    def _let_go(self) -> None:
        self.finger.clear()
        self._chosen = ()
        self.close_chooser()

    def _tile_touched(self, tile: Tile) -> None:
        if tile.moves and tile.move is not None:
            self._post(TapMove(tile.move.text))
            return
        self._chosen = tile.chosen if tile.moves else ()
        self._build()

    @property
    def covered(self) -> bool:
        """Whether the moves are one player's secret, and he has not said that he is there."""
        view = self.view
        return view is not None and view.secret and self._alone is None

    def _uncover(self) -> None:
        if self.view is not None:
            self._alone = _mover(self.view)
            self._build()

    def _cover(self) -> None:
        self._alone = None
        self._let_go()
        self._build()

    def _again(self) -> None:
        if self._on_again is not None:
            self._on_again()

    def _review(self) -> None:
        if self._on_review is not None and self.view is not None:
            self._on_review(self.view.match_id)

    def _export(self) -> None:
        """Write the match down for others, and say where it is."""
        assert self._on_export is not None and self.view is not None
        try:
            path = self._on_export(self.view.match_id)
        except JournalError as error:
            self._exported = in_language(str(error), style.lang)
        else:
            told = _("Saved as {name} in {folder}.")
            self._exported = told.format(name=path.name, folder=path.parent)
        self._open_sheet(self._export_sheet)

    def _site_touched(self, site: str) -> None:
        view = self.view
        if view is None or view.outcome is not None or self.covered:
            return
        self.close_chooser()
        match self.finger.touch_site(view, box_of(view), site):
            case Play(move):
                self._post(TapMove(move))
            case Ask(moves, at):
                self._open_chooser(moves, at)
                self._show_scene()
            case Picked():
                self._show_scene()

    def _kind_touched(self, kind: str) -> None:
        if self.view is None:
            return
        self.close_chooser()
        self.finger.touch_kind(self.view, kind)
        self._build()

    def _open_chooser(self, moves: tuple[Move, ...], site: str) -> None:
        view, area = self.view, self.board_area
        assert view is not None
        teller = teller_of(view, style.lang)
        name = teller.site(site)
        title = _("{site}: which one?").format(site=name[:1].upper() + name[1:])
        edge = style.gap_s
        width = min(area.width - 2 * edge, style.target * 8.4)
        chooser = Chooser(
            view, box_of(view), moves, title, teller.move,
            lambda move: self._post(TapMove(move.text)), self._drop, width, area.height * 0.6,
        )  # fmt: skip
        x, y = self.board.centre_of(site)
        left = min(max(x - chooser.width / 2, area.x + edge), area.right - edge - chooser.width)
        away = style.target * 0.75
        bottom = y - away - chooser.height
        if bottom < area.y + edge:
            bottom = min(y + away, area.top - edge - chooser.height)
        chooser.pos = (left, bottom)
        self.chooser = chooser
        self.board_area.add_widget(chooser)

    def _drop(self) -> None:
        self._let_go()
        self._build()

    def close_chooser(self) -> None:
        """Take the card with choices away."""
        if self.chooser is not None:
            self.board_area.remove_widget(self.chooser)
        self.chooser = None

    # -- sheets ---------------------------------------------------------------------------

    def open_rule(self, rule: str) -> None:
        """Show a rule's page over the words."""
        self._open_sheet(partial(self._rule_sheet, rule))

    def open_moves(self) -> None:
        """List the moves that no touch on the board can say."""
        self._open_sheet(self._moves_sheet)

    def open_menu(self) -> None:
        """Corrections, rules, language, theme and the way out."""
        self._open_sheet(self._menu_sheet)

    def open_chart(self) -> None:
        """Show how the points went, as large as there is room."""
        self._open_sheet(self._chart_sheet)

    def open_hands(self) -> None:
        """Offer every player to look at what only he may see."""
        self._open_sheet(self._hands_sheet)

    def open_troubles(self) -> None:
        """Say what is missing at the table and what to do."""
        self._open_sheet(self._troubles_sheet)

    def close_sheet(self) -> None:
        """Back to the words below."""
        if self.sheet is not None:
            self.words_area.remove_widget(self.sheet)
        self.sheet = self._sheet_maker = None

    def _open_sheet(self, make: Callable[[], Sheet]) -> None:
        self.close_sheet()
        self.sheet, self._sheet_maker = make(), make
        self.sheet.pos = self.words_area.pos
        self.words_area.add_widget(self.sheet)

    def _sheet(self, title: str, rows: Callable[[float], list[Widget]]) -> Sheet:
        return Sheet(title, rows, _("Back"), self.close_sheet)

    def _rule_sheet(self, rule: str) -> Sheet:
        assert self.view is not None
        page = rule_page(teller_of(self.view, style.lang), rule)
        if page is None:
            return self._sheet(f"§ {rule}", lambda _width: [])

        def rows(width: float) -> list[Widget]:
            number = Words(f"§ {page.rule}", font_size=style.type_xs, color=style.ash, width=width)
            paragraphs = page.text.split("\n")
            return [number, *(Words(p, font_size=style.type_s, width=width) for p in paragraphs)]

        return self._sheet(page.title, rows)

    def _pages_sheet(self) -> Sheet:
        assert self.view is not None
        pages = teller_of(self.view, style.lang).pages

        def rows(_width: float) -> list[Widget]:
            return [
                Key(page.title, partial(self.open_rule, page.rule), height=style.target)
                for page in pages
            ]

        return self._sheet(_("Rules"), rows)

    def _moves_sheet(self) -> Sheet:
        view = self.view
        assert view is not None
        teller = teller_of(view, style.lang)
        more = () if self.covered else placeless(view, box_of(view))

        def rows(width: float) -> list[Widget]:
            return tile_rows(sections(more, teller, self._chosen), width, self._tile_touched)

        more_at_sites = any(sites_of(move, box_of(view)) for move in view.legal)
        title = _("More moves") if more_at_sites else _("Choose")
        return self._sheet(title, rows)

    def _export_sheet(self) -> Sheet:
        def rows(width: float) -> list[Widget]:
            return [Words(self._exported, width=width)]

        return self._sheet(_("Export"), rows)

    def _chart_sheet(self) -> Sheet:
        view = self.view
        assert view is not None
        names = teller_of(view, style.lang).names

        def rows(width: float) -> list[Widget]:
            return [Chart(self._history, names, height=min(width * 0.9, self.words_height * 0.5))]

        return self._sheet(_("The score over time"), rows)

    def _hands_sheet(self) -> Sheet:
        view, hand = self.view, self._hand
        assert view is not None and hand is not None
        teller = teller_of(view, style.lang)
        room = self.words_height - 2 * style.gap_l - 3 * style.gap - style.button - style.type_l
        return self._sheet(
            _("Secret things"), lambda width: hold_cards(view, teller, hand, width, room)
        )

    def _troubles_sheet(self) -> Sheet:
        view = self.view
        assert view is not None

        def rows(width: float) -> list[Widget]:
            calm = _("The match goes on; everything can be tapped.")
            found = troubles(view)
            # Several of them shall be seen together.
            size = style.type_s if len(found) < 2 else style.type_xs
            told: list[Widget] = [Words(calm, width=width, font_size=size)]
            for trouble in found:
                told.append(Widget(size_hint_y=None, height=style.grid if len(found) < 2 else 1))
                told.append(Words(trouble.title, bold=True, width=width, font_size=size))
                told.append(Words(trouble.text, color=style.ash, width=width, font_size=size))
                told += [
                    _menu_key(text, "", partial(self._post, ask)) for text, ask in trouble.answers
                ]
            return told

        return self._sheet(_("What is missing"), rows)

    def _menu_sheet(self) -> Sheet:
        view = self.view
        assert view is not None

        def rows(_width: float) -> list[Widget]:
            undo = self._item(_("Undo"), "↺", Undo(), view.can_undo)
            redo = self._item(_("Redo"), "↻", Redo(), view.can_redo)
            keys = [_side_by_side(undo, redo)]
            if view.state is not TableState.BLIND and not self._embedded:
                wrong = self._item(_("Camera is wrong"), "◎", CameraIsWrong())
                keys.append(
                    _side_by_side(wrong, self._item(_("Board is right"), "✓", BoardIsRight()))
                )
            rules = _menu_key(_("Rules"), "§", partial(self._open_sheet, self._pages_sheet))
            looks = [rules]
            if self._on_review is not None:
                looks.append(_menu_key(_("Review"), "◷", self._review))
            keys.append(_side_by_side(*looks))
            if self._hand is not None and any(self._hand(s) for s in range(view.players)):
                keys.append(_menu_key(_("Secret things"), "◉", self.open_hands))
            switches = []
            if self._on_language is not None:
                switches.append(_menu_key(_("Switch language"), "", self._on_language))
            if self._on_theme is not None:
                switches.append(_menu_key(_("Theme"), "◐", self._on_theme))
            if switches:
                keys.append(_side_by_side(*switches))
            table = []
            if self._on_table_setup is not None:
                table.append(_menu_key(_("Check the table"), "", self._on_table_setup))
            if self._on_workshop is not None:
                table.append(_menu_key(_("Workshop"), "", self._on_workshop))
            if table:
                keys.append(_side_by_side(*table))
            ways = []
            if self._on_moment is not None:
                ways.append(_menu_key(_("Keep moment"), "", self._remember))
            if self._on_leave is not None:
                ways.append(_menu_key(_("To the shelf"), "⌂", self._on_leave))
            if ways:
                keys.append(_side_by_side(*ways))
            return keys

        return self._sheet(_("Menu"), rows)

    def _remember(self) -> None:
        """Keep what the camera sees and believes now, for a problem report."""
        assert self._on_moment is not None
        trouble = self._on_moment()

        def rows(width: float) -> list[Widget]:
            if trouble:
                return [Words(trouble, width=width)]
            text = _(
                "Pictures and beliefs of this moment go into the next problem report, which the "
                "workshop writes."
            )
            return [Words(text, width=width)]

        title = _("It could not be remembered") if trouble else _("It is remembered")
        self._open_sheet(lambda: self._sheet(title, rows))

    def _item(self, text: str, symbol: str, intent: Intent, able: bool = True) -> Any:
        key = _menu_key(text, symbol, partial(self._post, intent))
        key.disabled = not able
        return key

    def leave(self) -> None:
        """Stop the screen's clocks; it is not shown any more."""
        self._tick.cancel()
        style.unbind(lang=self._again_later, name=self._again_later)


def _mover(view: TableView) -> tuple[str, int] | None:
    """Match and seat of the player to move."""
    prompt = view.prompt
    if prompt is None or prompt.player is None:
        return None
    return (view.match_id, prompt.player)


def _menu_key(text: str, symbol: str, press: Callable[[], None]) -> Any:
    return Key(text, press, symbol=symbol, height=style.target)


def _side_by_side(*keys: Any) -> Any:
    line = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=style.target)
    for key in keys:
        line.add_widget(key)
    return line


def _mode(enforcement: Enforcement) -> str:
    return {
        Enforcement.OFF: _("only score"),
        Enforcement.ADVISE: _("advise"),
        Enforcement.ENFORCE: _("apply rules"),
        Enforcement.PENALISE: _("penalise"),
    }[enforcement]


Builder.load_file(str(files("companion.ui.screens") / "play.kv"))
