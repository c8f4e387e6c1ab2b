"""Shell of the pictured screens: a shelf, a table that is well, matches played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

from companion.match.looking_back.library import Library
from companion.match.view import MachineNote
from companion.settings.people import MatchSetup
from companion.setup.table_check import CameraLook
from companion.support.finding import Figure, Finding, Verdict
from companion.ui.shell import UnfinishedMatch
from rules.games import find_game, shelf_order

GAME = "knizia_stonehenge"
STARTED_S = 1_700_000_000.0
NOW_S = STARTED_S + 12 * 60
NAMES = ("Anna", "Bo", "Käthe", "Luis")


def match_clock() -> Callable[[], float]:
    """The time of moves that follow one another every half minute."""
    moments = count(STARTED_S, 30.0)
    return lambda: next(moments)


@dataclass(frozen=True, slots=True)
class GalleryPast:
    """Shell of screens that look back."""

    library: Library


@dataclass(frozen=True, slots=True)
class _Figures:
    """Report of a good camera over a good table."""

    board: str = "found"
    light: float = 0.46
    sharpness: float = 0.31
    px_per_module: float = 3.4
    pose_error_px: float = 0.3


class _NoCamera:
    """No camera is set up."""

    is_set_up = False

    def sees(self) -> None:
        return None


class _NoCheck:
    """Nothing was ever checked, and nothing is kept."""

    def __call__(self) -> None:
        return None

    def keep(self, findings: object, when_s: float) -> None:
        pass


@dataclass(frozen=True, slots=True)
class _People:
    """The people who played here."""

    recent: tuple[str, ...]
    faces: Mapping[str, str] = field(default_factory=dict)


class _Bench:
    """A table with a camera, lamps and a display that are well, and no sound."""

    speaks = True

    def camera(self) -> CameraLook:
        return CameraLook(True, 100, 9.8, 10.0, _Figures())

    def device(self, step: str) -> Finding | None:
        if step == "lamps":
            return Finding(step, Verdict.GOOD, (Figure("right", 5, least=5),))
        return Finding(step, Verdict.GOOD if step == "display" else Verdict.ABSENT)

    def glow(self, index: int | None) -> None:
        pass

    def close(self) -> None:
        pass


class GalleryShelf:
    """Shell of the first screens: games, names, and perhaps an unfinished match."""

    box_in_use = GAME
    can_check = True

    def __init__(self, *, with_match: bool, names: tuple[str, ...]) -> None:
        self.people, self.together = _People(names), None
        colours = find_game(GAME).colours(2, find_game(GAME).complete_options(2, {}))
        match = UnfinishedMatch("1", GAME, colours, ("", ""), (4, 3), 17, NOW_S - 25 * 60)
        other, five = "dolmengoetter", ("red", "blue", "green", "yellow", "white")
        large = UnfinishedMatch(
            "2", other, five, names[:5], (104, 98, 87, 112, 95), 48, NOW_S - 9e4
        )
        self._left = [match, large] if with_match else []
        self.checked, self.camera = _NoCheck(), _NoCamera()

    def games(self) -> list[str]:
        return list(shelf_order())

    def last_played(self) -> dict[str, float]:
        """Three games, lately."""
        return {GAME: NOW_S - 3600, "dominion": NOW_S - 30 * 3600, "hoher_rat": NOW_S - 4 * 86400}

    def options_played(self, game: str) -> list[dict[str, str]]:
        return []

    def unfinished(self) -> list[UnfinishedMatch]:
        return self._left

    def plan_for(self, game: str, names: tuple[str, ...] = ()) -> MatchSetup:
        return MatchSetup(game, 4, names=self.people.recent[:4], commit="stillness")

    def machine_notes(self) -> list[MachineNote]:
        return []

    def notices(self) -> list[str]:
        return []

    def bench(self, box: str) -> _Bench:
        return _Bench()

    def point_at(self, sites: tuple[str, ...]) -> None:
        pass
