"""Tools for authors of games: a first package, repeated checks, pictures of board and screens."""
