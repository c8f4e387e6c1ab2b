"""Checks of what a game teaches by: of its lesson, that every touch it allows is legal and leads to
its end, and that it says everything in both languages, soon enough; of its puzzles, that every move
in them is legal and every turn that solves one ends it, with words for all of it."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core import Actor, GameError, Move
from rules.lesson import Lesson, lesson_of, play_step
from rules.lesson import begin as begin_lesson
from rules.match import Match
from rules.players.ways import tasks_by_name
from rules.puzzle import Puzzle, puzzles_of
from rules.puzzle import begin as begin_puzzle
from rules.telling import Teller
from rules.testing.relations.translations import exchanged
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
CLEAR = 0.05
"""Least lead of a solution over all other moves."""


def lesson_problems(game: str) -> list[str]:
    """Faults of the lesson of ``game``, as sentences."""
    try:
        lesson = lesson_of(game)
        problems = [
            *_lesson_wording(lesson),
            *_lesson_meaning(lesson),
            *_ways(begin_lesson(lesson), lesson, 0),
        ]
    except GameError as error:
        return [str(error)]
    if not FEWEST <= len(lesson.steps) <= MOST:
        problems.append(f"the lesson has {len(lesson.steps)} steps, not {FEWEST} to {MOST}")
    return list(dict.fromkeys(problems))


def said_in(lesson: Lesson, lang: str) -> list[str]:
    """Every sentence of a lesson in a language, in the order in which it is read."""
    steps = [text for step in lesson.steps for text in (step.say[lang], step.after[lang])]
    return [*filter(None, steps), *lesson.win[lang]]


def _lesson_wording(lesson: Lesson) -> Iterator[str]:
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


def _lesson_meaning(lesson: Lesson) -> Iterator[str]:
    """Sentences that say one thing in one language and another in the other."""
    said = {lang: said_in(lesson, lang) for lang in AUTHORED}
    numbered = {
        lang: dict(zip(map(str, range(len(own))), own, strict=True)) for lang, own in said.items()
    }
    for number, told in exchanged(numbered):
        yield f"the lesson {told}: '{numbered[AUTHORED[0]][number][:50]}'"


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


def puzzle_problems(game: str) -> list[str]:
    """Faults of the puzzles of ``game``, as sentences."""
    try:
        return [
            f"puzzle {puzzle.number}: {problem}"
            for puzzle in puzzles_of(game)
            for problem in _problems(puzzle)
        ]
    except GameError as error:
        return [str(error)]


def _problems(puzzle: Puzzle) -> Iterator[str]:
    try:
        match = begin_puzzle(puzzle)
        legal = match.legal_moves()
        asked = match.prompt
        if not legal or asked is None or asked.player != puzzle.seat:
            yield f"it is not the turn of seat {puzzle.seat}"
            return
        for turn in puzzle.turns:
            yield from _played(match, turn.moves, puzzle)
        right = {turn.moves[0] for turn in puzzle.turns}
        if len(right) >= len(legal):
            yield "every move solves it"
        for move, reply in puzzle.replies.items():
            if move in right:
                yield f"a right move is answered: {move}"
            if reply.worth > puzzle.rest + 0.005:
                yield f"{move} is better than the best of the others"
            yield from _played(match, (move, *reply.moves), puzzle)
        if puzzle.worth - puzzle.rest < CLEAR:
            yield "the solution is not clearly better"
        yield from _puzzle_wording(puzzle, match)
    except GameError as error:
        yield str(error)


def _played(match: Match, moves: tuple[Move, ...], puzzle: Puzzle) -> Iterator[str]:
    trial = match.clone()
    for move in moves:
        # Chance answers between the moves of a turn.
        if move.actor is not Actor.DEALER:
            trial.deal()
        if trial.outcome is None and move not in set(trial.legal_moves()):
            yield f"{move} is not legal"
            return
        trial.push(move)
    if puzzle.task == "win" and moves == puzzle.turns[0].moves:
        outcome = trial.outcome
        if outcome is None or puzzle.seat not in outcome.ranking[0]:
            yield "the turn that wins does not win"


def _puzzle_wording(puzzle: Puzzle, match: Match) -> Iterator[str]:
    code, params = puzzle.why
    for lang in AUTHORED:
        teller = Teller(match.game, lang, match.colours)
        amounts = {"player": puzzle.seat, "best": round(puzzle.worth), "got": round(puzzle.rest)}
        said = [teller.text("puzzles", puzzle.task, **amounts)]
        if puzzle.task in tasks_by_name(match.game):
            said.append(teller.text("puzzles", f"{puzzle.task}_less", **amounts))
        if not all([*said, teller.text("reasons", code, **dict(params))]):
            yield f"something is not said in {lang}"
