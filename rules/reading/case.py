"""A case: what speaks for and against each explanation of one look, found when it is asked for.

What may have happened is sought by ``explaining`` and ``retelling``, and what must not happen by
``breaches``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import inf

from rules.box import load_box
from rules.core import Actor, Lies, Move
from rules.reading.breaches import Breach, likeliest_breach
from rules.reading.explaining import FARTHEST, PLAIN, Explanations
from rules.reading.meaning import Candidate, Fix
from rules.reading.retelling import earlier, retold, takebacks, twin, undoes
from rules.reading.sighting import EMPTY, IMPLAUSIBLE, Sighting, SiteBelief, Stray
from rules.reading.timing import GONE_S, TURN_S, in_time
from rules.reading.variations import (
    alike_instead,
    by_another_way,
    dealt_between,
    exchanged,
    instead_of_passing,
    laid_before,
    once_more,
)
from rules.reading.weighing import MARGIN, UNHEEDED, WORTH_SHOWING, Node, Position

MOST_ANSWERS = 4
"""Maximum number of answers to a question."""
HANDS = 2
"""Number of things that somebody may hold at once."""
MOST_UNHEEDED = 2
"""Number of things that lay still and count against an explanation without them."""
MOST_OWED = 6
"""Number of places among which people choose where to do the rest of a step."""
MOST_LATE = 100
"""Number of positions that are looked at with what hands may still owe."""
UNEXPLAINED = 9.0
"""More doubt than this left over makes an explanation worthless."""
PLAIN_TURNS = 2
"""Most turns of an explanation that is ``PLAIN``: in more, a player has moved again."""


@dataclass(frozen=True, slots=True)
class _Allowing:
    """A sighting in which some sites may look otherwise than they seem to."""

    sites: Mapping[str, SiteBelief]
    strays: Sequence[Stray]
    hand: bool = False


class Case:
    """One look to be judged."""

    def __init__(self, known: Explanations, awaiting: Collection[str]) -> None:
        self.known, self.match, self.since = known, known.match, known.since
        self.sighting: Sighting = known.sighting
        self.awaiting = {*awaiting}
        """Sites where the record is ahead of the hands …"""
        otherwise = (*known.start.changed, *known.start.begun)
        self.late = [site for site in otherwise if site in awaiting]
        """… and those where they have not come yet."""
        if self.late:
            known.ignore(self.late)
        self.start = known.start

    # -- what lies there ------------------------------------------------------------------

    @cached_property
    def as_recorded(self) -> bool:
        """True if all lies as the record has it, or as it may lie for now."""
        return not (self.start.changed or self.start.begun or self.start.untold)

    @cached_property
    def new(self) -> frozenset[str]:
        """Sites that clearly lie otherwise than recorded, as they may, and did not so before."""
        left, beliefs = self.known.left, self.known.beliefs
        return frozenset(
            site
            for site, (lies, wanted) in self.start.left.items()
            if left.get(site) != (lies, wanted)
            if not wanted or beliefs[site].score(lies) - beliefs[site].score(wanted) > MARGIN
        )

    @cached_property
    def halfway(self) -> bool:
        """True if hands may still have to end something legal."""
        return Lies.UNJUDGED in self.start.lies.values()

    @cached_property
    def only_lifted(self) -> bool:
        """True if nothing happened but that somebody holds what they may put back."""
        return self._only_lacks(self.start)

    def _only_lacks(self, node: Node) -> bool:
        """True if nothing shows against ``node`` but that things lack which somebody may hold."""
        best, wanted = self.known.best, node.wanted
        here = [(Counter(best[s]), Counter(wanted.get(s, EMPTY))) for s in node.changed]
        gone = sum((should - lies).total() for lies, should in here)
        return 0 < gone <= HANDS and not any(lies - should for lies, should in here)

    @cached_property
    def may_be_legal(self) -> bool:
        """True if doubt may make it legal: a move may have been made where something is hidden, or
        legal moves explain all that is certain, and what is badly seen as it may lie there."""
        known, breach = self.known, self.breach
        unsure = known.doubtful
        if self.hidden or not unsure:
            return self.hidden
        if breach is not None and breach.refused is not None:
            put = breach.node.at.touches(breach.refused)
            if not unsure.intersection(breach.node.changed).isdisjoint(put):
                return True  # It may have been another player's, or nobody's.
        sites = {s: _left_open(b) if s in unsure else b for s, b in known.beliefs.items()}
        other = Case(self._allowing(sites, unsure), self.awaiting)
        untried = bool(other.reached) and other.cut_off < UNEXPLAINED
        return untried or not other.best.changed

    def _allowing(self, sites: Mapping[str, SiteBelief], unsure: AbstractSet[str]) -> Explanations:
        """Explanations if some sites look so; at those that are ``unsure`` all moves are tried."""
        sighting = _Allowing(sites, self.sighting.strays)
        other = Explanations(self.match, sighting, self.known.left, self.since)
        other.unsure = unsure
        return other

    @cached_property
    def hidden(self) -> bool:
        """True if something that hands may have done is hidden."""
        hidden = self.known.hidden
        if not hidden:
            return False
        here = self.start.at
        legal = any(not hidden.isdisjoint(here.touches(move)) for move in here.legal)
        return legal or any(node.hidden for node in self.reached)

    @cached_property
    def lacks_throw(self) -> bool:
        """True if dice lie there that the breach leaves untold; or if a throw is due, now or behind
        moves, and does not lie there, and these moves explain a part or leave no trace, or whoever
        was to throw has moved."""
        if not self.match.throws_lie_here or self.breach is None:
            return False
        start, moves = self.start, self.breach.anyway
        at = self.known.before(self.breach.node.takeback)
        for move in moves:
            at = at.after(move)
        if moves and self.known.dice.differ(self.match.state, at.state):
            return True
        moved = {move.player for move in moves}
        due = (n for n in self.reached if n.changed and n.state.throw() is not None)
        return any(
            node.things < start.things or node.at.looks == start.at.looks
            or node.state.prompt().player in moved
            for node in due
        )  # fmt: skip

    @cached_property
    def on_the_board(self) -> bool:
        """True if a piece lies on the board where no site is: beside it lie the supplies."""
        width, height = load_box(self.match.game.box).size
        return any(
            abs(stray.at_mm[0]) < width / 2 and abs(stray.at_mm[1]) < height / 2
            for stray in self.sighting.strays
        )

    def fixes(self, node: Node) -> tuple[Fix, ...]:
        """The way from what lies there to ``node``."""
        return tuple(
            Fix(site, self.known.best[site], node.wanted.get(site, EMPTY)) for site in node.changed
        )

    # -- what explains it -----------------------------------------------------------------

    @cached_property
    def takebacks(self) -> list[Node]:
        """Earlier positions that look like this, unless it lay so before the last entry."""
        return takebacks(self.known) if self.since.elapsed_s > 0.0 else []

    @cached_property
    def reached(self) -> list[Node]:
        """The positions that legal moves from the record lead to."""
        reached = self.known.search(self.start)
        self.cut_off = self.known.cut_off
        """The least that is expected to speak against what was not tried."""
        return reached

    @cached_property
    def nodes(self) -> list[Node]:
        """The explanations for which hands had time, the likeliest first.

        A silent step or a detour explains nothing unless something follows it.
        """
        known, back = self.known, self.takebacks
        nodes = [*self._in_time(self.reached), *back]
        best = max(nodes, key=lambda node: node.score)
        certain = self._is_plain(best) and not self._taken_up_again
        nodes += self._in_time(retold(known, best, certain=certain))
        nodes.sort(key=lambda node: -node.score)
        if not nodes[0].changed:
            best = nodes[0]
            swapped = exchanged(known, best) if known.cut_short else ()
            nodes[1:1] = [*swapped, *self._in_time(alike_instead(known, best))]
            if known.cut_short and known.all_matters and not known.all_known:
                ways = self._in_time(by_another_way(known, best))
                nodes[1:1] = islice(ways, MOST_ANSWERS)
        best = nodes[0]
        # Who is asked whether something was taken back must also be able to say what else.
        only_back = best.takeback > 0 and not best.moves
        in_doubt = best.changed or only_back or (best.astray and known.doubtful)
        if in_doubt and self.since.hands_s >= GONE_S:
            nodes += self._in_time(known.search_wide(-inf if best.changed else best.score))
            nodes.sort(key=lambda node: -node.score)
        if not nodes[0].changed:
            nodes[1:1] = self._in_time(laid_before(known, nodes[0]))
            near = [n for n in nodes if not n.changed and nodes[0].score - n.score < MARGIN]
            nodes += [n for node in near for n in self._in_time(dealt_between(known, node))]
            if self.since.hands_s < inf:
                more = (n for node in near for n in self._in_time(once_more(known, node)))
                nodes += [n for n in more if n.seconds <= self.since.hands_s]
            nodes.sort(key=lambda node: -node.score)
        self._heed(nodes)
        return nodes

    def _heed(self, nodes: list[Node]) -> None:
        """Pieces that lay still count: explanations of them come before others."""
        least = nodes[0].score - MOST_UNHEEDED * UNHEEDED - MARGIN
        near = [node for node in nodes if not node.changed and node.score > least]
        if not self.since.lay or len(near) < 2:
            return
        lacks = [len(self.since.lay - self.known.passed(node)) for node in near]
        for node, number in zip(near, lacks, strict=True):
            cost = UNHEEDED * min(number - min(lacks), MOST_UNHEEDED)
            node.cost, node.score = node.cost + cost, node.score - cost
        nodes.sort(key=lambda node: -node.score)

    @cached_property
    def best(self) -> Node:
        """The likeliest explanation."""
        return self.nodes[0]

    def _is_plain(self, node: Node) -> bool:
        """True if ordinary steps that show explain everything, so few, in a turn or two, that
        nothing else is likelier."""
        odd = node.changed or node.begun or node.unseen or node.detours
        odd = odd or node.silent_turns or node.hurried
        few = self.known.turns(node.moves, node.takeback) <= PLAIN_TURNS
        return few and not odd and node.cost <= PLAIN

    def _in_time(self, nodes: Iterable[Node]) -> Iterator[Node]:
        return (n for n in nodes if n.complete and in_time(self.known, n))

    @cached_property
    def left_over(self) -> bool:
        """True if something looks unfinished after a whole turn: it may be what is left of
        something else."""
        return bool(self.best.begun) and self.turns > 1

    @cached_property
    def turns(self) -> int:
        """Number of turns of the best explanation."""
        return self.known.turns(self.best.moves, self.best.takeback)

    @cached_property
    def laid_nowhere(self) -> int | None:
        """Number of moves of the best explanation before one that puts something on heaps of which
        none shows more for it; None if there is none. Those that bring it on its way do not count.
        Where others, or dice, have gone on, it is in no hand.
        """
        begun = at = self.known.before(self.best.takeback)
        seen = 0
        for number, move in enumerate(self.best.moves, start=1):
            ahead = at.after(move)
            if self._shows_no_more(at, ahead, at.touches(move)):
                gone_on = any(later.player != move.player for later in self.best.moves[number:])
                return None if gone_on else seen
            at = ahead
            seen = number if self._shows(begun, at) else seen
        return None

    def _shows(self, begun: Position, at: Position) -> bool:
        """True if the picture may have all that lies there more than where it was ``begun``."""
        before, after = self.known.compared(begun).looks, self.known.compared(at).looks
        grown = (site for site, look in after.items() if len(look) > len(before.get(site, EMPTY)))
        return all(
            belief.score(after[site]) > belief.score(belief.best) - IMPLAUSIBLE
            for site in grown
            if (belief := self.known.beliefs.get(site)) is not None
        )

    def _shows_no_more(self, at: Position, ahead: Position, sites: Collection[str]) -> bool:
        """True if all that ``ahead`` has more than ``at`` would be on heaps that look as before."""
        before, after = self.known.compared(at).looks, self.known.compared(ahead).looks
        grown = [s for s in sites if len(after.get(s, EMPTY)) > len(before.get(s, EMPTY))]
        beliefs = [self.known.beliefs.get(site) for site in grown]
        return bool(grown) and all(
            belief is not None and self.known.may_hide(site, after)
            and belief.score(before.get(site, EMPTY)) >= belief.score(after[site])
            for site, belief in zip(grown, beliefs, strict=True)
        )  # fmt: skip

    @cached_property
    def unsettled(self) -> bool:
        """True if the best explanation leaves something over or below what was begun, or the next
        player has begun."""
        best = self.best
        return bool(best.changed or self.left_over or self._gone_on or best.covered)

    @cached_property
    def _gone_on(self) -> bool:
        """True if what was begun after the best explanation is the next player's."""
        if not self.best.begun:
            return False
        asked = self.best.state.prompt()
        players = {move.player for move in self.best.moves} - {None}
        return bool(players) and asked is not None and asked.player not in players

    @cached_property
    def seen_undone(self) -> bool:
        """True if something that is told anew had been put down, and has visibly been taken up
        again, or lies as before it: that speaks for itself."""
        return self.best.opening is not None and undoes(self.known, self.best.takeback)

    @cached_property
    def _taken_up_again(self) -> bool:
        """True if what an open step put down has visibly been taken up again."""
        openings = (each for each in self.since.openings if not each.touched)
        return any(undoes(self.known, each.takeback) for each in openings)

    @cached_property
    def mind_changed(self) -> bool:
        """True if the best explanation takes back what was not only concluded, unseen."""
        opening = self.best.opening
        return opening is not None and opening.cost > 0.0 and not self.seen_undone

    @cached_property
    def built_upon(self) -> bool:
        """True if the best explanation has somebody go on from something else than was seen."""
        back, moves, opening = self.best.takeback, self.best.moves, self.best.opening
        if opening is not None and opening.concluded and moves[0] == twin(self.known, back):
            return False  # That looks the same.
        undone = [entry.move for entry in self.match.log[self.match.ply - back :]]
        at = self.known.before
        shown = Counter(m for n, m in enumerate(reversed(undone), 1) if at(n).touches(m))
        return self.turns > self.known.turns_back(back) and bool(shown - Counter(moves))

    @cached_property
    def lifts_an_earlier(self) -> bool:
        """True if it only takes back moves, not those of the open turn alone."""
        return not self.best.moves and self.known.turns_back(self.best.takeback) > 1

    @cached_property
    def any_may(self) -> bool:
        """True if its step without a trace may as well be that of another piece."""
        best = self.best
        if not best.astray:
            return self._others_were_up
        essence = self.known.game.inference.essence
        others = (n for n in self.nodes if n.astray and best.score - n.score < WORTH_SHOWING)
        near = any(essence(n.state) != essence(best.state) for n in others)
        return near or self.known.cut_short

    @property
    def _others_were_up(self) -> bool:
        """True if it only takes back a turn that was over, and whoever was up then had the time to
        go there and back with any piece while that was undone."""
        back, now = self.best.takeback, self.match.prompt
        if not back or self.best.moves or self.known.all_known or now is None:
            return False
        players, here = {entry.move.player for entry in self.match.log[-back:]}, self.start.at
        if now.player in players or self.since.hands_s < GONE_S:
            return False
        return any(len(here.touches(move)) > 1 for move in here.legal)

    def taken_back(self, new: AbstractSet[str]) -> Node | None:
        """An earlier position of the open turn that looks like this, if hands had no time for more
        than taking something back; ``new``: what now lies otherwise."""
        if self.since.hands_s >= TURN_S or not self.awaiting.isdisjoint(new):
            return None
        return next((n for n in earlier(self.known) if new.isdisjoint(n.left)), None)

    # -- what explains it as well ---------------------------------------------------------

    @cached_property
    def rivals(self) -> list[Node]:
        """Other explanations that are about as likely and come to something else.

        One that also holds all moves of a better one only adds what left no trace; one that leads
        to the same position in another order says nothing new.
        """
        best, others = self.best, self.nodes[1:]
        near = [node for node in others if self.is_near(node)]
        chosen = self._distinct([best], near, MOST_ANSWERS + 1)
        if self.known.all_known and 1 < len(chosen) < MOST_ANSWERS:
            # Who is asked anyway may as well see what is less likely.
            further = [n for n in others if best.score - n.score < WORTH_SHOWING]
            further = [n for n in further if n is not self.start]
            chosen = self._distinct(chosen, further, MOST_ANSWERS)
        # That it may lie there just now explains nothing, nor that something was begun.
        misread = any(self.start.wanted.get(site) for site in self.start.losses)
        lies = self.as_recorded and not misread
        nothing = self.start if lies or self.start.begun else None
        return [node for node in chosen[1:] if node is not nothing]

    def is_near(self, node: Node) -> bool:
        """True if ``node`` is about as likely as the best."""
        best = self.best
        near = best.score - node.score < MARGIN or self._in_doubt_with(node)
        return near or self._shows_as_well(node)

    def _in_doubt_with(self, node: Node) -> bool:
        """True if the picture itself leaves open whether the best explanation or ``node`` lies
        there, however long the way, if there was time for it."""
        best = self.best
        doubt = best.score + best.cost - node.score - node.cost
        # What cannot be seen is not needed where what is seen explains everything.
        if node.hurried or (node.hidden and not best.hidden):
            return False
        return doubt < MARGIN and node.detours <= best.detours and any(
            best.wanted.get(site, EMPTY) != node.wanted.get(site, EMPTY)
            for site in self.known.beliefs
        )  # fmt: skip

    def _shows_as_well(self, node: Node) -> bool:
        """True if hands that were seen for so long may as well have done this: nothing that the
        picture still shows speaks for one or the other, nor did the game weigh them."""
        best = self.best
        alike = node.wanted == best.wanted and not best.changed
        alike = alike and (node.unseen > 0 or not node.guessed)
        alike = alike and node.takeback == best.takeback
        unlike = node.given_away > best.given_away or node.hurried > best.hurried
        alike = alike and not unlike and node.silent_turns <= best.silent_turns
        # A game that knows all has weighed what was seen, but not what nobody saw.
        weighed = self.known.all_known and not (best.unseen and node.unseen)
        had_time = node.seconds <= self.since.hands_s < inf and not weighed
        return alike and had_time and best.score - node.score < FARTHEST

    def _distinct(self, chosen: list[Node], nodes: Iterable[Node], most: int) -> list[Node]:
        """``chosen`` and those of ``nodes`` that come to something else; ``most`` altogether."""
        game, best = self.match.game, chosen[0]
        ends = [game.inference.essence(node.state) for node in chosen]
        for node in nodes:
            if len(chosen) == most:
                break
            if (node.changed and not best.changed) or (node.untold and not best.untold):
                continue  # It is cheaper only because it leaves something out.
            if any(_only_adds(better, node) for better in chosen):
                continue
            end = game.inference.essence(node.state)
            # Who is asked whether something was taken back must also be able to say what else.
            if end not in ends or (best.takeback and not node.takeback):
                chosen.append(node)
                ends.append(end)
        return chosen

    @cached_property
    def likely(self) -> tuple[Node, ...]:
        """The best explanation and its rivals."""
        return (self.best, *self.rivals)

    @cached_property
    def covered(self) -> list[Node]:
        """Explanations in which nobody passed, but did something that nobody can see."""
        best = self.best
        if not best.given_away or best.takeback:
            return []
        essence = self.match.game.inference.essence
        ends, found = [essence(node.state) for node in self.likely], list[Node]()
        for node in self._in_time(instead_of_passing(self.known, best)):
            new = (end := essence(node.state)) not in ends and len(found) < MOST_ANSWERS
            if new and node.silent_turns <= best.silent_turns:
                ends.append(end)
                found.append(node)
        return found

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The same as answers to a question."""
        return candidates(self.likely)

    @property
    def told_later(self) -> bool:
        """True if hands that go on will tell one of the likely explanations: by the rest of what
        they have begun, by whose they are if something is still to be put right, or because
        another way of the same step is due. A game that knows all of them has people asked."""
        likely = self.likely
        if not self.rivals or self.known.all_known or any(node.takeback for node in likely):
            return False
        if all(node.begun for node in likely):
            return True
        due = [p for p in (node.state.prompt() for node in likely) if p is not None]
        players, codes = {(p.actor, p.player) for p in due}, {p.code for p in due}
        if len(players) > 1:
            return any(node.tolerated for node in likely)
        return len(codes) == 1 and len({*due}) > 1

    # -- what would not be allowed --------------------------------------------------------

    @cached_property
    def breach(self) -> Breach | None:
        """The likeliest breach; None if nothing makes anybody suspect."""
        best = self.best
        if not (self.unsettled or self.mind_changed or best.unseen or best.hurried):
            return None
        if best.opening is not None and best.opening.concluded and self.known.all_lies_still:
            return None  # On what was only concluded no accusation is built.
        # Nobody is accused where legal moves explain everything.
        short = [node for node in self.reached if node.changed and not node.unseen]
        # One that is much less likely than the best explanation changes nothing.
        return likeliest_breach(self.known, short, best.score - MARGIN)

    @cached_property
    def breach_likelier(self) -> bool:
        """True if the breach explains more than all that is legal."""
        if self.breach is None or not (self.unsettled or self.mind_changed or self.halfway):
            return False
        # A change of mind that explains everything is asked about before anybody is suspected.
        lead = MARGIN if self.mind_changed and not self.unsettled else 0.0
        return self.breach.score > self.best.score + lead

    @cached_property
    def doubted(self) -> bool:
        """True if a breach is about as likely as the best explanation."""
        return self.breach is not None and self.best.score - self.breach.score < MARGIN

    @property
    def may_be_unentered(self) -> bool:
        """True if turns that nobody entered may have led to what lies there."""
        known, state = self.known, self.match.state
        for supposed in self.match.game.inference.unentered(state):
            nodes = known.search(known.instead(supposed))
            if any(n.complete and n.moves and not n.changed for n in nodes):
                return True
        return False

    @property
    def may_come_late(self) -> bool:
        """True if legal moves explain everything but for what lacks and somebody may hold, or what
        hands owe to a step that shows, such as the piece of a card: it comes late, and others have
        gone on."""
        known = self.known
        if any(node.moves and node.complete and self._only_lacks(node) for node in self.nodes):
            return True
        owed = {site for node in self.reached for site in self._owed(node)}
        if not owed:
            return False
        sites = {s: replace(b, occluded=b.occluded or s in owed) for s, b in known.beliefs.items()}
        later = self._allowing(sites, frozenset())
        return any(
            n.complete and n.moves and not n.changed and not n.begun
            for n in later.search(later.start, MOST_LATE)
        )

    def _owed(self, node: Node) -> Collection[str]:
        """The sites at which the rest of a step that shows must be done, if nothing of that is to
        be seen yet."""
        prompt = node.state.prompt()
        last = node.moves[-1] if node.moves else self._last_move()
        if prompt is None or last is None or last.actor is not Actor.PLAYER:
            return ()
        if prompt.player != last.player or node.detours or node.implied:
            return ()
        touched = [node.at.touches(move) for move in node.at.legal]
        sites = {site for each in touched for site in each}
        if len(sites) > MOST_OWED or not all(touched):
            return ()
        as_before = [s for s in sites if s in self.known.best and s not in node.losses]
        return as_before if len(as_before) == len(sites) else ()

    def _last_move(self) -> Move | None:
        return self.match.log[-1].move if self.match.log else None


def candidates(nodes: Sequence[Node]) -> tuple[Candidate, ...]:
    """Explanations as answers to a question, the best first."""
    return tuple(Candidate(n.moves, n.takeback, n.score - nodes[0].score) for n in nodes)


def _left_open(belief: SiteBelief) -> SiteBelief:
    """A doubtful belief by which all is as likely that may lie there."""
    return replace(belief, looks=dict.fromkeys(sorted(belief.plausible), 0.0))


def _only_adds(better: Node, node: Node) -> bool:
    """True if ``node`` is ``better`` and something besides that left no trace, or is a guess."""
    if node.guessed and node.moves[: len(better.moves)] == better.moves:
        return True  # What came afterwards can still be told by the next look.
    if better.wanted != node.wanted or better.takeback != node.takeback:
        return False
    if node.again > better.again:
        return False  # It can be entered no more.
    return Counter(better.moves) <= Counter(node.moves)
