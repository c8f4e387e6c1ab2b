"""``python -m rules.players``: answers questions on standard input, see ``rules.players.asking``.
``python -m rules.players judge`` looks back at a match, see ``rules.players.judging_apart``."""

import sys

if __name__ == "__main__":
    if sys.argv[1:] == ["judge"]:
        from rules.players.judging_apart import judge_process

        judge_process()
    else:
        from rules.players.serving import serve_process

        serve_process()
