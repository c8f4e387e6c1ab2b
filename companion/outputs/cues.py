"""Cues: what lamps, score display and voice do when something happens at the table.

One small table serves all games. A cue is colour *and* rhythm: steady means agreed, a slow pulse
asks, a fast double blink means "not allowed, put back". A correction lights and says only what
changed.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.journal.events import Source
from companion.match.correction_path import first_step
from companion.match.events import (
    Agreed,
    Asked,
    Over,
    Penalised,
    Refused,
    StateEntered,
    TableEvent,
    TimeUp,
    TookBack,
    Trouble,
)
from companion.match.layout_diff import changes_of, told_moves
from companion.match.view import TableState, TableView, waits_to_be_set
from companion.outputs.clock_ticker import ClockBeat
from companion.outputs.display_lines import display_lines
from companion.outputs.lamp_sites import Places
from companion.settings.preferences import Preferences, Spoken
from hardware.lamps.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig
from hardware.supervised_thread import SupervisedThread
from rules.box import load_box
from rules.core import Move
from rules.errors import Sentence
from rules.games import find_game
from rules.telling import Teller
from rules.texts import Texts

__all__ = ["SPEECH", "CueDirector", "Speech"]

# Okabe and Ito, "Color Universal Design" (2008): told apart with every kind of colour vision.
OK = (0, 158, 115)
ASK = (86, 180, 233)
STOP = (213, 94, 0)
DAWN = (240, 194, 75)
CALL_S = 3.0
"""So long the lamps call somebody to the screen."""
URGENCY = (Rhythm.OFF, Rhythm.STEADY, Rhythm.SLOW_PULSE, Rhythm.DOUBLE_BLINK)
"""What says more comes later."""


@dataclass(frozen=True, slots=True)
class Speech:
    """Which events are spoken."""

    moves: bool = False
    turns: bool = True
    refusals: bool = True
    results: bool = True
    reasons: bool = False
    """Whether it also says why something is refused, and more about whose turn it is."""


SPEECH: Mapping[Spoken, Speech] = {
    "quiet": Speech(moves=False, turns=False, refusals=True, results=False),
    "short": Speech(),
    "full": Speech(moves=True, reasons=True),
}
"""What the voice says at each level."""


class CueDirector:
    """Listens to a session and conducts a rig. Returns at once; the rig has its own threads."""

    def __init__(
        self,
        rig: Rig,
        lang: str,
        lamp_sites: Mapping[str, Places] | None = None,
        speech: Speech = SPEECH["short"],
    ) -> None:
        self.rig = rig
        self.lang = lang
        self._lamp_sites = {} if lamp_sites is None else lamp_sites
        self.speech = speech
        """What is spoken."""
        self._turn = threading.RLock()
        self._lent = False
        self._shown: TableView | None = None
        self._teller: tuple[tuple[object, ...], Teller] | None = None
        self._flash: dict[str, Light] = {}
        self._asked: int | None = None
        self._match_id = ""
        self._trouble: Trouble | None = None
        self._call: SupervisedThread | None = None
        """Ends the light by which a phone calls; None if none does."""
        self._beat = ClockBeat(self._show_time)

    def __call__(self, view: TableView, events: Sequence[TableEvent]) -> None:
        """A session's listener."""
        with self._turn:
            self._hear(view, events)

    def tune(self, chosen: Preferences) -> None:
        """Set lamps, voice and cues as somebody chose; takes effect at once."""
        self.rig.lamps.brightness = chosen.brightness
        self.rig.sound.tune(chosen.lang, chosen.volume)
        self.speech = SPEECH[chosen.speech]
        if self.lang != chosen.lang:
            self.lang = chosen.lang
            self.show_again()

    def lend(self) -> None:
        """Leave lamps and score display to somebody else, until ``take_back``. Voice and buzzer go
        on: players must not miss anything meanwhile.
        """
        with self._turn:
            self._lent = True

    def take_back(self) -> None:
        """Show on lamps and score display what they would have shown without the loan."""
        with self._turn:
            self._lent = False
            self.show_again()

    def phone_asks(self, seat: int, *, by_button: bool = False) -> None:
        """A phone wants this seat: said once, and the lamps call for a moment. Any thread.

        ``by_button``: no screen asks, so it is said too how buttons answer.
        """
        with self._turn:
            view = self._shown
            if view is None or seat >= view.players:
                return
            name = self.teller(view).seat(seat)
            words = Texts("outputs.cues", self.lang)
            said = [words("phone_asks", name=name)]
            said += [words("phone_by_button")] if by_button else []
            self.rig.sound.say(_joined(said))
            self.rig.sound.buzz(Rhythm.SLOW_PULSE)
            if self._call is not None:
                self._call.end()
            call = SupervisedThread("phone's call", lambda: self._end_call(call), once=True)
            self._call = call
            call.start()
            self._show_lamps(view)

    def _end_call(self, call: SupervisedThread) -> None:
        call.rest(CALL_S)
        with self._turn:
            if self._call is call:
                self._call = None
                if self._shown is not None:
                    self._show_lamps(self._shown)

    def _show_lamps(self, view: TableView) -> None:
        if not self._lent:
            self.rig.lamps.show(self._lights(view))

    def rest(self) -> None:
        """Nothing is played: show no more seconds until the next view."""
        self._beat.follow(None)

    def close(self) -> None:
        """Show no more seconds at all."""
        self._beat.close()
        with self._turn:
            if self._call is not None:
                self._call.end()
                self._call = None

    def show_again(self) -> None:
        """Show the newest view again: the language or the lamps' places have changed."""
        with self._turn:
            if self._lent:
                return
            if self._shown is None:
                self.rig.lamps.idle()
                self.rig.score.clear()
            else:
                self._show(self._shown)

    def say_again(self) -> None:
        """Say what applies now in full, however much is spoken otherwise."""
        with self._turn:
            view = self._shown
            if view is None:
                return
            teller = self.teller(view)
            said: list[str] = []
            if view.outcome is not None:
                told = teller.outcome(view.outcome)
                said = [told.title, told.text]
            elif view.objections:
                objection = teller.objection(view.objections[0])
                said = [objection.title, objection.text, objection.do]
            elif view.state is TableState.AMBIGUOUS:
                said = [teller.text("state", view.state.value)]
                for candidate in view.candidates:
                    said.append(", ".join(map(teller.move, told_moves(candidate))))
            elif view.prompt is not None:
                prompt = teller.prompt(view.prompt)
                said = [prompt.title, prompt.text]
            self.rig.sound.say(_joined(said))

    def _hear(self, view: TableView, events: Sequence[TableEvent]) -> None:
        if view.match_id != self._match_id:
            # Nothing of the previous match may glow or be kept silent in this one.
            self._match_id, self._flash, self._asked, self._trouble = view.match_id, {}, None, None
        teller = self.teller(view)
        for event in events:
            self._flash_for(event, view)
        self._shown = view
        if not self._lent:
            self._show(view)
        if sentence := self._sentence(view, events, teller):
            self.rig.sound.say(sentence)
        if any(isinstance(event, Refused) for event in events):
            self.rig.sound.buzz(Rhythm.DOUBLE_BLINK)
        elif any(isinstance(event, Asked | TimeUp) for event in events):
            self.rig.sound.buzz(Rhythm.SLOW_PULSE)

    def _show(self, view: TableView) -> None:
        self.rig.lamps.show(self._lights(view))
        self.rig.score.show(self.lines(view))
        self._beat.follow(view.clock)

    def _show_time(self) -> None:
        """A second has passed."""
        with self._turn:
            if self._shown is not None and not self._lent:
                self.rig.score.show(self.lines(self._shown))

    def teller(self, view: TableView) -> Teller:
        """The words for this match, kept while game, names and language stay."""
        key = (view.game, view.colours, view.names, self.lang)
        if self._teller is None or self._teller[0] != key:
            teller = Teller(find_game(view.game), self.lang, view.colours)
            names = [name or teller.colours[i] for i, name in enumerate(view.names)]
            self._teller = (key, Teller(find_game(view.game), self.lang, view.colours, names))
        return self._teller[1]

    # -- score display --------------------------------------------------------------------

    def lines(self, view: TableView) -> list[str]:
        """What the score display shows: who, scores, last move or what is wrong."""
        score = self.rig.score
        columns, rows = score.columns or 20, max(score.rows, 1)
        return display_lines(view, self.teller(view), columns, rows, score.digits)

    # -- lamps ----------------------------------------------------------------------------

    def _flash_for(self, event: TableEvent, view: TableView) -> None:
        match event:
            case Agreed(_, Source.COMPUTER, sites, _) if view.physical:
                # Nothing lies there yet.
                self._flash = dict.fromkeys(sites, Light(ASK, Rhythm.SLOW_PULSE))
            case Agreed(_, src, sites, _) if sites or src is not Source.DEALER:
                # A turn that ends by itself leaves what was just moved in the light.
                self._flash = dict.fromkeys(sites, Light(OK, Rhythm.STEADY))
            case TookBack(_, sites):
                self._flash = dict.fromkeys(sites, Light(ASK, Rhythm.SLOW_PULSE))
            case StateEntered(TableState.HAND):
                self._flash = {}

    def _lights(self, view: TableView) -> dict[int, Light]:
        # A match that is over needs no attention; its lamps would glow all night.
        lights = {} if view.outcome is not None else dict(self._flash)
        asking = Light(ASK, Rhythm.SLOW_PULSE)
        if view.clock is not None and view.clock.telling:
            lights |= dict.fromkeys(self._all_lit(view), Light(DAWN, Rhythm.SLOW_PULSE))
        if self._call is not None:
            # Beneath all that says something about the board.
            lights = dict.fromkeys(self._all_lit(view), asking) | lights
        if view.state is TableState.ILLEGAL:
            stop = Light(STOP, Rhythm.DOUBLE_BLINK)
            lights = {fix.site: stop if fix.seen else asking for fix in view.fixes}
            if not view.fixes and view.refused is not None:
                lights = dict.fromkeys(view.refused.args, stop)
        elif view.state is TableState.DESYNC:
            # One piece after the other, as on the screen: many lamps at once lead nowhere. And
            # calmly: nobody has done anything wrong.
            lights = {fix.site: asking for fix in first_step(view.fixes)}
        elif view.state is TableState.PENDING:
            lights = {fix.site: asking for fix in view.fixes}
        elif view.state is TableState.AMBIGUOUS:
            box = load_box(view.box).for_game(view.game)
            # Only where the answers differ: what they have in common is not the question.
            asked = [site for change in changes_of(view, box) for site in change.sites]
            lights = dict.fromkeys(asked, asking)
        elif view.hints and view.state is TableState.SETTLED:
            hint = Light(DAWN, Rhythm.SLOW_PULSE)
            lights |= {arg: hint for move in view.hints for arg in move.args if arg not in lights}
        index = self.lamp_of(view.box)
        # Five games share one box, and a number may be a field in one and mean nothing in another.
        sites = load_box(view.box).for_game(view.game).sites
        # Two fields may share a lamp: what must be put right outshines what is well.
        urgent = sorted(lights.items(), key=lambda entry: URGENCY.index(entry[1].rhythm))
        return {
            lamp: light for site, light in urgent if site in sites for lamp in index.get(site, ())
        }

    def _all_lit(self, view: TableView) -> list[str]:
        """Every site that has a lamp: nothing is wrong, and nobody can miss it. A table may have
        fewer lamps than sites; those that it lacks are not asked for."""
        sites, index = load_box(view.box).for_game(view.game).sites, self.lamp_of(view.box)
        count = self.rig.lamps.count
        return [site for site in sites if all(lamp < count for lamp in index.get(site, ()))]

    def lamp_of(self, box: str) -> Places:
        """Which lamps stand at which site of a box."""
        chosen = self._lamp_sites.get(box)
        if chosen:
            return chosen
        return {site: (number,) for number, site in enumerate(load_box(box).site_order)}

    # -- voice ----------------------------------------------------------------------------

    def _sentence(self, view: TableView, events: Sequence[TableEvent], teller: Teller) -> str:
        """One utterance for everything that just happened; only what changed is said."""
        speech = self.speech
        said: list[str] = []
        for event in events:
            match event:
                case Agreed(moves, Source.COMPUTER, _, _):
                    said += _computers(moves, view, teller, speech)
                case Agreed(moves, _, _, _) if speech.moves:
                    said += [teller.move(move) for move in moves]
                case TookBack(moves, _) if speech.moves:
                    said += [teller.move(move) for move in moves]
                case Refused(objections, _) if speech.refusals and objections:
                    told = teller.objection(objections[0])
                    reason = [told.text] if speech.reasons else []
                    said += [told.title, *reason, told.do]
                case Penalised(_, objection) if speech.refusals:
                    said.append(teller.objection(objection).title)
                case Asked(_) if speech.refusals:
                    said.append(teller.text("state", TableState.AMBIGUOUS.value))
                case TimeUp(player):
                    said.append(_time_up(teller, player))
                case Over(outcome, new_record) if speech.results:
                    told = teller.outcome(outcome)
                    said += [told.title, told.text]
                    if new_record:
                        said.append(teller.word("new_record"))
                case Trouble(what) if event != self._trouble:
                    # A full disk causes trouble again with every picture; once is enough.
                    said.append(_spoken(what, self.lang))
        asked = view.prompt.player if view.prompt is not None else None
        # A player who has moved already knows that it is their turn.
        movers = {move.player for e in events if isinstance(e, Agreed) for move in e.moves}
        new = asked != self._asked and asked not in movers
        if speech.turns and asked is not None and new and not said:
            assert view.prompt is not None
            prompt = teller.prompt(view.prompt)
            said += [prompt.title, prompt.text] if speech.reasons else [prompt.title]
        self._asked = asked
        for event in events:
            if isinstance(event, Trouble | Agreed):
                self._trouble = event if isinstance(event, Trouble) else None
        return _joined(said)


def _joined(said: Sequence[str]) -> str:
    """Sentences as one utterance, none of them twice."""
    return ". ".join(dict.fromkeys(part.rstrip(".") for part in said if part))


def _computers(
    moves: Sequence[Move], view: TableView, teller: Teller, speech: Speech
) -> list[str]:  # fmt: skip
    """What a computer player has decided: with real pieces somebody must hear it to set it."""
    if not speech.moves and not (view.physical and speech.turns):
        return []
    told = [teller.move(move) for move in moves if move.verb != "done" or speech.moves]
    if view.physical and told and waits_to_be_set(view):
        told.append(Texts("outputs.cues", teller.lang)("please_set"))
    return told


def _time_up(teller: Teller, player: int) -> str:
    return Texts("outputs.cues", teller.lang)("time_up", name=teller.seat(player))


def _spoken(what: Sentence | None, lang: str) -> str:
    """What went wrong, as a sentence that can be listened to."""
    return Texts("outputs.cues", lang)("trouble") if what is None else what.told(lang, brief=True)
