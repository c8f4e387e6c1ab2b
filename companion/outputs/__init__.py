"""Lamps, score display, voice and buttons of a match."""
