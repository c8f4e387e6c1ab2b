"""The crafts of Heelstone's own games, one module or package each, named after the game's id."""
