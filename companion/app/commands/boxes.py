"""Command box: shows the board of a box file before it is printed."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.app.commands import (
    FAILED,
    OK,
    Commands,
    UsageError,
    box_of,
    complain,
    games_named,
    lang_of,
    print_json,
    progress_of,
    tell,
)
from rules.texts import Texts


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    box = commands.add("box", _box)
    box.add_argument("what", choices=("show",), metavar="show")
    box.add_argument("box", metavar="FILE|ID|GAME")
    box.add_argument("--game", metavar="GAME|FOLDER", default="")
    box.add_argument("--position", metavar="N", type=int, default=None)
    box.add_argument("--out", metavar="DIR", default=".")


def _box(given: argparse.Namespace) -> int:
    import cv2

    from companion.app.authoring.box_looks import VIEWS, BoxLook, games_of, overview, position_of
    from companion.settings.writing import hand_out
    from companion.words.errors import HeelstoneError, notice
    from rules.box import load_box
    from rules.games import find_game, game_ids
    from vision.pieces.bare import hardly_told

    lang = lang_of(given)
    say = Texts("commands.box", lang)
    box, game = box_of(given.box)
    game = given.game or game
    if game and game not in game_ids() and Path(game).is_dir():
        # The folder of a package that is not installed.
        added = games_named(game)[0]
        game = next((one.id for one in added if load_box(one.box).id == box.id), "")
        if not game:
            raise UsageError("not_on_box", game=given.game, box=box.id)
    playing = games_of(box)
    if game and find_game(game).id not in playing:
        raise UsageError("not_on_box", game=game, box=box.id)
    if given.position is not None:
        if given.position < 0:
            raise UsageError("position_number", found=given.position)
        if not game and len(playing) != 1:
            raise UsageError("position_of_game", box=box.id, games=playing)
        game = game or playing[0]
        layout, colours = position_of(game, given.position)
        look = BoxLook(box, game, layout, colours, lang)
    else:
        look = BoxLook(box, game, lang=lang)
    folder, files, pictures, failed = Path(given.out), {}, {}, False
    with progress_of(given) as stage:
        for view, drawn in VIEWS.items():
            stage("box", view=say(view))
            try:
                pictures[view] = drawn(look)
            except HeelstoneError as error:
                # The others are worth seeing all the same.
                failed = True
                complain(notice("view_not_drawn", view=say(view), reason=error))
        if pictures:
            titles = {view: say(view) for view in pictures}
            for name, picture in (*pictures.items(), ("overview", overview(pictures, titles))):
                files[name] = folder / f"{box.id}-{name}.png"
                hand_out(files[name], cv2.imencode(".png", picture)[1].tobytes())
    near = hardly_told(look.used, look.used.kinds)
    if given.json:
        print_json({"box": box.id, "game": game, "sites": len(look.used.sites),
                    "games": playing, "hardly_told": near,
                    "files": {name: str(path) for name, path in files.items()}})  # fmt: skip
    else:
        tell(say("sound", box=box.id, sites=len(box.sites), kinds=len(box.kinds)))
        for kind, sites in near.items():
            few = ", ".join((*sites[:3], "…") if len(sites) > 3 else sites)
            tell(say("hardly_told", kind=kind, sites=few))
        for name, path in files.items():
            tell(say("drawn", view=say(name), path=path))
    return FAILED if failed else OK
