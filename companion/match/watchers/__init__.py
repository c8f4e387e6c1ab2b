"""Parts of a table that hear of all that happens, and call to players by themselves."""
