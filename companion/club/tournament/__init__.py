"""Tournaments of a club: pairings, standings, and the organiser's work on them."""
