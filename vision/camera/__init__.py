"""Frames from wherever pictures come: cameras, films, folders; and their lenses."""
