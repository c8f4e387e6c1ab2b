"""Colours, sizes and fonts of the screens."""
