"""Written scenes of a table: read, played through a table, taken from one."""
