"""A match on a screen: where the ball begins, and what it crushes."""

from __future__ import annotations

from rules.core import Move, Result, Touch
from rules.games.opferroulette.components import CARD, FIELDS, NUMBER_CARDS, PITS, pits_hit
from rules.games.opferroulette.state import OpferrouletteState, Phase


class OpferrouletteTouch(Touch[OpferrouletteState]):
    """The game at a screen: touches and pictures."""

    beside = frozenset({"draw-pile", "discard-pile"})
    private = frozenset({"go_on", "last_pass", "play", "reversed", "reversed_alone"})

    def result(
        self, before: OpferrouletteState, move: Move, after: OpferrouletteState
    ) -> Result | None:
        """6.3 Fall: the card turned up for it and what lay in the pit; 6.2: the field of the
        ball."""
        if move.verb == "turn" and before.phase is Phase.FALL:
            return _fallen(before, move.args[0])
        if move.verb == "ball" and after.phase is not Phase.BALL:
            card = move.args[0]
            return Result(
                "ball", True, f"card {card}", str(after.ball), (("field", after.ball),),
                (("field", after.ball),),
            )  # fmt: skip
        return None

    def way(self, state: OpferrouletteState, move: Move) -> tuple[str, ...]:
        """6.2: the fields that the ball rolls over."""
        if not move.verb.startswith("roll") or not state.ball:
            return ()
        after = state.clone()
        after.apply(move)
        passed, step = [state.ball], (1, -1)[state.facing]
        while passed[-1] != after.ball:
            passed.append((passed[-1] - 1 + step) % FIELDS + 1)
        return tuple(map(str, passed))

    def may_deal(self, state: OpferrouletteState) -> bool:
        """6.2: the cards of the set-up are open, and all are shuffled together afterwards."""
        return state.phase in (Phase.OFFER, Phase.NEUTRAL, Phase.BALL, Phase.START)


def _fallen(before: OpferrouletteState, name: str) -> Result:
    card, field = CARD[name], before.ball
    pits = pits_hit(field, card)
    owners = [owner for pit in pits for owner in before.pits[pit]]
    both = card >= NUMBER_CARDS
    code = ("crushed" if owners else "nothing") + ("_both" if both else "")
    where = str(field) if both else PITS[pits[0]]
    colours = ",".join(before.paint.colours[owner] for owner in owners)
    params = (("card", name), ("field", field), ("pit", where), ("colours", colours),
              ("player", before.turn))  # fmt: skip
    facts = (("field", field), ("crushed", len(owners)))
    return Result(code, bool(owners), f"card {name}", where, params, facts)
