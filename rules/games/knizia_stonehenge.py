"""Stonehenge by Reiner Knizia (Blatz 1994), for two players.

Druid stones are set on the crossings of fifteen ley lines; whoever controls a line may put a
megalith at its end, and the eighth megalith wins. Section and ruling ids (1.2 … 1.8, KN1 … KN10)
are those of the rule pages in ``rules/text/knizia_stonehenge.*.toml``.

Numbers on stones are open; in the variant *hidden stones* (1.7) they lie face down until a line
is full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import ClassVar

from rules.colours import Paint, paint_of
from rules.core import (
    Actor,
    Game,
    Item,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    ScoreLine,
    Series,
    StateError,
)
from rules.hidden import UNSEEN, Zones

# 1.2 Board: 18 fields, 15 lines of two to five fields, each field on three lines.
FIELDS = "ABCDEFGHIJKLMNOPQR"
LINES: dict[str, str] = {
    "H1": "AB", "H2": "CDE", "H3": "FGHI", "H4": "JKLMN", "H5": "OPQR",
    "L1": "ACFJ", "L2": "BDGKO", "L3": "EHLP", "L4": "IMQ", "L5": "NR",
    "R1": "BEIN", "R2": "ADHMR", "R3": "CGLQ", "R4": "FKP", "R5": "JO",
}  # fmt: skip
LINE_IDS = tuple(LINES)

# 1.1 Components, per player.
STONES = (1, 1, 2, 2, 3, 3, 4, 5, 6)
MEGALITHS = 8
COLOURS = ("black", "brown")

_FIELD = {name: index for index, name in enumerate(FIELDS)}
_LINE = {name: index for index, name in enumerate(LINE_IDS)}
_FIELDS_OF = tuple(tuple(_FIELD[f] for f in LINES[line]) for line in LINE_IDS)
_LINES_OF = tuple(
    tuple(line for line, fields in enumerate(_FIELDS_OF) if field in fields)
    for field in range(len(FIELDS))
)
_VALUES = (1, 2, 3, 4, 5, 6)

_PLACE = tuple(
    tuple(tuple(Move.of(p, "place", v, f) for f in FIELDS) for v in range(7)) for p in (0, 1)
)
_PLACE_UNSEEN = tuple(tuple(Move.of(p, "place", UNSEEN, f) for f in FIELDS) for p in (0, 1))
_CLAIM = tuple(tuple(Move.of(p, "claim", line) for line in LINE_IDS) for p in (0, 1))
_DONE = tuple(Move.of(p, "done") for p in (0, 1))

_STONE_ITEM = tuple(
    tuple(tuple(Item(f, f"stone {c} {v}", p) for f in FIELDS) for v in range(7))
    for p, c in enumerate(COLOURS)
)
_BACK_ITEM = tuple(
    tuple(Item(f, f"stone {c} back", p, face="down") for f in FIELDS) for p, c in enumerate(COLOURS)
)
_MEGALITH_ITEM = tuple(
    tuple(Item(line, f"megalith {c}", p) for line in LINE_IDS) for p, c in enumerate(COLOURS)
)

NOBODY = -1
UNKNOWN = 0
"""Value of a face-down stone that a physical table has not shown yet."""


class KniziaState:
    """Position of one game. Lists are indexed by seat, field (A = 0) or line (H1 = 0)."""

    __slots__ = (
        "claimed",
        "count",
        "early",
        "empty",
        "faceup",
        "free",
        "hidden",
        "hints",
        "last",
        "megaliths",
        "open_lines",
        "order",
        "owner",
        "paint",
        "pending",
        "pending_claim",
        "physical",
        "placed",
        "reach",
        "sums",
        "turn",
        "value",
        "zones",
    )  # fmt: skip

    def __init__(
        self, hidden: bool, early: bool, hints: bool, physical: bool, paint: Paint
    ) -> None:
        self.hidden, self.early, self.hints, self.physical = hidden, early, hints, physical
        self.paint = paint
        self.turn = 0
        self.placed = False
        self.owner = [NOBODY] * len(FIELDS)
        self.value = [UNKNOWN] * len(FIELDS)
        self.faceup = [False] * len(FIELDS)
        self.order: list[int] = []
        """Fields in the order in which stones were placed."""
        self.empty = list(range(len(FIELDS)))
        self.count = [[0, 2, 2, 2, 1, 1, 1] for _ in (0, 1)]
        """Stones in hand per seat and value."""
        self.reach = [_reach(count) for count in self.count]
        """Per seat: the most that k more stones can bring, for k = 0 … 5."""
        self.claimed = [NOBODY] * len(LINES)
        self.open_lines = list(range(len(LINES)))
        self.free = [len(fields) for fields in _FIELDS_OF]
        self.sums = [[0] * len(LINES) for _ in (0, 1)]
        self.last = [NOBODY] * len(LINES)
        """Who placed the last stone on each line."""
        self.megaliths = [0, 0]
        """Lines claimed per seat."""
        self.pending: list[int] = []
        """Physical match, 1.7: fields whose stones the table must show now."""
        self.pending_claim = NOBODY
        """Physical match, KN7: line whose claim is being proved."""
        self.zones: Zones | None = None
        """Physical match, 1.7: who may hold which stone."""
        if hidden and physical:
            self.zones = Zones()
            for seat in (0, 1):
                self.zones.fill(f"p{seat}", [str(v) for v in STONES])

    def clone(self) -> KniziaState:
        other = KniziaState.__new__(KniziaState)
        other.hidden, other.early = self.hidden, self.early
        other.hints, other.physical, other.paint = self.hints, self.physical, self.paint
        other.turn, other.placed = self.turn, self.placed
        other.owner, other.value = self.owner[:], self.value[:]
        other.faceup, other.order, other.empty = self.faceup[:], self.order[:], self.empty[:]
        other.count = [self.count[0][:], self.count[1][:]]
        other.reach = [self.reach[0], self.reach[1]]
        other.claimed, other.open_lines = self.claimed[:], self.open_lines[:]
        other.free, other.last = self.free[:], self.last[:]
        other.sums = [self.sums[0][:], self.sums[1][:]]
        other.megaliths = self.megaliths[:]
        other.pending, other.pending_claim = self.pending[:], self.pending_claim
        other.zones = None if self.zones is None else self.zones.clone()
        return other

    def to_json(self) -> Json:
        """Everything; ``fields`` are ``[seat, value, face up]`` in the order of placing."""
        data = {
            "options": {
                "hidden": _on(self.hidden),
                "hidden_early_claim": _on(self.early),
                "hints": _on(self.hints),
                **self.paint.option(2),
            },
            "physical": self.physical,
            "turn": self.turn,
            "placed": self.placed,
            "fields": {
                FIELDS[f]: [self.owner[f], self.value[f], self.faceup[f]] for f in self.order
            },
            "order": [FIELDS[f] for f in self.order],
            "lines": {
                LINE_IDS[line]: seat for line, seat in enumerate(self.claimed) if seat != NOBODY
            },
            "hands": [[v for v in _VALUES for _ in range(count[v])] for count in self.count],
        }
        if self.zones is not None:
            data["hands"] = [self.zones.size("p0"), self.zones.size("p1")]
            data["zones"] = self.zones.to_json()
            data["pending"] = [FIELDS[f] for f in self.pending]
            data["pending_claim"] = (
                None if self.pending_claim == NOBODY else LINE_IDS[self.pending_claim]
            )
        return data

    def stones_left(self, seat: int) -> int:
        """Stones in the hand of ``seat``."""
        return len(STONES) - sum(1 for owner in self.owner if owner == seat)

    def lay(self, seat: int, value: int, field: int) -> None:
        """A stone goes on a field; sums, free places and last placers follow."""
        self.owner[field] = seat
        self.value[field] = value
        self.faceup[field] = not self.hidden
        self.order.append(field)
        self.empty.remove(field)
        if value:
            count = self.count[seat]
            count[value] -= 1
            self.reach[seat] = _reach(count)
        sums, last, free = self.sums[seat], self.last, self.free
        for line in _LINES_OF[field]:
            sums[line] += value
            last[line] = seat
            free[line] -= 1

    def turn_up(self, field: int, value: int) -> None:
        """A face-down stone is shown."""
        self.faceup[field] = True
        if self.value[field] == UNKNOWN:
            self.value[field] = value
            for line in _LINES_OF[field]:
                self.sums[self.owner[field]][line] += value

    def face_down_on(self, line: int, seat: int | None = None) -> list[int]:
        """Fields of a line with face-down stones (of one seat), in the line's order."""
        return [
            f
            for f in _FIELDS_OF[line]
            if self.owner[f] != NOBODY
            and not self.faceup[f]
            and (seat is None or self.owner[f] == seat)
        ]

    def unseen(self, seat: int) -> list[int]:
        """Values of a seat that nobody else knows, in hand or face down; largest first."""
        if self.zones is not None:
            values = [int(v) for v in self.zones.unseen(f"p{seat}").elements()]
            for f in self.order:
                if self.owner[f] == seat and not self.faceup[f] and not values:
                    values = [int(v) for v in self.zones.unseen(FIELDS[f]).elements()]
            return sorted(values, reverse=True)
        hand = [v for v in _VALUES for _ in range(self.count[seat][v])]
        lying = [self.value[f] for f in self.order if self.owner[f] == seat and not self.faceup[f]]
        return sorted(hand + lying, reverse=True)


def _on(flag: bool) -> str:
    return "on" if flag else "off"


def _reach(count: Sequence[int]) -> list[int]:
    """The largest sums of up to five stones left, padded with the sum of all of them."""
    reach = [0]
    for value in (6, 5, 4, 3, 2, 1):
        for _ in range(count[value]):
            reach.append(reach[-1] + value)
    reach += [reach[-1]] * (6 - len(reach))
    return reach


class KniziaSeries:
    """1.6 Match: the loser notes their remaining megaliths; the lower total wins."""

    lower_wins = True
    decides: tuple[str, ...] = ()

    def points(self, outcome: Outcome) -> tuple[int, ...]:
        """Megaliths left over, by seat; the winner has none left."""
        return tuple(MEGALITHS - score for score in outcome.scores)

    def next_first(self, outcome: Outcome) -> int | None:
        """KN9: the loser of the previous game begins."""
        return outcome.ranking[1][0]

    def next_options(self, outcome: Outcome) -> Options:
        """KN9: the first seat begins, so the players change seats; no option is needed."""
        return {}


class KniziaStonehenge(Game[KniziaState]):
    """The rules, section by section."""

    id = "knizia_stonehenge"
    box = "knizia_stonehenge"
    bgg_id = 183
    players = (2,)
    options: ClassVar = {
        "hidden": ("off", "on"),
        "hidden_early_claim": ("on", "off"),
        "hints": ("off", "on"),
    }
    palette = COLOURS
    outcomes = ("eighth_megalith",)
    codes = (
        "match_over", "wrong_player", "unknown_move", "show_first", "already_placed",
        "no_such_stone", "occupied", "stone_first", "must_claim", "already_claimed", "still_open",
        "opponent_controls", "opponent_stronger", "tie_placed_last", "face_down", "not_provable",
        "cannot_be",
    )  # fmt: skip
    series: ClassVar[Series | None] = KniziaSeries()
    handling_rule = "1.4"
    craft = "rules.players.crafts.knizia_stonehenge:KniziaCraft"

    # -- 1.3 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> KniziaState:
        return KniziaState(
            hidden=options["hidden"] == "on",
            early=options["hidden_early_claim"] == "on",
            hints=options["hints"] == "on",
            physical=physical,
            paint=paint_of(COLOURS, self.chosen_colours(players, options)),
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return self.chosen_colours(players, options)

    def restored(self, data: Json) -> KniziaState:
        options = self.complete_options(2, data["options"])
        state = self.setup(2, options, bool(data["physical"]))
        for name in data["order"]:
            owner, value, faceup = data["fields"][name]
            if owner not in (0, 1) or value not in range(7) or not isinstance(faceup, bool):
                raise StateError("unfit", key=f"fields.{name}", found=data["fields"][name])
            state.lay(owner, value, _FIELD[name])
            state.faceup[_FIELD[name]] = faceup
        for name, seat in data["lines"].items():
            self._put_megalith(state, seat, _LINE[name])
        state.turn, state.placed = int(data["turn"]), bool(data["placed"])
        if state.zones is not None:
            state.zones = Zones.from_json(data["zones"])
            state.pending = [_FIELD[name] for name in data["pending"]]
            claim = data["pending_claim"]
            state.pending_claim = NOBODY if claim is None else _LINE[claim]
        return state

    # -- 1.4 Turn and moves ---------------------------------------------------------------

    def prompt(self, state: KniziaState) -> Prompt | None:
        if state.pending:
            field = state.pending[0]
            return Prompt(
                Actor.TABLE, state.owner[field], "show", "1.7", (("site", FIELDS[field]),)
            )
        if self._winner(state) is not None:
            return None
        seat = state.turn
        if not state.placed and state.stones_left(seat):
            return Prompt(Actor.PLAYER, seat, "place", "1.4")
        if not state.empty and any(self._controls(state, seat, li) for li in state.open_lines):
            return Prompt(Actor.PLAYER, seat, "must_claim", "KN3")
        return Prompt(Actor.PLAYER, seat, "claim_or_done", "1.4")

    def moves(self, state: KniziaState) -> list[Move]:
        if state.pending:
            return self._shows(state)
        if state.megaliths[0] == MEGALITHS or state.megaliths[1] == MEGALITHS:
            return []
        seat = state.turn
        found: list[Move] = []
        can_place = not state.placed and state.stones_left(seat) > 0
        if can_place:
            empty = state.empty
            if state.zones is not None:
                found = [_PLACE_UNSEEN[seat][f] for f in empty]
            else:
                count, rows = state.count[seat], _PLACE[seat]
                for value in _VALUES:
                    if count[value]:
                        row = rows[value]
                        found += [row[f] for f in empty]
        if state.hidden:
            claims = [
                _CLAIM[seat][li] for li in state.open_lines if self._controls(state, seat, li)
            ]
        else:
            claims = self._open_claims(state, seat)
        found += claims
        if not can_place and (state.empty or not claims):
            found.append(_DONE[seat])
        return found

    def pseudo_moves(self, state: KniziaState) -> Iterable[Move]:
        """Whatever either player could lay on a bare field or line end now, and ``done``."""
        if state.pending:
            yield from (Move.of(Actor.TABLE, "show", FIELDS[state.pending[0]], v) for v in _VALUES)
            return
        if self._winner(state) is not None:
            return
        for seat in (0, 1):
            if state.zones is not None:
                if state.stones_left(seat):
                    yield from (_PLACE_UNSEEN[seat][f] for f in state.empty)
            else:
                for value in _VALUES:
                    if state.count[seat][value]:
                        yield from (_PLACE[seat][value][f] for f in state.empty)
            yield from (_CLAIM[seat][line] for line in state.open_lines)
            yield _DONE[seat]

    def check(self, state: KniziaState, move: Move) -> list[Objection]:
        if self._winner(state) is not None and not state.pending:
            return [Objection.of("1.6", "match_over")]
        match move.verb, move.args:
            case "show", (site, value) if move.actor is Actor.TABLE and site in _FIELD:
                return self._check_show(state, site, value)
            case "place", (value, site) if (
                site in _FIELD
                and move.player in (0, 1)
                and value in ("?", "1", "2", "3", "4", "5", "6")
            ):
                pass
            case "claim", (line,) if line in _LINE and move.player in (0, 1):
                pass
            case "done", () if move.player in (0, 1):
                pass
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
            return self._check_place(state, seat, move.args[0], move.args[1])
        if move.verb == "claim":
            return self._check_claim(state, seat, _LINE[move.args[0]])
        return self._check_done(state, seat)

    def apply(self, state: KniziaState, move: Move) -> None:
        verb = move.verb
        seat = move.player
        if verb == "place":
            assert seat is not None
            self._apply_place(state, seat, move.args[0], _FIELD[move.args[1]])
        elif verb == "claim":
            assert seat is not None
            self._apply_claim(state, seat, _LINE[move.args[0]])
        elif verb == "done":
            assert seat is not None
            state.turn = 1 - seat
            state.placed = False
        else:
            self._apply_show(state, _FIELD[move.args[0]], int(move.args[1]))

    def choose(self, state: KniziaState, moves: Sequence[Move], random: Random) -> Move:
        return moves[int(random.random() * len(moves))]

    def usual(self, state: KniziaState, moves: Sequence[Move]) -> Move | None:
        """To be done, unless the hints point out a line that would be left lying. Without hints
        finding it is part of the game, and this must not give it away."""
        done = next((move for move in moves if move.verb == "done"), None)
        return None if state.hints and len(moves) > 1 else done

    def hints(self, state: KniziaState) -> list[Move]:
        """KN2: lines the player may claim now, if the option ``hints`` is on."""
        if not state.hints or state.pending or self._winner(state) is not None:
            return []
        seat = state.turn
        return [_CLAIM[seat][li] for li in state.open_lines if self._controls(state, seat, li)]

    def _check_place(self, state: KniziaState, seat: int, value: str, site: str) -> list[Objection]:
        found = []
        if state.placed:
            found.append(Objection.of("1.4", "already_placed", player=seat))
        if state.owner[_FIELD[site]] != NOBODY:
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

    def _apply_place(self, state: KniziaState, seat: int, value: str, field: int) -> None:
        if state.zones is not None:
            state.zones.move(f"p{seat}", FIELDS[field], None)
            state.lay(seat, UNKNOWN, field)
        else:
            state.lay(seat, int(value), field)
        if seat == state.turn:
            state.placed = True
        if state.hidden:
            for f in self._newly_shown(state, field):
                if state.zones is None:
                    state.faceup[f] = True
                else:
                    state.pending.append(f)

    def _check_done(self, state: KniziaState, seat: int) -> list[Objection]:
        if not state.placed and state.stones_left(seat):
            return [Objection.of("1.4", "stone_first", player=seat)]
        if not state.empty:
            # KN3: with a full board a controlled line must be claimed, so play cannot stall.
            for line in state.open_lines:
                if self._controls(state, seat, line):
                    return [Objection.of("KN3", "must_claim", player=seat, line=LINE_IDS[line])]
        return []

    def _apply_claim(self, state: KniziaState, seat: int, line: int) -> None:
        if state.hidden and state.free[line]:
            # KN7: an early claim is proved by turning up the claimant's stones on the line.
            own = state.face_down_on(line, seat)
            if state.zones is None:
                for f in own:
                    state.faceup[f] = True
            elif own:
                state.pending = own
                state.pending_claim = line
        self._put_megalith(state, seat, line)

    def _put_megalith(self, state: KniziaState, seat: int, line: int) -> None:
        state.claimed[line] = seat
        state.open_lines.remove(line)
        state.megaliths[seat] += 1

    # -- 1.5 When a line is controlled ----------------------------------------------------

    def _open_claims(self, state: KniziaState, seat: int) -> list[Move]:
        """Claims with open stones; ``_controls`` for all lines at once, for speed."""
        mine, theirs = state.sums[seat], state.sums[1 - seat]
        free, last, reach = state.free, state.last, state.reach[1 - seat]
        row = _CLAIM[seat]
        found = []
        for line in state.open_lines:
            a, b = mine[line], theirs[line]
            if a >= b:
                k = free[line]
                if k:
                    if a >= b + reach[k]:
                        found.append(row[line])
                elif a > b or last[line] != seat:
                    found.append(row[line])
        return found

    def _controls(self, state: KniziaState, seat: int, line: int) -> bool:
        """Whether ``seat`` may claim ``line``, as far as the claimant can know."""
        mine, theirs = state.sums[seat][line], state.sums[1 - seat][line]
        k = state.free[line]
        if k == 0:
            # 1.5 a: on equal sums the player who placed the last stone on the line loses it.
            if any(state.value[f] == UNKNOWN for f in _FIELDS_OF[line]):
                return False
            return mine > theirs or (mine == theirs and state.last[line] != seat)
        if not state.hidden:
            # 1.5 b: equality is enough, since the opponent would have to place the last stone.
            return mine >= theirs + state.reach[1 - seat][k]
        return state.early and self._best_proof(state, seat, line) >= self._worst(state, seat, line)

    def _best_proof(self, state: KniziaState, seat: int, line: int) -> int:
        """KN7: the most the claimant's stones on the line can show."""
        shown = self._visible_sum(state, seat, line)
        own = state.face_down_on(line, seat)
        if state.zones is None:
            return shown + sum(state.value[f] for f in own)
        return shown + sum(state.unseen(seat)[: len(own)])

    def _worst(self, state: KniziaState, seat: int, line: int) -> int:
        """KN7: the most the opponent could reach, whatever their hidden stones are."""
        other = 1 - seat
        unknown = len(state.face_down_on(line, other))
        unknown += min(state.free[line], state.stones_left(other))
        return self._visible_sum(state, other, line) + sum(state.unseen(other)[:unknown])

    @staticmethod
    def _visible_sum(state: KniziaState, seat: int, line: int) -> int:
        return sum(
            state.value[f] for f in _FIELDS_OF[line] if state.owner[f] == seat and state.faceup[f]
        )

    def _check_claim(self, state: KniziaState, seat: int, line: int) -> list[Objection]:
        name, other = LINE_IDS[line], 1 - seat
        if state.claimed[line] != NOBODY:
            owner = state.claimed[line]
            return [Objection.of("1.4", "already_claimed", line=name, player=owner)]
        if self._controls(state, seat, line):
            return []
        mine, theirs = state.sums[seat][line], state.sums[other][line]
        k = state.free[line]
        if k == 0:
            code = "tie_placed_last" if mine == theirs else "opponent_stronger"
            return [
                Objection.of(
                    "1.5", code, line=name, player=seat, other=other, mine=mine, theirs=theirs
                )
            ]
        if state.hidden:
            if not state.early:
                return [Objection.of("1.7", "face_down", line=name, free=k)]
            worst = self._worst(state, seat, line)
            return [Objection.of("KN7", "not_provable", line=name, other=other, reach=worst)]
        if theirs >= mine + state.reach[seat][k]:
            return [Objection.of("1.5", "opponent_controls", line=name, player=seat, other=other)]
        gaps = ",".join(FIELDS[f] for f in _FIELDS_OF[line] if state.owner[f] == NOBODY)
        return [
            Objection.of(
                "1.5", "still_open", line=name, player=seat, other=other, mine=mine,
                reach=theirs + state.reach[other][k], sites=gaps,
            )
        ]  # fmt: skip

    # -- 1.6 End --------------------------------------------------------------------------

    @staticmethod
    def _winner(state: KniziaState) -> int | None:
        for seat in (0, 1):
            if state.megaliths[seat] >= MEGALITHS:
                return seat
        return None

    def outcome(self, state: KniziaState) -> Outcome | None:
        winner = self._winner(state)
        if winner is None or state.pending:
            return None
        return Outcome("eighth_megalith", ((winner,), (1 - winner,)), self.scores(state))

    def scores(self, state: KniziaState) -> tuple[int, ...]:
        return (state.megaliths[0], state.megaliths[1])

    def explain_scores(self, state: KniziaState) -> list[ScoreLine]:
        return [
            ScoreLine(seat, "line", 1, (("line", LINE_IDS[line]),))
            for line, seat in enumerate(state.claimed)
            if seat != NOBODY
        ]

    # -- 1.7 Variant: hidden stones -------------------------------------------------------

    @staticmethod
    def _newly_shown(state: KniziaState, field: int) -> list[int]:
        """Fields to turn up after a stone on ``field``: line's order, lines H, L, R."""
        found: list[int] = []
        for line in _LINES_OF[field]:
            if state.free[line] == 0:
                found += [f for f in state.face_down_on(line) if f not in found]
        return found

    def _shows(self, state: KniziaState) -> list[Move]:
        site = FIELDS[state.pending[0]]
        return [
            Move.of(Actor.TABLE, "show", site, v)
            for v in _VALUES
            if not self._check_show(state, site, str(v))
        ]

    def _check_show(self, state: KniziaState, site: str, value: str) -> list[Objection]:
        if state.zones is None or not state.pending or FIELDS[state.pending[0]] != site:
            return [Objection.of("1.7", "unknown_move", move=f"show {site} {value}")]
        if value not in state.zones.unseen(site):
            return [Objection.of("1.7", "cannot_be", site=site, value=value)]
        line = state.pending_claim
        if line != NOBODY:
            seat = state.owner[state.pending[0]]
            rest = state.unseen(seat)
            rest.remove(int(value))
            most = self._visible_sum(state, seat, line) + int(value)
            most += sum(rest[: len(state.pending) - 1])
            worst = self._worst(state, seat, line)
            if most < worst:
                return [
                    Objection.of(
                        "KN7", "not_provable", line=LINE_IDS[line], other=1 - seat, reach=worst
                    )
                ]
        return []

    def _apply_show(self, state: KniziaState, field: int, value: int) -> None:
        assert state.zones is not None
        if str(value) in state.zones.unseen(FIELDS[field]):
            state.zones.reveal(FIELDS[field], str(value))
        state.turn_up(field, value)
        state.pending.remove(field)
        if not state.pending:
            state.pending_claim = NOBODY

    def public(self, state: KniziaState, move: Move, seat: int | None) -> Move:
        if state.hidden and move.verb == "place" and move.player != seat:
            assert move.player is not None
            return _PLACE_UNSEEN[move.player][_FIELD[move.args[1]]]
        return move

    def shown(self, state: KniziaState, move: Move) -> tuple[Move, ...]:
        after = state.clone()
        self.apply(after, move)
        # The placed stone itself was not on its field before, so it is asked for separately.
        turned = [f for f in range(len(FIELDS)) if after.faceup[f] and not state.faceup[f]]
        if not state.hidden or state.physical or not turned:
            return (self.public(state, move, None),)
        if move.verb == "place":
            field = _FIELD[move.args[1]]
            down = state.clone()
            assert move.player is not None
            down.lay(move.player, int(move.args[0]), field)
            turned = self._newly_shown(down, field)
        else:
            turned = [f for f in _FIELDS_OF[_LINE[move.args[0]]] if f in turned]
        shows = (Move.of(Actor.TABLE, "show", FIELDS[f], after.value[f]) for f in turned)
        return (self.public(state, move, None), *shows)

    def view(self, state: KniziaState, seat: int | None) -> Json:
        data = state.to_json()
        if not state.hidden:
            return data
        for field, entry in data["fields"].items():
            if not state.faceup[_FIELD[field]] and entry[0] != seat:
                entry[1] = UNKNOWN
        if state.zones is None:
            data["hands"] = [
                hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
            ]
        return data

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        return options["hidden"] == "off"

    def layout(self, state: KniziaState) -> Layout:
        items: list[Item] = []
        owner, value = state.owner, state.value
        for f in state.order:
            seat = owner[f]
            # A stone that must still be shown by hand lies face down until then.
            if state.faceup[f]:
                items.append(_STONE_ITEM[seat][value[f]][f])
            else:
                items.append(_BACK_ITEM[seat][f])
        items += [
            _MEGALITH_ITEM[seat][line] for line, seat in enumerate(state.claimed) if seat != NOBODY
        ]
        return state.paint.layout(Counter(items))

    def supply(self, state: KniziaState, seat: int) -> Counter[str]:
        colour = state.paint.colours[seat]
        left = Counter({f"megalith {colour}": MEGALITHS - state.megaliths[seat]})
        if state.hidden:
            left[f"stone {colour} back"] = state.stones_left(seat)
        else:
            for value in _VALUES:
                left[f"stone {colour} {value}"] = state.count[seat][value]
        return +left

    def touches(self, state: KniziaState, move: Move) -> Collection[str]:
        if state.hidden:
            return super().touches(state, move)
        if move.verb == "place":
            return move.args[1:]
        return move.args

    # -- safety ---------------------------------------------------------------------------

    def invariants(self, state: KniziaState) -> list[str]:
        problems = []
        for seat in (0, 1):
            lying = [
                state.value[f]
                for f in state.order
                if state.owner[f] == seat and state.value[f] != UNKNOWN
            ]
            if state.zones is None:
                hand = [v for v in _VALUES for _ in range(state.count[seat][v])]
                if sorted(lying + hand) != list(STONES):
                    problems.append(f"the stones of p{seat} are {sorted(lying + hand)}")
            elif Counter(lying) - Counter(STONES):
                problems.append(f"p{seat} has shown {sorted(lying)}")
            if sum(1 for f in state.order if state.owner[f] == seat) > len(STONES):
                problems.append(f"p{seat} has more than {len(STONES)} stones on the board")
            if state.megaliths[seat] > MEGALITHS:
                problems.append(f"p{seat} has claimed {state.megaliths[seat]} lines")
        if len(set(state.order)) + len(state.empty) != len(FIELDS):
            problems.append("fields and stones do not add up")
        if state.turn not in (0, 1):
            problems.append(f"it is the turn of nobody: {state.turn}")
        if state.zones is not None:
            problems += state.zones.invariants()
        return problems


GAME = KniziaStonehenge()
