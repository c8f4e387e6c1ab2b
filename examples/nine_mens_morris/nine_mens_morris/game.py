"""The rules, section by section, and what else Heelstone asks of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import ClassVar

from nine_mens_morris.reading import implied, leads_there
from nine_mens_morris.state import (
    COLOURS,
    FIELD,
    FIELDS,
    OUTCOMES,
    MorrisState,
)
from rules.core import (
    Board,
    Game,
    Json,
    Move,
    Options,
)

__all__ = ["NineMensMorris"]

TO_AND_FRO = 7.0
"""What speaks against several turns taken back while stones are moved (natural-log odds)."""


class NineMensMorris(Game[MorrisState]):
    """Nine Men's Morris. Everything about a match is in its ``MorrisState``."""

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

    # -- the table ------------------------------------------------------------------------
    def open_to_computers(self, options: Options) -> bool:
        return True

    # -- a reading of the table -----------------------------------------------------------
    def implied(self, state: MorrisState, moves: Sequence[Move], board: Board) -> list[Move]:
        """Steps without a trace. Every other one shows, even where there is only one."""
        return implied(state, moves, board)

    def plausible(
        self, state: MorrisState, moves: Sequence[Move], board: Board, since: Sequence[Move]
    ) -> Iterable[tuple[Move, float]]:
        if state.taking or state.hand[state.turn]:
            return ((move, 0.0) for move in moves)
        flies, seat = state.flies(state.turn), state.turn
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
        must = Counter((item.site, item.kind) for item in state.layout())
        gone = must - lies
        if state.over or state.taking or lies - must or not 0 < gone.total() <= 2:
            return False
        for move in state.legal_moves():
            after = state.clone()
            after.apply(move)
            if not after.taking:
                continue
            lifted = {*(move.args[:-1])}
            may_go = {FIELDS[at] for at in after.takeable(1 - state.turn)}
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
