"""A disc that rolls: where it went, which gates it passed, where it came to rest.

The board is flattened to a coarse grid and compared with itself at rest. What differs, is as small
as a disc and moves, is followed from frame to frame by its nearest neighbour to where its speed
would have carried it; under a capstone it may be out of sight for a moment. Hands are larger and
do not count. When it rests, has left the board or is lost, the path between the frames is filled
in (Catmull and Rom, 1974) and held against the gates.

A disc is thin and a pillar is not, so a path that meets a pillar's middle means a wrong
measurement: there lies the border between passed and missed, and the nearer a path comes to it,
the less is sure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Bools, Floats, Picture, Points, floats
from vision.board_pose import BoardPose
from vision.frames import Frame
from vision.sighting import SeenPiece

__all__ = ["Gate", "Pass", "Roll", "RollTracker", "Verdict", "gates_of", "run_up_zone"]

MM_PER_PX = 2.0
DIFFERENT = 16.0
"""Grey levels of one channel by which something differs from the board at rest."""
NOISE_FACTOR = 7.0
LEAST_MM2, MOST_MM2 = 24.0, 1500.0
"""What rolls, with its shadow and its blur, is as large as this; hands are larger."""
EDGE_MM2 = 700.0
"""What reaches in over the edge and is larger than this is a hand."""
SWITCHED = 0.45
"""If more than this share of the board changed, the lamp did."""
SLOWEST, FASTEST = 90.0, 3500.0
"""Speeds of a roll that begins, mm/s."""
SETS_OFF_MM = 90.0
"""So far behind the run-up zone a roll may first be seen, when it has got away from the hand."""
ROAM_MM = 14.0
"""A rolling disc is looked for so far around where it should be, and"""
ROAM_SHARE = 0.5
"""by this share of the way it should have come."""
LOST_S = 0.45
"""Out of sight for so long it is gone."""
HIDDEN_S, HIDDEN_ROAM_MM = 1.3, 30.0
"""Below a capstone it may be out of sight for longer, and come out where nobody expects it."""
REST_S, REST_MM = 0.3, 3.0
"""It rests if it moved no further than this for so long."""
LONGEST_S = 8.0
LEAST_POINTS, LEAST_WAY_MM = 4, 25.0
"""A twitch of a finger is no roll."""
STAYS_S = 4.0
"""What has lain still for so long belongs to the board."""
ABSORB = 0.06
"""Share of a frame that goes into the board at rest, where nothing differs."""
STEPS = 8
"""Points of a path between two frames."""
OPEN_SHARE, PILLAR_SHARE = 0.44, 0.24
"""Opening and pillar of a trilithon per width of its capstone."""
CLEAR_MM = 12.0
"""So far behind a gate a disc has gone fully through."""
SURE_MM = 2.2
"""Deviation of a path where it crosses a gate."""
NEAR_GATE_MM = 24.0


@dataclass(frozen=True, slots=True)
class Gate:
    """An opening between two pillars."""

    name: str
    left_mm: tuple[float, float]
    right_mm: tuple[float, float]
    """The pillars' inner edges on the board."""
    pillar_mm: float = 14.0
    """Width of a pillar."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A gate was passed, or nearly."""

    gate: str
    time_s: float
    forth: bool
    """Away from the edge from which discs are pushed."""
    beside_mm: float
    """How far from the middle of the opening."""
    likely: float
    """Probability that it was passed, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One thing that a roll may have been."""

    crossed: bool
    """It got across the run-up zone."""
    gates: tuple[str, ...]
    """Passed ones, in order."""
    likely: float


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """One roll, from the first frame that shows the disc moving until it rests."""

    path: Points
    """Seconds and board mm, n × 3."""
    passes: tuple[Pass, ...]
    """In order of time, likely and unlikely ones."""
    crossed: float
    """Probability that it left the run-up zone on the far side or at the side."""
    rest_mm: tuple[float, float] | None
    """Where it came to rest; None if it left the board or was lost."""
    left_board: bool

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What it may have been, likeliest first; those below one in a hundred are left out."""
        found: dict[tuple[bool, tuple[str, ...]], float] = {(False, ()): 1 - self.crossed}
        names = list(dict.fromkeys(p.gate for p in self.passes))
        chance = {
            name: 1 - math.prod(1 - p.likely for p in self.passes if p.gate == name)
            for name in names
        }
        for chosen in product((True, False), repeat=len(names)):
            gates = tuple(name for name, taken in zip(names, chosen, strict=True) if taken)
            share = math.prod(
                chance[name] if taken else 1 - chance[name]
                for name, taken in zip(names, chosen, strict=True)
            )
            key = (True, gates)
            found[key] = found.get(key, 0.0) + self.crossed * share
        ranked = sorted(found.items(), key=lambda one: -one[1])
        return tuple(Verdict(*key, share) for key, share in ranked if share > 0.01)


def gates_of(box: Box, pieces: Iterable[SeenPiece]) -> tuple[Gate, ...]:
    """The gates that stand on the board, from the stickers on their capstones.

    Named by the sites they stand at, others by their order from left to right.
    """
    gates = []
    standing = [p for p in pieces if box.kinds[p.kind].shape == "arch"]
    for number, piece in enumerate(sorted(standing, key=lambda p: p.at_mm)):
        wide = box.kinds[piece.kind].size[0]
        along = piece.corners_mm[1] - piece.corners_mm[0]
        along = along / max(float(np.linalg.norm(along)), 1e-6)
        if along[0] < 0:
            along = -along
        half = along * wide * OPEN_SHARE / 2
        x, y = piece.at_mm
        left = (float(x - half[0]), float(y - half[1]))
        right = (float(x + half[0]), float(y + half[1]))
        gates.append(Gate(piece.site or f"#{number + 1}", left, right, wide * PILLAR_SHARE))
    return tuple(gates)


def run_up_zone(box: Box) -> tuple[float, float]:
    """Where the run-up zone begins and ends, y in mm; raises ValueError if the board has none."""
    lines = sorted({p[1] for s in box.strokes if s.role == "zone border" for p in s.points})
    if len(lines) != 2:
        raise ValueError(f"the board of {box.id} has no run-up zone: it shows {len(lines)} borders")
    return lines[0], lines[1]


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
        """How far it went from where it began at most, mm."""
        away = np.array(self.path)[:, 1:] - self.path[0][1:]
        return float(np.linalg.norm(away, axis=1).max())

    def next_of(
        self, spots: Sequence[_Spot], since: float, taken: Collection[int], roam_mm: float
    ) -> int | None:
        """Which of ``spots`` it is ``since`` seconds after it was seen last, at most ``roam_mm``
        and a share of its way beside where it should be."""
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
        """Whether it has lain still for long enough."""
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
        """``pose``: where the camera stands. ``gates``: the openings to be watched. ``disc_mm``:
        diameter of the discs. ``run_up``: y of the run-up zone's borders in mm; None: as the board
        has them.

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
        """When each place moved last, s."""
        self._before: list[_Spot] = []
        self._before_s = 0.0
        self._tracks: list[_Track] = []
        self._lying: tuple[float, Points] | None = None
        self._handled = False

    @property
    def rolling(self) -> bool:
        """Whether a disc is on its way."""
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
        difference = np.abs(flat - self._rest).max(axis=-1)
        limit = max(DIFFERENT, NOISE_FACTOR * float(np.median(difference[::3, ::3])))
        odd = difference > limit
        if float(odd.mean()) > SWITCHED:
            self.forget()
            self._rest = flat
            return None
        spots, hands = self._spots(odd)
        low = int((self._box.size[1] / 2 - self._run_up[1]) / MM_PER_PX)
        self._handled = bool(hands[low - 20 : low + 60].any())
        calm = ~odd | self._stays(flat, now)
        self._rest[calm] += ABSORB * (flat[calm] - self._rest[calm])
        roll = self._follow(spots, now)
        if roll is not None:
            self._tracks.clear()
            # Whatever lies there now is a part of the board until a hand takes it away.
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
        """Where each grid pixel is seen in a picture of this width in px."""
        if self._scaled is None or self._scaled[0] != width:
            scale = width / self._pose.lens.size[0]
            self._scaled = (width, floats((self._grid + 0.5) * scale - 0.5))
        return self._scaled[1]

    def _stays(self, flat: Floats, now: float) -> Bools:
        """Where nothing has moved for long: what lies there belongs to the board."""
        if self._newest is None:
            self._stirred[:] = now
        else:
            stir = np.abs(flat - self._newest).max(axis=-1) > DIFFERENT
            self._stirred[stir] = now
        self._newest = flat
        return np.asarray(now - self._stirred > STAYS_S)

    def _spots(self, odd: Bools) -> tuple[list[_Spot], Bools]:
        """What may be a disc, and where hands are."""
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
        """Where a standing disc is whose middle is seen at a grid pixel; mm (2,)."""
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
                _distance(g, np.array(track.path[-1][1:])) < NEAR_GATE_MM for g in self._gates
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
        """Look for what sets off."""
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
        return Roll(path, (), self._crossed(path, False), (x, y), False)

    def _end(self, track: _Track, lost: bool) -> Roll | None:
        path = np.array(track.path)
        if (
            len(path) < LEAST_POINTS
            or track.way < LEAST_WAY_MM
            or path[:, 2].max() < self._run_up[0]
        ):
            return None
        speed = _speed(path)
        left, rest = False, (float(path[-1, 1]), float(path[-1, 2]))
        inside: str | None = None
        if lost:
            gone = path[-1, 1:] + speed * LOST_S
            half = np.array(self._box.size) / 2 - self._disc / 2
            left = bool((np.abs(gone) > half).any())
            near = [(_distance(g, path[-1, 1:] + speed * 0.05), g) for g in self._gates]
            close = min(near, key=lambda one: one[0], default=None)
            if not left and close is not None and close[0] < NEAR_GATE_MM:
                # It lies below the capstone: not passed.
                inside = close[1].name
        dense = _filled(path)
        passes = [
            p for gate in self._gates if gate.name != inside for p in _passes(gate, dense)
        ]  # fmt: skip
        passes.sort(key=lambda p: p.time_s)
        known = None if left else rest
        return Roll(path, tuple(passes), self._crossed(path, left), known, left)

    def _crossed(self, path: Points, left: bool) -> float:
        """Probability that the whole disc got out of the run-up zone other than back."""
        far = float(path[:, 2].max()) - (self._run_up[1] + self._disc / 2)
        if left and float(path[:, 2].max()) > self._run_up[0]:
            # Off the board at the side, from the run-up zone, is a miss as well.
            return max(_chance(far / SURE_MM), 0.95)
        return _chance(far / SURE_MM)


def _grid(box: Box, pose: BoardPose) -> Floats:
    """Where each grid pixel of the board is seen, height × width × 2 px."""
    width, height = (round(side / MM_PER_PX) for side in box.size)
    x = (np.arange(width) + 0.5) * MM_PER_PX - box.size[0] / 2
    y = box.size[1] / 2 - (np.arange(height) + 0.5) * MM_PER_PX
    across, down = np.meshgrid(x, y)
    px = pose.project(np.column_stack([across.ravel(), down.ravel()]))
    return floats(px.reshape(height, width, 2))


def _speed(path: Points) -> Points:
    """mm/s over the last points, (2,)."""
    late = path[-4:]
    span = max(float(late[-1, 0] - late[0, 0]), 1e-6)
    return np.asarray((late[-1, 1:] - late[0, 1:]) / span)


def _filled(path: Points) -> Points:
    """The path with points between the frames, by Catmull-Rom splines; n × 3."""
    if len(path) < 3:
        return path
    ends = np.concatenate([path[:1], path, path[-1:]])
    share = (np.arange(STEPS) / STEPS)[:, None]
    parts = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        inner = (
            2 * b + (c - a) * share + (2 * a - 5 * b + 4 * c - d) * share**2
            + (3 * b - a - 3 * c + d) * share**3
        ) / 2  # fmt: skip
        parts.append(inner)
    return np.concatenate([*parts, path[-1:]])


def _distance(gate: Gate, at: Points) -> float:
    middle = (np.array(gate.left_mm) + np.array(gate.right_mm)) / 2
    return float(np.linalg.norm(at - middle))


def _passes(gate: Gate, path: Points) -> list[Pass]:
    """Where a path goes through a gate, or so near beside it that nobody can be sure."""
    left, right = np.array(gate.left_mm), np.array(gate.right_mm)
    along = right - left
    half = float(np.linalg.norm(along)) / 2
    along = along / (2 * half)
    forth = np.array([-along[1], along[0]])
    if forth[1] < 0:
        forth = -forth
    off = path[:, 1:] - (left + right) / 2
    side, beside = off @ forth, off @ along
    border = half + gate.pillar_mm / 2
    found = []
    for n in np.flatnonzero(np.sign(side[1:]) * np.sign(side[:-1]) < 0):
        share = side[n] / (side[n] - side[n + 1])
        at = float(beside[n] + share * (beside[n + 1] - beside[n]))
        if abs(at) > border + 4 * SURE_MM:
            continue
        way = 1.0 if side[n + 1] > 0 else -1.0
        back = np.flatnonzero(side[n + 1 :] * way < 0)
        after = side[n + 1 : n + 1 + (back[0] if len(back) else len(side))] * way
        through = float(after.max(initial=0.0)) >= CLEAR_MM
        if not through:
            continue
        likely = _chance((border - abs(at)) / SURE_MM)
        time = float(path[n, 0] + share * (path[n + 1, 0] - path[n, 0]))
        found.append(Pass(gate.name, time, way > 0, abs(at), likely))
    return found


def _chance(z: float) -> float:
    """The normal distribution's share below ``z`` deviations, kept from 0 and 1."""
    return min(max(0.5 * math.erfc(-z / math.sqrt(2)), 0.001), 0.999)
