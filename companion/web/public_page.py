"""The public view of a match in words and figures: the data of the pages.

The classes are the format, which ``docs/events.md`` explains. All of it is made from a
``PublicView``; it also runs in a browser, where nothing but the standard library is.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from companion.match.view import TO_BE_SET, ClockView, MatchView
from companion.presentation.announcement import calls, joined
from companion.presentation.boxes import box_of, window_of
from companion.presentation.market import PileTile, pile_tiles
from companion.presentation.pad import paper_lines, round_told, sheet_name
from companion.presentation.plan import Plan, Slot, owner_of
from companion.presentation.players import Player, player_of
from companion.presentation.theme.tokens import hexed
from companion.presentation.views import PublicView
from companion.presentation.words.sentences import rule_page, teller_of, turn_lines
from companion.presentation.words.translate import speaking
from rules.box import Box
from rules.core import Item, Market, Move, Objection, SupplyPile
from rules.games import find_game
from rules.telling import Teller, Told

VERSION: Final = 1
"""Version of the pages' data; another number means that fields have gone or mean something else."""
MOST_MOVES: Final = 60
"""Maximum number of moves told in words, the newest first."""


# -- the format -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NothingOpen:
    """The page while no match is on the table."""

    lang: str
    match: None = None
    v: int = VERSION


@dataclass(frozen=True, slots=True)
class Words:
    """A page of the rules, for one."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Said(Words):
    """The prompt of a page."""

    do: str


@dataclass(frozen=True, slots=True)
class Why(Said):
    """Reason of a refusal."""

    rule: Words | None


@dataclass(frozen=True, slots=True)
class Revealed(Words):
    """The reveals of the last decision."""

    good: bool | None


@dataclass(frozen=True, slots=True)
class Ended(Said):
    """Outcome of the match."""

    reason: str
    ranking: Sequence[Sequence[int]]
    scores: Sequence[int]


@dataclass(frozen=True, slots=True)
class LeftOver:
    """Pieces in front of a player; ``of``: out of how many."""

    kind: str
    count: int
    of: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """One player."""

    seat: int
    name: str
    colour: str
    rgb: str
    face: str
    token: str | None
    score: str
    asked: bool
    supply: Sequence[LeftOver]


@dataclass(frozen=True, slots=True)
class Lying:
    """Equal things at one place."""

    site: str
    kind: str
    owner: int | None
    level: int
    pose: str
    face: str
    count: int


class Piece(TypedDict, total=False):
    """A piece on the board; what says nothing about it is left out."""

    site: str
    kind: str
    at: tuple[float, float]
    scale: float
    turn: float
    seat: int
    pose: str
    level: int
    pile: int


@dataclass(frozen=True, slots=True)
class PileCount:
    """Number of pieces in a pile."""

    site: str
    count: int


@dataclass(frozen=True, slots=True)
class LyingBoard:
    """The drawn board with its pieces; mm, y down."""

    frame: Sequence[float]
    pieces: Sequence[Piece]
    piles: Sequence[PileCount]
    held: Mapping[str, str]
    """Kind of the piece that holds a line, by the line's number."""
    taken: Sequence[str]
    last: Sequence[str]
    window: str = ""
    """Name of the part of a lattice that is drawn, for ``api/board``."""


@dataclass(frozen=True, slots=True)
class SupplyCard:
    """A card for sale."""

    kind: str
    name: str
    lines: Sequence[str]
    group: str
    label: str
    types: str
    sign: str
    cost: int
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class LedgerPile:
    """A pile of a ledger."""

    kind: str
    lines: Sequence[str]
    name: str
    group: str
    figure: str
    badge: str
    scarce: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """Equal cards."""

    kind: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class OpenCard:
    """A card that lies face up in front of a player."""

    seat: int
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """The piles of a ledger."""

    wares: Sequence[LedgerPile]
    ledger: bool = True


@dataclass(frozen=True, slots=True)
class MarketPage:
    """Cards for sale."""

    wares: Sequence[SupplyCard]
    naming: bool
    turn: int | None
    figures: Sequence[tuple[str, int]]
    trash: Sequence[Counted]
    played: Sequence[Counted]
    open: Sequence[OpenCard]
    ledger: bool = False


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of a score sheet; by seat what was entered, empty where nothing was."""

    label: str
    cells: Sequence[str]
    due: bool


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A score sheet; ``leads``: the seats that are ahead."""

    name: str
    round: str
    leads: Sequence[int]
    lines: Sequence[SheetLine]


@dataclass(frozen=True, slots=True)
class Last:
    """The last move."""

    sites: Sequence[str]
    text: str


@dataclass(frozen=True, slots=True)
class ToldMove:
    """A move in words."""

    ply: int
    seat: int | None
    text: str


@dataclass(frozen=True, slots=True)
class ClockPage:
    """Time left of all players at a moment, s, and the one whose time has run since."""

    left_s: Sequence[float]
    asked: int | None
    running: bool
    at_s: float


@dataclass(frozen=True, slots=True)
class PublicPage:
    """A match as the public may see it."""

    match: str
    game: str
    game_name: str
    box: str
    lang: str
    state: str
    turn: int
    ply: int
    plies: int
    live: bool
    started: int
    players: Sequence[PlayerCard]
    prompt: Said | None
    items: Sequence[Lying]
    board: LyingBoard
    market: MarketPage | LedgerPage | None
    sheet: SheetPage | None
    last: Last
    moves: Sequence[ToldMove]
    why: Why | None
    result: Revealed | None
    clock: ClockPage | None
    outcome: Ended | None
    v: int = VERSION


# -- made from a view -------------------------------------------------------------------------


def public_page(view: PublicView, lang: str) -> PublicPage:
    """The page in a language."""
    with speaking(lang):
        teller, box = teller_of(view, lang), box_of(view)
        last_sites = [site for site in view.last_sites if site in box.sites]
        return PublicPage(
            match=view.public_id,
            game=view.game,
            game_name=teller.game_name,
            box=view.box,
            lang=lang,
            state=view.state.value,
            turn=view.turn,
            ply=view.ply,
            plies=view.plies,
            live=view.ply == view.plies,
            started=round(view.started_s),
            players=[_player(view, player_of(view, teller, n)) for n in range(view.players)],
            prompt=None if view.prompt is None else said(teller.prompt(view.prompt)),
            items=_items(view.items),
            board=_board(view, box, last_sites),
            market=_supply(view, teller),
            sheet=_sheet(view, teller),
            last=Last(last_sites, next(iter(turn_lines(view, teller)), "")),
            moves=_moves(view.told, teller),
            why=why_not(view.objections[0], view, teller) if view.objections else None,
            result=_result(view, teller),
            clock=_clock(view.clock),
            outcome=_outcome(view, teller),
        )


def said(told: Told) -> Said:
    """A message, without the rule that it is about."""
    return Said(told.title, told.text, told.do)


def why_not(objection: Objection, view: MatchView, teller: Teller) -> Why:
    """Reason why a move was not allowed, and the rule that says so."""
    told = teller.objection(objection)
    page = rule_page(teller, told.rule, view.options)
    rule = None if page is None else Words(page.title, page.text)
    return Why(told.title, told.text, told.do, rule)


def supply_card(pile: SupplyPile, view: MatchView, teller: Teller) -> SupplyCard:
    """The print of a card for sale, and how many are left."""
    page = rule_page(teller, pile.rule, view.options)
    return SupplyCard(
        kind=pile.kind,
        name=teller.kind(pile.kind),
        lines=teller.broken(pile.kind),
        group=pile.group,
        label=teller.text("types", pile.types[0]),
        types=" · ".join(teller.text("types", one) for one in pile.types),
        sign=pile.sign,
        cost=pile.cost,
        count=pile.left,
        text="" if page is None else page.text,
    )


# -- private ----------------------------------------------------------------------------------


def _player(view: PublicView, player: Player) -> PlayerCard:
    supply = player.supply
    left = [LeftOver(kind.id, count) for kind, count in supply.tokens]
    left += [LeftOver(kind.id, count, of) for kind, count, of in supply.counters]
    return PlayerCard(
        player.seat, player.name, player.colour, hexed(player.tone("printed")), player.face,
        None if player.token is None else player.token.id, player.score,
        view.prompt is not None and view.prompt.awaits(player.seat), left,
    )  # fmt: skip


def _items(items: Sequence[Item]) -> list[Lying]:
    counts = Counter((i.site, i.kind, i.owner, i.level, i.pose, i.face) for i in items)
    return [Lying(*what, count) for what, count in counts.items()]


def _moves(told: Sequence[Move], teller: Teller) -> list[ToldMove]:
    newest = list(enumerate(told, 1))[-MOST_MOVES:]
    return [ToldMove(ply, move.player, teller.move(move)) for ply, move in reversed(newest)]


def _result(view: PublicView, teller: Teller) -> Revealed | None:
    called = joined(one.told(teller).title for one in calls(view))
    if view.result is None or view.result.code in TO_BE_SET:
        return Revealed(called, "", None) if called else None
    told = teller.result(view.result)
    return Revealed(told.title, " ".join(filter(None, (told.text, called))), view.result.good)


def _clock(clock: ClockView | None) -> ClockPage | None:
    if clock is None:
        return None
    now = time.monotonic()
    left = [round(clock.left_at(seat, now), 1) for seat in range(len(clock.left_s))]
    return ClockPage(left, clock.asked, clock.running, round(time.time(), 1))


def _outcome(view: PublicView, teller: Teller) -> Ended | None:
    outcome = view.outcome
    if outcome is None:
        return None
    told = teller.outcome(outcome)
    return Ended(told.title, told.text, told.do, outcome.reason, outcome.ranking, outcome.scores)


# -- the board --------------------------------------------------------------------------------


def _board(view: PublicView, box: Box, last: Sequence[str]) -> LyingBoard:
    items = view.items
    used = {item.site for item in items} | {*view.last_sites} | {*find_game(view.game).touch.beside}
    beside = frozenset(s for s in used if s in box.sites and not box.sites[s].printed)
    plan = Plan.in_mm(box, beside)
    left, bottom, right, top = plan.extent
    piles = plan.piles(items)
    holders = {item.site: item for item in items if item.owner is not None}
    return LyingBoard(
        frame=[_mm(v) for v in (left, -top, right - left, top - bottom)],
        pieces=[_piece(slot, piles) for slot in plan.slots(items)],
        piles=[PileCount(site, count) for site, count in sorted(piles.items())],
        held=_held(box, holders),
        taken=sorted({item.site for item in items if item.site in box.sites}),
        last=last,
        window=window_of(view),
    )


def _piece(slot: Slot, piles: Mapping[str, int]) -> Piece:
    item, at = slot.item, slot.at
    found = Piece(site=item.site, kind=item.kind, at=(_mm(at[0]), _mm(-at[1])))
    if slot.scale != 1.0:
        found["scale"] = round(slot.scale, 3)
    if slot.turn:
        found["turn"] = round(slot.turn, 1)
    if item.owner is not None:
        found["seat"] = item.owner
    if item.pose:
        found["pose"] = item.pose
    if item.level:
        found["level"] = item.level
    if item.site in piles:
        found["pile"] = piles[item.site]
    return found


def _held(box: Box, holders: Mapping[str, Item]) -> dict[str, str]:
    held = {}
    for number, stroke in enumerate(box.strokes):
        holder = owner_of(stroke, box, holders) if stroke.kind == "line" else None
        if holder is not None and holder.kind in box.kinds:
            held[str(number)] = holder.kind
    return held


def _mm(value: float) -> float:
    return round(value, 2) + 0.0


# -- cards ------------------------------------------------------------------------------------


def _supply(view: PublicView, teller: Teller) -> MarketPage | LedgerPage | None:
    """The supply, the cards played in this turn and the trash; None for a game
    without piles of cards. Nothing in here depends on what may be played."""
    if view.market is not None:
        return _market(view, view.market, teller)
    if view.ledger is not None:
        return LedgerPage([_pile(tile) for tile in pile_tiles(view.ledger, None, (), teller)])
    return None


def _sheet(view: PublicView, teller: Teller) -> SheetPage | None:
    """The score sheet, in games that are about keeping score."""
    if view.pad is None:
        return None
    lines = [SheetLine(one.label, one.cells, one.due) for one in paper_lines(view, teller)]
    return SheetPage(sheet_name(view, teller), round_told(view), view.pad.leads, lines)


def _market(view: PublicView, market: Market, teller: Teller) -> MarketPage:
    return MarketPage(
        wares=[supply_card(ware, view, teller) for ware in market.wares],
        naming=market.naming,
        turn=market.turn,
        figures=[(_label(key, number, teller), number) for key, number in market.figures],
        trash=_counted(market.trash, teller),
        played=_counted(market.played, teller),
        open=[OpenCard(seat, kind, teller.kind(kind)) for seat, kind in market.open],
    )


def _counted(kinds: tuple[str, ...], teller: Teller) -> list[Counted]:
    return [Counted(kind, teller.kind(kind), count) for kind, count in Counter(kinds).items()]


def _label(key: str, number: int, teller: Teller) -> str:
    one, _bar, many = teller.text("figures", key).partition("|")
    return one if number == 1 else many


def _pile(tile: PileTile) -> LedgerPile:
    return LedgerPile(
        tile.kind, tile.lines, _joined(tile.lines), tile.group, tile.figure, tile.badge,
        tile.scarce,
    )  # fmt: skip


def _joined(lines: tuple[str, ...]) -> str:
    first, *more = lines
    if not more:
        return first
    return first[:-1] + more[0] if first.endswith("-") else f"{first} {more[0]}"
