"""The words of Heelstone: all of them in every language, and a language is a folder."""

from __future__ import annotations

import ast
import json
import os
import re
import string
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from companion.match import events
from rules.box import load_box
from rules.games import own_ids
from rules.lesson import lesson_of
from rules.texts import AUTHORED, LANGUAGES, Texts, after, decimals, read_texts
from tests.support.command import ROOT
from tests.support.sources import SOURCES, nodes

FOLDER = ROOT / "rules" / "languages"
NAMES = sorted(file.stem for file in (FOLDER / "en").glob("*.toml"))


def flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def gaps(text: str) -> set[str]:
    """The parameters of a text, with what is said of them after a colon or an exclamation mark."""
    return {
        f"{name}!{conversion}:{form}"
        for _, name, form, conversion in string.Formatter().parse(text)
        if name is not None
    }


# -- every text in every language ---------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_the_same_files_as_english(lang: str) -> None:
    assert sorted(file.stem for file in (FOLDER / lang).glob("*.toml")) == NAMES


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_text_is_there_with_the_parameters_that_it_has_in_english(
    name: str, lang: str
) -> None:
    english, told = dict(flat(read_texts(name, "en"))), dict(flat(read_texts(name, lang)))
    # What boxes and lessons say in the authored languages stands in their own files.
    beyond = {"common": "boxes."} | dict.fromkeys(own_ids(), "lesson.")
    told = {key: text for key, text in told.items() if not key.startswith(beyond.get(name, "?"))}
    assert told.keys() == english.keys()
    assert [key for key, text in told.items() if not isinstance(text, str)] == []
    assert [key for key in told if bool(told[key].strip()) != bool(english[key].strip())] == []
    if name not in own_ids():  # in sentences about games a name may be left out, or inflected
        assert [key for key in told if gaps(told[key]) != gaps(english[key])] == []


# -- no text too many, none too few ---------------------------------------------------------------

ELSEWHERE = {"argparse", "common", "errors", "help", "language", "pages", "preferences", "try"}
"""Files whose texts are compared elsewhere with what asks for them: arguments, errors, scripts …"""


def said() -> tuple[set[str], set[str], set[str]]:
    """In the sources: what ``_`` is asked for, all strings, and patterns of those put together."""
    asked, strings, made = set(), set(), set()
    for node in (node for path in SOURCES for node in nodes(path)):
        match node:
            case ast.Call(func=ast.Name(id="_"), args=[ast.Constant(value=str(text))]):
                asked.add(text)
            case ast.Constant(value=str(text)):
                strings.add(text.replace("-", "_"))
            case ast.JoinedStr(values=parts):
                told = [part.value if isinstance(part, ast.Constant) else "" for part in parts]
                if re.search(r"[a-z]{3}|[a-z]_", "".join(map(str, told))):
                    made.add(".+".join(re.escape(str(text)) for text in told))
    return asked, strings, made


def test_every_text_that_the_screens_ask_for_is_there_and_no_other() -> None:
    asked, strings, made = said()
    assert len(asked) > 500
    screens = {text.partition(".")[0] for text in asked} - {"language"}
    there = {f"{name}.{key}" for name in screens for key, _ in flat(read_texts(name, "en"))}
    assert asked - there == {"language.date"}
    # A section may be read by codes: Texts("setup.advice", …), or f"update.steps.{step}".
    by_code = {text for text in there if text.rpartition(".")[0] in strings}
    pattern = re.compile("|".join(each for each in made if each.count(r"\.") > 1))
    idle = {text for text in there - strings - by_code if not pattern.fullmatch(text)}
    assert idle == set(), "these are never shown"


def test_every_other_text_is_asked_for_somewhere() -> None:
    asked, strings, made = said()
    screens = {text.partition(".")[0] for text in asked}
    scripts = (script.read_text("utf-8") for script in (ROOT / "companion").rglob("*.js"))
    strings |= {word for script in scripts for word in re.findall(r'"([a-z_0-9]+)"', script)}
    # Kinds of announcements and classes of events are keys, too.
    strings |= {text.replace(".", "_") for text in strings}
    strings |= {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in vars(events)}
    pattern = re.compile("|".join(made))
    idle = [
        f"{name}.{key}"
        for name in sorted({*NAMES} - screens - ELSEWHERE - {*own_ids()})
        for key, _ in flat(read_texts(name, "en"))
        if (word := key.rpartition(".")[2]) not in strings and not pattern.fullmatch(word)
    ]
    assert idle == []


# -- what files hold ------------------------------------------------------------------------------


def test_numbers_have_the_mark_of_their_language() -> None:
    assert [decimals("1.5", lang) for lang in AUTHORED] == ["1,5", "1.5"]


def test_languages_follow_each_other_in_a_ring() -> None:
    assert [after(lang) for lang in LANGUAGES] == [*LANGUAGES[1:], LANGUAGES[0]]


def test_an_id_names_file_section_and_key() -> None:
    assert Texts("commands.box", "en")("drawn", view="print", path="a.png") == "print: a.png"
    assert Texts("players", "de")("druid") == "Druide"


# -- one more language --------------------------------------------------------------------------

SPOKEN = """
import json, sys
from pathlib import Path
from companion.presentation.words.translate import _, speaking
from companion.settings.settings import load_settings
from companion.web.made_scripts import languages_script
from companion.web.page_words import page_words
from rules.box import load_box
from rules.errors import Sentence
from rules.games import find_game
from rules.lesson import lesson_of
from rules.telling import Teller
from rules.texts import LANGUAGES, decimals

sys.path.append(sys.argv[1])
from nine_mens_morris import GAME as FOREIGN

Path("settings.toml").write_text('lang = "xx"')
game = find_game("dominion")
lesson = lesson_of("dominion")
with speaking("xx"):
    spoken = _("screens.undo")
print(json.dumps({
    "languages": LANGUAGES,
    "settings": load_settings(Path("settings.toml")).lang,
    "game": Teller(game, "xx", game.colours(2, {})).game_name,
    "foreign": Teller(FOREIGN, "xx", FOREIGN.colours(2, {})).game_name,
    "error": Sentence("byte_unknown", {"place": 3}).told("xx"),
    "number": decimals("1.5", "xx"),
    "page": page_words("xx")["live"],
    "pages": languages_script().decode(),
    "screen": spoken,
    "boxes": [load_box(name).names["xx"] for name in ("dominion", "dolmengoetter")],
    "lesson": [lesson.steps[0].say["xx"], lesson.steps[1].say["xx"], lesson.win["xx"][0]],
}))
"""


def quoted(words: Any) -> Any:
    """The same words in brackets that no language has."""
    if isinstance(words, Mapping):
        return {key: quoted(word) for key, word in words.items()}
    return f"⟦{words}⟧"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Heelstone with one more folder of words, and nothing else that is new."""
    for package in ("vision", "hardware", "companion"):
        (tmp_path / package).symlink_to(ROOT / package)
    words_of = tmp_path / "rules" / "languages"
    (words_of / "xx").mkdir(parents=True)
    for one in (ROOT / "rules").iterdir():
        if one.name not in ("languages", "__pycache__"):
            (tmp_path / "rules" / one.name).symlink_to(one)
    for lang in LANGUAGES:
        (words_of / lang).symlink_to(FOLDER / lang)
    for name in NAMES:
        words = quoted(read_texts(name, "en"))
        if name == "language":
            words |= {"name": "Xx", "decimal": "·"}
        if name == "common":
            words["boxes"] = {"dominion": "Box of cards"}
        if name == "dominion":
            words["lesson"] = {"say1": "First of all …", "win1": "Have most points."}
        file = words_of / "xx" / f"{name}.toml"
        file.write_text(tomlkit.dumps(words), encoding="utf-8")
    return tmp_path


def _run(tree: Path, *arguments: str) -> str:
    # As at a table where nothing was installed but this: the current folder comes first.
    environment = {**os.environ, "PYTHONPATH": str(tree), "XDG_STATE_HOME": str(tree / "state")}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_language_is_one_folder_and_nothing_else(tree: Path) -> None:
    told = json.loads(_run(tree, "-c", SPOKEN, str(ROOT / "examples" / "nine_mens_morris")))
    assert told["languages"] == [*LANGUAGES, "xx"]
    assert told["settings"] == "xx"
    assert told["game"] == "⟦Dominion⟧"
    assert told["foreign"] == "Nine Men's Morris", "games from elsewhere are told in English then"
    assert told["error"] == "⟦byte 3 is not a letter⟧"
    assert told["number"] == "1·5"
    assert told["page"] == "⟦Live⟧"
    assert told["screen"] == "⟦Undo⟧"
    assert '"xx":"Xx"' in told["pages"]
    english = load_box("dolmengoetter").names["en"]
    assert told["boxes"] == ["Box of cards", english], "what is not said is said in English"
    second = lesson_of("dominion").steps[1].say["en"]
    assert told["lesson"] == ["First of all …", second, "Have most points."]


def test_commands_answer_in_it(tree: Path) -> None:
    call = ("-m", "companion.app.entry", "--lang", "xx")
    assert _run(tree, *call, "matches").startswith("⟦No matches yet.")
    assert _run(tree, *call, "check", "--help").startswith("⟦usage: ⟧")
