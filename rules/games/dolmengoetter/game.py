"""7.1, 7.4 … 7.8 The course of play, section by section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar

from rules.core import (
    Actor,
    Board,
    Game,
    Json,
    Layout,
    Move,
    Objection,
    OptionError,
    Options,
    Outcome,
    Prompt,
    ScoreLine,
    ranked,
)
from rules.errors import Sentence
from rules.games.dolmengoetter.board import DolmenBoard
from rules.games.dolmengoetter.components import COLOURS, DRUIDS_EACH, LEVELS, TOP, UNKNOWN
from rules.games.dolmengoetter.layout import layout, supply, touches
from rules.games.dolmengoetter.legality import CODES, violations
from rules.games.dolmengoetter.moves import MoveTables
from rules.games.dolmengoetter.prompts import legal_moves, prompt, pseudo_moves
from rules.games.dolmengoetter.reading import guessed, implied, unfinished, weighed
from rules.games.dolmengoetter.rights import put_stone
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
    built,
    hand,
)
from rules.hidden import UNSEEN


class DolmenGame(Game[DolmenState]):
    """The rules on one board."""

    id = "dolmengoetter"
    box = "dolmengoetter"
    bgg_id = 17988
    players = (2, 3, 4, 5)
    options: ClassVar = {
        "start_score": ("4", "5"),
        "stones": ("table", "8", "9", "10", "11", "12", "13", "14", "15", "16"),
        "dolmens": ("table", "8", "9", "10", "11", "12", "13"),
        "values": ("6-4-2-1", "5-4-3-1", "4-4-3-2"),
        "tie_min": ("1", "2"),
        "bonus_on_fill": ("on", "off"),
    }
    palette = COLOURS
    outcomes = ("last_stone", "last_dolmen")
    codes = CODES
    private = frozenset({"dolmen_choice", "dolmen_top", "dolmen_under"})
    handling_rule = "7.5"
    craft = "rules.players.crafts.dolmengoetter:DolmenCraft"

    def __init__(self, board: DolmenBoard) -> None:
        self.board = board
        self._tables = MoveTables(board)

    # -- 7.1, 7.4 Set-up ------------------------------------------------------------------

    def complete_options(self, players: int, options: Options) -> dict[str, str]:
        """Includes the setup check of 7.1: the last stone needs a free place for its druid."""
        complete = super().complete_options(players, options)
        each = DolmenState(self.board, players, complete, physical=False).stones[0]
        most = self.board.most_stones(players)
        if each > most:
            fewest = min(int(value) for value in self.options["stones"] if value != "table")
            advice = Sentence("fewer_stones", {"most": most}) if most >= fewest else None
            raise OptionError(
                "stones_many", players=players, stones=each, druids=DRUIDS_EACH,
                needed=players * (each + DRUIDS_EACH), board=self.board.name,
                places=len(self.board.places), advice=advice or Sentence("board_too_small"),
            )  # fmt: skip
        return complete

    def setup(self, players: int, options: Options, physical: bool) -> DolmenState:
        return DolmenState(self.board, players, options, physical)

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return self.chosen_colours(players, options)

    # -- decisions ------------------------------------------------------------------------

    def prompt(self, state: DolmenState) -> Prompt | None:
        return prompt(state)

    def turn_of(self, state: DolmenState) -> int | None:
        return state.turn

    def moves(self, state: DolmenState) -> list[Move]:
        return legal_moves(state, self._tables)

    def weights(self, state: DolmenState, moves: Sequence[Move]) -> Sequence[int]:
        """How many dolmens of each value a hidden one may be; the lot is fair."""
        if state.phase != SHOW or state.zones is None:
            return [1] * len(moves)
        unseen = state.zones.unseen(built(state.next_hidden()[2]))
        return [unseen[move.args[2]] for move in moves]

    def pseudo_moves(self, state: DolmenState) -> Iterable[Move]:
        return pseudo_moves(state, self._tables)

    def check(self, state: DolmenState, move: Move) -> list[Objection]:
        return violations(state, move)

    # -- 7.5 Phase 1 ----------------------------------------------------------------------

    def apply(self, state: DolmenState, move: Move) -> None:
        verb, args, seat = move.verb, move.args, move.player
        if seat is None:
            if verb == "start":
                state.first = state.turn = int(args[0][1:])
                state.phase = DRUIDS
            else:
                self._show(state, int(args[1]) - 1, args[2])
            return
        place = self.board.place
        if verb == "walk" or verb == "fly":
            self._change_place(state, seat, place[args[0]], place[args[1]])
        elif verb == "stone":
            state.turn = seat
            self._put_stone(state, seat, place[args[0]])
        elif verb == "keep":
            if args[0] in place:
                # DG16: a place left empty costs a point.
                state.points[seat] -= 1
                state.refused[seat] += 1
                self._end_turn(state)
            else:
                self._close_rights(state, seat, self.board.circle[args[0]])
        elif verb == "dolmen":
            value = UNKNOWN if args[2] == UNSEEN else int(args[2])
            self._build(state, seat, self.board.circle[args[0]], LEVELS.index(args[1]), value)
        elif verb == "herbs":
            state.occ[place[args[0]]] |= LYING
            state.turn = seat
            state.rights = []
            state.stone = NOBODY
            self._end_turn(state)
        else:
            self._place_druid(state, seat, place[args[0]])

    @staticmethod
    def _place_druid(state: DolmenState, seat: int, place: int) -> None:
        """7.4: one druid each, clockwise from the starting player, until all have three."""
        if state.phase == START:
            # Nobody drew lots, and the table plays on: whoever moved first began.
            state.first, state.phase = seat, DRUIDS
        state.occ[place] = DRUID + seat
        state.free[place] = 0
        state.druids[seat].append(place)
        for step in range(1, state.players + 1):
            turn = (seat + step) % state.players
            if len(state.druids[turn]) < DRUIDS_EACH:
                state.turn = turn
                return
        state.turn = state.first
        state.phase = ACTION

    def _change_place(self, state: DolmenState, seat: int, start: int, to: int) -> None:
        """A druid walks or flies; then the place left."""
        occ, free = state.occ, state.free
        owner = occ[start] & 7
        druids = state.druids[owner]
        druids[druids.index(start)] = to
        occ[start] = 0
        free[start] = 1
        occ[to] = DRUID + owner
        free[to] = 0
        if state.phase == DRUIDS:
            return  # moved before the set-up was over, and nothing comes of it
        state.turn = seat
        state.rights = []
        state.stone = NOBODY
        if not state.stones[seat] or start == to:
            self._end_turn(state)
        elif state.points[seat] == 1:
            # DG24: with the last point the stone must be left.
            self._put_stone(state, seat, start)
        else:
            state.left = start
            state.phase = STONE

    # -- 7.6 Phase 2 ----------------------------------------------------------------------

    def _put_stone(self, state: DolmenState, seat: int, place: int) -> None:
        state.left = NOBODY
        if full := put_stone(state, seat, place):
            state.pending = full
        self._settle(state)

    def _build(self, state: DolmenState, seat: int, circle: int, level: int, value: int) -> None:
        pile = state.piles[circle]
        pile.insert(0 if level == TOP else len(pile), (seat, value))
        if state.zones is None:
            state.values[seat][value] -= 1
        elif value == UNKNOWN:
            state.zones.move(hand(seat), built(seat), None)
        else:
            state.zones.discard(hand(seat), str(value))
        state.dolmens[seat] -= 1
        if state.dolmens[seat]:
            self._close_rights(state, seat, circle)
        else:
            if state.first_out == NOBODY:
                state.first_out = seat
            # Their other open rights vanish, since there is nothing left to build.
            self._close_rights(state, seat, *(right[1] for right in state.rights))

    def _close_rights(self, state: DolmenState, seat: int, *circles: int) -> None:
        """Rights of ``seat`` in these circles are used or refused; full circles score."""
        closed = [r for r in state.rights if r[2] == seat and r[1] in circles]
        if not closed:
            return
        state.rights = [right for right in state.rights if right not in closed]
        state.pending = sorted(
            circle for _, circle, _, _ in closed
            if state.filled[circle] == self.board.size[circle]
        )  # fmt: skip
        self._settle(state)

    # -- 7.7 Circle scoring ---------------------------------------------------------------

    def _settle(self, state: DolmenState) -> None:
        """Everything that happens automatically before the next decision."""
        while state.pending:
            circle = state.pending[0]
            if state.physical and any(value == UNKNOWN for _, value in state.piles[circle]):
                state.phase = SHOW
                return
            del state.pending[0]
            self._score(state, circle)
        if state.over_by:
            state.phase = OVER
        elif state.rights:
            state.phase = RIGHTS
        else:
            self._end_turn(state)

    @staticmethod
    def _score(state: DolmenState, circle: int) -> None:
        """DG25: once; the dolmens leave the game."""
        pile = state.piles[circle]
        state.scored.append((circle, tuple(pile)))
        if pile:
            for seat, gained in enumerate(state.circle_points(circle, pile)):
                state.points[seat] += gained
            state.piles[circle] = []

    def _show(self, state: DolmenState, level: int, value: str) -> None:
        circle, _, owner = state.next_hidden()
        assert state.zones is not None
        if state.zones.unseen(built(owner))[value]:
            state.zones.discard(built(owner), value)
        state.piles[circle][level] = (owner, int(value))
        self._settle(state)

    # -- 7.8 End --------------------------------------------------------------------------

    def _end_turn(self, state: DolmenState) -> None:
        state.left = NOBODY
        if not state.stones_left:
            # DG13: the last stone ends the match at once, also during the last turns.
            self._finish(state, "last_stone")
            return
        players = state.players
        if state.first_out != NOBODY and state.last is None:
            # DG12: once round the table from the mover's left, the mover last.
            order = [(state.turn + step) % players for step in range(1, players + 1)]
            state.last = [seat for seat in order if seat != state.first_out]
        if state.last is None:
            state.turn = (state.turn + 1) % players
        elif state.last:
            state.turn = state.last.pop(0)
        else:
            self._finish(state, "last_dolmen")
            return
        state.phase = ACTION

    def _finish(self, state: DolmenState, reason: str) -> None:
        """Every circle that still has dolmens scores, however few stones it holds."""
        state.over_by = reason
        state.pending = [circle for circle, pile in enumerate(state.piles) if pile]
        self._settle(state)

    def outcome(self, state: DolmenState) -> Outcome | None:
        if state.phase != OVER:
            return None
        number = sum(state.set)
        # DG17: ties go to more dolmens ever placed. DG14: then the place is shared.
        rank = [(state.points[s], number - state.dolmens[s]) for s in range(state.players)]
        return Outcome(state.over_by, ranked(rank), tuple(state.points))

    def scores(self, state: DolmenState) -> tuple[int, ...]:
        return tuple(state.points)

    def explain_scores(self, state: DolmenState) -> list[ScoreLine]:
        start = int(state.options["start_score"])
        lines = [ScoreLine(seat, "start", start) for seat in range(state.players)]
        lines += [
            ScoreLine(seat, "refused", -number, (("number", number),))
            for seat, number in enumerate(state.refused)
            if number
        ]
        for circle, pile in state.scored:
            name = state.board.circle_ids[circle]
            lines += [
                ScoreLine(seat, "circle", gained, (("circle", name),))
                for seat, gained in enumerate(state.circle_points(circle, pile))
                if gained
            ]
        return lines

    # -- what may be known ----------------------------------------------------------------

    def public(self, state: DolmenState, move: Move, seat: int | None) -> Move:
        """DG21: a dolmen's value is known only to its owner."""
        owner = move.player
        if move.verb != "dolmen" or owner is None or owner == seat:
            return move
        circle, level = self.board.circle[move.args[0]], LEVELS.index(move.args[1])
        return self._tables.dolmen[owner][circle][level][UNKNOWN]

    def shown(self, state: DolmenState, move: Move) -> tuple[Move, ...]:
        public = self.public(state, move, None)
        if state.physical or move.actor is not Actor.PLAYER:
            return (public,)
        after = state.clone()
        self.apply(after, move)
        turned_up = (
            Move.of(Actor.TABLE, "show", self.board.circle_ids[circle], level + 1, value)
            for circle, pile in after.scored[len(state.scored) :]
            for level, (_, value) in enumerate(pile)
        )
        return (public, *turned_up)

    def view(self, state: DolmenState, seat: int | None) -> Json:
        data = state.to_json()
        for pile in data["piles"].values():
            for dolmen in pile:
                if dolmen[0] != seat:
                    dolmen[1] = None
        if state.zones is None:
            data["supplies"] = [
                supply if owner == seat else len(supply)
                for owner, supply in enumerate(data["supplies"])
            ]
        else:
            # What is still unseen gives away the values that owners have typed in.
            del data["zones"]
        return data

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        """Its dolmens lie shuffled and face down before it; which one it builds, chance decides."""
        return True

    def layout(self, state: DolmenState) -> Layout:
        return state.paint.layout(layout(state))

    def supply(self, state: DolmenState, seat: int) -> Counter[str]:
        return state.paint.kinds(supply(state, seat))

    def usual(self, state: DolmenState, moves: Sequence[Move]) -> Move | None:
        """To leave a stone behind: keeping it costs a point."""
        return next((move for move in moves if move.verb == "stone"), None)

    def touches(self, state: DolmenState, move: Move) -> Collection[str]:
        found = touches(state, move)
        return super().touches(state, move) if found is None else found

    def implied(self, state: DolmenState, moves: Sequence[Move], board: Board) -> list[Move]:
        return implied(state, moves, board, self._tables)

    def plausible(
        self, state: DolmenState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[tuple[Move, float]]:
        return weighed(state, moves)

    def guessed(self, state: DolmenState, move: Move, board: Board) -> bool:
        return guessed(state, move)

    def unfinished(self, state: DolmenState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
        return unfinished(state, site, seen)
