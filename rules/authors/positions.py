"""Everything the rest of Heelstone relies on, looked for in one position."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from rules.authors.knowing import check_knowing
from rules.authors.pieces import Pieces, check_effect
from rules.authors.place import Place, canonical
from rules.authors.report import fault
from rules.core import Actor, GameError, Move, Objection

__all__ = ["check_closely", "check_quickly"]

FOREIGN = "p0 dance", "p9 done", "table dance X", "dealer dance", "p0 place"
"""Moves that no game knows."""
_WHOLE = "Let to_json write every field, and restored read each of them"
TRIED = 400
"""So many moves that were possible once are tried again."""


def check_quickly(place: Place) -> None:
    """What is looked at in every position."""
    game, state, prompt, moves = place.game, place.state, place.prompt, place.moves
    for problem in game.invariants(state):
        place.wrong(problem, "Mend apply, or the invariant")
    texts = [move.text for move in moves]
    if len(set(texts)) != len(texts):
        place.wrong("a legal move is listed twice", "Let moves yield each move once")
    for move in moves:
        if move.actor is not prompt.actor or (
            move.actor is Actor.PLAYER and move.player != prompt.player
        ):
            place.wrong(
                f"{move} is legal, but {prompt.actor} {prompt.player} is asked",
                "Let prompt ask whoever may move",
            )
            break
    only = game.obliged(state)
    if only is not None and moves != [only]:
        place.wrong(
            f"{only} is said to be the only answer, but {texts[:3]} are legal",
            "Let obliged name a move only if it is the only legal one",
        )
    if prompt.rule:
        place.report.cited.add(prompt.rule)
    place.tell(lambda t: t.prompt(prompt))
    place.tell(lambda t: t.move(place.move))
    _check_chance(place)
    if game.check(state, place.move):
        place.wrong(f"legal {place.move} is objected to", "Let moves and check agree")


def check_closely(place: Place, pieces: Pieces, tried: dict[Move, None]) -> None:
    """Everything else. ``tried``: moves that were possible once, to be tried again."""
    before = canonical(place.state.to_json())
    _check_moves(place, tried)
    _check_spread(place)
    if canonical(place.state.to_json()) != before:
        place.wrong("asking changed the state", "Let only apply change a state")
        return
    _check_copies(place, before)
    check_effect(place, pieces)
    check_knowing(place)
    _check_touch(place)
    _check_sites(place)
    if canonical(place.state.to_json()) != before:
        place.wrong("asking changed the state", "Let only apply change a state")


def _check_chance(place: Place) -> None:
    if place.prompt.actor is Actor.PLAYER:
        chosen = place.game.choose(place.state, place.moves, Random(place.match.ply))
        if chosen not in place.moves:
            place.wrong(
                f"choose picks {chosen}, which is not legal", "Let choose take one of moves"
            )
        return
    weights = place.game.weights(place.state, place.moves)
    if len(weights) != len(place.moves) or min(weights) < 0 or sum(weights) <= 0:
        place.wrong(
            f"there are {len(weights)} weights for {len(place.moves)} outcomes, "
            f"{sum(weights)} in all",
            "Give each of moves a weight, none below zero and not all zero",
        )


def _check_moves(place: Place, tried: dict[Move, None]) -> None:
    game, state, legal = place.game, place.state, set(place.moves)
    seen: set[Move] = set()
    for pseudo in game.pseudo_moves(state):
        seen.add(pseudo)
        if Move.parse(str(pseudo)) != pseudo:
            place.wrong(f"'{pseudo}' does not parse back", "Make moves of plain words")
        objections = game.check(state, pseudo)
        if (not objections) != (pseudo in legal):
            reason = ", ".join(o.code for o in objections) or "nothing against it"
            listed = "legal" if pseudo in legal else "not listed"
            place.wrong(
                f"{pseudo} is {listed}, but check says: {reason}", "Let moves and check agree"
            )
        _note(place, objections)
    # What was possible earlier in the match is tried again: hands repeat themselves.
    for old in tried:
        if old not in seen:
            objections = game.check(state, old)
            _note(place, objections)
            if not objections:
                place.wrong(
                    f"{old} is no pseudo-move, but nothing is objected to it",
                    "Yield it in pseudo_moves, or object to it in check",
                )
    chance = Random(str(place.match.ply))
    some = chance.sample(sorted(seen), min(12, len(seen)))
    tried.update(dict.fromkeys(some))
    while len(tried) > TRIED:
        del tried[next(iter(tried))]
    for missing in sorted(legal - seen)[:3]:
        place.wrong(f"legal {missing} is no pseudo-move", "Yield every legal move in pseudo_moves")
    for foreign in FOREIGN:
        objections = game.check(state, Move.parse(foreign))
        for objection in objections[:1]:
            place.report.objections[objection.code] += 1
        if not objections:
            place.wrong(
                f"'{foreign}' is not objected to",
                "Let check object to every move that it does not know",
            )
    for pseudo in some[:5]:
        trial = state.clone()
        try:
            game.apply(trial, pseudo)
            game.layout(trial)
        except Exception as error:  # whatever it is, it is the finding
            place.wrong(
                f"trying out {pseudo} fails: {fault(error)}",
                "Let apply carry out every pseudo-move, allowed or not",
            )


def _note(place: Place, objections: Iterable[Objection]) -> None:
    report = place.report
    for objection in objections:
        report.cited.add(objection.rule)
        report.objections[objection.code] += 1
        if report.objections[objection.code] == 1:
            _say(place, objection)


def _say(place: Place, objection: Objection) -> None:
    place.tell(lambda teller: teller.objection(objection))


def _check_copies(place: Place, before: str) -> None:
    game, state, move = place.game, place.state, place.move
    copy = state.clone()
    if canonical(copy.to_json()) != before:
        place.wrong("the clone differs", "Let clone copy every field")
    game.apply(copy, move)
    if canonical(state.to_json()) != before:
        place.wrong(
            f"{move} on a clone changed the original",
            "Let clone copy lists and dictionaries too, not only name them",
        )
        return
    after = canonical(copy.to_json())
    try:
        again = game.from_json(json.loads(before))
    except GameError as error:
        place.wrong(f"JSON cannot be read back: {error}".rstrip("."), _WHOLE)
        return
    if canonical(again.to_json()) != before:
        place.wrong("JSON does not come back the same", _WHOLE)
    if sorted(m.text for m in game.moves(again)) != sorted(m.text for m in place.moves):
        place.wrong(
            "legal moves differ after JSON", "Write everything that moves depend on in to_json"
        )
    if game.layout(again) != game.layout(state):
        place.wrong(
            "the layout differs after JSON", "Write everything that lies on the table in to_json"
        )
    game.apply(again, move)
    if canonical(again.to_json()) != after:
        place.wrong(
            f"{move} after JSON leads elsewhere", "Let apply depend on the state and the move alone"
        )
    other = place.match.clone()
    other.push(move)
    other.pop()
    if canonical(other.state.to_json()) != before:
        place.wrong(
            f"taking {move} back does not restore the position",
            "Let clone copy everything that apply changes",
        )
    other.redo()
    if canonical(other.state.to_json()) != after:
        place.wrong(
            f"playing {move} again leads elsewhere",
            "Let apply depend on the state and the move alone",
        )


def _check_touch(place: Place) -> None:
    """What screens ask: the usual move is legal, places are in the box, results can be told."""
    game, state, box, move = place.game, place.state, place.box, place.move
    after = state.clone()
    game.apply(after, move)
    usual, result = game.usual(state, place.moves), game.result(state, move, after)
    if usual is not None and usual not in place.moves:
        place.wrong(f"{usual} is usual but not legal", "Let usual name one of moves, or none")
    if strange := [one for one in game.hints(state) if one not in place.moves]:
        place.wrong(f"{strange[0]} is a hint but not legal", "Let hints name legal moves only")
    if unknown := {at for one in place.moves for at in game.places(state, one)} - set(box.sites):
        place.wrong(
            f"the box has no {sorted(unknown)} to be touched", "Name sites of the box in places"
        )
    place.tell(lambda t: t.key(move, place.prompt))
    if result is None:
        return
    place.tell(lambda t: (t.result(result), t.verdict(result), t.facts(result)))
    kinds = {kind for kind in (result.kind, *dict(result.beside).values()) if kind}
    if strange_kinds := kinds - set(box.kinds):
        place.wrong(
            f"the result names {sorted(strange_kinds)}, which the box does not hold",
            "Name kinds of the box in results",
        )
    sites = {site for site in (result.site, *dict(result.beside)) if site}
    if strange_sites := sites - set(box.sites):
        place.wrong(
            f"the result is at {sorted(strange_sites)}, which the box does not have",
            "Name sites of the box in results",
        )


def _check_sites(place: Place) -> None:
    """Where pieces may lie besides."""
    game, state = place.game, place.state
    for layout in game.also_right(state):
        if strange := {item.site for item in layout} - set(place.box.sites):
            place.wrong(
                f"also_right names {sorted(strange)}, which the box does not have",
                "Name sites of the box in also_right",
            )
        if strange := {item.kind for item in layout} - set(place.box.kinds):
            place.wrong(
                f"also_right names {sorted(strange)}, which the box does not hold",
                "Name kinds of the box in also_right",
            )


def _check_spread(place: Place) -> None:
    """What is told of what was laid openly can be entered, whatever lies where."""
    spread = place.game.spread(place.state)
    if spread is None:
        return
    box, trial = place.box, place.match.clone()
    place.tell(lambda t: t.spread(place.prompt))
    kinds = {kind for may in spread.moves.values() for kind in may}
    if strange := (set(spread.moves) - set(box.sites)) | (kinds - set(box.kinds)):
        place.wrong(
            f"the box has no {sorted(strange)} to be laid out",
            "Name sites and kinds of the box in spread",
        )
    lying: dict[str, str] = {}
    for sites in spread.sets:
        may = sorted({kind for site in sites for kind in spread.moves[site]})
        if len(may) != len(sites):
            place.wrong(
                f"{len(may)} kinds lie at {len(sites)} places {sorted(sites)}",
                "Give each set of a spread as many kinds as sites",
            )
        Random(place.match.ply).shuffle(may)
        lying |= dict(zip(sorted(sites), may, strict=False))
    if set(lying) != set(spread.moves):
        place.wrong(
            "a place to be laid out is in no set, or in two",
            "Put each site of a spread into one set",
        )
        return
    _enter(place, trial, spread.moves, lying)


def _enter(
    place: Place, trial: Any, moves: Mapping[str, Mapping[str, Move]], lying: Mapping[str, str]
) -> None:
    for site, may_lie in moves.items():
        move = may_lie.get(lying[site])
        if move is None or trial.why_not(move):
            place.wrong(
                f"{lying[site]} at {site} cannot be entered",
                "Let the moves of a spread be legal in any order",
            )
            return
        trial.push(move)
