"""Names of pieces and cards on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rules.box import Box, PieceKind, load_box
from rules.games import find_game, game_ids
from rules.telling import load_text
from rules.texts import Texts

PLAIN = ("bar", "figure")
"""Groups that every game of a shared box calls something else; they go by shape and colour."""


def _games_of(box: Box) -> list[str]:
    """Ids of the games that are played with the box."""
    # A game from a package outside may name its box by path, so the box itself is asked.
    return [name for name in game_ids() if load_box(find_game(name).box).id == box.id]


def kind_names(box: Box, lang: str) -> Mapping[str, str]:
    """The name of every kind: what most of the box's games call it, else its id."""
    games = _games_of(box)
    said: dict[str, Counter[str]] = {}
    for game in games:
        kinds = load_text(game, lang, find_game(game).package).get("kinds", {})
        for kind, name in kinds.items():
            said.setdefault(kind, Counter())[str(name)] += 1
    say = Texts("print", lang)

    def name_of(kind: PieceKind) -> str:
        if len(games) > 1 and kind.group in PLAIN:
            return say(f"kind_{kind.group}", colour=say(f"colour_{kind.owner or 'grey'}"))
        names = said.get(kind.id)
        if not names:
            return kind.mark or kind.id
        return max(names, key=lambda name: (names[name], len(name)))

    return {kind.id: name_of(kind) for kind in box.kinds.values()}
