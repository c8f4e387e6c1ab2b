"""The folder that is built: whole, asking nobody else, and of checked parts only."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import cv2
import pytest

from companion.web.try_page import engine
from companion.web.try_page.__main__ import main
from companion.web.try_page.building import ARCHIVE, needed, write_pages
from companion.web.try_page.engine import EngineError, find_engine, unpack_engine
from companion.web.try_page.installing import MANIFEST, WORKER, list_files
from rules.games import find_game, shelf_order
from rules.texts import LANGUAGES


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("try")
    write_pages(built)
    return built


def test_only_what_runs_without_a_table_is_packed() -> None:
    # The names of what is written down are no journal.
    modules = {*needed()} - {f"companion.journal{name}" for name in ("", ".events", ".entries")}
    assert "companion.web.try_page.trial" in modules
    floors = {"companion.journal", "companion.camera", "companion.ui.screens", "vision", "kivy"}
    assert not [name for name in modules if any(name.startswith(floor) for floor in floors)]
    assert len(modules) < 60, sorted(modules)


def test_the_archive_plays_with_the_standard_library_alone(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(folder / ARCHIVE) as archive:
        archive.extractall(tmp_path)
    program = (
        "import sys, json; sys.path.insert(0, sys.argv[1])\n"
        "from companion.web.try_page.answering import answer\n"
        "ask = lambda **what: json.loads(answer(json.dumps({'lang': 'de', **what})))\n"
        "ask(do='begin', game='knizia_stonehenge', players=2, options={}, seed='', names=['Ada'],"
        " computers=['', 'apprentice'])\n"
        "ask(do='play', moves=['p0 place 5 D'])\n"
        "print(ask(do='touch', things=['stone brown 4'], sites=['D'])['why']['title'])\n"
        "ask(do='think', seconds=0.01)\n"
        "print(ask(do='picture')['picture']['public']['ply'])\n"
    )
    # -I and -S: neither this project nor any package is found.
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", program, str(tmp_path)],
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    title, plies = done.stdout.split("\n")[:2]
    assert title == "Feld D ist besetzt" and int(plies) >= 3


def test_every_game_is_on_the_shelf_in_both_languages_with_board_and_rules(folder: Path) -> None:
    for lang in ("de", "en"):
        shelf = json.loads((folder / "data" / f"games.{lang}.json").read_text(encoding="utf-8"))
        own = [game for game in shelf_order() if find_game(game).package == "rules"]
        assert [game["id"] for game in shelf] == own and len(own) >= 8
        for game in shelf:
            assert game["tagline"] and game["cover"]["shapes"]
            more = json.loads((folder / "data" / f"{game['id']}.{lang}.json").read_text("utf-8"))
            assert more["pages"]
            assert bool(more["shapes"]["sites"]) is find_game(game["id"]).watched


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_page_shows_a_wrong_move_and_why(folder: Path, lang: str) -> None:
    scene = json.loads((folder / f"data/first.{lang}.json").read_text("utf-8"))
    assert all(scene["why"][part] for part in ("title", "text", "do"))
    new = [one for one in scene["after"]["pieces"] if one not in scene["before"]["pieces"]]
    assert [one["site"] for one in new] == scene["sites"]
    assert scene["before"]["frame"] == scene["after"]["frame"]


def test_it_can_be_installed_and_keeps_all_of_itself(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page"
    shutil.copytree(folder, page)
    list_files(page)
    manifest = json.loads((page / MANIFEST).read_text("utf-8"))
    for icon in manifest["icons"]:
        assert (page / icon["src"]).is_file()
        if icon["sizes"] != "any":
            picture = cv2.imread(str(page / icon["src"]))
            assert picture is not None and "x".join(map(str, picture.shape[:2])) == icon["sizes"]
            moon = picture[round(9 / 32 * len(picture)), round(23 / 32 * len(picture))]
            assert moon.tolist() == [0x4B, 0xC2, 0xF0]
    mark, files = re.findall(r"^const \w+ = (.*);$", (page / WORKER).read_text("utf-8"), re.M)[:2]
    there = {f.relative_to(page).as_posix() for f in page.rglob("*") if f.is_file()}
    assert {*json.loads(files)} == there - {WORKER, "index.html", "OFL.txt"} | {"./"}
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    (other / "try.css").write_text("", "utf-8")
    list_files(other)
    assert mark not in (other / WORKER).read_text("utf-8")


def test_every_file_that_is_named_is_there(folder: Path) -> None:
    for file in folder.glob("*.js"):
        for name in re.findall(r'from "\./([\w./-]+)"', file.read_text(encoding="utf-8")):
            assert name.startswith("python/") or (folder / name).is_file(), (file.name, name)
    page = (folder / "index.html").read_text(encoding="utf-8")
    for name in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert (folder / name).is_file(), name
    for name in re.findall(r'url\("([^"]+)"\)', (folder / "style.css").read_text(encoding="utf-8")):
        assert (folder / name).is_file(), name


def test_nothing_comes_from_elsewhere(folder: Path) -> None:
    for file in folder.iterdir():
        if file.suffix in (".js", ".css", ".html"):
            found = re.findall(r"https?://[^\s\"'`)]+", file.read_text(encoding="utf-8"))
            assert set(found) <= {"http://www.w3.org/2000/svg"}, file.name
    page = (folder / "index.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules["default-src"] == "'none'" and rules["connect-src"] == "'self'"
    assert "'unsafe-inline'" not in policy[1] and "'unsafe-eval'" not in policy[1]
    assert not re.search(r"<[^>]+ (on\w+|style)=", page)


def test_every_word_of_the_page_is_there(folder: Path) -> None:
    words = json.loads((folder / "data" / "words.de.json").read_text(encoding="utf-8"))
    for file in folder.glob("*.js"):
        for key in re.findall(r'\bword\("([\w]+)"', file.read_text(encoding="utf-8")):
            assert key in words or key.endswith("_pile"), (file.name, key)


def test_equal_sources_make_equal_archives(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    write_pages(again)
    assert (again / ARCHIVE).read_bytes() == (folder / ARCHIVE).read_bytes()


# -- Pyodide ----------------------------------------------------------------------------------


def test_another_package_than_the_chosen_one_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "pyodide.tgz"
    other.write_bytes(b"something else")
    with pytest.raises(EngineError) as caught:
        find_engine(other)
    assert caught.value.code == "engine_other"
    with pytest.raises(EngineError):
        find_engine(tmp_path / "missing.tgz")
    with pytest.raises(EngineError):
        unpack_engine(other, tmp_path / "python")


def test_without_a_network_one_line_says_what_to_do_and_the_old_page_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    npm.chmod(0o755)
    monkeypatch.setattr(engine, "kept_engine", lambda: tmp_path / "none.tgz")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    before = tmp_path / "page" / "index.html"
    before.parent.mkdir()
    before.write_text("the page of yesterday", encoding="utf-8")
    assert main(["--out", str(before.parent)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "--engine" in said
    assert before.read_text(encoding="utf-8") == "the page of yesterday"
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert main(["--out", str(before.parent)]) == 2
    assert "npm" in capsys.readouterr().err


def test_what_a_browser_needs_is_unpacked_and_no_package_is_listed(tmp_path: Path) -> None:
    source = tmp_path / "package"
    source.mkdir()
    for name in (*engine.ENGINE_FILES, engine.LARGE):
        (source / name).write_bytes(b"x")
    (source / engine.LOCK).write_text('{"info": {"python": "3"}, "packages": {"numpy": {}}}')
    (source / "README.md").write_text("not needed")
    with tarfile.open(tmp_path / "engine.tgz", "w:gz") as archive:
        archive.add(source, "package")
    unpack_engine(tmp_path / "engine.tgz", tmp_path / "python")
    packed = f"{engine.LARGE}{engine.PACKED}"
    there = {f.name for f in (tmp_path / "python").iterdir()}
    assert there == {*engine.ENGINE_FILES, engine.LOCK, packed}
    assert gzip.decompress((tmp_path / "python" / packed).read_bytes()) == b"x"
    lock = json.loads((tmp_path / "python" / engine.LOCK).read_text(encoding="utf-8"))
    assert lock == {"info": {"python": "3"}, "packages": {}}
