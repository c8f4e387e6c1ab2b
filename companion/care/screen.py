"""Where the touchscreen app could be shown."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["find_screen"]


def find_screen(root: Path = Path("/")) -> str:
    """Where the app could be shown, as a key of the doctor's texts; ``screen_none`` if nowhere."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return "screen_ok"
    return "screen_kms" if any((root / "dev/dri").glob("card*")) else "screen_none"
