"""The output of a table at every exit at once: a transcript of what each of them shows.

    python -m tests.support.exits

writes the transcripts of ``tests/companion/announced`` anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2s
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from companion.app import rehearse
from companion.journal.entries import Header
from companion.journal.store import Journal
from companion.match.events import TableEvent
from companion.match.messages import Message, Tick
from companion.match.public_log import PublicIds
from companion.match.rehearsing.rehearsal import Rehearsal, Told
from companion.match.table import Table
from companion.match.view import PlayMove, Redo, TableView, Undo
from companion.mqtt.messages import MOST_EVENTS, Outbox
from companion.mqtt.topics import Topics
from companion.outputs.cues import SPEECH, CueDirector
from companion.outputs.display_lines import display_lines
from companion.presentation.announcement import at_head
from companion.presentation.scene import scene_of
from companion.presentation.table_words import instruction, table_words
from companion.presentation.touching import Picked
from companion.presentation.views import Snapshot, snapshot_of
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import speaking
from companion.presentation.words.troubles import chip_text, note
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Manners
from companion.settings.preferences import Spoken
from companion.web.event_stream import Happened, Happenings
from hardware.displays.segments import Digits
from hardware.lamps.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig
from rules.box import load_box
from rules.core import Call, Move
from rules.games import find_game
from rules.match import Match
from rules.telling import Teller
from rules.testing.playout import pick
from rules.texts import LANGUAGES, Texts
from tests.support.command import ROOT
from tests.support.phone_pictures import public_json, seat_json
from tests.support.rehearsing import SCENES
from tests.support.rehearsing import scene_of as written_scene

ANNOUNCED = ROOT / "tests" / "companion" / "announced"
PLAYED = {
    "any_game": [],
    "dolmengoetter": [
        "a_dolmen_pushed_under_a_pile_is_asked_for", "a_druid_falls_over_and_is_stood_up",
        "offence_a_dolmen_without_a_right", "only_score_a_druid_set_too_early_falls_into_order",
    ],
    "dominion": [
        "a_second_card_on_top_may_have_replaced_the_first", "offence_two_cards_with_one_buy",
    ],
    "erbaut_stonehenge": ["a_druid_lifted_for_ten_seconds", "offence_a_field_where_a_druid_waits"],
    "hoher_rat": ["a_seat_is_taken_back", "offence_a_trilithon_card_never_seats"],
    "knizia_stonehenge": [
        "a_stone_is_taken_back_after_it_was_recorded", "offence_somebody_elses_megalith",
        "a_touch_comes_before_the_piece",
    ],
    "opferroulette": ["offerings_are_laid_by_all_at_once", "offence_an_offering_where_one_lies"],
    "rollende_steine": [
        "a_mark_falls_out_and_is_put_back", "offence_a_gate_is_scored_twice",
        "a_cushion_is_laid_and_taken_back",
    ],
    "trilithen_knallen": [
        "offence_out_of_turn", "the_next_player_places_while_cards_lie_face_up",
    ],
}  # fmt: skip
"""Scenes whose transcripts are kept, by game."""

LATER_S = 1e9
"""Time of transcripts' tables, monotonic seconds: so late that no clock runs while one is made."""
DEALT = ('"seat":null', "dealer ")
"""Parts of messages on dealt cards, which are too many to read."""
SIZES = ((20, 4), (16, 2), (8, 1))
SHOWN = ("prompt", "why", "result", "outcome", "state", "last")
"""Fields of pictures for phones that are in words."""
MARKS = (
    "ghosts", "last", "targets", "hints", "asked", "picked", "flags", "wrong", "arrows",
)  # fmt: skip
"""Fields of a board besides its pieces."""
COLOURS: Mapping[tuple[int, int, int], str] = {
    (0, 158, 115): "ok", (86, 180, 233): "ask", (213, 94, 0): "stop", (240, 194, 75): "dawn",
}  # fmt: skip


@dataclass
class _Rig:
    """Lamps, score display and sound that write down what they are told."""

    columns: int = 20
    rows: int = 4
    digits: None = None
    count: int = 9999
    lights: Mapping[int, Light] = field(default_factory=dict)
    shown: Sequence[str] = ()
    said: list[str] = field(default_factory=list)
    buzzed: list[Rhythm] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lamps = SimpleNamespace(show=self._light, count=self.count)
        self.score = SimpleNamespace(show=self._show, columns=20, rows=4, digits=None)
        self.sound = SimpleNamespace(say=self.said.append, buzz=self.buzzed.append)

    def _light(self, lights: Mapping[int, Light]) -> None:
        self.lights = lights

    def _show(self, lines: Sequence[str]) -> None:
        self.shown = lines

    def taken(self) -> list[str]:
        """Sentences said since the last call."""
        said, self.said[:] = list(self.said), []
        return said


class Exits:
    """Listens to a table like everything else does; ``lines`` are told, ``sums`` are of all."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.lines: list[str] = []
        self._sums: dict[str, Any] = {}
        self._before: dict[str, str] = {}
        self._rigs: dict[Spoken, tuple[_Rig, CueDirector]] = {}
        for spoken, speech in SPEECH.items():
            rig = _Rig()
            self._rigs[spoken] = (rig, CueDirector(cast("Rig", rig), lang, speech=speech))
        self._stream: Happenings | None = None
        self._broker = Outbox(Topics("table"), "0", aliases=PublicIds(b"the same"))
        self._called: tuple[tuple[int, Call], ...] = ()

    @property
    def sums(self) -> list[str]:
        """One line for each exit, about all that came out of it."""
        return [f"{name} {found.hexdigest()}" for name, found in sorted(self._sums.items())]

    def hear(self, table: Table, events: Sequence[TableEvent], *, told: bool = True) -> None:
        """Takes events at the table; ``told``: the transcript holds them, not only their sums."""
        snapshot = snapshot_of("m", table.record, table.view(), table.hands)
        news = list(self._news(snapshot, events, phones=told))
        for name, text in news:
            if name == "mqtt config":
                # It lists the kinds of all announcements: a new one would change every transcript.
                continue
            self._sums.setdefault(name, blake2s(digest_size=6)).update(text.encode() + b"\n")
        if told:
            self.lines += [
                f"  {name}: {_short(text)}" for name, text in news
                if name in READ and not any(dealt in text for dealt in DEALT)
            ]  # fmt: skip

    def _news(
        self, snapshot: Snapshot, events: Sequence[TableEvent], *, phones: bool
    ) -> Iterator[tuple[str, str]]:
        yield from self._of_cues(snapshot.view, events)
        for name, text in self._of_screens(snapshot.view):
            yield from self._changed(name, text)
        for name, text in self._of_phones(snapshot) if phones else ():
            yield from self._changed(name, text)
        yield from self._of_network(snapshot, events)
        called = [call for call in snapshot.view.calls if call not in self._called]
        self._called = snapshot.view.calls
        yield from self._of_terminal(snapshot.match, [*events, *(call for _ply, call in called)])

    def _of_cues(self, view: TableView, events: Sequence[TableEvent]) -> Iterator[tuple[str, str]]:
        for spoken, (rig, director) in self._rigs.items():
            rig.buzzed.clear()
            director(view, events)
            for said in rig.taken():
                yield f"voice {spoken}", said
            director.say_again()
            again = "; ".join(rig.taken())
            if spoken != "short":
                continue
            yield from (("buzzer", rhythm.value) for rhythm in rig.buzzed)
            order = load_box(view.box).site_order
            lit = {order[lamp]: light for lamp, light in rig.lights.items()}
            yield from self._changed("lamps", " ".join(
                f"{site}={COLOURS[light.color]}/{light.rhythm.value}"
                for site, light in sorted(lit.items())
            ))  # fmt: skip
            yield from self._changed("again", again)
            yield from self._changed("display 20x4", " | ".join(rig.shown))
        teller = teller_of(view, self.lang)
        for columns, rows in SIZES[1:]:
            lines = display_lines(view, teller, columns, rows, None, LATER_S)
            yield from self._changed(f"display {columns}x{rows}", " | ".join(lines))
        lines = display_lines(view, teller, 4, 1, Digits(4, colon=True), LATER_S)
        yield from self._changed("digits", " | ".join(lines))

    def _changed(self, name: str, text: str) -> Iterator[tuple[str, str]]:
        if self._before.get(name) != text:
            self._before[name] = text
            yield name, text

    def _of_screens(self, view: TableView) -> Iterator[tuple[str, str]]:
        with speaking(self.lang):
            teller = teller_of(view, self.lang)
            chip = chip_text(view, teller.text("state", view.state.value))
            yield "head", f"{chip} / {note(view)} / {'up' if at_head(view) else ''}"
            yield "room", instruction(table_words(view, self.lang))
            scene = scene_of(view, Picked())
            shown = {name: getattr(scene, name) for name in MARKS}
            marks = {k: sorted(v, key=str) if isinstance(v, frozenset) else v
                     for k, v in shown.items() if v}  # fmt: skip
            yield "board", str(marks)

    def _of_phones(self, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
        public = public_json(snapshot, self.lang)
        public["last"]["sites"].sort()
        yield "page", _json({key: public[key] for key in SHOWN})
        prompt = snapshot.match.prompt
        own = seat_json(snapshot, prompt.player or 0 if prompt else 0, self.lang)
        own.pop("public")
        yield "phone", _json(own)

    def _of_network(
        self, snapshot: Snapshot, events: Sequence[TableEvent]
    ) -> Iterator[tuple[str, str]]:
        happened: list[Happened] = []
        if self._stream is None:
            self._stream = Happenings()
            happened += self._stream.opened(snapshot.public)
        for one in [*happened, *self._stream.heard(snapshot.public, events)]:
            yield "stream", one.told[self.lang].decode()
        self._broker.take(snapshot.view, events, self.lang)
        for message in [*self._broker.kept(self.lang), *self._broker.events(MOST_EVENTS)]:
            told = message.topic.rpartition("/")[2]
            yield f"mqtt {told}", message.payload.decode()

    def _of_terminal(
        self, match: Match, events: Sequence[TableEvent | Call]
    ) -> Iterator[tuple[str, str]]:
        teller = Teller(match.game, self.lang, match.colours)
        say = Texts("commands.rehearse", self.lang)
        rehearsal = SimpleNamespace(
            told=[Told(0.0, event) for event in events], match=match, asked=0, refusals=()
        )
        *records, _end = rehearse.records(cast("Rehearsal", rehearsal), teller)
        for record in records:
            yield "terminal", rehearse.in_words(record, say, teller).strip()


READ = frozenset({
    "voice full", "voice short", "again", "buzzer", "lamps", "display 20x4", "display 8x1",
    "head", "room", "stream", "mqtt event", "terminal",
})  # fmt: skip
"""Exits that a transcript holds in words; the others are in its sums."""


def random_transcript(game: str, most: int = 60) -> Iterator[str]:
    """A digital match with a clock in which people also try what is forbidden, and take back.

    After ``most`` touches only the last one is heard.
    """
    rules, random = find_game(game), Random(game)
    players = rules.players[min(1, len(rules.players) - 1)]
    header = Header(
        id="its-id", game=game, players=players, options=rules.complete_options(players, {}),
        physical=False, seed="1", names=("Anna", "", "Jörg", "Eva", "Ben")[:players],
        enforcement="enforce", created_s=1_700_000_000.0, clock="turn 60",
    )  # fmt: skip
    with Journal(":memory:") as journal:
        journal.create(header)
        table = Table(journal, header, Manners())
        exits = {lang: Exits(lang) for lang in LANGUAGES}
        tried: list[Move] = []
        now = LATER_S
        for step in range(most):
            if table.match.outcome is not None:
                break
            message = _tried(table, tried, step, random)
            now += 7.0
            if step % 13 == 12:
                now += 80.0
                _hear(exits, table, Tick(), now, told=step < 45)
            plain = isinstance(message, PlayMove) and message.move in table.view().legal
            _hear(exits, table, message, now, told=step < 3 or (not plain and step < 45))
        events: list[TableEvent] = []
        while table.match.outcome is None:
            match = table.match
            move = pick(match.state, match.state.legal_moves(), random)
            events = table.handle(PlayMove(move), now)
        for one in exits.values():
            one.lines.append("the last move")
            one.hear(table, events)
        yield from _written(exits)


def _tried(table: Table, tried: list[Move], step: int, random: Random) -> Message:
    """The next action of a player: mostly a legal move."""
    legal, match = table.view().legal, table.match
    allowed = set(legal)
    forbidden = [move for move in tried[-40:] if move not in allowed]
    if step % 5 == 4 and forbidden:
        return PlayMove(random.choice(forbidden))
    if step % 11 == 9:
        return Undo()
    if step % 22 == 10:
        return Redo()
    tried += legal
    return PlayMove(pick(match.state, list(legal), random))


def scene_transcript(game: str, scene: str, enforcement: str = "") -> Iterator[str]:
    """A written scene before a camera; ``enforcement``: not the scene's own."""
    written = written_scene(SCENES / game / f"{scene}.jsonl")
    rules, heading = find_game(game), written.heading
    rehearsal = Rehearsal(
        rules, heading.players or min(rules.players), heading.options,
        Enforcement(enforcement or heading.enforcement or "enforce"), dealt=heading.dealt,
        seed=heading.seed,
    )  # fmt: skip
    exits = {lang: Exits(lang) for lang in LANGUAGES}
    table = rehearsal.table
    handle = table.handle

    def heard(message: Message, now: float, *src: Any) -> list[TableEvent]:
        events = handle(message, LATER_S + now, *src)
        if events:
            for lang in LANGUAGES:
                exits[lang].lines.append(f"{now:.1f} s")
                exits[lang].hear(table, events)
        return events

    table.handle = heard  # type: ignore[method-assign, assignment]
    rehearsal.play(written)
    yield from _written(exits)


def _hear(
    exits: Mapping[str, Exits], table: Table, message: Message, now: float, *, told: bool
) -> None:
    events = table.handle(message, now)
    for one in exits.values():
        if told:
            what = message.move.text if isinstance(message, PlayMove) else type(message).__name__
            one.lines.append(what)
        one.hear(table, events, told=told)


def _written(exits: Mapping[str, Exits]) -> Iterator[str]:
    yield from exits["en"].lines
    for lang, one in exits.items():
        yield from (f"all of {lang} {line}" for line in one.sums)


def transcript(game: str) -> Iterator[str]:
    """A random match of a game, and some of its scenes."""
    yield "A match at random"
    yield from random_transcript(game)
    for scene in PLAYED[game]:
        yield f"\n{scene}"
        yield from scene_transcript(game, scene)
    for scene in PLAYED[game][-1:]:
        yield "\nThe last of them, penalised"
        yield from scene_transcript(game, scene, "penalise")


def _short(text: str) -> str:
    """A message without what all of them begin with."""
    if not text.startswith("{"):
        return text
    told = json.loads(text)
    return _json({key: told[key] for key in told if key not in ("v", "n", "match", "game")})


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True)


if __name__ == "__main__":
    for game in PLAYED:
        (ANNOUNCED / f"{game}.txt").write_text("\n".join(transcript(game)) + "\n", encoding="utf-8")
