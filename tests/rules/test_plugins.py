"""Games in folders of their authors are found without being installed, and say what is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.core import GameError
from rules.games import add_games, find_game, game_ids
from rules.plugins import FOLDERS, entries
from tests.support.elsewhere import elsewhere

GROUP = "heelstone.games"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Every test begins without games from elsewhere."""
    with elsewhere():
        yield


def package(folder: Path, value: str, code: str, *, game: str = "tiny", src: bool = False) -> Path:
    """A package whose module is ``<game>_rules``."""
    source = folder / "src" if src else folder
    source.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(
        f'[project.entry-points."{GROUP}"]\n{game} = "{value}"\n', encoding="utf-8"
    )
    (source / f"{game}_rules.py").write_text(code, encoding="utf-8")
    return folder


KNOWN = "from rules.games.knizia_stonehenge.game import KniziaStonehenge\n"
TINY = KNOWN + "class Tiny(KniziaStonehenge):\n    id = 'tiny'\nGAME = Tiny()\n"


@pytest.mark.parametrize("src", [False, True])
def test_a_folder_that_names_a_game_is_enough(tmp_path: Path, src: bool) -> None:
    folder = package(tmp_path / "tiny", "tiny_rules:GAME", TINY, src=src)
    assert add_games(folder) == ("tiny",)
    assert "tiny" in game_ids()
    assert find_game("tiny").id == "tiny"


def test_a_folder_may_be_a_text_and_nothing_else(tmp_path: Path) -> None:
    folder = package(tmp_path / "tiny", "tiny_rules:GAME", TINY)
    assert add_games(str(folder)) == ("tiny",)
    with pytest.raises(GameError) as refused:
        add_games(find_game("tiny"))  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.params["found"]) == ("wants_folder", "Tiny")


def test_programs_that_are_started_from_here_know_the_game_too(tmp_path: Path) -> None:
    folder = package(tmp_path / "tiny", "tiny_rules:GAME", TINY)
    add_games(folder)
    add_games(folder)
    assert os.environ[FOLDERS].split(os.pathsep).count(str(folder)) == 1


def test_a_broken_folder_hides_no_other_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = package(tmp_path / "good", "tiny_rules:GAME", TINY)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "pyproject.toml").write_text("[project", encoding="utf-8")
    monkeypatch.setenv(FOLDERS, os.pathsep.join([str(broken), str(good), str(tmp_path / "gone")]))
    entries.cache_clear()
    assert [*entries(GROUP)].count("tiny") == 1
    assert find_game("tiny").id == "tiny"


@pytest.mark.parametrize(
    ("value", "code", "told"),
    [
        ("tiny_rules:GAME", "GAME = 7", "entry_no_game"),
        ("tiny_rules:GAME", KNOWN + "GAME = KniziaStonehenge()", "entry_other_id"),
        ("tiny_rules:GAEM", TINY, "entry_no_module"),
        ("tiny_ruels:GAME", TINY, "entry_no_module"),
        ("tiny_rules:GAME", "import no_such_module", "entry_fails"),
        ("tiny_rules:GAME", "def broken(:", "entry_fails"),
        ("tiny_rules:GAME", "GAME = 1 / 0", "entry_fails"),
        ("tiny_rules:GAME", "GAME = KniziaStonehenge()", "entry_fails"),
    ],
)
def test_a_game_that_cannot_be_loaded_says_why(
    tmp_path: Path, value: str, code: str, told: str
) -> None:
    add_games(package(tmp_path / "tiny", value, code))
    with pytest.raises(GameError) as caught:
        find_game("tiny")
    assert caught.value.code == told
    if told == "entry_fails":
        assert caught.value.params["place"] == "tiny_rules.py:1"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "no_pyproject"),
        ("[project", "bad_toml"),
        ('[project]\nname = "tiny"', "pyproject_no_game"),
        ('[project.entry-points]\n"heelstone.games" = "tiny"', "pyproject_no_game"),
        ('[project.entry-points."heelstone.games"]\ntiny = 7', "pyproject_no_game"),
    ],
)
def test_a_folder_without_a_game_says_what_it_lacks(
    tmp_path: Path, text: str | None, told: str
) -> None:
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(GameError) as caught:
        add_games(tmp_path)
    assert caught.value.code == told
    assert FOLDERS not in os.environ
