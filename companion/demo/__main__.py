"""What ``heelstone demo`` starts for each part, so that the first can be killed in the middle."""

import sys
from pathlib import Path

from companion.demo.part import play_part

if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: python -m companion.demo PART DIR LANG [headless]; see heelstone demo")
    play_part(sys.argv[1], Path(sys.argv[2]), sys.argv[3], headless="headless" in sys.argv[4:])
