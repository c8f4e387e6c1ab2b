"""Reasons why a move is not allowed (7.4 to 7.8)."""

from __future__ import annotations

from rules.core import Actor, Move, Objection
from rules.games.dolmengoetter.components import LEVELS, TOP, UNDER
from rules.games.dolmengoetter.state import (
    ACTION,
    DRUID,
    DRUIDS,
    LYING,
    NOBODY,
    OVER,
    RIGHTS,
    SHOW,
    START,
    STONE,
    DolmenState,
    Right,
    built,
    hand,
    majority,
)
from rules.hidden import UNSEEN, Certainty

# Dolmens (7.6): the rights that a stone earns, and the reasons why it earns none.


def put_stone(state: DolmenState, seat: int, place: int) -> list[int]:
    """A stone of ``seat`` goes on a place and opens rights; the full circles without any."""
    state.occ[place] = 1 + seat
    state.free[place] = 0
    state.stones[seat] -= 1
    state.stones_left -= 1
    state.stone = place
    rights: list[Right] = []
    full: list[int] = []
    count, filled, maj, size = state.count, state.filled, state.maj, state.board.size
    for circle in state.board.circles_of[place]:
        row = count[circle]
        row[seat] += 1
        filled[circle] = total = filled[circle] + 1
        if total < 3:
            continue
        most = max(row)
        owner, level = NOBODY, TOP
        if most < total:
            before = maj[circle]
            if row.count(most) == 1:
                # 7.6 Maj: ahead of every other colour. 1 and DG1: it must be new.
                after = row.index(most)
                maj[circle] = after
                if after != before:
                    owner = after
                elif state.bonus and total == size[circle] and after != seat:
                    # 7.6, 3 and DG7: an old majority when another player fills the circle.
                    owner = after
            else:
                maj[circle] = NOBODY
                # 7.6, 2 and DG3: the new stone's colour is among the strongest.
                if row[seat] == most and most >= state.tie_min:
                    owner, level = seat, UNDER
        if owner != NOBODY and state.dolmens[owner]:
            rights.append(((owner - seat) % state.players, circle, owner, level))
        elif total == size[circle]:
            full.append(circle)
    if len(rights) > 1:
        # DG6: the mover first, then clockwise.
        rights.sort()
    state.rights = rights
    return full


def why_no_right(state: DolmenState, seat: int, circle: int) -> Objection:
    """The reason why ``seat`` has no open right in a circle: the effect of the last stone (7.6)."""
    name = state.board.circle_ids[circle]
    stone = state.stone
    if stone == NOBODY or circle not in state.board.circles_of[stone]:
        return Objection.of("7.6", "no_new_stone", circle=name, player=seat)
    for _, there, owner, _ in state.rights:
        if there == circle:
            return Objection.of("7.6", "right_of_other", circle=name, owner=owner, player=seat)
    row, total = state.count[circle], state.filled[circle]
    mover = state.occ[stone] - 1
    most = max(row)
    if total < 3:
        return Objection.of("7.6", "too_few_stones", circle=name, number=total)
    if most == total:
        return Objection.of("DG15", "one_colour", circle=name, owner=mover)
    after = state.maj[circle]
    if after != NOBODY:
        before = row[:]
        before[mover] -= 1
        filled = total == state.board.size[circle]
        if after == majority(before) and not (state.bonus and filled and after != mover):
            return Objection.of("DG1", "majority_kept", circle=name, owner=after)
        owner = after
    elif row[mover] < most:
        return Objection.of("DG3", "not_in_tie", circle=name, owner=mover)
    elif most < state.tie_min:
        return Objection.of("DG3", "tie_too_small", circle=name, owner=mover)
    else:
        owner = mover
    if owner != seat:
        return Objection.of("7.6", "right_of_other", circle=name, owner=owner, player=seat)
    return Objection.of("7.6", "right_used", circle=name, player=seat)


CODES = (
    "match_over", "unknown_move", "wrong_player", "start_first", "start_drawn", "druids_first",
    "druids_placed", "no_druid_there", "not_your_druid", "lying_cannot_walk",
    "standing_cannot_fly", "already_lying", "occupied_stone", "occupied_druid",
    "stood_up_in_place", "out_of_reach", "hemmed_in", "action_first", "place_left_open",
    "wrong_place", "nothing_to_keep", "dolmens_first", "no_new_stone", "too_few_stones",
    "one_colour", "majority_kept", "not_in_tie", "tie_too_small", "right_of_other", "right_later",
    "right_used", "only_top", "only_under", "no_such_value", "show_first", "nothing_to_show",
    "other_dolmen", "cannot_be",
)  # fmt: skip

_VALUES = ("1", "2", "3", "4")


def violations(state: DolmenState, move: Move) -> list[Objection]:
    """All objections to ``move``; empty if it is legal."""
    if state.phase == OVER:
        return [Objection.of("7.8", "match_over")]
    objection = _objection(state, move)
    return [] if objection is None else [objection]


def _objection(state: DolmenState, move: Move) -> Objection | None:
    seat = move.player
    if seat is None:
        if move.actor is Actor.DEALER:
            return _check_start(state, move)
        return _check_show(state, move)
    if seat >= state.players:
        return _unknown(move)
    place, circle = state.board.place, state.board.circle
    match move.verb, move.args:
        case ("walk" | "fly") as verb, (start, to) if start in place and to in place:
            return _too_early(state) or _check_action(state, seat, verb, start, to)
        case "herbs", (site,) if site in place:
            return _too_early(state) or _check_action(state, seat, "herbs", site, site)
        case "druid", (site,) if site in place:
            return _check_druid(state, seat, site)
        case ("stone" | "keep") as verb, (site,) if site in place:
            return _too_early(state) or _check_place_left(state, seat, verb, site)
        case "keep", (name,) if name in circle:
            return _too_early(state) or _check_right(state, seat, circle[name])
        case "dolmen", (name, level, value) if (
            name in circle
            and level in LEVELS
            and (value in _VALUES or (value == UNSEEN and state.physical))
        ):
            # DG21: without a right the answer must not reveal which values are left.
            return (
                _too_early(state)
                or (None if state.dolmens[seat] else _check_value(state, seat, value))
                or _check_right(state, seat, circle[name], LEVELS.index(level))
                or _check_value(state, seat, value)
            )
    return _unknown(move)


def _unknown(move: Move) -> Objection:
    return Objection.of("7.5", "unknown_move", move=move.text)


# -- 7.4 Set-up -----------------------------------------------------------------------------


def _check_start(state: DolmenState, move: Move) -> Objection | None:
    """DG18: the starting player is drawn by lot, once."""
    names = [f"p{seat}" for seat in range(state.players)]
    if move.verb != "start" or len(move.args) != 1 or move.args[0] not in names:
        return _unknown(move)
    if state.phase != START:
        return Objection.of("DG18", "start_drawn", player=state.first)
    return None


def _check_druid(state: DolmenState, seat: int, site: str) -> Objection | None:
    if state.phase == START:
        return Objection.of("DG18", "start_first")
    if state.phase != DRUIDS:
        return Objection.of("7.4", "druids_placed", player=seat)
    if seat != state.turn:
        return Objection.of("7.4", "wrong_player", player=state.turn, other=seat)
    return _occupied(state, site, "7.4")


def _too_early(state: DolmenState) -> Objection | None:
    """The step that must come before any turn."""
    if state.phase == START:
        return Objection.of("DG18", "start_first")
    if state.phase == DRUIDS:
        return Objection.of("7.4", "druids_first", player=state.turn)
    if state.phase == SHOW:
        circle, level, owner = state.next_hidden()
        name = state.board.circle_ids[circle]
        return Objection.of("DG21", "show_first", circle=name, level=level + 1, owner=owner)
    return None


# -- 7.5 Phase 1 ----------------------------------------------------------------------------


def _occupied(state: DolmenState, site: str, rule: str) -> Objection | None:
    standing = state.occ[state.board.place[site]]
    if not standing:
        return None
    if standing < DRUID:
        return Objection.of(rule, "occupied_stone", site=site, owner=standing - 1)
    return Objection.of(rule, "occupied_druid", site=site, owner=standing & 7)


def _check_action(
    state: DolmenState, seat: int, verb: str, start: str, to: str
) -> Objection | None:
    if state.phase == STONE:
        site = state.board.places[state.left]
        return Objection.of("7.5", "place_left_open", player=state.turn, site=site)
    if state.phase == RIGHTS:
        return _dolmens_first(state)
    if seat != state.turn:
        return Objection.of("7.5", "wrong_player", player=state.turn, other=seat)
    place = state.board.place[start]
    standing = state.occ[place]
    if standing < DRUID:
        return Objection.of("7.5", "no_druid_there", site=start, player=seat)
    if standing & 7 != seat:
        return Objection.of("7.5", "not_your_druid", site=start, owner=standing & 7, player=seat)
    lying = standing >= LYING
    if verb == "herbs":
        return Objection.of("7.5", "already_lying", site=start) if lying else None
    if verb == "fly":
        if not lying:
            return Objection.of("7.5", "standing_cannot_fly", site=start, to=to)
        if start == to:
            return Objection.of("DG23", "stood_up_in_place", site=start)
        return _occupied(state, to, "DG23")
    if lying:
        return Objection.of("DG9", "lying_cannot_walk", site=start, to=to)
    if objection := _occupied(state, to, "7.5"):
        return objection
    within = state.reach(place)
    if state.board.place[to] in within:
        return None
    if not within:
        return Objection.of("DG8", "hemmed_in", site=start)
    names = ",".join(state.board.places[p] for p in sorted(within))
    return Objection.of("DG8", "out_of_reach", site=start, to=to, sites=names)


def _check_place_left(state: DolmenState, seat: int, verb: str, site: str) -> Objection | None:
    if state.phase == RIGHTS:
        return _dolmens_first(state)
    if seat != state.turn:
        return Objection.of("7.5", "wrong_player", player=state.turn, other=seat)
    if state.phase == ACTION:
        code = "action_first" if verb == "stone" else "nothing_to_keep"
        return Objection.of("7.5", code, player=seat)
    left = state.board.places[state.left]
    if site != left:
        return Objection.of("7.5", "wrong_place", site=site, left=left, player=seat)
    return None


# -- 7.6 Phase 2 ----------------------------------------------------------------------------


def _dolmens_first(state: DolmenState) -> Objection:
    asked = state.rights[0][2]
    names = ",".join(state.board.circle_ids[c] for _, c, owner, _ in state.rights if owner == asked)
    return Objection.of("7.6", "dolmens_first", player=asked, circles=names)


def _check_value(state: DolmenState, seat: int, value: str) -> Objection | None:
    if state.zones is None:
        left = state.values[seat][int(value)] > 0
    elif value == UNSEEN:
        left = state.dolmens[seat] > 0
    else:
        left = state.zones.certainty(hand(seat), value) is not Certainty.IMPOSSIBLE
    if left:
        return None
    number = sum(state.set) if value == UNSEEN else state.set[int(value)]
    return Objection.of("7.1", "no_such_value", player=seat, value=value, number=number)


def _check_right(
    state: DolmenState, seat: int, circle: int, level: int | None = None
) -> Objection | None:
    """DG6: whose right it is, and ``top`` or ``under`` as the right says."""
    for _, there, owner, allowed in state.rights:
        if there == circle and owner == seat:
            asked = state.rights[0][2]
            name = state.board.circle_ids[circle]
            if owner != asked:
                return Objection.of("DG6", "right_later", circle=name, player=asked, other=seat)
            if level is not None and level != allowed:
                return Objection.of("7.6", f"only_{LEVELS[allowed]}", circle=name, player=seat)
            return None
    return why_no_right(state, seat, circle)


# -- 7.7 Scoring of a physical match --------------------------------------------------------


def _check_show(state: DolmenState, move: Move) -> Objection | None:
    """DG21: check the value of a dolmen of a scoring circle."""
    circles = state.board.circle
    match move.verb, move.args:
        case "show", (name, level, value) if (
            name in circles and level.isascii() and level.isdecimal() and value in _VALUES
        ):
            pass
        case _:
            return _unknown(move)
    if state.zones is None or state.phase != SHOW:
        return Objection.of("DG21", "nothing_to_show", circle=name)
    circle, depth, owner = state.next_hidden()
    if circles[name] != circle or level != str(depth + 1):
        expected = state.board.circle_ids[circle]
        return Objection.of("DG21", "other_dolmen", circle=expected, level=depth + 1, owner=owner)
    if not state.zones.unseen(built(owner))[value]:
        number = state.set[int(value)]
        return Objection.of(
            "DG21", "cannot_be", circle=name, owner=owner, value=value, number=number
        )
    return None
