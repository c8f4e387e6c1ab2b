"""``python -m rules.players``: answers questions, see ``rules.players.asking``."""

from rules.players.serving import serve_process

if __name__ == "__main__":
    serve_process()
