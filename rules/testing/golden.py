"""Golden files of a game: whole matches that people can read and compare, and counts of moves.

A golden playthrough is a random match with what was legal, the scores and the move, line by line: a
changed rule shows in it. So does it in ``…_options.txt``, with a line for a match of every value of
every option. Counts of legal moves (perft, as chess programs call it) are in
``perft.json``: for each position the number of ways to go on for one, two and three moves. Authors
add positions of their own there, with the moves that lead to them; the counts are filled in, and
should be reckoned by hand once. To begin with there is a position for each objection and each end
that random matches show, with ``"confirmed": false`` until somebody has compared it with the
rulebook and deletes that. What they declare of a position besides, its ``scores``, its
``outcome`` and the objections to moves that are ``refused``, is never written anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from rules.bounded import read_text
from rules.core import Game, GameError, Move, State
from rules.match import Match
from rules.telling import Teller
from rules.testing.playout import ladder, random_match
from rules.testing.report import Report

SEED = 1
PERFT = "perft.json"
DEPTH = 3
MOST_WAYS = 20_000
"""Number of ways from which it goes no deeper."""
DECLARED: Final = {"scores": list, "outcome": str, "refused": dict}
MOST_BYTES = 4 << 20
TRIED, EARLY, LONG = 12, 60, 200
"""Matches from which positions are proposed, moves of each that are looked at, and most moves of
one whose end is."""
LATELY = 3
"""Moves that are told before what is proposed."""
PLAIN = ("", "match_over", "unknown_move", "wrong_player")
"""Keys that say nothing of the rules."""


def playthrough(
    game: Game[Any], players: int, seed: int = SEED, options: Mapping[str, str] | None = None
) -> str:
    """A random match, one line for each move, then its outcome and the last position.

    Options that are not named have their defaults.
    """
    lines = [f"# {game.id}, {players} players, seed {seed}"]
    complete = game.complete_options(players, options or {})
    over: Match | None = None
    for match, moves, move in random_match(game, players, complete, seed):
        lines.append(f"{match.ply:>4} {len(moves):>4} legal  {match.scores}  {move}")
        over = match
    if over is not None and over.outcome is not None:
        ended = (over.outcome.to_json(), over.state.to_json())
        lines += [json.dumps(data, ensure_ascii=False) for data in ended]
    return "\n".join(lines) + "\n"


def perft(state: State, depth: int = DEPTH) -> list[int]:
    """Numbers of ways to go on for 1, 2, … moves; fewer figures where those are many."""
    counts, states = list[int](), [state]
    for deeper in range(depth):
        found = [(one, one.legal_moves()) for one in states]
        counts.append(sum(len(moves) for _, moves in found))
        if counts[-1] > MOST_WAYS or deeper + 1 == depth:
            break
        states = []
        for one, moves in found:
            for move in moves:
                after = one.clone()
                after.apply(move)
                states.append(after)
    return counts


def golden_files(game: Game[Any], folder: Path) -> dict[str, str]:
    """The due contents of the golden files in ``folder``, by name.

    Positions in ``perft.json`` stay as they are and are counted again. Raises GameError.
    """
    files = {f"{game.id}_{players}p.txt": playthrough(game, players) for players in game.players}
    if lines := [*_other_values(game)]:
        files[f"{game.id}_options.txt"] = "\n".join(lines) + "\n"
    return {**files, PERFT: _counted(game, folder / PERFT)}


def absent(game: Game[Any]) -> list[str]:
    """The golden files that are missing beside the package, as sentences that say what to do; none
    where it keeps none. Nothing is played."""
    if (folder := _beside(game)) is None:
        return []
    names = [f"{game.id}_{players}p.txt" for players in game.players]
    names += [PERFT] + [f"{game.id}_options.txt"] * any(len(v) > 1 for v in game.options.values())
    return [_missing(game, name) for name in names if not (folder / name).exists()]


def _missing(game: Game[Any], name: str) -> str:
    return f"{name} is missing. Write it: heelstone golden {game.id}"


def differences(game: Game[Any], folder: Path) -> list[str]:
    """Differences from the golden files of ``folder``, as sentences that say what to do.

    Raises GameError.
    """
    remedy = f"If that is meant, write it anew: heelstone golden {game.id}"
    told = [*contradictions(game, folder)]
    for name, text in golden_files(game, folder).items():
        if (old := _text_of(folder / name)) is None:
            told.append(_missing(game, name))
        elif old != text:
            told.append(f"{name} differs {_where(old, text)}. {remedy}")
    return told


def check_golden(game: Game[Any], report: Report) -> None:
    """Compare the golden files that lie beside the package, where there are any."""
    if (folder := _beside(game)) is None:
        return
    try:
        found = differences(game, folder)
    except GameError as error:
        found = [str(error).rstrip(".")]
    for told in found:
        problem, _, remedy = told.rpartition(". ")
        report.add(problem, remedy)


def declared_outcomes(game: Game[Any]) -> set[str]:
    """The reasons of outcomes to which declared positions lead. Raises GameError."""
    if (folder := _beside(game)) is None:
        return set()
    text, file = _text_of(folder / PERFT), folder / PERFT
    declared = (p.declared for p in ([] if text is None else _read(text, file)))
    return {one["outcome"] for one in declared if "outcome" in one}


def _beside(game: Game[Any]) -> Path | None:
    """The folder of golden files beside the package, if there is one."""
    package = sys.modules.get(type(game).__module__.partition(".")[0])
    place = getattr(package, "__file__", None)
    folder = None if place is None else Path(place).parents[1] / "tests" / "golden"
    return folder if folder is not None and folder.is_dir() else None


def _other_values(game: Game[Any]) -> Iterator[str]:
    """A match of every value of every option that is no default, each as one line."""
    for name, values in game.options.items():
        for value in values[1:]:
            for players in game.players:
                try:
                    game.complete_options(players, {name: value})
                except GameError:
                    continue  # not for so many
                text = playthrough(game, players, options={name: value})
                moves, sign = text.count(" legal  "), f"{crc32(text.encode()):08x}"
                result = text.splitlines()[-2]
                yield f"{name}={value}, {players} players: {moves} moves, {sign}, {result}"
                break


@dataclass
class _Position:
    """A position whose moves are counted."""

    name: str
    players: int
    moves: list[str] = field(default_factory=list)
    options: Mapping[str, str] = field(default_factory=dict)
    declared: Mapping[str, Any] = field(default_factory=dict)
    """Figures that its author reckoned by hand, by the names of ``DECLARED``."""
    confirmed: bool = True
    """False while they are only what the game itself says."""


def _counted(game: Game[Any], file: Path) -> str:
    """The positions of a file, or those to begin with, one in a line, with their counts."""
    text = _text_of(file)
    positions = _beginning(game) if text is None else _read(text, file)
    lines = []
    for position in positions:
        match = _reached(game, position, file)
        record: dict[str, Any] = {"name": position.name, "players": position.players}
        if position.options:
            record["options"] = dict(position.options)
        record |= {"moves": position.moves, **position.declared}
        record |= {} if position.confirmed else {"confirmed": False}
        record |= {"counts": perft(match.state)}
        lines.append("  " + json.dumps(record, ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def contradictions(game: Game[Any], folder: Path) -> Iterator[str]:
    """Positions of ``folder`` in which something is not as their author declared, as sentences that
    say what to do. Raises GameError."""
    text = _text_of(file := folder / PERFT)
    for position in [] if text is None else _read(text, file):
        match = _reached(game, position, file)
        refused = position.declared.get("refused", {})
        found = {
            "scores": list(match.scores),
            "outcome": match.outcome.reason if match.outcome else "",
            "refused": {move: [one.code for one in match.why_not(move)] for move in refused},
        }
        for what, declared in position.declared.items():
            if what == "refused":
                declared = {move: [code] if code else [] for move, code in refused.items()}
            if found[what] != declared:
                told = f"{PERFT} declares {what} {declared} of '{position.name}', not {found[what]}"
                yield f"{told}. Mend the rules, or what is declared"


def _reached(game: Game[Any], position: _Position, file: Path) -> Match:
    told = {"file": file, "name": position.name, "game": game.id}
    try:
        match = Match(game, position.players, position.options, seed=SEED)
    except GameError as error:
        raise GameError("perft_setting", **told, reason=error) from error
    for number, move in enumerate(position.moves, 1):
        try:
            match.push(move)
        except GameError as error:
            fault = {"number": number, "reason": error}
            raise GameError("perft_position", **told, **fault) from error
    return match


def _beginning(game: Game[Any]) -> Iterator[_Position]:
    """The set-up, and the middle of a match."""
    for players in game.players:
        yield _Position(f"set-up, {players} players", players)
        options = game.complete_options(players, {})
        moves = [move.text for _, _, move in random_match(game, players, options, SEED)]
        half = moves[: len(moves) // 2]
        yield _Position(f"the middle of a match of {players}", players, half)
    yield from _proposed(game)


def _proposed(game: Game[Any]) -> Iterator[_Position]:
    """For each objection and each end of the game the earliest position that random matches show:
    what the game says there, for its author to compare with the rulebook."""
    found: dict[str, _Position] = {}
    for seed, (players, options) in enumerate(ladder(game, TRIED)):
        told: list[str] = []
        over: Match | None = None
        shown = {name: value for name, value in options.items() if value != game.options[name][0]}
        for match, legal, move in random_match(game, players, options, seed):
            over = match
            for tried in match.state.pseudo_moves() if match.ply < EARLY else ():
                code = next((one.code for one in match.why_not(tried)), "")
                best = found.get(code)
                if code in PLAIN or (best and len(best.moves) <= len(told)):
                    continue
                refused = {tried.text: code, legal[0].text: ""}
                found[code] = _Position(
                    f"objection {code}", players, told[:], shown, {"refused": refused}, False
                )
            told.append(move.text)
        end = None if over is None else over.outcome
        if end is None or len(told) > LONG:
            continue
        best = found.get(f"outcome {end.reason}")
        if best is None or len(told) < len(best.moves):
            declared = {"scores": list(end.scores), "outcome": end.reason}
            found[f"outcome {end.reason}"] = _Position(
                f"outcome {end.reason}", players, told, shown, declared, False
            )
    yield from (found[code] for code in sorted(found))


def unconfirmed(game: Game[Any]) -> list[str]:
    """Answers of the game at positions that nobody has compared with the rulebook yet, in plain
    words: those of ``perft.json``, or such as would be there. Raises GameError."""
    if type(game).__module__.startswith("rules."):
        return []  # its tests are elsewhere
    folder = _beside(game)
    text = None if folder is None else _text_of(folder / PERFT)
    file = (folder or Path()) / PERFT
    positions = _proposed(game) if text is None else _read(text, file)
    return [
        told
        for position in positions if not position.confirmed
        for told in _in_words(game, position, file)
    ]  # fmt: skip


def _in_words(game: Game[Any], position: _Position, file: Path) -> Iterator[str]:
    match = _reached(game, position, file)
    teller = Teller(game, "en", match.colours)
    last = [teller.move(entry.move) for entry in match.log[-LATELY:]]
    where = f"after {match.ply} moves" + (f" ({', '.join(last)})" if last else "")
    for text, code in position.declared.get("refused", {}).items():
        said = next((teller.objection(one).title for one in match.why_not(text)), "allowed")
        told = f"'{teller.move(Move.parse(text))}' ({text})"
        yield f"{where}, {told}: {said if code else 'allowed'}"
    if "outcome" in position.declared and match.outcome is not None:
        points = f", points {list(match.scores)}" if game.counts_points else ""
        yield f"{where}: {teller.outcome(match.outcome).title}{points}"


def _read(text: str, file: Path) -> list[_Position]:
    try:
        found = [
            _Position(
                str(p["name"]),
                int(p["players"]),
                list(p["moves"]),
                p.get("options", {}),
                {key: kind(p[key]) for key, kind in DECLARED.items() if key in p},
                bool(p.get("confirmed", True)),
            )
            for p in json.loads(text)
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise GameError("perft_unreadable", file=file, reason=error) from error
    return found


def _text_of(file: Path) -> str | None:
    try:
        return read_text(file, MOST_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise GameError("within", file=file, reason=error) from error


def _where(old: str, new: str) -> str:
    before, after = old.splitlines(), new.splitlines()
    for number, (was, now) in enumerate(zip(before, after, strict=False), 1):
        if was != now:
            return f"from line {number} on: '{was.strip()}' is now '{now.strip()}'"
    return f"in length: {len(before)} lines are now {len(after)}"
