"""Effort of a match for people: touches, questions and forced pauses per turn, game by game.

Random matches are entered through a real table, and every move is reached by the fewest touches
that the play screen's own model allows: on the board, on a piece and the board, on a tile, through
a sheet. Three ways of playing:

- ``dealt``: the program deals; the screen is handed over where a hand decides what is offered.
- ``own cards``: people's own cards, no camera.
- ``camera``: the same with a camera that reads stickers perfectly and looks after every step. What
  it recognises takes no touch; a question takes one, or the touches of entering the move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, permutations
from random import Random

from benchmarks.measure import Result
from companion.journal.entries import Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.messages import Seen, Tick
from companion.match.table import Table
from companion.match.view import ChooseCandidate, PlayMove, TableState, TableView
from companion.presentation.boxes import box_of
from companion.presentation.cards import cards_of, is_only_cards, others_of, picking_of
from companion.presentation.choosing import Tile, question_at_a_place, sections
from companion.presentation.hand_cards import HandCards, hand_cards
from companion.presentation.table_words import TableWords, table_words
from companion.presentation.touching import (
    Ask,
    Finger,
    Picked,
    Play,
    lying_sites,
    piece_of,
    touched,
)
from companion.settings.manners import Manners
from rules.core import Actor, Move, Spread
from rules.games import find_game
from rules.match import Match
from rules.testing.pictures import draw
from rules.testing.playout import random_match
from tests.support.watched import WATCHED

MODES = ("dealt", "own cards", "camera")
MATCHES = 2
MOST_MOVES = 160
"""Most moves of a match that are followed."""
_ORDERS = 12
"""Most orders in which the places of a move are tried."""
_LANG = "en"
_SETTLE_S = 6.0
LOOKS_LATER = 3
"""Looks that the camera has to find out by itself that it took a move for another."""
MOST_BACK = 24
"""Most moves back at which the truth may have been where the record is."""


@dataclass(slots=True)
class Effort:
    """The effort of people in some matches."""

    turns: int = 0
    touches: int = 0
    questions: int = 0
    """Of the camera."""
    pauses: int = 0
    """Times that the screen had to be handed over."""
    misread: int = 0
    """Moves that the camera took for others and did not put right by itself: taken back and entered
    by touch."""
    lost: int = 0
    """Moves that no touch reached: must be 0."""

    def per_turn(self, number: int) -> float:
        """A count per turn."""
        return number / max(self.turns, 1)


def results() -> Iterator[Result]:
    """One line per game and way of playing."""
    for game in WATCHED:
        for mode in MODES:
            found = measured(game, mode)
            told = f"{found.per_turn(found.questions):.2f} questions, "
            told += f"{found.per_turn(found.pauses):.2f} pauses, "
            told += f"{found.misread} misread, {found.lost} lost"
            name = f"{game}, {mode}: {told}"
            touches = found.per_turn(found.touches)
            yield Result(name, touches, "touches a turn", "", None, None, "fewer")


def measured(game: str, mode: str) -> Effort:
    """The effort of ``MATCHES`` matches of a game."""
    effort = Effort()
    for seed in range(MATCHES):
        with Journal(":memory:") as journal:
            table = _table(journal, game, mode, str(seed))
            if mode == "dealt":
                _play_dealt(table, effort, Random(seed))
                effort.turns += table.record.turn
            else:
                effort.turns += _play_along(table, effort, str(seed), looks=mode == "camera")
    return effort


def _asked(view: TableView, words: TableWords) -> tuple[Move, ...]:
    """The answers to a question that stands beside the board by itself."""
    offer = question_at_a_place(view, words.teller) if words.playing else None
    return () if offer is None else offer.moves


def _through_picker(view: TableView, move: Move) -> int | None:
    """Cards are chosen by their numbers: it opens by itself or with a touch, and one confirms."""
    picking = picking_of(view)
    if picking is None or move not in picking.moves:
        return None
    hand = hand_cards(view, ())
    if hand is not None:
        return _on_hand(hand, move)
    cards = cards_of(move, picking.plan)
    parts = len(others_of(move, picking.plan))
    opened = 0 if is_only_cards(view) else 1
    # Results of chance are entered card by card, all of them with one key in the end.
    ends = picking.wanted == 2 if picking.wanted else not picking.one_by_one
    return opened + len(cards) + ends + (parts if parts > 1 else 0)


def _on_hand(hand: HandCards, move: Move) -> int:
    """The cards of a dealt hand lie beside the board; a key says which of their moves is meant."""
    cards = cards_of(move, hand.picking.plan)
    for card in cards:
        hand = hand.touch(card)
    if hand.meant == move:
        return len(cards)
    asked = hand.parts and move not in hand.moves
    return len(cards) + (len(others_of(move, hand.picking.plan)) if asked else 1)


def touches_for(view: TableView, words: TableWords, move: Move) -> int | None:
    """The fewest touches that play ``move``; None if no touches do."""
    if move == words.done:
        return 1
    if view.spread is not None:
        return _laid(view.spread, view.legal)
    in_a_key = move == view.usual or (words.as_keys and move in words.listed)
    if in_a_key or move in _asked(view, words):
        return 1
    ways = [_through_tiles(words, move), _through_picker(view, move), _over_board(view, move)]
    return min((way for way in ways if way is not None), default=None)


def _laid(spread: Spread, legal: Sequence[Move]) -> int:
    """Touches to tell kind by kind what was laid: one each, none where only one kind is left, and
    one in the end. The next kind chooses itself."""
    return (len(legal) > 1) + (len(spread.moves) == 1)


# -- matches --------------------------------------------------------------------------------


def _table(journal: Journal, game: str, mode: str, seed: str) -> Table:
    rules = find_game(game)
    players = rules.players[min(1, len(rules.players) - 1)]
    header = Header(
        id=seed, game=game, players=players, options=rules.complete_options(players, {}),
        physical=mode != "dealt", seed=seed, names=("",) * players, enforcement="enforce",
        created_s=0.0,
    )  # fmt: skip
    journal.create(header)
    return Table(journal, header, Manners())


def _play_dealt(table: Table, effort: Effort, random: Random) -> None:
    alone: int | None = None
    for _number in range(MOST_MOVES):
        match = table.match
        if match.outcome is not None:
            return
        view, prompt = table.view(), match.prompt
        asked = prompt.player if prompt is not None and prompt.actor is Actor.PLAYER else None
        alone = alone if view.secret and alone == asked else None
        if view.secret and alone is None:
            effort.pauses += 1
            effort.touches += 1
            alone = asked
        _tap(table, effort, match.state.choose(view.legal, random))


def _play_along(table: Table, effort: Effort, seed: str, *, looks: bool) -> int:
    """Enter what happens at a table with real pieces; returns the number of turns."""
    match, now, astray = table.match, 0.0, 0
    truth = Match(match.game, match.players, match.options, physical=True)
    known = len(truth.deal())
    askers: list[int] = []
    shown: list[Move] = []
    for position, _moves, move in random_match(match.game, match.players, match.options, seed):
        shown += position.state.shown(move)
        for step in shown[truth.ply :]:
            if truth.ply >= len(shown):
                break
            truth.push(step)
            truth.deal()
            if truth.prompt is not None and truth.prompt.player is not None:
                askers.append(truth.prompt.player)
            now += _SETTLE_S
            if looks:
                _look(table, effort, truth, now)
                astray = astray + 1 if _reached(table, truth) is None else 0
                if astray == LOOKS_LATER:
                    # Nothing that came since has told the camera better.
                    effort.misread += 1
                    effort.touches += 1
                    _go_back(table, truth)
                    _enter(table, effort, truth)
            else:
                _enter(table, effort, truth)
        if truth.ply > MOST_MOVES + known:
            break
    _enter(table, effort, truth)
    return 1 + sum(one != other for one, other in pairwise(askers))


def _look(table: Table, effort: Effort, truth: Match, now: float) -> None:
    table.handle(Seen(draw(box_of(table.view()), truth.layout)), now - _SETTLE_S)
    for part in (0.3, 0.6, 1.0):
        table.handle(Tick(), now - _SETTLE_S * (1 - part))
    if table.state is TableState.AMBIGUOUS:
        effort.questions += 1
        effort.touches += 1
        for number, candidate in enumerate(table.view().candidates):
            if _leads(table, truth, candidate.takeback, candidate.moves):
                table.handle(ChooseCandidate(number), now)
                return
        _enter(table, effort, truth)
    elif table.state in (TableState.ILLEGAL, TableState.DESYNC) or _passed_on(table, truth):
        _enter(table, effort, truth)


def _passed_on(table: Table, truth: Match) -> bool:
    """True if the table still waits for a player although another player's turn has begun."""
    asked, waits_for = truth.prompt, table.match.prompt
    if table.state is not TableState.PENDING or asked is None or waits_for is None:
        return False
    return asked.player is not None and asked.player != waits_for.player


def _go_back(table: Table, truth: Match) -> None:
    """Take back what did not happen."""
    record, told = _texts(table.match), _texts(truth)
    same = next(n for n, (a, b) in enumerate(zip(record, told, strict=False)) if a != b)
    table.record.take_back(len(record) - same, Source.TOUCH)


def _leads(table: Table, truth: Match, takeback: int, moves: Sequence[Move]) -> bool:
    if takeback:
        return False
    told = _texts(table.match) + [move.text for move in moves]
    return told == _texts(truth)[: len(told)]


def _enter(table: Table, effort: Effort, truth: Match) -> None:
    """Tap what the record does not know."""
    while (reached := _reached(table, truth)) is not None and reached < truth.ply:
        before = table.match
        _tap(table, effort, truth.log[reached].move)
        if table.match is before:
            effort.lost += 1
            return


def _reached(table: Table, truth: Match) -> int | None:
    """Number of moves of the truth that have come to the same as the record; None if none."""
    record, told = _texts(table.match), _texts(truth)
    shared = min(len(record), len(told))
    if record[:shared] == told[:shared]:
        return len(record)
    game, trial = truth.game, truth.clone()
    there = game.inference.essence(table.match.state)
    for _ in range(min(trial.ply, MOST_BACK)):
        if game.inference.essence(trial.state) == there:
            return trial.ply
        trial.pop()
    return None


def _texts(match: Match) -> list[str]:
    return [entry.move.text for entry in match.log]


# -- touches --------------------------------------------------------------------------------


def _tap(table: Table, effort: Effort, move: Move) -> None:
    view = table.view()
    # A question or a refusal is put aside first; that touch is counted where it is answered.
    playing = view if view.state in _PLAYING else replace(view, state=TableState.SETTLED)
    found = touches_for(playing, table_words(playing, _LANG), move)
    if found is None:
        effort.lost += 1
    effort.touches += found or 0
    table.handle(PlayMove(move), 0.0)


_PLAYING = (TableState.SETTLED, TableState.HAND, TableState.BLIND)


def _through_tiles(words: TableWords, move: Move) -> int | None:
    if move in words.listed:
        return _tiles(words.listed, words, move)
    if move in words.placeless:
        inside = _tiles(words.placeless, words, move)
        return None if inside is None else 1 + inside
    return None


def _tiles(moves: tuple[Move, ...], words: TableWords, move: Move) -> int | None:
    """Touches on tiles, one part of a combination after the other."""
    chosen: tuple[str, ...] = ()
    for count in range(1, 12):
        tiles = [t for s in sections(moves, words.teller, chosen) for t in s.tiles]
        whole = [tile for tile in tiles if tile.move == move]
        if whole:
            return count
        further: list[Tile] = [tile for tile in tiles if tile.chosen and move in tile.moves]
        if not further:
            return None
        chosen = further[0].chosen
    return None


def _over_board(view: TableView, move: Move) -> int | None:
    box = box_of(view)
    sites = touched(move, view, box) or lying_sites(move, view, box)[:1]
    if not sites:
        return None
    piece = piece_of(move, view, box)
    seat = move.player
    held = piece is not None and seat is not None and view.supplies[seat].get(piece.id, 0)
    found = []
    for order in islice(permutations(sites), _ORDERS):
        found.append(_fingers(view, order, "", move))
        if held and piece is not None:
            found.append(_fingers(view, order, piece.id, move))
    return min((count for count in found if count is not None), default=None)


def _fingers(view: TableView, sites: Sequence[str], kind: str, move: Move) -> int | None:
    finger, box, count = Finger(), box_of(view), 0
    if kind:
        finger.touch_kind(view, kind)
        count += 1
    asked: int | None = None
    for site in sites:
        count += 1
        match finger.touch_site(view, box, site):
            case Play(played):
                return count if played == move else asked
            case Ask(moves, _) if move in moves and asked is None:
                asked = count + 1
            case Picked():
                pass
    return asked


def main() -> None:
    """The table of ``docs/reading.md``."""
    for game in WATCHED:
        cells = [_cell(measured(game, mode)) for mode in MODES]
        print("| " + " | ".join([game, *cells]) + " |", flush=True)


def _cell(found: Effort) -> str:
    numbers = (found.touches, found.questions, found.pauses)
    told = " / ".join(f"{found.per_turn(number):.2f}" for number in numbers)
    missed = found.misread + found.lost
    return f"{told} ({found.misread} misread, {found.lost} lost)" if missed else told


if __name__ == "__main__":
    main()
