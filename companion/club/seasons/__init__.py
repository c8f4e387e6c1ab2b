"""Seasons of a club: recorded matches, ratings, records, and portraits."""
