"""Relations that hold in every game: between languages, between seats, between figures and the
table, and between a board and its image."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from rules.box import TRAY, Box, Stroke, load_box
from rules.core import Actor, Game, Item, Layout, Move, Outcome, Prompt
from rules.games import add_games, find_game
from rules.match import Match
from rules.telling import load_text
from rules.testing.conformance import check_game
from rules.testing.examples.position import Position, facts
from rules.testing.examples.search import OUTSIDE, examples
from rules.testing.examples.words import told
from rules.testing.golden import PERFT, contradictions, differences, golden_files, unconfirmed
from rules.testing.metadata import check_material
from rules.testing.playout import ladder
from rules.testing.relations.drawing import misdrawn
from rules.testing.relations.figures import SUPPLY, Figures
from rules.testing.relations.seats import Seats
from rules.testing.relations.symmetry import check_symmetry
from rules.testing.relations.translations import exchanged, miscoloured, misnumbered, said_alike
from rules.testing.relations.ways import Ways
from rules.testing.relations.wording import crossed_codes, exchanged_texts
from rules.testing.report import Report
from rules.testing.statistics import Habits
from rules.texts import AUTHORED, flat
from tests.support.elsewhere import elsewhere
from tests.support.faulty_hooks import replaced, right

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def packages() -> Iterator[None]:
    """Games in packages of their own."""
    with elsewhere():
        for place in ("nine_mens_morris", "kalah", "trails"):
            add_games(ROOT / "examples" / place)
        add_games(ROOT / "tests" / "support" / "race")
        yield


# -- two languages --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("de", "en", "told"),
    [
        ("das Haus rechts", "the store on the left", "'right' in de and 'left' in en"),
        ("Setze drei Steine", "Place two stones", "'3' in de and '2' in en"),
        ("Zwei Reihen zu zwei", "Two rows of three", "'2' in de and '3' in en"),
        ("Noch 3 Steine", "Three stones left", ""),
        ("Nimm drei Steine vom Vorrat", "Take stones from the supply", "'3' in de only"),
        ("Lege ihn auf den roten Platz", "Put it on that place", "'red' in de only"),
        ("Höchstens vier liegen dort", "Four of them lie there", "'atmost' in de only"),
        ("Nimm bis zu vier Steine", "Take at most four stones", ""),
        ("Nimm einen weißen Stein", "Take a black stone", "'white' in de and 'black' in en"),
        ("Die Karte ist nicht verdeckt.", "The card is face up.", ""),
        ("Der Platz ist frei.", "The place is taken.", "'free' in de and 'taken' in en"),
        ("Alles ist frei, und niemand kann", "All is taken, and nobody can", "'free' in de"),
        ("Dort liegt keiner.", "There is one.", "denies in de"),
        ("Dort fehlt einer.", "There is none.", ""),
        ("{player} nimmt", "{other} takes", "begins with player"),
        ("von {0} nach {1}", "to {1} from {0}", ""),
        ("von {0} nach {1}", "from {1} to {0}", "'from' of 0 in de and of 1"),
        ("{thrown} gewürfelt, {moved} weit", "a {moved} thrown, {thrown} far", "'thrown' first"),
        ("auf {site} keine {value}", "no {value} on {site}", ""),
    ],
)
def test_what_one_language_says_and_the_other_denies_is_told(de: str, en: str, told: str) -> None:
    found = [said for _, said in exchanged({"de": {"x": de}, "en": {"x": en}})]
    assert any(told in said for said in found) if told else not found


def test_every_text_of_a_game_that_comes_along_means_the_same_in_both_languages() -> None:
    folder, found = ROOT / "rules" / "languages", []
    for game in ("knizia_stonehenge", "rollende_steine"):
        texts = {
            lang: flat(tomllib.loads((folder / lang / f"{game}.toml").read_text(encoding="utf-8")))
            for lang in ("de", "en")
        }
        found += [*exchanged(texts), *said_alike(texts)]
    assert found == []


def test_names_that_are_not_what_they_name_are_told() -> None:
    assert [*misnumbered("3", {"de": "sechs", "en": "three"})] == ["de"]
    assert [*miscoloured("white", {"de": "Weißer Stein", "en": "Black stone"})] == ["en"]
    texts = {
        "de": {"objections.a.title": "Noch nicht erlaubt", "objections.b.title": "Schon besetzt"},
        "en": {"objections.a.title": "Not allowed yet", "objections.b.title": "Not allowed yet"},
    }
    assert [*said_alike(texts)] == [("en", "objections.a.title", "objections.b.title")]


# -- seats ----------------------------------------------------------------------------------------


def played(seats: Seats, *answers: tuple[int, str]) -> None:
    """A match of two in which the answers were given in turn."""
    state: Any = type("Empty", (), {"supply": lambda *_: Counter(), "layout": lambda _: Layout()})()
    seats.begin(state, 2, {})
    for seat, verb in answers:
        seats.asked(Prompt(Actor.PLAYER, seat, verb, "1.1"), Move.of(seat, verb))
    seats.end(Outcome("over", ((0, 1),), (0, 0)))


def test_what_never_comes_to_one_seat_is_told_unless_it_comes_at_one_time_only() -> None:
    seats = Seats()
    for number in range(12):
        turns = [(seat, "move") for _ in range(1 + number % 4) for seat in (0, 1)]
        played(seats, (0, "begin"), *turns, (0, "fly"))
    told = [said for said, _ in seats.found()]
    assert told == [
        "question 'fly' never came to seat 1 of 2", "a move 'fly' never came to seat 1 of 2"
    ]  # fmt: skip


# -- figures --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "others", "told"),
    [(0, 3, ""), (1, 3, "one more than"), (3, 0, "always the other's"), (5, 5, "")],
)
def test_figures_that_are_another_count_or_one_too_many_are_told(
    own: int, others: int, told: str
) -> None:
    figures = Figures()
    for number in range(20):
        left = number % 5
        counts = {SUPPLY: left - own, "other's number of pieces in the supply": left - others}
        figures.told("question 'place'", {"left": left, "player": 0}, counts)
    found = [said for said, _ in figures.found()]
    assert len(found) == bool(told) and all(told in said for said in found)


def test_players_questions_and_points_that_stand_for_others_are_told() -> None:
    habits = Habits()
    habits.names_player["not_yours"] = Counter({False: 20})
    habits.names_player["empty"] = Counter({True: 1, False: 20})
    habits.answers |= {"take": {"sow"}, "sow": {"take", "sow"}, "throw": {"roll"}}
    habits.gains[False] = 20
    told = [said for said, _ in habits.odd_names()]
    assert [said.split("'")[1] for said in told[:2]] == ["not_yours", "take"]
    assert len(told) == 3


# -- boards, and results --------------------------------------------------------------------------


def without(text: str) -> Any:
    """A game of morris in which one move is never legal."""

    def legal_moves(state: Any) -> list[Move]:
        return [move for move in right(state).legal_moves() if move.text != text]

    return replaced(find_game("nine_mens_morris"), legal_moves=legal_moves)


@pytest.mark.parametrize("faulty", [False, True])
def test_a_line_that_a_symmetric_board_lacks_is_told(
    packages: None, faulty: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.testing.relations.symmetry.MATCHES", 5)
    game: Game[Any] = without("p0 place b2") if faulty else find_game("nine_mens_morris")
    report = Report(game.id)
    check_symmetry(game, load_box(game.box), ladder(game, 1), report)
    assert any("'p0 place" in hint for hint in report.hints) == faulty


def test_a_game_that_knows_right_from_left_has_no_image(packages: None) -> None:
    game, report = find_game("kalah"), Report("kalah")
    check_symmetry(game, load_box(game.box), ladder(game, 1), report)
    assert report.hints == []


def test_a_move_that_hands_must_make_does_not_follow_by_itself(packages: None) -> None:
    def obliged(state: Any) -> Move | None:
        moves = right(state).legal_moves()
        return moves[0] if len(moves) == 1 else None

    report = check_game(replaced(find_game("kalah"), obliged=obliged), matches=1)
    assert any("hands must do it" in problem for problem in report.problems)


def test_a_place_in_the_tray_is_told() -> None:
    game, report = find_game("rollende_steine"), Report("rollende_steine")
    box = load_box(game.box)
    inside = next(site for site in box.sites.values() if site.printed)
    tray = replace(inside, id="tray", kind=TRAY, size=(60.0, 60.0))
    check_material(game, replace(box, sites={**box.sites, "tray": tray}), report)
    assert any("lies in tray" in problem for problem in report.problems)


def test_a_ranking_against_the_points_is_told(packages: None) -> None:
    def outcome(state: Any) -> Outcome | None:
        end = right(state).outcome()
        return None if end is None else replace(end, ranking=end.ranking[::-1])

    report = check_game(replaced(find_game("kalah"), outcome=outcome), matches=2)
    assert any("is not that of" in problem for problem in report.problems)


@pytest.mark.parametrize("name", ["dice_race", "kalah", "nine_mens_morris"])
def test_every_objection_end_and_value_has_an_example(packages: None, name: str) -> None:
    game = find_game(name)
    shown = {kind.partition(",")[0] for one in examples(game) for kind in one.shows}
    assert {f"objection {code}" for code in {*game.codes} - OUTSIDE} <= shown
    assert {f"end {reason}" for reason in game.outcomes if (name, reason) not in RARE} <= shown
    values = [(key, value) for key, every in game.options.items() for value in every[1:]]
    assert {f"option {key}={value}" for key, value in values if (name, key) not in RARE} <= shown


def test_a_set_up_tells_where_players_sit() -> None:
    match = Match("erbaut_stonehenge", 3)
    declared = {key: fact for key, fact in facts(match).items() if key == "seats"}
    assert len(declared["seats"]) == 3
    said = " ".join(told(match.game, match, Position("set-up of 3", 3, declared=declared)))
    assert said.count("sits at") == 3


RARE = {("nine_mens_morris", "two_mills"), ("nine_mens_morris", "repetition"), *product(
    ["nine_mens_morris"], ["no_move", "repeated"]
), ("dice_race", "dice")}  # fmt: skip
"""Ends and options that hardly any random match comes to, and dice by the program."""


def test_examples_follow_the_game_until_they_are_confirmed(packages: None, tmp_path: Path) -> None:
    def write(game: Any, confirmed: Iterable[int] = ()) -> Any:
        for name, text in golden_files(game, tmp_path, {*confirmed}).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        return json.loads((tmp_path / PERFT).read_text(encoding="utf-8"))

    def scores(state: Any) -> tuple[int, ...]:
        return tuple(points // 2 for points in right(state).scores())

    game, halved = find_game("kalah"), replaced(find_game("kalah"), scores=scores)
    for name in ("dice_race", "trails"):
        said = unconfirmed(find_game(name))
        assert any("is forbidden: " in told and "is allowed" in told for told in said)
    assert any("(On the table: as in " in told for told in unconfirmed(find_game("dice_race")))
    first = write(game)
    assert differences(game, tmp_path) == []
    assert not [*contradictions(halved, tmp_path)], "nobody has said that they are right"
    assert write(halved) != first
    assert write(game, range(1, 99)) and differences(game, tmp_path) == []
    assert any(
        "declares after" in told and "what now happens" in told
        for told in contradictions(halved, tmp_path)
    )


def test_the_one_place_of_many_that_is_otherwise_is_told(packages: None) -> None:
    game = find_game("kalah")
    box = load_box(game.box)
    sites = {**box.sites, "c1": replace(box.sites["c1"], heap=20)}
    report = Report("kalah")
    check_material(game, box, report)
    assert report.hints == []
    check_material(game, replace(box, sites=sites), report)
    assert [hint[:21] for hint in report.hints] == ["the heap of c1 (20) i"]


# -- texts and places that changed places ---------------------------------------------------------


def test_texts_that_changed_places_in_one_language_are_told(packages: None) -> None:
    game = find_game("kalah")
    texts = {lang: flat(load_text(game.id, lang, game.package)) for lang in AUTHORED}
    assert not [*exchanged_texts(texts)]
    swapped = dict(own := texts["de"])
    for one, other in (
        ("rules.1.4.text", "rules.1.4.title"),
        ("outcomes.more.text", "prompts.take.text"),
        ("score.left", "score.stored"),
    ):
        swapped |= {one: own[other], other: own[one]}
    assert {*exchanged_texts({**texts, "de": swapped})} >= {
        ("outcomes.more.text", "prompts.take.text"),
        ("rules.1.4.text", "rules.1.4.title"),
        ("score.left", "score.stored"),
    }


def test_texts_below_each_others_codes_are_told() -> None:
    texts = {"prompts.take.title": "{player} takes", "prompts.place.title": "Place a stone"}
    assert not [*crossed_codes(texts)]
    crossed = dict(zip(texts, reversed(texts.values()), strict=True))
    assert [*crossed_codes(crossed)] == [("prompts.take", "prompts.place")]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"c1": {"at": (-39.0, -60.0)}}, "the position of c1"),
        ({"a2": {"label": "b"}}, "the label of a2"),
        ({"a1": {"radius": 30}, "d2": {"radius": 30}}, "the radius of a1 (30) and of d2"),
    ],
)
def test_places_that_break_what_all_others_keep_are_told(
    packages: None, changed: dict[str, dict[str, Any]], told: str
) -> None:
    box = load_box(find_game("kalah").box)
    assert not [*misdrawn(box)]
    sites = {name: replace(box.sites[name], **what) for name, what in changed.items()}
    found = [one for one, _ in misdrawn(replace(box, sites={**box.sites, **sites}))]
    assert any(one.startswith(told) for one in found), found


def test_fields_of_a_chequered_board_whose_paint_changed_places_are_told() -> None:
    box = _chequered()
    assert not [*misdrawn(box)]
    sites = {
        **box.sites,
        "b3": replace(box.sites["b3"], colour=box.sites["c3"].colour),
        "e5": replace(box.sites["e5"], colour=box.sites["d5"].colour),
    }
    assert "the colour of b3" in next(misdrawn(replace(box, sites=sites)))[0]


def test_ways_and_drawings_that_only_one_side_of_a_board_has_are_told(packages: None) -> None:
    box = load_box(find_game("nine_mens_morris").box)
    joined = replace(box.sites["a7"], neighbours=("a4", "d7", "d6"))
    ways = [told for told, _ in misdrawn(replace(box, sites={**box.sites, "a7": joined}))]
    assert any(told.startswith("the list of neighbours of ") for told in ways), ways

    def painted(places: Iterable[str]) -> list[str]:
        spots = [Stroke("circle", "rose", (box.sites[p].at,), "#7a3326", 4.0) for p in places]
        return [told for told, _ in misdrawn(replace(box, strokes=(*box.strokes, *spots)))]

    assert not painted(["a1", "a7", "g1", "g7"]) and not painted(["a1"])
    found = painted(["a1", "a7", "g1", "d5"])
    assert any(told.startswith("the drawing of ") for told in found), found


def _chequered() -> Box:
    """A board of six by six fields in two colours."""
    whole = load_box("knizia_stonehenge")
    field = next(site for site in whole.sites.values() if site.printed)
    sites = {
        f"{letter}{row}": replace(
            field, id=f"{letter}{row}", label=f"{letter}{row}", at=(40.0 * column, 40.0 * row),
            colour=("dark", "light")[(column + row) % 2], neighbours=(), games=(),
        )
        for column, letter in enumerate("abcdef") for row in range(1, 7)
    }  # fmt: skip
    return replace(whole, sites=sites, strokes=())


def test_a_way_that_only_one_seat_goes_is_told(packages: None) -> None:
    box = load_box(find_game("kalah").box)
    ways, names = Ways(), [f"{letter}1" for letter in "abcdef"]
    steps = [*pairwise(names), *pairwise(f"{letter}2" for letter in "fedcba")]
    for one, other in steps:
        before, then = (Layout({Item(at, "seed", int(at[1]) - 1): 1}) for at in (one, other))
        for _ in range(12):
            seat = int(one[1]) - 1
            ways.note(2, Move.of(seat, "go"), before, then, 1 - seat)
    assert not [*ways.found(box)]
    short = Layout({Item("f2", "seed", 1): 1})
    for seats in (0, 1):
        again = deepcopy(ways)
        for _ in range(12):
            again.note(
                2, Move.of(1, "go"), short, Layout({Item("de"[seats] + "2", "seed", 1): 1}), seats
            )
        (told,) = again.found(box)
        way, on = (("d2", "was not on again"), ("e2", "was on again"))[seats]
        wanted = f"seat 1 went from f2 to {way} 12 times and {on}, and seat 0 never did so from a1"
        assert wanted in told[0]


def test_a_move_that_only_one_seat_may_make_is_told(packages: None) -> None:
    box = load_box(find_game("kalah").box)
    for forbidden in ("", "d2"):
        ways = Ways()
        for number in range(50):
            pits = [f"{letter}{1 + number % 2}" for letter in "abcdef"]
            legal = (Move.of(number % 2, "sow", pit) for pit in pits if pit != forbidden)
            ways.may(2, [*legal] * 2)
        told = [said for said, _ in ways.found(box)]
        assert [said.split(", ", 1)[-1] for said in told] == [
            "turned by 180 degrees, seat 0 could 'sow c1' 50 times, and seat 1 never 'sow d2'"
        ] * bool(forbidden), told


def test_whoever_is_named_has_to_do_with_it() -> None:
    seats = Seats()
    for _ in range(4):
        seats.named("call 'shuffle'", 0, {1})
        seats.named("call 'again'", 1, {1})
    (told,) = seats.found()
    assert told[0].startswith("call 'shuffle' always names a player who did not move")
