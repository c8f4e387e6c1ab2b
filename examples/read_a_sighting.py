"""Read a sighting: which legal moves explain what a camera believes to lie on the board."""

from rules.match import Match
from rules.reading.reading import read
from rules.reading.sighting import EMPTY, Glimpse, SiteBelief
from vision.pieces.sighting import Sighting

BARE = SiteBelief({EMPTY: 0.0})


def seen(**stones: SiteBelief) -> Sighting:
    """A sighting of stones on fields; every other field looks bare."""
    return Sighting(sites=dict.fromkeys("ABCDEFGHIJKLMNOPQR", BARE) | stones, hand=False)


def stone(*kinds: str) -> SiteBelief:
    """The camera thinks one of ``kinds`` lies there, and all of them equally likely."""
    return SiteBelief({(Glimpse(f"stone {kind}"),): 0.0 for kind in kinds})


match = Match("knizia_stonehenge", players=2)

print("one stone:       ", read(match, seen(L=stone("black 3"))).moves)
# A forgotten "done" leaves no trace, so it may be inferred from what follows.
print("two stones:      ", read(match, seen(L=stone("black 3"), A=stone("brown 6"))).moves)

blurred = read(match, seen(L=stone("black 3", "black 5")))
print("a blurred number:", blurred.status, [c.moves for c in blurred.candidates])

early = read(match, seen(A=stone("brown 6")))
print("out of turn:     ", early.status, early.refused, [o.code for o in early.objections])
print("the way back:    ", [(f"{fix.site}: take away", fix.seen[0].kind) for fix in early.fixes])
