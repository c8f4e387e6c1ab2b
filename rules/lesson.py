"""The first steps of a game: a prepared match, and what somebody new to it touches there.

A lesson is data of its game, ``lessons/<game>.toml`` in the game's package: who plays, how the
match began, and a few steps. Every step says something, names the moves that may be touched, and
says what came of them. A game without such a file has no lesson.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rules.core import Actor, GameError, IllegalMove, Move
from rules.games import find_game
from rules.match import Match
from rules.texts import AUTHORED, LANGUAGES, translated
from rules.toml_lines import misplaced, not_toml, only

__all__ = ["Lesson", "LessonError", "Step", "begin", "has_lesson", "lesson_of", "play_step"]

_KEYS = {"players", "options", "seed", "beginning", "steps", "win"}
_STEP_KEYS = {"say", "touch", "then", "after"}


class LessonError(GameError):
    """A lesson's file cannot be used; the message names file and reason."""


@dataclass(frozen=True, slots=True)
class Step:
    """One touch that teaches."""

    say: Mapping[str, str]
    """By language: what it is about, and what to touch."""
    touch: tuple[Move, ...]
    """The moves that go on from here; the first one is meant, and the others are as good."""
    then: tuple[Move, ...]
    """What the others do afterwards, without a touch."""
    after: Mapping[str, str]
    """By language: what came of it; empty if nothing needs to be said."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The first steps of a game."""

    game: str
    players: int
    options: Mapping[str, str]
    seed: str
    beginning: tuple[Move, ...]
    """Moves before the first step; what follows by itself need not be written."""
    steps: tuple[Step, ...]
    win: Mapping[str, tuple[str, ...]]
    """By language: how one wins, in three sentences."""


def has_lesson(game: str) -> bool:
    """Whether ``game`` brings a lesson. A board of the players' own has other places, and none."""
    return "@" not in game and _file_of(game).is_file()


@cache
def lesson_of(game: str) -> Lesson:
    """The lesson of ``game``; raises LessonError if it has none, or none that can be used."""
    name, text = f"lessons/{game}.toml", ""
    try:
        text = _file_of(game).read_text(encoding="utf-8")
        return _lesson(game, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise LessonError("bad_toml", **not_toml(name, text, error)) from error
    except KeyError as error:
        raise LessonError("lesson_unusable", **misplaced(name, text, error)) from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise LessonError("lesson_unusable", file=name, reason=str(error)) from error


def begin(lesson: Lesson) -> Match:
    """The match as it is before the first step; raises GameError if a move does not fit."""
    match = Match(lesson.game, lesson.players, lesson.options, seed=lesson.seed)
    for move in lesson.beginning:
        if move.actor is Actor.PLAYER:
            _follow(match)
        match.push(move)
    _follow(match)
    return match


def play_step(match: Match, step: Step, touched: Move) -> None:
    """Play what is touched in ``step`` and what comes after it; raises GameError if that does not
    fit."""
    if touched not in step.touch:
        raise IllegalMove(touched, ())
    for move in (touched, *step.then):
        match.push(move)
        _follow(match)


def _follow(match: Match) -> None:
    """What happens by itself where everything is on the screen."""
    while (move := match.by_itself(ends_turns=True)) is not None:
        match.push(move)


def _file_of(game: str) -> Any:
    return files(find_game(game).package) / "lessons" / f"{game}.toml"


def _lesson(game: str, data: Mapping[str, Any]) -> Lesson:
    only(data, _KEYS)
    package = find_game(game).package
    steps = [_step(game, package, number, step) for number, step in enumerate(data["steps"], 1)]
    return Lesson(
        game,
        int(data["players"]),
        {str(name): str(value) for name, value in data.get("options", {}).items()},
        str(data.get("seed", "")),
        _moves(data.get("beginning", ())),
        tuple(steps),
        _won(game, package, data["win"]),
    )


def _won(game: str, package: str, data: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    only(data, {*AUTHORED})
    sentences = [
        translated(dict(zip(AUTHORED, said, strict=True)), game, "lesson", f"win{number}", package)
        for number, said in enumerate(zip(*(data[lang] for lang in AUTHORED), strict=False), 1)
    ]
    return {lang: tuple(said[lang] for said in sentences) for lang in LANGUAGES}


def _step(game: str, package: str, number: int, data: Mapping[str, Any]) -> Step:
    only(data, _STEP_KEYS)
    touch = _moves(data["touch"])
    if not touch:
        raise ValueError("touch is empty")
    return Step(
        _said(game, package, f"say{number}", data["say"]),
        touch,
        _moves(data.get("then", ())),
        _said(game, package, f"after{number}", data.get("after", {})),
    )


def _said(game: str, package: str, key: str, data: Mapping[str, Any]) -> Mapping[str, str]:
    if data and set(data) != set(AUTHORED):
        raise ValueError(f"languages {sorted(data)}")
    words = {lang: str(data.get(lang, "")) for lang in AUTHORED}
    return translated(words, game, "lesson", key, package)


def _moves(texts: Sequence[str]) -> tuple[Move, ...]:
    return tuple(map(Move.parse, texts))
