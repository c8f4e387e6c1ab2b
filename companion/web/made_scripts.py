"""The scripts of the pages that are made, not written: languages, faces, signs of colours."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from companion.presentation.faces import PICTURES
from companion.web.board_shapes import picture_shapes, sign_path
from rules.box import SIGNED, sign_of
from rules.texts import LANGUAGES, Texts


@cache
def languages_script() -> bytes:
    """The languages that pages can be shown in, each by its own name."""
    names = {lang: Texts("language", lang)("name") for lang in LANGUAGES}
    return _script("The languages of the pages.", LANGUAGES=names)


@cache
def drawn_script() -> bytes:
    """The players' faces, and the sign of each colour."""
    return _script(
        "The players' faces, and the sign of each colour.",
        FACES={face: picture_shapes(picture) for face, picture in PICTURES.items()},
        SIGNS={colour: sign_path(sign_of(colour)) for colour in SIGNED},
    )


MADE_SCRIPTS: Final[Mapping[str, Callable[[], bytes]]] = {
    "languages.js": languages_script, "drawn.js": drawn_script,
}  # fmt: skip
"""Makers of the scripts, by the names of their files."""


def _script(about: str, **constants: Any) -> bytes:
    told = (
        f"export const {name} = {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n"
        for name, value in constants.items()
    )
    return f"// {about}\n\n{''.join(told)}".encode()
