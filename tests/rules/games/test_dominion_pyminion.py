"""Dominion beside pyminion: the same position and the same decisions leave the same zones.

pyminion (https://github.com/evanofslack/pyminion, written against 0.4.0) plays the second edition.
Compared are the cards whose code there does what 8.4 says; ``DIFFERENT`` says why the others are
not. Everything is played there first: a script decides, and what it decided and what was drawn is
noted as moves of ours, which must then be legal, be offered beside the same alternatives, be
exactly as many, and lead to the same zones. Skipped where pyminion is not installed.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from rules.core import Actor
from rules.games.dominion import GAME
from rules.games.dominion.components import ACTIONS, BASIC, COINS, COST, KINGDOM, POINTS
from tests.support.dominion_table import Table, cards_of
from tests.support.needed import PYMINION

_level, _handlers = logging.root.level, logging.root.handlers[:]
base = pytest.importorskip("pyminion.expansions.base", reason=PYMINION)
core = pytest.importorskip("pyminion.core", reason=PYMINION)
pytest.importorskip("pyminion.decider", reason="this pyminion is too old")
game = pytest.importorskip("pyminion.game", reason=PYMINION)
player = pytest.importorskip("pyminion.player", reason=PYMINION)
logging.root.setLevel(_level)  # importing pyminion turns the logs of everybody on
logging.root.handlers[:] = _handlers

ALIKE = (
    "bureaucrat", "cellar", "chapel", "council-room", "festival", "gardens", "laboratory",
    "library", "market", "militia", "moat", "remodel", "smithy", "throne-room", "village",
    "witch", "workshop",
)  # fmt: skip
"""Cards that do the same in both, may and must included."""

MAY_THERE = {
    "mine": "may there, must here (DO14)",
    "moneylender": "may there, must here (DO14)",
}
"""Different only in being optional there: compared with a script that never declines."""

DIFFERENT = {
    "adventurer": "only in the first edition",
    "chancellor": "only in the first edition",
    "feast": "only in the first edition",
    "spy": "only in the first edition",
    "thief": "only in the first edition",
    "woodcutter": "only in the first edition",
    "artisan": "only in the second edition",
    "bandit": "only in the second edition",
    "harbinger": "only in the second edition",
    "merchant": "only in the second edition",
    "poacher": "only in the second edition",
    "sentry": "only in the second edition",
    "vassal": "only in the second edition",
}
"""Cards that are not compared, and why."""

COMPARED = (*ALIKE, *MAY_THERE)
FORCED = ("none", "show", "keep")
"""Answers that are no decision if they are the only one (DO13); pyminion does not ask there."""


class PyminionFails(Exception):
    """pyminion cannot play this position; nothing to compare.

    Known of 0.4.0: Remodel and Workshop, Mine too, raise an error if there is nothing to trash or
    to gain (8.4: as far as it can be done), and Library loses the cards set aside if the cards run
    out (DO19: they are discarded).
    """


def theirs(card: str) -> Any:
    """pyminion's card."""
    return getattr(base, card.replace("-", "_"))


def named(cards: Any) -> list[str]:
    """pyminion's cards by our names."""
    return [card.name.lower().replace(" ", "-") for card in cards]


@dataclass
class Script:
    """Decides for one of pyminion's players, at random, and notes it as moves of ours."""

    seat: int
    random: Random
    said: deque[tuple[str, set[str]]] = field(default_factory=deque)
    """Moves, each with everything that pyminion offered; nothing if it did not ask anew."""
    moats: deque[bool] = field(default_factory=deque)
    """Attack by attack, True if a Moat is shown."""
    asked_for_moats: int = 0

    def _say(self, words: list[str], offered: set[str]) -> None:
        for nth, text in enumerate(words):
            self.said.append(
                (
                    f"p{self.seat} {text}",
                    set() if nth else {f"p{self.seat} {other}" for other in offered},
                )
            )

    def _choose(self, verb: str, cards: list[Any], least: int, most: int) -> list[Any]:
        most = min(len(cards), most)
        if most < least:
            raise PyminionFails(f"pyminion wants {least} cards to {verb} where there are {most}")
        chosen = self.random.sample(cards, self.random.randint(least, most))
        words = [f"{verb} {card}" for card in named(chosen)]
        if len(chosen) < most:
            words.append("done")
        optional = {"done"} if least == 0 else set()
        self._say(words, {f"{verb} {card}" for card in named(cards)} | optional)
        return chosen

    def binary_decision(
        self, prompt: str, card: Any, player: Any, game: Any, relevant_cards: Any = None
    ) -> bool:
        """Moat, Moneylender, Library."""
        if card.name == "Moat":
            # Asked once for each Moat in hand; one showing is enough (DO18).
            if self.asked_for_moats % player.hand.cards.count(card) == 0:
                self.moats.append(self.random.random() < 0.5)
            self.asked_for_moats += 1
            return self.moats[-1]
        if card.name == "Moneylender":
            self._say(["trash copper"], {"trash copper"})
            return True
        assert card.name == "Library"
        aside = f"aside {named(relevant_cards)[0]}"
        answer = self.random.choice(["keep", aside])
        self._say([answer], {"keep", aside})
        return answer == aside

    def discard_decision(
        self, prompt: str, card: Any, valid_cards: list[Any], player: Any, game: Any,
        min_num_discard: int = 0, max_num_discard: int = -1,
    ) -> list[Any]:  # fmt: skip
        """Cellar, Militia."""
        most = len(valid_cards) if max_num_discard < 0 else max_num_discard
        return self._choose("discard", valid_cards, min_num_discard, most)

    def trash_decision(
        self, prompt: str, card: Any, valid_cards: list[Any], player: Any, game: Any,
        min_num_trash: int = 0, max_num_trash: int = -1,
    ) -> list[Any]:  # fmt: skip
        """Chapel, Remodel, Mine."""
        least = 1 if card.name == "Mine" else min_num_trash
        return self._choose("trash", valid_cards, least, max_num_trash)

    def gain_decision(
        self, prompt: str, card: Any, valid_cards: list[Any], player: Any, game: Any,
        min_num_gain: int = 0, max_num_gain: int = -1,
    ) -> list[Any]:  # fmt: skip
        """Workshop, Remodel, Mine."""
        return self._choose("gain", valid_cards, min_num_gain, max_num_gain)

    def topdeck_decision(
        self, prompt: str, card: Any, valid_cards: list[Any], player: Any, game: Any,
        min_num_topdeck: int = 0, max_num_topdeck: int = -1,
    ) -> list[Any]:  # fmt: skip
        """Bureaucrat."""
        return self._choose("topdeck", valid_cards, min_num_topdeck, max_num_topdeck)

    def multi_play_decision(
        self, prompt: str, card: Any, valid_cards: list[Any], player: Any, game: Any,
        required: bool = True,
    ) -> Any:  # fmt: skip
        """Throne Room."""
        assert required
        return self._choose("play", valid_cards, 1, 1)[0]


class Both:
    """One position in both; seats as ``hand / draw pile, top first / discard pile``."""

    def __init__(
        self, *seats: str, kingdom: list[str], seed: int | str, piles: dict[str, int]
    ) -> None:
        self.where = f"{seats}, {kingdom}, {piles}, seed {seed}"
        self.table = Table(*seats, kingdom=kingdom, piles=piles)
        self.random = Random(seed)
        self.scripts = [Script(seat, self.random) for seat in range(len(seats))]
        self.drawn: list[deque[str]] = [deque() for _ in seats]
        self.players = [self._player(seat, text) for seat, text in enumerate(seats)]
        self.game = game.Game(self.players, [base.base_set], log_stdout=False)
        self.game.trash.cards = [theirs(card) for card in self.table.state.trash]
        self.game.supply = core.Supply(
            [self._pile(card, left) for card, left in self.table.state.piles.items()]
        )
        self.cards_there = self._count()
        self.compare()

    def _player(self, seat: int, text: str) -> Any:
        new = player.Player(self.scripts[seat])
        hand, draw, discard = (
            [theirs(card) for card in cards_of(part)] for part in (*text.split("/"), "", "")[:3]
        )
        new.hand.cards, new.deck.cards, new.discard_pile.cards = hand, draw[::-1], discard
        lift, drawn = new.deck.draw, self.drawn[seat]

        def draw_and_note() -> Any:
            card = lift()
            drawn.extend(named([card]))
            return card

        new.deck.draw = draw_and_note
        return new

    @staticmethod
    def _pile(card: str, left: int) -> Any:
        pile = core.Pile([theirs(card)])  # an empty one would have no name
        pile.cards = [theirs(card)] * left
        return pile

    def _count(self) -> int:
        owned = sum(len(one.get_all_cards()) for one in self.players)
        return owned + sum(map(len, self.game.supply.piles)) + len(self.game.trash)

    def playable(self) -> list[str]:
        """The cards that we offer to play."""
        found = [text.split()[-1] for text in self.table.legal if text.startswith("p0 play ")]
        return [card for card in found if card in ACTIONS]

    def play(self, card: str) -> None:
        """Play it there, then the same here, then compare."""
        self.players[0].play(theirs(card), self.game)
        if self._count() != self.cards_there:
            assert theirs("library") in self.players[0].playmat.cards, self.where
            raise PyminionFails("pyminion has lost cards")
        self.table.play(f"p0 play {card}")
        self._follow()

    def finish_turn(self) -> None:
        """Lay all treasures, buy at random, clean up; compare after each step."""
        one, state = self.players[0], self.table.state
        for card in [card for card in self.table.cards(0).hand.copy() if card in COINS]:
            while card in self.table.cards(0).hand:
                one.exact_play(theirs(card), self.game)
                self.table.play(f"p0 play {card}")
                self.compare()
        ended = False
        while not ended:
            legal = [text for text in self.table.legal if not text.startswith("p0 play ")]
            there = named(self.game.supply.avaliable_cards())
            affordable = {f"p0 buy {card}" for card in there if COST[card] <= one.state.money}
            assert {*legal} == {*affordable, "p0 done"}, self.where
            text = self.random.choice(legal)
            if text != "p0 done":
                one.buy(theirs(text.split()[-1]), self.game)
            ended = text == "p0 done" or not one.state.buys
            if ended:
                one.start_cleanup_phase()
            self.table.play(text)
            assert bool(state.over) == (ended and self.game.is_over()), self.where
            if state.over:
                return  # pyminion draws five cards before it looks (DO15: nobody draws)
            self._follow()

    def _follow(self) -> None:
        """Everything up to our next decision of the turn, which must be all that pyminion did."""
        while self.table.state.stack:
            self.table.play(self._same_move())
        rest = [*self.drawn, *(s.said for s in self.scripts), *(s.moats for s in self.scripts)]
        assert not any(rest), f"pyminion draws or asks more: {rest}; {self.where}"
        self.compare()

    def _same_move(self) -> str:
        prompt, legal = self.table.state.prompt(), self.table.legal
        assert prompt is not None and prompt.player is not None
        seat, nothing = prompt.player, f"{legal} is asked here only; {self.where}"
        if prompt.actor is Actor.DEALER:
            assert self.drawn[seat], nothing
            return f"dealer draw p{seat} {self.drawn[seat].popleft()}"
        if len(legal) == 1 and legal[0].split()[1] in FORCED:
            return legal[0]
        script = self.scripts[seat]
        if prompt.code == "moat":
            assert script.moats, nothing
            return f"p{seat} show moat" if script.moats.popleft() else f"p{seat} none"
        assert script.said, nothing
        text, offered = script.said.popleft()
        assert not offered or offered == set(legal), self.where
        return text

    def compare(self) -> None:
        """All zones, the supply, the trash, the counters, the points."""
        assert self._here() == self._there(), self.where

    def _here(self) -> dict[str, Any]:
        state = self.table.state
        found: dict[str, Any] = {
            "supply": state.piles,
            "trash": state.trash,
            "counters": self.table.counters,
            "scores": list(state.scores()),
        }
        for seat in range(2):
            cards = self.table.cards(seat)
            found[f"p{seat}"] = {
                "hand": Counter(cards.hand),
                "draw": Counter(cards.deck) + Counter(cards.known_top),
                "known top": cards.known_top,
                "discard": Counter(cards.discards),
                "face": self._face(seat, cards.face),
                "play": cards.play,
                "aside": cards.aside,
            }
        return found

    def _there(self) -> dict[str, Any]:
        turn = self.players[0].state
        found: dict[str, Any] = {
            "supply": {named([theirs(c)])[0]: self._left(c) for c in self.table.state.piles},
            "trash": named(self.game.trash.cards),
            "counters": (turn.actions, turn.buys, turn.money),
            "scores": [one.get_victory_points() for one in self.players],
        }
        for seat, one in enumerate(self.players):
            known = len(self.table.cards(seat).known_top)
            discards = named(one.discard_pile.cards)
            found[f"p{seat}"] = {
                "hand": Counter(named(one.hand.cards)),
                "draw": Counter(named(one.deck.cards)),
                "known top": named(one.deck.cards[len(one.deck) - known :]),
                "discard": Counter(discards),
                "face": self._face(seat, discards[-1] if discards else ""),
                "play": named(one.playmat.cards),
                "aside": [],
            }
        return found

    def _left(self, card: str) -> int:
        return int(self.game.supply.pile_length(theirs(card).name))

    def _face(self, seat: int, face: str) -> str:
        """The top discard; the Library lays down several at once, in whatever order."""
        cards = self.table.cards(seat)
        return face if cards.face and "library" not in cards.play else ""


def with_cards(*cards: str) -> list[str]:
    """Ten kingdom cards that both know, these among them; a Moat only if it is named."""
    rest = [card for card in COMPARED if card not in cards and card != "moat"]
    return [*dict.fromkeys(cards), *rest][:10]


def position(p0: str, p1: str = "", plays: str = "", **piles: int) -> dict[str, Any]:
    """A position of the list below; played is the card it stands under, unless said."""
    return {"seats": (p0, p1), "plays": plays.split(), "piles": piles}


CURSED = "curse copper estate copper silver"

POSITIONS: dict[str, list[dict[str, Any]]] = {
    "bureaucrat": [
        position("bureaucrat copper / gold", CURSED + " / gold"),
        position("bureaucrat", "estate duchy province gardens estate", silver=0),
        position("bureaucrat / / copper", "curse gold silver"),
        position("bureaucrat", ""),
        position("bureaucrat / gold", "moat moat estate"),
        position("throne-room bureaucrat", "moat estate duchy curse", "throne-room", silver=1),
    ],
    "cellar": [
        position("cellar estate×2 copper duchy / silver gold village copper estate", ""),
        position("cellar estate×2 copper / silver", ""),
        position("cellar estate duchy / / gold", ""),
        position("cellar / gold", ""),
        position("throne-room cellar estate×3 / village copper / gold", "", "throne-room"),
    ],
    "chapel": [
        position("chapel copper×3 estate×2 curse", ""),
        position("chapel copper", ""),
        position("chapel", ""),
        position("throne-room chapel copper×4 estate×2", "", "throne-room"),
    ],
    "council-room": [
        position("council-room copper / silver gold estate duchy curse", "moat / gold"),
        position("council-room / silver / gold", "copper / / estate"),
        position("council-room", ""),
    ],
    "festival": [
        position("festival", ""),
        position("festival smithy / copper×4", "", "festival smithy"),
        position("throne-room festival", "", "throne-room"),
    ],
    "gardens": [
        position("gardens copper×4 / silver×4", "gardens×2 copper×3 / silver×8 / gold×7", " "),
        position("gardens workshop copper×4 / silver×3", "curse gardens", "workshop"),
        position("throne-room workshop gardens copper×6", "gardens / copper×9", "throne-room"),
    ],
    "laboratory": [
        position("laboratory copper / silver gold estate", ""),
        position("laboratory×2 / estate / gold", "", "laboratory laboratory"),
        position("laboratory", ""),
    ],
    "library": [
        position("library village copper / smithy estate village gold silver copper duchy", ""),
        position("library copper×6 / smithy village gold", ""),
        position("library copper×8 / smithy", ""),
        position("library / copper / estate", ""),
        position("library copper×4 / village / smithy gold silver copper", ""),
        position("throne-room library copper×3 / village×2 gold×5 smithy×2", "", "throne-room"),
    ],
    "market": [
        position("market / silver gold", ""),
        position("market×2 / estate", "", "market market"),
        position("throne-room market / estate / gold", "", "throne-room"),
    ],
    "militia": [
        position("militia", CURSED),
        position("militia", "copper×3"),
        position("militia", ""),
        position("militia", "moat×2 gold×2 estate duchy"),
        position("throne-room militia", "moat copper×2 gold", "throne-room"),
    ],
    "moat": [
        position("moat / silver gold copper", ""),
        position("moat / silver / estate", ""),
        position("moat", "moat"),
    ],
    "remodel": [
        position("remodel estate gold", ""),
        position("remodel copper", "", estate=0, moat=0),
        position("remodel remodel duchy village", "", "village remodel"),
        position("throne-room remodel estate gold", "", "throne-room", province=1),
    ],
    "smithy": [
        position("smithy / silver gold copper estate", ""),
        position("smithy / silver / estate copper", ""),
        position("smithy", ""),
    ],
    "throne-room": [
        position("throne-room copper", ""),
        position("throne-room", ""),
        position("throne-room village smithy / copper×9", ""),
        position("throne-room×2 market smithy / copper×9 estate", ""),
        position("throne-room×2 village / copper", ""),
        position("throne-room×3 militia witch / copper×9", "moat estate×3 copper"),
    ],
    "village": [
        position("village / silver", ""),
        position("village village smithy / estate gold / copper", "", "village village smithy"),
        position("village", ""),
    ],
    "witch": [
        position("witch / silver gold", "copper"),
        position("witch", "", curse=0),
        position("witch / silver", "moat"),
        position("throne-room witch / estate / gold×2", "moat copper", "throne-room"),
        position("throne-room witch", "copper", "throne-room", curse=1),
    ],
    "workshop": [
        position("workshop", ""),
        position("workshop", "", silver=0, estate=0),
        position("throne-room workshop", "", "throne-room", estate=1),
    ],
    "mine": [
        position("mine copper silver gold estate", ""),
        position("mine copper×2", "", silver=0),
        position("mine estate", ""),
        position("throne-room mine copper silver", "", "throne-room", gold=1),
    ],
    "moneylender": [
        position("moneylender copper silver", ""),
        position("moneylender silver", ""),
        position("moneylender", ""),
        position("throne-room moneylender copper silver", "", "throne-room"),
    ],
}


def test_every_card_is_compared_or_has_a_reason_why_not() -> None:
    assert set(KINGDOM) | set(named(base.base_set)) == {*COMPARED, *DIFFERENT}
    assert len(COMPARED) + len(DIFFERENT) == len({*COMPARED, *DIFFERENT})
    assert {*COMPARED} == set(KINGDOM) & set(named(base.base_set))
    assert set(POSITIONS) == set(COMPARED) and min(map(len, POSITIONS.values())) >= 3


def test_costs_coins_and_points_are_the_same() -> None:
    cards = [*BASIC, *COMPARED]
    assert {card: theirs(card)._cost for card in cards} == {card: COST[card] for card in cards}
    assert {card: theirs(card).money for card in COINS} == COINS
    assert {card: theirs(card).score(None) for card in POINTS} == POINTS


def test_piles_of_two_three_and_four_players_are_the_same() -> None:
    for players in GAME.players:
        options = GAME.complete_options(players, {"last_winners": "p0"})
        ours = GAME.setup(players, options, physical=False).piles
        bots = [player.Player(None) for _ in range(players)]
        piles = game.Game(bots, [base.base_set], log_stdout=False)._create_basic_piles()
        assert {named(pile.cards)[0]: len(pile) for pile in piles} == {c: ours[c] for c in BASIC}


@pytest.mark.parametrize("card", COMPARED)
def test_same_position_and_decisions_leave_the_same_zones(card: str) -> None:
    for at in POSITIONS[card]:
        cards = {kind for text in at["seats"] for kind in cards_of(text.replace("/", " "))}
        kingdom = with_cards(card, *sorted(cards & set(KINGDOM)), *(at["piles"].keys() - BASIC))
        for seed in range(4):
            both = Both(*at["seats"], kingdom=kingdom, seed=f"{card}/{seed}", piles=at["piles"])
            for played in at["plays"] or [card] * (card in ACTIONS):
                both.play(played)


def test_five_hundred_random_turns_leave_the_same_zones_after_every_step() -> None:
    played: Counter[str] = Counter()
    compared = number = 0
    while compared < 500:
        number += 1
        try:
            cards = _play_at_random(f"random/{number}")
        except PyminionFails:
            continue
        compared += 1
        played.update(cards)
    assert number < 600
    assert {card for card in COMPARED if played[card] < 20} == {"gardens"}


def _play_at_random(seed: str) -> list[str]:
    """A turn with up to four actions and any buys; the actions played."""
    random = Random(seed)
    kingdom = random.sample(COMPARED, 10)
    actions = [card for card in kingdom if card in ACTIONS]
    some = [*BASIC, *kingdom, "copper", "copper", "silver", "estate"]

    def pick(least: int, most: int) -> list[str]:
        return random.choices(some, k=random.randint(least, most))

    hand = random.choices(actions, k=random.randint(1, 3)) + pick(0, 4)
    first = [hand, pick(0, 6), pick(0, 5)]
    other = [pick(0, 6), pick(0, 3), pick(0, 3)]
    if "moat" in kingdom and random.random() < 0.5:
        other[0].append("moat")
    piles = {card: random.randint(0, 1) for card in random.sample([*BASIC, *kingdom], 4)}
    held = Counter(card for zone in (*first, *other) for card in zone)
    both = Both(
        *(" / ".join(map(" ".join, seat)) for seat in (first, other)),
        kingdom=kingdom,
        seed=seed,
        piles={card: left for card, left in piles.items() if held[card] < 7},
    )
    played: list[str] = []
    while len(played) < 4 and (playable := both.playable()):
        played.append(random.choice(playable))
        both.play(played[-1])
    both.finish_turn()
    return played
