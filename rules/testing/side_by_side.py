"""Two matches of the same moves, side by side: what they must have in common, and what must tell
them apart.

At a table with real cards the program may deal for some seats (``Game.deals_for``): the match is
the same as when it deals for all. With another value of an option something must be different, or
the option is none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations, cycle, islice
from random import Random
from time import process_time
from typing import Any

from rules.core import DICE, Actor, Game, GameError, Move
from rules.match import Match
from rules.testing.playout import pick, random_match

STORED_EVERY = 25
"""Moves between two positions that are stored and read back."""
PAIRS, FEWEST = 300, 60
"""Most pairs of matches for an option, and fewest from which its idleness is told."""
PATIENCE_S = 3.0
"""Processor time for the pairs of one value of an option."""
CLOSELY = 6
"""Moves between two positions that are compared in everything."""
WAYS_ON = 8
"""Most moves of such a position that are tried."""
REFUSALS = 30
"""Refusals of a position that are compared."""

Setting = tuple[int, dict[str, str]]


def dealt_seats(game: Game[Any], players: int, options: Mapping[str, str]) -> list[tuple[int, ...]]:
    """All groups of seats for which the program can deal while others have real cards."""
    groups = (c for number in range(1, players) for c in combinations(range(players), number))
    return [seats for seats in groups if game.deals_for(players, options, seats)]


def check_beside(
    game: Game[Any], players: int, options: Mapping[str, str], seed: int, dealt: Collection[int]
) -> str | None:
    """Deal a match, and replay what ``dealt`` seats did, and of the others what a table would show
    of it; the problem found, or None."""
    mixed = Match(game, players, options, physical=True, seed=seed, dealt=dealt)
    where = f"Dealt to {list(dealt)}, seed {seed}, {players} players, {dict(options)}"
    whole: Match | None = None
    for match, moves, move in random_match(game, players, options, seed):
        whole, here = match, f"{where}, move {match.ply}"
        own = _whose(move, players) in dealt
        if own and sorted(m.text for m in mixed.legal_moves()) != sorted(m.text for m in moves):
            return f"{here}: whose cards are dealt may do something else than in a dealt match"
        for shown in (move,) if own else match.state.shown(move):
            try:
                mixed.push(shown)
            except GameError as error:
                return f"{here}: '{move}' shown as '{shown}' is refused: {error}"
        if match.ply % STORED_EVERY == 0:
            stored = json.loads(json.dumps(mixed.state.to_json()))
            if game.from_json(stored).to_json() != stored:
                return f"{here}: the position is not read back as it was stored"
    if whole is not None and mixed.outcome != whole.outcome:
        return f"{where}: outcome {whole.outcome} became {mixed.outcome}"
    return None


def _whose(move: Move, players: int) -> int | None:
    """The seat that plays, or whose cards are drawn; None if neither."""
    if move.actor is Actor.PLAYER:
        return move.player
    seats = {f"p{seat}": seat for seat in range(players)}
    return seats.get(move.args[0]) if len(move.args) > 1 else None


def idle_options(game: Game[Any], settings: Sequence[Setting]) -> Iterator[tuple[str, int]]:
    """Values of options that make no difference to the default, and in how many matches."""
    idle = [*_idle(game, settings)]
    for name, value, matches in idle:
        usual, *others = game.options[name]
        # One of many numbers may be what is usual by its name.
        names_usual = value.isdecimal() and not usual.isdecimal() and len(others) > 2
        if not names_usual or sum(one == name for one, *_ in idle) > 1:
            yield f"{name}={value}", matches


def _idle(game: Game[Any], settings: Sequence[Setting]) -> Iterator[tuple[str, str, int]]:
    every = [(name, value) for name, values in game.options.items() for value in values[1:]]
    for name, value in every:
        pairs = [
            (players, options, other)
            for players, options in settings
            if options[name] == value
            and not (game.watched and game.keeps_ledger(options))
            and (other := _with(game, players, options, name, game.options[name][0])) is not None
        ]
        if name not in DICE and pairs and (matches := _alike(game, pairs)):
            yield name, value, matches


def _with(
    game: Game[Any], players: int, options: Mapping[str, str], name: str, value: str
) -> dict[str, str] | None:
    """The same options but for one; None where the game refuses them."""
    try:
        return game.complete_options(players, {**options, name: value})
    except GameError:
        return None


def _alike(game: Game[Any], pairs: Sequence[tuple[int, dict[str, str], dict[str, str]]]) -> int:
    """The number of pairs of matches that were played without any difference; 0 if there was
    one, or if they were too few to tell."""
    begun = process_time()
    for number, (players, one, other) in enumerate(islice(cycle(pairs), PAIRS)):
        if _settings_differ(game, players, one, other):
            return 0
        differ = _matches_differ(game, players, one, other, number, begun + PATIENCE_S)
        if differ is None:
            return number if number >= FEWEST else 0
        if differ:
            return 0
    return PAIRS


def _settings_differ(
    game: Game[Any], players: int, one: Mapping[str, str], other: Mapping[str, str]
) -> bool:
    every = range(players)
    asked: tuple[Callable[[Mapping[str, str]], object], ...] = (
        game.open_to_computers, game.keeps_ledger, game.touch.build,
        lambda options: game.colours(players, options),
        lambda options: game.sides(players, options),
        lambda options: [game.sits_at(seat, players, options) for seat in every],
        lambda options: [game.deals_for(players, options, (seat,)) for seat in every],
    )  # fmt: skip
    return any(ask(one) != ask(other) for ask in asked)


def _matches_differ(
    game: Game[Any],
    players: int,
    one: Mapping[str, str],
    other: Mapping[str, str],
    seed: int,
    until_s: float,
) -> bool | None:
    """True if a random match of one setting would have been another with the other one; None if
    that takes too long to tell."""
    chance, ply = Random(f"{game.id}/{seed}"), 0
    states = [
        Match(game, players, options, physical=seed % 2 > 0, seed=seed).beginning()
        for options in (one, other)
    ]
    data, also_data = (state.to_json() for state in states)
    # The options themselves, and fields that only repeat them.
    given = {key for key in data if data[key] != also_data.get(key)}
    while process_time() < until_s:
        asked, legal = states[0].prompt(), states[0].legal_moves()
        if asked != states[1].prompt() or {*legal} != {*states[1].legal_moves()}:
            return True
        if ply % CLOSELY == 0 or asked is None:
            told, also = (_told(game, state) for state in states)
            some = chance.sample(legal, min(WAYS_ON, len(legal)))
            if told != also or any(_lead_apart(states, move, given) for move in some):
                return True
        if asked is None or not legal:
            return False
        # Sensible play never comes to some corners, and silly play not to the end of some matches.
        sensible = seed < FEWEST or seed // 2 % 2
        move = pick(states[0], legal, chance) if sensible else chance.choice(legal)
        ply += 1
        for state in states:
            state.apply(move)
    return None


def _lead_apart(states: Sequence[Any], move: Move, given: Collection[str]) -> bool:
    """True if a move leads to positions that are written otherwise, but for what was ``given``."""
    written = []
    for state in states:
        after = state.clone()
        after.apply(move)
        written.append({key: held for key, held in after.to_json().items() if key not in given})
    return written[0] != written[1]


def _told(game: Game[Any], state: Any) -> tuple[object, ...]:
    """All else that anybody is told of a position."""
    scores = state.scores()
    refusals = islice(state.pseudo_moves(), REFUSALS)
    return (
        state.layout(), scores, state.outcome(), state.explain_scores(), state.hinted_moves(),
        state.turn_of(), [state.supply(seat) for seat in range(len(scores))],
        game.touch.market(state), game.touch.spread(state),
        [[objection.code for objection in state.violations(move)] for move in refusals],
    )  # fmt: skip
