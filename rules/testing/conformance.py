"""The suite every game must pass, including games by other authors.

``check_game(game)`` plays random matches in many settings and looks, in every position, for
anything the rest of Heelstone relies on. It collects problems as sentences that say what to do,
instead of stopping at the first, so that an author sees them all.

    python -m rules.testing.conformance knizia_stonehenge
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from time import process_time
from typing import Any

from rules.box import GROUND, load_box, on_open_ground
from rules.core import Actor, Game, GameError, IllegalMove, Move, Prompt
from rules.games import find_game
from rules.lesson import has_lesson
from rules.match import Match
from rules.puzzle import has_puzzles
from rules.telling import load_text
from rules.testing.declarations import check_declared, check_setting
from rules.testing.endings import check_end, check_log, count_rank, count_result
from rules.testing.exercises import lesson_problems, puzzle_problems
from rules.testing.golden import PERFT, declared_outcomes
from rules.testing.metadata import check_facts, check_package, check_used
from rules.testing.pieces import Pieces
from rules.testing.playout import RUNGS, ladder, random_match
from rules.testing.positions import check_closely, check_quickly
from rules.testing.relations.agreement import count_down
from rules.testing.relations.symmetry import check_symmetry
from rules.testing.report import Place, Report, fault
from rules.testing.side_by_side import check_beside, dealt_seats, idle_options
from rules.testing.texts import Proofreader, check_named, check_texts, check_untold
from rules.texts import AUTHORED

# Unused parts of a game: nothing is wrong with them, but they are odd.

ASIDE = ("captured", "hand", "pile", "player area")
"""Kinds of sites beside the board where people put things as they like."""
MOST = 6
"""Most sites that are named."""


def check_idle(game: Game[Any], report: Report) -> None:
    """Sites where nothing ever lay, and points that say no more than who won."""
    # No match reaches all cells of a lattice.
    found = on_open_ground(load_box(game.box).for_game(game.id)).sites
    sites = [site for name, site in found.items() if name != GROUND]
    idle = [s.id for s in sites if s.id not in report.sites and (s.printed or s.kind not in ASIDE)]
    if idle and report.sites:
        named = ", ".join(idle[:MOST]) + (" …" if len(idle) > MOST else "")
        report.hint(
            f"nothing ever lay at {named}",
            "See that the box file and the layout spell it alike, or delete the place",
        )
    if game.counts_points and not report.pointed:
        report.hint(
            "points never said more than who won",
            "If the game counts none, say so, and nothing shows any: counts_points = False",
        )


__all__ = ["Report", "check_game", "check_soundness"]

DEALT_EVERY = 4
"""One match in this many is also played with cards that the program deals for some only."""
FAR = 300
"""A game in which something was found is played no further."""
FEW = 4
"""Matches before the first one is played again."""
RARELY = 0.1
"""Least share of throws after which the one who threw should move."""
LONGEST = 8_000
"""Moves of a match; one of more has no end."""
PATIENCE_S, SLOW_S = 5.0, 0.1
"""Processor time for a match, and the average time that a position may take after that."""
QUICK, QUICKLY_S = 300, 3.0
"""Matches of which only the end is looked at, and their processor time."""
ENOUGH_S, SPARSE, SETTINGS = 8.0, 6, 10
"""Processor time after which a game of which every objection was met is looked at less often, and
after twice as long no further than this many settings: the first try all values."""
CLOSELY = 16
"""Matches in which a question is looked at closely when it comes first."""
WHOLE = 24
"""Minimum number of matches, however few settings a game has."""


def check_game(
    game: Game[Any],
    *,
    matches: int | None = None,
    thorough_every: int = 7,
    played: Callable[[int, int], object] | None = None,
) -> Report:
    """Play random matches and look at every position, closely at each ``thorough_every``-th.

    ``matches`` limits how many, in the settings that try most at once. Without it the whole
    ladder of settings is climbed, and an objection that no match ever reached is a problem.
    ``played`` is told how many of how many matches are played, in the end that all are.
    """
    report = Report(game.id)
    for check in (check_facts, check_texts):
        _guarded(report, game.id, partial(check, game, report))
    if not _can_be_played(game):
        # The faults are named, and matches would name them again.
        return report
    _guarded(report, game.id, partial(_check_extras, game, report))
    if not report.ok:
        # Matches of a game without a box or texts say the same again, a hundred times.
        whole = 1 if matches is None else min(matches, 1)
    else:
        whole = WHOLE if matches is None else matches
    settings: list[tuple[int, dict[str, str]]] = []
    rungs = RUNGS if matches is None else min(whole, RUNGS)
    _guarded(report, game.id, lambda: settings.extend(ladder(game, rungs)))
    if matches is None and report.ok:
        whole = max(whole, len(settings))
    trial = _Trial(game, thorough_every, report)
    for number in range(whole if settings else 0):
        players, options = settings[number % len(settings)]
        if number % 2 and game.palette:
            # Every second match is played in other colours.
            chosen = (*game.palette[1:players], game.palette[players % len(game.palette)])
            chosen = chosen if len(set(chosen)) == players else game.palette[:players][::-1]
            options = game.with_colours(options, chosen)
        if played:
            played(number, whole)
        trial.play(number, players, options)
        if not trial.ended or (number + 1 >= SETTINGS and trial.long_enough(2 * ENOUGH_S)):
            break
    if played:
        played(1, 1)
    _guarded(report, game.id, partial(check_named, game, report))
    for told, remedy in report.habits.found(len(load_box(game.box).for_game(game.id).sites)):
        report.add(told, remedy)
    if matches is None and report.ok:
        check_used(game, load_box(game.box).for_game(game.id), report)
    _guarded(report, game.id, trial.again)
    _check_reached(game, report, whole=matches is None)
    if matches is None and report.ok:
        _guarded(report, game.id, partial(_check_ends, game, settings, report))
        box = load_box(game.box).for_game(game.id)
        _guarded(report, game.id, partial(check_symmetry, game, box, settings, report))
        habits = report.habits
        odd = (
            habits.odd_ends(),
            habits.odd_names(),
            report.seats.found(),
            report.figures.found(),
            report.ways.found(box),
        )
        for told, remedy in chain(*odd):
            report.hint(told, remedy)
        check_idle(game, report)
        check_untold(game, report)
        _check_options(game, settings, report)
        _check_throwers(report)
    return report


def check_soundness(
    game: Game[Any],
    players: int,
    options: Mapping[str, str],
    seed: int,
    report: Report | None = None,
) -> str | None:
    """Deal a match, replay only what a table would show of it; the problem found, or None.

    ``report`` counts how often something else is asked there.
    """
    referee = Match(game, players, options, physical=True, seed=seed)
    dealer: Match | None = None
    for match, _, move in random_match(game, players, options, seed):
        dealer = match
        if report is not None and (asked := match.prompt) and asked.actor is Actor.PLAYER:
            told = referee.prompt
            report.habits.with_cards[told is None or told.code != asked.code] += 1
        for shown in match.state.shown(move):
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


# -- private ------------------------------------------------------------------------------


def _guarded(report: Report, where: str, check: Any) -> None:
    """A game that fails while it is looked at is a finding, and the suite goes on."""
    try:
        check()
    except GameError as error:
        report.add(
            f"{where}: {error}".rstrip("."), "Let every match come to an end, with moves until then"
        )
    except Exception as error:  # whatever it is, it is the finding
        report.add(f"{where}: the game fails: {fault(error)}", "Mend the code at that place")


def _can_be_played(game: Game[Any]) -> bool:
    """True if there are a box and words at all."""
    try:
        load_box(game.box)
        for lang in AUTHORED:
            load_text(game.id, lang, game.package)
    except GameError:
        return False
    return True


def _check_extras(game: Game[Any], report: Report) -> None:
    """Check what the class names, its lesson and its puzzles, where there are any."""
    check_package(game, report)
    check_declared(game, load_box(game.box).for_game(game.id), report)
    if has_lesson(game.id):
        for wrong in lesson_problems(game.id):
            report.add(wrong.rstrip("."), "Mend the lesson")
    if has_puzzles(game.id):
        for wrong in puzzle_problems(game.id):
            report.add(wrong.rstrip("."), "Mend the puzzles")


class _Trial:
    """Random matches of a game, one after the other."""

    def __init__(self, game: Game[Any], thorough_every: int, report: Report) -> None:
        self._game, self._thorough_every, self._report = game, thorough_every, report
        self._tried: dict[bool, dict[Move, None]] = {False: {}, True: {}}
        """Moves that were possible once, by form of play; tried again in every later match."""
        self.ended = True
        """True if the match came to its end."""
        self._first: tuple[Match, list[Prompt]] | None = None
        """The first match, and what was asked in it."""
        self._begun = process_time()

    def long_enough(self, seconds: float = ENOUGH_S) -> bool:
        """True if it has taken as long, and every objection was met."""
        met = self._report.objections.keys() >= set(self._game.codes)
        return met and process_time() - self._begun > seconds

    def play(self, seed: int, players: int, options: Mapping[str, str]) -> None:
        """One match dealt by the program, one told by a table, and one told of another."""
        report = self._report
        self.ended = True
        for physical in (False, True):
            where = f"{players} players, {dict(options)}, seed {seed}, physical={physical}"
            match = partial(self._match, players, options, seed, physical, where)
            _guarded(report, where, match)
        where = f"Dealer → Referee, {players} players, {dict(options)}, seed {seed}"
        if self.ended:
            _guarded(report, where, partial(self._sound, players, options, seed))
        if seed % DEALT_EVERY == 0 and (groups := dealt_seats(self._game, players, options)):
            seats = groups[seed // DEALT_EVERY % len(groups)]
            where = f"Dealt to {list(seats)}, {players} players, {dict(options)}, seed {seed}"
            _guarded(report, where, partial(self._beside, players, options, seed, seats))
        report.matches += 1

    def again(self) -> None:
        """Play the first match once more, now that others were played."""
        if self._first is None or self._report.matches < FEW:
            return
        match, asked = self._first
        replayed = match.begun()
        for entry, prompt in zip(match.log, asked, strict=True):
            if replayed.prompt != prompt:
                self._report.add(
                    f"the first match, played again after others, asks {replayed.prompt} and not "
                    f"{prompt}",
                    "Keep everything in the state, and nothing in the game or its module",
                )
                return
            replayed.push(entry.move)

    def _beside(
        self, players: int, options: Mapping[str, str], seed: int, seats: tuple[int, ...]
    ) -> None:
        if problem := check_beside(self._game, players, options, seed, seats):
            remedy = "Let deal_for leave everything as in a dealt match, but for the others' cards"
            self._report.add(problem, remedy)

    def _sound(self, players: int, options: Mapping[str, str], seed: int) -> None:
        if problem := check_soundness(self._game, players, options, seed, self._report):
            remedy = "Let shown say all that a table with real pieces can see, and no more"
            self._report.add(problem, remedy)

    def _match(
        self, players: int, options: Mapping[str, str], seed: int, physical: bool, where: str
    ) -> None:
        game, report = self._game, self._report
        box = load_box(game.box).for_game(game.id)
        colours = game.colours(players, options)
        tellers = [Proofreader(game, lang, colours, box, report.read) for lang in AUTHORED]
        check_setting(game, players, dict(options), box, report)
        pieces, seats = Pieces(box, report), report.seats
        groups = {kind.id: (kind.group, kind.owner) for kind in box.kinds.values()}
        match: Match | None = None
        questions: set[str] = set()
        asked: list[Prompt] = []
        every = self._thorough_every * (SPARSE if self.long_enough() else 1)
        begun, positions = process_time(), report.positions
        for current, moves, move in random_match(
            game, players, options, seed, physical=physical, limit=LONGEST
        ):
            match = current
            report.positions += 1
            prompt, here = match.prompt, f"{where}, move {match.ply}"
            spent, looked_at = process_time() - begun, report.positions - positions
            if spent > PATIENCE_S and spent > SLOW_S * looked_at:
                told = f"{here}: a position takes {spent / looked_at:.1f} s"
                report.add(
                    told,
                    "Make layout, violations and legal_moves faster: they are asked all the time",
                )
                self.ended = False
                return
            if prompt is None:
                remedy = "Let prompt say who must do what until there is an outcome"
                report.add(f"{here}: no prompt although the match goes on", remedy)
                return
            if match.ply >= FAR and not report.ok:
                # A match without changes never ends, and its author waits for the findings.
                self.ended = False
                return
            if not asked and (slow := _slow(match.state)):
                told = f"{here}: {slow} takes longer than {SLOW_S} s"
                report.add(told, "Make it faster: it is asked all the time")
                self.ended = False
                return
            if not asked:
                seats.begin(match.state, players, groups)
            asked.append(prompt)
            seats.asked(prompt, move)
            # Every kind of question is looked at closely, however rarely it is asked.
            new = prompt.code not in questions and report.closely[prompt.code] < CLOSELY
            closely = (match.ply + seed) % every == 0 or new
            deeply = closely and report.deserves_more(f"{prompt.code} {physical}")
            place = Place(game, box, match, prompt, moves, move, tellers, here, report, deeply)
            check_quickly(place)
            pieces.look(match.state, players, here, move)
            report.ways.may(players, moves)
            if closely:
                questions.add(prompt.code)
                report.closely[prompt.code] += 1
                check_closely(place, self._tried[physical])
        count_down(report.habits, asked)
        if match is None:
            remedy = "Let outcome be None after setup"
            report.add(f"{where}: the match was over before it began", remedy)
            return
        if self._first is None:
            self._first = match, asked
        pieces.look(match.state, players, f"{where}, at the end", None)
        check_end(game, match, tellers, where, report)
        if match.outcome is not None:
            seats.end(match.outcome, match.state.explain_scores())
        check_log(game, match, where, report)


def _check_ends(
    game: Game[Any], settings: list[tuple[int, dict[str, str]]], report: Report
) -> None:
    """Play matches to their ends, for what is rare there."""
    begun = process_time()
    for number in range(QUICK if game.counts_points else QUICK // 4):
        players, options = settings[number % len(settings)]
        for match, _, _ in random_match(game, players, options, f"end {number}"):
            if (asked := match.prompt) is not None:
                report.read.add(f"prompts.{asked.code}")
        if match.outcome is not None:
            report.outcomes[match.outcome.reason] += 1
            report.seats.end(match.outcome)
            count_result(game, match.outcome, report)
            count_rank(match, f"end {number}", report)
        if process_time() - begun > QUICKLY_S:
            break
    if Path(game.box).is_absolute() and len(settings) < RUNGS:
        # One of Heelstone's own has tests of its own; of very many settings some are not tried.
        for reason in set(game.outcomes) - report.outcomes.keys() - declared_outcomes(game):
            report.hint(
                f"no match of {report.outcomes.total()} ended with '{reason}', and no position of "
                f"{PERFT} does",
                f'See that outcome comes to it; add its moves and "outcome": "{reason}" there',
            )
    if ties := report.habits.by_seat:
        report.hint(
            f"in each of {ties} ties the lower seat came out ahead",
            "Put equal seats into one group, as ranked does, unless a rule says otherwise",
        )


def _check_options(
    game: Game[Any], settings: list[tuple[int, dict[str, str]]], report: Report
) -> None:
    for name, matches in idle_options(game, settings):
        report.hint(
            f"in {matches} pairs of matches the option {name} made no difference",
            "Ask for its value where the rules depend on it; what is rare, choose may lead to",
        )


def _check_throwers(report: Report) -> None:
    """Dice belong to the player who then moves; a few throws may decide who that is."""
    throws = report.habits.throws
    if throws[False] >= FEW and throws[True] < RARELY * throws.total():
        report.hint(
            f"{throws[False]} of {throws.total()} throws are another player's than the move after",
            "Let the prompt of a throw name whose dice they are",
        )


def _slow(state: Any) -> str:
    """A hook that takes too long by itself; empty if there is none."""
    for hook in (state.layout, state.legal_moves, state.prompt, state.outcome):
        for _ in range(2):  # the first time much is made that is kept
            begun = process_time()
            hook()
            spent = process_time() - begun
        if spent > SLOW_S:
            return str(hook.__name__)
    return ""


def _check_reached(game: Game[Any], report: Report, *, whole: bool) -> None:
    for what, codes, reached in (
        ("objection", game.codes, report.objections),
        ("outcome", game.outcomes, report.outcomes),
    ):
        for code in reached:
            if code not in codes:
                name = "codes" if what == "objection" else "outcomes"
                report.add(f"{what} '{code}' is not listed in {name}", f"List it in {name}")
    for code in game.codes:
        if whole and report.matches > 1 and not report.objections[code]:
            report.add(
                f"objection '{code}' was never reached in {report.matches} random matches",
                "Let pseudo_moves yield a move that meets it, delete the code if no hand can make "
                "one, or let choose lead to its position if that is rare",
            )


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
