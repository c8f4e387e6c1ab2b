"""The icons of keys and notes, by the sign that stands for them in the code. Free of Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.core import Picture, read_pictures

ICONS: Final[Mapping[str, Picture]] = read_pictures("companion.presentation.theme", "icons.toml")
