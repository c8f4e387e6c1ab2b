"""Compares what texts say in two languages: numbers, opposites, colours, and who does it to whom.

A translation is free; but where one language says *left* and never *right*, and the other *right*
and never *left*, one of them is wrong. Of most meanings only such an exchange is found, for one
that is missing tells nothing; but numbers, colours and limits no translation leaves out.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from rules.texts import AUTHORED

LONG = 12
"""Letters of a text that is no mere word."""
SENTENCE, MUCH = 60, 1.65
"""Letters of a whole sentence, and how many times as long no translation is."""
_STOP = re.compile(r"[.!?:;]\s+")
_CLAUSE = re.compile(r"[.,!?:;–]\s+")
_WORD = re.compile(r"[^\W_]+")
_PHRASES = {
    "de": {"gegen den uhrzeigersinn": "gegenuhr", "im uhrzeigersinn": "uhr"},
    "en": {
        "at most": "atmost", "at least": "atleast", "counter-clockwise": "counterclockwise",
        "anti-clockwise": "counterclockwise", "face up": "faceup", "face down": "facedown",
    },
}  # fmt: skip
"""Several words with one meaning, and the word in their place."""
_OPPOSITES = """
    link* = left                            | recht* = right
    oben ober* = up upper top above         | unten untere* unterst* = down bottom below
    gewinn* gewonnen sieg* = win* won       | verlier* verlor* = lose* losing lost
    höchstens maximal* = atmost             | mindestens wenigstens = atleast
    mehr = more                             | weniger = fewer less
    läng* lang* = long*                     | kürz* kurz* = short*
    höher* höchst* hoch* hohe* = high*      | niedrig* tief* = low*
    groß* größ* = large* big*               | klein* = small*
    erst erste* = first                     | letzt* = last
    bevor vorher davor = before             | nachdem danach nachher = after afterwards
    voll* = full                            | leer* = empty
    frei* = free                            | besetzt* belegt* = taken occupied
    eigen* = own                            | gegner* andere* fremd* = other others opponent*
    offen* aufgedeckt* = faceup open*       | verdeckt* = facedown
    mit = with                              | ohne = without
    nie niemals = never                     | immer jedes* = always every*
    inner* innen = inner inside             | äuß* außen = outer outside
    uhr = clockwise                         | gegenuhr = counterclockwise
    waagrecht* waagerecht* = horizontal*    | senkrecht* = vertical* upright
    reihe* zeile* = row*                    | spalte* = column*
    doppel* doppelt* = double* twice        | halb* hälfte = half halve*
"""
"""Meanings that exclude each other, as German and English say them; * stands for any ending."""
_NUMBERS = """
    2 zwei* beid* = two second both twice | 3 drei dreie* dreimal dreifach* dritt* = three third
    4 vier viert* viere* viermal = four fourth | 5 fünf fünft* fünfe* fünfmal = five fifth
    6 sechs sechst* sechser* sechsmal = six sixth | 7 sieben siebt* = seven seventh
    8 acht achte achten achter = eight eighth | 9 neun neunt* = nine ninth
    10 zehn zehnt* zehner* = ten tenth | 11 elf elft* = eleven eleventh | 12 zwölf* = twelve twelfth
    13 dreizehn* = thirteen* | 14 vierzehn* = fourteen* | 15 fünfzehn* = fifteen*
    16 sechzehn* = sixteen* | 17 siebzehn* = seventeen* | 18 achtzehn* = eighteen*
    19 neunzehn* = nineteen* | 20 zwanzig* = twenty | 24 vierundzwanzig* = | 30 dreißig* = thirty
    40 vierzig* = forty | 50 fünfzig* = fifty | 60 sechzig* = sixty | 100 hundert* = hundred
"""
_COLOURS = """
    white weiß = white | black schwarz = black | red rot = red | blue blau = blue
    green grün = green | yellow gelb = yellow | brown braun = brown | grey grau = grey gray
    orange orange = orange | purple lila violett = purple violet
"""
_ENDINGS = ("", "e", "en", "er", "es", "em", "n", "s")
"""Endings that German puts behind a colour."""
_DENIED = {
    "de": "nein nicht kein* nie niemals niemand* nichts ohne weder nirgend*",
    "en": "not no nobody never nothing without neither nor none cannot nowhere t",
}
"""Words that turn a meaning into its opposite; a t is left of *don't*."""
_NEARLY = {
    "de": """
        verzicht* fehl* leer* null egal außer statt un* ab* bloß nur erst frei* weg* einzig* verlor*
        verlier* aus allein* bleib* höchstens vorbei zurück* ende umsonst gleichg* muss oft* öft*
    """,
    "en": """
        only except free* miss* lack* empty unless zero out over un* rather but alone stay* few*
        less last safe lose* lost refus* end* instead fail* most keep* remain* too silent up
        before until
    """,
}
"""Words that can stand where the other language denies something."""
_BEFORE = {"from": ("von", "from"), "to": ("nach", "to"), "on": ("auf", "on")}
"""Words before a place or a player that say which part it plays."""
_KEPT = ("number", "colour")
_FREE = {"2"}
"""Groups of meanings that no translation leaves out, and what of them it may: two are *both*."""
_LIMITS = {
    "de": "bis ab höchstens mindestens erlaubt längst*",
    "en": "up most least more longest maximum",
}
"""Words that set a limit."""
_SEATS = ("player", "other", "winner", "owner")
_NO_FIGURES = {*_SEATS, "site", "sites", "line"}
"""Names of what is no figure. Figures that can be exchanged come in one order in both languages."""


def exchanged(texts: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Meanings of one thing in one language and of another in the other; ``texts``: those of
    each language by key. Yields the key, and what is wrong there."""
    first, second = (texts[lang] for lang in AUTHORED)
    for key in sorted(first.keys() & second.keys()):
        for told in _compare(first[key], second[key]):
            yield key, told
        # Pages of several lines list what moves are written like.
        if "\n" in first[key] or "\n" in second[key]:
            continue
        for told in _lacking(first[key], second[key]):
            yield key, told
        if (denies := _denying(first[key], second[key])) is not None:
            yield key, f"denies in {denies} what it says in the other language"


def said_alike(texts: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Entries of one section that say the same in one language only: the language, and both."""
    for lang, other in (AUTHORED, AUTHORED[::-1]):
        seen: dict[tuple[str, str], str] = {}
        for key, text in texts[lang].items():
            section, part = key.partition(".")[0], key.rpartition(".")[2]
            if part not in ("title", "text") or len(text) < LONG:
                continue
            first = seen.setdefault((section, text), key)
            if first != key and texts[other].get(first) != texts[other].get(key):
                yield lang, first, key


def misnumbered(figure: str, texts: Mapping[str, str]) -> Iterator[str]:
    """The languages of ``texts`` that say another number than ``figure``."""
    for lang, text in texts.items():
        said = _said(text, lang)["number"]
        if figure.isdigit() and len(figure) < 4 and len(said) == 1 and figure not in said:
            yield lang


def miscoloured(owner: str, texts: Mapping[str, str]) -> Iterator[str]:
    """The languages of ``texts`` that name another colour than that of its owner."""
    for lang, text in texts.items():
        said = _said(text, lang)["colour"]
        if owner in _COLOURS.split() and said and owner not in said:
            yield lang


# -- private ------------------------------------------------------------------------------


def _compare(one: str, other: str) -> Iterator[str]:
    both = tuple(zip((one, other), AUTHORED, strict=True))
    mine, others = (_said(text, lang) for text, lang in both)
    for what in mine:
        here, there = mine[what] - others[what], others[what] - mine[what]
        if not (here and there):
            continue
        if what in _OPPOSITES and not any(_apart(what, *pair) for pair in _plain(one, other)):
            continue
        yield f"says {_listed(here)} in {AUTHORED[0]} and {_listed(there)} in {AUTHORED[1]}"
    lengths = sorted((len(one), len(other)))
    if lengths[1] > SENTENCE and lengths[0] * MUCH < lengths[1]:
        yield f"has {len(one)} letters in {AUTHORED[0]} and {len(other)} in {AUTHORED[1]}"
    seats = [_first_seat(text) for text in (one, other)]
    if None not in seats and seats[0] != seats[1]:
        yield f"begins with {seats[0]} in {AUTHORED[0]} and with {seats[1]} in {AUTHORED[1]}"
    figures = [_figures(text) for text in (one, other)]
    if figures[0] != figures[1] and sorted(figures[0]) == sorted(figures[1]):
        here, there = next(pair for pair in zip(*figures, strict=True) if pair[0] != pair[1])
        yield f"says '{here}' first in {AUTHORED[0]} and '{there}' in {AUTHORED[1]}"
    mine_at, others_at = (_parts_played(text, lang) for text, lang in both)
    for word in mine_at.keys() & others_at.keys():
        if mine_at[word] != others_at[word]:
            yield (
                f"says '{word}' of {mine_at[word]} in {AUTHORED[0]} and of {others_at[word]} in "
                f"{AUTHORED[1]}"
            )


def _lacking(one: str, other: str) -> Iterator[str]:
    """Meanings that no translation leaves out, and that only one of the languages has."""
    if " " not in one or min(len(one), len(other)) < LONG:
        return
    said = [_said(text, lang) for text, lang in zip((one, other), AUTHORED, strict=True)]
    for what in _KEPT:
        sets = [{*own[what]} - _FREE for own in said]
        for lang, here, there in zip(AUTHORED, sets, sets[::-1], strict=True):
            # *Weiß* is a verb too.
            only = here - there - ({"white"} if lang == "de" else set())
            if only and not there - here:
                yield f"says {_listed(only)} in {lang} only"
    limits = [_has(text, lang, _LIMITS) for text, lang in zip((one, other), AUTHORED, strict=True)]
    for place, (mine, others) in enumerate(zip(said, said[::-1], strict=True)):
        for what in _OPPOSITES.strip().splitlines():
            for limit in ({*mine[what]} - {*others[what]}) & {"atmost", "atleast"}:
                if not limits[1 - place]:
                    yield f"says '{limit}' in {AUTHORED[place]} only"


def _plain(one: str, other: str) -> Iterator[tuple[str, str]]:
    """The texts if they deny nothing, else those of their parts: what is "not taken" is free."""
    parts = [_CLAUSE.split(text) for text in (one, other)]
    matched = zip(*parts, strict=True) if len(parts[0]) == len(parts[1]) else ()
    for pair in ((one, other), *matched):
        if not any(_denies(text, lang) for text, lang in zip(pair, AUTHORED, strict=True)):
            yield pair


def _apart(what: str, one: str, other: str) -> bool:
    """True if two texts say opposite things."""
    mine, others = (
        _said(text, lang)[what] for text, lang in zip((one, other), AUTHORED, strict=True)
    )
    return bool(mine - others and others - mine)


def _denies(text: str, lang: str) -> bool:
    return _has(text, lang, _DENIED)


def _has(text: str, lang: str, words: Mapping[str, str]) -> bool:
    """True if a text has one of the ``words`` of its language."""
    return any(_is(word, (*words[lang].split(),)) for word in _WORD.findall(text.lower()))


def _denying(one: str, other: str) -> str | None:
    """The language in which one of the sentences denies what the other language says."""
    said = [_STOP.split(text.lower().strip().rstrip(".!?")) for text in (one, other)]
    if len(said[0]) != len(said[1]):
        return None
    for pair in zip(*said, strict=True):
        denied = [_denies(text, lang) for text, lang in zip(pair, AUTHORED, strict=True)]
        if denied[0] == denied[1]:
            continue
        which = denied.index(False)
        nearly = (*_NEARLY[AUTHORED[which]].split(),)
        if not any(_is(word, nearly) for word in _WORD.findall(pair[which])):
            return AUTHORED[1 - which]
    return None


def _parts_played(text: str, lang: str) -> dict[str, str]:
    """The word behind each of the words that say which part it plays."""
    ends = ((words.split()[-1:], name) for words, name, _, _ in _parts(text))
    last = {words[0].lower(): name for words, name in ends if words and name}
    place = AUTHORED.index(lang)
    return {word: last[said[place]] for word, said in _BEFORE.items() if said[place] in last}


def _listed(found: Iterable[str]) -> str:
    return ", ".join(f"'{one}'" for one in sorted(found))


def _first_seat(text: str) -> str | None:
    """The player with whom a text begins: mostly whoever does what it says."""
    words, name = next(((words, name) for words, name, _, _ in _parts(text)), ("", None))
    return name if not words and name in _SEATS else None


def _figures(text: str) -> list[str]:
    """Names of figures, in the order in which they are said."""
    names = (name for _, name, spec, _ in _parts(text) if name and not spec)
    return [*dict.fromkeys(n for n in names if n not in _NO_FIGURES and not n.isdecimal())]


def _parts(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(string.Formatter().parse(text))
    except ValueError:
        return [(text, None, None, None)]


@cache
def _said(text: str, lang: str) -> dict[str, Counter[str]]:
    """Counts of the meanings of a text, by groups that exclude each other."""
    plain = " ".join(words for words, *_ in _parts(text)).lower()
    for phrase, word in _PHRASES[lang].items():
        plain = plain.replace(phrase, word)
    found = {name: Counter[str]() for name in _lexicon(lang)}
    for word in _WORD.findall(plain):
        for name, meaning in _meanings(word, lang):
            # Numbers are counted, other things are said once or twice.
            found[name][meaning] = found[name][meaning] + 1 if name == "number" else 1
    return found


@cache
def _meanings(word: str, lang: str) -> tuple[tuple[str, str], ...]:
    """The meanings of a word, each with the group to which it belongs."""
    if word.isdecimal():
        return (("number", str(int(word))),) if int(word) > 1 else ()
    return tuple(
        (name, meaning)
        for name, entries in _lexicon(lang).items()
        for meaning, forms in entries if _is(word, forms)
    )  # fmt: skip


def _is(word: str, forms: tuple[str, ...]) -> bool:
    return any(word.startswith(form[:-1]) if form.endswith("*") else word == form for form in forms)


@cache
def _lexicon(lang: str) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Meanings with their words in a language, in groups of which a text says one or the other."""
    place = AUTHORED.index(lang)
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for line in _OPPOSITES.strip().splitlines():
        sides = [side.split("=") for side in line.split("|")]
        found[line] = [(side[1].split()[0].rstrip("*"), (*side[place].split(),)) for side in sides]
    for name, table in (("number", _NUMBERS), ("colour", _COLOURS)):
        found[name] = []
        for entry in table.replace("\n", "|").split("|"):
            if not entry.strip():
                continue
            german, english = entry.split("=")
            meaning, *forms = german.split()
            forms = forms if place == 0 else english.split()
            if name == "colour" and place == 0:
                forms = [form + ending for form in forms for ending in _ENDINGS]
            found[name].append((meaning, (*forms,)))
    return found
