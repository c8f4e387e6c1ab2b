"""A question about what was played: each answer as words and as a picture. Free of Kivy.

Answers say only what the others do not say, below a sentence with a gap, and show only what the
others do not show: the cards or pieces themselves if they differ in nothing else, or the part of
the board where something would be different.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from companion.match.layout_diff import Change, changes_of, own_places, sites_of, told_moves
from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.scene import Scene, preview_scene
from companion.presentation.words.sentences import candidate_text, in_a_row, moves_in_words
from companion.presentation.words.translate import _
from rules.box import Box, PieceKind
from rules.core import Move
from rules.games import find_game
from rules.reading.reading import Candidate
from rules.telling import Teller

Rect = tuple[float, float, float, float]
"""Left, bottom, right, top in mm of the board."""

_GAP = "…"
_LONGEST_TITLE = 84
"""Maximum length of a sentence with a gap that may be a title, letters."""
_LEAST_ALIKE = 2
"""Minimum number of equal words for a title with a gap."""
_LEAST_PART = 0.36
"""The least part of the board that is shown, as a share of its longer side: a smaller one could not
be recognised."""
_MOST_MOVES = 2
"""Maximum number of moves that an answer names: enough to know what followed."""
_MOST_LARGE = 3
"""Maximum number of pieces drawn side by side on one answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer; which of the three pictures it has depends on what the others look like."""

    text: str
    """The whole sentence."""
    words: str
    """Words that the other answers do not have."""
    pieces: tuple[PieceKind, ...] = ()
    """Drawn large: the answers differ in nothing else."""
    scene: Scene | None = None
    """The board afterwards, with marks where something is different …"""
    part: Rect | None = None
    """… and the part of it that is shown; None: all of it."""
    sign: str = ""
    """A sign, if nothing would look different."""
    flag: str = ""
    """A place of its own where this answer is marked on the board."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its possible answers, likeliest first."""

    title: str
    answers: tuple[Answer, ...]


def question_of(view: TableView, teller: Teller) -> Question:
    """The question that ``view`` asks."""
    box = box_of(view)
    title, words = _worded(view, teller)
    changes = changes_of(view, box)
    large = _large(changes, view.candidates, box)
    places = ("",) * len(changes) if any(large) else own_places(changes)
    answers = [
        Answer(candidate_text(candidate, view, teller), words[number], large[number],
               flag=places[number])
        for number, candidate in enumerate(view.candidates)
    ]  # fmt: skip
    # A picture that others have too tells nothing; then a number or a sign says more.
    looks = Counter(map(_looks, changes))
    return Question(
        title,
        tuple(
            _pictured(answer, view, number, change, alike=any(large) or looks[_looks(change)] > 1)
            for number, (answer, change) in enumerate(zip(answers, changes, strict=True))
        ),
    )


def _looks(change: Change) -> tuple[object, ...]:
    return (frozenset(change.gained.items()), frozenset(change.lost.items()), change.sites)


def _pictured(
    answer: Answer, view: TableView, number: int, change: Change, *, alike: bool
) -> Answer:
    if answer.pieces:
        return answer
    sign = _sign(answer, view, number)
    if not change.sites or (alike and sign):
        return replace(answer, sign=sign)
    box = box_of(view)
    return replace(answer, scene=preview_scene(view, number, change), part=_part(box, change.sites))


def _sign(answer: Answer, view: TableView, number: int) -> str:
    """Sign for an answer that changes nothing to be seen."""
    candidate, game = view.candidates[number], find_game(view.game)
    if candidate.takeback:
        return "↺"
    verb = told_moves(candidate)[-1].verb if candidate.moves else ""
    words = answer.words.split()
    numbers = [word for word in words if word.isdigit()]
    figure = numbers[0] if len(numbers) == 1 < len(words) else ""
    return game.touch.signs.get(verb, "") or figure


# -- words ------------------------------------------------------------------------------------


def _worded(view: TableView, teller: Teller) -> tuple[str, list[str]]:
    """The title, and what each answer says below it."""
    usual, candidates = _("play.what_was_played"), view.candidates
    counted = [in_a_row(told_moves(candidate)) for candidate in candidates]
    shared = frozenset.intersection(*map(frozenset, counted))
    told = [[one for one in moves if one not in shared] for moves in counted]
    if not all(told) or any(candidate.takeback for candidate in candidates):
        return usual, [_in_brief(candidate, view, teller) for candidate in candidates]
    words = [moves_in_words(moves, teller)[:_MOST_MOVES] for moves in told]
    sentences = [", ".join(said).split(" ") for said in words]
    before, after = _alike(sentences)
    title = " ".join([*sentences[0][:before], _GAP, *_last(sentences[0], after)])
    if before + after < _LEAST_ALIKE or len(title) > _LONGEST_TITLE:
        return usual, [" ".join(sentence) for sentence in sentences]
    return title, [
        " ".join(sentence[before : len(sentence) - after]).strip(",:") for sentence in sentences
    ]


def _in_brief(candidate: Candidate, view: TableView, teller: Teller) -> str:
    few = [move for move, n in in_a_row(told_moves(candidate))[:_MOST_MOVES] for _move in range(n)]
    return candidate_text(replace(candidate, moves=tuple(few)), view, teller)


def _alike(sentences: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Numbers of words that all begin and end with, so that something is left of each between
    them."""
    if len(sentences) < 2:
        return 0, 0
    shortest = min(map(len, sentences))
    before = _same(sentences, shortest - 1)
    after = _same([sentence[::-1] for sentence in sentences], shortest - 1 - before)
    # A number keeps the word before it: "day 5" rather than a bare 5.
    bare = any(
        " ".join(sentence[before : len(sentence) - after]).strip(",:").isdigit()
        for sentence in sentences
    )
    # So does one that all end with.
    after -= after > 0 and sentences[0][len(sentences[0]) - after].strip(",:").isdigit()
    return (max(before - 1, 0) if bare else before), after


def _same(sentences: Sequence[Sequence[str]], most: int) -> int:
    columns = list(zip(*sentences, strict=False))[:most]
    return len(list(takewhile(lambda column: len(set(column)) == 1, columns)))


def _last(words: Sequence[str], count: int) -> Sequence[str]:
    return words[len(words) - count :]


# -- pictures ---------------------------------------------------------------------------------


def _large(
    changes: Sequence[Change], candidates: Sequence[Candidate], box: Box
) -> list[tuple[PieceKind, ...]]:
    """The pieces that tell the answers apart, if it is not the places that do."""
    come = [_kinds([item.kind for item in change.own.elements()], box) for change in changes]
    places = {frozenset(item.site for item in change.own) for change in changes if change.own}
    if len(places) == 1 and _distinct([kinds for kinds in come if kinds]):
        return come
    said = frozenset.intersection(*(frozenset(c.moves) for c in candidates))
    told = [tuple(m for m in told_moves(c) if m not in said) for c in candidates]
    named = [_named(moves, box) for moves in told]
    # Moves that name nothing ("done") have a sign of their own.
    shapes = {
        tuple((move.verb, *_places(move, box)) for move in moves)
        for moves, kinds in zip(told, named, strict=True)
        if kinds
    }
    if len(shapes) == 1 and _distinct([kinds for kinds in named if kinds]):
        return named
    alike = len({_looks(change) for change in changes}) < len(changes)
    return named if alike and all(named) and len(set(named)) > 1 else [()] * len(changes)


def _places(move: Move, box: Box) -> tuple[str, ...]:
    """Sites of a move; a pile of cards may be called like its card."""
    cards = {kind.id for kind in box.kinds.values() if kind.shape == "card"}
    return tuple(site for site in sites_of(move, box) if site not in cards)


def _distinct(found: Sequence[tuple[PieceKind, ...]]) -> bool:
    few = all(len(pieces) <= _MOST_LARGE for pieces in found)
    return few and len(found) > 1 and len(set(found)) == len(found)


def _kinds(kinds: Sequence[str], box: Box) -> tuple[PieceKind, ...]:
    return tuple(box.kinds[kind] for kind in sorted(kinds) if kind in box.kinds)


def _named(moves: Sequence[Move], box: Box) -> tuple[PieceKind, ...]:
    """The cards, or else the pieces of a colour, that moves name."""
    parts = [
        part
        for move in moves
        for arg in move.args
        for part in (arg.partition("=")[2] or arg).split(",")
    ]
    cards = [k.id for part in parts for k in box.kinds.values() if _is_card(k, part)]
    if cards:
        return _kinds(cards, box)
    return _kinds([f"disc {part}" for part in parts if f"disc {part}" in box.kinds][-1:], box)


def _is_card(kind: PieceKind, name: str) -> bool:
    return kind.shape == "card" and name in (kind.id, kind.id.rpartition(" ")[2])


def _part(box: Box, sites: Sequence[str]) -> Rect:
    """The part of the board around ``sites``, as little as one recognises."""
    xs: list[float] = []
    ys: list[float] = []
    for name in sites:
        site = box.sites[name]
        wide, high = (2 * site.radius,) * 2 if site.size is None else site.size
        xs += [site.at[0] - wide, site.at[0] + wide]
        ys += [site.at[1] - high, site.at[1] + high]
    least = _LEAST_PART * max(box.size)
    left, right = _at_least(min(xs), max(xs), least)
    bottom, top = _at_least(min(ys), max(ys), least)
    return (left, bottom, right, top)


def _at_least(low: float, high: float, least: float) -> tuple[float, float]:
    lack = max(least - (high - low), 0.0) / 2
    return low - lack, high + lack
