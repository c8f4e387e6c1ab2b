"""Puts the page together: a folder that any web server can serve, and that asks nobody else.

Games, boards and words do not change while somebody plays, so they are written down here; only a
match needs Python in the browser.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import companion.presentation
import companion.web
from companion.settings.writing import whole_folder
from companion.setup.covers import cover_of
from companion.web.board_shapes import board_of
from companion.web.page_words import LANGUAGES_SCRIPT, languages_script, page_words
from companion.web.try_page.engine import find_engine, unpack_engine
from companion.web.try_page.packing import pack
from rules.core import Game
from rules.games import find_game, game_ids
from rules.telling import Teller
from rules.texts import LANGUAGES, Texts

__all__ = ["ARCHIVE", "build", "game_of"]

ARCHIVE: Final = "heelstone.zip"
_PAGES: Final = Path(companion.web.__file__).parent / "pages"
_OWN: Final = Path(__file__).parent / "pages"
_FONTS: Final = Path(companion.presentation.__file__).parent / "fonts"
SHARED: Final = (
    "board.js", "faces.js", "hand_bar.js", "hand_view.js", "heelstone.svg", "match_parts.js",
    "page.js", "picking.js", "pieces.js", "seat.js", "sheets.js", "style.css",
)  # fmt: skip
"""Of the pages for phones."""
FONTS: Final = ("HeelstoneSans-Regular.otf", "HeelstoneSans-SemiBold.otf", "OFL.txt")
_HIDDEN_OPTIONS: Final = frozenset({"last_winners", "record"})
"""They are about matches at a table: who won before, and who writes down."""
_HIDDEN_VALUES: Final = frozenset({("course", "own"), ("kingdom", "choose")})

Json = dict[str, Any]


def build(folder: Path, engine: Path | None = None) -> int:
    """Put the page into ``folder``, whose place it takes, and return its size in bytes.

    ``engine``: the npm package of Pyodide, if it is not to be fetched. Raises EngineError,
    WriteError.
    """
    package = find_engine(engine)
    with whole_folder(folder) as draft:
        unpack_engine(package, draft / "python")
        write_pages(draft)
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def write_pages(folder: Path) -> None:
    """Everything but Pyodide itself."""
    for file in (*(_PAGES / name for name in SHARED), *(_FONTS / name for name in FONTS)):
        shutil.copyfile(file, folder / file.name)
    for file in sorted(_OWN.iterdir()):
        if file.is_file():
            shutil.copyfile(file, folder / file.name)
    (folder / LANGUAGES_SCRIPT).write_bytes(languages_script())
    data = folder / "data"
    data.mkdir()
    for lang in LANGUAGES:
        games = [game_of(game, lang) for game in game_ids() if find_game(game).package == "rules"]
        shelf = [{k: v for k, v in game.items() if k != "pages"} for game in games]
        _write(data / f"words.{lang}.json", page_words(lang) | Texts("try", lang).all())
        _write(data / f"games.{lang}.json", shelf)
        for game in games:
            _write(data / f"{game['id']}.{lang}.json", {
                "pages": game["pages"], "shapes": board_of(game["id"], False, lang),
            })  # fmt: skip
    pack(folder / ARCHIVE)


def game_of(game_id: str, lang: str) -> Json:
    """What a shelf tells of a game, and what may be chosen before a match."""
    game: Game[Any] = find_game(game_id)
    count = game.players[0]
    teller = Teller(game, lang, game.colours(count, game.complete_options(count, {})))
    cover = cover_of(game.id, game.package, teller.game_name)
    return {
        "id": game.id,
        "name": teller.game_name,
        "tagline": teller.tagline,
        "players": list(game.players),
        "minutes": cover.minutes,
        "age": cover.age,
        "cover": {"sky": cover.sky, "shapes": [_shape(shape) for shape in cover.shapes]},
        "options": _options(game, teller),
        "pages": [{"title": page.title, "text": page.text} for page in teller.pages],
    }


def _options(game: Game[Any], teller: Teller) -> list[Json]:
    found = []
    for name, values in game.options.items():
        if name in _HIDDEN_OPTIONS:
            continue
        title, help_ = teller.option(name)
        offered = [
            {"id": value, "name": teller.option_value(name, value)}
            for value in values
            if (name, value) not in _HIDDEN_VALUES
        ]
        found.append({"id": name, "title": title, "help": help_, "values": offered})
    return found


def _shape(shape: Any) -> Json:
    """What is given of a cover's shape."""
    fields = ("fill", "fills", "width", "at", "size", "polygon", "line", "circle", "rect", "wheel",
              "discs", "text")  # fmt: skip
    told = {name: getattr(shape, name) for name in fields}
    return {name: value for name, value in told.items() if value not in (None, "", ())}


def _write(file: Path, data: Any) -> None:
    file.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
