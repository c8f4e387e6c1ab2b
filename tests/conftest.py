"""What holds for every test: Kivy, whoever imports it first, leaves arguments and logs alone."""

import os

# Kivy reads these while it is imported; without them it takes over the root logger.
os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_CONFIG", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")

# OpenCV reads this when it opens its first film; the commands set it, but a test may be earlier.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
