"""Words for objections, prompts, outcomes and moves, in German and English.

Every text is in the file of its game, what all games share in ``common.toml``; see ``rules.texts``.
In a text ``{name}`` stands for a parameter of the objection or prompt, ``{0}`` for the first
argument of a move, ``{all}`` for a list of them. What a parameter means follows from its name
(``player``, ``other``, ``winner``, ``owner`` are seats) or is said after a colon: ``{0:player}``,
``{1:site}``, ``{card:kind}``, ``{colour:word}``. A move's sentence is found by verb, number of
arguments and the names of named ones: ``seat3pay``, else ``seat3``, else ``seat``.
"""

from __future__ import annotations

import string
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from rules.box.lattice import cell_of
from rules.core import (
    Actor,
    Call,
    Game,
    GameError,
    Move,
    Objection,
    Options,
    Outcome,
    Outlook,
    Param,
    Prompt,
    Result,
    ScoreLine,
)
from rules.errors import Where
from rules.hidden import UNSEEN
from rules.near import hint
from rules.texts import LANGUAGES, read_texts, text_file
from rules.toml_lines import not_toml

SECTIONS = frozenset(
    {
        "actions", "asks", "breaks", "builds", "calls", "company", "decided", "facts", "figures",
        "idle", "judged", "keys", "kinds", "kinds_many", "market", "moves", "objections",
        "options", "outcomes", "outlooks", "picked", "picks", "prompts", "puzzles", "reach",
        "reasons", "results", "rules", "rulings", "score", "sites", "spread", "state", "types",
        "turn", "words",
    }
)  # fmt: skip
"""Every section of a game's texts that anything reads; ``docs/texts.md`` says what for."""

_COUNT = "#"
"""Stands for a count while equal words are counted."""
_SEATS = frozenset({"player", "other", "winner", "owner"})


class TextError(GameError):
    """A text file lacks something; the message names file and key."""


@dataclass(frozen=True, slots=True)
class Told:
    """A message in the order a player needs it: what is wrong, why, what to do."""

    title: str
    text: str
    do: str
    rule: str
    """Rule id whose page explains more."""

    def __str__(self) -> str:
        """All of it as running text."""
        parts = [p if p[-1] in ".!?…" else f"{p}." for p in (self.title, self.text, self.do) if p]
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class RulePage:
    """A page of the rules in our own words."""

    rule: str
    title: str
    text: str


def load_text(name: str, lang: str, package: str = "rules") -> Mapping[str, Any]:
    """The text file ``name`` in a language; raises TextError."""
    if lang not in LANGUAGES:
        raise TextError("no_language", lang=lang, hint=hint(lang, LANGUAGES))
    try:
        return read_texts(name, lang, package)
    except ModuleNotFoundError as error:
        raise TextError("text_package_missing", package=package) from error
    except FileNotFoundError as error:
        raise TextError("text_file_missing", file=_where(name, lang, package)) from error
    except UnicodeDecodeError as error:
        raise TextError("not_text", file=_where(name, lang, package), reason=error) from error
    except tomllib.TOMLDecodeError as error:
        text = text_file(name, lang, package).read_text(encoding="utf-8")
        wrong = not_toml(_where(name, lang, package), text, error)
        raise TextError("bad_toml", **wrong) from error


def _where(name: str, lang: str, package: str) -> Where:
    """The name of a file in errors: authors look for it in a folder of their own."""
    file = text_file(name, lang, package)
    return f"{lang}/{name}.toml" if package == "rules" else Path(str(file))


def alphabetical(name: str) -> str:
    """The sort key of a name: as in dictionaries, ä beside a and ß beside ss."""
    split = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in split if not unicodedata.combining(letter))


class Teller:
    """Turns what the rules say into sentences of one language, with the players' names."""

    def __init__(
        self, game: Game[Any], lang: str, colours: Sequence[str], names: Sequence[str] | None = None
    ) -> None:
        self.game = game
        self.lang = lang
        # On a board of the players' own a game has a different id, and the same words.
        self._own = load_text(game.id.partition("@")[0], lang, game.package)
        self._common = load_text("common", lang)
        self.colours = tuple(self.word(colour) for colour in colours)
        self.names = tuple(names) if names else self.colours
        self._format = Formatter(self)

    # -- messages -------------------------------------------------------------------------

    def objection(self, objection: Objection) -> Told:
        """The reason why something is not allowed, and what to do."""
        entry = self._entry("objections", objection.code)
        return self._told(entry, objection.rule, objection.values)

    def prompt(self, prompt: Prompt) -> Told:
        """The sentence about the decision that is due."""
        return self._asked("prompts", prompt)

    def names_more(self, prompt: Prompt) -> bool:
        """True if the title of a decision names more than its player."""
        title = str(self._entry("prompts", prompt.code)["title"])
        return any(name not in (None, "player") for _, name, _, _ in self._format.parse(title))

    def picked(self, prompt: Prompt) -> Told:
        """The instruction after the first touch of several, in the section ``picked`` by prompt."""
        return self._asked("picked", prompt)

    def spread(self, prompt: Prompt) -> Told:
        """The instruction for telling a screen what was laid openly, and the word that says that it
        lies so: in the section ``spread`` by prompt."""
        return self._asked("spread", prompt)

    def _asked(self, section: str, prompt: Prompt) -> Told:
        values: dict[str, Param] = dict(prompt.values)
        if prompt.player is not None:
            values.setdefault("player", prompt.player)
        return self._told(self._entry(section, prompt.code), prompt.rule, values)

    def move(self, move: Move) -> str:
        """A move as a sentence."""
        named = "".join(arg.partition("=")[0] for arg in move.args if "=" in arg)
        count = len(move.args)
        moves = self._own.get("moves", {})
        template = moves.get(f"{move.verb}{count}{named}") if named else None
        if UNSEEN in move.args:
            template = template or moves.get(f"{move.verb}{UNSEEN}")
        template = template or moves.get(f"{move.verb}{count}", moves.get(move.verb))
        if template is None:
            template = self._common["moves"].get(move.verb)
        if template is None:
            raise TextError("text_missing", file=self._file, key=f"moves.{move.verb}")
        values: dict[str, Param] = {} if move.player is None else {"player": move.player}
        values["all"] = self.list(move.args)
        return self._format.vformat(str(template), _args(move), values)

    def turn(self, moves: Sequence[Move], seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The turn of ``seat`` in few words: what was done, and what for.

        In the section ``turn`` of the texts, by the verbs of its moves, as „what was done | what
        for“; equal ones are counted (``{count}``), and what has no entry is left out.
        """
        parts, counts = self._own.get("turn", {}), Counter[tuple[str, int | None]]()
        for move in moves:
            entry = next((parts[name] for name in _key_names(move, None) if name in parts), None)
            if entry is not None:
                words = self._format.vformat(str(entry), _args(move), {"count": _COUNT})
                counts[words, move.player] += 1
        told: dict[bool, list[str]] = {False: [], True: []}
        for (words, player), count in counts.items():
            other = "" if player is None or player == seat else f"{self.seat(player)}: "
            again = f"\u00a0×{count}" if count > 1 and _COUNT not in words else ""
            words = words.replace(_COUNT, f"{count}\u00a0" if count > 1 else "")
            for brought, part in zip(told, words.split("|"), strict=False):
                if part.strip():
                    told[brought].append(f"{other}{part.strip()}{again}")
        return _shared(told[False]), _shared(told[True])

    def key(self, move: Move, prompt: Prompt | None) -> tuple[str, str]:
        """A move as the words on a key, and what comes of it in one line, which may be empty.

        In the section ``keys`` of the texts, by prompt and verb (``claim_or_done.done``) or by
        verb, as „words | what comes of it“; without an entry it is the sentence of the move. After
        the verb may stand what its sentence is found by, or a question mark for moves that leave
        something unseen.
        """
        keys = {**self._common.get("keys", {}), **self._own.get("keys", {})}
        entry = next((keys[name] for name in _key_names(move, prompt) if name in keys), None)
        if entry is None:
            return self.move(move), ""
        values: dict[str, Param] = dict(prompt.values) if prompt is not None else {}
        values["all"] = self.list(move.args)
        if move.player is not None:
            values["player"] = move.player
        words, _, note = self._format.vformat(str(entry), _args(move), values).partition("|")
        words = words.strip()
        return words[:1].upper() + words[1:], note.strip()

    def pick(self, moves: Sequence[Move], count: int, prompt: Prompt | None, *, alone: bool) -> str:
        """Words on the key that makes ``moves`` of ``count`` chosen cards.

        In the section ``picks`` of the texts, by prompt and verb or by the last move's verb, as
        „words | words beside other keys“ (not ``alone``); ``{cards}`` is the cards counted.
        """
        last, picks = moves[-1], self._own.get("picks", {})
        named = picks.get(f"{prompt.code}.{last.verb}") if prompt is not None else None
        shape = f"{last.verb}{len(last.args)}"
        entry = named or picks.get(shape) or picks.get(last.verb) or self._common["picks"]["enter"]
        cards = self.text("picks", "card" if count == 1 else "cards", count=count)
        values: dict[str, Param] = {"cards": cards, "count": count}
        if last.player is not None:
            values["player"] = last.player
        whole, _, beside = self._format.vformat(str(entry), _args(last), values).partition("|")
        return (whole if alone or not beside else beside).strip()

    def picker(self, prompt: Prompt | None, *, unseen: bool = False) -> tuple[str, str]:
        """Words on the key that offers cards to choose from, and what they are for in one line.

        In the section ``picks``, under ``open``, with or without a prompt before it; under
        ``open?`` beside another key for what is ``unseen``.
        """
        picks = self._own.get("picks", {})
        code = "" if prompt is None else prompt.code
        names = [f"{code}.open?"] if unseen else []
        told = prompt is not None and prompt.actor is not Actor.PLAYER
        names += [f"{code}.open", *([] if told else ["open"])]
        entry = next((picks[name] for name in names if name in picks), None)
        entry = entry or self._common["picks"]["told" if told else "open"]
        words, _, note = str(entry).partition("|")
        return words.strip(), note.strip()

    def result(self, result: Result) -> Told:
        """The news; ``do``: the word on the key that puts it away."""
        told = self._told(self._entry("results", result.code), "", dict(result.params))
        # A place may begin the title, and in English places are written small.
        return replace(told, title=told.title[:1].upper() + told.title[1:])

    def call(self, call: Call) -> Told:
        """The sentence of a call; ``do``: the same in two words."""
        players = self.list([*map(self.seat, call.seats)])
        return self._told(self._entry("calls", call.code), "", {"players": players})

    def call_in_short(self, call: Call) -> str:
        """The same for the narrowest display."""
        entry = self._entry("calls", call.code)
        short = "" if isinstance(entry, str) else entry.get("short", "")
        return str(short or self.call(call).do)

    def outlook(self, outlook: Outlook) -> str:
        """Consequence of a move, in one line."""
        return self.text("outlooks", outlook.code, **dict(outlook.params))

    def reach(self, move: Move) -> str:
        """The places for the card that a move spends, as they stand on the card: in the section
        ``reach``, by verb; empty without an entry."""
        places = self._own.get("reach", {})
        entry = next((places[name] for name in _key_names(move, None) if name in places), "")
        return self._format.vformat(str(entry), _args(move), {})

    def idle(self, objection: Objection) -> str:
        """The reason why a card is of no use now in one word, in the section ``idle``; empty
        without an entry."""
        code = objection.code
        return self.text("idle", code, **objection.values) if self.has("idle", code) else ""

    def verdict(self, result: Result) -> str:
        """In two or three words whether it is what the player hoped for."""
        entry = self._entry("results", result.code)
        return self._format.vformat(str(entry["verdict"]), (), dict(result.params))

    def facts(self, result: Result) -> tuple[tuple[str, str], ...]:
        """The figures worth a look of their own: label and what it is, in the section ``facts`` as
        „label | what it is“, where ``{value}`` stands for the figure."""
        told = []
        for key, value in result.facts:
            values = {**dict(result.params), "value": value}
            text = self._format.vformat(str(self._entry("facts", key)), (), values)
            label, _, figure = text.partition("|")
            told.append((label.strip(), figure.strip()))
        return tuple(told)

    def outcome(self, outcome: Outcome) -> Told:
        """The sentence about the end of the match."""
        values: dict[str, Param] = {"winners": self.list([*map(self.seat, outcome.ranking[0])])}
        values["winner"] = outcome.ranking[0][0]
        return self._told(self._entry("outcomes", outcome.reason), "", values)

    def score_line(self, line: ScoreLine) -> str:
        """The origin of some points."""
        values: dict[str, Param] = {"player": line.player, "points": line.points}
        values.update(line.params)
        return self._format.vformat(str(self._entry("score", line.code)), (), values)

    def common(self, section: str, code: str, **values: Param) -> Told:
        """A message that all games share, e.g. ``common("handling", "piece_moved", …)``."""
        return self._told(self._entry(section, code), str(values.get("rule", "")), values)

    def text(self, section: str, key: str, **values: Param) -> str:
        """A single text of the game's file or the common one."""
        return self._format.vformat(str(self._entry(section, key)), (), values)

    def has(self, section: str, key: str) -> bool:
        """True if there is such a text, in the game's file or the common one."""
        return any(key in source.get(section, {}) for source in (self._own, self._common))

    def keys_of(self, section: str) -> tuple[str, ...]:
        """Everything that the game's own texts have words for in a section, in their order."""
        return tuple(self._own.get(section, {}))

    # -- names ----------------------------------------------------------------------------

    @property
    def game_name(self) -> str:
        """Title of the game."""
        name, board = str(self._own["name"]), self.game.board_name
        return f"{name}: {self.game.named(board, self.lang) or board}" if board else name

    @property
    def tagline(self) -> str:
        """The aim of the game in one line."""
        return str(self._own["tagline"])

    def seat(self, seat: int) -> str:
        """Name of the player on a seat."""
        return self.names[seat] if 0 <= seat < len(self.names) else f"p{seat}"

    def word(self, word: str) -> str:
        """A word of the game, such as a colour; itself if the file has none for it."""
        own = self.game.named(word, self.lang) or self._own.get("words", {}).get(word)
        return str(own if own is not None else self._common["words"].get(word, word))

    def kind(self, kind: str) -> str:
        """A piece or card, as players call it."""
        name = self._own.get("kinds", {}).get(kind)
        return str(name) if name is not None else self.word(kind)

    def broken(self, kind: str) -> tuple[str, ...]:
        """A piece's or card's name in one or two lines, as it stands on something narrow."""
        name = self._own.get("breaks", {}).get(kind)
        if name is None:
            return (self.kind(kind),)
        return tuple(part.strip() for part in str(name).split("|"))

    def counted(self, kind: str, count: int) -> str:
        """A number of a piece or card, as in "10 white arguments".

        Names without a plural, such as most cards', are counted with a cross: "10 × Copper".
        """
        many, name = self._own.get("kinds_many", {}).get(kind), self.kind(kind)
        if many is None:
            return f"{count}\u00a0×\u00a0{name}"
        if count != 1:
            return f"{count}\u00a0{many}"
        # Within a phrase only a noun keeps its capital, as in the plural.
        return f"1\u00a0{name if str(many)[0].isupper() else name[0].lower() + name[1:]}"

    def site(self, site: str) -> str:
        """A place, as players call it. Cells that float have no names: the board shows which."""
        named = self._own.get("sites", {}).get(site)
        if named is None and cell_of(site) is not None:
            named = self.word("cell")
        return str(named or site)

    def list(self, words: Sequence[str]) -> str:
        """``a, b and c`` in the language."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self._common['words']['and']} {words[-1]}"

    # -- pages ----------------------------------------------------------------------------

    def rule(self, rule: str, options: Options | None = None) -> RulePage:
        """The page of a rule or ruling, with the options chosen; raises TextError if none.

        In a page ``{name}`` stands for the value of an option, without ``options`` its default.
        """
        for section in ("rules", "rulings"):
            entry = self._own.get(section, {}).get(rule)
            if entry is not None:
                text = self._format.vformat(str(entry["text"]), (), self._values(options or {}))
                return RulePage(rule, str(entry["title"]), text.strip())
        raise TextError("no_page", file=self._file, rule=rule)

    def _values(self, options: Options) -> dict[str, Param]:
        known = self.game.options.items()
        return {name: options.get(name, values[0]) for name, values in known}

    @property
    def pages(self) -> tuple[RulePage, ...]:
        """All pages in the order of the file: the rules, then the rulings."""
        ids = [*self._own.get("rules", {}), *self._own.get("rulings", {})]
        return tuple(self.rule(rule) for rule in ids)

    def option(self, name: str) -> tuple[str, str]:
        """Title and one line of explanation of an option."""
        entry = self._entry("options", name)
        return str(entry["title"]), str(entry["help"])

    def option_value(self, name: str, value: str) -> str:
        """An option's value in words."""
        values = self._entry("options", name).get("values", {})
        told = values.get(value) or self.game.named(value, self.lang) or None
        return str(told) if told is not None else self.list([*map(self.kind, value.split(","))])

    # -- private --------------------------------------------------------------------------

    @property
    def _file(self) -> str:
        own = self.game.package == "rules"
        return f"{self.lang}/{self.game.id}.toml" if own else f"{self.game.id}.{self.lang}.toml"

    def _entry(self, section: str, key: str) -> Any:
        for source in (self._own, self._common):
            entry = source.get(section, {}).get(key)
            if entry is not None:
                return entry
        raise TextError("text_missing", file=self._file, key=f"{section}.{key}")

    def _told(self, entry: Any, rule: str, values: Mapping[str, Param]) -> Told:
        if isinstance(entry, str):
            entry = {"title": entry}
        title, text, do = (
            self._format.vformat(str(entry.get(part, "")), (), values)
            for part in ("title", "text", "do")
        )
        return Told(title, text, do, rule)


def _key_names(move: Move, prompt: Prompt | None) -> list[str]:
    """Keys of the texts for the words on the key of a move, the most exact first."""
    named = "".join(arg.partition("=")[0] for arg in move.args if "=" in arg)
    count = len(move.args)
    verbs = [f"{move.verb}{count}{named}", f"{move.verb}{count}", move.verb]
    codes = ["" if prompt is None else f"{prompt.code}.", ""]
    unseen = [f"{code}{move.verb}{UNSEEN}" for code in codes] if UNSEEN in move.args else []
    return [*unseen, *(f"{code}{verb}" for code in codes for verb in verbs)]


def _shared(parts: Sequence[str]) -> tuple[str, ...]:
    """Parts that begin with the same words say them once: “line H1, R2”."""
    begins = [part.rpartition(" ")[0] for part in parts]
    same = [bool(one) and one == before for before, one in pairwise(["", *begins])]
    return tuple(
        part.rpartition(" ")[2] if alike else part for part, alike in zip(parts, same, strict=True)
    )


def _args(move: Move) -> list[Param]:
    return [arg.partition("=")[2] or arg for arg in move.args]


class Formatter(string.Formatter):
    """``str.format`` whose format specs are kinds of names."""

    def __init__(self, teller: Teller) -> None:
        self._teller = teller

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        # Plain names only: a text file must not reach into objects by attribute or index.
        try:
            value = args[int(field_name)] if field_name.isdigit() else kwargs[field_name]
        except (KeyError, IndexError) as error:
            raise TextError("param_unknown", file=self._teller._file, name=field_name) from error
        if field_name in _SEATS and isinstance(value, int):
            value = self._teller.seat(value)
        return value, field_name

    def format_field(self, value: Any, format_spec: str) -> Any:
        teller = self._teller
        match format_spec:
            case "":
                return str(value)
            case "player":
                seat = str(value).removeprefix("p")
                return teller.seat(int(seat)) if seat.isdigit() else teller.word(str(value))
            case "site":
                return teller.site(str(value))
            case "sites":
                return teller.list([*dict.fromkeys(map(teller.site, str(value).split(",")))])
            case "kind":
                return teller.kind(str(value))
            case "kinds":
                return teller.list([teller.kind(k) for k in str(value).split(",")])
            case "word":
                return teller.word(str(value))
            case "words":
                return teller.list([teller.word(w) for w in str(value).split(",")])
            case "points":
                key = "point" if str(value) in ("1", "-1") else "points"
                return f"{value} {teller.word(key)}"
        raise TextError("name_kind_unknown", file=teller._file, kind=format_spec)
