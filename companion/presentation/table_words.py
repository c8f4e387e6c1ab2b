"""The matter of the words beside a board, worked out once per view."""

from __future__ import annotations

from dataclasses import dataclass

from companion.match.state import PLAYING
from companion.match.view import TableView
from companion.presentation.announcement import What, standing
from companion.presentation.boxes import box_of
from companion.presentation.cards import MOST_KEYS, card_moves
from companion.presentation.choosing import needs_steps
from companion.presentation.players import Player, player_of
from companion.presentation.touching import done_move, means_pieces, placeless, touched
from companion.presentation.words.company import thinking_words
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _
from rules.box import Box
from rules.core import Actor, Move, ScoreLine
from rules.telling import Teller

MOST_BESIDE = 80
"""Number of tiles above which they are offered on a separate sheet …"""
_MANY = 24
MOST_WITH_BOARD = 12
"""… and fewer, if the board can be touched too."""


@dataclass(frozen=True, slots=True)
class TableWords:
    """A view, and what follows from it for everything that is written beside the board."""

    view: TableView
    box: Box
    teller: Teller
    players: tuple[Player, ...]
    """Players by seat."""
    mover: int | None
    """The seat that has to decide something."""
    done: Move | None
    """The move that ends the turn, if it is legal now."""
    placeless: tuple[Move, ...]
    """Legal moves that no touch on the board can express, and that are not ``by_cards``."""
    by_cards: frozenset[Move]
    """Legal moves that are entered by choosing cards."""
    on_board: bool
    """True if a touch on the board can express a legal move."""
    by_piece: bool
    """True if a move may begin with picking up one of the mover's pieces."""
    score_lines: tuple[ScoreLine, ...]
    """Sources of the points at the end of a match."""
    history: tuple[tuple[int, ...], ...]
    """Points by seat before the first move and after each, once the match is over."""

    @property
    def playing(self) -> bool:
        """True if moves may be entered, and nothing else is asked."""
        return self.view.outcome is None and self.view.state in PLAYING

    @property
    def listed(self) -> tuple[Move, ...]:
        """Moves that are offered right beside the board.

        These are the moves without a place, if they are few or must be entered card by card; of
        many, those that name nothing else; and what simply happened, such as the result of a roll.
        """
        if not self.playing:
            return ()
        if self.view.throw is not None or needs_steps(self.placeless):
            return self.placeless
        # Beside the players' cards many tiles would take many swipes; a sheet shows most at once.
        few = len(self.placeless) <= (MOST_BESIDE if not self.on_board else MOST_WITH_BOARD)
        return self.placeless if few and not self.told else self._plain

    @property
    def as_keys(self) -> bool:
        """True if each listed move has a key, not a tile."""
        return self.view.throw is None and 0 < len(self.listed) <= MOST_KEYS

    @property
    def only_cards(self) -> bool:
        """True if there is nothing to do but to choose cards, or to leave it."""
        others = {*self.view.legal} - {*self.by_cards, self.done}
        return self.playing and bool(self.by_cards) and not others

    @property
    def crowded(self) -> bool:
        """True if so much is listed that everything else gives way where room is short."""
        return self.told or len(self.listed) > _MANY

    @property
    def told(self) -> bool:
        """True if people say what happened, rather than what they do."""
        return self.view.prompt is not None and self.view.prompt.actor is Actor.TABLE

    @property
    def _plain(self) -> tuple[Move, ...]:
        """Moves that are worth a touch right away where a sheet holds the others: results of one
        thing each, or what names nothing at all."""
        if self.told:
            found = [m for m in self.view.legal if not any("," in arg for arg in m.args)]
        else:
            found = [m for m in self.placeless if set(m.args) <= {"?"}]
        return tuple(found) if len(found) <= MOST_WITH_BOARD else ()

    @property
    def unlisted(self) -> tuple[Move, ...]:
        """Moves without a place that are offered on a sheet only."""
        listed = set(self.listed)
        return tuple(move for move in self.placeless if move not in listed)


def table_words(
    view: TableView,
    lang: str,
    score_lines: tuple[ScoreLine, ...] = (),
    history: tuple[tuple[int, ...], ...] = (),
) -> TableWords:
    """Words beside the board for ``view``, in a language."""
    box, teller, prompt = box_of(view), teller_of(view, lang), view.prompt
    by_cards = frozenset(card_moves(view))
    return TableWords(
        view=view,
        box=box,
        teller=teller,
        players=tuple(player_of(view, teller, seat) for seat in range(view.players)),
        mover=prompt.player if prompt and prompt.actor is Actor.PLAYER else None,
        done=done_move(view),
        placeless=tuple(move for move in placeless(view, box) if move not in by_cards),
        by_cards=by_cards,
        on_board=any(touched(move, view, box) for move in view.legal),
        by_piece=view.outcome is None and view.state in PLAYING and means_pieces(view, box),
        score_lines=score_lines,
        history=history,
    )


def instruction(words: TableWords) -> str:
    """The thing to do now, in as few words as the texts have."""
    view, teller = words.view, words.teller
    for one in standing(view):
        match one.what:
            case What.ENDED:
                return one.told(teller).text or _("play.the_match_is_over")
            case What.REFUSED:
                return one.told(teller).title
            case _ if one.candidates:
                return _("play.please_look_at_the_screen")
            case What.CALLED:
                return one.told(teller).title
            case What.WRONG | What.PENDING | What.DIFFERS if view.fixes:
                return _("play.please_put_the_table_right")
            case What.TURN | What.CHANCE if view.thinks is not None:
                return thinking_words(view, teller)[0]
            case What.TURN | What.CHANCE:
                told = one.told(teller)
                todo = told.text.partition(". ")[0].rstrip(".")
                if view.prompt is None or not teller.names_more(view.prompt):
                    return todo or told.title
                # The text alone would not say what it is about; a question needs no more.
                asks = told.title.endswith("?")
                return told.title if asks or not todo else f"{told.title}. {todo}"
    return ""
