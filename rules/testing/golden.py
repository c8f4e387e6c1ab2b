"""Golden files of a game: whole matches that people can read and compare, and counts of moves.

A golden playthrough is a random match with what was legal, the scores and the move, line by line: a
changed rule shows in it. So does it in ``…_options.txt``, with a line for a match of every value of
every option. Counts of legal moves (perft, as chess programs call it) are in
``perft.json``: for each position the number of ways to go on for one, two and three moves. Authors
add positions of their own there, with the moves that lead to them; the counts are filled in, and
should be reckoned by hand once. Beside them stand worked examples (``rules.testing.examples``),
with ``"confirmed": false`` until somebody has compared them with the rulebook. Until then they
follow the game; what is declared of any other position is never written anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from rules.bounded import read_text
from rules.core import DICE, Game, GameError, State
from rules.match import Match
from rules.testing.examples.position import SEED, Position, found_at
from rules.testing.examples.search import OUTSIDE, examples
from rules.testing.examples.words import told
from rules.testing.playout import random_match
from rules.testing.report import Report

PERFT = "perft.json"
DEPTH = 3
MOST_WAYS = 20_000
"""Number of ways from which it goes no deeper."""
DECLARED: Final = {
    "asked": str, "table": list, "supply": list, "scores": list, "outcome": str, "ranking": list,
    "lines": list, "series": list, "next_first": int, "refused": dict, "after": dict,
}  # fmt: skip
"""Names of what may be declared of a position."""
MOST_BYTES = 4 << 20


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


def golden_files(
    game: Game[Any], folder: Path, confirmed: Collection[int] = (), *, more: bool = True
) -> dict[str, str]:
    """The due contents of the golden files in ``folder``, by name.

    Positions in ``perft.json`` stay as they are and are counted again; those whose numbers (from 1)
    are ``confirmed`` are so from now on. With ``more`` there are examples of all that none of them
    shows. Raises GameError.
    """
    files = {f"{game.id}_{players}p.txt": playthrough(game, players) for players in game.players}
    if lines := [*_other_values(game)]:
        files[f"{game.id}_options.txt"] = "\n".join(lines) + "\n"
    return {**files, PERFT: _counted(game, folder / PERFT, confirmed, more=more)}


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
    return [*_differences(game, folder)]


def check_golden(game: Game[Any], report: Report) -> None:
    """Compare the golden files that lie beside the package, where there are any."""
    if (folder := _beside(game)) is None:
        return
    found = list[str]()
    try:
        found.extend(_differences(game, folder))
    except GameError as error:
        told_of = str(error).rstrip(".")
        found += [told_of] if not any(one.startswith(told_of) for one in found) else []
    for one in found:
        problem, _, remedy = one.rpartition(". ")
        report.add(problem, remedy)


def declared_outcomes(game: Game[Any]) -> set[str]:
    """The reasons of outcomes to which declared positions lead. Raises GameError."""
    if (folder := _beside(game)) is None:
        return set()
    text, file = _text_of(folder / PERFT), folder / PERFT
    declared = [p.declared for p in ([] if text is None else _read(text, file))]
    declared += [then for one in declared for then in one.get("after", {}).values()]
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


def _counted(game: Game[Any], file: Path, confirmed: Collection[int], *, more: bool = True) -> str:
    """The positions of a file, or those to begin with, one in a line, with their counts."""
    text = _text_of(file)
    positions = list[Position]()
    for number, one in enumerate([] if text is None else _read(text, file), 1):
        if (now := one if one.confirmed else _followed(game, one, file)) is not None:
            positions.append(replace(now, confirmed=one.confirmed or number in confirmed))
    if more or text is None:
        positions += examples(game, positions)
    if text is None:
        positions += _middles(game)
    lines = []
    for position in positions:
        match = _reached(game, position, file)
        record: dict[str, Any] = {"name": position.name, "players": position.players}
        if position.options:
            record["options"] = dict(position.options)
        record |= {"moves": position.moves, **position.declared}
        record |= {} if position.confirmed else {"confirmed": False}
        record |= {"counts": perft(match.state)} if position.counted else {}
        lines.append("  " + json.dumps(record, ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _followed(game: Game[Any], position: Position, file: Path) -> Position | None:
    """An example as the game has it now; None if it cannot come to it any more."""
    try:
        now = found_at(_reached(game, position, file), position)
    except GameError:
        return None
    gone = any("refused" in then for then in now.get("after", {}).values())
    return None if gone else replace(position, declared=now)


def contradictions(game: Game[Any], folder: Path) -> Iterator[str]:
    """Confirmed positions of ``folder`` in which something is not as declared, as sentences that
    say what to do. Raises GameError."""
    text, unreached = _text_of(file := folder / PERFT), list[str]()
    for number, position in enumerate([] if text is None else _read(text, file), 1):
        if not position.confirmed:
            continue
        mend = f"Mend the rules, or what {number} declares"
        try:
            match = _reached(game, position, file)
        except GameError as error:
            unreached.append(f"{str(error).rstrip('.')}. {mend}")
            continue
        found = found_at(match, position)
        for what, declared in position.declared.items():
            if found[what] != declared:
                begin = f"{PERFT} declares {what} {_unlike(declared, found[what])}"
                now, table = told(game, match, position)
                yield (
                    f"{begin} of '{position.name}', not {_unlike(found[what], declared)}: what "
                    f"now happens is {number}: {now}. (On the table: {table}). {mend}"
                )

    # They mostly follow from what is told already.
    yield from unreached


def _unlike(one: Any, other: Any) -> Any:
    """The part of declared data that is otherwise in ``other``."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return one
    return {key: _unlike(held, other.get(key)) for key, held in one.items()
            if held != other.get(key)}  # fmt: skip


def _differences(game: Game[Any], folder: Path) -> Iterator[str]:
    remedy = f"If that is meant, write it anew: heelstone golden {game.id}"
    yield from contradictions(game, folder)
    for name, text in golden_files(game, folder, more=False).items():
        if (old := _text_of(folder / name)) is None:
            yield _missing(game, name)
        elif old != text:
            yield f"{name} differs {_where(old, text)}. {remedy}"


def _reached(game: Game[Any], position: Position, file: Path) -> Match:
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


def _middles(game: Game[Any]) -> Iterator[Position]:
    """The middle of a match of each number of players."""
    for players in game.players:
        options = game.complete_options(players, {})
        moves = [move.text for _, _, move in random_match(game, players, options, SEED)]
        yield Position(f"the middle of a match of {players}", players, moves[: len(moves) // 2])


def unconfirmed(game: Game[Any]) -> list[str]:
    """Examples that nobody has compared with the rulebook yet, each with its number, in plain
    words: those of ``perft.json``, or such as would be there. Raises GameError."""
    if type(game).__module__.startswith("rules."):
        return []  # its tests are elsewhere
    folder = _beside(game)
    text = None if folder is None else _text_of(folder / PERFT)
    file = (folder or Path()) / PERFT
    positions = examples(game) if text is None else _read(text, file)
    if all(one.confirmed for one in positions):
        return []
    found, tables = list[str](), dict[str, int]()
    for number, one in enumerate(positions, 1):
        if not one.confirmed:
            what, table = told(game, _reached(game, one, file), one)
            before = tables.setdefault(table, number)
            lies = table if before == number or " " not in table else f"as in {before}"
            found.append(f"{number}: {what}. (On the table: {lies})")
    return [*found, *_lacking(game, positions)]


def _lacking(game: Game[Any], positions: Collection[Position]) -> Iterator[str]:
    """Objections, ends and values of options that no example shows."""
    shown = {kind.partition(",")[0] for one in positions for kind in one.shows}
    wanted = [f"objection {code}" for code in game.codes if code not in OUTSIDE]
    wanted += [f"end {reason}" for reason in game.outcomes]
    rules = ((name, values) for name, values in game.options.items() if name not in DICE)
    wanted += [f"option {name}={value}" for name, values in rules for value in values[1:]]
    if missed := [kind for kind in wanted if kind not in shown]:
        yield f"no example shows {', '.join(missed)}: add one, or lead choose there"


def _read(text: str, file: Path) -> list[Position]:
    try:
        found = [
            Position(
                str(p["name"]),
                int(p["players"]),
                list(p["moves"]),
                p.get("options", {}),
                {key: _held(p[key], kind) for key, kind in DECLARED.items() if key in p},
                bool(p.get("confirmed", True)),
                "counts" in p or p.keys().isdisjoint(DECLARED),
            )
            for p in json.loads(text)
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise GameError("perft_unreadable", file=file, reason=error) from error
    return found


def _held(value: Any, kind: type[Any]) -> Any:
    """A declared value as JSON has it; raises TypeError if it is no such thing."""
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


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
