"""Seeing the table: frames in, sightings out.

Vision knows boxes (what can lie where) and never a game. ``tracker.Tracker`` is the door in;
the other modules are its parts and can be used alone.
"""

import os

# Read by OpenCV when it is loaded: a file of 100 kB may claim to be 30,000 pixels wide and high.
# ``picture_files.MOST_PIXELS``, which cannot be imported here without loading OpenCV.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "120000000")
