"""Matches that were played: move by move, on the shelf, in best lists, and played once more."""
