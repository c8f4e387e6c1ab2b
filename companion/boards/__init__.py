"""Boards of the players' own: mapped, drawn and saved."""
