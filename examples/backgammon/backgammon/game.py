"""Backgammon: the position with its rules, and the game as Heelstone's are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import ClassVar

from backgammon.play import (
    BAR,
    CHECKERS,
    HOME,
    Step,
    all_home,
    allowed,
    die_of,
    is_blocked,
    set_up,
)
from rules.core import (
    DICE,
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
    State,
    Throw,
    ranked,
)

COLOURS = ("white", "black")
# 1.1 The board: sites by pips, as each seat counts them.
SITES = tuple(
    (f"off-{colour}", *(str(BAR - pip if seat else pip) for pip in range(1, BAR)), f"bar-{colour}")
    for seat, colour in enumerate(COLOURS)
)
MOST = 64
"""BG3: the highest number on the cube, uppermost while nobody has doubled too."""
CENTRE = 2
"""The holder of the cube while nobody has it."""
CUBES = ("cube-white", "cube-black", "cube")
WINS = {"single": 1, "gammon": 2, "backgammon": 3, "dropped": 1}
"""1.9: how a game is won, and how often that counts the cube."""
PHASES = ("first", "throw", "double", "answer", "move", "pass", "over")

TRAYS = ("dice-white", "dice-black")

_FIRST = tuple(Throw("die", site=tray) for tray in TRAYS)
_BOTH = tuple(Throw("die", "die", site=tray) for tray in TRAYS)
_STEPS = [(start, to) for start in range(1, BAR + 1) for to in range(BAR) if to != start]
_MOVE = tuple(
    {(start, to): Move.of(seat, "move", sites[start], sites[to]) for start, to in _STEPS}
    for seat, sites in enumerate(SITES)
)
_STEP = {move: step for moves in _MOVE for step, move in moves.items()}
_WORD = {(s, v): Move.of(s, v) for s in (0, 1) for v in ("double", "done", "take", "drop", "pass")}
_WORDS = frozenset(_WORD.values())
_MEN = tuple(
    tuple(Item(site, f"checker {COLOURS[seat]}", seat) for site in sites)
    for seat, sites in enumerate(SITES)
)


class BackgammonState(State):
    """Position of one match. Pips are counted from the end of whose checkers they are."""

    __slots__ = (
        "crawford", "cube", "dice", "first", "holder", "lying", "men", "options", "phase", "points",
        "turn", "won",
    )  # fmt: skip

    def __init__(self, options: Options) -> None:
        self.options = dict(options)
        self.points = 0 if options["points"] == "money" else int(options["points"])
        """Points that win the match; 0: one game is played, whatever it counts."""
        self.won = [dict.fromkeys(WINS, 0), dict.fromkeys(WINS, 0)]
        """Points by seat, and how they were won."""
        self.crawford = "ahead" if options["crawford"] == "on" and self.points > 1 else "past"
        """1.10: whether the game without doubling is ``ahead``, ``now`` or ``past``."""
        self.lying: tuple[list[int], list[int]] = ([], [])
        """The throw that lies in the tray of each seat, until one of them throws again."""
        self._begin_game()

    def _begin_game(self) -> None:
        # 1.2, and 1.3: the higher of two first throws begins.
        self.men = (set_up(), set_up())
        self.phase, self.turn = "first", 0
        self.first: list[int] = []
        """One die each, for the first turn."""
        self.dice: list[int] = []
        """Dice that are still to be used."""
        self.cube, self.holder = 1, CENTRE

    def clone(self) -> BackgammonState:
        other = BackgammonState.__new__(BackgammonState)
        other.options, other.points, other.crawford = self.options, self.points, self.crawford
        other.won = [won.copy() for won in self.won]
        other.men = (self.men[0][:], self.men[1][:])
        other.phase, other.turn = self.phase, self.turn
        other.first, other.dice, other.lying = self.first[:], self.dice[:], self.lying
        other.cube, other.holder = self.cube, self.holder
        return other

    def to_json(self) -> Json:
        """The whole position; checkers are by pips, from those that are home to the bar."""
        return {
            "options": dict(self.options),
            "won": [dict(won) for won in self.won],
            "crawford": self.crawford,
            "men": [men[:] for men in self.men],
            "phase": self.phase,
            "turn": self.turn,
            "first": self.first[:],
            "dice": self.dice[:],
            "lying": [dice[:] for dice in self.lying],
            "cube": self.cube,
            "holder": self.holder,
        }

    def read(self, data: Json) -> None:
        self.won = [{how: int(won[how]) for how in WINS} for won in data["won"]]
        white, black = ([int(number) for number in men] for men in data["men"])
        self.men, self.crawford = (white, black), str(data["crawford"])
        self.phase, self.turn = str(data["phase"]), int(data["turn"])
        self.first = [int(face) for face in data["first"]]
        self.dice = [int(face) for face in data["dice"]]
        white, black = ([int(face) for face in dice] for dice in data["lying"])
        self.lying = (white, black)
        self.cube, self.holder = int(data["cube"]), int(data["holder"])

    def problems(self) -> list[str]:
        found = []
        for seat, men in enumerate(self.men):
            if len(men) != BAR + 1 or min(men) < 0 or sum(men) != CHECKERS:
                found.append(f"p{seat} has the checkers {men}")
        if self.turn not in (0, 1) or self.holder not in (0, 1, CENTRE):
            found.append(f"it is the turn of {self.turn}, and {self.holder} has the cube")
        if self.phase not in PHASES or self.crawford not in ("ahead", "now", "past"):
            found.append(f"the phase is {self.phase}, Crawford's game {self.crawford}")
        if self.cube not in [2**n for n in range(7)]:
            found.append(f"the cube shows {self.cube}")
        faces = {*self.dice, *self.first, *self.lying[0], *self.lying[1]}
        if len(self.dice) > 4 or len(self.first) > 1 or faces - {*range(1, 7)}:
            found.append(
                f"the dice are {self.dice}, after {self.first}, and {self.lying} lie there"
            )
        return found

    # -- 1.3 Throwing ----------------------------------------------------------------------

    def asked(self) -> int:
        """The seat that throws, moves or answers."""
        if self.phase == "first":
            return len(self.first)
        return 1 - self.turn if self.phase == "answer" else self.turn

    def turn_of(self) -> int | None:
        return None if self.phase in ("first", "throw", "over") else self.turn

    def prompt(self) -> Prompt | None:
        if self.phase == "over":
            return None
        asked = self.asked()
        if (throw := self.throw()) is not None:
            return Prompt(Actor.DEALER, asked, self.phase, "1.3")
        if self.phase in ("double", "answer"):
            params = (("other", 1 - asked), ("cube", 2 * self.cube))
            return Prompt(Actor.PLAYER, asked, self.phase, "1.8", params)
        dice = (("dice", ", ".join(map(str, self.dice))),)
        return Prompt(Actor.PLAYER, asked, self.phase, "1.6" if throw else "1.4", dice)

    def throw(self) -> Throw | None:
        if self.phase == "first":
            return _FIRST[len(self.first)]
        return _BOTH[self.turn] if self.phase == "throw" else None

    def _thrown(self, faces: list[int]) -> None:
        if self.phase == "first":
            self.lying = (self.first, faces) if self.first else (faces, [])
            self.first = self.first + faces
            if len(self.first) < 2:
                return
            faces, self.first = self.first, []
            if faces[0] == faces[1]:
                return  # BG1
            self.turn = int(faces[1] > faces[0])
        else:
            self.lying = ([], faces) if self.turn else (faces, [])
        self.dice = sorted(faces) * (2 if faces[0] == faces[1] else 1)
        self.phase = "move" if self._steps() else "pass"

    def _steps(self) -> list[Step]:
        return allowed(self.men[self.turn], self.men[1 - self.turn], self.dice)

    # -- what is allowed -------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        if (throw := self.throw()) is not None:
            return [*throw.moves]
        if self.phase == "move":
            return [_MOVE[self.turn][step] for step in self._steps()]
        verbs = {"double": ("done", "double"), "answer": ("take", "drop"), "pass": ("pass",)}
        return [_WORD[self.asked(), verb] for verb in verbs.get(self.phase, ())]

    def obliged(self) -> Move | None:
        return _WORD[self.turn, "pass"] if self.phase == "pass" else None

    def pseudo_moves(self) -> Iterable[Move]:
        """Hands can put any checker on any point, and turn the cube whenever they reach it."""
        if self.phase == "over":
            return
        if self.phase != "move":
            yield from self.legal_moves()
        for seat, men in enumerate(self.men):
            moves = _MOVE[seat]
            for start in range(1, BAR + 1):
                if men[start]:
                    yield from (moves[start, to] for to in range(BAR) if to != start)
            if self.cube < MOST and self.phase not in ("double", "answer"):
                yield _WORD[seat, "double"]

    def violations(self, move: Move) -> list[Objection]:
        seat, verb = move.player, move.verb
        if self.phase == "over":
            return [Objection.of("1.10", "match_over")]
        if seat is None and (move in _BOTH[0] or move in _FIRST[0]):
            throw = self.throw()
            return [] if throw and move in throw else [Objection.of("1.3", "not_to_throw")]
        if seat is None or (move not in _WORDS and move not in _STEP):
            return [Objection.of("1.4", "unknown_move", move=move.text)]
        asked = self.asked()
        if seat != asked:
            return [Objection.of("1.3", "wrong_player", player=asked, other=seat)]
        if verb in ("take", "drop"):
            return [] if self.phase == "answer" else [Objection.of("1.8", "no_offer")]
        if self.phase == "answer":
            return [Objection.of("1.8", "answer_first", player=seat, other=1 - seat)]
        if verb == "double":
            return [] if self.phase == "double" else [Objection.of("1.8", "no_double", player=seat)]
        if verb == "done":
            return [] if self.phase == "double" else [Objection.of("1.3", "not_to_throw")]
        if self.phase not in ("move", "pass"):
            return [Objection.of("1.3", "throw_first", player=asked)]
        if verb == "pass":
            return [] if self.phase == "pass" else [Objection.of("1.6", "can_move", player=seat)]
        return self._check_step(*_STEP[move])

    def _check_step(self, start: int, to: int) -> list[Objection]:
        men, other, sites = self.men[self.turn], self.men[1 - self.turn], SITES[self.turn]
        if not men[start]:
            return [Objection.of("1.4", "none_there", player=self.turn, site=sites[start])]
        if to > start:
            return [Objection.of("1.4", "backwards", player=self.turn, site=sites[to])]
        if men[BAR] and start != BAR:
            return [Objection.of("1.5", "bar_first", player=self.turn)]
        if to == HOME and not all_home(men):
            return [Objection.of("1.7", "not_home", player=self.turn)]
        if is_blocked(other, to):
            return [Objection.of("1.4", "blocked", other=1 - self.turn, site=sites[to])]
        die = die_of(self.dice, (start, to))
        if not die:
            return [Objection.of("1.4", "not_thrown", number=start - to)]
        if die > start and any(men[start + 1 :]):
            return [Objection.of("1.7", "farther_first", player=self.turn, number=die)]
        if (start, to) not in self._steps():
            return [Objection.of("1.6", "use_both", player=self.turn)]
        return []

    # -- what comes of it ------------------------------------------------------------------

    def apply(self, move: Move) -> None:
        seat, verb = move.player, move.verb
        if seat is None:
            self._thrown([int(face) for face in move.args])
        elif verb == "move":
            self._step(seat, *_STEP[move])
        elif verb == "double":
            self.turn, self.phase = seat, "answer"
        elif verb == "take":
            # 1.8: whoever takes has the cube.
            self.cube, self.holder, self.phase = 2 * self.cube, seat, "throw"
        elif verb == "drop":
            self._win(1 - seat, "dropped")
        elif verb == "done":
            self.phase = "throw"
        else:
            self._end_turn()

    def _step(self, seat: int, start: int, to: int) -> None:
        men, other = self.men[seat], self.men[1 - seat]
        men[start] -= 1
        men[to] += 1
        if to != HOME and other[BAR - to] == 1:
            other[BAR - to] = 0  # 1.5
            other[BAR] += 1
        if men[HOME] == CHECKERS:
            self._win(seat, self._how(other))
        elif seat == self.turn and self.phase in ("move", "pass"):
            # What hands did against the rules uses up a die too.
            self.dice.remove(die_of(self.dice, (start, to)) or self.dice[-1])
            if not self.dice:
                self._end_turn()
            elif not self._steps():
                self.phase = "pass"

    def _end_turn(self) -> None:
        self.turn, self.dice = 1 - self.turn, []
        self.phase = "double" if self._may_double() else "throw"

    # -- 1.8 The cube ----------------------------------------------------------------------

    def _may_double(self) -> bool:
        seat, cube = self.turn, self.cube
        if self.options["cube"] == "off" or self.crawford == "now" or cube == MOST:
            return False
        # BG2: whoever wins the match with the cube as it is has no use for more.
        enough = self.points and self.scores()[seat] + cube >= self.points
        return self.holder in (seat, CENTRE) and not enough

    # -- 1.9 Points, 1.10 the match --------------------------------------------------------

    def _how(self, loser: list[int]) -> str:
        """The kind of win against these checkers."""
        jacoby = self.options["jacoby"] == "on" and not self.points
        if loser[HOME] or (jacoby and self.holder == CENTRE):
            return "single"
        return "backgammon" if any(loser[19:]) else "gammon"

    def _win(self, seat: int, how: str) -> None:
        self.won[seat][how] += self.cube * WINS[how]
        best = max(self.scores())
        if not self.points or best >= self.points:
            self.phase, self.dice = "over", []
            return
        if self.crawford == "now":
            self.crawford = "past"
        elif self.crawford == "ahead" and best == self.points - 1:
            self.crawford = "now"
        self._begin_game()

    def outcome(self) -> Outcome | None:
        if self.phase != "over":
            return None
        scores = self.scores()
        won = self.won[scores[1] > scores[0]]
        how = "points" if self.points else next(how for how in WINS if won[how])
        return Outcome(how, ranked(scores), scores)

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(won.values()) for won in self.won)

    def explain_scores(self) -> list[ScoreLine]:
        return [
            ScoreLine(s, how, n) for s, won in enumerate(self.won) for how, n in won.items() if n
        ]

    # -- the table -------------------------------------------------------------------------

    def layout(self) -> Layout:
        lying = +Counter(
            {item: n for items, men in zip(_MEN, self.men, strict=True)
             for item, n in zip(items, men, strict=True)}
        )  # fmt: skip
        for tray, dice in zip(TRAYS, self.lying, strict=True):
            lying.update(Item(tray, "die", pose=str(face)) for face in dice)
        if self.options["cube"] == "on":
            offered = self.phase == "answer"
            shows = 2 * self.cube if offered else self.cube
            site = CUBES[CENTRE if offered else self.holder]
            lying[Item(site, "cube", pose=str(MOST if shows == 1 else shows))] = 1
        return lying

    def touches(self, move: Move) -> Collection[str]:
        if move.verb in ("double", "take"):
            return CUBES
        if move.verb != "move":
            return super().touches(move)
        seat, (_, to) = move.player or 0, _STEP[move]
        if to == HOME:
            last = self.men[seat][HOME] == CHECKERS - 1
            return super().touches(move) if last else move.args
        hits = self.men[1 - seat][BAR - to] == 1
        return (*move.args, SITES[1 - seat][BAR]) if hits else move.args


class Backgammon(Game[BackgammonState]):
    """Backgammon for two. Everything about a match is in its ``BackgammonState``."""

    id = "backgammon"
    package = "backgammon"
    box = str(Path(__file__).with_name("box.toml"))
    bgg_id = 2397
    players = (2,)
    options: ClassVar = {
        **DICE,
        "points": ("3", "1", "5", "7", "money"),
        "cube": ("on", "off"),
        "crawford": ("on", "off"),
        "jacoby": ("off", "on"),
    }
    codes = (
        "match_over", "unknown_move", "wrong_player", "throw_first", "not_to_throw", "no_offer",
        "answer_first", "no_double", "can_move", "none_there", "backwards", "bar_first", "blocked",
        "not_thrown", "not_home", "farther_first", "use_both",
    )  # fmt: skip
    outcomes = ("points", *WINS)
    handling_rule = "1.4"
    craft = "backgammon.craft:BackgammonCraft"
    scoring_rule = "1.9"

    def setup(self, players: int, options: Options, physical: bool) -> BackgammonState:
        return BackgammonState(options)

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS

    def open_to_computers(self, options: Options) -> bool:
        return True


GAME = Backgammon()
