"""Games declared in TOML; mistakes in files and words are named with their place."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
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
from rules.games import game_ids
from rules.near import MOST_LISTED, hint, nearest
from rules.texts import LANGUAGES
from rules.toml_lines import KeyPath, lines_of, nearest_line
from tests.support.command import ROOT

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


DEEP = {
    "a key of many parts": ".".join("a" * 20_000) + " = 1",
    "a quoted key of many parts": ".".join(['"a"'] * 20_000) + " = 1",
    "a key of many parts and blanks": " . ".join("a" * 20_000) + " = 1",
    "a section of many parts": f"[{'.'.join('a' * 20_000)}]",
    "an array of tables of many parts": f"[[{'.'.join('a' * 20_000)}]]",
    "lists within each other": f"a = {'[' * 50_000}",
    "lists that are closed": f"a = {'[' * 200}{']' * 200}",
    "tables within each other": "a = " + "{a.a.a.a.a.a.a.a = " * 200 + "1" + "}" * 200,
    "keys and tables": ".".join("a" * 30) + " = {" + ".".join("b" * 30) + " = 1}",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_a_text_that_is_nested_too_deeply_is_refused_at_once(text: str) -> None:
    with pytest.raises(GameError) as told, toml(text, "x.toml", GameError):
        pytest.fail("it was read")
    assert "nested too deeply" in told.value.sentence.told("en")


def test_what_only_looks_deep_is_read() -> None:
    text = f"""
    # {".".join("a" * 100)}
    {".".join("a" * 30)} = [{", ".join(["1.5"] * 500)}]
    b = "{"a. " * 100}"
    """
    with toml(text, "x.toml", GameError) as data:
        assert set(data) == {"a", "b"}


def test_a_text_that_cannot_be_shown_is_refused_whatever_kind_of_file_it_is_in() -> None:
    with (
        pytest.raises(GameError) as told,
        toml('[a]\nb = ["x", "\\u202e"]', "x.toml", GameError),
    ):
        pytest.fail("it was read")
    assert told.value.code == "unprintable" and "2" in told.value.sentence.told("en")


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


HARD = '''# a comment with = and [brackets]
plain = 1
"b c".d = "x # [" # y
[t]
k = [ 1, # one
  [2, 3],
  { z = """a
"" b""", y = \'\'\'q
[no]\'\'\' },
]

[[s]]
id = "A"
[[s]]
id = 'B'
  o.p = { g = { at = [1, 2] } }
[[s.inner]]
w = 1979-05-27 07:32:00
[s.'x.y']
"q\\"r" = -inf
'''


def _paths(data: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    named = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in named:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from _paths(value, (*path, key))


def test_every_key_of_hard_toml_stands_on_its_line() -> None:
    lines = lines_of(HARD)
    assert set(lines) == set(_paths(tomllib.loads(HARD)))
    wanted: dict[KeyPath, int] = {
        ("plain",): 2, ("b c", "d"): 3, ("t",): 4, ("t", "k", 0): 5, ("t", "k", 1, 1): 6,
        ("t", "k", 2, "z"): 7, ("t", "k", 2, "y"): 8, ("s", 0): 12, ("s", 1, "id"): 15,
        ("s", 1, "o", "p", "g", "at", 1): 16, ("s", 1, "inner", 0, "w"): 18,
        ("s", 1, "x.y", 'q"r'): 20,
    }  # fmt: skip
    assert {path: lines[path] for path in wanted} == wanted


def test_a_file_from_elsewhere_may_end_its_lines_otherwise() -> None:
    assert lines_of(HARD.replace("\n", "\r\n")) == lines_of(HARD)


def test_what_is_missing_is_sought_in_the_table_around_it() -> None:
    lines = lines_of(HARD)
    assert nearest_line(lines, ("s", 1, "radius")) == 14
    assert nearest_line(lines, ("nowhere", 3)) == 1


@pytest.mark.parametrize("folder", ["rules/boxes", "rules/languages/en", "rules/puzzles"])
def test_every_key_of_our_own_files_has_a_line(folder: str) -> None:
    for file in (ROOT / folder).iterdir():
        if file.name.endswith(".toml"):
            text = file.read_text(encoding="utf-8")
            assert set(lines_of(text)) == set(_paths(tomllib.loads(text))), file.name


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("domnion", ("dominion",)),
        ("Dolmengötter", ("dolmengoetter",)),
        ("hoher-rat", ("hoher_rat",)),
        ("knizia", ("knizia_stonehenge",)),
        ("stonehenge", ("erbaut_stonehenge", "knizia_stonehenge")),
        ("chess", ()),
        ("", ()),
    ],
)
def test_a_misspelt_game_is_found(typed: str, meant: tuple[str, ...]) -> None:
    assert nearest(typed, game_ids()) == meant


def test_a_number_is_never_taken_for_another() -> None:
    assert nearest("55", ["5", "6", "50"]) == ()


def test_one_near_name_is_asked_for_and_otherwise_all_are_listed_in_both_languages() -> None:
    near, far = hint("stkn", ["skin", "stickers"], ["stone"]), hint("dice", ["board", "pieces"])
    assert (near.told("en"), near.told("de")) == ("did you mean 'skin'?", "ist ‚skin‘ gemeint?")
    assert (far.told("en"), far.told("de")) == (
        "there are: board, pieces",
        "es gibt: board, pieces",
    )
    assert hint("comit_s", ["lang"], ["commit_s"]).told("en") == "did you mean 'commit_s'?"


def test_a_list_too_long_for_a_line_is_cut() -> None:
    told = hint("none of them", range(10 * MOST_LISTED)).told("en")
    assert told.endswith(f", {MOST_LISTED - 1}, …")
