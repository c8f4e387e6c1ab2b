"""A match at two tables: another table is invited, or invites this one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.boxes import game_box
from companion.presentation.faces import faces_of
from companion.presentation.players import token_of, tone_of_seat
from companion.presentation.remote_table import (
    Invitation,
    Pairing,
    TableThere,
    TogetherNow,
    TwoTables,
)
from companion.presentation.setting_up.choices import choices_line
from companion.presentation.words.pairings import pairing_text, pairing_title
from companion.presentation.words.sentences import player_names
from companion.presentation.words.together import answer_text, missing_text, not_suited
from companion.presentation.words.translate import _
from companion.settings.people import MatchSetup
from companion.ui.drawing.faces import Face
from companion.ui.screens.seats.rules import rules_line
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Symbol, Words, fit_one_line
from companion.ui.widgets.choice import AnswerRow, mark_chosen
from companion.ui.widgets.page import PageScreen, beside, head
from companion.ui.widgets.sheet import Column
from rules.games import find_game
from rules.telling import Teller

TICK_S = 0.3


class _Following(PageScreen):
    """Is built anew when something changes among the tables."""

    def __init__(self, together: TwoTables, **kwargs: Any) -> None:
        self.together, self._shown = together, together.now
        super().__init__(**kwargs)
        self._clock = Clock.schedule_interval(self._tick, TICK_S)

    def leave(self) -> None:
        """The screen is no longer shown."""
        self._clock.cancel()
        super().leave()

    def _tick(self, _passed: float) -> None:
        now = self.together.now
        if now != self._shown and not self._left:
            self._shown = now
            self.changed(now)

    def changed(self, now: TogetherNow) -> None:
        """Shows a changed state."""
        self.renew()


class InviteScreen(_Following):
    """Chooses a table for a match that was set up as ``plan``, and who sits where.

    ``on_agreed``: people there said yes; ``on_leave``: no match with another table.
    """

    def __init__(
        self,
        together: TwoTables,
        plan: MatchSetup,
        on_agreed: Callable[[], None],
        on_leave: Callable[[], None],
        *,
        chosen: str = "",
        here: Collection[int] = (),
        **kwargs: Any,
    ) -> None:
        self.plan, self._on_agreed, self._on_leave = plan, on_agreed, on_leave
        self.here: frozenset[int] = frozenset(here or range((plan.players + 1) // 2))
        """The seats that stay at this table."""
        self.chosen = chosen
        """The table that would be invited."""
        self.suits = together.suits(plan)
        together.look(self.suits)
        super().__init__(together, **kwargs)

    # -- what touches do ------------------------------------------------------------------

    def choose(self, table: str) -> None:
        """Invite this table."""
        self.chosen = table
        self.renew()

    def move(self, seat: int) -> None:
        """This seat sits at the other table, or at this one again; each table keeps one."""
        here = self.here ^ {seat}
        if here and len(here) < self.plan.players:
            self.here = here
        elif self.plan.players == 2:
            # They change places.
            self.here = frozenset(range(2)) - self.here
        self.renew()

    def invite(self) -> None:
        """Invites the chosen table."""
        if self.chosen:
            self.together.invite(self.chosen, self.plan, tuple(sorted(self.here)))

    def withdraw(self) -> None:
        """Not this table after all."""
        self.together.withdraw()

    def back(self) -> None:
        """One step back."""
        if self._shown.sent is not None:
            self.withdraw()
        else:
            self._on_leave()

    def leave(self) -> None:
        """The screen is no longer shown; an invitation without a yes is withdrawn."""
        self.together.look(False)
        sent = self.together.now.sent
        if sent is not None and sent.answer != "yes":
            self.together.withdraw()
        super().leave()

    def changed(self, now: TogetherNow) -> None:
        """Shows a changed state."""
        if now.sent is not None and now.sent.answer == "yes":
            self._on_agreed()
            return
        if now.tables and self.chosen not in {one.name for one in now.tables}:
            self.chosen = ""
        self.renew()

    # -- building -------------------------------------------------------------------------

    def build(self, frame: Any, width: float) -> None:
        now = self._shown = self.together.now
        if not self.suits:
            title, text = not_suited()
            frame.add_widget(head(title, text, width))
            frame.add_widget(Widget())
            frame.add_widget(Key(_("screens.go_back"), self.back, symbol="←", primary=True))
        elif now.sent is not None:
            self._build_sent(frame, width, now.sent)
        else:
            self._build_choice(frame, width, now)

    def _build_sent(self, frame: Any, width: float, sent: Invitation) -> None:
        if sent.answer in ("", "yes"):
            title = _("together.table_is_asked").format(table=sent.table)
            text = _("together.the_invitation_is_on_the_screen")  # fmt: skip
            back = Key(_("screens.cancel"), self.withdraw, symbol="✕")
        else:
            title, text = _("together.not_now"), answer_text(sent)
            back = Key(_("screens.choose_again"), self.withdraw, symbol="←", primary=True)
        frame.add_widget(head(title, text, width))
        frame.add_widget(seat_rows(sent.plan, sent.here, sent.table, width))
        frame.add_widget(Widget())
        frame.add_widget(back)

    def _build_choice(self, frame: Any, width: float, now: TogetherNow) -> None:
        told = _("together.choose_the_other_table")
        frame.add_widget(head(_("screens.with_another_table"), told, width))
        half = (width - style.gap_l) / 2 if self.landscape else width
        area = BoxLayout(
            spacing=style.gap_l, orientation="horizontal" if self.landscape else "vertical"
        )
        tables = [self._table_row(one, half - style.gap) for one in now.tables]
        if not tables:
            text = missing_text(connected=now.connected)
            tables = [Words(text, color=style.ash, width=half - style.gap)]
        area.add_widget(self.listing(tables, style.gap_s))
        area.add_widget(Column(self._seats(half), style.gap_s, listing=True))
        frame.add_widget(area)
        back = Key(_("screens.go_back"), self.back, symbol="←")
        if self.chosen:
            back.size_hint_x = 0.7
            invite = _("together.invite_table").format(table=self.chosen)
            frame.add_widget(beside(back, Key(invite, self.invite, symbol="→", primary=True)))
        else:
            frame.add_widget(back)

    def _table_row(self, one: TableThere, width: float) -> Any:
        text = _("together.they_are_playing") if one.busy else _("together.they_are_free")
        title = _("together.table").format(table=one.name)
        press = partial(self.choose, one.name)
        return AnswerRow(title, text, one.name == self.chosen, press, width)

    def _seats(self, width: float) -> list[Any]:
        names = _names(self.plan)
        there = (
            _("together.table").format(table=self.chosen) if self.chosen else _("together.there")
        )
        rows = []
        for seat, name in enumerate(names):
            here = seat in self.here
            place = _("together.at_this_table") if here else there
            press = partial(self.move, seat)
            rows.append(_SeatRow(_face(self.plan, seat), name, place, width, press, here=here))
        return rows


class InvitationScreen(_Following):
    """An invitation by another table. ``on_yes``: it is accepted; ``on_no``: it is refused, or was
    withdrawn."""

    def __init__(
        self,
        together: TwoTables,
        on_yes: Callable[[], None],
        on_no: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        self._on_yes, self._on_no = on_yes, on_no
        super().__init__(together, **kwargs)

    def yes(self) -> None:
        """Accepts the invitation."""
        if self.together.now.received is not None:
            self._on_yes()

    def no(self) -> None:
        """Refuses the invitation."""
        self.together.refuse()
        self._on_no()

    def build(self, frame: Any, width: float) -> None:
        received = self.together.now.received
        if received is None:
            text = _("together.table_has_taken_it_back")
            table = "" if self._shown.received is None else self._shown.received.table
            title = _("together.the_invitation_is_gone")
            frame.add_widget(head(title, text.format(table=table) if table else "", width))
            frame.add_widget(Widget())
            frame.add_widget(Key(_("screens.go_back"), self._on_no, symbol="←", primary=True))
            return
        plan = received.plan
        title = _("together.table_invites_you").format(table=received.table)
        teller = Teller(find_game(plan.game), style.lang, ())
        text = _("together.game_each_table_plays").format(game=teller.game_name)
        told = " · ".join(filter(None, (choices_line(plan, teller), rules_line(plan, teller))))
        frame.add_widget(head(title, f"{text} {told}", width))
        frame.add_widget(seat_rows(plan, received.here, received.table, width))
        frame.add_widget(Widget())
        no = Key(_("screens.no"), self.no, symbol="✕")
        frame.add_widget(
            beside(no, Key(_("together.yes_we_play"), self.yes, symbol="✓", primary=True))
        )


class PairingsScreen(_Following):
    """The games of tournaments that may be played at this table; ``on_begin``: one is played."""

    def __init__(
        self,
        together: TwoTables,
        on_begin: Callable[[Pairing], None],
        on_leave: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        self._on_begin, self._on_leave = on_begin, on_leave
        super().__init__(together, **kwargs)

    def build(self, frame: Any, width: float) -> None:
        waiting = self.together.now.pairings
        told = "" if waiting else _("together.no_game_waits")
        frame.add_widget(head(_("together.which_game_here"), told, width))
        rows = [
            AnswerRow(
                pairing_title(one), pairing_text(one, style.lang), one.here,
                partial(self._on_begin, one), width - style.gap,
            )
            for one in waiting
        ]  # fmt: skip
        frame.add_widget(self.listing(rows, style.gap_s) if rows else Widget())
        frame.add_widget(Key(_("screens.go_back"), self._on_leave, symbol="←"))


def seat_rows(plan: MatchSetup, here: Sequence[int], table: str, width: float) -> Any:
    """The players with their tables, one below the other."""
    names = _names(plan)
    rows = []
    for seat, name in enumerate(names):
        own = seat in here
        place = _("together.at_this_table") if own else _("together.table").format(table=table)
        rows.append(_SeatRow(_face(plan, seat), name, place, width, None, here=own))
    box = BoxLayout(orientation="vertical", spacing=style.gap_s, size_hint_y=None)
    for row in rows:
        box.add_widget(row)
    box.height = sum(row.height for row in rows) + style.gap_s * (len(rows) - 1)
    return box


def _colours(plan: MatchSetup) -> tuple[str, ...]:
    game = find_game(plan.game)
    return game.colours(plan.players, game.complete_options(plan.players, plan.options))


def _names(plan: MatchSetup) -> tuple[str, ...]:
    return player_names(plan.game, style.lang, _colours(plan), plan.seats)


def _face(plan: MatchSetup, seat: int) -> Face:
    colour = _colours(plan)[seat]
    tone = tone_of_seat(token_of(game_box(plan.game), colour), colour, style.chosen.piece_colours)
    return Face(faces_of(plan.seats, plan.sitting)[seat], style.type_l, (colour, tone))


class _SeatRow(ButtonBehavior, Card):  # type: ignore[misc]
    """A seat: whose it is, and at which table; ``press``: None if nothing can be changed."""

    def __init__(
        self,
        swatch: Any,
        name: str,
        place: str,
        width: float,
        press: Callable[[], None] | None,
        *,
        here: bool,
    ) -> None:
        super().__init__(fill="slate", line="edge", size_hint_y=None, height=style.target)
        self.text, self._swatch = name, swatch
        mark_chosen(self, here)
        self._sign = Symbol(
            text="⇄" if press is not None else "", font_size=style.type_s, color=style.ash,
            size_hint=(None, None),
        )  # fmt: skip
        self._sign.size = self._sign.extent
        room = width - swatch.width - self._sign.width - 5 * style.gap
        sizes = (style.type_s, style.type_xs)
        self._name = Words(
            name, bold=True, width=room / 2, line_height=1.0,
            font_size=fit_one_line(name, sizes, room / 2),
        )  # fmt: skip
        self._place_words = Words(
            place, width=room / 2, halign="right", line_height=1.0,
            color=style.tone("bone" if here else "ash"),
            font_size=fit_one_line(place, sizes, room / 2),
        )  # fmt: skip
        inner = max(self._name.height, self._place_words.height, swatch.height) + style.gap_s
        self.height = max(inner, style.target if press is not None else 0)
        for part in (swatch, self._name, self._place_words, self._sign):
            self.add_widget(part)
        self.bind(pos=self._place, size=self._place)
        if press is not None:
            self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        middle = self.y + self.height / 2
        self._swatch.pos = (self.x + style.gap, middle - self._swatch.height / 2)
        left = self.x + 2 * style.gap + self._swatch.width
        self._name.pos = (left, middle - self._name.height / 2)
        right = self.x + self.width - style.gap
        self._sign.pos = (right - self._sign.width, middle - self._sign.height / 2)
        right -= self._sign.width + (style.gap_s if self._sign.text else 0)
        words = self._place_words
        words.pos = (right - words.width, middle - words.height / 2)
