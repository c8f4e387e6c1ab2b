"""Matches that were played: the list, the review, and trying something else."""
