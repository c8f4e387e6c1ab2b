"""Names and sizes as the workshop's pages write them. Free of Kivy."""

from __future__ import annotations

from functools import lru_cache

from companion.ui.troubles import what_to_do
from companion.ui.words import _, language
from rules.games import find_game
from rules.telling import Teller

__all__ = ["device_sentence", "figure", "game_name", "percent", "site_name", "size_text"]


@lru_cache(maxsize=32)
def _teller(name: str, lang: str) -> Teller:
    game = find_game(name)
    players = game.players[0]
    return Teller(game, lang, game.colours(players, game.complete_options(players, {})))


def game_name(game: str, lang: str) -> str:
    """What a game is called."""
    return _teller(game, lang).game_name


def site_name(game: str, site: str, lang: str) -> str:
    """What a field is called, with a capital at its beginning."""
    name = _teller(game, lang).site(site)
    return name[:1].upper() + name[1:]


def device_sentence(code: str) -> str:
    """What to do about a device that is not well."""
    return _("It is being looked for.") if code == "connecting" else what_to_do(code)


def figure(value: float, places: int) -> str:
    """A number as the language writes it."""
    text = f"{value:.{places}f}"
    return text.replace(".", ",") if language() == "de" else text


def percent(part: float) -> str:
    """A part of one."""
    return f"{round(part * 100)} %"


def size_text(count: int) -> str:
    """Bytes, in the unit people know from their disks."""
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{figure(size, 1 if unit == 'MB' else 0)} {unit}"
        size /= 1000
    return f"{figure(size, 1)} GB"
