"""The history of a table: people, games, best lists, series, and every match to look at again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.journal.entries import Header
from companion.match.looking_back.library import Listed
from companion.match.looking_back.standings import (
    BestEntry,
    MatchResult,
    best_list,
    list_name,
    players,
    series_total,
)
from companion.presentation.boxes import game_box
from companion.presentation.faces import faces_of, seated
from companion.presentation.players import token_of, tone_of_seat
from companion.presentation.words.sentences import player_names
from companion.presentation.words.translate import _
from companion.ui.drawing.faces import Face
from companion.ui.screens.looking_back.words import when
from companion.ui.shell import Shell
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Link, Symbol, Words, fit_one_line
from companion.ui.widgets.page import GroundedPage
from companion.ui.widgets.sheet import Column
from rules.core import Outcome
from rules.games import find_game
from rules.telling import Teller

PEOPLE, GAMES, BEST, SERIES, MATCHES = "people", "games", "best", "series", "matches"
PAGE = 40
"""Number of matches listed at once."""


class RecordsScreen(GroundedPage):
    """``on_review`` hears the id of a match to be looked at; None: there is no review."""

    def __init__(
        self,
        shell: Shell,
        on_leave: Callable[[], None],
        *,
        on_review: Callable[[str], None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._trigger_layout()
        self._on_leave, self._on_review = on_leave, on_review
        self._matches: Sequence[Listed] = shell.library.matches()
        self._results: Sequence[MatchResult] = shell.library.results()
        self.segment = MATCHES
        self.player = ""
        """Player whose matches are shown; empty: a segment is."""
        self.shown = PAGE
        self.page.bind(size=self._resized)
        style.bind(lang=self._build, name=self._build)

    def choose(self, segment: str) -> None:
        """Show another segment."""
        self.segment, self.player, self.shown = segment, "", PAGE
        self._build()

    def open_player(self, name: str) -> None:
        """Show what this player has played; empty: all players."""
        self.player, self.shown = name, PAGE
        self._build()

    def more(self) -> None:
        """List older matches too."""
        self.shown += PAGE
        self._build()

    def leave(self) -> None:
        """The screen is no longer shown."""
        style.unbind(lang=self._build, name=self._build)

    # -- building -------------------------------------------------------------------------

    def _resized(self, *_: Any) -> None:
        style.use_size(self.width, self.height)
        self._build()

    def _build(self, *_args: Any) -> None:
        self.page.clear_widgets()
        width = self.width - 2 * style.margin
        if width < style.target * 4:
            return
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap, size_hint=(None, None),
            size=(width, self.height - 2 * style.gap), pos=(style.margin, style.gap),
        )  # fmt: skip
        head = FloatLayout(size_hint_y=None, height=style.target)
        room = width * 0.6
        told = self.player or _("screens.history")
        size = fit_one_line(told, (style.type_l, style.type_m, style.type_s), room)
        title = Words(told, bold=True, font_size=size, width=room)
        title.pos_hint = {"x": 0, "center_y": 0.5}
        leave = partial(self.open_player, "") if self.player else self._on_leave
        back = Link(_("screens.go_back"), leave, symbol="←", to_right=True)
        back.pos_hint = {"right": 1, "y": 0}
        head.add_widget(title)
        head.add_widget(back)
        frame.add_widget(head)
        for line in [] if self.player else self._tabs(width):
            frame.add_widget(line)
        rows = self._rows(width - style.gap)
        if not rows:
            rows = [_nothing(self.segment, width - style.gap)]
        frame.add_widget(Column(rows, style.gap_s, listing=True))
        self.page.add_widget(frame)

    def _tabs(self, width: float) -> list[Any]:
        tabs = [
            (MATCHES, _("looking_back.matches")),
            (PEOPLE, _("screens.players")),
            (GAMES, _("looking_back.games")),
            (BEST, _("looking_back.best_lists")),
            (SERIES, _("looking_back.series")),
        ]
        each = 5 if width > 640 * style.factor else 3
        lines = []
        for start in range(0, len(tabs), each):
            line = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=style.target)
            for segment, text in tabs[start : start + each]:
                chosen = segment == self.segment
                key = Key(text, partial(self.choose, segment), height=style.target)
                key.fill = style.tone("dawn", 0.16) if chosen else style.tone("night", 0.0)
                key.line = style.tone("dawn" if chosen else "edge")
                line.add_widget(key)
            lines.append(line)
        return lines

    def _rows(self, width: float) -> list[Widget]:
        if self.player:
            return self._player(self.player, width)
        match self.segment:
            case "people":
                return self._people(width)
            case "games":
                return self._games(width)
            case "best":
                return self._best(width)
            case "series":
                return self._series(width)
        return self._match_rows(width)

    def _people(self, width: float) -> list[Widget]:
        rows: list[Widget] = []
        for player in players(self._results):
            told = _("looking_back.won_of_played_won").format(won=player.won, played=player.played)
            favourite = Counter(
                r.header.game for r in self._results if player.name in r.header.names
            ).most_common(1)
            game = _teller(favourite[0][0]).game_name if favourite else ""
            text = _("looking_back.most_often_game").format(game=game)
            open_player = partial(self.open_player, player.name)
            face = Face(faces_of((player.name,))[0], style.target * 0.9)
            rows.append(_row(player.name, told, text, width, open_player, face))
        return rows

    def _player(self, name: str, width: float) -> list[Widget]:
        """A player's wins, by game, and every match they sat at."""
        rows: list[Widget] = []
        theirs = [r for r in self._results if name in r.header.names]
        for game, number in Counter(r.header.game for r in theirs).most_common():
            wins = sum(
                r.header.names.index(name) in r.outcome.ranking[0]
                for r in theirs if r.header.game == game
            )  # fmt: skip
            last = max(r.ended_s for r in theirs if r.header.game == game)
            told = _("looking_back.won_of_played_won").format(won=wins, played=number)
            text = _("looking_back.last_on_day").format(day=when(last))
            rows.append(_row(_teller(game).game_name, told, text, width))
        rows.append(
            Words(_("looking_back.matches"), bold=True, font_size=style.type_s, width=width)
        )
        return [*rows, *self._listed([m for m in self._matches if name in m.header.names], width)]

    def _games(self, width: float) -> list[Widget]:
        count = Counter(entry.header.game for entry in self._matches)
        ended = Counter(result.header.game for result in self._results)
        rows: list[Widget] = []
        for game, number in count.most_common():
            last = max(e.header.created_s for e in self._matches if e.header.game == game)
            told = _("looking_back.ended_of_count_finished").format(ended=ended[game], count=number)
            text = _("looking_back.last_on_day").format(day=when(last))
            rows.append(_row(_teller(game).game_name, told, text, width))
        return rows

    def _best(self, width: float) -> list[Widget]:
        lists = dict.fromkeys(
            (r.header.game, list_name(r.header, r.achievement))
            for r in self._results
            if r.achievement is not None
        )
        rows: list[Widget] = []
        for game, name in lists:
            entries = best_list(self._results, game, name)
            rows.append(
                Words(_list_title(game, name), bold=True, font_size=style.type_s, width=width)
            )
            rows += [self._best_row(entry, width) for entry in entries[:10]]
        return rows

    def _best_row(self, entry: BestEntry, width: float) -> Widget:
        header = entry.result.header
        names = ", ".join(_names(header))
        day = when(entry.result.ended_s)
        return _row(f"{entry.place}. {names}", _achieved(entry), day, width)

    def _series(self, width: float) -> list[Widget]:
        rows: list[Widget] = []
        played = Counter(r.header.series for r in self._results if r.header.series)
        for series, number in played.items():
            total = series_total(self._results, series)
            # One match alone is not a series yet.
            if total is None or number < 2:
                continue
            game = next(r.header.game for r in self._results if r.header.series == series)
            teller = _teller(game)
            points = zip(total.names, total.totals, strict=True)
            said = " : ".join(f"{teller.word(name)} {points}" for name, points in points)
            leads = teller.list([teller.word(name) for name in total.leaders])
            told = _("looking_back.count_matches").format(count=number, leaders=leads)
            if total.next_first is not None:
                first = _("looking_back.name_begins_next").format(
                    name=teller.word(total.next_first)
                )
                told = f"{told} · {first}"
            if total.lower_wins:
                fewer = _("looking_back.fewer_points_are_better")
                told = f"{told} · {fewer}"
            rows.append(_row(said, teller.game_name, told, width))
        return rows

    def _match_rows(self, width: float) -> list[Widget]:
        return self._listed(self._matches, width)

    def _listed(self, matches: Sequence[Listed], width: float) -> list[Widget]:
        rows: list[Widget] = []
        for entry in matches[: self.shown]:
            review = partial(self._review, entry.header.id)
            rows.append(MatchRow(entry, review, width))
        if len(matches) > self.shown:
            rows.append(
                Key(_("looking_back.older_matches"), self.more, symbol="…", height=style.target)
            )
        return rows

    def _review(self, match_id: str) -> None:
        if self._on_review is not None:
            self._on_review(match_id)


_FACE = 26.0
"""Side of a face in a row, at a short side of 480, px."""
_SIGNS = {"open": "▶", "finished": "✓", "abandoned": "○"}


class MatchRow(ButtonBehavior, Card):  # type: ignore[misc]
    """A match to look back at: its game and day, who played, and how it ended."""

    def __init__(self, entry: Listed, press: Callable[[], None], width: float) -> None:
        super().__init__(fill="stone", line="edge", size_hint_y=None)
        game, day = _teller(entry.header.game).game_name, when(entry.header.created_s)
        who = _who(entry)
        self.text, self.symbol = f"{game} · {day} · {who}", _SIGNS[entry.status]
        pad, side = style.gap, style.type_m
        room = width - 3 * pad - side
        self._sign = Symbol(text=self.symbol, color=style.dawn, size_hint=(None, None))
        self._sign.size = self._sign.extent
        self._game = Words(game, bold=True, width=room * 0.7)
        self._day = Words(
            day, font_size=style.type_xs, color=style.ash, width=room * 0.3, halign="right"
        )
        self._faces = _faces(entry.header, _FACE * style.factor)
        taken = sum(face.width + style.grid for face in self._faces)
        self._who = Words(who, font_size=style.type_xs, color=style.ash, width=room - taken)
        self._side = side
        self._low = max(self._who.height, self._faces[0].height)
        self.height = max(self._game.height + self._low + pad, style.target)
        for words in (self._sign, self._game, self._day, *self._faces, self._who):
            self.add_widget(words)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        pad, middle = style.gap, self.y + self.height / 2
        self._sign.center = (self.x + pad + self._side / 2, middle)
        left = self.x + 2 * pad + self._side
        top = middle + (self._game.height + self._low) / 2
        self._game.pos = (left, top - self._game.height)
        below = self._game.y + (self._game.height - self._day.height) / 2
        self._day.pos = (self.x + self.width - pad - self._day.width, below)
        line = self._game.y - self._low / 2
        for face in self._faces:
            face.pos = (left, line - face.height / 2)
            left += face.width + style.grid
        self._who.pos = (left, line - self._who.height / 2)


class _Opens(ButtonBehavior, Card):  # type: ignore[misc]
    """A row that leads to more."""

    def __init__(self, press: Callable[[], None]) -> None:
        super().__init__(fill="stone", line="edge", size_hint_y=None)
        self.bind(on_release=lambda *_: press())


def _faces(header: Header, side: float) -> list[Face]:
    """The faces of a match, ``side`` px wide, in the colours of their seats."""
    box, rules = game_box(header.game), find_game(header.game)
    tones = style.chosen.piece_colours
    seats = [
        (colour, tone_of_seat(token_of(box, colour), colour, tones))
        for colour in rules.colours(header.players, header.options)
    ]
    return [Face(face, side, seat) for face, seat in zip(seated(header), seats, strict=True)]


def _who(entry: Listed) -> str:
    """Players of a match, with the points if it is over."""
    names, outcome = _names(entry.header), entry.outcome
    if entry.status == "abandoned":
        return _("looking_back.names_given_up").format(names=", ".join(names))
    if outcome is None or len(outcome.scores) != len(names):
        return _("looking_back.names_still_open").format(names=", ".join(names))
    game = find_game(entry.header.game)
    if not game.counts_points:
        return won_by(names, outcome, game.lost_together)
    pairs = zip(names, outcome.scores, strict=True)
    return " · ".join(f"{name} {points}" for name, points in pairs)


def won_by(names: Sequence[str], outcome: Outcome, lost_together: Sequence[str]) -> str:
    """Winners and the others, where no points say it."""
    first, *others = [" · ".join(names[seat] for seat in group) for group in outcome.ranking]
    if not others or outcome.reason in lost_together:
        return " · ".join(names)
    return _("looking_back.won_by_winners").format(winners=first, others=" · ".join(others))


def _names(header: Header) -> tuple[str, ...]:
    colours = find_game(header.game).colours(header.players, header.options)
    return player_names(header.game, style.lang, colours, header.names)


def _achieved(entry: BestEntry) -> str:
    values = dict(entry.achievement.values)
    if {"gates", "discs"} <= set(values):
        return _("looking_back.gates_with_discs").format(**values)
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _list_title(game: str, name: str) -> str:
    """``12/2`` and the players' own courses, as people call them."""
    teller = _teller(game)
    course, *rest = name.split("/")
    title = f"{teller.game_name} · {teller.option_value('course', course)}"
    if rest and rest[0].isdigit():
        title += " · " + _("screens.count_players").format(count=rest[0])
    return " · ".join([title, *rest[1:]])


def _teller(game: str) -> Teller:
    rules = find_game(game)
    seats = rules.players[0]
    return Teller(rules, style.lang, rules.colours(seats, rules.complete_options(seats, {})))


def _row(
    title: str, told: str, small: str, width: float, press: Callable[[], None] | None = None,
    face: Face | None = None,
) -> Any:  # fmt: skip
    """A card: who or what at the left, how much at the right, more below; ``press`` opens more."""
    pad = style.gap
    sign = 0.0 if press is None else style.type_m
    indent = 0.0 if face is None else face.width + pad
    room = width - 2 * pad - sign - indent
    left = Words(title, bold=True, width=room * 0.52)
    right = Words(told, width=room * 0.46, halign="right")
    below = Words(small, font_size=style.type_xs, color=style.ash, width=room)
    high = max(left.height, right.height)
    card = Card(fill="slate", line="edge", size_hint_y=None) if press is None else _Opens(press)
    card.height = max(high + below.height + 2 * pad * 0.7 + style.grid, style.target)
    for words in (left, right, below, *([face] if face is not None else [])):
        card.add_widget(words)
    more = Symbol(text="›" if press else "", color=style.dawn, size_hint=(None, None))
    more.size = more.extent if press else (0, 0)
    card.add_widget(more)
    card.text = title

    def place(*_: Any) -> None:
        top = card.y + card.height - pad * 0.7
        left.pos = (card.x + pad + indent, top - left.height)
        right.pos = (card.x + card.width - pad - sign - right.width, top - right.height)
        middle = card.y + (card.height - more.height) / 2
        more.pos = (card.x + card.width - pad - more.width, middle)
        below.pos = (card.x + pad + indent, card.y + pad * 0.7)
        if face is not None:
            face.pos = (card.x + pad, card.y + (card.height - face.height) / 2)

    card.bind(pos=place, size=place)
    place()
    return card


def _nothing(segment: str, width: float) -> Widget:
    text = {
        MATCHES: _("looking_back.nothing_has_been_played_yet"),
        PEOPLE: _("looking_back.everyone_who_plays_under_a_name"),
        GAMES: _("looking_back.nothing_has_been_played_yet"),
        BEST: _("looking_back.rolling_stones_keeps_a_list"),
        SERIES: _("looking_back.a_series_begins_when_the_same"),
    }[segment]
    return Words(text, color=style.ash, width=width)
