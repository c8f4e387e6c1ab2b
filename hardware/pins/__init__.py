"""GPIO pins: how they are reached, and what each is for."""
