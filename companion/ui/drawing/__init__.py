"""Drawings on a canvas: board, pieces, charts, pictures of cameras and devices."""
