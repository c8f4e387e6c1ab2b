"""GPIO pins: what is connected to them, and which one two things want."""
