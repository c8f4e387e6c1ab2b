"""Following a disc that rolls over a board.

The board is flattened to a coarse grid and compared with itself at rest. What differs, is as small
as a disc and moves, is followed from frame to frame by its nearest neighbour to where its speed
would have carried it; under a capstone it may be out of sight for a moment. Hands are larger and
are ignored. When it rests, has left the board or is lost, its path says what the roll was
(``rolls``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Bools, Floats, Picture, Points, floats
from vision.board.pose import BoardPose
from vision.camera.frames import Frame
from vision.rolls.path import SURE_MM, Gate, Roll, chance, filled, passes, run_up_zone

MM_PER_PX = 2.0
DIFFERENT = 16.0
"""Grey levels in one channel by which something differs from the board at rest."""
NOISE_FACTOR = 7.0
"""Or this many times as much as most of the board differs."""
LEAST_MM2, MOST_MM2 = 24.0, 1500.0
"""Area of a rolling disc, with its shadow and its blur; hands are larger."""
EDGE_MM2 = 700.0
"""Area above which a thing that reaches in over the edge is a hand."""
SWITCHED = 0.45
"""If more than this share of the board changed, the lamp did."""
SLOWEST, FASTEST = 90.0, 3500.0
"""Speeds at which a roll begins, mm/s."""
SETS_OFF_MM = 90.0
"""Distance beyond the run-up zone at which a roll may first be seen, out of the hand."""
ROAM_MM = 14.0
"""A rolling disc is looked for this far around where it should be, and"""
ROAM_SHARE = 0.5
"""further by this share of the way it should have come."""
LOST_S = 0.45
"""Out of sight for this long, it is gone."""
HIDDEN_S, HIDDEN_ROAM_MM = 1.3, 30.0
"""Below a capstone it may be out of sight for longer, and come out in an unexpected place."""
REST_S, REST_MM = 0.3, 3.0
"""It rests if it moved no further than this for this long."""
LONGEST_S = 8.0
"""No roll takes longer."""
LEAST_POINTS, LEAST_WAY_MM = 4, 25.0
"""A twitch of a finger is not a roll."""
STAYS_S = 4.0
"""Seconds of stillness after which a thing belongs to the board."""
ABSORB = 0.06
"""Share of a frame that goes into the board at rest, where nothing differs."""
NEAR_GATE_MM = 24.0
"""This near a gate a disc may be below its capstone."""
HANDLED = (20, 60)
"""Grid rows beyond and before the run-up zone's far border where a hand may hold the disc."""


@dataclass(frozen=True, slots=True)
class _Spot:
    at: Points
    """mm (2,)."""
    area: float


class _Track:
    """Places of something that moves."""

    def __init__(self, path: list[tuple[float, float, float]]) -> None:
        self.path = path
        """Seconds and mm."""

    @property
    def way(self) -> float:
        """The farthest it went from where it began, mm."""
        away = np.array(self.path)[:, 1:] - self.path[0][1:]
        return float(np.linalg.norm(away, axis=1).max())

    def next_of(
        self, spots: Sequence[_Spot], since: float, taken: Collection[int], roam_mm: float
    ) -> int | None:
        """Index in ``spots`` of this disc ``since`` seconds after it was seen last, at most
        ``roam_mm`` and a share of its way beside where it should be."""
        path = np.array(self.path)
        speed = _speed(path)
        due = path[-1, 1:] + speed * since
        roam = roam_mm + ROAM_SHARE * float(np.linalg.norm(speed)) * since
        near = [
            (float(np.linalg.norm(spot.at - due)), number)
            for number, spot in enumerate(spots) if number not in taken
        ]  # fmt: skip
        best = min(near, default=None)
        return best[1] if best is not None and best[0] < roam else None

    def rests(self, now: float) -> bool:
        """True if it has lain still for long enough."""
        late = [p for p in self.path if now - p[0] <= REST_S]
        if now - self.path[0][0] < REST_S or len(late) < 4:
            return False
        return float(np.ptp(np.array(late)[:, 1:], axis=0).max()) < REST_MM


class RollTracker:
    """Follows discs over one board; for frames at 30 a second or more."""

    def __init__(
        self, box: Box, pose: BoardPose, gates: Sequence[Gate], disc_mm: float = 18.0,
        run_up: tuple[float, float] | None = None,
    ) -> None:  # fmt: skip
        """``pose``: where the camera is. ``gates``: the openings to be watched. ``disc_mm``:
        diameter of the discs. ``run_up``: y of the run-up zone's borders in mm; None: as on the
        board.

        Raises ValueError if the board has no run-up zone.
        """
        self._box, self._pose, self._gates = box, pose, tuple(gates)
        self._disc = disc_mm
        self._run_up = run_up or run_up_zone(box)
        self._grid = _grid(box, pose)
        self._scaled: tuple[int, Floats] | None = None
        self.forget()

    def forget(self) -> None:
        """Forget the board at rest and what was rolling; the next frame shows the board."""
        self._rest: Floats | None = None
        self._newest: Floats | None = None
        self._stirred: Floats = np.zeros(self._grid.shape[:2], dtype=np.float32)
        """Time of the last motion at each place, s."""
        self._before: list[_Spot] = []
        self._before_s = 0.0
        self._tracks: list[_Track] = []
        self._lying: tuple[float, Points] | None = None
        self._handled = False

    @property
    def rolling(self) -> bool:
        """True if a disc is on its way."""
        return any(track.way > LEAST_WAY_MM for track in self._tracks)

    def look(self, frame: Frame) -> Roll | None:
        """Take the next frame; the roll that ended with it, if one did.

        Its picture may be a smaller one of the same view than the pose was found in.
        """
        flat = self._flatten(frame.image)
        now = frame.time_s
        if self._rest is None:
            self._rest = flat
            return None
        difference = _difference(flat, self._rest)
        limit = max(DIFFERENT, NOISE_FACTOR * float(np.median(difference[::3, ::3])))
        odd = difference > limit
        if float(odd.mean()) > SWITCHED:
            self.forget()
            self._rest = flat
            return None
        spots, hands = self._spots(odd)
        low = int((self._box.size[1] / 2 - self._run_up[1]) / MM_PER_PX)
        beyond, before = HANDLED
        self._handled = bool(hands[max(low - beyond, 0) : low + before].any())
        calm = ~odd | self._stays(flat, now)
        cv2.accumulateWeighted(flat, self._rest, ABSORB, calm.astype(np.uint8))
        roll = self._follow(spots, now)
        if roll is not None:
            self._tracks.clear()
            # Anything that lies there now is part of the board until a hand takes it away.
            self._rest = np.where(hands[..., None], self._rest, flat)
        self._before, self._before_s = spots, now
        return roll

    def finish(self) -> Roll | None:
        """The roll that was still on its way when the frames ended, if any."""
        longest = max(self._tracks, key=lambda track: track.way, default=None)
        self._tracks.clear()
        return None if longest is None else self._end(longest, lost=False)

    # -- frames ---------------------------------------------------------------------------

    def _flatten(self, image: Picture) -> Floats:
        grid = self._grid_for(image.shape[1])
        flat = cv2.remap(image, grid, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]  # fmt: skip
        return floats(cv2.blur(np.asarray(flat), (2, 2)))

    def _grid_for(self, width: int) -> Floats:
        """The place of each grid pixel in a picture of this width in px."""
        if self._scaled is None or self._scaled[0] != width:
            scale = width / self._pose.lens.size[0]
            self._scaled = (width, floats((self._grid + 0.5) * scale - 0.5))
        return self._scaled[1]

    def _stays(self, flat: Floats, now: float) -> Bools:
        """True where nothing has moved for long: what lies there belongs to the board."""
        if self._newest is None:
            self._stirred[:] = now
        else:
            stir = _difference(flat, self._newest) > DIFFERENT
            self._stirred[stir] = now
        self._newest = flat
        return np.asarray(now - self._stirred > STAYS_S)

    def _spots(self, odd: Bools) -> tuple[list[_Spot], Bools]:
        """Spots that may be a disc, and the places of hands."""
        mask = odd.astype(np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))
        count, labels, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
        height, width = odd.shape
        hands = np.zeros(odd.shape, dtype=np.bool_)
        spots = []
        for number in range(1, count):
            left, top, wide, high, pixels = (int(v) for v in stats[number])
            area = pixels * MM_PER_PX**2
            edge = left <= 1 or top <= 1 or left + wide >= width - 1 or top + high >= height - 1
            if area > MOST_MM2 or (edge and area > EDGE_MM2):
                hands |= labels == number
            elif area >= LEAST_MM2:
                spots.append(_Spot(self._place(middles[number]), area))
        return spots, hands

    def _place(self, middle: Points) -> Points:
        """Place of a standing disc whose middle is seen at a grid pixel; mm (2,)."""
        width, height = self._box.size
        ground = np.array([
            (middle[0] + 0.5) * MM_PER_PX - width / 2, height / 2 - (middle[1] + 0.5) * MM_PER_PX
        ])  # fmt: skip
        eye = self._pose.eye
        return np.asarray(eye[:2] + (ground - eye[:2]) * (1 - self._disc / 2 / eye[2]))

    # -- following ------------------------------------------------------------------------

    def _follow(self, spots: Sequence[_Spot], now: float) -> Roll | None:
        """Lengthen every track by the spot that fits it; the roll that ended, if one did."""
        taken: set[int] = set()
        ended: list[tuple[_Track, bool]] = []
        for track in sorted(self._tracks, key=lambda t: -t.way):
            since = now - track.path[-1][0]
            if since <= 0:
                continue
            below = any(
                g.distance(np.array(track.path[-1][1:])) < NEAR_GATE_MM for g in self._gates
            )
            roam = HIDDEN_ROAM_MM if below else ROAM_MM
            number = track.next_of(spots, since, taken, roam)
            if number is not None:
                taken.add(number)
                x, y = (float(v) for v in spots[number].at)
                track.path.append((now, x, y))
                if track.rests(now) or now - track.path[0][0] > LONGEST_S:
                    ended.append((track, False))
            elif since > (HIDDEN_S if below else LOST_S):
                ended.append((track, True))
        self._tracks = [t for t in self._tracks if all(t is not old for old, _ in ended)]
        self._begin([s for n, s in enumerate(spots) if n not in taken], now)
        roll = None
        for track, lost in ended:
            # A sleeve that twitches behind a rolling disc is not what was waited for.
            if all(track.way > other.way for other in self._tracks):
                roll = roll or self._end(track, lost)
        if not self._tracks and roll is None:
            roll = self._left_lying(spots, now)
        return roll

    def _begin(self, spots: Sequence[_Spot], now: float) -> None:
        """Look for something setting off."""
        since = now - self._before_s
        if since <= 0:
            return
        for spot in spots:
            for old in self._before:
                way = float(np.linalg.norm(spot.at - old.at))
                start = (
                    old.at[1] < self._run_up[1] + SETS_OFF_MM and 0.4 < spot.area / old.area < 2.5
                )
                if start and SLOWEST * since < way < FASTEST * since:
                    first = (self._before_s, float(old.at[0]), float(old.at[1]))
                    second = (now, float(spot.at[0]), float(spot.at[1]))
                    self._tracks.append(_Track([first, second]))

    def _left_lying(self, spots: Sequence[_Spot], now: float) -> Roll | None:
        """A disc that a hand left behind in the run-up zone was pushed too feebly to be seen."""
        low, high = self._run_up
        here = [s for s in spots if low < s.at[1] < high + self._disc / 2]
        if len(here) != 1 or self._handled:
            self._lying = None
            return None
        at = here[0].at
        if self._lying is None or float(np.linalg.norm(at - self._lying[1])) > REST_MM:
            self._lying = (now, at)
        if now - self._lying[0] < REST_S:
            return None
        x, y = float(at[0]), float(at[1])
        path = np.array([(self._lying[0], x, y), (now, x, y)])
        self._lying = None
        return Roll(path, (), self._crossed(path, False))

    def _end(self, track: _Track, lost: bool) -> Roll | None:
        path = np.array(track.path)
        if (
            len(path) < LEAST_POINTS
            or track.way < LEAST_WAY_MM
            or path[:, 2].max() < self._run_up[0]
        ):
            return None
        speed = _speed(path)
        left = False
        inside: str | None = None
        if lost:
            gone = path[-1, 1:] + speed * LOST_S
            half = np.array(self._box.size) / 2 - self._disc / 2
            left = bool((np.abs(gone) > half).any())
            near = [(g.distance(path[-1, 1:] + speed * 0.05), g) for g in self._gates]
            close = min(near, key=lambda one: one[0], default=None)
            if not left and close is not None and close[0] < NEAR_GATE_MM:
                # It lies below the capstone: not passed.
                inside = close[1].name
        dense = filled(path)
        found = [p for gate in self._gates if gate.name != inside for p in passes(gate, dense)]
        found.sort(key=lambda p: p.time_s)
        return Roll(path, tuple(found), self._crossed(path, left))

    def _crossed(self, path: Points, left: bool) -> float:
        """Probability that the whole disc got out of the run-up zone other than back."""
        far = float(path[:, 2].max()) - (self._run_up[1] + self._disc / 2)
        if left and float(path[:, 2].max()) > self._run_up[0]:
            # Off the board at the side, from the run-up zone, is also a miss.
            return max(chance(far / SURE_MM), 0.95)
        return chance(far / SURE_MM)


def _grid(box: Box, pose: BoardPose) -> Floats:
    """The place of each grid pixel of the board in the picture, height × width × 2 px."""
    width, height = (round(side / MM_PER_PX) for side in box.size)
    x = (np.arange(width) + 0.5) * MM_PER_PX - box.size[0] / 2
    y = box.size[1] / 2 - (np.arange(height) + 0.5) * MM_PER_PX
    across, down = np.meshgrid(x, y)
    px = pose.project(np.column_stack([across.ravel(), down.ravel()]))
    return floats(px.reshape(height, width, 2))


def _difference(one: Floats, other: Floats) -> Floats:
    """By how many grey levels two pictures differ in the channel in which they differ most."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return floats(cv2.max(cv2.max(blue, green), red))


def _speed(path: Points) -> Points:
    """mm/s over the last points, (2,)."""
    late = path[-4:]
    span = max(float(late[-1, 0] - late[0, 0]), 1e-6)
    return np.asarray((late[-1, 1:] - late[0, 1:]) / span)
