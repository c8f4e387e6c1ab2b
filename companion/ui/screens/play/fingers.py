"""The touches begun on a play screen, and the meaning of the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from kivy.graphics import InstructionGroup

from companion.match.state import PLAYING
from companion.match.view import LAID_OUT, Intent, PlayMove, TableView
from companion.presentation.boxes import box_of
from companion.presentation.cards import card_moves
from companion.presentation.choosing import Offer, Tile, offer_of, question_at_a_place
from companion.presentation.hand_cards import HandCards, hand_cards
from companion.presentation.placement import Laying, laying_of, scene_close, scene_while
from companion.presentation.plan import Px
from companion.presentation.scene import Scene, arcs_after, middle_of, scene_of, scene_with
from companion.presentation.table_words import TableWords
from companion.presentation.touching import Ask, Finger, Picked, Play, targets, touched
from companion.presentation.words.sentences import card_names, teller_of
from companion.ui.drawing.flights import Flights
from companion.ui.drawing.lights import draw_slip
from companion.ui.shell import Ways
from companion.ui.theme.style import style
from rules.core import Result

_SLIP_S = 0.5
"""Seconds for which the mark of a slip is seen."""


class Slips:
    """Marks the place of a touch that does nothing, for a moment, so that people see that it was
    felt. ``canvas``: over everything that can be touched."""

    def __init__(self, canvas: Any) -> None:
        group = InstructionGroup()
        canvas.add(group)
        self._marks = Flights(group, draw_slip, lasts_s=_SLIP_S)
        self.at: Px = (0.0, 0.0)
        """The place that was touched last, px."""

    def mark(self) -> None:
        """The last touch does nothing."""
        self._marks.start([self.at])

    @property
    def seen(self) -> bool:
        """True while a mark is seen."""
        return self._marks.moving

    def stop(self) -> None:
        """Nothing is marked any more."""
        self._marks.stop()


class Screen(Protocol):
    """The play screen, as far as fingers and sheets need it."""

    view: TableView | None
    ways: Ways
    slips: Slips
    fingers: Fingers
    words_height: float
    words_area: Any
    history: tuple[tuple[int, ...], ...]
    embedded: bool

    @property
    def covered(self) -> bool:
        """True if the moves are one player's secret, and they have not said that they are there."""

    @property
    def result(self) -> Result | None:
        """The result that was not put away yet."""

    @property
    def may_tip(self) -> bool:
        """True if the player to move may ask for a tip here and now."""

    def put_away(self, *, onward: bool = False) -> None:
        """Puts the result away: it was seen; ``onward``: the same touch goes on, and then all is
        shown anew."""

    def post(self, intent: Intent) -> None:
        """Posts an intent; what was begun by touch is dropped."""

    def build(self) -> None:
        """Show everything as it is now."""

    def open_picker(self) -> None:
        """Offer cards to choose from."""

    def ask_tip(self) -> None:
        """Asks for a tip, or dismisses it."""

    def step_back(self) -> None:
        """Show only what can be read across the room."""


class Fingers:
    """Hears every touch of board, pieces, cards and tiles of one screen; a whole move is posted."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._finger = Finger()
        self.chosen: tuple[str, ...] = ()
        """Parts chosen so far of a move that is entered step by step."""
        self.offer: Offer | None = None
        """Possible meanings of the last touch of a place."""
        self.hand: HandCards | None = None
        """The cards of the player to move, beside the board."""
        self._hand_at = ("", 0)
        """The match and the number of moves that ``hand`` belongs to."""
        self.laying: Laying | None = None
        """Pieces that people have laid and are entering."""
        self.missed = False
        """True if a place was touched last where nothing can be done."""
        self._laid: Laying | None = None
        """The same, also while something else is asked."""

    @property
    def picked(self) -> Picked:
        """The sites and the kind that are held between two touches."""
        return self._finger.picked

    @property
    def holding(self) -> bool:
        """True if something was picked up, or a place was touched that may mean several things."""
        begun = self.hand is not None and self.hand.begun
        return begun or self.picked != Picked() or self.offer is not None

    def learn(self, view: TableView) -> None:
        """Note what may be done in ``view``, so that a touch can say it when it is not allowed."""
        self._finger.learn(view)

    def let_go(self) -> None:
        """Put down what was picked up."""
        self._finger.clear()
        self.chosen, self.offer, self.hand, self.missed = (), None, None, False

    # -- touching -------------------------------------------------------------------------

    def touch_tile(self, tile: Tile) -> None:
        """A move was chosen, or a part of one."""
        if tile.moves and tile.move is not None:
            self._screen.post(PlayMove(tile.move))
            return
        self.chosen = tile.chosen if tile.moves else ()
        if not tile.moves:
            self._screen.slips.mark()
        self._screen.build()

    def touch_card(self, card: str) -> None:
        """A card of the hand beside the board was touched."""
        if self.hand is not None:
            self._hold(self.hand.touch(card))

    def say_part(self, part: str) -> None:
        """This was said besides the cards that were chosen there."""
        if self.hand is not None:
            self._hold(self.hand.say(part))

    def _hold(self, hand: HandCards) -> None:
        """Play what the cards mean, or ask for more, such as where they go."""
        self.missed = False
        view, sites = hand.picking.view, self.picked.sites
        self._finger.clear()
        if hand.lifted:
            kind = hand.picking.plan.kinds[hand.lifted].id
            self._finger.lift(kind, sites)
            if not targets(view, box_of(view), self.picked):
                # It cannot go there: first all its places.
                self._finger.lift(kind)
        self.offer, self.hand = None, hand
        if hand.refused:
            self._screen.slips.mark()
        if hand.meant is not None:
            self._screen.post(PlayMove(hand.meant))
        else:
            self._screen.build()

    def touch_kind(self, kind: str) -> None:
        """A piece in front of a player was touched."""
        view = self._screen.view
        if view is None:
            return
        self.offer = None
        self._finger.touch_kind(view, kind)
        self._screen.build()

    def touch_site(self, site: str) -> None:
        """A place of the board was touched."""
        view, result = self._screen.view, self._screen.result
        if view is not None and result is not None:
            onward = site in targets(view, box_of(view), Picked()) and result.goes_on
            self._screen.put_away(onward=onward)
            if not onward:
                return
        if view is None:
            return
        if view.outcome is not None or self._screen.covered or view.thinks is not None:
            self._screen.slips.mark()
            return
        self.missed = False
        if self.laying is not None:
            place = self.laying.place_at(site, box_of(view))
            self._miss(missed=place is None)
            self._lay(self.laying if place is None else self.laying.touch(place))
            return
        hand, before, offer, self.offer = self.hand, self.picked, self.offer, None
        answer = self._finger.touch_site(view, box_of(view), site)
        lifted = hand is not None and hand.lifted and self.picked.kind == before.kind
        self.hand = hand if lifted else None
        match answer:
            case Play(move) if hand is not None and hand.spent(move) not in ("", hand.lifted):
                # First what it spends is shown, and every place where that may go.
                self._finger.lift("", before.sites)
                self._hold(hand.touch(hand.spent(move)))
                return
            case Play(move):
                self._screen.post(PlayMove(move))
                if move not in view.legal and not view.physical:
                    # A finger slipped: what it holds is held on, and what was asked stays.
                    self._finger.lift(before.kind, before.sites)
                    self.offer = offer
                    self._screen.build()
                return
            case Ask(moves) if set(moves) <= set(card_moves(view)):
                self._finger.clear()
                if hand is None:
                    self._screen.open_picker()
                else:
                    self._screen.slips.mark()
            case Ask(moves, at):
                teller = teller_of(view, style.lang)
                if set(moves) == set(view.legal) and question_at_a_place(view, teller):
                    # It is already asked; to touch the place says nothing more.
                    self._finger.clear()
                    self._screen.slips.mark()
                else:
                    self.offer = offer_of(moves, at, view, teller)
            case _:
                self._miss(missed=self.picked == before and not self.picked.sites)
        self._screen.build()

    def touch_bare(self) -> None:
        """The board was touched where no place is."""
        if self._screen.result is not None:
            self._screen.put_away()
        else:
            self._screen.slips.mark()

    def _miss(self, *, missed: bool) -> None:
        self.missed = missed
        if missed:
            self._screen.slips.mark()

    # -- what was laid ----------------------------------------------------------------------

    def choose_kind(self, kind: str) -> None:
        """The next places touched are those of this kind."""
        if self.laying is not None:
            self._lay(self.laying.choose(kind))

    def unlay(self) -> None:
        """The last place that was touched is as it was before."""
        if self.laying is not None:
            self._lay(self.laying.back())

    def _lay(self, laying: Laying) -> None:
        self._laid = laying
        self._screen.build()

    def laid_in(self, view: TableView) -> Laying | None:
        """The laying to be entered in this match, though there is another question by now."""
        laid = self._laid
        return laid if laid is not None and laid.match_id == view.match_id else None

    def take_laying(self, view: TableView) -> None:
        """Takes the laying so far, if that is what is asked; an entry that was taken back is as it
        was."""
        free = view.state in PLAYING and self._screen.result is None
        self.laying = laying_of(view, self._laid) if free else None
        self._laid = self.laying or self._laid

    # -- the hand beside the board ---------------------------------------------------------

    def take_hand(self, view: TableView) -> None:
        """Takes the hand of the player to move, as far as a touch of it says something."""
        if self._screen.covered or view.state not in PLAYING or self._screen.result is not None:
            self.hand = None
            return
        at = (view.match_id, view.ply)
        if self.hand is not None and self._hand_at == at:
            return
        self._hand_at = at
        seat = None if view.prompt is None else view.prompt.player
        look = self._screen.ways.hand
        held = look(seat).things if seat is not None and look is not None else ()
        self.hand = hand_cards(view, [thing for thing, _count in held])

    # -- what is shown of it -----------------------------------------------------------------

    def open_offer(self, words: TableWords) -> Offer | None:
        """The choice that is open: after a touch, or because nothing else is."""
        if self._screen.covered or not words.playing:
            return None
        return self.offer or question_at_a_place(words.view, words.teller)

    def scene(self, words: TableWords, offer: Offer | None) -> Scene:
        """The board while this is in the hand."""
        covered, result = self._screen.covered, self._screen.result
        # Where the next piece may go would reveal what is in the hand.
        hidden = replace(words.view, legal=(), hints=(), tip=None)
        about: Mapping[str, str] | None = None
        if offer is not None and offer is not self.offer and self.picked == Picked():
            # A question whose place nobody had to touch: it is named there.
            about = {site: words.teller.site(site) for site in offer.sites}
        scene = scene_of(hidden if covered else words.view, self.picked, about)
        if result is not None:
            scene = scene_with(scene, result)
            laid = self.laid_in(words.view) if result.code == LAID_OUT else None
            scene = scene if laid is None else scene_close(scene, laid)
        elif self.laying is not None:
            scene = scene_while(scene, self.laying)
        # The numbers of the places that the lifted card may go to.
        moves = () if self.hand is None or covered else self.hand.leads(self.hand.lifted)
        goals = {touched(move, words.view, words.box)[-1]: move for move in moves}
        sites, reach = words.box.sites, words.teller.reach
        labels = {goal: sites[goal].label or reach(move) for goal, move in goals.items()}
        return replace(
            scene, names=card_names(words.view, style.lang), labels=labels,
            arcs=tuple(arcs_after(scene.arcs, words.view, moves)),
            middle=None if scene.close else middle_of(words.view, style.lang),
        )  # fmt: skip
