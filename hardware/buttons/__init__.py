"""Named buttons: the meaning of presses, from any source."""
