"""Motion in the pictures of a live camera: of hands, and of the camera itself."""
