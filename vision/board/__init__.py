"""The board in a picture: where it lies, how it looks when it is bare, what covers it."""
