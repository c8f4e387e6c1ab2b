"""The board in a picture: its place, its bare look, and what covers it."""
