"""The column of words in each state of the table: rows, and the keys of its slot.

A panel is built for one view and one width; every row knows its height at once, so that the
play screen can see whether it fits and ask for a denser one. Points, the slot for the one or two
keys that matter most, and the line with undo and menu have fixed places below the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.match.looking_back.rematch import next_first
from companion.match.view import (
    AutoDeal,
    BoardIsRight,
    CameraIsWrong,
    ChooseCandidate,
    ConfirmPlaced,
    Intent,
    PlayAnyway,
    PlayMove,
    PlayMoves,
    TableState,
)
from companion.presentation.announcement import Announcement, What, standing
from companion.presentation.choosing import Offer, Tile, finishing, sections, throw_section
from companion.presentation.hand_cards import HandCards
from companion.presentation.placement import Laying
from companion.presentation.question import Question, question_of
from companion.presentation.table_words import TableWords
from companion.presentation.touching import Picked
from companion.presentation.words.phones import why_here
from companion.presentation.words.sentences import candidate_text, fix_lines, rule_page
from companion.presentation.words.translate import _
from companion.ui.drawing.chart import Chart
from companion.ui.drawing.pieces import draw_piece
from companion.ui.screens.play.answers import answer_rows
from companion.ui.screens.play.panel_rows import (
    Scribe,
    answer_keys,
    asked_for,
    brings,
    card_row,
    computer_rows,
    heading_rows,
    last_move,
    leads_to,
    move_key,
    part_keys,
    picker_key,
    player_card,
    slip,
    spent_rows,
    supply_rows,
    told_in,
)
from companion.ui.theme.style import style
from companion.ui.widgets.base import fit_one_line
from companion.ui.widgets.chip import Progress
from companion.ui.widgets.pressed_cards import KindKeys, KindTile, keys_height
from companion.ui.widgets.rows import (
    Press,
    Row,
    below_each_other,
    key_row,
    side_by_side,
    words_row,
)
from companion.ui.widgets.tiles import tile_rows
from rules.box import PieceKind, cell_of
from rules.core import Move, Outcome

# -- pieces as keys ---------------------------------------------------------------------------

_MOST_BESIDE = 4
_SIDE = 64.0
"""Height of a key at a short side of 480, px."""


class PieceKey(ButtonBehavior, Widget):  # type: ignore[misc]
    """A piece as a button that plays a move."""

    def __init__(
        self, kind: PieceKind, move: Move, post: Callable[[PlayMove], object], **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.kind, self.move = kind, move
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)
        self.bind(on_release=lambda *_: post(PlayMove(move)))

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        side = min(self.size) * 0.84
        px = side / max(self.kind.size)
        at = (self.x + self.width / 2, self.y + self.height / 2)
        draw_piece(self._drawing, self.kind, at, px)


class PieceKeys(FloatLayout):  # type: ignore[misc]
    """One key per move of an offer, in lines across ``width`` px."""

    def __init__(self, offer: Offer, post: Callable[[PlayMove], object], width: float) -> None:
        lines = _lines(offer)
        self._across = -(-len(offer.moves) // lines)
        self._cell = (min(width / self._across, _SIDE * 1.5 * style.factor), _SIDE * style.factor)
        super().__init__(size_hint=(None, None), size=(width, lines * self._cell[1]))
        self.keys = [
            PieceKey(kind, move, post, size_hint=(None, None), size=self._cell)
            for move, kind in zip(offer.moves, offer.pieces, strict=True)
        ]
        for key in self.keys:
            self.add_widget(key)
        self.bind(pos=self._place, size=self._place)
        self._place()

    def _place(self, *_: Any) -> None:
        wide, high = self._cell
        for number, key in enumerate(self.keys):
            line, column = divmod(number, self._across)
            key.pos = (self.x + column * wide, self.y + self.height - (line + 1) * high)


def _lines(offer: Offer) -> int:
    """Number of lines of pieces."""
    return -(-len(offer.moves) // _MOST_BESIDE)


_CHART_PX = 84.0
_TITLE_ALONE = 2
"""Step of small titles beyond which a title stands alone above keys that answer it."""
_FEW = 3
"""Number of answers below which they are written as large as on a sign."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows of the column, and the keys below it."""

    rows: list[Row]
    slot: list[Row]
    """Keys beside each other, at most two."""
    points: bool = True
    """True if all points stay in sight; else the rows have their room too."""
    listing: list[Row] = field(default_factory=list)
    """Tiles to choose a move from; they take the remaining room, and scroll."""
    listed_after: int = 0
    """Number of ``rows`` above the tiles."""


def tiles_of(
    words: TableWords, chosen: tuple[str, ...], width: float, touch: Callable[[Tile], None]
) -> list[Row]:
    """Rows of tiles for the moves that are offered right beside the board."""
    if not words.listed or words.as_keys:
        return []
    throw = words.view.throw
    if throw is None:
        found = sections(words.listed, words.teller, chosen)
    else:
        found = (throw_section(throw, words.teller, chosen),)
    tiles = tile_rows(found, width, touch)
    if chosen:
        anew = Tile(_("screens.choose_again"), (), ("",))
        tiles.append(key_row(anew.text, Press(touch, (anew,)), symbol="↺", height=style.target))
    return tiles


def panel_of(s: Scribe) -> Panel:
    """The panel for what applies now and matters most."""
    for one in standing(s.words.view):
        if one.takes_back:
            return _takeback(s)
        match one.what:
            case What.ENDED:
                return _result(s)
            case What.REFUSED if s.words.view.state is TableState.ILLEGAL:
                return _refusal(s, one)
            case What.ASKED | What.PENDING if one.candidates:
                return _choice(s)
            case What.PROPOSED if one.candidates:
                return _proposal(s)
            case What.PENDING if one.places:
                return _pending(s)
            case What.DIFFERS:
                return _guide(s)
    return _play(s)


# -- playing ----------------------------------------------------------------------------------


def _play(s: Scribe) -> Panel:
    if s.covered:
        return _cover(s)
    if s.laying is not None:
        return _spread(s, s.laying)
    lifted = s.hand is not None and bool(s.hand.lifted)
    if s.offer is not None or (s.picked != Picked() and not lifted):
        return _where(s)
    if s.hand is not None and not s.tiles:
        return _hand(s, s.hand)
    title, text = asked_for(s)
    rows = heading_rows(s, title, text, who=s.words.mover) if s.density.heading else []
    heading = len(rows)
    listing = s.tiles
    # Where it is all there is to do, it has the slot.
    apart = not s.words.only_cards or s.words.view.may_deal
    picker = bool(s.words.by_cards) and s.words.playing and apart
    if s.words.as_keys or (picker and not listing):
        in_slot = {s.words.done, s.words.view.usual}
        moves = [move for move in s.words.listed if move not in in_slot]
        listing = answer_keys(s, moves, picker=picker, dimmed=True)
    elif picker:
        listing = [picker_key(s, s.width), *listing]
    rows += supply_rows(s)
    more = s.words.unlisted
    if more:
        label = _("play.more_moves_count") if s.words.on_board else _("play.choose_from_count")
        count = label.format(count=len(more))
        rows.append(_key(count, s.touches.open_moves, symbol="…", height=style.target))
    # Tiles need the room more than what was played last.
    rows += [] if s.tiles else last_move(s)
    return Panel(rows, _slot(s), listing=listing, listed_after=heading if listing else 0)


def _hand(s: Scribe, hand: HandCards) -> Panel:
    """The cards of the player to move, and what those that were touched may mean."""
    slot = [] if hand.begun else _slot(s)
    in_slot = {s.words.done, s.words.view.usual}
    others = [] if hand.begun else [move for move in s.words.listed if move not in in_slot]
    if hand.parts:
        listing = part_keys(s, hand.moves, hand.parts)
    else:
        listing = answer_keys(s, [*hand.moves, *others], dimmed=not hand.begun)
    about = _about_hand(s, hand, answered=hand.begun and bool(listing))
    rows = [*about, card_row(s, hand), *spent_rows(s, hand)]
    above = len(rows)
    if not hand.begun:
        rows += [*supply_rows(s), *last_move(s)]
    return Panel(rows, slot, listing=listing, listed_after=above if listing else 0)


def _spread(s: Scribe, laying: Laying) -> Panel:
    """Kinds to choose from while pieces that people have laid are entered, and a key when
    everything lies."""
    prompt, teller = s.words.view.prompt, s.words.teller
    assert prompt is not None
    told = teller.spread(prompt)
    tiles = {
        kind: KindTile(s.words.box.kinds[kind], _short_name(s, kind), left)
        for kind, left in laying.left.items()
    }
    left = tuple((kind, tile.name, tile.left) for kind, tile in tiles.items())
    keys = Row(
        ("kinds", left, laying.kind, s.touches.choose_kind, s.width), keys_height(tiles, s.width),
        partial(KindKeys, tiles, laying.kind, s.touches.choose_kind, s.width),
    )  # fmt: skip
    slot: list[Row] = []
    if laying.moves:
        slot = [_post_key(s, told.do, PlayMoves(laying.moves), symbol="✓", primary=True)]
    elif not laying.touched and s.words.view.may_deal:
        slot = [_deal_key(s)]
    asks = s.density.asks and s.density.title <= _TITLE_ALONE
    rows = heading_rows(s, told.title, told.text if asks else "")
    return Panel([*rows, keys], slot)


def _short_name(s: Scribe, kind: str) -> str:
    """A piece by its colour, where that is all it differs in."""
    owner = s.words.box.kinds[kind].owner
    return s.words.teller.word(owner) if owner else s.words.teller.kind(kind)


def _about_hand(s: Scribe, hand: HandCards, *, answered: bool) -> list[Row]:
    """The question, or the reason why the card that was touched cannot be chosen; ``answered``:
    keys say themselves what the chosen cards may mean, and words give way to them, the title
    last."""
    teller = s.words.teller
    if hand.refused:
        if hand.objection is None:
            told = _("play.card_is_not_possible_now").format(card=teller.kind(hand.refused))
            return heading_rows(s, told, "", strong=True)
        why = teller.objection(hand.objection)
        return heading_rows(s, why.title, why.text, strong=True)
    title, text = asked_for(s)
    if answered and s.density.small and not s.density.last_move:
        return []
    if hand.lifted:
        name, card = teller.seat(s.words.mover or 0), teller.kind(hand.lifted)
        asked = _("play.where_with_card").format(name=name, card=card)
        notes = s.density.notes and not (answered and s.density.small)
        told = slip(s) or (leads_to(s, hand) if notes else "")
        return heading_rows(s, asked, told, strong=True, who=s.words.mover)
    if hand.placed and text and not slip(s) and teller.has("picks", "placed"):
        text = teller.text("picks", "placed")
    if hand.begun and hand.picking.sets and teller.has("picks", "hint"):
        text = teller.text("picks", "hint")
    if answered and (s.density.small or s.density.title > _TITLE_ALONE):
        text = ""
    return heading_rows(s, title, text, who=s.words.mover)


def _where(s: Scribe) -> Panel:
    """The panel after something was picked up, or if one place leaves several answers."""
    rows = heading_rows(s, *_where_to(s), who=s.words.mover)
    heading, listing = len(rows), list[Row]()
    slot: list[Row] = [_deal_key(s)] if s.words.view.may_deal else []
    if s.offer is not None and s.offer.pieces:
        rows.append(
            Row(
                ("pieces", s.offer.moves, s.touches.post, s.width),
                _lines(s.offer) * _SIDE * style.factor,
                partial(PieceKeys, s.offer, s.touches.post, s.width),
            )
        )  # fmt: skip
    elif s.offer is not None:
        finished = finishing(s.offer, s.words.view, s.picked)
        rest = [move for move in s.offer.moves if move != finished]
        listing = answer_keys(s, rest, large=len(rest) < _FEW)
        if finished is not None:
            slot = [move_key(s, finished, primary=True, width=s.slot, symbol="✓")]
    if s.hand is not None and s.density.supply:
        rows.insert(heading, card_row(s, s.hand))
        heading += 1
    if s.density.supply or not listing:
        rows += supply_rows(s)
    return Panel(rows, slot, listing=listing, listed_after=heading if listing else 0)


def _where_to(s: Scribe) -> tuple[str, str]:
    """Title and text while something is in the hand, or was asked."""
    prompt, teller = s.words.view.prompt, s.words.teller
    if said := slip(s):
        return _("play.where_to").format(name=teller.seat(s.words.mover or 0)), said
    if s.offer is not None and s.offer.moves:
        if not s.offer.title:
            return asked_for(s)
        if not s.goes_on:
            then = {brings(s, move) for move in s.offer.moves if s.offer.pieces}
            alike = then.pop() if len(then) == 1 else ""
            return s.offer.title, alike[:1].upper() + alike[1:]
    if prompt is not None and teller.has("picked", prompt.code):
        told = teller.picked(prompt)
        return told.title, told.text
    name = teller.seat(s.words.mover or 0)
    return _("play.where_to").format(name=name), _("play.touch_where_it_glows")


def _deal_key(s: Scribe) -> Row:
    """The program draws in the place of people with real pieces."""
    words = "play.let_heelstone_draw" if s.words.view.throw is None else "play.let_heelstone_throw"
    return _post_key(s, _(words), AutoDeal(), primary=True)


def _key(text: str, press: Callable[[], None], **look: Any) -> Row:
    """A key whose words are read from the table."""
    return key_row(text, press, type_px=style.body, **look)


def _post_key(s: Scribe, text: str, intent: Intent, **look: Any) -> Row:
    """Such a key that posts an intent."""
    return _key(text, Press(s.touches.post, (intent,)), **look)


def _slot(s: Scribe) -> list[Row]:
    """Keys for the most usual move, in yellow; and for the end of the turn, if that is something
    else."""
    done, usual = s.words.done, s.words.view.usual
    if s.tiles and usual is not None and usual != done:
        usual = None
    moves = [move for move in (done, usual) if move is not None]
    if done == usual:
        moves = moves[:1]
    deals = s.words.view.may_deal and s.words.playing
    chooses = s.words.only_cards and not deals and s.hand is None
    count = len(moves) + chooses + deals
    width = s.slot if count < 2 else (s.width - style.gap_s * (count - 1)) / count
    keys = [
        move_key(
            s, move, primary=move == usual, width=width, symbol="✓" if move == done else "",
        )
        for move in moves
    ]  # fmt: skip
    if chooses:
        keys.append(picker_key(s, width, primary=True))
    return [*keys, _deal_key(s)] if deals else keys


def _cover(s: Scribe) -> Panel:
    """Before one player's secrets: the screen is handed over, or waits for a phone."""
    if s.on_phone:
        return Panel([*heading_rows(s, *why_here(_asked(s))), *last_move(s)], [here_key(s)])
    prompt = s.words.view.prompt
    assert prompt is not None
    name = s.words.teller.seat(prompt.player or 0)
    text = _("play.what_comes_now_is_for_name").format(name=name)
    rows = heading_rows(s, _("play.over_to_name").format(name=name), text)
    return Panel([*rows, *last_move(s)], [ready_key(s)])


def here_key(s: Scribe) -> Row:
    """Key to decide on this screen instead of a phone."""
    return _key(_("play.choose_here_instead"), s.touches.choose_here, symbol="◉")


def _asked(s: Scribe) -> str:
    prompt = s.words.view.prompt
    assert prompt is not None
    return s.words.teller.seat(prompt.player or 0)


def ready_key(s: Scribe) -> Row:
    """Key by which the player who is asked says that they are alone with the screen."""
    prompt = s.words.view.prompt
    assert prompt is not None
    text = _("play.i_am_name").format(name=s.words.teller.seat(prompt.player or 0))
    return _key(text, s.touches.uncover, symbol="◉", primary=True)


def _pending(s: Scribe) -> Panel:
    view, teller = s.words.view, s.words.teller
    lines = fix_lines(view, s.words.box, teller)
    if view.computed is None:
        ends = _("play.it_goes_on_when_it_lies_there") if s.density.notes else ""
        rows = heading_rows(s, _("play.please_put_this_down"), ends)
        # What lies there already is waited for without end, if the camera cannot see it.
        camera = _post_key(s, _("play.camera_is_wrong"), CameraIsWrong(), symbol="◎")
        slot = [*_slot(s), camera][:2]
        return Panel([*rows, told_in(s, lines, "", "ask"), *last_move(s)], slot)
    rows = computer_rows(s)
    rows.append(told_in(s, lines, "", "ask"))
    stands = _post_key(s, _("play.it_stands_so"), ConfirmPlaced(), symbol="✓")
    return Panel(rows, [stands])


def _proposal(s: Scribe) -> Panel:
    told = candidate_text(s.words.view.candidates[0], s.words.view, s.words.teller)
    if s.words.view.hold_s > 0:
        hold = partial(Progress, s.words.view.hold_s)
        rows = [
            *heading_rows(s, told, _("play.it_will_be_recorded_in_a_moment")),
            Row(("held", told, s.words.view.hold_s), style.grid, hold),
        ]
    else:
        rows = heading_rows(s, told, _("play.it_will_be_recorded"))
    agree = _post_key(s, _("screens.thats_right"), ChooseCandidate(0), symbol="✓", primary=True)
    wrong = _post_key(s, _("screens.no"), CameraIsWrong(), symbol="✕")
    return Panel(rows, [wrong, agree])


# -- questions and refusals -------------------------------------------------------------------


def _refusal(s: Scribe, refused: Announcement) -> Panel:
    view, told = s.words.view, refused.told(s.words.teller)
    rows = heading_rows(s, told.title, told.text, strong=True)
    do = told.do
    if do:
        # Cells that float have no lamps.
        lattice = s.words.box.lattice
        floats = lattice is not None and lattice.floats
        lit = any(not floats or cell_of(fix.site) is None for fix in view.fixes)
        light = _("play.the_lamp_shows_where") if lit and s.density.notes else ""
        rows.append(told_in(s, (do,), light, "stop"))
    slot: list[Row] = []
    if rule_page(s.words.teller, told.rule) is not None:
        label = _("play.see_rule").format(rule=told.rule)
        open_rule = Press(s.touches.open_rule, (told.rule,))
        # Beside the others where it has no line of its own.
        line = rows if s.density.asks else slot
        line.append(_key(label, open_rule, symbol="§", height=style.target))
    anyway = _post_key(s, _("play.anyway"), PlayAnyway(), symbol="…")
    # Something that was only tapped lies nowhere: then nobody blames the camera.
    excuse = _("play.camera_is_wrong") if view.fixes else _("screens.i_see")
    symbol = "◎" if view.fixes else "✓"
    wrong = _post_key(s, excuse, CameraIsWrong(), symbol=symbol, primary=not view.fixes)
    return Panel(rows, [*slot, anyway, wrong], points=False)


def _choice(s: Scribe) -> Panel:
    question = question_of(s.words.view, s.words.teller)
    rows = heading_rows(s, question.title, "")
    spacing = style.gap if s.density.airy else style.gap_s
    room = s.room - sum(row.height + spacing for row in rows)
    answers = answer_rows(s, question, room)
    rows.append(below_each_other(answers, style.gap_s))
    other = _post_key(s, _("play.something_else"), CameraIsWrong(), symbol="…")
    return Panel(rows, [other], points=False)


def _takeback(s: Scribe) -> Panel:
    count = s.words.view.candidates[0].takeback
    title = _("play.take_the_move_back")
    if count > 1:
        title = _("play.take_count_moves_back").format(count=count)
    rows = [*heading_rows(s, title, _("play.the_table_looks_as_it_did")), *last_move(s)]
    yes = _post_key(s, _("play.yes_take_back"), ChooseCandidate(0), symbol="↺", primary=True)
    no = _post_key(s, _("screens.no"), CameraIsWrong(), symbol="✕", size_hint_x=0.55)
    return Panel(rows, [no, yes])


def _guide(s: Scribe) -> Panel:
    lines = fix_lines(s.words.view, s.words.box, s.words.teller)
    rows = heading_rows(s, _("play.the_table_differs"), _("play.put_it_right"))
    left = len(lines) - 1
    more = _("play.then_count_more").format(count=left) if left > 0 else ""
    rows.append(told_in(s, lines[:1], more, "ask"))
    if s.words.view.candidates:
        room = s.room - sum(row.height + style.gap for row in rows)
        rows.append(_likeliest(s, room))
    board = _post_key(s, _("play.board_is_right"), BoardIsRight(), symbol="✓")
    camera = _post_key(s, _("play.camera_is_wrong"), CameraIsWrong(), symbol="◎")
    return Panel(rows, [board, camera], points=False)


def _likeliest(s: Scribe, room: float) -> Row:
    """Likely explanations at a table that differs: one or two."""
    question = question_of(s.words.view, s.words.teller)
    # The board shows what is to be put right, and no numbers of answers.
    few = tuple(replace(answer, flag="") for answer in question.answers[:2])
    title = words_row(question.title, s.width, font_size=style.caption, tone="ash")
    left = room - title.height - style.gap_s
    return below_each_other([title, *answer_rows(s, Question("", few), left)], style.gap_s)


def _result(s: Scribe) -> Panel:
    view = s.words.view
    assert view.outcome is not None
    told = s.words.teller.outcome(view.outcome)
    record = _("play.a_new_record") if view.new_record else ""
    reason = told.text if s.density.reason_apart else f"{told.text} {record}".strip()
    rows = heading_rows(s, told.title, reason)
    if record and s.density.reason_apart:
        rows.append(words_row(record, s.width, bold=True, font_size=style.body, tone="dawn"))
    rows += _ranking(s, view.outcome)
    history, chart = s.words.history, s.density.chart
    if chart != "asked for" and len(history) > 1:
        height = _CHART_PX * style.factor * (1.5 if chart == "tall" else 1.0)
        make = partial(Chart, history, s.words.players, height=height)
        looks = tuple(player.look for player in s.words.players)
        rows.append(Row(("chart", history, looks), height, make))
    rows += _next_match(s)
    keys = _looks(s)
    if keys:
        rows.append(side_by_side(keys))
    if s.touches.ending is not None:
        return Panel(rows, [_key(_("ending.ending"), s.touches.ending, primary=True)], points=False)
    if s.touches.again is None:
        return Panel(rows, [], points=False)
    again = _key(_("ending.rematch"), s.touches.again, primary=True)
    return Panel(rows, [again], points=False)


def _ranking(s: Scribe, outcome: Outcome) -> list[Row]:
    """The players, best first."""
    return [
        player_card(s, seat, active=place == 0)
        for place, group in enumerate(outcome.ranking)
        for seat in group
    ]


def _looks(s: Scribe) -> list[Row]:
    """Keys to what can be looked at after a match, all in letters of one size."""
    touches, chart = s.touches, s.density.chart == "asked for" and len(s.words.history) > 1
    looks = [
        (words, press)
        for words, press in (
            (_("screens.review"), None if touches.ending else touches.review),
            (_("play.score"), touches.open_chart if chart else None),
            (_("screens.export"), None if touches.ending else touches.export),
        )
        if press is not None
    ]
    width = (s.width + style.gap_s) / max(len(looks), 1) - 3 * style.gap_s
    sizes = (style.body, style.type_s, style.type_xs)
    size = min((fit_one_line(words, sizes, width) for words, _press in looks), default=0.0)
    return [key_row(words, press, type_px=size, height=style.target) for words, press in looks]


def _next_match(s: Scribe) -> list[Row]:
    """The player who begins the next match, if the rules of a series say so."""
    first = next_first(s.words.view)
    if first is None or not s.density.next_match:
        return []
    text = _("play.next_match").format(name=s.words.teller.seat(first))
    return [words_row(text, s.width, font_size=style.caption, tone="ash")]
