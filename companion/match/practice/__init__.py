"""Matches beside the table: tutorials, guided first turns, puzzles."""
