"""From what the camera believes to the legal moves that explain it."""
