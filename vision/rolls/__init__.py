"""Discs that roll over the board: their path, and which gates they passed."""
