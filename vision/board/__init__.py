"""The board in a picture: where it is, what it looks like when bare, what covers it."""
