"""``python -m rules.players``: answers questions on standard input
(``rules.players.engine_protocol``).
``python -m rules.players judge`` looks back at a match, see ``rules.players.analysis_server``."""

import sys

if __name__ == "__main__":
    if sys.argv[1:] == ["judge"]:
        from rules.players.analysis_server import judge_process

        judge_process()
    else:
        from rules.players.engine_server import serve_process

        serve_process()
