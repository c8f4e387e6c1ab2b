"""Things that lie there for a while: they are cleared away late, or before all of a turn was seen;
cards and coins are laid early, and the next player begins while the last one tidies up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from rules.core import Lies, Move
from rules.games.dominion.components import ACTIONS, ATTACKS, COINS, COST, RARELY_BOUGHT, TREASURES
from rules.games.dominion.effects import QUESTIONS
from rules.games.dominion.explained import asks_for_cards, covers, enough_actions, fits_answer
from rules.games.dominion.holdings import CardsBeside
from rules.games.dominion.layout import BACK, areas, dealt_beside, heap_site
from rules.games.dominion.state import Frame
from rules.games.dominion.table import BONUS, HAND, Table, coins_of

_BACKS = ((), ((BACK, ""),))
"""Looks of a draw pile while cards are drawn or shuffled."""

_REACH = ATTACKS | {"council-room"}
"""Cards that move other players' cards."""


def how_long(table: Table, site: str) -> Lies:
    """How long what may lie at ``site`` lies there.

    A packet, or a pile that was shuffled at another time, stays. While somebody clears away late,
    or lays coins before another one's turn, which shows, is over, nobody need say anything.
    """
    if site in map(heap_site, dealt_beside(table.state)):
        return Lies.FOR_GOOD
    if any(site == f"discard-p{seat}" for seat in _asked_as_well(table)):
        return Lies.UNTOLD
    last = f"discard-p{table.last}"
    if site.startswith("draw") or site == last or (site == table.discard and _gained_twice(table)):
        return Lies.FOR_GOOD
    early = site == f"play-p{table.next}" and (table.played or table.buying)
    return Lies.FOR_NOW if early or site == f"play-p{table.last}" else Lies.UNTOLD


def halfway(table: Table) -> bool:
    """True if a card that was bought may lie on others that an action of the same look brought
    there; what was drawn for them nobody knows either."""
    if table.state.over or table.cards.dealt:
        return False
    if any(map(table.has_run_out, table.state.piles)):
        return asks_for_cards(table)
    return table.top != table.cards.face and asks_for_cards(table) and covers(table)


def tolerated_cards(table: Table, sites: Collection[str], moves: Sequence[Move]) -> Collection[str]:
    """The same for everything but heaps of cards that the program deals."""
    if table.state.over or table.cards.dealt:
        return set(_left_by_the_last(table, moves)).intersection(sites)
    begun = any(move.player == table.seat for move in moves)
    if {*sites} == {table.play} and _being_swept(table):
        return list(sites)
    found = set(_left_by_the_last(table, moves))
    new = [site for site in sites if site not in found]
    if not begun and new and (_swept_away(table, new) or _turns_swept_away(table, new)):
        return list(sites)
    found.update(_taken_late(table))
    found.update(_revealed_still(table))
    if _gained_twice(table):
        found.add(table.discard)
    for seat in _asked_as_well(table):
        if table.may_top(seat, table.top_of(seat)):
            found.add(f"discard-p{seat}")
    if _others_may_begin(table) and not {table.play, table.discard}.intersection(sites):
        found.update(_begun_by_the_next(table))
    if _waits_for_a_touch(table):
        found.update(_laid_meanwhile(table))
    elif _card_before_coins(table):
        found.add(table.discard)
    return found.intersection(sites)


def _being_swept(table: Table) -> bool:
    """True if the cards played were cleared away, and what this turn brought still lies on top."""
    return not table.lying and table.state.quiet < 0 and table.top == table.cards.face


def _swept_away(table: Table, sites: Collection[str]) -> bool:
    """True if a turn was cleared away before all of it had been seen.

    What was bought then is under other cards. It is waited for until a touch tells it.
    """
    if {*sites} == {"trash"} and table.trash == "feast" and not table.played:
        return False  # A Feast has just been played, and its gain is still to come.
    begun = f"play-p{table.next}"
    elsewhere = not set(sites) <= {table.play, table.discard, begun}
    drawn = not table.top and elsewhere and not ACTIONS.isdisjoint(table.cards.owned)
    if table.lying or not (table.cleaned_up or drawn or _card_before_coins(table)):
        return False
    if begun in sites and not elsewhere and table.bought_nothing:
        return False
    return all(_may_change(table, site) for site in sites)


def _turns_swept_away(table: Table, sites: Collection[str]) -> bool:
    """The same for several turns in a row, each of which left a hand on its player's discards."""
    if table.stack or table.discard not in sites:
        return False
    own = [site for site in sites if _may_change(table, site)]
    rest = [site for site in sites if site not in own]
    if not rest or not _swept_away(table, own):
        return False
    after = table.next_turn()
    nothing = not after.lying and rest == [after.discard] and after.top == BACK
    return nothing or _swept_away(after, rest) or _turns_swept_away(after, rest)


def _may_change(table: Table, site: str) -> bool:
    """True if the rest of this turn, or the beginning of the next, may show at ``site``."""
    if site == table.play or site in areas(table.seat, "discard", "draw"):
        return True
    if site == f"play-p{table.next}":
        return bool(_begun_by_the_next(table))
    if site == f"discard-p{table.next}" and not table.board[site]:
        return True  # shuffled
    if site.startswith("draw") and not table.board[site]:
        return True  # In somebody's hand, to be counted.
    if site == "trash" or site.startswith("aside"):
        return True
    if site.startswith(("discard", "draw")):
        return site in areas(table.next, "draw") or not _REACH.isdisjoint(table.cards.owned)
    return table.may_run_out(site)


def _card_before_coins(table: Table) -> bool:
    """True if the card on top was taken before the coins for it were laid."""
    state, card = table.state, table.top
    if table.stack or table.buys < 1 or not state.piles.get(card) or card == table.cards.face:
        return False
    laid = table.laid
    short = COST[card] - table.coins - sum(COINS.get(c, 0) * n for c, n in laid.items())
    if short <= 0:
        return False
    if any(kind in TREASURES for kind in table.lying):
        # Some coins lie: the others, of the commonest kind, may still be missing.
        left = table.cards.hand_size() - laid.total()
        return short <= left and table.cards.may_hold("copper")
    return short <= sum(_best_hand(table))


def _best_hand(table: Table) -> list[int]:
    """The coins of the best hand the player may hold."""
    worth = {card: COINS.get(card, 0) for card in table.cards.kinds()}
    if not table.buying and table.acts:
        worth.update({card: BONUS.get(card, 0) for card in worth if card in ACTIONS})
    coins: list[int] = []
    for card in worth:
        coins += [worth[card]] * (table.cards.owned.get(card, 0) - table.played[card])
    return sorted(coins, reverse=True)[: table.cards.hand_size()]


def may_be_heap(table: Table, site: str) -> bool:
    """True if a heap of which nobody knows the uppermost card shows one of its own."""
    seat = int(site[-1])
    cards = table.state.seats[seat]
    known = isinstance(cards, CardsBeside) and cards.heap
    return not known and table.top_of(seat) in cards.owned


def _others_may_begin(table: Table) -> bool:
    """True if the turn is under way and its cards still lie: somebody is in a hurry."""
    return bool(table.lying and (table.played or table.buying))


def _begun_by_the_next(table: Table) -> Iterator[str] | list[str]:
    """The next player's play area, if what lies there may be their beginning."""
    seat, site = table.next, f"play-p{table.next}"
    cards, laid = table.state.seats[seat], table.kinds(site)
    if cards.dealt:
        return []
    swept = Counter(table.state.swept) if seat == table.last else Counter()
    if any(move.player == seat for move in table.moves) or (swept and swept <= laid):
        return []  # that is a turn which was not cleared away
    held = all(card in COST and cards.may_hold(card) for card in laid)
    if laid and held and laid.total() <= cards.hand_size() and not cards.play:
        return [site]
    return []


def _waits_for_a_touch(table: Table) -> bool:
    """True if something is asked that nothing on the table answers."""
    frame = table.stack[-1] if table.stack else ("", table.seat)
    if frame[0] == "reveal":
        return table.turned_up(frame[1]).isdisjoint(table.state.seats[frame[1]].draws())
    if frame[0] == "bureaucrat":
        return True  # a card laid face down on the draw pile looks like the one below
    if frame[0] == "militia" or _nobody_shows_a_moat(table):
        # Whoever has played a Militia lays coins before the others have chosen.
        asked = [frame[1], *_asked_as_well(table)]
        return not any(_has_chosen(table, seat) for seat in asked)
    if frame[1] != table.seat or frame[0] not in ("chapel", "gain", "throne-room"):
        return False
    answers = QUESTIONS[frame[0]].moves(table.state, frame)
    return frame[0] == "chapel" or not any(fits_answer(table, frame, m) for m in answers)


def _nobody_shows_a_moat(table: Table) -> bool:
    """True if a Militia waits for nothing but that nobody has a Moat."""
    moats = [frame for frame in table.stack if frame[0] == "moat"]
    attack = any(frame[0] == "attack" and frame[2] == "militia" for frame in table.stack)
    return attack and all(QUESTIONS["moat"].only(table.state, frame) for frame in moats)


def _has_chosen(table: Table, seat: int) -> bool:
    """True if ``seat`` has discarded one of the cards of a hand, by the record or by what shows."""
    whole = table.state.seats[seat].hand_size() >= HAND
    return not whole or table.newly_got(seat, table.top_of(seat))


def _taken_late(table: Table) -> Iterator[str]:
    """Sites of steps that follow by themselves, and that hands have yet to do."""
    asked = table.stack[-1] if table.stack else ("",)
    for seat in range(table.state.players):
        # A pile that is gone answers a Chancellor.
        if table.board.get(f"draw-p{seat}") in _BACKS and asked[:2] != ("chancellor", seat):
            yield f"draw-p{seat}"  # shuffled late, or early
        cards = table.state.seats[seat]
        if cards.shuffled and table.top_of(seat) == cards.shuffled != cards.face:
            yield f"discard-p{seat}"
    if table.lying and table.played and not table.top:
        yield table.discard  # more was drawn than is known, and it was shuffled for that
    if "witch" in table.cards.play:
        for seat in table.state.others(table.seat):
            late = table.may_top(seat, table.top_of(seat)) or not table.top_of(seat)
            if table.state.seats[seat].face == "curse" and late:
                yield f"discard-p{seat}"
    if asked[0] == "gain" and asked[3] == "feast" and table.laid == {"feast": 1}:
        yield from (table.play, "trash")


def _gained_twice(table: Table) -> bool:
    """True if the card on top may be either of two that one action, played twice, has brought, and
    was hardly bought."""
    brought = "workshop" in table.cards.play or table.state.trash[-1:] == ["feast"]
    twice = brought and "throne-room" in table.cards.play and not table.stack and not table.gone
    bought = table.buying and COST.get(table.top, 0) <= table.coins + coins_of(table.laid)
    return twice and not bought and table.top in table.cards.owned


def _asked_as_well(table: Table) -> list[int]:
    """Seats that are asked the same as the one whose answer is due: they answer in any order."""
    asked = table.stack[-1] if table.stack else ("",)
    if asked[0] != "militia":
        return []
    return [frame[1] for frame in table.stack[:-1] if frame[0] == asked[0]]


def _revealed_still(table: Table) -> list[str]:
    """Sites of cards that were revealed and have gone by the record: hands clear them away in
    their own time."""
    shown = table.kinds(f"aside-p{table.seat}")
    treasures = sum(number for card, number in shown.items() if card in TREASURES)
    if table.stack or table.cards.aside or table.played["adventurer"] == 0 or treasures != 2:
        return []
    cleared = table.top and not table.may_top(table.seat, table.top)
    return [] if cleared else areas(table.seat, "aside", "discard")


def _laid_meanwhile(table: Table) -> list[str]:
    """Sites where the player may go on to lay cards without having answered."""
    if table.stack[-1][0] == "reveal":
        return _turning_up(table)
    if table.gone:
        return []
    laid = table.laid
    if not enough_actions(table, laid) or any(not table.cards.may_hold(card) for card in laid):
        return []
    found = [table.play]
    if table.laid and table.may_top(table.seat, table.top):
        found.append(table.discard)
    return found


def _turning_up(table: Table) -> list[str]:
    """Where revealed cards lie, or went before they were seen."""
    seats = range(table.state.players)
    found = [site for seat in seats for site in areas(seat, "aside", "discard", "draw")]
    return [*found, "trash", table.play]


def _left_by_the_last(table: Table, moves: Sequence[Move]) -> Iterator[str]:
    """Sites that the players whose turns are over may not have put in order yet: the last one, and
    all whose turns are only supposed."""
    ended = {m.player for m in moves if m.verb in ("buy", "done") and m.player is not None}
    for seat in {table.last, *ended} - {table.seat}:
        yield from _left_by(table, seat, moves)


def _left_by(table: Table, seat: int, moves: Sequence[Move]) -> Iterator[str]:
    """Sites that a player whose turn is over may not have put in order yet."""
    if table.state.seats[seat].dealt:
        return
    if not table.state.turns[seat] or any(map(partial(_concerns, seat), table.stack)):
        return
    ended = next(
        (m for m in reversed(moves) if m.player == seat and m.verb in ("buy", "done")), None
    )
    swept = Counter(table.state.swept) if seat == table.last else Counter[str]()
    laid, top = table.kinds(f"play-p{seat}"), table.top_of(seat)
    if ended is not None and ended.verb == "done":
        if table.may_top(seat, top):
            yield f"discard-p{seat}"
        if top == BACK and laid and laid == swept:
            yield f"play-p{seat}"  # The hand goes down first.
        return
    rest = swept - laid
    if not laid - swept and not (rest and laid and ended):
        yield f"play-p{seat}"
    if ended is not None:
        if top == ended.args[0]:
            yield f"discard-p{seat}"
    elif _laid_on_since(table, seat) or _changed_for(table, top, laid):
        return
    elif table.may_top(seat, top) or (not top and (laid or not table.played)):
        yield f"discard-p{seat}"


def _changed_for(table: Table, top: str, laid: Counter[str]) -> bool:
    """True if what the last player bought was rather changed for ``top`` than cleared away: all
    that paid for it still lies there."""
    state = table.state
    if Counter(state.swept) != laid or state.quiet or top in ("", BACK, state.got, *RARELY_BOUGHT):
        return False
    return bool(state.piles.get(top)) and COST[top] <= coins_of(laid)


def _laid_on_since(table: Table, seat: int) -> bool:
    """True if something came to lie on the discard pile of the last player since that was put in
    order, or shuffled: then it holds less than was cleared away."""
    swept, cards = table.state.swept, table.state.seats[seat]
    less = (cards.face,) != swept[-1:] or cards.discard_size() < len(swept)
    return seat == table.last and cards.face != "" and less


def _concerns(seat: int, frame: Frame) -> bool:
    return frame[1] == seat or (frame[0] in ("spy", "thief") and frame[2] == seat)
