"""The append-only record of every match, in one SQLite file."""
