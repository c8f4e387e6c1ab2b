"""Phones and spectators: a table's own pages in the local network. Imported when turned on only."""
