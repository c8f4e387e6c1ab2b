"""A rig from plain values, as they stand in a settings file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from hardware.rig import Rig
from hardware.settings import RigSettings
from hardware.status import StatusListener


def rig_settings(values: Mapping[str, Any]) -> RigSettings:
    """Raises msgspec.ValidationError that names the place."""
    return msgspec.convert(values, RigSettings)


def rig_of(values: Mapping[str, Any], listener: StatusListener | None = None) -> Rig:
    """The rig of these settings."""
    return Rig(rig_settings(values), listener)
