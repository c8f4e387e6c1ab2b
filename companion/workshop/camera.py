"""Looking through the camera, with or without a match: what it sees, and what would help it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.boards.store import OwnBoards
from companion.camera.advising import advice_text
from companion.camera.camera_thread import Snapshot
from companion.camera.owner import TableCamera
from companion.match.view import TableView
from companion.settings.preferences import PreferencesFile
from rules.box import Box
from rules.games import find_game
from rules.reading.sighting import EMPTY, Look
from rules.telling import Teller
from rules.texts import Texts, decimals
from vision.advice import UNADJUSTED, Advice, Adviser
from vision.arrays import Picture
from vision.overlay import annotate

ADVICE_S = 1.5
"""Minimum time between advice; working it out takes longer than looking at a still table."""


@dataclass(frozen=True, slots=True)
class CameraLook:
    """The camera's view at this moment."""

    source: str
    """The camera as the settings name it; empty: none is set up."""
    game: str
    """Game whose board is looked for."""
    number: int = 0
    """Number of the picture; the same number means the same picture."""
    picture: Picture | None = None
    """Height × width × 3, blue-green-red, with everything drawn in that was read."""
    board: str = "none"
    """``found``, ``lost``, or ``none`` as long as there is no picture."""
    hand: bool = False
    adjusts: bool = False
    """True if the camera adjusts itself, and can be asked to do it anew."""
    adjusting: bool = False
    """True while it does, so that nothing is concluded from its pictures."""
    light: float = 0.0
    """0 (black) to 1 (white)."""
    sharpness: float = 0.0
    px_per_module: float = 0.0
    error_px: float = 0.0
    lens: str = ""
    """Facts about the camera's lens, as a few words; empty if there are none."""
    ms: float = 0.0
    """Time that reading the picture took."""
    beliefs: tuple[tuple[str, str], ...] = ()
    """Fields that are not bare, and what lies there, in words."""
    advice: tuple[str, ...] = ()
    """Advice for a better view, as sentences."""


class CameraBench:
    """Pictures of the table, what was read in them, and advice, in words."""

    def __init__(
        self,
        camera: TableCamera,
        own_boards: OwnBoards,
        preferences: PreferencesFile,
        played: Callable[[], TableView | None],
        games: Callable[[], Sequence[str]],
    ) -> None:
        """``played``: the match under way. ``games``: all games, the likeliest first."""
        self._camera, self._own_boards, self._preferences = camera, own_boards, preferences
        self._played, self._games = played, games
        self._chosen = ""
        self._looked: tuple[Snapshot, str, str, CameraLook] | None = None
        self._advising: tuple[Box, Adviser] | None = None
        self._advised: tuple[str, float, tuple[Advice, ...]] = ("", 0.0, ())

    def watch(self, game: str = "") -> None:
        """Begin to look for the board of a game; a match under way looks for its own.

        Does nothing if no camera is set up.
        """
        self._chosen = game or self._games()[0]
        self._camera.look_around(self._chosen)

    def look(self) -> CameraLook:
        """The view now, in the language that was chosen."""
        snapshot, game, lang = self._camera.snapshot(), self.game, self._preferences.now.lang
        if snapshot is None:
            return CameraLook(self.source, game)
        if self._looked is None or self._looked[:3] != (snapshot, game, lang):
            self._looked = (snapshot, game, lang, self._told(snapshot, game, lang))
        return self._looked[3]

    def adjust(self) -> None:
        """Have the camera search for exposure, white balance and focus anew."""
        self._camera.adjust()

    def unwatch(self) -> None:
        """Stop looking, unless a match needs the camera."""
        self._camera.stop_looking_around()
        self._looked = None

    @property
    def source(self) -> str:
        """The camera as the settings name it; empty: none is set up."""
        return self._camera.settings.source

    @property
    def game(self) -> str:
        """Game whose board is looked for."""
        view = self._played()
        if self._camera.eyes is not None and view is not None:
            return view.game
        return self._chosen or self._games()[0]

    def box(self, game: str) -> Box:
        """The box as a game uses it and as it lies on this table."""
        return self._own_boards.box(find_game(game).box).for_game(game)

    def _told(self, snapshot: Snapshot, game: str, lang: str) -> CameraLook:
        box, seen = self.box(game), snapshot.sighting
        return CameraLook(
            source=self.source,
            game=game,
            number=snapshot.frame.index + 1,
            picture=annotate(snapshot.frame, seen, box),
            board=seen.board,
            hand=seen.hand,
            adjusts=self._camera.adjusts,
            adjusting=not snapshot.frame.condition.ready,
            light=seen.light,
            sharpness=seen.sharpness,
            px_per_module=seen.px_per_module,
            error_px=seen.pose_error_px,
            lens=self._lens_told(snapshot, lang),
            ms=seen.ms.get("total", 0.0),
            beliefs=_beliefs(snapshot, game, lang),
            advice=tuple(advice_text(a, box, lang) for a in self._advice(snapshot, game, box)),
        )

    def _lens_told(self, snapshot: Snapshot, lang: str) -> str:
        lenses, image = self._camera.lens_of(), snapshot.frame.image
        if lenses is None:
            return ""
        say, size = Texts("camera.calibration", lang), (image.shape[1], image.shape[0])
        if lenses(size) is not None:
            return say("lens_measured")
        learnt = lenses.learnt(size)
        if learnt is None:
            return say("lens_unknown")
        error = decimals(f"{max(learnt.error_mm, 0.1):.1f}", lang)
        if learnt.pictures == 1:
            return say("lens_learnt_once", error=error)
        return say("lens_learnt", pictures=learnt.pictures, error=error)

    def _advice(self, snapshot: Snapshot, game: str, box: Box) -> tuple[Advice, ...]:
        known, told_s, told = self._advised
        now = time.monotonic()
        if known != game or now - told_s > ADVICE_S:
            if self._advising is None or self._advising[0] != box:
                self._advising = (box, Adviser(box))
            told = self._advising[1].advise(snapshot.frame.image, snapshot.sighting)
            missing = snapshot.frame.condition.missing
            told = (*(Advice(UNADJUSTED[quantity]) for quantity in missing), *told)
            self._advised = (game, now, told)
        return told


def _beliefs(snapshot: Snapshot, game: str, lang: str) -> tuple[tuple[str, str], ...]:
    teller, say = _teller(game, lang), Texts("camera.sight", lang)
    lines = []
    for site, belief in snapshot.sighting.sites.items():
        if belief.occluded:
            glares = site in snapshot.sighting.glaring
            lines.append((_site(teller, site), say("glare" if glares else "covered")))
        elif belief.best != EMPTY:
            lines.append((_site(teller, site), _look(teller, belief.best)))
    lines += [(say("beside"), teller.kind(stray.kind)) for stray in snapshot.sighting.strays]
    return tuple(lines)


def _site(teller: Teller, site: str) -> str:
    name = teller.site(site)
    return name[:1].upper() + name[1:]


def _look(teller: Teller, look: Look) -> str:
    return teller.list([teller.kind(glimpse.kind) for glimpse in look])


@lru_cache(maxsize=16)
def _teller(name: str, lang: str) -> Teller:
    game = find_game(name)
    players = game.players[0]
    return Teller(game, lang, game.colours(players, game.complete_options(players, {})))
