"""Errors in the language of whoever reads them; what nobody has translated stays English."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.words.complaints import complaint_language, in_language
from tests.support.command import ROOT, Heelstone
from vision.camera.frames import SourceError
from vision.camera.usb import UsbCameraSource

FILE = ROOT / "companion" / "words" / "text" / "errors.de.toml"
KNIZIA = "knizia_stonehenge"


@cache
def sentences() -> dict[str, str]:
    """What is translated, but for what Python says."""
    told: dict[str, str] = tomllib.loads(FILE.read_text(encoding="utf-8"))["sentences"]
    return told


def test_every_translated_sentence_stands_in_the_sources() -> None:
    """A sentence that was changed in the code would silently be English again."""
    written = set()
    for package in ("companion", "rules", "vision"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    parts = [p.value if isinstance(p, ast.Constant) else "{}" for p in node.values]
                    written.add(" ".join("".join(map(str, parts)).split()))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    written.add(" ".join(node.value.split()))
    assert [english for english in sentences() if english not in written] == []


FOR_PEOPLE = {
    "BoardError", "BoardPictureError", "BoxError", "CalibrationError", "CourseError",
    "DatabaseError", "GameError", "HiddenError", "JournalError", "MoveSyntaxError", "OptionError",
    "PrintError", "SettingsError", "SourceError", "StateError", "UsageError", "fail",
}  # fmt: skip
"""What the documented commands can be made to say."""
TOO_BARE = {"{}: {}", "{} is {}", "{}: match {}: {}", "site {}.neighbours", "site {}.takes"}
"""Hardly a word of their own: what stands in their gaps is translated."""
BY_AUTHORS = {"the camera has gone on; ask for the next frame's picture"}
"""Said to programs only."""


def raised() -> Iterator[tuple[str, str]]:
    """Where a sentence for people is raised, and the sentence with its gaps."""
    for package in ("companion", "rules", "vision"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if {"ui", "demo", "virtual"} & set(path.parts) or path.name == "conformance.py":
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
                    continue
                function = node.exc.func
                named = function.id if isinstance(function, ast.Name) else ""
                if isinstance(function, ast.Attribute):
                    named = function.attr
                for said in node.exc.args if named in FOR_PEOPLE else ():
                    if isinstance(said, ast.JoinedStr):
                        parts = [p.value if isinstance(p, ast.Constant) else "{}"
                                 for p in said.values]  # fmt: skip
                        yield f"{path.name}:{node.lineno}", "".join(map(str, parts))
                    elif isinstance(said, ast.Constant) and isinstance(said.value, str):
                        yield f"{path.name}:{node.lineno}", said.value


def test_everything_that_is_raised_for_people_is_translated() -> None:
    found = list(raised())
    assert len(found) > 150
    told = sentences().keys() | TOO_BARE | BY_AUTHORS
    missing = [(at, text) for at, text in found if " ".join(text.split()) not in told]
    assert [pair for pair in missing if " " in pair[1]] == []


ENGLISH = re.compile(
    r"\b(the|there|this|cannot|is|are|no|not|expected|found|line|missing|invalid|unknown|must|with)\b"
)


def bad_inputs(folder: Path) -> Iterator[tuple[str, ...]]:
    """Calls that go wrong, one for every documented way to hand something over."""

    def file(name: str, text: str | bytes) -> str:
        path = folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    box = (ROOT / "rules" / "boxes" / f"{KNIZIA}.toml").read_text(encoding="utf-8")
    board = (ROOT / "rules" / "games" / "dolmengoetter" / "r28.toml").read_text(encoding="utf-8")
    for number, text in enumerate(
        ("{", "[1]", "{}", '{"heelstone": 1}', "\udcff", '{"a": ' + "[" * 9999, "x" * 10,
         "9" * 9999, '{"heelstone": 1, "match": {"id": "", "game": "x"}}')
    ):  # fmt: skip
        data = text.encode("utf-8", "surrogateescape")
        yield "import", file(f"{number}.jsonl", data)
        yield "why", KNIZIA, "--state", file(f"{number}.json", data), "p0 done"
        yield "watch", str(folder), "--game", KNIZIA, "--box", file(f"{number}.toml", data)
        yield "games", "--settings", file(f"{number}-s.toml", data)
        yield "simulate", "dolmengoetter", "--board", file(f"{number}-b.toml", data)
        yield "restore", file(f"{number}.db", data or b" ")
    for old, new in (("[board]", "[bord]"), ("size", "sice"), ("= [", "= [0, "),
                     ("id =", "id = 3 #"), ("0", "1e999"), ("= ", "")):  # fmt: skip
        name = re.sub(r"\W", "_", f"{old}{new}")
        yield ("watch", str(folder), "--game", KNIZIA, "--box",
               file(f"{name}.toml", box.replace(old, new, 1)))  # fmt: skip
    for old, new in (("K01", "X"), ("circles", "circle"), ("name", "title"), ('"', "")):
        name = re.sub(r"\W", "_", f"{old}{new}")
        yield ("simulate", "dolmengoetter", "--board",
               file(f"{name}-b.toml", board.replace(old, new, 1)))  # fmt: skip
    for line in ("lang = 7", "lang = 'fr'", "manners.commit_s = -1", "[camera]\nwidth = 'x'",
                 "version = 99", "a = 1\na = 2", "x", "[a",
                 "[rig.lamps]\nkind = 'fire'"):  # fmt: skip
        yield "games", "--settings", file("settings.toml", line)
    yield "export", "x"
    yield "backup", "--data", str(folder / "empty")
    yield "backup", "--keep", "0"
    yield "restore", str(folder / "nowhere.db")
    yield "courses", "--keep", "x" * 99
    yield "courses", "--keep", "a", "--picture", str(folder / "nothing.png")
    yield "simulate", KNIZIA, "--option", "hints=often"
    yield "simulate", "dolmengoetter", "--players", "99"
    yield "why", KNIZIA, "--state", str(folder / "none.json"), "x"


def test_no_documented_call_can_be_made_to_complain_in_english(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    scratch = tmp_path / "files"
    scratch.mkdir()
    english = []
    for arguments in bad_inputs(scratch):
        result = heelstone("--lang", "de", *arguments, *(
            () if "--data" in arguments else ("--data", tmp_path / "state")
        ))  # fmt: skip
        said = re.sub(r"(/[^\s:,;]+|‚[^‘]*‘|\"[^\"]*\"|'[^']*'|--\w+)", "", result.err)
        if ENGLISH.search(said) or re.search(r"\w+Error\(|NoneType|object", result.err):
            english.append(f"{arguments[0]}: {result.err.strip()[:300]}")
    assert english == []


def test_translations_keep_every_gap() -> None:
    for english, german in sentences().items():
        gaps = english.count("{}")
        numbered = set(re.findall(r"\{(\d)\}", german))
        assert german.count("{}") == gaps or numbered == {str(n) for n in range(gaps)}, english


def test_a_reason_of_the_system_does_not_hide_the_sentence_before_it() -> None:
    told = in_language("cannot read /x/settings.toml: Permission denied", "de")
    assert told == "/x/settings.toml ist nicht lesbar: Keine Berechtigung"


def test_gaps_go_over_and_sentences_in_gaps_are_translated_too() -> None:
    denied = "the folder /x cannot be made: Permission denied; choose another with --data"
    said = in_language(denied, "de")
    wanted = "Der Ordner /x lässt sich nicht anlegen: Keine Berechtigung; bitte mit --data einen"
    assert said == f"{wanted} anderen wählen"
    assert in_language("/a/s.toml: unknown key 'langg'; did you mean 'lang'?", "de") == (
        "/a/s.toml: unbekannter Schlüssel ‚langg‘; ist ‚lang‘ gemeint?"
    )
    assert in_language("something nobody has foreseen", "de") == "something nobody has foreseen"
    assert in_language("there is no copy x", "en") == "there is no copy x"


def test_a_camera_that_is_not_there_is_told_of_in_german() -> None:
    with pytest.raises(SourceError) as caught:
        UsbCameraSource("/dev/video98", (640, 480)).read(0.1)
    said = in_language(str(caught.value), "de")
    assert said.startswith("Die Kamera /dev/video98 lässt sich nicht öffnen")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("simulate", "chess"), "Das Spiel ‚chess‘ gibt es nicht; es gibt: "),
        (("watch", "nowhere", "--game", KNIZIA), "‚nowhere‘ gibt es nicht; bitte einen Ordner"),
        (("games", "--settings", "nowhere.toml"), "Es gibt keine Einstellungsdatei nowhere.toml"),
        (("simulate", KNIZIA, "--players", "9"), f"{KNIZIA} ist für 2 Personen, nicht für 9"),
        (("simulate", KNIZIA, "--option", "x"), "--option erwartet name=wert"),
        (("print", "dominion"), "Es fehlt: --out; siehe ‚heelstone print --help‘"),
        (("print", "chess", "--out", "x.pdf"), "Die Schachtel ‚chess‘ gibt es nicht"),
        (("import", "nowhere.jsonl"), "nowhere.jsonl: Datei oder Ordner gibt es nicht"),
        (("export", "abc"), "‚abc‘"),
        (("dance",), "dance"),
    ],
)
def test_what_people_meet_is_said_in_german(
    heelstone: Heelstone, arguments: tuple[str, ...], told: str
) -> None:
    said = heelstone("--lang", "de", *arguments).complaint()
    assert told in said
    assert not re.search(r"\b(the|there|cannot|name a|invalid)\b", said), said


def test_a_broken_settings_file_is_told_of_in_the_language_it_names(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('lang = "de"\n[camera]\nsourc = "pi"\n')
    said = heelstone("games", "--settings", file).complaint()
    assert "unbekannter Schlüssel ‚sourc‘ in [camera]; ist ‚source‘ gemeint?" in said


def test_a_damaged_journal_is_told_of_in_german(heelstone: Heelstone, tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"rubbish" * 500)
    result = heelstone("matches", "--data", tmp_path, "--lang", "de")
    assert "Das Protokoll war beschädigt" in result.err
    assert "beiseitegelegt" in result.err


def test_what_was_chosen_counts_before_the_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    where = ("--data", str(tmp_path), "--settings", str(tmp_path / "settings.toml"))
    assert complaint_language(where) == "en"
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    assert complaint_language(where) == "de"
    (tmp_path / "settings.toml").write_text('lang = "en"\n')
    assert complaint_language(where) == "en"
    (tmp_path / "preferences.json").write_text(json.dumps({"lang": "de"}))
    assert complaint_language(where) == "de"
    assert complaint_language((*where, "--lang", "en")) == "en"
    assert complaint_language((*where, "--lang=de")) == "de"
    (tmp_path / "preferences.json").write_text("{")
    assert complaint_language(where) == "en"
