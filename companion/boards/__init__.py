"""Boards of one's own: mapped, drawn and kept."""
