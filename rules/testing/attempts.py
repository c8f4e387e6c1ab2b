"""Tries everything that hands could try: ``pseudo_moves``, ``violations`` and ``apply``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from rules.core import Actor, Layout, Move, Objection
from rules.testing.report import Place, fault
from rules.testing.statistics import Against

FOREIGN = "p0 dance", "p9 done", "table dance X", "dealer dance", "p0 place"
"""Moves that no game knows."""
TRIED = 400
"""Most moves that were possible once and are tried again."""
CARRIED_OUT = 5
"""Most pseudo-moves of a position that are carried out on a copy."""


def check_moves(place: Place, tried: dict[Move, None], layout: Layout) -> None:
    """``tried``: moves that were possible once; ``layout``: what lies there now."""
    state, legal = place.state, set(place.moves)
    habits = place.report.habits
    habits.closely += 1
    if place.prompt.player is not None:
        place.report.seats.looked(place.prompt.player, place.prompt.code)
    seen: set[Move] = set()
    for pseudo in state.pseudo_moves():
        seen.add(pseudo)
        if Move.parse(str(pseudo)) != pseudo:
            place.wrong(f"'{pseudo}' does not parse back", "Make moves of plain words")
        objections = state.violations(pseudo)
        if (not objections) != (pseudo in legal):
            reason = ", ".join(o.code for o in objections) or "nothing against it"
            listed = "legal" if pseudo in legal else "not listed"
            place.wrong(
                f"{pseudo} is {listed}, but violations says: {reason}",
                "Let legal_moves and violations agree",
            )
        habits.pseudo_refused += bool(objections)
        _note(place, pseudo, objections)
    if place.game.watched and place.match.players > 1 and place.prompt.actor is Actor.PLAYER:
        players = {move.player for move in seen} - {None}
        habits.others_there += 1
        habits.others_tried += not all(map(place.prompt.asks, players))
    # Moves that were possible earlier in the match are tried again: hands repeat themselves.
    for old in tried:
        if old not in seen:
            objections = state.violations(old)
            _note(place, old, objections)
            if not objections:
                place.wrong(
                    f"{old} is no pseudo-move, but nothing is objected to it",
                    "Yield it in pseudo_moves, or object to it in violations",
                )
    chance = Random(str(place.match.ply))
    some = chance.sample(sorted(seen), min(12, len(seen)))
    tried.update(dict.fromkeys((*some, place.move)))
    while len(tried) > TRIED:
        del tried[next(iter(tried))]
    for missing in sorted(legal - seen)[:3]:
        place.wrong(f"legal {missing} is no pseudo-move", "Yield every legal move in pseudo_moves")
    for text in (*FOREIGN, *(_misspelt(place) if place.deeply else ())):
        _check_unknown(place, Move.parse(text), seen)
    for pseudo in some[:CARRIED_OUT]:
        _carry_out(place, pseudo, pseudo in legal, layout)


def _misspelt(place: Place) -> Iterator[str]:
    """The move that is played, as no record may have it."""
    move = place.move
    who, _, rest = move.text.partition(" ")
    words = rest.split(" ")
    yield f"{move.text} x"
    yield f"{who} {move.verb}x {' '.join(words[1:])}".rstrip()
    yield f"table {rest}" if move.actor is not Actor.TABLE else f"dealer {rest}"
    if place.match.players < 10:
        yield f"p{place.match.players} {rest}"
    if move.args:
        yield f"{who} {' '.join(words[:-1])}"
        for number in range(1, len(words)):
            yield f"{who} {' '.join([*words[:number], 'nowhere', *words[number + 1 :]])}"
        shouted = " ".join(arg.upper() if arg.islower() else arg.swapcase() for arg in words[1:])
        yield f"{who} {move.verb} {shouted}"


def _check_unknown(place: Place, foreign: Move, seen: set[Move]) -> None:
    """Try a move that is no pseudo-move, as from a foreign file or a slip of the keyboard."""
    if foreign in seen:
        return
    try:
        objections = place.state.violations(foreign)
    except Exception as error:  # whatever it is, it is the finding
        place.wrong(
            f"violations fails on '{foreign}': {fault(error)}",
            "Let violations answer for any text, with unknown_move if it knows no such move",
        )
        return
    for objection in objections[:1]:
        place.report.objections[objection.code] += 1
    if not objections and foreign.text not in place.legal:
        place.wrong(
            f"'{foreign}' is not objected to",
            "Let violations object to every move that it does not know",
        )


def _carry_out(place: Place, pseudo: Move, legal: bool, before: Layout) -> None:
    habits, trial = place.report.habits, place.state.clone()
    try:
        trial.apply(pseudo)
        layout = trial.layout()
    except Exception as error:  # whatever it is, it is the finding
        place.wrong(
            f"trying out {pseudo} fails: {fault(error)}",
            "Let apply carry out every pseudo-move, allowed or not",
        )
        return
    if pseudo.player is None:
        return
    lying = Counter[str]()
    for item, number in layout.items():
        lying[item.kind] += number
    kinds = place.box.kinds
    for kind in lying.keys() & kinds.keys():
        if lying[kind] > kinds[kind].count:
            place.wrong(
                f"{pseudo} would lay {lying[kind]} of {kind}, the box holds {kinds[kind].count}",
                "Let pseudo_moves yield what hands can do with the pieces there are",
            )
    changed = layout != before
    if legal:
        habits.legal[pseudo.verb] += 1
        habits.shown[pseudo.verb] += changed
    elif not place.box.sites.keys().isdisjoint(pseudo.args):
        habits.refused[pseudo.verb] += 1
        habits.refused_shown[pseudo.verb] += changed
    early = not place.prompt.asks(pseudo.player)
    same = any(move.verb == pseudo.verb for move in place.moves)
    if early and same and not place.box.sites.keys().isdisjoint(pseudo.args):
        habits.untouched[pseudo.verb] += not changed
        habits.early_shown[pseudo.verb] += changed
    if not changed:
        return
    owners = {item.owner for item in layout - before} - {None}
    if not owners:
        return
    if early:
        habits.out_of_turn[pseudo.verb] += 1
        habits.borrowed[pseudo.verb] += pseudo.player not in owners
    elif pseudo.player not in owners:
        habits.lent.add(pseudo.verb)


def _note(place: Place, move: Move, objections: Iterable[Objection]) -> None:
    report = place.report
    for objection in objections:
        report.cited.add(objection.rule)
        report.objections[objection.code] += 1
        if move.player is not None and place.prompt.asks(move.player):
            report.seats.refused(move.player, objection.code, place.prompt.code)
            if not place.prompt.together:
                said = f"objection '{objection.code}'"
                report.figures.told(said, objection.values, place.counts)
        if (shape := (objection.code, *objection.values)) not in report.told:
            report.told.add(shape)
            place.tell(lambda teller, said=objection: teller.objection(said))  # type: ignore[misc]
        if report.objections[objection.code] <= CLOSE or place.deeply:
            _check_named(place, move, objection)


CLOSE = 40
"""Number of objections of a code whose names are looked at."""


def _check_named(place: Place, move: Move, objection: Objection) -> None:
    """Check the seats and sites that an objection names."""
    values, prompt, said = objection.values, place.prompt, f"objection '{objection.code}'"
    for name, value in values.items():
        if not isinstance(value, str | int):
            place.wrong(
                f"{said} has {name}={value!r}",
                "Give objections words and numbers only, for they are stored and sent",
            )
    if isinstance(site := values.get("site"), str):
        against = place.report.habits.against.setdefault(objection.code, Against())
        against.moves.add(move.text.partition(" ")[2])
        against.sites.add(site)
        against.positions.add(place.here)
        # What lies in the way may be named wherever it lies.
        astray = site not in place.answers and site not in place.occupied
        for name in values.keys() & {"owner", "other"}:
            if (there := place.owners.get(site)) and not (name == "other" and move.player in there):
                whose = against.owners.setdefault(name, Counter())
                whose[values[name] in there] += 1
        if site not in move.args and prompt.asks(move.player):
            against.answers[not astray] += 1
            if astray:
                against.astray = f"{site} against '{move}' ({place.here})"
    named = values.get("player"), values.get("other")
    if None not in named and named[0] == named[1]:
        place.wrong(
            f"{said} to {move} names p{named[0]} as 'player' and as 'other'",
            "Let 'other' be the other player",
        )
    asked = prompt.asks(move.player) and not prompt.together
    # A move may itself name the player whom it is about.
    free = asked and f"p{values.get('player')}" not in move.args
    if isinstance(values.get("player"), int) and free and objection.code != "wrong_player":
        whose = place.report.habits.names_player.setdefault(objection.code, Counter())
        whose[move.player == values["player"]] += 1
    if objection.code == "wrong_player" and prompt.actor is Actor.PLAYER:
        right = prompt.player, move.player
        if None not in named and named != right and right[0] != right[1]:
            place.wrong(
                f"{said} to {move} says that it is p{named[0]}'s turn, but p{right[0]} is asked",
                "Let 'player' be who is to move, and 'other' who moved",
            )
