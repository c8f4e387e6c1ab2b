"""Names and sizes as the workshop's pages write them. Free of Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.presentation.words.sentences import figure
from companion.presentation.words.translate import _
from companion.presentation.words.troubles import what_to_do
from rules.games import find_game
from rules.telling import Teller


@lru_cache(maxsize=32)
def _teller(name: str, lang: str) -> Teller:
    game = find_game(name)
    players = game.players[0]
    return Teller(game, lang, game.colours(players, game.complete_options(players, {})))


def game_name(game: str, lang: str) -> str:
    """Name of a game."""
    return _teller(game, lang).game_name


def site_name(game: str, site: str, lang: str) -> str:
    """Name of a field, beginning with a capital."""
    name = _teller(game, lang).site(site)
    return name[:1].upper() + name[1:]


def device_sentence(code: str, params: Mapping[str, str] | None = None) -> str:
    """Advice on a device in trouble; ``params`` say which pin or button it is."""
    known = params or {}
    if code == "connecting":
        return _("workshop.looking_for_it")
    if code == "pin_twice" and "pin" in known:
        text = _("workshop.gpio_pin_is_assigned_twice")
        return text.format(pin=known["pin"])
    if code == "button_stuck" and "button" in known:
        text = _("workshop.button_stays_pressed")
        return text.format(button=button_name(known["button"]))
    return what_to_do(code)


def button_name(name: str) -> str:
    """Purpose of a player's button."""
    known = {
        "commit": _("workshop.agree"),
        "undo": _("screens.undo"),
        "redo": _("screens.redo"),
        "again": _("workshop.say_it_again"),
        "clock": _("screens.clock"),
    }
    does, _rest, which = name.partition("_")
    return f"{known[does]} {which}".strip() if does in known else name


def size_text(count: int) -> str:
    """Bytes, in the unit people know from their disks."""
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{figure(size, 1 if unit == 'MB' else 0)} {unit}"
        size /= 1000
    return f"{figure(size, 1)} GB"
