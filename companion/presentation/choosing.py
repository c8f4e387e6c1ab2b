"""Moves that one touch can mean, or that no touch on the board can express, sorted into tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.match.view import TableView
from companion.presentation.boxes import box_of
from companion.presentation.touching import Picked, piece_of, touched
from companion.presentation.words.translate import _
from rules.box import PieceKind
from rules.core import Actor, Move, Throw
from rules.telling import Teller, alphabetical

_MOST_PIECES = 8
"""Maximum number of pieces beside each other."""
MOST_ANSWERS = 6
"""Number of answers above which a question about one place waits until the place is touched."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Moves, and what they are called."""

    title: str
    """Empty: what the prompt says is the question."""
    moves: tuple[Move, ...]
    keys: tuple[tuple[str, str], ...]
    """Per move the words on its key, and what comes of it."""
    pieces: tuple[PieceKind, ...]
    """One piece per move, if that is all they differ in; else none."""
    sites: tuple[str, ...]
    """Places they are about."""


def offer_of(moves: Sequence[Move], site: str, view: TableView, teller: Teller) -> Offer:
    """The offer of ``moves`` after a touch of ``site``."""
    box = box_of(view)
    kinds = [kind for move in moves if (kind := piece_of(move, view, box)) is not None]
    same_place = len({(move.verb, touched(move, view, box)) for move in moves}) == 1
    distinct = len({kind.id for kind in kinds}) == len(moves)
    few = 1 < len(moves) <= _MOST_PIECES
    # What only happened, such as a roll, is nobody's piece.
    own = all(move.player is not None for move in moves)
    pieces = tuple(kinds) if same_place and distinct and few and own else ()
    title = _("play.which_piece") if pieces else _("play.what_is_meant")
    return Offer(title, tuple(moves), _keys(moves, view, teller), pieces, (site,))


def finishing(offer: Offer, view: TableView, picked: Picked) -> Move | None:
    """The one move of an offer that says all that was touched, while more of the same could be
    touched: a player who has begun it mostly wants to end it there."""
    if len(offer.moves) != 1:
        return None
    (move,), box = offer.moves, box_of(view)
    more = (m for m in view.legal if m != move and m.verb == move.verb)
    return move if any(set(picked.sites) <= set(touched(m, view, box)) for m in more) else None


def question_at_a_place(view: TableView, teller: Teller) -> Offer | None:
    """The question that is open if everything that may be done concerns the same places, so that
    touching them would not say more."""
    prompt, box = view.prompt, box_of(view)
    if view.outcome is not None or prompt is None or prompt.actor is not Actor.PLAYER:
        return None
    moves = view.legal
    if not 1 < len(moves) <= MOST_ANSWERS:
        return None
    sites = {frozenset(touched(move, view, box)) for move in moves}
    if len(sites) != 1 or not next(iter(sites)):
        return None
    first = sorted(moves, key=lambda move: move != view.usual)
    pieces = offer_of(first, "", view, teller).pieces
    return Offer("", tuple(first), _keys(first, view, teller), pieces, touched(moves[0], view, box))


def _keys(moves: Sequence[Move], view: TableView, teller: Teller) -> tuple[tuple[str, str], ...]:
    return tuple(teller.key(move, view.prompt) for move in moves)


MOST_FLAT = 90
"""Maximum number of moves in one list of tiles."""
_MOST_TILES = 60
"""Maximum number of tiles below one sentence, unless the whole list is short."""
_MOST_PARTS = 6
_MOST_NAMED = 12
"""Number of numbers above which the word before them moves into the sentence: „Tag …“ and a 5."""
_GAP = "…"
_WITHIN = "\ue000"
"""Mark between the words of one name while sentences are compared; no text has it."""
_MARKS = ",:()"


@dataclass(frozen=True, slots=True)
class Tile:
    """One touch: it plays the only move, or chooses a part that several moves have."""

    text: str
    moves: tuple[Move, ...]
    chosen: tuple[str, ...] = ()
    """Parts of a combination chosen with this touch, those before it included."""

    @property
    def move(self) -> Move | None:
        """The move it plays; None if more must be chosen."""
        return None if self.chosen else self.moves[0]


@dataclass(frozen=True, slots=True)
class Section:
    """Tiles below the sentence whose gaps they fill."""

    title: str
    tiles: tuple[Tile, ...]


@lru_cache(maxsize=8)
def needs_steps(moves: tuple[Move, ...]) -> bool:
    """True if some of ``moves`` are combinations too many for a list."""
    return any(_stepwise(group, len(moves)) for group in _by_verb(moves))


@lru_cache(maxsize=8)
def sections(
    moves: tuple[Move, ...], teller: Teller, chosen: tuple[str, ...] = ()
) -> tuple[Section, ...]:
    """``moves`` as tiles; after parts of a combination were ``chosen``, only what continues."""
    found: list[Section] = []
    for group in _by_verb(moves):
        if _stepwise(group, len(moves)):
            found += _combined(group, teller, chosen)
        elif not chosen:
            found += _flat(group, teller)
    # What names nothing else is found at once, before the cards.
    return tuple(sorted(found, key=lambda section: not _is_plain(section)))


def _is_plain(section: Section) -> bool:
    (first, *others) = section.tiles
    return not others and not first.chosen and set(first.moves[0].args) <= {"?"}


def _by_verb(moves: Sequence[Move]) -> list[list[Move]]:
    groups: dict[str, list[Move]] = {}
    for move in moves:
        groups.setdefault(move.verb, []).append(move)
    return list(groups.values())


def _stepwise(group: Sequence[Move], total: int) -> bool:
    combined = any("," in arg for move in group for arg in move.args)
    return combined and total > MOST_FLAT and len(group) > _MOST_TILES


# -- one touch per die -------------------------------------------------------------------------


def throw_section(throw: Throw, teller: Teller, chosen: tuple[str, ...] = ()) -> Section:
    """Faces as tiles, one touch for each die; equal dice are told in any order, and those of
    another kind after them."""
    kind, several = throw.dice[len(chosen)], len({*throw.dice}) > 1
    tiles = []
    for face in throw.faces[kind]:
        after = (*chosen, face)
        whole = throw.showing(Counter(zip(throw.dice, after, strict=False)))
        moves = throw.moves if whole is None else (whole,)
        tiles.append(Tile(teller.word(face), moves, after if whole is None else ()))
    asked = teller.kind(kind) if several else _("play.dice_show")
    return Section(f"{asked} {', '.join([*map(teller.word, chosen), _GAP])}", tuple(tiles))


# -- one touch per move -----------------------------------------------------------------------


def _flat(group: Sequence[Move], teller: Teller) -> list[Section]:
    told = _words_of(group, teller)
    alike: dict[tuple[object, ...], list[Move]] = {}
    for move in group:
        alike.setdefault((len(told[move]),), []).append(move)
    found = []
    for same in alike.values():
        for part in _split(same):
            found += [_section(word, told) for word in _by_word(part, told)]
    return sorted(found, key=lambda section: len(section.tiles) == 1)


def _words_of(group: Sequence[Move], teller: Teller) -> dict[Move, list[str]]:
    """The words of each sentence. Where sentences differ in length, a name of several words counts
    as one if that makes more of them alike: "Throne Room" fills the gap that "Cellar" fills."""
    apart = {move: teller.move(move).split(" ") for move in group}
    lengths = {len(words) for words in apart.values()}
    if len(lengths) == 1:
        return apart
    whole = {move: _names_whole(move, teller).split(" ") for move in group}
    return whole if len({len(words) for words in whole.values()}) < len(lengths) else apart


def _names_whole(move: Move, teller: Teller) -> str:
    """The sentence of a move; no space that divides words stands in the names of what it names."""
    text = teller.move(move)
    for name in map(teller.kind, _parts(move)):
        text = text.replace(name, name.replace(" ", _WITHIN))
    return text


def _split(moves: list[Move]) -> list[list[Move]]:
    """Groups by the first argument if it has few values and others vary more."""
    if len(moves) > _MOST_PARTS and all(len(move.args) > 1 for move in moves):
        parts: dict[str, list[Move]] = {}
        for move in moves:
            parts.setdefault(move.args[0], []).append(move)
        if len(parts) <= _MOST_PARTS and len(moves) > 2 * len(parts):
            return list(parts.values())
    return [moves]


def _by_word(moves: list[Move], told: dict[Move, list[str]]) -> list[list[Move]]:
    """Many moves that differ in a number and a word before it, by that word."""
    columns = list(zip(*(told[move] for move in moves), strict=True))
    varied = [number for number, column in enumerate(columns) if len(set(column)) > 1]
    if len(moves) <= _MOST_NAMED or len(varied) != 2 or varied[1] != varied[0] + 1:
        return [moves]
    word, number = varied
    parts: dict[str, list[Move]] = {}
    for move in moves:
        parts.setdefault(told[move][word], []).append(move)
    long = [
        part
        for part in parts.values()
        if len(part) > _MOST_PARTS and _numbers([told[move][number] for move in part])
    ]
    if not 0 < len(long) <= _MOST_PARTS:
        return [moves]
    rest = [move for move in moves if not any(move in part for part in long)]
    return [*long, rest] if rest else long


def _numbers(column: Sequence[str]) -> bool:
    return all(word.strip(_MARKS).isdigit() for word in column)


def _section(moves: Sequence[Move], told: dict[Move, list[str]]) -> Section:
    if len(moves) == 1:
        return Section("", (Tile(_alone(moves[0], told[moves[0]]), (moves[0],)),))
    columns = list(zip(*(told[move] for move in moves), strict=True))
    varied = [len(set(column)) > 1 for column in columns]
    for number, column in enumerate(columns[1:], 1):
        # "Day 5" rather than a bare 5: a number keeps the word before it, unless there are many.
        if varied[number] and _numbers(column) and len(moves) <= _MOST_PARTS:
            varied[number - 1] = True
    title: list[str] = []
    for number, column in enumerate(columns):
        if not varied[number]:
            title.append(column[0])
            continue
        # What follows the gap stays: a comma belongs to the sentence, not to the card.
        tail = _tail(column)
        if number and varied[number - 1] and title[-1] == _GAP:
            title.pop()
        title.append(_GAP + tail)
    tiles = [Tile(_filling(told[move], varied), (move,)) for move in _in_order(moves)]
    return Section(" ".join(title).replace(_WITHIN, " "), tuple(_by_name(tiles)))


def _alone(move: Move, words: Sequence[str]) -> str:
    """A sentence as a tile; what follows a colon explains a move that names nothing."""
    ends = [number for number, word in enumerate(words, 1) if word.endswith(":")]
    told = " ".join(words[: ends[0]]).rstrip(":") if ends and not move.args else " ".join(words)
    return told.replace(_WITHIN, " ")


def _filling(words: Sequence[str], varied: Sequence[bool]) -> str:
    """The words of the gaps; what stood apart is kept apart by a dot."""
    runs: list[list[str]] = []
    inside = False
    for word, varies in zip(words, varied, strict=True):
        if varies:
            if not inside:
                runs.append([])
            runs[-1].append(word)
        inside = varies
    return " · ".join(" ".join(run).strip(_MARKS).replace(_WITHIN, " ") for run in runs)


def _tail(column: Sequence[str]) -> str:
    ends = {word[-1] for word in column}
    return ends.pop() if len(ends) == 1 and ends <= set(",:") else ""


def _in_order(moves: Sequence[Move]) -> list[Move]:
    """Moves in the order in which people count: 2 before 10."""
    return sorted(moves, key=lambda move: [_countable(part) for part in move.text.split(" ")])


def _by_name(tiles: list[Tile]) -> list[Tile]:
    """Tiles without numbers, sorted by their names in the language."""
    if any(letter.isdigit() for tile in tiles for letter in tile.text):
        return tiles
    return sorted(tiles, key=lambda tile: alphabetical(tile.text))


def _countable(text: str) -> list[tuple[int, str, int]]:
    found: list[tuple[int, str, int]] = []
    for part in text.split(","):
        letters = part.rstrip("0123456789")
        digits = part[len(letters) :]
        found.append((len(letters) > 2, letters, int(digits) if digits else -1))
    return found


# -- one touch per card -----------------------------------------------------------------------


def _combined(group: Sequence[Move], teller: Teller, chosen: tuple[str, ...]) -> list[Section]:
    fitting = [move for move in group if not Counter(chosen) - Counter(_parts(move))]
    if not fitting:
        return []
    found: list[Section] = []
    complete = [move for move in fitting if Counter(_parts(move)) == Counter(chosen)]
    if chosen and complete:
        whole = tuple(Tile(teller.move(move), (move,)) for move in complete)
        found.append(Section("", whole))
    further: dict[str, list[Move]] = {}
    for move in fitting:
        for part in dict.fromkeys(_next_parts(move, chosen)):
            further.setdefault(part, []).append(move)
    tiles = []
    for part in sorted(further, key=_countable):
        after = (*chosen, part)
        ends = [move for move in further[part] if Counter(_parts(move)) == Counter(after)]
        alone = len(further[part]) == 1 and bool(ends)
        moves = tuple(further[part])
        tiles.append(Tile(teller.kind(part), moves, () if alone else after))
    if tiles:
        found.append(Section(_beginning(fitting, teller, chosen), tuple(_by_name(tiles))))
    return found


def _parts(move: Move) -> list[str]:
    return [part for arg in move.args for part in arg.split(",")]


def _next_parts(move: Move, chosen: tuple[str, ...]) -> list[str]:
    """Parts of the first argument that is not chosen in full."""
    left = Counter(chosen)
    for arg in move.args:
        rest = []
        for part in arg.split(","):
            if left[part]:
                left[part] -= 1
            else:
                rest.append(part)
        if rest:
            return rest
    return []


def _beginning(moves: Sequence[Move], teller: Teller, chosen: tuple[str, ...]) -> str:
    told = [teller.move(move).split(" ") for move in moves]
    alike: list[str] = []
    for words in zip(*told, strict=False):
        if len(set(words)) > 1:
            break
        alike.append(words[0])
    names = [teller.kind(part) for part in chosen]
    said = " ".join(alike).rstrip(",:")
    missing = [name for name in names if name not in said]
    return " ".join([said, *([", ".join(missing) + ","] if missing else []), _GAP])
