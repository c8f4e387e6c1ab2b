"""Looking back at a match: move by move, “what if”, and putting a wrong entry right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.journal.entries import JournalError
from companion.match.looking_back.history import Amendment, Ply, Recording
from companion.match.looking_back.library import Branch, correction
from companion.match.view import Intent, PlayMove, TableView
from companion.presentation.choosing import Tile
from companion.presentation.scene import scene_of
from companion.presentation.touching import Picked
from companion.presentation.words.sentences import card_names, teller_of
from companion.presentation.words.translate import _
from companion.ui.drawing.board import Board
from companion.ui.drawing.chart import Scrubber
from companion.ui.screens.looking_back.trial_table import TrialTable
from companion.ui.screens.looking_back.turning import TurningPage
from companion.ui.screens.looking_back.words import (
    amendment_rows,
    move_rows,
    scores_block,
    when,
)
from companion.ui.screens.play.ledger_desk import piles_beside
from companion.ui.shell import Shell, TablePort
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Link, Words, fit_one_line
from companion.ui.widgets.page import GroundedPage, Span
from companion.ui.widgets.rows import built, framed
from companion.ui.widgets.sheet import Column, Sheet
from companion.ui.widgets.tiles import TileGrid
from rules.core import GameError
from rules.errors import sentence_of
from rules.games import find_game
from rules.match import Entry
from rules.players.analysis import can_be_judged
from rules.players.analysis_result import why_it_turned
from rules.telling import Teller


class ReviewScreen(GroundedPage):
    """One match of the library; ``on_play`` hears of a table to be shown (go on playing)."""

    def __init__(
        self,
        shell: Shell,
        match_id: str,
        on_leave: Callable[[], None],
        *,
        on_play: Callable[[TablePort], None] | None = None,
        on_export: Callable[[str], None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._trigger_layout()
        self._shell, self._match_id = shell, match_id
        self._on_leave, self._on_play, self._on_export = on_leave, on_play, on_export
        self.recording: Recording | None = None
        self._whole: Any = None
        """The match after its last move."""
        self.trouble = ""
        """Reason why the match cannot be shown, or a step failed, as a sentence."""
        self.ply = 0
        self.told = ""
        """Report on the last correction."""
        self.trial: TrialTable | None = None
        """The table inside, while something is tried out or corrected."""
        self.turning: TurningPage | None = None
        """The page of all players' chances over time, while it is shown."""
        self.sheet: Sheet | None = None
        self._before: tuple[int, tuple[Entry, ...]] | None = None
        """Move and old record of the last correction, to undo it."""
        self._board: Any = None
        self._piles: Any = None
        self._slider: Any = None
        self._words: Any = None
        self._load()
        self.page.bind(size=self._resized)
        style.bind(lang=self._build, name=self._build)

    # -- what touches do ------------------------------------------------------------------

    def go_to(self, ply: int) -> None:
        """Show the table after ``ply`` moves."""
        if self.recording is None:
            return
        self.ply = max(0, min(ply, len(self.recording)))
        self._close_sheet()
        self._show_ply()

    def what_if(self) -> None:
        """Play on from here in a copy."""
        if self.recording is not None:
            self._show_table(correcting=False)

    def correct(self) -> None:
        """Enter by touch what was really played instead of the move shown."""
        if self.recording is not None and self.ply:
            self._show_table(correcting=True)

    def show_chances(self) -> None:
        """Show where the match was won and lost."""
        if self.recording is None:
            return
        self._close_sheet()
        self.page.clear_widgets()
        self.told = self.trouble = ""
        place = {"size_hint": (None, None), "size": (self.width, self.height), "pos": (0, 0)}
        self.turning = TurningPage(
            self.recording, self._shell.library.judging, self.ply, self._go_from_chances,
            self.back_to_record, **place,
        )  # fmt: skip
        self.page.add_widget(self.turning)

    def back_to_record(self) -> None:
        """Forget what was tried; the record is as it was."""
        self._drop_table()
        self._build()

    def accept(self, amendment: Amendment) -> None:
        """Take a correction into the record."""
        assert self.recording is not None
        old = self.recording.entries[amendment.ply - 1 :]
        self._amend(amendment.ply, amendment.entries)
        if not self.trouble:
            self._before = (amendment.ply, old)
            self.told = _("looking_back.corrected_the_old_entry")
        self.go_to(amendment.ply)
        self._build()

    def undo(self) -> None:
        """Take the last correction back, by another one."""
        if self._before is None:
            return
        ply, old = self._before
        self._amend(ply, old)
        if not self.trouble:
            self._before = None
            self.told = _("looking_back.the_correction_was_taken_back")
        self.go_to(ply)
        self._build()

    def leave(self) -> None:
        """The screen is no longer shown."""
        self._drop_table()
        style.unbind(lang=self._build, name=self._build)

    # -- the match ------------------------------------------------------------------------

    def _load(self) -> None:
        try:
            self.recording = self._shell.library.recording(self._match_id)
            self.ply = min(self.ply or len(self.recording), len(self.recording))
            self._whole = self.recording.match_at(len(self.recording))
        except JournalError as error:
            self.recording = None
            self.trouble = sentence_of(error).told(style.lang)

    def _amend(self, ply: int, entries: tuple[Entry, ...]) -> None:
        self.trouble = self.told = ""
        self._drop_table()
        try:
            self._shell.amend(self._match_id, ply, entries)
        except JournalError as error:
            self.trouble = sentence_of(error).told(style.lang)
        self._load()
        if not self.trouble and self.recording is not None:
            written = [entry.move for entry in self.recording.entries[ply - 1 :]]
            if written[: len(entries)] != [entry.move for entry in entries]:
                # The table was faster: somebody played on while this was decided.
                self.trouble = _("looking_back.the_match_has_moved_on_since")

    def _corrected(self, intent: Intent) -> None:
        """A touch in the copy: what would follow from this move in the record?"""
        if not isinstance(intent, PlayMove) or self.recording is None:
            return
        try:
            amendment = correction(self.recording, self.ply, intent.move)
        except GameError:
            self._say_impossible()
            return
        self._ask(amendment)

    def _ask(self, amendment: Amendment) -> None:
        """Say what the correction means, and ask once."""
        assert self.recording is not None
        recording = self.recording
        teller = self._teller(recording)

        def rows(width: float) -> list[Widget]:
            return amendment_rows(recording, amendment, teller, width)

        def agree() -> Key:
            accept = partial(self.accept, amendment)
            return Key(_("looking_back.put_it_right"), accept, symbol="✓", primary=True)

        self._open_sheet(
            Sheet(
                _("looking_back.correct_the_record"), rows, _("screens.go_back"),
                self._close_sheet, agree,
            )
        )  # fmt: skip

    def _say_impossible(self) -> None:
        def rows(width: float) -> list[Widget]:
            return [Words(_("looking_back.nobody_could_have_made_this_move"), width=width)]

        self._open_sheet(
            Sheet(
                _("looking_back.that_does_not_fit"), rows, _("screens.go_back"), self._close_sheet
            )
        )

    # -- building -------------------------------------------------------------------------

    def _resized(self, *_: Any) -> None:
        style.use_size(self.width, self.height)
        self._build()

    def _build(self, *_args: Any) -> None:
        if self.page is None or self.width < style.target * 2:
            return
        if self.trial is not None:
            return
        if self.turning is not None:
            self._drop_chances()
            self.show_chances()
            return
        self.page.clear_widgets()
        self.sheet = None
        if self.recording is None:
            self._build_trouble()
            return
        landscape = self.width > self.height
        words_width = style.column + 2 * style.margin if landscape else self.width
        words_height = self.height if landscape else self.height * 0.55
        span, left = Span(0, self.width), 0.0
        if landscape:
            left = span.take(words_width, 0.0)
        self._board = Board(
            size_hint=(None, None), pos=(span.start, 0 if landscape else words_height),
            size=(
                span.end - span.start, self.height if landscape else self.height - words_height
            ),
        )  # fmt: skip
        self._piles = FloatLayout(
            size_hint=(None, None), pos=self._board.pos, size=self._board.size
        )
        self.page.add_widget(self._board)
        self.page.add_widget(self._piles)
        self._area = (left, 0, words_width, words_height)
        self._words = FloatLayout(
            size_hint=(None, None), pos=(left, 0), size=(words_width, words_height)
        )
        self.page.add_widget(self._words)
        self._slider = Scrubber(len(self.recording), self.go_to, self._notches())
        self._show_ply()

    def _notches(self) -> list[int]:
        assert self.recording is not None
        return [p.number for p in self.recording.plies if p.objections or p.penalties]

    def _build_trouble(self) -> None:
        width = self.width - 2 * style.margin
        rows = [
            Words(
                _("looking_back.this_match_cannot_be_shown"),
                bold=True,
                font_size=style.type_m,
                width=width,
            ),
            Words(self.trouble, width=width),
            Key(_("screens.go_back"), self._on_leave, symbol="←"),
        ]
        column = Column(rows, style.gap_l, size_hint=(None, None))
        column.size = (width, self.height - 2 * style.gap_l)
        column.pos = (style.margin, style.gap_l)
        self.page.add_widget(column)

    def _teller(self, recording: Recording) -> Teller:
        return teller_of(recording.view(self.ply), style.lang)

    def _show_ply(self) -> None:
        """Board and words for the move that is shown; the slider stays, it may be held."""
        recording = self.recording
        if recording is None or self._board is None:
            return
        view = recording.view(self.ply)
        # Of a ledger nothing lies anywhere; its piles are shown in place of the board.
        entered = find_game(view.game).keeps_ledger(view.options)
        self._board.opacity = 0 if entered else 1
        self._piles.clear_widgets()
        if entered:
            self._piles.add_widget(piles_beside(view, lambda _intent: None))
        scene = scene_of(replace(view, legal=()), Picked())
        self._board.show(replace(scene, names=card_names(view, style.lang)))
        self._slider.show(self.ply)
        if self._slider.parent is not None:
            self._slider.parent.remove_widget(self._slider)
        self._words.clear_widgets()
        _left, _bottom, width, height = self._area
        inner = width - 2 * style.margin
        for dense in (False, True):
            rows = self._rows(recording, view, inner, dense)
            below = self._keys()
            wanted = sum(row.height for row in (*rows, *below))
            spacing = style.gap_s if dense else style.gap
            if wanted + spacing * len(rows) + style.gap_s * len(below) <= height - style.gap_l:
                break
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap_s, size_hint=(None, None),
            size=(inner, height - style.gap_l),
            pos=(self._words.x + style.margin, style.gap_s),
        )  # fmt: skip
        frame.add_widget(Column(rows, spacing))
        for widget in below:
            frame.add_widget(widget)
        self._words.add_widget(frame)

    def _rows(
        self, recording: Recording, view: TableView, width: float, dense: bool
    ) -> list[Widget]:
        teller = teller_of(view, style.lang)
        back = Link(_("screens.go_back"), self._on_leave, symbol="←")
        more = Link(_("looking_back.moves"), self.open_moves, symbol="☰", to_right=True)
        head = FloatLayout(size_hint_y=None, height=style.target)
        back.pos_hint, more.pos_hint = {"x": 0, "y": 0}, {"right": 1, "y": 0}
        head.add_widget(back)
        head.add_widget(more)
        name = teller.game_name
        size = fit_one_line(name, (style.type_m, style.type_s), width)
        date = when(recording.header.created_s)
        place = _("looking_back.move_ply_of_last").format(ply=self.ply, last=len(recording))
        rows: list[Widget] = [head]
        if not dense:
            rows.append(Words(name, bold=True, font_size=size, line_height=1.05, width=width))
        rows.append(
            Words(f"{place} · {date}", font_size=style.type_xs, color=style.ash, width=width)
        )
        if self.ply:
            ply, over = recording.plies[self.ply - 1], recording.outcome is not None
            rows += move_rows(ply, teller, width, self._open_rule, dense, over=over)
        else:
            rows.append(Words(_("looking_back.the_beginning"), bold=True, width=width))
        advice = self._advice(recording, teller)
        if advice:
            rows.append(built(framed((), advice, "ask", width)))
        if not (advice and dense):
            rows.append(scores_block(view, teller, width))
        said = self.trouble or self.told
        if said:
            tone = style.stop if self.trouble else style.ok
            rows.append(Words(said, font_size=style.type_xs, color=tone, width=width))
        return rows

    def _advice(self, recording: Recording, teller: Teller) -> str:
        """A better move than the one shown, if that turned the match and is known."""
        if not can_be_judged(self._whole):
            return ""
        judged = self._shell.library.judging.of(self._match_id, self._whole)
        points = () if judged.judgement is None else judged.judgement.turning_points
        point = next((point for point in points if point.ply == self.ply), None)
        return "" if point is None else why_it_turned(point, teller)

    def _keys(self) -> list[Any]:
        steps = (
            ("⇤", 0), ("←", self.ply - 1), ("→", self.ply + 1), ("⇥", 1 << 30),
        )  # fmt: skip
        assert self.recording is not None
        line = []
        for symbol, ply in steps:
            key = Key("", partial(self.go_to, ply), symbol=symbol, height=style.target)
            key.disabled = self.ply == max(0, min(ply, len(self.recording)))
            line.append(key)
        right = Key(_("looking_back.correct"), self.correct, symbol="✎", height=style.target)
        sealed = self.recording.sealed
        right.disabled = not self.ply or (sealed and self.recording.by_computer(self.ply))
        instead = Key(_("looking_back.what_if"), self.what_if, symbol="⇢", height=style.target)
        instead.disabled = sealed
        tools = [instead, right]
        last = []
        if can_be_judged(self._whole):
            last.append(
                Key(
                    _("looking_back.who_was_ahead"),
                    self.show_chances,
                    symbol="∿",
                    height=style.target,
                )
            )
        if self._on_export is not None:
            export = partial(self._on_export, self._match_id)
            last.append(Key(_("screens.export"), export, symbol="⇩", height=style.target))
        if self._before is not None:
            last.append(Key(_("screens.undo"), self.undo, symbol="↺", height=style.target))
        elif self.recording.outcome is None and self._on_play is not None:
            last.append(
                Key(
                    _("looking_back.play_on"),
                    self._resume,
                    symbol="▶",
                    primary=True,
                    height=style.target,
                )
            )
        lines = [self._slider, _line(line), _line(tools)]
        return [*lines, _line(last)] if last else lines

    def _resume(self) -> None:
        if self._on_play is None:
            return
        try:
            port = self._shell.resume(self._match_id)
        except JournalError as error:
            self.trouble = sentence_of(error).told(style.lang)
            self._build()
        else:
            self._on_play(port)

    # -- sheets and the table inside --------------------------------------------------------

    def open_moves(self) -> None:
        """List all moves; a touch goes there."""
        recording = self.recording
        assert recording is not None
        teller = self._teller(recording)

        def rows(_width: float) -> list[Widget]:
            tiles = [Tile(_("looking_back.the_beginning"), (), ("0",))]
            tiles += [Tile(_listed(ply, teller), (), (str(ply.number),)) for ply in recording.plies]
            return [TileGrid(tiles, 1, lambda tile: self.go_to(int(tile.chosen[0])))]

        sheet = Sheet(_("looking_back.moves"), rows, _("screens.go_back"), self._close_sheet)
        self._open_sheet(sheet)
        Clock.schedule_once(lambda _passed: self._scroll_to_ply(sheet))

    def _scroll_to_ply(self, sheet: Sheet) -> None:
        if sheet.column is not None and self.recording is not None:
            sheet.column.show_part(self.ply / max(len(self.recording), 1))

    def _open_rule(self, rule: str) -> None:
        assert self.recording is not None
        page = self._teller(self.recording).rule(rule, self.recording.options)

        def rows(width: float) -> list[Widget]:
            return [Words(part, width=width) for part in page.text.split("\n")]

        self._open_sheet(Sheet(page.title, rows, _("screens.go_back"), self._close_sheet))

    def _open_sheet(self, sheet: Sheet) -> None:
        self._close_sheet()
        self.sheet = sheet
        left, bottom, width, height = self._area
        if self.trial is not None:
            height = self.trial.room_for_words
        sheet.size_hint = (None, None)
        sheet.size, sheet.pos = (width, height), (left, bottom)
        self.page.add_widget(sheet)

    def _close_sheet(self) -> None:
        if self.sheet is not None:
            self.page.remove_widget(self.sheet)
        self.sheet = None

    def _show_table(self, *, correcting: bool) -> None:
        assert self.recording is not None
        self._close_sheet()
        self.told = self.trouble = ""
        self.page.clear_widgets()
        start = self.ply - 1 if correcting else self.ply
        said = _("looking_back.what_was_really_played")
        if not correcting:
            said = _("looking_back.what_if_the_record_stays")
        place = {"size_hint": (None, None), "size": (self.width, self.height), "pos": (0, 0)}
        corrected = self._corrected if correcting else None
        self.trial = TrialTable(
            Branch(self.recording, start), said, self.back_to_record, corrected, **place
        )
        self.page.add_widget(self.trial)

    def _go_from_chances(self, ply: int) -> None:
        self._drop_chances()
        self.ply = ply
        self._build()

    def _drop_chances(self) -> None:
        if self.turning is not None:
            self.turning.leave()
            self.page.remove_widget(self.turning)
        self.turning = None

    def _drop_table(self) -> None:
        self._close_sheet()
        self._drop_chances()
        if self.trial is not None:
            self.trial.leave()
            self.page.remove_widget(self.trial)
        self.trial = None


def _listed(ply: Ply, teller: Teller) -> str:
    """A move in the list; one that was against the rules is marked with a cross."""
    against = "  ×" if ply.objections else ""
    return f"{ply.number}. {teller.move(ply.move)}{against}"


def _line(keys: list[Any]) -> Any:
    line = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=style.target)
    for key in keys:
        line.add_widget(key)
    return line
