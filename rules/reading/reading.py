"""Reading: which legal moves explain what the camera saw.

A look is judged by verdicts, each a principle of its own: the first with an answer decides.
What speaks for and against each explanation is in ``case``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, takewhile
from math import inf

from rules.core import Lies, Move
from rules.match import Match
from rules.reading.case import HANDS, MOST_ANSWERS, UNEXPLAINED, Case, candidates
from rules.reading.explaining import PLAIN, STEP, Explanations
from rules.reading.meaning import MISSING, Candidate, Fix, Reading, Status
from rules.reading.sighting import EMPTY, Left, Sighting
from rules.reading.since import LONG_AGO, Since
from rules.reading.timing import TURN_S
from rules.reading.ways_out import unseen_ways
from rules.reading.weighing import MARGIN, WORTH_SHOWING, Node

__all__ = ["MISSING", "Candidate", "Fix", "Reading", "Status", "read"]

MOST_TURNS = 4
"""Most turns that are taken into the record at once without a question."""
MOST_WAYS_OUT = 2
"""Maximum number of explanations to choose from where none is likely enough to be asked about."""


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
    if not sighting.sites and not (since.trays and since.trays.beliefs):
        return Reading(Status.UNCLEAR, doubt="board_lost")
    case = Case(Explanations(match, sighting, left or {}, since), awaiting)
    return next(reading for each in VERDICTS if (reading := each(case)) is not None)


# -- is there anything to explain? ------------------------------------------------------------


def lies_as_recorded(case: Case) -> Reading | None:
    """Nothing needs an explanation where all lies as the record has it, or as it may for now.

    A turn that was closed below a hand is explained again once the hand has left.
    """
    closed_early = bool(case.new) and any(opening.then for opening in case.since.openings)
    return _nothing_new(case) if case.as_recorded and not closed_early else None


def may_be_a_move(case: Case) -> Reading | None:
    """Something whose sticker cannot be read may have been put there by a legal move: the next look
    shows which, or people say it."""
    if not (case.as_recorded and case.known.unread):
        return None
    wanted = case.start.wanted
    put = (
        node
        for node in case.nodes
        if node.moves and node.complete and not node.changed and case.is_near(node)
        if any(node.wanted.get(site) != wanted.get(site) for site in case.known.unread)
    )
    return _missing() if any(put) else None


def match_is_over(case: Case) -> Reading | None:
    """Moves are only taken back after the end."""
    over = case.match.outcome is not None and not case.takebacks
    return _unexplained(case, "match_over") if over else None


def has_begun(case: Case) -> Reading | None:
    """Hands finish a move that they have begun."""
    if case.best is not case.start or case.best.changed:
        return None
    waits = case.start.begun or case.start.untold
    return Reading(Status.PENDING) if waits else _nothing_new(case)


# -- was it against the rules? ----------------------------------------------------------------


def against_the_rules(case: Case) -> Reading | None:
    """The likeliest breach is told, unless legal moves explain as much."""
    if case.breach is None or not case.breach_likelier:
        return None
    return next(reading for each in ON_BREACHES if (reading := each(case)) is not None)


def hands_are_late(case: Case) -> Reading | None:
    """Hands are still to do what was entered."""
    return _unexplained(case) if case.late else None


def throw_is_missing(case: Case) -> Reading | None:
    """Behind means mute: what was thrown was not read, and hands have gone on by it."""
    return _missing() if case.lacks_throw else None


def something_is_unsure(case: Case) -> Reading | None:
    """Only doubt mutes that could make it legal: what is hidden or badly seen may explain it."""
    if not case.may_be_legal:
        return None
    return _missing() if case.known.hidden else _unexplained(case)


def lies_differently(case: Case) -> Reading | None:
    """A piece that was pushed, or is in a hand, is nobody's fault.

    Whether a rule was broken too can be said when it lies right again.
    """
    assert case.breach is not None
    if case.since.behind or (case.halfway and not case.only_lifted):
        return _missing()  # Something legal may have led to it that nobody saw.
    if not (case.breach.disturbed or case.only_lifted):
        return None
    why, fixes = case.breach.objections, case.fixes(case.start)
    return Reading(Status.UNCLEAR, doubt="differs", objections=why, fixes=fixes)


def hardly_likelier(case: Case) -> Reading | None:
    """An accusation needs a clear margin, but many things are not misread at once."""
    assert case.breach is not None
    left_over = STEP * max(case.best.things - HANDS, 0)
    near = case.breach.score - case.best.score + left_over < MARGIN
    return _unexplained(case) if near else None


def too_much_to_try(case: Case) -> Reading | None:
    """Behind means mute: so much has happened that not all was tried that may explain it."""
    assert case.breach is not None
    against = case.known.top - case.breach.score
    untried = case.cut_off - against < UNEXPLAINED or case.known.wide_left <= 0
    return _unexplained(case) if untried else None


def record_is_behind(case: Case) -> Reading | None:
    """Behind means mute: the record lacks something already, or may lack a round of turns that left
    no trace. People say what they did."""
    since = case.since
    behind = since.behind or (since.long_calm and case.may_be_unentered)
    return _unexplained(case) if behind else None


def turn_was_cleared_away(case: Case) -> Reading | None:
    """Behind means mute: hands had time for a turn of which nothing shows, and for what lies there
    after it."""
    late = case.since.hands_s >= 2 * TURN_S and next(unseen_ways(case), None) is not None
    return _missing() if late else None


def is_refused(case: Case) -> Reading:
    """A breach is the smallest relaxation that explains it."""
    breach = case.breach
    assert breach is not None
    return Reading(
        Status.ILLEGAL, objections=breach.objections, refused=breach.refused, anyway=breach.anyway,
        fixes=case.fixes(breach.node), owed=case.may_come_late,
    )  # fmt: skip


# -- can it be told by now? -------------------------------------------------------------------


def badly_seen(case: Case) -> Reading | None:
    """A badly seen sticker is looked at again before anything else is said."""
    return _unexplained(case) if case.best.changed and case.known.doubtful else None


def far_fetched(case: Case) -> Reading | None:
    """An explanation that leaves too much over explains nothing.

    Thirty bars of a set-up are thirty steps: that is a lot, but not doubtful.
    """
    doubt = case.known.top - case.best.score - case.best.cost
    return _unexplained(case) if case.left_over or doubt > UNEXPLAINED else None


def done_below_cover(case: Case) -> Reading | None:
    """A step below something that hides it is seen when nothing does; which of a few it was may be
    told before."""
    if not any(node.hidden for node in case.likely):
        return None
    few = len(case.likely) <= MOST_ANSWERS and not case.known.cut_short
    if not few or case.best.changed or case.any_may or any(n.astray for n in case.rivals):
        return _missing()
    return _asked(case)


def one_of_many_pieces(case: Case) -> Reading | None:
    """People say which of many pieces went there and back."""
    astray = any(node.astray for node in case.rivals) or case.any_may
    return _missing() if astray else None


def was_concluded_wrongly(case: Case) -> Reading | None:
    """Concluded stays open: the end of the record is told anew without a question, unless people
    entered it, it gives somebody's turn away, or others have gone on from what was seen. While
    hands may only have begun a further move, what was seen stays."""
    best = case.best
    alone = not case.rivals and (case.seen_undone or not case.doubted) and not best.given_away
    if best.opening is None or best.opening.touched or not alone or case.built_upon:
        return None
    if not best.opening.concluded and case.start.begun and not case.start.changed:
        return None
    against = case.known.top - best.score
    candidate = Candidate(best.moves, best.takeback)
    return Reading(Status.MOVE, best.moves, best.takeback, candidates=(candidate,), against=against)


def perhaps_nothing_happened(case: Case) -> Reading | None:
    """A piece that may only be misread is looked at again."""
    nothing = any(node is case.start for node in case.likely)
    return _unexplained(case, candidates=case.candidates) if nothing else None


def lifts_an_earlier_piece(case: Case) -> Reading | None:
    """A lifted piece of an earlier turn is played on with, or put back."""
    lifts = case.halfway and case.lifts_an_earlier
    return _unexplained(case, candidates=case.candidates) if lifts else None


def stands_for_many(case: Case) -> Reading | None:
    """People say which of more ways it was than a question can hold."""
    if not any(node.guessed for node in case.likely):
        return None
    back = _taken_back(case, {*case.start.changed})
    return back or _beginning_of(case, case.likely, case.nodes)


def leaves_out_what_lay(case: Case) -> Reading | None:
    """Where all was cleared away that an explanation never puts there, people say what happened:
    it may have been played as well. Nor was anything taken back by whoever threw since."""
    known, lay = case.known, case.since.lay
    if case.best.untold:
        return _missing()
    gone = lay - known.passed(case.best) if lay else ()
    swept = (site for site, _ in gone if not known.best.get(site, EMPTY))
    return _missing() if any(site in case.best.left for site in swept) else None


def told_by_what_follows(case: Case) -> Reading | None:
    """Hands that go on will show which it was: that is waited for."""
    return _beginning_of(case, case.likely, case.nodes) if case.told_later else None


def certain_so_far(case: Case) -> Reading | None:
    """The moves that all explanations begin with are recorded; the next look tells the rest."""
    sure = case.best.sure
    alike = all(node.sure == sure and not node.takeback for node in case.likely)
    if not case.rivals or not sure or not alike:
        return None
    against = case.known.top - case.best.score
    return Reading(Status.MOVE, sure, candidates=case.candidates, against=against)


def more_than_can_be_asked(case: Case) -> Reading | None:
    """A question that would lack some of what may have happened is not asked: people say it.

    A search that was cut short and found several as likely has not found all. Where the camera
    cannot tell pieces apart, no later picture will either.
    """
    near = 1 + sum(case.is_near(node) for node in case.rivals)
    more = near > (2 if case.cut_off < inf else MOST_ANSWERS)
    alike = more and not _look_different(case.likely)
    lacks = alike or (case.rivals and any(n.one_of_many is not None for n in case.likely))
    return _missing() if lacks else None


# -- it can be told ---------------------------------------------------------------------------


def in_a_hand(case: Case) -> Reading | None:
    """The reading of pieces that were taken from somewhere and show nowhere: they are in a hand, or
    out of sight in a heap. What follows will tell, or people do."""
    number = case.laid_nowhere
    if number is None:
        return None
    if not number:
        return Reading(Status.PENDING, candidates=case.candidates, doubt=MISSING)
    moves, takeback = case.best.moves[:number], case.best.takeback
    return Reading(Status.MOVE, moves, takeback, candidates=(Candidate(moves, takeback),))


def people_decide(case: Case) -> Reading | None:
    """Hands need time, and nobody's turn is given away unasked; nor is anything taken back that
    was seen. A question does no harm, even where a breach is nearly as likely."""
    best, doubted = case.best, case.doubted and not case.best.changed
    asked = best.takeback or best.given_away or case.rivals or best.astray or doubted
    if not asked and not _leaps(case):
        return None
    return _asked(case)


def gave_up_too_soon(case: Case) -> Reading | None:
    """A search that gave up what is expected to be a rival is certain of nothing, unless ordinary
    steps explain everything."""
    known, best = case.known, case.best
    if known.all_known or best.cost <= PLAIN:
        return None
    return _missing() if case.cut_off < known.top - best.score + known.reach else None


def perhaps_a_breach(case: Case) -> Reading | None:
    """A move is not recorded where a breach explains about as much."""
    return _unexplained(case, candidates=case.candidates) if case.doubted else None


def is_recorded(case: Case) -> Reading:
    """Legal moves that explain it were made."""
    best, against = case.best, case.known.top - case.best.score
    return Reading(Status.MOVE, best.moves, candidates=case.candidates, against=against)


Verdict = Callable[[Case], Reading | None]

ON_BREACHES: Sequence[Verdict] = (
    hands_are_late,
    throw_is_missing,
    something_is_unsure,
    lies_differently,
    hardly_likelier,
    too_much_to_try,
    record_is_behind,
    turn_was_cleared_away,
    is_refused,
)
"""The verdicts where a breach is likelier than all that is legal."""

VERDICTS: Sequence[Verdict] = (
    may_be_a_move,
    lies_as_recorded,
    match_is_over,
    has_begun,
    against_the_rules,
    badly_seen,
    far_fetched,
    done_below_cover,
    one_of_many_pieces,
    was_concluded_wrongly,
    perhaps_nothing_happened,
    lifts_an_earlier_piece,
    stands_for_many,
    leaves_out_what_lay,
    told_by_what_follows,
    certain_so_far,
    more_than_can_be_asked,
    in_a_hand,
    people_decide,
    gave_up_too_soon,
    perhaps_a_breach,
    is_recorded,
)
"""All verdicts in the order in which they are tried."""


# -- answers that several give ----------------------------------------------------------------


def _missing() -> Reading:
    """People say it, or the next look does."""
    return Reading(Status.PENDING, doubt=MISSING)


def _asked(case: Case) -> Reading:
    """A question about the likely explanations, and what lies covered if a player seems to have
    passed; people say it where these are too many."""
    answers = (*case.candidates[:MOST_ANSWERS], *candidates(case.covered))
    if len(answers) > MOST_ANSWERS:
        return _missing()
    against = case.known.top - case.best.score
    return Reading(Status.AMBIGUOUS, candidates=answers, against=against)


def _unexplained(
    case: Case, doubt: str = "unexplained", candidates: tuple[Candidate, ...] = ()
) -> Reading:
    fixes = case.fixes(case.start)
    if not candidates and doubt == "unexplained":
        # Nobody stays stuck: what explains everything may be chosen, however unlikely.
        whole = [n for n in case.nodes if n.moves and not n.changed and not n.guessed]
        candidates = tuple(Candidate(n.moves, n.takeback) for n in whole[:MOST_WAYS_OUT])
    return Reading(Status.UNCLEAR, doubt=doubt, candidates=candidates, fixes=fixes)


def _nothing_new(case: Case) -> Reading:
    if case.late:
        seen, wanted = case.sighting.sites, case.start.wanted
        fixes = tuple(Fix(s, seen[s].best, wanted.get(s, EMPTY)) for s in case.late)
        return Reading(Status.PENDING, fixes=fixes)
    if case.on_the_board:
        return Reading(Status.UNCLEAR, doubt="stray")
    if case.match.waits_for_table and case.match.state.throw() is None:
        return Reading(Status.PENDING)  # Dice leave nothing half done: they are thrown at once.
    new, lies = case.new, case.start.lies
    awaited = {site for site in new if lies[site] is Lies.UNTOLD}
    if awaited and awaited <= case.awaiting:
        return Reading(Status.PENDING)  # The record is ahead of the hands.
    if awaited and (back := _taken_back(case, new)) is not None:
        return back
    if awaited or (new and case.hidden):
        return _missing()  # What is hidden may explain it.
    stays = {s: x for s, x in case.start.left.items() if s not in new or lies[s] is Lies.FOR_GOOD}
    return Reading(Status.SETTLED, left=stays)


def _taken_back(case: Case, new: AbstractSet[str]) -> Reading | None:
    """Hands that had time for no more took something back, unless something happened of which
    nothing shows; ``new``: what now lies otherwise."""
    if (back := case.taken_back(new)) is None:
        return None
    nodes = (back, *islice(unseen_ways(case), MOST_ANSWERS - 1))
    return Reading(Status.AMBIGUOUS, candidates=candidates(nodes))


def _beginning_of(case: Case, nodes: Sequence[Node], further: Sequence[Node] = ()) -> Reading:
    """The common beginning of ``nodes`` goes into the record, the rest is waited for.

    ``further``: what is less likely counts as well; what is left out now costs a touch only.
    """
    best, answers = nodes[0], candidates(nodes)
    near = (n for n in further if best.score - n.score < WORTH_SHOWING and not n.changed)
    nodes = [*nodes, *near]
    back = {node.takeback for node in nodes}
    retold = all(node.opening is not None for node in nodes)
    agreed: tuple[Move, ...] = ()
    if back == {0} or (retold and len(back) == 1):
        agreed = _common_beginning(_known(node) for node in nodes)
    closed = any(move.verb == "done" for move in agreed)
    if agreed and not closed and case.turns == 1:
        candidate = Candidate(agreed, best.takeback)
        return Reading(Status.MOVE, agreed, best.takeback, candidates=(candidate,))
    if any(node.guessed for node in nodes):
        return _missing()
    return Reading(Status.PENDING, candidates=answers, doubt=MISSING)


def _known(node: Node) -> tuple[Move, ...]:
    """The moves of ``node`` before the first that stands for many which were not all followed."""
    known = node.before_guess if node.guessed else node.moves
    return known[: node.one_of_many]


def _common_beginning(runs: Iterable[tuple[Move, ...]]) -> tuple[Move, ...]:
    """The moves that all ``runs`` begin with."""
    alike = takewhile(lambda moves: len(set(moves)) == 1, zip(*runs, strict=False))
    return tuple(moves[0] for moves in alike)


def _look_different(nodes: Sequence[Node]) -> bool:
    """True if each of these would look different, but for what the camera cannot tell."""
    return len({frozenset(node.wanted.items()) for node in nodes}) == len(nodes)


def _leaps(case: Case) -> bool:
    """True if so much is explained that the picture may show another match altogether.

    Laying out material may take many turns: that is one kind of move, again and again.
    """
    own = [move for move in case.best.moves if move.player is not None]
    return case.turns > MOST_TURNS and len({move.verb for move in own}) > 1
