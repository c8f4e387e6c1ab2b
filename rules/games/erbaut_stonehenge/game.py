"""The rules of Erbaut Stonehenge! as the rest of Heelstone asks for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import ClassVar

from rules.core import (
    Actor,
    Game,
    Item,
    Json,
    Layout,
    Move,
    Objection,
    Options,
    Outcome,
    Prompt,
    ScoreLine,
)
from rules.games.erbaut_stonehenge import storing
from rules.games.erbaut_stonehenge.building import ACTS
from rules.games.erbaut_stonehenge.glory import glory, lines
from rules.games.erbaut_stonehenge.material import (
    ALTAR_ITEM,
    BLOCK_ITEM,
    BUILD,
    CAPSTONE_ITEM,
    CARD_NAMES,
    COLOURS,
    DEAL,
    DEAL_UNSEEN,
    DEALT,
    DISCARD_UNSEEN,
    DISPLAY_ITEM,
    DOLERITE_ITEM,
    DRAW,
    DRUID_ITEM,
    FACE_DOWN,
    FIRST_D,
    FIRST_T,
    HIDDEN,
    LAY_OUT,
    LOT,
    LYING,
    MARKED,
    NONE,
    OCCUPY,
    OP_BLOCKED,
    OP_DEAL,
    OP_DISCARD,
    OP_PLAY,
    OPEN,
    OVER,
    PILE_ITEM,
    PILLAR_ITEM,
    PILLARS_0,
    PILLARS_1,
    PILLARS_2,
    PLAY_UNSEEN,
    PROJECT,
    REFILL,
    RETURN,
    REVEALED,
    SHOW,
    SHOW_MOVE,
    SITE_NAMES,
    STEPS,
    SUPPLY,
    TRILITHON_ITEM,
    YARD_BACK_ITEM,
    YARD_CARD_ITEM,
    YARDS,
    Step,
    decode,
    is_day,
    is_trilithon,
)
from rules.games.erbaut_stonehenge.offers import fitting_sites, offered, tried
from rules.games.erbaut_stonehenge.refusals import CODES, refusals
from rules.games.erbaut_stonehenge.state import ErbautState, cannot_build
from rules.hidden import UNSEEN

_PLAIN_PROMPTS = {
    DEAL: (Actor.DEALER, "deal", "3.2"),
    LOT: (Actor.DEALER, "lot", "3.2"),
    DEALT: (Actor.DEALER, "dealt", "3.3"),
    PROJECT: (Actor.PLAYER, "project", "3.3"),
    RETURN: (Actor.PLAYER, "return", "ES29"),
}
_BUILD_PROMPTS = {
    FACE_DOWN: "build_reveal", PILLARS_0: "build_pillar", PILLARS_1: "build_pillar",
    PILLARS_2: "build_capstone", MARKED: "build_erect",
}  # fmt: skip


class ErbautStonehenge(Game[ErbautState]):
    """The rules, section by section."""

    id = "erbaut_stonehenge"
    box = "stonehenge_anthology"
    players = (3, 4)
    options: ClassVar = {"soft_block": ("off", "on"), "trilith_ring": ("off", "on")}
    codes = CODES
    handling_rule = "3.11"

    # -- 3.2 Set-up -----------------------------------------------------------------------

    def setup(self, players: int, options: Options, physical: bool) -> ErbautState:
        return ErbautState(
            players,
            soft=options["soft_block"] == "on",
            trilith_ring=options["trilith_ring"] == "on",
            physical=physical,
        )

    def colours(self, players: int, options: Options) -> tuple[str, ...]:
        return COLOURS[:players]

    def restored(self, data: Json) -> ErbautState:
        players = int(data["players"])
        options = self.complete_options(players, data["options"])
        state = self.setup(players, options, bool(data["physical"]))
        storing.read(state, data)
        return state

    # -- 3.3 The turn ---------------------------------------------------------------------

    def prompt(self, state: ErbautState) -> Prompt | None:
        phase, seat = state.phase, state.turn
        if phase == OVER:
            return None
        if phase in _PLAIN_PROMPTS:
            actor, code, rule = _PLAIN_PROMPTS[phase]
            who = None if phase == LOT else state.giver if phase == RETURN else seat
            return Prompt(actor, who, code, rule)
        if phase in (LAY_OUT, REFILL):
            rule = "3.2" if phase == LAY_OUT else "ES33"
            return Prompt(Actor.DEALER, None, "display", rule)
        if phase == SHOW:
            return Prompt(Actor.TABLE, seat, "show", "3.3", (("site", YARDS[seat]),))
        if phase == BUILD:
            return self._prompt_build(state)
        if phase in (OCCUPY, REVEALED):
            return self._prompt_occupy(state)
        if phase == DRAW:
            open_trilithon = not state.came and is_trilithon(max(state.display, default=NONE))
            code = "draw_trilithon" if open_trilithon else "draw_open" if state.came else "draw"
            return Prompt(Actor.PLAYER, seat, code, "3.3", (("due", state.due),))
        return Prompt(Actor.PLAYER, seat, "end", "ES17")

    @staticmethod
    def _prompt_build(state: ErbautState) -> Prompt:
        seat = state.turn
        if state.at_altar(seat):
            code = "atone_rise" if state.druid[seat] == LYING else "atone_return"
            return Prompt(Actor.PLAYER, seat, code, "3.7")
        if cannot_build(state, seat):
            card = CARD_NAMES[state.yard[seat]]
            return Prompt(Actor.PLAYER, seat, "give_up", "ES30", (("card", card),))
        if state.stage[seat] == OPEN:
            code = "build_block" if state.druid[seat] < FIRST_D else "build_dolerite"
        else:
            code = _BUILD_PROMPTS[state.stage[seat]]
        where = state.druid[seat]
        site = SITE_NAMES[where] if where >= 0 else YARDS[seat]
        return Prompt(Actor.PLAYER, seat, code, "3.3", (("site", site),))

    @staticmethod
    def _prompt_occupy(state: ErbautState) -> Prompt:
        seat = state.turn
        card = state.yard[seat]
        named = (("card", CARD_NAMES[card]),)
        if not fitting_sites(state):
            return Prompt(Actor.PLAYER, seat, "give_up", "ES9", named)
        code = "occupy_trilithon" if is_trilithon(card) else "occupy"
        rule = "ES26" if is_trilithon(card) else "3.4"
        return Prompt(Actor.PLAYER, seat, code, rule, named)

    def moves(self, state: ErbautState) -> list[Move]:
        return offered(state)

    def pseudo_moves(self, state: ErbautState) -> Iterable[Move]:
        return tried(state)

    def check(self, state: ErbautState, move: Move) -> list[Objection]:
        return refusals(state, move)

    def apply(self, state: ErbautState, move: Move) -> None:
        step = STEPS.get(move.text) or _step(move)
        ACTS[step[0]](state, step)

    def weights(self, state: ErbautState, moves: Sequence[Move]) -> Sequence[int]:
        if state.zones is None or state.phase not in (DEALT, LAY_OUT, REFILL):
            return [1] * len(moves)
        return state.chance([_step(move).a for move in moves])

    def choose(self, state: ErbautState, moves: Sequence[Move], random: Random) -> Move:
        """Uniform; but where nobody sees the hands, blocked only if nothing else is left."""
        if state.zones is not None and len(moves) > 1:
            moves = [move for move in moves if _step(move).op != OP_BLOCKED]
        return moves[int(random.random() * len(moves))]

    # -- 3.8 End and scoring --------------------------------------------------------------

    def outcome(self, state: ErbautState) -> Outcome | None:
        if state.phase != OVER:
            return None
        scores = self.scores(state)
        ranking = tuple(
            tuple(seat for seat, points in enumerate(scores) if points == group)
            for group in sorted(set(scores), reverse=True)
        )
        return Outcome(state.reason, ranking, scores)

    def scores(self, state: ErbautState) -> tuple[int, ...]:
        return tuple(glory(state, seat) for seat in range(state.players))

    def explain_scores(self, state: ErbautState) -> list[ScoreLine]:
        return [line for seat in range(state.players) for line in lines(state, seat)]

    # -- 3.11 Physical form: the table ----------------------------------------------------

    def layout(self, state: ErbautState) -> Layout:
        """Board, yards, altar and display. Hands, supplies and influence cards are no part."""
        items: list[Item] = []
        blocks = BLOCK_ITEM[state.players]
        for site, owner in enumerate(state.built):
            if owner == NONE:
                continue
            if site < FIRST_D:
                items.append(blocks[owner][site])
            elif site < FIRST_T:
                items.append(DOLERITE_ITEM[owner][site - FIRST_D])
            else:
                items.append(TRILITHON_ITEM[owner][site - FIRST_T][site not in state.unmarked])
        items += [DISPLAY_ITEM[card] for card in state.display]
        for seat, where in enumerate(state.druid):
            if where >= 0:
                items.append(DRUID_ITEM[seat][where])
            elif where != SUPPLY:
                items.append(ALTAR_ITEM[seat][where])
        if state.pile_left:
            items.append(PILE_ITEM)
        layout = Counter(items)
        for seat, stage in enumerate(state.stage):
            if stage == FACE_DOWN:
                layout[YARD_BACK_ITEM[seat]] += 1
            elif stage:
                layout[YARD_CARD_ITEM[seat][state.yard[seat]]] += 1
                if stage > PILLARS_0:
                    layout[PILLAR_ITEM[seat]] += 1 if stage == PILLARS_1 else 2
                if stage == MARKED:
                    layout[CAPSTONE_ITEM[seat][state.marked_trilithons[seat]]] += 1
        return layout

    def supply(self, state: ErbautState, seat: int) -> Counter[str]:
        """Bars, discs, druid, hand face down, influence cards; the neutral bars at their owner."""
        colour = COLOURS[seat]
        left = Counter(
            {
                f"bar {colour}": state.bars[seat],
                f"disc {colour}": state.discs[seat],
                f"figure {colour}": int(state.druid[seat] == SUPPLY),
                "card back": state.hand_size[seat],
            }
        )
        left.update(f"card {CARD_NAMES[card]}" for card in state.influence[seat])
        if state.neutral_owner == seat:
            left[f"bar {COLOURS[state.players]}"] = state.neutral
        return +left

    def touches(self, state: ErbautState, move: Move) -> Collection[str]:
        step = _step(move)
        seat = step.seat
        match move.verb:
            case "build":
                return self._built_sites(state, seat)
            case "occupy":
                where = state.druid[seat]
                if where == step.a:
                    return ()
                left = ("altar",) if state.at_altar(seat) else _druid_site(state, seat)
                return (SITE_NAMES[step.a], *left)
            case "atone":
                return ("altar",) if state.at_altar(seat) else ()
            case "take":
                return ("display", YARDS[seat]) if is_trilithon(step.a) else ("display",)
            case "play":
                return (YARDS[seat],)
            case "show":
                return (YARDS[seat],)
            case "steal":
                other = step.a
                if state.at_altar(other):
                    return (YARDS[seat], YARDS[other])
                return (YARDS[seat], YARDS[other], *_druid_site(state, other))
            case "discard":
                if state.stage[seat] == OPEN and state.yard[seat] == step.a:
                    return (YARDS[seat], *_druid_site(state, seat), *_new_pile(state))
                return _new_pile(state)
            case "sabotage":
                return self._sabotaged_sites(state, step.a)
        return self._dealt_sites(state, step) if move.actor is Actor.DEALER else ()

    @staticmethod
    def _built_sites(state: ErbautState, seat: int) -> Collection[str]:
        stage, yard = state.stage[seat], YARDS[seat]
        if stage == FACE_DOWN:
            # On a real table the card shows only with ``table show``.
            return () if state.yard[seat] == HIDDEN else (yard,)
        if stage in (OPEN, MARKED):
            return (yard, *_druid_site(state, seat))
        return (yard,) if stage else ()

    @staticmethod
    def _sabotaged_sites(state: ErbautState, other: int) -> Collection[str]:
        found = () if state.at_altar(other) else ("altar", *_druid_site(state, other))
        if state.stage[other] in (FACE_DOWN, OPEN):
            return (*found, YARDS[other], *_new_pile(state))
        return found

    @staticmethod
    def _dealt_sites(state: ErbautState, step: Step) -> Collection[str]:
        if state.phase == LOT:
            return ()
        found: tuple[str, ...] = ()
        if step.op != OP_DEAL:
            found = ("display",)
        elif is_trilithon(step.a):
            found = (YARDS[step.seat],)
        left = len(state.pile) + state.shuffled_numbers() + len(state.below)
        return (*found, "draw-pile") if left == 1 else found

    def implied(self, state: ErbautState, moves: Sequence[Move]) -> list[Move]:
        """3.12: ``done``; a ``draw``, which is compulsory, and that it brought a number card."""
        return [
            move
            for move in moves
            if move.verb == "done" or (move.verb == "draw" and move.args[-1:] in ((), (UNSEEN,)))
        ]

    # -- what may be known ----------------------------------------------------------------

    def public(self, state: ErbautState, move: Move, seat: int | None) -> Move:
        step = _step(move)
        if state.zones is not None or step.seat in (NONE, seat):
            return move
        if step.op == OP_DEAL and not is_trilithon(step.a):
            return DEAL_UNSEEN[step.seat]
        if step.op == OP_PLAY and is_day(step.a):
            return PLAY_UNSEEN[step.seat]
        if step.op == OP_DISCARD and state.yard[step.seat] != step.a:
            return DISCARD_UNSEEN[step.seat]
        return move

    def shown(self, state: ErbautState, move: Move) -> tuple[Move, ...]:
        seat = state.turn
        told = (self.public(state, move, None),)
        if move.verb != "build" or state.stage[seat] != FACE_DOWN or state.zones is not None:
            return told
        return (*told, SHOW_MOVE[seat][state.yard[seat]])

    def view(self, state: ErbautState, seat: int | None) -> Json:
        data = state.to_json()
        if state.zones is not None:
            return data
        data["hands"] = [
            hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
        ]
        data["pile"] = len(data["pile"])
        for owner, project in enumerate(data["projects"]):
            if state.stage[owner] == FACE_DOWN and owner != seat:
                project["card"] = UNSEEN
        for card in data["under"]:
            if card[1] not in (None, seat):
                card[0] = UNSEEN
        return data

    # -- safety ---------------------------------------------------------------------------

    def invariants(self, state: ErbautState) -> list[str]:
        return storing.invariants(state)


def _step(move: Move) -> Step:
    step = decode(move.text)
    if step is None:
        raise ValueError(f"'{move}' is no move of Erbaut Stonehenge!")
    return step


def _druid_site(state: ErbautState, seat: int) -> tuple[str, ...]:
    where = state.druid[seat]
    return (SITE_NAMES[where],) if where >= 0 else ()


def _new_pile(state: ErbautState) -> tuple[str, ...]:
    """A card put under an empty pile shows."""
    return () if state.pile_left else ("draw-pile",)
