"""Reasons why a move is not allowed (1.4, 1.5, 1.7)."""

from __future__ import annotations

from rules.core import Actor, Move, Objection
from rules.games.knizia_stonehenge.components import FIELD, FIELDS, FIELDS_OF, LINE, LINE_IDS
from rules.games.knizia_stonehenge.control import controls, visible_sum, worst
from rules.games.knizia_stonehenge.state import NOBODY, KniziaState
from rules.hidden import UNSEEN

CODES = (
    "match_over", "wrong_player", "unknown_move", "show_first", "already_placed",
    "no_such_stone", "occupied", "stone_first", "must_claim", "already_claimed", "still_open",
    "opponent_controls", "opponent_stronger", "tie_placed_last", "face_down", "not_provable",
    "cannot_be",
)  # fmt: skip

_VALUES = (UNSEEN, "1", "2", "3", "4", "5", "6")


def violations(state: KniziaState, move: Move) -> list[Objection]:
    """All objections to ``move``; empty if it is legal."""
    if state.winner is not None and not state.pending:
        return [Objection.of("1.6", "match_over")]
    match move.verb, move.args:
        case "place", (value, site) if site in FIELD and move.player in (0, 1) and value in _VALUES:
            pass
        case "claim", (line,) if line in LINE and move.player in (0, 1):
            pass
        case "done", () if move.player in (0, 1):
            pass
        case "show", (site, value) if move.actor is Actor.TABLE and site in FIELD:
            return _against_showing(state, site, value)
        case _:
            return [Objection.of("1.4", "unknown_move", move=move.text)]
    if state.pending:
        site = FIELDS[state.pending[0]]
        return [Objection.of("1.7", "show_first", site=site)]
    seat = move.player
    assert seat is not None
    if seat != state.turn:
        return [Objection.of("1.4", "wrong_player", player=state.turn, other=seat)]
    if move.verb == "place":
        return _against_placing(state, seat, move.args[0], move.args[1])
    if move.verb == "claim":
        return _against_claiming(state, seat, LINE[move.args[0]])
    return _against_done(state, seat)


def _against_placing(state: KniziaState, seat: int, value: str, site: str) -> list[Objection]:
    found = []
    if state.placed:
        found.append(Objection.of("1.4", "already_placed", player=seat))
    if state.owner[FIELD[site]] != NOBODY:
        found.append(Objection.of("1.4", "occupied", site=site))
    if state.zones is not None:
        if value != UNSEEN:
            found.append(Objection.of("1.7", "unknown_move", move=f"place {value} {site}"))
        elif not state.stones_left(seat):
            found.append(Objection.of("1.4", "no_such_stone", player=seat, value=value))
    elif value == UNSEEN:
        found.append(Objection.of("1.4", "unknown_move", move=f"place {value} {site}"))
    elif not state.count[seat][int(value)] and not (state.hidden and found):
        # 1.7: a stone refused anyway must not reveal which ones are left in hand.
        found.append(Objection.of("1.4", "no_such_stone", player=seat, value=int(value)))
    return found


def _against_claiming(state: KniziaState, seat: int, line: int) -> list[Objection]:
    name, other = LINE_IDS[line], 1 - seat
    if state.claimed[line] != NOBODY:
        owner = state.claimed[line]
        return [Objection.of("1.4", "already_claimed", line=name, player=owner)]
    if controls(state, seat, line):
        return []
    mine, theirs = state.sums[seat][line], state.sums[other][line]
    k = state.free[line]
    if k == 0:
        code = "tie_placed_last" if mine == theirs else "opponent_stronger"
        return [
            Objection.of("1.5", code, line=name, player=seat, other=other, mine=mine, theirs=theirs)
        ]
    if state.hidden:
        if not state.early:
            return [Objection.of("1.7", "face_down", line=name, free=k)]
        reach = worst(state, seat, line)
        return [Objection.of("KN7", "not_provable", line=name, other=other, reach=reach)]
    if theirs >= mine + state.reach[seat][k]:
        return [Objection.of("1.5", "opponent_controls", line=name, player=seat, other=other)]
    gaps = ",".join(FIELDS[f] for f in FIELDS_OF[line] if state.owner[f] == NOBODY)
    return [
        Objection.of(
            "1.5", "still_open", line=name, player=seat, other=other, mine=mine,
            reach=theirs + state.reach[other][k], sites=gaps,
        )
    ]  # fmt: skip


def _against_done(state: KniziaState, seat: int) -> list[Objection]:
    if not state.placed and state.stones_left(seat):
        return [Objection.of("1.4", "stone_first", player=seat)]
    if not state.empty:
        # KN3: with a full board a controlled line must be claimed, so play cannot stall.
        for line in state.open_lines:
            if controls(state, seat, line):
                return [Objection.of("KN3", "must_claim", player=seat, line=LINE_IDS[line])]
    return []


def _against_showing(state: KniziaState, site: str, value: str) -> list[Objection]:
    if state.zones is None or not state.pending or FIELDS[state.pending[0]] != site:
        return [Objection.of("1.7", "unknown_move", move=f"show {site} {value}")]
    if value not in state.zones.unseen(site):
        return [Objection.of("1.7", "cannot_be", site=site, value=value)]
    line = state.pending_claim
    if line != NOBODY:
        seat = state.owner[state.pending[0]]
        rest = state.unseen(seat)
        rest.remove(int(value))
        most = visible_sum(state, seat, line) + int(value)
        most += sum(rest[: len(state.pending) - 1])
        reach = worst(state, seat, line)
        if most < reach:
            name = LINE_IDS[line]
            return [Objection.of("KN7", "not_provable", line=name, other=1 - seat, reach=reach)]
    return []
