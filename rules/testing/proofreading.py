"""Sentences as players get them, read by somebody who notices what is named wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.box import Box
from rules.core import Game
from rules.telling import Formatter, Teller
from rules.testing.report import Misnamed

__all__ = ["Proofreader"]


class Proofreader(Teller):
    """A teller that names nothing but what there is: seats, sites and kinds of the game."""

    def __init__(self, game: Game[Any], lang: str, colours: Sequence[str], box: Box) -> None:
        super().__init__(game, lang, colours)
        self._box = box
        self._sound: set[tuple[Any, str]] = set()
        """What was found to be named rightly: most of it comes again and again."""
        self._format = _Reader(self)

    def seat(self, seat: int) -> str:
        if not 0 <= seat < len(self.names):
            raise Misnamed(
                f"{seat} is told as a player, and there are {len(self.names)}",
                "Let player, other, winner and owner be seats, from 0 on",
            )
        return super().seat(seat)

    def written(self, section: str, key: str) -> str:
        """A text as it stands in the file."""
        return str(self._entry(section, key))

    def named(self, value: Any, as_what: str) -> None:
        """Notice a place that is none, and so on; a word of the game's own may stand for one."""
        if (value, as_what) in self._sound:
            return
        words = {**self._common["words"], **self._own.get("words", {})}
        for one in str(value).split(","):
            match as_what:
                case "site" | "sites":
                    known = one in self._box.sites or one in self._own.get("sites", {})
                case "kind" | "kinds":
                    known = one in self._own.get("kinds", {})
                case "player":
                    known = one.removeprefix("p").isdigit()
                case "points":
                    known = one.lstrip("-").isdigit()
                case _:
                    known = True
            if not known and one not in words:
                raise Misnamed(
                    f"'{one}' is told as {as_what}, and is none",
                    "Put the right word after the colon in the text, or give what it names",
                )
        self._sound.add((value, as_what))


class _Reader(Formatter):
    def __init__(self, proofreader: Proofreader) -> None:
        super().__init__(proofreader)
        self._proofreader = proofreader

    def format_field(self, value: Any, format_spec: str) -> Any:
        self._proofreader.named(value, format_spec)
        return super().format_field(value, format_spec)
