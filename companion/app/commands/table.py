"""Commands demo, watch, doctor: everything that needs a table, real or virtual."""

from __future__ import annotations

import argparse
import json
from itertools import chain
from pathlib import Path
from typing import Any

from companion.app.commands import (
    FAILED,
    OK,
    Commands,
    UsageError,
    add_setting,
    complain,
    game_named,
    game_of,
    lang_of,
    options_of,
    players_of,
    print_json,
    progress_of,
    settings_of,
    tell,
    watched,
)
from companion.journal.entries import JournalError
from companion.settings.settings import (
    Settings,
    SettingsError,
    load_settings,
    settings_path,
    state_folder,
)
from companion.words.errors import notice
from rules.box import load_box
from rules.near import hint
from rules.texts import Texts


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    demo = commands.add("demo", _demo)
    demo.add_argument("game", nargs="?", default="", metavar="GAME")
    add_setting(demo)
    demo.add_argument("--bare", action="append", default=[], metavar="NAME")
    demo.add_argument("--seed", metavar="S", type=int, default=None)
    demo.add_argument("--headless", action="store_true", default=False)
    demo.add_argument("--out", metavar="DIR", default="")

    watch = commands.add("watch", _watch)
    watch.add_argument("source", metavar="SOURCE")
    watch.add_argument("--game", required=True, metavar="GAME")
    add_setting(watch)
    watch.add_argument("--box", metavar="FILE", default=None)
    watch.add_argument("--board", metavar="FILE", default="")
    watch.add_argument("--debug", metavar="DIR", default=None)
    watch.add_argument("--camera", default="", metavar="CAMERA")

    commands.add("doctor", _doctor)


def _demo(given: argparse.Namespace) -> int:
    from companion.app.demo import DemoError, run_demo
    from companion.support.screen import find_screen

    out, headless = Path(given.out or "out/demo"), given.headless
    lang = lang_of(given)
    if not headless and (reason := find_screen().trouble):
        complain(notice("demo_unseen", reason=reason, folder=out))
        headless = True
    chosen: dict[str, Any] = {}
    if given.game:
        game = watched(game_named(given.game))
        players = players_of(given, game)
        options = game.complete_options(players, options_of(given))
        box = load_box(game.box).for_game(game.id)
        kinds = box.kinds.values()
        known = sorted({kind.group for kind in kinds} | {"*"}), sorted(kind.id for kind in kinds)
        if strange := [name for name in given.bare if name not in known[0] + known[1]]:
            raise UsageError("demo_bare", names=strange, hint=hint(strange[0], *known))
        chosen = {"game": game.id, "players": players, "options": options, "bare": given.bare}
        chosen["seed"] = given.seed
    elif given.option or given.bare or (given.players, given.seed) != (None, None):
        raise UsageError("demo_of_which")
    try:
        with progress_of(given) as stage:
            summary = run_demo(out, lang, headless=headless, stage=stage, **chosen)
    except (DemoError, JournalError) as error:
        complain(error.sentence)
        return FAILED
    if given.json and summary is not None:
        print_json(json.loads((out / "report.json").read_text(encoding="utf-8")))
    elif summary is not None:
        tell(summary)
    return OK


def _watch(given: argparse.Namespace) -> int:
    from companion.app.watch import Watch, in_words
    from companion.boards.store import OwnBoards
    from companion.camera.lenses import Lenses
    from companion.settings.validating import camera_faults

    settings = settings_of(given)
    game = watched(game_of(given))
    if not given.source:
        raise UsageError("source_empty")
    own = OwnBoards(state_folder(given.data))
    for trouble in own.troubles:
        complain(trouble)
    lang = given.lang
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
        share=settings.memory,
        lenses=Lenses(state_folder(given.data)).of,
        taken_by=given.camera,
        own_box=own.box,
    )
    say = Texts("commands.watch", lang)
    for record in watch.records():
        if given.json:
            print_json(record)
        else:
            tell(in_words(record, say))
    return OK


def _doctor(given: argparse.Namespace) -> int:
    from companion.app.checkup import reaching
    from companion.support.doctor import examine
    from companion.support.doctor.finding import Place

    path = settings_path(given.settings)
    try:
        settings = load_settings(path)
    except SettingsError:
        # A broken settings file is one of the findings, not a reason to stop.
        settings = Settings()
    lang = given.lang
    required = given.settings is not None
    state, say = state_folder(given.data), Texts("doctor", lang)
    others = reaching(Place(lang, Path("/")), settings, state)
    troubles = 0
    with progress_of(given) as stage:
        examining = stage("doctor")
        for finding in chain(examine(state, path, lang, required=required), others):
            troubles += finding.level == "trouble"
            if given.json:
                print_json({"check": finding.check, "level": finding.level, "text": finding.text})
            else:
                sign = {"ok": "✓", "hint": "·", "trouble": "!"}[finding.level]
                # Packages and programs are called the same everywhere.
                known = f"check_{finding.check.replace(' ', '_')}"
                check = say(known) if say.knows(known) else finding.check
                tell(f"{sign} {check:<15} {finding.text}")
            examining(0, 0)
    if not given.json:
        tell(say("summary_trouble", count=troubles) if troubles else say("summary_ok"))
    return OK
