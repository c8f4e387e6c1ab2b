"""Commands demo, watch, doctor: everything that needs a table, real or virtual."""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

from companion.app.commands import (
    OK,
    Commands,
    UsageError,
    complain,
    game_of,
    lang_of,
    options_of,
    players_of,
    print_json,
    settings_of,
    tell,
)
from companion.settings.settings import (
    Settings,
    SettingsError,
    load_settings,
    settings_path,
    state_folder,
)
from companion.words.errors import notice
from companion.words.wording import Wording
from rules.games import find_game

__all__ = ["add"]


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    demo = commands.add("demo", _demo, "play a short match on the virtual table")
    demo.add_argument("game", nargs="?", default="", metavar="GAME",
                      help="play a whole match of this game")  # fmt: skip
    demo.add_argument("--players", type=int, default=None, help="number of players")
    demo.add_argument("--option", action="append", default=[], metavar="K=V",
                      help="an option of the game, as often as needed")  # fmt: skip
    demo.add_argument("--headless", action="store_true", default=False, help="without a window")
    demo.add_argument("--out", metavar="DIR", default="", help="folder for pictures and report")

    watch = commands.add(
        "watch", _watch, "referee what a camera, a video or a folder of pictures shows"
    )
    watch.add_argument("source", metavar="SOURCE")
    watch.add_argument("--game", required=True, metavar="GAME")
    watch.add_argument("--players", type=int, default=None)
    watch.add_argument("--option", action="append", default=[], metavar="K=V")
    watch.add_argument("--box", metavar="FILE", default=None, help="box file of another board")
    watch.add_argument("--board", metavar="FILE", default="",
                       help="a board of your own (Dolmengötter)")  # fmt: skip
    watch.add_argument("--debug", metavar="DIR", default=None,
                       help="keep pictures with everything drawn in that was seen")  # fmt: skip
    watch.add_argument("--camera", default="", metavar="CAMERA",
                       help="the camera that took the pictures, for its lens")  # fmt: skip

    commands.add("doctor", _doctor, "find troubles and say what to do")


def _demo(given: argparse.Namespace) -> int:
    from companion.care.screen import find_screen
    from companion.demo import run_demo

    out = Path(given.out or "out/demo")
    lang = lang_of(given, settings_of(given))
    headless = given.headless
    if not headless and (reason := find_screen().trouble):
        complain(notice("demo_unseen", reason=reason, folder=out))
        headless = True
    if not given.game:
        if given.option or given.players is not None:
            raise UsageError("demo_of_which")
        return run_demo(out, lang, headless=headless)
    game = find_game(given.game)
    players = players_of(given, game)
    options = game.complete_options(players, options_of(given))
    return run_demo(out, lang, headless=headless, game=game.id, players=players, options=options)


def _watch(given: argparse.Namespace) -> int:
    from companion.app.watch import Watch
    from companion.boards.store import OwnBoards
    from companion.camera.lenses import Lenses
    from companion.settings.validating import camera_faults

    settings = settings_of(given)
    game = game_of(given)
    if not given.source:
        raise UsageError("source_empty")
    own = OwnBoards(state_folder(given.data))
    for trouble in own.troubles:
        complain(trouble)
    lang = lang_of(given, settings)
    for fault in camera_faults(settings.camera, settings_path(given.settings)):
        complain(fault)
    watch = Watch(
        source=given.source,
        game=game,
        players=players_of(given, game),
        options=options_of(given),
        lang=lang,
        box_file=given.box,
        debug=None if given.debug is None else Path(given.debug),
        camera=settings.camera,
        lenses=Lenses(state_folder(given.data)).of,
        taken_by=given.camera,
        own_box=own.box,
    )
    for record in watch.records():
        if given.json:
            print_json(record)
        elif "roll" in record:
            # What a disc did is never recorded automatically; these are the likeliest.
            told = " / ".join(c["text"] for c in record["candidates"]) or "?"
            tell(f"{record['frame']:<12} {'roll':<10} {told}")
        elif "frame" in record:
            why = "; ".join(o["text"] for o in record["objections"]) or record.get("doubt", "")
            tell(f"{record['frame']:<12} {record['status']:<10} "
                  f"{', '.join(record['moves'])}{why}")  # fmt: skip
        else:
            outcome = record["outcome"]
            tell("–" if outcome is None else outcome["text"])
    return OK


def _doctor(given: argparse.Namespace) -> int:
    from companion.app.checkup import reaching
    from companion.care.doctor import examine
    from companion.care.doctor.finding import Place

    path = settings_path(given.settings)
    try:
        settings = load_settings(path)
    except SettingsError:
        # A broken settings file is one of the findings, not a reason to stop.
        settings = Settings()
    lang = lang_of(given, settings)
    troubles = 0
    required = given.settings is not None
    state = state_folder(given.data)
    others = reaching(Place(lang, Path("/")), settings, state)
    for finding in chain(examine(state, path, lang, required=required), others):
        troubles += finding.level == "trouble"
        if given.json:
            print_json({"check": finding.check, "level": finding.level, "text": finding.text})
        else:
            sign = {"ok": "✓", "hint": "·", "trouble": "!"}[finding.level]
            tell(f"{sign} {finding.check:<14} {finding.text}")
    say = Wording("doctor", lang)
    if not given.json:
        tell(say("summary_trouble", count=troubles) if troubles else say("summary_ok"))
    return OK
