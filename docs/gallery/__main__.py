"""Pictures of every screen for the docs: ``python -m docs.gallery DIR``."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.gallery.screens import write_gallery


def _main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m docs.gallery DIR", file=sys.stderr)
        return 2
    for path in write_gallery(Path(arguments[0])):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
