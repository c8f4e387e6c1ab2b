"""What ``heelstone demo`` starts for each part, so that the first can be killed in the middle."""

import argparse
from pathlib import Path

from companion.demo.part import play_part

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m companion.demo", epilog="see heelstone demo")
    parser.add_argument("part", metavar="PART")
    parser.add_argument("out", metavar="DIR", type=Path)
    parser.add_argument("lang", metavar="LANG")
    parser.add_argument("--headless", action="store_true")
    parser.add_argument("--players", type=int, default=None)
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    given = parser.parse_args()
    options = dict(pair.split("=", 1) for pair in given.option)
    play_part(
        given.part, given.out, given.lang,
        headless=given.headless, players=given.players, options=options,
    )  # fmt: skip
