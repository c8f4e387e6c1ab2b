"""``python -m benchmarks [GROUP …] [--json]``."""

from __future__ import annotations

import argparse
import json
import sys

from benchmarks import dominion, play, seeing

GROUPS = {"play": play.results, "dominion": dominion.results, "vision": seeing.results}


def main() -> int:
    """Run the groups named, or all."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("group", nargs="*", help=f"any of: {', '.join(GROUPS)}")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    given = parser.parse_args()
    if unknown := [group for group in given.group if group not in GROUPS]:
        parser.error(f"there is no group '{unknown[0]}'; there are: {', '.join(GROUPS)}")
    for group in given.group or GROUPS:
        for result in GROUPS[group]():
            print(json.dumps(result.to_json()) if given.json else result.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
