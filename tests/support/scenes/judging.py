"""Compares a record with what happened: in which order a turn was played cannot be seen, nor every
card of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.box import load_box
from rules.match import Match
from rules.reading.reading import Status, read
from rules.reading.sighting import Left, looks
from rules.testing.pictures import draw

MOST_BACK = 40
"""Number of moves back at which the table may have looked as the record has it."""
MOST_ORDERS = 200
"""Number of steps that are tried to find an order in which a turn comes to what is in the
record."""


def texts(match: Match) -> list[str]:
    """The moves of a match as texts."""
    return [entry.move.text for entry in match.log]


def as_good(record: Match, truth: Match, left: Left) -> Match | None:
    """``record`` and what is missing in it of ``truth``, if that comes to the same position.

    ``left``: what the referee has settled with although the record wants something else there.
    """
    known = Counter(texts(record))
    missing: list[str] = []
    for text in texts(truth):
        if known[text]:
            known[text] -= 1
        else:
            missing.append(text)
    if known.total():
        return _by_another_way(record, truth)
    tries = iter(range(MOST_ORDERS))
    for said in _completed(record, missing, tries):
        if _alike(said, truth, left):
            return said
    return _by_another_way(record, truth)


def _completed(record: Match, missing: list[str], tries: Iterator[int]) -> Iterator[Match]:
    """``record`` with the moves ``missing`` in every order that the rules allow, without the draws
    that follow by themselves.

    In another order it may have to be said that a player is done who could not go on then.
    """
    legal = [text for text in dict.fromkeys(missing) if not record.why_not(text)]
    if not legal:
        yield record.clone()
        asked, told = record.prompt, any(entry.move.verb == "done" for entry in record.log[-1:])
        if asked is not None and asked.player is not None and not told:
            legal = [text for text in [f"p{asked.player} done"] if not record.why_not(text)]
    for text in legal:
        if next(tries, None) is None:
            return
        trial, rest = record.clone(), missing.copy()
        trial.push(text)
        trial.follow()
        if text in rest:
            rest.remove(text)
        yield from _completed(trial, rest, tries)


def _alike(said: Match, truth: Match, left: Left) -> bool:
    """True if two positions are the same for further play, and a look at one of them says nothing
    against the other: in which order a turn was played cannot be seen."""
    game = truth.game
    if game.inference.essence(said.state) != game.inference.essence(truth.state):
        return False
    if looks(said.layout) == looks(truth.layout):
        return True
    picture = draw(load_box(game.box).for_game(game.id), truth.layout)
    reading = read(said, picture, left=left)
    return reading.status in (Status.SETTLED, Status.PENDING)


def _by_another_way(record: Match, truth: Match) -> Match | None:
    """``record`` and the end of ``truth``, if it has come to a position that is the same for
    further play by moves that cannot be told from what happened: a disc rolled again, cushions put
    elsewhere first, cards turned up and back again."""
    game, back = truth.game, truth.clone()
    reached = game.inference.essence(record.state)
    for number in range(min(truth.ply, MOST_BACK)):
        if game.inference.essence(back.state) == reached:
            trial = record.clone()
            for text in texts(truth)[truth.ply - number :]:
                if trial.why_not(text):
                    return None
                trial.push(text)
            return trial
        back.pop()
    return None
