"""Corrections of the record: what later looks, touches or people show to have been otherwise."""
