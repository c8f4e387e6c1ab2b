"""The lamps at each site of a box: saved per box, and found out lamp by lamp.

What was found out on the screen is in ``lamps/<box>.json`` of the state folder and overrides the
settings. Without either, lamps stand in the order of the box file. A field may have several lamps.
What was shown so far is in ``lamps/<game>.walk`` until it is saved.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.settings.writing import put_aside, write_whole
from companion.words.errors import HeelstoneError, notice
from rules.bounded import is_folder, read_text
from rules.box import Box, load_box
from rules.errors import Sentence, because
from rules.near import hint

log = logging.getLogger(__name__)

Places = Mapping[str, tuple[int, ...]]
"""The lamps at each site."""
Written = Mapping[str, int | Sequence[int]]
"""The same as settings and files write it: one lamp, or a list of them."""


class LampSites(Mapping[str, Places]):
    """Box to site to lamps; a box about which nothing is known is not in it."""

    def __init__(self, folder: Path, settings: Mapping[str, Written]) -> None:
        self.folder = folder
        self._settings = {box: _places(written) for box, written in settings.items()}
        self.troubles: list[Sentence] = []
        """Faults of files, as sentences."""
        self._found: dict[str, Places] = {}
        paths = sorted(folder.glob("*.json")) if is_folder(folder) else []
        for path in paths:
            if "-damaged-" not in path.name:
                self._load(path)

    def __getitem__(self, box: str) -> Places:
        return self._found[box] if box in self._found else self._settings[box]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._settings, **self._found})

    def __len__(self) -> int:
        return len({**self._settings, **self._found})

    def keep(self, box: Box, lamps: Places, asked: int | None = None) -> None:
        """Save where lamps stand. Raises OSError; then the old places still apply.

        ``asked``: how many lamps, from the first, were asked about; what was found out about the
        others stays. None: all were. Of a box that several games share only the fields of one are
        known here (``for_game``); what was found out for the others stays.
        """
        sites: dict[str, tuple[int, ...]] = dict(lamps)
        for site, before in self._found.get(box.id, {}).items():
            if site not in box.sites:
                sites[site] = before
            elif asked is not None and (left := tuple(n for n in before if n >= asked)):
                sites[site] = (*sites.get(site, ()), *left)
        sites = dict(sorted(sites.items(), key=lambda entry: entry[1]))
        written = {site: n[0] if len(n) == 1 else list(n) for site, n in sites.items()}
        text = json.dumps({"box": box.id, "lamps": written}, indent=1, ensure_ascii=False)
        write_whole(self.folder / f"{box.id}.json", text + "\n")
        self._found[box.id] = sites

    def forget(self, box: str) -> None:
        """Back to what the settings say. Raises OSError."""
        (self.folder / f"{box}.json").unlink(missing_ok=True)
        self._found.pop(box, None)

    def found(self, box: str) -> bool:
        """True if the places were found out on the screen."""
        return box in self._found

    def _load(self, path: Path) -> None:
        try:
            data = json.loads(read_text(path))
            self._found[path.stem] = _checked(path.stem, data)
        except (HeelstoneError, OSError, ValueError, RecursionError) as error:
            # ValueError: also what is not JSON or not UTF-8, and what _checked refuses.
            self._say(path, error)

    def _say(self, path: Path, error: Exception) -> None:
        told = notice(
            "lamps_damaged", file=path.name, because=because(error), outcome=put_aside(path)
        )
        self.troubles.append(told)
        log.warning("%s", told)


def _places(written: Written) -> Places:
    return {site: (n,) if isinstance(n, int) else tuple(n) for site, n in written.items()}


def _checked(box: str, data: Any) -> Places:
    """Site to lamps. Raises BoxError, and HeelstoneError if they are none of this box."""
    lamps = data.get("lamps") if isinstance(data, dict) else None
    if not isinstance(lamps, dict) or data.get("box") != box:
        raise HeelstoneError("lamps_of_other_box", box=box)
    sites = load_box(box).sites
    for site, found in lamps.items():
        if site not in sites:
            raise HeelstoneError("lamp_field_unknown", site=site, hint=hint(site, sites))
        for lamp in found if isinstance(found, list) and found else [found]:
            if isinstance(lamp, bool) or not isinstance(lamp, int) or lamp < 0:
                raise HeelstoneError("lamp_no_number", site=site, found=lamp)
    return _places(lamps)


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
    def places(self) -> dict[str, tuple[int, ...]]:
        """Site to lamps. A field that was touched for two lamps has both."""
        found: dict[str, tuple[int, ...]] = {}
        for lamp, site in enumerate(self.steps):
            if site is not None:
                found[site] = (*found.get(site, ()), lamp)
        return found

    def stands_at(self, site: str) -> None:
        """The lamp that is asked about stands at this field."""
        if self.lamp is not None:
            self.steps.append(site)

    def skip(self) -> None:
        """Notes that the lamp stands at no field."""
        if self.lamp is not None:
            self.steps.append(None)

    def undo(self) -> None:
        """Asks about the previous lamp again."""
        if self.steps:
            self.steps.pop()


class WalkFile:
    """Walks that were broken off: by the cable of the lamps, by power, or by people leaving."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def steps(self, game: str, box: Box) -> list[str | None]:
        """Steps shown so far; empty if there are none, or if they can no longer be read."""
        try:
            data = json.loads(read_text(self._path(game)))
        except FileNotFoundError:
            return []
        except (OSError, ValueError, RecursionError) as error:
            log.warning("what was shown of the lamps of %s cannot be read: %s", game, error)
            return []
        steps = data.get("steps") if isinstance(data, dict) else None
        known = isinstance(steps, list) and all(
            step is None or (isinstance(step, str) and step in box.sites) for step in steps
        )
        if not isinstance(steps, list) or not known:
            # The board was redrawn, or somebody wrote into the file.
            return []
        return list(steps)

    def keep(self, game: str, steps: Sequence[str | None]) -> None:
        """Save what was shown so far; without a step nothing is saved. Raises OSError."""
        if steps:
            write_whole(self._path(game), json.dumps({"steps": list(steps)}) + "\n")
        else:
            self._path(game).unlink(missing_ok=True)

    def _path(self, game: str) -> Path:
        return self.folder / f"{game}.walk"
