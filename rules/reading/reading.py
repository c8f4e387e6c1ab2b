"""Reading: which legal moves explain what the camera saw.

What may have happened is sought by ``explaining``, and what must not happen by ``breaches``; people
rarely break rules. The best explanation is used if it leads by a clear margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile
from math import inf
from typing import Any

from rules.box import load_box
from rules.core import Actor, Game, Lies, Move, Objection
from rules.match import Match
from rules.reading.breaches import Breach, likeliest_breach
from rules.reading.explaining import MARGIN, Explanations, Node
from rules.reading.sighting import EMPTY, Left, Look, Sighting, SiteBelief, Stray
from rules.reading.since import LONG_AGO, Since
from rules.reading.timing import TURN_S, in_time

MOST_TURNS = 4
"""Somebody is asked before more turns than these are taken into the record at once."""
MOST_ANSWERS = 4
"""Maximum number of answers to a question."""
WORTH_SHOWING = 4.0
"""How much less likely than the best an answer may be that is shown besides others."""
MOST_WAYS_OUT = 2
"""Maximum number of explanations to choose from where none is likely enough to be asked about."""
HANDS = 2
"""Number of things that somebody may hold at once."""
MOST_OWED = 6
"""Number of places among which people choose where to do the rest of a step."""
MOST_LATE = 100
"""Number of positions that are looked at with what hands may still owe."""
MISSING = "missing"
PLAIN = 3.5
"""Most that an explanation may cost which is not compared with a record that is told anew."""
UNEXPLAINED = 9.0
"""More doubt than this left over makes an explanation worthless."""


class Status(StrEnum):
    """What a sighting means for a match."""

    SETTLED = "settled"
    PENDING = "pending"
    MOVE = "move"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One explanation: take back ``takeback`` moves, then play ``moves``."""

    moves: tuple[Move, ...]
    takeback: int = 0
    score: float = 0.0
    """Log posterior, relative to the best."""


@dataclass(frozen=True, slots=True)
class Fix:
    """What hands should do at one site."""

    site: str
    seen: Look
    wanted: Look


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sighting means for a match."""

    status: Status
    moves: tuple[Move, ...] = ()
    """MOVE: the moves to commit …"""
    takeback: int = 0
    """… after so many of the record are taken back, because the camera concluded them wrongly."""
    candidates: tuple[Candidate, ...] = ()
    """Explanations in order of likelihood; for AMBIGUOUS those to ask about, for PENDING those of
    which what follows will tell one."""
    objections: tuple[Objection, ...] = ()
    """ILLEGAL: why; UNCLEAR because something differs: what does."""
    refused: Move | None = None
    """ILLEGAL: the pseudo-move that explains the sighting, if one does."""
    anyway: tuple[Move, ...] = ()
    """ILLEGAL: moves that lead to what was seen, if it is played against the rules."""
    owed: bool = False
    """ILLEGAL: it is legal if something that hands still owe comes late."""
    fixes: tuple[Fix, ...] = ()
    """PENDING, ILLEGAL, UNCLEAR: the way to what the record says."""
    left: Left = field(default_factory=dict)
    """SETTLED: what lies otherwise than the record has it, and stays there."""
    against: float = 0.0
    """MOVE, AMBIGUOUS: what speaks against the best explanation (natural-log odds)."""
    doubt: str = ""
    """PENDING: ``missing`` if hands did something that the record lacks. UNCLEAR: ``hand``,
    ``board_lost``, ``stray``, ``match_over``, ``differs`` (something was moved that no move moves)
    or ``unexplained``."""


def read(
    match: Match,
    sighting: Sighting,
    awaiting: Collection[str] = (),
    left: Left | None = None,
    since: Since = LONG_AGO,
) -> Reading:
    """Explain a sighting of the table.

    ``awaiting``: sites where the record is ahead of the hands (moves entered by touch); they may
    still look as before. ``left``: what the last settled reading left as it lay; while it lies
    there it says nothing new. ``since``: how the look came about. The match is not changed.
    """
    if sighting.hand:
        return Reading(Status.UNCLEAR, doubt="hand")
    if not sighting.sites:
        return Reading(Status.UNCLEAR, doubt="board_lost")
    return _Reader(Explanations(match, sighting, left or {}, since), awaiting).reading()


@dataclass(frozen=True, slots=True)
class _Late:
    """A sighting in which some sites count as hidden, since hands have yet to come there."""

    sites: Mapping[str, SiteBelief]
    strays: Sequence[Stray]
    hand: bool = False


class _Reader:
    """One reading in the making."""

    def __init__(self, known: Explanations, awaiting: Collection[str]) -> None:
        self.known, self.match, self.since = known, known.match, known.since
        self.sighting, self.awaiting = known.sighting, {*awaiting}
        self.late = [site for site in self.known.start.changed if site in awaiting]
        if self.late:
            self.known.ignore(self.late)
        self.start = self.known.start
        self.reached: list[Node] = []
        """The positions that legal moves from the record lead to."""
        self.cut_off = inf
        """The least that is expected to speak against what was not tried."""
        self.nodes: list[Node] = []
        """Explanations in question, the likeliest first."""

    @property
    def halfway(self) -> bool:
        """Whether hands may still have to end something legal."""
        return Lies.UNJUDGED in self.start.lies.values()

    def reading(self) -> Reading:
        known = self.known
        if not self.start.changed and not self.start.begun and not self._closed_early():
            return self._unchanged()
        takebacks = known.takebacks()
        if self.match.outcome is not None and not takebacks:
            return self._unexplained("match_over")
        self.reached = reached = known.search(self.start)
        self.cut_off = known.cut_off
        # A silent step or a detour explains nothing unless something follows it; what follows
        # may be forbidden, though.
        nodes = [n for n in reached if n.complete and in_time(known, n)] + takebacks
        best = max(nodes, key=lambda node: node.score)
        nodes += [n for n in known.retold(best, certain=_plain(best)) if in_time(known, n)]
        nodes.sort(key=lambda node: -node.score)
        if nodes[0].changed and self.since.hands_s >= TURN_S:
            nodes += [n for n in known.search_wide() if n.complete and in_time(known, n)]
            nodes.sort(key=lambda node: -node.score)
        self.nodes, best = nodes, nodes[0]
        if best is self.start and not best.changed:
            # Somebody has begun a move; hands must still finish it.
            return Reading(Status.PENDING) if self.start.begun else self._unchanged()
        if best.changed and known.doubtful:
            # Nobody is accused because of a sticker that is badly seen; a better look will come.
            return self._unexplained()
        # Nobody is accused where legal moves explain everything.
        short = [node for node in reached if node.changed and not node.unseen]
        # What was put down and is gone again speaks for itself.
        seen_undone = best.opening is not None and self._is_undone(best)
        retold = best.opening is not None and best.opening.cost > 0.0 and not seen_undone
        # What looks unfinished after a whole turn may be what is left of something else.
        left_over = bool(best.begun) and self.match.game.inference.turns(best.moves) > 1
        gone_on = bool(best.begun) and self._is_next(best)
        unsettled = bool(best.changed or left_over or gone_on or best.covered)
        open_end = unsettled or retold
        suspect = open_end or best.unseen or best.hurried
        breach = likeliest_breach(known, short) if suspect else None
        open_end = open_end or self.halfway
        # A change of mind that explains everything is asked about before anybody is suspected.
        lead = MARGIN if retold and not unsettled else 0.0
        if breach is not None and breach.score > best.score + lead and open_end:
            return self._broken(breach, best)
        if left_over:
            return self._unexplained()
        # Thirty bars of a set-up are thirty steps: that is a lot, but not doubtful.
        if known.top - best.score - best.cost > UNEXPLAINED:
            return self._unexplained()
        rivals = self._rivals(best, nodes[1:])
        if not self.start.changed and not self.start.begun:
            # That it may lie there just now explains nothing.
            rivals = [node for node in rivals if node is not self.start]
        if any(node.hidden for node in (best, *rivals)):
            return Reading(Status.PENDING, doubt=MISSING)  # It is seen when nothing hides it.
        if any(node.astray for node in rivals) or (best.astray and self._any_may(best)):
            return Reading(Status.PENDING, doubt=MISSING)  # People say which piece it was.
        doubted = breach is not None and best.score - breach.score < MARGIN
        alone = not rivals and (seen_undone or not doubted) and not best.given_away
        if best.opening is not None and alone and not best.opening.touched:
            return self._retold(best)
        if self.start.begun:
            # What was begun has been finished.
            rivals = [node for node in rivals if node is not self.start]
        candidates = tuple(
            Candidate(n.moves, n.takeback, n.score - best.score) for n in (best, *rivals)
        )
        if best is self.start or any(n is self.start for n in rivals):
            return self._unexplained(candidates=candidates)
        if self.halfway and self._lifts_an_earlier(best):
            # Whoever lifts it goes on with it, or puts it back.
            return self._unexplained(candidates=candidates)
        if best.guessed or any(node.guessed for node in rivals):
            if (back := self._taken_back({*self.start.changed})) is not None:
                return Reading(Status.AMBIGUOUS, candidates=(Candidate((), back.takeback),))
            # A question would lack most of what may have happened.
            return self._begun((best, *rivals), nodes)
        if rivals and self._told_later((best, *rivals)):
            return self._begun((best, *rivals))
        if rivals and best.sure and all(n.sure == best.sure for n in rivals):
            # Only what follows is in doubt, and that is asked of the next look.
            against = known.top - best.score
            return Reading(Status.MOVE, moves=best.sure, candidates=candidates, against=against)
        # A search that was cut short and found several as likely has not found all.
        near = 1 + sum(_is_near(best, node) for node in rivals)
        more = near > (2 if self.cut_off < inf else MOST_ANSWERS)
        alike = more and not _look_different((best, *rivals))
        if alike or (rivals and _one_of_many((best, *rivals))):
            # A question would lack some of what may have happened; people say it.
            return Reading(Status.PENDING, doubt=MISSING)
        # Where the camera cannot tell pieces apart, no later picture will either.
        candidates = candidates[:MOST_ANSWERS]
        against = known.top - best.score
        asked = best.takeback or best.given_away or rivals or best.astray
        asked = asked or (doubted and not best.changed)
        if asked or _leaps(self.match.game, best.moves):
            # A question does no harm, so it is asked even where a breach is nearly as likely.
            return Reading(Status.AMBIGUOUS, candidates=candidates, against=against)
        if doubted:
            return self._unexplained(candidates=candidates)
        return Reading(Status.MOVE, moves=best.moves, candidates=candidates, against=against)

    def _broken(self, breach: Breach, best: Node) -> Reading:
        """No moves that follow from the record explain it; ``best``: what explains most of it."""
        if self.late:
            return self._unexplained()  # Hands are still to do what was entered.
        if self._hidden():
            return Reading(Status.PENDING, doubt=MISSING)
        if breach.disturbed or self.halfway or self._only_lifted():
            # Something lies differently, which is nobody's fault; whether a rule was broken too
            # can be said when it lies right again.
            fixes = self._fixes(self.start)
            return Reading(
                Status.UNCLEAR, doubt="differs", objections=breach.objections, fixes=fixes
            )
        if breach.score - best.score < MARGIN:
            return self._unexplained()
        if breach.node.moves and self.cut_off - (self.known.top - breach.score) < UNEXPLAINED:
            # So much has happened that not everything was tried that may explain it.
            return self._unexplained()
        if self.since.behind:
            return self._unexplained()
        if self.since.long_calm and self._may_be_unentered():
            return self._unexplained()  # People say what they did meanwhile.
        return Reading(
            Status.ILLEGAL,
            objections=breach.objections,
            refused=breach.refused,
            anyway=breach.anyway,
            fixes=self._fixes(breach.node),
            owed=self._may_come_late(),
        )

    def _closed_early(self) -> bool:
        """True if a turn was closed below a hand, and something lies there since that may belong to
        it."""
        new = any(self.known.left.get(site) != look for site, look in self.start.left.items())
        return new and any(opening.then for opening in self.since.openings)

    def _only_lifted(self) -> bool:
        """True if nothing shows but that things lack which somebody may hold and put back."""
        best, wanted = self.known.best, self.start.wanted
        here = [(Counter(best[s]), Counter(wanted.get(s, EMPTY))) for s in self.start.changed]
        gone = sum((should - lies).total() for lies, should in here)
        return 0 < gone <= HANDS and not any(lies - should for lies, should in here)

    def _is_next(self, node: Node) -> bool:
        """True if what was begun after the moves of ``node`` is the next player's."""
        asked = node.state.prompt()
        players = {move.player for move in node.moves} - {None}
        return bool(players) and asked is not None and asked.player not in players

    def _any_may(self, astray: Node) -> bool:
        """True if other pieces may have left no trace as well as that of ``astray``."""
        others = (n for n in self.nodes if n.astray and n is not astray)
        near = any(astray.score - n.score < WORTH_SHOWING for n in others)
        return near or self.known.cut_short

    def _may_come_late(self) -> bool:
        """True if legal moves explain everything but for what hands owe to a step that shows, such
        as the piece of a card: it comes late, and others have gone on."""
        known = self.known
        owed = {site for node in self.reached for site in self._owed(node)}
        if not owed:
            return False
        sites = {s: replace(b, occluded=b.occluded or s in owed) for s, b in known.beliefs.items()}
        sighting = _Late(sites, self.sighting.strays)
        later = Explanations(self.match, sighting, known.left, self.since)
        return any(
            n.complete and n.moves and not n.changed and not n.begun
            for n in later.search(later.start, MOST_LATE)
        )

    def _owed(self, node: Node) -> Collection[str]:
        """The sites at which the rest of a step that shows must be done, if nothing of that is to
        be seen yet."""
        state, prompt = node.state, node.state.prompt()
        last = node.moves[-1] if node.moves else self._last_move()
        if prompt is None or last is None or last.actor is not Actor.PLAYER:
            return ()
        if prompt.player != last.player or node.detours or node.implied:
            return ()
        touched = [state.touches(move) for move in state.legal_moves()]
        sites = {site for each in touched for site in each}
        if len(sites) > MOST_OWED or not all(touched):
            return ()
        as_before = [s for s in sites if s in self.known.best and s not in node.losses]
        return as_before if len(as_before) == len(sites) else ()

    def _last_move(self) -> Move | None:
        return self.match.log[-1].move if self.match.log else None

    def _may_be_unentered(self) -> bool:
        """Whether turns that nobody entered may have led to what lies there."""
        known, state = self.known, self.match.state
        for supposed in self.match.game.inference.unentered(state):
            nodes = known.search(known.instead(supposed))
            if any(n.complete and n.moves and not n.changed for n in nodes):
                return True
        return False

    def _hidden(self) -> bool:
        """True if something that hands may have done is hidden: then nothing proves that anybody
        broke a rule."""
        hidden = self.known.hidden
        if not hidden:
            return False
        state = self.match.state
        return any(not hidden.isdisjoint(state.touches(move)) for move in state.legal_moves())

    def _is_undone(self, node: Node) -> bool:
        """True if something that the retold moves put down has visibly been taken up again."""
        trial, wanted, best = self.match.clone(), self.start.wanted, self.known.best
        gone = {s for s in self.start.changed if wanted.get(s, EMPTY) and not best[s]}
        for _ in range(node.takeback):
            move = trial.pop()
            if not gone.isdisjoint(trial.state.touches(move)):
                return True
        return False

    def _lifts_an_earlier(self, node: Node) -> bool:
        """True if ``node`` only takes back moves, not those of the open turn alone."""
        undone = [entry.move for entry in self.match.log[self.match.ply - node.takeback :]]
        return not node.moves and self.match.game.inference.turns(undone) > 1

    def _retold(self, best: Node) -> Reading:
        """The end of the record was concluded otherwise than it was."""
        against = self.known.top - best.score
        candidate = Candidate(best.moves, best.takeback)
        return Reading(
            Status.MOVE, best.moves, best.takeback, candidates=(candidate,), against=against
        )

    def _rivals(self, best: Node, others: Sequence[Node]) -> list[Node]:
        """Other explanations that are about as likely and come to something else.

        One that also holds all moves of a better one only adds what left no trace; one that leads
        to the same position in another order says nothing new.
        """
        near = [node for node in others if _is_near(best, node)]
        chosen = self._distinct([best], near, MOST_ANSWERS + 1)
        if self.known.all_known and 1 < len(chosen) < MOST_ANSWERS:
            # Who is asked anyway may as well see what is less likely.
            further = [n for n in others if best.score - n.score < WORTH_SHOWING]
            further = [n for n in further if n is not self.start]
            chosen = self._distinct(chosen, further, MOST_ANSWERS)
        return chosen[1:]

    def _distinct(self, chosen: list[Node], nodes: Sequence[Node], most: int) -> list[Node]:
        """``chosen`` and those of ``nodes`` that come to something else; ``most`` altogether."""
        game, best = self.match.game, chosen[0]
        ends = [game.inference.essence(node.state) for node in chosen]
        for node in nodes:
            if len(chosen) == most:
                break
            if node.changed and not best.changed:
                continue  # It is cheaper only because it leaves something out.
            if any(_only_adds(better, node) for better in chosen):
                continue
            end = game.inference.essence(node.state)
            # Who is asked whether something was taken back must also be able to say what else.
            if end not in ends or (best.takeback and not node.takeback):
                chosen.append(node)
                ends.append(end)
        return chosen

    def _begun(self, nodes: Sequence[Node], further: Sequence[Node] = ()) -> Reading:
        """What all of ``nodes`` begin with goes into the record, the rest is waited for.

        ``further``: what is less likely counts as well; what is left out now costs a touch only.
        """
        near = (n for n in further if nodes[0].score - n.score < WORTH_SHOWING and not n.changed)
        nodes = [*nodes, *near]
        back = {node.takeback for node in nodes}
        known = [_known(node) for node in nodes]
        retold = all(node.opening is not None for node in nodes)
        agreed = _beginning(known) if back == {0} or (retold and len(back) == 1) else ()
        closed = any(move.verb == "done" for move in agreed)
        if agreed and not closed and self.match.game.inference.turns(nodes[0].moves) == 1:
            takeback = nodes[0].takeback
            candidates = (Candidate(agreed, takeback),)
            return Reading(Status.MOVE, agreed, takeback, candidates=candidates)
        if any(node.guessed for node in nodes):
            return Reading(Status.PENDING, doubt=MISSING)
        best = nodes[0]
        told = (Candidate(n.moves, n.takeback, n.score - best.score) for n in nodes)
        return Reading(Status.PENDING, candidates=tuple(told), doubt=MISSING)

    def _told_later(self, nodes: Sequence[Node]) -> bool:
        """Whether hands that go on will show which of these explanations is true."""
        if any(node.takeback for node in nodes):
            return False
        return self.match.game.inference.told_later([node.state for node in nodes])

    def _unexplained(
        self, doubt: str = "unexplained", candidates: tuple[Candidate, ...] = ()
    ) -> Reading:
        fixes = self._fixes(self.start)
        if not candidates and doubt == "unexplained":
            # Nobody stays stuck: what explains everything may be chosen, however unlikely.
            whole = [n for n in self.nodes if n.moves and not n.changed and not n.guessed]
            candidates = tuple(Candidate(n.moves, n.takeback) for n in whole[:MOST_WAYS_OUT])
        return Reading(Status.UNCLEAR, doubt=doubt, candidates=candidates, fixes=fixes)

    def _unchanged(self) -> Reading:
        if self.late:
            fixes = tuple(
                Fix(s, self.sighting.sites[s].best, self.start.wanted.get(s, EMPTY))
                for s in self.late
            )
            return Reading(Status.PENDING, fixes=fixes)
        width, height = load_box(self.match.game.box).size
        # The supplies lie beside the board; they do not matter here.
        if any(
            abs(stray.at_mm[0]) < width / 2 and abs(stray.at_mm[1]) < height / 2
            for stray in self.sighting.strays
        ):
            return Reading(Status.UNCLEAR, doubt="stray")
        if self.match.waits_for_table:
            return Reading(Status.PENDING)
        known = self.known.left
        new = {site for site, look in self.start.left.items() if known.get(site) != look}
        lies = self.start.lies
        awaited = {site for site in new if lies[site] is Lies.UNTOLD}
        if awaited <= self.awaiting and awaited:
            return Reading(Status.PENDING)  # The record is ahead of the hands.
        if awaited and (back := self._taken_back(new)) is not None:
            return Reading(Status.AMBIGUOUS, candidates=(Candidate((), back.takeback),))
        if awaited:
            return Reading(Status.PENDING, doubt=MISSING)
        if new and self._hidden():
            return Reading(Status.PENDING, doubt=MISSING)  # What is hidden may explain it.
        left = {
            s: x for s, x in self.start.left.items() if s not in new or lies[s] is Lies.FOR_GOOD
        }
        return Reading(Status.SETTLED, left=left)

    def _taken_back(self, new: AbstractSet[str]) -> Node | None:
        """An earlier position of the open turn that looks like this, if hands had no time for more
        than taking something back; ``new``: what now lies otherwise."""
        if self.since.hands_s >= TURN_S or not self.awaiting.isdisjoint(new):
            return None
        return next((n for n in self.known.earlier() if new.isdisjoint(n.left)), None)

    def _fixes(self, node: Node) -> tuple[Fix, ...]:
        return tuple(
            Fix(site, self.known.best[site], node.wanted.get(site, EMPTY)) for site in node.changed
        )


def _plain(node: Node) -> bool:
    """True if ordinary steps that show explain everything, so few that nothing else is likelier."""
    odd = node.changed or node.unseen or node.detours or node.silent_turns or node.hurried
    return not odd and node.cost <= PLAIN


def _one_of_many(nodes: Iterable[Node]) -> bool:
    """Whether others look like what was supposed on the way to one of these."""
    return any(node.one_of_many is not None for node in nodes)


def _known(node: Node) -> tuple[Move, ...]:
    """The moves of ``node`` before the first that stands for many which were not all followed."""
    known = node.before_guess if node.guessed else node.moves
    return known[: node.one_of_many]


def _look_different(nodes: Sequence[Node]) -> bool:
    """Whether each of these would look different, but for what the camera cannot tell."""
    return len({frozenset(node.wanted.items()) for node in nodes}) == len(nodes)


def _is_near(best: Node, node: Node) -> bool:
    """True if ``node`` is about as likely as ``best``."""
    return best.score - node.score < MARGIN or _in_doubt_with(best, node)


def _in_doubt_with(best: Node, node: Node) -> bool:
    """True if the picture itself leaves open which of two lies there, however long the way, if
    there was time for it."""
    doubt = best.score + best.cost - node.score - node.cost
    if node.hurried:
        return False
    return doubt < MARGIN and best.wanted != node.wanted and node.detours <= best.detours


def _beginning(runs: Sequence[tuple[Move, ...]]) -> tuple[Move, ...]:
    """The moves that all ``runs`` begin with."""
    alike = takewhile(lambda moves: len(set(moves)) == 1, zip(*runs, strict=False))
    return tuple(moves[0] for moves in alike)


def _only_adds(better: Node, node: Node) -> bool:
    """Whether ``node`` is ``better`` and something besides that left no trace, or is a guess."""
    if node.guessed and node.moves[: len(better.moves)] == better.moves:
        return True  # What came afterwards can still be told by the next look.
    if better.wanted != node.wanted or better.takeback != node.takeback:
        return False
    return Counter(better.moves) <= Counter(node.moves)


def _leaps(game: Game[Any], moves: tuple[Move, ...]) -> bool:
    """Whether so much is explained that the picture may show another match altogether.

    Laying out material may take many turns: that is one kind of move, again and again.
    """
    own = [move for move in moves if move.player is not None]
    return game.inference.turns(moves) > MOST_TURNS and len({move.verb for move in own}) > 1
