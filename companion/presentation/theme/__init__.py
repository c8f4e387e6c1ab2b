"""Colours and shapes by their role, as numbers: whatever draws takes them from here."""
