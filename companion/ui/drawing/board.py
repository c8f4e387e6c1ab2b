"""The board, drawn from its box file, with pieces and marks; tells which site was touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import dist, inf
from operator import lt
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup
from kivy.uix.widget import Widget

from companion.presentation.plan import Plan, Px, Slot, lights, part_around, part_with, too_close
from companion.presentation.scene import Scene, Way, beside, ways_between
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.flights import Flights
from companion.ui.drawing.ground import BoardGround
from companion.ui.drawing.ink import Round, disc
from companion.ui.drawing.lights import Cover, Light, draw_lights, draw_way_back
from companion.ui.drawing.marks import (
    Pulse,
    draw_arc,
    draw_arrow,
    draw_cross,
    draw_flags,
    draw_middle,
    draw_ring,
    draw_verdict,
    draw_ways,
)
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.drawing.still import Still
from companion.ui.theme.style import style
from hardware.rhythm import Rhythm
from rules.box import Site
from rules.core import Item

_FRAME_S = 1 / 20
"""Seconds between two drawings of signals."""

_CROWDED = 0.4
"""Radius of a light where a finger does not tell them all apart, in ways to the next one."""
_RING = 1.12
"""Size of a ring of lights around a piece that lies there, in sizes of its place."""
_SMALLER, _CRUSHED = 0.4, 0.5
"""Shares by which a piece is smaller at a player, and when it is gone for good."""


class Board(Widget):  # type: ignore[misc]
    """Draws a ``Scene``, scaled to fit; ``on_site`` hears of touches, ``on_bare`` of those where
    no site is.

    ``ground``: the ``Ground`` behind it. A board that knows its ground draws what stands still only
    once, so that a piece moves smoothly even without a graphics card.
    """

    def __init__(
        self,
        on_site: Callable[[str], None] | None = None,
        *,
        on_bare: Callable[[], None] | None = None,
        ground: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._placed = "size" in kwargs
        """False until it has a place: at the size that Kivy begins with nothing is drawn."""
        self.scene: Scene | None = None
        self._on_site, self._on_bare = on_site, on_bare
        self.part: tuple[float, float, float, float] | None = None
        """Left, bottom, right, top in mm of what it shows; None: everything."""
        self._closer: tuple[float, float, float, float] | None = None
        """The same while the finger chooses among places that are close to each other."""
        self._plan: Plan | None = None
        self._beside: frozenset[str] = frozenset()
        self._base, self._pieces = InstructionGroup(), InstructionGroup()
        self._ground = BoardGround(self._base)
        self._landed, self._marks = InstructionGroup(), InstructionGroup()
        self._pieces_of: tuple[object, ...] = ()
        """Everything that the drawing of the pieces depends on, as they are drawn."""
        cover, moving = InstructionGroup(), InstructionGroup()
        self._cover = Cover(self.canvas, cover)
        still = (self._base, self._pieces)
        self._still = None if ground is None else Still(self.canvas, ground, still)
        for group in (*(still if ground is None else ()), self._landed, cover, moving, self._marks):
            self.canvas.add(group)
        self._pulses: list[Pulse] = []
        self._pulse_clock: Any = None
        self._pulse_s = 0.0
        self._flights = Flights(moving, self._draw_way, self._arrive)
        self._touched: dict[int, str | None] = {}
        self.lit: tuple[Light, ...] = ()
        """The lights as they are drawn."""
        self._lights: Mapping[str, Px] = {}
        self._lights_of: tuple[object, ...] = ()
        # Place and size come one after the other, and often several times until all is laid out.
        place_soon = Clock.create_trigger(self._placed_anew, -1)
        self.bind(pos=place_soon, size=place_soon)
        self._drawn_for: object = None
        """The choices that it was drawn for."""
        style.bind(chosen=self._restyle)

    # -- showing --------------------------------------------------------------------------

    def show(self, scene: Scene, seats: Mapping[int, Px] | None = None) -> None:
        """Draw ``scene``; pieces that changed move there, from and to the players at ``seats``
        too."""
        before, self.scene = self.scene, scene
        if before == scene and self._drawn_for == style.chosen:
            return
        same = before is not None and before.box is scene.box
        if not (same and scene.touchable):
            self._closer = self._close_to(scene) if same and self.enlarged else None
        elif self.enlarged:
            self._go_on()
        # Once in use a place stays in the picture, or the board would move back and forth.
        self._beside = (self._beside if same else scene.reserved) | beside(scene)
        if same and before is not None and before.items != scene.items and style.chosen.animations:
            self._flights.start(ways_between(before, scene, self.plan, seats or {}))
        elif not same or before is None or before.items != scene.items:
            self._flights.stop()
        self._redraw()

    @property
    def plan(self) -> Plan:
        """Positions of everything on the board now."""
        assert self.scene is not None
        margin = style.grid / 2
        beside = frozenset[str]() if self.scene.close else self._beside
        plan = Plan(
            self.scene.box, self.x, self.y, self.width, self.height, margin, beside,
            self._closer or self.part,
        )  # fmt: skip
        # The old one already knows its scale; an equal new one would calculate it again.
        if self._plan is None or self._plan != plan:
            self._plan = plan
        return self._plan

    @property
    def moving(self) -> bool:
        """True if pieces are under way."""
        return self._flights.moving

    @property
    def enlarged(self) -> bool:
        """True if only what lies around the last touch is shown: the next one chooses there."""
        return self._closer is not None

    def centre_of(self, site: str) -> Px:
        """Middle of a site in px, or of its light if there is one."""
        return self.lights.get(site) or self.plan.px(self.plan.box.sites[site].at)

    @property
    def lights(self) -> Mapping[str, Px]:
        """The middle of each place that a finger may mean now, px: they are ``style.apart`` apart,
        or the first touch of them enlarges what lies around it."""
        if self.scene is None:
            return {}
        of = (self.plan, self._glowing, self.scene.picked)
        if self._lights_of != of:
            self._lights_of = of
            live = (site.id for site in self._shown_sites(self._glowing))
            self._lights = lights(self.plan, live, self.scene.picked, style.apart)
        return self._lights

    # -- touching -------------------------------------------------------------------------

    def _site_at(self, at: Px) -> str | None:
        if self.scene is None:
            return None
        if self.enlarged and dist(at, self._way_back) <= style.target / 2:
            return None
        return self.plan.site_at(at, style.target, style.gap_s, self.lights)

    @property
    def _way_back(self) -> Px:
        """Middle of the sign that shows the whole board again, as a touch of nothing does, px."""
        return (self.x + style.target * 0.6, self.y + style.target * 0.6)

    def on_touch_down(self, touch: Any) -> bool:
        if self._on_site is None or not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        self._touched[touch.uid] = self._site_at(touch.pos)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.uid not in self._touched:
            return bool(super().on_touch_move(touch))
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.uid not in self._touched or self._on_site is None:
            return bool(super().on_touch_up(touch))
        site, now = self._touched.pop(touch.uid), self._site_at(touch.pos)
        if now != site:
            return True
        if site is not None and not self.enlarged and too_close(self.lights, site, style.apart):
            self._enlarge(touch.pos, site)
        elif self.enlarged and site is None:
            self._show_all()
        elif site is not None:
            self._on_site(site)
        elif self._on_bare is not None:
            self._on_bare()
        return True

    @property
    def _glowing(self) -> frozenset[str]:
        scene, found = self.scene, frozenset[str]()
        if scene is not None:
            found = scene.targets | scene.hints | scene.picked | scene.touchable
        return found

    def _enlarge(self, at: Px, site: str) -> None:
        """Shows what lies around ``at`` so large that a finger tells the lights from each other:
        with a place its whole set, if there is room."""
        together = [self.centre_of(name) for name in self._set_of(site)]
        self._closer = part_around(self.plan, self.lights, at, style.apart, together)
        self._placed_anew()

    def _set_of(self, site: str) -> frozenset[str]:
        """The places that are entered together with this one, itself among them; empty if it is
        entered alone."""
        sets = () if self.scene is None else self.scene.sets
        return next((places for places in sets if site in places), frozenset())

    def _close_to(self, scene: Scene) -> tuple[float, float, float, float] | None:
        """The part that shows how a move goes on that was begun close by: all the places that
        may be touched next, if a finger can tell them apart."""
        self._closer = None
        if not scene.picked or not scene.targets:
            return None
        sites = self._shown_sites(scene.targets | scene.picked)
        spots = [self.plan.px(site.at) for site in sites]
        return part_with(self.plan, spots, style.apart)

    def _go_on(self) -> None:
        """Goes on close by where pieces are laid one by one: all of the set that was begun is in
        the picture, or of the nearest one once that is complete."""
        assert self.scene is not None
        sites, middle = self.scene.box.sites, self._middle
        if not (here := self.scene.begun or self.scene.targets):
            self._closer = None
            return
        nearest = min(sorted(here), key=lambda name: dist(sites[name].at, middle))
        wanted = self._set_of(nearest) | {nearest}
        if len(self._shown_sites(wanted)) < len(wanted):
            self._closer = None
            self._enlarge(self.plan.px(sites[nearest].at), nearest)

    @property
    def _middle(self) -> tuple[float, float]:
        """Middle of what is shown, mm."""
        left, bottom, right, top = self.plan.extent
        return ((left + right) / 2, (bottom + top) / 2)

    def _show_all(self) -> None:
        self._closer = None
        self._placed_anew()

    # -- drawing --------------------------------------------------------------------------

    def _placed_anew(self, *_: Any) -> None:
        """Pieces under way were on their way to where their places have been until now."""
        self._placed = True
        self._flights.stop()
        self._redraw()

    def _restyle(self, *_: Any) -> None:
        """Redraw it in other colours. One that was put away hears of them too, until its memory is
        searched for: dozens of them would draw their pictures."""
        if self.get_root_window() is not None:
            self._redraw()

    def _redraw(self, *_: Any) -> None:
        if self.scene is None or not self._placed or min(self.size) < 8:
            return
        self._drawn_for = style.chosen
        if self._still is not None:
            self._still.place(self.pos, self.size)
        self._ground.draw(self.plan, self.scene)
        self._draw_pieces()
        self._draw_marks()

    # -- pieces ---------------------------------------------------------------------------

    def _draw_pieces(self) -> None:
        """Draws the pieces at rest, unless they are as they were."""
        assert self.scene is not None
        arriving = Counter(way.slot.item for way in self._flights.ways if way.lies)
        items = self._shown
        of = (
            self.plan, items, arriving, self._in_hand, self.scene.names, style.chosen, style.name,
            style.factor,
        )  # fmt: skip
        if of == self._pieces_of:
            return
        self._pieces_of = (*of[:2], +arriving, *of[3:])
        self._landed.clear()
        self._pieces.clear()
        piles = self.plan.piles(items)
        plates = {site: self._plate(site) for site in piles}
        for slot in self.plan.slots(items):
            if arriving[slot.item] > 0:
                arriving[slot.item] -= 1
                continue
            if slot.item.site not in self._in_hand:
                self._draw_item(self._pieces, slot, foot=plates.get(slot.item.site, 0.0))
        for site, count in piles.items():
            self._draw_count(site, count)

    @property
    def _shown(self) -> tuple[Item, ...]:
        """Pieces that lie in the picture, or at least beside it."""
        assert self.scene is not None
        if not self.scene.close:
            return self.scene.items
        sites = self.scene.box.sites
        return tuple(item for item in self.scene.items if self.plan.shows(sites[item.site]))

    @property
    def _in_hand(self) -> frozenset[str]:
        """Places whose only piece was taken up by its owner."""
        scene = self.scene
        if scene is None or not scene.picked:
            return frozenset()
        lying = Counter(item.site for item in scene.items)
        return frozenset(
            item.site for item in scene.items
            if item.site in scene.picked and item.owner is not None and lying[item.site] == 1
            and scene.box.kinds[item.kind].shape != "card"
        )  # fmt: skip

    def _plate(self, site: str) -> float:
        """Height of the plate for a pile's number, px; 0 where a coin at its corner is used."""
        size, (width, high) = self._count_size, self.plan.half(self.plan.box.sites[site])
        narrow = width < 2.2 * size and high > width
        # The name of the card needs the rest.
        return min(size * 1.2, high * 0.5) if narrow else 0.0

    @property
    def _count_size(self) -> float:
        return float(max(style.type_xs * 0.72, style.gap_s))

    def _draw_count(self, site: str, count: int) -> None:
        """Draws the number of a pile's cards: on a coin at its corner, or at its foot where it is
        small."""
        size = self._count_size
        if self.plan.px_per_mm * max(self.plan.box.size) < style.target * 4:
            return
        (x, y), (wide, high) = (
            self.plan.px(self.plan.box.sites[site].at),
            self.plan.half(self.plan.box.sites[site]),
        )
        plate = self._plate(site)
        if self.plan.box.sites[site].heap:
            # The number says what the pieces that are seen do not.
            size = float(style.type_xs)
        self._pieces.add(Color(*style.tone("night")))
        if plate:
            corner = (x - wide * 0.92, y - high * 0.95)
            self._pieces.add(Round(corner, (wide * 1.84, plate), plate / 4))
            at = (x, corner[1] + plate / 2)
            draw_text(self._pieces, str(count), at, plate / 1.2, style.tone("bone"))
            return
        radius = size * 0.95
        # A place at the edge of the picture has its coin within.
        at = (
            min(x + wide, self.plan.x + self.plan.width - radius),
            min(y + high, self.plan.y + self.plan.height - radius),
        )
        self._pieces.add(disc(at, radius))
        draw_text(self._pieces, str(count), at, size, style.tone("bone"))

    def _draw_item(
        self, group: InstructionGroup, slot: Slot, size: float = 1.0, alpha: float = 1.0,
        foot: float = 0.0, lifted: bool = False,
    ) -> None:  # fmt: skip
        assert self.scene is not None
        kind = self.scene.box.kinds[slot.item.kind]
        name = self.scene.names.get(kind.id, "")
        look = PieceLook(
            alpha, slot.item.pose, name=name, foot=foot, turn=slot.turn, afoot=True,
            lifted=lifted,
        )  # fmt: skip
        draw_piece(group, kind, slot.at, self.plan.px_per_mm * slot.scale * size, look)

    def _arrive(self, ways: Sequence[Way]) -> None:
        """The pieces lie on top of the picture of everything at rest until that is redrawn for
        another reason: drawing it costs as much as ten frames. A pile's number lies on top of its
        pieces, so there it cannot wait."""
        assert self.scene is not None
        self._flights.stop()
        piles = self.plan.piles(self.scene.items)
        if any(way.lies and way.slot.item.site in piles for way in ways):
            self._draw_pieces()
        else:
            for way in ways:
                self._draw_way(self._landed, way, 1.0)
            self._pieces_of = ()
        if any(way.slot.item.site in self.scene.targets for way in ways if way.lies):
            self._draw_marks()

    def _draw_way(self, group: InstructionGroup, way: Way, part: float) -> None:
        """A piece this far (0 to 1) along its way; what is small comes from a player, or goes."""
        slot, start, end = way.slot, way.start, way.end
        if not way.lies and part >= 1:
            return
        if start is not None and end is not None:
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            away = 0.0 if way.walks else 1 - part if way.lies else part
            self._draw_item(group, slot._replace(at=(x, y)), 1 - _SMALLER * away)
        elif end is not None:
            self._draw_item(group, slot, 0.75 + 0.25 * part, part)
        else:
            self._draw_item(group, slot, 1 - _CRUSHED * part, 1 - part)

    # -- marks ----------------------------------------------------------------------------

    def _draw_marks(self) -> None:
        scene, group = self.scene, self._marks
        assert scene is not None
        group.clear()
        self._pulses = []
        if not self.enlarged and self.part is None:
            if scene.middle is not None:
                draw_middle(group, self.plan, scene.middle)
            for arc in scene.arcs:
                draw_arc(group, self.plan, arc)
        for site in self._parts(scene.last):
            draw_ring(group, self.plan, site, style.tone("bone", 0.85), 1.22, style.hairline)
        for site in self._parts(scene.picked):
            draw_ring(group, self.plan, site, style.tone("dawn"), 1.1)
        # Below the lights: what is in the hand may reach over a place where it may go.
        self._draw_raised(self._in_hand, lifted=True)
        self._draw_lights()
        draw_ways(group, self.plan, scene.ways)
        for slot in self.plan.slots(scene.ghosts):
            self._draw_item(group, slot, alpha=0.5)
        self._draw_standing()
        for start, end in scene.arrows:
            sites = scene.box.sites
            self._pulses += draw_arrow(group, self.plan, sites[start], sites[end])
        printed = {i.site for i in scene.items if (k := scene.box.kinds.get(i.kind)) and k.mark}
        for site in self._shown_sites(scene.wrong):
            self._pulses += draw_cross(group, self.plan, site, aside=site.id in printed)
        for site in self._shown_sites(scene.verdicts):
            draw_verdict(group, self.plan, site, good=scene.verdicts[site.id])
        flagged = self._shown_sites(scene.flags)
        draw_flags(group, self.plan, [(site, scene.flags[site.id]) for site in flagged])
        for text, at in scene.signs:
            if self.plan.has(at):
                draw_text(group, text, self.plan.px(at), style.caption, style.tone("bone"))
        if self.enlarged:
            draw_way_back(group, self._way_back, style.target / 2)
        self._run_pulses()

    def _draw_standing(self) -> None:
        """Draws pieces in lights again, over the light: figures are higher than their places."""
        scene = self.scene
        assert scene is not None
        coming = {way.slot.item.site for way in self._flights.ways if way.lies}
        cards = {i.site for i in scene.items if scene.box.kinds[i.kind].shape == "card"}
        # What is thrown is read while something is touched.
        dice = {item.site for item in scene.items if scene.box.kinds[item.kind].is_die}
        self._draw_raised((scene.targets | dice) - coming - cards - self._in_hand)

    def _draw_raised(self, sites: Collection[str], *, lifted: bool = False) -> None:
        """Draws the pieces at ``sites``, as far as they are shown, again over what lies there."""
        scene = self.scene
        assert scene is not None
        raised = {site.id for site in self._shown_sites(sites)}
        for slot in self.plan.slots(item for item in scene.items if item.site in raised):
            self._draw_item(self._marks, slot, lifted=lifted)

    def _draw_lights(self) -> None:
        """Covers the board while something is to be touched, and lights that up; rings the places
        that a question is about."""
        scene = self.scene
        assert scene is not None
        self.lit = tuple(self._lit()) if scene.targets else ()
        beyond = self._parts(scene.picked | scene.asked | scene.wrong | set(scene.verdicts))
        holes = [Light(self.plan.px(s.at), self.plan.half(s), s.size is None) for s in beyond]
        place = (*self.pos, *self.size)
        self._cover.show(place, (*self.lit, *holes) if self.lit else (), self._edges)
        asked = [
            Light(self.plan.px(site.at), self._tip(site, lies=True), site.size is None)
            for site in self._parts(scene.asked)
        ]
        for colour in draw_lights(self._marks, (*self.lit, *asked)):
            self._pulses.append((colour, 1.0, Rhythm.SLOW_PULSE))

    def _lit(self) -> Iterator[Light]:
        """Lights as large as a fingertip; where there is no room for that, small ones that say what
        a closer look is for."""
        scene, spots = self.scene, self.lights
        assert scene is not None
        lying = {item.site for item in scene.items}
        for site in self._shown_sites(scene.targets | scene.hints):
            at, lies, half = spots[site.id], site.id in lying, self.plan.half(site)
            room = min(
                (dist(at, spot) for name, spot in spots.items() if name != site.id), default=inf
            )
            crowded = too_close(spots, site.id, style.apart)
            if not crowded:
                half = self._tip(site, lies=lies)
            if site.size is None:
                half = (min(half[0], room * (_CROWDED if crowded else 0.5)),) * 2
            dot = site.size is None and not lies and self.plan.half(site)[0] < half[0] * 0.8
            tone = theme.HINTED if site.id in scene.hints else theme.LIGHT
            label = scene.labels.get(site.id, "")
            yield Light(at, half, site.size is None, label, dot, tone, crowded)

    def _tip(self, site: Site, *, lies: bool) -> tuple[float, float]:
        """Half the width and height of a light as large as a fingertip; a ring on the rim of what
        lies there could be part of it."""
        out = _RING if lies and site.size is None else 1.0
        wide, high = (max(side * out, style.apart / 2) for side in self.plan.half(site))
        return (wide, high)

    def _shown_sites(self, names: Iterable[str]) -> list[Site]:
        """The sites that are in the picture."""
        assert self.scene is not None
        sites = (self.scene.box.sites[name] for name in sorted(names))
        return [site for site in sites if self.plan.shows(site)]

    def _parts(self, names: Iterable[str]) -> list[Site]:
        """Shown sites among ``names`` that can be pointed out: none is the whole board."""
        whole = self.plan.box.size
        return [
            site for site in self._shown_sites(names)
            if site.size is None or any(map(lt, site.size, whole))
        ]  # fmt: skip

    @property
    def _edges(self) -> tuple[bool, bool, bool, bool]:
        """True for each side (left, bottom, right, top) that is not an edge of the glass."""
        left, bottom = self.to_window(*self.pos)
        right, top = self.to_window(self.right, self.top)
        window = self.get_root_window() or self
        return (left > 1, bottom > 1, right < window.width - 1, top < window.height - 1)

    def _run_pulses(self) -> None:
        running = self._pulse_clock is not None
        wanted = bool(self._pulses) and style.chosen.animations
        if wanted and not running:
            self._pulse_s = 0.0
            self._pulse_clock = Clock.schedule_interval(self._pulse, _FRAME_S)
        elif running and not wanted:
            self._pulse_clock.cancel()
            self._pulse_clock = None

    def _pulse(self, passed: float) -> None:
        self._pulse_s += passed
        for colour, full, rhythm in self._pulses:
            colour.a = full * theme.strength(rhythm, self._pulse_s)
