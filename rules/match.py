"""A match: one played game, from set-up to result; the only owner of a state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from rules.core import (
    Actor,
    Game,
    GameError,
    IllegalMove,
    Json,
    Layout,
    Move,
    Objection,
    OptionError,
    Outcome,
    Prompt,
    State,
    StateError,
)
from rules.core.dice import PROGRAM
from rules.games import find_game
from rules.hidden import Chance, Dealer, Referee

_SNAPSHOT_EVERY = 16


def reveals(state: State, move: Move, players: int) -> bool:
    """True if ``move``, made in ``state``, brings to light more than its player says with it: it is
    chance, turns something up, or tells another player in secret."""
    if move.actor is not Actor.PLAYER:
        return True
    public = state.public(move, None)
    if tuple(state.shown(move)) != (public,):
        return True
    return any(state.public(move, seat) != public for seat in range(players) if seat != move.player)


def answers_in_secret(game: Game[Any], state: State) -> bool:
    """True if the answer of the player asked in ``state`` comes from what only they know
    (``Touch.private``)."""
    prompt, private = state.prompt(), game.touch.private
    if prompt is None or prompt.player is None:
        return False
    if prompt.together:
        return type(state).public is not State.public
    if private is not None and prompt.code not in private:
        return False
    return bool(state.view(prompt.player) != state.view(None))


def only_answer(game: Game[Any], state: State, *, physical: bool) -> Move | None:
    """The answer to a player's question that goes without saying: the one to which they are obliged
    and, where no hands have to follow, any that is the only one and no player's secret."""
    obliged = state.obliged()
    prompt = state.prompt()
    if obliged is not None or physical or prompt is None or prompt.actor is not Actor.PLAYER:
        return obliged
    legal = state.legal_moves()
    return legal[0] if len(legal) == 1 and not answers_in_secret(game, state) else None


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of a match's log."""

    move: Move
    forced: bool = False
    """True if it was played on although the rules object (enforcement ``off`` or ``advise``)."""
    joined: bool = False
    """True if entered with the same touch as the move before it, with which it is taken back."""


class Match:
    """The log of moves and the position it leads to.

    >>> match = Match("knizia_stonehenge", players=2)
    >>> match.push("p0 place 3 L")
    >>> match.prompt.code
    'claim_or_done'
    >>> [o.code for o in match.why_not("p0 claim H4")]
    ['still_open']
    >>> match.pop()
    Move('p0 place 3 L')
    """

    def __init__(
        self,
        game: str | Game[Any],
        players: int,
        options: Mapping[str, str] | None = None,
        *,
        physical: bool = False,
        seed: int | str = 0,
        dealt: Collection[int] = (),
    ) -> None:
        """``dealt``: seats at a table with real pieces for which the program deals all the same;
        raises OptionError where the game does not allow it (``Game.deals_for``)."""
        self.game: Game[Any] = find_game(game) if isinstance(game, str) else game
        self.players = players
        self.options = self.game.complete_options(players, options or {})
        self.physical = physical
        self.seed = seed
        self.dealt: tuple[int, ...] = tuple(sorted(set(dealt)))
        if self.dealt and not (physical and self._may_deal_for(self.dealt)):
            raise OptionError("not_dealt_for", game=self.game.id, seats=self.dealt)
        dealer, throws = Dealer(seed), self.options.get("dice") == PROGRAM
        self.chance: Chance = Referee(dealer, self.dealt, throws=throws) if physical else dealer
        self._state: State = self.beginning()
        self._log: list[Entry] = []
        self._undone: list[Entry] = []
        self._snapshots: list[tuple[int, Any]] = [(0, self._state.clone())]

    def _may_deal_for(self, seats: Collection[int]) -> bool:
        inside = all(seat in range(self.players) for seat in seats)
        return inside and self.game.deals_for(self.players, self.options, seats)

    # -- reading --------------------------------------------------------------------------

    def beginning(self) -> Any:
        """The position before the first move; the caller's own."""
        state = self.game.setup(self.players, self.options, self.physical)
        if self.dealt:
            state.deal_for(self.dealt)
        return state

    def as_told(self) -> Any:
        """The position as a referee has it who was told what everybody may know, and no more; not
        to be changed. Whatever follows from it tells nobody anything."""
        if self.physical and not self.dealt:
            return self._state
        told = self.game.setup(self.players, self.options, physical=True)
        state = self.beginning()
        for entry in self._log:
            for move in state.shown(entry.move):
                told.apply(move)
            state.apply(entry.move)
        return told

    def begun(self) -> Match:
        """The same match before its first move."""
        return Match(
            self.game, self.players, self.options,
            physical=self.physical, seed=self.seed, dealt=self.dealt,
        )  # fmt: skip

    @property
    def state(self) -> Any:
        """The position. Look, do not touch: only ``push`` and ``pop`` may change it."""
        return self._state

    @property
    def log(self) -> tuple[Entry, ...]:
        """All entries so far."""
        return tuple(self._log)

    @property
    def ply(self) -> int:
        """Number of moves played."""
        return len(self._log)

    @property
    def colours(self) -> tuple[str, ...]:
        """Colour of each seat."""
        return self.game.colours(self.players, self.options)

    @property
    def prompt(self) -> Prompt | None:
        """The decision that is asked now, and of whom; None when the match is over."""
        return self._state.prompt()

    @property
    def outcome(self) -> Outcome | None:
        """The end of the match, None while it goes on."""
        return self._state.outcome()

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat."""
        return self._state.scores()

    @property
    def layout(self) -> Layout:
        """The pieces that must lie at each site."""
        return self._state.layout()

    def legal_moves(self) -> list[Move]:
        """Every legal move, sorted by text."""
        return sorted(self._state.legal_moves(), key=lambda move: move.text)

    def why_not(self, move: Move | str) -> list[Objection]:
        """The reasons why ``move`` is not allowed now; empty if it is. Raises MoveSyntaxError."""
        return self._state.violations(self._move(move))

    def view(self, seat: int | None) -> Json:
        """State and log as ``seat`` may see them (None: as everybody may)."""
        public: list[Move] = []
        state = self.beginning()
        for entry in self._log:
            public.append(state.public(entry.move, seat))
            state.apply(entry.move)
        told = [move.text for move in self._state.remembered(public)]
        return {"state": self._state.view(seat), "moves": told}

    def after(self, ply: int) -> Match:
        """The same match after its first ``ply`` moves, which it has; an independent copy."""
        then = self.clone()
        del then._log[ply:]
        then._undone.clear()
        then._catch_up()
        return then

    # -- playing --------------------------------------------------------------------------

    def push(self, move: Move | str) -> None:
        """Play ``move``; otherwise raises IllegalMove with the objections and changes nothing."""
        move = self._move(move)
        if objections := self._state.violations(move):
            raise IllegalMove(move, objections)
        self.play(Entry(move))

    def force(self, move: Move | str) -> list[Objection]:
        """Play ``move`` although the rules may object; returns the objections.

        Raises IllegalMove if hands could not make the move here.
        """
        move = self._move(move)
        objections = self._state.violations(move)
        if objections and move not in set(self._state.pseudo_moves()):
            raise IllegalMove(move, objections)
        self.play(Entry(move, forced=bool(objections)))
        return objections

    def play(self, entry: Entry) -> None:
        """Play a move whose caller has just asked ``why_not``; nothing is checked here."""
        self._append(entry)
        self._undone.clear()

    def pop(self) -> Move:
        """Take the last move back; raises GameError at the start."""
        if not self._log:
            raise GameError("nothing_to_take_back")
        entry = self._log.pop()
        self._undone.append(entry)
        self._catch_up()
        return entry.move

    def redo(self) -> Move:
        """Play the move taken back last again; raises GameError if there is none."""
        if not self._undone:
            raise GameError("nothing_taken_back")
        entry = self._undone.pop()
        self._append(entry)
        return entry.move

    @property
    def undone(self) -> tuple[Entry, ...]:
        """Moves that ``redo`` would play again, the next one last."""
        return tuple(self._undone)

    def deal(self) -> list[Move]:
        """Answer every decision of the dealer that can be answered without people."""
        dealt: list[Move] = []
        while (move := self.chance.answer(self._state, len(self._log))) is not None:
            self._append(Entry(move))
            dealt.append(move)
        return dealt

    def next_chance(self) -> Move | None:
        """The dealer's next move, not yet played; None if it is not the dealer's decision."""
        return self.chance.answer(self._state, len(self._log))

    def by_itself(self, *, ends_turns: bool = False) -> Move | None:
        """The move that follows without a decision, not yet played: the dealer's next move, or the
        ``only_answer``. ``ends_turns``: even if that ends the turn."""
        move = self.next_chance()
        if move is None:
            move = only_answer(self.game, self._state, physical=self.physical)
            if move is not None and move.verb == "done" and not ends_turns:
                return None
        return move

    def follow(self) -> list[Move]:
        """Play everything that follows by itself within the turn."""
        followed: list[Move] = []
        while (move := self.by_itself()) is not None:
            self._append(Entry(move))
            followed.append(move)
        return followed

    def replay(self, entries: Iterable[Entry]) -> None:
        """Play logged entries; raises IllegalMove at the first that does not fit."""
        for entry in entries:
            if entry.forced:
                self.force(entry.move)
            else:
                self.push(entry.move)

    def clone(self) -> Match:
        """An independent copy with the same log."""
        other = Match.__new__(Match)
        other.game, other.players, other.options = self.game, self.players, dict(self.options)
        other.physical, other.seed, other.chance = self.physical, self.seed, self.chance
        other.dealt = self.dealt
        other._state = self._state.clone()
        other._log, other._undone = list(self._log), list(self._undone)
        # Snapshots are never written to, only cloned from, so both may share them.
        other._snapshots = list(self._snapshots)
        return other

    # -- storing --------------------------------------------------------------------------

    def dump(self) -> Json:
        """The match as plain JSON data; ``load`` reads it back."""
        return {
            "game": self.game.id,
            "players": self.players,
            "options": dict(self.options),
            "physical": self.physical,
            "seed": self.seed,
            **({"dealt": list(self.dealt)} if self.dealt else {}),
            "moves": [entry.move.text for entry in self._log],
            "forced": [ply for ply, entry in enumerate(self._log) if entry.forced],
        }

    @classmethod
    def load(cls, data: Json) -> Self:
        """Read ``dump()`` back by replaying it; raises StateError, OptionError or IllegalMove."""
        try:
            match = cls(
                str(data["game"]),
                int(data["players"]),
                {str(k): str(v) for k, v in data["options"].items()},
                physical=bool(data["physical"]),
                seed=data["seed"],
                dealt=[int(seat) for seat in data.get("dealt", ())],
            )
            forced = set(data["forced"])
            entries = [
                Entry(Move.parse(text), ply in forced) for ply, text in enumerate(data["moves"])
            ]
        except (KeyError, TypeError, AttributeError) as error:
            raise StateError("no_stored_match", reason=error) from error
        match.replay(entries)
        return match

    # -- private --------------------------------------------------------------------------

    @staticmethod
    def _move(move: Move | str) -> Move:
        return Move.parse(move) if isinstance(move, str) else move

    def _catch_up(self) -> None:
        """Play again from the last snapshot before the end of a log that became shorter."""
        while self._snapshots[-1][0] > len(self._log):
            self._snapshots.pop()
        ply, state = self._snapshots[-1]
        self._state = state.clone()
        for again in self._log[ply:]:
            self._state.apply(again.move)

    def _append(self, entry: Entry) -> None:
        self._state.apply(entry.move)
        self._log.append(entry)
        if len(self._log) % _SNAPSHOT_EVERY == 0:
            self._snapshots.append((len(self._log), self._state.clone()))

    @property
    def throws_lie_here(self) -> bool:
        """True if people throw real dice."""
        return self.physical and self.options.get("dice") != PROGRAM

    @property
    def waits_for_table(self) -> bool:
        """True if the next decision is one the table must answer."""
        prompt = self.prompt
        return prompt is not None and prompt.actor is not Actor.PLAYER
