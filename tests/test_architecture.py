"""The architecture: four packages, arrows in one direction, and Kivy behind one door.

The import contracts of ``pyproject.toml`` are held by ``make lint``.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import ROOT
from tests.support.sources import PACKAGES, SOURCES, imports, nodes, tree

FIRMWARE = ROOT / "hardware" / "firmware"
"""Programs for other computers: they are copied there and never imported here."""
ENDURANCE = ROOT / "tests" / "endurance"
TESTS_OF_BENCHMARKS = ROOT / "tests" / "benchmarks"
ENTRIES = {
    ".ci", ".gitattributes", ".github", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
    "MANIFEST.in", "Makefile", "README.md", "SECURITY.md", "benchmarks", "companion", "docs",
    "examples", "hardware", "install.sh", "pyproject.toml", "requirements-3.11.txt",
    "requirements-3.13.txt", "rules", "setup.py", "systemd", "tests", "vision",
}  # fmt: skip
"""Everything that lies at the top of the project."""
MOST_BYTES = 1_000_000
"""No file that is kept is larger."""
OTHERS = [
    file for folder in ("benchmarks", "examples", "tests") for file in (ROOT / folder).rglob("*.py")
]


def name(file: Path) -> str:
    """The file as it is called in the project."""
    return file.relative_to(ROOT).as_posix()


def test_there_are_contracts_to_hold() -> None:
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for package in ("rules", "vision", "hardware"):
        assert f'source_modules = ["{package}"]' in contracts


def test_the_rules_need_nothing_but_the_standard_library() -> None:
    for file in (ROOT / "rules").rglob("*.py"):
        for module in imports(file):
            top = module.split(".")[0]
            assert top == "rules" or top in sys.stdlib_module_names, f"{name(file)}: {module}"


def test_vision_and_hardware_import_only_what_they_are_for() -> None:
    allowed = {
        "vision": {"vision", "rules", "numpy", "cv2", "picamera2", "libcamera"},
        "hardware": {"hardware", "gpiozero", "serial", "msgspec", "platformdirs", "lgpio"},
    }
    micropython = {"machine", "micropython", "neopixel", "utime"}
    for package, modules in allowed.items():
        for file in (ROOT / package).rglob("*.py"):
            known = micropython if FIRMWARE in file.parents else modules
            for module in imports(file):
                top = module.split(".")[0]
                assert top in known or top in sys.stdlib_module_names, f"{name(file)}: {module}"


def test_kivy_is_imported_below_companion_ui_only() -> None:
    for file in SOURCES:
        if not name(file).startswith("companion/ui/"):
            kivy = [module for module in imports(file) if module.split(".")[0] == "kivy"]
            assert not kivy, f"{name(file)} imports {kivy}"


def test_no_two_files_import_each_other_in_a_circle() -> None:
    files = {name(file).removesuffix(".py").removesuffix("/__init__"): file for file in SOURCES}
    modules = {path.replace("/", "."): file for path, file in files.items()}
    wanted: dict[str, set[str]] = {}
    for module, file in modules.items():
        wanted[module] = set()
        for node in nodes(file):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    within = f"{node.module}.{alias.name}"
                    wanted[module].add(within if within in modules else str(node.module))
            elif isinstance(node, ast.Import):
                wanted[module].update(alias.name for alias in node.names)
    # Take away what imports nothing that is left; what is in a circle, or waits for one, stays.
    left = {module: found & modules.keys() for module, found in wanted.items()}
    while free := [module for module, found in left.items() if not found & left.keys() - {module}]:
        for module in free:
            del left[module]
    assert not left


ABOUT_ONE_GAME = {
    "companion/boards/draft.py",
    "companion/app/demo/story.py",
    "companion/web/try_page/first_scene.py",
    "companion/printing/art/designs.py",
    "companion/printing/art/dominion.py",
    "companion/printing/dominion_subset.py",
}
"""Modules made for one game or box by their nature: its drawings, its boards, the demo's
story, the first scene of the page to try."""


def test_code_for_all_games_names_none_of_them() -> None:
    boxes = {file.stem for file in (ROOT / "rules" / "boxes").glob("*.toml")}
    games = {file.stem for file in (ROOT / "rules" / "games").glob("[!_]*")}
    naming = set()
    for file in SOURCES:
        texts = {node.value for node in nodes(file) if isinstance(node, ast.Constant)}
        modules = {module.removeprefix("rules.games.").split(".")[0] for module in imports(file)}
        if texts & (games | boxes) or modules & games:
            naming.add(name(file))
    of_games = ("rules/games/", "rules/players/crafts/")
    assert {file for file in naming if not file.startswith(of_games)} == ABOUT_ONE_GAME


def test_the_whole_product_but_its_screens_works_without_kivy() -> None:
    program = (
        "import sys; sys.modules['kivy'] = None\n"
        "import companion.app.application, companion.app.demo.stage\n"
        "import companion.app.watch, companion.support.doctor\n"
        "from companion.app.cli import main\n"
        "sys.exit(main(['games', '--json']))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_a_command_that_needs_no_picture_loads_no_vision() -> None:
    program = (
        "import sys\n"
        "from companion.app.cli import main\n"
        "main(['simulate', 'knizia_stonehenge', '--json'])\n"
        "sys.exit(any(name in sys.modules for name in ('cv2', 'numpy', 'kivy')))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_what_tests_share_stands_in_their_support_and_not_in_another_test() -> None:
    suspect = re.compile(r"^\s*(?:from|import)\s.*(?:test_|benchmarks)", re.MULTILINE)
    for file in OTHERS:
        # Most name neither, and reading them all takes long.
        for module in imports(file) if suspect.search(file.read_text("utf-8")) else ():
            assert not module.rpartition(".")[2].startswith("test_"), f"{name(file)}: {module}"
            own = any(file.is_relative_to(folder) for folder in (ENDURANCE, TESTS_OF_BENCHMARKS))
            if file.is_relative_to(ROOT / "tests") and not own:
                assert not module.startswith("benchmarks"), f"{name(file)}: {module}"


def test_every_package_says_that_it_is_typed() -> None:
    for package in PACKAGES:
        assert (ROOT / package / "py.typed").is_file(), package


def test_every_folder_with_modules_is_a_package() -> None:
    for folder in {file.parent for file in SOURCES if FIRMWARE not in file.parents}:
        assert (folder / "__init__.py").is_file(), name(folder)


def test_every_module_says_what_it_is_for_and_knows_its_annotations() -> None:
    for file in SOURCES:
        if tree(file).body:
            assert ast.get_docstring(tree(file)), f"{name(file)} has no docstring"


def test_nothing_refers_to_a_folder_outside_the_project() -> None:
    shared = "../" + "shared"
    machine = "/" + "work/"
    for file in [*SOURCES, *OTHERS]:
        if "egg-info" in file.parts:
            continue
        text = file.read_text(encoding="utf-8")
        assert machine not in text, f"{name(file)} names a path of one machine"
        if not name(file).startswith("tests/"):
            assert shared not in text, f"{name(file)} refers to {shared}"


def test_no_download_is_kept_in_the_project() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("an unpacked archive keeps no list of its files")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    files = [Path(file) for file in listed.split("\0") if file and (ROOT / file).exists()]
    assert {file.parts[0] for file in files} <= ENTRIES
    assert [file for file in files if (ROOT / file).stat().st_size > MOST_BYTES] == []
