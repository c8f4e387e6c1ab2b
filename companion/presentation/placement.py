"""Pieces laid openly in a set-up, entered by touch: a kind is chosen, then the places where it
lies. It knows no game.

Nothing of it is in the record before it is complete, so that the places may be touched in any
order. What can lie nowhere else lies there by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.match.view import TableView
from companion.presentation.scene import Scene
from rules.box import Box, Site
from rules.core import Item, Move, Spread

_REACH = 3.5
"""Distance up to which a touch means the nearest place, in sizes of that place."""

_OUTSIDE = 1.95
"""Distance of a place's name from it, in sizes of the place."""


@dataclass(frozen=True, slots=True)
class Laying:
    """The touches so far, and the kind that the next touch lays."""

    match_id: str
    spread: Spread
    kind: str = ""
    touched: tuple[tuple[str, str], ...] = ()
    """Site and kind, in the order of the touches."""
    before: Laying | None = None
    """State before the last touch of a place."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind that is to be laid, in the order of the game."""
        return tuple(dict.fromkeys(k for may in self.spread.moves.values() for k in may))

    @property
    def lying(self) -> dict[str, str]:
        """Kind at each site: as touched, or because it can lie nowhere else."""
        found = dict(self.touched)
        for sites in self.spread.sets:
            free = [site for site in self.spread.moves if site in sites and site not in found]
            if len(free) == 1:
                taken = {found[site] for site in sites if site in found}
                found[free[0]] = next(iter(self._may(free[0]) - taken))
        return found

    @property
    def left(self) -> dict[str, int]:
        """Number of each kind that does not lie yet."""
        lying = [*self.lying.values()]
        return {kind: len(self._sets_with(kind)) - lying.count(kind) for kind in self.kinds}

    @property
    def open(self) -> frozenset[str]:
        """Empty places where the chosen kind may lie."""
        lying = self.lying
        return frozenset(
            site
            for sites in self._sets_with(self.kind)
            if self.kind not in {lying.get(site) for site in sites}
            for site in sites
            if site not in lying and self.kind in self._may(site)
        )

    @property
    def begun(self) -> frozenset[str]:
        """The set of the last touch, until all of it lies."""
        site = self.touched[-1][0] if self.touched else ""
        sets = (sites for sites in self.spread.sets if site in sites and not sites <= {*self.lying})
        return next(sets, frozenset())

    @property
    def moves(self) -> tuple[Move, ...]:
        """Moves to enter when everything lies; empty before."""
        lying = self.lying
        if len(lying) < len(self.spread.moves):
            return ()
        return tuple(may[lying[site]] for site, may in self.spread.moves.items())

    # -- touching ---------------------------------------------------------------------------

    def choose(self, kind: str) -> Laying:
        """This kind is laid from now on."""
        return replace(self, kind=kind)

    def touch(self, site: str) -> Laying:
        """The chosen kind is laid at a place, or what was laid there is taken up. In one set no
        kind lies twice: it goes from where it was."""
        was = dict(self.touched)
        if was.get(site) is not None and self.kind in ("", was[site]):
            kind = was.pop(site)
            return replace(self, kind=kind, touched=tuple(was.items()), before=self)
        if self.kind not in self._may(site):
            return self
        if self.lying.get(site) == self.kind:
            # It lies there by itself; there is nothing to take up.
            return self
        same = next(sites for sites in self.spread.sets if site in sites)
        kept = {s: k for s, k in was.items() if s != site and not (s in same and k == self.kind)}
        after = replace(self, touched=(*kept.items(), (site, self.kind)), before=self)
        return after.choose(after._next_kind(same))

    def back(self) -> Laying:
        """One touch of a place less."""
        return self if self.before is None else self.before

    def place_at(self, site: str, box: Box) -> str | None:
        """The place that a touch of ``site`` means: itself, or the nearest one, such as below a
        number."""
        if site in self.spread.moves or site not in box.sites:
            return site if site in self.spread.moves else None
        at = box.sites[site].at

        def away(place: str) -> float:
            x, y = box.sites[place].at
            return float(((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5)

        nearest = min(self.spread.moves, key=away)
        return nearest if away(nearest) <= _REACH * _size(box.sites[nearest]) else None

    # -- private ----------------------------------------------------------------------------

    def _may(self, site: str) -> frozenset[str]:
        return frozenset(self.spread.moves[site])

    def _sets_with(self, kind: str) -> list[frozenset[str]]:
        return [sites for sites in self.spread.sets if any(kind in self._may(s) for s in sites)]

    def _next_kind(self, last: frozenset[str]) -> str:
        """The next kind in order for the set that was touched ``last``, whose places are beside
        each other; where that is complete the first one of which there is more."""
        lying, left = self.lying, self.left
        here = {kind for site in last for kind in self._may(site)} - {lying.get(s) for s in last}
        return next((k for k in self.kinds if left[k] and (k in here or not here)), "")


def laying_of(view: TableView, before: Laying | None) -> Laying | None:
    """The laying for ``view`` so far; None if nothing is asked for that is laid.

    ``before``: what was laid earlier, so that an entry that was taken back is as it was.
    """
    spread = view.spread
    if spread is None:
        return None
    if before is not None and (before.match_id, before.spread) == (view.match_id, spread):
        return before
    fresh = Laying(view.match_id, spread)
    return fresh.choose(fresh.kinds[0])


def scene_while(scene: Scene, laying: Laying) -> Scene:
    """The board with what was laid so far; where the chosen kind may lie glows, and every place may
    be meant."""
    laid = tuple(Item(site, kind) for site, kind in laying.lying.items())
    places = frozenset(laying.spread.moves)
    scene = replace(
        scene, items=(*scene.items, *laid), targets=laying.open, last=frozenset(), touchable=places,
        sets=laying.spread.sets, begun=laying.begun,
    )  # fmt: skip
    return scene_close(scene, laying)


def scene_close(scene: Scene, laying: Laying) -> Scene:
    """The board alone, as large as there is room, with the names of its places: for entering what
    lies there, or putting it down."""
    return replace(scene, close=True, signs=tuple(_signs(laying.spread, scene.box)))


def _signs(spread: Spread, box: Box) -> Iterator[tuple[str, tuple[float, float]]]:
    """Name of each place in its moves, and a point for it outside the round of all of them."""
    sites = [box.sites[site] for site in spread.moves]
    middle = tuple(sum(site.at[axis] for site in sites) / len(sites) for axis in (0, 1))
    for site in sites:
        move = next(iter(spread.moves[site.id].values()))
        out = (site.at[0] - middle[0], site.at[1] - middle[1])
        far = 1 + _OUTSIDE * _size(site) / max((out[0] ** 2 + out[1] ** 2) ** 0.5, 1.0)
        yield move.args[0], (middle[0] + out[0] * far, middle[1] + out[1] * far)


def _size(site: Site) -> float:
    return 2 * site.radius if site.size is None else max(site.size)
