"""The sheets of a play screen: menu, rules, more moves, what is missing, secret things."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.match.hands import Hand
from companion.match.view import (
    BoardIsRight,
    CameraIsWrong,
    Intent,
    Redo,
    TableState,
    TableView,
    Undo,
)
from companion.presentation.boxes import box_of
from companion.presentation.cards import card_moves
from companion.presentation.choosing import sections
from companion.presentation.players import player_of
from companion.presentation.touching import placeless, touched
from companion.presentation.words.company import tip_here, tip_words
from companion.presentation.words.phones import asks_title
from companion.presentation.words.sentences import rule_page, teller_of
from companion.presentation.words.translate import _, other_language
from companion.presentation.words.troubles import Trouble, troubles
from companion.ui.drawing.chart import Chart
from companion.ui.screens.play.fingers import Screen
from companion.ui.shell import Ways
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words, fit_one_line
from companion.ui.widgets.hold import HoldCard
from companion.ui.widgets.rows import built
from companion.ui.widgets.sheet import Sheet
from companion.ui.widgets.tiles import tile_rows
from rules.telling import RulePage, Teller

# -- private cards ----------------------------------------------------------------------------

_HEIGHT = 116.0


def hold_cards(
    view: TableView, teller: Teller, hand: Callable[[int], Hand], width: float, room: float
) -> list[Widget]:
    """One card per player; its contents are fetched when it is held.

    All of them stay within ``room`` px, since a scrolling list would hold the finger back.
    """
    intro = Words(
        _("play.press_and_hold_your_card"),
        font_size=style.type_xs, color=style.ash, width=width,
    )  # fmt: skip
    each = (room - intro.height) / view.players - style.gap_s
    height = max(style.target, min(_HEIGHT * style.factor, each))
    cards = []
    for seat in range(view.players):
        rows = partial(_rows, teller, hand, seat, height)
        cards.append(HoldCard(teller.seat(seat), _("play.hold_to_look"), rows, width, height))
    for card in cards:
        card.others = tuple(other for other in cards if other is not card)
    return [intro, *cards]


def hand_lines(hand: Hand, teller: Teller) -> list[str]:
    """Contents of a hand, in words: things in the hand, then what lies face down where."""
    lines = []
    if hand.things:
        names = [
            f"{teller.kind(thing)} ×{count}" if count > 1 else teller.kind(thing)
            for thing, count in hand.things
        ]
        lines.append(", ".join(names))
    if hand.lying:
        places = [f"{teller.site(site)}: {teller.kind(thing)}" for site, thing in hand.lying]
        lines.append(_("play.face_down_places").format(places=", ".join(places)))
    return lines or [_("play.you_hold_nothing_the_others_cannot")]


def _rows(
    teller: Teller, hand: Callable[[int], Hand], seat: int, height: float, width: float
) -> list[Widget]:
    lines = hand_lines(hand(seat), teller)
    room = height - style.grid
    for size in (style.type_s, style.type_xs):
        rows: list[Widget] = [Words(line, font_size=size, width=width) for line in lines]
        if sum(row.height for row in rows) <= room:
            break
    return rows


def _page_rows(page: RulePage, width: float) -> list[Widget]:
    """A page of the rules: its number, and a row for each paragraph."""
    number = Words(f"§ {page.rule}", font_size=style.caption, color=style.ash, width=width)
    paragraphs = page.text.split("\n")
    return [number, *(Words(p, font_size=style.body, width=width) for p in paragraphs)]


READ_S = 0.6
"""Seconds for which a question that appeared by itself takes no answer."""


class PlaySheets:
    """One sheet at a time over the words of a table; the board stays in sight."""

    def __init__(self, screen: Screen, ways: Ways) -> None:
        self.screen, self.ways = screen, ways
        self.shown: Sheet | None = None
        self._make: Callable[[], Sheet] | None = None
        self.tells_tip = False
        """True if it is the one with a tip."""

    def close(self) -> None:
        """Back to the words below."""
        if self.shown is not None:
            self.screen.words_area.remove_widget(self.shown)
        self.shown = self._make = None
        self.tells_tip = False

    def renew(self) -> None:
        """Rebuild the sheet, as things are now."""
        if self._make is not None:
            tells_tip = self.tells_tip
            self._open(self._make)
            self.tells_tip = tells_tip

    def open_rule(self, rule: str) -> None:
        """Show a rule's page."""
        self._open(partial(self._rule, rule))

    def open_pages(self) -> None:
        """List the pages of the rules."""
        self._open(self._pages)

    def open_moves(self) -> None:
        """List the moves that no touch on the board can express."""
        self._open(self._moves)

    def open_menu(self) -> None:
        """Corrections, rules, language, theme and the way out."""
        self._open(self._menu)

    def open_chart(self) -> None:
        """Show how the points went, as large as there is room."""
        self._open(self._chart)

    def open_hands(self) -> None:
        """Offer every player a look at what only they may see."""
        self._open(self._hands)

    def open_phone(self, seat: int) -> None:
        """Asks whether the phone that wants a seat may have it."""
        self._open(partial(self._phone, seat))

    def show_tip(self, before: TableView | None, view: TableView) -> None:
        """A tip appears over the words, and goes by itself."""
        tip, was = tip_here(view), None if before is None else tip_here(before)
        if tip is None or self.screen.covered:
            self.close_tip()
        elif was is None:
            self._open(self._tip)
            self.tells_tip = True

    def close_tip(self) -> None:
        """Closes the tip: it is gone, or may not be seen any more."""
        if self.tells_tip:
            self.close()

    def open_troubles(self) -> None:
        """Say what is missing at the table and what to do."""
        self._open(self._troubles)

    def review(self) -> None:
        """Look back at the match."""
        if self.ways.review is not None:
            self.ways.review(self._view.match_id)

    def export(self) -> None:
        """Take the match along."""
        if self.ways.export is not None:
            self.ways.export(self._view.match_id)

    # -- private ----------------------------------------------------------------------------

    @property
    def _view(self) -> TableView:
        assert self.screen.view is not None
        return self.screen.view

    def _open(self, make: Callable[[], Sheet]) -> None:
        self.close()
        self.shown, self._make = make(), make
        self.shown.pos = self.screen.words_area.pos
        # It may appear by itself, before everything has its place.
        self.shown.pos_hint = {"x": 0, "y": 0}
        self.screen.words_area.add_widget(self.shown)

    def _sheet(
        self,
        title: str,
        rows: Callable[[float], list[Widget]],
        beside: Callable[[], Widget] | None = None,
    ) -> Sheet:
        return Sheet(title, rows, _("play.back"), self.close, beside)

    def _rule(self, rule: str) -> Sheet:
        page = rule_page(teller_of(self._view, style.lang), rule, self._view.options)
        if page is None:
            return self._sheet(f"§ {rule}", lambda _width: [])
        return self._sheet(page.title, lambda width: _page_rows(page, width))

    def _pages(self) -> Sheet:
        view, teller = self._view, teller_of(self._view, style.lang)
        scoring = rule_page(teller, teller.game.scoring_rule, view.options)

        def rows(width: float) -> list[Widget]:
            found: list[Widget] = [Words(teller.tagline, bold=True, width=width)]
            if scoring is not None:
                found.append(Words(scoring.title, font_size=style.body, bold=True, width=width))
                found += _page_rows(scoring, width)
            return found + [
                Key(page.title, partial(self.open_rule, page.rule), height=style.target)
                for page in teller.pages
                if page.rule != teller.game.scoring_rule
            ]

        return self._sheet(_("play.rules"), rows)

    def _moves(self) -> Sheet:
        view, screen = self._view, self.screen
        teller = teller_of(view, style.lang)
        by_cards = card_moves(view)
        more = () if screen.covered else placeless(view, box_of(view))
        more = tuple(move for move in more if move not in by_cards)

        def rows(width: float) -> list[Widget]:
            tiles = sections(more, teller, screen.fingers.chosen)
            return [built(row) for row in tile_rows(tiles, width, screen.fingers.touch_tile)]

        more_at_sites = any(touched(move, view, box_of(view)) for move in view.legal)
        title = _("play.more_moves") if more_at_sites else _("play.choose")
        return self._sheet(title, rows)

    def _chart(self) -> Sheet:
        view, screen = self._view, self.screen
        teller = teller_of(view, style.lang)
        players = [player_of(view, teller, n, supply=False) for n in range(view.players)]

        def rows(width: float) -> list[Widget]:
            height = min(width * 0.9, screen.words_height * 0.5)
            return [Chart(screen.history, players, height=height)]

        return self._sheet(_("play.the_score_over_time"), rows)

    def _hands(self) -> Sheet:
        view, hand = self._view, self.ways.hand
        assert hand is not None
        teller = teller_of(view, style.lang)
        besides = 2 * style.gap_l + 3 * style.gap + style.button + style.type_l
        room = self.screen.words_height - besides
        return self._sheet(
            _("play.hidden_things"), lambda width: hold_cards(view, teller, hand, width, room)
        )

    def _tip(self) -> Sheet:
        view = self._view
        tip = tip_here(view)
        if tip is None:
            return self._sheet(_("play.tip"), lambda _width: [])
        told = tip_words(tip, teller_of(view, style.lang))

        def rows(width: float) -> list[Widget]:
            return [
                Words(told.title, bold=True, font_size=style.type_m, width=width),
                *(Words(line, font_size=style.body, width=width) for line in told.lines),
            ]

        return self._sheet(_("play.tip"), rows)

    def _phone(self, seat: int) -> Sheet:
        phones, name = self.ways.phones, teller_of(self._view, style.lang).seat(seat)
        assert phones is not None

        def answer(deed: Callable[[int], None]) -> None:
            # A finger that was on its way to something else has not read the question.
            if time.monotonic() - asked_s >= READ_S:
                self.close()
                deed(seat)

        def rows(width: float) -> list[Widget]:
            text = _("screens.a_phone_has_scanned_the_code")
            return [
                Words(text.format(name=name), width=width, font_size=style.body),
                _key(_("screens.no"), "✕", partial(answer, phones.refuse)),
                _key(_("screens.yes_let_it_in"), "✓", partial(answer, phones.confirm)),
            ]

        asked_s = time.monotonic()
        return Sheet(asks_title(name), rows, _("screens.later"), self.close)

    def _troubles(self) -> Sheet:
        view = self._view

        def rows(width: float) -> list[Widget]:
            calm = _("play.the_match_goes_on")
            found = troubles(view)
            if not found:
                return [Words(_("play.all_is_well_again"), width=width)]
            # Several of them must be visible together.
            size = style.caption if len(found) < 2 else style.type_xs
            told: list[Widget] = []
            if not any(trouble.stops for trouble in found):
                told.append(Words(calm, width=width, font_size=size))
            for trouble in found:
                told.append(Widget(size_hint_y=None, height=style.grid if len(found) < 2 else 1))
                told.append(Words(trouble.title, bold=True, width=width, font_size=size))
                told.append(Words(trouble.text, color=style.ash, width=width, font_size=size))
                told += [
                    _key(text, "", partial(self.screen.post, ask)) for text, ask in trouble.answers
                ]
            return [*told, *self._pages_that_help(found)]

        others = view.wrong is not None or view.machine or view.notes
        return self._sheet(_("play.what_is_wrong") if others else _("play.what_is_missing"), rows)

    def _pages_that_help(self, found: Sequence[Trouble]) -> list[Widget]:
        """A key for every page of the workshop that helps."""
        if self.ways.page is None:
            return []
        words = {
            "devices": (_("screens.try_the_devices"), "✓"),
            "camera": (_("screens.what_the_camera_sees"), "◎"),
            "report": (_("screens.report_a_problem"), "✎"),
        }
        pages = dict.fromkeys(trouble.page for trouble in found if trouble.page)
        return [_key(*words[page], partial(self.ways.page, page)) for page in pages]

    def _menu(self) -> Sheet:
        view, ways = self._view, self.ways

        def rows(width: float) -> list[Widget]:
            no = "" if view.can_undo else _("play.nothing_to_take_back")
            undo = self._ask(_("screens.undo"), "↺", Undo(), no)
            no = "" if view.can_redo else _("play.nothing_was_taken_back")
            redo = self._ask(_("screens.redo"), "↻", Redo(), no)
            tips = [_key(_("play.tip"), "☼", self.screen.ask_tip)] if self.screen.may_tip else []
            lines = [[undo], [redo, *tips]]
            if view.state is not TableState.BLIND and not self.screen.embedded:
                wrong = self._ask(_("play.camera_is_wrong"), "◎", CameraIsWrong())
                lines.append([wrong, self._ask(_("play.board_is_right"), "✓", BoardIsRight())])
            review = self.review if ways.review is not None else None
            lines.append([_key(_("play.rules"), "§", self.open_pages)])
            lines[-1] += _offered((_("screens.review"), "◷", review))
            export = self.export if ways.export is not None else None
            room = None if self.screen.embedded else self.screen.step_back
            lines.append(
                _offered((_("play.across_the_room"), "↔", room), (_("screens.export"), "⇩", export))
            )
            hidden = ways.hand is not None and any(ways.hand(seat) for seat in range(view.players))
            hands = self.open_hands if hidden else None
            lines.append(
                _offered(
                    (_("play.hidden_things"), "◉", hands),
                    (_("screens.phones"), "☎", ways.open_phones),
                )
            )
            keep = self._remember if ways.moment is not None else None
            lines += [
                _offered(
                    (other_language(), "", ways.language),
                    (_("play.theme"), "◐", ways.theme),
                ),
                _offered(
                    (_("screens.check_the_table"), "☑", ways.table_setup),
                    (_("screens.workshop"), "⚙", ways.workshop),
                ),
                _offered((_("play.keep_moment"), "◎", keep)),
            ]
            _in_one_size(lines, width - style.gap)
            return [_side_by_side(*line) for line in lines if line]

        leave = ways.leave
        out = None if leave is None else lambda: Key(_("screens.to_the_shelf"), leave, symbol="⌂")
        return self._sheet(_("play.menu"), rows, out)

    def _remember(self) -> None:
        """Save what the camera sees and believes now, for a problem report."""
        assert self.ways.moment is not None
        trouble = self.ways.moment()

        def rows(width: float) -> list[Widget]:
            if trouble:
                return [Words(trouble, width=width)]
            text = _("play.what_the_camera_shows_and_believes")
            return [Words(text, width=width)]

        title = _("play.it_could_not_be_remembered") if trouble else _("screens.it_is_remembered")
        self._open(lambda: self._sheet(title, rows))

    def _ask(self, text: str, symbol: str, intent: Intent, why_not: str = "") -> Any:
        press = partial(self.screen.post, intent)
        return Key(text, press, symbol=symbol, height=style.target, why=why_not)


def _offered(*ways: tuple[str, str, Callable[[], None] | None]) -> list[Any]:
    """Keys, with these words and symbols, for the ways that there are."""
    return [_key(text, symbol, press) for text, symbol, press in ways if press is not None]


def _key(text: str, symbol: str, press: Callable[[], None]) -> Any:
    return Key(text, press, symbol=symbol, height=style.target)


def _in_one_size(lines: Sequence[Sequence[Any]], width: float) -> None:
    """Sets the words of all keys in the size in which no word of any is broken, in ``lines`` of
    ``width`` px."""
    sizes = (style.type_s, style.type_xs)
    rooms = [
        (word, key.room_in((width + style.gap_s) / len(line) - style.gap_s))
        for line in lines
        for key in line
        for word in key.text.split()
    ]
    size = min(fit_one_line(word, sizes, room) for word, room in rooms)
    for key in (key for line in lines for key in line):
        key.only_px = size


def _side_by_side(*keys: Any) -> Any:
    line = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=style.target)
    for key in keys:
        line.add_widget(key)
    return line
