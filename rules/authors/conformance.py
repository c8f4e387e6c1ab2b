"""The suite every game must pass, including games by other authors.

``check_game(game)`` plays random matches in many settings and looks, in every position, for
anything the rest of Heelstone relies on. It collects problems as
sentences instead of stopping at the first, so that an author sees them all.

    python -m rules.authors.conformance knizia_stonehenge
"""

from __future__ import annotations

import json
import string
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rules.authors.ladder import ladder
from rules.authors.lesson import lesson_problems
from rules.authors.playout import random_match
from rules.authors.puzzle import puzzle_problems
from rules.box import BoxError, load_box
from rules.core import Actor, Game, GameError, IllegalMove, Move, Objection
from rules.games import find_game
from rules.lesson import has_lesson
from rules.match import Match
from rules.puzzle import has_puzzles
from rules.telling import LANGUAGES, Teller, load_text

__all__ = ["Report", "check_game", "check_soundness"]

WHOLE = 24
"""Minimum number of matches, however few settings a game has."""


@dataclass
class Report:
    """What the suite did and found."""

    game: str
    matches: int = 0
    positions: int = 0
    objections: Counter[str] = field(default_factory=Counter)
    """Positions in which each objection code was reached."""
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def add(self, problem: str) -> None:
        """Note a problem: each only once, and not endlessly many."""
        if problem not in self.problems and len(self.problems) < 50:
            self.problems.append(problem)


def check_game(game: Game[Any], *, matches: int | None = None, thorough_every: int = 7) -> Report:
    """Play random matches and look at every position, closely at each ``thorough_every``-th.

    ``matches`` limits how many, in the settings that try most at once. Without it the whole
    ladder of settings is climbed, and an objection that no match ever reached is a problem.
    """
    report = Report(game.id)
    _check_facts(game, report)
    _check_texts(game, report)
    if has_lesson(game.id):
        for wrong in lesson_problems(game.id):
            report.add(wrong)
    if has_puzzles(game.id):
        for wrong in puzzle_problems(game.id):
            report.add(wrong)
    settings = ladder(game)
    # Moves that were possible once, by form of play; tried again in every later match as well.
    tried: dict[bool, dict[Move, None]] = {False: {}, True: {}}
    for number in range(max(WHOLE, len(settings)) if matches is None else matches):
        players, options = settings[number % len(settings)]
        for physical in (False, True):
            _check_match(
                game, players, options, number, physical, tried[physical], thorough_every, report
            )
        problem = check_soundness(game, players, options, number)
        if problem:
            report.add(problem)
        report.matches += 1
    for code in game.codes:
        if matches is None and not report.objections[code]:
            report.add(f"objection '{code}' was never reached")
    for code in report.objections:
        if code not in game.codes:
            report.add(f"objection '{code}' is not listed in codes")
    return report


def check_soundness(
    game: Game[Any], players: int, options: Mapping[str, str], seed: int
) -> str | None:
    """Deal a match, replay only what a table would show of it; the problem found, or None."""
    referee = Match(game, players, options, physical=True, seed=seed)
    dealer: Match | None = None
    for match, _, move in random_match(game, players, options, seed):
        dealer = match
        for shown in game.shown(match.state, move):
            try:
                referee.push(shown)
            except (IllegalMove, GameError) as error:
                return (
                    f"Dealer → Referee, seed {seed}, {players} players, {dict(options)}, move "
                    f"{match.ply}: '{move}' shown as '{shown}' is refused: {error}"
                )
    if dealer is not None and referee.outcome != dealer.outcome:
        return (
            f"Dealer → Referee, seed {seed}, {players} players, {dict(options)}: outcome "
            f"{dealer.outcome} became {referee.outcome}"
        )
    return None


# -- one match ------------------------------------------------------------------------------


def _check_match(
    game: Game[Any],
    players: int,
    options: Mapping[str, str],
    seed: int,
    physical: bool,
    tried: dict[Move, None],
    thorough_every: int,
    report: Report,
) -> None:
    where = f"{players} players, {dict(options)}, seed {seed}, physical={physical}"
    tellers = [Teller(game, lang, game.colours(players, options)) for lang in LANGUAGES]
    match: Match | None = None
    questions: set[str] = set()
    try:
        for current, moves, move in random_match(game, players, options, seed, physical=physical):
            match = current
            report.positions += 1
            prompt = match.prompt
            asked = "" if prompt is None else prompt.code
            # Every kind of question is looked at closely, however rarely it is asked.
            thorough = (match.ply + seed) % thorough_every == 0 or asked not in questions
            questions.add(asked)
            here = f"{where}, move {match.ply}"
            _check_position(game, match, moves, move, tried, tellers, here, thorough, report)
    except GameError as error:
        report.add(f"{where}: {error}")
        return
    if match is None:
        report.add(f"{where}: the match was over before it began")
        return
    _check_end(game, match, tellers, where, report)
    _check_log(game, match, where, report)


def _check_position(
    game: Game[Any],
    match: Match,
    moves: list[Move],
    move: Move,
    tried: dict[Move, None],
    tellers: Iterable[Teller],
    here: str,
    thorough: bool,
    report: Report,
) -> None:
    state = match.state
    for problem in game.invariants(state):
        report.add(f"{here}: {problem}")
    prompt = game.prompt(state)
    if prompt is None:
        report.add(f"{here}: no prompt although the match goes on")
        return
    texts = [m.text for m in moves]
    if len(set(texts)) != len(texts):
        report.add(f"{here}: a legal move is listed twice")
    for one in moves:
        if one.actor is not prompt.actor or (
            one.actor is Actor.PLAYER and one.player != prompt.player
        ):
            report.add(f"{here}: {one} is legal, but {prompt.actor} {prompt.player} is asked")
            break
    only = game.obliged(state)
    if only is not None and moves != [only]:
        report.add(f"{here}: {only} is said to be the only answer, but {texts[:3]} are legal")
    for teller in tellers:
        _tell(report, here, lambda t=teller: t.prompt(prompt))
        _tell(report, here, lambda t=teller: t.move(move))
    if not thorough:
        if game.check(state, move):
            report.add(f"{here}: legal {move} is objected to")
        return
    before = _canonical(state.to_json())
    _check_moves(game, match, set(moves), tried, tellers, here, report)
    _check_spread(game, match, tellers, here, report)
    if _canonical(state.to_json()) != before:
        report.add(f"{here}: asking changed the state")
    _check_copies(game, match, move, here, before, report)
    _check_effect(game, state, move, here, report)
    _check_touch(game, state, moves, move, tellers, here, report)


def _check_touch(
    game: Game[Any],
    state: Any,
    moves: list[Move],
    move: Move,
    tellers: Iterable[Teller],
    here: str,
    report: Report,
) -> None:
    """What screens ask: the usual move is legal, places are in the box, results can be told."""
    box, after = load_box(game.box), state.clone()
    game.apply(after, move)
    usual, result = game.usual(state, moves), game.result(state, move, after)
    if usual is not None and usual not in moves:
        report.add(f"{here}: {usual} is usual but not legal")
    if unknown := {place for one in moves for place in game.places(state, one)} - set(box.sites):
        report.add(f"{here}: the box has no {sorted(unknown)} to be touched")
    for teller in tellers:
        _tell(report, here, lambda t=teller: t.key(move, game.prompt(state)))
        if result is not None:
            _tell(report, here, lambda t=teller: (t.result(result), t.verdict(result)))
            _tell(report, here, lambda t=teller: t.facts(result))
    if result is None:
        return
    if strange := {kind for kind in (result.kind, *dict(result.beside).values()) if kind} - set(
        box.kinds
    ):
        report.add(f"{here}: the result names {sorted(strange)}, which the box does not hold")
    if strange := {site for site in (result.site, *dict(result.beside)) if site} - set(box.sites):
        report.add(f"{here}: the result is at {sorted(strange)}, which the box does not have")


def _check_spread(
    game: Game[Any], match: Match, tellers: Iterable[Teller], here: str, report: Report
) -> None:
    """What is told of what was laid openly can be entered, whatever lies where."""
    spread = game.spread(match.state)
    if spread is None:
        return
    prompt, box, trial = match.prompt, load_box(game.box), match.clone()
    for teller in tellers:
        if prompt is not None:
            _tell(report, here, lambda t=teller: t.spread(prompt))
    kinds = {kind for may in spread.moves.values() for kind in may}
    if strange := (set(spread.moves) - set(box.sites)) | (kinds - set(box.kinds)):
        report.add(f"{here}: the box has no {sorted(strange)} to be laid out")
    lying: dict[str, str] = {}
    for sites in spread.sets:
        may = sorted({kind for site in sites for kind in spread.moves[site]})
        if len(may) != len(sites):
            report.add(f"{here}: {len(may)} kinds lie at {len(sites)} places {sorted(sites)}")
        Random(match.ply).shuffle(may)
        lying |= dict(zip(sorted(sites), may, strict=False))
    if set(lying) != set(spread.moves):
        report.add(f"{here}: each place to be laid out must be in one set")
        return
    for site, may_lie in spread.moves.items():
        move = may_lie.get(lying[site])
        if move is None or trial.why_not(move):
            report.add(f"{here}: {lying[site]} at {site} cannot be entered")
            return
        trial.push(move)


def _check_moves(
    game: Game[Any],
    match: Match,
    legal: set[Move],
    tried: dict[Move, None],
    tellers: Iterable[Teller],
    here: str,
    report: Report,
) -> None:
    state = match.state
    seen: set[Move] = set()
    for pseudo in game.pseudo_moves(state):
        seen.add(pseudo)
        if Move.parse(str(pseudo)) != pseudo:
            report.add(f"{here}: '{pseudo}' does not parse back")
        objections = game.check(state, pseudo)
        if (not objections) != (pseudo in legal):
            reason = ", ".join(o.code for o in objections) or "nothing against it"
            listed = "legal" if pseudo in legal else "not listed"
            report.add(f"{here}: {pseudo} is {listed}, but check says: {reason}")
        _note(objections, tellers, here, report)
    # What was possible earlier in the match is tried again: hands repeat themselves.
    for old in tried:
        if old not in seen:
            objections = game.check(state, old)
            _note(objections, tellers, here, report)
            if not objections:
                report.add(f"{here}: {old} is no pseudo-move, but nothing is objected to it")
    for pseudo in Random(str(match.ply)).sample(sorted(seen), min(12, len(seen))):
        tried[pseudo] = None
    while len(tried) > 400:
        del tried[next(iter(tried))]
    for missing in sorted(legal - seen)[:3]:
        report.add(f"{here}: legal {missing} is no pseudo-move")
    for foreign in ("p0 dance", "p9 done", "table dance X", "dealer dance", "p0 place"):
        for objection in game.check(state, Move.parse(foreign)):
            report.objections[objection.code] += 1
            break
        else:
            report.add(f"{here}: '{foreign}' is not objected to")
    for pseudo in Random(str(match.ply)).sample(sorted(seen), min(5, len(seen))):
        trial = state.clone()
        try:
            game.apply(trial, pseudo)
            game.layout(trial)
        except Exception as error:  # whatever it is, it is the finding
            report.add(f"{here}: trying out {pseudo} fails: {error!r}")


def _note(
    objections: Iterable[Objection],
    tellers: Iterable[Teller],
    here: str,
    report: Report,
) -> None:
    for objection in objections:
        new = not report.objections[objection.code]
        report.objections[objection.code] += 1
        if new:
            for teller in tellers:
                _tell(report, here, lambda t=teller, o=objection: t.objection(o))
                _tell(report, here, lambda t=teller, o=objection: t.rule(o.rule))


def _check_copies(
    game: Game[Any], match: Match, move: Move, here: str, before: str, report: Report
) -> None:
    state = match.state
    copy = state.clone()
    if _canonical(copy.to_json()) != before:
        report.add(f"{here}: the clone differs")
    game.apply(copy, move)
    if _canonical(state.to_json()) != before:
        report.add(f"{here}: {move} on a clone changed the original")
    after = _canonical(copy.to_json())
    again = game.from_json(json.loads(before))
    if _canonical(again.to_json()) != before:
        report.add(f"{here}: JSON does not come back the same")
    if sorted(m.text for m in game.moves(again)) != sorted(m.text for m in game.moves(state)):
        report.add(f"{here}: legal moves differ after JSON")
    game.apply(again, move)
    if _canonical(again.to_json()) != after:
        report.add(f"{here}: {move} after JSON leads elsewhere")
    other = match.clone()
    other.push(move)
    other.pop()
    if _canonical(other.state.to_json()) != before:
        report.add(f"{here}: taking {move} back does not restore the position")
    other.redo()
    if _canonical(other.state.to_json()) != after:
        report.add(f"{here}: playing {move} again leads elsewhere")


def _check_effect(game: Game[Any], state: Any, move: Move, here: str, report: Report) -> None:
    after = state.clone()
    game.apply(after, move)
    before_layout, after_layout = game.layout(state), game.layout(after)
    changed = {
        item.site for item in (before_layout - after_layout) + (after_layout - before_layout)
    }
    named = set(game.touches(state, move))
    if missing := changed - named:
        report.add(f"{here}: {move} changes {sorted(missing)} but touches only {sorted(named)}")
    for site in named - changed:
        if move.actor is Actor.PLAYER and not changed:
            report.add(f"{here}: {move} should change {site} and does not")
    box = load_box(game.box)
    for item in after_layout:
        if item.site not in box.sites:
            report.add(f"{here}: the layout names a site '{item.site}' the box does not have")
        elif item.kind not in box.kinds:
            report.add(f"{here}: the layout names a kind '{item.kind}' the box does not have")
        elif item.seen and box.kinds[item.kind].group not in box.sites[item.site].takes:
            report.add(f"{here}: {item.site} does not take {item.kind} in the box file")
    if sum(line.points for line in game.explain_scores(after)) != sum(game.scores(after)):
        report.add(f"{here}: the explained points do not add up to the scores")
    for seat in (None, *range(len(game.scores(state)))):
        _canonical(game.view(state, seat))
        Move.parse(str(game.public(state, move, seat)))


def _check_end(
    game: Game[Any], match: Match, tellers: Iterable[Teller], where: str, report: Report
) -> None:
    outcome = match.outcome
    assert outcome is not None
    if sorted(seat for group in outcome.ranking for seat in group) != list(range(match.players)):
        report.add(f"{where}: the ranking {outcome.ranking} does not name every seat once")
    if len(outcome.scores) != match.players:
        report.add(f"{where}: there are {len(outcome.scores)} scores")
    if game.prompt(match.state) is not None or game.moves(match.state):
        report.add(f"{where}: the match is over, but somebody is asked")
    for problem in game.invariants(match.state):
        report.add(f"{where}, at the end: {problem}")
    last = match.log[-1].move
    for objection in game.check(match.state, last):
        report.objections[objection.code] += 1
        for teller in tellers:
            _tell(report, where, lambda t=teller, o=objection: t.objection(o))
        break
    else:
        report.add(f"{where}: after the end '{last}' is not objected to")
    for teller in tellers:
        _tell(report, where, lambda t=teller: t.outcome(outcome))
        for line in game.explain_scores(match.state):
            _tell(report, where, lambda t=teller, one=line: t.score_line(one))


def _check_log(game: Game[Any], match: Match, where: str, report: Report) -> None:
    final = _canonical(match.state.to_json())
    stored = json.loads(json.dumps(match.dump()))
    if _canonical(Match.load(stored).state.to_json()) != final:
        report.add(f"{where}: the log does not replay to the same position")
    undone = match.clone()
    start = _canonical(match.beginning().to_json())
    steps = min(len(undone.log), 40)
    for _ in range(steps):
        undone.pop()
    for _ in range(steps):
        undone.redo()
    if _canonical(undone.state.to_json()) != final:
        report.add(f"{where}: undo and redo do not come back to the end")
    fresh = Match(game, match.players, match.options, physical=match.physical, seed=match.seed)
    if _canonical(fresh.state.to_json()) != start:
        report.add(f"{where}: two set-ups differ")


# -- facts and texts ------------------------------------------------------------------------


def _check_facts(game: Game[Any], report: Report) -> None:
    try:
        load_box(game.box)
    except BoxError as error:
        report.add(str(error))
    if not game.players:
        report.add("the game is for nobody")
    for players in game.players:
        colours = game.colours(players, game.complete_options(players, {}))
        if len(colours) != players:
            report.add(f"{players} players have {len(colours)} colours")
    if len(set(game.codes)) != len(game.codes):
        report.add("an objection code is listed twice")


def _check_texts(game: Game[Any], report: Report) -> None:
    try:
        texts = {lang: _flat(load_text(game.id, lang, game.package)) for lang in LANGUAGES}
    except GameError as error:
        report.add(str(error))
        return
    first, second = LANGUAGES
    for key in sorted(set(texts[first]) ^ set(texts[second])):
        missing = second if key in texts[first] else first
        report.add(f"text '{key}' is missing in {missing}")
    for key in sorted(set(texts[first]) & set(texts[second])):
        names = [_placeholders(texts[lang][key]) for lang in LANGUAGES]
        if names[0] != names[1]:
            report.add(f"text '{key}' has {names[0]} in {first} but {names[1]} in {second}")
        for lang in LANGUAGES:
            if not texts[lang][key].strip():
                report.add(f"text '{key}' is empty in {lang}")
    colours = game.colours(game.players[0], game.complete_options(game.players[0], {}))
    for lang in LANGUAGES:
        teller, own = Teller(game, lang, colours), load_text(game.id, lang, game.package)
        for code in game.codes:
            if not (own.get("objections", {}).get(code) or teller.has("objections", code)):
                report.add(f"{lang}: objections.{code} is missing")
        for code, entry in own.get("objections", {}).items():
            if not all(entry.get(part) for part in ("title", "text", "do")):
                report.add(f"{lang}: objections.{code} needs title, text and do")
        for name, values in game.options.items():
            _tell(report, lang, lambda t=teller, n=name: t.option(n))
            for value in values:
                _tell(report, lang, lambda t=teller, n=name, v=value: t.option_value(n, v))
        _tell(report, lang, lambda t=teller: t.rule(game.handling_rule))


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat


def _placeholders(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name})


def _tell(report: Report, here: str, tell: Any) -> None:
    try:
        tell()
    except GameError as error:
        report.add(f"{here}: {error}")


def _canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


def main(arguments: list[str]) -> int:
    """Check the games named on the command line; 1 if anything was found."""
    failed = 0
    for name in arguments:
        report = check_game(find_game(name))
        print(f"{name}: {report.matches} matches, {report.positions} positions")
        for problem in report.problems:
            print(f"  {problem}")
        failed |= not report.ok
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
