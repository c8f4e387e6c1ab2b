"""Checks of one position for all that the rest of Heelstone relies on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from rules.box import TRAY
from rules.core import Actor, Move
from rules.hidden import UNSEEN
from rules.testing.attempts import check_moves
from rules.testing.copies import check_copies, check_spoilt
from rules.testing.eyes import check_reading
from rules.testing.pieces import check_effect
from rules.testing.relations.figures import written_at
from rules.testing.report import Place, canonical
from rules.testing.secrecy import check_knowing

SEVERAL = 4
"""Number of moves of one kind that, said alike, are not told apart at all."""


def check_quickly(place: Place) -> None:
    """Check what is looked at in every position."""
    state, prompt, moves = place.state, place.prompt, place.moves
    for problem in state.problems():
        place.wrong(problem, "Mend apply, or the invariant")
    texts = [move.text for move in moves]
    if len(set(texts)) != len(texts):
        place.wrong("a legal move is listed twice", "Let legal_moves yield each move once")
    for move in moves:
        if move.actor is not prompt.actor or (
            move.actor is Actor.PLAYER and not prompt.asks(move.player)
        ):
            place.wrong(
                f"{move} is legal, but {prompt.actor} {prompt.player} is asked",
                "Let prompt ask whoever may move",
            )
            break
    only = state.obliged()
    if only is not None and moves != [only]:
        place.wrong(
            f"{only} is said to be the only answer, but {texts[:3]} are legal",
            "Let obliged name a move only if it is the only legal one",
        )
    elif only is not None and place.match.physical and _is_for_hands(place, only):
        place.wrong(
            f"{only} is said to follow by itself, but hands must do it",
            "Let obliged name a move only if it leaves no trace",
        )
    if prompt.together:
        waiting = [seat for seat in prompt.together if prompt.awaits(seat)]
        if waiting[:1] != [prompt.player]:
            place.wrong(
                f"prompt '{prompt.code}' asks {prompt.player}, and waits for {waiting}",
                "Let player be the first of together who is not in answered",
            )
    if prompt.rule:
        place.report.cited.add(prompt.rule)
    if prompt.player is not None and prompt.values.get("other") == prompt.player:
        place.wrong(
            f"prompt '{prompt.code}' names p{prompt.player} as 'other' too",
            "Let 'other' be the other player",
        )
    if any(type(value) is int for value in prompt.values.values()):
        place.report.figures.told(f"question '{prompt.code}'", prompt.values, place.counts)
    place.tell(lambda t: t.prompt(prompt))
    place.tell(lambda t: t.move(place.move))
    place.report.habits.answers.setdefault(prompt.code, set()).update(m.verb for m in moves)
    _check_chance(place)
    if state.violations(place.move):
        place.wrong(f"legal {place.move} is objected to", "Let legal_moves and violations agree")


def check_closely(place: Place, tried: dict[Move, None]) -> None:
    """The other checks. ``tried``: moves that were possible once, to be tried again."""
    written, prompt = place.state.to_json(), place.prompt
    before = canonical(written)
    if prompt.player is not None and not prompt.together:
        counts = written_at(written, prompt.player, place.match.players)
        place.report.figures.told(f"question '{prompt.code}'", prompt.values, counts)
    check_moves(place, tried, place.state.layout())
    _check_spread(place)
    if canonical(place.state.to_json()) != before:
        place.wrong("asking changed the state", "Let only apply change a state")
        return
    check_copies(place, before)
    check_effect(place)
    if place.deeply:
        check_spoilt(place, before)
        check_reading(place)
        _check_market(place)
        _check_pad(place)
    check_knowing(place)
    _check_turn(place)
    _check_touch(place)
    if canonical(place.state.to_json()) != before:
        place.wrong("asking changed the state", "Let only apply change a state")


def _check_chance(place: Place) -> None:
    if place.prompt.actor is Actor.PLAYER:
        chosen = place.state.choose(place.moves, Random(place.match.ply))
        if place.deeply and chosen != place.state.choose(place.moves, Random(place.match.ply)):
            place.wrong(
                "choose picks another move with the same random numbers",
                "Let choose take all chance from the generator that it is given",
            )
        if chosen not in place.moves:
            place.wrong(
                f"choose picks {chosen}, which is not legal", "Let choose take one of moves"
            )
        return
    weights = place.state.weights(place.moves)
    if len(weights) != len(place.moves) or min(weights) < 0 or sum(weights) <= 0:
        place.wrong(
            f"there are {len(weights)} weights for {len(place.moves)} outcomes, "
            f"{sum(weights)} in all",
            "Give each of moves a weight, none below zero and not all zero",
        )
    if (throw := place.state.throw()) is None:
        return
    if [*weights] != throw.weights(place.moves):
        place.report.hint(
            "dice fall otherwise than their faces let them", "Leave weights to the throw"
        )
    after = place.state.clone()
    after.apply(place.move)
    asked = after.prompt()
    if asked is not None and asked.actor is Actor.PLAYER and place.prompt.player is not None:
        place.report.habits.throws[asked.player == place.prompt.player] += 1


def _is_for_hands(place: Place, move: Move) -> bool:
    """True if a move changes what lies at the table; dice may be taken up any time."""
    after = place.state.clone()
    after.apply(move)
    lies, then = place.state.layout(), after.layout()
    changed = {item.site for item in (*(lies - then), *(then - lies))}
    return any(place.box.sites[site].kind != TRAY for site in changed & place.box.sites.keys())


def _check_touch(place: Place) -> None:
    """Check answers to screens: usual moves are legal, places in the box, results can be told."""
    game, state, box, move = place.game, place.state, place.box, place.move
    after = state.clone()
    after.apply(move)
    usual, result = game.touch.usual(state, place.moves), game.touch.result(state, move, after)
    if usual is not None and usual not in place.moves:
        place.wrong(f"{usual} is usual but not legal", "Let usual name one of moves, or none")
    if strange := [one for one in state.hinted_moves() if one not in place.moves]:
        place.wrong(
            f"{strange[0]} is a hint but not legal", "Let hinted_moves name legal moves only"
        )
    if unknown := {at for one in place.moves for at in game.touch.places(state, one)} - set(
        box.sites
    ):
        place.wrong(
            f"the box has no {sorted(unknown)} to be touched", "Name sites of the box in places"
        )
    place.tell(lambda t: t.key(move, place.prompt))
    if place.deeply:
        _check_apart(place)
        _check_dealing(place)
        _check_ledger(place)
    near = _near(place, after)
    for call in game.touch.calls(state, move, after):
        for seat in call.seats:
            place.report.seats.named(f"call '{call.code}'", seat, near)
        place.tell(lambda t, call=call: t.call(call))  # type: ignore[misc]
        if lost := set(call.sites) - set(box.sites):
            place.wrong(
                f"the box has no {sorted(lost)} to call to", "Name sites of the box in calls"
            )
    if result is None:
        return
    for name, value in result.params:
        if name in ("player", "owner", "winner") and isinstance(value, int):
            place.report.seats.named(f"'{name}' of result '{result.code}'", value, near)
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


def _near(place: Place, after: Any) -> set[int | None]:
    """Seats to which something happens by a move: who moves, who is asked next, and of whom a
    piece lies otherwise or a score is another."""
    before, then, asked = place.state.layout(), after.layout(), after.prompt()
    found = {place.move.player, None if asked is None else asked.player}
    found |= {item.owner for item in (*(before - then), *(then - before))}
    scores = zip(place.state.scores(), after.scores(), strict=False)
    return found | {seat for seat, (was, now) in enumerate(scores) if was != now}


def _check_apart(place: Place) -> None:
    """Moves that are said by touching places are told apart by them."""
    if place.prompt.actor is not Actor.PLAYER:
        return
    said: dict[str, list[tuple[str, ...]]] = {}
    for move in place.moves:
        if touched := place.game.touch.places(place.state, move):
            said.setdefault(move.verb, []).append(touched)
    for verb, all_touched in said.items():
        if len(all_touched) >= SEVERAL and len(set(all_touched)) == 1:
            place.wrong(
                f"{len(all_touched)} moves '{verb}' are all said by touching "
                f"{' and '.join(all_touched[0])}",
                "Let places tell the moves apart, or be empty",
            )


def _check_ledger(place: Place) -> None:
    """Check the ledger: entries are each player's, and their worth is the score."""
    game, ledger = place.game, place.state.ledger()
    for kind in list(place.box.kinds)[:3]:
        worth = game.touch.worth({kind: 1})
        if strange := set(worth) - {kind}:
            place.wrong(f"{kind} is worth {sorted(strange)}", "Let worth name kinds it was given")
    if ledger is None:
        return
    if len(ledger.owned) != place.match.players:
        place.wrong(
            f"the ledger has the cards of {len(ledger.owned)} of {place.match.players} players",
            "Let owned have one entry for each seat",
        )
        return
    for seat, points in enumerate(place.state.scores()):
        worth_all = sum(game.touch.worth(ledger.owned[seat]).values())
        if worth_all != points:
            place.wrong(
                f"the cards of seat {seat} are worth {worth_all}, and it scores {points}",
                "Let worth and scores agree",
            )


def _check_dealing(place: Place) -> None:
    """Check that what the program may draw for people with real pieces lies open then."""
    unseen = [move for move in place.moves if UNSEEN in move.args]
    if place.match.physical and unseen and place.game.touch.may_deal(place.state):
        place.wrong(
            f"may_deal is True, and '{unseen[0]}' is drawn unseen",
            "Let may_deal be True only where everybody may see what is drawn",
        )


def _check_turn(place: Place) -> None:
    """Check the seat whose turn it is."""
    if place.prompt.actor is not Actor.PLAYER:
        return
    turn, habits = place.state.turn_of(), place.report.habits
    habits.turns_asked += 1
    habits.turns_theirs += turn == place.prompt.player
    if turn is not None and turn not in range(place.match.players):
        place.wrong(f"turn_of names seat {turn}", "Let turn_of name a seat, or None")


def _check_market(place: Place) -> None:
    """Cards for sale are cards of the box, and their texts are pages."""
    market = place.game.touch.market(place.state)
    if market is None:
        return
    named = {*(ware.kind for ware in market.wares), *market.trash, *market.played}
    if strange := sorted(named - set(place.box.kinds)):
        place.wrong(f"the market names {strange}", "Name kinds of the box in market")
    place.report.cited.update(ware.rule for ware in market.wares)
    turn = place.state.turn_of()
    if market.turn is not None and market.turn != turn:
        place.wrong(f"the market says p{market.turn}'s turn, turn_of p{turn}", "Let both agree")
    for key, _ in market.figures:
        place.tell(lambda t, key=key: t.text("figures", key))  # type: ignore[misc]
    for word in {word for ware in market.wares for word in ware.types}:
        place.tell(lambda t, word=word: t.text("types", word))  # type: ignore[misc]
    layout = Counter[str]()
    for item, number in place.state.layout().items():
        layout[item.kind] += number
    played = Counter(market.played) - layout
    if layout and played:
        place.wrong(
            f"the market says that {sorted(played)[:3]} were played, and they do not lie there",
            "Let played name the cards that were played in this turn",
        )
    for ware in market.wares:
        if not market.naming and ware.left > layout[ware.kind]:
            place.wrong(
                f"{ware.left} of {ware.kind} are for sale, and {layout[ware.kind]} lie there",
                "Let market say how many are left in the supply",
            )


def _check_pad(place: Place) -> None:
    """Check that numbers on keys are legal moves, and that all of these can be entered."""
    pad = place.game.touch.pad(place.state)
    if pad is None:
        return
    remedy = "Let the fields of a pad say what legal_moves do"
    keys: set[str] = set()
    for field in pad.fields:
        factors = (1, *field.factors)
        keys |= {field.move(n, by).text for n in field.numbers for by in factors}
        ends = {field.numbers[0], field.numbers[-1]} if len(field.numbers) else set[int]()
        for move in (field.move(n, by) for n in sorted(ends) for by in factors):
            if place.state.violations(move):
                place.wrong(f"the pad has a key for {move}, which is not legal", remedy)
                return
    verbs = {field.verb for field in pad.fields}
    if missed := [one for one in place.moves if one.verb in verbs and one.text not in keys]:
        place.wrong(f"{missed[0]} is legal, and the pad has no key for it", remedy)


def _check_spread(place: Place) -> None:
    """Check that pieces laid openly can be entered, however they lie."""
    spread = place.game.touch.spread(place.state)
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
