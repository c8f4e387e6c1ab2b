"""Checks that the table, the players and the box have the same material."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from rules.box import Box, covered, is_cell
from rules.core import Actor, Item, Layout, Move
from rules.testing.relations.agreement import check_agreement
from rules.testing.report import Place, Report, canonical


class Pieces:
    """The pieces of one match, followed from position to position."""

    def __init__(self, box: Box, report: Report) -> None:
        self._box, self._report = box, report
        self._before: tuple[Counter[str], Layout, Move] | None = None
        self._owned: set[str] = set()
        """Kinds that belong to a colour and lay before a player."""
        self._laid: set[str] = set()
        """Kinds that have lain on the table."""

    def look(self, state: Any, players: int, here: str, move: Move | None) -> None:
        """Count what there is before ``move`` is played; None at the end."""
        lying, layout = Counter[str](), state.layout()
        if self._before is not None:
            prompt, (_, before, made) = state.prompt(), self._before
            following = None if prompt is None else prompt.player
            self._report.ways.note(players, made, before, layout, following)
        for item, number in layout.items():
            lying[item.kind] += number
            self._report.sites.add(item.site)
        self._count(lying, here)
        held = self._supplies(state, players, here)
        for kind in lying:
            self._report.kinds[kind] += not self._report.kinds[kind]
        self._owned |= {
            kind for kind in held if kind in self._box.kinds and self._box.kinds[kind].owner
        }
        total = lying + held
        # A kind that never lies on the table is a stock, such as discs that count points.
        self._laid |= lying.keys()
        for kind in self._owned & self._laid:
            self._compare(kind, total[kind], here)
        self._before = None if move is None else (total, layout, move)

    def _count(self, lying: Counter[str], here: str) -> None:
        for kind, number in lying.items():
            if kind in self._box.kinds and number > self._box.kinds[kind].count:
                self._report.add(
                    f"{here}: {number} of {kind} lie on the table, the box holds "
                    f"{self._box.kinds[kind].count}",
                    "Show in layout what is there, or give the box so many",
                )

    def _supplies(self, state: Any, players: int, here: str) -> Counter[str]:
        report, held = self._report, Counter[str]()
        for seat in range(players):
            supply = state.supply(seat)
            for kind, number in supply.items():
                if kind not in self._box.kinds:
                    told = f"the supply of seat {seat} names '{kind}', which the box does not have"
                    report.add(f"{here}: {told}", "Name kinds of the box in supply")
                if number < 0:
                    told = f"seat {seat} has {number} of {kind}"
                    report.add(f"{here}: {told}", "Let apply take only what is there")
                report.kinds[kind] = max(report.kinds[kind], number)
            held += supply
        return held

    def _compare(self, kind: str, now: int, here: str) -> None:
        """Pieces that players put down come from a supply: none that belongs to a colour is new."""
        remedy = "Take from supply what layout shows on the table, and in the same colour"
        held = self._box.kinds[kind].count
        if now > held:
            self._report.add(f"{here}: there are {now} of {kind}, the box holds {held}", remedy)
        if self._before is None:
            return
        total, _, move = self._before
        if move.actor is Actor.PLAYER and 0 < total[kind] < now:
            told = f"{move} makes {kind} more, {now} instead of {total[kind]}"
            self._report.add(f"{here}: {told} on the table and before the players", remedy)


HEAP = 12
"""Number of cards that do not lie face down side by side."""


def check_effect(place: Place) -> None:
    """Check what the move changes on the table, what it scores, and who may know it."""
    state, move, box = place.state, place.move, place.box
    after = state.clone()
    after.apply(move)
    same = canonical(after.to_json()) == canonical(state.to_json())
    if same and move.actor is Actor.PLAYER:
        place.wrong(
            f"{move} changes nothing in the state",
            "Let apply carry the move out, and to_json write what it changed",
        )
    before_layout, after_layout = state.layout(), after.layout()
    changed = {
        item.site for item in (before_layout - after_layout) + (after_layout - before_layout)
    }
    named = set(state.touches(move))
    place.report.habits.touched(named, changed)
    occupied = {item.site for item in before_layout}
    place.report.habits.stayed(move.verb, (named - changed) & occupied)
    place.report.habits.idle.setdefault(move.verb, []).append(len(named - changed))
    if after.layout_at(named) != Counter(
        {i: n for i, n in after_layout.items() if i.site in named}
    ):
        place.wrong(
            f"after {move} layout_at({sorted(named)[:5]}) is not what layout has there",
            "Let layout_at return those items of layout that lie at these sites",
        )
    if missing := changed - named:
        place.wrong(
            f"{move} changes {sorted(missing)} but touches only {sorted(named)}",
            "Let touches name every site that a move may change",
        )
    if strange := named - set(box.sites):
        place.wrong(
            f"{move} touches {sorted(strange)[:5]}, which the box does not have",
            "Name sites of the box in touches",
        )
    elif move.actor is Actor.PLAYER and named and not changed:
        place.wrong(
            f"{move} should change {sorted(named)[:5]} and does not",
            "Show in layout what a move puts down, or name nothing in touches",
        )
    for item, number in after_layout.items():
        if item.site not in box.sites:
            place.wrong(
                f"the layout names a site '{item.site}' the box does not have",
                "Name sites of the box in layout",
            )
        elif item.kind not in box.kinds:
            place.wrong(
                f"the layout names a kind '{item.kind}' the box does not have",
                "Name kinds of the box in layout",
            )
        elif item.owner is not None and _of_another(place, item):
            colour = place.colours[item.owner]
            place.wrong(
                f"{item.kind} lies at {item.site} as {colour}'s, but belongs to "
                f"{box.kinds[item.kind].owner} in the box",
                "Let colours, the box's owners and the owner of each Item say the same",
            )
        elif item.pose and item.pose not in box.kinds[item.kind].poses:
            place.wrong(
                f"{item.kind} lies {item.pose} at {item.site}, and has the poses "
                f"{box.kinds[item.kind].poses} in the box",
                "Name a pose of the kind in layout, or add it to 'poses' in the box file",
            )
        elif item.seen and _lacks_pose(place, item):
            place.wrong(
                f"{item.kind} lies at {item.site} in no pose, and has the poses "
                f"{box.kinds[item.kind].poses} in the box",
                "Name the pose in layout, or take 'poses' out of the box file",
            )
        elif number < 1:
            place.wrong(
                f"the layout has {number} of {item.kind} at {item.site}",
                "Leave out of layout what is not there",
            )
        elif item.seen and box.kinds[item.kind].group not in box.sites[item.site].takes:
            place.wrong(
                f"{item.site} does not take {item.kind} in the box file",
                "Add the group to 'takes' of the site, or lay the piece elsewhere",
            )
    check_agreement(place, before_layout, after_layout)
    _check_room(place, after_layout)
    _check_cells(place, after_layout)
    _check_stacks(place, after_layout)
    _check_scores(place, after)


def _check_room(place: Place, layout: Layout) -> None:
    """Check that no more pieces lie at a site than it has room for; cards lie on each other."""
    beside, there = Counter[tuple[str, int]](), Counter[str]()
    for item, number in layout.items():
        kind = place.box.kinds.get(item.kind)
        if kind is not None and kind.shape != "card" and item.seen:
            beside[item.site, item.level] += number
            there[item.site] += number
    for (name, _), number in beside.items():
        if (site := place.box.sites.get(name)) is None:
            continue
        found, most = (there[name], site.heap) if site.heap else (number, site.room)
        if found > most:
            place.wrong(
                f"{found} pieces lie at {name}, which has room for {most} in the box file",
                "Give the site more 'room', or 'heap' if they may lie on each other",
            )


def _check_cells(place: Place, layout: Layout) -> None:
    """Check that no piece over several cells lies where another does, or beyond the lattice."""
    box, taken = place.box, dict[tuple[str, int], Item]()
    for item in layout:
        kind = box.kinds.get(item.kind)
        if kind is None or not is_cell(box, item.site):
            continue
        for site in covered(kind, item.site, item.pose):
            other = taken.setdefault((site, item.level), item)
            if site not in box.sites or (other is not item and (kind.cells or _wide(box, other))):
                told = f"{item.kind} at {item.site} covers {site}, "
                told += "which the box does not have" if other is item else f"as {other.kind} does"
                place.wrong(told, "Refuse what overlaps, and let 'reach' hold all that is laid")


def _wide(box: Box, item: Item) -> bool:
    return bool(box.kinds[item.kind].cells)


def _lacks_pose(place: Place, item: Item) -> bool:
    """Another game with the same box may know more poses of a piece."""
    own = Path(place.game.box).is_absolute()
    return own and not item.pose and len(place.box.kinds[item.kind].poses) > 1


def _check_stacks(place: Place, layout: Layout) -> None:
    """Check that a stack covers what is below, and that a camera sees the uppermost alone."""
    stacks: dict[str, list[Item]] = {}
    for item in layout:
        stacks.setdefault(item.site, []).append(item)
    for site, items in stacks.items():
        if any(item.kind not in place.box.kinds for item in items):
            continue
        top = max(items, key=lambda item: item.level)
        if not top.seen and any(item.seen and item.level < top.level for item in items):
            place.wrong(
                f"{top.kind} is uppermost at {site} and not seen, but what is below it is",
                "Count levels from 0 at the bottom, and let the uppermost be seen",
            )
        for item in items:
            size, above = place.box.kinds[item.kind].size, place.box.kinds[top.kind].size
            if item.seen and top.seen and item.level < top.level and min(above) > max(size):
                place.wrong(
                    f"{item.kind} is seen at {site} below {top.kind}, which covers it",
                    "Let seen be False of what lies below another piece",
                )
            backs = item.face == "down" and layout[item] > HEAP and item.seen
            if backs and place.box.kinds[item.kind].shape == "card":
                place.wrong(
                    f"{layout[item]} of {item.kind} are seen at {site}, face down",
                    "Let seen be False of all cards of a pile but the uppermost",
                )


def _of_another(place: Place, item: Item) -> bool:
    """True if a piece lies as that of a seat of another colour; cards go from hand to hand."""
    kind = place.box.kinds[item.kind]
    assert item.owner is not None
    mine = kind.owner not in place.colours or place.colours[item.owner] == kind.owner
    return kind.shape != "card" and not mine


def _check_scores(place: Place, after: Any) -> None:
    scores, lines = after.scores(), after.explain_scores()
    if place.move.player is not None:
        for seat, (was, now) in enumerate(zip(place.state.scores(), scores, strict=False)):
            place.report.habits.gains[seat == place.move.player] += now > was
    if not place.game.counts_points and (any(scores) or lines):
        place.wrong(
            f"the game counts no points, but there are scores {scores} and {len(lines)} lines",
            "Let scores be nought for everybody and explain_scores empty, or drop counts_points",
        )
    if len(scores) != place.match.players:
        place.wrong(
            f"there are {len(scores)} scores for {place.match.players} players",
            "Let scores have one number for each seat",
        )
        return
    for seat, points in enumerate(scores):
        told = sum(line.points for line in lines if line.player == seat)
        if told != points:
            place.wrong(
                f"seat {seat} has {points} points, but those explained to it add up to {told}",
                "Give every score line to the seat that scores it, with all of its points",
            )
    if idle := [line for line in lines if not line.points and not line.params]:
        place.report.hint(
            f"a score line '{idle[0].code}' says 0",
            "Leave out of explain_scores what brings nothing, or say in it what it is about",
        )
    if strange := {line.player for line in lines} - set(range(len(scores))):
        place.wrong(
            f"there are score lines for the seats {sorted(strange)}",
            "Give every score line to the seat that scores it, with all of its points",
        )
    place.tell(lambda t: [t.score_line(line) for line in lines])
