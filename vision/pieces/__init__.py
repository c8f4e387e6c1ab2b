"""Pieces on the board, with stickers and without, and how sure they are."""
