"""Faults that authors of games make in what they say of themselves and of natural turns, planted
like those in ``faulty_games``. The list was begun without reading the suite, and grew while the
suite was extended to find more: it guards what is found, and does not measure what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, cast
from unittest.mock import patch
from zlib import crc32

from rules.box import load_box
from rules.core import (
    Achievement,
    Game,
    Inference,
    Item,
    Layout,
    Lies,
    Move,
    Objection,
    Outcome,
    State,
    Thought,
    Touch,
)

Fault = tuple[Callable[[Game[Any]], AbstractContextManager[Any]], str]
HOOK_FAULTS: dict[str, Fault] = {}
"""Faults by name: how each is planted, and words that the finding must have."""


def _fault(finding: str) -> Callable[[Any], Any]:
    def noted(plant: Any) -> Any:
        HOOK_FAULTS[plant.__name__] = contextmanager(plant), finding
        return plant

    return noted


def replaced(game: Game[Any], **methods: Any) -> Game[Any]:
    """The game with some of its methods or facts replaced, or those of its positions, whose own
    are still there as ``right``, or of what it answers a reading and a screen."""
    parts = {kind: _taken(methods, kind) for kind in (State, Inference, Touch)}
    other = _other(game, methods)
    other.inference = _other(game.inference, parts[Inference])
    other.touch = _other(game.touch, parts[Touch])
    begin = other.setup

    def setup(*given: Any, **named: Any) -> Any:
        state = begin(*given, **named)
        if parts[State]:
            kind = type(state)
            own = {"__slots__": (), "clone": _cloned, **parts[State]}
            state.__class__ = type(f"Other{kind.__name__}", (kind,), own)
        return state

    other.setup = setup
    return other  # type: ignore[no-any-return]


def _cloned(state: Any) -> Any:
    other: Any = right(state).clone()
    other.__class__ = type(state)
    return other


def _taken(methods: dict[str, Any], kind: type) -> dict[str, Any]:
    return {name: methods.pop(name) for name in [*methods] if hasattr(kind, name)}


def _other(one: Any, methods: dict[str, Any]) -> Any:
    other: Any = type(f"Other{type(one).__name__}", (type(one),), methods)()
    other.__dict__.update(getattr(one, "__dict__", {}))
    return other


def right(state: Any) -> State:
    """A position of such a game, as it would answer if nothing had been replaced."""
    return cast(State, super(type(state), state))


def _says(name: str, finding: str, **methods: Any) -> None:
    """A fault that is one wrong method or fact, whatever the game."""

    def plant(game: Game[Any]) -> Iterator[Game[Any]]:
        yield replaced(game, **methods)

    plant.__name__ = name
    HOOK_FAULTS[name] = contextmanager(plant), finding


def _fails(*_given: Any, **_named: Any) -> Any:
    raise KeyError("Z99")


# -- what a class names ---------------------------------------------------------------------------

_says("a_craft_is_not_there", "cannot be loaded", craft="rules.core.no_such:Craft")
_says("a_craft_is_no_craft", "is no craft", craft="rules.core:Game")
_says("a_pile_beside_is_no_site", "beside names", beside=frozenset({"Z99"}))
_says("a_private_prompt_is_none", "private names", private=frozenset({"vanished"}))
_says("all_lose_by_what_never_happens", "lost_together names", lost_together=("vanished",))
_says("a_ledger_has_no_option", "ledger_option names", ledger_option=("vanished", ("on",)))
_says("pictures_are_of_no_kind", "pictures names", pictures=lambda self: {"cube": ()})
_says("the_setting_makes_it_fail", "fails", open_to_computers=_fails)
_says("an_achievement_is_ranked_by_words", "achievement",
      achievement=lambda state: Achievement("best", ("many",), ()))  # type: ignore[arg-type]  # fmt: skip


class _Series:
    lower_wins = False
    decides: tuple[str, ...] = ("vanished",)

    def points(self, outcome: Outcome) -> tuple[int, ...]:
        return outcome.scores[:1]

    def next_first(self, outcome: Outcome) -> int | None:
        return 17

    def next_options(self, outcome: Outcome) -> Mapping[str, str]:
        return {}


_says("a_series_is_decided_by_no_option", "decides", series=_Series())


class _ShortSeries(_Series):
    decides = ()


_says("a_series_counts_one_seat", "points for", series=_ShortSeries())


# -- what is tried --------------------------------------------------------------------------------


@_fault("every pseudo-move is allowed")
def hands_try_only_what_is_allowed(game: Game[Any]) -> Iterator[Game[Any]]:
    def pseudo(state: Any) -> Iterator[Move]:
        yield from right(state).legal_moves()

    yield replaced(game, pseudo_moves=pseudo, legal_moves=lambda state: right(state).legal_moves())


@_fault("is not objected to")
def a_word_too_many_is_allowed(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        return right(state).violations(Move.parse(move.text.removesuffix(" x")))

    yield replaced(game, violations=violations)


@_fault("is not objected to")
def capitals_are_allowed(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        known = {legal.text.lower() for legal in right(state).legal_moves()}
        return [] if move.text.lower() in known else right(state).violations(move)

    yield replaced(game, violations=violations)


@_fault("violations fails on")
def a_seat_that_is_not_there_makes_check_fail(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        if move.player is not None and move.verb != "dance":
            right(state).scores()[move.player]
        return right(state).violations(move)

    yield replaced(game, violations=violations)


@_fault("says that it is|as 'other'")
def who_is_to_move_is_told_the_wrong_way_round(game: Game[Any]) -> Iterator[Game[Any]]:
    def turned(one: Objection) -> Objection:
        values = one.values
        values["player"], values["other"] = values["other"], values["player"]
        return Objection.of(one.rule, one.code, **values)

    def violations(state: Any, move: Move) -> list[Objection]:
        found = right(state).violations(move)
        return [turned(one) if one.code == "wrong_player" else one for one in found]

    yield replaced(game, violations=violations)


@_fault("is told as a player")
def an_objection_is_to_a_seat_that_is_none(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        found = right(state).violations(move)
        return [
            Objection.of(one.rule, one.code, **{**one.values, "other": 17})
            if one.code == "wrong_player"
            else one
            for one in found
        ]

    yield replaced(game, violations=violations)


@_fault("words and numbers only")
def an_objection_holds_an_object(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        found = right(state).violations(move)
        return [replace(one, params=(*one.params, ("where", [1, 2]))) for one in found]  # type: ignore[arg-type]

    yield replaced(game, violations=violations)


@_fault("turn_of")
def it_is_the_turn_of_another(game: Game[Any]) -> Iterator[Game[Any]]:
    def turn_of(state: Any) -> int | None:
        asked = right(state).prompt()
        if asked is None or asked.player is None:
            return None
        return (asked.player + 1) % max(2, len(right(state).scores()))

    yield replaced(game, turn_of=turn_of)


# -- positions ------------------------------------------------------------------------------------


@_fault("played again after others|set-ups differ|prompt differs")
def a_game_remembers_earlier_matches(game: Game[Any]) -> Iterator[Game[Any]]:
    begun: list[int] = []

    def setup(self: Any, players: int, options: Mapping[str, str], physical: bool) -> Any:
        begun.append(1)
        return game.setup(players, options, physical)

    def prompt(state: Any) -> Any:
        asked = right(state).prompt()
        if asked is None or len(begun) <= 10:
            return asked
        return replace(asked, rule=game.handling_rule + " ")

    yield replaced(game, setup=setup, prompt=prompt)


@_fault("to_json has the options")
def json_has_other_options(game: Game[Any]) -> Iterator[Game[Any] | None]:
    players = game.players[0]
    if not game.options:
        yield None
        return
    state_class: Any = type(game.setup(players, game.complete_options(players, {}), False))
    right = state_class.to_json

    def to_json(self: Any) -> Any:
        name = next(iter(game.options))
        data = right(self)
        return {**data, "options": {**data["options"], name: game.options[name][-1]}}

    with patch.object(state_class, "to_json", to_json):
        yield replaced(game)


@_fault("has the poses")
def a_piece_stands_as_none_can(game: Game[Any]) -> Iterator[Game[Any]]:
    def layout(state: Any) -> Layout:
        lies = right(state).layout()
        return Layout({item._replace(pose="dancing"): number for item, number in lies.items()})

    yield replaced(game, layout=layout)


# -- natural turns --------------------------------------------------------------------------------


@_fault("answers tolerates, which nobody asks. Let may_lie")
def an_old_question_is_answered(game: Game[Any]) -> Iterator[Game[Any]]:
    other: Any = replaced(game)
    other.inference = _other(game.inference, {"tolerates": lambda self, state, site, seen: True})
    yield other


for _how in Lies:
    _says(f"whatever_lies_there_is_{_how.name.lower()}", "may_lie says yes",
          may_lie=lambda self, state, sites, board, moves, how=_how: dict.fromkeys(
              sites, how))  # fmt: skip
_says("every_move_is_a_guess", "guessed says yes",
      plausible=lambda self, state, moves, board, since: [
          Thought(move, guessed=True) for move in moves])  # fmt: skip
_says("may_lie_fails_on_some_boards", "may_lie fails", may_lie=_fails)
_says("plausible_fails_on_some_boards", "plausible fails", plausible=_fails)
_says("fitting_leaves_out_what_happened", "never names",
      fitting=lambda self, state, moves, boards: [])  # fmt: skip
_says("plausible_leaves_out_what_happened", "never names",
      plausible=lambda self, state, moves, board, since: [])  # fmt: skip
_says("what_is_covered_is_not_legal", "plausible names",
      plausible=lambda self, state, moves, board, since: [
          Thought(Move.parse("p0 dance"), covered=True)])  # fmt: skip
_says("all_positions_are_the_same", "essence is the same", essence=lambda self, state: [])
_says("nothing_is_remembered_of_nothing", "fails", remembered=_fails)


# -- what may be known ----------------------------------------------------------------------------


def _hides(game: Game[Any]) -> bool:
    from rules.testing.playout import ladder, random_match

    return any(
        match.state.public(move, None) != move
        for players, options in ladder(game, 2)
        for match, moves, _move in random_match(game, players, options, 1)
        for move in moves
    )


def _secret(state: Any) -> int:
    return crc32(repr(state.to_json()).encode())


@_fault("sees by|differs")
def a_prompt_tells_what_is_hidden(game: Game[Any]) -> Iterator[Game[Any] | None]:
    def prompt(state: Any) -> Any:
        asked = right(state).prompt()
        if asked is None:
            return None
        return replace(asked, params=(*asked.params, ("secret", _secret(state))))

    yield replaced(game, prompt=prompt, private=frozenset()) if _hides(game) else None


@_fault("sees by")
def an_objection_tells_what_is_hidden(game: Game[Any]) -> Iterator[Game[Any] | None]:
    def violations(state: Any, move: Move) -> list[Objection]:
        found = right(state).violations(move)
        return [replace(one, params=(*one.params, ("secret", _secret(state)))) for one in found]

    yield replaced(game, violations=violations) if _hides(game) else None


@_fault("sees by layout|the box holds|does not take|belongs to")
def the_table_tells_what_is_hidden(game: Game[Any]) -> Iterator[Game[Any] | None]:
    site, kind = next(iter(load_box(game.box).sites)), next(iter(load_box(game.box).kinds))

    def layout(state: Any) -> Layout:
        lies = right(state).layout()
        lies[Item(site, kind, level=_secret(state), seen=False)] += 1
        return lies

    yield replaced(game, layout=layout) if _hides(game) else None


@_fault("and is told")
def players_are_not_told_their_own_moves(game: Game[Any]) -> Iterator[Game[Any] | None]:
    def public(state: Any, move: Move, seat: int | None) -> Move:
        return right(state).public(move, None)

    own = any(s.public(m, None) != m for s, m in _moves_of_players(game))
    yield replaced(game, public=public) if own else None


def _moves_of_players(game: Game[Any]) -> Iterator[tuple[Any, Move]]:
    from rules.testing.playout import ladder, random_match

    for players, options in ladder(game, 2):
        for match, _moves, move in random_match(game, players, options, 1):
            if move.player is not None:
                yield match.state, move
