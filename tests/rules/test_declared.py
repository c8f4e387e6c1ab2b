"""Data declared as dataclasses: what fits becomes an object, and what does not is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple

import pytest

from rules.core import GameError, Move
from rules.declared import (
    NAME,
    Between,
    Fits,
    Kind,
    Made,
    Misfit,
    called,
    plain,
    read,
    read_as,
    toml,
)  # fmt: skip
from rules.texts import LANGUAGES

Even = Annotated[int, Fits("wants_some", lambda n: n % 2 == 0)]
Spot = Annotated[tuple[float, float], Kind("kind_point")]


class Pair(NamedTuple):
    move: Move
    chance: float


@dataclass(frozen=True)
class Part:
    name: Annotated[str, NAME]
    size: Even = 2


@dataclass(frozen=True)
class Whole:
    id: str
    at: Spot
    kind: Literal["disc", "box"] = "disc"
    moves: tuple[Move, ...] = ()
    pairs: tuple[Pair, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    share: Annotated[float, Between(0, 1)] | None = None
    word: str | int = "none"
    upper: Annotated[str, Made(str, str.upper)] = ""


GIVEN = {
    "id": "a", "at": [1, 2.5], "moves": ["p0 done"], "pairs": [["p1 done", 0.5]],
    "parts": {"one": {"size": 4}, "two": {}}, "share": 1, "word": 7, "upper": "loud",
}  # fmt: skip


def test_what_fits_becomes_an_object_with_its_defaults() -> None:
    whole = read(Whole, GIVEN)
    assert whole.at == (1.0, 2.5) and whole.kind == "disc" and whole.upper == "LOUD"
    assert whole.moves == (Move.parse("p0 done"),)
    assert whole.pairs[0].move == Move.parse("p1 done") and whole.pairs[0].chance == 0.5
    assert whole.parts == {"one": Part("one", 4), "two": Part("two")}
    assert (whole.share, whole.word) == (1.0, 7) and type(whole.share) is float


def test_an_object_is_written_as_it_is_read_and_without_what_is_not_there() -> None:
    whole = read(Whole, {"id": "a", "at": [0.123456, 1]})
    assert plain(whole, digits=2)["at"] == [0.12, 1.0]
    assert not {"moves", "pairs", "share"} & plain(whole).keys()
    full = read(Whole, {**GIVEN, "parts": {}})
    assert read(Whole, {**plain(full), "upper": "loud"}) == full


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"id": 3}, "wants_kind", "id"),
        ({"at": [1, "x"]}, "wants_kind", "at"),
        ({"at": [1, 2, 3]}, "wants_kind", "at"),
        ({"at": [True, 2]}, "wants_kind", "at"),
        ({"kind": "cone"}, "wants_among", "kind"),
        ({"moves": ["jump"]}, "not_a_move", "moves"),
        ({"pairs": [["p0 done"]]}, "wants_kind", "pairs"),
        ({"parts": {"o d": {"size": 3}}}, "wants_some", 'parts."o d".size'),
        ({"parts": {"one": {"name": "x"}}}, "key_unknown", "parts.one.name"),
        ({"share": 1.5}, "wants_between", "share"),
        ({"word": 1.5}, "wants_kind", "word"),
        ({"colour": 1}, "key_unknown", "colour"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place_in_every_language(
    change: dict[str, Any], code: str, path: str
) -> None:
    with pytest.raises(Misfit) as misfit:
        read(Whole, {**GIVEN, **change})
    assert (misfit.value.code, called(misfit.value.path)) == (code, path)
    told = misfit.value.told(GameError, "it", GIVEN).sentence
    assert all("{" not in told.told(lang) for lang in LANGUAGES)


def test_what_is_missing_is_told_and_what_is_given_elsewhere_is_no_key() -> None:
    with pytest.raises(GameError, match="it: at: is missing"):
        read_as(Whole, {"id": "a"}, "it", GameError)
    assert read(Part, {}, name="x") == Part("x")
    with pytest.raises(Misfit, match="key_unknown"):
        read(Part, {"name": "y"}, name="x")


def test_tables_of_a_list_are_called_by_their_id_or_number_and_lines_are_named() -> None:
    data = {"site": [{"id": "A"}, {"id": "{n}"}, {}]}
    assert called(("site", 0, "at"), data) == "site A.at"
    assert [called(("site", n, "at"), data) for n in (1, 2)] == ["site[1].at", "site[2].at"]
    assert called(("site", 0, "takes", 3), data) == "site A.takes"
    text = 'id = "a"\nat = [0, 0]\n[parts.one]\nsize = 3\n'
    with (
        pytest.raises(GameError, match=r"it, line 4: parts\.one\.size"),
        toml(text, "it", GameError) as data,
    ):
        read(Whole, data)
    with pytest.raises(GameError, match="not valid TOML"), toml("[", "it", GameError):
        pass
