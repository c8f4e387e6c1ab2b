"""What commands complain of is said in the language of whoever reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import ROOT, Heelstone

KNIZIA = "knizia_stonehenge"

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
        # What Python says of a TOML file stands in brackets: it says the line no other way.
        said = re.sub(r"(/[^\s:,;]+|‚[^‘]*‘|\"[^\"]*\"|'[^']*'|--\w+)", "", result.err)
        said = re.sub(r"kein gültiges TOML \(.*", "", said)
        if ENGLISH.search(said) or re.search(r"\w+Error\(|NoneType|object", result.err):
            english.append(f"{arguments[0]}: {result.err.strip()[:300]}")
    assert english == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("simulate", "chess"), "Das Spiel ‚chess‘ gibt es nicht; es gibt: "),
        (("watch", "nowhere", "--game", KNIZIA), "‚nowhere‘ gibt es nicht; bitte einen Ordner"),
        (("games", "--settings", "nowhere.toml"), "Es gibt keine Einstellungsdatei nowhere.toml"),
        (("simulate", KNIZIA, "--players", "9"), f"{KNIZIA} ist für 2 Personen, nicht für 9"),
        (("simulate", KNIZIA, "--option", "x"), "--option erwartet name=wert"),
        (("simulate", KNIZIA, "--seed", "x"), "--seed: erwartet eine passende Zahl, nicht 'x'"),
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
