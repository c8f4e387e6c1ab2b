"""The fixed words of the page to try the rules, beside those that it shares with phones."""

from __future__ import annotations

from companion.presentation.words.translate import N_, _, speaking

__all__ = ["try_words"]

_WORDS = {
    # the shelf
    "try_title": N_("Real board games, and somebody who knows the rules"),
    "try_text": N_(
        "Heelstone watches your board with a camera, knows whose turn it is, and says why "
        "something is not allowed. Try here what it knows, without a camera: choose a game."
    ),
    "try_again": N_("Go on with your match"),
    "for_players": N_("{from} to {to} players"),
    "for_just": N_("{count} players"),
    "minutes": N_("{count} min"),
    "age": N_("from age {age}"),
    "games": N_("Games"),
    "what_it_is": N_("What is Heelstone?"),
    "what_text": N_(
        "A small computer and a camera above your own table. You play with real pieces, and "
        "nobody has to know all the rules. This page is the same referee without a camera: you "
        "move the pieces on the screen."
    ),
    "no_network": N_(
        "Everything happens in this browser. Nothing is sent anywhere, and a match is kept only "
        "on this device."
    ),
    # before a match
    "how_many": N_("How many play?"),
    "who_plays": N_("Who plays?"),
    "person": N_("Person"),
    "computer": N_("Computer"),
    "person_at": N_("Player {number}"),
    "name_of": N_("Name of player {number}"),
    "one_device": N_("You pass this device on. Hidden hands are covered in between."),
    "options": N_("Ways to play"),
    "begin": N_("Play"),
    "rules": N_("Rules"),
    "all_games": N_("All games"),
    "easy": N_("Computer: weak"),
    "good": N_("Computer: good"),
    # while a match is played
    "menu": N_("Menu"),
    "new_match": N_("New match"),
    "new_match_text": N_("The match you are in ends."),
    "pass_to": N_("Pass the device to {name}"),
    "pass_text": N_("Nobody else looks. {name} touches the key below and sees their own hand."),
    "i_am": N_("I am {name}"),
    "roll": N_("Let chance decide"),
    "roll_text": N_("Here nothing rolls and nothing falls over. Or say yourself what came of it."),
    "thinking": N_("{name} is thinking …"),
    "not_there": N_("Not here"),
    "not_there_text": N_("Touch something with a blue ring."),
    "understood": N_("Understood"),
    "another": N_("Another game"),
    "touch_what": N_("First touch what you want to play, then a place with a blue ring."),
    "touch_where": N_("Touch a place with a blue ring."),
    "gone_wrong": N_("That did not work"),
    "gone_wrong_text": N_("Your match is kept. Load this page again to go on."),
    "kept_unreadable": N_("Your last match could not be opened. Begin a new one."),
    "load_again": N_("Load again"),
    # while Python is loaded
    "loading": N_("The referee is on its way …"),
    "load_python": N_("Python is loading (about {size} MB)"),
    "load_rules": N_("The rules are being unpacked"),
    "load_game": N_("The board is being set out"),
    "no_wasm": N_("This browser is too old for this page"),
    "no_wasm_text": N_(
        "It lacks WebAssembly, which the referee runs in here, or it is turned off. Try a "
        "newer browser, such as a current Firefox, Chrome, Edge or Safari."
    ),
    "no_python": N_("The referee could not be loaded"),
    "no_python_text": N_("Look at the network connection, and load the page again."),
}  # fmt: skip


def try_words(lang: str) -> dict[str, str]:
    """Every fixed word by its key, in ``de`` or ``en``.

    Raises FileNotFoundError for any other language.
    """
    with speaking(lang):
        return {key: _(word) for key, word in _WORDS.items()}
