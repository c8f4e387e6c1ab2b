"""Measuring the camera's lens at the table: picture by picture, until there is enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.camera.lenses import Lenses
from companion.camera.owner import TableCamera
from companion.settings.preferences import PreferencesFile
from companion.words.errors import of_file
from hardware.supervised_thread import SupervisedThread, tell_failure
from rules.errors import Sentence, sentence_of
from rules.texts import Texts, decimals
from vision.arrays import Picture
from vision.camera.calibration import Calibration, CalibrationError, Hint
from vision.camera.sources import Frame, FrameSource, SourceError, camera_name

PAUSE_S = 0.4
"""Seconds between the pictures that are looked at: hands with a sheet are slow."""
FOUND = (80, 220, 80)


@dataclass(frozen=True, slots=True)
class LensLook:
    """State of the lens calibration."""

    picture: Picture | None = None
    """The newest picture, with the corners of the sheet that were found."""
    share: float = 0.0
    """Share of the required pictures that is there, 0 to 1."""
    sentence: str = ""
    """Result of the picture; at the end, of the measurement."""
    want: str = ""
    """Place where the sheet should be held next, as a sentence."""
    reckoning: bool = False
    """True while the lens is being worked out, which takes some seconds."""
    done: str = ""
    """``passed`` or ``failed`` at the end, else empty."""


class LensBench:
    """Measures the lens of the table's camera, any number of times."""

    def __init__(self, camera: TableCamera, lenses: Lenses, preferences: PreferencesFile) -> None:
        """``lenses``: where a lens that passed is saved."""
        self._camera, self._lenses, self._preferences = camera, lenses, preferences
        self._walk: LensWalk | None = None

    @property
    def is_possible(self) -> bool:
        """True if there is a camera whose lens can be measured."""
        return bool(camera_name(self._camera.settings.source))

    def begin(self) -> None:
        """Begin to measure it, from scratch if it was begun before."""
        self.stop()
        name, lang = camera_name(self._camera.settings.source), self._preferences.now.lang
        opened = self._camera.lend_pictures(self.stop)
        self._walk = LensWalk(name or "camera", opened, self._lenses, lang).start()

    def look(self) -> LensLook:
        """Present state."""
        return LensLook() if self._walk is None else self._walk.look()

    def stop(self) -> None:
        """End it; the camera is free again."""
        if self._walk is not None:
            self._walk.close()
        self._walk = None


class LensWalk:
    """A thread that looks at pictures and calculates; ``look`` tells how far it has come."""

    def __init__(
        self, camera: str, opened: Callable[[], FrameSource], lenses: Lenses, lang: str
    ) -> None:
        """``camera``: the name under which the lens is saved. ``opened``: opens the camera."""
        self._camera, self._opened, self._lenses, self._lang = camera, opened, lenses, lang
        self._calibration = Calibration()
        self._look = LensLook()
        self._thread = SupervisedThread("lens", self._run, once=True)

    def start(self) -> LensWalk:
        """Begin to look."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop; what was found so far is forgotten, unless the lens was saved."""
        self._thread.close(5)

    def look(self) -> LensLook:
        """Present state."""
        return self._look

    def _run(self) -> None:
        try:
            source = self._opened()
        except Exception as error:
            if not isinstance(error, SourceError):
                tell_failure(error)
            self._failed(sentence_of(error))
            return
        try:
            if self._collect(source):
                self._solve()
        except SourceError as error:
            self._failed(sentence_of(error))
        except Exception as error:
            # Without this the page would wait for ever for a thread that is gone.
            tell_failure(error)
            self._failed(sentence_of(error))
        finally:
            source.close()

    def _collect(self, source: FrameSource) -> bool:
        """Shows pictures to the calibration; True if there are enough."""
        say = Texts("camera.calibration", self._lang)
        while not self._thread.closing:
            frame = source.read(timeout=0.5)
            if frame is None or not frame.condition.ready:
                if source.ended:
                    return True
                continue
            hint = self._calibration.add(frame.image)
            self._look = LensLook(
                picture=_drawn(frame, hint),
                share=hint.share,
                sentence=say(hint.verdict, views=hint.views),
                want=say(f"want_{hint.want}"),
            )
            if not hint.want:
                return True
            if not source.settled:
                self._thread.rest(PAUSE_S)
        return False

    def _failed(self, what: Sentence) -> None:
        told = what.told(self._lang)
        self._look = replace(self._look, reckoning=False, done="failed", sentence=told)

    def _solve(self) -> None:
        say = Texts("camera.calibration", self._lang)
        self._look = replace(self._look, reckoning=True)
        try:
            result = self._calibration.solve()
        except CalibrationError as error:
            self._failed(error.sentence)
            return
        figures = {
            "error": self._number(result.error_px, 2),
            "limit": self._number(result.limit_px, 2),
        }
        if not result.passed:
            key = "failed" if result.error_px > result.limit_px else "failed_doubt"
            told = say(key, doubt=self._number(result.focal_doubt * 100, 1), **figures)
            self._look = replace(self._look, reckoning=False, done="failed", sentence=told)
            return
        try:
            path = self._lenses.keep(self._camera, result)
        except OSError as error:
            self._failed(of_file(error, "lens"))
            return
        told = say(
            "passed", views=result.views, focal=round(result.lens.focal), path=path.name, **figures
        )
        self._look = replace(self._look, reckoning=False, done="passed", sentence=told)

    def _number(self, value: float, places: int) -> str:
        return decimals(f"{value:.{places}f}", self._lang)


def _drawn(frame: Frame, hint: Hint) -> Picture:
    """The picture with the corners that were found."""
    image: Picture = frame.image.copy()
    radius = max(round(max(image.shape[:2]) / 250), 3)
    for x, y in np.round(hint.corners_px).astype(int):
        cv2.circle(image, (int(x), int(y)), radius, FOUND, -1, cv2.LINE_AA)
    return image
