"""Announcements: one happening, or one thing that applies now, decided here and shown many times.

``happened`` makes them of a table's events, ``standing`` of its view, ``phone_asks`` of a wish from
a phone. What comes first, whom it addresses, its sentence, its places and its rhythm are decided in
this module. Lamps, display, voice, buzzer, screens, phones, streams and brokers render it: each
looks up the kinds that it shows, and passes over the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum, StrEnum
from typing import TYPE_CHECKING

from companion.journal.events import Source
from companion.match.corrections.correction_path import first_step
from companion.match.events import (
    Asked,
    BoardOutOfSync,
    MatchOver,
    MovesCommitted,
    MovesUndone,
    Penalised,
    Refused,
    TableEvent,
    Trouble,
)
from companion.match.layout_diff import changes_of, told_moves
from companion.match.view import AWAITED, TableState, TableView, WentWrong, waits_to_be_set
from companion.presentation.boxes import game_box
from companion.presentation.views import PublicView
from hardware.rhythm import Rhythm
from rules.core import Actor, Call, Move, Objection, Outcome, Prompt
from rules.errors import Sentence
from rules.games import find_game
from rules.telling import Teller, Told
from rules.texts import Texts

if TYPE_CHECKING:
    from rules.reading.reading import Candidate

EVERYWHERE = "*"
"""Place of an announcement for all sites that have a lamp."""
RHYTHMS = (Rhythm.OFF, Rhythm.STEADY, Rhythm.SLOW_PULSE, Rhythm.DOUBLE_BLINK)
"""Rhythms from quiet to loud."""
SENTENCE = ""
"""An announcement's own sentence, among the texts of its row."""


class What(StrEnum):
    """Kinds of announcements; where streams and brokers tell of one, this is its name there."""

    AGREED = "move.agreed"
    """Moves were taken into the record."""
    TO_SET = "move.to_set"
    """A computer player's moves were taken into the record, and hands must carry them out with real
    pieces."""
    TAKEN_BACK = "move.taken_back"
    """Moves were taken back, in this order; ``ply`` are left."""
    AMENDED = "entry.amended"
    """An entry is put right from move ``ply`` on; new ones follow as ``move.agreed``."""
    REFUSED = "move.refused"
    """A move is not allowed; only if everyone may know what was tried."""
    WRONG = "wrong"
    """A move is not allowed, and it is too early to say why."""
    BREACH = "breach.noted"
    """A breach was noted, as ``enforcement`` wants it."""
    ASKED = "asked"
    """People are to choose between explanations."""
    PROPOSED = "proposed"
    """One move was recognised and waits to be agreed."""
    PENDING = "pending"
    """Pieces are to be put down."""
    DIFFERS = "table.differs"
    """The board differs from the record; nobody is accused."""
    CALLED = "call.made"
    """Hands must do something, such as ``shuffle``, or players should know, such as ``time_up``."""
    TROUBLE = "trouble"
    """A failure; nothing agreed is lost."""
    PHONE = "phone_asks"
    """A phone asks for a seat."""
    TURN = "turn.started"
    """A player is asked to decide something."""
    CHANCE = "chance"
    """The dealer or the table is asked, perhaps about a player."""
    HINTS = "hints"
    """The game points out moves."""
    SCORE = "score.changed"
    """Points are different."""
    STATE = "table.state"
    """``settled``, ``pending``, ``hand``, ``proposed``, ``ambiguous``, ``illegal`` or ``desync``:
    [as on the screen](architecture.md#from-picture-to-record)."""
    WON = "match.won"
    """Players have won; absent if all lost together."""
    ENDED = "match.ended"
    """A match is over; after ``match.won``."""


class Urgency(IntEnum):
    """Importance of hearing an announcement."""

    SHOWN = 0
    """Only shown."""
    PLAY = 1
    """Moves and choices of players."""
    NEWS = 2
    """Turns, things that hands must do now, and the end."""
    WARNING = 3
    """Faults, and all that does not wait."""


class Cue(Enum):
    """A colour and a rhythm, never a colour alone."""

    AGREED = ("ok", Rhythm.STEADY)
    ASKING = ("ask", Rhythm.SLOW_PULSE)
    HINT = ("dawn", Rhythm.SLOW_PULSE)
    FORBIDDEN = ("stop", Rhythm.DOUBLE_BLINK)

    @property
    def colour(self) -> str:
        """Its name, as in ``companion.presentation.theme.tokens``."""
        return self.value[0]

    @property
    def rhythm(self) -> Rhythm:
        """The rhythm."""
        return self.value[1]


class Share(Enum):
    """The part of the lamps that an announcement takes while it applies."""

    ALL = "all"
    """All other places are dark."""
    BELOW = "below"
    """Its places, unless they show what was announced last."""
    ABOVE = "above"
    """Its places, even where they show that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The way in which the outputs tell one kind of announcement; what is left out here is not told
    there. The buzzer needs nothing of it."""

    urgency: Urgency = Urgency.SHOWN
    stream: str | None = None
    """Fields in the stream of events, as names in ``FIELDS``; ``text=said`` is the field ``text``
    with what ``said`` is there …"""
    broker: str | None = None
    """… and in messages to a broker."""
    name: str = ""
    """Its name in both, if it is not that of the kind."""
    display: tuple[str, ...] = ()
    """Texts for small displays, in ever shorter words; ``SENTENCE`` is its own sentence."""


ROWS: Mapping[What, Row] = {
    What.TURN: Row(
        urgency=Urgency.NEWS, stream="turn seat name", broker="seat name turn",
        display=(SENTENCE, "turn"),
    ),
    What.AGREED: Row(
        urgency=Urgency.PLAY, stream="ply seat=mover move text=said",
        broker="seat=mover text=said",
    ),
    What.TO_SET: Row(
        urgency=Urgency.NEWS, stream="ply seat=mover move text=said",
        broker="seat=mover text=said", name="move.agreed",
    ),
    What.TAKEN_BACK: Row(
        urgency=Urgency.PLAY, stream="ply moves texts", broker="seat=mover text=said"
    ),
    What.AMENDED: Row(stream="ply"),
    What.REFUSED: Row(
        urgency=Urgency.WARNING, stream="title text do rule", broker="rule text=title",
        display=(SENTENCE, "refused", "refused_short"),
    ),
    What.BREACH: Row(
        urgency=Urgency.WARNING, stream="seat name", broker="seat rule text=title"
    ),
    What.CALLED: Row(
        urgency=Urgency.WARNING, stream="code seats names text=title",
        broker="code seats names text=title", display=(SENTENCE,),
    ),
    What.SCORE: Row(stream="scores"),
    What.STATE: Row(stream="state"),
    What.DIFFERS: Row(stream=""),
    What.WON: Row(stream="seats names", broker="seats names text=title"),
    What.ENDED: Row(
        urgency=Urgency.NEWS, stream="reason ranking scores=points text=whole",
        broker="title text reason ranking scores=points",
        display=(SENTENCE, "over", "over_short"),
    ),
    What.CHANCE: Row(urgency=Urgency.NEWS, display=(SENTENCE, "turn")),
    What.ASKED: Row(urgency=Urgency.WARNING),
    What.TROUBLE: Row(urgency=Urgency.WARNING),
    What.PHONE: Row(urgency=Urgency.WARNING),
}  # fmt: skip
"""The kinds that are more than shown."""
ONLY_SHOWN = Row()


Places = Mapping[str, Cue]
AnyView = TableView | PublicView


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One thing to be told, the same at every exit."""

    what: What
    seats: tuple[int, ...] = ()
    """Seats that it addresses or is about; of an end those that share the first place."""
    subject: Call | Objection | Outcome | Prompt | Sentence | None = None
    """The matter of its sentence, if ``what`` alone does not tell it."""
    moves: tuple[Move, ...] = ()
    """Public forms of the moves."""
    ply: int = 0
    """Number of moves then; of an amendment the first that is put right."""
    candidates: tuple[Candidate, ...] = ()
    """The explanations to choose from."""
    places: Places | None = None
    """The cue of each place from now on; None: all stay as they are."""
    share: Share = Share.ALL
    """The lamps that it takes while it applies."""
    rhythm: Rhythm = Rhythm.OFF
    """Its rhythm for the ear."""
    again: bool = False
    """True if the players whom it addresses know it already."""
    do: str = ""
    """The text that says what to do, if the subject does not."""
    new_record: bool = False
    """True if it is better than all earlier matches of its best list."""

    @property
    def urgency(self) -> Urgency:
        """Importance of hearing it."""
        return self.row.urgency

    @property
    def row(self) -> Row:
        """The way in which outputs tell it."""
        return ROWS.get(self.what, ONLY_SHOWN)

    @property
    def name(self) -> str:
        """Its name in the stream and in messages to a broker."""
        return self.row.name or self.what.value

    @property
    def takes_back(self) -> bool:
        """True if all that is to be agreed is that moves were taken back."""
        only = self.candidates[0] if len(self.candidates) == 1 else None
        return only is not None and only.takeback > 0 and not only.moves

    def told(self, teller: Teller) -> Told:
        """Its sentence in the language of ``teller``: what it is, why, and what to do. Of kinds
        that are only shown there is none."""
        words = Texts("announcements", teller.lang)
        do = words(self.do) if self.do else ""
        match self.subject:
            case Call():
                return replace(teller.call(self.subject), do="")
            case Objection():
                return teller.objection(self.subject)
            case Outcome():
                return teller.outcome(self.subject)
            case Prompt():
                return teller.prompt(self.subject)
            case Sentence():
                return Told(self.subject.told(teller.lang, brief=True), "", do, "")
        if self.moves:
            return Told(joined(map(teller.move, self.moves)), "", do, "")
        if self.what is What.ASKED:
            answers = (", ".join(map(teller.move, told_moves(one))) for one in self.candidates)
            title = teller.text("state", TableState.AMBIGUOUS.value)
            return Told(title, joined(answers), do, "")
        name = teller.seat(self.seats[0]) if self.seats else ""
        return Told(words(self.what.value, name=name), "", do, "")

    def by_move(self) -> tuple[Announcement, ...]:
        """One announcement for each of its moves."""
        begin = self.ply - len(self.moves) + 1
        return tuple(
            replace(self, moves=(move,), ply=begin + number)
            for number, move in enumerate(self.moves)
        )


FIELDS: Mapping[str, Callable[[Announcement, PublicView, Teller], object]] = {
    "ply": lambda one, _view, _teller: one.ply,
    "turn": lambda _one, view, _teller: view.turn,
    "seat": lambda one, _view, _teller: one.seats[0],
    "name": lambda one, _view, teller: teller.seat(one.seats[0]),
    "seats": lambda one, _view, _teller: one.seats,
    "names": lambda one, _view, teller: [teller.seat(seat) for seat in one.seats],
    "mover": lambda one, _view, _teller: one.moves[0].player,
    "move": lambda one, _view, _teller: one.moves[0].text,
    "said": lambda one, _view, teller: teller.move(one.moves[0]),
    "moves": lambda one, _view, _teller: [move.text for move in one.moves],
    "texts": lambda one, _view, teller: [teller.move(move) for move in one.moves],
    "title": lambda one, _view, teller: one.told(teller).title,
    "text": lambda one, _view, teller: one.told(teller).text,
    "do": lambda one, _view, teller: one.told(teller).do,
    "rule": lambda one, _view, teller: one.told(teller).rule,
    "whole": lambda one, _view, teller: str(one.told(teller)),
    "code": lambda one, _view, _teller: one.subject.code if isinstance(one.subject, Call) else "",
    "scores": lambda _one, view, _teller: view.scores,
    "state": lambda _one, view, _teller: view.state,
    "reason": lambda one, _view, _teller: _outcome(one).reason,
    "ranking": lambda one, _view, _teller: _outcome(one).ranking,
    "points": lambda one, _view, _teller: _outcome(one).scores,
}
"""Everything that programs outside are told of announcements, as JSON data."""


def fields_of(names: str, one: Announcement, view: PublicView, teller: Teller) -> dict[str, object]:
    """The fields of an announcement that a row names."""
    pairs = (name.partition("=") for name in names.split())
    return {name: FIELDS[source or name](one, view, teller) for name, _, source in pairs}


def _outcome(one: Announcement) -> Outcome:
    assert isinstance(one.subject, Outcome)
    return one.subject


def joined(said: Iterable[str]) -> str:
    """Sentences as one utterance, none of them twice."""
    return ". ".join(dict.fromkeys(part.rstrip(".") for part in said if part))


# -- what applies now -------------------------------------------------------------------------


def standing(view: TableView) -> Iterator[Announcement]:
    """Announcements that apply now, those that matter most first."""
    if view.outcome is not None:
        yield _ended(view.outcome)
    refused, asked = refusal(view), _question(view)
    if refused is not None:
        yield refused
    if asked is not None and asked.candidates:
        yield asked
    if asked is not None and not asked.candidates:
        yield asked
    yield from calls(view)
    if view.prompt is not None:
        yield _prompted(view.prompt)
    if view.hints and view.state is TableState.SETTLED:
        pointed = {arg: Cue.HINT for move in view.hints for arg in move.args}
        yield Announcement(what=What.HINTS, moves=view.hints, places=pointed, share=Share.BELOW)


def first(made: Iterable[Announcement], *shown: What) -> Announcement | None:
    """The first of these kinds."""
    return next((one for one in made if one.what in shown), None)


def at_head(view: TableView) -> Call | None:
    """The call for the head of a screen; None while anything matters more."""
    most = next(standing(view), None)
    return most.subject if most is not None and isinstance(most.subject, Call) else None


def refusal(view: AnyView) -> Announcement | None:
    """Refusal of a move that is not allowed now; of several reasons the first."""
    if not view.objections:
        return None
    places = _wrong_places(view) if isinstance(view, TableView) else None
    return Announcement(what=What.REFUSED, subject=view.objections[0], places=places)


def _wrong_places(view: TableView) -> Places | None:
    if view.state is not TableState.ILLEGAL:
        return None
    if not view.fixes and view.refused is not None:
        return dict.fromkeys(view.refused.args, Cue.FORBIDDEN)
    return {fix.site: Cue.FORBIDDEN if fix.seen else Cue.ASKING for fix in view.fixes}


def _question(view: TableView) -> Announcement | None:
    """The camera's question, or its doubt, if people are to answer it or to put it right."""
    sites: Iterable[str]
    match view.state:
        case TableState.DESYNC:
            # One piece after the other, as on the screen: many lamps at once lead nowhere. And
            # calmly: nobody has done anything wrong.
            what, sites = What.DIFFERS, (fix.site for fix in first_step(view.fixes))
        case TableState.PENDING:
            what, sites = What.PENDING, (fix.site for fix in view.fixes)
        case TableState.AMBIGUOUS:
            # Only where the answers differ: what they have in common is not the question.
            changes = changes_of(view, game_box(view.game))
            what, sites = What.ASKED, (site for change in changes for site in change.sites)
        case TableState.PROPOSED:
            return Announcement(what=What.PROPOSED, candidates=view.candidates)
        case TableState.ILLEGAL if not view.objections:
            return Announcement(what=What.WRONG, places=_wrong_places(view))
        case _:
            return None
    places = dict.fromkeys(sites, Cue.ASKING)
    return Announcement(what=what, candidates=view.candidates, places=places)


def _prompted(prompt: Prompt, *, again: bool = False) -> Announcement:
    what = What.TURN if prompt.actor is Actor.PLAYER else What.CHANCE
    seats = () if prompt.player is None else (prompt.player,)
    return Announcement(what=what, seats=seats, subject=prompt, again=again)


def calls(view: AnyView) -> list[Announcement]:
    """The calls that apply now."""
    return [_called(call) for _ply, call in view.calls if view.outcome is None]


def cue_of(call: Call) -> Cue:
    """Colour and rhythm of a call."""
    return Cue.ASKING if call.hands else Cue.HINT


def _called(call: Call) -> Announcement:
    cue = cue_of(call)
    return Announcement(
        what=What.CALLED, seats=call.seats, subject=call, rhythm=cue.rhythm,
        places=dict.fromkeys(call.sites or (EVERYWHERE,), cue),
        share=Share.ALL if call.hands else Share.ABOVE,
    )  # fmt: skip


def _ended(outcome: Outcome) -> Announcement:
    seats = outcome.ranking[0] if outcome.ranking else ()
    return Announcement(what=What.ENDED, seats=seats, subject=outcome)


# -- what has happened ------------------------------------------------------------------------


def happened(
    before: AnyView | None, view: AnyView, events: Sequence[TableEvent]
) -> tuple[Announcement, ...]:
    """Announcements of the way from the view ``before``, in order; None: a match's first view.

    Those of a public view tell nothing that is not public.
    """
    return (
        *_of_events(before, view, events),
        *_of_views(before, view, events),
        # After whose turn it is, which the voice keeps to itself once anything else is said.
        *_of_calls(before, view),
        *_of_end(view, events),
    )


def _of_end(view: AnyView, events: Sequence[TableEvent]) -> Iterator[Announcement]:
    for event in events:
        if not isinstance(event, MatchOver):
            continue
        ended = _ended(event.outcome)
        if won := winners(event.outcome, view.game):
            yield replace(ended, what=What.WON, seats=won)
        # It needs no attention; lamps would glow all night.
        yield replace(ended, places={}, new_record=event.new_record)


def winners(outcome: Outcome, game: str) -> tuple[int, ...]:
    """The seats that share the first place; none where all lost together."""
    lost = outcome.reason in find_game(game).lost_together
    return () if lost or not outcome.ranking else outcome.ranking[0]


def phone_asks(seat: int, *, by_button: bool) -> Announcement:
    """A phone asks for a seat; ``by_button``: buttons answer it, because no screen does."""
    return Announcement(
        what=What.PHONE, seats=(seat,), places={EVERYWHERE: Cue.ASKING}, rhythm=Rhythm.SLOW_PULSE,
        do="phone_by_button" if by_button else "",
    )  # fmt: skip


def _of_events(
    before: AnyView | None, view: AnyView, events: Sequence[TableEvent]
) -> Iterator[Announcement]:
    took = False
    for event, ply in zip(events, _plies_after(view, events), strict=True):
        match event:
            case MovesCommitted(moves, src):
                if took and src is not Source.DEALER:
                    yield Announcement(what=What.AMENDED, ply=ply - len(moves) + 1)
                yield _agreed(event, ply, view)
            case MovesUndone(moves, sites):
                places = dict.fromkeys(sites, Cue.ASKING)
                yield Announcement(what=What.TAKEN_BACK, moves=moves, ply=ply, places=places)
            case Refused() if view.objections:
                known = before is not None and before.objections == view.objections
                yield Announcement(
                    what=What.REFUSED, subject=view.objections[0], again=known,
                    rhythm=Cue.FORBIDDEN.rhythm if view.physical else Rhythm.OFF,
                )  # fmt: skip
            case Penalised(player, objection):
                yield Announcement(what=What.BREACH, seats=(player,), subject=objection)
            case Asked():
                yield Announcement(what=What.ASKED, rhythm=Cue.ASKING.rhythm)
            case BoardOutOfSync():
                yield Announcement(what=What.DIFFERS)
            case Trouble(what):
                # A full disk causes trouble again with every picture; once is enough.
                known = isinstance(before, TableView) and before.wrong == WentWrong(what)
                yield Announcement(what=What.TROUBLE, subject=what, again=known)
        took = isinstance(event, MovesUndone) or (took and not isinstance(event, MovesCommitted))


def _agreed(event: MovesCommitted, ply: int, view: AnyView) -> Announcement:
    if event.src is Source.COMPUTER and view.physical:
        # Nothing lies there yet.
        waits = isinstance(view, TableView) and waits_to_be_set(view)
        return Announcement(
            what=What.TO_SET, moves=event.moves, ply=ply,
            places=dict.fromkeys(event.sites, Cue.ASKING), do="please_set" if waits else "",
        )  # fmt: skip
    # A turn that ends by itself leaves what was just moved in the light.
    shows = event.sites or event.src is not Source.DEALER
    places = dict.fromkeys(event.sites, Cue.AGREED) if shows else None
    return Announcement(what=What.AGREED, moves=event.moves, ply=ply, places=places)


def _plies_after(view: AnyView, events: Sequence[TableEvent]) -> list[int]:
    """Number of moves after each event; the last one led to ``view``."""
    plies, ply = [], view.ply
    for event in reversed(events):
        plies.append(ply)
        if isinstance(event, MovesCommitted):
            ply -= len(event.moves)
        elif isinstance(event, MovesUndone):
            ply += len(event.moves)
    return plies[::-1]


def _of_calls(before: AnyView | None, view: AnyView) -> Iterator[Announcement]:
    known = () if before is None else before.calls
    for made in view.calls:
        if made not in known:
            # Its lamps shine no longer than it applies.
            yield replace(_called(made[1]), places=None)


def _of_views(
    before: AnyView | None, view: AnyView, events: Sequence[TableEvent]
) -> Iterator[Announcement]:
    """Announcements found by comparing the views."""
    if before is None or before.state is not view.state:
        # A hand over the board: what was moved before is no longer of interest.
        places: Places | None = {} if view.state is TableState.HAND else None
        yield Announcement(what=What.STATE, places=places)
    if view.counts_points and (before is None or before.scores != view.scores):
        yield Announcement(what=What.SCORE)
    prompt, old = view.prompt, None if before is None else before.prompt
    if prompt is None or prompt.player is None:
        return
    known = old is not None and old.player == prompt.player
    turn = None if before is None else (before.turn, before.asked)
    if not known or (view.asked is not None and (view.turn, view.asked) != turn):
        # A player who has moved knows already that it is their turn.
        movers = {move.player for e in events if isinstance(e, MovesCommitted) for move in e.moves}
        # Of all who are asked at once the call names those who are to answer still.
        called = any(call.code == AWAITED for _, call in view.calls)
        yield _prompted(prompt, again=known or called or prompt.player in movers)
