"""The board as a view shows it: pieces, the marks over them, and what the last move revealed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist
from typing import NamedTuple

from companion.match.corrections.correction_path import arrows_of, extra, first_step, lacking, moved
from companion.match.layout_diff import Change, changes_of, own_places, sites_of
from companion.match.view import TableState, TableView
from companion.presentation.announcement import refusal
from companion.presentation.boxes import box_of, free_middle, room_kept
from companion.presentation.plan import Plan, Px, Slot
from companion.presentation.touching import Picked, targets, touched
from companion.presentation.words.company import tip_here
from companion.presentation.words.sentences import card_names, teller_of
from companion.presentation.words.translate import language
from rules.box import Box, window
from rules.core import Item, Move, Objection, Result
from rules.games import find_game
from rules.reading.reading import Fix

_LEAP = 2
"""Number of places of a move to the next one; a longer way passes others."""
_MOST_NAMED = 3
"""Maximum number of places that bear their names at once."""


@dataclass(frozen=True, slots=True)
class Middle:
    """The aim of a game in the middle of its ring."""

    aim: str
    part: tuple[float, float, float, float]
    """Left, bottom, right, top of where nothing lies, mm."""


@dataclass(frozen=True, slots=True)
class Arc:
    """Places side by side that are the points of one side."""

    sites: tuple[str, ...]
    told: str
    """The points."""
    active: bool
    """True if it is the turn of this side."""
    added: tuple[str, ...] = ()
    """Places that the move in the hand would add."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a board widget draws."""

    box: Box
    colours: tuple[str, ...] = ()
    """Colour per seat."""
    items: tuple[Item, ...] = ()
    ghosts: tuple[Item, ...] = ()
    """Pieces that are wanted or proposed, drawn faintly."""
    last: frozenset[str] = frozenset()
    """The place where the last turn ended; one at most."""
    ways: tuple[tuple[str, ...], ...] = ()
    """Places that a piece has passed in the last turn, or would pass from the hand."""
    targets: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    """Words within the rings of targets: what a touch there says."""
    hints: frozenset[str] = frozenset()
    """Sites of moves that the game points out."""
    asked: frozenset[str] = frozenset()
    """Sites a question is about."""
    picked: frozenset[str] = frozenset()
    flags: Mapping[str, str] = field(default_factory=dict)
    """Numbers of answers beside the sites they are about."""
    wrong: frozenset[str] = frozenset()
    verdicts: Mapping[str, bool] = field(default_factory=dict)
    """Sites where something came to light, and whether it is good."""
    arrows: tuple[tuple[str, str], ...] = ()
    """From the wrong site to the right one."""
    reserved: frozenset[str] = frozenset()
    """Places beside the board that have their room even while nothing lies there."""
    touchable: frozenset[str] = frozenset()
    """Places that a touch may mean though nothing glows there."""
    sets: tuple[frozenset[str], ...] = ()
    """Places that are entered together …"""
    begun: frozenset[str] = frozenset()
    """… and those of them where some are entered and others are not yet."""
    close: bool = False
    """True if only the board itself is shown, as large as there is room, without what lies beside
    it."""
    signs: tuple[tuple[str, tuple[float, float]], ...] = ()
    """Large words on the board, and where, in mm: what is printed there is small."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of cards, by kind, if they are not printed on them."""
    supplies: tuple[Mapping[str, int], ...] = ()
    """Pieces in front of each player, by kind; they are not drawn, but come from there."""
    middle: Middle | None = None
    arcs: tuple[Arc, ...] = ()


def bare_scene(box: Box) -> Scene:
    """The empty board."""
    return Scene(window(box, ()))


def beside(scene: Scene) -> frozenset[str]:
    """Places beside the board that something lies at, or that are marked."""
    used = {item.site for item in (*scene.items, *scene.ghosts)}
    used |= scene.last | scene.targets | scene.hints | scene.asked | scene.picked | scene.wrong
    sites = scene.box.sites
    return frozenset(s for s in used if s in sites and scene.box.is_beside_board(sites[s]))


def scene_of(view: TableView, picked: Picked, about: Mapping[str, str] | None = None) -> Scene:
    """The board for ``view`` while the finger holds ``picked``.

    ``about``: the places that a question is about, and what they are called.
    """
    box = box_of(view)
    scene = Scene(
        box, view.colours, view.items, last=_last_sites(view, box),
        reserved=room_kept(view), supplies=view.supplies, arcs=arcs_of(view),
    )  # fmt: skip
    match view.state:
        case TableState.ILLEGAL:
            wrong = frozenset(offending(view, box))
            return replace(
                scene,
                items=_with_seen(view.items, view.fixes, box, view.colours),
                ghosts=_wanted(view.fixes, box, view.colours),
                wrong=wrong,
                last=frozenset(),
                arrows=arrows_of(view.fixes),
                picked=frozenset(picked.sites),
                # What was only touched is put right by touching something else.
                targets=frozenset() if view.fixes else targets(view, box, picked),
                flags=_named(view, box),
                asked=_listed(view, box) - wrong,
            )
        case TableState.PENDING | TableState.DESYNC:
            desync = view.state is TableState.DESYNC
            # A board in disorder is put right one piece at a time.
            fixes = first_step(view.fixes) if desync else view.fixes
            stray = frozenset(fix.site for fix in fixes if extra(fix))
            return replace(
                scene,
                items=_with_seen(view.items, view.fixes, box, view.colours),
                ghosts=_wanted(fixes, box, view.colours),
                asked=frozenset(fix.site for fix in fixes) - stray,
                wrong=stray if desync else frozenset(),
                arrows=arrows_of(fixes),
                picked=frozenset(picked.sites),
            )
        case TableState.PROPOSED if view.candidates:
            change = changes_of(view, box)[0]
            return replace(
                scene,
                ghosts=tuple(change.gained.elements()),
                asked=frozenset(change.sites),
                arrows=moved(change.lost, change.gained),
                last=frozenset(),
            )
        case TableState.AMBIGUOUS:
            changes = changes_of(view, box)
            asked = frozenset(site for change in changes for site in change.sites)
            places = own_places(changes)
            flags = {site: str(n) for n, site in enumerate(places, 1) if site}
            return replace(scene, asked=asked, flags=flags, last=frozenset())
    if about:
        return replace(scene, asked=frozenset(about), flags=about)
    return replace(
        scene,
        targets=targets(view, box, picked),
        hints=frozenset(s for move in _pointed_out(view) for s in touched(move, view, box)),
        picked=frozenset(picked.sites),
        ways=_ways(view, box, picked),
    )


def middle_of(view: TableView, lang: str) -> Middle | None:
    """The aim for the middle of the board; None where something lies there."""
    part = free_middle(box_of(view))
    return None if part is None else Middle(teller_of(view, lang).tagline, part)


def arcs_of(view: TableView) -> tuple[Arc, ...]:
    """The points of each side that are seen on the board."""
    if not any(view.standings):
        return ()
    sides = find_game(view.game).sides(view.players, view.options)
    return tuple(
        Arc(view.standings[side[0]], str(view.scores[side[0]]), view.asked in side)
        for side in sides
        if view.standings[side[0]]
    )


def arcs_after(arcs: Iterable[Arc], view: TableView, moves: Iterable[Move]) -> Iterator[Arc]:
    """The same arcs, with the places that ``moves`` of the player asked would add to theirs."""
    then = [view.ahead.standing(move) for move in moves] if view.ahead is not None else []
    for arc in arcs:
        grown = [sites for sites in then if arc.active and len(sites) > len(arc.sites)]
        added = dict.fromkeys(site for sites in grown for site in sites if site not in arc.sites)
        yield replace(arc, added=tuple(added))


def _ways(view: TableView, box: Box, picked: Picked) -> tuple[tuple[str, ...], ...]:
    """The way of the last piece that moved; while one is held the leaps that it may take."""
    found = [view.last_way]
    if picked.sites:
        held = [move for move in view.legal if touched(move, view, box)[:1] == picked.sites]
        ways = [view.ahead.way(move) for move in held] if view.ahead is not None else []
        found = [way for way in ways if len(way) > _LEAP]
    return tuple(way for way in found if len(way) > 1 and {*way} <= box.sites.keys())


def _pointed_out(view: TableView) -> tuple[Move, ...]:
    """Moves that the game points out, or else the tip that was asked for."""
    tip = tip_here(view)
    if tip is None or tip.choice is None:
        return view.hints
    return (tip.choice.move,)


def preview_scene(view: TableView, number: int, change: Change) -> Scene:
    """The board as it would be after the candidate of this ``number``, with what it changes."""
    ways = moved(change.lost, change.gained)
    left = {start for start, _end in ways}
    taken = {item.site for item in change.gained}
    gone = tuple(item for item in change.lost if item.site not in taken)
    asked = frozenset(change.sites) - left
    return Scene(
        box_of(view), view.colours, view.previews[number], gone, asked=asked, arrows=ways,
        names=card_names(view, language()),
    )  # fmt: skip


def offending(view: TableView, box: Box) -> tuple[str, ...]:
    """The sites a refusal is about."""
    if view.fixes:
        return tuple(fix.site for fix in view.fixes if extra(fix) or not fix.wanted) or tuple(
            fix.site for fix in view.fixes
        )
    if view.refused is not None:
        return sites_of(view.refused, box)
    return ()


def _named(view: TableView, box: Box) -> dict[str, str]:
    """The places that the words of a refusal name, with their names; no more than can stand apart
    from each other."""
    values = _values(view)
    asked = () if view.refused is None else sites_of(view.refused, box)
    places = [box.sites[site] for site in dict.fromkeys((*asked, *values)) if site in box.sites]
    named = [place for place in places if place.label]
    return {place.id: place.label for place in named[:_MOST_NAMED]}


def _listed(view: TableView, box: Box) -> frozenset[str]:
    """The places that a refusal lists: where one could go, what is still open."""
    lists = [value.split(",") for value in _values(view) if "," in value]
    return frozenset(s for found in lists if set(found) <= set(box.sites) for s in found)


def _values(view: TableView) -> list[str]:
    """Sites that the words of a refusal are about."""
    refused = refusal(view)
    objection = None if refused is None else refused.subject
    params = objection.params if isinstance(objection, Objection) else ()
    return [str(value) for _key, value in params]


def _last_sites(view: TableView, box: Box) -> frozenset[str]:
    """The place where the last turn ended; a number may name a site of another game of the same
    box."""
    own = () if view.last is None else sites_of(view.last, box)
    # Games tell the places of a move in any order.
    found = [site for site in own if site in view.last_sites] or sorted(view.last_sites)
    # Where a piece ended says more than what it left behind.
    found += view.last_way[-1:]
    return frozenset([site for site in found if site in box.sites][-1:])


def _owner(kind: str, box: Box, colours: tuple[str, ...]) -> int | None:
    owner = box.kinds[kind].owner
    return colours.index(owner) if owner in colours else None


def _with_seen(
    items: tuple[Item, ...], fixes: tuple[Fix, ...], box: Box, colours: tuple[str, ...]
) -> tuple[Item, ...]:
    """The agreed pieces, except that sites with a fix show what was seen."""
    fixed = {fix.site for fix in fixes}
    kept = [item for item in items if item.site not in fixed]
    seen = [
        Item(fix.site, glimpse.kind, _owner(glimpse.kind, box, colours), pose=glimpse.pose)
        for fix in fixes
        for glimpse in fix.seen
        if glimpse.kind in box.kinds
    ]
    return (*kept, *seen)


def _wanted(fixes: tuple[Fix, ...], box: Box, colours: tuple[str, ...]) -> tuple[Item, ...]:
    return tuple(
        Item(fix.site, glimpse.kind, _owner(glimpse.kind, box, colours), pose=glimpse.pose)
        for fix in fixes
        if not extra(fix)
        for glimpse in lacking(fix.wanted, fix.seen)
        if glimpse.kind in box.kinds
    )


_CALM = (TableState.SETTLED, TableState.PENDING, TableState.HAND, TableState.BLIND)
"""States in which nothing else must be read first."""


class SeenResults:
    """Results that were put away; taking a move back and playing it again shows none twice."""

    def __init__(self) -> None:
        self._match = ""
        self._seen: set[tuple[int, Result]] = set()

    def waiting(self, view: TableView) -> Result | None:
        """The result that was not put away yet, if now is the time for it."""
        result = view.result
        if result is None or view.state not in _CALM or self._put_away(view, result):
            return None
        return result

    def put_away(self, view: TableView) -> None:
        """Notes that the result of ``view`` was seen."""
        if view.match_id != self._match:
            self._match, self._seen = view.match_id, set()
        if view.result is not None:
            self._seen.add((view.result_ply, view.result))

    def _put_away(self, view: TableView, result: Result) -> bool:
        return view.match_id == self._match and (view.result_ply, result) in self._seen


def scene_with(scene: Scene, result: Result) -> Scene:
    """The board with what lay open when the result came, and the result marked."""
    shown = [(site, kind) for site, kind in (*result.beside, (result.site, result.kind))]
    shown = [(site, kind) for site, kind in shown if _lies(scene, site, kind)]
    sites = {site for site, _kind in shown}
    kept = tuple(item for item in scene.items if item.site not in sites)
    marks = {result.site: result.good} if result.site in scene.box.sites else {}
    scene = replace(
        scene, items=(*kept, *(Item(site, kind) for site, kind in shown)), verdicts=marks,
        last=scene.last - set(marks),
    )  # fmt: skip
    # Where the next player may go is shown when they have the screen.
    return scene if result.goes_on else replace(scene, targets=frozenset(), hints=frozenset())


def _lies(scene: Scene, site: str, kind: str) -> bool:
    """True if it is a card, and one that lies there: another may only have pointed at the place."""
    known, place = scene.box.kinds.get(kind), scene.box.sites.get(site)
    if known is None or place is None:
        return False
    return known.shape == "card" and known.group in place.takes


# -- ways of pieces from one scene to the next -------------------------------------------------


class Way(NamedTuple):
    """The way of a piece, px."""

    slot: Slot
    """The piece where it lies, or lay."""
    start: Px | None
    """None: it appears."""
    end: Px | None
    """None: it is gone for good."""
    lies: bool = True
    """True if it lies on the board in the end."""
    walks: bool = False
    """True if it lay there before, too."""


def ways_between(
    before: Scene, after: Scene, plan: Plan, seats: Mapping[int, Px]
) -> tuple[Way, ...]:
    """The ways of all pieces that are not where they were; ``seats``: the places of players beside
    the board."""
    old, new = Counter(before.items), Counter(after.items)
    going = plan.slots(tuple((old - new).elements()))
    coming = plan.slots(tuple((new - old).elements()))
    pairs = [(one, to) for one in going for to in coming if one.item.kind == to.item.kind]
    ways = []
    # The shortest first, so that of several alike each goes to what is next to it.
    for one, to in sorted(pairs, key=lambda pair: dist(pair[0].at, pair[1].at)):
        if one in going and to in coming:
            going.remove(one)
            coming.remove(to)
            ways.append(Way(to, one.at, to.at, walks=True))
    gave, got = _changed(before.supplies, after.supplies), _changed(after.supplies, before.supplies)
    ways += [Way(slot, _seat(slot.item, gave, seats), slot.at) for slot in coming]
    ways += [Way(slot, slot.at, _seat(slot.item, got, seats), lies=False) for slot in going]
    return tuple(ways)


def _changed(
    one: Sequence[Mapping[str, int]], other: Sequence[Mapping[str, int]]
) -> dict[str, list[int]]:
    """For each kind the seats that had more of it in ``one`` than in ``other``."""
    found: dict[str, list[int]] = {}
    for seat, (here, there) in enumerate(zip(one, other, strict=False)):
        for kind, count in here.items():
            found.setdefault(kind, []).extend([seat] * (count - there.get(kind, 0)))
    return found


def _seat(item: Item, changed: dict[str, list[int]], seats: Mapping[int, Px]) -> Px | None:
    """The place of a player whose supply of such a piece has changed, each counted once."""
    left = changed.get(item.kind)
    return seats.get(left.pop(0)) if left else None
