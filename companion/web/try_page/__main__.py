"""Builds the page to try the rules: ``python -m companion.web.try_page --out build/try``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.settings.writing import WriteError
from companion.web.try_page.building import build
from companion.web.try_page.engine import EngineError


def main(arguments: list[str] | None = None) -> int:
    """Build it; 2 if it cannot be built."""
    parser = argparse.ArgumentParser(prog="python -m companion.web.try_page", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/try"), help="folder to write")
    parser.add_argument("--engine", type=Path, help="Pyodide's npm package, if not to be fetched")
    asked = parser.parse_args(arguments)
    try:
        size = build(asked.out, asked.engine)
    except (EngineError, WriteError) as error:
        print(error.sentence, file=sys.stderr)
        return 2
    print(f"{asked.out}: {size / 1e6:.1f} MB. Try it: python -m http.server -d {asked.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
