"""Offences: illegal steps of hands, made from random matches, one condition at a time.

Each begins at a decision of a random match. One word of a legal move is another one, a player acts
out of turn or once more, the effect of a move lands elsewhere, or play goes on behind an offence.
Kept are those that hands can carry out, that show, and that no legal moves explain. A picture does
not tell everything: every reason counts that forbids an equally simple step of the same player that
leaves the same picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter
from random import Random
from typing import Any

from rules.box import Box, load_box
from rules.core import Actor, GameError, Lies, Move
from rules.match import Entry, Match
from rules.reading.sighting import EMPTY, Look, looks

MOST_TRIED = 25
"""Steps that are tried at one place for an offence of one kind."""
MOST_LEGAL = 300
"""Positions that are looked at for a legal explanation."""
LONGEST_LEGAL = 5
"""Moves of a legal explanation that is looked for."""

Lying = Mapping[str, Look]


@dataclass(frozen=True, slots=True)
class Offence:
    """An illegal step, done by hands."""

    kind: str
    """The relaxed condition and its verb."""
    before: Match
    """The agreed record."""
    lying: Lying
    """The table after it."""
    player: int | None
    """None if nobody did it, such as a disc that rolled."""
    move: Move
    codes: frozenset[str]
    """Right reasons; if there are none, the reason that is told must name one of ``sites``."""
    sites: frozenset[str]
    """Sites that look wrong."""


def offences(
    before: Match, turns: Sequence[Sequence[Match]], kind: str, chance: Random
) -> Iterator[Offence]:
    """Offences of one kind around a place where ``turns`` follow; ``turns``: the match after each
    of their moves."""
    moments = [before, *(match for match in turns[0] if _hands_may(match))]
    chance.shuffle(moments)
    for moment in moments:
        yield from _MAKERS[kind](moment, before, turns, chance)


def _hands_may(match: Match) -> bool:
    """True if hands may act now: nothing is drawn or shown first. What a rolling disc does is up to
    hands."""
    prompt = match.prompt
    if prompt is None:
        return False
    rolls = prompt.actor is Actor.TABLE and match.game.inference.rolls
    return prompt.actor is Actor.PLAYER or rolls


# -- the kinds ------------------------------------------------------------------------------


def _another_word(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """One word of a legal move is another one."""
    legal = moment.legal_moves()
    words = _words(moment, legal)
    slots = sorted({(move.verb, place) for move in legal for place in range(len(move.args))})
    chance.shuffle(slots)
    for verb, place in slots:
        tried = set()
        same = [move for move in legal if move.verb == verb and len(move.args) > place]
        for _ in range(MOST_TRIED):
            move = chance.choice(same)
            word = chance.choice(words[verb, place])
            args = (*move.args[:place], word, *move.args[place + 1 :])
            other = Move.parse(" ".join((move.text.split()[0], verb, *args)))
            if other in tried:
                continue
            tried.add(other)
            found = _forbidden(moment, other, f"{verb}: another word {place + 1}", chance)
            if found is not None:
                yield found
                break


def _another_verb(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """Another verb with the same words, or with a part of them."""
    moves = moment.legal_moves()
    tried = list(moment.state.clone().pseudo_moves())
    chance.shuffle(moves)
    for move in moves[:MOST_TRIED]:
        others = [
            other
            for other in tried
            if other.verb != move.verb
            and other.player == move.player
            and {*other.args} & {*move.args}
        ]
        if others:
            other = chance.choice(others)
            found = _forbidden(moment, other, f"{other.verb}: another verb", chance)
            if found is not None:
                yield found
                return


def _out_of_turn(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """The next player's first step that shows, made now."""
    last = turns[0][-1]
    for match in turns[1]:
        move = match.log[-1].move
        if move.player is not None and looks(match.layout) != looks(last.layout):
            found = _forbidden(moment, move, f"{move.verb}: out of turn", chance)
            if found is not None:
                yield found
            return
        last = match


def _another_player(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """Another player makes a step that somebody else may make."""
    moves = [move for move in moment.legal_moves() if move.player is not None]
    chance.shuffle(moves)
    for move in moves[:MOST_TRIED]:
        seat = chance.choice([s for s in range(moment.players) if s != move.player] or [0])
        other = Move.parse(" ".join((f"p{seat}", move.verb, *move.args)))
        found = _forbidden(moment, other, f"{move.verb}: another player", chance)
        if found is not None:
            yield found
            return


def _once_more(
    moment: Match,
    before: Match,
    turns: Sequence[Sequence[Match]],
    chance: Random,
    *,
    at_once: bool = False,
) -> Iterator[Offence]:
    """A step that was possible at the beginning of the turn, behind one or all of its steps."""
    if moment.ply == before.ply:
        return
    moves = before.legal_moves()
    chance.shuffle(moves)
    since = [match for match in turns[0] if match.ply <= moment.ply]
    shown = [match for match in since if looks(match.layout) != looks(before.layout)]
    for move in moves[:MOST_TRIED]:
        found = _forbidden(moment, move, f"{move.verb}: once more", chance, at_once=at_once)
        if found is not None:
            # Whether the turn has been closed meanwhile is no matter of hands.
            codes = {objection.code for match in shown for objection in match.why_not(move)}
            yield replace(found, codes=found.codes | codes)
            return


def _once_more_at_once(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """The same in one look."""
    if looks(moment.layout) == looks(before.layout):
        return
    shown = looks(moment.layout)
    done = _differing(shown, looks(before.layout))
    for found in _once_more(moment, before, turns, chance, at_once=True):
        # What covers the steps before it, or was cleared away, cannot be told.
        covers = any(
            Counter(shown.get(site, EMPTY)) - Counter(found.lying.get(site, EMPTY))
            for site in found.sites & done
        ) or any(_hides(match, moment) for match in turns[0] if match.ply < moment.ply)
        if not covers and not _legally(before, found.lying):
            codes = found.codes | _the_other_way_round(before, moment, found.move)
            kind = f"{found.move.verb}: once more at once"
            yield replace(found, kind=kind, before=before, codes=codes)


def _behind(moment: Match, legal: Move, move: Move) -> set[str]:
    """Reasons against ``move`` behind a ``legal`` one of the same player."""
    if legal.player != move.player or moment.why_not(legal):
        return set()
    after = moment.clone()
    after.push(legal)
    after.deal()
    return {objection.code for objection in after.why_not(move)}


def _hides(match: Match, later: Match) -> bool:
    """True if something lies openly after ``match`` that neither lies there ``later`` nor did
    before."""
    before = match.clone()
    before.pop()
    old, new, then = looks(before.layout), looks(match.layout), looks(later.layout)
    return any(
        Counter(look) - Counter(old.get(site, EMPTY)) - Counter(then.get(site, EMPTY))
        for site, look in new.items()
    )


def _the_other_way_round(before: Match, moment: Match, move: Move) -> set[str]:
    """Reasons against the first step if ``move`` came before it: one look does not tell the
    order."""
    first = before.clone()
    if first.why_not(move):
        return set()
    first.push(move)
    first.deal()
    steps = [e.move for e in moment.log[before.ply :] if e.move.player == move.player]
    return {objection.code for step in steps[:1] for objection in first.why_not(step)}


def _elsewhere(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """The effect of a step takes place elsewhere."""
    after = _one_step(moment, turns)
    if after is None:
        return
    move = after.log[moment.ply].move
    old, new = dict(looks(moment.layout)), dict(looks(after.layout))
    box = _box(moment)
    named = {arg for entry in after.log[moment.ply :] for arg in entry.move.args}
    sites = [s for s in {**old, **new} if old.get(s) != new.get(s) and s not in named]
    chance.shuffle(sites)
    for site in sorted(sites):
        others = [
            other
            for other, place in box.sites.items()
            if place.takes == box.sites[site].takes
            and not {"card", "card back"} & {*place.takes}
            and old.get(other, EMPTY) == new.get(other, EMPTY)
            and bool(old.get(other)) == bool(old.get(site)) != bool(new.get(site))
            and other not in named
        ]
        if not others:
            continue
        other = chance.choice(others)
        lying = {**new, site: old.get(site, EMPTY), other: new.get(site, EMPTY)}
        lying = {s: look for s, look in lying.items() if look}
        if lying in (old, new) or _legally(moment, lying) or not _feasible(moment, lying):
            continue
        assert move.player is not None
        yield Offence(
            f"{move.verb}: elsewhere", moment, lying, move.player, move, frozenset(),
            frozenset((site, other)),
        )  # fmt: skip
        return


def _twice(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """An illegal step done twice, such as two pieces in place of none."""
    for found in chain(
        _another_player(moment, before, turns, chance), _once_more(moment, before, turns, chance)
    ):
        once = _carried_out(moment, found.move, Random(0))
        if once is not None and _lies_there(once, found.move):
            continue  # One card is not played twice.
        twice = None if once is None else _carried_out(once, found.move, Random(0))
        if twice is None or looks(twice.layout) in (found.lying, looks(moment.layout)):
            continue
        lying = looks(twice.layout)
        if not _feasible(moment, lying) or _legally(moment, lying) or _told_anew(moment, lying):
            continue
        sites = frozenset(_differing(lying, looks(moment.layout)))
        yield replace(found, kind=f"{found.move.verb}: twice", lying=lying, sites=sites)
        return


def _gone_on(
    moment: Match, before: Match, turns: Sequence[Sequence[Match]], chance: Random
) -> Iterator[Offence]:
    """An illegal step and a legal one behind it in one look."""
    for found in chain(
        _another_word(moment, before, turns, chance), _once_more(moment, before, turns, chance)
    ):
        after = _carried_out(moment, found.move, Random(0))
        if after is None:
            continue
        moves = after.legal_moves()
        chance.shuffle(moves)
        for move in moves[:10]:
            further = after.clone()
            if further.why_not(move):
                continue
            further.push(move)
            further.deal()
            lying = looks(further.layout)
            touched = _differing(lying, found.lying)
            if not touched or touched & found.sites or _legally(moment, lying):
                continue
            if _told_anew(moment, lying):
                continue
            # One look does not tell which came first.
            codes = found.codes | (_behind(moment, move, found.move) if found.codes else set())
            yield Offence(
                f"{found.move.verb}: gone on", moment, lying, found.player, found.move,
                frozenset(codes), found.sites,
            )  # fmt: skip
            return


_MAKERS = {
    "another word": _another_word,
    "another verb": _another_verb,
    "out of turn": _out_of_turn,
    "another player": _another_player,
    "once more": _once_more,
    "once more at once": _once_more_at_once,
    "elsewhere": _elsewhere,
    "twice": _twice,
    "gone on": _gone_on,
}
KINDS = tuple(_MAKERS)


# -- which of them count ---------------------------------------------------------------------


def _forbidden(
    moment: Match, move: Move, kind: str, chance: Random, *, at_once: bool = False
) -> Offence | None:
    """``move`` as an offence; None if it is none, or does not show, or hands cannot do it."""
    why = moment.why_not(move)
    if move.actor is Actor.DEALER or not why or any(o.code in _NO_STEP for o in why):
        return None
    if all(other.verb != move.verb for other in moment.state.pseudo_moves()):
        return None  # Before the cards are dealt none can be played.
    after = _carried_out(moment, move, chance)
    if after is None:
        return None
    lying = looks(after.layout)
    if lying == looks(moment.layout):
        return None
    if not _feasible(moment, lying) or _fallen(moment, lying) or _lifted(moment, lying):
        return None
    if _lies_there(moment, move) and _lies_there(after, move) == _lies_there(moment, move):
        return None  # A card that lies there openly is not played once more.
    board = {site: tuple((g.kind, g.pose) for g in look) for site, look in lying.items()}
    differing = _differing(looks(moment.state.layout()), lying)
    board.update({site: () for site in differing if site not in board})
    if Lies.UNJUDGED in moment.game.inference.may_lie(moment.state, differing, board, ()).values():
        return None  # Hands may still end something legal.
    codes = _as_simple(moment, after, move, len(why), at_once=at_once)
    if codes is None or may_lie(moment, lying) or _legally(moment, lying):
        return None
    if _told_anew(moment, lying):
        return None
    sites = frozenset(_differing(lying, looks(moment.layout)))
    return Offence(kind, moment, lying, move.player, move, codes, sites)


_NO_STEP = ("unknown_move", "malformed", "match_over", "on_discards")
"""It is no move, or the card that it names lies openly elsewhere."""


def _carried_out(match: Match, move: Move, chance: Random) -> Match | None:
    """The match after ``move`` and what chance adds to it; None if it cannot be carried out."""
    after = match.clone()
    try:
        after.play(Entry(move, forced=True))
        while after.prompt is not None and not _hands_may(after):
            if not after.deal():
                after.push(chance.choice(after.legal_moves()))
        if after.state.problems():
            return None
        looks(after.layout)
    except (GameError, LookupError, ValueError, TypeError, AssertionError):
        return None
    return after


def _as_simple(
    match: Match, done: Match, move: Move, most: int, *, at_once: bool
) -> frozenset[str] | None:
    """Every right reason: those against steps of the same player that leave the same picture. None
    if the picture points to another player: with their own pieces the player who is asked and the
    one who moved last, at once behind that move the other way round; then anybody else, and at last
    the player who is asked with another's piece."""
    lying, chance_added = looks(done.layout), [e.move for e in done.log[match.ply + 1 :]]
    by_hand = match.clone()
    by_hand.play(Entry(move, forced=True))
    changed = _differing(looks(by_hand.layout), looks(match.layout))
    asked = match.prompt.player if match.prompt is not None else None
    whose = asked if move.player is None else move.player
    found: dict[tuple[bool, int | None], set[str]] = {}
    for base in (match, *_closed(match)):
        for other in {move, *base.state.clone().pseudo_moves()}:
            if other.actor is Actor.DEALER or not changed <= set(base.state.touches(other)):
                continue
            why = base.why_not(other)
            if not 0 < len(why) <= most or any(o.code in _NO_STEP for o in why):
                continue
            after = base.clone()
            try:
                after.play(Entry(other, forced=True))
                after.deal()
                for dealt in chance_added:
                    if not after.why_not(dealt):
                        after.push(dealt)
                after = _dealt_so(after, lying)
            except (GameError, LookupError, ValueError, TypeError, AssertionError):
                continue
            if looks(after.layout) == lying:
                put = after.layout - base.layout
                owners = {item.owner for item in put} - {None}
                player = asked if other.player is None else other.player
                codes = found.setdefault((not owners or player in owners, player), set())
                codes.update(objection.code for objection in why)
    last = next((e.move.player for e in reversed(match.log) if e.move.player is not None), None)
    order = [(True, asked), (True, last), *(who for who in sorted(found, key=str) if who[0])]
    order.append((False, asked))
    if at_once:
        order[:2] = [(True, last), (True, asked)]
    likeliest = next((who for who in order if who in found), None)
    if likeliest is None:
        codes = found.get((True, whose), set())
        return frozenset(codes) if len(found) == 1 and codes else None
    return frozenset(found[likeliest]) if likeliest[1] == whose else None


def _dealt_so(match: Match, lying: Lying) -> Match:
    """``match`` after the card that chance would have to turn up for it to look so, if there is
    one."""
    if match.prompt is None or match.prompt.actor is not Actor.DEALER:
        return match
    shown = {glimpse.kind for look in lying.values() for glimpse in look}
    cards = {kind for kind in _box(match).kinds if kind.startswith("card ")}
    for move in match.legal_moves():
        if not cards.intersection(f"card {arg}" for arg in move.args) <= shown:
            continue  # What is turned up shows.
        after = match.clone()
        after.push(move)
        after.deal()
        if looks(after.layout) == lying:
            return after
    return match


def _closed(match: Match) -> Iterator[Match]:
    """``match`` with its turn closed, if nothing shows that it was."""
    for move in match.legal_moves():
        if move.verb == "done":
            after = match.clone()
            after.push(move)
            after.deal()
            if looks(after.layout) == looks(match.layout):
                yield after


def _lifted(match: Match, lying: Lying) -> bool:
    """True if nothing shows but that one thing lacks, which somebody may hold and put back."""
    old, new = _things(looks(match.layout)), _things(lying)
    return not new - old and (old - new).total() == 1


def _lies_there(match: Match, move: Move) -> set[str]:
    """Sites where a card that ``move`` names lies openly."""
    cards = {f"card {arg}" for arg in move.args}
    return {s for s, look in looks(match.layout).items() if any(g.kind in cards for g in look)}


def _fallen(match: Match, lying: Lying) -> bool:
    """True if only poses differ: a piece that fell over is no offence."""
    before = looks(match.layout)
    return all(
        sorted(g.kind for g in lying.get(site, EMPTY))
        == sorted(g.kind for g in before.get(site, EMPTY))
        for site in _differing(lying, before)
    )


def _feasible(match: Match, lying: Lying) -> bool:
    """True if the things that lie there were within reach."""
    old, new = _things(looks(match.layout)), _things(lying)
    at_hand: Counter[str] = Counter()
    for seat in range(match.players):
        at_hand += match.state.supply(seat)
    for item, number in match.layout.items():
        at_hand[item.kind] += 0 if item.seen else number
    box = _box(match)
    for kind, number in (new - old).items():
        if kind.startswith("card"):
            if new[kind] > max(1, len(box.kinds[kind].stickers)) and match.game.id != "dominion":
                return False
        elif at_hand[kind] < number:
            return False
    return True


def _things(lying: Lying) -> Counter[str]:
    """The look there; a trilithon with a disc in its hollow counts as the disc."""
    kinds = (glimpse.kind for look in lying.values() for glimpse in look)
    return Counter(kind.replace("trilithon ", "disc ") for kind in kinds)


def _differing(one: Lying, other: Lying) -> set[str]:
    return {site for site in {**one, **other} if one.get(site, EMPTY) != other.get(site, EMPTY)}


def _legally(match: Match, lying: Lying) -> bool:
    """True if legal moves lead there, or beyond it on the same way; each touches a site that
    differs, or none."""
    old = looks(match.layout)
    new = {site: lying.get(site, EMPTY) for site in _differing(lying, old)}
    frontier: list[tuple[int, Any, tuple[Move, ...]]] = [(len(new), match.state.clone(), ())]
    looked_at = 0
    seen: set[str] = set()
    for depth in range(LONGEST_LEGAL):
        reached: list[tuple[int, Any, tuple[Move, ...]]] = []
        for before, here, moves in frontier:
            changed = _differing(looks(here.layout()), lying)
            for move in here.legal_moves():
                touched = here.touches(move)
                if touched and changed.isdisjoint(touched):
                    continue
                looked_at += 1
                if looked_at > MOST_LEGAL:
                    return False
                after = here.clone()
                after.apply(move)
                while (dealt := match.chance.answer(after, match.ply + depth + 1)) is not None:
                    after.apply(dealt)
                lies = looks(after.layout())
                if all(lies.get(site, EMPTY) == look for site, look in new.items()):
                    return True
                left = len(_left(match, after, (*moves, move), lying, _differing(lies, lying)))
                if not left:
                    return True
                if left > before + (depth == 0):
                    continue
                key = str(after.to_json())
                if key not in seen:
                    seen.add(key)
                    reached.append((left, after, (*moves, move)))
        reached.sort(key=itemgetter(0))
        frontier = reached[:40]
    return False


def _told_anew(match: Match, lying: Lying) -> bool:
    """True if other legal moves in the last turn, or at its end, seen late, explain it: nobody can
    be told off."""
    before = match.clone()
    last: int | None = None
    ends = 0
    while before.ply and (last is None or before.log[-1].move.player in (last, None)):
        undone = before.pop()
        last = undone.player if last is None else last
        ends += undone.player is not None
        if ends == 1 and undone.player is not None and _legally(before, lying):
            return True
    return ends > 1 and _legally(before, lying)


def may_lie(match: Match, lying: Lying) -> bool:
    """True if all may lie so in ``match``."""
    return not _left(match, match.state, (), lying, _differing(looks(match.layout), lying))


def _left(
    match: Match, state: Any, moves: Sequence[Move], lying: Lying, changed: set[str]
) -> set[str]:
    """The ``changed`` sites that look otherwise than they may, by the game's own word,
    behind ``moves``."""
    if changed:
        board = {site: tuple((g.kind, g.pose) for g in look) for site, look in lying.items()}
        board.update({site: () for site in changed if site not in board})
        lies = match.game.inference.may_lie(state, changed, board, moves)
        changed -= {site for site, how in lies.items() if how.right}
    return changed


def _one_step(moment: Match, turns: Sequence[Sequence[Match]]) -> Match | None:
    """The match after the next step that shows and all that chance adds to it."""
    shown: Match | None = None
    for match in turns[0]:
        if match.ply <= moment.ply:
            continue
        if shown is not None and match.log[-1].move.player is not None:
            return shown
        if shown is not None or looks(match.layout) != looks(moment.layout):
            shown = match
        if shown is None and match.log[-1].move.player is not None and match.ply > moment.ply + 1:
            return None
    return shown


def _box(match: Match) -> Box:
    return load_box(match.game.box).for_game(match.game.id)


def _words(match: Match, legal: Sequence[Move]) -> Mapping[tuple[str, int], list[str]]:
    """By verb and place, the words that legal and possible moves have there."""
    found: dict[tuple[str, int], set[str]] = {}
    trial = match.clone()
    for move in (*legal, *trial.state.pseudo_moves()):
        for place, word in enumerate(move.args):
            found.setdefault((move.verb, place), set()).add(word)
    return {key: sorted(words) for key, words in found.items()}
