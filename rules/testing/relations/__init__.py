"""Relations between answers of a game, whatever the game: one language says what the other
does, one seat may do what another may, and figures are those of the table."""
