"""The first steps of a game: a prepared match, and the touches of a newcomer.

A lesson is data of its game, ``lessons/<game>.toml`` in the game's package: who plays, how the
match began, and a few steps. Every step says something, names the moves that may be touched, and
says what came of them. A game without such a file has no lesson.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from rules.core import GameError, IllegalMove, Move, Options
from rules.declared import Fits, Kind, read, toml
from rules.games import find_game
from rules.match import Match
from rules.texts import AUTHORED, LANGUAGES, translated

_Both = Fits("wants_languages", lambda said: {*said} == {*AUTHORED})
Said = Annotated[Mapping[str, str], Kind("kind_names"), _Both]
"""By language."""


class LessonError(GameError):
    """A lesson's file cannot be used; the message names file and reason."""


@dataclass(frozen=True, slots=True)
class Step:
    """One touch that teaches."""

    say: Said
    """The matter, and the thing to touch."""
    touch: Annotated[tuple[Move, ...], Fits("wants_some", bool)]
    """The moves that go on from here; the first one is meant, and the others are as good."""
    then: tuple[Move, ...] = ()
    """Moves that the others make afterwards, without a touch; and those of the dealer, such as a
    throw, where they are not left to the seed. What follows by itself need not be written."""
    after: Said = field(default_factory=lambda: dict.fromkeys(AUTHORED, ""))
    """The result; empty texts if nothing needs to be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The first steps of a game."""

    game: str
    players: int
    options: Options = field(default_factory=dict)
    seed: str = ""
    beginning: tuple[Move, ...] = ()
    """Moves before the first step; what follows by itself need not be written."""
    steps: tuple[Step, ...]
    win: Annotated[Mapping[str, tuple[str, ...]], _Both]
    """By language: how one wins, in three sentences."""


def has_lesson(game: str) -> bool:
    """True if ``game`` brings a lesson. A board of the players' own has other places, and none."""
    return "@" not in game and _file_of(game).is_file()


@cache
def lesson_of(game: str) -> Lesson:
    """The lesson of ``game``; raises LessonError if it has none, or none that can be used."""
    name = _name_of(game)
    try:
        text = _file_of(game).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise LessonError("within", file=name, reason=error) from error
    with toml(text, name, LessonError) as data:
        return _in_all_languages(read(Lesson, data, game=game))


def begin(lesson: Lesson) -> Match:
    """The match as it is before the first step; raises LessonError if a move does not fit."""
    match = Match(lesson.game, lesson.players, lesson.options, seed=lesson.seed)
    for number, move in enumerate(lesson.beginning, 1):
        _lead_to(match, move)
        try:
            match.push(move)
        except GameError as error:
            reason = f"beginning {number}: {error}"
            raise LessonError("within", file=_name_of(lesson.game), reason=reason) from error
    _follow(match)
    return match


def play_step(match: Match, step: Step, touched: Move) -> None:
    """Play what is touched in ``step`` and what comes after it; raises GameError if that does not
    fit."""
    if touched not in step.touch:
        raise IllegalMove(touched, ())
    for run in runs_of(match, step, touched):
        for move in run:
            match.push(move)
        _follow(match)


def runs_of(match: Match, step: Step, touched: Move) -> list[tuple[Move, ...]]:
    """The moves of a step that begins in ``match``: each with what must come at once, so that the
    next one is still legal, such as a throw that the lesson prescribes."""
    runs: list[list[Move]] = []
    trial = match.clone()
    for move in (touched, *step.then):
        later = trial.clone()
        _follow(later)
        if not runs or not later.why_not(move):
            runs.append([])
            trial = later
        else:
            runs[-1] += _lead_to(trial, move)
        runs[-1].append(move)
        if not trial.why_not(move):
            trial.push(move)
    return [*map(tuple, runs)]


def _lead_to(match: Match, move: Move) -> list[Move]:
    """Play what follows by itself until ``move`` is legal; returns it."""
    led: list[Move] = []
    while match.why_not(move) and (auto := match.by_itself(ends_turns=True)) is not None:
        match.push(auto)
        led.append(auto)
    return led


def _follow(match: Match) -> None:
    """Play the moves that follow by themselves where everything is on the screen."""
    while (move := match.by_itself(ends_turns=True)) is not None:
        match.push(move)


def _name_of(game: str) -> str:
    return f"lessons/{game}.toml"


def _file_of(game: str) -> Any:
    return files(find_game(game).package) / _name_of(game)


def _in_all_languages(lesson: Lesson) -> Lesson:
    """The lesson of a file, which says everything in the authored languages, in all of them."""
    package = find_game(lesson.game).package

    def said(words: Mapping[str, str], key: str) -> Mapping[str, str]:
        return translated(words, lesson.game, "lesson", key, package)

    steps = [
        replace(step, say=said(step.say, f"say{n}"), after=said(step.after, f"after{n}"))
        for n, step in enumerate(lesson.steps, 1)
    ]
    both = zip(*(lesson.win[lang] for lang in AUTHORED), strict=False)
    won = [
        said(dict(zip(AUTHORED, words, strict=True)), f"win{n}") for n, words in enumerate(both, 1)
    ]
    win = {lang: tuple(words[lang] for words in won) for lang in LANGUAGES}
    return replace(lesson, steps=tuple(steps), win=win)
