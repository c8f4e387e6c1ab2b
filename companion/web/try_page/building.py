"""Builds the page: a folder that any web server can serve, and that loads nothing from elsewhere.

Games, boards and words do not change during a match, so they are written down here; only a match
needs Python in the browser.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import companion.presentation
import companion.web
from companion.settings.writing import whole_folder
from companion.setup.covers import cover_of
from companion.web.board_shapes import board_of
from companion.web.game_choices import choices_of, teller_for
from companion.web.made_scripts import MADE_SCRIPTS
from companion.web.page_words import page_words
from companion.web.try_page.engine import find_engine, unpack_engine
from companion.web.try_page.first_scene import first_scene
from companion.web.try_page.installing import list_files, write_manifest
from rules.core import Game
from rules.games import find_game, shelf_order
from rules.texts import LANGUAGES, Texts

# -- the archive ------------------------------------------------------------------------------
#
# All of the rules, of the rest the modules that are imported, the data of the same name beside
# them, and the files of words they name.

ROOT: Final = Path(__file__).resolve().parents[3]
ENTRANCE: Final = "companion.web.try_page.answering"
"""The module that the browser's side calls."""
_OURS: Final = ("companion", "hardware", "rules")
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""Time of all files in the archive, so that equal sources make equal archives."""


def needed(entrance: str = ENTRANCE) -> dict[str, Path]:
    """Files of the modules beside ``rules`` that ``entrance`` imports, directly or not, by name."""
    found: dict[str, Path] = {}
    left = [entrance]
    while left:
        module = left.pop()
        file = _file(module)
        if file is None or module in found or module.partition(".")[0] not in _OURS:
            continue
        found[module] = file
        parent = module.rpartition(".")[0]
        left += [*_imports(ast.parse(file.read_text(encoding="utf-8"))), *filter(None, [parent])]
    return {name: file for name, file in found.items() if name.partition(".")[0] != "rules"}


def pack(archive: Path) -> None:
    """Write the archive."""
    files = {*needed().values()}
    files |= {data for file in files if (data := file.with_suffix(".toml")).is_file()}
    words = ROOT / "rules" / "languages"
    files |= {
        file
        for file in (ROOT / "rules").rglob("*")
        if file.suffix in (".py", ".toml") and words not in file.parents
    }
    scripts = "".join(file.read_text("utf-8") for file in files if file.suffix == ".py")
    said = set(re.findall(r'"([a-z_]+)[".]', scripts))
    files |= {file for file in words.glob("*/*.toml") if file.stem in said}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(files):
            entry = zipfile.ZipInfo(file.relative_to(ROOT).as_posix(), _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())


def _file(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def _imports(tree: ast.AST) -> Iterable[str]:
    """Modules that are imported, wherever it is done, but for those that are for types only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        yield from _imports(node)


ARCHIVE: Final = "heelstone.zip"
_PAGES: Final = Path(companion.web.__file__).parent / "pages"
_OWN: Final = Path(__file__).parent / "pages"
_FONTS: Final = Path(companion.presentation.__file__).parent / "fonts"
SHARED: Final = (
    "board.js", "faces.js", "hand_bar.js", "hand_view.js", "heelstone.svg", "match_parts.js",
    "pad.js", "page.js", "picking.js", "pieces.js", "seat.js", "sheets.js", "style.css",
)  # fmt: skip
"""Files shared with the pages for phones."""
FONTS: Final = ("HeelstoneSans-Regular.otf", "HeelstoneSans-SemiBold.otf", "OFL.txt")
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
        list_files(draft)
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def write_pages(folder: Path) -> None:
    """Writes all files but Pyodide itself."""
    for file in (*(_PAGES / name for name in SHARED), *(_FONTS / name for name in FONTS)):
        shutil.copyfile(file, folder / file.name)
    for file in sorted(_OWN.iterdir()):
        if file.is_file():
            shutil.copyfile(file, folder / file.name)
    for name, make in MADE_SCRIPTS.items():
        (folder / name).write_bytes(make())
    write_manifest(folder)
    data = folder / "data"
    data.mkdir()
    for lang in LANGUAGES:
        games = [
            game_of(game, lang) for game in shelf_order() if find_game(game).package == "rules"
        ]
        shelf = [{k: v for k, v in game.items() if k != "pages"} for game in games]
        _write(data / f"words.{lang}.json", page_words(lang) | Texts("try", lang).all())
        _write(data / f"games.{lang}.json", shelf)
        _write(data / f"first.{lang}.json", first_scene(lang))
        for game in games:
            _write(data / f"{game['id']}.{lang}.json", {
                "pages": game["pages"], "shapes": board_of(game["id"], False, lang),
            })  # fmt: skip
    pack(folder / ARCHIVE)


def game_of(game_id: str, lang: str) -> Json:
    """A game for the shelf, with its choices before a match."""
    game: Game[Any] = find_game(game_id)
    teller = teller_for(game, lang)
    cover = cover_of(game.id, game.package, teller.game_name)
    return {
        **choices_of(game_id, lang),
        "tagline": teller.tagline,
        "minutes": cover.minutes,
        "age": cover.age,
        "cover": {"sky": cover.sky, "shapes": [_shape(shape) for shape in cover.shapes]},
        "pages": [{"title": page.title, "text": page.text} for page in teller.pages],
    }


def _shape(shape: Any) -> Json:
    """Fields of a cover's shape that are given."""
    fields = ("fill", "fills", "width", "at", "size", "polygon", "line", "circle", "rect", "wheel",
              "discs", "text")  # fmt: skip
    told = {name: getattr(shape, name) for name in fields}
    return {name: value for name, value in told.items() if value not in (None, "", ())}


def _write(file: Path, data: Any) -> None:
    file.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
