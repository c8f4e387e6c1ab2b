"""7.1, 7.4 … 7.8 The course of play, section by section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import ClassVar

from rules.core import (
    Actor,
    Game,
    Json,
    Layout,
    Move,
    OptionError,
    Options,
    Outcome,
    ScoreLine,
    Touch,
    ranked,
)
from rules.errors import Sentence
from rules.games.dolmengoetter.board import SHAPES, DolmenBoard
from rules.games.dolmengoetter.components import COLOURS, DRUIDS_EACH, LEVELS, TOP, UNKNOWN
from rules.games.dolmengoetter.inference import DolmenInference
from rules.games.dolmengoetter.layout import layout, supply, touches
from rules.games.dolmengoetter.legality import CODES, put_stone, violations
from rules.games.dolmengoetter.moves import MoveTables
from rules.games.dolmengoetter.prompts import legal_moves, prompt, pseudo_moves
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


class DolmenPosition(DolmenState):
    """A position with its rules, section by section."""

    __slots__ = ()

    # Rules with a room of their own.
    prompt = prompt
    legal_moves = legal_moves
    pseudo_moves = pseudo_moves
    violations = violations

    # -- decisions ------------------------------------------------------------------------

    def turn_of(self) -> int | None:
        return self.turn

    def weights(self, moves: Sequence[Move]) -> Sequence[int]:
        """Numbers of dolmens of each value that a hidden one may be; the lot is fair."""
        if self.phase != SHOW or self.zones is None:
            return [1] * len(moves)
        unseen = self.zones.unseen(built(self.next_hidden()[2]))
        return [unseen[move.args[2]] for move in moves]

    # -- 7.5 Phase 1 ----------------------------------------------------------------------

    def apply(self, move: Move) -> None:
        verb, args, seat = move.verb, move.args, move.player
        if seat is None:
            if verb == "start":
                self.first = self.turn = int(args[0][1:])
                self.phase = DRUIDS
            else:
                self._show(int(args[1]) - 1, args[2])
            return
        place = self.board.place
        if verb == "walk" or verb == "fly":
            self._change_place(seat, place[args[0]], place[args[1]])
        elif verb == "stone":
            self.turn = seat
            self._put_stone(seat, place[args[0]])
        elif verb == "keep":
            if args[0] in place:
                # DG16: a place left empty costs a point.
                self.points[seat] -= 1
                self.refused[seat] += 1
                self._end_turn()
            else:
                self._close_rights(seat, self.board.circle[args[0]])
        elif verb == "dolmen":
            value = UNKNOWN if args[2] == UNSEEN else int(args[2])
            self._build(seat, self.board.circle[args[0]], LEVELS.index(args[1]), value)
        elif verb == "herbs":
            self.occ[place[args[0]]] |= LYING
            self.turn = seat
            self.rights = []
            self.stone = NOBODY
            self._end_turn()
        else:
            self._place_druid(seat, place[args[0]])

    def _place_druid(self, seat: int, place: int) -> None:
        """7.4: one druid each, clockwise from the starting player, until all have three."""
        if self.phase == START:
            # No lot was drawn, and the table plays on: the first player to move began.
            self.first, self.phase = seat, DRUIDS
        self.occ[place] = DRUID + seat
        self.free[place] = 0
        self.druids[seat].append(place)
        for step in range(1, self.players + 1):
            turn = (seat + step) % self.players
            if len(self.druids[turn]) < DRUIDS_EACH:
                self.turn = turn
                return
        self.turn = self.first
        self.phase = ACTION

    def _change_place(self, seat: int, start: int, to: int) -> None:
        """A druid walks or flies; then the place left."""
        occ, free = self.occ, self.free
        owner = occ[start] & 7
        druids = self.druids[owner]
        druids[druids.index(start)] = to
        occ[start] = 0
        free[start] = 1
        occ[to] = DRUID + owner
        free[to] = 0
        if self.phase == DRUIDS:
            return  # moved before the set-up was over, and nothing comes of it
        self.turn = seat
        self.rights = []
        self.stone = NOBODY
        if not self.stones[seat] or start == to:
            self._end_turn()
        elif self.points[seat] == 1:
            # DG24: with the last point the stone must be left.
            self._put_stone(seat, start)
        else:
            self.left = start
            self.phase = STONE

    # -- 7.6 Phase 2 ----------------------------------------------------------------------

    def _put_stone(self, seat: int, place: int) -> None:
        self.left = NOBODY
        if full := put_stone(self, seat, place):
            self.pending = full
        self._settle()

    def _build(self, seat: int, circle: int, level: int, value: int) -> None:
        pile = self.piles[circle]
        pile.insert(0 if level == TOP else len(pile), (seat, value))
        if self.zones is None:
            self.values[seat][value] -= 1
        elif value == UNKNOWN:
            self.zones.move(hand(seat), built(seat), None)
        else:
            self.zones.discard(hand(seat), str(value))
        self.dolmens[seat] -= 1
        if self.dolmens[seat]:
            self._close_rights(seat, circle)
        else:
            if self.first_out == NOBODY:
                self.first_out = seat
            # Their other open rights vanish, since there is nothing left to build.
            self._close_rights(seat, *(right[1] for right in self.rights))

    def _close_rights(self, seat: int, *circles: int) -> None:
        """Rights of ``seat`` in these circles are used or refused; full circles score."""
        closed = [r for r in self.rights if r[2] == seat and r[1] in circles]
        if not closed:
            return
        self.rights = [right for right in self.rights if right not in closed]
        self.pending = sorted(
            circle for _, circle, _, _ in closed
            if self.filled[circle] == self.board.size[circle]
        )  # fmt: skip
        self._settle()

    # -- 7.7 Circle scoring ---------------------------------------------------------------

    def _settle(self) -> None:
        """Carry out all that happens automatically before the next decision."""
        while self.pending:
            circle = self.pending[0]
            if self.physical and any(value == UNKNOWN for _, value in self.piles[circle]):
                self.phase = SHOW
                return
            del self.pending[0]
            self._score(circle)
        if self.over_by:
            self.phase = OVER
        elif self.rights:
            self.phase = RIGHTS
        else:
            self._end_turn()

    def _score(self, circle: int) -> None:
        """DG25: once; the dolmens leave the game."""
        pile = self.piles[circle]
        self.scored.append((circle, tuple(pile)))
        if pile:
            for seat, gained in enumerate(self.circle_points(circle, pile)):
                self.points[seat] += gained
            self.piles[circle] = []

    def _show(self, level: int, value: str) -> None:
        circle, _, owner = self.next_hidden()
        assert self.zones is not None
        if self.zones.unseen(built(owner))[value]:
            self.zones.discard(built(owner), value)
        self.piles[circle][level] = (owner, int(value))
        self._settle()

    # -- 7.8 End --------------------------------------------------------------------------

    def _end_turn(self) -> None:
        self.left = NOBODY
        if not self.stones_left:
            # DG13: the last stone ends the match at once, also during the last turns.
            self._finish("last_stone")
            return
        players = self.players
        if self.first_out != NOBODY and self.last is None:
            # DG12: once round the table from the mover's left, the mover last.
            order = [(self.turn + step) % players for step in range(1, players + 1)]
            self.last = [seat for seat in order if seat != self.first_out]
        if self.last is None:
            self.turn = (self.turn + 1) % players
        elif self.last:
            self.turn = self.last.pop(0)
        else:
            self._finish("last_dolmen")
            return
        self.phase = ACTION

    def _finish(self, reason: str) -> None:
        """Every circle that still has dolmens scores, however few stones it holds."""
        self.over_by = reason
        self.pending = [circle for circle, pile in enumerate(self.piles) if pile]
        self._settle()

    def outcome(self) -> Outcome | None:
        if self.phase != OVER:
            return None
        number = sum(self.set)
        # DG17: ties go to more dolmens ever placed. DG14: then the place is shared.
        rank = [(self.points[s], number - self.dolmens[s]) for s in range(self.players)]
        return Outcome(self.over_by, ranked(rank), tuple(self.points))

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    def explain_scores(self) -> list[ScoreLine]:
        start = int(self.options["start_score"])
        lines = [ScoreLine(seat, "start", start) for seat in range(self.players)]
        lines += [
            ScoreLine(seat, "refused", -number, (("number", number),))
            for seat, number in enumerate(self.refused)
            if number
        ]
        for circle, pile in sorted(self.scored, key=lambda scored: self.board.size[scored[0]]):
            shape = ("shape", SHAPES[self.board.size[circle]])
            lines += [
                ScoreLine(
                    seat, "circle", gained, (shape, ("circle", self.board.circle_ids[circle]))
                )
                for seat, gained in enumerate(self.circle_points(circle, pile))
                if gained
            ]
        return lines

    # -- what may be known ----------------------------------------------------------------

    def public(self, move: Move, seat: int | None) -> Move:
        """DG21: a dolmen's value is known only to its owner."""
        owner = move.player
        if move.verb != "dolmen" or owner is None or owner == seat:
            return move
        circle, level = self.board.circle[move.args[0]], LEVELS.index(move.args[1])
        return self.tables.dolmen[owner][circle][level][UNKNOWN]

    def shown(self, move: Move) -> tuple[Move, ...]:
        public = self.public(move, None)
        if self.physical or move.actor is not Actor.PLAYER:
            return (public,)
        after = self.clone()
        after.apply(move)
        turned_up = (
            Move.of(Actor.TABLE, "show", self.board.circle_ids[circle], level + 1, value)
            for circle, pile in after.scored[len(self.scored) :]
            for level, (_, value) in enumerate(pile)
        )
        return (public, *turned_up)

    def view(self, seat: int | None) -> Json:
        data = self.to_json()
        for pile in data["piles"].values():
            for dolmen in pile:
                if dolmen[0] != seat:
                    dolmen[1] = None
        if self.zones is None:
            data["supplies"] = [
                supply if owner == seat else len(supply)
                for owner, supply in enumerate(data["supplies"])
            ]
        else:
            # The values still unseen give away those that owners have typed in.
            del data["zones"]
        return data

    def layout(self) -> Layout:
        return self.paint.layout(layout(self))

    def layout_at(self, sites: Collection[str]) -> Layout:
        return self.paint.layout(layout(self, sites))

    def supply(self, seat: int) -> Counter[str]:
        return self.paint.kinds(supply(self, seat))

    def touches(self, move: Move) -> Collection[str]:
        found = touches(self, move)
        return super().touches(move) if found is None else found


class DolmenTouch(Touch[DolmenState]):
    """The game at a screen: touches and pictures."""

    private = frozenset({"dolmen_choice", "dolmen_top", "dolmen_under"})

    def usual(self, state: DolmenState, moves: Sequence[Move]) -> Move | None:
        """To leave a stone behind: keeping it costs a point."""
        return next((move for move in moves if move.verb == "stone"), None)

    def way(self, state: DolmenState, move: Move) -> tuple[str, ...]:
        """7.5: where the druid walks; over others it leaps, and it flies straight."""
        if move.verb != "walk":
            return move.args if move.verb == "fly" else ()
        board = state.board
        start, goal = (board.place[name] for name in move.args)
        return tuple(board.places[place] for place in state.path(start, goal))


class DolmenGame(Game[DolmenState]):
    """The rules on one board."""

    id = "dolmengoetter"
    box = "dolmengoetter"
    board_table = "board"
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
    handling_rule = "7.5"
    scoring_rule = "7.7"
    inference = DolmenInference()
    touch = DolmenTouch()
    craft = "rules.players.crafts.dolmengoetter:DolmenCraft"

    def __init__(self, board: DolmenBoard) -> None:
        self.board = board
        self._tables = MoveTables(board)

    # -- 7.1, 7.4 Set-up ------------------------------------------------------------------

    def complete_options(self, players: int, options: Options) -> dict[str, str]:
        """Includes the setup check of 7.1: the last stone needs a free place for its druid."""
        complete = super().complete_options(players, options)
        each = DolmenPosition(self._tables, players, complete, physical=False).stones[0]
        most = self.board.most_stones(players)
        if each > most:
            fewest = min(int(value) for value in self.options["stones"] if value != "table")
            advice = Sentence("fewer_stones", {"most": most}) if most >= fewest else None
            raise OptionError(
                "stones_many", players=players, stones=each, druids=DRUIDS_EACH,
                needed=players * (each + DRUIDS_EACH), board=self.board.name,
                places=len(self.board.places), advice=advice or Sentence("board_small"),
            )  # fmt: skip
        return complete

    def setup(self, players: int, options: Options, physical: bool) -> DolmenState:
        return DolmenPosition(self._tables, players, options, physical)

    # -- the table ------------------------------------------------------------------------

    def open_to_computers(self, options: Options) -> bool:
        """Its dolmens lie shuffled and face down before it; which one it builds, chance decides."""
        return True
