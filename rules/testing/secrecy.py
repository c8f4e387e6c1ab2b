"""Checks that no seat is told what only others may know.

Two moves that a seat is told in the same words, and after which the same is turned up, lead to
positions that this seat cannot tell apart: what it sees and hears of them must be the same. So
every draw from a hidden pile, and every card that another player puts down unseen, shows whether
``view`` gives anything away, or the table, a prompt, or what is said against a move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from rules.core import Actor, Move
from rules.reading.sighting import looks
from rules.testing.report import Place, canonical

WORLDS = 3
"""Most moves that sound alike and are compared."""
DIFFERENT = 6
"""Most moves that sound different and are compared."""
OBJECTIONS = 12
"""Most pseudo-moves that are tried in each of their positions."""


def check_knowing(place: Place) -> None:
    """Compare what each seat sees after moves that it cannot tell apart."""
    state, seats = place.state, range(place.match.players)
    own = place.move.player
    if own is not None and len(seats) > 1:
        openly = state.public(place.move, None) == place.move
        by_seat = place.report.habits.openly.setdefault(place.move.verb, {})
        by_seat.setdefault(own, Counter())[openly] += 1
    if own is not None and (told := state.public(place.move, own)) != place.move:
        place.wrong(
            f"p{own} plays '{place.move}' and is told '{told}'",
            "Let public tell players their own moves as they are",
        )
    compare = place.deeply and place.report.deserves_more(f"sees after {place.move.verb}")
    for seat in (None, *seats):
        alike: dict[tuple[str, ...], list[Move]] = {}
        for move in place.moves:
            told = state.public(move, seat)
            if Move.parse(str(told)) != told:
                place.wrong(
                    f"'{move}' is told as '{told}', which does not parse back",
                    "Let public return a move whose text reads back",
                )
                return
            turned_up = (one.text for one in state.shown(move)[1:])
            alike.setdefault((told.text, *turned_up), []).append(move)
        if compare:
            _check_sees(place, seat, [moves[0] for moves in alike.values()][:DIFFERENT])
            if seat is not None:
                _check_all_told(place, seat)
        for (told_as, *_), moves in alike.items():
            if len(moves) > 1 and _apart(place, seat, told_as, moves):
                break


def _check_sees(place: Place, seat: int | None, moves: Sequence[Move]) -> None:
    """Check that a seat sees different things in ``view`` after moves that it is told in different
    words, and which lie on the table differently."""
    who = "everybody" if seat is None else f"seat {seat}"
    seen: dict[str, tuple[Move, Any]] = {}
    for move in moves:
        world = place.state.clone()
        world.apply(move)
        view = canonical(world.view(seat))
        first, other = seen.setdefault(view, (move, world))
        own = seat is not None and move.player == seat and _places(place, first) == _places(
            place, move
        )  # fmt: skip
        if first == move or not (own or looks(other.layout()) != looks(world.layout())):
            continue
        if canonical(other.to_json()) != canonical(world.to_json()):
            place.wrong(
                f"{who} sees the same in 'view' after '{first}' and after '{move}'",
                "Let view hold all that a seat can see on the table, and its own things",
            )
            return


def _places(place: Place, move: Move) -> list[str]:
    """The sites of a move: what it leaves behind differs by them."""
    return [arg for arg in move.args if arg in place.box.sites]


def _check_all_told(place: Place, seat: int) -> None:
    """Check that what every seat is told is told in public."""
    state = place.state
    if seat or place.match.players < 2:
        return
    for move in place.moves:
        told = {state.public(move, one).text for one in range(place.match.players)}
        everybody = state.public(move, None).text
        if len(told) == 1 and everybody not in told:
            place.wrong(
                f"every seat is told '{told.pop()}', and everybody '{everybody}'",
                "Let public tell the others no more of a move than it tells everybody",
            )
            return


def _apart(place: Place, seat: int | None, told_as: str, moves: Sequence[Move]) -> bool:
    """True if the seat can tell apart what it was told in the same words, which is noted."""
    worlds = []
    for move in (*moves[: WORLDS - 1], moves[-1]):
        after = place.state.clone()
        after.apply(move)
        worlds.append(after)
    who = "everybody" if seat is None else f"seat {seat}"
    if len({canonical(world.view(seat)) for world in worlds}) > 1:
        place.wrong(
            f"{who} is told '{told_as}' and sees in 'view' which of {len(moves)} moves it was",
            "Leave out of view what the seat was not told, or let public tell it",
        )
        return True
    question = f"{place.prompt.code} told to {'all' if seat is None else 'one'}"
    more = place.report.deserves_more(question)
    shown = _shown(place, seat, worlds, moves) if more else {}
    for what, seen in shown.items():
        if any(one != seen[0] for one in seen[1:]):
            place.wrong(
                f"{who} is told '{told_as}' and sees by {what} which of {len(moves)} moves it was",
                f"Let {what} depend on nothing that only others know",
            )
            return True
    if more and (later := _step_on(place, seat, worlds)):
        for what, seen in _shown(place, seat, later, ()).items():
            if any(one != seen[0] for one in seen[1:]):
                place.wrong(
                    f"{who} is told '{told_as}' and sees by {what}, a move later, which of "
                    f"{len(moves)} moves it was",
                    f"Let {what} depend on nothing that only others know",
                )
                return True
    return False


def _step_on(place: Place, seat: int | None, worlds: Sequence[Any]) -> list[Any]:
    """The worlds after one more move that is the same in all of them, and tells nothing."""
    legal = [{move.text: move for move in world.legal_moves()} for world in worlds]
    for text in sorted(set(legal[0]).intersection(*legal[1:])):
        move = legal[0][text]
        told = [world.public(move, seat).text for world in worlds]
        shown = [world.shown(move) for world in worlds]
        if len(set(told)) > 1 or any(one != shown[0] for one in shown[1:]):
            continue
        later = [world.clone() for world in worlds]
        for world in later:
            world.apply(move)
        return later
    return []


def _shown(
    place: Place, seat: int | None, worlds: Sequence[Any], moves: Sequence[Move]
) -> dict[str, list[Any]]:
    """The answers of the hooks in each of the worlds, by hook."""
    game, seats = place.game, range(place.match.players)
    asked = [world.prompt() for world in worlds]
    shown: dict[str, list[Any]] = {
        "layout": [world.layout() for world in worlds],
        "supply": [[world.supply(one) for one in seats] for world in worlds],
    }
    if seat is None:
        shown["prompt"] = [
            (one.actor, one.player) if one is not None and _is_private(place, one.code) else one
            for one in asked
        ]
        shown["result"] = (
            []
            if not moves
            else [
                game.touch.result(place.state, move, world)
                for move, world in zip((*moves[: WORLDS - 1], moves[-1]), worlds, strict=True)
            ]
        )
        first = asked[0]
        if first is not None and first.actor is Actor.PLAYER and not _is_private(place, first.code):
            told = f"private, which lacks '{first.code}',"
            shown[told] = [sorted(move.text for move in world.legal_moves()) for world in worlds]
    else:
        mine = [move for move in worlds[0].pseudo_moves() if move.player == seat]
        tried = Random(place.match.ply).sample(mine, min(OBJECTIONS, len(mine)))
        shown["violations"] = [[world.violations(move) for move in tried] for world in worlds]
        shown["prompt"] = list(asked)
    if seat is not None and asked[0] is not None and seat == asked[0].player:
        shown["hinted_moves"] = [world.hinted_moves() for world in worlds]
    drawn = place.prompt.actor is not Actor.PLAYER
    if seat is None and drawn and game.open_to_computers(place.match.options):
        shown["what may be done, although open_to_computers is true,"] = [
            sorted(move.text for move in world.legal_moves()) for world in worlds
        ]
    return shown


def _is_private(place: Place, code: str) -> bool:
    return place.game.touch.private is None or code in place.game.touch.private
