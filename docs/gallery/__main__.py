"""Pictures of every screen for the docs: ``python -m docs.gallery DIR``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docs.gallery.screens import write_gallery


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.gallery", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    for path in write_gallery(parser.parse_args().folder):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
