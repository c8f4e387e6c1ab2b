"""Frames from wherever pictures come: cameras, films, folders; and what their lenses are like."""
