"""Drawings of boards and cards for printing."""
