"""Hands: what each seat may see, and seats that the program deals to."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from companion.journal.entries import Header
from companion.journal.events import MovePlayed, Source
from companion.journal.exports import export_lines, read_export
from companion.journal.store import Journal
from companion.match.hands import Hand, hand_of, keeps_secrets
from companion.match.looking_back.history import Recording
from companion.match.messages import ComputerFails, ComputerPlays, Message, Seen
from companion.match.table import Table
from companion.match.view import (
    SET_FOR_COMPUTER,
    ConfirmPlaced,
    PlayMove,
    Redo,
    TableState,
    Undo,
)
from companion.settings.manners import Manners
from rules.box import load_box
from rules.core import Actor, Item, Layout, Move
from rules.games import find_game, game_ids
from rules.match import Entry, Match
from rules.players import Reason
from rules.testing.pictures import draw
from rules.testing.playout import pick
from tests.support.beside import beside
from tests.support.sweep import some

WHY = Reason("best_chances")
BOX = load_box("dominion").for_game("dominion")
BEGINS = {"kingdom": "first-game", "last_winners": "p0"}


class Dominion:
    """Anna with real cards and the druid with dealt ones; the druid begins."""

    def __init__(
        self, options: dict[str, str] = BEGINS, seed: str = "seed", played: Sequence[Entry] = ()
    ) -> None:
        self.journal = Journal(":memory:")
        self.header = Header(
            "m1", "dominion", 2, options, True, seed, ("Anna", "Druid"), "enforce", 1.0,
            computers=("", "druid"), dealt=(1,),
        )  # fmt: skip
        self.journal.create(self.header)
        happened = [MovePlayed(entry.move) for entry in played]
        self.journal.append("m1", *happened, src=Source.IMPORT)
        self.now = 0.0
        self.table = self.opened()

    def opened(self) -> Table:
        """As after a power cut: all is read from the journal."""
        return Table(self.journal, self.header, Manners())

    def do(self, intent: Message, src: Source = Source.TOUCH) -> list[Any]:
        self.now += 5.0
        return self.table.handle(intent, self.now, src)

    def tap(self, *moves: str) -> None:
        for move in moves:
            self.do(PlayMove(Move.parse(move)))

    def chosen(self, *moves: str) -> None:
        since = len(self.table.record.told)
        self.do(ComputerPlays(tuple(map(Move.parse, moves)), WHY, since), Source.COMPUTER)

    def look(self, layout: Layout) -> None:
        self.do(Seen(draw(BOX, layout), settled=True))

    @property
    def match(self) -> Match:
        return self.table.match

    @property
    def moves(self) -> list[str]:
        return [entry.move.text for entry in self.match.log]

    @property
    def coppers(self) -> int:
        """In the druid's hand."""
        return int(self.match.state.seats[1].hand.get("copper", 0))

    def druid_buys_silver(self) -> None:
        self.chosen(*["p1 play copper"] * self.coppers)
        self.chosen("p1 buy silver")


def when_legal(move: str) -> Dominion:
    """A match that has come to where somebody may do that."""
    options = {"kingdom": "interaction", "last_winners": "p0"}
    if "witch" in move or "thief" in move:
        options["kingdom"] = "size-distortion"
    for seed in range(30):
        for _, match in beside("dominion", 2, (1,), seed, options):
            if Move.parse(move) in match.legal_moves() and match.state.actions:
                return Dominion(dict(match.options), str(seed), match.log)
    raise AssertionError(move)


def test_the_program_draws_for_its_player_and_nobody_sees_what() -> None:
    at = Dominion()
    drawn = [move for move in at.moves if move.startswith("dealer draw")]
    assert [move for move in drawn if "p0" in move] == ["dealer draw p0 ?"] * 5
    assert not [move for move in drawn if "p1" in move and "?" in move]
    assert at.table.view().thinks == 1
    told = [move.text for move in at.table.record.public_log if move.actor is Actor.DEALER]
    assert set(told) == {"dealer draw p0 ?", "dealer draw p1 ?"}
    assert not any(at.table.hands)
    recording = Recording(at.header, at.journal.events("m1"))
    assert {str(ply.move) for ply in recording.plies} == set(told)
    # Who played on in a copy would see its hand.
    assert recording.sealed


def test_after_a_power_cut_it_draws_on_as_it_would_have() -> None:
    at = Dominion()
    at.druid_buys_silver()
    before = at.moves
    at.table = at.opened()
    assert at.moves == before
    other = Dominion()
    other.table = other.opened()
    other.druid_buys_silver()
    assert other.moves == before


def test_cut_off_between_any_two_cards_it_goes_on_with_the_same() -> None:
    whole = Dominion()
    whole.druid_buys_silver()
    for number in range(whole.match.ply):
        again = Dominion(played=whole.match.log[:number])
        assert again.moves == whole.moves[: again.match.ply]
        assert again.match.prompt is not None
        assert again.match.prompt.actor is Actor.PLAYER


def test_an_export_is_read_back_and_goes_on() -> None:
    at = Dominion()
    at.druid_buys_silver()
    lines = "\n".join(export_lines(at.header, "open", at.journal.events("m1")))
    header, _status, events = read_export(lines, "a test")
    assert header.dealt == (1,)
    again = Recording(header, events)
    assert [entry.move.text for entry in again.entries] == at.moves


def test_what_people_take_back_is_drawn_again() -> None:
    at = Dominion()
    at.druid_buys_silver()
    at.do(ConfirmPlaced())
    at.tap("p0 done")
    drawn = at.moves
    at.druid_buys_silver()
    # Anna's end of turn goes back, and with it what the druid did since.
    at.do(Undo())
    assert at.table.view().thinks is None and at.match.prompt is not None
    assert at.match.prompt.player == 0
    at.do(Redo())
    assert at.moves[: len(drawn)] == drawn
    sources = [e.src for e in at.journal.events("m1") if isinstance(e.what, MovePlayed)]
    assert set(sources) == {Source.TOUCH, Source.DEALER, Source.COMPUTER}


def test_hands_lay_on_its_heap_what_it_buys_and_the_camera_asks_for_nothing_else() -> None:
    at = Dominion()
    at.look(at.match.layout)
    assert at.table.view().state is TableState.SETTLED
    at.chosen(*["p1 play copper"] * at.coppers)
    # What it played lies nowhere, and nothing is missing.
    at.look(at.match.layout)
    assert at.table.view().state is TableState.SETTLED
    before = at.match.layout
    at.chosen("p1 buy silver")
    at.look(before)
    view = at.table.view()
    assert view.state is TableState.PENDING
    assert [(fix.site, [g.kind for g in fix.wanted]) for fix in view.fixes] == [
        ("discard-p1", ["silver"])
    ]
    at.look(at.match.layout)
    assert at.table.view().state is TableState.SETTLED


def test_whatever_of_its_cards_lies_on_top_at_first_is_right() -> None:
    at = Dominion()
    layout = at.match.layout
    (top,) = [item for item in layout if item.site == "discard-p1" and item.seen]
    (estates,) = [i for i in layout if i.site == "discard-p1" and i.kind == "estate"]
    assert top.kind == "copper"
    layout[top] -= 1
    layout[type(top)("discard-p1", "estate", 1)] = 1
    assert estates.seen is False
    at.look(+layout)
    assert at.table.view().state is TableState.SETTLED


def test_a_curse_that_it_deals_out_is_waited_for_and_nobody_is_accused() -> None:
    at = when_legal("p1 play witch")
    at.look(at.match.layout)
    before = at.match.layout
    at.chosen("p1 play witch")
    assert Item("discard-p0", "curse", 0) in at.match.layout
    at.look(before)
    view = at.table.view()
    assert view.state is TableState.PENDING and not view.objections
    assert [fix.site for fix in view.fixes] == ["discard-p0"]
    at.look(at.match.layout)
    assert at.table.view().state is TableState.SETTLED


def test_a_curse_for_it_is_laid_on_its_heap() -> None:
    at = when_legal("p0 play witch")
    at.look(at.match.layout)
    at.tap("p0 play witch")
    at.look(at.match.layout - Counter([Item("discard-p1", "curse", 1)]))
    assert [fix.site for fix in at.table.view().fixes] == ["discard-p1"]
    at.look(at.match.layout)
    assert at.table.view().state is TableState.SETTLED


def test_it_answers_an_attack_and_hands_have_nothing_to_do_for_it() -> None:
    at = when_legal("p0 play militia")
    at.look(at.match.layout)
    at.tap("p0 play militia")
    if at.table.view().thinks is None:
        raise AssertionError("the druid is asked what to discard")
    while at.table.view().thinks is not None:
        legal = [move.text for move in at.match.legal_moves()]
        # It may show a Moat, if it has one.
        at.chosen(legal[0])
        at.look(at.match.layout)
        assert at.table.view().state is TableState.SETTLED
    assert at.match.state.seats[1].hand_size() in (3, 5)


def test_without_a_camera_people_say_that_it_lies_there() -> None:
    at = Dominion()
    at.druid_buys_silver()
    result = at.table.view().result
    assert result is not None and result.code == SET_FOR_COMPUTER
    at.do(ConfirmPlaced())
    assert at.table.view().result is None


def test_who_plays_for_a_player_that_cannot_choose_sees_its_hand_and_covers_it() -> None:
    at = Dominion()
    at.do(ComputerFails(1, len(at.table.record.told)), Source.COMPUTER)
    view = at.table.view()
    assert view.secret and view.legal
    assert dict(at.table.hands[1].things) == at.match.state.seats[1].hand
    assert not at.table.hands[0]
    assert not view.may_tip


SECRETIVE = {
    "dolmengoetter", "dominion", "erbaut_stonehenge", "hoher_rat", "opferroulette",
    "trilithen_knallen",
}  # fmt: skip


def dealt(game: str, moves: int = 30, *, physical: bool = False, **options: str) -> Match:
    rules, chance = find_game(game), random.Random(1)
    match = Match(game, rules.players[0], options, seed=3, physical=physical)
    for _ in range(moves):
        match.deal()
        prompt = match.prompt
        if prompt is None:
            break
        legal = match.legal_moves()
        if prompt.actor is Actor.PLAYER:
            match.push(match.state.choose(legal, chance))
        else:
            match.push(chance.choice(legal))
    match.deal()
    return match


@pytest.mark.parametrize("game", some(game_ids()))
def test_games_with_hands_keep_secrets_where_the_program_deals(game: str) -> None:
    match = dealt(game)
    assert any(hand_of(match, seat) for seat in range(match.players)) == (game in SECRETIVE)


def positions(game: str, moves: int = 90) -> Iterator[Match]:
    """A match wherever a player is asked, for every number of players."""
    rules, chance = find_game(game), random.Random(game)
    for players in rules.players:
        match = Match(game, players, seed=players)
        for _ in range(moves):
            match.deal()
            legal = match.legal_moves()
            if match.prompt is None or not legal:
                break
            if match.prompt.actor is Actor.PLAYER and match.prompt.player is not None:
                yield match
            match.push(pick(match.state, legal, chance))


@pytest.mark.parametrize("game", some(game_ids()))
def test_whoever_may_name_something_hidden_is_asked_alone(game: str) -> None:
    secret = total = 0
    for match in positions(game):
        assert match.prompt is not None and match.prompt.player is not None
        hand = hand_of(match, match.prompt.player)
        things = {thing for thing, _count in hand.things}
        named = {
            part
            for move in match.legal_moves()
            for arg in move.args
            for part in (arg.partition("=")[2] or arg).split(",")
        }
        if named & things:
            assert keeps_secrets(match), match.prompt
        secret, total = secret + keeps_secrets(match), total + 1
    assert total > 0 and (secret > 0) == (game in SECRETIVE)


@pytest.mark.parametrize(
    ("game", "public"),
    [
        ("dolmengoetter", {"druid", "action", "stone"}),
        ("erbaut_stonehenge", {"draw", "occupy", "build_reveal"}),
        ("opferroulette", {"offering"}),
        ("trilithen_knallen", {"ram", "flip"}),
    ],
)
def test_public_choices_need_no_handover(game: str, public: set[str]) -> None:
    covered = {match.prompt.code: keeps_secrets(match) for match in positions(game) if match.prompt}
    assert public <= covered.keys()
    assert not any(covered[code] for code in public)


@pytest.mark.parametrize("game", some(game_ids()))
def test_at_a_physical_table_nothing_must_be_covered(game: str) -> None:
    assert not keeps_secrets(dealt(game, physical=True))


def test_a_hand_is_what_lies_in_it() -> None:
    match = dealt("dominion", 0)
    for seat in range(match.players):
        assert sum(count for _kind, count in hand_of(match, seat).things) == 5


def test_own_hidden_stones_on_the_board_are_named_with_their_field() -> None:
    match = Match("knizia_stonehenge", 2, {"hidden": "on"}, seed=3)
    match.push("p0 place 3 L")
    assert ("L", "3") in hand_of(match, 0).lying
    assert all(site != "L" for site, _thing in hand_of(match, 1).lying)


def test_own_dolmens_are_known_to_their_owner_even_with_real_ones() -> None:
    match, chance = dealt("dolmengoetter", 4, physical=True), random.Random(5)
    laid = None
    while laid is None:
        legal = match.legal_moves()
        unseen = next((move for move in legal if move.verb == "dolmen"), None)
        if unseen is not None:
            # The owner types its value in, for himself alone.
            laid = Move.parse(unseen.text.replace("?", "3"))
        match.push(laid or chance.choice(legal))
    assert laid.player is not None
    assert (laid.args[0], laid.args[2]) in hand_of(match, laid.player).lying
    others = [s for s in range(match.players) if s != laid.player]
    assert all((laid.args[0], laid.args[2]) not in hand_of(match, s).lying for s in others)


def test_an_empty_hand_is_false() -> None:
    assert not Hand(0)
    assert Hand(0, things=(("copper", 1),))
