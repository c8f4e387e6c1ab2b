"""Checks that a game says everything, in both languages."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rules.box import Box, BoxError, load_box
from rules.core import Game, GameError
from rules.near import nearest
from rules.telling import SECTIONS, Formatter, Teller, load_text
from rules.testing.relations.translations import exchanged, miscoloured, misnumbered, said_alike
from rules.testing.relations.wording import crossed_codes, exchanged_texts
from rules.testing.report import Misnamed, Report
from rules.texts import AUTHORED, flat

# Sentences as players get them, checked for things that are named wrongly.


class Proofreader(Teller):
    """A teller that names nothing but what there is: seats, sites and kinds of the game."""

    def __init__(
        self, game: Game[Any], lang: str, colours: Sequence[str], box: Box, read: set[str]
    ) -> None:
        """``read`` takes the keys of the texts that are told."""
        super().__init__(game, lang, colours)
        self._box, self._read = box, read
        self._sound: set[tuple[Any, str]] = set()
        """Values that were found to be named rightly: most of them come again and again."""
        self._format = _Reader(self)

    def _entry(self, section: str, key: str) -> Any:
        self._read.add(f"{section}.{key}")
        return super()._entry(section, key)

    def seat(self, seat: int) -> str:
        if not 0 <= seat < len(self.names):
            raise Misnamed(
                f"{seat} is told as a player, and there are {len(self.names)}",
                "Let player, other, winner and owner be seats, from 0 on",
            )
        return super().seat(seat)

    def written(self, section: str, key: str) -> str:
        """A text as it stands in the file."""
        return str(self._entry(section, key))

    def named(self, value: Any, as_what: str) -> None:
        """Notice a place that is none, and so on; a word of the game's own may stand for one."""
        if (value, as_what) in self._sound:
            return
        words = {**self._common["words"], **self._own.get("words", {})}
        for one in str(value).split(","):
            match as_what:
                case "site" | "sites":
                    known = one in self._box.sites or one in self._own.get("sites", {})
                case "kind" | "kinds":
                    known = one in self._own.get("kinds", {})
                case "player":
                    known = one.removeprefix("p").isdigit()
                case "points":
                    known = one.lstrip("-").isdigit()
                case _:
                    known = True
            if not known and one not in words:
                raise Misnamed(
                    f"'{one}' is told as {as_what}, and is none",
                    "Put the right word after the colon in the text, or give what it names",
                )
        self._sound.add((value, as_what))


class _Reader(Formatter):
    def __init__(self, proofreader: Proofreader) -> None:
        super().__init__(proofreader)
        self._proofreader = proofreader

    def format_field(self, value: Any, format_spec: str) -> Any:
        self._proofreader.named(value, format_spec)
        return super().format_field(value, format_spec)


# Wording: a text says something in its own language, and has one name for each thing.

LONGEST = 110
"""Letters of a title: more do not fit two lines of any screen."""
_UNDONE = re.compile(r"\W*(todo|tbd|fixme|xxx|lorem ipsum|translate me)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = frozenset({"kinds", "kinds_many", "breaks", "sites", "words", "types"})
"""Sections of names, which other texts hold."""
_FORMS = frozenset(
    {"", "player", "site", "sites", "kind", "kinds", "word", "words", "points"}
)  # fmt: skip
_GERMAN = """
    der die das den dem des ein eine einen einem einer und oder nicht ist sind wird werden auf mit
    von zu im vom zum wer wenn dein deine deinen du sich nur noch dort wie kein keine hat bitte aus
    nach bei für auch als so es er sie
"""
_ENGLISH = """
    the a an and or not is are be been of to on with from for who when your you only it its that
    this there no has have at by as into if they their may please does do can
"""
_COMMON = {"de": frozenset(_GERMAN.split()), "en": frozenset(_ENGLISH.split())}
"""Words that nearly every sentence has, by language; none is in both."""
SURE = 3
"""Number of them that give a language away, if there is none of its own."""


def check_wording(
    texts: Mapping[str, Mapping[str, Any]], box: Box, report: Report, *, box_is_own: bool
) -> None:
    """``texts`` by language; ``box_is_own``: no other game uses the box."""
    for lang, own in texts.items():
        for key in _not_text(own):
            report.add(f"{lang}: '{key}' is no text", "Write it in quotes")
        for key, text in flat(own).items():
            _check_text(lang, key, text, report)
        for section in ("kinds", "kinds_many", "sites"):
            words = own.get(section, {})
            if not isinstance(words, Mapping):
                continue
            if section == "sites" and (strange := sorted(set(words) - set(box.sites))):
                report.add(
                    f"{lang}: the box has no place {', '.join(strange[:5])}",
                    "Write it as the box file does, or delete the text",
                )
            if section == "kinds" and box_is_own and (none := sorted(set(words) - set(box.kinds))):
                report.add(
                    f"{lang}: the box has no kind {', '.join(none[:5])}",
                    "Write it as the box file does, or delete the text",
                )
            twice = [name for name, number in Counter(words.values()).items() if number > 1]
            for name in twice:
                keys = [key for key, word in words.items() if word == name]
                report.add(
                    f"{lang}: {section} calls {', '.join(keys[:3])} '{name}'",
                    "Give each a name of its own, or players cannot tell them apart",
                )


def _check_text(lang: str, key: str, text: str, report: Report) -> None:
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as error:
        report.add(f"{lang}: text '{key}' cannot be read: {error}", "Close each brace, or write {{")
        return
    said = "".join(words for words, *_ in parts)
    for _, name, form, _ in parts:
        if name is not None and form not in _FORMS:
            report.add(
                f"{lang}: text '{key}' has '{{{name}:{form}}}'",
                f"After the colon stands one of {', '.join(sorted(_FORMS - {''}))}",
            )
    named = any(name is not None for _, name, _, _ in parts)
    if named and key.partition(".")[0] in _PLAIN:
        report.add(f"{lang}: text '{key}' has braces", "Write the name alone, for it is put in")
    if text.strip() and (_UNDONE.match(text) or not (named or re.search(r"\w", said))):
        report.add(f"{lang}: text '{key}' says '{text}'", "Write what players are to read")
    if key.endswith("title") and len(said) > LONGEST:
        report.add(
            f"{lang}: text '{key}' has {len(said)} letters", "Say it in a line, and more in 'text'"
        )
    words = {word.lower() for word in _WORD.findall(said)}
    for other in AUTHORED:
        if other != lang and len(words & _COMMON[other]) >= SURE and not words & _COMMON[lang]:
            report.add(f"{lang}: text '{key}' is in {other}: {said[:50]!r}", "Translate it")


def _not_text(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _not_text(value, f"{prefix}{key}.")
        elif not isinstance(value, str):
            yield f"{prefix}{key}"


LONGEST_AIM = 60
"""Characters from which a tagline is no line of its own beside a board."""
SHORT = 24
"""Letters; a longer text that is the same in two languages was not translated."""
_NUMBERED = re.compile(r"([A-Z]+)([0-9]+)")
_LETTER = re.compile(r"[^\W\d_]")
_TOLD = ("calls", "objections", "outcomes", "picked", "prompts", "results", "spread")
_COMES_UP = ("calls", "prompts", "results", "score")
"""Sections of texts that some match tells all of."""
_PARTS = ("title", "text", "do", "short", "verdict")
NARROWEST = 8
"""Letters of the narrowest display …"""
_UMLAUT = re.compile("[äöüÄÖÜß]")
"""… which may have to spell these out."""
_BOTH = "Write it in both languages"


def check_texts(game: Game[Any], report: Report) -> None:
    """Check the files of texts alone."""
    files: dict[str, Mapping[str, Any]] = {}
    for lang in AUTHORED:
        try:
            files[lang] = load_text(game.id, lang, game.package)
        except GameError as error:
            report.add(str(error).rstrip("."), _remedy(game, error.code))
    if len(files) < len(AUTHORED):
        return
    try:
        box = load_box(game.box)
    except BoxError:
        return
    check_wording(files, box, report, box_is_own=Path(game.box).is_absolute())
    flattened = {lang: flat(texts) for lang, texts in files.items()}
    _check_translated(flattened, report)
    _check_meant(game, box, flattened, report)
    for lang, own in files.items():
        _check_sections(lang, own, report)
        _check_declared(game, lang, own, report)
        _check_numbers(lang, own.get("rulings", {}), report)


def _remedy(game: Game[Any], code: str) -> str:
    if code in ("bad_toml", "not_text"):
        return "Mend the file"
    elsewhere = not type(game).__module__.startswith("rules.")
    if elsewhere and game.package == "rules":
        return 'Name the package where the texts of the game lie: package = "my_package"'
    return "Every game has a file of texts for each language"


def check_named(game: Game[Any], report: Report) -> None:
    """Check that whatever turned up in the matches has a name or a page."""
    try:
        box = load_box(game.box)
    except BoxError:
        return
    for lang in AUTHORED:
        own, common = load_text(game.id, lang, game.package), load_text("common", lang)
        teller = Teller(game, lang, game.palette)
        words = {**common["words"], **own.get("words", {})}
        plurals = own.get("kinds_many", {})
        for kind, most in sorted(report.kinds.items()):
            if kind not in own.get("kinds", {}) and kind not in words:
                report.add(
                    f"{lang}: kinds.'{kind}' is missing", "Name every piece that players see"
                )
            card = kind in box.kinds and box.kinds[kind].shape == "card"
            if most > 1 and kind not in plurals and not card:
                report.add(
                    f"{lang}: kinds_many.'{kind}' is missing, but a player has {most}",
                    "Give what is counted a plural in both languages",
                )
        for rule in sorted(report.cited):
            report.tell(f"{lang}: rule '{rule}'", partial(teller.rule, rule))


def check_untold(game: Game[Any], report: Report) -> None:
    """Texts of what is asked, counted or answered, that no match ever told."""
    own = load_text(game.id, AUTHORED[0], game.package)
    untold = [
        f"{section}.{key}"
        for section in _COMES_UP
        for key in own.get(section, {})
        if f"{section}.{key}" not in report.read
    ]
    if untold:
        report.hint(
            f"in {report.matches} random matches nothing told the text {', '.join(untold[:5])}",
            "Delete it, or see that its code is spelt alike; what is rare, choose may lead to",
        )


def _check_translated(texts: Mapping[str, Mapping[str, str]], report: Report) -> None:
    first, second = AUTHORED
    for key in sorted(set(texts[first]) ^ set(texts[second])):
        missing = second if key in texts[first] else first
        report.add(f"text '{key}' is missing in {missing}", _BOTH)
    for key in sorted(set(texts[first]) & set(texts[second])):
        names = [_placeholders(texts[lang][key]) for lang in AUTHORED]
        if names[0] != names[1]:
            report.add(
                f"text '{key}' has {names[0]} in {first} but {names[1]} in {second}",
                "Use the same names in braces in both languages",
            )
        for lang in AUTHORED:
            if not texts[lang][key].strip():
                report.add(f"text '{key}' is empty in {lang}", _BOTH)
        words = _said(texts[first][key])
        if len(words) > SHORT and " " in words and words == _said(texts[second][key]):
            report.add(f"text '{key}' is the same in {first} and {second}", "Translate it")


def _check_meant(
    game: Game[Any], box: Box, texts: Mapping[str, Mapping[str, str]], report: Report
) -> None:
    """Check that texts say the same in both languages, and name things by what they are."""
    for key, told in exchanged(texts):
        report.hint(f"text '{key}' {told}", "Let both languages say the same")
    for first, second in exchanged_texts(texts):
        report.hint(
            f"in one language '{first}' says what '{second}' says in the other",
            "Compare both texts in both languages: these two seem to have changed places",
        )
    for first, second in crossed_codes(texts["en"]):
        report.hint(
            f"the text of '{first}' has the words of '{second}', and the other way round",
            "See that each text is below its own code, in both languages",
        )
    for lang, first, second in said_alike(texts):
        report.hint(
            f"{lang}: {first} and {second} say the same, and not in the other language",
            "See that each says what it is about",
        )
    for name, values in game.options.items():
        for value in values:
            key = f"options.{name}.values.{value}"
            said = {lang: own[key] for lang, own in texts.items() if key in own}
            for lang in misnumbered(value, said):
                report.hint(
                    f"{lang}: {key} says '{said[lang]}'", "Name the number that the value is"
                )
    for kind in box.kinds.values():
        for section in ("kinds", "kinds_many"):
            key = f"{section}.{kind.id}"
            said = {lang: own[key] for lang, own in texts.items() if key in own}
            for lang in miscoloured(kind.owner, said):
                report.hint(
                    f"{lang}: {key} says '{said[lang]}', and it belongs to {kind.owner}",
                    "Name the colour that the piece has",
                )


def _check_sections(lang: str, own: Mapping[str, Any], report: Report) -> None:
    """Check that no section is written that is never read."""
    for name, section in own.items():
        if name in ("name", "tagline"):
            continue
        if name not in SECTIONS:
            near = nearest(name, SECTIONS)
            hint = f"Did you mean [{near[0]}]?" if near else "See docs/texts.md for those there are"
            report.add(f"{lang}: nobody reads the section [{name}]", hint)
        elif not isinstance(section, Mapping):
            report.add(f"{lang}: '{name}' is a section", f"Write [{name}] and its keys below it")
        elif name in _TOLD:
            _check_told(lang, name, section, report)


def _check_told(lang: str, name: str, section: Mapping[str, Any], report: Report) -> None:
    for code, entry in section.items():
        if not isinstance(entry, Mapping):
            continue
        for part in entry:
            if part not in _PARTS:
                report.add(
                    f"{lang}: nobody reads '{part}' of {name}.{code}",
                    f"The parts of an entry are {', '.join(_PARTS)}",
                )
        if not entry.get("title"):
            report.add(f"{lang}: {name}.{code} has no title", "Say in a few words what it is about")
        short = str(entry.get("short", entry.get("do", "")))
        if name == "calls" and not 0 < len(short) + len(_UMLAUT.findall(short)) <= NARROWEST:
            report.add(
                f"{lang}: {name}.{code} has no word for the narrowest display",
                f"Give it a 'short' of at most {NARROWEST} letters; umlauts count as two",
            )


def _check_declared(game: Game[Any], lang: str, own: Mapping[str, Any], report: Report) -> None:
    """Words for everything that the game says it has."""
    common = load_text("common", lang)
    for name in ("name", "tagline"):
        if not own.get(name):
            report.add(f"{lang}: '{name}' is missing", "The screens show it: write it")
    if len(str(own.get("tagline", ""))) >= LONGEST_AIM:
        told = f"{lang}: the tagline has {LONGEST_AIM} characters or more"
        report.add(told, "Say in one line what players aim at")
    teller = Teller(
        game, lang, game.colours(game.players[0], game.complete_options(game.players[0], {}))
    )
    for section, codes in (("objections", game.codes), ("outcomes", game.outcomes)):
        for code in codes:
            if code not in own.get(section, {}) and code not in common.get(section, {}):
                report.add(f"{lang}: {section}.{code} is missing", _BOTH)
        for code in own.get(section, {}):
            if code not in codes:
                report.add(
                    f"{lang}: {section}.{code} is not among those that the game declares",
                    "Declare the code, or delete its text",
                )
    for code, entry in own.get("objections", {}).items():
        if not all(entry.get(part) for part in ("title", "text", "do")):
            report.add(
                f"{lang}: objections.{code} needs title, text and do",
                "Say what is wrong, why, and what to do now",
            )
    for name, values in game.options.items():
        report.tell(f"{lang}: options.{name}", partial(teller.option, name))
        named = [one.get("options", {}).get(name, {}).get("values", {}) for one in (own, common)]
        for value in values:
            said = any(value in one for one in (*named, common["words"]))
            said = said or bool(game.named(value, lang))
            if not said and _LETTER.search(value):
                report.add(f"{lang}: options.{name}.values.{value} is missing", _BOTH)
    for name in own.get("options", {}):
        if name not in game.options:
            report.add(
                f"{lang}: there is no option '{name}'", "Declare the option, or delete its text"
            )
    words = {**common["words"], **own.get("words", {})}
    for players in game.players:
        for colour in game.colours(players, game.complete_options(players, {})):
            if colour not in words:
                report.add(f"{lang}: words.{colour} is missing", "Name the colour of every seat")
    for section in ("rules", "rulings"):
        for rule, page in own.get(section, {}).items():
            if not isinstance(page, Mapping) or not (page.get("title") and page.get("text")):
                report.add(f"{lang}: {section}.{rule} needs title and text", "Write the page")
                continue
            report.tell(f"{lang}: {section}.{rule}", partial(teller.rule, rule))
    report.tell(f"{lang}: handling_rule", partial(teller.rule, game.handling_rule))
    if game.scoring_rule:
        report.tell(f"{lang}: scoring_rule", partial(teller.rule, game.scoring_rule))


def _check_numbers(lang: str, rulings: Mapping[str, Any], report: Report) -> None:
    """Rulings are counted, and none is left out."""
    found: dict[str, set[int]] = {}
    for name in rulings:
        if match := _NUMBERED.fullmatch(name):
            found.setdefault(match[1], set()).add(int(match[2]))
    for prefix, numbers in found.items():
        for number in sorted(set(range(1, max(numbers))) - numbers):
            report.add(
                f"{lang}: rulings.{prefix}{number} is missing, but {prefix}{max(numbers)} is there",
                "Give every ruling a page, or number them without gaps",
            )


def _said(text: str) -> str:
    """A text without what stands in braces."""
    return " ".join("".join(words for words, *_ in _parts(text)).split())


def _placeholders(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in _parts(text) if name})


def _parts(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(string.Formatter().parse(text))
    except ValueError:
        return [(text, None, None, None)]  # said by check_wording
