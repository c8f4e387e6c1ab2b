"""Faults that authors of games make, planted into games that are sound.

Each is planted by a function that takes a game and yields it with the fault, until the context is
left. None of them names a game: whatever has the part that is broken can have the fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

from rules.box import load_box
from rules.core import Actor, Game, Item, Layout, Move, Objection, Outcome, ScoreLine
from tests.support.faulty_hooks import HOOK_FAULTS, replaced, right
from tests.support.faulty_texts import TEXT_FAULTS, changed_texts

Plant = Callable[[Game[Any]], Any]
"""Changes a game, or what it reads, within a context that yields the game."""

FAULTS: dict[str, tuple[Plant, str]] = {}
"""Faults by name: how each is planted, and words that the finding must have."""


def planted(name: str, game: Game[Any]) -> Any:
    """A context with ``game`` that has this fault, or None if it has not got that part."""
    return FAULTS[name][0](game)


def _fault(finding: str) -> Callable[[Plant], Plant]:
    def noted(plant: Plant) -> Plant:
        FAULTS[plant.__name__] = contextmanager(plant), finding
        return plant

    return noted


def _seldom(state: Any) -> bool:
    """True in some positions, always the same."""
    return len(repr(state.to_json())) % 5 == 0


# -- moves and check --------------------------------------------------------------------------


@_fault("not listed, but violations says")
def a_legal_move_is_missing(game: Game[Any]) -> Iterator[Game[Any]]:
    def legal_moves(state: Any) -> list[Move]:
        found = right(state).legal_moves()
        return found[1:] if len(found) > 2 else found

    yield replaced(game, legal_moves=legal_moves)


@_fault("listed twice")
def a_move_is_listed_twice(game: Game[Any]) -> Iterator[Game[Any]]:
    def legal_moves(state: Any) -> list[Move]:
        found = right(state).legal_moves()
        return [*found, *found[:1]]

    yield replaced(game, legal_moves=legal_moves)


@_fault("pseudo-move")
def pseudo_moves_leave_out_a_legal_one(game: Game[Any]) -> Iterator[Game[Any]]:
    def pseudo(state: Any) -> Iterator[Move]:
        legal = set(right(state).legal_moves()[:1])
        yield from (move for move in right(state).pseudo_moves() if move not in legal)

    yield replaced(game, pseudo_moves=pseudo, legal_moves=lambda state: right(state).legal_moves())


@_fault("not objected to")
def nonsense_is_allowed(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        return [] if move.verb == "dance" else right(state).violations(move)

    yield replaced(game, violations=violations)


@_fault("not listed in codes")
def an_objection_has_a_code_that_is_not_declared(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, codes=tuple(code for code in game.codes if code != "unknown_move"))


@_fault("9.9")
def an_objection_cites_a_rule_that_is_none(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        found = right(state).violations(move)
        return [replace(one, rule="9.9") if one.code == "wrong_player" else one for one in found]

    yield replaced(game, violations=violations)


@_fault("not objected to")
def after_the_end_everything_is_allowed(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        return right(state).violations(move) if right(state).outcome() is None else []

    yield replaced(game, violations=violations)


@_fault("but violations says")
def a_move_is_legal_that_check_refuses(game: Game[Any]) -> Iterator[Game[Any]]:
    def legal_moves(state: Any) -> list[Move]:
        refused = (one for one in right(state).pseudo_moves() if right(state).violations(one))
        return [*right(state).legal_moves(), *([first] if (first := next(refused, None)) else [])]

    def choose(state: Any, moves: list[Move], random: Random) -> Move:
        return right(state).choose(right(state).legal_moves(), random)

    yield replaced(game, legal_moves=legal_moves, choose=choose)


@_fault("trying out")
def apply_fails_on_what_is_not_allowed(game: Game[Any]) -> Iterator[Game[Any]]:
    def apply(state: Any, move: Move) -> None:
        if right(state).violations(move):
            raise ValueError("not allowed")
        right(state).apply(move)

    yield replaced(game, apply=apply)


@_fault("changed the state")
def asking_changes_the_state(game: Game[Any]) -> Iterator[Game[Any]]:
    def violations(state: Any, move: Move) -> list[Objection]:
        found = right(state).violations(move)
        if move.verb == "dance":
            for legal in right(state).legal_moves()[:1]:
                right(state).apply(legal)
        return found

    yield replaced(game, violations=violations)


@_fault("refused|elsewhere|replay|come back|objected|differ")
def a_move_is_sometimes_forgotten(game: Game[Any]) -> Iterator[Game[Any]]:
    count = iter(range(10**9))

    def apply(state: Any, move: Move) -> None:
        if next(count) % 11:
            right(state).apply(move)

    yield replaced(game, apply=apply)


# -- who is asked, and what ---------------------------------------------------------------------


@_fault("9.9")
def a_prompt_cites_a_rule_that_is_none(game: Game[Any]) -> Iterator[Game[Any]]:
    def prompt(state: Any) -> Any:
        asked = right(state).prompt()
        return None if asked is None else replace(asked, rule="9.9")

    yield replaced(game, prompt=prompt)


@_fault("prompts.vanished")
def a_prompt_has_no_text(game: Game[Any]) -> Iterator[Game[Any]]:
    def prompt(state: Any) -> Any:
        asked = right(state).prompt()
        return None if asked is None else replace(asked, code="vanished")

    yield replaced(game, prompt=prompt)


@_fault("no prompt although")
def nobody_is_asked_for_a_moment(game: Game[Any]) -> Iterator[Game[Any]]:
    def prompt(state: Any) -> Any:
        return None if _seldom(state) else right(state).prompt()

    yield replaced(game, prompt=prompt)


@_fault("is legal, but")
def the_wrong_player_is_asked(game: Game[Any]) -> Iterator[Game[Any]]:
    def prompt(state: Any) -> Any:
        asked = right(state).prompt()
        if asked is None or asked.player is None or asked.actor is not Actor.PLAYER:
            return asked
        return replace(asked, player=asked.player + 1)

    yield replaced(game, prompt=prompt)


@_fault("somebody is asked")
def somebody_is_asked_after_the_end(game: Game[Any]) -> Iterator[Game[Any]]:
    last: list[Any] = []

    def prompt(state: Any) -> Any:
        asked = right(state).prompt()
        last[:] = [asked] if asked is not None else last
        return last[0] if asked is None and last else asked

    yield replaced(game, prompt=prompt)


@_fault("only answer")
def the_only_answer_is_not_the_only_one(game: Game[Any]) -> Iterator[Game[Any]]:
    def obliged(state: Any) -> Move | None:
        found = right(state).legal_moves()
        return found[0] if len(found) > 1 else None

    yield replaced(game, obliged=obliged)


@_fault("not legal")
def the_usual_move_is_not_legal(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, usual=lambda self, state, legal: Move.parse("p0 dance"))


@_fault("hint")
def a_hint_is_not_legal(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, hinted_moves=lambda state: [Move.parse("p0 dance")])


@_fault("to be touched")
def a_place_to_touch_is_not_in_the_box(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, places=lambda self, state, move: ("Z99",))


@_fault("choose picks")
def chance_plays_what_is_not_legal(game: Game[Any]) -> Iterator[Game[Any]]:
    def choose(state: Any, moves: list[Move], random: Random) -> Move:
        illegal = (one for one in right(state).pseudo_moves() if right(state).violations(one))
        return next(illegal, moves[0])

    yield replaced(game, choose=choose)


@_fault("weights|outcomes")
def nothing_is_likely(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if not _asks(game, Actor.DEALER, Actor.TABLE):
        yield None
    else:
        yield replaced(game, weights=lambda state, moves: [0] * len(moves))


# -- what lies where ----------------------------------------------------------------------------


@_fault("the layout names a site")
def a_piece_lies_at_a_site_that_is_none(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, layout=_painted(lambda item: item._replace(site="Z99")))


@_fault("the layout names a kind")
def a_piece_is_of_a_kind_that_is_none(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, layout=_painted(lambda item: item._replace(kind="cube")))


@_fault("more|holds")
def pieces_lie_in_the_colour_of_the_other(game: Game[Any]) -> Iterator[Game[Any] | None]:
    one, two = game.colours(game.players[-1], game.complete_options(game.players[-1], {}))[:2]
    swap = {one: two, two: one}
    if not _supplies(game):
        yield None
    else:
        yield replaced(game, layout=_painted(lambda item: _in_colour(game, item, swap)))


@_fault("as .*'s, but belongs to|which looks .*, and belongs to")
def seats_have_each_others_colours(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if not any(item.owner is not None for item in _lying(game)):
        yield None
        return

    def colours(self: Any, players: int, options: Mapping[str, str]) -> tuple[str, ...]:
        if players < 2:
            return game.colours(players, options)
        first, second, *others = game.colours(players, options)
        return (second, first, *others)

    yield replaced(game, setup=_right_setup(game), colours=colours, palette=())


@_fault("as .*'s, but belongs to|which looks .*, and belongs to")
def the_box_gives_pieces_to_the_other(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if not any(item.owner is not None for item in _lying(game)):
        yield None
        return
    one, two = game.colours(game.players[-1], game.complete_options(game.players[-1], {}))[:2]
    swap, box = {one: two, two: one}, load_box(game.box)
    kinds = {
        name: replace(kind, owner=swap.get(kind.owner, kind.owner))
        for name, kind in box.kinds.items()
    }
    with _boxed(replace(box, kinds=kinds)):
        yield replaced(game)


@_fault("does not take")
def a_piece_lies_where_it_does_not_belong(game: Game[Any]) -> Iterator[Game[Any]]:
    box = load_box(game.box).for_game(game.id)

    def elsewhere(item: Item) -> Item:
        group = box.kinds[item.kind].group
        sites = (site.id for site in box.sites.values() if group not in site.takes)
        return item._replace(site=next(sites, item.site))

    yield replaced(game, layout=_painted(elsewhere))


@_fault("does not have")
def a_supply_names_a_kind_that_is_none(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, supply=lambda state, seat: Counter({"cube": 2}))


@_fault("more|holds")
def a_supply_never_gets_smaller(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if not _supplies(game):
        yield None
        return
    kept: dict[int, Counter[str]] = {}

    def supply(state: Any, seat: int) -> Counter[str]:
        return kept.setdefault(seat, right(state).supply(seat))

    yield replaced(game, supply=supply)


@_fault("touches only")
def touches_names_nothing(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, touches=lambda state, move: set())


@_fault("in vain|does not change|should change")
def touches_names_every_site(game: Game[Any]) -> Iterator[Game[Any]]:
    sites = set(load_box(game.box).for_game(game.id).sites)
    yield replaced(game, touches=lambda state, move: sites)


@_fault("is not what layout has there")
def layout_at_shows_nothing(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, layout_at=lambda state, sites: Counter())


# -- points and ends ----------------------------------------------------------------------------


@_fault("explained to it")
def score_lines_are_on_the_wrong_seat(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if not _scores_apart(game):
        yield None
        return

    def explain(state: Any) -> list[ScoreLine]:
        seats, lines = len(right(state).scores()), right(state).explain_scores()
        return [replace(one, player=(one.player + 1) % seats) for one in lines]

    yield replaced(game, explain_scores=explain)


@_fault("explained to it")
def a_score_line_has_a_point_too_many(game: Game[Any]) -> Iterator[Game[Any]]:
    def explain(state: Any) -> list[ScoreLine]:
        first, *rest = right(state).explain_scores() or [ScoreLine(0, "score", 0)]
        return [replace(first, points=first.points + 1), *rest]

    yield replaced(game, explain_scores=explain)


@_fault("score.vanished")
def a_score_line_has_no_text(game: Game[Any]) -> Iterator[Game[Any]]:
    def explain(state: Any) -> list[ScoreLine]:
        return [replace(one, code="vanished") for one in right(state).explain_scores()]

    yield replaced(game, explain_scores=explain)


@_fault("scores for")
def a_seat_has_no_score(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, scores=lambda state: right(state).scores()[:-1])


@_fault("ranking")
def the_ranking_leaves_out_a_seat(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, outcome=_ended(lambda end: replace(end, ranking=((0,),))), players=(2,))


@_fault("scores are")
def an_outcome_has_other_scores(game: Game[Any]) -> Iterator[Game[Any]]:
    def more(end: Outcome) -> Outcome:
        return replace(end, scores=tuple(points + 1 for points in end.scores))

    yield replaced(game, outcome=_ended(more))


@_fault("not listed in outcomes|is not among those")
def an_outcome_is_not_declared(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, outcomes=("match_over",))


@_fault("no outcome is declared")
def no_outcome_is_declared(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, outcomes=())


@_fault("outcomes.vanished")
def an_outcome_that_never_happens_has_no_text(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, outcomes=(*game.outcomes, "vanished"))


@_fault("come to an end|no move")
def a_match_never_ends(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, outcome=lambda state: None)


# -- what the game says of itself ---------------------------------------------------------------


@_fault("belongs to|words.purple")
def a_seat_has_a_colour_that_is_not_in_the_box(game: Game[Any]) -> Iterator[Game[Any]]:
    def colours(self: Any, players: int, options: Mapping[str, str]) -> tuple[str, ...]:
        return (*game.colours(players, options)[:-1], "purple")

    yield replaced(game, setup=_right_setup(game), colours=colours, palette=())


@_fault("colours")
def a_seat_has_no_colour(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, colours=lambda self, players, options: game.colours(players, options)[:-1])


@_fault("which the box does not have")
def a_seat_is_where_the_box_has_nothing(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, sits_at=lambda self, seat, players, options: "Z99")


@_fault("9.9")
def shifted_pieces_cite_a_rule_that_is_none(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, handling_rule="9.9")


@_fault("never reached")
def an_objection_is_declared_that_never_comes(game: Game[Any]) -> Iterator[Game[Any]]:
    words = dict.fromkeys(("title", "text", "do"), "Gone.")
    with changed_texts(game, lambda own: own.setdefault("objections", {}).update(vanished=words)):
        yield replaced(game, codes=(*game.codes, "vanished"))


@_fault("box")
def the_box_does_not_exist(game: Game[Any]) -> Iterator[Game[Any]]:
    yield replaced(game, box="no_such_box")


@_fault("stands for")
def an_option_stands_for_kinds_that_are_none(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if game.options:
        yield replaced(game, stands_for=lambda self, option, value: ("cube",))
    else:
        yield None


# -- copies and JSON ----------------------------------------------------------------------------


@_fault("changed the original|clone|state|refused|objected")
def a_clone_is_no_copy(game: Game[Any]) -> Iterator[Game[Any]]:
    with patch.object(_state_class(game), "clone", lambda self: self):
        yield replaced(game)


@_fault("on a clone changed the original")
def all_copies_share_what_is_in_no_json(game: Game[Any]) -> Iterator[Game[Any]]:
    kind, points = _state_class(game), Counter[None]()
    applied, counted = kind.apply, kind.scores

    def apply(self: Any, move: Move) -> None:
        applied(self, move)
        points[None] += 1

    with (
        patch.object(kind, "apply", apply),
        patch.object(
            kind, "scores", lambda self: [score + points[None] for score in counted(self)]
        ),
    ):
        yield replaced(game)


@_fault("clone|JSON")
def json_leaves_out_what_was_last(game: Game[Any]) -> Iterator[Game[Any]]:
    kind = _state_class(game)
    right = kind.to_json

    def to_json(self: Any) -> dict[str, Any]:
        data = right(self)
        return {key: value for key, value in data.items() if key != list(data)[-1]}

    with patch.object(kind, "to_json", to_json):
        yield replaced(game)


@_fault("JSON")
def reading_json_begins_a_new_match(game: Game[Any]) -> Iterator[Game[Any]]:
    with patch.object(_state_class(game), "read", lambda self, data: None):
        yield replaced(game)


@_fault("unsound")
def a_position_has_a_problem(game: Game[Any]) -> Iterator[Game[Any]]:
    kind = _state_class(game)
    right = kind.problems

    def problems(self: Any) -> list[str]:
        return [*right(self), *(["the position is unsound"] if _seldom(self) else [])]

    with patch.object(kind, "problems", problems):
        yield replaced(game)


# -- what may be known --------------------------------------------------------------------------


@_fault("sees in 'view'")
def a_view_shows_everything(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if _hides(game):
        yield replaced(game, view=lambda state, seat: state.to_json())
    else:
        yield None


@_fault("refused|sees in")
def everybody_is_told_what_was_drawn(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if _hides(game):
        yield replaced(
            game, public=lambda state, move, seat: move,
            shown=lambda state, move: (move,),
        )  # fmt: skip
    else:
        yield None


# -- the box --------------------------------------------------------------------------------------


@_fault("does not take")
def sites_take_nothing(game: Game[Any]) -> Iterator[Game[Any]]:
    box = load_box(game.box)
    sites = {name: replace(site, takes=()) for name, site in box.sites.items()}
    with _boxed(replace(box, sites=sites)):
        yield replaced(game)


@_fault("the box holds")
def the_box_holds_too_little(game: Game[Any]) -> Iterator[Game[Any] | None]:
    if not _supplies(game):
        yield None
        return
    box = load_box(game.box)
    kinds = {name: replace(kind, count=0) for name, kind in box.kinds.items()}
    with _boxed(replace(box, kinds=kinds)):
        yield replaced(game)


@_fault("beyond the board")
def a_line_leaves_the_board(game: Game[Any]) -> Iterator[Game[Any] | None]:
    box = load_box(game.box)
    if not box.strokes:
        yield None
        return
    first, *rest = box.strokes
    with _boxed(replace(box, strokes=(replace(first, points=((0, 0), (9000, 0))), *rest))):
        yield replaced(game)


@_fault("and belongs to")
def two_players_pieces_have_each_others_bodies(game: Game[Any]) -> Iterator[Game[Any] | None]:
    box = load_box(game.box)
    bodies = {kind.owner: kind.colour for kind in box.kinds.values() if kind.owner}
    if len({*bodies.values()}) < 2:
        yield None
        return
    one, two = [*bodies][:2]
    swap = {one: bodies[two], two: bodies[one]}
    kinds = {
        name: replace(kind, colour=swap.get(kind.owner, kind.colour))
        for name, kind in box.kinds.items()
    }
    with _boxed(replace(box, kinds=kinds)):
        yield replaced(game)


@_fault("has a radius of")
def places_are_pinheads(game: Game[Any]) -> Iterator[Game[Any] | None]:
    box = load_box(game.box)
    sites = {name: replace(site, radius=0.1) for name, site in box.sites.items()}
    if all(site.size for site in box.sites.values()):
        yield None
        return
    with _boxed(replace(box, sites=sites)):
        yield replaced(game)


FAULTS |= HOOK_FAULTS | TEXT_FAULTS


# -- private --------------------------------------------------------------------------------------


@contextmanager
def _boxed(box: Any) -> Iterator[None]:
    modules = "conformance", "metadata", "texts"
    patches = [patch(f"rules.testing.{name}.load_box", lambda _name: box) for name in modules]
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()


def _painted(change: Callable[[Item], Item]) -> Any:
    def layout(state: Any) -> Layout:
        painted: Layout = Counter()
        for item, number in right(state).layout().items():
            painted[change(item)] += number
        return painted

    return layout


def _in_colour(game: Game[Any], item: Item, swap: Mapping[str, str]) -> Item:
    words = [swap.get(word, word) for word in item.kind.split()]
    kind = " ".join(words)
    return item._replace(kind=kind) if kind in load_box(game.box).kinds else item


def _ended(change: Callable[[Outcome], Outcome]) -> Any:
    def outcome(state: Any) -> Outcome | None:
        end = right(state).outcome()
        return None if end is None else change(end)

    return outcome


def _first_state(game: Game[Any]) -> Any:
    players = game.players[0]
    return game.setup(players, game.complete_options(players, {}), False)


def _state_class(game: Game[Any]) -> Any:
    return type(_first_state(game))


def _supplies(game: Game[Any]) -> bool:
    """True if pieces of an owner lie before players."""
    box, state = load_box(game.box), _first_state(game)
    return any(box.kinds[kind].owner for kind in state.supply(0))


def _lying(game: Game[Any]) -> Iterator[Item]:
    box = load_box(game.box)
    for state, _moves in _positions(game):
        own = (item for item in state.layout() if box.kinds[item.kind].owner)
        yield from (item for item in own if box.kinds[item.kind].shape != "card")


def _positions(game: Game[Any]) -> Iterator[tuple[Any, list[Move]]]:
    from rules.testing.playout import ladder, random_match

    for players, options in ladder(game, 3):
        for match, moves, _move in random_match(game, players, options, 1):
            yield match.state, moves


def _right_setup(game: Game[Any]) -> Callable[..., Any]:
    """Positions as the game itself begins with, whatever else is replaced."""
    return lambda _self, *given, **named: game.setup(*given, **named)


def _asks(game: Game[Any], *actors: Actor) -> bool:
    return any(moves[0].actor in actors and len(moves) > 1 for _state, moves in _positions(game))


def _hides(game: Game[Any]) -> bool:
    return any(
        state.public(move, None) != move for state, moves in _positions(game) for move in moves
    )


def _scores_apart(game: Game[Any]) -> bool:
    return any(len(set(state.scores())) > 1 for state, _moves in _positions(game))
