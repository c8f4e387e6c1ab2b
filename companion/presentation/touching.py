"""The meaning of touches: from fingers on sites and pieces to one move.

Free of Kivy and of any game: it only compares what was touched with the arguments of the moves
that are legal now. An argument names sites (``A``, ``from=A``, ``A,B``), a piece (its
kind, or what is printed on it) or something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.match.layout_diff import sites_of
from companion.match.view import MatchView, PlayView, TableView
from rules.box import Box, PieceKind
from rules.core import Actor, Move
from rules.games import find_game


@dataclass(frozen=True, slots=True)
class Picked:
    """The sites and the kind that the finger holds between two touches."""

    sites: tuple[str, ...] = ()
    kind: str = ""
    """A kind of the box."""


@dataclass(frozen=True, slots=True)
class Play:
    """The touch expressed a whole move, legal or not."""

    move: Move


@dataclass(frozen=True, slots=True)
class Ask:
    """The touch fits these legal moves; one must be chosen."""

    moves: tuple[Move, ...]
    site: str


Answer = Play | Ask | Picked


def piece_of(move: Move, view: MatchView, box: Box) -> PieceKind | None:
    """The kind of piece a move puts down, as far as its text says."""
    colour = "" if move.player is None else view.colours[move.player]
    own = [k for k in box.kinds.values() if k.owner in (colour, "") and k.shape != "card"]
    others = [arg for arg in map(_value, move.args) if not _is_place(arg, box)]
    for arg in others:
        for kind in own:
            if arg in (kind.id, kind.mark):
                return kind
    if others:
        return None
    taking = [group for site in sites_of(move, box)[-1:] for group in box.sites[site].takes]
    fitting = [kind for kind in own if kind.group in taking]
    return fitting[0] if len(fitting) == 1 else None


def done_move(view: PlayView) -> Move | None:
    """The legal move that ends the turn, if there is one."""
    return next((move for move in view.legal if move.verb == "done"), None)


def placeless(view: PlayView, box: Box) -> tuple[Move, ...]:
    """Legal moves that no touch on the board can express; without ``done``."""
    return tuple(m for m in view.legal if m.verb != "done" and not touched(m, view, box))


def touched(move: Move, view: PlayView, box: Box) -> tuple[str, ...]:
    """The sites that are touched to say a legal move; none if no touch on the board can: a face of
    a die is no place, though it may have the name of one."""
    if view.throw is not None and move in view.throw:
        return ()
    places = view.places.get(move)
    return tuple(s for s in places if s in box.sites) if places else sites_of(move, box)


def means_pieces(view: PlayView, box: Box) -> bool:
    """True if a legal move puts down one of several kinds of the mover's own pieces."""
    kinds = (
        kind.id
        for move in view.legal
        if touched(move, view, box) and _valued(move, box) and (kind := piece_of(move, view, box))
    )
    first = next(kinds, None)
    return any(kind != first for kind in kinds)


def lying_sites(move: Move, view: PlayView, box: Box) -> tuple[str, ...]:
    """For a move without sites: where the open cards that it names lie."""
    named = {part for arg in map(_value, move.args) for part in arg.split(",")}
    if not named or touched(move, view, box):
        return ()
    return tuple(dict.fromkeys(
        site for site, card in _open_cards(view, box)
        if card in named or card.rpartition(" ")[2] in named
    ))  # fmt: skip


def _open_cards(view: PlayView, box: Box) -> Iterator[tuple[str, str]]:
    """Sites and kinds of the cards that lie open."""
    for item in view.items:
        kind = box.kinds.get(item.kind)
        if kind is not None and kind.shape == "card" and item.seen and item.site in box.sites:
            yield item.site, kind.id


def targets(view: PlayView, box: Box, picked: Picked) -> frozenset[str]:
    """Sites to point at: where the next touch may go.

    If a game's hints are switched off, finding such a move is part of the game: only moves
    of the verb the prompt asks for are pointed at, unless something was picked up already, or
    nothing else could be done.
    """
    if view.outcome is not None:
        return frozenset()
    moves: Iterable[Move] = _fitting(view, box, picked)
    if view.options.get("hints") == "off" and not picked.sites:
        wanted = view.prompt.code if view.prompt else ""
        asked = [move for move in moves if move.verb == wanted]
        if asked or placeless(view, box) or done_move(view) is not None:
            moves = asked
    # First what, then where: of several places the first that is not yet touched.
    sites = {s for move in moves for s in _next_sites(move, view, box, picked)[:1]}
    if not picked.sites and not picked.kind:
        # A touch of what lies there tells as much as a key, where it can mean only one move.
        naming = view.legal if any(_open_cards(view, box)) else ()
        lying = Counter(s for move in naming for s in lying_sites(move, view, box))
        sites |= {site for site, moves in lying.items() if moves == 1}
    return frozenset(sites)


class Finger:
    """Remembers what is picked, and which shapes of moves the match knows."""

    def __init__(self) -> None:
        self.picked = Picked()
        self._seen: dict[tuple[str, str], dict[tuple[str, ...], None]] = {}

    def clear(self) -> None:
        """Lets go of everything."""
        self.picked = Picked()

    def learn(self, view: TableView) -> None:
        """Note the moves of ``view``, so that later touches can say them when they are illegal."""
        seen = self._seen.setdefault((view.match_id, view.game), {})
        for move in view.legal:
            seen[(move.verb, *move.args)] = None

    def lift(self, kind: str, sites: tuple[str, ...] = ()) -> None:
        """A card of the hand is taken up, after ``sites`` were touched."""
        self.picked = Picked(sites, kind)

    def touch_kind(self, view: TableView, kind: str) -> Answer:
        """A piece in front of a player was touched."""
        same = self.picked.kind == kind
        self.picked = Picked(kind="" if same else kind)
        return self.picked

    def touch_site(self, view: TableView, box: Box, site: str) -> Answer:
        """A site was touched."""
        picked = self.picked
        if site in picked.sites:
            self.picked = replace(picked, sites=tuple(s for s in picked.sites if s != site))
            return self.picked
        wider = replace(picked, sites=(*picked.sites, site))
        for trial in (wider, Picked((site,), picked.kind), Picked((site,))):
            moves = _fitting(view, box, trial)
            if trial.kind == "" and picked.kind and not _is_card(picked.kind, box):
                # A piece in the hand that cannot go there is worth an objection, unless the
                # site can be meant without it.
                moves = [m for m in moves if piece_of(m, view, box) is None or not _valued(m, box)]
            if moves:
                return self._narrow(trial, moves, view, box, site)
        lying = [m for m in view.legal if site in lying_sites(m, view, box)]
        if lying:
            self.clear()
            return Play(lying[0]) if len(lying) == 1 else Ask(tuple(lying), site)
        move = self._would_be(view, box, site)
        if move is not None:
            self.clear()
            return Play(move)
        self.picked = Picked(kind=picked.kind)
        return self.picked

    def _narrow(
        self, picked: Picked, moves: Sequence[Move], view: TableView, box: Box, site: str
    ) -> Answer:
        if len(moves) == 1:
            self.clear()
            return Play(moves[0])
        complete = [m for m in moves if set(touched(m, view, box)) <= set(picked.sites)]
        self.picked = picked
        if complete:
            # Moves that need further touches glow on the board.
            return Ask(tuple(complete), site)
        if len({frozenset(touched(m, view, box)) for m in moves}) == 1:
            # The next site would not say which move is meant, so all are offered now.
            return Ask(tuple(moves), site)
        return picked

    def _gone_on(self, view: TableView, box: Box, site: str) -> Move | None:
        """The move that puts down what is in the hand where it may not go."""
        picked = self.picked
        if not picked.sites:
            return None
        goals: dict[str, Move] = {}
        for move in _fitting(view, box, picked):
            named = sites_of(move, box)
            if named[:-1] == picked.sites and move.args[-1:] == named[-1:]:
                goals[move.verb] = Move.of(move.player or 0, move.verb, *move.args[:-1], site)
        return next(iter(goals.values())) if len(goals) == 1 else None

    def _would_be(self, view: TableView, box: Box, site: str) -> Move | None:
        """A move that hands would make by this touch, though it is not allowed now."""
        if view.prompt is None or view.prompt.actor is not Actor.PLAYER:
            return None
        seat = view.prompt.player
        if seat is None:
            return None
        further = self._gone_on(view, box, site)
        if further is not None:
            return further
        seen = self._seen.get((view.match_id, view.game), {})
        options = tuple(sorted(view.options.items()))
        known = [
            *_first_shapes(view.game, view.players, options, view.physical), *seen,
            *_elsewhere(view, box, site),
        ]  # fmt: skip
        found: dict[str, Move] = {}
        for verb, *args in known:
            move = Move.of(seat, verb, *args)
            if sites_of(move, box) == (site,):
                found[move.text] = move
        moves = list(found.values())
        if self.picked.kind:
            moves = [m for m in moves if _means(m, self.picked.kind, view, box)] or moves
        # What is asked now, or else what could be answered now: that is what was meant.
        now = {m.verb for m in view.legal}
        for verbs in ({view.prompt.code}, now):
            moves = [m for m in moves if m.verb in verbs] or moves
        if len({m.verb for m in moves}) != 1:
            return None
        held = [m for m in moves if (k := piece_of(m, view, box)) and view.supplies[seat].get(k.id)]
        return (held or moves)[0]


def _next_sites(move: Move, view: PlayView, box: Box, picked: Picked) -> list[str]:
    """The places of a move that were not touched yet, in the order of its text."""
    return [site for site in touched(move, view, box) if site not in picked.sites]


def _elsewhere(view: PlayView, box: Box, site: str) -> Iterable[tuple[str, ...]]:
    """Verbs that are legal at other places of the same sort, each with ``site``."""
    for move in view.legal:
        if len(move.args) != 1 or sites_of(move, box) != move.args:
            continue
        if box.sites[move.args[0]].kind == box.sites[site].kind:
            yield (move.verb, site)


def _value(arg: str) -> str:
    return arg.partition("=")[2] or arg


def _valued(move: Move, box: Box) -> bool:
    return not all(_is_place(arg, box) for arg in map(_value, move.args))


def _is_place(arg: str, box: Box) -> bool:
    return all(part in box.sites for part in arg.split(","))


def _fitting(view: PlayView, box: Box, picked: Picked) -> list[Move]:
    """Legal moves that name every picked site and mean the picked piece."""
    moves = []
    for move in view.legal:
        sites = touched(move, view, box)
        if not sites or not set(picked.sites) <= set(sites):
            continue
        if picked.kind and not _means(move, picked.kind, view, box):
            continue
        moves.append(move)
    return moves


def _is_card(kind: str, box: Box) -> bool:
    return box.kinds[kind].shape == "card"


def _means(move: Move, kind: str, view: PlayView, box: Box) -> bool:
    if _is_card(kind, box):
        name = kind.rpartition(" ")[2]
        return any(name in arg.split(",") for arg in map(_value, move.args))
    piece = piece_of(move, view, box)
    if piece is not None:
        return kind in (piece.id, piece.back) or piece.id == box.kinds[kind].back
    return "?" in move.args and box.kinds[kind].mark == "?"


@lru_cache(maxsize=16)
def _first_shapes(
    game: str, players: int, options: tuple[tuple[str, str], ...], physical: bool
) -> tuple[tuple[str, ...], ...]:
    """Verbs with arguments of everything hands can try at the beginning of a match."""
    rules = find_game(game)
    state = rules.setup(players, rules.complete_options(players, dict(options)), physical)
    shapes = {(m.verb, *m.args): None for m in state.pseudo_moves()}
    return tuple(shapes)
