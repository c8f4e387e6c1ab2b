"""The screens by name, loaded when they are first asked for, so that the app starts quickly."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["SCREENS", "screen_class"]

SCREENS = {
    "review": "companion.ui.screens.review:ReviewScreen",
    "records": "companion.ui.screens.records:RecordsScreen",
    "workshop": "companion.ui.screens.workshop:WorkshopScreen",
    "table_setup": "companion.ui.screens.table_setup:TableSetupScreen",
}
"""Name of a screen to the module and class of it."""


def screen_class(name: str) -> Any:
    """The class of a screen; raises KeyError for a name that is not in ``SCREENS``."""
    module, _colon, found = SCREENS[name].partition(":")
    return getattr(import_module(module), found)
