"""Reading a stored position of Die Dolmengötter back, and what must never be wrong with one."""

from __future__ import annotations

from collections import Counter

from rules.core import Game, Json, StateError
from rules.games.dolmengoetter.components import DRUIDS_EACH, LEVELS, UNKNOWN, VALUES
from rules.games.dolmengoetter.state import (
    DRUID,
    DRUIDS,
    LYING,
    NOBODY,
    OVER,
    PHASES,
    RIGHTS,
    SHOW,
    STONE,
    DolmenState,
    Pile,
    hand,
)
from rules.hidden import Zones


def read_state(game: Game[DolmenState], data: Json) -> DolmenState:
    """Read ``DolmenState.to_json()`` back; raises StateError and the like on nonsense."""
    players = int(data["players"])
    options = game.complete_options(players, data["options"])
    state = game.setup(players, options, bool(data["physical"]))
    board = state.board
    place, circle = board.place, board.circle

    def seat(value: Json) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < players:
            raise StateError("unfit", key="seat", found=value)
        return value

    def numbers(key: str) -> list[int]:
        found = [int(n) for n in data[key]]
        if len(found) != players:
            raise StateError("unfit", key=key, found=found)
        return found

    def pile(entries: Json) -> Pile:
        found = [
            (seat(owner), UNKNOWN if value is None else int(value)) for owner, value in entries
        ]
        if any(value not in range(5) for _, value in found):
            raise StateError("unfit", key="piles", found=entries)
        return found

    def stand(name: str, what: int) -> int:
        if state.occ[place[name]]:
            raise StateError("place_twice", place=name)
        state.occ[place[name]] = what
        return place[name]

    state.phase = PHASES.index(data["phase"])
    state.turn = seat(data["turn"])
    state.first = NOBODY if data["first"] is None else seat(data["first"])
    state.points, state.refused = numbers("points"), numbers("refused")
    state.stones, state.dolmens = numbers("stones_left"), numbers("dolmens_left")
    state.stones_left = sum(state.stones)
    if len(data["druids"]) != players:
        raise StateError("unfit", key="druids", found=data["druids"])
    poses = {"standing": DRUID, "lying": LYING}
    state.druids = [
        [stand(name, poses[pose] + owner) for name, pose in own.items()]
        for owner, own in enumerate(data["druids"])
    ]
    for name, owner in data["stones"].items():
        stand(name, 1 + seat(owner))
    state.settle_counts()
    for name, entries in data["piles"].items():
        state.piles[circle[name]] = pile(entries)
    state.scored = [(circle[name], tuple(pile(entries))) for name, entries in data["scored"]]
    state.left = NOBODY if data["left"] is None else place[data["left"]]
    state.stone = NOBODY if data["stone"] is None else place[data["stone"]]
    state.rights = [
        ((seat(owner) - state.turn) % players, circle[name], owner, LEVELS.index(level))
        for name, owner, level in data["rights"]
    ]
    state.pending = [circle[name] for name in data["pending"]]
    state.first_out = NOBODY if data["first_out"] is None else seat(data["first_out"])
    state.last = None if data["last_turns"] is None else [seat(s) for s in data["last_turns"]]
    state.over_by = data["over_by"] or ""
    if state.over_by not in ("", "last_stone", "last_dolmen"):
        raise StateError("unfit", key="over_by", found=state.over_by)
    if state.zones is not None:
        state.zones = Zones.from_json(data["zones"])
        return state
    if len(data["supplies"]) != players:
        raise StateError("unfit", key="supplies", found=data["supplies"])
    for owner, supply in enumerate(data["supplies"]):
        if any(v not in VALUES for v in supply):
            raise StateError("unfit", key="supplies", found=supply)
        state.values[owner] = [0, *(supply.count(v) for v in VALUES)]
    return state


def problems(state: DolmenState) -> list[str]:
    """What a position must never have wrong with it; empty if it is sound."""
    found = []
    start, number = int(state.options["start_score"]), sum(state.set)
    setup = DolmenState(state.board, state.players, state.options, state.physical)
    gained = [start - refused for refused in state.refused]
    for circle, pile in state.scored:
        for seat, points in enumerate(state.circle_points(circle, pile)):
            gained[seat] += points
    lying = [dolmen for pile in state.piles for dolmen in pile]
    lying += [dolmen for _, pile in state.scored for dolmen in pile]
    for seat in range(state.players):
        name = f"p{seat}"
        if state.points[seat] != gained[seat]:
            found.append(f"{name} has {state.points[seat]} points and earned {gained[seat]}")
        stones = state.stones[seat] + state.occ.count(1 + seat)
        if stones != setup.stones[seat] or state.stones[seat] < 0:
            found.append(f"{name} has {stones} stones of {setup.stones[seat]}")
        own = Counter(value for owner, value in lying if owner == seat)
        if state.dolmens[seat] + own.total() != number or state.dolmens[seat] < 0:
            found.append(f"{name} has {state.dolmens[seat] + own.total()} dolmens")
        for value in VALUES:
            placed, whole = own[value], state.set[value]
            if state.zones is None:
                left = state.values[seat][value]
                if left < 0 or left + placed != whole:
                    found.append(
                        f"{name} has {left} + {placed} dolmens of value {value}, not {whole}"
                    )
            elif placed > whole:
                found.append(f"{name} has shown {placed} dolmens of value {value}")
        druids = [p for p, o in enumerate(state.occ) if o >= DRUID and o & 7 == seat]
        if sorted(state.druids[seat]) != druids or len(druids) > DRUIDS_EACH:
            found.append(f"{name} has druids on {druids}")
        if state.phase > DRUIDS and len(druids) != DRUIDS_EACH:
            found.append(f"{name} has {len(druids)} druids")
    if any(bool(free) == bool(o) for free, o in zip(state.free, state.occ, strict=True)):
        found.append("free places and pieces do not add up")
    if (state.phase == STONE) != (state.left != NOBODY):
        found.append("a place left and the phase do not go together")
    if (state.phase == RIGHTS and not state.rights) or (state.rights and state.stone == NOBODY):
        found.append("rights and the phase do not go together")
    if (state.phase == SHOW) != bool(state.pending):
        found.append("dolmens to show and the phase do not go together")
    elif state.pending and all(value for _, value in state.piles[state.pending[0]]):
        found.append("a circle waits for dolmens that are all known")
    if state.phase == OVER and not state.over_by:
        found.append("the match is over for no reason")
    if state.zones is not None:
        found += state.zones.invariants()
        if [state.zones.size(hand(seat)) for seat in range(state.players)] != state.dolmens:
            found.append("hidden dolmens and supplies do not add up")
    return found
