"""The rules, section by section, and what else Heelstone asks of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from importlib.resources import files
from typing import ClassVar

from nine_mens_morris.reading import implied, leads_there
from nine_mens_morris.state import (
    FIELD,
    FIELDS,
    NEXT_TO,
    NOBODY,
    OUTCOMES,
    STONES,
    MorrisState,
)
from rules.core import (
    Actor,
    Board,
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
)

__all__ = ["NineMensMorris"]

COLOURS = ("white", "black")
FEWEST = 3
"""1.6: whoever has fewer stones than a mill has lost."""
FLYING = 3
"""1.5: with so many stones one may fly."""
QUIET_TURNS = 100
"""NM6: fifty turns each."""
TIMES = 3
"""NM5: how often a position comes about before the match is a draw."""
TO_AND_FRO = 7.0
"""What speaks against several turns taken back while stones are moved (natural-log odds)."""

_POINTS = range(len(FIELDS))
_PLACE = tuple(tuple(Move.of(p, "place", f) for f in FIELDS) for p in (0, 1))
_TAKE = tuple(tuple(Move.of(p, "take", f) for f in FIELDS) for p in (0, 1))
_MOVE = tuple(
    tuple(tuple(Move.of(p, "move", a, b) for b in FIELDS) for a in FIELDS) for p in (0, 1)
)
_ITEM = tuple(tuple(Item(f, f"stone {c}", p) for f in FIELDS) for p, c in enumerate(COLOURS))


class NineMensMorris(Game[MorrisState]):
    """Nine Men's Morris. Stateless: everything about a match is in the ``MorrisState``."""

    id = "nine_mens_morris"
    package = "nine_mens_morris"
    box = str(files("nine_mens_morris") / "box.toml")
    bgg_id = 3886
    players = (2,)
    options: ClassVar = {
        "flying": ("on", "off"),
        "two_mills": ("one", "two"),
        "repetition": ("on", "off"),
    }
    codes = (
        "match_over", "wrong_player", "unknown_move", "take_first", "no_mill", "nothing_to_take",
        "in_mill", "occupied", "all_placed", "still_placing", "not_yours", "not_next",
    )  # fmt: skip
    outcomes = OUTCOMES
    handling_rule = "1.4"
    craft = "nine_mens_morris.craft:MorrisCraft"

    # -- 1.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> MorrisState:
        return MorrisState(
            flying=options["flying"] == "on",
            takes=1 + (options["two_mills"] == "two"),
            repetition=options["repetition"] == "on",
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS

    # -- 1.3 to 1.5 Placing, moving, flying -----------------------------------------------

    def prompt(self, state: MorrisState) -> Prompt | None:
        if state.over:
            return None
        seat = state.turn
        if state.taking:
            return Prompt(Actor.PLAYER, seat, "take", "1.4", (("other", 1 - seat),))
        if state.hand[seat]:
            return Prompt(Actor.PLAYER, seat, "place", "1.3", (("left", state.hand[seat]),))
        if self._flies(state, seat):
            return Prompt(Actor.PLAYER, seat, "fly", "1.5")
        return Prompt(Actor.PLAYER, seat, "move", "1.3")

    def moves(self, state: MorrisState) -> list[Move]:
        if state.over:
            return []
        seat, points = state.turn, state.points
        if state.taking:
            return [_TAKE[seat][at] for at in self._takeable(state, 1 - seat)]
        if state.hand[seat]:
            return [_PLACE[seat][at] for at in _POINTS if points[at] == NOBODY]
        flies = self._flies(state, seat)
        return [
            _MOVE[seat][start][to]
            for start in _POINTS
            if points[start] == seat
            for to in (_POINTS if flies else NEXT_TO[start])
            if points[to] == NOBODY
        ]

    def pseudo_moves(self, state: MorrisState) -> Iterable[Move]:
        """Whatever hands could put on a free point, shift to one, or take away."""
        if state.over:
            return
        free = [at for at in _POINTS if state.points[at] == NOBODY]
        for seat in (0, 1):
            if state.hand[seat]:
                yield from (_PLACE[seat][at] for at in free)
            for at in _POINTS:
                if state.points[at] == seat:
                    yield from (_MOVE[seat][at][to] for to in free)
                elif state.points[at] == 1 - seat:
                    yield _TAKE[seat][at]

    def check(self, state: MorrisState, move: Move) -> list[Objection]:
        seat = move.player
        if state.over:
            return [Objection.of("1.6", "match_over")]
        known = {"place": 1, "take": 1, "move": 2}.get(move.verb) == len(move.args)
        if not known or seat not in (0, 1) or not FIELD.keys() >= set(move.args):
            return [Objection.of("1.3", "unknown_move", move=move.text)]
        if seat != state.turn:
            return [Objection.of("1.3", "wrong_player", player=state.turn, other=seat)]
        if move.verb == "take":
            return self._check_take(state, seat, FIELD[move.args[0]])
        if state.taking:
            return [Objection.of("1.4", "take_first", player=seat, other=1 - seat)]
        if move.verb == "place":
            return self._check_place(state, seat, move.args[0])
        return self._check_move(state, seat, *move.args)

    def apply(self, state: MorrisState, move: Move) -> None:
        seat = move.player
        assert seat is not None
        if move.verb == "take":
            state.take(seat, FIELD[move.args[0]])
            enough = state.left(1 - seat) >= FEWEST and self._takeable(state, 1 - seat)
            if state.taking > 1 and enough:
                state.taking -= 1
            else:
                self._end_turn(state, seat)
            return
        to = FIELD[move.args[-1]]
        if move.verb == "place":
            state.place(seat, to)
        else:
            state.shift(FIELD[move.args[0]], to)
            state.quiet += 1
        mills = state.mills_at(to)
        if mills and self._takeable(state, 1 - seat):
            # NM2: two mills at once take one stone, or two.
            state.turn, state.taking, state.quiet = seat, min(mills, state.takes), 0
        else:
            self._end_turn(state, seat)

    @staticmethod
    def _flies(state: MorrisState, seat: int) -> bool:
        return state.flying and not state.hand[seat] and state.left(seat) == FLYING

    def _may_go(self, state: MorrisState, at: int) -> bool:
        if self._flies(state, state.points[at]):
            return True
        return any(state.points[to] == NOBODY for to in NEXT_TO[at])

    def _check_place(self, state: MorrisState, seat: int, site: str) -> list[Objection]:
        if not state.hand[seat]:
            return [Objection.of("1.3", "all_placed", player=seat)]
        if state.points[FIELD[site]] != NOBODY:
            return [Objection.of("1.3", "occupied", site=site)]
        return []

    def _check_move(self, state: MorrisState, seat: int, start: str, to: str) -> list[Objection]:
        if state.hand[seat]:
            return [Objection.of("1.3", "still_placing", player=seat, left=state.hand[seat])]
        if state.points[FIELD[start]] != seat:
            return [Objection.of("1.3", "not_yours", player=seat, site=start)]
        if state.points[FIELD[to]] != NOBODY:
            return [Objection.of("1.3", "occupied", site=to)]
        if FIELD[to] not in NEXT_TO[FIELD[start]] and not self._flies(state, seat):
            return [Objection.of("1.5", "not_next", start=start, site=to)]
        return []

    # -- 1.4 Taking -----------------------------------------------------------------------

    @staticmethod
    def _takeable(state: MorrisState, owner: int) -> list[int]:
        """Stones of ``owner`` outside mills; NM1: all of them if there are no others."""
        points = state.points
        own = [at for at in _POINTS if points[at] == owner]
        return [at for at in own if not state.mills_at(at)] or own

    def _check_take(self, state: MorrisState, seat: int, at: int) -> list[Objection]:
        other, site = 1 - seat, FIELDS[at]
        if state.points[at] != other:
            return [Objection.of("1.4", "nothing_to_take", other=other, site=site)]
        if not state.taking:
            return [Objection.of("1.4", "no_mill", player=seat, other=other)]
        if at not in self._takeable(state, other):
            return [Objection.of("NM1", "in_mill", player=seat, other=other, site=site)]
        return []

    # -- 1.6 End --------------------------------------------------------------------------

    def _end_turn(self, state: MorrisState, seat: int) -> None:
        other = 1 - seat
        irreversible = state.taking or state.hand[0] or state.hand[1]
        state.turn, state.taking = other, 0
        if state.left(other) < FEWEST:
            state.over = "two_stones"
            return
        if irreversible:
            state.seen = []
        if state.hand[other]:
            return
        if not any(self._may_go(state, at) for at in _POINTS if state.points[at] == other):
            state.over = "no_move"
            return
        state.seen.append(state.key())
        if state.repetition and state.seen.count(state.seen[-1]) >= TIMES:
            state.over = "repetition"
        elif state.quiet >= QUIET_TURNS:
            state.over = "quiet"

    def outcome(self, state: MorrisState) -> Outcome | None:
        if not state.over:
            return None
        if state.over in ("repetition", "quiet"):
            return Outcome(state.over, ((0, 1),), self.scores(state))
        loser = state.turn
        return Outcome(state.over, ((1 - loser,), (loser,)), self.scores(state))

    def scores(self, state: MorrisState) -> tuple[int, ...]:
        return (STONES - state.left(1), STONES - state.left(0))

    def explain_scores(self, state: MorrisState) -> list[ScoreLine]:
        return [ScoreLine(p, "taken", n) for p, n in enumerate(self.scores(state)) if n]

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        return True

    def layout(self, state: MorrisState) -> Layout:
        return Counter(_ITEM[owner][at] for at, owner in enumerate(state.points) if owner != NOBODY)

    def supply(self, state: MorrisState, seat: int) -> Counter[str]:
        """Stones still to be placed. Those that were taken are out of the match."""
        return +Counter({f"stone {COLOURS[seat]}": state.hand[seat]})

    def touches(self, state: MorrisState, move: Move) -> Collection[str]:
        return move.args

    # -- a reading of the table -----------------------------------------------------------

    def implied(self, state: MorrisState, moves: Sequence[Move], board: Board) -> list[Move]:
        """Steps without a trace. Every other one shows, even where there is only one."""
        return implied(state, moves, board)

    def plausible(
        self, state: MorrisState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[tuple[Move, float]]:
        if state.taking or state.hand[state.turn]:
            return ((move, 0.0) for move in moves)
        flies, seat = self._flies(state, state.turn), state.turn
        before = any(move.player == seat for move in since)
        return leads_there(state, moves, board, flies=flies, before=before)

    def unfinished(self, state: MorrisState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        """NM7: whoever is to move has lifted a stone of their own; nobody has taken it."""
        at = FIELD.get(site)
        return at is not None and not seen and not state.over and state.points[at] == state.turn

    def halfway(self, state: MorrisState, board: Board) -> bool:
        """1.4: whether the stone that a mill will take was lifted before the mill is closed, and
        perhaps the stone that will close it too."""
        lies = Counter((at, seen[0][0]) for at, seen in board.items() if seen and at in FIELD)
        must = Counter((item.site, item.kind) for item in self.layout(state))
        gone = must - lies
        if state.over or state.taking or lies - must or not 0 < gone.total() <= 2:
            return False
        for move in self.moves(state):
            after = state.clone()
            self.apply(after, move)
            if not after.taking:
                continue
            lifted = {*(move.args[:-1])}
            may_go = {FIELDS[at] for at in self._takeable(after, 1 - state.turn)}
            left = {site for site, _ in gone} - lifted
            if len(left) <= after.taking and left <= may_go:
                return True
        return False

    def taken_back(self, state: MorrisState, moves: Sequence[Move]) -> float:
        """1.3: once all are placed, stones go to and fro, and the other's move stands."""
        own_only = len({move.player for move in moves}) == 1
        return super().taken_back(state, moves) if own_only or any(state.hand) else TO_AND_FRO

    def essence(self, state: MorrisState) -> Json:
        """Nobody is asked how often a position came about."""
        return [state.key(), state.hand, state.taking, state.over]
