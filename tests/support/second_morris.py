"""Nine Men's Morris once more, from another idea of the board, to count legal moves against.

Points are a ring (0 outside, 2 inside) and one of eight places round it, clockwise from the upper
left corner; even places are corners. Nothing is shared with the game but the names of points.
"""

from __future__ import annotations

from collections.abc import Iterator

Point = tuple[int, int]

POINTS: list[Point] = [(ring, place) for ring in range(3) for place in range(8)]
_ROUND = ((-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))
"""Right and up, by place round a ring."""


def name(point: Point) -> str:
    """``a7`` and so on."""
    (x, y), out = _ROUND[point[1]], 3 - point[0]
    return "abcdefg"[3 + out * x] + str(4 + out * y)


NAMES = {name(point): point for point in POINTS}


def touching(point: Point) -> set[Point]:
    """One step along a line."""
    ring, place = point
    found = {(ring, (place + 1) % 8), (ring, (place - 1) % 8)}
    if place % 2:
        found |= {(other, place) for other in (ring - 1, ring + 1) if 0 <= other <= 2}
    return found


def rows(point: Point) -> list[set[Point]]:
    """The mills that a point is part of."""
    ring, place = point
    if place % 2:
        across = {(other, place) for other in range(3)}
        return [{(ring, place - 1), point, (ring, (place + 1) % 8)}, across]
    return [{(ring, (place + step * way) % 8) for step in range(3)} for way in (1, -1)]


class Second:
    """A match of the second implementation, with the usual options."""

    def __init__(self, *, flying: bool = True, two: bool = False) -> None:
        self.flying, self.two = flying, two
        self.men: tuple[set[Point], set[Point]] = (set(), set())
        self.unplaced = [9, 9]
        self.mover, self.due = 0, 0

    def legal(self) -> set[str]:
        """The texts of all legal moves, whether or not the match is drawn."""
        return set(self._legal())

    def _legal(self) -> Iterator[str]:
        me, seat = self.men[self.mover], self.mover
        bare = [p for p in POINTS if p not in self.men[0] and p not in self.men[1]]
        if len(me) + self.unplaced[seat] < 3:
            return
        if self.due:
            theirs = self.men[1 - seat]
            loose = {p for p in theirs if not any(row <= theirs for row in rows(p))}
            yield from (f"p{seat} take {name(p)}" for p in loose or theirs)
        elif self.unplaced[seat]:
            yield from (f"p{seat} place {name(p)}" for p in bare)
        else:
            for start in me:
                jumps = self.flying and len(me) == 3
                for end in bare if jumps else touching(start).intersection(bare):
                    yield f"p{seat} move {name(start)} {name(end)}"

    def play(self, text: str) -> None:
        """Make a legal move."""
        _, verb, *names = text.split()
        points, me, seat = [NAMES[n] for n in names], self.men[self.mover], self.mover
        if verb == "take":
            self.men[1 - seat].remove(points[0])
            self.due -= 1
            if len(self.men[1 - seat]) + self.unplaced[1 - seat] < 3:
                self.due = 0
        else:
            if verb == "place":
                self.unplaced[seat] -= 1
            else:
                me.remove(points[0])
            me.add(points[-1])
            closed = sum(row <= me for row in rows(points[-1]))
            self.due = min(closed, 2 if self.two else 1)
        if not self.due:
            self.mover = 1 - seat
