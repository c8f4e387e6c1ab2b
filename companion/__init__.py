"""The companion joins rules, vision and hardware: session, journal, cues, screens, commands."""

import os

# As ``vision`` does, which is loaded later than OpenCV by some.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "120000000")
