"""The screen of a game of buying cards: the supply, what is asked, the hand, three figures.

Everything keeps its place during a match. A touch of a lit card plays it, takes it, or answers with
it; of a dimmed one it says why not. A finger that rests on a card reads it, which never changes
anything. While a hand is covered the supply stays in sight, and so does what was bought last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.match.hands import Hand
from companion.match.view import PlayMove, PlayMoves, SetClockRunning, TableState, TableView, Undo
from companion.presentation.announcement import at_head, refusal
from companion.presentation.market import (
    Answer,
    CardTile,
    Pen,
    Stall,
    card_page,
    gained_since,
    needs_pen,
    stall_of,
)
from companion.presentation.players import player_of
from companion.presentation.words.company import thinking_words
from companion.presentation.words.phones import why_here
from companion.presentation.words.sentences import teller_of, turn_lines
from companion.presentation.words.translate import _
from companion.presentation.words.troubles import note
from companion.ui.drawing.cards import Rect, draw_held, draw_ware
from companion.ui.drawing.faces import face_of
from companion.ui.drawing.flights import CardFlight, card_flights
from companion.ui.screens.play.market_parts import (
    CardReader,
    Places,
    Sentence,
    Strip,
    cells,
    fitting,
    heading,
    key_cells,
    letters,
    places_in,
    row,
)
from companion.ui.shell import DeskWays
from companion.ui.theme.style import TEXT, style
from companion.ui.widgets.answer_key import AnswerKey
from companion.ui.widgets.base import Key, Words, fit_one_line
from companion.ui.widgets.card_field import CardField
from companion.ui.widgets.choice import mark_chosen
from companion.ui.widgets.page import Span
from companion.ui.widgets.player_card import PointsCard
from companion.ui.widgets.turn_clock import TurnClock
from rules.core import Move
from rules.telling import Teller

MOST_KEYS = 2
"""Number of answers above which they lie where the hand would be."""


class MarketDesk(FloatLayout):  # type: ignore[misc]
    """Fills its screen; ``show`` takes a view for which ``sells_cards`` is true."""

    def __init__(self, ways: DeskWays, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._ways = ways
        self._view: TableView | None = None
        self.pen = Pen.PLAY
        """Meaning of a touch of a pile where no hand is known."""
        self._said = ""
        """Reason why what was touched last cannot be done."""
        self._gained: Counter[str] = Counter()
        """Cards that the player at turn has taken in this turn."""
        self._last: Counter[str] | None = None
        """Cards that the player who had the turn before took in it."""
        self._held: tuple[tuple[object, ...], Counter[str]] = ((), Counter())
        """Player whose hand was shown last, and its cards."""
        self._fresh: Counter[str] = Counter()
        """Cards that came to it since."""
        self.wares = CardField(draw_ware, self.touch_card, self.read)
        self.hand = CardField(draw_held, self.touch_card, self.read)
        self._clock = TurnClock(lambda on: ways.post(SetClockRunning(on)), size_hint=(None, None))
        self.reader: CardReader | None = None
        """A card that is being read."""
        self.stall: Stall | None = None
        self._seats: dict[int, Any] = {}
        """Parts that stand for players, by seat."""
        self._flights = card_flights(self.canvas.after)

    def show(self, view: TableView) -> None:
        """Show ``view``; what was said about a touch is forgotten as soon as the record changes."""
        before, self._view = self._view, view
        if before is None or (before.ply, before.prompt) != (view.ply, view.prompt):
            self._said, self.reader = "", None
        if before is None or _turn_of(before) != _turn_of(view):
            self.pen = Pen.PLAY
            self._held = ((), Counter())
        change = self._remember(before, view)
        if before is None or before.ply != view.ply:
            self._fresh = Counter()
        self.build()
        if before is not None and before.ply != view.ply:
            self._fly(change, before, view)

    def leave(self) -> None:
        """The desk is no longer shown."""
        self.reader = None
        self._clock.show(None)
        self._flights.stop()

    # -- what touches do ------------------------------------------------------------------

    def touch_card(self, tile: CardTile) -> None:
        """Play what a lit card means; say why a dimmed one cannot be had, and ask once about one
        that does harm."""
        asked = tile.why
        if tile.asks:
            asked = _("play.it_costs_points").format(card=tile.name)
        elif not tile.moves and self._ways.covered() and self.stall is not None:
            asked = _("play.what_comes_now_is_for_name").format(name=self.stall.name)
        elif not (tile.moves or asked):
            asked = _("play.card_is_not_possible_now").format(card=tile.name)
        if not tile.moves:
            self._ways.slip()
        if tile.moves and (not tile.asks or self._said == asked):
            self.post(tile.moves)
        elif asked != self._said:
            self._said = asked
            self.build()

    def touch_pen(self, pen: Pen) -> None:
        """From now on a touch of a pile means this."""
        self.pen, self._said = pen, ""
        self.build()

    def post(self, moves: Sequence[Move]) -> None:
        """Play one move, or several as one."""
        self._said = ""
        self.close_reader()
        self._ways.post(PlayMove(moves[0]) if len(moves) == 1 else PlayMoves(tuple(moves)))

    def undo(self) -> None:
        """Take the last touch back."""
        self._ways.post(Undo())

    def read(self, tile: CardTile) -> None:
        """Show a card large, with its text."""
        view = self._view
        market = None if view is None else view.market
        ware = None if market is None else market.ware(tile.kind)
        if view is None or market is None or ware is None:
            return
        purse = market.purse if market.figures else None
        page = card_page(ware, tile, teller_of(view, style.lang), view.options, purse)
        self.reader = CardReader(
            view.game, tile, page, self.close_reader, partial(self.post, page.moves),
            size_hint=(None, None), size=self.size, pos=self.pos,
        )  # fmt: skip
        self.build()

    def close_reader(self) -> None:
        """The card was read."""
        if self.reader is not None:
            self.reader = None
            self.build()

    # -- what was taken -------------------------------------------------------------------

    def _remember(self, before: TableView | None, view: TableView) -> Counter[str]:
        """Mark what was taken from the piles, until the next player takes something; returns what
        was taken now, or put back (negative)."""
        if before is None or before.match_id != view.match_id:
            self._gained, self._last = Counter(), None
            return Counter()
        change = gained_since(before.market, view.market)
        same = _turn_of(before) == _turn_of(view)
        if any(number < 0 for number in change.values()):
            # Something was taken back, perhaps a whole turn.
            self._gained.update(change)
            self._gained = +self._gained if same else Counter()
            self._last = None
            return change
        self._gained.update(change)
        if not same:
            self._last = None if _turn_of(before) is None else self._gained
            self._gained = Counter()
        return change

    def _fly(self, change: Counter[str], before: TableView, view: TableView) -> None:
        """Lets cards that were taken fly from their piles to the player whose turn it was, and
        those that were put back the other way."""
        if not style.chosen.animations or self.reader is not None:
            return
        flights = []
        for kind, count in change.items():
            seat, found = _turn_of(before if count > 0 else view), self.wares.tile_of(kind)
            part = None if seat is None else self._seats.get(seat)
            if found is not None and part is not None:
                (tile, pile), to = found, (*part.pos, *part.size)
                draw = partial(draw_ware, game=view.game, tile=tile)
                flights.append(CardFlight(draw, pile, to, back=count < 0))
        self._flights.start(flights)

    # -- building -------------------------------------------------------------------------

    def build(self) -> None:
        """Build everything for the size and style as they are."""
        view = self._view
        self.clear_widgets()
        self._flights.stop()
        self._seats = {}
        if view is None or view.market is None or self.width < style.target:
            return
        if self.reader is not None:
            self.add_widget(self.reader)
            return
        covered = self._ways.covered()
        teller = teller_of(view, style.lang)
        hand = None if covered else self._own_hand(view)
        if hand is not None:
            self._look_for_fresh(view, hand)
        marks = self._marks(covered)
        stall = self.stall = stall_of(view, hand, self.pen, teller, marks, self._fresh)
        places = places_in(self.x, self.y, self.width, self.height, naming=view.market.naming)
        self._show_wares(view, stall, places)
        self._show_hand(view, stall, places, teller)
        parts = [*self._head(stall, places), self._line(view, stall, places, teller, covered)]
        if not view.market.naming:
            parts += self._figures(stall, places.figures)
        parts += self._keys(view, stall, places, teller, covered)
        for part in parts:
            self.add_widget(part)

    def _own_hand(self, view: TableView) -> Hand | None:
        """The hand of the player who is asked, if the program knows it."""
        prompt = view.prompt
        if view.real_cards or self._ways.hand is None or prompt is None or prompt.player is None:
            return None
        return self._ways.hand(prompt.player)

    def _look_for_fresh(self, view: TableView, hand: Hand) -> None:
        """Notes the cards that came to the hand since it was last seen in this turn."""
        whose, held = (view.match_id, hand.seat), Counter(dict(hand.things))
        before, self._held = self._held, (whose, held)
        if before[0] == whose and before[1] != held:
            self._fresh = held - before[1]

    def _marks(self, covered: bool) -> Counter[str]:
        """Cards that are marked as taken."""
        if self._gained or self._last is None:
            return self._gained
        market = self._view.market if self._view is not None else None
        played = market is not None and market.played
        return Counter() if played and not covered else self._last

    def _show_wares(self, view: TableView, stall: Stall, places: Places) -> None:
        self.wares.size, self.wares.pos = places.wares[2:], places.wares[:2]
        at = cells(places.wares, len(stall.wares), places.columns)
        self.wares.show(view.game, stall.wares, at)
        self.add_widget(self.wares)

    def _show_hand(self, view: TableView, stall: Stall, places: Places, teller: Teller) -> None:
        """The hand, or what is decided about; where there is none to be seen, what helps."""
        tiles = stall.open or stall.hand
        if not tiles:
            parts = (
                []
                if view.market is None or view.market.naming
                else [*self._instead(view, places.hand, teller)]
            )
            for part in parts:
                self.add_widget(part)
            return
        self.hand.size, self.hand.pos = places.hand[2:], places.hand[:2]
        self.hand.show(view.game, tiles, row(places.hand, len(tiles)))
        self.add_widget(self.hand)

    def _instead(self, view: TableView, area: Rect, teller: Teller) -> list[Any]:
        """Parts where no hand is to be seen: the meaning of a touch of a pile, or all points."""
        if needs_pen(view):
            return [self._pen_keys(area)]
        many = self.stall is not None and len(self.stall.answers) > MOST_KEYS
        return [] if many else self._standings(view, area, teller)

    def _standings(self, view: TableView, area: Rect, teller: Teller) -> list[Any]:
        cards = []
        gap = style.gap_s
        columns = 2 if view.players > 1 else 1
        lines = -(-view.players // columns)
        width = (area[2] - gap * (columns - 1)) / columns
        height = (area[3] - gap * (lines - 1)) / lines
        for seat in range(view.players):
            player = player_of(view, teller, seat, supply=False)
            look = "dawn" if view.prompt is not None and view.prompt.player == seat else "edge"
            high = min(height / style.factor, 84.0)
            card = PointsCard(player, look, width, high, self._ways.explain)
            line, column = divmod(seat, columns)
            top = area[1] + area[3] - line * (height + gap)
            card.pos = (area[0] + column * (width + gap), top - height / 2 - card.height / 2)
            self._seats[seat] = card
            cards.append(card)
        return cards

    # -- the head -------------------------------------------------------------------------

    def _head(self, stall: Stall, places: Places) -> list[Any]:
        """The player who is asked, and the way to the menu."""
        x, y, width, height = places.head
        side = min(height, style.target * 1.05)
        low = y + (height - side) / 2
        size: dict[str, Any] = {"size_hint": (None, None), "width": side, "height": side}
        gap, upright, view = style.gap_s, places.keys_beside, self._view
        span = Span(x, width, across=not upright)
        menu = Key("", self._ways.open_menu, symbol="☰", pos=(span.take(side, gap), low), **size)
        if upright and view is not None and stall.figures:
            # There is room beside the figures.
            at = (menu.x, places.figures[1] + (height - side) / 2)
        else:
            at = (span.take(side, gap), low)
        parts: list[Any] = [menu, Key("?", self._ways.explain, pos=at, **size)]
        if not upright:
            span.end = min(span.end, places.figures[0] - gap)
        asks = self._ways.phone_asks()
        if asks is not None or (view is not None and note(view)):
            leads, sign = (self._ways.open_troubles, "ℹ") if asks is None else (asks, "☎")
            span.end -= side + gap
            parts.append(Key("", leads, symbol=sign, pos=(span.end + gap, low), **size))
        if upright and (hide := self._hide_key(side)) is not None:
            # The line below has no room for its word.
            hide.pos = (span.take(hide.width, gap), low)
            parts.append(hide)
        start = span.start
        if view is not None and view.asked is not None:
            player = player_of(view, teller_of(view, style.lang), view.asked, supply=False)
            face = face_of(player, min(height, style.target), glow=True)
            face.pos = (start + style.grid, y + (height - face.height) / 2)
            start += face.width + style.grid + style.gap
            parts.append(face)
            self._seats[view.asked] = face
        area = (start, y, span.end - start, height)
        clock = self._view.clock if self._view is not None else None
        self._clock.show(clock)
        return [*parts, *heading(stall, area, self._clock if clock is not None else None)]

    def _hide_key(self, height: float) -> Any:
        """Covers the hand that is shown; None if none is, or nobody may look."""
        view, cover = self._view, self._ways.cover
        if view is None or not view.secret or cover is None or self._ways.covered():
            return None
        return Key(
            _("play.hide"), cover, symbol="◌", type_px=style.body, width=style.target * 3,
            height=height, size_hint=(None, None),
        )  # fmt: skip

    def _figures(self, stall: Stall, area: Rect) -> list[Any]:
        """The numbers of actions that are left: large figures, always in the same places."""
        x, y, width, height = area
        each = width / max(len(stall.figures), 1)
        parts = []
        for number, (figure, label) in enumerate(stall.figures):
            tone = "ash" if figure == "0" else "bone"
            sizes = (style.figure, style.type_l, style.type_m)
            px = next((size for size in sizes if size <= height * 0.8), sizes[-1])
            large = letters(figure, px, tone)
            words = fitting(
                label, (20.0, 17.0), each - large.width - style.gap, tone="ash", font=TEXT
            )
            left = x + each * number
            large.pos = (left, y + (height - large.height) / 2)
            words.pos = (
                left + large.width + style.gap_s * 0.8,
                y + (height - words.height) / 2 - style.grid * 0.75,
            )
            parts += [large, words]
        return parts

    # -- the line between supply and hand ---------------------------------------------------

    def _line(
        self, view: TableView, stall: Stall, places: Places, teller: Teller, covered: bool
    ) -> Any:
        """The line: a failure, the question, or the cards that were played; and undo at its end."""
        x, y, width, height = places.line
        line = Strip(size_hint=(None, None), pos=(x, y), size=(width, height))
        size: dict[str, Any] = {"size_hint": (None, None), "height": height}
        undo = Key(
            _("screens.undo"),
            self.undo,
            symbol="↺",
            width=style.target * 3.5,
            type_px=style.body,
            why="" if view.can_undo else _("play.nothing_to_take_back"),
            **size,
        )
        span = Span(x, width, across=not places.keys_beside)
        undo.pos = (span.take(undo.width, style.gap_s), y)
        line.add_widget(undo)
        if not places.keys_beside and (hide := self._hide_key(height)) is not None:
            hide.pos = (span.take(hide.width, style.gap_s), y)
            line.add_widget(hide)
        room = span.end - span.start - style.grid
        text, tone = self._told(view, stall, teller, covered)
        if text:
            line.add_widget(Sentence(text, tone, (span.start, y, room, height)))
        else:
            area = (span.start + style.gap, y, room - style.gap, height)
            self._add_played(line, stall, teller, area)
        return line

    def _told(
        self, view: TableView, stall: Stall, teller: Teller, covered: bool
    ) -> tuple[str, str]:
        """A sentence and its tone; empty if there is nothing to say."""
        refused = refusal(view)
        if refused is not None:
            told = refused.told(teller)
            offence = view.state is TableState.ILLEGAL
            return f"{told.title} – {told.do}", "stop" if offence else "ask"
        if self._said:
            return self._said, "ask"
        call = at_head(view)
        if call is not None:
            return teller.call(call).title, "ask"
        if view.thinks is not None and not stall.played:
            return thinking_words(view, teller)[0], ""
        if stall.ask:
            return stall.ask, "dawn"
        if self._gained or stall.played:
            return "", ""
        if lines := turn_lines(view, teller):
            return lines[0], "ok"
        if covered and self._ways.on_phone():
            return why_here(stall.name)[0], ""
        if covered:
            return _("play.what_comes_now_is_for_name").format(name=stall.name), ""
        return _("play.touch_a_lit_card"), ""

    def _pen_keys(self, area: Rect) -> Any:
        """Keys for the meaning of the next touch of a pile."""
        x, y, width, height = area
        line = BoxLayout(
            spacing=style.gap_s, size_hint=(None, None), pos=(x, y), size=(width, height)
        )
        for pen, text in ((Pen.PLAY, _("play.played")), (Pen.BUY, _("play.bought"))):
            key = Key(text, partial(self.touch_pen, pen), type_px=style.body, height=height)
            key.pen = pen
            mark_chosen(key, pen is self.pen)
            line.add_widget(key)
        return line

    def _add_played(self, line: Any, stall: Stall, teller: Teller, area: Rect) -> None:
        """Adds the cards played in this turn, then those taken; as many as there is room for."""
        x, y, width, height = area
        words = [(_times(teller.kind(kind), n), "bone") for kind, n in stall.played]
        words += [(f"+ {_times(teller.kind(kind), n)}", "dawn") for kind, n in self._gained.items()]
        label = letters(_("play.played"), style.caption, "ash", font=TEXT)
        left = x
        if stall.played:
            label.pos = (left, y + (height - label.height) / 2)
            line.add_widget(label)
            left += label.width + style.gap
        text = "  ·  ".join(word for word, _tone in words)
        sizes = (style.body, style.caption)
        size = fit_one_line(text, sizes, x + width - left)
        told = Words(text, bold=True, font_size=size, width=x + width - left, line_height=1.0)
        told.pos = (left, y + (height - told.height) / 2)
        line.add_widget(told)

    # -- keys -----------------------------------------------------------------------------

    def _keys(
        self, view: TableView, stall: Stall, places: Places, teller: Teller, covered: bool
    ) -> list[Any]:
        """Answers, what is mostly done first, at the places of the keys."""
        if covered:
            return self._cover_keys(stall, places)
        answers = list(stall.answers)
        areas = key_cells(places.keys, MOST_KEYS, beside=places.keys_beside)
        if len(answers) > MOST_KEYS:
            areas = key_cells(places.hand, len(answers), beside=True)
        elif len(answers) == 1 and answers[0].moves[0].verb == "done":
            areas = areas[-1:]
        return [
            self._answer_key(answer, area) for answer, area in zip(answers, areas, strict=False)
        ]

    def _answer_key(self, answer: Answer, area: Rect) -> Any:
        x, y, width, height = area
        press = partial(self.post, answer.moves)
        look: dict[str, Any] = {"primary": answer.primary, "least": height}
        key = AnswerKey(answer.text, answer.note, press, width, **look)
        if key.height > height + 1:
            # Where words are large, what comes of it is left to the card's text.
            key = AnswerKey(answer.text, "", press, width, **look)
        key.pos = (x, y)
        key.move = answer.moves[0] if len(answer.moves) == 1 else None
        return key

    def _cover_keys(self, stall: Stall, places: Places) -> list[Any]:
        x, y, width, height = places.keys
        if self._ways.uncover is None:
            return []
        if self._ways.on_phone() and self._ways.choose_here is not None:
            here = AnswerKey(
                _("play.choose_here_instead"), "", self._ways.choose_here, width, symbol="◉",
                least=height,
            )  # fmt: skip
            here.pos = (x, y)
            return [here]
        text = _("play.i_am_name").format(name=stall.name)
        key = AnswerKey(
            text, _("play.show_my_cards"), self._ways.uncover, width, symbol="◉", primary=True,
            least=height,
        )  # fmt: skip
        key.pos = (x, y)
        return [key]


def _turn_of(view: TableView) -> int | None:
    return None if view.market is None else view.market.turn


def _times(name: str, number: int) -> str:
    return name if number == 1 else f"{name}\u00a0×{number}"
