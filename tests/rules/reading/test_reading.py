"""Reading: from what was seen to the legal move that explains it, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from rules.box import load_box
from rules.core import Move
from rules.match import Match
from rules.reading.reading import Status, read
from rules.reading.sighting import EMPTY, Glimpse, SiteBelief, Stray, looks
from rules.reading.since import Opening, Since

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
    [({"G": None}, "piece_removed"), ({"G": "stone black 2"}, "piece_swapped")],
)
def test_what_merely_differs_is_no_breach(changes: dict[str, str | None], code: str) -> None:
    match = playing(*OPENING)
    reading = read(match, Picture(table_of(match, **changes)))
    assert (reading.status, reading.doubt) == (Status.UNCLEAR, "differs")
    assert code in [o.code for o in reading.objections]
    assert [fix.site for fix in reading.fixes] == ["G"]


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


@pytest.mark.parametrize("seed", range(12))
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
            assert reading.status in (Status.AMBIGUOUS, Status.UNCLEAR, Status.SETTLED)
        match.push(move)
