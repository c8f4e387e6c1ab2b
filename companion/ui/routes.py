"""The screens by name, loaded when they are first asked for.

A module that is not there yet has no entry in any menu.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

__all__ = ["SCREENS", "has_screen", "screen_class"]

SCREENS = {
    "review": "companion.ui.screens.review:ReviewScreen",
    "records": "companion.ui.screens.records:RecordsScreen",
    "workshop": "companion.ui.screens.workshop:WorkshopScreen",
    "table_setup": "companion.ui.screens.table_setup:TableSetupScreen",
}
"""Name of a screen to the module and class of it."""


def has_screen(name: str) -> bool:
    """Whether this Heelstone has the screen."""
    return find_spec(SCREENS[name].partition(":")[0]) is not None


def screen_class(name: str) -> Any:
    """The class of a screen; raises KeyError for a name that is not in ``SCREENS``."""
    module, _colon, found = SCREENS[name].partition(":")
    return getattr(import_module(module), found)
