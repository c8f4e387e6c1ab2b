"""The docs are true: examples run, sessions give what they show, links lead somewhere."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app.cli import main
from companion.settings.settings import Settings, load_settings
from companion.settings.validating import faults
from docs.gallery.tables import rewritten
from rules.games import find_game, game_ids

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FORMS = sorted(ROOT.glob(".github/ISSUE_TEMPLATE/*.yml"))
EXAMPLES = sorted(ROOT.glob("examples/*.py"))
PICTURES = sorted(ROOT.glob("docs/pictures/*"))

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _blocks(page: Path, language: str) -> list[str]:
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [text for tag, text in found if tag == language]


def _prose(page: Path) -> str:
    """The page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    """Names that a link may have behind ``#``, as GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


def _help(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with pytest.raises(SystemExit):
        main([*command, "--help"])
    return capsys.readouterr().out


def _sections() -> dict[str, str]:
    """The text of docs/commands.md per command."""
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    found = (re.match(r"`heelstone ([a-z-]+)`", part) for part in parts)
    return {match[1]: part for match, part in zip(found, parts, strict=True) if match}


# -- examples -----------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(example: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not list(tmp_path.iterdir()), "an example leaves nothing behind"


def test_the_readme_names_every_example() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [e.name for e in EXAMPLES if f"(examples/{e.name})" not in readme] == []


# -- Python sessions ------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_sessions_of_the_page_give_what_they_show(page: Path) -> None:
    session = "\n".join(block for block in _blocks(page, "python") if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(session, {}, _name(page), str(page), 0)
    report: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert results.failed == 0, "".join(report)


def test_the_readme_shows_a_match_played_and_a_move_refused() -> None:
    (session, *_) = _blocks(ROOT / "README.md", "python")
    assert "match.push" in session
    assert "IllegalMove" in session


# -- what changed ---------------------------------------------------------------------------------

CHANGES = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
"""The headings of Keep a Changelog."""


def test_the_changelog_has_dated_versions_and_the_usual_headings() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest, *versions = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert newest == "[Unreleased]"
    dated = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)", v) for v in versions]
    numbers = [tuple(map(int, found.groups()[:3])) for found in dated if found]
    days = [date.fromisoformat(found[4]) for found in dated if found]
    assert len(numbers) == len(versions) > 0
    assert numbers == sorted(numbers, reverse=True) and days == sorted(days, reverse=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert tuple(map(int, project["version"].split("."))) in numbers
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= CHANGES
    under = re.split(r"^(#+) .*$", text, flags=re.MULTILINE)
    levels, parts = under[1::2], under[2::2]
    stray = [part for level, part in zip(levels, parts, strict=True)
             if level != "###" and re.search(r"^- ", part, re.MULTILINE)]  # fmt: skip
    assert stray == []


# -- links and pictures ---------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_link_of_the_page_leads_somewhere(page: Path) -> None:
    broken = []
    for link in LINK.findall(_prose(page)):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        missing = not target.exists() or not target.is_relative_to(ROOT)
        if missing or (anchor and anchor not in _anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_lists_made_of_code_are_those_of_today(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == rewritten(text), "python -m docs.gallery.tables writes them"


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_module_the_page_names_exists(page: Path) -> None:
    code = re.findall(r"`([^`\n]+)`", _prose(page)) if page.name != "CHANGELOG.md" else []
    dotted = r"(?<![\w.])(?:rules|vision|hardware|companion)(?:\.[A-Za-z_]\w*)+(?![\w/]|\.\w)"
    named = {name for span in code if "/" not in span for name in re.findall(dotted, span)}
    assert sorted(name for name in named if not _exists(name)) == []


def _exists(name: str) -> bool:
    """True if there is a module of this name, or one that has the last part."""
    module = ROOT.joinpath(*name.split("."))
    if module.is_dir() or module.with_suffix(".py").is_file():
        return True
    module, last = module.parent, module.name
    file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
    return file.is_file() and re.search(rf"\b{last}\b", file.read_text("utf-8")) is not None


def test_every_page_of_the_docs_is_linked_from_the_readme() -> None:
    readme = _prose(ROOT / "README.md")
    pages = [_name(page) for page in PAGES if page.name != "README.md"]
    assert [page for page in pages if f"({page})" not in readme] == []


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.name)
def test_the_picture_is_small(picture: Path) -> None:
    assert 500 < picture.stat().st_size < 200_000


def test_the_data_flow_is_a_drawing_that_says_what_it_shows() -> None:
    drawing = ElementTree.parse(ROOT / "docs" / "pictures" / "dataflow.svg").getroot()
    parts = {part.tag.rpartition("}")[2] for part in drawing}
    assert {"title", "desc"} <= parts
    assert "script" not in parts


# -- commands -------------------------------------------------------------------------------------


def test_the_readme_names_exactly_two_make_targets() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\bmake [a-z-]+", readme)) == {"make demo", "make test"}


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_make_target_of_the_page_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"(?:`|^)make ([a-z-]+)", text, re.M)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(named) <= set(targets)


def test_commands_and_their_page_agree(capsys: pytest.CaptureFixture[str]) -> None:
    listed = re.findall(r"^    ([a-z-]+)  ", _help(capsys), re.MULTILINE)
    assert sorted(_sections()) == sorted(listed)


@pytest.mark.parametrize("command", sorted(_sections()))
def test_the_command_has_the_options_its_section_names(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = set(re.findall(r"--[a-z]+", _sections()[command]))
    deeds = re.findall(r"^    ([a-z-]+)  ", told := _help(capsys, command), re.MULTILINE)
    shown = set(re.findall(r"--[a-z]+", told + "".join(_help(capsys, command, d) for d in deeds)))
    shared = {"--help", "--lang", "--json", "--data", "--settings"}
    assert options <= shown
    assert shown - shared <= options


@pytest.mark.parametrize("page", [*PAGES, *FORMS], ids=_name)
def test_every_command_the_page_names_exists(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = re.findall(r"^    ([a-z-]+)  ", _help(capsys), re.MULTILINE)
    named = re.findall(r"`heelstone ([a-z][a-z-]*)", page.read_text(encoding="utf-8"))
    assert [command for command in named if command not in listed] == []


@pytest.mark.parametrize("block", _blocks(ROOT / "docs" / "settings.md", "toml"))
def test_the_settings_shown_are_settings(block: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(block, encoding="utf-8")
    settings = load_settings(file, required=True)
    assert settings != Settings()
    assert faults(settings, file) == []


def test_every_setting_is_shown_on_its_page() -> None:
    blocks = _blocks(ROOT / "docs" / "settings.md", "toml")
    whole = "".join(b for b in blocks if "version = " in b or "[screen]" in b)
    assert _keys(tomllib.loads(whole)) == {*_fields(Settings), "lamp_sites.knizia_stonehenge"} | {
        f"rig.buttons.{name}" for name in ("commit", "undo", "redo", "again")
    }


def _keys(data: dict[str, Any], section: str = "") -> set[str]:
    found = set()
    for key, value in data.items():
        place = f"{section}{key}"
        deeper = isinstance(value, dict) and not section.startswith("lamp_sites")
        found |= _keys(value, f"{place}.") if deeper else {place}
    return found


def _fields(struct: type[msgspec.Struct], section: str = "") -> set[str]:
    found = set()
    for field in msgspec.structs.fields(struct):
        place = f"{section}{field.name}"
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            found |= _fields(field.type, f"{place}.")
        elif place not in {"lamp_sites", "rig.buttons", "rig.score.options"}:
            found.add(place)
    return found


# -- games ----------------------------------------------------------------------------------------


def test_the_readme_lists_every_game_with_its_numbers_of_players() -> None:
    rows = re.findall(r"^\|.*`([a-z_]+)` \| ([^|]+) \|", _prose(ROOT / "README.md"), re.MULTILINE)
    listed = {game: players.strip() for game, players in rows}
    assert listed == {game: _players(find_game(game).players) for game in _own_games()}


def _own_games() -> list[str]:
    return [game for game in game_ids() if type(find_game(game)).__module__.startswith("rules.")]


def _players(numbers: tuple[int, ...]) -> str:
    if numbers == tuple(range(numbers[0], numbers[-1] + 1)):
        return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    return " or ".join(map(str, numbers))


PROMISES = re.findall(
    r"(?m)^- \*\*(.+?)\*\*: .+ \(([^()]+)\)$",
    (ROOT / "docs/reliability.md").read_text(encoding="utf-8"),
)
"""Faults, and what proves that the page says the truth about them."""


def _proof(command: str) -> Path:
    """The file that a command of the page on reliability runs."""
    words = command.removeprefix("sudo ").split()
    if words[:2] == ["python", "-m"]:
        return ROOT / f"{words[2].replace('.', '/')}.py"
    return ROOT / words[0]


def test_every_promise_names_what_proves_it_and_that_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert len(PROMISES) > 35
    for fault, proof in PROMISES:
        commands = re.findall(r"`([^`]+)`", proof)
        assert commands or proof.startswith(("the same", "The tests above")), fault
        for command in commands:
            words = command.split()
            if words[0] == "make":
                assert f"\n{words[1]}:" in makefile, command
            elif not command.startswith('"'):
                assert _proof(command).is_file(), command
