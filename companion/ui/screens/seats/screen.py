"""The choice of players: seats around a table, names by touch, house rules on a page of their
own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.boxes import game_box
from companion.presentation.faces import faces_of
from companion.presentation.players import token_of, tone_of_seat
from companion.presentation.setting_up.choices import Naming, choices_of, kinds_of, value_of
from companion.presentation.setting_up.company import (
    Playing,
    company_told,
    fitting_company,
    offered,
    playing_of,
    playings,
    shown_names,
    sit,
    swap_seats,
    with_playing,
    words_of,
)
from companion.presentation.setting_up.options import known_options, take_colour, worn_by
from companion.presentation.theme.tokens import Rgba
from companion.presentation.words.translate import _
from companion.settings.people import LONGEST_NAME, MatchSetup, clean_name
from companion.ui.drawing.faces import Face
from companion.ui.screens.seats.choices import KindPicker, choice_cards, naming_keys, value_rows
from companion.ui.screens.seats.faces import FaceChoice, FaceKey
from companion.ui.screens.seats.name import NameField, colour_keys, company_keys, recent_names
from companion.ui.screens.seats.rules import rules_line, rules_rows
from companion.ui.screens.seats.table import SeatKey, SeatTable
from companion.ui.shell import Shell
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.choice import Pick, stacked
from companion.ui.widgets.keyboard import Keyboard, typed
from companion.ui.widgets.page import PageScreen, beside, head
from rules.games import find_game
from rules.telling import Teller

_TWO_AT_AN_EDGE = 6
"""Number of players of whom no three sit side by side."""
_ONE_LINE = 5
"""Number of keys with figures that have room in one line."""


class SeatsScreen(PageScreen):
    """Sets up a match of ``game``; ``on_start`` gets the plan."""

    def __init__(
        self,
        shell: Shell,
        game: str,
        on_start: Callable[[MatchSetup], None],
        on_leave: Callable[[], None],
        on_together: Callable[[MatchSetup], None] | None = None,
        on_puzzles: Callable[[], None] | None = None,
        **kwargs: Any,
    ) -> None:
        """``on_together`` gets the plan of a match with another table, ``on_puzzles`` leads to the
        game's puzzles; None: there is none."""
        super().__init__(**kwargs)
        self.shell, self._on_start, self._on_leave = shell, on_start, on_leave
        self._on_together, self._on_puzzles = on_together, on_puzzles
        self.plan = fitting_company(shell.plan_for(game))
        """The match that is being set up."""
        self.editing: int | None = None
        """The seat whose name is being typed."""
        self.swapping: int | None = None
        """The seat that changes places with the next one touched."""
        self.page_shown = "seats"
        """``seats``, ``rules``, or the option that is being chosen."""
        self._naming: Naming | None = None
        """Kinds named so far as its value."""
        self._lot = Random()
        self._draft = ""
        self.picking_face = False
        """True while a face for the seat that is being edited is chosen."""
        self._face_picked = ""
        self._chosen = False
        """True if rules were chosen by hand, so that no earlier setup replaces them."""
        self._as_before = any(self.plan.seats)

    # -- what touches do ------------------------------------------------------------------

    def change(self, **changes: Any) -> None:
        """Change the plan."""
        self.plan = fitting_company(replace(self.plan, **changes))
        if set(changes) - {"names", "players"}:
            self._chosen, self._as_before = True, False
        if "players" in changes:
            self.plan = replace(self.plan, options=known_options(self.plan))
            self._as_before = False
        self.renew()

    def touch_seat(self, seat: int) -> None:
        """Type this seat's name, or let it change places."""
        if self.swapping is not None:
            other, self.swapping = self.swapping, None
            self.plan = swap_seats(self.plan, seat, other)
            self.renew()
            return
        self.editing, self._draft, self._face_picked = seat, self.plan.seats[seat], ""
        self.renew()

    def name_seat(self, name: str) -> None:
        """Give the seat that is being edited a name; empty: it is called by its colour."""
        assert self.editing is not None
        names = list(self.plan.seats)
        name = clean_name(name)
        if name and self._face_picked and name == clean_name(self._draft):
            self.shell.people.keep_faces({name: self._face_picked})
        if name in names and name:
            # Somebody who sits elsewhere moves here; nobody sits on two chairs.
            names[names.index(name)] = names[self.editing]
        if name or not self.plan.sitting[self.editing]:
            self.plan = sit(self.plan, self.editing, "")
        names[self.editing] = name
        self.editing = None
        self.plan = replace(self.plan, names=tuple(names))
        self._adopt()
        self.renew()

    def seat_company(self, player: str) -> None:
        """A computer player takes the seat that is being edited; an empty text: a person does, who
        may say their name."""
        assert self.editing is not None
        self.plan = fitting_company(sit(self.plan, self.editing, player))
        self._draft, self._as_before = "", False
        if player:
            self.editing = None
        self.renew()

    def take_colour(self, colour: str) -> None:
        """Gives the seat that is being edited this colour; the seat that had it gets the other."""
        assert self.editing is not None
        self.plan = take_colour(self.plan, self.editing, colour)
        self._chosen, self._as_before = True, False
        self.renew()

    def open_faces(self) -> None:
        """Shows the faces to choose from."""
        self.picking_face = True
        self.renew()

    def take_face(self, face: str) -> None:
        """The person whose name is being edited has this face from now on."""
        self.picking_face, self._face_picked = False, face
        self.renew()

    def forget(self) -> None:
        """Removes the name that is being edited from the list, and from its seat."""
        self.shell.people.forget(self._draft)
        self.name_seat("")

    def swap(self) -> None:
        """The seat that is being edited changes places with the one touched next, and takes along
        what was typed so far."""
        seat = self.editing
        if seat is not None and clean_name(self._draft) != self.plan.seats[seat]:
            self.name_seat(self._draft)
        self.swapping, self.editing = seat, None
        self.renew()

    def show_page(self, name: str) -> None:
        """Show ``seats``, ``rules``, or the page of an option that decides what is played."""
        self.page_shown, self.swapping, self._naming = name, None, None
        self._lists = []
        self.renew()

    def back(self) -> None:
        """One step back."""
        if self.picking_face:
            self.picking_face = False
            self.renew()
        elif self.editing is not None or self.swapping is not None:
            self.editing = self.swapping = None
            self.renew()
        elif self.page_shown != "seats":
            self.show_page("seats")
        else:
            self._on_leave()

    def choose(self, option: str, value: str) -> None:
        """This value of an option that decides what is played."""
        self._naming = None
        self.change(options={**self.plan.options, option: value})

    def name_kinds(self, naming: Naming) -> None:
        """These kinds are named so far; as many as there should be are the value."""
        if naming.value:
            self.choose(naming.option, naming.value)
            return
        self._naming = naming
        self.renew()

    def start(self) -> None:
        """Begin the match."""
        self._on_start(self._as_set_up())

    def start_together(self) -> None:
        """Begin it with another table."""
        assert self._on_together is not None
        self._on_together(self._as_set_up())

    def _as_set_up(self) -> MatchSetup:
        shown = zip(self.plan.seats, self._faces(), strict=True)
        self.shell.people.keep_faces({name: face for name, face in shown if name})
        options = known_options(self.plan)
        return replace(self.plan, names=self.plan.seats, options=options, clock=self._clock)

    def _adopt(self) -> None:
        """Adopts the last choices of these people, unless some were made already."""
        names = self.plan.seats
        computers = self.plan.sitting
        if self._chosen or not all(n or c for n, c in zip(names, computers, strict=True)):
            return
        before = self.shell.plan_for(self.plan.game, names)
        if sorted(before.seats) == sorted(names):
            options = worn_by(before, names)
            self.plan = fitting_company(
                replace(before, names=names, options=options, computers=computers)
            )
            self._as_before = True

    # -- building -------------------------------------------------------------------------

    def build(self, frame: Any, width: float) -> None:
        if self.editing is not None and self.picking_face:
            self._build_faces(frame, width, self.editing)
        elif self.editing is not None:
            self._build_name(frame, width, self.editing)
        elif self.page_shown == "rules":
            self._build_rules(frame, width)
        elif self.page_shown == "seats":
            self._build_seats(frame, width)
        else:
            self._build_choice(frame, width, self.page_shown)

    def _teller(self) -> Teller:
        game = find_game(self.plan.game)
        options = game.complete_options(self.plan.players, known_options(self.plan))
        colours = game.colours(self.plan.players, options)
        return Teller(game, style.lang, colours)

    def _colours(self) -> Sequence[str]:
        game = find_game(self.plan.game)
        options = game.complete_options(self.plan.players, known_options(self.plan))
        return game.colours(self.plan.players, options)

    def _build_seats(self, frame: Any, width: float) -> None:
        teller = self._teller()
        told = _("seats.touch_a_seat_to_say")
        if find_game(self.plan.game).palette:
            told = _("seats.touch_a_seat_to_say_who_sits_there")
        if self.swapping is not None:
            told = _("seats.touch_the_seat_to_swap_with")
        elif company := company_told(self.plan, style.lang):
            told = company
        elif self._as_before:
            told = f"{teller.tagline} {_('seats.touch_a_seat_to_change_it')}"
        else:
            told = f"{teller.tagline} {told}"
        frame.add_widget(head(teller.game_name, told, width, self._head_keys()))
        column_width = style.column if self.landscape else width
        column = self._side(teller, column_width)
        height = sum(w.height for w in column) + style.gap * (len(column) - 1)
        room = width - column_width - style.margin if self.landscape else width
        table = SeatTable(self.plan.game, self._seats(teller, room), self._places())
        words = BoxLayout(
            orientation="vertical", spacing=style.gap, size_hint=(None, None),
            size=(column_width, height),
        )  # fmt: skip
        for widget in column:
            words.add_widget(widget)
        if self.landscape:
            words.pos_hint = {"center_y": 0.5}
            area = BoxLayout(spacing=style.margin)
            area.add_widget(table)
            area.add_widget(words)
            frame.add_widget(area)
        else:
            frame.add_widget(table)
            frame.add_widget(words)
        if choices := choices_of(self.plan):
            frame.add_widget(choice_cards(self.plan, choices, teller, self.show_page, width))
        back = Key(_("screens.back_to_the_shelf"), self.back, symbol="←", size_hint_x=0.7)
        keys = [back, Key(_("screens.start_playing"), self.start, primary=True)]
        if self._on_together is not None and self.plan.people == self.plan.players > 1:
            keys.insert(1, Key(_("screens.with_another_table"), self.start_together, symbol="⇄"))
        if self.landscape:
            keys.insert(1, self._rules_key(style.button))
        frame.add_widget(beside(*keys))

    def _head_keys(self) -> list[Any]:
        if self._on_puzzles is None:
            return []
        look = {"height": style.target, "size_hint": (None, None), "width": 130 * style.factor}
        return [Key(_("screens.puzzles"), self._on_puzzles, symbol="✦", **look)]

    def _rules_key(self, height: float) -> Any:
        open_rules = partial(self.show_page, "rules")
        return Key(_("seats.rules_and_referee"), open_rules, symbol="§", height=height)

    def _places(self) -> list[tuple[float, float]] | None:
        """Positions of the seats, if the box says so; see ``SeatTable``."""
        game, box = find_game(self.plan.game), game_box(self.plan.game)
        players = self.plan.players
        options = game.complete_options(players, known_options(self.plan))
        sites = [box.sites.get(game.sits_at(n, players, options)) for n in range(players)]
        return [site.at for site in sites if site is not None] if all(sites) else None

    def _seats(self, teller: Teller, room: float) -> list[SeatKey]:
        faces, names = self._faces(), shown_names(self.plan, style.lang)
        wide = 156 * style.factor
        if self.plan.players > _TWO_AT_AN_EDGE:
            wide = min(wide, (room - 2 * style.gap_s) / 3)
        size = (wide, 58 * style.factor)
        seats = []
        for seat, colour in enumerate(self._colours()):
            word = teller.colours[seat]
            face = Face(faces[seat], 40 * style.factor, self._tone(colour))
            name, text = names[seat] or word, word if names[seat] else _("seats.add_a_name")
            if self.plan.sitting[seat]:
                text = _("seats.computer_player")
            press = partial(self.touch_seat, seat)
            seats.append(SeatKey(face, name, text, press, size, chosen=seat == self.swapping))
        return seats

    def _side(self, teller: Teller, width: float) -> list[Widget]:
        game = find_game(self.plan.game)
        rows: list[Widget] = []
        if len(game.players) > 1:
            counts = [(str(count), count) for count in game.players]
            pick = partial(self._pick, "players")
            across = 0 if len(counts) <= _ONE_LINE else -(-len(counts) // 2)
            asked = _("screens.players")
            rows.append(Pick(asked, counts, self.plan.players, pick, width, across))
        ways = playings(game.id)
        if len(ways) > 2:
            rows.append(self._ways(ways, width))
        elif len(ways) > 1:
            kinds = [(_("seats.real_pieces"), True), (_("seats.screen_only"), False)]
            pick = partial(self._pick, "physical")
            barred = {True: self._barred(Playing.CAMERA)}
            asked, chosen = _("seats.you_play_with"), self.plan.physical
            rows.append(Pick(asked, kinds, chosen, pick, width, barred=barred))
        if self.landscape and len(ways) > 2:
            return rows
        if not self.landscape:
            rows.append(self._rules_key(style.target))
        summary = Words(
            rules_line(self.plan, teller), color=style.ash, font_size=style.type_xs, width=width
        )
        rows.append(summary)
        return rows

    def _ways(self, ways: Sequence[Playing], width: float) -> Any:
        """The ways of playing, with a sentence about the one that is chosen."""
        chosen, asked = playing_of(self.plan), _("seats.how_you_play")
        answers = [(words_of(way)[0], way) for way in ways]
        told = words_of(chosen)[1]
        barred = {way: self._barred(way) for way in ways}
        rows = [
            Pick(asked, answers, chosen, self._play_so, width, across=2, barred=barred),
            Words(told, color=style.ash, font_size=style.type_xs, width=width),
        ]
        return stacked(rows, style.grid)

    def _barred(self, way: Playing) -> str:
        """The reason why it cannot be played so; empty if it can."""
        possible = playing_of(fitting_company(with_playing(self.plan, way))) is way
        return "" if possible else _("seats.not_with_a_computer_player")

    def _play_so(self, way: Playing) -> None:
        plan = with_playing(self.plan, way)
        self.change(options=plan.options, physical=plan.physical)

    @property
    def _clock(self) -> str:
        """The clock chosen; none for one player alone."""
        return self.plan.clock if self.plan.players > 1 else ""

    def _pick(self, name: str, value: Any) -> None:
        self.change(**{name: value})

    # -- the page of rules ----------------------------------------------------------------

    def _build_rules(self, frame: Any, width: float) -> None:
        teller = self._teller()
        told = _("seats.they_apply_to_this_match")
        frame.add_widget(head(_("seats.rules_and_referee"), told, width))
        inner = width - style.gap
        rows = rules_rows(self.plan, teller, self.change, inner)
        frame.add_widget(self.listing(rows, style.gap_s))
        frame.add_widget(Key(_("screens.done"), self.back, symbol="✓", primary=True))

    # -- the page of one choice -----------------------------------------------------------

    def _build_choice(self, frame: Any, width: float, option: str) -> None:
        teller, plan = self._teller(), self.plan
        choice = find_game(plan.game).choices[option]
        title, told = teller.option(option)
        done = Key(_("screens.done"), self.back, symbol="✓", primary=True)
        if not choice.kinds:
            frame.add_widget(head(title, told, width))
            pick = partial(self.choose, option)
            rows = value_rows(plan, option, teller, pick, width - style.gap)
            frame.add_widget(self.listing(rows, style.gap_s))
            frame.add_widget(done)
            return
        named = kinds_of(plan.game, option, value_of(plan, option))
        naming = self._naming or Naming(plan.game, option, plan.players, named)
        count, number = len(naming.chosen), choice.number
        if count:
            told = _("play.count_of_wanted_cards").format(count=count, wanted=number)
        if count not in (0, number):
            done = Key(_("screens.cancel"), self.back, symbol="←")
            text = _("seats.choose_count_more" if count < number else "seats.leave_count_out")
            told = f"{told} – {text.format(count=abs(number - count))}"
        if self.landscape:
            done.size_hint_x, done.width, done.height = None, style.column * 0.62, style.target
        frame.add_widget(head(f"{title}: {told}", "", width, [done] if self.landscape else []))
        played, take = self.shell.options_played(plan.game), partial(self.choose, option)
        frame.add_widget(naming_keys(naming, plan, teller, played, self._lot, take, width))
        options = find_game(plan.game).complete_options(plan.players, known_options(plan))
        frame.add_widget(KindPicker(naming, teller, self.name_kinds, self._read, options))
        if not self.landscape:
            frame.add_widget(done)

    def _read(self, make: Callable[..., Widget]) -> None:
        """A card lies large over everything until it was read."""
        reader: Any = make(
            lambda: self.page.remove_widget(reader), lambda: None, size_hint=(None, None),
            size=self.page.size, pos=self.page.pos,
        )  # fmt: skip
        self.page.add_widget(reader)

    # -- the page of one name -------------------------------------------------------------

    def _build_name(self, frame: Any, width: float, seat: int) -> None:
        teller = self._teller()
        word = teller.colours[seat]
        title = _("seats.who_plays_colour").format(colour=word)
        line = BoxLayout(spacing=style.gap, size_hint_y=None, height=style.target)
        colours = colour_keys(
            self.plan.game, self._colours(), teller, seat, self.take_colour, width,
            landscape=self.landscape,
        )  # fmt: skip
        line.add_widget(self._face_key(seat))
        self._field = NameField(title)
        self._field.show(self._draft)
        line.add_widget(self._field)
        self._clear = Key("", self._clear_name, symbol="✕", height=style.target, size_hint_x=None)
        self._clear.width = style.target
        line.add_widget(self._clear)
        frame.add_widget(line)
        # A lying screen has no room for one more row.
        row = line if self.landscape else BoxLayout(
            spacing=style.gap_s, size_hint_y=None, height=style.target
        )  # fmt: skip
        for colour in colours:
            row.add_widget(colour)
        if colours and not self.landscape:
            frame.add_widget(row)
        if players := offered(self.plan):
            sitting = self.plan.sitting[seat]
            frame.add_widget(company_keys(players, sitting, self.seat_company, width))
        known = self.shell.people.recent
        faces = dict(zip(self.plan.seats, self._faces(), strict=True))
        lines = 1 if self.landscape else 4
        frame.add_widget(recent_names(known, faces, self.name_seat, width, lines))
        if not self.landscape or not players:
            frame.add_widget(Widget())
        keys = [Key(_("screens.cancel"), self.back, symbol="←")]
        if self.plan.players > 1:
            keys.append(Key(_("seats.change_places"), self.swap, symbol="⇄"))
        if self._draft in self.shell.people.recent:
            keys.append(Key(_("seats.forget_the_name"), self.forget))
        keys.append(Key(_("screens.done"), self._named, symbol="✓", primary=True))
        self._keyboard = Keyboard(self._type, self._draft, width)
        frame.add_widget(self._keyboard)
        frame.add_widget(beside(*keys))

    def _face_key(self, seat: int) -> Any:
        """The face of the seat, which leads to all of them; a computer player has its own."""
        side, tone = (style.target, style.target), self._tone(self._colours()[seat])
        key = FaceKey(self._face_of(seat), self.open_faces, side, seat=tone)
        key.disabled = bool(self.plan.sitting[seat])
        return key

    def _faces(self) -> tuple[str, ...]:
        known = self.shell.people.faces.values()
        return faces_of(self.plan.seats, self.plan.sitting, known)

    def _face_of(self, seat: int) -> str:
        """The face of the seat as it is being edited."""
        if self._face_picked:
            return self._face_picked
        names = list(self.plan.seats)
        names[seat] = clean_name(self._draft)
        return faces_of(names, self.plan.sitting, self.shell.people.faces.values())[seat]

    def _tone(self, colour: str) -> tuple[str, Rgba]:
        """A colour of a seat, by name and as it is shown."""
        token = token_of(game_box(self.plan.game), colour)
        return colour, tone_of_seat(token, colour, style.chosen.piece_colours)

    def _build_faces(self, frame: Any, width: float, seat: int) -> None:
        name = clean_name(self._draft) or self._teller().colours[seat]
        title = _("seats.a_face_for_name").format(name=name)
        frame.add_widget(head(title, _("seats.it_stands_beside_the_name"), width))
        others = zip(self._faces(), self.plan.seats, strict=True)
        worn = {face: own for at, (face, own) in enumerate(others) if own and at != seat}
        frame.add_widget(
            FaceChoice(self._face_of(seat), worn, self.take_face, landscape=self.landscape)
        )
        frame.add_widget(Key(_("screens.go_back"), self.back, symbol="←"))

    def _type(self, key: str) -> None:
        self._draft = typed(self._draft, key)[:LONGEST_NAME]
        self._field.show(self._draft)

    def _clear_name(self) -> None:
        self._draft = ""
        self.renew()

    def _named(self) -> None:
        self.name_seat(self._draft)
