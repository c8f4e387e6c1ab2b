"""Draws the pictures of these docs anew: ``python -m docs.gallery [PICTURE ...]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docs.gallery.album import FOLDER, PAINTERS, write


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.gallery", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PICTURE", help="all if none is named")
    parser.add_argument("--out", metavar="DIR", type=Path, default=FOLDER)
    given = parser.parse_args()
    known = [name for painter in PAINTERS for name in painter.names]
    for name in given.names:
        if name not in known:
            parser.error(f"no picture is called {name}; there are {', '.join(known)}")
    for done in write(given.out, given.names):
        print(done, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
