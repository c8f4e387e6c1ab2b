"""Which lamp stands at which site of a box: kept per box, and found out lamp by lamp.

What was found out on the screen lies in ``lamps/<box>.json`` of the state folder and overrides
the settings. Without either, lamps stand in the order of the box file.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.writing import set_aside, write_whole
from rules.box import Box, BoxError, load_box

__all__ = ["LampSites", "LampWalk"]

log = logging.getLogger(__name__)


class LampSites(Mapping[str, Mapping[str, int]]):
    """Box to site to lamp; a box of which nothing is known is not in it."""

    def __init__(self, folder: Path, settings: Mapping[str, Mapping[str, int]]) -> None:
        self.folder = folder
        self._settings = settings
        self.troubles: list[str] = []
        """What was wrong with files, as sentences."""
        self._found: dict[str, Mapping[str, int]] = {}
        paths = sorted(folder.glob("*.json")) if folder.is_dir() else []
        for path in paths:
            if "-damaged-" not in path.name:
                self._load(path)

    def __getitem__(self, box: str) -> Mapping[str, int]:
        return self._found[box] if box in self._found else self._settings[box]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._settings, **self._found})

    def __len__(self) -> int:
        return len({**self._settings, **self._found})

    def keep(self, box: Box, lamps: Mapping[str, int]) -> None:
        """Keep where lamps stand. Raises OSError; then the old places still count.

        Of a box that several games share only the fields of one are known here (``for_game``);
        what was found out for the others stays.
        """
        others = {s: n for s, n in self._found.get(box.id, {}).items() if s not in box.sites}
        sites = dict(sorted({**others, **lamps}.items(), key=lambda entry: entry[1]))
        text = json.dumps({"box": box.id, "lamps": sites}, indent=1, ensure_ascii=False)
        write_whole(self.folder / f"{box.id}.json", text + "\n")
        self._found[box.id] = sites

    def forget(self, box: str) -> None:
        """Back to what the settings say. Raises OSError."""
        (self.folder / f"{box}.json").unlink(missing_ok=True)
        self._found.pop(box, None)

    def found(self, box: str) -> bool:
        """Whether the places were found out on the screen."""
        return box in self._found

    def _load(self, path: Path) -> None:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            self._found[path.stem] = _checked(path.stem, data)
        except (OSError, ValueError, RecursionError) as error:
            # ValueError: also what is no JSON, no UTF-8, and what _checked refuses.
            self._say(path, str(error))

    def _say(self, path: Path, reason: str) -> None:
        try:
            where = f"It was set aside as {set_aside(path).name}"
        except OSError as error:
            where = f"It could not be set aside ({error.strerror or error})"
        told = f"The lamps' places in {path.name} are damaged ({reason}). {where}; show them anew."
        self.troubles.append(told)
        log.warning("%s", told)


def _checked(box: str, data: Any) -> Mapping[str, int]:
    """Site to lamp. Raises ValueError that says what is wrong."""
    lamps = data.get("lamps") if isinstance(data, dict) else None
    if not isinstance(lamps, dict) or data.get("box") != box:
        raise ValueError(f"it does not hold the lamps of the box '{box}'")
    try:
        sites = load_box(box).sites
    except BoxError as error:
        raise ValueError(str(error)) from error
    for site, lamp in lamps.items():
        if site not in sites:
            raise ValueError(f"the box has no field '{site}'")
        if isinstance(lamp, bool) or not isinstance(lamp, int) or lamp < 0:
            raise ValueError(f"the lamp of field '{site}' is no number: {lamp!r}")
    return {str(site): int(lamp) for site, lamp in lamps.items()}


@dataclass
class LampWalk:
    """Finding out, lamp by lamp, which one stands where: one glows, and its field is touched."""

    count: int
    """Lamps of the table."""
    steps: list[str | None] = field(default_factory=list)
    """The field of each lamp so far; None for one that was skipped."""

    @property
    def lamp(self) -> int | None:
        """The lamp that is asked about; None when all have been."""
        return len(self.steps) if len(self.steps) < self.count else None

    @property
    def places(self) -> dict[str, int]:
        """Site to lamp. A field that was touched twice belongs to the later lamp."""
        return {site: lamp for lamp, site in enumerate(self.steps) if site is not None}

    def stands_at(self, site: str) -> None:
        """The lamp that is asked about stands at this field."""
        if self.lamp is not None:
            self.steps.append(site)

    def skip(self) -> None:
        """It stands at no field."""
        if self.lamp is not None:
            self.steps.append(None)

    def undo(self) -> None:
        """Ask about the lamp before once more."""
        if self.steps:
            self.steps.pop()
