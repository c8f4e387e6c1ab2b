"""Habits of a game: one answer says nothing, the same answer always says much.

A hook that says yes to whatever lies there blinds the referee, but each single yes may be right. So
answers are counted over all matches, and looked at when the last one is over.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

FEW = 4
"""Moves of a kind before its habit counts."""
MANY = 8
"""Questions before always the same answer is a habit."""
OFTEN = 12
"""Moves that name a site before it is one that should change."""
SELDOM = 20
"""One board in this many may be missed by a hook, and people are asked."""
TOO_MANY = 0.5
"""Part of the game's sites: a move that names more of them in vain is no help to the eye."""


@dataclass
class Against:
    """Objections of one code that name a site."""

    moves: set[str] = field(default_factory=set)
    sites: set[str] = field(default_factory=set)
    positions: set[str] = field(default_factory=set)
    astray: str = ""
    """A move, and the site named by what is said against it, that no move names."""
    owners: dict[str, Counter[bool]] = field(default_factory=dict)
    """By the name of a player who is not to move: True if a piece of this one lies at the site that
    is named too, False if only others' do."""
    answers: Counter[bool] = field(default_factory=Counter)
    """Objections to whoever is to move that name a site which the move does not; True: a legal move
    does, or something lies there."""


@dataclass
class Habits:
    """Answers counted over all matches of a check."""

    idle: dict[str, list[int]] = field(default_factory=dict)
    """By verb: how many sites each move named without changing them."""
    asked: Counter[str] = field(default_factory=Counter)
    """Number of times each hook was asked what it should mostly deny."""
    agreed: Counter[str] = field(default_factory=Counter)
    """Number of times it said yes."""
    legal: Counter[str] = field(default_factory=Counter)
    """Legal moves by verb."""
    shown: Counter[str] = field(default_factory=Counter)
    """The same, if they changed the layout."""
    refused: Counter[str] = field(default_factory=Counter)
    """Pseudo-moves by verb that were not allowed, and were carried out nevertheless."""
    refused_shown: Counter[str] = field(default_factory=Counter)
    """The same, if they changed the layout."""
    borrowed: Counter[str] = field(default_factory=Counter)
    """Moves out of turn, by verb, that put down only pieces of other players."""
    out_of_turn: Counter[str] = field(default_factory=Counter)
    """Moves out of turn, by verb, that put down a piece of a player."""
    lent: set[str] = field(default_factory=set)
    """Verbs by which players put down pieces that are not theirs, when it is their turn."""
    pseudo_refused: int = 0
    """Pseudo-moves that violations objected to."""
    others_there: int = 0
    """Positions looked at closely at a watched table in which a player is asked, of several …"""
    others_tried: int = 0
    """… and those of them in which others could move too early."""
    closely: int = 0
    """Positions that were looked at closely."""
    untouched: Counter[str] = field(default_factory=Counter)
    """Moves out of turn, by verb, that were carried out and changed nothing on the table."""
    early_shown: Counter[str] = field(default_factory=Counter)
    """The same, if they changed something."""
    led_by: Counter[str] = field(default_factory=Counter)
    """Number of times each hook named moves for a board that a move had led to."""
    astray: dict[str, list[str]] = field(default_factory=dict)
    """Reports by hook where none of them led there."""
    vain: dict[str, int] = field(default_factory=dict)
    """By site: moves that named it without changing it; -1 once one changed it."""
    unmoved: dict[str, list[str]] = field(default_factory=dict)
    """By verb: for each move a site that it names and where something stays as it lies; empty: it
    names none."""
    pointing: Counter[bool] = field(default_factory=Counter)
    """Pieces laid by touching their place and the one they point to; True: so they lie."""
    counted: dict[tuple[str, str], Counter[int]] = field(default_factory=dict)
    """By question and figure: how much less it is when the same seat is asked again."""
    counted_to: dict[tuple[str, str], Counter[int]] = field(default_factory=dict)
    """By question and figure: what it was before it rose again."""
    with_cards: Counter[bool] = field(default_factory=Counter)
    """Questions to players at tables with real pieces; True: another than in a dealt match."""
    ties: Counter[bool] = field(default_factory=Counter)
    """Pairs of seats with equal points in different groups of a ranking; True: the lower seat is
    ahead."""
    hoped: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    """By seat: wins in matches that somebody won, if all were equally strong."""
    won: Counter[int] = field(default_factory=Counter)
    """By seat: the wins."""
    scored: Counter[int] = field(default_factory=Counter)
    """By seat: matches in which somebody had points."""
    nought: Counter[int] = field(default_factory=Counter)
    """By seat: the same, if it had none."""
    openly: dict[str, dict[int, Counter[bool]]] = field(default_factory=dict)
    """By verb and seat: moves; True: everybody was told it as it is."""
    ranks: dict[str, dict[bool, list[tuple[int, ...]]]] = field(default_factory=dict)
    """By best list: ranks of matches; True: all lost."""
    against: dict[str, Against] = field(default_factory=dict)
    """By code of objections."""
    lost: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)
    """Fields that are not what they were after JSON: what they were, and what they are."""
    ranked: int = 0
    """Matches whose first and last had different points."""
    ranked_up: int = 0
    """The same, if the first had more."""
    series: int = 0
    """Matches whose first and last get different points in a series."""
    series_right: int = 0
    """The same, if the first gets the better ones."""
    names_player: dict[str, Counter[bool]] = field(default_factory=dict)
    """By code of objections to whoever is asked that name a player; True: it is the one."""
    answers: dict[str, set[str]] = field(default_factory=dict)
    """By code of questions: verbs of legal answers."""
    gains: Counter[bool] = field(default_factory=Counter)
    """Moves by which a seat got points; True: by its own."""
    throws: Counter[bool] = field(default_factory=Counter)
    """Throws that a decision followed; True: of the player who was to throw."""
    dice: set[str] = field(default_factory=set)
    """Kinds that are thrown."""
    left_lying: Counter[bool] = field(default_factory=Counter)
    """Throws; True: dice lay in the tray before it, as the layout has it."""
    turns_asked: int = 0
    """Questions to players."""
    turns_theirs: int = 0
    """Questions to the player that ``turn_of`` names."""

    def answered(self, hook: str, yes: object) -> None:
        """A hook was asked what it should mostly deny."""
        self.asked[hook] += 1
        self.agreed[hook] += bool(yes)

    def touched(self, named: Iterable[str], changed: Collection[str]) -> None:
        """A move named sites, and changed some."""
        for site in named:
            if site in changed:
                self.vain[site] = -1
            elif (before := self.vain.get(site, 0)) >= 0:
                self.vain[site] = before + 1

    def stayed(self, verb: str, unmoved: Collection[str]) -> None:
        """A move named sites where something lies, and all of it stays."""
        self.unmoved.setdefault(verb, []).append(min(unmoved, default=""))

    def leaves_out(self, hook: str, missing: object) -> None:
        """A hook was shown the board after a move, and perhaps left that move out."""
        self.answered(f"{hook} leaves out", missing)

    def led(self, hook: str, astray: str) -> None:
        """A hook named moves that may have led to a board; ``astray``: where none of them did."""
        self.led_by[hook] += 1
        if astray:
            self.astray.setdefault(hook, []).append(astray)

    def found(self, sites: int) -> list[tuple[str, str]]:
        """The faults among them, and what to do; ``sites``: how many the game has."""
        return [
            *self._touching(sites),
            *self._trying(),
            *self._agreeing(),
            *self._asking(),
            *self._naming(),
            *self._leading(),
            *self._storing(),
            *self._ranking(),
            *self._shared(),
            *self._counting(),
        ]

    @property
    def by_seat(self) -> int:
        """Number of ties that the lower seat won, if it won all."""
        return 0 if self.ties[False] or self.ties[True] < FEW else self.ties[True]

    def odd_ends(self) -> list[tuple[str, str]]:
        """Seats that never win or have points, best lists that prefer what is lost; and what to
        do."""
        remedy = "If the seats are alike, look for one that stands in the place of another"
        never = [
            f"seat {seat} never wins, and chance would give it {hoped:.0f} wins"
            for seat, hoped in self.hoped.items()
            if hoped >= OFTEN and not self.won[seat]
        ] + [
            f"seat {seat} had no points in any of {matches} matches"
            for seat, matches in self.scored.items()
            if matches >= OFTEN and self.nought[seat] == matches
        ]
        above = [
            f"a match that all lost stands above one that they won in the best list '{name}'"
            for name, ranks in self.ranks.items()
            if ranks.keys() == {True, False} and min(ranks[True]) < max(ranks[False])
        ]
        mend = "Mend lost_together, or the rank of achievement, which is the smaller the better"
        return [*((told, remedy) for told in never), *((told, mend) for told in above[:1])]

    def odd_names(self) -> list[tuple[str, str]]:
        """Players, questions and points that seem to stand for others."""
        found = [
            (
                f"objection '{code}' never names whoever moves as 'player'",
                "Let 'player' be who moves, and 'other' the other player",
            )
            for code, whose in self.names_player.items()
            if whose[False] >= OFTEN and not whose[True]
        ]
        found += [
            (
                f"objection '{code}' never names as '{name}' whose piece lies at the site that it "
                "names",
                "Name the player whose piece lies there",
            )
            for code, against in self.against.items()
            for name, whose in against.owners.items() if whose[False] >= OFTEN and not whose[True]
        ]  # fmt: skip
        lying, thrown = self.left_lying[True], self.left_lying.total()
        if thrown >= FEW and lying > TOO_MANY * thrown:
            told = f"before {lying} of {thrown} throws dice still lie in the tray"
            remedy = "Let layout name them until the last move that they allow, or in another tray"
            found.append((told, remedy))
        verbs = set[str]().union(*self.answers.values())
        found += [
            (f"question '{code}' is never answered by '{code}'", "Ask what may be done now")
            for code, answers in self.answers.items()
            if code in verbs and code not in answers
        ]
        if self.gains[False] >= OFTEN and not self.gains[True]:
            told = "moves bring points to other players only, never to whoever moves"
            found.append((told, "See that scores counts for the right seat"))
        return found

    def _touching(self, sites: int) -> list[tuple[str, str]]:
        never = [site for site, moves in self.vain.items() if moves >= OFTEN]
        found = [
            (
                f"{len(never)} sites such as {never[0]} are named by touches, and never change",
                "Name them in touches only if they do, and show in layout what comes to lie there",
            )
        ] if never else []  # fmt: skip
        return found + [
            (
                f"'{verb}' names {sum(idle) / len(idle):.0f} of {sites} sites that it does not "
                "change",
                "Let touches name those sites that a move changes, and few others",
            )
            for verb, idle in self.idle.items()
            if len(idle) >= FEW and sum(idle) > TOO_MANY * sites * len(idle)
        ]

    def _leading(self) -> list[tuple[str, str]]:
        return [
            (
                f"{where[0]}, and names none that leads to the same table",
                f"Let {hook} leave out only what cannot have led to the board",
            )
            for hook, where in self.astray.items()
            if len(where) * SELDOM > max(self.led_by[hook], SELDOM)
        ]

    def _trying(self) -> list[tuple[str, str]]:
        """Forbidden moves must be recognised when hands do them, and that works by trying."""
        found = []
        for verb, tried in self.refused.items():
            always = self.legal[verb] >= FEW and self.shown[verb] == self.legal[verb]
            if always and tried >= MANY and not self.refused_shown[verb]:
                told = f"'{verb}' changes nothing on the table where it is not allowed"
                remedy = "Let apply carry out forbidden moves too, so that they are recognised"
                found.append((told, remedy))
        for verb, tried in self.untouched.items():
            always = self.legal[verb] >= FEW and self.shown[verb] == self.legal[verb]
            if always and tried >= MANY and not self.early_shown[verb]:
                told = f"'{verb}' out of turn changes nothing on the table"
                remedy = "Let apply carry out moves of the wrong player too, to recognise them"
                found.append((told, remedy))
        for verb, tried in self.out_of_turn.items():
            if tried >= FEW and self.borrowed[verb] == tried and verb not in self.lent:
                told = f"'{verb}' out of turn puts down a piece of somebody else"
                remedy = "Let apply play for the player of the move, not for whoever is to move"
                found.append((told, remedy))
        if self.closely >= MANY and not self.pseudo_refused:
            remedy = "Let pseudo_moves yield what hands could try, or no mistake is recognised"
            found.append(("every pseudo-move is allowed", remedy))
        if self.others_there >= MANY and 2 * self.others_tried < self.others_there:
            remedy = "Let pseudo_moves yield them, or whoever moves too early is not recognised"
            found.append(
                ("pseudo_moves hardly ever yields one of a player who is not asked", remedy)
            )
        return found

    def _agreeing(self) -> list[tuple[str, str]]:
        found = []
        for hook, asked in self.asked.items():
            if asked <= FEW or self.agreed[hook] < asked:
                continue
            name, _, leaves_out = hook.partition(" ")
            if name == "problems":
                if asked < OFTEN:
                    continue
                told = "a position is read whatever is left out of it"
                remedy = "Let problems count what there must be, and read miss what is gone"
            elif leaves_out:
                told = f"{name} never names the move after which the board lies as it does"
                remedy = f"Let {name} leave out only what cannot have led to the board"
            else:
                told = f"{name} says yes to whatever lies there"
                remedy = f"Let {name} be true of what may happen now, or nobody hears of a mistake"
            found.append((told, remedy))
        return found

    def _naming(self) -> list[tuple[str, str]]:
        """An objection is about the place where something is wrong."""
        found = []
        for code, against in self.against.items():
            if against.answers[False] >= FEW and not against.answers[True]:
                told = (
                    f"objection '{code}' names empty places where neither this move goes nor a "
                    f"legal one, such as {against.astray}"
                )
                found.append(
                    (told, "Let site be the place where something is wrong, or to be done")
                )
            (site, *others) = against.sites
            own = sum(site in move.split() for move in against.moves)
            enough = min(len(against.moves), len(against.positions)) >= MANY
            if enough and not others and 0 < own < len(against.moves) / 2:
                told = f"objection '{code}' names {site}, whatever the move is"
                found.append((told, "Let site be the place where something is wrong"))
        return found

    def _storing(self) -> list[tuple[str, str]]:
        """Fields that JSON loses: always the same after reading, whatever they were before."""
        return [
            (
                f"'{name}' of the state is {next(iter(after))[:30]} whenever a position was read",
                "Let to_json write it and read take it over, or name it in 'unwritten' of the "
                "class if no rule depends on it",
            )
            for name, (before, after) in self.lost.items()
            if len(after) == 1 and len(before) >= FEW
        ]

    def _ranking(self) -> list[tuple[str, str]]:
        found = []
        if self.ranked >= FEW and not self.ranked_up:
            remedy = "Put the best group first in the ranking, or set counts_points = False"
            found.append(("whoever wins never has the most points", remedy))
        if self.series >= FEW and not self.series_right:
            remedy = "Mend lower_wins or points of the series"
            found.append(("whoever wins a match never gets the better points of a series", remedy))
        return found

    def _shared(self) -> list[tuple[str, str]]:
        """With real pieces and dealt ones it is the same game; what a move names, it changes."""
        other, asked = self.with_cards[True], self.with_cards.total()
        found = [
            (f"everybody is told '{verb}' of one seat as it is, and of another what hides it",
             "Let public hide the moves of each seat from all others, or of none")
            for verb, told in self.openly.items()
            if {(True,), (False,)}
            == {(*times,) for times in told.values() if times.total() >= FEW}
        ]  # fmt: skip
        found += [
            (f"'{verb}' always names a site such as {max(sites)}, where all stays as it lies",
             "Show in layout what the move does there, its pose too, or do not name it in touches")
            for verb, sites in self.unmoved.items()
            if len(sites) >= OFTEN and sites.count("") * SELDOM < len(sites)
        ]  # fmt: skip
        if other > MANY and other > TOO_MANY * asked:
            told = f"{other} of {asked} questions are others with real pieces than dealt"
            remedy = "Let prompt not look into hands, which nobody can with real cards"
            found.append((told, remedy))
        return found

    def _counting(self) -> list[tuple[str, str]]:
        found = []
        for (code, name), steps in self.counted.items():
            # What stays the same now and then is the number of something else.
            on = sum(number for step, number in steps.items() if step >= 0)
            ends = self.counted_to.get((code, name), Counter())
            downwards = on >= OFTEN and steps[1] * SELDOM > on * (SELDOM - 1)
            low, high = min(ends, default=1), max(ends, default=1)
            if downwards and ends.total() >= FEW and (low < 1 or low == high != 1):
                told = f"question '{code}' counts its '{name}' down to {low}"
                found.append((told, "Let the last of these questions say 1"))
        if self.pointing[False] >= OFTEN and not self.pointing[True]:
            told = "pieces never point to the place that is touched after their own"
            found.append((told, "Let places and the pose in layout say the same"))
        return found

    def _asking(self) -> list[tuple[str, str]]:
        if self.turns_asked < MANY or self.turns_theirs:
            return []
        remedy = "Let turn_of name the player whose turn it is, mostly the one who is asked"
        return [("turn_of never names the player who is asked", remedy)]
