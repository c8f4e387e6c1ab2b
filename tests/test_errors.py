"""Errors are codes and parameters; their words are in ``errors.toml`` of each language."""

from __future__ import annotations

import ast
import errno
import json
import pickle
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.box import BoxError, load_box
from rules.core import GameError, StateError
from rules.errors import LONGEST, Sentence, catalogue, sentence_of
from rules.near import hint
from rules.texts import read_texts
from tests.support.command import ROOT
from tests.support.sources import SOURCES, named, nodes

TOLD = [path for path in SOURCES if path.relative_to(ROOT).parts[0] != "hardware"]
"""Devices have troubles, which have words of their own."""


def gaps(words: str) -> set[str]:
    """The parameters of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(words) if name}


def test_no_code_stands_in_two_groups() -> None:
    codes = [code for group in read_texts("errors", "en").values() for code in group]
    assert sorted(codes) == sorted(set(codes))


def raised() -> Iterator[tuple[str, str, set[str]]]:
    """Uses of codes in the sources: place, code, and parameters."""
    for path in TOLD:
        for node in nodes(path):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called, code = named(node.func), node.args[0]
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                given = {str(keyword.arg) for keyword in node.keywords}
                if called == "Sentence":
                    given = {
                        ast.literal_eval(key)
                        for made in node.args[1:2]
                        if isinstance(made, ast.Dict)
                        for key in made.keys
                        if key is not None
                    }
                elif called in ("fail", "wrong"):
                    given |= {"file", "key"}
                elif not called.endswith("Error") and called not in SAYING:
                    continue
                yield f"{path.relative_to(ROOT)}:{node.lineno}", code.value, given


SAYING = {"Complaint", "NoBoard", "notice"}
"""Besides the classes called …Error: what is told by a code."""


def test_every_code_has_words_that_fit_what_it_is_given() -> None:
    words = catalogue("rules", "en")
    found = list(raised())
    assert len(found) > 100
    unknown = [(at, code) for at, code, _ in found if code not in words and " " not in code]
    assert unknown == []
    wrong = [
        (at, code, given) for at, code, given in found
        if code in words and not gaps(words[code]) <= given and "None" not in given
    ]  # fmt: skip
    assert wrong == []


def test_nobody_raises_prose() -> None:
    """Not even with a gap: a code is one word, and its words stand in the catalogues."""
    told = {"Complaint"}
    classes = [node for path in TOLD for node in nodes(path) if isinstance(node, ast.ClassDef)]
    while new := {c.name for c in classes if told & {named(b) for b in c.bases}} - told:
        told |= new
    prose = []
    for path in TOLD:
        for node in nodes(path):
            if isinstance(node, ast.Call) and named(node.func) in {*told, "notice"}:
                code = node.args[0] if node.args else None
                word = isinstance(code, ast.Constant) and str(code.value).isidentifier()
                if isinstance(code, ast.JoinedStr) or (isinstance(code, ast.Constant) and not word):
                    prose.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert {"GameError", "JournalError", "UsageError", "SourceError", "NoBoard"} <= told
    assert prose == []


def test_no_words_are_left_for_codes_that_nothing_uses() -> None:
    used = {*errno.errorcode.values(), "within", "or", "and"}
    for path in TOLD:
        for node in nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used.add(node.value)
    assert catalogue("rules", "en").keys() - used == set()


def test_an_error_is_told_in_any_language_and_is_its_english_sentence() -> None:
    with pytest.raises(BoxError, match="there is no box 'chess'; there are: dolmen") as caught:
        load_box("chess")
    assert caught.value.code == "no_box"
    assert caught.value.sentence.told("de").startswith("Die Schachtel ‚chess‘ gibt es nicht;")


def test_errors_within_errors_are_told_in_the_same_language() -> None:
    outer = GameError("box_unreadable", file=Path("/a/b.toml"), reason=OSError(errno.EACCES, "x"))
    told = outer.sentence.told
    assert told("en") == "cannot read the box file /a/b.toml: Permission denied"
    assert told("de") == "Die Schachteldatei /a/b.toml ist nicht lesbar: Keine Berechtigung"
    assert (
        told("de", brief=True) == "Die Schachteldatei b.toml ist nicht lesbar: Keine Berechtigung"
    )


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("turn"), "es fehlt ‚turn‘"),
        (ValueError("invalid literal for int() with base 10: 'x'"), "ein Wert ist nicht möglich"),
        (RecursionError("maximum recursion depth exceeded"), "zu tief verschachtelt"),
        (OSError(errno.EHOSTDOWN, "Host is down"), "das System lehnt es ab (EHOSTDOWN)"),
        (OSError("prose"), "das System lehnt es ab (OSError)"),
        (TypeError("unhashable type: 'list'"), "eine Angabe ist von falscher Art"),
    ],
)
def test_errors_of_python_are_told_by_their_kind(error: Exception, told: str) -> None:
    assert sentence_of(error).told("de") == told


def test_broken_json_is_told_by_line_and_column() -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads('{"a": 1,\n "b": }')
    assert str(sentence_of(caught.value)) == "it goes wrong at line 2, column 7"


def test_lists_are_joined_and_what_stands_in_a_file_is_shown_as_it_stands() -> None:
    assert str(StateError("unfit", key="turn", found=["p0"])) == "turn: ['p0'] does not fit"
    few = GameError("runes_two", place="U1", circles=["K1", "K2", "K3"], runes=["A", "B"])
    assert str(few) == "the place U1 of circle K1, K2 and K3 carries two runes, A and B"
    assert "has no option 'x'; there are: none" in str(
        GameError("no_option", game="g", option="x", hint=hint("x", []))
    )


def test_a_name_without_an_end_does_not_fill_the_screen() -> None:
    error = GameError("no_option", game="g", option="x" * 10**6, hint=hint("x" * 10**6, ["y"]))
    assert len(str(error)) < 2 * LONGEST and "xxx…" in str(error)


def test_an_error_keeps_its_parameters_across_processes_and_no_frames() -> None:
    error = StateError("no_position", game="g", reason=KeyError("turn"))
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.sentence) == (StateError, error.sentence)
    assert error.params["reason"] == Sentence("entry_missing", {"key": "turn"})


def test_a_sentence_of_an_author_without_words_is_shown_as_it_is() -> None:
    assert str(StateError("the {ring} is broken")) == "the {ring} is broken"
