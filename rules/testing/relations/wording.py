"""Finds texts that stand in each other's place: by their translations, and by their codes.

Words of two languages that go together are learnt from all texts of Heelstone and the game.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import log, sqrt

from rules.texts import AUTHORED, FOLDER, flat, read_texts

STEM = 5
"""Letters by which the forms of a word are taken for one; one less where a code is shortened."""
LEAD = 0.05
"""Share of their words by which two texts must fit better crosswise."""
UNEVEN = 0.15
"""Share of its words that a text of e times the length must fit better."""
PARTS = frozenset({"title", "text", "do", "short", "verdict", "help"})
_TOKEN = re.compile(r"\{[^}]*\}|[^\W\d_]+|\d+")
_WORD = re.compile(r"[^\W_]{3,}")

Pair = tuple[tuple[str, ...], tuple[str, ...]]
"""The stems of a text in both languages."""
Learnt = tuple[dict[str, Counter[str]], Counter[str], Counter[str]]
"""Texts in which two stems go together, and those in which each stands, by language."""


def exchanged_texts(texts: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Keys of texts of which one language has the words that belong to the other key; ``texts``:
    those of each language by key."""
    first, second = (texts[lang] for lang in AUTHORED)
    pairs = {key: (_stems(first[key]), _stems(second[key])) for key in first if key in second}
    learnt = _learnt()
    for pair in pairs.values():
        _learn(learnt, *pair)
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for key, (_, stems) in sorted(pairs.items()):
        # Texts with other names in braces are told apart by these.
        names = sorted(stem for stem in stems if stem[0] == "{")
        groups[(*names,)].append(key)
    known = [{stem for pair in pairs.values() for stem in pair[place]} for place in (0, 1)]
    near: dict[str, dict[str, float]] = {stem: {stem: 1.0} for stem in known[0]}
    back: dict[str, dict[str, float]] = {stem: {stem: 1.0} for stem in known[1]}
    for one, row in near.items():
        for other, found in learnt[0][one].items():
            if other in back and other != one:
                nearness = _near(found, learnt[1][one], learnt[2][other])
                row[other] = back[other][one] = nearness
    best = {key: (_best(one, near), _best(other, back)) for key, (one, other) in pairs.items()}
    fits = {key: _fit_by_others(*pair, learnt, (pair,)) for key, pair in pairs.items()}

    def fit(one: str, other: str) -> float:
        mine, others = pairs[one][0], pairs[other][1]
        near_mine, near_others = best[one][0], best[other][1]
        found = sum([near_mine[stem] for stem in others if stem in near_mine])
        found += sum([near_others[stem] for stem in mine if stem in near_others])
        return _fit(found, len(mine), len(others))

    for one, other in _rivals(groups.values()):
        same = any(mine == others for mine, others in zip(pairs[one], pairs[other], strict=True))
        lead = fit(one, other) + fit(other, one) - fits[one] - fits[other]
        if not same and lead > 2 * LEAD and _lead(pairs[one], pairs[other], learnt) > 2 * LEAD:
            yield one, other


def crossed_codes(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Entries of a language, which has the words of codes, that hold words of each other's code
    and none of their own."""
    whole: dict[str, str] = defaultdict(str)
    for key, text in texts.items():
        whole[_split(key)[0]] += f" {text}"
    groups: dict[str, list[str]] = defaultdict(list)
    for key in whole:
        groups[key.partition(".")[0]].append(key)
    codes = {key: _shortened(key.partition(".")[2]) for key in whole}
    said = {key: _shortened(text) for key, text in whole.items()}
    for one, other in _rivals(groups.values()):
        mine, others = codes[one] - codes[other], codes[other] - codes[one]
        crosswise = mine & said[other] and others & said[one]
        if crosswise and not mine & said[one] and not others & said[other]:
            yield one, other


# -- private ------------------------------------------------------------------------------


def _rivals(groups: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    """Two keys of a group: parts of one entry, or the same part of two, a title or a name in one
    section: so few words are elsewhere by chance."""
    for keys in groups:
        told = [(key, *_split(key), key.partition(".")[0]) for key in keys]
        for (one, entry, part, section), (other, its_entry, its_part, its_section) in combinations(
            told, 2
        ):
            near = part not in ("", "title") or section == its_section
            if entry == its_entry or (part == its_part and near):
                yield one, other


@cache
def _split(key: str) -> tuple[str, str]:
    """An entry and its part; the key alone if it has none."""
    entry, _, part = key.rpartition(".")
    return (entry, part) if part in PARTS else (key, "")


def _best(stems: Iterable[str], near: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The other language's stems, with how near they come to the nearest of some."""
    found: dict[str, float] = {}
    for stem in stems:
        for other, nearness in near[stem].items():
            if nearness > found.get(other, 0.0):
                found[other] = nearness
    return found


def _lead(one: Pair, other: Pair, learnt: Learnt) -> float:
    """The share of their words by which two texts fit better crosswise, by what was learnt from
    all others."""
    told = (one, other)
    return sum(
        _fit_by_others(mine[0], others[1], learnt, told) - _fit_by_others(*mine, learnt, told)
        for mine, others in (told, told[::-1])
    )


def _fit_by_others(
    one: tuple[str, ...], other: tuple[str, ...], learnt: Learnt, told: Sequence[Pair]
) -> float:
    """The fit of a text to another in the other language, by what was learnt from all but those
    that are ``told``."""
    together, first, second = learnt
    others = [(b, second[b] - sum(b in pair[1] for pair in told)) for b in other]
    rows = []
    for a in one:
        row, mine = together[a], [pair[1] for pair in told if a in pair[0]]
        times = first[a] - len(mine)
        rows.append([
            1.0 if a == b else
            _near(row.get(b, 0) - sum(b in stems for stems in mine), times, its_times)
            for b, its_times in others
        ])  # fmt: skip
    found = sum(map(max, filter(None, rows))) + sum(map(max, zip(*rows, strict=True)))
    return _fit(found, len(one), len(other))


def _fit(found: float, one: int, other: int) -> float:
    """``found``: nearness of all stems of two texts; ``one``, ``other``: their numbers."""
    return found / max(one + other, 1) - UNEVEN * abs(log((1 + one) / (1 + other)))


def _near(together: int, one: int, other: int) -> float:
    """The share of times that two stems go together; in how many texts they do, and each stands."""
    return min(1.0, together / sqrt((one + 0.5) * (other + 0.5))) if together > 0 else 0.0


def _learnt() -> Learnt:
    """All that Heelstone's own texts teach, to be learnt on."""
    together, first, second = _learnt_of_ours()
    return {stem: row.copy() for stem, row in together.items()}, first.copy(), second.copy()


@cache
def _learnt_of_ours() -> Learnt:
    learnt: Learnt = ({}, Counter(), Counter())
    for file in sorted((FOLDER / AUTHORED[0]).glob("*.toml")):
        first, second = (flat(read_texts(file.stem, lang)) for lang in AUTHORED)
        for key in first.keys() & second.keys():
            _learn(learnt, _stems(first[key]), _stems(second[key]))
    return learnt


def _learn(learnt: Learnt, one: tuple[str, ...], other: tuple[str, ...]) -> None:
    together, first, second = learnt
    first.update(one)
    second.update(other)
    for stem in one:
        together.setdefault(stem, Counter()).update(other)


def _stems(text: str) -> tuple[str, ...]:
    found = _TOKEN.findall(text)
    return tuple(dict.fromkeys(one if one[0] == "{" else one.lower()[:STEM] for one in found))


def _shortened(text: str) -> set[str]:
    return {word.lower()[: STEM - 1] for word in _WORD.findall(text)}
