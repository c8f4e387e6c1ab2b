"""Commands matches, export, import, review, courses, records: what the journal keeps."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from companion.app.commands import (
    OK,
    Commands,
    UsageError,
    journal_of,
    lang_of,
    print_json,
    progress_of,
    reading_of,
    tell,
    text_of,
)
from companion.journal.entries import ABANDONED, JournalError
from companion.settings.settings import state_folder
from companion.settings.writing import hand_out
from rules.games import find_game
from rules.texts import Texts


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    commands.add("matches", _matches)

    export = commands.add("export", _export)
    export.add_argument("id", metavar="ID")
    export.add_argument("--out", metavar="FILE", default=None)

    importer = commands.add("import", _import)
    importer.add_argument("file", metavar="FILE")

    review = commands.add("review", _review)
    review.add_argument("id", metavar="ID")
    review.add_argument("--seconds", type=float, default=60.0, metavar="S")

    tip = commands.add("tip", _tip)
    tip.add_argument("id", metavar="ID")
    tip.add_argument("--seconds", type=float, default=1.5, metavar="S")

    courses = commands.add("courses", _courses)
    courses.add_argument("--keep", metavar="NAME", default=None)
    courses.add_argument("--notes", metavar="TEXT", default="")
    courses.add_argument("--picture", metavar="FILE", default=None)

    records = commands.add("records", _records)
    records.add_argument("--game", metavar="GAME", default=None)


def _matches(given: argparse.Namespace) -> int:
    say = Texts("commands.records", given.lang)
    with reading_of(given) as journal:
        # Those that were only set out, before something else was done, are none.
        found = [s for s in journal.matches() if s.status != ABANDONED or s.played]
    for summary in found:
        header = summary.header
        if given.json:
            print_json({**header.to_json(), "status": summary.status, "events": summary.events})
        else:
            names = ", ".join(name for name in header.names if name)
            tell(f"{header.id}  {header.game:<20} {say(summary.status):<11} "
                  f"{summary.events:>5}  {names}")  # fmt: skip
    if not found and not given.json:
        tell(say("no_matches"))
    return OK


def _export(given: argparse.Namespace) -> int:
    with reading_of(given) as journal:
        lines = list(journal.export(journal.named(given.id).id))
    text = "\n".join(lines) + "\n"
    if given.out is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        hand_out(Path(given.out), text, make_folder=False)
    return OK


def _import(given: argparse.Namespace) -> int:
    path = Path(given.file)
    text = text_of(path)
    with journal_of(given) as journal, progress_of(given) as stage:
        try:
            found = journal.import_match(text, path, stage("import"))
        except (OverflowError, UnicodeError) as error:
            raise JournalError("not_keepable", file=path, reason=error) from error
    if given.json:
        print_json({"id": found.header.id, "moves": found.moves, "over": found.over})
    else:
        tell(found.header.id)
    return OK


def _review(given: argparse.Namespace) -> int:
    from companion.match.looking_back.history import Recording
    from companion.match.looking_back.judgements import Judgements
    from rules.players.analysis import judge, seconds_each
    from rules.players.analysis_result import what_turned, why_it_turned
    from rules.players.player import Budget
    from rules.telling import Teller

    if not 1 <= given.seconds < math.inf:
        raise UsageError("at_least_one", option="--seconds", found=given.seconds)
    with reading_of(given) as journal:
        header = journal.named(given.id)
        recording = Recording(header, journal.events(header.id))
    match = recording.match_at(len(recording))
    kept = Judgements(state_folder(given.data) / "looking-back")
    judgement = kept.of(header.id, match)
    if judgement is None:
        budget = Budget(seconds_each(match, given.seconds))
        with progress_of(given) as stage:
            told = stage("review")
            for step in judge(match, budget, header.id):
                told(step.done, step.total)
                judgement = step.judgement
        assert judgement is not None
        kept.keep(header.id, match, judgement)
    if given.json:
        print_json({"id": header.id, "game": header.game, **judgement.to_json()})
        return OK
    lang = lang_of(given)
    colours = Teller(match.game, lang, match.colours).names
    names = [own or colour for own, colour in zip(header.names, colours, strict=True)]
    teller = Teller(match.game, lang, match.colours, names)
    for point in judgement.turning_points:
        tell(f"{what_turned(point, teller)}. {why_it_turned(point, teller)}")
    if not judgement.turning_points:
        tell(teller.text("judged", "nothing"))
    return OK


def _tip(given: argparse.Namespace) -> int:
    from random import Random

    from companion.journal.events import Source, TipGiven
    from companion.journal.fold import replay
    from companion.players.opponents import ADVISER
    from companion.presentation.words.sentences import player_names
    from rules.core import Actor
    from rules.players import Budget, SeatView, find_player
    from rules.players.analysis_result import told_reason
    from rules.telling import Teller

    if not 0 < given.seconds < math.inf:
        raise UsageError("wants_seconds", option="--seconds", found=given.seconds)
    with journal_of(given) as journal:
        header = journal.named(given.id)
        match = replay(header, journal.events(header.id)).match
        prompt, seat = match.prompt, None
        if prompt is not None and prompt.actor is Actor.PLAYER:
            seat = prompt.player
        if not header.tips:
            raise JournalError("no_tips_here")
        if seat is None or header.computer(seat):
            raise JournalError("nobody_to_tip")
        view = SeatView.of(match, seat, remembers=False)
        budget, random = Budget(given.seconds), Random()
        with progress_of(given) as stage:
            stage("tip")
            choice = find_player(ADVISER).choose(view, match.legal_moves(), budget, random)
        second = choice.second
        said = None if second is None else second.move
        tip = TipGiven(seat, choice.move, choice.why.code, said)
        journal.append(header.id, tip, src=Source.COMPUTER)
    if given.json:
        print_json({"id": header.id, "player": seat, **choice.to_json()})
        return OK
    lang = lang_of(given)
    names = player_names(match.game.id, lang, match.colours, header.names)
    teller = Teller(match.game, lang, match.colours, names)
    tell(f"{teller.move(choice.move)} – {told_reason(choice.why, teller)}.")
    if second is not None:
        tell(Texts("players", lang)("second", move=teller.move(second.move)))
    return OK


def _courses(given: argparse.Namespace) -> int:
    from companion.match.looking_back.standings import Courses

    courses = Courses(state_folder(given.data) / "courses")
    if given.keep is not None:
        picture = None if given.picture is None else Path(given.picture)
        courses.keep(given.keep, given.notes, picture)
    elif given.notes or given.picture:
        raise UsageError("without_course")
    current, known = courses.current(), courses.all()
    if not known and not given.json:
        tell(Texts("commands.records", given.lang)("no_courses"))
    for course in known:
        used = course.name == current
        if given.json:
            print_json({"name": course.name, "notes": course.notes, "picture": course.picture,
                    "used": used})  # fmt: skip
        else:
            tell(f"{'→' if used else ' '} {course.name}  {course.notes}")
    return OK


def _records(given: argparse.Namespace) -> int:
    from companion.match.looking_back.standings import in_words, report, results

    with reading_of(given) as journal:
        found = results(journal, given.game)
        if given.game is not None and not found:
            # Of a game that is no longer installed there may be records; of none there are none.
            find_game(given.game)
    lang, records = lang_of(given), list(report(found))
    for record in records:
        if given.json:
            print_json(record)
        else:
            tell(in_words(record, lang))
    if not records and not given.json:
        say = Texts("commands.records", lang)
        tell(say("no_records") if given.game is None else say("no_records_of", game=given.game))
    return OK
