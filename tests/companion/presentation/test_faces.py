"""The players' faces: who has which, and that nobody has two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from companion.presentation.faces import CHOICE, NOBODY, PICTURES, STONE, faces_of, wear
from rules.core import outline

NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Ida", "Jan", "Kim", "Leo", "Mia", "Noa", "Ole")


@pytest.fixture(autouse=True)
def nobody_has_chosen() -> Iterator[None]:
    """Faces are those of names alone, unless a test says otherwise."""
    wear({})
    yield
    wear({})


def test_there_are_twelve_faces_to_choose_from_and_no_two_are_equal() -> None:
    assert len(CHOICE) == 12 and not {STONE, NOBODY} & {*CHOICE}
    assert len({*PICTURES.values()}) == len(PICTURES)


@pytest.mark.parametrize("face", [*CHOICE, STONE, NOBODY])
def test_a_face_fills_its_circle_and_all_its_outlines_are_drawn(face: str) -> None:
    ground, *shapes = PICTURES[face]
    assert ground.form == "fill" and shapes
    assert all(len(outline(shape)) >= 2 for shape in shapes)


def test_a_name_has_the_same_face_at_every_table() -> None:
    assert faces_of(("Anna",)) == faces_of(("Anna",))
    assert faces_of(("", "Anna"))[1] == faces_of(("Anna",))[0]


@pytest.mark.parametrize("count", [2, 5, 12])
def test_those_who_play_together_have_different_faces(count: int) -> None:
    assert len({*faces_of(NAMES[:count])}) == count


@pytest.mark.parametrize(
    ("names", "computers", "faces"),
    [
        (("Anna", "Druid"), ("", "medium"), ("locs", STONE)),
        (("", "Anna"), (), (NOBODY, "locs")),
        (("Anna", "Anna B"), (), ("locs", "cap")),
    ],
)
def test_a_chosen_face_is_kept_and_the_others_keep_off_it(
    names: Sequence[str], computers: Sequence[str], faces: Sequence[str]
) -> None:
    wear({"Anna": "locs", "Anna B": "cap", "Druid": "bun"})
    assert faces_of(names, computers) == faces


def test_a_face_that_is_drawn_no_more_gives_way_to_another() -> None:
    wear({"Anna": "gone"})
    assert faces_of(("Anna",))[0] in CHOICE


def test_somebody_new_gets_a_face_that_no_acquaintance_has() -> None:
    taken = [face for face in CHOICE if face != "cap"]
    assert faces_of(("Zoe",), taken=taken) == ("cap",)
    assert faces_of(("Zoe",), taken=CHOICE)[0] in CHOICE
