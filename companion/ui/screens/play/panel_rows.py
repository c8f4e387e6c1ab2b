"""The rows that panels are made of: titles, what lies in front of a player, keys, the last move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from companion.match.view import PlayMove, TableState
from companion.presentation.announcement import refusal
from companion.presentation.choosing import Offer
from companion.presentation.hand_cards import HandCards
from companion.presentation.placement import Laying
from companion.presentation.table_words import TableWords
from companion.presentation.theme.density import Density
from companion.presentation.touching import Picked, touched
from companion.presentation.words.company import played_beside, thinking_words, why_played
from companion.presentation.words.sentences import turn_lines
from companion.presentation.words.together import away_text, away_title
from companion.presentation.words.translate import _
from companion.settings.clocks import clock_figures
from companion.ui.drawing.faces import face_of
from companion.ui.shell import Touches
from companion.ui.theme.style import style
from companion.ui.widgets.answer_key import AnswerKey, answer_height
from companion.ui.widgets.base import Symbol, fit_one_line, fits, side_of
from companion.ui.widgets.player_card import PlayerCard, card_height
from companion.ui.widgets.pressed_cards import CardRow, hand_height
from companion.ui.widgets.rows import (
    Press,
    Row,
    below_each_other,
    blank,
    framed,
    key_row,
    side_by_side,
    words_row,
)
from companion.ui.widgets.supply_row import SupplyRow, supply_height
from companion.ui.widgets.turn_clock import seat_times
from rules.core import Move, Objection
from rules.hidden import UNSEEN


@dataclass(frozen=True, slots=True)
class Scribe:
    """Material of a panel's rows, and the touches that its buttons report."""

    words: TableWords
    touches: Touches
    picked: Picked
    """The sites and the kind that the finger holds."""
    offer: Offer | None
    """The present choice."""
    goes_on: bool
    """True if the next touch of the board can say more about what was picked up."""
    hand: HandCards | None
    """The cards of the player to move, if they are shown beside the board."""
    laying: Laying | None
    """Pieces that people have laid and are entering."""
    covered: bool
    """True if the moves are one player's secret, and they have not said yet that they are alone."""
    on_phone: bool
    """True if the player who is asked decides on a phone."""
    looked_at: int | None
    """The seat of the player whose supply is looked at; None: of the one to move."""
    missed: bool
    """True if a place was touched last where nothing can be done."""
    width: float
    """px of the column between its margins."""
    slot: float
    """px of width of the key that matters most, if it is the only one."""
    room: float
    """px of height for all rows together."""
    density: Density
    tiles: list[Row]
    """Moves that no touch on the board can express, if they are offered at once."""


def asked_for(s: Scribe) -> tuple[str, str]:
    """Title and text of what the player to move is asked."""
    prompt = s.words.view.prompt
    if prompt is None:
        return "", ""
    if s.words.view.thinks is not None:
        return thinking_words(s.words.view, s.words.teller)
    other = s.words.view.other
    if other is not None and other.asked:
        return away_title(s.words.view, s.words.teller), away_text(other)
    told = s.words.teller.prompt(prompt)
    return told.title, slip(s) or (told.text if s.density.asks else "")


def slip(s: Scribe) -> str:
    """The reason why the last touch did nothing, as one line; empty if it did something."""
    refused = refusal(s.words.view)
    if s.missed:
        # What was refused before was about another place.
        return _("play.nothing_to_do_there")
    if refused is None or s.words.view.state is TableState.ILLEGAL:
        return ""
    told = refused.told(s.words.teller)
    return f"{told.title}. {told.text}" if s.density.asks else told.title


def computer_rows(s: Scribe) -> list[Row]:
    """Rows on a computer player's last moves, and why: hands carry them out."""
    view, teller = s.words.view, s.words.teller
    if view.computed is None:
        return []
    moves = [move for move in view.computed.moves if move.verb != "done"]
    why = why_played(view, teller)
    said = f"{why[:1].upper()}{why[1:]}." if why and s.density.asks else ""
    return heading_rows(s, ", ".join(map(teller.move, moves or view.computed.moves)), said)


_FACES = (56.0, 48.0, 40.0, 32.0)
"""Sides of a face beside a title, by the step of its size, at a short side of 480, px."""


def heading_rows(
    s: Scribe, title: str, text: str, *, strong: bool = False, who: int | None = None
) -> list[Row]:
    """Title as large as fits, and what to do. ``strong``: the text is the reason, not an aside;
    ``who``: the seat whose face is beside it while there is room for one."""
    large = style.title
    body = style.caption if s.density.small else style.body
    line, step = style.grid * (1.5 if strong else 0.5), s.density.title
    faced = title and who is not None and step < len(_FACES)
    side = _FACES[step] * style.factor if faced else 0.0
    if s.density.small:
        # No higher than its line.
        side = min(side, style.body * 1.2)
    room = s.width - (side + style.gap if side else 0)
    sizes = (large, large * 0.75, large * 0.75, style.body)
    size = fit_one_line(title, sizes[step:] or (style.caption,), room)
    told = partial(words_row, font_size=body, tone="bone" if strong else "soft", line_height=1.05)
    rows: list[Row] = []
    if title:
        rows.append(words_row(title, room, bold=True, font_size=size, line_height=1.02))
    if not side or who is None:
        rows += [told(text, s.width)] if text else []
        return [below_each_other(rows, line)] if rows else []
    if text and rows[0].height + body * 1.4 <= side and fits(text, body, room):
        # There is room for it beside the face, too.
        rows.append(told(text, room))
        text = ""
    player = s.words.players[who]
    face = Row(("face", player.look), side, partial(face_of, player, side, glow=True))
    row = side_by_side([face, below_each_other(rows, 0)], style.gap, level="center_y")
    return [below_each_other([row, told(text, s.width)], line)] if text else [row]


def told_in(s: Scribe, lines: tuple[str, ...], small: str, tone: str) -> Row:
    """A card across the column that says what to do."""
    return framed(lines, small, tone, s.width, compact=s.density.compact)


def player_card(s: Scribe, seat: int, *, active: bool) -> Row:
    """A player's card across the column, as the result lists them."""
    player = s.words.players[seat]
    make = partial(PlayerCard, player, active=active, width=s.width)
    return Row(("card", player.look, active, s.width), card_height(player), make)


def supply_rows(s: Scribe) -> list[Row]:
    """The pieces in front of the player to move, or of the one who is looked at."""
    seat = s.words.mover if s.looked_at is None else s.looked_at
    times = _time_rows(s)
    if seat is None or not SupplyRow.holds(s.words.players[seat]):
        return times
    player, own = s.words.players[seat], seat == s.words.mover
    pick = s.touches.pick_kind if own and s.words.by_piece else None
    if pick is None and not s.density.supply and s.looked_at is None:
        return times
    make = partial(SupplyRow, player, s.picked.kind, pick, s.width)
    shows = ("supply", player.look, s.picked.kind, pick, s.width)
    return [*times, Row(shows, supply_height(player, s.width), make)]


def card_row(s: Scribe, hand: HandCards) -> Row:
    """The cards of the player to move; those that go to places of the board say where, and what
    else they are good for."""
    teller, feet = s.words.teller, dict[str, tuple[str, ...]]()
    large = bool(hand.placed) and s.density.asks
    for card in hand.cards if hand.placed else ():
        leads = [move for move in hand.leads(card) if teller.reach(move)]
        reach = dict.fromkeys(map(teller.reach, leads))
        then = {brings(s, move, "foot") for move in leads} if large else set()
        why = hand.why_unplaced(card)
        word = "" if why is None else teller.idle(why)
        dim = word or ("" if card in hand.able else _("play.idle"))
        where = " | ".join(reach) + (f" {then.pop()}" if len(then) == 1 else "")
        besides = {outlook(s, move) for move in hand.alone(card)} - {""} if large else set()
        told = (where.strip() or dim, besides.pop() if len(besides) == 1 else "")
        feet[card] = tuple(filter(None, told))
    large = large and any(feet.values())
    # The hand is another one after each touch of it.
    shows = ("hand", id(hand), tuple(feet.items()), large, s.width)
    make = partial(CardRow, hand, s.touches.touch_card, s.width, feet, large=large)
    return Row(shows, hand_height(hand, s.width, feet, large=large), make)


def spent_rows(s: Scribe, hand: HandCards) -> list[Row]:
    """The cost of the lifted card, and where each of its places leads."""
    view, teller, said = s.words.view, s.words.teller, {*s.picked.sites}
    if not hand.lifted or not s.density.notes:
        return []
    ways = {move: {*touched(move, view, s.words.box)} for move in hand.leads(hand.lifted)}
    left = {move: sites - said for move, sites in ways.items() if said <= sites}
    then: dict[frozenset[str], set[str]] = {}
    for move, sites in left.items():
        then.setdefault(frozenset(sites), set()).add(outlook(s, move))
    # What only some of the moves to a place come to is told of those.
    told = dict.fromkeys(one for found in then.values() if len(found) == 1 for one in found if one)
    if not told:
        return []
    if any(len(sites) > 1 for sites in left.values()):
        told = {_("play.first_what_goes"): None}
    title = _("play.costs_card").format(card=teller.kind(hand.lifted))
    return [framed((title,), "\n".join(told), "ask", s.width)]


def outlook(s: Scribe, move: Move) -> str:
    """Consequence of a move, as its game tells it beforehand; may be empty."""
    found = None if s.words.view.ahead is None else s.words.view.ahead.outlook(move)
    return "" if found is None else s.words.teller.outlook(found)


def leads_to(s: Scribe, hand: HandCards) -> str:
    """The places that the lifted card goes to and the points after that, if it brings some."""
    told = {
        f"{s.words.teller.reach(move)}: {then}": None
        for move in hand.leads(hand.lifted) if (then := brings(s, move))
    }  # fmt: skip
    return ", ".join(told)


def _time_rows(s: Scribe) -> list[Row]:
    """The time left of the player who is looked at; that of the player to move is large already."""
    seat, clock = s.looked_at, seat_times(s.words.view)
    if seat is None or clock is None or seat == clock.asked:
        return []
    left = clock_figures(clock.left_s[seat])
    told = _("play.name_has_time_left").format(name=s.words.players[seat].name, time=left)
    return [words_row(told, s.width, font_size=style.body)]


# -- keys -------------------------------------------------------------------------------------

_LEAST_KEY = 142.0
"""Least width of keys that share a line, at a short side of 480, px."""
_DIM = 0.6
"""Opacity of what is not possible now; its words can still be read."""


def _answer_key(
    s: Scribe, text: str, note: str, move: Move | None, width: float, *, primary: bool = False,
    opacity: float = 1.0, by_cards: frozenset[Move] = frozenset(), **look: Any,
) -> Row:  # fmt: skip
    """A key that plays a move, or else offers cards."""
    press = s.touches.open_picker if move is None else Press(s.touches.post, (PlayMove(move),))

    def build() -> Any:
        key: Any = AnswerKey(text, note, press, width, primary=primary, **look)
        key.move, key.by_cards, key.opacity = move, by_cards, opacity
        return key

    shows = ("answer", text, note, press, width, primary, opacity, by_cards, *sorted(look.items()))
    return Row(shows, answer_height(text, note, width, **look), build)


def move_key(s: Scribe, move: Move, *, primary: bool, width: float, symbol: str = "") -> Row:
    """A key of the slot that plays a move, named as the game's texts name it."""
    text, note = s.words.teller.key(move, s.words.view.prompt)

    def made(below: str) -> Row:
        look = {"primary": primary, "symbol": symbol, "least": style.button}
        return _answer_key(s, text, below, move, width, **look)

    key = made(note if s.density.notes else "")
    # The slot is as high as ever; what comes of it gives way.
    return key if key.height <= style.button else made("")


def picker_key(s: Scribe, width: float, *, primary: bool = False) -> Row:
    """A key that offers cards to choose from; the ``primary`` one has no room for a note."""
    unseen = any(UNSEEN in move.args for move in s.words.placeless)
    text, note = s.words.teller.picker(s.words.view.prompt, unseen=unseen)
    note = note if s.density.notes and not primary else ""
    symbol = "▦" if width >= s.width else ""
    return _answer_key(
        s, text, note, None, width, primary=primary, symbol=symbol, least=style.button,
        by_cards=s.words.by_cards,
    )  # fmt: skip


def answer_keys(
    s: Scribe,
    moves: Sequence[Move],
    *,
    large: bool = False,
    picker: bool = False,
    dimmed: bool = False,
) -> list[Row]:
    """A key for each of ``moves``, below each other or, if room is short, two per line;
    ``picker``: and before them the one that offers cards; ``dimmed``: and after them one for each
    action that is not possible now."""
    view = s.words.view
    blocked = _blocked(s) if dimmed else []
    count = max(len(moves) + picker + len(blocked), 1)
    paired = s.density.paired and count > 1
    most = max(int(s.width / (_LEAST_KEY * style.factor)), 2) if paired else 1
    across = -(-count // -(-count // most))
    width = (s.width - style.gap_s * (across - 1)) / across
    least = style.button * (1.0 if paired or not large else 1.25)
    keys = [picker_key(s, width)] if picker else []
    told = [_told_on_key(s, move) for move in moves]
    if not s.density.notes:
        # Then what comes of it is all that tells them apart.
        alike = Counter(text for text, _note in told)
        told = [
            (f"{text}: {note}" if note and alike[text] > 1 else text, "") for text, note in told
        ]
    others = (*(one[0] for one in told), *(one[0] for one in blocked)) if paired else ()
    for move, (text, note) in zip(moves, told, strict=True):
        look = {"primary": move == view.usual, "least": least, "large": large, "others": others}
        keys.append(_answer_key(s, text, note, move, width, **look))
    keys += [_blocked_key(s, *one, width, others) for one in blocked]
    if not paired:
        return keys
    keys += [blank()] * (-len(keys) % across)
    return [_level(keys[first : first + across]) for first in range(0, len(keys), across)]


def _told_on_key(s: Scribe, move: Move) -> tuple[str, str]:
    """The words on the key of a move, and what comes of it; in points too, if the texts have words
    for that and it brings some."""
    text, note = s.words.teller.key(move, s.words.view.prompt)
    return text, ", ".join(filter(None, (note or outlook(s, move), brings(s, move))))


def brings(s: Scribe, move: Move, words: str = "then") -> str:
    """The points after a move, if the texts have ``words`` for that and it brings some; else
    empty."""
    view, teller = s.words.view, s.words.teller
    if view.ahead is None or move.player is None or not teller.has("keys", words):
        return ""
    points = view.ahead.points(move)
    more = points is not None and points > view.scores[move.player]
    return teller.text("keys", words, points=points or 0) if more else ""


def _blocked(s: Scribe) -> list[tuple[str, Move, Objection]]:
    """For each action of this question that is not possible now its name, an attempt at it, and
    the reason."""
    view, teller, found = s.words.view, s.words.teller, list[tuple[str, Move, Objection]]()
    possible = {move.verb for move in view.legal}
    asked = "" if view.prompt is None else view.prompt.code
    for key in teller.keys_of("actions"):
        code, _dot, verb = key.rpartition(".")
        if view.ahead is None or code not in ("", asked) or verb in possible:
            continue
        near = view.ahead.nearest(verb)
        if near is not None:
            found.append((teller.text("actions", key), *near))
    return found


def _blocked_key(
    s: Scribe, text: str, move: Move, objection: Objection, width: float, others: tuple[str, ...]
) -> Row:
    """A dim key for what is not possible now, with the reason; a touch tries it, and the rules
    object."""
    note = s.words.teller.objection(objection).title if s.density.notes else ""
    look = {"opacity": _DIM, "least": style.button, "others": others}
    return _answer_key(s, text, note, move, width, **look)


def part_keys(s: Scribe, moves: Sequence[Move], parts: Sequence[str]) -> list[Row]:
    """A key for each thing that is said besides chosen cards, after those of moves that need no
    more to be said; three per line."""
    keys = []
    for move in moves:
        text, _note = s.words.teller.key(move, s.words.view.prompt)
        play = Press(s.touches.post, (PlayMove(move),))
        keys.append(key_row(text, play, type_px=style.body, move=move))
    for part in parts:
        say = Press(s.touches.say_part, (part,))
        keys.append(key_row(s.words.teller.word(part), say, type_px=style.body, part=part))
    keys += [blank()] * (-len(keys) % 3)
    return [side_by_side(keys[first : first + 3]) for first in range(0, len(keys), 3)]


def _level(keys: Sequence[Row]) -> Row:
    """Keys of the same height in one line."""
    height = max(key.height for key in keys)
    return side_by_side(key.as_high(height) for key in keys)


def last_move(s: Scribe) -> list[Row]:
    """The last move, or before anybody has decided anything the aim of the game, if there is room
    for it."""
    view = s.words.view
    if not s.density.last_move:
        return []
    if not turn_lines(view, s.words.teller):
        return [words_row(s.words.teller.tagline, s.width, font_size=style.caption)]
    return [turn_line(s)]


def turn_line(s: Scribe) -> Row:
    """The last turn on one line, after the ring that marks it on the board too; why a computer
    player played so, if there is room."""
    view, teller = s.words.view, s.words.teller
    lines, why = turn_lines(view, teller), why_played(view, teller)
    if played := played_beside(view, teller):
        lines = (played,)
    longest = (f"{lines[0]} – {why}",) if why and not played else ()
    size, side = style.caption, side_of(style.caption)
    room = s.width - side - style.grid
    told = next((line for line in (*longest, *lines) if fits(line, size, room)), lines[-1])
    sign = {"text": "○", "font_size": size, "size_hint": (None, None), "size": (side, side)}
    ring = Row(("ring", size), side, partial(Symbol, **sign))
    return side_by_side([ring, words_row(told, room, font_size=size)], style.grid, level="top")
