"""Tables where the referee once recorded or refused what nobody had done."""

from __future__ import annotations

from rules.testing.pictures import Noise
from tests.support.scenes.evenings.judge import Verdict
from tests.support.scenes.evenings.outcomes import Outcome, outcome_at, places_of


def outcome(
    game: str,
    players: int,
    seed: int,
    ply: int,
    name: str,
    noise: Noise | None = None,
    **options: str,
) -> Outcome:
    """The outcome of a situation at the place of a random match."""
    places = places_of(game, players, seed, options=options)
    at = next(at for at in places if at.before.ply == ply)
    found = outcome_at(at, name, seed, noise=noise)
    assert found is not None
    return found


def test_a_search_that_was_cut_off_records_nothing_that_a_rival_may_explain_as_well() -> None:
    found = outcome("trilithen_knallen", 2, 33100, 89, "two_turns", Noise())
    assert found.verdict not in (Verdict.WRONG, Verdict.ACCUSED), found


def test_whoever_seems_to_have_passed_may_have_done_what_a_sleeve_hides() -> None:
    found = outcome("hoher_rat", 4, 51103, 88, "sleeve", Noise())
    assert found.verdict is Verdict.TOLD, found


def test_a_course_begins_where_a_card_may_put_the_trilithon() -> None:
    found = outcome("trilithen_knallen", 4, 51002, 109, "two_turns")
    assert found.verdict is Verdict.RIGHT, found


def test_a_record_is_not_told_anew_as_it_is() -> None:
    found = outcome("opferroulette", 4, 51560, 138, "step_by_step", shared_pits="on")
    assert found.verdict is Verdict.RIGHT, found


def test_another_purchase_than_the_last_one_is_asked_about_though_more_may_be_hidden() -> None:
    found = outcome("dominion", 2, 90210, 116, "mind_changed_after_20_s")
    assert found.verdict is Verdict.TOLD and found.record == ("p0 buy woodcutter",), found


def test_a_piece_that_stays_unread_is_asked_about_with_what_it_may_be() -> None:
    found = outcome("knizia_stonehenge", 2, 81303, 19, "held", Noise())
    assert found.verdict is Verdict.TOLD and found.record == ("p1 place 6 A",), found
    found = outcome("knizia_stonehenge", 2, 93003, 2, "late", Noise())
    assert found.verdict is Verdict.TOLD and found.record[1:] == ("p1 done", "p0 place 5 C"), found


def test_a_piece_of_an_earlier_turn_that_is_put_back_leaves_no_question() -> None:
    found = outcome("knizia_stonehenge", 2, 91303, 33, "lifted")
    assert found.verdict is Verdict.RIGHT, found


def test_nobody_is_accused_who_goes_on_from_what_was_asked_and_not_answered() -> None:
    found = outcome("hoher_rat", 2, 99300, 106, "turn_by_turn")
    assert found.verdict is Verdict.TOLD, found


def test_a_question_that_holds_what_was_told_stays() -> None:
    found = outcome("opferroulette", 2, 51300, 133, "place_by_place")
    assert found.verdict is Verdict.ASKED and "p1 roll-fall n27" in found.record, found


def test_a_badly_seen_purchase_may_be_any_that_may_lie_there() -> None:
    found = outcome("dominion", 2, 81303, 88, "step_by_step", Noise())
    assert found.verdict is Verdict.TOLD and "p0 buy silver" in found.record, found


def test_what_was_put_down_and_is_gone_again_may_have_been_taken_back() -> None:
    found = outcome("opferroulette", 4, 70402, 40, "mind_changed_after_5_s", Noise())
    assert found.verdict is Verdict.ASKED and found.record == ("p1 offer 30-night",), found


def test_of_two_turns_that_were_cleared_away_the_second_accuses_nobody() -> None:
    found = outcome("dominion", 4, 70301, 108, "two_turns")
    assert found.verdict is Verdict.TOLD, found
