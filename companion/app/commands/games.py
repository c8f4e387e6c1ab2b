"""Commands games, simulate, rehearse, why: what can be asked without a table."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

from companion.app.commands import (
    FAILED,
    OK,
    Commands,
    UsageError,
    add_game,
    complain,
    game_named,
    game_of,
    lang_of,
    options_of,
    players_of,
    print_json,
    seats_named,
    tell,
    text_of,
)
from companion.settings.enforcement import Enforcement
from companion.settings.writing import hand_out
from companion.words.errors import notice
from rules.core import COLOURS, GameError, Move, Outcome
from rules.games import find_game, game_ids
from rules.players import find_player
from rules.telling import Teller
from rules.texts import Texts


def add(commands: Commands) -> None:
    """Declare the commands of this module."""
    commands.add("games", _games)

    simulate = commands.add("simulate", _simulate)
    add_game(simulate)
    simulate.add_argument("--seed", metavar="S", type=int, default=0)
    simulate.add_argument("--player", action="append", default=[], metavar="SEAT=NAME")
    simulate.add_argument("--seconds", type=float, default=0.2, metavar="S")

    rehearse = commands.add("rehearse", _rehearse)
    add_game(rehearse, required=False)
    rehearse.add_argument("scene", metavar="SCENE", nargs="?", default="")
    rehearse.add_argument("--enforcement", choices=[*Enforcement], default=None)
    rehearse.add_argument("--from-report", metavar="FILE", default="")
    rehearse.add_argument("--moment", metavar="NAME", default="")
    rehearse.add_argument("--out", metavar="FILE", default="")

    why = commands.add("why", _why)
    why.add_argument("game", metavar="GAME")
    why.add_argument("--state", dest="position", metavar="FILE", required=True)
    why.add_argument("move", metavar="MOVE", nargs="+")


def _games(given: argparse.Namespace) -> int:
    lang = lang_of(given)
    for name in game_ids():
        try:
            game = find_game(name)
            teller = Teller(game, lang, ())
        except (GameError, ImportError) as error:
            # A broken game from elsewhere must not keep ours off the shelf.
            complain(notice("game_unusable", game=name, reason=error))
            continue
        if given.json:
            print_json(
                {
                    "id": game.id,
                    "name": teller.game_name,
                    "box": game.box,
                    "players": list(game.players),
                    "options": {key: list(values) for key, values in game.options.items()},
                }
            )
            continue
        players = ", ".join(map(str, game.players))
        tell(f"{game.id:<20} {teller.game_name} ({players})")
        tell(f"{'':<20} {teller.tagline}")
        for key, values in game.options.items():
            tell(f"{'':<22}--option {key}={'|'.join(values)}  {teller.option(key)[0]}")
        if game.palette:
            by_seat = ",".join(game.palette[: game.players[-1]])
            tell(f"{'':<22}--option {COLOURS}={by_seat}  {teller.option(COLOURS)[0]}")
    return OK


def _simulate(given: argparse.Namespace) -> int:
    from companion.app.simulate import simulate

    game = game_of(given)
    players = players_of(given, game)
    options = game.complete_options(players, options_of(given))
    company = _company(given.player, players)
    if not 0 < given.seconds < math.inf:
        raise UsageError("wants_seconds", option="--seconds", found=given.seconds)
    records = simulate(game, players, options, given.seed, company, given.seconds)
    if given.json:
        for record in records:
            print_json(record)
        return OK
    teller = Teller(game, lang_of(given), game.colours(players, options))
    for record in records:
        if "move" in record:
            tell(f"{record['move']:<28} {teller.move(Move.parse(record['move']))}")
        elif "outcome" in record:
            outcome = record["outcome"]
            ranking = tuple(tuple(group) for group in outcome["ranking"])
            told = teller.outcome(Outcome(outcome["reason"], ranking, tuple(outcome["scores"])))
            points = f" ({', '.join(map(str, outcome['scores']))})" if game.counts_points else ""
            tell(f"{told}{points}")
    return OK


def _company(named: list[str], players: int) -> dict[int, str]:
    """The computer players by seat, as they are counted within. Raises UsageError, GameError."""
    company = {}
    for text in named:
        seat, _, name = text.partition("=")
        if seat not in (known := seats_named(players)) or not name:
            raise UsageError("wants_seat_player", found=text, last=players)
        find_player(name)
        company[known.index(seat)] = name
    return company


def _rehearse(given: argparse.Namespace) -> int:
    from companion.app.rehearse import in_words, records, unmet_in_words, unmet_record
    from companion.match.rehearsing.expecting import unmet
    from companion.match.rehearsing.rehearsal import Rehearsal
    from companion.match.rehearsing.scene import read_scene

    text, source = _scene_text(given)
    if given.out:
        hand_out(Path(given.out), text)
        return OK
    scene = read_scene(text, source)
    heading = scene.heading
    given.game = given.game or heading.game
    game, lang = game_of(given), lang_of(given)
    if heading.game and heading.game.partition("@")[0] != game.id.partition("@")[0]:
        raise UsageError("scene_other_game", file=scene.file, theirs=heading.game, game=game.id)
    given.players = heading.players if given.players is None else given.players
    rehearsal = Rehearsal(
        game,
        players_of(given, game),
        {**heading.options, **options_of(given)},
        Enforcement(given.enforcement or heading.enforcement or Enforcement.ENFORCE),
        dealt=heading.dealt,
        seed=heading.seed,
    )
    rehearsal.play(scene)
    teller = Teller(game, lang, rehearsal.match.colours)
    say = Texts("commands.rehearse", lang)
    for record in records(rehearsal, teller):
        if given.json:
            print_json(record)
        elif record.get("event") == "warning":
            where = {"file": scene.file, "line": record["line"]}
            complain(notice("scene_line", **where, reason=record["text"]))
        else:
            tell(in_words(record, say, teller))
    missed = unmet(heading.expect, rehearsal)
    for one in missed:
        if given.json:
            print_json(unmet_record(one))
        else:
            tell(unmet_in_words(one, say))
    return FAILED if missed else OK


def _scene_text(given: argparse.Namespace) -> tuple[str, Path]:
    """The scene that was named, and its file. Raises UsageError, NotAReportError."""
    if given.from_report and not given.scene:
        from companion.support.report import scene_in

        return scene_in(Path(given.from_report), given.moment), Path(given.from_report)
    if given.from_report or given.moment or given.out or not (given.game and given.scene):
        raise UsageError("rehearse_what")
    return text_of(Path(given.scene)), Path(given.scene)


def _why(given: argparse.Namespace) -> int:
    game = game_named(given.game)
    path = Path(given.position)
    try:
        data = json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise UsageError("not_json", file=path, reason=error) from error
    if isinstance(data, dict) and isinstance(data.get("state"), dict):
        data = data["state"]
    move = Move.parse(" ".join(given.move))
    try:
        state = game.from_json(data)
        players = len(state.scores())
        colours = game.colours(players, game.complete_options(players, {}))
        objections = state.violations(move)
    except GameError:
        raise
    except Exception as error:
        # A position put together by hand can contradict itself in ways a game does not expect.
        raise UsageError("no_position_there", file=path, game=game.id, reason=error) from error
    teller = Teller(game, lang_of(given), colours)
    if given.json:
        print_json(
            {
                "move": move.text,
                "legal": not objections,
                "objections": [
                    {"rule": o.rule, "code": o.code, "text": str(teller.objection(o))}
                    for o in objections
                ],
            }
        )
    elif not objections:
        tell(Texts("commands.games", teller.lang)("legal"))
    for objection in () if given.json else objections:
        tell(f"{objection.rule} {objection.code}: {teller.objection(objection)}")
    return OK
