"""Names of computer players at the table: Heelstone's own in the language, others as their authors
call them."""

from __future__ import annotations

from collections.abc import Sequence

from rules.texts import Texts


def player_name(player: str, lang: str) -> str:
    """The name of a computer player in a language."""
    words = Texts("players", lang)
    return words(player) if words.knows(player) else player


def named(names: Sequence[str], computers: Sequence[str], lang: str) -> tuple[str, ...]:
    """The names by seat, where computer players have theirs; equal ones are numbered."""
    found: list[str] = []
    for seat, name in enumerate(names):
        player = computers[seat] if seat < len(computers) else ""
        if not player:
            found.append(name)
            continue
        called, number = player_name(player, lang), 1
        taken = {*names, *found}
        while (own := called if number == 1 else f"{called} {number}") in taken:
            number += 1
        found.append(own)
    return tuple(found)
