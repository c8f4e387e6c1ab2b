"""The fixed words of the pages. Those of games come with each picture of a match."""

from __future__ import annotations

import json
from typing import Final

from companion.presentation.words.translate import N_, _, speaking
from rules.texts import LANGUAGES, Texts

__all__ = ["LANGUAGES_SCRIPT", "languages_script", "page_words"]

_WORDS = {
    # connection
    "at_table": N_("At the table"),
    "live": N_("Live"),
    "away": N_("No connection"),
    "away_text": N_("It comes back by itself. What you see is how it was."),
    "connecting": N_("Connecting …"),
    # everybody
    "spectator": N_("Spectator"),
    "turn": N_("Turn {turn}"),
    "to_move": N_("to move"),
    "is_asked": N_("is asked"),
    "asked_title": N_("{name} is to move"),
    "their_turn": N_("It is {name}'s turn"),
    "asked_other": N_("{name} is asked"),
    "points": N_("Points"),
    "moves": N_("Moves"),
    "no_moves": N_("Nothing has been played yet."),
    "last_move": N_("Last move"),
    "left": N_("{count} left"),
    "why": N_("Why?"),
    "rule": N_("Rule"),
    "board": N_("Board"),
    "board_told": N_("The board: {game}"),
    "result": N_("Result"),
    "place": N_("Place {number}"),
    "nobody_plays": N_("No match is open"),
    "nobody_plays_text": N_("As soon as one begins at the table, it is shown here."),
    "back_to_live": N_("Back to live"),
    "looking_back": N_("Move {ply} of {plies}"),
    "earlier": N_("One move earlier"),
    "later": N_("One move later"),
    "choose_move": N_("Choose a move"),
    "piles": N_("Piles"),
    "cost": N_("costs {cost}"),
    "empty_pile": N_("empty"),
    "trash": N_("Trash"),
    "played": N_("Played"),
    "open_cards": N_("Lying open"),
    # the switches
    "light": N_("Light"),
    "dark": N_("Dark"),
    "close": N_("Close"),
    # a seat's page
    "only_you": N_("Only you see this"),
    "your_turn": N_("It is your turn"),
    "you_asked": N_("You are asked"),
    "your_hand": N_("Your hand"),
    "tap_does": N_("tap = {does}"),
    "take_back": N_("Take back"),
    "tip": N_("Tip"),
    "tap_picks": N_("tap = choose"),
    "look_only": N_("to look at"),
    "no_hand": N_("Your hand is empty now."),
    "real_hand": N_("You hold real cards and pieces. What the table knows of them is shown here."),
    "your_hidden": N_("Face down, and yours"),
    "buy": N_("Take from the piles"),
    "cover": N_("Cover"),
    "uncover": N_("Uncover"),
    "covered": N_("Covered"),
    "covered_text": N_("Nobody sees your hand. Uncover it when only you look."),
    "others_see": N_("At the table all see only: {cards}"),
    "one_card": N_("1 card in hand"),
    "many_cards": N_("{count} cards in hand"),
    "draw_pile": N_("Draw pile"),
    "discard_pile": N_("Discards"),
    "cards": N_("cards"),
    "card": N_("card"),
    "as_list": N_("As a list"),
    "choose": N_("Choose"),
    "leave_it": N_("Leave it"),
    "then_place": N_("Now touch a place on the board."),
    "then_what": N_("Now choose what goes there."),
    "then_more": N_("Choose more, or leave it."),
    "times": N_("{count} times"),
    "can_play": N_("can be played"),
    "cannot_play": N_("cannot be played now"),
    "chosen": N_("chosen"),
    "sending": N_("Sending …"),
    "not_sent": N_("That did not reach the table"),
    "not_sent_text": N_("Nothing was played. Try again as soon as there is a connection."),
    # before and after
    "waiting": N_("Waiting until the table says yes"),
    "waiting_text": N_(
        "On the table's screen somebody must confirm this phone for {name}. "
        "Then your hand appears here by itself."
    ),
    "closed_text": N_(
        "The match is not on the table's screen now. Your hand comes back by itself with it."
    ),
    "scan": N_("Scan the code of your seat"),
    "scan_text": N_(
        "This page shows one player's hand. The table's screen shows a code for each seat: "
        "point this phone's camera at yours."
    ),
    "gone_taken_back": N_("The table took this seat back"),
    "gone_taken_back_text": N_(
        "Your hand is not shown here any more. To get it back, scan the code of your seat again."
    ),
    "gone_given_away": N_("Another phone has this seat now"),
    "gone_given_away_text": N_(
        "Your hand is shown there. To have it here, scan the code of your seat with this phone."
    ),
    "gone_match_over": N_("This match is over"),
    "gone_match_over_text": N_(
        "Nothing is hidden any more. For the next match scan the code of your seat again."
    ),
    "gone_refused": N_("The table said no"),
    "gone_refused_text": N_(
        "This phone was not confirmed. Ask at the table, and scan the code of your seat again."
    ),
    "look_on": N_("Watch as a spectator"),
    "code_used": N_("This code is not good any more"),
    "code_used_text": N_(
        "Each code counts once, and only for its match. Let the table show a new one and scan that."
    ),
}  # fmt: skip


LANGUAGES_SCRIPT: Final = "languages.js"
"""The one script of the pages that is made, not written."""


def languages_script() -> bytes:
    """The languages that pages can be shown in, each by its own name."""
    names = {lang: Texts("language", lang)("name") for lang in LANGUAGES}
    told = json.dumps(names, ensure_ascii=False)
    return f"// The languages of the pages.\n\nexport const LANGUAGES = {told};\n".encode()


def page_words(lang: str) -> dict[str, str]:
    """Every fixed word by its key, in ``de`` or ``en``, and ``lang`` itself.

    Raises FileNotFoundError for any other language.
    """
    with speaking(lang):
        return {"lang": lang} | {key: _(word) for key, word in _WORDS.items()}
