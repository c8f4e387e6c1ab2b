"""``python -m rules.players [MB]``: answers questions on standard input
(``rules.players.engine_protocol``) with so much memory.
``python -m rules.players judge [MB]`` looks back at a match, see
``rules.players.analysis_server``."""

import sys

if __name__ == "__main__":
    most_mb = next((int(word) for word in sys.argv[1:] if word.isdigit()), None)
    if "judge" in sys.argv[1:]:
        from rules.players.analysis_server import judge_process

        judge_process(most_mb)
    else:
        from rules.players.engine_server import serve_process

        serve_process(most_mb)
