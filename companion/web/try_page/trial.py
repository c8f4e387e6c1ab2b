"""A match on one device: people, and computer players, take turns at the same page.

It runs in a browser, where there are the rules and the standard library only; so does everything
that is imported here.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Self

from companion.match.hands import Hand, hand_of
from companion.match.layout_diff import sites_of
from companion.match.lookahead import MoveLookahead
from companion.match.view import Begun, TableView, still_view
from companion.presentation.boxes import box_of
from companion.presentation.touching import Finger, Picked, Play, means_pieces, piece_of
from companion.presentation.views import PrivateView, facts_of, public_view
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import speaking
from companion.web.public_page import public_page, why_not
from companion.web.seat_page import seat_page
from rules.core import Actor, GameError, Json, Move, Objection, Place, Result, State, StateError
from rules.match import Match
from rules.players import Budget, SeatView, find_player

# -- forbidden moves --------------------------------------------------------------------------


def tried(
    match: Match, view: TableView, finger: Finger, things: Sequence[str], sites: Sequence[str],
    verbs: Collection[str] | None = None,
) -> tuple[Move, list[Objection]] | None:  # fmt: skip
    """The forbidden move that is said by these things of a hand and these places, one after the
    other, and what speaks against it; None if there is no such. ``verbs``: one of these only."""
    for move in (*_by_finger(view, finger, things, sites), *_by_hands(match, view, things, sites)):
        objections = match.why_not(move)
        if objections and (verbs is None or move.verb in verbs):
            return move, objections
    return None


def _by_finger(
    view: TableView, finger: Finger, things: Sequence[str], sites: Sequence[str]
) -> list[Move]:
    """Moves that a touch means at a table's own screen."""
    if not sites:
        return []
    box = box_of(view)
    kind = next((thing for thing in things if thing in box.kinds), "")
    finger.picked = Picked(tuple(sites[:-1]), kind)
    answer = finger.touch_site(view, box, sites[-1])
    finger.clear()
    return [answer.move] if isinstance(answer, Play) else []


def _by_hands(
    match: Match, view: TableView, things: Sequence[str], sites: Sequence[str]
) -> list[Move]:
    """Moves that hands could try: those that name the most of what was touched."""
    box = box_of(view)
    marks = {thing: box.kinds[thing].mark if thing in box.kinds else thing for thing in things}
    # Whoever has the device in their hands is the one who is asked.
    prompt = view.prompt
    mover = prompt.player if prompt is not None and prompt.actor is Actor.PLAYER else None
    found: list[tuple[int, Move]] = []
    for move in match.state.pseudo_moves():
        named = sites_of(move, box)
        if move.player != mover or (sites and sites[-1] not in named):
            continue
        words = {part for arg in move.args for part in (arg.partition("=")[2] or arg).split(",")}
        said = sum(thing in words or mark in words for thing, mark in marks.items())
        same = sum(site in named for site in sites)
        if said or (sites and same):
            found.append((said + same - abs(len(named) - len(sites)), move))
    found.sort(key=lambda one: (-one[0], one[1].text))
    return [move for _number, move in found]


class Trial:
    """A match that is tried out."""

    def __init__(
        self,
        game: str,
        players: int,
        options: Mapping[str, str] | None = None,
        *,
        seed: str = "",
        names: Sequence[str] = (),
        computers: Sequence[str] = (),
    ) -> None:
        """``computers``: by seat the computer player there, empty texts for people.

        Raises OptionError and GameError.
        """
        self.match = Match(game, players, options, seed=seed)
        level = [*computers, *[""] * players][:players]
        for name in filter(None, level):
            find_player(name)
        self._begun = Begun(tuple(names), tuple(level), time.time(), "trial")
        self._finger = Finger()
        self._told: list[Move] = []
        self._touched: list[tuple[str, ...]] = []
        self._steps: list[int] = []
        """Number of moves before each decision of a person."""
        self._result: Result | None = None
        self._laid: set[str] = set()
        """Groups of pieces of which players chose one from what lies in front of them."""
        self._seat = next((seat for seat in range(players) if not level[seat]), 0)
        self._follow()

    # -- what is asked --------------------------------------------------------------------------

    @property
    def asked(self) -> int | None:
        """The seat that must do something now; None at the end."""
        prompt = self.match.prompt
        if prompt is None:
            return None
        if prompt.player is not None:
            return prompt.player
        state: State = self.match.state
        return state.turn_of()

    @property
    def thinks(self) -> bool:
        """True if a computer player is asked, or chance on its behalf."""
        asked = self.asked
        return asked is not None and bool(self._begun.computers[asked])

    @property
    def people(self) -> tuple[int, ...]:
        """Seats of people."""
        return tuple(n for n, level in enumerate(self._begun.computers) if not level)

    def picture(self, lang: str) -> Json:
        """Contents of the page, as for a player's phone (``companion.web.seat_page``)."""
        asked, plays = self.asked, self.asked is not None and not self.thinks
        if plays and asked is not None:
            self._seat = asked
        elif asked is None:
            # At the end whoever of the people decided last still looks.
            deciders = (entry.move.player for entry in reversed(self.match.log))
            self._seat = next((seat for seat in deciders if seat in self.people), self._seat)
        view = self._view(plays=plays)
        hand = self._hand(view, self._seat)
        secret = len(self.people) > 1 and any(map(self._holds, self.people))
        if secret and not plays and self.match.outcome is None:
            # Whoever looks while a computer thinks may be anybody.
            hand = Hand(self._seat)
        public = public_view(view, "trial")
        private = PrivateView(
            **facts_of(view), public=public, seat=self._seat, hand=hand, may_play=plays,
            hides=secret, legal=view.legal, hints=view.hints, usual=view.usual,
            places=view.places, ahead=view.ahead,
        )  # fmt: skip
        page = seat_page(private, lang, public_page(public, lang), all_piles=True)
        teller = teller_of(view, lang)
        return {
            **asdict(page), "asked": plays,
            "take_back": teller.move(self._told[self._steps[-1]]) if self._steps else "",
            "thinks": self.thinks, "rolls": plays and self._at_chance(),
            "people": list(self.people), "kept": self.dump(),
        }  # fmt: skip

    def refusal(
        self, lang: str, things: Sequence[str], sites: Sequence[str], *, pile: bool = False
    ) -> Json | None:
        """Reason why what was touched is not allowed, with the rule's page; None if no meaning of
        it is known. ``pile``: a pile for sale was touched, not a card of the same name."""
        view = self._view(plays=not self.thinks)
        verbs = None
        if pile and view.market is not None:
            places = view.market.places
            verbs = {verb for verb, place in places.items() if place is Place.WARES}
        found = tried(self.match, view, self._finger, things, sites, verbs)
        if found is None:
            return None
        move, objections = found
        return self.explained(lang, objections) | {"move": move.text}

    def explained(self, lang: str, objections: Sequence[Objection]) -> Json:
        """Objections to a move, in words, and the rule that says so."""
        view = self._view(plays=False)
        with speaking(lang):
            return asdict(why_not(objections[0], view, teller_of(view, lang)))

    # -- playing --------------------------------------------------------------------------------

    def play(self, moves: Sequence[str]) -> None:
        """A person decided this, all of it or, if something is not allowed, nothing.

        Raises IllegalMove and MoveSyntaxError.
        """
        trial = self.match.clone()
        for text in moves:
            trial.push(text)
        self._steps.append(self.match.ply)
        self._result = None
        for text in moves:
            self._append(Move.parse(text))
        self._follow()

    def roll(self) -> None:
        """Leaves to chance what hands would do, such as rolling a disc; nothing happens if that is
        not asked now."""
        if self._at_chance():
            self.play([self._by_chance().text])

    def think(self, seconds: float) -> None:
        """The computer player that is asked decides; nothing happens if none is, because its last
        move was taken back in the meantime."""
        seat = self.asked
        if seat is None or not self.thinks:
            return
        self._result = None
        if self._at_chance():
            self._append(self._by_chance())
        else:
            moves = self.match.legal_moves()
            player = find_player(self._begun.computers[seat])
            view = SeatView.of(self.match, seat)
            choice = player.choose(view, moves, Budget(seconds=seconds), self._random())
            self._append(choice.move)
        self._follow()

    def take_back(self) -> None:
        """Undoes all since a person's last decision, that included; raises GameError if there is
        none."""
        if not self._steps:
            raise GameError("nothing_to_take_back")
        self._go_to(self._steps.pop())

    # -- keeping --------------------------------------------------------------------------------

    def dump(self) -> Json:
        """The match as plain JSON data; ``load`` reads it back."""
        return {
            "match": self.match.dump(), "names": list(self._begun.names),
            "computers": list(self._begun.computers), "steps": list(self._steps),
            "laid": sorted(self._laid),
        }  # fmt: skip

    @classmethod
    def load(cls, data: Json) -> Self:
        """Read ``dump()`` back; raises GameError if that is not what ``data`` is."""
        try:
            kept = data["match"]
            trial = cls(
                str(kept["game"]), int(kept["players"]), dict(kept["options"]),
                seed=str(kept["seed"]), names=[str(name) for name in data["names"]],
                computers=[str(name) for name in data["computers"]],
            )  # fmt: skip
            moves = [Move.parse(str(text)) for text in kept["moves"]]
            steps = [int(step) for step in data["steps"]]
            laid = {str(group) for group in data["laid"]}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, GameError):
                raise
            raise StateError("no_stored_match", reason=error) from error
        trial._go_to(0)
        for move in moves:
            trial._append(move)
        trial._result, trial._laid = None, laid
        trial._steps = [step for step in steps if 0 <= step < len(moves)]
        trial._follow()
        return trial

    # -- private --------------------------------------------------------------------------------

    def _append(self, move: Move) -> None:
        """Play it and note what is told of it; raises IllegalMove."""
        match, game = self.match, self.match.game
        before = match.state.clone()
        match.push(move)
        self._told.append(before.public(move, None))
        self._touched.append(tuple(before.touches(move)))
        self._result = game.touch.result(before, move, match.state) or self._result

    def _follow(self) -> None:
        while (move := self.match.by_itself(ends_turns=True)) is not None:
            self._append(move)

    def _go_to(self, ply: int) -> None:
        while self.match.ply > ply:
            self.match.pop()
        del self._told[ply:], self._touched[ply:]
        self._result = None

    def _random(self) -> Random:
        """Not the seed's own: a decision taken back may come out otherwise."""
        return Random(f"{self.match.seed}/{self.match.ply}/{time.time_ns()}")

    def _at_chance(self) -> bool:
        prompt = self.match.prompt
        return prompt is not None and prompt.actor is not Actor.PLAYER

    def _by_chance(self) -> Move:
        moves = self.match.legal_moves()
        weights = self.match.state.weights(moves)
        return self._random().choices(moves, weights=weights)[0]

    def _public_log(self) -> list[Move]:
        return list(self.match.state.remembered(self._told))

    def _holds(self, seat: int) -> bool:
        """True if a seat has anything that others must not see."""
        return bool(hand_of(self.match, seat))

    def _view(self, *, plays: bool) -> TableView:
        match, game = self.match, self.match.game
        told = self._public_log()
        legal = tuple(match.legal_moves()) if plays else ()
        named = ((move, game.touch.places(match.state, move)) for move in legal)
        view = still_view(
            self._begun,
            match,
            1,
            told[-1] if told else None,
            self._last_sites(),
            told=tuple(told),
            legal=legal,
            hints=tuple(match.state.hinted_moves()) if plays else (),
            usual=game.touch.usual(match.state, legal) if plays else None,
            ahead=MoveLookahead(match),
            result=self._result,
            result_ply=match.ply,
            places={move: places for move, places in named if places},
            can_undo=bool(self._steps),
        )
        self._finger.learn(view)
        return view

    def _last_sites(self) -> tuple[str, ...]:
        """Sites that the last player's turn has touched so far."""
        found: dict[str, None] = {}
        mover: int | None = None
        for move, sites in zip(reversed(self._told), reversed(self._touched), strict=True):
            player = move.player
            if player is not None and mover is not None and player != mover:
                break
            mover = player if mover is None else mover
            found |= dict.fromkeys(sites)
        return tuple(found)

    def _hand(self, view: TableView, seat: int) -> Hand:
        """Hand that is hidden from others; and where players choose what to lay, their own
        pieces."""
        hand = hand_of(self.match, seat)
        box = box_of(view)
        if view.legal and means_pieces(view, box):
            pieces = (piece_of(move, view, box) for move in view.legal)
            self._laid |= {piece.group for piece in pieces if piece is not None}
        there = {thing for thing, _count in hand.things}
        own = [
            (kind, count) for kind, count in view.supplies[seat].items()
            if count and kind in box.kinds and box.kinds[kind].group in self._laid
            and not {kind, box.kinds[kind].mark} & there
        ]  # fmt: skip
        return replace(hand, things=(*hand.things, *sorted(own)))
