"""Before a match: the shelf, the checks of a table, and what must lie where."""
