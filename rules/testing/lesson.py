"""Checks of a game's lesson: every touch it allows is legal and leads to its end, and it says
everything in both languages, soon enough."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core import GameError
from rules.lesson import Lesson, begin, lesson_of, play_step
from rules.match import Match
from rules.texts import AUTHORED

FEWEST, MOST = 3, 8
"""Steps of a lesson."""
MOST_SECONDS = 65.0
TOUCH_S = 2.0
"""Least seconds to find the place that glows."""
WORDS_PER_MINUTE = 180.0
AT_ONCE = 60
"""Most words to be read at once, before the board is touched."""
SENTENCES = 3
"""Number of sentences that say how to win."""
LATELY = 4
"""Last moves among which is what has just followed by itself."""


def lesson_problems(game: str) -> list[str]:
    """Faults of the lesson of ``game``, as sentences."""
    try:
        lesson = lesson_of(game)
        problems = [*_wording(lesson), *_ways(begin(lesson), lesson, 0)]
    except GameError as error:
        return [str(error)]
    if not FEWEST <= len(lesson.steps) <= MOST:
        problems.append(f"the lesson has {len(lesson.steps)} steps, not {FEWEST} to {MOST}")
    return list(dict.fromkeys(problems))


def said_in(lesson: Lesson, lang: str) -> list[str]:
    """Every sentence of a lesson in a language, in the order in which it is read."""
    steps = [text for step in lesson.steps for text in (step.say[lang], step.after[lang])]
    return [*filter(None, steps), *lesson.win[lang]]


def _wording(lesson: Lesson) -> Iterator[str]:
    for lang in AUTHORED:
        words = sum(len(text.split()) for text in said_in(lesson, lang))
        seconds = words / WORDS_PER_MINUTE * 60 + len(lesson.steps) * TOUCH_S
        if seconds > MOST_SECONDS:
            yield f"the lesson takes {seconds:.0f} s in {lang}"
        if len(lesson.win[lang]) != SENTENCES or not all(lesson.win[lang]):
            yield f"how one wins is not said in {SENTENCES} sentences in {lang}"
        for number, step in enumerate(lesson.steps, 1):
            if not step.say[lang]:
                yield f"step {number} of the lesson says nothing in {lang}"
    first, second = AUTHORED
    for one, other in zip(said_in(lesson, first), said_in(lesson, second), strict=False):
        if one == other and " " in one:
            yield f"the lesson says in {first} and in {second}: '{one[:50]}'"
    for number, step in enumerate(lesson.steps, 1):
        for lang in AUTHORED:
            words = max(len(step.say[lang].split()), len(step.after[lang].split()))
            if words > AT_ONCE:
                yield f"step {number} of the lesson says {words} words at once in {lang}"
        if len({bool(text) for text in step.after.values()}) > 1:
            yield f"what comes after step {number} of the lesson is said in one language only"


def _ways(match: Match, lesson: Lesson, number: int) -> Iterator[str]:
    """Every way through the lesson from step ``number`` on (from 0)."""
    if number == len(lesson.steps):
        return
    step, legal = lesson.steps[number], set(match.legal_moves())
    open_now = [move for move in step.touch if move in legal]
    if not open_now:
        made = any(entry.move in step.touch for entry in match.log[-LATELY:])
        why = ", since it has followed by itself" if made else ""
        yield f"step {number + 1} of the lesson: nothing of it is legal: {step.touch[0]}{why}"
    for move in open_now:
        trial = match.clone()
        try:
            play_step(trial, step, move)
        except GameError as error:
            yield f"step {number + 1} of the lesson: {error}"
        else:
            yield from _ways(trial, lesson, number + 1)
