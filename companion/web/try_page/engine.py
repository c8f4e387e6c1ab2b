"""The Python that runs in a browser: Pyodide, fetched once while building, and checked.

The program ``npm`` knows where packages come from. What it brings is taken only if it is, to the
last bit, what this version was when it was chosen.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from companion.words.errors import HeelstoneError

VERSION: Final = "314.0.6"
"""Version of the npm package; Python 3.14."""
SHA512: Final = (
    "BKDTJyIqFxC4BExLqeRS3f5xvXZIjOt8C3zGLN/Cc7tFxSwvKVhVkchQQ2AGLOtR4YrVOIFxbV8poyDOOmWwxQ=="
)
ENGINE_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "python_stdlib.zip")
LARGE: Final = "pyodide.asm.wasm"
PACKED: Final = ".packed"
"""Ending of a file in gzip's format; another than ``.gz``, to which some servers add a heading that
makes browsers unpack it as well."""
LOCK: Final = "pyodide-lock.json"
_PATIENCE_S: Final = 300


class EngineError(HeelstoneError):
    """Pyodide cannot be had."""


def kept_engine() -> Path:
    """Path at which the package is kept from one build to the next."""
    return Path.home() / ".cache" / "heelstone" / f"pyodide-{VERSION}.tgz"


def find_engine(given: Path | None = None) -> Path:
    """The package: ``given``, or the one kept, or else fetched by npm and kept from then on.

    Raises EngineError.
    """
    package = given or kept_engine()
    if given is None and not package.is_file():
        _fetch(package)
    _check(package)
    return package


def unpack_engine(package: Path, folder: Path) -> None:
    """Unpacks the files that a browser needs into ``folder``, the large one compressed; raises
    EngineError."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tarfile.open(package) as archive:
            for name in (*ENGINE_FILES, LOCK):
                (folder / name).write_bytes(_member(archive, name))
            # The page unpacks it: not every web server compresses what it sends.
            large = gzip.compress(_member(archive, LARGE), 9, mtime=0)
            (folder / f"{LARGE}{PACKED}").write_bytes(large)
    except (tarfile.TarError, KeyError) as error:
        raise EngineError("engine_other", file=package, version=VERSION) from error
    # No further packages are ever loaded, so none is listed.
    lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))
    (folder / LOCK).write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(f"package/{name}")
    if file is None:
        raise KeyError(name)
    return file.read()


def _fetch(package: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise EngineError("engine_no_npm", version=VERSION)
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", folder]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired as error:
            raise EngineError("engine_not_fetched", version=VERSION) from error
        found = list(Path(folder).glob("*.tgz"))
        if done.returncode or not found:
            raise EngineError("engine_not_fetched", version=VERSION)
        _check(found[0])
        package.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(found[0], package)


def _check(package: Path) -> None:
    try:
        found = hashlib.sha512(package.read_bytes()).digest()
    except OSError as error:
        raise EngineError("engine_unreadable", file=package) from error
    if base64.b64encode(found).decode() != SHA512:
        raise EngineError("engine_other", file=package, version=VERSION)
