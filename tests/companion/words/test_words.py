"""Words of commands: complaints, progress, and no bare names."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.settings.settings import Settings, load_settings
from companion.words import bare_names
from companion.words import progress as subject
from companion.words.bare_names import groups, unknown, unknown_names
from companion.words.progress import progress
from tests.support.command import ROOT, Heelstone
from tests.support.scenery import album

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


def test_elsewhere_a_stage_is_one_line_however_often_it_is_told(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "PATIENCE_S", 0.0)
    with progress("en") as stage:
        for name in ("review", "import"):
            step = stage(name)
            for done in range(50):
                step(done, 50)
    told = capfd.readouterr()
    assert told.err == "Looking back at the match\nReplaying the match\n"
    assert told.out == ""
    monkeypatch.setattr(subject, "LOG_S", 0.0)
    with progress("en") as stage:
        moves = stage("demo_whole", game="ludo")
        moves(7, 0)
    what = "Moves of a whole match of ludo on the virtual table"
    assert capfd.readouterr().err == f"{what}\n{what} … 7\n"


def test_what_is_done_soon_is_worth_no_line(capfd: pytest.CaptureFixture[str]) -> None:
    with progress("de") as stage:
        stage("review")(1, 2)
    assert capfd.readouterr().err == ""


def test_other_programs_are_told_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "PATIENCE_S", 0.0)
    with progress("en", quiet=True) as stage:
        stage("review")(1, 2)
    assert capfd.readouterr() == ("", "")


def test_a_live_line_names_the_stage_and_the_share_however_narrow_the_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "AGAIN_S", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for columns, told in (("40", "Looking back at the match … 50 %"), ("18", "Looking ba … 50 %")):
        monkeypatch.setenv("COLUMNS", columns)
        with progress("en") as stage:
            stage("review")(1, 2)
        assert told in [line.rstrip() for line in capfd.readouterr().err.split("\r")]


@pytest.mark.parametrize("as_json", [False, True])
def test_on_a_terminal_one_line_shows_how_far_it_is_and_is_gone_in_the_end(
    tmp_path: Path, as_json: bool
) -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "companion.app.entry", "check", KNIZIA, "--matches", "2"]
    done = subprocess.run(
        [*command, "--lang", "de", *(["--json"] if as_json else [])],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=child, timeout=240, check=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "COLUMNS": "60"},
    )  # fmt: skip
    os.close(child)
    shown = os.read(parent, 1 << 16).decode()
    os.close(parent)
    assert "\n" not in shown and "\x1b" not in shown
    lines = shown.split("\r")
    assert any("Zufällige Partien werden gespielt: knizia_stonehenge …" in line for line in lines)
    assert max(map(len, lines)) == 59 and lines[-2:] == [" " * 59, ""]
    assert done.stdout.startswith(b'{"game"' if as_json else b"knizia_stonehenge: 2 Partien")


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """Settings with a misspelt group."""
    file = tmp_path / "settings.toml"
    file.write_text('[camera]\nbare = ["stome", "megalith"]\n')
    return file


def test_only_what_no_box_has_is_unknown() -> None:
    assert unknown(["stone", "druid red", "*", "auto", "stome"]) == ("stome",)
    assert "stone" in groups() and "card" not in groups()


def test_what_a_game_from_elsewhere_has_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unknown(["seed"]) == ("seed",)
    kalah = ROOT / "examples" / "kalah" / "kalah" / "box.toml"
    monkeypatch.setattr(bare_names, "game_ids", lambda: ("kalah_there",))
    monkeypatch.setattr(bare_names, "find_game", lambda _: SimpleNamespace(box=str(kalah)))
    assert unknown(["seed", "stome"]) == ("stome",)


@pytest.mark.parametrize("lang", ["de", "en"])
def test_one_sentence_names_the_word_the_file_and_what_is_possible(
    settings: Path, lang: str
) -> None:
    wrong = unknown_names(["stome"], settings)
    assert wrong is not None
    text = wrong.told(lang)
    assert "stome" in text and str(settings) in text and "stone" in text
    assert unknown_names(["stone"], settings) is None


def test_watching_says_so_and_goes_on(heelstone: Heelstone, tmp_path: Path, settings: Path) -> None:
    folder = album(tmp_path / "pictures", [{}])
    result = heelstone(
        "watch", folder, "--game", KNIZIA, "--settings", settings, "--lang", "en", "--json"
    )
    assert result.code == 0
    assert result.err.count("\n") == 1 and "'stome'" in result.err
    assert result.records[-1]["moves"] == []


def test_the_doctor_says_so(heelstone: Heelstone, tmp_path: Path, settings: Path) -> None:
    result = heelstone(
        "doctor", "--settings", settings, "--data", tmp_path / "state", "--lang", "de"
    )
    assert "! Einstellungen" in result.out and "stome" in result.out


def test_what_is_without_stickers_is_found_out_unless_a_list_says_otherwise(
    tmp_path: Path,
) -> None:
    assert Settings().camera.bare_names == ("auto",)
    file = tmp_path / "settings.toml"
    for written, names in (('"auto"', ("auto",)), ("[]", ()), ('["stone"]', ("stone",))):
        file.write_text(f"[camera]\nbare = {written}\n")
        assert load_settings(file).camera.bare_names == names
