"""GPIO pins: access to them, and the purpose of each."""
