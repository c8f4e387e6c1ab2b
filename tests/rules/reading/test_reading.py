"""Readings of sightings: moves, questions and breaches; turn by turn, and move by move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

import pytest

from rules.box import load_box
from rules.core import COLOURS, Move
from rules.games import find_game
from rules.match import Match
from rules.reading.case import Case
from rules.reading.explaining import Explanations
from rules.reading.reading import MISSING, Status, read
from rules.reading.sighting import EMPTY, Glimpse, SiteBelief, Stray, looks
from rules.reading.since import Opening, Since
from rules.reading.ways_out import ways_out
from rules.testing.pictures import Noise, draw
from rules.testing.playout import random_match
from tests.support.positions import READINGS, referee_positions
from tests.support.scenes.turns import Pace, Verdict, looks_at_turns
from tests.support.sweep import some
from tests.support.watched import WATCHED

BOX = load_box("knizia_stonehenge")


@dataclass
class Picture:
    """A sighting of ``table`` with the doubt of a good picture."""

    table: dict[str, str]
    hand: bool = False
    covered: Sequence[str] = ()
    strays: Sequence[Stray] = ()
    sites: dict[str, SiteBelief] = field(init=False)

    def __post_init__(self) -> None:
        self.sites = {}
        for site in BOX.sites:
            kind = self.table.get(site)
            seen = {EMPTY: 0.0} if kind is None else {(Glimpse(kind),): 0.0, EMPTY: -9.0}
            self.sites[site] = SiteBelief(seen, occluded=site in self.covered)


def playing(*moves: str) -> Match:
    match = Match("knizia_stonehenge", 2, physical=True)
    for move in moves:
        match.push(move)
    return match


def table_of(match: Match, **changes: str | None) -> dict[str, str]:
    table = {site: look[0].kind for site, look in looks(match.layout).items()}
    for site, kind in changes.items():
        if kind is None:
            table.pop(site)
        else:
            table[site] = kind
    return table


def texts(moves: Sequence[Move]) -> list[str]:
    return [move.text for move in moves]


OPENING = ("p0 place 1 G", "p0 done", "p1 place 5 A")


def test_nothing_new_is_settled() -> None:
    match = playing(*OPENING)
    assert read(match, Picture(table_of(match))).status is Status.SETTLED


def test_a_stone_closes_the_turn_that_nobody_closed() -> None:
    match = playing(*OPENING)
    reading = read(match, Picture(table_of(match, E="stone black 4")))
    assert reading.status is Status.MOVE
    assert texts(reading.moves) == ["p1 done", "p0 place 4 E"]


def test_a_whole_turn_is_read_from_one_picture() -> None:
    match = playing("p0 place 6 N", "p0 done", "p1 place 1 R", "p1 done", "p0 place 5 J", "p0 done")
    match.push("p1 place 1 O")
    reading = read(
        match,
        Picture(table_of(match, A="stone black 4", L5="megalith black", R5="megalith black")),
    )
    assert reading.status is Status.MOVE
    assert texts(reading.moves)[0] == "p1 done"
    assert set(texts(reading.moves)[1:]) == {"p0 place 4 A", "p0 claim L5", "p0 claim R5"}


def test_a_hand_means_wait() -> None:
    match = playing(*OPENING)
    reading = read(match, Picture(table_of(match, E="stone black 4"), hand=True))
    assert (reading.status, reading.doubt, reading.moves) == (Status.UNCLEAR, "hand", ())


def test_a_claim_without_control_is_refused_with_rule_and_way_back() -> None:
    match = playing("p0 place 1 G", "p0 done", "p1 place 5 A", "p1 done", "p0 place 4 E")
    seen = table_of(match, O="stone brown 1", H1="megalith brown")
    reading = read(match, Picture(seen))
    assert reading.status is Status.ILLEGAL
    assert [(o.rule, o.code) for o in reading.objections] == [("1.5", "still_open")]
    assert str(reading.refused) == "p1 claim H1"
    assert [(f.site, f.wanted) for f in reading.fixes] == [("H1", EMPTY)]
    assert texts(reading.anyway) == ["p0 done", "p1 place 1 O", "p1 claim H1"]


@pytest.mark.parametrize(
    ("nothing", "status"),
    [(-1.0, Status.MOVE), (-4.0, Status.UNCLEAR), (-6.0, Status.UNCLEAR), (-9.0, Status.ILLEGAL)],
)
def test_nobody_is_accused_where_the_picture_leaves_doubt(nothing: float, status: Status) -> None:
    match = playing("p0 place 1 G", "p0 done", "p1 place 5 A", "p1 done", "p0 place 4 E")
    picture = Picture(table_of(match, O="stone brown 1", H1="megalith brown"))
    picture.sites["H1"] = SiteBelief({(Glimpse("megalith brown"),): 0.0, EMPTY: nothing})
    assert read(match, picture).status is status


@pytest.mark.parametrize(
    ("perhaps", "likely", "refused"),
    [
        ({"G": "stone black 1", "A": "stone brown 5"}, -0.5, True),  # These lay there already.
        ({"L": "stone black 2"}, -2.4, True),  # Even more of his own is no better.
        ({"L": "stone brown 2", "M": "stone brown 3"}, -2.4, False),  # Brown's turns, perhaps.
    ],
)
def test_only_doubt_that_could_make_it_legal_mutes_a_refusal(
    perhaps: dict[str, str], likely: float, *, refused: bool
) -> None:
    match = playing("p0 place 1 G", "p0 done", "p1 place 5 A", "p1 done", "p0 place 4 E")
    picture = Picture(table_of(match, J="stone black 3", K="stone black 5"))
    for site, kind in perhaps.items():
        picture.sites[site] = SiteBelief({EMPTY: 0.0, (Glimpse(kind),): likely})
    reading = read(match, picture)
    assert (reading.status is Status.ILLEGAL) is refused
    assert Case(Explanations(match, picture, {}), ()).may_be_legal is not refused
    assert not refused or [o.code for o in reading.objections] == ["already_placed"]


def test_a_claim_by_the_next_player_before_his_stone_is_judged_as_a_claim() -> None:
    match = playing("p0 place 1 G", "p0 done", "p1 place 5 A", "p1 done", "p0 place 4 E")
    reading = read(match, Picture(table_of(match, H1="megalith brown")))
    assert [(o.rule, o.code) for o in reading.objections] == [("1.5", "still_open")]
    assert texts(reading.anyway) == ["p0 done", "p1 claim H1"]


def test_an_old_stone_that_moved_is_told_with_both_places_and_nobody_is_accused() -> None:
    match = playing(*OPENING, "p1 done", "p0 place 4 E", "p0 done", "p1 place 2 J")
    reading = read(match, Picture(table_of(match, E=None, B="stone black 4")))
    assert (reading.status, reading.doubt) == (Status.UNCLEAR, "differs")
    (objection,) = reading.objections
    assert (objection.rule, objection.code) == ("1.4", "piece_moved")
    assert objection.values == {"kind": "stone black 4", "from": "E", "to": "B"}
    assert reading.anyway == ()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"E": "stone black 4", "B": "stone black 3"}, "already_placed"),
        ({"E": "stone brown 4"}, "already_placed"),
        ({"E": "stone black 4", "L5": "megalith black"}, "still_open"),
    ],
)
def test_every_breach_has_its_words(changes: dict[str, str | None], code: str) -> None:
    match = playing(*OPENING)
    reading = read(match, Picture(table_of(match, **changes)))
    assert reading.status is Status.ILLEGAL
    assert code in [o.code for o in reading.objections]


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"G": None}, "piece_removed"), ({"G": "stone brown 5"}, "piece_swapped")],
)
def test_what_merely_differs_is_no_breach(changes: dict[str, str | None], code: str) -> None:
    match = playing(*OPENING)
    reading = read(match, Picture(table_of(match, **changes)))
    assert (reading.status, reading.doubt) == (Status.UNCLEAR, "differs")
    assert code in [o.code for o in reading.objections]
    assert [fix.site for fix in reading.fixes] == ["G"]


CLAIM_DUE = (
    "p0 place 4 A", "p0 done", "p1 place 5 G", "p1 done", "p0 place 5 E", "p0 done", "p1 place 4 H",
)  # fmt: skip


def test_what_is_due_from_one_player_is_refused_to_another_as_out_of_turn() -> None:
    match = playing(*CLAIM_DUE)
    reading = read(match, Picture(table_of(match, H3="megalith black")))
    assert reading.status is Status.ILLEGAL
    assert ([o.code for o in reading.objections], str(reading.refused)) == (
        ["wrong_player"], "p0 claim H3",
    )  # fmt: skip


def test_a_second_stone_and_legal_claims_beside_it_are_one_offence() -> None:
    match = playing(*CLAIM_DUE[:-1])
    table = table_of(match, H="stone brown 4", H3="megalith brown", B="stone brown 2")
    reading = read(match, Picture(table))
    assert reading.status is Status.ILLEGAL
    assert "already_placed" in [o.code for o in reading.objections]


def test_a_stone_taken_up_again_is_a_proposal_to_take_back() -> None:
    match = playing(*OPENING)
    reading = read(match, Picture(table_of(match, A=None)))
    assert reading.status is Status.AMBIGUOUS
    assert [(c.takeback, c.moves) for c in reading.candidates] == [(1, ())]


def test_a_stone_shifted_in_the_open_turn_is_a_change_of_mind() -> None:
    match = playing(*OPENING)
    since = Since(openings=(Opening(1, 3.0, touched=True),))
    reading = read(match, Picture(table_of(match, A=None, B="stone brown 5")), since=since)
    assert reading.status is Status.AMBIGUOUS
    assert [(c.takeback, texts(c.moves)) for c in reading.candidates] == [(1, ["p1 place 5 B"])]


def test_a_tapped_move_is_waited_for() -> None:
    match = playing(*OPENING)
    before = table_of(match)
    match.push("p1 done")
    match.push("p0 place 4 E")
    reading = read(match, Picture(before), awaiting={"E"})
    assert reading.status is Status.PENDING
    assert [(f.site, f.wanted[0].kind) for f in reading.fixes] == [("E", "stone black 4")]


def test_nothing_is_concluded_under_a_cloth_and_everything_beside_it() -> None:
    match = playing(*OPENING)
    reading = read(match, Picture(table_of(match, G=None, E="stone black 4"), covered=["G"]))
    assert texts(reading.moves) == ["p1 done", "p0 place 4 E"]


def test_what_is_hidden_matters_only_to_a_move_that_needs_it_and_is_asked_about_then() -> None:
    match = playing(*OPENING, "p1 done", "p0 place 4 E", "p0 done", "p1 place 2 J", "p1 done",
                    "p0 place 3 Q")  # fmt: skip
    told = Picture(table_of(match, O="stone brown 1", R5="megalith brown"), covered=["M"])
    assert texts(read(match, told).moves) == ["p0 done", "p1 place 1 O", "p1 claim R5"]
    needed = Picture(table_of(match, O="stone brown 1"), covered=["R5"])
    reading = read(match, needed)
    assert reading.status is Status.AMBIGUOUS
    assert {len(c.moves) for c in reading.candidates} == {2, 3}


def test_a_piece_beside_its_field_is_unclear_and_one_beside_the_board_is_nobodys_concern() -> None:
    match = playing(*OPENING)
    on_board = Picture(table_of(match), strays=[Stray("stone black 4", (0.0, 26.0))])
    assert read(match, on_board).doubt == "stray"
    beside = Picture(table_of(match), strays=[Stray("stone black 4", (-260.0, 0.0))])
    assert read(match, beside).status is Status.SETTLED


def test_a_lost_board_is_unclear() -> None:
    match = playing(*OPENING)
    picture = Picture({})
    picture.sites = {}
    assert read(match, picture).doubt == "board_lost"


def test_weak_doubt_about_an_untouched_stone_does_not_spoil_a_clear_move() -> None:
    match = playing(*OPENING)
    picture = Picture(table_of(match, E="stone black 4"))
    picture.sites["G"] = SiteBelief(
        {(Glimpse("stone black 2"),): -0.2, (Glimpse("stone black 1"),): -3.5}
    )
    assert texts(read(match, picture).moves) == ["p1 done", "p0 place 4 E"]


def test_a_stone_that_might_be_either_of_two_is_asked_about() -> None:
    match = playing(*OPENING)
    picture = Picture(table_of(match))
    picture.sites["E"] = SiteBelief(
        {(Glimpse("stone black 4"),): -0.6, (Glimpse("stone black 5"),): -0.8}
    )
    reading = read(match, picture)
    assert reading.status is Status.AMBIGUOUS
    assert {c.moves[-1].text for c in reading.candidates} == {"p0 place 4 E", "p0 place 5 E"}


def test_reading_changes_nothing() -> None:
    match = playing(*OPENING)
    before = match.dump()
    read(match, Picture(table_of(match, A=None, B="stone brown 5")))
    assert match.dump() == before


@pytest.mark.parametrize("seed", some(range(12), 4))
def test_round_trip_with_misread_and_missing_stickers(seed: int) -> None:
    """Random position and move, 2 % misread and 2 % missing: never a wrong ``move``."""
    random = Random(seed)
    match = playing()
    while match.outcome is None:
        moves = [m for m in match.legal_moves() if m.verb != "done"]
        if not moves:
            match.push(match.legal_moves()[0])
            continue
        move = random.choice(moves)
        match.push(move)
        truth = match.clone()
        picture = Picture(table_of(match))
        match.pop()
        for site, belief in list(picture.sites.items()):
            look = belief.best
            if look and random.random() < 0.04:
                other = random.choice(BOX.kinds_at(site)).id
                wrong = EMPTY if random.random() < 0.5 else (Glimpse(other),)
                # A sticker that is read badly is believed weakly.
                picture.sites[site] = SiteBelief({wrong: -0.5, look: -1.5}, floor=-5.0)
        reading = read(match, picture)
        if reading.status is Status.MOVE:
            trial = match.clone()
            for step in reading.moves:
                trial.push(step)
            assert looks(trial.layout) == looks(truth.layout)
        else:
            assert reading.status in (Status.AMBIGUOUS, Status.UNCLEAR, Status.PENDING)
        match.push(move)


FEW = 20
"""Read in the quick run."""


@pytest.mark.parametrize("noise", [None, Noise()], ids=["clear", "noisy"])
@pytest.mark.parametrize("game_id", some(WATCHED, 4))
def test_a_move_is_read_or_asked_about_and_never_taken_for_another(
    game_id: str, noise: Noise | None, thorough: bool
) -> None:
    box = load_box(find_game(game_id).box).for_game(game_id)
    random = Random(game_id)
    positions = [p for seed in (1, 2) for p in referee_positions(game_id, seed)]
    seen: Counter[str] = Counter()
    readings = min(READINGS if thorough else FEW, len(positions))
    for match, played in random.sample(positions, readings):
        after = match.clone()
        after.push(played)
        while (dealt := after.next_chance()) is not None:
            after.push(dealt)
        reading = read(match, draw(box, after.layout, noise, random))
        seen[reading.status.value] += 1
        if reading.status is Status.MOVE:
            trial = match.clone()
            for move in reading.moves:
                trial.push(move)
            assert looks(trial.layout) == looks(after.layout), (played, reading.moves)
        if reading.status is Status.SETTLED:
            assert looks(match.layout) == looks(after.layout) or noise is not None
        assert reading.status is not Status.ILLEGAL, (played, reading)
    assert sum(seen.values()) == readings


@pytest.mark.parametrize("game_id", [g for g in WATCHED if find_game(g).palette])
def test_moves_are_read_in_whatever_colours_the_players_chose(game_id: str) -> None:
    game = find_game(game_id)
    box = load_box(game.box).for_game(game_id)
    players = game.players[1 % len(game.players)]
    chosen = {COLOURS: ",".join(game.palette[::-1][:players])}
    random, statuses = Random(game_id), Counter[Status]()
    positions = referee_positions(game_id, 1, chosen)
    for match, played in random.sample(positions, min(FEW, len(positions))):
        assert match.colours == game.palette[::-1][:players]
        after = match.clone()
        after.push(played)
        reading = read(match, draw(box, after.layout, None, random))
        statuses[reading.status] += 1
        if reading.status is Status.MOVE:
            trial = match.clone()
            for move in reading.moves:
                trial.push(move)
            assert looks(trial.layout) == looks(after.layout), (played, reading.moves)
        assert reading.status is not Status.ILLEGAL, (played, reading)
    assert statuses[Status.MOVE] or statuses[Status.AMBIGUOUS]


def test_a_draw_pile_that_may_be_spare_cards_is_no_sign_of_a_draw() -> None:
    """Its last card is drawn by a move that leaves no other trace; the camera sees it lie there,
    but does not know whether what lies beside a board belongs to the match."""
    game, seed, ply = find_game("erbaut_stonehenge"), 1, 351
    players = game.players[seed]
    options = game.complete_options(players, {})
    referee = Match(game, players, options, physical=True, seed=seed)
    moves = (
        shown
        for match, _, move in random_match(game, players, options, seed)
        for shown in match.state.shown(move)
    )
    while referee.ply < ply:
        referee.push(next(moves))
    build = next(moves)
    after = referee.clone()
    after.push(build)
    seen = draw(load_box(game.box).for_game(game.id), after.layout)
    pile = seen.sites["draw-pile"]
    spare = SiteBelief({**pile.looks, EMPTY: -0.3})
    reading = read(referee, replace(seen, sites={**seen.sites, "draw-pile": spare}))
    assert reading.status is Status.MOVE
    assert [move.text for move in reading.moves] == [build.text] == ["p3 build"]


def test_what_may_lie_behind_a_figure_is_offered_and_one_touch_settles_it() -> None:
    """A disc is due where its player's figure stands and may hide it."""
    every = referee_positions("erbaut_stonehenge", 1)
    match, site = next((m, s) for m, _ in every if (s := _due_behind_a_figure(m)))
    box = load_box(match.game.box).for_game(match.game.id)
    seen = draw(box, match.layout)
    assert read(match, seen).status is Status.SETTLED
    (figure,) = seen.sites[site].best
    discs = [Glimpse(kind.id) for kind in box.kinds_at(site) if kind.id.startswith("disc ")]
    more = {tuple(sorted((disc, figure))): -0.2 for disc in discs}
    behind = SiteBelief({**seen.sites[site].looks, **more})
    seen = replace(seen, sites={**seen.sites, site: behind})
    reading = read(match, seen)
    assert (reading.status, reading.doubt) == (Status.PENDING, MISSING)
    ways = ways_out(match, seen)
    assert ways is not None
    (way,) = ways.candidates
    for move in way.moves:
        match.push(move)
    assert texts(way.moves)[0].endswith(" build")
    assert read(match, seen).status is Status.SETTLED


def _due_behind_a_figure(match: Match) -> str:
    """The place of a figure where a disc is due; empty if none is."""
    prompt = match.prompt
    site = str(dict(prompt.params).get("site", "")) if prompt is not None else ""
    due = prompt is not None and prompt.code == "build_dolerite"
    look = looks(match.layout).get(site, EMPTY)
    return site if due and [g.kind.split()[0] for g in look] == ["figure"] else ""


FEW_LOOKS, MANY_LOOKS = 10, 60


@pytest.mark.parametrize("noise", [None, Noise()], ids=["clear", "noisy"])
@pytest.mark.parametrize("game_id", some(WATCHED, 4))
def test_a_turn_seen_at_its_end_accuses_nobody(
    game_id: str, noise: Noise | None, thorough: bool
) -> None:
    players = find_game(game_id).players[-1]
    looks = looks_at_turns(game_id, players, 1, Pace.TURN, noise)
    found = list(islice(looks, MANY_LOOKS if thorough else FEW_LOOKS))
    assert found
    for judged in found:
        assert judged.verdict is not Verdict.ACCUSED, (judged.played, judged.reading)
        if noise is None:
            assert judged.verdict is not Verdict.WRONG, (judged.played, judged.reading)
        assert len(judged.reading.candidates) <= 4


@pytest.mark.parametrize("game_id", ["dolmengoetter", "knizia_stonehenge", "rollende_steine"])
def test_several_steps_at_once_are_read_or_asked_about(game_id: str) -> None:
    looks = islice(looks_at_turns(game_id, 2, 3, Pace.STEPS), FEW_LOOKS)
    right = {Verdict.READ, Verdict.SETTLED, Verdict.ASKED}
    for judged in looks:
        assert judged.verdict in right, (judged.played, judged.reading)


def test_who_may_have_gone_there_and_back_between_two_looks_is_no_proof_against_others() -> None:
    """A druid walks out and back around the other player's move, which shows alone."""
    judged = next(islice(looks_at_turns("dolmengoetter", 2, 3608, Pace.STEPS), 8, None))
    assert [move.player for move in judged.played] == [1, 1, 0, 1]
    assert judged.reading.status is Status.PENDING


def test_nothing_is_taken_for_granted_of_what_was_put_away_unseen() -> None:
    """Dolmens of two circles that score at once can have more values than are all followed."""
    looks = looks_at_turns("dolmengoetter", 4, 3, Pace.TURN)
    for judged in looks:
        shown = [move for move in judged.reading.moves if move.verb == "show"]
        assert shown == [move for move in judged.played if move in shown], judged.reading
