"""The field test: a guided sequence of checks, and the one file that they fill."""

MARK = "fieldtest-mark.json"
"""File that is there while a check is under way."""
