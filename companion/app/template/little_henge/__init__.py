"""Little Henge, a game for Heelstone."""
